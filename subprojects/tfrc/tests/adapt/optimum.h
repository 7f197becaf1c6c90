/* tfrcadapt: the offline optimum of a call in virtual time: what the best schedule of operating points would have had
 * with hindsight, under the allowance and the losses of that call (replay.h)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each fixed point is tried, and then what a dynamic program finds, which knows all of the allowance, in steps of 1 s
 * over the wait in the pacing queue. The optimum is the best of these.
 *
 * The schedules are approximate, and their scores are not. The program knows the share of packets that the path loses,
 * and not which; its packets wait multiples of 20 ms; and it takes the score of a window, which is no sum over its
 * seconds, as linear around what the schedule before had in that window, so that it is run a few times. */
#ifndef TFRC_TEST_OPTIMUM_H
#define TFRC_TEST_OPTIMUM_H

#include "replay.h"

#define WAIT_S 0.02             /* s from one state of the pacing queue to the next */
#define WAITS 96
#define CREDIT_S 0.1            /* s that the pacer may be behind, in the dynamic program */
#define ROUNDS 3
#define SHORT_WAIT 0.1          /* s that packets always may wait (adapt/queue-time-limit.c) */
#define UNTRIED (-1.0)

/* What the dynamic program takes a window's score to be around. */
typedef struct
{
  Missed missed;
  double slope;                 /* impairment of one more unit of loss */
  double weight;                /* score of one unit of rating */
} Linear;

/* --- the points that are worth a try ------------------------------------------------ */

/* A point of the ladder. */
typedef struct
{
  TfrcAdaptPoint point;
  double need, rating[2];       /* bytes/s; at the loss of the path, and at more */
} Rated;

static Rated
rate (const TfrcAdaptPoint * point, double loss)
{
  Rated rated = {.point = *point,.need = tfrc_adapt_point_get_wire_rate (point, RTP, TFRC_SP_H) };

  for (unsigned i = 0; i < 2; i++)
    rated.rating[i] =
        tfrc_adapt_quality_get_rating (point, &(TfrcAdaptListening) {.loss = loss + 0.05 * i,.burst = 1 });
  return rated;
}

/* Whether `a` needs no more than `b` and is as good or better. */
static bool
is_better (const Rated * a, const Rated * b)
{
  return a->need <= b->need && a->rating[0] >= b->rating[0] && a->rating[1] >= b->rating[1];
}

/* The points that no other one makes useless where that share of the packets is lost. */
static void
find_points (double loss)
{
  static Rated rated[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptLadderLimits limits;
  unsigned n;

  tfrc_adapt_ladder_limits_init (&limits);
  n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, &limits);
  for (unsigned i = 0; i < n; i++)
    rated[i] = rate (&ladder[i], loss);
  n_points = 0;
  for (unsigned i = 0; i < n && n_points < POINTS_MAX; i++) {
    bool wanted = true;

    for (unsigned j = 0; j < n && wanted; j++)
      wanted = j == i || !is_better (&rated[j], &rated[i]) || (j > i && is_better (&rated[i], &rated[j]));
    if (wanted)
      points[n_points++] = ladder[i];
  }
}

/* --- the dynamic program ------------------------------------------------------------ */

/* What a second with a point comes to, by the wait at its beginning. */
typedef struct
{
  unsigned char wait;           /* at the end */
  float unheard;                /* share of its frames */
} Outcome;

static Outcome outcomes[SECONDS][POINTS_MAX][WAITS];

/* Bytes that a point's packets could have departed with until each tick, by the allowance and by the link. Only TCP's
 * part of the link is in the allowance. */
static void
sum_room (const TfrcAdaptPoint * point, double *sum)
{
  double bytes = get_bytes (point);

  for (unsigned i = 0; i < record.ticks; i++) {
    double room = (record.allowed[i + 1] - record.allowed[i]) * bytes / get_cost (point, i);
    double link = TICK_S * path.capacity[(unsigned) (i * TICK_S)] / 8 * bytes / (bytes - TFRC_SP_H + IP_UDP);

    sum[i + 1] = sum[i] + (path.tcp ? room : fmin (room, link));
  }
}

