/* gst-tfrc tests: calls between elements tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <netinet/in.h>

#include "base/rateevent.h"
#include "callend.h"
#include "settle.h"

#define PEER_OF(port) "peer=127.0.0.1:" G_STRINGIFY (port) " "

static CallEnd a, b;

/* Ends on ports 6000 and 6002. */
static void
begin_call (const gchar * properties)
{
  call_start_pair (&a, &b, properties, properties);
}

static void
end_call (void)
{
  call_stop_pair (&a, &b);
}

static GstClockTime
get_pts (CallEnd * end, guint id, guint i)
{
  return GST_BUFFER_PTS (g_ptr_array_index (call_end_get_output (end,
              id)->packets, i));
}

GST_START_TEST (test_a_call_goes_both_ways)
{
  CallOutput *output;
  guint i, n;

  begin_call ("mode=tfrc-sp");
  fail_unless_equals_int (a.port, 6000);
  call_run (6 * GST_SECOND, &a, &b, NULL);
  output = call_end_get_output (&a, 0);
  n = output->packets->len;
  fail_unless (n > 250 && n <= 300, "%u packets", n);
  fail_unless (g_str_has_prefix (output->caps, "application/x-rtp, "
          "media=(string)audio, encoding-name=(string)OPUS, "
          "clock-rate=(int)48000, payload=(int)96"), "%s", output->caps);
  fail_unless_equals_int (output->stream_starts, 1);
  fail_unless_equals_int (output->caps_events, 1);
  fail_unless_equals_int (output->segments, 1);
  fail_unless_equals_int (output->losses, 0);
  /* 100 ms of latency after an arrival, and 20 ms from one to the next */
  for (i = n - 100; i < n; i++)
    fail_unless (ABS (GST_CLOCK_DIFF (get_pts (&a, 0, i - 1), get_pts (&a, 0,
                    i)) - (gint64) CALL_FRAME) < (gint64) GST_MSECOND);
  call_end_expect_states (&a, "0:waiting 0:connected");
  call_end_expect_states (&b, "0:waiting 0:connected");
  fail_unless_equals_string (a.last_address, "127.0.0.1:6002");
  fail_unless (a.last_label == NULL);
  end_call ();
}

GST_END_TEST;

/* The first packet tells the round-trip time by its report; where it is lost, RTCP does. */
GST_START_TEST (test_a_call_whose_first_packet_is_lost_begins_all_the_same)
{
  begin_call ("mode=tfrc-sp");
  net_set_rules (6002, &(NetRules) {.drop_every = 1});
  call_run (3 * CALL_FRAME, &a, NULL);
  fail_unless_equals_int (call_end_count_packets (&b, 0), 0);
  net_set_rules (6002, &(NetRules) {.drop_every = 0});
  call_run (400 * GST_MSECOND, &a, NULL);
  fail_unless (call_end_count_packets (&b, 0) > 10, "%u packets",
      call_end_count_packets (&b, 0));
  end_call ();
}

GST_END_TEST;

/* Packets are handed out at once when none is missing, with the running time at which they
 * arrived; the latency is for what is missing. */
GST_START_TEST (test_packets_come_with_the_time_of_their_arrival)
{
  GstClockTime base, before;
  guint n;

  begin_call ("");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  n = call_end_count_packets (&a, 0);
  base = gst_element_get_base_time (a.call);
  before = net_get_time ();
  call_run (CALL_FRAME, &a, &b, NULL);
  fail_unless_equals_int (call_end_count_packets (&a, 0), n + 1);
  /* sent at `before`, it took the path's delay */
  fail_unless (ABS (GST_CLOCK_DIFF (before + NET_DELAY - base, get_pts (&a, 0,
                  n))) < (gint64) (3 * GST_MSECOND));
  end_call ();
}

GST_END_TEST;

static guint
count_in (CallEnd * end, GstClockTime duration)
{
  guint before = call_end_count_packets (end, 0);

  call_run (duration, &a, &b, NULL);
  return call_end_count_packets (end, 0) - before;
}

