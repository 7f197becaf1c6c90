/* gst-tfrc: the datagrams that arrive from a peer, and the data in them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peerprivate.h"

#include "base/debugcategory.h"
#include "base/redpacket.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpeerreceive",
    "what arrives from peers of tfrcbin");

#define RTP_HEADER_SIZE 12
#define RTCP_HEADER_SIZE 8

/* So many packets of another SSRC are a stream. A few may be the end of one that went before. */
#define SECOND_STREAM 50

/* The report interval is computed again after this time, because the rate of the data seems low at the first
 * report after a pause. */
#define INTERVAL_PERIOD (500 * TFRC_MSEC)

/* With a new remote end, ECN begins anew, because the path is unknown, and so does the search for TFRC reports. */
static void
begin_remote (GstTfrcPeer * peer, guint bits, TfrcTime now)
{
  if (!(bits & GST_TFRC_SESSION_NEW_END))
    return;
  gst_tfrc_data_flow_sender_on_new_remote (&peer->flow);
  peer->reports_marks = FALSE;
  gst_tfrc_peer_restart_ecn (peer, now);
}

/* An SSRC that the session has drawn must be, with a key, one that was not in use. A new remote end
 * cannot know how often sequence numbers have wrapped, and could not decrypt the stream that it
 * comes to (RFC 3711 3.3.1): a new stream begins for it. */
static void
change_ssrc (GstTfrcPeer * peer, guint bits)
{
  GstTfrcUnicastSession *session = &peer->session;

  if (bits & GST_TFRC_SESSION_NEW_SSRC)
    gst_tfrc_peer_count_ssrc_change (peer);
  if (!gst_tfrc_peer_is_encrypted (peer))
    return;
  if (bits & GST_TFRC_SESSION_NEW_SSRC) {
    gst_tfrc_unicast_session_set_ssrc (session, gst_tfrc_srtp_draw_ssrc ());
  } else if ((bits & GST_TFRC_SESSION_NEW_END) && peer->wrapped) {
    GST_DEBUG ("peer %u: a new stream for a new remote end", peer->id);
    gst_tfrc_unicast_session_change_ssrc (session, gst_tfrc_srtp_draw_ssrc ());
    peer->wrapped = FALSE;
  }
}

void
gst_tfrc_peer_follow_session (GstTfrcPeer * peer, guint bits, TfrcTime now)
{
  change_ssrc (peer, bits);
  begin_remote (peer, bits, now);
}

/* --- RTP --- */

static void
warn_payload (GstTfrcPeer * peer, guint payload_type)
{
  GstElement *element = peer->settings->element;
  GError *error;

  if (gst_tfrc_warning_note (&peer->payload_warning, element) == 0)
    return;
  error = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "RTP packets of payload type %u arrive from peer %u, and nothing says "
      "what they are. Add a structure with payload=%u to the property "
      "\"caps\".", payload_type, peer->id, payload_type);
  gst_tfrc_pad_queue_add (peer->queue, GST_MINI_OBJECT_CAST
      (gst_message_new_warning (GST_OBJECT (element), error, NULL)));
  g_error_free (error);
}

/* Warns of packets that downstream does not take. With the lock. */
static void
warn_refused_payload (GstTfrcPeer * peer, guint payload_type)
{
  GstElement *element = peer->settings->element;
  GError *error;

  if (gst_tfrc_warning_note (&peer->refused_warning, element) == 0)
    return;
  error = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE,
      "RTP packets of payload type %u arrive and are dropped: the next element "
      "does not take them. Link one that does, or let the remote send "
      "something else.", payload_type);
  gst_tfrc_peer_post_message (peer,
      gst_message_new_warning (GST_OBJECT (element), error, NULL));
  g_error_free (error);
}

gboolean
gst_tfrc_peer_takes_payload (GstTfrcPeer * peer, guint payload_type)
{
  const GstTfrcPeerSettings *settings = peer->settings;
  gboolean known = settings->clock_rates[payload_type] != 0;
  gboolean refused = settings->refused_types != NULL &&
      g_atomic_int_get (&settings->refused_types[payload_type]);

  if (known && !refused)
    return TRUE;
  g_mutex_lock (&peer->lock);
  peer->counts.unknown_payload++;
  if (known)
    warn_refused_payload (peer, payload_type);
  else
    warn_payload (peer, payload_type);
  g_mutex_unlock (&peer->lock);
  return FALSE;
}

