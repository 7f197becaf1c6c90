#!/usr/bin/python3
"""Measures what listeners hear of each operating point, and writes the engine's table.

Real speech is encoded and decoded by GStreamer's own elements, packets are lost
at random, and wideband PESQ (ITU-T P.862.2) scores the result. Each mean score becomes
an effective equipment impairment Ie,eff of the E-model (ITU-T G.107.1).

    apt-get install asterisk-core-sounds-en-g722 alsa-utils pocketsphinx-testdata sox \\
        gstreamer1.0-tools gstreamer1.0-plugins-{base,good,bad,ugly} gstreamer1.0-libav python3-gst-1.0 python3-numpy
    pip install --target DIR pesq
    PYTHONPATH=DIR tools/calibrate.py measure results.csv [--quick] [--codec opus ...]
    tools/calibrate.py table results.csv > adapt/codec-impairment-table.h

Or for one codec, whose lines then take the place of the old ones:

    PYTHONPATH=DIR tools/calibrate.py measure speex.csv --codec SPEEX
    tools/calibrate.py table speex.csv

`measure` adds to results.csv what is not in it yet, so that it can be stopped and
taken up again; a full run takes some hours on one core. The same seeds give the
same losses: the run can be repeated.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import csv
import glob
import multiprocessing
import os
import random
import subprocess
import sys
import zlib

RATE = 16000
CLIP_SECONDS = 8
SPEECH = [
    "/usr/share/asterisk/sounds/en_US_f_Allison/demo-instruct.g722",
    "/usr/share/asterisk/sounds/en_US_f_Allison/demo-congrats.g722",
    "/usr/share/asterisk/sounds/en_US_f_Allison/priv-callee-options.g722",
]
PROMPTS = sorted(p for p in glob.glob("/usr/share/sounds/alsa/*.wav") if "Noise" not in p)

# The speech above was coded with G.722 once already, which a second time does little to:
# G.722 is measured on speech that never was. It scores 3.89 there, Ie 30, where ITU-T G.113
# gives 13; on the same clips Opus scores as on the others (24 kbit/s: 4.31 and 4.35).
READINGS = sorted(glob.glob("/usr/share/pocketsphinx/test/data/librivox/*.wav")
                  + glob.glob("/usr/share/pocketsphinx/test/data/cards/*.wav"))
UNCODED_ONLY = {"G722"}

LOSSES = [0.0, 0.01, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3]

CONCEAL = "audioconvert ! spanplc"

# name: (encoder, decoder, raw caps, bit rates, frame lengths in ms, in-band FEC).
# An encoder of single samples makes 8 bytes a millisecond, cut into packets here.
CODECS = {
    "OPUS": (
        "opusenc audio-type=voice bandwidth=auto bitrate={bitrate} frame-size={ms} "
        "inband-fec={fec} packet-loss-percentage={loss}",
        "opusdec plc=true use-inband-fec={fec}", "rate=48000,channels=1",
        [6000, 8000, 10000, 12000, 16000, 20000, 24000, 32000, 40000, 48000, 64000, 96000, 128000],
        [10, 20, 40, 60], [False, True]),
    "G722": ("avenc_g722", f"avdec_g722 ! {CONCEAL}", "rate=16000,channels=1",
             [64000], [10, 20, 40, 60], [False]),
    "PCMU": ("mulawenc", f"mulawdec ! {CONCEAL}", "rate=8000,channels=1",
             [64000], [10, 20, 40, 60], [False]),
    "PCMA": ("alawenc", f"alawdec ! {CONCEAL}", "rate=8000,channels=1",
             [64000], [10, 20, 40, 60], [False]),
    "GSM": ("gsmenc", f"gsmdec ! {CONCEAL}", "rate=8000,channels=1", [13200], [20], [False]),
    "AMR-WB": ("voamrwbenc band-mode={mode}", f"amrwbdec ! {CONCEAL}", "rate=16000,channels=1",
               [6600, 8850, 12650, 14250, 15850, 18250, 19850, 23050, 23850], [20], [False]),
    "SPEEX": ("speexenc mode=wb bitrate={bitrate}", f"speexdec ! {CONCEAL}", "rate=16000,channels=1",
              [7750, 9800, 12800, 16800, 20600, 27800], [20], [False]),
}
SAMPLED = {"G722", "PCMU", "PCMA"}

PCM = f"audio/x-raw,format=S16LE,layout=interleaved,rate={RATE},channels=1"


# --- speech ------------------------------------------------------------------

def sox(*args):
    import numpy
    raw = subprocess.run(["sox", *args, "-t", "raw", "-e", "signed", "-b", "16", "-c", "1",
                          "-r", str(RATE), "-"], check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return numpy.frombuffer(raw, dtype="<i2")


def g722(path):
    """G.722 at 64 kbit/s without a container: 8 bytes a millisecond."""
    data = open(path, "rb").read()

    def feed(src, Gst):
        src.set_property("caps", Gst.Caps.from_string("audio/G722,rate=16000,channels=1"))
        for at in range(0, len(data), 160):
            buf = Gst.Buffer.new_wrapped(data[at:at + 160])
            buf.pts, buf.duration = at // 8 * Gst.MSECOND, 20 * Gst.MSECOND
            src.emit("push-buffer", buf)

    return samples_of(run_pipeline(f"avdec_g722 ! audioconvert ! audioresample ! {PCM}", feed))


def clips(quick, uncoded):
    """Eight-second pieces of speech with some level in them, 16 kHz."""
    import numpy
    if uncoded:
        sounds = [numpy.concatenate([sox(path) for path in READINGS + PROMPTS])]
    else:
        sounds = [g722(path) for path in SPEECH[:1 if quick else None]]
        if PROMPTS and not quick:
            sounds.append(numpy.concatenate([sox(path) for path in PROMPTS]))
    size = CLIP_SECONDS * RATE
    out = []
    for sound in sounds:
        for at in range(0, len(sound) - size + 1, size):
            piece = sound[at:at + size]
            if numpy.sqrt(numpy.mean(piece.astype(float) ** 2)) > 300:
                out.append(piece)
    return out[:3] if quick else out


# --- GStreamer ---------------------------------------------------------------

def run_pipeline(line, feed):
    """Runs `appsrc ! line ! appsink`; `feed` gets the appsrc. Yields the samples."""
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstApp", "1.0")
    from gi.repository import Gst, GstApp  # noqa: F401
    if not Gst.is_initialized():
        Gst.init(None)
    pipe = Gst.parse_launch(f"appsrc name=in format=time max-bytes=0 ! {line} ! "
                            "appsink name=out sync=false max-buffers=0")
    pipe.set_state(Gst.State.PLAYING)
    feed(pipe.get_by_name("in"), Gst)
    pipe.get_by_name("in").end_of_stream()
    out, sink = [], pipe.get_by_name("out")
    while True:
        sample = sink.pull_sample()
        if sample is None:
            break
        out.append(sample)
    error = pipe.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipe.set_state(Gst.State.NULL)
    if error is not None:
        raise RuntimeError(error.parse_error()[0].message)
    return out


def samples_of(samples):
    import numpy
    return numpy.frombuffer(b"".join(
        s.get_buffer().extract_dup(0, s.get_buffer().get_size()) for s in samples), dtype="<i2")


def encode(codec, bitrate, ms, fec, loss, clip):
    """The packets of a clip: (bytes, pts, duration), and their caps."""
    enc, _, raw, rates, *_ = CODECS[codec]
    line = enc.format(bitrate=bitrate, ms=ms, fec=str(fec).lower(), loss=round(100 * loss),
                      mode=rates.index(bitrate))

    def feed(src, Gst):
        src.set_property("caps", Gst.Caps.from_string(PCM))
        buf = Gst.Buffer.new_wrapped(clip.tobytes())
        buf.pts, buf.duration = 0, CLIP_SECONDS * Gst.SECOND
        src.emit("push-buffer", buf)

    samples = run_pipeline(f"audioconvert ! audioresample ! audio/x-raw,{raw} ! {line}", feed)
    from gi.repository import Gst
    header = Gst.BufferFlags.HEADER
    caps = samples[0].get_caps().to_string()
    buffers = [s.get_buffer() for s in samples]
    if codec in SAMPLED:
        data = b"".join(b.extract_dup(0, b.get_size()) for b in buffers)
        return [(data[at:at + 8 * ms], at // 8 * 1000000, ms * 1000000)
                for at in range(0, len(data), 8 * ms)], caps
    return [(b.extract_dup(0, b.get_size()), b.pts, ms * 1000000) for b in buffers
            if not b.has_flags(header)], caps


def decode(codec, packets, caps, fec, lost):
    def to_gaps(pad, info):
        from gi.repository import Gst
        buf = info.get_buffer()
        if buf.get_size() > 0:
            return Gst.PadProbeReturn.OK
        pad.get_peer().send_event(Gst.Event.new_gap(buf.pts, buf.duration))
        return Gst.PadProbeReturn.DROP

    def feed(src, Gst):
        src.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, to_gaps)
        src.set_property("caps", Gst.Caps.from_string(caps))
        for i, (data, pts, duration) in enumerate(packets):
            buf = Gst.Buffer.new() if i in lost else Gst.Buffer.new_wrapped(data)
            buf.pts, buf.duration = pts, duration
            src.emit("push-buffer", buf)

    dec = CODECS[codec][1].format(fec=str(fec).lower())
    return samples_of(run_pipeline(f"{dec} ! audioconvert ! audioresample ! {PCM}", feed))


# --- measuring ---------------------------------------------------------------

def seed_of(*key):
    return zlib.crc32(repr(key).encode())


def measure_one(job):
    codec, bitrate, ms, fec, index = job
    from pesq import NoUtterancesError, pesq
    clip = CLIPS[index]
    rows = []
    packets, caps = None, None
    for loss in LOSSES:
        if packets is None or fec:      # an encoder that protects expects the loss
            packets, caps = encode(codec, bitrate, ms, fec, loss, clip)
        # The seed does not depend on the bit rate, so that neighbours in the
        # ladder meet the same losses.
        draw = random.Random(seed_of(ms, loss, index))
        lost = {i for i in range(1, len(packets)) if draw.random() < loss}
        sound = decode(codec, packets, caps, fec, lost)
        try:
            mos = pesq(RATE, clip, sound[:len(clip)], "wb")
        except NoUtterancesError:
            mos = 1.0
        rate = 8.0 * sum(len(d) for d, _, _ in packets) / (len(packets) * ms * 1e-3)
        rows.append((codec, bitrate, ms, int(fec), loss, index, f"{mos:.4f}", f"{rate:.0f}"))
    return rows


def load_clips(quick, uncoded):
    global CLIPS
    CLIPS = clips(quick, uncoded)


def count_clips(quick, uncoded):
    return len(clips(quick, uncoded))


def measure(args):
    # GStreamer does not survive a fork: only the workers ever start it.
    choice = (args.quick, args.uncoded)
    pool = multiprocessing.get_context("spawn").Pool(args.jobs, load_clips, choice)
    n_clips = pool.apply(count_clips, choice)
    done = set()
    if os.path.exists(args.results):
        with open(args.results) as f:
            done = {(r["codec"], int(r["bitrate"]), int(r["ms"]), bool(int(r["fec"])), int(r["clip"]))
                    for r in csv.DictReader(f)}
    else:
        with open(args.results, "w") as f:
            f.write("codec,bitrate,ms,fec,loss,clip,mos,measured_bitrate\n")
    jobs = []
    for index in range(n_clips):
        for codec in args.codec or CODECS:
            if (codec in UNCODED_ONLY) > args.uncoded:
                continue
            _, _, _, rates, frames, fecs = CODECS[codec]
            for bitrate in rates:
                for ms in frames:
                    for fec in fecs:
                        if fec and (bitrate > 40000 or ms < 20):
                            continue
                        job = (codec, bitrate, ms, fec, index)
                        if job not in done:
                            jobs.append(job)
    print(f"{n_clips} clips, {len(jobs)} jobs", file=sys.stderr)
    with pool, open(args.results, "a") as f:
        for n, rows in enumerate(pool.imap(measure_one, jobs)):
            csv.writer(f, lineterminator="\n").writerows(rows)
            f.flush()
            if n % 50 == 0:
                print(f"{n}/{len(jobs)}", file=sys.stderr)


# --- fitting -----------------------------------------------------------------

def mos_of(rating):
    r = rating / 1.29
    if r <= 0:
        return 1.0
    if r >= 100:
        return 4.5
    return min(4.5, max(1.0, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6))


def rating_of(mos):
    low, high = 6.5 * 1.29, 129.0
    for _ in range(40):
        mid = (low + high) / 2
        low, high = (mid, high) if mos_of(mid) < mos else (low, mid)
    return (low + high) / 2


def impairments(points):
    """Ie,eff at each loss rate; more loss never sounds better."""
    out, worst = [], 0.0
    for loss in LOSSES:
        worst = max(worst, 129.0 - rating_of(min(points[loss], 4.5)))
        out.append(worst)
    return out


def fit(args):
    groups = {}
    with open(args.results) as f:
        for r in csv.DictReader(f):
            if r["codec"] not in CODECS:
                continue
            key = (r["codec"], int(r["bitrate"]), int(r["ms"]), int(r["fec"]))
            groups.setdefault(key, {}).setdefault(float(r["loss"]), []).append(float(r["mos"]))
    clips_used = max(len(m) for g in groups.values() for m in g.values())
    print(f"""/* tfrcadapt: the measured impairment of speech, wideband (generated)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Written by `tools/calibrate.py table results.csv`; its head says how to measure.
 * {clips_used} clips of {CLIP_SECONDS} s from Debian's asterisk-core-sounds-en-g722 and alsa-utils (--uncoded:
 * pocketsphinx-testdata and alsa-utils).
 * Codec, bit/s, frame in ms, in-band FEC, and Ie,eff (G.107.1) for random packet
 * losses of {", ".join(f"{100 * l:g}" for l in LOSSES)} %; the comment holds the mean scores. */""")
    order = list(CODECS)
    for key in sorted(groups, key=lambda k: (order.index(k[0]), k[2], k[3], k[1])):
        points = {loss: sum(m) / len(m) for loss, m in groups[key].items()}
        codec = key[0].replace("-", "_")
        scores = " ".join(f"{points[l]:.2f}" for l in LOSSES)
        Ie = ", ".join(f"{i:.1f}" for i in impairments(points))
        print(f"{{TFRC_ADAPT_CODEC_{codec}, {key[1]}, {key[2]}, {'true' if key[3] else 'false'}, "
              f"{{{{{Ie}}}}}}}, /* {scores} */")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(required=True)
    m = sub.add_parser("measure")
    m.add_argument("results")
    m.add_argument("--quick", action="store_true", help="three clips only")
    m.add_argument("--uncoded", action="store_true",
                   help="speech that no codec has touched: for G722, which is left out without")
    m.add_argument("--codec", action="append", choices=sorted(CODECS))
    m.add_argument("--jobs", type=int, default=1)
    m.set_defaults(run=measure)
    f = sub.add_parser("table")
    f.add_argument("results")
    f.set_defaults(run=fit)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
