/* libtfrc: tests of the allowed rate X
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include <tfrc/equation.h>

#include "sender/transmit-rate.h"
#include "sender/segment-size.h"

#define S 1460.0
#define INITIAL_RATE 43800.0    /* of 1460 bytes at R = 0.1 */

static TfrcTime
ns (double seconds)
{
  return (TfrcTime) (seconds * 1e9 + 0.5);
}

static TfrcPath
make_path (double s, double R, double p)
{
  return (TfrcPath) {
      .s = s,
      .X_eq = p > 0.0 ? tfrc_equation_rate (s, R, 4.0 * R, p) : 0.0,
      .initial_rate = R > 0.0 ? tfrc_segment_get_initial_window ((uint32_t) s) / R : 0.0,
      .R = ns (R),
  };
}

/* A report at R = 0.1, s = 1460; loss when p rose. */
static void
report (TfrcTransmitRate * rate, double t, double X_recv, double p,
    bool data_limited)
{
  TfrcPath path = make_path (S, 0.1, p);
  TfrcFeedback feedback = { X_recv, p, p > rate->p, false, data_limited };

  tfrc_transmit_rate_on_feedback (rate, &path, &feedback, ns (t));
}

static void
expire (TfrcTransmitRate * rate, double t, bool idle)
{
  TfrcPath path = make_path (S, 0.1, rate->p);

  tfrc_transmit_rate_on_expiry (rate, &path, idle, ns (t));
}

static TfrcTransmitRate
make_rate (void)
{
  TfrcTransmitRate rate;

  tfrc_transmit_rate_init (&rate, S);
  return rate;
}

TEST (every_sequence_of_reports_and_expiries_gives_the_X_of_rfc_5348)
{
  CHECK_INT (v_sender_sequences.n_cases, 17);
  for (size_t i = 0; i < v_sender_sequences.n_cases; i++) {
    const struct v_sender_sequences_cases *c = &v_sender_sequences.cases[i];
    double R = 0.0, s = c->mss;
    TfrcTransmitRate rate;

    tfrc_transmit_rate_init (&rate, s);
    for (size_t j = 0; j < c->n_steps; j++) {
      const struct v_sender_sequences_cases_steps *step = &c->steps[j];

      NOTE ("%s, step %zu", c->name, j);
      if (strcmp (step->event, "feedback") == 0) {
        TfrcFeedback feedback =
            { step->X_recv, step->p, step->p > rate.p, false,
          step->data_limited
        };
        TfrcPath path = make_path (s, R = step->R, step->p);

        tfrc_transmit_rate_on_feedback (&rate, &path, &feedback, ns (step->t));
        CHECK_REL (rate.recv_limit,
            isnan (step->recv_limit) ? INFINITY : step->recv_limit, 1e-9);
      } else {
        TfrcPath path = make_path (s, R, rate.p);

        tfrc_transmit_rate_on_expiry (&rate, &path, step->idle, ns (step->t));
      }
      CHECK_REL (rate.X, step->X, 1e-9);
    }
  }
}

/* The limit of a data-limited flow after a report of loss and one of none. */
static TfrcTransmitRate
heal (bool healed, bool expires)
{
  TfrcPath path = make_path (S, 0.1, 0.001);
  TfrcFeedback feedback = { 20000, 0.001, false, healed, true };
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, true);
  report (&rate, 0.2, 50000, 0, true);
  report (&rate, 0.3, 20000, 0.002, true);
  CHECK_REL (rate.recv_limit, 25000, 1e-12);
  if (expires)
    expire (&rate, 0.8, false);
  tfrc_transmit_rate_on_feedback (&rate, &path, &feedback, ns (0.9));
  return rate;
}

TEST (a_loss_that_is_taken_back_gives_back_what_it_took_from_the_limit)
{
  CHECK_REL (heal (true, false).recv_limit, 2 * 50000, 1e-12);
  CHECK_REL (heal (false, false).recv_limit, 2 * 25000, 1e-12);
  /* nothing of what was before a silence comes back */
  CHECK_REL (heal (true, true).recv_limit, 2 * 20000, 1e-12);
}

