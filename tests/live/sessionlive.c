/* gst-tfrc tests: our RTP session with rtpsession at the other end, over UDP and in real time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>

#include "sessionpair.h"

#define SECONDS 8
#define OUR_PORT 27610
#define PEER_PORT 27612         /* and the next for RTCP */
#define OUR_SSRC 0x0A0A0A0A
#define PEER_SSRC 2964369584
#define STR(x) #x
#define XSTR(x) STR (x)
#define NTP_UNIX 2208988800     /* s from 1900 to 1970 */

#define PIPELINE \
    "rtpsession name=session rtp-profile=avpf probation=1 " \
    "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000,channels=1 ! mulawenc ! " \
    "rtppcmupay ssrc=" XSTR (PEER_SSRC) " ! session.send_rtp_sink " \
    "session.send_rtp_src ! udpsink host=127.0.0.1 port=" XSTR (OUR_PORT) " " \
    "session.send_rtcp_src ! udpsink host=127.0.0.1 port=" XSTR (OUR_PORT) " sync=false async=false " \
    "udpsrc address=127.0.0.1 port=" XSTR (PEER_PORT) \
    " caps=application/x-rtp,media=audio,payload=0,clock-rate=8000,encoding-name=PCMU ! " \
    "session.recv_rtp_sink session.recv_rtp_src ! fakesink sync=false async=false " \
    "udpsrc address=127.0.0.1 port=27613 caps=application/x-rtcp ! session.recv_rtcp_sink"

typedef struct
{
  GstTfrcUnicastSession session;
  GSocket *socket;
  GSocketAddress *rtp, *rtcp;
  guint16 seq;
  TfrcTime next_media;
  guint rtts, times;
  guint wrapped;                /* report blocks of rtpsession with a DLSR below zero */
  gint64 least, most;           /* ns: arrival minus the sender's time of a packet */
} End;

static TfrcTime
get_now (void)
{
  return g_get_monotonic_time () * TFRC_USEC;
}

static guint64
get_ntp (void)
{
  return g_get_real_time () * TFRC_USEC + NTP_UNIX * TFRC_SEC;
}

static void
begin (End * end)
{
  GstTfrcUnicastSessionConfig config;
  GSocketAddress *here =
      g_inet_socket_address_new_from_string ("127.0.0.1", OUR_PORT);
  TfrcTime now = get_now ();

  /* rtpsession counts a wrap where the first packet has number 0 */
  *end = (End) {
      .next_media = now,
      .seq = 1000,
      .least = G_MAXINT64,
      .most = G_MININT64};
  end->socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  fail_unless (g_socket_bind (end->socket, here, TRUE, NULL));
  g_object_unref (here);
  end->rtp = g_inet_socket_address_new_from_string ("127.0.0.1", PEER_PORT);
  end->rtcp =
      g_inet_socket_address_new_from_string ("127.0.0.1", PEER_PORT + 1);
  gst_tfrc_unicast_session_config_init (&config);
  config.ssrc = OUR_SSRC;
  strcpy (config.cname, "live@test");
  config.clock_rate = config.remote_clock_rate = PAIR_CLOCK_RATE;
  config.sends = config.receives = TRUE;
  config.ntp = get_ntp ();
  gst_tfrc_unicast_session_init (&end->session, &config, now);
}

static void
finish (End * end)
{
  g_object_unref (end->rtcp);
  g_object_unref (end->rtp);
  g_object_unref (end->socket);
}

static void
send_bytes (End * end, GSocketAddress * to, gconstpointer data, gsize size)
{
  g_socket_send_to (end->socket, to, data, size, NULL, NULL);
}

