/* gst-tfrc: the floor of a relay, which moves datagrams between partners and does nothing else
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOORRELAY_H
#define FLOORRELAY_H

/* Moves what the callers of callers.h send to 127.0.0.1:`port` to their partners, with recvmmsg
 * and sendmmsg, `gap_us` microseconds between two rounds. Never returns. */
void floor_relay_run (unsigned port, unsigned gap_us);

#endif
