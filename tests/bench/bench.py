#!/usr/bin/python3
"""Measures, judges and prints; tests/bench/run.sh builds and calls this.

Every figure comes from runs made here and now, its peers' too. What is noisy is run
three times and its median taken.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import bisect
import collections
import csv
import itertools
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = 28                    # bytes of IPv4 and UDP for each datagram
PARTS = ("engine", "cpu", "departure", "feedback", "rate", "bound", "call", "calls", "most")


class Bench:
    def __init__(self, options):
        self.build = pathlib.Path(options.build)
        self.before = pathlib.Path(options.before) if options.before else None
        self.quick = options.quick
        self.folder = self.build / "bench"
        self.folder.mkdir(exist_ok=True)
        self.rows = []

    def add(self, measure, setting, figure, unit="", bar=None, met=None):
        """A line of the table; `bar` in words and whether it is met, or neither."""
        row = {"measure": measure, "setting": setting, "figure": figure, "unit": unit,
               "bar": bar or "", "met": {True: "met", False: "NOT MET", None: ""}[met]}
        self.rows.append(row)
        if len(self.rows) == 1:
            self.print_row("figure", "bar", "measured", "verdict")
        self.print_row(f"{measure}, {setting}", row["bar"], f"{figure} {unit}".rstrip(), row["met"])

    @staticmethod
    def print_row(figure, bar, measured, verdict):
        print(f"{figure:<78} | {bar:<22} | {measured:<18} | {verdict}", flush=True)

    def start_path(self, *arguments):
        return subprocess.Popen([self.build / "examples/tfrc-path", *map(str, arguments)])

    def start_calls(self, before=False, **options):
        """With `before`, of the plugin that --before names."""
        environment = os.environ
        if before:
            environment = os.environ | {"GST_PLUGIN_PATH": str(self.before / "gst/tfrc"),
                                        "GST_REGISTRY": str(self.folder / "before.registry")}
        log = options.get("log")
        if log:
            pathlib.Path(log).unlink(missing_ok=True)
        arguments = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")
                     for name, value in options.items()]
        return subprocess.Popen([self.build / "tests/bench/tfrc-bench", *arguments],
                                stdout=subprocess.PIPE, text=True, env=environment)

    @staticmethod
    def finish(process):
        text, _ = process.communicate()
        if process.returncode:
            sys.exit(f"bench: {' '.join(map(str, process.args))}: status {process.returncode}")
        found = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
        return found

    def over_path(self, path, **options):
        """Runs calls over an emulated path; their report."""
        relay = self.start_path(*path)
        time.sleep(0.2)
        try:
            return self.finish(self.start_calls(**options))
        finally:
            relay.terminate()
            relay.wait()


Event = collections.namedtuple("Event", "at kind timestamp size X X_inst")
Sent = collections.namedtuple("Sent", "at size X X_paced waited")


def read_log(name, since=0):
    with open(name, encoding="utf-8") as source:
        events = [Event(int(row["time_ns"]) / 1e9, row["kind"], int(row["timestamp"]),
                        int(row["size"]), float(row["X_Bps"]), float(row["X_inst_Bps"]))
                  for row in csv.DictReader(source)]
    return [event for event in events if event.at >= since]


def start_of(report):
    """Seconds at which the measured part of a run began."""
    return int(report["start_ns"]) / 1e9


def stat(text, name):
    # structures inside of structures are quoted
    found = re.search(rf"[ ,]{name}=\([a-z0-9]+\)([-+0-9.e]+)", text.replace("\\", ""))
    return float(found.group(1)) if found else None


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


# -- the engine ------------------------------------------------------------------------

def engine(bench):
    """The engine's own benchmark: ns, instructions, allocations, bytes of state."""
    program = bench.build / "subprojects/tfrc/tests/bench/bench-engine"
    script = ROOT / "subprojects/tfrc/tests/bench/engine.py"
    text = subprocess.run(["/usr/bin/python3", script, program, "3" if bench.quick else "9"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout
    line = re.compile(r"^(sent|received): (.*?)\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)"
                      r"\s+(\d+)\s+(\d+)$", re.M)
    found = line.findall(text)
    if not found:
        sys.exit(f"bench: {script} printed no figures: {text}")
    for way, flow, _, _, ns, instructions, report, total, allocations, size in found:
        setting = " ".join(flow.split()[:2]).strip(",")
        bench.add(f"engine, packet {way}: time", setting, ns, "ns")
        if instructions != "-":
            bench.add(f"engine, packet {way}: instructions", setting, instructions, "",
                      "at most 400", int(instructions) <= 400)
            bench.add(f"engine, report {'taken' if way == 'sent' else 'made'}: instructions", setting,
                      report, "")
        if total != "-":
            bench.add(f"engine, {way} with reports: instructions", setting,
                      total, "")
        bench.add(f"engine, packet {way}: allocations", setting, allocations, "", "0",
                  allocations == "0")
        bench.add(f"engine, state of {'sender' if way == 'sent' else 'receiver'}", setting, size,
                  "bytes")


# -- CPU, threads, memory --------------------------------------------------------------

VARIANTS = ("plain", "session", "session-jitter", "tfrc")


def cpu(bench):
    """CPU per media packet, sent and received, each variant beside the others."""
    runs = 1 if bench.quick else 3
    length = 4 if bench.quick else 8
    for calls in (1, 10, 100):
        found = {variant: [] for variant in VARIANTS}
        for _ in range(runs):
            for variant in VARIANTS:
                # 50 ms each way, so that R = 100 ms and the feedback's load is true.
                found[variant].append(bench.over_path(
                    ("--delay", 50, "--delay-back", 50, "--ports", calls, 21000,
                     "127.0.0.1:20000"),
                    variant=variant, calls=calls, port=20000, to=21000, seconds=length))
        report_cpu(bench, calls, found)


def report_cpu(bench, calls, found):
    def median(variant, name):
        return statistics.median(float(run[name]) for run in found[variant])
    setting = f"{calls} call{'s' if calls > 1 else ''}, 50 packets/s, 160 B"
    cost = {variant: median(variant, "cpu_us_per_packet") for variant in VARIANTS}
    for variant in VARIANTS:
        bench.add(f"CPU per packet, {variant}", setting, f"{cost[variant]:.1f}", "us")
    ratio = cost["tfrc"] / cost["session-jitter"]
    bench.add("CPU, tfrc / session-jitter", setting, f"{ratio:.2f}", "times",
              "at most 1.4", ratio <= 1.4)
    bench.add("CPU, tfrc / session", setting, f"{cost['tfrc'] / cost['session']:.2f}", "times")
    bench.add("CPU, tfrc / plain", setting, f"{cost['tfrc'] / cost['plain']:.2f}", "times")
    for variant in VARIANTS:
        bench.add(f"threads per call, {variant}", setting,
                  f"{median(variant, 'threads_per_call'):.2f}")
        bench.add(f"memory per call, {variant}", setting, f"{median(variant, 'kib_per_call'):.0f}",
                  "KiB")


# -- departures ------------------------------------------------------------------------

def passage(log):
    """Seconds from the source's pad to the socket's, for each media packet."""
    entered, took = {}, []
    for event in log:
        if event.kind == "i":
            entered[event.timestamp] = event.at
        elif event.kind == "o" and event.timestamp in entered:
            took.append(event.at - entered.pop(event.timestamp))
    return took[50:]


def departure(bench):
    length = 20 if bench.quick else 60
    direct = {}
    for variant in ("plain", "tfrc"):
        log = bench.folder / f"departure-{variant}.csv"
        bench.finish(bench.start_calls(variant=variant, port=22000, to=22000, seconds=length / 2,
                                       log=log))
        direct[variant] = passage(read_log(log))
    added = statistics.median(direct["tfrc"]) - statistics.median(direct["plain"])
    bench.add("added latency, not limited, median", "64 kbit/s", f"{added * 1e3:.3f}", "ms",
              "under 1", added < 1e-3)
    worst = quantile(direct["tfrc"], 0.99) - quantile(direct["plain"], 0.99)
    bench.add("added latency, not limited, p99", "64 kbit/s", f"{worst * 1e3:.3f}", "ms")
    # A narrow path makes every packet wait for its time; a bare wait beside them says what the machine makes of any.
    log = bench.folder / "departure-limited.csv"
    report = bench.over_path(("--capacity", "0:48", "--queue", "300ms", 23000, "127.0.0.1:22000"),
                             variant="tfrc", port=22000, to=23000, seconds=length, warm_up=10,
                             log=log, waits=True)
    setting = f"48 kbit/s path, {stat(report['sender'], 'waited-packets'):.0f} packets waited"
    error = stat(report["sender"], "departure-error-p99")
    late = quantile([event.X for event in read_log(log) if event.kind == "w"], 0.99)
    bench.add("a bare wait on the clock, late, p99", "beside the call", f"{late / 1e6:.2f}", "ms")
    bench.add("departure after the engine's time, p99", setting, f"{error / 1e6:.2f}", "ms",
              f"at most {late / 1e6 + 1:.2f}", error <= late + 1e6)
    error = stat(report["sender"], "departure-error-mean")
    bench.add("departure after the engine's time, mean", setting, f"{error / 1e6:.2f}", "ms")


# -- feedback --------------------------------------------------------------------------

def feedback(bench):
    """Three calls at once, a clean path each: they cost little."""
    length = 20 if bench.quick else 60
    running = []
    for i, R in enumerate((20, 100, 300)):
        log = bench.folder / f"feedback-{R}.csv"
        relay = bench.start_path("--delay", R / 2, "--delay-back", R / 2, 24100 + 10 * i,
                                 f"127.0.0.1:{24000 + 10 * i}")
        time.sleep(0.2)
        running.append((R, log, relay, bench.start_calls(
            variant="tfrc", payload=80, port=24000 + 10 * i, to=24100 + 10 * i, seconds=length,
            warm_up=3, log=log)))
    for R, log, relay, calls in running:
        report = bench.finish(calls)
        relay.terminate()
        relay.wait()
        report_feedback(bench, R / 1e3, read_log(log, start_of(report)), report["sender"])


def report_feedback(bench, R, log, sender):
    reports = [event for event in log if event.kind == "f"]
    bits = {name: sum(8 * (event.size + HEADERS) for event in log if event.kind in kinds)
            for name, kinds in (("media", "o"), ("back", "fc"), ("there", "s"))}
    gap = max((b.at - a.at for a, b in zip(reports, reports[1:])), default=float("inf"))
    size = statistics.mean(event.size for event in reports) + HEADERS if reports else 0
    elapsed = log[-1].at - log[0].at
    share_interval = 8 * size / (0.1 * bits["media"] / elapsed) if size else 0
    limit = 2.5 * max(R, share_interval)
    setting = f"32 kbit/s call, R = {1e3 * R:.0f} ms"
    bench.add("feedback: longest gap", setting, f"{1e3 * gap:.0f}", "ms",
              f"at most {1e3 * limit:.0f}", gap <= limit)
    share = bits["back"] / bits["media"]
    bench.add("feedback: share of the media rate", setting, f"{100 * share:.1f}", "%",
              "at most 10", share <= 0.1)
    both = (bits["back"] + bits["there"]) / bits["media"]
    bench.add("all RTCP, both ways: share", setting, f"{100 * both:.1f}", "%")
    expiries = stat(sender, "nofeedback-expiries")
    bench.add("nofeedback expiries", setting, f"{expiries if expiries is not None else 'unknown'}",
              "", "none", expiries == 0)


# -- rate and spacing ------------------------------------------------------------------

def rate(bench):
    """Encoders that do not listen. Losses at random hold X down and leave it steady; a
    narrow path makes it swing with the queue."""
    length = 30 if bench.quick else 60
    lossy, narrow = ("--loss", 20), ("--capacity", "0:48", "--queue", "300ms")
    cases = (("20 % loss, 96 kbit/s in 20 ms", lossy, "tfrc-sp", 240, 20),
             ("20 % loss, 64 kbit/s in 5 ms", lossy, "tfrc-sp", 40, 5),
             ("20 % loss, 96 kbit/s in 20 ms", lossy, "tfrc", 240, 20),
             ("48 kbit/s path, 64 kbit/s in 20 ms", narrow, "tfrc-sp", 160, 20))
    running = []
    for i, (_, path, mode, payload, frame) in enumerate(cases):
        log = bench.folder / f"rate-{i}.csv"
        relay = bench.start_path(*path, 25100 + 10 * i, f"127.0.0.1:{25000 + 10 * i}")
        time.sleep(0.2)
        running.append((relay, log, bench.start_calls(
            variant="tfrc", mode=mode, payload=payload, frame=frame, port=25000 + 10 * i,
            to=25100 + 10 * i, seconds=length, warm_up=15, log=log)))
    for (name, path, mode, _, _), (relay, log, calls) in zip(cases, running):
        report = bench.finish(calls)
        relay.terminate()
        relay.wait()
        sent = sent_packets(read_log(log, start_of(report)))
        report_rate(bench, f"{mode}, {name}", sent, stat(report["sender"], "R"), path is narrow)
        if mode == "tfrc-sp":
            report_spacing(bench, f"{mode}, {name}", [packet.at for packet in sent])


def sent_packets(log):
    """The packets that left, each with whether it had waited for its time."""
    entered = {event.timestamp: event.at for event in log if event.kind == "i"}
    return [Sent(event.at, event.size, event.X, max(event.X, event.X_inst),
                 event.at - entered.get(event.timestamp, event.at) > 1e-3)
            for event in log if event.kind == "o"]


def report_rate(bench, setting, sent, R, swings):
    if len(sent) < 100:
        bench.add("packets sent", setting, f"{len(sent)}", "", "at least 100", False)
        return
    settled = worst_second(sent, "X", 0)
    credited = worst_second(sent, "X", R)
    if swings:
        # X_inst follows the queue, above X as it empties (RFC 5348 4.5): shown, not judged.
        paced = worst_second(sent, "X_paced", 0)
        bench.add("limited, any second: bytes over X", setting, f"{settled:.2f}", "packets")
        bench.add("limited, any second: over X_inst", setting, f"{paced:.2f}", "packets")
    else:
        bench.add("limited, any second: bytes over X", setting, f"{settled:.2f}", "packets",
                  "at most 1", settled <= 1)
        bench.add("any second and the R before it", setting, f"{credited:.2f}", "packets",
                  "at most 1", credited <= 1)


def report_spacing(bench, setting, times):
    crowd = max(i + 1 - bisect.bisect_left(times, at - 0.030) for i, at in enumerate(times))
    bench.add("most packets in 30 ms", setting, f"{crowd}", "packets", "at most 3", crowd <= 3)
    apart = sum(b - a >= 9.9e-3 for a, b in zip(times, times[1:])) / (len(times) - 1)
    bench.add("spacing of 9.9 ms and more", setting, f"{100 * apart:.2f}", "%", "at least 99.9",
              apart >= 0.999)


def integral(sent, rate):
    """Of the rate up to each departure. As it was there it holds until the next one; the
    larger of the two where it changed in between."""
    sums = [0.0]
    for a, b in zip(sent, sent[1:]):
        sums.append(sums[-1] + (b.at - a.at) * max(getattr(a, rate), getattr(b, rate)))
    return sums


def worst_second(sent, rate, credit):
    """The most that any second held above the integral of X, in packets of its mean size.

    With no credit: of the seconds that begin with a packet that waited for its time. One
    that did not may find send times of the last R unused and make use of them (RFC 5348
    4.6), and so may those behind it: `credit` seconds of X before it are then allowed too.
    """
    times = [packet.at for packet in sent]
    held_before = [0, *itertools.accumulate(packet.size for packet in sent)]
    X_before = integral(sent, rate)
    worst = float("-inf")
    for i, packet in enumerate(sent):
        if times[-1] < packet.at + 1:
            break
        if times[0] > packet.at - credit or (credit == 0 and not packet.waited):
            continue
        begin = bisect.bisect_right(times, packet.at - credit) - 1
        end = bisect.bisect_right(times, packet.at + 1)
        held = held_before[end] - held_before[i]
        allowed = X_before[end - 1] - X_before[begin]
        allowed += (packet.at + 1 - times[end - 1]) * getattr(sent[end - 1], rate)
        worst = max(worst, (held - allowed) / (held / (end - i)))
    return worst


# -- a clean path ----------------------------------------------------------------------

def bound(bench):
    """The allowance of a 64 kbit/s call that nothing limits must not run away: RFC 5348
    4.3 holds it to twice the most that was received."""
    length = 20 if bench.quick else 60
    log = bench.folder / "bound.csv"
    report = bench.over_path((26100, "127.0.0.1:26000"), variant="tfrc", port=26000, to=26100,
                             seconds=length, warm_up=10, log=log)
    setting = "64 kbit/s call, R = 100 ms"
    events, start = read_log(log), start_of(report)
    received = max(event.X for event in events if event.kind == "f")
    sent = [event for event in events if event.kind == "o" and event.at >= start]
    own = sum(event.size for event in sent) / (sent[-1].at - sent[0].at)
    highest, lowest = max(event.X for event in sent), min(event.X for event in sent)
    bench.add("clean path: highest X / X_recv", setting, f"{highest / received:.2f}", "times",
              "at most 2", highest <= 2.001 * received)
    bench.add("clean path: growth of X", setting, f"{highest / sent[0].X:.2f}", "times",
              "at most 1.1", highest <= 1.1 * sent[0].X)
    bench.add("clean path: lowest X / what is sent", setting, f"{lowest / own:.2f}", "times",
              "at least 1", lowest >= own)


# -- calls -----------------------------------------------------------------------------

CALL = re.compile(r"(?P<calls>\d+) calls +(?P<us>[\d.]+) us +user +(?P<user>[\d.]+) +kernel +(?P<kernel>[\d.]+)"
                  r" +p50 +[\w.]+ ms +p99 +(?P<p99>[\w.]+) ms +lost (?P<lost>-?\d+) +worst (?P<worst>[-\d.]+) %"
                  r" +slowest +(?P<slowest>[\d.]+) ms"
                  r" +(?P<threads>\d+) threads +(?P<descriptors>\d+) descriptors +(?P<memory>[-\d.]+) kB")


def relay(bench, n, *options):
    """The figures of one run of tfrc-calls with `n` calls; None: it could not put them all through."""
    command = [bench.build / "tests/bench/tfrc-calls", "--calls", str(n), *map(str, options)]
    text = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True).stdout
    found = CALL.search(text)
    return {name: float(value) for name, value in found.groupdict().items()} if found else None


def median_of(runs):
    if None in runs:
        sys.exit("bench: not all calls were put through")
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def engine_cost(bench):
    """Microseconds and thousands of instructions that the engine takes to send and receive a packet."""
    script = ROOT / "subprojects/tfrc/tests/bench/engine.py"
    text = subprocess.run(["/usr/bin/python3", script,
                           bench.build / "subprojects/tfrc/tests/bench/bench-engine", "3"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout
    us = instructions = 0
    for way, flow, ns, _, _, total, _, size in re.findall(
            r"^(sent|received): (.*?)\s+\d+\s+\d+\s+([\d.]+)\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(\d+)\s+(\d+)$",
            text, re.M):
        if flow.startswith("voice"):
            us += float(ns) / 1e3
            instructions += 0 if total == "-" else float(total) / 1e3
            size = int(size)
            bench.add("engine state, a direction", way, size, "bytes", "at most 8192",
                      size <= 8192)
    return us, instructions


def calls(bench):
    """A relay of tfrcbin, the CPU of its process alone, beside a program that moves the same datagrams
    and does nothing else; one-way flows; what many joins cost."""
    program = bench.build / "examples/relay/tfrc-relay"
    engine_us, engine_instructions = engine_cost(bench)
    for n, runs in ((100, 1),) if bench.quick else ((100, 1), (500, 3)):
        floors, relays = [], []
        for _ in range(runs):
            floors.append(relay(bench, n))
            relays.append(relay(bench, n, "--relay", program))
        report_relay(bench, n, median_of(relays), median_of(floors), (engine_us, engine_instructions))
    encrypted(bench, n)
    flood(bench, program)
    one_way(bench)
    limited(bench)
    churn(bench)
    if not bench.quick:
        most_calls(bench, program)


def flood(bench, program):
    """A hundred calls without and with a flood of strangers, in turn."""
    quiet, flooded = [], []
    for _ in range(1 if bench.quick else 2):
        quiet.append(relay(bench, 100, "--relay", program, "--settle", 3))
        flooded.append(relay(bench, 100, "--relay", program, "--settle", 3, "--flood", 10000))
    quiet, flooded = median_of(quiet), median_of(flooded)
    setting = "100 calls, 10,000 strangers/s"
    bench.add("flood: packets lost, worst caller", setting, f"{flooded['worst']:.2f}", "%", "under 1",
              flooded["worst"] < 1)
    bench.add("flood: mean delay, slowest caller, without the flood", setting, f"{quiet['slowest']:.2f}", "ms")
    ratio = flooded["slowest"] / max(quiet["slowest"], 0.01)
    bench.add("flood: mean delay, slowest caller, with it / without", setting, f"{ratio:.2f}", "times",
              "at most 1.1", ratio <= 1.1)


def limited(bench):
    """Departures of 100 flows that loss limits, beside a thread that waits on the clock alone. Loss at random holds
    each flow to half of what it is given. Flows share a narrow path as it comes, and the first one waits often or
    hardly at all."""
    log = bench.folder / "limited.csv"
    report = bench.over_path(("--loss", 20, "--delay", 50, "--delay-back", 50, 21000, "127.0.0.1:20000"),
                             variant="bins", calls=100, port=20000, to=21000, seconds=6 if bench.quick else 20,
                             warm_up=10, push=True, log=log, waits=True)
    waited = stat(report["sender"], "waited-packets") or 0
    late = quantile([event.X for event in read_log(log) if event.kind == "w"], 0.99) / 1e6
    if waited < 50:
        bench.add("flows: packets that waited for their departure", "100 limited flows", f"{waited:.0f}", "",
                  "at least 50", False)
        return
    error = stat(report["sender"], "departure-error-p99") / 1e6
    bench.add("flows: a bare wait on the clock, late, p99", "100 limited flows", f"{late:.2f}", "ms")
    bench.add("flows: departure after its time, p99", f"100 limited flows, {waited:.0f} packets", f"{error:.2f}",
              "ms", f"at most {late + 1:.2f}", error <= late + 1)


def report_relay(bench, n, found, floor, engine_costs):
    setting = f"{n} calls"
    judged = n == 500
    for name, value, below, own, unit in (
            ("CPU", found["us"], floor["us"], engine_costs[0], "us"),
            ("instructions", found["user"] + found["kernel"], floor["user"] + floor["kernel"], engine_costs[1],
             "thousand")):
        if value == 0:          # the machine does not count instructions
            continue
        bar = 2 * below + own
        bench.add(f"relay: {name} for a packet", setting, f"{value:.2f}", unit,
                  f"at most {bar:.2f}" if judged else "", value <= bar if judged else None)
        bench.add(f"relay: {name} / floor", setting, f"{value / below:.2f}", "times")
    bench.add("relay: delay, p99", setting, f"{found['p99']:.2f}", "ms", "under 20", found["p99"] < 20)
    bench.add("relay: lost packets", setting, f"{found['lost']:.0f}", "", "0", found["lost"] <= 0)
    bench.add("relay: threads", setting, f"{found['threads']:.0f}", "", "at most 6", found["threads"] <= 6)
    bench.add("relay: descriptors", setting, f"{found['descriptors']:.0f}", "", "at most 16",
              found["descriptors"] <= 16)
    bench.add("relay: memory for a call", setting, f"{found['memory']:.1f}", "kB", "at most 64",
              found["memory"] <= 64)


# The variants of flows that one process sends to itself, and how the path between has to put them through.
ONE_TARGET = ("--ports", "{n}", "--one-target")
PATHS = {"bin": ONE_TARGET, "bin-jitter": ONE_TARGET, "bins": ("--ports", "1"), "floor": ONE_TARGET}


def one_way_run(bench, n, variant, length):
    """50 ms each way, so that R = 100 ms and feedback comes ten times a second."""
    path = [word.format(n=n) for word in PATHS.get(variant, ("--ports", "{n}"))]
    for _ in range(3):
        found = bench.over_path(
            ("--delay", 50, "--delay-back", 50, *path, 21000, "127.0.0.1:20000"),
            variant=variant, calls=n, port=20000, to=21000, seconds=length, warm_up=8, push=True,
            instructions=True)
        if variant == "floor" or has_arrived(found):
            break
        print(f"  {variant}: not all packets arrived, once more", flush=True)
    return found


def has_arrived(found):
    """Where the machine stalls, TFRC lets fewer packets depart, which then cost nothing."""
    return min(float(found["arrived"]), float(found["arrived_counted"])) > 0.98


def one_way(bench):
    """Flows that one process sends to itself. What makes the packets pushes them into the pads itself."""
    length = 4 if bench.quick else 6
    found = {variant: [] for variant in ("bin", "session", "bin-jitter", "session-jitter", "bins", "plain", "floor")}
    for _ in range(1 if bench.quick else 3):
        for variant, runs in found.items():
            runs.append(one_way_run(bench, 100, variant, length))
    report_one_way(bench, found)


def report_one_way(bench, found):
    """The bar is of the elements: the thread of the bench that makes the packets sleeps before each, which takes about
    as much time as tfrcbin does."""
    setting = "100 one-way flows"
    judged = found["bin"] + found["session"]
    bench.add("flows: runs in which not all packets arrived", setting,
              f"{sum(not has_arrived(run) for run in judged)}", "", "0", all(map(has_arrived, judged)))
    for name, key, unit, bar in (("CPU", "cpu_us_per_packet", "us", None),
                                 ("CPU of the elements", "elements_us_per_packet", "us", 0.6),
                                 ("instructions", "instructions_per_packet", "", None)):
        cost = {variant: statistics.median(float(run[key]) for run in runs) for variant, runs in found.items()}
        if not any(cost.values()):      # the machine does not count instructions
            continue
        for variant in found:
            bench.add(f"flows: {name} for a packet, {variant}", setting, f"{cost[variant]:.1f}", unit)
        for ours, theirs in (("bin", "session"), ("bin-jitter", "session-jitter"), ("floor", "session")):
            ratio = cost[ours] / max(cost[theirs], 1)
            limit = bar if ours == "bin" else None
            bench.add(f"flows: {name}, {ours} / {theirs}", setting, f"{ratio:.2f}", "times",
                      f"at most {limit}" if limit else "", ratio <= limit if limit else None)


# The ends of a call, each a process: variant, port, where it sends to (0: back to who calls). Before them is the path
# from port to port.
CALL_PATHS = ((21000, 20000), (21100, 22000), (31000, 30000))
CALL_ENDS = (("tfrc", 20000, 21100), ("tfrc", 22000, 21000), ("call", 30000, 0), ("call", 32000, 31000))


def call_run(bench):
    """A call of two tfrcbin and one of tfrcsink and tfrcsrc as they were, at the same time, so that what else the
    machine does meets both. Returns the CPU time for a packet of each end, and that of its elements, by variant."""
    paths = [bench.start_path("--delay", 50, "--delay-back", 50, "--ports", 1, at, f"127.0.0.1:{port}")
             for at, port in CALL_PATHS]
    time.sleep(0.2)
    try:
        ends = [(variant, bench.start_calls(variant=variant, port=port, to=to, push=True, warm_up=6,
                                            seconds=4, before=variant == "tfrc"))
                for variant, port, to in CALL_ENDS if bench.before or variant != "tfrc"]
        found = collections.defaultdict(list)
        for variant, end in ends:
            report = bench.finish(end)
            if float(report["arrived"]) < 0.98:
                sys.exit(f"bench: not all packets of a call arrived ({variant})")
            found[variant].append([float(report[f"{what}_us_per_packet"]) for what in ("cpu", "elements")])
    finally:
        for path in paths:
            path.terminate()
            path.wait()
    return {variant: [statistics.mean(costs) for costs in zip(*ends)] for variant, ends in found.items()}


def call(bench):
    """A packet that is sent and one that is received, at one end of one call."""
    runs = [call_run(bench) for _ in range(1 if bench.quick else 18)]
    names = {"call": "tfrcbin", "tfrc": "tfrcsink and tfrcsrc as they were"}
    for i, what in enumerate(("CPU", "CPU of the elements")):
        for variant in runs[0]:
            bench.add(f"call: {what} for a packet each way, {names[variant]}", "1 call",
                      f"{statistics.median(run[variant][i] for run in runs):.0f}", "us")
        if bench.before:
            ratio = statistics.median(run["call"][i] / run["tfrc"][i] for run in runs)
            judged = what == "CPU of the elements"
            bench.add(f"call: {what}, tfrcbin / what was before", "1 call", f"{ratio:.2f}", "times",
                      "at most 0.7" if judged else "", ratio <= 0.7 if judged else None)


def encrypted(bench, n):
    """A relay of the same calls by SRTP."""
    found = median_of([relay(bench, n, "--keys") for _ in range(1 if bench.quick else 2)])
    setting = f"{n} calls"
    bench.add("relay, SRTP: CPU for a packet", setting, f"{found['us']:.2f}", "us")
    bench.add("relay, SRTP: lost packets", setting, f"{found['lost']:.0f}", "", "0", found["lost"] <= 0)
    bench.add("relay, SRTP: memory for a call", setting, f"{found['memory']:.1f}", "kB", "at most 90",
              found["memory"] <= 90)


def churn(bench):
    found = bench.finish(subprocess.Popen([bench.build / "tests/bench/tfrc-churn"], stdout=subprocess.PIPE, text=True))
    for name in ("start", "stop"):
        value = float(found[f"{name}_s"])
        bench.add(f"tfrcbin: {name}", "1,000 calls", f"{value:.2f}", "s", "under 2", value < 2)
    leaked = float(found["leaked"])
    bench.add("tfrcbin: memory that a join leaves", "10,000 joins and leaves", f"{leaked:.0f}", "bytes",
              "under 50", leaked < 50)


SEARCH = 80                     # seconds after which a search begins no further trial
STEP = 1.25


def find_most(name, carries, start):
    """The most that is carried of `start` times a power of STEP: upwards from `start` while it is, or else
    downwards. A failure is tried once more: the machine may have stalled. Returns whether the search came to
    its end, too, which it does when one number is carried and the next one is not."""
    end = time.monotonic() + SEARCH
    known = {}

    def carried(power):
        if power not in known:
            n = round(start * STEP ** power)
            begun = time.monotonic()
            known[power] = carries(n) or (time.monotonic() < end and carries(n))
            print(f"  search, {name}: {n} {'carried' if known[power] else 'not carried'}, "
                  f"{time.monotonic() - begun:.0f} s", flush=True)
        return known[power]

    power = 0
    while time.monotonic() < end and start * STEP ** power > 5:
        if carried(power) and not known.get(power + 1, True):
            break
        power += 1 if known[power] else -1
    most = max((power for power, good in known.items() if good), default=None)
    ended = most is not None and not known.get(most + 1, True)
    return (0 if most is None else round(start * STEP ** most)), ended


def is_good(lost, p99):
    return lost <= 0 and p99 < 20


def describe(most, ended):
    return f"{most}" if ended else f"{most} or more"


def most_calls(bench, program):
    """The most calls of which no packet is lost, and which p99 of the delay is under 20 ms."""
    def carries_calls(*options):
        def carries(n):
            found = relay(bench, n, "--settle", 2, "--seconds", 3, *options)
            return found is not None and is_good(found["lost"], found["p99"])
        return carries
    setting = f"two cores, callers included, steps of {STEP}"
    found, found_ended = find_most("relay", carries_calls("--relay", program), 1000)
    bench.add("relay: most calls", setting, describe(found, found_ended), "calls", "at least 1000", found >= 1000)
    floor, floor_ended = find_most("floor", carries_calls(), 2000)
    bench.add("floor: most calls", setting, describe(floor, floor_ended), "calls")
    if floor_ended:
        bench.add("relay: most calls / floor's", setting, f"{found / max(floor, 1):.2f}", "times", "at least 0.5",
                  found >= floor / 2)


def most(bench):
    """The most one-way flows in one process, by the same criterion; no bar."""
    def carries_flows(variant):
        def carries(n):
            found = bench.finish(bench.start_calls(variant=variant, calls=n, port=20000, to=20000, seconds=3,
                                                   warm_up=6 + n // 50, delays=True, push=True))
            return is_good(float(found["lost_packets"]), float(found.get("delay_p99_ms", "inf")))
        return carries
    for variant, start in (("bins", 400), ("plain", 600), ("session", 400), ("rtpbin", 200)):
        found, ended = find_most(variant, carries_flows(variant), start)
        bench.add(f"most one-way flows, {variant}", f"two cores, steps of {STEP}", describe(found, ended), "flows")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--before", help="a build whose tfrcsink and tfrcsrc one call is compared with")
    parser.add_argument("--csv", help="where the table goes as CSV (BUILD/bench/bench.csv)")
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS))
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {' '.join(unknown)}")
    return options


def read_processor():
    """Ticks of all processors since boot: what the host took away, and all of them."""
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(word) for word in stat.readline().split()[1:]]
    return ticks[7], sum(ticks[:8])


def measure(bench, part):
    """A host that takes the processor away spoils what is measured in time: this measures how much."""
    before = read_processor()
    globals()[part](bench)
    taken, ticks = (after - first for after, first in zip(read_processor(), before))
    bench.add("processor taken by the host", f"during {part}", f"{100 * taken / ticks:.2f}", "%")


def main():
    options = parse_arguments()
    bench = Bench(options)
    for part in options.parts or PARTS:
        measure(bench, part)
    target = pathlib.Path(options.csv or bench.folder / "bench.csv")
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(bench.rows[0]))
        writer.writeheader()
        writer.writerows(bench.rows)
    judged = [row for row in bench.rows if row["met"]]
    missed = [row for row in judged if row["met"] != "met"]
    print(f"\n{len(judged) - len(missed)} of {len(judged)} bars met; the table is in {target}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
