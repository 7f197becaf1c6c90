/* libtfrc: tests of the counts of ECN marks, RFC 6679 5.1
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/ecn.h>

#include "test.h"

static TfrcEcnCounts
get (const TfrcEcnCounter * counter)
{
  TfrcEcnCounts counts;

  tfrc_ecn_counter_get (counter, &counts);
  return counts;
}

TEST (each_packet_counts_under_its_mark)
{
  static const TfrcEcn marks[] = { TFRC_ECN_ECT0, TFRC_ECN_CE, TFRC_ECN_NOT_ECT,
    TFRC_ECN_ECT0, TFRC_ECN_ECT1, TFRC_ECN_ECT0, TFRC_ECN_NOT_ECT
  };
  TfrcEcnCounter counter;
  TfrcEcnCounts counts;

  tfrc_ecn_counter_init (&counter);
  for (uint16_t i = 0; i < N_OF (marks); i++)
    tfrc_ecn_counter_on_packet (&counter, (uint16_t) (100 + i), marks[i],
        false);
  counts = get (&counter);
  CHECK_INT (counts.highest, 106);
  CHECK_INT (counts.ect0, 3);
  CHECK_INT (counts.ect1, 1);
  CHECK_INT (counts.ce, 1);
  CHECK_INT (counts.not_ect, 2);
  CHECK_INT (counts.lost, 0);
  CHECK_INT (counts.duplicates, 0);
}

TEST (a_gap_is_lost_until_a_late_packet_fills_it)
{
  TfrcEcnCounter counter;

  tfrc_ecn_counter_init (&counter);
  tfrc_ecn_counter_on_packet (&counter, 10, TFRC_ECN_ECT0, false);
  tfrc_ecn_counter_on_packet (&counter, 14, TFRC_ECN_ECT0, false);
  CHECK_INT (get (&counter).lost, 3);
  tfrc_ecn_counter_on_packet (&counter, 12, TFRC_ECN_CE, false);
  CHECK_INT (get (&counter).lost, 2);
  CHECK_INT (get (&counter).highest, 14);
}

/* A duplicate counts under its mark, and makes up for no loss. */
TEST (a_duplicate_is_no_arrival)
{
  TfrcEcnCounter counter;

  tfrc_ecn_counter_init (&counter);
  tfrc_ecn_counter_on_packet (&counter, 10, TFRC_ECN_ECT0, false);
  tfrc_ecn_counter_on_packet (&counter, 12, TFRC_ECN_ECT0, false);
  tfrc_ecn_counter_on_packet (&counter, 12, TFRC_ECN_CE, true);
  CHECK_INT (get (&counter).lost, 1);
  CHECK_INT (get (&counter).ect0, 2);
  CHECK_INT (get (&counter).ce, 1);
  CHECK_INT (get (&counter).duplicates, 1);
}

/* RFC 6679 5.1: the short counters wrap, and the sequence number has its cycles above the lower 16 bits. */
TEST (numbers_and_counts_wrap)
{
  TfrcEcnCounter counter;
  TfrcEcnCounts counts;

  tfrc_ecn_counter_init (&counter);
  for (uint32_t i = 0; i < 70000; i++)
    tfrc_ecn_counter_on_packet (&counter, (uint16_t) (65000 + i),
        i % 2 ? TFRC_ECN_CE : TFRC_ECN_ECT0, false);
  for (uint32_t i = 0; i < 66000; i++)
    tfrc_ecn_counter_on_packet (&counter, (uint16_t) (65000 + 70000 + i),
        TFRC_ECN_NOT_ECT, false);
  counts = get (&counter);
  CHECK_INT (counts.highest, 65000 + 70000 + 66000 - 1);
  CHECK_INT (counts.ect0, 35000);
  CHECK_INT (counts.ce, 35000);
  CHECK_INT (counts.not_ect, 66000 - 65536);
  CHECK_INT (counts.lost, 0);
}

/* The first packet may be overtaken by the second. */
TEST (a_packet_before_the_first_one_makes_the_loss_negative)
{
  TfrcEcnCounter counter;

  tfrc_ecn_counter_init (&counter);
  CHECK_INT (get (&counter).lost, 0);
  tfrc_ecn_counter_on_packet (&counter, 0, TFRC_ECN_ECT0, false);
  tfrc_ecn_counter_on_packet (&counter, 65535, TFRC_ECN_ECT0, false);
  CHECK_INT (get (&counter).highest, 0);
  CHECK_INT ((int16_t) get (&counter).lost, -1);
}
