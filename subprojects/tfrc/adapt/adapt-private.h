/* libtfrc: the parts of the adaptation that more than one of its files uses (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_PRIVATE_H
#define TFRC_ADAPT_PRIVATE_H

#include <tfrcadapt/adapt.h>
#include <tfrcadapt/quality.h>

#include "budget.h"
#include "codec-impairment.h"
#include "rise-timing.h"
#include "copy-distance.h"
#include "suspend.h"

/* A path without any loss is one that was not watched for long enough: frame
 * lengths are judged as if one packet in 200 were lost. */
#define LOSS_EXPECTED 0.005

typedef struct
{
  TfrcAdaptPoint point;
  TfrcAdaptImpairment sound;
} Rung;

struct _TfrcAdapt
{
  TfrcAdaptConfig config;
  TfrcAdaptConditions conditions;
  TfrcAdaptBudget budget;
  TfrcAdaptSuspend suspend;
  TfrcAdaptRise rise;
  TfrcAdaptCopyDistance spread;
  TfrcTime last_now;

  unsigned current;             /* index into rungs */
  double excess;                /* what the encoder makes over what it was told, mean */
  double loss_told;             /* percent */
  unsigned copy_spacing;        /* packets, in force */
  double dip_need;              /* bytes/s on the wire before the allowance fell below half; 0 */
  TfrcTime dip_at;
  TfrcTime squeezed_since;      /* the allowance is below the need; TFRC_TIME_NONE */

  unsigned n_rungs;
  Rung rungs[];
};

/* Bytes/s of wire: of what the equation allows, which depends on the packet rate, and
 * of what the path carries, which does not. */
typedef struct
{
  double allowed, limit;
} TfrcAdaptRoom;

/* The share of packets lost, or what stands in for it; what copies leave of it. */
double tfrc_adapt_get_loss (const TfrcAdapt * adapt);
double tfrc_adapt_get_residual (const TfrcAdapt * adapt, unsigned rung);

/* Bytes/s on the wire. */
double tfrc_adapt_get_need (const TfrcAdapt * adapt, unsigned rung);

double tfrc_adapt_get_rating (const TfrcAdapt * adapt, unsigned rung);
unsigned tfrc_adapt_get_cheapest (const TfrcAdapt * adapt);

/* Whether a rung fits with `spare` to multiply its need by. */
bool tfrc_adapt_fits (const TfrcAdapt * adapt, unsigned rung, TfrcAdaptRoom room, double spare);

/* The best point that fits, or the cheapest of all. */
unsigned tfrc_adapt_choose (const TfrcAdapt * adapt, TfrcAdaptRoom room);

#endif
