/* lab: the sender that made the published tables
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ns2.h"

#include <math.h>
#include <tfrc/equation.h>
#include <tfrc/wire.h>

#define FIRST_X 300.0           /* bytes/s until the first report */
#define MIN_INTERVAL (10 * TFRC_MSEC)   /* of TFRC-SP */

static TfrcTime
to_time (double seconds)
{
  return (TfrcTime) llround (seconds * 1e9);
}

/* max (2R, 2s/X), where RFC 5348 4.4 has max (4R, 2s/X). */
static void
restart_timer (LabNs2 * ns2, TfrcTime now)
{
  ns2->expiry = now + to_time (fmax (2 * ns2->R, 2 * ns2->s / ns2->X));
}

void
lab_ns2_init (LabNs2 * ns2, const LabOptions * options,
    const TfrcConfig * config)
{
  bool sp = config->mode == TFRC_MODE_TFRC_SP;
  *ns2 = (LabNs2) {
      .X = FIRST_X,
      .R = options->rtt,
      .s = options->size,
      .s_equation = sp ? tfrc_config_get_nominal_size (config)
      : options->scaled ? options->S : options->size,
      .H = sp ? options->H : 0,
      .t_RTO = options->t_RTO_R * options->rtt,
      .slow_increase = options->slow_increase != 0,
      .recv_limit = options->recv_limit != 0};
  restart_timer (ns2, 0);
}

/* X_Bps, as far as twice the last X_recv allows (RFC 3448 4.3), which is never held to less
 * than a packet an RTT; RFC 5348 takes the largest X_recv of two round-trip times and has no
 * such floor. */
static double
get_target (const LabNs2 * ns2)
{
  double X = tfrc_equation_rate (ns2->s_equation, ns2->R, ns2->t_RTO, ns2->p)
      * tfrc_equation_header_factor (ns2->s, ns2->H);
  return ns2->recv_limit ? fmin (X, fmax (2 * ns2->X_recv,
          ns2->s / ns2->R)) : X;
}

void
lab_ns2_on_report (LabNs2 * ns2, const TfrcReport * report, TfrcTime now)
{
  double rtts = fmin (2, (double) (now - ns2->changed) * 1e-9 / ns2->R);
  double least = ns2->s / ns2->R, target;
  ns2->p = tfrc_report_decode_p (report->p_q32);
  ns2->X_recv = report->x_recv_Bps;
  if (ns2->p > 0) {
    target = fmax (get_target (ns2), ns2->s / 64);
    ns2->X = ns2->slow_increase ? fmin (target, ns2->X + rtts * least) : target;
  } else {
    ns2->X = fmax (fmin (2 * ns2->X, 2 * ns2->X_recv), 4 * least);
  }
  ns2->changed = now;
  restart_timer (ns2, now);
}

void
lab_ns2_on_timer (LabNs2 * ns2, TfrcTime now)
{
  ns2->X = fmax (ns2->X / 2, ns2->s / 64);
  restart_timer (ns2, now);
}

TfrcTime
lab_ns2_next_departure (const LabNs2 * ns2)
{
  TfrcTime t_ipi = to_time (ns2->s / ns2->X);
  if (ns2->H > 0 && t_ipi < MIN_INTERVAL)
    t_ipi = MIN_INTERVAL;
  return ns2->departed + t_ipi;
}
