/* gst-tfrc tests: rtptfrcsend: events, queries and states
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"
#include "settle.h"

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
  filter_start (&f, "rtptfrcsend mode=tfrc");
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

static void
wait_for_eos (Filter * f)
{
  while (!GST_PAD_IS_EOS (f->h->sinkpad))
    filter_settle (f);
}

static void
check_eos_without_reports (const gchar * line)
{
  Filter f;

  /* one packet leaves at once, the second would after a second */
  filter_start (&f, line);
  filter_push (&f, 148);
  filter_push (&f, 148);
  filter_push (&f, 148);
  filter_advance (&f, 100 * GST_MSECOND);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  fail_if (GST_PAD_IS_EOS (f.h->sinkpad));
  NEAR (filter_crank (&f), T0 + 600 * GST_MSECOND, 1);
  wait_for_eos (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"), 2);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 2);
  filter_stop (&f);
}

GST_START_TEST (eos_does_not_wait_for_a_receiver_that_is_not_there)
{
  check_eos_without_reports ("rtptfrcsend max-queue-time=0");
  check_eos_without_reports ("rtptfrcsend max-queue-time=0 mode=tfrc-sp");
  check_eos_without_reports ("rtptfrcsend max-queue-time=3600000000000");
}

GST_END_TEST;

#define DRAIN_PACKETS 300

/* Takes what has left. Every R a report comes, on a packet that left an R ago. */
static void
take_and_report (Filter * f, gboolean report, TfrcStamp * reported,
    GstClockTime * sent)
{
  GstClockTime now = gst_clock_get_time (GST_CLOCK (f->clock));
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (f->h)) != NULL) {
    if (*sent == GST_CLOCK_TIME_NONE) {
      *reported = packet_get_stamp (buffer, STAMP_ID);
      *sent = now;
    }
    gst_buffer_unref (buffer);
  }
  if (!report || *sent == GST_CLOCK_TIME_NONE || now < *sent + R)
    return;
  /* X_recv is half of 43800 bytes/s, so X stays what it is */
  filter_report (f, reported->t_i_us, (now - *sent - R) / GST_USECOND, 21900,
      0);
  *sent = GST_CLOCK_TIME_NONE;
}

/* One packet and the report on it, a round-trip time of `rtt` later. */
static void
open_path (Filter * f, GstClockTime rtt)
{
  TfrcStamp stamp;

  filter_push (f, 1100);
  stamp = filter_take_stamp (f);
  filter_advance (f, rtt);
  filter_report (f, stamp.t_i_us, 0, 0, 0);
  NEAR (filter_get_rate (f, "X"), 4380 * GST_SECOND / rtt, 1);
}

/* DRAIN_PACKETS packets and EOS at X = 4380 bytes per round-trip time: the packets need
 * more than eleven. Returns how many of them departed, and how long EOS waited. */
static guint
drain (GstClockTime rtt, gboolean report, GstClockTime * duration)
{
  Filter f;
  TfrcStamp reported;
  GstClockTime start, sent = GST_CLOCK_TIME_NONE;
  guint i, packets;

  filter_start (&f, "rtptfrcsend mode=tfrc max-queue-time=0");
  open_path (&f, rtt);
  start = gst_clock_get_time (GST_CLOCK (f.clock));
  for (i = 0; i < DRAIN_PACKETS; i++)
    filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  while (!GST_PAD_IS_EOS (f.h->sinkpad)) {
    guint left = send_count_left (&f);

    filter_crank (&f);
    for (i = 0; i < 50 && send_count_left (&f) == left; i++)
      filter_settle (&f);
    take_and_report (&f, report, &reported, &sent);
    if (send_count_left (&f) == 0)
      wait_for_eos (&f);
  }
  *duration = gst_clock_get_time (GST_CLOCK (f.clock)) - start;
  packets = filter_get_stat (&f, "packets") - 1;        /* that opened the path */
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"),
      DRAIN_PACKETS - packets);
  filter_stop (&f);
  return packets;
}

GST_START_TEST (the_queue_drains_before_eos_while_reports_come)
{
  GstClockTime duration;

  fail_unless_equals_int (drain (R, TRUE, &duration), DRAIN_PACKETS);
  fail_unless (duration > 800 * GST_MSECOND && duration < 2 * GST_SECOND,
      "%" G_GUINT64_FORMAT, duration);
}

GST_END_TEST;

GST_START_TEST (the_queue_does_not_drain_for_long_when_reports_cease)
{
  static const struct
  {
    GstClockTime rtt, patience;
  } paths[] = {
    {100 * GST_MSECOND, 500 * GST_MSECOND},
    {300 * GST_MSECOND, 1200 * GST_MSECOND},
    {2 * GST_SECOND, 4 * GST_SECOND},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (paths); i++) {
    GstClockTime duration;
    guint packets = drain (paths[i].rtt, FALSE, &duration);

    fail_unless (packets > 50 && packets < 200, "%u", packets);
    NEAR (duration, paths[i].patience, GST_MSECOND);
  }
}

