/* gst-tfrc: when a unicast RTP session sends its RTCP packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtcptiming.h"

#define MEMBERS 2
#define FIRST_SIZE 100.0        /* bytes: SR, SDES and a report, RFC 3550 6.3.3 */
#define SIZE_SHARE (1.0 / 16)   /* of a new size in the mean, RFC 3550 6.3.3 */
#define SIZE_MAX_COUNTED 1500   /* bytes; no honest RTCP packet is larger than the path's MTU */
#define INTERVAL_MAX (3600 * TFRC_SEC)

/* Signs of life while no RTCP of the remote end arrives. RFC 8085 3.1.3 allows an application
 * without a round-trip time one datagram in 3 s; in the first minute the session sends more. */
#define SIGN_INTERVAL TFRC_SEC
#define LATE_SIGN_INTERVAL (3 * TFRC_SEC)
/* The first RTCP packet asks for the round-trip time, without which a voice hardly begins. The second one follows after the
 * time that STUN waits before it repeats a request (RFC 8489 6.2.1). */
#define SECOND_SIGN_INTERVAL (500 * TFRC_MSEC)
/* A minute, and the time in which the sign that ends it is answered. */
#define SIGN_MINUTE (62 * TFRC_SEC)
#define SIGN_SPREAD 0.2

/* Compound packets that are sent beside early feedback delay later feedback by at most so many
 * feedback intervals. */
#define DEBT_MAX 3

#define SILENCE_INTERVALS 3
#define SILENCE_MIN TFRC_SEC
#define SILENCE_MAX (5 * TFRC_SEC)

/* The least time between two answers, whoever causes them. */
#define ANSWER_DISTANCE (100 * TFRC_MSEC)

guint32
gst_tfrc_rtcp_timing_draw (GstTfrcRtcpTiming * timing)
{
  guint64 z = (timing->random += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15));

  /* splitmix64 */
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return (z ^ (z >> 31)) >> 32;
}

/* From 0 to 1. */
static gdouble
draw_share (GstTfrcRtcpTiming * timing)
{
  return gst_tfrc_rtcp_timing_draw (timing) / 4294967296.0;
}

TfrcTime
gst_tfrc_rtcp_timing_get_interval (const GstTfrcRtcpTiming * timing,
    TfrcTime T_min)
{
  gdouble T = INTERVAL_MAX;

  if (timing->bandwidth > 0)
    T = 8 * MEMBERS * timing->avg_rtcp_size / timing->bandwidth * TFRC_SEC;
  return MAX (T_min, (TfrcTime) MIN (T, INTERVAL_MAX));
}

void
gst_tfrc_rtcp_timing_init (GstTfrcRtcpTiming * timing, gdouble bandwidth,
    TfrcTime trr_int, guint H, guint64 seed, TfrcTime now)
{
  *timing = (GstTfrcRtcpTiming) {
      .bandwidth = bandwidth,
      .trr_int = MIN (trr_int, INTERVAL_MAX),
      .H = H,
      .avg_rtcp_size = FIRST_SIZE + H,
      .random = seed,
      .begun = now,
      .heard = TFRC_TIME_NONE,
      .left = TFRC_TIME_NONE,
      .fed = now
  };
}

static gdouble
get_ratio (TfrcTime after, TfrcTime before)
{
  return before > 0 ? (gdouble) after / before : 1;
}

/* The rest of the present intervals is stretched or shortened in proportion. */
void
gst_tfrc_rtcp_timing_set (GstTfrcRtcpTiming * timing, gdouble bandwidth,
    TfrcTime trr_int)
{
  TfrcTime feedback = gst_tfrc_rtcp_timing_get_interval (timing, 0);
  TfrcTime compound =
      gst_tfrc_rtcp_timing_get_interval (timing, timing->trr_int);

  timing->bandwidth = bandwidth;
  timing->trr_int = MIN (trr_int, INTERVAL_MAX);
  timing->T_rr = MIN (timing->T_rr * get_ratio
      (gst_tfrc_rtcp_timing_get_interval (timing, 0), feedback), INTERVAL_MAX);
  timing->T = MIN (timing->T * get_ratio (gst_tfrc_rtcp_timing_get_interval
          (timing, timing->trr_int), compound), 2 * INTERVAL_MAX);
}

