#!/usr/bin/python3
"""Calls with Farstream, which has its own TFRC, as the remote: real UDP, both ways.

  tests/live/play.py tests/live/farstream.py BUILD

VP8 over the path emulator, 50 ms each way, RTCP on the port after that of RTP. docs/wire-format.md
lists what Farstream does otherwise than we do.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from demo import Process, free_port  # noqa: E402

import cases  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
END = BUILD / "tests" / "live" / "farstream_end"
PATH = BUILD / "examples" / "tfrc-path"
CAPS = ("application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96,"
        "extmap-3=urn:ietf:params:rtp-hdrext:rtt-sendts")
R = 0.1                 # s, of the path
LOSS = 5                # percent
UNREAD_REPORTS = ("rtcp-malformed", "rtcp-wrong-media-ssrc", "rtcp-wrong-sender-ssrc",
                  "rtcp-foreign", "packets-malformed")
REJECTED = ("rejected-unknown-t-i", "rejected-t-delay", "rejected-rtt", "rejected-flood")
LIMITED = ("limited-p", "limited-t-delay")
UNREAD = ("unstamped", "bad-stamps", "packets-malformed", "packets-refused",
          "rtcp-foreign", "restarts", "jumps")


def equation(s, rtt, p):
    """RFC 5348 3.1, bytes/s."""
    f = math.sqrt(2 * p / 3) + 12 * math.sqrt(3 * p / 8) * p * (1 + 32 * p * p)
    return s / (rtt * f)


class Farstream(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_process(self, name, *arguments):
        process = Process(name, [str(argument) for argument in arguments], self.folder)
        self.addCleanup(process.stop)
        return process

    def run_path(self, listen, target, *options):
        return self.run_process(f"path-{listen}-{len(options)}", PATH, "--ports", 2, *options,
                                listen, f"127.0.0.1:{target}")

    def play(self, text):
        pipeline = Gst.parse_launch(text)
        self.addCleanup(pipeline.set_state, Gst.State.NULL)
        pipeline.set_state(Gst.State.PLAYING)
        return pipeline

    def wait(self, pipeline, seconds):
        """The statistics after `seconds` without an error."""
        message = pipeline.get_bus().timed_pop_filtered(int(seconds * Gst.SECOND),
                                                        Gst.MessageType.ERROR)
        self.assertIsNone(message, message and message.parse_error()[0].message)
        stats = pipeline.get_by_name("t").get_property("stats")
        return {part.nth_field_name(i): part.get_value(part.nth_field_name(i))
                for part in (stats, stats.get_value("rfc")) for i in range(part.n_fields())}

    def watch(self, pipeline, seconds):
        """The statistics at the begin, in each tenth of a second and at the end, and how long it was."""
        begin, samples = time.monotonic(), [self.wait(pipeline, 0)]
        for _ in range(round(10 * seconds)):
            samples.append(self.wait(pipeline, 0.1))
        return samples, time.monotonic() - begin

    def assert_none(self, stats, names):
        self.assertEqual({name: stats[name] for name in names}, dict.fromkeys(names, 0))

    def last_line(self, end):
        """Seconds, frames and bit/s as the remote last printed them."""
        lines = [line for line in end.output().splitlines() if line.count(",") == 2
                 and line[0].isdigit()]
        return [float(word) for word in lines[-1].split(",")]

    def call_farstream(self, *options):
        """We send; Farstream's reports come back through a path of their own."""
        there, back, path, here = (free_port() for _ in range(4))
        forth = self.run_path(path, there)
        self.run_path(back, here)
        end = self.run_process("end", END, "receive", there, back, *options)
        end.wait_for(",", 10)
        pipeline = self.play(
            "videotestsrc is-live=true pattern=snow ! video/x-raw,width=160,height=120,"
            "framerate=15/1 ! vp8enc deadline=1 cpu-used=8 target-bitrate=200000 "
            "keyframe-max-dist=15 ! tfrcencodercontrol ! rtpvp8pay pt=96 mtu=1200 ! tfrcsink "
            f"name=t host=127.0.0.1 port={path} bind-port={here} rtcp-mux=false mode=tfrc "
            "max-bitrate=1000000")
        return pipeline, end, forth, (path, there)

    def wait_for_reports(self, pipeline):
        """On a busy machine Farstream may report nothing before its first regular RTCP, which is
        due 5 s after its start at the latest; from then on it does not fall silent."""
        end, came = time.monotonic() + 10, 0
        while came < 3 and time.monotonic() < end:
            before = self.wait(pipeline, 0)["reports"]
            came = self.wait(pipeline, 0.5)["reports"] - before
        self.assertGreaterEqual(came, 3)

    def wait_for_frames(self, pipeline, end):
        """Farstream takes 7 s to associate the SSRC with its stream, and shows no frame before."""
        deadline = time.monotonic() + 20
        while self.last_line(end)[1] <= 10:
            self.assertLess(time.monotonic(), deadline)
            self.wait(pipeline, 0.5)

    def wait_for_losses(self, pipeline):
        """The statistics after eight loss events, when the first loss interval, which the receiver
        takes from the rate (RFC 5348 6.3.1), counts for little. The path may be long in starting."""
        end = time.monotonic() + 30
        while (stats := self.wait(pipeline, 0.5))["loss-reports"] < 8:
            self.assertLess(time.monotonic(), end)
        return stats

    def test_farstream_receives_and_its_reports_steer_us(self):
        pipeline, end, forth, ports = self.call_farstream("repair")
        self.wait(pipeline, 1.5)
        self.wait_for_reports(pipeline)
        self.wait_for_frames(pipeline, end)
        samples, elapsed = self.watch(pipeline, 4)
        clean = samples[-1]
        forth.stop()
        self.run_path(*ports, "--loss", LOSS)
        lossy = self.wait_for_losses(pipeline)
        end.check()

        self.assert_none(lossy, UNREAD_REPORTS)
        self.assertEqual(lossy["reports"] + sum(lossy[name] for name in (*REJECTED, "rejected-old")),
                         lossy["rtcp-reports"])
        self.assertEqual(lossy["peer-changes"], 0)
        self.assertEqual(clean["p"], 0)
        self.assertGreater(lossy["p"], 0)
        for stats in clean, lossy:
            self.assertGreater(stats["R"], R)
        self.check_steering(samples, lossy, elapsed)

    def check_steering(self, samples, lossy, elapsed):
        early, clean = samples[0], samples[-1]
        self.assert_none(lossy, REJECTED + LIMITED)
        # Farstream may report one packet twice when no other has come
        self.assertLessEqual(lossy["rejected-old"], 2)
        # once in a round-trip time, which Farstream draws out a little
        reports = (clean["reports"] - early["reports"]) * R / elapsed
        self.assertGreater(reports, 0.5)
        self.assertLess(reports, 1.2)
        for stats in clean, lossy:
            self.assertLess(stats["R"], 1.5 * R)
        # without a loss X doubles until what arrives limits it
        self.assertEqual(clean["nofeedback-expiries"], early["nofeedback-expiries"])
        self.assertGreater(clean["X"], 125000)
        # each X_recv is of the time since the report before, in which one or two of 15 frames a second have come, or a
        # part of one: 0.1 to 1.8 times what is sent, which is their mean
        received = statistics.mean(sample["X-recv"] for sample in samples)
        sent = (clean["bytes"] - early["bytes"]) / elapsed
        self.assertTrue(0.7 * sent < received < 1.3 * sent, (received, sent))
        # losses within a round-trip time are one event
        self.assertGreater(lossy["p"], 0.2 * LOSS / 100)
        self.assertLess(lossy["p"], 1.2 * LOSS / 100)
        self.assertLess(lossy["X"], clean["X"] / 2)
        fair = equation(lossy["s"], lossy["R"], lossy["p"])
        self.assertGreater(lossy["X"], 0.9 * min(fair, lossy["recv-limit"]))
        self.assertLess(lossy["X"], 1.1 * fair)

    def test_farstream_as_it_is_reports_once_and_we_send_next_to_nothing(self):
        pipeline, end, _, _ = self.call_farstream()
        self.wait(pipeline, 1)
        (*_, stats), _ = samples = self.watch(pipeline, 3)
        end.check()
        self.assert_none(stats, UNREAD_REPORTS)
        self.assertGreaterEqual(stats["rtcp-reports"], 1)
        self.assertEqual(stats["X-recv"], 0)
        self.assertGreater(stats["R"], R)
        self.assert_none(stats, REJECTED + LIMITED)
        self.assertLess(stats["reports"], 4)
        self.assertLess(stats["R"], 1.5 * R)
        self.assertGreater(stats["nofeedback-expiries"], 2)
        # X begins with the initial window of RFC 5348 4.2, for packets of this size 4380 bytes, and is halved until a
        # receiver report comes, the first answer after a silence, which begins X anew
        self.assertLess(min(sample["X"] for sample in samples[0]), 4380 / stats["R"] / 4)

    def test_farstream_sends_and_our_reports_steer_it(self):
        here, path, there = (free_port() for _ in range(3))
        self.run_path(path, here, "--capacity", "0:100000,8:200", "--queue", "200ms")
        pipeline = self.play(f"tfrcsrc name=t port={here} rtcp-mux=false mode=tfrc caps={CAPS} "
                             "! fakesink sync=false")
        end = self.run_process("end", END, "send", there, path, "repair")
        end.wait_for(",", 10)
        self.wait(pipeline, 4)
        samples, elapsed = self.watch(pipeline, 3)
        clean, before = samples[-1], self.last_line(end)[2]
        self.wait(pipeline, 3)
        lossy = self.wait(pipeline, 2)
        after = self.last_line(end)[2]
        end.check()

        self.assert_none(lossy, UNREAD)
        self.assertFalse(lossy["rtcp-reduced-size"])    # Farstream says nothing of it
        self.assertGreater(clean["R"], R)               # as Farstream found it from ours
        self.assertGreater(lossy["rtcp-reports-sent"], clean["rtcp-reports-sent"])
        self.assertGreater(lossy["p"], 0)
        self.assertEqual(lossy["too-late"], 0)
        self.check_reports(samples, elapsed)
        self.check_obedience(clean, lossy, before, after)

    def check_reports(self, samples, elapsed):
        """One is due in each round-trip time in the stamps of Farstream, or as often as our share of
        what arrives lets them, and waits for a packet; and then there are the regular ones."""
        early, clean = samples[0], samples[-1]
        reports, packets = (clean[name] - early[name] for name in ("rtcp-reports-sent", "packets"))
        slowest = max(max(stats["R"], stats["report-interval"] / 1e9) for stats in samples)
        fastest = min(stats["R"] for stats in samples)
        self.assertGreater(reports, 0.5 * elapsed / (slowest + elapsed / packets))
        self.assertLess(reports, 2 * elapsed / fastest)

    def check_obedience(self, clean, lossy, before, after):
        self.assertEqual(clean["p"], 0)
        self.assertEqual(clean["lost"], 0)
        self.assertLess(clean["R"], 1.5 * R)
        self.assertLess(lossy["R"], 4 * R)              # with the queue
        lost = lossy["lost"] / (lossy["lost"] + lossy["packets"] - clean["packets"])
        self.assertGreater(lost, 0.05)
        self.assertGreater(lossy["p"], 0.005)           # the queue drops many in one event
        self.assertLess(lossy["p"], 1.2 * lost)
        self.assertGreater(before, 300000)
        self.assertLess(after, before / 2)
        self.assertGreater(after, 20000)


def check_parts():
    for name in ("fsrtpconference", "vp8enc", "vp8dec"):
        if not Gst.ElementFactory.find(name):
            cases.skip(f"no {name}: see tests/packages.sh")
    subprocess.run([PATH, "--help"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    Gst.init(None)
    cases.main(Farstream, check_parts)
