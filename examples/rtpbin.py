#!/usr/bin/python3
"""TFRC in an rtpbin: a call of two pipelines on one machine, for five seconds.

rtpbin asks for an auxiliary element where packets leave for the network, and where they
come from it; that is where the two filters belong. webrtcbin has the same two signals.

  rtpbin.py [PORT] [rtx]

With rtx the path loses packets, and rtprtxsend sends them again: rtptfrcsend is behind rtprtxsend, so that
retransmissions count, and rtptfrcreceive in front of rtprtxreceive.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"
AVPF = 3
PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 5004
RTX = "rtx" in sys.argv
RTX_CAPS = "application/x-rtp,media=audio,encoding-name=RTX,clock-rate=48000,payload=97,apt=(string)96"
RTX_MAP = "application/x-rtp-pt-map,96=(uint)97"
LOSS = "identity drop-probability=0.05" if RTX else "identity"


def make_aux(factory):
    """A handler of request-aux-sender or request-aux-receiver: the filter, with the names of
    pads that rtpbin wants."""
    def on_request(rtpbin, session):
        line = f"{factory} name=tfrc"
        if RTX and factory == "rtptfrcsend":
            line = f"rtprtxsend payload-type-map={RTX_MAP} ! {line} payload-type-map={RTX_MAP}"
        elif RTX:
            line = f"{line} ! rtprtxreceive payload-type-map={RTX_MAP}"
        holder = Gst.parse_bin_from_description(line, False)
        for name, direction in (("sink", Gst.PadDirection.SINK), ("src", Gst.PadDirection.SRC)):
            holder.add_pad(Gst.GhostPad.new(f"{name}_{session}", holder.find_unlinked_pad(direction)))
        return holder
    return on_request


def make_pipeline(signal, factory):
    pipeline, rtpbin = Gst.Pipeline(), Gst.ElementFactory.make("rtpbin", "rtp")
    rtpbin.set_property("rtp-profile", AVPF)
    rtpbin.connect(signal, make_aux(factory))
    pipeline.add(rtpbin)
    return pipeline, rtpbin


def add(pipeline, text):
    part = Gst.parse_bin_from_description(text, True)
    pipeline.add(part)
    return part


def make_sender():
    pipeline, rtp = make_pipeline("request-aux-sender", "rtptfrcsend")
    voice = add(pipeline, "audiotestsrc is-live=true ! opusenc bitrate=32000 ! rtpopuspay pt=96")
    voice.link_pads("src", rtp, "send_rtp_sink_0")
    for pad, port in (("send_rtp_src_0", PORT), ("send_rtcp_src_0", PORT + 1)):
        rtp.link_pads(pad, add(pipeline, f"udpsink host=127.0.0.1 port={port} sync=false "
                                         "async=false"), "sink")
    add(pipeline, f"udpsrc port={PORT + 3}").link_pads("src", rtp, "recv_rtcp_sink_0")
    return pipeline


def make_receiver():
    pipeline, rtp = make_pipeline("request-aux-receiver", "rtptfrcreceive")
    rtp.set_property("do-retransmission", RTX)
    rtp.connect("request-pt-map", lambda _rtpbin, _session, pt: Gst.Caps.from_string(
        RTX_CAPS if pt == 97 else CAPS))

    def on_pad(_, pad):
        if pad.get_name().startswith("recv_rtp_src"):
            ear = add(pipeline, "rtpopusdepay ! opusdec plc=true ! fakesink sync=false async=false")
            ear.sync_state_with_parent()
            pad.add_probe(Gst.PadProbeType.BUFFER, on_packet)
            pad.link(ear.get_static_pad("sink"))
    rtp.connect("pad-added", on_pad)
    add(pipeline, f"udpsrc port={PORT} caps={CAPS} ! {LOSS}").link_pads("src", rtp, "recv_rtp_sink_0")
    add(pipeline, f"udpsrc port={PORT + 1}").link_pads("src", rtp, "recv_rtcp_sink_0")
    rtp.link_pads("send_rtcp_src_0", add(pipeline, f"udpsink host=127.0.0.1 port={PORT + 3} "
                                                   "sync=false async=false"), "sink")
    return pipeline


heard = [0]


def on_packet(_pad, _info):
    heard[0] += 1
    return Gst.PadProbeReturn.OK


def main():
    Gst.init(None)
    if Gst.ElementFactory.find("rtptfrcsend") is None:
        sys.exit("There is no element rtptfrcsend. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    loop, failed, interrupted = GLib.MainLoop(), [], []
    receiver, sender = make_receiver(), make_sender()

    def on_error(_, message):
        failed.append(message.parse_error()[0].message)
        loop.quit()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, lambda: (interrupted.append(True), loop.quit()))
    for pipeline in (receiver, sender):
        bus = pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", on_error)
        pipeline.set_state(Gst.State.PLAYING)
    GLib.timeout_add_seconds(5, loop.quit)
    loop.run()
    stats = sender.get_by_name("tfrc").get_property("stats")
    packets, reports = stats.get_uint64("packets")[1], stats.get_uint64("reports")[1]
    for pipeline in (sender, receiver):
        pipeline.set_state(Gst.State.NULL)
    print(*failed, f"{packets} packets, {reports} reports, heard {heard[0]}, "
          f"{stats.get_uint('repair-ssrcs')[1]} SSRC of retransmissions", sep="\n")
    if interrupted:
        return 1 if failed else 0
    if RTX and stats.get_uint("repair-ssrcs")[1] != 1:
        failed.append("nothing was sent again")
    # 50 packets a second, and the first ones wait for the first report
    return 1 if failed or packets < 100 or reports < 5 or heard[0] < 190 else 0


if __name__ == "__main__":
    sys.exit(main())
