/* tfrcadapt: the table of hard paths, in virtual time: what a listener hears of the call, and of the best
 * fixed operating point, on each path
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The variables FIRST_SEED, SEEDS and PATHS of the environment choose the calls. Each line is a path,
 * with as many calls as there are seeds. The scores are those of the E-model
 * for what was heard, 1 to 4.5, the delay of the jitter buffer left out. With TFRC_TRACE set, each
 * call has a line too. With POINT=BITRATE/MS/COPIES the ladder has that point only, and the call keeps to what TFRC
 * allows. LATENCY is that of the jitter buffer in ms, which the data receiver says. With MAX_DELAY the application knows
 * of that delay in its place, less the path's own. The optimum is offline, under what the calls were allowed, with the
 * share of it that they reached (optimum.h); on start-100 and start-400 both are of the first 8 s. With FORECAST set the
 * allowance depends on the packet rate. With HEARD=FOLDER each call, and its optimum, has a file there (tests/bench/heard.py). */
#include "optimum.h"

#define OPTIMUM_SEEDS 10        /* calls whose optimum is sought, on a path that is not judged by it */
#define IN_FLIGHT 2             /* s after the part that is scored, in which the last of its packets arrive */
#define CLEAN 1e6               /* bit/s of a link that is wide enough */

typedef struct
{
  double score, begin;          /* of the whole call, and of its first 8 s */
  double changes;               /* of the operating point, per minute, from 10 s on */
  double dropped, unheard;      /* shares of packets dropped by the sender, and of frames not heard */
  double wait;                  /* s from capture that 95 of 100 frames that were heard need, less the path's own */
  double wire;                  /* bit/s */
  double tcp;                   /* bit/s */
  double gap, after;            /* outages: s from the path's return to the first frame heard; score from
                                 * 3 s after it less that of before */
} Result;

typedef struct
{
  const char *name;
  void (*set) (void);
  unsigned seconds;
  double bar;                   /* of the score; 0: the best fixed point less `within` */
  double within;
  double of_optimum;            /* the bar as a share of the offline optimum; 0: none */
  double begin;                 /* bar of the first 8 s; 0: none */
  unsigned outage_ends;         /* s; 0: there is none */
} Path;

static unsigned switches_at_10;

/* --- the paths ------------------------------------------------------------------- */

static void
set_thin24 (void)
{
  set_path (24e3, 0.3, 0);
}

static void
set_thin24_busy (void)
{
  set_thin24 ();
  path.busy = 0.06;
}

/* A browser's call has reports and keep-alive packets of both ends in the queue, which are not paced. */
static void
set_thin24_aside (void)
{
  set_path (24e3, 1.0, 0);
  path.aside_s = 0.4;
  path.aside_bytes = 150;
}

static void
set_thin48 (void)
{
  set_path (48e3, 0.3, 0);
}

static void
set_step (double queue)
{
  set_path (200e3, queue, 0);
  for (unsigned s = 24; s < 48; s++)
    path.capacity[s] = 48e3;
}

static void
set_step_short (void)
{
  set_step (0.3);
}

static void
set_step_deep (void)
{
  set_step (1.0);
}

static void
set_loss2 (void)
{
  set_path (CLEAN, 0.3, 0.02);
}

static void
set_loss10 (void)
{
  set_path (CLEAN, 0.3, 0.1);
}

static void
set_loss25 (void)
{
  set_path (CLEAN, 0.3, 0.25);
}

static void
set_loss30 (void)
{
  set_path (CLEAN, 0.3, 0.3);
}

static void
set_loss40 (void)
{
  set_path (CLEAN, 0.3, 0.4);
}

static void
set_loss50 (void)
{
  set_path (CLEAN, 0.3, 0.5);
}

static void
set_bursty (void)
{
  set_path (CLEAN, 0.3, 0.08);
  path.loss_burst = 4;
}

/* As in the real calls (tests/bench/voice.sh), TCP begins 1.5 to 2 s behind the call. */
static void
add_tcp (bool cubic)
{
  path.tcp = true;
  path.cubic = cubic;
  path.tcp_begins = 1.5;
}

static void
set_reno (void)
{
  set_path (300e3, 0.3, 0);
  add_tcp (false);
}

static void
set_cubic (void)
{
  set_path (300e3, 0.3, 0);
  add_tcp (true);
}

static void
set_deep_cubic (void)
{
  set_path (150e3, 1.0, 0);
  path.one_way = 30 * TFRC_MSEC;
  add_tcp (true);
}

static void
set_start_100 (void)
{
  set_path (CLEAN, 0.3, 0.05);
}

static void
set_start_400 (void)
{
  set_start_100 ();
  path.one_way = 200 * TFRC_MSEC;
}