/* A remote that sends audio and video from one port (RFC 8843) has one of them heard, and is not told. */
static void
warn_second_stream (GstTfrcPeer * peer, const GstTfrcRtpFields * fields)
{
  GstElement *element = peer->settings->element;
  GError *error;

  if (peer->session.counts.strangers < SECOND_STREAM ||
      gst_tfrc_warning_note (&peer->stream_warning, element) == 0)
    return;
  error = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "Peer %u sends more than one stream from one port: packets of SSRC %08x, "
      "payload type %u, are dropped, because SSRC %08x is heard. Let it send "
      "each stream from a port of its own, or take a bundle with rtpbin and "
      "rtptfrcreceive.", peer->id, fields->ssrc, fields->payload_type,
      peer->session.data.ssrc);
  gst_tfrc_peer_post_message (peer,
      gst_message_new_warning (GST_OBJECT (element), error, NULL));
  g_error_free (error);
}

static void
restart_data (GstTfrcPeer * peer, const GstTfrcRtpFields * fields, TfrcTime now)
{
  GST_DEBUG ("peer %u: data of SSRC %08x begin", peer->id, fields->ssrc);
  if (peer->receiver != NULL)
    tfrc_receiver_restart (peer->receiver, now);
  peer->stamps = (GstTfrcStampMemory) { {
      0}
  };
  peer->knows_settings = FALSE;
  peer->rtt_us = TFRC_RTT_UNKNOWN;
  peer->data_begun = peer->data_arrived = 0;
  gst_tfrc_playout_buffer_restart (peer->playout);
}

/* Makes the receiver of the engine when the first packet with a stamp comes. Packets without stamps are not
 * measured. A report leaves with the packet that is the last one before it is due, for which the worker is awake
 * anyway. */
static void
ensure_receiver (GstTfrcPeer * peer, guint payload_type, TfrcTime now)
{
  TfrcConfig config = peer->settings->config;

  if (peer->receiver != NULL)
    return;
  config.report_with_packet = TRUE;
  peer->receiver = tfrc_receiver_init (g_malloc0 (tfrc_receiver_size (&config)),
      &config, now);
  gst_tfrc_peer_guess_mode (peer, payload_type, now);
  gst_tfrc_peer_update_interval (peer, now);
}

/* Returns whether the packet had arrived before. */
static gboolean
measure (GstTfrcPeer * peer, const GstTfrcStampedPacket * packet,
    guint payload_type, gboolean ce, TfrcTime now)
{
  gboolean stamped = packet->stamp_offset != 0;
  unsigned bits;

  gst_tfrc_meter_add (&peer->meter, packet->size, now);
  if (peer->data_begun == 0)
    peer->data_begun = now;
  peer->data_arrived = now;
  if (stamped) {
    gst_tfrc_stamp_memory_add (&peer->stamps, packet->stamp.t_i_us);
    ensure_receiver (peer, payload_type, now);
  }
  if (peer->receiver == NULL)
    return FALSE;
  if (stamped && packet->stamp.rtt_us != peer->rtt_us) {
    peer->rtt_us = packet->stamp.rtt_us;
    gst_tfrc_unicast_session_confirm_report (&peer->session, peer->rtt_us);
  }
  bits = tfrc_receiver_on_packet (peer->receiver, &(TfrcPacket) {
          .seq = packet->seq,
          .size = packet->size,
          .stamped = stamped,
          .ce = ce,
          .stamp = packet->stamp}
      , now);
  if ((bits & TFRC_RECEIVER_RTT) || now - peer->interval_set >= INTERVAL_PERIOD)
    gst_tfrc_peer_update_interval (peer, now);
  return (bits & TFRC_RECEIVER_DUPLICATE) != 0;
}

/* Depayloaders get packets without the stamp: an assertion in those of GStreamer 1.26 can end the process
 * when packets have header extensions. A forwarded packet gets the stamp of its next path in the same place.
 * `packet` is NULL when there is no stamp. */
static GstBuffer *
take_buffer (GstTfrcPeer * peer, const GstTfrcStampedPacket * packet,
    GstTfrcUdpDatagram * datagram)
{
  GstTfrcUdpDatagram stripped = *datagram;
  gsize offset;

  if (packet == NULL || gst_tfrc_peer_is_forwarded (peer))
    return peer->io.take_buffer (datagram);
  offset = gst_tfrc_stamped_packet_strip_data (packet, datagram->data);
  stripped.data += offset;
  stripped.size -= offset;
  return peer->io.take_buffer (&stripped);
}

static gboolean
is_red (GstTfrcPeer * peer, guint type)
{
  return peer->settings->red_types[type / 64] >> type % 64 & 1;
}

