#!/usr/bin/python3
"""Plays the cases of a live test, and says what a failure means.

  tests/live/play.py [--case PATTERN | --whole] [--timeout SECONDS] PROGRAM [ARGUMENT...]

PROGRAM prints the names of its cases, "Test: NAME" each, for --list-tests, and runs the one
that the environment variable GST_CHECKS names: what programs of gst-check do by themselves and
those in Python by cases.py; with --whole it has no names and is one case. A case holds
plain assertions and knows nothing of what follows.

Live tests take real time. A host that runs other guests may take the processors away for 100 ms
and more, and nothing that a call achieves in that time is the call's doing. The runner watches
for such stalls beside the case, and judges:

  OK    the case passed
  FAIL  the case failed although the machine did not stall
  SKIP  the case failed three times, and the machine stalled each time; or a part that the case
        needs is not installed (exit status 77 of the program)

The exit status is 1 when a case failed, else 77 (SKIP, for Meson) when a case was skipped, else
0. A skipped case has shown nothing: it is to be played again on an idle machine.

Under a checker (tests/sanitize.sh; TFRC_CHECKER in the environment is the command that goes in
front of the program) everything is slow all the time, so that a failed assertion
(exit status 1) is a SKIP; what the checker finds, in the program or in one that it starts, ends
the program with another status, and is a FAIL.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import ctypes
import fnmatch
import glob
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

SLEEP = 0.01            # s
STALL = 0.03            # s: more than a busy scheduler makes of a sleep, less than two packets
TIMES = 3
SKIPPED = 77            # exit status, for Meson
PR_SET_CHILD_SUBREAPER = 36     # of linux/prctl.h
CPUS = 8                # that are watched at most


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:                             # the process has just ended
        return ""


def get_stat(pid):
    """State, parent, group and session of a process; empty when it has ended."""
    return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[:4]


class Watch:
    """The stalls since the last call of `begin`, in seconds: of the machine, and of the program
    when somebody stops it (SIGSTOP). Each processor has a thread that notes how late its sleeps
    end, as a host may take one processor away alone. Of the program's children those are looked
    at that are in its session: gst-check has one for each test; what a Python program starts to
    make a call of is in another."""

    def __init__(self):
        self.stalls, self.lock, self.pid = [], threading.Condition(), None
        cpus = sorted(os.sched_getaffinity(0))[:CPUS]
        self.rounds = dict.fromkeys(["program", *cpus], 0)  # that each thread has ended
        threading.Thread(target=self.watch_program, daemon=True).start()
        for cpu in cpus:
            threading.Thread(target=self.watch, args=(cpu,), daemon=True).start()

    def watch(self, cpu):
        os.sched_setaffinity(0, {cpu})          # this thread's
        while True:
            begin = time.monotonic()
            time.sleep(SLEEP)
            self.add(time.monotonic() - begin - SLEEP)
            self.end_round(cpu)

    def is_stopped(self):
        pid = str(self.pid)
        children = read(f"/proc/{pid}/task/{pid}/children").split()
        stats = [get_stat(pid)] + [stat for stat in map(get_stat, children) if stat[3:] == [pid]]
        return any(stat[:1] == ["T"] for stat in stats)

    def watch_program(self):
        """A stop lasts from the look before the first that finds it to the first that does not: on
        a busy machine no stop is taken for a shorter one. One that fits in between two looks has
        made the second look late."""
        since, last = None, time.monotonic()
        while True:
            time.sleep(SLEEP)
            begin = time.monotonic()
            stopped = self.pid is not None and self.is_stopped()
            end = time.monotonic()
            self.add(end - last - SLEEP)
            if stopped:
                since = since or last
            elif since is not None:
                self.add(end - since)
                since = None
            last = begin
            self.end_round("program")

    def add(self, seconds):
        if seconds > STALL:
            with self.lock:
                self.stalls.append(seconds)

    def end_round(self, thread):
        with self.lock:
            self.rounds[thread] += 1
            self.lock.notify_all()

    def begin(self):
        with self.lock:
            self.stalls.clear()
            self.pid = None

    def get_worst(self):
        """The longest stall, or 0. First each thread ends the round that it is in and one more, so
        that a stall that has only just ended is noted."""
        with self.lock:
            rounds = dict(self.rounds)
            self.lock.wait_for(lambda: all(self.rounds[thread] >= n + 2 for thread, n in rounds.items()))
            return max(self.stalls, default=0)


def adopt():
    """What a program leaves running when it ends becomes a child of this process."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("prctl failed")


def get_children():
    for stat in glob.glob("/proc/[0-9]*/stat"):
        pid = stat.split("/")[2]
        if get_stat(pid)[1:2] == [str(os.getpid())]:
            yield int(pid)


def end_orphans():
    """Ends what a program has left running."""
    while children := list(get_children()):
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


class Case:
    """A case of a program, and what came of it the last time that it was played."""

    def __init__(self, command, name, timeout):
        self.command, self.name, self.timeout = command, name, timeout
        self.output = ""

    def run(self, watch):
        """Plays it once; the exit status."""
        env = dict(os.environ, GST_CHECKS=self.name)
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            checker = os.environ.get("TFRC_CHECKER", "").split()
            with subprocess.Popen(checker + self.command, env=env, stdout=output, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, start_new_session=True) as child:
                watch.pid = child.pid
                try:
                    status = child.wait(self.timeout)
                except subprocess.TimeoutExpired:
                    child.kill()
                    status = child.wait()
            end_orphans()
            output.seek(0)
            self.output = output.read()
        return status

    def play(self, watch):
        """Plays it up to three times: ("OK", ""), ("FAIL", why) or ("SKIP", why)."""
        stalls = []
        while len(stalls) < TIMES:
            watch.begin()
            status = self.run(watch)
            if status == 0:
                return "OK", ""
            if status == SKIPPED:
                return "SKIP", self.output.strip().rpartition("\n")[2] or "it does not say why"
            if "TFRC_CHECKER" in os.environ and status == 1:
                return "SKIP", "an assertion failed, but a checker makes everything slow"
            stall = watch.get_worst()
            if stall == 0:
                return "FAIL", f"exit status {status}, and the machine did not stall"
            stalls.append(f"{1000 * stall:.0f} ms")
            if len(stalls) < TIMES:
                print(self.output + f"{self.name}: exit status {status}, but the machine stalled "
                      f"for {stalls[-1]}: once more", flush=True)
        return "SKIP", f"it failed {TIMES} times, and the machine stalled for " + ", ".join(stalls)


def list_cases(command):
    listed = subprocess.run([*command, "--list-tests"], check=False, stdout=subprocess.PIPE,
                            text=True)
    return [line.split(None, 1)[1] for line in listed.stdout.splitlines()
            if line.startswith("Test: ")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", default="*")
    parser.add_argument("--whole", action="store_true", help="the program is one case")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for a case, once")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    timeout = options.timeout * float(os.environ.get("CK_TIMEOUT_MULTIPLIER", "1"))
    names = (["program"] if options.whole else
             fnmatch.filter(list_cases(options.command), options.case))
    adopt()
    watch, outcomes = Watch(), []
    for name in names:
        case = Case(options.command, name, timeout)
        begin = time.monotonic()
        outcome, why = case.play(watch)
        outcomes.append(outcome)
        print(case.output + f"{outcome} {name}{': ' * bool(why)}{why} "
              f"({time.monotonic() - begin:.1f} s)", flush=True)
    if not outcomes or "FAIL" in outcomes:
        return 1
    return SKIPPED if "SKIP" in outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
