/* gst-tfrc tests: tfrcbin and a phone that knows nothing of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The phone speaks, and sends RFC 3550 sender reports, each with a report block about what it has
 * received: no TFRC report, no APP packet. It sends and receives on one port, or RTCP on the next one. */
#include <gst/check/gstcheck.h>

#include "callend.h"
#include "settle.h"

#define HOST "127.0.0.1"
#define OTHER_HOST "127.0.0.2"
#define PORT 6004
#define PHONE_PORT 7000
#define RTCP_PORT (PHONE_PORT + 1)
#define PHONE_SSRC 0x77777777
#define REPORT_EVERY 5          /* s, RFC 3550 6.2 */
#define SWIFT_REPORT_EVERY 1    /* s, of a phone that reports more often */
#define PACKETS 50              /* that are fed in a second */
#define STAMPED 0x10            /* the bit X of an RTP header */

/* What the phone has received. */
typedef struct
{
  guint lose_every;             /* each n-th packet does not arrive; 0: all do */
  gboolean is_deaf;             /* none arrives, and no report tells of further ones */
  const gchar *host;
  guint rtcp_port;              /* that RTCP is sent from */
  guint report_every;           /* s */
  gboolean has_no_lsr;          /* no block tells of a sender report, so that none tells the round-trip time */
  guint32 own_ssrc;             /* of what the phone sends */
  guint sent, arrived, lost, stamped;   /* packets of tfrcbin */
  guint rtcp;                   /* at PHONE_PORT */
  guint expected_before, lost_before;   /* when the last report was sent */
  guint32 ssrc;
  guint16 seq, own_seq;         /* of the last packets from and to tfrcbin */
  guint32 lsr;                  /* of the last sender report */
  GstClockTime lsr_arrival;
} Phone;

static CallEnd end;
static Phone phone;
static guint id;                /* of the phone at tfrcbin */

static void
set_up (void)
{
  net_start ();
  phone = (Phone) {.own_seq = 1, .own_ssrc = PHONE_SSRC};
  phone.host = HOST;
  phone.rtcp_port = PHONE_PORT;
  phone.report_every = REPORT_EVERY;
}

static void
tear_down (void)
{
  net_stop ();
}

static gboolean
is_rtcp (const guint8 * data)
{
  return data[1] >= 200 && data[1] <= 206;
}

static void
hear (const guint8 * data)
{
  if (data[1] == 200) {
    /* the middle of the NTP timestamp, which is not aligned */
    phone.lsr = (guint32) GST_READ_UINT16_BE (data + 10) << 16 |
        GST_READ_UINT16_BE (data + 12);
    phone.lsr_arrival = net_get_time ();
  }
  if (is_rtcp (data))
    return;
  phone.sent++;
  phone.stamped += (data[0] & STAMPED) != 0;
  if (phone.is_deaf)
    return;
  phone.ssrc = GST_READ_UINT32_BE (data + 8);
  phone.seq = GST_READ_UINT16_BE (data + 2);
  if (phone.lose_every != 0 && phone.sent % phone.lose_every == 0)
    phone.lost++;
  else
    phone.arrived++;
}

static void
hear_all (guint port)
{
  GPtrArray *packets = net_take (port);
  guint i;

  for (i = 0; i < packets->len; i++) {
    const guint8 *data =
        g_bytes_get_data (g_ptr_array_index (packets, i), NULL);

    phone.rtcp += port == PHONE_PORT && is_rtcp (data);
    fail_unless (port == PHONE_PORT || is_rtcp (data));
    hear (data);
  }
  g_ptr_array_unref (packets);
}

