/* gst-tfrc tests: rtptfrcsend: data with several SSRCs
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/seqnumtranslation.h"
#include "send.h"
#include "settle.h"
#include "statsfield.h"

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define RTX_SSRC 0x44444444u
#define RTX_PT 97

/* --- what the tests ask for --- */

/* The structure of the flow of `ssrc` in the statistics, to be freed; NULL: there is none. */
static GstStructure *
get_flow (Filter * f, guint32 ssrc)
{
  GstStructure *stats, *found = NULL;
  const GValue *flows;
  guint i, of;

  g_object_get (f->element, "stats", &stats, NULL);
  flows = gst_structure_get_value (stats, "flows");
  fail_unless (flows != NULL);
  for (i = 0; i < gst_value_array_get_size (flows); i++) {
    const GstStructure *flow = gst_value_get_structure
        (gst_value_array_get_value (flows, i));

    if (gst_structure_get_uint (flow, "ssrc", &of) && of == ssrc)
      found = gst_structure_copy (flow);
  }
  gst_structure_free (stats);
  return found;
}

static gdouble
get_flow_rate (Filter * f, guint32 ssrc, const gchar * name)
{
  GstStructure *flow = get_flow (f, ssrc);
  gdouble value;

  fail_unless (flow != NULL && stats_field (flow, name) != NULL);
  value = g_value_get_double (stats_field (flow, name));
  gst_structure_free (flow);
  return value;
}

static guint64
get_flow_count (Filter * f, guint32 ssrc, const gchar * name)
{
  GstStructure *flow = get_flow (f, ssrc);
  guint64 value;

  fail_unless (flow != NULL && gst_structure_get_uint64 (flow, name, &value));
  gst_structure_free (flow);
  return value;
}

static GstBuffer *
new_packet_of (Filter * f, guint32 ssrc, guint16 seq, guint payload)
{
  f->ssrc = ssrc;
  f->seq = seq;
  return filter_new_packet (f, payload);
}

static gboolean
has_extension (GstBuffer * buffer)
{
  guint8 first = 0;

  gst_buffer_extract (buffer, 0, &first, 1);
  return (first & 0x10) != 0;
}

static guint32
get_ssrc (GstBuffer * buffer)
{
  guint8 ssrc[4];

  fail_unless_equals_int (gst_buffer_extract (buffer, 8, ssrc, 4), 4);
  return GST_READ_UINT32_BE (ssrc);
}

static void
report_on (Filter * f, guint32 media, guint32 t_i_us)
{
  TfrcReport report = { .t_i_us = t_i_us, .x_recv_Bps = 0 };
  guint8 fci[TFRC_REPORT_FCI_SIZE_MAX];

  tfrc_report_write_fci (&report, fci);
  filter_feedback (f, TFRC_REPORT_FMT, PEER_SSRC, media, fci,
      TFRC_REPORT_FCI_SIZE);
}

/* --- flows --- */

