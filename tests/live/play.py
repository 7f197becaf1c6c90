"""How long the machine held a test, and tests that are repeated when it did.

A host that runs other guests takes the processor away for 100 ms and more at a time. What the
clock on the wall then has to say of a call is that host's doing. A test under `repeated` puts
what it claims of real time into `timed`; such a claim fails only when the machine did not hold
the test, else the test is played again, and the last time the claim is left out, with a word.
Whatever else fails is played again only after a long hold, and fails the last time.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import contextlib
import functools
import os
import subprocess
import sys
import threading
import time
import unittest

SLEEP = 0.01        # s
SEEN = 0.02         # s: what is told of
BEARABLE = 0.05     # s: half a round-trip time of these calls, two packets of a voice
LONG = 1.0          # s: no part of a call is sure to bear more
TIMES = 3
CPUS = 8            # that are watched at most


def watch(cpu):
    """Tells how late a short sleep ended on that processor; a guest may lose one of them."""
    os.sched_setaffinity(0, {cpu})          # this thread's
    while True:
        begin = time.monotonic()
        time.sleep(SLEEP)
        late = time.monotonic() - begin - SLEEP
        if late > SEEN:
            os.write(1, b"%f\n" % late)


class Watch:
    """A process of its own, as in that of the test Python threads wait for one another."""

    def __init__(self):
        self.child, self.worst, self.last, self.text = None, 0.0, False, b""

    def begin(self, last):
        """`last`: the test is played for the last time."""
        if self.child is None:
            self.child = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE)
            self.child.stdout.read(1)
            os.set_blocking(self.child.stdout.fileno(), False)
        self.get_worst()
        self.worst, self.last = 0.0, last

    def get_worst(self):
        """The longest hold since the begin."""
        time.sleep(2 * SLEEP)               # for one that has only just ended
        *lines, self.text = (self.text + (self.child.stdout.read() or b"")).split(b"\n")
        self.worst = max([self.worst, *map(float, filter(None, lines))])
        return self.worst


WATCH = Watch()


class Held(Exception):
    """A claim cannot be judged, as the machine held the test."""


@contextlib.contextmanager
def timed(bearable=BEARABLE):
    """For claims that a hold of more than `bearable` seconds may break."""
    try:
        yield
    except AssertionError as error:
        worst = WATCH.get_worst()
        if worst <= bearable:
            raise
        raise Held(f"the machine held the test for {1000 * worst:.0f} ms: {error}") from error


def give_up_when_held(bearable=BEARABLE):
    """For a long test that a hold has spoilt already, where it may be played again."""
    worst = WATCH.get_worst()
    if worst > bearable and not WATCH.last:
        raise Held(f"the machine held the test for {1000 * worst:.0f} ms")


def repeated(test):
    """For a test method with `timed` claims."""
    @functools.wraps(test)
    def play(self):
        for last in (False,) * (TIMES - 1) + (True,):
            WATCH.begin(last)
            try:
                return test(self)
            except unittest.SkipTest:
                raise
            except Exception as error:
                held = isinstance(error, Held)
                if not held and (last or WATCH.get_worst() <= LONG):
                    raise
                print(f"{error}\n{'not judged by the clock' if last else 'once more'}",
                      file=sys.stderr, flush=True)
            if not last:
                self.doCleanups()
                self.setUp()
        return None
    return play


if __name__ == "__main__":
    os.write(1, b"\n")
    for number in sorted(os.sched_getaffinity(0))[:CPUS]:
        threading.Thread(target=watch, args=(number,), daemon=True).start()
    sys.stdin.read()                        # until the test has ended