/* RFC 3550 6.4.1 and A.3 */
static void
report (void)
{
  guint8 packet[52] = { 0x81, 200, 0, 12 };
  guint expected = phone.sent - phone.expected_before;
  guint lost = phone.lost - phone.lost_before;
  guint dlsr = gst_util_uint64_scale (net_get_time () - phone.lsr_arrival,
      65536, GST_SECOND);

  GST_WRITE_UINT32_BE (packet + 4, phone.own_ssrc);
  GST_WRITE_UINT32_BE (packet + 28, phone.ssrc);
  GST_WRITE_UINT32_BE (packet + 32,
      (expected == 0 ? 0 : MIN (255, 256 * lost / expected)) << 24 |
      phone.lost);
  GST_WRITE_UINT32_BE (packet + 36, phone.seq);
  if (phone.lsr != 0 && !phone.has_no_lsr) {
    GST_WRITE_UINT32_BE (packet + 44, phone.lsr);
    GST_WRITE_UINT32_BE (packet + 48, dlsr);
  }
  net_send_from (phone.host, phone.rtcp_port, "", PORT, 0, packet,
      sizeof packet);
  phone.expected_before = phone.sent;
  phone.lost_before = phone.lost;
}

/* Both speak for so long. */
static void
speak (guint seconds)
{
  guint i;

  for (i = 0; i < PACKETS * seconds; i++) {
    phone_send (phone.host, PHONE_PORT, PORT, phone.own_ssrc, phone.own_seq++);
    call_run (CALL_FRAME, &end, NULL);
    hear_all (PHONE_PORT);
    hear_all (RTCP_PORT);
    if ((i + 1) % (PACKETS * phone.report_every) == 0)
      report ();
  }
}

static void
add_phone (const gchar * text)
{
  GstStructure *options = gst_structure_from_string (text, NULL);

  g_signal_emit_by_name (end.call, "add-peer", HOST, PHONE_PORT, options, &id);
  gst_structure_free (options);
  fail_unless (id > 0);
  settle ();
}

static void
start (const gchar * text)
{
  call_end_start (&end, "port=6004 mode=tfrc-sp");
  add_phone (text);
  call_end_feed (&end, id);
}

static gchar *
get_feedback (void)
{
  GstStructure *stats = call_end_get_peer_stats (&end, id), *sender = NULL;
  gchar *feedback;

  fail_unless (gst_structure_get (stats, "data-sender", GST_TYPE_STRUCTURE,
          &sender, NULL));
  feedback = g_strdup (gst_structure_get_string (sender, "feedback"));
  gst_structure_free (sender);
  gst_structure_free (stats);
  return feedback;
}

static void
expect_feedback (const gchar * feedback)
{
  gchar *is = get_feedback ();

  fail_unless_equals_string (is, feedback);
  g_free (is);
}

static guint
speak_and_count (guint seconds)
{
  guint before = phone.sent;

  speak (seconds);
  return phone.sent - before;
}

/* --- tests ------------------------------------------------------------------------- */

/* The application knows from SDP that there are receiver reports alone: a voice gets through from its first
 * second on, and no packet has a stamp. */
GST_START_TEST (test_a_plain_phone_hears_a_voice_from_the_start)
{
  guint first, later;
  gdouble R;

  start ("options,feedback=rr");
  first = speak_and_count (2);
  fail_unless (first > 0.8 * 2 * PACKETS, "%u packets in 2 s", first);
  speak (8);
  later = speak_and_count (10);
  fail_unless (later >= 0.98 * 10 * PACKETS && later <= 1.02 * 10 * PACKETS,
      "%u packets in 10 s", later);
  fail_unless_equals_int (phone.stamped, 0);
  expect_feedback ("rr");
  R = call_end_get_peer_stat (&end, id, "data-sender", "R");
  fail_unless (R >= 0.03 && R < 0.06, "R %g", R);
  fail_unless (call_end_get_peer_stat (&end, id, "data-sender", "p") == 0);
  fail_unless (call_end_count_packets (&end, id) > 900);
  call_end_stop (&end);
}

GST_END_TEST;

/* One packet in ten is lost: p comes near that, and X is what the equation has for it, which is still more than
 * this voice needs. */
