/* gst-tfrc: what is known of a peer, as a structure
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowmeter.h"
#include "transport/peerprivate.h"

static void
add_part (GstStructure * stats, const gchar * name, GstStructure * part)
{
  gst_structure_set (stats, name, GST_TYPE_STRUCTURE, part, NULL);
  gst_structure_free (part);
}

static GstStructure *
get_session_stats (GstTfrcPeer * peer)
{
  GstTfrcUnicastSessionStats s;

  gst_tfrc_unicast_session_get_stats (&peer->session, &s);
  return gst_structure_new ("session",
      "ssrc", G_TYPE_UINT, s.ssrc,
      "remote-ssrc", G_TYPE_UINT, s.remote_ssrc,
      "packets-sent", G_TYPE_UINT64, s.packets_sent,
      "octets-sent", G_TYPE_UINT64, s.octets_sent,
      "packets-received", G_TYPE_UINT64, s.packets_received,
      "octets-received", G_TYPE_UINT64, s.octets_received,
      "packets-lost", G_TYPE_INT, s.lost,
      "jitter", G_TYPE_UINT64, s.jitter,
      "remote-packets-lost", G_TYPE_INT, s.remote_lost,
      "remote-fraction-lost", G_TYPE_DOUBLE, s.remote_fraction_lost,
      "remote-jitter", G_TYPE_UINT64, s.remote_jitter,
      "round-trip-time", G_TYPE_UINT64, s.rtt == TFRC_TIME_NONE ? 0 : s.rtt,
      "rtcp-sent", G_TYPE_UINT64, s.counts.rtcp_sent,
      "rtcp-received", G_TYPE_UINT64, s.counts.rtcp_received,
      "reports-sent", G_TYPE_UINT64, s.counts.reports_sent,
      "reports-received", G_TYPE_UINT64, s.counts.reports_received,
      "malformed", G_TYPE_UINT64, s.counts.malformed,
      "strangers", G_TYPE_UINT64, s.counts.strangers,
      "unknown-settings", G_TYPE_UINT64, s.counts.unknown_settings, NULL);
}

static GstStructure *
get_ecn_stats (GstTfrcPeer * peer)
{
  const TfrcEcnPath *path = &peer->ecn;
  const guint64 *packets = peer->session.ecn.packets;

  return gst_structure_new ("ecn",
      "state", G_TYPE_STRING, tfrc_ecn_state_get_name (path->state),
      "failure", G_TYPE_STRING, tfrc_ecn_failure_get_name (path->failure),
      "packets-marked", G_TYPE_UINT64, path->sent,
      "remote-ce", G_TYPE_UINT64, path->ce,
      "inconsistent-reports", G_TYPE_UINT64, path->inconsistent,
      "ect0", G_TYPE_UINT64, packets[TFRC_ECN_ECT0],
      "ect1", G_TYPE_UINT64, packets[TFRC_ECN_ECT1],
      "ce", G_TYPE_UINT64, packets[TFRC_ECN_CE],
      "not-ect", G_TYPE_UINT64, packets[TFRC_ECN_NOT_ECT], NULL);
}

static GstStructure *
get_playout_stats (GstTfrcPeer * peer)
{
  GstTfrcPlayoutStats s;

  gst_tfrc_playout_buffer_get_stats (peer->playout, &s);
  return gst_structure_new ("playout",
      "packets", G_TYPE_UINT64, s.packets, "lost", G_TYPE_UINT64, s.lost,
      "late", G_TYPE_UINT64, s.late,
      "duplicates", G_TYPE_UINT64, s.duplicates,
      "dropped", G_TYPE_UINT64, s.dropped,
      "restarts", G_TYPE_UINT64, s.restarts,
      "waiting", G_TYPE_UINT, s.waiting,
      "jitter", G_TYPE_UINT64, s.jitter,
      "delay", G_TYPE_UINT64, s.delay,
      "blocked", G_TYPE_UINT64, gst_tfrc_pad_queue_get_dropped (peer->queue),
      NULL);
}

void
gst_tfrc_peer_add_data_receiver_stats (const GstTfrcPeer * peer,
    GstStructure * stats)
{
  GstTfrcUnicastSessionStats session;
  TfrcReceiverStats s = { 0 };

  gst_tfrc_unicast_session_get_stats (&peer->session, &session);
  if (peer->receiver != NULL)
    tfrc_receiver_get_stats (peer->receiver, &s);
  gst_tfrc_engine_stats_add_receiver (stats, &s);
  gst_structure_set (stats,
      "mode", G_TYPE_STRING, gst_tfrc_mode_get_nick (peer->receive_mode),
      "duration", G_TYPE_UINT64, peer->data_arrived - peer->data_begun,
      "jitter", G_TYPE_UINT64, session.jitter, NULL);
}

void
gst_tfrc_peer_add_data_sender_stats (const GstTfrcPeer * peer,
    GstStructure * stats)
{
  GstTfrcUnicastSessionStats session;

  gst_tfrc_unicast_session_get_stats (&peer->session, &session);
  gst_tfrc_data_flow_sender_add_stats (&peer->flow, stats, peer->now);
  gst_structure_set (stats, "jitter", G_TYPE_UINT64, session.remote_jitter,
      NULL);
}

GstStructure *
gst_tfrc_peer_get_stats (GstTfrcPeer * peer)
{
  GstStructure *receiver = gst_structure_new_empty ("data-receiver");
  GstStructure *sender = gst_structure_new_empty ("data-sender");
  gchar *address;
  GstStructure *stats;

  g_mutex_lock (&peer->lock);
  address = gst_tfrc_udp_address_to_string (&peer->route.remote);
  stats = gst_structure_new ("application/x-tfrc-peer-stats",
      "id", G_TYPE_UINT, peer->id, "label", G_TYPE_STRING, peer->label,
      "address", G_TYPE_STRING, address,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_liveness_state_get_nick (peer->connection.state),
      "malformed", G_TYPE_UINT64, peer->counts.malformed,
      "probation", G_TYPE_UINT64, peer->counts.probation,
      "refused", G_TYPE_UINT64, peer->counts.refused,
      "unknown-payload", G_TYPE_UINT64, peer->counts.unknown_payload,
      "srtp-failures", G_TYPE_UINT64, peer->counts.srtp_failures,
      "not-encrypted", G_TYPE_UINT64, peer->counts.not_encrypted, NULL);
  gst_tfrc_peer_add_dtls_stats (peer, stats);
  add_part (stats, "session", get_session_stats (peer));
  gst_tfrc_peer_add_data_sender_stats (peer, sender);
  add_part (stats, "data-sender", sender);
  gst_tfrc_peer_add_data_receiver_stats (peer, receiver);
  add_part (stats, "data-receiver", receiver);
  add_part (stats, "ecn", get_ecn_stats (peer));
  add_part (stats, "playout", get_playout_stats (peer));
  g_mutex_unlock (&peer->lock);
  g_free (address);
  return stats;
}
