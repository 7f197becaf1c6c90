/* gst-tfrc tests: the filters as elements: pads, queries, errors, flushes, clocks and states
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"

#include <string.h>

/* --- pads --- */

/* The pad that `name` leads to inside the element, or "". */
static gchar *
get_link (GstElement * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue item = G_VALUE_INIT;
  gchar *to = NULL;

  gst_object_unref (pad);
  if (it == NULL)
    return g_strdup ("");
  if (gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    to = gst_pad_get_name (g_value_get_object (&item));
    g_value_reset (&item);
    fail_unless_equals_int (gst_iterator_next (it, &item), GST_ITERATOR_DONE);
  }
  gst_iterator_free (it);
  return to != NULL ? to : g_strdup ("");
}

static void
check_link (GstElement * element, const gchar * from, const gchar * expected)
{
  gchar *to = get_link (element, from);

  fail_unless_equals_string (to, expected);
  g_free (to);
}

static GstPad *
request (Filter * f, const gchar * name)
{
  GstPad *pad = gst_element_request_pad_simple (f->element, name);

  fail_unless (pad != NULL);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

static void
release (Filter * f, GstPad * pad)
{
  gst_element_release_request_pad (f->element, pad);
  fail_unless (GST_OBJECT_PARENT (pad) == NULL);
  fail_if (gst_pad_is_active (pad));
  gst_object_unref (pad);
}

GST_START_TEST (packets_and_rtcp_have_ways_of_their_own)
{
  GstPad *in, *out;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  check_link (f.element, "sink", "src");
  check_link (f.element, "src", "sink");
  in = request (&f, "rtcp_sink");
  check_link (f.element, "rtcp_sink", "");
  out = request (&f, "rtcp_src");
  check_link (f.element, "rtcp_sink", "rtcp_src");
  check_link (f.element, "rtcp_src", "rtcp_sink");
  check_link (f.element, "sink", "src");
  release (&f, in);
  check_link (f.element, "rtcp_src", "");
  release (&f, out);
  /* each can be had again, and once at a time */
  in = request (&f, "rtcp_sink");
  fail_unless (gst_element_request_pad (f.element,
          gst_element_get_pad_template (f.element, "rtcp_sink"), NULL,
          NULL) == NULL);
  release (&f, in);
  filter_stop (&f);

  filter_start (&f, "rtptfrcreceive");
  check_link (f.element, "sink", "src");
  check_link (f.element, "src", "sink");
  out = request (&f, "rtcp_src");
  check_link (f.element, "rtcp_src", "");
  release (&f, out);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (rtcp_that_leads_nowhere_is_an_error_upstream)
{
  GstHarness *rtcp;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  rtcp = gst_harness_new_with_element (f.element, "rtcp_sink", NULL);
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  fail_unless_equals_int (gst_harness_push (rtcp,
          gst_buffer_new_memdup ("\x80\xc9\0\1\1\1\1\1", 8)),
      GST_FLOW_NOT_LINKED);
  gst_harness_teardown (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (caps_are_those_of_the_other_side)
{
  static const gchar *const filters[] = { "rtptfrcsend", "rtptfrcreceive" };
  GstCaps *caps;
  gint rate;
  Filter f;

  filter_start (&f, filters[__i__]);
  caps = gst_pad_peer_query_caps (f.h->sinkpad, NULL);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0),
          "clock-rate", &rate));
  gst_caps_unref (caps);
  gst_harness_set_sink_caps_str (f.h, "application/x-rtp,clock-rate=(int)77");
  caps = gst_pad_peer_query_caps (f.h->srcpad, NULL);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0),
          "clock-rate", &rate));
  fail_unless_equals_int (rate, 77);
  gst_caps_unref (caps);
  filter_stop (&f);
}

GST_END_TEST;

/* --- queries --- */

static GstClockTime upstream_max;
static gboolean upstream_live;

static gboolean
answer_latency (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, upstream_live, 20 * GST_MSECOND, upstream_max);
  return TRUE;
}

static void
check_latency (const gchar * line, GstClockTime most, gboolean live)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean is_live;
  Filter f;

  filter_start (&f, line);
  gst_pad_set_query_function (f.h->srcpad, answer_latency);
  fail_unless (gst_pad_peer_query (f.h->sinkpad, query));
  gst_query_parse_latency (query, &is_live, &min, &max);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless_equals_uint64 (max, most);
  fail_unless_equals_int (is_live, live);
  filter_stop (&f);
  gst_query_unref (query);
}

