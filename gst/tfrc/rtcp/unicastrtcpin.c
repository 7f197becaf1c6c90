/* gst-tfrc: the unicast RTP session: parses RTCP that arrives, except for APP packets and feedback
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/unicastsessionprivate.h"

#include <string.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcunicastrtcpin",
    "TFRC RTCP that a peer receives");

/* 32-bit words of RTCP packets, the one with the common header left out, RFC 3550 6.4. */
#define HEADER_SIZE 4           /* bytes, of the common header */
#define SR_WORDS 6
#define RR_WORDS 1
#define BLOCK_WORDS 6

/* A DLSR may be longer than the true delay by the difference between the rates of two clocks, and
 * by two units of 1/65536 s. */
#define CLOCKS_DIFFER 1000      /* one part in so many: 0.1 % */

/* LSR and DLSR have room for 18 h; a path with such a round-trip time carries no call. */
#define RTT_MAX (60 * TFRC_SEC)

void
gst_tfrc_rtcp_parse_count_malformed (GstTfrcRtcpParse * parse)
{
  GST_LOG ("%08x: malformed RTCP", parse->session->ssrc);
  parse->session->counts.malformed++;
}

void
gst_tfrc_rtcp_parse_count_ignored (GstTfrcRtcpParse * parse)
{
  parse->session->counts.ignored++;
}

/* Reads the common header of `packet`, RFC 3550 6.4.1, all of which is within the datagram, and finds `data` and `words`.
 * Returns FALSE when the padding is longer than the packet. */
static gboolean
read_header (GstTfrcRtcpParse * parse, const guint8 * packet)
{
  gboolean padded = (packet[0] & 0x20) != 0;
  guint padding = 0;

  parse->count = packet[0] & 0x1f;
  parse->type = packet[1];
  parse->words = GST_READ_UINT16_BE (packet + 2);
  parse->data = packet + HEADER_SIZE;
  if (padded)
    padding = parse->words > 0 ? packet[4 * parse->words + 3] / 4 : 1;
  if (padding > parse->words)
    return FALSE;
  parse->words -= padding;
  return TRUE;
}

guint32
gst_tfrc_rtcp_parse_get_word (const GstTfrcRtcpParse * parse, guint index)
{
  return GST_READ_UINT32_BE (parse->data + 4 * index);
}

/* Whether an SR or RR of `ssrc` is accepted. An SSRC that is new is accepted when the SSRC of the
 * RTCP before it is silent, unless TFRC reports prove who the remote end is: anybody can send an SR. */
static gboolean
admit (GstTfrcRtcpParse * parse, guint32 ssrc)
{
  GstTfrcUnicastSession *session = parse->session;

  if (gst_tfrc_unicast_session_is_remote (session, ssrc))
    return TRUE;
  if (gst_tfrc_unicast_session_is_proven (session) || (session->has_reporter
          && !gst_tfrc_ssrc_is_silent (session->reporter_heard, session->now)))
    return FALSE;
  parse->bits |= gst_tfrc_unicast_session_adopt_reporter (session, ssrc);
  return TRUE;
}

gboolean
gst_tfrc_rtcp_parse_check_sender (GstTfrcRtcpParse * parse, guint32 ssrc,
    gboolean may_be_new)
{
  GstTfrcUnicastSession *session = parse->session;

  if (ssrc == session->ssrc) {
    parse->bits |= gst_tfrc_unicast_session_on_collision (session);
    return FALSE;
  }
  if (may_be_new ? !admit (parse,
          ssrc) : !gst_tfrc_unicast_session_is_remote (session, ssrc)) {
    session->counts.strangers++;
    return FALSE;
  }
  if (session->has_reporter && ssrc == session->reporter)
    session->reporter_heard = session->now;
  parse->bits |= GST_TFRC_SESSION_ACCEPTED;
  return TRUE;
}

/* RFC 3550 6.4.1: the round-trip time is the time of arrival minus LSR minus DLSR, which begin at
 * the word `index`. An LSR from before this session, or a DLSR that is longer than the time since
 * LSR, is refused. */
