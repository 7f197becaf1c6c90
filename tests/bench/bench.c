/* The measuring program of tests/bench: calls in one process, watched from inside
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-bench --variant tfrc --calls 10 --port 6000 --to 5000 --seconds 10
 *
 * Each call is a sending and a receiving pipeline. With the variant bin, one element tfrcbin sends to all ports from --to on, and
 * one receives; it gives packets on at once, as rtpsession does. In the variants that end in -jitter packets wait for late ones.
 * With the variant bins, each sender is a tfrcbin of its own; they share the thread for the network. With the variant
 * call, one tfrcbin has a peer both ways, at --to or, where --to is 0, the one that calls. One thread
 * feeds all senders, as many encoders would. With the variant floor floorflows.h moves the packets.
 * It prints `key value` lines of the steady part of the run: CPU of all and of the elements alone (without what the
 * feeding thread takes to wait and to make the packets), packets, threads, memory. With
 * --instructions it then counts these, too: to count takes time at each change of threads. With --log FILE it also
 * writes every packet of the first call that comes into the sender's sink pad. Where there is one call, a tap on the way
 * to the receiver writes the packets of data and of RTCP, too, and X as it is then.
 * With --waits a thread that does nothing else waits on the clock for the time of each
 * frame, and the log has how late it wakes: what this machine makes of any wait. */
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ends.h"
#include "floorflows.h"
#include "process.h"
#include "wiretap.h"

#define STAMP_BLOCK 12          /* bytes of header extension that a payloader reserves */
#define COUNTED_SECONDS 2       /* for which instructions are counted */

typedef struct
{
  GstElement *sender, *receiver, *source, *sink;
  GstCaps *caps;                /* of what is sent */
  GstPad *out;                  /* that packets are pushed from; NULL: there is an appsrc */
  GstClockTime next;            /* ns of the feeder's clock */
  guint16 seq;
  guint32 timestamp, ssrc;
} Call;

typedef struct
{
  gint64 time;                  /* ns, monotonic */
  gchar kind;                   /* of data: i (into the sender), o (out); of RTCP: s (of the sender), f (feedback),
                                 * c (else); w (a bare wait) */
  guint32 timestamp;            /* of RTP */
  guint size;
  gdouble X, X_inst;            /* bytes/s; of a report: X_recv in X; of a wait: ns late */
} Event;

static gchar *variant = "tfrc", *mode = "tfrc-sp", *log_name, *sink_options =
    "", *host = "127.0.0.1";
static gint n_calls = 1, port = 6000, to = 6000, payload = 160, warm_up = 4;
static gdouble seconds = 10, frame_ms = 20;
static gboolean waits, with_delays, push, with_instructions;

static GOptionEntry entries[] = {
  {"variant", 0, 0, G_OPTION_ARG_STRING, &variant,
        "tfrc, bin, bin-jitter, bins, call, session, session-jitter, rtpbin, plain, floor",
      "NAME"},
  {"mode", 0, 0, G_OPTION_ARG_STRING, &mode, "tfrc or tfrc-sp (tfrc-sp)",
      "MODE"},
  {"sink-options", 0, 0, G_OPTION_ARG_STRING, &sink_options,
      "More properties for tfrcsink", "P"},
  {"calls", 0, 0, G_OPTION_ARG_INT, &n_calls, "Calls at once (1)", "N"},
  {"port", 0, 0, G_OPTION_ARG_INT, &port, "The receivers' first port (6000)",
      "PORT"},
  {"to", 0, 0, G_OPTION_ARG_INT, &to, "The senders' first destination (6000)",
      "PORT"},
  {"host", 0, 0, G_OPTION_ARG_STRING, &host, "And its host (127.0.0.1)",
      "HOST"},
  {"payload", 0, 0, G_OPTION_ARG_INT, &payload, "Bytes of payload (160)",
      "BYTES"},
  {"frame", 0, 0, G_OPTION_ARG_DOUBLE, &frame_ms,
      "A packet each so many ms (20)", "MS"},
  {"warm-up", 0, 0, G_OPTION_ARG_INT, &warm_up, "Before the measured part (4)",
      "S"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Of the measured part (10)",
      "S"},
  {"log", 0, 0, G_OPTION_ARG_FILENAME, &log_name,
      "Every packet of the first call", "FILE"},
  {"delays", 0, 0, G_OPTION_ARG_NONE, &with_delays,
      "Tell lost packets and the delay of the others", NULL},
  {"push", 0, 0, G_OPTION_ARG_NONE, &push,
      "Push into pads instead of an appsrc, which has a thread each", NULL},
  {"instructions", 0, 0, G_OPTION_ARG_NONE, &with_instructions,
      "Count instructions, after the measured part", NULL},
  {"waits", 0, 0, G_OPTION_ARG_NONE, &waits,
      "Log how late a bare wait on the clock ends", NULL},
  {NULL}
};

