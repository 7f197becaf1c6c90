/* gst-tfrc: a conference that anybody can call; each caller hears all others and not itself
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-bridge --port 5004
 *
 * All callers are peers of one tfrcbin, by one UDP port. Each has two halves and a seat in a room
 * (room.h), which mixes what all others say:
 *
 *   tfrcbin.recv_src_N ! tfrcdecodebin ! seat.said
 *   seat.heard ! queue ! tfrcencodebin ! tfrcbin.send_sink_N
 *
 * So each caller gets an encoding of its own, which follows what TFRC allows on its path, and a
 * thin path costs only the caller behind it. The pads of a seat belong to no element, so that the
 * pipeline has no loop from what is received to what is sent.
 *
 * tfrcbin removes callers who say BYE. This program removes those of whom nothing comes for too long,
 * and those who send more than any phone does; the latter may not call again for a minute. All
 * that is done to callers is done in the main loop. */
#include <glib-unix.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "room.h"

#define LISTENER "tfrcdecodebin ! audioconvert ! audioresample ! capsfilter caps=" ROOM_CAPS
/* An encoder that is too slow loses sound, and only of its own caller. */
#define SPEAKER "queue leaky=downstream max-size-buffers=10 ! tfrcencodebin name=encoder"
/* What a packet may take from tfrcbin to the room: the repair-delay of tfrcdecodebin, a packet of
 * 20 ms, and the decoder's time. */
#define DECODING (100 * GST_MSECOND)
#define SILENCE (15 * G_USEC_PER_SEC)   /* after tfrcbin has told that nothing comes */
#define MAX_PACKETS 200         /* per second; a phone sends 100 at most */
#define BAN (60 * G_USEC_PER_SEC)       /* for the host of whoever sends more */
#define MAX_BANS 1000

static gint port = 5004, max_callers = 20, latency = 100;
static gchar **names;

static GOptionEntry entries[] = {
  {"port", 'p', 0, G_OPTION_ARG_INT, &port, "UDP port (5004)", "PORT"},
  {"max-callers", 0, 0, G_OPTION_ARG_INT, &max_callers, "Callers at once (20)",
      "N"},
  {"latency", 0, 0, G_OPTION_ARG_INT, &latency,
      "How long packets that are late are waited for (100)", "MS"},
  {"name", 'n', 0, G_OPTION_ARG_STRING_ARRAY, &names,
        "What the table calls callers from a host; may be repeated (their address)",
      "HOST=LABEL"},
  {NULL}
};

typedef struct
{
  guint id;
  gchar *label;
  gint64 lost_since;            /* us; 0: the caller is heard */
  guint64 received;             /* packets, when they were counted last */
  gint lost;                    /* packets, likewise */
  Seat *seat;
  GstElement *listener;         /* NULL until the caller says something */
  GstElement *speaker, *encoder;
  GstPad *send_pad;             /* of tfrcbin */
} Caller;

static GstElement *pipeline, *call;
static GMainLoop *loop;
static Room *room;
static GHashTable *callers;     /* number to Caller */
static gboolean failed;

static GMutex ban_lock;         /* for the bans */
static GHashTable *bans;        /* host to the end of its ban, us */

/* --- hosts --- */

/* The host of "host:port" or "[host]:port". */
static gchar *
get_host (const gchar * address)
{
  const gchar *colon = strrchr (address, ':');
  gsize bracket = *address == '[';

  return g_strndup (address + bracket, (gsize) (colon - address) - 2 * bracket);
}

static gchar *
make_label (const gchar * address)
{
  gchar *host = get_host (address), *label = NULL;
  gsize length = strlen (host);
  guint i;

  for (i = 0; names != NULL && names[i] != NULL; i++)
    if (strncmp (names[i], host, length) == 0 && names[i][length] == '=')
      label = names[i] + length + 1;
  g_free (host);
  return g_strdup (label != NULL ? label : address);
}

static gboolean
is_over (gpointer host, gpointer end, gpointer now)
{
  return *(gint64 *) end < *(gint64 *) now;
}

static void
ban (const gchar * address)
{
  gint64 now = g_get_monotonic_time (), end = now + BAN;

  g_mutex_lock (&ban_lock);
  g_hash_table_foreach_remove (bans, is_over, &now);
  if (g_hash_table_size (bans) < MAX_BANS)
    g_hash_table_replace (bans, get_host (address), g_memdup2 (&end,
            sizeof end));
  g_mutex_unlock (&ban_lock);
}

