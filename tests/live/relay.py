#!/usr/bin/python3
"""Four callers of examples/relay: each hears one other, and whoever is left is put through anew.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import select
import subprocess
import sys
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import cases  # noqa: E402

PORT = 27300
PATIENCE = 20                   # s
SILENCE = 40                    # s in which a caller that has disappeared is removed: after 20 s
CALLER = ("tfrcbin name=call port=%d peer=127.0.0.1:%d mode=tfrc-sp audiotestsrc is-live=true freq=%d ! "
          "tfrcencodebin ! call.send_sink_0 call.recv_src_0 ! tfrcdecodebin ! audioconvert ! "
          "audio/x-raw,format=F32LE,rate=48000,channels=1 ! audioresample ! "
          "spectrum bands=240 interval=100000000 post-messages=true message-phase=false ! fakesink sync=true")
HZ_PER_BAND = 100
TONES = (450, 850, 1250, 1650)  # the middle of a band each


def start_caller(n):
    caller = Gst.parse_launch(CALLER % (PORT + 2 + 2 * n, PORT, TONES[n]))
    caller.set_state(Gst.State.PLAYING)
    return caller


def get_loudest(message):
    """The tone that a message of the element spectrum is of, or None in silence."""
    values = message.get_structure().to_string().split("magnitude=(float){ ")[1].split(" }")[0]
    magnitudes = [float(value) for value in values.split(",")]
    loudest = max(range(len(magnitudes)), key=magnitudes.__getitem__)
    return loudest * HZ_PER_BAND + HZ_PER_BAND // 2 if magnitudes[loudest] > -40 else None


def hear(caller, tones):
    """The first of the tones that the caller hears from now on."""
    bus = caller.get_bus()
    bus.set_flushing(True)
    bus.set_flushing(False)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        message = bus.timed_pop_filtered(Gst.SECOND, Gst.MessageType.ELEMENT)
        if message and message.get_structure().get_name() == "spectrum":
            tone = get_loudest(message)
            if tone in tones:
                return tone
    raise AssertionError("nobody is heard")


class Relay(unittest.TestCase):
    def start_relay(self):
        relay = subprocess.Popen([pathlib.Path(sys.argv[1], "examples/relay/tfrc-relay"), "--port", str(PORT)],
                                 stdout=subprocess.PIPE, text=True)
        self.addCleanup(relay.stdout.close)
        self.addCleanup(relay.wait)
        self.addCleanup(relay.kill)
        self.assertEqual(relay.stdout.readline(), f"port {PORT}\n")
        return relay

    def test_who_disappears_keeps_nobody_waiting(self):
        relay = self.start_relay()
        dead = subprocess.Popen(["gst-launch-1.0", "-q", *(CALLER % (PORT + 2, PORT, TONES[0])).split()])
        self.addCleanup(dead.wait)
        self.addCleanup(dead.kill)
        self.assertEqual(relay.stdout.readline(), "1, 127.0.0.1:27302, waits\n")
        left = start_caller(1)
        self.addCleanup(left.set_state, Gst.State.NULL)
        self.assertEqual(relay.stdout.readline(), "2, 127.0.0.1:27304, talks\n")
        dead.kill()
        readable, _, _ = select.select([relay.stdout], [], [], SILENCE)
        self.assertTrue(readable, "nobody is removed")
        self.assertEqual(relay.stdout.readline(), "1 left\n")
        third = start_caller(2)
        self.addCleanup(third.set_state, Gst.State.NULL)
        self.assertEqual(relay.stdout.readline(), "3, 127.0.0.1:27306, talks\n")
        self.assertEqual(hear(third, TONES), TONES[1])

    def test_callers_are_put_through_in_pairs(self):
        relay = self.start_relay()
        callers = []
        for n, line in enumerate(("1, 127.0.0.1:27302, waits\n", "2, 127.0.0.1:27304, talks\n",
                                  "3, 127.0.0.1:27306, waits\n", "4, 127.0.0.1:27308, talks\n")):
            callers.append(start_caller(n))
            self.assertEqual(relay.stdout.readline(), line)
        for n, other in enumerate((1, 0, 3, 2)):
            self.assertEqual(hear(callers[n], TONES), TONES[other])
        for n in (0, 3):
            callers[n].set_state(Gst.State.NULL)
        self.assertEqual(sorted(relay.stdout.readline() for _ in range(2)), ["1 left\n", "4 left\n"])
        for n, other in ((1, 2), (2, 1)):
            self.assertEqual(hear(callers[n], TONES[1:3]), TONES[other])
        for n in (1, 2):
            callers[n].set_state(Gst.State.NULL)
        relay.terminate()
        self.assertEqual(relay.wait(PATIENCE), 0)


if __name__ == "__main__":
    cases.main(Relay, lambda: Gst.init(None))
