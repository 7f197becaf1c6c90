/* gst-tfrc: maps the first bytes of an RTP packet, without a copy where possible
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPHEADER_H
#define GST_TFRC_RTPHEADER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The bytes of an RTP header with 15 CSRCs and an extension of 51 words, RFC 3550 5.1. */
#define GST_TFRC_RTP_HEADER_SIZE 280

/* The first bytes of a packet, between map and unmap. The bytes may be anything: nothing of the
 * packet has been checked. */
typedef struct
{
  const guint8 *data;
  gsize size;                   /* bytes of `data`: the whole packet, or at least
                                 * GST_TFRC_RTP_HEADER_SIZE of its bytes */
  GstMemory *memory;            /* the mapped memory; NULL: `data` is `copy` */
  GstMapInfo map;
  guint8 copy[GST_TFRC_RTP_HEADER_SIZE];
} GstTfrcRtpHeader;

/* The functions are inline because each packet passes several elements that read its header. */

/* Returns the memory that has the whole header for certain; NULL: the header may be spread over
 * several memories. */
static inline GstMemory *
gst_tfrc_rtp_header_find_memory (GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);
  GstMemory *first = n > 0 ? gst_buffer_peek_memory (buffer, 0) : NULL;

  return n == 1 || (n > 1
      && first->size >= GST_TFRC_RTP_HEADER_SIZE) ? first : NULL;
}

/* Maps the first memory of `buffer` when that memory has the whole header, as in a packet from a
 * socket; otherwise copies the first bytes of the buffer. */
static inline void
gst_tfrc_rtp_header_map (GstTfrcRtpHeader * header, GstBuffer * buffer)
{
  header->memory = gst_tfrc_rtp_header_find_memory (buffer);
  if (header->memory != NULL &&
      gst_memory_map (header->memory, &header->map, GST_MAP_READ)) {
    header->data = header->map.data;
    header->size = header->map.size;
    return;
  }
  header->memory = NULL;
  header->data = header->copy;
  header->size =
      gst_buffer_extract (buffer, 0, header->copy, sizeof header->copy);
}

static inline void
gst_tfrc_rtp_header_unmap (GstTfrcRtpHeader * header)
{
  if (header->memory != NULL)
    gst_memory_unmap (header->memory, &header->map);
}

G_END_DECLS

#endif