GST_START_TEST (test_losses_of_a_plain_phone_bound_the_rate)
{
  guint packets;
  gdouble p, X, clean;

  start ("options,feedback=rr");
  speak (20);
  clean = call_end_get_peer_stat (&end, id, "data-sender", "X");
  phone.lose_every = 10;
  speak (60);
  packets = speak_and_count (10);
  p = call_end_get_peer_stat (&end, id, "data-sender", "p");
  X = call_end_get_peer_stat (&end, id, "data-sender", "X");
  fail_unless (p > 0.07 && p < 0.13, "p %g", p);
  fail_unless (X < clean && X > 0, "X %g, before %g", X, clean);
  fail_unless (packets > 0.95 * 10 * PACKETS && packets <= 1.02 * 10 * PACKETS,
      "%u packets in 10 s", packets);
  call_end_stop (&end);
}

GST_END_TEST;

/* Nobody has said what the phone can do: three reports show it, and from then on a voice gets through. New caps, as an
 * encoder sends them when it changes its codec, are no reason to wait for TFRC reports again. */
GST_START_TEST (test_a_plain_phone_is_found_out)
{
  GstCaps *caps = gst_caps_from_string (CALL_CAPS ",encoding-params=(string)2");
  guint packets;

  start ("options");
  expect_feedback ("tfrc");
  speak (3 * REPORT_EVERY + 1);
  expect_feedback ("rr");
  fail_unless (phone.stamped > 0);
  phone.stamped = 0;
  gst_pad_push_event (call_end_get_feeder (&end, id),
      gst_event_new_caps (caps));
  packets = speak_and_count (20);
  expect_feedback ("rr");
  fail_unless_equals_int (phone.stamped, 0);
  fail_unless (packets > 0.95 * 20 * PACKETS, "%u packets in 20 s", packets);
  gst_caps_unref (caps);
  call_end_stop (&end);
}

GST_END_TEST;

/* Before three reports have come the first one shows that packets arrive: the voice gets through from then on. Where no
 * report has the round-trip time, it gets through from the second one on. */
GST_START_TEST (test_the_first_report_brings_the_voice_through)
{
  guint packets;

  phone.has_no_lsr = __i__ == 1;
  start ("options");
  speak (REPORT_EVERY);
  if (phone.has_no_lsr)
    speak (REPORT_EVERY);
  speak (1);
  packets = speak_and_count (REPORT_EVERY - 2);
  expect_feedback ("tfrc");
  fail_unless (phone.stamped > 0);
  fail_unless (packets > 0.95 * (REPORT_EVERY - 2) * PACKETS,
      "%u packets in %d s", packets, REPORT_EVERY - 2);
  call_end_stop (&end);
}

GST_END_TEST;

/* Four report intervals after the last report that told of further packets the nofeedback timer expires, though reports
 * still come. */
GST_START_TEST (test_reports_of_a_phone_that_hears_nothing_prolong_no_wait)
{
  gdouble before, X;

  start ("options");
  speak (REPORT_EVERY);
  phone.is_deaf = TRUE;
  speak (1);
  before = call_end_get_peer_stat (&end, id, "data-sender", "X");
  speak (3 * REPORT_EVERY);
  X = call_end_get_peer_stat (&end, id, "data-sender", "X");
  fail_unless (X == before, "X %g, before %g", X, before);
  speak (REPORT_EVERY + 1);
  X = call_end_get_peer_stat (&end, id, "data-sender", "X");
  fail_unless (X == before / 2, "X %g, before %g", X, before);
  call_end_stop (&end);
}

GST_END_TEST;

/* A remote that is known to send TFRC reports is waited for, as RFC 5348 4.4 wants. */
GST_START_TEST (test_tfrc_reports_that_were_agreed_on_are_waited_for)
{
  guint packets;

  start ("options,feedback=tfrc");
  speak (12);
  packets = speak_and_count (10);
  expect_feedback ("tfrc");
  fail_unless (packets < 0.3 * 10 * PACKETS, "%u packets in 10 s", packets);
  call_end_stop (&end);
}

GST_END_TEST;

