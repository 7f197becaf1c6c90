#!/usr/bin/python3
"""What tests/bench reads of a call: its programs, its log and its statistics.

  tests/live/play.py tests/live/benchlog.py BUILD

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import collections
import pathlib
import sys
import tempfile
import types
import unittest

import cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import bench  # noqa: E402

BUILD = next(argument for argument in sys.argv[1:] if not argument.startswith("--"))


class BenchLog(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log.csv"
        build = types.SimpleNamespace(build=pathlib.Path(BUILD))
        self.calls = bench.Bench.start_calls(build, variant="tfrc", port=26600, to=26600, warm_up=1, seconds=2,
                                             waits=True, log=self.log)

    def test_log_has_the_way_of_every_packet_and_all_rtcp(self):
        report = bench.Bench.finish(self.calls)
        log = bench.read_log(self.log)
        kinds = collections.Counter(event.kind for event in log)
        self.assertGreater(kinds["i"], 100)
        self.assertGreaterEqual(kinds["o"], 0.95 * kinds["i"])
        # feedback, RTCP of the sender, waits
        for kind in "fsw":
            self.assertGreater(kinds[kind], 0, kind)
        self.assertGreater(len(bench.passage(log)), 50)
        self.assertGreater(max(event.X for event in log if event.kind == "f"), 1000, "X_recv in bytes/s")
        self.assertGreater(max(event.X for event in log if event.kind == "o"), 1000, "X in bytes/s")
        self.assertGreater(bench.start_of(report), log[0].at)
        for name in ("waited-packets", "departure-error-p99", "departure-error-mean", "nofeedback-expiries", "R"):
            self.assertIsNotNone(bench.stat(report["sender"], name), name)


if __name__ == "__main__":
    cases.main(BenchLog)
