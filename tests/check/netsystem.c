/* gst-tfrc tests: the system calls of the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The descriptor of a bound socket is an eventfd, which can be read as long as something waits in
 * the port; so waits for it are the system's own. Waits with an end end in virtual time. Only the
 * threads "tfrc-udp" are served; what other threads call is the system's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* recvmmsg, ppoll */
#endif
#include "netprivate.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <gst/net/net.h>

#define WORKER "tfrc-udp"
/* The wall clock when the network's time is 0. */
#define WALL (G_GUINT64_CONSTANT (1700000000) * GST_SECOND)
/* Bytes of a socket's buffer that a user may ask for, as net.core.rmem_max has it. */
#define BUFFER_MAX 212992

/* A wait of a worker that ends by itself, or a timer with a descriptor. */
typedef struct
{
  GstClockTime end;
  gint fd;                      /* an eventfd that ends it, or is the timer */
} Wait;

static GSList *waits;
static GstClockTime wall_forward;
static gboolean privileged, no_descriptors, no_threads, no_timers;
static struct
{
  guint port, after, times;
  gint code;
} send_failure;

static gboolean
is_worker (void)
{
  gchar name[16] = "";

  prctl (PR_GET_NAME, name, 0, 0, 0);
  return g_str_has_prefix (name, WORKER);
}

/* --- descriptors ----------------------------------------------------------------- */

static void
add (gint fd, guint64 n)
{
  g_assert (write (fd, &n, sizeof (n)) == sizeof (n));
}

static void
clear (gint fd)
{
  guint64 n;

  (void) !read (fd, &n, sizeof (n));
}

void
net_system_attach (NetPort * port)
{
  port->fd = syscall (SYS_eventfd2, 0, EFD_NONBLOCK | EFD_CLOEXEC);
}

gint
g_socket_get_fd (GSocket * socket)
{
  gint (*next) (GSocket *) = (gpointer) dlsym (RTLD_NEXT, "g_socket_get_fd");
  NetPort *port;
  gint fd;

  g_rec_mutex_lock (&net_lock);
  port = net_ports != NULL ? net_find_port (socket) : NULL;
  fd = port != NULL ? port->fd : next (socket);
  g_rec_mutex_unlock (&net_lock);
  return fd;
}

void
net_system_signal (NetPort * port)
{
  if (port->fd >= 0)
    add (port->fd, 1);
}

/* With the lock. What the port has is read. */
static void
clear_if_empty (NetPort * port)
{
  if (g_queue_is_empty (&port->inbox) && g_queue_is_empty (&port->errors) &&
      port->receive_error == 0)
    clear (port->fd);
}

/* Called by the plugin, not by GIO itself. The port is free at once. */
gboolean
g_socket_close (GSocket * socket, GError ** error)
{
  gboolean (*next) (GSocket *, GError **) =
      (gpointer) dlsym (RTLD_NEXT, "g_socket_close");
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_ports != NULL ? net_find_port (socket) : NULL;
  if (port != NULL)
    net_close (port->port);
  g_rec_mutex_unlock (&net_lock);
  return next (socket, error);
}

gint
epoll_create1 (gint flags)
{
  if (no_descriptors) {
    errno = EMFILE;
    return -1;
  }
  return syscall (SYS_epoll_create1, flags);
}

gint
eventfd (guint count, gint flags)
{
  if (no_descriptors) {
    errno = EMFILE;
    return -1;
  }
  return syscall (SYS_eventfd2, count, flags);
}

GThread *
g_thread_try_new (const gchar * name, GThreadFunc func, gpointer data,
    GError ** error)
{
  GThread *(*next) (const gchar *, GThreadFunc, gpointer, GError **) =
      (gpointer) dlsym (RTLD_NEXT, "g_thread_try_new");

  if (!no_threads)
    return next (name, func, data, error);
  g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "no thread");
  return NULL;
}

/* --- waits ------------------------------------------------------------------------ */

/* Errors that wait in a port are told by the event, which an eventfd does not have. */
static void
add_errors (struct epoll_event *events, gint n)
{
  GHashTableIter it;
  gpointer value;
  gint i;

  g_rec_mutex_lock (&net_lock);
  for (i = 0; i < n && net_ports != NULL; i++) {
    g_hash_table_iter_init (&it, net_ports);
    while (g_hash_table_iter_next (&it, NULL, &value)) {
      NetPort *port = value;

      if (port->fd >= 0 && port->watcher.u64 == events[i].data.u64 &&
          !g_queue_is_empty (&port->errors))
        events[i].events |= EPOLLERR;
    }
  }
  g_rec_mutex_unlock (&net_lock);
}

