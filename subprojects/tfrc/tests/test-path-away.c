/* libtfrc: tests of a path on which nobody answers for a while
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path.h"

#include "sender/path-away.h"

#define SIZE 172

/* The RTCP of both ends: while the path is dead, a sign of life leaves each second in the first minute and
 * each three seconds after it, and what arrives is answered at once. */
typedef struct
{
  Path *path;
  TfrcTime silent;              /* since when nothing comes through */
  TfrcTime sign;                /* when the next sign of life leaves */
  TfrcTime heard;               /* when its answer arrives; TFRC_TIME_NONE: none is on its way */
} Signs;

static void
sign_step (Signs * signs)
{
  Path *path = signs->path;

  if (path->now >= signs->heard) {
    tfrc_sender_on_rtcp (path->flow.sender, path->now);
    signs->heard = TFRC_TIME_NONE;
  }
  if (path->now < signs->sign)
    return;
  signs->sign += path->now - signs->silent < MS (60000) ? MS (1000) : MS (3000);
  if (!path->cut_data && !path->cut_reports)
    signs->heard = path->now + 2 * path->delay;
}

/* Runs until `n` packets have arrived in all, or `until`. */
static void
run_to_arrival (Signs * signs, uint64_t n, TfrcTime until)
{
  Path *path = signs->path;

  while (path->now < until && path->arrived < n) {
    path_run (path, path->now + MS (1));
    sign_step (signs);
  }
}

static Path *
make_call (TfrcMode mode, TfrcTime R)
{
  TfrcConfig config = make_config (mode);

  return make_path (&config, SIZE, MS (20), R / 2);
}

/* Cuts the path for `outage` and returns how long after that the first packet arrived, and in `rate` when
 * 45 of 50 frames got through, both in s. */
static double
measure_outage (Path * path, TfrcTime outage, double *rate)
{
  Signs signs = { path, path->now, path->now + MS (990), TFRC_TIME_NONE };
  TfrcTime end = path->now + outage, first, full;
  uint64_t arrived;

  if (path->arrived > 0)
    tfrc_sender_on_rtcp (path->flow.sender, path->now);
  path->cut_data = path->cut_reports = true;
  path->data.n = path->reports.n = 0;
  run_to_arrival (&signs, UINT64_MAX, end);
  path->cut_data = path->cut_reports = false;
  run_to_arrival (&signs, path->arrived + 1, end + MS (100000));
  first = path->now;
  do {
    arrived = path->arrived;
    full = path->now;
    run_to_arrival (&signs, UINT64_MAX, path->now + MS (1000));
  } while (path->arrived - arrived < 45 && path->now < end + MS (100000));
  *rate = (double) (full - end) * 1e-9;
  return (double) (first - end) * 1e-9;
}

TEST (voice_is_back_in_a_second_and_a_half_after_an_outage)
{
  static const unsigned outages[] = { 2, 5, 20, 60, 90 }, rtts[] =
      { 10, 100, 300 };

  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (outages); i++)
      for (size_t j = 0; j < N_OF (rtts); j++) {
        double bar = outages[i] > 60 ? 3.5 : 1.5, first, rate;
        Path *path = make_call (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC,
            MS (rtts[j]));

        NOTE ("mode %u, %u s, R %u ms", mode, outages[i], rtts[j]);
        path_run (path, MS (10000));
        first = measure_outage (path, MS (1000 * outages[i]), &rate);
        CHECK_BETWEEN (first, 0, bar);
        /* Standard TFRC gives packets so small little on a long path, until the loss events of an outage are
         * old. */
        if (mode == 1 || rtts[j] <= 10)
          CHECK_BETWEEN (rate, 0, bar + 3);
        CHECK_BETWEEN (stats_of (&path->flow).regained, 0, outages[i] > 2);
        free_path (path);
      }
}

TEST (a_receiver_that_comes_late_hears_voice_in_a_second_and_a_half)
{
  static const unsigned late[] = { 1, 2, 10, 30, 60, 90 };

  for (unsigned mode = 0; mode < 2; mode++)
    for (size_t i = 0; i < N_OF (late); i++) {
      double bar = late[i] > 60 ? 3.5 : 1.5, first, rate;
      Path *path = make_call (mode ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC,
          MS (100));

      NOTE ("mode %u, %u s late", mode, late[i]);
      first = measure_outage (path, MS (1000 * late[i]), &rate);
      CHECK_BETWEEN (first, 0, bar);
      CHECK_BETWEEN (rate, 0, bar + 3);
      free_path (path);
    }
}

