"""Widmer, Boutremans, Le Boudec 2004 (WBL04), figures 9 to 16: a bottleneck shared with TCP.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

from model import LESS, MORE, Claim, Experiment, Row

S = 1000
COUNTS = (1, 4, 16, 32)         # flows of each kind
SEVERAL = COUNTS[1:]
MEASURES = {"TFRC": "", "virtual packets": "virtual-packet", "random sampling": "sample-packet",
            "LIP scaling": "lip-scale"}
# The paper's applications: segment, rate of packets, fair rate in kbit/s.
SETTINGS = {
    "100 bytes": ("size=100", 100, 96),
    "50 packets/s": ("size=200,pps=50,adapt=1", 160, 64),
    "160 packets/s": ("size=100,pps=160,adapt=1", 75, 96),
    # 52 bytes hold the headers.
    "50 to 350 bytes": ("size=52,size_max=350", 200, 96),
}


# One seed.
QUICK = {("red-packet", "50 packets/s", 4, "virtual packets"): (0.7, 1.9),
         ("red-packet", "50 packets/s", 4, "random sampling"): (0.6, 2.0),
         ("red-byte", "100 bytes", 4, "virtual-byte"): (0.5, 2.2)}


def queue(kind, n, setting, share=1.0):
    """Appendix A: twice the bandwidth-delay product of 500 ms; `share` of that."""
    _, small, fair = SETTINGS[setting]
    rate = 2 * n * fair * 1000
    product = rate / 8 * 0.5
    if kind.endswith("-byte"):
        mean = 500
    else:
        mean = 2 * S / (1 + S / small)
    limit = max(4, round(2 * share * product / mean))
    return {"queue": kind, "rate": f"{rate}bps", "limit": limit, "mean_packet": round(mean),
            "minth": 0.05 * limit, "maxth": 0.5 * limit, "maxp": min(0.5, 1 / (0.225 * limit))}


def flow(measure, n, setting, rtt, name="vp", **more):
    words = SETTINGS[setting][0]
    if not MEASURES.get(measure, measure):
        return f"tfrc:name={name},n={n},size={S},headers=28,rtt={rtt}"
    extra = "".join(f",{k}={v}" for k, v in more.items())
    return (f"tfrc:name={name},n={n},{words},headers=28,S={S},rtt={rtt},"
            f"measure={MEASURES.get(measure, measure)}{extra}")


def tcp(n, rtt, name="tcp"):
    return f"tcp:name={name},n={n},size={S - 40},rtt={rtt}"


def to_tcp(name="vp", of="tcp", metric="through_kbps"):
    return lambda result: result[name][metric] / max(1e-3, result[of][metric])


def rows(kind, setting, measures=MEASURES, rtt=200, delay=80, share=1.0, counts=COUNTS, **more):
    for n in counts:
        for measure in measures:
            run = {"stage": "ns3", "delay": delay, **queue(kind, n, setting, share),
                   "flow": (flow(measure, n, setting, rtt, **more), tcp(n, rtt))}
            label = measure if isinstance(measures, dict) else f"{measure}"
            yield Row(str(n), label, "rate_to_TCP", run, to_tcp(), x=n,
                      quick=QUICK.get((kind, setting, n, label)))
            yield Row(str(n), label, "goodput_cov", run, ("vp", "goodput_cov"), x=n)


def labelled(rows_, prefix):
    for row in rows_:
        row.flow = prefix + row.flow
        yield row


def at(n, name):
    return lambda r: r.mean(str(n), name, "rate_to_TCP")


def spread(names, counts, pick):
    return lambda r: pick([r.mean(str(n), f, "rate_to_TCP") for f in names for n in counts])


def distance(r, n, name):
    return abs(math.log(r.mean(str(n), name, "rate_to_TCP")))


GOOD = ("virtual packets", "random sampling")
SETUP = ("N flows of each measure and N TCP flows of 1000-byte packets, RTT 200 ms, the link scaled "
         "to N fair shares; the second half of 100 s. `rate_to_TCP` is what passes the bottleneck, "
         "to TCP's.")


def figures():
    yield "9a", "50 packets/s, RED in packets", list(rows("red-packet", "50 packets/s")), [
        Claim("virtual packets and random sampling share with TCP: largest ratio, N of 4 to 32",
              spread(GOOD, SEVERAL, max), number=1),
        Claim("smallest ratio of virtual packets and random sampling to TCP, N of 4 to 32",
              spread(GOOD, SEVERAL, min), number=1),
        Claim("\"LIP scaling is the most aggressive\": to the mean of the two at N = 16",
              lambda r: 2 * at(16, "LIP scaling")(r) / (at(16, "virtual packets")(r)
                                                        + at(16, "random sampling")(r)), says=MORE)]
    yield "9b", "50 packets/s, drop-tail in packets", list(rows("droptail-packet", "50 packets/s")), [
        Claim("\"when using the drop-tail queue, LIP scaling is significantly too aggressive\": "
              "its ratio at N = 16", at(16, "LIP scaling"), says=MORE),
        Claim("largest ratio of virtual packets and random sampling, N of 4 to 32",
              spread(GOOD, SEVERAL, max), watch=(0.6, 2.5))]
    half = list(labelled(rows("droptail-packet", "100 bytes", share=0.5), "half the buffer: "))
    yield "10", "100 bytes, drop-tail in packets, two buffers", \
        list(rows("droptail-packet", "100 bytes")) + half, [
            Claim("\"random sampling and virtual packets become more aggressive as buffer space "
                  "decreases\": virtual packets, half the buffer to all, N = 16",
                  lambda r: at(16, "half the buffer: virtual packets")(r)
                  / at(16, "virtual packets")(r), says=MORE),
            Claim("\"in contrast LIP scaling is less aggressive\": the same for LIP scaling",
                  lambda r: at(16, "half the buffer: LIP scaling")(r)
                  / at(16, "LIP scaling")(r), says=LESS)]
    yield "11", "160 packets/s, drop-tail in packets", \
        list(rows("droptail-packet", "160 packets/s")), [
            Claim("largest ratio of virtual packets and random sampling, N of 4 to 32",
                  spread(GOOD, SEVERAL, max), watch=(0.5, 2.5))]
    yield "12", "50 to 350 bytes, RED in packets", list(rows("red-packet", "50 to 350 bytes")), [
        Claim("\"do not lead to a decrease in fairness\": largest ratio of virtual packets and "
              "random sampling, N of 4 to 32", spread(GOOD, SEVERAL, max), number=1),
        Claim("smallest ratio of virtual packets and random sampling to TCP, N of 4 to 32",
              spread(GOOD, SEVERAL, min), number=1)]
    byte = ({"virtual packets, byte mode": "virtual-byte"})
    yield "13", "100 bytes, queues in bytes", (
        list(labelled(byte_rows("red-byte", byte), "RED: "))
        + list(labelled(byte_rows("droptail-byte", byte), "drop-tail: "))
        + list(labelled(byte_rows("droptail-byte", byte, factor=2), "drop-tail, factor 2: "))), [
            Claim("RED in byte mode: \"at around 25 % the deviation is comparable\": ratio at "
                  "N = 16", at(16, "RED: virtual packets, byte mode"), number=1.25),
            Claim("drop-tail in bytes: \"roughly twice the TCP throughput\": ratio at N = 16",
                  at(16, "drop-tail: virtual packets, byte mode"), number=2),
            Claim("\"fairness is significantly higher for RED\": distance from 1 with RED to that "
                  "with drop-tail at N = 16 (logarithms)",
                  lambda r: distance(r, 16, "RED: virtual packets, byte mode")
                  / distance(r, 16, "drop-tail: virtual packets, byte mode"), says=LESS),
            Claim("the factor of 2 slows the flow behind drop-tail: with to without at N = 16",
                  lambda r: at(16, "drop-tail, factor 2: virtual packets, byte mode")(r)
                  / at(16, "drop-tail: virtual packets, byte mode")(r), says=LESS),
            Claim("\"25 to 100 times lower\": drop rate of TCP to that of virtual packets, drop-tail, "
                  "N = 1", lambda r: r.mean("1", "drop-tail: virtual packets, byte mode",
                                            "TCP_drop_rate_to_ours"), says=(25, 100))]
    yield "14", "160 packets/s, drop-tail in packets, RTT 40 ms", \
        list(rows("droptail-packet", "160 packets/s", rtt=40, delay=10, share=0.2)), [
            Claim("\"LIP scaling becomes particularly aggressive\": its ratio at N = 4",
                  at(4, "LIP scaling"), says=MORE),
            Claim("LIP scaling at N = 4, to virtual packets", lambda r: at(4, "LIP scaling")(r)
                  / at(4, "virtual packets")(r), says=MORE)]
    yield "15", "160 packets/s, drop-tail in packets, RTT 40 and 200 ms", list(mixed()), [
        Claim("\"much less than the theoretical factor of 5\": low-RTT TCP to high-RTT TCP, N = 8",
              lambda r: r.mean("8", "virtual packets", "TCP_40ms_to_TCP_200ms"), says=(1, 4)),
        Claim("\"virtual packets and random sampling are less aggressive than the TCP flow with "
              "the same RTT\": virtual packets at 40 ms to TCP at 40 ms, N = 8",
              lambda r: r.mean("8", "virtual packets", "40ms_to_TCP_40ms"), says=LESS,
              cause=("a queue of a tenth", lambda r: r.mean("8", SHORT, "40ms_to_TCP_40ms")))]
    yield "16", "100 bytes in byte mode, a router of 1000 packets/s both ways", list(packet_rate()), [
        Claim("\"8 times as high\": packets/s of virtual packets to TCP's, N = 1",
              lambda r: r.mean("1", "virtual packets, byte mode", "packet_rate_to_TCP"), number=8),
        Claim("\"for 16 flows and more, the packet rate is even less than TCP's\": the larger ratio of "
              "N = 16 and 32",
              lambda r: max(r.mean(str(n), "virtual packets, byte mode", "packet_rate_to_TCP")
                            for n in (16, 32)),
              says=LESS),
        Claim("\"VP-TFRC flows always achieve less throughput than TCP flows\": largest ratio",
              lambda r: max(r.mean(str(n), "virtual packets, byte mode", "rate_to_TCP")
                            for n in COUNTS), says=LESS)]


def byte_rows(kind, measures, **more):
    for row in rows(kind, "100 bytes", list(measures.values()), **more):
        name = row.flow = next(k for k, v in measures.items() if v == row.flow)
        yield row
        if row.metric == "rate_to_TCP":
            yield Row(row.key, name, "TCP_drop_rate_to_ours", row.run, drops, x=row.x)


def drops(result):
    return result["tcp"]["drop_rate"] / max(1e-6, result["vp"]["drop_rate"])


SHORT = "virtual packets, a tenth of the queue"


def mixed():
    setting = "160 packets/s"
    cases = [(n, m, m, 1.0) for n in (2, 8) for m in MEASURES]
    for n, measure, label, share in cases + [(8, "virtual packets", SHORT, 0.1)]:
        run = {"stage": "ns3", "delay": 10, **queue("droptail-packet", n, setting, share),
               "flow": tuple(w for rtt in (40, 200) for w in (
                   flow(measure, n // 2, setting, rtt, f"vp{rtt}"),
                   tcp(n // 2, rtt, f"tcp{rtt}")))}
        for name, over, under in (("40ms_to_TCP_40ms", "vp40", "tcp40"),
                                  ("200ms_to_TCP_200ms", "vp200", "tcp200"),
                                  ("TCP_40ms_to_TCP_200ms", "tcp40", "tcp200")):
            yield Row(str(n), label, name, run, to_tcp(over, under), x=n)


def packet_rate():
    name = "virtual packets, byte mode"
    for n in COUNTS:
        run = {"stage": "ns3", "delay": 80, "queue": "packet-rate", "pps": 1000, "both": 1, "limit": 100,
               "rate": "100Mbps", "flow": (flow("virtual-byte", n, "100 bytes", 200), tcp(n, 200))}
        yield Row(str(n), name, "rate_to_TCP", run, to_tcp(), x=n)
        yield Row(str(n), name, "packet_rate_to_TCP", run, to_tcp(metric="packets_per_s"), x=n)


def experiments():
    for number, what, rows_, claims in figures():
        yield Experiment(f"wbl04-fig{number}", f"WBL04 figure {number}: {what}", SETUP, rows_,
                         claims, xlabel="flows of each kind", logx=True)
