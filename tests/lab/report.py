"""The page of results and a page per paper, from rows and statements that were judged.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import os

import judge
import plots
import stored
from stored import show

# page: (title, the names of its experiments begin so)
PAPERS = {
    "single-flow": ("The engine alone: RFC 5348 and ns-2's traces", ("golden", "silence")),
    "rfc4828": ("RFC 4828: TFRC for small packets", ("rfc4828",)),
    "wbl04": ("Widmer, Boutremans, Le Boudec 2004 (WBL04): variable packet sizes", ("wbl04",)),
    "gtfrc": ("gTFRC (draft-lochin-ietf-tsvwg-gtfrc-00)", ("gtfrc",)),
    "ftcp": ("FTCP (draft-hong-ftcp-00)", ("ftcp",)),
    "hassan": ("S. Hassan: TCP-friendliness of RAP and TFRC", ("hassan",)),
    "rfc8867": ("RFC 8867 and RFC 8868: interactive real-time media", ("rfc8867", "rfc8868")),
}
VERDICTS = (judge.HOLDS, judge.NOISE, judge.MISSES, judge.FEW)
SHOWN = 3                       # rows that miss, by name, on the first page


def paper_of(experiment):
    return next(page for page, (_, names) in PAPERS.items()
                if any(experiment.name.startswith(name) for name in names))


def quantile(values, share):
    at = share * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def ratios(results, reference):
    """Median and 10 to 90 % of ours to `reference`, a function of a row."""
    found = [(key[1], stat.mean / reference(results.rows[key])) for key, stat in results.stats.items()
             if not plots.BESIDE.search(key[1]) and reference(results.rows[key])]
    ours = [ratio for flow, ratio in found if "tcp" not in flow]
    found = sorted(ours or [ratio for _, ratio in found])
    if not found:
        return ""
    return f"{quantile(found, 0.5):.2f} ({quantile(found, 0.1):.2f}-{quantile(found, 0.9):.2f})"


def reference_of(row):
    """What a row is held to, unless that is the print itself or no figure."""
    bound = row.bounds[0] if row.bounds else None
    if bound and bound.lo > 0 and bound.reference != row.published:
        return bound.reference
    return None


def tally(found, names):
    return " / ".join(str(found.count(name)) for name in names)


def summary_line(experiment, results):
    rows = [judge.judge_row(results.rows[k], s) for k, s in results.stats.items() if results.rows[k].bounds]
    said = [one.verdict for one in results.claims if one.kind == "number"]
    ways = [one.verdict for one in results.claims if one.kind == "direction"]
    cells = [f"[{experiment.name}](lab/{paper_of(experiment)}.md#{experiment.name})", str(len(results.stats)),
             ratios(results, reference_of), ratios(results, lambda row: row.published),
             tally(rows, VERDICTS[:3]) + (f" +{rows.count(judge.FEW)} few" if judge.FEW in rows else "")
             if rows else "",
             tally(said, (judge.HOLDS, judge.NOISE, judge.DIFFERS, judge.CONTRADICTED)) if said else "",
             tally(ways, (judge.HOLDS, judge.NOISE, judge.CONTRADICTED)) if ways else "",
             f"[plot](lab/{experiment.name}.png)" if results.stats else ""]
    return "| " + " | ".join(cells) + " |"


def tested(miss, row):
    """What the run with one change shows."""
    if miss.cause is None:
        return "unexplained"
    moved = f"with {row.cause[1]} it is {show(miss.cause.mean)}"
    return f"explained: {moved}" if miss.explained else f"unexplained ({moved})"


def row_line(miss):
    low, high = miss.bound.limits(miss.stat.se)
    return (f"{miss.row.key} {miss.row.flow} {miss.row.metric}: {show(miss.stat.mean)} ± {show(miss.stat.margin)}, "
            f"held to {show(low)} to {show(high)} ({miss.bound.against} {show(miss.bound.reference)}); "
            f"{miss.verdict}, {tested(miss, miss.row)}")


def cause_of(one):
    if one.verdict not in judge.WRONG or one.kind == "watch":
        return ""
    if math.isnan(one.cause):
        return "unexplained"
    moved = f"with {one.claim.cause[0]} it is {show(one.cause)}"
    return f"explained: {moved}" if one.explained else f"unexplained ({moved})"


def limits_of(one):
    if one.kind == "watch":
        return f"{show(one.claim.watch[0])} to {show(one.claim.watch[1])} †"
    parts = []
    if one.claim.says:
        low, high = one.claim.says
        parts.append(f"at least {show(low)}" if high == math.inf else f"at most {show(high)}" if low == 0
                     else f"{show(low)} to {show(high)}")
    if not math.isnan(one.number):
        parts.append(f"{show(one.number)}, times {one.claim.factor:g} either way")
    return "; ".join(parts)


def statement_lines(results):
    if not results.claims:
        return
    yield "| statement | ours, 95 % | held to | verdict | tested cause |"
    yield "| --- | --- | --- | --- | --- |"
    for one in results.claims:
        verdict = one.verdict if one.kind != "watch" else {
            judge.MISSES: "outside †", judge.HOLDS: "inside †"}.get(one.verdict, one.verdict + " †")
        yield (f"| {one.claim.text} | {show(one.value)} ± {show(one.margin)} | {limits_of(one)} | {verdict} | "
               f"{cause_of(one)} |")


def miss_lines(experiment, results):
    """What misses in an experiment, for the first page."""
    rows = list(judge.misses(results))
    said = [one for one in results.claims if one.verdict in judge.WRONG and one.kind != "watch"]
    if not rows and not said:
        return
    explained = sum(m.explained for m in rows) + sum(one.explained for one in said)
    parts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((len(rows), "row"), (len(said), "statement")) if n]
    yield f"- **{experiment.name}**: {' and '.join(parts)}, {explained} explained."
    for miss in rows[:SHOWN]:
        yield f"  - {row_line(miss)}"
    if len(rows) > SHOWN:
        yield f"  - and {len(rows) - SHOWN} more, [named here](lab/{paper_of(experiment)}.md#{experiment.name})"
    for one in said:
        yield (f"  - {one.verdict}: {one.claim.text}: {show(one.value)} ± {show(one.margin)}, held to "
               f"{limits_of(one)}; {cause_of(one)}")


FIRST = """# What the lab measured

