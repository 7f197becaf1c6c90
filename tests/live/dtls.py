#!/usr/bin/python3
"""tfrcbin, tfrcsink and tfrcsrc with GStreamer's dtlssrtpenc and dtlssrtpdec, which are OpenSSL: calls by DTLS-SRTP.

  tests/live/play.py tests/live/dtls.py

The other end is an rtpsession between a socket and the filters of TFRC. tfrcbin is client once, and server once;
tfrcsink is always the client, and tfrcsrc the server. The remote's certificate is RSA.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import base64
import hashlib
import re
import time
import unittest

import gi

import cases
import namespaces

gi.require_version("Gst", "1.0")
from gi.repository import Gio, GLib, Gst  # noqa: E402

OUR_PORT, THEIR_PORT = 17650, 17652
CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"
PATIENCE = 10                   # s
ELEMENTS = ("dtlssrtpenc", "dtlssrtpdec", "srtpenc", "rtpsession", "opusenc", "rtpopuspay", "udpsrc")
THEIR_LINE = f"""
  rtpsession name=session
  udpsrc name=in ! dtlssrtpdec name=dec connection-id=call
  dtlssrtpenc name=enc connection-id=call is-client={{client}} ! udpsink name=out host=127.0.0.1 port={OUR_PORT}
      sync=false async=false
  audiotestsrc is-live=true ! opusenc ! rtpopuspay pt=96 ! rtptfrcsend mode=tfrc-sp ! session.send_rtp_sink
  session.send_rtp_src ! enc.rtp_sink_0
  session.send_rtcp_src ! enc.rtcp_sink_0
  dec.rtp_src ! session.recv_rtp_sink
  session.recv_rtp_src ! rtptfrcreceive mode=tfrc-sp ! fakesink name=ear sync=false async=false
  dec.rtcp_src ! session.recv_rtcp_sink
"""
OUR_LINE = f"""
  tfrcbin name=call port={OUR_PORT} peer=127.0.0.1:{THEIR_PORT} mode=tfrc-sp dtls=true dtls-setup={{setup}}
  audiotestsrc is-live=true ! opusenc ! rtpopuspay pt=96 ! call.send_sink_0
"""
SINK_LINE = f"""
  audiotestsrc is-live=true ! opusenc ! rtpopuspay pt=96 !
  tfrcsink name=call host=127.0.0.1 port={THEIR_PORT} bind-port={OUR_PORT} mode=tfrc-sp dtls=true
"""
SRC_LINE = f"""
  tfrcsrc name=call port={OUR_PORT} mode=tfrc-sp dtls=true caps="{CAPS}" !
  fakesink name=heard sync=false async=false