/* A packet that may depart passes at once; one that may not waits for so long. */
GST_START_TEST (the_queue_adds_to_the_most_latency_alone)
{
  upstream_live = TRUE;
  upstream_max = 50 * GST_MSECOND;
  check_latency ("rtptfrcsend max-queue-time=150000000", 200 * GST_MSECOND,
      TRUE);
  check_latency ("rtptfrcsend mode=tfrc", 250 * GST_MSECOND, TRUE);
  check_latency ("rtptfrcsend mode=tfrc-sp", 150 * GST_MSECOND, TRUE);
  check_latency ("rtptfrcsend max-queue-time=0", GST_CLOCK_TIME_NONE, TRUE);
  upstream_max = GST_CLOCK_TIME_NONE;
  check_latency ("rtptfrcsend mode=tfrc-sp", GST_CLOCK_TIME_NONE, TRUE);
  upstream_live = FALSE;
  check_latency ("rtptfrcsend mode=tfrc-sp", GST_CLOCK_TIME_NONE, FALSE);
  check_latency ("rtptfrcsend mode=tfrc-sp sync=true", GST_CLOCK_TIME_NONE,
      TRUE);
}

GST_END_TEST;

static gboolean
answer_drain (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_DRAIN ||
      gst_pad_query_default (pad, parent, query);
}

/* A serialized query would have to wait behind the packets. */
GST_START_TEST (serialized_queries_pass_an_empty_queue_alone)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_DRAIN, NULL);
  Filter f;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  gst_pad_set_query_function (f.h->sinkpad, answer_drain);
  fail_unless (gst_pad_peer_query (f.h->srcpad, query));
  filter_push (&f, 100);
  fail_unless (gst_pad_peer_query (f.h->srcpad, query));
  filter_push (&f, 100);
  fail_unless_equals_int (send_count_left (&f), 1);
  fail_if (gst_pad_peer_query (f.h->srcpad, query));
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_settle (&f);
  fail_unless (gst_pad_peer_query (f.h->srcpad, query));
  gst_query_unref (query);
  filter_stop (&f);
}

GST_END_TEST;

/* --- errors and flushes --- */

static GstFlowReturn answer;    /* of what is downstream */

static GstFlowReturn
answer_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return answer;
}

static void
flush (Filter * f)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (f->h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (f->h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (f->h, gst_event_new_segment (&segment)));
}

/* It is returned upstream, to all packets until a flush. */
GST_START_TEST (an_error_downstream_stops_the_flow)
{
  static const GstFlowReturn errors[] = { GST_FLOW_ERROR, GST_FLOW_NOT_LINKED,
    GST_FLOW_EOS, GST_FLOW_NOT_NEGOTIATED
  };
  Filter f;

  answer = errors[__i__];
  filter_start (&f, "rtptfrcsend");
  gst_pad_set_chain_function (f.h->sinkpad, answer_buffer);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 100)),
      answer);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 100)),
      answer);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 1);
  fail_unless_equals_int (send_count_left (&f), 0);
  answer = GST_FLOW_OK;
  flush (&f);
  filter_advance (&f, GST_SECOND);
  filter_push (&f, 100);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 2);
  /* upstream is told, and the application by upstream */
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

/* Upstream does not ask any more. */
static void
check_error_behind_eos (GstFlowReturn ret, gboolean is_error)
{
  GstMessage *message;
  Filter f;
  guint i;

  answer = GST_FLOW_OK;
  filter_start (&f, "rtptfrcsend max-queue-time=0");
  send_open_path (&f);
  gst_pad_set_chain_function (f.h->sinkpad, answer_buffer);
  gst_pad_set_chain_list_function (f.h->sinkpad, NULL);
  for (i = 0; i < 60; i++)
    filter_push (&f, 148);
  fail_unless (send_count_left (&f) > 10);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  answer = ret;
  while (send_count_left (&f) > 0) {
    filter_crank (&f);
    filter_settle (&f);
  }
  filter_settle (&f);
  message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR);
  fail_unless_equals_int (message != NULL, is_error);
  gst_clear_message (&message);
  filter_stop (&f);
}

GST_START_TEST (an_error_behind_eos_is_posted)
{
  check_error_behind_eos (GST_FLOW_ERROR, TRUE);
  check_error_behind_eos (GST_FLOW_NOT_LINKED, TRUE);
  check_error_behind_eos (GST_FLOW_OK, FALSE);
}

GST_END_TEST;

static gpointer
push_later (gpointer data)
{
  Filter *f = data;
  GstBuffer *buffer = filter_new_packet (f, 148);

  GST_BUFFER_PTS (buffer) = 500 * GST_MSECOND;
  return GINT_TO_POINTER (gst_harness_push (f->h, buffer));
}

