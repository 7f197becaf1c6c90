/* gst-tfrc: the unicast RTP session: parses APP packets and feedback that arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/unicastsessionprivate.h"

#include <string.h>

#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "base/enums.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcunicastfeedbackin",
    "TFRC feedback that a peer receives");

/* 32-bit words behind the common header. */
#define APP_WORDS 2             /* RFC 3550 6.7 */
#define FEEDBACK_WORDS 2        /* RFC 4585 6.1 */
#define FIR_ENTRY_WORDS 2       /* RFC 5104 4.3.1.1 */

static void
count_malformed_settings (GstTfrcRtcpParse * parse)
{
  gst_tfrc_rtcp_parse_count_malformed (parse);
  parse->session->counts.malformed_settings++;
}

/* What the remote data sender says of itself holds when it names a send time of its data, or when there are no data yet,
 * which an APP packet that comes with the data sets right. */
static void
take_sender_settings (GstTfrcRtcpParse * parse, const GstTfrcApp * app)
{
  GstTfrcUnicastSession *session = parse->session;
  const GstTfrcStampMemory *stamps = session->stamps;
  gboolean is_known = stamps == NULL || gst_tfrc_app_is_known (app, stamps);

  if (!is_known && stamps->n > 0) {
    session->counts.unknown_settings++;
    return;
  }
  session->reduced.remote_takes = app->takes_reduced;
  session->remote_takes_timed = app->takes_timed
      && session->fmt != GST_TFRC_ECN_FMT;
  session->remote_takes_arrivals = app->takes_arrivals
      && session->fmt != GST_TFRC_ECN_FMT;
  session->remote_ecn = app->ecn ? GST_TFRC_REMOTE_ECN_MAYBE :
      GST_TFRC_REMOTE_ECN_NEVER;
  parse->input->sender_settings = *app;
  parse->input->sender_is_known = is_known;
  parse->bits |= GST_TFRC_SESSION_SENDER_SETTINGS;
}

static void
take_receiver_settings (GstTfrcRtcpParse * parse, const GstTfrcApp * app)
{
  parse->session->reduced.remote_takes = app->takes_reduced;
  parse->input->receiver_settings = *app;
  parse->bits |= GST_TFRC_SESSION_RECEIVER_SETTINGS;
}

/* Takes an APP packet with settings. The parser takes a buffer, which exists for this call
 * alone. */
static void
take_app (GstTfrcRtcpParse * parse)
{
  gsize size = 4 * (parse->words - APP_WORDS);
  GstBuffer *words = gst_buffer_new_memdup (parse->data + 4 * APP_WORDS, size);
  GstTfrcApp app;

  if (!gst_tfrc_app_parse (&app, words)) {
    count_malformed_settings (parse);
  } else {
    GST_DEBUG ("%08x: the remote data %s has mode %s, measure %s, H %u, and "
        "takes %s RTCP", parse->session->ssrc,
        app.is_receiver ? "receiver" : "sender",
        gst_tfrc_mode_get_nick (app.mode),
        gst_tfrc_measure_get_nick (app.measure), app.H,
        app.takes_reduced ? "reduced-size" : "compound");
    if (app.is_receiver)
      take_receiver_settings (parse, &app);
    else
      take_sender_settings (parse, &app);
  }
  gst_buffer_unref (words);
}

void
gst_tfrc_rtcp_parse_app (GstTfrcRtcpParse * parse)
{
  gchar name[5] = { 0 };

  if (parse->words < APP_WORDS) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    return;
  }
  memcpy (name, parse->data + 4, 4);
  if (!gst_tfrc_app_is_ours (name, parse->count))
    gst_tfrc_rtcp_parse_count_ignored (parse);
  else if (parse->words == APP_WORDS)
    count_malformed_settings (parse);
  else if (gst_tfrc_rtcp_parse_check_sender (parse,
          gst_tfrc_rtcp_parse_get_word (parse, 0), FALSE))
    take_app (parse);
}

/* Counts of marks, RFC 6679 5.1. TFRC reports have another size, should they have the same FMT. */
static gboolean
take_ecn (GstTfrcRtcpParse * parse)
{
  TfrcEcnCounts *counts = &parse->input->ecn;

  if (parse->count != GST_TFRC_ECN_FMT ||
      !gst_tfrc_rtcp_parse_ecn (parse->data + 4 * FEEDBACK_WORDS,
          4 * (parse->words - FEEDBACK_WORDS), counts))
    return FALSE;
  GST_DEBUG ("%08x: marks up to %u: ECT(0) %u, ECT(1) %u, CE %u, none %u, "
      "lost %u, duplicates %u", parse->session->ssrc, counts->highest,
      counts->ect0, counts->ect1, counts->ce, counts->not_ect, counts->lost,
      counts->duplicates);
  parse->bits |= GST_TFRC_SESSION_ECN;
  return TRUE;
}

