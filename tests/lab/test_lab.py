#!/usr/bin/python3
"""Tests of the lab's own judgement: usage test_lab.py LAB-VT.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import judge  # noqa: E402
import report  # noqa: E402
import stored  # noqa: E402
from experiments import all_experiments  # noqa: E402
from model import MORE, Bound, Claim, Experiment, Results, Row, Stat, interpolate, spread  # noqa: E402
from runner import Runner, job  # noqa: E402

VT = sys.argv.pop()


def measure(*words):
    lines = subprocess.run([VT, *words], capture_output=True, text=True, check=True).stdout
    return {m: float(v) for _, m, v in (line.split() for line in lines.splitlines())}


def row_of(*bounds, **more):
    return Row("k", "f", "m", {"stage": "vt"}, None, bounds=list(bounds), **more)


def noisy(mean, spread=0.1):
    """Five seeds."""
    return Stat.of([mean - spread, mean - spread / 2, mean, mean + spread / 2, mean + spread])


class Judgement(unittest.TestCase):
    def test_a_bound_has_two_sides(self):
        bound = Bound("it", 10.0, 0.8, 1.2)
        self.assertEqual([judge.judge_bound(bound, Stat.of([v])) for v in (7.9, 8.0, 12.0, 12.1)],
                         ["misses", "holds", "holds", "misses"])

    def test_slack_widens_both_sides(self):
        self.assertEqual(Bound("it", 1.0, 1.0, 1.0, slack=0.5).limits(), (0.5, 1.5))

    def test_an_estimate_allows_three_standard_errors_together(self):
        bound = Bound("it", 10.0, 0.9, 1.1, error=0.3)
        self.assertEqual(bound.limits(0.0), (9.0, 11.0))        # 10 % is wider than 3 x 0.3
        self.assertEqual(bound.limits(0.4), (8.5, 11.5))        # 3 x 0.5

    def test_too_few_flows_are_no_verdict(self):
        bound = Bound("it", 10.0, 0.9, 1.1, error=0.3)
        self.assertEqual(judge.judge_bound(bound, Stat.of([10.0], [0.51])), "too few flows")
        self.assertEqual(judge.judge_bound(bound, Stat.of([10.0], [0.2])), "holds")

    def test_an_interval_over_a_limit_is_within_noise_on_either_side(self):
        bound = Bound("it", 1.0, 0.8, 1.2)
        self.assertEqual([judge.judge_bound(bound, noisy(v)) for v in (0.6, 0.77, 0.83, 1.0, 1.17, 1.23, 1.4)],
                         ["misses", "within noise", "within noise", "holds", "within noise", "within noise",
                          "misses"])

    def test_a_seed_more_does_not_flip_a_verdict(self):
        draw, bound, flips, judged = random.Random(1), Bound("it", 1.0, 0.9, 1.1), 0, 0
        for _ in range(4000):
            centre = draw.uniform(0.8, 1.2)
            values = [draw.gauss(centre, 0.05) for _ in range(6)]
            pair = {judge.judge_bound(bound, Stat.of(values[:n])) for n in (5, 6)}
            judged += "holds" in pair or "misses" in pair
            flips += pair == {"holds", "misses"}
        self.assertGreater(judged, 1000)
        self.assertEqual(flips, 0)

    def test_a_single_seed_decides_nothing(self):
        one = Stat.of([5.0], alone=math.inf)
        self.assertEqual(judge.judge_bound(Bound("it", 1.0, 0.8, 1.2), one), "within noise")
        results = Results()
        results.add(row_of(), one)
        results.add(Row("k", "g", "m", {}, None), noisy(1.0))
        found = spread(lambda r: {"of it": r.mean("k", "f", "m"), "of another": r.mean("k", "g", "m")}, results)
        self.assertEqual(found["of it"][1], math.inf)
        self.assertLess(found["of another"][1], 1)

    def test_a_row_misses_when_one_bound_does(self):
        row = row_of(Bound("a", 1, 0.5, 2), Bound("b", 9, 0.5, 2))
        self.assertEqual(judge.judge_row(row, Stat.of([1.0])), "misses")
        row.bounds.pop()
        self.assertEqual(judge.judge_row(row, Stat.of([1.0])), "holds")

    def test_a_curve_is_read_between_its_points_and_nowhere_else(self):
        curve = [(0.1, 100.0), (0.2, 1.0)]
        self.assertAlmostEqual(interpolate(curve, 0.15), 10.0)
        self.assertTrue(math.isnan(interpolate(curve, 0.21)))

    def test_what_was_not_run_is_not_a_number(self):
        self.assertTrue(math.isnan(Results().mean("k", "f", "m")))


class Explanations(unittest.TestCase):
    def missing(self, changed, **more):
        """The miss of a row at 2 of 1, whose run with one change gives `changed`."""
        results = Results()
        results.add(row_of(Bound("the print", 1.0, 0.8, 1.2), cause=("f_changed", "the change"), **more),
                    Stat.of([2.0]))
        results.add(Row("k", "f_changed", "m", {"stage": "vt"}, None), Stat.of([changed]))
        return next(judge.misses(results))

    def test_a_run_with_one_change_that_is_inside_explains(self):
        miss = self.missing(1.1)
        self.assertTrue(miss.explained)
        self.assertIn("explained: with the change it is 1.1", report.row_line(miss))

    def test_one_that_stays_outside_does_not(self):
        miss = self.missing(1.3)
        self.assertFalse(miss.explained)
        self.assertIn("unexplained (with the change it is 1.3)", report.row_line(miss))

    def test_ns_2_explains_nothing(self):
        self.assertFalse(self.missing(2.0, ns2=(2.0, 1.9, 2.1)).explained)

    def test_a_row_without_such_a_run_is_unexplained(self):
        results = Results()
        results.add(row_of(Bound("the print", 1.0, 0.8, 1.2)), Stat.of([2.0]))
        self.assertFalse(next(judge.misses(results)).explained)
        self.assertEqual(judge.count([(None, results)]), (1, 1))


class Statements(unittest.TestCase):
    def verdict(self, value, margin=0.0, number=math.nan, **more):
        return judge.judge_number(Claim("it", None, **more), number, value, margin)

    def test_a_number_of_the_paper_is_the_centre_of_two_sides(self):
        self.assertEqual([self.verdict(v, number=6.0) for v in (3.9, 4.1, 8.9, 9.1)],
                         ["differs", "holds", "holds", "differs"])

    def test_words_that_the_figure_denies_are_contradicted(self):
        self.assertEqual([self.verdict(v, says=MORE) for v in (0.9, 1.1)], ["contradicted", "holds"])
        self.assertEqual(self.verdict(12.7, number=1.0, says=(1 / 1.5, 1.5)), "contradicted")

    def test_noise_is_said(self):
        self.assertEqual(self.verdict(1.1, 0.2, says=MORE), "within noise")
        self.assertEqual(self.verdict(0.9, 0.2, says=MORE), "within noise")

    def test_a_statement_that_was_not_run_is_wrong(self):
        self.assertIn(self.verdict(math.nan, says=MORE), judge.WRONG)

    def test_the_printed_rows_give_the_number(self):
        results = Results()
        for key, ours, printed in (("a", 9.0, 6.0), ("b", 1.0, 2.0)):
            results.add(Row(key, "f", "m", {}, None, published=printed), Stat.of([ours]))
        one, = judge.judge_claims([Claim("a to b", lambda r: r.mean("a", "f", "m") / r.mean("b", "f", "m"))],
                                  results)
        self.assertEqual((one.value, one.number, one.verdict, one.kind), (9.0, 3.0, "differs", "number"))

    def test_own_limits_are_not_counted(self):
        results = Results()
        results.add(row_of(), Stat.of([5.0]))
        results.claims = list(judge.judge_claims([Claim("it", lambda r: 5.0, watch=(1, 2))], results))
        self.assertEqual(results.claims[0].kind, "watch")
        self.assertEqual(judge.count([(None, results)]), (0, 0))

    def test_both_ways_to_an_interval_agree(self):
        draw, widths = random.Random(2), []
        for _ in range(200):
            values = {f: [draw.gauss(10, 1) for _ in range(5)] for f in "ab"}
            for stat in (Stat.of, lambda v: Stat.of_range(sum(v) / 5, min(v), max(v), 5)):
                results = Results()
                for flow, seeds in values.items():
                    results.add(Row("k", flow, "m", {}, None), stat(seeds))
                widths.append(spread(lambda r: {0: r.mean("k", "a", "m") / r.mean("k", "b", "m")}, results)[0][1])
        whole, ranges = (sum(widths[i::2]) / 200 for i in (0, 1))
        self.assertAlmostEqual(whole / ranges, 1, delta=0.1)
        self.assertAlmostEqual(whole, 2.78 * math.sqrt(2 / 5) / 10, delta=0.03)


class Stored(unittest.TestCase):
    def test_rows_that_are_read_again_give_the_same_verdicts(self):
        results, experiment = Results(), Experiment("e", "", "", [])
        results.add(row_of(Bound("it", 1.0, 0.8, 1.2)), noisy(1.17))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            stored.write(path, [(experiment, results)])
            kept = stored.read(path)["e", "k", "f", "m"]
        self.assertEqual(judge.judge_bound(results.rows["k", "f", "m"].bounds[0], kept), "within noise")
        self.assertEqual(len(kept.values), 5)

    def test_the_range_of_five_seeds_tells_their_standard_error(self):
        draw = random.Random(3)
        found = [Stat.of_range(0, min(v), max(v), 5).se for v in
                 ([draw.gauss(0, 1) for _ in range(5)] for _ in range(2000))]
        self.assertAlmostEqual(sum(found) / len(found), 1 / math.sqrt(5), delta=0.02)


class Page(unittest.TestCase):
    def test_the_first_page_has_at_most_250_lines(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "lab-results.md")
        with open(page) as file:
            self.assertLessEqual(len(file.readlines()), 250)

    def test_each_experiment_has_its_paper(self):
        for experiment in all_experiments():
            self.assertIn(report.paper_of(experiment), report.PAPERS)


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
