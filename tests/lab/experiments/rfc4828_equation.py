"""RFC 4828 Tables 1 to 4: the response functions, from the engine's own equation.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import tables
from model import Bound, Experiment, Row

RTT = 0.1
SIZES = (14, 536, 1460)
# The RFC's figures come from 0.816 and 7.34 where the equation has sqrt(2/3) and
# 12 sqrt(3/8): at most 0.2 % of the rate, besides the rounding of the last digit.
ROUNDING = {"lo": 0.998, "hi": 1.002, "slack": 0.0051}


def rows(table, by_byte, sp):
    column = "byte_drop_rate" if by_byte else "packet_drop_rate"
    name = "tfrcsp" if sp else "tcp_and_stdtfrc"
    for line in tables.read(f"rfc4828_table{table:02d}.csv"):
        rate = float(line[column])
        for size in SIZES:
            wire = size + 40
            # RFC 4828 4.1 counts the 40 bytes of headers as data: 1500 for TFRC-SP.
            run = {"stage": "vt", "run": "equation", "rtt": RTT, "s": 1500 if sp else wire,
                   "p": 1 - (1 - rate) ** wire if by_byte else rate}
            if sp:
                run.update(pps=100, size=wire)
            published = float(line[f"{name}_{size}B_rate_KBps"])
            yield Row(line[column], f"{name}_{size}B", "rate_KBps", run, ("flow", "rate_KBps"),
                      x=rate, published=published,
                      ns2=tables.ns2(str(table), line[column],
                                     "tfrcsp" if sp else "tcp_or_stdtfrc",
                                     f"closed_form_rate_KBps_{size}B"),
                      bounds=[Bound("the printed figure", published, **ROUNDING)],
                      quick=(published * 0.998 - 0.0051, published * 1.002 + 0.0051))


def experiments():
    for table, by_byte, sp in ((1, False, False), (2, False, True),
                               (3, True, False), (4, True, True)):
        what = "TFRC-SP" if sp else "TCP and TFRC"
        yield Experiment(
            f"rfc4828-t{table:02d}",
            f"RFC 4828 Table {table}: response function of {what}, by "
            f"{'byte' if by_byte else 'packet'} drop rate",
            "The throughput equation with R = 100 ms, t_RTO = 4R, and the 40 bytes of headers "
            "in the segment as the RFC's tables have them"
            + (", at most 100 packets/s." if sp else "."),
            list(rows(table, by_byte, sp)), seeds=1,
            xlabel="drop rate of a " + ("byte" if by_byte else "packet"), logx=True)
