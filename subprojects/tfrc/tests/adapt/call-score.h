/* tfrcadapt: what was heard of a call in virtual time (call.h): scores by window, delays, and a trace
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * It is a part of call.h, which includes it. */
#ifndef TFRC_TEST_CALL_SCORE_H
#define TFRC_TEST_CALL_SCORE_H

/* The burst ratio of the losses (G.107.1 7.5): the mean length of a run of frames that were not heard, over that of
 * random losses. */
static double
get_burst (unsigned n_frames, unsigned n_lost, unsigned n_runs)
{
  double length = n_runs > 0 ? (double) n_lost / n_runs : 1;

  return fmin (fmax (length * (1 - (double) n_lost / n_frames), 1), BURST_MAX);
}

/* What was not heard in a part of the call. */
typedef struct
{
  double loss;                  /* share of the sound whose frames were not heard */
  double gone;                  /* share that the codec's own error correction does not restore either */
  double burst;                 /* burst ratio */
} Missed;

static bool
is_within (unsigned frame, TfrcTime from, TfrcTime until)
{
  return call->frames[frame].made >= from && call->frames[frame].made < until;
}

/* Whether the codec's own error correction restores a frame. */
static bool
is_in_next_packet (unsigned frame)
{
  return frame + 1 < call->n_frames && call->frames[frame + 1].arrived && call->frames[frame + 1].point.fec;
}

static Missed
get_missed (TfrcTime from, TfrcTime until)
{
  double time = 0, lost = 0, gone = 0;
  unsigned n = 0, n_lost = 0, n_runs = 0;

  for (unsigned i = 0; i < call->n_frames; i++) {
    const Frame *frame = &call->frames[i];

    if (!is_within (i, from, until))
      continue;
    time += frame->point.frame_us;
    n++;
    if (frame->heard)
      continue;
    lost += frame->point.frame_us;
    if (!is_in_next_packet (i))
      gone += frame->point.frame_us;
    n_lost++;
    n_runs += i == 0 || call->frames[i - 1].heard;
  }
  return (Missed) {lost / time, gone / time, get_burst (n, n_lost, n_runs)};
}

/* The impairment of a point with all that was missed. The codec's own error correction is in the next packet. At the
 * random loss L, which the table has, it leaves L^2 of the frames. */
static double
get_Ie (const TfrcAdaptPoint * of, const Missed * missed)
{
  TfrcAdaptListening listening = {.loss = of->fec ? sqrt (missed->gone) : missed->loss,.burst = missed->burst };
  TfrcAdaptPoint point = *of;

  point.redundancy = 0;
  return 129 - tfrc_adapt_quality_get_rating (&point, &listening);
}

static bool
is_same_sound (const TfrcAdaptPoint * a, const TfrcAdaptPoint * b)
{
  return a->codec == b->codec && a->bitrate == b->bitrate && a->frame_us == b->frame_us && a->fec == b->fec;
}

/* The score, 1 to 4.5, of what was heard in a part of the call, whose ends are in s. */
static double
get_score_of (double begin, double end)
{
  TfrcTime from = BEGIN + (TfrcTime) (begin * 1e9), until = BEGIN + (TfrcTime) (end * 1e9);
  Missed missed = get_missed (from, until);
  const TfrcAdaptPoint *last = NULL;
  double sum = 0, time = 0, Ie = 0;

  for (unsigned i = 0; i < call->n_frames; i++) {
    const TfrcAdaptPoint *point = &call->frames[i].point;

    if (!is_within (i, from, until))
      continue;
    if (last == NULL || !is_same_sound (point, last))
      Ie = get_Ie (point, &missed);
    last = point;
    sum += Ie * point->frame_us;
    time += point->frame_us;
  }
  return tfrc_adapt_quality_get_mos (129 - sum / time);
}

/* The mean of the windows' scores, 1 to 4.5. */
static double
get_score (unsigned seconds, double *scores)
{
  double sum = 0;

  for (unsigned w = 0; w < seconds / WINDOW; w++) {
    scores[w] = get_score_of (w * WINDOW, (w + 1) * WINDOW);
    sum += scores[w];
  }
  return sum / (seconds / WINDOW);
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* s over the path's own that 95 of 100 packets keep to, pacing queue included. */
static double
get_p95_delay (void)
{
  CHECK (call->seen.n_delays > 100);
  qsort (call->seen.delay, call->seen.n_delays, sizeof (double), compare);
  return call->seen.delay[call->seen.n_delays * 95 / 100];
}

static double
get_mean (const double *values, unsigned from, unsigned to)
{
  double sum = 0;

  for (unsigned i = from; i < to; i++)
    sum += values[i];
  return sum / (to - from);
}

/* With TFRC_TRACE set: a line for each call, with more (TFRC_TRACE=2) for each second. */
__attribute__ ((unused)) static void
trace (const char *name)
{
  const char *level = getenv ("TFRC_TRACE");
  unsigned seconds = (unsigned) ((now - BEGIN) / TFRC_SEC);
  double scores[SECONDS];

  if (!level)
    return;
  printf ("# %-12s score %.2f, %3.0f kbit/s, %u packets, %4.1f %% lost, %4.1f %% dropped, %2u switches, "
      "%u suspended, p95 %3.0f ms, tcp %3.0f kbit/s |", name, get_score (seconds, scores),
      8e-3 * get_mean (call->seen.wire, 0, seconds), call->seen.packets, 100.0 * call->seen.lost / call->seen.packets,
      100.0 * call->seen.dropped / call->seen.packets, call->seen.switches, call->seen.suspensions, 1e3 * get_p95_delay (),
      8e-3 * get_mean (tcp.bytes, 0, seconds));
  for (unsigned w = 0; w < seconds / WINDOW; w++)
    printf (" %.1f", scores[w]);
  printf ("\n");
  for (unsigned i = 0; i < seconds && *level > '1'; i++) {
    const TfrcAdaptPoint *p = &call->seen.point[i];

    printf ("#   %3u s: %3.0f kbit/s of %3.0f, p %.3f, R %3.0f ms, tcp %3.0f: %.0f k/%u%s %.*s\n", i,
        8e-3 * call->seen.wire[i], 8e-3 * call->seen.allowed[i], call->seen.p[i], 1e3 * call->seen.R[i],
        8e-3 * tcp.bytes[i], 1e-3 * call->seen.bitrate[i], p->frame_us / 1000, p->fec ? " fec" : "",
        p->redundancy, "rr");
  }
}

#endif