/* An assertion of the depayloaders of GStreamer 1.26 ends the process for packets with extensions. */
GST_START_TEST (test_packets_come_without_the_stamp)
{
  GPtrArray *packets;
  guint8 start;
  guint i;

  begin_call ("");
  call_run (2 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_get_peer_stat (&b, 0, "data-receiver", "packets") > 90);
  packets = call_end_get_output (&b, 0)->packets;
  fail_unless (packets->len > 90);
  for (i = 0; i < packets->len; i++) {
    GstBuffer *packet = g_ptr_array_index (packets, i);

    fail_unless_equals_int (gst_buffer_extract (packet, 0, &start, 1), 1);
    fail_unless_equals_int (start, 0x80);
    fail_unless_equals_int (gst_buffer_get_size (packet), 12 + CALL_PAYLOAD);
  }
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_a_pause_drops_what_comes_and_goes_on)
{
  guint n;

  begin_call ("");
  fail_unless (count_in (&a, 3 * GST_SECOND) > 100);
  gst_element_set_state (a.pipeline, GST_STATE_PAUSED);
  settle ();
  n = call_end_count_packets (&a, 0);
  call_run (2 * GST_SECOND, &b, NULL);
  fail_unless_equals_int (call_end_count_packets (&a, 0), n);
  gst_element_set_state (a.pipeline, GST_STATE_PLAYING);
  settle ();
  fail_unless (count_in (&a, 1 * GST_SECOND) > 45);
  fail_unless (GST_BUFFER_FLAG_IS_SET (g_ptr_array_index (call_end_get_output
              (&a, 0)->packets, n), GST_BUFFER_FLAG_DISCONT));
  fail_if (GST_BUFFER_FLAG_IS_SET (g_ptr_array_index (call_end_get_output
              (&a, 0)->packets, n + 1), GST_BUFFER_FLAG_DISCONT));
  end_call ();
}

GST_END_TEST;

/* As after a flushing seek in a pipeline that plays a file too: what comes has the new running time. */
GST_START_TEST (test_received_times_follow_a_running_time_that_begins_anew)
{
  GstClockTime time;
  guint n;

  begin_call ("");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  gst_element_set_state (a.pipeline, GST_STATE_PAUSED);
  gst_element_set_start_time (a.pipeline, 0);
  gst_element_set_state (a.pipeline, GST_STATE_PLAYING);
  settle ();
  n = call_end_count_packets (&a, 0);
  fail_unless (count_in (&a, 1 * GST_SECOND) > 45);
  fail_unless (get_pts (&a, 0, n - 1) > 4 * GST_SECOND);
  fail_unless (get_pts (&a, 0, n) < 100 * GST_MSECOND);
  n = call_end_count_packets (&a, 0);
  time = net_get_time () - gst_element_get_base_time (a.call);
  fail_unless (time < 1100 * GST_MSECOND);
  fail_unless (ABS (GST_CLOCK_DIFF (get_pts (&a, 0, n - 1), time)) <
      (gint64) (30 * GST_MSECOND));
  end_call ();
}

GST_END_TEST;

/* Each start is a new call: a new session, which the other end follows. */
GST_START_TEST (test_ends_can_be_stopped_and_started_many_times)
{
  guint i, ssrc = 0;

  call_end_start (&b, "port=6002 accept=none " PEER_OF (6000));
  call_end_init (&a, "port=6000 " PEER_OF (6002));
  for (i = 0; i < 5; i++) {
    guint now;

    call_end_play (&a);
    fail_unless_equals_int (a.port, 6000);
    fail_unless_equals_int (net_count_sockets (), 2);
    call_end_feed (&a, 0);
    call_run (3 * GST_SECOND, &a, NULL);
    fail_unless (call_end_count_packets (&b, 0) > 100 * (i + 1), "%u: %u", i,
        call_end_count_packets (&b, 0));
    now = call_end_get_peer_stat (&b, 0, "session", "remote-ssrc");
    fail_if (now == ssrc);
    ssrc = now;
    call_end_release (&a, 0);
    gst_element_set_state (a.pipeline, i % 2 == 0 ? GST_STATE_NULL :
        GST_STATE_READY);
    fail_unless_equals_int (net_count_sockets (), 1);
    g_object_get (a.call, "local-port", &a.port, NULL);
    fail_unless_equals_int (a.port, 0);
    net_run (100 * GST_MSECOND);
    call_end_expect_states (&b, i == 0 ? "0:waiting 0:connected 0:gone" :
        "0:connected 0:gone");
  }
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_a_bye_is_sent_when_an_end_stops)
{
  begin_call ("");
  call_run (2 * GST_SECOND, &a, &b, NULL);
  call_end_stop (&a);
  net_run (NET_DELAY + GST_MSECOND);
  call_end_expect_states (&b, "0:waiting 0:connected 0:gone");
  call_end_stop (&b);
}

