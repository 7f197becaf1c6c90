/* gst-tfrc: explicit congestion notification of what a peer sends
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerecn", "ECN of peers of tfrcbin");

/* Tells the remote end when no packet is ECN-capable any more: a mark CE is then set by a broken path, and does
 * not mean congestion. */
static void
on_bits (GstTfrcPeer * peer, unsigned bits, TfrcTime now)
{
  if (!(bits & TFRC_ECN_CHANGED))
    return;
  GST_DEBUG ("peer %u: ECN is %s, failure: %s", peer->id,
      tfrc_ecn_state_get_name (peer->ecn.state),
      tfrc_ecn_failure_get_name (peer->ecn.failure));
  gst_tfrc_unicast_session_set_ecn (&peer->session,
      peer->settings->ecn != GST_TFRC_ECN_OFF
      && peer->ecn.state != TFRC_ECN_FAILED, now);
}

void
gst_tfrc_peer_restart_ecn (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcEcn ecn = peer->settings->ecn;
  unsigned bits = tfrc_ecn_path_stop (&peer->ecn);

  if (ecn == GST_TFRC_ECN_ECT0
      || (ecn == GST_TFRC_ECN_AUTO && peer->reports_marks))
    bits |= tfrc_ecn_path_start (&peer->ecn);
  on_bits (peer, bits, now);
}

void
gst_tfrc_peer_on_ecn_settings (GstTfrcPeer * peer, gboolean reports,
    TfrcTime now)
{
  if (reports == peer->reports_marks)
    return;
  peer->reports_marks = reports;
  if (peer->settings->ecn == GST_TFRC_ECN_AUTO)
    gst_tfrc_peer_restart_ecn (peer, now);
}

gdouble
gst_tfrc_peer_on_ecn_report (GstTfrcPeer * peer, guint bits,
    const GstTfrcSessionInput * input, TfrcTime now)
{
  unsigned changes = 0;

  if (bits & GST_TFRC_SESSION_ECN)
    changes |= tfrc_ecn_path_on_counts (&peer->ecn, &input->ecn, now);
  if (bits & GST_TFRC_SESSION_BLOCK)
    changes |= tfrc_ecn_path_on_block (&peer->ecn, input->block.extended_max);
  on_bits (peer, changes, now);
  return bits & GST_TFRC_SESSION_ECN ? peer->ecn.marked : 0.0;
}
