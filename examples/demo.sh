#!/bin/sh
# A voice call over a path whose capacity collapses and comes back: installs what is
# missing, builds, runs the three processes and draws what happened.
#
#   examples/demo.sh                  about a minute; the results are in build/demo
#   examples/demo.sh --plain          the same path, Opus at 64 kbit/s without rate control
#   examples/demo.sh --help           the rest
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build demo || exit 1

build=${TFRC_BUILD:-build}
configure "$build" >"${TMPDIR:-/tmp}/tfrc-setup.log" 2>&1 || {
  cat "${TMPDIR:-/tmp}/tfrc-setup.log"; echo "the build could not be set up"; exit 1; }
echo "building" >&2
meson compile -C "$build" >"$build/demo-build.log" 2>&1 || {
  tail -n 30 "$build/demo-build.log"; echo "the build failed"; exit 1; }

if [ ! -s "$build/speech.wav" ]; then
  tfrc_make_speech demo-instruct "$build/speech.wav" || {
    rm -f "$build/speech.wav"; echo "the recording could not be decoded"; exit 1; }
fi
build=$(cd "$build" && pwd) || exit 1
GST_PLUGIN_PATH="$build/gst/tfrc${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
GST_REGISTRY="$build/demo.registry"
export GST_PLUGIN_PATH GST_REGISTRY
exec /usr/bin/python3 examples/demo.py --build "$build" --speech "$build/speech.wav" "$@"
