/* tfrcadapt: the measured impairment of speech by each codec, bit rate and packet loss (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_CODEC_IMPAIRMENT_H
#define TFRC_ADAPT_CODEC_IMPAIRMENT_H

#include <tfrcadapt/quality.h>

#define TFRC_ADAPT_IMPAIRMENT_LOSSES 8

/* The effective equipment impairment Ie,eff (G.107.1 7.5) of an operating point at the loss rates of
 * the table, without redundant copies. Curves are stored instead of the parameters Ie and Bpl,
 * because these miss the measured scores by 0.3 at losses of a few percent. */
typedef struct
{
  double Ie[TFRC_ADAPT_IMPAIRMENT_LOSSES];
} TfrcAdaptImpairment;

/* Looks the point up in the table, and interpolates between the bit rates that were measured. */
void tfrc_adapt_impairment_init (TfrcAdaptImpairment * impairment, const TfrcAdaptPoint * point);

/* Ie,eff at the packet loss `loss`, 0 to 1, with the burst ratio `burst`, BurstR (G.107.1 7.5). */
double tfrc_adapt_impairment_get (const TfrcAdaptImpairment * impairment, double loss, double burst);

/* The rating of a point whose impairment is `impairment`, as tfrc_adapt_quality_get_rating(). It is less than 0 where more is missing than
 * the scale has room for, so that points can be compared there. */
double tfrc_adapt_impairment_get_rating (const TfrcAdaptImpairment * impairment, const TfrcAdaptPoint * point,
    const TfrcAdaptListening * listening);

#endif