/* A phone without rtcp-mux: RTCP goes to the next port and comes from it, and the voice goes on at the first one. */
GST_START_TEST (test_rtcp_of_a_phone_has_a_port_of_its_own)
{
  guint packets;
  gdouble R;

  phone.rtcp_port = RTCP_PORT;
  start ("options,feedback=rr,rtcp-port=(uint)7001");
  speak (6);
  packets = speak_and_count (10);
  fail_unless (packets >= 0.98 * 10 * PACKETS && packets <= 1.02 * 10 * PACKETS,
      "%u packets in 10 s", packets);
  fail_unless_equals_int (phone.rtcp, 0);
  fail_unless (phone.lsr != 0);
  fail_unless_equals_uint64 (call_end_get_stat (&end, "moved"), 0);
  R = call_end_get_peer_stat (&end, id, "data-sender", "round-trip-time");
  fail_unless (R >= 30 * GST_MSECOND && R < 60 * GST_MSECOND, "R %g", R);
  fail_unless (call_end_count_packets (&end, id) > 700);
  /* the address is free again */
  fail_unless (call_end_remove_peer (&end, id));
  add_phone ("options,feedback=rr,rtcp-port=(uint)7001");
  call_end_stop (&end);
}

GST_END_TEST;

static void
move_remote (const gchar * host, guint port)
{
  gboolean moved = FALSE;

  g_signal_emit_by_name (end.call, "move-peer", id, host, port, &moved);
  fail_unless (moved);
}

