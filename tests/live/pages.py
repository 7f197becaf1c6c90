#!/usr/bin/python3
"""The commands of the pages that docs/ begins with, as they are printed, on two machines that are two networks.

  tests/live/play.py tests/live/pages.py BUILD

The machines are 192.0.2.1 and 192.0.2.2, with one sound server. Every block of commands of a page is run; a page with
a block that no test has taken fails. The plugin is the one that the page's `meson install` installs, below a folder
of the test's own. Calls are judged by the metrics that each process serves.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import atexit
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import cases
import namespaces
import sound

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TOP / "build"
FIRST, SECOND = "192.0.2.1", "192.0.2.2"


def lay_cable(second):
    namespaces.run("ip", "link", "set", "lo", "up")
    second.run("ip", "link", "set", "lo", "up")
    namespaces.run("ip", "link", "add", "first", "type", "veth", "peer", "name", "second")
    namespaces.run("ip", "link", "set", "second", "netns", second.pid)
    for name, address, run in (("first", FIRST, namespaces.run), ("second", SECOND, second.run)):
        run("ip", "address", "add", f"{address}/24", "dev", name)
        run("ip", "link", "set", name, "up")


def install():
    """What `meson install` installs, in a folder."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild"], env={**os.environ, "DESTDIR": folder.name},
                   check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path(folder.name)


def find(folder, name):
    return next(path for path in folder.rglob(name) if path.is_file())


