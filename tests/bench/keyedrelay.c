/* gst-tfrc: a relay of tfrcbin that knows its callers and encrypts to each of them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "keyedrelay.h"

#include <glib-unix.h>
#include <gst/gst.h>

#include "callers.h"

#define KEYS "keys,srtp-key=(string)" KEYED_RELAY_KEY \
    ",srtp-remote-key=(string)" KEYED_RELAY_REMOTE_KEY

static GstElement *bin;
static guint n_callers, port_of_callers;

static guint
add_caller (guint i)
{
  GstStructure *keys = gst_structure_new_from_string (KEYS);
  gchar *host = callers_get_host (i);
  guint id = 0;

  g_signal_emit_by_name (bin, "add-peer", host, port_of_callers, keys, &id);
  if (id == 0)
    g_error ("no peer %s", host);
  gst_structure_free (keys);
  g_free (host);
  return id;
}

static gboolean
add_callers (gpointer unused)
{
  gboolean changed;
  guint i;

  for (i = 0; i < n_callers; i += 2) {
    guint one = add_caller (i), other = add_caller (i + 1);

    g_signal_emit_by_name (bin, "forward", one, other, TRUE, &changed);
    g_signal_emit_by_name (bin, "forward", other, one, TRUE, &changed);
  }
  return G_SOURCE_REMOVE;
}

void
keyed_relay_run (guint n, guint port, guint callers_port)
{
  GstElement *pipeline = gst_pipeline_new (NULL);

  n_callers = n;
  port_of_callers = callers_port;
  bin = gst_element_factory_make ("tfrcbin", NULL);
  if (bin == NULL)
    g_error ("there is no element tfrcbin");
  g_object_set (bin, "address", "127.0.0.1", "port", port, "max-peers", n,
      "latency", 0, NULL);
  gst_util_set_object_arg (G_OBJECT (bin), "accept", "none");
  gst_util_set_object_arg (G_OBJECT (bin), "mode", "tfrc-sp");
  gst_bin_add (GST_BIN (pipeline), bin);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_unix_signal_add (SIGUSR1, add_callers, NULL);
  g_main_loop_run (g_main_loop_new (NULL, FALSE));
}
