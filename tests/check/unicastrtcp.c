/* gst-tfrc tests: the bytes that an RTP session with one remote end makes and reads
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unicastbytes.h"

#include <tfrc/wire.h>

#include "rtcp/rtcppackets.h"
#include "rtcp/unicastsessionprivate.h"

GST_START_TEST (a_compound_packet_has_its_parts_in_order)
{
  static const guint types[] =
      { GST_RTCP_TYPE_SR, GST_RTCP_TYPE_SDES, GST_RTCP_TYPE_RTPFB,
    GST_RTCP_TYPE_PSFB, GST_RTCP_TYPE_APP, GST_RTCP_TYPE_APP, GST_RTCP_TYPE_XR
  };
  GstTfrcRtpFields sent = {
    .ssrc = OWN,
    .seq = 1,
    .rtptime = 0xFFFFFF00,
    .payload_size = 160
  };
  TfrcReport report = { 1, 2, 3, 4 };
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer;
  guint32 ssrc, rtptime, packets, octets, lost, max, jitter, lsr, dlsr;
  guint64 ntp;
  guint8 fraction;
  gint32 cumulative;

  unicast_begin ();
  /* captured 100 ms before it left */
  gst_tfrc_unicast_session_on_sent (&session, &sent, START - 100 * TFRC_MSEC,
      START);
  fail_unless (unicast_arrive (7, START) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless (unicast_arrive (9,
          START + 20 * TFRC_MSEC) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless (unicast_read (bytes_make_remote (0, 0).data, 68,
          START) & GST_TFRC_SESSION_CLOCK);
  gst_tfrc_unicast_session_request_key_frame (&session, START);
  buffer =
      gst_tfrc_unicast_session_make_rtcp (&session, &report,
      START + 250 * TFRC_MSEC);
  fail_unless (gst_rtcp_buffer_validate (buffer));
  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    fail_unless_equals_int (gst_rtcp_packet_get_type (&packet), types[i]);
    fail_unless_equals_int (gst_rtcp_packet_move_to_next (&packet),
        i + 1 < G_N_ELEMENTS (types));
  }
  gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  gst_rtcp_packet_sr_get_sender_info (&packet, &ssrc, &ntp, &rtptime, &packets,
      &octets);
  fail_unless_equals_int (ssrc, OWN);
  /* 0.5 + 0.25 s */
  fail_unless_equals_uint64_hex (ntp, G_GUINT64_CONSTANT (0xED003780C0000000));
  /* 350 ms after the capture of the packet: 2800 units, over the wrap */
  fail_unless_equals_int (rtptime, 2800 - 256);
  fail_unless_equals_int (packets, 1);
  fail_unless_equals_int (octets, 160);
  gst_rtcp_packet_get_rb (&packet, 0, &ssrc, &fraction, &cumulative, &max,
      &jitter, &lsr, &dlsr);
  lost = cumulative;
  fail_unless_equals_int (ssrc, REMOTE);
  fail_unless_equals_int (fraction, 85);        /* one of three */
  fail_unless_equals_int (lost, 1);
  fail_unless_equals_int (max, 9);
  /* two packets 40 ms apart by their timestamps came 20 ms apart: 160 / 16 */
  fail_unless_equals_int (jitter, 10);
  fail_unless_equals_int (lsr, 0x37804000);
  /* the last argument of a time does not go back: the SR came at 20 ms */
  fail_unless_equals_int (dlsr, 65536 * 230 / 1000);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (the_largest_packet_fits)
{
  GstTfrcUnicastSessionConfig config;
  GstTfrcRtpFields sent = { .ssrc = OWN };
  TfrcReport report = { 1, 2, 3, 4 };
  GstBuffer *buffer;

  gst_tfrc_unicast_session_config_init (&config);
  config.ssrc = OWN;
  memset (config.cname, 'x', GST_TFRC_CNAME_SIZE - 1);
  config.probation = 1;
  config.settings.ecn = TRUE;
  config.sends = config.receives = TRUE;
  gst_tfrc_unicast_session_init (&session, &config, START);
  gst_tfrc_unicast_session_on_sent (&session, &sent, START, START);
  unicast_arrive (1, START);
  READ (0x80CF0004, REMOTE, 0x04000002, 1, 2);
  gst_tfrc_unicast_session_on_mark (&session, 1, TFRC_ECN_ECT0, FALSE);
  gst_tfrc_unicast_session_request_key_frame (&session, START);
  buffer = gst_tfrc_unicast_session_make_rtcp (&session, &report, START);
  /* SR with a block 52, SDES 8 + 2 + 63 and its end in 76, report 28, PLI 12, marks 32, settings 40, XR 36 */
  fail_unless_equals_int (gst_buffer_get_size (buffer), 276);
  fail_unless (gst_rtcp_buffer_validate (buffer));
  gst_buffer_unref (buffer);
  buffer = gst_tfrc_unicast_session_make_bye (&session, START);
  fail_unless_equals_int (gst_buffer_get_size (buffer), 52 + 76 + 32 + 8);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* Packets are written into one buffer of the thread. */
GST_START_TEST (a_packet_that_somebody_keeps_is_not_written_again)
{
  GstTfrcRtpFields sent = { .ssrc = OWN };
  GstBuffer *buffer, *copy;
  guint8 before[256];
  gsize size;

  unicast_begin ();
  gst_tfrc_unicast_session_on_sent (&session, &sent, START, START);
  buffer = gst_tfrc_unicast_session_make_rtcp (&session, NULL, START);
  size = gst_buffer_extract (buffer, 0, before, sizeof before);
  copy = gst_buffer_copy (buffer);      /* which has the same memory */
  gst_buffer_unref (buffer);
  buffer = gst_tfrc_unicast_session_make_bye (&session, START);
  fail_unless (gst_rtcp_buffer_validate (buffer));
  fail_unless_equals_int (gst_buffer_get_size (copy), size);
  fail_unless_equals_int (gst_buffer_memcmp (copy, 0, before, size), 0);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (what_the_remote_end_says_is_read)
{
  /* LSR: the sender report of START, DLSR: 1 s; it comes 1.1 s after that report */
  Bytes bytes =
      bytes_make_remote ((0xED00378080000000 >> 16) & G_MAXUINT32, 65536);
  guint64 time;
  guint bits;

  unicast_begin ();
  bits = unicast_read (bytes.data, bytes.size, START + 1100 * TFRC_MSEC);
  fail_unless_equals_int (bits,
      GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_CLOCK |
      GST_TFRC_SESSION_BLOCK | GST_TFRC_SESSION_RTT | GST_TFRC_SESSION_ANSWERED
      | GST_TFRC_SESSION_TIMER | GST_TFRC_SESSION_NEW_END);
  fail_unless_equals_int (input.block.fraction, 64);
  fail_unless_equals_int (input.block.lost, -2);
  fail_unless_equals_int (input.block.extended_max, 0x00010005);
  fail_unless_equals_int (input.block.jitter, 80);
  /* to the unit of 1/65536 s */
  fail_unless (ABS ((gint64) (input.rtt - 100 * TFRC_MSEC)) < 20 * TFRC_USEC);
  fail_unless_equals_string (session.remote_cname, "a@bcd");
  unicast_arrive (1, START + 1100 * TFRC_MSEC);
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&session, 16000 + 8000,
          &time));
  fail_unless_equals_uint64 (time, 3976214400 * TFRC_SEC + 1250 * TFRC_MSEC);
}

GST_END_TEST;

GST_START_TEST (a_round_trip_time_that_cannot_be_is_refused)
{
  guint32 own = (0xED00378080000000 >> 16) & G_MAXUINT32;       /* NTP at START, 1/65536 s */
  const struct
  {
    guint32 lsr, dlsr;
    gint64 rtt;                 /* ms, -1: refused */
    guint after;                /* s since START */
  } cases[] = {
    {own, 65536, 1000, 2}, {own, 2 * 65536, 0, 2},
    {own, 2 * 65536 + 100, 0, 2},       /* 0.1 % of clocks that differ */
    {own, 2 * 65536 + 200, -1, 2},      /* a delay longer than the time */
    {own + 2 * 65536 - 1, 3, 0, 2},     /* two units of 1/65536 s */
    {own + 2 * 65536 - 1, 4, -1, 2},
    {own - 65536, 0, -1, 2},    /* a report of before the session */
    {own + 3 * 65536, 0, -1, 2},        /* and one of the future */
    {own, G_MAXUINT32, -1, 2},
    {own, 0, 59000, 59}, {own, 0, -1, 61}       /* no call has a path of a minute */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Bytes bytes = bytes_make_remote (cases[i].lsr, cases[i].dlsr);
    guint bits;

    unicast_begin ();
    bits =
        unicast_read (bytes.data, bytes.size,
        START + cases[i].after * TFRC_SEC);
    fail_unless (bits & GST_TFRC_SESSION_BLOCK);
    fail_unless_equals_int ((bits & GST_TFRC_SESSION_RTT) != 0,
        cases[i].rtt >= 0);
    fail_unless_equals_uint64 (session.counts.malformed, cases[i].rtt < 0);
    if (cases[i].rtt >= 0)
      fail_unless (ABS ((gint64) (input.rtt - cases[i].rtt * TFRC_MSEC)) <
          20 * (gint64) TFRC_USEC);
    else
      fail_unless_equals_uint64 (session.rtt, TFRC_TIME_NONE);
  }
}

GST_END_TEST;

GST_START_TEST (feedback_about_our_stream_alone_is_taken)
{
  unicast_begin ();
  fail_unless (READ (0x82CD0006, REMOTE, OWN, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_int (input.report.t_i_us, 1);
  fail_unless_equals_int (input.report.t_delay_us, 2);
  fail_unless_equals_int (input.report.x_recv_Bps, 3);
  fail_unless_equals_int (input.report.p_q32, 4);
  fail_unless_equals_uint64 (session.counts.ignored, 0);
  /* about another stream, of another FMT, of another sender */
  fail_if (READ (0x82CD0006, REMOTE, OWN + 1, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  fail_if (READ (0x83CD0006, REMOTE, OWN, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_uint64 (session.counts.ignored, 2);
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  fail_if (READ (0x82CD0006, REMOTE + 1, OWN, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
  fail_unless_equals_uint64 (session.counts.wrong_sender_reports, 1);
  /* too short, too long */
  fail_if (READ (0x82CD0005, REMOTE, OWN, 1, 2, 3) & GST_TFRC_SESSION_REPORT);
  fail_if (READ (0x82CD0009, REMOTE, OWN, 1, 2, 3, 4, 5, 6,
          7) & GST_TFRC_SESSION_REPORT);
  fail_if (READ (0x82CD0001, REMOTE) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_uint64 (session.counts.malformed, 3);
  /* with padding, of which the last byte is the length */
  fail_unless (READ (0xA2CD0007, REMOTE, OWN, 1, 2, 3, 4,
          4) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_uint64 (session.counts.reports_received, 2);
}

GST_END_TEST;

GST_START_TEST (settings_are_read_of_both_roles)
{
  guint bits;

  unicast_begin ();
  bits =
      READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028, 0x01900002, 0x80CC0004,
      REMOTE, APP_NAME, 0x0102001C, 0xFFFF0001);
  fail_unless (bits & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_unless (bits & GST_TFRC_SESSION_RECEIVER_SETTINGS);
  fail_unless_equals_int (input.sender_settings.H, 40);
  fail_unless_equals_int (input.sender_settings.measure, 0);
  fail_unless (input.sender_settings.takes_reduced);
  fail_unless_equals_int (input.receiver_settings.H, 28);
  fail_unless_equals_int (input.receiver_settings.measure, 2);
  fail_if (input.receiver_settings.takes_reduced);
  /* the upper half of the flags is a playout, which a data receiver has */
  fail_unless_equals_int (input.sender_settings.playout_ms, 0);
  fail_unless_equals_int (input.receiver_settings.playout_ms, 65535);
  /* no words, one word, no name: none is read behind its end */
  fail_if (READ (0x80CC0002, REMOTE,
          APP_NAME) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_if (READ (0x80CC0003, REMOTE, APP_NAME,
          1) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_if (READ (0x80CC0001, REMOTE) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_unless_equals_uint64 (session.counts.malformed, 3);
  /* another name, another version, another sender */
  READ (0x80CC0004, REMOTE, APP_NAME + 1, 0, 0);
  READ (0x81CC0004, REMOTE, APP_NAME, 0, 0);
  fail_unless_equals_uint64 (session.counts.ignored, 2);
  READ (0x80CC0004, REMOTE + 1, APP_NAME, 0, 0);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
}

GST_END_TEST;

/* In its first packets, and in as many when it changes. */
GST_START_TEST (a_data_receiver_says_its_playout)
{
  static const guint playouts[] = { 400, 40 };
  guint32 words[UNICAST_WORDS];
  TfrcTime now = START;

  unicast_begin ();
  session.sends = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (playouts); i++) {
    gst_tfrc_unicast_session_set_playout (&session, playouts[i]);
    for (guint n = 0; n < 6; n++) {
      guint size = unicast_take_packet (GST_RTCP_TYPE_APP, words,
          now += 5 * TFRC_SEC);

      fail_unless_equals_int (size, n < 5 ? 5 : 0);
      if (n < 5)
        fail_unless_equals_int (words[4] >> 16, playouts[i]);
    }
    gst_tfrc_unicast_session_set_playout (&session, playouts[i]);
    fail_unless_equals_int (unicast_take_packet (GST_RTCP_TYPE_APP, words,
            now += 5 * TFRC_SEC), 0);
  }
}

GST_END_TEST;

GST_START_TEST (pli_and_fir_ask_for_a_key_frame)
{
  unicast_begin ();
  fail_unless (READ (0x81CE0002, REMOTE, OWN) & GST_TFRC_SESSION_KEY_FRAME);
  fail_if (READ (0x81CE0002, REMOTE, OWN + 1) & GST_TFRC_SESSION_KEY_FRAME);
  /* RFC 5104 4.3.1: a FIR with the same number is the same request */
  fail_unless (READ (0x84CE0004, REMOTE, 0, OWN,
          5 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  fail_if (READ (0x84CE0004, REMOTE, 0, OWN,
          5 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  fail_unless (READ (0x84CE0006, REMOTE, 0, OWN + 1, 6 << 24, OWN,
          6 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  fail_if (READ (0x84CE0004, REMOTE, 0, OWN + 1,
          7 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  fail_unless_equals_uint64 (session.counts.key_frames_asked, 3);
  fail_unless_equals_uint64 (session.counts.ignored, 2);
  fail_unless_equals_uint64 (session.counts.malformed, 0);
}

GST_END_TEST;

/* A mixer's RR with blocks about two streams, and SDES of two sources. */
GST_START_TEST (what_is_about_others_is_passed_over)
{
  Bytes bytes = { {0}, 0 };
  guint bits;

  unicast_begin ();
  bytes_put (&bytes, 0x82C9000D);
  bytes_put (&bytes, REMOTE);
  for (guint i = 0; i < 2; i++) {
    bytes_put (&bytes, OWN + 1 - i);
    bytes_put (&bytes, i << 24);
    for (guint word = 0; word < 4; word++)
      bytes_put (&bytes, i);
  }
  bytes_put (&bytes, 0x82CA0005);
  bytes_put (&bytes, REMOTE + 1);
  bytes_put (&bytes, 0x01014100);       /* CNAME "A", end */
  bytes_put (&bytes, REMOTE);
  bytes_put (&bytes, 0x02014301);       /* NAME "C", then CNAME "B" of the next word */
  bytes_put (&bytes, 0x01420000);
  bits = unicast_read (bytes.data, bytes.size, START);
  fail_unless (bits & GST_TFRC_SESSION_BLOCK);
  fail_unless_equals_int (input.block.fraction, 1);
  fail_unless_equals_int (input.block.extended_max, 1);
  fail_unless_equals_string (session.remote_cname, "B");
}

GST_END_TEST;

GST_START_TEST (a_cname_is_bounded_and_utf8)
{
  Bytes bytes = { {0}, 0 };

  unicast_begin ();
  bytes_put (&bytes, 0x80C90001);
  bytes_put (&bytes, REMOTE);
  bytes_put (&bytes, 0x81CA0000 | 66);
  bytes_put (&bytes, REMOTE);
  bytes.data[bytes.size] = GST_RTCP_SDES_CNAME;
  bytes.data[bytes.size + 1] = 255;
  memset (bytes.data + bytes.size + 2, 'y', 255);
  bytes.data[bytes.size + 2 + 126] = 0xC3;      /* half of a character where it is cut */
  bytes.data[bytes.size + 2 + 127] = 0xA4;
  bytes.size += 260;
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless_equals_int (strlen (session.remote_cname), 126);
  fail_unless (g_utf8_validate (session.remote_cname, -1, NULL));
  fail_unless_equals_uint64 (session.counts.malformed, 0);
  /* one that ends behind its packet leaves what is known */
  bytes.data[11] = 65;
  bytes.size -= 4;
  unicast_read (bytes.data, bytes.size, START);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
  fail_unless_equals_int (strlen (session.remote_cname), 126);
}

GST_END_TEST;

GST_START_TEST (a_packet_that_is_cut_is_counted_and_dropped)
{
  Bytes bytes = bytes_make_remote (0, 0);

  unicast_begin ();
  for (gsize size = 0; size < bytes.size; size++)
    /* the SR alone is a packet */
    if (size != 52)
      fail_unless_equals_int (unicast_read (bytes.data, size, START),
          GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.malformed, bytes.size - 1);
  fail_unless_equals_uint64 (session.counts.rtcp_received, 0);
  /* more blocks than there is room for */
  bytes.data[0] = 0x82;
  fail_unless_equals_int (unicast_read (bytes.data, bytes.size, START),
      GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.malformed, bytes.size);
  bytes.data[0] = 0x81;
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_ACCEPTED);
}

GST_END_TEST;

/* Who is known by RTCP is the same end when its RTP comes, and stays when that of another comes. */
GST_START_TEST (rtp_of_a_known_end_makes_it_no_other)
{
  for (guint i = 0; i < 2; i++) {
    Bytes bytes = bytes_make_remote (0, 0);
    GstTfrcUnicastSessionStats stats;

    unicast_begin ();
    GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE + i);
    unicast_read (bytes.data, bytes.size, START);
    session.app_left = 1;
    fail_unless (unicast_arrive (1, START) & GST_TFRC_SESSION_NEW_REMOTE);
    gst_tfrc_unicast_session_get_stats (&session, &stats);
    fail_unless_equals_int (stats.remote_ssrc, REMOTE);
    fail_unless_equals_int (stats.reporter_ssrc, i == 0 ? 0 : REMOTE + 1);
    fail_unless_equals_int (session.app_left, i == 0 ? 1 : 5);
  }
}

GST_END_TEST;

GST_START_TEST (rtp_that_cannot_be_used_is_counted)
{
  static const guint8 cut[] = { 0x80, 0, 0, 1 };
  GstTfrcRtpFields fields;

  unicast_begin ();
  fail_unless_equals_int (gst_tfrc_unicast_session_on_rtp (&session, cut,
          sizeof cut, &fields, START), GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
  unicast_arrive (1, START);
  fail_unless_equals_int (unicast_arrive (20000, START),
      GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.jumps, 1);
  fail_unless_equals_int (unicast_arrive (20001, START),
      GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_RESTARTED);
  fail_unless_equals_uint64 (session.counts.jumps, 1);
}

GST_END_TEST;

GST_START_TEST (bye_is_read)
{
  static const guint8 bye[] = { 0x81, 0xCB, 0, 1, 0x0B, 0x0B, 0x0B, 0x0B };

  unicast_begin ();
  unicast_arrive (1, START);
  gst_buffer_unref (gst_tfrc_unicast_session_make_rtcp (&session, NULL, START));
  /* of a stranger; of more sources than there are words */
  fail_if (READ (0x81CB0001, REMOTE + 5) & GST_TFRC_SESSION_BYE);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
  fail_if (READ (0x82CB0001, REMOTE) & GST_TFRC_SESSION_BYE);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
  /* alone, too; a key frame of who has left is not asked for */
  gst_tfrc_unicast_session_request_key_frame (&session, START);
  fail_unless_equals_int (unicast_read (bye, sizeof bye, START) &
      (GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_BYE),
      GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_BYE);
  fail_if (session.key_frame_due);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
}

GST_END_TEST;

/* RFC 5506 4.1: whoever was not heard in a compound packet is not known. */
GST_START_TEST (feedback_alone_makes_nobody_known)
{
  static const guint32 packets[][7] = {
    {0x82CD0006, REMOTE, OWN, 1, 2, 3, 4}, {0x81CE0002, REMOTE, OWN},
    {0x80CC0004, REMOTE, APP_NAME, 1, 1}
  };

  unicast_begin ();
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    Bytes bytes = { {0}, 0 };

    for (guint word = 0; word <= (packets[i][0] & 0xFFFF); word++)
      bytes_put (&bytes, packets[i][word]);
    fail_unless_equals_int (unicast_read (bytes.data, bytes.size, START),
        GST_TFRC_SESSION_REFUSED);
  }
  fail_unless_equals_uint64 (session.counts.strangers, G_N_ELEMENTS (packets));
  fail_unless_equals_uint64 (session.counts.reports_received, 0);
}

GST_END_TEST;

/* A type that is not known, and feedback of a kind that is not read. */
GST_START_TEST (what_is_not_read_is_counted)
{
  unicast_begin ();
  fail_unless (READ (0x80D00001, REMOTE, 0x8FCE0003, REMOTE, 0, 0x52454D42) &
      GST_TFRC_SESSION_ACCEPTED);
  fail_unless_equals_uint64 (session.counts.ignored, 2);
  fail_unless_equals_uint64 (session.counts.malformed, 0);
  /* the padding takes the name */
  READ (0xA0CC0003, REMOTE, APP_NAME, 8);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
}

GST_END_TEST;

/* A packet may leave before its medium's time, where that has a latency of its own. */
GST_START_TEST (a_sender_report_knows_media_of_the_future)
{
  GstTfrcRtpFields sent = { .ssrc = OWN, .rtptime = 10000 };
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer;
  guint32 rtptime;

  unicast_begin ();
  gst_tfrc_unicast_session_on_sent (&session, &sent, START + 100 * TFRC_MSEC,
      START);
  buffer =
      gst_tfrc_unicast_session_make_rtcp (&session, NULL,
      START + 20 * TFRC_MSEC);
  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  gst_rtcp_packet_sr_get_sender_info (&packet, NULL, NULL, &rtptime, NULL,
      NULL);
  fail_unless_equals_int (rtptime, 10000 - 80 * 8);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (padding_that_lies_is_malformed)
{
  /* an RR alone, whose last byte would be its padding's length */
  static const guint8 rr[] = { 0xA0, 0xC9, 0, 1, 0x0B, 0x0B, 0x0B, 0xFC };
  static const guint8 bye[] =
      { 0xA1, 0xCB, 0, 2, 0x0B, 0x0B, 0x0B, 0x0B, 0, 0, 0, 8 };

  unicast_begin ();
  fail_unless_equals_int (unicast_read (rr, sizeof rr, START),
      GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.malformed, 1);
  /* the padding takes the SSRC */
  fail_unless_equals_int (unicast_read (bye, sizeof bye, START),
      GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.malformed, 2);
}

GST_END_TEST;

/* RFC 3550 8.2 */
GST_START_TEST (rtcp_under_our_own_ssrc_is_a_collision)
{
  Bytes bytes = bytes_make_remote (0, 0);

  unicast_begin ();
  gst_buffer_unref (gst_tfrc_unicast_session_make_rtcp (&session, NULL, START));
  GST_WRITE_UINT32_BE (bytes.data + 4, OWN);
  fail_unless_equals_int (unicast_read (bytes.data, bytes.size, START),
      GST_TFRC_SESSION_REFUSED | GST_TFRC_SESSION_NEW_SSRC |
      GST_TFRC_SESSION_TIMER);
  fail_unless (session.ssrc != OWN);
  fail_unless_equals_uint64 (session.counts.collisions, 1);
  fail_unless_equals_uint64 (session.counts.strangers, 0);
  fail_unless (session.bye_due);
  /* what has the old SSRC is the remote end from now on */
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_ACCEPTED);
  /* RFC 3550 6.3.7: an SSRC that nothing was sent under says no BYE */
  unicast_begin ();
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_NEW_SSRC);
  fail_if (session.bye_due);
}

GST_END_TEST;

/* The second SSRC of a remote end that has one for what it sends and one for its RTCP. */
GST_START_TEST (a_remote_end_may_report_under_a_second_ssrc)
{
  Bytes bytes = bytes_make_remote (0, 0);
  GstTfrcUnicastSessionStats stats;

  unicast_begin ();
  fail_unless (unicast_arrive (1, START) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_ACCEPTED);
  GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE + 1);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_BLOCK);
  fail_unless (READ (0x84CE0004, REMOTE + 1, 0, OWN,
          5 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  gst_buffer_unref (gst_tfrc_unicast_session_make_rtcp (&session, NULL, START));
  /* but not under a third while the second is heard */
  GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START + 499 * TFRC_MSEC) & GST_TFRC_SESSION_BLOCK);
  GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE + 2);
  fail_unless_equals_int (unicast_read (bytes.data, bytes.size,
          START + 499 * TFRC_MSEC), GST_TFRC_SESSION_REFUSED);
  gst_tfrc_unicast_session_get_stats (&session, &stats);
  fail_unless_equals_int (stats.remote_ssrc, REMOTE);
  fail_unless_equals_int (stats.reporter_ssrc, REMOTE + 1);
  fail_unless_equals_uint64 (stats.counts.strangers, 1);
  fail_unless (gst_tfrc_unicast_session_next_rtcp (&session,
          FALSE) > START + 499 * TFRC_MSEC);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START + 500 * TFRC_MSEC) & GST_TFRC_SESSION_BLOCK);
  /* the newcomer is answered at once, and its FIR is another request */
  fail_unless (gst_tfrc_unicast_session_next_rtcp (&session,
          FALSE) <= START + 500 * TFRC_MSEC);
  fail_unless (READ (0x84CE0004, REMOTE + 2, 0, OWN,
          5 << 24) & GST_TFRC_SESSION_KEY_FRAME);
  gst_tfrc_unicast_session_get_stats (&session, &stats);
  fail_unless_equals_int (stats.reporter_ssrc, REMOTE + 2);
  /* BYE of the one, then of the other */
  fail_if (READ (0x81CB0001, REMOTE + 2) & GST_TFRC_SESSION_BYE);
  fail_unless (READ (0x81CB0001, REMOTE) & GST_TFRC_SESSION_BYE);
}

GST_END_TEST;

/* Anybody can send an SR in the name of another SSRC; a TFRC report that was accepted has a send time, which nobody off
 * the path knows. */
GST_START_TEST (who_has_proven_itself_by_a_report_keeps_its_place)
{
  Bytes bytes = bytes_make_remote (0, 0);
  guint bits;

  unicast_begin ();
  fail_unless (READ (0x82CD0006, REMOTE, OWN, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  fail_unless_equals_int (gst_tfrc_unicast_session_on_proven (&session, REMOTE),
      0);
  GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE + 1);
  fail_unless_equals_int (unicast_read (bytes.data, bytes.size,
          START + 1999 * TFRC_MSEC), GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_uint64 (session.counts.strangers, 1);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START + 2 * TFRC_SEC) & GST_TFRC_SESSION_NEW_END);
  /* whoever has a BYE said for it leaves its place */
  gst_tfrc_unicast_session_on_proven (&session, REMOTE + 1);
  bits = READ (0x81CB0001, REMOTE + 1);
  fail_unless (bits & GST_TFRC_SESSION_BYE);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START + 2 * TFRC_SEC) & GST_TFRC_SESSION_NEW_END);
}

GST_END_TEST;

static guint
take_rtp (guint32 ssrc, guint16 seq, TfrcTime now)
{
  guint8 packet[20] = { 0x80 };
  GstTfrcRtpFields fields;

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  return gst_tfrc_unicast_session_on_rtp (&session, packet, sizeof packet,
      &fields, now);
}

/* Two packets in sequence of one SSRC after the other, by somebody who sends in the name of the remote end's address.
 * The remote end has one packet between them. */
GST_START_TEST (who_has_proven_itself_takes_its_place_among_strangers)
{
  const guint taken = GST_TFRC_SESSION_ACCEPTED | GST_TFRC_SESSION_NEW_REMOTE;

  unicast_begin ();
  session.probation_length = 2;
  take_rtp (REMOTE + 1, 1, START);
  fail_unless ((take_rtp (REMOTE + 1, 2, START) & taken) == taken);
  fail_unless_equals_int (take_rtp (REMOTE, 1, START),
      GST_TFRC_SESSION_REFUSED);
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  fail_unless ((take_rtp (REMOTE, 2, START) & taken) == taken);
  take_rtp (REMOTE + 2, 1, START);
  fail_unless_equals_int (take_rtp (REMOTE + 2, 2, START),
      GST_TFRC_SESSION_REFUSED);
  /* it pauses, and returns within a minute */
  take_rtp (REMOTE + 3, 1, START + TFRC_SEC);
  fail_unless ((take_rtp (REMOTE + 3, 2, START + TFRC_SEC) & taken) == taken);
  fail_unless ((take_rtp (REMOTE, 9, START + 59 * TFRC_SEC) & taken) == taken);
  take_rtp (REMOTE + 4, 1, START + 60 * TFRC_SEC);
  fail_unless ((take_rtp (REMOTE + 4, 2, START + 60 * TFRC_SEC) & taken)
      == taken);
  fail_unless_equals_int (take_rtp (REMOTE, 10, START + 60 * TFRC_SEC),
      GST_TFRC_SESSION_REFUSED);
}

GST_END_TEST;

/* A packet that its BYE has overtaken does not bring it back. */
GST_START_TEST (who_has_said_bye_is_trusted_no_more)
{
  unicast_begin ();
  session.probation_length = 2;
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  fail_unless (take_rtp (REMOTE, 1, START) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless (READ (0x81CB0001, REMOTE) & GST_TFRC_SESSION_BYE);
  fail_unless_equals_int (take_rtp (REMOTE, 2, START),
      GST_TFRC_SESSION_PROBATION);
}

GST_END_TEST;

GST_START_TEST (who_has_said_bye_while_others_have_its_place_is_trusted_no_more)
{
  unicast_begin ();
  session.probation_length = 2;
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  take_rtp (REMOTE, 1, START);
  take_rtp (REMOTE + 1, 1, START + TFRC_SEC);
  take_rtp (REMOTE + 1, 2, START + TFRC_SEC);
  gst_tfrc_unicast_session_adopt_reporter (&session, REMOTE + 2);
  fail_unless_equals_int (READ (0x81CB0001, REMOTE) & GST_TFRC_SESSION_BYE, 0);
  fail_unless_equals_int (take_rtp (REMOTE, 2, START + TFRC_SEC),
      GST_TFRC_SESSION_REFUSED);
}

GST_END_TEST;

/* A pause of the data is no end of the reports. Anybody can send settings, so that they restart a flow once for each
 * report that was accepted. */
GST_START_TEST (reports_are_missed_once_when_data_got_none)
{
  GstTfrcRtpFields sent = { .ssrc = OWN };
  Bytes bytes = bytes_make_remote (0, 0);
  TfrcTime later = START + 10 * TFRC_SEC;

  unicast_begin ();
  gst_tfrc_unicast_session_on_sent (&session, &sent, START, START);
  fail_unless (READ (0x82CD0006, REMOTE, OWN, 1, 2, 3,
          4) & GST_TFRC_SESSION_REPORT);
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  unicast_read (bytes.data, bytes.size, later);
  fail_if (gst_tfrc_unicast_session_misses_reports (&session));
  gst_tfrc_unicast_session_on_sent (&session, &sent, later, later);
  gst_tfrc_unicast_session_on_sent (&session, &sent, later, later + TFRC_SEC);
  unicast_read (bytes.data, bytes.size, later + 1999 * TFRC_MSEC);
  fail_if (gst_tfrc_unicast_session_misses_reports (&session));
  unicast_read (bytes.data, bytes.size, later + 2 * TFRC_SEC);
  fail_unless (gst_tfrc_unicast_session_misses_reports (&session));
  fail_if (gst_tfrc_unicast_session_misses_reports (&session));
  /* the next report begins anew */
  gst_tfrc_unicast_session_on_proven (&session, REMOTE);
  later += 4 * TFRC_SEC;
  gst_tfrc_unicast_session_on_sent (&session, &sent, later, later);
  unicast_read (bytes.data, bytes.size, later + 2 * TFRC_SEC);
  fail_unless (gst_tfrc_unicast_session_misses_reports (&session));
}

GST_END_TEST;

GST_START_TEST (who_proves_itself_takes_the_place_of_who_does_not)
{
  /* an RR and a report of another SSRC */
  static const guint32 words[] = { 0x80C90001, REMOTE + 1, 0x82CD0006,
    REMOTE + 1, OWN, 1, 2, 3, 4
  };
  Bytes bytes = { {0}, 0 };
  guint bits;

  unicast_begin ();
  fail_unless (READ (0x80C90001, REMOTE) & GST_TFRC_SESSION_NEW_END);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    bytes_put (&bytes, words[i]);
  bits = unicast_read (bytes.data, bytes.size, START);
  fail_unless_equals_int (bits, GST_TFRC_SESSION_REFUSED |
      GST_TFRC_SESSION_REPORT);
  fail_unless_equals_int (input.report_ssrc, REMOTE + 1);
  fail_unless_equals_uint64 (session.counts.reports_received, 0);
  /* which is of somebody else until the data sender accepts it */
  fail_unless_equals_int (unicast_read (bytes.data, 8, START),
      GST_TFRC_SESSION_REFUSED);
  fail_unless_equals_int (gst_tfrc_unicast_session_on_proven (&session,
          REMOTE + 1), GST_TFRC_SESSION_NEW_END);
  fail_unless_equals_uint64 (session.counts.reports_received, 1);
  fail_unless (unicast_read (bytes.data, bytes.size,
          START) & GST_TFRC_SESSION_ACCEPTED);
  fail_unless_equals_uint64 (session.counts.reports_received, 2);
  /* then reports of others are not looked at */
  GST_WRITE_UINT32_BE (bytes.data + 4, REMOTE);
  GST_WRITE_UINT32_BE (bytes.data + 12, REMOTE);
  fail_unless_equals_int (unicast_read (bytes.data, bytes.size, START),
      GST_TFRC_SESSION_REFUSED);
}

GST_END_TEST;

GST_START_TEST (settings_of_a_data_sender_name_a_send_time_of_its_data)
{
  GstTfrcStampMemory stamps = { {0}
  };

  unicast_begin ();
  gst_tfrc_unicast_session_set_stamps (&session, &stamps);
  /* before there are data they hold until the data come */
  fail_unless (READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028,
          2) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_if (input.sender_is_known);
  fail_unless (session.reduced.remote_takes);
  gst_tfrc_stamp_memory_add (&stamps, 77);
  /* no send time, and another one */
  fail_if (READ (0x80CC0004, REMOTE, APP_NAME, 0x01000028,
          8) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_if (READ (0x80CC0005, REMOTE, APP_NAME, 0x01000028, 8,
          78) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_unless_equals_uint64 (session.counts.unknown_settings, 2);
  fail_unless (session.reduced.remote_takes);
  fail_if (session.remote_takes_timed);
  fail_unless (READ (0x80CC0005, REMOTE, APP_NAME, 0x01000028, 8,
          77) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_unless (input.sender_is_known);
  fail_if (session.reduced.remote_takes);
  fail_unless (session.remote_takes_timed);
  fail_if (session.remote_takes_arrivals);
  fail_unless (READ (0x80CC0005, REMOTE, APP_NAME, 0x01000028, 0x28,
          77) & GST_TFRC_SESSION_SENDER_SETTINGS);
  fail_unless (session.remote_takes_arrivals);
}

GST_END_TEST;

static Suite *
unicastrtcp_suite (void)
{
  Suite *suite = suite_create ("unicastrtcp");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_compound_packet_has_its_parts_in_order);
  tcase_add_test (tcase, the_largest_packet_fits);
  tcase_add_test (tcase, a_packet_that_somebody_keeps_is_not_written_again);
  tcase_add_test (tcase, what_the_remote_end_says_is_read);
  tcase_add_test (tcase, a_round_trip_time_that_cannot_be_is_refused);
  tcase_add_test (tcase, feedback_about_our_stream_alone_is_taken);
  tcase_add_test (tcase, settings_are_read_of_both_roles);
  tcase_add_test (tcase, a_data_receiver_says_its_playout);
  tcase_add_test (tcase, pli_and_fir_ask_for_a_key_frame);
  tcase_add_test (tcase, what_is_about_others_is_passed_over);
  tcase_add_test (tcase, a_cname_is_bounded_and_utf8);
  tcase_add_test (tcase, a_packet_that_is_cut_is_counted_and_dropped);
  tcase_add_test (tcase, rtp_of_a_known_end_makes_it_no_other);
  tcase_add_test (tcase, rtp_that_cannot_be_used_is_counted);
  tcase_add_test (tcase, bye_is_read);
  tcase_add_test (tcase, feedback_alone_makes_nobody_known);
  tcase_add_test (tcase, what_is_not_read_is_counted);
  tcase_add_test (tcase, a_sender_report_knows_media_of_the_future);
  tcase_add_test (tcase, padding_that_lies_is_malformed);
  tcase_add_test (tcase, rtcp_under_our_own_ssrc_is_a_collision);
  tcase_add_test (tcase, a_remote_end_may_report_under_a_second_ssrc);
  tcase_add_test (tcase, who_has_proven_itself_by_a_report_keeps_its_place);
  tcase_add_test (tcase, reports_are_missed_once_when_data_got_none);
  tcase_add_test (tcase, who_proves_itself_takes_the_place_of_who_does_not);
  tcase_add_test (tcase, who_has_proven_itself_takes_its_place_among_strangers);
  tcase_add_test (tcase, who_has_said_bye_is_trusted_no_more);
  tcase_add_test (tcase,
      who_has_said_bye_while_others_have_its_place_is_trusted_no_more);
  tcase_add_test (tcase,
      settings_of_a_data_sender_name_a_send_time_of_its_data);
  return suite;
}

GST_CHECK_MAIN (unicastrtcp);
