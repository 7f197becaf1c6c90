/* gst-tfrc tests: reports through real RTP sessions, in rtpsession and in rtpbin, and
 * the header extension from payloader to depayloader; in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "net.h"
#include "settle.h"
#include "leaks.h"

#define SOURCE "audiotestsrc name=source is-live=true samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=32000 ! rtpopuspay ! "
#define RTP_PORT 5000
#define STEP (10 * GST_MSECOND)
#define PATIENCE (60 * GST_SECOND)

/* The sender's pipeline and the receiver's, with the network between them. */
typedef struct
{
  GstElement *sender, *receiver;
  guint sender_rtcp, receiver_rtcp;     /* ports on which each hears RTCP */
} Ends;

static guint next_port;

static void
set_up (void)
{
  net_start ();
  next_port = RTP_PORT;
}

static guint
find_port (void)
{
  return next_port++;
}

static void
play_pipeline (GstElement * pipeline)
{
  GstClock *clock = gst_system_clock_obtain ();

  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  settle ();
  gst_object_unref (clock);
}

/* Makes both sessions start their RTCP threads, by a BYE of nobody. Otherwise rtpsession starts
 * that thread in the middle of what it does with its first packet, and the two threads race for
 * the times of the first reports. */
static void
start_rtcp (Ends * ends)
{
  static const guint8 bye[] = { 0x80, GST_RTCP_TYPE_BYE, 0, 0 };

  net_send (RTP_PORT - 1, ends->receiver_rtcp, bye, sizeof (bye));
  net_send (RTP_PORT - 1, ends->sender_rtcp, bye, sizeof (bye));
  net_run (NET_DELAY);
}

static void
play (Ends * ends)
{
  GstElement *source = gst_bin_get_by_name (GST_BIN (ends->sender), "source");

  gst_element_set_locked_state (source, TRUE);
  play_pipeline (ends->receiver);
  play_pipeline (ends->sender);
  start_rtcp (ends);
  gst_element_set_locked_state (source, FALSE);
  gst_element_sync_state_with_parent (source);
  settle ();
  gst_object_unref (source);
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

/* With `own_pads` the filters' RTCP pads are linked. `session` are properties of both sessions. */
static void
start_call_by (Ends * ends, const gchar * send, const gchar * receive,
    const gchar * session, gboolean own_pads)
{
  guint rtp = find_port (), there = find_port (), back = find_port ();
  gchar *line;

  line = g_strdup_printf ("rtpsession name=b %s "
      "udpsrc port=%u caps=" RTP_CAPS " ! b.recv_rtp_sink "
      "b.recv_rtp_src ! rtptfrcreceive name=rx %s ! "
      "fakesink sync=false async=false "
      "udpsrc port=%u ! b.recv_rtcp_sink "
      "funnel name=out forward-sticky-events=false ! " SINK "name=back port=%u "
      "b.send_rtcp_src ! out. %s", session, rtp, receive, there, back,
      own_pads ? "rx.rtcp_src ! out." : "");
  ends->receiver = parse (line);
  g_free (line);
  line = g_strdup_printf ("rtpsession name=a %s " SOURCE
      "rtptfrcsend name=tx %s ! a.send_rtp_sink a.send_rtp_src ! " SINK
      "port=%u a.send_rtcp_src ! " SINK "port=%u udpsrc port=%u ! "
      "%s a.recv_rtcp_sink", session, send, rtp, there, back,
      own_pads ? "tx.rtcp_sink tx.rtcp_src !" : "");
  ends->sender = parse (line);
  g_free (line);
  ends->receiver_rtcp = there;
  ends->sender_rtcp = back;
  play (ends);
}

static void
start_call (Ends * ends, const gchar * send, const gchar * receive)
{
  start_call_by (ends, send, receive, "", FALSE);
}

static GstMessage *
get_message (GstElement * pipeline, GstMessageType type)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, type);

  gst_object_unref (bus);
  return message;
}

static void
end_pipeline (GstElement * pipeline)
{
  fail_unless (get_message (pipeline, GST_MESSAGE_ERROR) == NULL);
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
  guint64 rtt;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  wait_count (ends.sender, "tx", "reports", 20);
  stats = get_stats (ends.sender, "tx");
  fail_unless (gst_structure_get_uint64 (stats, "round-trip-time", &rtt));
  gst_structure_free (stats);
  fail_unless (rtt > 33900 * GST_USECOND && rtt < 34200 * GST_USECOND,
      "%" G_GUINT64_FORMAT, rtt);
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
check_mismatch (GstElement * pipeline, GstMessageType type)
{
  GstMessage *message = get_message (pipeline, type);
  GError *error;

  fail_unless (message != NULL);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "mode tfrc-sp") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "Set mode=") != NULL);
  g_error_free (error);
  gst_message_unref (message);
}

