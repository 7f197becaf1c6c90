#!/usr/bin/python3
"""tests/live/play.py: what is OK, FAIL and SKIP, with stalls that are made.

The runner and the program that it plays are stopped together (SIGSTOP), as a machine that stalls
stops them; or the program alone.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

# A program of two cases. The one that is played notes it in the file "played", and does then what
# the text of the test says; `stall` stops it and those of its ancestors that are named.
PROGRAM = """
import os, pathlib, subprocess, sys, time
sys.path.insert(0, {folder!r})
if "--list-tests" in sys.argv:
    print("Running suite(s): made\\nTest: made_case\\nTest: other_case")
    sys.exit()
if os.environ["GST_CHECKS"] != "made_case":
    sys.exit(0)
played = pathlib.Path(__file__).with_name("played")
times = len(played.read_text()) if played.exists() else 0
played.write_text("x" * (times + 1))

def stall(seconds, *processes):
    who = " ".join(map(str, processes))
    subprocess.Popen(["sh", "-c", f"kill -STOP {{who}}; sleep {{seconds}}; kill -CONT {{who}}"],
                     start_new_session=True).wait()

MACHINE = (os.getppid(), os.getpid())
PROGRAM = (os.getpid(),)
print("this is what the case says", flush=True)
{body}
"""

# A program of unittest's.
UNITTEST = """
import sys, unittest
sys.path.insert(0, {folder!r})
import cases

class Made(unittest.TestCase):
    def test_that_passes(self):
        self.assertTrue(True)

    def test_that_fails(self):
        self.assertTrue(False)

    def test_that_breaks(self):
        raise RuntimeError("a program of this call ended with an error")

    def test_that_lacks_a_part(self):
        self.skipTest("no such part")

