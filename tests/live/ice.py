#!/usr/bin/python3
"""Softphones behind NATs find each other by SIP and ICE: Kamailio and a STUN server (coturn) are on the Internet.

  tests/live/play.py tests/live/ice.py BUILD

Each phone is behind a router of its own, which gives the port of the media another number: whoever does not ask a STUN
server does not know it. The test's own network is the Internet.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import subprocess
import time

import cases
import namespaces
import phones
import sip
import sound
from nat import PORT, Homes, set_up

SERVER = "198.51.100.10"
STUN_PORT = 3478
PATIENCE = 30
TALK_S = 7
CONE = "to :41000"              # one public port for all
SYMMETRIC = "to :41000-41999 fully-random"


def start_stun(folder):
    log = open(folder / "stun.log", "w", encoding="utf-8")
    child = subprocess.Popen(
        ["turnserver", "-n", "--stun-only", "-L", SERVER, "-p", str(STUN_PORT), "--no-tls", "--no-dtls", "--no-tcp",
         "--no-cli", "--pidfile", str(folder / "stun.pid"), "--log-file", "stdout"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    return child, log


class Ice(Homes):
    def setUp(self):
        super().setUp()
        for home in self.homes:
            subprocess.run(["ip", "link", "add", f"home{home.n}", "type", "veth", "peer", "name", "internet", "netns",
                            home.router.pid], check=True)
            self.addCleanup(subprocess.run, ["ip", "link", "del", f"home{home.n}"], check=False, capture_output=True)
            subprocess.run(["ip", "link", "set", f"home{home.n}", "master", "internet", "up"], check=True)
            set_up(home.router, "internet", home.public)
        self.start_servers()

    def start_servers(self):
        (self.folder / "password").write_text("no secret\n", "utf-8")
        server = sip.Kamailio(self.folder / "kamailio", "no secret", SERVER)
        self.addCleanup(server.stop)
        child, log = start_stun(self.folder)
        self.addCleanup(log.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)

    def translate(self, home, ports):
        """The media get other ports, SIP keeps its own."""
        home.router.run("nft", "add table ip nat; add chain ip nat post { type nat hook postrouting priority srcnat; };"
                        f"add rule ip nat post oifname internet udp sport {PORT} masquerade {ports};"
                        "add rule ip nat post oifname internet masquerade;"
                        "add chain ip nat forward { type filter hook forward priority 0; policy drop; };"
                        "add rule ip nat forward ct state established,related accept;"
                        "add rule ip nat forward iifname home accept;"
                        "add chain ip nat input { type filter hook input priority 0; };"
                        "add rule ip nat input iifname internet drop")

    def phone(self, name, network, *arguments):
        """`network`: in which the program runs; None: on the Internet."""
        phones.say_tone(self.folder / f"said-{name}.wav", sip.TONES[name])
        command = (
            sip.PROGRAM, "--sip", f"sip:{name}@{SERVER}:{sip.KAMAILIO_PORT}", "--register", "--password-file",
            self.folder / "password", "--port", PORT, "--speak", self.folder / f"said-{name}.wav",
            "--record", self.folder / f"heard-{name}.wav", *arguments)
        phone = phones.Phone(*(network.enter(*command) if network else command))
        self.addCleanup(phone.stop)
        phone.wait_for("registered as", PATIENCE)
        return phone

    def call(self, *options):
        return self.call_at(self.homes[1].phone, options, options)

    def call_at(self, network, of_anna, of_ben):
        ben = self.phone("ben", network, "--listen", "--auto-answer", "--once", *of_ben)
        anna = self.phone("anna", self.homes[0].phone, "--call", f"sip:ben@{SERVER}:{sip.KAMAILIO_PORT}", *of_anna)
        ben.wait_for("calls; a accepts", PATIENCE)
        return anna, ben

    def check_talk(self, anna, ben, ice=True):
        for phone in anna, ben:
            phone.wait_for("talking to", PATIENCE)
            phone.wait_for("OPUS,PCMU, encrypted by DTLS, TFRC reports" + (", ICE" if ice else ""), PATIENCE)
            self.assertEqual(", ICE" in phone.read(), ice)
        time.sleep(TALK_S)
        anna.press("q")
        for phone in anna, ben:
            phone.wait_for("the call has ended", PATIENCE)
            phone.child.wait(PATIENCE)
        for name, hertz in (("anna", sip.TONES["ben"]), ("ben", sip.TONES["anna"])):
            share, level = sound.get_share(phones.hear_recording(self.folder / f"heard-{name}.wav", -3), hertz)
            print(f"{name} hears {100 * share:.0f} % of {hertz} Hz, level {level:.0f}")
            self.assertGreater(share, 0.8)
            self.assertGreater(level, 2000)

    def test_a_call_from_nat_to_nat(self):
        for home in self.homes:
            self.translate(home, CONE)
        self.check_talk(*self.call("--stun", SERVER))

    def test_a_symmetric_nat_calls_a_public_phone(self):
        self.translate(self.homes[0], SYMMETRIC)
        self.homes[1].open_port()
        self.check_talk(*self.call("--stun", SERVER))

    def test_a_phone_without_ice_sends_to_the_public_address(self):
        self.translate(self.homes[0], CONE)
        anna, ben = self.call_at(None, ("--stun", SERVER), ("--no-ice",))
        self.check_talk(anna, ben, ice=False)

    def test_without_a_stun_server_there_is_no_way(self):
        for home in self.homes:
            self.translate(home, CONE)
        anna, ben = self.call()
        time.sleep(10)
        anna.press("q")
        for phone in anna, ben:
            phone.wait_for("the call has ended", PATIENCE)
            self.assertNotIn("talking to", phone.read())


def prepare():
    namespaces.enter("nft", "turnserver", "kamailio")
    if not sip.find_kamailio_modules():
        cases.skip("no modules of Kamailio")
    for words in ("link set lo up", "link add internet type bridge", f"address add {SERVER}/24 dev internet",
                  "link set internet up"):
        subprocess.run(["ip", *words.split()], check=True)
    if "--stun" not in subprocess.run([str(sip.PROGRAM), "--help"], check=False, capture_output=True, text=True).stdout:
        cases.skip("the softphone was built without libnice (libnice-dev)")


if __name__ == "__main__":
    cases.main(Ice, prepare)
