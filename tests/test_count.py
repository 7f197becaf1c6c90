#!/usr/bin/python3
"""tests/count.py: what the last line of tests/run.sh says.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import unittest

from count import count


def log(*results):
    return [json.dumps({"name": f"t{i}", "result": result}) for i, result in enumerate(results)]


class Count(unittest.TestCase):
    def test_every_outcome_but_ok_and_skip_is_a_failure(self):
        for outcome in ("FAIL", "TIMEOUT", "ERROR", "INTERRUPT", "UNEXPECTEDPASS", "new"):
            self.assertEqual(count(log("OK", outcome)), (1, ["t1"], 0))

    def test_skipped_tests_are_neither_passed_nor_failed(self):
        self.assertEqual(count(log("SKIP", "OK", "EXPECTEDFAIL")), (2, [], 1))

    def test_an_empty_log_has_nothing_passed(self):
        self.assertEqual(count([]), (0, [], 0))


if __name__ == "__main__":
    unittest.main()
