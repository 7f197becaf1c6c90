/* libtfrc: tests of coupled flows at one bottleneck, in virtual time: what they take beside TCP, and how audio and video
 * divide it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path.h"

#include <tfrc/coupling.h>

#define FLOWS_MAX 4
#define TCP_SIZE 1500u          /* bytes with headers */
#define TCP_FLIGHT 4096
#define ONE_WAY MS (40)
#define BEGINS 8                /* times at which flows begin, that a mean is over */

/* A Reno flow that always has data. What is lost is not sent again, its bytes do not count. */
typedef struct
{
  double cwnd, ssthresh;        /* packets */
  TfrcTime due[TCP_FLIGHT];     /* of the acknowledgement; 0: lost */
  uint64_t in, out, recover;    /* packets; a loss before `recover` was answered */
  TfrcTime acked, next;
  double bytes;                 /* delivered */
  bool on;
} Tcp;

typedef struct
{
  TfrcCoupling coupling;
  bool coupled;
  Path *paths[FLOWS_MAX];
  TfrcFlowDemand demands[FLOWS_MAX];
  int numbers[FLOWS_MAX];       /* in the coupling; -1: not yet */
  unsigned n;
  Tcp tcp;
  PathLink link;
  TfrcTime now;
} Group;

static Group group;

/* --- TCP ------------------------------------------------------------------------- */

static void
tcp_send (Tcp * tcp)
{
  while ((double) (tcp->in - tcp->out) < tcp->cwnd) {
    TfrcTime end = path_link_cross (&group.link, TCP_SIZE, group.now);

    tcp->due[tcp->in++ % TCP_FLIGHT] =
        end != TFRC_TIME_NONE ? end + 2 * ONE_WAY : 0;
  }
}

static void
tcp_reduce (Tcp * tcp)
{
  tcp->ssthresh = fmax (2, tcp->cwnd / 2);
  tcp->cwnd = tcp->ssthresh;
  tcp->recover = tcp->in;
}

/* The oldest packet is acknowledged or lost. Returns false when neither is known yet. */
static bool
tcp_take (Tcp * tcp)
{
  TfrcTime due = tcp->due[tcp->out % TCP_FLIGHT];
  bool expired = group.now - tcp->acked >= MS (1000);
  unsigned after = 0;

  if (due > group.now)
    return false;
  if (due != 0) {
    tcp->bytes += TCP_SIZE;
    tcp->cwnd += tcp->cwnd < tcp->ssthresh ? 1 : 1 / tcp->cwnd;
    tcp->acked = group.now;
    tcp->out++;
    return true;
  }
  for (uint64_t i = tcp->out + 1; i < tcp->in && after < 3; i++)
    after += tcp->due[i % TCP_FLIGHT] != 0
        && tcp->due[i % TCP_FLIGHT] <= group.now;
  if (after < 3 && !expired)
    return false;
  if (tcp->out >= tcp->recover)
    tcp_reduce (tcp);
  if (after < 3)
    tcp->cwnd = 1;
  tcp->acked = group.now;
  tcp->out++;
  return true;
}

/* TCP is looked at each millisecond. */
static void
tcp_step (Tcp * tcp)
{
  while (tcp->out < tcp->in && tcp_take (tcp));
  tcp_send (tcp);
  tcp->next = group.now + MS (1);
}

/* --- the group ------------------------------------------------------------------- */

static void
start (double capacity, unsigned room, bool coupled, bool tcp)
{
  memset (&group, 0, sizeof group);
  group.link = (PathLink) {.capacity = capacity, .room = room};
  group.coupled = coupled;
  group.tcp = (Tcp) {.cwnd = 3, .ssthresh = HUGE_VAL, .on = tcp};
  group.tcp.next = tcp ? 0 : TFRC_TIME_NONE;
  tfrc_coupling_init (&group.coupling, 0);
}

static void
take_rates (TfrcTime now)
{
  for (unsigned i = 0; i < group.n; i++)
    if (group.numbers[i] >= 0)
      tfrc_sender_set_coupled_rate (group.paths[i]->flow.sender,
          tfrc_coupling_get_rate (&group.coupling, (unsigned) group.numbers[i]),
          now);
}

