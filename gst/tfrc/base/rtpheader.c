/* gst-tfrc: reads the first bytes of a packet where they are
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/rtpheader.h"

/* The memory that has the whole header for certain; NULL: the header may be in several. */
static GstMemory *
find_memory (GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);
  GstMemory *first = n > 0 ? gst_buffer_peek_memory (buffer, 0) : NULL;

  return n == 1 || (n > 1
      && first->size >= GST_TFRC_RTP_HEADER_SIZE) ? first : NULL;
}

void
gst_tfrc_rtp_header_map (GstTfrcRtpHeader * head, GstBuffer * buffer)
{
  head->memory = find_memory (buffer);
  if (head->memory != NULL &&
      gst_memory_map (head->memory, &head->map, GST_MAP_READ)) {
    head->data = head->map.data;
    head->size = head->map.size;
    return;
  }
  head->memory = NULL;
  head->data = head->copy;
  head->size = gst_buffer_extract (buffer, 0, head->copy, sizeof head->copy);
}

void
gst_tfrc_rtp_header_unmap (GstTfrcRtpHeader * head)
{
  if (head->memory != NULL)
    gst_memory_unmap (head->memory, &head->map);
}
