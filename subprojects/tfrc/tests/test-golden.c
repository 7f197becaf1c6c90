/* libtfrc: tests against traces of ns-2's TFRC, driven open loop
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The receiver gets the trace's packets and is asked for p when the trace's
 * receiver reported; the sender gets the trace's reports and its X is compared.
 * data/golden/README.md says where ns-2 leaves the RFCs. */
#include "test.h"
#include "golden.h"
#include "vectors.h"

#include <tfrc/equation.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#include "receiver/loss-intervals.h"

#define RTT 0.2437
#define CLAMP (8.0 / 27.0)      /* ns-2 clamps the equation above this p */

typedef struct
{
  const char *name;
  TfrcMode mode;
  uint32_t size;                /* payload, which is all that the trace's rates count */
  TfrcConfig config;
  Table rows, packets;
  void *block;
} Scenario;

static TfrcTime
to_time (double t)
{
  return 10 * TFRC_SEC + (TfrcTime) (t * 1e9);
}

static uint32_t
to_us (double t)
{
  return (uint32_t) (to_time (t) / TFRC_USEC);
}

static Scenario
scenario_open (const char *name, uint32_t size)
{
  Scenario scenario = { .name = name, .size = size };
  char packets[64];

  scenario.mode = strstr (name, "_std") ? TFRC_MODE_TFRC : TFRC_MODE_TFRC_SP;
  snprintf (packets, sizeof packets, "%s.packets", name);
  scenario.rows = golden_load (name);
  scenario.packets = golden_load (packets);
  tfrc_config_init (&scenario.config, scenario.mode);
  scenario.config.H = 32;
  scenario.config.t_RTO_R = 0.5 / RTT;  /* ns-2's estimator, in all but two reports */
  NOTE ("%s", name);
  CHECK (scenario.rows.n_rows > 150 && scenario.packets.n_rows > 250);
  return scenario;
}

static void
scenario_close (Scenario * scenario)
{
  free (scenario->rows.cells);
  free (scenario->packets.cells);
  free (scenario->block);
}

/* The sender's R at time t, as the trace has it. */
static double
get_R (const Scenario * scenario, double t)
{
  double R = 0;

  for (size_t i = 0; i < scenario->rows.n_rows; i++)
    if (golden_cell (&scenario->rows, i, "t_arrival_s") <= t)
      R = golden_cell (&scenario->rows, i, "rtt_s");
  return R;
}

/* Hands the receiver all that arrives before `t`, from the packet `next` on. */
static size_t
feed_receiver (const Scenario * scenario, TfrcReceiver * receiver, size_t next,
    double t)
{
  TfrcReport report;

  for (; next < scenario->packets.n_rows; next++) {
    double t_send = golden_cell (&scenario->packets, next, "t_send_s");
    TfrcTime now = to_time (t_send + RTT / 2);
    TfrcPacket packet =
        { (uint16_t) golden_cell (&scenario->packets, next, "seq"),
      scenario->size,
      true, false, {(uint32_t) (get_R (scenario, t_send) * 1e6), to_us (t_send)}
    };

    /* 1 us: the trace reports at the arrival itself */
    if (t_send + RTT / 2 > t + 1e-6)
      break;
    if (golden_cell (&scenario->packets, next, "lost") > 0)
      continue;
    if (tfrc_receiver_next_timer (receiver) <= now)
      tfrc_receiver_on_timer (receiver, now);
    tfrc_receiver_on_packet (receiver, &packet, now);
    if (tfrc_receiver_wants_report (receiver))
      tfrc_receiver_make_report (receiver, &report, now);
  }
  return next;
}

/* The relative errors of the receiver's p over the reports with a loss event, and
 * the mean p of both. */
