/* gst-tfrc: reads and writes RTP packets with redundant audio data (RFC 2198)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rtpredenc of GStreamer 1.22 sends one redundant copy only and leaves out the RTP header
 * extensions, and TFRC's stamp with them; its rtpreddec looks for a lost packet where equal frame
 * lengths would put it. */
#include "base/redpacket.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcredpacket",
    "TFRC packets with redundant copies");

/* RFC 2198 3: bytes of the header of a redundant copy and of the last block, and the largest
 * timestamp offset and block length that a header has room for. */
#define COPY_HEADER 4
#define OWN_HEADER 1
#define OFFSET_MAX 16383
#define LENGTH_MAX 1023

void
gst_tfrc_red_block_clear (GstTfrcRedBlock * block)
{
  gst_clear_buffer (&block->payload);
}

void
gst_tfrc_red_block_from_rtp (GstTfrcRedBlock * block, GstRTPBuffer * rtp)
{
  block->pt = gst_rtp_buffer_get_payload_type (rtp);
  block->timestamp = gst_rtp_buffer_get_timestamp (rtp);
  block->payload = gst_rtp_buffer_get_payload_buffer (rtp);
}

gboolean
gst_tfrc_red_block_from_packet (GstTfrcRedBlock * block, GstBuffer * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return FALSE;
  gst_tfrc_red_block_from_rtp (block, &rtp);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

static gboolean
can_copy (const GstTfrcRedBlock * copy, guint32 timestamp)
{
  return timestamp - copy->timestamp <= OFFSET_MAX
      && copy->timestamp != timestamp
      && gst_buffer_get_size (copy->payload) <= LENGTH_MAX;
}

/* Returns a copy of the RTP header of `packet`, extensions included, with another payload type and
 * room for `more` bytes behind it. */
static GstBuffer *
copy_header (GstBuffer * packet, guint8 pt, gsize more, gsize * header_len)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBuffer *copy;
  GstMapInfo map;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return NULL;
  *header_len = gst_rtp_buffer_get_header_len (&rtp);
  gst_rtp_buffer_unmap (&rtp);

  copy = gst_buffer_new_allocate (NULL, *header_len + more, NULL);
  gst_buffer_map (copy, &map, GST_MAP_WRITE);
  gst_buffer_extract (packet, 0, map.data, *header_len);
  map.data[0] &= ~0x20;         /* the copy has no padding */
  map.data[1] = (map.data[1] & 0x80) | pt;
  gst_buffer_unmap (copy, &map);
  gst_buffer_copy_into (copy, packet,
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_META,
      0, -1);
  return copy;
}

/* Writes the header of a copy that is `age` timestamp units older than its packet. Returns the end of it. */
static guint8 *
write_copy_header (guint8 * h, guint8 pt, guint32 age, guint32 size)
{
  h[0] = 0x80 | pt;
  GST_WRITE_UINT24_BE (h + 1, age << 10 | size);
  return h + COPY_HEADER;
}

GstBuffer *
gst_tfrc_red_wrap (GstBuffer * packet, guint8 red_pt,
    const GstTfrcRedBlock * copies, guint n)
{
  GstTfrcRedBlock own;
  guint8 headers[GST_TFRC_RED_BLOCKS * COPY_HEADER + OWN_HEADER], *h = headers;
  GstBuffer *red;
  gsize len;
  guint i;

  g_return_val_if_fail (n < GST_TFRC_RED_BLOCKS, packet);
  if (!gst_tfrc_red_block_from_packet (&own, packet))
    return packet;
  for (i = 0; i < n; i++) {
    if (can_copy (&copies[i], own.timestamp))
      h = write_copy_header (h, copies[i].pt,
          own.timestamp - copies[i].timestamp,
          gst_buffer_get_size (copies[i].payload));
  }
  *h++ = own.pt;

  red = copy_header (packet, red_pt, h - headers, &len);
  gst_buffer_fill (red, len, headers, h - headers);
  for (i = 0; i < n; i++) {
    if (can_copy (&copies[i], own.timestamp))
      red = gst_buffer_append (red, gst_buffer_ref (copies[i].payload));
  }
  gst_buffer_unref (packet);
  return gst_buffer_append (red, own.payload);
}

