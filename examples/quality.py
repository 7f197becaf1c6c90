#!/usr/bin/python3
"""How well the received recording can be understood: quality.py SAID.wav RECEIVED.wav

Prints for each eight seconds of what was said the short-time objective intelligibility
(STOI; Taal, Hendriks, Heusdens and Jensen, IEEE TASLP 19(7), 2011) of what was received,
0 to 1, where 0.9 and more is clear speech. With the
module `pesq` also the wideband PESQ (ITU-T P.862.2), 1 to 4.64.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import sys
import wave

import numpy

RATE = 16000
SEGMENT = 8 * RATE
PESQ_HOW = ("for PESQ: python3 -m venv venv && venv/bin/pip install numpy pesq && "
            "venv/bin/python {} {} {}")

STOI_RATE, FRAME, FFT, BANDS, LOWEST, SPAN, CLIP = 10000, 256, 512, 15, 150.0, 30, -15.0


def read(name):
    with wave.open(name) as sound:
        if (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) != (RATE, 1, 2):
            sys.exit(f"{name}: not 16 kHz, mono, 16 bit")
        return numpy.frombuffer(sound.readframes(sound.getnframes()), "<i2") / 32768.0


def correlate(long, short):
    """Normalised correlation of `short` at each place in `long`."""
    size = 1 << (len(long) + len(short)).bit_length()
    spectrum = numpy.fft.rfft(long, size) * numpy.conj(numpy.fft.rfft(short, size))
    raw = numpy.fft.irfft(spectrum, size)[:len(long) - len(short) + 1]
    energy = numpy.cumsum(numpy.concatenate(([0.0], long ** 2)))
    energy = energy[len(short):] - energy[:-len(short)]
    return raw / numpy.sqrt(numpy.maximum(energy * numpy.sum(short ** 2), 1e-9))


def piece(signal, begin, length):
    """The samples from `begin` on, with silence outside of the signal."""
    before, after = max(0, -begin), max(0, begin + length - len(signal))
    return numpy.pad(signal[max(0, begin):max(0, begin + length)],
                     (min(before, length), min(after, length)))[:length]


def align(said, received, at, slack, length):
    """Where `length` samples of `said` from `at` on are in `received`: (offset, likeness)."""
    likeness = correlate(piece(received, at - slack, length + 2 * slack), said[at:at + length])
    best = int(numpy.argmax(likeness))
    return best - slack, float(likeness[best])


def resample(signal, rate):
    """By the spectrum: exact for what lies below both half rates."""
    count = int(len(signal) * rate / RATE)
    return numpy.fft.irfft(numpy.fft.rfft(signal)[:count // 2 + 1], count) * count / len(signal)


def frames(signal):
    window = numpy.hanning(FRAME + 2)[1:-1]
    starts = range(0, len(signal) - FRAME + 1, FRAME // 2)
    return numpy.array([signal[i:i + FRAME] * window for i in starts])


def third_octaves(framed):
    frequencies = numpy.arange(FFT // 2 + 1) * STOI_RATE / FFT
    power = numpy.abs(numpy.fft.rfft(framed, FFT, axis=1)) ** 2
    centres = LOWEST * 2.0 ** (numpy.arange(BANDS) / 3)
    return numpy.array([numpy.sqrt(power[:, (frequencies >= centre * 2 ** (-1 / 6))
                                         & (frequencies < centre * 2 ** (1 / 6))].sum(axis=1))
                        for centre in centres])


def unit(rows):
    centred = rows - rows.mean(axis=-1, keepdims=True)
    return centred / (numpy.linalg.norm(centred, axis=-1, keepdims=True) + 1e-12)


def stoi(said, received):
    clean, other = frames(resample(said, STOI_RATE)), frames(resample(received, STOI_RATE))
    loudness = 20 * numpy.log10(numpy.linalg.norm(clean, axis=1) + 1e-12)
    spoken = loudness > loudness.max() - 40
    clean, other = third_octaves(clean[spoken]), third_octaves(other[spoken])
    scores = []
    for end in range(SPAN, clean.shape[1] + 1):
        x, y = clean[:, end - SPAN:end], other[:, end - SPAN:end]
        scale = numpy.linalg.norm(x, axis=1, keepdims=True) / (
            numpy.linalg.norm(y, axis=1, keepdims=True) + 1e-12)
        y = numpy.minimum(y * scale, x * (1 + 10 ** (-CLIP / 20)))
        scores.append((unit(x) * unit(y)).sum(axis=1).mean())
    return float(numpy.mean(scores)) if scores else float("nan")


def pesq_function():
    try:
        import pesq
    except ImportError:
        return None

    def score(said, received):
        try:
            return pesq.pesq(RATE, said, received, "wb")
        except pesq.PesqError:
            return float("nan")
    return score


def segments(said, received):
    """(start in s, what was said, what was received) for each eight seconds; the latter as it
    came, and with each second of it put where it belongs: a jitter buffer moves its time of
    playing with the delay of the path, which a listener hardly hears."""
    at_offset, _ = align(said, received, 0, 2 * RATE, SEGMENT)
    for at in range(0, min(len(said), len(received)) - SEGMENT + 1, SEGMENT):
        came, pieces = piece(received, at + at_offset, SEGMENT), []
        for begin in range(at, at + SEGMENT, RATE):
            offset, likeness = align(said, received, begin, RATE, RATE)
            if likeness > 0.3:
                at_offset = offset
            pieces.append(piece(received, begin + at_offset, RATE))
        yield at / RATE, said[at:at + SEGMENT], came, numpy.concatenate(pieces)


def main():
    said, received = read(sys.argv[1]), read(sys.argv[2])
    pesq, scores = pesq_function(), []
    for at, clean, came, placed in segments(said, received):
        scores.append((at, stoi(clean, placed), pesq(clean, came) if pesq else None))
    if not scores:
        print("less than eight seconds of voice: not judged")
        return 0
    print("from s " + "".join(f"{at:7.0f}" for at, _, _ in scores) + "   mean")
    print("STOI   " + "".join(f"{value:7.2f}" for _, value, _ in scores)
          + f"{numpy.nanmean([value for _, value, _ in scores]):7.2f}")
    if pesq:
        print("PESQ   " + "".join(f"{value:7.2f}" for _, _, value in scores)
              + f"{numpy.nanmean([value for _, _, value in scores]):7.2f}")
    else:
        print(PESQ_HOW.format(*sys.argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