TEST (the_first_rate_is_one_segment_a_second)
{
  TfrcTransmitRate rate = make_rate ();

  CHECK_NEAR (rate.X, S, 0);
  CHECK (isinf (rate.recv_limit));
}

TEST (the_first_report_gives_the_initial_rate_and_leaves_infinity)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, true);
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
  CHECK_INT (rate.X_recv_set.n, 1);
  CHECK (isinf (tfrc_x_recv_set_get_max (&rate.X_recv_set)));
  CHECK_INT (rate.tld, ns (0.1));
}

TEST (slow_start_doubles_once_each_rtt)
{
  static const double t[] = { 0.1, 0.15, 0.19, 0.21, 0.25, 0.309, 0.31 };
  static const double X[] = { 1, 1, 1, 2, 2, 2, 4 };
  TfrcTransmitRate rate = make_rate ();

  for (size_t i = 0; i < N_OF (t); i++) {
    NOTE ("report at %g", t[i]);
    report (&rate, t[i], i ? 1e6 : 0, 0, false);
    CHECK_REL (rate.X, X[i] * INITIAL_RATE, 1e-12);
  }
}

TEST (slow_start_never_falls_below_the_initial_rate)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, false);
  report (&rate, 0.4, 100, 0, false);
  report (&rate, 0.7, 100, 0, false);
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
}

TEST (with_loss_X_is_the_equation_within_the_receive_limit_and_the_floor)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, false);
  report (&rate, 0.21, 87600, 0.01, false);
  report (&rate, 0.32, 87600, 0.01, false);
  CHECK_REL (rate.recv_limit, 175200, 1e-12);
  CHECK_REL (rate.X, 164005.06216996978, 1e-9);
  CHECK_REL (rate.X_Bps, rate.X, 0);
  report (&rate, 0.9, 40000, 0.01, false);
  CHECK_REL (rate.X, 80000, 1e-12);
  report (&rate, 2.0, 40000, 1.0, false);
  CHECK_REL (rate.X, 60.004, 1e-4);
  report (&rate, 3.0, 1.0, 1.0, false);
  CHECK_REL (rate.X, S / 64.0, 1e-12);
  CHECK_REL (rate.X, 22.8125, 1e-12);
}

TEST (data_limited_without_loss_keeps_twice_the_largest_rate)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, false);
  report (&rate, 0.21, 43800, 0, false);
  report (&rate, 0.32, 87600, 0, false);
  for (unsigned i = 0; i < 20; i++) {
    report (&rate, 0.43 + 0.11 * i, 5000, 0, true);
    CHECK_REL (rate.recv_limit, 175200, 1e-12);
    CHECK_REL (rate.X, 175200, 1e-12);
  }
}

TEST (data_limited_with_loss_halves_what_is_remembered_and_doubles_nothing)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 1e-6, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, 100000, ns (0.1));
  report (&rate, 0.2, 99000, 2e-6, true);
  CHECK_REL (rate.recv_limit, 84150, 1e-12);
  CHECK_REL (rate.X, 84150, 1e-12);

  tfrc_x_recv_set_replace (&rate.X_recv_set, 100000, ns (0.2));
  report (&rate, 0.3, 1000, 3e-6, true);
  CHECK_REL (rate.recv_limit, 50000, 1e-12);
  /* three more: 50, 25, 17, 17 */
  report (&rate, 0.4, 20000, 4e-6, true);
  CHECK_REL (rate.recv_limit, 25000, 1e-12);
  report (&rate, 0.5, 20000, 5e-6, true);
  CHECK_REL (rate.recv_limit, 17000, 1e-12);
  report (&rate, 0.6, 20000, 6e-6, true);
  CHECK_REL (rate.recv_limit, 17000, 1e-12);
}

TEST (the_same_p_is_no_new_loss)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0.01, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, 100000, ns (0.1));
  report (&rate, 0.2, 50000, 0.01, true);
  CHECK_REL (rate.recv_limit, 200000, 1e-12);
  report (&rate, 0.3, 50000, 0.0101, true);
  CHECK_REL (rate.recv_limit, 50000, 1e-12);
}