/* An RTPFB packet has a TFRC report. */
static gboolean
is_report (GstTfrcRtcpParse * parse)
{
  return parse->type == GST_RTCP_TYPE_RTPFB &&
      parse->count == parse->session->fmt;
}

static void
take_report (GstTfrcRtcpParse * parse)
{
  GstTfrcUnicastSession *session = parse->session;

  if (tfrc_report_parse_fci (&parse->input->report,
          parse->data + 4 * FEEDBACK_WORDS,
          4 * (parse->words - FEEDBACK_WORDS)) == TFRC_PARSE_OK) {
    GST_DEBUG ("%08x: report: t_i %u us, t_delay %u us, X_recv %u bytes/s, "
        "p %g", session->ssrc, parse->input->report.t_i_us,
        parse->input->report.t_delay_us, parse->input->report.x_recv_Bps,
        tfrc_report_decode_p (parse->input->report.p_q32));
    parse->input->report_ssrc = gst_tfrc_rtcp_parse_get_word (parse, 0);
    session->counts.reports_received += gst_tfrc_unicast_session_is_remote
        (session, parse->input->report_ssrc);
    parse->bits |= GST_TFRC_SESSION_REPORT;
  } else {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    session->counts.malformed_reports++;
  }
}

static void
take_transport_feedback (GstTfrcRtcpParse * parse)
{
  guint fmt = parse->count;

  if (gst_tfrc_rtcp_parse_get_word (parse, 1) != parse->session->ssrc) {
    gst_tfrc_rtcp_parse_count_ignored (parse);
    parse->session->counts.wrong_media_reports += is_report (parse);
  } else if (take_ecn (parse)) {
    return;
  } else if (is_report (parse)) {
    take_report (parse);
  } else if (fmt == GST_TFRC_ECN_FMT) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
  } else {
    gst_tfrc_rtcp_parse_count_ignored (parse);
  }
}

static void
take_key_frame (GstTfrcRtcpParse * parse)
{
  parse->session->counts.key_frames_asked++;
  parse->bits |= GST_TFRC_SESSION_KEY_FRAME;
}

/* RFC 5104 4.3.1: a FIR with the sequence number of the last FIR repeats the same request. */
static void
parse_fir (GstTfrcRtcpParse * parse)
{
  GstTfrcUnicastSession *session = parse->session;
  gboolean ours = FALSE;

  for (guint i = FEEDBACK_WORDS; i + FIR_ENTRY_WORDS <= parse->words;
      i += FIR_ENTRY_WORDS) {
    gint seq = gst_tfrc_rtcp_parse_get_word (parse, i + 1) >> 24;

    if (gst_tfrc_rtcp_parse_get_word (parse, i) != session->ssrc)
      continue;
    ours = TRUE;
    if (seq == session->fir_seq)
      continue;
    session->fir_seq = seq;
    take_key_frame (parse);
  }
  if (!ours)
    gst_tfrc_rtcp_parse_count_ignored (parse);
}

static void
take_payload_feedback (GstTfrcRtcpParse * parse)
{
  switch (parse->count) {
    case GST_RTCP_PSFB_TYPE_PLI:
      if (gst_tfrc_rtcp_parse_get_word (parse, 1) == parse->session->ssrc)
        take_key_frame (parse);
      else
        gst_tfrc_rtcp_parse_count_ignored (parse);
      break;
    case GST_RTCP_PSFB_TYPE_FIR:
      parse_fir (parse);
      break;
    default:
      gst_tfrc_rtcp_parse_count_ignored (parse);
  }
}

/* A TFRC report of an SSRC that is not one of the remote end. The owner accepts it by its send time, when it is counted, in place of an SSRC
 * that has proven nothing. Who is alone has to be heard in a compound packet first, RFC 5506 4.1. */
static void
take_unknown_report (GstTfrcRtcpParse * parse)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 ssrc = gst_tfrc_rtcp_parse_get_word (parse, 0);

  session->counts.wrong_sender_reports++;
  if (session->has_reporter && ssrc != session->ssrc
      && !gst_tfrc_unicast_session_is_proven (session)
      && gst_tfrc_rtcp_parse_get_word (parse, 1) == session->ssrc)
    take_report (parse);
}

static void
parse_feedback (GstTfrcRtcpParse * parse, void (*take) (GstTfrcRtcpParse *))
{
  if (parse->words < FEEDBACK_WORDS)
    gst_tfrc_rtcp_parse_count_malformed (parse);
  else if (gst_tfrc_rtcp_parse_check_sender (parse,
          gst_tfrc_rtcp_parse_get_word (parse, 0), FALSE))
    take (parse);
  else if (is_report (parse))
    take_unknown_report (parse);
}

void
gst_tfrc_rtcp_parse_transport_feedback (GstTfrcRtcpParse * parse)
{
  parse_feedback (parse, take_transport_feedback);
}

void
gst_tfrc_rtcp_parse_payload_feedback (GstTfrcRtcpParse * parse)
{
  parse_feedback (parse, take_payload_feedback);
}
