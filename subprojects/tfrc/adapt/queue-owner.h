/* tfrcadapt: whether a standing queue is the flow's own or that of others (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_QUEUE_OWNER_H
#define TFRC_ADAPT_QUEUE_OWNER_H

#include "standing-queue.h"

/* Whether a queue that was just found grows faster than the flow can have built it. */
bool tfrc_adapt_queue_grows_too_fast (const TfrcAdaptStanding * standing, TfrcTime now);

/* Whether a queue does not drain although the flow sends less. */
bool tfrc_adapt_queue_is_of_others (const TfrcAdaptStanding * standing);

/* Whether the queue was gone long before the cut could have drained it. */
bool tfrc_adapt_queue_has_passed (const TfrcAdaptStanding * standing, TfrcTime now);

#endif
