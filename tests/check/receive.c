/* gst-tfrc tests: rtptfrcreceive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#include <string.h>

#define R (100 * GST_MSECOND)

static guint64
count_asked (Filter * f)
{
  return filter_get_stat (f, "rtcp-reports-asked");
}

/* --- data pass --- */

/* Without its stamp a packet is as if it never had one. */
static void
check_stripped (GstBuffer * out, GstBuffer * plain)
{
  GstMapInfo map;

  gst_buffer_map (plain, &map, GST_MAP_READ);
  gst_check_buffer_data (out, map.data, map.size);
  gst_buffer_unmap (plain, &map);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), GST_BUFFER_PTS (plain));
  gst_buffer_unref (plain);
  gst_buffer_unref (out);
}

GST_START_TEST (packets_without_a_stamp_pass_untouched)
{
  Filter f;
  GstBuffer *in, *copy, *out;
  GstMapInfo map;

  filter_start (&f, "rtptfrcreceive");
  in = filter_new_packet (&f, 160);
  copy = gst_buffer_copy_deep (in);
  gst_harness_push (f.h, in);
  out = filter_take (&f);
  fail_unless (out == in);
  gst_buffer_map (copy, &map, GST_MAP_READ);
  gst_check_buffer_data (out, map.data, map.size);
  gst_buffer_unmap (copy, &map);
  gst_buffer_unref (out);
  gst_buffer_unref (copy);
  /* what it does not understand is not its to drop */
  gst_harness_push (f.h, gst_buffer_new_memdup ("not RTP", 7));
  out = filter_take (&f);
  fail_unless_equals_int (gst_buffer_get_size (out), 7);
  gst_buffer_unref (out);
  fail_unless_equals_uint64 (filter_get_stat (&f, "not-rtp"), 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_stamp_is_taken_off_and_the_rest_stays)
{
  Filter f;
  GstBuffer *in, *plain;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 2; i++) {
    plain = filter_new_packet (&f, 160);
    f.seq--;
    in = filter_new_stamped (&f, 160, FILTER_R_US, 1);
    if (i == 1) {
      /* somebody else holds the memory, and keeps what is in it */
      GstBuffer *other = gst_buffer_copy (in);

      gst_harness_push (f.h, in);
      fail_unless_equals_int (packet_get_stamp (other, STAMP_ID).rtt_us,
          FILTER_R_US);
      gst_buffer_unref (other);
    } else {
      gst_harness_push (f.h, in);
    }
    check_stripped (filter_take (&f), plain);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 2);
  /* the packet was measured as it came: payload, header and extension */
  fail_unless_equals_uint64 (filter_get_stat (&f, "bytes"),
      2 * (160 + 12 + 12));
  filter_stop (&f);
}

GST_END_TEST;

static void
add_element (GstRTPBuffer * rtp, gboolean two_bytes, guint id,
    const guint8 * data, guint size)
{
  if (two_bytes)
    fail_unless (gst_rtp_buffer_add_extension_twobytes_header (rtp, 0, id,
            data, size));
  else
    fail_unless (gst_rtp_buffer_add_extension_onebyte_header (rtp, id, data,
            size));
}

static gboolean
has_element (GstRTPBuffer * rtp, gboolean two_bytes, guint id,
    const guint8 * data, guint size)
{
  gpointer found;
  guint found_size;
  gboolean has = two_bytes ?
      gst_rtp_buffer_get_extension_twobytes_header (rtp, NULL, id, 0, &found,
      &found_size) :
      gst_rtp_buffer_get_extension_onebyte_header (rtp, id, 0, &found,
      &found_size);

  return has && found_size == size && memcmp (found, data, size) == 0;
}

