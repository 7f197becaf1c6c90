/* gst-tfrc tests: the begin and the end of streams of the element tfrcbin, and seeks in them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"
#include "settle.h"

static CallEnd a, b;

#define STUCK_PEERS 10

/* A stream of this group begins at the pad of a peer. Returns the number of the event. */
static guint32
begin_stream (CallEnd * end, guint id, guint group)
{
  GstEvent *event = gst_event_new_stream_start ("again");
  guint32 seqnum = gst_event_get_seqnum (event);

  if (group != 0)
    gst_event_set_group_id (event, group);
  fail_unless (gst_pad_push_event (call_end_get_feeder (end, id), event));
  return seqnum;
}

#define expect_starts(n, group) G_STMT_START { \
    fail_unless_equals_int (a.stream_starts, n); \
    fail_unless_equals_int (a.stream_group, group); \
  } G_STMT_END

/* The pipeline posts it once tfrcbin has, as it does for any sink. */
GST_START_TEST (test_stream_start_waits_for_all_streams)
{
  guint32 seqnum;

  call_start_pair (&a, &b, "", "");
  expect_starts (1, 0);
  seqnum = begin_stream (&a, 0, 7);
  expect_starts (2, 7);
  fail_unless_equals_int (a.stream_seqnum, seqnum);
  call_end_add_peer (&a, "127.0.0.1", 6006, NULL);
  call_end_feed (&a, 1);
  begin_stream (&a, 1, 8);
  expect_starts (2, 7);
  begin_stream (&a, 0, 8);
  expect_starts (3, 8);
  /* of two groups: it is of none */
  begin_stream (&a, 0, 9);
  expect_starts (3, 8);
  begin_stream (&a, 1, 10);
  expect_starts (4, 0);
  begin_stream (&a, 1, 11);
  begin_stream (&a, 0, 11);
  expect_starts (5, 11);
  /* a flush is not the begin of a stream */
  gst_pad_push_event (call_end_get_feeder (&a, 0),
      gst_event_new_flush_start ());
  gst_pad_push_event (call_end_get_feeder (&a, 0),
      gst_event_new_flush_stop (TRUE));
  begin_stream (&a, 1, 12);
  expect_starts (5, 11);
  /* the pad of a stream that has not begun is released */
  call_end_release (&a, 0);
  expect_starts (6, 12);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* A peer that is removed keeps its pad, and holds up nothing with it. */
GST_START_TEST (test_stream_start_does_not_wait_for_a_peer_that_is_removed)
{
  guint id;

  call_start_pair (&a, &b, "", "");
  id = call_end_add_peer (&a, "127.0.0.1", 6006, NULL);
  call_end_feed (&a, id);
  expect_starts (1, 0);
  begin_stream (&a, 0, 7);
  expect_starts (2, 0);
  begin_stream (&a, 0, 8);
  expect_starts (2, 0);
  call_end_remove_peer (&a, id);
  expect_starts (3, 8);
  begin_stream (&a, id, 9);
  expect_starts (3, 8);
  begin_stream (&a, 0, 10);
  expect_starts (4, 10);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* What had begun before the element stopped does not count after it. */
GST_START_TEST (test_stream_start_is_forgotten_by_a_stop)
{
  GstPad *pad;

  call_start_pair (&a, &b, "", "");
  call_end_add_peer (&a, "127.0.0.1", 6006, NULL);
  call_end_feed (&a, 1);
  expect_starts (1, 0);
  gst_element_set_state (a.pipeline, GST_STATE_READY);
  call_end_play (&a);
  begin_stream (&a, 0, 7);
  expect_starts (1, 0);
  begin_stream (&a, 1, 7);
  expect_starts (2, 7);
  /* nor does that of a pad that was released */
  begin_stream (&a, 1, 8);
  call_end_release (&a, 1);
  pad = gst_element_request_pad_simple (a.call, "send_sink_1");
  begin_stream (&a, 0, 9);
  expect_starts (2, 7);
  gst_element_release_request_pad (a.call, pad);
  gst_object_unref (pad);
  expect_starts (3, 9);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

static GstPadProbeReturn
stay (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_eos_waits_for_the_last_packet_of_all_streams)
{
  NetCounts counts;
  guint sent;

  call_start_pair (&a, &b, "", "");
  call_end_add_peer (&a, "127.0.0.1", 6006, NULL);
  call_end_feed (&a, 1);
  call_run (2 * GST_SECOND, &a, &b, NULL);
  sent = net_get_counts (6002).packets - net_get_counts (6002).rtcp;
  call_end_push (&a, 0);
  gst_pad_push_event (call_end_get_feeder (&a, 0), gst_event_new_eos ());
  net_run (1 * GST_SECOND);
  counts = net_get_counts (6002);
  fail_unless_equals_int (counts.packets - counts.rtcp, sent + 1);
  call_end_expect_states (&a, "0:waiting 1:waiting 0:connected 0:drained");
  /* the other stream goes on */
  fail_unless_equals_int (a.eos, 0);
  fail_unless_equals_int (call_end_push (&a, 0), GST_FLOW_EOS);
  gst_pad_push_event (call_end_get_feeder (&a, 1), gst_event_new_eos ());
  net_run (2 * GST_SECOND);
  call_end_expect_states (&a, "1:drained");
  fail_unless_equals_int (a.eos, 1);
  /* again after a pause, in which the pipeline forgets it */
  gst_element_set_state (a.pipeline, GST_STATE_PAUSED);
  gst_element_set_state (a.pipeline, GST_STATE_PLAYING);
  net_run (GST_SECOND);
  fail_unless_equals_int (a.eos, 2);
  /* and after the next start */
  gst_element_set_state (a.pipeline, GST_STATE_READY);
  call_end_play (&a);
  a.eos = 0;
  for (guint i = 0; i < 2; i++) {
    call_end_release (&a, i);
    call_end_feed (&a, i);
  }
  call_run (1 * GST_SECOND, &a, &b, NULL);
  gst_pad_push_event (call_end_get_feeder (&a, 0), gst_event_new_eos ());
  net_run (2 * GST_SECOND);
  fail_unless_equals_int (a.eos, 0);
  gst_pad_push_event (call_end_get_feeder (&a, 1), gst_event_new_eos ());
  net_run (2 * GST_SECOND);
  fail_unless_equals_int (a.eos, 1);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* What follows each pad is stuck. EOS waits 200 ms for all of them together, and comes when they go on. */
GST_START_TEST (test_eos_does_not_wait_for_each_peer)
{
  gulong probes[STUCK_PEERS];
  GList *item;
  gint64 begin;
  guint i;

  call_end_start (&a, "port=6000 accept=any");
  for (i = 0; i < STUCK_PEERS; i++) {
    gchar *host = g_strdup_printf ("10.0.%u.1", i);

    phone_speak (host, 7000, 6000, 100 + i, 1, 20);
    g_free (host);
  }
  settle ();
  fail_unless_equals_int (a.call->numsrcpads, STUCK_PEERS);
  for (item = a.call->srcpads, i = 0; item != NULL; item = item->next)
    probes[i++] = gst_pad_add_probe (item->data,
        GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, stay, NULL, NULL);
  begin = g_get_monotonic_time ();
  fail_unless (gst_element_send_event (a.call, gst_event_new_eos ()));
  begin = g_get_monotonic_time () - begin;
  fail_unless (begin < STUCK_PEERS * G_USEC_PER_SEC / 10, "%" G_GINT64_FORMAT
      " us", begin);
  for (item = a.call->srcpads, i = 0; item != NULL; item = item->next)
    gst_pad_remove_probe (item->data, probes[i++]);
  settle ();
  for (i = 1; i <= STUCK_PEERS; i++)
    fail_unless_equals_int (call_end_get_output (&a, i)->eos, 1);
  call_end_stop (&a);
}

GST_END_TEST;

/* A pipeline passes EOS to its sources. What is heard ends, so that a recording of it is complete; what is said goes
 * on until its own source ends. */
GST_START_TEST (test_eos_of_the_application_ends_what_is_heard)
{
  guint n;

  call_start_pair (&a, &b, "", "");
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless (GST_OBJECT_FLAG_IS_SET (a.call, GST_ELEMENT_FLAG_SOURCE));
  fail_unless (gst_element_send_event (a.call, gst_event_new_eos ()));
  settle ();
  fail_unless_equals_int (call_end_get_output (&a, 0)->eos, 1);
  fail_if (call_end_get_output (&a, 0)->removed);
  n = call_end_count_packets (&b, 0);
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) > n + 40);
  fail_unless_equals_int (call_end_get_output (&b, 0)->eos, 0);
  fail_unless_equals_int (a.eos, 0);
  gst_pad_push_event (call_end_get_feeder (&a, 0), gst_event_new_eos ());
  net_run (1 * GST_SECOND);
  fail_unless_equals_int (a.eos, 1);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_whose_pad_is_released_holds_up_no_eos)
{
  call_start_pair (&a, &b, "", "");
  call_end_add_peer (&a, "127.0.0.1", 6006, NULL);
  call_end_feed (&a, 1);
  call_run (1 * GST_SECOND, &a, &b, NULL);
  gst_pad_push_event (call_end_get_feeder (&a, 0), gst_event_new_eos ());
  net_run (1 * GST_SECOND);
  fail_unless_equals_int (a.eos, 0);
  call_end_release (&a, 1);
  settle ();
  fail_unless_equals_int (a.eos, 1);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_goes_on_after_a_flush)
{
  GstPad *feeder;
  guint n;

  call_start_pair (&a, &b, "", "");
  call_run (2 * GST_SECOND, &a, &b, NULL);
  feeder = call_end_get_feeder (&a, 0);
  gst_pad_push_event (feeder, gst_event_new_eos ());
  net_run (1 * GST_SECOND);
  fail_unless_equals_int (call_end_push (&a, 0), GST_FLOW_EOS);
  gst_pad_push_event (feeder, gst_event_new_flush_start ());
  gst_pad_push_event (feeder, gst_event_new_flush_stop (TRUE));
  gst_pad_push_event (feeder, gst_event_new_segment (&(GstSegment) {
              .format = GST_FORMAT_TIME,
              .rate = 1,
              .applied_rate = 1,
              .stop = GST_CLOCK_TIME_NONE,
              .duration = GST_CLOCK_TIME_NONE}));
  n = call_end_count_packets (&b, 0);
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&b, 0) > n + 40);
  /* and can end again */
  a.eos = 0;
  gst_pad_push_event (feeder, gst_event_new_eos ());
  net_run (1 * GST_SECOND);
  call_end_expect_states (&a, "0:waiting 0:connected 0:drained 0:drained");
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* --- seeks in a file --- */

#define FULL 50                 /* packets in a second */

/* A thread that pushes what is in a file, as fast as the pad takes it. */
static gpointer
play_file (gpointer unused)
{
  GstFlowReturn ret = GST_FLOW_OK;
  guint i;

  for (i = 0; ret == GST_FLOW_OK; i++) {
    guint8 packet[PHONE_RTP] = { 0x80, 96 };
    GstBuffer *buffer;

    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 4, i * 960);
    packet[11] = 1;
    buffer = gst_buffer_new_memdup (packet, sizeof packet);
    GST_BUFFER_PTS (buffer) = i * CALL_FRAME;
    ret = gst_pad_push (call_end_get_feeder (&a, 0), buffer);
  }
  return NULL;
}