static void
set_profile (GstElement * pipeline, const gchar * name)
{
  GstElement *session = gst_bin_get_by_name (GST_BIN (pipeline), name);

  gst_util_set_object_arg (G_OBJECT (session), "rtp-profile", "savpf");
  gst_object_unref (session);
}

/* An application may set the profile when the filters have found the session already. */
GST_START_TEST (ends_in_different_modes_both_find_it)
{
  gboolean later = __i__ == 1;
  Ends ends;

  start_call_by (&ends, "mode=tfrc-sp", "mode=tfrc",
      later ? "" : "rtp-profile=savpf", FALSE);
  if (later) {
    set_profile (ends.sender, "a");
    set_profile (ends.receiver, "b");
  }
  net_run (10 * GST_SECOND);
  check_mismatch (ends.sender, GST_MESSAGE_ERROR);
  check_mismatch (ends.receiver, GST_MESSAGE_ERROR);
  end_call (&ends);
}

GST_END_TEST;

/* Where RTCP is not authenticated, one forged packet is as good as one of the remote end. */
GST_START_TEST (another_mode_in_plain_rtcp_ends_no_call)
{
  Ends ends;
  guint64 reports;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc");
  net_run (10 * GST_SECOND);
  check_mismatch (ends.sender, GST_MESSAGE_WARNING);
  check_mismatch (ends.receiver, GST_MESSAGE_WARNING);
  /* each end says it once, and the call goes on */
  reports = get_count (ends.sender, "tx", "reports");
  net_run (30 * GST_SECOND);
  fail_unless (get_message (ends.sender, GST_MESSAGE_WARNING) == NULL);
  fail_unless (get_message (ends.receiver, GST_MESSAGE_WARNING) == NULL);
  fail_unless (get_count (ends.sender, "tx", "reports") > reports + 100);
  end_call (&ends);
}

GST_END_TEST;

/* --- reduced-size reports, RFC 5506 --- */

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
  (*made)++;
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

  start_call_by (&ends, "mode=tfrc-sp", "mode=tfrc-sp", "", own_pads);
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
      fail_unless_equals_int (gst_buffer_get_size (rtcp), 32);
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
  (*heard)++;
}

static gboolean
is_reduced (GstPadProbeInfo * info)
{
  return get_type (GST_PAD_PROBE_INFO_BUFFER (info), 0) == GST_RTCP_TYPE_RTPFB;
}

static GstPadProbeReturn
drop_compound (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return is_reduced (info) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
drop_reduced (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return is_reduced (info) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* What the network does from now on to the RTCP of the data receiver. */
static gulong
drop_rtcp (Ends * ends, GstPadProbeCallback drop)
{
  GstElement *back = gst_bin_get_by_name (GST_BIN (ends->receiver), "back");
  GstPad *pad = gst_element_get_static_pad (back, "sink");
  gulong id =
      gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, drop, NULL, NULL);

  gst_object_unref (pad);
  gst_object_unref (back);
  return id;
}

static void
drop_rtcp_no_more (Ends * ends, gulong id)
{
  GstElement *back = gst_bin_get_by_name (GST_BIN (ends->receiver), "back");
  GstPad *pad = gst_element_get_static_pad (back, "sink");

  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  gst_object_unref (back);
}

/* A call in which reduced-size reports have begun; all packets take the same time, so that
 * R stays the same from here on. */
static void
start_reduced_call (Ends * ends)
{
  start_call_by (ends, "mode=tfrc-sp", "mode=tfrc-sp", "", TRUE);
  wait_count (ends->receiver, "rx", "rtcp-reduced-size", 1);
}

/* So many packets arrive in the next `seconds`. */
static guint64
count_packets (Ends * ends, guint seconds)
{
  guint64 before = get_count (ends->receiver, "rx", "packets");

  net_run (seconds * GST_SECOND);
  return get_count (ends->receiver, "rx", "packets") - before;
}

GST_START_TEST (reduced_size_stays_although_R_does_not_move)
{
  Ends ends;

  start_reduced_call (&ends);
  fail_unless (count_packets (&ends, 20) >= 990);
  fail_unless (get_count (ends.receiver, "rx", "rtcp-reports-sent") > 100);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx",
          "rtcp-reduced-size"), 1);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx",
          "rtcp-reduced-size-fallbacks"), 0);
  end_call (&ends);
}

GST_END_TEST;

GST_START_TEST (a_call_goes_on_when_compound_packets_are_lost)
{
  Ends ends;

  start_reduced_call (&ends);
  drop_rtcp (&ends, drop_compound);
  fail_unless (count_packets (&ends, 20) >= 990);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx",
          "rtcp-reduced-size"), 1);
  end_call (&ends);
}

GST_END_TEST;

/* Reduced-size packets are lost until reduced size is given up; the data take 0 to 4 ms more
 * than before, so that R moves with each report that arrives. */
