/* gst-tfrc: what tfrcsink and tfrcsrc, which have one peer, ask of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowmeter.h"
#include "transport/peerprivate.h"

void
gst_tfrc_peer_set_bounds (GstTfrcPeer * peer,
    const GstTfrcFilterSettings * bounds)
{
  GstTfrcFilterSettings *settings = &peer->settings->filter;

  g_mutex_lock (&peer->lock);
  settings->min_bitrate = bounds->min_bitrate;
  settings->max_bitrate = bounds->max_bitrate;
  settings->max_queue_time = bounds->max_queue_time;
  settings->max_queue_packets = bounds->max_queue_packets;
  gst_tfrc_data_flow_sender_note_rate (&peer->flow, GST_TFRC_RATE_REPORT,
      gst_tfrc_peer_advance (peer, peer->io.get_time ()));
  gst_tfrc_peer_wake_send (peer);
  g_mutex_unlock (&peer->lock);
}

gboolean
gst_tfrc_peer_is_adaptive (GstTfrcPeer * peer)
{
  return peer->settings->adaptive;
}

void
gst_tfrc_peer_set_latency (GstTfrcPeer * peer, GstClockTime latency)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_playout_buffer_set_latency (peer->playout, latency);
  gst_tfrc_unicast_session_set_playout (&peer->session,
      gst_tfrc_peer_get_playout_ms (peer, latency));
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_set_rtcp_address (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address)
{
  g_mutex_lock (&peer->lock);
  peer->rtcp_route.remote = *address;
  g_mutex_unlock (&peer->lock);
}

/* --- what is known --- */

static void
get_rate (GstTfrcPeer * peer, GstTfrcRate * rate)
{
  gst_tfrc_data_flow_sender_get_rate (&peer->flow, rate, peer->now);
}

