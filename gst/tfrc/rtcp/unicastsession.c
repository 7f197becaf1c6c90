/* gst-tfrc: an RTP session with one remote end, without sockets and clocks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/unicastsessionprivate.h"

#include <string.h>

#include <tfrc/wire.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcunicastsession", "TFRC RTP session of a peer");

/* RFC 3550 6.2: timeouts are multiples of the interval with a minimum of 5 s. */
#define T_MIN (5 * TFRC_SEC)
#define SENDER_INTERVALS 2      /* RFC 3550 6.3.5 */
#define CONFLICT_INTERVALS 10   /* RFC 3550 8.2 */
#define PROVEN_FOR (2 * TFRC_SEC)       /* as REBIND_AFTER of acceptedreceiver.c */
#define TRUSTED_FOR (60 * TFRC_SEC)

G_STATIC_ASSERT (sizeof (GstTfrcUnicastSession) <= 1024);

void
gst_tfrc_unicast_session_config_init (GstTfrcUnicastSessionConfig * config)
{
  *config = (GstTfrcUnicastSessionConfig) {
      .probation = 2,
      .bandwidth = 0.05 * 64000,
      .trr_int = TFRC_SEC,
      .H = 40,
      .fmt = TFRC_REPORT_FMT,
      .settings = { .takes_reduced = TRUE, .takes_timed = TRUE }
  };
}

const gchar *
gst_tfrc_unicast_session_config_check (const
    GstTfrcUnicastSessionConfig * config)
{
  if (memchr (config->cname, 0, sizeof config->cname) == NULL)
    return "cname must end within 64 bytes";
  if (config->cname[0] == 0 || !g_utf8_validate (config->cname, -1, NULL))
    return "cname must be a name in UTF-8";
  if (config->probation < 1 || config->probation > 255)
    return "probation must be 1 to 255 packets";
  if (!(config->bandwidth > 0 && config->bandwidth <= 1e12))
    return "bandwidth must be above 0 and at most 1e12 bit/s";
  if (config->fmt > 31)
    return "fmt must be 0 to 31";
  if (config->H > 1000)
    return "H must be at most 1000 bytes";
  if (!config->sends && !config->receives)
    return "sends or receives must be set";
  if (config->sdes_size > GST_TFRC_UNICAST_SESSION_SDES_MAX)
    return "sdes must have at most 1024 bytes";
  return NULL;
}

static guint32
draw_ssrc (GstTfrcUnicastSession * session)
{
  guint32 ssrc;

  do {
    ssrc = gst_tfrc_rtcp_timing_draw (&session->timing);
  } while (ssrc == 0 || ssrc == session->ssrc ||
      (session->has_data && ssrc == session->data.ssrc) ||
      (session->has_reporter && ssrc == session->reporter));
  return ssrc;
}

void
gst_tfrc_unicast_session_init (GstTfrcUnicastSession * session,
    const GstTfrcUnicastSessionConfig * config, TfrcTime now)
{
  *session = (GstTfrcUnicastSession) {
      .ssrc = config->ssrc,
      .clock_rate = config->clock_rate,
      .remote_clock_rate = config->remote_clock_rate,
      .probation_length = config->probation,
      .fmt = config->fmt,
      .settings = config->settings,
      .send_mode = config->settings.mode,
      .receive_mode = config->settings.mode,
      .sends = config->sends,
      .receives = config->receives,
      .sends_ecn = config->settings.ecn,
      .waits = config->waits,
      .sdes = config->sdes,
      .sdes_size = config->sdes_size,
      .now = now,
      .ntp_offset = config->ntp - now,
      .ntp_since = now,
      .collided = TFRC_TIME_NONE,
      .unreported = TFRC_TIME_NONE,
      .app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES,
      .answers_left = GST_TFRC_UNICAST_SESSION_ANSWERS,
      .rtt = TFRC_TIME_NONE,
      .fir_seq = -1
  };
  memcpy (session->cname, config->cname, sizeof session->cname);
  gst_tfrc_rtcp_timing_init (&session->timing, config->bandwidth,
      config->trr_int, config->H, config->seed, now);
  gst_tfrc_reduced_size_init (&session->reduced);
  if (session->ssrc == 0)
    session->ssrc = draw_ssrc (session);
}

