"""The plots: ours with its confidence interval, the reference, the print and ns-2.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import re

# One colour per type of flow on every plot; the first pattern that a flow's name matches.
COLOURS = (("gtfrc", "C4"), ("tfrc_sp|tfrc-sp|default|gradual", "C0"), ("virtual|byte mode|packet mode", "C2"),
           ("random sampling", "C5"), ("lip", "C6"), ("unbiasing", "C7"), ("scaled", "C8"), ("rap", "C9"),
           ("tfrc|media|flow|small packets|recorded|rules", "C1"), ("tcp", "C3"))
MARKERS = "osD^vP*X<>"
# Runs with one thing changed.
BESIDE = re.compile("_as_ns2|NDUPACK|inference|by the moment|held to X_recv|bad for|_rtt80-480")


def colour(flow):
    return next((c for pattern, c in COLOURS if re.search(pattern, flow.lower())), "C8")


def write(path, experiment, results):
    """One panel a metric."""
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
    figure.savefig(path, dpi=72, metadata={"Software": None})
    pyplot.close(figure)


def draw_panel(panel, experiment, results, metric):
    flows = list(dict.fromkeys(f for _, f, m in results.stats if m == metric))
    keys = list(dict.fromkeys(k for k, _, m in results.stats if m == metric))
    used = {}
    for flow in flows:
        rows = [(results.rows[k], s) for k, s in results.stats.items() if k[1:] == (flow, metric)]
        number = used[colour(flow)] = used.get(colour(flow), -1) + 1
        # Flows of one case stand side by side.
        step = 1 if len(keys) == 1 else 0.7 / len(flows)
        draw_flow(panel, rows, flow, keys, MARKERS[number % len(MARKERS)], step * flows.index(flow))
    rows = [r for (_, _, m), r in results.rows.items() if m == metric]
    if all(r.x is None for r in rows):
        names = flows if len(keys) == 1 else keys
        panel.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=6)
    elif experiment.logx and all((r.x or 0) > 0 for r in rows):
        panel.set_xscale("log")
    values = [s.mean for (_, _, m), s in results.stats.items() if m == metric]
    if experiment.logy and min(values) > 0 and max(values) > 20 * min(values):
        panel.set_yscale("log")
    panel.set_xlabel(experiment.xlabel)
    panel.set_ylabel(metric)
    panel.legend(fontsize=6)
    panel.grid(alpha=0.3)


def draw_flow(panel, rows, flow, keys, marker, aside):
    """Points; a line joins them where the cases have an order."""
    rows = sorted(rows, key=lambda one: one[0].x) if all(r.x is not None for r, _ in rows) else rows
    at = [keys.index(r.key) + aside if r.x is None else r.x for r, _ in rows]
    beside = bool(BESIDE.search(flow))
    joined = len(rows) > 1 and all(r.x is not None for r, _ in rows) and len(set(at)) == len(at)
    panel.errorbar(at, [s.mean for _, s in rows], yerr=[s.margin for _, s in rows], marker=marker, markersize=3.5,
                   linestyle="" if not joined else "--" if beside else "-", color=colour(flow), label=flow,
                   linewidth=1, capsize=2, alpha=0.45 if beside else 1)
    for marks, values in (("|", [r.published for r, _ in rows]), ("_", [r.ns2 and r.ns2[0] for r, _ in rows]),
                          ("x", [r.rules for r, _ in rows])):
        pairs = [(x, v) for x, v in zip(at, values) if v is not None]
        if pairs and not beside:
            panel.plot(*zip(*pairs), marks, color="black" if marks == "x" else colour(flow), markersize=9)
