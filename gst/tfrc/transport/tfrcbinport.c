/* gst-tfrc: the UDP port of tfrcbin, and which peer each of its datagrams is for
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/tfrcbinportprivate.h"

#include "base/debugcategory.h"
#include "transport/datagramkind.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcbinport", "the UDP port of tfrcbin");

/* Datagrams of a stranger before it is looked at, as RFC 3550 A.1 has it: a forged one is seldom
 * followed by another. More would delay a call, which begins with RTCP and one packet a second. */
#define PROBATION 2
/* Strangers that are looked at, per second and at one instant: of all networks together, and of one network. This
 * is more than the new calls of a server of a thousand calls, and costs less than the calls themselves. */
#define STRANGERS 200
#define STRANGERS_OF_NETWORK 50
/* A datagram that is shorter than the header of RTCP is dropped. */
#define SMALLEST 8
#define RTP_SSRC_OFFSET 8
#define RTCP_SSRC_OFFSET 4

/* --- the peer of a datagram --- */

static gboolean
is_rtcp (const GstTfrcUdpDatagram * datagram)
{
  return datagram->data[1] >= 192 && datagram->data[1] <= 223;
}

static guint32
get_ssrc (const GstTfrcUdpDatagram * datagram)
{
  gsize offset = is_rtcp (datagram) ? RTCP_SSRC_OFFSET : RTP_SSRC_OFFSET;

  return offset + 4 <= datagram->size ?
      GST_READ_UINT32_BE (datagram->data + offset) : 0;
}

/* Whether a datagram with the SSRC of a peer may be from the peer although it comes from another address: with
 * SRTP from any address, because the datagram has to pass authentication, and else from the same host only. */
static gboolean
has_moved (GstTfrcPlace * place, const GstTfrcUdpDatagram * datagram,
    guint32 ssrc)
{
  if (!gst_tfrc_udp_address_same_host (&place->address, &datagram->remote) &&
      !gst_tfrc_peer_is_encrypted (place->peer))
    return FALSE;
  return gst_tfrc_peer_has_ssrc (place->peer, ssrc);
}

/* Finds the peer that may have sent a datagram from an address that is not known: the peer with its SSRC, or
 * else the only peer of the same host that was not heard lately. */
static GstTfrcPlace *
find_moved (GstTfrcBinPort * port, const GstTfrcUdpDatagram * datagram,
    guint32 ssrc)
{
  GstTfrcPlace *found = NULL;
  guint i, candidates = 0;

  for (i = 0; i < port->places->len; i++) {
    GstTfrcPlace *place = g_ptr_array_index (port->places, i);

    if (has_moved (place, datagram, ssrc))
      return place;
    if (port->settings.accept == GST_TFRC_ACCEPT_KNOWN &&
        gst_tfrc_udp_address_same_host (&place->address, &datagram->remote) &&
        gst_tfrc_peer_is_silent (place->peer, datagram->arrival)) {
      candidates++;
      found = place;
    }
  }
  return candidates == 1 ? found : NULL;
}

/* RTCP that has a port of its own comes from the host of `address` and goes to it from now on. */
static void
move_rtcp (GstTfrcPlace * place, const GstTfrcUdpAddress * address)
{
  guint16 port = place->rtcp_address.port;

  if (!gst_tfrc_udp_address_is_set (&place->rtcp_address))
    return;
  place->rtcp_address = *address;
  place->rtcp_address.port = port;
  gst_tfrc_peer_set_rtcp_address (place->peer, &place->rtcp_address);
}

/* Returns FALSE when another peer has that address. The peer's own RTCP address is not in the way. */
static gboolean
move_place (GstTfrcBinPort * port, GstTfrcPlace * place,
    const GstTfrcUdpAddress * address)
{
  gboolean moved;

  gst_tfrc_place_give_rtcp_up (place);
  moved = gst_tfrc_admission_table_move (port->table, &place->address, address);
  if (moved) {
    GST_DEBUG ("peer %u has another address, port %u",
        gst_tfrc_peer_get_id (place->peer), address->port);
    port->moved++;
    place->address = *address;
    move_rtcp (place, address);
  }
  gst_tfrc_place_take_rtcp (place);
  return moved;
}

