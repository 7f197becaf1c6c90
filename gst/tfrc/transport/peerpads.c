/* gst-tfrc: the two pads of a peer of tfrcbin, and what comes into its sink pad
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerpadsprivate.h"

#include "base/debugcategory.h"
#include "base/expectedqualityquery.h"
#include "base/encoderpacketsevent.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerpads", "pads of the peers of tfrcbin");

/* A pad may be requested some time before its peer is added, but not so many packets before. */
#define PACKETS_WITHOUT_PEER 250

GstTfrcPeerPads *
gst_tfrc_peer_pads_new (guint id, GstTfrcPeerPadsOwner * owner)
{
  GstTfrcPeerPads *pads = g_new0 (GstTfrcPeerPads, 1);

  pads->refs = 1;
  pads->id = id;
  pads->owner = owner;
  pads->payload_type = GST_TFRC_NO_PAYLOAD_TYPE;
  g_mutex_init (&pads->lock);
  gst_segment_init (&pads->segment, GST_FORMAT_TIME);
  gst_tfrc_running_time_wait_init (&pads->wait);
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
  if (!pads->keeps_src)
    gst_clear_object (&pads->srcpad);
  gst_clear_caps (&pads->caps);
  gst_tfrc_running_time_wait_clear (&pads->wait);
  g_mutex_clear (&pads->lock);
  g_free (pads);
}

guint
gst_tfrc_peer_pads_get_id (const GstTfrcPeerPads * pads)
{
  return pads->id;
}

/* With the lock. */
static void
take_settings (GstTfrcPeerPads * pads, const GstTfrcPeerSettings * settings)
{
  gst_caps_replace (&pads->caps, settings->caps);
  pads->latency = settings->latency;
  pads->sync = settings->filter.sync;
}

/* With the lock. Returns a reference, or NULL. */
static GstPad *
get_sinkpad (GstTfrcPeerPads * pads)
{
  return pads->sinkpad != NULL ? gst_object_ref (pads->sinkpad) : NULL;
}

void
gst_tfrc_peer_pads_add_expected_quality (GstTfrcPeerPads * pads,
    GstStructure * stats)
{
  GstPad *sinkpad;

  g_mutex_lock (&pads->lock);
  sinkpad = get_sinkpad (pads);
  g_mutex_unlock (&pads->lock);
  if (sinkpad != NULL)
    gst_tfrc_expected_quality_query_add_stats (sinkpad, NULL, stats);
  gst_clear_object (&sinkpad);
}

/* Events may have come before the peer. */
static void
repeat_events (GstPad * sinkpad, GstTfrcPeer * peer)
{
  GstCaps *caps = gst_pad_get_current_caps (sinkpad);
  GstTfrcEncoderPackets packets =
      gst_tfrc_encoder_packets_event_get_last (sinkpad);

  if (caps != NULL)
    gst_tfrc_peer_set_send_caps (peer, caps);
  gst_tfrc_peer_set_encoder (peer, &packets);
  gst_clear_caps (&caps);
}

void
gst_tfrc_peer_pads_set_peer (GstTfrcPeerPads * pads, GstTfrcPeer * peer)
{
  GstTfrcPeer *old;
  GstPad *sinkpad;

  g_mutex_lock (&pads->lock);
  old = pads->peer;
  pads->peer = peer != NULL ? gst_tfrc_peer_ref (peer) : NULL;
  pads->had_peer |= peer != NULL;
  if (peer != NULL)
    take_settings (pads, gst_tfrc_peer_get_settings (peer));
  pads->ended = FALSE;
  sinkpad = get_sinkpad (pads);
  g_mutex_unlock (&pads->lock);
  if (old != NULL)
    gst_tfrc_peer_unref (old);
  if (sinkpad != NULL && peer != NULL)
    repeat_events (sinkpad, peer);
  gst_clear_object (&sinkpad);
}

/* With the lock. Returns a reference, or NULL. */
static GstTfrcPeer *
ref_peer (GstTfrcPeerPads * pads)
{
  return pads->peer != NULL ? gst_tfrc_peer_ref (pads->peer) : NULL;
}

GstTfrcPeer *
gst_tfrc_peer_pads_get_peer (GstTfrcPeerPads * pads)
{
  GstTfrcPeer *peer;

  g_mutex_lock (&pads->lock);
  peer = ref_peer (pads);
  g_mutex_unlock (&pads->lock);
  return peer;
}

/* --- what is sent --- */

