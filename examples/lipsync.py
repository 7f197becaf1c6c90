#!/usr/bin/python3
"""Lip-sync of voice and pictures that come by two ways: two calls, on two UDP ports, over paths of unlike delays.

  lipsync.py [PORT]

hears the voice on PORT and shows the pictures of PORT + 2. The sender is one pipeline, or two whose clocks agree:

  gst-launch-1.0 audiotestsrc is-live=true ! tfrcencodebin ! tfrcsink port=5004 mode=tfrc-sp \\
      videotestsrc is-live=true ! vp8enc deadline=1 ! tfrcencodercontrol ! rtpvp8pay pt=97 \\
      ! tfrcsink port=5006 mode=tfrc

Every packet that tfrcsrc hands on has a GstReferenceTimestampMeta as soon as a sender report has arrived: the time by
the sender's clock at which the packet was captured. Its own timestamp says when it is played. What lies between the two
is the lag of the stream, and the sink of the stream with the smaller lag waits for the other one (ts-offset).

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PICTURES = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=97"
RECEIVER = ("tfrcsrc name=voice port={0} mode=tfrc-sp ! tfrcdecodebin ! audioconvert ! queue ! {2} "
            "tfrcsrc name=pictures port={1} mode=tfrc caps=" + PICTURES + " ! rtpvp8depay ! vp8dec ! videoconvert "
            "! queue ! {3}")
SINKS = {"voice": "ear", "pictures": "eye"}
CLOSE = 10 * Gst.MSECOND        # lags that are as close as this are left as they are


class LipSync:
    """Makes the sink of each stream wait for the stream with the largest lag. A lag follows the playout delay, which
    adapts, so that it is measured again and again; a sink is set anew when it is further than CLOSE from its place."""

    def __init__(self, pipeline, names):
        self.lags, self.offsets, self.sinks = {}, dict.fromkeys(names, 0), {}
        for source, sink in names.items():
            self.sinks[source] = pipeline.get_by_name(sink)
            pipeline.get_by_name(source).get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.on_packet,
                                                                         source)

    def on_packet(self, _pad, info, source):
        packet = info.get_buffer()
        captured = packet.get_reference_timestamp_meta(Gst.Caps.from_string("timestamp/x-ntp"))
        if captured is not None:
            self.lags[source] = packet.pts - captured.timestamp
            self.adjust(source)
        return Gst.PadProbeReturn.OK

    def adjust(self, source):
        """In the thread of the stream, for this stream alone."""
        offset = max(self.lags.values()) - self.lags[source]
        if abs(offset - self.offsets[source]) > CLOSE:
            print(f"{source} waits {offset / Gst.MSECOND:.0f} ms", flush=True)
            self.offsets[source] = offset
            self.sinks[source].set_property("ts-offset", offset)


def make_receiver(port, ear="autoaudiosink name=ear", eye="autovideosink name=eye"):
    return Gst.parse_launch(RECEIVER.format(port, port + 2, ear, eye))


def main():
    Gst.init(None)
    if Gst.ElementFactory.find("tfrcsrc") is None:
        sys.exit("There is no element tfrcsrc. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    loop, failed = GLib.MainLoop(), []
    pipeline = make_receiver(int(sys.argv[1]) if len(sys.argv) > 1 else 5004)
    LipSync(pipeline, SINKS)
    bus = pipeline.get_bus()
    bus.add_signal_watch()

    def on_error(_, message):
        failed.append(message.parse_error()[0].message)
        loop.quit()
    bus.connect("message::error", on_error)
    bus.connect("message::latency", lambda _bus, _message: pipeline.recalculate_latency())
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, loop.quit)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    for text in failed:
        print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