static GMutex log_lock;
static GArray *delays;          /* guint64 ns, of packets that were sent in the measured time */
static GstClockTime measured_from, measured_to;
static GArray *events;
static gboolean stopping;
static gint packets_arrived;    /* atomic */
static _Atomic guint64 making_ns;       /* CPU time of the feeder outside the elements */
static gint packets_measured;   /* that were sent in the measured time; atomic */
static Call *calls;

static gint64
now_ns (void)
{
  return gst_util_get_timestamp ();
}

static void
log_event (gint64 now, gchar kind, guint32 timestamp, guint size, gdouble X,
    gdouble X_inst)
{
  Event event = { now, kind, timestamp, size, X, X_inst };
  g_mutex_lock (&log_lock);
  g_array_append_val (events, event);
  g_mutex_unlock (&log_lock);
}

/* X and what departures are paced by, RFC 5348 4.5. */
static void
get_rates (gdouble * X, gdouble * X_inst)
{
  GstStructure *stats = NULL, *rfc;
  if (!g_str_equal (variant, "tfrc"))
    return;
  g_object_get (calls[0].sink, "stats", &stats, NULL);
  gst_structure_get (stats, "rfc", GST_TYPE_STRUCTURE, &rfc, NULL);
  gst_structure_get (rfc, "X", G_TYPE_DOUBLE, X, "G", G_TYPE_DOUBLE, X_inst,
      NULL);
  gst_structure_free (rfc);
  gst_structure_free (stats);
}

/* X_recv of the transport feedback message of format 2 in a compound packet; -1: there
 * is none. */
static gdouble
find_report (const guint8 * data, gsize size)
{
  gdouble X_recv = -1;
  for (gsize at = 0; at + 4 <= size;
      at += 4 + 4 * GST_READ_UINT16_BE (data + at + 2))
    if (data[at + 1] == 205 && (data[at] & 0x1f) == 2 && at + 28 <= size)
      X_recv = GST_READ_UINT32_BE (data + at + 20);
  return X_recv;
}

/* Data and RTCP go through the same sockets; the types of RTCP packets are 200 to 207. */
static void
on_datagram (gint64 time, gboolean back, const guint8 * data, gsize size)
{
  gdouble X = 0, X_inst = 0;
  if (size < 8)
    return;
  if (data[1] >= 200 && data[1] <= 207) {
    X = find_report (data, size);
    log_event (time, !back ? 's' : X >= 0 ? 'f' : 'c', 0, size, X, 0);
  } else if (!back) {
    get_rates (&X, &X_inst);
    log_event (time, 'o', GST_READ_UINT32_BE (data + 4), size, X, X_inst);
  }
}

static GstPadProbeReturn
on_entry (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gint64 now = now_ns ();
  guint8 header[8] = { 0 };
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gst_buffer_extract (buffer, 0, header, 8);
  log_event (now, 'i', GST_READ_UINT32_BE (header + 4),
      gst_buffer_get_size (buffer), 0, 0);
  return GST_PAD_PROBE_OK;
}

static void
watch_entries (Call * call)
{
  GstPad *pad = gst_element_get_static_pad (call->source, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_entry, NULL, NULL);
  gst_object_unref (pad);
}

