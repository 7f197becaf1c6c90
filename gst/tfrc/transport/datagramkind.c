/* gst-tfrc: whether a datagram is RTP, RTCP or STUN
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/datagramkind.h"

#define RTP_HEADER_SIZE 12
#define RTCP_HEADER_SIZE 8
#define STUN_HEADER_SIZE 20
#define STUN_COOKIE 0x2112A442

/* Whether header, contributing sources and header extension fit. Padding may be encrypted. */
static gboolean
rtp_fits (const guint8 * data, gsize size)
{
  gsize header = RTP_HEADER_SIZE + 4 * (data[0] & 0x0f);

  if ((data[0] & 0x10) != 0) {
    if (size < header + 4)
      return FALSE;
    header += 4 + 4 * GST_READ_UINT16_BE (data + header + 2);
  }
  return size >= header;
}

GstTfrcDatagramKind
gst_tfrc_datagram_find_kind (const guint8 * data, gsize size)
{
  if (size < RTCP_HEADER_SIZE || data[0] >> 6 != 2)
    return GST_TFRC_DATAGRAM_NEITHER;
  if (data[1] >= 192 && data[1] <= 223)
    return GST_TFRC_DATAGRAM_RTCP;
  return size >= RTP_HEADER_SIZE && rtp_fits (data, size) ?
      GST_TFRC_DATAGRAM_RTP : GST_TFRC_DATAGRAM_NEITHER;
}

gboolean
gst_tfrc_datagram_is_stun (const guint8 * data, gsize size)
{
  gsize length;

  if (size < STUN_HEADER_SIZE || data[0] > 3
      || GST_READ_UINT32_BE (data + 4) != STUN_COOKIE)
    return FALSE;
  length = GST_READ_UINT16_BE (data + 2);
  return length % 4 == 0 && size == STUN_HEADER_SIZE + length;
}