static void
measure_rtt (GstTfrcRtcpParse * parse, guint index)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 lsr = gst_tfrc_rtcp_parse_get_word (parse, index);
  guint32 dlsr = gst_tfrc_rtcp_parse_get_word (parse, index + 1);
  guint32 arrival = gst_tfrc_unicast_session_get_ntp (session) >> 16;
  guint32 elapsed = arrival - lsr;
  gint64 rtt = (gint64) elapsed - dlsr;
  TfrcTime age = session->now - session->ntp_since + TFRC_MSEC;

  if (lsr == 0)
    return;
  if (gst_tfrc_ntp_short_to_duration (elapsed) > age ||
      rtt < -(gint64) (dlsr / CLOCKS_DIFFER + 2) ||
      (rtt > 0 && gst_tfrc_ntp_short_to_duration (rtt) > RTT_MAX)) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    return;
  }
  session->rtt = gst_tfrc_ntp_short_to_duration (MAX (rtt, 0));
  GST_DEBUG ("%08x: round-trip time %" GST_TIME_FORMAT ", %d packets lost",
      session->ssrc, GST_TIME_ARGS (session->rtt), session->block.lost);
  parse->input->rtt = session->rtt;
  parse->bits |= GST_TFRC_SESSION_RTT;
}

/* Takes the report block that begins at the word `index`, if it is about this end. */
static void
take_block (GstTfrcRtcpParse * parse, guint index)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 losses = gst_tfrc_rtcp_parse_get_word (parse, index + 1);

  if (gst_tfrc_rtcp_parse_get_word (parse, index) != session->ssrc)
    return;
  session->block = (GstTfrcReportBlock) {
      .fraction = losses >> 24,
      .lost = (gint32) (losses << 8) / 256,
      .extended_max = gst_tfrc_rtcp_parse_get_word (parse, index + 2),
      .jitter = gst_tfrc_rtcp_parse_get_word (parse, index + 3),
      .arrival = session->now
  };
  parse->input->block = session->block;
  parse->bits |= GST_TFRC_SESSION_BLOCK;
  measure_rtt (parse, index + 4);
}

static void
take_sender_report (GstTfrcRtcpParse * parse)
{
  GstTfrcUnicastSession *session = parse->session;
  guint64 ntp = gst_tfrc_rtcp_parse_get_word (parse, 1);

  ntp = ntp << 32 | gst_tfrc_rtcp_parse_get_word (parse, 2);
  gst_tfrc_sender_clock_on_report (&session->clock,
      gst_tfrc_rtcp_parse_get_word (parse, 0), ntp,
      gst_tfrc_rtcp_parse_get_word (parse, 3), session->now);
  parse->bits |= GST_TFRC_SESSION_CLOCK;
}

/* SR or RR: `before` words stand in front of the report blocks. */
static void
parse_report (GstTfrcRtcpParse * parse, guint before)
{
  guint count = parse->count;

  if (parse->words < before + BLOCK_WORDS * count) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    return;
  }
  if (!gst_tfrc_rtcp_parse_check_sender (parse,
          gst_tfrc_rtcp_parse_get_word (parse, 0), TRUE))
    return;
  if (before == SR_WORDS)
    take_sender_report (parse);
  for (guint i = 0; i < count; i++)
    take_block (parse, before + BLOCK_WORDS * i);
}

/* Keeps the valid UTF-8 at the beginning of a CNAME, as far as there is room. */
static void
take_cname (GstTfrcUnicastSession * session, const guint8 * name, guint size)
{
  const gchar *end;

  size = MIN (size, sizeof session->remote_cname - 1);
  g_utf8_validate ((const gchar *) name, size, &end);
  size = end - (const gchar *) name;
  memcpy (session->remote_cname, name, size);
  session->remote_cname[size] = 0;
}

/* Parses one chunk of an SDES packet, RFC 3550 6.5, of which CNAME alone is used. Returns the
 * offset of the next chunk, or 0 when the chunk does not end within the packet. */
