#!/usr/bin/python3
"""One end of a call in tests/live/faults.py: plays a pipeline and writes down what happens to it.

  faultend.py [--drift PPM] [--files N] [--memory MB] PIPELINE

The pipeline's data sender or receiver is named end; what is heard ends in a fakesink named
heard. Each line of the output is the time (CLOCK_MONOTONIC, s), what it is of, and the rest:

  play                                the pipeline is in PLAYING
  voice MS                            a buffer of that length that is not silent is played
  message TEXT                        a message on the bus
  state DESCRIPTORS THREADS KBYTES... of the process, each half second, and the names of the threads
  stats NAME=N...                     counters of the element end, with the line before

--drift gives the pipeline a clock that runs so fast; --files and --memory bound what the
process may open, and map, from now on. SIGTERM ends the stream and the program.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import array
import os
import pathlib
import resource
import signal
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, GObject, Gst  # noqa: E402

LOUD = 5000


def say(what, *rest):
    """One write for each line, since several threads write lines."""
    line = " ".join(map(str, (f"{time.monotonic():.3f}", what, *rest))) + "\n"
    os.write(1, line.encode())


def on_heard(_sink, buffer, _pad):
    if max(array.array("h", buffer.extract_dup(0, buffer.get_size())), default=0) > LOUD:
        say("voice", buffer.duration // Gst.MSECOND)


def describe(message):
    """What a message tells about the call; None: nothing."""
    structure = message.get_structure()
    if message.type == Gst.MessageType.ERROR:
        return "error: " + message.parse_error()[0].message
    if message.type == Gst.MessageType.WARNING:
        return "warning: " + message.parse_warning()[0].message
    if message.type == Gst.MessageType.EOS:
        return "EOS"
    if message.type != Gst.MessageType.ELEMENT or not structure.get_name().startswith("application/x-tfrc-"):
        return None
    name = structure.get_name().removeprefix("application/x-tfrc-")
    return None if name == "choice" else f"{name} {structure.get_string('state') or ''}".strip()


def list_counters(stats, prefix=""):
    """Names and values of the counters of a structure and of those in it."""
    for number in range(stats.n_fields()):
        name = stats.nth_field_name(number)
        if stats.get_field_type(name) == Gst.Structure.__gtype__:
            yield from list_counters(stats.get_value(name), name + ".")
        elif stats.get_field_type(name) == GObject.TYPE_UINT64:
            yield prefix + name, stats.get_value(name)


class End:
    def __init__(self, options):
        self.pipeline = Gst.parse_launch(options.pipeline)
        self.loop = GLib.MainLoop()
        heard = self.pipeline.get_by_name("heard")
        if heard is not None:
            heard.connect("handoff", on_heard)
        if options.drift:
            clock = GObject.new(Gst.SystemClock.__gtype__, name="drifting")
            now = clock.get_internal_time()
            clock.set_calibration(now, now, 1000000 + options.drift, 1000000)
            self.pipeline.use_clock(clock)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.on_message)

    def on_message(self, _bus, message):
        text = describe(message)
        if text:
            say("message", text)
        if message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS):
            self.loop.quit()

    def get_stats(self):
        end = self.pipeline.get_by_name("end")
        if end.get_factory().get_name() == "tfrcbin":
            return end.emit("get-peer-stats", 0)
        return end.props.stats

    def report(self):
        status = pathlib.Path("/proc/self/status").read_text("utf-8")
        fields = dict(line.split(":", 1) for line in status.splitlines())
        names = sorted(task.read_text("utf-8").strip().replace(" ", "_")
                       for task in pathlib.Path("/proc/self/task").glob("*/comm"))
        say("state", len(os.listdir("/proc/self/fd")), len(names), fields["VmRSS"].split()[0], *names)
        stats = self.get_stats()
        if stats is not None:
            say("stats", *(f"{name}={value}" for name, value in list_counters(stats)))
        return True

    def stop(self):
        self.pipeline.send_event(Gst.Event.new_eos())
        GLib.timeout_add(1000, self.loop.quit)

    def run(self):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, self.stop)
        if self.pipeline.set_state(Gst.State.PLAYING) != Gst.StateChangeReturn.FAILURE:
            say("play")
            GLib.timeout_add(500, self.report)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)


def limit(options):
    if options.files is not None:
        most = 1 + max(int(name) for name in os.listdir("/proc/self/fd")) + options.files
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if options.memory is not None:
        used = int(pathlib.Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
        most = used + int(options.memory * 1e6)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--drift", type=int, default=0)
    parser.add_argument("--files", type=int)
    parser.add_argument("--memory", type=float)
    parser.add_argument("pipeline")
    options = parser.parse_args()
    Gst.init(None)
    end = End(options)
    limit(options)
    end.run()


if __name__ == "__main__":
    main()
