/* gst-tfrc: what has arrived and a jitter buffer still holds
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A jitter buffer gives a packet up only when its time has come. The copies that come
 * some packets later lie in the buffer by then, and would be let out too late. A query
 * that goes upstream through the buffer gets them before their turn. */
#include "base/packetstore.h"

#define QUERY_NAME "GstTfrcPacketStore"
#define PACKETS "packets"

/* Packets: more than a buffer of a second holds of packets of 10 ms. */
#define KEPT 128

typedef struct
{
  GMutex lock;
  GstBuffer *kept[KEPT];        /* a ring */
  guint next;
  gboolean asked;
} Ahead;

static void
ahead_clear (gpointer data)
{
  Ahead *ahead = data;
  guint i;

  for (i = 0; i < KEPT; i++)
    gst_clear_buffer (&ahead->kept[i]);
  g_mutex_clear (&ahead->lock);
}

static void
ahead_unref (gpointer ahead)
{
  g_atomic_rc_box_release_full (ahead, ahead_clear);
}

static gboolean
keep (GstBuffer ** packet, guint index, gpointer user_data)
{
  Ahead *ahead = user_data;

  g_mutex_lock (&ahead->lock);
  gst_buffer_replace (&ahead->kept[ahead->next++ % KEPT], *packet);
  g_mutex_unlock (&ahead->lock);
  return TRUE;
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer ahead)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    gst_buffer_list_foreach (GST_PAD_PROBE_INFO_BUFFER_LIST (info), keep,
        ahead);
  } else {
    GstBuffer *packet = GST_PAD_PROBE_INFO_BUFFER (info);

    keep (&packet, 0, ahead);
  }
  return GST_PAD_PROBE_OK;
}

static GstBufferList *
get_kept (Ahead * ahead)
{
  GstBufferList *list = gst_buffer_list_new_sized (KEPT);
  guint i;

  g_mutex_lock (&ahead->lock);
  for (i = 0; i < KEPT; i++) {
    GstBuffer *packet = ahead->kept[(ahead->next + i) % KEPT];

    if (packet != NULL)
      gst_buffer_list_add (list, gst_buffer_ref (packet));
  }
  g_mutex_unlock (&ahead->lock);
  return list;
}

static gboolean
is_first_question (Ahead * ahead)
{
  gboolean first;

  g_mutex_lock (&ahead->lock);
  first = !ahead->asked;
  ahead->asked = TRUE;
  g_mutex_unlock (&ahead->lock);
  return first;
}

static gboolean
answer (GstPad * pad, GstObject * parent, GstQuery * query)
{
  Ahead *ahead = pad->querydata;
  GstBufferList *list;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM ||
      !gst_structure_has_name (gst_query_get_structure (query), QUERY_NAME))
    return gst_pad_query_default (pad, parent, query);
  /* Who never asks pays nothing. */
  if (is_first_question (ahead))
    gst_pad_add_probe (pad,
        GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_packet,
        g_atomic_rc_box_acquire (ahead), ahead_unref);
  list = get_kept (ahead);
  gst_structure_set (gst_query_writable_structure (query), PACKETS,
      GST_TYPE_BUFFER_LIST, list, NULL);
  gst_buffer_list_unref (list);
  return TRUE;
}

void
gst_tfrc_packet_store_answer (GstPad * srcpad)
{
  Ahead *ahead = g_atomic_rc_box_new0 (Ahead);

  g_mutex_init (&ahead->lock);
  gst_pad_set_query_function_full (srcpad, answer, ahead, ahead_unref);
}

GstBufferList *
gst_tfrc_packet_store_ask (GstPad * sinkpad)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty (QUERY_NAME));
  GstBufferList *list = NULL;

  if (gst_pad_peer_query (sinkpad, query))
    gst_structure_get (gst_query_get_structure (query), PACKETS,
        GST_TYPE_BUFFER_LIST, &list, NULL);
  gst_query_unref (query);
  return list;
}