gint
epoll_ctl (gint epoll_fd, gint op, gint fd, struct epoll_event *event)
{
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL && event != NULL)
    port->watcher = event->data;
  g_rec_mutex_unlock (&net_lock);
  return syscall (SYS_epoll_ctl, epoll_fd, op, fd, event);
}

gint
epoll_wait (gint epoll_fd, struct epoll_event *events, gint max, gint timeout)
{
  gint n;

  g_assert (timeout == 0 || !is_worker ());
  n = syscall (SYS_epoll_pwait, epoll_fd, events, max, timeout, NULL, 8);
  add_errors (events, n);
  return n;
}

static gint
call_ppoll (struct pollfd *fds, nfds_t n, const struct timespec *timeout)
{
  struct timespec time;

  /* the system call writes what is left of the time */
  if (timeout != NULL)
    time = *timeout;
  return syscall (SYS_ppoll, fds, n, timeout != NULL ? &time : NULL, NULL, 8);
}

/* Waits until virtual time has come to the end of the wait, or a descriptor is ready. */
static gint
wait_in_virtual_time (struct pollfd *fd, GstClockTime duration)
{
  Wait wait = { net_get_time () + duration,
    syscall (SYS_eventfd2, 0, EFD_CLOEXEC)
  };
  struct pollfd both[2] = { *fd, {.fd = wait.fd, .events = POLLIN} };

  g_rec_mutex_lock (&net_lock);
  waits = g_slist_prepend (waits, &wait);
  g_rec_mutex_unlock (&net_lock);
  call_ppoll (both, 2, NULL);
  g_rec_mutex_lock (&net_lock);
  waits = g_slist_remove (waits, &wait);
  g_rec_mutex_unlock (&net_lock);
  close (wait.fd);
  fd->revents = both[0].revents;
  return fd->revents != 0;
}

gint
ppoll (struct pollfd *fds, nfds_t n, const struct timespec *timeout,
    const sigset_t * mask)
{
  if (!is_worker () || timeout == NULL || GST_TIMESPEC_TO_TIME (*timeout) == 0)
    return call_ppoll (fds, n, timeout);
  g_assert (n == 1);
  return wait_in_virtual_time (fds, GST_TIMESPEC_TO_TIME (*timeout));
}

GstClockTime
net_system_get_next (void)
{
  GstClockTime next = GST_CLOCK_TIME_NONE;
  GSList *item;

  g_rec_mutex_lock (&net_lock);
  for (item = waits; item != NULL; item = item->next)
    next = MIN (next, ((Wait *) item->data)->end);
  g_rec_mutex_unlock (&net_lock);
  return next;
}

/* Ends one wait, so that what follows from it does not depend on how threads are scheduled. */
gboolean
net_system_wake (GstClockTime now)
{
  GSList *item;

  g_rec_mutex_lock (&net_lock);
  for (item = waits; item != NULL; item = item->next) {
    Wait *wait = item->data;

    if (wait->end > now)
      continue;
    wait->end = GST_CLOCK_TIME_NONE;
    add (wait->fd, 1);
    break;
  }
  g_rec_mutex_unlock (&net_lock);
  return item != NULL;
}

gint
timerfd_create (clockid_t id, gint flags)
{
  if (!no_timers)
    return eventfd (0, flags);
  errno = EMFILE;
  return -1;
}

/* With the lock. */
static void
unset_timer (gint fd)
{
  GSList *item;

  clear (fd);
  for (item = waits; item != NULL; item = item->next)
    if (((Wait *) item->data)->fd == fd)
      break;
  if (item == NULL)
    return;
  g_free (item->data);
  waits = g_slist_delete_link (waits, item);
}

/* A timer that is set to the least time ends at once, whether time moves or not. */
gint
timerfd_settime (gint fd, gint flags, const struct itimerspec *value,
    struct itimerspec *old)
{
  GstClockTime duration = GST_TIMESPEC_TO_TIME (value->it_value);