static size_t
compare_p (Scenario * scenario, double *errors, double *ours, double *theirs)
{
  TfrcReceiver *receiver;
  size_t next = 0, n = 0;

  scenario->block = malloc (tfrc_receiver_size (&scenario->config));
  receiver =
      tfrc_receiver_init (scenario->block, &scenario->config, to_time (0));
  *ours = *theirs = 0;
  for (size_t row = 0; row < scenario->rows.n_rows; row++) {
    double p = golden_cell (&scenario->rows, row, "p");
    TfrcReceiverStats stats;

    next =
        feed_receiver (scenario, receiver, next, golden_cell (&scenario->rows,
            row, "t_sent_s"));
    tfrc_receiver_get_stats (receiver, &stats);
    if (!(p > 0 && stats.p > 0))
      continue;
    errors[n++] = fabs (stats.p / p - 1);
    *ours += stats.p;
    *theirs += p;
  }
  return n;
}

/* The engine as it is, whole; the median error is at most `median`. */
static void
check_p (const char *name, uint32_t size, double median)
{
  Scenario scenario = scenario_open (name, size);
  double *errors =
      malloc (scenario.rows.n_rows * sizeof *errors), ours, theirs, got;
  size_t n = compare_p (&scenario, errors, &ours, &theirs), with_p = 0;

  for (size_t row = 0; row < scenario.rows.n_rows; row++)
    with_p += golden_cell (&scenario.rows, row, "p") > 0;
  got = golden_quantile (errors, n, 0.5);
  printf
      ("# %s: p in %zu of %zu reports differs by %.5f (median), its mean is %.4f of ns-2's\n",
      name, n, with_p, got, ours / theirs);
  free (errors);
  scenario_close (&scenario);
  CHECK (n + 3 >= with_p);      /* the first loss is known a few packets later */
  CHECK_BETWEEN (got, 0, median);
}

TEST (the_receiver_finds_the_p_of_ns_2)
{
  check_p ("g08_every100_1460B_std", 1460, 0.02);
  check_p ("g09_every100_200B_std", 200, 0.02);
  check_p ("g01_every100_200B_sp", 200, 0.02);
  check_p ("g02_burst3_2s_200B_sp", 200, 0.02);
  check_p ("g03_spread3_2s_200B_sp", 200, 0.02);
}

/* One or two packets in a round-trip time: waiting for NDUPACK of them, where ns-2
 * waits for one, puts each loss one or two reports later, so that p is the same at
 * another time. With the losses found as ns-2 does it is within 2 %, see below. */
TEST (the_receiver_finds_the_p_of_ns_2_later_where_packets_are_rare)
{
  check_p ("g07_bern20_200B_std", 200, 0.10);
}

/* Loss intervals by our code, of the losses as ns-2 finds them: at the next
 * arrival, where the RFC waits for NDUPACK, and in a new event only when a report
 * was heard since the last one began. */
typedef struct
{
  double N;                     /* packets from event to event */
  double more;                  /* packets that ns-2 counts besides */
  double K, L;                  /* losses in it; as ns-2 counts them */
  double rtts;                  /* from start to start */
} Span;

typedef struct
{
  Scenario *scenario;
  TfrcIntervals intervals;
  TfrcInterval room[TFRC_INTERVALS_N];
  TfrcFirstInterval first;
  TfrcContext context;
  Span spans[512];              /* closed ones, oldest first; spans[0] stands for the synthetic one */
  size_t n, next;               /* spans; the packet to come */
  double received, T_before, S_before;
  double K, L;                  /* of the open interval */
  double reported;              /* highest number received at the report before the first loss */
  int round;                    /* of the event that is open */
} Replay;

/* Reports that the sender had heard when it sent the packet of time t. */
static int
get_round (const Scenario * scenario, double t)
{
  int round = 0;

  for (size_t i = 0; i < scenario->rows.n_rows; i++)
    round += golden_cell (&scenario->rows, i, "t_arrival_s") <= t + 1e-9;
  return round;
}