/* A packet's last bytes are the time at which it was made. */
static void
log_delay (GstBuffer * buffer)
{
  gsize size = gst_buffer_get_size (buffer);
  guint64 sent, delay;
  gst_buffer_extract (buffer, size - sizeof sent, &sent, sizeof sent);
  delay = now_ns () - sent;
  g_mutex_lock (&log_lock);
  if (sent >= measured_from && sent < measured_to)
    g_array_append_val (delays, delay);
  g_mutex_unlock (&log_lock);
}

static void
on_arrival (GstBuffer * buffer)
{
  g_atomic_int_inc (&packets_arrived);
  if (with_delays)
    log_delay (buffer);
}

/* Packets are pushed from the pad of the element "source". */
static void
open_pad (Call * call)
{
  GstPad *out = gst_element_get_static_pad (call->source, "src");
  GstSegment segment;
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (out, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (out, gst_event_new_caps (call->caps));
  gst_pad_push_event (out, gst_event_new_segment (&segment));
  g_atomic_pointer_set (&call->out, out);
}

/* Adds an element "source" before the pad of a peer. */
static void
add_source (Call * call, GstElement * bin, guint id)
{
  gchar *pad = g_strdup_printf ("send_sink_%u", id);

  call->source = gst_element_factory_make ("benchsource", NULL);
  gst_bin_add (GST_BIN (call->sender), gst_object_ref (call->source));
  gst_element_sync_state_with_parent (call->source);
  if (!gst_element_link_pads (call->source, "src", bin, pad))
    g_error ("no pad %s", pad);
  g_free (pad);
}

static gboolean
is_call (void)
{
  return g_str_equal (variant, "call");
}

static gboolean
waits_to_be_called (void)
{
  return is_call () && to == 0;
}

/* Who is called sends to the one that calls. */
static void
call_back (GstElement * bin, GstPad * pad)
{
  guint id;

  if (sscanf (GST_PAD_NAME (pad), "recv_src_%u", &id) != 1)
    g_error ("a pad %s", GST_PAD_NAME (pad));
  add_source (&calls[0], bin, id);
  open_pad (&calls[0]);
}

static void
on_caller (GstElement * bin, GstPad * pad, gpointer pipeline)
{
  GstElement *end;
  GstPad *sink;
  if (GST_PAD_IS_SINK (pad))    /* that this program requested */
    return;
  end = gst_element_factory_make ("benchsink", NULL);
  sink = gst_element_get_static_pad (end, "sink");
  gst_bin_add (pipeline, end);
  gst_element_sync_state_with_parent (end);
  gst_pad_link (pad, sink);
  gst_object_unref (sink);
  if (waits_to_be_called ())
    call_back (bin, pad);
}

static gboolean
is_floor (void)
{
  return g_str_equal (variant, "floor");
}

static gchar *
sender_text (gint i)
{
  const gchar *source = push ? "benchsource name=source" :
      "appsrc name=source is-live=true format=time max-bytes=0";
  if (g_str_equal (variant, "bins"))
    return g_strdup_printf ("tfrcbin name=sink port=0 peer=%s:%d mode=%s "
        "context=bench %s ! sink.send_sink_0", host, to, mode, source);
  if (g_str_equal (variant, "rtpbin"))
    return g_strdup_printf ("rtpbin name=s %s ! s.send_rtp_sink_0 "
        "s.send_rtp_src_0 ! udpsink name=sink host=%s port=%d sync=false async=false "
        "s.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=%d sync=false async=false "
        "udpsrc port=%d ! s.recv_rtcp_sink_0", source, host, to + i,
        port + n_calls + i, port + 2 * n_calls + i);
  if (g_str_equal (variant, "tfrc"))
    return
        g_strdup_printf ("%s ! tfrcsink name=sink host=%s port=%d mode=%s %s",
        source, host, to + i, mode, sink_options);
  if (is_floor ())
    return g_strdup_printf ("%s ! benchsink name=sink", source);
  if (g_str_equal (variant, "plain"))
    return
        g_strdup_printf
        ("%s ! udpsink name=sink host=%s port=%d sync=false async=false",
        source, host, to + i);
  return g_strdup_printf ("rtpsession name=s %s ! s.send_rtp_sink "
      "s.send_rtp_src ! udpsink name=sink host=%s port=%d sync=false async=false "
      "s.send_rtcp_src ! udpsink host=127.0.0.1 port=%d sync=false async=false "
      "udpsrc port=%d ! s.recv_rtcp_sink", source, host, to + i,
      port + n_calls + i, port + 2 * n_calls + i);
}

#define CAPS "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"

static gboolean
is_bin (void)
{
  return g_str_has_prefix (variant, "bin");
}

/* All senders are one element. */
static gboolean
is_one_bin (void)
{
  return is_bin () && !g_str_equal (variant, "bins");
}

static gboolean
has_jitter_buffer (void)
{
  return g_str_has_suffix (variant, "-jitter");
}

/* The callers of one port; on_caller() adds the rest. */
static gchar *
receiving_bin_text (void)
{
  return g_strdup_printf ("tfrcbin name=r port=%d accept=any mode=%s "
      "latency=%d max-peers=%d context=bench caps=\"" CAPS "\"", port, mode,
      has_jitter_buffer ()? 50 : 0, n_calls);
}

static gchar *
receiver_text (gint i)
{
  const gchar *jitter =
      has_jitter_buffer ()? "rtpjitterbuffer latency=50 !" : "";
  if (is_bin ())
    return receiving_bin_text ();
  if (g_str_equal (variant, "tfrc"))
    return g_strdup_printf ("tfrcsrc port=%d mode=%s latency=50 caps=\"" CAPS
        "\" ! benchsink", port + i, mode);
  if (g_str_has_prefix (variant, "plain"))
    return g_strdup_printf ("udpsrc port=%d caps=\"" CAPS
        "\" ! %s benchsink", port + i, jitter);
  if (g_str_equal (variant, "rtpbin"))
    return g_strdup_printf ("rtpbin name=r latency=50 udpsrc port=%d caps=\""
        CAPS "\" ! r.recv_rtp_sink_0 r. ! application/x-rtp,media=audio ! "
        "benchsink r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=%d "
        "sync=false async=false udpsrc port=%d ! r.recv_rtcp_sink_0", port + i,
        port + 2 * n_calls + i, port + n_calls + i);
  return g_strdup_printf ("rtpsession name=r udpsrc port=%d caps=\"" CAPS
      "\" ! r.recv_rtp_sink "
      "r.recv_rtp_src ! %s benchsink "
      "r.send_rtcp_src ! udpsink host=127.0.0.1 port=%d sync=false async=false "
      "udpsrc port=%d ! r.recv_rtcp_sink", port + i, jitter,
      port + 2 * n_calls + i, port + n_calls + i);
}

static GstElement *
launch (gchar * text)
{
  GError *error = NULL;
  GstElement *pipeline =
      gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (!pipeline)
    g_error ("%s: %s", text, error->message);
  g_free (text);
  return pipeline;
}

/* Errors end the run: a figure of a broken call is worse than none. */
static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  GError *error = NULL;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_error ("%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
start_pipeline (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, on_message, NULL, NULL);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

static void
open_receiver (Call * call, gint i)
{
  GstElement *receiver;
  if (is_floor () || (i > 0 && is_bin ()))
    return;
  receiver = call->receiver = launch (receiver_text (i));
  if (is_bin ()) {
    call->receiver = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (call->receiver), receiver);
    g_signal_connect (receiver, "pad-added", G_CALLBACK (on_caller),
        call->receiver);
  }
  start_pipeline (call->receiver);
}

/* One sender to all ports. It runs before its peers are added. */
static GstElement *
open_sending_bin (void)
{
  GstElement *pipeline = gst_pipeline_new (NULL);

  gst_bin_add (GST_BIN (pipeline),
      launch (g_strdup_printf ("tfrcbin name=sink port=0 accept=none mode=%s "
              "context=bench max-peers=%d", mode, n_calls)));
  start_pipeline (pipeline);
  return pipeline;
}

/* Adds the peer of the call to that sender, with an element "source" before the pad of the peer. */
static void
add_peer (Call * call, gint i)
{
  GstElement *bin = gst_bin_get_by_name (GST_BIN (call->sender), "sink");
  guint id = 0;

  g_signal_emit_by_name (bin, "add-peer", host, to + i, NULL, &id);
  add_source (call, bin, id);
  gst_object_unref (bin);
}

/* One element for both ways. */
static void
open_both (Call * call)
{
  gchar *peer = to == 0 ? g_strdup ("accept=any max-peers=1") :
      g_strdup_printf ("accept=none peer=%s:%d", host, to);
  GstElement *bin = launch (g_strdup_printf ("tfrcbin name=sink port=%d "
          "mode=%s latency=50 caps=\"" CAPS "\" %s", port, mode, peer));

  g_free (peer);
  call->sender = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (call->sender), bin);
  g_signal_connect (bin, "pad-added", G_CALLBACK (on_caller), call->sender);
  if (to != 0)
    add_source (call, bin, 0);
}