  g_rec_mutex_lock (&net_lock);
  unset_timer (fd);
  if (duration == 1) {
    add (fd, 1);
  } else if (duration > 0) {
    Wait *wait = g_new (Wait, 1);

    *wait = (Wait) {net_get_time () + duration, fd};
    waits = g_slist_prepend (waits, wait);
  }
  g_rec_mutex_unlock (&net_lock);
  return 0;
}

static GstClockTime
get_wall (GstClockTime time)
{
  return WALL + wall_forward + time;
}

gint
clock_gettime (clockid_t id, struct timespec *time)
{
  if (!is_worker () || net_ports == NULL)
    return syscall (SYS_clock_gettime, id, time);
  GST_TIME_TO_TIMESPEC (id == CLOCK_REALTIME ? get_wall (net_get_time ()) :
      net_get_time (), *time);
  return 0;
}

/* The key of hashes is the same in each run. */
gint
getentropy (void *bytes, gsize size)
{
  memset (bytes, 42, size);
  return 0;
}

/* --- options ------------------------------------------------------------------------ */

static gint
set_port_option (NetPort * port, gint level, gint option, gint value)
{
  gboolean force = level == SOL_SOCKET &&
      (option == SO_RCVBUFFORCE || option == SO_SNDBUFFORCE);

  if (force && !privileged) {
    errno = EPERM;
    return -1;
  }
  if (force)
    option = option == SO_RCVBUFFORCE ? SO_RCVBUF : SO_SNDBUF;
  else if (level == SOL_SOCKET && (option == SO_RCVBUF || option == SO_SNDBUF))
    value = MIN (value, BUFFER_MAX);
  net_note_option (port, level, option, value);
  return 0;
}

gint
setsockopt (gint fd, gint level, gint option, const void *value, socklen_t size)
{
  NetPort *port;
  gint result = -1;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL)
    result = set_port_option (port, level, option, *(const gint *) value);
  g_rec_mutex_unlock (&net_lock);
  return port != NULL ? result :
      syscall (SYS_setsockopt, fd, level, option, value, size);
}

static gint
get_port_option (NetPort * port, gint level, gint option)
{
  gint value = net_get_option (port->port, level, option);

  /* The system gives twice the size, for what it keeps with the datagrams. */
  if (level == SOL_SOCKET && (option == SO_RCVBUF || option == SO_SNDBUF))
    return 2 * value;
  return MAX (value, 0);
}

gint
getsockopt (gint fd, gint level, gint option, void *value, socklen_t * size)
{
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL)
    *(gint *) value = get_port_option (port, level, option);
  g_rec_mutex_unlock (&net_lock);
  return port != NULL ? 0 :
      syscall (SYS_getsockopt, fd, level, option, value, size);
}

/* --- addresses ---------------------------------------------------------------------- */

/* As a socket of `family` has it: an IPv6 socket sees IPv4 hosts by mapped addresses. */
static socklen_t
write_name (GSocketAddress * address, gint family, struct sockaddr *name)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);
  struct sockaddr_in6 mapped = { .sin6_family = AF_INET6 };
  const guint8 *ip = g_inet_address_to_bytes (g_inet_socket_address_get_address
      (inet));

  if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV4 &&
      family == AF_INET6) {
    mapped.sin6_addr.s6_addr[10] = mapped.sin6_addr.s6_addr[11] = 0xff;
    memcpy (mapped.sin6_addr.s6_addr + 12, ip, 4);
    mapped.sin6_port = g_htons (g_inet_socket_address_get_port (inet));
    memcpy (name, &mapped, sizeof (mapped));
    return sizeof (mapped);
  }
  g_socket_address_to_native (address, name, sizeof (struct sockaddr_storage),
      NULL);
  return g_socket_address_get_native_size (address);
}

/* GIO reads a mapped address as the IPv4 address that it is. */
static GSocketAddress *
read_name (const struct msghdr *header)
{
  return g_socket_address_new_from_native (header->msg_name,
      header->msg_namelen);
}

gint
getsockname (gint fd, struct sockaddr *name, socklen_t * size)
{
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL)
    *size = write_name (port->local, g_socket_get_family (port->socket), name);
  g_rec_mutex_unlock (&net_lock);
  return port != NULL ? 0 : syscall (SYS_getsockname, fd, name, size);
}