typedef struct
{
  GstTfrcBinPort *port;
  GstTfrcPeer *peer;
  const GstTfrcUdpAddress *address;
  gboolean moved;
} Move;

static void
move_peer (GstTfrcUdpWorker * worker, gpointer data)
{
  Move *move = data;
  GstTfrcPlace *place = gst_tfrc_peer_get_io_data (move->peer);

  move->moved = move_place (move->port, place, move->address);
  if (move->moved)
    gst_tfrc_peer_move (move->peer, move->address, &place->rtcp_address,
        gst_util_get_timestamp ());
}

gboolean
gst_tfrc_bin_port_move (GstTfrcBinPort * port, GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address)
{
  Move move = { port, peer, address, FALSE };

  gst_tfrc_udp_worker_call (port->worker, move_peer, &move);
  return move.moved;
}

/* Returns FALSE when the datagram was not of that peer. */
static gboolean
move (GstTfrcBinPort * port, GstTfrcPlace * place,
    GstTfrcUdpDatagram * datagram)
{
  if (!gst_tfrc_peer_on_moved (place->peer, datagram))
    return FALSE;
  if (place->worker == port->worker)
    gst_tfrc_peer_hand_out (place->peer);
  else
    gst_tfrc_udp_timer_set (&place->timer, 0);
  move_place (port, place, &datagram->remote);
  return TRUE;
}

/* Someone who is none of the peers. */
static void
take_caller (GstTfrcBinPort * port, const GstTfrcUdpAddress * address)
{
  if (!gst_tfrc_admission_table_refuse_if_full (port->table) &&
      port->settings.accept == GST_TFRC_ACCEPT_ANY)
    port->settings.on_stranger (address, port->settings.data);
}

static void
admit (GstTfrcBinPort * port, GstTfrcUdpDatagram * datagram, guint32 ssrc)
{
  GstTfrcPlace *place = find_moved (port, datagram, ssrc);

  if (place != NULL && move (port, place, datagram))
    return;
  if (port->settings.dtls == NULL)
    take_caller (port, &datagram->remote);
}

/* --- strangers with DTLS --- */

typedef struct
{
  GstTfrcBinPort *port;
  GstTfrcUdpRoute route;
} Answer;

static void
send_answer (const guint8 * data, gsize size, gpointer user_data)
{
  Answer *answer = user_data;

  gst_tfrc_udp_worker_socket_send (answer->port->socket, data, size,
      &answer->route);
}

/* The only peer of the stranger's host that waits for a handshake. Another port of the host is
 * what a NAT makes of a peer's address. */
static GstTfrcPlace *
find_waiting (GstTfrcBinPort * port, const GstTfrcUdpDatagram * datagram)
{
  GstTfrcPlace *found = NULL;
  guint i, candidates = 0;

  for (i = 0; i < port->places->len; i++) {
    GstTfrcPlace *place = g_ptr_array_index (port->places, i);

    if (gst_tfrc_udp_address_same_host (&place->address, &datagram->remote) &&
        gst_tfrc_peer_awaits_hello (place->peer, datagram->arrival)) {
      candidates++;
      found = place;
    }
  }
  return candidates == 1 ? found : NULL;
}

static void
admit_caller (GstTfrcBinPort * port, GstTfrcUdpDatagram * datagram)
{
  GstTfrcPlace *place = find_waiting (port, datagram);

  if (place != NULL) {
    move_place (port, place, &datagram->remote);
    gst_tfrc_peer_set_address (place->peer, &datagram->remote,
        datagram->arrival);
    gst_tfrc_place_deliver (place, datagram);
  } else {
    take_caller (port, &datagram->remote);
  }
}