/* An adaptive delay looks at the copies in the packet as well. The arrival is when the system got the packet: after
 * the process was held, that is long before the present time of the peer. */
static void
play_out (GstTfrcPeer * peer, const GstTfrcRtpFields * fields,
    guint32 clock_rate, GstBuffer * buffer, GstClockTime arrival)
{
  GstTfrcPlayoutPacket packet = { fields->seq, fields->rtptime, clock_rate,
    arrival
  };
  GstTfrcPlayoutDelay *delay =
      gst_tfrc_playout_buffer_get_delay (peer->playout);
  guint32 copies[GST_TFRC_RED_BLOCKS];

  if (delay != NULL && peer->rtt_us != TFRC_RTT_UNKNOWN)
    gst_tfrc_playout_delay_set_path (delay, peer->rtt_us * GST_USECOND / 2);
  if (delay != NULL && is_red (peer, fields->payload_type)) {
    packet.copies = copies;
    packet.n_copies = gst_tfrc_red_get_copies (buffer, copies);
  }
  gst_tfrc_playout_buffer_add (peer->playout, &packet, buffer);
}

static void
store (GstTfrcPeer * peer, const GstTfrcRtpFields * fields,
    const GstTfrcStampedPacket * packet, GstTfrcUdpDatagram * datagram)
{
  guint32 clock_rate = peer->settings->clock_rates[fields->payload_type];
  GstBuffer *buffer;

  if (clock_rate == 0) {
    peer->counts.unknown_payload++;
    warn_payload (peer, fields->payload_type);
  }
  if (clock_rate == 0 || !peer->playing)
    return;
  if (clock_rate != peer->receive_clock_rate) {
    peer->receive_clock_rate = clock_rate;
    gst_tfrc_unicast_session_set_clock_rates (&peer->session,
        peer->send_clock_rate, clock_rate);
  }
  if (gst_tfrc_peer_may_pass_on (peer)) {
    gst_tfrc_peer_pass_on (peer, fields, clock_rate, datagram);
    return;
  }
  buffer = take_buffer (peer, packet, datagram);
  if (!gst_tfrc_peer_is_forwarded (peer))
    gst_tfrc_peer_add_sender_time (peer, buffer, fields->rtptime);
  gst_tfrc_peer_keep_recent (peer, buffer);
  play_out (peer, fields, clock_rate, buffer, datagram->arrival);
}

static void
take_packet (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    const GstTfrcRtpFields * fields, TfrcTime now)
{
  TfrcEcn mark = GST_TFRC_UDP_ECN (datagram->tos);
  gboolean ce = mark == TFRC_ECN_CE &&
      gst_tfrc_unicast_session_takes_ce (&peer->session);
  GstTfrcStampedPacket packet;
  gboolean duplicate = FALSE, stamped = FALSE;

  GST_LOG ("peer %u: #%u arrived", peer->id, fields->seq);
  if (gst_tfrc_stamped_packet_parse_data (&packet, datagram->data,
          datagram->size, peer->settings->extension_id)) {
    duplicate = measure (peer, &packet, fields->payload_type, ce, now);
    stamped = packet.stamp_offset != 0;
  }
  gst_tfrc_unicast_session_on_mark (&peer->session, fields->seq, mark,
      duplicate);
  store (peer, fields, stamped ? &packet : NULL, datagram);
}

void
gst_tfrc_peer_on_rtp (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    TfrcTime now)
{
  guint64 strangers = peer->session.counts.strangers;
  GstTfrcRtpFields fields;
  guint bits;

  bits = gst_tfrc_unicast_session_on_rtp (&peer->session, datagram->data,
      datagram->size, &fields, now);
  peer->counts.probation += (bits & GST_TFRC_SESSION_PROBATION) != 0;
  peer->counts.refused += (bits & GST_TFRC_SESSION_REFUSED) != 0;
  gst_tfrc_peer_follow_session (peer, bits, now);
  if (peer->session.counts.strangers > strangers)
    warn_second_stream (peer, &fields);
  if (!(bits & GST_TFRC_SESSION_ACCEPTED))
    return;
  peer->route.local = datagram->local;
  gst_tfrc_peer_post_connection (peer,
      gst_tfrc_remote_liveness_on_heard (&peer->connection, now));
  if (bits & (GST_TFRC_SESSION_NEW_REMOTE | GST_TFRC_SESSION_RESTARTED))
    restart_data (peer, &fields, now);
  take_packet (peer, datagram, &fields, now);
}

/* --- datagrams --- */

