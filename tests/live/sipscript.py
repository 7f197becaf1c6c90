"""A telephone of a script: SIP over UDP and PCMU, message by message, to say what no other phone says.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import hashlib
import hmac
import re
import socket
import struct
import threading
import time
import zlib

HOST = "127.0.0.1"
HERTZ = 500
# A square wave of 500 Hz: 8 samples above zero, 8 below it.
TONE = (b"\x90" * 8 + b"\x10" * 8) * 10
# Telephone events (RFC 4733): their payload type, and the packets of a key of 100 ms with the last one thrice.
EVENT_PT, EVENT_PACKETS, EVENT_LAST = 101, 5, 3


def make_sdp(port, lines="", host=HOST, media="RTP/AVP 0", version=1):
    return (f"v=0\r\no=- 1 {version} IN IP4 {HOST}\r\ns=-\r\nc=IN IP4 {host}\r\nt=0 0\r\n"
            f"m=audio {port} {media}\r\n{lines}")


class Message:
    def __init__(self, text):
        head, _, self.body = text.partition("\r\n\r\n")
        self.first, *lines = head.split("\r\n")
        self.headers = [tuple(line.split(": ", 1)) for line in lines]

    def get(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def get_all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]


class Voice(threading.Thread):
    """A tone in RTP from a port, and the count of the packets that come there. `press` has the numbers of keys
    that are pressed next, in the place of the tone; `pressed` those that the remote has pressed, with times in s.
    `size` is the bytes of the last payload that came."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((HOST, port))
        self.socket.setblocking(False)
        self.target, self.came, self.size, self.ended = None, 0, 0, False
        self.press, self.pressed, self.last = [], [], None
        self.start()

    def make_payloads(self):
        """For each packet its payload type with the marker, payload, and packets since its timestamp."""
        while True:
            while not self.press:
                yield 0, TONE, 0
            key = self.press.pop(0)
            for i in range(EVENT_PACKETS + EVENT_LAST - 1):
                ends, duration = i >= EVENT_PACKETS - 1, min(i + 1, EVENT_PACKETS) * 160
                yield (EVENT_PT | (0x80 if i == 0 else 0),
                       struct.pack("!BBH", key, (0x80 if ends else 0) | 10, duration), i)

    def run(self):
        number, due, payloads = 0, time.monotonic(), self.make_payloads()
        while not self.ended:
            if self.target:
                kind, payload, since = next(payloads)
                self.socket.sendto(struct.pack("!BBHII", 0x80, kind, number & 0xFFFF, (number - since) * 160, 0xC0FFEE)
                                   + payload, self.target)
                number += 1
            due += 0.02
            time.sleep(max(0, due - time.monotonic()))
            self.count()

    def count(self):
        try:
            while True:
                packet, source = self.socket.recvfrom(2000)
                if packet[0] < 4:
                    self.note_stun(packet, source)
                    continue
                if packet[1] & 0x7F == 0:
                    extension = 4 + 4 * int.from_bytes(packet[14:16], "big") if packet[0] & 0x10 else 0
                    self.came, self.size = self.came + 1, len(packet) - 12 - extension
                if packet[1] & 0x7F == EVENT_PT:
                    self.note_event(packet)
        except BlockingIOError:
            pass

    def note_stun(self, packet, source):
        """A phone without ICE does not answer."""

    def note_event(self, packet):
        timestamp, = struct.unpack("!I", packet[4:8])
        key, flags, duration = struct.unpack("!BBH", packet[12:16])
        if flags & 0x80 and timestamp != self.last:
            self.last = timestamp
            self.pressed.append((key, duration / 8000))

    def close(self):
        self.ended = True
        self.join()
        self.socket.close()


COOKIE = 0x2112A442


def make_stun(kind, transaction, password, attributes=b""):
    """A STUN message (RFC 8489) with MESSAGE-INTEGRITY and FINGERPRINT."""
    def make_head(more):
        return struct.pack("!HHI", kind, len(attributes) + more, COOKIE) + transaction

    digest = hmac.new(password.encode(), make_head(24) + attributes, hashlib.sha1).digest()
    attributes += struct.pack("!HH", 0x0008, 20) + digest
    crc = zlib.crc32(make_head(8) + attributes) ^ 0x5354554E
    attributes += struct.pack("!HHI", 0x8028, 4, crc)
    return make_head(0) + attributes


def make_attribute(kind, value):
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def read_attributes(packet):
    attributes, at = {}, 20
    while at < len(packet):
        kind, size = struct.unpack_from("!HH", packet, at)
        attributes[kind] = packet[at + 4:at + 4 + size]
        at += 4 + (size + 3) // 4 * 4
    return attributes


