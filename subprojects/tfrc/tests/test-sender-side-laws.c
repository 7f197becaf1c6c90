/* libtfrc: tests of what holds whatever feedback a remote has sent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A voice flow of a frame each 20 ms, over a path without loss and with R = 100 ms. The remote sends
 * transport-wide feedback each 60 ms: for a while that of a liar, then an honest one. */
#include "flow.h"

#include <tfrc/sender-side-receiver.h>

#define SIZE 184u
#define FRAME MS (20)
#define FEEDBACK MS (60)
#define ONE_WAY MS (50)
#define PERIOD (((TfrcTime) 1 << 24) * 64 * TFRC_MSEC)
#define SENT 100000
#define N 32                    /* packets that feedback is about */

typedef void (*Lie) (TfrcArrivalFeedback * feedback, unsigned i);

static Flow flow;
static TfrcSenderSideReceiver *side;
static TfrcTime now, departures[SENT], next_frame;
static unsigned sent, reported;
static TfrcArrivalEntry entries[4 * N];
static double highest_X;

static void
start (void)
{
  TfrcConfig config = make_config (TFRC_MODE_TFRC_SP);

  now = next_frame = 1000 * TFRC_SEC;
  flow = make_flow (&config, now);
  side = tfrc_sender_side_init (malloc (tfrc_sender_side_size (&config)),
      &config, now);
  sent = reported = 0;
}

static void
stop (void)
{
  free_flow (&flow);
  free (side);
}

static void
send_frame (void)
{
  next_frame += FRAME;
  if (tfrc_sender_next_departure (flow.sender, SIZE) > now) {
    tfrc_sender_on_limited (flow.sender, now);
    return;
  }
  CHECK (sent < SENT);
  depart (&flow, SIZE, false, now);
  tfrc_sender_side_on_departure (side, (uint16_t) sent, SIZE, &flow.stamp, now);
  departures[sent++] = now;
}

/* The truth about what has arrived since the last feedback, as heard now. */
static TfrcArrivalFeedback
make_feedback (void)
{
  TfrcArrivalFeedback feedback = {
    .T_base = (now - 2 * ONE_WAY) % PERIOD,
    .period = PERIOD,
    .begin_seq = (uint16_t) reported,
    .entries = entries,
    .room = N_OF (entries),
  };

  memset (entries, 0, sizeof entries);
  for (; reported < sent && departures[reported] + 2 * ONE_WAY <= now
      && feedback.n < N; reported++)
    entries[feedback.n++] = (TfrcArrivalEntry) {
        .received = true,
        .timed = true,
        .arrival = (int64_t) (departures[reported] + ONE_WAY) - (int64_t) (now - 2 * ONE_WAY),
    };
  return feedback;
}

static void
hear (Lie lie, unsigned i)
{
  TfrcArrivalFeedback feedback = make_feedback ();
  TfrcReport made;
  unsigned bits;

  if (lie)
    lie (&feedback, i);
  bits = tfrc_sender_side_on_feedback (side, &feedback, &made, now);
  if (bits & TFRC_SENDER_SIDE_REPORT)
    tfrc_sender_on_report (flow.sender, &made, now);
  if (bits & TFRC_SENDER_SIDE_RTT)
    tfrc_sender_on_rtt_sample (flow.sender, &made, now);
  highest_X = fmax (highest_X, stats_of (&flow).X);
}

static void
run (double seconds, Lie lie)
{
  TfrcTime end = now + MS (1e3 * seconds), next_feedback = now;

  highest_X = 0;
  for (unsigned i = 0; now < end; now += MS (1)) {
    if (now >= next_frame)
      send_frame ();
    if (now >= next_feedback) {
      hear (lie, i++);
      next_feedback += FEEDBACK;
    }
    if (tfrc_sender_next_timer (flow.sender) <= now)
      tfrc_sender_on_timer (flow.sender, now);
  }
}

static void
jump_in_time (TfrcArrivalFeedback * feedback, unsigned i)
{
  feedback->T_base = (feedback->T_base + i * 7919 * TFRC_SEC) % PERIOD;
}

static void
arrive_in_the_future (TfrcArrivalFeedback * feedback, unsigned i)
{
  for (size_t j = 0; j < feedback->n; j++)
    entries[j].arrival += (i + 1) * (int64_t) TFRC_SEC;
}