GST_START_TEST (each_ssrc_has_an_allowance_of_its_own)
{
  Filter f;
  gdouble X;
  guint i;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  X = filter_get_rate (&f, "X");
  /* the second SSRC is in slow start: of its packets one departs, and the first SSRC is as free as before */
  for (i = 0; i < 5; i++) {
    fail_unless_equals_int (gst_harness_push (f.h, new_packet_of (&f,
                OTHER_SSRC, 100 + i, 1100)), GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_push (f.h, new_packet_of (&f,
                OWN_SSRC, 65531 + i, 148)), GST_FLOW_OK);
    filter_advance (&f, FRAME);
    filter_settle (&f);
  }
  fail_unless_equals_uint64 (get_flow_count (&f, OWN_SSRC, "packets"), 6);
  fail_unless_equals_uint64 (get_flow_count (&f, OTHER_SSRC, "packets"), 1);
  fail_unless (get_flow_rate (&f, OWN_SSRC, "X") == X);
  fail_unless (get_flow_rate (&f, OTHER_SSRC, "X") < 1200);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_report_is_about_one_ssrc)
{
  Filter f;
  GstBuffer *buffer;
  TfrcStamp stamp;
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  X = filter_get_rate (&f, "X");
  fail_unless_equals_int (gst_harness_push (f.h, new_packet_of (&f,
              OTHER_SSRC, 100, 1100)), GST_FLOW_OK);
  buffer = filter_take (&f);
  fail_unless_equals_int (get_ssrc (buffer), OTHER_SSRC);
  fail_unless_equals_int (packet_get_seq (buffer), 100);
  stamp = packet_get_stamp (buffer, STAMP_ID);
  gst_buffer_unref (buffer);
  filter_advance (&f, 2 * R);
  report_on (&f, OTHER_SSRC, stamp.t_i_us);
  NEAR (get_flow_rate (&f, OTHER_SSRC, "R") * GST_SECOND, 2 * R, GST_MSECOND);
  NEAR (get_flow_rate (&f, OWN_SSRC, "R") * GST_SECOND, R, GST_MSECOND);
  fail_unless (get_flow_rate (&f, OWN_SSRC, "X") == X);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-media-ssrc"), 0);
  filter_stop (&f);
}

GST_END_TEST;

/* The SSRCs come in another order than before the stop. */
GST_START_TEST (a_stopped_element_forgets_its_flows)
{
  Filter f;
  TfrcStamp stamp;

  filter_start (&f, "rtptfrcsend");
  gst_harness_push (f.h, new_packet_of (&f, OWN_SSRC, 1, 100));
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  gst_buffer_unref (filter_take (&f));
  gst_buffer_unref (filter_take (&f));
  gst_element_set_state (f.element, GST_STATE_READY);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  gst_harness_push_event (f.h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f.h, "application/x-rtp");
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  stamp = filter_take_stamp (&f);
  gst_harness_push (f.h, new_packet_of (&f, OWN_SSRC, 1, 100));
  gst_buffer_unref (filter_take (&f));
  filter_advance (&f, R);
  report_on (&f, OTHER_SSRC, stamp.t_i_us);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-media-ssrc"), 0);
  fail_unless_equals_uint64 (get_flow_count (&f, OTHER_SSRC, "reports"), 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (each_encoder_gets_the_allowance_of_its_ssrc)
{
  Filter f;
  GstStructure *rate;
  gboolean own = FALSE, other = FALSE;

  filter_start (&f, "rtptfrcsend");
  filter_push (&f, 1100);
  fail_unless_equals_int (gst_harness_push (f.h, new_packet_of (&f,
              OTHER_SSRC, 100, 1100)), GST_FLOW_OK);
  while ((rate = filter_take_rate (&f)) != NULL) {
    own |= rate_get_uint (rate, "ssrc") == OWN_SSRC;
    other |= rate_get_uint (rate, "ssrc") == OTHER_SSRC;
    gst_structure_free (rate);
  }
  fail_unless (own && other);
  filter_stop (&f);
}

GST_END_TEST;

/* rtpfunnel pushes the segment anew whenever another stream has a packet. */
GST_START_TEST (a_waiting_flow_does_not_hold_up_another)
{
  Filter f;
  GstSegment segment;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 100, 1100));
  gst_buffer_unref (filter_take (&f));
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 101, 1100));
  filter_expect_nothing (&f);
  segment.base = 7;
  gst_harness_push_event (f.h, gst_event_new_segment (&segment));
  gst_harness_push (f.h, new_packet_of (&f, OWN_SSRC, 65531, 148));
  buffer = filter_take (&f);
  fail_unless_equals_int (get_ssrc (buffer), OWN_SSRC);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_table_is_bounded)
{
  Filter f;
  GstBuffer *buffer;
  TfrcStamp stamp;
  gchar *text;
  guint i;

  filter_start (&f, "rtptfrcsend");
  for (i = 0; i < 40; i++) {
    gst_harness_push (f.h, new_packet_of (&f, 1000 + i, 1, 100));
    filter_advance (&f, GST_MSECOND);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "refused"), 8);
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "32 SSRCs") != NULL, "%s", text);
  g_free (text);
  /* an SSRC that is silent gives its place */
  filter_advance (&f, 501 * GST_MSECOND);
  while ((buffer = gst_harness_try_pull (f.h)) != NULL)
    gst_buffer_unref (buffer);
  gst_harness_push (f.h, new_packet_of (&f, 2000, 1, 100));
  fail_unless_equals_uint64 (filter_get_stat (&f, "refused"), 8);
  fail_unless_equals_uint64 (get_flow_count (&f, 2000, "packets"), 1);
  /* for reports, too */
  buffer = filter_take (&f);
  stamp = packet_get_stamp (buffer, STAMP_ID);
  gst_buffer_unref (buffer);
  filter_advance (&f, R);
  report_on (&f, 2000, stamp.t_i_us);
  NEAR (get_flow_rate (&f, 2000, "R") * GST_SECOND, R, GST_MSECOND);
  filter_stop (&f);
}

