/* libtfrc: whether the receiver answers, and when a silence is over
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Without reports the nofeedback timer lowers X (RFC 5348 4.4), in the end to one packet in 64 s.
 * RFC 5348 does not distinguish between congestion and a receiver that is not there. Here a path is
 * away when data were sent that no report answered, and nothing at all was heard of the receiver for
 * TFRC_AWAY. Data that were sent before the application paused are no sign of that: their reports may
 * have come while the application did not listen. The nofeedback timer has to expire again after more
 * data, unless nothing was ever heard. What is heard first after that, a report or any other RTCP, comes over a new path. */
#ifndef TFRC_PATH_AWAY_H
#define TFRC_PATH_AWAY_H

#include <tfrc/tfrc.h>

/* Longer than the time between two RTCP packets of a receiver that is there, so that RTCP that goes
 * on while reports are lost does not end the back-off; and so short that X is still above one packet
 * in half of this time. */
#define TFRC_AWAY (3 * TFRC_SEC)

typedef struct
{
  TfrcTime heard;               /* when something of the receiver was heard last; TFRC_TIME_NONE: never */
  unsigned unanswered;          /* expiries of the nofeedback timer after data were sent, since the last report */
} TfrcPathAway;

void tfrc_path_away_init (TfrcPathAway * path);

/* The nofeedback timer expired after data were sent. */
void tfrc_path_away_on_expiry (TfrcPathAway * path);

/* Something of the receiver was heard. Returns whether the path was away until now. */
bool tfrc_path_away_on_heard (TfrcPathAway * path, TfrcTime now);

/* A report was accepted. */
void tfrc_path_away_on_report (TfrcPathAway * path);

#endif
