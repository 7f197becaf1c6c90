"""The results as CSV, plots and one page.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import csv
import math
import os

COLUMNS = ["experiment", "row", "flow_type", "metric", "published", "ns2_mean", "ns2_min",
           "ns2_max", "rules", "ours_mean", "ours_min", "ours_max", "seeds", "ratio",
           "verdict", "why"]


def show(value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.3g}"


def ratio(row, stat):
    return stat.mean / row.published if row.published else None


def verdict(row, stat):
    """('', 'ok' or 'misses', the bounds that do not hold)"""
    broken = [b for b in row.bounds if not b.holds(stat.mean)]
    return ("misses" if broken else "ok") if row.bounds else "", broken


def said(why, results):
    """A reason as text; one that is a function is made from the runs."""
    return why(results) if callable(why) else why


def compared(row, results):
    """What the comparators gave: [(flow, what it changes, value)]."""
    seen = [(flow, what, results.mean(row.key, flow, row.metric)) for flow, what in row.comparators]
    return [one for one in seen if not math.isnan(one[2])]


def ns2_too(row, stat, bound):
    """ns-2's own run is outside the printed figure's bound on the same side."""
    return (row.ns2 and "printed" in bound.against and not bound.holds(row.ns2[0])
            and (row.ns2[0] > bound.reference) == (stat.mean > bound.reference))


def explained(row, stat, bound, results):
    """A sentence, a comparator that is inside, or ns-2 itself."""
    return bool(row.why) or ns2_too(row, stat, bound) or any(
        bound.holds(value) for _, _, value in compared(row, results))


def explain(row, stat, bound, results):
    """Why a row misses a bound."""
    parts, seen = [said(row.why, results)], compared(row, results)
    if seen:
        inside = [what for _, what, value in seen if bound.holds(value)]
        figures = ", ".join(f"`{flow}` {show(value)} ({show(value / bound.reference)})"
                            for flow, _, value in seen)
        parts.append((f"Decided by {', or '.join(inside)}: " if inside
                      else "No run brings it inside: ") + figures + ".")
    if ns2_too(row, stat, bound):
        parts.append(f"ns-2 run today misses the same way: {show(row.ns2[0])} "
                     f"({show(row.ns2[0] / bound.reference)}).")
    return " ".join(p for p in parts if p)


def write_csv(path, found):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for experiment, results in found:
            for key, stat in results.stats.items():
                row = results.rows[key]
                ns2 = row.ns2 or (None, None, None)
                out.writerow([experiment.name, row.key, row.flow, row.metric, show(row.published),
                              *map(show, ns2), show(row.rules), show(stat.mean), show(stat.min),
                              show(stat.max), len(stat.values), show(ratio(row, stat)),
                              verdict(row, stat)[0],
                              " ".join(dict.fromkeys(explain(row, stat, b, results)
                                                     for b in verdict(row, stat)[1]))])


def plot(path, experiment, results):
    """One panel a metric: published, ns-2 and ours with its spread."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    metrics = list(dict.fromkeys(m for _, _, m in results.stats))
    columns = min(3, len(metrics))
    lines = math.ceil(len(metrics) / columns)
    figure, panels = pyplot.subplots(lines, columns, squeeze=False,
                                     figsize=(max(6.4, 4.8 * columns), 4.2 * lines + 0.2))
    for panel in panels.flat[len(metrics):]:
        panel.set_visible(False)
    for panel, metric in zip(panels.flat, metrics):
        draw_panel(panel, experiment, results, metric)
    figure.suptitle(experiment.title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    pyplot.close(figure)


def draw_panel(panel, experiment, results, metric):
    shown = without_comparators(results)
    flows = list(dict.fromkeys(f for _, f, m in shown if m == metric))
    for index, flow in enumerate(flows):
        color = f"C{index % 10}"
        rows = [(results.rows[k], s) for k, s in shown.items()
                if k[1] == flow and k[2] == metric]
        at = [i if r.x is None else r.x for i, (r, _) in enumerate(rows)]
        panel.plot(at, [s.mean for _, s in rows], "-", color=color, label=flow, linewidth=1.3)
        panel.fill_between(at, [s.min for _, s in rows], [s.max for _, s in rows],
                           color=color, alpha=0.25, linewidth=0)
        printed = [(x, r.published) for x, (r, _) in zip(at, rows) if r.published is not None]
        panel.plot(*zip(*printed) if printed else ([], []), "o", color=color, markersize=4,
                   fillstyle="none")
        ns2 = [(x, r.ns2[0]) for x, (r, _) in zip(at, rows) if r.ns2]
        panel.plot(*zip(*ns2) if ns2 else ([], []), ":", color=color, linewidth=1)
        if any(r.x is None for r, _ in rows):
            panel.set_xticks(at, [r.key for r, _ in rows], rotation=45, ha="right", fontsize=6)
    values = [s.mean for k, s in shown.items() if k[2] == metric]
    if experiment.logy and min(values) > 0 and max(values) > 20 * min(values):
        panel.set_yscale("log")
    if experiment.logx:
        panel.set_xscale("log")
    panel.set_xlabel(experiment.xlabel)
    panel.set_ylabel(metric)
    panel.legend(fontsize=7)
    panel.grid(alpha=0.3)


def span(stat):
    if len(stat.values) == 1:
        return show(stat.mean)
    return f"{show(stat.mean)} ({show(stat.min)}-{show(stat.max)})"


def without_comparators(results):
    """What a page and a plot show; the comparators are in the CSV and where a row misses."""
    hidden = {flow for row in results.rows.values() for flow, _ in row.comparators}
    return {k: s for k, s in results.stats.items() if k[1] not in hidden}


def table_lines(results):
    have_rules = any(r.rules for r in results.rows.values())
    head = ["row", "flow", "metric", "published", "ns-2"] + ["rules"] * have_rules + [
        "ours (min-max)", "ratio", ""]
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for key, stat in without_comparators(results).items():
        row = results.rows[key]
        cells = [row.key, row.flow, row.metric, show(row.published),
                 show(row.ns2[0]) if row.ns2 else ""]
        cells += [show(row.rules)] * have_rules
        cells += [span(stat), show(ratio(row, stat)), verdict(row, stat)[0]]
        yield "| " + " | ".join(cells) + " |"


def miss_lines(results):
    for key, stat in results.stats.items():
        row = results.rows[key]
        for bound in verdict(row, stat)[1]:
            yield (f"- {row.key} {row.flow} {row.metric}: {show(stat.mean)} is "
                   f"{show(stat.mean / bound.reference)} of {bound.against} "
                   f"({show(bound.reference)}); held to {bound.lo:g}-{bound.hi:g}. "
                   f"{explain(row, stat, bound, results) or 'Not explained.'}")


def claim_state(claim, value):
    if math.isnan(value):
        return "not run"
    return "ok" if claim.lo <= value <= claim.hi else "misses"


def claim_lines(results):
    claims = results.claims
    if not claims:
        return
    yield "| statement | number | held to | |"
    yield "| --- | --- | --- | --- |"
    for claim, value in claims:
        yield (f"| {claim.text} | {show(value)} | {show(claim.lo)} to {show(claim.hi)}"
               f"{' †' * claim.own} | {claim_state(claim, value)} |")
    for claim, value in claims:
        if claim_state(claim, value) == "misses":
            yield f"\nMisses: *{claim.text}* — {said(claim.why, results) or 'Not explained.'}"


def seeds_said(results):
    """How many each row has; 2-5 when not all have the same."""
    counts = [len(s.values) for k, s in results.stats.items() if results.rows[k].run]
    if not counts:
        return "0"
    return str(counts[0]) if min(counts) == max(counts) else f"{min(counts)}-{max(counts)}"


def write_page(path, images, found, note):
    lines = ["# What the lab measured", "", note, ""]
    lines += ["| experiment | seeds | rows held | hold | miss | statements | hold | miss |",
              "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for experiment, results in found:
        states = [verdict(results.rows[k], s)[0] for k, s in results.stats.items()]
        claims = [claim_state(c, v) for c, v in results.claims]
        lines.append(f"| [{experiment.name}](#{experiment.name}) | {seeds_said(results)} | "
                     f"{sum(s != '' for s in states)} | {states.count('ok')} | "
                     f"{states.count('misses')} | {len(claims)} | {claims.count('ok')} | "
                     f"{claims.count('misses')} |")
    for experiment, results in found:
        lines += ["", f"## {experiment.name}", "", f"**{experiment.title}**", "",
                  experiment.setup, "", f"![{experiment.name}]({images}/{experiment.name}.png)", ""]
        lines += claim_lines(results)
        misses = list(miss_lines(results))
        if misses:
            lines += ["", "Rows that miss:", ""] + misses
        lines += ["", "<details><summary>all rows</summary>", ""]
        lines += table_lines(results)
        lines += ["", "</details>"]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def write_all(folder, images, found, note):
    """results.csv, the page and the plots, in `folder`."""
    os.makedirs(os.path.join(folder, images), exist_ok=True)
    write_csv(os.path.join(folder, images, "results.csv"), found)
    for experiment, results in found:
        if results.stats:
            plot(os.path.join(folder, images, experiment.name + ".png"), experiment, results)
    write_page(os.path.join(folder, "lab-results.md"), images, found, note)
