#!/bin/sh
# The lab: builds its two programs and runs the papers' experiments (docs/lab.md).
#
#   tests/lab/run.sh [--quick | --full | --media] [--list] [--seeds N] [--scheduler ADDRESS] [EXPERIMENT...]
#
# --full (the default) writes docs/lab-results.md, the pages and plots in docs/lab and the
# rows in build/lab/results.csv when no EXPERIMENT is named, else all of it under build/lab.
# An interrupted run goes on where it stopped.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/../.." || exit 1
case " $* " in *" --list "*) exec /usr/bin/python3 tests/lab/lab.py --list ;; esac

. tests/packages.sh
need build lab || exit 1
build=${TFRC_BUILD:-build}
configure "$build" || exit 1
targets="tests/lab/lab-vt tests/lab/lab-vt-1"
grep -q '^build tests/lab/lab-ns3:' "$build/build.ninja" && targets="$targets tests/lab/lab-ns3"
# shellcheck disable=SC2086  # a list
ninja -C "$build" $targets >"$build/lab-build.log" 2>&1 || { tail -n 40 "$build/lab-build.log"; exit 1; }

out=docs
value=
for word in "$@"; do
  case $value$word in
    --rows | --rows-are | --scheduler | --seeds | --jobs | --stage | --csv) value=- ; continue ;;
    -*) ;;
    *) out=$build/lab ;;
  esac
  value=
done
[ -x "$build/tests/lab/lab-ns3" ] && set -- --ns3 "$build/tests/lab/lab-ns3" "$@"
exec nice /usr/bin/python3 tests/lab/lab.py --vt "$build/tests/lab/lab-vt" --vt1 "$build/tests/lab/lab-vt-1" \
    --out "$out" --cache "$build/lab/runs" "$@"
