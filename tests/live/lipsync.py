#!/usr/bin/python3
"""examples/lipsync.py: a tick and a flash of one moment, over paths of 20 and 170 ms, are heard and seen together.

  tests/live/play.py tests/live/lipsync.py BUILD

The test has both ends in one process, and so knows when each tick and each flash left its source. The two sources do
not begin at the same moment: the delay of each stream is measured from its own source to its own sink.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import pathlib
import statistics
import subprocess
import sys
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import cases  # noqa: E402
import lipsync as example  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
RATE = 48000
SAMPLES = f"audio/x-raw,format=S16LE,rate={RATE},channels=1"
PICTURES = "video/x-raw,format=GRAY8"
EAR = f"audioconvert ! audioresample ! {SAMPLES} ! fakesink name=ear sync=true signal-handoffs=true"
EYE = f"{PICTURES} ! fakesink name=eye sync=true signal-handoffs=true"
# A tick each second, and a white picture each second.
SENDER = (f"audiotestsrc is-live=true wave=ticks sine-periods-per-tick=20 ! {SAMPLES} ! identity name=mouth "
          "! tfrcencodebin ! tfrcsink port={} mode=tfrc-sp "
          f"videotestsrc is-live=true pattern=blink ! {PICTURES},width=64,height=48,framerate=2/1 ! identity name=face "
          "! videoconvert ! vp8enc deadline=1 keyframe-max-dist=1 ! rtpvp8pay pt=97 ! tfrcsink port={} mode=tfrc")
LOUD = 8000
PORT = 25404
DELAYS = {"voice": 20, "pictures": 170}         # ms
CLOSE_MS = 20                                   # what examples/lipsync.py leaves, and the clock of a busy machine
SECONDS = 10
SETTLED_S = 5                                   # the last seconds are judged


def find_tick(buffer):
    """When a sound begins to be loud, in s from the start of the buffer; None: it does not."""
    samples = array.array("h", buffer.extract_dup(0, buffer.get_size()))
    return next((i / RATE for i, sample in enumerate(samples) if abs(sample) > LOUD), None)


def find_flash(buffer):
    return 0.0 if buffer.extract_dup(0, 1)[0] > 128 else None


class Stamps:
    """The times of ticks or flashes at one place, in s of the monotonic clock."""

    def __init__(self, find):
        self.find, self.times = find, []

    def note(self, buffer, at):
        since = self.find(buffer)
        if since is not None and (not self.times or at + since - self.times[-1] > 0.4):
            self.times.append(at + since)

    def on_handoff(self, _sink, buffer, _pad):
        self.note(buffer, time.monotonic())

    def watch_source(self, pipeline, name):
        """The clock of the pipeline is the monotonic one."""
        def on_buffer(_pad, info):
            buffer = info.get_buffer()
            self.note(buffer, (pipeline.get_base_time() + buffer.pts) / Gst.SECOND)
            return Gst.PadProbeReturn.OK
        pipeline.get_by_name(name).get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, on_buffer)

    def get_delays(self, sources):
        """What has come in the last seconds: how long after it left the source. Less than a second lies between."""
        begin = time.monotonic() - SETTLED_S
        return [min(at - left for left in sources.times if left <= at) for at in self.times if at > begin]


class LipSync(unittest.TestCase):
    def play(self, receiver, sender):
        for pipeline in (receiver, sender):
            self.addCleanup(pipeline.set_state, Gst.State.NULL)
            pipeline.set_state(Gst.State.PLAYING)
        bus, end = receiver.get_bus(), time.monotonic() + SECONDS
        while time.monotonic() < end:
            message = bus.timed_pop_filtered(Gst.SECOND // 10, Gst.MessageType.LATENCY | Gst.MessageType.ERROR)
            if message is not None:
                self.assertEqual(message.type, Gst.MessageType.LATENCY)
                receiver.recalculate_latency()

    def start_paths(self):
        for i, delay in enumerate(DELAYS.values()):
            path = subprocess.Popen([BUILD / "examples" / "tfrc-path", "--delay", str(delay), str(PORT + 10 + 2 * i),
                                     f"127.0.0.1:{PORT + 2 * i}"], stdout=subprocess.DEVNULL)
            self.addCleanup(path.wait)
            self.addCleanup(path.kill)

    def measure(self, in_sync):
        """By how many ms pictures are played later than the voice."""
        self.start_paths()
        receiver = example.make_receiver(PORT, EAR, EYE)
        sender = Gst.parse_launch(SENDER.format(PORT + 10, PORT + 12))
        keeper = example.LipSync(receiver, example.SINKS) if in_sync else None
        stamps = {}
        for source, sink, find in (("mouth", "ear", find_tick), ("face", "eye", find_flash)):
            stamps[source], stamps[sink] = Stamps(find), Stamps(find)
            stamps[source].watch_source(sender, source)
            receiver.get_by_name(sink).connect("handoff", stamps[sink].on_handoff)
        self.play(receiver, sender)
        voice, pictures = (stamps[sink].get_delays(stamps[source]) for source, sink in (("mouth", "ear"),
                                                                                         ("face", "eye")))
        for name, delays in (("voice", voice), ("pictures", pictures)):
            self.assertGreater(len(delays), 2, name)
            print(f"{name}: {1000 * statistics.median(delays):.0f} ms from source to sink, {len(delays)} times")
        if keeper is not None:
            self.assertEqual(len(keeper.lags), 2)
        return 1000 * (statistics.median(pictures) - statistics.median(voice))

    def test_two_ways_are_played_together(self):
        self.assertLess(abs(self.measure(True)), CLOSE_MS)

    def test_without_the_offset_the_longer_way_is_later(self):
        late = self.measure(False)
        self.assertGreater(late, 100)
        self.assertLess(late, 200)


if __name__ == "__main__":
    cases.main(LipSync, lambda: Gst.init(None))
