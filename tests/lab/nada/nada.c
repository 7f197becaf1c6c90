/* lab: NADA, a congestion control for interactive media that the lab sets beside TFRC (RFC 8698)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nada.h"

#include <math.h>
#include <string.h>

/* RFC 8698, figure 3. */
#define PRIO 1.0
#define XREF 10.0               /* ms */
#define KAPPA 0.5
#define ETA 2.0
#define TAU 500.0               /* ms */
#define LOGWIN 0.5              /* s */
#define QEPS 0.010              /* s */
#define DFILT 0.120             /* s */
#define GAMMA_MAX 0.5
#define QBOUND 0.050            /* s */
#define MULTILOSS 7.0
#define QTH 50.0                /* ms */
#define LAMBDA 0.5
#define PLRREF 0.01
#define PMRREF 0.01
#define DLOSS 10.0              /* ms */
#define DMARK 2.0               /* ms */
#define ALPHA 0.1
#define BETA_S 0.1
#define BETA_V 0.1

/* The RFC leaves the mean of the intervals between losses open; this weight of a new interval is that
 * of the smoothed loss ratio. */
#define LOSS_INT_WEIGHT ALPHA

void
nada_receiver_init (NadaReceiver * receiver)
{
  memset (receiver, 0, sizeof *receiver);
  receiver->d_base = HUGE_VAL;
  receiver->highest = -1;
}

static void
forget_old (NadaReceiver * receiver, double now)
{
  while (receiver->log_out < receiver->log_in
      && (receiver->log[receiver->log_out % NADA_LOG].arrived < now - LOGWIN
          || receiver->log_in - receiver->log_out >= NADA_LOG))
    receiver->log_out++;
}

static void
on_loss (NadaReceiver * receiver, int64_t seq)
{
  double interval = (double) (seq - receiver->last_loss);

  receiver->loss_int =
      receiver->loss_int >
      0 ? (1 - LOSS_INT_WEIGHT) * receiver->loss_int +
      LOSS_INT_WEIGHT * interval : interval;
  receiver->last_loss = seq;
}

void
nada_receiver_on_packet (NadaReceiver * receiver, int64_t seq, double d_fwd,
    uint32_t size, bool ce, double now)
{
  NadaRecord record = { .arrived = now, .size = size, .ce = ce };

  if (seq <= receiver->highest)
    return;
  receiver->d_base = fmin (receiver->d_base, d_fwd);
  record.d_queue = d_fwd - receiver->d_base;
  record.lost = (uint32_t) (seq - receiver->highest - 1);
  if (record.lost > 0)
    on_loss (receiver, seq);
  receiver->highest = seq;
  receiver->taps[receiver->n_taps++ % NADA_TAPS] = record.d_queue;
  forget_old (receiver, now);
  receiver->log[receiver->log_in++ % NADA_LOG] = record;
}

double
nada_warp (double d_queue_ms)
{
  return d_queue_ms <
      QTH ? d_queue_ms : QTH * exp (-LAMBDA * (d_queue_ms - QTH) / QTH);
}

double
nada_aggregate (double d_tilde_ms, double p_mark, double p_loss)
{
  return d_tilde_ms + DMARK * pow (p_mark / PMRREF,
      2) + DLOSS * pow (p_loss / PLRREF, 2);
}

static double
get_least_delay_ms (const NadaReceiver * receiver)
{
  unsigned n = receiver->n_taps < NADA_TAPS ? receiver->n_taps : NADA_TAPS;
  double least = n > 0 ? HUGE_VAL : 0;

  for (unsigned i = 0; i < n; i++)
    least = fmin (least, receiver->taps[i]);
  return 1e3 * least;
}

void
nada_receiver_make_report (NadaReceiver * receiver, NadaReport * report,
    double now)
{
  double received = 0, lost = 0, marked = 0, bytes = 0, worst = 0, delay;

  forget_old (receiver, now);
  for (uint64_t i = receiver->log_out; i < receiver->log_in; i++) {
    const NadaRecord *record = &receiver->log[i % NADA_LOG];

    received++;
    lost += record->lost;
    marked += record->ce;
    bytes += record->size;
    worst = fmax (worst, record->d_queue);
  }
  receiver->p_loss +=
      ALPHA * ((lost > 0 ? lost / (lost + received) : 0) - receiver->p_loss);
  receiver->p_mark +=
      ALPHA * ((marked > 0 ? marked / received : 0) - receiver->p_mark);
  delay = get_least_delay_ms (receiver);
  if (receiver->loss_int > 0
      && (double) (receiver->highest - receiver->last_loss) <
      MULTILOSS * receiver->loss_int)
    delay = nada_warp (delay);
  report->x_curr = nada_aggregate (delay, receiver->p_mark, receiver->p_loss);
  report->r_recv = 8 * bytes / LOGWIN;
  report->gradual = lost > 0 || worst >= QEPS;
}

void
nada_sender_init (NadaSender * sender, double RMIN, double RMAX, double now)
{
  *sender = (NadaSender) {
      .RMIN = RMIN,
      .RMAX = RMAX,
      .r_ref = RMIN,
      .t_last = now};
}

double
nada_get_gamma (double rtt)
{
  return fmin (GAMMA_MAX, QBOUND / (rtt + NADA_DELTA + DFILT));
}

/* Equations (5) to (7). */
static double
update_gradually (const NadaSender * sender, double x_curr, double delta_ms)
{
  double x_offset = x_curr - PRIO * XREF * sender->RMAX / sender->r_ref;
  double x_diff = x_curr - sender->x_prev;

  return sender->r_ref -
      KAPPA * (delta_ms / TAU) * (x_offset / TAU) * sender->r_ref -
      KAPPA * ETA * (x_diff / TAU) * sender->r_ref;
}

void
nada_sender_on_report (NadaSender * sender, const NadaReport * report,
    double rtt, double now)
{
  double delta_ms = 1e3 * (now - sender->t_last);

  if (report->gradual)
    sender->r_ref = update_gradually (sender, report->x_curr, delta_ms);
  else
    sender->r_ref =
        fmax (sender->r_ref, (1 + nada_get_gamma (rtt)) * report->r_recv);
  sender->r_ref = fmin (sender->RMAX, fmax (sender->RMIN, sender->r_ref));
  sender->x_prev = report->x_curr;
  sender->t_last = now;
}

double
nada_sender_get_r_vin (const NadaSender * sender, double buffer, double fps)
{
  return fmax (sender->RMIN, sender->r_ref - BETA_V * 8 * buffer * fps);
}

double
nada_sender_get_r_send (const NadaSender * sender, double buffer, double fps)
{
  return fmin (sender->RMAX, sender->r_ref + BETA_S * 8 * buffer * fps);
}
