/* gst-tfrc tests: pads, properties and errors of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/storedpacketsquery.h"
#include "base/encoderpacketsevent.h"
#include "callend.h"
#include "settle.h"
#include "transport/padserver.h"
#include <sys/prctl.h>
#include <tfrc/wire.h>

#define HOST "127.0.0.1"
#define PORT 6000

static CallEnd end;

/* --- pads --- */

GST_START_TEST (test_a_pad_waits_for_its_peer_and_ends_after_it)
{
  guint id, i;

  call_end_start (&end, "accept=none");
  call_end_feed (&end, 77);
  for (i = 0; i < 249; i++)
    fail_unless_equals_int (call_end_push (&end, 77), GST_FLOW_OK);
  fail_unless_equals_int (end.warnings, 0);
  for (i = 0; i < 300; i++)
    fail_unless_equals_int (call_end_push (&end, 77), GST_FLOW_OK);
  fail_unless_equals_int (end.warnings, 1);
  fail_unless (strstr (end.warning, "send_sink_77") != NULL);
  fail_unless (strstr (end.warning, "there is no peer 77") != NULL);
  id = call_end_add_peer (&end, HOST, 7000, NULL);
  call_end_feed (&end, id);
  fail_unless_equals_int (call_end_push (&end, id), GST_FLOW_OK);
  call_end_remove_peer (&end, id);
  fail_unless_equals_int (call_end_push (&end, id), GST_FLOW_EOS);
  call_end_stop (&end);
}

GST_END_TEST;

/* Packets with a header extension that were sent to a port. */
static guint
count_stamped (guint port)
{
  GPtrArray *packets = net_take (port);
  guint i, n = 0;

  for (i = 0; i < packets->len; i++) {
    const guint8 *data = g_bytes_get_data (g_ptr_array_index (packets, i),
        NULL);

    n += data[0] == 0x90 && data[1] == 96;
  }
  g_ptr_array_unref (packets);
  return n;
}

/* A pad that is requested before the start serves its peer: its packets have stamps. */
GST_START_TEST (test_a_pad_that_was_requested_before_its_peer_serves_it)
{
  call_end_init (&end, "peer=127.0.0.1:7000");
  call_end_feed (&end, 0);
  call_end_play (&end);
  call_run (200 * GST_MSECOND, &end, NULL);
  fail_unless_equals_int (count_stamped (7000), 1);
  call_end_stop (&end);
}

GST_END_TEST;

/* Packets to a peer that does not answer, of which one departs in a second. The encoder says a time before the peer is
 * there. Returns how many were dropped because they waited too long. */
static guint
count_late (const gchar * properties, GstClockTime queue_time)
{
  const GstTfrcEncoderPackets packets = { .queue_time = queue_time };
  guint late;

  call_end_init (&end, properties);
  call_end_feed (&end, 0);
  if (queue_time > 0)
    gst_pad_push_event (call_end_get_feeder (&end, 0),
        gst_tfrc_encoder_packets_event_new (&packets));
  call_end_play (&end);
  call_run (500 * GST_MSECOND, &end, NULL);
  late = call_end_get_peer_stat (&end, 0, "data-sender", "dropped-late");
  call_end_stop (&end);
  return late;
}

GST_START_TEST (test_packets_wait_as_long_as_their_encoder_says)
{
  const GstClockTime enough = 600 * GST_MSECOND;
  const gchar *line = "mode=tfrc-sp peer=127.0.0.1:7000";
  guint late = count_late (line, 0);

  fail_unless (late >= 15 && late <= 20, "%u", late);
  fail_unless_equals_int (count_late (line, enough), 0);
  late = count_late ("mode=tfrc-sp max-queue-time=100000000 "
      "peer=127.0.0.1:7000", enough);
  fail_unless (late >= 15 && late <= 20, "%u", late);
}

GST_END_TEST;

#define EXTMAP CALL_CAPS ",extmap-9=(string)" TFRC_STAMP_URI

/* The ID of the header extension (RFC 8285 4.2) in the first packet with one that was sent to a port; 0: there is none. */
static guint
take_extension_id (guint port)
{
  GPtrArray *packets = net_take (port);
  guint i, id = 0;

  for (i = 0; i < packets->len && id == 0; i++) {
    const guint8 *data = g_bytes_get_data (g_ptr_array_index (packets, i),
        NULL);

    if (data[0] == 0x90 && data[1] == 96)
      id = data[16] >> 4;
  }
  g_ptr_array_unref (packets);
  return id;
}

