/* libtfrc: counts packets by the ECN mark with which they arrive (RFC 6679 5.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/ecn.h>

/* A packet that is older than the first one must not have a number below 0. */
#define FIRST_CYCLE 0x10000u

void
tfrc_ecn_counter_init (TfrcEcnCounter * counter)
{
  *counter = (TfrcEcnCounter) {.first = 0};
}

void
tfrc_ecn_counter_on_packet (TfrcEcnCounter * counter, uint16_t seq,
    TfrcEcn ecn, bool duplicate)
{
  uint16_t ahead;

  if (counter->first == 0)
    counter->first = counter->highest = FIRST_CYCLE + seq;
  ahead = (uint16_t) (seq - (uint16_t) counter->highest);
  if (ahead < 0x8000u)
    counter->highest += ahead;
  counter->packets[ecn & 3]++;
  counter->duplicates += duplicate;
}

/* RFC 6679 5.1: a packet is lost that was expected and is not there. Duplicates do not make up for losses. */
void
tfrc_ecn_counter_get (const TfrcEcnCounter * counter, TfrcEcnCounts * counts)
{
  const uint64_t *n = counter->packets;
  uint64_t arrived = n[TFRC_ECN_NOT_ECT] + n[TFRC_ECN_ECT1] + n[TFRC_ECN_ECT0] +
      n[TFRC_ECN_CE] - counter->duplicates;
  uint64_t expected =
      counter->first > 0 ? counter->highest - counter->first + 1 : 0;

  *counts = (TfrcEcnCounts) {
      .highest = (uint32_t) (counter->highest - FIRST_CYCLE),
      .ect0 = (uint32_t) n[TFRC_ECN_ECT0],
      .ect1 = (uint32_t) n[TFRC_ECN_ECT1],
      .ce = (uint16_t) n[TFRC_ECN_CE],
      .not_ect = (uint16_t) n[TFRC_ECN_NOT_ECT],
      .lost = (uint16_t) (expected - arrived),
      .duplicates = (uint16_t) counter->duplicates
  };
}
