/* gst-tfrc tests: what an RTCP packet is and has
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RTCP_H
#define RTCP_H

#include <gst/gst.h>

/* Whether a packet is RTCP (RFC 5761). */
static inline gboolean
rtcp_is (gconstpointer data, gsize size)
{
  const guint8 *bytes = data;

  return size >= 2 && bytes[1] >= 192 && bytes[1] <= 223;
}

/* Whether one of the RTCP packets in a compound is of this type. */
static inline gboolean
rtcp_has (gconstpointer data, gsize size, guint type)
{
  const guint8 *bytes = data;
  gsize at;

  for (at = 0; at + 4 <= size;
      at += 4 * (1 + GST_READ_UINT16_BE (bytes + at + 2)))
    if (bytes[at + 1] == type)
      return TRUE;
  return FALSE;
}

#endif
