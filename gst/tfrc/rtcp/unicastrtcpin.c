/* gst-tfrc: the RTP session with one remote end, inward: what its RTCP says
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/unicastsessionprivate.h"

#include <string.h>

#include <tfrc/wire.h>

/* 32-bit words of RTCP packets, the one with the common header left out, RFC 3550 6.4. */
#define MIN_SIZE 4              /* bytes, of the common header */
#define SR_WORDS 6
#define RR_WORDS 1
#define BLOCK_WORDS 6
#define APP_WORDS 2
#define FEEDBACK_WORDS 2        /* RFC 4585 6.1 */
#define FIR_ENTRY_WORDS 2       /* RFC 5104 4.3.1.1 */

/* A delay that the remote end tells may be longer than it was by what two clocks differ, and by
 * the unit of 1/65536 s twice. */
#define CLOCKS_DIFFER 1000      /* one part in so many: 0.1 % */

/* LSR and DLSR could tell of 18 h; a path that takes so long carries no call. */
#define RTT_MAX (60 * TFRC_SEC)

/* One RTCP packet under way. */
typedef struct
{
  GstTfrcUnicastSession *session;
  GstTfrcSessionInput *input;
  GstRTCPPacket packet;
  const guint8 *data;           /* behind the common header */
  guint words;                  /* of `data`, padding left out */
  GstTfrcSessionBits bits;
} Parse;

static void
count_malformed (Parse * parse)
{
  parse->session->counts.malformed++;
}

static void
count_ignored (Parse * parse)
{
  parse->session->counts.ignored++;
}

/* Finds `data` and `words`. The buffer was validated: the packet is within it, and so is the
 * padding's last byte. */
static gboolean
measure (Parse * parse)
{
  const guint8 *data = parse->packet.rtcp->map.data + parse->packet.offset;
  guint padding = 0;

  parse->words = gst_rtcp_packet_get_length (&parse->packet);
  parse->data = data + 4;
  if (gst_rtcp_packet_get_padding (&parse->packet))
    padding = parse->words > 0 ? data[4 * parse->words + 3] / 4 : 1;
  if (padding > parse->words)
    return FALSE;
  parse->words -= padding;
  return TRUE;
}

static guint32
get_word (const Parse * parse, guint index)
{
  return GST_READ_UINT32_BE (parse->data + 4 * index);
}

static gboolean
is_remote (const GstTfrcUnicastSession * session, guint32 ssrc)
{
  return (session->has_data && ssrc == session->data.ssrc) ||
      (session->has_reporter && ssrc == session->reporter);
}

/* An SR or RR of an SSRC that is not known: it is the remote end's when the one before has been
 * silent. */
static gboolean
admit (Parse * parse, guint32 ssrc)
{
  GstTfrcUnicastSession *session = parse->session;

  if (is_remote (session, ssrc))
    return TRUE;
  if (session->has_reporter &&
      session->now - session->reporter_heard < session->takeover)
    return FALSE;
  session->reporter = ssrc;
  session->has_reporter = TRUE;
  session->app_left = GST_TFRC_UNICAST_SESSION_APP_TIMES;
  session->fir_seq = -1;
  gst_tfrc_rtcp_timing_answer (&session->timing);
  return TRUE;
}

/* Whether the packet is one of the remote end's. Only SR and RR bring in a new SSRC. */
static gboolean
check_sender (Parse * parse, guint32 ssrc, gboolean may_be_new)
{
  GstTfrcUnicastSession *session = parse->session;

  if (ssrc == session->ssrc) {
    parse->bits |= gst_tfrc_unicast_session_on_collision (session);
    return FALSE;
  }
  if (may_be_new ? !admit (parse, ssrc) : !is_remote (session, ssrc)) {
    session->counts.strangers++;
    return FALSE;
  }
  if (session->has_reporter && ssrc == session->reporter)
    session->reporter_heard = session->now;
  parse->bits |= GST_TFRC_SESSION_ACCEPTED;
  return TRUE;
}

/* RFC 3550 6.4.1: the time of arrival minus LSR minus DLSR. A sender report of before this
 * session, or a delay longer than the time since the report, is refused. */
static void
measure_rtt (Parse * parse, guint32 lsr, guint32 dlsr)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 arrival = gst_tfrc_ntp_from_time (session->now + session->ntp_offset) >> 16;
  guint32 elapsed = arrival - lsr;
  gint64 rtt = (gint64) elapsed - dlsr;
  TfrcTime age = session->now - session->ntp_since + TFRC_MSEC;

  if (lsr == 0)
    return;
  if (gst_tfrc_ntp_short_to_duration (elapsed) > age ||
      rtt < -(gint64) (dlsr / CLOCKS_DIFFER + 2) ||
      (rtt > 0 && gst_tfrc_ntp_short_to_duration (rtt) > RTT_MAX)) {
    count_malformed (parse);
    return;
  }
  session->rtt = gst_tfrc_ntp_short_to_duration (MAX (rtt, 0));
  parse->input->rtt = session->rtt;
  parse->bits |= GST_TFRC_SESSION_RTT;
}

