/* libtfrc: the allowed transmit rate X (RFC 5348 4.2, 4.3 step 4, 4.4)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transmit-rate.h"

#include <math.h>

#include "../core/minmax.h"

void
tfrc_transmit_rate_init (TfrcTransmitRate * rate, double s)
{
  /* RFC 5348 4.2: one packet a second until the round-trip time is known. */
  *rate = (TfrcTransmitRate) {.X = s, .recv_limit = (double) INFINITY};
  tfrc_x_recv_set_init (&rate->X_recv_set, 0);
}

void
tfrc_transmit_rate_start (TfrcTransmitRate * rate, const TfrcPath * path,
    TfrcTime now)
{
  rate->X = path->initial_rate;
  rate->tld = now;
  rate->started = true;
}

/* The end of RFC 5348 4.3 step 4: X from X_Bps and recv_limit, or slow start. */
static void
compute_X (TfrcTransmitRate * rate, const TfrcPath * path, TfrcTime now)
{
  rate->X_Bps = rate->p > 0.0 ? path->X_eq : 0.0;
  if (rate->p > 0.0) {
    rate->X =
        tfrc_max (tfrc_min (rate->X_Bps, rate->recv_limit),
        path->s / TFRC_T_MBI);
  } else if (now - rate->tld >= path->R) {
    rate->X =
        tfrc_max (tfrc_min (2.0 * rate->X, rate->recv_limit),
        path->initial_rate);
    rate->tld = now;
  }
}

/* The first part of RFC 5348 4.3 step 4: recv_limit from X_recv. */
static void
update_recv_limit (TfrcTransmitRate * rate, const TfrcPath * path,
    const TfrcFeedback * feedback, TfrcTime now)
{
  TfrcXRecvSet *set = &rate->X_recv_set;
  double X_recv = feedback->X_recv;

  /* The first report says 0, because no rate was measured: it adds nothing to the set. Later an X_recv of 0
   * comes only from a receiver that began anew, which has received at least the packet that it
   * reports. */
  if (!(X_recv > 0.0)) {
    if (!rate->fed)
      return;
    X_recv = path->s * (double) TFRC_SEC / (double) path->R;
  }

  if (!feedback->data_limited) {
    tfrc_x_recv_set_update (set, X_recv, path->R, now);
    rate->recv_limit = 2.0 * tfrc_x_recv_set_get_max (set);
  } else if (feedback->loss) {
    rate->X_recv_before_loss = tfrc_x_recv_set_get_max (set);
    tfrc_x_recv_set_halve (set);
    tfrc_x_recv_set_maximize (set, 0.85 * X_recv, now);
    rate->recv_limit = tfrc_x_recv_set_get_max (set);
  } else {
    /* RFC 5348 does not say what to do when a loss event is undone. Here the limit is what it was before
     * that loss event. */
    if (feedback->healed)
      X_recv = tfrc_max (X_recv, rate->X_recv_before_loss);
    tfrc_x_recv_set_maximize (set, X_recv, now);
    rate->recv_limit = 2.0 * tfrc_x_recv_set_get_max (set);
  }
}

void
tfrc_transmit_rate_on_feedback (TfrcTransmitRate * rate, const TfrcPath * path,
    const TfrcFeedback * feedback, TfrcTime now)
{
  rate->p = feedback->p;
  if (!rate->fed)
    tfrc_x_recv_set_init (&rate->X_recv_set, now);
  update_recv_limit (rate, path, feedback, now);
  rate->fed = true;

  /* RFC 5348 4.2: the first round-trip time sets X. While p is 0, compute_X () does not double it, since
   * tld is now. */
  if (!rate->started)
    tfrc_transmit_rate_start (rate, path, now);
  compute_X (rate, path, now);
}

/* RFC 5348 4.4, Update_Limits () */
static void
update_limits (TfrcTransmitRate * rate, const TfrcPath * path,
    double timer_limit, TfrcTime now)
{
  timer_limit = tfrc_max (timer_limit, path->s / TFRC_T_MBI);
  rate->X_recv_before_loss = 0.0;
  tfrc_x_recv_set_replace (&rate->X_recv_set, timer_limit / 2.0, now);
  rate->recv_limit = timer_limit;
  compute_X (rate, path, now);
}

/* RFC 5348 4.4: the nofeedback timer. */
void
tfrc_transmit_rate_on_expiry (TfrcTransmitRate * rate, const TfrcPath * path,
    bool idle, TfrcTime now)
{
  double X_recv = tfrc_x_recv_set_get_max (&rate->X_recv_set);
  double recover_rate = path->initial_rate;

  /* While the round-trip time is unknown there is no recover_rate, and an idle flow has the rate that it
   * started with. */
  if (idle && (path->R == 0 || (rate->p > 0.0 ? X_recv < recover_rate
              : rate->X < 2.0 * recover_rate)))
    return;
  /* There is no round-trip time, or no loss event and therefore no X_Bps. */
  if (!(rate->p > 0.0))
    rate->X = tfrc_max (rate->X / 2.0, path->s / TFRC_T_MBI);
  else if (rate->X_Bps > 2.0 * X_recv)
    update_limits (rate, path, X_recv, now);
  else
    update_limits (rate, path, rate->X_Bps / 2.0, now);
}
