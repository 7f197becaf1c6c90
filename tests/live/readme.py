#!/usr/bin/python3
"""The calls of the README: each line runs as it is printed, and what its loudspeaker plays is judged.

  tests/live/play.py tests/live/readme.py

The lines run in a network namespace, so that their UDP ports are free, and autoaudiosink plays
into a sound server of the test's own.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

import cases
import namespaces
import sound
from sound import RATE

README = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
LINES = re.findall(r"^    (gst-launch-1\.0 .*)", README, re.M)
EARS = ("ear_a", "ear_b")
SETTLING = 3                    # s, until a call has left slow start
HEARD = 4                       # s
PATIENCE = 15                   # s
LOUD = 1000                     # of 32767; a tick has 26213, and is heard for 23 ms
PIECE = RATE // 200
TONE = 440                      # Hz, of audiotestsrc


def find_lines(*words):
    """The lines of the README that have all the words."""
    return [line for line in LINES if all(word in line for word in words)]


def get_ticks(samples):
    """When ticks begin, in s: what is loud after half a second of silence."""
    ticks, last = [], -RATE
    for i in range(0, len(samples), PIECE):
        if max(map(abs, samples[i:i + PIECE])) > LOUD:
            if i - last > RATE // 2:
                ticks.append(i / RATE)
            last = i
    return ticks


class Readme(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.addCleanup(os.chdir, pathlib.Path.cwd())
        os.chdir(holder.name)
        self.server = sound.SoundServer(pathlib.Path(holder.name), EARS)
        self.addCleanup(self.server.stop)

    def run_lines(self, *lines):
        """Runs the lines, in order, until the test ends; each has an ear."""
        for line, ear in zip(lines, EARS):
            child = subprocess.Popen(line, shell=True, env=dict(self.server.env, PULSE_SINK=ear),
                                     start_new_session=True)
            self.addCleanup(child.wait)
            self.addCleanup(os.killpg, child.pid, signal.SIGINT)
        time.sleep(SETTLING)

    def check_ticks(self, ear):
        """One tick in a second is heard, and nothing between two of them."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            ticks = get_ticks(self.server.hear(ear, HEARD))
            steps = [later - tick for tick, later in zip(ticks, ticks[1:])]
            if len(ticks) >= HEARD - 1 and all(abs(step - 1) < 0.1 for step in steps):
                return
        self.fail(f"{ear} hears ticks at {ticks}")

    def check_tone(self, ear):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            share, level = sound.get_share(self.server.hear(ear), TONE)
            if share > 0.9 and level > LOUD:
                return
        self.fail(f"{ear} hears {100 * share:.0f} % of {TONE} Hz, level {level:.0f}")

    def test_a_call_one_way(self):
        sender, = find_lines("tfrcencodebin ! tfrcsink")
        receiver, = find_lines("tfrcsrc", "tfrcdecodebin")
        self.run_lines(receiver, sender)
        self.check_ticks("ear_a")

    def test_a_call_one_way_with_the_codec_of_gstreamer(self):
        sender, = find_lines("opusenc", "tfrcsink")
        receiver, = find_lines("tfrcsrc", "opusdec")
        self.run_lines(receiver, sender)
        self.check_ticks("ear_a")

    def test_a_call_both_ways_by_one_port_at_each_end(self):
        ticks, tone = (line for line in find_lines("tfrcbin", "peer=") if "dtls" not in line)
        self.assertIn("wave=ticks", ticks)
        self.assertNotIn("wave=", tone)
        self.run_lines(ticks, tone)
        self.check_tone("ear_a")
        self.check_ticks("ear_b")

    def read_fingerprint(self, line):
        """What the line prints until it is interrupted."""
        with subprocess.Popen(["/bin/sh", "-c", "exec " + line], env=self.server.env, stdout=subprocess.PIPE,
                              text=True) as child:
            for text in child.stdout:
                if found := re.search(r"fingerprint = ([0-9A-F:]{95})$", text.strip()):
                    child.send_signal(signal.SIGINT)
                    return found.group(1)
        return self.fail(f"{line} prints no fingerprint")

    def test_an_encrypted_call_after_an_exchange_of_fingerprints(self):
        alice, bob = find_lines("-v tfrcbin", "dtls=true")
        ticks, tone = find_lines("tfrcbin", "peer=", "dtls=true")
        self.assertIn("certificate=alice.pem", ticks)
        self.assertIn("peer-fingerprint=$BOB", ticks)
        self.server.env["ALICE"] = self.read_fingerprint(alice)
        self.server.env["BOB"] = self.read_fingerprint(bob)
        self.run_lines(ticks, tone)
        self.check_tone("ear_a")
        self.check_ticks("ear_b")


def prepare():
    namespaces.enter()
    sound.check_parts()
    namespaces.run("ip", "link", "set", "lo", "up")


if __name__ == "__main__":
    cases.main(Readme, prepare)
