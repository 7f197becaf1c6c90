"""How long the machine held a test, and tests that are repeated when it did.

A host that runs other guests takes the processor away for 100 ms and more at a time. What the
clock on the wall then has to say of a call is that host's doing. A test under `repeated` puts
what it claims of real time into `timed`; such a claim fails only when the machine did not hold
the test, else the test is played again, and the last time the claim is left out, with a word.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import contextlib
import functools
import os
import sys
import threading
import time

SLEEP = 0.01        # s
BEARABLE = 0.05     # s: half a round-trip time of these calls, two packets of a voice
TIMES = 3
CPUS = 8            # that are watched at most


class Watch:
    """Since `begin`, how late a short sleep ended on any processor: a guest may lose one of them."""

    def __init__(self):
        self.worst, self.threads = 0.0, []

    def begin(self):
        if not self.threads:
            self.threads = [threading.Thread(target=self.run, args=(cpu,), daemon=True)
                            for cpu in sorted(os.sched_getaffinity(0))[:CPUS]]
            for thread in self.threads:
                thread.start()
        self.worst = 0.0

    def run(self, cpu):
        os.sched_setaffinity(0, {cpu})      # this thread's
        while True:
            begin = time.monotonic()
            time.sleep(SLEEP)
            self.worst = max(self.worst, time.monotonic() - begin - SLEEP)


WATCH = Watch()


class Held(Exception):
    """A claim does not hold, and the machine had held the test."""


@contextlib.contextmanager
def timed(bearable=BEARABLE):
    """For claims that a hold of more than `bearable` seconds may break."""
    try:
        yield
    except AssertionError as error:
        time.sleep(2 * SLEEP)               # for a hold that has only just ended
        if WATCH.worst <= bearable:
            raise
        raise Held(f"the machine held the test for {1000 * WATCH.worst:.0f} ms: {error}") from error


def repeated(test):
    """For a test method with `timed` claims."""
    @functools.wraps(test)
    def play(self):
        for last in (False,) * (TIMES - 1) + (True,):
            WATCH.begin()
            try:
                return test(self)
            except Held as held:
                print(f"{held}\n{'not judged by the clock' if last else 'once more'}",
                      file=sys.stderr, flush=True)
            if not last:
                self.doCleanups()
                self.setUp()
        return None
    return play
