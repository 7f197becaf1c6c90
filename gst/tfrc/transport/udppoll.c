/* gst-tfrc: waits until a socket can be read, a time has come or somebody wakes it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* ppoll */
#endif
#include "transport/udppoll.h"

#include <errno.h>
#include <gio/gio.h>

#ifdef GST_TFRC_UDP_EPOLL

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_EVENTS 64

struct _GstTfrcUdpPoll
{
  gint epoll_fd;
  gint wake_fd;                 /* data NULL */
};

static gboolean
fail (GError ** error, const gchar * what)
{
  gint code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what,
      g_strerror (code));
  return FALSE;
}

GstTfrcUdpPoll *
gst_tfrc_udp_poll_new (GError ** error)
{
  GstTfrcUdpPoll *poll = g_new0 (GstTfrcUdpPoll, 1);

  poll->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  poll->wake_fd = poll->epoll_fd >= 0 ?
      eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
  if (poll->wake_fd < 0)
    fail (error, "epoll");
  else if (gst_tfrc_udp_poll_add (poll, poll->wake_fd, NULL, error))
    return poll;
  gst_tfrc_udp_poll_free (poll);
  return NULL;
}

void
gst_tfrc_udp_poll_free (GstTfrcUdpPoll * poll)
{
  if (poll->wake_fd >= 0)
    close (poll->wake_fd);
  if (poll->epoll_fd >= 0)
    close (poll->epoll_fd);
  g_free (poll);
}

gboolean
gst_tfrc_udp_poll_add (GstTfrcUdpPoll * poll, gint fd, gpointer data,
    GError ** error)
{
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = data };

  return epoll_ctl (poll->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0 ||
      fail (error, "epoll_ctl");
}

