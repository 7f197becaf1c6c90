#!/usr/bin/python3
"""TFRC in webrtcbin with several streams: two peers on one machine talk over ICE and DTLS-SRTP.

  webrtcstreams.py [bundle|separate|nack|red|pli|dtx|renegotiate] [SECONDS]

bundle: one transport for all streams. separate: one for each. nack: with retransmission, where one packet in 20 is
lost. red: with redundant packets and error correction (RFC 2198, RFC 5109). pli: each peer asks for a key frame. dtx:
the voices are silent for a while, and next to nothing is sent. renegotiate: the caller's pictures come and go while
the voice plays.

Each peer sends voice and pictures. webrtcbin asks for an auxiliary sender for each transport, and with all streams in
one bundle there is one rtptfrcsend for all of them: it has a flow for each SSRC. Where packets come in,
rtptfrcreceive goes in front of the RTP session, as in webrtc.py. Prints what was sent, reported and heard, and fails
when a stream starves.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys
import warnings

import gi

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstSdp", "1.0")
    gi.require_version("GstWebRTC", "1.0")
except ValueError as missing:
    print(missing, "(Debian: gir1.2-gst-plugins-bad-1.0)")
    sys.exit(77)
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)     # GValueArray is what bindings can read
STAMP = "urn:ietf:params:rtp-hdrext:rtt-sendts"
LOSS = 0.05                             # with retransmission
CAPS = f"application/x-rtp,media=%s,encoding-name=%s,clock-rate=%u,payload=%u,extmap-3=(string){STAMP}"
VOICE_CAPS = CAPS % ("audio", "OPUS", 48000, 96) + ",encoding-params=(string)2"
PICTURES_CAPS = CAPS % ("video", "VP8", 90000, 97) + ",rtcp-fb-nack-pli=(boolean)true,rtcp-fb-tfrc=(boolean)true"
VOICE = ("audiotestsrc name=tone is-live=true ! opusenc bitrate=32000 dtx=true ! rtpopuspay pt=96 dtx=true ! "
         + VOICE_CAPS + " ! ")
PICTURES = ("videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=15/1 ! "
            "vp8enc name=encoder deadline=1 keyframe-max-dist=15 target-bitrate=100000 ! rtpvp8pay pt=97 mtu=500 ! "
            + PICTURES_CAPS + " ! ")
FIELDS = ("ssrc", "packets", "dropped", "reports", "allowed-rate", "loss-event-rate", "repair-ssrcs")
NEEDED = ("webrtcbin", "nicesrc", "dtlsdec", "srtpdec", "vp8enc", "opusenc")


def make_tfrc(factory):
    return Gst.ElementFactory.make(factory)


def on_rtp_decoder(_rtpbin, _session, receivers, loss):
    """The filter, with the names of pads that rtpbin wants of what decrypts SRTP."""
    holder, tfrc = Gst.Bin(), make_tfrc("rtptfrcreceive")
    path = Gst.ElementFactory.make("identity")
    path.set_property("drop-probability", loss)
    receivers.append(tfrc)
    for element in (path, tfrc):
        holder.add(element)
    path.link(tfrc)
    for name, pad in (("rtp_sink", path.get_static_pad("sink")), ("rtp_src", tfrc.get_static_pad("src"))):
        holder.add_pad(Gst.GhostPad.new(name, pad))
    return holder


class Peer:
    def __init__(self, name, ends, failed, scenario):
        self.name, self.ends, self.failed, self.scenario = name, ends, failed, scenario
        self.senders, self.receivers, self.heard, self.offers = [], [], {}, 0
        self.keys, self.video, self.silent, self.dropped = 0, None, None, 0
        policy = "none" if scenario == "separate" else "max-bundle"
        self.pipeline = Gst.parse_launch(
            f"webrtcbin name=webrtc bundle-policy={policy} latency=100 {VOICE} webrtc. "
            + ("" if scenario == "renegotiate" else f"{PICTURES} webrtc."))
        self.webrtc = self.pipeline.get_by_name("webrtc")
        self.webrtc.connect("request-aux-sender", self.on_aux_sender)
        self.webrtc.get_by_name("rtpbin").connect("request-rtp-decoder", on_rtp_decoder, self.receivers,
                                                      LOSS if scenario == "nack" else 0)
        self.webrtc.connect("on-ice-candidate", self.on_candidate)
        self.webrtc.connect("pad-added", self.on_pad)
        self.webrtc.connect("on-new-transceiver", self.on_transceiver)
        for transceiver in self.get_transceivers():
            self.set_up(transceiver)
        encoder = self.pipeline.get_by_name("encoder")
        if encoder is not None:
            if scenario == "pli":
                encoder.set_property("keyframe-max-dist", 10000)
            encoder.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.on_frame)
        ends.append(self)

    def on_frame(self, _pad, info):
        self.keys += not info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
        return Gst.PadProbeReturn.OK

    def ask_for_key_frame(self):
        """What a decoder does that has lost its picture."""
        self.video.send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, Gst.Structure.from_string(
            "GstForceKeyUnit, all-headers=(boolean)true")[0]))
        return False

    def set_silence(self, silent):
        """Begins or ends the silence; `silent` is what has been heard of the other voice in it."""
        self.pipeline.get_by_name("tone").set_property("wave", 4 if silent else 0)
        heard = self.heard.get("audio", 0)
        if silent:
            self.dropped = self.count_dropped()
        self.silent = -heard if silent else self.silent + heard
        return False

    def on_transceiver(self, _webrtc, transceiver):
        """A stream of the remote that nothing here answers: the answer needs the header extension as well."""
        if transceiver.get_property("kind") == GstWebRTC.WebRTCKind.VIDEO:
            transceiver.set_property("codec-preferences", Gst.Caps.from_string(PICTURES_CAPS))

    def get_transceivers(self):
        i, found = 0, []
        while (transceiver := self.webrtc.emit("get-transceiver", i)) is not None:
            found.append(transceiver)
            i += 1
        return found

    def set_up(self, transceiver):
        transceiver.set_property("do-nack", self.scenario == "nack")
        if self.scenario == "red":
            transceiver.set_property("fec-type", GstWebRTC.WebRTCFECType.ULP_RED)

    def on_aux_sender(self, _webrtc, _transport):
        tfrc = make_tfrc("rtptfrcsend")
        self.senders.append(tfrc)
        return tfrc

    def other(self):
        return next(end for end in self.ends if end is not self)

    def on_candidate(self, _webrtc, line, candidate):
        self.other().webrtc.emit("add-ice-candidate", line, candidate)

    def on_pad(self, _webrtc, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        media = pad.get_current_caps().get_structure(0).get_string("media")
        sink = Gst.ElementFactory.make("fakesink")
        sink.set_property("sync", False)
        sink.set_property("async", False)
        self.pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.add_probe(Gst.PadProbeType.BUFFER, self.on_packet, media)
        pad.link(sink.get_static_pad("sink"))
        if media == "video":
            self.video = pad

    def on_packet(self, _pad, _info, media):
        self.heard[media] = self.heard.get(media, 0) + 1
        return Gst.PadProbeReturn.OK

    def add_pictures(self):
        """A second stream, in a call that plays: webrtcbin negotiates again."""
        part = Gst.parse_bin_from_description(PICTURES + "queue", True)
        self.pipeline.add(part)
        part.get_static_pad("src").link(self.webrtc.request_pad_simple("sink_%u"))
        part.sync_state_with_parent()
        self.part = part
        return False

    def remove_pictures(self):
        """The stream ends. The voice goes on."""
        pad = self.part.get_static_pad("src")
        sink = pad.get_peer()
        self.part.set_state(Gst.State.NULL)
        pad.unlink(sink)
        self.pipeline.remove(self.part)
        self.webrtc.release_request_pad(sink)
        return False

    def call(self):
        self.offers += 1
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
        self.other().answer(self.describe(promise, "offer"))

    def answer(self, offer):
        self.take(GstWebRTC.WebRTCSDPType.OFFER, offer, Gst.Promise.new_with_change_func(
            lambda _: self.webrtc.emit("create-answer", None,
                                       Gst.Promise.new_with_change_func(self.on_answer))))

    def on_answer(self, promise):
        answer = self.describe(promise, "answer")
        if STAMP not in answer:
            self.failed.append("the answer has not the header extension")
        self.other().take(GstWebRTC.WebRTCSDPType.ANSWER, answer, Gst.Promise.new())

    def count_dropped(self):
        return sum(flow["dropped"] for flow in self.get_flows())

    def get_flows(self):
        """The statistics of the flows that have sent, of all transports."""
        flows = []
        for sender in self.senders:
            stats = sender.get_property("stats")
            array = stats.get_array("flows")[1]
            for i in range(array.n_values):
                flow = array.get_nth(i)
                found = {key: flow.get_value(key) for key in FIELDS}
                if found["packets"] > 0:
                    flows.append(found)
        return flows


def check(peer, seconds, expected, failed):
    flows = peer.get_flows()
    for flow in flows:
        print(f"{peer.name}: SSRC {flow['ssrc']:08x}", *(f"{key} {flow[key]:.6g}" for key in FIELDS[1:]))
        if flow["packets"] < 20 or flow["reports"] < 5:
            failed.append(f"the {peer.name} has a flow that starves")
    print(f"{peer.name} heard", *(f"{count} packets of {media}" for media, count in sorted(peer.heard.items())))
    if len(flows) != len(expected):
        failed.append(f"the {peer.name} has {len(flows)} flows")
    other = peer.other()
    for media in expected:
        # voice has 50 packets a second, and the first second may go by before the path is known
        least = {"audio": 50 * (seconds - (5 if peer.scenario == "dtx" else 3)), "video": 20}[media]
        if other.heard.get(media, 0) < least:
            failed.append(f"the {other.name} heard too little {media}")


def check_scenario(peer, seconds, failed):
    """What the scenario is about."""
    flows = peer.get_flows()
    if peer.scenario == "nack":
        if any(flow["repair-ssrcs"] != 1 for flow in flows):
            failed.append(f"the {peer.name} sent nothing again")
        # packets that expired in the pacing queue never departed
        if peer.other().heard.get("audio", 0) + peer.count_dropped() < 0.97 * 50 * (seconds - 2):
            failed.append(f"the {peer.other().name} did not get what was sent again")
    if peer.scenario == "pli" and not 2 <= peer.keys <= 4:
        failed.append(f"the {peer.name} made {peer.keys} key frames")
    if peer.scenario == "dtx" and peer.silent > 50:
        failed.append(f"the {peer.name} heard {peer.silent} packets of two seconds of silence")
    # before the silence, packets may expire until the path is known
    if peer.scenario == "dtx" and (peer.count_dropped() - peer.dropped > 5
                                   or any(flow["loss-event-rate"] > 0.02 for flow in flows)):
        failed.append(f"the silence of the {peer.name} was taken for losses")


def main():
    scenario = sys.argv[1] if len(sys.argv) > 1 else "bundle"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8 if scenario == "dtx" else 6
    Gst.init(None)
    # the bindings of Caps and Buffer are made once, ahead of the threads
    Gst.Caps.new_empty_simple("audio/x-raw").get_structure(0)
    Gst.Buffer.new().has_flags(Gst.BufferFlags.DELTA_UNIT)
    if Gst.ElementFactory.find("rtptfrcsend") is None:
        sys.exit("There is no element rtptfrcsend. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    for factory in NEEDED:
        if Gst.ElementFactory.find(factory) is None:
            print(f"no {factory} (Debian: gstreamer1.0-plugins-bad, gstreamer1.0-nice)")
            return 77
    loop, failed, interrupted, ends = GLib.MainLoop(), [], [], []
    peers = [Peer(name, ends, failed, scenario) for name in ("caller", "callee")]
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
        bus.connect("message::warning", lambda _, message: print(message.parse_warning()[0].message))
        # rtpsession pushes nothing before it has got the latency of its pipeline
        bus.connect("message::latency", lambda *_, line=peer.pipeline: line.recalculate_latency())
        peer.pipeline.set_state(Gst.State.PLAYING)
    if scenario == "renegotiate":
        GLib.timeout_add(1500, peers[0].add_pictures)
        GLib.timeout_add(int(seconds * 1000) - 1000, peers[0].remove_pictures)
    for peer in peers:
        if scenario == "pli":
            GLib.timeout_add(int(seconds * 600), peer.ask_for_key_frame)
        if scenario == "dtx":
            for at, silent in ((3000, True), (5000, False)):
                GLib.timeout_add(at, peer.set_silence, silent)
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()
    if not interrupted:
        both = ("audio", "video")
        check(peers[0], seconds, both, failed)
        check(peers[1], seconds, ("audio",) if scenario == "renegotiate" else both, failed)
        for peer in peers:
            check_scenario(peer, seconds, failed)
    for peer in peers:
        peer.pipeline.set_state(Gst.State.NULL)
    print(*failed, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
