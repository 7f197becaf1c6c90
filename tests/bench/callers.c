/* gst-tfrc: many callers of a relay in one thread, by one socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callers.h"

#include <string.h>
#include <tfrc/receiver.h>
#include <tfrc/wire.h>

#include "rtcp/unicastsession.h"
#include "transport/srtpsession.h"
#include "transport/udpworkersocket.h"

#define PER_NETWORK 24          /* callers with an address of one /24; an even number */
#define EXTENSION_ID 3
#define HEADER 12
#define BLOCK 12                /* bytes of the header extension */
#define SAMPLES 160             /* of PCMU in a packet */
#define REPORT_INTERVAL (100 * TFRC_MSEC)
#define R_US 100000             /* round-trip time that the stamps tell */

typedef struct
{
  GstTfrcUdpAddress address;
  GstTfrcUdpTimer timer;
  GstClockTime next;
  guint16 seq;
  gboolean connected;
  guint received;               /* of the packets that were sent in the measured time */
  guint64 delay;                /* ns: theirs together */
  GstTfrcUnicastSession session;
  TfrcReceiver *receiver;
  GstTfrcSrtpSession *out, *in; /* NULL: the calls are not encrypted */
} Caller;

static Caller *callers;
static gboolean encrypts;
static GstTfrcSrtpKeys keys;    /* of all callers */
static guint n_callers;
static GstTfrcUdpWorker *worker;
static GstTfrcUdpWorkerSocket *net;
static GstTfrcUdpAddress relay;
static GstClockTime begin, end; /* of the measured time, on the worker's thread */
static CallersResult result;
static GstTfrcUdpTimer flood_timer;
static guint flood_rate;        /* packets per second */
static GstClockTime flood_next;

static gboolean
is_measured (GstClockTime sent)
{
  return sent >= begin && sent < end;
}

/* --- out --- */

static void
write_packet (Caller * caller, guint8 * data, GstClockTime now)
{
  TfrcStamp stamp = { R_US, now / TFRC_USEC };

  memset (data, 0, CALLER_PACKET);
  data[0] = 0x90;
  GST_WRITE_UINT16_BE (data + 2, caller->seq);
  GST_WRITE_UINT32_BE (data + 4, caller->seq * SAMPLES);
  GST_WRITE_UINT32_BE (data + 8, caller->session.ssrc);
  tfrc_stamp_write_block (&stamp, EXTENSION_ID, data + HEADER, BLOCK);
  memcpy (data + CALLER_PACKET - sizeof now, &now, sizeof now);
  caller->seq++;
}

static void
talk (Caller * caller, const GstTfrcUdpRoute * route, GstClockTime now)
{
  guint8 *data = gst_tfrc_udp_worker_socket_prepare (net);
  gsize size = CALLER_PACKET;
  GstTfrcRtpFields fields;

  write_packet (caller, data, now);
  gst_tfrc_rtp_fields_parse (&fields, data, size);
  if (encrypts && !gst_tfrc_srtp_session_protect (caller->out, data, &size,
          FALSE))
    g_error ("a packet cannot be encrypted");
  gst_tfrc_udp_worker_socket_submit (net, size, route);
  gst_tfrc_unicast_session_on_sent (&caller->session, &fields, now, now);
  result.sent += is_measured (now);
}

/* Takes the buffer. */
static void
send_rtcp_buffer (Caller * caller, const GstTfrcUdpRoute * route,
    GstBuffer * buffer)
{
  guint8 *data = gst_tfrc_udp_worker_socket_prepare (net);
  gsize size = gst_buffer_extract (buffer, 0, data, GST_TFRC_UDP_ROOM);

  if (encrypts && !gst_tfrc_srtp_session_protect (caller->out, data, &size,
          TRUE))
    g_error ("RTCP cannot be encrypted");
  gst_tfrc_udp_worker_socket_submit (net, size, route);
  gst_buffer_unref (buffer);
}

static void
send_rtcp (Caller * caller, const GstTfrcUdpRoute * route, GstClockTime now)
{
  TfrcReport report;
  gboolean has_report;
  GstBuffer *buffer;

  if (gst_tfrc_unicast_session_next_rtcp (&caller->session,
          tfrc_receiver_wants_report (caller->receiver)) > now)
    return;
  has_report = tfrc_receiver_make_report (caller->receiver, &report, now);
  buffer = gst_tfrc_unicast_session_make_rtcp (&caller->session,
      has_report ? &report : NULL, now);
  if (buffer != NULL)
    send_rtcp_buffer (caller, route, buffer);
}

static void
on_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  Caller *caller = data;
  GstTfrcUdpRoute route = { relay, caller->address, 0 };

  talk (caller, &route, now);
  if (now >= tfrc_receiver_next_timer (caller->receiver))
    tfrc_receiver_on_timer (caller->receiver, now);
  send_rtcp (caller, &route, now);
  caller->next += CALLER_INTERVAL;
  gst_tfrc_udp_timer_set (timer, caller->next);
}

/* --- in --- */

