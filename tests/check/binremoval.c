/* gst-tfrc tests: peers of tfrcbin that are removed while their pads are in use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"
#include "settle.h"

#define HOST "127.0.0.1"

static CallEnd end;

/* --- in the thread that pushes what the peer sends --- */

/* What a pad downstream is given when it has the peer removed. */
typedef enum
{
  AT_PACKET,
  AT_CAPS,
  AT_LOSS,
  AT_EOS,
  N_MOMENTS
} Moment;

typedef struct
{
  Moment moment;
  gboolean removed;             /* remove-peer was called, and returned TRUE */
  gboolean early;               /* the source pad was finalised in the push */
  gboolean finalised;
} Removal;

static gboolean
is_moment (GstPadProbeInfo * info, Moment moment)
{
  GstEvent *event;

  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER)
    return moment == AT_PACKET;
  event = GST_PAD_PROBE_INFO_EVENT (info);
  switch (moment) {
    case AT_CAPS:
      return GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
    case AT_LOSS:
      return gst_event_has_name (event, "GstRTPPacketLost");
    case AT_EOS:
      return GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    default:
      return FALSE;
  }
}

static void
note_end (gpointer removal, GObject * pad)
{
  ((Removal *) removal)->finalised = TRUE;
}

static GstPadProbeReturn
remove_in_push (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Removal *removal = data;

  if (removal->removed || !is_moment (info, removal->moment))
    return GST_PAD_PROBE_OK;
  g_object_weak_ref (G_OBJECT (GST_PAD_PEER (pad)), note_end, removal);
  g_signal_emit_by_name (end.call, "remove-peer", 0, &removal->removed);
  removal->early = removal->finalised;
  return GST_PAD_PROBE_OK;
}

/* A packet of PCMA. */
static void
send_pcma (guint16 seq)
{
  guint8 packet[PHONE_RTP] = { 0x80, 8 };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, 160 * seq);
  packet[11] = 1;
  net_send_from (HOST, 7000, "", end.port, 0, packet, sizeof packet);
  net_run (CALL_FRAME);
}

static void
reach (Moment moment, guint16 seq)
{
  if (moment == AT_CAPS)
    send_pcma (seq);
  if (moment == AT_EOS)
    gst_element_send_event (end.call, gst_event_new_eos ());
  phone_speak (HOST, 7000, end.port, 1, seq + 2, 10);
  net_run (GST_SECOND);
}

/* A chain function, a handoff or a callback of an appsink may say that the call is over. It runs in a thread of
 * the pad server, or, once the pad is known to take little time, in that of the worker. */
GST_START_TEST (test_a_peer_may_be_removed_by_what_its_pad_pushes)
{
  Removal removal = { __i__ % N_MOMENTS };
  guint n = __i__ < N_MOMENTS ? 3 : 100;

  call_end_start (&end, "peer=127.0.0.1:7000 accept=none");
  phone_speak (HOST, 7000, end.port, 1, 0, n);
  gst_pad_add_probe (call_end_get_output (&end, 0)->pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      remove_in_push, &removal, NULL);
  reach (removal.moment, n);
  fail_unless (removal.removed);
  fail_if (removal.early);
  fail_unless (removal.finalised);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numsrcpads, 0);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- while its pad is blocked --- */

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

/* Packets after which it is not yet known that a pad takes little time, and after which it is. */
static const guint spoken[] = { 2, 100 };

GST_START_TEST (test_a_peer_whose_pad_is_blocked_can_be_removed)
{
  guint n = spoken[__i__];

  call_end_start (&end, "accept=none");
  call_end_add_peer (&end, HOST, 7000, NULL);
  phone_speak (HOST, 7000, end.port, 1, 0, n);
  gst_pad_add_probe (call_end_get_output (&end, 1)->pad,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  phone_speak (HOST, 7000, end.port, 1, n, 5);
  fail_unless_equals_int (call_end_count_packets (&end, 1), n);
  fail_unless (call_end_remove_peer (&end, 1));
  fail_unless (call_end_get_output (&end, 1)->removed);
  call_end_stop (&end);
}

GST_END_TEST;

/* In a worker of its own the peer is the last member to leave; its port is that of the other worker. The last member of the
 * only worker leaves when the element is stopped. */
GST_START_TEST (test_the_last_member_leaves_while_its_pad_is_blocked)
{
  gboolean is_removed = __i__ % 2;
  guint n = spoken[__i__ / 2];
  GstPad *pad;

  call_end_start (&end, is_removed ? "accept=none context=last threads=2" :
      "accept=none context=last");
  call_end_add_peer (&end, HOST, 7000, NULL);
  phone_speak (HOST, 7000, end.port, 1, 0, n);
  pad = gst_pad_get_peer (call_end_get_output (&end, 1)->pad);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      block, NULL, NULL);
  gst_object_unref (pad);
  phone_speak (HOST, 7000, end.port, 1, n, 5);
  fail_unless_equals_int (call_end_count_packets (&end, 1), n);
  if (is_removed)
    fail_unless (call_end_remove_peer (&end, 1));
  call_end_stop (&end);
}

