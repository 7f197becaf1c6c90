/* libtfrc: the rates of the sender: what the equation and the initial window give, X_inst, and that of the pacer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <math.h>

#include <tfrc/equation.h>

#include "fluid-pacing-factor.h"
#include "../core/minmax.h"

/* W_init / R of RFC 5348 4.2, for the largest segment that is sent or will be, or that the path carries as long as
 * neither is known. */
static double
get_initial_rate (const TfrcSender * sender)
{
  uint32_t size = sender->config.max_packet_size;

  if (!(sender->rtt.R > 0.0))
    return 0.0;
  if (sender->segment.s_max > size)
    size = sender->segment.s_max;
  if (size == 0)
    size = sender->config.mss;
  return tfrc_segment_get_initial_window (size) / sender->rtt.R;
}

/* The rate that the throughput equation gives at present (RFC 5348 3.1); in TFRC-SP for the nominal segment
 * size, times the header factor (RFC 4828 3). Differs from RFC 4828 3: X := X s / (s + H) is applied
 * to X_Bps only, and once. The other terms of X come from X_recv, which counts the same bytes as s. */
static double
get_X_eq (const TfrcSender * sender, double p)
{
  const TfrcConfig *config = &sender->config;
  double R = sender->rtt.R;

  if (!(p > 0.0) || !(R > 0.0))
    return 0.0;
  return tfrc_equation_rate (tfrc_config_get_equation_size (config, sender->s),
      R, tfrc_equation_t_RTO (config, R), p)
      * tfrc_equation_header_factor (sender->s, sender->overhead);
}

TfrcPath
tfrc_sender_get_path (TfrcSender * sender, double p)
{
  uint32_t unknown = sender->config.max_packet_size > 0
      ? sender->config.max_packet_size : sender->config.mss;

  sender->s = tfrc_segment_get_mean (&sender->segment, unknown);
  return (TfrcPath) {
      .s = sender->s,
      .X_eq = get_X_eq (sender, p),
      .initial_rate = get_initial_rate (sender),
      .R = to_time (sender->rtt.R),
  };
}

double
tfrc_sender_get_X (const TfrcSender * sender)
{
  if (!(sender->X_coupled < (double) INFINITY))
    return sender->rate.X;
  return tfrc_max (sender->X_coupled, sender->s / TFRC_T_MBI);
}

double
tfrc_sender_get_X_Bps (const TfrcSender * sender)
{
  return sender->rate.X_Bps > 0.0
      && sender->X_coupled <
      (double) INFINITY ? tfrc_sender_get_X (sender) : sender->rate.X_Bps;
}

bool
tfrc_sender_is_guaranteed (const TfrcSender * sender)
{
  return sender->config.g > 0.0 && sender->config.dscp_set
      && sender->rate.started && !sender->g_suspended;
}

/* ns from packet to packet in fluid pacing: R / F (FTCP draft 3.1.1); 0: fluid pacing is off. */
static int64_t
get_fluid_spacing (const TfrcSender * sender)
{
  double R = sender->rtt.R, F;

  if (sender->config.pacing != TFRC_PACING_FLUID || !sender->rate.started)
    return 0;
  F = tfrc_fluid_get_factor (sender->X_paced * R / sender->s,
      !(sender->rate.p > 0.0));
  return (int64_t) to_time (R / F);
}

unsigned
tfrc_sender_apply_rate (TfrcSender * sender, TfrcTime now)
{
  const TfrcTransmitRate *rate = &sender->rate;
  double s = sender->s, X = tfrc_sender_get_X (sender);
  double X_paced = sender->X_paced;
  TfrcPacerRate pacer = {
    .s = s,
    .R = (int64_t) to_time (sender->rtt.R),
  };

  sender->X_inst = X;
  if (sender->config.oscillation_reduction)
    sender->X_inst =
        tfrc_max (X * tfrc_rtt_get_inst_factor (&sender->rtt), s / TFRC_T_MBI);
  /* gTFRC 2.1: G = max (g, X) */
  sender->X_paced =
      tfrc_sender_is_guaranteed (sender) ? tfrc_max (sender->X_inst,
      sender->config.g)
      : sender->X_inst;

  /* While R is unknown, a packet takes a second whatever its size. */
  if (rate->started) {
    pacer.t_byte =
        (double) TFRC_SEC *s / (s + sender->overhead) / sender->X_paced;
    pacer.t_packet = sender->overhead * pacer.t_byte;
  } else {
    pacer.t_packet = (double) TFRC_SEC *s / sender->X_paced;
  }
  pacer.t_fluid = get_fluid_spacing (sender);
  tfrc_pacer_set_rate (&sender->pacer, &pacer, now);
  return X_paced != sender->X_paced ? TFRC_SENDER_RATE : 0;
}
