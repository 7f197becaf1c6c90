/* gst-tfrc: the RTCP that arrives from a peer of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerrtcpin", "RTCP from peers of tfrcbin");

static GstMiniObject *
make_key_frame_request (void)
{
  return GST_MINI_OBJECT_CAST (gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit",
              "running-time", G_TYPE_UINT64, GST_CLOCK_TIME_NONE,
              "all-headers", G_TYPE_BOOLEAN, TRUE,
              "count", G_TYPE_UINT, 0, NULL)));
}

static gboolean
is_forwarded_to (const GstTfrcPeer * peer)
{
  return g_atomic_int_get (&peer->n_sources) > 0;
}

/* Whether settings that do not match end the call. Without keys the first ones of a data sender do that has proven that
 * they are its own, and those of a data receiver before its first report, because a forged packet must not end a call
 * that goes on. */
static gboolean
is_fatal (const GstTfrcPeer * peer, const GstTfrcApp * remote)
{
  gboolean goes_on = remote->is_receiver ? peer->flow.allowance.reported :
      peer->knows_settings;

  return peer->settings->alone && (peer->inbound != NULL || !goes_on);
}

/* Both ends of a flow must use one mode and measure. */
static void
check_settings (GstTfrcPeer * peer, const GstTfrcApp * remote)
{
  GstElement *element = peer->settings->element;
  GstTfrcApp local = peer->session.settings;
  gboolean fatal = is_fatal (peer, remote);
  gchar *text;
  GError *error;

  local.mode = remote->is_receiver ? peer->session.send_mode :
      peer->session.receive_mode;
  if (!gst_tfrc_app_differs (&local, remote) ||
      gst_tfrc_warning_note (&peer->mode_warning, element) == 0)
    return;
  text = peer->settings->alone ?
      gst_tfrc_app_describe_mismatch (&local, remote) :
      g_strdup_printf ("Peer %u uses another mode or loss measure of TFRC, so "
      "that its rate is not what the path allows. Set the property \"mode\" to "
      "the same at both ends.", peer->id);
  error = g_error_new (GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "%s", text);
  gst_tfrc_peer_post_message (peer, fatal ?
      gst_message_new_error (GST_OBJECT (element), error, NULL) :
      gst_message_new_warning (GST_OBJECT (element), error, NULL));
  g_error_free (error);
  g_free (text);
}

/* Takes a TFRC report. With another data receiver than before slow start begins again, because the path is
 * unknown. */
static void
take_report (GstTfrcPeer * peer, const GstTfrcSessionInput * input,
    TfrcTime now)
{
  gboolean is_new = peer->reporter != 0 && peer->reporter != input->report_ssrc;
  gboolean accepted = is_new ?
      gst_tfrc_data_flow_sender_on_first_report (&peer->flow, &input->report,
      now) : gst_tfrc_data_flow_sender_on_report (&peer->flow, &input->report,
      now);

  if (!accepted)
    return;
  peer->reporter_changes += is_new;
  peer->reporter = input->report_ssrc;
  gst_tfrc_peer_follow_session (peer, gst_tfrc_unicast_session_on_proven
      (&peer->session, input->report_ssrc), now);
}

/* A report block is all that a remote without TFRC tells. Where there are TFRC reports, their loss event rate is
 * compared with the losses of the block. `rtt` is 0 when the block does not tell the round-trip time. */
static void
take_block (GstTfrcPeer * peer, const GstTfrcReportBlock * block,
    gdouble marked, TfrcTime rtt, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_adapt_loss_share_update (&peer->loss, block->extended_max, block->lost);
  gst_tfrc_data_flow_sender_on_block (&peer->flow, block->fraction, marked,
      block->extended_max, now);
  gst_tfrc_data_flow_sender_on_losses (&peer->flow, block->lost,
      block->extended_max, rtt, now);
  tfrc_sender_get_allowance (peer->flow.sender, &allowance);
  if (!gst_tfrc_loss_cross_check_check (&peer->cross_check, block->lost,
          allowance.p, allowance.R * GST_SECOND, now))
    return;
  GST_DEBUG ("peer %u: %d packets are lost by receiver reports, none by TFRC "
      "reports", peer->id, block->lost);
  peer->reports_doubted++;
}

