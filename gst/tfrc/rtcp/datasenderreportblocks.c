/* gst-tfrc: what report blocks of the data receivers say of the data
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/datasenderrtcpprivate.h"

/* While no TFRC reports come, the report blocks of one SSRC count, until it is silent for so long: twice the regular
 * interval that RFC 3550 6.2 recommends. */
#define BLOCKS_SILENCE (10 * GST_SECOND)

gdouble
gst_tfrc_data_sender_rtcp_get_loss (GstTfrcDataSenderRtcp * self, guint32 ssrc)
{
  gdouble loss;
  GstTfrcSenderMedia *media;

  gst_tfrc_attached_session_lock (self);
  media = gst_tfrc_data_sender_rtcp_find_media (self, ssrc);
  loss = media != NULL ? tfrc_adapt_loss_share_get (&media->loss) : -1.0;
  gst_tfrc_attached_session_unlock (self);
  return loss;
}

/* Whether the reports of `ssrc` are of interest: no other data receiver is listened to about some SSRC of the data.
 * Called with the lock. */
static gboolean
is_of_interest (const GstTfrcDataSenderRtcp * self, guint32 ssrc)
{
  guint i;

  for (i = 0; i < self->n_media; i++)
    if (!gst_tfrc_accepted_receiver_is_other (&self->media[i].receiver, ssrc))
      return TRUE;
  return self->n_media == 0;
}

/* Returns the statistics of `source`, or NULL when other data receivers are listened to. The
 * session makes the whole structure at each call, so that the caller asks once. */
static GstStructure *
get_source_stats (GstTfrcDataSenderRtcp * self, GObject * source,
    guint32 * ssrc)
{
  GstStructure *stats = NULL;
  gboolean wanted;

  g_object_get (source, "ssrc", ssrc, NULL);
  gst_tfrc_attached_session_lock (self);
  wanted = is_of_interest (self, *ssrc);
  gst_tfrc_attached_session_unlock (self);
  if (wanted)
    g_object_get (source, "stats", &stats, NULL);
  return stats;
}

/* Whether the report blocks of `ssrc` about the media count. Called with the lock. */
static gboolean
counts_blocks_of (const GstTfrcSenderMedia * media, guint32 ssrc,
    GstClockTime now)
{
  if (gst_tfrc_accepted_receiver_is (&media->receiver, ssrc))
    return TRUE;
  return !gst_tfrc_accepted_receiver_is_other (&media->receiver, ssrc)
      && (media->block_heard == 0 || media->block_from == ssrc
      || now - media->block_heard > BLOCKS_SILENCE);
}

/* A report block of `from` arrived, about `ssrc`. */
static void
take_block (GstTfrcDataSenderRtcp * self, guint32 from, guint32 ssrc,
    const GstTfrcReceivedBlock * block)
{
  GstClockTime now = gst_util_get_timestamp ();
  GstTfrcSenderMedia *media;

  gst_tfrc_attached_session_lock (self);
  media = gst_tfrc_data_sender_rtcp_find_media (self, ssrc);
  if (media != NULL && counts_blocks_of (media, from, now)) {
    media->block = *block;
    media->has_block = TRUE;
    media->is_new_from |= media->block_heard != 0 && media->block_from != from;
    media->block_from = from;
    media->block_heard = now;
    tfrc_adapt_loss_share_update (&media->loss, block->highest, block->lost);
  }
  gst_tfrc_attached_session_unlock (self);
}

static void
take_blocks (GstTfrcDataSenderRtcp * self, GstRTCPPacket * packet, guint32 from)
{
  guint i, n = gst_rtcp_packet_get_rb_count (packet);
  guint32 ssrc;
  GstTfrcReceivedBlock block;

  for (i = 0; i < n; i++) {
    gst_rtcp_packet_get_rb (packet, i, &ssrc, &block.fraction, &block.lost,
        &block.highest, &block.jitter, NULL, NULL);
    take_block (self, from, ssrc, &block);
  }
}

void
gst_tfrc_data_sender_rtcp_on_receiving (GObject * session, GstBuffer * buffer,
    gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint32 from;
  gboolean more;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return;
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  for (; more; more = gst_rtcp_packet_move_to_next (&packet)) {
    if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_RR)
      from = gst_rtcp_packet_rr_get_ssrc (&packet);
    else if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_SR)
      gst_rtcp_packet_sr_get_sender_info (&packet, &from, NULL, NULL, NULL,
          NULL);
    else
      continue;
    take_blocks (self, &packet, from);
  }
  gst_rtcp_buffer_unmap (&rtcp);
}

/* Fills in the blocks of `ssrc` that the owner has not got yet; returns how many. */
static guint
make_reports (GstTfrcDataSenderRtcp * self, guint32 ssrc,
    GstTfrcReceiverReport reports[GST_TFRC_MEDIA_MAX])
{
  guint i, n = 0;

  gst_tfrc_attached_session_lock (self);
  for (i = 0; i < self->n_media; i++) {
    GstTfrcSenderMedia *media = &self->media[i];

    if (!media->has_block || media->block_from != ssrc)
      continue;
    media->has_block = FALSE;
    reports[n++] = (GstTfrcReceiverReport) {
        .media_ssrc = media->receiver.media_ssrc,
        .has_block = TRUE,
        .is_new_receiver = media->is_new_from,
        .lost = media->block.lost,
        .fraction = media->block.fraction,
        .highest = media->block.highest,
        .jitter = media->block.jitter,
    };
    media->is_new_from = FALSE;
  }
  gst_tfrc_attached_session_unlock (self);
  return n;
}

/* The round-trip time of `report`, ns; 0: not known. The session has that of the last block alone. */
static TfrcTime
get_rtt (const GstStructure * stats, const GstTfrcReceiverReport * report)
{
  guint rtt = 0, ssrc = 0;

  if (!gst_structure_get_uint (stats, "rb-ssrc", &ssrc)
      || ssrc != report->media_ssrc)
    return 0;
  /* in 1/65536 s */
  gst_structure_get_uint (stats, "rb-round-trip", &rtt);
  return gst_util_uint64_scale (rtt, GST_SECOND, 65536);
}

/* An SR or RR of `ssrc` arrived, whose `stats` the session has. */
static void
report_blocks (GstTfrcDataSenderRtcp * self, GstElement * owner, guint32 ssrc,
    const GstStructure * stats)
{
  GstTfrcReceiverReport reports[GST_TFRC_MEDIA_MAX] = { {0,} };
  guint i, n = make_reports (self, ssrc, reports);

  for (i = 0; i < n; i++)
    reports[i].rtt = get_rtt (stats, &reports[i]);
  /* without a block it is still a sign of life */
  for (i = 0; i < MAX (n, 1); i++)
    self->handlers.on_receiver_report (owner, &reports[i]);
}

void
gst_tfrc_data_sender_rtcp_on_active (GObject * session, GObject * source,
    gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstStructure *stats;
  guint32 ssrc = 0;

  if (owner == NULL)
    return;
  stats = get_source_stats (self, source, &ssrc);
  if (stats != NULL) {
    gst_tfrc_attached_session_on_heard (&self->base);
    report_blocks (self, owner, ssrc, stats);
  }
  gst_clear_structure (&stats);
  gst_object_unref (owner);
}
