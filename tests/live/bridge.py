#!/usr/bin/python3
"""The conference of examples/bridge with real softphones, each in a network namespace of its own.

  tests/live/play.py tests/live/bridge.py BUILD

Each phone says a tone of its own, which a pattern of its own switches on and off, and records what
it hears. How much of a tone is in a recording is the regression of the tone's level on the
pattern.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import wave

import numpy

import cases
import namespaces

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
PORT = 5004
RATE = 48000
LEVEL = 2500                    # of each tone: ten of them are 25000 of 32767
PIECE = RATE // 20              # 50 ms: tones are multiples of its 20 Hz
CHIP = 5                        # pieces that a pattern is on or off
PATTERN_S = 60
WINDOW = 5 * 20                 # pieces
PHONES = 10
THIN, LOSSY = 3, 6
THIN_RATE, THIN_QUEUE = "40kbit", "200ms"
OTHERS_KBITS = 30               # that each other codec has at least
HEARD, SILENT = 0.5, 0.1        # part of a tone that others hear at least, and its phone at most
HEARD_OVER_THIN = 0.25          # of a tone that crossed the thin path, in 6 to 16 kbit/s
PATIENCE = 30
FLOOD = """
import socket, struct, sys, time
flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
begin = time.monotonic()
for n in range(1000 * 60):
    flood.sendto(struct.pack(">BBHII", 128, 96, n % 65536, 48 * n, 77) + bytes(100), (sys.argv[1], int(sys.argv[2])))
    time.sleep(max(0, begin + n / 1000 - time.monotonic()))