TEST (an_answer_begins_X_anew_and_a_round_trip_time_gives_the_initial_rate)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (0);

  while (now < MS (40000)) {
    depart (&flow, 1000, true, now);
    now = tfrc_sender_next_timer (flow.sender);
    tfrc_sender_on_timer (flow.sender, now);
  }
  CHECK (stats_of (&flow).X < 60);
  CHECK_INT (tfrc_sender_on_rtcp (flow.sender, now),
      TFRC_SENDER_REGAINED | TFRC_SENDER_RATE | TFRC_SENDER_TIMER);
  CHECK_REL (stats_of (&flow).X, 1000, 1e-9);
  CHECK (tfrc_sender_next_departure (flow.sender, 1000) <= now);
  tfrc_sender_on_rtt (flow.sender, MS (100), now);
  CHECK_REL (stats_of (&flow).X, 40000, 1e-9);
  CHECK_INT (stats_of (&flow).regained, 1);
  free_flow (&flow);
}

TEST (a_report_of_a_path_that_was_away_is_the_first_of_a_new_one)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  TfrcTime now = MS (0);
  unsigned bits;

  exchange (&flow, 1000, MS (100), 10000, 0.01, now);
  tfrc_sender_on_rtcp (flow.sender, MS (100));
  while ((now = tfrc_sender_next_timer (flow.sender)) < MS (4000)) {
    depart (&flow, 1000, true, now - 1);
    tfrc_sender_on_timer (flow.sender, now);
  }
  now = MS (4000);
  CHECK (tfrc_sender_on_rtcp (flow.sender, now) & TFRC_SENDER_REGAINED);
  bits = exchange (&flow, 1000, MS (50), 0, 0, now);
  CHECK (!(bits & TFRC_SENDER_REJECTED));
  CHECK_REL (stats_of (&flow).R, 0.05, 1e-6);
  CHECK_REL (stats_of (&flow).p, 0, 0);
  CHECK_REL (stats_of (&flow).X, 80000, 1e-6);
  CHECK_INT (stats_of (&flow).reports, 2);
  free_flow (&flow);
}

/* The report that ends a silence may be about a packet that came through at last. */
TEST (a_packet_that_got_through_before_the_answer_gives_the_round_trip_time)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime now;
  uint32_t t_i;

  while ((now = tfrc_sender_next_timer (flow.sender)) < MS (20000)) {
    depart (&flow, SIZE, true, now - 1);
    tfrc_sender_on_timer (flow.sender, now);
  }
  t_i = depart (&flow, SIZE, true, MS (20000));
  CHECK (tfrc_sender_on_rtcp (flow.sender, MS (20100)) & TFRC_SENDER_REGAINED);
  CHECK (!(report (&flow, t_i, 0, 0, 0, MS (20100)) & TFRC_SENDER_REJECTED));
  CHECK_REL (stats_of (&flow).R, 0.1, 1e-6);
  free_flow (&flow);
}

/* The answer of a receiver that appears between two packets comes before the nofeedback timer expires, so
 * that the path was not away. The packet after that is not put off. */
TEST (a_receiver_that_answers_before_the_first_expiry_gets_the_next_packet_in_a_second)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  TfrcTime next;

  depart (&flow, SIZE, true, MS (0));
  next = depart_when_due (&flow, SIZE, true, MS (0));
  CHECK_INT (tfrc_sender_on_rtcp (flow.sender, MS (1900)), TFRC_SENDER_TIMER);
  CHECK (tfrc_sender_next_timer (flow.sender) > MS (2900));
  CHECK (tfrc_sender_next_departure (flow.sender, SIZE) <= next + MS (1000));
  /* only the first time, or RTCP alone would keep X up */
  CHECK_INT (tfrc_sender_on_rtcp (flow.sender, MS (2900)), 0);
  CHECK (tfrc_sender_next_timer (flow.sender) <= MS (3900));
  free_flow (&flow);
}

/* A receiver that is stopped for 5 s finds the packets of that time in its socket, and reports each. */
TEST (packets_that_waited_for_a_stopped_receiver_give_no_round_trip_time)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);
  Flow flow = make_flow (&config, 0);
  uint32_t waited[10];
  TfrcTime now = MS (1000), timer;

  exchange (&flow, SIZE, MS (100), 10000, 0, MS (0));
  tfrc_sender_on_rtcp (flow.sender, MS (100));
  for (size_t i = 0; i < N_OF (waited); i++, now += MS (500)) {
    waited[i] = depart (&flow, SIZE, true, now);
    while ((timer = tfrc_sender_next_timer (flow.sender)) < now + MS (500))
      tfrc_sender_on_timer (flow.sender, timer);
  }
  CHECK (tfrc_sender_on_rtcp (flow.sender, now) & TFRC_SENDER_REGAINED);
  for (size_t i = 0; i < N_OF (waited); i++)
    CHECK_INT (report (&flow, waited[i], 0, 10000, 0, now),
        TFRC_SENDER_REJECTED);
  CHECK_INT (stats_of (&flow).rejected[TFRC_REJECT_OLD], N_OF (waited));
  CHECK (!(exchange (&flow, SIZE, MS (50), 10000, 0,
              now) & TFRC_SENDER_REJECTED));
  CHECK_REL (stats_of (&flow).R, 0.05, 1e-6);
  free_flow (&flow);
}

