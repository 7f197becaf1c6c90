/* gst-tfrc: a relay, which forwards what two callers say to each other without decoding it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-relay --port 5004 --mode tfrc-sp
 *
 * Callers are put through in pairs, in the order in which they call: the first waits for the
 * second, and both talk until one of them leaves. The other then waits for the next caller.
 * Each path has its own TFRC: the relay receives from one caller as that caller's path allows,
 * and sends to the other as the other path allows.
 *
 * All callers are peers of one tfrcbin, by one UDP port. A packet that arrived is pushed
 * into the pad of the other caller as it is; tfrcbin gives it that path's sequence number, SSRC
 * and stamp. */
#include <gst/gst.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gint port = 5004, max_peers = 1000;
static gchar *mode;
static gboolean quiet;

static GOptionEntry entries[] = {
  {"port", 0, 0, G_OPTION_ARG_INT, &port, "UDP port (5004)", "PORT"},
  {"max-peers", 0, 0, G_OPTION_ARG_INT, &max_peers, "Callers at once (1000)",
      "N"},
  {"mode", 0, 0, G_OPTION_ARG_STRING, &mode, "tfrc-sp or tfrc (tfrc-sp)",
      "MODE"},
  {"quiet", 0, 0, G_OPTION_ARG_NONE, &quiet, "No line for each caller", NULL},
  {NULL}
};

typedef struct _Caller Caller;

struct _Caller
{
  guint id;
  GstPad *out;                  /* linked to send_sink_<id> */
  GstPad *in;                   /* linked to recv_src_<id>; NULL: nothing has come */
  Caller *other;                /* NULL: waits */
};

static GMutex lock;             /* for the callers and who talks to whom */
static GHashTable *callers;     /* number to Caller */
static GstElement *call;

/* --- packets --- */

/* A reference to the pad that leads to the other caller, or NULL. */
static GstPad *
get_way (GstPad * in)
{
  Caller *caller;
  GstPad *out = NULL;

  g_mutex_lock (&lock);
  caller = g_hash_table_lookup (callers, gst_pad_get_element_private (in));
  if (caller != NULL && caller->other != NULL)
    out = gst_object_ref (caller->other->out);
  g_mutex_unlock (&lock);
  return out;
}

/* Caps and other sticky events are pushed again when another caller begins to speak. */
static void
update_caps (GstPad * in, GstPad * out)
{
  GstCaps *caps = gst_pad_get_current_caps (in);
  GstCaps *old = gst_pad_get_current_caps (out);
  GstSegment segment;

  if (caps != NULL && caps != old) {
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (out, gst_event_new_caps (caps));
    gst_pad_push_event (out, gst_event_new_segment (&segment));
  }
  gst_clear_caps (&caps);
  gst_clear_caps (&old);
}

static GstFlowReturn
forward (GstPad * in, GstObject * parent, GstBuffer * buffer)
{
  GstPad *out = get_way (in);

  if (out == NULL) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  update_caps (in, out);
  gst_pad_push (out, buffer);
  gst_object_unref (out);
  /* the other caller may just be leaving, and another one will come */
  return GST_FLOW_OK;
}

