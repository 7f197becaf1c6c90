#!/usr/bin/python3
"""The mutation check of the plugin: breaks gst/ one line at a time and expects a test of the default
suite to fail.

  tests/mutation/mutate.py                200 mutations, drawn by the seed 1
  tests/mutation/mutate.py --only WORD    of the files whose path contains a WORD (again for more)
  tests/mutation/mutate.py --list         prints what would be tried
  tests/mutation/mutate.py --match        only checks the list of equivalent mutations
  --seed N --count N --jobs N             another draw, more or fewer, at so many at once
  --bar PERCENT                           what has to be killed (85)
  --build FOLDER                          where the builds are, kept for the next time (build-mutation)

Lines are drawn, each at most once, and for each line one of the mutations that operators.py offers
for it. A mutation is tried with the tests that run its line, by gcov, the quickest first, until
one fails. What does not compile, makes the same machine code, or is in equivalent.txt is drawn anew. A
line that no test runs is a survivor.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import collections
import concurrent.futures
import pathlib
import queue
import random
import sys
import threading
import time

sys.dont_write_bytecode = True
import builds  # noqa: E402
import operators  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("killed", "survived", "not covered", "equivalent", "same code", "not compiled")
TRIED = COLUMNS[:3]     # the others are drawn anew


def log(text):
    print(text, flush=True)


# --- the draw ---

def find_all(root, only):
    """The mutations of the plugin's source files, {file: [mutation]}: of all, or of those whose path
    contains a word of `only`."""
    names = [str(path.relative_to(root)) for path in sorted((root / "gst").rglob("*.c"))]
    return {name: list(operators.find_mutations(name, (root / name).read_text())) for name in names
            if not only or any(word in name for word in only)}


def draw(found, seed):
    """Every line once, in the order of the seed, with one of its mutations."""
    rng = random.Random(seed)
    lines = collections.defaultdict(list)
    for file, mutations in found.items():
        for mutation in mutations:
            lines[file, mutation.line].append(mutation)
    order = sorted(lines)
    rng.shuffle(order)
    return [rng.choice(lines[key]) for key in order]


# --- what is equivalent ---

def read_equivalent(path):
    """The entries of equivalent.txt, {(file, operator, before, after): reason}. An entry is a line
    `FILE: OPERATOR`, the line `- BEFORE`, the line `+ AFTER`, and the reason, indented."""
    entries = {}
    blocks = [[]]
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("#"):
            continue
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    for block in filter(None, blocks):
        head, before, after, *reason = (line.strip() for line in block)
        file, _, operator = head.partition(": ")
        if not before.startswith("- ") or not after.startswith("+ ") or not reason:
            raise SystemExit(f"{path}: an entry without its lines or its reason: {head}")
        entries[file, operator, before[2:], after[2:]] = " ".join(reason)
    return entries


def get_key(mutation):
    return mutation.file, mutation.operator, mutation.before, mutation.after


def find_unused(entries, found):
    """The entries that match no mutation of the sources of today."""
    offered = {get_key(m) for mutations in found.values() for m in mutations}
    return [key for key in entries if key not in offered]


# --- the check ---

class Check:
    def __init__(self, root, folder, entries, jobs):
        folder.mkdir(parents=True, exist_ok=True)
        self.root, self.entries, self.jobs = root, entries, jobs
        self.coverage = builds.Coverage(root, folder, log, jobs)
        self.copies = queue.Queue()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for copy in pool.map(lambda n: builds.Copy(root, folder / f"copy-{n}"), range(jobs)):
                self.copies.put(copy)
        self.results = []       # (mutation, outcome, by which test)
        self.lock = threading.Lock()

    def try_mutation(self, mutation):
        if get_key(mutation) in self.entries:
            return "equivalent", self.entries[get_key(mutation)]
        tests = self.coverage.get_tests(mutation, (self.root / mutation.file).read_text())
        copy = self.copies.get()
        try:
            outcome, test = copy.try_mutation(mutation, tests, self.coverage.get_seconds)
        finally:
            self.copies.put(copy)
        return ("not covered", None) if outcome == "survived" and not tests else (outcome, test)

    def count_tried(self):
        return sum(outcome in TRIED for _, outcome, _ in self.results)

    def run(self, mutations, count):
        """Tries mutations until `count` of them could be judged."""
        started, drawn = time.monotonic(), iter(mutations)

        def work():
            while True:
                with self.lock:
                    mutation = next(drawn, None) if self.count_tried() + self.under_way < count else None
                    self.under_way += mutation is not None
                if mutation is None:
                    return
                outcome, test = self.try_mutation(mutation)
                with self.lock:
                    self.under_way -= 1
                    self.results.append((mutation, outcome, test))
                    self.report(count, time.monotonic() - started)

        self.under_way = 0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for future in [pool.submit(work) for _ in range(self.jobs)]:
                future.result()

    def report(self, count, seconds):
        mutation, outcome, test = self.results[-1]
        tried = self.count_tried()
        left = seconds / tried * (count - tried) if tried else 0
        log(f"[{tried}/{count}, {left / 60:.0f} min left] {outcome:12} {mutation.file}:{mutation.line}: "
            f"{mutation.operator}{f' by {test}' if test and outcome == 'killed' else ''}")


def get_share(counts):
    tried = sum(counts[name] for name in TRIED)
    return 100 * counts["killed"] / tried if tried else 100.0


def print_table(results):
    """Per file, per room and in total; returns the share that was killed."""
    rows = collections.defaultdict(collections.Counter)
    for mutation, outcome, _ in results:
        for row in (mutation.file, str(pathlib.Path(mutation.file).parent) + "/", "total"):
            rows[row][outcome] += 1
    print(f"{'':46}{''.join(f'{name:>13}' for name in COLUMNS)}{'share':>7}")
    for row in sorted(rows, key=lambda row: (row == "total", row.endswith("/"), row)):
        print(f"{row:46}{''.join(f'{rows[row][name]:13}' for name in COLUMNS)}{get_share(rows[row]):6.0f}%")
    return get_share(rows["total"])


def print_survivors(results):
    order = sorted(results, key=lambda result: (result[0].file, result[0].line))
    for mutation, outcome, _ in order:
        if outcome in ("survived", "not covered"):
            print(f"{outcome}: {mutation.describe()}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--equivalent", type=pathlib.Path, default=HERE / "equivalent.txt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bar", type=float, default=85.0)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--match", action="store_true")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    found = find_all(root, options.only)
    entries = read_equivalent(options.equivalent)
    unused = find_unused(entries, find_all(root, []))
    for file, operator, before, after in unused:
        print(f"equivalent.txt: no such mutation: {file}: {operator}\n  - {before}\n  + {after}")
    if options.match:
        print(f"{len(entries)} equivalent mutations, {len(unused)} of them unknown")
        return 1 if unused else 0
    drawn = draw(found, options.seed)
    if options.list:
        print("\n".join(mutation.describe() for mutation in drawn[:options.count]))
        return 0
    check = Check(root, (options.build or root / "build-mutation").resolve(), entries, options.jobs)
    check.run(drawn, options.count)
    print_survivors(check.results)
    share = print_table(check.results)
    print(f"{share:.1f} % killed, {options.bar:g} % are due")
    return 0 if share >= options.bar and not unused else 1


if __name__ == "__main__":
    sys.exit(main())
