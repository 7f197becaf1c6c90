/* gst-tfrc: a flow on its way out: the engine, what waits for it, what it allows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOW_H
#define GST_TFRC_FLOW_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "gsttfrcaudit.h"
#include "gsttfrcbacklog.h"
#include "gsttfrcclock.h"
#include "gsttfrclimits.h"
#include "gsttfrclink.h"
#include "gsttfrcmeter.h"
#include "gsttfrcoffer.h"
#include "gsttfrcrate.h"
#include "gsttfrcsched.h"
#include "gsttfrcteller.h"

G_BEGIN_DECLS

/* All of it, and each function here, is under the owner's lock. None calls out: what is
 * to be told is left in `teller`, what may leave is taken by the owner, which pushes. */
typedef struct
{
  GstElement *owner;
  const GstTfrcLimits *limits;

  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback */
  GstTfrcSchedEntry departures;
  gboolean joined;              /* to a scheduler */
  TfrcConfig config;
  TfrcSender *sender;           /* NULL until the first start */
  GstTfrcLink *link;

  GstTfrcBacklog backlog;
  gboolean departing;           /* a thread takes what may leave and pushes it */
  TfrcTime drain_until;         /* when EOS waits no longer; TFRC_TIME_NONE: no EOS */
  gboolean answered;            /* a report was accepted since drain_until was set */
  gboolean has_ssrc;
  guint32 ssrc;
  guint16 seq;                  /* of the last packet that departed */
  TfrcTime rate_set;            /* when X last changed */

  GstTfrcMeter meter;           /* of what comes in */
  GstTfrcOffer offer;
  GstTfrcTeller teller;
  GstTfrcAudit audit;           /* of the receiver */
  guint64 ssrc_changes;
  guint64 doubted;              /* receiver reports that contradict the flow's */
} GstTfrcFlow;

/* Part of the owner, zero before its init. */
void gst_tfrc_flow_init (GstTfrcFlow * flow, GstElement * owner,
    const GstTfrcLimits * limits, GstTfrcTimerFunc on_timer);
void gst_tfrc_flow_clear (GstTfrcFlow * flow);
void gst_tfrc_flow_reset (GstTfrcFlow * flow);

/* Begins anew. Takes `link`. */
void gst_tfrc_flow_start (GstTfrcFlow * flow, const TfrcConfig * config,
    GstTfrcLink * link);

TfrcTime gst_tfrc_flow_get_now (const GstTfrcFlow * flow);

/* What the clock below shows is waited for. */
void gst_tfrc_flow_arm (GstTfrcFlow * flow);

/* What an encoder may use, and `reason` to tell it, if it is worth telling. */
void gst_tfrc_flow_get_rate (GstTfrcFlow * flow, GstTfrcRate * rate, TfrcTime now);
void gst_tfrc_flow_note_rate (GstTfrcFlow * flow, GstTfrcRateReason reason,
    TfrcTime now);

/* How long a packet may wait, ns; 0: no limit. */
guint64 gst_tfrc_flow_get_queue_time (const GstTfrcFlow * flow);

/* A packet came. Takes the item's object. */
void gst_tfrc_flow_add (GstTfrcFlow * flow, const GstTfrcItem * item);

/* EOS is in, behind the packets that wait. Once no report has come for a while they are
 * dropped, whatever the limit of their waiting time is. */
void gst_tfrc_flow_drain (GstTfrcFlow * flow);

/* After a flush: packets come again. */
void gst_tfrc_flow_end_drain (GstTfrcFlow * flow);

/* What may leave now: an event, a buffer, or a list of buffers; the caller's. NULL:
 * nothing, and the time of the next is waited for. `now` is TFRC_TIME_NONE when the clock
 * is still to be looked at. */
GstMiniObject *gst_tfrc_flow_take (GstTfrcFlow * flow, TfrcTime now);

/* A report came, with `new_peer` from another receiver. TRUE: it was accepted. */
gboolean gst_tfrc_flow_on_report (GstTfrcFlow * flow, const TfrcReport * report,
    gboolean new_peer);

/* The receiver's SR or RR: a round-trip time (0: none yet) and the packets that it
 * counts as lost. */
void gst_tfrc_flow_on_receiver_report (GstTfrcFlow * flow, TfrcTime rtt, gint lost);

/* The timer fired. */
void gst_tfrc_flow_on_timer (GstTfrcFlow * flow);

void gst_tfrc_flow_add_stats (GstTfrcFlow * flow, GstStructure * stats);

G_END_DECLS

#endif
