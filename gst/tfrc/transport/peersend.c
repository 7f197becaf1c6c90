/* gst-tfrc: what a peer sends: data at their departure, and RTCP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include <string.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeersend", "what peers of tfrcbin send");

#define SSRC_OFFSET 8
#define SEQ_OFFSET 2

/* --- data --- */

/* Writes what a packet gets as it departs: sequence number, SSRC of the session, stamp. */
static void
finish_packet (guint8 * data, const GstTfrcDeparture * departure, guint32 ssrc)
{
  GST_WRITE_UINT16_BE (data + SEQ_OFFSET, departure->seq);
  GST_WRITE_UINT32_BE (data + SSRC_OFFSET, ssrc);
  if (departure->packet.stamp_offset != 0)
    tfrc_stamp_write (&departure->stamp, data + departure->packet.stamp_offset);
}

void
gst_tfrc_peer_count_ssrc_change (GstTfrcPeer * peer)
{
  peer->ssrc_changes++;
  peer->wrapped = FALSE;
}

/* The packets have another SSRC, so that another stream begins. tfrcsink sends it with that SSRC or, with keys,
 * with an SSRC that was not in use. */
static void
follow_ssrc (GstTfrcPeer * peer, guint32 ssrc, TfrcTime now)
{
  GstTfrcUnicastSession *session = &peer->session;
  gboolean encrypted = gst_tfrc_peer_is_encrypted (peer);
  gboolean first = !peer->has_media_ssrc;

  if (!first && peer->media_ssrc == ssrc)
    return;
  peer->has_media_ssrc = TRUE;
  peer->media_ssrc = ssrc;
  if (first) {
    if (!encrypted)
      gst_tfrc_unicast_session_set_ssrc (session, ssrc);
    return;
  }
  gst_tfrc_unicast_session_change_ssrc (session,
      encrypted ? gst_tfrc_srtp_draw_ssrc () : ssrc);
  gst_tfrc_peer_count_ssrc_change (peer);
  gst_tfrc_data_flow_sender_restart (&peer->flow, now);
}

/* `data` is a copy of the packet, and `captured` the time of capture. */
static void
send_packet (GstTfrcPeer * peer, const GstTfrcDeparture * departure,
    guint8 * data, gsize size, GstClockTime captured, TfrcTime now)
{
  GstTfrcRtpFields fields;

  if (peer->settings->alone)
    follow_ssrc (peer, departure->packet.ssrc, now);
  finish_packet (data, departure, peer->session.ssrc);
  if (departure->packet.stamp_offset != 0)
    gst_tfrc_unicast_session_on_stamp (&peer->session, departure->stamp.t_i_us);
  if (!gst_tfrc_rtp_fields_parse (&fields, data, size))
    return;
  GST_LOG ("peer %u: sending #%u, %" G_GSIZE_FORMAT " bytes", peer->id,
      departure->seq, size);
  peer->wrapped |= departure->seq == 0 && peer->session.packets_sent > 0;
  gst_tfrc_peer_send_datagram (peer, data, size,
      tfrc_ecn_path_on_departure (&peer->ecn, departure->seq, now));
  /* A packet without a time of capture counts as captured when it came to the peer, not when it departs. A file
   * that is sent ahead of its time has times of capture to come. */
  gst_tfrc_unicast_session_on_sent (&peer->session, &fields,
      GST_CLOCK_TIME_IS_VALID (captured) ? captured : departure->queued, now);
  /* RTCP has waited for data, and is due now. */
  if (peer->settings->alone && peer->session.packets_sent == 1)
    gst_tfrc_peer_wake_receive (peer);
}

void
gst_tfrc_peer_send_data (GstTfrcPeer * peer, TfrcTime now)
{
  GstTfrcDeparture departure;

  while (gst_tfrc_data_flow_sender_take (&peer->flow, &departure, now)) {
    guint8 room[GST_TFRC_UDP_ROOM];
    gsize size = gst_buffer_get_size (departure.buffer);
    guint8 *data = size <= sizeof room ? room : g_malloc (size);

    gst_buffer_extract (departure.buffer, 0, data, size);
    send_packet (peer, &departure, data, size,
        GST_BUFFER_PTS (departure.buffer), now);
    if (data != room)
      g_free (data);
    gst_buffer_unref (departure.buffer);
  }
}

gboolean
gst_tfrc_peer_pass_data (GstTfrcPeer * peer,
    const GstTfrcUdpDatagram * datagram, GstClockTime captured, TfrcTime now)
{
  guint8 room[GST_TFRC_UDP_ROOM];
  GstTfrcDeparture departure;

  if (datagram->size > sizeof room ||
      !gst_tfrc_data_flow_sender_pass (&peer->flow, datagram->data,
          datagram->size, peer->send_id, &departure, now))
    return FALSE;
  memcpy (room, datagram->data, datagram->size);
  send_packet (peer, &departure, room, datagram->size, captured, now);
  return TRUE;
}

