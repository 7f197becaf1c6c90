/* gst-tfrc: whether a datagram is RTP, RTCP or STUN
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DATAGRAMKIND_H
#define GST_TFRC_DATAGRAMKIND_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  GST_TFRC_DATAGRAM_NEITHER,    /* or lengths in the header contradict the size */
  GST_TFRC_DATAGRAM_RTP,
  GST_TFRC_DATAGRAM_RTCP
} GstTfrcDatagramKind;

/* RFC 5761 4. Encrypted datagrams have the same headers. */
GstTfrcDatagramKind gst_tfrc_datagram_find_kind (const guint8 * data,
    gsize size);

/* RFC 7983 7 and RFC 8489 6.3: the first byte, the cookie and the length are those of a STUN message. */
gboolean gst_tfrc_datagram_is_stun (const guint8 * data, gsize size);

G_END_DECLS

#endif
