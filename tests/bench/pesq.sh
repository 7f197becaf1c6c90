# PESQ and the speech that is scored: sourced by tests/bench/voice.sh and tests/bench/page.sh.
# shellcheck shell=sh
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later

# make_pesq BUILD: PESQ and STOI are not in Debian: a virtual environment in the build directory has them.
make_pesq () {
  "$1/venv/bin/python" -c 'import pesq, pystoi' 2>/dev/null && return 0
  { /usr/bin/python3 -m venv "$1/venv" && "$1/venv/bin/pip" install -q numpy pesq pystoi; } || {
    echo "PESQ and STOI (PyPI: pesq, pystoi) could not be installed into $1/venv" >&2; return 1; }
}

# make_speech FOLDER: FOLDER/speech.wav, two minutes of prompts in 16 kHz, mono.
make_speech () {
  mkdir -p "$1" || return 1
  for tfrc_name in demo-instruct demo-congrats demo-moreinfo; do
    cat "$(tfrc_speech $tfrc_name)" || return 1
  done >"$1/speech.g722"
  # An elementary stream has no times of its own, and the decoder wants a segment in time.
  gst-launch-1.0 -q pushfilesrc time-segment=true location="$1/speech.g722" ! audio/G722,rate=16000,channels=1 \
    ! avdec_g722 ! audioconvert ! audio/x-raw,format=S16LE,rate=16000,channels=1 \
    ! wavenc ! filesink location="$1/speech.wav"
}
