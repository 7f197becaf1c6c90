"""The rows of a run as CSV: written by each run, and read again to judge them without running.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import csv
import math

import judge
from model import Stat

COLUMNS = ["experiment", "row", "flow_type", "metric", "published", "ns2_mean", "ns2_min", "ns2_max", "rules",
           "ours_mean", "ours_min", "ours_max", "seeds", "standard_error", "margin", "verdict", "values"]


def show(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.3g}"


def write(path, found):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for experiment, results in found:
            for key, stat in results.stats.items():
                row = results.rows[key]
                out.writerow([experiment.name, row.key, row.flow, row.metric, show(row.published),
                              *map(show, row.ns2 or (None, None, None)), show(row.rules), show(stat.mean),
                              show(stat.min), show(stat.max), stat.seeds, show(stat.se), show(stat.margin),
                              judge.judge_row(row, stat), " ".join(f"{v:.6g}" for v in stat.values)])


def parse(line):
    """A row that keeps no values of its seeds has its standard error from their range."""
    mean, low, high = (float(line[f"ours_{name}"]) for name in ("mean", "min", "max"))
    seeds = int(line["seeds"])
    if not line.get("margin"):
        return Stat.of_range(mean, low, high, seeds)
    values = tuple(map(float, line["values"].split()))
    return Stat(mean, low, high, seeds, float(line["standard_error"]), float(line["margin"]), values)


def read(path):
    """{(experiment, row, flow, metric): Stat}"""
    with open(path, newline="") as file:
        return {(line["experiment"], line["row"], line["flow_type"], line["metric"]): parse(line)
                for line in csv.DictReader(file)}