static void
open_sender (Call * call, gint i)
{
  if (is_one_bin ()) {
    call->sender = i == 0 ? open_sending_bin () : calls[0].sender;
    add_peer (call, i);
    return;
  }
  call->sender = launch (sender_text (i));
  call->source = gst_bin_get_by_name (GST_BIN (call->sender), "source");
}

static void
open_call (Call * call, gint i)
{
  GstCaps *caps =
      gst_caps_from_string (CAPS
      ",extmap-3=urn:ietf:params:rtp-hdrext:rtt-sendts");
  call->caps = caps;
  call->ssrc = 0x1000 + i;
  gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, call->ssrc, NULL);
  if (is_call ()) {
    open_both (call);
  } else {
    open_sender (call, i);
    open_receiver (call, i);
  }
  call->sink = gst_bin_get_by_name (GST_BIN (call->sender), "sink");
  if (!push)
    g_object_set (call->source, "caps", caps, NULL);
}

static guint64
thread_cpu_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return GST_TIMESPEC_TO_TIME (time);
}

static void
send_by_floor (Call * call, GstBuffer * buffer)
{
  GstMapInfo map;
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  floor_flows_send (call - calls, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* What the thread takes from here on to the return is the elements'. */
static void
hand_over (Call * call, GstBuffer * buffer)
{
  static guint64 handed_over;
  making_ns += thread_cpu_ns () - handed_over;
  if (is_floor ())
    send_by_floor (call, buffer);
  else if (push)
    gst_pad_push (call->out, buffer);
  else
    gst_app_src_push_buffer (GST_APP_SRC (call->source), buffer);
  handed_over = thread_cpu_ns ();
}

static void
feed (Call * call, GstClockTime due)
{
  gboolean extended = g_str_equal (variant, "tfrc") || is_call () ||
      is_bin () || is_floor ();
  guint64 now = now_ns ();
  gsize header = 12 + (extended ? STAMP_BLOCK : 0);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, header + payload, NULL);
  GstMapInfo map;
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, 0, map.size);
  map.data[0] = extended ? 0x90 : 0x80;
  map.data[1] = 96;
  GST_WRITE_UINT16_BE (map.data + 2, call->seq++);
  GST_WRITE_UINT32_BE (map.data + 4, call->timestamp);
  GST_WRITE_UINT32_BE (map.data + 8, call->ssrc);
  if (extended) {
    GST_WRITE_UINT32_BE (map.data + 12, 0xbede0002);
    map.data[16] = 0x36;
  }
  memcpy (map.data + map.size - sizeof now, &now, sizeof now);
  gst_buffer_unmap (buffer, &map);
  GstClock *clock = gst_pipeline_get_clock (GST_PIPELINE (call->sender));
  GstClockTime base = gst_element_get_base_time (call->sender);
  /* Without a base time the pipeline does not run yet. The time of the clock would be a running time of hours, for which the sink
   * would wait. */
  GST_BUFFER_PTS (buffer) = base == 0 ? 0 : gst_clock_get_time (clock) - base;
  GST_BUFFER_DURATION (buffer) = frame_ms * GST_MSECOND;
  gst_object_unref (clock);
  call->timestamp += (guint32) (frame_ms * 48);
  if (now >= measured_from && now < measured_to)
    g_atomic_int_inc (&packets_measured);
  hand_over (call, buffer);
}

