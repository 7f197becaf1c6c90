/* libtfrc: what a listener hears of an operating point, by the E-model
 * (ITU-T G.107.1, wideband; G.107 where that refers to it)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_QUALITY_H
#define TFRC_ADAPT_QUALITY_H

#include <tfrcadapt/operating-point.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The conditions under which someone listens. */
typedef struct
{
  double loss;                  /* share of packets lost, 0 to 1 */
  double burst;                 /* BurstR: mean run of losses over that of random loss; 1: random */
  double delay;                 /* s from the filled frame to its playing: path, queues, buffers */
} TfrcAdaptListening;

/* Transmission rating R on the wideband scale, 0 to 129. */
double tfrc_adapt_quality_get_rating (const TfrcAdaptPoint * point, const TfrcAdaptListening * listening);

/* Mean opinion score, 1 to 4.5, of a rating on the wideband scale (G.107.1 annex A by G.107 annex B). */
double tfrc_adapt_quality_get_mos (double rating);
double tfrc_adapt_quality_get_rating_of_mos (double mos);

/* Idd of G.107: what a one-way delay of Ta seconds costs. */
double tfrc_adapt_quality_get_delay_impairment (double Ta);

/* The share of packets that stay lost when each packet repeats `redundancy`
 * earlier ones. */
double tfrc_adapt_quality_get_residual_loss (double loss, double burst, unsigned redundancy);

#ifdef __cplusplus
}
#endif
#endif
