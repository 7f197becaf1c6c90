"""RFC 4828 Tables 12 to 21: TFRC-SP, TCP and web traffic at one queue.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
from dataclasses import replace

import tables
from model import MORE, Bound, Claim, Experiment, Row, Stat, interpolate

# table: (queue, TCP's segment, flow, what the caption says)
TABLES = {
    12: ("droptail-packet", 1460, "tfrc_sp", "Drop-Tail queue in packets"),
    13: ("droptail-byte", 1460, "tfrc_sp", "Drop-Tail queue in bytes"),
    14: ("droptail-byte", 512, "tfrc_sp", "Drop-Tail queue in bytes, 512-byte TCP segments"),
    15: ("droptail-byte", 1460, "tfrc_sp", "Drop-Tail queue in bytes, all traffic growing"),
    16: ("droptail-byte", 1460, "std_tfrc", "the same with standard TFRC"),
    17: ("red-packet", 1460, "tfrc_sp", "RED in packet mode"),
    18: ("red-byte", 1460, "tfrc_sp", "RED in byte mode"),
    19: ("red-byte", 512, "tfrc_sp", "RED in byte mode, 512-byte TCP segments"),
    20: ("ared-byte", 1460, "tfrc_sp", "Adaptive RED in byte mode"),
    21: ("ared-byte", 512, "tfrc_sp", "Adaptive RED in byte mode, 512-byte TCP segments"),
}
GROWING = (15, 16)              # N of each and 10 N web sessions
FLOW = {"tfrc_sp": ("tfrcsp", "tfrc-sp"), "std_tfrc": ("stdtfrc", "tfrc")}
METRICS = ("drop_rate", "send_rate_kbps")
# The RFC prints nothing of its web traffic but the packet size. Ten objects a page and ten
# pages a session as its authors had them in other scripts; the mean size is set so that TCP's
# drop rate in Table 12 comes near, once for all tables.
WEB = "mean=15"


def run(table, sessions):
    queue, size, flow, _ = TABLES[table]
    n = sessions // 10 if table in GROWING else 5
    return {"stage": "ns3", "queue": queue, "rate": "3Mbps", "flow": (
        f"tcp:n={n},size={size},rtt=40-240",
        # 204 bytes and 28 below make the 232 of the RFC's packets.
        f"tfrc:n={n},size=204,pps=100,mode={FLOW[flow][1]},rtt=40-240",
        f"web:n={sessions},{WEB}",
        f"web:name=back,n={sessions // 2},reverse=1,{WEB}")}


def rows(table):
    _, size, tfrc, _ = TABLES[table]
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        key = line["web_sessions"]
        for flow, column, name in (("tcp", f"tcp_{size}B", "tcp"),
                                   (tfrc, f"{FLOW[tfrc][0]}_200B", "tfrc")):
            for metric in METRICS:
                yield Row(key, flow, metric, run(table, int(key)), (name, metric), x=int(key),
                          published=float(line[f"{column}_{metric}"]),
                          ns2=tables.ns2(str(table), key, flow, metric),
                          quick=QUICK.get((table, key, flow, metric)))


# The RFC says 40 to 240 ms. The same with twice that, as where a script's delays are those of one way.
DOUBLED = "_rtt80-480"
DOUBLED_IS = "round-trip times of 80 to 480 ms"
DOUBLED_KEYS = {12: ("100", "200", "400", "800", "1600"), 13: ("800",), 14: ("200", "400", "800", "1600"),
                15: ("60", "100", "200", "300", "500"), 16: ("50", "70", "100", "200", "300", "500"),
                17: ("50", "100", "200", "400", "800", "1600"), 19: ("400", "800", "1600"),
                21: ("400", "800", "1600")}


def doubled(table):
    for key in DOUBLED_KEYS.get(table, ()):
        changed = run(table, int(key))
        changed["flow"] = tuple(flow.replace("rtt=40-240", "rtt=80-480") for flow in changed["flow"])
        for flow, name in (("tcp", "tcp"), (TABLES[table][2], "tfrc")):
            for metric in METRICS:
                yield Row(key, flow + DOUBLED, metric, changed, (name, metric), x=int(key))


def of_doubled(value):
    """The same function of the rows with doubled round-trip times."""
    def of(results):
        return value(results.with_stats({(key, flow.removesuffix(DOUBLED), metric): stat
                                         for (key, flow, metric), stat in results.stats.items()
                                         if flow.endswith(DOUBLED)}))
    return of


def claims(table):
    """Where all rows of a statement were also run with doubled round-trip times, that is its cause."""
    for claim in CLAIMS[table]:
        yield replace(claim, cause=(DOUBLED_IS, of_doubled(claim.value))) if table in DOUBLED_KEYS else claim


def equal_drop(table):
    """TFRC's rate where its drop rate is the printed one, from our own curves."""
    flows = [TABLES[table][2]] + [TABLES[table][2] + DOUBLED] * (table in DOUBLED_KEYS)

    def derive(results):
        for flow in flows:
            yield from at_equal_drop(table, flow, results)
    return derive