static bool
replay_lose (Replay * replay, const TfrcSequenceGap * gap, int round)
{
  TfrcIntervals *intervals = &replay->intervals, before = *intervals;
  TfrcTime T = tfrc_sequence_gap_get_time (gap, 0);
  TfrcSequenceGap loss = *gap;

  if (before.events > 0 && (T - before.T_start <= gap->context.R
          || round <= replay->round))
    loss.context.R = 1000 * TFRC_SEC;   /* by ns-2's rounds it is the same event */
  tfrc_intervals_add (intervals, &replay->scenario->config, &replay->first,
      &loss);
  if (intervals->events == before.events) {
    replay->K++;
    return false;
  }
  replay->round = round;
  replay->spans[replay->n++] = (Span) {
      .N = (double) (intervals->position - before.position),
      .K = replay->K,
      .rtts = before.events > 0 ? (double) (T - before.T_start) / (double) gap->context.R : INFINITY,
  };
  replay->K = 1;
  /* ns-2's first real interval begins at the report before the loss. */
  if (before.events == 1)
    replay->spans[replay->n - 1].more =
        (double) before.position - replay->reported;
  return true;
}

/* The packets missing before `seq`, one by one. */
static void
replay_gap (Replay * replay, double seq, double T, double t_send)
{
  bool begins = false;

  for (double lost = replay->S_before + 1; lost < seq; lost++) {
    TfrcSequenceGap gap;

    tfrc_sequence_gap_open (&gap, (uint64_t) replay->S_before,
        to_time (replay->T_before), (uint64_t) seq, to_time (T));
    tfrc_sequence_gap_cut (&gap, (uint64_t) lost, 1);
    gap.size = replay->scenario->size;
    gap.units = (uint64_t) replay->received;
    gap.context = replay->context;
    begins |= replay_lose (replay, &gap, get_round (replay->scenario, t_send));
  }
  /* ns-2 counts a whole gap for the interval that it ends, and 1 for the next. */
  replay->L += seq - replay->S_before - 1;
  if (begins) {
    replay->spans[replay->n - 1].L = replay->L;
    replay->L = 1;
  }
}

static void
replay_until (Replay * replay, double t)
{
  const Scenario *scenario = replay->scenario;

  for (; replay->next < scenario->packets.n_rows; replay->next++) {
    double t_send = golden_cell (&scenario->packets, replay->next, "t_send_s");
    double seq = golden_cell (&scenario->packets, replay->next, "seq") + 1, T =
        t_send + RTT / 2;

    if (T > t + 1e-6)
      return;
    if (golden_cell (&scenario->packets, replay->next, "lost") > 0)
      continue;
    replay->context.R = (TfrcTime) (get_R (scenario, t_send) * 1e9);
    replay->context.s = scenario->size;
    if (replay->received > 0)
      replay_gap (replay, seq, T, t_send);
    replay->received++;
    replay->S_before = seq;
    replay->T_before = T;
  }
}

/* The first interval: the trace's own is taken, so that all after it is exact. */
static void
replay_first (Replay * replay, size_t row)
{
  const Table *rows = &replay->scenario->rows;

  replay->reported = golden_cell (rows, row - 1, "ack_seq") + 1;
  replay->intervals.closed[replay->intervals.newest].I = replay->spans[0].N =
      golden_cell (rows, row, "I1");
  tfrc_intervals_sum (&replay->intervals, TFRC_INTERVALS_N);
}

/* ns-2 looks at an interval's age with its reports, so that one of two to three
 * round-trip times may still pass for short. */
static bool
is_short_in_ns_2 (const Replay * replay, size_t row, unsigned i)
{
  const Span *span = &replay->spans[replay->n - i];

  if (span->rtts > 2 && span->rtts < 3)
    return golden_cell_n (&replay->scenario->rows, row, "short", i) > 0;
  return span->rtts <= 2;
}

/* Our closed intervals are those of the trace. */
static bool
has_same_intervals (const Replay * replay, size_t row)
{
  const Table *rows = &replay->scenario->rows;
  bool same = true;

  for (unsigned i = 1; i <= 8 && i < replay->n; i++) {
    const Span *span = &replay->spans[replay->n - i];

    same = same && span->N + span->more == golden_cell_n (rows, row, "I", i);
    same = same && span->L == golden_cell_n (rows, row, "L", i);
    if (replay->scenario->mode == TFRC_MODE_TFRC_SP)
      same = same
          && is_short_in_ns_2 (replay, row, i) == (golden_cell_n (rows, row,
              "short", i) > 0);
  }
  return same;
}

