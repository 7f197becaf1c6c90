#!/bin/sh
# The voice bench: speech quality, delay and fairness of tfrcencodebin ! tfrcsink beside
# every fixed setting of plain opusenc ! udpsink, over thin, lossy and shared paths. Prints
# a table and the bars, and writes voice.csv, voice-bars.csv and voice.png.
#
#   tests/bench/voice.sh                         all, about 15 minutes; as root
#   tests/bench/voice.sh [--jobs N] [--config C] [SCENARIO...]
#
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build bench voice || exit 1
[ "$(id -u)" = 0 ] || { echo "network namespaces need root" >&2; exit 1; }

use_build voice || exit 1
build=$TFRC_BUILD
. tests/bench/pesq.sh
make_pesq "$build" || exit 1
out=$build/voice
speech=$out/speech.wav
make_speech "$out" || exit 1

exec /usr/bin/python3 tests/bench/voice.py --out "$out" --speech "$speech" \
  --emulator "$build/examples/tfrc-path" --python "$build/venv/bin/python" "$@"
