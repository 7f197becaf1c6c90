"""Widmer, Boutremans, Le Boudec 2004 (WBL04), figures 1, 2 and 4 to 8 and section 4.3: loss models.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

from model import LESS, MORE, Bound, Claim, Experiment, Row, Stat

RTT, S, SMALL = 0.1, 1000, 100
P = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
FLOW = {"stage": "vt", "flows": 5, "duration": 250, "from": 50, "rtt": RTT, "wire": 0,
        "mode": "tfrc", "S": S}
LARGE = dict(FLOW, size=S)
MEASURES = {
    "virtual packets": "virtual-packet", "random sampling": "sample-packet",
    "LIP scaling": "lip-scale", "unbiasing": "unbias-packet",
}
GOOD = ("virtual packets", "random sampling")
ONE = ", NDUPACK 1"             # the same with an engine that waits for one packet
NDUPACK_1 = "TFRC" + ONE


def small(measure, **more):
    return dict(FLOW, size=SMALL, measure=measure, **more)


def tcp(flows=5, duration=250, **loss):
    return {"stage": "ns3", "queue": "loss", "rate": "1Gbps", "duration": duration, "from": 50,
            **loss, "flow": f"tcp:n={flows},size={S - 40},rtt={RTT * 1000:g}"}


def flows_of(loss):
    """The flows of figures 4 to 6 under a loss model's parameters."""
    found = {"TFRC": dict(LARGE, **loss), NDUPACK_1: dict(LARGE, **loss, stage="vt1")}
    found.update({name: small(m, **loss) for name, m in MEASURES.items()})
    found.update({name + ONE: dict(small(MEASURES[name], **loss), stage="vt1")
                  for name in (*GOOD, "unbiasing")})
    found.update({f"{name}, 160 packets/s": dict(small(MEASURES[name], **loss), size=S, adapt=1,
                                                  pps=160) for name in GOOD})
    return found


def rows(model, p, metrics, quick=None, **more):
    loss = {"loss": model, "p": p, **more}
    for flow, run in flows_of(loss).items():
        for metric in metrics:
            yield Row(f"{p:g}", flow, metric, run, ("flow", metric), x=p,
                      quick=(quick or {}).get((p, flow, metric)))
    if "send_rate_kbps" in metrics:
        yield Row(f"{p:g}", "TCP", "send_rate_kbps", tcp(**loss), ("tcp", "send_rate_kbps"), x=p)


def normalize(to, held=None, metric="send_rate_kbps"):
    """Each flow's rate divided by that of the flow `to`."""
    def derive(results):
        for (key, flow, m), stat in list(results.stats.items()):
            under = to + ONE if flow.endswith(ONE) and to == "TFRC" else to
            base = results.mean(key, under, metric)
            if m != metric or flow == under or not base > 0 or ", bad for " in flow:
                continue
            x = results.rows[key, flow, m].x
            bound = held(flow, x) if held else None
            yield Row(key, flow, f"rate_to_{to}", {}, None, x=x, bounds=[bound] if bound else [],
                      cause=(flow + ONE, "an engine with NDUPACK = 1") if bound else None), Stat.of(
                          [stat.mean / base])
    return derive


def both(*derivations):
    def derive(results):
        for one in derivations:
            yield from one(results)
    return derive


def hold_good(flow, p):
    if flow in GOOD and 0.01 <= p <= 0.3:
        return Bound("TFRC with large packets", 1.0, 0.9, 1.1)
    return None


def ratio(key, flow, to, metric="send_rate_kbps"):
    return lambda r: r.mean(key, flow, metric) / r.mean(key, to, metric)


def extreme(pick, flows, to, keys, metric="send_rate_kbps"):
    return lambda r: pick([r.mean(k, f, metric) / r.mean(k, to, metric) for f in flows
                           for k in keys])


def mean_cov(r, flow, metric, keys):
    return sum(r.mean(k, flow, metric) for k in keys) / len(keys)


MODERATE = ("0.01", "0.02", "0.05", "0.1", "0.2")


LIMITED = "scaled, held to X_recv"


