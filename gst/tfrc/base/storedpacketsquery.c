/* gst-tfrc: a query for the packets that a jitter buffer still holds
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/storedpacketsquery.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcstoredpacketsquery",
    "TFRC packets for the recovery of losses");

#define QUERY_NAME "GstTfrcPacketStore"
#define PACKETS "packets"

/* As packets of 10 ms these are more than a second, and more than a jitter buffer keeps. */
#define KEPT 128

#define DATA "tfrc-packet-store"

typedef struct
{
  GMutex lock;
  GstBuffer *kept[KEPT];        /* a ring */
  guint next;                   /* place in the ring, modulo KEPT */
  gboolean asked;               /* packets are kept */
} PacketStore;

static void
store_clear (gpointer data)
{
  PacketStore *store = data;
  guint i;

  for (i = 0; i < KEPT; i++)
    gst_clear_buffer (&store->kept[i]);
  g_mutex_clear (&store->lock);
}

static void
store_unref (gpointer store)
{
  g_atomic_rc_box_release_full (store, store_clear);
}

static gboolean
keep (GstBuffer ** packet, guint index, gpointer user_data)
{
  PacketStore *store = user_data;

  g_mutex_lock (&store->lock);
  gst_buffer_replace (&store->kept[store->next++ % KEPT], *packet);
  g_mutex_unlock (&store->lock);
  return TRUE;
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer store)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    gst_buffer_list_foreach (GST_PAD_PROBE_INFO_BUFFER_LIST (info), keep,
        store);
  } else {
    GstBuffer *packet = GST_PAD_PROBE_INFO_BUFFER (info);

    keep (&packet, 0, store);
  }
  return GST_PAD_PROBE_OK;
}

static GstBufferList *
get_kept (PacketStore * store)
{
  GstBufferList *list = gst_buffer_list_new_sized (KEPT);
  guint i;

  g_mutex_lock (&store->lock);
  for (i = 0; i < KEPT; i++) {
    GstBuffer *packet = store->kept[(store->next + i) % KEPT];

    if (packet != NULL)
      gst_buffer_list_add (list, gst_buffer_ref (packet));
  }
  g_mutex_unlock (&store->lock);
  return list;
}

static gboolean
is_first_query (PacketStore * store)
{
  gboolean first;

  g_mutex_lock (&store->lock);
  first = !store->asked;
  store->asked = TRUE;
  g_mutex_unlock (&store->lock);
  return first;
}

gboolean
gst_tfrc_stored_packets_query_matches (GstQuery * query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM &&
      gst_structure_has_name (gst_query_get_structure (query), QUERY_NAME);
}

void
gst_tfrc_stored_packets_query_set_answer (GstQuery * query,
    GstBufferList * list)
{
  gst_structure_set (gst_query_writable_structure (query), PACKETS,
      GST_TYPE_BUFFER_LIST, list, NULL);
}

static gboolean
answer (GstPad * pad, GstObject * parent, GstQuery * query)
{
  PacketStore *store = g_object_get_data (G_OBJECT (pad), DATA);
  GstBufferList *list;

  if (!gst_tfrc_stored_packets_query_matches (query))
    return gst_pad_query_default (pad, parent, query);
  /* Nothing is kept, and no probe runs, before the first query. */
  if (is_first_query (store)) {
    GST_INFO_OBJECT (pad, "the last %u packets are kept from now on", KEPT);
    gst_pad_add_probe (pad,
        GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_packet,
        g_atomic_rc_box_acquire (store), store_unref);
  }
  list = get_kept (store);
  gst_tfrc_stored_packets_query_set_answer (query, list);
  gst_buffer_list_unref (list);
  return TRUE;
}

void
gst_tfrc_stored_packets_query_answer (GstPad * srcpad)
{
  PacketStore *store = g_atomic_rc_box_new0 (PacketStore);

  g_mutex_init (&store->lock);
  g_object_set_data_full (G_OBJECT (srcpad), DATA, store, store_unref);
  gst_pad_set_query_function (srcpad, answer);
}

GstBufferList *
gst_tfrc_stored_packets_query_send (GstPad * sinkpad)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty (QUERY_NAME));
  GstBufferList *list = NULL;

  if (gst_pad_peer_query (sinkpad, query))
    gst_structure_get (gst_query_get_structure (query), PACKETS,
        GST_TYPE_BUFFER_LIST, &list, NULL);
  GST_LOG_OBJECT (sinkpad, "%u packets are kept upstream",
      list != NULL ? gst_buffer_list_length (list) : 0);
  gst_query_unref (query);
  return list;
}
