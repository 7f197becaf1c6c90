#!/usr/bin/python3
"""What is heard of calls in virtual time, and of the offline optimum of each, with the codec itself.

Speech is encoded frame by frame with the operating points of a call, the frames that the call did not hear
are left out, and the rest is decoded: without a network and without a clock. Prints PESQ (ITU-T P.862.2, mean of
windows of 8 s) and ESTOI of the calls and of their optima, by path, and what share of the optimum the calls have.
Fails where the mean of a path has less than nine tenths of either.

tests/bench/heard.sh starts it with the files that the table of hard paths writes (path-table.c, HEARD), named
PATH-SEED-call.txt and PATH-SEED-optimum.txt. A line of them is a frame: bit/s, us, error correction, heard.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import pathlib
import statistics
import sys

import opus

Gst = opus.Gst
BAR = 0.9
PIECE = 960             # bytes of 10 ms at 48 kHz


def read_frames(name):
    return [tuple(map(int, line.split())) for line in name.read_text().splitlines()]


def encode(pcm, frames):
    """A packet for each frame, by an encoder whose operating point changes as the call's did."""
    def feed(pad):
        encoder = pad.get_peer().get_parent_element()
        at, before = 0, None
        for bitrate, us, fec, _ in frames:
            if (bitrate, us, fec) != before:
                encoder.set_property("bitrate", bitrate)
                encoder.set_property("frame-size", us // 1000)
                encoder.set_property("inband-fec", bool(fec))
                before = bitrate, us, fec
            for _ in range(us // 10000):
                data = pcm[at:at + PIECE].ljust(PIECE, b"\0")
                pad.push(opus.make_buffer(data, 10 * (at // PIECE) * Gst.MSECOND, 10 * Gst.MSECOND))
                at += PIECE
    packets, _, _ = opus.run("tfrcopusenc name=first packet-loss-percentage=20",
                             "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1", feed)
    if len(packets) < len(frames):
        raise SystemExit(f"{len(frames)} frames made {len(packets)} packets")
    return packets


def score(args, pcm, name):
    frames = read_frames(name)
    wav = args.out / f"{name.stem}.wav"
    opus.decode_frames(encode(pcm, frames), [(us * Gst.USECOND, not heard) for _, us, _, heard in frames], 0, wav)
    return opus.score(args.python, args.speech, wav)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--speech", required=True, type=pathlib.Path, help="16 kHz, mono, 16 bit")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder of the files, and for recordings")
    parser.add_argument("--python", default=sys.executable, help="a Python with pesq and pystoi")
    args = parser.parse_args()
    Gst.init(None)
    pcm = opus.upsample(args.speech)
    results = {}
    for call in sorted(args.out.glob("*-call.txt")):
        optimum = call.with_name(call.name.replace("-call", "-optimum"))
        if not optimum.exists():
            continue
        path, seed = call.stem.removesuffix("-call").rsplit("-", 1)
        ours, best = score(args, pcm, call), score(args, pcm, optimum)
        results.setdefault(path, []).append((ours, best))
        print(f"{path:12} seed {seed}: PESQ {ours[0]:.2f} of {best[0]:.2f}, "
              f"ESTOI {ours[1]:.3f} of {best[1]:.3f}", flush=True)
    ok = bool(results)
    for path, pairs in results.items():
        for measure, name in enumerate(("PESQ", "ESTOI")):
            ours, best = (statistics.mean(pair[whose][measure] for pair in pairs) for whose in (0, 1))
            met = ours >= BAR * best
            ok = ok and met
            print(f"{'met' if met else 'MISSED':6} {path}: {name} {ours:.3f}, "
                  f"{100 * ours / best:.0f} % of the optimum of {best:.3f}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
