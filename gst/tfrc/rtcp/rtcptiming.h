/* gst-tfrc: when the RTCP packets of a unicast session leave
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTCPTIMING_H
#define GST_TFRC_RTCPTIMING_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* GstTfrcRtcpTiming: the rules of RFC 3550 6.3 and RFC 4585 3.5 for two members.
 *
 * Regular compound packets leave at intervals T, drawn from 0.5 to 1.5 times the larger of
 * T_rr_interval and the deterministic interval 8 members avg_rtcp_size / bandwidth, with
 * T_min = 0. Feedback leaves at once where the interval before it allows that, else at
 * the interval's end; T_dither_max is 0 with two members. The interval that spaces feedback
 * does not know T_rr_interval, which is for compound packets only.
 *
 * While nobody answers, a compound packet is a sign of life and leaves 0.8 to 1 s after the
 * one before, and 2.4 to 3 s once the silence has lasted a minute, whatever the bandwidth.
 * The first RTCP that ends a silence is answered at once.
 *
 * Differs from RFC 3550 6.3.6: an interval is not reconsidered when it ends, as a session of
 * two members does not grow, and so not divided by e - 3/2 to make up for that.
 *
 * @bandwidth: bit/s that the RTCP of both ends may take, headers below RTCP included
 * @trr_int: T_rr_interval of RFC 4585 3.4, ns
 * @H: bytes below RTCP that each packet costs
 * @avg_rtcp_size: of what was sent and received, H included, bytes (RFC 3550 6.3.3)
 * @random: the generator's state
 * @begun: when the session began, ns
 * @heard: when RTCP of the remote end was heard last, ns; TFRC_TIME_NONE: never
 * @left: when the last compound packet left, ns; TFRC_TIME_NONE: none did
 * @T: the interval that began with it, ns
 * @sign: 0.8 to 1, of the interval of the signs of life
 * @fed: when the feedback interval began, ns
 * @T_rr: the feedback interval, ns
 * @early: whether a packet left before the end of the feedback interval (RFC 4585
 *   allow_early = FALSE)
 * @answer: an answer is due */
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

/* The same @seed draws the same intervals. The first compound packet is due at once, as
 * RFC 3550 6.2 allows in a unicast session. */
void gst_tfrc_rtcp_timing_init (GstTfrcRtcpTiming * timing, gdouble bandwidth,
    TfrcTime trr_int, guint H, guint64 seed, TfrcTime now);

/* The interval under way is stretched or shortened with the bandwidth. */
void gst_tfrc_rtcp_timing_set_bandwidth (GstTfrcRtcpTiming * timing, gdouble bandwidth);

/* An RTCP packet of @size bytes has left. */
void gst_tfrc_rtcp_timing_on_sent (GstTfrcRtcpTiming * timing, gsize size,
    gboolean compound, TfrcTime now);

/* An RTCP packet of @size bytes has arrived and is taken as the remote end's.
 *
 * Returns: TRUE when it ends a silence, and so is answered at once. */
gboolean gst_tfrc_rtcp_timing_on_heard (GstTfrcRtcpTiming * timing, gsize size, TfrcTime now);

/* Another remote end than the one before has been heard: it is answered at once. */
void gst_tfrc_rtcp_timing_answer (GstTfrcRtcpTiming * timing);

/* When the next compound packet is due. */
TfrcTime gst_tfrc_rtcp_timing_next_compound (const GstTfrcRtcpTiming * timing);

/* When feedback may leave; in the past: at once. */
TfrcTime gst_tfrc_rtcp_timing_next_feedback (const GstTfrcRtcpTiming * timing);

/* From when on the remote end counts as silent if nothing is heard of it: three intervals of
 * compound packets after the last RTCP, at least 1 s and at most 5 s. */
TfrcTime gst_tfrc_rtcp_timing_get_silence (const GstTfrcRtcpTiming * timing);

/* The deterministic interval T_d of RFC 3550 6.3.1 with the T_min given, ns. */
TfrcTime gst_tfrc_rtcp_timing_get_interval (const GstTfrcRtcpTiming * timing, TfrcTime T_min);

/* A number from the generator, 0 to 2^32 - 1. */
guint32 gst_tfrc_rtcp_timing_draw (GstTfrcRtcpTiming * timing);

G_END_DECLS

#endif
