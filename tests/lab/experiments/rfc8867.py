"""RFC 8867 and RFC 8868: evaluating congestion control for interactive real-time media.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
from model import Claim, Experiment, Row

DELAY = 50                      # ms one way, RFC 8867 4
MEAN = 1000                     # bytes


def queue(ms, kbps):
    """A drop-tail queue of so many milliseconds at that rate."""
    return {"queue": "droptail-byte", "mean_packet": MEAN,
            "limit": round(ms * kbps / 8 / MEAN, 3), "rate": f"{kbps}kbps"}


def tfrc(name="media", **more):
    words = "".join(f",{k}={v}" for k, v in more.items())
    # Video of 1.5 Mbit/s at most: the application never has more than that to send.
    return f"tfrc:name={name},size=1200,pps=156,backlog=16,rtt={2 * DELAY}{words}"


def run(flows, kbps=1000, ms=300, duration=100, **more):
    return {"stage": "ns3", "delay": DELAY, "duration": duration, "from": 20, "series": 1,
            **queue(ms, kbps), "flow": tuple(flows), **more}


def share(flow, first, last, capacity):
    """What comes through from second `first` to `last`, as a share of kbit/s."""
    def value(result):
        rates = [result[flow][f"rate@{t}"] for t in range(first + 1, last + 1)]
        return sum(rates) / len(rates) / capacity
    return value


# RFC 8867 5.1: seconds and kbit/s.
STEPS = ((0, 40, 1000), (40, 60, 2500), (60, 80, 600), (80, 100, 1000))
BACK = ((0, 20, 2000), (20, 40, 1000), (40, 60, 500), (60, 100, 2000))


def schedule(steps):
    return "/".join(f"{begin}:{rate}kbps" for begin, _, rate in steps)


def variable():
    simulation = run([tfrc()], rates=schedule(STEPS))
    for begin, end, capacity in STEPS:
        # The application sends 1.5 Mbit/s at most.
        usable = min(capacity, 1500)
        yield Row(f"{begin} s: {capacity} kbit/s", "media", "share_of_capacity", simulation,
                  share("media", begin + 8, end, usable), quick=(0.6, 1.05))
    yield Row("all", "media", "drop_rate", simulation, ("media", "drop_rate"))


def feedback():
    simulation = run([tfrc(), "tcp:name=back,reverse=1,rtt=100"], kbps=2000,
                     rates=schedule(BACK), back_rates="0:2000kbps/35:800kbps/70:2000kbps")
    for begin, end, capacity in BACK:
        usable = min(capacity, 1500)
        yield Row(f"{begin} s: {capacity} kbit/s", "media", "share_of_capacity", simulation,
                  share("media", begin + 8, end, usable))


def long_tcp():
    for ms in (300, 1000):
        simulation = run([tfrc(), "tcp:name=tcp,rtt=100,window=400"], kbps=2000, ms=ms,
                         duration=120)
        for flow in ("media", "tcp"):
            yield Row(f"{ms} ms", flow, "through_kbps", simulation, (flow, "through_kbps"))


def paused():
    simulation = run([tfrc(f"flow{i}", **({"pause": "40-60"} if i == 2 else {}))
                      for i in (1, 2, 3)], kbps=3500, duration=119)
    for first, last in ((25, 40), (45, 60), (75, 119)):
        for i in (1, 2, 3):
            yield Row(f"{first}-{last} s", f"flow{i}", "share_of_capacity", simulation,
                      share(f"flow{i}", first, last, 3500),
                      quick=(0.15, 0.5) if (first, i) == (75, 2) else None)


def equal_flows():
    for delay in (1, 50, 150, 300):
        for ms in (70, 400, 1500):
            simulation = dict(run([f"tfrc:name=flow{i},size=1200,rtt={2 * delay}" for i in (1, 2)],
                                  kbps=1000, ms=ms, duration=140), delay=delay)
            simulation["from"] = 60

            def ratio(result):
                rates = [result[f"flow{i}"]["through_kbps"] for i in (1, 2)]
                return max(rates) / max(1e-3, min(rates))
            yield Row(f"{delay} ms, queue {ms} ms", "two equal flows", "fairness_ratio",
                      simulation, ratio, x=delay,
                      quick=(1, 3) if (delay, ms) == (50, 400) else None)


def least(flow, metric, pick=min):
    def value(r):
        found = [r.mean(k, flow, metric) for k in r.keys(flow, metric)]
        return pick(found) if found else float("nan")
    return value


def experiments():
    yield Experiment(
        "rfc8867-5.1", "RFC 8867 5.1: variable capacity, one flow",
        "Media of at most 1.5 Mbit/s in standard TFRC, 50 ms one way, 300 ms of drop-tail queue, "
        "capacity 1.0, 2.5, 0.6 and 1.0 Mbit/s; from 8 s after each step on.",
        list(variable()),
        [Claim("what comes through, least share of what can be used",
               least("media", "share_of_capacity"), watch=(0.6, 1.05)),
         Claim("what comes through, largest share of what can be used",
               least("media", "share_of_capacity", max), watch=(0.7, 1.05))], logy=False)
    yield Experiment(
        "rfc8867-5.3", "RFC 8867 5.3: congested feedback",
        "Capacity 2.0, 1.0, 0.5 and 2.0 Mbit/s forward; 2.0, 0.8, 2.0 Mbit/s backward, where a TCP "
        "flow fills the queue that the reports wait in.",
        list(feedback()),
        [Claim("what comes through, least share of what can be used",
               least("media", "share_of_capacity"), watch=(0.3, 1.05))], logy=False)
    yield Experiment(
        "rfc8867-5.6", "RFC 8867 5.6: media beside a long TCP flow",
        "2 Mbit/s, queues of 300 and 1000 ms, 120 s.",
        list(long_tcp()),
        [Claim("media beside TCP: least share of the 2 Mbit/s",
               lambda r: least("media", "through_kbps")(r) / 2000, watch=(0.1, 0.8)),
         Claim("TCP beside media: least share",
               lambda r: least("tcp", "through_kbps")(r) / 2000, watch=(0.15, 0.9))], logy=False)
    yield Experiment(
        "rfc8867-5.8", "RFC 8867 5.8: one of three flows pauses from 40 to 60 s",
        "3.5 Mbit/s.",
        list(paused()),
        [Claim("flow 2 after its pause, to the mean of the others",
               lambda r: 2 * r.mean("75-119 s", "flow2", "share_of_capacity")
               / (r.mean("75-119 s", "flow1", "share_of_capacity")
                  + r.mean("75-119 s", "flow3", "share_of_capacity")), watch=(0.4, 2.0)),
         Claim("the others take what it leaves: share of both, 45 to 60 s",
               lambda r: r.mean("45-60 s", "flow1", "share_of_capacity")
               + r.mean("45-60 s", "flow3", "share_of_capacity"), watch=(0.7, 1.02))], logy=False)
    yield Experiment(
        "rfc8868-fairness", "RFC 8868: two equal flows over delays and queues",
        "1 Mbit/s, delays of 1 to 300 ms one way, queues of 70, 400 and 1500 ms; the larger rate "
        "to the smaller over 80 s. The RFC asks for 0.333 to 3.",
        list(equal_flows()),
        [Claim("largest ratio", least("two equal flows", "fairness_ratio", max), says=(1 / 3, 3))],
        xlabel="one-way delay, ms", logy=False)
