"""The gTFRC draft (draft-lochin-ietf-tsvwg-gtfrc-00), figures 2 and 3.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

import tables
from model import MORE, Bound, Claim, Experiment, Row

SIZE = 1500
MOMENTS = (20, 50, 100)
# What a flow has settled on; at 20 and 50 s it still depends on when the first losses came.
HELD = ("rate_at_100s_kbps", "average_kbps")


LIMIT, LONG = 50, 500           # packets of queue


def run(flows, guaranteed, limit=LIMIT):
    """flows: (rtt in ms, target in kbit/s)"""
    words = tuple(
        f"tfrc:name=flow{i},size={SIZE},headers=28,rtt={rtt},access=10Mbps,spread=0.1,"
        f"cir={target * 1000},cbs=10000,g={target * 1000 if guaranteed else 0}"
        for i, (rtt, target) in enumerate(flows, 1))
    return {"stage": "ns3", "queue": "rio", "limit": limit, "mean_packet": SIZE, "rate": "1Mbps",
            "delay": 10, "from": 0, "series": 1, "flow": words}


def rows(lines, table):
    flows = [(int(l["rtt_ms"]), int(l["target_kbps"])) for l in lines]
    names = "+".join(f"{rtt}ms/{target}" for rtt, target in flows[:2])
    for line in lines:
        guaranteed, number = line["protocol"] == "gTFRC", line["flow_no"]
        flow = f"{line['protocol']} flow {number}"
        simulation = run(flows[:2], guaranteed)
        metrics = [(f"rate_at_{t}s_kbps", f"rate@{t}") for t in MOMENTS]
        for metric, ours in metrics + [("average_kbps", "goodput_kbps")]:
            printed = float(line[metric])
            held = metric in HELD
            yield Row(names, flow, metric, simulation, (f"flow{number}", ours), published=printed,
                      bounds=[Bound("the printed figure", printed, 0.75, 1.25)] if held else [],
                      ns2=None if guaranteed else tables.ns2(
                          table, f"{names} flow{number} start0-0.1s", "std_tfrc", metric),
                      quick=QUICK.get((names, flow, metric)))
        yield Row(names, flow, "in_profile", simulation, (f"flow{number}", "in_profile"))
        if guaranteed:
            target = flows[int(number) - 1][1]
            for metric, pick, what in (("target_reached_after_s", reached, "rate"),
                                       ("least_after_that_share", least, "rate"),
                                       ("least_sent_after_that_share", least, "sent")):
                yield Row(names, flow, metric, simulation,
                          watch(pick, f"flow{number}", target, what))
            yield Row(names, flow + LONGER, THROUGH, run(flows[:2], True, LONG),
                      watch(least, f"flow{number}", target, "rate"))
    yield Row(names, "queue", "in_drops", run(flows[:2], True),
              ("queue", "in_drops"))


LONGER, THROUGH = f", {LONG} packets of queue", "least_after_that_share"


def watch(pick, flow, target, what):
    """`what`: sent, by the sender, or rate, at the receiver; second by second."""
    def value(result):
        seen = result[flow]
        start = int(seen["first_loss_s"])
        rates = [seen[f"{what}@{t}"] / target for t in range(start, 101)]
        return pick(rates)
    return value


def smooth(rates, n=5):
    """Whole packets of a second are 1.2 % of a megabit: means over five seconds."""
    return [sum(rates[i:i + n]) / n for i in range(len(rates) - n + 1)]


def reached(rates):
    """Seconds from the first loss until 95 % of the target comes through."""
    return next((i for i, r in enumerate(rates) if r >= 0.95), math.inf)


def least(rates):
    """The lowest mean of five seconds, as a share of the target, from 5 s on."""
    return min(smooth(rates[5:]))


QUICK = {("640ms/800+40ms/200", "gTFRC flow 1", "average_kbps"): (700, 830),
         ("640ms/800+40ms/200", "TFRC flow 1", "average_kbps"): (250, 650)}


def claims(names, in_share):
    keys = list(names)

    def worst(flow, metric, pick):
        return lambda r: pick([r.mean(k, flow, metric) for k in keys])

    return [
        Claim("the guaranteed flow has its target through within 5 s of the first loss: longest, s",
              worst("gTFRC flow 1", "target_reached_after_s", max), watch=(0, 5)),
        Claim("the guaranteed flow keeps at least 95 % of it: lowest mean of 5 s of what it sends, share of the target",
              worst("gTFRC flow 1", "least_sent_after_that_share", min), says=(0.95, math.inf)),
        Claim("it keeps at least 95 % of its target, of what comes through: lowest mean of 5 s",
              worst("gTFRC flow 1", THROUGH, min), says=(0.95, math.inf),
              cause=(f"a queue of {LONG} packets",
                     worst("gTFRC flow 1" + LONGER, THROUGH, min))),
        Claim("\"reach a target rate more quickly than TFRC\": average of flow 1, gTFRC to TFRC, "
              "least", lambda r: min(r.mean(k, "gTFRC flow 1", "average_kbps")
                                     / r.mean(k, "TFRC flow 1", "average_kbps") for k in keys),
              says=MORE),
    ] + in_share


def experiments():
    lines = tables.read("gtfrc_figure2.csv")
    yield Experiment(
        "gtfrc-fig2", "gTFRC figure 2: an exactly provisioned network",
        "Two flows of 1500-byte packets, marked by a token bucket of 10 kB at their target rates, "
        "over 1 Mbit/s with a RIO queue of 50 packets; rates at the receiver in the second before "
        "the time given, and the mean of 100 s.",
        list(rows(lines, "gtfrc_fig2")),
        claims(["640ms/800+40ms/200"], [
            Claim("\"the number of in-profile traffic raises from 73.7 % to 90.16 %\": TFRC",
                  lambda r: share(r, "TFRC"), number=0.737, factor=1.15),
            Claim("the number of in-profile traffic, gTFRC", lambda r: share(r, "gTFRC"), number=0.9016, factor=1.15)]))
    lines = tables.read("gtfrc_figure3.csv")
    both = [r for s in ("1", "2")
            for r in rows([l for l in lines if l["scenario"] == s], "gtfrc_fig3")]
    yield Experiment(
        "gtfrc-fig3", "gTFRC figure 3: an over-provisioned network",
        "As figure 2, with bandwidth to spare for out-of-profile packets.",
        both, claims(["250ms/700+250ms/100", "640ms/600+40ms/200"], []))


def share(results, protocol):
    """In-profile packets of both flows, weighted by what they send."""
    key = "640ms/800+40ms/200"
    total = weighted = 0.0
    for number in (1, 2):
        rate = results.mean(key, f"{protocol} flow {number}", "average_kbps")
        total += rate
        weighted += rate * results.mean(key, f"{protocol} flow {number}", "in_profile")
    return weighted / total
