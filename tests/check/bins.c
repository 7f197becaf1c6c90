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

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

/* --- calls ------------------------------------------------------------------------- */

GST_START_TEST (a_call_plays_in_either_mode)
{
  static const gchar *const modes[] = { "mode=tfrc", "mode=tfrc-sp" };
  gdouble X_recv;
  guint64 R, duration, received;

  ends_start_call (&ends, modes[__i__], modes[__i__]);
  ends_expect_none (ends.src, "packets-of-others");
  ends_expect_none (ends.src, "packets-malformed");
  ends_expect_none (ends.src, "packets-unexpected");
  ends_expect_none (ends.sink, "packets-malformed");
  ends_expect_none (ends.sink, "rtcp-foreign");
  ends_expect_none (ends.sink, "send-errors");
  fail_unless (ends_get_stat (ends.sink, "reports") > 15);
  g_object_get (ends.sink, "round-trip-time", &R, NULL);
  fail_unless (R > 2 * NET_DELAY - GST_MSECOND / 5
      && R < 2 * NET_DELAY + GST_MSECOND / 5, "%" G_GUINT64_FORMAT, R);
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") == 0);
  /* the data receiver has R by the stamps, and measures what arrives: 50 packets of header, stamp and payload */
  g_object_get (ends.src, "round-trip-time", &R, NULL);
  fail_unless (R > 2 * NET_DELAY - GST_MSECOND / 2
      && R < 2 * NET_DELAY + GST_MSECOND / 2, "%" G_GUINT64_FORMAT, R);
  /* both ends agree on how long the call is, and the path delays each packet by the same time */
  duration = ends_get_stat (ends.sink, "duration");
  fail_unless (duration > (ENDS_FULL - 10) * 20 * GST_MSECOND
      && duration < 5 * GST_SECOND, "%" G_GUINT64_FORMAT, duration);
  received = ends_get_stat (ends.src, "duration");
  fail_unless (received > duration - 50 * GST_MSECOND
      && received < duration + 50 * GST_MSECOND, "%" G_GUINT64_FORMAT,
      received);
  fail_unless (ends_get_stat (ends.src, "jitter") < 2 * GST_MSECOND);
  fail_unless (ends_get_stat (ends.sink, "jitter") < 2 * GST_MSECOND);
  X_recv = ends_get_double (ends.src, "receive-rate") / 8;
  fail_unless (X_recv > 0.7 * ENDS_FULL * ENDS_SIZE &&
      X_recv < 1.7 * ENDS_FULL * ENDS_SIZE, "%g", X_recv);
  fail_unless (ends_get_double (ends.src, "loss-event-rate") == 0);
  ends_stop (&ends);
}

GST_END_TEST;

static GstPadProbeReturn
count_eos (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  *(gint *) user_data +=
      GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS;
  return GST_PAD_PROBE_OK;
}

/* What is recorded ends as it should when the application sends EOS to the pipeline. */
GST_START_TEST (the_receiver_takes_eos_of_the_application)
{
  GstPad *pad;
  gint eos = 0;

  ends_start_call (&ends, "", "");
  pad = gst_element_get_static_pad (ends.src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count_eos, &eos,
      NULL);
  fail_unless (gst_element_send_event (ends.receiver, gst_event_new_eos ()));
  ends_play (&ends, GST_SECOND);
  fail_unless_equals_int (eos, 1);
  gst_object_unref (pad);
  ends_stop (&ends);
}

GST_END_TEST;

/* Nobody has sent: the recording is empty, and complete. */
GST_START_TEST (eos_of_the_application_ends_a_stream_that_has_not_begun)
{
  const gchar *lines[] = { "", "tfrcsrc name=src ! tfrcdecodebin ! wavenc "
        "name=out"
  };
  gint eos = 0;

  ends_start_receiver (&ends, lines[__i__]);
  gst_pad_add_probe (ends.out, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count_eos,
      &eos, NULL);
  fail_unless (gst_element_send_event (ends.receiver, gst_event_new_eos ()));
  ends_play (&ends, GST_SECOND);
  fail_unless_equals_int (eos, 1);
  ends_stop (&ends);
}