cases.main(Made)
"""


class Play(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_play(self, text, *arguments, **env):
        program = self.folder / "program.py"
        program.write_text(text, "utf-8")
        env = {name: value for name, value in os.environ.items()
               if name not in ("TFRC_CHECKER", "CK_TIMEOUT_MULTIPLIER")} | env
        # in a session of its own: a stop of the runner is no business of the shell's
        done = subprocess.run([sys.executable, str(FOLDER / "play.py"), *arguments, sys.executable,
                               str(program)], stdout=subprocess.PIPE, text=True, env=env,
                              check=False, start_new_session=True)
        return done.returncode, done.stdout

    def play(self, body, *arguments, **env):
        """The exit status, what was printed, and how often the case was played."""
        status, output = self.run_play(
            PROGRAM.format(folder=str(FOLDER), body=textwrap.dedent(body)), *arguments, **env)
        self.assertEqual(output.count("this is what the case says"), self.count())
        return status, output, self.count()

    def count(self):
        return len((self.folder / "played").read_text())

    def check_failure_without_stall(self, body, *arguments, **env):
        """A busy machine may stall by itself: such a run shows nothing and is repeated."""
        for _ in range(20):
            status, output, times = self.play(body, *arguments, **env)
            if times == 1:
                break
            (self.folder / "played").unlink()
        self.assertEqual((status, times), (1, 1), output)
        self.assertIn("FAIL made_case", output)
        self.assertIn("did not stall", output)

    def test_a_case_that_passes_is_ok(self):
        status, output, times = self.play("sys.exit(0)")
        self.assertEqual((status, times), (0, 1), output)
        self.assertIn("OK made_case", output)
        self.assertIn("OK other_case", output)

    def test_a_case_that_passes_in_spite_of_a_stall_is_ok(self):
        status, output, times = self.play("stall(0.2, *MACHINE)")
        self.assertEqual((status, times), (0, 1), output)

    def test_a_failure_without_a_stall_is_a_failure_at_once(self):
        self.check_failure_without_stall("sys.exit(1)")

    def test_a_crash_without_a_stall_is_a_failure_at_once(self):
        self.check_failure_without_stall("os.abort()")

    def test_three_failures_on_a_machine_that_stalls_are_a_skip_with_the_reason(self):
        for seconds in 0.05, 0.2, 1:
            status, output, times = self.play(f"stall({seconds}, *MACHINE); sys.exit(1)")
            self.assertEqual((status, times), (77, 3), output)
            self.assertRegex(output, "SKIP made_case: it failed 3 times, and the machine stalled for "
                             r"\d+ ms, \d+ ms, \d+ ms \(")
            self.assertIn("OK other_case", output)
            (self.folder / "played").unlink()

    def test_a_program_that_is_stopped_has_stalled(self):
        for seconds in 0.05, 0.2, 1:
            status, output, times = self.play(f"stall({seconds}, *PROGRAM); sys.exit(1)")
            self.assertEqual((status, times), (77, 3), output)
            (self.folder / "played").unlink()

    def test_a_child_of_the_session_that_is_stopped_has_stalled_and_no_other(self):
        body = """
        child = subprocess.Popen(["sleep", "1000"], start_new_session={})
        stall(0.2, child.pid)
        sys.exit(1)
        """
        status, output, times = self.play(body.format(False))
        self.assertEqual((status, times), (77, 3), output)
        (self.folder / "played").unlink()
        self.check_failure_without_stall(body.format(True))

    def test_a_failure_that_a_stall_spoilt_once_is_judged_the_second_time(self):
        status, output, times = self.play("if not times: stall(0.1, *MACHINE); sys.exit(1)")
        self.assertEqual((status, times), (0, 2), output)
        self.assertIn("OK made_case", output)

    def test_a_case_that_fails_without_the_stall_as_well_is_a_failure(self):
        body = "if not times: stall(0.1, *MACHINE)\nsys.exit(1)"
        for _ in range(20):
            status, output, times = self.play(body)
            if times == 2:
                break
            (self.folder / "played").unlink()
        self.assertEqual((status, times), (1, 2), output)
        self.assertIn("FAIL made_case", output)

    def test_a_case_that_does_not_end_is_killed_with_its_children_and_is_a_failure(self):
        body = f"""
        child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        pathlib.Path({str(self.folder)!r}, "child").write_text(str(child.pid))
        time.sleep(1000)
        """
        self.check_failure_without_stall(body, "--timeout", "1")
        pid = (self.folder / "child").read_text()
        self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())

    def test_what_a_part_is_missing_for_is_a_skip_that_names_it(self):
        status, output, times = self.play("print('no such part'); sys.exit(77)")
        self.assertEqual((status, times), (77, 1), output)
        self.assertIn("SKIP made_case: no such part", output)

    def test_a_pattern_that_names_no_case_is_a_failure(self):
        program = PROGRAM.format(folder=str(FOLDER), body="")
        self.assertEqual(self.run_play(program, "--case", "no_such_case")[0], 1)

    def test_a_program_without_names_is_one_case(self):
        status, output = self.run_play("print('whole')", "--whole")
        self.assertEqual(status, 0, output)
        self.assertIn("whole\nOK program", output)

    def test_under_a_checker_an_assertion_is_a_skip_and_what_the_checker_finds_a_failure(self):
        status, output, times = self.play("sys.exit(1)", TFRC_CHECKER="env")
        self.assertEqual((status, times), (77, 1), output)
        (self.folder / "played").unlink()
        self.check_failure_without_stall("sys.exit(66)", TFRC_CHECKER="env")

    def test_a_program_of_unittest_lists_and_runs_its_cases(self):
        text = UNITTEST.format(folder=str(FOLDER))
        status, output = self.run_play(text, "--case", "test_that_passes")
        self.assertEqual(status, 0, output)
        self.assertIn("OK test_that_passes", output)
        status, output = self.run_play(text, "--case", "test_that_lacks_a_part")
        self.assertEqual(status, 77, output)
        self.assertIn("SKIP test_that_lacks_a_part: no such part", output)
        status, output = self.run_play(text, "--case", "test_that_fails", TFRC_CHECKER="env")
        self.assertEqual(status, 77, output)
        self.assertIn("SKIP test_that_fails: an assertion failed", output)

    def test_under_a_checker_a_program_of_a_call_that_breaks_is_a_failure(self):
        text = UNITTEST.format(folder=str(FOLDER))
        for _ in range(20):
            status, output = self.run_play(text, "--case", "test_that_breaks", TFRC_CHECKER="env")
            if "did not stall" in output:
                break
        self.assertEqual(status, 1, output)
        self.assertIn("FAIL test_that_breaks: exit status 2", output)


if __name__ == "__main__":
    unittest.main()