/* Elements of others, in front of the stamp or behind it, are found as before. */
static void
check_other_element (Filter * f, gboolean two_bytes, gboolean in_front)
{
  static const guint8 other[] = { 'm', 'i', 'd' };
  GstBuffer *buffer = filter_new_packet (f, 160);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 stamp[TFRC_STAMP_SIZE];

  tfrc_stamp_write (&(TfrcStamp) {FILTER_R_US, 1}, stamp);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  if (in_front)
    add_element (&rtp, two_bytes, 5, other, sizeof other);
  add_element (&rtp, two_bytes, STAMP_ID, stamp, sizeof stamp);
  if (!in_front)
    add_element (&rtp, two_bytes, 5, other, sizeof other);
  gst_rtp_buffer_unmap (&rtp);

  gst_harness_push (f->h, buffer);
  buffer = filter_take (f);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  fail_if (has_element (&rtp, two_bytes, STAMP_ID, stamp, sizeof stamp));
  fail_unless (has_element (&rtp, two_bytes, 5, other, sizeof other));
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 160);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
}

GST_START_TEST (other_extensions_stay_when_the_stamp_is_taken_off)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 4; i++)
    check_other_element (&f, i & 1, i & 2);
  fail_unless_equals_uint64 (filter_get_stat (&f, "bytes"),
      2 * (160 + 12 + 16) + 2 * (160 + 12 + 20));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_packets_of_a_list_are_all_measured)
{
  Filter f;
  GstBufferList *list = gst_buffer_list_new ();
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 4; i++)
    gst_buffer_list_add (list, filter_new_stamped (&f, 160, FILTER_R_US, i));
  fail_unless_equals_int (gst_pad_push_list (f.h->srcpad,
          gst_buffer_list_ref (list)), GST_FLOW_OK);
  /* who else holds the list keeps the packets with their stamps */
  for (i = 0; i < 4; i++)
    fail_unless_equals_int (packet_get_stamp (gst_buffer_list_get (list, i),
            STAMP_ID).t_i_us, i);
  gst_buffer_list_unref (list);
  fail_unless_equals_int (gst_harness_buffers_in_queue (f.h), 4);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 4);
  for (i = 0; i < 4; i++) {
    GstBuffer *out = filter_take (&f);

    fail_unless_equals_int (gst_buffer_get_size (out), 12 + 160);
    gst_buffer_unref (out);
  }
  filter_stop (&f);
}

GST_END_TEST;

/* --- when reports leave --- */

