#!/usr/bin/python3
"""What the complexity of tfrcopusdec and deep redundancy do for speech when packets are lost.

Speech is encoded once for each setting, and decoded with one trace of random losses: without a network
and without a clock, so that every run has the same samples. A packet of which a redundant copy
arrives is decoded; of any other lost packet the decoder gets a gap. Prints PESQ (ITU-T P.862.2, mean of
windows of 8 s), ESTOI, and the processor time of the encoder and the decoder in percent of a core.

tests/bench/opus.sh starts it with libopus 1.6.1, and with --check it fails when the networks do not
help.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import pathlib
import random
import subprocess
import sys
import time
import wave

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent

# name, encoder, ms of a packet, distances of copies, complexities of the decoder
CASES = (
    ("12k/60 red2", "bitrate=12000 frame-size=60", 60, (1, 2), (0, 5, 7)),
    ("24k/60 fec", "bitrate=24000 frame-size=60 inband-fec=true", 60, (), (0, 5, 7)),
    ("24k/60 dred", "bitrate=24000 frame-size=60 dred-duration=240", 60, (), (7,)),
    ("32k/20 fec", "bitrate=32000 frame-size=20 inband-fec=true", 20, (), (0, 5, 7)),
    ("32k/20 dred", "bitrate=32000 frame-size=20 dred-duration=240", 20, (), (7,)),
)


class Pusher:
    """A source pad that feeds an element, in the thread of the caller."""

    def __init__(self, element, caps):
        self.pad = Gst.Pad.new("src", Gst.PadDirection.SRC)
        self.pad.link(element.get_static_pad("sink"))
        self.pad.set_active(True)
        segment = Gst.Segment()
        segment.init(Gst.Format.TIME)
        for event in (Gst.Event.new_stream_start("opus"), Gst.Event.new_caps(Gst.Caps.from_string(caps)),
                      Gst.Event.new_segment(segment)):
            self.pad.push_event(event)


def run(line, caps, feed):
    """The buffers that the elements of `line` make of what `feed` pushes, and the seconds of processor time."""
    pipeline = Gst.parse_launch(f"{line} ! appsink name=out sync=false wait-on-eos=false")
    first = pipeline.get_by_name("first")
    out = pipeline.get_by_name("out")
    pipeline.set_state(Gst.State.PLAYING)
    pusher = Pusher(first, caps)
    began = time.process_time()
    feed(pusher.pad)
    pusher.pad.push_event(Gst.Event.new_eos())
    spent = time.process_time() - began
    buffers = []
    while (sample := out.emit("try-pull-sample", 0)) is not None:
        buffer = sample.get_buffer()
        buffers.append(buffer.extract_dup(0, buffer.get_size()))
    stats = first.get_property("stats") if first.find_property("stats") else None
    pipeline.set_state(Gst.State.NULL)
    return buffers, spent, stats


def make_buffer(data, pts, duration):
    buffer = Gst.Buffer.new_wrapped(data)
    buffer.pts, buffer.duration = pts, duration
    return buffer


def upsample(speech):
    with wave.open(str(speech)) as w:
        pcm = w.readframes(w.getnframes())
    piece = 16000 // 100 * 2

    def feed(pad):
        for n in range(len(pcm) // piece):
            pad.push(make_buffer(pcm[n * piece:(n + 1) * piece], 10 * n * Gst.MSECOND, 10 * Gst.MSECOND))
    buffers, _, _ = run("audioresample name=first ! audio/x-raw,rate=48000",
                        "audio/x-raw,format=S16LE,layout=interleaved,rate=16000,channels=1", feed)
    return b"".join(buffers)


def encode(pcm, settings, percent):
    piece = 960

    def feed(pad):
        for n in range(len(pcm) // piece):
            pad.push(make_buffer(pcm[n * piece:(n + 1) * piece], 10 * n * Gst.MSECOND, 10 * Gst.MSECOND))
    packets, spent, _ = run(f"tfrcopusenc name=first packet-loss-percentage={percent} {settings}",
                            "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1", feed)
    return packets, spent


def decode_frames(packets, frames, complexity, wav):
    """`frames`: the duration of each packet in ns, and whether it is lost."""
    def feed(pad):
        at = 0
        for packet, (duration, lost) in zip(packets, frames):
            if lost:
                pad.push_event(Gst.Event.new_gap(at, duration))
            else:
                pad.push(make_buffer(packet, at, duration))
            at += duration
    pcm, spent, stats = run(f"tfrcopusdec name=first complexity={complexity} ! audioresample ! "
                            "audio/x-raw,rate=16000", "audio/x-opus,rate=48000,channels=1,"
                            "channel-mapping-family=0,stream-count=1,coupled-count=0", feed)
    with wave.open(str(wav), "wb") as w:
        w.setparams((1, 2, 16000, 0, "NONE", ""))
        w.writeframes(b"".join(pcm))
    return spent, stats


def decode(packets, lost, ms, complexity, wav):
    return decode_frames(packets, [(ms * Gst.MSECOND, gone) for gone in lost], complexity, wav)


def make_losses(packets, percent, copies, seed):
    """Which packets nobody has: lost, and so were those with their copies."""
    rand = random.Random(seed)
    gone = [rand.random() < percent / 100 for _ in range(packets + max(copies, default=0))]
    return [gone[n] and all(gone[n + copy] for copy in copies) for n in range(packets)], sum(gone) / len(gone)


def score(python, speech, wav):
    out = subprocess.run([python, str(HERE / "opus_score.py"), str(speech), str(wav)], check=True,
                         stdout=subprocess.PIPE, text=True).stdout.split()
    return float(out[0]), float(out[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--speech", required=True, type=pathlib.Path, help="16 kHz, mono, 16 bit")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for recordings")
    parser.add_argument("--python", default=sys.executable, help="a Python with pesq and pystoi")
    parser.add_argument("--loss", default=25, type=int, help="percent of packets")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    Gst.init(None)
    pcm = upsample(args.speech)
    seconds = len(pcm) / 96000
    results = {}
    print(f"{'operating point':14} {'complexity':>10} {'lost %':>6} {'kbit/s':>6} {'PESQ':>5} {'ESTOI':>5} "
          f"{'encoder %':>9} {'decoder %':>9}  LBRR DRED concealed (s)")
    for name, settings, ms, copies, complexities in CASES:
        packets, encoding = encode(pcm, settings, args.loss)
        lost, share = make_losses(len(packets), args.loss, copies, args.seed)
        rate = sum(map(len, packets)) * 8 * (1 + len(copies)) / seconds / 1000
        for complexity in complexities:
            wav = args.out / f"{name.replace('/', '-').replace(' ', '-')}-{complexity}.wav"
            decoding, stats = decode(packets, lost, ms, complexity, wav)
            pesq, estoi = score(args.python, args.speech, wav)
            cpu = 100 * encoding / seconds, 100 * decoding / seconds
            sound = [stats.get_uint64(field)[1] / 48000 for field in ("lbrr", "dred", "concealed")]
            results[name, complexity] = pesq, estoi, sum(cpu)
            print(f"{name:14} {complexity:10} {100 * share:6.1f} {rate:6.1f} {pesq:5.2f} {estoi:5.3f} {cpu[0]:9.2f} "
                  f"{cpu[1]:9.2f}  {sound[0]:4.1f} {sound[1]:4.1f} {sound[2]:4.1f}", flush=True)
    if not args.check:
        return 0
    plain, best = results["12k/60 red2", 0], results["12k/60 red2", 7]
    ok = best[0] >= plain[0] + 0.2 and best[1] > plain[1] and max(cpu for _, _, cpu in results.values()) < 2.5
    print("passed" if ok else "failed: 12k/60 red2 gains less than 0.2 PESQ, or a call takes 2.5 % of a core")
    return 0 if ok else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except GLib.Error as error:
        sys.exit(str(error))
