/* libtfrc: tests of the extended sequence numbers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "core/sequence-number.h"

static TfrcSequence sequence;
static uint64_t extended;

static TfrcSequenceStep
extend (unsigned seq)
{
  return tfrc_sequence_extend (&sequence, (uint16_t) seq, &extended);
}

static uint64_t
start (unsigned seq)
{
  tfrc_sequence_init (&sequence);
  CHECK_INT (extend (seq), TFRC_SEQUENCE_FIRST);
  return extended;
}

TEST (numbers_go_on_across_the_16_bit_wrap)
{
  uint64_t first = start (65534);
  static const unsigned seqs[] = { 65535, 0, 1, 2, 3 };

  for (unsigned i = 0; i < N_OF (seqs); i++) {
    CHECK_INT (extend (seqs[i]), TFRC_SEQUENCE_NEXT);
    CHECK_INT (extended - first, i + 1);
  }
}

TEST (a_late_packet_from_before_the_wrap_keeps_its_place)
{
  uint64_t first = start (65534);

  extend (1);
  CHECK_INT (extend (65535), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended - first, 1);
  CHECK_INT (sequence.highest - first, 3);
  CHECK_INT (extend (2), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended - first, 4);
}

TEST (many_wraps_count_up)
{
  uint64_t first = start (0);

  for (unsigned i = 1; i <= 1000; i++)
    CHECK_INT (extend (i * 2500), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended - first, 2500000);
}

TEST (a_packet_before_the_very_first_has_a_smaller_number)
{
  uint64_t first = start (0);

  CHECK_INT (extend (65535), TFRC_SEQUENCE_NEXT);
  CHECK_INT (first - extended, 1);
}

TEST (a_jump_of_3000_is_a_gap_and_one_of_3001_is_not)
{
  uint64_t first = start (1000);

  CHECK_INT (extend (4001), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (4000), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended - first, 3000);
  CHECK_INT (extend (999), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (1000), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended, first);
}

TEST (a_stray_packet_changes_nothing)
{
  uint64_t first = start (1000);

  CHECK_INT (extend (31000), TFRC_SEQUENCE_JUMP);
  CHECK_INT (sequence.highest, first);
  CHECK_INT (extend (1001), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended - first, 1);
}

TEST (two_packets_in_sequence_beyond_reach_are_a_restart)
{
  start (1000);
  CHECK_INT (extend (31000), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (31001), TFRC_SEQUENCE_RESTART);
  CHECK_INT (extend (31002), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extended, sequence.highest);
  CHECK_INT (extend (1001), TFRC_SEQUENCE_JUMP);
}

TEST (a_restart_is_confirmed_across_the_wrap)
{
  start (30000);
  CHECK_INT (extend (65535), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (0), TFRC_SEQUENCE_RESTART);
}

TEST (strays_that_do_not_follow_one_another_are_no_restart)
{
  start (1000);
  CHECK_INT (extend (31000), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (31002), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (31001), TFRC_SEQUENCE_JUMP);
  CHECK_INT (extend (31000), TFRC_SEQUENCE_JUMP);
  /* and what was expected is forgotten when the old source is heard again */
  CHECK_INT (extend (1001), TFRC_SEQUENCE_NEXT);
  CHECK_INT (extend (31001), TFRC_SEQUENCE_JUMP);
}