static void
add_size (GstTfrcRtcpTiming * timing, gsize size)
{
  size = MIN (size, SIZE_MAX_COUNTED) + timing->H;
  timing->avg_rtcp_size += (size - timing->avg_rtcp_size) * SIZE_SHARE;
}

/* RFC 4585 3.5.2, 3.5.3: one packet may be sent early. The next feedback is then sent no sooner
 * than if the early packet had been sent at its regular time. */
static void
begin_feedback_interval (GstTfrcRtcpTiming * timing, gdouble factor,
    TfrcTime now)
{
  TfrcTime interval = gst_tfrc_rtcp_timing_get_interval (timing, 0);

  timing->early = now < timing->fed + timing->T_rr;
  timing->fed =
      timing->early ? MIN (timing->fed + timing->T_rr,
      now + DEBT_MAX * interval) : now;
  timing->T_rr = factor * interval;
}

void
gst_tfrc_rtcp_timing_on_sent (GstTfrcRtcpTiming * timing, gsize size,
    gboolean compound, TfrcTime now)
{
  gdouble factor = 0.5 + draw_share (timing);   /* RFC 3550 6.3.1 */

  add_size (timing, size);
  begin_feedback_interval (timing, factor, now);
  if (!compound)
    return;
  timing->left = now;
  timing->T =
      factor * gst_tfrc_rtcp_timing_get_interval (timing, timing->trr_int);
  timing->sign = 1 - SIGN_SPREAD * draw_share (timing);
  timing->answer = FALSE;
}

gboolean
gst_tfrc_rtcp_timing_on_heard (GstTfrcRtcpTiming * timing, gsize size,
    TfrcTime now)
{
  gboolean answer = now >= gst_tfrc_rtcp_timing_get_silence (timing);

  add_size (timing, size);
  timing->heard = now;
  timing->answer |= answer;
  return answer;
}

void
gst_tfrc_rtcp_timing_answer (GstTfrcRtcpTiming * timing)
{
  timing->answer = TRUE;
}

TfrcTime
gst_tfrc_rtcp_timing_get_silence (const GstTfrcRtcpTiming * timing)
{
  TfrcTime interval =
      gst_tfrc_rtcp_timing_get_interval (timing, timing->trr_int);

  if (timing->heard == TFRC_TIME_NONE)
    return timing->begun;
  return timing->heard + CLAMP (SILENCE_INTERVALS * interval, SILENCE_MIN,
      SILENCE_MAX);
}

gboolean
gst_tfrc_rtcp_timing_hears (const GstTfrcRtcpTiming * timing, TfrcTime now)
{
  return timing->heard == TFRC_TIME_NONE || now < timing->heard + SILENCE_MIN;
}

/* Whether the last compound packet was the first one: the second one leaves no sooner than the time below. */
static gboolean
has_sent_once (const GstTfrcRtcpTiming * timing)
{
  return timing->heard == TFRC_TIME_NONE && timing->left <
      timing->begun + (TfrcTime) ((1 - SIGN_SPREAD) * SECOND_SIGN_INTERVAL);
}

/* When the next sign of life is due in a silence that begins at `silence`. */
static TfrcTime
get_sign_time (const GstTfrcRtcpTiming * timing, TfrcTime silence)
{
  TfrcTime minute =
      (timing->heard ==
      TFRC_TIME_NONE ? timing->begun : timing->heard) + SIGN_MINUTE;
  TfrcTime interval =
      has_sent_once (timing) ? SECOND_SIGN_INTERVAL : SIGN_INTERVAL;
  TfrcTime time = timing->left + timing->sign * interval;

  if (time > minute)
    time = timing->left + timing->sign * LATE_SIGN_INTERVAL;
  return MAX (time, silence);
}

TfrcTime
gst_tfrc_rtcp_timing_next_compound (const GstTfrcRtcpTiming * timing)
{
  TfrcTime silence = gst_tfrc_rtcp_timing_get_silence (timing);
  TfrcTime time;

  if (timing->left == TFRC_TIME_NONE)
    return timing->begun;
  time = timing->left + timing->T;
  if (time >= silence)
    time = get_sign_time (timing, silence);
  if (timing->answer)
    time = MIN (time, timing->left + ANSWER_DISTANCE);
  return time;
}

TfrcTime
gst_tfrc_rtcp_timing_next_feedback (const GstTfrcRtcpTiming * timing)
{
  if (!timing->early)
    return timing->fed;
  return timing->fed + timing->T_rr;
}
