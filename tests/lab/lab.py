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

import report  # noqa: E402
from experiments import all_experiments  # noqa: E402
from model import Results, Stat  # noqa: E402
from runner import Runner, job  # noqa: E402

SKIPPED = 77


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiment", nargs="*", help="names or patterns; all when none is given")
    parser.add_argument("--quick", action="store_true",
                        help="the rows that CI runs, one seed, each held to its limits")
    parser.add_argument("--full", action="store_true", help="every row and seed (the default)")
    parser.add_argument("--list", action="store_true", help="name the experiments")
    parser.add_argument("--stage", choices=["vt", "ns3"], help="only the rows of one stage")
    parser.add_argument("--no-run", action="store_true",
                        help="report what is on disk and run nothing")
    parser.add_argument("--seeds", type=int, help="another number of seeds")
    parser.add_argument("--vt", help="the program lab-vt")
    parser.add_argument("--vt1", help="the program lab-vt-1, with NDUPACK = 1")
    parser.add_argument("--ns3", help="the program lab-ns3")
    parser.add_argument("--out", help="folder of the page, plots and CSV")
    parser.add_argument("--cache", help="folder of the runs already made")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="programs at once on this machine; 1 needs no Dask")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers run the programs")
    return parser.parse_args()


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
    found = []
    for experiment in experiments:
        results = Results()
        for row in rows_of(experiment, options, runner):
            values = [pick(runner.load(job(row.run, s)), row) for s in seeds_of(experiment, options)]
            values = [v for v in values if not math.isnan(v)]
            if values:
                results.add(row, Stat(values))
        if experiment.derive and not options.quick:
            for row, stat in experiment.derive(results):
                results.add(row, stat)
        results.claims = [(c, evaluate(c, results)) for c in experiment.claims
                          if not options.quick or c.quick]
        found.append((experiment, results))
    return found, failed


def evaluate(claim, results):
    """NaN when what the claim is about was not run."""
    try:
        return claim.value(results)
    except (ZeroDivisionError, ValueError, KeyError):
        return math.nan


def pick(result, row):
    if result is None:
        return math.nan
    if callable(row.pick):
        return row.pick(result) * row.scale
    flow, metric = row.pick
    return result.get(flow, {}).get(metric, math.nan) * row.scale


def judge_quick(found):
    """Prints each row against its quick limits; returns how many are outside."""
    total = outside = 0
    for experiment, results in found:
        checks = [(f"{r.key} {r.flow} {r.metric}", results.stats[k].mean, r.quick)
                  for k, r in results.rows.items() if r.quick]
        checks += [(c.text, v, c.quick) for c, v in results.claims if not math.isnan(v)]
        for name, value, (low, high) in checks:
            total += 1
            if not low <= value <= high:
                outside += 1
                print(f"OUTSIDE {experiment.name} {name}: {value:.5g}, not in "
                      f"{low:.5g} to {high:.5g}")
    print(f"{total - outside} of {total} quick checks hold")
    return outside if total else 1


def judge_full(found):
    """Counts what misses; a miss that no sentence explains fails the run, and so does a
    statement that could not be judged."""
    misses = unexplained = 0
    for _, results in found:
        for key, stat in results.stats.items():
            row = results.rows[key]
            broken = report.verdict(row, stat)[1]
            misses += bool(broken)
            unexplained += any(not report.explained(row, stat, b, results) for b in broken)
        for claim, value in results.claims:
            state = report.claim_state(claim, value)
            misses += state != "ok"
            unexplained += state == "not run" or (state == "misses" and not claim.why)
    print(f"{misses} rows and statements miss their bounds, {unexplained} without an explanation")
    return unexplained


def spent(found, options, runner):
    """How many runs the results come from, and their processor time."""
    jobs = {job(row.run, seed) for experiment, _ in found
            for row in rows_of(experiment, options, runner) for seed in seeds_of(experiment, options)}
    times = [r["run"]["cpu_s"] for r in map(runner.load, jobs) if r]
    return {"runs": len(times), "minutes": sum(times) / 60}


NOTE = """Generated by `tests/lab/run.sh` from {runs} runs that took {minutes:.0f} minutes of
processor time; do not edit. Circles in the plots are the published figures, dotted lines ns-2's,
lines with a band ours: mean, minimum and maximum of the seeds. What the bounds mean and what is not
simulated: [lab.md](lab.md). Limits with a † are not the paper's: they were set with our figure in
view and only watch it."""


def main():
    options = arguments()
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
    begin = time.monotonic()
    found, failed = measure(chosen(options), options, runner)
    if not runner.has("ns3"):
        print("without the ns-3 stage: install libns3-dev for its rows")
    if options.quick:
        return 1 if judge_quick(found) or failed else 0
    report.write_all(out, "lab", found, NOTE.format(**spent(found, options, runner)))
    print(f"{out}/lab-results.md, {out}/lab/results.csv; {time.monotonic() - begin:.0f} s")
    return 1 if judge_full(found) or failed else 0


if __name__ == "__main__":
    sys.exit(main())
