/* gst-tfrc tests: reports through real RTP sessions, in rtpsession and in rtpbin, and
 * the header extension from payloader to depayloader; in the network of net.h
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "net.h"
#include "settle.h"

#define SOURCE "audiotestsrc is-live=true samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=32000 ! rtpopuspay ! "
#define STEP (10 * GST_MSECOND)
#define PATIENCE (60 * GST_SECOND)

/* The sender's pipeline and the receiver's, with the network between them. */
typedef struct
{
  GstElement *sender, *receiver;
} Ends;

static guint next_port;

static void
set_up (void)
{
  net_start ();
  next_port = 5000;
}

static guint
find_port (void)
{
  return next_port++;
}

static void
play (Ends * ends)
{
  GstElement *pipelines[] = { ends->receiver, ends->sender };
  GstClock *clock = gst_system_clock_obtain ();
  guint i;

  for (i = 0; i < 2; i++) {
    gst_pipeline_use_clock (GST_PIPELINE (pipelines[i]), clock);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
    settle ();
  }
  gst_object_unref (clock);
}

static GstElement *
parse (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);
  return pipeline;
}

#define SINK "udpsink host=127.0.0.1 sync=false async=false "
#define RTP_CAPS "\"application/x-rtp,media=audio,clock-rate=48000," \
    "encoding-name=OPUS,payload=96\""

/* The path takes 20 ms each way. */
static void
start_call (Ends * ends, const gchar * send, const gchar * receive)
{
  guint rtp = find_port (), there = find_port (), back = find_port ();
  gchar *line;

  line = g_strdup_printf ("rtpsession name=b "
      "udpsrc port=%u caps=" RTP_CAPS " ! b.recv_rtp_sink "
      "b.recv_rtp_src ! rtptfrcreceive name=rx %s ! "
      "fakesink sync=false async=false "
      "udpsrc port=%u ! b.recv_rtcp_sink "
      "b.send_rtcp_src ! " SINK "port=%u", rtp, receive, there, back);
  ends->receiver = parse (line);
  g_free (line);
  line = g_strdup_printf ("rtpsession name=a " SOURCE
      "rtptfrcsend name=tx %s ! a.send_rtp_sink a.send_rtp_src ! " SINK
      "port=%u a.send_rtcp_src ! " SINK "port=%u udpsrc port=%u ! "
      "a.recv_rtcp_sink", send, rtp, there, back);
  ends->sender = parse (line);
  g_free (line);
  play (ends);
}

static GstMessage *
get_error (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  gst_object_unref (bus);
  return message;
}

static void
end_pipeline (GstElement * pipeline)
{
  fail_unless (get_error (pipeline) == NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
end_call (Ends * ends)
{
  end_pipeline (ends->sender);
  end_pipeline (ends->receiver);
}

static GstStructure *
get_stats (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);
  gst_object_unref (element);
  return stats;
}

static guint64
get_count (GstElement * pipeline, const gchar * name, const gchar * field)
{
  GstStructure *stats = get_stats (pipeline, name);
  guint64 count = 0;
  gboolean flag;

  if (!gst_structure_get_uint64 (stats, field, &count)) {
    if (!gst_structure_get_boolean (stats, field, &flag))
      g_error ("no %s in %s", field, name);
    count = flag;
  }
  gst_structure_free (stats);
  return count;
}

static void
wait_count (GstElement * pipeline, const gchar * name, const gchar * field,
    guint64 count)
{
  GstClockTime end = net_get_time () + PATIENCE;

  while (get_count (pipeline, name, field) < count) {

    fail_unless (net_get_time () < end, "%s stays below %u", field,
        (guint) count);
    net_run (STEP);
  }
}

GST_START_TEST (reports_go_round)
{
  Ends ends;
  GstStructure *stats;
  gdouble rtt;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  wait_count (ends.sender, "tx", "reports", 20);
  stats = get_stats (ends.sender, "tx");
  fail_unless (gst_structure_get_double (stats, "R", &rtt));
  gst_structure_free (stats);
  fail_unless (rtt > 0.0339 && rtt < 0.0342, "%g", rtt);
  fail_unless_equals_uint64 (get_count (ends.sender, "tx", "rtcp-malformed"),
      0);
  fail_unless_equals_uint64 (get_count (ends.sender, "tx",
          "rtcp-wrong-sender-ssrc"), 0);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx", "bad-stamps"), 0);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx", "lost"), 0);
  end_call (&ends);
}

GST_END_TEST;

