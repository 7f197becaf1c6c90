#!/usr/bin/python3
"""Softphones behind NATs, and with keys: what each says, the other hears.

  tests/live/play.py tests/live/nat.py BUILD

Two networks of a phone each, with a router between each and a cable that stands for the Internet.
A router translates addresses and lets in only what answers what went out.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import wave

import cases
import namespaces
import sound
from sound import RATE

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
PORT = 5004
TONES = (500, 800)
CALL_S = 8
PATIENCE = 20
FIREWALL = ("add chain ip nat forward {{ type filter hook forward priority 0; policy drop; }};"
            "add rule ip nat forward ct state established,related accept;"
            "add rule ip nat forward iifname home accept;"
            "add chain ip nat input {{ type filter hook input priority 0; }};"
            "add rule ip nat input iifname internet drop")
TRANSLATION = ("add table ip nat;"
               "add chain ip nat post {{ type nat hook postrouting priority srcnat; }};"
               "add rule ip nat post oifname internet ip protocol udp masquerade {ports}; " + FIREWALL)


def add_cable(network, name, other, other_name):
    network.run("ip", "link", "add", name, "type", "veth", "peer", "name", other_name, "netns", other.pid)


def set_up(network, name, address):
    network.run("ip", "addr", "add", f"{address}/24", "dev", name)
    network.run("ip", "link", "set", name, "up")


class Home:
    """A phone's network and its router."""

    def __init__(self, n):
        self.n = n
        self.phone, self.router = namespaces.Namespace(), namespaces.Namespace()
        self.address, self.public = f"10.78.{n}.2", f"198.51.100.{n + 1}"
        add_cable(self.phone, "eth0", self.router, "home")
        set_up(self.phone, "eth0", self.address)
        set_up(self.router, "home", f"10.78.{n}.1")
        self.phone.run("ip", "route", "add", "default", "via", f"10.78.{n}.1")
        self.router.run("sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")

    def translate(self, ports=""):
        self.router.run("nft", TRANSLATION.format(ports=ports))

    def open_port(self):
        """No NAT, but the public address is the phone's."""
        self.router.run("nft", "add table ip nat; add chain ip nat pre { type nat hook prerouting priority dstnat; };"
                        f"add rule ip nat pre iifname internet udp dport {PORT} dnat to {self.address};"
                        "add chain ip nat post { type nat hook postrouting priority srcnat; };"
                        "add rule ip nat post oifname internet masquerade")

    def close(self):
        self.phone.close()
        self.router.close()


class Homes(unittest.TestCase):
    """Two homes, whose routers are not linked yet, and a folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.homes = [Home(n) for n in range(2)]
        for home in self.homes:
            self.addCleanup(home.close)


class Nat(Homes):
    def setUp(self):
        super().setUp()
        add_cable(self.homes[0].router, "internet", self.homes[1].router, "internet")
        for home in self.homes:
            set_up(home.router, "internet", home.public)
        self.phones = []

    def call(self, home, *arguments):
        with wave.open(str(self.folder / f"said{home.n}.wav"), "wb") as said:
            said.setparams((1, 2, RATE, 0, "NONE", ""))
            said.writeframes(sound.make_tone(TONES[home.n], 1) * 60)
        with open(self.folder / f"log{home.n}", "w", encoding="utf-8") as log:
            phone = subprocess.Popen(
                home.phone.enter(BUILD / "examples/softphone/softphone", "--port", str(PORT), "--auto-answer", "--once",
                                 *arguments,
                                 "--speak", self.folder / f"said{home.n}.wav",
                                 "--record", self.folder / f"heard{home.n}.wav"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(phone.wait)
        self.addCleanup(phone.kill)
        self.phones.append(phone)

    def make_keys(self, name):
        file = self.folder / name
        file.write_text(os.urandom(60).hex() + "\n", "utf-8")
        return file

    def read(self, home):
        return (self.folder / f"log{home.n}").read_text("utf-8")

    def check_talk(self):
        until = time.monotonic() + PATIENCE
        while not all("talking to" in self.read(home) for home in self.homes):
            self.assertLess(time.monotonic(), until, "\n".join(map(self.read, self.homes)))
            time.sleep(0.1)
        time.sleep(CALL_S)
        self.phones[0].send_signal(signal.SIGINT)
        for phone in self.phones:
            self.assertEqual(phone.wait(PATIENCE), 0)
        for home in self.homes:
            with wave.open(str(self.folder / f"heard{home.n}.wav")) as heard:
                heard.setpos(max(0, heard.getnframes() - 3 * RATE))
                samples = array.array("h", heard.readframes(RATE))
            share, level = sound.get_share(samples, TONES[1 - home.n])
            print(f"{home.address} hears {100 * share:.0f} %, level {level:.0f}")
            self.assertGreater(share, 0.8)
            self.assertGreater(level, 2000)

    def test_two_phones_behind_nats_that_call_each_other(self):
        for home in self.homes:
            home.translate()
        for home, other in (self.homes, reversed(self.homes)):
            self.call(home, "--call", f"{other.public}:{PORT}")
        self.check_talk()
        self.assertIn(f"talking to {self.homes[1].public}:{PORT}", self.read(self.homes[0]))

    def test_an_encrypted_call_from_nat_to_nat(self):
        for home in self.homes:
            home.translate()
        caller, callee = self.homes
        keys = self.make_keys("keys")
        self.call(callee, "--listen", "--call", f"{caller.public}:{PORT}", "--key-file", keys)
        self.call(caller, "--call", f"{callee.public}:{PORT}", "--key-file", keys)
        self.check_talk()

    def test_only_who_has_the_keys_gets_through(self):
        caller, callee = self.homes
        caller.translate("to :7000-7010")
        callee.open_port()
        keys = self.make_keys("keys")
        self.call(callee, "--listen", "--key-file", keys)
        for arguments in ("--key-file", self.make_keys("others")), ():
            self.call(caller, "--call", f"{callee.public}:{PORT}", "--duration", "4", *arguments)
            stranger = self.phones.pop()
            stranger.wait(PATIENCE)
            self.assertNotIn("talking to", self.read(caller))
            self.assertNotIn("talking to", self.read(callee))
        self.assertIsNone(self.phones[0].poll())
        self.call(caller, "--call", f"{callee.public}:{PORT}", "--key-file", keys)
        self.check_talk()

    def test_a_caller_whose_nat_changes_the_port(self):
        caller, callee = self.homes
        caller.translate("to :7000-7010")
        callee.open_port()
        self.call(callee, "--listen")
        self.call(caller, "--call", f"{callee.public}:{PORT}")
        self.check_talk()
        self.assertIn(f"talking to {caller.public}:70", self.read(callee))


def prepare():
    namespaces.enter("nft")


if __name__ == "__main__":
    cases.main(Nat, prepare)
