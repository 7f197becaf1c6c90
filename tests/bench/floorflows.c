/* gst-tfrc: the floor of one-way flows, which moves their datagrams and does nothing else
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* recvmmsg, sendmmsg */
#endif
#include "floorflows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "floorsocket.h"

#define BATCH 64
#define ROOM 256
#define REPORT 60               /* bytes of a reduced-size packet with a TFRC report */
#define DATA_OF_REPORT 5        /* datagrams of a flow for one report: 50 and 10 a second */
#define GAP_NS 750000

typedef struct
{
  struct mmsghdr messages[BATCH];
  struct iovec parts[BATCH];
  struct sockaddr_in names[BATCH];
  char bytes[BATCH][ROOM];
  unsigned n;
} Batch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Batch filled, leaving;   /* data; `filled` is under the lock */
static Batch arrived;
static int sender, receiver;
static struct sockaddr_in *targets;
static unsigned n_flows, counted;

static void
fill_header (Batch * batch, unsigned i, unsigned size)
{
  batch->parts[i] = (struct iovec) {batch->bytes[i], size};
  batch->messages[i].msg_hdr = (struct msghdr) {&batch->names[i], sizeof batch->names[i], &batch->parts[i], 1
  };
}

static void
send_batch (int fd, Batch * batch)
{
  unsigned left = 0;
  int n;

  while (left < batch->n
      && (n = sendmmsg (fd, batch->messages + left, batch->n - left, 0)) > 0)
    left += n;
  batch->n = 0;
}

static void
send_data (void)
{
  unsigned i;

  pthread_mutex_lock (&lock);
  leaving.n = filled.n;
  memcpy (leaving.bytes, filled.bytes, filled.n * ROOM);
  memcpy (leaving.names, filled.names, filled.n * sizeof filled.names[0]);
  for (i = 0; i < filled.n; i++)
    fill_header (&leaving, i, filled.parts[i].iov_len);
  filled.n = 0;
  pthread_mutex_unlock (&lock);
  send_batch (sender, &leaving);
}

static void
receive_batch (int fd)
{
  unsigned i;
  int n;

  for (i = 0; i < BATCH; i++)
    fill_header (&arrived, i, ROOM);
  n = recvmmsg (fd, arrived.messages, BATCH, MSG_DONTWAIT, NULL);
  arrived.n = n > 0 ? n : 0;
}

/* The flows take turns, so that a report for each fifth datagram and one more for each round of flows is ten a second
 * for every flow. */
static void
receive_data (void)
{
  static Batch reports;
  unsigned i;

  receive_batch (receiver);
  for (i = 0; i < arrived.n; i++) {
    unsigned turn = counted / n_flows, flow = counted % n_flows;

    counted++;
    if ((flow + turn) % DATA_OF_REPORT != 0)
      continue;
    reports.names[reports.n] = arrived.names[i];
    fill_header (&reports, reports.n++, REPORT);
  }
  send_batch (receiver, &reports);
}

static void *
run (void *unused)
{
  for (;;) {
    send_data ();
    receive_data ();
    receive_batch (sender);
    nanosleep (&(struct timespec) {0, GAP_NS}, NULL);
  }
  return unused;
}

void
floor_flows_start (unsigned n, unsigned to, unsigned port)
{
  pthread_t thread;
  unsigned i;

  n_flows = n;
  targets = malloc (n * sizeof *targets);
  for (i = 0; i < n; i++)
    targets[i] = floor_local_name (to + i);
  sender = floor_open_socket (0);
  receiver = floor_open_socket (port);
  if (pthread_create (&thread, NULL, run, NULL)) {
    fputs ("no thread\n", stderr);
    exit (1);
  }
}

void
floor_flows_send (unsigned flow, const void *data, unsigned size)
{
  pthread_mutex_lock (&lock);
  if (filled.n < BATCH && size <= ROOM) {
    memcpy (filled.bytes[filled.n], data, size);
    filled.names[filled.n] = targets[flow];
    filled.parts[filled.n++].iov_len = size;
  }
  pthread_mutex_unlock (&lock);
}
