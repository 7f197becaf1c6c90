#!/usr/bin/python3
"""TFRC in an rtpbin: a call of two pipelines on one machine, for five seconds.

rtpbin asks for an auxiliary element where packets leave for the network, and where they
come from it; that is where the two filters belong. webrtcbin has the same two signals.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"
AVPF = 3
PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 5004


def make_aux(factory):
    """A handler of request-aux-sender or request-aux-receiver: the filter, with the names of
    pads that rtpbin wants."""
    def on_request(rtpbin, session):
        holder, tfrc = Gst.Bin(), Gst.ElementFactory.make(factory, "tfrc")
        tfrc.set_property("mode", "tfrc-sp")
        holder.add(tfrc)
        for name in ("sink", "src"):
            holder.add_pad(Gst.GhostPad.new(f"{name}_{session}", tfrc.get_static_pad(name)))
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

    def on_pad(_, pad):
        if pad.get_name().startswith("recv_rtp_src"):
            ear = add(pipeline, "rtpopusdepay ! opusdec plc=true ! fakesink sync=false async=false")
            ear.sync_state_with_parent()
            pad.link(ear.get_static_pad("sink"))
    rtp.connect("pad-added", on_pad)
    add(pipeline, f"udpsrc port={PORT} caps={CAPS}").link_pads("src", rtp, "recv_rtp_sink_0")
    add(pipeline, f"udpsrc port={PORT + 1}").link_pads("src", rtp, "recv_rtcp_sink_0")
    rtp.link_pads("send_rtcp_src_0", add(pipeline, f"udpsink host=127.0.0.1 port={PORT + 3} "
                                                   "sync=false async=false"), "sink")
    return pipeline


def main():
    Gst.init(None)
    loop, failed = GLib.MainLoop(), []
    receiver, sender = make_receiver(), make_sender()

    def on_error(_, message):
        failed.append(message.parse_error()[0].message)
        loop.quit()
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
    print(*failed, f"{packets} packets, {reports} reports", sep="\n")
    return 1 if failed or packets < 100 or reports < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
