/* lab: NADA, a congestion control for interactive media that the lab sets beside TFRC (RFC 8698)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A comparator for the lab, no part of the engine, with the names and default values of RFC 8698.
 * Sans I/O. Times are in seconds, rates in bit/s, congestion signals in milliseconds as in the
 * RFC. */
#ifndef LAB_NADA_H
#define LAB_NADA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NADA_DELTA 0.1          /* s from feedback to feedback */
#define NADA_LOG 4096u          /* packets that LOGWIN may have */
#define NADA_TAPS 15            /* of the minimum filter of delays */

/* What the feedback says (RFC 8698 5.3). */
typedef struct
{
  double x_curr;                /* ms, aggregate congestion signal */
  double r_recv;                /* bit/s */
  bool gradual;                 /* rmode: 0 is accelerated ramp-up, 1 is gradual update */
} NadaReport;

typedef struct
{
  double arrived;               /* s */
  double d_queue;               /* s */
  uint32_t size;                /* bytes */
  uint32_t lost;                /* packets that are missing before this one */
  bool ce;
} NadaRecord;

/* The receiver's half (RFC 8698 4.2). */
typedef struct
{
  double d_base;                /* s, least one-way delay */
  double taps[NADA_TAPS];       /* s, the newest queuing delays */
  unsigned n_taps;
  NadaRecord log[NADA_LOG];     /* of the last LOGWIN seconds */
  uint64_t log_in, log_out;
  int64_t highest;              /* sequence number; -1: none came */
  double p_loss, p_mark;        /* smoothed shares */
  double loss_int;              /* packets, mean interval between losses; 0: there was no loss */
  int64_t last_loss;            /* sequence number */
} NadaReceiver;

void nada_receiver_init (NadaReceiver * receiver);

/* A packet came; `d_fwd` is its one-way delay in s, by any pair of clocks. */
void nada_receiver_on_packet (NadaReceiver * receiver, int64_t seq, double d_fwd, uint32_t size, bool ce,
    double now);
void nada_receiver_make_report (NadaReceiver * receiver, NadaReport * report, double now);

/* The sender's half (RFC 8698 4.3). */
typedef struct
{
  double RMIN, RMAX;            /* bit/s */
  double r_ref;                 /* bit/s, reference rate */
  double x_prev;                /* ms */
  double t_last;                /* s */
} NadaSender;

void nada_sender_init (NadaSender * sender, double RMIN, double RMAX, double now);
void nada_sender_on_report (NadaSender * sender, const NadaReport * report, double rtt, double now);

/* The rates of the encoder and of the network, when `buffer` bytes wait in the sender (RFC 8698 5.2). */
double nada_sender_get_r_vin (const NadaSender * sender, double buffer, double fps);
double nada_sender_get_r_send (const NadaSender * sender, double buffer, double fps);

/* The parts, for their tests: equations (1), (2) and (4). */
double nada_warp (double d_queue_ms);
double nada_aggregate (double d_tilde_ms, double p_mark, double p_loss);
double nada_get_gamma (double rtt);

#ifdef __cplusplus
}
#endif
#endif