GST_END_TEST;

/* As after a flushing seek in a pipeline that plays a file too. */
GST_START_TEST (received_times_follow_a_running_time_that_begins_anew)
{
  GstClockTime time;

  ends_start_call (&ends, "", "");
  fail_unless (ends.last_pts > GST_SECOND);
  gst_element_set_state (ends.receiver, GST_STATE_PAUSED);
  gst_element_set_start_time (ends.receiver, 0);
  gst_element_set_state (ends.receiver, GST_STATE_PLAYING);
  fail_unless (ends_play (&ends, GST_SECOND) > 40);
  time = net_get_time () - gst_element_get_base_time (ends.src);
  fail_unless (time < 1100 * GST_MSECOND);
  fail_unless (ABS (GST_CLOCK_DIFF (ends.last_pts, time)) <
      (gint64) (150 * GST_MSECOND), "%" G_GUINT64_FORMAT, ends.last_pts);
  /* the times went back once, when they began anew */
  fail_unless_equals_int (ends.earlier, 1);
  ends.earlier = 0;
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_ipv4_and_ipv6)
{
  ends_start_call (&ends, "address=127.0.0.1", "bind-address=127.0.0.1");
  ends_expect_remote (&ends, "127.0.0.1:%u");
  ends_stop (&ends);
  net_stop ();
  set_up ();
  ends_start_call (&ends, "address=::1", "host=::1 bind-address=::1");
  ends_expect_remote (&ends, "[::1]:%u");
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_on_two_ports_without_rtcp_mux)
{
  guint back;

  ends_start_call (&ends, "rtcp-mux=false", "rtcp-mux=false");
  back = ends_get_port (ends.sink);
  ends_expect_none (ends.src, "packets-unexpected");
  ends_expect_none (ends.sink, "packets-unexpected");
  fail_unless_equals_int (net_get_counts (ends.port).rtcp, 0);
  fail_unless_equals_int (net_get_counts (back).packets, 0);
  fail_unless (net_get_counts (ends.port + 1).rtcp > 0);
  fail_unless_equals_int (net_get_counts (ends.port + 1).rtcp,
      net_get_counts (ends.port + 1).packets);
  fail_unless (net_get_counts (back + 1).rtcp > 15);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (rtcp_and_rtp_share_the_port_both_ways)
{
  NetCounts forth, back;

  ends_start_call (&ends, SP, SP);
  forth = net_get_counts (ends.port);
  back = net_get_counts (ends_get_port (ends.sink));
  fail_unless (forth.rtcp >= 1);
  fail_unless (back.rtcp >= 15);
  fail_unless_equals_int (back.packets, back.rtcp);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_lossy_path)
{
  guint dropped, played;

  ends_start_call (&ends, SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .drop_every = 11});
  played = ends_play (&ends, 5 * GST_SECOND);
  dropped = net_get_counts (ends.port).dropped;
  fail_unless (dropped == 22 || dropped == 23, "%u", dropped);
  fail_unless (played >= 250 - dropped - 6 && played <= 250 - dropped, "%u",
      played);
  fail_unless_equals_int (ends.earlier, 0);
  fail_unless (ends_get_double (ends.src, "loss-event-rate") > 0.05);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_reorders)
{
  guint played;

  ends_start_call (&ends, SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .swap_every = 7});
  played = ends_play (&ends, 5 * GST_SECOND);
  fail_unless (played >= 244 && played <= 250, "%u", played);
  fail_unless_equals_int (ends.earlier, 0);
  ends_expect_none (ends.src, "lost");
  fail_unless (ends_get_stat (ends.src, "reordered") > 20);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_plays_over_a_path_that_duplicates)
{
  ends_start_call (&ends, SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .duplicate_every = 3});
  fail_unless_equals_int (ends_play (&ends, 5 * GST_SECOND), 250);
  fail_unless (ends_get_stat (ends.src, "duplicates") > 80);
  ends_expect_none (ends.src, "lost");
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_restarted_sender_goes_on_playing)
{
  guint first, i;

  ends_start_call (&ends, SP, SP);
  first = ends_get_stat (ends.src, "ssrc");
  for (i = 1; i <= 3; i++) {
    ends_stop_sender (&ends);
    ends_start_sender (&ends, SP);
    ends_play (&ends, 3 * GST_SECOND);
    fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
    fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), i);
  }
  fail_if (ends_get_stat (ends.src, "ssrc") == first);
  fail_unless_equals_int (ends.earlier, 0);
  ends_expect_none (ends.src, "packets-of-others");
  ends_stop (&ends);
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
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 1);
  fail_unless_equals_int (ends.earlier, 0);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (the_bye_of_the_sender_reaches_the_application)
{
  GstMessage *message = NULL;
  guint ssrc, said;

  ends_start_call (&ends, SP, SP);
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
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_dies_without_bye_is_replaced)
{
  ends_start_call (&ends, SP, SP);
  net_set_rules (ends.port, &(NetRules) {
          .block = TRUE}
      );
  ends_stop_sender (&ends);
  net_set_rules (ends.port, &(NetRules) {0,}
      );
  ends_start_sender (&ends, SP);
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 1);
  ends_stop (&ends);
}