static gulong
lose_reduced_size (Ends * ends)
{
  GstClockTime end = net_get_time () + 10 * GST_SECOND;
  gulong drop = drop_rtcp (ends, drop_reduced);
  guint step = 0;

  while (get_count (ends->receiver, "rx", "rtcp-reduced-size") == 1) {
    NetRules rules = { .delay = step++ * 7 % 5 * GST_MSECOND };

    fail_unless (net_get_time () < end, "reduced size is not given up");
    net_set_rules (RTP_PORT, &rules);
    net_run (STEP);
  }
  fail_unless_equals_uint64 (get_count (ends->receiver, "rx",
          "rtcp-reduced-size-fallbacks"), 1);
  return drop;
}

GST_START_TEST (a_call_goes_on_when_reduced_size_packets_are_lost)
{
  Ends ends;

  start_reduced_call (&ends);
  lose_reduced_size (&ends);
  net_run (2 * GST_SECOND);
  fail_unless (count_packets (&ends, 20) >= 990);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx",
          "rtcp-reduced-size"), 0);
  end_call (&ends);
}

GST_END_TEST;

/* Turns the report blocks of an RR at the start of a packet into an extension of the RR. */
static void
remove_blocks (guint8 * data, gsize size)
{
  if (data[1] == GST_RTCP_TYPE_RR)
    data[0] &= 0xe0;
}

/* Early RTCP of rtpsession has no report blocks, and the session that it arrives at goes on to show the
 * last one that came. */
GST_START_TEST (an_rr_without_a_block_is_no_report_block_for_the_breaker)
{
  NetRules rules = { .edit = remove_blocks };
  Ends ends;

  start_call (&ends, "mode=tfrc-sp", "mode=tfrc-sp");
  net_run (10 * GST_SECOND);
  net_set_rules (ends.sender_rtcp, &rules);
  net_run (40 * GST_SECOND);
  fail_unless_equals_uint64 (get_count (ends.sender, "tx", "breaker-trips"), 0);
  end_call (&ends);
}

GST_END_TEST;

/* First the one kind is lost, until reduced size is given up, then the other. */
GST_START_TEST (reduced_size_is_tried_again_when_compound_packets_are_lost)
{
  Ends ends;
  gulong drop;

  start_reduced_call (&ends);
  drop = lose_reduced_size (&ends);
  net_run (3 * GST_SECOND);
  drop_rtcp_no_more (&ends, drop);
  drop_rtcp (&ends, drop_compound);
  /* sooner than after the 30 s for which reduced size is given up */
  net_run (20 * GST_SECOND);
  fail_unless_equals_uint64 (get_count (ends.receiver, "rx",
          "rtcp-reduced-size"), 1);
  fail_unless (count_packets (&ends, 10) >= 490);
  end_call (&ends);
}

GST_END_TEST;

/* The number of the reports that the session has seen of the next so many. */
static gint
count_heard (Ends * ends, gint * heard, guint64 reports)
{
  gint before = *heard;

  wait_count (ends->sender, "tx", "reports",
      get_count (ends->sender, "tx", "reports") + reports);
  return *heard - before;
}

/* And no compound packet is needed for it to know that the receiver is there. */
GST_START_TEST (lone_reports_spare_the_session_most_of_them)
{
  Ends ends;
  GstElement *session;
  GObject *internal;
  GstPad *pad;
  gint heard = 0, some;

  start_call_by (&ends, "mode=tfrc-sp", "mode=tfrc-sp", "", TRUE);
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

  ends->receiver_rtcp = there;
  ends->sender_rtcp = back;
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
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_checked_fixture (tc, set_up, net_stop);
  tcase_add_test (tc, reports_go_round);
  tcase_add_test (tc, another_receiver_is_a_new_start);
  tcase_add_loop_test (tc, ends_in_different_modes_both_find_it, 0, 2);
  tcase_add_test (tc, another_mode_in_plain_rtcp_ends_no_call);
  tcase_add_test (tc, the_first_report_is_compound_and_the_others_are_reduced);
  tcase_add_test (tc,
      the_session_makes_all_reports_when_the_pads_are_not_linked);
  tcase_add_test (tc, reduced_size_stays_although_R_does_not_move);
  tcase_add_test (tc, a_call_goes_on_when_compound_packets_are_lost);
  tcase_add_test (tc, a_call_goes_on_when_reduced_size_packets_are_lost);
  tcase_add_test (tc,
      reduced_size_is_tried_again_when_compound_packets_are_lost);
  tcase_add_test (tc, an_rr_without_a_block_is_no_report_block_for_the_breaker);
  tcase_add_test (tc, lone_reports_spare_the_session_most_of_them);
  tcase_add_test (tc, rtpbin_takes_the_filters_as_auxiliary_elements);
  tcase_add_test (tc,
      a_payloader_reserves_the_stamp_and_a_depayloader_takes_it);
  return s;
}

GST_CHECK_MAIN (feedback);
