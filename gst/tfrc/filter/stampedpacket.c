/* gst-tfrc: finds, reserves, writes and removes the stamp of an RTP packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/stampedpacket.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/debugcategory.h"
#include "base/rtpheader.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcstampedpacket", "TFRC stamps in RTP packets");

#define FIXED_HEADER 12
#define EXTENSION_HEADER 4

#define HAS_EXTENSION(data) (((data)[0] & 0x10) != 0)
#define CSRC_COUNT(data) ((data)[0] & 0x0f)

static void
find_stamp (GstTfrcStampedPacket * packet, guint id, const guint8 * data,
    guint offset)
{
  gsize in_block = 0;

  packet->parse = tfrc_stamp_find (id, data + offset,
      packet->header_size - offset, &in_block);
  if (packet->parse != TFRC_PARSE_OK)
    return;
  packet->stamp_offset = offset + in_block;
  tfrc_stamp_parse (&packet->stamp, data + packet->stamp_offset,
      TFRC_STAMP_SIZE);
}

/* Parses the header extension at `offset`. A header that is longer than the mapped bytes is copied
 * to the heap first. Returns FALSE when the extension does not fit into the packet. */
static gboolean
parse_extension (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id,
    const guint8 * data, gsize mapped, guint offset)
{
  if (offset + EXTENSION_HEADER > mapped)
    return FALSE;
  packet->header_size = offset + EXTENSION_HEADER +
      4 * GST_READ_UINT16_BE (data + offset + 2);
  if (packet->header_size > packet->size) {
    GST_DEBUG ("#%u of %u bytes has a header of %u bytes", packet->seq,
        packet->size, packet->header_size);
    return FALSE;
  }

  if (packet->header_size <= mapped) {
    find_stamp (packet, id, data, offset);
  } else {
    guint8 *copy = g_malloc (packet->header_size);

    gst_buffer_extract (buffer, 0, copy, packet->header_size);
    find_stamp (packet, id, copy, offset);
    g_free (copy);
  }
  return TRUE;
}

static gboolean
parse_header (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id,
    const guint8 * data, gsize mapped)
{
  if (mapped < FIXED_HEADER || data[0] >> 6 != GST_RTP_VERSION)
    return FALSE;
  packet->seq = GST_READ_UINT16_BE (data + 2);
  packet->rtptime = GST_READ_UINT32_BE (data + 4);
  packet->ssrc = GST_READ_UINT32_BE (data + 8);
  packet->header_size = FIXED_HEADER + 4 * CSRC_COUNT (data);
  packet->stamp_offset = 0;
  packet->parse = TFRC_PARSE_NOT_FOUND;
  if (HAS_EXTENSION (data))
    return parse_extension (packet, buffer, id, data, mapped,
        packet->header_size);
  return packet->header_size <= packet->size;
}

gboolean
gst_tfrc_stamped_packet_parse (GstTfrcStampedPacket * packet,
    GstBuffer * buffer, guint id)
{
  GstTfrcRtpHeader header;
  gboolean parsed;

  gst_tfrc_rtp_header_map (&header, buffer);
  packet->size = gst_buffer_get_size (buffer);
  parsed = parse_header (packet, buffer, id, header.data, header.size);
  gst_tfrc_rtp_header_unmap (&header);
  return parsed;
}

gboolean
gst_tfrc_stamped_packet_parse_data (GstTfrcStampedPacket * packet,
    const guint8 * data, gsize size, guint id)
{
  packet->size = size;
  return parse_header (packet, NULL, id, data, size);
}

/* Puts a new header with an extension block in front of the payload, whose memory stays as it
 * is. */
static GstBuffer *
add_block (const GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id)
{
  guint8 block[16];
  gsize size = tfrc_stamp_write_block (&(TfrcStamp) {0, 0}, id, block,
      sizeof block);
  guint8 *header = g_malloc (packet->header_size + size);

  gst_buffer_extract (buffer, 0, header, packet->header_size);
  header[0] |= 0x10;
  memcpy (header + packet->header_size, block, size);
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_resize (buffer, packet->header_size, -1);
  gst_buffer_prepend_memory (buffer,
      gst_memory_new_wrapped (0, header, packet->header_size + size, 0,
          packet->header_size + size, header, g_free));
  return buffer;
}

