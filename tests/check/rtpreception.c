/* gst-tfrc tests: RTP header, sequence numbers, losses, jitter and the sender's clock
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "rtcp/rtpreception.h"
#include "rtcp/senderclock.h"

#define SSRC 0x11223344

static GstTfrcRtpVerdict
arrive_at (GstTfrcRtpReception * reception, guint16 seq, guint32 rtptime,
    TfrcTime now)
{
  GstTfrcRtpFields packet = {
    .ssrc = SSRC,
    .seq = seq,
    .rtptime = rtptime,
    .payload_size = 100
  };

  return gst_tfrc_rtp_reception_on_packet (reception, &packet, now);
}

static GstTfrcRtpVerdict
arrive (GstTfrcRtpReception * reception, guint16 seq)
{
  return arrive_at (reception, seq, seq * 160u, seq * 20 * TFRC_MSEC);
}

static GstTfrcRtpReception
begin (guint16 seq)
{
  GstTfrcRtpReception reception;

  gst_tfrc_rtp_reception_init (&reception, SSRC, seq, 8000);
  fail_unless_equals_int (arrive (&reception, seq), GST_TFRC_RTP_ACCEPTED);
  return reception;
}

GST_START_TEST (the_fields_of_a_packet_are_read)
{
  /* padding, an extension of one word, two CSRCs, marker, payload type 96 */
  static const guint8 packet[] =
      { 0xB2, 0xE0, 0x12, 0x34, 1, 2, 3, 4, 0x11, 0x22, 0x33, 0x44,
    9, 9, 9, 9, 8, 8, 8, 8, 0xBE, 0xDE, 0, 1, 0x10, 7, 0, 0, 'a', 'b', 'c', 0,
    0, 3
  };
  GstTfrcRtpFields fields;

  fail_unless (gst_tfrc_rtp_fields_parse (&fields, packet, sizeof packet));
  fail_unless_equals_int (fields.ssrc, SSRC);
  fail_unless_equals_int (fields.seq, 0x1234);
  fail_unless_equals_int (fields.rtptime, 0x01020304);
  fail_unless_equals_int (fields.payload_type, 96);
  fail_unless (fields.marker);
  fail_unless_equals_int (fields.payload_size, 3);
}

GST_END_TEST;

GST_START_TEST (a_packet_with_a_wrong_form_is_refused)
{
  static const struct
  {
    guint8 first;               /* version, padding, extension, CSRCs */
    gsize size;
    guint8 last;
    gboolean good;
  } cases[] = {
    {0x80, 12, 0, TRUE},        /* no payload */
    {0x80, 11, 0, FALSE},
    {0x40, 12, 0, FALSE},       /* version 1 */
    {0x81, 15, 0, FALSE}, {0x81, 16, 0, TRUE},  /* one CSRC */
    {0x8F, 71, 0, FALSE}, {0x8F, 72, 0, TRUE},  /* fifteen */
    {0x90, 15, 0, FALSE},       /* half of an extension's head */
    {0x90, 16, 0, TRUE}, {0x90, 16, 1, FALSE},  /* the last byte is the extension's length */
    {0xA0, 13, 1, TRUE}, {0xA0, 13, 2, FALSE}, {0xA0, 13, 0, FALSE},    /* padding */
    {0xA0, 12, 1, FALSE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint8 *packet = g_malloc0 (cases[i].size); /* so that a sanitizer sees the end */
    GstTfrcRtpFields fields;

    packet[0] = cases[i].first;
    packet[cases[i].size - 1] = cases[i].last;
    if (gst_tfrc_rtp_fields_parse (&fields, packet,
            cases[i].size) != cases[i].good)
      fail ("case %u", i);
    g_free (packet);
  }
}

GST_END_TEST;

GST_START_TEST (sequence_numbers_wrap)
{
  GstTfrcRtpReception reception = begin (65000);
  guint seq;

  for (seq = 65001; seq < 65000 + 3 * 65536; seq++)
    fail_unless_equals_int (arrive (&reception, seq), GST_TFRC_RTP_ACCEPTED);
  seq--;
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_extended_max (&reception),
      seq);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_expected (&reception),
      3 * 65536);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception), 0);
  fail_unless_equals_uint64 (reception.octets, 3 * 65536 * 100);
}