GST_START_TEST (the_first_packet_is_reported_at_once)
{
  Filter f;
  TfrcReport report;

  filter_start (&f, "rtptfrcreceive");
  fail_if (filter_take_report (&f, &report));
  fail_unless_equals_uint64 (count_asked (&f), 0);
  filter_push_stamped (&f, TFRC_RTT_UNKNOWN, 123456);
  fail_unless_equals_uint64 (count_asked (&f), 1);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.t_i_us, 123456);
  fail_unless_equals_int (report.t_delay_us, 0);
  fail_unless_equals_int (report.x_recv_Bps, 0);
  fail_unless_equals_int (report.p_q32, 0);
  /* no R yet: each packet is reported */
  filter_advance (&f, FRAME);
  filter_push_stamped (&f, TFRC_RTT_UNKNOWN, 143456);
  fail_unless_equals_uint64 (count_asked (&f), 2);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (t_delay_ends_when_the_rtcp_packet_leaves)
{
  Filter f;
  TfrcReport report;

  filter_start (&f, "rtptfrcreceive");
  filter_push_stamped (&f, FILTER_R_US, 500);
  filter_advance (&f, 37 * GST_MSECOND);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.t_i_us, 500);
  fail_unless_equals_int (report.t_delay_us, 37000);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (packets_bring_a_report_in_each_round_trip_time)
{
  Filter f;
  TfrcReport report;
  GstClockTime time, now = 0;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  fail_unless (filter_take_report (&f, &report));
  time = gst_clock_get_time (GST_CLOCK (f.clock));
  for (i = 1; i <= 20; i++) {
    guint64 asked = count_asked (&f);

    while (count_asked (&f) == asked) {
      now = gst_clock_get_time (GST_CLOCK (f.clock));
      filter_push_stamped (&f, FILTER_R_US, now / GST_USECOND);
      gst_buffer_unref (filter_take (&f));
      filter_advance (&f, FRAME);
    }
    fail_unless_equals_uint64 (count_asked (&f), asked + 1);
    fail_unless (now - time <= R && now - time > R / 2);
    fail_unless (filter_take_report (&f, &report));
    time = gst_clock_get_time (GST_CLOCK (f.clock));
  }
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_timer_asks_for_the_report_of_packets_that_none_follows)
{
  Filter f;
  TfrcReport report;
  guint64 asked;
  GstClockTime time;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  fail_unless (filter_take_report (&f, &report));
  for (i = 1; i <= 3; i++) {
    time = gst_clock_get_time (GST_CLOCK (f.clock));
    asked = count_asked (&f);
    filter_receive_voice (&f, 2, i * FILTER_R_US);
    while (count_asked (&f) == asked)
      filter_crank_alone (&f);
    time = gst_clock_get_time (GST_CLOCK (f.clock)) - time;
    fail_unless (time >= R && time <= 2 * R);
    fail_unless_equals_uint64 (count_asked (&f), asked + 1);
    fail_unless (filter_take_report (&f, &report));
  }
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (without_data_there_is_no_report)
{
  Filter f;
  TfrcReport report;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  fail_unless (filter_take_report (&f, &report));
  fail_if (filter_take_report (&f, &report));
  while (filter_get_stat (&f, "empty-expiries") == 0)
    filter_crank_alone (&f);
  fail_unless_equals_uint64 (count_asked (&f), 1);
  fail_if (filter_take_report (&f, &report));
  /* and the next packet is reported at once */
  filter_receive_voice (&f, 1, 10 * FILTER_R_US);
  fail_unless_equals_uint64 (count_asked (&f), 2);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_loss_is_reported_at_once)
{
  Filter f;
  TfrcReport report;
  guint32 t_i;

  filter_start (&f, "rtptfrcreceive");
  t_i = filter_receive_voice (&f, 3, 0);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_uint64 (count_asked (&f), 1);
  f.seq++;
  t_i = filter_receive_voice (&f, 2, t_i + 2 * FILTER_FRAME_US);
  fail_unless_equals_uint64 (count_asked (&f), 1);
  t_i = filter_receive_voice (&f, 1, t_i + FILTER_FRAME_US);
  fail_unless_equals_uint64 (count_asked (&f), 2);
  fail_unless (filter_take_report (&f, &report));
  fail_unless (report.p_q32 > 0);
  fail_unless_equals_int (report.t_i_us, t_i);
  fail_unless_equals_uint64 (filter_get_stat (&f, "lost"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "loss-events"), 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_request_that_had_no_effect_is_made_again)
{
  Filter f;
  guint i;

  /* a session that does not run sends nothing */
  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 20; i++)
    filter_receive_voice (&f, 1, i * FILTER_FRAME_US);
  fail_unless (count_asked (&f) >= 3);
  fail_unless (count_asked (&f) <= 10);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_farewell_carries_no_report)
{
  Filter f;
  GBytes *rtcp;
  TfrcReport report;
  guint32 sender, media;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  rtcp = filter_send_rtcp (&f, TRUE, TRUE);
  fail_if (rtcp_find_report (rtcp, &report, &sender, &media));
  /* RR and BYE alone, the BYE last */
  fail_unless_equals_int (g_bytes_get_size (rtcp), 8 + 8);
  g_bytes_unref (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

/* --- data that cannot be --- */

static void
push_with_element (Filter * f, guint size)
{
  GstBuffer *buffer = filter_new_packet (f, 100);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_add_extension_onebyte_header (&rtp, STAMP_ID,
      "0123456789abcdef", size);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_push (f->h, buffer);
  gst_buffer_unref (filter_take (f));
  filter_advance (f, FRAME);
}

GST_START_TEST (a_malformed_extension_is_counted_and_not_believed)
{
  Filter f;
  TfrcReport report;
  guint64 R_before;
  guint64 rtt;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 2, 1000);
  g_object_get (f.element, "round-trip-time", &R_before, NULL);
  fail_unless_equals_uint64 (R_before, R);
  push_with_element (&f, 6);
  push_with_element (&f, 8);
  push_with_element (&f, 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "bad-extensions"), 3);
  fail_unless_equals_uint64 (filter_get_stat (&f, "unstamped"), 3);
  g_object_get (f.element, "round-trip-time", &rtt, NULL);
  fail_unless_equals_uint64 (rtt, R_before);
  /* they are data all the same, and what is echoed is the last true stamp */
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 5);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.t_i_us, 1000 + FILTER_FRAME_US);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (stamps_of_the_two_byte_form_are_read)
{
  Filter f;
  GstBuffer *buffer;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 data[TFRC_STAMP_SIZE];
  TfrcReport report;

  filter_start (&f, "rtptfrcreceive extension-id=99");
  buffer = filter_new_packet (&f, 100);
  tfrc_stamp_write (&(TfrcStamp) {FILTER_R_US, 4711}, data);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_add_extension_twobytes_header (&rtp, 0, 99, data, sizeof data);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_push (f.h, buffer);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.t_i_us, 4711);
  filter_stop (&f);
}