static void
note_delay (Caller * caller, const guint8 * data, gsize size,
    GstClockTime arrival)
{
  guint64 sent, delay;

  memcpy (&sent, data + size - sizeof sent, sizeof sent);
  if (!is_measured (sent))
    return;
  delay = arrival - MIN (sent, arrival);
  g_array_append_val (result.delays, delay);
  result.received++;
  caller->received++;
  caller->delay += delay;
}

static void
on_rtp (Caller * caller, GstTfrcUdpDatagram * datagram)
{
  GstTfrcRtpFields fields;
  TfrcPacket packet = { .size = datagram->size };

  if (datagram->size != CALLER_PACKET)
    g_error ("a packet of %" G_GSIZE_FORMAT " bytes came", datagram->size);
  if (!(gst_tfrc_unicast_session_on_rtp (&caller->session, datagram->data,
              datagram->size, &fields, datagram->arrival) &
          GST_TFRC_SESSION_ACCEPTED))
    return;
  caller->connected = TRUE;
  packet.seq = fields.seq;
  packet.stamped = tfrc_stamp_parse_block (&packet.stamp, EXTENSION_ID,
      datagram->data + HEADER, BLOCK) == TFRC_PARSE_OK;
  tfrc_receiver_on_packet (caller->receiver, &packet, datagram->arrival);
  gst_tfrc_unicast_session_confirm_report (&caller->session,
      packet.stamp.rtt_us);
  note_delay (caller, datagram->data, datagram->size, datagram->arrival);
}

static void
on_rtcp (Caller * caller, GstTfrcUdpDatagram * datagram)
{
  GstTfrcSessionInput input;

  gst_tfrc_unicast_session_on_rtcp (&caller->session, datagram->data,
      datagram->size, &input, datagram->arrival);
}

/* The addresses of the callers are 127.1.0.2 to 127.1.0.25, 127.1.1.2 and so on. */
static void
get_ip (guint i, guint8 ip[4])
{
  guint network = i / PER_NETWORK;

  ip[0] = 127;
  ip[1] = 1 + network / 256;
  ip[2] = network % 256;
  ip[3] = 2 + i % PER_NETWORK;
}

gchar *
callers_get_host (guint i)
{
  guint8 ip[4];

  get_ip (i, ip);
  return g_strdup_printf ("%u.%u.%u.%u", ip[0], ip[1], ip[2], ip[3]);
}

static void
set_address (GstTfrcUdpAddress * address, guint i, guint port)
{
  guint8 ip[4];

  get_ip (i, ip);
  address->ip[10] = address->ip[11] = 0xff;
  memcpy (address->ip + 12, ip, 4);
  address->port = port;
}

static Caller *
find_caller (const GstTfrcUdpAddress * address)
{
  const guint8 *ip = address->ip + 12;
  guint i = ((ip[1] - 1) * 256 + ip[2]) * PER_NETWORK + ip[3] - 2;

  return i < n_callers ? &callers[i] : NULL;
}

static void
on_datagram (GstTfrcUdpDatagram * datagram)
{
  Caller *caller = find_caller (&datagram->local);
  gboolean is_rtcp;

  if (caller == NULL || datagram->size < 8)
    return;
  is_rtcp = datagram->data[1] >= 192 && datagram->data[1] <= 223;
  if (encrypts && !gst_tfrc_srtp_session_unprotect (caller->in,
          datagram->data, &datagram->size, is_rtcp))
    return;
  if (is_rtcp)
    on_rtcp (caller, datagram);
  else
    on_rtp (caller, datagram);
}

static void
on_datagrams (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  guint i;

  for (i = 0; i < n; i++)
    on_datagram (&datagrams[i]);
}

/* --- strangers --- */

/* 127.128.0.0 to 127.255.255.255 are the addresses of strangers. */
static void
send_as_stranger (void)
{
  GstTfrcUdpRoute route = { .remote = relay };
  guint8 *data = gst_tfrc_udp_worker_socket_prepare (net);
  const guint32 ip = g_htonl (127u << 24 | 1 << 23 | g_random_int () >> 9);

  memset (data, 0, CALLER_PACKET);
  data[0] = 0x80;
  GST_WRITE_UINT32_BE (data + 8, g_random_int ());
  route.local.ip[10] = route.local.ip[11] = 0xff;
  memcpy (route.local.ip + 12, &ip, sizeof ip);
  gst_tfrc_udp_worker_socket_submit (net, CALLER_PACKET, &route);
}

static void
on_flood_timer (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  guint i;

  for (i = 0; i < flood_rate / 1000; i++)
    send_as_stranger ();
  flood_next += GST_MSECOND;
  gst_tfrc_udp_timer_set (timer, flood_next);
}

void
callers_flood (guint rate)
{
  flood_rate = rate;
  flood_next = gst_util_get_timestamp ();
  gst_tfrc_udp_timer_init (&flood_timer, worker, on_flood_timer, NULL);
  gst_tfrc_udp_timer_set (&flood_timer, 0);
}

/* --- all of them --- */

static GSocket *
open_socket (guint port)
{
  GSocketAddress *address =
      g_inet_socket_address_new_from_string ("0.0.0.0", port);
  GError *error = NULL;
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  if (!g_socket_bind (socket, address, FALSE, &error))
    g_error ("port %u: %s", port, error->message);
  g_object_unref (address);
  return socket;
}

