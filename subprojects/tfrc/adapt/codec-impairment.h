/* libtfrc: what was heard of each operating point (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_CODEC_IMPAIRMENT_H
#define TFRC_ADAPT_CODEC_IMPAIRMENT_H

#include <tfrcadapt/quality.h>

#define TFRC_ADAPT_IMPAIRMENT_LOSSES 8

/* Effective equipment impairment of a point, redundancy not counted, at the loss
 * rates of the table. Measured curves instead of Ie and Bpl: two parameters miss
 * them by 0.3 of a mean opinion score where a loss of a few percent decides. */
typedef struct
{
  double Ie[TFRC_ADAPT_IMPAIRMENT_LOSSES];
} TfrcAdaptImpairment;

/* From the table; between the bitrates measured, interpolated. */
void tfrc_adapt_impairment_init (TfrcAdaptImpairment * sound, const TfrcAdaptPoint * point);

/* Ie,eff at a packet loss of `loss`, with BurstR (G.107.1 7.5). */
double tfrc_adapt_impairment_get (const TfrcAdaptImpairment * sound, double loss, double burst);

double tfrc_adapt_impairment_get_rating (const TfrcAdaptImpairment * sound, const TfrcAdaptPoint * point,
    const TfrcAdaptListening * listening);

#endif
