/* libtfrc: a sender under test and the short ways to drive it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_TEST_FLOW_H
#define TFRC_TEST_FLOW_H

#include "test.h"

#include <tfrc/sender.h>
#include <tfrc/wire.h>

#define MS(T) ((TfrcTime) ((T) * 1e6 + 0.5))

/* Of p the wire keeps 32 bits, and X follows it. */
#define WIRE 1e-7

typedef struct
{
  TfrcConfig config;
  TfrcSender *sender;
  TfrcStamp stamp;              /* of the last packet */
} Flow;

__attribute__ ((unused)) static TfrcConfig
make_config (TfrcMode mode)
{
  TfrcConfig config;

  tfrc_config_init (&config, mode);
  config.seed = 42;
  return config;
}

__attribute__ ((unused)) static Flow
make_flow (const TfrcConfig * config, TfrcTime now)
{
  Flow flow = {.config = *config };
  void *block = malloc (tfrc_sender_size (config));

  CHECK (tfrc_config_check (config) == NULL);
  CHECK (block != NULL);
  flow.sender = tfrc_sender_init (block, config, now);
  return flow;
}

__attribute__ ((unused)) static void
free_flow (Flow * flow)
{
  free (flow->sender);
  flow->sender = NULL;
}

/* A packet leaves now whatever the pacer says; its t_i. */
__attribute__ ((unused)) static uint32_t
depart (Flow * flow, uint32_t size, bool backlogged, TfrcTime now)
{
  tfrc_sender_on_departure (flow->sender, size, backlogged, &flow->stamp, now);
  return flow->stamp.t_i_us;
}

/* A packet leaves when it may, at or after `now`; the time. */
__attribute__ ((unused)) static TfrcTime
depart_when_due (Flow * flow, uint32_t size, bool backlogged, TfrcTime now)
{
  TfrcTime t = tfrc_sender_next_departure (flow->sender, size);

  if (t < now)
    t = now;
  depart (flow, size, backlogged, t);
  return t;
}

/* A report that names the packet of `t_i`, as bits. */
__attribute__ ((unused)) static unsigned
report (Flow * flow, uint32_t t_i, TfrcTime t_delay, double X_recv, double p, TfrcTime now)
{
  TfrcReport r = {
    .t_i_us = t_i,
    .t_delay_us = (uint32_t) (t_delay / TFRC_USEC),
    .x_recv_Bps = X_recv < UINT32_MAX ? (uint32_t) X_recv : UINT32_MAX,
    .p_q32 = tfrc_report_encode_p (p),
  };

  return tfrc_sender_on_report (flow->sender, &r, now);
}

__attribute__ ((unused)) static TfrcSenderStats
stats_of (const Flow * flow)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (flow->sender, &stats);
  return stats;
}

__attribute__ ((unused)) static TfrcAllowance
allowance_of (const Flow * flow)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (flow->sender, &allowance);
  return allowance;
}

/* Every figure alike, bit for bit. */
__attribute__ ((unused)) static bool
is_same (const TfrcSenderStats * a, const TfrcSenderStats * b)
{
  return memcmp (a, b, offsetof (TfrcSenderStats, data_limited)) == 0
      && a->data_limited == b->data_limited && a->slow_start == b->slow_start;
}

/* The receiver behind a lossless path in miniature: a report for the packet sent R ago,
 * which leaves now or left a while ago. */
__attribute__ ((unused)) static unsigned
exchange (Flow * flow, uint32_t size, TfrcTime R, double X_recv, double p, TfrcTime now)
{
  uint32_t t_i = depart (flow, size, false, now);

  return report (flow, t_i, 0, X_recv, p, now + R);
}

/* What a sender does that is kept busy by a lossy path for a while. */
__attribute__ ((unused)) static void
run_lossy (Flow * flow, TfrcSenderStats * trace, unsigned n)
{
  TfrcTime now = 0;

  for (unsigned i = 0; i < n; i++) {
    uint32_t t_i = depart (flow, 1000, true, now += MS (60));

    report (flow, t_i, 0, i ? 16000 + 10 * (i % 17) : 0, i > 9 ? 0.02 + 0.001 * (i % 5) : 0,
        now += MS (50 + i % 7));
    trace[i] = stats_of (flow);
  }
}

#endif
