/* tfrcadapt: how long a data receiver waits before it plays the sound of a packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A receiver that waits longer misses less sound, because packets of longer transit time and redundant
 * copies of lost packets are in time; but the listener's answer is late. The E-model has a price
 * for both: the delay impairment Idd (ITU-T G.107 7.4) and the impairment by loss of G.107.1 7.5. The
 * object keeps a histogram of how late sound has come, in which the last ten seconds count most, and
 * chooses the delay whose two prices are least together. One hold of the path for half a second is
 * therefore concealed, and does not make the whole call late.
 *
 * The object is flat state. A lateness is measured from the time at which the sound would have
 * arrived on the fastest way. Times are in ns. */
#ifndef TFRC_ADAPT_PLAYOUT_DELAY_H
#define TFRC_ADAPT_PLAYOUT_DELAY_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

#define TFRC_ADAPT_PLAYOUT_BINS 100

/* The fields are private to playout-delay.c. */
typedef struct
{
  TfrcTime min, max;            /* of the delay */
  TfrcTime path;                /* one-way delay of the path */
  TfrcTime chosen;              /* the delay */
  TfrcTime last, judged;        /* when sound came last, and when the delay was chosen */
  float weight[TFRC_ADAPT_PLAYOUT_BINS];        /* of sound that is in time with a delay of this bin */
  float late;                   /* weight of sound that no delay up to `max` would have */
} TfrcAdaptPlayoutDelay;

/* The delay is to be within `min` and `max`. */
void tfrc_adapt_playout_delay_init (TfrcAdaptPlayoutDelay * delay, TfrcTime min, TfrcTime max);

/* The one-way delay of the path, such as half the round-trip time; 0 until it is set. */
void tfrc_adapt_playout_delay_set_path (TfrcAdaptPlayoutDelay * delay, TfrcTime path);

/* The sound of one packet came, in the packet itself or in a copy: `lateness` behind the fastest way,
 * which may be negative. */
void tfrc_adapt_playout_delay_on_sound (TfrcAdaptPlayoutDelay * delay, int64_t lateness, TfrcTime now);

/* The delay that was chosen last. */
TfrcTime tfrc_adapt_playout_delay_get (const TfrcAdaptPlayoutDelay * delay);

TFRC_END_DECLS
#endif