GST_END_TEST;

/* A header that takes every bit it has: 15 CSRCs and an extension of 300 words;
 * in one memory, and in two. */
GST_START_TEST (a_stamp_behind_a_long_header_is_found)
{
  gsize split = __i__ * 11;
  Filter f;
  guint8 *data = g_malloc0 (12 + 60 + 4 + 1200);
  GstBuffer *packet;
  TfrcReport report;

  data[0] = 0x9f;
  data[1] = 96;
  GST_WRITE_UINT32_BE (data + 8, OWN_SSRC);
  GST_WRITE_UINT32_BE (data + 72, 0xbede0000u | 300);
  data[72 + 4 + 1100] = STAMP_ID << 4 | 6;
  tfrc_stamp_write (&(TfrcStamp) {FILTER_R_US, 815}, data + 72 + 4 + 1101);
  filter_start (&f, "rtptfrcreceive");
  packet = gst_buffer_new_wrapped (data, 12 + 60 + 4 + 1200);
  if (split > 0) {
    GstBuffer *front = gst_buffer_copy_region (packet,
        GST_BUFFER_COPY_ALL | GST_BUFFER_COPY_DEEP, 0, split);
    GstBuffer *rest = gst_buffer_copy_region (packet,
        GST_BUFFER_COPY_ALL | GST_BUFFER_COPY_DEEP, split, -1);

    gst_buffer_unref (packet);
    packet = gst_buffer_append (front, rest);
  }
  gst_harness_push (f.h, packet);
  fail_unless_equals_uint64 (filter_get_stat (&f, "not-rtp"), 0);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.t_i_us, 815);
  filter_stop (&f);
}

GST_END_TEST;

/* --- whose data --- */

/* Another source takes the place of one that was silent for longer than half a second. */
#define SILENCE (501 * GST_MSECOND)

GST_START_TEST (a_new_ssrc_begins_a_new_history)
{
  Filter f;
  TfrcReport report;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 3, 0);
  f.seq++;
  filter_receive_voice (&f, 3, 4 * FILTER_FRAME_US);
  fail_unless (filter_take_report (&f, &report));
  fail_unless (report.p_q32 > 0);
  filter_advance (&f, SILENCE);
  f.ssrc = OTHER_SSRC;
  f.seq = 9;
  filter_receive_voice (&f, 1, 77);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc"), OTHER_SSRC);
  fail_unless (filter_take_report (&f, &report));
  fail_unless_equals_int (report.p_q32, 0);
  fail_unless_equals_int (report.t_i_us, 77);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (two_interleaved_sources_do_not_restart_each_other)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 20; i++) {
    f.ssrc = i % 2 == 0 ? OWN_SSRC : OTHER_SSRC;
    filter_receive_voice (&f, 1, i * FILTER_FRAME_US);
  }
  /* both are measured, and the properties are about the first one, as base/followedssrc says */
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc"), OWN_SSRC);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 10);
  /* the second source takes its place when the first is silent */
  filter_advance (&f, SILENCE);
  filter_receive_voice (&f, 1, 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc"), OTHER_SSRC);
  filter_stop (&f);
}

GST_END_TEST;