GST_END_TEST;

/* A packet of before the wrap that arrives after it is no second wrap. */
GST_START_TEST (reordering_over_the_wrap_is_reordering)
{
  GstTfrcRtpReception reception = begin (65534);

  arrive (&reception, 0);
  arrive (&reception, 65535);
  arrive (&reception, 1);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_extended_max (&reception),
      65537);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception), 0);
}

GST_END_TEST;

/* RFC 3550 A.1: MAX_DROPOUT 3000, MAX_MISORDER 100. */
GST_START_TEST (jumps_are_loss_or_reordering_up_to_the_bounds_of_rfc_3550)
{
  GstTfrcRtpReception reception = begin (1000);

  fail_unless_equals_int (arrive (&reception, 1000 + 2999),
      GST_TFRC_RTP_ACCEPTED);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception), 2998);
  reception = begin (1000);
  fail_unless_equals_int (arrive (&reception, 1000 + 3000),
      GST_TFRC_RTP_REFUSED);
  reception = begin (1000);
  fail_unless_equals_int (arrive (&reception, 1000 - 99),
      GST_TFRC_RTP_ACCEPTED);
  reception = begin (1000);
  fail_unless_equals_int (arrive (&reception, 1000 - 100),
      GST_TFRC_RTP_REFUSED);
  fail_unless_equals_int (reception.received, 1);
}

GST_END_TEST;

GST_START_TEST (two_packets_in_sequence_after_a_jump_are_a_restart)
{
  GstTfrcRtpReception reception = begin (1000);

  fail_unless_equals_int (arrive (&reception, 30000), GST_TFRC_RTP_REFUSED);
  fail_unless_equals_int (arrive (&reception, 30002), GST_TFRC_RTP_REFUSED);
  fail_unless_equals_int (arrive (&reception, 1001), GST_TFRC_RTP_ACCEPTED);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_expected (&reception), 2);
  fail_unless_equals_int (arrive (&reception, 30003), GST_TFRC_RTP_RESTARTED);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_expected (&reception), 1);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_extended_max (&reception),
      30003);
  fail_unless_equals_uint64 (reception.octets, 100);
}

GST_END_TEST;

GST_START_TEST (a_restart_counts_from_the_beginning)
{
  GstTfrcRtpReception reception = begin (64000);
  GstTfrcRtpLosses losses;

  for (guint seq = 64001; seq < 66000; seq += 2)
    arrive (&reception, seq);
  gst_tfrc_rtp_reception_take_losses (&reception);
  /* a jump to 0 is a jump like others */
  fail_unless_equals_int (arrive (&reception, 30000), GST_TFRC_RTP_REFUSED);
  fail_unless_equals_int (arrive (&reception, 30001), GST_TFRC_RTP_RESTARTED);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_extended_max (&reception),
      30001);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception), 0);
  fail_unless_equals_int (arrive (&reception, 0), GST_TFRC_RTP_REFUSED);
  fail_unless_equals_int (arrive (&reception, 30002), GST_TFRC_RTP_ACCEPTED);
  fail_unless_equals_int (arrive (&reception, 30005), GST_TFRC_RTP_ACCEPTED);
  losses = gst_tfrc_rtp_reception_take_losses (&reception);
  fail_unless_equals_int (losses.lost, 2);
  fail_unless_equals_int (losses.fraction, 2 * 256 / 5);
}

GST_END_TEST;

