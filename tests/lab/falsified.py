#!/usr/bin/python3
"""Tests that the lab sees a wrong engine: usage falsified.py [--tables].

Builds lab-vt with engines of which one line is false. Each must make the row miss that is named here, and of
all rows that then miss at least 95 % must be called unexplained: the lab may not find excuses. The rows are
those of the tables in which a flow of the engine stands alone: with --tables all of them, one seed, else those of
lab.py --quick.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ENGINE = HERE.parent.parent / "subprojects" / "tfrc"
sys.path[:0] = [str(HERE), str(ENGINE / "tests")]

import judge  # noqa: E402
import lab  # noqa: E402
from experiments import all_experiments  # noqa: E402
from mutate import get_pattern  # noqa: E402
from runner import Runner  # noqa: E402

TABLES = ("rfc4828-t07", "rfc4828-t08", "rfc4828-t09", "rfc4828-t10", "golden", "silence")
CFLAGS = ["-std=c11", "-O2", "-fno-math-errno", "-w", "-D_POSIX_C_SOURCE=200809L"]
UNEXPLAINED = 0.95              # the least share of what misses

# name: (file, old text, false text, a row that must miss)
FALSE = {
    "rate times 0.1": ("src/core/equation.c", "s < seconds * X_MAX ? s / seconds : X_MAX", "0.1 * s / seconds",
                       ("rfc4828-t09", "0.1", "std_tfrc", "send_rate_kbps")),
    "rate times 3": ("src/core/equation.c", "s < seconds * X_MAX ? s / seconds : X_MAX", "3.0 * s / seconds",
                     ("rfc4828-t09", "0.1", "std_tfrc", "send_rate_kbps")),
    "no halving": ("src/sender/transmit-rate.c", "if (idle && (path->R == 0", "if (1 || (path->R == 0",
                   ("silence", "100 ms, 10 s", "std_tfrc", "packets")),
    "4 X_recv": ("src/sender/transmit-rate.c", "recv_limit = 2.0 * tfrc_x_recv_set_get_max (set)",
                 "recv_limit = 4.0 * tfrc_x_recv_set_get_max (set)",
                 ("rfc4828-t08", "0.5", "tfrc_sp", "send_rate_kbps")),
    "N / (K + 1)": ("src/core/loss-interval-measure.c", "? N / K : N;\n\n  rtts", "? N / (K + 1) : N;\n\n  rtts",
                    ("rfc4828-t09", "0.2", "tfrc_sp", "send_rate_kbps")),
    "no discounting": ("src/receiver/loss-intervals.c", "if (!(I_0 > 2.0 * I_mean))", "if (1)",
                       ("rfc4828-t10", "0.020", "std_tfrc", "send_rate_kbps")),
}


def compile_all(sources, folder):
    """The object file of each source."""
    folder.mkdir()
    subprocess.run(["gcc", *CFLAGS, f"-I{ENGINE / 'include'}", "-c", *map(str, sources)], check=True, cwd=folder)
    return {source: folder / (source.stem + ".o") for source in sources}


def build(file, old, new, right, folder):
    """lab-vt with one text of the engine replaced, in `folder`; `right` has the objects of the right one."""
    shutil.copytree(ENGINE / "src", folder / "src")
    source = folder / file
    text, found = get_pattern(old).subn(lambda match: new, source.read_text())
    if not found:
        raise ValueError(f"{file} has no {old}")
    source.write_text(text)
    false = compile_all([source], folder / "false")
    program = folder / "lab-vt"
    objects = [*false.values(), *(path for of, path in right.items() if of != ENGINE / file)]
    subprocess.run(["gcc", *map(str, objects), "-lm", "-o", str(program)], check=True)
    return program


def find_missing(program, folder, tables):
    """{name of a row or statement that misses: whether a run explains it}"""
    words = ["--stage", "vt", "--seeds", "1"] + ([] if tables else ["--quick"])
    options = lab.parse(words)
    runner = Runner({"vt": str(program), "vt1": None}, str(folder / "runs"), 1)
    chosen = [e for e in all_experiments() if e.name in TABLES]
    found, failed = lab.measure(chosen, options, runner)
    if failed:
        raise RuntimeError(f"{len(failed)} runs failed")
    if tables:
        return {(experiment.name, miss.row.key, miss.row.flow, miss.row.metric): miss.explained
                for experiment, results in found for miss in judge.misses(results)}
    return {name: explained for name, holds, explained, _ in lab.check_quick(found) if not holds}


class Falsified(unittest.TestCase):
    tables = False

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        sources = [*(HERE / "vt").glob("*.c"), *(ENGINE / "src").rglob("*.c")]
        cls.right = compile_all(sources, pathlib.Path(holder.name) / "right")

    def check(self, name):
        file, old, new, row = FALSE[name]
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            missing = find_missing(build(file, old, new, self.right, folder), folder, self.tables)
        self.assertIn(row, missing)
        share = sum(not explained for explained in missing.values()) / len(missing)
        print(f"# {name}: {len(missing)} rows miss, {share:.0%} of them unexplained", flush=True)
        self.assertGreaterEqual(share, UNEXPLAINED)


def add_test(name):
    label = "".join(c if c.isalnum() else "_" for c in name)
    setattr(Falsified, "test_" + label, lambda self: self.check(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tables", action="store_true", help="the whole tables, not the rows of --quick")
    options, rest = parser.parse_known_args()
    Falsified.tables = options.tables
    for name in FALSE:
        add_test(name)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