/* Losses end here, for the other path has its own. */
static gboolean
drop_event (GstPad * in, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

/* --- callers --- */

static void
caller_free (gpointer data)
{
  Caller *caller = data;

  gst_pad_set_active (caller->out, FALSE);
  gst_object_unref (caller->out);
  if (caller->in != NULL)
    gst_object_unref (caller->in);
  g_free (caller);
}

/* With the lock. */
static Caller *
find_waiting (void)
{
  GHashTableIter iter;
  gpointer caller;

  g_hash_table_iter_init (&iter, callers);
  while (g_hash_table_iter_next (&iter, NULL, &caller))
    if (((Caller *) caller)->other == NULL)
      return caller;
  return NULL;
}

static GstPad *
open_way (guint id)
{
  gchar *name = g_strdup_printf ("send_sink_%u", id);
  GstPad *sink = gst_element_request_pad_simple (call, name);
  GstPad *out = gst_pad_new (NULL, GST_PAD_SRC);

  gst_object_ref_sink (out);
  gst_pad_link (out, sink);
  gst_pad_set_active (out, TRUE);
  gst_pad_push_event (out, gst_event_new_stream_start (name));
  gst_object_unref (sink);
  g_free (name);
  return out;
}

/* Somebody calls: the way to the caller is there before the first packet of the other. */
static gboolean
on_new_peer (GstElement * element, guint id, const gchar * address,
    gpointer data)
{
  Caller *caller = g_new0 (Caller, 1);

  caller->id = id;
  caller->out = open_way (id);
  g_mutex_lock (&lock);
  caller->other = find_waiting ();
  if (caller->other != NULL)
    caller->other->other = caller;
  g_hash_table_insert (callers, GUINT_TO_POINTER (id), caller);
  if (!quiet)
    g_print ("%u, %s, %s\n", id, address,
        caller->other != NULL ? "talks" : "waits");
  g_mutex_unlock (&lock);
  return TRUE;
}

static guint
get_id (GstPad * pad)
{
  return strtoul (GST_PAD_NAME (pad) + strlen ("recv_src_"), NULL, 10);
}

static void
on_pad_added (GstElement * element, GstPad * pad, gpointer data)
{
  Caller *caller;
  GstPad *in;

  if (GST_PAD_IS_SINK (pad))
    return;
  in = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SINK));
  gst_pad_set_element_private (in, GUINT_TO_POINTER (get_id (pad)));
  gst_pad_set_chain_function (in, forward);
  gst_pad_set_event_function (in, drop_event);
  gst_pad_set_active (in, TRUE);
  g_mutex_lock (&lock);
  caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (get_id (pad)));
  if (caller != NULL)
    caller->in = gst_object_ref (in);
  g_mutex_unlock (&lock);
  gst_pad_link (pad, in);
  gst_object_unref (in);
}

/* With the lock. Whoever is left waits, or talks to one who waits. */
static void
part (Caller * caller)
{
  Caller *left = caller->other, *next;

  if (left == NULL)
    return;
  left->other = left;           /* so that it is not found itself */
  next = find_waiting ();
  left->other = next;
  if (next != NULL)
    next->other = left;
}

static void
on_left (guint id)
{
  Caller *caller;
  GstPad *sink;

  g_mutex_lock (&lock);
  caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (id));
  g_hash_table_steal (callers, GUINT_TO_POINTER (id));
  if (caller != NULL)
    part (caller);
  g_mutex_unlock (&lock);
  if (caller == NULL)
    return;
  if (!quiet)
    g_print ("%u left\n", id);
  sink = gst_pad_get_peer (caller->out);
  gst_element_release_request_pad (call, sink);
  gst_object_unref (sink);
  caller_free (caller);
}

/* --- the program --- */

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer loop)
{
  const GstStructure *s = gst_message_get_structure (message);
  GError *error;
  guint id;

  if (gst_message_has_name (message, "application/x-tfrc-connection") &&
      g_strcmp0 (gst_structure_get_string (s, "state"), "gone") == 0 &&
      gst_structure_get_uint (s, "id", &id))
    on_left (id);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    g_main_loop_quit (loop);
  }
  return TRUE;
}

static gboolean
on_signal (gpointer loop)
{
  g_main_loop_quit (loop);
  return TRUE;
}

static gboolean
parse (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_printerr ("%s\n", error->message);
  g_option_context_free (context);
  return error == NULL;
}

static void
run (void)
{
  GstElement *pipeline = gst_pipeline_new (NULL);
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bin_add (GST_BIN (pipeline), call);
  gst_bus_add_watch (bus, on_message, loop);
  g_unix_signal_add (SIGINT, on_signal, loop);
  g_unix_signal_add (SIGTERM, on_signal, loop);
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING) !=
      GST_STATE_CHANGE_FAILURE && !quiet)
    g_print ("port %d\n", port);
  g_main_loop_run (loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  g_main_loop_unref (loop);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  if (!parse (argc, argv))
    return 2;
  setvbuf (stdout, NULL, _IOLBF, 0);
  call = gst_element_factory_make ("tfrcbin", NULL);
  if (call == NULL) {
    g_printerr ("There is no element tfrcbin. Set GST_PLUGIN_PATH to the "
        "folder of libgsttfrc.so.\n");
    return 1;
  }
  callers = g_hash_table_new_full (NULL, NULL, NULL, caller_free);
  g_object_set (call, "port", port, "max-peers", max_peers, "latency", 0, NULL);
  gst_util_set_object_arg (G_OBJECT (call), "accept", "any");
  gst_util_set_object_arg (G_OBJECT (call), "mode",
      mode != NULL ? mode : "tfrc-sp");
  g_signal_connect (call, "new-peer", G_CALLBACK (on_new_peer), NULL);
  g_signal_connect (call, "pad-added", G_CALLBACK (on_pad_added), NULL);
  run ();
  g_hash_table_unref (callers);
  return 0;
}