/* --- sending -------------------------------------------------------------------------- */

static gpointer
gather (const struct msghdr *header, gsize * size)
{
  GByteArray *bytes = g_byte_array_new ();
  gsize i;

  for (i = 0; i < header->msg_iovlen; i++)
    g_byte_array_append (bytes, header->msg_iov[i].iov_base,
        header->msg_iov[i].iov_len);
  *size = bytes->len;
  return g_byte_array_free (bytes, FALSE);
}

/* What the control data say: the TOS byte, and the address to send from or NULL. */
static void
read_control (const struct msghdr *header, guint * tos, GInetAddress ** local)
{
  struct cmsghdr *c;

  for (c = CMSG_FIRSTHDR (header); c != NULL;
      c = CMSG_NXTHDR ((struct msghdr *) header, c)) {
    const void *data = CMSG_DATA (c);

    if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) ||
        (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS))
      *tos = *(const gint *) data;
    else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO)
      *local = g_inet_address_new_from_bytes ((const guint8 *)
          &((const struct in_pktinfo *) data)->ipi_spec_dst,
          G_SOCKET_FAMILY_IPV4);
    else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO)
      *local = g_inet_address_new_from_bytes ((const guint8 *)
          &((const struct in6_pktinfo *) data)->ipi6_addr,
          G_SOCKET_FAMILY_IPV6);
    else
      g_assert_not_reached ();
  }
}

/* The address that a datagram of the port has as its source. */
static GSocketAddress *
get_source (NetPort * port, GSocketAddress * to, GInetAddress * local)
{
  GInetAddress *own = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS
      (port->local));
  GInetAddress *ip = local != NULL ? g_object_ref (local) :
      !g_inet_address_get_is_any (own) ? g_object_ref (own) :
      g_inet_address_new_loopback (g_socket_address_get_family (to));
  GSocketAddress *source = g_inet_socket_address_new (ip, port->port);

  g_object_unref (ip);
  return source;
}

static gchar *removed;          /* an address that the system has no longer, or NULL */

static gboolean
is_removed (GInetAddress * local)
{
  gchar *host = local != NULL ? g_inet_address_to_string (local) : NULL;
  gboolean is = host != NULL && g_strcmp0 (host, removed) == 0;

  g_free (host);
  return is;
}

/* 0, or an error. */
static gint
send_one (NetPort * port, const struct msghdr *header)
{
  GSocketAddress *to = read_name (header), *from;
  guint number = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (to));
  GInetAddress *local = NULL;
  guint tos = 0;
  gsize size;
  gpointer data = gather (header, &size);
  gint code = size > 65507 ? EMSGSIZE : 0;

  read_control (header, &tos, &local);
  if (is_removed (local))
    code = g_inet_address_get_family (local) == G_SOCKET_FAMILY_IPV4 ?
        ENETUNREACH : EINVAL;
  from = get_source (port, to, local);
  if (code == 0 && !net_post (number, net_new_packet (data, size, from, to,
              tos)))
    code = EPERM;
  g_free (data);
  g_clear_object (&local);
  g_object_unref (from);
  g_object_unref (to);
  return code;
}

static gint
get_injected (const struct msghdr *header)
{
  GSocketAddress *to = read_name (header);
  gboolean meant = send_failure.times > 0 &&
      g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (to)) ==
      send_failure.port;

  g_object_unref (to);
  if (!meant)
    return 0;
  if (send_failure.after > 0) {
    send_failure.after--;
    return 0;
  }
  send_failure.times--;
  return send_failure.code;
}

gint
sendmmsg (gint fd, struct mmsghdr *messages, guint n, gint flags)
{
  NetPort *port;
  gint code = 0;
  guint i = 0;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL && send_failure.times > 0)
    n = 1;
  while (port != NULL && i < n && code == 0) {
    code = get_injected (&messages[i].msg_hdr);
    if (code == 0)
      code = send_one (port, &messages[i].msg_hdr);
    i += code == 0;
  }
  g_rec_mutex_unlock (&net_lock);
  if (port == NULL)
    return syscall (SYS_sendmmsg, fd, messages, n, flags);
  errno = code;
  return i > 0 ? (gint) i : -1;
}

/* --- receiving ------------------------------------------------------------------------ */

