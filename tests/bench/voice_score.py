#!/usr/bin/python3
# Wideband PESQ (ITU-T P.862.2) of a recording against its reference, window by window.
#
#   voice_score.py REFERENCE.wav RECORDING.wav SECONDS [SKIPPED]     both 16 kHz, mono, 16 bit
#
# Prints one score for each 8 s of the reference's first SECONDS, without the SKIPPED first windows: a recording that
# began in the middle of the reference has none of these, and what follows is looked for within 20 s. The recording may
# start late and drift (jitter buffers do); each window is looked for around where the last one was found. A window in
# which nothing arrived scores 1, the scale's lower end.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import sys
import wave

import numpy as np
from pesq import PesqError, pesq

RATE = 16000


def read(name):
    with wave.open(name) as w:
        if (w.getframerate(), w.getnchannels(), w.getsampwidth()) != (RATE, 1, 2):
            sys.exit(f"{name}: not 16 kHz, mono, 16 bit")
        return np.frombuffer(w.readframes(w.getnframes()), np.int16).astype(np.float64)


def envelope(signal, step=160):
    """The level in 10 ms steps: enough to align by, and not fooled by the codec's phase."""
    n = len(signal) // step
    level = np.log10(1 + np.sqrt(np.mean(signal[:n * step].reshape(n, step) ** 2, axis=1)))
    return level


def best_lag(reference, recording, around, reach):
    """Where in `recording` (10 ms steps) `reference` fits best, near `around`."""
    best, lag = -2.0, around
    for start in range(around - reach, around + reach + 1):
        piece = recording[max(0, start):max(0, start + len(reference))]
        if len(piece) < len(reference) // 2 or start < 0:
            continue
        a, b = reference[:len(piece)], piece
        if a.std() == 0 or b.std() == 0:
            continue
        score = float(np.mean((a - a.mean()) * (b - b.mean())) / (a.std() * b.std()))
        if score > best:
            best, lag = score, start
    return lag


def scores(reference, recording, skipped):
    level, heard = envelope(reference), envelope(recording)
    step = 800
    begin = skipped * step
    shift = best_lag(level[begin:begin + 4 * step], heard, begin, 2000 if skipped else 300) - begin
    for first in range(begin, len(level) - step + 1, step):
        shift = best_lag(level[first:first + step], heard, first + shift, 60) - first
        start = max(0, (first + shift) * 160)
        piece = recording[start:start + step * 160]
        wanted = reference[first * 160:(first + step) * 160]
        if len(piece) < len(wanted):
            piece = np.concatenate([piece, np.zeros(len(wanted) - len(piece))])
        try:
            yield 1.0 if not piece.any() else pesq(RATE, wanted.astype(np.int16), piece.astype(np.int16), "wb")
        except PesqError:
            yield 1.0


def main():
    reference = read(sys.argv[1])[:int(float(sys.argv[3]) * RATE)]
    skipped = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    for score in scores(reference, read(sys.argv[2]), skipped):
        print(f"{score:.3f}")


main()
