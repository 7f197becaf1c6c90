#!/usr/bin/python3
"""examples/rtsp.py: clients hear gst-rtsp-server, and their reports set its rate.

  tests/live/play.py tests/live/rtsp.py

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import gi

import cases
from recipes import Recording

PROGRAM = [sys.executable, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "rtsp.py")]
PORT = 18554
URL = f"rtsp://127.0.0.1:{PORT}/voice"


class Rtsp(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.server = self.start("server", [*PROGRAM, "server", str(PORT)])
        self.wait_for_server()

    def start(self, name, command):
        with open(self.folder / name, "w", encoding="utf-8") as output:
            process = subprocess.Popen(command, stdout=output)
        self.addCleanup(lambda: process.poll() is None and (process.kill(), process.wait()))
        return process

    def wait_for_server(self):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                    return
            time.sleep(0.1)
        self.fail("the server takes no connection")

    def wait_for_feedback(self, kind):
        """A plain client sends a receiver report in 2.5 to 7.5 s, and three of them without TFRC decide."""
        for _ in range(80):
            stats = self.get_stats("server")
            if stats and stats[-1]["feedback"] == kind:
                return
            time.sleep(0.5)
        self.fail(f"the feedback has not become {kind}")

    def listen(self, command, kind, seconds):
        """Returns the sound that the client heard up to `seconds` after the feedback was of this kind."""
        client = self.start("client", command)
        self.wait_for_feedback(kind)
        time.sleep(seconds)
        self.assertIsNone(client.poll(), "the client has ended by itself")
        self.assertIsNone(self.server.poll(), "the server has ended by itself")
        client.send_signal(signal.SIGINT)
        self.assertEqual(client.wait(10), 0)
        return Recording(self.folder / "heard.wav")

    def get_stats(self, name):
        """Of each whole line."""
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").split("\n")[:-1]]

    def test_a_client_with_the_filter_gets_tfrc(self):
        sink = f"wavenc ! filesink location={self.folder}/heard.wav"
        heard = self.listen([*PROGRAM, "client", URL, sink], "tfrc", 6)
        self.assertGreater(heard.seconds, 4)
        self.assertGreater(heard.get_level(440), 0.3)
        sender, receiver = self.get_stats("server")[-1], self.get_stats("client")[-1]
        self.assertEqual((sender["feedback"], sender["connection"]), ("tfrc", "connected"))
        self.assertGreater(sender["reports"], 5)
        self.assertGreater(sender["expected-quality"], 2)
        self.assertGreater(receiver["packets"], 50)

    def test_a_plain_client_gets_the_rate_of_its_receiver_reports(self):
        line = (f"gst-launch-1.0 -q -e rtspsrc location={URL} latency=200 ! tfrcdecodebin ! audioconvert "
                f"! wavenc ! filesink location={self.folder}/heard.wav")
        heard = self.listen(shlex.split(line), "rr", 3)
        self.assertGreater(heard.seconds, 4)
        self.assertGreater(heard.get_level(440), 0.3)
        sender = self.get_stats("server")[-1]
        self.assertEqual((sender["feedback"], sender["connection"]), ("rr", "connected"))


def prepare():
    try:
        gi.require_version("GstRtspServer", "1.0")
    except ValueError as error:
        cases.skip(str(error))


if __name__ == "__main__":
    cases.main(Rtsp, prepare)
