#!/usr/bin/python3
"""What tests/stalls.py forgives and what it does not, in a process that is really held.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import subprocess
import unittest

import play as stalls


def hold(seconds):
    """This process and the one that watches it."""
    both = f"{os.getpid()} {stalls.WATCH.child.pid}"
    subprocess.run(["sh", "-c", f"kill -STOP {both}; sleep {seconds}; kill -CONT {both}"], check=True)


class Play:
    """As a test case, with what it does each time it is played."""

    def __init__(self, *holds, bearable=stalls.BEARABLE, timed=True):
        self.holds, self.bearable, self.timed = holds, bearable, timed
        self.played = self.cleaned = 0

    def doCleanups(self):
        self.cleaned += 1

    def setUp(self):
        pass

    @stalls.repeated
    def run(self):
        """Fails as long as it is held."""
        at, self.played = self.played, self.played + 1
        if at >= len(self.holds):
            return
        if self.holds[at]:
            hold(self.holds[at])
        if not self.timed:
            raise AssertionError("a claim that no hold breaks")
        with stalls.timed(self.bearable):
            raise AssertionError("a claim of real time")


class Stalls(unittest.TestCase):
    def check(self, play, played, fails=False):
        if fails:
            with self.assertRaises(AssertionError):
                play.run()
        else:
            play.run()
        self.assertEqual((play.played, play.cleaned), (played, played - 1))

    def test_a_fault_without_a_hold_is_a_failure(self):
        self.check(Play(0, bearable=1000), 1, fails=True)

    def test_a_claim_of_real_time_is_judged_again_after_a_hold(self):
        self.check(Play(0.1), 2)

    def test_a_hold_that_the_claim_bears_forgives_nothing(self):
        self.check(Play(0.1, bearable=1000), 1, fails=True)

    def test_the_third_time_a_held_claim_is_left_out(self):
        self.check(Play(0.1, 0.1, 0.1, 0.1), 3)

    def test_a_fault_that_is_not_of_time_is_a_failure_in_spite_of_a_short_hold(self):
        self.addCleanup(setattr, stalls, "LONG", stalls.LONG)
        stalls.LONG = 1000
        self.check(Play(0.1, timed=False), 1, fails=True)

    def test_after_a_long_hold_all_is_judged_again_and_fails_the_last_time(self):
        self.check(Play(1.2, timed=False), 2)
        self.check(Play(1.2, 1.2, 1.2, timed=False), 3, fails=True)


if __name__ == "__main__":
    unittest.main()