/* Fills `blocks` but for their payloads, whose lengths go to `len`; the last block has what the
 * others leave. Returns where the payload of the first block begins, or 0 when the headers
 * contradict the size. */
static gsize
parse_headers (const guint8 * data, gsize size, guint32 timestamp,
    GstTfrcRedBlock * blocks, gsize * len, guint * n)
{
  gsize at = 0, copies = 0;

  for (*n = 0; at < size && data[at] & 0x80; at += COPY_HEADER) {
    guint32 word;

    if (at + COPY_HEADER > size || *n == GST_TFRC_RED_BLOCKS - 1)
      return 0;
    word = GST_READ_UINT24_BE (data + at + 1);
    blocks[*n].pt = data[at] & 0x7f;
    blocks[*n].timestamp = timestamp - (word >> 10);
    len[*n] = word & LENGTH_MAX;
    copies += len[(*n)++];
  }
  if (at + OWN_HEADER + copies > size)
    return 0;
  blocks[*n].pt = data[at] & 0x7f;
  blocks[*n].timestamp = timestamp;
  len[(*n)++] = size - at - OWN_HEADER - copies;
  return at + OWN_HEADER;
}

/* The same of a mapped RTP packet. */
static gsize
parse_rtp (GstRTPBuffer * rtp, GstTfrcRedBlock * blocks, gsize * len, guint * n)
{
  return parse_headers (gst_rtp_buffer_get_payload (rtp),
      gst_rtp_buffer_get_payload_len (rtp),
      gst_rtp_buffer_get_timestamp (rtp), blocks, len, n);
}

guint
gst_tfrc_red_parse (GstBuffer * packet,
    GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS])
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gsize len[GST_TFRC_RED_BLOCKS], at;
  guint i, n = 0;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return 0;
  at = parse_rtp (&rtp, blocks, len, &n);
  if (at == 0) {
    GST_DEBUG ("#%u is malformed", gst_rtp_buffer_get_seq (&rtp));
    n = 0;
  }
  for (i = 0; i < n; i++) {
    blocks[i].payload = len[i] == 0 ? gst_buffer_new () :
        gst_rtp_buffer_get_payload_subbuffer (&rtp, at, len[i]);
    at += len[i];
  }
  gst_rtp_buffer_unmap (&rtp);
  return n;
}

/* Fills `headers` with the headers of `n` blocks, of which the last is the packet's own. Returns their size. */
static gsize
write_headers (guint8 * headers, const GstTfrcRedBlock * blocks,
    const gsize * len, guint n)
{
  guint32 timestamp = blocks[n - 1].timestamp;
  guint8 *h = headers;
  guint i;

  for (i = 0; i + 1 < n; i++)
    h = write_copy_header (h, blocks[i].pt, timestamp - blocks[i].timestamp,
        len[i]);
  *h++ = blocks[n - 1].pt;
  return h - headers;
}

/* The packet with those of its `n` blocks whose bit is set in `kept`. `at` is where the payload of the first block
 * begins. */
static GstBuffer *
keep_blocks (GstBuffer * packet, GstRTPBuffer * rtp, gsize at,
    const GstTfrcRedBlock * blocks, const gsize * len, guint n, guint kept)
{
  guint8 headers[GST_TFRC_RED_BLOCKS * COPY_HEADER + OWN_HEADER];
  GstTfrcRedBlock kept_blocks[GST_TFRC_RED_BLOCKS];
  gsize kept_len[GST_TFRC_RED_BLOCKS], size, header_len;
  guint i, n_kept = 0;
  GstBuffer *less;

  for (i = 0; i < n; i++) {
    if (!(kept & 1u << i))
      continue;
    kept_blocks[n_kept] = blocks[i];
    kept_len[n_kept++] = len[i];
  }
  size = write_headers (headers, kept_blocks, kept_len, n_kept);
  less = copy_header (packet, gst_rtp_buffer_get_payload_type (rtp), size,
      &header_len);
  gst_buffer_fill (less, header_len, headers, size);
  for (i = 0; i < n; at += len[i++]) {
    if (kept & 1u << i && len[i] > 0)
      less = gst_buffer_append (less,
          gst_rtp_buffer_get_payload_subbuffer (rtp, at, len[i]));
  }
  return less;
}

