/* gst-tfrc tests: rtptfrcsend in a filter's harness
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SEND_H
#define SEND_H

#include "filter.h"

G_BEGIN_DECLS

#define R (100 * GST_MSECOND)
#define T0 (100 * GST_SECOND)
/* A packet may leave this early: half of the engine's timer granularity. */
#define EARLY (250 * GST_USECOND)
#define NEAR(a, b, by) G_STMT_START { \
    guint64 near_a = (a), near_b = (b); \
    fail_unless (ABS (GST_CLOCK_DIFF (near_a, near_b)) <= (gint64) (by), \
        "%" G_GUINT64_FORMAT " is not near %" G_GUINT64_FORMAT, near_a, near_b); \
  } G_STMT_END

/* One large packet and the report on it: R = 100 ms, and with W_init = 4380 bytes
 * X = 43800 bytes/s, much more than a voice of 50 packets of 172 bytes needs. */
void send_open_path (Filter * f);

/* Packets that wait. */
guint send_count_left (Filter * f);

/* The next packet, which may still have to leave, has number `seq` and came in as
 * number `timestamp_of`. */
void send_check_order (Filter * f, guint16 seq, guint16 timestamp_of);

/* Puts `buffer` in and takes out what leaves, one frame later. */
GstBuffer *send_pass (Filter * f, GstBuffer * buffer);

G_END_DECLS

#endif
