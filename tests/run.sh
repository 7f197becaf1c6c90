#!/bin/sh
# Builds gst-tfrc in build/ and runs the tests. The last line is the count; the exit
# status is 0 only when something passed and nothing failed. Each test that was
# skipped is named with the reason: it has shown nothing.
#
#   tests/run.sh                both suites: the default one, then the live one
#   tests/run.sh --quick        the default suite alone: deterministic, no real time
#   tests/run.sh --fuzz [NAME]  each libFuzzer program, or that of a name, for two minutes (needs clang);
#                               TFRC_FUZZ_SECONDS is another time
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

# run_fuzzers [NAME]: stops at the first finding, whose input is in the folder of the build. Each
# begins with the inputs of the tree, and keeps those that it finds in the build. Leaks are looked for
# by the test of each fuzzer (suite fuzz), with whole stacks, which makes it ten times slower.
run_fuzzers () {
  command -v clang >/dev/null || {
    echo "the fuzzers need clang and its libFuzzer; on Debian: apt-get install clang libclang-rt-dev"; return 1; }
  meson configure "$build" -Dfuzz=true && ninja -C "$build" build.ninja || return 1
  name=
  # shellcheck disable=SC2046  # a list of names
  meson compile -C "$build" $(meson introspect "$build" --targets |
    grep -o '"name": "fuzz-[a-z]*"' | cut -d '"' -f 4) || return 1
  for fuzzer in "$build"/subprojects/tfrc/tests/fuzz/fuzz-${1:-*} "$build"/tests/fuzz/fuzz-${1:-*}; do
    [ -f "$fuzzer" ] && [ -x "$fuzzer" ] || continue
    name=${fuzzer##*/fuzz-}
    echo "$fuzzer"
    mkdir -p "$build/fuzz-corpus/$name"
    set -- "$build/fuzz-corpus/$name"
    [ ! -d "tests/fuzz/corpus/$name" ] || set -- "$@" "tests/fuzz/corpus/$name"
    ASAN_OPTIONS=fast_unwind_on_malloc=1:detect_leaks=0 G_SLICE=always-malloc \
      "$fuzzer" "$@" -max_total_time="${TFRC_FUZZ_SECONDS:-120}" -len_control=0 -max_len=512 -timeout=20 \
      -artifact_prefix="$build/" -print_final_stats=1 2>&1 | grep -v NEW_FUNC | tail -n 12
    # the status is that of tail: a finding leaves a file
    for found in "$build"/crash-* "$build"/leak-* "$build"/timeout-* "$build"/oom-*; do
      [ ! -e "$found" ] || { echo "finding: $found"; return 1; }
    done
  done
  [ -n "$name" ] || { echo "there is no fuzzer ${1-}"; return 1; }
}

case ${1-} in
  --fuzz) run_fuzzers "${2-}"; exit ;;
  '') run_suite default --suite default; run_suite live --suite live ;;
  --quick) shift; run_suite default --suite default "$@" ;;
  *) run_suite testlog "$@" ;;
esac
# shellcheck disable=SC2086  # a list
exec /usr/bin/python3 tests/count.py $logs
