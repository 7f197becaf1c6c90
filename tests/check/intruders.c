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

/* An RR of `ssrc`, and the settings of a data sender that has another mode and measure. */
static void
send_settings (guint from, guint32 ssrc)
{
  guint8 packet[] = { 0x80, 201, 0, 1, 0, 0, 0, 0, 0x80, 204, 0, 4,
    0, 0, 0, 0, 'T', 'F', 'R', 'C', 0, 7, 0, 40, 0, 0, 0, 0
  };

  GST_WRITE_UINT32_BE (packet + 4, ssrc);
  GST_WRITE_UINT32_BE (packet + 12, ssrc);
  net_send (from, ends.port, packet, sizeof packet);
}

static void
expect_no_words (GstElement * pipeline)
{
  fail_unless (ends_pop (pipeline,
          GST_MESSAGE_WARNING | GST_MESSAGE_ERROR) == NULL);
}

/* A data receiver that waits for a call answers anybody, and nobody ends it. The call that comes has its mode. */
GST_START_TEST (a_stranger_ends_no_receiver_that_waits)
{
  guint other = net_open (0);

  ends_start_receiver (&ends, "mode=tfrc-sp");
  for (guint i = 0; i < 3; i++) {
    send_settings (other, 0x99999999);
    net_run (GST_SECOND);
  }
  expect_no_words (ends.receiver);
  ends_start_sender (&ends, "mode=tfrc-sp");
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  expect_no_words (ends.receiver);
  ends_stop (&ends);
}

GST_END_TEST;

/* Whoever sends with the address and the SSRC of the data sender, and does not see its packets, knows no send time. */
GST_START_TEST (forged_settings_without_a_send_time_change_nothing)
{
  guint64 unknown;

  ends_start_call (&ends, SP, SP);
  unknown = ends_get_stat (ends.src, "rtcp-app-unknown");
  for (guint i = 0; i < 20; i++) {
    send_settings (ends_get_port (ends.sink), ends_get_stat (ends.src, "ssrc"));
    ends_play (&ends, 100 * GST_MSECOND);
  }
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "rtcp-app-unknown"),
      unknown + 20);
  expect_no_words (ends.receiver);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

/* The last APP packet that was sent to a port, in which the measure is another, behind an RR. */
static guint
make_other_measure (guint port, guint8 * packet)
{
  GPtrArray *packets = net_take (port);
  guint words = 0;

  for (guint i = 0; i < packets->len; i++) {
    gsize size, at;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    if (data[1] < 200 || data[1] > 207)
      continue;
    for (at = 0; at + 8 <= size; at += 4 * (GST_READ_UINT16_BE (data + at +
                2) + 1)) {
      if (data[at + 1] != 204)
        continue;
      words = GST_READ_UINT16_BE (data + at + 2);
      memcpy (packet + 8, data + at, 4 * (words + 1));
    }
  }
  g_ptr_array_unref (packets);
  fail_unless_equals_int (words, 5);
  GST_WRITE_UINT32_BE (packet, 0x80C90001);
  memcpy (packet + 4, packet + 12, 4);
  packet[21] = 7;
  return 8 + 4 * (words + 1);
}

/* Who copies the settings of a plain call, with the send time, and changes them does not end the call either. */
GST_START_TEST (changed_settings_with_a_send_time_end_no_call)
{
  guint8 packet[64];
  GstMessage *message;
  guint size;

  ends_start_call (&ends, SP, SP);
  size = make_other_measure (ends.port, packet);
  net_send (ends_get_port (ends.sink), ends.port, packet, size);
  ends_play (&ends, 100 * GST_MSECOND);
  message = ends_pop (ends.receiver, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_WARNING);
  gst_message_unref (message);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

/* RTCP of any SSRC from the data receiver's address does not take its place, while its own RTCP is lost or not. */
GST_START_TEST (forged_rtcp_takes_no_receivers_place)
{
  static const NetRules blocked = { .block = TRUE }, free = { 0 };
  guint8 rr[] = { 0x80, 201, 0, 1, 0, 0, 0, 0 };
  guint64 reports = 0;
  guint sink;

  ends_start_call (&ends, SP, SP);
  sink = ends_get_port (ends.sink);
  net_set_rules (sink, &blocked);
  ends_play (&ends, 600 * GST_MSECOND);
  for (guint i = 0; i < 50; i++) {
    if (i == 5) {
      net_set_rules (sink, &free);
      reports = ends_get_stat (ends.sink, "reports");
    }
    GST_WRITE_UINT32_BE (rr + 4, 0x1000);
    net_send (ends.port, sink, rr, sizeof rr);
    fail_unless_equals_int (ends_play (&ends, 5 * ENDS_FRAME), 5);
  }
  fail_unless (ends_get_stat (ends.sink, "reports") >= reports + 20);
  ends_expect_none (ends.sink, "peer-changes");
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
  tcase_add_test (tcase, a_stranger_ends_no_receiver_that_waits);
  tcase_add_test (tcase, forged_settings_without_a_send_time_change_nothing);
  tcase_add_test (tcase, changed_settings_with_a_send_time_end_no_call);
  tcase_add_test (tcase, forged_rtcp_takes_no_receivers_place);
  tcase_add_test (tcase, bytes_of_anybody_are_counted_and_dropped);
  tcase_add_test (tcase, reports_go_to_the_port_that_rtcp_came_from);
  return suite;
}

GST_CHECK_MAIN (intruders);