/* The pad of a peer that is not there yet hears of caps, and of how long packets may wait. */
static gboolean
feed_before_peer (GstElement * call, guint id, const gchar * address,
    gpointer unused)
{
  const GstTfrcEncoderPackets packets = { .queue_time = 600 * GST_MSECOND };
  GstCaps *caps = gst_caps_from_string (EXTMAP);
  GstPad *feeder;

  call_end_feed (&end, id);
  feeder = call_end_get_feeder (&end, id);
  gst_pad_push_event (feeder, gst_event_new_caps (caps));
  gst_pad_push_event (feeder, gst_tfrc_encoder_packets_event_new (&packets));
  gst_caps_unref (caps);
  return TRUE;
}

static void
expect_what_was_told (guint id)
{
  call_run (500 * GST_MSECOND, &end, NULL);
  fail_unless_equals_int (take_extension_id (7000), 9);
  fail_unless (call_end_get_peer_stat (&end, id, "data-sender",
          "dropped-late") == 0);
  call_end_stop (&end);
}

/* Before the start. */
GST_START_TEST (test_what_was_told_before_the_peer_holds_for_it)
{
  call_end_init (&end, "mode=tfrc-sp peer=127.0.0.1:7000");
  feed_before_peer (end.call, 0, NULL, NULL);
  call_end_play (&end);
  expect_what_was_told (0);
}

GST_END_TEST;

/* While the application is asked whether the caller may become a peer. */
GST_START_TEST (test_what_was_told_before_the_caller_was_accepted_holds_for_it)
{
  call_end_start (&end, "mode=tfrc-sp accept=any port=6000");
  g_signal_connect (end.call, "new-peer", G_CALLBACK (feed_before_peer), NULL);
  phone_speak (HOST, 7000, PORT, 1, 0, 2);
  settle ();
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  expect_what_was_told (1);
}

GST_END_TEST;

/* What has no caps has stamps by the default caps. */
GST_START_TEST (test_packets_without_caps_are_stamped)
{
  guint8 packet[PHONE_RTP] = { 0x80, 96 };
  GstPad *feeder = gst_pad_new (NULL, GST_PAD_SRC), *sink;
  GstSegment segment;

  call_end_start (&end, "peer=127.0.0.1:7000");
  sink = gst_element_request_pad_simple (end.call, "send_sink_0");
  fail_unless_equals_int (gst_pad_link (feeder, sink), GST_PAD_LINK_OK);
  gst_pad_set_active (feeder, TRUE);
  gst_pad_push_event (feeder, gst_event_new_stream_start ("plain"));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feeder, gst_event_new_segment (&segment));
  gst_pad_push (feeder, gst_buffer_new_memdup (packet, sizeof packet));
  net_run (100 * GST_MSECOND);
  fail_unless_equals_int (count_stamped (7000), 1);
  gst_object_unref (sink);
  gst_object_unref (feeder);
  call_end_stop (&end);
}

GST_END_TEST;

/* Whoever reads the caps learns that lost video can be asked for. */
GST_START_TEST (test_video_has_picture_loss_indications_in_its_caps)
{
  call_end_start (&end, "peer=127.0.0.1:7000 caps=\"application/x-rtp,"
      "media=video,clock-rate=90000,encoding-name=VP8,payload=96\"");
  phone_speak (HOST, 7000, end.port, 1, 0, 3);
  fail_unless (strstr (call_end_get_output (&end, 0)->caps,
          "rtcp-fb-nack-pli=(boolean)true") != NULL, "%s",
      call_end_get_output (&end, 0)->caps);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_there_is_one_pad_for_each_number)
{
  GstPad *one, *two;

  call_end_start (&end, "accept=none");
  one = gst_element_request_pad_simple (end.call, "send_sink_5");
  fail_unless_equals_string (GST_PAD_NAME (one), "send_sink_5");
  /* without a number it is that of peer 0 */
  two = gst_element_request_pad_simple (end.call, "send_sink_%u");
  fail_unless_equals_string (GST_PAD_NAME (two), "send_sink_0");
  fail_unless (gst_element_request_pad_simple (end.call, "send_sink_%u") ==
      NULL);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numsinkpads, 2);
  gst_element_release_request_pad (end.call, one);
  gst_object_unref (one);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numsinkpads, 1);
  one = gst_element_request_pad_simple (end.call, "send_sink_5");
  fail_unless (one != NULL);
  gst_object_unref (one);
  gst_object_unref (two);
  call_end_stop (&end);
}

GST_END_TEST;

