/* gst-tfrc tests: rtptfrcsend: events, queries and states
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"

static GstEvent *
pull_event (Filter * f, const gchar * name)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (f->h)) != NULL) {
    if (g_str_equal (GST_EVENT_TYPE_NAME (event), name))
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

GST_START_TEST (eos_follows_the_last_packet)
{
  Filter f;
  GstEvent *event;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  for (i = 0; i < 3; i++)
    filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 9)),
      GST_FLOW_EOS);
  for (i = 0; i < 2; i++) {
    gst_buffer_unref (gst_harness_pull (f.h));
    fail_unless (pull_event (&f, "eos") == NULL);
    filter_crank (&f);
  }
  gst_buffer_unref (gst_harness_pull (f.h));
  while (send_count_left (&f) > 0 || !GST_PAD_IS_EOS (f.h->sinkpad))
    filter_settle (&f);
  event = pull_event (&f, "eos");
  fail_unless (event != NULL);
  gst_event_unref (event);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (eos_does_not_wait_for_what_would_be_dropped)
{
  Filter f;

  /* 1 packet a second: the second would leave after its 200 ms are over */
  filter_start (&f, "rtptfrcsend");
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  NEAR (filter_crank (&f), T0 + 200 * GST_MSECOND, 1);
  while (!GST_PAD_IS_EOS (f.h->sinkpad))
    filter_settle (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"), 1);
  filter_stop (&f);
}

GST_END_TEST;

/* Of the caps that hold downstream. */
static const gchar *
get_encoding (Filter * f)
{
  GstCaps *caps = gst_pad_get_current_caps (f->h->sinkpad);
  const gchar *name = g_intern_string (gst_structure_get_string
      (gst_caps_get_structure (caps, 0), "encoding-name"));

  gst_caps_unref (caps);
  return name;
}

GST_START_TEST (events_keep_their_place_among_packets)
{
  Filter f;
  GstEvent *event;
  GstCaps *caps = gst_caps_from_string ("application/x-rtp, payload=(int)97, "
      "media=(string)audio, clock-rate=(int)8000, encoding-name=(string)PCMU");

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  fail_unless_equals_string (get_encoding (&f), "OPUS");
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  fail_unless_equals_string (get_encoding (&f), "PCMU");
  event = pull_event (&f, "caps");
  fail_unless (event != NULL);
  gst_event_unref (event);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_flush_empties_the_queue_and_the_flow_goes_on)
{
  Filter f;
  GstSegment segment;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 9)),
      GST_FLOW_FLUSHING);
  gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_int (send_count_left (&f), 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f.h, gst_event_new_segment (&segment));
  filter_advance (&f, FRAME);
  filter_push (&f, 148);
  /* neither the flushed packet nor the refused one took a number */
  send_check_order (&f, 65532, f.seq - 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_stopped_element_starts_anew)
{
  Filter f;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  filter_push (&f, 148);
  gst_element_set_state (f.h->element, GST_STATE_READY);
  gst_element_set_state (f.h->element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_new_ssrc_is_a_slow_start)
{
  Filter f;
  GstBuffer *buffer;
  GstStructure *rate;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  f.ssrc = OTHER_SSRC;
  f.seq = 77;
  buffer = send_pass (&f, filter_new_packet (&f, 148));
  fail_unless_equals_int (packet_get_seq (buffer), 77);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 0);
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 1);
  fail_unless (filter_get_rate (&f, "X") < 1200);
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "restart");
  fail_unless_equals_int (rate_get_uint (rate, "ssrc"), OTHER_SSRC);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_most_latency_is_that_of_the_queue)
{
  Filter f;
  GstClockTime min, max;
  gboolean live;
  GstQuery *query = gst_query_new_latency ();

  filter_start (&f, "rtptfrcsend max-queue-time=150000000");
  gst_harness_set_upstream_latency (f.h, 20 * GST_MSECOND);
  fail_unless (gst_pad_peer_query (f.h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless (max == GST_CLOCK_TIME_NONE || max == 170 * GST_MSECOND);
  gst_query_unref (query);
  filter_stop (&f);
}

GST_END_TEST;

static gpointer
push_at_one_second (gpointer data)
{
  Filter *f = data;
  GstBuffer *buffer = filter_new_packet (f, 148);

  GST_BUFFER_PTS (buffer) = GST_SECOND;
  return GINT_TO_POINTER (gst_harness_push (f->h, buffer));
}

GST_START_TEST (sync_waits_for_the_running_time)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  fail_unless_equals_uint64 (filter_crank_alone (&f), T0 + GST_SECOND);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_OK);
  gst_buffer_unref (filter_take (&f));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_flush_ends_the_wait_of_sync)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  gst_test_clock_wait_for_next_pending_id (f.clock, NULL);
  filter_expect_nothing (&f);
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
send_events_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend, events");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, eos_follows_the_last_packet);
  tcase_add_test (tc, eos_does_not_wait_for_what_would_be_dropped);
  tcase_add_test (tc, events_keep_their_place_among_packets);
  tcase_add_test (tc, a_flush_empties_the_queue_and_the_flow_goes_on);
  tcase_add_test (tc, a_stopped_element_starts_anew);
  tcase_add_test (tc, a_new_ssrc_is_a_slow_start);
  tcase_add_test (tc, the_most_latency_is_that_of_the_queue);
  tcase_add_test (tc, sync_waits_for_the_running_time);
  tcase_add_test (tc, a_flush_ends_the_wait_of_sync);
  return s;
}

GST_CHECK_MAIN (send_events);