/* Stops the thread and returns one that plays from the beginning. */
static GThread *
seek_file (GThread * player)
{
  GstPad *feeder = call_end_get_feeder (&a, 0);
  GstSegment segment;

  gst_pad_push_event (feeder, gst_event_new_flush_start ());
  g_thread_join (player);
  gst_pad_push_event (feeder, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feeder, gst_event_new_segment (&segment));
  player = g_thread_new ("file", play_file, NULL);
  settle ();
  return player;
}

/* What an application or another sink of the pipeline does after a seek. */
static void
pause_and_play (gboolean resets_time)
{
  gst_element_set_state (a.pipeline, GST_STATE_PAUSED);
  if (resets_time)
    gst_element_set_start_time (a.pipeline, 0);
  net_run (3 * GST_SECOND);
  gst_element_set_state (a.pipeline, GST_STATE_PLAYING);
  settle ();
}

static void
expect_pace (void)
{
  guint n = call_end_count_packets (&b, 0);

  net_run (2 * GST_SECOND);
  n = call_end_count_packets (&b, 0) - n;
  fail_unless (n >= 2 * FULL - 3 && n <= 2 * FULL + 3, "%u", n);
  fail_unless_equals_int (call_end_get_peer_stat (&a, 0, "data-sender",
          "dropped"), 0);
}