TfrcTime
gst_tfrc_unicast_session_clamp (GstTfrcUnicastSession * session, TfrcTime now)
{
  if (now < session->now)
    session->counts.clock_decreases++;
  else
    session->now = now;
  return session->now;
}

void
gst_tfrc_unicast_session_set_ntp (GstTfrcUnicastSession * session, guint64 ntp,
    TfrcTime now)
{
  now = gst_tfrc_unicast_session_clamp (session, now);
  session->ntp_offset = ntp - now;
  session->ntp_since = now;
}

void
gst_tfrc_unicast_session_set_clock_rates (GstTfrcUnicastSession * session,
    guint32 own, guint32 remote)
{
  session->clock_rate = own;
  session->remote_clock_rate = remote;
  gst_tfrc_rtp_reception_set_clock_rate (&session->data, remote);
}

GstTfrcSessionBits
gst_tfrc_unicast_session_set_timing (GstTfrcUnicastSession * session,
    gdouble bandwidth, TfrcTime trr_int, TfrcTime now)
{
  gst_tfrc_unicast_session_clamp (session, now);
  gst_tfrc_rtcp_timing_set (&session->timing, bandwidth, trr_int);
  return GST_TFRC_SESSION_TIMER;
}

TfrcTime
gst_tfrc_unicast_session_get_T_d (const GstTfrcUnicastSession * session)
{
  return gst_tfrc_rtcp_timing_get_interval (&session->timing, T_MIN);
}

guint64
gst_tfrc_unicast_session_get_ntp (const GstTfrcUnicastSession * session)
{
  return gst_tfrc_ntp_from_time (session->now + session->ntp_offset);
}

gboolean
gst_tfrc_unicast_session_hears_data (const GstTfrcUnicastSession * session)
{
  return session->has_data && session->now - session->data.heard <
      SENDER_INTERVALS * gst_tfrc_unicast_session_get_T_d (session);
}

gboolean
gst_tfrc_unicast_session_sends_data (const GstTfrcUnicastSession * session)
{
  return session->packets_sent > 0 && session->now - session->sent_at <
      SENDER_INTERVALS * gst_tfrc_unicast_session_get_T_d (session);
}

GstTfrcSessionBits
gst_tfrc_unicast_session_on_sent (GstTfrcUnicastSession * session,
    const GstTfrcRtpFields * packet, TfrcTime time, TfrcTime now)
{
  session->sent_at = gst_tfrc_unicast_session_clamp (session, now);
  if (session->unreported == TFRC_TIME_NONE)
    session->unreported = session->sent_at;
  session->sent_time = time;
  session->sent_rtptime = packet->rtptime;
  session->packets_sent++;
  session->octets_sent += packet->payload_size;
  return 0;
}

/* RFC 3550 8.2: this end takes another SSRC, and sends a BYE for the old one. When packets with the
 * new SSRC arrive too, somebody sends this end its own packets back, and the SSRC stays. */
GstTfrcSessionBits
gst_tfrc_unicast_session_on_collision (GstTfrcUnicastSession * session)
{
  session->counts.collisions++;
  if (session->collided != TFRC_TIME_NONE && session->now - session->collided <
      CONFLICT_INTERVALS * gst_tfrc_unicast_session_get_T_d (session))
    return GST_TFRC_SESSION_REFUSED;
  GST_INFO ("%08x: the remote end has the same SSRC, which is given up",
      session->ssrc);
  session->collided = session->now;
  gst_tfrc_unicast_session_change_ssrc (session, draw_ssrc (session));
  return GST_TFRC_SESSION_REFUSED | GST_TFRC_SESSION_NEW_SSRC |
      GST_TFRC_SESSION_TIMER;
}

void
gst_tfrc_unicast_session_change_ssrc (GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  session->bye_due = session->packets_sent > 0 || session->counts.rtcp_sent > 0;
  session->former_ssrc = session->ssrc;
  session->ssrc = ssrc;
  session->packets_sent = session->octets_sent = 0;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
  session->block = (GstTfrcReportBlock) {0};
}

