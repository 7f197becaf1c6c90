/* lab: the engine's receiver driven by a recorded trace
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_REPLAY_H
#define LAB_REPLAY_H

#include "options.h"

/* Prints p at the time of each report of the trace options.file. */
int lab_replay_run (const LabOptions * options, const TfrcConfig * config);

#endif
