/* gst-tfrc: the two pads of a peer of tfrcbin, and what goes through them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerpads.h"

#include "base/packetstore.h"
#include "transport/payloadcaps.h"

GST_DEBUG_CATEGORY_STATIC (tfrcpeerpads_debug);
#define GST_CAT_DEFAULT tfrcpeerpads_debug

#define NO_PAYLOAD_TYPE GST_TFRC_N_PAYLOAD_TYPES

/* A pad may be requested some time before its peer is added, but not so many packets before. */
#define PACKETS_WITHOUT_PEER 250

struct _GstTfrcPeerPads
{
  gint refs;
  guint id;
  GstTfrcPeerPadsOwner *owner;

  GMutex lock;                  /* for what follows */
  GstTfrcPeer *peer;            /* NULL: at no port */
  GstPad *sinkpad;              /* not owned; NULL: not requested */
  GstPad *srcpad;               /* owned; NULL: nothing has come */
  gboolean ended;               /* what came to the sink pad, and all of it has departed */
  gboolean had_peer;            /* there was a peer */

  guint without_peer;           /* packets before there was one; of the sink pad's thread */

  GstSegment segment;           /* of the sink pad's streaming thread */
  guint payload_type;           /* that the source pad's caps are of; of the thread that serves */
};

GstTfrcPeerPads *
gst_tfrc_peer_pads_new (guint id, GstTfrcPeerPadsOwner * owner)
{
  static gsize once = 0;
  GstTfrcPeerPads *pads = g_new0 (GstTfrcPeerPads, 1);

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (tfrcpeerpads_debug, "tfrcpeerpads", 0,
        "pads of the peers of tfrcbin");
    g_once_init_leave (&once, 1);
  }
  pads->refs = 1;
  pads->id = id;
  pads->owner = owner;
  pads->payload_type = NO_PAYLOAD_TYPE;
  g_mutex_init (&pads->lock);
  gst_segment_init (&pads->segment, GST_FORMAT_TIME);
  return pads;
}

GstTfrcPeerPads *
gst_tfrc_peer_pads_ref (GstTfrcPeerPads * pads)
{
  g_atomic_int_inc (&pads->refs);
  return pads;
}

void
gst_tfrc_peer_pads_unref (GstTfrcPeerPads * pads)
{
  if (!g_atomic_int_dec_and_test (&pads->refs))
    return;
  g_clear_pointer (&pads->peer, gst_tfrc_peer_unref);
  gst_clear_object (&pads->srcpad);
  g_mutex_clear (&pads->lock);
  g_free (pads);
}

static void
unref_pads (gpointer pads)
{
  gst_tfrc_peer_pads_unref (pads);
}

guint
gst_tfrc_peer_pads_get_id (const GstTfrcPeerPads * pads)
{
  return pads->id;
}

void
gst_tfrc_peer_pads_set_peer (GstTfrcPeerPads * pads, GstTfrcPeer * peer)
{
  GstTfrcPeer *old;
  GstPad *sinkpad;
  GstCaps *caps = NULL;

  g_mutex_lock (&pads->lock);
  old = pads->peer;
  pads->peer = peer != NULL ? gst_tfrc_peer_ref (peer) : NULL;
  pads->had_peer |= peer != NULL;
  pads->ended = FALSE;
  sinkpad = pads->sinkpad != NULL ? gst_object_ref (pads->sinkpad) : NULL;
  g_mutex_unlock (&pads->lock);
  if (old != NULL)
    gst_tfrc_peer_unref (old);
  /* caps may have come before the peer */
  if (sinkpad != NULL)
    caps = gst_pad_get_current_caps (sinkpad);
  if (caps != NULL && peer != NULL)
    gst_tfrc_peer_set_send_caps (peer, caps);
  gst_clear_caps (&caps);
  gst_clear_object (&sinkpad);
}

GstTfrcPeer *
gst_tfrc_peer_pads_get_peer (GstTfrcPeerPads * pads)
{
  GstTfrcPeer *peer;

  g_mutex_lock (&pads->lock);
  peer = pads->peer != NULL ? gst_tfrc_peer_ref (pads->peer) : NULL;
  g_mutex_unlock (&pads->lock);
  return peer;
}

/* --- the sink pad: what is sent --- */

GstTfrcPeerPads *
gst_tfrc_peer_pads_get (GstPad * sinkpad)
{
  return gst_pad_get_element_private (sinkpad);
}