void
gst_tfrc_unicast_session_set_ssrc (GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  session->ssrc = ssrc;
}

void
gst_tfrc_unicast_session_rejoin (GstTfrcUnicastSession * session, guint32 ssrc)
{
  gst_tfrc_unicast_session_change_ssrc (session, ssrc);
  session->bye_due = session->left = FALSE;
  gst_tfrc_rtcp_timing_answer (&session->timing);
}

void
gst_tfrc_unicast_session_forget_remote (GstTfrcUnicastSession * session)
{
  session->has_data = session->has_reporter = FALSE;
  session->proven_until = session->trusted_until = 0;
  session->probation = (GstTfrcRtpProbation) {0};
  session->key_frame_due = FALSE;
  session->reference_ssrc = 0;
  session->answers_left = GST_TFRC_UNICAST_SESSION_ANSWERS;
  gst_tfrc_reduced_size_init (&session->reduced);
}

gboolean
gst_tfrc_unicast_session_is_remote (const GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  return (session->has_data && ssrc == session->data.ssrc) ||
      (session->has_reporter && ssrc == session->reporter);
}

GstTfrcSessionBits
gst_tfrc_unicast_session_adopt_reporter (GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  GST_DEBUG ("%08x: RTCP comes with SSRC %08x", session->ssrc, ssrc);
  session->reporter = ssrc;
  session->has_reporter = TRUE;
  session->reporter_heard = session->now;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
  session->remote_ecn = GST_TFRC_REMOTE_ECN_UNKNOWN;
  session->fir_seq = -1;
  gst_tfrc_rtcp_timing_answer (&session->timing);
  return GST_TFRC_SESSION_NEW_END;
}

gboolean
gst_tfrc_unicast_session_is_proven (const GstTfrcUnicastSession * session)
{
  return session->now < session->proven_until;
}

gboolean
gst_tfrc_unicast_session_trusts (const GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  return session->now < session->trusted_until && ssrc == session->trusted;
}

gboolean
gst_tfrc_unicast_session_misses_reports (GstTfrcUnicastSession * session)
{
  gboolean misses = session->proven_until != 0
      && session->unreported != TFRC_TIME_NONE
      && session->now >= session->unreported + PROVEN_FOR;

  if (misses)
    session->proven_until = 0;
  return misses;
}

GstTfrcSessionBits
gst_tfrc_unicast_session_on_proven (GstTfrcUnicastSession * session,
    guint32 ssrc)
{
  session->proven_until = session->now + PROVEN_FOR;
  session->trusted = ssrc;
  session->trusted_until = session->now + TRUSTED_FOR;
  session->unreported = TFRC_TIME_NONE;
  if (gst_tfrc_unicast_session_is_remote (session, ssrc))
    return 0;
  session->counts.reports_received++;
  return gst_tfrc_unicast_session_adopt_reporter (session, ssrc);
}

/* The candidate is valid, and is the remote end from now on. When RTCP of that SSRC has arrived
 * before, the remote end has got the settings already. */
static GstTfrcSessionBits
adopt (GstTfrcUnicastSession * session, const GstTfrcRtpFields * packet)
{
  gboolean known = session->has_reporter && session->reporter == packet->ssrc;

  gst_tfrc_rtp_reception_init (&session->data, packet->ssrc, packet->seq,
      session->remote_clock_rate);
  gst_tfrc_rtp_reception_on_packet (&session->data, packet, session->now);
  GST_DEBUG ("%08x: %s SSRC %08x", session->ssrc, session->has_data ?
      "the remote end now sends data with" : "the remote end sends data with",
      packet->ssrc);
  session->has_data = TRUE;
  tfrc_ecn_counter_init (&session->ecn);
  session->probation = (GstTfrcRtpProbation) {0};
  if (known) {
    session->has_reporter = FALSE;
  } else {
    session->proven_until = 0;
    session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
    session->remote_ecn = GST_TFRC_REMOTE_ECN_UNKNOWN;
    session->fir_seq = -1;
  }
  return GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_NEW_REMOTE |
      (known ? 0 : GST_TFRC_SESSION_NEW_END) | GST_TFRC_SESSION_TIMER;
}