class IceVoice(Voice):
    """A voice behind ICE (RFC 8445), which is not the controlling end: it answers checks. `users` has the user names of
    those that came, and `answers` counts the answers to check()."""

    def __init__(self, port, ufrag, password):
        self.ufrag, self.password, self.users, self.answers = ufrag, password, [], 0
        super().__init__(port)

    def describe(self, ufrag=None, password=None):
        port = self.socket.getsockname()[1]
        return (f"a=rtcp-mux\r\na=ice-ufrag:{ufrag or self.ufrag}\r\na=ice-pwd:{password or self.password}\r\n"
                f"a=candidate:1 1 UDP 2130706431 {HOST} {port} typ host\r\n")

    def note_stun(self, packet, source):
        kind, = struct.unpack_from("!H", packet)
        if kind == 0x0101:
            self.answers += 1
        if kind != 0x0001:
            return
        self.users.append(read_attributes(packet)[0x0006].decode())
        mapped = struct.pack("!BBHI", 0, 1, source[1] ^ (COOKIE >> 16),
                             int.from_bytes(socket.inet_aton(source[0]), "big") ^ COOKIE)
        self.socket.sendto(make_stun(0x0101, packet[8:20], self.password, make_attribute(0x0020, mapped)), source)

    def check(self, ufrag, password, target):
        """Asks for the consent of the end with these credentials."""
        attributes = (make_attribute(0x0006, f"{ufrag}:{self.ufrag}".encode()) + make_attribute(0x0024, bytes(4))
                      + make_attribute(0x8029, bytes(8)))
        self.socket.sendto(make_stun(0x0001, struct.pack("!12s", b"consent"), password, attributes), target)


class ScriptedPhone:
    """One dialog. `target` is the port of SIP that requests go to."""

    def __init__(self, port, target):
        self.port, self.target, self.number = port, target, 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((HOST, port))
        self.call_id, self.own, self.remote = f"{time.monotonic()}@{HOST}", f"<sip:carl@{HOST}:{port}>;tag=1", ""

    def close(self):
        self.socket.close()

    def send(self, text):
        self.socket.sendto(text.encode(), (HOST, self.target))

    def receive(self, first, seconds=5, number=""):
        """The next message whose first line matches, and whose CSeq begins with `number`. Retransmissions and
        others before it are passed over."""
        end, seen = time.monotonic() + seconds, []
        while time.monotonic() < end:
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            try:
                message = Message(self.socket.recv(65536).decode())
            except TimeoutError:
                break
            if re.match(first, message.first) and message.get("CSeq").startswith(number):
                return message
            seen.append(message.first)
        raise AssertionError(f"no \"{first}\" in {seconds} s, but {seen}")

    def respond(self, request, status, body=""):
        to = request.get("To")
        lines = [f"SIP/2.0 {status}", *(f"Via: {via}" for via in request.get_all("Via")),
                 f"From: {request.get('From')}", f"To: {to if 'tag=' in to else to + ';tag=1'}",
                 f"Call-ID: {request.get('Call-ID')}", f"CSeq: {request.get('CSeq')}"]
        self.send("\r\n".join(lines + self.end(body)))

    def end(self, body):
        return [f"Contact: <sip:carl@{HOST}:{self.port}>", *(["Content-Type: application/sdp"] if body else []),
                f"Content-Length: {len(body)}", "", body]

    def request(self, method, body="", branch=""):
        if method != "ACK":
            self.number += 1
        lines = [f"{method} sip:anna@{HOST}:{self.target} SIP/2.0",
                 f"Via: SIP/2.0/UDP {HOST}:{self.port};branch=z9hG4bK{self.number}x{id(self)}{branch}",
                 f"From: {self.own}", f"To: {self.remote or f'<sip:anna@{HOST}>'}", f"Call-ID: {self.call_id}",
                 f"CSeq: {self.number} {method}", "Max-Forwards: 70"]
        self.send("\r\n".join(lines + self.end(body)))

    def take_call(self, body):
        """Accepts a call with this SDP. Returns the SDP of the caller."""
        invite = self.receive("INVITE", 15)
        self.call_id, self.remote = invite.get("Call-ID"), invite.get("From")
        self.own = invite.get("To") + ";tag=1"
        self.respond(invite, "200 OK", body)
        self.receive("ACK")
        return invite.body

    def invite(self, body, answer_body=""):
        """An INVITE, within the dialog if there is one. Returns the final answer, to which the ACK may hold an SDP."""
        self.request("INVITE", body)
        answer = self.receive("SIP/2.0 [2-6]", number=f"{self.number} ")
        good = answer.first.startswith("SIP/2.0 2")
        if good:
            self.remote = answer.get("To")
        # RFC 3261 17.1.1.3: the ACK of a refusal belongs to the transaction
        self.request("ACK", answer_body, branch="ack" if good else "")
        return answer

    def hang_up(self):
        self.request("BYE")
        self.receive("SIP/2.0 200", number=f"{self.number} ")
