#!/usr/bin/python3
"""tests/count.py: what the last lines of tests/run.sh say.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from count import count


def log(*results, **more):
    return [json.dumps({"name": f"t{i}", "result": result, **more})
            for i, result in enumerate(results)]


class Count(unittest.TestCase):
    def test_every_outcome_but_ok_and_skip_is_a_failure(self):
        for outcome in ("FAIL", "TIMEOUT", "ERROR", "INTERRUPT", "UNEXPECTEDPASS", "new"):
            self.assertEqual(count(log("OK", outcome)), (1, ["t1"], []))

    def test_skipped_tests_are_neither_passed_nor_failed(self):
        passed, failed, skipped = count(log("SKIP", "OK", "EXPECTEDFAIL"))
        self.assertEqual((passed, failed, len(skipped)), (2, [], 1))

    def test_a_skip_has_its_reasons(self):
        played = "OK one (1.0 s)\nSKIP two: it stalled (3.0 s)\nSKIP three: as well (3.0 s)\n"
        self.assertEqual(count(log("SKIP", stdout=played))[2],
                         [("t0", ["two: it stalled (3.0 s)", "three: as well (3.0 s)"])])
        self.assertEqual(count(log("SKIP", stdout="first\nno namespaces\n"))[2],
                         [("t0", ["no namespaces"])])
        self.assertEqual(count(log("SKIP"))[2], [("t0", ["it does not say why"])])

    def test_an_empty_log_has_nothing_passed(self):
        self.assertEqual(count([]), (0, [], []))

    def run_count(self, *logs):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i, lines in enumerate(logs):
                paths.append(pathlib.Path(folder, f"{i}.json"))
                if lines is not None:
                    paths[-1].write_text("\n".join(lines), "utf-8")
            done = subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name("count.py")),
                                   *map(str, paths)], stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def test_the_last_line_counts_all_logs(self):
        self.assertEqual(self.run_count(log("OK", "OK"), log("SKIP", stdout="no sound")),
                         (0, ["skipped: t0: no sound", "2 passed, 0 failed, 1 skipped"]))
        self.assertEqual(self.run_count(log("OK"), log("FAIL")),
                         (1, ["failed: t0", "1 passed, 1 failed, 0 skipped"]))

    def test_a_log_that_is_not_there_is_a_failure(self):
        status, lines = self.run_count(log("OK"), None)
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_skips_alone_are_no_success(self):
        self.assertEqual(self.run_count(log("SKIP"))[0], 1)


if __name__ == "__main__":
    unittest.main()
