#!/bin/sh
# The voice bench: speech quality, delay and fairness of tfrcencodebin ! tfrcsink beside
# every fixed setting of plain opusenc ! udpsink, over thin, lossy and shared paths. Prints
# a table and the bars, and writes voice.csv, voice-bars.csv and voice.png.
#
#   tests/bench/voice.sh                         all, about 13 minutes; as root
#   tests/bench/voice.sh [--jobs N] [--config C] [SCENARIO...]
#
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build bench voice || exit 1
[ "$(id -u)" = 0 ] || { echo "network namespaces need root" >&2; exit 1; }

build=${TFRC_BUILD:-build}
configure "$build" || exit 1
meson compile -C "$build" || exit 1
build=$(cd "$build" && pwd)

# PESQ is not in Debian: a virtual environment in the build directory has it.
venv=$build/venv
if ! "$venv/bin/python" -c 'import pesq' 2>/dev/null; then
  /usr/bin/python3 -m venv "$venv" && "$venv/bin/pip" install -q numpy pesq || {
    echo "PESQ (PyPI: pesq) could not be installed into $venv" >&2; exit 1; }
fi

out=$build/voice
mkdir -p "$out"
speech=$out/speech.wav
for name in demo-instruct demo-congrats demo-moreinfo; do
  cat "$(tfrc_speech $name)" || exit 1
done >"$out/speech.g722"
# An elementary stream has no times of its own, and the decoder wants a segment in time.
gst-launch-1.0 -q pushfilesrc time-segment=true location="$out/speech.g722" ! audio/G722,rate=16000,channels=1 \
  ! avdec_g722 ! audioconvert ! audio/x-raw,format=S16LE,rate=16000,channels=1 \
  ! wavenc ! filesink location="$speech" || exit 1

GST_PLUGIN_PATH=$build/gst/tfrc${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
export GST_PLUGIN_PATH
exec /usr/bin/python3 tests/bench/voice.py --out "$out" --speech "$speech" \
  --emulator "$build/examples/tfrc-path" --python "$venv/bin/python" "$@"