static void
add_control (struct msghdr *header, gsize room, gint level, gint type,
    const void *data, gsize size)
{
  struct cmsghdr *c = (struct cmsghdr *) ((guint8 *) header->msg_control +
      header->msg_controllen);

  g_assert (header->msg_controllen + CMSG_SPACE (size) <= room);
  memset (c, 0, CMSG_SPACE (size));
  c->cmsg_level = level;
  c->cmsg_type = type;
  c->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (c), data, size);
  header->msg_controllen += CMSG_SPACE (size);
}

static gboolean
has_option (NetPort * port, gint level, gint option)
{
  return net_get_option (port->port, level, option) > 0;
}

/* To which of this machine's addresses the datagram came. */
static void
add_local (NetPort * port, struct msghdr *header, gsize room,
    GSocketAddress * to)
{
  GInetAddress *address = g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (to));
  const guint8 *ip = g_inet_address_to_bytes (address);
  struct in_pktinfo v4 = { .ipi_ifindex = 1 };
  struct in6_pktinfo v6 = { .ipi6_ifindex = 1 };

  if (g_socket_address_get_family (to) == G_SOCKET_FAMILY_IPV4) {
    memcpy (&v4.ipi_addr, ip, 4);
    memcpy (&v4.ipi_spec_dst, ip, 4);
    if (has_option (port, IPPROTO_IP, IP_PKTINFO))
      add_control (header, room, IPPROTO_IP, IP_PKTINFO, &v4, sizeof (v4));
  } else if (has_option (port, IPPROTO_IPV6, IPV6_RECVPKTINFO)) {
    memcpy (&v6.ipi6_addr, ip, 16);
    add_control (header, room, IPPROTO_IPV6, IPV6_PKTINFO, &v6, sizeof (v6));
  }
}

static void
add_tos (NetPort * port, struct msghdr *header, gsize room, GstBuffer * packet)
{
  gint tos = net_packet_get_tos (packet);
  guint8 byte = tos;

  if (g_socket_address_get_family (net_packet_get_destination (packet)) ==
      G_SOCKET_FAMILY_IPV4) {
    if (has_option (port, IPPROTO_IP, IP_RECVTOS))
      add_control (header, room, IPPROTO_IP, IP_TOS, &byte, 1);
  } else if (has_option (port, IPPROTO_IPV6, IPV6_RECVTCLASS)) {
    add_control (header, room, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof (tos));
  }
}

/* What the plugin has asked the system to tell of each datagram. */
static void
fill_control (NetPort * port, struct msghdr *header, GstBuffer * packet)
{
  gsize room = header->msg_controllen;
  struct timespec stamp;

  header->msg_controllen = 0;
  if (has_option (port, SOL_SOCKET, SO_TIMESTAMPNS)) {
    GST_TIME_TO_TIMESPEC (get_wall (net_packet_get_arrival (packet)), stamp);
    add_control (header, room, SOL_SOCKET, SCM_TIMESTAMPNS, &stamp,
        sizeof (stamp));
  }
  if (has_option (port, SOL_SOCKET, SO_RXQ_OVFL) && port->overflow > 0)
    add_control (header, room, SOL_SOCKET, SO_RXQ_OVFL, &port->overflow,
        sizeof (port->overflow));
  add_tos (port, header, room, packet);
  add_local (port, header, room, net_packet_get_destination (packet));
}

static void
receive_one (NetPort * port, struct mmsghdr *message)
{
  GstBuffer *packet = g_queue_pop_head (&port->inbox);
  struct msghdr *header = &message->msg_hdr;
  gsize i;

  message->msg_len = 0;
  for (i = 0; i < header->msg_iovlen; i++)
    message->msg_len += gst_buffer_extract (packet, message->msg_len,
        header->msg_iov[i].iov_base, header->msg_iov[i].iov_len);
  header->msg_namelen = write_name (gst_buffer_get_net_address_meta
      (packet)->addr, g_socket_get_family (port->socket), header->msg_name);
  fill_control (port, header, packet);
  gst_buffer_unref (packet);
}

