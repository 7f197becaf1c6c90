#!/usr/bin/python3
"""Counts the outcomes in Meson's testlog.json: one line, and an exit status by it.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def count(lines):
    """Returns (passed, failed names, skipped) for the lines of a testlog.json."""
    passed, failed, skipped = 0, [], 0
    for line in lines:
        test = json.loads(line)
        if test["result"] in PASSED:
            passed += 1
        elif test["result"] in SKIPPED:
            skipped += 1
        else:
            failed.append(test["name"])
    return passed, failed, skipped


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            passed, failed, skipped = count(log)
    except OSError as error:
        passed, failed, skipped = 0, [f"no test log: {error}"], 0
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
