/* gst-tfrc: the source pad of a peer of tfrcbin, and all that a peer hands out
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerpadsprivate.h"

#include "base/debugcategory.h"
#include "base/remoteliveness.h"
#include "base/storedpacketsquery.h"
#include "base/rateevent.h"
#include "base/rtpheader.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeersrcpad",
    "source pads of the peers of tfrcbin");

/* Leaves the event to the thread that serves, since the thread that sends it may hold locks. */
static void
serve_reconfigure (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);

  if (peer == NULL)
    return;
  gst_tfrc_peer_serve (peer, GST_MINI_OBJECT_CAST (gst_event_ref (event)));
  gst_tfrc_peer_unref (peer);
}

/* What arrives is live: nobody can seek in it. */
static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcPeerPads *pads = gst_pad_get_element_private (pad);
  const GstStructure *s = gst_event_get_structure (event);
  gboolean taken = GST_EVENT_TYPE (event) != GST_EVENT_SEEK;
  GstTfrcPeer *peer;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM && s != NULL &&
      gst_structure_has_name (s, "GstForceKeyUnit") &&
      (peer = gst_tfrc_peer_pads_get_peer (pads)) != NULL) {
    gst_tfrc_peer_request_key_frame (peer);
    gst_tfrc_peer_unref (peer);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    serve_reconfigure (pads, event);
  gst_event_unref (event);
  return taken;
}

/* Packets that came after missing ones may have copies of those. */
static gboolean
answer_store (GstTfrcPeerPads * pads, GstQuery * query)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  GstBufferList *list;

  if (peer == NULL)
    return FALSE;
  list = gst_buffer_list_new ();
  gst_tfrc_peer_get_recent (peer, list);
  gst_tfrc_stored_packets_query_set_answer (query, list);
  gst_buffer_list_unref (list);
  gst_tfrc_peer_unref (peer);
  return TRUE;
}

/* Takes a reference of `*pad`, a pad of `pads` that another thread may remove; NULL: it is removed. */
static GstPad *
ref_pad (GstTfrcPeerPads * pads, GstPad ** pad)
{
  GstPad *ref;

  g_mutex_lock (&pads->lock);
  ref = *pad != NULL ? gst_object_ref (*pad) : NULL;
  g_mutex_unlock (&pads->lock);
  return ref;
}

void
gst_tfrc_peer_pads_set_latency (GstTfrcPeerPads * pads, GstClockTime latency)
{
  g_mutex_lock (&pads->lock);
  pads->latency = latency;
  g_mutex_unlock (&pads->lock);
}

static GstClockTime
get_latency (GstTfrcPeerPads * pads)
{
  GstClockTime latency;

  g_mutex_lock (&pads->lock);
  latency = pads->latency;
  g_mutex_unlock (&pads->lock);
  return latency;
}

static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstTfrcPeerPads *pads = gst_pad_get_element_private (pad);

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_LATENCY:
      gst_query_set_latency (query, TRUE, get_latency (pads),
          GST_CLOCK_TIME_NONE);
      return TRUE;
    case GST_QUERY_CUSTOM:
      return gst_tfrc_stored_packets_query_matches (query) &&
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

static void
set_up_src (GstTfrcPeerPads * pads, GstPad * pad)
{
  gst_pad_set_element_private (pad, pads);
  g_object_set_data_full (G_OBJECT (pad), "tfrc-peer-pads",
      gst_tfrc_peer_pads_ref (pads), (GDestroyNotify) gst_tfrc_peer_pads_unref);
  gst_pad_set_event_function (pad, src_event);
  gst_pad_set_query_function (pad, src_query);
  gst_pad_set_iterate_internal_links_function (pad, NULL);
  gst_pad_use_fixed_caps (pad);
}

