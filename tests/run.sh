#!/bin/sh
# Builds gst-tfrc in build/ and runs the tests. The last line is the count; the exit
# status is 0 only when something passed and nothing failed. Each test that was
# skipped is named with the reason: it has shown nothing.
#
#   tests/run.sh                both suites: the default one, then the live one
#   tests/run.sh --quick        the default suite alone: deterministic, no real time
#   tests/run.sh ARGUMENT...    what `meson test` runs with these ARGUMENTs (a suite
#                               such as --suite engine, a test's name, ...)
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build test || exit 1
need style || echo "the tests of the style that need these are skipped"

build=${TFRC_BUILD:-build}
configure "$build" || exit 1
meson compile -C "$build" || { echo "the build failed"; exit 1; }

# run_suite NAME ARGUMENT...: the log gets that name.
logs=
run_suite () {
  log=$build/meson-logs/$1.json
  rm -f "$log"
  logs="$logs $log"
  # From Meson 1.7 on, `meson compile` leaves programs of tests that are not built by
  # default to `meson test`.
  meson test -C "$build" --print-errorlogs --logbase "$@"
}

case ${1-} in
  '') run_suite default --suite default; run_suite live --suite live ;;
  --quick) shift; run_suite default --suite default "$@" ;;
  *) run_suite testlog "$@" ;;
esac
# shellcheck disable=SC2086  # a list
exec /usr/bin/python3 tests/count.py $logs
