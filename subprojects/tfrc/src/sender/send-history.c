/* libtfrc: the send history, in which the packet that a report names is found by its send time t_i
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send-history.h"

/* The finalizer of splitmix64. A random origin makes t_i a weak nonce: an attacker who does not see the
 * packets does not know a send time. */
static uint32_t
get_origin (uint64_t seed)
{
  seed += 0x9E3779B97F4A7C15u;
  seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9u;
  seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EBu;
  return (uint32_t) (seed ^ (seed >> 31));
}

void
tfrc_send_history_init (TfrcSendHistory * history, uint32_t size, uint64_t seed)
{
  *history = (TfrcSendHistory) {
      .mask = size - 1,
      .origin = get_origin (seed)};
}

uint32_t
tfrc_send_history_add (TfrcSendHistory * history, TfrcSent * ring,
    uint32_t size, uint32_t R_us, TfrcTime now)
{
  history->bytes += size;
  ring[history->n++ & history->mask] =
      (TfrcSent) {now, history->bytes, R_us};
  return (uint32_t) (now / TFRC_USEC) + history->origin;
}

static uint64_t
get_oldest (const TfrcSendHistory * history)
{
  return history->n > history->mask ? history->n - history->mask - 1 : 0;
}

/* The first packet, from `begin` on, that departed after `t`; `end` if there is none. The search begins at
 * the end, since the packet is nearly always near it. */
static uint64_t
find_after (const TfrcSendHistory * history, const TfrcSent * ring,
    uint64_t begin, uint64_t end, TfrcTime t)
{
  uint64_t low = end;

  for (uint64_t step = 1; low > begin; step *= 2) {
    low = end - begin > step ? end - step : begin;
    if (tfrc_send_history_get (history, ring, low)->at <= t) {
      low++;
      break;
    }
    end = low;
  }
  while (low < end) {
    uint64_t middle = low + (end - low) / 2;

    if (tfrc_send_history_get (history, ring, middle)->at > t)
      end = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool
tfrc_send_history_find (const TfrcSendHistory * history, const TfrcSent * ring,
    uint32_t t_i, uint64_t * packet)
{
  TfrcTime newest, us;
  uint32_t age;
  uint64_t oldest = get_oldest (history), found;

  if (history->n == 0)
    return false;
  newest =
      tfrc_send_history_get (history, ring, history->n - 1)->at / TFRC_USEC;
  age = (uint32_t) newest + history->origin - t_i;      /* modulo 2^32 */
  if (age > newest)
    return false;
  us = newest - age;
  found =
      find_after (history, ring, oldest, history->n,
      us * TFRC_USEC + TFRC_USEC - 1);
  if (found == oldest)
    return false;
  *packet = found - 1;
  return tfrc_send_history_get (history, ring, *packet)->at / TFRC_USEC == us;
}

/* Bytes of the packets from `from` to `to`. The size of the oldest packet in the ring is unknown, unless it
 * is the first packet of the flow; then it is left out. */
static uint32_t
count_bytes (const TfrcSendHistory * history, const TfrcSent * ring,
    uint64_t oldest, uint64_t from, uint64_t to)
{
  uint32_t bytes = tfrc_send_history_get (history, ring, to)->bytes;

  if (from > oldest)
    return bytes - tfrc_send_history_get (history, ring, from - 1)->bytes;
  return oldest == 0 ? bytes : bytes - tfrc_send_history_get (history, ring,
      from)->bytes;
}

uint32_t
tfrc_send_history_get_size (const TfrcSendHistory * history,
    const TfrcSent * ring, uint64_t packet)
{
  return count_bytes (history, ring, get_oldest (history), packet, packet);
}

double
tfrc_send_history_get_max_rate (const TfrcSendHistory * history,
    const TfrcSent * ring, uint64_t packet, TfrcTime window, TfrcTime reach,
    double enough)
{
  uint64_t oldest = get_oldest (history), from = oldest, to = oldest;
  TfrcTime end = tfrc_send_history_get (history, ring, packet)->at;
  double enough_bytes = enough * (double) (int64_t) window * 1e-9;
  uint32_t max;

  /* The window that ends with `packet` is nearly always enough. */
  if (end >= window)
    from = find_after (history, ring, oldest, packet, end - window);
  max = count_bytes (history, ring, oldest, from, packet);

  if (max < enough_bytes)
    from = to =
        end > reach ? find_after (history, ring, oldest, packet,
        end - reach) : oldest;
  for (; to < packet && max < enough_bytes; to++) {
    uint32_t bytes;

    while (tfrc_send_history_get (history, ring, to)->at
        - tfrc_send_history_get (history, ring, from)->at >= window)
      from++;
    bytes = count_bytes (history, ring, oldest, from, to);
    if (bytes > max)
      max = bytes;
  }
  return (double) max *1e9 / (double) (int64_t) window;
}
