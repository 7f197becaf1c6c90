"""RFC 4828 Tables 5 to 11 and Appendix C: configured loss.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

import tables
from model import LESS, MORE, Bound, Claim, Experiment, Row

from . import tcp_model

RTT = 0.24
RTO_NS2 = 0.5 / RTT             # ns-2's t_RTO on this path, as a multiple of R

# flow name: (what the CSV calls it, t_RTO in the model, lab-vt's parameters)
FLOWS = {
    "tfrc_sp": ("tfrcsp", "4R", {"mode": "tfrc-sp"}),
    "std_tfrc": ("stdtfrc", "4R", {"mode": "tfrc"}),
    "std_tfrc_rto500": ("stdtfrc", "0.5s", {"mode": "tfrc", "t_RTO_R": RTO_NS2}),
}
AS_NS2 = "_as_ns2"              # beside each flow: ns-2's loss inference and sender over the same path
TCP = {"tcp": 0, "ecn_tcp": 1}
SEEDS = 5


def flow_run(flow, size, pps, loss, flows=10):
    name, habits = flow.removesuffix(AS_NS2), {"sender": "ns2", "detect": 1} if flow.endswith(AS_NS2) else {}
    return {"stage": "vt", "flows": flows, "duration": 100, "from": 50, "rtt": RTT,
            "size": size, "wire": 32, "pps": pps, **FLOWS[name][2], **habits, **loss}


def tcp_run(ecn, size, loss, rtt=RTT):
    return {"stage": "ns3", "queue": "loss", "rate": "1Gbps", **loss,
            "flow": f"tcp:name=tcp,n=10,size={size},rtt={rtt * 1000:g},ecn={ecn}"}


def model(table, flow, rate):
    """(mean, standard error, flows) of the model of the RFCs. Standard TFRC's packets a second do not
    depend on their size, so that Table 9's flow is Table 7's with larger packets."""
    kind, t_RTO, _ = FLOWS[flow]
    if table != 7:
        return tables.rfc_model()[str(table), kind, t_RTO, rate]
    mean, error, flows = tables.rfc_model()["9", kind, t_RTO, rate]
    scale = (1460 + 32) / (200 + 32)
    return mean * scale, error * scale, flows


def limits(table, flow, rate):
    """What a rate is held to (docs/lab.md)."""
    mean, error, flows = model(table, flow, rate)
    loss = 1 - (1 - rate) ** (14 + 32) if table == 10 else rate
    share = 0.1 if loss <= 0.3 else 0.15
    return Bound("the model of the RFCs", mean, 1 - share, 1 + share, error=error), flows


# Each rule of the RFCs moves one of these by more than its limits (falsified.py).
QUICK = {
    (9, "tfrc_sp"): (0.1, 0.2, 0.3, 0.4), (9, "std_tfrc"): (0.05, 0.1, 0.3),
    (8, "tfrc_sp"): (0.3, 0.4, 0.5), (8, "std_tfrc_rto500"): (0.1,),
    (10, "tfrc_sp"): (0.01, 0.02), (10, "std_tfrc"): (0.001, 0.01, 0.02),
}


def flow_rows(table, line, column, rate, size, pps, flows):
    loss = {"loss": "byte", "b": rate} if table == 10 else {"loss": "bernoulli", "p": rate}
    for flow in flows:
        bound, n = limits(table, flow, rate)
        published = float(line[f"{FLOWS[flow][0]}_{size}B_send_rate_kbps"])
        found = {"ns2": tables.ns2(str(table), line[column], flow.replace("_rto500", ""), "send_rate_kbps"),
                 "published": published, "x": rate}
        yield Row(line[column], flow, "send_rate_kbps", flow_run(flow, size, pps, loss, n),
                  ("flow", "send_rate_kbps"), bounds=[bound], rules=bound.reference,
                  quick=rate in QUICK.get((table, flow), ()) or None, **found)
        yield Row(line[column], flow + AS_NS2, "send_rate_kbps", flow_run(flow + AS_NS2, size, pps, loss),
                  ("flow", "send_rate_kbps"), **found)


def table_rows(table, size, pps, flows):
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        key = line["packet_drop_rate"]
        p = float(key)
        yield from flow_rows(table, line, "packet_drop_rate", p, size, pps, flows)
        for flow, ecn in TCP.items():
            held = [] if ecn else tcp_model.bound(p, RTT, 1500)
            yield Row(key, flow, "send_rate_kbps", tcp_run(ecn, 1460, {"loss": "bernoulli", "p": p}),
                      ("tcp", "send_rate_kbps"), x=p, bounds=held, rules=held[0].reference if held else None,
                      published=float(line[f"{flow.replace('_', '')}_1460B_send_rate_kbps"]),
                      ns2=tables.ns2(str(table), key, flow, "send_rate_kbps"),
                      quick={("tcp", 0.05): (160, 240), ("tcp", 0.1): (110, 175)}.get((flow, p))
                      if table == 8 else None)


def fairness(flow, keys, worst):
    """The largest factor, either way, between a flow's rate and TCP's."""
    def value(results):
        ratios = [results.mean(k, flow, "send_rate_kbps") / results.mean(k, "tcp", "send_rate_kbps")
                  for k in keys]
        return math.nan if any(map(math.isnan, ratios)) else worst(ratios)
    return value


def rate_to(key, other, flow):
    """A flow's rate at a drop rate to its rate at another one."""
    return lambda r: r.mean(key, flow, "send_rate_kbps") / r.mean(other, flow, "send_rate_kbps")


