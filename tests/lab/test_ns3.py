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


if __name__ == "__main__":
    unittest.main(verbosity=2)
