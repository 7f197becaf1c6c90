/* gst-tfrc tests: waits until every other thread sleeps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SETTLE_H
#define SETTLE_H

/* A test that moves a clock calls this after each move: all that the move woke has been done then, however fast the
 * machine is. Threads that sleep for a time of the clock on the wall are not waited for; there are none in these tests.
 * From the first call on the threads keep to one processor, where there is one that no other such process has. */
void settle (void);

/* Closes what settle() keeps open: for tests that count descriptors. */
void settle_close (void);

#endif
