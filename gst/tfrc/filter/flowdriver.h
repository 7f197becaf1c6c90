/* gst-tfrc: drives the flows of rtptfrcsend by clock, departure scheduler and RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWDRIVER_H
#define GST_TFRC_FLOWDRIVER_H

#include <gst/gst.h>

#include "base/remoteliveness.h"
#include "base/twccseqnum.h"
#include "filter/flowtable.h"
#include "rtcp/datasenderrtcp.h"
#include "time/departurescheduler.h"
#include "time/enginetime.h"

G_BEGIN_DECLS

/* Gives each packet to the flow of its SSRC, gives the flows the time of a clock, arms one timer and one departure for
 * all of them, and hands each the reports about its SSRC that arrive in an RTP session. Packets for which TFRC was not
 * agreed on pass as they are. When packets of several flows may depart, the flows take turns.
 *
 * Packets of different flows do not wait for each other. The caps and the segment that hold for a packet are pushed
 * in front of the packet where they differ from those of the packet before. Other serialized events follow the
 * packet that arrived before them, and EOS follows all packets.
 *
 * The object is part of the owner, an element, whose lock
 * guards it: each function is called with that lock. No function pushes, notifies or posts. The
 * owner runs the notifiers of the flows, and pushes what gst_tfrc_flow_driver_take() returns. Times
 * are in ns of the engine's time. */
typedef struct
{
  GstElement *owner;
  gchar *name;                  /* of the owner, for the log */
  const GstTfrcFilterSettings *settings;
  TfrcConfig config;            /* of each flow */
  GstTfrcEncoderPackets encoder;        /* what it says of its packets */
  GstTfrcFeedback feedback;     /* of flows that begin with a payload type that the session does not know */
  GstTfrcArrivals arrivals;     /* the last RTPFB packet with arrivals */
  GstTfrcFlowTable table;
  GstTfrcCouplingGroup *group;  /* of the flows; NULL: they are not coupled */
  GstTfrcPayloadRoles roles;
  GstTfrcPacingQueue passing;   /* packets without TFRC, which depart at once */
  GstTfrcPacingQueue *last;     /* the queue of the packet that arrived last; NULL: none */
  GstCaps *caps;                /* of the pad, or NULL */
  GstEvent *caps_in, *segment_in;       /* that arrived last; NULL: none */
  GstEvent *caps_out, *segment_out;     /* that were pushed last; NULL: none */
  GstMiniObject *held;          /* an event that is taken next; NULL: none */
  GstEvent *eos;                /* waits for the last packet; NULL: none */
  guint turn;                   /* index of the flow that is asked first for a departure */
  GQueue messages;              /* GstStructure, of element messages that the owner posts */
  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback timer (RFC 5348 4.4) or timer of the circuit breaker */
  GstTfrcSchedulerEntry departures;
  gboolean joined;              /* `departures` has joined a scheduler */
  gboolean departing;           /* a thread of the owner takes packets and pushes them */
  GstTfrcRemoteLiveness connection;
  GstTfrcDataSenderRtcp *rtcp;  /* NULL until the first start */
  guint64 not_rtp;              /* buffers that were no RTP packets */
  guint64 passed;               /* packets without TFRC */
  guint64 refused;              /* packets dropped because there are too many SSRCs */
} GstTfrcFlowDriver;

/* `driver` is zero before. `settings` belong to the owner and outlive the driver. `on_timer` is
 * called when the timer fires. */
void gst_tfrc_flow_driver_init (GstTfrcFlowDriver * driver, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer);
void gst_tfrc_flow_driver_clear (GstTfrcFlowDriver * driver);

/* Starts with one flow, which takes the first SSRC; each flow gets `config`. Takes the reference `rtcp`. */
void gst_tfrc_flow_driver_start (GstTfrcFlowDriver * driver,
    const TfrcConfig * config, GstTfrcDataSenderRtcp * rtcp);

/* The flows are coupled with no others until the next start. */
void gst_tfrc_flow_driver_uncouple (GstTfrcFlowDriver * driver);

TfrcTime gst_tfrc_flow_driver_get_now (const GstTfrcFlowDriver * driver);

/* Arms the timer and the next departure, after the start or when the clock has changed. */
void gst_tfrc_flow_driver_arm (GstTfrcFlowDriver * driver);

/* The flow that the properties of the owner are about. */
GstTfrcDataFlowSender *gst_tfrc_flow_driver_get_main (const GstTfrcFlowDriver * driver);

/* --- what arrives --- */

/* Whether the owner is to ask the session for the caps of the payload type `pt` of `buffer`, and to give them to
 * gst_tfrc_payload_roles_set_caps(), before it adds the buffer. */
gboolean gst_tfrc_flow_driver_wants_caps (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    guint * pt);

/* Adds a packet, which it takes, and drops expired ones of the same flow. Returns the flow of the packet, or NULL when
 * the packet passes or is dropped. */
