/* gst-tfrc tests: an element on a bus of its own, and what it posts
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

/* An empty bin with the name "element", whose messages come on `bus`. The caller owns both. */
GstElement *element_new (GstBus ** bus);
void element_free (GstElement * element, GstBus * bus);

/* Takes the next message, an error or a warning as `type` says, whose text must contain `words`.
 * NULL: there must be no message. */
void element_expect_message (GstBus * bus, GstMessageType type,
    const gchar * words);

G_END_DECLS

#endif