GST_END_TEST;

/* --- pauses ------------------------------------------------------------------------------- */

GST_START_TEST (a_paused_sender_sends_nothing_and_resumes)
{
  guint64 sent;

  ends_start_call (&ends, SP, SP);
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  ends_play (&ends, 300 * GST_MSECOND);
  sent = ends_get_stat (ends.sink, "packets");
  fail_unless_equals_int (ends_play (&ends, 700 * GST_MSECOND), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets"), sent);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_expect_none (ends.src, "source-changes");
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_paused_receiver_resumes_without_what_came_meanwhile)
{
  guint played;

  ends_start_call (&ends, SP, SP);
  gst_element_set_state (ends.receiver, GST_STATE_PAUSED);
  fail_unless_equals_int (ends_play (&ends, 1500 * GST_MSECOND), 0);
  gst_element_set_state (ends.receiver, GST_STATE_PLAYING);
  settle ();
  /* 75 packets came in the pause; in 500 ms 25 come anew, and some of the jitter buffer's */
  played = ends_play (&ends, 500 * GST_MSECOND);
  fail_unless (played <= 25 + 8, "%u", played);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (twenty_times_up_and_down)
{
  guint i;

  ends_start_call (&ends, SP, SP);
  for (i = 0; i < 20; i++) {
    ends_stop_sender (&ends);
    if (i % 2 == 0) {
      ends_stop_receiver (&ends);
      ends_start_receiver (&ends, SP);
    }
    ends_start_sender (&ends, SP);
    fail_unless (ends_play (&ends, GST_SECOND) >= 1, "%u", i);
  }
  ends_stop (&ends);
}

GST_END_TEST;

/* Payloaders that make several packets of one buffer push them as a list. */
GST_START_TEST (packets_may_come_in_lists)
{
  GstBufferList *list = gst_buffer_list_new ();
  GstClockTime pts;
  guint before;

  ends_start_call (&ends, SP, SP);
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
  ends_stop (&ends);
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

  ends_start_call (&ends, SP, SP);
  back = ends_get_port (ends.sink);
  fail_unless_equals_int (count_byes (ends.port, NULL), 0);
  fail_unless_equals_int (count_byes (back, NULL), 0);
  ends_stop_receiver (&ends);
  fail_unless_equals_int (count_byes (back, &last), 1);
  fail_unless (last);
  ends_stop_sender (&ends);
  fail_unless_equals_int (count_byes (ends.port, &last), 1);
  fail_unless (last);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (bye_has_left_when_eos_is_posted)
{
  GstMessage *message = NULL;
  gboolean last = FALSE;
  guint i, byes = 0;

  ends_start_call (&ends, SP, SP);
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
  ends_stop (&ends);
}

GST_END_TEST;

/* A flush after EOS, as that of a seek, takes the BYE back: another stream of the same SSRC plays. The first RTCP
 * comes with its first packets, and does not wait for an interval. */
GST_START_TEST (a_stream_after_eos_plays_at_once)
{
  GstMessage *message = NULL;
  GstSegment segment;
  guint64 ssrc;
  guint i, rtcp;

  ends_start_call (&ends, SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  gst_pad_push_event (ends.in, gst_event_new_eos ());
  for (i = 0; i < 100 && message == NULL; i++) {
    net_run (ENDS_FRAME);
    message = ends_pop (ends.sender, GST_MESSAGE_EOS);
  }
  fail_unless (message != NULL);
  gst_message_unref (message);
  rtcp = net_get_counts (ends.port).rtcp;
  gst_pad_push_event (ends.in, gst_event_new_flush_start ());
  gst_pad_push_event (ends.in, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_pad_push_event (ends.in, gst_event_new_segment (&segment)));
  ends_play (&ends, 100 * GST_MSECOND);
  fail_unless_equals_int (net_get_counts (ends.port).rtcp, rtcp + 1);
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  ends_stop (&ends);
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
  ends_stop (&ends);
  fail_unless_equals_int (net_get_counts (ends.port).packets, 0);
}

GST_END_TEST;

/* --- STREAM_START ----------------------------------------------------------------------------- */

/* The next message of the pipeline that is STREAM_START or EOS; its group, 0: it has none; and its number. */
static guint32 last_seqnum;

static GstMessageType
take_message (GstElement * pipeline, guint * group)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus,
      GST_MESSAGE_STREAM_START | GST_MESSAGE_EOS);
  GstMessageType type = GST_MESSAGE_UNKNOWN;

  if (message != NULL) {
    type = GST_MESSAGE_TYPE (message);
    fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (pipeline));
    last_seqnum = gst_message_get_seqnum (message);
    if (type != GST_MESSAGE_STREAM_START
        || !gst_message_parse_group_id (message, group))
      *group = 0;
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return type;
}

/* A pipeline posts it when all of its sinks have. */
GST_START_TEST (a_pipeline_says_that_its_stream_begins)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc num-buffers=50 "
      "samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! opusenc ! "
      "rtpopuspay ! tfrcsink port=5000", NULL);
  GstClock *clock = gst_system_clock_obtain ();
  GstMessageType type = GST_MESSAGE_UNKNOWN;
  guint i, group;

  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  settle ();
  fail_unless_equals_int (take_message (pipeline, &group),
      GST_MESSAGE_STREAM_START);
  fail_unless (group > 0);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  settle ();
  for (i = 0; i < 300 && type == GST_MESSAGE_UNKNOWN; i++) {
    net_run (ENDS_FRAME);
    type = take_message (pipeline, &group);
  }
  fail_unless_equals_int (type, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  gst_object_unref (clock);
}

GST_END_TEST;

static guint32
begin_stream (guint group)
{
  GstEvent *event = gst_event_new_stream_start ("another");
  guint32 seqnum = gst_event_get_seqnum (event);

  if (group != 0)
    gst_event_set_group_id (event, group);
  fail_unless (gst_pad_push_event (ends.in, event));
  return seqnum;
}

/* GstBaseSink posts one message for each event of that name, and none for a flush. */
GST_START_TEST (each_stream_that_begins_is_on_the_bus_once)
{
  static const guint groups[] = { 70, 71, 0 };
  guint i, group;
  guint32 seqnum;

  ends_start_call (&ends, "", "");
  for (i = 0; i < G_N_ELEMENTS (groups); i++) {
    seqnum = begin_stream (groups[i]);
    fail_unless_equals_int (take_message (ends.sender, &group),
        GST_MESSAGE_STREAM_START);
    fail_unless_equals_int (group, groups[i]);
    fail_unless_equals_int (last_seqnum, seqnum);
    fail_unless_equals_int (take_message (ends.sender, &group),
        GST_MESSAGE_UNKNOWN);
    gst_pad_push_event (ends.in, gst_event_new_flush_start ());
    gst_pad_push_event (ends.in, gst_event_new_flush_stop (TRUE));
    fail_unless_equals_int (take_message (ends.sender, &group),
        GST_MESSAGE_UNKNOWN);
  }
  ends_stop (&ends);
}

GST_END_TEST;

/* --- sender reports -------------------------------------------------------------------------- */

#define NTP_OFFSET (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)
#define OPUS_RATE 48000

/* The NTP time of a sender report as a time of the network's clock. */
static GstClockTime
get_sr_time (const guint8 * sr)
{
  return GST_READ_UINT32_BE (sr + 8) * GST_SECOND - NTP_OFFSET +
      gst_util_uint64_scale_round (GST_READ_UINT32_BE (sr + 12), GST_SECOND,
      G_GUINT64_CONSTANT (1) << 32);
}

/* Checks that each sender report to the port has the RTP timestamp of what is captured when
 * the report leaves (RFC 3550 6.4.1). What is captured at `begin` has the RTP timestamp 0.
 * Counts the sender reports and the BYEs. */
static void
check_sender_reports (guint port, GstClockTime begin, guint * reports,
    guint * byes)
{
  GPtrArray *packets = net_take (port);
  guint i;

  for (i = 0; i < packets->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);
    guint32 expected;
    gint error;

    *byes += rtcp_is (data, size) && rtcp_has (data, size, GST_RTCP_TYPE_BYE);
    if (data[1] != GST_RTCP_TYPE_SR)
      continue;
    expected = gst_util_uint64_scale_round (get_sr_time (data) - begin,
        OPUS_RATE, GST_SECOND);
    error = GST_READ_UINT32_BE (data + 16) - expected;
    fail_unless (ABS (error) <= 1, "%d samples", error);        /* rounded */
    (*reports)++;
  }
  g_ptr_array_unref (packets);
}