GstTfrcDataFlowSender *gst_tfrc_flow_driver_add (GstTfrcFlowDriver * driver, GstBuffer * buffer,
    TfrcTime now);

/* The caps of the pad are `caps` from now on: the flow of their SSRC begins, if they have one, and its encoder gets
 * its allowance. */
void gst_tfrc_flow_driver_set_caps (GstTfrcFlowDriver * driver, GstCaps * caps);

/* The encoder says what the packets of all flows are like. */
void gst_tfrc_flow_driver_set_encoder (GstTfrcFlowDriver * driver,
    const GstTfrcEncoderPackets * packets);

/* A serialized event arrived. Returns FALSE when it may be pushed at once, and otherwise takes it. */
gboolean gst_tfrc_flow_driver_add_event (GstTfrcFlowDriver * driver, GstEvent * event);

/* EOS arrived: the packets that wait have limited time. */
void gst_tfrc_flow_driver_drain (GstTfrcFlowDriver * driver);

/* Drops all packets and events that wait. Packets may be added again, also after EOS. */
void gst_tfrc_flow_driver_flush (GstTfrcFlowDriver * driver);

/* Whether a packet or event waits, or a thread is pushing one. */
gboolean gst_tfrc_flow_driver_is_busy (const GstTfrcFlowDriver * driver);

/* --- what departs --- */

/* Takes what may depart now out of the queues: an event, a buffer, or a list of buffers, which the
 * caller owns. NULL: nothing may depart now, and the scheduler is armed for the next packet. When
 * `now` is TFRC_TIME_NONE the function reads the clock if it has to. */
GstMiniObject *gst_tfrc_flow_driver_take (GstTfrcFlowDriver * driver,
    TfrcTime now);

/* Translates the sequence number `seq` of a packet of `ssrc` that has departed into the number with which it
 * arrived, for a retransmission. Returns FALSE when no such packet is known, or when its retransmission waits. */
gboolean gst_tfrc_flow_driver_find_requested (GstTfrcFlowDriver * driver, guint32 ssrc,
    guint16 * seq);

/* --- reports --- */

/* A TFRC report about `ssrc` arrived; `is_new_receiver`: of another data receiver than before. Returns whether
 * the engine accepted the report. */
gboolean gst_tfrc_flow_driver_on_report (GstTfrcFlowDriver * driver, guint32 ssrc,
    const TfrcReport * report, gboolean is_new_receiver);

/* An SR or RR of a data receiver arrived. */
void gst_tfrc_flow_driver_on_receiver_report (GstTfrcFlowDriver * driver,
    const GstTfrcReceiverReport * report);

/* What the data receiver tells of the packets that `caps` of the pad are about (NULL: of all), and of flows that begin
 * later with a payload type that the session does not know. */
void gst_tfrc_flow_driver_set_feedback (GstTfrcFlowDriver * driver,
    GstTfrcFeedback kind, const GstCaps * caps);

/* Whether a flow listens to RTPFB packets of this FMT. */
gboolean gst_tfrc_flow_driver_listens_to (const GstTfrcFlowDriver * driver, guint fmt);

/* Feedback that lists arrivals came, as in gst_tfrc_data_flow_sender_on_arrivals(); `is_new_receiver`: of another data
 * receiver than before. Returns whether the engine of a flow accepted a report that was made of the feedback. */
gboolean gst_tfrc_flow_driver_on_arrivals (GstTfrcFlowDriver * driver, guint fmt,
    const guint8 * data, gsize size, gboolean is_new_receiver);

/* A packet has left the session with a transport-wide sequence number. */
void gst_tfrc_flow_driver_on_number (GstTfrcFlowDriver * driver,
    const GstTfrcTwccSeqnum * number);

/* The timer fired. */
void gst_tfrc_flow_driver_on_timer (GstTfrcFlowDriver * driver);

/* --- for the owner, after it has called any of the above --- */

/* Moves the element messages of all flows and of the driver to `messages`. */
void gst_tfrc_flow_driver_take_messages (GstTfrcFlowDriver * driver, GQueue * messages);

/* Whether there are such messages, or pending allowances. */
gboolean gst_tfrc_flow_driver_has_news (const GstTfrcFlowDriver * driver);

/* The settings have changed, and with them the allowances. */
void gst_tfrc_flow_driver_note_rates (GstTfrcFlowDriver * driver);

/* Fills `notifiers` with those that have a pending allowance; returns how many. The notifiers live as long as the
 * driver. */
guint gst_tfrc_flow_driver_get_pending (GstTfrcFlowDriver * driver,
    GstTfrcNotifier * notifiers[GST_TFRC_FLOWS_MAX]);

/* Adds the counters and the state of the main flow and of the driver to the property "stats", and the field "flows",
 * an array with a structure for each flow. */
void gst_tfrc_flow_driver_add_stats (GstTfrcFlowDriver * driver,
    GstStructure * stats);

G_END_DECLS

#endif
