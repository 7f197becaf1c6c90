"""RFC 5348 4.4: what a sender does when its reports do not come back.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

from model import Bound, Experiment, Row

EVERY, FROM, SIZE = 100, 50, 1000       # each hundredth packet is lost, so that p is 0.01


def equation(R, p):
    """RFC 5348 3.1 in packets/s, with t_RTO = 4R."""
    return 1 / (R * math.sqrt(2 * p / 3) + 4 * R * 3 * math.sqrt(3 * p / 8) * p * (1 + 32 * p ** 2))


def packets(R, length):
    """What leaves in `length` seconds after the last report, which is R/2 on its way: the nofeedback timer
    of max (4R, 2s/X) halves X each time, down to a packet in 64 s."""
    X, t = equation(R, 1 / EVERY), R / 2
    sent = X * t
    while t < length:
        wait = min(max(4 * R, 2 / X), length - t)
        sent, t, X = sent + X * wait, t + wait, max(X / 2, 1 / 64)
    return sent


def rows():
    for R in (0.05, 0.1, 0.24):
        for length in (10, 60):
            run = {"stage": "vt", "mode": "tfrc", "size": SIZE, "rtt": R, "loss": "every", "every": EVERY,
                   "from": FROM, "mute": FROM, "duration": FROM + length, "flows": 20}
            want = packets(R, length)
            yield Row(f"{R * 1000:g} ms, {length} s", "std_tfrc", "packets", run, ("flow", "packets_per_s"),
                      scale=length, rules=want, bounds=[Bound("RFC 5348 4.4", want, 0.85, 1.15)], quick=True)
    for share in (0, 0.5, 0.8):
        run = {"stage": "vt", "mode": "tfrc", "size": SIZE, "rtt": 0.1, "loss": "bernoulli", "p": 0.05,
               "back_p": share, "flows": 20}
        yield Row(f"{share:g} of the reports lost", "std_tfrc", "packets_per_s", run, ("flow", "packets_per_s"),
                  x=share, quick={0: (38, 47), 0.5: (37, 46), 0.8: (34, 45)}[share])


def experiments():
    yield Experiment(
        "silence", "Reports that do not come back",
        "A flow of 1000-byte packets that always has data, each hundredth packet lost; from 50 s on no report comes "
        "back. The reference is reckoned from RFC 5348 4.4 and the equation: how many packets leave in the "
        "next 10 and 60 s. Below: a share of the reports lost at random, at a packet loss of 5 %.",
        list(rows()), seeds=1, logy=False)
