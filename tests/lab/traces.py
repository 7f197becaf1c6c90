"""Capacities of links that change all the time, drawn from published models with a seed. Nothing is recorded,
so no licence of a recording applies.

cellular: K. Winstein, A. Sivaraman, H. Balakrishnan, "Stochastic Forecasts Achieve High Throughput and Low Delay
over Cellular Networks" (NSDI 2013), 3.1: packets leave in a Poisson process whose rate is in Brownian motion, 200
packets/s per root second, of packets of 1500 bytes; at a rate of 0 the outage ends after an exponential time,
of mean 1 s.

wifi: the distributed coordination function (IEEE 802.11-2016 10.3, in the form of G. Bianchi, "Performance Analysis
of the IEEE 802.11 Distributed Coordination Function", JSAC 2000, with 802.11a's times): what one of n stations
that always have packets carries, where stations come and go.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import random

STEP = 0.1                      # s from rate to rate
LEAST = 20                      # kbit/s: the simulator has no rate of 0
PACKET = 1500 * 8e-3            # kbit

# Cellular
SIGMA, ESCAPE = 200.0, 1.0      # packets/s per root second; per second
FASTEST = 1000.0                # packets/s, where the motion is reflected

# Wi-Fi: 802.11a at 6 Mbit/s
SLOT, SIFS, DIFS = 9e-6, 16e-6, 34e-6
CW_MIN, CW_MAX = 15, 1023
PREAMBLE, WIFI_RATE, ACK = 20e-6, 6e6, 44e-6
BUSY = PREAMBLE + (1500 + 36) * 8 / WIFI_RATE + SIFS + ACK + DIFS
STATIONS = 4                    # beside ours, at most
STAY = 8.0                      # s, mean time that a station stays or is away


def cellular(duration, seed):
    """[kbit/s of each STEP]"""
    rng = random.Random(seed)
    rate, rates = 0.2 * FASTEST, []
    for _ in range(round(duration / STEP)):
        if rate > 0 or rng.random() < 1 - math.exp(-ESCAPE * STEP):
            step = rng.gauss(0, SIGMA * math.sqrt(STEP))
            rate += step if rate > 0 else abs(step)
        rate = max(0.0, rate if rate <= FASTEST else 2 * FASTEST - rate)
        packets = sum(1 for _ in arrivals(rng, rate))
        rates.append(max(LEAST, packets * PACKET / STEP))
    return rates


def arrivals(rng, rate):
    """A Poisson process of one STEP."""
    at = 0.0
    while rate > 0:
        at += rng.expovariate(rate)
        if at > STEP:
            return
        yield at


class Station:
    def __init__(self, rng):
        self.rng, self.window = rng, CW_MIN
        self.draw()

    def draw(self):
        self.count = self.rng.randint(0, self.window)

    def after(self, collided):
        self.window = min(CW_MAX, 2 * self.window + 1) if collided else CW_MIN
        self.draw()


def wifi(duration, seed):
    """[kbit/s of each STEP] that the first station carries."""
    rng = random.Random(seed)
    ours, others = Station(rng), []
    now, change, carried = 0.0, 0.0, [0.0] * round(duration / STEP)
    while now < duration:
        if now >= change:
            others = [Station(rng) for _ in range(rng.randint(0, STATIONS))]
            change = now + rng.expovariate(1 / STAY)
        stations = [ours, *others]
        idle = min(s.count for s in stations)
        for station in stations:
            station.count -= idle
        sending = [s for s in stations if s.count == 0]
        now += idle * SLOT + BUSY
        if sending == [ours] and now < duration:
            carried[int(now / STEP)] += PACKET
        for station in sending:
            station.after(len(sending) > 1)
    return [max(LEAST, kbit / STEP) for kbit in carried]


def schedule(rates):
    """As lab-ns3 takes it."""
    return "/".join(f"{i * STEP:.1f}:{rate:.0f}kbps" for i, rate in enumerate(rates))