GST_START_TEST (another_receiver_is_a_new_start)
{
  Ends ends;
  GstElement *rtpsession;
  GObject *session;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  wait_count (ends.sender, "tx", "reports", 10);
  /* the receiver goes without a word, another one comes to its ports */
  gst_element_set_state (ends.receiver, GST_STATE_NULL);
  rtpsession = gst_bin_get_by_name (GST_BIN (ends.receiver), "b");
  g_object_get (rtpsession, "internal-session", &session, NULL);
  g_object_set (session, "internal-ssrc", 0x12345678, NULL);
  g_object_unref (session);
  gst_object_unref (rtpsession);
  gst_element_set_state (ends.receiver, GST_STATE_PLAYING);
  wait_count (ends.sender, "tx", "peer-changes", 1);
  wait_count (ends.sender, "tx", "reports",
      get_count (ends.sender, "tx", "reports") + 10);
  end_call (&ends);
}

GST_END_TEST;

static void
check_mismatch (GstElement * pipeline)
{
  GstMessage *message = get_error (pipeline);
  GError *error;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "mode tfrc-sp") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "Set mode=") != NULL);
  g_error_free (error);
  gst_message_unref (message);
}

GST_START_TEST (ends_in_different_modes_both_find_it)
{
  Ends ends;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc");
  net_run (10 * GST_SECOND);
  check_mismatch (ends.sender);
  check_mismatch (ends.receiver);
  end_call (&ends);
}

GST_END_TEST;

/* --- rtpbin: the recipe of docs/using.md --- */

static GstElement *
make_aux (const gchar * factory, const gchar * name, const gchar * sink,
    const gchar * src, guint session)
{
  GstElement *bin = gst_bin_new (NULL);
  GstElement *filter = gst_element_factory_make (factory, name);
  GstPad *pad;
  gchar *pad_name;

  gst_util_set_object_arg (G_OBJECT (filter), "mode", "tfrc-sp");
  gst_bin_add (GST_BIN (bin), filter);
  pad = gst_element_get_static_pad (filter, "sink");
  pad_name = g_strdup_printf (sink, session);
  gst_element_add_pad (bin, gst_ghost_pad_new (pad_name, pad));
  g_free (pad_name);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (filter, "src");
  pad_name = g_strdup_printf (src, session);
  gst_element_add_pad (bin, gst_ghost_pad_new (pad_name, pad));
  g_free (pad_name);
  gst_object_unref (pad);
  return bin;
}

static GstElement *
on_aux_sender (GstElement * rtpbin, guint session, gpointer data)
{
  return make_aux ("rtptfrcsend", "tx", "sink_%u", "src_%u", session);
}

static GstElement *
on_aux_receiver (GstElement * rtpbin, guint session, gpointer data)
{
  return make_aux ("rtptfrcreceive", "rx", "sink_%u", "src_%u", session);
}

