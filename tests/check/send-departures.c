/* gst-tfrc tests: rtptfrcsend: which packets leave and when, and the threads
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/encoderpacketsevent.h"
#include "send.h"
#include "settle.h"

/* --- when packets leave --- */

GST_START_TEST (a_packet_that_may_leave_passes_at_once)
{
  Filter f;
  guint i;
  TfrcStamp last = { 0, }, stamp;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  for (i = 0; i < 20; i++) {
    filter_push (&f, 148);
    stamp = filter_take_stamp (&f);
    fail_unless_equals_int (stamp.rtt_us, R / GST_USECOND);
    if (i > 0)
      fail_unless_equals_int (stamp.t_i_us - last.t_i_us, FRAME / GST_USECOND);
    last = stamp;
    filter_advance (&f, FRAME);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "waited-packets"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 21);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (before_the_first_report_one_packet_leaves_in_a_second)
{
  Filter f;
  GstClockTime time;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_expect_nothing (&f);
  time = filter_next_wait (&f);
  NEAR (time, T0 + GST_SECOND, EARLY);
  fail_unless (time <= T0 + GST_SECOND);
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_rtt_that_is_known_lets_packets_leave_before_the_first_report)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend initial-rtt=50000000");
  for (i = 0; i < 20; i++) {
    filter_push (&f, 148);
    gst_buffer_unref (filter_take (&f));
    filter_advance (&f, FRAME);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "waited-packets"), 0);
  fail_unless (filter_get_rate (&f, "R") == 0.05);
  filter_stop (&f);
}

GST_END_TEST;

/* Four of the largest packets, of which the encoder says that they have 400 bytes, in 100 ms: 16000 bytes/s. Eight
 * packets of 148 bytes have departed then; four of these in 100 ms would leave half of them waiting. */