MODERATE = ("0.01", "0.02", "0.04", "0.05", "0.1", "0.2", "0.3")
CLAIMS = {
    7: [Claim("\"good relative fairness until the packet drop percentages reach 40 and 50 %\": "
              "largest ratio of standard TFRC (t_RTO 0.5 s) to TCP, 1 % to 30 %",
              fairness("std_tfrc_rto500", MODERATE, max)),
        Claim("smallest ratio of standard TFRC (t_RTO 0.5 s) to TCP, 1 % to 30 %",
              fairness("std_tfrc_rto500", MODERATE, min)),
        Claim("\"three to five times more bandwidth\" at 40 and 50 %: standard TFRC to TCP at 50 %",
              fairness("std_tfrc_rto500", ["0.5"], max), says=(3, 5))],
    8: [Claim("\"doesn't reduce its sending rate until packet drop rates are greater than 20 %\": "
              "TFRC-SP at 20 % to its rate at 1 %", rate_to("0.2", "0.01", "tfrc_sp"), factor=1.05),
        Claim("standard TFRC is \"very poor\": its rate at 10 % to TFRC-SP's",
              lambda r: r.mean("0.1", "std_tfrc", "send_rate_kbps")
              / r.mean("0.1", "tfrc_sp", "send_rate_kbps"), says=LESS)],
    9: [Claim("TFRC-SP is \"essentially as desired for packet drop rates up to 30 %\": its rate "
              "at 10 % to TCP's", fairness("tfrc_sp", ["0.1"], max)),
        Claim("the same at 20 %", fairness("tfrc_sp", ["0.2"], max)),
        Claim("\"with packet drop rates of 40-50 % the TFRC-SP sending rate is somewhat higher "
              "than desired\": its rate at 50 % to TCP's", fairness("tfrc_sp", ["0.5"], max), says=MORE)],
}


def beside(table):
    """The figures that no row is held to, beside ours and the model's."""
    kinds = {"tfrc_sp": "sp", "std_tfrc": "std"}
    head = ("flow", "drop rate", "ours", "model of the RFCs", "ns-2, all rules but its floor and timer", "ns-2",
            "as ns-2, with this receiver", "print")

    def lines(results):
        yield "| " + " | ".join(head) + " |"
        yield "|" + " --- |" * len(head)
        for (key, flow, metric), row in results.rows.items():
            rules = tables.variants().get((table, kinds.get(flow), "all RFC and no clamp"), {}).get(row.x)
            if rules is None:
                continue
            found = (results.mean(key, flow, metric), row.rules, rules, row.ns2[0],
                     results.mean(key, flow + AS_NS2, metric), row.published)
            yield f"| {flow} | {key} | " + " | ".join(f"{value:.4g}" for value in found) + " |"
    return lines