def at_equal_drop(table, name, results):
    flow = name.removesuffix(DOUBLED)
    ns2 = {(r["web_sessions"], r["flow_type"]): float(r["ns2_send_kbps_at_that_drop_rate"])
           for r in tables.read("ns2_equal_drop.csv") if r["table"] == str(table)}
    curve = results.curve(name, "drop_rate", "send_rate_kbps")
    if len(curve) < 3:
        return
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        key, column = line["web_sessions"], f"{FLOW[flow][0]}_200B"
        drop, rate = float(line[column + "_drop_rate"]), float(line[column + "_send_rate_kbps"])
        # The whole curve begins without congestion; the one of some rows says nothing below its first.
        ours = curve[0][1] if drop < curve[0][0] and name == flow else interpolate(curve, drop)
        if math.isnan(ours):
            continue
        there = ns2.get((key, flow))
        judged = {} if name != flow else {
            "published": rate, "ns2": (there, there, there) if there else None,
            "bounds": [Bound("the printed figure", rate, 0.75, 1.25)],
            "cause": (flow + DOUBLED, DOUBLED_IS) if table in DOUBLED_KEYS else None}
        yield Row(key, name, "send_rate_at_that_drop_rate", {}, None, x=int(key), **judged), Stat.of([ours])


# A full queue of 100 packets of 500 bytes is 0.13 s of the link; RED's is shorter.
QUEUE = 0.1


def by_the_rules(table):
    """The engine alone under independent loss of the printed rate, at these round-trip times."""
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        run = {"stage": "vt", "flows": 20, "duration": 100, "from": 50, "rtt": 0.04 + QUEUE,
               "rtt_max": 0.24 + QUEUE, "size": 204, "wire": 28, "pps": 100, "mode": "tfrc-sp",
               "loss": "bernoulli", "p": float(line["tfrcsp_200B_drop_rate"])}
        yield Row(line["web_sessions"], "tfrc_sp", RULES, run, ("flow", "send_rate_kbps"),
                  x=int(line["web_sessions"]))


RULES = "rules_at_that_drop_rate"


def ratio(metric, over, under, keys, pick):
    def value(results):
        above = [results.mean(k, over, metric) for k in keys]
        below = [results.mean(k, under, metric) for k in keys]
        if any(map(math.isnan, above + below)):
            return math.nan
        return pick([a / b if b > 0 else math.inf for a, b in zip(above, below)])
    return value


def rate(flow, keys, pick):
    def value(results):
        rates = [results.mean(k, flow, "send_rate_kbps") for k in keys]
        return math.nan if any(map(math.isnan, rates)) else pick(rates)
    return value


def in_print():
    """The rows of Table 20 by whether TCP's drop rate of ours is still a printed one."""
    highest = max(float(l["tcp_1460B_drop_rate"]) for l in tables.read("rfc4828_table20.csv"))
    return lambda r: [k for k in ALL if r.mean(k, "tcp", "drop_rate") <= highest]


def least_in_print(r):
    return min(r.mean(k, "tfrc_sp", "send_rate_kbps") for k in in_print()(r))


def constant(table):
    """The queue alone: constant traffic of the three sizes."""
    run_ = {"stage": "ns3", "queue": TABLES[table][0], "rate": "3Mbps",
            "flow": tuple(f"cbr:name=constant{size},n=10,size={size},pps={pps},rtt=40-240"
                          for size, pps in ((1500, 13), (552, 20), (232, 50)))}
    for size in (1500, 552, 232):
        yield Row("constant", f"constant, {size} B", "drop_rate", run_, (f"constant{size}", "drop_rate"),
                  x=10)


