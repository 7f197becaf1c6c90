#!/usr/bin/python3
"""Tests of the media study: its metrics, its capacity traces and its page.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import os
import random
import statistics
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import media  # noqa: E402
import traces  # noqa: E402


class Metrics(unittest.TestCase):
    def test_convergence_is_the_time_until_the_rate_stays(self):
        self.assertEqual(media.convergence([100.0] * 40, 0, 40), 0)
        # A mean of 3 s first stays within a quarter of the end when two of its seconds have the new rate.
        self.assertEqual(media.convergence([50.0] * 10 + [100.0] * 30, 0, 40), 9)
        self.assertEqual(media.convergence([50.0] * 10 + [100.0] * 30, 10, 40), 0)
        self.assertGreater(media.convergence([50.0, 50.0, 50.0, 150.0, 150.0, 150.0] * 6, 0, 36), 28)

    def test_oscillation_is_the_coefficient_of_variation(self):
        self.assertEqual(media.oscillation([5.0] * 9), 0)
        self.assertAlmostEqual(media.oscillation([50.0, 150.0] * 5), 0.5)

    def test_fairness_is_jains(self):
        self.assertEqual(media.jain([3.0, 3.0, 3.0]), 1)
        self.assertAlmostEqual(media.jain([1.0, 0.0]), 0.5)

    def test_segments_begin_with_each_change(self):
        case = next(c for c in media.cases() if c.name == "5.8")
        self.assertEqual(media.segments(case), [(0, 40), (40, 60), (60, 120)])

    def test_a_case_that_uses_all_of_its_capacity_has_a_utilisation_of_one(self):
        case = next(c for c in media.cases() if c.name == "5.1")
        video = {f"rate@{t}": media.capacity_at(case.steps, t - 1) - 40 for t in range(1, 101)}
        voice = {f"rate@{t}": 40.0 for t in range(1, 101)}
        found = media.measure_case(case, {"a-video": video, "a-voice": {**voice, "mos": 4.0}})
        self.assertAlmostEqual(found["utilisation"], 1)
        self.assertEqual(found["convergence"], 0)
        self.assertEqual(found["mos"], 4)
        self.assertTrue(math.isnan(found["fairness"]))


class Cases(unittest.TestCase):
    def test_all_of_rfc_8867_is_there_with_media_both_ways_where_it_says_so(self):
        cases = {c.name: c for c in media.cases()}
        self.assertEqual({name.split(",")[0] for name in cases}, {f"5.{i}" for i in range(1, 9)})
        self.assertEqual({name for name, c in cases.items() if any(f.reverse for f in c.calls)},
                         {"5.3", "5.6, 300 ms", "5.6, 1000 ms"})

    def test_queues_with_ecn_have_flows_with_ecn(self):
        for name, queue in media.queues(2000):
            run = media.run_beside(queue, "cubic")
            self.assertEqual(all("ecn=1" in flow for flow in run["flow"]), "ECN" in name, name)


class Traces(unittest.TestCase):
    def test_a_seed_always_gives_the_same(self):
        for make in (traces.cellular, traces.wifi):
            self.assertEqual(make(20, 3), make(20, 3))
            self.assertNotEqual(make(20, 3), make(20, 4))

    def test_cellular_has_outages_and_moves_as_the_model_says(self):
        rates = [r for seed in range(8) for r in traces.cellular(100, seed)]
        self.assertGreater(rates.count(traces.LEAST), 20)
        self.assertLess(rates.count(traces.LEAST) / len(rates), 0.3)
        # From second to second the rate moves by 200 packets/s, less at the limits and more by Poisson's chance.
        moves = [(b - a) / 12 for a, b in zip(rates[::10], rates[10::10]) if traces.LEAST not in (a, b)]
        self.assertAlmostEqual(statistics.pstdev(moves), 200, delta=60)

    def test_wifi_alone_carries_what_the_standard_gives(self):
        stay, traces.STATIONS = traces.STATIONS, 0
        try:
            rate = statistics.mean(traces.wifi(50, 1))
        finally:
            traces.STATIONS = stay
        # 1500 bytes in a mean back-off of 7.5 slots and one exchange
        self.assertAlmostEqual(rate, 12 / (7.5 * traces.SLOT + traces.BUSY), delta=0.02 * rate)

    def test_wifi_stations_share_alike(self):
        rng = random.Random(1)
        alone = 12 / (7.5 * traces.SLOT + traces.BUSY)
        found = [statistics.mean(traces.wifi(100, rng.randrange(1000))) for _ in range(8)]
        # One of 1 to 5 stations: the mean of 1/n is 0.457, less collisions.
        self.assertAlmostEqual(statistics.mean(found) / alone, 0.44, delta=0.09)


if __name__ == "__main__":
    unittest.main(verbosity=2)
