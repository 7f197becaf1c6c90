#!/usr/bin/python3
# Wideband PESQ (ITU-T P.862.2, mean of windows of 8 s) and ESTOI of a recording against its reference.
#
#   opus_score.py REFERENCE.wav RECORDING.wav     both 16 kHz, mono, 16 bit, without drift
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import sys
import wave

import numpy as np
from pesq import PesqError, pesq
from pystoi import stoi

RATE = 16000
WINDOW = 8 * RATE


def read(name):
    with wave.open(name) as w:
        return np.frombuffer(w.readframes(w.getnframes()), np.int16).astype(np.float64)


def get_lag(reference, recording):
    """By how many samples the recording is late, from the first 20 s; negative: early."""
    n = 20 * RATE
    size = 2 * n
    spectrum = np.fft.rfft(recording[:n], size) * np.conj(np.fft.rfft(reference[:n], size))
    lag = int(np.argmax(np.fft.irfft(spectrum, size)))
    return lag - size if lag > n else lag


def main():
    reference, recording = read(sys.argv[1]), read(sys.argv[2])
    lag = get_lag(reference, recording)
    recording = recording[lag:] if lag >= 0 else np.concatenate([np.zeros(-lag), recording])
    n = min(len(reference), len(recording)) // WINDOW * WINDOW
    scores = []
    for i in range(0, n, WINDOW):
        try:
            scores.append(pesq(RATE, reference[i:i + WINDOW].astype(np.int16),
                               recording[i:i + WINDOW].astype(np.int16), "wb"))
        except PesqError:
            scores.append(1.0)
    print(f"{np.mean(scores):.3f} {stoi(reference[:n], recording[:n], RATE, extended=True):.4f}")


main()
