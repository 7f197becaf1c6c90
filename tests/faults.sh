#!/bin/sh
# The fault matrix: what happens to calls, and how soon there is voice again, as a table.
#
#   tests/faults.sh                       all rows, four at once, in under 15 minutes
#   tests/faults.sh --list                their names
#   tests/faults.sh [--jobs N] PATTERN... the rows whose names match a PATTERN
#
# Needs root, for network namespaces. The last line is the count; the exit status is 0 when no row failed.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build test || exit 1
use_build faults || exit 1
# The registry is written once, and not by each of the processes.
gst-inspect-1.0 tfrcbin >"$TFRC_BUILD/faults-build.log" || exit 1
GST_REGISTRY_UPDATE=no exec /usr/bin/python3 tests/live/faults.py "$@"
