/* tfrcadapt: how long a data receiver waits before it plays the sound of a packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A longer delay loses less sound, because packets of longer transit time and redundant copies of lost
 * packets are in time, but makes the conversation slower. The E-model predicts the impairment of both: the
 * delay impairment Idd (ITU-T G.107 7.4) and the impairment by loss of G.107.1 7.5. The object keeps a
 * histogram of how late sound has come, in which the last ten seconds count most, and chooses the delay
 * with the least sum of the two. Where the path stands still once for half a second, that sound is therefore
 * concealed, and the whole call is not late.
 *
 * A lateness is relative to the packet with the least transit time. Times are in ns. The contract of
 * tfrc/tfrc.h holds; `now` must not decrease. */
#ifndef TFRC_ADAPT_PLAYOUT_DELAY_H
#define TFRC_ADAPT_PLAYOUT_DELAY_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

#define TFRC_ADAPT_PLAYOUT_BINS 100

/* The members are private. */
typedef struct
{
  TfrcTime min, max;            /* of the delay */
  TfrcTime path;                /* one-way delay of the path */
  TfrcTime chosen;              /* the delay */
  TfrcTime last, judged;        /* when sound came last, and when the delay was chosen */
  float weight[TFRC_ADAPT_PLAYOUT_BINS];        /* of the sound whose lateness falls in this bin */
  float late;                   /* weight of sound that no delay up to `max` would have */
} TfrcAdaptPlayoutDelay;

/* The delay is to be within `min` and `max`; a `max` below `min` is raised to `min`. */
void tfrc_adapt_playout_delay_init (TfrcAdaptPlayoutDelay * delay, TfrcTime min, TfrcTime max);

/* The one-way delay of the path, such as half the round-trip time; 0 until it is set. */
void tfrc_adapt_playout_delay_set_path (TfrcAdaptPlayoutDelay * delay, TfrcTime path);

/* To be called once for the sound of each packet, when the packet or its first copy arrives, `lateness` after the
 * time of the least transit time; it may be negative. */
void tfrc_adapt_playout_delay_on_sound (TfrcAdaptPlayoutDelay * delay, int64_t lateness, TfrcTime now);

/* The delay that was chosen last; before the first choice 80 ms, within `min` and `max`. */
TfrcTime tfrc_adapt_playout_delay_get (const TfrcAdaptPlayoutDelay * delay);

TFRC_END_DECLS
#endif