/* The first ClientHello is what the table has on probation, the one with the cookie is admitted. */
static void
take_hello (GstTfrcBinPort * port, GstTfrcUdpDatagram * datagram,
    GstTfrcAdmissionVerdict verdict)
{
  Answer answer = { port, {
          .remote = datagram->remote,
      .local = datagram->local}
  };
  GstTfrcDtlsHello hello;

  if (verdict != GST_TFRC_ADMISSION_ADMITTED &&
      verdict != GST_TFRC_ADMISSION_ON_PROBATION)
    return;
  if (gst_tfrc_dtls_find_hello (datagram->data, datagram->size) == NULL)
    port->malformed++;
  else if (gst_tfrc_dtls_context_check_hello (port->settings.dtls,
          &datagram->remote, datagram->data, datagram->size, &hello,
          send_answer, &answer, datagram->arrival) &&
      verdict == GST_TFRC_ADMISSION_ADMITTED)
    admit_caller (port, datagram);
}

static gboolean
is_dtls (GstTfrcBinPort * port, const GstTfrcUdpDatagram * datagram)
{
  return port->settings.dtls != NULL &&
      gst_tfrc_dtls_is_record (datagram->data, datagram->size);
}

static void
take_stun (GstTfrcBinPort * port, const GstTfrcUdpDatagram * datagram)
{
  port->stun++;
  if (port->settings.on_stun == NULL
      || !port->settings.on_stun (datagram, port->settings.stun_data))
    port->stun_dropped++;
}

static void
take_datagram (GstTfrcBinPort * port, GstTfrcUdpDatagram * datagram)
{
  GstTfrcAdmissionVerdict verdict;
  gpointer place = NULL;
  guint32 ssrc;

  if (datagram->size < SMALLEST) {
    port->malformed++;
    return;
  }
  if (gst_tfrc_datagram_is_stun (datagram->data, datagram->size)) {
    take_stun (port, datagram);
    return;
  }
  ssrc = is_dtls (port, datagram) ? 0 : get_ssrc (datagram);
  verdict = gst_tfrc_admission_table_look_up (port->table, &datagram->remote,
      ssrc, datagram->arrival, &place);
  if (place != NULL)
    gst_tfrc_place_deliver (place, datagram);
  else if (is_dtls (port, datagram))
    take_hello (port, datagram, verdict);
  else if (verdict == GST_TFRC_ADMISSION_ADMITTED)
    admit (port, datagram, ssrc);
}

static void
on_datagrams (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n_datagrams, gpointer data)
{
  guint i;

  for (i = 0; i < n_datagrams; i++)
    take_datagram (data, &datagrams[i]);
}

/* --- open and closed --- */

static GstTfrcAdmissionTable *
new_table (const GstTfrcBinPortSettings * settings)
{
  return gst_tfrc_admission_table_new (&(GstTfrcAdmissionTableSettings) {
          .max_peers = settings->max_peers,
          .probation = PROBATION,
          .rate = settings->accept == GST_TFRC_ACCEPT_NONE ? 0 : STRANGERS,
          .burst = STRANGERS,
          .host_rate = STRANGERS_OF_NETWORK,
          .host_burst = STRANGERS_OF_NETWORK}
      );
}

static void
port_free (GstTfrcBinPort * port)
{
  g_ptr_array_unref (port->places);
  gst_tfrc_admission_table_free (port->table);
  g_free (port);
}

GstTfrcBinPort *
gst_tfrc_bin_port_open (const GstTfrcBinPortSettings * settings,
    GError ** error)
{
  static const GstTfrcUdpWorkerSocketCallbacks callbacks =
      { on_datagrams, NULL };
  GstTfrcBinPort *port = g_new0 (GstTfrcBinPort, 1);

  port->settings = *settings;
  port->table = new_table (settings);
  port->places = g_ptr_array_new ();
  port->worker = gst_tfrc_udp_worker_join (settings->context,
      settings->threads, error);
  if (port->worker != NULL)
    port->socket =
        gst_tfrc_udp_worker_socket_new (port->worker, settings->socket,
        &callbacks, port, error);
  if (port->socket != NULL)
    return port;
  if (port->worker != NULL)
    gst_tfrc_udp_worker_leave (port->worker);
  port_free (port);
  return NULL;
}