/* RTCP is heard at 1 s and again `gap` later; the timer expired `expiries` times in between. */
TEST (only_silence_of_three_seconds_after_data_in_vain_is_a_path_that_was_away)
{
  static const struct
  {
    unsigned expiries;
    bool reported;
    TfrcTime gap;
    bool away;
  } cases[] = {
    {2, false, TFRC_AWAY, true},
    {2, false, TFRC_AWAY - 1, false},
    {1, false, 10 * TFRC_AWAY, false},
    {0, false, 10 * TFRC_AWAY, false},
    {2, true, 10 * TFRC_AWAY, false},
  };

  for (size_t i = 0; i < N_OF (cases); i++) {
    TfrcPathAway away;

    NOTE ("case %zu", i);
    tfrc_path_away_init (&away);
    CHECK (!tfrc_path_away_on_heard (&away, MS (1000)));
    for (unsigned n = 0; n < cases[i].expiries; n++)
      tfrc_path_away_on_expiry (&away);
    if (cases[i].reported)
      tfrc_path_away_on_report (&away);
    CHECK_INT (tfrc_path_away_on_heard (&away, MS (1000) + cases[i].gap),
        cases[i].away);
    CHECK_INT (tfrc_path_away_on_heard (&away, MS (1000) + 20 * TFRC_AWAY),
        cases[i].expiries > 1 && !cases[i].reported && !cases[i].away);
  }
}

TEST (what_was_never_heard_is_away_once_data_were_sent_in_vain)
{
  TfrcPathAway away;

  tfrc_path_away_init (&away);
  tfrc_path_away_on_expiry (&away);
  CHECK (tfrc_path_away_on_heard (&away, MS (2000)));
}

TEST (rtcp_that_goes_on_while_reports_are_lost_does_not_end_the_back_off)
{
  Path *path = make_call (TFRC_MODE_TFRC_SP, MS (100));

  path_run (path, MS (10000));
  tfrc_sender_on_rtcp (path->flow.sender, MS (10000));
  path->cut_reports = true;
  for (TfrcTime t = MS (11000); t <= MS (60000); t += MS (2900)) {
    path_run (path, t);
    CHECK_INT (tfrc_sender_on_rtcp (path->flow.sender, t), 0);
  }
  CHECK (stats_of (&path->flow).X < 10 * SIZE / 50.0);
  free_path (path);
}

/* The application pauses right behind a packet, whose report nobody hears then. */
TEST (a_flow_that_was_paused_goes_on_at_its_rate)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);
  double X;

  exchange (&flow, 1000, MS (100), 10000, 0.01, MS (0));
  tfrc_sender_on_rtcp (flow.sender, MS (100));
  depart (&flow, 1000, false, MS (110));
  for (TfrcTime t = tfrc_sender_next_timer (flow.sender); t < MS (8000);
      t = tfrc_sender_next_timer (flow.sender))
    tfrc_sender_on_timer (flow.sender, t);
  X = stats_of (&flow).X;
  CHECK_INT (tfrc_sender_on_rtcp (flow.sender, MS (8000)), 0);
  CHECK_REL (stats_of (&flow).X, X, 0);
  CHECK_INT (stats_of (&flow).regained, 0);
  free_flow (&flow);
}

TEST (a_flow_that_sends_nothing_is_not_away)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC);
  Flow flow = make_flow (&config, 0);

  exchange (&flow, 1000, MS (100), 10000, 0.01, MS (0));
  tfrc_sender_on_rtcp (flow.sender, MS (100));
  for (TfrcTime t = tfrc_sender_next_timer (flow.sender); t < MS (30000);
      t = tfrc_sender_next_timer (flow.sender))
    tfrc_sender_on_timer (flow.sender, t);
  CHECK_INT (tfrc_sender_on_rtcp (flow.sender, MS (30000)), 0);
  CHECK_REL (stats_of (&flow).p, 0.01, WIRE);
  free_flow (&flow);
}
