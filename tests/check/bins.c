/* gst-tfrc tests: calls from tfrcsink to tfrcsrc in the network and the time of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <netinet/in.h>
#include <string.h>

#include "ends.h"
#include "rtcp.h"
#include "settle.h"

#define SP "mode=tfrc-sp"
#define FULL 50                 /* packets in a second */

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

/* Within the test: its threads are to have ended with it. */
static void
stop (void)
{
  ends_stop (&ends);
  fail_unless_equals_int (net_count_sockets (), 0);
}

/* A call that has found its rate. */
static void
start_call (const gchar * receiver, const gchar * sender)
{
  ends_start_receiver (&ends, receiver);
  ends_start_sender (&ends, sender);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  fail_unless_equals_int (ends.earlier, 0);
}

static void
check_none (GstElement * end, const gchar * stat)
{
  fail_unless (ends_get_stat (end, stat) == 0, "%s: %u", stat,
      (guint) ends_get_stat (end, stat));
}

/* --- calls ------------------------------------------------------------------------- */

GST_START_TEST (a_call_plays_in_either_mode)
{
  static const gchar *const modes[] = { "mode=tfrc", "mode=tfrc-sp" };
  guint64 R;

  start_call (modes[__i__], modes[__i__]);
  check_none (ends.src, "packets-of-others");
  check_none (ends.src, "packets-malformed");
  check_none (ends.src, "packets-unexpected");
  check_none (ends.sink, "packets-malformed");
  check_none (ends.sink, "rtcp-foreign");
  check_none (ends.sink, "send-errors");
  fail_unless (ends_get_stat (ends.sink, "reports") > 15);
  g_object_get (ends.sink, "round-trip-time", &R, NULL);
  fail_unless (R > 2 * NET_DELAY - GST_MSECOND / 5
      && R < 2 * NET_DELAY + GST_MSECOND / 5, "%" G_GUINT64_FORMAT, R);
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") == 0);
  stop ();
}

GST_END_TEST;

static void
check_remote (const gchar * expected)
{
  gchar *remote, *text = g_strdup_printf (expected,
      ends_get_port (ends.sink));

  g_object_get (ends.src, "remote-address", &remote, NULL);
  fail_unless_equals_string (remote, text);
  g_free (remote);
  g_free (text);
}

GST_START_TEST (a_call_plays_over_ipv4_and_ipv6)
{
  start_call ("address=127.0.0.1", "bind-address=127.0.0.1");
  check_remote ("127.0.0.1:%u");
  stop ();
  net_stop ();
  set_up ();
  start_call ("address=::1", "host=::1 bind-address=::1");
  check_remote ("[::1]:%u");
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_call_plays_on_two_ports_without_rtcp_mux)
{
  guint back;

  start_call ("rtcp-mux=false", "rtcp-mux=false");
  back = ends_get_port (ends.sink);
  check_none (ends.src, "packets-unexpected");
  check_none (ends.sink, "packets-unexpected");
  fail_unless_equals_int (net_get_counts (ends.port).rtcp, 0);
  fail_unless_equals_int (net_get_counts (back).packets, 0);
  fail_unless (net_get_counts (ends.port + 1).rtcp > 0);
  fail_unless_equals_int (net_get_counts (ends.port + 1).rtcp,
      net_get_counts (ends.port + 1).packets);
  fail_unless (net_get_counts (back + 1).rtcp > 15);
  stop ();
}

GST_END_TEST;

GST_START_TEST (rtcp_and_rtp_share_the_port_both_ways)
{
  NetCounts forth, back;

  start_call (SP, SP);
  forth = net_get_counts (ends.port);
  back = net_get_counts (ends_get_port (ends.sink));
  fail_unless (forth.rtcp >= 1);
  fail_unless (back.rtcp >= 15);
  fail_unless_equals_int (back.packets, back.rtcp);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_lossy_path)
{
  guint dropped, played;

  start_call (SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .drop_every = 11});
  played = ends_play (&ends, 5 * GST_SECOND);
  dropped = net_get_counts (ends.port).dropped;
  fail_unless (dropped == 22 || dropped == 23, "%u", dropped);
  fail_unless (played >= 250 - dropped - 6 && played <= 250 - dropped, "%u",
      played);
  fail_unless_equals_int (ends.earlier, 0);
  fail_unless (ends_get_double (ends.src, "loss-event-rate") > 0.05);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_reorders)
{
  guint played;

  start_call (SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .swap_every = 7});
  played = ends_play (&ends, 5 * GST_SECOND);
  fail_unless (played >= 244 && played <= 250, "%u", played);
  fail_unless_equals_int (ends.earlier, 0);
  check_none (ends.src, "lost");
  fail_unless (ends_get_stat (ends.src, "reordered") > 20);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_duplicates)
{
  start_call (SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .duplicate_every = 3});
  fail_unless_equals_int (ends_play (&ends, 5 * GST_SECOND), 250);
  fail_unless (ends_get_stat (ends.src, "duplicates") > 80);
  check_none (ends.src, "lost");
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_restarted_sender_goes_on_playing)
{
  guint first, i;

  start_call (SP, SP);
  first = ends_get_stat (ends.src, "ssrc");
  for (i = 1; i <= 3; i++) {
    ends_stop_sender (&ends);
    ends_start_sender (&ends, SP);
    ends_play (&ends, 3 * GST_SECOND);
    fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
    fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), i);
  }
  fail_if (ends_get_stat (ends.src, "ssrc") == first);
  fail_unless_equals_int (ends.earlier, 0);
  check_none (ends.src, "packets-of-others");
  stop ();
}

