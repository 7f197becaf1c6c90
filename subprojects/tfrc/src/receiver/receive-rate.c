/* libtfrc: measures the receive rate X_recv over the last round-trip time (RFC 5348 6.2)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "receive-rate.h"

/* Slots in a round-trip time, of which the ring then spans four. With no more packets than this in a
 * round-trip time each has its own slot, and the rate is exact. */
#define SLOTS_PER_RTT 16

void
tfrc_receive_rate_init (TfrcReceiveRate * rate)
{
  *rate = (TfrcReceiveRate) {0};
}

void
tfrc_receive_rate_set_rtt (TfrcReceiveRate * rate, TfrcTime R)
{
  rate->width = R / SLOTS_PER_RTT;
}

void
tfrc_receive_rate_on_packet (TfrcReceiveRate * rate, uint32_t size,
    TfrcTime now)
{
  TfrcReceiveSlot *slot = &rate->slots[rate->newest];

  if (rate->n == 0 || (now > slot->T && now >= slot->T + rate->width)) {
    rate->newest = (rate->newest + 1) % TFRC_RECEIVE_RATE_SLOTS;
    slot = &rate->slots[rate->newest];
    slot->T = now > rate->T_mark ? now : now + 1;
    slot->before = rate->bytes;
    slot->with = rate->bytes + size;
    if (rate->n < TFRC_RECEIVE_RATE_SLOTS)
      rate->n++;
  }
  slot->T_last = now > slot->T ? now : slot->T;
  rate->bytes += size;
  rate->size = size;
}

void
tfrc_receive_rate_leave_out (TfrcReceiveRate * rate, TfrcTime span)
{
  for (unsigned i = 0; i < rate->n; i++) {
    TfrcReceiveSlot *slot =
        &rate->slots[(rate->newest - i) % TFRC_RECEIVE_RATE_SLOTS];

    slot->T += span;
    slot->T_last += span;
  }
  if (rate->T_mark > 0)
    rate->T_mark += span;
}

static const TfrcReceiveSlot *
get_slot (const TfrcReceiveRate * rate, unsigned i)
{
  return &rate->slots[(rate->newest - i) % TFRC_RECEIVE_RATE_SLOTS];
}

/* Bytes received up to and at the time T, where slot i is the last that began by then. The bytes after
 * the first packet of a slot are taken to have arrived evenly. */
static double
get_bytes_at (const TfrcReceiveRate * rate, unsigned i, TfrcTime T)
{
  const TfrcReceiveSlot *slot = get_slot (rate, i);
  uint64_t end = i > 0 ? get_slot (rate, i - 1)->before : rate->bytes;

  if (T >= slot->T_last)
    return (double) end;
  return (double) slot->with
      + (double) (end - slot->with) * (double) (T -
      slot->T) / (double) (slot->T_last - slot->T);
}

void
tfrc_receive_rate_mark (TfrcReceiveRate * rate, TfrcTime now)
{
  rate->T_mark = now;
  rate->bytes_mark = rate->bytes;
}

/* Bytes received in the last *R. When R has grown so much that the slots do not reach back that far,
 * *R becomes what they reach. */
static double
get_bytes_within (const TfrcReceiveRate * rate, TfrcTime * R, TfrcTime now)
{
  TfrcTime T = now > *R ? now - *R : 0;
  const TfrcReceiveSlot *oldest = get_slot (rate, rate->n - 1);
  unsigned i;

  for (i = 0; i < rate->n; i++)
    if (get_slot (rate, i)->T <= T)
      return (double) rate->bytes - get_bytes_at (rate, i, T);
  if (oldest->before > 0)
    *R = now - oldest->T;
  return (double) (rate->bytes - oldest->before);
}

double
tfrc_receive_rate_get (const TfrcReceiveRate * rate, TfrcTime R, TfrcTime now)
{
  double bytes, least;

  if (rate->n == 0 || R == 0)
    return 0.0;
  /* RFC 5348 6.2: at least one packet in a round-trip time. */
  least = rate->size * (double) TFRC_SEC / (double) R;
  if (rate->T_mark > 0 && now - rate->T_mark >= R) {
    R = now - rate->T_mark;
    bytes = (double) (rate->bytes - rate->bytes_mark);
  } else {
    bytes = get_bytes_within (rate, &R, now);
  }
  bytes *= (double) TFRC_SEC / (double) R;
  return bytes > least ? bytes : least;
}