GST_END_TEST;

GST_START_TEST (test_silence_and_absence_are_told)
{
  begin_call ("");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:waiting 0:connected");
  net_set_rules (6000, &(NetRules) {.block = TRUE});
  call_run (4 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "");
  call_run (12 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:lost");
  net_set_rules (6000, &(NetRules) {.block = FALSE});
  call_run (3 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:regained");
  net_set_rules (6000, &(NetRules) {.block = TRUE});
  call_run (58 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:lost");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:gone");
  /* one that was added stays and may come back */
  net_set_rules (6000, &(NetRules) {.block = FALSE});
  call_run (5 * GST_SECOND, &a, &b, NULL);
  call_end_expect_states (&a, "0:connected");
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_losses_are_announced_and_measured)
{
  begin_call ("");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6000, &(NetRules) {.drop_every = 20});
  call_run (10 * GST_SECOND, &a, &b, NULL);
  fail_unless (net_get_counts (6000).dropped >= 20);
  fail_unless (ABS ((gint) call_end_get_output (&a, 0)->losses -
          (gint) net_get_counts (6000).dropped) <= 2);
  fail_unless_equals_int (call_end_get_output (&b, 0)->losses, 0);
  fail_unless (call_end_get_peer_stat (&b, 0, "data-sender", "p") > 0.02);
  fail_unless (call_end_get_peer_stat (&b, 0, "data-sender", "p") < 0.1);
  fail_unless (call_end_get_peer_stat (&a, 0, "data-sender", "p") == 0);
  fail_unless (ABS (call_end_get_peer_stat (&a, 0, "session", "packets-lost")
          - net_get_counts (6000).dropped) <= 2);
  end_call ();
}

GST_END_TEST;

typedef struct
{
  GstClockTime timestamp, duration;
} Loss;

static GstPadProbeReturn
note_loss (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const GstStructure *s =
      gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));
  Loss *loss = data;

  if (s != NULL && gst_structure_has_name (s, "GstRTPPacketLost")) {
    gst_structure_get_uint64 (s, "timestamp", &loss->timestamp);
    gst_structure_get_uint64 (s, "duration", &loss->duration);
  }
  return GST_PAD_PROBE_OK;
}

/* A loss is told in running time, as packets are. */
GST_START_TEST (test_a_loss_is_told_where_the_packet_would_have_been)
{
  Loss loss = { 0 };
  guint n;

  begin_call ("");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  gst_pad_add_probe (call_end_get_output (&a, 0)->pad,
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note_loss, &loss, NULL);
  net_set_rules (6000, &(NetRules) {.block = TRUE});
  n = call_end_count_packets (&a, 0);
  call_run (CALL_FRAME, &a, &b, NULL);
  net_set_rules (6000, &(NetRules) {.block = FALSE});
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (call_end_get_output (&a, 0)->losses, 1);
  fail_unless (ABS (GST_CLOCK_DIFF (get_pts (&a, 0, n - 1) + CALL_FRAME,
              loss.timestamp)) < (gint64) (2 * GST_MSECOND),
      "%" GST_TIME_FORMAT, GST_TIME_ARGS (loss.timestamp));
  fail_unless (ABS (GST_CLOCK_DIFF (loss.duration, CALL_FRAME)) < 10000);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_congestion_marks_are_losses_that_nobody_hears)
{
  begin_call ("");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6000, &(NetRules) {.mark = 3});
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_get_peer_stat (&a, 0, "data-receiver", "marked") > 10);
  fail_unless (call_end_get_peer_stat (&b, 0, "data-sender", "p") > 0.1);
  fail_unless_equals_int (call_end_get_output (&a, 0)->losses, 0);
  end_call ();
}

GST_END_TEST;

/* --- statistics --- */

static gdouble
get_session (CallEnd * end, const gchar * name)
{
  return call_end_get_peer_stat (end, 0, "session", name);
}