/* Feeds all calls, spread over the frame as independent callers are. */
static gpointer
feed_all (gpointer user_data)
{
  GstClockTime frame = frame_ms * GST_MSECOND, next = now_ns () + frame;
  for (;; next += frame)
    for (gint i = 0; i < n_calls; i++) {
      GstClockTime due = next + frame * i / n_calls, now = now_ns ();
      if (due > now)
        g_usleep ((due - now) / 1000);
      if (g_atomic_int_get (&stopping))
        return NULL;
      if (!push || g_atomic_pointer_get (&calls[i].out) != NULL)
        feed (&calls[i], due);
    }
}

static gdouble
cpu_seconds (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A number of /proc/self/status. */
static glong
status_value (const gchar * name)
{
  gchar *text = NULL;
  glong value = 0;
  if (g_file_get_contents ("/proc/self/status", &text, NULL, NULL)) {
    const gchar *found = strstr (text, name);
    value = found ? strtol (found + strlen (name) + 1, NULL, 10) : 0;
  }
  g_free (text);
  return value;
}

static guint64
packets_fed (void)
{
  guint64 sum = 0;
  for (gint i = 0; i < n_calls; i++)
    sum += calls[i].timestamp / (guint32) (frame_ms * 48);
  return sum;
}

static void
write_log (void)
{
  FILE *file = fopen (log_name, "w");
  if (!file)
    g_error ("%s cannot be written", log_name);
  fputs ("time_ns,kind,timestamp,size,X_Bps,X_inst_Bps\n", file);
  for (guint i = 0; i < events->len; i++) {
    Event *event = &g_array_index (events, Event, i);
    fprintf (file, "%" G_GINT64_FORMAT ",%c,%u,%u,%.3f,%.3f\n",
        event->time, event->kind, event->timestamp, event->size, event->X,
        event->X_inst);
  }
  fclose (file);
}

static void
print_stats (GstElement * element, const gchar * label)
{
  GstStructure *stats = NULL;
  if (!element
      || !g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    return;
  g_object_get (element, "stats", &stats, NULL);
  if (stats) {
    gchar *text = gst_structure_to_string (stats);
    printf ("%s %s\n", label, text);
    g_free (text);
    gst_structure_free (stats);
  }
}

/* Many flows have more descriptors than a process may have at first. */
static void
allow_descriptors (void)
{
  struct rlimit limit;
  getrlimit (RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

static gpointer
wait_bare (gpointer user_data)
{
  GstClock *clock = gst_system_clock_obtain ();
  GstClockTime due = gst_clock_get_time (clock);
  while (!g_atomic_int_get (&stopping)) {
    due += frame_ms * GST_MSECOND;
    GstClockID id = gst_clock_new_single_shot_id (clock, due);
    gst_clock_id_wait (id, NULL);
    gst_clock_id_unref (id);
    log_event (now_ns (), 'w', 0, 0, gst_clock_get_time (clock) - due, 0);
  }
  gst_object_unref (clock);
  return NULL;
}

static gint
compare_delays (gconstpointer a, gconstpointer b)
{
  const guint64 *one = a, *other = b;
  return (*one > *other) - (*one < *other);
}

/* Packets that take longer than half a second count as lost. */
static void
print_delays (guint64 packets)
{
  g_usleep (G_USEC_PER_SEC / 2);
  g_mutex_lock (&log_lock);
  g_array_sort (delays, compare_delays);
  printf ("lost_packets %" G_GINT64_FORMAT "\n",
      (gint64) (packets - delays->len));
  if (delays->len > 0)
    printf ("delay_p99_ms %.2f\n", g_array_index (delays, guint64,
            (guint) (0.99 * (delays->len - 1))) / 1e6);
  g_mutex_unlock (&log_lock);
}

/* What a packet costs is of no use when many were not sent, as those of a flow that TFRC limits. Packets on their way at
 * the beginning and at the end are as many. */
static void
print_arrived (const gchar * name, gint arrived, guint64 packets)
{
  printf ("%s %.3f\n", name, (gdouble) arrived / packets);
}

static void
count_instructions (void)
{
  guint64 packets, user, kernel;
  gint arrived;

  process_count_instructions (getpid ());
  packets = packets_fed ();
  arrived = g_atomic_int_get (&packets_arrived);
  g_usleep (COUNTED_SECONDS * G_USEC_PER_SEC);
  process_read_instructions (&user, &kernel);
  packets = packets_fed () - packets;
  printf ("instructions_per_packet %.0f\n",
      (gdouble) (user + kernel) / packets);
  print_arrived ("arrived_counted",
      g_atomic_int_get (&packets_arrived) - arrived, packets);
}

static void
measure (glong threads_before, glong memory_before)
{
  g_usleep (warm_up * G_USEC_PER_SEC);
  gint64 start = now_ns ();
  gdouble cpu = cpu_seconds ();
  guint64 packets = packets_fed (), making = making_ns;
  gint arrived = g_atomic_int_get (&packets_arrived);
  g_mutex_lock (&log_lock);
  measured_from = start;
  measured_to = start + seconds * GST_SECOND;
  g_mutex_unlock (&log_lock);
  g_usleep ((gulong) (seconds * G_USEC_PER_SEC));
  cpu = cpu_seconds () - cpu;
  making = making_ns - making;
  packets = packets_fed () - packets;
  arrived = g_atomic_int_get (&packets_arrived) - arrived;
  printf ("start_ns %" G_GINT64_FORMAT "\n", start);
  if (with_delays)
    print_delays (g_atomic_int_get (&packets_measured));
  printf ("packets %" G_GUINT64_FORMAT "\n", packets);
  printf ("cpu_us_per_packet %.2f\n", cpu * 1e6 / packets);
  printf ("elements_us_per_packet %.2f\n",
      (cpu * 1e6 - making * 1e-3) / packets);
  print_arrived ("arrived", arrived, packets);
  printf ("threads_per_call %.2f\n",
      (gdouble) (status_value ("Threads:") - threads_before) / n_calls);
  printf ("kib_per_call %.1f\n",
      (gdouble) (status_value ("VmRSS:") - memory_before) / n_calls);
  if (with_instructions)
    count_instructions ();
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GOptionContext *context = g_option_context_new ("- measures calls");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  g_option_context_free (context);
  push |= is_call ();
  allow_descriptors ();
  ends_register (on_arrival);
  events = g_array_sized_new (FALSE, FALSE, sizeof (Event), 1 << 20);
  delays = g_array_new (FALSE, FALSE, sizeof (guint64));
  calls = g_new0 (Call, n_calls);
  glong threads = status_value ("Threads:"), memory = status_value ("VmRSS:");
  if (is_floor ())
    floor_flows_start (n_calls, to, port);
  if (log_name && n_calls == 1)
    to = wire_tap_start (to, on_datagram);
  for (gint i = 0; i < n_calls; i++)
    open_call (&calls[i], i);
  if (log_name)
    watch_entries (&calls[0]);
  for (gint i = 0; i < n_calls; i++) {
    if (!is_one_bin ())
      start_pipeline (calls[i].sender);
    if (push && !waits_to_be_called ())
      open_pad (&calls[i]);
  }
  GThread *feeder = g_thread_new ("feeder", feed_all, NULL);
  GThread *waiter = waits ? g_thread_new ("waiter", wait_bare, NULL) : NULL;
  measure (threads + 1, memory);
  g_atomic_int_set (&stopping, TRUE);
  g_thread_join (feeder);
  if (waiter)
    g_thread_join (waiter);
  print_stats (calls[0].sink, "sender");
  if (log_name)
    write_log ();
  fflush (stdout);
  _exit (0);                    /* taking calls down is not what is measured */
}
