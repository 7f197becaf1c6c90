#!/usr/bin/python3
"""Ctrl-C ends each program of examples and tools while it works: soon, with status 0, without a word of a defect. And
without the plugin each says what to do.

  tests/live/play.py tests/live/interrupt.py BUILD

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import importlib.util
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import cases
import namespaces
import phones

BUILD = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path("build").resolve()
TOP = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = BUILD / "examples"
PYTHON = "/usr/bin/python3"
TIMES = 5               # each; what streaming threads do at the end differs from time to time
START, LONGEST = 60, 20        # s until a program has begun, and until it has ended
PLAYING = 3             # threads at least, where a pipeline plays
# Python says the first, GLib the second and third, the C library and shells the others.
DEFECTS = ("Traceback", "CRITICAL", "WARNING **", "Unexpected error", "Aborted", "core dumped")
RTSP_PORT = 18600


class Interrupt(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.environment = {**os.environ, "TERM": "vt100",
                            # no display and no sound server are needed
                            "GST_PLUGIN_FEATURE_RANK": "fakevideosink:MAX,fakeaudiosink:MAX"}
        self.said = self.folder / "said.wav"
        phones.say_tone(self.said, 500)

    def start(self, *words):
        """A program at a terminal, as the first of a session of its own: Ctrl-C is for it and for what it starts."""
        terminal, inner = pty.openpty()
        child = subprocess.Popen([str(word) for word in words], env=self.environment, stdin=inner, stdout=inner,
                                 stderr=inner, cwd=self.folder, start_new_session=True)
        os.close(inner)
        os.set_blocking(terminal, False)
        child.terminal, child.said = terminal, ""

        def stop():
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            os.close(terminal)
        self.addCleanup(stop)
        return child

    def read(self, child):
        try:
            child.said += os.read(child.terminal, 65536).decode(errors="replace")
        except OSError:                 # nothing now, or nobody there any more
            pass
        return child.said

    def is_ready(self, child, threads):
        """It catches SIGINT, and a pipeline plays where one has to. Python catches it from its first moment on."""
        status = pathlib.Path(f"/proc/{child.pid}/status").read_text("utf-8")
        caught = int(re.search(r"SigCgt:\t(\w+)", status)[1], 16)
        return caught >> (signal.SIGINT - 1) & 1 and int(re.search(r"Threads:\t(\d+)", status)[1]) >= threads

    def work(self, *children, seconds=1, threads=1):
        """Waits until programs are ready, and lets them work together for a time."""
        end = time.monotonic() + START
        for child in children:
            while not self.is_ready(child, threads):
                self.assertLess(time.monotonic(), end, "it does not begin: " + self.read(child))
                time.sleep(0.02)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for child in children:
                self.read(child)
                self.assertIsNone(child.poll(), child.said)
            time.sleep(0.05)

    def interrupt(self, child):
        os.killpg(child.pid, signal.SIGINT)
        end = time.monotonic() + LONGEST
        while child.poll() is None:
            self.assertLess(time.monotonic(), end, "it goes on: " + self.read(child))
            time.sleep(0.02)
        self.assertEqual(child.returncode, 0, self.read(child))
        for defect in DEFECTS:
            self.assertNotIn(defect, self.read(child))

    def check(self, *words, seconds=1, threads=1, times=TIMES):
        for _ in range(times):
            child = self.start(*words)
            self.work(child, seconds=seconds, threads=threads)
            self.interrupt(child)

    def check_example(self, name, *words):
        self.check(PYTHON, TOP / "examples" / name, *words, threads=PLAYING)

    def test_the_two_ends_of_a_call(self):
        for _ in range(TIMES):
            ends = [self.start(EXAMPLES / "tfrc-receive", self.folder / "heard.wav"),
                    self.start(EXAMPLES / "tfrc-send", self.said)]
            self.work(*ends)
            for end in ends:
                self.interrupt(end)

    def test_the_path(self):
        self.check(EXAMPLES / "tfrc-path", "6300", "127.0.0.1:6302")

    def test_the_relay_and_the_bridge_with_a_caller(self):
        for program in "relay/tfrc-relay", "bridge/tfrc-bridge":
            for _ in range(TIMES):
                server = self.start(EXAMPLES / program)
                caller = self.start(EXAMPLES / "softphone/softphone", "--call", "127.0.0.1:5004", "--port", "5010",
                                    "--speak", self.said, "--record", self.folder / "heard.wav")
                self.work(server, caller)
                for end in server, caller:
                    self.interrupt(end)

    def test_the_adaptive_encoder(self):
        self.check(EXAMPLES / "adaptive-encoder/adaptive-encoder", "127.0.0.1", "5004")

    def test_the_softphones(self):
        phone = (EXAMPLES / "softphone/softphone", "--speak", self.said, "--record")
        for _ in range(TIMES):
            ends = [self.start(*phone, self.folder / "ben.wav", "--listen", "--auto-answer"),
                       self.start(*phone, self.folder / "anna.wav", "--call", "127.0.0.1:5004", "--port", "5006")]
            self.work(*ends)
            for end in ends:
                self.interrupt(end)

    def test_the_library_alone(self):
        self.check(EXAMPLES / "libtfrc/libtfrc-receiver", "5004")
        self.check(EXAMPLES / "libtfrc/libtfrc-sender", "127.0.0.1", "5004")

    def test_rtpbin(self):
        self.check_example("rtpbin.py", "6100")

    def test_webrtcbin(self):
        self.check_example("webrtc.py")

    def test_webrtcbin_with_streams(self):
        self.check_example("webrtcstreams.py", "bundle")

    def test_lipsync(self):
        self.check_example("lipsync.py", "6200")

    def test_rtsp(self):
        for _ in range(TIMES):
            ends = []
            for words in ("server", RTSP_PORT), ("client", f"rtsp://127.0.0.1:{RTSP_PORT}/voice"):
                ends.append(self.start(PYTHON, TOP / "examples/rtsp.py", *words))
                self.work(ends[-1], seconds=1.5, threads=PLAYING if words[0] == "client" else 1)
            for end in reversed(ends):
                self.interrupt(end)

    def test_the_browser_s_page(self):
        self.check(PYTHON, TOP / "examples/browser/browser.py", seconds=2)

    def test_the_demo(self):
        if not importlib.util.find_spec("matplotlib"):
            self.skipTest("no matplotlib (Debian: python3-matplotlib)")
        self.check(PYTHON, TOP / "examples/demo.py", "--build", BUILD, "--speech", self.said, "--out",
                   self.folder / "out", seconds=4, times=2)

    def test_without_the_plugin_each_says_where_it_is_looked_for(self):
        others = self.folder / "plugins"        # all that are installed but this one
        others.mkdir()
        said = subprocess.run(["gst-inspect-1.0", "audioconvert"], capture_output=True, text=True, check=True).stdout
        for plugin in pathlib.Path(re.search(r"Filename +(.*)", said)[1]).parent.glob("*.so"):
            if "tfrc" not in plugin.name:
                (others / plugin.name).symlink_to(plugin)
        self.environment.update(GST_PLUGIN_PATH_1_0="", GST_PLUGIN_SYSTEM_PATH_1_0=str(others),
                                GST_REGISTRY_1_0=str(self.folder / "registry.bin"))
        for words in (
                (EXAMPLES / "tfrc-send", self.said), (EXAMPLES / "tfrc-receive", self.folder / "heard.wav"),
                (EXAMPLES / "relay/tfrc-relay",), (EXAMPLES / "bridge/tfrc-bridge",),
                (EXAMPLES / "adaptive-encoder/adaptive-encoder", "127.0.0.1", "5004"),
                (EXAMPLES / "softphone/softphone", "--listen", "--auto-answer", "--speak", self.said,
                 "--record", self.folder / "heard.wav"),
                *((PYTHON, TOP / "examples" / name) for name in
                  ("rtpbin.py", "webrtc.py", "webrtcstreams.py", "lipsync.py", "browser/browser.py")),
                (PYTHON, TOP / "examples/rtsp.py", "server")):
            with self.subTest(words[-1]):
                done = subprocess.run(words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, timeout=START, check=False)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn("Set GST_PLUGIN_PATH to the folder of libgsttfrc.so", done.stdout + done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_the_library_of_sip_deletes_no_key_of_others(self):
        words = EXAMPLES / "softphone/softphone", "--speak", self.said, "--record", self.folder / "heard.wav"
        if "--sip=" not in subprocess.run([words[0], "--help"], capture_output=True, text=True, check=True).stdout:
            self.skipTest("the softphone was built without sofia-sip (libsofia-sip-ua-glib-dev)")
        for more in ("--call", "127.0.0.1:5999"), ("--sip", "sip:ben@127.0.0.1", "--listen"):
            done = subprocess.run([*words, *more, "--duration", "1"], stdin=subprocess.DEVNULL, capture_output=True,
                                  env={**self.environment, "LD_PRELOAD": str(BUILD / "tests/live/libkeyowner.so")},
                                  text=True, timeout=START, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("cannot be preloaded", done.stderr)
            self.assertNotIn("WRONG KEY", done.stderr)

    def test_the_top(self):
        self.check(PYTHON, TOP / "tools/tfrc_top.py", "9464", seconds=2)


def prepare():
    namespaces.enter()
    namespaces.run("ip", "link", "set", "lo", "up")


if __name__ == "__main__":
    cases.main(Interrupt, prepare)
