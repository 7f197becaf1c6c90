/* gst-tfrc: makes and parses the upstream event with the allowance of the encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RATEEVENT_H
#define GST_TFRC_RATEEVENT_H

#include <gst/gst.h>
#include <gst/tfrc/rate-event.h>
#include <tfrc/tfrc.h>
#include <tfrc/sender.h>

G_BEGIN_DECLS

/* Why the event was sent. */
typedef enum
{
  GST_TFRC_RATE_START,          /* caps came: what the flow begins with */
  GST_TFRC_RATE_REPORT,         /* a report changed the allowance */
  GST_TFRC_RATE_LOSS,           /* a report told of a new loss event */
  GST_TFRC_RATE_NOFEEDBACK,     /* the nofeedback timer expired */
  GST_TFRC_RATE_RESTART,        /* a new receiver, slow start anew */
  GST_TFRC_RATE_SUSPEND,        /* the allowance fell below min-bitrate */
  GST_TFRC_RATE_RESUME          /* and is above it again */
} GstTfrcRateReason;

/* What the event carries. bitrate and payload_size are what is left for the
 * payload after every header at the present packet rate: they can be handed to
 * an encoder as they are. X and X_wire are not payload rates. */
typedef struct
{
  guint bitrate;                /* bit/s of payload */
  guint payload_size;           /* bytes of payload per packet */
  gdouble packet_rate;          /* packets/s at present */
  TfrcAllowance allowance;      /* the engine's; slow_start is not in the event */
  gdouble loss;                 /* share of packets lost, by receiver reports; -1: not known */
  guint header_size;            /* H: bytes below RTP for each packet */
  guint overhead;               /* bytes of RTP header and extensions in each packet */
  guint64 queue_delay;          /* ns that the next packet waits for its departure */
  guint64 dropped;              /* packets so far that waited too long and were not sent */
  TfrcMode mode;
  GstTfrcRateReason reason;
  gboolean suspend;             /* send nothing until told otherwise */
  guint ssrc;
} GstTfrcRate;

const gchar *gst_tfrc_rate_reason_get_name (GstTfrcRateReason reason);

/* The event and the struct have the same fields but for their types: in the event times are
 * guint64 in ns, an unlimited max-packet-rate is 0, mode and reason are names. */
GstEvent *gst_tfrc_rate_event_new (const GstTfrcRate * rate);

/* FALSE when `event` is another event or lacks a field. */
gboolean gst_tfrc_rate_event_parse (GstEvent * event, GstTfrcRate * rate);

G_END_DECLS

#endif