void
gst_tfrc_peer_get_rate (GstTfrcPeer * peer, GstTfrcRate * rate)
{
  g_mutex_lock (&peer->lock);
  get_rate (peer, rate);
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_take_rate_change (GstTfrcPeer * peer, GstTfrcRate * before,
    GstTfrcRate * rate)
{
  g_mutex_lock (&peer->lock);
  *before = peer->notified;
  get_rate (peer, rate);
  peer->notified = *rate;
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_get_receiver_stats (GstTfrcPeer * peer, TfrcReceiverStats * stats)
{
  *stats = (TfrcReceiverStats) {0};
  g_mutex_lock (&peer->lock);
  if (peer->receiver != NULL)
    tfrc_receiver_get_stats (peer->receiver, stats);
  g_mutex_unlock (&peer->lock);
}

GstTfrcRemoteLivenessState
gst_tfrc_peer_get_connection (GstTfrcPeer * peer)
{
  GstTfrcRemoteLivenessState state;

  g_mutex_lock (&peer->lock);
  state = peer->connection.state;
  g_mutex_unlock (&peer->lock);
  return state;
}

void
gst_tfrc_peer_get_drops (GstTfrcPeer * peer, GstTfrcPeerDrops * drops)
{
  const GstTfrcPeerCounts *counts = &peer->counts;
  GstTfrcPlayoutStats playout;

  g_mutex_lock (&peer->lock);
  gst_tfrc_playout_buffer_get_stats (peer->playout, &playout);
  *drops = (GstTfrcPeerDrops) {
      .malformed = counts->malformed + peer->session.counts.malformed,
      .refused = counts->refused,
      .unknown_payload = counts->unknown_payload,
      .srtp_failures = counts->srtp_failures,
      .not_encrypted = counts->not_encrypted,
      .playout_delay = playout.delay,
      .playout_late = playout.late,
      .playout_dropped = playout.dropped,
      .playout_blocked = gst_tfrc_pad_queue_get_dropped (peer->queue)};
  g_mutex_unlock (&peer->lock);
}

/* --- statistics --- */

static void
add_sender_stats (const GstTfrcPeer * peer, GstStructure * stats)
{
  const GstTfrcSessionCounts *counts = &peer->session.counts;
  const TfrcEcnPath *ecn = &peer->ecn;

  gst_tfrc_peer_add_data_sender_stats (peer, stats);
  gst_structure_set (stats,
      "ecn-state", G_TYPE_STRING, tfrc_ecn_state_get_name (ecn->state),
      "ecn-failure", G_TYPE_STRING, tfrc_ecn_failure_get_name (ecn->failure),
      "ecn-packets-marked", G_TYPE_UINT64, ecn->sent,
      "ecn-remote-ce", G_TYPE_UINT64, ecn->ce, NULL);
  gst_structure_set (stats,
      "ssrc", G_TYPE_UINT, peer->session.ssrc,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_liveness_state_get_nick (peer->connection.state),
      "ssrc-changes", G_TYPE_UINT64, peer->ssrc_changes,
      "reports-doubted", G_TYPE_UINT64, peer->reports_doubted,
      "rtcp-app-malformed", G_TYPE_UINT64, counts->malformed_settings,
      "rtcp-reports", G_TYPE_UINT64, counts->reports_received,
      "rtcp-malformed", G_TYPE_UINT64, counts->malformed_reports,
      "rtcp-wrong-media-ssrc", G_TYPE_UINT64, counts->wrong_media_reports,
      "rtcp-wrong-sender-ssrc", G_TYPE_UINT64, counts->wrong_sender_reports,
      "peer-changes", G_TYPE_UINT64, peer->reporter_changes, NULL);
  gst_tfrc_peer_add_dtls_stats (peer, stats);
}

void
gst_tfrc_peer_add_sender_stats (GstTfrcPeer * peer, GstStructure * stats)
{
  static const GstTfrcPeer none = { .send_time = 0 };

  if (peer == NULL) {
    add_sender_stats (&none, stats);
    return;
  }
  g_mutex_lock (&peer->lock);
  add_sender_stats (peer, stats);
  g_mutex_unlock (&peer->lock);
}

static void
add_receiver_stats (const GstTfrcPeer * peer, GstStructure * stats)
{
  const GstTfrcSessionCounts *counts = &peer->session.counts;
  const guint64 *marks = peer->session.ecn.packets;

  gst_tfrc_peer_add_data_receiver_stats (peer, stats);
  gst_structure_set (stats,
      "connection", G_TYPE_STRING,
      gst_tfrc_remote_liveness_state_get_nick (peer->connection.state),
      "ecn-ect0", G_TYPE_UINT64, marks[TFRC_ECN_ECT0],
      "ecn-ect1", G_TYPE_UINT64, marks[TFRC_ECN_ECT1],
      "ecn-ce", G_TYPE_UINT64, marks[TFRC_ECN_CE],
      "ecn-not-ect", G_TYPE_UINT64, marks[TFRC_ECN_NOT_ECT],
      "rtcp-app-malformed", G_TYPE_UINT64, counts->malformed_settings,
      "rtcp-app-unknown", G_TYPE_UINT64, counts->unknown_settings,
      "rtcp-reports-sent", G_TYPE_UINT64, counts->reports_sent,
      "rtcp-reduced-size", G_TYPE_BOOLEAN, peer->session.reduced.on,
      "report-interval", G_TYPE_UINT64, peer->interval.interval, NULL);
  gst_tfrc_peer_add_dtls_stats (peer, stats);
}

void
gst_tfrc_peer_add_receiver_stats (GstTfrcPeer * peer, GstStructure * stats)
{
  static const GstTfrcPeer none = { .send_time = 0 };

  if (peer == NULL) {
    add_receiver_stats (&none, stats);
    return;
  }
  g_mutex_lock (&peer->lock);
  add_receiver_stats (peer, stats);
  g_mutex_unlock (&peer->lock);
}
