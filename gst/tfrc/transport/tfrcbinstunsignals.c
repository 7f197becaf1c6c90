/* gst-tfrc: the signals by which the application receives and sends STUN at the port of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/tfrcbinstunsignals.h"

#include "base/debugcategory.h"
#include "transport/datagramkind.h"
#include "transport/gsttfrcbin.h"
#include "transport/hostlookup.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcbinstunsignals", "STUN by the port of tfrcbin");

static guint stun_signal;

void
gst_tfrc_bin_stun_signals_init (GstTfrcBinStunSignals * stun,
    GstElement * element)
{
  stun->element = element;
  gst_tfrc_datagram_inbox_init (&stun->inbox);
}

void
gst_tfrc_bin_stun_signals_clear (GstTfrcBinStunSignals * stun)
{
  gst_tfrc_datagram_inbox_clear (&stun->inbox);
}

/* --- messages that arrive --- */

static void
emit (GstTfrcBinStunSignals * stun, const GstTfrcUdpDatagram * datagram)
{
  GSocketAddress *address = gst_tfrc_udp_address_to_object (&datagram->remote);
  GBytes *message = g_bytes_new (datagram->data, datagram->size);

  GST_LOG_OBJECT (stun->element, "STUN, %" G_GSIZE_FORMAT " bytes",
      datagram->size);
  g_signal_emit (stun->element, stun_signal, 0, address, message);
  g_bytes_unref (message);
  g_object_unref (address);
}

static void
drain (GstElement * element, gpointer user_data)
{
  GstTfrcBinStunSignals *stun = user_data;
  GstTfrcUdpDatagram *datagram;

  do {
    while ((datagram = gst_tfrc_datagram_inbox_take (&stun->inbox)) != NULL) {
      emit (stun, datagram);
      g_free (datagram);
    }
    g_atomic_int_set (&stun->draining, FALSE);
  } while (!gst_tfrc_datagram_inbox_is_empty (&stun->inbox)
      && g_atomic_int_compare_and_exchange (&stun->draining, FALSE, TRUE));
}

gboolean
gst_tfrc_bin_stun_signals_on_datagram (const GstTfrcUdpDatagram * datagram,
    gpointer data)
{
  GstTfrcBinStunSignals *stun = data;

  if (!g_signal_has_handler_pending (stun->element, stun_signal, 0, TRUE)
      || !gst_tfrc_datagram_inbox_add (&stun->inbox, datagram))
    return FALSE;
  if (g_atomic_int_compare_and_exchange (&stun->draining, FALSE, TRUE))
    gst_element_call_async (stun->element, drain, stun, NULL);
  return TRUE;
}

/* --- messages that are sent --- */

static gboolean
send_stun (GstTfrcBin * self, GSocketAddress * address, GBytes * message)
{
  GstTfrcUdpAddress to;
  gsize size = 0;
  const guint8 *data =
      message != NULL ? g_bytes_get_data (message, &size) : NULL;

  if (!gst_tfrc_datagram_is_stun (data, size)) {
    GST_WARNING_OBJECT (self, "send-stun: this is no STUN message");
    return FALSE;
  }
  if (address == NULL ||
      !gst_tfrc_udp_address_from_object (&to, address) || to.port == 0 ||
      gst_tfrc_udp_address_is_multicast (&to)) {
    GST_WARNING_OBJECT (self, "send-stun: this is no address of a host");
    return FALSE;
  }
  return gst_tfrc_peer_list_send (gst_tfrc_bin_get_peers (self), &to, data,
      size);
}

void
gst_tfrc_bin_stun_signals_install (GType type)
{
  /**
   * GstTfrcBin::stun:
   * @bin: the element
   * @address: the #GInetSocketAddress that the message came from
   * @message: the STUN message
   *
   * A STUN message (RFC 8489) has arrived on the port, from anybody: nothing but its form was checked. Applications that
   * do ICE (RFC 8445) connect a handler, which runs in a thread of its own, one message after the other, and may
   * emit #GstTfrcBin::send-stun and #GstTfrcBin::add-peer. tfrcbin itself answers no STUN message. Those without a
   * handler, and those that come while 256 wait, are dropped and counted (`stun-dropped` of #GstTfrcBin:stats).
   *
   * Since: 0.1
   */
  stun_signal = g_signal_new ("stun", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
      NULL, G_TYPE_NONE, 2, G_TYPE_SOCKET_ADDRESS, G_TYPE_BYTES);
  /**
   * GstTfrcBin::send-stun:
   * @bin: the element
   * @address: a #GInetSocketAddress
   * @message: a STUN message
   *
   * Sends a STUN message by the port, in PAUSED and PLAYING. The message passes no pacing.
   *
   * Returns: FALSE: it is no STUN message, the address is not one of a host, or the port is not open.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("send-stun", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (send_stun), NULL, NULL,
      NULL, G_TYPE_BOOLEAN, 2, G_TYPE_SOCKET_ADDRESS, G_TYPE_BYTES);
}