/* The running time of the pipeline goes on, as what arrives does, while that of the file begins anew. */
GST_START_TEST (test_a_file_keeps_its_pace_after_a_seek)
{
  GThread *player;
  guint k;

  call_start_pair (&a, &b, "", "");
  player = g_thread_new ("file", play_file, NULL);
  net_run (5 * GST_SECOND);
  expect_pace ();
  for (k = 0; k < 3; k++) {
    player = seek_file (player);
    expect_pace ();
    pause_and_play (FALSE);
    expect_pace ();
  }
  /* a seek in PAUSED */
  gst_element_set_state (a.pipeline, GST_STATE_PAUSED);
  player = seek_file (player);
  net_run (3 * GST_SECOND);
  gst_element_set_state (a.pipeline, GST_STATE_PLAYING);
  settle ();
  expect_pace ();
  /* another sink has the running time begin anew after the first packet */
  player = seek_file (player);
  pause_and_play (TRUE);
  expect_pace ();
  player = seek_file (player);
  expect_pace ();
  gst_pad_push_event (call_end_get_feeder (&a, 0),
      gst_event_new_flush_start ());
  g_thread_join (player);
  call_stop_pair (&a, &b);
}

GST_END_TEST;

/* --- what an application sends upstream --- */

/* Upstream of a pad, which counts the seeks that it takes. */
static gboolean
take_seek (GstPad * pad, GstObject * parent, GstEvent * event)
{
  guint *seeks = gst_pad_get_element_private (pad);
  gboolean is_taken = seeks != NULL && GST_EVENT_TYPE (event) == GST_EVENT_SEEK;

  if (is_taken)
    *seeks += 1;
  gst_event_unref (event);
  return is_taken;
}