static guint
parse_chunk (GstTfrcRtcpParse * parse, guint offset)
{
  guint end = 4 * parse->words;
  gboolean known;

  if (offset + 4 > end)
    return 0;
  known =
      gst_tfrc_unicast_session_is_remote (parse->session,
      GST_READ_UINT32_BE (parse->data + offset));
  offset += 4;
  while (offset < end && parse->data[offset] != GST_RTCP_SDES_END) {
    guint size = offset + 1 < end ? parse->data[offset + 1] : end;

    if (offset + 2 + size > end)
      return 0;
    if (known && parse->data[offset] == GST_RTCP_SDES_CNAME)
      take_cname (parse->session, parse->data + offset + 2, size);
    offset += 2 + size;
  }
  return offset < end ? (offset + 4) & ~3u : 0;
}

static void
parse_sdes (GstTfrcRtcpParse * parse)
{
  guint offset = 0;

  for (guint i = parse->count; i > 0; i--) {
    offset = parse_chunk (parse, offset);
    if (offset == 0) {
      gst_tfrc_rtcp_parse_count_malformed (parse);
      return;
    }
  }
}

static void
take_bye (GstTfrcRtcpParse * parse, guint32 ssrc)
{
  GstTfrcUnicastSession *session = parse->session;

  if (gst_tfrc_unicast_session_trusts (session, ssrc))
    session->trusted_until = 0;
  if (!gst_tfrc_unicast_session_is_remote (session, ssrc)) {
    session->counts.strangers++;
    return;
  }
  GST_DEBUG ("%08x: BYE of %08x", session->ssrc, ssrc);
  if (session->has_data && ssrc == session->data.ssrc) {
    session->has_data = FALSE;
    session->key_frame_due = FALSE;
  } else {
    session->has_reporter = FALSE;
  }
  session->proven_until = 0;
  parse->bits |= GST_TFRC_SESSION_ACCEPTED;
  if (!session->has_data && !session->has_reporter)
    parse->bits |= GST_TFRC_SESSION_BYE;
}

static void
parse_bye (GstTfrcRtcpParse * parse)
{
  guint count = parse->count;

  if (parse->words < count) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    return;
  }
  for (guint i = 0; i < count; i++)
    take_bye (parse, gst_tfrc_rtcp_parse_get_word (parse, i));
}

/* The next compound packet answers the reference time. Who names one mostly knows no round-trip time, and waits for it with its
 * data. */
static void
take_reference_time (GstTfrcRtcpParse * parse, guint index)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 high = gst_tfrc_rtcp_parse_get_word (parse, index);

  session->reference_ssrc = gst_tfrc_rtcp_parse_get_word (parse, 0);
  session->reference =
      high << 16 | gst_tfrc_rtcp_parse_get_word (parse, index + 1) >> 16;
  session->reference_arrival = gst_tfrc_unicast_session_get_ntp (session) >> 16;
  if (session->answers_left == 0)
    return;
  session->answers_left--;
  gst_tfrc_rtcp_timing_answer (&session->timing);
}

/* A sub-block has an SSRC, the reference time of that SSRC, and the delay since its arrival. */
static void
take_delays (GstTfrcRtcpParse * parse, guint index, guint words)
{
  for (; words >= GST_TFRC_XR_DELAY_WORDS; words -= GST_TFRC_XR_DELAY_WORDS) {
    if (gst_tfrc_rtcp_parse_get_word (parse, index) == parse->session->ssrc)
      measure_rtt (parse, index + 1);
    index += GST_TFRC_XR_DELAY_WORDS;
  }
}