GST_END_TEST;

/* What a sender begins with comes in one go, so that its times are ahead of its
 * arrivals. */
GST_START_TEST (time_goes_on_when_a_sender_that_began_late_is_restarted)
{
  guint i;

  ends_start_receiver (&ends, SP);
  ends_start_sender (&ends, SP);
  for (i = 0; i < 30; i++) {
    net_set_rules (ends.port, &(NetRules) {
            .delay = (30 - i) * ENDS_FRAME}
        );
    ends_play (&ends, ENDS_FRAME);
  }
  net_set_rules (ends.port, &(NetRules) {0,}
      );
  ends_play (&ends, GST_SECOND);
  ends_stop_sender (&ends);
  ends_start_sender (&ends, SP);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 1);
  fail_unless_equals_int (ends.earlier, 0);
  stop ();
}

GST_END_TEST;

GST_START_TEST (the_bye_of_the_sender_reaches_the_application)
{
  GstMessage *message = NULL;
  guint ssrc, said;

  start_call (SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  ends_stop_sender (&ends);
  ends_play (&ends, NET_DELAY);
  do {
    gst_clear_message (&message);
    message = ends_pop (ends.receiver, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL);
  } while (!gst_message_has_name (message, "application/x-tfrc-bye"));
  fail_unless (gst_structure_get_uint (gst_message_get_structure (message),
          "ssrc", &said));
  fail_unless_equals_int (said, ssrc);
  gst_message_unref (message);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_sender_that_dies_without_bye_is_replaced)
{
  start_call (SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .block = TRUE}
      );
  ends_stop_sender (&ends);
  net_set_rules (ends.port, &(NetRules) {0,}
      );
  ends_start_sender (&ends, SP);
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 1);
  stop ();
}

GST_END_TEST;

static void
send_rtp (guint from, guint32 ssrc, guint16 seq)
{
  guint8 packet[32] = { 0x80, 96, };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, seq * 960u);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  net_send (from, ends.port, packet, sizeof (packet));
}

GST_START_TEST (a_second_sender_does_not_take_over)
{
  guint other = net_open (0), i;
  guint64 ssrc;

  start_call (SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  for (i = 0; i < 100; i++) {
    send_rtp (other, 0x99999999, i);
    fail_unless_equals_int (ends_play (&ends, ENDS_FRAME), 1);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-of-others"),
      100);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  check_none (ends.src, "source-changes");
  check_remote ("127.0.0.1:%u");
  stop ();
}

GST_END_TEST;

GST_START_TEST (bytes_of_anybody_are_counted_and_dropped)
{
  guint other = net_open (0), i;
  guint8 rubbish[20];

  start_call (SP, SP);
  memset (rubbish, 0xff, sizeof (rubbish));
  for (i = 0; i < sizeof (rubbish); i++) {
    net_send (other, ends.port, rubbish, i + 1);
    net_send (other, ends_get_port (ends.sink), rubbish, i + 1);
  }
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-malformed"), 20);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets-malformed"),
      20);
  /* a sender hears no RTP */
  memset (rubbish, 0, sizeof (rubbish));
  rubbish[0] = 0x80;
  net_send (other, ends_get_port (ends.sink), rubbish, sizeof (rubbish));
  net_run (NET_DELAY);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets-unexpected"),
      1);
  stop ();
}

GST_END_TEST;

/* A NAT gives RTCP a port that nobody could guess. */
GST_START_TEST (reports_go_to_the_port_that_rtcp_came_from)
{
  static const guint8 sr[28] = { 0x80, 200, 0, 6, 0x77, 0x77, 0x77, 0x77 };
  guint rtp = net_open (0), rtcp = net_open (0), i;

  ends_start_receiver (&ends, "rtcp-mux=false");
  rtcp = net_open (0);
  for (i = 0; i < 100; i++) {
    send_rtp (rtp, 0x77777777, i);
    ends_play (&ends, ENDS_FRAME);
    if (i == 50)
      net_send (rtcp, ends.port + 1, sr, sizeof (sr));
  }
  ends_play (&ends, 20 * GST_SECOND);
  fail_unless_equals_int (net_get_counts (rtp).packets, 0);
  fail_unless (net_get_counts (rtcp).rtcp > 0);
  stop ();
}

GST_END_TEST;

/* --- pauses ------------------------------------------------------------------------------- */