def packet_tables():
    for table, size, pps, flows, what in (
            (7, 1460, 100, ("std_tfrc", "std_tfrc_rto500"), "I: 1460-byte TFRC segments"),
            (8, 14, 50, tuple(FLOWS), "II: 14-byte segments, 5.6 kbit/s"),
            (9, 200, 100, tuple(FLOWS), "III: 200-byte segments, 160 kbit/s")):
        yield Experiment(
            f"rfc4828-t{table:02d}",
            f"RFC 4828 Table {table}: send rate by packet drop rate, {what}",
            "R = 240 ms, every packet lost with the same probability; the second half of 100 s; rates "
            "include 32 bytes of headers. " + REFERENCE, list(table_rows(table, size, pps, flows)),
            CLAIMS[table], beside=beside(str(table)) if table > 7 else None, seeds=SEEDS,
            xlabel="packet drop rate", logx=True)


REFERENCE = (
    "The reference is a model of one flow that was written from RFC 5348 and RFC 4828 alone; a seed has as many "
    "flows as the model had. `std_tfrc_rto500` is standard TFRC with ns-2's t_RTO of 0.5 s (2.08 R) in place of "
    "4R, as the printed figures have it. Flows named `_as_ns2` have ns-2's loss inference (one packet, and all "
    "losses that it tells of are one event) and ns-2's sender (a nofeedback timer of max(2R, 2s/X); X limited by "
    "twice the last X_recv, but not to less than a packet an RTT): they stand beside the print.")


# RFC 4828 4.5.1: goodput and send rate count TCP's data alone.
def tcp_size_rows(table, b):
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        size = int(line["segment_size_B"])
        run = tcp_run(0, size, {"loss": "byte", "b": b}, 0.1)
        for metric, column, pick, scale in (
                ("packet_drop_rate", "packet_drop_rate", "drop_rate", 1),
                ("send_rate_kbps", "tcp_send_rate_kbps", "send_rate_kbps", size / (size + 40)),
                ("goodput_kbps", "tcp_goodput_kbps", "goodput_kbps", 1)):
            name = metric if metric == "packet_drop_rate" else metric + "(payload only)"
            held = tcp_model.bound(1 - (1 - b) ** (size + 40), 0.1, size) if metric == "send_rate_kbps" else []
            yield Row(line["segment_size_B"], "tcp", metric, run, ("tcp", pick), x=size,
                      published=float(line[column]), scale=scale, bounds=held,
                      rules=held[0].reference if held else None,
                      ns2=tables.ns2(str(table), line["segment_size_B"], "tcp", name),
                      quick=QUICK_TCP.get((table, size, metric)))


QUICK_TCP = {(5, 1460, "packet_drop_rate"): (0.12, 0.16), (5, 512, "packet_drop_rate"): (0.045, 0.065)}


def best_size(results, metric="send_rate_kbps", sizes=("14", "128", "256", "512", "1460", "4000")):
    rates = {float(k): results.mean(k, "tcp", metric) for k in sizes}
    return max(rates, key=rates.get) if all(v == v for v in rates.values()) else float("nan")


def size_tables():
    for table, b, best, what in ((5, 0.0001, 1460, "0.0001"), (6, 0.001, 128, "0.001")):
        yield Experiment(
            f"rfc4828-t{table:02d}",
            f"RFC 4828 Table {table}: TCP's rate by packet size, byte drop rate {what}",
            "ns-3's TCP alone, ten flows; the RFC does not give the round-trip time: 100 ms. "
            "The reference is the full model of Padhye and others (1998) with ns-3's timer, up to 50 % loss. "
            "The engine has no part in it; it shows what ns-3's TCP does where ns-2's did this.",
            list(tcp_size_rows(table, b)),
            [Claim(f"the goodput is highest at {best} bytes: the size at which ours is",
                   lambda r: best_size(r, "goodput_kbps"), number=best)],
            xlabel="segment size, bytes", logx=True)


def byte_rows():
    for line in tables.read("rfc4828_table10.csv"):
        b, key = float(line["byte_drop_rate"]), line["byte_drop_rate"]
        yield from flow_rows(10, line, "byte_drop_rate", b, 14, 50, tuple(FLOWS))
        for flow, ecn in TCP.items():
            size = int(line["tcp_segment_size_B"])
            held = [] if ecn else tcp_model.bound(1 - (1 - b) ** (size + 40), RTT, size + 40)
            yield Row(key, flow, "send_rate_kbps", tcp_run(ecn, size, {"loss": "byte", "b": b}),
                      ("tcp", "send_rate_kbps"), x=b, bounds=held, rules=held[0].reference if held else None,
                      published=float(line[f"{flow.replace('_', '')}_send_rate_kbps"]),
                      ns2=tables.ns2("10", key, flow, "send_rate_kbps"))