GST_END_TEST;

/* --- payload types --- */

static GstCaps *
on_pt_map (GstElement * rtpsession, guint pt, gpointer caps)
{
  return pt == 96 ? gst_caps_from_string (caps) : NULL;
}

static void
start_with_pt_map (Filter * f, const gchar * caps)
{
  filter_start (f, "rtptfrcsend");
  gst_harness_set_src_caps_str (f->h, "application/x-rtp");
  g_signal_connect (f->rtpsession, "request-pt-map", G_CALLBACK (on_pt_map),
      (gpointer) caps);
  g_object_set (f->element, "rtp-session", f->rtpsession, NULL);
}

GST_START_TEST (packets_without_tfrc_pass_untouched)
{
  Filter f;
  guint i;

  start_with_pt_map (&f, "application/x-rtp, media=(string)audio, "
      "clock-rate=(int)48000, encoding-name=(string)OPUS, "
      "rtcp-fb-nack=(boolean)true");
  for (i = 0; i < 20; i++) {
    GstBuffer *in = new_packet_of (&f, OTHER_SSRC, 7 * i, 1100), *out;

    gst_buffer_ref (in);
    gst_harness_push (f.h, in);
    out = filter_take (&f);
    fail_unless (out == in);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "passed"), 20);
  fail_unless (get_flow (&f, OTHER_SSRC) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_id_of_the_extension_is_that_of_the_payload_type)
{
  Filter f;
  GstBuffer *buffer;

  start_with_pt_map (&f, "application/x-rtp, media=(string)audio, "
      "clock-rate=(int)48000, encoding-name=(string)OPUS, "
      "rtcp-fb-nack=(boolean)true, extmap-9=(string)" STAMP_URI);
  /* the flow that takes the first SSRC has begun without caps of the payload type */
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  buffer = filter_take (&f);
  packet_get_stamp (buffer, 9);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_feedback_is_that_of_the_payload_type)
{
  Filter f;
  GstStructure *flow;

  start_with_pt_map (&f, "application/x-rtp, media=(string)audio, "
      "clock-rate=(int)48000, encoding-name=(string)OPUS, "
      "rtcp-fb-transport-cc=(boolean)true, extmap-5=(string)"
      "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01");
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  flow = get_flow (&f, OTHER_SSRC);
  fail_unless_equals_string (gst_structure_get_string (flow, "feedback"),
      "twcc");
  gst_structure_free (flow);
  fail_unless_equals_uint64 (filter_get_stat (&f, "passed"), 0);
  filter_stop (&f);
}

GST_END_TEST;

static void
check_feedback (Filter * f, guint32 ssrc, const gchar * kind)
{
  GstStructure *flow = get_flow (f, ssrc);

  fail_unless (flow != NULL);
  fail_unless_equals_string (gst_structure_get_string (flow, "feedback"), kind);
  gst_structure_free (flow);
}

