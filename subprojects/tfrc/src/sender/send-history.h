/* libtfrc: what was sent and when, found again by its timestamp
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEND_HISTORY_H
#define TFRC_SEND_HISTORY_H

#include <tfrc/tfrc.h>

/* One packet. */
typedef struct
{
  TfrcTime at;                  /* when it left */
  uint32_t bytes;               /* sent up to and with this one, modulo 2^32 */
  uint32_t R_us;                /* the R that it carried, us; 0: none */
} TfrcSent;

/* The ring itself lies behind the object that holds this. */
typedef struct
{
  uint32_t mask;                /* size - 1 */
  uint32_t origin;              /* us: t_i of time 0 */
  uint32_t bytes;               /* as in TfrcSent */
  uint64_t n;                   /* packets so far: packet i is in the ring while i + size >= n */
} TfrcSendHistory;

void tfrc_send_history_init (TfrcSendHistory * history, uint32_t size, uint64_t seed);

/* Returns t_i. */
uint32_t tfrc_send_history_add (TfrcSendHistory * history, TfrcSent * ring,
    uint32_t size, uint32_t R_us, TfrcTime now);

/* The number of the newest packet sent with that t_i; false if there is none. */
bool tfrc_send_history_find (const TfrcSendHistory * history, const TfrcSent * ring,
    uint32_t t_i, uint64_t * packet);

static inline const TfrcSent *
tfrc_send_history_get (const TfrcSendHistory * history, const TfrcSent * ring, uint64_t packet)
{
  return &ring[packet & history->mask];
}

/* The most bytes/s sent in any `window` ns long stretch of the `reach` ns up to
 * and with `packet`; it may stop looking once it has seen `enough`. */
double tfrc_send_history_get_max_rate (const TfrcSendHistory * history, const TfrcSent * ring,
    uint64_t packet, TfrcTime window, TfrcTime reach, double enough);

#endif
