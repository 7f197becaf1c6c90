/* gst-tfrc: the upstream event that tells an encoder what it may use
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RATEEVENT_H
#define GST_TFRC_RATEEVENT_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>
#include <tfrc/sender.h>

G_BEGIN_DECLS

/* Name of the structure in the GST_EVENT_CUSTOM_UPSTREAM. */
#define GST_TFRC_RATE_NAME "application/x-tfrc-rate"

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
  gdouble max_packet_rate;      /* packets/s: 100 in tfrc-sp; 0: no limit */
  gdouble X;                    /* bytes/s of RTP packets */
  gdouble X_wire;               /* bytes/s with header_size for each packet */
  gdouble X_Bps;                /* bytes/s by the equation, to which X returns when it is used; 0: no loss yet */
  gdouble X_recv;               /* bytes/s of RTP packets that arrive at the far end; 0: no report yet */
  gdouble p;                    /* loss event rate */
  gdouble loss;                 /* share of packets lost, by receiver reports; -1: not known */
  guint64 R;                    /* round-trip time, ns; 0: unknown */
  guint64 R_sample;             /* its latest sample, ns: tells of a queue that fills; 0: none */
  gdouble segment_size;         /* s: mean RTP packet, bytes; 0: unknown */
  guint header_size;            /* H: bytes below RTP for each packet */
  guint overhead;               /* bytes of RTP header and extensions in each packet */
  guint64 queue_delay;          /* ns that the next packet waits for its departure */
  guint64 dropped;              /* packets so far that waited too long and were not sent */
  const gchar *mode;            /* static or interned: "tfrc", "tfrc-sp" */
  GstTfrcRateReason reason;
  gboolean suspend;             /* send nothing until told otherwise */
  guint ssrc;
} GstTfrcRate;

const gchar *gst_tfrc_rate_reason_get_name (GstTfrcRateReason reason);

/* The fields that are the engine's to know. */
void gst_tfrc_rate_set_allowance (GstTfrcRate * rate,
    const TfrcAllowance * allowance);

GstEvent *gst_tfrc_rate_event_new (const GstTfrcRate * rate);

/* FALSE when `event` is another event or lacks a field. */
gboolean gst_tfrc_rate_event_parse (GstEvent * event, GstTfrcRate * rate);

G_END_DECLS

#endif
