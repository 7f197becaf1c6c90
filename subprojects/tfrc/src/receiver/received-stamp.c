/* libtfrc: what the far end says of itself in its stamps, R and t_i
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "received-stamp.h"

/* RFC 6323 3.4: R before the first one is heard of, and the most it may grow to
 * while none is. */
#define R_INITIAL (TFRC_SEC / 2)
#define R_MAX (64 * TFRC_SEC)

/* R is the sender's mean: from one packet to the next it cannot grow or shrink
 * by more than this. If it does all the same, it is followed in steps of two, so
 * that a single wrong value does little and a true one is reached soon. */
#define R_JUMP_MAX 8

/* After this many packets in a row with a time before the one we hold, it is ours
 * that is wrong: the sender's clock began anew, or a packet lied. */
#define BEHIND_MAX 3

void
tfrc_received_stamp_init (TfrcReceivedStamp * peer, TfrcTime now)
{
  peer->R = R_INITIAL;
  peer->R_known = 0;
  peer->T_R = now;
  peer->rtt_us = TFRC_RTT_UNKNOWN;
  peer->has_t_i = false;
  peer->behind = 0;
}

/* RFC 6323 3.4: the packet has no number for R. The last one holds; when it is
 * older than itself, it is doubled. */
static void
take_no_rtt (TfrcReceivedStamp * peer, TfrcTime now)
{
  if (now - peer->T_R <= peer->R || peer->R >= R_MAX)
    return;
  peer->R = 2 * peer->R < R_MAX ? 2 * peer->R : R_MAX;
  peer->T_R = now;
}

static void
take_rtt (TfrcReceivedStamp * peer, uint32_t rtt_us, TfrcTime now)
{
  TfrcTime R = rtt_us * TFRC_USEC, known = peer->R_known;

  if (known > 0 && R > R_JUMP_MAX * known) {
    peer->bad++;
    R = 2 * known;
  } else if (R * R_JUMP_MAX < known) {
    peer->bad++;
    R = known / 2;
  }
  peer->R = peer->R_known = R;
  peer->T_R = now;
  peer->rtt_us = rtt_us;
}

static void
take_t_i (TfrcReceivedStamp * peer, uint32_t t_i_us, TfrcTime now)
{
  /* RFC 5348 3.2.1: send times do not decrease, modulo 2^32. */
  if (peer->has_t_i && (int32_t) (t_i_us - peer->t_i_us) < 0
      && ++peer->behind < BEHIND_MAX) {
    peer->bad++;
    return;
  }
  peer->behind = 0;
  peer->has_t_i = true;
  peer->t_i_us = t_i_us;
  peer->T_i = now;
}

void
tfrc_received_stamp_on_packet (TfrcReceivedStamp * peer, const TfrcStamp * stamp, TfrcTime now)
{
  if (stamp == NULL) {
    peer->unstamped++;
    take_no_rtt (peer, now);
    return;
  }
  if (stamp->rtt_us == TFRC_RTT_UNKNOWN || stamp->rtt_us >= TFRC_RTT_OVER)
    take_no_rtt (peer, now);
  else if (stamp->rtt_us == peer->rtt_us
      && peer->R == peer->rtt_us * TFRC_USEC)
    peer->T_R = now;
  else
    take_rtt (peer, stamp->rtt_us, now);
  take_t_i (peer, stamp->t_i_us, now);
}