static gboolean
query_latency (GstPad * pad, GstElement * element, GstClockTime * min,
    GstClockTime * max)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live, answered = pad != NULL ? gst_pad_peer_query (pad, query) :
      gst_element_query (element, query);

  gst_query_parse_latency (query, &live, min, max);
  gst_query_unref (query);
  return answered && live;
}

GST_START_TEST (test_pads_answer_queries_themselves)
{
  GstClockTime min, max;
  GstQuery *query;
  GstCaps *caps;

  call_end_start (&end, "peer=127.0.0.1:7000 latency=250");
  call_end_feed (&end, 0);
  phone_speak (HOST, 7000, PORT, 1, 0, 1);
  phone_speak (HOST, 7000, end.port, 1, 1, 5);
  fail_unless (query_latency (call_end_get_output (&end, 0)->pad, NULL, &min,
          &max));
  fail_unless_equals_uint64 (min, 250 * GST_MSECOND);
  fail_unless_equals_uint64 (max, GST_CLOCK_TIME_NONE);
  /* the element as a whole holds nothing up that is sent */
  fail_unless (query_latency (NULL, end.call, &min, &max));
  fail_unless_equals_uint64 (min, 0);
  fail_unless_equals_uint64 (max, GST_CLOCK_TIME_NONE);
  fail_if (query_latency (call_end_get_feeder (&end, 0), NULL, &min, &max));
  caps = gst_pad_peer_query_caps (call_end_get_feeder (&end, 0), NULL);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "application/x-rtp"));
  gst_caps_unref (caps);
  caps = gst_pad_peer_query_caps (call_end_get_output (&end, 0)->pad, NULL);
  fail_unless (gst_caps_is_fixed (caps));
  gst_caps_unref (caps);
  query = gst_query_new_position (GST_FORMAT_TIME);
  fail_if (gst_pad_peer_query (call_end_get_feeder (&end, 0), query));
  fail_if (gst_pad_peer_query (call_end_get_output (&end, 0)->pad, query));
  gst_query_unref (query);
  query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty ("other"));
  fail_if (gst_pad_peer_query (call_end_get_output (&end, 0)->pad, query));
  gst_query_unref (query);
  call_end_stop (&end);
}

GST_END_TEST;

static guint
count_behind (void)
{
  GstBufferList *list =
      gst_tfrc_stored_packets_query_send (call_end_get_output (&end, 0)->pad);
  guint n = list != NULL ? gst_buffer_list_length (list) : 0;

  if (list != NULL)
    gst_buffer_list_unref (list);
  return n;
}

/* A decoder that misses packet 2 finds those behind it, which may have a copy of it, also when the loss
 * was announced and they are on their way to it. */
GST_START_TEST (test_packets_behind_a_loss_can_be_asked_for)
{
  call_end_start (&end, "peer=127.0.0.1:7000 latency=200");
  phone_speak (HOST, 7000, end.port, 1, 0, 2);
  fail_unless_equals_int (count_behind (), 0);
  phone_speak (HOST, 7000, end.port, 1, 3, 3);
  fail_unless_equals_int (count_behind (), 3);
  net_run (GST_SECOND);
  fail_unless_equals_int (count_behind (), 3);
  fail_unless_equals_int (call_end_get_output (&end, 0)->losses, 1);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 5);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- whose thread pushes --- */

static gchar pusher[16];

static GstPadProbeReturn
note_pusher (GstPad * pad, GstPadProbeInfo * info, gpointer is_slow)
{
  prctl (PR_GET_NAME, pusher, 0, 0, 0);
  /* the clock of the test goes on meanwhile, by 3 ms */
  if (is_slow)
    g_usleep (1000);
  return GST_PAD_PROBE_OK;
}

static void
expect_pusher (gboolean is_slow, const gchar * thread)
{
  call_end_start (&end, "peer=127.0.0.1:7000 accept=none");
  phone_speak (HOST, 7000, end.port, 1, 0, 2);
  gst_pad_add_probe (call_end_get_output (&end, 0)->pad,
      GST_PAD_PROBE_TYPE_BUFFER, note_pusher, GINT_TO_POINTER (is_slow), NULL);
  phone_speak (HOST, 7000, end.port, 1, 2, 6);
  fail_unless_equals_string (pusher, "tfrc-pads");
  phone_speak (HOST, 7000, end.port, 1, 8, 12);
  fail_unless_equals_string (pusher, thread);
  call_end_stop (&end);
}

