#!/usr/bin/python3
"""Checks docs/security.md: every defence names a test, and every test that is named exists.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import re
import sys

import rfcmap

# A name of a test is words with underscores; a property or a file name has none of them.
TEST = re.compile(r"`([a-z0-9]+(?:_[a-z0-9]+){3,})`")
DEFENCE = re.compile(r"^\| (off path|on path|remote)[^|]*\|[^|]*\|[^|]*\|[^|]*\|([^|]*)\|$", re.M)


def check(text, known):
    defences = DEFENCE.findall(text)
    for kind, cell in defences:
        if not TEST.findall(cell):
            yield f"a defence against {kind} names no test: {cell.strip()}"
    for name in TEST.findall(text):
        if name not in known:
            yield f"there is no test {name}"
    if not defences:
        yield "there is no table of defences"


def main():
    text = (rfcmap.ROOT / "docs/security.md").read_text(encoding="utf-8")
    problems = list(check(text, rfcmap.tests()))
    for problem in problems:
        print(problem)
    print(f"{len(DEFENCE.findall(text))} defences, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