def figure_1():
    scaled = dict(FLOW, size=SMALL, sender="ns2", slow_increase=0, scaled=1, recv_limit=0)
    for p in P + (0.7,):
        loss = {"loss": "bernoulli", "p": p}
        for flow, run in (("TFRC", dict(LARGE, **loss)), ("scaled", dict(scaled, **loss)),
                          (LIMITED, dict(scaled, **dict(loss, recv_limit=1)))):
            for metric in ("send_rate_kbps", "p"):
                yield Row(f"{p:g}", flow, metric, run, ("flow", metric), x=p)
        yield Row(f"{p:g}", "TCP", "send_rate_kbps", tcp(**loss), ("tcp", "send_rate_kbps"), x=p)


def figure_2():
    for p in P:
        for flow, run in (("TFRC", dict(LARGE, loss="bernoulli", p=p)),
                          ("small packets", dict(FLOW, size=SMALL, loss="bernoulli",
                                                 p=p * SMALL / S))):
            for metric in ("send_rate_kbps", "p"):
                yield Row(f"{p:g}", flow, metric, run, ("flow", metric), x=p)


def failures():
    """A packet-mode measure where bytes are dropped, and the other way round."""
    for p in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        yield Row(f"{p:g}", "TFRC", "send_rate_kbps", dict(LARGE, loss="bernoulli", p=p),
                  ("flow", "send_rate_kbps"), x=p)
        for flow, measure, share in (
                ("packet mode, packets dropped", "virtual-packet", 1),
                ("packet mode, bytes dropped", "virtual-packet", SMALL / S),
                ("byte mode, bytes dropped", "virtual-byte", SMALL / S),
                ("byte mode, packets dropped", "virtual-byte", 1)):
            yield Row(f"{p:g}", flow, "send_rate_kbps",
                      small(measure, loss="bernoulli", p=p * share), ("flow", "send_rate_kbps"),
                      x=p, quick=QUICK_FAILURE.get((p, flow)))


# One seed of five flows.
QUICK_FAILURE = {(0.02, "packet mode, packets dropped"): (590, 700),
                 (0.02, "packet mode, bytes dropped"): (1900, 2500),
                 (0.02, "byte mode, bytes dropped"): (590, 720),
                 (0.02, "byte mode, packets dropped"): (35, 55)}
QUICK_4 = {(0.05, flow, "send_rate_kbps"): limits for flow, limits in (
    ("TFRC", (310, 390)), ("virtual packets", (320, 375)), ("random sampling", (310, 390)),
    ("LIP scaling", (325, 390)), ("unbiasing", (335, 410)))}
QUICK_7 = {(0.05, flow, "theta_cov"): limits for flow, limits in (
    ("TFRC", (0.7, 0.92)), ("virtual packets", (0.2, 0.31)), ("random sampling", (0.68, 0.9)),
    ("LIP scaling", (0.75, 0.88)), ("unbiasing", (0.6, 0.84)))}


COMMON = ("One flow in virtual time, R = 100 ms, small packets of 100 bytes, large ones and S "
          "of 1000; TCP is ns-3's with 1000-byte packets under the same loss model.")


def proportional_scaling():
    return Experiment(
        "wbl04-fig1", "WBL04 figure 1: S in the equation and nothing else, packets dropped",
        COMMON + " *scaled* sends small packets at the rate of the equation with S; the lab's "
        "plain equation sender does that, as the engine refuses to. X_recv does not limit it: with "
        f"that limit (*{LIMITED}*) it falls above 50 %, which the figure does not.",
        list(figure_1()),
        [Claim("\"much more aggressive even in the regime between 1 % and 10 %\": rate at 10 % to "
               "TFRC's", ratio("0.1", "scaled", "TFRC"), says=MORE),
         Claim("\"above 50 % more than 100 times the TCP throughput\": at 70 %",
               ratio("0.7", "scaled", "TCP"), says=(100, math.inf)),
         Claim("\"the loss event rate levels off and stays below 1 %\": at 70 %",
               lambda r: r.mean("0.7", "scaled", "p"), says=(0, 0.01))],
        both(normalize("TFRC"), normalize("TCP")), xlabel="packet drop rate", logx=True)


