/* gst-tfrc tests: an RTP session with one remote end, whose packets are written word by word
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unicastbytes.h"

#include "sessionpair.h"

/* NTP time at START, ns: 2026-01-01 00:00:00.5 */
#define NTP (3976214400 * TFRC_SEC + 500 * TFRC_MSEC)

GstTfrcUnicastSession session;
GstTfrcSessionInput input;

void
unicast_begin (void)
{
  GstTfrcUnicastSessionConfig config;

  gst_tfrc_unicast_session_config_init (&config);
  config.ssrc = OWN;
  strcpy (config.cname, "own@test");
  config.clock_rate = config.remote_clock_rate = 8000;
  config.probation = 1;
  config.sends = config.receives = TRUE;
  config.ntp = NTP;
  config.settings.mode = TFRC_MODE_TFRC_SP;
  config.settings.H = 28;
  gst_tfrc_unicast_session_init (&session, &config, START);
}

guint
unicast_read (const guint8 * data, gsize size, TfrcTime now)
{
  /* of its own, so that a sanitizer sees the end */
  guint8 *own = g_memdup2 (data, MAX (size, 1));
  guint bits =
      gst_tfrc_unicast_session_on_rtcp (&session, own, size, &input, now);

  g_free (own);
  return bits;
}

guint
unicast_arrive (guint16 seq, TfrcTime now)
{
  GBytes *data = session_pair_new_rtp (REMOTE, seq, seq * 160);
  GstTfrcRtpFields fields;
  guint bits =
      gst_tfrc_unicast_session_on_rtp (&session, g_bytes_get_data (data, NULL),
      g_bytes_get_size (data), &fields, now);

  g_bytes_unref (data);
  return bits;
}

guint
unicast_take_packet (guint type, guint32 words[UNICAST_WORDS], TfrcTime now)
{
  GstBuffer *buffer = gst_tfrc_unicast_session_make_rtcp (&session, NULL, now);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean more;
  guint n = 0;

  fail_unless (buffer != NULL && gst_rtcp_buffer_validate (buffer));
  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
      more = gst_rtcp_packet_move_to_next (&packet)) {
    if (gst_rtcp_packet_get_type (&packet) != type)
      continue;
    n = 1 + gst_rtcp_packet_get_length (&packet);
    fail_unless (n <= UNICAST_WORDS);
    for (guint i = 0; i < n; i++)
      words[i] = GST_READ_UINT32_BE (rtcp.map.data + packet.offset + 4 * i);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
  return n;
}

void
bytes_put (Bytes * bytes, guint32 word)
{
  GST_WRITE_UINT32_BE (bytes->data + bytes->size, word);
  bytes->size += 4;
}

Bytes
bytes_make_remote (guint32 lsr, guint32 dlsr)
{
  Bytes bytes = { {0}, 0 };

  bytes_put (&bytes, 0x81C8000C);       /* SR, one block, 12 words */
  bytes_put (&bytes, REMOTE);
  bytes_put (&bytes, 0xED003780);
  bytes_put (&bytes, 0x40000000);
  bytes_put (&bytes, 16000);    /* RTP timestamp */
  bytes_put (&bytes, 100);
  bytes_put (&bytes, 16000);
  bytes_put (&bytes, OWN);
  bytes_put (&bytes, 0x40FFFFFE);       /* 64/256 lost, -2 cumulative */
  bytes_put (&bytes, 0x00010005);
  bytes_put (&bytes, 80);       /* jitter */
  bytes_put (&bytes, lsr);
  bytes_put (&bytes, dlsr);
  bytes_put (&bytes, 0x81CA0003);       /* SDES, one chunk, 3 words */
  bytes_put (&bytes, REMOTE);
  bytes_put (&bytes, 0x01056140);       /* CNAME, 5 bytes, "a@" */
  bytes_put (&bytes, 0x62630000 | 'd' << 8);    /* "bcd", end */
  return bytes;
}

/* Feedback behind an RR of the remote end. */
guint
unicast_read_behind_rr (const guint32 * words, guint n)
{
  Bytes bytes = { {0}, 0 };

  bytes_put (&bytes, 0x80C90001);
  bytes_put (&bytes, REMOTE);
  for (guint i = 0; i < n; i++)
    bytes_put (&bytes, words[i]);
  return unicast_read (bytes.data, bytes.size, START);
}