GST_END_TEST;

/* --- while a packet for the peer waits --- */

/* A thread that pushes one packet into the pad of a peer. */
typedef struct
{
  guint id;
  GstBuffer *packet;
  GThread *thread;
  gint returned;                /* TRUE once the push has returned `ret` */
  GstFlowReturn ret;
} Feed;

static gpointer
push (gpointer data)
{
  Feed *feed = data;

  feed->ret = gst_pad_push (call_end_get_feeder (&end, feed->id), feed->packet);
  g_atomic_int_set (&feed->returned, TRUE);
  return NULL;
}

static void
begin_feed (Feed * feed, guint id, GstClockTime running_time)
{
  guint8 packet[PHONE_RTP] = { 0x80, 96 };

  *feed = (Feed) {.id = id};
  feed->packet = gst_buffer_new_memdup (packet, sizeof packet);
  GST_BUFFER_PTS (feed->packet) = running_time;
  feed->thread = g_thread_new ("feed", push, feed);
  settle ();
  fail_if (g_atomic_int_get (&feed->returned));
}

static void
expect_eos (Feed * feed)
{
  settle ();
  fail_unless (g_atomic_int_get (&feed->returned));
  fail_unless_equals_int (feed->ret, GST_FLOW_EOS);
  g_thread_join (feed->thread);
}

/* Stops and starts without the peer: its pad is as before. */
static void
start_anew (void)
{
  gst_element_set_state (end.pipeline, GST_STATE_READY);
  call_end_play (&end);
  fail_unless_equals_int (call_end_push (&end, 1), GST_FLOW_EOS);
}

static void
begin_paused (const gchar * properties)
{
  call_end_init (&end, properties);
  gst_element_set_state (end.pipeline, GST_STATE_PAUSED);
  g_object_get (end.call, "local-port", &end.port, NULL);
}

GST_START_TEST (test_a_packet_does_not_wait_for_playing_without_its_peer)
{
  Feed feed;

  begin_paused ("accept=none");
  fail_unless_equals_int (call_end_add_peer (&end, HOST, 7000, NULL), 1);
  call_end_feed (&end, 1);
  begin_feed (&feed, 1, 0);
  fail_unless (call_end_remove_peer (&end, 1));
  expect_eos (&feed);
  fail_unless_equals_int (call_end_push (&end, 1), GST_FLOW_EOS);
  start_anew ();
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_packet_does_not_wait_for_its_time_without_its_peer)
{
  Feed feed;

  call_end_start (&end, "accept=none");
  fail_unless_equals_int (call_end_add_peer (&end, HOST, 7000, NULL), 1);
  call_end_feed (&end, 1);
  begin_feed (&feed, 1, GST_CLOCK_TIME_NONE / 4);
  fail_unless (call_end_remove_peer (&end, 1));
  expect_eos (&feed);
  start_anew ();
  call_end_stop (&end);
}

GST_END_TEST;

/* The remote can do this by itself. */
GST_START_TEST (test_a_packet_does_not_wait_for_a_caller_who_has_gone)
{
  Feed feed;

  begin_paused ("accept=any");
  phone_speak (HOST, 7000, end.port, 1, 0, 5);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  call_end_feed (&end, 1);
  begin_feed (&feed, 1, 0);
  phone_send_rtcp (HOST, 7000, end.port, 1, TRUE);
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  expect_eos (&feed);
  start_anew ();
  call_end_stop (&end);
}

