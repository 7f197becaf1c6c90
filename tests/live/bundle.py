#!/usr/bin/python3
"""Voice and pictures in one bundle, over a path that has less room for a while: real encoders, two rtpbins, real UDP.

  tests/live/play.py tests/live/bundle.py BUILD

The two streams have one rtptfrcsend, which couples them (docs/coupling.md). What arrived is counted behind the jitter
buffer of the receiver.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import sys
import tempfile
import time
import unittest
import warnings

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from demo import Process, free_port  # noqa: E402

import cases  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)     # GValueArray is what bindings can read
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()

AVPF = 3
CAPS = {96: "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96",
        97: "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=97"}
VOICE = ("audiotestsrc is-live=true wave=pink-noise ! opusenc bitrate=32000 bitrate-type=cbr "
         "! rtpopuspay pt=96 name=voice")
PICTURES = ("videotestsrc is-live=true pattern=snow ! video/x-raw,width=24,height=18,framerate=25/1 ! videoscale "
            "! video/x-raw,width=320,height=240 ! videoconvert "
            "! vp8enc deadline=1 cpu-used=8 end-usage=cbr target-bitrate=150000 "
            "! tfrcencodercontrol max-bitrate=1000000 ! rtpvp8pay mtu=1200 pt=97 picture-id-mode=2")
WIDE, THIN = 500, 200                   # kbit/s of the path
PARTS = {"wide": (3, 9), "thin": (12, 20), "wide again": (24, 31)}      # s
CHANGES = f"0:{WIDE},9:{THIN},20:{WIDE}"
END = 31
STILL = 2.0                             # s without pictures or voice that are a freeze


def make_filter(line):
    """A handler of request-aux-sender or request-aux-receiver."""
    def on_request(_rtpbin, session):
        holder = Gst.parse_bin_from_description(line, False)
        for name, direction in (("sink", Gst.PadDirection.SINK), ("src", Gst.PadDirection.SRC)):
            holder.add_pad(Gst.GhostPad.new(f"{name}_{session}", holder.find_unlinked_pad(direction)))
        return holder
    return on_request


class Arrivals:
    """When packets of one stream passed a pad, and their bytes."""

    def __init__(self):
        self.seen = []

    def watch(self, pad):
        pad.add_probe(Gst.PadProbeType.BUFFER, self.on_packet)

    def on_packet(self, _pad, info):
        self.seen.append((time.monotonic(), info.get_buffer().get_size()))
        return Gst.PadProbeReturn.OK

    def between(self, begin, end):
        return [size for at, size in self.seen if begin <= at < end]

    def get_longest_gap(self, begin, end):
        times = [begin] + [at for at, _ in self.seen if begin <= at < end] + [end]
        return max(after - before for before, after in zip(times, times[1:]))


class Call:
    def __init__(self, test, coupling):
        holder = tempfile.TemporaryDirectory()
        test.addCleanup(holder.cleanup)
        test.addCleanup(self.stop)
        self.media = {"audio": Arrivals(), "video": Arrivals()}
        self.made = Arrivals()
        entry, rtp, sender_rtcp, receiver_rtcp = (free_port() for _ in range(4))
        self.path = Process("path", [
            str(BUILD / "examples" / "tfrc-path"), "--delay", "20", "--queue", "200ms", "--capacity", CHANGES,
            str(entry), f"127.0.0.1:{rtp}"], pathlib.Path(holder.name))
        time.sleep(0.3)
        self.receiver = self.make_receiver(rtp, receiver_rtcp, sender_rtcp)
        self.sender = self.make_sender(coupling, entry, receiver_rtcp, sender_rtcp)
        for pipeline in (self.receiver, self.sender):
            pipeline.set_state(Gst.State.PLAYING)
        self.started = time.monotonic()

    @staticmethod
    def make_pipeline(signal, line):
        pipeline, rtpbin = Gst.Pipeline(), Gst.ElementFactory.make("rtpbin", "rtp")
        rtpbin.set_property("rtp-profile", AVPF)
        rtpbin.connect(signal, make_filter(line))
        rtpbin.connect("request-pt-map", lambda _rtpbin, _session, pt: Gst.Caps.from_string(CAPS[pt]))
        pipeline.add(rtpbin)
        return pipeline, rtpbin

    @staticmethod
    def add(pipeline, text):
        part = Gst.parse_bin_from_description(text, True)
        pipeline.add(part)
        return part

    def make_sender(self, coupling, port, rtcp_to, rtcp):
        pipeline, rtpbin = self.make_pipeline("request-aux-sender", f"rtptfrcsend name=tfrc coupling={coupling}")
        streams = self.add(pipeline, f"{VOICE} ! rtpfunnel name=funnel {PICTURES} ! funnel.")
        self.made.watch(streams.get_by_name("voice").get_static_pad("src"))
        streams.link_pads("src", rtpbin, "send_rtp_sink_0")
        for pad, to in (("send_rtp_src_0", port), ("send_rtcp_src_0", rtcp_to)):
            sink = self.add(pipeline, f"udpsink host=127.0.0.1 port={to} sync=false async=false")
            rtpbin.link_pads(pad, sink, "sink")
        self.add(pipeline, f"udpsrc port={rtcp}").link_pads("src", rtpbin, "recv_rtcp_sink_0")
        return pipeline

    def make_receiver(self, port, rtcp, rtcp_to):
        pipeline, rtpbin = self.make_pipeline("request-aux-receiver", "rtptfrcreceive")
        rtpbin.set_property("latency", 300)

        def on_pad(_, pad):
            if not pad.get_name().startswith("recv_rtp_src"):
                return
            self.media["audio" if pad.get_name().endswith("_96") else "video"].watch(pad)
            sink = Gst.ElementFactory.make("fakesink")
            sink.set_property("sync", False)
            sink.set_property("async", False)
            pipeline.add(sink)
            sink.sync_state_with_parent()
            pad.link(sink.get_static_pad("sink"))
        rtpbin.connect("pad-added", on_pad)
        self.add(pipeline, f"udpsrc port={port} caps=\"{CAPS[96]}\" ! capssetter replace=true "
                           "caps=application/x-rtp").link_pads("src", rtpbin, "recv_rtp_sink_0")
        self.add(pipeline, f"udpsrc port={rtcp}").link_pads("src", rtpbin, "recv_rtcp_sink_0")
        rtpbin.link_pads("send_rtcp_src_0", self.add(
            pipeline, f"udpsink host=127.0.0.1 port={rtcp_to} sync=false async=false"), "sink")
        return pipeline

    def run(self):
        while time.monotonic() - self.started < END:
            for pipeline in (self.receiver, self.sender):
                message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
                if message is not None:
                    raise AssertionError(message.parse_error()[0].message)
            self.path.check()
            time.sleep(0.1)

    def measure(self, begin, end):
        """The share of the voice that was heard; kbit/s of the pictures with headers; the longest gap of each, s."""
        begin, end = self.started + begin, self.started + end
        heard = len(self.media["audio"].between(begin, end)) / len(self.made.between(begin, end))
        pictures = self.media["video"].between(begin, end)
        return (heard, sum(size + 28 for size in pictures) * 8e-3 / (end - begin),
                *(self.media[name].get_longest_gap(begin, end) for name in ("audio", "video")))

    def get_voice(self):
        """The counters of the voice's flow, whose packets are the smaller ones."""
        flows = self.sender.get_by_name("tfrc").get_property("stats").get_array("flows")[1]
        found = [{key: flows.get_nth(i).get_value(key) for key in ("packets", "dropped-late", "bytes")}
                 for i in range(flows.n_values)]
        return min(found, key=lambda flow: flow["bytes"] / max(flow["packets"], 1))

    def stop(self):
        for pipeline in (self.sender, self.receiver):
            pipeline.set_state(Gst.State.NULL)
        self.path.stop()