static void
init_caller (Caller * caller, guint i, guint own_port, GstClockTime time)
{
  GstTfrcUnicastSessionConfig session;
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  config.report_with_packet = TRUE;
  gst_tfrc_unicast_session_config_init (&session);
  g_snprintf (session.cname, sizeof session.cname, "caller-%u", i);
  session.settings =
      (GstTfrcApp) {config.mode, config.measure, config.H, FALSE, TRUE};
  session.sends = session.receives = TRUE;
  session.clock_rate = session.remote_clock_rate = 8000;
  session.bandwidth =
      gst_tfrc_report_interval_get_rtcp_rate (REPORT_INTERVAL, 2);
  session.seed = i + 1;
  gst_tfrc_unicast_session_init (&caller->session, &session, time);
  caller->receiver = tfrc_receiver_init (g_malloc0 (tfrc_receiver_size
          (&config)), &config, time);
  tfrc_receiver_set_report_interval (caller->receiver, REPORT_INTERVAL, time);
  if (encrypts) {
    caller->out = gst_tfrc_srtp_session_new (&keys, TRUE);
    caller->in = gst_tfrc_srtp_session_new (&keys, FALSE);
  }
  set_address (&caller->address, i, own_port);
  gst_tfrc_udp_timer_init (&caller->timer, worker, on_timer, caller);
}

void
callers_encrypt (const gchar * key, const gchar * remote_key)
{
  GstTfrcSrtpSettings settings;
  gchar *error;

  gst_tfrc_srtp_settings_init (&settings);
  settings.key = g_strdup (key);
  settings.remote_key = g_strdup (remote_key);
  error = gst_tfrc_srtp_keys_read (&keys, &settings, GST_TFRC_SRTP_EITHER_END);
  if (error != NULL)
    g_error ("%s", error);
  gst_tfrc_srtp_settings_clear (&settings);
  encrypts = TRUE;
}

/* The next packet of each caller has a phase of its own in the 20 ms. */
void
callers_start (guint n, guint port, guint own_port, GstClockTime join_interval)
{
  static const GstTfrcUdpWorkerSocketCallbacks callbacks =
      { on_datagrams, NULL };
  GstClockTime now = gst_util_get_timestamp ();
  GSocket *socket = open_socket (own_port);
  GRand *rand = g_rand_new_with_seed (n);
  guint i;

  n_callers = n;
  callers = g_new0 (Caller, n);
  relay.ip[10] = relay.ip[11] = 0xff;
  relay.ip[12] = 127;
  relay.ip[15] = 1;
  relay.port = port;
  worker = gst_tfrc_udp_worker_join ("callers", 1, NULL);
  for (i = 0; i < n; i++)
    init_caller (&callers[i], i, own_port, now);
  net = gst_tfrc_udp_worker_socket_new (worker, socket, &callbacks, NULL, NULL);
  for (i = 0; i < n; i++) {
    callers[i].next = now + i * join_interval +
        g_rand_double (rand) * CALLER_INTERVAL;
    gst_tfrc_udp_timer_set (&callers[i].timer, callers[i].next);
  }
  g_rand_free (rand);
  g_object_unref (socket);
}

static void
begin_measurement (GstTfrcUdpWorker * self, gpointer duration)
{
  guint i;

  result = (CallersResult) {
      .delays = g_array_new (FALSE, FALSE, sizeof (guint64))};
  for (i = 0; i < n_callers; i++)
    callers[i].received = callers[i].delay = 0;
  begin = gst_util_get_timestamp ();
  end = begin + *(GstClockTime *) duration;
}

/* Every caller has a partner who sent as many packets as any other. */
static gdouble
get_slowest (void)
{
  gdouble slowest = 0;
  guint i;

  for (i = 0; i < n_callers; i++)
    slowest = MAX (slowest, callers[i].delay / 1e6 /
        MAX (callers[i].received, 1));
  return slowest;
}

static gdouble
get_worst (void)
{
  gdouble each = (gdouble) result.sent / n_callers, worst = 0;
  guint i;

  for (i = 0; i < n_callers; i++)
    worst = MAX (worst, 1 - callers[i].received / each);
  return worst;
}

static void
take_result (GstTfrcUdpWorker * self, gpointer taken)
{
  result.worst = get_worst ();
  result.slowest = get_slowest ();
  *(CallersResult *) taken = result;
  begin = end = 0;
}

void
callers_measure (GstClockTime duration, CallersResult * taken)
{
  gst_tfrc_udp_worker_call (worker, begin_measurement, &duration);
  g_usleep ((duration + CALLERS_FLIGHT) / GST_USECOND);
  gst_tfrc_udp_worker_call (worker, take_result, taken);
}

static void
count_connected (GstTfrcUdpWorker * self, gpointer count)
{
  guint i;

  for (i = 0; i < n_callers; i++)
    *(guint *) count += callers[i].connected;
}

guint
callers_count_connected (void)
{
  guint count = 0;

  gst_tfrc_udp_worker_call (worker, count_connected, &count);
  return count;
}