GST_START_TEST (the_first_packets_depart_as_their_encoder_says)
{
  const GstTfrcEncoderPackets packets = { .largest = 400 };
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc initial-rtt=100000000");
  gst_harness_push_event (f.h, gst_tfrc_encoder_packets_event_new (&packets));
  for (i = 0; i < 8; i++)
    filter_push (&f, 148);
  filter_advance (&f, 100 * GST_MSECOND);
  for (i = 0; i < 8; i++)
    gst_buffer_unref (filter_take (&f));
  fail_unless_equals_float (filter_get_rate (&f, "R"), 0.1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_limited_flow_leaves_at_the_allowed_rate)
{
  Filter f;
  GstClockTime start, time = 0, before;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc max-queue-time=0");
  send_open_path (&f);
  /* one R of credit is W_init; what is beyond it leaves 172 / 43800 s apart */
  for (i = 0; i < 80; i++)
    filter_push (&f, 148);
  before = gst_harness_buffers_in_queue (f.h);
  fail_unless (before >= 2
      && before * 172 <= 4380 + 1124, "%u", (guint) before);
  start = filter_next_wait (&f);
  for (i = send_count_left (&f); i > 0; i--) {
    time = filter_crank (&f);
    while (send_count_left (&f) == i)
      filter_settle (&f);
  }
  fail_unless_equals_int (gst_harness_buffers_in_queue (f.h), 80);
  NEAR (time - start, (80 - before - 1) * 172 * GST_SECOND / 43800,
      5 * GST_MSECOND);
  for (i = 0; i < 80; i++) {
    GstBuffer *buffer = filter_take (&f);

    fail_unless_equals_int (packet_get_seq (buffer), (guint16) (65531 + i));
    fail_unless_equals_int (packet_get_timestamp (buffer),
        (guint16) (65531 + i) * 960u);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "waited-packets"),
      80 - before);
  fail_unless_equals_uint64 (filter_get_stat (&f, "departure-error-max"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (small_packets_leave_ten_milliseconds_apart)
{
  Filter f;
  GstClockTime start, time;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  start = gst_clock_get_time (GST_CLOCK (f.clock));
  filter_push (&f, 148);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_expect_nothing (&f);
  time = filter_crank (&f);
  fail_unless_equals_uint64 (time, start + 10 * GST_MSECOND);
  gst_buffer_unref (gst_harness_pull (f.h));
  time = filter_crank (&f);
  fail_unless_equals_uint64 (time, start + 20 * GST_MSECOND);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_report_that_opens_the_path_lets_what_waits_leave)
{
  Filter f;
  TfrcStamp stamp;

  filter_start (&f, "rtptfrcsend");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_push (&f, 148);
  filter_expect_nothing (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us, 0, 0, 0);
  /* without a second's wait, and with R in it */
  stamp = filter_pull_stamp (&f);
  fail_unless_equals_int (stamp.rtt_us, R / GST_USECOND);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_exchanged_clock_is_no_jump)
{
  Filter f;
  TfrcStamp before, after;
  GstClock *other = gst_test_clock_new_with_start_time (7 * GST_SECOND);

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  filter_push (&f, 148);
  before = filter_take_stamp (&f);
  gst_element_set_clock (f.element, other);
  gst_test_clock_advance_time (GST_TEST_CLOCK (other), FRAME);
  filter_push (&f, 148);
  after = filter_take_stamp (&f);
  fail_unless_equals_int (after.t_i_us - before.t_i_us, FRAME / GST_USECOND);
  fail_unless_equals_uint64 (filter_get_stat (&f, "clock-steps"), 0);
  filter_stop (&f);
  gst_object_unref (other);
}

GST_END_TEST;

/* --- what does not leave --- */

GST_START_TEST (the_oldest_are_dropped_and_leave_no_gap)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend max-queue-packets=3 max-queue-time=0");
  for (i = 0; i < 10; i++)
    filter_push (&f, 148);
  /* 65530 left at once; of 65531 .. 65535, 0 .. 3 the last three wait */
  send_check_order (&f, 65530, 65530);
  filter_expect_nothing (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-full"), 6);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 6);
  fail_unless_equals_int (send_count_left (&f), 3);
  filter_crank (&f);
  send_check_order (&f, 65531, 1);
  filter_stop (&f);
}

GST_END_TEST;

/* `wanted` is the wish of the encoder, 0: it has none. */
static void
check_queue_time (const gchar * line, GstClockTime wanted, GstClockTime time)
{
  const GstTfrcEncoderPackets packets = { .queue_time = wanted };
  Filter f;

  filter_start (&f, line);
  if (wanted > 0)
    gst_harness_push_event (f.h, gst_tfrc_encoder_packets_event_new (&packets));
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_push (&f, 148);
  filter_advance (&f, 60 * GST_MSECOND);
  filter_push (&f, 148);
  fail_unless_equals_int (send_count_left (&f), 2);
  /* it is the queue that wakes up for that, not the next packet */
  NEAR (filter_next_wait (&f), T0 + time, 1);
  filter_crank (&f);
  while (send_count_left (&f) == 2)
    filter_settle (&f);
  fail_unless_equals_int (send_count_left (&f), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"), 1);
  filter_expect_nothing (&f);
  filter_stop (&f);
}

GST_START_TEST (what_waits_too_long_is_dropped)
{
  check_queue_time ("rtptfrcsend max-queue-time=120000000", 0,
      120 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (speech_waits_half_as_long_as_pictures)
{
  check_queue_time ("rtptfrcsend mode=tfrc-sp", 0, 100 * GST_MSECOND);
  check_queue_time ("rtptfrcsend mode=tfrc", 0, 200 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (speech_waits_as_long_as_its_encoder_says)
{
  check_queue_time ("rtptfrcsend mode=tfrc-sp", 240 * GST_MSECOND,
      240 * GST_MSECOND);
  check_queue_time ("rtptfrcsend mode=tfrc", 240 * GST_MSECOND,
      200 * GST_MSECOND);
  check_queue_time ("rtptfrcsend mode=tfrc-sp max-queue-time=120000000",
      240 * GST_MSECOND, 120 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (what_is_no_rtp_packet_is_dropped_and_counted)
{
  Filter f;
  guint8 version_1[12] = { 0x40, 96, };
  guint8 lying_extension[16] = { 0x90, 96, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4,
    0xbe, 0xde, 0x40, 0x00
  };

  filter_start (&f, "rtptfrcsend");
  gst_harness_push (f.h, gst_buffer_new ());
  gst_harness_push (f.h, gst_buffer_new_memdup ("short", 5));
  gst_harness_push (f.h, gst_buffer_new_memdup (version_1, 12));
  gst_harness_push (f.h, gst_buffer_new_memdup (lying_extension, 16));
  filter_expect_nothing (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "not-rtp"), 4);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (gaps_and_repetitions_of_upstream_are_renumbered)
{
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  send_open_path (&f);
  f.seq = 1000;
  filter_push (&f, 148);
  f.seq = 1000;
  filter_push (&f, 148);
  f.seq = 900;
  filter_push (&f, 148);
  send_check_order (&f, 65531, 1000);
  send_check_order (&f, 65532, 1000);
  send_check_order (&f, 65533, 900);
  filter_stop (&f);
}

GST_END_TEST;

/* --- lists --- */

static GstPadProbeReturn
count_lists (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  guint *lengths = data;

  lengths[0]++;
  lengths[1] += gst_buffer_list_length (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (a_list_that_is_due_leaves_as_a_list)
{
  Filter f;
  GstPad *pad;
  guint lengths[2] = { 0, 0 };
  GstBufferList *list = gst_buffer_list_new ();
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc");
  send_open_path (&f);
  /* ten packets in one R are well within X, as a frame of video would be */
  filter_advance (&f, R);
  pad = gst_element_get_static_pad (f.element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER_LIST, count_lists, lengths,
      NULL);
  gst_object_unref (pad);
  for (i = 0; i < 10; i++)
    gst_buffer_list_add (list, filter_new_packet (&f, 148));
  fail_unless_equals_int (gst_pad_push_list (f.h->srcpad, list), GST_FLOW_OK);
  fail_unless_equals_int (lengths[0], 1);
  fail_unless_equals_int (lengths[1], 10);
  for (i = 0; i < 10; i++)
    send_check_order (&f, 65531 + i, 65531 + i);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_list_over_the_limit_leaves_in_parts)
{
  Filter f;
  GstBufferList *list = gst_buffer_list_new ();
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  for (i = 0; i < 3; i++)
    gst_buffer_list_add (list, filter_new_packet (&f, 148));
  fail_unless_equals_int (gst_pad_push_list (f.h->srcpad, list), GST_FLOW_OK);
  send_check_order (&f, 65531, 65531);
  filter_expect_nothing (&f);
  fail_unless_equals_int (send_count_left (&f), 2);
  filter_crank (&f);
  send_check_order (&f, 65532, 65532);
  filter_expect_nothing (&f);
  filter_crank (&f);
  send_check_order (&f, 65533, 65533);
  filter_stop (&f);
}

GST_END_TEST;

/* --- threads --- */

static guint
count_threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", name), *comm;

    if (g_file_get_contents (path, &comm, NULL, NULL)) {
      n += g_str_has_prefix (comm, "tfrc-departures");
      g_free (comm);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}

/* A thread takes its name a little after its start, and leaves it after its end. */
static void
expect_threads (guint n)
{
  settle ();
  fail_unless_equals_int (count_threads (), n);
}

static void
check_threads (const gchar * line, guint idle, guint busy)
{
  Filter f[4];
  guint i;

  for (i = 0; i < 4; i++) {
    filter_start (&f[i], line);
    /* a clock of its own is a scheduler of its own */
    gst_element_set_clock (f[i].element, GST_CLOCK (f[0].clock));
    filter_push (&f[i], 148);
  }
  expect_threads (idle);
  for (i = 0; i < 4; i++)
    filter_push (&f[i], 148);
  expect_threads (busy);
  for (i = 0; i < 4; i++)
    filter_stop (&f[3 - i]);
  expect_threads (0);
}

GST_START_TEST (flows_that_do_not_wait_have_no_thread)
{
  check_threads ("rtptfrcsend", 0, 4);
}

GST_END_TEST;

GST_START_TEST (flows_of_one_context_share_a_thread)
{
  check_threads ("rtptfrcsend context=shared", 0, 1);
}

GST_END_TEST;

static Suite *
send_departures_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, departures");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, a_packet_that_may_leave_passes_at_once);
  tcase_add_test (tc, before_the_first_report_one_packet_leaves_in_a_second);
  tcase_add_test (tc,
      an_rtt_that_is_known_lets_packets_leave_before_the_first_report);
  tcase_add_test (tc, the_first_packets_depart_as_their_encoder_says);
  tcase_add_test (tc, a_limited_flow_leaves_at_the_allowed_rate);
  tcase_add_test (tc, small_packets_leave_ten_milliseconds_apart);
  tcase_add_test (tc, a_report_that_opens_the_path_lets_what_waits_leave);
  tcase_add_test (tc, an_exchanged_clock_is_no_jump);
  tcase_add_test (tc, the_oldest_are_dropped_and_leave_no_gap);
  tcase_add_test (tc, what_waits_too_long_is_dropped);
  tcase_add_test (tc, speech_waits_half_as_long_as_pictures);
  tcase_add_test (tc, speech_waits_as_long_as_its_encoder_says);
  tcase_add_test (tc, what_is_no_rtp_packet_is_dropped_and_counted);
  tcase_add_test (tc, gaps_and_repetitions_of_upstream_are_renumbered);
  tcase_add_test (tc, a_list_that_is_due_leaves_as_a_list);
  tcase_add_test (tc, a_list_over_the_limit_leaves_in_parts);
  tcase_add_test (tc, flows_that_do_not_wait_have_no_thread);
  tcase_add_test (tc, flows_of_one_context_share_a_thread);
  return s;
}

GST_CHECK_MAIN (send_departures);
