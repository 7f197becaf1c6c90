/* gst-tfrc: a flow on its way out: the engine, what waits for it, what it allows
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

/* All of it, and each function here, is under the owner's lock. None calls out: what is
 * to be told is left in `notifier`, what may leave is taken by the owner, which pushes. */
typedef struct
{
  GstElement *owner;
  const GstTfrcFilterSettings *settings;

  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback */
  GstTfrcSchedulerEntry departures;
  gboolean joined;              /* to a scheduler */
  TfrcConfig config;
  TfrcSender *sender;           /* NULL until the first start */
  GstTfrcDataSenderRtcp *rtcp;

  GstTfrcPacingQueue queue;
  gboolean departing;           /* a thread takes what may leave and pushes it */
  TfrcTime drain_until;         /* when EOS waits no longer; TFRC_TIME_NONE: no EOS */
  gboolean answered;            /* a report was accepted since drain_until was set */
  gboolean has_ssrc;
  guint32 ssrc;
  guint16 seq;                  /* of the last packet that departed */
  TfrcTime rate_set;            /* when X last changed */

  GstTfrcMeter meter;           /* of what comes in */
  GstTfrcEncoderAllowance encoder;
  GstTfrcNotifier notifier;
  GstTfrcLossCrossCheck cross_check; /* of the receiver */
  guint64 ssrc_changes;
  guint64 doubted;              /* receiver reports that contradict the flow's */
} GstTfrcSendFlow;

/* Part of the owner, zero before its init. */
void gst_tfrc_send_flow_init (GstTfrcSendFlow * flow, GstElement * owner,
    const GstTfrcFilterSettings * settings, GstTfrcTimerFunc on_timer);
void gst_tfrc_send_flow_clear (GstTfrcSendFlow * flow);
void gst_tfrc_send_flow_reset (GstTfrcSendFlow * flow);

/* Begins anew. Takes `rtcp`. */
void gst_tfrc_send_flow_start (GstTfrcSendFlow * flow, const TfrcConfig * config,
    GstTfrcDataSenderRtcp * rtcp);

TfrcTime gst_tfrc_send_flow_get_now (const GstTfrcSendFlow * flow);

/* What the clock below shows is waited for. */
void gst_tfrc_send_flow_arm (GstTfrcSendFlow * flow);

/* What an encoder may use, and `reason` to tell it, if it is worth telling. */
void gst_tfrc_send_flow_get_rate (GstTfrcSendFlow * flow, GstTfrcRate * rate, TfrcTime now);
void gst_tfrc_send_flow_note_rate (GstTfrcSendFlow * flow, GstTfrcRateReason reason,
    TfrcTime now);

/* How long a packet may wait, ns; 0: no limit. */
guint64 gst_tfrc_send_flow_get_queue_time (const GstTfrcSendFlow * flow);

/* A packet came. Takes the item's object. */
void gst_tfrc_send_flow_add (GstTfrcSendFlow * flow, const GstTfrcItem * item);

/* EOS is in, behind the packets that wait. Once no report has come for a while they are
 * dropped, whatever the limit of their waiting time is. */
void gst_tfrc_send_flow_drain (GstTfrcSendFlow * flow);

/* After a flush: packets come again. */
void gst_tfrc_send_flow_end_drain (GstTfrcSendFlow * flow);

/* What may leave now: an event, a buffer, or a list of buffers; the caller's. NULL:
 * nothing, and the time of the next is waited for. `now` is TFRC_TIME_NONE when the clock
 * is still to be looked at. */
GstMiniObject *gst_tfrc_send_flow_take (GstTfrcSendFlow * flow, TfrcTime now);

/* A report came, with `is_new_receiver` from another receiver. TRUE: it was accepted. */
gboolean gst_tfrc_send_flow_on_report (GstTfrcSendFlow * flow, const TfrcReport * report,
    gboolean is_new_receiver);

/* The receiver's SR or RR: a round-trip time (0: none yet) and the packets that it
 * counts as lost. */
void gst_tfrc_send_flow_on_receiver_report (GstTfrcSendFlow * flow, TfrcTime rtt, gint lost);

/* The timer fired. */
void gst_tfrc_send_flow_on_timer (GstTfrcSendFlow * flow);

void gst_tfrc_send_flow_add_stats (GstTfrcSendFlow * flow, GstStructure * stats);

G_END_DECLS

#endif