static void
on_pad_added (GstElement * rtpbin, GstPad * pad, gpointer pipeline)
{
  GstElement *sink;
  GstPad *sinkpad;

  if (!g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src_"))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (pipeline), sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  gst_pad_link (pad, sinkpad);
  gst_object_unref (sinkpad);
  gst_element_sync_state_with_parent (sink);
}

static void
add_udp (GstElement * pipeline, GstElement * rtpbin, const gchar * pad,
    guint port)
{
  gboolean sends = strstr (pad, "src") != NULL;
  GstElement *udp = gst_element_factory_make (sends ? "udpsink" : "udpsrc",
      NULL);
  GstCaps *caps;

  g_object_set (udp, "port", port, NULL);
  gst_bin_add (GST_BIN (pipeline), udp);
  if (sends) {
    g_object_set (udp, "host", "127.0.0.1", "sync", FALSE, "async", FALSE,
        NULL);
    fail_unless (gst_element_link_pads (rtpbin, pad, udp, "sink"));
    return;
  }
  if (strstr (pad, "rtp_sink") != NULL) {
    caps = gst_caps_from_string ("application/x-rtp,media=audio,"
        "clock-rate=48000,encoding-name=OPUS,payload=96");
    g_object_set (udp, "caps", caps, NULL);
    gst_caps_unref (caps);
  }
  fail_unless (gst_element_link_pads (udp, "src", rtpbin, pad));
}

static void
connect_ends (Ends * ends, GstElement * a, GstElement * b)
{
  guint rtp = find_port (), there = find_port (), back = find_port ();

  add_udp (ends->sender, a, "send_rtp_src_0", rtp);
  add_udp (ends->sender, a, "send_rtcp_src_0", there);
  add_udp (ends->sender, a, "recv_rtcp_sink_0", back);
  add_udp (ends->receiver, b, "recv_rtp_sink_0", rtp);
  add_udp (ends->receiver, b, "recv_rtcp_sink_0", there);
  add_udp (ends->receiver, b, "send_rtcp_src_0", back);
}

GST_START_TEST (rtpbin_takes_the_filters_as_auxiliary_elements)
{
  Ends ends;
  GstElement *a, *b, *in;

  /* the pads of rtpbin are asked for after the signals are connected */
  ends.sender = parse ("rtpbin name=a " SOURCE "identity name=in");
  ends.receiver = gst_pipeline_new (NULL);
  b = gst_element_factory_make ("rtpbin", NULL);
  gst_bin_add (GST_BIN (ends.receiver), gst_object_ref (b));
  a = gst_bin_get_by_name (GST_BIN (ends.sender), "a");
  in = gst_bin_get_by_name (GST_BIN (ends.sender), "in");
  g_signal_connect (a, "request-aux-sender", G_CALLBACK (on_aux_sender), NULL);
  g_signal_connect (b, "request-aux-receiver", G_CALLBACK (on_aux_receiver),
      NULL);
  g_signal_connect (b, "pad-added", G_CALLBACK (on_pad_added), ends.receiver);
  fail_unless (gst_element_link_pads (in, "src", a, "send_rtp_sink_0"));
  connect_ends (&ends, a, b);
  play (&ends);
  wait_count (ends.sender, "tx", "reports", 10);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx", "rtcp-session"),
      1);
  gst_object_unref (a);
  gst_object_unref (b);
  gst_object_unref (in);
  end_call (&ends);
}

GST_END_TEST;

/* --- rtphdrexttfrc --- */

GST_START_TEST (a_payloader_reserves_the_stamp_and_a_depayloader_takes_it)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch ("audiotestsrc num-buffers=20 ! "
      "mulawenc ! rtppcmupay name=pay ! rtptfrcsend name=tx max-queue-time=0 ! "
      "capsfilter name=out ! fakesink name=packets sync=false async=false "
      "audiotestsrc num-buffers=20 ! mulawenc ! rtppcmupay name=pay2 ! "
      "rtppcmudepay name=depay ! fakesink name=sink signal-handoffs=true",
      &error);
  GstElement *ext[3], *element;
  GstBus *bus;
  GstMessage *message;
  GstPad *pad;
  GstCaps *caps;
  guint i;
  const gchar *owners[] = { "pay", "pay2", "depay" };

  g_assert_no_error (error);
  for (i = 0; i < 3; i++) {
    ext[i] = gst_element_factory_make ("rtphdrexttfrc", NULL);
    gst_rtp_header_extension_set_id (GST_RTP_HEADER_EXTENSION (ext[i]), 5);
    element = gst_bin_get_by_name (GST_BIN (pipeline), owners[i]);
    g_signal_emit_by_name (element, "add-extension", ext[i]);
    gst_object_unref (element);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  net_run (3 * GST_SECOND);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message == NULL);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "tx");
  pad = gst_element_get_static_pad (element, "src");
  caps = gst_pad_get_current_caps (pad);
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "extmap-5"), "urn:ietf:params:rtp-hdrext:rtt-sendts");
  fail_if (gst_structure_has_field (gst_caps_get_structure (caps, 0),
          "extmap-3"));
  gst_caps_unref (caps);
  gst_object_unref (pad);
  fail_unless_equals_uint64 (get_count (pipeline, "tx", "unstamped"), 0);
  fail_unless (get_count (pipeline, "tx", "packets") > 0);
  gst_object_unref (element);
  for (i = 0; i < 3; i++)
    gst_object_unref (ext[i]);
  gst_object_unref (bus);
  end_pipeline (pipeline);
}

GST_END_TEST;

static Suite *
feedback_suite (void)
{
  Suite *s = suite_create ("feedback");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, net_stop);
  tcase_add_test (tc, reports_go_round);
  tcase_add_test (tc, another_receiver_is_a_new_start);
  tcase_add_test (tc, ends_in_different_modes_both_find_it);
  tcase_add_test (tc, rtpbin_takes_the_filters_as_auxiliary_elements);
  tcase_add_test (tc,
      a_payloader_reserves_the_stamp_and_a_depayloader_takes_it);
  return s;
}

GST_CHECK_MAIN (feedback);