/* Before its peer is there a pad drops what comes; after it, upstream may stop. */
static GstFlowReturn
drop_packet (GstTfrcPeerPads * pads)
{
  gboolean had_peer;

  g_mutex_lock (&pads->lock);
  had_peer = pads->had_peer;
  g_mutex_unlock (&pads->lock);
  if (had_peer)
    return GST_FLOW_EOS;
  if (++pads->without_peer == PACKETS_WITHOUT_PEER)
    GST_ELEMENT_WARNING (pads->owner->element, RESOURCE, NOT_FOUND,
        ("Packets come to the pad send_sink_%u, and there is no peer %u. Set "
            "the property \"peer\" for peer 0, or request the pad of the "
            "number that the signal add-peer returns.", pads->id, pads->id),
        (NULL));
  return GST_FLOW_OK;
}

static GstFlowReturn
sink_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcPeerPads *pads = gst_tfrc_peer_pads_get (pad);
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  GstClockTime running = gst_segment_to_running_time (&pads->segment,
      GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  GstFlowReturn ret;

  if (peer == NULL) {
    gst_buffer_unref (buffer);
    return drop_packet (pads);
  }
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) =
      gst_tfrc_monotonic_time_from_running (&pads->owner->time, running);
  ret = gst_tfrc_peer_add (peer, buffer);
  gst_tfrc_peer_unref (peer);
  return ret;
}

static void
end_stream (GstTfrcPeerPads * pads)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);

  if (peer == NULL)
    return;
  gst_tfrc_peer_drain (peer);
  gst_tfrc_peer_unref (peer);
}

static void
take_caps (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  GstCaps *caps;

  if (peer == NULL)
    return;
  gst_event_parse_caps (event, &caps);
  gst_tfrc_peer_set_send_caps (peer, caps);
  gst_tfrc_peer_unref (peer);
}

static void
flush (GstTfrcPeerPads * pads)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);

  gst_segment_init (&pads->segment, GST_FORMAT_TIME);
  g_mutex_lock (&pads->lock);
  pads->ended = FALSE;
  g_mutex_unlock (&pads->lock);
  if (peer == NULL)
    return;
  gst_tfrc_peer_flush (peer);
  gst_tfrc_peer_unref (peer);
}

/* Events end here: what arrives from the peer is another stream. */
static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcPeerPads *pads = gst_tfrc_peer_pads_get (pad);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      take_caps (pads, event);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &pads->segment);
      break;
    case GST_EVENT_EOS:
      end_stream (pads);
      break;
    case GST_EVENT_FLUSH_STOP:
      flush (pads);
      break;
    default:
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    default:
      return FALSE;
  }
}

static gboolean
take_sink (GstTfrcPeerPads * pads, GstPad * pad)
{
  gboolean takes;

  g_mutex_lock (&pads->lock);
  takes = pads->sinkpad == NULL;
  if (takes)
    pads->sinkpad = pad;
  pads->ended &= !takes;
  g_mutex_unlock (&pads->lock);
  return takes;
}

GstPad *
gst_tfrc_peer_pads_add_sink (GstTfrcPeerPads * pads, GstPadTemplate * templ)
{
  gchar *name = g_strdup_printf ("send_sink_%u", pads->id);
  GstPad *pad = gst_pad_new_from_template (templ, name);

  g_free (name);
  if (!take_sink (pads, pad)) {
    gst_object_unref (pad);
    return NULL;
  }
  gst_pad_set_element_private (pad, pads);
  g_object_set_data_full (G_OBJECT (pad), "tfrc-peer-pads",
      gst_tfrc_peer_pads_ref (pads), unref_pads);
  gst_pad_set_chain_function (pad, sink_chain);
  gst_pad_set_event_function (pad, sink_event);
  gst_pad_set_query_function (pad, sink_query);
  gst_pad_set_iterate_internal_links_function (pad, NULL);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (pads->owner->element, pad);
  return pad;
}

void
gst_tfrc_peer_pads_forget_sink (GstTfrcPeerPads * pads)
{
  g_mutex_lock (&pads->lock);
  pads->sinkpad = NULL;
  g_mutex_unlock (&pads->lock);
}

gboolean
gst_tfrc_peer_pads_has_sink (GstTfrcPeerPads * pads)
{
  gboolean has;

  g_mutex_lock (&pads->lock);
  has = pads->sinkpad != NULL;
  g_mutex_unlock (&pads->lock);
  return has;
}

