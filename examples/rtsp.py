#!/usr/bin/python3
"""An RTSP server whose voice follows what TFRC allows to each client, and a client of it.

  rtsp.py server [PORT]
  rtsp.py client URL [SINK]

gst-rtsp-server makes a pipeline for each client, with an rtpbin. rtpbin asks for an auxiliary element in front of the
RTP session, which is rtptfrcsend; the rtpbin of rtspsrc asks for one behind the session, which is rtptfrcreceive. The
SDP has what both need (extmap and tfrc-mode, from the caps of rtptfrcsend), and the RTCP of the sessions brings the
reports. A client without rtptfrcreceive sends receiver reports, and these are enough.

Both print each second what the statistics say. SINK is where the sound goes, as in a launch line.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

VOICE = "( audiotestsrc is-live=true ! tfrcencodebin name=pay0 )"
EAR = "rtspsrc name=source latency=200 location={} ! tfrcdecodebin ! audioconvert ! {}"


def make_aux(factory):
    """A handler of request-aux-sender or request-aux-receiver: the filter, with the names of pads that rtpbin
    wants."""
    def on_request(_rtpbin, session):
        holder, tfrc = Gst.Bin(), Gst.ElementFactory.make(factory, None)
        holder.add(tfrc)
        for name in ("sink", "src"):
            holder.add_pad(Gst.GhostPad.new(f"{name}_{session}", tfrc.get_static_pad(name)))
        GLib.timeout_add_seconds(1, tell, tfrc)
        return holder
    return on_request


def tell(tfrc):
    """Ends when the pipeline is gone."""
    if tfrc.get_parent() is not None:
        print(tfrc.get_property("stats-json"), flush=True)
    return tfrc.get_parent() is not None


def on_media(_factory, media):
    """A client's pipeline, to which the server adds rtpbin later."""
    def on_element(_pipeline, element):
        if element.get_factory().get_name() == "rtpbin":
            element.connect("request-aux-sender", make_aux("rtptfrcsend"))
    media.get_element().get_parent().connect("element-added", on_element)


def make_server(port="8554"):
    gi.require_version("GstRtsp", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GstRtsp, GstRtspServer
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(VOICE)
    factory.connect("media-configure", on_media)
    # The profile with feedback (RFC 4585). Over TCP there is nothing to control: TCP does it.
    factory.set_profiles(GstRtsp.RTSPProfile.AVPF)
    factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP)
    server = GstRtspServer.RTSPServer()
    server.set_service(port)
    server.get_mount_points().add_factory("/voice", factory)
    if server.attach(None) == 0:
        sys.exit(f"port {port} cannot be used")
    return server


def make_client(loop, url, sink="autoaudiosink"):
    pipeline = Gst.parse_launch(EAR.format(url, sink))
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message::error", lambda _bus, message: (print(message.parse_error()[0].message), loop.quit()))
    bus.connect("message::eos", lambda _bus, _message: loop.quit())
    pipeline.get_by_name("source").connect("new-manager", lambda _source, rtpbin: rtpbin.connect(
        "request-aux-receiver", make_aux("rtptfrcreceive")))
    pipeline.set_state(Gst.State.PLAYING)
    return pipeline


def main():
    Gst.init(None)
    if Gst.ElementFactory.find("rtptfrcsend") is None:
        sys.exit("There is no element rtptfrcsend. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    loop = GLib.MainLoop()
    if sys.argv[1:2] == ["server"]:
        running = make_server(*sys.argv[2:3])
    elif sys.argv[1:2] == ["client"] and len(sys.argv) > 2:
        running = make_client(loop, *sys.argv[2:4])
    else:
        sys.exit(__doc__)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, loop.quit)
    loop.run()
    if isinstance(running, Gst.Pipeline):
        running.send_event(Gst.Event.new_eos())
        running.get_bus().timed_pop_filtered(Gst.SECOND, Gst.MessageType.EOS)
        running.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
