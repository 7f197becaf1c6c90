/* gst-tfrc tests: rtptfrcsend: the stamp in the packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/stampedpacket.h"
#include "send.h"

#include <string.h>

static gsize
add_element (GstBuffer * buffer, gboolean two_bytes, guint id,
    const gchar * text)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  if (two_bytes)
    fail_unless (gst_rtp_buffer_add_extension_twobytes_header (&rtp, 5, id,
            text, strlen (text)));
  else
    fail_unless (gst_rtp_buffer_add_extension_onebyte_header (&rtp, id, text,
            strlen (text)));
  gst_rtp_buffer_unmap (&rtp);
  return gst_buffer_get_size (buffer);
}

static void
check_element (GstBuffer * buffer, gboolean two_bytes, guint id,
    const gchar * text)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;
  guint8 bits = 0;

  gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);
  if (two_bytes)
    fail_unless (gst_rtp_buffer_get_extension_twobytes_header (&rtp, &bits, id,
            0, &data, &size) && bits == 5);
  else
    fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, id, 0,
            &data, &size));
  fail_unless (size == strlen (text) && memcmp (data, text, size) == 0);
  gst_rtp_buffer_unmap (&rtp);
}

GST_START_TEST (reserved_bytes_are_filled_in_place)
{
  Filter f;
  GstBuffer *buffer;
  gsize size;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  buffer = filter_new_stamped (&f, 100, 0, 0);
  size = add_element (buffer, FALSE, 7, "other");
  buffer = send_pass (&f, buffer);
  fail_unless_equals_int (gst_buffer_get_size (buffer), size);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, FALSE, 7, "other");
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (reserved_bytes_are_filled_in_whatever_memory_they_are)
{
  static const gsize splits[] = { 8, 18, 20, 24, 100 };
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  for (i = 0; i <= G_N_ELEMENTS (splits); i++) {
    GstBuffer *whole = filter_new_stamped (&f, 148, 1, 2), *buffer;
    gsize size = gst_buffer_get_size (whole);

    gst_buffer_replace_all_memory (whole, gst_buffer_get_all_memory (whole));
    buffer = i == G_N_ELEMENTS (splits) ? gst_buffer_copy_deep (whole) :
        gst_buffer_append (gst_buffer_copy_region (whole, GST_BUFFER_COPY_ALL,
            0, splits[i]), gst_buffer_copy_region (whole,
            GST_BUFFER_COPY_MEMORY, splits[i], -1));
    gst_buffer_unref (whole);
    fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
    buffer = gst_buffer_make_writable (filter_take (&f));
    gst_buffer_replace_all_memory (buffer, gst_buffer_get_all_memory (buffer));
    fail_unless_equals_int (gst_buffer_get_size (buffer), size);
    fail_unless_equals_int (packet_get_seq (buffer), (guint16) (f.seq - 1));
    fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us,
        R / GST_USECOND);
    gst_buffer_unref (buffer);
    filter_advance (&f, FRAME);
  }
  filter_stop (&f);
}

GST_END_TEST;

/* In one memory and in two: the sequence number and the stamp are written, and nothing else. */
GST_START_TEST (a_packet_departs_under_its_number)
{
  static const TfrcStamp stamp = { 123456, 7654321 };
  guint parts;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  for (parts = 1; parts <= 2; parts++) {
    GstBuffer *buffer = filter_new_stamped (&f, 148, 1, 2);
    GstTfrcStampedPacket packet;
    guint8 before[200], after[200];
    gsize size;

    gst_buffer_replace_all_memory (buffer, gst_buffer_get_all_memory (buffer));
    size = gst_buffer_extract (buffer, 0, before, sizeof before);
    if (parts == 2)
      buffer = gst_buffer_append (buffer, gst_buffer_new_and_alloc (8));
    fail_unless (gst_tfrc_stamped_packet_parse (&packet, buffer, STAMP_ID));
    buffer = gst_tfrc_stamped_packet_depart (&packet, buffer, 0xabcd, &stamp);
    fail_unless_equals_int (gst_buffer_n_memory (buffer), parts);
    fail_unless_equals_int (packet_get_seq (buffer), 0xabcd);
    fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us,
        stamp.rtt_us);
    fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).t_i_us,
        stamp.t_i_us);
    fail_unless_equals_int (gst_buffer_extract (buffer, 0, after, size), size);
    memcpy (before + 2, after + 2, 2);
    memcpy (before + packet.stamp_offset, after + packet.stamp_offset,
        TFRC_STAMP_SIZE);
    fail_unless (memcmp (before, after, size) == 0);
    gst_buffer_unref (buffer);
  }
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (what_others_hold_as_well_is_not_written_to)
{
  Filter f;
  GstBuffer *whole, *shared, *copy, *buffer;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  whole = filter_new_stamped (&f, 148, 1, 2);
  gst_buffer_replace_all_memory (whole, gst_buffer_get_all_memory (whole));
  copy = gst_buffer_copy_deep (whole);
  /* another buffer, the same memory */
  shared = gst_buffer_copy (whole);
  fail_unless_equals_int (gst_harness_push (f.h, shared), GST_FLOW_OK);
  buffer = filter_take (&f);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us,
      R / GST_USECOND);
  gst_buffer_unref (buffer);
  fail_unless_equals_int (packet_get_stamp (whole, STAMP_ID).rtt_us, 1);
  fail_unless_equals_int (packet_get_seq (whole), packet_get_seq (copy));
  gst_buffer_unref (whole);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_missing_extension_is_added)
{
  Filter f;
  GstBuffer *buffer, *in;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *payload;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  in = filter_new_packet (&f, 100);
  buffer = send_pass (&f, in);
  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 12 + 100);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 100);
  payload = gst_rtp_buffer_get_payload (&rtp);
  fail_unless (payload[0] == (65531 & 255) && payload[99] == (65531 & 255));
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_stamp_joins_the_extensions_of_the_packet)
{
  Filter f;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  buffer = filter_new_packet (&f, 100);
  add_element (buffer, FALSE, 7, "one-byte");
  buffer = send_pass (&f, buffer);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, FALSE, 7, "one-byte");
  gst_buffer_unref (buffer);

  buffer = filter_new_packet (&f, 100);
  add_element (buffer, TRUE, 200, "two-byte");
  buffer = send_pass (&f, buffer);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, TRUE, 200, "two-byte");
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (filter_get_stat (&f, "unstamped"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_extension_of_another_kind_is_left_alone)
{
  Filter f;
  GstBuffer *buffer, *copy;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstMapInfo map;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  buffer = filter_new_packet (&f, 100);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_extension_data (&rtp, 0xABAC, 3);
  gst_rtp_buffer_unmap (&rtp);
  copy = gst_buffer_copy_deep (buffer);
  buffer = send_pass (&f, buffer);
  gst_buffer_map (copy, &map, GST_MAP_READ);
  gst_check_buffer_data (buffer, map.data, map.size);
  gst_buffer_unmap (copy, &map);
  fail_unless_equals_uint64 (filter_get_stat (&f, "unstamped"), 1);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_id_is_that_of_the_caps)
{
  Filter f;
  GstCaps *caps;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend");
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "extmap-3"), TFRC_STAMP_URI);
  gst_caps_unref (caps);

  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)96, "
      "clock-rate=(int)48000, media=(string)audio, encoding-name=(string)OPUS, "
      "extmap-4=(string)urn:ietf:params:rtp-hdrext:ssrc-audio-level, "
      "extmap-20=(string)" TFRC_STAMP_URI);
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  fail_if (gst_structure_has_field (gst_caps_get_structure (caps, 0),
          "extmap-3"));
  gst_caps_unref (caps);
  buffer = send_pass (&f, filter_new_packet (&f, 100));
  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 16 + 100);
  packet_get_stamp (buffer, 20);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

