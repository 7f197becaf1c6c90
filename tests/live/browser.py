#!/usr/bin/python3
"""A headless Chromium behind an emulated path, called by examples/browser.

  tests/live/play.py tests/live/browser.py BUILD

The page and the call are in this network, the browser is in another, and the path joins the two.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
import cases  # noqa: E402
import devtools  # noqa: E402
import namespaces  # noqa: E402
import sound  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
PORT = 8080
OURS, THEIRS = "10.77.0.1", "10.77.0.2"
PATIENCE_S = 60                 # for a browser to start on a busy machine
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
SOURCE = "audiotestsrc is-live=true wave=pink-noise volume=0.3"
PICTURES = ("videotestsrc is-live=true pattern=snow ! video/x-raw,width=24,height=18,framerate=25/1 ! videoscale ! "
            "video/x-raw,width=320,height=240")
CHROMIUM = ("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required",
            "--disable-features=WebRtcHideLocalIpsWithMdns", "--no-first-run", "--disable-background-networking",
            f"--unsafely-treat-insecure-origin-as-secure=http://{OURS}:{PORT}")


class Call:
    """A call over a path with options of tfrc-path."""

    def __init__(self):
        self.network, self.folder = namespaces.Namespace(), tempfile.TemporaryDirectory()
        self.page = self.speaker = None
        self.children, self.lines = [], open(f"{self.folder.name}/call", "w+", encoding="utf-8")

    def serve(self, source=SOURCE, options=()):
        self.start([sys.executable, str(ROOT / "examples/browser/browser.py"), "--port", str(PORT), "--source", source,
                    "--sink", "fakesink sync=false async=false", *options], stdout=self.lines)
        self.wait(lambda: "open http" in self.read(), "the page is served")

    def begin(self, path, source=SOURCE, options=()):
        # Without a sound server the browser leaves out 10 ms of playout where it is late, and then squeezes the sound.
        self.speaker = sound.SoundServer(pathlib.Path(self.folder.name), ["page"])
        self.join(path)
        self.serve(source, options)
        self.begun = time.monotonic()
        self.page = devtools.DevTools()
        self.start(self.network.enter(*self.page.wrap((
            *CHROMIUM, f"--user-data-dir={self.folder.name}/chromium", f"http://{OURS}:{PORT}/?call"))),
            pass_fds=self.page.fds, env=self.speaker.env)
        self.page.attach(PATIENCE_S)
        self.page.evaluate(devtools.RECORD)
        self.wait(lambda: self.get_plots() and self.get_plots()[-1]["reports"] > 5, "the browser sends feedback")

    def join(self, path):
        """The device `path` in both networks: ours is that of the process, by the name of a namespace."""
        names = [f"tfrc-browser-{os.getpid()}-{end}" for end in ("call", "page")]
        for name, pid in zip(names, (os.getpid(), self.network.pid)):
            namespaces.run("ip", "netns", "attach", name, str(pid))
        try:
            self.start([str(BUILD / "examples/tfrc-path"), "--header", "0", *path, "--tun", *names])
            for run in (namespaces.run, self.network.run):
                self.wait(lambda run=run: "path" in run("ip", "-o", "link"), "the device of the path")
        finally:
            for name in names:
                namespaces.run("ip", "netns", "delete", name)
        for run, address, other in ((namespaces.run, OURS, THEIRS), (self.network.run, THEIRS, OURS)):
            run("ip", "link", "set", "lo", "up")
            run("ip", "address", "add", address, "peer", other, "dev", "path")
            run("ip", "link", "set", "path", "up")

    def start(self, command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        self.children.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True, **options))

    @staticmethod
    def wait(done, what):
        until = time.monotonic() + PATIENCE_S
        while not done():
            if time.monotonic() > until:
                raise RuntimeError(f"not in {PATIENCE_S} s: {what}")
            time.sleep(0.2)

    def read(self):
        with open(self.lines.name, encoding="utf-8") as lines:
            return lines.read()

    def get(self, key):
        """The lines of the program that have this key."""
        found = []
        for line in self.read().splitlines():
            try:
                values = json.loads(line)
            except ValueError:
                continue            # not one of these, or not yet whole
            if key in values:
                found.append(values)
        return found

    def get_plots(self):
        return self.get("rtt")

    def get_heard(self):
        return [line["heard"] for line in self.get("heard")]

    def see(self, second):
        """What was heard and seen until that second of the path, from now on."""
        heard, seen = len(self.get_heard()), len(self.get("seen"))
        time.sleep(max(self.begun + second - time.monotonic(), 2))
        return self.get_heard()[heard:], [line["seen"] for line in self.get("seen")[seen:]]

    def listen(self, seconds):
        """What was plotted and heard within that time from now."""
        plots, heard = len(self.get_plots()), len(self.get_heard())
        time.sleep(seconds)
        return self.get_plots()[plots:], self.get_heard()[heard:]

    def close(self):
        for child in reversed(self.children):
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        if self.page is not None:
            self.page.close()
        if self.speaker is not None:
            self.speaker.stop()
        self.network.close()
        self.lines.close()
        self.folder.cleanup()


def mean(plots, key):
    return sum(plot[key] for plot in plots) / len(plots)


def get_growth(found, key):
    return found[-1][key] - found[0][key]


def get_longest_still(seen):
    """s for which no frame was decoded, by the browser's own measure; the page tells it twice a second, and a freeze
    when it has ended."""
    longest = still = 0
    for before, after in zip(seen, seen[1:]):
        still = still + 0.5 if after["frames"] == before["frames"] else 0
        ended = after["freezes"] - before["freezes"]
        longest = max(longest, still, (after["frozen"] - before["frozen"]) / ended if ended else 0)
    return longest


def get_loss(heard):
    first, last = heard[0], heard[-1]
    received, lost = last["packets"] - first["packets"], last["lost"] - first["lost"]
    return lost / (received + lost)


class Browser(unittest.TestCase):
    def call(self, *path):
        call = Call()
        self.addCleanup(call.close)
        call.begin(path)
        return call

    def test_the_voice_is_heard_and_fills_a_good_path(self):
        plots, heard = self.call("--delay", "30").listen(12)
        self.assertEqual(plots[-1]["feedback"], "twcc")
        self.assertGreater(plots[-1]["rate"], 24000)
        self.assertLess(plots[-1]["p"], 0.01)
        self.assertTrue(0.05 < plots[-1]["rtt"] < 0.3, plots[-1]["rtt"])
        self.assertGreater(heard[-1]["packets"] - heard[0]["packets"], 100)
        self.assertGreater(heard[-1]["energy"], heard[0]["energy"])

    def test_codec_and_frame_follow_a_thin_path(self):
        plots, heard = self.call("--delay", "30", "--capacity", "0:32", "--queue", "3000B").listen(25)
        plots, heard = plots[len(plots) // 2:], heard[len(heard) // 2:]
        self.assertLess(mean(plots, "rate"), 28000)
        self.assertGreater(mean(plots, "frame"), 20)
        self.assertLess(get_loss(heard), 0.1)

    def test_another_page_gets_no_call(self):
        call = Call()
        self.addCleanup(call.close)
        namespaces.run("ip", "link", "set", "lo", "up")
        call.serve()
        for origin, status in ((f"http://localhost:{PORT}", 101), ("http://another.example", 403)):
            connection = http.client.HTTPConnection("localhost", PORT)
            self.addCleanup(connection.close)
            connection.request("GET", "/call", headers={**UPGRADE, "Origin": origin})
            self.assertEqual(connection.getresponse().status, status, origin)

    def test_losses_are_those_of_the_path(self):
        plots, heard = self.call("--delay", "50", "--loss", "5").listen(25)
        plots, heard = plots[len(plots) // 2:], heard[len(heard) // 2:]
        p = mean(plots, "p")
        self.assertTrue(0.02 < p < 0.12, p)
        self.assertTrue(0.01 < get_loss(heard) < 0.12, get_loss(heard))
        # redundant copies, which the browser agreed to, recover what is lost
        self.assertGreaterEqual(min(plot["copies"] for plot in plots), 1)
        concealed = get_growth(heard, "concealed") / get_growth(heard, "samples")
        print(f"{100 * get_loss(heard):.1f} % lost, {100 * concealed:.1f} % concealed")
        self.assertLess(concealed, 0.5 * get_loss(heard))

    def test_voice_goes_before_pictures_on_a_path_that_becomes_thin(self):
        call = Call()
        self.addCleanup(call.close)
        call.begin(("--delay", "20", "--queue", "200ms", "--capacity", "0:500,18:200,30:500"),
                   options=("--pictures", PICTURES))
        parts = {name: call.see(until) for name, until in (
            ("wide", 18), ("becomes thin", 21), ("thin", 30), ("becomes wide", 33), ("wide again", 39))}
        pictures = {}
        for name, (heard, seen) in parts.items():
            concealed = get_growth(heard, "concealed") / get_growth(heard, "samples")
            pictures[name] = get_growth(seen, "bytes") * 8e-3 / (0.5 * (len(seen) - 1))
            print(f"{name}: {100 * get_loss(heard):.1f} % of the voice lost, {100 * concealed:.1f} % concealed, "
                  f"pictures {pictures[name]:.0f} kbit/s")
            if not name.startswith("becomes"):
                self.assertLess(get_loss(heard), 0.05, name)
                self.assertLess(concealed, 0.08, name)
        still = get_longest_still([line["seen"] for line in call.get("seen")][6:])
        print(f"the pictures stood still for {still:.1f} s at most")
        self.assertGreater(pictures["thin"], 0.3 * (200 - 70))
        self.assertLess(pictures["thin"], 180)
        self.assertGreater(pictures["wide again"], 1.2 * pictures["thin"])
        # 0.5 to 1.5 s were seen in four calls on an idle machine, which tests/bench/page.sh holds to 2 s
        self.assertLess(still, 2.5)
        # what the page misses at the step is sent again: RTX and RED have payload types of their own
        self.assertGreater(call.get("seen")[-1]["seen"]["again"], 0)


def main():
    namespaces.enter()
    if not shutil.which("chromium"):
        cases.skip("no chromium")
    if subprocess.run([sys.executable, "-c", "import gi, websockets"], check=False, capture_output=True).returncode:
        cases.skip("no python3-gi or python3-websockets")
    sound.check_parts()
    cases.main(Browser)


if __name__ == "__main__":
    main()