/* With the lock. */
static void
set_start (GstTfrcPeerPads * pads, GstClockTime start)
{
  pads->wait.segment.base += start - pads->start;
  pads->start = start;
}

/* The running time of the element, 0 without a clock. */
static GstClockTime
get_running_time (GstTfrcPeerPads * pads)
{
  GstClockTime now = gst_tfrc_running_time_map_to_running (&pads->owner->time,
      gst_util_get_timestamp ());

  return GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
}

/* With the lock. After a seek the first packet is due at once, and the others follow it at their pace; `running` is its
 * running time. What is live has the running time of the element all the same. */
static void
begin_anew (GstTfrcPeerPads * pads, GstClockTime running)
{
  GstClockTime now;

  if (!pads->begins_anew || !pads->wait.playing ||
      !GST_CLOCK_TIME_IS_VALID (running))
    return;
  now = get_running_time (pads);
  pads->begins_anew = FALSE;
  set_start (pads, now > running ? now - running : 0);
}

void
gst_tfrc_peer_pads_set_playing (GstTfrcPeerPads * pads, gboolean playing)
{
  g_mutex_lock (&pads->lock);
  /* when the running time of the element has begun anew meanwhile, all streams begin with it */
  if (playing && pads->start > get_running_time (pads))
    set_start (pads, 0);
  gst_tfrc_running_time_wait_set_playing (&pads->wait, playing);
  g_mutex_unlock (&pads->lock);
}

void
gst_tfrc_peer_pads_set_flushing (GstTfrcPeerPads * pads, gboolean flushing)
{
  g_mutex_lock (&pads->lock);
  gst_tfrc_running_time_wait_set_flushing (&pads->wait, flushing);
  g_mutex_unlock (&pads->lock);
}

void
gst_tfrc_peer_pads_abandon (GstTfrcPeerPads * pads)
{
  g_mutex_lock (&pads->lock);
  gst_tfrc_running_time_wait_end (&pads->wait);
  g_mutex_unlock (&pads->lock);
}

/* With the lock. When a packet is due on the monotonic clock. */
static GstClockTime
get_due (GstTfrcPeerPads * pads, GstClockTime running)
{
  begin_anew (pads, running);
  if (!GST_CLOCK_TIME_IS_VALID (running))
    return GST_CLOCK_TIME_NONE;
  return gst_tfrc_running_time_map_from_running (&pads->owner->time,
      running + pads->start);
}

/* Finds when a packet is due on the monotonic clock, and waits for that time if the packet has to.
 * Live packets come later than they are due, and cost no look at the pipeline's clock. `peer` becomes a reference of
 * the pad's peer, or NULL. FALSE: the pad is flushing. */
static gboolean
wait_until_due (GstTfrcPeerPads * pads, GstBuffer * buffer, GstClockTime * due,
    GstTfrcPeer ** peer)
{
  static const GstTfrcTimebase none = { 0 };
  GstClockTime running = gst_segment_to_running_time (&pads->segment,
      GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gboolean waited = FALSE, flushing;

  g_mutex_lock (&pads->lock);
  if (pads->owner->waits_for_playing)
    waited = gst_tfrc_running_time_wait_for_playing (&pads->wait, &pads->lock);
  *due = get_due (pads, running);
  if (pads->sync && !(pads->wait.playing && GST_CLOCK_TIME_IS_VALID (*due) &&
          *due <= gst_util_get_timestamp ()))
    waited |= gst_tfrc_running_time_wait_wait (&pads->wait, buffer,
        pads->owner->element, &none, 0, &pads->lock);
  if (waited)
    *due = get_due (pads, running);
  flushing = pads->wait.flushing && !pads->wait.ended;
  *peer = ref_peer (pads);
  g_mutex_unlock (&pads->lock);
  return !flushing;
}

GstTfrcPeerPads *
gst_tfrc_peer_pads_get (GstPad * sinkpad)
{
  return gst_pad_get_element_private (sinkpad);
}

/* Before its peer is there a pad drops what comes; after it, upstream may stop. */
static GstFlowReturn
drop_packet (GstTfrcPeerPads * pads)
{
  gboolean ended;

  g_mutex_lock (&pads->lock);
  ended = pads->had_peer || pads->wait.ended;
  g_mutex_unlock (&pads->lock);
  if (ended)
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
  GstTfrcPeer *peer;
  GstClockTime due;
  GstFlowReturn ret;
  gboolean flushing = !wait_until_due (pads, buffer, &due, &peer);

  if (flushing || peer == NULL) {
    gst_buffer_unref (buffer);
    ret = flushing ? GST_FLOW_FLUSHING : drop_packet (pads);
  } else {
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_PTS (buffer) = due;
    ret = gst_tfrc_peer_enqueue (peer, buffer);
  }
  g_clear_pointer (&peer, gst_tfrc_peer_unref);
  return ret;
}

static void
end_stream (GstTfrcPeerPads * pads)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);

  if (peer == NULL)
    return;
  GST_INFO_OBJECT (pads->owner->element, "the stream to peer %u ends",
      pads->id);
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
  GST_INFO_OBJECT (pads->owner->element, "peer %u is sent %" GST_PTR_FORMAT,
      pads->id, caps);
  gst_tfrc_peer_set_send_caps (peer, caps);
  gst_tfrc_peer_unref (peer);
}