ALL = ("10", "25", "50", "100", "200", "400", "800", "1600")
HIGH = ("100", "200", "400", "800", "1600")
SIMILAR = [
    Claim("\"TFRC-SP flows see similar packet drop rates as the TCP flows\": largest ratio of "
          "drop rates, TFRC-SP to TCP", ratio("drop_rate", "tfrc_sp", "tcp", ALL, max)),
    Claim("smallest ratio of drop rates, TFRC-SP to TCP", ratio("drop_rate", "tfrc_sp", "tcp", ALL, min)),
]
# Each is held to the same function of the printed rows.
CLAIMS = {
    12: SIMILAR + [
        Claim("\"higher throughput than the TCP flows with packet drop rates of 25 % or higher\": "
              "ratio of rates at 1600 sessions",
              ratio("send_rate_kbps", "tfrc_sp", "tcp", ["1600"], max), says=MORE)],
    13: [Claim("TCP's drop rate is at least 3 times TFRC-SP's from 100 sessions on",
               ratio("drop_rate", "tcp", "tfrc_sp", HIGH, min), says=(3, math.inf)),
         Claim("\"receive more than 100 times the throughput of the TCP flows\" at 800 sessions",
               ratio("send_rate_kbps", "tfrc_sp", "tcp", ["800"], max), says=(100, math.inf))],
    14: [Claim("TCP's 512-byte segments are dropped more often than TFRC-SP's: smallest ratio from "
               "100 sessions on", ratio("drop_rate", "tcp", "tfrc_sp", HIGH, min), says=MORE),
         Claim("\"considerably less throughput\": TFRC-SP's rate to TCP's at 400 sessions",
               ratio("send_rate_kbps", "tfrc_sp", "tcp", ["400"], max), says=MORE)],
    15: [Claim("\"the TFRC-SP flows each continue to send\" (57 kbit/s) at 500 sessions",
               rate("tfrc_sp", ["500"], max)),
         Claim("\"the TCP flows and web traffic are essentially starved\": TCP's rate to TFRC-SP's "
               "at 500 sessions", ratio("send_rate_kbps", "tcp", "tfrc_sp", ["500"], max), says=(0, 0.1))],
    16: [Claim("\"the TCP flows are not starved\" beside standard TFRC: TCP's rate to TFRC's at "
               "100 sessions", ratio("send_rate_kbps", "tcp", "std_tfrc", ["100"], max), says=(0.1, math.inf)),
         Claim("standard TFRC gives way: its rate at 500 sessions, kbit/s", rate("std_tfrc", ["500"], max))],
    17: SIMILAR,
    18: [Claim("\"from 1 1/2 to four times\": largest ratio of drop rates, TCP to TFRC-SP",
               ratio("drop_rate", "tcp", "tfrc_sp", ALL, max), says=(1.5, 4)),
         Claim("smallest ratio of drop rates, TCP to TFRC-SP",
               ratio("drop_rate", "tcp", "tfrc_sp", ALL, min), says=(1.5, 4))],
    19: [Claim("\"only a moderate difference\" of drop rates: largest ratio, 552-byte TCP packets "
               "to TFRC-SP's", ratio("drop_rate", "tcp", "tfrc_sp", ALL, max)),
         Claim("smallest ratio of drop rates, TCP to TFRC-SP", ratio("drop_rate", "tcp", "tfrc_sp", ALL, min))],
    20: [Claim("TFRC-SP's congestion control is \"largely ineffective\": its lowest rate of all "
               "rows to 185 kbit/s", lambda r: rate("tfrc_sp", ALL, min)(r) / 185),
         Claim("the same over the rows in which TCP's drop rate is at most the highest printed one",
               lambda r: least_in_print(r) / 185),
         Claim("its drop rate is \"much lower\": smallest ratio TCP to TFRC-SP from 100 sessions on",
               ratio("drop_rate", "tcp", "tfrc_sp", HIGH, min), says=MORE)],
    21: [Claim("\"the packet drop rates of the TCP flows are at most twice that of the TFRC-SP "
               "flows\": largest ratio", ratio("drop_rate", "tcp", "tfrc_sp", ALL, max), says=(0, 2)),
         Claim("\"TFRC-SP flows still receive more bandwidth than the TCP flows\" at 400 sessions",
               ratio("send_rate_kbps", "tfrc_sp", "tcp", ["400"], max), says=MORE)],
}

# (table, row): {(flow, metric): limits} for one seed; rows that take a few seconds.
QUICK_ROWS = {
    (12, "25"): {("tcp", "drop_rate"): (0.02, 0.09), ("tfrc_sp", "drop_rate"): (0.015, 0.08),
                 ("tfrc_sp", "send_rate_kbps"): (175, 188)},
    (13, "50"): {("tcp", "drop_rate"): (0.05, 0.3), ("tfrc_sp", "drop_rate"): (0.005, 0.03)},
    (17, "25"): {("tcp", "drop_rate"): (0.02, 0.08), ("tfrc_sp", "drop_rate"): (0.02, 0.08)},
    (20, "25"): {("tcp", "drop_rate"): (0.02, 0.14), ("tfrc_sp", "drop_rate"): (0.004, 0.05)},
}
QUICK = {row + pick: limits for row, held in QUICK_ROWS.items() for pick, limits in held.items()}


def experiments():
    for table, (_, _, _, what) in TABLES.items():
        yield Experiment(
            f"rfc4828-t{table}", f"RFC 4828 Table {table}: {what}",
            "3 Mbit/s shared by web sessions and "
            + ("N TCP and N TFRC flows for 10 N sessions" if table in GROWING
               else "five TCP and five TFRC flows")
            + ", round-trip times of 40 to 240 ms, 100 packets (or 50 kB) of queue, "
            "web traffic both ways; the second half of 100 s. "
            "`send_rate_at_that_drop_rate` is our rate where our drop rate is the printed one, "
            f"`{RULES}` what the engine sends under independent loss of that rate.",
            list(rows(table)) + (list(by_the_rules(table)) if TABLES[table][2] == "tfrc_sp" else [])
            + (list(constant(table)) if table in (18, 19, 21) else []) + list(doubled(table)),
            list(claims(table)), equal_drop(table),
            xlabel="web sessions", logx=True)