/* A data receiver says what its settings are when it hears this end for the first time, and for the first time after a
 * silence. Where its own RTCP has come all the time, that is the end of the back-off: no report comes before the next
 * packet of the data, which may be due in a minute. */
static void
take_receiver_settings (GstTfrcPeer * peer, const GstTfrcApp * app,
    TfrcTime now)
{
  check_settings (peer, app);
  gst_tfrc_peer_on_ecn_settings (peer, app->ecn, now);
  gst_tfrc_data_flow_sender_set_playout (&peer->flow,
      app->playout_ms * GST_MSECOND);
  if (gst_tfrc_unicast_session_misses_reports (&peer->session))
    gst_tfrc_data_flow_sender_restart (&peer->flow, now);
}

static void
act_on_rtcp (GstTfrcPeer * peer, guint bits, const GstTfrcSessionInput * input,
    TfrcTime now)
{
  gdouble marked = gst_tfrc_peer_on_ecn_report (peer, bits, input, now);

  if (gst_tfrc_data_flow_sender_on_rtcp (&peer->flow, now))
    gst_tfrc_peer_restart_ecn (peer, now);
  if (bits & GST_TFRC_SESSION_SENDER_SETTINGS) {
    if (input->sender_is_known)
      check_settings (peer, &input->sender_settings);
    peer->knows_settings |= input->sender_is_known;
    gst_tfrc_peer_follow_mode (peer, input->sender_settings.mode, now);
  }
  if (bits & GST_TFRC_SESSION_RECEIVER_SETTINGS)
    take_receiver_settings (peer, &input->receiver_settings, now);
  if (bits & GST_TFRC_SESSION_RTT)
    gst_tfrc_data_flow_sender_on_rtt (&peer->flow, input->rtt, now);
  if (bits & GST_TFRC_SESSION_BLOCK)
    take_block (peer, &input->block, marked,
        bits & GST_TFRC_SESSION_RTT ? input->rtt : 0, now);
  if (bits & GST_TFRC_SESSION_REPORT)
    take_report (peer, input, now);
  if (bits & GST_TFRC_SESSION_KEY_FRAME && is_forwarded_to (peer))
    peer->wants_key_frame = TRUE;
  else if (bits & GST_TFRC_SESSION_KEY_FRAME)
    gst_tfrc_pad_queue_add (peer->queue, make_key_frame_request ());
}

/* Posts the BYE of the data sender. */
static void
post_bye (GstTfrcPeer * peer)
{
  gst_tfrc_peer_post_message (peer, gst_message_new_element (GST_OBJECT
          (peer->settings->element), gst_structure_new (GST_TFRC_BYE_MESSAGE,
              "ssrc", G_TYPE_UINT, peer->session.data.ssrc, NULL)));
}

void
gst_tfrc_peer_on_rtcp (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    TfrcTime now)
{
  GstTfrcSessionInput input;
  guint bits;

  gst_tfrc_unicast_session_set_stamps (&peer->session,
      gst_tfrc_peer_is_encrypted (peer) ? NULL : &peer->stamps);
  bits = gst_tfrc_unicast_session_on_rtcp (&peer->session, datagram->data,
      datagram->size, &input, now);
  peer->counts.refused += (bits & GST_TFRC_SESSION_REFUSED) != 0;
  gst_tfrc_peer_follow_session (peer, bits, now);
  if (!(bits & GST_TFRC_SESSION_ACCEPTED)) {
    if (bits & GST_TFRC_SESSION_REPORT)
      take_report (peer, &input, now);
    return;
  }
  peer->send_time = 0;
  GST_LOG ("peer %u: RTCP arrived, bits %x", peer->id, bits);
  peer->route.local = peer->rtcp_route.local = datagram->local;
  if (bits & GST_TFRC_SESSION_BYE && peer->settings->only_receives)
    post_bye (peer);
  gst_tfrc_peer_post_connection (peer, bits & GST_TFRC_SESSION_BYE ?
      gst_tfrc_remote_liveness_on_gone (&peer->connection, now) :
      gst_tfrc_remote_liveness_on_heard (&peer->connection, now));
  act_on_rtcp (peer, bits, &input, now);
}