"""


def get_fingerprint(pem):
    """SHA-256 of the certificate in a PEM text."""
    text = re.search("-----BEGIN CERTIFICATE-----(.*?)-----END", pem, re.S).group(1)
    return hashlib.sha256(base64.b64decode(text)).digest().hex(":").upper()


def open_socket(port):
    """One socket for both directions, which tfrcbin answers."""
    socket = Gio.Socket.new(Gio.SocketFamily.IPV4, Gio.SocketType.DATAGRAM, Gio.SocketProtocol.UDP)
    socket.bind(Gio.InetSocketAddress.new_from_string("127.0.0.1", port), False)
    return socket


class End:
    """A pipeline, the packets that came out of it, and what its bus said."""

    def __init__(self, line):
        self.pipeline = Gst.parse_launch(line)
        self.heard = 0
        self.warnings = []

    def __getattr__(self, name):
        return self.pipeline.get_by_name(name)

    def count(self, _pad, _info):
        self.heard += 1
        return Gst.PadProbeReturn.OK

    def listen(self, pad):
        pad.add_probe(Gst.PadProbeType.BUFFER, self.count)

    def read_bus(self):
        bus = self.pipeline.get_bus()
        while message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.WARNING):
            if message.type == Gst.MessageType.ERROR:
                raise AssertionError(message.parse_error())
            self.warnings.append(message.parse_warning().gerror.message)

    def stop(self):
        self.pipeline.set_state(Gst.State.NULL)


class Dtls(unittest.TestCase):
    def make_ends(self, client):
        """tfrcbin and the other end, ours in READY with its fingerprint."""
        ours = End(OUR_LINE.format(setup="passive" if client else "active"))
        ours.call.connect("pad-added", lambda call, pad: self.on_pad(ours, pad))
        return self.make_remote(ours, client)

    def make_remote(self, ours, client):
        theirs = End(THEIR_LINE.format(client=client))
        for end in (ours, theirs):
            self.addCleanup(end.stop)
        theirs.session.connect("request-pt-map", lambda session, pt: Gst.Caps.from_string(CAPS))
        theirs.listen(theirs.ear.get_static_pad("sink"))
        socket = open_socket(THEIR_PORT)
        for name in ("in", "out"):
            theirs.pipeline.get_by_name(name).set_properties(socket=socket)
            theirs.pipeline.get_by_name(name).set_property("close-socket", False)
        self.addCleanup(socket.close)
        ours.pipeline.set_state(Gst.State.READY)
        return ours, theirs

    def on_pad(self, end, pad):
        if pad.get_direction() == Gst.PadDirection.SRC:
            sink = Gst.ElementFactory.make("fakesink")
            sink.set_properties(sync=False)
            sink.set_property("async", False)
            end.pipeline.add(sink)
            sink.sync_state_with_parent()
            end.listen(sink.get_static_pad("sink"))
            pad.link(sink.get_static_pad("sink"))

    def wait_until(self, condition, *ends):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not condition():
            time.sleep(0.05)
            for end in ends:
                end.read_bus()
        return condition()

    def check_call(self, client):
        ours, theirs = self.make_ends(client)
        ours.call.set_property("peer-fingerprint", get_fingerprint(theirs.dec.get_property("pem")))
        ours.pipeline.set_state(Gst.State.PLAYING)
        theirs.pipeline.set_state(Gst.State.PLAYING)
        self.assertTrue(self.wait_until(lambda: min(ours.heard, theirs.heard) >= 100, ours, theirs),
                        f"heard by us {ours.heard}, by them {theirs.heard}; {ours.warnings}")
        self.assertEqual(get_fingerprint(theirs.dec.get_property("peer-pem")), ours.call.get_property("fingerprint"))
        stats = ours.call.emit("get-peer-stats", 0)
        self.assertEqual(stats.get_value("handshakes"), 1)
        self.assertGreater(stats.get_value("data-sender").get_value("reports"), 5)
        self.assertEqual(ours.warnings, [])

    def test_a_call_in_which_the_elements_are_the_client(self):
        self.check_call(client=True)

    def test_a_call_in_which_the_elements_are_the_server(self):
        self.check_call(client=False)

    def check_one_way(self, ours, client, hearing):
        """A call of `ours`, which is tfrcsink or tfrcsrc; `hearing` returns the end that hears it."""
        ours, theirs = self.make_remote(ours, client)
        ours.call.set_property("peer-fingerprint", get_fingerprint(theirs.dec.get_property("pem")))
        ours.pipeline.set_state(Gst.State.PLAYING)
        theirs.pipeline.set_state(Gst.State.PLAYING)
        ear = hearing(theirs)
        self.assertTrue(self.wait_until(lambda: ear.heard >= 100, ours, theirs), f"{ear.heard} heard; {ours.warnings}")
        self.assertEqual(get_fingerprint(theirs.dec.get_property("peer-pem")), ours.call.get_property("fingerprint"))
        stats = ours.call.get_property("stats")
        self.assertEqual(stats.get_value("handshakes"), 1)
        self.assertGreater(stats.get_value("reports"), 5)
        self.assertEqual(ours.warnings, [])

    def test_a_call_of_tfrcsink_to_the_elements(self):
        self.check_one_way(End(SINK_LINE), False, lambda theirs: theirs)

    def test_a_call_of_the_elements_to_tfrcsrc(self):
        ours = End(SRC_LINE)
        ours.listen(ours.pipeline.get_by_name("heard").get_static_pad("sink"))
        self.check_one_way(ours, True, lambda theirs: ours)

    def check_refusal(self, client):
        """The elements of the other end encrypt and send whatever the certificate; tfrcbin takes none of it."""
        ours, theirs = self.make_ends(client)
        wrong = ":".join(["00"] * 32)
        ours.call.set_property("peer-fingerprint", wrong)
        ours.pipeline.set_state(Gst.State.PLAYING)
        theirs.pipeline.set_state(Gst.State.PLAYING)
        self.assertTrue(self.wait_until(lambda: ours.warnings, ours))
        self.assertIn(wrong, ours.warnings[0])
        self.assertIn(get_fingerprint(theirs.dec.get_property("pem")), ours.warnings[0])
        time.sleep(2)
        self.assertEqual((ours.heard, theirs.heard), (0, 0))

    def test_another_fingerprint_of_a_client(self):
        self.check_refusal(client=True)

    def test_another_fingerprint_of_a_server(self):
        self.check_refusal(client=False)


def prepare():
    namespaces.enter()
    namespaces.run("ip", "link", "set", "lo", "up")
    Gst.init(None)
    missing = [name for name in ELEMENTS if not Gst.ElementFactory.find(name)]
    if missing:
        cases.skip(f"not installed: {', '.join(missing)}; see tests/packages.sh")
    if not Gst.ElementFactory.find("tfrcbin"):
        raise GLib.Error("tfrcbin is not built")


if __name__ == "__main__":
    cases.main(Dtls, prepare)