GST_START_TEST (a_paused_sender_sends_nothing_and_resumes)
{
  guint64 sent;

  start_call (SP, SP);
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  ends_play (&ends, 300 * GST_MSECOND);
  sent = ends_get_stat (ends.sink, "packets");
  fail_unless_equals_int (ends_play (&ends, 700 * GST_MSECOND), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets"), sent);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  check_none (ends.src, "source-changes");
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_paused_receiver_resumes_without_what_came_meanwhile)
{
  guint played;

  start_call (SP, SP);
  gst_element_set_state (ends.receiver, GST_STATE_PAUSED);
  fail_unless_equals_int (ends_play (&ends, 1500 * GST_MSECOND), 0);
  gst_element_set_state (ends.receiver, GST_STATE_PLAYING);
  settle ();
  /* 75 packets came in the pause; in 500 ms 25 come anew, and some of the jitter buffer's */
  played = ends_play (&ends, 500 * GST_MSECOND);
  fail_unless (played <= 25 + 8, "%u", played);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  stop ();
}

GST_END_TEST;

GST_START_TEST (twenty_times_up_and_down)
{
  guint i;

  start_call (SP, SP);
  for (i = 0; i < 20; i++) {
    ends_stop_sender (&ends);
    if (i % 2 == 0) {
      ends_stop_receiver (&ends);
      ends_start_receiver (&ends, SP);
    }
    ends_start_sender (&ends, SP);
    fail_unless (ends_play (&ends, GST_SECOND) >= 1, "%u", i);
  }
  stop ();
}

GST_END_TEST;

/* Payloaders that make several packets of one buffer push them as a list. */
GST_START_TEST (packets_may_come_in_lists)
{
  GstBufferList *list = gst_buffer_list_new ();
  GstClockTime pts;
  guint before;

  start_call (SP, SP);
  before = ends.played;
  pts = ends.pushed * ENDS_FRAME;
  for (guint i = 0; i < 5; i++, ends.pushed++) {
    GstBuffer *buffer = gst_rtp_buffer_new_allocate (ENDS_SIZE, 0, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
    gst_rtp_buffer_set_payload_type (&rtp, 96);
    gst_rtp_buffer_set_seq (&rtp, ends.seq++);
    gst_rtp_buffer_set_timestamp (&rtp, ends.pushed * 960u);
    gst_rtp_buffer_set_ssrc (&rtp, ends.ssrc);
    gst_rtp_buffer_unmap (&rtp);
    GST_BUFFER_PTS (buffer) = pts;
    gst_buffer_list_add (list, buffer);
  }
  fail_unless_equals_int (gst_pad_push_list (ends.in, list), GST_FLOW_OK);
  net_run (GST_SECOND);
  fail_unless (ends.played - before >= 5, "%u", ends.played - before);
  fail_unless_equals_int (ends.earlier, 0);
  stop ();
}

GST_END_TEST;

/* --- BYE and EOS ----------------------------------------------------------------------------- */

/* RFC 3550 6.1: a compound packet begins with a report, and has a CNAME; all of its parts are of
 * the SSRC that leaves. */
static void
check_bye (const guint8 * data, gsize size)
{
  guint32 ssrc = GST_READ_UINT32_BE (data + 4);
  gsize at;

  fail_unless (data[1] == GST_RTCP_TYPE_SR || data[1] == GST_RTCP_TYPE_RR);
  fail_unless (rtcp_has (data, size, GST_RTCP_TYPE_SDES));
  for (at = 0; at < size; at += 4 * (GST_READ_UINT16_BE (data + at + 2) + 1))
    fail_unless_equals_uint64 (GST_READ_UINT32_BE (data + at + 4), ssrc);
}

/* How many packets to the port had BYE in them since the last call, and whether the last
 * packet did. */
static guint
count_byes (guint port, gboolean * last)
{
  GPtrArray *packets = net_take (port);
  guint i, byes = 0;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (packets->pdata[i], &size);
    gboolean bye = rtcp_is (data, size)
        && rtcp_has (data, size, GST_RTCP_TYPE_BYE);

    byes += bye;
    if (bye)
      check_bye (data, size);
    if (last != NULL)
      *last = bye;
  }
  g_ptr_array_unref (packets);
  return byes;
}

GST_START_TEST (bye_leaves_when_either_end_is_stopped)
{
  gboolean last = FALSE;
  guint back;

  start_call (SP, SP);
  back = ends_get_port (ends.sink);
  fail_unless_equals_int (count_byes (ends.port, NULL), 0);
  fail_unless_equals_int (count_byes (back, NULL), 0);
  ends_stop_receiver (&ends);
  fail_unless_equals_int (count_byes (back, &last), 1);
  fail_unless (last);
  ends_stop_sender (&ends);
  fail_unless_equals_int (count_byes (ends.port, &last), 1);
  fail_unless (last);
  stop ();
}

GST_END_TEST;

GST_START_TEST (bye_has_left_when_eos_is_posted)
{
  GstMessage *message = NULL;
  gboolean last = FALSE;
  guint i, byes = 0;

  start_call (SP, SP);
  gst_pad_push_event (ends.in, gst_event_new_eos ());
  for (i = 0; i < 100 && message == NULL; i++) {
    fail_unless_equals_int (byes, 0);
    net_run (ENDS_FRAME);
    byes += count_byes (ends.port, &last);
    message = ends_pop (ends.sender, GST_MESSAGE_EOS);
  }
  fail_unless (message != NULL);
  fail_unless_equals_int (byes, 1);
  fail_unless (last);
  gst_message_unref (message);
  ends_stop_sender (&ends);
  fail_unless_equals_int (count_byes (ends.port, NULL), 0);
  stop ();
}

GST_END_TEST;

GST_START_TEST (who_never_spoke_says_no_bye)
{
  GstMessage *message;

  ends_start_receiver (&ends, SP);
  ends_start_sender (&ends, SP);
  gst_pad_push_event (ends.in, gst_event_new_eos ());
  net_run (GST_SECOND);
  net_run (4 * GST_SECOND);
  message = ends_pop (ends.sender, GST_MESSAGE_EOS);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless_equals_int (net_get_counts (ends.port).packets, 0);
  stop ();
  fail_unless_equals_int (net_get_counts (ends.port).packets, 0);
}

GST_END_TEST;

/* --- trouble -------------------------------------------------------------------------------------- */

GST_START_TEST (a_path_that_is_down_is_one_warning_and_no_end)
{
  GstMessage *message;

  start_call (SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .refuse = TRUE}
      );
  ends_play (&ends, 500 * GST_MSECOND);
  fail_unless (ends_get_stat (ends.sink, "send-errors") >= 20);
  message = ends_pop (ends.sender, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (ends_pop (ends.sender, GST_MESSAGE_WARNING) == NULL);
  net_set_rules (ends.port, &(NetRules) {0,}
      );
  ends_play (&ends, 10 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), FULL);
  stop ();
}

