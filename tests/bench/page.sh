#!/bin/sh
# What a browser hears: PESQ of what a headless Chromium plays, beside that of our own receiver, and what TFRC allows
# both, over thin, lossy and changing paths; and of a voice with pictures in one bundle. Prints a table; the exit status
# says whether all bars are met.
#
#   tests/bench/page.sh                        all, about 16 minutes; as root
#   tests/bench/page.sh [--seed N] [PATH...]
#
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build test bench voice || exit 1
[ "$(id -u)" = 0 ] || { echo "network namespaces need root" >&2; exit 1; }

use_build page || exit 1
build=$TFRC_BUILD
. tests/bench/pesq.sh
make_pesq "$build" || exit 1
make_speech "$build/voice" || exit 1

exec /usr/bin/python3 tests/bench/page.py "$build" --out "$build/voice" --speech "$build/voice/speech.wav" \
  --python "$build/venv/bin/python" "$@"
