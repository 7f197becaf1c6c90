#!/bin/sh
# docs/site/build.sh [BUILD]: makes the documentation one site with search: the guides of docs/, a page for
# each element from the comments in its source, and the API of libtfrc, libtfrcadapt and of the rate event.
#
# BUILD (default: build) has the built plugin; the site is BUILD/site/html/index.html. hotdoc, which GStreamer's
# own documentation is made with, is installed from PyPI into BUILD/site/venv.
#
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}")
site=$build/site
# Debian's packages for hotdoc's C parts
needed="libxml2-dev libxslt1-dev libyaml-dev libjson-glib-dev libglib2.0-dev cmake flex libclang-dev llvm-dev
  python3-dev python3-venv python3-gi gir1.2-gstreamer-1.0"
hotdoc_version=0.17.4           # newer ones fetch their theme by git while they are installed

fail() {
  echo "docs/site/build.sh: $1" >&2
  exit 1
}

install_hotdoc() {
  [ ! -x "$site/venv/bin/hotdoc" ] || return 0
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    # shellcheck disable=SC2086 # the list is words
    apt-get install -y -q $needed >"$site/apt.log" 2>&1 || fail "apt-get failed, see $site/apt.log"
  fi
  python3 -m venv "$site/venv"
  echo "setuptools<66" >"$site/constraints.txt"         # hotdoc's setup.py calls what later ones have not
  PIP_CONSTRAINT=$site/constraints.txt "$site/venv/bin/pip" install "hotdoc==$hotdoc_version" >"$site/pip.log" 2>&1 ||
    fail "hotdoc cannot be installed, see $site/pip.log; it needs: $needed"
}

[ -e "$build/gst/tfrc/libgsttfrc.so" ] || fail "no plugin in $build: meson setup build && meson compile -C build"
mkdir -p "$site"
install_hotdoc
GST_PLUGIN_PATH_1_0=$build/gst/tfrc GST_REGISTRY_1_0=$site/registry.bin \
  /usr/bin/python3 docs/site/plugincache.py "$site/plugin.json"
rm -rf "$site/include" "$site/html"
for folder in subprojects/tfrc/include gst/tfrc/include; do
  python3 docs/site/headerdocs.py "$folder" "$site/include"
done
version=$(sed -n "s/.*version: *'\([0-9.]*\)'.*/\1/p" meson.build | head -n 1)
source=$PWD
cd "$site"                      # hotdoc keeps files of its own in the working directory
venv/bin/hotdoc run --project-name gst-tfrc --project-version "$version" \
  --index "$source/docs/site/pages/index.md" --sitemap "$source/docs/site/sitemap.txt" \
  --include-paths "$source/docs" "$source/docs/site/pages" --extra-assets "$source/docs" \
  --gst-index "$source/docs/site/pages/gst-index.md" --gst-plugin-name tfrc --gst-cache-file plugin.json \
  --gst-c-sources "$source/gst/tfrc/*/*.c" "$source/gst/tfrc/*/*.h" \
  --c-index "$source/docs/site/pages/c-index.md" --c-sources "$site/include/*/*.h" "$site/include/*/*/*.h" \
  --c-include-directories "$site/include" --pkg-config-packages gstreamer-1.0 \
  --output "$site" >hotdoc.log 2>&1 || fail "hotdoc failed, see $site/hotdoc.log"
echo "$site/html/index.html"
