#!/bin/sh
# Builds the plugin with libopus 1.6.1 and its neural networks, whatever libopus the system has, runs the
# tests of tfrcopusenc and tfrcopusdec with it, and prints what the networks do for speech on a path that
# loses packets (opus.py). Nothing is installed.
#
#   tests/bench/opus.sh             about three minutes; the build is kept in build-opus
#   tests/bench/opus.sh OPTION...   options of opus.py
#
# The source is the release of libopus with the weights of its networks, which are not in its
# repository. The package opusic-sys of crates.io has it.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
need build test voice || exit 1

package=opusic-sys-0.7.7
sha256=986d749e9dc12035f11bf3ecc83a2a696ff7534d4143be9469a4a0faa25b9fd1
url=https://static.crates.io/crates/opusic-sys/opusic-sys-0.7.7.crate
build=${TFRC_OPUS_BUILD:-$PWD/build-opus}
mkdir -p "$build" || exit 1
prefix=$build/prefix

if [ ! -e "$prefix/include/opus/opus.h" ]; then
  [ -e "$build/$package.tar.gz" ] || curl -fsSL -o "$build/$package.tar.gz" "$url" || exit 1
  echo "$sha256  $build/$package.tar.gz" | sha256sum -c --quiet || { rm -f "$build/$package.tar.gz"; exit 1; }
  tar -xzf "$build/$package.tar.gz" -C "$build" || exit 1
  meson setup "$build/libopus" "$build/$package/opus" --prefix="$prefix" --libdir=lib --buildtype=release \
    -Ddeep-plc=enabled -Ddred=enabled -Dosce=enabled -Dtests=disabled -Ddocs=disabled \
    -Dextra-programs=disabled >"$build/log" 2>&1 && meson install -C "$build/libopus" >>"$build/log" 2>&1 || {
    tail -n 30 "$build/log"; exit 1; }
fi

PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
GST_REGISTRY=$build/registry.bin
export PKG_CONFIG_PATH LD_LIBRARY_PATH GST_REGISTRY
[ -e "$build/plugin/build.ninja" ] || meson setup "$build/plugin" --buildtype=release >"$build/log" 2>&1 || {
  tail -n 30 "$build/log"; exit 1; }
meson compile -C "$build/plugin" gsttfrc check-opus || exit 1
meson test -C "$build/plugin" --no-rebuild opus || exit 1

# PESQ and STOI are not in Debian: a virtual environment has them.
venv=$build/venv
if ! "$venv/bin/python" -c 'import pesq, pystoi' 2>/dev/null; then
  /usr/bin/python3 -m venv "$venv" && "$venv/bin/pip" install -q numpy pesq pystoi || {
    echo "PESQ and STOI (PyPI: pesq, pystoi) could not be installed into $venv" >&2; exit 1; }
fi

speech=$build/speech.wav
for name in demo-instruct demo-congrats demo-moreinfo; do
  cat "$(tfrc_speech $name)" || exit 1
done >"$build/speech.g722"
gst-launch-1.0 -q pushfilesrc time-segment=true location="$build/speech.g722" ! audio/G722,rate=16000,channels=1 \
  ! avdec_g722 ! audioconvert ! audio/x-raw,format=S16LE,rate=16000,channels=1 \
  ! wavenc ! filesink location="$speech" || exit 1

GST_PLUGIN_PATH=$build/plugin/gst/tfrc${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
export GST_PLUGIN_PATH
exec /usr/bin/python3 tests/bench/opus.py --speech "$speech" --out "$build" --python "$venv/bin/python" "$@"
