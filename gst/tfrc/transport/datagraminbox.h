/* gst-tfrc: datagrams of a peer on their way from the thread that reads them to the thread of the peer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An inbox is part of its owner. It keeps copies of at most GST_TFRC_DATAGRAM_INBOX_MAX datagrams in the
 * order of their arrival, and counts those that came while it was full. All functions are for any
 * thread. */
#ifndef GST_TFRC_DATAGRAMINBOX_H
#define GST_TFRC_DATAGRAMINBOX_H

#include "transport/udpreceive.h"

G_BEGIN_DECLS

/* 5 s of packets of 20 ms, or what comes in a stall. */
#define GST_TFRC_DATAGRAM_INBOX_MAX 256

typedef struct
{
  /*< private > */
  GMutex lock;
  GQueue copies;
  guint64 dropped;
} GstTfrcDatagramInbox;

void gst_tfrc_datagram_inbox_init (GstTfrcDatagramInbox * inbox);
void gst_tfrc_datagram_inbox_clear (GstTfrcDatagramInbox * inbox);

/* FALSE: the inbox is full, and the datagram was dropped. */
gboolean gst_tfrc_datagram_inbox_add (GstTfrcDatagramInbox * inbox,
    const GstTfrcUdpDatagram * datagram);

/* The oldest datagram, which the caller frees with g_free(); NULL: there is none. */
GstTfrcUdpDatagram *gst_tfrc_datagram_inbox_take (GstTfrcDatagramInbox * inbox);

gboolean gst_tfrc_datagram_inbox_is_empty (GstTfrcDatagramInbox * inbox);

/* Datagrams that were dropped. */
guint64 gst_tfrc_datagram_inbox_get_dropped (GstTfrcDatagramInbox * inbox);

G_END_DECLS

#endif