void
gst_tfrc_udp_poll_remove (GstTfrcUdpPoll * poll, gint fd)
{
  epoll_ctl (poll->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

void
gst_tfrc_udp_poll_wake (GstTfrcUdpPoll * poll)
{
  guint64 one = 1;

  /* write() fails only when it would block: the thread that waits is woken already. */
  (void) !write (poll->wake_fd, &one, sizeof (one));
}

/* FALSE: the time is over, and `fd` cannot be read. */
static gboolean
sleep_on (gint fd, GstClockTime timeout)
{
  struct pollfd descriptor = { .fd = fd, .events = POLLIN };
  gboolean for_ever = !GST_CLOCK_TIME_IS_VALID (timeout);
  struct timespec time = { 0 };

  if (!for_ever)
    GST_TIME_TO_TIMESPEC (timeout, time);
  return ppoll (&descriptor, 1, for_ever ? NULL : &time, NULL) != 0;
}

/* epoll_wait() counts in ms and epoll_pwait2() is missing on kernels before 5.11, so
 * ppoll() waits for the epoll descriptor itself. */
guint
gst_tfrc_udp_poll_wait (GstTfrcUdpPoll * poll, GstClockTime timeout,
    GstTfrcUdpReady * ready, guint max_ready)
{
  struct epoll_event events[MAX_EVENTS];
  guint n_ready = 0;
  guint64 count;
  gint i, n;

  if (timeout > 0 && !sleep_on (poll->epoll_fd, timeout))
    return 0;
  n = epoll_wait (poll->epoll_fd, events, MIN (max_ready, MAX_EVENTS), 0);
  for (i = 0; i < n; i++) {
    if (events[i].data.ptr == NULL) {
      (void) !read (poll->wake_fd, &count, sizeof (count));
      continue;
    }
    ready[n_ready].data = events[i].data.ptr;
    ready[n_ready++].error = (events[i].events & EPOLLERR) != 0;
  }
  return n_ready;
}

void
gst_tfrc_udp_poll_pause (GstTfrcUdpPoll * poll, GstClockTime duration)
{
  sleep_on (poll->wake_fd, duration);
}

#else

typedef struct
{
  GstPollFD fd;
  gpointer data;
} Member;

struct _GstTfrcUdpPoll
{
  GstPoll *poll;
  GMutex lock;                  /* for the members */
  GArray *members;
  guint next;                   /* with which the next search begins */
};

GstTfrcUdpPoll *
gst_tfrc_udp_poll_new (GError ** error)
{
  GstTfrcUdpPoll *poll = g_new0 (GstTfrcUdpPoll, 1);

  poll->poll = gst_poll_new (TRUE);
  if (poll->poll == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_OPEN_FILES,
        "no descriptor to wake up a thread with");
    g_free (poll);
    return NULL;
  }
  g_mutex_init (&poll->lock);
  poll->members = g_array_new (FALSE, TRUE, sizeof (Member));
  return poll;
}

void
gst_tfrc_udp_poll_free (GstTfrcUdpPoll * poll)
{
  gst_poll_free (poll->poll);
  g_array_unref (poll->members);
  g_mutex_clear (&poll->lock);
  g_free (poll);
}

gboolean
gst_tfrc_udp_poll_add (GstTfrcUdpPoll * poll, gint fd, gpointer data,
    GError ** error)
{
  Member member = { .fd = GST_POLL_FD_INIT, .data = data };

  member.fd.fd = fd;
  g_mutex_lock (&poll->lock);
  gst_poll_add_fd (poll->poll, &member.fd);
  gst_poll_fd_ctl_read (poll->poll, &member.fd, TRUE);
  g_array_append_val (poll->members, member);
  g_mutex_unlock (&poll->lock);
  /* a wait that is under way does not include the new descriptor */
  gst_tfrc_udp_poll_wake (poll);
  return TRUE;
}

void
gst_tfrc_udp_poll_remove (GstTfrcUdpPoll * poll, gint fd)
{
  guint i;

  g_mutex_lock (&poll->lock);
  for (i = 0; i < poll->members->len; i++) {
    Member *member = &g_array_index (poll->members, Member, i);

    if (member->fd.fd != fd)
      continue;
    gst_poll_remove_fd (poll->poll, &member->fd);
    g_array_remove_index_fast (poll->members, i);
    break;
  }
  g_mutex_unlock (&poll->lock);
  gst_tfrc_udp_poll_wake (poll);
}

void
gst_tfrc_udp_poll_wake (GstTfrcUdpPoll * poll)
{
  gst_poll_set_flushing (poll->poll, TRUE);
}

/* The search for descriptors that are ready goes on where the last one ended because `ready` was full, so that
 * each descriptor has its turn. */
guint
gst_tfrc_udp_poll_wait (GstTfrcUdpPoll * poll, GstClockTime timeout,
    GstTfrcUdpReady * ready, guint max_ready)
{
  gint found = gst_poll_wait (poll->poll, timeout);
  guint i, n = 0;

  gst_poll_set_flushing (poll->poll, FALSE);
  if (found <= 0)
    return 0;
  g_mutex_lock (&poll->lock);
  for (i = 0; i < poll->members->len && n < max_ready; i++) {
    Member *member = &g_array_index (poll->members, Member,
        (poll->next + i) % poll->members->len);
    gboolean error = gst_poll_fd_has_error (poll->poll, &member->fd);

    if (!error && !gst_poll_fd_can_read (poll->poll, &member->fd))
      continue;
    ready[n].data = member->data;
    ready[n++].error = error;
  }
  poll->next += i;
  g_mutex_unlock (&poll->lock);
  return n;
}

void
gst_tfrc_udp_poll_pause (GstTfrcUdpPoll * poll, GstClockTime duration)
{
  g_usleep (duration / GST_USECOND);
}

#endif

/* The system reports errors of a descriptor also when no event is asked for, so that the descriptor has to
 * be removed. */
void
gst_tfrc_udp_poll_set_active (GstTfrcUdpPoll * poll, gint fd, gpointer data,
    gboolean active)
{
  if (active)
    gst_tfrc_udp_poll_add (poll, fd, data, NULL);
  else
    gst_tfrc_udp_poll_remove (poll, fd);
}