/* Takes a datagram, which was decrypted where the peer has keys. */
static void
take_datagram (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  peer->receive_time = 0;
  if (datagram->size >= RTCP_HEADER_SIZE &&
      gst_tfrc_peer_is_rtcp (datagram->data))
    gst_tfrc_peer_on_rtcp (peer, datagram, now);
  else if (datagram->size >= RTP_HEADER_SIZE)
    gst_tfrc_peer_on_rtp (peer, datagram, now);
  else
    peer->counts.malformed++;
}

/* With the lock. */
static void
take_authentic (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram, TfrcTime now)
{
  take_datagram (peer, datagram, now);
  gst_tfrc_peer_run (peer, now);
}

gboolean
gst_tfrc_peer_authenticate (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram)
{
  gboolean authentic;

  if (!gst_tfrc_peer_is_encrypted (peer))
    return TRUE;
  g_mutex_lock (&peer->lock);
  authentic = gst_tfrc_peer_decrypt (peer, datagram);
  g_mutex_unlock (&peer->lock);
  return authentic;
}

void
gst_tfrc_peer_on_authentic (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram)
{
  g_mutex_lock (&peer->lock);
  take_authentic (peer, datagram, gst_tfrc_peer_advance (peer,
          datagram->arrival));
  gst_tfrc_peer_unlock_and_hand_out (peer);
}

void
gst_tfrc_peer_on_datagram (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram)
{
  TfrcTime now;

  g_mutex_lock (&peer->lock);
  now = gst_tfrc_peer_advance (peer, datagram->arrival);
  if (peer->dtls != NULL && gst_tfrc_dtls_is_record (datagram->data,
          datagram->size))
    gst_tfrc_peer_on_dtls (peer, datagram, now);
  else if (gst_tfrc_peer_decrypt (peer, datagram))
    take_datagram (peer, datagram, now);
  gst_tfrc_peer_run (peer, now);
  gst_tfrc_peer_unlock_and_hand_out (peer);
}

void
gst_tfrc_peer_expect_remote (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address)
{
  g_mutex_lock (&peer->lock);
  gst_tfrc_unicast_session_forget_remote (&peer->session);
  peer->route.remote = *address;
  peer->rtcp_route.remote = (GstTfrcUdpAddress) { {
      0}};
  gst_tfrc_peer_post_state (peer, "moved");
  g_mutex_unlock (&peer->lock);
}

static void
set_address (GstTfrcPeer * peer, const GstTfrcUdpAddress * address,
    TfrcTime now)
{
  peer->route.remote = *address;
  gst_tfrc_peer_restart_ecn (peer, now);
  if (!gst_tfrc_peer_is_new (peer))
    gst_tfrc_data_flow_sender_restart (&peer->flow, now);
  gst_tfrc_peer_wake_send (peer);
  gst_tfrc_peer_post_state (peer, "moved");
}

void
gst_tfrc_peer_set_address (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address, GstClockTime now)
{
  g_mutex_lock (&peer->lock);
  set_address (peer, address, gst_tfrc_peer_advance (peer, now));
  g_mutex_unlock (&peer->lock);
}

void
gst_tfrc_peer_move (GstTfrcPeer * peer, const GstTfrcUdpAddress * address,
    const GstTfrcUdpAddress * rtcp_address, GstClockTime at)
{
  TfrcTime now;

  g_mutex_lock (&peer->lock);
  now = gst_tfrc_peer_advance (peer, at);
  gst_tfrc_unicast_session_forget_remote (&peer->session);
  peer->route = peer->rtcp_route = (GstTfrcUdpRoute) {.tos = 0};
  peer->rtcp_route.remote = *rtcp_address;
  gst_tfrc_data_flow_sender_forget_remote (&peer->flow, now);
  set_address (peer, address, now);
  gst_tfrc_remote_liveness_init (&peer->connection, now);
  gst_tfrc_peer_post_connection (peer, "waiting");
  gst_tfrc_peer_redial_dtls (peer, now);
  g_mutex_unlock (&peer->lock);
}

gboolean
gst_tfrc_peer_on_moved (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram)
{
  gboolean is_its;
  TfrcTime now;

  g_mutex_lock (&peer->lock);
  is_its = gst_tfrc_peer_decrypt (peer, datagram);
  if (is_its) {
    now = gst_tfrc_peer_advance (peer, datagram->arrival);
    set_address (peer, &datagram->remote, now);
    take_datagram (peer, datagram, now);
    gst_tfrc_peer_keep_passing (peer);
    gst_tfrc_peer_run (peer, now);
  }
  g_mutex_unlock (&peer->lock);
  return is_its;
}