/* The report block that begins at the word `index`. */
static void
take_block (Parse * parse, guint index)
{
  GstTfrcUnicastSession *session = parse->session;
  guint32 losses = get_word (parse, index + 1);

  if (get_word (parse, index) != session->ssrc)
    return;
  session->block = (GstTfrcReportBlock) {
    .fraction = losses >> 24,
    .lost = (gint32) (losses << 8) / 256,
    .extended_max = get_word (parse, index + 2),
    .jitter = get_word (parse, index + 3),
    .arrival = session->now
  };
  parse->input->block = session->block;
  parse->bits |= GST_TFRC_SESSION_BLOCK;
  measure_rtt (parse, get_word (parse, index + 4), get_word (parse, index + 5));
}

/* SR or RR: `head` words stand before the report blocks. */
static void
parse_report (Parse * parse, guint head)
{
  GstTfrcUnicastSession *session = parse->session;
  guint count = gst_rtcp_packet_get_count (&parse->packet);

  if (parse->words < head + BLOCK_WORDS * count) {
    count_malformed (parse);
    return;
  }
  if (!check_sender (parse, get_word (parse, 0), TRUE))
    return;
  if (head == SR_WORDS) {
    gst_tfrc_sender_clock_on_report (&session->clock, get_word (parse, 0),
        (guint64) get_word (parse, 1) << 32 | get_word (parse, 2), get_word (parse, 3), session->now);
    parse->bits |= GST_TFRC_SESSION_CLOCK;
  }
  for (guint i = 0; i < count; i++)
    take_block (parse, head + BLOCK_WORDS * i);
}

/* The valid UTF-8 that a CNAME begins with, as far as there is room. */
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

/* The items of one chunk, RFC 3550 6.5, of which CNAME alone is read. Returns where the next
 * chunk begins, 0 when the chunk does not end. */