/* Every pad is taken to be slow for the first packets. Without a timer nobody would take over from the worker. */
GST_START_TEST (test_the_worker_pushes_to_pads_that_take_little_time)
{
#ifdef GST_TFRC_TIMERFD
  expect_pusher (FALSE, "tfrc-udp");
#endif
  expect_pusher (TRUE, "tfrc-pads");
  net_fail_timers (TRUE);
  expect_pusher (FALSE, "tfrc-pads");
}

GST_END_TEST;

/* --- downstream that blocks or is not there --- */

static gint held;
static GMutex gate;

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_atomic_int_inc (&held);
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  return GST_PAD_PROBE_OK;
}

/* Packets after which it is not yet known that a pad takes little time, and after which it is. */
static const guint spoken[] = { 2, 100 };

/* Two peers; the pad of the first is held up, in a thread of the pad server or in that of the worker. The other one is
 * heard, and the first loses what there is no room for. */
GST_START_TEST (test_a_blocked_pad_holds_up_its_peer_alone)
{
  guint ids[2], i, n = spoken[__i__];

  g_atomic_int_set (&held, 0);
  call_end_start (&end, "accept=none");
  ids[0] = call_end_add_peer (&end, HOST, 7000, NULL);
  ids[1] = call_end_add_peer (&end, HOST, 7002, NULL);
  phone_speak (HOST, 7000, end.port, 1, 0, n);
  gst_pad_add_probe (call_end_get_output (&end, ids[0])->pad,
      GST_PAD_PROBE_TYPE_BUFFER, hold, NULL, NULL);
  g_mutex_lock (&gate);
  for (i = 0; i < 300; i++) {
    phone_send (HOST, 7000, end.port, 1, n + i);
    phone_send (HOST, 7002, end.port, 2, i);
    net_run (CALL_FRAME);
  }
  fail_unless_equals_int (g_atomic_int_get (&held), 1);
  fail_unless_equals_int (call_end_count_packets (&end, ids[0]), n);
  fail_unless_equals_int (call_end_count_packets (&end, ids[1]), 300);
  /* one is held, and the message of the state had its place */
  fail_unless_equals_int (call_end_get_peer_stat (&end, ids[0], "playout",
          "blocked"), 300 - 1 - GST_TFRC_PAD_QUEUE_MAX);
  fail_unless_equals_int (call_end_get_peer_stat (&end, ids[1], "playout",
          "blocked"), 0);
  g_mutex_unlock (&gate);
  settle ();
  /* what is left comes out, and what follows the hole says so */
  i = call_end_count_packets (&end, ids[0]);
  fail_unless (i > n);
  phone_speak (HOST, 7000, end.port, 1, 300 + n, 2);
  fail_unless_equals_int (call_end_count_packets (&end, ids[0]), i + 2);
  fail_unless (GST_BUFFER_FLAG_IS_SET (g_ptr_array_index (call_end_get_output
              (&end, ids[0])->packets, i), GST_BUFFER_FLAG_DISCONT));
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_pad_that_is_not_linked_harms_nobody)
{
  call_end_start (&end, "peer=127.0.0.1:7000");
  end.link = FALSE;
  phone_speak (HOST, 7000, end.port, 1, 0, 20);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numsrcpads, 1);
  fail_unless_equals_int (call_end_get_peer_stat (&end, 0, "playout",
          "packets"), 20);
  call_end_stop (&end);
}

GST_END_TEST;

static void
remove_at_once (GstElement * call, GstPad * pad, gboolean * removed)
{
  g_signal_emit_by_name (call, "remove-peer", 0, removed);
}

/* In the thread that has just added the pad. */
GST_START_TEST (test_a_peer_may_be_removed_when_its_pad_appears)
{
  gboolean removed = FALSE;

  call_end_start (&end, "peer=127.0.0.1:7000 accept=none");
  end.link = FALSE;
  g_signal_connect (end.call, "pad-added", G_CALLBACK (remove_at_once),
      &removed);
  phone_speak (HOST, 7000, end.port, 1, 0, 10);
  fail_unless (removed);
  fail_unless_equals_int (GST_ELEMENT (end.call)->numsrcpads, 0);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- properties --- */

static void
expect_text (const gchar * property, const gchar * value)
{
  gchar *text;

  g_object_get (end.call, property, &text, NULL);
  fail_unless_equals_string (text, value);
  g_free (text);
}

static void
expect_number (const gchar * property, gint64 value)
{
  GParamSpec *spec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (end.call), property);
  GValue is = G_VALUE_INIT, number = G_VALUE_INIT;

  g_value_init (&is, spec->value_type);
  g_value_init (&number, G_TYPE_INT64);
  g_object_get_property (G_OBJECT (end.call), property, &is);
  if (G_VALUE_HOLDS_ENUM (&is))
    g_value_set_int64 (&number, g_value_get_enum (&is));
  else
    fail_unless (g_value_transform (&is, &number));
  fail_unless (g_value_get_int64 (&number) == value, "%s is %" G_GINT64_FORMAT,
      property, g_value_get_int64 (&number));
  g_value_unset (&is);
}