static GstTfrcSessionBits
on_candidate (GstTfrcUnicastSession * session, const GstTfrcRtpFields * packet)
{
  gboolean valid =
      gst_tfrc_rtp_probation_on_packet (&session->probation, packet,
      session->probation_length);

  if (gst_tfrc_unicast_session_trusts (session, packet->ssrc))
    return adopt (session, packet);
  if (session->has_data
      && !gst_tfrc_ssrc_is_silent (session->data.heard, session->now)) {
    GST_LOG ("%08x: #%u of SSRC %08x refused, %08x is the remote end's",
        session->ssrc, packet->seq, packet->ssrc, session->data.ssrc);
    session->counts.strangers++;
    return GST_TFRC_SESSION_REFUSED;
  }
  return valid ? adopt (session, packet) : GST_TFRC_SESSION_PROBATION;
}

static GstTfrcSessionBits
on_data (GstTfrcUnicastSession * session, const GstTfrcRtpFields * packet)
{
  switch (gst_tfrc_rtp_reception_on_packet (&session->data, packet,
          session->now)) {
    case GST_TFRC_RTP_REFUSED:
      GST_DEBUG ("%08x: #%u refused, %u was expected", session->ssrc,
          packet->seq, (session->data.max_seq + 1) & 0xFFFF);
      session->counts.jumps++;
      return GST_TFRC_SESSION_REFUSED;
    case GST_TFRC_RTP_RESTARTED:
      GST_DEBUG ("%08x: the sequence begins again with #%u", session->ssrc,
          packet->seq);
      tfrc_ecn_counter_init (&session->ecn);
      return GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_RESTARTED;
    default:
      return GST_TFRC_SESSION_ACCEPTED;
  }
}

GstTfrcSessionBits
gst_tfrc_unicast_session_on_rtp (GstTfrcUnicastSession * session,
    const guint8 * data, gsize size, GstTfrcRtpFields * packet, TfrcTime now)
{
  gst_tfrc_unicast_session_clamp (session, now);
  if (session->left)
    return GST_TFRC_SESSION_REFUSED;
  if (!gst_tfrc_rtp_fields_parse (packet, data, size)) {
    session->counts.malformed++;
    return GST_TFRC_SESSION_REFUSED;
  }
  if (packet->ssrc == session->ssrc)
    return gst_tfrc_unicast_session_on_collision (session);
  if (session->has_data && packet->ssrc == session->data.ssrc)
    return on_data (session, packet);
  return on_candidate (session, packet);
}

GstTfrcSessionBits
gst_tfrc_unicast_session_set_ecn (GstTfrcUnicastSession * session, gboolean on,
    TfrcTime now)
{
  gst_tfrc_unicast_session_clamp (session, now);
  if (session->sends_ecn == on)
    return 0;
  session->sends_ecn = on;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
  return 0;
}

void
gst_tfrc_unicast_session_set_playout (GstTfrcUnicastSession * session,
    guint playout_ms)
{
  if (session->settings.playout_ms == playout_ms)
    return;
  session->settings.playout_ms = playout_ms;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
}

void
gst_tfrc_unicast_session_set_redundant (GstTfrcUnicastSession * session,
    gboolean redundant)
{
  if (session->settings.takes_arrivals == !!redundant)
    return;
  session->settings.takes_arrivals = !!redundant;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
}

void
gst_tfrc_unicast_session_on_stamp (GstTfrcUnicastSession * session,
    guint32 t_i_us)
{
  session->has_t_i = TRUE;
  session->t_i_us = t_i_us;
}

void
gst_tfrc_unicast_session_set_stamps (GstTfrcUnicastSession * session,
    const GstTfrcStampMemory * stamps)
{
  session->stamps = stamps;
}

GstTfrcSessionBits
gst_tfrc_unicast_session_set_modes (GstTfrcUnicastSession * session,
    TfrcMode send, TfrcMode receive, TfrcTime now)
{
  gst_tfrc_unicast_session_clamp (session, now);
  if (session->send_mode == send && session->receive_mode == receive)
    return 0;
  session->send_mode = send;
  session->receive_mode = receive;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
  return 0;
}