GST_END_TEST;

GST_START_TEST (the_jitter_buffer_is_in_the_latency)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime least;
  gboolean live;
  guint latency;

  start_call ("latency=70", "");
  fail_unless (gst_pad_peer_query (ends.out, query));
  gst_query_parse_latency (query, &live, &least, NULL);
  fail_unless (live);
  fail_unless_equals_uint64 (least, 70 * GST_MSECOND);
  g_object_set (ends.src, "latency", 90, NULL);
  fail_unless (gst_pad_peer_query (ends.out, query));
  gst_query_parse_latency (query, &live, &least, NULL);
  fail_unless_equals_uint64 (least, 90 * GST_MSECOND);
  g_object_get (ends.src, "latency", &latency, NULL);
  fail_unless_equals_int (latency, 90);
  gst_query_unref (query);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_packet_takes_the_path_and_the_jitter_buffer_and_no_more)
{
  GstClockTime begin, took = 0;
  guint before;

  start_call ("latency=70", "");
  before = ends.played;
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  begin = net_get_time ();
  while (ends.played < before + 5) {
    ends_play (&ends, ENDS_FRAME);
    took = net_get_time () - begin;
  }
  fail_unless_equals_uint64 (took, 5 * ENDS_FRAME);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_receiver_is_live_and_a_sender_is_not)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);
  GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);

  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_PAUSED),
      GST_STATE_CHANGE_NO_PREROLL);
  fail_unless (GST_OBJECT_FLAG_IS_SET (src, GST_ELEMENT_FLAG_SOURCE));
  fail_if (GST_OBJECT_FLAG_IS_SET (src, GST_ELEMENT_FLAG_SINK));
  fail_unless_equals_int (gst_element_set_state (sink, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless (GST_OBJECT_FLAG_IS_SET (sink, GST_ELEMENT_FLAG_SINK));
  fail_if (GST_OBJECT_FLAG_IS_SET (sink, GST_ELEMENT_FLAG_SOURCE));
  gst_element_set_state (src, GST_STATE_NULL);
  gst_element_set_state (sink, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (sink);
  fail_unless_equals_int (net_count_sockets (), 0);
}

GST_END_TEST;

GST_START_TEST (a_closed_bin_has_no_port_and_keeps_its_filter)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);

  g_object_set (src, "port", 0, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  fail_if (ends_get_port (src) == 0);
  gst_element_set_state (src, GST_STATE_NULL);
  fail_unless_equals_int (ends_get_port (src), 0);
  fail_unless_equals_int (GST_BIN_NUMCHILDREN (src), 1);
  fail_unless_equals_uint64 (ends_get_stat (src, "ssrc"), 0);
  gst_object_unref (src);
}

GST_END_TEST;

/* --- settings ------------------------------------------------------------------------------------------ */

static void
check_int (GstElement * bin, const gchar * child, const gchar * property,
    gint expected)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (bin), child);
  gint value;

  fail_unless (element != NULL, "%s", child);
  g_object_get (element, property, &value, NULL);
  fail_unless (value == expected, "%s of %s is %d", property, child, value);
  gst_object_unref (element);
}

GST_START_TEST (packets_are_marked_and_sockets_have_their_options)
{
  const gchar *args = "dscp=46 ttl=33 buffer-size=7777";
  guint i;

  start_call (args, args);
  for (i = 0; i < 2; i++) {
    GstElement *bin = i == 0 ? ends.sink : ends.src;

    check_int (bin, "rtcp-udpsink", "qos-dscp", 46);
    check_int (bin, "rtcp-udpsink", "ttl", 33);
    check_int (bin, "rtcp-udpsink", "buffer-size", 7777);
    check_int (bin, "rtp-udpsrc", "buffer-size", 7777);
  }
  check_int (ends.sink, "rtp-udpsink", "qos-dscp", 46);
  check_int (ends.sink, "rtp-udpsink", "ttl", 33);
  /* one socket of IPv6 that hears IPv4 as well */
  fail_unless_equals_int (net_get_option (ends.port, IPPROTO_IPV6,
          IPV6_V6ONLY), 0);
  stop ();
}

