/* gst-tfrc: how long a tfrcbin with many peers takes to start and to stop, and what memory they take
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-churn --calls 1000 --joins 10000
 *
 * A call is two peers with a send pad each. It prints one value a line:
 *
 *   start_s   from the state NULL to PLAYING with all peers added, each of which has sent its first
 *             RTCP packet
 *   stop_s    from there to NULL
 *   leaked    bytes of memory for a peer that joined and left, between the first fifth of the joins
 *             and the last; joins come ten at a time */
#include <gst/gst.h>
#include <stdio.h>
#include <string.h>

static gint n_calls = 1000, n_joins = 10000, port = 27500;

static GOptionEntry entries[] = {
  {"calls", 0, 0, G_OPTION_ARG_INT, &n_calls, "To start and stop (1000)", "N"},
  {"joins", 0, 0, G_OPTION_ARG_INT, &n_joins, "Peers that join and leave "
        "(10000)", "N"},
  {"port", 0, 0, G_OPTION_ARG_INT, &port, "Of the element (27500)", "PORT"},
  {NULL}
};

static GstElement *
new_bin (guint max_peers)
{
  GstElement *bin = gst_element_factory_make ("tfrcbin", NULL);

  if (bin == NULL)
    g_error ("there is no element tfrcbin");
  gst_object_ref_sink (bin);
  g_object_set (bin, "port", port, "max-peers", max_peers, NULL);
  gst_util_set_object_arg (G_OBJECT (bin), "mode", "tfrc-sp");
  return bin;
}

static guint
join (GstElement * bin, guint i)
{
  gchar *host = g_strdup_printf ("127.%u.%u.1", 1 + i / 250, 1 + i % 250);
  guint id = 0;

  g_signal_emit_by_name (bin, "add-peer", host, 9, NULL, &id);
  if (id == 0)
    g_error ("no peer %s", host);
  g_free (host);
  return id;
}

static GstPad *
open_pad (GstElement * bin, guint id)
{
  gchar *name = g_strdup_printf ("send_sink_%u", id);
  GstPad *pad = gst_element_request_pad_simple (bin, name);

  g_free (name);
  return pad;
}

static void
close_pad (GstElement * bin, GstPad * pad)
{
  gst_element_release_request_pad (bin, pad);
  gst_object_unref (pad);
}

static guint64
get_sent (GstElement * bin)
{
  GstStructure *stats;
  guint64 sent = 0;

  g_object_get (bin, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "datagrams-sent", &sent);
  gst_structure_free (stats);
  return sent;
}

static void
set_state (GstElement * bin, GstState state)
{
  if (gst_element_set_state (bin, state) == GST_STATE_CHANGE_FAILURE)
    g_error ("the element does not change its state");
}

/* Returns when all have sent. */
static void
join_all (GstElement * bin, GstPad ** pads)
{
  gint i;

  for (i = 0; i < 2 * n_calls; i++)
    pads[i] = open_pad (bin, join (bin, i));
  while (get_sent (bin) < 2 * n_calls)
    g_usleep (1000);
}

static void
measure_start (void)
{
  GstElement *bin = new_bin (2 * n_calls);
  GstPad **pads = g_new (GstPad *, 2 * n_calls);
  gint64 begin = g_get_monotonic_time ();
  gint i;

  set_state (bin, GST_STATE_PLAYING);
  join_all (bin, pads);
  printf ("start_s %.3f\n", (g_get_monotonic_time () - begin) / 1e6);
  begin = g_get_monotonic_time ();
  set_state (bin, GST_STATE_NULL);
  printf ("stop_s %.3f\n", (g_get_monotonic_time () - begin) / 1e6);
  for (i = 0; i < 2 * n_calls; i++)
    close_pad (bin, pads[i]);
  g_free (pads);
  gst_object_unref (bin);
}

/* Bytes that no other process has. */
static guint64
get_memory (void)
{
  static const gchar name[] = "Private_Dirty:";
  gchar *text = NULL, **parts;
  guint64 kB = 0;

  g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL);
  parts = g_strsplit (text != NULL ? text : "", name, 2);
  if (parts[0] != NULL && parts[1] != NULL)
    kB = g_ascii_strtoull (parts[1], NULL, 10);
  g_strfreev (parts);
  g_free (text);
  return kB * 1024;
}

static void
churn (GstElement * bin, guint joins)
{
  GstPad *pads[10];
  guint ids[10], i, done;
  gboolean removed;

  for (done = 0; done < joins; done += G_N_ELEMENTS (ids)) {
    for (i = 0; i < G_N_ELEMENTS (ids); i++) {
      ids[i] = join (bin, i);
      pads[i] = open_pad (bin, ids[i]);
    }
    for (i = 0; i < G_N_ELEMENTS (ids); i++) {
      g_signal_emit_by_name (bin, "remove-peer", ids[i], &removed);
      close_pad (bin, pads[i]);
    }
  }
}

static void
measure_leak (void)
{
  GstElement *bin = new_bin (100);
  guint64 before;
  guint first = n_joins / 5;

  set_state (bin, GST_STATE_PLAYING);
  churn (bin, first);
  before = get_memory ();
  churn (bin, n_joins - first);
  printf ("leaked %.0f\n", ((gdouble) get_memory () - before) /
      (n_joins - first));
  set_state (bin, GST_STATE_NULL);
  gst_object_unref (bin);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  g_option_context_free (context);
  measure_start ();
  measure_leak ();
  return 0;
}
