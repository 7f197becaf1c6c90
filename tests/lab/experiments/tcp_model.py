"""The rate of ns-3's TCP by the full model of Padhye, Firoiu, Towsley and Kurose (SIGCOMM 1998).

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math

from model import Bound

B, WINDOW = 1, 100              # packets per acknowledgement and of the receiver's window, as ns3/dumbbell.cc has them
MIN_RTO, CLOCK = 0.2, 0.01      # s
HIGHEST = 0.5                   # drop rate: beyond it a TCP has hardly ever a window that the model could speak of


def packets_per_s(p, R):
    """Equation 32 of the paper, with the timer of RFC 6298 on a path whose round-trip time is always R."""
    T0 = max(MIN_RTO, R + CLOCK)
    w = (2 + B) / (3 * B) + math.sqrt(8 * (1 - p) / (3 * B * p) + ((2 + B) / (3 * B)) ** 2)
    full = w >= WINDOW
    w = min(w, WINDOW)
    q = 1 - p
    alone = min(1, (1 - q ** 3) * (1 + q ** 3 * (1 - q ** (w - 3))) / (1 - q ** w)) if w > 3 else 1
    backoff = 1 + p + 2 * p ** 2 + 4 * p ** 3 + 8 * p ** 4 + 16 * p ** 5 + 32 * p ** 6
    rounds = B / 8 * WINDOW + q / (p * WINDOW) + 2 if full else B / 2 * w + 1
    return (q / p + w + alone / q) / (R * rounds + alone * backoff * T0 / q)


def bound(p, R, size):
    """[Bound] in kbit/s of packets of `size` bytes; none where the model has nothing to say."""
    return [Bound("Padhye's TCP", packets_per_s(p, R) * size * 8e-3, 1 / 1.5, 1.5)] if p <= HIGHEST else []
