#!/bin/sh
# Meson's wrapper for a test under a checker: the command $TFRC_CHECKER goes in front of a
# program; the Python of tests/live/play.py puts it in front of the programs that it plays.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
case $1 in
  *python*) exec "$@" ;;
  *) exec $TFRC_CHECKER "$@" ;;
esac