GST_START_TEST (test_properties_are_what_they_are_set_to)
{
  GstCaps *caps;

  call_end_init (&end, "");
  expect_text ("address", NULL);
  expect_text ("context", NULL);
  expect_text ("peer", NULL);
  expect_number ("latency", 100);
  expect_number ("max-peers", 1000);
  expect_number ("accept", 1);
  expect_number ("dscp", -1);
  expect_number ("mtu", 1500);
  expect_number ("header-size", 40);
  expect_number ("mode", 2);
  expect_number ("local-port", 0);
  expect_number ("max-queue-time", -1);
  gst_util_set_object_arg (G_OBJECT (end.call), "accept", "any");
  gst_util_set_object_arg (G_OBJECT (end.call), "mode", "tfrc-sp");
  g_object_set (end.call, "address", "::1", "port", 7, "context", "c",
      "peer", "h:1", "latency", 5, "max-peers", 8, "dscp", 46, "mtu", 900,
      "header-size", 28, "max-queue-time", G_GUINT64_CONSTANT (9), NULL);
  expect_text ("address", "::1");
  expect_text ("context", "c");
  expect_text ("peer", "h:1");
  expect_number ("port", 7);
  expect_number ("latency", 5);
  expect_number ("max-peers", 8);
  expect_number ("accept", 2);
  expect_number ("dscp", 46);
  expect_number ("mtu", 900);
  expect_number ("header-size", 28);
  expect_number ("mode", 1);
  expect_number ("max-queue-time", 9);
  g_object_get (end.call, "caps", &caps, NULL);
  fail_unless (gst_caps_get_size (caps) > 1);
  gst_caps_unref (caps);
  gst_util_set_object_arg (G_OBJECT (end.call), "caps", CALL_CAPS);
  g_object_get (end.call, "caps", &caps, NULL);
  fail_unless_equals_int (gst_caps_get_size (caps), 1);
  gst_caps_unref (caps);
  call_end_stop (&end);
}

GST_END_TEST;

/* What a property takes: the least and the largest value. */
static const struct
{
  const gchar *name;
  gint64 least, most;
} limits[] = {
  {"port", 0, 65535},
  {"local-port", 0, 65535},
  {"dscp", -1, 63},
  {"max-peers", 1, 1000000},
  {"mtu", 576, 65535},
  {"header-size", 0, 512},
  {"latency", 0, 10000}
};

GST_START_TEST (test_properties_have_the_limits_of_what_they_stand_for)
{
  guint i;

  call_end_init (&end, "");
  for (i = 0; i < G_N_ELEMENTS (limits); i++) {
    GParamSpec *spec =
        g_object_class_find_property (G_OBJECT_GET_CLASS (end.call),
        limits[i].name);

    if (G_IS_PARAM_SPEC_UINT (spec)) {
      fail_unless_equals_int64 (G_PARAM_SPEC_UINT (spec)->minimum,
          limits[i].least);
      fail_unless_equals_int64 (G_PARAM_SPEC_UINT (spec)->maximum,
          limits[i].most);
    } else {
      fail_unless_equals_int64 (G_PARAM_SPEC_INT (spec)->minimum,
          limits[i].least);
      fail_unless_equals_int64 (G_PARAM_SPEC_INT (spec)->maximum,
          limits[i].most);
    }
  }
  call_end_stop (&end);
}

GST_END_TEST;

/* What gst-inspect-1.0 shows as the default is what an element has. */
GST_START_TEST (test_defaults_are_what_is_told)
{
  guint n, i;
  GParamSpec **specs;

  call_end_init (&end, "");
  g_object_set (end.call, "port", 5004, NULL);
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (end.call), &n);
  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (specs[i]->owner_type != G_OBJECT_TYPE (end.call) ||
        (specs[i]->flags & G_PARAM_READABLE) == 0 ||
        g_type_is_a (specs[i]->value_type, G_TYPE_BOXED) ||
        g_str_equal (specs[i]->name, "stats-json"))
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (end.call), specs[i]->name, &value);
    fail_unless (g_param_value_defaults (specs[i], &value), "%s",
        specs[i]->name);
    g_value_unset (&value);
  }
  g_free (specs);
  call_end_stop (&end);
}

