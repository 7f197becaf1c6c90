/* gst-tfrc: fuzzer, an RTP session with one remote end that hears whatever the input says
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input leads a session through a life: time passes, RTP and RTCP arrive (as they are
 * in the input, or built from it so that SSRCs and lengths fit more often than chance would have
 * it), and what is due leaves. Laws that hold whatever comes in abort the program. */
#include <string.h>

#include <sanitizer/lsan_interface.h>

#include "rtcp/unicastsession.h"

#include "fuzz.h"

#define OWN 0x0A0A0A0A
#define REMOTE 0x0B0B0B0B
#define PACKET_MAX 256

/* Silence begins 5 s after the last RTCP at the latest, and a sign of life is 3 s away at most. */
#define QUIET_MAX (8 * TFRC_SEC)

static guint32
take_ssrc (Input * input, const GstTfrcUnicastSession * session)
{
  switch (take (input) % 8) {
    case 0:
      return OWN;
    case 1:
      return REMOTE + take (input);
    case 2:
    case 3:
      return session->ssrc;
    default:
      return REMOTE;
  }
}

/* An RTCP packet of any kind with words of the input; its lengths lie now and then. */
static gsize
build (Input * input, const GstTfrcUnicastSession * session, guint8 * packet)
{
  guint words = take (input) % 20, type = 200 + take (input) % 8, i;

  packet[0] = 0x80 | (take (input) & 0x3F);
  packet[1] = type;
  packet[2] = 0;
  packet[3] = take (input) % 16 == 0 ? take (input) : words;
  for (i = 0; i < words; i++) {
    guint32 word = take_ssrc (input, session);

    if (take (input) % 2 == 0)
      word = word << 24 | take (input) << 16 | take (input) << 8 | take (input);
    GST_WRITE_UINT32_BE (packet + 4 + 4 * i, word);
  }
  if (type == GST_RTCP_TYPE_APP && words >= 2)
    memcpy (packet + 8, "TFRC", 4);
  return 4 + 4 * words;
}

static gsize
build_compound (Input * input, const GstTfrcUnicastSession * session,
    guint8 * data)
{
  gsize size = 0;

  for (guint n = 1 + take (input) % 3; n > 0; n--)
    size += build (input, session, data + size);
  return size;
}

static void
arrive_rtcp (GstTfrcUnicastSession * session, Input * input, TfrcTime now)
{
  guint8 data[PACKET_MAX];
  GstTfrcSessionInput said;
  gsize size =
      take (input) % 4 == 0 ? take_bytes (input, data) : build_compound (input,
      session, data);
  /* of its own, so that the sanitizer sees the end */
  guint8 *own = g_memdup2 (data, MAX (size, 1));
  GstTfrcSessionBits bits =
      gst_tfrc_unicast_session_on_rtcp (session, own, size, &said, now);

  LAW (((bits & GST_TFRC_SESSION_ACCEPTED) != 0) !=
      ((bits & GST_TFRC_SESSION_REFUSED) != 0));
  if (bits & GST_TFRC_SESSION_RTT)
    LAW (said.rtt <= 60 * TFRC_SEC);
  if (bits & GST_TFRC_SESSION_BLOCK)
    LAW (said.block.lost >= -0x800000 && said.block.lost <= 0x7FFFFF);
  g_free (own);
}

static void
arrive_rtp (GstTfrcUnicastSession * session, Input * input, guint16 * seq,
    TfrcTime now)
{
  guint8 data[PACKET_MAX] = { 0x80 }, *own;
  gsize size = 12 + take (input) % 100;
  GstTfrcRtpFields fields;

  if (take (input) % 8 == 0) {
    size = take_bytes (input, data);
  } else {
    *seq += take (input) % 32 == 0 ? take (input) << 8 : 1;
    data[0] = take (input) % 8 == 0 ? take (input) : 0x80;
    GST_WRITE_UINT16_BE (data + 2, *seq);
    GST_WRITE_UINT32_BE (data + 4, *seq * 160u);
    GST_WRITE_UINT32_BE (data + 8, take_ssrc (input, session));
  }
  own = g_memdup2 (data, MAX (size, 1));
  gst_tfrc_unicast_session_on_rtp (session, own, size, &fields, now);
  g_free (own);
}