gboolean
gst_tfrc_peer_pads_is_sending (GstTfrcPeerPads * pads)
{
  gboolean sending;

  g_mutex_lock (&pads->lock);
  sending = pads->sinkpad != NULL && !pads->ended;
  g_mutex_unlock (&pads->lock);
  return sending;
}

/* --- the source pad: what arrives --- */

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcPeerPads *pads = gst_pad_get_element_private (pad);
  const GstStructure *s = gst_event_get_structure (event);
  GstTfrcPeer *peer;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM && s != NULL &&
      gst_structure_has_name (s, "GstForceKeyUnit") &&
      (peer = gst_tfrc_peer_pads_get_peer (pads)) != NULL) {
    gst_tfrc_peer_request_key_frame (peer);
    gst_tfrc_peer_unref (peer);
  }
  gst_event_unref (event);
  return TRUE;
}

/* Packets that wait for missing ones may have copies of those. */
static gboolean
answer_store (GstTfrcPeerPads * pads, GstQuery * query)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  GstBufferList *list;

  if (peer == NULL)
    return FALSE;
  list = gst_buffer_list_new ();
  gst_tfrc_peer_get_waiting (peer, list);
  gst_tfrc_packet_store_set_answer (query, list);
  gst_buffer_list_unref (list);
  gst_tfrc_peer_unref (peer);
  return TRUE;
}

static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstTfrcPeerPads *pads = gst_pad_get_element_private (pad);

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_LATENCY:
      gst_query_set_latency (query, TRUE, pads->owner->latency,
          GST_CLOCK_TIME_NONE);
      return TRUE;
    case GST_QUERY_CUSTOM:
      return gst_tfrc_packet_store_is_query (query) &&
          answer_store (pads, query);
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    default:
      return FALSE;
  }
}

/* Calls are streams that never come again. */
static void
push_stream_start (GstTfrcPeerPads * pads, GstPad * pad)
{
  gchar *id = g_strdup_printf ("%08x%08x/%u", g_random_int (), g_random_int (),
      pads->id);

  gst_pad_push_event (pad, gst_event_new_stream_start (id));
  g_free (id);
}

