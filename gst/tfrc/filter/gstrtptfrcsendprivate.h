/* gst-tfrc: the state of rtptfrcsend, as the files of the element share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTP_SEND_PRIVATE_H
#define GST_TFRC_RTP_SEND_PRIVATE_H

#include "base/twccseqnum.h"
#include "filter/filtersettings.h"
#include "filter/flowdriver.h"
#include "filter/gstrtptfrcsend.h"
#include "filter/runningtimewait.h"
#include "filter/sendwarnings.h"
#include "rtcp/sessionarrivalfeedback.h"

G_BEGIN_DECLS

struct _GstRtpTfrcSend
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstPad *rtcp_sinkpad, *rtcp_srcpad;   /* NULL: not requested; under the object lock */

  GMutex lock;                  /* guards what follows */
  GstTfrcFilterSettings settings;

  gboolean running, flushing, eos;
  GstTfrcRunningTimeWait sync;
  GstTfrcFlowDriver driver;
  GstFlowReturn pushed;         /* the flow return of the last push */
  guint attach_in;              /* packets until the filter looks for a session */
  gboolean attached;
  GstTfrcSendWarnings warnings;
  GstTfrcSessionArrivalFeedback *arrivals;     /* NULL until the first start */
  guint transport_id;           /* ID of the header extension with the transport-wide sequence number; 0: it is not
                                 * needed */
};

/* gstrtptfrcsend.c */

/* Pushes the packets and events that may depart. Called with the lock, which is released during
 * each push. `departing` keeps the order: another thread that calls this meanwhile leaves its
 * packets to the first. `now` is TFRC_TIME_NONE when the clock has not been read. */
void gst_rtp_tfrc_send_depart (GstRtpTfrcSend * self, TfrcTime now);

/* Releases the lock, and then posts the messages and sends the allowances that wait. */
void gst_rtp_tfrc_send_unlock_and_notify (GstRtpTfrcSend * self);

/* Looks for the RTP session. Called without the lock. */
void gst_rtp_tfrc_send_attach (GstRtpTfrcSend * self);

/* gstrtptfrcsendevents.c */

/* Chooses the feedback by the caps. The session has to be looked for again, because its packets' transport-wide
 * sequence numbers may be needed now. Called with the lock. */
GstTfrcFeedback gst_rtp_tfrc_send_take_feedback (GstRtpTfrcSend * self, const GstCaps * caps);

/* The functions of the pads `sink` and `src`. */
gboolean gst_rtp_tfrc_send_sink_event (GstPad * pad, GstObject * parent, GstEvent * event);
gboolean gst_rtp_tfrc_send_sink_query (GstPad * pad, GstObject * parent, GstQuery * query);
gboolean gst_rtp_tfrc_send_src_event (GstPad * pad, GstObject * parent, GstEvent * event);
gboolean gst_rtp_tfrc_send_src_query (GstPad * pad, GstObject * parent, GstQuery * query);

G_END_DECLS

#endif