/* Caps of a funnel name neither SSRC nor payload type; those of another stream name both. */
GST_START_TEST (caps_change_no_feedback_of_other_flows)
{
  GstBuffer *buffer;
  Filter f;

  start_with_pt_map (&f, "application/x-rtp, media=(string)audio, "
      "clock-rate=(int)48000, encoding-name=(string)OPUS, "
      "rtcp-fb-ack-ccfb=(boolean)true");
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  gst_buffer_unref (filter_take (&f));
  check_feedback (&f, OTHER_SSRC, "ccfb");
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, "
      "extmap-9=(string)" STAMP_URI);
  check_feedback (&f, OTHER_SSRC, "ccfb");
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)97, "
      "ssrc=(uint)572662306, extmap-9=(string)" STAMP_URI);
  check_feedback (&f, OTHER_SSRC, "ccfb");
  check_feedback (&f, OWN_SSRC, "tfrc");
  filter_advance (&f, 2 * GST_SECOND);
  filter_settle (&f);
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 2, 100));
  filter_settle (&f);
  buffer = filter_take (&f);
  fail_if (has_extension (buffer));
  gst_buffer_unref (buffer);
  /* the caps are about this flow */
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)96, "
      "ssrc=(uint)858993459, extmap-9=(string)" STAMP_URI);
  check_feedback (&f, OTHER_SSRC, "tfrc");
  filter_stop (&f);
}

GST_END_TEST;

/* The ID of the header extension is that of the payload type, whatever the funnel's caps are. */
GST_START_TEST (caps_change_no_extension_of_other_flows)
{
  GstBuffer *buffer;
  Filter f;

  start_with_pt_map (&f, "application/x-rtp, media=(string)audio, "
      "clock-rate=(int)48000, encoding-name=(string)OPUS, "
      "rtcp-fb-nack=(boolean)true, extmap-9=(string)" STAMP_URI);
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 1, 100));
  gst_buffer_unref (filter_take (&f));
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, a-mid=(string)a");
  filter_advance (&f, 2 * GST_SECOND);
  filter_settle (&f);
  gst_harness_push (f.h, new_packet_of (&f, OTHER_SSRC, 2, 100));
  filter_settle (&f);
  buffer = filter_take (&f);
  packet_get_stamp (buffer, 9);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

/* --- receiver reports --- */

#define STRANGER_SSRC 0x55555555u

/* The filter and the RTP session that its packets go through, with two SSRCs of one packet each. */
static void
start_with_session (Filter * f, const gchar * feedback)
{
  gchar *line = g_strdup_printf ("rtptfrcsend name=rtptfrcsend mode=tfrc-sp "
      "feedback=%s ! session.send_rtp_sink rtpsession name=session "
      "session.send_rtp_src ! identity", feedback);

  filter_start (f, line);
  g_free (line);
  gst_element_set_state (f->h->element, GST_STATE_READY);
  g_object_set (f->element, "rtp-session", NULL, NULL);
  gst_element_set_state (f->h->element, GST_STATE_PLAYING);
  gst_harness_push_event (f->h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f->h, "application/x-rtp, "
      "media=(string)audio, clock-rate=(int)48000, payload=(int)96");
  gst_harness_push (f->h, new_packet_of (f, OWN_SSRC, 10, 100));
  gst_harness_push (f->h, new_packet_of (f, OTHER_SSRC, 20, 100));
  gst_buffer_unref (filter_take (f));
  gst_buffer_unref (filter_take (f));
}

static GstPad *
request_rtcp_pad (Filter * f)
{
  GstElement *session = gst_bin_get_by_name (GST_BIN (f->h->element),
      "session");
  GstPad *pad = gst_element_request_pad_simple (session, "recv_rtcp_sink");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("rtcp"));
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  gst_object_unref (session);
  return pad;
}

/* An RR of `from` with a block about each SSRC, all of whose packets arrived, but for `lost`: one packet and `more`. */
static void
send_blocks (GstPad * pad, guint32 from, gint lost, guint more)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, from);
  gst_rtcp_packet_add_rb (&packet, OWN_SSRC, 0, lost, 10 + more, 0, 0, 0);
  gst_rtcp_packet_add_rb (&packet, OTHER_SSRC, 0, lost, 20 + more, 0, 0, 0);
  gst_rtcp_buffer_unmap (&rtcp);
  fail_unless_equals_int (gst_pad_chain (pad, buffer), GST_FLOW_OK);
}

