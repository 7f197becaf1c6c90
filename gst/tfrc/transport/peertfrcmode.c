/* gst-tfrc: the TFRC modes of both directions of a peer of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"
#include "base/enums.h"
#include "base/tfrccaps.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeertfrcmode", "modes of peers of tfrcbin");

void
gst_tfrc_peer_announce_modes (GstTfrcPeer * peer, TfrcTime now)
{
  gst_tfrc_unicast_session_set_modes (&peer->session, peer->flow.config.mode,
      peer->receive_mode, now);
}

void
gst_tfrc_peer_choose_mode (GstTfrcPeer * peer, const GstCaps * caps,
    TfrcTime now)
{
  GstTfrcFlowWants wants;
  gboolean agreed;
  gint mode = gst_tfrc_caps_get_mode (caps, &agreed);

  gst_tfrc_flow_wants_read (&wants, gst_caps_get_structure (caps, 0));
  gst_tfrc_data_flow_sender_set_wants (&peer->flow, &wants);
  gst_tfrc_data_flow_sender_set_mode (&peer->flow, mode, agreed, now);
  gst_tfrc_peer_announce_modes (peer, now);
}

void
gst_tfrc_peer_choose_mode_of_type (GstTfrcPeer * peer, guint payload_type,
    TfrcTime now)
{
  if (peer->has_caps || peer->flow.has_mode)
    return;
  gst_tfrc_data_flow_sender_set_mode (&peer->flow,
      peer->settings->modes[payload_type], FALSE, now);
  gst_tfrc_peer_announce_modes (peer, now);
}

/* The losses of what arrives are measured in `mode`. */
static void
set_receive_mode (GstTfrcPeer * peer, TfrcMode mode, TfrcTime now)
{
  if (mode != peer->receive_mode)
    GST_INFO ("peer %u: what arrives is in mode %s", peer->id,
        gst_tfrc_mode_get_nick (mode));
  peer->receive_mode = mode;
  if (peer->receiver != NULL)
    tfrc_receiver_set_mode (peer->receiver, mode);
  gst_tfrc_peer_announce_modes (peer, now);
}

void
gst_tfrc_peer_guess_mode (GstTfrcPeer * peer, guint payload_type, TfrcTime now)
{
  gint mode = peer->settings->modes[payload_type];

  if (!peer->settings->chooses_mode)
    return;
  if (peer->follows_mode)
    mode = peer->receive_mode;
  set_receive_mode (peer, mode >= 0 ? mode : TFRC_MODE_TFRC, now);
}

void
gst_tfrc_peer_follow_mode (GstTfrcPeer * peer, guint mode, TfrcTime now)
{
  if (!peer->settings->chooses_mode || mode > TFRC_MODE_TFRC_SP)
    return;
  peer->follows_mode = TRUE;
  set_receive_mode (peer, mode, now);
}