/* RFC 3550 A.3. */
GST_START_TEST (losses_are_those_of_rfc_3550)
{
  GstTfrcRtpReception reception = begin (0);
  GstTfrcRtpLosses losses;
  guint seq;

  /* 100 expected, 25 lost */
  for (seq = 1; seq < 100; seq++)
    if (seq % 4 != 1)
      arrive (&reception, seq);
  losses = gst_tfrc_rtp_reception_take_losses (&reception);
  fail_unless_equals_int (losses.fraction, 64);
  fail_unless_equals_int (losses.lost, 25);
  /* 3 expected, 1 lost: 256 / 3 rounded down */
  arrive (&reception, 100);
  arrive (&reception, 102);
  losses = gst_tfrc_rtp_reception_take_losses (&reception);
  fail_unless_equals_int (losses.fraction, 85);
  fail_unless_equals_int (losses.lost, 26);
  /* nothing came */
  losses = gst_tfrc_rtp_reception_take_losses (&reception);
  fail_unless_equals_int (losses.fraction, 0);
  fail_unless_equals_int (losses.lost, 26);
  /* duplicates make less than nothing lost, of which the fraction is 0 */
  for (guint i = 0; i < 30; i++)
    arrive (&reception, 102);
  losses = gst_tfrc_rtp_reception_take_losses (&reception);
  fail_unless_equals_int (losses.fraction, 0);
  fail_unless_equals_int (losses.lost, -4);
}

GST_END_TEST;

GST_START_TEST (cumulative_losses_stay_within_24_bits)
{
  GstTfrcRtpReception reception = begin (0);
  guint seq = 0;

  for (guint i = 0; i < 2800; i++)
    arrive (&reception, seq += 2999);
  /* 2800 x 2998 = 8,394,400 are lost; 2^23 - 1 is reported */
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception),
      0x7FFFFF);
  reception = begin (0);
  reception.received = 0x800000 + 10;
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_lost (&reception),
      -0x800000);
}

GST_END_TEST;

/* RFC 3550 6.4.1: J += (|D| - J) / 16, in exact arithmetic beside that of A.8. */
GST_START_TEST (jitter_is_that_of_rfc_3550)
{
  GstTfrcRtpReception reception = begin (0);
  GRand *rand = g_rand_new_with_seed (3550);
  gdouble J = 0, transit = 0;

  for (guint seq = 1; seq < 1000; seq++) {
    guint delay = g_rand_int_range (rand, 0, 400);      /* units of 1/8000 s */
    gdouble D = ABS (delay - transit);

    arrive_at (&reception, seq, seq * 160u,
        seq * 20 * TFRC_MSEC + delay * 125 * TFRC_USEC);
    J += (D - J) / 16;
    transit = delay;
    fail_unless (ABS (gst_tfrc_rtp_reception_get_jitter (&reception) - J) <
        1.6);
  }
  /* the mean of |D| of two uniform variates is a third of their range */
  fail_unless (J > 80 && J < 190);
  fail_unless (ABS (gst_tfrc_rtp_reception_get_jitter_time (&reception) -
          J * 125000) < 1.6 * 125000);
  /* the mean stays while the clock rate does; units of another have no mean yet */
  gst_tfrc_rtp_reception_set_clock_rate (&reception, reception.clock_rate);
  fail_unless (gst_tfrc_rtp_reception_get_jitter (&reception) > 80);
  gst_tfrc_rtp_reception_set_clock_rate (&reception, 0);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 0);
  fail_unless_equals_uint64 (gst_tfrc_rtp_reception_get_jitter_time
      (&reception), 0);
  g_rand_free (rand);
}

GST_END_TEST;

GST_START_TEST (one_late_packet_is_two_sixteenths_of_its_delay)
{
  GstTfrcRtpReception reception = begin (0);

  arrive_at (&reception, 1, 160, 20 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 0);
  /* 20 ms late are 160 units: 10, then 10 + (160 - 10) / 16 */
  arrive_at (&reception, 2, 320, 60 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 10);
  arrive_at (&reception, 3, 480, 60 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 19);
  /* another clock rate is another jitter */
  gst_tfrc_rtp_reception_set_clock_rate (&reception, 48000);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 0);
  arrive_at (&reception, 4, 480 + 960, 80 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 0);
  arrive_at (&reception, 5, 480 + 2 * 960, 120 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_rtp_reception_get_jitter (&reception), 60);
  fail_unless_equals_uint64 (gst_tfrc_rtp_reception_get_jitter_time
      (&reception), 1250 * TFRC_USEC);
}

