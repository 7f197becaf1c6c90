/* gst-tfrc: a relay, which forwards what two callers say to each other without decoding it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-relay --port 5004 --mode tfrc-sp
 *
 * Callers are put through in pairs, in the order in which they call: the first waits for the
 * second, and both talk until one of them leaves, or nothing has come of it for 20 s. The other then waits for the next
 * caller.
 * Each path has its own TFRC: the relay receives from one caller as that caller's path allows,
 * and sends to the other as the other path allows.
 *
 * All callers are peers of one tfrcbin, by one UDP port, which forwards the packets itself (signal
 * "forward") under that path's sequence number, SSRC and stamp. The relay only says from whom to
 * whom. */
#include <gst/gst.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENCE_S 15            /* after tfrcbin has told that nothing comes, at 5 s */

static gint port = 5004, max_peers = 1000;
static gchar *mode, *address;
static gboolean quiet;

static GOptionEntry entries[] = {
  {"port", 0, 0, G_OPTION_ARG_INT, &port, "UDP port (5004)", "PORT"},
  {"address", 0, 0, G_OPTION_ARG_STRING, &address,
      "Local address (all, of IPv4 and IPv6)", "IP"},
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
  Caller *other;                /* NULL: waits */
  guint silence;                /* source that removes the caller; 0: it is heard */
};

static GHashTable *callers;     /* number to Caller */
static GstElement *call;

/* --- callers --- */

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

static void
forward (const Caller * from, const Caller * to)
{
  gboolean changed;

  g_signal_emit_by_name (call, "forward", from->id, to->id, TRUE, &changed);
}

/* `other` may be NULL: nobody waits. */
static void
put_through (Caller * caller, Caller * other)
{
  caller->other = other;
  if (other == NULL)
    return;
  other->other = caller;
  forward (caller, other);
  forward (other, caller);
}

static void
on_connected (guint id, const gchar * address)
{
  Caller *caller;

  /* whoever was silent is connected again */
  if (g_hash_table_contains (callers, GUINT_TO_POINTER (id)))
    return;
  caller = g_new0 (Caller, 1);
  caller->id = id;
  put_through (caller, find_waiting ());
  g_hash_table_insert (callers, GUINT_TO_POINTER (id), caller);
  if (!quiet)
    g_print ("%u, %s, %s\n", id, address,
        caller->other != NULL ? "talks" : "waits");
}

/* Whoever is left waits, or talks to one who waits. */
static void
on_gone (guint id)
{
  Caller *caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (id));
  Caller *left;

  if (caller == NULL)
    return;
  left = caller->other;
  g_hash_table_remove (callers, GUINT_TO_POINTER (id));
  if (!quiet)
    g_print ("%u left\n", id);
  if (left != NULL) {
    Caller *next = find_waiting ();

    put_through (left, next);
  }
}

/* A caller that has disappeared without a BYE keeps nobody waiting. */
static gboolean
on_silence (gpointer data)
{
  Caller *caller = data;
  guint id = caller->id;
  gboolean removed;

  caller->silence = 0;
  g_signal_emit_by_name (call, "remove-peer", id, &removed);
  on_gone (id);
  return G_SOURCE_REMOVE;
}

static void
on_heard (guint id, gboolean heard)
{
  Caller *caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (id));

  if (caller == NULL)
    return;
  g_clear_handle_id (&caller->silence, g_source_remove);
  if (!heard)
    caller->silence = g_timeout_add_seconds (SILENCE_S, on_silence, caller);
}

static void
caller_free (gpointer data)
{
  Caller *caller = data;

  g_clear_handle_id (&caller->silence, g_source_remove);
  g_free (caller);
}

/* --- the program --- */

static void
on_peer (const GstStructure * s)
{
  const gchar *state = gst_structure_get_string (s, "state");
  guint id;

  if (!gst_structure_get_uint (s, "id", &id))
    return;
  if (g_strcmp0 (state, "connected") == 0)
    on_connected (id, gst_structure_get_string (s, "address"));
  else if (g_strcmp0 (state, "gone") == 0)
    on_gone (id);
  else if (g_strcmp0 (state, "lost") == 0)
    on_heard (id, FALSE);
  else if (g_strcmp0 (state, "regained") == 0)
    on_heard (id, TRUE);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer loop)
{
  GError *error;

  if (gst_message_has_name (message, "application/x-tfrc-connection"))
    on_peer (gst_message_get_structure (message));
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
  g_object_set (call, "port", port, "max-peers", max_peers, "latency", 0,
      "address", address, NULL);
  gst_util_set_object_arg (G_OBJECT (call), "accept", "any");
  gst_util_set_object_arg (G_OBJECT (call), "mode",
      mode != NULL ? mode : "tfrc-sp");
  run ();
  g_hash_table_unref (callers);
  return 0;
}