static void
arrive_at_once (TfrcArrivalFeedback * feedback, unsigned i)
{
  (void) i;
  for (size_t j = 0; j < feedback->n; j++)
    entries[j].arrival = 0;
  feedback->T_base = 0;
}

/* Everything that was sent, and much that was not, has arrived already. */
static void
arrive_before_they_can (TfrcArrivalFeedback * feedback, unsigned i)
{
  (void) i;
  feedback->n = N_OF (entries);
  for (size_t j = 0; j < feedback->n; j++)
    entries[j] = (TfrcArrivalEntry) {
        .received = true,
        .timed = true,
        .arrival = (int64_t) (MS (100))};
}

static void
never_sent (TfrcArrivalFeedback * feedback, unsigned i)
{
  feedback->begin_seq = (uint16_t) (sent + 1 + 1000 * i);
}

static void
lose_all_but_one (TfrcArrivalFeedback * feedback, unsigned i)
{
  (void) i;
  for (size_t j = 0; j + 1 < feedback->n; j++)
    entries[j].received = false;
}

static void
lose_and_find_again (TfrcArrivalFeedback * feedback, unsigned i)
{
  feedback->begin_seq = (uint16_t) (feedback->begin_seq - N);
  feedback->n = 2 * N < feedback->n + N ? 2 * N : feedback->n + N;
  for (size_t j = 0; j < feedback->n; j++)
    entries[j] = (TfrcArrivalEntry) {
        .received = (i + j) % 2,
        .timed = true,
        .arrival = (int64_t) (j * MS (2))};
}

static void
repeat_old (TfrcArrivalFeedback * feedback, unsigned i)
{
  if (i % 4 > 0)
    feedback->begin_seq = (uint16_t) (feedback->begin_seq - 20);
}

static void
say_nothing (TfrcArrivalFeedback * feedback, unsigned i)
{
  (void) i;
  feedback->n = 0;
}

static const struct
{
  const char *name;
  Lie lie;
} lies[] = {
  {"jump in time", jump_in_time},
  {"arrive in the future", arrive_in_the_future},
  {"arrive at once", arrive_at_once},
  {"arrive before they can", arrive_before_they_can},
  {"never sent", never_sent},
  {"lose all but one", lose_all_but_one},
  {"lose and find again", lose_and_find_again},
  {"repeat", repeat_old},
  {"say nothing", say_nothing},
};

/* An honest remote brings X to twice what is sent. In one R of 100 ms up to six packets depart in place of
 * five, and the report screen permits an X_recv 1.1 times as high as what departed. */
#define MOST (1.1 * 6 / 5)

TEST (no_lie_makes_X_higher_than_what_was_sent_permits)
{
  double honest;

  start ();
  run (40, NULL);
  honest = highest_X;
  stop ();
  for (unsigned i = 0; i < N_OF (lies); i++) {
    NOTE ("%s", lies[i].name);
    start ();
    run (10, NULL);
    run (30, lies[i].lie);
    if (getenv ("TFRC_TRACE"))
      printf ("# %s: highest X %.0f, honest %.0f\n", lies[i].name, highest_X,
          honest);
    CHECK_BETWEEN (highest_X, 1, MOST * honest);
    stop ();
  }
}

/* Contract, rule 8: 10/p* packets. */
TEST (after_any_lie_an_honest_remote_brings_X_back)
{
  double fresh;

  start ();
  run (40, NULL);
  fresh = stats_of (&flow).X;
  stop ();
  for (unsigned i = 0; i < N_OF (lies); i++) {
    NOTE ("%s", lies[i].name);
    start ();
    run (10, NULL);
    run (30, lies[i].lie);
    run (40, NULL);
    if (getenv ("TFRC_TRACE"))
      printf ("# %s: X %.0f, fresh %.0f\n", lies[i].name, stats_of (&flow).X,
          fresh);
    CHECK_BETWEEN (stats_of (&flow).X, 0.5 * fresh, MOST * fresh);
    stop ();
  }
}

TEST (lies_about_packets_that_were_never_sent_are_silence)
{
  start ();
  run (10, NULL);
  run (10, never_sent);
  CHECK (stats_of (&flow).expiries > 3);
  CHECK_BETWEEN (stats_of (&flow).X, 1, 3000);
  stop ();
}
