"""The main function of a live test in Python, for tests/live/play.py.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import fnmatch
import os
import sys
import unittest

# Exit statuses: an assertion failed; something else did; SKIP, for Meson.
FAILED, BROKEN, SKIPPED = 1, 2, 77


def skip(reason):
    """Ends the program: a part that it needs is not there."""
    print(reason, flush=True)
    sys.exit(SKIPPED)


def main(test_class, prepare=None):
    """Lists the cases for --list-tests; else runs those that the environment variable
    GST_CHECKS names, or all. `prepare` is called before they run."""
    names = [name for name in vars(test_class) if name.startswith("test_")]
    if "--list-tests" in sys.argv:
        print("\n".join("Test: " + name for name in names))
        return
    if prepare is not None:
        prepare()
    patterns = os.environ.get("GST_CHECKS", "*").split(",")
    suite = unittest.TestSuite(test_class(name) for name in names
                               if any(fnmatch.fnmatch(name, pattern) for pattern in patterns))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    if result.errors or not result.testsRun:
        sys.exit(BROKEN)
    if result.failures:
        sys.exit(FAILED)
    if result.skipped:
        skip("; ".join(reason for _, reason in result.skipped))
