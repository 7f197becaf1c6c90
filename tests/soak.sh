#!/bin/sh
# The soak: a long call leaves nothing behind.
#
#   tests/soak.sh [HOURS]         24 hours of call in virtual time; a line for each hour
#   tests/soak.sh --real [S]      an hour, or S seconds, over sockets in real time, with loss,
#                                 reordering, and a sender that starts anew each minute (root)
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build test || exit 1
use_build soak || exit 1
if [ "${1-}" = --real ]; then
  exec /usr/bin/python3 tests/live/soak.py "${2:-3600}"
fi
TFRC_SOAK_HOURS=${1:-24} CK_FORK=no G_SLICE=always-malloc exec "$TFRC_BUILD/tests/check/check-soak"