static void
set_start_100_known (void)
{
  set_start_100 ();
  path.rtt_is_known = true;
}

static void
set_start_400_known (void)
{
  set_start_400 ();
  path.rtt_is_known = true;
}

static void
set_outage (unsigned seconds)
{
  set_path (100e3, 0.3, 0);
  for (unsigned s = 24; s < 24 + seconds; s++)
    path.out[s] = true;
}

static void
set_outage_2 (void)
{
  set_outage (2);
}

static void
set_outage_5 (void)
{
  set_outage (5);
}

static void
set_feedback (void)
{
  set_thin48 ();
  path.report_loss = 0.2;
}

static void
set_feedback_loss (void)
{
  set_loss10 ();
  path.report_loss = 0.2;
}

static void
set_both (void)
{
  set_path (40e3, 0.35, 0);
  path.one_way = TFRC_MSEC / 10;
  path.bucket = 1600;
}

static const Path paths[] = {
  {"thin24", set_thin24, 64, .within = 0.1},
  {"thin24-aside", set_thin24_aside, 64, .within = 0.1},
  {"thin48", set_thin48, 64, .within = 0.1},
  {"thin24-busy", set_thin24_busy, 64, .within = 0.1},
  {"step", set_step_short, 72, .within = 0.1},
  {"step-deep", set_step_deep, 72, .within = 0.1},
  {"loss2", set_loss2, 64},
  {"loss10", set_loss10, 64},
  {"loss25", set_loss25, 64, .of_optimum = 0.9},
  {"loss30", set_loss30, 64, .of_optimum = 0.8},
  {"loss40", set_loss40, 64, .of_optimum = 0.8},
  {"loss50", set_loss50, 64, .of_optimum = 0.9},
  {"bursty", set_bursty, 64},
  {"reno", set_reno, 64, .bar = 4.1},
  {"cubic", set_cubic, 64, .bar = 4.0},
  {"deep-cubic", set_deep_cubic, 64},
  {"start-100", set_start_100, 40, .begin = 3.7},
  {"start-400", set_start_400, 40, .begin = 3.3},
  {"start-100-rtt", set_start_100_known, 40, .begin = 3.7},
  {"start-400-rtt", set_start_400_known, 40, .begin = 3.3},
  {"outage-2", set_outage_2, 48, .outage_ends = 26},
  {"outage-5", set_outage_5, 48, .outage_ends = 29},
  {"feedback", set_feedback, 64, .within = 0.2},
  {"feedback-loss", set_feedback_loss, 64, .within = 0.2},
  {"thin-both", set_both, 64, .within = 0.1},
};

/* --- a call ---------------------------------------------------------------------- */

static double
get_wait (void)
{
  static double waits[FRAMES];
  unsigned n = 0;

  for (unsigned i = 0; i < call->n_frames; i++)
    if (call->frames[i].heard)
      waits[n++] = call->frames[i].wait;
  qsort (waits, n, sizeof (double), compare);
  return n > 0 ? waits[n * 95 / 100] : 0;
}

static double
get_unheard (unsigned seconds)
{
  double lost = 0, time = 0;

  for (unsigned i = 0; i < call->n_frames
      && call->frames[i].made < BEGIN + seconds * TFRC_SEC; i++) {
    time += call->frames[i].point.frame_us;
    lost += call->frames[i].heard ? 0 : call->frames[i].point.frame_us;
  }
  return lost / time;
}

/* s from the path's return to the capture of the first frame that is heard. */
static double
get_gap (unsigned outage_ends)
{
  TfrcTime back = BEGIN + outage_ends * TFRC_SEC;

  for (unsigned i = 0; i < call->n_frames; i++)
    if (call->frames[i].made >= back && call->frames[i].heard)
      return 1e-9 * (double) (call->frames[i].made - back);
  return HUGE_VAL;
}

static void
start_fixed (const TfrcAdaptPoint * point)
{
  tfrc_adapt_init (call->adapt, &(TfrcAdaptConfig) {
          .start_bitrate = 1}, point, 1, now);
  tfrc_adapt_get_choice (call->adapt, &call->choice);
}

/* Which packets a full queue takes depends on where they fall between those of TCP, and that on the round-trip time to the
 * millisecond: each seed has another one, -10 to +20 ms. */
static void
vary_rtt (unsigned seed)
{
  const double golden = 0.6180339887;

  path.one_way += (TfrcTime) ((fmod (seed * golden, 1) * 15 - 5) * 1e6);
}

