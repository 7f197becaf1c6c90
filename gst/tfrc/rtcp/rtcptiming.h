/* gst-tfrc: when a unicast RTP session sends its RTCP packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTCPTIMING_H
#define GST_TFRC_RTCPTIMING_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* GstTfrcRtcpTiming: the rules of RFC 3550 6.3 and RFC 4585 3.5 for a session of two members, this
 * end and the remote end. The object is plain state without a lock; times are in ns.
 *
 * - Compound packets are sent at intervals T. T is drawn from 0.5 to 1.5 times the larger of
 *   T_rr_interval and the deterministic interval, 8 members avg_rtcp_size / bandwidth with
 *   T_min = 0.
 * - Feedback is sent at once when the feedback interval before it has room for an early packet,
 *   otherwise at the end of that interval. T_dither_max is 0 with two members. The feedback
 *   interval is deterministic and without T_rr_interval, which is for compound packets only.
 * - While no RTCP of the remote end arrives, a compound packet is sent 0.8 to 1 s after the
 *   compound packet before it, as a sign of life, and 2.4 to 3 s after it once the silence has
 *   lasted a minute, whatever the bandwidth is. The first RTCP that ends a silence is answered at once.
 *
 * Differs from RFC 3550 6.3.6: the interval is not computed again when it ends, and therefore not
 * divided by e - 3/2 either, because a session of two members does not grow.
 *
 * @bandwidth: bit/s that the RTCP of both ends may take, headers below RTCP included
 * @trr_int: T_rr_interval of RFC 4585 3.4
 * @H: bytes below RTCP in each packet
 * @avg_rtcp_size: mean size of the RTCP packets sent and received, H included, bytes (RFC 3550
 *   6.3.3)
 * @random: state of the random generator
 * @begun: when the session began
 * @heard: when the last RTCP of the remote end arrived; TFRC_TIME_NONE: none arrived yet
 * @left: when the last compound packet was sent; TFRC_TIME_NONE: none was sent yet
 * @T: the interval that began at @left
 * @sign: factor, 0.8 to 1, of the interval between signs of life
 * @fed: when the feedback interval began
 * @T_rr: length of the feedback interval
 * @early: whether feedback was sent before the end of the feedback interval (allow_early = FALSE in
 *   RFC 4585 3.5.1)
 * @answer: whether a compound packet is due at once, as an answer */
typedef struct
{
  gdouble bandwidth;
  TfrcTime trr_int;
  guint H;
  gdouble avg_rtcp_size;
  guint64 random;

  TfrcTime begun, heard, left;
  TfrcTime T, fed, T_rr;
  gdouble sign;
  gboolean early, answer;
} GstTfrcRtcpTiming;

/* Equal values of @seed draw equal intervals. The first compound packet is due at once, which
 * RFC 3550 6.2 allows in a unicast session. */
void gst_tfrc_rtcp_timing_init (GstTfrcRtcpTiming * timing, gdouble bandwidth,
    TfrcTime trr_int, guint H, guint64 seed, TfrcTime now);

/* Sets the bandwidth in bit/s and T_rr_interval. The present intervals become longer or shorter in proportion. */
void gst_tfrc_rtcp_timing_set (GstTfrcRtcpTiming * timing, gdouble bandwidth, TfrcTime trr_int);

/* An RTCP packet of @size bytes was sent. */
void gst_tfrc_rtcp_timing_on_sent (GstTfrcRtcpTiming * timing, gsize size,
    gboolean compound, TfrcTime now);

/* An RTCP packet of @size bytes has arrived from the remote end.
 *
 * Returns: TRUE when the packet ends a silence, so that an answer is due at once. */
gboolean gst_tfrc_rtcp_timing_on_heard (GstTfrcRtcpTiming * timing, gsize size, TfrcTime now);

/* Makes a compound packet due at once, for a remote end that has just appeared. */
void gst_tfrc_rtcp_timing_answer (GstTfrcRtcpTiming * timing);

/* When the next compound packet is due. */
TfrcTime gst_tfrc_rtcp_timing_next_compound (const GstTfrcRtcpTiming * timing);

/* When feedback may be sent; a time in the past means at once. */
TfrcTime gst_tfrc_rtcp_timing_next_feedback (const GstTfrcRtcpTiming * timing);

/* The time from which on the remote end counts as silent when no RTCP of it arrives before: three
 * intervals of compound packets, at least 1 s and at most 5 s, after its last RTCP packet. */
TfrcTime gst_tfrc_rtcp_timing_get_silence (const GstTfrcRtcpTiming * timing);

/* Whether RTCP of the remote end has come within the last second, or none ever. */
gboolean gst_tfrc_rtcp_timing_hears (const GstTfrcRtcpTiming * timing,
    TfrcTime now);

/* The deterministic interval T_d of RFC 3550 6.3.1 with the minimum @T_min. */
TfrcTime gst_tfrc_rtcp_timing_get_interval (const GstTfrcRtcpTiming * timing, TfrcTime T_min);

/* A number from the generator, 0 to 2^32 - 1. */
guint32 gst_tfrc_rtcp_timing_draw (GstTfrcRtcpTiming * timing);

G_END_DECLS

#endif