"""


def get_tone(n):
    return 400 + 140 * n


def get_pattern(n):
    """The level of a phone's tone, 0 or 1, in pieces."""
    return numpy.repeat(numpy.random.default_rng(n).integers(0, 2, PATTERN_S * 20 // CHIP), CHIP)


def write_speech(file, n):
    times = numpy.arange(PATTERN_S * RATE) / RATE
    sound = LEVEL * numpy.repeat(get_pattern(n), PIECE) * numpy.sin(2 * numpy.pi * get_tone(n) * times)
    with wave.open(str(file), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(sound.astype("<i2").tobytes())


def read_levels(file):
    """The level of each tone in each piece of a recording."""
    with wave.open(str(file)) as recording:
        sound = numpy.frombuffer(recording.readframes(recording.getnframes()), "<i2").astype(float)
    pieces = sound[:len(sound) // PIECE * PIECE].reshape(-1, PIECE) * numpy.hanning(PIECE)
    spectra = numpy.abs(numpy.fft.rfft(pieces)) / (LEVEL * PIECE / 4)
    return [spectra[:, get_tone(n) * PIECE // RATE] for n in range(PHONES)]


def get_slope(heard, said):
    """The regression of what is heard on what was said: 1 when all of it is heard."""
    said = said - said.mean()
    return numpy.dot(heard, said) / max(numpy.dot(said, said), 1)


def get_part(levels, n, left=0):
    """The part of what phone n said that is in these levels of its tone, from 0 to 1: that of the
    middle one of the last three windows of 5 s before the `left` windows in which it had left. When
    the phone began is not known, and the delay of a path changes, so that each window is compared
    with any part of the pattern."""
    pattern = get_pattern(n).astype(float)
    windows = (levels[-i * WINDOW:][:WINDOW] for i in range(1 + left, 4 + left))
    return statistics.median(max(get_slope(window, pattern[i:i + WINDOW]) for i in range(len(pattern) - WINDOW))
                             for window in windows)


class Phone:
    """A softphone at the end of a cable to the bridge's network."""

    def __init__(self, n, folder):
        self.n = n
        self.network = namespaces.Namespace()
        self.address, self.bridge = f"10.77.{n}.2", f"10.77.{n}.1"
        self.cable = f"phone{n}"
        self.speech, self.recording = folder / f"speech{n}.wav", folder / f"heard{n}.wav"
        self.log = folder / f"phone{n}.log"
        self.child = None
        write_speech(self.speech, n)
        namespaces.run("ip", "link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns",
                       self.network.pid)
        namespaces.run("ip", "addr", "add", f"{self.bridge}/24", "dev", self.cable)
        namespaces.run("ip", "link", "set", self.cable, "up")
        self.network.run("ip", "addr", "add", f"{self.address}/24", "dev", "eth0")
        self.network.run("ip", "link", "set", "eth0", "up")

    def make_thin(self):
        for run, device in (namespaces.run, self.cable), (self.network.run, "eth0"):
            run("tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", THIN_RATE, "burst", "1600",
                "latency", THIN_QUEUE)

    def make_lossy(self, percent):
        for run, device in (namespaces.run, self.cable), (self.network.run, "eth0"):
            run("nft", "add table ip lossy; add chain ip lossy input { type filter hook input priority 0; };"
                f"add rule ip lossy input iifname {device} numgen random mod 100 < {percent} drop")

    def call(self, *arguments):
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = subprocess.Popen(self.network.enter(
                BUILD / "examples/softphone/softphone", "--call", f"{self.bridge}:{PORT}", "--speak", self.speech,
                "--record", self.recording, *arguments), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def flood(self):
        """Sends a thousand packets of RTP in a second."""
        self.child = subprocess.Popen(self.network.enter(sys.executable, "-c", FLOOD, self.bridge, str(PORT)))

    def hang_up(self):
        self.child.send_signal(signal.SIGINT)

    def close(self):
        if self.child is not None:
            self.child.kill()
            self.child.wait()
        self.network.close()


class Bridge:
    def __init__(self, folder, *arguments):
        self.log = folder / "bridge.log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = subprocess.Popen(
                [BUILD / "examples/bridge/tfrc-bridge", "--port", str(PORT), *arguments],
                stdout=log, stderr=subprocess.STDOUT)

    def read(self):
        """The tables so far, as dictionaries from a label to the words of its row."""
        tables = []
        for line in self.log.read_text("utf-8").splitlines():
            words = line.split()
            if line.endswith(" callers"):
                tables.append({})
            elif tables and words[:1] not in (["peer"], ["kbit/s"]) and len(words) > 5:
                tables[-1][words[1]] = words
        return tables

    def wait_for(self, condition, what):
        """Waits for a table for which the condition holds."""
        until = time.monotonic() + PATIENCE
        while not (tables := self.read()) or not condition(tables[-1]):
            if self.child.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"{what}: never\n{self.log.read_text('utf-8')[-3000:]}")
            time.sleep(0.2)

    def stop(self):
        self.child.terminate()
        return self.child.wait(PATIENCE)

    def close(self):
        self.child.kill()
        self.child.wait()


class Conference(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def phone(self, n):
        phone = Phone(n, self.folder)
        self.addCleanup(phone.close)
        return phone

    def start(self, phones):
        names = [word for phone in phones for word in ("--name", f"{phone.address}=phone{phone.n}")]
        bridge = Bridge(self.folder, *names)
        self.addCleanup(bridge.close)
        bridge.wait_for(lambda table: True, "the bridge has begun")
        return bridge

    def test_each_of_ten_hears_all_others_and_not_itself(self):
        phones = [self.phone(n) for n in range(PHONES)]
        phones[THIN].make_thin()
        phones[LOSSY].make_lossy(5)
        bridge = self.start(phones)
        for phone in phones[:8]:
            phone.call()
        time.sleep(5)
        for phone in phones[8:]:
            phone.call()
            time.sleep(1)
        bridge.wait_for(lambda table: len(table) == PHONES, "ten callers")
        time.sleep(20)
        full = bridge.read()
        phones[0].hang_up()
        bridge.wait_for(lambda table: len(table) == PHONES - 1, "one has left")
        time.sleep(3)
        for phone in phones[1:]:
            phone.hang_up()
        bridge.wait_for(lambda table: not table, "all have left")
        self.assertEqual(bridge.stop(), 0)
        for phone in phones:
            self.assertEqual(phone.child.wait(PATIENCE), 0, phone.log.read_text("utf-8"))
        self.check_recordings(phones)
        self.check_tables([table for table in full if len(table) == PHONES][-10:])

    def test_who_is_dead_or_sends_too_much_has_to_go(self):
        phones = [self.phone(n) for n in range(4)]
        bridge = self.start(phones)
        for phone in phones[:3]:
            phone.call()
        bridge.wait_for(lambda table: len(table) == 3, "three callers")
        phones[2].child.kill()
        phones[3].flood()
        bridge.wait_for(lambda table: "phone2" not in table, "the dead one is gone")
        phones[0].hang_up()
        phones[1].hang_up()
        bridge.wait_for(lambda table: not table, "all have left")
        self.assertIsNone(phones[3].child.poll())
        self.assertEqual(bridge.stop(), 0)
        log = bridge.log.read_text("utf-8")
        self.assertEqual(log.count("phone2 is removed: nothing comes any more"), 1)
        # it was in once, and could not call again
        self.assertEqual(log.count("phone3 is removed: no phone sends so many packets"), 1)
        for phone, other in phones[:2], phones[1::-1]:
            part = get_part(read_levels(phone.recording)[other.n], other.n)
            print(f"phone{phone.n} hears {part:.2f} of phone{other.n}", flush=True)
            self.assertGreater(part, HEARD)

    def check_recordings(self, phones):
        parts = []
        for phone in phones:
            levels = read_levels(phone.recording)
            self.assertGreater(len(levels[0]), 4 * WINDOW)
            # phone 0 has left some seconds before the others
            parts.append([get_part(levels[n], n, n == 0 and phone.n != 0) for n in range(PHONES)])
            print(f"phone{phone.n} hears", " ".join(f"{part:.2f}" for part in parts[-1]), flush=True)
        for n, row in enumerate(parts):
            self.assertLess(row[n], SILENT)
            for other in set(range(PHONES)) - {n}:
                self.assertGreater(row[other], HEARD_OVER_THIN if THIN in (n, other) else HEARD)

    def check_tables(self, tables):
        """The one on the thin path gets less than each other, of whom none has to get as little. Of
        those who do not fill the queue of a path, the lossy one loses most."""
        rates, losses = {}, {}
        for n in range(PHONES):
            rows = [table[f"phone{n}"] for table in tables]
            rates[n] = statistics.mean(float(row[4].partition("k")[0]) for row in rows)
            losses[n] = statistics.mean(float(row[-3]) for row in rows)
        print("kbit/s", rates, "% lost", losses, flush=True)
        self.assertLess(rates.pop(THIN), min(rates.values()))
        self.assertGreater(min(rates.values()), OTHERS_KBITS)
        del losses[THIN]
        self.assertGreater(losses.pop(LOSSY), max(losses.values()))


def prepare():
    namespaces.enter("tc", "nft")


if __name__ == "__main__":
    cases.main(Conference, prepare)
