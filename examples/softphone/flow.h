/* What passes a pad of RTP packets: codec, frame, bit rate, losses
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOW_H
#define FLOW_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex lock;
  gulong probe;
  GstPad *pad;
  guint packets, lost;          /* since flow_take() */
  guint64 bytes;                /* of RTP payload, likewise */
  gboolean started;
  guint16 seq;                  /* of the last packet */
  guint32 timestamp;
  gdouble frame;                /* ms of sound in a packet */
  gint clock_rate;
  gchar codec[16];              /* RTP encoding name */
} Flow;

typedef struct
{
  guint packets, lost;
  guint64 bytes;
  gdouble frame;                /* ms */
  gchar codec[16];              /* "-": nothing has passed */
} FlowCounts;

/* Watches the pad `pad` of `element`. */
void flow_watch (Flow * flow, GstElement * element, const gchar * pad);
void flow_unwatch (Flow * flow);
/* What passed since the last time. */
void flow_take (Flow * flow, FlowCounts * counts);

G_END_DECLS
#endif