class Bundle(unittest.TestCase):
    def play(self, coupling):
        for element in ("vp8enc", "opusenc", "rtpfunnel"):
            if Gst.ElementFactory.find(element) is None:
                self.skipTest(f"no {element}")
        call = Call(self, coupling)
        call.run()
        found = {name: call.measure(*times) for name, times in PARTS.items()}
        voice = call.get_voice()
        print(f"of {voice['packets']} packets of the voice {voice['dropped-late']} waited too long")
        self.assertLess(voice["dropped-late"], 0.05 * voice["packets"])
        for name, (heard, pictures, *gaps) in found.items():
            print(f"coupling={coupling}, {name}: {100 * heard:.0f} % of the voice heard, "
                  f"pictures {pictures:.0f} kbit/s, longest gaps {gaps[0]:.2f} and {gaps[1]:.2f} s")
        return found

    def test_voice_stays_and_pictures_take_the_rest(self):
        found = self.play("transport")
        for name, (heard, pictures, *gaps) in found.items():
            room = THIN if name == "thin" else WIDE
            # the pictures leave the queue to the voice
            self.assertGreater(heard, 0.96, name)
            self.assertLess(max(gaps), STILL, name)
            # the voice takes 53 kbit/s with its headers
            self.assertGreater(pictures, 0.3 * (room - 53), name)
            self.assertLess(pictures, room - 40, name)
        self.assertGreater(found["wide again"][1], 1.3 * found["thin"][1])


if __name__ == "__main__":
    Gst.init(None)
    cases.main(Bundle)