GST_START_TEST (test_the_statistics_of_both_ends_agree)
{
  NetCounts to_b;
  guint lost;

  begin_call ("");
  call_run (5 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6002, &(NetRules) {.drop_every = 10});
  call_run (10 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6002, &(NetRules) {.drop_every = 0});
  /* two compound packets behind the one of which these losses are a part, up to 4.5 s apart */
  call_run (14 * GST_SECOND, &a, &b, NULL);
  net_run (100 * GST_MSECOND);
  to_b = net_get_counts (6002);
  lost = to_b.dropped;
  fail_unless (lost > 20);
  fail_unless_equals_int (get_session (&a, "packets-sent"),
      to_b.packets - to_b.rtcp);
  /* payload alone */
  fail_unless_equals_int (get_session (&a, "octets-sent"),
      CALL_PAYLOAD * (to_b.packets - to_b.rtcp));
  fail_unless_equals_int (get_session (&b, "packets-received"),
      to_b.packets - to_b.rtcp - lost);
  fail_unless_equals_int (get_session (&b, "octets-received"),
      CALL_PAYLOAD * (to_b.packets - to_b.rtcp - lost));
  fail_unless_equals_int (get_session (&b, "packets-lost"), lost);
  fail_unless_equals_int (get_session (&a, "remote-packets-lost"), lost);
  fail_unless (get_session (&a, "remote-fraction-lost") < 0.01);
  fail_unless_equals_int (get_session (&b, "remote-packets-lost"), 0);
  fail_unless_equals_int (get_session (&a, "packets-lost"), 0);
  fail_unless_equals_int (get_session (&a, "ssrc"), get_session (&b,
          "remote-ssrc"));
  fail_unless_equals_int (get_session (&b, "ssrc"), get_session (&a,
          "remote-ssrc"));
  fail_unless (ABS (get_session (&a, "round-trip-time") - 2.0 * NET_DELAY) <
      GST_MSECOND);
  fail_unless_equals_int (get_session (&a, "rtcp-sent"), to_b.rtcp);
  fail_unless_equals_int (get_session (&b, "rtcp-received"), to_b.rtcp);
  fail_unless_equals_int (get_session (&a, "reports-sent"), get_session (&b,
          "reports-received"));
  fail_unless (get_session (&a, "reports-sent") > 20);
  fail_unless (get_session (&a, "reports-sent") < to_b.rtcp);
  fail_unless_equals_int (get_session (&a, "malformed"), 0);
  fail_unless_equals_int (get_session (&a, "strangers"), 0);
  fail_unless_equals_int (call_end_get_stat (&a, "datagrams-sent"),
      to_b.packets);
  fail_unless_equals_int (call_end_get_stat (&b, "datagrams-received"),
      to_b.packets - lost);
  fail_unless_equals_int (call_end_get_stat (&a, "not-sent"), 0);
  fail_unless_equals_int (call_end_get_stat (&a, "overflowed"), 0);
  end_call ();
}

GST_END_TEST;

static gdouble
get_playout (const gchar * name)
{
  return call_end_get_peer_stat (&a, 0, "playout", name);
}

GST_START_TEST (test_the_playout_buffer_tells_what_became_of_packets)
{
  guint n;

  begin_call ("");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (get_playout ("packets"), call_end_count_packets (&a,
          0));
  fail_unless_equals_int (get_playout ("late") + get_playout ("duplicates") +
      get_playout ("dropped") + get_playout ("lost") +
      get_playout ("restarts"), 0);
  fail_unless (get_playout ("jitter") < 3 * GST_MSECOND);
  net_set_rules (6000, &(NetRules) {.duplicate_every = 1});
  call_run (1 * GST_SECOND, &a, &b, NULL);
  net_set_rules (6000, &(NetRules) {.duplicate_every = 0});
  /* whose first copy has been played already */
  fail_unless (get_playout ("late") + get_playout ("duplicates") >= 45);
  n = get_playout ("late");
  /* one packet is late by more than the latency */
  net_set_rules (6000, &(NetRules) {.delay = 300 * GST_MSECOND});
  call_run (CALL_FRAME, &a, &b, NULL);
  net_set_rules (6000, &(NetRules) {.delay = 0});
  call_run (60 * GST_MSECOND, &a, &b, NULL);
  fail_unless_equals_int (get_playout ("lost"), 0);
  fail_unless (get_playout ("waiting") >= 1);
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (get_playout ("lost"), 1);
  fail_unless_equals_int (get_playout ("late"), n + 1);
  fail_unless_equals_int (get_playout ("waiting"), 0);
  fail_unless (get_playout ("jitter") > 0);
  end_call ();
}

