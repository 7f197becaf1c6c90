"""The FTCP draft (draft-hong-ftcp-00), Tables 1 and 2, and pacing in the engine.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import tables
from model import LESS, MORE, Claim, Experiment, Row

PACKET = 1000                   # bytes on the wire; the draft counts packets
RATE = {1000: "8Mbps", 10000: "80Mbps", 200: "1600kbps"}        # packets/s
PKT_PER_S = 1000 / 8 / (PACKET - 40)    # from kbit/s of payload
RUN = {"stage": "ns3", "queue": "droptail-packet", "limit": 50, "rate": "8Mbps", "delay": 1,
       "duration": 300, "from": 60}


def tcp(name, n, access=10000, far=None, pacing=0):
    return (f"tcp:name={name},n={n},size={PACKET - 40},rtt=600,window=10000,"
            f"access={RATE[access]},pacing={pacing}" + (f",far={RATE[far]}" if far else ""))


UDP = f"cbr:name=udp,n=1,size={PACKET},rtt=600,pps=100"
# Video whose frames are several packets each: between them the flow gains the credit that fluid pacing spreads.
TFRC = "tfrc:name=tcp0,n=1,media=video,max=4000,rtt=600,access=80Mbps"

# case: (flows, published rows of the CSV)
CASES = {
    "1s": (tcp("tcp0", 1, 1000), tcp("tcp1", 9)),
    "2s": (tcp("tcp0", 1, 1000), tcp("tcp1", 9)),
    "3s": (tcp("tcp0", 1, 200), tcp("tcp1", 9)),
    "1d": (tcp("tcp0", 1, far=1000), tcp("tcp1", 9)),
    "2d": (tcp("tcp0", 1, far=1000), tcp("tcp1", 9)),
    "3d": (tcp("tcp0", 1, far=200), tcp("tcp1", 9)),
    "paced": (tcp("tcp0", 1, pacing=1), tcp("tcp1", 9)),
    "not paced": (tcp("tcp0", 1), tcp("tcp1", 9)),
    "TFRC": (TFRC, tcp("tcp1", 9)),
    "TFRC fluid": (TFRC + ",pacing=fluid", tcp("tcp1", 9)),
}
UDP_CASES = {
    "1": (UDP, tcp("tcp", 9)), "2": (UDP, tcp("tcp", 9, 1000)), "3": (UDP, tcp("tcp", 9, 200)),
    "4": (UDP, tcp("tcp0", 1, 1000), tcp("tcp1", 8)),
    "5": (UDP, tcp("tcp0", 4, 1000), tcp("tcp1", 5)),
}


def rows(cases, table):
    printed = {(l["case"], l["class"]): l for l in tables.read(f"ftcp_table{table}.csv")}
    for case, flows in cases.items():
        for flow in flows:
            name = flow.split("name=")[1].split(",")[0]
            line = printed.get((case, name))
            kind = flow.split(":")[0]
            scale = PKT_PER_S if kind == "tcp" else 1000 / 8 / PACKET
            for metric, column, pick, unit in (
                    ("goodput_pkt_per_s", "goodput_pkt_per_s", "goodput_kbps", scale),
                    ("loss_prob", "loss_prob", "drop_rate", 1)):
                yield Row(case, name, metric, dict(RUN, flow=flows), (name, pick), scale=unit,
                          published=float(line[column]) if line else None)


def gain(case, metric="goodput_pkt_per_s", over="tcp0", under="tcp1"):
    return lambda r: r.mean(case, over, metric) / r.mean(case, under, metric)


def experiments():
    yield Experiment(
        "ftcp-t1", "FTCP Table 1: one smoothed sender among nine that are not",
        "A bottleneck of 1000 packets/s, RTT 600 ms, 50 packets of queue, one flow (tcp0) against "
        "nine (tcp1). The draft imitates smoothing by the rate of tcp0's own link (s: before the "
        "bottleneck, d: after it); it gives no queue, and adds a random delay to each packet "
        "(`overhead_`) that ns-3's TCP does not have. Its case 2 is case 1 without that delay, so that "
        "one run of ours stands for both. Below: the same with ns-3's TCP pacing itself, and with the engine as the "
        "one flow, paced by RFC 5348 and by fluid pacing. It carries video: between its frames, which are several "
        "packets each, the flow gains the credit that fluid pacing spreads and RFC 5348 lets go at once.",
        list(rows(CASES, 1)),
        [Claim("case 1s: a smoothed flow gains: goodput of tcp0 to tcp1", gain("1s"), says=MORE),
         Claim("case 2s: the same without the draft's random delay", gain("2s"), says=MORE),
         Claim("case 2d: the same at the destination", gain("2d"), says=MORE),
         Claim("case 3s: held to 200 packets/s it still does", gain("3s"), says=MORE),
         Claim("\"cases 1-2-3s and 1-2-3d: FTCP could be implemented at the source or at the "
               "destination\": gain at the destination (case 1d)", gain("1d"), says=MORE),
         Claim("ns-3's TCP, paced, against nine that are not", gain("paced"), watch=(0.5, 30)),
         Claim("loss probability of the paced flow to that of the others",
               gain("paced", "loss_prob"), watch=(0, 1.3)),
         Claim("fluid pacing changes the engine's rate little: goodput with it to without",
               lambda r: r.mean("TFRC fluid", "tcp0", "goodput_pkt_per_s")
               / r.mean("TFRC", "tcp0", "goodput_pkt_per_s"), watch=(0.7, 1.4)),
         Claim("fluid pacing loses less of the bursts: loss probability with it to without",
               lambda r: r.mean("TFRC fluid", "tcp0", "loss_prob")
               / r.mean("TFRC", "tcp0", "loss_prob"), watch=(0, 0.95))])
    yield Experiment(
        "ftcp-t2", "FTCP Table 2: TCP beside a constant flow of 100 packets/s",
        "As Table 1; udp sends 100 packets/s throughout.",
        list(rows(UDP_CASES, 2)),
        [Claim("smoother TCP comes nearer to UDP's goodput: case 2 to case 1",
               lambda r: r.mean("2", "tcp", "goodput_pkt_per_s")
               / r.mean("1", "tcp", "goodput_pkt_per_s"), says=MORE),
         Claim("case 4: the one smoothed flow gains on the eight that are not",
               gain("4"), says=MORE),
         Claim("case 5: \"as the number of patient-TCP users increases, their performance "
               "improvement decreases\": their goodput to case 4's",
               lambda r: r.mean("5", "tcp0", "goodput_pkt_per_s")
               / r.mean("4", "tcp0", "goodput_pkt_per_s"), says=LESS),
         Claim("\"but the impatient-TCP users' performance degrades more and more\": theirs",
               lambda r: r.mean("5", "tcp1", "goodput_pkt_per_s")
               / r.mean("4", "tcp1", "goodput_pkt_per_s"), says=LESS)])
