/* libtfrc: whether the receiver answers, and when a silence is over
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "path-away.h"

void
tfrc_path_away_init (TfrcPathAway * path)
{
  *path = (TfrcPathAway) {.heard = TFRC_TIME_NONE};
}

void
tfrc_path_away_on_expiry (TfrcPathAway * path)
{
  path->unanswered++;
}

bool
tfrc_path_away_on_heard (TfrcPathAway * path, TfrcTime now)
{
  bool away = path->heard == TFRC_TIME_NONE ? path->unanswered > 0 :
      path->unanswered > 1 && now - path->heard >= TFRC_AWAY;

  path->heard = now;
  if (away)
    path->unanswered = 0;
  return away;
}

void
tfrc_path_away_on_report (TfrcPathAway * path)
{
  path->unanswered = 0;
}
