/* libtfrc: the receive rate X_recv, RFC 5348 6.2
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recvrate.h"

/* Slots in a round-trip time; the ring then spans four of them. At most this
 * many packets are each a slot, and the rate is exact. */
#define SLOTS_PER_RTT 16

void
tfrc_recvrate_init (TfrcRecvRate * rate)
{
  *rate = (TfrcRecvRate) {0};
}

void
tfrc_recvrate_set_rtt (TfrcRecvRate * rate, TfrcTime R)
{
  rate->width = R / SLOTS_PER_RTT;
}

void
tfrc_recvrate_on_packet (TfrcRecvRate * rate, uint32_t size, TfrcTime now)
{
  TfrcRecvSlot *slot = &rate->slots[rate->newest];

  if (rate->n == 0 || now - slot->T >= rate->width) {
    rate->newest = (rate->newest + 1) % TFRC_RECVRATE_SLOTS;
    slot = &rate->slots[rate->newest];
    slot->T = now;
    slot->before = rate->bytes;
    slot->with = rate->bytes + size;
    if (rate->n < TFRC_RECVRATE_SLOTS)
      rate->n++;
  }
  slot->T_last = now;
  rate->bytes += size;
  rate->size = size;
}

static const TfrcRecvSlot *
get_slot (const TfrcRecvRate * rate, unsigned i)
{
  return &rate->slots[(rate->newest - i) % TFRC_RECVRATE_SLOTS];
}

/* Bytes received up to T, T included, when slot i is the last that began by then.
 * Those after a slot's first packet are taken to have come evenly. */
static double
get_bytes_at (const TfrcRecvRate * rate, unsigned i, TfrcTime T)
{
  const TfrcRecvSlot *slot = get_slot (rate, i);
  uint64_t end = i > 0 ? get_slot (rate, i - 1)->before : rate->bytes;

  if (T >= slot->T_last)
    return (double) end;
  return (double) slot->with
      + (double) (end - slot->with) * (double) (T - slot->T) / (double) (slot->T_last - slot->T);
}

double
tfrc_recvrate_get (const TfrcRecvRate * rate, TfrcTime R, TfrcTime now)
{
  TfrcTime T = now > R ? now - R : 0;
  double bytes = (double) rate->bytes;
  unsigned i;

  if (rate->n == 0 || R == 0)
    return 0.0;
  for (i = 0; i < rate->n && get_slot (rate, i)->T > T; i++);

  if (i < rate->n) {
    bytes -= get_bytes_at (rate, i, T);
  } else if (get_slot (rate, i - 1)->before > 0) {
    /* R has grown beyond what the slots reach back: over what they do. */
    bytes -= (double) get_slot (rate, i - 1)->before;
    R = now - get_slot (rate, i - 1)->T;
  }
  /* RFC 5348 6.2: that gives at least one packet in a round-trip time. */
  if (bytes < rate->size)
    bytes = rate->size;
  return bytes * (double) TFRC_SEC / (double) R;
}
