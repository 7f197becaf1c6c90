/* gst-tfrc: datagrams of a peer on their way from the thread that reads them to the thread of the peer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/datagraminbox.h"

#include <string.h>

void
gst_tfrc_datagram_inbox_init (GstTfrcDatagramInbox * inbox)
{
  g_mutex_init (&inbox->lock);
  g_queue_init (&inbox->copies);
  inbox->dropped = 0;
}

void
gst_tfrc_datagram_inbox_clear (GstTfrcDatagramInbox * inbox)
{
  g_queue_clear_full (&inbox->copies, g_free);
  g_mutex_clear (&inbox->lock);
}

/* The bytes follow the structure. */
static GstTfrcUdpDatagram *
copy_datagram (const GstTfrcUdpDatagram * datagram)
{
  GstTfrcUdpDatagram *copy = g_malloc (sizeof *copy + datagram->size);

  *copy = *datagram;
  copy->data = (guint8 *) (copy + 1);
  memcpy (copy->data, datagram->data, datagram->size);
  return copy;
}

gboolean
gst_tfrc_datagram_inbox_add (GstTfrcDatagramInbox * inbox,
    const GstTfrcUdpDatagram * datagram)
{
  gboolean takes;

  g_mutex_lock (&inbox->lock);
  takes = inbox->copies.length < GST_TFRC_DATAGRAM_INBOX_MAX;
  if (takes)
    g_queue_push_tail (&inbox->copies, copy_datagram (datagram));
  inbox->dropped += !takes;
  g_mutex_unlock (&inbox->lock);
  return takes;
}

GstTfrcUdpDatagram *
gst_tfrc_datagram_inbox_take (GstTfrcDatagramInbox * inbox)
{
  GstTfrcUdpDatagram *datagram;

  g_mutex_lock (&inbox->lock);
  datagram = g_queue_pop_head (&inbox->copies);
  g_mutex_unlock (&inbox->lock);
  return datagram;
}

guint64
gst_tfrc_datagram_inbox_get_dropped (GstTfrcDatagramInbox * inbox)
{
  guint64 dropped;

  g_mutex_lock (&inbox->lock);
  dropped = inbox->dropped;
  g_mutex_unlock (&inbox->lock);
  return dropped;
}

gboolean
gst_tfrc_datagram_inbox_is_empty (GstTfrcDatagramInbox * inbox)
{
  gboolean empty;

  g_mutex_lock (&inbox->lock);
  empty = g_queue_is_empty (&inbox->copies);
  g_mutex_unlock (&inbox->lock);
  return empty;
}
