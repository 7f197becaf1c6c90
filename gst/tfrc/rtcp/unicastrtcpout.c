/* gst-tfrc: the unicast RTP session: makes the RTCP that is sent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/unicastsessionprivate.h"

#include <string.h>

#include "base/debugcategory.h"
#include "rtcp/rtcppackets.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcunicastrtcpout",
    "TFRC RTCP that a peer is sent");

/* Bytes that the largest compound packet fits into: SR with a block 52, SDES
 * with a CNAME of 63 bytes 76, report 28, PLI 12, marks 32, settings in two roles 40, XR with a reference time and an
 * answer to one 36, BYE 8. Further items of SDES come on top of that. */
#define COMPOUND_SIZE_MAX 284

/* The RTP timestamp of this moment, extrapolated from the last packet (RFC 3550 6.4.1). */
static guint32
get_rtptime (const GstTfrcUnicastSession * session)
{
  TfrcTime time = session->sent_time, now = session->now;

  if (now >= time)
    return session->sent_rtptime +
        gst_util_uint64_scale (now - time, session->clock_rate, GST_SECOND);
  return session->sent_rtptime -
      gst_util_uint64_scale (time - now, session->clock_rate, GST_SECOND);
}

static void
add_block (GstTfrcUnicastSession * session, GstRTCPPacket * packet)
{
  GstTfrcRtpReception *data = &session->data;
  GstTfrcRtpLosses losses;
  guint32 lsr, dlsr;

  if (!gst_tfrc_unicast_session_hears_data (session))
    return;
  losses = gst_tfrc_rtp_reception_take_losses (data);
  gst_tfrc_sender_clock_get_lsr (&session->clock, data->ssrc, &lsr, &dlsr,
      session->now);
  gst_rtcp_packet_add_rb (packet, data->ssrc, losses.fraction, losses.lost,
      gst_tfrc_rtp_reception_get_extended_max (data),
      gst_tfrc_rtp_reception_get_jitter (data), lsr, dlsr);
}

/* Adds an SR or RR, with a block about the data that arrives. */
static void
add_reports (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp,
    guint32 ssrc)
{
  GstRTCPPacket packet;

  if (gst_tfrc_unicast_session_sends_data (session) && ssrc == session->ssrc) {
    gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_SR, &packet);
    gst_rtcp_packet_sr_set_sender_info (&packet, ssrc,
        gst_tfrc_unicast_session_get_ntp (session), get_rtptime (session),
        session->packets_sent, session->octets_sent);
  } else {
    gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet);
    gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
  }
  if (ssrc == session->ssrc)
    add_block (session, &packet);
}

static void
add_sdes (const GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp,
    guint32 ssrc)
{
  GstRTCPPacket packet;
  guint at;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_SDES, &packet);
  gst_rtcp_packet_sdes_add_item (&packet, ssrc);
  gst_rtcp_packet_sdes_add_entry (&packet, GST_RTCP_SDES_CNAME,
      strlen (session->cname), (const guint8 *) session->cname);
  for (at = 0; at + 2 <= session->sdes_size; at += 2 + session->sdes[at + 1])
    gst_rtcp_packet_sdes_add_entry (&packet, session->sdes[at],
        session->sdes[at + 1], session->sdes + at + 2);
}

static void
add_bye (GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_BYE, &packet);
  gst_rtcp_packet_bye_add_ssrc (&packet, ssrc);
}

/* To a remote end that misses reports, settings say that this end hears it again: gst_tfrc_unicast_session_misses_reports().
 * Those that are repeated in the first seconds must not say so while nothing of it comes. */
static void
add_settings (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  GstTfrcApp app = session->settings;

  if (session->app_left == 0
      || !gst_tfrc_rtcp_timing_hears (&session->timing, session->now))
    return;
  session->app_left--;
  app.is_receiver = FALSE;
  app.mode = session->send_mode;
  app.has_t_i = session->has_t_i;
  app.t_i_us = session->t_i_us;
  app.ecn = session->sends_ecn;
  if (session->sends)
    gst_tfrc_app_append (&app, rtcp, session->ssrc);
  app.is_receiver = TRUE;
  app.mode = session->receive_mode;
  app.ecn = session->settings.ecn;
  app.takes_timed = app.takes_arrivals = FALSE;
  if (session->receives)
    gst_tfrc_app_append (&app, rtcp, session->ssrc);
}

