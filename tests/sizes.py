#!/usr/bin/python3
"""Holds files and functions to the sizes that CONTRIBUTING.md names.

Counts the lines of each C file, and those of each function of gst-tfrc and its libraries: from the line with
its name to the brace that ends it, the documentation of properties included.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = ("subprojects/tfrc/src", "subprojects/tfrc/adapt")
# The most lines of a file, by its folder; the first that it is in.
FILES = [(folder, 450) for folder in ENGINE] + [("gst", 900)] + \
    [(folder, 1000) for folder in ("subprojects", "tests", "examples")]
JUDGED = ("gst", *ENGINE)
MEDIAN = 15             # the median of the functions is below
LONG = 45               # nine in ten have no more
FUNCTION = re.compile(r"^(\w+) ?\([^;{}]*\)\n\{\n.*?^\}$", re.M | re.S)


def is_in(path, folder):
    return path.startswith(folder + "/")


def get_functions(text):
    """The name and the lines of each function, as GNU style has it: the name begins a line."""
    return [(match[1], match[0].count("\n") + 1) for match in FUNCTION.finditer(text)]


def judge_file(path, text):
    limit = next(limit for folder, limit in FILES if is_in(path, folder))
    lines = text.count("\n")
    return [f"{path}: {lines} lines, and {limit} at most"] if lines > limit else []


def judge_functions(lengths):
    median = statistics.median(lengths)
    few = sum(length <= LONG for length in lengths)
    wrong = []
    if median >= MEDIAN:
        wrong.append(f"the median of the functions has {median:g} lines, and has to be below {MEDIAN}")
    if few < 0.9 * len(lengths):
        wrong.append(f"{few} of {len(lengths)} functions have at most {LONG} lines, and nine in ten have to")
    return wrong


def self_test():
    """The check can fail."""
    text = "static int\nshort_one (int a,\n    int b)\n{\n  if (a) {\n    b++;\n  }\n  return b;\n}\n\n" \
        "int long_before;\n\nvoid\nlong_one (void)\n{\n" + "  x ();\n" * 50 + "}\n"
    assert get_functions(text) == [("short_one", 8), ("long_one", 53)], get_functions(text)
    assert judge_file("gst/a.c", "\n" * 901) and not judge_file("gst/a.c", "\n" * 900)
    assert judge_file(ENGINE[0] + "/a.c", "\n" * 451) and not judge_file(ENGINE[0] + "/a.c", "\n" * 450)
    assert judge_functions([15] * 9) and not judge_functions([14] * 9)
    assert judge_functions([5] * 8 + [46] * 2) and not judge_functions([5] * 9 + [46])


def main():
    self_test()
    files = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
             for folder in dict.fromkeys(folder.split("/")[0] for folder, _ in FILES)
             for path in sorted((ROOT / folder).rglob("*.[ch]"))}
    files = {path: text for path, text in files.items() if "/build" not in path}
    functions = sorted((length, path, name) for path, text in files.items()
                       if any(is_in(path, folder) for folder in JUDGED)
                       for name, length in get_functions(text))
    lengths = [length for length, _, _ in functions]
    wrong = [text for path in files for text in judge_file(path, files[path])] + judge_functions(lengths)
    for length, path, name in functions[:-4:-1]:
        print(f"{length} lines: {name} in {path}")
    print(f"{len(files)} files; {len(lengths)} functions, median {statistics.median(lengths):g} lines, "
          f"{sum(length <= LONG for length in lengths)} with at most {LONG}", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
