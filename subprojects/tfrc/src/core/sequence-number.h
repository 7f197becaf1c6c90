/* libtfrc: 16-bit RTP sequence numbers, extended to 64 bits
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SEQUENCE_NUMBER_H
#define TFRC_SEQUENCE_NUMBER_H

#include <tfrc/tfrc.h>

/* A packet further than this from the highest one, either way, is not part of
 * the sequence until the next packet follows it: MAX_DROPOUT of RFC 3550 A.1.
 * It also bounds the work that one packet can cause. */
#define TFRC_SEQUENCE_MAX_JUMP 3000

typedef enum
{
  TFRC_SEQUENCE_FIRST,          /* the first of all */
  TFRC_SEQUENCE_NEXT,           /* within reach of the highest: may be new, late or a duplicate */
  TFRC_SEQUENCE_JUMP,           /* out of reach: not taken unless the next one follows it */
  TFRC_SEQUENCE_RESTART         /* it did: the source began anew with the packet before */
} TfrcSequenceStep;

typedef struct
{
  uint64_t highest;             /* extended */
  uint32_t expected;            /* what would confirm a jump; over 0xFFFF: nothing */
  bool started;
} TfrcSequence;

void tfrc_sequence_init (TfrcSequence * sequence);
TfrcSequenceStep tfrc_sequence_extend (TfrcSequence * sequence, uint16_t seq, uint64_t * extended);

#endif
