#!/bin/sh
# Runs the tests under a checker and prints its verdict, from meson's own log.
#
#   tests/sanitize.sh address     all but the lab under AddressSanitizer (with leaks) and UBSan
#   tests/sanitize.sh thread      the plugin's tests under ThreadSanitizer
#   tests/sanitize.sh valgrind    the plugin's tests under valgrind; keep the machine idle
#   tests/sanitize.sh all         the three, one after another
#
# More arguments go to `meson test`, such as a test's name.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
top=$PWD
kind=${1:-}
[ $# -eq 0 ] || shift

# What is run and no more: the lab and the bench take longest to compile.
list_targets () {
  case $kind in
    address) wanted='^(examples|gst|subprojects/tfrc/tests/((adapt/)?(test|fuzz)|bench/breaker)|tests/(check|live|test_))' ;;
    *) wanted='^(gst|tests/(check|live))' ;;
  esac
  ninja -C "$build" -t targets all |
    sed -nE 's/^([^:]*): (c_LINKER|CUSTOM_COMMAND)$/\1/p' | grep -E "$wanted"
}

set_up () {
  build=${TFRC_BUILD:-build}-$kind
  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$@" >/dev/null || exit 1
  fi
  # the list is as new as the build's own description
  ninja -C "$build" build.ninja >/dev/null
  # shellcheck disable=SC2046  # a list
  ninja -C "$build" $(list_targets) >"$build/build.log" 2>&1 || {
    tail -n 30 "$build/build.log"; echo "the build failed"; exit 1; }
  build=$(cd "$build" && pwd)
  rm -f "$build"/meson-logs/testlog*.json
}

# Lists the plugins once, outside of the tests: loading all of a system's plugins takes
# minutes under a checker, and their leaks are not ours.
warm_registry () {
  GST_PLUGIN_PATH_1_0="$build/gst/tfrc" GST_REGISTRY_1_0="$build/tests/check/registry.bin" \
    LD_PRELOAD="$1" ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=report_bugs=0 GST_REGISTRY_FORK=no \
    gst-inspect-1.0 tfrc >"$build/registry.log" 2>&1 ||
    { cat "$build/registry.log"; echo "the plugin cannot be loaded"; exit 1; }
}

# One line from the log of the run, and what it means.
verdict () {
  log=$(find "$build/meson-logs" -name 'testlog*.json' 2>/dev/null | head -n 1)
  line=$(/usr/bin/python3 tests/count.py "${log:-none}")
  status=$?
  echo "$line"
  if [ $status -eq 0 ]; then echo "$kind: clean"; else echo "$kind: NOT CLEAN"; fi
  return $status
}

# TFRC_CHECKER is the command that puts a program under the checker. A checker judges memory, and
# not what a machine that it slows down achieves in real time, so tests/live/play.py skips live tests
# that fail by an assertion under it. The slow encoders take minutes, the lab an hour; the documents'
# checks, recipes and video calls run in a Python that is not instrumented, and a build that is installed is whole.
run_tests () {
  GST_REGISTRY_FORK=no G_SLICE=always-malloc CK_TIMEOUT_MULTIPLIER=8 \
  GST_CHECKS_IGNORE='a_slow_encoder_*' \
    meson test -C "$build" --no-rebuild --print-errorlogs --no-suite lab \
    --no-suite recipe --no-suite video --no-suite docs --no-suite install "$@"
}

# intercept_tls_get_addr=0: up to GCC 13 the runtime takes a thread's variables of a plugin
# for a block of glibc before 2.25 when their address is 16 bytes into a page, which malloc gives
# now and then, takes its place from the two words before it, and LeakSanitizer then dies
# there ("Tracer caught signal 11"). What such variables alone point at may now be reported as a leak.
address () {
  need build test || return 1
  set_up -Db_sanitize=address,undefined -Db_lundef=false
  warm_registry "$(cc -print-file-name=libasan.so)"
  ASAN_OPTIONS=suppressions=$top/tests/sanitize/asan.supp:detect_leaks=1:abort_on_error=1:malloc_context_size=20:fast_unwind_on_malloc=0:intercept_tls_get_addr=0 \
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
  LSAN_OPTIONS="suppressions=$top/tests/sanitize/lsan.supp:print_suppressions=0" \
  TFRC_CHECKER=env \
    run_tests -t 6 "$@"
  verdict
}

thread () {
  need build test || return 1
  set_up -Db_sanitize=thread -Db_lundef=false
  # shellcheck disable=SC2046  # a list of options
  cc -O1 -fPIC -shared -o "$build/glib-tsan.so" tests/sanitize/glib-tsan.c \
    $(pkg-config --cflags gstreamer-1.0) -ldl || return 1
  warm_registry "$(cc -print-file-name=libtsan.so)"
  TSAN_OPTIONS="suppressions=$top/tests/sanitize/tsan.supp:ignore_noninstrumented_modules=1:detect_deadlocks=0:die_after_fork=0:halt_on_error=0:exitcode=66" \
  TFRC_CHECKER="env LD_PRELOAD=$(cc -print-file-name=libtsan.so):$build/glib-tsan.so" \
    run_tests -t 10 --suite elements --wrapper "$top/tests/sanitize/wrap.sh" "$@"
  verdict
}

valgrind_ () {
  need build test san || return 1
  set_up -Dbuildtype=debug
  warm_registry ""
  TFRC_CHECKER="valgrind --quiet --max-stackframe=8000000 --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite --num-callers=25 --suppressions=$top/tests/sanitize/valgrind.supp" \
    run_tests -t 40 --suite elements --wrapper "$top/tests/sanitize/wrap.sh" "$@"
  verdict
}

case $kind in
  address|thread) $kind "$@" ;;
  valgrind) valgrind_ "$@" ;;
  all)
    worst=0
    for each in address thread valgrind; do "$0" $each "$@" || worst=1; done
    exit $worst ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 1 ;;
esac
