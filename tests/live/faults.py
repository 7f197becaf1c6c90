#!/usr/bin/python3
"""The fault matrix: calls to which everything happens that happens to calls, as a table.

  tests/faults.sh [--jobs N] [--list] [PATTERN...]

Each row is a call of two processes (tests/live/faultend.py) in two networks of their own with a
cable between them. The call has voice, a fault comes and goes, and the row says how long after
packets could pass again there was voice again, what was on the bus of either end, and which counters
rose. A row with a `*` in the bar is judged by what its text says instead of by that time.

Rows play side by side, most of the time waiting. Those that need the machine come last, alone. All processes of the
matrix are real-time ones (SCHED_RR), as the sound threads of a phone are: other work on the machine is no fault.
PATTERNs choose rows by their names. What the ends wrote stays in the folder TFRC_FAULT_LOGS, when it is
set; GST_DEBUG is theirs.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import collections
import concurrent.futures
import ctypes
import dataclasses
import fnmatch
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import typing

import namespaces
from namespaces import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULT_END = ROOT / "tests/live/faultend.py"
PORT = 5004
RELAY_PORT = 7000
KEY, OTHER_KEY = "1a" * 30, "2b" * 30

BAR_S = 3.0             # packets can pass again until there is voice
LATE_BAR_S = 1.5        # a receiver appears until there is voice
LONG_BAR_S = 3.5        # either, after more than LONG_S
LONG_S = 60.0
PATIENCE_S = 20.0       # nobody waits longer for voice
STEADY_S = 3.0          # of voice, before and after the fault
BIN_S = 0.2             # voice is there when NEEDED_MS of each of these is heard; a packet has up to 60
NEEDED_MS = 120
KBYTES_MORE = 6000      # what a process may grow by in a row; a leak per packet is seen in the soak

# A sound card keeps 200 ms of what its process does not read. audiotestsrc makes all that was missed.
SOURCE = ("audiotestsrc is-live=true samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! "
          "queue leaky=downstream max-size-time=200000000 max-size-buffers=0 max-size-bytes=0 ! "
          "tfrcencodebin {encoder} ! ")
SINK = ("tfrcdecodebin ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! "
        "fakesink name=heard signal-handoffs=true sync=true ")
ONE_WAY, BOTH_WAYS = "tfrcsink/tfrcsrc", "tfrcbin"

# Counters that every call has.
USUAL = ("packets", "bytes", "reports", "rtcp-reports", "rtcp-reports-sent", "rtcp-reports-asked",
         "data-limited-reports", "report-interval", "loss-reports", "packets-sent", "octets-sent", "packets-received",
         "octets-received", "rtcp-sent", "rtcp-received", "reports-sent", "reports-received", "jitter",
         "remote-jitter", "round-trip-time", "queue-delay", "duration")


class Failed(Exception):
    """The row did not come to its verdict."""


class Process:
    """A process of a row, its output as lines of (time, what, rest)."""

    def __init__(self, network, *arguments, **keywords):
        self.file = tempfile.NamedTemporaryFile("w+", encoding="utf-8", errors="replace", dir=LOGS, delete=LOGS is None,
                                                prefix="end-", suffix=".log")
        self.child = subprocess.Popen(network.enter(*map(str, arguments)), stdout=self.file,
                                      stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **keywords)

    def read(self):
        lines = []
        for line in pathlib.Path(self.file.name).read_text("utf-8", "replace").splitlines():
            words = line.split(" ", 2)
            try:
                lines.append((float(words[0]), words[1], words[2] if len(words) > 2 else ""))
            except (ValueError, IndexError):
                lines.append((0.0, "said", line))
        return lines

    def get(self, what, since=0.0):
        return [(at, rest) for at, kind, rest in self.read() if kind == what and at >= since]

    def send(self, number):
        self.child.send_signal(number)

    def end(self, number=signal.SIGKILL):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGCONT)
            self.child.send_signal(number)
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def find_voice(process, since):
    """When voice begins that goes on for a second; None: it does not."""
    heard = collections.Counter()
    voices = process.get("voice", since)
    for at, duration in voices:
        heard[int((at - since) / BIN_S)] += int(duration)
    for at, _ in voices:
        first = int((at - since) / BIN_S)
        if all(heard[number] >= NEEDED_MS for number in range(first + 1, first + 1 + round(1 / BIN_S))):
            return at
    return None


def get_share(process, begin, end):
    """Of the time from begin to end, the share with voice."""
    heard = collections.Counter()
    for at, duration in process.get("voice", begin):
        heard[int((at - begin) / BIN_S)] += int(duration)
    bins = int((end - begin) / BIN_S)
    return sum(heard[number] >= NEEDED_MS for number in range(bins)) / bins


def read_counters(process, at):
    """The last counters up to a time."""
    lines = [rest for then, rest in process.get("stats") if then <= at]
    return {name: int(value) for name, _, value in (word.partition("=") for word in lines[-1].split())} if lines else {}


class Row:
    """A call, and what the fault does to it."""

    def __init__(self, fault, kind, number):
        self.fault, self.kind, self.number = fault, kind, number
        self.messages, self.counters, self.notes = collections.Counter(), "", []
        self.took, self.bar, self.verdict = None, fault.bar, "FAIL"
        self.outage = 0.0
        self.networks, self.ends, self.others = [], [None, None], []
        self.ipv6, self.keys, self.drift, self.more, self.encoder = False, False, 0, ["", ""], ""

    # --- the call ---

    def open_networks(self, tun=""):
        """The left and the right one; `tun` are options of the path emulator, which is the cable then."""
        self.networks = [namespaces.Namespace(), namespaces.Namespace()]
        for network in self.networks:
            network.run("ip", "link", "set", "lo", "up")
        if tun:
            self.lay_path(tun)
        else:
            self.lay_cable()

    def lay_cable(self):
        left, right = self.networks
        left.run("ip", "link", "add", "cable", "mtu", "1500", "type", "veth",
                 "peer", "name", "cable", "netns", right.pid)
        for side, network in enumerate(self.networks):
            network.run("sh", "-c", "echo 0 >/proc/sys/net/ipv6/conf/cable/accept_dad")
            network.run("ip", "addr", "add", f"10.9.0.{side + 1}/24", "dev", "cable")
            network.run("ip", "-6", "addr", "add", f"fd09::{side + 1}/64", "dev", "cable", "nodad")
            network.run("ip", "link", "set", "cable", "up")

    def lay_path(self, options):
        names = [f"tfrc{os.getpid()}n{self.number}s{side}" for side in range(2)]
        for name, network in zip(names, self.networks):
            run("ip", "netns", "attach", name, network.pid)
        try:
            self.others.append(subprocess.Popen(
                [BUILD / "examples/tfrc-path", "--tun", "--header", "0", *options.split(), *names],
                stdout=subprocess.DEVNULL))
            for side, network in enumerate(self.networks):
                self.wait_for(lambda network=network: "path" in network.run("ip", "-o", "link"), 5,
                              "no device of the path emulator")
                network.run("ip", "addr", "add", f"10.9.0.{side + 1}/24", "dev", "path")
                network.run("ip", "link", "set", "path", "up")
        finally:
            for name in names:
                run("ip", "netns", "del", name)

    def get_address(self, side):
        return f"fd09::{side + 1}" if self.ipv6 else f"10.9.0.{side + 1}"

    def describe(self, side, to=None):
        """The pipeline of the left or the right end. `to` is where the left end sends to."""
        host, port = to or (self.get_address(1 - side), PORT)
        keys = ""
        if self.keys:
            mine, other = (KEY, OTHER_KEY) if side == 0 else (OTHER_KEY, KEY)
            keys = f"srtp-key={mine} srtp-remote-key={other} "
        properties = f"name=end port={port if self.kind == ONE_WAY else PORT} mode=tfrc-sp {keys}{self.more[side]} "
        source = SOURCE.format(encoder=self.encoder)
        if self.kind == BOTH_WAYS:
            peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            return f"tfrcbin peer={peer} {properties} {source} end.send_sink_0 end.recv_src_0 ! {SINK}"
        if side == 0:
            return f"{source} tfrcsink host={host} {properties}"
        return f"tfrcsrc {properties} ! {SINK}"

    def start_end(self, side, to=None, *options):
        drift = ["--drift", self.drift] if side == 0 and self.drift else []
        self.ends[side] = process = Process(self.networks[side], "/usr/bin/python3", FAULT_END, *drift, *options,
                                            self.describe(side, to))
        self.others.append(process)
        return process

    def wait_playing(self, process):
        """When its pipeline was in PLAYING."""
        return self.wait_for(lambda: process.get("play"), 20, "an end does not start", process)[0][0]

    @staticmethod
    def wait_for(holds, seconds, what, process=None):
        until = time.monotonic() + seconds
        while not (result := holds()):
            if process is not None and process.child.poll() is not None:
                raise Failed(f"an end died: {process.read()[-3:]}")
            if time.monotonic() > until:
                raise Failed(what)
            time.sleep(0.05)
        return result

    def get_listeners(self):
        return [end for side, end in enumerate(self.ends) if self.kind == BOTH_WAYS or side == 1]

    def start(self, tun="", to=None):
        """Both ends, with voice."""
        self.open_networks(tun)
        for side in 1, 0:
            self.start_end(side, to if side == 0 else None)
        for end in self.ends:
            self.wait_playing(end)
        self.wait_voice(self.ends[0].get("play")[0][0], "no voice to begin with")
        time.sleep(STEADY_S)

    def wait_voice(self, since, complaint="no voice again"):
        """When all who listen have voice again."""
        return max(self.wait_for(lambda end=end: find_voice(end, since), PATIENCE_S + since - time.monotonic() if
                                 since > time.monotonic() else PATIENCE_S, complaint, end)
                   for end in self.get_listeners())

    # --- the verdict ---

    def judge(self, begun, passing):
        """The fault lasted from `begun` until packets could pass again at `passing`."""
        self.outage = max(self.outage, passing - begun)
        if self.bar and self.outage > LONG_S:
            self.bar = LONG_BAR_S
        self.took = self.wait_voice(passing) - passing
        time.sleep(STEADY_S)
        if self.bar and self.took > self.bar:
            raise Failed("late")

    def expect(self, holds, complaint):
        if not holds:
            raise Failed(complaint)

    def check_leaks(self, before):
        """What the ends that lived through the fault have open, and more memory than before."""
        now = time.monotonic()
        for end in self.ends:
            states = [(at, list(map(int, rest.split()[:3])), rest.split()[3:]) for at, rest in end.get("state")]
            old = [state for at, *state in states if at <= before]
            if not old or now - states[-1][0] > 2:
                continue
            old, new = [state[0] for state in old], states[-1][1]
            self.expect(new[0] <= old[-1][0], f"descriptors: {old[-1][0]}, then {new[0]}")
            self.expect(new[1] <= old[-1][1] + 1, f"threads: {old[-1][1]}, then {new[1]}: {states[-1][2]}")
            self.expect(new[2] <= old[-1][2] + KBYTES_MORE, f"memory: {old[-1][2]} kB, then {new[2]} kB")

    def collect(self, begun):
        """Messages and counters since the fault began."""
        for process in [other for other in self.others if isinstance(other, Process)]:
            for _, text in process.get("message", begun):
                self.messages[text.split(":")[0] if text.startswith("warning") else text] += 1
        rose = collections.Counter()
        for end in filter(None, self.ends):
            old, new = read_counters(end, begun), read_counters(end, time.monotonic())
            for name in new:
                if name.split(".")[-1] not in USUAL and "wait" not in name and "departure-error" not in name:
                    rose[name] += new[name] - old.get(name, 0)
        self.counters = ", ".join(f"{name} {value}" for name, value in sorted(rose.items()) if value > 0)

    def play(self):
        begun = [time.monotonic()]
        try:
            self.fault.play(self, begun)
            if self.fault.leaks:
                self.check_leaks(begun[0])
            self.verdict = "ok"
        except Failed as failure:
            self.notes.append(str(failure))
        except Exception:                       # pylint: disable=broad-except
            self.notes.append(traceback.format_exc(limit=3).replace("\n", " "))
        finally:
            self.collect(begun[0])
            for other in self.others:
                if isinstance(other, Process):
                    other.end()
                else:
                    other.kill()
                    other.wait()
            for network in self.networks:
                network.close()
        return self

    # --- what faults are made of ---

    def cut(self, side, rule="drop"):
        """What leaves this side is lost, or what the rule says."""
        self.networks[side].run("nft", "add table inet fault; "
                                "add chain inet fault out { type filter hook output priority 0; }; "
                                f"add rule inet fault out {rule}")

    def mend(self, side):
        self.networks[side].run("nft", "delete table inet fault")


def begin(begun):
    begun[0] = time.monotonic()
    return begun[0]


def stop_end(row, begun, side, seconds):
    row.start()
    begin(begun)
    row.ends[side].send(signal.SIGSTOP)
    time.sleep(seconds)
    row.ends[side].send(signal.SIGCONT)
    row.judge(begun[0], time.monotonic())


def restart_end(row, begun, side, number, pause):
    row.start()
    begin(begun)
    row.ends[side].end(number)
    time.sleep(pause)
    row.judge(begun[0], row.wait_playing(row.start_end(side)))


def lose_link(row, begun, ipv6, seconds):
    row.ipv6 = ipv6
    row.start()
    begin(begun)
    row.networks[0].run("ip", "link", "del", "cable")
    time.sleep(seconds)
    row.lay_cable()
    row.judge(begun[0], time.monotonic())


def change_address(row, begun, keys):
    """The left end has another address, and its end notices nothing."""
    row.keys = keys
    row.start()
    begin(begun)
    row.networks[0].run("ip", "addr", "add", "10.9.0.7/24", "dev", "cable")
    row.networks[0].run("ip", "addr", "del", "10.9.0.1/24", "dev", "cable")
    row.networks[0].run("sh", "-c", "ip addr show dev cable | grep -q 10.9.0.7 || ip addr add 10.9.0.7/24 dev cable")
    row.judge(begun[0], time.monotonic())


def rebind(row, begun, keys):
    """The NAT in front of the left end forgets its port. A relay stands for the NAT."""
    row.keys = keys
    row.open_networks()

    def start_relay():
        relay = subprocess.Popen(row.networks[0].enter(BUILD / "examples/tfrc-path", "--delay", "1", str(RELAY_PORT),
                                                       f"{row.get_address(1)}:{PORT}"), stdout=subprocess.DEVNULL)
        row.others.append(relay)
        return relay

    relay = start_relay()
    row.open_networks = lambda tun: None
    row.start(to=("127.0.0.1", RELAY_PORT))
    begin(begun)
    relay.kill()
    relay.wait()
    start_relay()
    time.sleep(0.05)
    row.judge(begun[0], time.monotonic())


def worsen_path(row, begun, options, share):
    """The path has a fault all along; voice has so large a share of the time."""
    row.start(tun=options)
    judge_share(row, begun, 10, share)


def judge_share(row, begun, seconds, share):
    begin(begun)
    time.sleep(seconds)
    end = time.monotonic() - 0.5
    for listener in row.get_listeners():
        heard = get_share(listener, begun[0], end)
        row.notes.append(f"voice {100 * heard:.1f} %")
        row.expect(heard >= share, f"less than {100 * share:.0f} %")


def shrink_mtu(row, begun, ipv6):
    """Below the size of a packet of voice, where the system tells of it (EMSGSIZE), and back."""
    row.ipv6 = ipv6
    row.start()
    begin(begun)
    for network in row.networks:
        network.run("ip", "link", "set", "cable", "mtu", "1280" if ipv6 else "90")
    if ipv6:                            # IPv6 has no smaller one: it loses its address
        for network in row.networks:
            network.run("ip", "link", "set", "cable", "mtu", "600")
    time.sleep(4)
    for side, network in enumerate(row.networks):
        network.run("ip", "link", "set", "cable", "mtu", "1500")
        if ipv6:
            network.run("ip", "-6", "addr", "add", f"fd09::{side + 1}/64", "dev", "cable", "nodad")
    row.judge(begun[0], time.monotonic())


class Stranger(threading.Thread):
    """Sends RTP of ever other SSRCs from another address of the left network."""

    def __init__(self, row, rate, seconds):
        super().__init__()
        self.row, self.rate, self.seconds, self.sent = row, rate, seconds, 0

    def open(self):
        """A socket in the left network, by way of a thread that enters it."""
        holder = {}

        def work():
            with open(f"/proc/{self.row.networks[0].pid}/ns/net", "rb") as place:
                enter_network(place.fileno())
            holder["socket"] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        holder["socket"].bind(("10.9.0.3", 0))
        holder["socket"].connect((self.row.get_address(1), PORT))
        return holder["socket"]

    def run(self):
        target = self.open()
        begun = time.monotonic()
        while (now := time.monotonic() - begun) < self.seconds:
            while self.sent < now * self.rate:
                head = struct.pack(">BBHII", 0x80, 96, self.sent & 0xffff, self.sent * 960 & 0xffffffff,
                                   random.getrandbits(32))
                try:
                    target.send(head + bytes(60))
                except OSError:
                    pass
                self.sent += 1
            time.sleep(0.002)
        target.close()


def enter_network(descriptor):
    """This thread's network is that of the descriptor from now on."""
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, 0):
        raise OSError(ctypes.get_errno(), "setns")