/* Without `sync`, a pipeline that prerolls sends its first packet through the RTP session before
 * it tells its latency. */
GST_START_TEST (sender_reports_leave_without_regard_to_the_latency)
{
  gchar *line = g_strdup_printf ("audiotestsrc num-buffers=50 "
      "samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! opusenc ! "
      "rtpopuspay timestamp-offset=0 ! tfrcsink port=5000 sync=%d", __i__);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstClock *clock = gst_system_clock_obtain ();
  GstClockTime begin;
  GstMessage *eos = NULL;
  guint i, reports = 0, byes = 0;

  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_pipeline_set_latency (GST_PIPELINE (pipeline), 400 * GST_MSECOND);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  settle ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  settle ();
  begin = gst_element_get_base_time (pipeline);
  for (i = 0; i < 100 && eos == NULL; i++) {
    net_run (ENDS_FRAME);
    eos = ends_pop (pipeline, GST_MESSAGE_EOS);
  }
  fail_unless (eos != NULL);
  gst_message_unref (eos);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  check_sender_reports (5000, begin, &reports, &byes);
  fail_unless (reports >= 1);
  fail_unless_equals_int (byes, 1);
  gst_object_unref (pipeline);
  gst_object_unref (clock);
  g_free (line);
}

GST_END_TEST;