/* With another packet in the queue, so that none of them would depart. */
GST_START_TEST (a_flush_refuses_the_packet_that_waits_for_its_time)
{
  GstBuffer *buffer;
  GThread *thread;
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend sync=true max-queue-time=0");
  gst_element_set_base_time (f.element, T0);
  for (i = 0; i < 2; i++) {
    buffer = filter_new_packet (&f, 148);
    GST_BUFFER_PTS (buffer) = 0;
    fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
  }
  fail_unless_equals_int (send_count_left (&f), 1);
  thread = g_thread_new ("push", push_later, &f);
  while (filter_next_wait (&f) != T0 + 500 * GST_MSECOND);
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  fail_unless_equals_int (send_count_left (&f), 1);
  gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_int (send_count_left (&f), 0);
  filter_stop (&f);
}

GST_END_TEST;

/* --- clocks and states --- */

static GstTestClock *
exchange_clock (Filter * f, GstClockTime time)
{
  GstTestClock *clock =
      GST_TEST_CLOCK (gst_test_clock_new_with_start_time (time));

  fail_unless (gst_element_set_clock (f->element, GST_CLOCK (clock)));
  return clock;
}

/* The engine's timer and the departures go on by the new clock. */
GST_START_TEST (timers_go_over_to_a_new_clock)
{
  GstTestClock *clock;
  GstClockTime next;
  Filter f;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  clock = exchange_clock (&f, 5 * GST_SECOND);
  gst_test_clock_wait_for_multiple_pending_ids (clock, 2, NULL);
  next = gst_test_clock_get_next_entry_time (clock);
  fail_unless (next > 5 * GST_SECOND && next <= 6 * GST_SECOND,
      "%" G_GUINT64_FORMAT, next);
  gst_test_clock_set_time (clock, 6 * GST_SECOND);
  fail_unless (gst_test_clock_crank (clock));
  gst_buffer_unref (gst_harness_pull (f.h));
  gst_object_unref (clock);
  filter_stop (&f);

  filter_start (&f, "rtptfrcreceive");
  filter_push_stamped (&f, 100000, 0);
  g_bytes_unref (filter_send_rtcp (&f, TRUE, FALSE));
  filter_push_stamped (&f, 100000, 20000);
  clock = exchange_clock (&f, 5 * GST_SECOND);
  next = gst_test_clock_get_next_entry_time (clock);
  fail_unless (next > 5 * GST_SECOND && next < 6 * GST_SECOND,
      "%" G_GUINT64_FORMAT, next);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  gst_object_unref (clock);
  filter_stop (&f);
}

GST_END_TEST;