static void
take_segment (GstTfrcPeerPads * pads, GstEvent * event)
{
  gst_event_copy_segment (event, &pads->segment);
  g_mutex_lock (&pads->lock);
  pads->wait.segment = pads->segment;
  pads->wait.segment.base += pads->start;
  g_mutex_unlock (&pads->lock);
}

static void
take_encoder_packets (GstTfrcPeerPads * pads, GstEvent * event)
{
  GstTfrcPeer *peer;
  GstTfrcEncoderPackets packets;

  if (!gst_tfrc_encoder_packets_event_parse (event, &packets))
    return;
  GST_DEBUG_OBJECT (pads->owner->element, "packets of up to %u bytes to peer "
      "%u may wait %" GST_TIME_FORMAT, packets.largest, pads->id,
      GST_TIME_ARGS (packets.queue_time));
  peer = gst_tfrc_peer_pads_get_peer (pads);
  if (peer == NULL)
    return;
  gst_tfrc_peer_set_encoder (peer, &packets);
  gst_tfrc_peer_unref (peer);
}

static void
flush (GstTfrcPeerPads * pads, GstEvent * flush_stop)
{
  GstTfrcPeer *peer = gst_tfrc_peer_pads_get_peer (pads);
  gboolean resets;

  gst_event_parse_flush_stop (flush_stop, &resets);
  gst_segment_init (&pads->segment, GST_FORMAT_TIME);
  g_mutex_lock (&pads->lock);
  pads->ended = FALSE;
  pads->begins_anew |= resets && pads->owner->goes_on;
  gst_segment_init (&pads->wait.segment, GST_FORMAT_UNDEFINED);
  gst_tfrc_running_time_wait_set_flushing (&pads->wait, FALSE);
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
    case GST_EVENT_STREAM_START:
      if (pads->owner->on_stream_start != NULL)
        pads->owner->on_stream_start (pads, event, pads->owner->data);
      break;
    case GST_EVENT_CAPS:
      take_caps (pads, event);
      break;
    case GST_EVENT_SEGMENT:
      take_segment (pads, event);
      break;
    case GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
      take_encoder_packets (pads, event);
      break;
    case GST_EVENT_EOS:
      end_stream (pads);
      break;
    case GST_EVENT_FLUSH_START:
      gst_tfrc_peer_pads_set_flushing (pads, TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      flush (pads, event);
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
  if (takes)
    gst_tfrc_running_time_wait_set_flushing (&pads->wait, FALSE);
  g_mutex_unlock (&pads->lock);
  return takes;
}

static void
set_up_sink (GstTfrcPeerPads * pads, GstPad * pad)
{
  gst_pad_set_element_private (pad, pads);
  g_object_set_data_full (G_OBJECT (pad), "tfrc-peer-pads",
      gst_tfrc_peer_pads_ref (pads), (GDestroyNotify) gst_tfrc_peer_pads_unref);
  gst_pad_set_chain_function (pad, sink_chain);
  gst_pad_set_event_function (pad, sink_event);
  gst_pad_set_query_function (pad, sink_query);
  gst_pad_set_iterate_internal_links_function (pad, NULL);
}

void
gst_tfrc_peer_pads_take_sink (GstTfrcPeerPads * pads, GstPad * pad)
{
  take_sink (pads, pad);
  set_up_sink (pads, pad);
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
  set_up_sink (pads, pad);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (pads->owner->element, pad);
  return pad;
}

void
gst_tfrc_peer_pads_forget_sink (GstTfrcPeerPads * pads)
{
  g_mutex_lock (&pads->lock);
  pads->sinkpad = NULL;
  gst_tfrc_running_time_wait_set_flushing (&pads->wait, TRUE);
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
