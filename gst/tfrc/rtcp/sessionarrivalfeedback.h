/* gst-tfrc: takes feedback that lists arrivals from the RTP session of a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SESSIONARRIVALFEEDBACK_H
#define GST_TFRC_SESSIONARRIVALFEEDBACK_H

#include <gst/gst.h>

#include "base/twccseqnum.h"

G_BEGIN_DECLS

/* Hands the owner, a data sender, each RTPFB packet with transport-wide feedback or feedback of RFC 8888 from one data
 * receiver, and the transport-wide sequence number of each packet that leaves.
 *
 * RTPSession writes that number into each packet that has room for it, behind the filters, and has no signal for it.
 * So the number is read where the packets leave the element rtpsession, in the thread that pushes them. Packets are
 * read and never changed.
 *
 * The object is counted by references, since the session may emit a signal in another thread while the filter
 * detaches. All functions are called without a lock of the owner. */
typedef struct _GstTfrcSessionArrivalFeedback GstTfrcSessionArrivalFeedback;

/* Called in the threads of the session and of the packets. */
typedef struct
{
  /* `data` is what follows the SSRC of the RTCP packet's sender. `is_new_receiver`: it came from another data
   * receiver than before. Returns whether the owner accepts what the feedback says, so that its sender is the data
   * receiver from now on. */
  gboolean (*on_arrivals) (GstElement * owner, guint fmt, const guint8 * data,
      gsize size, gboolean is_new_receiver);
  void (*on_number) (GstElement * owner,
      const GstTfrcTwccSeqnum * number);
} GstTfrcArrivalHandlers;

GstTfrcSessionArrivalFeedback *gst_tfrc_session_arrival_feedback_new (GstElement * owner,
    const GstTfrcArrivalHandlers * handlers);
GstTfrcSessionArrivalFeedback *gst_tfrc_session_arrival_feedback_ref (GstTfrcSessionArrivalFeedback *
    self);
void gst_tfrc_session_arrival_feedback_unref (GstTfrcSessionArrivalFeedback * self);

/* Attaches to `session`, an RTPSession or an element rtpsession, or when that is NULL to the first rtpsession that is
 * found by following `pad`, and reads the numbers with the header extension `id` (0: none) where that element's packets
 * leave. An object that is attached to this session and pad stays as it is. It is detached from any other first. */
void gst_tfrc_session_arrival_feedback_attach (GstTfrcSessionArrivalFeedback * self,
    GObject * session, GstPad * pad, guint id);
void gst_tfrc_session_arrival_feedback_detach (GstTfrcSessionArrivalFeedback * self);

G_END_DECLS

#endif