static void
check_states (const gchar * line, GstStateChangeReturn paused)
{
  Filter f;

  filter_start (&f, line);
  fail_unless_equals_int (gst_element_set_state (f.element, GST_STATE_PAUSED),
      paused);
  fail_unless_equals_int (gst_element_set_state (f.element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (f.element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (f.element, GST_STATE_PAUSED),
      paused);
  filter_stop (&f);
}

/* Input that the filter holds to its time is live behind the filter. */
GST_START_TEST (sync_makes_a_live_source_of_its_input)
{
  check_states ("rtptfrcsend sync=true", GST_STATE_CHANGE_NO_PREROLL);
  check_states ("rtptfrcsend", GST_STATE_CHANGE_SUCCESS);
  check_states ("rtptfrcreceive", GST_STATE_CHANGE_SUCCESS);
}

GST_END_TEST;

static void
push_garbage (Filter * f)
{
  gst_harness_push (f->h, gst_buffer_new_memdup ("no RTP", 6));
}

GST_START_TEST (each_start_counts_anew)
{
  static const gchar *const filters[] = { "rtptfrcsend", "rtptfrcreceive" };
  static const gchar *const counts[] = { "not-rtp", "packets", "bytes",
    "rtcp-reports-sent", "rtcp-reports", "queued-packets", "ssrc-changes"
  };
  GstStructure *stats;
  guint i;
  Filter f;

  filter_start (&f, filters[__i__]);
  push_garbage (&f);
  filter_push_stamped (&f, 100000, 0);
  filter_push_stamped (&f, 100000, 0);
  g_bytes_unref (filter_send_rtcp (&f, TRUE, FALSE));
  filter_report (&f, 0, 0, 0, 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "not-rtp"), 1);
  fail_unless (filter_get_stat (&f, "packets") > 0);
  gst_element_set_state (f.element, GST_STATE_READY);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  g_object_get (f.element, "stats", &stats, NULL);
  for (i = 0; i < G_N_ELEMENTS (counts); i++) {
    if (gst_structure_has_field (stats, counts[i]))
      fail_unless_equals_uint64 (filter_get_stat (&f, counts[i]), 0);
  }
  gst_structure_free (stats);
  filter_stop (&f);
}

GST_END_TEST;

/* --- the session --- */

/* A session that comes later is found with the next packet, whatever that is. */
GST_START_TEST (a_session_that_comes_later_is_found)
{
  static const gchar *const filters[] = { "rtptfrcsend", "rtptfrcreceive" };
  guint i;
  Filter f;

  filter_start (&f, filters[__i__]);
  gst_element_set_state (f.element, GST_STATE_READY);
  g_object_set (f.element, "rtp-session", NULL, NULL);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-session"), 0);
  push_garbage (&f);
  g_object_set (f.element, "rtp-session", f.session, NULL);
  /* it is sought after 50 packets */
  for (i = 0; i < 50; i++)
    push_garbage (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-session"), 0);
  push_garbage (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-session"), 1);
  filter_stop (&f);
}

GST_END_TEST;

/* A stopped filter has nothing to do with the session's packets. */
GST_START_TEST (a_stop_leaves_the_session)
{
  static const gchar *const filters[] = { "rtptfrcsend", "rtptfrcreceive" };
  static const gchar *const names[] = { "on-sending-rtcp", "on-app-rtcp" };
  Filter f;
  guint i;

  filter_start (&f, filters[__i__]);
  filter_push_stamped (&f, 100000, 0);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    fail_unless (g_signal_has_handler_pending (f.session,
            g_signal_lookup (names[i], G_OBJECT_TYPE (f.session)), 0, FALSE));
  gst_element_set_state (f.element, GST_STATE_READY);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    fail_if (g_signal_has_handler_pending (f.session,
            g_signal_lookup (names[i], G_OBJECT_TYPE (f.session)), 0, FALSE));
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-session"), 0);
  filter_stop (&f);
}

GST_END_TEST;

static gboolean
is_listened_to (GstElement * rtpsession, const gchar * name)
{
  GObject *session;
  gboolean listened_to;

  g_object_get (rtpsession, "internal-session", &session, NULL);
  listened_to = g_signal_has_handler_pending (session, g_signal_lookup (name,
          G_OBJECT_TYPE (session)), 0, FALSE);
  g_object_unref (session);
  return listened_to;
}

static void
link_pads (gboolean linked, GstElement * from, const gchar * src,
    GstElement * to, const gchar * sink)
{
  if (linked)
    fail_unless (gst_element_link_pads (from, src, to, sink));
  else
    gst_element_unlink_pads (from, src, to, sink);
}

#define SEND_LINE "rtptfrcsend name=rtptfrcsend ! session.send_rtp_sink " \
    "rtpsession name=session session.send_rtp_src ! identity name=end"
#define RECEIVE_LINE "identity name=end ! session.recv_rtp_sink " \
    "rtpsession name=session session.recv_rtp_src ! rtptfrcreceive name=rtptfrcreceive"

/* The filter and `end` are on both sides of the session. */
static void
link_session (Filter * f, gboolean sends, GstElement * rtpsession,
    gboolean linked)
{
  GstElement *end = gst_bin_get_by_name (GST_BIN (f->h->element), "end");

  if (sends) {
    link_pads (linked, f->element, "src", rtpsession, "send_rtp_sink");
    link_pads (linked, rtpsession, "send_rtp_src", end, "sink");
  } else {
    link_pads (linked, end, "src", rtpsession, "recv_rtp_sink");
    link_pads (linked, rtpsession, "recv_rtp_src", f->element, "sink");
  }
  gst_object_unref (end);
}

/* The filter follows its links to another session, and has no handler at the first one any more. */
GST_START_TEST (a_filter_that_is_linked_anew_leaves_its_session)
{
  static const gchar *const lines[] = { SEND_LINE, RECEIVE_LINE };
  static const gchar *const names[] = { "on-sending-rtcp", "on-app-rtcp" };
  GstElement *first_session, *second_session;
  guint i;
  Filter f;

  filter_start (&f, lines[__i__]);
  gst_element_set_state (f.h->element, GST_STATE_READY);
  g_object_set (f.element, "rtp-session", NULL, NULL);
  gst_element_set_state (f.h->element, GST_STATE_PLAYING);
  gst_harness_push_event (f.h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, "
      "media=(string)audio, clock-rate=(int)48000, payload=(int)96");
  filter_push_stamped (&f, 100000, 0);
  first_session = gst_bin_get_by_name (GST_BIN (f.h->element), "session");
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    fail_unless (is_listened_to (first_session, names[i]));

  second_session = gst_element_factory_make ("rtpsession", NULL);
  gst_bin_add (GST_BIN (f.h->element), second_session);
  link_session (&f, __i__ == 0, first_session, FALSE);
  link_session (&f, __i__ == 0, second_session, TRUE);
  gst_element_sync_state_with_parent (second_session);
  /* the session has a probation of two packets until the filter finds it */
  for (i = 0; i < 3; i++)
    filter_push_stamped (&f, 100000, 20000 * (i + 1));
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    fail_if (is_listened_to (first_session, names[i]));
    fail_unless (is_listened_to (second_session, names[i]));
  }
  gst_object_unref (first_session);
  filter_stop (&f);
}

GST_END_TEST;

/* Once in each run, when there is something to report. */
GST_START_TEST (a_missing_session_is_warned_of_once)
{
  static const gchar *const filters[] = { "rtptfrcsend", "rtptfrcreceive" };
  GstMessage *message;
  Filter f;
  guint run, i;

  filter_start (&f, filters[__i__]);
  for (run = 0; run < 2; run++) {
    gst_element_set_state (f.element, GST_STATE_READY);
    g_object_set (f.element, "rtp-session", NULL, NULL);
    gst_element_set_state (f.element, GST_STATE_PLAYING);
    gst_harness_set_src_caps_str (f.h, "application/x-rtp");
    for (i = 0; i < 210; i++)
      filter_push_stamped (&f, 100000, i * 20000);
    message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING);
    fail_unless (message != NULL);
    gst_message_unref (message);
    fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  }
  filter_stop (&f);
}

GST_END_TEST;

/* The words of the data sender's APP packet. */
GST_START_TEST (the_data_sender_tells_its_settings)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  TfrcStamp stamp;
  guint8 words[16];
  gboolean keep;
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp header-size=28");
  filter_push (&f, 100);
  stamp = filter_take_stamp (&f);
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, OWN_SSRC);
  gst_rtcp_buffer_unmap (&rtcp);
  g_signal_emit_by_name (f.session, "on-sending-rtcp", buffer, FALSE, &keep);
  fail_unless (keep);
  fail_unless_equals_int (gst_buffer_get_size (buffer), 8 + 24);
  gst_buffer_extract (buffer, 16, words, sizeof words);
  fail_unless (memcmp (words, "TFRC", 4) == 0);
  fail_unless_equals_int (words[4], TFRC_MODE_TFRC_SP);
  fail_unless_equals_int (words[5], TFRC_MEASURE_RFC);
  fail_unless_equals_int (GST_READ_UINT16_BE (words + 6), 28);
  /* a data sender, which takes reduced-size RTCP and transit times */
  fail_unless_equals_int (GST_READ_UINT32_BE (words + 8), 2 | 8);
  /* by which the data receiver knows that nobody else has made the packet */
  fail_unless_equals_int (GST_READ_UINT32_BE (words + 12), stamp.t_i_us);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