static void
on_feedback (void *user, TfrcTime now)
{
  unsigned i = (unsigned) ((Path **) user - group.paths);
  TfrcFlowState state;

  tfrc_sender_get_flow_state (group.paths[i]->flow.sender, &state);
  if (!group.coupled || state.reports == 0)
    return;
  if (group.numbers[i] < 0)
    group.numbers[i] =
        tfrc_coupling_add (&group.coupling, &group.demands[i], &state, now);
  else
    tfrc_coupling_update (&group.coupling, (unsigned) group.numbers[i], &state,
        now);
  take_rates (now);
}

static void
add_flow (TfrcMode mode, uint32_t size, TfrcTime frame, TfrcTime begin,
    TfrcFlowDemand demand)
{
  TfrcConfig config = make_config (mode);
  Path *path;

  config.seed = 42 + group.n;
  path = make_path (&config, size, frame, ONE_WAY);
  path->now = path->next_frame = begin;
  path->link = &group.link;
  path->on_feedback = on_feedback;
  path->user = &group.paths[group.n];
  group.demands[group.n] = demand;
  group.numbers[group.n] = -1;
  group.paths[group.n++] = path;
}

static void
run (TfrcTime until)
{
  for (;;) {
    TfrcTime next = group.tcp.next;
    Path *first = NULL;

    for (unsigned i = 0; i < group.n; i++) {
      TfrcTime t = path_next_step (group.paths[i]);

      if (t < next) {
        next = t;
        first = group.paths[i];
      }
    }
    if (next > until)
      break;
    if (next > group.now)
      group.now = next;
    if (first == NULL) {
      tcp_step (&group.tcp);
      continue;
    }
    first->now = group.now;
    path_step (first);
  }
  group.now = until;
}

static void
stop (void)
{
  for (unsigned i = 0; i < group.n; i++)
    free_path (group.paths[i]);
}

/* Bytes of the flow with headers that arrived. */
static double
arrived (unsigned flow)
{
  const Path *path = group.paths[flow];

  return (double) path->arrived *(path->size + path->headers);
}

static double
arrived_in_all (void)
{
  double sum = 0;

  for (unsigned i = 0; i < group.n; i++)
    sum += arrived (i);
  return sum;
}

static const TfrcFlowDemand greedy = { TFRC_PRIORITY_MEDIUM, 0, INFINITY };

/* --- one share -------------------------------------------------------------------- */

/* What `n` flows that send all they may take in two minutes, in the share of a TCP flow beside them. */
static double
get_share (TfrcMode mode, unsigned n, bool coupled, unsigned offset)
{
  bool standard = mode == TFRC_MODE_TFRC;
  double before, tcp, share;

  start (standard ? 250000 : 125000, 25, coupled, true);
  for (unsigned i = 0; i < n; i++)
    add_flow (mode, standard ? 1000 : 600, standard ? MS (3) : MS (10),
        MS (100 + 731 * i + 77 * offset), greedy);
  run (MS (20000));
  before = arrived_in_all ();
  tcp = group.tcp.bytes;
  run (MS (140000));
  share = (arrived_in_all () - before) / (group.tcp.bytes - tcp);
  stop ();
  return share;
}

/* The geometric mean over the times at which the flows begin. */
static double
get_mean_share (TfrcMode mode, unsigned n, bool coupled)
{
  double product = 1.0;

  for (unsigned offset = 0; offset < BEGINS; offset++)
    product *= get_share (mode, n, coupled, offset);
  return pow (product, 1.0 / BEGINS);
}