/* RFC 3611 3: blocks of other types are passed over. */
static void
parse_extended_report (GstTfrcRtcpParse * parse)
{
  guint at, words;

  if (parse->words == 0) {
    gst_tfrc_rtcp_parse_count_malformed (parse);
    return;
  }
  if (!gst_tfrc_rtcp_parse_check_sender (parse,
          gst_tfrc_rtcp_parse_get_word (parse, 0), FALSE))
    return;
  for (at = 1; at < parse->words; at += 1 + words) {
    guint32 header = gst_tfrc_rtcp_parse_get_word (parse, at);

    words = header & 0xffff;
    if (words > parse->words - at - 1) {
      gst_tfrc_rtcp_parse_count_malformed (parse);
      return;
    }
    if (header >> 24 == GST_TFRC_XR_REFERENCE_TIME
        && words == GST_TFRC_XR_REFERENCE_TIME_WORDS)
      take_reference_time (parse, at + 1);
    else if (header >> 24 == GST_TFRC_XR_DELAYS)
      take_delays (parse, at + 1, words);
  }
}

static void
parse_packet (GstTfrcRtcpParse * parse)
{
  switch (parse->type) {
    case GST_RTCP_TYPE_SR:
      parse_report (parse, SR_WORDS);
      break;
    case GST_RTCP_TYPE_RR:
      parse_report (parse, RR_WORDS);
      break;
    case GST_RTCP_TYPE_SDES:
      parse_sdes (parse);
      break;
    case GST_RTCP_TYPE_BYE:
      parse_bye (parse);
      break;
    case GST_RTCP_TYPE_APP:
      gst_tfrc_rtcp_parse_app (parse);
      break;
    case GST_RTCP_TYPE_XR:
      parse_extended_report (parse);
      break;
    case GST_RTCP_TYPE_RTPFB:
      gst_tfrc_rtcp_parse_transport_feedback (parse);
      break;
    case GST_RTCP_TYPE_PSFB:
      gst_tfrc_rtcp_parse_payload_feedback (parse);
      break;
    default:
      gst_tfrc_rtcp_parse_count_ignored (parse);
  }
}

/* Reads the packets where the datagram has them: a GstRTCPBuffer needs a GstBuffer, which takes longer to make and to
 * free than the packets to parse. */
static void
parse_packets (GstTfrcRtcpParse * parse, const guint8 * data, gsize size)
{
  gsize length;

  for (; size >= HEADER_SIZE && !(parse->bits & GST_TFRC_SESSION_NEW_SSRC);
      data += length, size -= length) {
    length = HEADER_SIZE + 4 * GST_READ_UINT16_BE (data + 2);
    if (length > size)
      break;
    if (read_header (parse, data))
      parse_packet (parse);
    else
      gst_tfrc_rtcp_parse_count_malformed (parse);
  }
  if (size > 0 && !(parse->bits & GST_TFRC_SESSION_NEW_SSRC))
    gst_tfrc_rtcp_parse_count_malformed (parse);
}

static void
count_heard (GstTfrcRtcpParse * parse, gsize size)
{
  GstTfrcUnicastSession *session = parse->session;

  session->counts.rtcp_received++;
  session->counts.rtcp_octets_received += size;
  if (gst_tfrc_rtcp_timing_on_heard (&session->timing, size, session->now)) {
    /* by which a remote end that has heard this one all the time learns that it is heard again */
    session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
    parse->bits |= GST_TFRC_SESSION_ANSWERED;
  }
  parse->bits |= GST_TFRC_SESSION_TIMER;
}

GstTfrcSessionBits
gst_tfrc_unicast_session_on_rtcp (GstTfrcUnicastSession * session,
    const guint8 * data, gsize size, GstTfrcSessionInput * input, TfrcTime now)
{
  GstTfrcRtcpParse parse = { .session = session, .input = input };

  gst_tfrc_unicast_session_clamp (session, now);
  if (session->left)
    return GST_TFRC_SESSION_REFUSED;
  if (size < HEADER_SIZE
      || !gst_rtcp_buffer_validate_data_reduced ((guint8 *) data, size)) {
    session->counts.malformed++;
    return GST_TFRC_SESSION_REFUSED;
  }
  parse_packets (&parse, data, size);
  if (!(parse.bits & GST_TFRC_SESSION_ACCEPTED))
    return parse.bits | GST_TFRC_SESSION_REFUSED;
  count_heard (&parse, size);
  return parse.bits & ~GST_TFRC_SESSION_REFUSED;
}