static void
add_key_frame_request (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  GstRTCPPacket packet;

  if (!session->key_frame_due)
    return;
  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_PSFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_PSFB_TYPE_PLI);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, session->ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, session->data.ssrc);
  session->key_frame_due = FALSE;
  session->counts.key_frames_requested++;
}

/* Returns whether there was room. The counts of marks have as many words as a timed report: a session
 * that has the same FMT for both sends none. */
static gboolean
add_report (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp,
    const TfrcReport * report)
{
  GstTfrcRtcpReport header =
      { session->fmt, session->ssrc, session->data.ssrc };
  TfrcReport copy = *report;

  copy.timed = session->remote_takes_timed;
  copy.lists_arrivals = report->lists_arrivals
      && session->remote_takes_arrivals && report->p_q32 > 0;
  return gst_tfrc_rtcp_append_report (rtcp, &header, &copy);
}

/* The report of TFRC and the request for a key frame. */
static void
add_feedback (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp,
    const TfrcReport * report)
{
  if (report != NULL && add_report (session, rtcp, report))
    session->counts.reports_sent++;
  add_key_frame_request (session, rtcp);
}

/* Whether the remote end has a use for counts of marks. */
static gboolean
wants_marks (const GstTfrcUnicastSession * session)
{
  const guint64 *packets = session->ecn.packets;

  if (session->remote_ecn == GST_TFRC_REMOTE_ECN_MAYBE)
    return TRUE;
  return session->remote_ecn == GST_TFRC_REMOTE_ECN_UNKNOWN &&
      packets[TFRC_ECN_ECT0] + packets[TFRC_ECN_ECT1] +
      packets[TFRC_ECN_CE] > 0;
}

/* Adds the counts of marks behind a report block, which is about the same packets: a block without counts would
 * say that this end does not count marks. */
static void
add_marks (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  GstTfrcRtcpReport header = { 0, session->ssrc, session->data.ssrc };
  TfrcEcnCounts counts;

  if (!session->settings.ecn || session->ecn.first == 0
      || !wants_marks (session)
      || !gst_tfrc_unicast_session_hears_data (session))
    return;
  tfrc_ecn_counter_get (&session->ecn, &counts);
  gst_tfrc_rtcp_append_ecn (rtcp, &header, &counts);
}

/* --- extended reports, RFC 3611, which GstRTCPBuffer reads and does not write --- */

static void
add_word (GstRTCPBuffer * rtcp, guint32 word)
{
  g_return_if_fail (rtcp->map.size + 4 <= rtcp->map.maxsize);
  GST_WRITE_UINT32_BE (rtcp->map.data + rtcp->map.size, word);
  rtcp->map.size += 4;
}

static void
add_xr_block (GstRTCPBuffer * rtcp, guint type, guint words)
{
  add_word (rtcp, type << 24 | words);
}

/* What the report block of RFC 3550 would tell if it could be sent before data have arrived: LSR and DLSR of the remote
 * end, by which that end knows the round-trip time also when its first packets of data are lost. */
static void
add_delay (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  add_xr_block (rtcp, GST_TFRC_XR_DELAYS, GST_TFRC_XR_DELAY_WORDS);
  add_word (rtcp, session->reference_ssrc);
  add_word (rtcp, session->reference);
  add_word (rtcp, (guint32) (gst_tfrc_unicast_session_get_ntp (session) >> 16)
      - session->reference_arrival);
  session->reference_ssrc = 0;
}

static void
add_reference_time (const GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  guint64 ntp = gst_tfrc_unicast_session_get_ntp (session);

  add_xr_block (rtcp, GST_TFRC_XR_REFERENCE_TIME,
      GST_TFRC_XR_REFERENCE_TIME_WORDS);
  add_word (rtcp, ntp >> 32);
  add_word (rtcp, ntp);
}

/* An end that sends data asks for the round-trip time until it knows it, and the other end answers. */
static void
add_extended_report (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  gboolean asks = session->sends && session->rtt == TFRC_TIME_NONE;
  gboolean answers = session->reference_ssrc != 0;
  guint words = 1 + (asks ? 1 + GST_TFRC_XR_REFERENCE_TIME_WORDS : 0) +
      (answers ? 1 + GST_TFRC_XR_DELAY_WORDS : 0);

  if (!asks && !answers)
    return;
  add_word (rtcp, 2u << 30 | GST_RTCP_TYPE_XR << 16 | words);
  add_word (rtcp, session->ssrc);
  if (asks)
    add_reference_time (session, rtcp);
  if (answers)
    add_delay (session, rtcp);
}

