/* tfrcadapt: when a flow for which even the cheapest operating point is too much stops sending
 * (RFC 3714 5, RFC 4828 5)
 *
 * A flow whose cheapest point takes B bytes/s on the wire stops when the allowance has stayed
 * significantly below B for some time. It stays silent until its average rate is down to what was
 * allowed.
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "suspend.h"

#include <math.h>
#include <tfrc/equation.h>

/* The allowance is significantly too low when it is below this share of the need. */
#define SIGNIFICANT 0.9

/* A suspension ends before its time when the allowance is this many times the need. */
#define ENOUGH 1.1

/* Bytes: packet size of the TCP connection to which RFC 3714 5.2 compares the flow. */
#define TCP_PACKET 1500.0

double
tfrc_adapt_suspend_get_loss_rate (double B, double R)
{
  return tfrc_equation_loss (TCP_PACKET, R, 4.0 * R, B);
}

/* RFC 3714 5.3: the time is random, from `persist` to half as long again, so that the flows of a
 * bottleneck do not stop and start together. The generator is splitmix64. */
static TfrcTime
draw_patience (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config)
{
  uint64_t z = (suspend->random += UINT64_C (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  z ^= z >> 31;
  return config->persist +
      (TfrcTime) ((double) config->persist * 0.5 * ((double) (z >> 11) *
          0x1p-53));
}

void
tfrc_adapt_suspend_init (TfrcAdaptSuspend * suspend,
    const TfrcAdaptConfig * config, TfrcTime now)
{
  *suspend = (TfrcAdaptSuspend) {
      .below_since = TFRC_TIME_NONE,
      .at = now,
      .random = config->seed};
  suspend->patience = draw_patience (suspend, config);
}

static void
forgive (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config)
{
  suspend->below_since = TFRC_TIME_NONE;
  suspend->debt = 0.0;
  suspend->patience = draw_patience (suspend, config);
}

/* RFC 3714 5.3: the flow is silent until its average rate has come down to the allowance. */
static TfrcTime
get_time_off (const TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config,
    double allowed)
{
  double seconds = suspend->debt / fmax (allowed, 1.0);

  /* Differs from RFC 3714 5.3: a suspension has a longest time, or a call would be silent for
   * minutes on a path that has recovered. The sender paces by X whatever the encoder does, so the
   * average rate does not exceed the allowance all the same. */
  if (seconds * 1e9 >= (double) config->max_off)
    return config->max_off;
  return (TfrcTime) (seconds * 1e9);
}

static bool
resume (TfrcAdaptSuspend * suspend, const TfrcAdaptConfig * config)
{
  suspend->suspended = false;
  forgive (suspend, config);
  return true;
}

bool
tfrc_adapt_suspend_update (TfrcAdaptSuspend * suspend,
    const TfrcAdaptConfig * config, double need, double allowed, TfrcTime now)
{
  double dt = (double) (now - suspend->at) * 1e-9;

  suspend->at = now;
  if (suspend->suspended)
    return (now >= suspend->until || allowed >= ENOUGH * need)
        && resume (suspend, config);

  if (allowed >= SIGNIFICANT * need) {
    if (suspend->below_since != TFRC_TIME_NONE)
      forgive (suspend, config);
    return false;
  }
  if (suspend->below_since == TFRC_TIME_NONE)
    suspend->below_since = now;
  else
    suspend->debt += (need - allowed) * dt;
  if (now - suspend->below_since < suspend->patience)
    return false;

  suspend->suspended = true;
  suspend->until = now + get_time_off (suspend, config, allowed);
  return true;
}

bool
tfrc_adapt_suspend_force (TfrcAdaptSuspend * suspend,
    const TfrcAdaptConfig * config, bool on, TfrcTime now)
{
  if (!on)
    return suspend->suspended && suspend->until == TFRC_TIME_NONE
        && resume (suspend, config);
  suspend->at = now;
  suspend->until = TFRC_TIME_NONE;
  if (suspend->suspended)
    return false;
  suspend->suspended = true;
  return true;
}

bool
tfrc_adapt_suspend_forgive (TfrcAdaptSuspend * suspend,
    const TfrcAdaptConfig * config)
{
  bool was = suspend->suspended && suspend->until != TFRC_TIME_NONE;

  if (was)
    return resume (suspend, config);
  forgive (suspend, config);
  return false;
}

TfrcTime
tfrc_adapt_suspend_next_timer (const TfrcAdaptSuspend * suspend)
{
  if (suspend->suspended)
    return suspend->until;
  if (suspend->below_since == TFRC_TIME_NONE)
    return TFRC_TIME_NONE;
  return suspend->below_since + suspend->patience;
}
