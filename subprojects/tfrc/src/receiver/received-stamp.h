/* libtfrc: what the far end says of itself in its stamps, R and t_i
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVED_STAMP_H
#define TFRC_RECEIVED_STAMP_H

#include <tfrc/tfrc.h>

typedef struct
{
  TfrcTime R;                   /* ns, what losses are grouped by; a guess until R_known */
  TfrcTime R_known;             /* ns, from the stamps; 0: none said yet */
  TfrcTime T_R;                 /* when R was last heard of or doubled */
  TfrcTime T_i;                 /* when the packet with t_i arrived */
  uint32_t rtt_us;              /* as last written */
  uint32_t t_i_us;
  bool has_t_i;
  unsigned behind;              /* packets in a row with a t_i before the one we have */
  uint64_t unstamped, bad;
} TfrcReceivedStamp;

void tfrc_received_stamp_init (TfrcReceivedStamp * peer, TfrcTime now);

/* Takes what the newest packet says; NULL if it says nothing. */
void tfrc_received_stamp_on_packet (TfrcReceivedStamp * peer, const TfrcStamp * stamp, TfrcTime now);

#endif
