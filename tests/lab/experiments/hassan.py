"""S. Hassan, TCP-Friendliness of Rate-based Congestion Control Protocols: RAP and TFRC.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import tables
from model import LESS, MORE, Bound, Claim, Experiment, Row

SIZE = 1000                     # bytes on the wire
# ns-2's RED defaults of the time, for a queue of 50 packets.
RED = {"queue": "red-packet", "minth": 5, "maxth": 15, "mean_packet": SIZE}
DROPTAIL = {"queue": "droptail-packet", "mean_packet": SIZE}
PROTOCOLS = {
    "RAP": f"rap:name=rate,size={SIZE},fine=0",
    "RAP fine": f"rap:name=rate,size={SIZE},fine=1",
    "TFRC": f"tfrc:name=rate,size={SIZE},headers=28",
}
TCP = {"SACK": 1, "Reno": 0}


def run(protocol, tcp="SACK", pairs=1, queue=RED, delay=20, rate="1.5Mbps", **more):
    rtt = 2 * (delay + 12)
    words = f",n={pairs},rtt={rtt},access=10Mbps"
    return {"stage": "ns3", "limit": 50, "rate": rate, "delay": delay, "from": 20, **queue, **more,
            "flow": (PROTOCOLS[protocol] + words,
                     f"tcp:size={SIZE - 40},sack={TCP[tcp]}" + words)}


def friendliness(result):
    """The paper's F_r: throughput of the rate-based flows to that of TCP."""
    return result["rate"]["through_kbps"] / max(1e-3, result["tcp"]["through_kbps"])


def row(key, flow, run_, x=None, **more):
    return Row(str(key), flow, "friendliness_ratio", run_, friendliness, x=x, **more)


def loss_rows():
    for line in tables.read("rap_vs_tfrc_table1.csv"):
        loss, protocol = int(line["loss_rate_percent"]), line["protocol"]
        low, high = (float(line[f"{e}_friendliness_ratio"]) for e in ("min", "max"))
        middle = (low + high) / 2
        for name in [protocol] + ["RAP fine"] * (protocol == "RAP"):
            held = name == protocol
            yield row(f"{loss}%", name, run(name, error=loss / 100), x=loss,
                      published=middle if held else None,
                      ns2=tables.ns2("hassan_table1", f"{loss}% loss; 1 pair(s) vs Sack1",
                                     protocol.lower(), "friendliness_ratio") if held else None,
                      bounds=[Bound("the middle of the printed range", middle, 0.75 * low / middle,
                                    1.25 * high / middle)] if held else [],
                      quick=QUICK.get((loss, name)), cause=CAUSE.get((loss, name)))
        if protocol == "TFRC":
            yield row(f"{loss}%", OLD_TCP, run("TFRC", error=loss / 100, min_rto=1), x=loss)


QUICK = {(5, "RAP"): (1.0, 2.3), (5, "TFRC"): (0.65, 1.6)}
OLD_TCP = "TFRC, TCP min RTO 1 s"


CAUSE = {(15, "TFRC"): (OLD_TCP, "a minimum timer of 1 s for TCP, as ns-2 had when the paper was written,")}


def order(loss):
    return lambda r: (r.mean(f"{loss}%", "RAP", "friendliness_ratio")
                      / r.mean(f"{loss}%", "TFRC", "friendliness_ratio"))


def swing(flow):
    def value(r):
        ratios = [r.mean(k, flow, "friendliness_ratio") for k in r.keys(flow, "friendliness_ratio")]
        return max(ratios) / min(ratios) if ratios else float("nan")
    return value


