#!/usr/bin/python3
"""Checks docs/rfc-map.md both ways: every rule once, every name real.

tests/data/rules.txt lists the rules. A row names the functions that do the rule
and the tests that would fail without it; both must exist in the sources. A row
whose function is a dash says in its last column why the rule is not built.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\|(.*)\|\s*$")
NAME = re.compile(r"`([A-Za-z0-9_./:-]+)`")
# A C definition in GStreamer's style begins its line with the name; a test may also
# be the argument of a macro that declares it, or a Python function.
DEFINED = re.compile(r"^([a-z_][A-Za-z0-9_]*) ?\(", re.M)
DECLARED = re.compile(r"^\s*(?:static\s+)?[A-Z][A-Z_]*\s*\(\s*([a-z_][A-Za-z0-9_]*)", re.M)
MACRO = re.compile(r"^#define ([A-Z_][A-Z0-9_]*)\(", re.M)
PYTHON = re.compile(r"^\s*def ([a-z_][A-Za-z0-9_]*)", re.M)


def read(pattern_roots, suffixes):
    for root in pattern_roots:
        for path in sorted((ROOT / root).rglob("*")):
            if path.suffix in suffixes and path.is_file() and "build" not in path.parts:
                yield path.read_text(encoding="utf-8", errors="replace")


def functions():
    names = set()
    for text in read(["subprojects/tfrc/src", "subprojects/tfrc/adapt", "gst", "tests/lab"], {".c", ".h", ".cc"}):
        names.update(DEFINED.findall(text))
        names.update(MACRO.findall(text))
    return names


def tests():
    names = set()
    for text in read(["subprojects/tfrc/tests", "tests"], {".c", ".h", ".cc"}):
        names.update(DEFINED.findall(text))
        names.update(DECLARED.findall(text))
    for text in read(["subprojects/tfrc/tests", "tests"], {".py"}):
        names.update(PYTHON.findall(text))
    for text in read(["subprojects/tfrc/tests", "tests"], {".sh"}):
        names.update(re.findall(r"^([a-z_][a-z0-9_]*) \(\)", text, re.M))
    return names


def rows():
    text = (ROOT / "docs/rfc-map.md").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        found = ROW.match(line)
        if not found:
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", found.group(1))]
        if cells[0] in ("rule", "---"):
            continue
        yield number, cells


def check_row(number, cells, known_functions, known_tests):
    if len(cells) != 4:
        return [f"line {number}: {len(cells)} columns, not 4"]
    rule, function, test, why = cells
    if function in ("-", "—", ""):
        if function and why:
            return []
        return [f"{rule}: no function" + ("" if function == "" else ", and no reason")]
    problems = []
    for kind, cell, known in (("function", function, known_functions), ("test", test, known_tests)):
        names = NAME.findall(cell)
        if not names:
            problems.append(f"{rule}: no {kind}")
        problems += [f"{rule}: no {kind} `{name}` in the sources" for name in names
                     if name.removesuffix("()") not in known]
    return problems


def check():
    wanted = (ROOT / "tests/data/rules.txt").read_text(encoding="utf-8").split("\n")
    wanted = [line for line in wanted if line and not line.startswith("#")]
    problems, seen = [], []
    known_functions, known_tests = functions(), tests()
    for number, cells in rows():
        seen.append(cells[0])
        problems += check_row(number, cells, known_functions, known_tests)
    problems += [f"{rule}: not in docs/rfc-map.md" for rule in wanted if rule not in seen]
    problems += [f"{rule}: not a rule" for rule in dict.fromkeys(seen) if rule not in wanted]
    problems += [f"{rule}: {seen.count(rule)} rows" for rule in dict.fromkeys(seen)
                 if seen.count(rule) > 1]
    return problems, len(seen)


def main():
    problems, total = check()
    for problem in problems:
        print(problem)
    print(f"{total} rules, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