Generated by `tests/lab/run.sh`; do not edit. [lab.md](lab.md) says how to run it and what is not simulated.
Calls of adaptive voice and video have [a page of their own](lab/media.md).

{note}

How to read it: *to the reference* is the median, and the range from 10 to 90 %, of our figure to the
reference of the row: a model of the RFCs, or the flow that the paper compares with. *To the print* is the same
to the figure that the paper prints, for the flows of this engine, or for TCP where there is no other.
A row or statement *holds* when the whole 95 % confidence interval is
inside its limits and *misses* when all of it is outside; between the two it is *within noise*. A statement
*differs* when it is farther from the paper's number than the factor allows, and is *contradicted* when our
figure is on the other side of its words. *Directions* are statements without a number. Limits of ours (†) watch
for changes and are not counted. A miss is *explained* only by a run in which one thing was changed and which is
inside the limits. In the plots | is the print, _ ns-2 and x the model of the RFCs; bars are 95 % intervals;
faint points are runs with one thing changed.

{total}
"""

HEAD = ("| experiment | rows | to the reference | to the print | rows: hold / noise / miss | "
        "numbers: hold / noise / differ / contradicted | directions: hold / noise / contradicted | |")


def write_first(path, found, note):
    wrong, unexplained = judge.count(found)
    total = (f"In all {wrong} rows and statements miss, and {wrong - unexplained} of these are explained by a run.")
    lines = [FIRST.format(note=note, total=total), HEAD, "|" + " --- |" * (HEAD.count("|") - 1)]
    lines += [summary_line(*one) for one in found]
    lines += ["", "## What misses", ""]
    for one in found:
        lines += miss_lines(*one)
    put(path, lines)


def write_paper(path, page, found):
    lines = [f"# {PAPERS[page][0]}", "",
             "Generated by `tests/lab/run.sh`; do not edit. [lab-results.md](../lab-results.md) says how to read it."]
    for experiment, results in found:
        lines += ["", f"## {experiment.name}", "", f"**{experiment.title}**", "", experiment.setup, "",
                  f"![{experiment.name}]({experiment.name}.png)", ""]
        lines += statement_lines(results)
        if experiment.beside:
            lines += ["", *experiment.beside(results)]
        rows = [f"- {row_line(miss)}" for miss in judge.misses(results)]
        lines += ["", "Rows that miss:", ""] + rows if rows else []
    put(path, lines)


def put(path, lines):
    text = "\n".join(lines).rstrip("\n") + "\n"
    with open(path, "w") as file:
        file.write(text.replace("\n\n\n", "\n\n"))


def write_all(out, rows, found, note):
    """The pages and plots in the folder `out`, the rows in the file `rows`."""
    folder = os.path.join(out, "lab")
    os.makedirs(folder, exist_ok=True)
    stored.write(rows, found)
    for experiment, results in found:
        if results.stats:
            plots.write(os.path.join(folder, experiment.name + ".png"), experiment, results)
    for page in PAPERS:
        mine = [one for one in found if paper_of(one[0]) == page]
        if mine:
            write_paper(os.path.join(folder, page + ".md"), page, mine)
    write_first(os.path.join(out, "lab-results.md"), found, note)
