"""ns-2's single-flow traces, driven open loop through the engine's receiver.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import csv
import os
import re
import statistics

import tables
from model import Bound, Claim, Experiment, Row

# The engine's tests keep the traces; their README says where they come from.
FOLDER = os.path.normpath(os.path.join(tables.HERE, "..", "..", "..", "subprojects", "tfrc", "tests",
                                       "data", "golden"))
RTT = 0.2437
WEIGHTS = (1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2)


def scenarios():
    return sorted(name[:-4] for name in os.listdir(FOLDER)
                  if name.endswith(".csv") and ".packets" not in name)


def payload(scenario):
    """bytes, from a name like g04_bern20_200B_sp"""
    return int(re.search(r"_(\d+)B_", scenario).group(1))


def reports(scenario):
    with open(os.path.join(FOLDER, scenario + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


def value(report, name, i):
    text = report[f"{name}{i}"]
    return float(text) if text else None


def mean(lengths, discounts):
    pairs = [(w * d, i) for w, d, i in zip(WEIGHTS, discounts, lengths) if i is not None]
    weight = sum(w for w, _ in pairs)
    return sum(w * i for w, i in pairs) / weight if weight else 0


def by_the_rules(report):
    """p from the intervals that ns-2 recorded, reckoned as RFC 4828 3 says: K losses and not
    K + 1, a real quotient, the open interval left out while it is short."""
    lengths, discounts = [], []
    for i in range(10):
        length, losses = value(report, "I", i), value(report, "L", i)
        short = value(report, "short", i)
        if length is not None and short and i > 0 and losses:
            length /= max(1, losses - 1)
        lengths.append(length)
        discounts.append(value(report, "disc", i) or 1.0)
    now = float(report["discount_now"] or 1)
    closed = mean(lengths[1:], discounts[1:])
    with_open = mean(lengths, [1.0] + [d * now for d in discounts[1:]])
    I_mean = closed if value(report, "short", 0) else max(closed, with_open)
    return 1 / max(1.0, I_mean) if I_mean else 0


def error(scenario, expected):
    """The median over the reports of |p / expected - 1|, once the first interval, which is
    made from the sender's history and not from the trace, has left the mean."""
    def pick(result):
        errors = []
        for report in reports(scenario):
            want = expected(report)
            got = result.get(f"report{report['k']}", {}).get("p", 0)
            if report["source"] == "est" and want > 0 and int(report["n_intervals"]) >= 9:
                errors.append(abs(got / want - 1))
        return statistics.median(errors)
    return pick


def held_back(scenario):
    """The share of ns-2's reports after which X grew by a packet an RTT and no more, though
    both the equation and 2 X_recv would have given more."""
    lines = [r for r in reports(scenario) if r["source"] == "est" and float(r["p"]) > 0]
    size = payload(scenario)
    held = [float(b["x_Bps"]) < 0.999 * min(float(b["x_eq_Bps"]), 2 * float(b["x_recv_Bps"]))
            and 0 < float(b["x_Bps"]) - float(a["x_Bps"]) <= 2.01 * size / float(b["rtt_s"])
            for a, b in zip(lines, lines[1:])]
    return sum(held) / len(held)


def rows():
    for name in scenarios():
        sp = name.endswith("_sp")
        run = {"stage": "vt", "run": "replay", "file": os.path.join(FOLDER, name),
               "mode": "tfrc-sp" if sp else "tfrc", "size": payload(name), "rtt": RTT}
        against = [("rules", by_the_rules)] if sp else []
        for flow, expected in [("as recorded", lambda r: float(r["p"]))] + against:
            held = not sp or flow == "rules"
            yield Row(name, flow, "p_error", run, error(name, expected),
                      bounds=[Bound("no difference in the median", 1.0, 0, 0.02)] if held else [],
                      quick=(0, RARE.get(name, 0.02)) if held else None,
                      cause=(flow + HABITS[1][0], HABITS[1][1]) if name in RARE else None)
            for suffix, _, more in HABITS if name in RARE and held else ():
                yield Row(name, flow + suffix, "p_error", dict(run, **more), error(name, expected))


HABITS = ((", NDUPACK 1", "waiting for one packet and not for three", {"stage": "vt1"}),
          (", ns-2's inference", "ns-2's loss inference (see Table 8)", {"detect": 1}))
# Few packets in a round-trip time, many of them lost: what --quick allows.
RARE = {"g04_bern20_200B_sp": 0.16, "g06_bern30_14B_sp": 0.2, "g07_bern20_200B_std": 0.1}


def experiments():
    yield Experiment(
        "golden", "ns-2's single-flow traces, open loop",
        "The engine's receiver takes the packets of each trace and is asked for p when ns-2 made a "
        "report; the number is the median over the reports of |p / expected - 1|. For standard "
        "TFRC the expected p is ns-2's. For TFRC-SP ns-2 counts K+1 losses, divides integers and "
        "keeps a short open interval, so *rules* reckons p anew from the intervals it recorded, as "
        "RFC 4828 says, and *as recorded* shows how far its own p is from ours.",
        list(rows()), seeds=1, logy=False,
        claims=[Claim("ns-2 lets X grow by at most a packet an RTT: the share of reports after "
                      "which that alone held X (g06, 14 B at 30 %)",
                      lambda r: held_back("g06_bern30_14B_sp"), watch=(0.3, 0.8)),
                Claim("the same for 200 B at 20 % (g04)",
                      lambda r: held_back("g04_bern20_200B_sp"), watch=(0.1, 0.8))])
