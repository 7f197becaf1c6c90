#!/bin/sh
# Measures gst-tfrc against its peers in one run: a table of bars and figures, and a CSV.
#
#   tests/bench/run.sh              everything, about half an hour; keep the machine idle
#   tests/bench/run.sh --quick      each figure once, shorter
#   tests/bench/run.sh cpu rate     only these: engine cpu departure feedback rate bound call calls most
#   tests/bench/run.sh calls        the bars of many calls, ten minutes at most
#   tests/bench/run.sh --before DIR call    one call beside one of tfrcsink and tfrcsrc of another build
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build bench || exit 1

build=${TFRC_BUILD:-build-bench}
configure "$build" --buildtype=release >/dev/null || exit 1
meson compile -C "$build" gsttfrc tfrc-path tfrc-relay tfrc-bench tfrc-calls tfrc-churn bench-engine \
  >"$build/bench-build.log" 2>&1 || {
  tail -n 30 "$build/bench-build.log"; echo "the build failed"; exit 1; }
build=$(cd "$build" && pwd) || exit 1
GST_PLUGIN_PATH="$build/gst/tfrc${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
GST_REGISTRY="$build/bench.registry"
export GST_PLUGIN_PATH GST_REGISTRY
exec /usr/bin/python3 tests/bench/bench.py --build "$build" "$@"