/* The share of the packets of a second that the path loses. */
static double
get_path_loss (unsigned s)
{
  unsigned full = 0, per_second = (unsigned) (1 / TICK_S);

  for (unsigned i = s * per_second; i < (s + 1) * per_second && i < record.ticks; i++)
    full += path.tcp && record.queue[i] > path.queue_s;
  return path.out[s] ? 1 : path.loss + (1 - path.loss) * full / per_second;
}

/* One second of a point's packets, of which `*sent` bytes of room are used up. Returns the share that does not depart
 * in time. */
static double
play_second (const TfrcAdaptPoint * point, const double *sum, unsigned s, double *sent)
{
  double size = get_bytes (point), frame = point->frame_us * 1e-6;
  unsigned n = 0, late = 0, tick = (unsigned) (s / TICK_S);

  for (double t = s; t < s + 1 - 1e-9; t += frame, n++) {
    double from = fmax (*sent, get_sum (sum, t - CREDIT_S)), departs = get_when (sum, from + size, &tick);
    double slack = departs < TICK_S * record.ticks ? record.slack[(unsigned) (departs / TICK_S)] : 0;

    if (departs - t <= patience)
      *sent = from + size;
    late += departs - t > fmin (patience, slack);
  }
  return (double) late / n;
}

/* Of what departs, copies restore a part. */
static double
get_unheard_share (const TfrcAdaptPoint * point, double late, double lost)
{
  return late + (1 - late) * tfrc_adapt_quality_get_residual_loss (lost, 1, point->redundancy);
}

/* States of the pacing queue. */
static unsigned
get_waits (void)
{
  return (unsigned) ((patience + CREDIT_S) / WAIT_S + 1e-6) + 1;
}

/* With the share `lost` of the packets. */
static Outcome
find_outcome (unsigned k, const double *sum, unsigned s, unsigned w, double lost)
{
  double sent = get_sum (sum, s + w * WAIT_S - CREDIT_S), late = play_second (&points[k], sum, s, &sent);
  unsigned tick = s > 0 ? (unsigned) ((s - 1) / TICK_S) : 0;
  double wait = (get_when (sum, sent, &tick) - (s + 1) + CREDIT_S) / WAIT_S;

  return (Outcome) {(unsigned char) fmin (fmax (0, wait + 0.5), WAITS - 1),
        (float) get_unheard_share (&points[k], late, lost)};
}

/* Where all is in time and nothing waits at the end, it is so if less waits at the beginning. */
static void
find_outcomes_of (unsigned k, unsigned seconds)
{
  static double sum[TICKS + 1];
  unsigned waits = get_waits ();

  sum_room (&points[k], sum);
  for (unsigned s = 0; s < seconds; s++) {
    double lost = get_path_loss (s);
    float least = (float) get_unheard_share (&points[k], 0, lost);
    bool idle = false;

    for (unsigned w = waits; w-- > 0;) {
      outcomes[s][k][w] = idle ? outcomes[s][k][w + 1] : find_outcome (k, sum, s, w, lost);
      idle = outcomes[s][k][w].wait == 0 && outcomes[s][k][w].unheard <= least;
    }
  }
}

static double
get_value (unsigned k, const Linear * linear, double unheard)
{
  return -linear->weight * (get_Ie (&points[k], &linear->missed) + linear->slope * (unheard - linear->missed.loss));
}

static void
find_schedule (Schedule * schedule, const Linear * linear, unsigned seconds)
{
  static double value[SECONDS + 1][WAITS];
  static unsigned char best[SECONDS][WAITS];
  unsigned w = (unsigned) (CREDIT_S / WAIT_S), waits = get_waits ();

  memset (value, 0, sizeof value);
  for (unsigned s = seconds; s-- > 0;) {
    for (unsigned i = 0; i < WAITS; i++)
      value[s][i] = -HUGE_VAL;
    for (unsigned k = 0; k < n_points; k++) {
      double base = get_value (k, &linear[s / WINDOW], 0), slope = linear[s / WINDOW].weight * linear[s / WINDOW].slope;

      for (unsigned i = 0; i < waits; i++) {
        double v = base - slope * outcomes[s][k][i].unheard + value[s + 1][outcomes[s][k][i].wait];

        if (v > value[s][i]) {
          value[s][i] = v;
          best[s][i] = (unsigned char) k;
        }
      }
    }
  }
  for (unsigned s = 0; s < seconds; s++) {
    schedule->point[s] = best[s][w];
    w = outcomes[s][best[s][w]][w].wait;
  }
}