static guint
parse_chunk (Parse * parse, guint offset)
{
  guint end = 4 * parse->words;
  gboolean known;

  if (offset + 4 > end)
    return 0;
  known = is_remote (parse->session, GST_READ_UINT32_BE (parse->data + offset));
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
parse_sdes (Parse * parse)
{
  guint offset = 0;

  for (guint i = gst_rtcp_packet_get_count (&parse->packet); i > 0; i--) {
    offset = parse_chunk (parse, offset);
    if (offset == 0) {
      count_malformed (parse);
      return;
    }
  }
}

static void
take_bye (Parse * parse, guint32 ssrc)
{
  GstTfrcUnicastSession *session = parse->session;

  if (!is_remote (session, ssrc)) {
    session->counts.strangers++;
    return;
  }
  if (session->has_data && ssrc == session->data.ssrc) {
    session->has_data = FALSE;
    session->key_frame_due = FALSE;
  } else {
    session->has_reporter = FALSE;
  }
  parse->bits |= GST_TFRC_SESSION_ACCEPTED;
  if (!session->has_data && !session->has_reporter)
    parse->bits |= GST_TFRC_SESSION_BYE;
}

static void
parse_bye (Parse * parse)
{
  guint count = gst_rtcp_packet_get_count (&parse->packet);

  if (parse->words < count) {
    count_malformed (parse);
    return;
  }
  for (guint i = 0; i < count; i++)
    take_bye (parse, get_word (parse, i));
}

/* An APP packet of ours. Its parser takes the words as a buffer, which lives for this call. */
static void
take_app (Parse * parse)
{
  GstTfrcUnicastSession *session = parse->session;
  gsize size = 4 * (parse->words - APP_WORDS);
  GstBuffer *words = gst_buffer_new_memdup (parse->data + 4 * APP_WORDS, size);
  GstTfrcApp app;

  if (!gst_tfrc_app_parse (&app, words)) {
    count_malformed (parse);
  } else {
    session->reduced.peer_takes = app.takes_reduced;
    if (app.is_receiver)
      parse->input->receiver_settings = app;
    else
      parse->input->sender_settings = app;
    parse->bits |= app.is_receiver ? GST_TFRC_SESSION_RECEIVER_SETTINGS :
        GST_TFRC_SESSION_SENDER_SETTINGS;
  }
  gst_buffer_unref (words);
}

static void
parse_app (Parse * parse)
{
  gchar name[5] = { 0 };

  if (parse->words < APP_WORDS) {
    count_malformed (parse);
    return;
  }
  memcpy (name, parse->data + 4, 4);
  if (!gst_tfrc_app_is_ours (name, gst_rtcp_packet_app_get_subtype (&parse->packet)))
    count_ignored (parse);
  else if (parse->words == APP_WORDS)
    count_malformed (parse);
  else if (check_sender (parse, get_word (parse, 0), FALSE))
    take_app (parse);
}

static void
parse_transport_feedback (Parse * parse)
{
  GstTfrcUnicastSession *session = parse->session;

  if (gst_rtcp_packet_fb_get_type (&parse->packet) != session->fmt ||
      get_word (parse, 1) != session->ssrc) {
    count_ignored (parse);
  } else if (tfrc_report_parse_fci (&parse->input->report, parse->data + 4 * FEEDBACK_WORDS,
          4 * (parse->words - FEEDBACK_WORDS)) == TFRC_PARSE_OK) {
    session->counts.reports_received++;
    parse->bits |= GST_TFRC_SESSION_REPORT;
  } else {
    count_malformed (parse);
  }
}

static void
take_key_frame (Parse * parse)
{
  parse->session->counts.key_frames_asked++;
  parse->bits |= GST_TFRC_SESSION_KEY_FRAME;
}

/* RFC 5104 4.3.1: a FIR that repeats the sequence number repeats the request. */
static void
parse_fir (Parse * parse)
{
  GstTfrcUnicastSession *session = parse->session;
  gboolean ours = FALSE;

  for (guint i = FEEDBACK_WORDS; i + FIR_ENTRY_WORDS <= parse->words; i += FIR_ENTRY_WORDS) {
    gint seq = get_word (parse, i + 1) >> 24;

    if (get_word (parse, i) != session->ssrc)
      continue;
    ours = TRUE;
    if (seq == session->fir_seq)
      continue;
    session->fir_seq = seq;
    take_key_frame (parse);
  }
  if (!ours)
    count_ignored (parse);
}

static void
parse_payload_feedback (Parse * parse)
{
  switch (gst_rtcp_packet_fb_get_type (&parse->packet)) {
    case GST_RTCP_PSFB_TYPE_PLI:
      if (get_word (parse, 1) == parse->session->ssrc)
        take_key_frame (parse);
      else
        count_ignored (parse);
      break;
    case GST_RTCP_PSFB_TYPE_FIR:
      parse_fir (parse);
      break;
    default:
      count_ignored (parse);
  }
}

static void
parse_feedback (Parse * parse, void (*parse_kind) (Parse *))
{
  if (parse->words < FEEDBACK_WORDS)
    count_malformed (parse);
  else if (check_sender (parse, get_word (parse, 0), FALSE))
    parse_kind (parse);
}

static void
parse_packet (Parse * parse)
{
  if (!measure (parse)) {
    count_malformed (parse);
    return;
  }
  switch (gst_rtcp_packet_get_type (&parse->packet)) {
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
      parse_app (parse);
      break;
    case GST_RTCP_TYPE_RTPFB:
      parse_feedback (parse, parse_transport_feedback);
      break;
    case GST_RTCP_TYPE_PSFB:
      parse_feedback (parse, parse_payload_feedback);
      break;
    default:
      count_ignored (parse);
  }
}

/* GstRTCPBuffer stops at a packet that is too short for its type, or of a type that it does not
 * know. */
static void
parse_packets (Parse * parse, GstBuffer * buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  gsize end = 0;
  gboolean more;

  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &parse->packet);
  while (more && !(parse->bits & GST_TFRC_SESSION_NEW_SSRC)) {
    end = parse->packet.offset + 4 * (gst_rtcp_packet_get_length (&parse->packet) + 1);
    parse_packet (parse);
    more = gst_rtcp_packet_move_to_next (&parse->packet);
  }
  if (!more && end < rtcp.map.size)
    count_malformed (parse);
  gst_rtcp_buffer_unmap (&rtcp);
}

static void
count_heard (Parse * parse, gsize size)
{
  GstTfrcUnicastSession *session = parse->session;

  session->counts.rtcp_received++;
  session->counts.rtcp_octets_received += size;
  if (gst_tfrc_rtcp_timing_on_heard (&session->timing, size, session->now))
    parse->bits |= GST_TFRC_SESSION_ANSWERED;
  parse->bits |= GST_TFRC_SESSION_TIMER;
}

GstTfrcSessionBits
gst_tfrc_unicast_session_on_rtcp (GstTfrcUnicastSession * session,
    GstBuffer * buffer, GstTfrcSessionInput * input, TfrcTime now)
{
  Parse parse = {.session = session,.input = input };

  gst_tfrc_unicast_session_clamp (session, now);
  if (session->left)
    return GST_TFRC_SESSION_REFUSED;
  if (gst_buffer_get_size (buffer) < MIN_SIZE || !gst_rtcp_buffer_validate_reduced (buffer)) {
    session->counts.malformed++;
    return GST_TFRC_SESSION_REFUSED;
  }
  parse_packets (&parse, buffer);
  if (!(parse.bits & GST_TFRC_SESSION_ACCEPTED))
    return parse.bits | GST_TFRC_SESSION_REFUSED;
  count_heard (&parse, gst_buffer_get_size (buffer));
  return parse.bits & ~GST_TFRC_SESSION_REFUSED;
}
