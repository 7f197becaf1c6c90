/* libtfrc: the round-trip time R and the send time t_i that the sender tells the receiver in the
 * stamps of its packets (RFC 5348 3.2.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVED_STAMP_H
#define TFRC_RECEIVED_STAMP_H

#include <tfrc/tfrc.h>

typedef struct
{
  TfrcTime R;                   /* ns, the round-trip time by which losses are grouped to loss events; a
                                 * guess while R_known is 0 */
  TfrcTime R_known;             /* ns, the round-trip time that the stamps last had; 0: none yet */
  TfrcTime T_R;                 /* when R last arrived or was doubled */
  uint32_t rtt_us;              /* us, R as the last stamp had it */
  bool has_t_i;                 /* t_i_us and T_i are known */
  uint32_t t_i_us;              /* send time of the newest packet, as its stamp had it */
  TfrcTime T_i;                 /* when that packet arrived */
  unsigned behind;              /* packets in a row whose send time is before t_i_us */
  uint64_t unstamped, bad;      /* packets without a stamp, and stamps with values that cannot be */
} TfrcReceivedStamp;

void tfrc_received_stamp_init (TfrcReceivedStamp * received, TfrcTime now);

/* Takes the stamp of the packet with the highest sequence number so far; NULL: it has none. Returns whether that packet is
 * the one that t_i_us and T_i are of now. */
bool tfrc_received_stamp_on_packet (TfrcReceivedStamp * received, const TfrcStamp * stamp, TfrcTime now);

#endif