static void
send_media (End * end)
{
  GstTfrcRtpFields fields = {
    .ssrc = OUR_SSRC,
    .seq = end->seq,
    .rtptime = end->seq * 160,
    .payload_size = PAIR_PAYLOAD
  };
  GBytes *data = session_pair_new_rtp (OUR_SSRC, fields.seq, fields.rtptime);
  TfrcTime now = get_now ();

  send_bytes (end, end->rtp, g_bytes_get_data (data, NULL),
      g_bytes_get_size (data));
  gst_tfrc_unicast_session_on_sent (&end->session, &fields, now, now);
  g_bytes_unref (data);
  end->seq++;
  end->next_media += PAIR_PERIOD;
}

static void
send_rtcp (End * end, GstBuffer * buffer)
{
  GstMapInfo map;

  fail_unless (buffer != NULL);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  send_bytes (end, end->rtcp, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static void
take_rtp (End * end, const guint8 * data, gsize size)
{
  GstTfrcRtpFields fields;
  guint64 time;
  gint64 age;

  if (!(gst_tfrc_unicast_session_on_rtp (&end->session, data, size, &fields,
              get_now ()) & GST_TFRC_SESSION_ACCEPTED) ||
      !gst_tfrc_unicast_session_get_sender_time (&end->session, fields.rtptime,
          &time))
    return;
  age = get_ntp () - time;
  end->least = MIN (end->least, age);
  end->most = MAX (end->most, age);
  end->times++;
}

/* rtpsession reads its clock for a report before it takes the lock; where an SR arrives in between, its DLSR is below zero
 * and is sent as an unsigned number of hours. */
static gboolean
is_wrapped (const guint8 * report, gsize size)
{
  gsize block = report[1] == GST_RTCP_TYPE_SR ? 28 : 8;

  return (report[0] & 0x1f) == 1 && size >= block + 24
      && GST_READ_UINT32_BE (report + block + 20) > 3600 * 65536u;
}

/* All that the peer sends is understood; else this prints the datagram that is not. */
static void
fail_unless_understood (End * end, const guint8 * data, gsize size)
{
  GstTfrcUnicastSessionStats stats;

  gst_tfrc_unicast_session_get_stats (&end->session, &stats);
  if (stats.counts.strangers == 0 && stats.counts.malformed == end->wrapped)
    return;
  gst_util_dump_mem (data, size);
  fail ("%" G_GUINT64_FORMAT " malformed, %u of them with a wrapped DLSR, and %"
      G_GUINT64_FORMAT " of strangers: the datagram above",
      stats.counts.malformed, end->wrapped, stats.counts.strangers);
}

static void
take_datagram (End * end)
{
  guint8 data[2048];
  gssize size =
      g_socket_receive (end->socket, (gchar *) data, sizeof data, NULL, NULL);
  GstTfrcSessionInput input;

  if (size < 2)
    return;
  if (data[1] < 200 || data[1] > 207) { /* RFC 5761 4 */
    take_rtp (end, data, size);
  } else {
    end->wrapped += is_wrapped (data, size);
    end->rtts += (gst_tfrc_unicast_session_on_rtcp (&end->session, data, size,
            &input, get_now ()) & GST_TFRC_SESSION_RTT) != 0;
  }
  fail_unless_understood (end, data, size);
}

static void
run (End * end, TfrcTime until)
{
  for (;;) {
    TfrcTime now = get_now (), next =
        gst_tfrc_unicast_session_next_rtcp (&end->session, FALSE);

    if (now >= until)
      break;
    if (now >= end->next_media)
      send_media (end);
    else if (now >= next)
      send_rtcp (end, gst_tfrc_unicast_session_make_rtcp (&end->session, NULL,
              now));
    else if (g_socket_condition_timed_wait (end->socket, G_IO_IN, (MIN (next,
                    end->next_media) - now) / TFRC_USEC + 1, NULL, NULL))
      take_datagram (end);
  }
}

static GObject *
get_peer_session (GstElement * pipeline)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "session");
  GObject *session;

  g_object_get (element, "internal-session", &session, NULL);
  gst_object_unref (element);
  return session;
}

