/* gst-tfrc tests: calls from tfrcsink to tfrcsrc that others disturb
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "ends.h"

#define SP "mode=tfrc-sp"

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static void
send_rtp (guint from, guint32 ssrc, guint16 seq)
{
  guint8 packet[32] = { 0x80, 96, };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, seq * 960u);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  net_send (from, ends.port, packet, sizeof (packet));
}

GST_START_TEST (a_second_sender_does_not_take_over)
{
  guint other = net_open (0), i;
  guint64 ssrc;

  ends_start_call (&ends, SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  for (i = 0; i < 100; i++) {
    send_rtp (other, 0x99999999, i);
    fail_unless_equals_int (ends_play (&ends, ENDS_FRAME), 1);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-of-others"),
      100);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  ends_expect_none (ends.src, "source-changes");
  ends_expect_remote (&ends, "127.0.0.1:%u");
  ends_stop (&ends);
}

GST_END_TEST;

/* While a sender is paused, a stranger that sends for long enough is heard; the sender takes its place
 * back with its first packet. */
GST_START_TEST (a_sender_that_pauses_is_not_robbed)
{
  guint other = net_open (0), i, before;
  guint64 ssrc;

  ends_start_call (&ends, SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  ends_play (&ends, 600 * GST_MSECOND);
  send_rtp (other, 0x99999999, 100);
  send_rtp (other, 0x99999999, 200);
  ends_play (&ends, ENDS_FRAME);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  for (i = 0; i < 50; i++) {
    send_rtp (other, 0x99999999, i);
    ends_play (&ends, ENDS_FRAME);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), 0x99999999);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  for (i = 0; i < 5; i++) {
    send_rtp (other, 0x99999999, 50 + i);
    ends_play (&ends, ENDS_FRAME);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  ends_expect_remote (&ends, "127.0.0.1:%u");
  before = ends.earlier;
  for (i = 0; i < 100; i++) {
    send_rtp (other, 0x99999999, 55 + i);
    ends_play (&ends, ENDS_FRAME);
  }
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_int (ends.earlier, before);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  ends_stop (&ends);
}

GST_END_TEST;

/* Contributing sources and SSRCs of strangers are not kept. */
GST_START_TEST (a_flood_of_strangers_changes_no_call)
{
  guint8 packet[12 + 15 * 4 + 20] = { 0x8f, 96, };
  guint other = net_open (0), i, k;
  gdouble before;

  ends_start_call (&ends, SP, SP);
  before = ends_get_double (ends.sink, "allowed-rate");
  for (i = 0; i < 100; i++) {
    for (k = 0; k < 200; k++) {
      GST_WRITE_UINT16_BE (packet + 2, k);
      GST_WRITE_UINT32_BE (packet + 8, 0x10000 + 200 * i + k);
      GST_WRITE_UINT32_BE (packet + 12, 0x20000000 + 200 * i + k);
      net_send (other, ends.port, packet, sizeof packet);
    }
    fail_unless_equals_int (ends_play (&ends, ENDS_FRAME), 1);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-of-others"),
      20000);
  fail_unless (ends_get_double (ends.sink, "allowed-rate") >= 0.9 * before);
  ends_expect_none (ends.src, "source-changes");
  ends_stop (&ends);
}

GST_END_TEST;

/* Each side of the call is as before without rtcp-mux: RTCP of the media's host decides where reports
 * go, and RTCP of anybody else does not. */
GST_START_TEST (rtcp_of_a_stranger_does_not_move_reports)
{
  static const guint8 sr[28] = { 0x80, 200, 0, 6, 0x77, 0x77, 0x77, 0x77 };
  guint stranger, reports;

  ends_start_receiver (&ends, "rtcp-mux=false");
  stranger = net_open (0);
  ends_start_sender (&ends, "rtcp-mux=false");
  ends_play (&ends, 4 * GST_SECOND);
  net_send (stranger, ends.port + 1, sr, sizeof sr);
  reports = ends_get_stat (ends.sink, "reports");
  ends_play (&ends, GST_SECOND);
  fail_unless_equals_int (net_get_counts (stranger).packets, 0);
  fail_unless (ends_get_stat (ends.sink, "reports") >= reports + 4);
  ends_stop (&ends);
}

GST_END_TEST;

/* A forged announcement of another mode does not end a call in which reports were accepted. */
GST_START_TEST (a_forged_mode_is_a_warning)
{
  guint8 packet[8 + 20] = { 0x80, 201, 0, 1, 0, 0, 0, 0, 0x80, 204, 0, 4 };
  GPtrArray *packets;
  GstMessage *message;
  guint i;

  ends_start_call (&ends, SP, SP);
  packets = net_take (ends_get_port (ends.sink));
  for (i = 0; i < packets->len; i++) {
    gsize size, at;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    for (at = 0; at + 20 <= size; at += 4 * (GST_READ_UINT16_BE (data + at +
                2) + 1))
      if (data[at + 1] == 204) {
        memcpy (packet, data, 8);
        packet[0] = 0x80;
        packet[1] = 201;
        GST_WRITE_UINT16_BE (packet + 2, 1);
        memcpy (packet + 8, data + at, 20);
      }
  }
  g_ptr_array_unref (packets);
  fail_unless_equals_int (packet[8 + 12], 1);
  packet[8 + 12] = 0;
  net_send (ends.port, ends_get_port (ends.sink), packet, sizeof packet);
  ends_play (&ends, 100 * GST_MSECOND);
  message = ends_pop (ends.sender, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (bytes_of_anybody_are_counted_and_dropped)
{
  guint other = net_open (0), i;
  guint8 rubbish[20];

  ends_start_call (&ends, SP, SP);
  memset (rubbish, 0xff, sizeof (rubbish));
  for (i = 0; i < sizeof (rubbish); i++) {
    net_send (other, ends.port, rubbish, i + 1);
    net_send (other, ends_get_port (ends.sink), rubbish, i + 1);
  }
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-malformed"), 20);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets-malformed"),
      20);
  /* a sender hears no RTP */
  memset (rubbish, 0, sizeof (rubbish));
  rubbish[0] = 0x80;
  net_send (other, ends_get_port (ends.sink), rubbish, sizeof (rubbish));
  net_run (NET_DELAY);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets-unexpected"),
      1);
  ends_stop (&ends);
}