/* p by the rules of ns-2 (data/golden/README.md) of our intervals. The open one
 * and the discounts, whose threshold differs, are the trace's. */
static double
get_ns_2_p (const Replay * replay, size_t row)
{
  static const double w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2, 0 };
  const Table *rows = &replay->scenario->rows;
  bool sp = replay->scenario->mode == TFRC_MODE_TFRC_SP;
  double f = golden_cell (rows, row, "discount_now"), I =
      golden_cell (rows, row, "I0");
  double A[2], W[2] = { 1, 0 };

  if (sp && golden_cell (rows, row, "short0") > 0)
    I = floor (I / golden_cell (rows, row, "L0"));
  A[0] = I;
  A[1] = 0;
  for (unsigned i = 1; i <= 8 && i <= replay->n; i++) {
    const Span *span = &replay->spans[replay->n - i];
    double d = golden_cell_n (rows, row, "disc", i);

    I = span->N + span->more;
    if (sp && is_short_in_ns_2 (replay, row, i))
      I = floor (I / span->L);
    A[0] += w[i] * d * f * I;
    W[0] += w[i] * d * f;
    A[1] += w[i - 1] * d * I;
    W[1] += w[i - 1] * d;
  }
  return 1 / fmax (A[0] / W[0], A[1] / W[1]);
}

/* p by RFC 4828 3, or by RFC 5348 5.4, of our intervals, without discounts. */
static double
get_rfc_p (const Replay * replay, double t)
{
  static const double w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };
  bool sp = replay->scenario->mode == TFRC_MODE_TFRC_SP;
  double age =
      (double) (to_time (t) -
      replay->intervals.T_start) / (double) replay->context.R;
  double I0 = replay->S_before - (double) replay->intervals.position + 1, A0 =
      I0, A1 = 0, W = 0;
  unsigned k = replay->n < 8 ? (unsigned) replay->n : 8;

  for (unsigned i = 1; i <= k; i++) {
    const Span *span = &replay->spans[replay->n - i];
    double I = sp && span->rtts <= 2 ? span->N / span->K : span->N;

    if (i < k)
      A0 += w[i] * I;
    A1 += w[i - 1] * I;
    W += w[i - 1];
  }
  return sp && age <= 2 ? W / A1 : W / fmax (A0, A1);
}

typedef struct
{
  double reports, same, same_p; /* with a loss event; intervals of the trace; p of ns-2 */
  double worst;                 /* relative error of our p against the RFCs' formula */
  double median;                /* and against the trace's */
} Result;

static void
compare_row (Replay * replay, size_t row, Result * result, double *errors)
{
  const Scenario *scenario = replay->scenario;
  double t = golden_cell (&scenario->rows, row, "t_sent_s"), p =
      golden_cell (&scenario->rows, row, "p");
  TfrcLossRate rate =
      tfrc_intervals_get_rate (&replay->intervals, &scenario->config,
      &replay->context, (uint64_t) replay->S_before, to_time (t));

  errors[(size_t) result->reports++] = fabs (rate.p / p - 1);
  result->worst =
      fmax (result->worst, fabs (rate.p / fmin (get_rfc_p (replay, t), 1) - 1));
  result->same += has_same_intervals (replay, row);
  /* the report of the first loss carries the inverse itself */
  result->same_p += fabs (fmin (get_ns_2_p (replay, row), 1) / p - 1) < 1e-6
      || result->reports == 1;
}