/* Somebody calls; in a thread of tfrcbin. */
static gboolean
on_new_peer (GstElement * element, guint id, const gchar * address,
    gpointer data)
{
  gchar *host = get_host (address);
  gint64 *end, now = g_get_monotonic_time ();
  gboolean accepts;

  g_mutex_lock (&ban_lock);
  end = g_hash_table_lookup (bans, host);
  accepts = end == NULL || *end < now;
  g_mutex_unlock (&ban_lock);
  g_free (host);
  return accepts;
}

/* --- callers --- */

static GstElement *
add_half (const gchar * description)
{
  GError *error = NULL;
  GstElement *half = gst_parse_bin_from_description (description, TRUE, &error);

  if (half == NULL)
    g_error ("%s", error->message);     /* main() has looked for the elements */
  gst_bin_add (GST_BIN (pipeline), half);
  return half;
}

static void
link_pad (GstPad * src, GstElement * half)
{
  GstPad *sink = gst_element_get_static_pad (half, "sink");

  gst_pad_link (src, sink);
  gst_object_unref (sink);
}

static void
link_to_pad (GstElement * half, GstPad * sink)
{
  GstPad *src = gst_element_get_static_pad (half, "src");

  gst_pad_link (src, sink);
  gst_object_unref (src);
}

/* Plays what a caller says, from its first word on. */
static void
listen_to (Caller * caller, GstPad * pad)
{
  if (caller->listener != NULL)
    return;
  caller->listener = add_half (LISTENER);
  link_to_pad (caller->listener, caller->seat->said);
  gst_element_sync_state_with_parent (caller->listener);
  link_pad (pad, caller->listener);
}

/* A caller who spoke before the bus told of it has a pad already. */
static void
listen_to_first_words (Caller * caller)
{
  gchar *name = g_strdup_printf ("recv_src_%u", caller->id);
  GstPad *pad = gst_element_get_static_pad (call, name);

  g_free (name);
  if (pad == NULL)
    return;
  listen_to (caller, pad);
  gst_object_unref (pad);
}

static void
join (guint id, const gchar * address)
{
  Caller *caller = g_new0 (Caller, 1);
  gchar *name = g_strdup_printf ("send_sink_%u", id);

  caller->id = id;
  caller->label = make_label (address);
  caller->seat = room_enter (room);
  caller->speaker = add_half (SPEAKER);
  caller->encoder = gst_bin_get_by_name (GST_BIN (caller->speaker), "encoder");
  caller->send_pad = gst_element_request_pad_simple (call, name);
  link_to_pad (caller->speaker, caller->send_pad);
  gst_element_sync_state_with_parent (caller->speaker);
  link_pad (caller->seat->heard, caller->speaker);
  g_hash_table_insert (callers, GUINT_TO_POINTER (id), caller);
  listen_to_first_words (caller);
  g_free (name);
}

static void
remove_half (GstElement * half)
{
  if (half == NULL)
    return;
  gst_element_set_state (half, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (pipeline), half);
}

static void
caller_free (gpointer data)
{
  Caller *caller = data;

  room_leave (room, caller->seat);
  remove_half (caller->listener);
  gst_object_unref (caller->encoder);
  remove_half (caller->speaker);
  gst_element_release_request_pad (call, caller->send_pad);
  gst_object_unref (caller->send_pad);
  g_free (caller->label);
  g_free (caller);
}

static void
throw_out (Caller * caller, const gchar * reason)
{
  gboolean removed;

  g_printerr ("%s is removed: %s\n", caller->label, reason);
  g_signal_emit_by_name (call, "remove-peer", caller->id, &removed);
  g_hash_table_remove (callers, GUINT_TO_POINTER (caller->id));
}

/* The pad of a caller that may not have been seen on the bus yet: join() looks for it then. Or the
 * caller has left since. */
static gboolean
on_speech (gpointer data)
{
  GstPad *pad = data;
  gulong id = strtoul (GST_PAD_NAME (pad) + strlen ("recv_src_"), NULL, 10);
  Caller *caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (id));

  if (caller != NULL)
    listen_to (caller, pad);
  return G_SOURCE_REMOVE;
}

/* In a thread of tfrcbin. */
static void
on_pad_added (GstElement * element, GstPad * pad, gpointer data)
{
  if (GST_PAD_IS_SRC (pad))
    g_idle_add_full (G_PRIORITY_DEFAULT, on_speech, gst_object_ref (pad),
        gst_object_unref);
}

/* --- the bus --- */