GST_END_TEST;

/* Each property of a bin that can be read and written holds what it is set to. */
static void
check_properties (const gchar * factory, const gchar * const *except)
{
  GstElement *bin = gst_element_factory_make (factory, NULL);
  GParamSpec **specs;
  guint n, i, j, tried = 0;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (bin), &n);
  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT, got = G_VALUE_INIT;
    GParamSpec *spec = specs[i];
    gboolean known = TRUE;

    if (!(spec->flags & G_PARAM_READABLE) || !(spec->flags & G_PARAM_WRITABLE)
        || spec->owner_type == GST_TYPE_OBJECT
        || spec->owner_type == GST_TYPE_BIN)
      continue;
    g_value_init (&value, spec->value_type);
    g_value_init (&got, spec->value_type);
    if (G_IS_PARAM_SPEC_BOOLEAN (spec))
      g_value_set_boolean (&value, !G_PARAM_SPEC_BOOLEAN (spec)->default_value);
    else if (G_IS_PARAM_SPEC_UINT (spec))
      g_value_set_uint (&value, G_PARAM_SPEC_UINT (spec)->default_value ==
          G_PARAM_SPEC_UINT (spec)->maximum ? G_PARAM_SPEC_UINT (spec)->minimum
          : G_PARAM_SPEC_UINT (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_INT (spec))
      g_value_set_int (&value, G_PARAM_SPEC_INT (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_UINT64 (spec))
      g_value_set_uint64 (&value,
          G_PARAM_SPEC_UINT64 (spec)->default_value ==
          G_PARAM_SPEC_UINT64 (spec)->maximum ? 1 :
          G_PARAM_SPEC_UINT64 (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_ENUM (spec))
      g_value_set_enum (&value, !G_PARAM_SPEC_ENUM (spec)->default_value);
    else if (G_IS_PARAM_SPEC_STRING (spec) && !g_str_equal (spec->name, "uri"))
      g_value_set_static_string (&value, "some text");
    else if (spec->value_type == GST_TYPE_STRUCTURE)
      gst_value_deserialize (&value, "application/x-rtp-source-sdes, "
          "cname=(string)bob");
    else if (spec->value_type == GST_TYPE_CAPS)
      gst_value_deserialize (&value, "application/x-rtp, payload=(int)5");
    else
      known = FALSE;
    for (j = 0; known && except != NULL && except[j] != NULL; j++)
      known = !g_str_equal (spec->name, except[j]);
    if (known) {
      g_object_set_property (G_OBJECT (bin), spec->name, &value);
      g_object_get_property (G_OBJECT (bin), spec->name, &got);
      fail_unless_equals_int (gst_value_compare (&value, &got),
          GST_VALUE_EQUAL);
      tried++;
    }
    g_value_unset (&value);
    g_value_unset (&got);
  }
  fail_unless (tried >= 2, "%s: %u", factory, tried);
  g_free (specs);
  gst_object_unref (bin);
}

GST_START_TEST (properties_hold_what_they_are_set_to)
{
  /* names of codecs and points that there are not are refused */
  static const gchar *const encodebin[] = { "codec", "codecs", "ladder", NULL };
  static const gchar *const names[][2] = { {"codecs", "PCMU,OPUS"}, {"codec",
      "PCMU"}, {"ladder", "OPUS:24000:20"}
  };
  GstElement *bin = gst_element_factory_make ("tfrcencodebin", NULL);
  gchar *got;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    g_object_set (bin, names[i][0], names[i][1], NULL);
    g_object_get (bin, names[i][0], &got, NULL);
    fail_unless_equals_string (got, names[i][1]);
    g_free (got);
  }
  gst_object_unref (bin);
  check_properties ("tfrcsink", NULL);
  check_properties ("tfrcsrc", NULL);
  check_properties ("rtptfrcsend", NULL);
  check_properties ("rtptfrcreceive", NULL);
  check_properties ("tfrcencodebin", encodebin);
  check_properties ("tfrcdecodebin", NULL);
  check_properties ("tfrcencodercontrol", NULL);
}

GST_END_TEST;

GST_START_TEST (settings_reach_the_filter)
{
  GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (sink), "tfrc");
  guint mtu, H, dscp_like;
  gint mode, dscp;
  gboolean sync;

  gst_util_set_object_arg (G_OBJECT (sink), "mode", "tfrc-sp");
  g_object_set (sink, "mtu", 1280, "header-size", 28, "dscp", 46, NULL);
  g_object_get (filter, "mode", &mode, "mtu", &mtu, "header-size", &H, "dscp",
      &dscp, "sync", &sync, NULL);
  fail_unless_equals_int (mode, 1);
  fail_unless_equals_int (mtu, 1280);
  fail_unless_equals_int (H, 28);
  fail_unless_equals_int (dscp, 46);
  fail_unless (sync);
  g_object_set (sink, "sync", FALSE, NULL);
  g_object_get (filter, "sync", &sync, NULL);
  fail_if (sync);
  g_object_get (sink, "mtu", &dscp_like, NULL);
  fail_unless_equals_int (dscp_like, 1280);
  gst_object_unref (filter);
  gst_object_unref (sink);
}

