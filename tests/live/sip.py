#!/usr/bin/python3
"""The softphone with SIP: phone to phone, without a server.

  tests/live/play.py tests/live/sip.py BUILD

Each phone says a tone of its own, and records what it hears.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import cases
import namespaces
import phones
import sound

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
PROGRAM = BUILD / "examples/softphone/softphone"
TONES = {"anna": 500, "ben": 800}
SIP_PORTS = {"anna": 5060, "ben": 5062}
PORTS = {"anna": 6000, "ben": 6002}
PATIENCE = 15
TALK_S = 6


class Sip(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name, hertz in TONES.items():
            phones.say_tone(self.folder / f"said-{name}.wav", hertz)

    def phone(self, name, *arguments):
        phone = phones.Phone(
            PROGRAM, "--sip", f"sip:{name}@127.0.0.1:{SIP_PORTS[name]}", "--sip-port", SIP_PORTS[name],
            "--port", PORTS[name], "--speak", self.folder / f"said-{name}.wav",
            "--record", self.folder / f"heard-{name}.wav", *arguments)
        self.addCleanup(phone.stop)
        return phone

    def call(self, *arguments, callee=("--listen",)):
        """Anna calls ben, who does not answer yet."""
        ben = self.phone("ben", *callee)
        ben.wait_for("waiting for a call", PATIENCE)
        anna = self.phone("anna", "--call", f"sip:ben@127.0.0.1:{SIP_PORTS['ben']}", *arguments)
        ben.wait_for("sip:anna@127.0.0.1 calls", PATIENCE)
        anna.wait_for("rings", PATIENCE)
        return anna, ben

    def talk(self, *arguments, **others):
        anna, ben = self.call(*arguments, **others)
        ben.press("a")
        for phone in anna, ben:
            phone.wait_for("talking to", PATIENCE)
        return anna, ben

    def hang_up(self, phone, *others):
        phone.press("q")
        for each in (phone, *others):
            each.wait_for("the call has ended", PATIENCE)

    def check_heard(self, name, hertz, start=-3, share=0.8):
        heard, level = sound.get_share(phones.hear_recording(self.folder / f"heard-{name}.wav", start), hertz)
        print(f"{name} hears {100 * heard:.0f} % of {hertz} Hz, level {level:.0f}")
        self.assertGreater(heard, share)
        self.assertGreater(level, 2000)

    def check_both(self):
        self.check_heard("anna", TONES["ben"])
        self.check_heard("ben", TONES["anna"])

    def test_two_phones_agree_on_tfrc_and_keys_of_dtls(self):
        anna, ben = self.talk()
        for phone in anna, ben:
            phone.wait_for("OPUS,PCMU, encrypted by DTLS, TFRC reports", PATIENCE)
        time.sleep(TALK_S)
        self.hang_up(anna, ben)
        self.assertEqual(anna.child.wait(PATIENCE), 0)
        self.check_both()
        # the phone that was called listens on
        ben.wait_for("waiting for a call", PATIENCE, times=2)
        ben.press("q")
        self.assertEqual(ben.child.wait(PATIENCE), 0)

    def test_a_call_in_clear_with_pcmu_and_another_one_after_it(self):
        anna, ben = self.talk("--clear", "--codecs", "PCMU")
        for phone in anna, ben:
            phone.wait_for("PCMU, in clear, TFRC reports", PATIENCE)
        self.hang_up(ben, anna)
        ben.wait_for("waiting for a call", PATIENCE, times=2)
        anna = self.phone("anna", "--call", f"sip:ben@127.0.0.1:{SIP_PORTS['ben']}", "--clear", "--codecs", "PCMU")
        ben.wait_for("calls; a accepts", PATIENCE, times=2)
        ben.press("a")
        ben.wait_for("talking to", PATIENCE, times=2)
        time.sleep(TALK_S)
        self.hang_up(anna)
        ben.wait_for("the call has ended", PATIENCE, times=2)
        self.check_both()

    def test_a_call_is_declined(self):
        anna, ben = self.call()
        ben.press("d")
        anna.wait_for("603 Decline", PATIENCE)
        self.assertEqual(anna.child.wait(PATIENCE), 1)
        ben.wait_for("waiting for a call", PATIENCE, times=2)
        self.assertNotIn("talking", ben.read())

    def test_a_caller_gives_up(self):
        anna, ben = self.call()
        anna.press("q")
        ben.wait_for("the caller has given up", PATIENCE)
        ben.wait_for("waiting for a call", PATIENCE, times=2)
        self.assertNotIn("talking", ben.read())
        anna.child.wait(PATIENCE)

    def test_nobody_is_there(self):
        anna = self.phone("anna", "--call", "sip:carl@127.0.0.1:5070")
        anna.wait_for("the call has ended: sip:carl@127.0.0.1:5070:", PATIENCE)
        self.assertEqual(anna.child.wait(PATIENCE), 1)


def prepare():
    namespaces.enter()
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    if "--sip " not in subprocess.run([str(PROGRAM), "--help"], check=False, capture_output=True, text=True).stdout:
        cases.skip("the softphone was built without sofia-sip (libsofia-sip-ua-glib-dev)")


if __name__ == "__main__":
    cases.main(Sip, prepare)