/* Takes `packet`. Of its copies those stay whose bit is set in `kept`, of which there are the `left` latest. */
static GstBuffer *
keep_copies (GstBuffer * packet, guint kept, guint left)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  gsize len[GST_TFRC_RED_BLOCKS], at;
  GstBuffer *less = NULL;
  guint n = 0, own, all;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return packet;
  at = parse_rtp (&rtp, blocks, len, &n);
  if (at != 0) {
    own = n - 1;
    all = (1u << own) - 1;
    if (own > left)
      kept &= ~((1u << (own - left)) - 1);
    if ((kept & all) != all)
      less = keep_blocks (packet, &rtp, at, blocks, len, n,
          (kept & all) | 1u << own);
  }
  gst_rtp_buffer_unmap (&rtp);
  if (less == NULL)
    return packet;
  gst_buffer_unref (packet);
  return less;
}

GstBuffer *
gst_tfrc_red_shed (GstBuffer * packet, guint left)
{
  return keep_copies (packet, ~0u, left);
}

GstBuffer *
gst_tfrc_red_leave_out (GstBuffer * packet, guint needless)
{
  return keep_copies (packet, ~needless, GST_TFRC_RED_BLOCKS);
}

guint
gst_tfrc_red_get_frames (GstBuffer * packet, gboolean is_red,
    guint64 frames[GST_TFRC_RED_BLOCKS])
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  gsize len[GST_TFRC_RED_BLOCKS];
  guint i, n = 1;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return 0;
  blocks[0].pt = gst_rtp_buffer_get_payload_type (&rtp);
  blocks[0].timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  if (is_red && parse_rtp (&rtp, blocks, len, &n) == 0)
    n = 0;
  gst_rtp_buffer_unmap (&rtp);
  for (i = 0; i < n; i++)
    frames[i] = (guint64) blocks[i].pt << 32 | blocks[i].timestamp;
  return n;
}

guint
gst_tfrc_red_get_copies (GstBuffer * packet,
    guint32 timestamps[GST_TFRC_RED_BLOCKS])
{
  guint64 frames[GST_TFRC_RED_BLOCKS];
  guint i, n = gst_tfrc_red_get_frames (packet, TRUE, frames);

  /* the last frame is the packet's own */
  for (i = 0; i + 1 < n; i++)
    timestamps[i] = (guint32) frames[i];
  return MAX (n, 1) - 1;
}

GstBuffer *
gst_tfrc_red_unwrap (GstBuffer * packet, const GstTfrcRedBlock * block)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean is_copy = FALSE;
  GstBuffer *plain;
  gsize len;

  plain = copy_header (packet, block->pt, 0, &len);
  if (plain == NULL)
    return NULL;
  plain = gst_buffer_append (plain, gst_buffer_ref (block->payload));
  if (gst_rtp_buffer_map (plain, GST_MAP_READWRITE, &rtp)) {
    is_copy = gst_rtp_buffer_get_timestamp (&rtp) != block->timestamp;
    gst_rtp_buffer_set_timestamp (&rtp, block->timestamp);
    if (is_copy)
      gst_rtp_buffer_set_marker (&rtp, FALSE);
    gst_rtp_buffer_unmap (&rtp);
  }
  if (is_copy)
    GST_BUFFER_FLAG_UNSET (plain, GST_BUFFER_FLAG_DISCONT);
  return plain;
}

/* --- copies of lost packets --- */

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
