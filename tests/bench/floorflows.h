/* gst-tfrc: the floor of one-way flows, which moves their datagrams and does nothing else
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FLOORFLOWS_H
#define FLOORFLOWS_H

/* Starts a thread that sends from one socket to `n` ports of 127.0.0.1 from `to` on, and receives at `port`. It lets
 * 0.75 ms pass between two rounds, as a worker of tfrcbin does. For each fifth datagram of a flow it sends one of the
 * size of a report back. */
void floor_flows_start (unsigned n, unsigned to, unsigned port);

/* Hands a datagram of the flow to the thread. Called by one thread. */
void floor_flows_send (unsigned flow, const void *data, unsigned size);

#endif
