/* gst-tfrc tests: reduced-size reports through the threads of real RTP sessions
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#define SOURCE "audiotestsrc is-live=true samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=32000 ! rtpopuspay ! "
#define DELAY "netsim delay-probability=1 min-delay=20 max-delay=20 ! queue ! "
/* Counted in sleeps, so that a machine that stalls does not use it up. */
#define SLEEP (10 * G_TIME_SPAN_MILLISECOND)
#define PATIENCE (20 * G_TIME_SPAN_SECOND / SLEEP)

/* The sender's pipeline and the receiver's, with UDP between them. */
typedef struct
{
  GstElement *sender, *receiver;
} Ends;

static guint
find_port (void)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address =
      g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  guint port;

  g_socket_bind (socket, address, FALSE, NULL);
  g_object_unref (address);
  address = g_socket_get_local_address (socket, NULL);
  port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_object_unref (address);
  g_object_unref (socket);
  return port;
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

/* The path takes 20 ms each way. With `own_pads` the filters' RTCP pads are linked. */
static void
start_call_by (Ends * ends, const gchar * send, const gchar * receive,
    gboolean own_pads)
{
  guint rtp = find_port (), there = find_port (), back = find_port ();
  gchar *line;

  line = g_strdup_printf ("rtpsession name=b "
      "udpsrc port=%u caps=" RTP_CAPS " ! " DELAY "b.recv_rtp_sink "
      "b.recv_rtp_src ! rtptfrcreceive name=rx %s ! "
      "fakesink sync=false async=false "
      "udpsrc port=%u ! " DELAY "b.recv_rtcp_sink "
      "funnel name=out forward-sticky-events=false ! " SINK "name=back port=%u "
      "b.send_rtcp_src ! out. %s", rtp, receive, there, back,
      own_pads ? "rx.rtcp_src ! out." : "");
  ends->receiver = parse (line);
  g_free (line);
  line = g_strdup_printf ("rtpsession name=a " SOURCE
      "rtptfrcsend name=tx %s ! a.send_rtp_sink a.send_rtp_src ! " SINK
      "port=%u a.send_rtcp_src ! " SINK "port=%u udpsrc port=%u ! " DELAY
      "%s a.recv_rtcp_sink", send, rtp, there, back,
      own_pads ? "tx.rtcp_sink tx.rtcp_src !" : "");
  ends->sender = parse (line);
  g_free (line);
  gst_element_set_state (ends->receiver, GST_STATE_PLAYING);
  gst_element_set_state (ends->sender, GST_STATE_PLAYING);
}

static void
start_call (Ends * ends, const gchar * send, const gchar * receive)
{
  start_call_by (ends, send, receive, TRUE);
}

static GstMessage *
get_error (GstElement * pipeline, GstClockTime timeout)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message =
      gst_bus_timed_pop_filtered (bus, timeout, GST_MESSAGE_ERROR);

  gst_object_unref (bus);
  return message;
}

static void
end_pipeline (GstElement * pipeline)
{
  fail_unless (get_error (pipeline, 0) == NULL);
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
  guint sleeps = 0;

  while (get_count (pipeline, name, field) < count) {
    fail_unless (sleeps++ < PATIENCE, "%s stays below %u", field,
        (guint) count);
    g_usleep (SLEEP);
  }
}

static GstPadProbeReturn
on_rtcp (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GPtrArray *packets = data;

  g_ptr_array_add (packets, gst_buffer_ref (buffer));
  return GST_PAD_PROBE_OK;
}

static guint8
get_type (GstBuffer * rtcp, gsize at)
{
  guint8 type = 0;

  gst_buffer_extract (rtcp, at + 1, &type, 1);
  return type;
}

static gboolean
has_type (GstBuffer * rtcp, guint8 type)
{
  gsize at = 0, size = gst_buffer_get_size (rtcp);
  guint8 head[4];

  for (; at + 4 <= size; at += 4 * (1 + GST_READ_UINT16_BE (head + 2))) {
    gst_buffer_extract (rtcp, at, head, 4);
    if (head[1] == type)
      return TRUE;
  }
  return FALSE;
}

static gboolean
on_session_sends (GObject * session, GstBuffer * rtcp, gboolean early,
    gint * made)
{
  g_atomic_int_inc (made);
  return FALSE;
}