def drop_rows():
    for line in tables.read("rfc4828_table11.csv"):
        b, key = float(line["byte_drop_rate"]), line["byte_drop_rate"]
        # The RFC's 56 bytes are 14 and 42; its own simulations send 46.
        for flow, column, size in (("tcp", "tcp_1460B_packet_drop_rate", 1500),
                                   ("tfrc_sp", "tfrc_14B_packet_drop_rate", 56)):
            published = float(line[column])
            yield Row(key, flow, "packet_drop_rate",
                      {"stage": "vt", "run": "loss", "loss": "byte", "b": b, "size": size},
                      ("flow", "drop_rate"), x=b, published=published,
                      bounds=[Bound("the printed figure", published, 0.8, 1.2)],
                      quick=(0.8 * published, 1.2 * published))


def oscillation_rows():
    """Appendix C: does switching between short and long intervals make p swing?"""
    for rtt in (0.05, 0.24):
        for p in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4):
            for flow, measure in (("default", "rfc"), ("gradual", "gradual")):
                run = {"stage": "vt", "flows": 10, "duration": 200, "from": 50, "rtt": rtt,
                       "size": 200, "pps": 100, "mode": "tfrc-sp", "measure": measure,
                       "loss": "bernoulli", "p": p}
                for metric in ("p_cov", "X_cov", "send_rate_kbps"):
                    yield Row(f"{rtt * 1000:g} ms, {p:g}", f"{flow} R={rtt * 1000:g} ms", metric,
                              run, ("flow", metric), x=p,
                              quick=(0.05, 1.5) if metric == "X_cov" and p == 0.1 else None)


def cov_ratio(metric, worst):
    def value(results):
        ratios = []
        for key, flow, m in results.stats:
            if m == metric and flow.startswith("gradual"):
                default = results.mean(key, flow.replace("gradual", "default"), metric)
                ratios.append(results.mean(key, flow, metric) / default)
        return worst(ratios) if ratios else float("nan")
    return value


def experiments():
    yield from size_tables()
    yield from packet_tables()
    yield Experiment(
        "rfc4828-t10", "RFC 4828 Table 10: send rate by byte drop rate",
        "As Table 8, but each byte is lost with the same probability, and a packet with any of "
        "its bytes. TCP has the segment size that the RFC found best. " + REFERENCE,
        list(byte_rows()),
        [Claim("\"TFRC-SP gives an unfair advantage\": its rate to TCP's at 0.005",
               lambda r: r.mean("0.005", "tfrc_sp", "send_rate_kbps")
               / r.mean("0.005", "tcp", "send_rate_kbps"), says=MORE),
         Claim("\"Standard TFRC gives essentially the desired performance\": its rate to TCP's "
               "at 0.001", lambda r: r.mean("0.001", "std_tfrc_rto500", "send_rate_kbps")
               / r.mean("0.001", "tcp", "send_rate_kbps"))],
        xlabel="byte drop rate", logx=True)
    yield Experiment(
        "rfc4828-t11", "RFC 4828 Table 11: packet drop rate by byte drop rate",
        "A million packets of 1500 and of 56 bytes through the lab's byte-drop model.",
        list(drop_rows()), seeds=1, xlabel="byte drop rate", logx=True)
    yield Experiment(
        "rfc4828-appc", "RFC 4828 Appendix C: does counting all losses of short intervals make "
        "the loss event rate oscillate?",
        "TFRC-SP, 200-byte segments at most every 10 ms, as the RFC measures loss intervals "
        "(*default*) and with the gradual rule of Appendix C. `p_cov` and `X_cov` are the "
        "coefficients of variation of p and X, sampled once a round-trip time.",
        list(oscillation_rows()),
        [Claim("\"not shown a great difference in oscillations in the estimated loss event rate\": "
               "largest ratio of the CoV of p, gradual to default", cov_ratio("p_cov", max), number=1),
         Claim("smallest ratio of the CoV of p", cov_ratio("p_cov", min), number=1),
         Claim("largest ratio of the CoV of X", cov_ratio("X_cov", max), number=1, quick=(0.6, 1.5)),
         Claim("smallest ratio of the CoV of X", cov_ratio("X_cov", min), number=1)],
        xlabel="packet drop rate", logy=False)
