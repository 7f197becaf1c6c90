/* gst-tfrc: reads the datagrams of one flow on their way, as the network has them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* SO_RCVBUFFORCE */
#endif
#include "wiretap.h"

#include <poll.h>
#include <string.h>
#include <time.h>

#include "floorsocket.h"

#define LARGEST 65536
#define S_NS G_GINT64_CONSTANT (1000000000)

static int near, far;           /* sockets: the sender's side and the receiver's */
static struct sockaddr_in sender, receiver;
static WireTapFunc on_datagram;

static gint64
read_clock (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return now.tv_sec * S_NS + now.tv_nsec;
}

/* The system stamps arrivals by its wall clock. */
static gint64
get_arrival (struct msghdr *message)
{
  gint64 now = read_clock (CLOCK_MONOTONIC);
  struct cmsghdr *control = CMSG_FIRSTHDR (message);
  struct timespec stamp;

  if (control == NULL || control->cmsg_type != SCM_TIMESTAMPNS)
    return now;
  memcpy (&stamp, CMSG_DATA (control), sizeof stamp);
  return now - (read_clock (CLOCK_REALTIME) - (stamp.tv_sec * S_NS +
          stamp.tv_nsec));
}

/* Passes on one datagram that waits at `from`. Answers come once the sender is known. */
static void
pass (int from, int to, struct sockaddr_in *source,
    const struct sockaddr_in *target, gboolean back)
{
  static guint8 data[LARGEST];
  struct iovec part = { data, sizeof data };
  union
  {
    guint8 bytes[CMSG_SPACE (sizeof (struct timespec))];
    struct cmsghdr align;
  } control;
  struct sockaddr_in name;
  struct msghdr message = {
    .msg_name = &name,
    .msg_namelen = sizeof name,
    .msg_iov = &part,
    .msg_iovlen = 1,
    .msg_control = &control,
    .msg_controllen = sizeof control
  };
  gssize size = recvmsg (from, &message, 0);
  gint64 arrival;

  if (size < 0)                 /* the port of the other end is closed */
    return;
  arrival = get_arrival (&message);
  if (source != NULL)
    *source = name;
  (void) sendto (to, data, size, 0, (const struct sockaddr *) target,
      sizeof *target);
  on_datagram (arrival, back, data, size);
}

static gpointer
run (gpointer data)
{
  struct pollfd fds[] = { {near, POLLIN}, {far, POLLIN} };

  while (poll (fds, 2, -1) > 0) {
    if (fds[0].revents)
      pass (near, far, &sender, &receiver, FALSE);
    if (fds[1].revents)
      pass (far, near, NULL, &sender, TRUE);
  }
  return NULL;
}

guint
wire_tap_start (guint to, WireTapFunc func)
{
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  int on = 1;

  on_datagram = func;
  receiver = floor_local_name (to);
  near = floor_open_socket (0);
  far = floor_open_socket (0);
  setsockopt (near, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt (far, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  getsockname (near, (struct sockaddr *) &name, &size);
  g_thread_unref (g_thread_new ("tap", run, NULL));
  return ntohs (name.sin_port);
}