GST_END_TEST;

/* Reports take a small share of what they are about: when packets become rare, so do they. */
GST_START_TEST (test_reports_of_a_slow_stream_are_rare)
{
  guint fast, slow = 0, i;

  begin_call ("");
  call_run (5 * GST_SECOND, &a, NULL);
  fast = get_session (&b, "reports-sent");
  call_run (5 * GST_SECOND, &a, NULL);
  fast = get_session (&b, "reports-sent") - fast;
  for (i = 0; i < 150; i++) {
    if (i == 50)
      slow = get_session (&b, "reports-sent");
    call_end_push (&a, 0);
    net_run (200 * GST_MSECOND);
  }
  slow = get_session (&b, "reports-sent") - slow;
  /* six in a second, of reduced size, and a little more than one */
  fail_unless (fast >= 25 && fast <= 38, "%u", fast);
  fail_unless (slow >= 20 && slow <= 40, "%u", slow);
  end_call ();
}

GST_END_TEST;

/* --- more than one peer --- */

GST_START_TEST (test_peers_share_a_port_and_nothing_else)
{
  CallEnd server;
  guint ids[2], n;
  gchar *text;

  call_end_start (&server, "port=6004 accept=none");
  call_end_start (&a, "port=6000 " PEER_OF (6004));
  call_end_start (&b, "port=6002 " PEER_OF (6004));
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
  ids[0] = call_end_add_peer (&server, "127.0.0.1", 6000, "anna");
  ids[1] = call_end_add_peer (&server, "127.0.0.1", 6002, NULL);
  fail_unless_equals_int (ids[0], 1);
  fail_unless_equals_int (ids[1], 2);
  fail_unless_equals_int (call_end_count_peers (&server), 2);
  /* an address is one peer's */
  fail_unless_equals_int (call_end_add_peer (&server, "127.0.0.1", 6002, NULL),
      0);
  fail_unless_equals_int (call_end_count_peers (&server), 2);
  call_end_feed (&server, ids[0]);
  call_run (3 * GST_SECOND, &a, &b, &server, NULL);
  fail_unless (call_end_count_packets (&server, ids[0]) > 100);
  fail_unless (call_end_count_packets (&server, ids[1]) > 100);
  fail_unless (call_end_count_packets (&a, 0) > 100);
  fail_unless_equals_int (call_end_count_packets (&b, 0), 0);
  fail_unless (g_strcmp0 (call_end_get_output (&server, ids[0])->stream_id,
          call_end_get_output (&server, ids[1])->stream_id) != 0);
  text = call_end_get_peer_text (&server, ids[0], "label");
  fail_unless_equals_string (text, "anna");
  g_free (text);
  text = call_end_get_peer_text (&server, ids[1], "address");
  fail_unless_equals_string (text, "127.0.0.1:6002");
  g_free (text);
  text = call_end_get_peer_text (&server, ids[1], "connection");
  fail_unless_equals_string (text, "connected");
  g_free (text);

  /* one leaves, and the other hears nothing of that */
  fail_unless (call_end_remove_peer (&server, ids[0]));
  fail_if (call_end_remove_peer (&server, ids[0]));
  fail_unless (call_end_get_output (&server, ids[0])->removed);
  fail_unless_equals_int (call_end_get_output (&server, ids[0])->eos, 1);
  fail_unless_equals_int (call_end_get_output (&server, ids[0])->flushes, 0);
  fail_if (call_end_get_output (&server, ids[1])->removed);
  fail_unless (call_end_get_peer_stats (&server, ids[0]) == NULL);
  fail_unless_equals_int (call_end_count_peers (&server), 1);
  n = call_end_count_packets (&server, ids[1]);
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&server, ids[1]) > n + 45);
  call_end_expect_states (&a, "0:waiting 0:connected 0:gone");
  call_end_expect_states (&b, "0:waiting 0:connected");
  /* the pad of the peer that was removed takes nothing any more */
  fail_unless_equals_int (call_end_push (&server, ids[0]), GST_FLOW_EOS);
  /* a number is not used again */
  fail_unless (call_end_add_peer (&server, "127.0.0.1", 6000, NULL) > ids[1]);
  call_end_stop (&server);
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_peers_that_are_added_before_the_start_join_then)
{
  CallEnd server;
  guint id;

  call_end_init (&server, "port=6004 accept=none");
  id = call_end_add_peer (&server, "127.0.0.1", 6000, "anna");
  fail_unless_equals_int (id, 1);
  fail_unless (call_end_get_peer_stats (&server, id) == NULL);
  fail_unless_equals_int (call_end_count_peers (&server), 0);
  call_end_play (&server);
  fail_unless_equals_int (call_end_count_peers (&server), 1);
  call_end_start (&a, "port=6000 " PEER_OF (6004));
  call_end_feed (&a, 0);
  call_run (2 * GST_SECOND, &a, NULL);
  fail_unless (call_end_count_packets (&server, id) > 50);
  call_end_expect_states (&server, "1:waiting 1:connected");
  fail_unless_equals_string (server.last_label, "anna");
  /* the peer outlives a stop, and what it does */
  gst_element_set_state (server.pipeline, GST_STATE_READY);
  fail_unless (call_end_get_output (&server, id)->removed);
  fail_unless (call_end_get_peer_stats (&server, id) == NULL);
  call_end_play (&server);
  fail_unless_equals_int (call_end_count_peers (&server), 1);
  fail_unless (call_end_remove_peer (&server, id));
  fail_unless_equals_int (call_end_count_peers (&server), 0);
  call_end_stop (&server);
  call_end_stop (&a);
}

