/* gst-tfrc: the data sender of one flow without clock, timer, session or socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A data flow holds the engine's sender, the pacing queue in front of it and what follows from
 * both for the encoder. Its owner adds packets, takes each when it may depart, hands reports in
 * and tells the encoder what gst_tfrc_data_flow_take_rate() says.
 *
 * One thread at a time uses a data flow, so the owner has a lock. Nothing here calls out.
 * `now` is the last argument, ns of any steady clock; the `next_` functions only answer. */
#ifndef GST_TFRC_DATAFLOW_H
#define GST_TFRC_DATAFLOW_H

#include "base/rateevent.h"
#include "filter/encoderallowance.h"
#include "filter/filtersettings.h"
#include "filter/flowstats.h"
#include "filter/pacingqueue.h"

G_BEGIN_DECLS

typedef struct
{
  const GstTfrcFilterSettings *settings;        /* the owner's */
  TfrcConfig config;
  TfrcSender *sender;
  GstTfrcPacingQueue queue;
  GstTfrcMeter meter;           /* of the packets that are added */
  GstTfrcEncoderAllowance allowance;
  GstTfrcNotifier notifier;
  gboolean has_seq;
  guint16 seq;                  /* of the last packet that departed */
  TfrcTime rate_set;            /* when X last changed */
  TfrcTime drain_until;         /* when EOS waits no longer for packets; NONE: no EOS */
  gboolean answered;            /* a report was accepted since drain_until was set */
  guint64 not_rtp, unstamped;   /* what was added and was no RTP; RTP without room for a stamp */
} GstTfrcDataFlow;

/* A packet that departs. */
typedef struct
{
  GstBuffer *buffer;            /* the caller's */
  GstTfrcStampedPacket packet;
  guint16 seq;                  /* to be written into it, as is `stamp` */
  TfrcStamp stamp;
} GstTfrcDeparture;

/* `settings` and `config` have been checked. */
void gst_tfrc_data_flow_init (GstTfrcDataFlow * flow,
    const GstTfrcFilterSettings * settings, const TfrcConfig * config,
    TfrcTime now);
void gst_tfrc_data_flow_clear (GstTfrcDataFlow * flow);

/* Adds an RTP packet, which the flow takes; `id` is that of the header extension. FALSE: it was
 * no RTP packet. */
gboolean gst_tfrc_data_flow_add (GstTfrcDataFlow * flow, GstBuffer * buffer,
    guint id, TfrcTime now);

/* EOS came behind the packets that wait. Those that cannot depart within a few round-trip times
 * are dropped. */
void gst_tfrc_data_flow_drain (GstTfrcDataFlow * flow, TfrcTime now);

gboolean gst_tfrc_data_flow_is_empty (const GstTfrcDataFlow * flow);

/* The next packet that may depart now. FALSE: there is none. */
gboolean gst_tfrc_data_flow_take (GstTfrcDataFlow * flow,
    GstTfrcDeparture * departure, TfrcTime now);

/* When gst_tfrc_data_flow_take() or _on_timer() has something to do next. */
TfrcTime gst_tfrc_data_flow_next_time (const GstTfrcDataFlow * flow);

/* A report came. TRUE: it was accepted. */
gboolean gst_tfrc_data_flow_on_report (GstTfrcDataFlow * flow,
    const TfrcReport * report, TfrcTime now);

/* A round-trip time was measured by sender and receiver reports. */
void gst_tfrc_data_flow_on_rtt (GstTfrcDataFlow * flow, TfrcTime rtt,
    TfrcTime now);

/* Serves the nofeedback timer if it is due. */
void gst_tfrc_data_flow_on_timer (GstTfrcDataFlow * flow, TfrcTime now);

/* The remote end is another one, or its path is: slow start. */
void gst_tfrc_data_flow_restart (GstTfrcDataFlow * flow, TfrcTime now);

/* What the encoder should be told, for `reason`, if it is worth telling. */
void gst_tfrc_data_flow_note_rate (GstTfrcDataFlow * flow,
    GstTfrcRateReason reason, TfrcTime now);

/* TRUE once for each that is worth telling. */
gboolean gst_tfrc_data_flow_take_rate (GstTfrcDataFlow * flow,
    GstTfrcRate * rate);

void gst_tfrc_data_flow_add_stats (const GstTfrcDataFlow * flow,
    GstStructure * stats, TfrcTime now);

G_END_DECLS

#endif