GST_END_TEST;

/* RTCP of a host behind a NAT comes from a port that is not the next one after that of RTP. */
GST_START_TEST (reports_go_to_the_port_that_rtcp_came_from)
{
  static const guint8 sr[28] = { 0x80, 200, 0, 6, 0x77, 0x77, 0x77, 0x77 };
  guint rtp = net_open (0), rtcp = net_open (0), i;

  ends_start_receiver (&ends, "rtcp-mux=false");
  rtcp = net_open (0);
  for (i = 0; i < 100; i++) {
    send_rtp (rtp, 0x77777777, i);
    ends_play (&ends, ENDS_FRAME);
    if (i == 50)
      net_send (rtcp, ends.port + 1, sr, sizeof (sr));
  }
  ends_play (&ends, 20 * GST_SECOND);
  fail_unless_equals_int (net_get_counts (rtp).packets, 0);
  fail_unless (net_get_counts (rtcp).rtcp > 0);
  ends_stop (&ends);
}

GST_END_TEST;

static Suite *
intruders_suite (void)
{
  Suite *suite = suite_create ("intruders");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, net_stop);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_second_sender_does_not_take_over);
  tcase_add_test (tcase, a_sender_that_pauses_is_not_robbed);
  tcase_add_test (tcase, a_flood_of_strangers_changes_no_call);
  tcase_add_test (tcase, rtcp_of_a_stranger_does_not_move_reports);
  tcase_add_test (tcase, a_forged_mode_is_a_warning);
  tcase_add_test (tcase, bytes_of_anybody_are_counted_and_dropped);
  tcase_add_test (tcase, reports_go_to_the_port_that_rtcp_came_from);
  return suite;
}

GST_CHECK_MAIN (intruders);