GST_END_TEST;

/* A value of a setting that is not its default, for the types whose defaults a program can change
 * without knowing the property. */
static gboolean
make_other_value (const GParamSpec * spec, GValue * value)
{
  g_value_init (value, spec->value_type);
  g_param_value_set_default ((GParamSpec *) spec, value);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (value, !g_value_get_boolean (value));
  else if (G_IS_PARAM_SPEC_UINT (spec))
    g_value_set_uint (value, g_value_get_uint (value) ^ 1);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_value_set_uint64 (value, g_value_get_uint64 (value) ^ 1);
  else if (G_IS_PARAM_SPEC_DOUBLE (spec))
    g_value_set_double (value, 0.5);
  else
    return FALSE;
  return !g_param_value_validate ((GParamSpec *) spec, value);
}

static void
check_defaults (GParamSpec ** specs, guint n, const GParamSpec * but)
{
  guint i;

  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (specs[i] == but || (specs[i]->flags & G_PARAM_READABLE) == 0 ||
        specs[i]->owner_type != G_OBJECT_TYPE (end.call) ||
        g_type_is_a (specs[i]->value_type, G_TYPE_BOXED) ||
        g_str_equal (specs[i]->name, "stats-json"))
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (end.call), specs[i]->name, &value);
    fail_unless (g_param_value_defaults (specs[i], &value), "%s when %s is set",
        specs[i]->name, but->name);
    g_value_unset (&value);
  }
}

GST_START_TEST (test_each_setting_has_a_value_of_its_own)
{
  guint n, i, tried = 0;
  GParamSpec **specs;

  call_end_init (&end, "");
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (end.call), &n);
  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT, got = G_VALUE_INIT;

    if (specs[i]->owner_type == G_OBJECT_TYPE (end.call) &&
        (specs[i]->flags & G_PARAM_WRITABLE) != 0 &&
        make_other_value (specs[i], &value)) {
      tried++;
      g_object_set_property (G_OBJECT (end.call), specs[i]->name, &value);
      g_value_init (&got, specs[i]->value_type);
      g_object_get_property (G_OBJECT (end.call), specs[i]->name, &got);
      fail_unless (g_param_values_cmp (specs[i], &value, &got) == 0, "%s",
          specs[i]->name);
      check_defaults (specs, n, specs[i]);
      g_param_value_set_default (specs[i], &value);
      g_object_set_property (G_OBJECT (end.call), specs[i]->name, &value);
      g_value_unset (&got);
    }
    if (G_IS_VALUE (&value))
      g_value_unset (&value);
  }
  fail_unless (tried > 10, "%u", tried);
  g_free (specs);
  call_end_stop (&end);
}

GST_END_TEST;

static void
count_notify (GObject * object, GParamSpec * spec, guint * count)
{
  (*count)++;
}