/* The reports in an RTCP packet: how many there are, and of which SSRCs. */
static guint
take_reports (Filter * f, TfrcReport * own, TfrcReport * other)
{
  GBytes *rtcp = filter_send_rtcp (f, TRUE, FALSE);
  gsize size, at;
  const guint8 *data = g_bytes_get_data (rtcp, &size);
  guint32 sender, media;
  TfrcReport report;
  guint n = 0;

  for (at = 0; at + 4 <= size; at += 4 * (1 + GST_READ_UINT16_BE (data + at +
              2))) {
    if (data[at + 1] != GST_RTCP_TYPE_RTPFB)
      continue;
    fail_unless (tfrc_report_parse (&report, TFRC_REPORT_FMT, &sender, &media,
            data + at, TFRC_REPORT_SIZE) == TFRC_PARSE_OK);
    *(media == OWN_SSRC ? own : other) = report;
    n++;
  }
  g_bytes_unref (rtcp);
  return n;
}

GST_START_TEST (each_source_gets_reports_of_its_own)
{
  Filter f;
  TfrcReport own, other;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 20; i++) {
    f.ssrc = OWN_SSRC;
    f.seq = 100 + i;
    filter_receive_voice (&f, 1, i * FILTER_FRAME_US);
    f.ssrc = OTHER_SSRC;
    /* every fifth packet of the second source is lost */
    f.seq = 65530 + i + i / 4;
    filter_receive_voice (&f, 1, i * FILTER_FRAME_US);
  }
  fail_unless_equals_int (take_reports (&f, &own, &other), 2);
  fail_unless_equals_int (own.p_q32, 0);
  fail_unless (other.p_q32 > 0);
  filter_stop (&f);
}

GST_END_TEST;

/* An RTCP packet leaves that has room for an RR and two reports. Adds the SSRCs that the reports are about, which are
 * 1000 and up, to the bits `seen`. */
static void
send_short_rtcp (Filter * f, guint * seen)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (8 + 2 * TFRC_REPORT_SIZE);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean keep, more;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, PEER_SSRC);
  gst_rtcp_buffer_unmap (&rtcp);
  g_signal_emit_by_name (f->session, "on-sending-rtcp", buffer, FALSE, &keep);
  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  for (; more; more = gst_rtcp_packet_move_to_next (&packet))
    if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_RTPFB)
      *seen |= 1u << (gst_rtcp_packet_fb_get_media_ssrc (&packet) - 1000);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
}

GST_START_TEST (sources_take_turns_where_rtcp_has_no_room_for_all)
{
  Filter f;
  guint seen = 0, i, source;

  filter_start (&f, "rtptfrcreceive");
  for (i = 0; i < 6; i++) {
    for (source = 0; source < 3; source++) {
      f.ssrc = 1000 + source;
      f.seq = 100 + i;
      filter_push_stamped (&f, FILTER_R_US, 200000 * i);
      gst_buffer_unref (filter_take (&f));
    }
    filter_advance (&f, 2 * R);
    send_short_rtcp (&f, &seen);
  }
  fail_unless_equals_int (seen, 7);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_retransmission_counts_for_the_receive_rate_alone)
{
  Filter f;
  guint8 pt = 97;
  guint64 bytes;
  GstBuffer *buffer;

  filter_start (&f,
      "rtptfrcreceive payload-type-map=application/x-rtp-pt-map,96=(uint)97");
  filter_receive_voice (&f, 10, 0);
  bytes = filter_get_stat (&f, "bytes");
  f.ssrc = OTHER_SSRC;
  f.seq = 7;
  buffer = filter_new_stamped (&f, 148, FILTER_R_US, 11 * FILTER_FRAME_US);
  gst_buffer_fill (buffer, 1, &pt, 1);
  gst_harness_push (f.h, buffer);
  fail_unless (filter_get_stat (&f, "bytes") > bytes + 148);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 10);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 0);
  filter_stop (&f);
}

GST_END_TEST;

/* Whoever sends packets of random SSRCs takes no place from an SSRC that is heard. */
static void
push_rtx (Filter * f, guint32 ssrc)
{
  GstBuffer *buffer;
  guint8 pt = 97;

  f->ssrc = ssrc;
  buffer = filter_new_packet (f, 148);
  gst_buffer_fill (buffer, 1, &pt, 1);
  gst_harness_push (f->h, buffer);
}

