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
  GST_TFRC_RATE_START,          /* caps arrived: the allowance with which the flow begins */
  GST_TFRC_RATE_REPORT,         /* a report changed the allowance */
  GST_TFRC_RATE_LOSS,           /* a report shows a new loss event */
  GST_TFRC_RATE_NOFEEDBACK,     /* the nofeedback timer expired */
  GST_TFRC_RATE_RESTART,        /* another data receiver or SSRC: slow start begins again */
  GST_TFRC_RATE_SUSPEND,        /* the allowance fell below min-bitrate */
  GST_TFRC_RATE_RESUME          /* the allowance is above min-bitrate again */
} GstTfrcRateReason;

/* The part of a flow among those that share its rate (RFC 8699). */
typedef enum
{
  GST_TFRC_COUPLED_NO,          /* no flow leaves another one the queue of the path */
  GST_TFRC_COUPLED_FIRST,       /* the flow has a minimum, which it gets first; others leave it the queue */
  GST_TFRC_COUPLED_REST         /* the flow gets the rest, and leaves the queue to those with a minimum */
} GstTfrcCoupled;

/* The allowance of the encoder, as the event carries it. `bitrate` and `payload_size` are what the
 * headers leave for the payload at the present packet rate, so that an encoder can be set to them.
 * X and X_wire of `allowance` count RTP headers too (tfrc/sender.h). */
typedef struct
{
  guint bitrate;                /* bit/s of payload */
  guint payload_size;           /* bytes of payload per packet */
  gdouble packet_rate;          /* packets/s at present */
  TfrcAllowance allowance;      /* of the engine; slow_start is not in the event */
  gdouble loss;                 /* share of packets lost, by receiver reports; -1: not known */
  guint64 playout;              /* ns for which the data receiver holds a packet that came by the shortest way before it plays
                                 * the packet; 0: not known */
  guint64 known_after;          /* ns from a departure within which most packets that arrive are known to have arrived; 0:
                                 * that is not known of any */
  guint header_size;            /* H: bytes below RTP for each packet */
  guint overhead;               /* bytes of RTP header and extensions in each packet */
  guint64 queue_delay;          /* ns that the oldest packet in the pacing queue has waited so far, or
                                 * that the last departed one waited if that is longer; 0: the queue
                                 * is empty */
  guint64 dropped;              /* packets dropped from the pacing queue so far: too late, or queue
                                 * full */
  GstTfrcCoupled coupled;
  TfrcMode mode;
  GstTfrcRateReason reason;
  guint picture_height;         /* lines of a picture of 16:9 that the bit rate is enough for */
  guint frame_rate;             /* frames/s of such pictures */
  gboolean suspend;             /* nothing is to be sent until an event without this flag */
  guint ssrc;
} GstTfrcRate;

const gchar *gst_tfrc_rate_reason_get_name (GstTfrcRateReason reason);

/* The event and the struct have the same fields but for their types: in the event times are
 * guint64 in ns, an unlimited max-packet-rate is 0, mode and reason are names. */
GstEvent *gst_tfrc_rate_event_new (const GstTfrcRate * rate);

/* Fills `rate`. Returns FALSE when `event` is another event, or lacks a field. */
gboolean gst_tfrc_rate_event_parse (GstEvent * event, GstTfrcRate * rate);

G_END_DECLS

#endif
