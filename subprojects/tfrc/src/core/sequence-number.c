/* libtfrc: extends RTP sequence numbers from 16 to 64 bits, and finds out when they begin anew
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sequence-number.h"

#define NOTHING_EXPECTED 0x10000u

/* The first extended number is this much above 0, for packets that the first one overtook. */
#define ORIGIN ((uint64_t) 1 << 16)

void
tfrc_sequence_init (TfrcSequence * sequence)
{
  *sequence = (TfrcSequence) {.expected = NOTHING_EXPECTED};
}

static uint64_t
start_at (TfrcSequence * sequence, uint16_t seq)
{
  sequence->highest = ORIGIN + seq;
  sequence->expected = NOTHING_EXPECTED;
  sequence->started = true;
  return sequence->highest;
}

TfrcSequenceStep
tfrc_sequence_extend (TfrcSequence * sequence, uint16_t seq,
    uint64_t * extended)
{
  int32_t jump;                 /* distance modulo 2^16 (RFC 5348 5.1) */

  if (!sequence->started) {
    *extended = start_at (sequence, seq);
    return TFRC_SEQUENCE_FIRST;
  }
  jump = (int16_t) (uint16_t) (seq - (uint16_t) sequence->highest);
  if (jump >= -TFRC_SEQUENCE_MAX_JUMP && jump <= TFRC_SEQUENCE_MAX_JUMP) {
    *extended = sequence->highest + (uint64_t) (int64_t) jump;
    if (jump > 0)
      sequence->highest = *extended;
    sequence->expected = NOTHING_EXPECTED;
    return TFRC_SEQUENCE_NEXT;
  }
  /* RFC 3550 A.1: two packets in sequence come from a source that began anew, one is a stray. */
  if (seq == sequence->expected) {
    *extended = start_at (sequence, seq);
    return TFRC_SEQUENCE_RESTART;
  }
  sequence->expected = (uint16_t) (seq + 1);
  return TFRC_SEQUENCE_JUMP;
}