/* --- events ---------------------------------------------------------------------------------------- */

static GstPadProbeReturn
count_key_frames (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  *(guint *) count += gst_event_has_name (GST_PAD_PROBE_INFO_EVENT (info),
      "GstForceKeyUnit");
  return GST_PAD_PROBE_OK;
}

/* A decoder that cannot go on asks for a key frame, and the encoder at the other end hears. */
GST_START_TEST (a_key_frame_that_a_decoder_asks_for_is_asked_of_the_encoder)
{
  guint count = 0;

  ends.caps = "application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=VP8,payload=96,rtcp-fb-nack-pli=(boolean)true";
  ends_start_call (&ends,
      "caps=\"application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=VP8,payload=96\"", "mode=tfrc");
  gst_pad_add_probe (ends.in, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
      count_key_frames, &count, NULL);
  ends_play (&ends, GST_SECOND);
  fail_unless_equals_int (count, 0);
  gst_pad_push_event (ends.out,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("GstForceKeyUnit")));
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (count, 1);
  ends_stop (&ends);
}

GST_END_TEST;

/* A flush, such as that of a seek, ends no call, with a key or without. */
GST_START_TEST (a_call_goes_on_after_a_flush)
{
  static const gchar *const keys[] = { SP, SP " srtp-key="
        "000102030405060708090a0b0c0d0e0f0102030405060708090a0b0c0d0e"
  };
  GstSegment segment;

  ends_start_call (&ends, keys[__i__], keys[__i__]);
  gst_pad_push_event (ends.in, gst_event_new_flush_start ());
  gst_pad_push_event (ends.in, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_pad_push_event (ends.in, gst_event_new_segment (&segment)));
  ends_play (&ends, GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_expect_none (ends.src, "source-changes");
  ends_stop (&ends);
}

GST_END_TEST;

static void
count_notify (GObject * object, GParamSpec * spec, guint * count)
{
  (*count)++;
}

GST_START_TEST (the_remote_address_is_notified_when_it_changes)
{
  guint count = 0;
  gchar *remote;

  ends_start_receiver (&ends, SP);
  g_signal_connect (ends.src, "notify::remote-address",
      G_CALLBACK (count_notify), &count);
  ends_start_sender (&ends, SP);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (count, 1);
  /* and is nobody's when the call is over */
  gst_element_set_state (ends.receiver, GST_STATE_NULL);
  g_object_get (ends.src, "remote-address", &remote, NULL);
  fail_unless (remote == NULL, "%s", remote);
  ends_stop (&ends);
}

GST_END_TEST;

/* --- trouble -------------------------------------------------------------------------------------- */

GST_START_TEST (a_path_that_is_down_is_one_warning_and_no_end)
{
  GstMessage *message;

  ends_start_call (&ends, SP, SP);
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
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (the_jitter_buffer_is_in_the_latency)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime least;
  gboolean live;
  guint latency;

  ends_start_call (&ends, "latency=70", "");
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
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_packet_takes_the_path_and_the_jitter_buffer_and_no_more)
{
  GstClockTime begin, took = 0;
  guint before;

  ends_start_call (&ends, "latency=70", "");
  before = ends.played;
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  begin = net_get_time ();
  while (ends.played < before + 5) {
    ends_play (&ends, ENDS_FRAME);
    took = net_get_time () - begin;
  }
  fail_unless_equals_uint64 (took, 5 * ENDS_FRAME);
  ends_stop (&ends);
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
      GST_STATE_CHANGE_ASYNC);
  fail_unless (GST_OBJECT_FLAG_IS_SET (sink, GST_ELEMENT_FLAG_SINK));
  fail_if (GST_OBJECT_FLAG_IS_SET (sink, GST_ELEMENT_FLAG_SOURCE));
  /* what goes down waits for no packet, nor does what is told so */
  fail_unless_equals_int (gst_element_set_state (sink, GST_STATE_PLAYING),
      GST_STATE_CHANGE_ASYNC);
  fail_unless_equals_int (gst_element_set_state (sink, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  g_object_set (sink, "async", FALSE, NULL);
  fail_unless_equals_int (gst_element_set_state (sink, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (sink, GST_STATE_NULL);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (sink);
  fail_unless_equals_int (net_count_sockets (), 0);
}

GST_END_TEST;

GST_START_TEST (a_closed_end_has_no_port_and_all_of_its_statistics)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);

  g_object_set (src, "port", 0, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  fail_if (ends_get_port (src) == 0);
  gst_element_set_state (src, GST_STATE_NULL);
  fail_unless_equals_int (ends_get_port (src), 0);
  fail_unless_equals_uint64 (ends_get_stat (src, "ssrc"), 0);
  gst_object_unref (src);
}

GST_END_TEST;

/* What the ends of one direction do with ECN; more in ecn.c. */
GST_START_TEST (ecn_is_used_where_both_ends_have_it)
{
  static const struct
  {
    const gchar *sender, *receiver;
    gboolean on;
  } cases[] =
      { {"", "", TRUE}, {"ecn=off", "", FALSE}, {"", "ecn=off", FALSE} };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    NetCounts counts;

    net_stop ();
    net_start ();
    ends_start_receiver (&ends, cases[i].receiver);
    ends_start_sender (&ends, cases[i].sender);
    ends_play (&ends, 10 * GST_SECOND);
    counts = net_get_counts (ends.port);
    fail_unless_equals_int (counts.capable > 300, cases[i].on);
    fail_unless_equals_int (counts.capable > 0, cases[i].on);
    fail_unless_equals_int (counts.capable_rtcp, 0);
    fail_unless_equals_int (ends_get_stat (ends.sink, "ecn-packets-marked"),
        counts.capable);
    fail_unless (ends_get_stat (ends.src, "ecn-ect0") + 1 >= counts.capable);
    fail_unless (ends_get_stat (ends.src, "ecn-not-ect") > 10);
    ends_stop (&ends);
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
  tcase_add_test (tcase, the_receiver_takes_eos_of_the_application);
  tcase_add_loop_test (tcase,
      eos_of_the_application_ends_a_stream_that_has_not_begun, 0, 2);
  tcase_add_test (tcase, received_times_follow_a_running_time_that_begins_anew);
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
  tcase_add_test (tcase, a_paused_sender_sends_nothing_and_resumes);
  tcase_add_test (tcase, a_paused_receiver_resumes_without_what_came_meanwhile);
  tcase_add_test (tcase, twenty_times_up_and_down);
  tcase_add_test (tcase, packets_may_come_in_lists);
  tcase_add_test (tcase, bye_leaves_when_either_end_is_stopped);
  tcase_add_test (tcase, bye_has_left_when_eos_is_posted);
  tcase_add_test (tcase, a_stream_after_eos_plays_at_once);
  tcase_add_test (tcase, who_never_spoke_says_no_bye);
  tcase_add_test (tcase, a_pipeline_says_that_its_stream_begins);
  tcase_add_test (tcase, each_stream_that_begins_is_on_the_bus_once);
  tcase_add_loop_test (tcase,
      sender_reports_leave_without_regard_to_the_latency, 0, 2);
  tcase_add_test (tcase,
      a_key_frame_that_a_decoder_asks_for_is_asked_of_the_encoder);
  tcase_add_loop_test (tcase, a_call_goes_on_after_a_flush, 0, 2);
  tcase_add_test (tcase, the_remote_address_is_notified_when_it_changes);
  tcase_add_test (tcase, a_path_that_is_down_is_one_warning_and_no_end);
  tcase_add_test (tcase, the_jitter_buffer_is_in_the_latency);
  tcase_add_test (tcase,
      a_packet_takes_the_path_and_the_jitter_buffer_and_no_more);
  tcase_add_test (tcase, a_receiver_is_live_and_a_sender_is_not);
  tcase_add_test (tcase, a_closed_end_has_no_port_and_all_of_its_statistics);
  tcase_add_test (tcase, ecn_is_used_where_both_ends_have_it);
  return suite;
}

GST_CHECK_MAIN (bins);