TEST (a_later_report_of_nothing_counts_for_one_packet_in_one_rtt)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, false);
  report (&rate, 0.5, 0, 0, false);
  CHECK_REL (rate.recv_limit, 2.0 * S / 0.1, 1e-9);
  for (unsigned i = 0; i < 50; i++)
    report (&rate, 1.0 + 0.11 * i, 0, 0, false);
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
}

TEST (an_external_rtt_starts_X_and_the_first_report_doubles_it)
{
  TfrcPath path = make_path (S, 0.05, 0);
  TfrcTransmitRate rate = make_rate ();

  tfrc_transmit_rate_start (&rate, &path, 0);
  CHECK_REL (rate.X, 87600, 1e-12);
  report (&rate, 0.1, 0, 0, false);
  CHECK_REL (rate.X, 2.0 * 87600, 1e-12);
  CHECK (isinf (rate.recv_limit));
}

TEST (before_any_rtt_an_expiry_halves_X_unless_the_flow_was_idle)
{
  TfrcPath path = make_path (S, 0, 0);
  TfrcTransmitRate rate = make_rate ();

  tfrc_transmit_rate_on_expiry (&rate, &path, true, ns (2));
  CHECK_REL (rate.X, 1460, 1e-12);
  tfrc_transmit_rate_on_expiry (&rate, &path, false, ns (4));
  CHECK_REL (rate.X, 730, 1e-12);
  for (unsigned i = 0; i < 20; i++)
    tfrc_transmit_rate_on_expiry (&rate, &path, false, ns (10));
  CHECK_REL (rate.X, 22.8125, 1e-12);
}

TEST (an_idle_flow_in_slow_start_is_halved_down_to_the_recover_rate)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0, false);
  rate.X = 2.0 * INITIAL_RATE;
  expire (&rate, 1, true);      /* not below twice the recover rate */
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
  expire (&rate, 2, true);
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
  expire (&rate, 3, false);
  CHECK_REL (rate.X, INITIAL_RATE / 2, 1e-12);
}

TEST (an_idle_flow_with_loss_is_left_alone_below_the_recover_rate_alone)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0.01, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, INITIAL_RATE - 1, ns (0.1));
  expire (&rate, 1, true);
  CHECK_REL (rate.X, 164005.06, 1e-6);
  tfrc_x_recv_set_replace (&rate.X_recv_set, INITIAL_RATE, ns (0.1));
  expire (&rate, 2, true);
  CHECK_REL (rate.X, INITIAL_RATE, 1e-12);
}

TEST (an_expiry_takes_the_smaller_of_X_recv_and_half_the_equation)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0.001, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, 40000, ns (0.1));
  expire (&rate, 1, false);
  CHECK_REL (rate.X, 40000, 1e-12);
  CHECK_REL (tfrc_x_recv_set_get_max (&rate.X_recv_set), 20000, 1e-12);
  expire (&rate, 2, false);
  CHECK_REL (rate.X, 20000, 1e-12);

  report (&rate, 3, 40000, 0.05, false);
  report (&rate, 4, 40000, 0.05, false);
  expire (&rate, 5, false);
  CHECK_REL (rate.X, 53813.92556914822 / 2, 1e-9);
  expire (&rate, 6, false);
  CHECK_REL (rate.X, 53813.92556914822 / 4, 1e-9);

  /* X_recv < X_Bps < 2 X_recv: still half the equation */
  report (&rate, 7, 40000, 0.05, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, 40000, ns (7));
  expire (&rate, 8, false);
  CHECK_REL (rate.X, 53813.92556914822 / 2, 1e-9);
}

TEST (update_limits_stops_at_one_segment_in_t_mbi)
{
  TfrcTransmitRate rate = make_rate ();

  report (&rate, 0.1, 0, 0.01, false);
  tfrc_x_recv_set_replace (&rate.X_recv_set, 10, ns (0.1));
  expire (&rate, 1, false);
  CHECK_REL (rate.X, 22.8125, 1e-12);
  CHECK_REL (rate.recv_limit, 22.8125, 1e-12);
}
