#!/usr/bin/python3
"""Counts the outcomes in Meson's logs (testlog.json): the failures, the skips with their reasons,
one line with the count, and an exit status by it.

  tests/count.py LOG...

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def get_reasons(test):
    """Why a test was skipped: what tests/live/play.py says of each case, or the last line."""
    lines = test.get("stdout", "").strip().splitlines()
    reasons = [line[len("SKIP "):] for line in lines if line.startswith("SKIP ")]
    return reasons or lines[-1:] or ["it does not say why"]


def count(lines):
    """Returns (passed, names of the failed, (name, reasons) of the skipped) for the lines of a
    testlog.json."""
    passed, failed, skipped = 0, [], []
    for line in lines:
        test = json.loads(line)
        if test["result"] in PASSED:
            passed += 1
        elif test["result"] in SKIPPED:
            skipped.append((test["name"], get_reasons(test)))
        else:
            failed.append(test["name"])
    return passed, failed, skipped


def read(paths):
    """The lines of all logs; one that is not there counts as a failure."""
    for path in paths:
        try:
            with open(path, encoding="utf-8") as log:
                yield from log
        except OSError as error:
            yield json.dumps({"name": f"no test log: {error}", "result": "ERROR"})


def main():
    passed, failed, skipped = count(read(sys.argv[1:]))
    for name in failed:
        print(f"failed: {name}")
    for name, reasons in skipped:
        for reason in reasons:
            print(f"skipped: {name}: {reason}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