/* --- the optimum -------------------------------------------------------------------- */

/* Around what was heard, in each window, of the schedule that was played last. */
static void
get_linear (Linear * linear, const Schedule * schedule, unsigned seconds)
{
  for (unsigned w = 0; w < seconds / WINDOW; w++) {
    Missed more, missed = get_missed (BEGIN + w * WINDOW * TFRC_SEC, BEGIN + (w + 1) * WINDOW * TFRC_SEC);
    double rating = tfrc_adapt_quality_get_rating_of_mos (get_score_of (w * WINDOW, (w + 1) * WINDOW));

    more = (Missed) {missed.loss + 0.01, missed.gone + 0.01 * missed.gone / fmax (missed.loss, 1e-3), missed.burst};
    linear[w] = (Linear) {.missed = missed};
    for (unsigned s = w * WINDOW; s < (w + 1) * WINDOW; s++)
      linear[w].slope += (get_Ie (&points[schedule->point[s]], &more)
          - get_Ie (&points[schedule->point[s]], &missed)) / 0.01 / WINDOW;
    linear[w].weight = tfrc_adapt_quality_get_mos (rating + 1) - tfrc_adapt_quality_get_mos (rating) + 1e-4;
  }
}

static void
try_schedule (Schedule * best, Schedule * schedule, unsigned seconds)
{
  double begin;

  replay (schedule, seconds);
  begin = fmax (best->begin, schedule->begin);
  if (schedule->score > best->score)
    *best = *schedule;
  best->begin = begin;
}

/* Runs the dynamic program around a schedule, and around what that gives. */
static void
improve (Schedule * best, Schedule schedule, unsigned seconds)
{
  Linear linear[SECONDS / WINDOW + 1];

  try_schedule (best, &schedule, seconds);
  for (unsigned round = 0; round < ROUNDS; round++) {
    get_linear (linear, &schedule, seconds);
    find_schedule (&schedule, linear, seconds);
    try_schedule (best, &schedule, seconds);
  }
}

/* With packets that wait for at most `wait` s, and copies that are so many us behind. */
static void
search (Schedule * best, double wait, uint32_t distance, unsigned seconds)
{
  Schedule schedule = {.distance = distance }, fixed = {.score = UNTRIED };

  patience = fmin (wait, WAIT_S * (WAITS - 1) - CREDIT_S);
  for (unsigned k = 0; k < n_points; k++) {
    memset (schedule.point, (int) k, sizeof schedule.point);
    try_schedule (&fixed, &schedule, seconds);
    find_outcomes_of (k, seconds);
  }
  improve (&fixed, fixed, seconds);
  schedule = fixed;
  schedule.distance = 0;
  improve (&fixed, schedule, seconds);
  if (fixed.score > best->score)
    *best = fixed;
  best->begin = fmax (best->begin, fixed.begin);
}

/* With TFRC_TRACE=2: a line for each second. */
__attribute__ ((unused)) static void
trace_schedule (const Schedule * schedule, unsigned seconds)
{
  const char *level = getenv ("TFRC_TRACE");

  for (unsigned s = 0; level && *level > '1' && s < seconds; s++) {
    const TfrcAdaptPoint *p = &points[schedule->point[s]];

    printf ("# optimum %3u s, %.0f kbit/s allowed: %.0f k/%u%s %.*s\n", s,
        8e-3 * (get_sum (record.allowed, s + 1) - get_sum (record.allowed, s)), 1e-3 * p->bitrate, p->frame_us / 1000,
        p->fec ? " fec" : "", p->redundancy, "rr");
  }
}

/* The best schedule under what was recorded. Leaves the random numbers and the time as they were. */
static Schedule
find_optimum (unsigned seconds)
{
  Schedule best = {.score = UNTRIED,.begin = UNTRIED };
  TfrcTime then = now;
  uint64_t state = random_state;

  find_points (record.loss);
  search (&best, 1e-9 * (double) latency, TFRC_ADAPT_COPY_DISTANCE, seconds);
  if (path.tcp)
    search (&best, SHORT_WAIT, TFRC_ADAPT_COPY_DISTANCE, seconds);
  call = calls;
  now = then;
  random_state = state;
  return best;
}

#endif