static void
push_segment (GstPad * pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static GstPad *
new_src (GstTfrcPeerPads * pads)
{
  GstElementClass *klass = GST_ELEMENT_GET_CLASS (pads->owner->element);
  gchar *name = g_strdup_printf ("recv_src_%u", pads->id);
  GstPad *pad =
      gst_pad_new_from_template (gst_element_class_get_pad_template (klass,
          "recv_src_%u"), name);

  g_free (name);
  gst_pad_set_element_private (pad, pads);
  g_object_set_data_full (G_OBJECT (pad), "tfrc-peer-pads",
      gst_tfrc_peer_pads_ref (pads), unref_pads);
  gst_pad_set_event_function (pad, src_event);
  gst_pad_set_query_function (pad, src_query);
  gst_pad_set_iterate_internal_links_function (pad, NULL);
  gst_pad_use_fixed_caps (pad);
  return gst_object_ref_sink (pad);
}

/* Says what the packets are. */
static void
update_caps (GstTfrcPeerPads * pads, GstPad * pad, guint payload_type)
{
  GstCaps *caps;

  if (payload_type == pads->payload_type)
    return;
  pads->payload_type = payload_type;
  caps = gst_tfrc_payload_caps_get (pads->owner->caps, payload_type);
  GST_INFO_OBJECT (pad, "caps %" GST_PTR_FORMAT, caps);
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

/* In the thread that serves. */
static void
add_src (GstTfrcPeerPads * pads, guint payload_type)
{
  GstPad *pad = new_src (pads);

  gst_pad_set_active (pad, TRUE);
  pads->payload_type = NO_PAYLOAD_TYPE;
  push_stream_start (pads, pad);
  update_caps (pads, pad, payload_type);
  push_segment (pad);
  g_mutex_lock (&pads->lock);
  pads->srcpad = gst_object_ref (pad);
  g_mutex_unlock (&pads->lock);
  gst_element_add_pad (pads->owner->element, pad);
  gst_object_unref (pad);
}

static void
push_packet (GstTfrcPeerPads * pads, GstBuffer * buffer)
{
  guint8 second = 0;
  GstFlowReturn ret;

  gst_buffer_extract (buffer, 1, &second, 1);
  if (pads->srcpad == NULL)
    add_src (pads, second & 0x7f);
  /* an application that saw the pad may have removed the peer */
  if (pads->srcpad == NULL) {
    gst_buffer_unref (buffer);
    return;
  }
  update_caps (pads, pads->srcpad, second & 0x7f);
  GST_BUFFER_PTS (buffer) =
      gst_tfrc_monotonic_time_to_running (&pads->owner->time,
      GST_BUFFER_PTS (buffer));
  ret = gst_pad_push (pads->srcpad, buffer);
  if (ret != GST_FLOW_OK)
    GST_LOG ("peer %u: packet not taken: %s", pads->id,
        gst_flow_get_name (ret));
}

/* An announced loss. Without a pad nobody would miss anything. */
static void
push_loss (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstStructure *s;
  GstClockTime time = 0;

  if (pads->srcpad == NULL) {
    gst_event_unref (event);
    return;
  }
  event = gst_event_make_writable (event);
  s = gst_event_writable_structure (event);
  gst_structure_get_uint64 (s, "timestamp", &time);
  gst_structure_set (s, "timestamp", G_TYPE_UINT64,
      gst_tfrc_monotonic_time_to_running (&pads->owner->time, time), NULL);
  gst_pad_push_event (pads->srcpad, event);
}

static void
push_upstream (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstPad *pad;

  g_mutex_lock (&pads->lock);
  pad = pads->sinkpad != NULL ? gst_object_ref (pads->sinkpad) : NULL;
  g_mutex_unlock (&pads->lock);
  if (pad != NULL)
    gst_pad_push_event (pad, event);
  else
    gst_event_unref (event);
  gst_clear_object (&pad);
}

static void
post (GstTfrcPeerPads * pads, GstMessage * message)
{
  const GstStructure *s = gst_message_get_structure (message);

  if (s != NULL && gst_structure_has_name (s, GST_TFRC_PEER_MESSAGE)) {
    const gchar *state = gst_structure_get_string (s, "state");

    if (g_str_equal (state, "drained")) {
      g_mutex_lock (&pads->lock);
      pads->ended = TRUE;
      g_mutex_unlock (&pads->lock);
    }
    GST_INFO_OBJECT (pads->owner->element, "peer %u is %s", pads->id, state);
    pads->owner->on_state (pads, state, pads->owner->data);
  }
  gst_element_post_message (pads->owner->element, message);
}

void
gst_tfrc_peer_pads_serve (GstTfrcPeer * peer, GstMiniObject * object,
    gpointer data)
{
  /* an application may remove the peer in whatever is called here */
  GstTfrcPeerPads *pads = gst_tfrc_peer_pads_ref (data);

  if (GST_IS_BUFFER (object))
    push_packet (pads, GST_BUFFER_CAST (object));
  else if (GST_IS_MESSAGE (object))
    post (pads, GST_MESSAGE_CAST (object));
  else if (GST_EVENT_IS_UPSTREAM (object))
    push_upstream (pads, GST_EVENT_CAST (object));
  else
    push_loss (pads, GST_EVENT_CAST (object));
  gst_tfrc_peer_pads_unref (pads);
}

/* --- the end --- */

static GstPad *
get_src (GstTfrcPeerPads * pads)
{
  GstPad *pad;

  g_mutex_lock (&pads->lock);
  pad = pads->srcpad != NULL ? gst_object_ref (pads->srcpad) : NULL;
  g_mutex_unlock (&pads->lock);
  return pad;
}

void
gst_tfrc_peer_pads_flush_src (GstTfrcPeerPads * pads)
{
  GstPad *pad = get_src (pads);

  if (pad == NULL)
    return;
  gst_pad_push_event (pad, gst_event_new_flush_start ());
  gst_object_unref (pad);
}

void
gst_tfrc_peer_pads_remove_src (GstTfrcPeerPads * pads)
{
  GstPad *pad = get_src (pads);

  if (pad == NULL)
    return;
  g_mutex_lock (&pads->lock);
  gst_clear_object (&pads->srcpad);
  g_mutex_unlock (&pads->lock);
  gst_pad_push_event (pad, gst_event_new_flush_stop (TRUE));
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (pads->owner->element, pad);
  gst_object_unref (pad);
}