GST_START_TEST (a_flood_of_retransmissions_keeps_none_out)
{
  Filter f;
  guint i;

  filter_start (&f,
      "rtptfrcreceive payload-type-map=application/x-rtp-pt-map,96=(uint)97");
  filter_receive_voice (&f, 10, 0);
  for (i = 0; i < 100; i++)
    push_rtx (&f, 1000 + i);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 68);
  /* those that are heard keep their places, and silence frees them */
  filter_advance (&f, 400 * GST_MSECOND);
  push_rtx (&f, 1000);
  filter_advance (&f, 101 * GST_MSECOND);
  for (i = 0; i < 31; i++)
    push_rtx (&f, 2000 + i);
  push_rtx (&f, 1000);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 68);
  push_rtx (&f, 3000);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 69);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_flood_of_ssrcs_takes_no_place)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 1, 0);
  for (i = 0; i < 100; i++) {
    f.ssrc = 1000 + i;
    filter_push_stamped (&f, FILTER_R_US, i);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 69);
  f.ssrc = OWN_SSRC;
  filter_push_stamped (&f, FILTER_R_US, 200);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 2);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_source_takes_the_place_of_one_that_said_bye)
{
  Filter f;
  GObject *source;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 2, 0);
  source =
      g_object_new (g_type_from_name ("RTPSource"), "ssrc", OWN_SSRC, NULL);
  g_signal_emit_by_name (f.session, "on-bye-ssrc", source);
  g_object_unref (source);
  f.ssrc = OTHER_SSRC;
  filter_receive_voice (&f, 1, 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc"), OTHER_SSRC);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_source_without_stamps_does_not_take_over)
{
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  filter_receive_voice (&f, 2, 0);
  f.ssrc = OTHER_SSRC;
  filter_push (&f, 100);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc"), OWN_SSRC);
  fail_unless_equals_uint64 (filter_get_stat (&f, "other-ssrc"), 1);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
receive_suite (void)
{
  Suite *s = suite_create ("rtptfrcreceive");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, packets_without_a_stamp_pass_untouched);
  tcase_add_test (tc, the_stamp_is_taken_off_and_the_rest_stays);
  tcase_add_test (tc, other_extensions_stay_when_the_stamp_is_taken_off);
  tcase_add_test (tc, the_packets_of_a_list_are_all_measured);
  tcase_add_test (tc, the_first_packet_is_reported_at_once);
  tcase_add_test (tc, t_delay_ends_when_the_rtcp_packet_leaves);
  tcase_add_test (tc, packets_bring_a_report_in_each_round_trip_time);
  tcase_add_test (tc,
      the_timer_asks_for_the_report_of_packets_that_none_follows);
  tcase_add_test (tc, without_data_there_is_no_report);
  tcase_add_test (tc, a_loss_is_reported_at_once);
  tcase_add_test (tc, a_request_that_had_no_effect_is_made_again);
  tcase_add_test (tc, a_farewell_carries_no_report);
  tcase_add_test (tc, a_malformed_extension_is_counted_and_not_believed);
  tcase_add_test (tc, stamps_of_the_two_byte_form_are_read);
  tcase_add_loop_test (tc, a_stamp_behind_a_long_header_is_found, 0, 10);
  tcase_add_test (tc, a_new_ssrc_begins_a_new_history);
  tcase_add_test (tc, two_interleaved_sources_do_not_restart_each_other);
  tcase_add_test (tc, each_source_gets_reports_of_its_own);
  tcase_add_test (tc, sources_take_turns_where_rtcp_has_no_room_for_all);
  tcase_add_test (tc, a_retransmission_counts_for_the_receive_rate_alone);
  tcase_add_test (tc, a_flood_of_retransmissions_keeps_none_out);
  tcase_add_test (tc, a_flood_of_ssrcs_takes_no_place);
  tcase_add_test (tc, a_source_takes_the_place_of_one_that_said_bye);
  tcase_add_test (tc, a_source_without_stamps_does_not_take_over);
  return s;
}

GST_CHECK_MAIN (receive);
