#!/usr/bin/python3
"""Checks docs/rfc-map.md by mutation: breaks the functions that a row names and expects the tests that
the row names to fail.

  tests/rules.py              every row of the engine; prints a table
  tests/rules.py RULE...      those rows
  tests/rules.py --list       the mutations of each function, without running any

A row holds when each of its functions of libtfrc or tfrcadapt has a mutation that makes one of the
row's tests fail, and when each of its tests fails by one of these mutations. A mutation of
mutations.py belongs to the function in which its old text stands; a mutation of a macro belongs to
the functions that use the macro. Where these do not do, the function returns 0 or 1 at once.
Functions and tests of the plugin and of the lab are not judged here.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import concurrent.futures
import dataclasses
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import mutate  # noqa: E402

MAP = mutate.TOP.parent.parent / "docs" / "rfc-map.md"
ROW = re.compile(r"^\| ([A-Z][\w.-]*) \| (.*?) \| (.*?) \|")
FUNCTION = re.compile(r"^(\w+) \(.*?\n\}\n", re.S | re.M)


@dataclasses.dataclass
class Row:
    rule: str
    functions: list     # of the engine
    tests: list         # of the engine


def get_names(cell):
    return re.findall(r"`(\w+)`", cell)


def read_functions():
    """Each function of the engine: name -> [(file, first character, character after the last)]."""
    found = {}
    for folder in mutate.SOURCES:
        for path in sorted((mutate.TOP / folder).rglob("*.[ch]")):
            for match in FUNCTION.finditer(path.read_text()):
                place = (str(path.relative_to(mutate.TOP)), match.start(), match.end())
                found.setdefault(match.group(1), []).append(place)
    return found


def read_tests():
    """Each test of the engine: name -> program."""
    found = {}
    for source in mutate.unit_tests():
        program = source.stem.removeprefix("test-")
        found.update((name, program) for name in re.findall(r"^TEST \((\w+)\)", source.read_text(), re.M))
    return found


def read_rows(functions, tests):
    """The rows that name a function of the engine."""
    for line in MAP.read_text().splitlines():
        match = ROW.match(line)
        if not match:
            continue
        row = Row(match.group(1), [name for name in get_names(match.group(2)) if name in functions],
                  [name for name in get_names(match.group(3)) if name in tests])
        if row.functions:
            yield row


def find_owners(mutation, functions):
    """The functions that a mutation breaks."""
    file, _, old, _ = mutation
    text = (mutate.TOP / file).read_text()
    at, until = mutate.get_pattern(old).search(text).span()
    macro = re.search(r"^#define (\w+)[^\n]*\Z", text[:until], re.M)
    owners = set()
    for name, places in functions.items():
        for where, start, end in places:
            if where == file and start < until and at < end:
                owners.add(name)
            elif macro and (where == file or file.endswith(".h")):
                body = (mutate.TOP / where).read_text()[start:end]
                if re.search(rf"\b{macro.group(1)}\b", body):
                    owners.add(name)
    return owners


def make_blunt(name, places):
    """Mutations that leave a function without effect: it returns 0 or 1 at once."""
    for file, start, end in places:
        text = (mutate.TOP / file).read_text()
        kind = text[:start].rstrip("\n").rsplit("\n", 1)[-1].removeprefix("static ").removeprefix("inline ")
        whole = text[start:end]
        for value in ("0", "1"):
            early = "return;" if kind == "void" else f"return ({kind}) {{{value}}};"
            yield file, f"{name} returns {value}", whole, whole.replace("\n{\n", f"\n{{\n  {early}\n", 1)


def fails_alone(program, test):
    try:
        seen = mutate.run([str(program), test], timeout=mutate.TIMEOUT)
    except subprocess.TimeoutExpired:
        return True
    return not re.search(rf"^ok \d+ - {test}$", seen.stdout or "", re.M)


def get_failures(objects, wanted, programs, tests, scratch):
    """Those of the tests `wanted` that fail."""
    failed = set()
    for name in sorted({programs[test] for test in wanted}):
        program = scratch / f"test-{name}"
        mine = sorted(test for test in wanted if programs[test] == name)
        linked = mutate.run(["gcc", str(tests[name]), *map(str, objects), "-lm", "-o", str(program)])
        if linked.returncode != 0:
            raise SystemExit(f"test-{name} does not link:\n{linked.stdout}")
        try:
            seen = mutate.run([str(program), *mine], timeout=mutate.TIMEOUT)
            ended = seen.returncode in (0, 1)
        except subprocess.TimeoutExpired:
            ended = False
        if ended:
            failed.update(re.findall(r"^not ok \d+ - (\S+)", seen.stdout, re.M))
        else:
            failed.update(test for test in mine if fails_alone(program, test))
    return failed & wanted


def try_function(function, rows, mutations, objects, tests, programs, scratch):
    """Breaks a function until every row that names it is satisfied: [(mutation, tests that failed)]."""
    missing, done = {test for row in rows for test in row.tests}, []
    open_rows = list(rows)
    for mutation in mutations:
        if not missing and not open_rows:
            break
        wanted = missing | {test for row in open_rows for test in row.tests}
        broken, folder = mutate.build_mutation(mutation, objects, scratch)
        failed = get_failures(broken.values(), wanted, programs, tests, folder)
        shutil.rmtree(folder)
        done.append((mutation, failed))
        missing -= failed
        open_rows = [row for row in open_rows if not failed & set(row.tests)]
    return function, done


def judge(row, results):
    """Prints a row of the table; returns whether the row holds."""
    tests, faults, failing = set(row.tests), [], set()
    print(f"{row.rule}")
    for function in row.functions:
        tried = results.get(function, [])
        killed = [(mutation, failed & tests) for mutation, failed in tried if failed & tests]
        for mutation, failed in killed:
            if failed - failing or (mutation, failed) == killed[0]:
                print(f"  {function}: {mutation[1]} -> {', '.join(sorted(failed))}")
            failing |= failed
        if not killed:
            faults.append(f"{function}: none of {len(tried)} mutations fails a test of the row")
    faults += [f"{test} fails by none of the mutations" for test in sorted(tests - failing)]
    for fault in faults:
        print(f"  LEFT {fault}")
    sys.stdout.flush()
    return not faults


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    functions, programs = read_functions(), read_tests()
    rows = [row for row in read_rows(functions, programs) if not words or row.rule in words]
    named = {name for row in rows for name in row.functions}
    mutations = {name: [] for name in named}
    for mutation in mutate.MUTATIONS:
        for owner in find_owners(mutation, functions) & named:
            mutations[owner].append(mutation)
    for name in named:
        mutations[name] += make_blunt(name, functions[name])
    if "--list" in sys.argv:
        for name in sorted(named):
            print(f"{name}: {', '.join(m[1] for m in mutations[name]) or 'NO MUTATION'}")
        return 0
    with tempfile.TemporaryDirectory(prefix="tfrc-rules-") as scratch_name:
        scratch = pathlib.Path(scratch_name)
        objects, test_objects = mutate.compile_all(scratch)
        tests = dict(test_objects)
        with concurrent.futures.ThreadPoolExecutor(mutate.JOBS) as pool:
            tried = [pool.submit(try_function, name, [row for row in rows if name in row.functions],
                                 mutations[name], objects, tests, programs, scratch) for name in sorted(named)]
            results = dict(future.result() for future in tried)
    judged = [row for row in rows if row.tests]
    held = sum([judge(row, results) for row in judged])
    print(f"not judged, as their tests are those of the plugin or the lab: "
          f"{', '.join(row.rule for row in rows if not row.tests) or 'none'}")
    print(f"{held} of {len(judged)} rows hold")
    return 0 if held == len(judged) else 1


if __name__ == "__main__":
    sys.exit(main())