/* `seeks` NULL: it cannot seek. */
static void
set_up_upstream (guint id, guint * seeks)
{
  GstPad *feeder = call_end_get_feeder (&a, id);

  gst_pad_set_element_private (feeder, seeks);
  gst_pad_set_event_function (feeder, take_seek);
}

static gboolean
seek (void)
{
  return gst_element_seek_simple (a.call, GST_FORMAT_TIME,
      GST_SEEK_FLAG_FLUSH, 0);
}

/* A file that is sent to a peer is before its sink pad. What a peer sends cannot be sought in. */
GST_START_TEST (test_a_seek_reaches_what_is_sent)
{
  guint seeks[2] = { 0, 0 }, id;

  call_end_start (&a, "peer=127.0.0.1:7000");
  fail_if (seek ());
  call_end_feed (&a, 0);
  set_up_upstream (0, NULL);
  fail_if (seek ());
  set_up_upstream (0, &seeks[0]);
  fail_unless (seek ());
  fail_unless_equals_int (seeks[0], 1);
  phone_speak ("127.0.0.1", 7000, a.port, 1, 0, 5);
  fail_unless_equals_int (GST_ELEMENT (a.call)->numsrcpads, 1);
  fail_unless (gst_element_seek_simple (a.pipeline, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH, 0));
  fail_unless_equals_int (seeks[0], 2);
  fail_if (gst_pad_push_event (call_end_get_output (&a, 0)->pad,
          gst_event_new_seek (1, GST_FORMAT_TIME, GST_SEEK_FLAG_NONE,
              GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0)));
  fail_unless_equals_int (seeks[0], 2);
  /* and each of the pads, also beside one that cannot seek */
  id = call_end_add_peer (&a, "127.0.0.1", 7002, NULL);
  call_end_feed (&a, id);
  set_up_upstream (id, NULL);
  fail_unless (seek ());
  set_up_upstream (id, &seeks[1]);
  fail_unless (seek ());
  fail_unless_equals_int (seeks[0], 4);
  fail_unless_equals_int (seeks[1], 1);
  /* what is live goes on in either direction */
  fail_unless_equals_int (call_end_push (&a, 0), GST_FLOW_OK);
  phone_speak ("127.0.0.1", 7000, a.port, 1, 5, 5);
  fail_unless_equals_int (call_end_count_packets (&a, 0), 10);
  call_end_stop (&a);
}

GST_END_TEST;

static Suite *
bineos_suite (void)
{
  Suite *s = suite_create ("bineos");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, test_stream_start_waits_for_all_streams);
  tcase_add_test (tc,
      test_stream_start_does_not_wait_for_a_peer_that_is_removed);
  tcase_add_test (tc, test_stream_start_is_forgotten_by_a_stop);
  tcase_add_test (tc, test_eos_waits_for_the_last_packet_of_all_streams);
  tcase_add_test (tc, test_eos_of_the_application_ends_what_is_heard);
  tcase_add_test (tc, test_eos_does_not_wait_for_each_peer);
  tcase_add_test (tc, test_a_stream_whose_pad_is_released_holds_up_no_eos);
  tcase_add_test (tc, test_a_stream_goes_on_after_a_flush);
  tcase_add_test (tc, test_a_file_keeps_its_pace_after_a_seek);
  tcase_add_test (tc, test_a_seek_reaches_what_is_sent);
  return s;
}

GST_CHECK_MAIN (bineos);