def flood(row, begun):
    """A call beside 10,000 packets a second of a stranger keeps its rate and loses next to nothing."""
    seconds = 10
    row.encoder = "ptime=20000000"          # an encoder that changes it changes the packet rate
    row.open_networks()
    row.networks[0].run("ip", "addr", "add", "10.9.0.3/24", "dev", "cable")
    row.open_networks = lambda tun: None
    row.start()
    time.sleep(seconds - STEADY_S)
    begin(begun)
    stranger = Stranger(row, 10000, seconds)
    stranger.start()
    stranger.join()
    now = time.monotonic()
    end = row.ends[1]
    marks = [read_counters(end, at) for at in (begun[0] - seconds + 1, begun[0], begun[0] + 1, now)]
    of = "data-receiver." if row.kind == BOTH_WAYS else ""
    received = [mark[of + "packets"] for mark in marks]
    rates = [(received[1] - received[0]) / (seconds - 1), (received[3] - received[2]) / (now - begun[0] - 1)]
    lost = marks[3][of + "lost"] - marks[1][of + "lost"]
    row.notes.append(f"{stranger.sent} packets of a stranger; {rates[0]:.1f} packets/s before, "
                     f"{rates[1]:.1f} beside them, {lost} lost")
    row.expect(stranger.sent > 9000 * seconds, "the stranger was too slow")
    row.expect(abs(rates[1] - rates[0]) <= 0.1 * rates[0], "the rate changed")
    row.expect(lost <= 0.01 * (received[3] - received[1]), "too many lost")