filter_pads_suite (void)
{
  Suite *suite = suite_create ("filters, pads");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, packets_and_rtcp_have_ways_of_their_own);
  tcase_add_test (tcase, rtcp_that_leads_nowhere_is_an_error_upstream);
  tcase_add_loop_test (tcase, caps_are_those_of_the_other_side, 0, 2);
  tcase_add_test (tcase, the_queue_adds_to_the_most_latency_alone);
  tcase_add_test (tcase, serialized_queries_pass_an_empty_queue_alone);
  tcase_add_loop_test (tcase, an_error_downstream_stops_the_flow, 0, 4);
  tcase_add_test (tcase, an_error_behind_eos_is_posted);
  tcase_add_test (tcase, a_flush_refuses_the_packet_that_waits_for_its_time);
  tcase_add_test (tcase, timers_go_over_to_a_new_clock);
  tcase_add_test (tcase, sync_makes_a_live_source_of_its_input);
  tcase_add_loop_test (tcase, each_start_counts_anew, 0, 2);
  tcase_add_loop_test (tcase, a_session_that_comes_later_is_found, 0, 2);
  tcase_add_loop_test (tcase, a_stop_leaves_the_session, 0, 2);
  tcase_add_loop_test (tcase, a_filter_that_is_linked_anew_leaves_its_session,
      0, 2);
  tcase_add_loop_test (tcase, a_missing_session_is_warned_of_once, 0, 2);
  tcase_add_test (tcase, the_data_sender_tells_its_settings);
  return suite;
}

GST_CHECK_MAIN (filter_pads);
