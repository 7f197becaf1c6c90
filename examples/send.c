/* One end of a call: a recording goes out as if it were spoken now
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-send --host 192.0.2.7 --port 5004 speech.wav
 *
 * Everything that rate control needs is in the two elements: tfrcsink sends
 * tfrcencodebin its allowance inside the pipeline, without code here. The rest of this
 * file reads their properties for the trace. */
#include <glib-unix.h>
#include <gst/gst.h>
#include <stdio.h>

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline, *sink, *encoder;
  FILE *trace;
  gboolean failed, ending, held;

  /* what left the encoder since the last line; under the lock */
  GMutex lock;
  guint packets, timestamp;
  guint64 bytes;                /* of RTP payload */
  guint frame;                  /* ticks of the RTP clock between two packets */
  gboolean has_timestamp;
  guint64 total_packets, total_bytes;
} Call;

static gchar *host = "127.0.0.1", *mode = "tfrc-sp", *trace_name, *limits = "";
static gchar *encoder = "tfrcencodebin name=encoder", *sink;
static gint port = 5004;
static gdouble duration;

static GOptionEntry entries[] = {
  {"host", 'h', 0, G_OPTION_ARG_STRING, &host, "Where to send (127.0.0.1)",
      "HOST"},
  {"port", 'p', 0, G_OPTION_ARG_INT, &port, "UDP port there (5004)", "PORT"},
  {"mode", 'm', 0, G_OPTION_ARG_STRING, &mode, "tfrc or tfrc-sp (tfrc-sp)",
      "MODE"},
  {"limits", 'l', 0, G_OPTION_ARG_STRING, &limits,
        "More properties for tfrcsink, such as \"max-bitrate=64000\"",
      "PROPERTIES"},
  {"duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration,
      "Stop after so long (the file's end)", "S"},
  {"encoder", 'e', 0, G_OPTION_ARG_STRING, &encoder,
      "From audio to RTP (tfrcencodebin)", "ELEMENTS"},
  {"sink", 's', 0, G_OPTION_ARG_STRING, &sink, "Instead of tfrcsink",
      "ELEMENTS"},
  {"trace", 't', 0, G_OPTION_ARG_FILENAME, &trace_name,
      "CSV, ten lines a second (none)", "FILE"},
  {NULL}
};

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Call *call = user_data;
  guint8 header[12];
  gsize size = gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info));
  if (gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 0, header, 12) < 12)
    return GST_PAD_PROBE_OK;
  /* The extension block, when there is one, is the 12 bytes that tfrcsink fills. */
  gsize overhead = header[0] & 0x10 ? 24 : 12;
  guint timestamp = GST_READ_UINT32_BE (header + 4);
  g_mutex_lock (&call->lock);
  call->packets++;
  call->bytes += size > overhead ? size - overhead : 0;
  if (call->has_timestamp && timestamp - call->timestamp < 48000)
    call->frame = timestamp - call->timestamp;
  call->timestamp = timestamp;
  call->has_timestamp = TRUE;
  g_mutex_unlock (&call->lock);
  return GST_PAD_PROBE_OK;
}

/* A property's value as a number; 0 where the element does not have it. */
static gdouble
get_number (GstElement * element, const gchar * name)
{
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  gdouble result = 0;
  GParamSpec *spec = element ?
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), name) : NULL;
  if (!spec)
    return 0;
  g_value_init (&value, spec->value_type);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_object_get_property (G_OBJECT (element), name, &value);
  if (g_value_transform (&value, &number))
    result = g_value_get_double (&number);
  g_value_unset (&value);
  g_value_unset (&number);
  return result;
}

static gboolean
on_trace (gpointer user_data)
{
  Call *call = user_data;
  g_mutex_lock (&call->lock);
  guint packets = call->packets;
  gdouble bytes = (gdouble) call->bytes, frame = call->frame / 48.0;
  call->total_packets += packets;
  call->total_bytes += call->bytes;
  call->packets = 0;
  call->bytes = 0;
  g_mutex_unlock (&call->lock);
  /* tfrcencodebin has properties for what it has set; of a plain encoder its setting is read. */
  gdouble set = get_number (call->encoder, "current-bitrate");
  if (set == 0)
    set = get_number (call->encoder, "bitrate");
  fprintf (call->trace, "%.6f,%.0f,%.0f,%.0f,%.1f,%.1f,%u,%.1f,%.5f,%.0f\n",
      (gdouble) g_get_monotonic_time () / G_USEC_PER_SEC,
      get_number (call->sink, "allowed-bitrate"), set,
      bytes * 8 / 0.1, frame, packets ? bytes / packets : 0, packets,
      get_number (call->sink, "round-trip-time") / 1e6,
      get_number (call->sink, "loss-event-rate"), get_number (call->sink,
          "allowed-rate") / 8);
  fflush (call->trace);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_give_up (gpointer user_data)
{
  g_main_loop_quit (((Call *) user_data)->loop);
  return G_SOURCE_REMOVE;
}

/* Ends the call as one hangs up: what is queued goes out, then RTCP BYE. */
static gboolean
on_end (gpointer user_data)
{
  Call *call = user_data;
  if (!call->ending) {
    call->ending = TRUE;
    gst_element_send_event (call->pipeline, gst_event_new_eos ());
    g_timeout_add_seconds (3, on_give_up, call);
  }
  return G_SOURCE_CONTINUE;
}

/* SIGUSR1: hold the line, and again: go on. */
static gboolean
on_hold (gpointer user_data)
{
  Call *call = user_data;
  call->held = !call->held;
  gst_element_set_state (call->pipeline,
      call->held ? GST_STATE_PAUSED : GST_STATE_PLAYING);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;
  gchar *debug = NULL;
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, &debug);
      g_printerr ("tfrc-send: %s: %s\n", GST_MESSAGE_SRC_NAME (message),
          error->message);
      call->failed = TRUE;
      g_main_loop_quit (call->loop);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, &debug);
      g_printerr ("tfrc-send: %s: %s\n", GST_MESSAGE_SRC_NAME (message),
          error->message);
      break;
    case GST_MESSAGE_EOS:
      g_main_loop_quit (call->loop);
      break;
    default:
      break;
  }
  g_clear_error (&error);
  g_free (debug);
  return G_SOURCE_CONTINUE;
}