GST_END_TEST;

GST_START_TEST (test_no_more_than_max_peers_are_added)
{
  CallEnd server;

  call_end_start (&server, "accept=none max-peers=2");
  fail_unless_equals_int (call_end_add_peer (&server, "127.0.0.1", 6000, NULL),
      1);
  fail_unless_equals_int (call_end_add_peer (&server, "127.0.0.1", 6002, NULL),
      2);
  fail_unless_equals_int (call_end_add_peer (&server, "127.0.0.1", 6004, NULL),
      0);
  fail_unless (call_end_remove_peer (&server, 1));
  fail_unless (call_end_add_peer (&server, "127.0.0.1", 6004, NULL) > 2);
  call_end_stop (&server);
}

GST_END_TEST;

GST_START_TEST (test_a_host_that_cannot_be_found_is_no_peer)
{
  CallEnd server;

  call_end_start (&server, "accept=none");
  fail_unless_equals_int (call_end_add_peer (&server, "no.such.invalid.", 6000,
          NULL), 0);
  fail_unless_equals_int (call_end_add_peer (&server, NULL, 6000, NULL), 0);
  fail_unless_equals_int (call_end_count_peers (&server), 0);
  call_end_stop (&server);
}

GST_END_TEST;

/* --- IPv6, marks --- */

GST_START_TEST (test_a_call_by_ipv6)
{
  call_end_start (&a, "port=6000 peer=[::1]:6002 mode=tfrc-sp");
  call_end_start (&b, "port=6002 peer=[::1]:6000 mode=tfrc-sp address=::1");
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless (call_end_count_packets (&a, 0) > 100);
  fail_unless (call_end_count_packets (&b, 0) > 100);
  fail_unless_equals_string (a.last_address, "[::1]:6002");
  fail_unless_equals_string (net_get_last (6002).to, "[::1]:6002");
  end_call ();
}

GST_END_TEST;

GST_START_TEST (test_packets_have_the_code_point_that_is_asked_for)
{
  begin_call ("dscp=46");
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (net_get_last (6002).tos, 46 << 2);
  end_call ();
  begin_call ("");
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (net_get_last (6002).tos, 0);
  end_call ();
}

GST_END_TEST;