static void
check_reduced_size (gboolean own_pads)
{
  GPtrArray *packets =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  Ends ends;
  GstElement *session, *out;
  GObject *internal;
  GstPad *pad;
  guint i, compound = 0, reduced = 0;
  gint made = 0;

  start_call_by (&ends, "mode=tfrc-sp", "mode=tfrc-sp", own_pads);
  session = gst_bin_get_by_name (GST_BIN (ends.receiver), "b");
  g_object_get (session, "internal-session", &internal, NULL);
  g_signal_connect (internal, "on-sending-rtcp", G_CALLBACK (on_session_sends),
      &made);
  out = gst_bin_get_by_name (GST_BIN (ends.receiver), "back");
  pad = gst_element_get_static_pad (out, "sink");
  gst_object_unref (out);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_rtcp, packets, NULL);
  wait_count (ends.receiver, "rx", "rtcp-reduced-size", 1);
  wait_count (ends.receiver, "rx", "rtcp-reports-sent",
      get_count (ends.receiver, "rx", "rtcp-reports-sent") + 20);
  gst_element_set_state (ends.receiver, GST_STATE_NULL);
  for (i = 0; i < packets->len; i++) {
    GstBuffer *rtcp = packets->pdata[i];

    if (get_type (rtcp, 0) == GST_RTCP_TYPE_RTPFB) {
      /* RFC 5506 4.2: no reduced-size packet before a compound one */
      fail_unless (compound > 0);
      fail_unless_equals_int (gst_buffer_get_size (rtcp), 28);
      reduced++;
      continue;
    }
    /* RFC 4585 3.1: SR or RR, SDES, and feedback behind them */
    fail_unless (get_type (rtcp, 0) == GST_RTCP_TYPE_RR);
    fail_unless (has_type (rtcp, GST_RTCP_TYPE_SDES));
    compound += has_type (rtcp, GST_RTCP_TYPE_RTPFB);
  }
  fail_unless (reduced >= 15, "%u", reduced);
  if (own_pads)                 /* the session makes the compound packets alone */
    fail_unless ((guint) made < packets->len / 2, "%d of %u", made,
        packets->len);
  else                          /* the session makes all */
    fail_unless ((guint) made >= packets->len, "%d of %u", made, packets->len);
  g_object_unref (internal);
  gst_object_unref (pad);
  gst_object_unref (session);
  end_call (&ends);
  g_ptr_array_unref (packets);
}

GST_START_TEST (the_first_report_is_compound_and_the_others_are_reduced)
{
  check_reduced_size (TRUE);
}

GST_END_TEST;

GST_START_TEST (the_session_makes_all_reports_when_the_pads_are_not_linked)
{
  check_reduced_size (FALSE);
}

GST_END_TEST;

static void
on_session_hears (GObject * session, guint type, guint fmt, guint sender,
    guint media, GstBuffer * fci, gint * heard)
{
  g_atomic_int_inc (heard);
}

static GstPadProbeReturn
drop_compound (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return get_type (GST_PAD_PROBE_INFO_BUFFER (info), 0) ==
      GST_RTCP_TYPE_RTPFB ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* The number of the reports that the session has seen of the next so many. */
static gint
count_heard (Ends * ends, gint * heard, guint64 reports)
{
  gint before = g_atomic_int_get (heard);

  wait_count (ends->sender, "tx", "reports",
      get_count (ends->sender, "tx", "reports") + reports);
  return g_atomic_int_get (heard) - before;
}

/* And no compound packet is needed for it to know that the receiver is there. */
GST_START_TEST (lone_reports_spare_the_session_most_of_them)
{
  Ends ends;
  GstElement *session;
  GObject *internal;
  GstPad *pad;
  gint heard = 0, some;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  session = gst_bin_get_by_name (GST_BIN (ends.sender), "a");
  g_object_get (session, "internal-session", &internal, NULL);
  g_signal_connect (internal, "on-feedback-rtcp",
      G_CALLBACK (on_session_hears), &heard);
  wait_count (ends.receiver, "rx", "rtcp-reduced-size", 1);
  pad = gst_element_get_static_pad (session, "recv_rtcp_sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, drop_compound, NULL, NULL);
  count_heard (&ends, &heard, 5);
  some = count_heard (&ends, &heard, 60);
  /* one in two seconds: reports come each 40 ms and more */
  fail_unless (some >= 1, "%d", some);
  fail_unless (some <= 10, "%d", some);
  fail_unless_equals_uint64 (get_count (ends.sender, "tx",
          "rtcp-wrong-sender-ssrc"), 0);
  g_object_unref (internal);
  gst_object_unref (pad);
  gst_object_unref (session);
  end_call (&ends);
}

GST_END_TEST;

static Suite *
feedback_suite (void)
{
  Suite *s = suite_create ("feedback");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, the_first_report_is_compound_and_the_others_are_reduced);
  tcase_add_test (tc,
      the_session_makes_all_reports_when_the_pads_are_not_linked);
  tcase_add_test (tc, lone_reports_spare_the_session_most_of_them);
  return s;
}

GST_CHECK_MAIN (feedback);