static Result
replay_scenario (const char *name, uint32_t size, bool discounting)
{
  Scenario scenario = scenario_open (name, size);
  Replay *replay = calloc (1, sizeof *replay);
  double *errors = malloc (scenario.rows.n_rows * sizeof *errors);
  Result result = { 0 };

  replay->scenario = &scenario;
  tfrc_intervals_init (&replay->intervals, replay->room, TFRC_INTERVALS_N);
  scenario.config.history_discounting = discounting;
  for (size_t row = 0; row < scenario.rows.n_rows; row++) {
    replay_until (replay, golden_cell (&scenario.rows, row, "t_sent_s"));
    if (replay->intervals.events > 0 && result.reports == 0)
      replay_first (replay, row);
    if (replay->intervals.events > 0)
      compare_row (replay, row, &result, errors);
  }
  result.median = golden_quantile (errors, (size_t) result.reports, 0.5);
  printf
      ("# %s%s: of %g reports %g have the intervals, %g the p of ns-2; ours differs by %.5f (median)\n",
      name, discounting ? "" : " without discounts", result.reports,
      result.same, result.same_p, result.median);
  free (errors);
  free (replay);
  scenario_close (&scenario);
  return result;
}

static const struct
{
  const char *name;
  uint32_t size;
  double differs[2];            /* our p against ns-2's, median: at least, at most */
} scenarios[] = {
  {"g07_bern20_200B_std", 200, {0, 0.02}},
  {"g08_every100_1460B_std", 1460, {0, 0.02}},
  {"g09_every100_200B_std", 200, {0, 0.02}},
  {"g01_every100_200B_sp", 200, {0, 0.02}},
  {"g02_burst3_2s_200B_sp", 200, {0, 0.02}},
  {"g03_spread3_2s_200B_sp", 200, {0, 0.02}},
  /* Most intervals are short: K for K + 1 and the real quotient differ. */
  {"g04_bern20_200B_sp", 200, {0.15, 0.35}},
  {"g06_bern30_14B_sp", 14, {0.15, 0.35}},
};

/* The same losses make the same intervals; taken by ns-2's rules they give its p,
 * so every difference of ours is one of the rules listed in data/golden/README.md. */
TEST (the_intervals_are_those_of_ns_2_and_only_its_listed_habits_part_p)
{
  for (size_t i = 0; i < N_OF (scenarios); i++) {
    Result result =
        replay_scenario (scenarios[i].name, scenarios[i].size, true);

    NOTE ("%s", scenarios[i].name);
    CHECK (result.reports > 150);
    CHECK_BETWEEN (result.same, 0.9 * result.reports, result.reports);
    CHECK_BETWEEN (result.same_p, 0.9 * result.reports, result.reports);
    CHECK_BETWEEN (result.median, scenarios[i].differs[0],
        scenarios[i].differs[1]);
  }
}

TEST (p_is_what_the_rfcs_make_of_the_intervals_of_ns_2)
{
  for (size_t i = 0; i < N_OF (scenarios); i++) {
    Result result =
        replay_scenario (scenarios[i].name, scenarios[i].size, false);

    NOTE ("%s", scenarios[i].name);
    CHECK_BETWEEN (result.worst, 0, 1e-9);
  }
}

/* The sender. */

typedef struct
{
  const Scenario *scenario;
  TfrcSender *sender;
  size_t next;                  /* packet of the trace */
  uint32_t *t_i;                /* of each packet sent */
} Sending;

/* Sends what the trace sends before `t`. */
static void
send_until (Sending * sending, double t)
{
  const Table *packets = &sending->scenario->packets;

  for (; sending->next < packets->n_rows; sending->next++) {
    double t_send = golden_cell (packets, sending->next, "t_send_s");
    TfrcStamp stamp;

    if (t_send > t)
      return;
    if (tfrc_sender_next_timer (sending->sender) <= to_time (t_send))
      tfrc_sender_on_timer (sending->sender, to_time (t_send));
    tfrc_sender_on_departure (sending->sender, sending->scenario->size, true,
        &stamp, to_time (t_send));
    tfrc_sender_on_limited (sending->sender, to_time (t_send)); /* always backlogged */
    sending->t_i[sending->next] = stamp.t_i_us;
  }
}

