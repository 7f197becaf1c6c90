#!/usr/bin/python3
"""A call through everything that goes wrong on a network: three processes, real UDP.

  tests/live/play.py tests/live/recovery.py BUILD

Each test runs a call with recorded speech over the path emulator, breaks something, and
judges the sender's own trace: that it gave way while the path was broken, and that it
came back without anybody's help.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from demo import Process, Tail, free_port, mean, statistics  # noqa: E402

import cases  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()


class Call:
    """Receiver, path and sender; the sender's trace as it grows."""

    def __init__(self, test, *path_options, encoder=None):
        holder = tempfile.TemporaryDirectory()
        test.addCleanup(holder.cleanup)
        test.addCleanup(self.stop)
        self.folder = pathlib.Path(holder.name)
        self.programs = BUILD / "examples"
        self.ports = free_port(), free_port()
        self.receivers = 0
        self.trace, self.rows = Tail(self.folder / "sender.csv"), []
        self.processes = []
        self.receiver = self.start_receiver()
        self.path = self.add(Process("path", [
            str(self.programs / "tfrc-path"), "--csv", str(self.folder / "path.csv"),
            *path_options, str(self.ports[0]), f"127.0.0.1:{self.ports[1]}"], self.folder))
        time.sleep(0.3)
        self.sender = self.start_sender(encoder)
        # as the path counts: from the first packet on
        self.wait_until(lambda: any(row["packets"] for row in self.rows), 20)
        self.started = time.monotonic()

    def add(self, process):
        self.processes.append(process)
        return process

    def start_receiver(self):
        self.receivers += 1
        name = f"receiver{self.receivers}"
        process = self.add(Process(name, [
            str(self.programs / "tfrc-receive"), "--port", str(self.ports[1]),
            str(self.folder / f"{name}.wav")], self.folder))
        process.wait_for("listening", 10)
        return process

    def start_sender(self, encoder=None):
        more = ["--encoder", encoder] if encoder else []
        return self.add(Process("sender", [
            str(self.programs / "tfrc-send"), "--port", str(self.ports[0]), "--trace",
            str(self.folder / "sender.csv"), *more, str(BUILD / "speech.wav")], self.folder))

    def at(self, seconds):
        """Waits until the call is so old; the trace up to then."""
        while time.monotonic() - self.started < seconds:
            self.watch()
            time.sleep(0.1)
        return self.rows

    def watch(self):
        self.sender.check()
        self.path.check()
        self.rows += self.trace.read()

    def last(self, seconds, name="allowed_bps"):
        """A column's mean over the last seconds of the trace."""
        self.rows += self.trace.read()
        return mean(self.rows[-round(seconds * 10):], name)

    def wait_until(self, holds, seconds):
        """How long it took until `holds`; None when it did not within `seconds`."""
        begin = time.monotonic()
        while time.monotonic() - begin < seconds:
            self.watch()
            if holds():
                return time.monotonic() - begin
            time.sleep(0.1)
        return None

    def stop(self):
        for process in reversed(self.processes):
            process.stop()


class Recovery(unittest.TestCase):
    def assert_returns(self, call, before, seconds):
        took = call.wait_until(lambda: call.last(1) >= 0.7 * before
                               and call.last(1, "packets") >= 0.7, seconds)
        self.assertIsNotNone(took, f"allowed {call.last(1):.0f} of {before:.0f} bit/s before, "
                                   f"after {seconds} s; the sender said: {call.sender.output()}")

    def steady(self, call):
        """The call has found its rate: 24 kbit/s of voice and more."""
        call.at(6)
        before = call.last(2)
        self.assertGreater(before, 24000)
        self.assertGreater(call.last(2, "packets"), 1)
        return min(before, 64000)

    def assert_gave_way(self, call, before):
        """Without reports the nofeedback timer halves the rate again and again."""
        self.assertLess(call.last(1), before / 4)

    def test_a_receiver_that_was_killed_is_found_again(self):
        call = Call(self)
        before = self.steady(call)
        call.receiver.child.send_signal(signal.SIGKILL)
        call.receiver.child.wait()
        call.at(11)
        self.assert_gave_way(call, before)
        again = call.start_receiver()
        self.assert_returns(call, before, 60)
        call.at(time.monotonic() - call.started + 1)
        again.stop()
        self.assertGreater(os.path.getsize(call.folder / "receiver2.wav"), 16000)

    def test_rtcp_that_is_blocked_for_30_s_only_pauses_the_call(self):
        call = Call(self, "--outage-back", "6:30")
        before = self.steady(call)
        call.at(35)
        self.assert_gave_way(call, before)
        self.assert_returns(call, before, 60)

    def test_a_path_that_is_dead_for_10_s_only_pauses_the_call(self):
        call = Call(self, "--outage", "6:10", "--outage-back", "6:10")
        before = self.steady(call)
        call.at(15)
        self.assert_gave_way(call, before)
        self.assert_returns(call, before, 60)

    def test_a_sender_that_was_held_goes_on(self):
        call = Call(self)
        before = self.steady(call)
        call.sender.child.send_signal(signal.SIGUSR1)
        call.at(14)
        self.assertEqual(call.last(4, "packets"), 0)
        call.sender.child.send_signal(signal.SIGUSR1)
        self.assert_returns(call, before, 10)

    def test_a_sender_that_starts_anew_is_served_by_the_same_receiver(self):
        call = Call(self)
        before = self.steady(call)
        call.sender.stop()
        call.rows.clear()
        call.trace.at = 0
        call.trace.names = None
        call.sender = call.start_sender()
        self.assert_returns(call, before, 15)

    def test_the_allowance_of_a_call_that_nothing_limits_does_not_run_away(self):
        """RFC 5348 4.3: an application-limited sender may use twice what was received at
        most; that was more than the call's rate while the start's backlog went out."""
        call = Call(self, encoder="opusenc name=encoder bitrate=64000 bitrate-type=cbr "
                                  "! rtpopuspay")
        used = (64000 / 8 / 50 + 24) * 50       # bytes/s of 160 B, RTP header and extension
        call.at(60)
        rates = [row["X_Bps"] for row in call.rows]
        call.sender.stop()
        stats = statistics(call.sender.output())
        # a stall is a burst at the receiver, of which X_recv is as much the maximum afterwards
        self.assertLess(max(rates), 4 * used)
        self.assertLess(max(rates[150:]), 1.05 * rates[150])
        self.assertGreater(min(rates[50:]), used)
        self.assertEqual(stats["nofeedback-expiries"], 0)
        self.assertGreater(stats["data-limited-reports"], 0.8 * stats["reports"])


def prepare_speech():
    """The recording of the demo."""
    if not (BUILD / "speech.wav").exists():
        partial = BUILD / f"speech.{os.getpid()}.wav"
        made = subprocess.run(["sh", "-c", ". tests/packages.sh; "
                               f"tfrc_make_speech demo-instruct '{partial}'"], cwd=ROOT, check=False)
        if made.returncode or not partial.stat().st_size > 100000:
            cases.skip("no recorded speech: see tests/packages.sh")
        partial.rename(BUILD / "speech.wav")


if __name__ == "__main__":
    cases.main(Recovery, prepare_speech)
