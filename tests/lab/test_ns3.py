#!/usr/bin/python3
"""Tests of flows among ns-3's queues: usage test_ns3.py LAB-NS3.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import subprocess
import sys
import unittest

NS3 = sys.argv.pop()
# six flows that share 3 Mbit/s, so that RED keeps its mean queue between the thresholds
RED = ("queue=red", "rate=3Mbps", "delay=20", "mean_packet=1028", "minth=15", "maxth=45", "limit=400",
       "duration=100", "from=30")
FLOW = "flow=tfrc:n=6,size=1000,mode=tfrc,ecn="


def measure(*words):
    lines = subprocess.run([NS3, *RED, *words], capture_output=True, text=True, check=True).stdout
    return {metric: float(value) for name, metric, value in map(str.split, lines.splitlines()) if name == "tfrc"}


class Ecn(unittest.TestCase):
    def test_red_that_marks_loses_nothing_and_gives_the_rate_of_red_that_drops(self):
        drops, marks = measure(FLOW + "1"), measure("mark=1", FLOW + "1")
        self.assertEqual(marks["drop_rate"], 0)
        self.assertGreater(drops["drop_rate"], 0.01)
        self.assertAlmostEqual(marks["through_kbps"] / drops["through_kbps"], 1, delta=0.02)
        self.assertAlmostEqual(marks["p"] / drops["p"], 1, delta=0.25)
        self.assertAlmostEqual(marks["R_ms"] / drops["R_ms"], 1, delta=0.1)

    def test_red_drops_what_is_not_capable(self):
        self.assertGreater(measure("mark=1", FLOW + "0")["drop_rate"], 0.01)


class Codel(unittest.TestCase):
    def test_what_is_dropped_on_its_way_out_is_counted(self):
        words = ("rate=2Mbps", "delay=20", "limit=1000", "mean_packet=1028", "duration=60", "from=20",
                 "flow=cbr:name=tfrc,n=3,size=1000,pps=125")
        for queue in ("codel", "fq-codel", "pie"):
            lines = subprocess.run([NS3, f"queue={queue}", *words], capture_output=True, text=True,
                                   check=True).stdout
            found = {metric: float(value) for name, metric, value in map(str.split, lines.splitlines())
                     if name == "tfrc"}
            # 3 Mbit/s are offered to a link of 2.
            self.assertAlmostEqual(found["drop_rate"], 1 / 3, delta=0.03, msg=queue)
            self.assertAlmostEqual(3 * found["through_kbps"] / 2000, 1, delta=0.03, msg=queue)


def run(*words):
    """{flow: {metric: value}}"""
    lines = subprocess.run([NS3, "mean_packet=1000", "delay=50", *words], capture_output=True, text=True,
                           check=True).stdout
    found = {}
    for flow, metric, value in map(str.split, lines.splitlines()):
        found.setdefault(flow, {})[metric] = float(value)
    return found


class PacketRate(unittest.TestCase):
    """TCP acknowledges each packet, so half of a limit for both directions is left to its data."""
    WORDS = ("queue=packet-rate", "pps=500", "limit=50", "rate=100Mbps", "duration=60", "from=20",
             "flow=tcp:size=960,window=400")

    def test_the_limit_counts_both_directions_together_when_it_is_asked_to(self):
        for both, rate in ((0, 500), (1, 250)):
            self.assertAlmostEqual(run(*self.WORDS, f"both={both}")["tcp"]["packets_per_s"], rate, delta=0.03 * rate)


VIDEO, VOICE = "flow=tfrc:name=video,media=video,rtt=100", "flow=tfrc:name=voice,media=voice,mode=tfrc-sp,rtt=100"
NADA = "flow=nada:name=video,rtt=100"
WIDE = ("rate=10Mbps", "queue=droptail-byte", "limit=300", "duration=40", "from=20")


class Media(unittest.TestCase):
    def test_a_wide_path_carries_all_that_the_encoders_make(self):
        # 1500 kbit/s of payload and 52 bytes of headers in each packet; NADA's are of RTP packets, and its encoder
        # gives way to what still waits
        for video, rate in ((VIDEO, 1572), (NADA, 1505)):
            found = run(*WIDE, video, VOICE)
            self.assertAlmostEqual(found["video"]["goodput_kbps"], rate, delta=25, msg=video)
            self.assertEqual(found["video"]["frames_missing"], 0, msg=video)
            self.assertLess(found["video"]["frame_delay_p95"], 130, video)
            self.assertEqual(found["voice"]["loss"], 0, video)
            self.assertAlmostEqual(found["voice"]["delay_p95"], 50, delta=3, msg=video)
            self.assertGreater(found["voice"]["mos"], 4.3, video)

    def test_video_follows_the_capacity(self):
        for video in (VIDEO, NADA):
            found = run("rate=800kbps", "queue=droptail-byte", "limit=30", "duration=60", "from=20", video)["video"]
            self.assertGreater(found["goodput_kbps"], 700, video)
            self.assertLess(found["loss"], 0.03, video)

    def test_a_voice_on_a_narrow_path_takes_a_cheaper_point(self):
        wide = run(*WIDE, VOICE)["voice"]
        narrow = run("rate=30kbps", "queue=droptail-byte", "limit=1.1", "duration=60", "from=20", VOICE)["voice"]
        self.assertLess(narrow["goodput_kbps"], 30)
        self.assertLess(narrow["codec_kbps"], 0.6 * wide["codec_kbps"])
        self.assertGreater(narrow["mos_listening"], 3)
        self.assertLess(narrow["unheard"], 0.05)

    def test_lost_packets_lower_the_score(self):
        words = ("rate=10Mbps", "queue=loss", "duration=60", "from=20", VOICE)
        whole, lossy = run(*words)["voice"], run("p=0.2", *words)["voice"]
        self.assertAlmostEqual(lossy["loss"], 0.2, delta=0.04)
        self.assertLess(lossy["mos_listening"], whole["mos_listening"] - 0.5)

    def test_jitter_delays_and_reorders_nothing(self):
        calm, shaken = run(*WIDE, VOICE)["voice"], run(*WIDE, VOICE + ",jitter=60")["voice"]
        self.assertGreater(shaken["delay_p95"], calm["delay_p95"] + 25)
        self.assertLess(shaken["delay_p99"], calm["delay_p99"] + 61)
        self.assertEqual(shaken["loss"], 0)
        self.assertGreater(shaken["mouth_to_ear_ms"], calm["mouth_to_ear_ms"] + 20)

    def test_a_flow_that_gets_no_report_slows_down(self):
        deaf = run(*WIDE, VIDEO + ",report_loss=1")["video"]
        self.assertLess(deaf["goodput_kbps"], 100)

    def test_the_way_back_has_media_too(self):
        found = run(*WIDE, VIDEO, "flow=tfrc:name=back,media=video,rtt=100,reverse=1")
        self.assertAlmostEqual(found["back"]["goodput_kbps"], found["video"]["goodput_kbps"], delta=40)

    def test_a_flow_is_silent_before_its_start_after_its_stop_and_in_its_pause(self):
        found = run(*WIDE, "series=1", VIDEO + ",spread=0,start=10,stop=35,pause=20-25")["video"]
        for second in (9, 23, 37):
            self.assertEqual(found[f"rate@{second}"], 0, second)
        for second in (18, 33):
            self.assertGreater(found[f"rate@{second}"], 300, second)


class Tcp(unittest.TestCase):
    def test_the_congestion_control_is_the_one_that_is_named(self):
        found = run("rate=20Mbps", "queue=droptail-byte", "limit=1000", "duration=60", "from=20",
                    "flow=tcp:name=reno,cc=TcpLinuxReno,window=2000,rtt=100",
                    "flow=tcp:name=cubic,cc=TcpCubic,window=2000,rtt=100")
        self.assertGreater(found["cubic"]["goodput_kbps"], 1.2 * found["reno"]["goodput_kbps"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