/* Adds one element to the extension block that the packet has. */
static GstBuffer *
add_element (GstBuffer * buffer, guint id)
{
  static const guint8 zeros[TFRC_STAMP_SIZE];
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint16 bits;
  guint words;
  gpointer data;

  buffer = gst_buffer_make_writable (buffer);
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return buffer;
  if (gst_rtp_buffer_get_extension_data (&rtp, &bits, &data, &words)) {
    if (bits == 0xBEDE && id < 15)
      gst_rtp_buffer_add_extension_onebyte_header (&rtp, id, zeros,
          sizeof zeros);
    else if (bits >> 4 == 0x100)
      gst_rtp_buffer_add_extension_twobytes_header (&rtp, bits & 0x0f, id,
          zeros, sizeof zeros);
  }
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

GstBuffer *
gst_tfrc_stamped_packet_reserve (GstTfrcStampedPacket * packet,
    GstBuffer * buffer, guint id)
{
  guint8 first;

  gst_buffer_extract (buffer, 0, &first, 1);
  if (HAS_EXTENSION (&first))
    buffer = add_element (buffer, id);
  else
    buffer = add_block (packet, buffer, id);
  gst_tfrc_stamped_packet_parse (packet, buffer, id);
  GST_LOG ("#%u %s", packet->seq, packet->stamp_offset != 0 ?
      "gets room for a stamp" :
      "has an extension of another profile, and no room for a stamp");
  return buffer;
}

/* Writes to a buffer of several memories, as payloaders make them: header, extension and payload
 * are memories of their own. */
static void
fill_departure (const GstTfrcStampedPacket * packet, GstBuffer * buffer,
    guint16 seq, const TfrcStamp * stamp)
{
  guint8 data[TFRC_STAMP_SIZE];

  if (seq != packet->seq) {
    GST_WRITE_UINT16_BE (data, seq);
    gst_buffer_fill (buffer, 2, data, 2);
  }
  if (packet->stamp_offset != 0) {
    tfrc_stamp_write (stamp, data);
    gst_buffer_fill (buffer, packet->stamp_offset, data, sizeof data);
  }
}

GstBuffer *
gst_tfrc_stamped_packet_depart (const GstTfrcStampedPacket * packet,
    GstBuffer * buffer, guint16 seq, const TfrcStamp * stamp)
{
  GstMemory *memory;
  GstMapInfo map;

  buffer = gst_buffer_make_writable (buffer);
  memory = gst_buffer_n_memory (buffer) == 1 ?
      gst_buffer_peek_memory (buffer, 0) : NULL;
  /* gst_buffer_fill() copies memory that has other owners */
  if (memory != NULL && gst_memory_is_writable (memory) &&
      gst_memory_map (memory, &map, GST_MAP_READWRITE)) {
    GST_WRITE_UINT16_BE (map.data + 2, seq);
    if (packet->stamp_offset != 0)
      tfrc_stamp_write (stamp, map.data + packet->stamp_offset);
    gst_memory_unmap (memory, &map);
  } else {
    fill_departure (packet, buffer, seq, stamp);
  }
  return buffer;
}

/* Overwrites the element of the stamp with zeros, which are padding in both forms of an extension
 * block. Returns TRUE when the block has nothing but padding left. */
static gboolean
clear_stamp (const GstTfrcStampedPacket * packet, guint8 * data, guint block)
{
  guint element_header = GST_READ_UINT16_BE (data + block) == 0xBEDE ? 1 : 2;
  guint i;

  memset (data + packet->stamp_offset - element_header, 0,
      element_header + TFRC_STAMP_SIZE);
  for (i = block + EXTENSION_HEADER; i < packet->header_size; i++) {
    if (data[i] != 0)
      return FALSE;
  }
  return TRUE;
}

gsize
gst_tfrc_stamped_packet_strip_data (const GstTfrcStampedPacket * packet,
    guint8 * data)
{
  guint block = FIXED_HEADER + 4 * CSRC_COUNT (data), size;

  if (!clear_stamp (packet, data, block))
    return 0;
  size = packet->header_size - block;
  data[0] &= ~0x10;
  memmove (data + size, data, block);
  return size;
}

GstBuffer *
gst_tfrc_stamped_packet_strip (const GstTfrcStampedPacket * packet,
    GstBuffer * buffer)
{
  GstMapInfo map;
  gsize size;

  buffer = gst_buffer_make_writable (buffer);
  if (!gst_buffer_map (buffer, &map, GST_MAP_READWRITE))
    return buffer;
  size = gst_tfrc_stamped_packet_strip_data (packet, map.data);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_resize (buffer, size, -1);
  return buffer;
}