GST_END_TEST;

static gboolean
try_candidate (GstTfrcRtpProbation * probation, guint32 ssrc, guint16 seq,
    guint needed)
{
  GstTfrcRtpFields packet = { .ssrc = ssrc, .seq = seq };

  return gst_tfrc_rtp_probation_on_packet (probation, &packet, needed);
}

GST_START_TEST (probation_ends_with_packets_in_sequence)
{
  GstTfrcRtpProbation probation = { 0 };

  fail_if (try_candidate (&probation, 1, 65534, 3));
  fail_if (try_candidate (&probation, 1, 65535, 3));
  fail_unless (try_candidate (&probation, 1, 0, 3));
  fail_unless (try_candidate (&probation, 1, 1, 3));
  /* a gap, a repetition, another source: from the beginning */
  fail_if (try_candidate (&probation, 1, 3, 2));
  fail_if (try_candidate (&probation, 1, 3, 2));
  fail_if (try_candidate (&probation, 2, 4, 2));
  fail_if (try_candidate (&probation, 1, 5, 2));
  fail_unless (try_candidate (&probation, 1, 6, 2));
  fail_unless (try_candidate (&probation, 3, 9, 1));
}

GST_END_TEST;

GST_START_TEST (ntp_timestamps_are_seconds_since_1900)
{
  /* 2026-01-01: 3,976,214,400 s since 1900 */
  guint64 time = 3976214400 * TFRC_SEC + 250 * TFRC_MSEC;

  fail_unless_equals_uint64_hex (gst_tfrc_ntp_from_time (time),
      G_GUINT64_CONSTANT (0xED00378040000000));
  fail_unless_equals_uint64 (gst_tfrc_ntp_to_time (G_GUINT64_CONSTANT
          (0xED00378040000000)), time);
  /* 2036-02-07 06:28:16 */
  fail_unless_equals_uint64 (gst_tfrc_ntp_from_time (G_GUINT64_CONSTANT
          (4294967296) * TFRC_SEC), 0);
  /* the example of RFC 3550 6.4.1: a delay of 5.250 s is 0x0005:4000 */
  fail_unless_equals_int (gst_tfrc_ntp_short_from_duration (5250 * TFRC_MSEC),
      0x00054000);
  fail_unless_equals_uint64 (gst_tfrc_ntp_short_to_duration (0x00054000),
      5250 * TFRC_MSEC);
  fail_unless_equals_int (gst_tfrc_ntp_short_from_duration (70000 * TFRC_SEC),
      G_MAXUINT32);
}

GST_END_TEST;

GST_START_TEST (the_sender_clock_goes_on_over_both_wraps)
{
  GstTfrcSenderClock clock = { 0 };
  guint64 first = gst_tfrc_ntp_from_time (4294967295 * TFRC_SEC), time;
  guint64 era = G_GUINT64_CONSTANT (4294967296) * TFRC_SEC;

  fail_if (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  gst_tfrc_sender_clock_on_report (&clock, SSRC, first, G_MAXUINT32 - 79,
      TFRC_SEC);
  fail_if (gst_tfrc_sender_clock_get_time (&clock, SSRC + 1, 0, 8000, &time));
  fail_if (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 0, &time));
  /* 80 units of 1/8000 s after the report, and before it */
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  fail_unless_equals_uint64 (time, 4294967295 * TFRC_SEC + 10 * TFRC_MSEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, G_MAXUINT32 - 159,
          8000, &time));
  fail_unless_equals_uint64 (time, 4294967295 * TFRC_SEC - 10 * TFRC_MSEC);
  /* over the NTP wrap by extrapolation, then by a report, then by an older one */
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 8000 - 80, 8000,
          &time));
  fail_unless_equals_uint64 (time, era);
  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      gst_tfrc_ntp_from_time (era + TFRC_SEC), 16000 - 80, 3 * TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 16000 - 80, 8000,
          &time));
  fail_unless_equals_uint64 (time, era + TFRC_SEC);
  gst_tfrc_sender_clock_on_report (&clock, SSRC, first, G_MAXUINT32 - 79,
      3 * TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  fail_unless_equals_uint64 (time, 4294967295 * TFRC_SEC + 10 * TFRC_MSEC);
}

