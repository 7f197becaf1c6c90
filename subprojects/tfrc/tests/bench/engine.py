#!/usr/bin/python3
"""The engine's cost per packet, against its bar: no allocation, at most 400 instructions
to send a packet and to receive one, in steady state.

  tests/bench/engine.py BENCH-ENGINE [ROUNDS]

BENCH-ENGINE is the program that the build makes. `instr.` is what a packet costs, `report`
what a report does (with timers), `all` the sum, spread over the packets. Times are medians
of ROUNDS (9), of everything. Instructions are counted by valgrind, to tell packets from
reports; without it by the machine's counter, all in one.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

BAR = 400   # instructions per packet each way
PACKETS, WARM_UP = 100000, 2000     # of engine.c


def rows(program):
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        name, way, packets, reports, ns, instructions, allocations, size = line.split("\t")
        yield (name, way), (int(packets), int(reports), float(ns), float(instructions), int(allocations), int(size))


def callgrind(program, index, way):
    """Instructions of all calls and of those for reports and timers, and the packets."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        player = "play_sender" if way == "sent" else "play_receiver"
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                        f"--toggle-collect={player}", program, str(index), way],
                       capture_output=True, check=True)
        text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", out],
                              capture_output=True, text=True, check=True).stdout

    def inclusive(*names):
        return sum(int(count.replace(",", "")) for name in names
                   for count in re.findall(rf"^ *([\d,]+) .*:{name}(?: |$)", text, re.M))
    if way == "sent":
        packets = inclusive("tfrc_sender_next_departure", "tfrc_sender_on_departure")
        return packets, inclusive("tfrc_sender_on_report", "tfrc_sender_on_timer")
    return (inclusive("tfrc_receiver_on_packet"),
            inclusive("tfrc_receiver_make_report", "tfrc_receiver_on_timer"))


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    runs = [dict(rows(program)) for _ in range(rounds)]
    missed, flows = False, list(dict.fromkeys(name for name, _ in runs[0]))
    print(f"{'':57} {'packets':>8} {'reports':>8} {'ns':>7} {'instr.':>7} {'report':>7} {'all':>7} "
          f"{'allocs':>7} {'bytes':>8}")
    for name, way in runs[0]:
        packets, reports, _, counted, allocations, size = runs[0][name, way]
        ns = statistics.median(run[name, way][2] for run in runs)
        each = report = None
        if shutil.which("valgrind"):
            # The warm-up is counted too: as many packets to each report, 2 % more of both.
            of_packets, of_reports = callgrind(program, flows.index(name), way)
            played = packets * (WARM_UP + PACKETS) / PACKETS
            each, report = of_packets / played, of_reports / played * packets / reports
            counted = (of_packets + of_reports) / played
        missed |= allocations > 0 or (each or counted) > BAR
        shown = [f"{v:7.0f}" if v is not None and v >= 0 else f"{'-':>7}" for v in (each, report, counted)]
        print(f"{way + ': ' + name:57.57} {packets:8} {reports:8} {ns:7.1f} {' '.join(shown)} {allocations:7} {size:8}")
    print(f"bar: 0 allocations, {BAR} instructions for a packet each way: {'MISSED' if missed else 'kept'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
