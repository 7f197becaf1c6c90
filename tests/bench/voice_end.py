#!/usr/bin/python3
# One end of a measured call: runs a pipeline and writes a line for each RTP packet.
#
#   voice_end.py LOG ELEMENT[.PAD] PIPELINE...
#
# ELEMENT is a name in the pipeline or, anywhere inside its bins, a factory. A line is:
# CLOCK_MONOTONIC in s, RTP timestamp, bytes, payload type. Until EOS or SIGTERM.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import signal
import struct
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def find(pipeline, name):
    element = pipeline.get_by_name(name)
    if element:
        return element
    iterator = pipeline.iterate_all_by_element_factory_name(name)
    result, element = iterator.next()
    if result != Gst.IteratorResult.OK:
        sys.exit(f"voice_end.py: the pipeline has no element or factory {name}")
    return element


def log_packet(data, log):
    if len(data) < 12 or data[0] >> 6 != 2 or 192 <= data[1] <= 223:
        return
    timestamp, = struct.unpack_from(">I", data, 4)
    log.write(f"{time.monotonic():.6f},{timestamp},{len(data)},{data[1] & 127}\n")


def on_buffers(_pad, info, log):
    if info.type & Gst.PadProbeType.BUFFER:
        buffers = [info.get_buffer()]
    else:
        group = info.get_buffer_list()
        buffers = [group.get(i) for i in range(group.length())]
    for buffer in buffers:
        log_packet(buffer.extract_dup(0, 64) + bytes(max(0, buffer.get_size() - 64)), log)
    return Gst.PadProbeReturn.OK


def main():
    Gst.init(None)
    log_name, pad_name, *description = sys.argv[1:]
    pipeline = Gst.parse_launch(" ".join(description))
    element, _, pad = pad_name.partition(".")
    log = open(log_name, "w", buffering=1)
    pipeline.set_state(Gst.State.READY)         # some bins are filled then
    find(pipeline, element).get_static_pad(pad or "src").add_probe(
        Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST, on_buffers, log)
    loop = GLib.MainLoop()
    failed = []

    def on_message(_bus, message):
        if message.type == Gst.MessageType.ERROR:
            error, debug = message.parse_error()
            failed.append(f"{message.src.get_path_string()}: {error.message} ({debug})")
            loop.quit()
        elif message.type == Gst.MessageType.EOS:
            loop.quit()

    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message)

    def stop():
        # A source that is not live ends by EOS from within; here it must be asked to.
        pipeline.send_event(Gst.Event.new_eos())
        GLib.timeout_add(1000, loop.quit)

    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, stop)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    if failed:
        sys.exit("\n".join(failed))


main()
