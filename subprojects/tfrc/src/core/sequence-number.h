/* libtfrc: extends RTP sequence numbers from 16 to 64 bits, and finds out when they begin anew
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEQUENCE_NUMBER_H
#define TFRC_SEQUENCE_NUMBER_H

#include <tfrc/tfrc.h>

/* A packet whose sequence number is further than this from the highest one, in either direction, is not
 * part of the sequence unless the next packet has the number that follows it: MAX_DROPOUT of RFC 3550
 * A.1. This also limits the work that one packet can cause. */
#define TFRC_SEQUENCE_MAX_JUMP 3000

typedef enum
{
  TFRC_SEQUENCE_FIRST,          /* the first packet of all */
  TFRC_SEQUENCE_NEXT,           /* part of the sequence: the packet is new, late or a duplicate */
  TFRC_SEQUENCE_JUMP,           /* too far off: the packet is not taken */
  TFRC_SEQUENCE_RESTART         /* the packet follows one that was too far off: the source began anew */
} TfrcSequenceStep;

typedef struct
{
  uint64_t highest;             /* highest extended sequence number */
  uint32_t expected;            /* the number that follows the last jump; over 0xFFFF: there was none */
  bool started;                 /* a packet has arrived */
} TfrcSequence;

void tfrc_sequence_init (TfrcSequence * sequence);
/* Takes the sequence number `seq` of a packet; *extended becomes the extended one unless the step is
 * TFRC_SEQUENCE_JUMP. */
TfrcSequenceStep tfrc_sequence_extend (TfrcSequence * sequence, uint16_t seq, uint64_t * extended);

#endif