GST_END_TEST;

/* A clock that is set, by less than half of what NTP's timestamp holds, does not wrap. */
GST_START_TEST (a_senders_clock_may_be_set)
{
  GstTfrcSenderClock clock = { 0 };
  guint64 time;

  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      1000 * (G_GUINT64_CONSTANT (1) << 32), 0, TFRC_SEC);
  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      995 * (G_GUINT64_CONSTANT (1) << 32), 0, TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  fail_unless_equals_uint64 (time, 995 * TFRC_SEC);
  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      2000 * (G_GUINT64_CONSTANT (1) << 32), 0, TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  fail_unless_equals_uint64 (time, 2000 * TFRC_SEC);
  /* another sender has its own clock, whatever that says */
  gst_tfrc_sender_clock_on_report (&clock, SSRC + 1, G_MAXUINT64 << 32, 0,
      TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC + 1, 0, 8000,
          &time));
  fail_unless_equals_uint64 (time, 4294967295 * TFRC_SEC);
  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      5 * (G_GUINT64_CONSTANT (1) << 32), 0, TFRC_SEC);
  fail_unless (gst_tfrc_sender_clock_get_time (&clock, SSRC, 0, 8000, &time));
  fail_unless_equals_uint64 (time, 5 * TFRC_SEC);
}

GST_END_TEST;

/* The example of RFC 3550 6.4.1, figure 2. */
GST_START_TEST (lsr_and_dlsr_are_those_of_rfc_3550)
{
  GstTfrcSenderClock clock = { 0 };
  guint32 lsr, dlsr;

  gst_tfrc_sender_clock_get_lsr (&clock, SSRC, &lsr, &dlsr, TFRC_SEC);
  fail_unless (lsr == 0 && dlsr == 0);
  gst_tfrc_sender_clock_on_report (&clock, SSRC,
      G_GUINT64_CONSTANT (0xB44DB70520000000), 0, 100 * TFRC_SEC);
  gst_tfrc_sender_clock_get_lsr (&clock, SSRC, &lsr, &dlsr, 105250 * TFRC_MSEC);
  fail_unless_equals_int (lsr, 0xB7052000);
  fail_unless_equals_int (dlsr, 0x00054000);
  gst_tfrc_sender_clock_get_lsr (&clock, SSRC + 1, &lsr, &dlsr,
      105250 * TFRC_MSEC);
  fail_unless (lsr == 0 && dlsr == 0);
}

GST_END_TEST;

static Suite *
rtpreception_suite (void)
{
  Suite *suite = suite_create ("rtpreception");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, the_fields_of_a_packet_are_read);
  tcase_add_test (tcase, a_packet_with_a_wrong_form_is_refused);
  tcase_add_test (tcase, sequence_numbers_wrap);
  tcase_add_test (tcase, reordering_over_the_wrap_is_reordering);
  tcase_add_test (tcase,
      jumps_are_loss_or_reordering_up_to_the_bounds_of_rfc_3550);
  tcase_add_test (tcase, two_packets_in_sequence_after_a_jump_are_a_restart);
  tcase_add_test (tcase, a_restart_counts_from_the_beginning);
  tcase_add_test (tcase, losses_are_those_of_rfc_3550);
  tcase_add_test (tcase, cumulative_losses_stay_within_24_bits);
  tcase_add_test (tcase, jitter_is_that_of_rfc_3550);
  tcase_add_test (tcase, one_late_packet_is_two_sixteenths_of_its_delay);
  tcase_add_test (tcase, probation_ends_with_packets_in_sequence);
  tcase_add_test (tcase, ntp_timestamps_are_seconds_since_1900);
  tcase_add_test (tcase, the_sender_clock_goes_on_over_both_wraps);
  tcase_add_test (tcase, a_senders_clock_may_be_set);
  tcase_add_test (tcase, lsr_and_dlsr_are_those_of_rfc_3550);
  return suite;
}

GST_CHECK_MAIN (rtpreception);
