#!/usr/bin/python3
"""Tests of the lab's own judgement: usage test_lab.py LAB-VT.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import report  # noqa: E402
from model import Bound, Claim, Results, Row, Stat, interpolate  # noqa: E402
from runner import Runner, job  # noqa: E402

VT = sys.argv.pop()


def measure(*words):
    lines = subprocess.run([VT, *words], capture_output=True, text=True, check=True).stdout
    return {m: float(v) for _, m, v in (line.split() for line in lines.splitlines())}


class Judgement(unittest.TestCase):
    def test_a_bound_has_two_sides(self):
        bound = Bound("it", 10.0, 0.8, 1.2)
        self.assertEqual([bound.holds(v) for v in (7.9, 8.0, 12.0, 12.1)],
                         [False, True, True, False])

    def test_slack_widens_both_sides(self):
        bound = Bound("it", 1.0, 1.0, 1.0, slack=0.5)
        self.assertEqual([bound.holds(v) for v in (0.4, 0.5, 1.5, 1.6)],
                         [False, True, True, False])

    def test_a_statement_that_was_not_run_is_not_ok(self):
        claim = Claim("it", None, 1, 2)
        self.assertEqual([report.claim_state(claim, v) for v in (0.9, 1.5, 2.1, math.nan)],
                         ["misses", "ok", "misses", "not run"])

    def test_a_row_misses_when_one_bound_does(self):
        row = Row("k", "f", "m", {}, None, bounds=[Bound("a", 1, 0.5, 2), Bound("b", 9, 0.5, 2)])
        self.assertEqual(report.verdict(row, Stat([1.0]))[0], "misses")
        self.assertEqual(report.verdict(row, Stat([1.0, 5.0 * 2 - 1.0]))[0], "misses")
        row.bounds.pop()
        self.assertEqual(report.verdict(row, Stat([1.0]))[0], "ok")

    def test_a_curve_is_read_between_its_points_and_nowhere_else(self):
        curve = [(0.1, 100.0), (0.2, 1.0)]
        self.assertAlmostEqual(interpolate(curve, 0.15), 10.0)
        self.assertTrue(math.isnan(interpolate(curve, 0.21)))

    def missing_row(self, habit, **more):
        """A row at 2 of 1, and a comparator that gives `habit`."""
        results, bound = Results(), Bound("the printed figure", 1.0, 0.8, 1.2)
        row = Row("k", "f", "m", {"stage": "vt"}, None, bounds=[bound],
                  comparators=[("f_habit", "the habit")], **more)
        results.add(row, Stat([2.0]))
        results.add(Row("k", "f_habit", "m", {"stage": "vt"}, None), Stat([habit]))
        return row, Stat([2.0]), bound, results

    def test_a_comparator_that_is_inside_decides(self):
        case = self.missing_row(1.1)
        self.assertTrue(report.explained(*case))
        self.assertIn("Decided by the habit", report.explain(*case))

    def test_one_that_is_outside_explains_nothing(self):
        case = self.missing_row(1.3)
        self.assertFalse(report.explained(*case))
        self.assertIn("No run brings it inside", report.explain(*case))

    def test_ns_2_explains_only_what_it_misses_the_same_way(self):
        self.assertTrue(report.explained(*self.missing_row(2.0, ns2=(1.5, 1, 2))))
        self.assertFalse(report.explained(*self.missing_row(2.0, ns2=(0.5, 0, 1))))

    def test_a_reason_is_made_from_the_results(self):
        case = self.missing_row(2.0, why=lambda r: f"{r.mean('k', 'f', 'm'):.1f} of 1")
        self.assertIn("2.0 of 1", report.explain(*case))

    def test_comparators_are_not_on_the_page(self):
        results = self.missing_row(1.1)[3]
        self.assertEqual(list(report.without_comparators(results)), [("k", "f", "m")])

    def test_what_was_not_run_is_not_a_number(self):
        self.assertTrue(math.isnan(Results().mean("k", "f", "m")))


class Runs(unittest.TestCase):
    def test_an_interrupted_run_goes_on_and_a_changed_program_begins_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            run = job({"stage": "vt", "run": "equation", "s": 1460, "p": 0.1}, 1)
            runner = Runner({"vt": VT}, folder, 1)
            runner.run([run])
            self.assertIsNotNone(Runner({"vt": VT}, folder, 1).load(run))
            runner.stamps["vt"] = "another"
            self.assertIsNone(runner.load(run))

    def test_a_word_that_nobody_knows_is_an_error(self):
        done = subprocess.run([VT, "drop=0.1"], capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)


class Loss(unittest.TestCase):
    def test_each_loss_model_loses_its_share(self):
        # A million packets, one a millisecond.
        for words, low, high in (
                (("loss=bernoulli", "p=0.1"), 0.098, 0.102),
                (("loss=dynamic", "p=0.1", "period=10"), 0.098, 0.102),
                (("loss=gilbert", "p=0.1", "period=0.01", "burst=3"), 0.09, 0.11),
                (("loss=byte", "b=0.001", "size=100"), 0.0932, 0.0972),
                (("loss=every", "every=50"), 0.02, 0.02)):
            share = measure("run=loss", *words)["drop_rate"]
            self.assertTrue(low <= share <= high, f"{words}: {share}")

    def test_each_seed_gives_another_flow(self):
        rates = {measure("loss=bernoulli", "p=0.2", f"seed={seed}")["send_rate_kbps"]
                 for seed in range(1, 6)}
        self.assertEqual(len(rates), 5)

    def test_round_trip_times_spread_over_the_flows(self):
        ends = [measure("loss=bernoulli", "p=0.05", "size=1000", "flows=1", f"rtt={rtt}")
                ["send_rate_kbps"] for rtt in (0.05, 0.2)]
        both = measure("loss=bernoulli", "p=0.05", "size=1000", "flows=2", "rtt=0.05", "rtt_max=0.2")
        self.assertTrue(ends[1] < both["send_rate_kbps"] < ends[0])

    def test_a_report_of_ns_2_s_inference_measures_no_wait(self):
        # At a packet in several round-trip times, where each loss is reported late.
        one = measure("loss=bernoulli", "p=0.3", "detect=1", "mode=tfrc", "rtt=0.24", "flows=10")
        three = measure("loss=bernoulli", "p=0.3", "mode=tfrc", "rtt=0.24", "flows=10")
        self.assertTrue(1.2 < one["send_rate_kbps"] / three["send_rate_kbps"] < 2.5)

    def test_unbiasing_by_the_moment_gives_small_packets_the_rate_of_large_ones(self):
        words = ("loss=bernoulli", "p=0.02", "mode=tfrc", "S=1000", "wire=0", "flows=5")
        large = measure(*words, "size=1000")["send_rate_kbps"]
        small = [measure(*words, "size=100", "measure=unbias-packet", *more)["send_rate_kbps"]
                 for more in ((), ("unbias=1",), ("unbias=1", "size=1000"))]
        self.assertNotEqual(small[0], small[1])
        for rate in small:                      # the last has nothing to be unbiased
            self.assertTrue(0.85 < rate / large < 1.15, f"{small} to {large}")

    def test_the_way_back_loses_its_share_of_the_reports(self):
        words = ("loss=bernoulli", "p=0.02", "mode=tfrc", "rtt=0.1", "from=20", "flows=5")
        expiries = [measure(*words, *more)["expiries"] for more in ((), ("back_p=0.5",), ("mute=20",))]
        self.assertEqual(expiries[0], 0)
        self.assertGreater(expiries[1], 1)      # two reports in a row, now and then
        rate = [measure(*words, *more)["packets_per_s"] for more in ((), ("mute=20",))]
        self.assertLess(rate[1], 0.1 * rate[0])

    def test_the_standard_error_is_that_of_the_flows(self):
        words = ("loss=bernoulli", "p=0.1", "mode=tfrc", "flows=40")
        found = [measure(*words, f"seed={seed}") for seed in range(1, 13)]
        rates = [one["send_rate_kbps"] for one in found]
        told = sum(one["send_rate_kbps_se"] for one in found) / len(found)
        self.assertAlmostEqual(told / statistics.stdev(rates), 1, delta=0.5)

    def test_the_same_seed_gives_the_same_flow(self):
        words = ("loss=bernoulli", "p=0.2", "seed=7")
        self.assertEqual(measure(*words), measure(*words))


if __name__ == "__main__":
    unittest.main()