static unsigned
hear_report (Sending * sending, size_t row)
{
  const Table *rows = &sending->scenario->rows, *packets =
      &sending->scenario->packets;
  size_t acked = (size_t) golden_cell (rows, row, "ack_seq");
  double arrived = golden_cell (packets, acked, "t_send_s") + RTT / 2;
  double p = golden_cell (rows, row, "p");
  TfrcReport report = {
    .t_i_us = sending->t_i[acked],
    .t_delay_us = (uint32_t) fmax ((golden_cell (rows, row, "t_sent_s") - arrived) * 1e6, 0),
    .x_recv_Bps = (uint32_t) (golden_cell (rows, row, "x_recv_Bps") + 0.5),
    .p_q32 = p >= 1 ? UINT32_MAX : (uint32_t) (p * 0x1p32),
  };

  return tfrc_sender_on_report (sending->sender, &report,
      to_time (golden_cell (rows, row, "t_arrival_s")));
}

/* ns-2 has the usual t_RTO, and its clamp of the equation does nothing. */
static bool
has_same_equation (const Table * rows, size_t row)
{
  double p = golden_cell (rows, row, "p");

  return p > 0 && p < CLAMP && golden_cell (rows, row, "t_rto_s") == 0.5;
}

typedef struct
{
  size_t reports, same;         /* with the same equation; in which X is ns-2's within 1 % */
  double worst;                 /* relative error of X_Bps */
} SenderResult;

static SenderResult
drive_sender (const char *name, uint32_t size)
{
  Scenario scenario = scenario_open (name, size);
  const Table *rows = &scenario.rows;
  Sending sending = { .scenario = &scenario };
  SenderResult result = { 0 };

  scenario.config.q = 0.95;     /* as ns-2 */
  scenario.block = malloc (tfrc_sender_size (&scenario.config));
  sending.sender =
      tfrc_sender_init (scenario.block, &scenario.config, to_time (0));
  sending.t_i = calloc (scenario.packets.n_rows, sizeof *sending.t_i);
  for (size_t row = 0; row < rows->n_rows; row++) {
    TfrcSenderStats stats;

    send_until (&sending, golden_cell (rows, row, "t_arrival_s"));
    /* ns-2 reports again on a packet that it named before; ours refuses that */
    if (hear_report (&sending, row) & TFRC_SENDER_REJECTED
        || !has_same_equation (rows, row))
      continue;
    tfrc_sender_get_stats (sending.sender, &stats);
    result.reports++;
    result.worst =
        fmax (result.worst, fabs (stats.X_Bps / golden_cell (rows, row,
                "x_eq_Bps") - 1));
    result.same += fabs (stats.X / golden_cell (rows, row, "x_Bps") - 1) < 0.01;
  }
  printf
      ("# %s: X_Bps differs by %.6f at most, X is ns-2's in %zu of %zu reports\n",
      name, result.worst, result.same, result.reports);
  free (sending.t_i);
  scenario_close (&scenario);
  return result;
}

static void
check_sender (const char *name, uint32_t size, double same)
{
  SenderResult result = drive_sender (name, size);

  CHECK (result.reports > 100);
  CHECK_BETWEEN (result.worst, 0, 1e-5);
  CHECK_BETWEEN ((double) result.same, same * (double) result.reports,
      (double) result.reports);
}

/* X also depends on what X_recv may limit it to, where RFC 5348 and RFC 3448, which
 * ns-2 has, differ: seldom in standard TFRC, and all the time in a flow of small
 * packets, one in 10 ms, which is slower than its X. */
TEST (the_sender_allows_the_X_of_ns_2)
{
  check_sender ("g08_every100_1460B_std", 1460, 0.98);
  check_sender ("g09_every100_200B_std", 200, 0.98);
  check_sender ("g07_bern20_200B_std", 200, 0.75);
  check_sender ("g01_every100_200B_sp", 200, 0);
  check_sender ("g02_burst3_2s_200B_sp", 200, 0);
  check_sender ("g03_spread3_2s_200B_sp", 200, 0);
  check_sender ("g04_bern20_200B_sp", 200, 0);
  check_sender ("g06_bern30_14B_sp", 14, 0);
}
