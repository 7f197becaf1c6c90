/* tfrcadapt: predicts what a listener hears of an operating point, by the wideband E-model
 * (ITU-T G.107.1, and G.107 where that refers to it)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_QUALITY_H
#define TFRC_ADAPT_QUALITY_H

#include <tfrcadapt/operating-point.h>

TFRC_BEGIN_DECLS

/* The path between the encoder and the listener. */
typedef struct
{
  double loss;                  /* fraction of packets lost, 0 to 1 */
  double burst;                 /* BurstR (G.107 7.5): mean length of runs of lost packets divided by that
                                 * at random loss; 1: random */
  double delay;                 /* s from the end of the last sound in a packet to its playing: path, queues
                                 * and buffers. The ptime comes on top of it, from the point */
} TfrcAdaptListening;

/* The rating of the E-model on the wideband scale, 0 to 129. */
double tfrc_adapt_quality_get_rating (const TfrcAdaptPoint * point, const TfrcAdaptListening * listening);

/* The mean opinion score, 1 to 4.5, of a wideband rating (G.107.1 annex A, G.107 annex B). */
double tfrc_adapt_quality_get_mos (double rating);

/* The wideband rating that has this mean opinion score, 1 to 4.5. */
double tfrc_adapt_quality_get_rating_of_mos (double mos);

/* Idd of G.107 7.4: the units of the rating that a one-way delay of `Ta` seconds costs. */
double tfrc_adapt_quality_get_delay_impairment (double Ta);

/* The fraction of packets that neither arrive nor can be recovered from a redundant copy, when each
 * packet repeats `redundancy` earlier ones. `loss` and `burst` are as in TfrcAdaptListening. */
double tfrc_adapt_quality_get_residual_loss (double loss, double burst, unsigned redundancy);

TFRC_END_DECLS
#endif
