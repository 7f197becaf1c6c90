/* gst-tfrc: the sockets of the floors
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * For sources that define _GNU_SOURCE (SO_RCVBUFFORCE). */
#ifndef FLOORSOCKET_H
#define FLOORSOCKET_H

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#define FLOOR_BUFFER (4 << 20)  /* bytes, as a worker of tfrcbin asks for */

static inline struct sockaddr_in
floor_local_name (unsigned port)
{
  return (struct sockaddr_in) {AF_INET, htons (port), {
      htonl (INADDR_LOOPBACK)}
  };
}

/* A UDP socket at a port of 127.0.0.1 (0: one that is free). Without it the program ends. */
static inline int
floor_open_socket (unsigned port)
{
  struct sockaddr_in name = floor_local_name (port);
  int fd = socket (AF_INET, SOCK_DGRAM, 0), buffer = FLOOR_BUFFER;

  if (setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer))
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (bind (fd, (struct sockaddr *) &name, sizeof name)) {
    perror ("bind");
    exit (1);
  }
  return fd;
}

#endif
