/* The other end of a call: what comes in is played, or written to a file
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-receive --port 5004                 to the loudspeaker
 *   tfrc-receive --port 5004 received.wav    to a file, gaps filled in
 *
 * tfrcsrc measures the losses and reports them; there is nothing to do here for it. */
#include <glib-unix.h>
#include <gst/gst.h>
#include <stdio.h>

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline;
  gboolean failed, ending;
} Call;

static gchar *mode = "tfrc-sp", *decoder = "tfrcdecodebin", *source;
static gint port = 5004, latency = 150;
static gdouble duration;

static GOptionEntry entries[] = {
  {"port", 'p', 0, G_OPTION_ARG_INT, &port, "UDP port to listen on (5004)",
      "PORT"},
  {"mode", 'm', 0, G_OPTION_ARG_STRING, &mode, "tfrc or tfrc-sp (tfrc-sp)",
      "MODE"},
  {"latency", 'l', 0, G_OPTION_ARG_INT, &latency, "Of the jitter buffer (150)",
      "MS"},
  {"duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration,
      "Stop after so long (never)", "S"},
  {"decoder", 'e', 0, G_OPTION_ARG_STRING, &decoder,
      "From RTP to audio (tfrcdecodebin)", "ELEMENTS"},
  {"source", 's', 0, G_OPTION_ARG_STRING, &source, "Instead of tfrcsrc",
      "ELEMENTS"},
  {NULL}
};

static gboolean
on_give_up (gpointer user_data)
{
  g_main_loop_quit (((Call *) user_data)->loop);
  return G_SOURCE_REMOVE;
}

/* EOS runs through the pipeline, so that the file gets its length. */
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

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;
  gchar *debug = NULL;
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, &debug);
      g_printerr ("tfrc-receive: %s: %s\n", GST_MESSAGE_SRC_NAME (message),
          error->message);
      call->failed = TRUE;
      g_main_loop_quit (call->loop);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, &debug);
      g_printerr ("tfrc-receive: %s: %s\n", GST_MESSAGE_SRC_NAME (message),
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

/* In a file the gaps must become silence for the words to stay in their places. */
static GstElement *
build (const gchar * file, GError ** error)
{
  gchar *start = source ? g_strdup (source) :
      g_strdup_printf ("tfrcsrc name=source port=%d mode=%s latency=%d", port,
      mode, latency);
  gchar *text =
      g_strdup_printf ("%s ! %s ! audioconvert ! audioresample ! %s", start,
      decoder,
      file ?
      "audiorate skip-to-first=true ! audio/x-raw,format=S16LE,rate=16000,channels=1 "
      "! wavenc ! filesink name=file" : "autoaudiosink");
  GstElement *pipeline = NULL;
  pipeline =
      gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  g_free (text);
  g_free (start);
  if (pipeline && file) {
    GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "file");
    g_object_set (sink, "location", file, NULL);
    gst_object_unref (sink);
  }
  return pipeline;
}

static void
print_summary (Call * call)
{
  GstStructure *stats = NULL;
  GstElement *element =
      gst_bin_get_by_name (GST_BIN (call->pipeline), "source");
  if (!element)
    return;
  g_object_get (element, "stats", &stats, NULL);
  if (stats) {
    gchar *text = gst_structure_to_string (stats);
    g_print ("%s\n", text);
    g_free (text);
    gst_structure_free (stats);
  }
  gst_object_unref (element);
}

static void
run (Call * call)
{
  GstBus *bus = gst_element_get_bus (call->pipeline);
  gst_bus_add_watch (bus, on_message, call);
  g_unix_signal_add (SIGINT, on_end, call);
  g_unix_signal_add (SIGTERM, on_end, call);
  if (duration > 0)
    g_timeout_add ((guint) (duration * 1000), on_end, call);
  if (gst_element_set_state (call->pipeline,
          GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
    g_print ("listening on port %d\n", port);
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
      g_option_context_new ("[FILE.wav] - a voice call's receiving end");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc > 2) {
    g_printerr ("tfrc-receive: %s\n",
        error ? error->message : "one file at most; see --help");
    return 1;
  }
  g_option_context_free (context);
  call.loop = g_main_loop_new (NULL, FALSE);
  call.pipeline = build (argc == 2 ? argv[1] : NULL, &error);
  if (!call.pipeline) {
    g_printerr ("tfrc-receive: %s%s\n", error->message,
        strstr (error->message, "\"tfrc") ?
        ". Set GST_PLUGIN_PATH to the folder of libgsttfrc.so." : "");
    return 1;
  }
  run (&call);
  gst_object_unref (call.pipeline);
  g_main_loop_unref (call.loop);
  return call.failed ? 1 : 0;
}