def overflow(row, begun):
    """The receiver's socket has room for a few packets, and the receiver stops for a second."""
    row.more[1] = "buffer-size=4096" if row.kind == ONE_WAY else ""
    row.start()
    begin(begun)
    row.networks[0].run("ip", "addr", "add", "10.9.0.3/24", "dev", "cable")
    row.ends[1].send(signal.SIGSTOP)
    stranger = Stranger(row, 4000, 1)
    stranger.start()
    stranger.join()
    row.ends[1].send(signal.SIGCONT)
    row.judge(begun[0], time.monotonic())


def starve(row, begun, option, amounts, fatal):
    """An end starts with so little left of something. It says so on the bus, or plays. `fatal` are the words
    with which GLib itself gives up."""
    row.open_networks()
    begin(begun)
    outcomes = collections.Counter()
    for amount in amounts:
        process = row.start_end(1, None, option, amount)
        until = time.monotonic() + 15
        while process.child.poll() is None and not process.get("play") and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        errors = any(text.startswith("error") for _, text in process.get("message"))
        said = " ".join(rest for _, kind, rest in process.read() if kind == "said")
        running = process.child.poll() is None
        process.end()
        if errors:
            outcome = "bus error"
        elif running and process.get("play"):
            outcome = "plays"
        elif any(word in said for word in fatal):
            outcome = "GLib or Python gave up"
        else:
            raise Failed(f"with {amount} left: status {process.child.returncode}, {said[-200:]}")
        outcomes[outcome] += 1
    row.notes.append(", ".join(f"{n} x {outcome}" for outcome, n in outcomes.items()))
    row.expect(outcomes["bus error"], "no bus error")
    row.expect(outcomes["plays"], "never plays")