gint
recvmmsg (gint fd, struct mmsghdr *messages, guint n, gint flags,
    struct timespec *timeout)
{
  NetPort *port;
  gint code = EAGAIN;
  guint i = 0;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL && port->receive_error != 0)
    code = port->receive_error;
  else if (port != NULL)
    while (i < n && !g_queue_is_empty (&port->inbox))
      receive_one (port, &messages[i++]);
  if (port != NULL)
    clear_if_empty (port);
  g_rec_mutex_unlock (&net_lock);
  if (port == NULL)
    return syscall (SYS_recvmmsg, fd, messages, n, flags, timeout);
  errno = code;
  return i > 0 ? (gint) i : -1;
}

static void
fill_error (NetPort * port, struct msghdr *header, const NetPathError * error)
{
  gsize room = header->msg_controllen;
  gint family = g_socket_get_family (port->socket);
  gboolean ipv4 = family == G_SOCKET_FAMILY_IPV4;
  struct sock_extended_err told = {
    .ee_errno = error->code,
    .ee_origin = !error->from_path ? SO_EE_ORIGIN_LOCAL : ipv4 ? SO_EE_ORIGIN_ICMP : SO_EE_ORIGIN_ICMP6,
    .ee_info = error->mtu
  };

  header->msg_namelen = write_name (error->remote, family, header->msg_name);
  header->msg_controllen = 0;
  add_control (header, room, ipv4 ? IPPROTO_IP : IPPROTO_IPV6,
      ipv4 ? IP_RECVERR : IPV6_RECVERR, &told, sizeof (told));
}

gssize
recvmsg (gint fd, struct msghdr *header, gint flags)
{
  NetPathError *error = NULL;
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_fd (fd);
  if (port != NULL && flags & MSG_ERRQUEUE)
    error = g_queue_pop_head (&port->errors);
  if (error != NULL) {
    fill_error (port, header, error);
    g_object_unref (error->remote);
    g_free (error);
    clear_if_empty (port);
  }
  g_rec_mutex_unlock (&net_lock);
  if (port == NULL)
    return syscall (SYS_recvmsg, fd, header, flags);
  errno = EAGAIN;
  return error != NULL ? 0 : -1;
}

/* --- the test's own ---------------------------------------------------------------------- */

void
net_fail_send (guint port, gint code, guint after, guint times)
{
  g_rec_mutex_lock (&net_lock);
  send_failure.port = port;
  send_failure.code = code;
  send_failure.after = after;
  send_failure.times = times;
  g_rec_mutex_unlock (&net_lock);
}

void
net_remove_address (const gchar * host)
{
  g_rec_mutex_lock (&net_lock);
  g_free (removed);
  removed = g_strdup (host);
  g_rec_mutex_unlock (&net_lock);
}

void
net_fail_receive (guint number, gint code)
{
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_get_port (number);
  port->receive_error = code;
  if (code != 0)
    net_signal_soon (number);
  else
    clear_if_empty (port);
  g_rec_mutex_unlock (&net_lock);
}

void
net_report_error (guint number, gint code, guint mtu, gboolean from_path,
    const gchar * host, guint to)
{
  NetPathError *error = g_new0 (NetPathError, 1);
  NetPort *port;

  error->code = code;
  error->mtu = mtu;
  error->from_path = from_path;
  error->remote = g_inet_socket_address_new_from_string (host, to);
  g_rec_mutex_lock (&net_lock);
  port = net_get_port (number);
  if (has_option (port, IPPROTO_IP, IP_RECVERR) ||
      has_option (port, IPPROTO_IPV6, IPV6_RECVERR)) {
    g_queue_push_tail (&port->errors, error);
    net_signal_soon (number);
  } else {
    g_object_unref (error->remote);
    g_free (error);
  }
  g_rec_mutex_unlock (&net_lock);
}

void
net_overflow (guint number, guint datagrams)
{
  g_rec_mutex_lock (&net_lock);
  net_get_port (number)->overflow += datagrams;
  g_rec_mutex_unlock (&net_lock);
}

void
net_fail_descriptors (gboolean fail)
{
  no_descriptors = fail;
}

void
net_fail_threads (gboolean fail)
{
  no_threads = fail;
}

void
net_fail_timers (gboolean fail)
{
  no_timers = fail;
}

void
net_set_wall (GstClockTime forward)
{
  wall_forward = forward;
}

void
net_set_privileged (gboolean may)
{
  privileged = may;
}

void
net_system_reset (void)
{
  memset (&send_failure, 0, sizeof (send_failure));
  wall_forward = 0;
  privileged = no_descriptors = no_threads = no_timers = FALSE;
}
