/* libtfrc: what the sender and the flow state exchange tell each other (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <math.h>

#include <tfrc/equation.h>

#include "../core/minmax.h"

/* A data-limited flow that begins to use as much more than at present is no longer data-limited, and gets its portion
 * after one report. */
#define HEADROOM 1.25
/* A flow that sends nothing can send a packet in so many R, the least interval of the nofeedback timer. The report
 * about that packet gives it its portion. */
#define IDLE_RTTS 4.0

static double
get_X_used (const TfrcSender * sender)
{
  if (sender->unused && sender->rtt.R > 0.0)
    return sender->s / (IDLE_RTTS * sender->rtt.R);
  if (!sender->data_limited)
    return (double) INFINITY;
  return HEADROOM * tfrc_x_recv_set_get_max (&sender->rate.X_recv_set);
}

/* By RFC 5348 a flow with segments of s bytes may send as many packets as one with nominal segments, by RFC 4828 as many
 * bytes, headers counted. */
static double
get_scale (const TfrcSender * sender)
{
  double nominal = tfrc_config_get_nominal_size (&sender->config);

  return nominal / (tfrc_config_get_equation_size (&sender->config, sender->s)
      * tfrc_equation_header_factor (sender->s, sender->overhead));
}

void
tfrc_sender_get_flow_state (const TfrcSender * sender, TfrcFlowState * state)
{
  *state = (TfrcFlowState) {
      .X = sender->rate.X,
      .X_Bps = sender->rate.X_Bps,
      .X_recv = sender->X_recv,
      .X_used = get_X_used (sender),
      .X_max = sender->X_max,
      .scale = get_scale (sender),
      .idle = sender->unused,
      .R = to_time (sender->rtt.R),
      .reports = sender->reports,
      .losses = sender->loss_reports,
  };
}
