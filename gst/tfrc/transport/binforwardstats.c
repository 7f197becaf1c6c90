/* gst-tfrc: the signals of tfrcbin about peers that are there: forwarding and statistics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/gsttfrcbin.h"

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

void
gst_tfrc_bin_install_forward_stats (GType type)
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
  /**
   * GstTfrcBin::get-peer-stats:
   * @bin: the element
   * @id: the peer's number
   *
   * Tells what is known of a peer: application/x-tfrc-peer-stats with `id`,
   * `label`, `address` and `connection`, as messages have them; the structures
   * `session` (RTP and RTCP), `data-sender` and `data-receiver` (those of the
   * filters' statistics) and `playout`; and what was dropped as it arrived:
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
