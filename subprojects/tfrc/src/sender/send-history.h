/* libtfrc: the send history, in which the packet that a report names is found by its send time t_i
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEND_HISTORY_H
#define TFRC_SEND_HISTORY_H

#include <tfrc/tfrc.h>

/* A packet that was sent. */
typedef struct
{
  TfrcTime at;                  /* when it departed */
  uint32_t bytes;               /* bytes of all packets up to this one, which is included, modulo 2^32 */
  uint32_t R_us;                /* us, R in its stamp; 0: unknown */
} TfrcSent;

/* The packets are in a ring, which the caller keeps and passes to each function. They have numbers from 0
 * on. */
typedef struct
{
  uint32_t mask;                /* size of the ring less 1 */
  uint32_t origin;              /* us, t_i of the time 0 */
  uint32_t bytes;               /* of all packets, modulo 2^32 */
  uint64_t n;                   /* packets so far: packet i is in the ring while i + size >= n */
} TfrcSendHistory;

void tfrc_send_history_init (TfrcSendHistory * history, uint32_t size, uint64_t seed);

/* A packet of `size` bytes departs with R_us in its stamp. Returns its t_i. */
uint32_t tfrc_send_history_add (TfrcSendHistory * history, TfrcSent * ring,
    uint32_t size, uint32_t R_us, TfrcTime now);

/* Finds the number of the newest packet with the send time `t_i`; returns false if there is none. */
bool tfrc_send_history_find (const TfrcSendHistory * history, const TfrcSent * ring,
    uint32_t t_i, uint64_t * packet);

static inline const TfrcSent *
tfrc_send_history_get (const TfrcSendHistory * history, const TfrcSent * ring, uint64_t packet)
{
  return &ring[packet & history->mask];
}

/* The bytes of a packet that is in the ring; 0: not known, because it is the oldest there. */
uint32_t tfrc_send_history_get_size (const TfrcSendHistory * history, const TfrcSent * ring, uint64_t packet);

/* The highest rate in bytes/s that was sent in any `window` ns of the last `reach` ns up to `packet`, which
 * is included. The search may stop at a rate that is at least `enough`. */
double tfrc_send_history_get_max_rate (const TfrcSendHistory * history, const TfrcSent * ring,
    uint64_t packet, TfrcTime window, TfrcTime reach, double enough);

#endif