/* Blocks that the flow was given. */
static guint64
count_blocks (Filter * f, guint32 ssrc)
{
  return get_flow_count (f, ssrc, "feedback-reports") +
      get_flow_count (f, ssrc, "feedback-idle");
}

GST_START_TEST (each_block_of_a_receiver_report_counts)
{
  Filter f;
  GstPad *pad;

  start_with_session (&f, "rr");
  pad = request_rtcp_pad (&f);
  filter_advance (&f, 2 * R);
  send_blocks (pad, PEER_SSRC, 0, 0);
  fail_unless_equals_uint64 (count_blocks (&f, OWN_SSRC), 1);
  fail_unless_equals_uint64 (count_blocks (&f, OTHER_SSRC), 1);
  gst_object_unref (pad);
  filter_stop (&f);
}

GST_END_TEST;

/* The blocks of two SSRCs count losses from two origins, so that their difference is not a number of losses. */
GST_START_TEST (the_blocks_of_one_data_receiver_count)
{
  Filter f;
  GstPad *pad;

  start_with_session (&f, "rr");
  pad = request_rtcp_pad (&f);
  filter_advance (&f, 2 * R);
  send_blocks (pad, PEER_SSRC, 0, 0);
  filter_advance (&f, FRAME);
  send_blocks (pad, STRANGER_SSRC, 1000, 0);
  fail_unless_equals_uint64 (count_blocks (&f, OWN_SSRC), 1);
  fail_unless_equals_uint64 (count_blocks (&f, OTHER_SSRC), 1);
  /* once the former is silent, another one may report */
  filter_advance (&f, 11 * GST_SECOND);
  send_blocks (pad, STRANGER_SSRC, 1000, 0);
  fail_unless_equals_uint64 (count_blocks (&f, OWN_SSRC), 2);
  gst_object_unref (pad);
  filter_stop (&f);
}

GST_END_TEST;

/* A packet after a while, and the blocks about it. Returns whether the packet has a stamp. */
static gboolean
speak_and_hear (Filter * f, GstPad * pad, guint32 from, guint packet)
{
  GstBuffer *buffer;
  gsize size;

  filter_advance (f, 2 * GST_SECOND);
  filter_settle (f);
  while ((buffer = gst_harness_try_pull (f->h)) != NULL)
    gst_buffer_unref (buffer);
  gst_harness_push (f->h, new_packet_of (f, OWN_SSRC, 10 + packet, 100));
  filter_settle (f);
  buffer = filter_take (f);
  size = gst_buffer_get_size (buffer);
  gst_buffer_unref (buffer);
  send_blocks (pad, from, 0, packet);
  fail_unless (size == 12 + 100 || size == 12 + 100 + 12);
  return size > 12 + 100;
}

static gchar *
get_feedback (Filter * f)
{
  GstStructure *flow = get_flow (f, OWN_SSRC);
  gchar *kind = g_strdup (gst_structure_get_string (flow, "feedback"));

  gst_structure_free (flow);
  return kind;
}

/* The first data receiver knows nothing of TFRC. Another one may come in its place, and is asked by stamps. */
GST_START_TEST (tfrc_is_sought_again_from_another_data_receiver)
{
  guint packet = 0;
  gchar *kind;
  GstPad *pad;
  Filter f;

  start_with_session (&f, "auto");
  pad = request_rtcp_pad (&f);
  fail_unless (speak_and_hear (&f, pad, PEER_SSRC, ++packet));
  while (packet < 6)
    speak_and_hear (&f, pad, PEER_SSRC, ++packet);
  fail_if (speak_and_hear (&f, pad, PEER_SSRC, ++packet));
  filter_advance (&f, 11 * GST_SECOND);
  fail_if (speak_and_hear (&f, pad, STRANGER_SSRC, ++packet));
  fail_unless (speak_and_hear (&f, pad, STRANGER_SSRC, ++packet));
  /* the reports count all the time */
  kind = get_feedback (&f);
  fail_unless_equals_string (kind, "rr");
  g_free (kind);
  /* one that does not report as TFRC has it is found out again */
  while (packet < 12)
    speak_and_hear (&f, pad, STRANGER_SSRC, ++packet);
  fail_if (speak_and_hear (&f, pad, STRANGER_SSRC, ++packet));
  gst_object_unref (pad);
  filter_stop (&f);
}

