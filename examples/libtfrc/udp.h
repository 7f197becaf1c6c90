/* libtfrc without GStreamer: the clock, the wait and the RTP header of the two programs
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <tfrc/tfrc.h>

/* Ctrl-C was pressed: the loops of both programs end. */
static volatile sig_atomic_t interrupted;

static inline void
on_interrupt (int number)
{
  interrupted = number;
}

static inline TfrcTime
get_time (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * TFRC_SEC + t.tv_nsec;
}

/* Returns at `until`, or earlier when a datagram is there. poll() counts in milliseconds: what is
 * left of one is slept, as a packet may not depart before its time. */
static inline void
wait_for (int fd, TfrcTime until)
{
  struct pollfd socket = { fd, POLLIN, 0 };
  TfrcTime now = get_time (), left = until > now ? until - now : 0;
  struct timespec rest = { 0, (long) (left % TFRC_MSEC) };

  if (left > TFRC_SEC)
    left = TFRC_SEC;
  if (poll (&socket, 1, (int) (left / TFRC_MSEC)) == 0 && left < TFRC_SEC)
    nanosleep (&rest, NULL);
}

/* RFC 3550 5.1: version 2, with a header extension, payload type 96. */
static inline void
write_rtp_header (uint8_t * packet, uint32_t seq, uint64_t time, uint32_t ssrc)
{
  uint16_t words16 = htons ((uint16_t) seq);
  uint32_t words32[2] = { htonl ((uint32_t) time), htonl (ssrc) };

  memcpy (packet + 2, &words16, 2);
  memcpy (packet + 4, words32, 8);
}
