#!/usr/bin/python3
# One end of a measured call: runs a pipeline and writes a line for each RTP packet.
#
#   voice_end.py LOG ELEMENT[.PAD] PIPELINE...
#   voice_end.py LOG udp:PORT PIPELINE...
#
# The packets are those of an element of that name in the pipeline, or those that arrive from the network
# for a UDP port. A line is: CLOCK_MONOTONIC in s, RTP timestamp, bytes, payload type. Until EOS or SIGTERM.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import signal
import socket
import struct
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

IPV4 = 0x0800                   # EtherType


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


def on_datagram(sniffer, _condition, port, log):
    """Logs a packet of IPv4 if it is one of UDP that arrives for the port."""
    packet, (_device, _protocol, kind, *_) = sniffer.recvfrom(65536)
    header = (packet[0] & 15) * 4
    if (kind != socket.PACKET_OUTGOING and packet[9] == socket.IPPROTO_UDP and len(packet) >= header + 8
            and struct.unpack_from(">H", packet, header + 2)[0] == port):
        log_packet(packet[header + 8:], log)
    return True


def watch(pipeline, where, log):
    kind, _, port = where.partition(":")
    if kind == "udp":
        sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(IPV4))
        GLib.io_add_watch(sniffer, GLib.PRIORITY_HIGH, GLib.IOCondition.IN, on_datagram, int(port), log)
        return
    element, _, pad = where.partition(".")
    pipeline.get_by_name(element).get_static_pad(pad or "src").add_probe(
        Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST, on_buffers, log)


def main():
    Gst.init(None)
    log_name, where, *description = sys.argv[1:]
    pipeline = Gst.parse_launch(" ".join(description))
    log = open(log_name, "w", buffering=1)
    watch(pipeline, where, log)
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
