/* libtfrc: how far behind a packet its copies may travel (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SPREAD_H
#define TFRC_SPREAD_H

#include <tfrc/tfrc.h>

typedef struct
{
  double late;                  /* s that packets come later than the fastest: a peak that fades */
  TfrcTime at;
} TfrcSpread;

void tfrc_spread_init (TfrcSpread * spread, TfrcTime now);

/* A packet waits `wait` s for its departure, and `queue` s in the path. */
void tfrc_spread_update (TfrcSpread * spread, double queue, double wait, TfrcTime now);

/* us from a packet to its copy, and from that to the next: at most `most`, and as much as a
 * far end that holds packets for `buffer` s can use. */
uint32_t tfrc_spread_get_distance (const TfrcSpread * spread, double buffer, uint32_t most);

#endif