GST_START_TEST (test_the_port_that_was_chosen_is_told)
{
  guint count = 0;

  call_end_init (&end, "");
  g_signal_connect (end.call, "notify::local-port", G_CALLBACK (count_notify),
      &count);
  call_end_play (&end);
  fail_unless_equals_int (count, 1);
  fail_unless (end.port >= 40000);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- states --- */

/* What arrives is live, and EOS of a pipeline waits for what is sent. */
GST_START_TEST (test_the_element_is_live_and_a_sink_of_what_is_sent)
{
  call_end_init (&end, "peer=\"\" context=\"\"");
  fail_unless_equals_int (gst_element_set_state (end.call, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (end.call, GST_STATE_PAUSED),
      GST_STATE_CHANGE_NO_PREROLL);
  fail_unless_equals_int (gst_element_set_state (end.call, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (end.call, GST_STATE_PAUSED),
      GST_STATE_CHANGE_NO_PREROLL);
  fail_if (GST_OBJECT_FLAG_IS_SET (end.call, GST_ELEMENT_FLAG_SINK));
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  call_end_feed (&end, 0);
  fail_unless (GST_OBJECT_FLAG_IS_SET (end.call, GST_ELEMENT_FLAG_SINK));
  fail_unless_equals_int (gst_element_set_state (end.call, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  call_end_stop (&end);
}

GST_END_TEST;

/* The name in the SDES item of the RTCP that was sent to a port; to be freed. */
static gchar *
get_cname (guint port)
{
  GPtrArray *packets = net_take (port);
  gchar *cname = NULL;
  guint i;

  for (i = 0; i < packets->len; i++) {
    gsize size, at = 0;
    const guint8 *data = g_bytes_get_data (g_ptr_array_index (packets, i),
        &size);

    while (at + 10 < size && data[at + 1] != 202)
      at += 4 * (1 + GST_READ_UINT16_BE (data + at + 2));
    if (cname == NULL && data[1] >= 200 && data[1] <= 201 && at + 10 < size) {
      fail_unless_equals_int (data[at + 8], 1);
      cname = g_strndup ((const gchar *) data + at + 10, data[at + 9]);
    }
  }
  g_ptr_array_unref (packets);
  fail_unless (cname != NULL);
  return cname;
}

/* RFC 7022 4.2: 96 random bits, others for each call. */
GST_START_TEST (test_each_call_has_a_name_of_its_own)
{
  gchar *names[2];
  guint i, k;

  call_end_init (&end, "peer=127.0.0.1:7000");
  for (i = 0; i < 2; i++) {
    call_end_play (&end);
    call_end_feed (&end, 0);
    call_run (3 * GST_SECOND, &end, NULL);
    names[i] = get_cname (7000);
    fail_unless_equals_int (strlen (names[i]), 24);
    fail_unless_equals_int (strspn (names[i], "0123456789abcdef"), 24);
    /* no part is that of another */
    for (k = 0; k < 2; k++)
      fail_unless (strncmp (names[i] + 8 * k, names[i] + 8 * (k + 1), 8) != 0);
    gst_element_set_state (end.pipeline, GST_STATE_NULL);
    call_end_release (&end, 0);
    g_ptr_array_unref (net_take (7000));
  }
  fail_unless (strcmp (names[0], names[1]) != 0);
  g_free (names[0]);
  g_free (names[1]);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- errors --- */

/* The text of the error with which the start fails; to be freed. */
static gchar *
get_start_error (const gchar * properties)
{
  gchar *text;

  call_end_init (&end, properties);
  fail_unless_equals_int (gst_element_set_state (end.pipeline,
          GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  fail_unless (end.error != NULL, "%s", properties);
  text = g_steal_pointer (&end.error);
  fail_unless_equals_int (net_count_sockets (), 0);
  call_end_stop (&end);
  return text;
}

static void
expect_error (const gchar * properties, const gchar * word, const gchar * more)
{
  gchar *text = get_start_error (properties);

  fail_unless (strstr (text, word) != NULL, "%s: %s", properties, text);
  fail_unless (strstr (text, more) != NULL, "%s: %s", properties, text);
  g_free (text);
}

GST_START_TEST (test_settings_that_cannot_be_used_are_named)
{
  expect_error ("peer=127.0.0.1:x", "\"peer\"", "HOST:PORT");
  expect_error ("peer=no.such.invalid.:5004", "no.such.invalid.", "\"peer\"");
  expect_error ("peer=[fe80::1]:5004", "link-local", "\"peer\"");
  expect_error ("address=no.such.invalid.", "no.such.invalid.", "\"address\"");
  expect_error ("address=224.1.2.3", "multicast", "\"address\"");
  expect_error ("caps=\"audio/x-raw\"", "\"caps\"", "application/x-rtp");
  expect_error ("caps=\"application/x-rtp,payload=96\"", "\"caps\"",
      "clock-rate");
  expect_error ("min-latency=60 max-latency=59", "\"min-latency\" is 60 ms",
      "59 at most");
  expect_error ("caps=\"EMPTY\"", "\"caps\"", "empty");
}

GST_END_TEST;

GST_START_TEST (test_a_port_that_cannot_be_used_is_named)
{
  net_fail_bind (6000, G_IO_ERROR_ADDRESS_IN_USE);
  expect_error ("port=6000", "6000", "\"port\"");
  net_fail_bind (6000, G_IO_ERROR_PERMISSION_DENIED);
  expect_error ("port=6000", "6000", "\"port\"");
  net_fail_bind (6000, G_IO_ERROR_INVALID_ARGUMENT);
  expect_error ("port=6000", "6000", "\"address\"");
  /* and the same element can be started once it is free */
  net_fail_bind (6000, G_IO_ERROR_ADDRESS_IN_USE);
  call_end_init (&end, "port=6000");
  gst_element_set_state (end.pipeline, GST_STATE_PLAYING);
  fail_unless (end.error != NULL);
  g_clear_pointer (&end.error, g_free);
  net_fail_bind (6000, 0);
  gst_element_set_state (end.pipeline, GST_STATE_NULL);
  call_end_play (&end);
  fail_unless_equals_int (end.port, 6000);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_process_without_descriptors_or_threads_is_told)
{
  net_fail_descriptors (TRUE);
  expect_error ("", "thread", "ulimit");
  net_fail_descriptors (FALSE);
  call_end_start (&end, "");
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_process_without_threads_is_told)
{
  net_fail_threads (TRUE);
  call_end_init (&end, "context=shared");
  fail_unless_equals_int (gst_element_set_state (end.pipeline,
          GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  net_fail_threads (FALSE);
  fail_unless (strstr (end.error, "thread") != NULL, "%s", end.error);
  g_clear_pointer (&end.error, g_free);
  gst_element_set_state (end.pipeline, GST_STATE_NULL);
  call_end_play (&end);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- contexts --- */

static guint
count_workers (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  guint n = 0;

  while ((task = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", task), *name;

    if (g_file_get_contents (path, &name, NULL, NULL)) {
      n += g_str_has_prefix (name, "tfrc-udp");
      g_free (name);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}

GST_START_TEST (test_elements_share_the_thread_of_a_context)
{
  CallEnd others[3];

  call_end_start (&end, "context=one peer=127.0.0.1:7000");
  call_end_start (&others[0], "context=one peer=127.0.0.1:7002");
  fail_unless_equals_int (count_workers (), 1);
  call_end_start (&others[1], "context=two");
  call_end_start (&others[2], "");
  fail_unless_equals_int (count_workers (), 3);
  /* one ends, and the other goes on */
  call_end_stop (&others[0]);
  fail_unless_equals_int (count_workers (), 3);
  phone_speak (HOST, 7000, end.port, 1, 0, 10);
  fail_unless_equals_int (call_end_count_packets (&end, 0), 10);
  call_end_stop (&end);
  fail_unless_equals_int (count_workers (), 2);
  call_end_stop (&others[1]);
  call_end_stop (&others[2]);
  fail_unless_equals_int (count_workers (), 0);
}

GST_END_TEST;

static Suite *
binpads_suite (void)
{
  Suite *s = suite_create ("binpads");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, test_a_pad_waits_for_its_peer_and_ends_after_it);
  tcase_add_test (tc, test_a_pad_that_was_requested_before_its_peer_serves_it);
  tcase_add_test (tc, test_packets_wait_as_long_as_their_encoder_says);
  tcase_add_test (tc, test_what_was_told_before_the_peer_holds_for_it);
  tcase_add_test (tc,
      test_what_was_told_before_the_caller_was_accepted_holds_for_it);
  tcase_add_test (tc, test_packets_without_caps_are_stamped);
  tcase_add_test (tc, test_video_has_picture_loss_indications_in_its_caps);
  tcase_add_test (tc, test_there_is_one_pad_for_each_number);
  tcase_add_test (tc, test_pads_answer_queries_themselves);
  tcase_add_test (tc, test_packets_behind_a_loss_can_be_asked_for);
  tcase_add_test (tc, test_the_worker_pushes_to_pads_that_take_little_time);
  tcase_add_loop_test (tc, test_a_blocked_pad_holds_up_its_peer_alone, 0,
      G_N_ELEMENTS (spoken));
  tcase_add_test (tc, test_a_pad_that_is_not_linked_harms_nobody);
  tcase_add_test (tc, test_a_peer_may_be_removed_when_its_pad_appears);
  tcase_add_test (tc, test_properties_are_what_they_are_set_to);
  tcase_add_test (tc, test_properties_have_the_limits_of_what_they_stand_for);
  tcase_add_test (tc, test_defaults_are_what_is_told);
  tcase_add_test (tc, test_each_setting_has_a_value_of_its_own);
  tcase_add_test (tc, test_the_port_that_was_chosen_is_told);
  tcase_add_test (tc, test_the_element_is_live_and_a_sink_of_what_is_sent);
  tcase_add_test (tc, test_each_call_has_a_name_of_its_own);
  tcase_add_test (tc, test_settings_that_cannot_be_used_are_named);
  tcase_add_test (tc, test_a_port_that_cannot_be_used_is_named);
  tcase_add_test (tc, test_a_process_without_descriptors_or_threads_is_told);
  tcase_add_test (tc, test_a_process_without_threads_is_told);
  tcase_add_test (tc, test_elements_share_the_thread_of_a_context);
  return s;
}

GST_CHECK_MAIN (binpads);
