#!/usr/bin/python3
"""TFRC in webrtcbin: two peers on one machine talk for five seconds, over ICE and DTLS-SRTP.

Each webrtcbin asks for an auxiliary element where packets leave (request-aux-sender). Where
they come in it has its own, so the filter goes in front of the RTP session, in the place that
its rtpbin keeps for what decrypts SRTP, which in a webrtcbin the transport has done already.
The header extension is in the caps of the offer, so that the answer has it as well.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys

import gi

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstSdp", "1.0")
    gi.require_version("GstWebRTC", "1.0")
except ValueError as missing:
    print(missing, "(Debian: gir1.2-gst-plugins-bad-1.0)")
    sys.exit(77)
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

STAMP = "urn:ietf:params:rtp-hdrext:rtt-sendts"
CAPS = ("application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96,"
        f"encoding-params=(string)2,extmap-3=(string){STAMP}")


def make_tfrc(factory, name):
    tfrc = Gst.ElementFactory.make(factory, name)
    tfrc.set_property("extension-id", 3)
    return tfrc


def on_aux_sender(_webrtc, _transport, name):
    return make_tfrc("rtptfrcsend", name)


def on_rtp_decoder(rtpbin, session, name):
    """The filter, with the names of pads that rtpbin wants of what decrypts SRTP."""
    holder, tfrc = Gst.Bin(), make_tfrc("rtptfrcreceive", name)
    holder.add(tfrc)
    for pad in ("sink", "src"):
        holder.add_pad(Gst.GhostPad.new(f"rtp_{pad}", tfrc.get_static_pad(pad)))
    return holder


class Peer:
    def __init__(self, name, far_ends, failed):
        self.pipeline = Gst.parse_launch(
            "webrtcbin name=webrtc bundle-policy=max-bundle latency=100 "
            "audiotestsrc is-live=true ! opusenc bitrate=32000 ! rtpopuspay pt=96 "
            f"! {CAPS} ! webrtc.")
        self.name, self.far_ends, self.failed, self.heard = name, far_ends, failed, 0
        self.webrtc = self.pipeline.get_by_name("webrtc")
        self.webrtc.connect("request-aux-sender", on_aux_sender, f"{name}-send")
        self.webrtc.get_by_name("rtpbin").connect("request-rtp-decoder", on_rtp_decoder,
                                                  f"{name}-receive")
        self.webrtc.connect("on-ice-candidate", self.on_candidate)
        self.webrtc.connect("pad-added", self.on_pad)
        far_ends.append(self)

    def far(self):
        return next(end for end in self.far_ends if end is not self)

    def on_candidate(self, _webrtc, line, candidate):
        self.far().webrtc.emit("add-ice-candidate", line, candidate)

    def on_pad(self, _webrtc, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        ear = Gst.parse_bin_from_description(
            "rtpopusdepay ! opusdec ! fakesink sync=false async=false", True)
        self.pipeline.add(ear)
        ear.sync_state_with_parent()
        pad.add_probe(Gst.PadProbeType.BUFFER, self.on_packet)
        pad.link(ear.get_static_pad("sink"))

    def on_packet(self, _pad, _info):
        self.heard += 1
        return Gst.PadProbeReturn.OK

    def call(self):
        self.webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(self.on_offer))

    def describe(self, promise, what):
        """The description in the promise becomes the local one; its text goes to the remote."""
        reply = promise.get_reply()
        description = reply.get_value(what)
        self.webrtc.emit("set-local-description", description, Gst.Promise.new())
        return description.sdp.as_text()

    def take(self, what, text, promise):
        self.webrtc.emit("set-remote-description", GstWebRTC.WebRTCSessionDescription.new(
            what, GstSdp.SDPMessage.new_from_text(text)[1]), promise)

    def on_offer(self, promise):
        self.far().answer(self.describe(promise, "offer"))

    def answer(self, offer):
        self.take(GstWebRTC.WebRTCSDPType.OFFER, offer, Gst.Promise.new_with_change_func(
            lambda _: self.webrtc.emit("create-answer", None,
                                       Gst.Promise.new_with_change_func(self.on_answer))))

    def on_answer(self, promise):
        answer = self.describe(promise, "answer")
        if STAMP not in answer:
            self.failed.append("the answer has not the header extension")
        self.far().take(GstWebRTC.WebRTCSDPType.ANSWER, answer, Gst.Promise.new())

    def get_stats(self, end):
        stats = self.webrtc.get_by_name(f"{self.name}-{end}").get_property("stats")
        return {key: stats.get_value(key) for key in ("packets", "reports") if stats.has_field(key)}


def main():
    Gst.init(None)
    if Gst.ElementFactory.find("rtptfrcsend") is None:
        sys.exit("There is no element rtptfrcsend. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    for factory in ("webrtcbin", "nicesrc", "dtlsdec", "srtpdec"):
        if Gst.ElementFactory.find(factory) is None:
            print(f"no {factory} (Debian: gstreamer1.0-plugins-bad, gstreamer1.0-nice)")
            return 77
    loop, failed, interrupted, ends = GLib.MainLoop(), [], [], []
    peers = [Peer("caller", ends, failed), Peer("callee", ends, failed)]
    # before they play: the first caps already make a negotiation needed
    peers[0].webrtc.connect("on-negotiation-needed", lambda _: peers[0].call())

    def on_error(_, message):
        failed.append(message.parse_error()[0].message)
        loop.quit()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, lambda: (interrupted.append(True), loop.quit()))
    for peer in peers:
        bus = peer.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", on_error)
        # rtpsession pushes nothing before it has got the latency of its pipeline
        bus.connect("message::latency", lambda *_, line=peer.pipeline: line.recalculate_latency())
        peer.pipeline.set_state(Gst.State.PLAYING)
    GLib.timeout_add_seconds(float(sys.argv[1]) if len(sys.argv) > 1 else 6, loop.quit)
    loop.run()
    for peer in peers if not interrupted else ():
        sent = peer.get_stats("send")
        print(f"{peer.name}: sent {sent['packets']} packets, {sent['reports']} reports came, "
              f"heard {peer.heard} packets")
        if sent["packets"] < 100 or sent["reports"] < 5 or peer.heard < 100:
            failed.append(f"the {peer.name} has too few of these")
    for peer in peers:
        peer.pipeline.set_state(Gst.State.NULL)
    print(*failed, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
