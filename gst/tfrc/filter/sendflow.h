/* gst-tfrc: the packets of a data sender: engine, pacing queue, allowance of the encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDFLOW_H
#define GST_TFRC_SENDFLOW_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "rtcp/remotereceiver.h"
#include "filter/pacingqueue.h"
#include "time/enginetime.h"
#include "filter/filtersettings.h"
#include "rtcp/datasenderrtcp.h"
#include "filter/flowstats.h"
#include "filter/encoderallowance.h"
#include "base/rateevent.h"
#include "time/departurescheduler.h"

G_BEGIN_DECLS

/* One flow of rtptfrcsend: joins the engine (libtfrc's sender), the pacing queue, the RTCP and the
 * allowance of the encoder. The object is part of the owner, an element, whose lock guards it:
 * each function is called with that lock. No function pushes, notifies or posts. A new allowance
 * waits in `notifier` until the owner runs the notifier, and the owner pushes what
 * gst_tfrc_send_flow_take() returns. Times are in ns of the engine's time. */
typedef struct
{
  GstElement *owner;
  const GstTfrcFilterSettings *settings;

  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback timer, RFC 5348 4.3 */
  GstTfrcSchedulerEntry departures;
  gboolean joined;              /* `departures` has joined a scheduler */
  TfrcConfig config;
  TfrcSender *sender;           /* NULL until the first start */
  GstTfrcDataSenderRtcp *rtcp;

  GstTfrcPacingQueue queue;
  gboolean departing;           /* a thread of the owner takes packets and pushes them */
  TfrcTime drain_until;         /* when EOS waits for packets no longer; TFRC_TIME_NONE: no
                                 * EOS has arrived */
  gboolean answered;            /* a report was accepted since drain_until was set */
  gboolean has_ssrc;            /* a packet was looked at for its departure */
  guint32 ssrc;
  guint16 seq;                  /* sequence number of the last packet that departed */
  TfrcTime rate_set;            /* when X last changed */

  GstTfrcMeter meter;           /* of the packets that arrive */
  GstTfrcEncoderAllowance encoder;
  GstTfrcNotifier notifier;
  GstTfrcLossCrossCheck cross_check;    /* of the data receiver's reports */
  guint64 ssrc_changes;
  guint64 doubted;              /* receiver reports that contradict the TFRC reports */
} GstTfrcSendFlow;

/* `flow` is zero before. `settings` belong to the owner and outlive the flow. `on_timer` is
 * called when the nofeedback timer fires. */
void gst_tfrc_send_flow_init (GstTfrcSendFlow * flow, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer);
void gst_tfrc_send_flow_clear (GstTfrcSendFlow * flow);

/* Drops all packets and counters. */
void gst_tfrc_send_flow_reset (GstTfrcSendFlow * flow);

/* Resets the flow and starts an engine with `config`. Takes the reference `rtcp`. */
void gst_tfrc_send_flow_start (GstTfrcSendFlow * flow, const TfrcConfig * config,
    GstTfrcDataSenderRtcp * rtcp);

TfrcTime gst_tfrc_send_flow_get_now (const GstTfrcSendFlow * flow);

/* Arms the timer and the next departure, after the start or when the clock has changed. */
void gst_tfrc_send_flow_arm (GstTfrcSendFlow * flow);

/* The first function gets the allowance of the encoder. The second gives it to the notifier, with
 * `reason`. */
void gst_tfrc_send_flow_get_rate (GstTfrcSendFlow * flow, GstTfrcRate * rate, TfrcTime now);
void gst_tfrc_send_flow_note_rate (GstTfrcSendFlow * flow, GstTfrcRateReason reason,
    TfrcTime now);

/* How long a packet may wait in the queue, ns; 0: there is no limit. */
guint64 gst_tfrc_send_flow_get_queue_time (const GstTfrcSendFlow * flow);

/* Adds a packet to the queue, and drops expired ones. Takes the object of `item`. */
void gst_tfrc_send_flow_add (GstTfrcSendFlow * flow, const GstTfrcItem * item);

/* EOS is in the queue, behind the last packet. When no report has arrived for a while, all packets
 * in the queue are dropped, so that EOS cannot wait for ever. */
void gst_tfrc_send_flow_drain (GstTfrcSendFlow * flow);

/* Packets arrive again, after a flush. */
void gst_tfrc_send_flow_end_drain (GstTfrcSendFlow * flow);

/* Takes what may depart now out of the queue: an event, a buffer, or a list of buffers, which the
 * caller owns. NULL: nothing may depart now, and the scheduler is armed for the next packet. When
 * `now` is TFRC_TIME_NONE the function reads the clock if it has to. */
GstMiniObject *gst_tfrc_send_flow_take (GstTfrcSendFlow * flow, TfrcTime now);

/* A TFRC report arrived; `is_new_receiver`: of another data receiver than before. Returns whether
 * the engine accepted the report. */
gboolean gst_tfrc_send_flow_on_report (GstTfrcSendFlow * flow, const TfrcReport * report,
    gboolean is_new_receiver);

/* An SR or RR of the data receiver arrived, with a round-trip time in ns (0: not known yet) and the
 * number of packets that are lost (RFC 3550 6.4.1). */
void gst_tfrc_send_flow_on_receiver_report (GstTfrcSendFlow * flow, TfrcTime rtt, gint lost);

/* The nofeedback timer fired. */
void gst_tfrc_send_flow_on_timer (GstTfrcSendFlow * flow);

/* Adds the counters and the state of the flow to the property "stats". */
void gst_tfrc_send_flow_add_stats (GstTfrcSendFlow * flow, GstStructure * stats);

G_END_DECLS

#endif