class Pages(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.server = sound.SoundServer(self.folder, ("sink",))
        self.addCleanup(self.server.stop)
        self.environment = dict(self.server.env, PATH=f"{find(INSTALLED, 'tfrc-top').parent}:{os.environ['PATH']}",
                                GST_PLUGIN_PATH=str(find(INSTALLED, "libgsttfrc.so").parent),
                                GST_REGISTRY_1_0=str(self.folder / "registry.bin"))
        self.environment.pop("GST_PLUGIN_PATH_1_0", None)       # it would win over what the pages set
        self.tree = self.folder / "tree"        # the source tree, with the suite's build in it
        self.tree.mkdir()
        for path in TOP.iterdir():
            if path.name not in ("build", ".git"):
                (self.tree / path.name).symlink_to(path)
        (self.tree / "build").symlink_to(BUILD)

    def open_page(self, name):
        text = (TOP / "docs" / name).read_text("utf-8")
        self.blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
        self.assertTrue(self.blocks)

    def take(self, *words):
        """The next block, which has these words."""
        block = self.blocks.pop(0)
        for word in words:
            self.assertIn(word, block)
        return block.rstrip("\n")

    def run_here(self, command, second=False, **environment):
        """What a command prints; it must succeed."""
        words = ["sh", "-e", "-c", command]
        done = subprocess.run(SECOND_MACHINE.enter(*words) if second else words, capture_output=True, text=True,
                              env={**self.environment, **environment}, cwd=self.tree, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    def start(self, command, second=False, metrics="port=9464"):
        """A command that goes on until the test ends, with metrics unless it has some of its own."""
        environment = dict(self.environment)
        if metrics:
            environment["GST_TRACERS"] = f"tfrcmetrics({metrics})"
        words = ["sh", "-c", command]
        log = self.folder / f"{len(list(self.folder.glob('*.log')))}.log"
        with open(log, "w", encoding="utf-8") as output:
            child = subprocess.Popen(SECOND_MACHINE.enter(*words) if second else words, env=environment, cwd=self.tree,
                                     stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True)

        def stop():
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGINT)
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            child.stdin.close()

        self.addCleanup(stop)
        child.stop, child.log = stop, log
        return child

    def scrape(self, second=False):
        url = "http://127.0.0.1:9464/metrics"
        if second:
            return subprocess.run(SECOND_MACHINE.enter("curl", "-s", url), capture_output=True, text=True,
                                  check=False).stdout
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    def wait_for_call(self, *children):
        """Both ends are connected, and a hundred packets have come to each."""
        end = time.monotonic() + 40
        while time.monotonic() < end:
            texts = [self.scrape(second) for second in (False, True)]
            if all(re.search(r'tfrc_connection_state{[^}]*state="connected"} 1\n', text)
                   and float(re.search(r"tfrc_receiver_packets_total{[^}]*} ([\d.e+]+)", text)[1]) > 100
                   for text in texts):
                return
            time.sleep(0.3)
        self.fail("no call: " + "".join(child.log.read_text("utf-8")[-1500:] for child in children))

    def check_terminal(self, command, pattern):
        """What a command shows in a terminal before `q`."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.tree)
            os.execve("/bin/sh", ["sh", "-c", "stty rows 24 cols 150; exec " + command],
                      {**self.environment, "TERM": "vt100"})
        seen, end = "", time.monotonic() + 20
        while not re.search(pattern, seen) and time.monotonic() < end:
            seen += os.read(terminal, 65536).decode("utf-8", "replace")
        os.write(terminal, b"q")
        status = os.waitpid(pid, 0)[1]
        os.close(terminal)
        self.assertRegex(seen, pattern)
        self.assertEqual(status, 0)

    def check_packages(self, apt):
        """Debian has all packages of an `apt install`."""
        if shutil.which("apt-get"):
            packages = apt.split()[2:]
            known = subprocess.run(["apt-cache", "show", "--no-all-versions", *packages], capture_output=True,
                                   text=True, check=False)
            self.assertEqual({line.split()[1] for line in known.stdout.splitlines() if line.startswith("Package:")},
                             set(packages), known.stderr)

    def test_start(self):
        self.open_page("start.md")
        apt, setup, inst, inspect = self.take("apt install").split("\n")
        self.check_packages(apt)
        # What is installed is that of the suite's build; the build of the page is set up, no more.
        self.run_here(f"rm build && {setup} && rm -r build && ln -s {BUILD} build && {inst} --no-rebuild",
                      DESTDIR=str(self.folder / "root"))
        self.assertTrue(find(self.folder / "root", "tfrc-top"))
        self.assertIn("TFRC", self.run_here(inspect))

        first, second = self.take("peer=192.0.2.2:5004", "ticks"), self.take("peer=192.0.2.1:5004", "ticks")
        seen, top = self.take("GST_TRACERS", "autoaudiosrc"), self.take("tfrc-top")
        caller = self.start(first)
        called = self.start(second, second=True)
        self.wait_for_call(caller, called)
        self.assertGreater(max(map(abs, self.server.hear("sink", 2))), 1000)
        caller.stop()
        caller = self.start(seen, metrics=None)
        self.wait_for_call(caller, called)
        self.check_terminal(top, r"call/0 192.0.2.2:5004.*connected.*OPUS")
        self.assertEqual(self.blocks, [])

    def test_softphones(self):
        self.open_page("softphones.md")
        if not (BUILD / "examples/softphone/softphone").exists():
            self.skipTest("built without examples")
        listening = self.start(self.take("--listen"), second=False)
        calling = self.take("--call 192.0.2.1:5004")
        time.sleep(2)
        self.wait_for_call(listening, self.start(calling, second=True))
        self.assertEqual(self.blocks, [])

    def test_webrtc(self):
        self.open_page("webrtc.md")
        self.check_packages(self.take("apt install"))
        for words in ("webrtc.py", "webrtcstreams.py bundle"):
            self.run_here(self.take(words))
        self.assertEqual(self.blocks, [])

    def test_operators(self):
        self.open_page("operators.md")
        caller = self.start(self.take("GST_TRACERS"), metrics=None)
        called = self.start("gst-launch-1.0 tfrcbin name=call port=5006 peer=127.0.0.1:5004 "
                            "audiotestsrc is-live=true ! tfrcencodebin ! call.send_sink_0 call.recv_src_0 ! "
                            "tfrcdecodebin ! fakesink", metrics="port=9465")
        end = time.monotonic() + 30
        while 'state="connected"} 1' not in self.scrape():
            self.assertLess(time.monotonic(), end, caller.log.read_text("utf-8") + called.log.read_text("utf-8"))
            time.sleep(0.3)
        check, top, more = self.take("promtool"), self.take("tfrc-top"), self.take("--record").split("\n")
        if shutil.which("promtool"):
            self.run_here(check)
        self.check_terminal(top, r"call/0 127.0.0.1:5006.*connected")
        once, record, plot = more
        self.assertRegex(self.run_here(once), r"call/0 127.0.0.1:5006 +connected")
        self.run_here(record)
        self.assertIn("127.0.0.1:5006", (self.tree / "calls.csv").read_text("utf-8"))
        self.run_here(plot)
        self.assertTrue((self.tree / "call.png").exists())
        self.assertEqual(self.blocks, [])

    def test_researchers(self):
        self.open_page("researchers.md")
        lab = self.take("lab")
        if not (BUILD / "tests/lab").exists():
            self.skipTest("built without tests")
        self.assertIn("0 rows and statements miss", self.run_here(lab))
        self.assertIn("ok 1 - table", self.run_here(self.take("paths.sh")))
        self.assertEqual(self.blocks, [])


def prepare():
    global SECOND_MACHINE, INSTALLED
    namespaces.enter("curl")
    sound.check_parts()
    SECOND_MACHINE = namespaces.Namespace()
    atexit.register(SECOND_MACHINE.close)
    try:
        lay_cable(SECOND_MACHINE)
    except subprocess.CalledProcessError as error:
        cases.skip(f"no cable can be laid here: {error.stderr}")
    INSTALLED = install()


if __name__ == "__main__":
    cases.main(Pages, prepare)