def lose_feedback(row, begun, percent):
    """So many of the reports are lost, all along."""
    row.start()
    row.cut(1, f"udp dport {PORT} @th,72,8 200-207 numgen random mod 100 < {percent} drop")
    judge_share(row, begun, 15, 0.97)


def block_reverse(row, begun, seconds):
    """Nothing comes back."""
    row.start()
    begin(begun)
    row.cut(1)
    time.sleep(seconds)
    row.mend(1)
    row.judge(begun[0], time.monotonic())


def cut_both(row, begun, seconds):
    row.start()
    begin(begun)
    for side in range(2):
        row.cut(side)
    time.sleep(seconds)
    for side in range(2):
        row.mend(side)
    row.judge(begun[0], time.monotonic())


def come_late(row, begun, seconds):
    row.open_networks()
    row.wait_playing(row.start_end(0))
    begin(begun)
    time.sleep(seconds)
    row.judge(begun[0], row.wait_playing(row.start_end(1)))


def drift(row, begun, ppm):
    row.drift = ppm
    row.start()
    judge_share(row, begun, 60, 0.99)


@dataclasses.dataclass
class Fault:
    name: str
    act: typing.Callable
    arguments: tuple = ()
    bar: float = BAR_S                  # 0: judged otherwise
    kinds: tuple = (ONE_WAY, BOTH_WAYS)
    alone: bool = False
    leaks: bool = True
    seconds: int = 5                    # of the fault; the longest rows are started first

    def play(self, row, begun):
        self.act(row, begun, *self.arguments)


