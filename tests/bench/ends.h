/* gst-tfrc: elements for the ends of a measured pipeline that themselves cost hardly any time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ENDS_H
#define ENDS_H

#include <gst/gst.h>

/* Called with each packet that arrives, in the thread that pushes it. The packet stays the element's. */
typedef void (*EndsFunc) (GstBuffer * buffer);

/* Registers two elements. `benchsource` only has a pad "src", from which the program pushes packets. `benchsink` calls
 * `on_arrival` for each packet and drops it. */
void ends_register (EndsFunc on_arrival);

#endif