void
gst_tfrc_unicast_session_on_mark (GstTfrcUnicastSession * session, guint16 seq,
    TfrcEcn mark, gboolean duplicate)
{
  tfrc_ecn_counter_on_packet (&session->ecn, seq, mark, duplicate);
}

gboolean
gst_tfrc_unicast_session_takes_ce (const GstTfrcUnicastSession * session)
{
  const guint64 *packets = session->ecn.packets;

  return session->settings.ecn
      && session->remote_ecn != GST_TFRC_REMOTE_ECN_NEVER
      && packets[TFRC_ECN_ECT0] + packets[TFRC_ECN_ECT1] > 0;
}

GstTfrcSessionBits
gst_tfrc_unicast_session_request_key_frame (GstTfrcUnicastSession * session,
    TfrcTime now)
{
  gst_tfrc_unicast_session_clamp (session, now);
  if (!session->has_data || session->key_frame_due)
    return 0;
  session->key_frame_due = TRUE;
  return GST_TFRC_SESSION_TIMER;
}

void
gst_tfrc_unicast_session_confirm_report (GstTfrcUnicastSession * session,
    guint32 R)
{
  gst_tfrc_reduced_size_confirm (&session->reduced, R);
}

TfrcTime
gst_tfrc_unicast_session_next_rtcp (const GstTfrcUnicastSession * session,
    gboolean report_waits)
{
  TfrcTime time = gst_tfrc_rtcp_timing_next_compound (&session->timing);

  if (session->left)
    return TFRC_TIME_NONE;
  if (session->bye_due)
    return session->now;
  if (session->waits && session->packets_sent == 0 && !session->has_data &&
      !session->has_reporter)
    return TFRC_TIME_NONE;
  if (session->key_frame_due || (report_waits && session->has_data))
    time = MIN (time, gst_tfrc_rtcp_timing_next_feedback (&session->timing));
  return time;
}

gboolean
gst_tfrc_unicast_session_get_sender_time (const GstTfrcUnicastSession * session,
    guint32 rtptime, guint64 * time)
{
  return session->has_data && gst_tfrc_sender_clock_get_time (&session->clock,
      session->data.ssrc, rtptime, session->remote_clock_rate, time);
}

gboolean
gst_tfrc_unicast_session_is_answered (const GstTfrcUnicastSession * session,
    TfrcTime now)
{
  return now < gst_tfrc_rtcp_timing_get_silence (&session->timing);
}

void
gst_tfrc_unicast_session_get_stats (const GstTfrcUnicastSession * session,
    GstTfrcUnicastSessionStats * stats)
{
  const GstTfrcRtcpTiming *timing = &session->timing;
  const GstTfrcReportBlock *block = &session->block;

  *stats = (GstTfrcUnicastSessionStats) {
      .ssrc = session->ssrc,
      .reporter_ssrc = session->has_reporter ? session->reporter : 0,
      .packets_sent = session->packets_sent,
      .octets_sent = session->octets_sent,
      .remote_fraction_lost = block->fraction / 256.0,
      .remote_lost = block->lost,
      .rtt = session->rtt,
      .heard = timing->heard,
      .rtcp_bandwidth = timing->bandwidth,
      .rtcp_interval = gst_tfrc_rtcp_timing_get_interval (timing, timing->trr_int),
      .feedback_interval = gst_tfrc_rtcp_timing_get_interval (timing, 0),
      .reduced = session->reduced.on,
      .counts = session->counts
  };
  if (session->clock_rate > 0)
    stats->remote_jitter =
        gst_util_uint64_scale (block->jitter, GST_SECOND, session->clock_rate);
  if (!session->has_data)
    return;
  stats->remote_ssrc = session->data.ssrc;
  stats->packets_received = session->data.received;
  stats->octets_received = session->data.octets;
  stats->expected = gst_tfrc_rtp_reception_get_expected (&session->data);
  stats->lost = gst_tfrc_rtp_reception_get_lost (&session->data);
  stats->jitter = gst_tfrc_rtp_reception_get_jitter_time (&session->data);
}