GST_END_TEST;

/* --- retransmission --- */

/* A retransmission of the packet with the number `osn`. */
static GstBuffer *
new_rtx (Filter * f, guint16 seq, guint16 osn, guint payload)
{
  GstBuffer *buffer = new_packet_of (f, RTX_SSRC, seq, payload);
  guint8 pt = RTX_PT, data[2];

  GST_WRITE_UINT16_BE (data, osn);
  gst_buffer_fill (buffer, 1, &pt, 1);
  gst_buffer_fill (buffer, 12, data, 2);
  return buffer;
}

/* The bytes of the payload that a packet with a stamp begins with. */
static guint16
read_osn (GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint16 osn;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  osn = GST_READ_UINT16_BE (gst_rtp_buffer_get_payload (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  return osn;
}

#define RTX_LINE "rtptfrcsend payload-type-map=application/x-rtp-pt-map,96=(uint)97"

GST_START_TEST (a_retransmission_counts_as_part_of_its_flow)
{
  Filter f;
  GstBuffer *buffer;
  guint64 packets;

  filter_start (&f, RTX_LINE);
  send_open_path (&f);
  packets = get_flow_count (&f, OWN_SSRC, "packets");
  gst_harness_push (f.h, new_rtx (&f, 500, 65530, 100));
  buffer = filter_take (&f);
  fail_unless_equals_int (get_ssrc (buffer), RTX_SSRC);
  fail_unless_equals_int (packet_get_seq (buffer), 500);
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (get_flow_count (&f, OWN_SSRC, "packets"),
      packets + 1);
  fail_unless (get_flow (&f, RTX_SSRC) == NULL);
  /* the data go on with their own numbers */
  filter_advance (&f, FRAME);
  gst_harness_push (f.h, new_packet_of (&f, OWN_SSRC, 65531, 100));
  buffer = filter_take (&f);
  fail_unless_equals_int (packet_get_seq (buffer), 65531);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

/* Two packets of three expire: what departs as number 65531 was number 65533. */
static void
drop_two (Filter * f)
{
  guint i;

  gst_buffer_unref (filter_take (f));
  for (i = 0; i < 3; i++) {
    gst_harness_push (f->h, new_packet_of (f, OWN_SSRC, 65531 + i, 1000));
    filter_advance (f, 150 * GST_MSECOND);
  }
  while (send_count_left (f) > 0) {
    filter_advance (f, 100 * GST_MSECOND);
    filter_settle (f);
  }
}

static GstEvent *
pull_request (Filter * f)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (f->h)) != NULL) {
    const GstStructure *s = gst_event_get_structure (event);

    if (s != NULL && gst_structure_has_name (s, "GstRTPRetransmissionRequest"))
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

static void
request (Filter * f, guint seqnum)
{
  gst_harness_push_upstream_event (f->h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, seqnum, "ssrc", G_TYPE_UINT, OWN_SSRC, NULL)));
}

