/* gst-tfrc: the signals of tfrcbin: peers that come and go, forwarding and statistics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcbin.h"

static guint new_peer_signal;

gboolean
gst_tfrc_bin_ask_new_peer (GstElement * element, guint id,
    const gchar * address)
{
  gboolean accepted = TRUE;

  if (g_signal_has_handler_pending (element, new_peer_signal, 0, TRUE))
    g_signal_emit (element, new_peer_signal, 0, id, address, &accepted);
  return accepted;
}

static gboolean
remove_peer (GstTfrcBin * self, guint id)
{
  return gst_tfrc_peer_list_remove (gst_tfrc_bin_get_peers (self), id);
}

static gboolean
forward (GstTfrcBin * self, guint from, guint to, gboolean on)
{
  return gst_tfrc_peer_list_forward (gst_tfrc_bin_get_peers (self), from, to,
      on);
}

static GstStructure *
get_peer_stats (GstTfrcBin * self, guint id)
{
  return gst_tfrc_peer_list_get_peer_stats (gst_tfrc_bin_get_peers (self), id);
}

static void
install_peers (GType type)
{
  /**
   * GstTfrcBin::add-peer:
   * @bin: the element
   * @host: the peer's host
   * @port: its UDP port
   * @options: (nullable): a structure of any name
   *
   * Adds a peer, at any time. Finding the host may take time. The options are
   * `label`, what messages and statistics call the peer, and for this peer
   * alone what the properties of the same name are for others: `mode`, `mtu`,
   * `header-size`, `extension-id`, `feedback-fmt`, `experimental`,
   * `min-bitrate`, `max-bitrate`, `max-queue-time`, `max-queue-packets`,
   * `sync`, `dscp`, `circuit-breaker`, `max-loss`, `initial-rtt`, `feedback`,
   * `ecn`, `rtcp-port`, `latency`, `min-latency`, `max-latency`, `caps`, and
   * `srtp-key`, `srtp-remote-key`, `srtp-cipher` and `srtp-auth`, without which the peer has no keys. With
   * #GstTfrcBin:dtls the option `peer-fingerprint` is needed, and `dtls-setup`
   * is possible. Values may be strings. Options that cannot be used are a warning on the bus.
   *
   * Returns: the peer's number; 0: the host cannot be found, there is a peer at
   *   this address, there are #GstTfrcBin:max-peers of them, or the options
   *   cannot be used.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("add-peer", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (gst_tfrc_bin_add_peer),
      NULL, NULL, NULL, G_TYPE_UINT, 3, G_TYPE_STRING, G_TYPE_UINT,
      GST_TYPE_STRUCTURE);
  /**
   * GstTfrcBin::move-peer:
   * @bin: the element
   * @id: the peer's number
   * @host: the peer's new host
   * @port: its new UDP port
   *
   * Moves a peer, as a re-INVITE of SIP does, at any time. Finding the host may
   * take time. Packets go to the new address from then on, in slow start, with
   * neither R nor p, as RFC 5348 4.2 has it for a new path, and those that come from the
   * old address are no longer the peer's. Its pads, number, options (with `rtcp-port`, RTCP
   * has that port of the new host) and keys stay; another remote is
   * taken at the new address than at the old one. With #GstTfrcBin:dtls the end that begins
   * handshakes begins another one; until it is over, packets are encrypted with the keys that were in use.
   *
   * Returns: FALSE when nothing has changed: there is no such peer, the host
   *   cannot be found, or another peer has this address.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("move-peer", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (gst_tfrc_bin_move_peer),
      NULL, NULL, NULL, G_TYPE_BOOLEAN, 3, G_TYPE_UINT, G_TYPE_STRING,
      G_TYPE_UINT);
  /**
   * GstTfrcBin::remove-peer:
   * @bin: the element
   * @id: the peer's number
   *
   * Sends a BYE to a peer and removes it with its source pad, whose stream ends
   * with EOS; where downstream does not take what is left of the stream within
   * 200 ms, it is flushed. The pad that was requested stays until it is
   * released, and takes no more packets.
   *
   * Returns: FALSE when there is no such peer.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("remove-peer",
      type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (remove_peer), NULL, NULL, NULL, G_TYPE_BOOLEAN,
      1, G_TYPE_UINT);
  /**
   * GstTfrcBin::new-peer:
   * @bin: the element
   * @id: the number that the peer will have
   * @address: where it is, host:port
   *
   * With #GstTfrcBin:accept=any: a stranger has called. A handler runs in a
   * thread of its own, in which it may request the peer's pad. Without a handler
   * everybody is accepted.
   *
   * Returns: whether the stranger becomes a peer.
   *
   * Since: 0.1
   */
  new_peer_signal = g_signal_new ("new-peer", type,
      G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_BOOLEAN, 2, G_TYPE_UINT,
      G_TYPE_STRING);
}

static void
install_forward (GType type)
{
  /**
   * GstTfrcBin::forward:
   * @bin: the element
   * @from: the number of the peer that sends
   * @to: the number of the peer that gets what @from sends
   * @on: whether to forward, or to do so no longer
   *
   * Forwards what arrives from one peer to another one, as a relay does, in the
   * thread that reads the socket and by no pad. The packets leave with sequence
   * numbers, SSRC and rate of @to; their payload and timestamps stay as they
   * are, and lost ones are not announced. What arrives from a peer may go to
   * several others; while it goes to any, it does not come out of the source
   * pad. Requests for key frames go from @to to @from. Forwarding ends with
   * either peer.
   *
   * Returns: FALSE when nothing has changed: there is no such peer at the port,
   *   @from is @to, or it is so already.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("forward", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (forward), NULL, NULL,
      NULL, G_TYPE_BOOLEAN, 3, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_BOOLEAN);
}

static void
install_stats (GType type)
{
  /**
   * GstTfrcBin::get-peer-stats:
   * @bin: the element
   * @id: the peer's number
   *
   * Tells what is known of a peer: application/x-tfrc-peer-stats with `id`,
   * `label`, `address` and `connection`, as messages have them; the structures
   * `session` (RTP and RTCP), `data-sender` and `data-receiver` (those of the
   * filters' statistics, with `expected-quality` if tfrcencodebin is upstream of
   * the peer's sink pad) and `playout`; and what was dropped as it arrived:
   * `malformed` (neither RTP nor RTCP), `probation` (of an SSRC that has not
   * yet shown itself), `refused` (by the RTP session), `unknown-payload` (a
   * payload type without caps) and `srtp-failures` (not authentic, or
   * repeated); `not-encrypted` counts what could not be encrypted, and did not
   * leave.
   *
   * Returns: (nullable) (transfer full): a structure, or NULL.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("get-peer-stats", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (get_peer_stats), NULL,
      NULL, NULL, GST_TYPE_STRUCTURE, 1, G_TYPE_UINT);
}

void
gst_tfrc_bin_install_signals (GType type)
{
  install_peers (type);
  install_forward (type);
  install_stats (type);
}
