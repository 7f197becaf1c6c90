#!/usr/bin/python3
"""The mutation check: breaks the engine one line at a time and expects a test to fail.

  tests/mutate.py             every mutation; prints killed/total and each survivor
  tests/mutate.py WORD...     those whose file or name contains a WORD
  tests/mutate.py --list      names them
  tests/mutate.py --match     only checks that each old text still is in its file once

A mutation is (file, name, old text, new text), in mutations.py or mutations_adapt.py; white
space does not count. Each one is built in a scratch directory with gcc -O1 and meets the unit tests, its own
file's first, until one fails.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from mutations import MUTATIONS  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
CFLAGS = ["-std=c11", "-O1", "-fno-math-errno", "-w", "-D_POSIX_C_SOURCE=200809L",
          f'-DTFRC_TEST_DATA="{HERE / "data"}"', f"-I{TOP / 'include'}"]
SOURCES = ("src", "adapt")      # the folders of libtfrc and tfrcadapt
JOBS = 2
TIMEOUT = 120   # s; an endless loop is a failure, too, and calls in virtual time take half a minute
SLOW = {"call", "golden", "sender-side-call", "wbl04"}      # they come last


def get_pattern(old):
    """Finds the old text of a mutation, however the formatter has spaced it and broken its lines."""
    return re.compile(r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", old)))


def unit_tests():
    """The source files of the tests that the two meson.build list: libtfrc's and tfrcadapt's."""
    for folder, name in ((HERE, "engine_tests"), (HERE / "adapt", "adapt_tests")):
        listed = re.search(rf"^{name} = \[(.*?)\]", (folder / "meson.build").read_text(), re.S | re.M)
        yield from (folder / f"test-{test}.c" for test in re.findall(r"'([^']+)'", listed.group(1)))


def is_adapt(path):
    """Whether a source or test is of tfrcadapt. Tests of libtfrc do not reach it, and its own do
    not judge libtfrc."""
    return path.parent.name == "adapt"


def sources():
    """The source files, as paths below TOP."""
    return sorted(path.relative_to(TOP) for folder in SOURCES for path in (TOP / folder).rglob("*.c"))


def run(arguments, **options):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def compile_one(source, target, *flags):
    result = run(["gcc", *CFLAGS, *flags, "-c", str(source), "-o", str(target)])
    if result.returncode != 0:
        raise SystemExit(f"{source} does not compile:\n{result.stdout}")


def passes(objects, tests, scratch):
    """The name of the first test that fails, or None."""
    environment = dict(os.environ, TFRC_TEST_FAIL_FAST="1")
    for name, test in tests:
        program = scratch / f"test-{name}"
        linked = run(["gcc", str(test), *map(str, objects), "-lm", "-o", str(program)])
        if linked.returncode != 0:
            raise SystemExit(f"test-{name} does not link:\n{linked.stdout}")
        try:
            result = run([str(program)], env=environment, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return f"{name} (no end)"
        if result.returncode != 0:
            failed = re.search(r"^not ok \d+ - (\S+)", result.stdout or "", re.M)
            return f"{name}: {failed.group(1)}" if failed else f"{name} (crash)"
    return None


def files_to_compile(mutated):
    """A header's mutation reaches every source."""
    return sources() if mutated.endswith(".h") else [pathlib.Path(mutated)]


def build_mutation(mutation, objects, scratch):
    """Compiles what a mutation changes: the objects of the broken engine, and their folder."""
    file, _, old, new = mutation
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    for name in SOURCES:
        shutil.copytree(TOP / name, folder / name)
    mutated = folder / file
    mutated.write_text(get_pattern(old).sub(lambda match: new, mutated.read_text()))
    replaced = dict(objects)
    for source in files_to_compile(file):
        replaced[source] = folder / f"{source.stem}.o"
        compile_one(folder / source, replaced[source])
    return replaced, folder


def try_mutation(mutation, objects, tests, scratch):
    replaced, folder = build_mutation(mutation, objects, scratch)
    path = pathlib.Path(mutation[0])
    room = [test for test in tests if is_adapt(test[1]) == is_adapt(path)]
    ordered = sorted(room, key=lambda test: (test[0] != path.stem, test[0] in SLOW))
    return passes(replaced.values(), ordered, folder)


def unmatched(mutations):
    for file, name, old, new in mutations:
        path = TOP / file
        count = len(get_pattern(old).findall(path.read_text())) if path.is_file() else 0
        if count != 1 or old == new:
            yield f"{file}: {name}: the old text is there {count} times: {old!r}"


def compile_all(scratch):
    """The unbroken engine and the tests, compiled once."""
    made = run([sys.executable, str(HERE / "vectors.py"), str(HERE / "data" / "vectors.json"),
                str(scratch / "vectors.h")])
    if made.returncode != 0:
        raise SystemExit(made.stdout)
    objects, tests = {}, []
    for source in sources():
        objects[source] = scratch / f"{source.stem}.o"
        compile_one(TOP / source, objects[source])
    for test in unit_tests():
        # The folder tells whose test the object is.
        tests.append((test.stem.removeprefix("test-"), scratch / test.parent.name / f"{test.stem}.o"))
        tests[-1][1].parent.mkdir(exist_ok=True)
        compile_one(test, tests[-1][1], f"-I{scratch}", f"-I{TOP / 'src'}", f"-I{TOP / 'adapt'}")
    return objects, tests


def prepare(scratch):
    """The unbroken engine and the tests, which must pass."""
    objects, tests = compile_all(scratch)
    (scratch / "base").mkdir()
    failed = passes(objects.values(), tests, scratch / "base")
    if failed:
        raise SystemExit(f"the unbroken engine fails {failed}")
    return objects, tests


def check(mutations):
    started, survivors = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="tfrc-mutate-") as name:
        scratch = pathlib.Path(name)
        objects, tests = prepare(scratch)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            tried = pool.map(lambda m: try_mutation(m, objects, tests, scratch), mutations)
            for mutation, killer in zip(mutations, tried):
                print(f"{'killed  ' if killer else 'SURVIVED'} {mutation[0]}: {mutation[1]}"
                      f"{' by ' + killer if killer else ''}", flush=True)
                if not killer:
                    survivors.append(mutation)
    for file, title, old, new in survivors:
        print(f"survivor: {file}: {title}\n  - {old.strip()}\n  + {new.strip()}")
    print(f"{len(mutations) - len(survivors)}/{len(mutations)} killed in {time.monotonic() - started:.0f} s")
    return 1 if survivors else 0


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    chosen = [m for m in MUTATIONS if not words or any(w in f"{m[0]}: {m[1]}" for w in words)]
    stale = list(unmatched(chosen))
    if "--list" in sys.argv:
        print("\n".join(f"{m[0]}: {m[1]}" for m in chosen))
    if stale or not chosen:
        print("\n".join(stale) or "no such mutation")
        return 1
    if "--match" in sys.argv or "--list" in sys.argv:
        print(f"{len(chosen)} mutations")
        return 0
    return check(chosen)


if __name__ == "__main__":
    sys.exit(main())
