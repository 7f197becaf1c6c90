/* libtfrc: fuzzer, whatever may stand where feedback about arrivals is expected
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "drive.h"

#include <tfrc/arrival-feedback.h>

#define ROOM 1024

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

static void
check (const TfrcArrivalFeedback * feedback)
{
  LAW (feedback->n <= feedback->room);
  LAW (feedback->T_base < feedback->period);
  for (size_t i = 0; i < feedback->n; i++) {
    const TfrcArrivalEntry *entry = &feedback->entries[i];

    LAW (entry->received || !entry->timed);
    LAW (entry->timed || entry->arrival == 0);
    LAW (!feedback->T_base_is_report || entry->arrival <= 0);
    LAW ((unsigned) entry->ecn < TFRC_N_ECN);
    LAW (llabs (entry->arrival) < (long long) ROOM * 9 * (long long) TFRC_SEC);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  /* memory of exactly that size, so that a write behind it is seen */
  TfrcArrivalEntry *entries = malloc (ROOM * sizeof *entries);
  TfrcArrivalFeedback feedback = { .entries = entries, .room = ROOM };

  if (tfrc_arrival_feedback_parse_twcc (&feedback, data, size) == TFRC_PARSE_OK)
    check (&feedback);
  if (tfrc_arrival_feedback_parse_ccfb (&feedback, 1, data,
          size) == TFRC_PARSE_OK)
    check (&feedback);
  free (entries);
  return 0;
}