GST_END_TEST;

static void
count_notify (GObject * object, GParamSpec * spec, gint * count)
{
  (*count)++;
}

GST_START_TEST (what_the_filter_notifies_the_bin_notifies)
{
  GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (sink), "tfrc");
  gint rate = 0, mtu = 0;

  g_signal_connect (sink, "notify::allowed-bitrate",
      G_CALLBACK (count_notify), &rate);
  g_signal_connect (sink, "notify::mtu", G_CALLBACK (count_notify), &mtu);
  g_object_notify (G_OBJECT (filter), "allowed-bitrate");
  fail_unless_equals_int (rate, 1);
  g_object_set (sink, "mtu", 1400, NULL);
  fail_unless_equals_int (mtu, 1);
  gst_object_unref (filter);
  gst_object_unref (sink);
}

GST_END_TEST;

GST_START_TEST (a_uri_makes_either_end)
{
  GstElement *sink = gst_element_make_from_uri (GST_URI_SINK,
      "tfrc://192.0.2.7:6000?mode=tfrc-sp&rtcp-mux=false&mtu=1280", NULL, NULL);
  GstElement *src = gst_element_make_from_uri (GST_URI_SRC,
      "tfrc://[::1]:6002?mode=tfrc-sp&latency=40", NULL, NULL);
  gchar *host, *uri;
  guint port, mtu, latency;
  gint mode;
  gboolean mux;

  g_object_get (sink, "host", &host, "port", &port, "mode", &mode, "rtcp-mux",
      &mux, "mtu", &mtu, "uri", &uri, NULL);
  fail_unless_equals_string (host, "192.0.2.7");
  fail_unless_equals_int (port, 6000);
  fail_unless_equals_int (mode, 1);
  fail_unless_equals_int (mtu, 1280);
  fail_if (mux);
  fail_unless_equals_string (uri, "tfrc://192.0.2.7:6000?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  g_object_get (src, "address", &host, "port", &port, "latency", &latency,
      "uri", &uri, NULL);
  fail_unless_equals_string (host, "::1");
  fail_unless_equals_int (port, 6002);
  fail_unless_equals_int (latency, 40);
  fail_unless_equals_string (uri, "tfrc://[::1]:6002?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (sink));
  fail_unless_equals_string (uri, "tfrc://192.0.2.7:6000?mode=tfrc-sp");
  g_free (uri);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (src));
  fail_unless_equals_string (uri, "tfrc://[::1]:6002?mode=tfrc-sp");
  g_free (uri);
  /* RFC 6874 */
  g_object_set (src, "uri", "tfrc://[fe80::1%25eth0]:6004", NULL);
  g_object_get (src, "address", &host, "uri", &uri, NULL);
  fail_unless_equals_string (host, "fe80::1%eth0");
  fail_unless_equals_string (uri, "tfrc://[fe80::1%25eth0]:6004?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  gst_object_unref (sink);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (a_uri_that_is_wrong_sets_nothing)
{
  static const gchar *const wrong[] = {
    "tfrc://192.0.2.7:6000?mode=nonsense", "tfrc://192.0.2.7:6000?mtu=12",
    "tfrc://192.0.2.7:6000?no-such=1", "tfrc://192.0.2.7:6000?stats=1",
    "tfrc://192.0.2.7:6000/path", "udp://192.0.2.7:6000",
    "tfrc://192.0.2.7:6000?srtp-key=00",
    "tfrc://192.0.2.7:6000?srtp-remote-key=00", "tfrc://192.0.2.7:6000?mtu",
    "tfrc://192.0.2.7:70000", "tfrc://[fe80::1%eth0]:6000"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
    GError *error = NULL;
    gchar *host;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (sink), wrong[i],
            &error), "%s", wrong[i]);
    fail_unless (error != NULL);
    g_object_get (sink, "host", &host, NULL);
    fail_unless_equals_string (host, "127.0.0.1");
    g_free (host);
    g_clear_error (&error);
    gst_object_unref (sink);
  }
}

GST_END_TEST;

GST_START_TEST (an_error_names_what_of_a_uri_is_wrong)
{
  static const gchar *const wrong[][2] = {
    {"tfrc://192.0.2.7?mode=nonsense",
        "\"nonsense\" cannot be a value of the property \"mode\""},
    {"tfrc://192.0.2.7?mtu", "\"\" cannot be a value of the property \"mtu\""},
    {"tfrc://192.0.2.7?no-such=1", "no property \"no-such\""},
    {"tfrc://192.0.2.7/path", "has no path"},
    {"tfrc://[fe80::1%eth0]:6000",
        "the host of \"tfrc://[fe80::1%eth0]:6000\" cannot be read"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
    GError *error = NULL;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (sink), wrong[i][0],
            &error));
    fail_unless (strstr (error->message, wrong[i][1]) != NULL, "%s",
        error->message);
    g_clear_error (&error);
    gst_object_unref (sink);
  }
}

GST_END_TEST;

