/* The path emulator: a TUN device in a network namespace
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PATHTUN_H
#define PATHTUN_H

/* Creates the device `name` inside the namespace that `ip netns` knows as `netns`.
 * Returns a non-blocking file descriptor that reads and writes whole IP packets, or -1
 * with errno. The device goes when the descriptor is closed. */
int tun_open (const char *netns, const char *name);

#endif
