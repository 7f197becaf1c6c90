/* libtfrc: hours of calls that follow their rate, with the circuit breaker beside them, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   breaker-hours [HOURS]
 *
 * Voice of 64 kbit/s over the paths of the voice bench (tests/bench/voice.py) and others, with four round-trip
 * times, in both modes; HOURS in all, 1000 if none are given. RTCP receiver reports leave 0.5 to 1.5 s apart.
 * Prints a line for each kind of call and fails if the breaker tripped.
 *
 * A round-trip time of a second is for TFRC-SP alone. Standard TFRC then has 50 packets of 184 bytes in a
 * round-trip time. When the capacity falls to a quarter, a third of them is lost in one loss event, and the
 * breaker, which counts packets, reduces the rate for one CB_INTERVAL. */
#include <stdio.h>
#include <string.h>

#include <tfrc/circuit-breaker.h>

#define main test_main          /* test.h brings one */
#include "path.h"
#undef main

#define SIZE 184
#define CALL 600                /* s, of one call */

typedef struct
{
  const char *name;
  double kbit, low;             /* capacity; the lower one from the 24th to the 48th second of each minute */
  TfrcTime queue;
  double loss;
  unsigned loss_run;
} Kind;

static const Kind kinds[] = {
  {"clear", 0, 0, MS (200), 0, 0},
  {"thin24", 24, 24, MS (300), 0, 0},
  {"thin48", 48, 48, MS (300), 0, 0},
  {"step", 200, 48, MS (300), 0, 0},
  {"step-deep", 200, 48, MS (1000), 0, 0},
  {"loss2", 0, 0, MS (200), 0.02, 0},
  {"loss10", 0, 0, MS (200), 0.10, 0},
  {"loss25", 0, 0, MS (200), 0.25, 0},
  {"loss50", 0, 0, MS (200), 0.50, 0},
  {"bursty", 0, 0, MS (200), 0.02, 4},
  {"outages", 100, 0, MS (300), 0.01, 0},
};

static const unsigned rtts[] = { 20, 100, 300, 1000 };

typedef struct
{
  Path *path;
  TfrcBreaker breaker;
  const Kind *kind;
  uint64_t arrived;             /* at the last receiver report */
  uint32_t highest;
} Call;

static void
on_departure (void *user, TfrcTime now)
{
  Call *call = user;

  tfrc_breaker_on_departure (&call->breaker, call->path->size, now);
}

/* The path at this moment. A capacity of 0 in `low` while `kbit` has one is an outage of both directions, for
 * 10 s of each two minutes, which is shorter than the RTCP timeout. */
static void
set_path (Call * call, TfrcTime now)
{
  const Kind *kind = call->kind;
  unsigned second = (unsigned) (now / TFRC_SEC);
  bool low = second % 60 >= 24 && second % 60 < 48;
  bool outage = kind->kbit > 0 && !(kind->low > 0) && second % 120 >= 110;

  call->path->capacity = (low && kind->low > 0 ? kind->low : kind->kbit) * 125;
  call->path->cut_data = call->path->cut_reports = outage;
}

/* RTCP of the receiver, as RFC 3550 A.3 counts. */
static void
send_block (Call * call)
{
  Path *path = call->path;
  double expected = path->highest - call->highest;
  double arrived = (double) (path->arrived - call->arrived);
  double lost = expected > arrived ? (expected - arrived) / expected : 0;

  call->highest = path->highest;
  call->arrived = path->arrived;
  if (path->cut_reports)
    return;
  tfrc_breaker_on_rtcp (&call->breaker, path->now);
  tfrc_sender_on_rtcp (path->flow.sender, path->now);
  tfrc_breaker_on_rtt (&call->breaker, 2 * path->delay);
  tfrc_breaker_on_block (&call->breaker, lost, 0.0, path->highest, path->now);
}

static bool
run_call (const Kind * kind, TfrcMode mode, TfrcTime R, uint64_t seed)
{
  TfrcConfig config = make_config (mode);
  Call call = { .kind = kind };
  bool tripped;

  config.seed = seed;
  call.path = make_path (&config, SIZE, MS (20), R / 2);
  call.path->queue = kind->queue;
  call.path->loss = kind->loss;
  call.path->loss_run = kind->loss_run;
  call.path->on_departure = on_departure;
  call.path->user = &call;
  tfrc_breaker_init (&call.breaker, &config, TFRC_SEC, 0, 0);
  while (call.path->now < CALL * TFRC_SEC) {
    set_path (&call, call.path->now);
    path_run (call.path,
        call.path->now + MS (500 + 1000 * path_random (call.path)));
    send_block (&call);
    tfrc_breaker_on_timer (&call.breaker, call.path->now);
  }
  tripped = call.breaker.trip != TFRC_TRIP_NONE;
  if (tripped)
    printf ("%s, %s, R %g ms, seed %llu: tripped by %s\n", kind->name,
        mode == TFRC_MODE_TFRC_SP ? "tfrc-sp" : "tfrc", (double) R * 1e-6,
        (unsigned long long) seed, tfrc_trip_get_name (call.breaker.trip));
  free_path (call.path);
  return tripped;
}

int
main (int argc, char **argv)
{
  double hours = argc > 1 ? atof (argv[1]) : 1000;
  unsigned calls =
      (unsigned) ceil (hours * 3600 / CALL / (2 * N_OF (rtts)) / N_OF (kinds));
  unsigned trips = 0;

  for (size_t i = 0; i < N_OF (kinds); i++) {
    unsigned before = trips;

    for (unsigned n = 0; n < calls * 2 * N_OF (rtts); n++)
      trips += run_call (&kinds[i], n % 8 == 6
          || n % 2 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC,
          MS (rtts[n / 2 % N_OF (rtts)]), n + 1);
    printf ("%-10s %8.1f h  %u trips\n", kinds[i].name,
        calls * 2.0 * N_OF (rtts) * CALL / 3600, trips - before);
    fflush (stdout);
  }
  return trips > 0;
}