/* wavparse hands out long buffers; a microphone hands out short ones, in time. */
static GstElement *
build (const gchar * file, GError ** error)
{
  gchar *end = sink ? g_strdup (sink) :
      g_strdup_printf ("tfrcsink name=sink host=%s port=%d mode=%s %s", host,
      port, mode, limits);
  gchar *text =
      g_strdup_printf
      ("filesrc name=file ! wavparse ! audioconvert ! audioresample "
      "! audio/x-raw,rate=48000,channels=1 ! audiobuffersplit output-buffer-duration=1/100 "
      "! clocksync ! %s ! identity name=packets silent=true ! %s", encoder,
      end);
  GstElement *pipeline =
      gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  g_free (text);
  g_free (end);
  if (pipeline) {
    GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "file");
    g_object_set (source, "location", file, NULL);
    gst_object_unref (source);
  }
  return pipeline;
}

static void
watch_packets (Call * call)
{
  GstElement *element =
      gst_bin_get_by_name (GST_BIN (call->pipeline), "packets");
  GstPad *pad = gst_element_get_static_pad (element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, call, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

static void
print_summary (Call * call)
{
  GstStructure *stats = NULL;
  g_print ("sent %" G_GUINT64_FORMAT " packets, %" G_GUINT64_FORMAT
      " bytes of voice\n", call->total_packets, call->total_bytes);
  if (!call->sink
      || !g_object_class_find_property (G_OBJECT_GET_CLASS (call->sink),
          "stats"))
    return;
  g_object_get (call->sink, "stats", &stats, NULL);
  if (stats) {
    gchar *text = gst_structure_to_string (stats);
    g_print ("%s\n", text);
    g_free (text);
    gst_structure_free (stats);
  }
}

static gboolean
open_trace (Call * call)
{
  if (!trace_name)
    return TRUE;
  call->trace = fopen (trace_name, "w");
  if (!call->trace) {
    perror (trace_name);
    return FALSE;
  }
  fputs
      ("monotonic_s,allowed_bps,encoder_bps,payload_bps,frame_ms,payload_bytes,packets,rtt_ms,"
      "p,X_Bps\n", call->trace);
  g_timeout_add (100, on_trace, call);
  return TRUE;
}

static void
run (Call * call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);
  gst_bus_add_watch (bus, on_message, call);
  g_unix_signal_add (SIGINT, on_end, call);
  g_unix_signal_add (SIGTERM, on_end, call);
  g_unix_signal_add (SIGUSR1, on_hold, call);
  if (duration > 0)
    g_timeout_add ((guint) (duration * 1000), on_end, call);
  watch_packets (call);
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
  g_main_loop_run (call->loop);
  print_summary (call);
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

int
main (int argc, char **argv)
{
  Call call = { 0 };
  GError *error = NULL;
  setvbuf (stdout, NULL, _IOLBF, 0);    /* also when it is a file that someone follows */
  GOptionContext *context =
      g_option_context_new ("RECORDING.wav - a voice call's sending end");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2) {
    g_printerr ("tfrc-send: %s\n",
        error ? error->message : "name one recording; see --help");
    return 1;
  }
  g_option_context_free (context);
  g_mutex_init (&call.lock);
  call.loop = g_main_loop_new (NULL, FALSE);
  call.pipeline = build (argv[1], &error);
  if (!call.pipeline) {
    g_printerr ("tfrc-send: %s%s\n", error->message,
        strstr (error->message, "\"tfrc") ?
        ". Set GST_PLUGIN_PATH to the folder of libgsttfrc.so." : "");
    return 1;
  }
  call.sink = gst_bin_get_by_name (GST_BIN (call.pipeline), "sink");
  call.encoder = gst_bin_get_by_name (GST_BIN (call.pipeline), "encoder");
  if (!open_trace (&call))
    return 1;
  run (&call);
  g_clear_pointer (&call.trace, fclose);
  gst_clear_object (&call.sink);
  gst_clear_object (&call.encoder);
  gst_object_unref (call.pipeline);
  g_main_loop_unref (call.loop);
  return call.failed ? 1 : 0;
}
