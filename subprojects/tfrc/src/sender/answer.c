/* libtfrc: whether the receiver answers, and when a silence is over
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "answer.h"

void
tfrc_answer_init (TfrcAnswer * answer)
{
  *answer = (TfrcAnswer) {.heard = TFRC_TIME_NONE};
}

void
tfrc_answer_on_expiry (TfrcAnswer * answer)
{
  answer->unanswered = true;
}

bool
tfrc_answer_on_heard (TfrcAnswer * answer, TfrcTime now)
{
  bool away = answer->unanswered && (answer->heard == TFRC_TIME_NONE
      || now - answer->heard >= TFRC_AWAY);

  answer->heard = now;
  if (away)
    answer->unanswered = false;
  return away;
}

void
tfrc_answer_on_report (TfrcAnswer * answer)
{
  answer->unanswered = false;
}