/* rtpsession suggests an SSRC to the payloader, and reports with it from its first RTCP on; a payloader that has not heard of
 * it in time chooses another, and the session has two. */
static void
give_peer_one_ssrc (GstElement * pipeline)
{
  GObject *session = get_peer_session (pipeline);

  g_object_set (session, "internal-ssrc", PEER_SSRC, NULL);
  g_object_unref (session);
}

static GstStructure *
get_peer_stats (GstElement * pipeline)
{
  GObject *session = get_peer_session (pipeline), *source;
  GstStructure *stats;

  g_signal_emit_by_name (session, "get-source-by-ssrc", OUR_SSRC, &source);
  fail_unless (source != NULL);
  g_object_get (source, "stats", &stats, NULL);
  g_object_unref (source);
  g_object_unref (session);
  return stats;
}

#define fail_unless_between(value, least, most) G_STMT_START { \
  gdouble v_ = (value); \
  if (!(v_ >= (least) && v_ <= (most))) \
    fail ("%s is %g, not within %g and %g", #value, v_, (gdouble) (least), (gdouble) (most)); \
} G_STMT_END

GST_START_TEST (rtpsession_and_we_understand_each_other)
{
  GstElement *pipeline = gst_parse_launch (PIPELINE, NULL);
  GstTfrcUnicastSessionStats stats;
  GstStructure *theirs;
  gboolean have_sr = FALSE, have_rb = FALSE;
  guint rtt = 0;
  gint lost = -1;
  End end;

  give_peer_one_ssrc (pipeline);
  begin (&end);
  fail_unless (gst_element_set_state (pipeline,
          GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  run (&end, get_now () + SECONDS * TFRC_SEC);
  gst_tfrc_unicast_session_get_stats (&end.session, &stats);
  theirs = get_peer_stats (pipeline);

  fail_unless_equals_uint64 (stats.remote_ssrc, PEER_SSRC);
  fail_unless (end.session.remote_cname[0] != 0);
  fail_unless_equals_int (stats.lost, 0);
  fail_unless_between (stats.packets_received, 40 * SECONDS, 51 * SECONDS);
  fail_unless_between (end.rtts, 1, 4 * SECONDS);
  fail_unless_between (stats.rtt, 0, 50 * TFRC_MSEC);
  fail_unless_equals_int (stats.remote_lost, 0);
  /* both have one wall clock: a packet is not older than its block of 20 ms and a busy machine */
  fail_unless (end.times > 25 * SECONDS);
  fail_unless_between ((gdouble) end.least, -30 * (gdouble) TFRC_MSEC,
      60 * TFRC_MSEC);
  fail_unless_between ((gdouble) end.most, -30 * (gdouble) TFRC_MSEC,
      500 * TFRC_MSEC);

  fail_unless (gst_structure_get (theirs, "have-sr", G_TYPE_BOOLEAN, &have_sr,
          "have-rb", G_TYPE_BOOLEAN, &have_rb, "rb-round-trip", G_TYPE_UINT,
          &rtt, "packets-lost", G_TYPE_INT, &lost, NULL));
  fail_unless (have_sr && have_rb);
  fail_unless_between (rtt, 0, 65536 * 0.05);
  fail_unless_equals_int (lost, 0);
  gst_structure_free (theirs);

  /* it takes our BYE */
  send_rtcp (&end, gst_tfrc_unicast_session_make_bye (&end.session,
          get_now ()));
  g_usleep (200000);
  theirs = get_peer_stats (pipeline);
  fail_unless (gst_structure_get_boolean (theirs, "received-bye", &have_rb)
      && have_rb);
  gst_structure_free (theirs);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  finish (&end);
}

GST_END_TEST;

static Suite *
sessionlive_suite (void)
{
  Suite *suite = suite_create ("sessionlive");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, rtpsession_and_we_understand_each_other);
  return suite;
}

GST_CHECK_MAIN (sessionlive);