GAVE_UP = ("GLib-ERROR", "GLib (gthread", "Too many open files", "MemoryError", "failed to allocate", "Cannot allocate",
           "Resource temporarily unavailable", "error while loading", "failed to map segment")
FAULTS = [
    *(Fault(f"the receiver stops for {n} s", stop_end, (1, n), seconds=n) for n in (1, 5, 30)),
    *(Fault(f"the sender stops for {n} s", stop_end, (0, n), kinds=(ONE_WAY,), seconds=n) for n in (1, 5, 30)),
    Fault("the receiver is killed and starts again", restart_end, (1, signal.SIGKILL, 2)),
    Fault("the sender is killed and starts again", restart_end, (0, signal.SIGKILL, 2)),
    Fault("the receiver ends and starts again", restart_end, (1, signal.SIGTERM, 2)),
    Fault("the sender ends and starts again", restart_end, (0, signal.SIGTERM, 2)),
    Fault("the link is gone for 5 s, IPv4", lose_link, (False, 5)),
    Fault("the link is gone for 5 s, IPv6", lose_link, (True, 5)),
    *(Fault(f"the path is dead for {n} s", cut_both, (n,), seconds=n) for n in (20, 62)),
    # tfrcbin wants keys of who speaks from another host
    Fault("another address of the sender", change_address, (False,), kinds=(ONE_WAY,)),
    Fault("another address of the sender, with keys", change_address, (True,)),
    Fault("another port of the sender's NAT", rebind, (False,)),
    Fault("another port of the sender's NAT, with keys", rebind, (True,)),
    Fault("50 % of the packets come twice", worsen_path,
          ("--delay 10 --duplicate 50 --duplicate-back 50", 0.98), bar=0),
    Fault("packets are 500 ms late, 2 %", worsen_path, ("--delay 10 --reorder 2 --reorder-by 500", 0.95), bar=0),
    Fault("all packets are reordered by up to 500 ms", worsen_path,
          ("--delay 10 --reorder 50 --reorder-by 500", 0.1), bar=0),
    Fault("the MTU is below the packet for 4 s, IPv4", shrink_mtu, (False,)),
    Fault("the MTU is below that of IPv6 for 4 s", shrink_mtu, (True,)),
    Fault("the socket's buffer overflows", overflow),
    Fault("out of descriptors at start", starve, ("--files", (*range(0, 16), 40), GAVE_UP), bar=0, leaks=False,
          seconds=20),
    Fault("out of memory at start", starve, ("--memory", (1, 4, 16, 32, 64, 128, 256, 1024), GAVE_UP), bar=0,
          leaks=False, seconds=15),
    Fault("the reverse path is blocked for 30 s", block_reverse, (30,), seconds=30),
    Fault("a clock is 500 ppm fast", drift, (500,), bar=0, seconds=60),
    Fault("a clock is 500 ppm slow", drift, (-500,), bar=0, seconds=60),
    *(Fault(f"{n} % of the reports are lost", lose_feedback, (n,), bar=0, seconds=15) for n in (20, 50)),
    *(Fault(f"the receiver comes {n} s late", come_late, (n,), bar=LATE_BAR_S, seconds=n) for n in (1, 10, 30, 60, 65)),
    Fault("10,000 packets/s of a stranger", flood, bar=0, alone=True),
]


