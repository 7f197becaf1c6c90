"""Judges rows and statements: each has a verdict with its confidence interval, and a miss is explained
by a run in which one thing is changed or not at all.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
from dataclasses import dataclass

from model import Stat, spread

HOLDS, NOISE, MISSES, FEW = "holds", "within noise", "misses", "too few flows"
DIFFERS, CONTRADICTED, NOT_RUN = "differs", "contradicted", "not run"
WRONG = (MISSES, FEW, DIFFERS, CONTRADICTED, NOT_RUN)
PRECISION = 0.05                # the largest standard error of a row that is held to an estimate


def place(value, margin, low, high):
    """Where a confidence interval is to two limits. One that reaches over a limit is neither inside nor
    outside, as one seed more may move it."""
    if math.isnan(value):
        return NOT_RUN
    if value + margin < low or value - margin > high:
        return MISSES
    return HOLDS if low <= value - margin and value + margin <= high else NOISE


def judge_bound(bound, stat):
    if bound.error is not None and stat.se > PRECISION * stat.mean:
        return FEW
    return place(stat.mean, stat.margin, *bound.limits(stat.se))


def worst(verdicts):
    """Of several bounds."""
    for one in (FEW, MISSES, NOISE, HOLDS):
        if one in verdicts:
            return one
    return ""


def judge_row(row, stat):
    return worst([judge_bound(bound, stat) for bound in row.bounds])


@dataclass
class Miss:
    row: object
    stat: Stat
    bound: object
    verdict: str
    cause: Stat                 # what the run with one change gave, or None
    explained: bool             # that run is inside the bound


def find_cause(row, results):
    return results.stats.get((row.key, row.cause[0], row.metric)) if row.cause else None


def misses(results):
    """The rows that miss, each with what its one-change run gave."""
    for key, stat in results.stats.items():
        row = results.rows[key]
        for bound in row.bounds:
            verdict = judge_bound(bound, stat)
            if verdict not in WRONG:
                continue
            cause = find_cause(row, results)
            low, high = bound.limits(cause.se) if cause else (0, 0)
            yield Miss(row, stat, bound, verdict, cause,
                       verdict == MISSES and cause is not None and low <= cause.mean <= high
                       and judge_bound(bound, cause) != FEW)


@dataclass
class Statement:
    claim: object
    value: float
    margin: float
    number: float               # the paper's, or NaN
    verdict: str
    cause: float                # the number with one change, or NaN
    explained: bool

    @property
    def kind(self):
        """number: held to the paper's figure; direction: to its words alone; watch: ours."""
        if not math.isnan(self.number):
            return "number"
        return "direction" if self.claim.says else "watch"


def evaluate(function, results):
    """NaN when what it is about was not run."""
    try:
        return float(function(results))
    except (ZeroDivisionError, ValueError, KeyError):
        return math.nan


def get_number(claim, printed):
    """The paper's figure: given, or the same function of the printed rows."""
    number = evaluate(claim.value, printed) if claim.number is None and not claim.watch else claim.number
    return number if number is not None and math.isfinite(number) and number > 0 else math.nan


def judge_number(claim, number, value, margin):
    if math.isnan(value):
        return NOT_RUN
    if claim.watch:
        return place(value, margin, *claim.watch)
    by_words = place(value, margin, *claim.says) if claim.says else HOLDS
    by_figure = HOLDS if math.isnan(number) else place(
        value, margin, number / claim.factor, number * claim.factor)
    if by_words == MISSES:
        return CONTRADICTED
    if by_figure == MISSES:
        return DIFFERS
    return NOISE if NOISE in (by_words, by_figure) else HOLDS


def judge_claims(claims, results):
    """[Statement] of an experiment's claims."""
    found = spread(lambda r: {i: evaluate(c.value, r) for i, c in enumerate(claims)}, results)
    printed = results.printed()
    for i, claim in enumerate(claims):
        (value, margin), number = found[i], get_number(claim, printed)
        verdict = judge_number(claim, number, value, margin)
        cause = evaluate(claim.cause[1], results) if claim.cause else math.nan
        explained = verdict in (DIFFERS, CONTRADICTED) and judge_number(
            claim, number, cause, 0.0) in (HOLDS, NOISE)
        yield Statement(claim, value, margin, number, verdict, cause, explained)


def count(found):
    """(rows and statements that miss, those of them that no run explains)"""
    wrong = unexplained = 0
    for _, results in found:
        for miss in misses(results):
            wrong, unexplained = wrong + 1, unexplained + (not miss.explained)
        for one in results.claims:
            bad = one.verdict in WRONG and one.kind != "watch"
            wrong, unexplained = wrong + bad, unexplained + (bad and not one.explained)
    return wrong, unexplained