/* A machine with several addresses answers from the one that was called. */
GST_START_TEST (test_answers_leave_from_the_address_that_was_called)
{
  static guint8 packet[PHONE_RTP] = { 0x80, 96, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4 };
  guint i;

  net_open (7000);
  call_end_start (&a, "port=6000 " PEER_OF (7000));
  for (i = 0; i < 100; i++) {
    packet[3] = i;
    net_send_from ("127.0.0.1", 7000, "127.0.0.5", 6000, 0, packet,
        sizeof packet);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_string (net_get_last (7000).from, "127.0.0.5:6000");
  call_end_stop (&a);
}

GST_END_TEST;

/* --- what upstream is told --- */

static GstPadProbeReturn
count_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  guint *counts = data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstTfrcRate rate;

  counts[0] += gst_tfrc_rate_event_parse (event, &rate);
  counts[1] += gst_event_has_name (event, "GstForceKeyUnit");
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_encoders_are_told_the_rate_and_asked_for_key_frames)
{
  guint counts[2] = { 0 }, other[2] = { 0 };

  begin_call ("");
  gst_pad_add_probe (call_end_get_feeder (&a, 0),
      GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_upstream, counts, NULL);
  gst_pad_add_probe (call_end_get_feeder (&b, 0),
      GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_upstream, other, NULL);
  call_run (2 * GST_SECOND, &a, &b, NULL);
  fail_unless (counts[0] > 0);
  fail_unless_equals_int (counts[1], 0);
  /* the decoder of b asks */
  gst_pad_push_event (call_end_get_output (&b, 0)->pad,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("GstForceKeyUnit")));
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (counts[1], 1);
  fail_unless_equals_int (other[1], 0);
  /* other events go no further */
  gst_pad_push_event (call_end_get_output (&b, 0)->pad,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("Other")));
  call_run (1 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (counts[1], 1);
  end_call ();
}

GST_END_TEST;

/* Before the first report one packet departs in a second. Who appears meanwhile does not wait for it. */
GST_START_TEST (test_who_comes_a_second_late_is_heard_at_once)
{
  GstClockTime begin;

  call_end_start (&a, "port=6000 mode=tfrc-sp " PEER_OF (6002));
  call_end_feed (&a, 0);
  call_run (1100 * GST_MSECOND, &a, NULL);
  call_end_start (&b, "port=6002 mode=tfrc-sp " PEER_OF (6000));
  begin = net_get_time ();
  while (call_end_count_packets (&b, 0) == 0
      && net_get_time () < begin + 2 * GST_SECOND)
    call_run (CALL_FRAME, &a, NULL);
  /* three ways of the path, and the latency of the playout */
  fail_unless (net_get_time () - begin <= 400 * GST_MSECOND);
  call_run (500 * GST_MSECOND, &a, NULL);
  fail_unless (call_end_count_packets (&b, 0) >= 20);
  end_call ();
}

GST_END_TEST;

/* One way of the path is dead. Whoever sends there hears the other end all the time. Without the circuit breaker, which
 * waits after a media timeout as long as that took (RFC 8083 4.5). In the first seconds of a call each end still repeats its
 * settings. */
GST_START_TEST (test_voice_is_back_soon_after_an_outage_of_one_way)
{
  static const NetRules blocked = { .block = TRUE }, free = { 0 };
  guint seconds = 1 + __i__ / 5, before;
  GstClockTime begin;

  begin_call ("mode=tfrc-sp circuit-breaker=false");
  call_run (seconds * GST_SECOND, &a, &b, NULL);
  net_set_rules (a.port, &blocked);
  call_run ((10 + 7 * (__i__ % 5)) * GST_SECOND, &a, &b, NULL);
  net_set_rules (a.port, &free);
  begin = net_get_time ();
  do {
    before = call_end_count_packets (&a, 0);
    call_run (200 * GST_MSECOND, &a, &b, NULL);
  } while (call_end_count_packets (&a, 0) < before + 8
      && net_get_time () < begin + 20 * GST_SECOND);
  /* RTCP that tells of the return is up to 4.5 s apart at first */
  fail_unless (net_get_time () - begin <= (seconds < 5 ? 5 : 3) * GST_SECOND,
      "%g s", (gdouble) (net_get_time () - begin) / GST_SECOND);
  end_call ();
}

GST_END_TEST;

/* --- other ends --- */