GST_END_TEST;

/* --- a pad for nobody --- */

/* The number of a peer that is added after it. A number that a member has is not given again. */
static guint
get_next_number (guint port)
{
  guint id = call_end_add_peer (&end, HOST, port, NULL);

  fail_unless (call_end_remove_peer (&end, id));
  return id;
}

static void
request_and_release (guint id)
{
  call_end_feed (&end, id);
  call_end_release (&end, id);
}

/* A pad may be requested for a caller who has left meanwhile. Once it is released nothing is left of it. */
GST_START_TEST (test_a_pad_without_a_peer_leaves_nothing_behind)
{
  guint i;

  call_end_start (&end, "accept=none");
  for (i = 1; i <= 3; i++)
    request_and_release (i);
  for (i = 1; i <= 3; i++)
    fail_unless_equals_int (get_next_number (7000), i);
  call_end_stop (&end);
}

GST_END_TEST;

/* The number of a pad is kept for its peer, in whatever order the two come and go. */
GST_START_TEST (test_a_peer_outlives_its_pad_and_a_pad_its_peer)
{
  call_end_start (&end, "accept=none");
  /* a pad that waits for its peer */
  call_end_feed (&end, 1);
  fail_unless_equals_int (call_end_add_peer (&end, HOST, 7000, NULL), 2);
  /* a peer whose pad is released, and requested again */
  request_and_release (2);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  call_end_feed (&end, 2);
  fail_unless_equals_int (call_end_push (&end, 2), GST_FLOW_OK);
  /* a pad that outlives its peer, beside the pad and the peer of another number */
  fail_unless (call_end_remove_peer (&end, 2));
  fail_unless_equals_int (call_end_push (&end, 2), GST_FLOW_EOS);
  fail_unless_equals_int (call_end_add_peer (&end, HOST, 7000, NULL), 3);
  call_end_release (&end, 2);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  call_end_stop (&end);
}

GST_END_TEST;

/* A peer that was added before the start has no place at the port yet, and its pad may go. */
GST_START_TEST (test_a_peer_that_was_added_before_the_start_outlives_its_pad)
{
  call_end_init (&end, "accept=none");
  fail_unless_equals_int (call_end_add_peer (&end, HOST, 7000, NULL), 1);
  request_and_release (1);
  call_end_play (&end);
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  call_end_stop (&end);
}

GST_END_TEST;

static gboolean
request_and_release_pad (GstElement * call, guint id, const gchar * address,
    gpointer data)
{
  request_and_release (id);
  return TRUE;
}

/* The application is asked about a caller who has no place at the port yet. */
GST_START_TEST (test_a_caller_outlives_a_pad_of_its_admission)
{
  call_end_start (&end, "accept=any");
  g_signal_connect (end.call, "new-peer",
      G_CALLBACK (request_and_release_pad), NULL);
  phone_speak (HOST, 7000, end.port, 1, 0, 5);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  call_end_stop (&end);
}

GST_END_TEST;

static Suite *
binremoval_suite (void)
{
  Suite *s = suite_create ("binremoval");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_loop_test (tc, test_a_peer_whose_pad_is_blocked_can_be_removed, 0,
      G_N_ELEMENTS (spoken));
  tcase_add_loop_test (tc, test_the_last_member_leaves_while_its_pad_is_blocked,
      0, 2 * G_N_ELEMENTS (spoken));
  tcase_add_loop_test (tc, test_a_peer_may_be_removed_by_what_its_pad_pushes,
      0, 2 * N_MOMENTS);
  tcase_add_test (tc, test_a_packet_does_not_wait_for_playing_without_its_peer);
  tcase_add_test (tc,
      test_a_packet_does_not_wait_for_its_time_without_its_peer);
  tcase_add_test (tc, test_a_packet_does_not_wait_for_a_caller_who_has_gone);
  tcase_add_test (tc, test_a_pad_without_a_peer_leaves_nothing_behind);
  tcase_add_test (tc, test_a_peer_outlives_its_pad_and_a_pad_its_peer);
  tcase_add_test (tc,
      test_a_peer_that_was_added_before_the_start_outlives_its_pad);
  tcase_add_test (tc, test_a_caller_outlives_a_pad_of_its_admission);
  return s;
}

GST_CHECK_MAIN (binremoval);
