/* gst-tfrc: the state of rtptfrcreceive, as the files of the element share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTP_RECEIVE_PRIVATE_H
#define GST_TFRC_RTP_RECEIVE_PRIVATE_H

#include "base/messages.h"
#include "base/remoteliveness.h"
#include "filter/filtersettings.h"
#include "filter/gstrtptfrcreceive.h"
#include "filter/measuredflows.h"
#include "filter/payloadroles.h"
#include "rtcp/datareceiverrtcp.h"
#include "time/enginetime.h"

G_BEGIN_DECLS

/* Actions that are deferred until the lock is released. */
enum
{
  ACT_REQUEST = 1 << 0,         /* ask the session for an RTCP packet */
  ACT_PATH = 1 << 1,            /* R or the rate changed */
  ACT_CONFIRM = 1 << 3,         /* R has changed: a report has reached the data sender */
  ACT_ATTACH = 1 << 4,          /* there is no session yet */
  ACT_HERE = 1 << 5,            /* this thread may push a report */
  ACT_POST = 1 << 6             /* post the messages */
};

struct _GstRtpTfrcReceive
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstPad *rtcp_srcpad;          /* NULL: not requested; under the object lock */
  GstTfrcFilterSettings settings;       /* under the object lock */

  GMutex lock;                  /* guards what follows */
  gboolean running;
  GstTfrcTimebase time;
  GstTfrcTimer timer;
  GstTfrcMeasuredFlows flows;
  guint turn;                   /* index of the flow that is asked first for a report, modulo their number */
  GstTfrcPayloadRoles roles;
  GstTfrcDataReceiverRtcp *rtcp;
  guint H;                      /* bytes */
  gboolean chooses_mode;        /* the mode of each flow is that of the data sender */
  gint caps_mode;               /* that the caps of the pad have, as of gst_tfrc_caps_get_mode() */
  guint id;                     /* ID of the header extension */
  gboolean by_caps;             /* the caps of a payload type may name another ID */
  gboolean off;                 /* the caps do not negotiate TFRC: no reports */

  GstTfrcRemoteLiveness connection;   /* with the data sender */
  GQueue messages;              /* GstStructure; not posted yet */
  TfrcTime interval;            /* between reports, by the bandwidth of RTCP */
  TfrcTime path_set;            /* when `interval` was last computed */
  guint attach_in;              /* packets until the filter looks for a session */
  GstTfrcWarning half;          /* caps have a part of TFRC alone; under the object lock */
  gboolean attached, warned;

  guint64 not_rtp, bad_extensions;
};

/* gstrtptfrcreceivepackets.c: functions that are called with the lock. Those that return a guint return the actions
 * that are then due. */

static inline TfrcTime
gst_rtp_tfrc_receive_get_now (GstRtpTfrcReceive * self)
{
  return gst_tfrc_timebase_now (&self->time);
}

/* The time between reports: R, or the interval that the bandwidth of RTCP allows. */
TfrcTime gst_rtp_tfrc_receive_get_period (GstRtpTfrcReceive * self,
    const GstTfrcMeasuredFlow * flow);

/* Arms the timer for what is due next of all flows and of the connection. */
void gst_rtp_tfrc_receive_arm_timer (GstRtpTfrcReceive * self);

/* The connection has a new state; `state` is what a function of base/remoteliveness.h returned. */
guint gst_rtp_tfrc_receive_note_connection (GstRtpTfrcReceive * self, const gchar * state);

/* A packet or RTCP of the data sender arrived. */
guint gst_rtp_tfrc_receive_hear (GstRtpTfrcReceive * self, TfrcTime now);

/* A function of the engine of `flow` has returned `bits`. */
guint gst_rtp_tfrc_receive_on_bits (GstRtpTfrcReceive * self, GstTfrcMeasuredFlow * flow,
    unsigned bits, TfrcTime now);

/* The losses of the flow are measured in `mode` from now on. */
void gst_rtp_tfrc_receive_set_mode (GstRtpTfrcReceive * self, GstTfrcMeasuredFlow * flow, TfrcMode mode);

/* Measures a buffer and replaces it by one without the stamp. */
guint gst_rtp_tfrc_receive_take_buffer (GstRtpTfrcReceive * self, GstBuffer ** buffer,
    TfrcTime now);

G_END_DECLS

#endif