static void
on_connection (const GstStructure * s)
{
  const gchar *state = gst_structure_get_string (s, "state");
  Caller *caller;
  guint id;

  gst_structure_get_uint (s, "id", &id);
  caller = g_hash_table_lookup (callers, GUINT_TO_POINTER (id));
  if (g_str_equal (state, "gone"))
    g_hash_table_remove (callers, GUINT_TO_POINTER (id));
  else if (g_str_equal (state, "connected") && caller == NULL)
    join (id, gst_structure_get_string (s, "address"));
  else if (g_str_equal (state, "lost") && caller != NULL)
    caller->lost_since = g_get_monotonic_time ();
  else if (g_str_equal (state, "regained") && caller != NULL)
    caller->lost_since = 0;
}

static gboolean
has_half (gpointer id, gpointer data, gpointer object)
{
  Caller *caller = data;

  return gst_object_has_as_ancestor (object, GST_OBJECT (caller->speaker)) ||
      (caller->listener != NULL &&
      gst_object_has_as_ancestor (object, GST_OBJECT (caller->listener)));
}

/* What a caller sends may end its own call and no other. */
static void
on_error (GstMessage * message)
{
  Caller *caller = g_hash_table_find (callers, has_half,
      GST_MESSAGE_SRC (message));
  GError *error;

  if (caller != NULL)
    throw_out (caller, "what it sends cannot be played");
  /* those who have left are out of the pipeline */
  if (caller != NULL || !gst_object_has_as_ancestor (GST_MESSAGE_SRC (message),
          GST_OBJECT (pipeline)))
    return;
  gst_message_parse_error (message, &error, NULL);
  g_printerr ("%s\n", error->message);
  g_error_free (error);
  failed = TRUE;
  g_main_loop_quit (loop);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  if (gst_message_has_name (message, "application/x-tfrc-connection"))
    on_connection (gst_message_get_structure (message));
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    on_error (message);
  return G_SOURCE_CONTINUE;
}

/* --- the table, once in a second --- */

typedef struct
{
  guint64 packets;              /* that came from the caller in the second */
  gdouble lost, missed;         /* the shares lost on the way, and missed in the mix, % */
  gdouble allowed, p;           /* of what is sent: bit/s, loss event rate */
  guint64 rtt;                  /* ns */
} Figures;

static const GstStructure *
get_part (const GstStructure * stats, const gchar * name)
{
  return gst_value_get_structure (gst_structure_get_value (stats, name));
}

static void
count (Caller * caller, const GstStructure * session, Figures * figures)
{
  guint64 received;
  gint lost, losses;

  gst_structure_get (session, "packets-received", G_TYPE_UINT64, &received,
      "packets-lost", G_TYPE_INT, &lost, NULL);
  losses = MAX (lost - caller->lost, 0);
  figures->packets = received - caller->received;
  figures->lost = 100.0 * losses / MAX (figures->packets + losses, 1);
  caller->received = received;
  caller->lost = lost;
}

/* As the property "ladder" of the encoder writes it. */
static gchar *
get_operating_point (GstElement * encoder)
{
  gchar *codec, *point;
  guint bitrate, redundancy;
  guint64 ptime;
  gboolean fec, suspended;

  g_object_get (encoder, "current-codec", &codec, "current-bitrate", &bitrate,
      "current-ptime", &ptime, "current-inband-fec", &fec,
      "current-redundancy", &redundancy, "suspended", &suspended, NULL);
  point = g_strdup_printf ("%s %uk/%u%s%s%s", codec, bitrate / 1000,
      (guint) (ptime / GST_MSECOND), fec ? " fec" : "",
      redundancy == 2 ? " red2" : redundancy == 1 ? " red1" : "",
      suspended ? " suspended" : "");
  g_free (codec);
  return point;
}

static void
print_row (const Caller * caller, const Figures * figures)
{
  gchar *point = get_operating_point (caller->encoder);
  gdouble quality;

  g_object_get (caller->encoder, "expected-quality", &quality, NULL);
  printf ("%4u %-21.21s %-9s %-24s %7.0f %5.0f %5.1f %5.1f %5.1f %4.1f\n",
      caller->id,
      caller->label, caller->lost_since != 0 ? "lost" : "connected", point,
      figures->allowed / 1000, (gdouble) figures->rtt / GST_MSECOND,
      100 * figures->p, figures->lost, figures->missed, quality);
  g_free (point);
}