GST_END_TEST;

/* The limit is for the queue at EOS; after a flush the flow has none again. */
GST_START_TEST (a_flush_ends_the_limit_of_eos)
{
  Filter f;
  GstSegment segment;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f.h, gst_event_new_segment (&segment));
  filter_push (&f, 148);
  NEAR (filter_crank (&f), T0 + GST_SECOND, EARLY);
  gst_buffer_unref (gst_harness_pull (f.h));
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 0);
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
  /* the properties are those of the first SSRC until it is silent */
  filter_advance (&f, 501 * GST_MSECOND);
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
      "start");
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
  GstClockID id;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  gst_test_clock_wait_for_next_pending_id (f.clock, &id);
  fail_unless_equals_uint64 (filter_crank_alone (&f), T0 + GST_SECOND);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_OK);
  gst_buffer_unref (filter_take (&f));
  /* the wait is over: nothing touches it any more */
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_if (GST_CLOCK_ENTRY_STATUS ((GstClockEntry *) id) ==
      GST_CLOCK_UNSCHEDULED);
  gst_clock_id_unref (id);
  filter_stop (&f);
}

GST_END_TEST;

/* It waits on while the pipeline is paused, and by the base time that it has afterwards. */
GST_START_TEST (sync_waits_again_after_a_pause)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  gst_test_clock_wait_for_next_pending_id (f.clock, NULL);
  gst_element_set_state (f.element, GST_STATE_PAUSED);
  settle ();
  fail_unless_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  filter_advance (&f, 5 * GST_SECOND);
  settle ();
  filter_expect_nothing (&f);
  gst_element_set_base_time (f.element, T0 + 5 * GST_SECOND);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (filter_crank_alone (&f), T0 + 6 * GST_SECOND);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_OK);
  gst_buffer_unref (filter_take (&f));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_stop_ends_the_wait_of_sync)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  gst_test_clock_wait_for_next_pending_id (f.clock, NULL);
  gst_element_set_state (f.element, GST_STATE_READY);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  filter_expect_nothing (&f);
  filter_stop (&f);
}

GST_END_TEST;

/* What has no time, or whose time is past, does not wait. */
GST_START_TEST (sync_does_not_wait_for_what_has_no_time)
{
  Filter f;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  filter_push (&f, 100);
  gst_buffer_unref (filter_take (&f));
  filter_advance (&f, 2 * GST_SECOND);
  buffer = filter_new_packet (&f, 100);
  GST_BUFFER_PTS (buffer) = 2 * GST_SECOND;
  gst_harness_push (f.h, buffer);
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

/* An application links anew what is behind the filter, and a packet comes meanwhile. */
GST_START_TEST (packets_pass_again_when_the_pad_is_linked_again)
{
  Filter f;
  GstPad *src, *sink;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  send_open_path (&f);
  sink = f.h->sinkpad;
  src = gst_pad_get_peer (sink);
  fail_unless (gst_pad_unlink (src, sink));
  filter_advance (&f, FRAME);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 148)),
      GST_FLOW_NOT_LINKED);
  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
  gst_object_unref (src);
  filter_advance (&f, FRAME);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 148)),
      GST_FLOW_OK);
  gst_buffer_unref (filter_take (&f));
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
  tcase_add_test (tc, eos_does_not_wait_for_a_receiver_that_is_not_there);
  tcase_add_test (tc, the_queue_drains_before_eos_while_reports_come);
  tcase_add_test (tc, the_queue_does_not_drain_for_long_when_reports_cease);
  tcase_add_test (tc, a_flush_ends_the_limit_of_eos);
  tcase_add_test (tc, events_keep_their_place_among_packets);
  tcase_add_test (tc, a_flush_empties_the_queue_and_the_flow_goes_on);
  tcase_add_test (tc, packets_pass_again_when_the_pad_is_linked_again);
  tcase_add_test (tc, a_stopped_element_starts_anew);
  tcase_add_test (tc, a_new_ssrc_is_a_slow_start);
  tcase_add_test (tc, the_most_latency_is_that_of_the_queue);
  tcase_add_test (tc, sync_waits_for_the_running_time);
  tcase_add_test (tc, sync_waits_again_after_a_pause);
  tcase_add_test (tc, a_stop_ends_the_wait_of_sync);
  tcase_add_test (tc, sync_does_not_wait_for_what_has_no_time);
  tcase_add_test (tc, a_flush_ends_the_wait_of_sync);
  return s;
}

GST_CHECK_MAIN (send_events);
