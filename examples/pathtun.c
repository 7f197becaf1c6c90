/* The path emulator: a TUN device in a network namespace
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pathtun.h"

/* The device belongs to the namespace in which /dev/net/tun was opened. */
static int
tun_create (const char *name)
{
  struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
  int fd = open ("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return -1;
  snprintf (request.ifr_name, sizeof request.ifr_name, "%s", name);
  if (ioctl (fd, TUNSETIFF, &request) == 0)
    return fd;
  int error = errno;
  close (fd);
  errno = error;
  return -1;
}

int
tun_open (const char *netns, const char *name)
{
  char path[256];
  snprintf (path, sizeof path, "/run/netns/%s", netns);
  int home = open ("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  int there = open (path, O_RDONLY | O_CLOEXEC);
  int fd = -1, error;
  if (home >= 0 && there >= 0 && setns (there, CLONE_NEWNET) == 0) {
    fd = tun_create (name);
    error = errno;
    if (setns (home, CLONE_NEWNET) < 0 && fd >= 0) {
      error = errno;
      close (fd);
      fd = -1;
    }
  } else {
    error = errno;
  }
  if (home >= 0)
    close (home);
  if (there >= 0)
    close (there);
  errno = error;
  return fd;
}
