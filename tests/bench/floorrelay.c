/* gst-tfrc: the floor of a relay, which moves datagrams between partners and does nothing else
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* recvmmsg, sendmmsg, ppoll */
#endif
#include "floorrelay.h"

#include <poll.h>
#include <time.h>

#include "floorsocket.h"

#define BATCH 64
#define ROOM 2048

static struct mmsghdr messages[BATCH];
static struct iovec parts[BATCH];
static struct sockaddr_in names[BATCH];
static char bytes[BATCH][ROOM];

/* TRUE: the batch was full, and there may be more. */
static int
move_batch (int fd)
{
  int n, i, left = 0;

  for (i = 0; i < BATCH; i++) {
    parts[i] = (struct iovec) {bytes[i], ROOM};
    messages[i].msg_hdr = (struct msghdr) {&names[i], sizeof names[i], &parts[i], 1
    };
  }
  n = recvmmsg (fd, messages, BATCH, MSG_DONTWAIT, NULL);
  for (i = 0; i < n; i++) {
    names[i].sin_addr.s_addr ^= htonl (1);
    parts[i].iov_len = messages[i].msg_len;
  }
  while (left < n && (i = sendmmsg (fd, messages + left, n - left, 0)) > 0)
    left += i;
  return n == BATCH;
}

static long long
get_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void
floor_relay_run (unsigned port, unsigned gap_us)
{
  int fd = floor_open_socket (port);
  struct pollfd readable = { fd, POLLIN, 0 };

  for (;;) {
    long long end = get_time () + gap_us * 1000LL, left;

    while (move_batch (fd));
    left = end - get_time ();
    if (left > 0)
      nanosleep (&(struct timespec) {0, left}, NULL);
    poll (&readable, 1, -1);
  }
}