GST_START_TEST (numbers_of_retransmissions_are_translated)
{
  Filter f;
  GstBuffer *buffer;
  GstEvent *event;
  guint seqnum;

  filter_start (&f, RTX_LINE " max-queue-packets=1 max-queue-time=0");
  gst_harness_push (f.h, new_packet_of (&f, OWN_SSRC, 65530, 1000));
  drop_two (&f);
  buffer = gst_harness_pull (f.h);
  fail_unless_equals_int (packet_get_seq (buffer), 65531);
  fail_unless_equals_int (packet_get_timestamp (buffer), 65533 * 960u);
  gst_buffer_unref (buffer);

  request (&f, 65531);
  event = pull_request (&f);
  fail_unless (event != NULL && gst_structure_get_uint (gst_event_get_structure
          (event), "seqnum", &seqnum));
  fail_unless_equals_int (seqnum, 65533);
  gst_event_unref (event);
  /* no packet has departed with this number */
  request (&f, 65532);
  fail_unless (pull_request (&f) == NULL);

  gst_harness_push (f.h, new_rtx (&f, 500, 65533, 100));
  /* one that waits is not asked for once more */
  fail_unless_equals_int (send_count_left (&f), 1);
  request (&f, 65531);
  fail_unless (pull_request (&f) == NULL);
  while (send_count_left (&f) > 0) {
    filter_advance (&f, 100 * GST_MSECOND);
    filter_settle (&f);
  }
  buffer = gst_harness_pull (f.h);
  fail_unless_equals_int (get_ssrc (buffer), RTX_SSRC);
  fail_unless_equals_int (read_osn (buffer), 65531);
  gst_buffer_unref (buffer);
  request (&f, 65531);
  event = pull_request (&f);
  fail_unless (event != NULL);
  gst_event_unref (event);
  filter_stop (&f);
}

GST_END_TEST;

/* One packet was dropped before these: what departs as number i was number i + 1. */
GST_START_TEST (numbers_are_translated_however_long_nothing_is_dropped)
{
  GstTfrcSeqnumTranslation *map = g_new0 (GstTfrcSeqnumTranslation, 1);
  guint16 number, i = 0;
  guint n;

  for (n = 0; n < 200000; n++) {
    gst_tfrc_seqnum_translation_add (map, i + 1, i);
    fail_unless (gst_tfrc_seqnum_translation_get_original (map, i, &number),
        "%u", n);
    fail_unless_equals_int (number, (guint16) (i + 1));
    fail_unless (gst_tfrc_seqnum_translation_get_departed (map, i + 1,
            &number));
    fail_unless_equals_int (number, i);
    fail_if (gst_tfrc_seqnum_translation_get_original (map, i + 1, &number));
    fail_if (gst_tfrc_seqnum_translation_get_departed (map, i + 2, &number));
    if (n >= 1000)
      fail_unless (gst_tfrc_seqnum_translation_get_original (map, i - 1000,
              &number)
          && number == (guint16) (i - 999));
    i++;
  }
  g_free (map);
}

GST_END_TEST;

static Suite *
send_flows_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, several SSRCs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, each_ssrc_has_an_allowance_of_its_own);
  tcase_add_test (tc, a_report_is_about_one_ssrc);
  tcase_add_test (tc, a_stopped_element_forgets_its_flows);
  tcase_add_test (tc, each_encoder_gets_the_allowance_of_its_ssrc);
  tcase_add_test (tc, a_waiting_flow_does_not_hold_up_another);
  tcase_add_test (tc, the_table_is_bounded);
  tcase_add_test (tc, packets_without_tfrc_pass_untouched);
  tcase_add_test (tc, the_id_of_the_extension_is_that_of_the_payload_type);
  tcase_add_test (tc, the_feedback_is_that_of_the_payload_type);
  tcase_add_test (tc, caps_change_no_feedback_of_other_flows);
  tcase_add_test (tc, caps_change_no_extension_of_other_flows);
  tcase_add_test (tc, each_block_of_a_receiver_report_counts);
  tcase_add_test (tc, the_blocks_of_one_data_receiver_count);
  tcase_add_test (tc, tfrc_is_sought_again_from_another_data_receiver);
  tcase_add_test (tc, a_retransmission_counts_as_part_of_its_flow);
  tcase_add_test (tc, numbers_of_retransmissions_are_translated);
  tcase_add_test (tc, numbers_are_translated_however_long_nothing_is_dropped);
  return s;
}

GST_CHECK_MAIN (send_flows);