/* The packet has no room yet: another header, or a longer block, is that of one holder alone. */
GST_START_TEST (who_else_holds_a_packet_without_room_sees_no_change)
{
  GstBuffer *mine, *copy, *buffer;
  GstMapInfo map;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  mine = filter_new_packet (&f, 100);
  if (__i__ > 0)
    add_element (mine, __i__ == 2, 7, "element");
  copy = gst_buffer_copy_deep (mine);
  buffer = send_pass (&f, gst_buffer_ref (mine));
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  fail_unless (gst_buffer_get_size (buffer) > gst_buffer_get_size (mine));
  gst_buffer_map (copy, &map, GST_MAP_READ);
  gst_check_buffer_data (mine, map.data, map.size);
  gst_buffer_unmap (copy, &map);
  gst_buffer_unref (buffer);
  gst_buffer_unref (mine);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (who_else_holds_the_packet_sees_no_change)
{
  Filter f;
  GstBuffer *mine, *copy, *buffer;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  f.seq = 5;
  mine = filter_new_stamped (&f, 100, 0, 0);
  copy = gst_buffer_copy_deep (mine);
  buffer = send_pass (&f, gst_buffer_ref (mine));
  fail_unless_equals_int (packet_get_seq (buffer), 65531);
  fail_unless_equals_int (packet_get_seq (mine), 5);
  fail_unless_equals_int (packet_get_stamp (mine, STAMP_ID).rtt_us, 0);
  gst_buffer_unref (buffer);
  gst_buffer_unref (mine);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_stamp_is_the_time_at_which_the_packet_leaves_encryption)
{
  Filter f;
  TfrcStamp stamp;
  guint32 t_i;
  GstClockTime time;

  /* K9: nothing queues behind the stamp; SRTP leaves the extension readable */
  filter_start (&f, "rtptfrcsend mode=tfrc-sp ! srtpenc random-key=true");
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)96, "
      "clock-rate=(int)48000, media=(string)audio, ssrc=(uint)572662306");
  send_open_path (&f);
  time = gst_clock_get_time (GST_CLOCK (f.clock));
  filter_push (&f, 148);
  filter_push (&f, 148);
  t_i = filter_take_stamp (&f).t_i_us;
  /* it waits 10 ms, and its stamp says so */
  time = filter_crank (&f) - time;
  stamp = filter_pull_stamp (&f);
  fail_unless_equals_uint64 (time, 10 * GST_MSECOND);
  fail_unless_equals_int (stamp.t_i_us - t_i, time / GST_USECOND);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
send_stamp_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, stamp");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, reserved_bytes_are_filled_in_place);
  tcase_add_test (tc, reserved_bytes_are_filled_in_whatever_memory_they_are);
  tcase_add_test (tc, a_packet_departs_under_its_number);
  tcase_add_test (tc, what_others_hold_as_well_is_not_written_to);
  tcase_add_test (tc, a_missing_extension_is_added);
  tcase_add_test (tc, the_stamp_joins_the_extensions_of_the_packet);
  tcase_add_test (tc, an_extension_of_another_kind_is_left_alone);
  tcase_add_test (tc, the_id_is_that_of_the_caps);
  tcase_add_test (tc, who_else_holds_the_packet_sees_no_change);
  tcase_add_loop_test (tc,
      who_else_holds_a_packet_without_room_sees_no_change, 0, 3);
  tcase_add_test (tc,
      the_stamp_is_the_time_at_which_the_packet_leaves_encryption);
  return s;
}

GST_CHECK_MAIN (send_stamp);