/* The application names another host: RTCP has the port of before there. */
GST_START_TEST (test_rtcp_of_its_own_port_moves_with_its_phone)
{
  static const gchar *const lines[] = { "port=6004 mode=tfrc-sp accept=none",
    "port=6004 mode=tfrc-sp accept=known"
  };
  guint packets;

  phone.rtcp_port = RTCP_PORT;
  call_end_start (&end, lines[__i__]);
  add_phone ("options,feedback=rr,rtcp-port=(uint)7001");
  call_end_feed (&end, id);
  speak (6);
  phone.host = OTHER_HOST;
  move_remote (OTHER_HOST, PHONE_PORT);
  phone.report_every = SWIFT_REPORT_EVERY;
  speak (5);
  packets = speak_and_count (5);
  fail_unless (packets >= 0.98 * 5 * PACKETS, "%u packets in 5 s", packets);
  fail_unless_equals_int (phone.rtcp, 0);
  fail_unless_equals_uint64 (call_end_get_stat (&end, "moved"), 1);
  fail_unless_equals_uint64 (call_end_get_stat (&end, "strangers-refused"), 0);
  /* the address of before is free again, and the present one is free when the peer is gone */
  fail_unless (call_end_add_peer (&end, HOST, RTCP_PORT, NULL) != 0);
  fail_unless (call_end_remove_peer (&end, id));
  fail_unless (call_end_add_peer (&end, OTHER_HOST, RTCP_PORT, NULL) != 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* --- another remote takes the place of the first one --- */

/* A data receiver of TFRC at `port`. */
static void
start_receiver (CallEnd * receiver, guint port)
{
  gchar *line = g_strdup_printf ("port=%u peer=127.0.0.1:6004 mode=tfrc-sp",
      port);

  call_end_start (receiver, line);
  call_end_feed (receiver, 0);
  g_free (line);
}

/* tfrcbin speaks to a data receiver of TFRC at `port`. */
static void
speak_to_receiver (guint port)
{
  CallEnd receiver;

  call_end_start (&end, "port=6004 mode=tfrc-sp");
  id = call_end_add_peer (&end, HOST, port, NULL);
  call_end_feed (&end, id);
  start_receiver (&receiver, port);
  call_run (5 * GST_SECOND, &end, &receiver, NULL);
  expect_feedback ("tfrc");
  fail_unless (call_end_get_peer_stat (&end, id, "data-sender", "reports") > 0);
  call_end_stop (&receiver);
}

/* The phone at PHONE_PORT is found out, and hears the whole voice. */
static void
expect_phone_is_found_out (void)
{
  guint packets;

  phone.report_every = SWIFT_REPORT_EVERY;
  speak (8);
  expect_feedback ("rr");
  packets = speak_and_count (10);
  fail_unless (packets > 0.95 * 10 * PACKETS, "%u packets in 10 s", packets);
  call_end_stop (&end);
}

/* The application names the phone. */
GST_START_TEST (test_a_move_from_tfrc_to_a_plain_phone_is_found_out)
{
  speak_to_receiver (6002);
  move_remote (HOST, PHONE_PORT);
  expect_phone_is_found_out ();
}

GST_END_TEST;

/* The phone takes over the address, as behind a server that changes who is heard there. */
GST_START_TEST (test_a_plain_phone_in_the_place_of_tfrc_is_found_out)
{
  speak_to_receiver (PHONE_PORT);
  expect_phone_is_found_out ();
}

GST_END_TEST;

/* A plain phone was found out. Whoever comes next may be able to report as TFRC has it, at another address or at the
 * same one. */
GST_START_TEST (test_tfrc_in_the_place_of_a_plain_phone_is_found_out)
{
  guint port = __i__ == 0 ? 6002 : PHONE_PORT, heard;
  CallEnd receiver;

  start ("options");
  speak (3 * REPORT_EVERY + 1);
  expect_feedback ("rr");
  start_receiver (&receiver, port);
  if (port != PHONE_PORT)
    move_remote (HOST, port);
  call_run (6 * GST_SECOND, &end, &receiver, NULL);
  expect_feedback ("tfrc");
  heard = call_end_count_packets (&receiver, 0);
  call_run (5 * GST_SECOND, &end, &receiver, NULL);
  heard = call_end_count_packets (&receiver, 0) - heard;
  fail_unless (heard > 0.95 * 5 * PACKETS, "%u packets in 5 s", heard);
  call_end_stop (&receiver);
  call_end_stop (&end);
}

GST_END_TEST;

/* A plain phone that begins a new stream, as after a hold, is still a plain phone: the voice goes on without a gap, and
 * the stamps by which TFRC is sought cease. */
GST_START_TEST (test_a_new_stream_of_a_plain_phone_costs_no_voice)
{
  guint packets;

  start ("options");
  speak (3 * REPORT_EVERY + 5);
  expect_feedback ("rr");
  call_run (3 * GST_SECOND, &end, NULL);
  hear_all (PHONE_PORT);
  phone.own_ssrc++;
  packets = speak_and_count (4 * REPORT_EVERY);
  fail_unless (packets > 0.95 * 4 * REPORT_EVERY * PACKETS, "%u packets",
      packets);
  expect_feedback ("rr");
  phone.stamped = 0;
  speak (2);
  fail_unless_equals_int (phone.stamped, 0);
  call_end_stop (&end);
}

GST_END_TEST;

static Suite *
plain_phone_suite (void)
{
  Suite *s = suite_create ("plainphone");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (s, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, test_a_plain_phone_hears_a_voice_from_the_start);
  tcase_add_test (tcase, test_losses_of_a_plain_phone_bound_the_rate);
  tcase_add_test (tcase, test_rtcp_of_a_phone_has_a_port_of_its_own);
  tcase_add_loop_test (tcase, test_rtcp_of_its_own_port_moves_with_its_phone,
      0, 2);
  tcase_add_test (tcase, test_a_plain_phone_is_found_out);
  tcase_add_loop_test (tcase, test_the_first_report_brings_the_voice_through, 0,
      2);
  tcase_add_test (tcase,
      test_reports_of_a_phone_that_hears_nothing_prolong_no_wait);
  tcase_add_test (tcase, test_tfrc_reports_that_were_agreed_on_are_waited_for);
  tcase_add_test (tcase, test_a_move_from_tfrc_to_a_plain_phone_is_found_out);
  tcase_add_test (tcase, test_a_plain_phone_in_the_place_of_tfrc_is_found_out);
  tcase_add_loop_test (tcase,
      test_tfrc_in_the_place_of_a_plain_phone_is_found_out, 0, 2);
  tcase_add_test (tcase, test_a_new_stream_of_a_plain_phone_costs_no_voice);
  return s;
}

GST_CHECK_MAIN (plain_phone);