static void
leave (GstTfrcUnicastSession * session, Input * input, TfrcTime now)
{
  TfrcReport report = { take (input), 1, 2, 3 };
  gboolean waits = take (input) % 2;
  TfrcTime next = gst_tfrc_unicast_session_next_rtcp (session, waits);
  GstBuffer *buffer =
      gst_tfrc_unicast_session_make_rtcp (session, waits ? &report : NULL, now);

  /* what is due leaves, and nothing else */
  LAW ((buffer != NULL) == (next <= session->now));
  if (buffer == NULL)
    return;
  LAW (gst_rtcp_buffer_validate_reduced (buffer));
  LAW (gst_buffer_get_size (buffer) <= 208);
  gst_buffer_unref (buffer);
}

static void
check (const GstTfrcUnicastSession * session)
{
  GstTfrcUnicastSessionStats stats;
  TfrcTime next = gst_tfrc_unicast_session_next_rtcp (session, FALSE);
  guint64 time;

  gst_tfrc_unicast_session_get_stats (session, &stats);
  LAW (g_utf8_validate (session->remote_cname, -1, NULL));
  LAW (stats.remote_fraction_lost >= 0 && stats.remote_fraction_lost < 1);
  LAW (stats.ssrc != 0 && (stats.remote_ssrc != stats.ssrc
          || stats.remote_ssrc == 0));
  LAW (session->left == (next == TFRC_TIME_NONE));
  LAW (session->left || next <= session->now + QUIET_MAX);
  gst_tfrc_unicast_session_get_sender_time (session, 1, &time);
}

static void
act (GstTfrcUnicastSession * session, Input * input, guint16 * seq,
    TfrcTime * now)
{
  GstTfrcRtpFields sent = {
    .ssrc = session->ssrc,
    .rtptime = take (input),
    .payload_size = 100
  };

  switch (take (input) % 16) {
    case 0:
      *now += take (input) * TFRC_SEC;
      break;
    case 1:
      *now -= take (input) * TFRC_MSEC;
      break;
    case 2:
      gst_tfrc_unicast_session_on_sent (session, &sent,
          *now - take (input) * TFRC_MSEC, *now);
      break;
    case 3:
      gst_tfrc_unicast_session_request_key_frame (session, *now);
      break;
    case 4:
      gst_tfrc_unicast_session_set_timing (session, 1 + take (input) * 1000.0,
          take (input) * 100 * TFRC_MSEC, *now);
      break;
    case 5:
      gst_tfrc_unicast_session_set_clock_rates (session, take (input) * 1000,
          take (input) * 1000);
      break;
    case 6:
      gst_tfrc_unicast_session_set_ntp (session,
          20000000 * TFRC_SEC * take (input), *now);
      break;
    case 7:
      gst_tfrc_unicast_session_confirm_report (session, take (input));
      break;
    case 8:
    case 9:
      arrive_rtp (session, input, seq, *now);
      break;
    case 10:
    case 11:
      leave (session, input, *now);
      break;
    default:
      *now += take (input) * TFRC_MSEC;
      arrive_rtcp (session, input, *now);
  }
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  __lsan_disable ();            /* what GLib keeps for the life of the process */
  gst_init (argc, argv);
  __lsan_enable ();
  /* an assertion of GStreamer is a finding */
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING |
      G_LOG_FATAL_MASK);
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  Input input = { data, size };
  GstTfrcUnicastSessionConfig config;
  GstTfrcUnicastSession *session = g_new (GstTfrcUnicastSession, 1);
  TfrcTime now = 1000 * TFRC_SEC;
  GstBuffer *bye;
  guint16 seq = 0;

  gst_tfrc_unicast_session_config_init (&config);
  config.ssrc = OWN;
  strcpy (config.cname, "fuzz");
  config.ntp = 3976214400 * TFRC_SEC;
  config.clock_rate = config.remote_clock_rate = 8000;
  config.probation = 1 + take (&input) % 3;
  config.sends = config.receives = TRUE;
  gst_tfrc_unicast_session_init (session, &config, now);
  while (input.size > 0) {
    act (session, &input, &seq, &now);
    check (session);
  }
  bye = gst_tfrc_unicast_session_make_bye (session, now);
  if (bye != NULL)
    gst_buffer_unref (bye);
  check (session);
  g_free (session);
  return 0;
}
