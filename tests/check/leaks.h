/* gst-tfrc tests: nothing that GStreamer counts references of is left over
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GStreamer's tracer "leaks" lists the live objects, buffers, events, messages and caps.
 * leaks_begin() remembers those that there are; leaks_end() fails the test when there are others,
 * and names them. Before, it waits until all other threads sleep. Of pairs within others the
 * outermost counts. Both are the fixture of a test case that is no part of a rig. */
#ifndef LEAKS_H
#define LEAKS_H

#include <gst/gst.h>

G_BEGIN_DECLS

void leaks_begin (void);
void leaks_end (void);

G_END_DECLS

#endif
