/* gst-tfrc: how often the RTP session of GStreamer sends compound RTCP: more often while nothing is heard
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_COMPOUNDINTERVAL_H
#define GST_TFRC_COMPOUNDINTERVAL_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Plain state of an attached session, which guards it by its lock. Times are of the system's monotonic
 * clock, ns.
 *
 * While the remote end is heard, compound packets leave about each 2 s. While the remote end is not heard, each
 * compound packet of a data sender is a sign of life, which a remote end that appears answers at once. At least
 * one sign of life leaves in a second in the first minute of a silence, and one in 3 s after that. An RTP
 * session of our own does the same (rtcp/rtcptiming.h). */
typedef struct
{
  gboolean is_receiver;         /* this end receives the data: it answers signs of life and sends none */
  GstClockTime begun;           /* when the silence began that precedes the first RTCP */
  GstClockTime heard;           /* when RTCP of the remote end came last; GST_CLOCK_TIME_NONE: never */
} GstTfrcCompoundInterval;

void gst_tfrc_compound_interval_init (GstTfrcCompoundInterval * self,
    gboolean is_receiver, GstClockTime now);

/* RTCP of the remote end came. Returns TRUE when the packet ends a silence, and therefore is answered
 * at once. */
gboolean gst_tfrc_compound_interval_on_heard (GstTfrcCompoundInterval * self,
    GstClockTime now);

/* T_rr_interval of RFC 4585 3.4 in ns: compound packets leave 0.5 to 1.5 times this interval apart. */
GstClockTime gst_tfrc_compound_interval_get (const GstTfrcCompoundInterval *
    self, GstClockTime now);

G_END_DECLS

#endif
