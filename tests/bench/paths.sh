#!/bin/sh
# gst-tfrc: prints the table of hard paths, in virtual time, in a minute (docs/voice.md)
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
#
#   tests/bench/paths.sh [BUILD]
#
# FIRST_SEED (1), SEEDS (30) and PATHS (all) choose the calls. With POINT, as 12000/40/2 (bit/s, ms, copies), a call has that
# operating point only. With FORECAST set, the allowance under which the offline optimum is sought depends on the packet
# rate, as the adaptation forecasts it. MAX_DELAY (500) and LATENCY (400) are, in ms, the delay from capture to playout that the adaptation
# knows of, and the jitter buffer.
set -e
build=${1:-build}
ninja -C "$build" subprojects/tfrc/tests/adapt/path-table >/dev/null
exec "$build/subprojects/tfrc/tests/adapt/path-table"
