/* gst-tfrc: reads the datagrams of one flow on their way, as the network has them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WIRETAP_H
#define WIRETAP_H

#include <glib.h>

/* A datagram has passed. `time`: when the system got it, ns, monotonic; `back`: it goes to the sender. Called in the
 * thread of the tap. */
typedef void (*WireTapFunc) (gint64 time, gboolean back, const guint8 * data, gsize size);

/* Starts a thread that passes on what comes to a port of 127.0.0.1 to its port `to`, and the answers back. Returns the
 * port, to which one sender may send. */
guint wire_tap_start (guint to, WireTapFunc func);

#endif