def experiments():
    yield Experiment(
        "hassan-t1", "RAP and TFRC, Table I: friendliness by loss rate",
        "One pair (RAP or TFRC, and SACK TCP) on 1.5 Mbit/s and 20 ms, side links 6 ms, RED, with "
        "the loss rate on the bottleneck's wire: the paper does not say how many pairs nor where "
        "the loss is; with more pairs the queue and not the loss rate decides. The published "
        "column is the middle of the printed range.",
        list(loss_rows()),
        [Claim(f"RAP is less friendly than TFRC at {loss} %: RAP's ratio to TFRC's",
               order(loss), says=MORE) for loss in (1, 5, 15)]
        + [Claim("RAP's friendliness gets worse with loss: ratio at 15 % to ratio at 1 %",
                 lambda r: r.mean("15%", "RAP", "friendliness_ratio")
                 / r.mean("1%", "RAP", "friendliness_ratio"), says=MORE)],
        xlabel="loss rate, %", logy=False)
    delays, rates = (10, 20, 30, 40, 50), (0.5, 1.5, 3, 5, 10)
    yield Experiment(
        "hassan-fig2", "RAP and TFRC, figure 2: friendliness by bottleneck delay",
        "15 rate-based and 15 SACK TCP flows on 1.5 Mbit/s, RED.",
        [row(d, p, run(p, pairs=15, delay=d), x=d) for d in delays for p in PROTOCOLS],
        [Claim("\"the friendliness of RAP improves as the bottleneck delay is increased\": its "
               "ratio at 50 ms to that at 10 ms",
               lambda r: r.mean(50, "RAP", "friendliness_ratio")
               / r.mean(10, "RAP", "friendliness_ratio"), says=LESS),
         Claim("\"The friendliness ratio of TFRC is not affected\": largest to smallest",
               swing("TFRC"), number=1),
         Claim("TFRC's ratio at 20 ms", lambda r: r.mean(20, "TFRC", "friendliness_ratio"),
               watch=(0.3, 3))],
        xlabel="bottleneck delay, ms", seeds=5)
    yield Experiment(
        "hassan-fig3", "RAP and TFRC, figure 3: friendliness by bottleneck bandwidth",
        "15 rate-based and 15 SACK TCP flows, 20 ms, RED.",
        [row(b, p, run(p, pairs=15, rate=f"{b}Mbps"), x=b) for b in rates for p in PROTOCOLS],
        [Claim("\"From 0.5 to 3 Mbps the TCP-friendly connections become friendlier\": distance of "
               "RAP's ratio from 1 at 3 to that at 0.5 (logarithms)",
               lambda r: log_distance(r, 3) / log_distance(r, 0.5), says=LESS),
         Claim("\"the RAP connections get a decreased share\" from 3 to 10 Mbit/s: its ratio at 10 "
               "to that at 3", lambda r: r.mean(10, "RAP", "friendliness_ratio")
               / r.mean(3, "RAP", "friendliness_ratio"), says=LESS)],
        xlabel="Mbit/s")
    yield Experiment(
        "hassan-queue", "RAP and TFRC: DropTail against RED",
        "Five rate-based and five TCP flows on 1.5 Mbit/s and 20 ms, each protocol against SACK "
        "and Reno TCP behind both queues.",
        [row(f"{q}, {t}", p, run(p, t, pairs=5, queue=disc))
         for q, disc in (("DropTail", DROPTAIL), ("RED", RED)) for t in TCP for p in PROTOCOLS],
        [Claim(f"\"RED improves the friendliness\" of {p} beside SACK: distance of its ratio from "
               "1 with RED to that with DropTail (logarithms)", closer(p), says=LESS)
         for p in ("RAP", "TFRC")]
        + [Claim("\"the friendliness of TFRC is better compared to RAP, regardless of the queue\": "
                 "RAP's ratio to TFRC's, least of all four",
                 lambda r: min(r.mean(k, "RAP", "friendliness_ratio")
                               / r.mean(k, "TFRC", "friendliness_ratio")
                               for k in r.keys("TFRC", "friendliness_ratio")), says=MORE)])


def log_distance(r, bandwidth):
    import math
    return abs(math.log(r.mean(bandwidth, "RAP", "friendliness_ratio")))


def closer(protocol):
    import math

    def value(r):
        red, tail = (abs(math.log(r.mean(f"{q}, SACK", protocol, "friendliness_ratio")))
                     for q in ("RED", "DropTail"))
        return red / tail
    return value
