#!/usr/bin/python3
"""The softphone with SIP: phone to phone, with baresip, and through Kamailio.

  tests/live/play.py tests/live/sip.py BUILD

Each phone says a tone of its own, and records what it hears.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import base64
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import wave

import cases
import namespaces
import phones
import sipscript
import sound

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
PROGRAM = BUILD / "examples/softphone/softphone"
TONES = {"anna": 500, "ben": 800}
SIP_PORTS = {"anna": 5060, "ben": 5062}
PORTS = {"anna": 6000, "ben": 6002}
HOST = "10.79.0.1"        # of baresip and Kamailio, which do without the loopback
BARESIP_PORT = 5064
SCRIPT_PORT, VOICE_PORT = 5066, 7020
KAMAILIO_PORT = 5080
PATIENCE = 15
TALK_S = 6
RING_S = 4              # in which a call has to be answered, where a test waits for that


BARESIP = """
module_path {modules}
module opus.so
module g711.so
module aufile.so
module aubridge.so
module sndfile.so
module srtp.so
module dtls_srtp.so
module ice.so
module_app account.so
module_app menu.so
sip_listen {host}:{port}
audio_player aubridge,ear
audio_source aufile,{folder}/said.wav
rtp_ports 7000-7010
rtcp_mux yes
snd_path {folder}
"""


def find_baresip_modules():
    return next((str(path.parent) for path in pathlib.Path("/usr/lib").glob("**/baresip/modules/opus.so")), None)


def make_rtp(number):
    return struct.pack("!BBHII", 0x80, 96, number, number * 960, 0xBADBAD) + bytes(60)


def make_bye(ssrc):
    """A receiver report and a BYE."""
    return struct.pack("!BBHI", 0x80, 201, 1, ssrc) + struct.pack("!BBHI", 0x81, 203, 1, ssrc)


def get_memory(pid):
    """Resident bytes of a process."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def sniff_ssrc(source, target):
    """The SSRC of RTP packets between two ports of this machine."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800)) as tap:
        tap.settimeout(PATIENCE)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            packet = tap.recv(2000)
            if (packet[9] == socket.IPPROTO_UDP and struct.unpack("!HH", packet[20:24]) == (source, target)
                    and packet[28] >> 6 == 2 and packet[29] < 200):
                return struct.unpack("!I", packet[36:40])[0]
    raise AssertionError("no RTP")


def send_as(source, target, payload):
    """Sends a datagram from a port of another program."""
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP) as raw:
        raw.sendto(struct.pack("!HHHH", source, target, 8 + len(payload), 0) + payload, ("127.0.0.1", 0))


KAMAILIO = """
debug=1
log_stderror=yes
fork=no
dns=no
rev_dns=no
auto_aliases=no
listen=udp:{host}:{port}
alias="{host}:{port}"
mpath="{modules}"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "auth.so"
loadmodule "nathelper.so"
modparam("usrloc", "db_mode", 0)
modparam("nathelper|registrar", "received_avp", "$avp(received)")
# Phones behind a NAT are reached at the address that they speak from.
onreply_route {{ add_contact_alias(); }}
request_route {{
  force_rport();
  if (!mf_process_maxfwd_header("10")) {{ sl_send_reply("483", "Too Many Hops"); exit; }}
  if (has_totag()) {{
    if (loose_route()) {{ handle_ruri_alias(); t_relay(); exit; }}
    if (is_method("ACK")) {{ if (t_check_trans()) t_relay(); exit; }}
    sl_send_reply("404", "Not here");
    exit;
  }}
  if (is_method("CANCEL")) {{ if (t_check_trans()) t_relay(); exit; }}
  if (is_method("REGISTER")) {{
    if (!pv_www_authenticate("$td", "{password}", "0")) {{ www_challenge("$td", "1"); exit; }}
    fix_nated_register();
    save("location");
    exit;
  }}
  record_route();
  add_contact_alias();
  if (!lookup("location")) {{ sl_send_reply("404", "Not Found"); exit; }}
  t_relay();
}}
"""


def find_kamailio_modules():
    return next((str(path.parent) for path in pathlib.Path("/usr/lib").glob("**/kamailio/modules/tm.so")), None)


class Kamailio:
    """A registrar and proxy, in which every phone has the same password."""

    def __init__(self, folder, password, host=HOST):
        folder.mkdir()
        (folder / "kamailio.cfg").write_text(KAMAILIO.format(
            host=host, port=KAMAILIO_PORT, modules=find_kamailio_modules(), password=password), "utf-8")
        self.log = open(folder / "log", "w", encoding="utf-8")
        self.child = subprocess.Popen(
            ["kamailio", "-f", str(folder / "kamailio.cfg"), "-DD", "-E", "-Y", str(folder), "-w", str(folder)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        self.wait_for_port()

    def wait_for_port(self):
        """Requests before that get 503 Service Unavailable."""
        end = time.monotonic() + 30
        sockets = pathlib.Path("/proc/self/net/udp")
        while f":{KAMAILIO_PORT:04X} " not in sockets.read_text("utf-8") and time.monotonic() < end:
            time.sleep(0.1)

    def stop(self):
        self.child.terminate()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()
        self.log.close()


class Baresip:
    """A baresip, which says a tone and records what it hears."""

    def __init__(self, folder, codec, *commands, options=""):
        self.folder, (name, rate, channels) = folder, codec
        folder.mkdir()
        tone = array.array("h", sound.make_tone(TONES["ben"], 1))[::sound.RATE // rate]
        with wave.open(str(folder / "said.wav"), "wb") as said:
            said.setparams((channels, 2, rate, 0, "NONE", ""))
            said.writeframes(array.array("h", (x for x in tone for _ in range(channels))).tobytes() * 60)
        (folder / "config").write_text(BARESIP.format(
            modules=find_baresip_modules(), host=HOST, port=BARESIP_PORT, folder=folder), "utf-8")
        (folder / "accounts").write_text(
            f"<sip:bare@{HOST}:{BARESIP_PORT}>;regint=0;answermode=auto;"
            f"audio_codecs={name}/{rate}/{channels}{options}\n", "utf-8")
        self.log = open(folder / "log", "w", encoding="utf-8")
        self.child = subprocess.Popen(
            ["baresip", "-f", str(folder), *(word for command in commands for word in ("-e", command))],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        end = time.monotonic() + PATIENCE
        while "baresip is ready" not in (folder / "log").read_text("utf-8", "replace"):
            if time.monotonic() > end or self.child.poll() is not None:
                raise RuntimeError((folder / "log").read_text("utf-8", "replace"))
            time.sleep(0.1)

    def stop(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
            try:
                self.child.wait(5)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        self.log.close()

    def hear(self):
        """The last seconds but two, with the rate of sound.py."""
        file = max(self.folder.glob("dump-*-dec.wav"))
        with wave.open(str(file)) as heard:
            rate, channels = heard.getframerate(), heard.getnchannels()
            heard.setpos(max(0, heard.getnframes() - 3 * rate))
            samples = array.array("h", heard.readframes(rate))[::channels]
        return array.array("h", (x for x in samples for _ in range(sound.RATE // rate)))


class Sip(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name, hertz in TONES.items():
            phones.say_tone(self.folder / f"said-{name}.wav", hertz)

    def phone(self, name, *arguments, checker=()):
        phone = phones.Phone(
            *checker, PROGRAM, "--sip", f"sip:{name}@127.0.0.1:{SIP_PORTS[name]}", "--sip-port", SIP_PORTS[name],
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

    def test_hold_and_resume(self):
        anna, ben = self.talk()
        time.sleep(3)
        ben.press("h")
        ben.wait_for("the call is on hold", PATIENCE)
        anna.wait_for("holds the call", PATIENCE)
        time.sleep(3)
        anna.wait_for("| ", PATIENCE)
        ben.press("h")
        anna.wait_for("resumes the call", PATIENCE)
        time.sleep(4)
        self.hang_up(anna, ben)
        # both hear each other again, and ben was silent meanwhile
        self.check_both()
        share, level = sound.get_share(phones.hear_recording(self.folder / "heard-anna.wav", 5), TONES["ben"])
        print(f"on hold: {100 * share:.0f} %, level {level:.0f}")
        self.assertLess(level, 200)

    def test_keys_of_the_telephone(self):
        anna, ben = self.talk()
        for key in "50#*":
            anna.press(key)
            time.sleep(0.7)
        for key in "50#*":
            ben.wait_for(f"the other phone has pressed {key}", PATIENCE)
        time.sleep(2)
        self.assertEqual(ben.read().count("has pressed"), 4)
        self.hang_up(anna, ben)
        # the voice goes on behind the keys
        self.check_heard("ben", TONES["anna"], start=-2)

    def test_a_phone_that_disappears_ends_the_call(self):
        anna, ben = self.talk()
        time.sleep(1)
        ben.child.send_signal(signal.SIGSTOP)
        anna.wait_for("Nothing has been heard for 20 s", 28)
        self.assertEqual(anna.child.wait(PATIENCE), 0)

    def baresip(self, codec, *commands, options=""):
        if not shutil.which("baresip") or not find_baresip_modules():
            self.skipTest("no baresip (Debian: baresip-core)")
        other = Baresip(self.folder / "baresip", codec, *commands, options=options)
        self.addCleanup(other.stop)
        return other

    def check_with_baresip(self, anna, other):
        anna.wait_for("talking to", PATIENCE)
        time.sleep(TALK_S)
        self.hang_up(anna)
        other.stop()
        self.check_heard("anna", TONES["ben"])
        share, level = sound.get_share(other.hear(), TONES["anna"])
        print(f"baresip hears {100 * share:.0f} % of {TONES['anna']} Hz, level {level:.0f}")
        self.assertGreater(share, 0.8)
        self.assertGreater(level, 2000)

    def phone_beside(self, *arguments):
        """Anna's phone on the network of other programs."""
        phone = phones.Phone(
            PROGRAM, "--sip", f"sip:anna@{HOST}", "--port", PORTS["anna"],
            "--speak", self.folder / "said-anna.wav", "--record", self.folder / "heard-anna.wav", *arguments)
        self.addCleanup(phone.stop)
        return phone

    def test_baresip_is_called_with_opus(self):
        other = self.baresip(("opus", 48000, 2))
        anna = self.phone_beside("--call", f"sip:bare@{HOST}:{BARESIP_PORT}")
        anna.wait_for("OPUS, in clear, receiver reports", PATIENCE)
        self.check_with_baresip(anna, other)

    def test_baresip_calls_with_pcmu(self):
        anna = self.phone_beside("--listen", "--auto-answer")
        anna.wait_for("waiting", PATIENCE)
        other = self.baresip(("PCMU", 8000, 1), f"/dial sip:anna@{HOST}")
        anna.wait_for("PCMU, in clear, receiver reports", PATIENCE)
        self.check_with_baresip(anna, other)

    def test_baresip_has_keys_of_sdes(self):
        other = self.baresip(("opus", 48000, 2), options=";mediaenc=srtp")
        anna = self.phone_beside("--call", f"sip:bare@{HOST}:{BARESIP_PORT}")
        anna.wait_for("OPUS, encrypted by SDES, receiver reports", PATIENCE)
        self.check_with_baresip(anna, other)

    def need_ice(self):
        if "--stun" not in subprocess.run([str(PROGRAM), "--help"], check=False, capture_output=True, text=True).stdout:
            self.skipTest("the softphone was built without libnice (libnice-dev)")

    def check_ice(self, anna):
        self.need_ice()
        anna.wait_for("OPUS, in clear, receiver reports, ICE", PATIENCE)

    def test_baresip_calls_with_ice(self):
        anna = self.phone_beside("--listen", "--auto-answer")
        anna.wait_for("waiting", PATIENCE)
        other = self.baresip(("opus", 48000, 2), f"/dial sip:anna@{HOST}", options=";medianat=ice")
        self.check_ice(anna)
        self.check_with_baresip(anna, other)

    def test_baresip_is_called_with_ice(self):
        other = self.baresip(("opus", 48000, 2), options=";medianat=ice")
        anna = self.phone_beside("--call", f"sip:bare@{HOST}:{BARESIP_PORT}")
        self.check_ice(anna)
        self.check_with_baresip(anna, other)

    def test_baresip_calls_with_keys_of_dtls(self):
        anna = self.phone_beside("--listen", "--auto-answer")
        anna.wait_for("waiting", PATIENCE)
        other = self.baresip(("opus", 48000, 2), f"/dial sip:anna@{HOST}", options=";mediaenc=dtls_srtp")
        anna.wait_for("OPUS, encrypted by DTLS, receiver reports", PATIENCE)
        self.check_with_baresip(anna, other)

    def scripted(self):
        """A phone of a script and its voice."""
        phone, voice = sipscript.ScriptedPhone(SCRIPT_PORT, SIP_PORTS["anna"]), sipscript.Voice(VOICE_PORT)
        self.addCleanup(phone.close)
        self.addCleanup(voice.close)
        return phone, voice

    def call_script(self, lines="", *arguments, media="RTP/AVP 0", checker=()):
        """Anna calls the phone of a script, which answers with PCMU alone."""
        carl, voice = self.scripted()
        anna = self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}", *arguments, checker=checker)
        carl.take_call(sipscript.make_sdp(VOICE_PORT, lines, media=media))
        anna.wait_for("talking to", PATIENCE)
        voice.target = ("127.0.0.1", PORTS["anna"])
        return anna, carl, voice

    def check_sends(self, voice, sends):
        time.sleep(0.5)
        before = voice.came
        time.sleep(1)
        if sends:
            self.assertGreater(voice.came - before, 30)
        else:
            self.assertLess(voice.came - before, 3)

    def test_a_phone_with_pcmu_holds_the_call(self):
        anna, carl, voice = self.call_script()
        self.check_sends(voice, True)
        answer = carl.invite(sipscript.make_sdp(VOICE_PORT, "a=sendonly\r\n", version=2))
        self.assertIn("200 OK", answer.first)
        anna.wait_for("holds the call", PATIENCE)
        self.check_sends(voice, False)
        carl.invite(sipscript.make_sdp(VOICE_PORT, version=3))
        anna.wait_for("resumes the call", PATIENCE)
        self.check_sends(voice, True)
        time.sleep(3)
        carl.hang_up()
        anna.wait_for("the other phone has hung up", PATIENCE)
        self.check_heard("anna", sipscript.HERTZ, share=0.7)

    def test_no_answer_comes_in_a_provisional_response(self):
        carl, _ = self.scripted()
        self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}")
        invite = carl.receive("INVITE", PATIENCE)
        # RFC 3262: an SDP in a reliable response would be the answer, and the 200 might have none
        self.assertEqual([invite.get("Supported"), invite.get("Require")], ["timer", ""])
        carl.respond(invite, "486 Busy Here")

    def test_a_phone_that_holds_the_call_may_be_silent(self):
        anna, carl, voice = self.call_script()
        self.check_sends(voice, True)
        voice.target = None
        self.assertIn("200 OK", carl.invite(sipscript.make_sdp(VOICE_PORT, "a=sendonly\r\n", version=2)).first)
        anna.wait_for("holds the call", PATIENCE)
        carl.respond(carl.receive("OPTIONS", 30), "200 OK")
        time.sleep(8)                           # more than 20 s since the last packet
        self.assertNotIn("has ended", anna.read())
        # silence is one again when the call is resumed
        self.assertIn("200 OK", carl.invite(sipscript.make_sdp(VOICE_PORT, version=3)).first)
        anna.wait_for("resumes the call", PATIENCE)
        anna.wait_for("Nothing has been heard for 20 s", 28)

    def test_keys_between_this_phone_and_one_with_pcmu(self):
        carl, voice = self.scripted()
        anna = self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}")
        carl.take_call(sipscript.make_sdp(VOICE_PORT, "a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n",
                                          media="RTP/AVP 0 101"))
        anna.wait_for("talking to", PATIENCE)
        voice.target = ("127.0.0.1", PORTS["anna"])
        self.check_sends(voice, True)
        for key in "90#":
            anna.press(key)
            time.sleep(0.7)
        self.assertEqual([key for key, _ in voice.pressed], [9, 0, 11])
        for _, seconds in voice.pressed:
            self.assertTrue(0.04 <= seconds <= 0.5, voice.pressed)      # RFC 4733 2.5.1.4: 40 ms at least
        voice.press += [4, 10]
        for key in "4*":
            anna.wait_for(f"the other phone has pressed {key}", PATIENCE)
        self.assertEqual(anna.read().count("has pressed"), 2)
        # the voice goes on behind the keys, both ways
        self.check_sends(voice, True)
        time.sleep(3)
        carl.hang_up()
        anna.wait_for("the other phone has hung up", PATIENCE)
        self.check_heard("anna", sipscript.HERTZ, share=0.7)

    def test_another_rtcp_port_at_the_same_address(self):
        anna, carl, voice = self.call_script("a=rtcp:7021\r\n")
        self.check_sends(voice, True)
        for version, port in enumerate((7023, 7025, 7021), start=2):
            answer = carl.invite(sipscript.make_sdp(VOICE_PORT, f"a=rtcp:{port}\r\n", version=version))
            self.assertIn("200 OK", answer.first)
            self.check_sends(voice, True)
        # the stream of the microphone has not ended, and what is heard goes on
        time.sleep(3)
        self.assertNotIn("has ended", anna.read())
        carl.hang_up()
        anna.wait_for("the other phone has hung up", PATIENCE)
        self.check_heard("anna", sipscript.HERTZ, share=0.7)

    def test_a_refused_reinvite_changes_nothing(self):
        anna, carl, voice = self.call_script("", "--codecs", "PCMU")
        # a codec that this phone does not offer, one that it does not know, and an address that cannot be used
        for version, (media, host) in enumerate((("96\r\na=rtpmap:96 opus/48000/2", "127.0.0.1"), ("8", "127.0.0.1"),
                                                 ("0", "224.0.0.1")), start=2):
            answer = carl.invite(sipscript.make_sdp(VOICE_PORT, host=host, media=f"RTP/AVP {media}", version=version))
            self.assertIn("488", answer.first)
            self.check_sends(voice, True)
        anna.press("h")
        offer = carl.receive("INVITE")
        self.assertIn(f"m=audio {PORTS['anna']} RTP/AVP 0", offer.body)
        carl.respond(offer, "200 OK", sipscript.make_sdp(VOICE_PORT, "a=recvonly\r\n", version=5))
        carl.receive("ACK")
        self.assertNotIn("has ended", anna.read())
        carl.hang_up()

    def test_a_refused_offer_leaves_ice_as_it_was(self):
        self.need_ice()
        carl = sipscript.ScriptedPhone(SCRIPT_PORT, SIP_PORTS["anna"])
        voice = sipscript.IceVoice(VOICE_PORT, "carl", "c" * 22)
        self.addCleanup(carl.close)
        self.addCleanup(voice.close)
        anna = self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}")
        offer = carl.take_call(sipscript.make_sdp(VOICE_PORT, voice.describe()))
        anna.wait_for("PCMU, in clear, receiver reports, ICE", PATIENCE)
        voice.target = "127.0.0.1", PORTS["anna"]
        self.check_sends(voice, True)
        ufrag, password = (re.search(f"a=ice-{name}:(\\S+)", offer)[1] for name in ("ufrag", "pwd"))
        # other credentials, with a codec that the call cannot change to
        lines = "a=rtpmap:96 opus/48000/2\r\n" + voice.describe("karl", "k" * 22)
        answer = carl.invite(sipscript.make_sdp(VOICE_PORT, lines, media="RTP/AVP 96", version=2))
        self.assertIn("488", answer.first)
        before, answers = len(voice.users), voice.answers
        voice.check(ufrag, password, voice.target)
        time.sleep(7)                           # consent is asked for after 4 to 6 s
        self.assertEqual(set(voice.users[before:]), {f"carl:{ufrag}"})
        self.assertEqual(voice.answers, answers + 1)
        self.check_sends(voice, True)
        # ICE begins anew with an offer that is accepted
        voice.ufrag, voice.password = "karl", "k" * 22
        answer = carl.invite(sipscript.make_sdp(VOICE_PORT, voice.describe(), version=3))
        self.assertIn("200 OK", answer.first)
        other = re.search("a=ice-ufrag:(\\S+)", answer.body)[1]
        self.assertNotEqual(other, ufrag)
        self.check_sends(voice, True)
        self.assertEqual(voice.users[-1], f"karl:{other}")
        carl.hang_up()

    def test_the_codec_of_a_call_stays(self):
        opus, events = "a=rtpmap:{0} opus/48000/2\r\n", "a=rtpmap:{0} telephone-event/8000\r\n"
        anna, carl, voice = self.call_script(events.format(101), media="RTP/AVP 0 101")
        self.check_sends(voice, True)
        # another codec, another payload type of events, and another codec while this phone is held
        for version, (media, lines, status) in enumerate((
                ("96", opus.format(96), "488"), ("0 103", events.format(103), "488"),
                ("0 96", opus.format(96), "200"), ("96 0", opus.format(96), "200")), start=2):
            answer = carl.invite(sipscript.make_sdp(VOICE_PORT, lines, media=f"RTP/AVP {media}", version=version))
            self.assertIn(status, answer.first, media)
            self.check_sends(voice, True)
        # the answer prefers the codec that is sent
        self.assertRegex(answer.body, r"m=audio \d+ RTP/AVP 0 96")
        held = carl.invite(sipscript.make_sdp(VOICE_PORT, opus.format(96) + "a=sendonly\r\n", media="RTP/AVP 96",
                                              version=6))
        self.assertIn("200 OK", held.first)
        anna.wait_for("holds the call", PATIENCE)
        self.assertIn("200 OK", carl.invite(sipscript.make_sdp(VOICE_PORT, version=7)).first)
        self.check_sends(voice, True)
        carl.hang_up()

    def test_an_encrypted_call_does_not_go_on_in_clear(self):
        key = "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" + base64.b64encode(bytes(range(30))).decode() + "\r\n"
        anna, carl, voice = self.call_script(key)
        anna.wait_for("PCMU, encrypted by SDES", PATIENCE)
        voice.target = None
        self.check_sends(voice, True)
        for version, port in enumerate((VOICE_PORT, VOICE_PORT + 10), start=2):
            self.assertIn("488", carl.invite(sipscript.make_sdp(port, version=version)).first)
            self.check_sends(voice, True)
        self.assertIn("200 OK", carl.invite(sipscript.make_sdp(VOICE_PORT, key, version=4)).first)
        self.check_sends(voice, True)
        # nor does the answer to an offer of this phone end the encryption
        anna.press("h")
        carl.respond(carl.receive("INVITE"), "200 OK", sipscript.make_sdp(VOICE_PORT, "a=recvonly\r\n", version=5))
        anna.wait_for("A call that is encrypted cannot go on in clear.", PATIENCE)

    def test_a_reinvite_that_meets_the_hanging_up(self):
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind (Debian: valgrind)")
        # the exit status tells of reads of freed memory
        checker = "valgrind", "--quiet", "--undef-value-errors=no", "--error-exitcode=99"
        for _ in range(3):                      # not each of them meets it
            anna, carl, voice = self.call_script(checker=checker)
            anna.child.send_signal(signal.SIGSTOP)
            carl.request("INVITE", sipscript.make_sdp(VOICE_PORT, version=2))
            anna.press("q")
            anna.child.send_signal(signal.SIGCONT)
            carl.respond(carl.receive("BYE"), "200 OK")
            anna.wait_for("the call has ended: hung up", PATIENCE)
            self.assertEqual(anna.child.wait(PATIENCE), 0)
            carl.close()
            voice.close()

    def test_the_length_of_packets_follows_the_remote(self):
        _, carl, voice = self.call_script("a=ptime:20\r\n")
        self.check_sends(voice, True)
        self.assertEqual(voice.size, 160)
        for version, (asked, ptime) in enumerate(((40, 40), (30, 20), (10, 10)), start=2):
            answer = carl.invite(sipscript.make_sdp(VOICE_PORT, f"a=ptime:{asked}\r\n", version=version))
            self.assertIn("200 OK", answer.first)
            before = voice.came
            time.sleep(1.5)
            self.assertEqual(voice.size, 8 * ptime)
            self.assertGreater(voice.came - before, 20)
        carl.hang_up()

    def test_the_payload_type_of_a_call_stays(self):
        sdp = [sipscript.make_sdp(VOICE_PORT, f"a=rtpmap:{kind} opus/48000/2\r\n", media=f"RTP/AVP {kind}",
                                  version=version) for version, kind in enumerate((96, 98), start=1)]
        carl, _ = self.scripted()
        anna = self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}")
        carl.take_call(sdp[0])
        anna.wait_for("talking to", PATIENCE)
        self.assertIn("488", carl.invite(sdp[1]).first)
        self.assertIn("200 OK", carl.invite(sdp[0]).first)
        carl.hang_up()

    def test_the_media_of_the_remote_move(self):
        anna, carl, voice = self.call_script()
        self.check_sends(voice, True)
        other = sipscript.Voice(VOICE_PORT + 10)
        self.addCleanup(other.close)
        answer = carl.invite(sipscript.make_sdp(VOICE_PORT + 10, version=2))
        self.assertIn("200 OK", answer.first)
        voice.target = None
        self.check_sends(other, True)
        self.check_sends(voice, False)
        other.target = ("127.0.0.1", PORTS["anna"])
        time.sleep(4)
        self.assertNotIn("has ended", anna.read())
        carl.hang_up()
        anna.wait_for("the other phone has hung up", PATIENCE)
        self.check_heard("anna", sipscript.HERTZ, share=0.7)

    def test_a_hold_that_is_refused_is_none(self):
        anna, carl, voice = self.call_script()
        anna.press("h")
        offer = carl.receive("INVITE", PATIENCE)
        number = int(offer.get("CSeq").split()[0])
        carl.respond(offer, "488 Not Acceptable Here")
        anna.wait_for("the call goes on, the other phone refuses: 488", PATIENCE)
        self.assertNotIn("on hold", anna.read())
        self.check_sends(voice, True)
        # it may be asked again, and is on hold when the other phone agrees
        anna.press("h")
        offer = carl.receive("INVITE", PATIENCE, f"{number + 1} ")
        self.assertIn("a=sendonly", offer.body)
        carl.respond(offer, "200 OK", sipscript.make_sdp(VOICE_PORT, "a=recvonly\r\n", version=2))
        anna.wait_for("the call is on hold", PATIENCE)
        anna.press("h")
        carl.respond(carl.receive("INVITE", PATIENCE, f"{number + 2} "), "488 Not Acceptable Here")
        anna.wait_for("the call stays on hold, the other phone refuses: 488", PATIENCE)
        carl.hang_up()

    def test_a_registrar_that_is_not_ready_is_asked_again(self):
        registrar = sipscript.ScriptedPhone(SCRIPT_PORT, SIP_PORTS["anna"])
        self.addCleanup(registrar.close)
        anna = phones.Phone(PROGRAM, "--sip", f"sip:anna@127.0.0.1:{SCRIPT_PORT}", "--register", "--port",
                            PORTS["anna"], "--listen")
        self.addCleanup(anna.stop)
        registrar.respond(registrar.receive("REGISTER", PATIENCE), "503 Service Unavailable")
        anna.wait_for("the registrar is not ready", PATIENCE)
        begin = time.monotonic()
        registrar.respond(registrar.receive("REGISTER", PATIENCE), "200 OK")
        self.assertGreater(time.monotonic() - begin, 1)
        anna.wait_for("registered as", PATIENCE)
        anna.wait_for("waiting for a call", PATIENCE)

    def test_a_key_behind_the_last_call_is_for_nobody(self):
        carl, _ = self.scripted()
        anna = phones.Phone(PROGRAM, "--sip", f"sip:anna@127.0.0.1:{SCRIPT_PORT}", "--register", "--port",
                            PORTS["anna"], "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}",
                            "--speak", self.folder / "said-anna.wav", "--record", self.folder / "heard-anna.wav")
        self.addCleanup(anna.stop)
        carl.respond(carl.receive("REGISTER", PATIENCE), "200 OK")
        carl.take_call(sipscript.make_sdp(VOICE_PORT))
        anna.wait_for("talking to", PATIENCE)
        # the line closes as long as the registrar does not answer
        anna.child.send_signal(signal.SIGINT)
        anna.wait_for("the call has ended", PATIENCE)
        for key in "5m":
            anna.press(key)
            time.sleep(0.5)
        self.assertIsNone(anna.child.poll(), anna.read())

    def test_an_invite_without_sdp_is_answered_with_an_offer(self):
        anna = self.phone("anna", "--listen", "--auto-answer")
        anna.wait_for("waiting for a call", PATIENCE)
        carl, voice = self.scripted()
        voice.target = ("127.0.0.1", PORTS["anna"])
        offer = carl.invite("", sipscript.make_sdp(VOICE_PORT)).body
        self.assertRegex(offer, r"m=audio 6000 RTP/AVP 96 97 0 ")
        self.assertIn("a=setup:actpass", offer)
        anna.wait_for("PCMU, in clear, receiver reports", PATIENCE)
        self.check_sends(voice, True)
        # RFC 3261 14.2: a re-INVITE, too
        offer = carl.invite("", sipscript.make_sdp(VOICE_PORT, "a=sendonly\r\n", version=2)).body
        self.assertIn("a=sendrecv", offer)
        anna.wait_for("holds the call", PATIENCE)
        self.check_sends(voice, False)
        time.sleep(2)
        carl.hang_up()
        anna.wait_for("the other phone has hung up", PATIENCE)
        self.check_heard("anna", sipscript.HERTZ, share=0.7)

    def test_a_call_without_any_sdp_ends(self):
        anna = self.phone("anna", "--listen", "--auto-answer")
        anna.wait_for("waiting for a call", PATIENCE)
        carl, _ = self.scripted()
        self.assertIn("200 OK", carl.invite("").first)
        carl.respond(carl.receive("BYE"), "200 OK")
        anna.wait_for("the call has ended: The other phone sends no SDP.", PATIENCE)
        self.assertNotIn("talking", anna.read())

    def test_refused_calls_print_one_line(self):
        anna = self.phone("anna", "--listen")
        anna.wait_for("waiting for a call", PATIENCE)
        for number in range(20):
            carl = sipscript.ScriptedPhone(SCRIPT_PORT, SIP_PORTS["anna"])
            self.addCleanup(carl.close)
            answer = carl.invite(sipscript.make_sdp(VOICE_PORT, host="phone.example"))
            self.assertIn("488", answer.first, number)
            carl.close()
        time.sleep(0.5)
        self.assertEqual(anna.read().count("refused"), 1, anna.read())
        # another call gets through
        self.scripted()[0].request("INVITE", sipscript.make_sdp(VOICE_PORT))
        anna.wait_for("sip:carl@127.0.0.1 calls", PATIENCE)

    def flood(self, requests, method, begin=0):
        """Sends requests of strangers by TCP, which keeps no transaction once it is answered. Returns the answers."""
        statuses = set()
        with socket.create_connection(("127.0.0.1", SIP_PORTS["anna"]), PATIENCE) as stream:
            answers = stream.makefile("rb")
            for number in range(begin, begin + requests):
                stream.sendall((f"{method} sip:anna@127.0.0.1 SIP/2.0\r\n"
                                f"Via: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bK{method}{number}\r\n"
                                f"From: <sip:carl@127.0.0.1>;tag={number}\r\nTo: <sip:anna@127.0.0.1>\r\n"
                                f"Call-ID: {method}{number}\r\nCSeq: 1 {method}\r\nMax-Forwards: 70\r\n"
                                "Contact: <sip:carl@127.0.0.1>\r\nContent-Length: 0\r\n\r\n").encode())
                statuses.add(answers.readline().split()[1].decode())
                while answers.readline().strip():
                    pass
        return statuses

    def test_requests_of_strangers_leave_no_memory_behind(self):
        anna = self.phone("anna", "--listen")
        anna.wait_for("waiting for a call", PATIENCE)
        self.flood(500, "OPTIONS")
        before = get_memory(anna.child.pid)
        self.assertEqual(self.flood(4000, "OPTIONS", begin=500), {"200"})
        grown = get_memory(anna.child.pid) - before
        print(f"{grown / 4000:.0f} bytes for each OPTIONS")
        self.assertLess(grown, 4000 * 500)
        # what this phone cannot do is refused
        for method in "MESSAGE", "REFER", "SUBSCRIBE":
            self.assertEqual(self.flood(1, method), {"405"})

    def test_a_caller_who_never_gives_up_does_not_keep_the_line(self):
        anna = self.phone("anna", "--listen", "--ring", RING_S)
        anna.wait_for("waiting for a call", PATIENCE)
        carl, _ = self.scripted()
        carl.request("INVITE", sipscript.make_sdp(VOICE_PORT))
        carl.receive("SIP/2.0 180")
        begin = time.monotonic()
        self.assertIn("480", carl.receive("SIP/2.0 [2-6]", RING_S + PATIENCE).first)
        self.assertGreater(time.monotonic() - begin, RING_S - 1)
        carl.request("ACK")
        anna.wait_for("the call has ended: nobody has answered", PATIENCE)
        # another call gets through
        other = sipscript.ScriptedPhone(SCRIPT_PORT + 2, SIP_PORTS["anna"])
        self.addCleanup(other.close)
        other.request("INVITE", sipscript.make_sdp(VOICE_PORT))
        anna.wait_for("calls; a accepts", PATIENCE, times=2)
        other.receive("SIP/2.0 180")

    def test_a_call_that_nobody_answers_is_given_up(self):
        carl, _ = self.scripted()
        anna = self.phone("anna", "--call", f"sip:carl@127.0.0.1:{SCRIPT_PORT}", "--ring", RING_S)
        carl.respond(carl.receive("INVITE"), "180 Ringing")
        anna.wait_for("rings", PATIENCE)
        carl.receive("CANCEL", RING_S + PATIENCE)
        anna.wait_for("nobody has answered", PATIENCE)

    def registered(self, name, file, *arguments):
        phone = phones.Phone(
            PROGRAM, "--sip", f"sip:{name}@{HOST}:{KAMAILIO_PORT}", "--register", "--password-file", file,
            "--sip-port", SIP_PORTS[name], "--port", PORTS[name], "--speak", self.folder / f"said-{name}.wav",
            "--record", self.folder / f"heard-{name}.wav", *arguments)
        self.addCleanup(phone.stop)
        return phone

    def kamailio(self):
        if not shutil.which("kamailio") or not find_kamailio_modules():
            self.skipTest("no Kamailio (Debian: kamailio)")
        file = self.folder / "password"
        file.write_text("no secret\n", "utf-8")
        server = Kamailio(self.folder / "kamailio", "no secret")
        self.addCleanup(server.stop)
        return file

    def test_a_call_through_kamailio(self):
        file = self.kamailio()
        ben = self.registered("ben", file, "--listen")
        ben.wait_for(f"registered as sip:ben@{HOST}", PATIENCE)
        anna = self.registered("anna", file, "--call", f"sip:ben@{HOST}:{KAMAILIO_PORT}")
        anna.wait_for("registered as", PATIENCE)
        ben.wait_for(f"sip:anna@{HOST} calls", PATIENCE)
        anna.wait_for("rings", PATIENCE)
        ben.press("a")
        for phone in anna, ben:
            phone.wait_for("OPUS,PCMU, encrypted by DTLS, TFRC reports", PATIENCE)
        time.sleep(TALK_S)
        self.hang_up(ben, anna)
        self.check_both()
        anna.child.wait(PATIENCE)
        # nobody of that name is registered
        anna = self.registered("anna", file, "--call", f"sip:carl@{HOST}:{KAMAILIO_PORT}")
        anna.wait_for("404 Not Found", PATIENCE)
        self.assertEqual(anna.child.wait(PATIENCE), 1)

    def test_a_wrong_password_is_refused(self):
        file = self.kamailio()
        file.write_text("guessed\n", "utf-8")
        ben = self.registered("ben", file, "--listen")
        ben.wait_for(f"the registrar refuses sip:ben@{HOST}", PATIENCE)
        self.assertEqual(ben.child.wait(PATIENCE), 1)

    def plain(self, name, *arguments):
        """A phone without SIP."""
        phone = phones.Phone(PROGRAM, "--port", PORTS[name], "--speak", self.folder / f"said-{name}.wav",
                             "--record", self.folder / f"heard-{name}.wav", *arguments)
        self.addCleanup(phone.stop)
        return phone

    def forger(self, port=0):
        forger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(forger.close)
        forger.bind(("127.0.0.1", port))
        forger.settimeout(2)
        return forger

    def test_packets_without_the_key_end_no_call(self):
        keys = self.folder / "keys"
        keys.write_text(os.urandom(60).hex(), "utf-8")
        forger = self.forger(PORTS["ben"])
        anna = self.plain("anna", "--call", f"127.0.0.1:{PORTS['ben']}", "--key-file", keys)
        forger.recvfrom(2000)                   # anna's phone is there
        for number in range(20):
            forger.sendto(make_rtp(number), ("127.0.0.1", PORTS["anna"]))
            time.sleep(0.02)
        anna.wait_for("none is authentic", PATIENCE)
        forger.close()
        ben = self.plain("ben", "--listen", "--auto-answer", "--key-file", keys)
        for phone in anna, ben:
            phone.wait_for("talking to", PATIENCE)

    def test_packets_of_strangers_open_no_microphone(self):
        ben = self.plain("ben", "--listen")
        ben.wait_for("waiting for a call", PATIENCE)
        forger = self.forger()
        for number in range(20):
            forger.sendto(make_rtp(number), ("127.0.0.1", PORTS["ben"]))
            time.sleep(0.02)
        ben.wait_for("calls; a accepts", PATIENCE)
        with self.assertRaises(TimeoutError):
            print(forger.recvfrom(2000))
        # the stranger has given up, and nobody has answered
        ben.wait_for("waiting for a call", PATIENCE, times=2)
        self.assertNotIn("talking", ben.read())

    def test_a_forged_bye_ends_no_call(self):
        ben = self.plain("ben", "--listen", "--auto-answer", "--once")
        ben.wait_for("waiting for a call", PATIENCE)
        anna = self.plain("anna", "--call", f"127.0.0.1:{PORTS['ben']}")
        ben.wait_for("talking to", PATIENCE)
        ssrc = sniff_ssrc(PORTS["anna"], PORTS["ben"])
        for _ in range(3):
            send_as(PORTS["anna"], PORTS["ben"], make_bye(ssrc))
        time.sleep(4)
        self.assertNotIn("has ended", ben.read())
        self.hang_up(anna, ben)
        self.check_heard("ben", TONES["anna"])

    def test_nobody_is_there(self):
        anna = self.phone("anna", "--call", "sip:carl@127.0.0.1:5070")
        anna.wait_for("the call has ended: sip:carl@127.0.0.1:5070:", PATIENCE)
        self.assertEqual(anna.child.wait(PATIENCE), 1)


def prepare():
    namespaces.enter()
    for words in ("link set lo up", "link add sip0 type veth peer name sip1", f"address add {HOST}/24 dev sip0",
                  "link set sip0 up", "link set sip1 up"):
        subprocess.run(["ip", *words.split()], check=True)
    if "--sip=" not in subprocess.run([str(PROGRAM), "--help"], check=False, capture_output=True, text=True).stdout:
        cases.skip("the softphone was built without sofia-sip (libsofia-sip-ua-glib-dev)")


if __name__ == "__main__":
    cases.main(Sip, prepare)
