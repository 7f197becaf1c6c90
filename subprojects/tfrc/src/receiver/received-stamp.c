/* libtfrc: the round-trip time R and the send time t_i, from the stamps of the sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "received-stamp.h"

/* RFC 6323 3.4: R before a stamp has it, and the longest R that is assumed while no stamp does. */
#define R_INITIAL (TFRC_SEC / 2)
#define R_MAX (64 * TFRC_SEC)

/* R is a mean of the sender: from one packet to the next it cannot grow or shrink by more than this
 * factor. A stamp that says so all the same changes R by a factor of two only, so that a single wrong
 * value does little harm and a true one is reached soon. */
#define R_JUMP_MAX 8

/* After this many packets in a row with an earlier send time than the one that is held, that one is
 * wrong: the sender's clock began anew, or a stamp was wrong. */
#define BEHIND_MAX 3

void
tfrc_received_stamp_init (TfrcReceivedStamp * received, TfrcTime now)
{
  received->R = R_INITIAL;
  received->R_known = 0;
  received->T_R = now;
  received->rtt_us = TFRC_RTT_UNKNOWN;
  received->has_t_i = false;
  received->behind = 0;
}

/* RFC 6323 3.4: the packet does not say R. The last R holds; when that R arrived longer ago than R
 * itself, it is doubled. */
static void
take_no_rtt (TfrcReceivedStamp * received, TfrcTime now)
{
  if (now - received->T_R <= received->R || received->R >= R_MAX)
    return;
  received->R = 2 * received->R < R_MAX ? 2 * received->R : R_MAX;
  received->T_R = now;
}

static void
take_rtt (TfrcReceivedStamp * received, uint32_t rtt_us, TfrcTime now)
{
  TfrcTime R = rtt_us * TFRC_USEC, known = received->R_known;

  if (known > 0 && R > R_JUMP_MAX * known) {
    received->bad++;
    R = 2 * known;
  } else if (R * R_JUMP_MAX < known) {
    received->bad++;
    R = known / 2;
  }
  received->R = received->R_known = R;
  received->T_R = now;
  received->rtt_us = rtt_us;
}

static bool
take_t_i (TfrcReceivedStamp * received, uint32_t t_i_us, TfrcTime now)
{
  /* RFC 5348 3.2.1: send times do not decrease, modulo 2^32. */
  if (received->has_t_i && (int32_t) (t_i_us - received->t_i_us) < 0
      && ++received->behind < BEHIND_MAX) {
    received->bad++;
    return false;
  }
  received->behind = 0;
  received->has_t_i = true;
  received->t_i_us = t_i_us;
  received->T_i = now;
  return true;
}

bool
tfrc_received_stamp_on_packet (TfrcReceivedStamp * received,
    const TfrcStamp * stamp, TfrcTime now)
{
  if (stamp == NULL) {
    received->unstamped++;
    take_no_rtt (received, now);
    return false;
  }
  if (stamp->rtt_us == TFRC_RTT_UNKNOWN || stamp->rtt_us >= TFRC_RTT_OVER)
    take_no_rtt (received, now);
  else if (stamp->rtt_us == received->rtt_us
      && received->R == received->rtt_us * TFRC_USEC)
    received->T_R = now;
  else
    take_rtt (received, stamp->rtt_us, now);
  return take_t_i (received, stamp->t_i_us, now);
}
