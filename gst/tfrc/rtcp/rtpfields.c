/* gst-tfrc: the fields of an RTP packet's fixed header
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtpfields.h"

#define FIXED_SIZE 12           /* bytes, RFC 3550 5.1 */
#define EXTENSION_HEAD_SIZE 4   /* bytes, RFC 3550 5.3.1 */

/* The bytes before the payload; more than `size` when the packet is cut. */
static gsize
get_header_size (const guint8 * data, gsize size)
{
  gsize header = FIXED_SIZE + 4 * (data[0] & 0x0F);

  if ((data[0] & 0x10) == 0)
    return header;
  if (header + EXTENSION_HEAD_SIZE > size)
    return size + 1;
  return header + EXTENSION_HEAD_SIZE + 4 * GST_READ_UINT16_BE (data + header +
      2);
}

gboolean
gst_tfrc_rtp_fields_parse (GstTfrcRtpFields * fields, const guint8 * data,
    gsize size)
{
  gsize header, padding = 0;

  if (size < FIXED_SIZE || data[0] >> 6 != 2)
    return FALSE;
  header = get_header_size (data, size);
  if (header > size)
    return FALSE;
  if (data[0] & 0x20) {
    padding = data[size - 1];
    if (padding == 0 || padding > size - header)
      return FALSE;
  }
  *fields = (GstTfrcRtpFields) {
      .ssrc = GST_READ_UINT32_BE (data + 8),
      .rtptime = GST_READ_UINT32_BE (data + 4),
      .seq = GST_READ_UINT16_BE (data + 2),
      .payload_type = data[1] & 0x7F,
      .marker = (data[1] & 0x80) != 0,
      .payload_size = size - header - padding
  };
  return TRUE;
}