/* --- RTCP --- */

static TfrcTime
get_next_rtcp (const GstTfrcPeer * peer)
{
  return gst_tfrc_unicast_session_next_rtcp (&peer->session,
      peer->receiver != NULL && tfrc_receiver_wants_report (peer->receiver));
}

/* What has arrived here has not arrived where it is forwarded to, and redundant copies are for those ends, too. */
static gboolean
lists_arrivals (const GstTfrcPeer * peer)
{
  return peer->session.remote_takes_arrivals
      && !gst_tfrc_peer_is_forwarded (peer);
}

void
gst_tfrc_peer_update_interval (GstTfrcPeer * peer, TfrcTime now)
{
  TfrcReceiverStats stats;
  GstClockTime interval, share;
  gdouble rate, wire_rate =
      gst_tfrc_meter_get_byte_rate (&peer->meter, peer->settings->config.H,
      now);

  peer->interval_set = now;
  tfrc_receiver_get_stats (peer->receiver, &stats);
  gst_tfrc_report_interval_set_losses (&peer->interval, stats.p,
      lists_arrivals (peer));
  share = gst_tfrc_report_interval_get_share (&peer->interval,
      stats.R * TFRC_SEC, wire_rate);
  interval = MAX (share, stats.R * TFRC_SEC);
  rate = gst_tfrc_report_interval_get_rtcp_rate (interval, 2);
  if (gst_tfrc_report_interval_set (&peer->interval, interval, rate) !=
      GST_TFRC_REPORT_INTERVAL_SAME) {
    GST_DEBUG ("peer %u: reports every %" GST_TIME_FORMAT
        ", RTCP bandwidth %g bit/s", peer->id, GST_TIME_ARGS (interval), rate);
    gst_tfrc_unicast_session_set_timing (&peer->session, rate,
        gst_tfrc_report_interval_get_compound (&peer->interval, wire_rate),
        now);
  }
  tfrc_receiver_set_report_interval (peer->receiver, share, now);
}

static gboolean
is_compound (const guint8 * data)
{
  return data[1] == GST_RTCP_TYPE_SR || data[1] == GST_RTCP_TYPE_RR;
}

static void
send_rtcp_buffer (GstTfrcPeer * peer, GstBuffer * buffer, gboolean report,
    TfrcTime now)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  GST_LOG ("peer %u: sending RTCP, %" G_GSIZE_FORMAT " bytes%s", peer->id,
      map.size, report ? " with a report" : "");
  /* RFC 6679 7.3.1: RTCP is never ECN-capable. */
  gst_tfrc_peer_send_datagram (peer, map.data, map.size, TFRC_ECN_NOT_ECT);
  if (report)
    gst_tfrc_report_interval_add (&peer->interval, map.size,
        is_compound (map.data), now);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static gboolean
make_report (GstTfrcPeer * peer, TfrcReport * report, TfrcTime now)
{
  if (peer->receiver == NULL
      || !tfrc_receiver_make_report (peer->receiver, report, now))
    return FALSE;
  report->lists_arrivals = lists_arrivals (peer);
  GST_DEBUG ("peer %u: report to it: t_i %u us, t_delay %u us, "
      "X_recv %u bytes/s, p %g", peer->id, report->t_i_us, report->t_delay_us,
      report->x_recv_Bps, tfrc_report_decode_p (report->p_q32));
  return TRUE;
}

TfrcTime
gst_tfrc_peer_send_rtcp (GstTfrcPeer * peer, TfrcTime now)
{
  TfrcTime time = get_next_rtcp (peer);
  TfrcReport report;
  gboolean has_report;
  GstBuffer *buffer;

  if (!gst_tfrc_peer_is_ready (peer))
    return TFRC_TIME_NONE;
  if (time > now)
    return time;
  has_report = make_report (peer, &report, now);
  buffer = gst_tfrc_unicast_session_make_rtcp (&peer->session,
      has_report ? &report : NULL, now);
  if (buffer != NULL)
    send_rtcp_buffer (peer, buffer, has_report, now);
  if (has_report)
    gst_tfrc_peer_update_interval (peer, now);
  return get_next_rtcp (peer);
}

void
gst_tfrc_peer_send_bye (GstTfrcPeer * peer, TfrcTime now)
{
  GstBuffer *buffer = gst_tfrc_unicast_session_make_bye (&peer->session, now);

  if (buffer != NULL && !gst_tfrc_peer_is_ready (peer))
    gst_clear_buffer (&buffer);
  if (buffer != NULL)
    send_rtcp_buffer (peer, buffer, FALSE, now);
}
