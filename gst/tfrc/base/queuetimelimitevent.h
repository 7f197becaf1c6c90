/* gst-tfrc: the downstream event by which an encoder says how long its packets may wait
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The encoder knows by when its packets have to arrive, and what the path and the redundant copies take of that time. It
 * sends the rest to the pacing queue, as a sticky event, so that a queue that is linked later has it too. The event is a
 * structure "application/x-tfrc-queue-time" with the field "queue-time" (guint64, ns). */
#ifndef GST_TFRC_QUEUETIMELIMITEVENT_H
#define GST_TFRC_QUEUETIMELIMITEVENT_H

#include <gst/gst.h>

G_BEGIN_DECLS

GstEvent *gst_tfrc_queue_time_event_new (GstClockTime queue_time);

/* Returns FALSE when `event` is another event, or says no time. */
gboolean gst_tfrc_queue_time_event_parse (GstEvent * event,
    GstClockTime * queue_time);

/* The time of the last event that came to the pad, ns; 0: none came. */
GstClockTime gst_tfrc_queue_time_event_get_last (GstPad * pad);

G_END_DECLS

#endif