/* Plays a call over the path that is set, with one operating point when that is not NULL. */
static Result
play (const Path * p, unsigned seed, const TfrcAdaptPoint * point)
{
  double scores[SECONDS];
  Result result = { 0 };

  p->set ();
  if (path.tcp)
    vary_rtt (seed);
  path.fixed = point != NULL;
  call_seed = seed;
  if (p->set == set_both)
    start_two_way ();
  else
    start ();
  for (call = calls; point != NULL && call < calls + n_calls; call++)
    start_fixed (point);
  call = calls;
  if (point == NULL)
    start_record ();
  run (10);
  switches_at_10 = call->seen.switches;
  run (p->seconds - 10 + IN_FLIGHT);
  end_record ();
  result.score = get_score (p->seconds, scores);
  result.begin = scores[0];
  result.changes =
      60.0 * (call->seen.switches - switches_at_10) / (p->seconds - 10);
  result.dropped =
      call->seen.dropped / (double) (call->seen.packets + call->seen.dropped);
  result.unheard = get_unheard (p->seconds);
  result.wait = get_wait ();
  result.wire = 8 * get_mean (call->seen.wire, 0, p->seconds);
  result.tcp = 8 * get_mean (tcp.bytes, 0, p->seconds);
  if (p->outage_ends > 0) {
    result.gap = get_gap (p->outage_ends);
    result.after =
        get_score_of (p->outage_ends + 3,
        p->outage_ends + 11) - get_score_of (16, 24);
  }
  trace (p->name);
  return result;
}

/* A line for each frame: bit/s, us, error correction of the codec's own, and whether it was heard. */
static void
write_frames (const char *path_name, unsigned seed, const char *whose,
    unsigned seconds)
{
  const char *folder = getenv ("HEARD");
  char name[4096];
  FILE *file;

  if (folder == NULL)
    return;
  snprintf (name, sizeof name, "%s/%s-%u-%s.txt", folder, path_name, seed,
      whose);
  file = fopen (name, "w");
  CHECK (file != NULL);
  for (unsigned i = 0;
      i < call->n_frames && call->frames[i].made < BEGIN + seconds * TFRC_SEC;
      i++) {
    const Frame *frame = &call->frames[i];

    fprintf (file, "%u %u %d %d\n", frame->point.bitrate, frame->point.frame_us,
        frame->point.fec, frame->heard);
  }
  CHECK_INT (fclose (file), 0);
}

/* Plays the schedule once more. */
static void
write_optimum (const char *path_name, unsigned seed, Schedule * best,
    unsigned seconds)
{
  TfrcTime then = now;
  uint64_t state = random_state;

  if (getenv ("HEARD") == NULL)
    return;
  replay (best, seconds);
  write_frames (path_name, seed, "optimum", seconds);
  call = calls;
  now = then;
  random_state = state;
}

/* The offline optimum of a few calls, and their own scores; of the first 8 s, where these are judged. */
typedef struct
{
  double sum, reached;
  unsigned n;
} Optimum;

static bool
is_sought (const Path * p, unsigned i)
{
  return p->of_optimum > 0 || i < OPTIMUM_SEEDS;
}

/* Adds that of the call that was played last. It is never below the call itself. */
static void
add_optimum (const Path * p, unsigned seed, const Result * result,
    Optimum * optimum)
{
  Schedule best = find_optimum (p->seconds);
  double reached = p->begin > 0 ? result->begin : result->score;

  optimum->sum += fmax (reached, p->begin > 0 ? best.begin : best.score);
  optimum->reached += reached;
  optimum->n++;
  trace_schedule (&best, p->seconds);
  write_optimum (p->name, seed, &best, p->seconds);
}

/* --- the table -------------------------------------------------------------------- */

static const struct
{
  const char *name;
  TfrcAdaptPoint point;
} fixed_points[] = {
  {"8k/60", {TFRC_ADAPT_CODEC_OPUS, 8000, 60000, 1, 0, false, false}},
  {"12k/60", {TFRC_ADAPT_CODEC_OPUS, 12000, 60000, 1, 0, false, false}},
  {"16k/60", {TFRC_ADAPT_CODEC_OPUS, 16000, 60000, 1, 0, false, false}},
  {"20k/20", {TFRC_ADAPT_CODEC_OPUS, 20000, 20000, 1, 0, false, false}},
  {"24k/40", {TFRC_ADAPT_CODEC_OPUS, 24000, 40000, 1, 0, false, false}},
  {"32k/20", {TFRC_ADAPT_CODEC_OPUS, 32000, 20000, 1, 0, false, false}},
  {"12k/60rr", {TFRC_ADAPT_CODEC_OPUS, 12000, 60000, 1, 2, false, false}},
  {"32k/20rr", {TFRC_ADAPT_CODEC_OPUS, 32000, 20000, 1, 2, false, false}},
};