def bytes_dropped():
    return Experiment(
        "wbl04-fig2", "WBL04 figure 2: plain TFRC with small packets, bytes dropped",
        COMMON + " A packet's chance to be dropped is proportional to its size.",
        list(figure_2()),
        [Claim("\"the loss event rates differ by a factor of 10\": at 1 %",
               ratio("0.01", "TFRC", "small packets", "p"), number=10),
         Claim("\"only a factor of sqrt(10) worse\": small to large at 2 %",
               ratio("0.02", "small packets", "TFRC"), number=10 ** -0.5),
         Claim("\"for high packet drop rates the small packets even exceed\": at 50 %",
               ratio("0.5", "small packets", "TFRC"), says=MORE)],
        normalize("TFRC"), xlabel="packet drop rate of large packets", logx=True)


def equation(p):
    return Row(f"{p:g}", "equation", "send_rate_kbps",
               {"stage": "vt", "run": "equation", "rtt": RTT, "s": S, "p": p},
               ("flow", "rate_KBps"), x=p, scale=8)


def bernoulli_loss():
    return Experiment(
        "wbl04-fig4", "WBL04 figure 4: Bernoulli loss", COMMON,
        [r for p in P for r in (*rows("bernoulli", p, ("send_rate_kbps",), QUICK_4), equation(p))],
        [Claim("\"deviations from TCP throughput of less than 10 %\": virtual packets, largest "
               "ratio to TCP, 1 % to 10 %",
               extreme(max, ["virtual packets"], "TCP", ("0.01", "0.02", "0.05", "0.1")),
               number=1, factor=1.1),
         Claim("virtual packets, smallest ratio to TCP, 1 % to 10 %", extreme(min, ["virtual packets"], "TCP",
                                       ("0.01", "0.02", "0.05", "0.1")), number=1, factor=1.1),
         Claim("\"Direct unbiasing is slightly more conservative than TFRC\": its rate at 5 %",
               ratio("0.05", "unbiasing", "TFRC"), says=LESS),
         Claim("\"almost the same results when the packet rate is fixed at 160\": virtual packets "
               "at 2 %, fixed rate to fixed size",
               ratio("0.02", "virtual packets, 160 packets/s", "virtual packets"), number=1)],
        both(normalize("TFRC", hold_good), normalize("TCP")),
        xlabel="packet drop rate", logx=True)


def dynamic_loss():
    return Experiment(
        "wbl04-fig5", "WBL04 figure 5: dynamic Bernoulli loss",
        COMMON + " The drop rate is half and one and a half of its mean, 10 s each.",
        [r for p in P for r in rows("dynamic", p, ("send_rate_kbps",), period=10)],
        [Claim("\"Unbiasing is much more aggressive\": its rate to TFRC's at 20 %",
               ratio("0.2", "unbiasing", "TFRC"), says=MORE,
               cause=("an engine with NDUPACK = 1", ratio("0.2", "unbiasing" + ONE, NDUPACK_1))),
         Claim("\"virtual packets and random sampling behave quite well\": largest ratio to TFRC, "
               "1 % to 20 %", extreme(max, GOOD, "TFRC", MODERATE), number=1),
         Claim("virtual packets and random sampling, smallest ratio to TFRC, 1 % to 20 %",
               extreme(min, GOOD, "TFRC", MODERATE), number=1),
         Claim("\"LIP scaling is somewhat too aggressive\": at 10 %",
               ratio("0.1", "LIP scaling", "TFRC"), says=MORE)],
        both(normalize("TFRC"), normalize("TCP")), xlabel="mean packet drop rate", logx=True)


# The paper does not give the mean length of a bad state: what its four statements come to at others.
BURST = 10                      # draws of 10 ms
BURSTS = (1, 2, 3, 5, 20, 50)
ASKED = (("0.1", "unbiasing"), *(("0.1", m) for m in MEASURES if m != "unbiasing"), ("0.05", "virtual packets"),
         ("0.05", "random sampling"), ("0.02", "virtual packets"), ("0.02", "TFRC"), ("0.2", "LIP scaling"),
         ("0.2", "TFRC"))