/* RTCP is written into this buffer of the thread, which is made anew where somebody keeps the packet before: to make a
 * buffer and to free it takes longer than to write a report. */
static GPrivate rooms = G_PRIVATE_INIT ((GDestroyNotify) gst_buffer_unref);

/* Maps the buffer of this thread, empty and zeroed as a new one. */
static void
map_room (const GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp)
{
  gsize size = COMPOUND_SIZE_MAX + session->sdes_size;
  GstBuffer *room = g_private_get (&rooms);

  if (room == NULL || !gst_buffer_is_all_memory_writable (room)) {
    room =
        gst_rtcp_buffer_new (COMPOUND_SIZE_MAX +
        GST_TFRC_UNICAST_SESSION_SDES_MAX);
    g_private_replace (&rooms, room);
  }
  gst_buffer_set_size (room, 0);
  gst_rtcp_buffer_map (room, GST_MAP_READWRITE, rtcp);
  memset (rtcp->map.data, 0, size);
}

/* Hands the packet out and begins the next intervals. */
static GstBuffer *
finish (GstTfrcUnicastSession * session, GstRTCPBuffer * rtcp,
    gboolean compound)
{
  GstBuffer *buffer = rtcp->buffer;
  gsize size;

  gst_rtcp_buffer_unmap (rtcp);
  size = gst_buffer_get_size (buffer);
  GST_LOG ("%08x: %s RTCP of %" G_GSIZE_FORMAT " bytes", session->ssrc,
      compound ? "compound" : "reduced-size", size);
  session->counts.rtcp_sent++;
  session->counts.rtcp_octets_sent += size;
  session->counts.reduced_sent += !compound;
  gst_tfrc_rtcp_timing_on_sent (&session->timing, size, compound, session->now);
  return gst_buffer_ref (buffer);
}

static GstBuffer *
make_compound (GstTfrcUnicastSession * session, const TfrcReport * report)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;

  map_room (session, &rtcp);
  add_reports (session, &rtcp, session->ssrc);
  add_sdes (session, &rtcp, session->ssrc);
  add_feedback (session, &rtcp, report);
  add_marks (session, &rtcp);
  add_settings (session, &rtcp);
  add_extended_report (session, &rtcp);
  return finish (session, &rtcp, TRUE);
}

static GstBuffer *
make_reduced (GstTfrcUnicastSession * session, const TfrcReport * report)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;

  map_room (session, &rtcp);
  add_feedback (session, &rtcp, report);
  return finish (session, &rtcp, FALSE);
}

static GstBuffer *
make_bye (GstTfrcUnicastSession * session, guint32 ssrc)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;

  map_room (session, &rtcp);
  add_reports (session, &rtcp, ssrc);
  add_sdes (session, &rtcp, ssrc);
  if (ssrc == session->ssrc)
    add_marks (session, &rtcp);
  add_bye (&rtcp, ssrc);
  return finish (session, &rtcp, TRUE);
}

GstBuffer *
gst_tfrc_unicast_session_make_rtcp (GstTfrcUnicastSession * session,
    const TfrcReport * report, TfrcTime now)
{
  gboolean compound, feedback;

  now = gst_tfrc_unicast_session_clamp (session, now);
  if (session->left)
    return NULL;
  if (session->bye_due) {
    GstBuffer *buffer = make_bye (session, session->former_ssrc);

    session->bye_due = FALSE;
    gst_tfrc_rtcp_timing_answer (&session->timing);     /* which announces the new SSRC */
    return buffer;
  }
  if (!session->has_data)
    report = NULL;
  compound = now >= gst_tfrc_rtcp_timing_next_compound (&session->timing);
  feedback = (report != NULL || session->key_frame_due) &&
      now >= gst_tfrc_rtcp_timing_next_feedback (&session->timing);
  if (!compound && !feedback)
    return NULL;
  compound |= !session->reduced.on;
  if (report != NULL)
    gst_tfrc_reduced_size_choose (&session->reduced, compound,
        session->data.octets, now);
  return compound ? make_compound (session, report) : make_reduced (session,
      report);
}

GstBuffer *
gst_tfrc_unicast_session_make_bye (GstTfrcUnicastSession * session,
    TfrcTime now)
{
  gboolean sent = session->packets_sent > 0 || session->counts.rtcp_sent > 0;

  gst_tfrc_unicast_session_clamp (session, now);
  if (session->left)
    return NULL;
  session->left = TRUE;
  return sent ? make_bye (session, session->ssrc) : NULL;
}