TEST (two_coupled_flows_beside_tcp_take_the_share_of_one)
{
  for (unsigned i = 0; i < 2; i++) {
    TfrcMode mode = i == 0 ? TFRC_MODE_TFRC : TFRC_MODE_TFRC_SP;
    double one = get_mean_share (mode, 1, false), two =
        get_mean_share (mode, 2, false);
    double coupled = get_mean_share (mode, 2, true);

    NOTE ("mode %u: one %.2f, two %.2f, two coupled %.2f", mode, one, two,
        coupled);
    printf ("# %s\n", test_note);
    CHECK (two > 1.6 * one);
    CHECK_BETWEEN (coupled, 0.75 * one, 1.25 * one);
  }
}

/* --- audio and video ---------------------------------------------------------------- */

#define AUDIO_SIZE 184u         /* bytes: 64 kbit/s in frames of 20 ms, with RTP header and stamp */
#define AUDIO_RATE 9200.0       /* bytes/s of segments */
#define AUDIO_WIRE (50.0 * (AUDIO_SIZE + 40))

typedef struct
{
  double audio, video;          /* bytes/s with headers that arrived */
  double sent;                  /* of the audio packets, share that departed */
} Second;

/* 40 s at 500 kbit/s, at 200 kbit/s, and at 500 kbit/s again: adds what arrived in the last 30 s of each, divided by BEGINS. */
static void
add_audio_and_video (TfrcMode mode, unsigned room, bool coupled,
    unsigned offset, Second seen[3])
{
  static const double capacities[] = { 62500, 25000, 62500 };
  TfrcFlowDemand audio = { TFRC_PRIORITY_HIGH, AUDIO_RATE, AUDIO_RATE };

  start (62500, room, coupled, false);
  add_flow (mode, AUDIO_SIZE, MS (20), MS (100 + 77 * offset), audio);
  add_flow (TFRC_MODE_TFRC, 1200, MS (5), MS (300), greedy);
  for (unsigned i = 0; i < 3; i++) {
    double heard, watched;
    uint64_t sent;

    group.link.capacity = capacities[i];
    run (MS (40000 * i + 10000));
    heard = arrived (0);
    watched = arrived (1);
    sent = group.paths[0]->sent;
    run (MS (40000 * (i + 1)));
    seen[i].audio += (arrived (0) - heard) / 30 / BEGINS;
    seen[i].video += (arrived (1) - watched) / 30 / BEGINS;
    seen[i].sent += (double) (group.paths[0]->sent - sent) / (30 * 50) / BEGINS;
  }
  stop ();
}

/* The mean over the times at which the audio begins. */
static void
run_audio_and_video (TfrcMode mode, unsigned room, bool coupled, Second seen[3])
{
  memset (seen, 0, 3 * sizeof *seen);
  for (unsigned offset = 0; offset < BEGINS; offset++)
    add_audio_and_video (mode, room, coupled, offset, seen);
}

TEST (audio_keeps_what_it_needs_and_video_takes_the_rest)
{
  static const unsigned rooms[] = { 10, 25, 40 };
  static const double capacities[] = { 62500, 25000, 62500 };

  for (unsigned mode = 0; mode < 2; mode++)
    for (unsigned r = 0; r < N_OF (rooms); r++) {
      Second seen[3];

      run_audio_and_video (mode == 0 ? TFRC_MODE_TFRC : TFRC_MODE_TFRC_SP,
          rooms[r], true, seen);
      for (unsigned i = 0; i < 3; i++) {
        double rest = capacities[i] - seen[i].audio;

        NOTE ("mode %u, room %u, part %u: sent %.3f audio %.0f video %.0f",
            mode, rooms[r], i, seen[i].sent, seen[i].audio, seen[i].video);
        printf ("# %s\n", test_note);
        CHECK (seen[i].sent > 0.97);
        CHECK (seen[i].audio > 0.85 * AUDIO_WIRE);
        CHECK_BETWEEN (seen[i].video, 0.75 * rest, 1.01 * rest);
      }
    }
}

/* Without coupling audio in segments of standard TFRC is a flow of so many packets as the video, and gets half of what it
 * needs. */
TEST (uncoupled_audio_starves_beside_video)
{
  Second seen[3];

  run_audio_and_video (TFRC_MODE_TFRC, 25, false, seen);
  CHECK (seen[1].sent < 0.7);
}