def with_burst(flow, burst):
    return flow if burst == BURST else f"{flow}, bad for {burst}"


def gilbert(burst):
    return {"period": 0.01, "burst": burst, "flows": 3, "duration": 150}


def other_bursts():
    for burst in BURSTS:
        for key, flow in ASKED:
            run_ = flows_of({"loss": "gilbert", "p": float(key), **gilbert(burst)})[flow]
            yield Row(key, with_burst(flow, burst), "send_rate_kbps", run_, ("flow", "send_rate_kbps"), x=float(key))


def most_aggressive(r, burst=BURST):
    return r.mean("0.1", with_burst("unbiasing", burst), "send_rate_kbps") / max(
        r.mean("0.1", with_burst(m, burst), "send_rate_kbps") for m in MEASURES if m != "unbiasing")


def to_other(key, flow, to, burst=BURST):
    return ratio(key, with_burst(flow, burst), with_burst(to, burst))


def bursts_table(results):
    yield ("The four numbers that the statements are about, and the rate of TFRC at 2 %, by the mean length of a bad "
           "state in draws of 10 ms:")
    yield ""
    yield ("| draws | unbiasing to the next | virtual packets to sampling | virtual packets to TFRC | LIP to TFRC | "
           "TFRC, kbit/s |")
    yield "| --- | --- | --- | --- | --- | --- |"
    for burst in sorted((BURST, *BURSTS)):
        numbers = (most_aggressive(results, burst),
                   to_other("0.05", "virtual packets", "random sampling", burst)(results),
                   to_other("0.02", "virtual packets", "TFRC", burst)(results),
                   to_other("0.2", "LIP scaling", "TFRC", burst)(results),
                   results.mean("0.02", with_burst("TFRC", burst), "send_rate_kbps"))
        if not any(map(math.isnan, numbers)):
            yield f"| {burst} | " + " | ".join(f"{n:.2f}" for n in numbers[:-1]) + f" | {numbers[-1]:.0f} |"
    yield ""
    held = [str(burst) for burst in sorted((BURST, *BURSTS)) if fits(results, burst)]
    yield f"All four statements hold at: {', '.join(held)}." if held else (
        "No length makes all four statements true, so that it cannot be told which one the paper has.")


def fits(results, burst):
    return (most_aggressive(results, burst) >= 1
            and 1 / 1.5 <= to_other("0.05", "virtual packets", "random sampling", burst)(results) <= 1.5
            and to_other("0.02", "virtual packets", "TFRC", burst)(results) <= 0.5
            and 1 / 1.5 <= to_other("0.2", "LIP scaling", "TFRC", burst)(results) <= 1.5)


def gilbert_loss():
    return Experiment(
        "wbl04-fig6", "WBL04 figure 6: Gilbert loss",
        COMMON + " All packets are lost in a bad state; states are drawn anew every 10 ms, and a bad "
        "one lasts ten of these on average (the paper gives the 10 ms and not the mean length).",
        [r for p in P[:-2] for r in rows("gilbert", p, ("send_rate_kbps",), **gilbert(BURST))] + list(other_bursts()),
        [Claim("\"unbiasing is by far the most aggressive\": at 10 %, to the next of the measures",
               most_aggressive, says=MORE),
         Claim("\"Virtual packets and random sampling perform alike\": their ratio at 5 %",
               ratio("0.05", "virtual packets", "random sampling"), number=1),
         Claim("\"a throughput of less than 50 % of that of TFRC\": virtual packets at 2 %",
               ratio("0.02", "virtual packets", "TFRC"), says=(0, 0.5)),
         Claim("\"LIP scaling becomes as aggressive as plain TFRC for high loss rates\": at 20 %",
               ratio("0.2", "LIP scaling", "TFRC"), says=(1 / 1.5, 1.5), number=1,
               cause=("bad states of one draw", to_other("0.2", "LIP scaling", "TFRC", 1)))],
        both(normalize("TFRC"), normalize("TCP")), beside=bursts_table, xlabel="packet drop rate", logx=True)