def print_table(rows):
    """Fault | kind | verdict | time | bar | messages | counters."""
    width = max(len(row.fault.name) for row in rows)
    print(f"{'fault':{width}}  {'elements':16}  {'':4}  voice after  {'bar':>5}  messages; counters; remarks")
    for row in rows:
        took = f"{row.took:.2f} s" if row.took is not None else "-"
        bar = f"{row.bar:.1f} s" if row.bar else "*"
        messages = ", ".join(text + (f" x{n}" if n > 1 else "") for text, n in row.messages.items())
        print(f"{row.fault.name:{width}}  {row.kind:16}  {row.verdict:4}  {took:>11}  {bar:>5}  "
              f"{'; '.join(filter(None, (messages, row.counters, ', '.join(row.notes))))}")


def show(row, n, of):
    took = f", voice after {row.took:.2f} s" if row.took is not None else ""
    print(f"[{n}/{of}] {row.verdict:4} {row.kind}: {row.fault.name}{took} {'; '.join(row.notes)}", file=sys.stderr,
          flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args([argument for argument in sys.argv[1:] if argument != namespaces.INSIDE])
    patterns = options.pattern or [""]
    wanted = [(fault, kind) for fault in FAULTS for kind in fault.kinds
              if any(fnmatch.fnmatch(f"{fault.name}: {kind}", f"*{pattern}*") for pattern in patterns)]
    if options.list:
        print("\n".join(f"{fault.name}: {kind}" for fault, kind in wanted))
        return
    namespaces.enter("nft")
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    rows = [Row(fault, kind, number) for number, (fault, kind) in enumerate(wanted)]
    done = []

    def finish(row):
        done.append(row)
        show(row, len(done), len(rows))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        longest_first = sorted((row for row in rows if not row.fault.alone), key=lambda row: -row.fault.seconds)
        for future in concurrent.futures.as_completed([pool.submit(row.play) for row in longest_first]):
            finish(future.result())
    for row in rows:
        if row.fault.alone:
            finish(row.play())
    print_table(rows)
    failed = sum(row.verdict != "ok" for row in rows)
    print(f"{len(rows) - failed} ok, {failed} failed")
    sys.exit(failed > 0)


LOGS = os.environ.get("TFRC_FAULT_LOGS")
BUILD = pathlib.Path(os.environ.get("TFRC_BUILD", ROOT / "build")).resolve()

if __name__ == "__main__":
    main()