void
gst_tfrc_peer_pads_take_src (GstTfrcPeerPads * pads, GstPad * pad)
{
  set_up_src (pads, pad);
  pads->keeps_src = TRUE;
  pads->srcpad = pad;
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
  set_up_src (pads, pad);
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
  g_mutex_lock (&pads->lock);
  caps = gst_tfrc_payload_caps_get (pads->caps, payload_type);
  g_mutex_unlock (&pads->lock);
  GST_INFO_OBJECT (pad, "caps %" GST_PTR_FORMAT, caps);
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

static void
begin_stream (GstTfrcPeerPads * pads, GstPad * pad, guint payload_type)
{
  pads->payload_type = GST_TFRC_NO_PAYLOAD_TYPE;
  pads->streaming = TRUE;
  pads->failed = FALSE;
  pads->last_pts = 0;
  push_stream_start (pads, pad);
  update_caps (pads, pad, payload_type);
  push_segment (pad);
}

/* In the thread that serves. */
static void
add_src (GstTfrcPeerPads * pads, guint payload_type)
{
  GstPad *pad = new_src (pads);

  gst_pad_set_active (pad, TRUE);
  begin_stream (pads, pad, payload_type);
  g_mutex_lock (&pads->lock);
  pads->srcpad = gst_object_ref (pad);
  g_mutex_unlock (&pads->lock);
  gst_element_add_pad (pads->owner->element, pad);
  gst_object_unref (pad);
}

static guint
get_payload_type (GstBuffer * buffer)
{
  GstTfrcRtpHeader header;
  guint payload_type = 0;

  gst_tfrc_rtp_header_map (&header, buffer);
  if (header.size > 1)
    payload_type = header.data[1] & 0x7f;
  gst_tfrc_rtp_header_unmap (&header);
  return payload_type;
}

/* With another base time the running time has begun anew, as after a seek in another part of the pipeline. */
static void
follow_base_time (GstTfrcPeerPads * pads)
{
  GstClockTime base_time = gst_element_get_base_time (pads->owner->element);

  if (base_time == pads->base_time)
    return;
  pads->base_time = base_time;
  pads->last_pts = 0;
}

/* Times do not go back while the running time does not. Those of a data sender whose first packets were late run ahead
 * of arrivals, and those of the next data sender begin at its first arrival. */
static void
set_running_time (GstTfrcPeerPads * pads, GstBuffer * buffer)
{
  GstClockTime pts;

  /* before the conversion: when the base time changes between the two, the next packet follows it */
  follow_base_time (pads);
  pts = gst_tfrc_running_time_map_to_running (&pads->owner->time,
      GST_BUFFER_PTS (buffer));
  if (GST_CLOCK_TIME_IS_VALID (pts))
    pads->last_pts = pts = MAX (pts, pads->last_pts);
  GST_BUFFER_PTS (buffer) = pts;
}

/* Pushes a packet. An element with one peer stops pushing when downstream has failed, as every source element
 * does. */
static GstFlowReturn
push_buffer (GstTfrcPeerPads * pads, GstPad * pad, GstBuffer * buffer)
{
  GstFlowReturn ret;

  if (pads->failed) {
    gst_buffer_unref (buffer);
    return GST_FLOW_ERROR;
  }
  ret = gst_pad_push (pad, buffer);
  pads->failed = pads->keeps_src && ret == GST_FLOW_ERROR;
  return ret;
}

/* Returns a reference of the source pad, whose stream has begun; NULL: an application that saw the new pad has
 * removed the peer. */
static GstPad *
ref_streaming_src (GstTfrcPeerPads * pads, guint payload_type)
{
  GstPad *pad = ref_pad (pads, &pads->srcpad);

  if (pad == NULL) {
    add_src (pads, payload_type);
    pad = ref_pad (pads, &pads->srcpad);
  } else if (!pads->streaming) {
    begin_stream (pads, pad, payload_type);
  }
  return pad;
}

/* Whoever is given the packet or its caps may remove the peer: the pad is there until the push has returned. */
static void
push_packet (GstTfrcPeerPads * pads, GstBuffer * buffer)
{
  guint payload_type = get_payload_type (buffer);
  GstPad *pad = ref_streaming_src (pads, payload_type);
  GstFlowReturn ret;

  if (pad == NULL) {
    gst_buffer_unref (buffer);
    return;
  }
  update_caps (pads, pad, payload_type);
  set_running_time (pads, buffer);
  ret = push_buffer (pads, pad, buffer);
  gst_object_unref (pad);
  if (pads->owner->on_pushed != NULL)
    pads->owner->on_pushed (pads, ret, pads->owner->data);
  if (ret != GST_FLOW_OK)
    GST_LOG ("peer %u: packet not taken: %s", pads->id,
        gst_flow_get_name (ret));
}

/* Takes the event. Without a stream there is nobody to tell, but a pad that is always there ends as well. */
static void
push_event (GstTfrcPeerPads * pads, GstEvent * event)
{
  gboolean ends = GST_EVENT_TYPE (event) == GST_EVENT_EOS && pads->keeps_src;
  GstPad *pad = pads->streaming || ends ? ref_pad (pads, &pads->srcpad) : NULL;

  if (pad != NULL && !pads->streaming)
    begin_stream (pads, pad, GST_TFRC_NO_PAYLOAD_TYPE);

  if (pad != NULL)
    gst_pad_push_event (pad, event);
  else
    gst_event_unref (event);
  gst_clear_object (&pad);
}

/* An announced loss. */
static void
push_loss (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstStructure *s;
  GstClockTime time = 0;

  event = gst_event_make_writable (event);
  s = gst_event_writable_structure (event);
  gst_structure_get_uint64 (s, "timestamp", &time);
  gst_structure_set (s, "timestamp", G_TYPE_UINT64,
      gst_tfrc_running_time_map_to_running (&pads->owner->time, time), NULL);
  push_event (pads, event);
}

static void
push_upstream (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstPad *pad = ref_pad (pads, &pads->sinkpad);

  if (pad != NULL)
    gst_pad_push_event (pad, event);
  else
    gst_event_unref (event);
  gst_clear_object (&pad);
}

static void
serve_upstream (GstTfrcPeerPads * pads, GstEvent * event)
{
  gboolean is_rate = gst_event_has_name (event, GST_TFRC_RATE_NAME);

  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE) {
    gst_event_unref (event);
    if (pads->owner->on_reconfigure != NULL)
      pads->owner->on_reconfigure (pads, pads->owner->data);
    return;
  }
  if (is_rate && pads->owner->on_rate != NULL)
    pads->owner->on_rate (pads, pads->owner->data);
  push_upstream (pads, event);
}