MOMENT = "unbiasing, by the moment"


def unbiased_by_the_moment(p):
    return Row(f"{p:g}", MOMENT, "X_cov", small("unbias-packet", loss="bernoulli", p=p, unbias=1),
               ("flow", "X_cov"), x=p)


def stability():
    covs = [r for p in P[:-1] for r in rows("bernoulli", p, ("theta_cov", "X_cov"), QUICK_7)
            if "160" not in r.flow] + [unbiased_by_the_moment(p) for p in P[:-1]]
    keys = [f"{p:g}" for p in P[:-1]]

    def cov_to(flow, metric, to="TFRC"):
        return lambda r: mean_cov(r, flow, metric, keys) / mean_cov(r, to, metric, keys)
    return Experiment(
        "wbl04-fig7-8", "WBL04 figures 7 and 8: stability of the loss intervals and of the rate",
        COMMON + " `theta_cov`: coefficient of variation of the measured loss intervals (figure 7); "
        "`X_cov`: of the rate, sampled each round-trip time (figure 8 as a number).",
        covs,
        [Claim("\"the CoV of virtual packets is significantly lower\" than TFRC's (intervals; the "
               "mean over the drop rates)", cov_to("virtual packets", "theta_cov"), says=LESS),
         Claim("\"LIP scaling has roughly the same CoV as an unmodified TFRC\" (intervals)",
               cov_to("LIP scaling", "theta_cov"), number=1),
         Claim("random sampling too (intervals)", cov_to("random sampling", "theta_cov"), number=1),
         Claim("unbiasing lies between virtual packets and TFRC (intervals)",
               cov_to("unbiasing", "theta_cov"), says=LESS),
         Claim("virtual packets give \"the most stable sending rate\": its CoV to the least of the "
               "others",
               lambda r: mean_cov(r, "virtual packets", "X_cov", keys)
               / min(mean_cov(r, f, "X_cov", keys) for f in
                     ("TFRC", "random sampling", "LIP scaling", "unbiasing")), says=LESS),
         Claim("\"a similarly stable throughput is achieved with LIP scaling\": to TFRC's",
               cov_to("LIP scaling", "X_cov"), says=LESS),
         Claim("\"random sampling: roughly the same smoothness of throughput\"",
               cov_to("random sampling", "X_cov"), number=1),
         Claim("\"unbiasing delivers the most bursty sending rate\": to TFRC's",
               cov_to("unbiasing", "X_cov"), says=MORE,
               cause=("N from the packets of the last round-trip time", cov_to(MOMENT, "X_cov")))],
        xlabel="packet drop rate", logx=True, logy=False)


def misfits():
    return Experiment(
        "wbl04-failures", "WBL04 4.3: the measure does not fit the bottleneck",
        COMMON + " Where bytes are dropped a small packet is lost a tenth as often.",
        list(failures()),
        [Claim("packet mode where bytes are dropped: \"exceeds the rate of TCP roughly by a factor "
               "of sqrt(S/s)\" = 3.16: at 2 %, to TFRC with large packets",
               ratio("0.02", "packet mode, bytes dropped", "TFRC"), number=10 ** 0.5),
         Claim("byte mode where packets are dropped: \"too low by about the same factor\": at 0.2 %",
               ratio("0.002", "byte mode, packets dropped", "TFRC"), number=10 ** -0.5),
         Claim("each in its place: packet mode at 2 %",
               ratio("0.02", "packet mode, packets dropped", "TFRC"), number=1, factor=1.1),
         Claim("byte mode at 2 %", ratio("0.02", "byte mode, bytes dropped", "TFRC"), number=1, factor=1.1)],
        normalize("TFRC"), xlabel="packet drop rate of large packets", logx=True)


def experiments():
    return [make() for make in (proportional_scaling, bytes_dropped, bernoulli_loss, dynamic_loss,
                                gilbert_loss, stability, misfits)]
