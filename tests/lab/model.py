"""What an experiment is: rows to measure, bounds to keep, claims to check.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
from dataclasses import dataclass, field


@dataclass
class Bound:
    """Ours is held to lo..hi times `reference` (plus or minus `slack`)."""
    against: str
    reference: float
    lo: float
    hi: float
    slack: float = 0.0

    def holds(self, value):
        return (self.lo * self.reference - self.slack <= value
                <= self.hi * self.reference + self.slack)

    def __str__(self):
        if self.slack:
            return f"{self.against} ± {self.slack:g}"
        return f"{self.lo:g}-{self.hi:g} of {self.against}"


@dataclass
class Row:
    """One cell: what was published, and the run that measures ours."""
    key: str                    # the row's name in the paper
    flow: str
    metric: str
    run: dict                   # parameters of the stage; "stage" names it
    pick: object                # (flow, metric) in the stage's output, or a function of it all
    x: float = None             # place on the plot's axis
    published: float = None
    ns2: tuple = None           # mean, min, max
    rules: float = None         # what the rules alone give, where that was worked out
    bounds: list = field(default_factory=list)
    quick: tuple = None         # (lo, hi): part of --quick, held to this
    why: str = ""               # said when the row misses
    comparators: list = field(default_factory=list)     # (flow, what it changes): may decide a miss
    scale: float = 1.0          # from the stage's unit to the paper's


@dataclass
class Claim:
    """A statement of the paper as a number that must lie in lo..hi."""
    text: str
    value: object               # function of Results
    lo: float
    hi: float
    why: str = ""               # said when it misses, or a function of Results that says it
    quick: tuple = None
    own: bool = False           # lo..hi are not the paper's but were set with our figure in view


@dataclass
class Experiment:
    name: str
    title: str
    setup: str                  # a paragraph
    rows: list
    claims: list = field(default_factory=list)
    derive: object = None       # function of Results giving more rows with values
    seeds: int = 5
    xlabel: str = ""
    logx: bool = False
    logy: bool = True


@dataclass
class Stat:
    """Over the seeds."""
    values: list

    @property
    def mean(self):
        return sum(self.values) / len(self.values)

    @property
    def min(self):
        return min(self.values)

    @property
    def max(self):
        return max(self.values)


class Results:
    """What was measured in one experiment, by (row, flow, metric)."""

    def __init__(self):
        self.stats, self.rows = {}, {}

    def add(self, row, stat):
        self.rows[row.key, row.flow, row.metric] = row
        self.stats[row.key, row.flow, row.metric] = stat

    def mean(self, key, flow, metric):
        """NaN for what was not run: a claim about it is not judged."""
        stat = self.stats.get((str(key), flow, metric))
        return stat.mean if stat else math.nan

    def keys(self, flow, metric):
        return [k for k, f, m in self.stats if f == flow and m == metric]

    def curve(self, flow, x_metric, y_metric):
        """(x, y) by rising x: a metric as a function of another."""
        points = [(self.mean(k, flow, x_metric), self.mean(k, flow, y_metric))
                  for k in self.keys(flow, y_metric)]
        return sorted(p for p in points if not any(map(math.isnan, p)))


def interpolate(curve, x):
    """log y at x on a curve, straight between its points; NaN outside it."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1:
            share = 0 if x1 == x0 else (x - x0) / (x1 - x0)
            return math.exp((1 - share) * math.log(max(y0, 1e-9))
                            + share * math.log(max(y1, 1e-9)))
    return math.nan