static void
post (GstTfrcPeerPads * pads, GstMessage * message)
{
  const GstStructure *s = gst_message_get_structure (message);

  if (pads->owner->on_message != NULL &&
      pads->owner->on_message (pads, message, pads->owner->data)) {
    gst_message_unref (message);
    return;
  }
  if (s != NULL && (gst_structure_has_name (s, GST_TFRC_PEER_MESSAGE) ||
          gst_structure_has_name (s, GST_TFRC_CONNECTION_MESSAGE))) {
    const gchar *state = gst_structure_get_string (s, "state");

    if (g_str_equal (state, "drained")) {
      g_mutex_lock (&pads->lock);
      pads->ended = TRUE;
      g_mutex_unlock (&pads->lock);
    }
    GST_INFO_OBJECT (pads->owner->element, "peer %u is %s", pads->id, state);
    if (pads->owner->on_state != NULL)
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
    serve_upstream (pads, GST_EVENT_CAST (object));
  else if (GST_EVENT_TYPE (object) == GST_EVENT_EOS)
    push_event (pads, GST_EVENT_CAST (object));
  else
    push_loss (pads, GST_EVENT_CAST (object));
  gst_tfrc_peer_pads_unref (pads);
}

/* --- the end --- */

void
gst_tfrc_peer_pads_flush_src (GstTfrcPeerPads * pads)
{
  GstPad *pad = ref_pad (pads, &pads->srcpad);

  if (pad == NULL)
    return;
  gst_pad_push_event (pad, gst_event_new_flush_start ());
  gst_object_unref (pad);
}

void
gst_tfrc_peer_pads_remove_src (GstTfrcPeerPads * pads, gboolean flushed)
{
  GstPad *pad = ref_pad (pads, &pads->srcpad);

  pads->streaming = FALSE;
  if (pad == NULL)
    return;
  if (pads->keeps_src) {
    gst_object_unref (pad);
    return;
  }
  g_mutex_lock (&pads->lock);
  gst_clear_object (&pads->srcpad);
  g_mutex_unlock (&pads->lock);
  if (flushed)
    gst_pad_push_event (pad, gst_event_new_flush_stop (TRUE));
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (pads->owner->element, pad);
  gst_object_unref (pad);
}