GST_START_TEST (settings_of_the_sockets_are_apart)
{
  static const gchar *const factories[] = { "tfrcsink", "tfrcsrc" };
  static const gchar *const names[] =
      { "buffer-size", "ttl", "dscp", "ttl", "buffer-size", "dscp" };
  GstElement *end = gst_element_factory_make (factories[__i__], NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gint before[3], after[3];

    g_object_get (end, "dscp", &before[0], "ttl", &before[1], "buffer-size",
        &before[2], NULL);
    g_object_set (end, names[i], 11 + (gint) i, NULL);
    g_object_get (end, "dscp", &after[0], "ttl", &after[1], "buffer-size",
        &after[2], NULL);
    fail_unless_equals_int (after[0], g_str_equal (names[i],
            "dscp") ? 11 + i : before[0]);
    fail_unless_equals_int (after[1], g_str_equal (names[i],
            "ttl") ? 11 + i : before[1]);
    fail_unless_equals_int (after[2], g_str_equal (names[i],
            "buffer-size") ? 11 + i : before[2]);
  }
  gst_object_unref (end);
}

GST_END_TEST;

GST_START_TEST (the_name_in_sdes_is_what_was_set)
{
  GPtrArray *packets;
  guint i, seen = 0;

  start_call (SP, SP
      " sdes=\"application/x-rtp-source-sdes,cname=\\\"alice\\\"\"");
  ends_play (&ends, 10 * GST_SECOND);
  packets = net_take (ends.port);
  for (i = 0; i < packets->len; i++) {
    gsize size, at;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    for (at = 0; rtcp_is (data, size) && at + 7 <= size; at++)
      seen += memcmp (data + at, "\1\5alice", 7) == 0;
  }
  fail_unless (seen > 0);
  g_ptr_array_unref (packets);
  stop ();
}

GST_END_TEST;

/* --- errors ---------------------------------------------------------------------------------------------- */

static void
expect (const gchar * line, GQuark domain, gint code, const gchar * remedy)
{
  GError *error = ends_expect_error (line);

  fail_unless (error->domain == domain && error->code == code, "%s: %s", line,
      error->message);
  fail_unless (strstr (error->message, remedy) != NULL,
      "\"%s\" is not in \"%s\"", remedy, error->message);
  g_error_free (error);
  fail_unless_equals_int (net_count_sockets (), 0);
}

#define RESOURCE(code) GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_##code

GST_START_TEST (errors_name_the_remedy)
{
  expect ("tfrcsink host=fe80::1", RESOURCE (SETTINGS), "\"host\" to fe80::1%");
  expect ("tfrcsink host=\"\"", RESOURCE (NOT_FOUND), "property \"host\"");
  expect ("tfrcsink host=224.1.1.1", RESOURCE (SETTINGS), "unicast");
  expect ("tfrcsink bind-address=::1", RESOURCE (SETTINGS), "\"bind-address\"");
  expect ("tfrcsink port=65535 rtcp-mux=false", RESOURCE (SETTINGS),
      "\"rtcp-mux\"");
  expect ("tfrcsink uri=tfrc://127.0.0.1:5004?mode=fast", RESOURCE (SETTINGS),
      "\"mode\"");
  expect ("tfrcsrc port=0 caps=application/x-rtp", RESOURCE (SETTINGS),
      "clock-rate");
  expect ("tfrcsrc port=0 caps=audio/x-raw,clock-rate=8000",
      RESOURCE (SETTINGS), "not application/x-rtp");
  expect ("tfrcsrc port=0 caps=EMPTY", RESOURCE (SETTINGS), "they are empty");
  expect ("tfrcsrc address=224.1.1.1", RESOURCE (SETTINGS), "\"address\"");
  expect ("tfrcsrc address=fe80::1", RESOURCE (SETTINGS), "\"address\"");
}

GST_END_TEST;

GST_START_TEST (a_port_that_cannot_be_had_is_named)
{
  net_open (27000);
  net_open (27003);
  expect ("tfrcsrc port=27000", RESOURCE (BUSY), "UDP port 27000 is in use");
  expect ("tfrcsrc port=27000 address=127.0.0.1", RESOURCE (BUSY),
      "property \"port\"");
  expect ("tfrcsrc port=27002 rtcp-mux=false", RESOURCE (BUSY),
      "UDP port 27003 is in use");
  expect ("tfrcsrc port=65535 rtcp-mux=false", RESOURCE (BUSY), "65536");
  expect ("tfrcsink bind-port=27000", RESOURCE (BUSY), "\"bind-port\"");
  net_fail_bind (99, G_IO_ERROR_PERMISSION_DENIED);
  expect ("tfrcsrc port=99", RESOURCE (NOT_AUTHORIZED), "above 1023");
  net_fail_bind (5000, G_IO_ERROR_INVALID_ARGUMENT);
  expect ("tfrcsrc port=5000 address=192.0.2.1", RESOURCE (OPEN_READ_WRITE),
      "\"address\"");
}

GST_END_TEST;

/* The first free port that has a free one behind it. */
GST_START_TEST (a_pair_of_ports_is_sought)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);

  net_open (40001);
  g_object_set (src, "port", 0, "rtcp-mux", FALSE, NULL);
  /* the port that is free is the same each time, and never good */
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY),
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (src, GST_STATE_NULL);
  net_close (40001);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (ends_get_port (src), 40000);
  fail_unless_equals_int (net_count_sockets (), 2);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