GST_START_TEST (test_an_end_of_another_mode_is_warned_of)
{
  call_end_start (&a, "port=6000 mode=tfrc " PEER_OF (6002));
  call_end_start (&b, "port=6002 mode=tfrc-sp " PEER_OF (6000));
  call_end_feed (&a, 0);
  call_end_feed (&b, 0);
  call_run (6 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (a.warnings, 1);
  fail_unless (strstr (a.warning, "\"mode\"") != NULL, "%s", a.warning);
  fail_unless (strstr (a.warning, "Peer 0") != NULL, "%s", a.warning);
  fail_unless_equals_int (b.warnings, 1);
  end_call ();
  begin_call ("mode=tfrc-sp");
  call_run (3 * GST_SECOND, &a, &b, NULL);
  fail_unless_equals_int (a.warnings + b.warnings, 0);
  end_call ();
}

GST_END_TEST;

static void
push_size (gsize size)
{
  GstBuffer *packet = gst_buffer_new_allocate (NULL, size, NULL);
  guint8 header[12] = { 0x80, 96 };

  GST_WRITE_UINT32_BE (header + 4, a.rtptime);
  a.rtptime += 2 * 48000;
  gst_buffer_memset (packet, 0, 0, size);
  gst_buffer_fill (packet, 0, header, sizeof header);
  gst_buffer_memset (packet, size - 1, 77, 1);
  fail_unless_equals_int (gst_pad_push (call_end_get_feeder (&a, 0), packet),
      GST_FLOW_OK);
  net_run (2 * GST_SECOND);
}

/* Whatever UDP can carry leaves whole, and what it cannot is counted. */
GST_START_TEST (test_packets_of_any_size_are_sent)
{
  static const gsize sizes[] = { 2000, 2048, 2049, 60000, 65000, 70000, 2000 };
  guint i, n;

  begin_call ("mtu=65535 max-queue-time=0");
  call_run (2 * GST_SECOND, &a, &b, NULL);
  n = call_end_count_packets (&b, 0);
  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBuffer *last;
    guint8 byte;

    push_size (sizes[i]);
    fail_unless_equals_int (call_end_get_stat (&a, "not-sent"),
        sizes[i] == 70000 || i == 6);
    if (sizes[i] == 70000)
      continue;
    fail_unless (call_end_count_packets (&b, 0) == ++n, "%" G_GSIZE_FORMAT
        " bytes", sizes[i]);
    last = g_ptr_array_index (call_end_get_output (&b, 0)->packets, n - 1);
    /* with the stamp's header extension */
    fail_unless (gst_buffer_get_size (last) >= sizes[i]);
    gst_buffer_extract (last, gst_buffer_get_size (last) - 1, &byte, 1);
    fail_unless_equals_int (byte, 77);
  }
  end_call ();
}

GST_END_TEST;

static Suite *
bincalls_suite (void)
{
  Suite *s = suite_create ("bincalls");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, test_a_call_goes_both_ways);
  tcase_add_test (tc,
      test_a_call_whose_first_packet_is_lost_begins_all_the_same);
  tcase_add_test (tc, test_packets_come_with_the_time_of_their_arrival);
  tcase_add_test (tc, test_packets_come_without_the_stamp);
  tcase_add_test (tc, test_a_pause_drops_what_comes_and_goes_on);
  tcase_add_test (tc,
      test_received_times_follow_a_running_time_that_begins_anew);
  tcase_add_test (tc, test_ends_can_be_stopped_and_started_many_times);
  tcase_add_test (tc, test_a_bye_is_sent_when_an_end_stops);
  tcase_add_test (tc, test_silence_and_absence_are_told);
  tcase_add_test (tc, test_losses_are_announced_and_measured);
  tcase_add_test (tc, test_a_loss_is_told_where_the_packet_would_have_been);
  tcase_add_test (tc, test_congestion_marks_are_losses_that_nobody_hears);
  tcase_add_test (tc, test_the_statistics_of_both_ends_agree);
  tcase_add_test (tc, test_the_playout_buffer_tells_what_became_of_packets);
  tcase_add_test (tc, test_reports_of_a_slow_stream_are_rare);
  tcase_add_test (tc, test_peers_share_a_port_and_nothing_else);
  tcase_add_test (tc, test_peers_that_are_added_before_the_start_join_then);
  tcase_add_test (tc, test_no_more_than_max_peers_are_added);
  tcase_add_test (tc, test_a_host_that_cannot_be_found_is_no_peer);
  tcase_add_test (tc, test_a_call_by_ipv6);
  tcase_add_test (tc, test_packets_have_the_code_point_that_is_asked_for);
  tcase_add_test (tc, test_answers_leave_from_the_address_that_was_called);
  tcase_add_test (tc, test_encoders_are_told_the_rate_and_asked_for_key_frames);
  tcase_add_test (tc, test_who_comes_a_second_late_is_heard_at_once);
  tcase_add_loop_test (tc, test_voice_is_back_soon_after_an_outage_of_one_way,
      0, 25);
  tcase_add_test (tc, test_an_end_of_another_mode_is_warned_of);
  tcase_add_test (tc, test_packets_of_any_size_are_sent);
  return s;
}

GST_CHECK_MAIN (bincalls);
