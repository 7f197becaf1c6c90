/* gst-tfrc: drives the data flow sender of rtptfrcsend by clock, departure scheduler and RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWDRIVER_H
#define GST_TFRC_FLOWDRIVER_H

#include <gst/gst.h>

#include "base/remoteconnection.h"
#include "base/transportnumber.h"
#include "filter/dataflowsender.h"
#include "rtcp/datasenderrtcp.h"
#include "rtcp/acceptedreceiver.h"
#include "time/departurescheduler.h"
#include "time/enginetime.h"

G_BEGIN_DECLS

/* Gives a data flow sender the time of a clock, arms its timer and its departures, and hands it the
 * reports that arrive in an RTP session. The object is part of the owner, an element, whose lock
 * guards it: each function is called with that lock. No function pushes, notifies or posts. The
 * owner runs the notifier of the flow, and pushes what gst_tfrc_flow_driver_take() returns. Times
 * are in ns of the engine's time. */
typedef struct
{
  GstElement *owner;
  gchar *name;                  /* of the owner, for the log */
  GstTfrcDataFlowSender flow;
  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback timer (RFC 5348 4.4) or timer of the circuit breaker */
  GstTfrcSchedulerEntry departures;
  gboolean joined;              /* `departures` has joined a scheduler */
  gboolean departing;           /* a thread of the owner takes packets and pushes them */
  GstTfrcRemoteConnection connection;
  GstTfrcDataSenderRtcp *rtcp;  /* NULL until the first start */
  gboolean has_ssrc;            /* a packet was looked at for its departure */
  GstTfrcLossCrossCheck cross_check;    /* of the data receiver's reports */
  guint64 ssrc_changes;
  guint64 doubted;              /* receiver reports that contradict the TFRC reports */
} GstTfrcFlowDriver;

/* `driver` is zero before. `settings` belong to the owner and outlive the driver. `on_timer` is
 * called when the timer fires. */
void gst_tfrc_flow_driver_init (GstTfrcFlowDriver * driver, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer);
void gst_tfrc_flow_driver_clear (GstTfrcFlowDriver * driver);

/* Starts the flow with `config`. Takes the reference `rtcp`. */
void gst_tfrc_flow_driver_start (GstTfrcFlowDriver * driver,
    const TfrcConfig * config, GstTfrcDataSenderRtcp * rtcp);

TfrcTime gst_tfrc_flow_driver_get_now (const GstTfrcFlowDriver * driver);

/* Arms the timer and the next departure, after the start or when the clock has changed. */
void gst_tfrc_flow_driver_arm (GstTfrcFlowDriver * driver);

/* Takes what may depart now out of the queue: an event, a buffer, or a list of buffers, which the
 * caller owns. NULL: nothing may depart now, and the scheduler is armed for the next packet. When
 * `now` is TFRC_TIME_NONE the function reads the clock if it has to. */
GstMiniObject *gst_tfrc_flow_driver_take (GstTfrcFlowDriver * driver,
    TfrcTime now);

/* A TFRC report arrived; `is_new_receiver`: of another data receiver than before. Returns whether
 * the engine accepted the report. */
gboolean gst_tfrc_flow_driver_on_report (GstTfrcFlowDriver * driver,
    const TfrcReport * report, gboolean is_new_receiver);

/* An SR or RR of the data receiver arrived. */
void gst_tfrc_flow_driver_on_receiver_report (GstTfrcFlowDriver * driver,
    const GstTfrcReceiverReport * report);

/* What the data receiver tells of the packets. */
void gst_tfrc_flow_driver_set_feedback (GstTfrcFlowDriver * driver,
    GstTfrcFeedback kind);

/* Feedback that lists arrivals came, as in gst_tfrc_data_flow_sender_on_arrivals(); `is_new_receiver`: of another data
 * receiver than before. */
void gst_tfrc_flow_driver_on_arrivals (GstTfrcFlowDriver * driver, guint fmt,
    const guint8 * data, gsize size, gboolean is_new_receiver);

/* A packet has left the session with a transport-wide sequence number. */
void gst_tfrc_flow_driver_on_number (GstTfrcFlowDriver * driver,
    const GstTfrcTransportNumber * number);

/* The timer fired. */
void gst_tfrc_flow_driver_on_timer (GstTfrcFlowDriver * driver);

/* Adds the counters and the state of flow and driver to the property "stats". */
void gst_tfrc_flow_driver_add_stats (GstTfrcFlowDriver * driver,
    GstStructure * stats);

G_END_DECLS

#endif
