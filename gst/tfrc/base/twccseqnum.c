/* gst-tfrc: the transport-wide sequence number in the header extension of an RTP packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/twccseqnum.h"

#include <gst/rtp/rtp.h>

#define NUMBER_SIZE 2

/* Finds the element of the header extension in a mapped packet; NULL: the packet has none. */
static guint8 *
find_number (GstRTPBuffer * rtp, guint id)
{
  gpointer data = NULL;
  guint8 appbits;
  guint size = 0;

  if (id < 15 && gst_rtp_buffer_get_extension_onebyte_header (rtp, id, 0, &data,
          &size) && size == NUMBER_SIZE)
    return data;
  if (gst_rtp_buffer_get_extension_twobytes_header (rtp, &appbits, id, 0, &data,
          &size) && size == NUMBER_SIZE)
    return data;
  return NULL;
}

gboolean
gst_tfrc_twcc_seqnum_read (GstBuffer * buffer, guint id,
    GstTfrcTwccSeqnum * number)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *data;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  data = find_number (&rtp, id);
  if (data != NULL)
    *number =
        (GstTfrcTwccSeqnum) {gst_rtp_buffer_get_ssrc (&rtp),
        gst_rtp_buffer_get_seq (&rtp), (guint16) (data[0] << 8 | data[1])};
  gst_rtp_buffer_unmap (&rtp);
  return data != NULL;
}

GstBuffer *
gst_tfrc_twcc_seqnum_reserve (GstBuffer * buffer, guint id)
{
  static const guint8 zeros[NUMBER_SIZE];
  GstTfrcTwccSeqnum number;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (gst_tfrc_twcc_seqnum_read (buffer, id, &number))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return buffer;
  if (id < 15)
    gst_rtp_buffer_add_extension_onebyte_header (&rtp, id, zeros, sizeof zeros);
  else
    gst_rtp_buffer_add_extension_twobytes_header (&rtp, 0, id, zeros,
        sizeof zeros);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}
