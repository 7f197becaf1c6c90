/* gst-tfrc: the redundant copies of lost packets
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/redundantcopies.h"

GArray *
gst_tfrc_copies_new (void)
{
  GArray *copies = g_array_new (FALSE, FALSE, sizeof (GstTfrcRedBlock));

  g_array_set_clear_func (copies, (GDestroyNotify) gst_tfrc_red_block_clear);
  return copies;
}

static gboolean
is_behind (guint32 timestamp, guint32 other)
{
  return (gint32) (timestamp - other) > 0;
}

static void
insert (GArray * copies, const GstTfrcRedBlock * block)
{
  GstTfrcRedBlock copy = *block;
  guint at = copies->len;

  while (at > 0 && is_behind (g_array_index (copies, GstTfrcRedBlock,
              at - 1).timestamp, block->timestamp))
    at--;
  if (at > 0 && g_array_index (copies, GstTfrcRedBlock, at - 1).timestamp ==
      block->timestamp)
    return;
  copy.payload = gst_buffer_ref (block->payload);
  g_array_insert_val (copies, at, copy);
}

void
gst_tfrc_copies_add (GArray * copies, const GstTfrcRedBlock * blocks, guint n,
    guint32 after, guint32 before)
{
  guint i;

  for (i = 0; i < n; i++) {
    if (is_behind (blocks[i].timestamp, after) &&
        is_behind (before, blocks[i].timestamp))
      insert (copies, &blocks[i]);
  }
}

static gboolean
is_red_behind (GstBuffer * packet, guint32 ssrc, guint red_pt, guint32 before)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean is;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return FALSE;
  is = gst_rtp_buffer_get_ssrc (&rtp) == ssrc &&
      gst_rtp_buffer_get_payload_type (&rtp) == red_pt &&
      is_behind (gst_rtp_buffer_get_timestamp (&rtp), before);
  gst_rtp_buffer_unmap (&rtp);
  return is;
}

void
gst_tfrc_copies_add_stored (GArray * copies, GstBufferList * packets,
    guint32 ssrc, guint red_pt, guint pt, guint32 after, guint32 before)
{
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  guint i, k, n;

  for (i = 0; i < gst_buffer_list_length (packets); i++) {
    GstBuffer *packet = gst_buffer_list_get (packets, i);

    if (!is_red_behind (packet, ssrc, red_pt, before))
      continue;
    n = gst_tfrc_red_parse (packet, blocks);
    for (k = 0; k < n; k++) {
      if (blocks[k].pt == pt)
        gst_tfrc_copies_add (copies, &blocks[k], 1, after, before);
      gst_tfrc_red_block_clear (&blocks[k]);
    }
  }
}
