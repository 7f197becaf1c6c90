/* libtfrc: what was heard of each operating point (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_IMPAIRMENT_H
#define TFRC_IMPAIRMENT_H

#include <tfrcadapt/quality.h>

#define TFRC_SOUND_LOSSES 8

/* Effective equipment impairment of a point, redundancy not counted, at the loss
 * rates of the table. Measured curves instead of Ie and Bpl: two parameters miss
 * them by 0.3 of a mean opinion score where a loss of a few percent decides. */
typedef struct
{
  double Ie[TFRC_SOUND_LOSSES];
} TfrcSound;

/* From the table; between the bitrates measured, interpolated. */
void tfrc_sound_init (TfrcSound * sound, const TfrcPoint * point);

/* Ie,eff at a packet loss of `loss`, with BurstR (G.107.1 7.5). */
double tfrc_sound_get_impairment (const TfrcSound * sound, double loss, double burst);

double tfrc_sound_get_rating (const TfrcSound * sound, const TfrcPoint * point,
    const TfrcListening * listening);

#endif