void
gst_tfrc_bin_port_close (GstTfrcBinPort * port)
{
  gst_tfrc_udp_worker_socket_close (port->socket);
  gst_tfrc_udp_worker_leave (port->worker);
  port_free (port);
}

guint
gst_tfrc_bin_port_get_number (GstTfrcBinPort * port)
{
  return gst_tfrc_udp_worker_socket_get_port (port->socket);
}

void
gst_tfrc_bin_port_send (GstTfrcBinPort * port,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size)
{
  GstTfrcUdpRoute route = { .remote = *address };

  gst_tfrc_udp_worker_socket_send (port->socket, data, size, &route);
}

/* --- statistics --- */

typedef struct
{
  GstTfrcBinPort *port;
  GstStructure *stats;
} Question;

static void
add_dtls_stats (GstStructure * stats, const GstTfrcDtlsContext * dtls)
{
  GstTfrcDtlsContextStats s;

  gst_tfrc_dtls_context_get_stats (dtls, &s);
  gst_structure_set (stats,
      "hellos", G_TYPE_UINT64, s.hellos,
      "hellos-limited", G_TYPE_UINT64, s.hellos_limited,
      "handshakes", G_TYPE_UINT64, s.handshakes,
      "handshakes-limited", G_TYPE_UINT64, s.handshakes_limited,
      "handshakes-running", G_TYPE_UINT, s.running, NULL);
}

/* Datagrams of peers in other threads that came while their inbox was full. */
static guint64
count_inbox_dropped (GstTfrcBinPort * port)
{
  guint64 dropped = port->inbox_dropped;
  guint i;

  for (i = 0; i < port->places->len; i++) {
    GstTfrcPlace *place = g_ptr_array_index (port->places, i);

    dropped += gst_tfrc_datagram_inbox_get_dropped (&place->inbox);
  }
  return dropped;
}

static void
add_table_stats (GstTfrcUdpWorker * worker, gpointer data)
{
  Question *question = data;
  GstTfrcBinPort *port = question->port;
  GstTfrcAdmissionTableStats stats;
  guint i;

  gst_tfrc_admission_table_get_stats (port->table, &stats);
  for (i = GST_TFRC_ADMISSION_ADMITTED; i < GST_TFRC_ADMISSION_VERDICTS; i++) {
    gchar *name = g_strdup_printf ("strangers-%s",
        gst_tfrc_admission_verdict_get_name (i));

    gst_structure_set (question->stats, name, G_TYPE_UINT64,
        stats.verdicts[i], NULL);
    g_free (name);
  }
  gst_structure_set (question->stats,
      "malformed", G_TYPE_UINT64, port->malformed,
      "inbox-dropped", G_TYPE_UINT64, count_inbox_dropped (port),
      "moved", G_TYPE_UINT64, port->moved,
      "stun", G_TYPE_UINT64, port->stun,
      "stun-dropped", G_TYPE_UINT64, port->stun_dropped, NULL);
  if (port->settings.dtls != NULL)
    add_dtls_stats (question->stats, port->settings.dtls);
}

void
gst_tfrc_bin_port_add_stats (GstTfrcBinPort * port, GstStructure * stats)
{
  GstTfrcUdpWorkerSocketStats s;
  Question question = { port, stats };

  gst_tfrc_udp_worker_call (port->worker, add_table_stats, &question);
  gst_tfrc_udp_worker_socket_get_stats (port->socket, &s);
  gst_structure_set (stats,
      "datagrams-received", G_TYPE_UINT64, s.received,
      "bytes-received", G_TYPE_UINT64, s.received_bytes,
      "overflowed", G_TYPE_UINT64, s.overflowed,
      "datagrams-sent", G_TYPE_UINT64, s.sent,
      "bytes-sent", G_TYPE_UINT64, s.sent_bytes,
      "not-sent", G_TYPE_UINT64, s.full + s.no_buffers + s.too_big +
      s.refused + s.unreachable + s.other_errors, NULL);
}
