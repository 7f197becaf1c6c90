#!/usr/bin/python3
"""The lab: the papers' experiments with this engine. See docs/lab.md.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import fnmatch
import math
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import judge  # noqa: E402
import media  # noqa: E402
import report  # noqa: E402
import stored  # noqa: E402
from experiments import all_experiments  # noqa: E402
from model import Results, Stat, spread  # noqa: E402
from runner import Runner, job  # noqa: E402

SKIPPED = 77


def parse(words=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiment", nargs="*", help="names or patterns; all when none is given")
    parser.add_argument("--quick", action="store_true",
                        help="the rows that CI runs, one seed, each held to its limits")
    parser.add_argument("--full", action="store_true", help="every row and seed (the default)")
    parser.add_argument("--media", action="store_true", help="calls of adaptive media: docs/lab/media.md")
    parser.add_argument("--list", action="store_true", help="name the experiments")
    parser.add_argument("--stage", choices=["vt", "ns3"], help="only the rows of one stage")
    parser.add_argument("--no-run", action="store_true",
                        help="report what is on disk and run nothing")
    parser.add_argument("--rows", metavar="CSV",
                        help="the rows of an earlier run, for those that are not on disk")
    parser.add_argument("--rows-are", metavar="TEXT", help="what that CSV is from, said on the page")
    parser.add_argument("--csv", help="where the rows are written; results.csv in --out")
    parser.add_argument("--seeds", type=int, help="another number of seeds")
    parser.add_argument("--vt", help="the program lab-vt")
    parser.add_argument("--vt1", help="the program lab-vt-1, with NDUPACK = 1")
    parser.add_argument("--ns3", help="the program lab-ns3")
    parser.add_argument("--out", help="folder of the page, plots and CSV")
    parser.add_argument("--cache", help="folder of the runs already made")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="programs at once on this machine; 1 needs no Dask")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers run the programs")
    return parser.parse_args(words)


def chosen(options):
    every = list(all_experiments())
    if not options.experiment:
        return every
    picked = [e for e in every
              if any(fnmatch.fnmatch(e.name, pattern) for pattern in options.experiment)]
    for pattern in options.experiment:
        if not fnmatch.filter([e.name for e in every], pattern):
            sys.exit(f"no experiment {pattern}; --list names them")
    return picked


def rows_of(experiment, options, runner):
    for row in experiment.rows:
        if options.quick and row.quick is None:
            continue
        if options.stage and row.run["stage"].rstrip("1") != options.stage:
            continue
        if runner.has(row.run["stage"]):
            yield row


def seeds_of(experiment, options):
    return range(1, 1 + (options.seeds or (1 if options.quick else experiment.seeds)))


def most_seeds(experiments, options):
    return max((len(seeds_of(e, options)) for e in experiments), default=0)


def measure(experiments, options, runner):
    """Runs what is missing and returns [(experiment, results)]."""
    # Seed by seed, so that what an interrupted run leaves is every row with fewer seeds.
    jobs = dict.fromkeys(job(row.run, seed) for seed in range(1, 1 + most_seeds(experiments, options))
                         for e in experiments for row in rows_of(e, options, runner)
                         if seed in seeds_of(e, options))
    failed = {} if options.no_run else runner.run(list(jobs))
    kept = stored.read(options.rows) if options.rows else {}
    found = []
    for experiment in experiments:
        results = Results()
        for row in rows_of(experiment, options, runner):
            stat = get_stat(row, [runner.load(job(row.run, s)) for s in seeds_of(experiment, options)],
                            math.inf if experiment.seeds > 1 and not options.quick else 0.0)
            old = kept.get((experiment.name, row.key, row.flow, row.metric))
            older = old is not None and (stat is None or stat.seeds < min(2, old.seeds))
            if stat or old:
                results.add(row, old if older else stat)
                results.kept += older
        if experiment.derive and not options.quick:
            derive(experiment, results)
        results.claims = list(judge.judge_claims(
            [c for c in experiment.claims if not options.quick or c.quick], results))
        found.append((experiment, results))
    return found, failed


def get_stat(row, outputs, alone):
    """A row's values of each seed; a run of several flows tells its own standard error. `alone` is that of
    a single value."""
    values = [v for v in (pick(output, row) for output in outputs) if not math.isnan(v)]
    if not values:
        return None
    flow, metric = row.pick if isinstance(row.pick, tuple) else ("", "")
    errors = [output[flow][metric + "_se"] * row.scale for output in outputs
              if output and metric + "_se" in output.get(flow, {})]
    return Stat.of(values, errors if len(errors) == len(values) else (), alone)


def derive(experiment, results):
    """Adds the rows that are reckoned from others."""
    rows = {}

    def numbers(r):
        found = {(row.key, row.flow, row.metric): (row, stat.mean) for row, stat in experiment.derive(r)}
        rows.update({key: row for key, (row, _) in found.items() if key not in rows})
        return {key: mean for key, (_, mean) in found.items()}
    seeds = max((stat.seeds for stat in results.stats.values()), default=1)
    for key, (mean, margin) in spread(numbers, results).items():
        results.add(rows[key], Stat(mean, mean, mean, seeds, margin / 1.96, margin))


def pick(result, row):
    if result is None:
        return math.nan
    if callable(row.pick):
        return row.pick(result) * row.scale
    flow, metric = row.pick
    return result.get(flow, {}).get(metric, math.nan) * row.scale


def check_quick(found):
    """[(name, holds, whether a run explains it, what was found)] of each row and statement of --quick."""
    for experiment, results in found:
        explained = {(miss.row.key, miss.row.flow, miss.row.metric): miss.explained
                     for miss in judge.misses(results)}
        for key, row in results.rows.items():
            name, stat = (experiment.name, *key), results.stats[key]
            if row.quick is True:
                low, high = row.bounds[0].limits(stat.se)
                verdict = judge.judge_row(row, stat)
                yield name, verdict not in judge.WRONG, explained.get(key, False), (
                    f"{verdict}: {stat.mean:.5g} ± {stat.margin:.2g}, held to {low:.5g} to {high:.5g}")
            elif row.quick:
                low, high = row.quick
                yield name, low <= stat.mean <= high, False, f"{stat.mean:.5g}, not in {low:.5g} to {high:.5g}"
        for one in results.claims if results.stats else ():
            low, high = one.claim.quick
            yield ((experiment.name, one.claim.text), low <= one.value <= high, False,
                   f"{one.value:.5g}, not in {low:.5g} to {high:.5g}")


def judge_quick(found):
    """Prints each row against its quick limits; returns how many are outside."""
    checks = list(check_quick(found))
    outside = unexplained = 0
    for name, holds, explained, text in checks:
        if not holds:
            outside, unexplained = outside + 1, unexplained + (not explained)
            print(f"OUTSIDE {' '.join(name)}: {text}")
    print(f"{len(checks) - outside} of {len(checks)} quick checks hold, {unexplained} are outside and unexplained")
    return outside if checks else 1


def judge_full(found):
    """Counts what misses; a miss that no run explains fails the command."""
    wrong, unexplained = judge.count(found)
    print(f"{wrong} rows and statements miss, {unexplained} of them without a run that explains it")
    return unexplained


def spent(found, options, runner):
    """How many runs the results come from, and their processor time."""
    jobs = {job(row.run, seed) for experiment, _ in found
            for row in rows_of(experiment, options, runner) for seed in seeds_of(experiment, options)}
    times = [r["run"]["cpu_s"] for r in map(runner.load, jobs) if r]
    return {"runs": len(times), "minutes": sum(times) / 60}


NOTE = """From {runs} runs of these programs, with at most {seeds} seeds, which took {minutes:.0f} minutes of processor
time: {programs}."""
KEPT = """ {kept} of the {all} rows are older: they are from {rows}."""


def get_note(found, options, runner):
    """Which runs the results are from."""
    kept, every = (sum(count(r) for _, r in found) for count in (lambda r: r.kept, lambda r: len(r.stats)))
    programs = ", ".join(f"{os.path.basename(runner.programs[s])} {stamp}" for s, stamp in runner.stamps.items())
    seeds = most_seeds([experiment for experiment, _ in found], options)
    note = NOTE.format(programs=programs, seeds=seeds, **spent(found, options, runner))
    return note + (KEPT.format(kept=kept, all=every, rows=options.rows_are or options.rows) if kept else "")


def main():
    options = parse()
    if options.list:
        for experiment in all_experiments():
            print(f"{experiment.name:24} {experiment.title}")
        return 0
    programs = {"vt": options.vt, "vt1": options.vt1, "ns3": options.ns3}
    if options.stage and not programs[options.stage]:
        print(f"the {options.stage} stage is not built")
        return SKIPPED
    out = options.out or os.path.join(HERE, "out")
    runner = Runner(programs, options.cache or os.path.join(out, "runs"), options.jobs,
                    options.scheduler)
    if options.media:
        return media.main(options, runner, out)
    begin = time.monotonic()
    found, failed = measure(chosen(options), options, runner)
    if not runner.has("ns3"):
        print("without the ns-3 stage: install libns3-dev for its rows")
    if options.quick:
        return 1 if judge_quick(found) or failed else 0
    rows = options.csv or os.path.join(out, "results.csv")
    report.write_all(out, rows, found, get_note(found, options, runner))
    print(f"{out}/lab-results.md, {rows}; {time.monotonic() - begin:.0f} s")
    return 1 if judge_full(found) or failed else 0


if __name__ == "__main__":
    sys.exit(main())