/* A row of the table, or the caller has to go. */
static void
look_at (Caller * caller, const GstStructure * stats)
{
  const GstStructure *sender = get_part (stats, "data-sender");
  Figures figures;

  count (caller, get_part (stats, "session"), &figures);
  figures.missed = 100 * room_take_missed (room, caller->seat);
  gst_structure_get (sender, "allowed-rate", G_TYPE_DOUBLE, &figures.allowed,
      "round-trip-time", G_TYPE_UINT64, &figures.rtt,
      "loss-event-rate", G_TYPE_DOUBLE, &figures.p, NULL);
  if (figures.packets > MAX_PACKETS) {
    ban (gst_structure_get_string (stats, "address"));
    throw_out (caller, "no phone sends so many packets");
  } else if (caller->lost_since != 0 &&
      g_get_monotonic_time () > caller->lost_since + SILENCE) {
    throw_out (caller, "nothing comes any more");
  } else {
    print_row (caller, &figures);
  }
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  return ((const Caller *) a)->id < ((const Caller *) b)->id ? -1 : 1;
}

/* A terminal shows the table in place; a file gets one after the other. */
static gboolean
on_second (gpointer data)
{
  GList *all = g_list_sort (g_hash_table_get_values (callers), compare), *item;

  printf ("%s%u callers\n", isatty (STDOUT_FILENO) ? "\033[H\033[J" : "",
      g_hash_table_size (callers));
  printf ("%4s %-21s %-9s %-24s %7s %5s %5s %5s %5s %4s\n", "peer", "label",
      "state", "is sent", "allowed", "R", "p", "lost", "miss", "MOS");
  printf ("%4s %-21s %-9s %-24s %7s %5s %5s %5s %5s\n", "", "", "", "",
      "kbit/s", "ms", "%", "%", "%");
  for (item = all; item != NULL; item = item->next) {
    GstStructure *stats = NULL;

    g_signal_emit_by_name (call, "get-peer-stats",
        ((Caller *) item->data)->id, &stats);
    if (stats != NULL) {        /* else tfrcbin has just removed it, and will tell */
      look_at (item->data, stats);
      gst_structure_free (stats);
    }
  }
  g_list_free (all);
  fflush (stdout);
  return G_SOURCE_CONTINUE;
}

/* --- the program --- */

static gboolean
on_signal (gpointer data)
{
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
parse (int argc, char **argv)
{
  GOptionContext *context =
      g_option_context_new ("- a conference that anybody can call");
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_printerr ("%s\n", error->message);
  g_option_context_free (context);
  return error == NULL;
}

/* Makes one half of each kind, so that what is missing is known before anybody calls. */
static gboolean
try_halves (void)
{
  static const gchar *const all[] = { "tfrcbin", LISTENER, SPEAKER };
  GError *error = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (all) && error == NULL; i++) {
    GstElement *half = gst_parse_bin_from_description (all[i], FALSE, &error);

    if (half != NULL)
      gst_object_unref (gst_object_ref_sink (half));
  }
  if (error != NULL)
    g_printerr ("%s. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.\n",
        error->message);
  return error == NULL;
}

static void
set_up (void)
{
  pipeline = gst_pipeline_new (NULL);
  call = gst_element_factory_make ("tfrcbin", NULL);
  gst_bin_add (GST_BIN (pipeline), call);
  g_object_set (call, "port", port, "latency", latency, "max-peers",
      max_callers, NULL);
  gst_util_set_object_arg (G_OBJECT (call), "accept", "any");
  gst_util_set_object_arg (G_OBJECT (call), "mode", "tfrc-sp");
  g_signal_connect (call, "new-peer", G_CALLBACK (on_new_peer), NULL);
  g_signal_connect (call, "pad-added", G_CALLBACK (on_pad_added), NULL);
  callers = g_hash_table_new_full (NULL, NULL, NULL, caller_free);
  bans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  room = room_new (latency * GST_MSECOND + DECODING);
  loop = g_main_loop_new (NULL, FALSE);
}

static void
run (void)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_add_watch (bus, on_message, NULL);
  g_unix_signal_add (SIGINT, on_signal, NULL);
  g_unix_signal_add (SIGTERM, on_signal, NULL);
  /* why it failed is on the bus */
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING) !=
      GST_STATE_CHANGE_FAILURE) {
    GstClock *clock = gst_element_get_clock (pipeline);

    room_start (room, clock, gst_element_get_base_time (pipeline));
    gst_object_unref (clock);
    g_timeout_add_seconds (1, on_second, NULL);
  }
  g_main_loop_run (loop);
  g_hash_table_remove_all (callers);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

int
main (int argc, char **argv)
{
  if (!parse (argc, argv))
    return 2;
  if (!try_halves ())
    return 1;
  set_up ();
  run ();
  room_free (room);
  g_hash_table_unref (callers);
  g_hash_table_unref (bans);
  g_main_loop_unref (loop);
  gst_object_unref (pipeline);
  return failed;
}
