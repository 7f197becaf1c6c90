/* libtfrc: how far behind a packet its copies may travel (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_COPY_DISTANCE_H
#define TFRC_ADAPT_COPY_DISTANCE_H

#include <tfrc/tfrc.h>

typedef struct
{
  double late;                  /* s that packets come later than the fastest: a peak that fades */
  TfrcTime at;
} TfrcAdaptCopyDistance;

void tfrc_adapt_copy_distance_init (TfrcAdaptCopyDistance * spread, TfrcTime now);

/* A packet waits `wait` s for its departure, and `queue` s in the path. */
void tfrc_adapt_copy_distance_update (TfrcAdaptCopyDistance * spread, double queue, double wait, TfrcTime now);

/* us from a packet to its copy, and from that to the next: at most `most`, and as much as a
 * far end that holds packets for `buffer` s can use. */
uint32_t tfrc_adapt_copy_distance_get_distance (const TfrcAdaptCopyDistance * spread, double buffer, uint32_t most);

#endif
