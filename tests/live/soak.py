#!/usr/bin/python3
"""A long call in real time: loss, reordering, and a sender that starts anew each minute.

  tests/soak.sh --real [SECONDS]

A call of tfrcsink and tfrcsrc, and one of tfrcbin, each in networks of its own. The receiver may not
grow, open anything or start threads from the fifth minute to the end (from the half of a shorter run),
and each sender is heard within the bar of the fault matrix.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys
import threading
import time

import faults
import namespaces

PATH = "--delay 20 --loss 2 --loss-run 2 --reorder 2 --reorder-by 60 --loss-back 2"
SENDER_S = 60
SETTLED_S = 300
KBYTES_MORE = 1000


def get_state(end):
    return list(map(int, end.get("state")[-1][1].split()[:3]))


def soak(row, begun, seconds):
    settled, slowest = None, 0.0
    row.start(tun=PATH)
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        time.sleep(min(SENDER_S, max(1, begin + seconds - time.monotonic())))
        row.ends[0].end(signal.SIGTERM)
        playing = row.wait_playing(row.start_end(0))
        begun[0] = time.monotonic()
        slowest = max(slowest, row.wait_voice(playing) - playing)
        row.expect(slowest <= faults.BAR_S, f"voice after {slowest:.2f} s")
        now = get_state(row.ends[1])
        print(f"{row.kind}: {time.monotonic() - begin:.0f} s, {now[0]} descriptors, {now[1]} threads, {now[2]} kB, "
              f"voice after {slowest:.2f} s at most", flush=True)
        if settled is None and time.monotonic() - begin >= min(SETTLED_S, seconds / 2):
            settled = now
    row.expect(now[0] <= settled[0], "more descriptors")
    row.expect(now[1] <= settled[1], "more threads")
    row.expect(now[2] <= settled[2] + KBYTES_MORE, f"{now[2] - settled[2]} kB more")


def main():
    seconds = float(sys.argv[1])
    namespaces.enter()
    rows = [faults.Row(faults.Fault("soak", soak, (seconds,), leaks=False), kind, number)
            for number, kind in enumerate((faults.ONE_WAY, faults.BOTH_WAYS))]
    threads = [threading.Thread(target=row.play) for row in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for row in rows:
        print(row.kind, row.verdict, "; ".join(row.notes))
    sys.exit(any(row.verdict != "ok" for row in rows))


if __name__ == "__main__":
    main()
