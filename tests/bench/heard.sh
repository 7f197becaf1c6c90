#!/bin/sh
# gst-tfrc: what is heard of calls on hard paths in virtual time, and of their offline optima, as PESQ and ESTOI of decoded
# speech (docs/voice.md)
#
#   tests/bench/heard.sh             25 and 50 % of loss, about two minutes
#
# PATHS, SEEDS (10) and FIRST_SEED (1001) choose the calls, as in tests/bench/paths.sh.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build bench voice || exit 1

use_build voice || exit 1
build=$TFRC_BUILD
. tests/bench/pesq.sh
make_pesq "$build" || exit 1
out=$build/heard
rm -rf "$out"
make_speech "$out" || exit 1

HEARD=$out FIRST_SEED=${FIRST_SEED:-1001} SEEDS=${SEEDS:-10} PATHS=${PATHS:-loss25 loss50}
export HEARD FIRST_SEED SEEDS PATHS
tests/bench/paths.sh "$build" || exit 1
exec /usr/bin/python3 tests/bench/heard.py --out "$out" --speech "$out/speech.wav" --python "$build/venv/bin/python"
