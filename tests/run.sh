#!/bin/sh
# Builds gst-tfrc in build/ and runs every test. The last line is the count; the
# exit status is 0 only when something passed and nothing failed.
#
#   tests/run.sh                all tests
#   tests/run.sh ARGUMENT...    the same, with ARGUMENTs for `meson test` (a suite
#                               such as --suite engine, a test's name, ...)
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build test || exit 1

build=${TFRC_BUILD:-build}
configure "$build" || exit 1
meson compile -C "$build" || { echo "the build failed"; exit 1; }

# From Meson 1.7 on, `meson compile` leaves the programs of tests to `meson test`.
rm -f "$build/meson-logs/testlog.json"
meson test -C "$build" --print-errorlogs "$@"
exec /usr/bin/python3 tests/count.py "$build/meson-logs/testlog.json"
