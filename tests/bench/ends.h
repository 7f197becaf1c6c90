/* gst-tfrc: elements for the ends of a measured pipeline, which take next to nothing themselves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENDS_H
#define ENDS_H

#include <gst/gst.h>

/* A packet has arrived; the caller keeps it. Called in the thread that pushes it. */
typedef void (*EndsFunc) (GstBuffer * buffer);

/* Registers the elements `benchsource`, from whose pad "src" the program pushes itself, and `benchsink`, which calls
 * `on_arrival` and drops the packet. */
void ends_register (EndsFunc on_arrival);

#endif
