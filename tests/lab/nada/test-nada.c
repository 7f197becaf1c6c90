/* lab: tests of NADA. The expected values are reckoned by hand from RFC 8698's equations.
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nada.h"

#include "test.h"

static NadaReceiver receiver;
static NadaReport report;

/* `n` packets of 1250 bytes, 10 ms apart, of one one-way delay; returns the time after them. */
static double
receive (int64_t first, int n, double d_fwd, double now)
{
  for (int i = 0; i < n; i++)
    nada_receiver_on_packet (&receiver, first + i, d_fwd, 1250, false,
        now + 0.01 * i);
  return now + 0.01 * (n - 1);
}

TEST (long_delays_are_warped)
{
  CHECK_REL (nada_warp (49), 49, 1e-12);
  CHECK_REL (nada_warp (50), 50, 1e-12);
  /* 50 exp (-0.5), and 50 exp (-1.5) */
  CHECK_REL (nada_warp (100), 30.3265329856, 1e-9);
  CHECK_REL (nada_warp (200), 11.1565080074, 1e-9);
}

TEST (losses_and_marks_count_by_their_square)
{
  CHECK_REL (nada_aggregate (20, 0, 0), 20, 1e-12);
  CHECK_REL (nada_aggregate (20, 0, 0.02), 60, 1e-12);
  CHECK_REL (nada_aggregate (20, 0.03, 0), 38, 1e-12);
}

TEST (the_ramp_is_bound_by_the_queue_that_it_may_make)
{
  CHECK_REL (nada_get_gamma (0.1), 0.05 / 0.32, 1e-12);
  CHECK_REL (nada_get_gamma (0), 0.05 / 0.22, 1e-12);
}

TEST (without_a_queue_the_rate_follows_what_is_received)
{
  NadaSender sender;

  nada_sender_init (&sender, 150e3, 1.5e6, 0);
  nada_receiver_init (&receiver);
  double end = receive (0, 50, 0.05, 0);
  nada_receiver_make_report (&receiver, &report, end);
  CHECK (!report.gradual);
  CHECK_REL (report.r_recv, 1e6, 1e-9);
  CHECK (report.x_curr < 1e-9);
  nada_sender_on_report (&sender, &report, 0.1, end);
  CHECK_REL (sender.r_ref, (1 + 0.05 / 0.32) * 1e6, 1e-9);
}

TEST (a_queue_of_ten_milliseconds_ends_the_ramp)
{
  nada_receiver_init (&receiver);
  double end = receive (0, 50, 0.05, 0);
  nada_receiver_on_packet (&receiver, 50, 0.0601, 1250, false, end);
  nada_receiver_make_report (&receiver, &report, end);
  CHECK (report.gradual);
  /* The minimum filter still sees the packets before it. */
  CHECK (report.x_curr == 0);
  end = receive (51, NADA_TAPS - 1, 0.065, end);
  nada_receiver_make_report (&receiver, &report, end);
  CHECK_REL (report.x_curr, 10.1, 1e-9);
}

TEST (the_gradual_update_is_that_of_the_rfc)
{
  NadaSender sender;

  nada_sender_init (&sender, 150e3, 1.5e6, 0);
  sender.r_ref = 1e6;
  sender.x_prev = 20;
  /* x_offset = 40 - 10 * 1.5 = 25, x_diff = 20:
   * 1e6 (1 - 0.5 * 0.2 * 0.05 - 0.5 * 2 * 0.04) = 1e6 * 0.955 */
  nada_sender_on_report (&sender, &(NadaReport) {
          .x_curr = 40,
          .gradual = true}, 0.1, 0.1);
  CHECK_REL (sender.r_ref, 955e3, 1e-9);
}

TEST (a_full_path_settles_where_the_signal_is_its_reference)
{
  NadaSender sender;
  double now = 0;

  nada_sender_init (&sender, 150e3, 1.5e6, now);
  for (int i = 0; i < 2000; i++)
    nada_sender_on_report (&sender, &(NadaReport) {
            .x_curr = 20,
            .gradual = true}, 0.1, now += 0.1);
  /* x_curr = XREF RMAX / r_ref */
  CHECK_REL (sender.r_ref, 750e3, 1e-3);
}

TEST (the_rate_keeps_its_limits)
{
  NadaSender sender;

  nada_sender_init (&sender, 150e3, 1.5e6, 0);
  nada_sender_on_report (&sender, &(NadaReport) {
          .x_curr = 400,
          .gradual = true}, 0.1, 0.1);
  CHECK_REL (sender.r_ref, 150e3, 1e-12);
  nada_sender_on_report (&sender, &(NadaReport) {.r_recv = 9e6}, 0.1, 0.2);
  CHECK_REL (sender.r_ref, 1.5e6, 1e-12);
}

TEST (losses_are_smoothed_and_warp_the_delay)
{
  nada_receiver_init (&receiver);
  double end = receive (0, 100, 0.05, 0);
  nada_receiver_make_report (&receiver, &report, end);
  end = receive (102, 48, 0.15, end + 0.01);    /* two are lost */
  nada_receiver_make_report (&receiver, &report, end);
  CHECK (report.gradual);
  CHECK_REL (receiver.loss_int, 102, 1e-12);
  /* 50 or 51 packets came in the last 0.5 s: one is on its edge. */
  CHECK (receiver.p_loss > 0.1 * 2 / 53.5 && receiver.p_loss < 0.1 * 2 / 51.5);
  CHECK_REL (report.x_curr, nada_aggregate (nada_warp (100), 0,
          receiver.p_loss), 1e-9);
}

TEST (the_warp_ends_seven_loss_intervals_later)
{
  nada_receiver_init (&receiver);
  receive (0, 10, 0.05, 0);
  double end = receive (11, 70, 0.15, 0.2);     /* loss_int is 11 */
  nada_receiver_make_report (&receiver, &report, end);
  CHECK (report.x_curr < 50);
  end = receive (81, 40, 0.15, end + 0.01);
  nada_receiver_make_report (&receiver, &report, end);
  CHECK (report.x_curr > 99.9);
}

TEST (marks_raise_the_signal)
{
  nada_receiver_init (&receiver);
  for (int i = 0; i < 20; i++)
    nada_receiver_on_packet (&receiver, i, 0.05, 1250, i % 4 == 0, 0.01 * i);
  nada_receiver_make_report (&receiver, &report, 0.2);
  /* 0.1 of the share 0.25 */
  CHECK_REL (report.x_curr, 2 * 2.5 * 2.5, 1e-9);
}

TEST (the_sending_buffer_takes_from_the_encoder_and_gives_to_the_network)
{
  NadaSender sender;

  nada_sender_init (&sender, 150e3, 1.5e6, 0);
  sender.r_ref = 1e6;
  CHECK_REL (nada_sender_get_r_vin (&sender, 5000, 30),
      1e6 - 0.1 * 8 * 5000 * 30, 1e-12);
  CHECK_REL (nada_sender_get_r_send (&sender, 5000, 30),
      1e6 + 0.1 * 8 * 5000 * 30, 1e-12);
  CHECK_REL (nada_sender_get_r_send (&sender, 50000, 30), 1.5e6, 1e-12);
}