static double
find_best_fixed (const Path * p, unsigned first_seed, unsigned seeds,
    const char **name)
{
  double best = 0;

  for (unsigned i = 0; i < N_OF (fixed_points); i++) {
    double sum = 0;

    for (unsigned seed = 0; seed < seeds; seed++)
      sum += play (p, first_seed + seed, &fixed_points[i].point).score / seeds;
    if (sum > best) {
      best = sum;
      *name = fixed_points[i].name;
    }
  }
  return best;
}

static void
add (Result * sum, const Result * result, double share)
{
  double *to = (double *) sum;
  const double *from = (const double *) result;

  for (unsigned i = 0; i < sizeof (Result) / sizeof (double); i++)
    to[i] += share * from[i];
}

static const char *
judge (const Path * p, const Result * mean, double fixed,
    const Optimum * optimum)
{
  double bar = p->bar > 0 ? p->bar : fixed - p->within;

  if (p->begin > 0)
    return mean->begin >= p->begin ? "met" : "MISSED";
  if (p->outage_ends > 0)
    return mean->gap <= 1.5 && mean->after >= -0.3 ? "met" : "MISSED";
  if (p->of_optimum > 0)
    bar = p->of_optimum * optimum->sum / optimum->n;
  return mean->score >= bar ? "met" : "MISSED";
}

static void
print_path (const Path * p, unsigned first_seed, unsigned seeds)
{
  static double scores[1000];
  Result mean = { 0 };
  const char *name = "";
  Optimum optimum = { 0 };
  double fixed;

  for (unsigned i = 0; i < seeds; i++) {
    Result result = play (p, first_seed + i, NULL);

    write_frames (p->name, first_seed + i, "call", p->seconds);
    if (is_sought (p, i))
      add_optimum (p, first_seed + i, &result, &optimum);
    scores[i] = p->begin > 0 ? result.begin : result.score;
    add (&mean, &result, 1.0 / seeds);
  }
  qsort (scores, seeds, sizeof (double), compare);
  fixed = find_best_fixed (p, first_seed, seeds, &name);
  printf
      ("| %-13s | %.2f | %.2f | %.2f | %.2f %-8s | %.2f %3.0f%% | %5.1f | %5.2f | %5.1f | %4.0f | %3.0f | %3.0f | %4.1f %+5.2f | %s |\n",
      p->name, mean.score, scores[seeds / 10], mean.begin, fixed, name,
      optimum.sum / optimum.n, 100 * optimum.reached / optimum.sum,
      mean.changes, 100 * mean.dropped, 100 * mean.unheard, 1e3 * mean.wait,
      1e-3 * mean.wire, 1e-3 * mean.tcp, mean.gap, mean.after, judge (p, &mean,
          fixed, &optimum));
  fflush (stdout);
}

static bool
is_asked_for (const char *name, unsigned n, char **names)
{
  for (unsigned i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return true;
  return n == 0;
}

static void
print_table (unsigned first_seed, unsigned seeds, unsigned n, char **names)
{
  printf
      ("| path          | mean | p10  | 8 s  | best fixed    | optimum   | chg/m | drop%% | miss%% | wait | kb/s| TCP | gap, after | bar |\n");
  for (unsigned i = 0; i < N_OF (paths); i++)
    if (is_asked_for (paths[i].name, n, names))
      print_path (&paths[i], first_seed, seeds);
}

/* "12000/40/2": bit/s, ms and copies. */
static const TfrcAdaptPoint *
read_point (const char *text)
{
  static TfrcAdaptPoint point = {
    .codec = TFRC_ADAPT_CODEC_OPUS,
    .channels = 1
  };
  unsigned bitrate, frame_ms, copies;

  if (text == NULL)
    return NULL;
  CHECK_INT (sscanf (text, "%u/%u/%u", &bitrate, &frame_ms, &copies), 3);
  point.bitrate = bitrate;
  point.frame_us = 1000 * frame_ms;
  point.redundancy = (uint8_t) copies;
  CHECK (tfrc_adapt_point_is_valid (&point));
  return &point;
}

static unsigned
get_ms (const char *name, unsigned value)
{
  const char *text = getenv (name);

  return text ? (unsigned) atoi (text) : value;
}

TEST (table)
{
  const char *first = getenv ("FIRST_SEED"), *seeds = getenv ("SEEDS");
  char *names = getenv ("PATHS"), *list[N_OF (paths)];
  unsigned n = 0;

  max_delay = get_ms ("MAX_DELAY", 0) * 1e-3;
  latency = get_ms ("LATENCY", 400) * TFRC_MSEC;
  forecast = getenv ("FORECAST") != NULL;
  only = read_point (getenv ("POINT"));

  for (names = names ? strtok (names, " ") : NULL; names && n < N_OF (list);
      names = strtok (NULL, " "))
    list[n++] = names;
  print_table (first ? (unsigned) atoi (first) : 1,
      seeds ? (unsigned) atoi (seeds) : 30, n, list);
}
