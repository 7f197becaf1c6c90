/* libtfrc: the round-trip time by which losses are grouped to loss events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A loss event is what is lost in a window of data, and so in a round-trip time (RFC 5348 3.2.1, 5.2). R of the stamps is a
 * mean of the sender, and a packet has waited in the queue of the path since it was stamped. While the slow start of a TCP flow
 * fills a queue of a second, R is 80 ms where the packets that are lost would have had 1.1 s, and what one window lost is
 * eight loss events. The send times of the stamps tell by how much a packet took longer than the fastest one of the
 * last seconds did: the round-trip time that it met is longer by that.
 *
 * Differs from RFC 5348 5.2: where R is less than half of what a packet met, the latter counts. It does in TFRC-SP only, where
 * each loss of so short an interval counts (RFC 4828 3), and eight such intervals leave a packet in two seconds. Two flows of
 * standard TFRC that fill a queue of 1.5 s keep to 1.2 times the rate of each other without, and to 4.4 times with
 * it (tests/lab/run.sh rfc8868-fairness), since the first loss event comes while their rates differ. */
#ifndef TFRC_PRESENT_RTT_H
#define TFRC_PRESENT_RTT_H

#include <tfrc/tfrc.h>

/* The least values of a few seconds. */
typedef struct
{
  int64_t transit;              /* ns plus a constant: arrival less send time of a packet */
  TfrcTime R;                   /* ns, of the stamps */
} TfrcLeast;

typedef struct
{
  TfrcTime R;                   /* ns, that of the last packet; 0: not known */
  bool begun;                   /* t_i_us and what follows is known */
  uint32_t t_i_us;              /* us, send time of the last packet, modulo 2^32 */
  TfrcTime T_i;                 /* when that packet arrived */
  int64_t transit;              /* ns plus a constant, of that packet */
  TfrcTime T_window;            /* when the present window began */
  TfrcLeast before, window;     /* of the window before, and of the present one */
} TfrcPresentRtt;

void tfrc_present_rtt_init (TfrcPresentRtt * present);

/* A packet that was sent at `t_i_us`, whose stamp has the round-trip time `R` > 0 in ns, arrives `now`. Packets come in the order of
 * their sequence numbers. */
void tfrc_present_rtt_on_packet (TfrcPresentRtt * present, uint32_t t_i_us, TfrcTime R, TfrcTime now);

/* The round-trip time in ns by which losses are grouped now. `R` is what the receiver goes by otherwise. */
TfrcTime tfrc_present_rtt_get (const TfrcPresentRtt * present, TfrcMode mode, TfrcTime R);

#endif
