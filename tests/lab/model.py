"""What an experiment is: rows to measure, bounds to keep, statements to check; and how sure a number is.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
from dataclasses import dataclass, field, replace

# Two-sided 95 % of Student's distribution by degrees of freedom; 1.96 beyond.
T95 = (math.nan, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
# The mean range of n normal values, in standard deviations.
RANGE = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326, 6: 2.534, 7: 2.704, 8: 2.847, 9: 2.970, 10: 3.078}


def t95(seeds):
    return T95[seeds - 1] if seeds <= len(T95) else 1.96


@dataclass
class Bound:
    """A row is held to lo..hi times `reference`, plus or minus `slack`. A reference that is itself an
    estimate has its standard error as `error`: then three times both standard errors together are
    allowed, if that is wider."""
    against: str
    reference: float
    lo: float
    hi: float
    slack: float = 0.0
    error: float = None

    def limits(self, se=0.0):
        wide = 0.0 if self.error is None else 3 * math.hypot(self.error, se)
        return (min(self.lo * self.reference - self.slack, self.reference - wide),
                max(self.hi * self.reference + self.slack, self.reference + wide))


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
    rules: float = None         # what a model of the RFCs alone gives
    bounds: list = field(default_factory=list)
    quick: object = None        # part of --quick: (lo, hi), or True for its bounds
    cause: tuple = None         # (flow, what one change it shows): the run that may decide a miss
    scale: float = 1.0          # from the stage's unit to the paper's


@dataclass
class Claim:
    """A statement of the paper as a number. `says` are the limits in the statement's own words, and
    `number` is the paper's figure, which ours may differ from by `factor` either way; by default it is
    the same function of the printed rows, where all of these are printed. A claim that has neither
    is ours: `watch` are limits that tell of a change and prove nothing."""
    text: str
    value: object               # function of Results
    says: tuple = None
    number: float = None
    factor: float = 1.5
    watch: tuple = None
    cause: tuple = None         # (what one change, the function of Results with that change)
    quick: tuple = None


MORE, LESS = (1.0, math.inf), (0.0, 1.0)        # what a statement without a number says of a ratio


@dataclass
class Experiment:
    name: str
    title: str
    setup: str                  # a paragraph
    rows: list
    claims: list = field(default_factory=list)
    derive: object = None       # function of Results giving more rows with values
    beside: object = None       # function of Results giving lines of the paper's page
    seeds: int = 5
    xlabel: str = ""
    logx: bool = False
    logy: bool = True


@dataclass
class Stat:
    """A mean over seeds, its standard error `se` and the half width `margin` of its 95 % confidence
    interval. `values` has each seed's value where these are known."""
    mean: float
    min: float
    max: float
    seeds: int
    se: float
    margin: float
    values: tuple = ()

    @classmethod
    def of(cls, values, errors=(), alone=0.0):
        """`errors` are the standard errors within each seed, from the flows of that run; `alone` is the
        standard error of a single value, which is infinite where chance has a part in it."""
        n, mean = len(values), sum(values) / len(values)
        if errors:
            se = math.hypot(*errors) / n
            margin = 1.96 * se
        elif n > 1:
            se = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)
            margin = t95(n) * se
        else:
            se = margin = alone
        return cls(mean, min(values), max(values), n, se, margin, tuple(values))

    @classmethod
    def of_range(cls, mean, low, high, seeds):
        """From a row of which only the range is kept: the mean range tells the standard deviation."""
        se = (high - low) / RANGE[seeds] / math.sqrt(seeds) if seeds > 1 else 0.0
        return cls(mean, low, high, seeds, se, t95(seeds) * se if se else 0.0)

    def without(self, i):
        return Stat.of(self.values[:i] + self.values[i + 1:])


class Results:
    """What was measured in one experiment, by (row, flow, metric)."""

    def __init__(self):
        self.stats, self.rows, self.claims = {}, {}, []
        self.kept = 0           # rows that are from the CSV of an earlier run

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

    def with_stats(self, stats):
        other = Results()
        other.rows, other.stats = self.rows, stats
        return other

    def printed(self):
        """The paper's own figures in place of ours."""
        return self.with_stats({key: Stat.of([row.published]) for key, row in self.rows.items()
                                if row.published is not None})


def spread(numbers, results):
    """{name: (number, margin)} of `numbers`, a function of Results that returns {name: number}. The
    margin is by the jackknife where each seed's values are known, and otherwise from the standard
    errors of the rows, as if they were independent."""
    base = numbers(results)
    noisy = {key: stat for key, stat in results.stats.items() if stat.se > 0}
    seeds = min((stat.seeds for stat in noisy.values()), default=0)
    whole = seeds > 2 and all(len(stat.values) == seeds for stat in noisy.values())
    squares = dict.fromkeys(base, 0.0)
    if whole:
        each = [numbers(results.with_stats({**results.stats, **{k: s.without(i) for k, s in noisy.items()}}))
                for i in range(seeds)]
        for name in base:
            values = [one.get(name, math.nan) for one in each]
            mean = sum(values) / seeds
            squares[name] = (seeds - 1) / seeds * sum((v - mean) ** 2 for v in values)
    else:
        for key, stat in noisy.items():
            known = math.isfinite(stat.se)
            moved = replace(stat, mean=stat.mean + (stat.se if known else 0.1 * abs(stat.mean)))
            found = numbers(results.with_stats({**results.stats, key: moved}))
            for name, value in base.items():
                change = found.get(name, math.nan) - value
                if math.isfinite(change) and change:
                    squares[name] += change ** 2 if known else math.inf
    factor = t95(max(2, seeds))
    return {name: (value, factor * math.sqrt(squares[name]) if math.isfinite(squares[name]) else math.inf)
            for name, value in base.items()}


def interpolate(curve, x):
    """log y at x on a curve, straight between its points; NaN outside it."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1:
            share = 0 if x1 == x0 else (x - x0) / (x1 - x0)
            return math.exp((1 - share) * math.log(max(y0, 1e-9))
                            + share * math.log(max(y1, 1e-9)))
    return math.nan
