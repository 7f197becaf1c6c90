#!/usr/bin/python3
"""The engine's cost per packet, against its bar: no allocation, at most 400 instructions
each way in steady state, reports and timers included.

  tests/bench/engine.py BENCH-ENGINE [ROUNDS]

BENCH-ENGINE is the program that the build makes. Times are medians of ROUNDS (9).
Instructions come from the machine's counter, or from valgrind where it has none.

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


def rows(program):
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        name, way, packets, reports, ns, instructions, allocations, size = line.split("\t")
        yield (name, way), (int(packets), int(reports), float(ns), float(instructions), int(allocations), int(size))


def callgrind(program, index, way, packets):
    """Instructions per packet below play_sender or play_receiver, the warm-up left out."""
    if not shutil.which("valgrind"):
        return None
    player = "play_sender" if way == "sent" else "play_receiver"
    warm = "warm_sender" if way == "sent" else "warm_receiver"
    with tempfile.TemporaryDirectory() as folder:
        counts = []
        for function in (player, warm):
            result = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.path.join(folder, 'out')}",
                 f"--toggle-collect={function}", program, str(index), way],
                capture_output=True, text=True, check=True)
            counts.append(int(re.search(r"Collected : (\d+)", result.stderr).group(1)))
    return counts, packets


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    runs = [dict(rows(program)) for _ in range(rounds)]
    failed, flows = False, list(dict.fromkeys(name for name, _ in runs[0]))
    print(f"{'':54} {'packets':>8} {'reports':>8} {'ns':>7} {'instr.':>7} {'allocs':>7} {'bytes':>8}")
    for name, way in runs[0]:
        packets, reports, _, instructions, allocations, size = runs[0][name, way]
        ns = statistics.median(run[name, way][2] for run in runs)
        if instructions < 0:
            counted = callgrind(program, flows.index(name), way, packets)
            instructions = (counted[0][0] - counted[0][1]) / packets if counted else None
        failed |= allocations > 0 or (instructions is not None and instructions > BAR)
        shown = "-" if instructions is None else f"{instructions:.0f}"
        print(f"{way + ': ' + name:54.54} {packets:8} {reports:8} {ns:7.1f} {shown:>7} {allocations:7} {size:8}")
    print(f"bar: 0 allocations, {BAR} instructions each way: {'MISSED' if failed else 'kept'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