GST_END_TEST;

#define RECEIVER "tfrcsrc port=0 srtp-key=" \
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define ENCODER "audiotestsrc ! tfrcencodebin codecs=OPUS,G722 ! fakesink"

GST_START_TEST (a_missing_element_is_named_with_its_package)
{
  static const gchar *const missing[][3] = {
    {RECEIVER, "rtpsession", "gstreamer1.0-plugins-good"},
    {RECEIVER, "udpsrc", "gstreamer1.0-plugins-good"},
    {RECEIVER, "multiudpsink", "gstreamer1.0-plugins-good"},
    {RECEIVER, "rtpjitterbuffer", "gstreamer1.0-plugins-good"},
    {RECEIVER, "srtpenc", "gstreamer1.0-plugins-bad"},
    {RECEIVER, "srtpdec", "gstreamer1.0-plugins-bad"},
    {ENCODER, "audiobuffersplit", "gstreamer1.0-plugins-bad"},
    {ENCODER, "audioconvert", "gstreamer1.0-plugins-base"},
    {ENCODER, "avenc_g722", "gstreamer1.0-libav"},
  };
  GstRegistry *registry = gst_registry_get ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (missing); i++) {
    GstPluginFeature *feature = gst_registry_lookup_feature (registry,
        missing[i][1]);

    /* its plugin, when it is loaded, brings a feature of that name back */
    gst_object_unref (gst_plugin_feature_load (feature));
    gst_registry_remove_feature (registry, feature);
    expect (missing[i][0], GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        missing[i][2]);
    gst_registry_add_feature (registry, feature);
    gst_object_unref (feature);
  }
}

GST_END_TEST;

static Suite *
bins_suite (void)
{
  Suite *suite = suite_create ("bins");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, net_stop);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_call_plays_in_either_mode, 0, 2);
  tcase_add_test (tcase, a_call_plays_over_ipv4_and_ipv6);
  tcase_add_test (tcase, a_call_plays_on_two_ports_without_rtcp_mux);
  tcase_add_test (tcase, rtcp_and_rtp_share_the_port_both_ways);
  tcase_add_test (tcase, a_call_plays_over_a_lossy_path);
  tcase_add_test (tcase, a_call_plays_over_a_path_that_reorders);
  tcase_add_test (tcase, a_call_plays_over_a_path_that_duplicates);
  tcase_add_test (tcase, a_restarted_sender_goes_on_playing);
  tcase_add_test (tcase,
      time_goes_on_when_a_sender_that_began_late_is_restarted);
  tcase_add_test (tcase, the_bye_of_the_sender_reaches_the_application);
  tcase_add_test (tcase, a_sender_that_dies_without_bye_is_replaced);
  tcase_add_test (tcase, a_second_sender_does_not_take_over);
  tcase_add_test (tcase, bytes_of_anybody_are_counted_and_dropped);
  tcase_add_test (tcase, reports_go_to_the_port_that_rtcp_came_from);
  tcase_add_test (tcase, a_paused_sender_sends_nothing_and_resumes);
  tcase_add_test (tcase, a_paused_receiver_resumes_without_what_came_meanwhile);
  tcase_add_test (tcase, twenty_times_up_and_down);
  tcase_add_test (tcase, packets_may_come_in_lists);
  tcase_add_test (tcase, bye_leaves_when_either_end_is_stopped);
  tcase_add_test (tcase, bye_has_left_when_eos_is_posted);
  tcase_add_test (tcase, who_never_spoke_says_no_bye);
  tcase_add_test (tcase, a_path_that_is_down_is_one_warning_and_no_end);
  tcase_add_test (tcase, the_jitter_buffer_is_in_the_latency);
  tcase_add_test (tcase,
      a_packet_takes_the_path_and_the_jitter_buffer_and_no_more);
  tcase_add_test (tcase, a_receiver_is_live_and_a_sender_is_not);
  tcase_add_test (tcase, a_closed_bin_has_no_port_and_keeps_its_filter);
  tcase_add_test (tcase, packets_are_marked_and_sockets_have_their_options);
  tcase_add_test (tcase, properties_hold_what_they_are_set_to);
  tcase_add_test (tcase, settings_reach_the_filter);
  tcase_add_test (tcase, what_the_filter_notifies_the_bin_notifies);
  tcase_add_test (tcase, a_uri_makes_either_end);
  tcase_add_test (tcase, a_uri_that_is_wrong_sets_nothing);
  tcase_add_test (tcase, an_error_names_what_of_a_uri_is_wrong);
  tcase_add_loop_test (tcase, settings_of_the_sockets_are_apart, 0, 2);
  tcase_add_test (tcase, the_name_in_sdes_is_what_was_set);
  tcase_add_test (tcase, errors_name_the_remedy);
  tcase_add_test (tcase, a_port_that_cannot_be_had_is_named);
  tcase_add_test (tcase, a_pair_of_ports_is_sought);
  tcase_add_test (tcase, a_missing_element_is_named_with_its_package);
  return suite;
}

GST_CHECK_MAIN (bins);
