/* gst-tfrc tests: workers, their timers, calls and sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Built twice: with what the system has, and as for a system without recvmmsg, sendmmsg
 * and epoll. Nothing here depends on how long anything takes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <netinet/in.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "udprig.h"

GST_DEBUG_CATEGORY (tfrcbin_debug);

/* Errors that loopback does not make: the next `inject_calls` system calls that send more
 * than nothing fail with `inject_error`, after `inject_after` that do not. */
static gint inject_error, inject_after, inject_calls;
static guint8 inject_port[2];   /* of datagrams to there only, network order */

static gboolean
is_injected (const struct msghdr *header)
{
  const struct sockaddr_in *to = header->msg_name;

  if (to == NULL || memcmp (&to->sin_port, inject_port, 2) != 0 ||
      g_atomic_int_get (&inject_calls) == 0)
    return FALSE;
  if (g_atomic_int_get (&inject_after) > 0) {
    g_atomic_int_add (&inject_after, -1);
    return FALSE;
  }
  g_atomic_int_add (&inject_calls, -1);
  errno = inject_error;
  return TRUE;
}

/* One datagram a call, as an overloaded system may do, while errors are injected. */
gint
sendmmsg (gint fd, struct mmsghdr *messages, guint n, gint flags)
{
  gboolean injecting = g_atomic_int_get (&inject_calls) > 0;

  if (is_injected (&messages[0].msg_hdr))
    return -1;
  return syscall (SYS_sendmmsg, fd, messages, injecting ? 1 : n, flags);
}

gssize
sendmsg (gint fd, const struct msghdr *message, gint flags)
{
  if (is_injected (message))
    return -1;
  return syscall (SYS_sendmsg, fd, message, flags);
}

static void
inject (const GstTfrcUdpAddress * to, gint error, gint after, gint calls)
{
  inject_port[0] = to->port >> 8;
  inject_port[1] = to->port;
  inject_error = error;
  g_atomic_int_set (&inject_after, after);
  g_atomic_int_set (&inject_calls, calls);
}

static guint32
get_number (UdpEnd * end, guint i)
{
  guint8 bytes[4];

  fail_unless_equals_int (gst_buffer_extract (g_ptr_array_index (end->buffers,
              i), 0, bytes, 4), 4);
  return GST_READ_UINT32_BE (bytes);
}

/* Sockets. */

GST_START_TEST (test_datagrams_travel_in_bundles_and_in_order)
{
  UdpEnd a, b;
  GstTfrcUdpWorkerSocketStats sent, received;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  udp_end_send (&a, &b.address, 160, 0, 300);
  udp_end_wait (&b, 300);
  for (i = 0; i < 300; i++) {
    fail_unless_equals_int (get_number (&b, i), i);
    fail_unless_equals_int (gst_buffer_get_size (g_ptr_array_index (b.buffers,
                i)), 160);
    fail_unless (gst_tfrc_udp_address_equal (&udp_end_get (&b, i)->remote,
            &a.address));
    fail_unless (udp_end_get (&b, i)->arrival <= gst_util_get_timestamp ());
  }
  sent = udp_end_get_stats (&a);
  received = udp_end_get_stats (&b);
  fail_unless_equals_uint64 (sent.sent, 300);
  fail_unless_equals_uint64 (sent.sent_bytes, 300 * 160);
  /* four full bundles and what is left at the end of the round */
  fail_unless_equals_uint64 (sent.send_calls, 5);
  fail_unless_equals_uint64 (received.received, 300);
  fail_unless_equals_uint64 (received.received_bytes, 300 * 160);
  fail_unless_equals_uint64 (received.overflowed, 0);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

GST_START_TEST (test_two_sockets_share_a_round_and_keep_their_order)
{
  UdpEnd a, b, c;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "a", "127.0.0.1");
  udp_end_open (&c, "a", "127.0.0.1");
  for (i = 0; i < 20; i++) {
    udp_end_send (&a, &c.address, 4, 2 * i, 1);
    udp_end_send (&b, &c.address, 4, 2 * i + 1, 1);
  }
  udp_end_wait (&c, 40);
  for (i = 1; i < 40; i++) {
    guint k = i;

    /* the one before from the same sender */
    while (k-- > 0)
      if (udp_end_get (&c, k)->remote.port == udp_end_get (&c, i)->remote.port)
        break;
    if (k != G_MAXUINT)
      fail_unless_equals_int (get_number (&c, i), get_number (&c, k) + 2);
  }
  udp_end_close (&a);
  udp_end_close (&b);
  udp_end_close (&c);
}

GST_END_TEST;

/* More sockets than one wait can return. */
GST_START_TEST (test_hundred_sockets_are_all_served)
{
  UdpEnd a, *ends = g_new (UdpEnd, 100);
  guint i, k;

  udp_end_open (&a, "a", "127.0.0.1");
  for (i = 0; i < 100; i++)
    udp_end_open (&ends[i], "b", "127.0.0.1");
  for (k = 0; k < 5; k++)
    for (i = 0; i < 100; i++)
      udp_end_send (&a, &ends[i].address, 160, i, 1);
  for (i = 0; i < 100; i++) {
    udp_end_wait (&ends[i], 5);
    fail_unless_equals_int (get_number (&ends[i], 4), i);
    udp_end_close (&ends[i]);
  }
  udp_end_close (&a);
  g_free (ends);
}

GST_END_TEST;

/* The pool of a receiver is bounded: what comes while the pipeline holds it all is copied
 * and arrives all the same. */
GST_START_TEST (test_more_than_the_pool_can_be_held)
{
  UdpEnd a, b;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  for (i = 0; i < 50; i++) {
    udp_end_send (&a, &b.address, 100, 100 * i, 100);
    udp_end_wait (&b, 100 * (i + 1));
  }
  for (i = 0; i < 5000; i++)
    fail_unless_equals_int (get_number (&b, i), i);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

GST_START_TEST (test_any_size_arrives_whole)
{
  static const gsize sizes[] = { 4, 2047, 2048, 2049, 9000, 60000, 65507 };
  UdpEnd a, b;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    udp_end_send (&a, &b.address, sizes[i], i, 1);
    udp_end_wait (&b, i + 1);
    fail_unless_equals_int (get_number (&b, i), i);
    fail_unless_equals_uint64 (udp_end_get (&b, i)->size, sizes[i]);
    fail_unless_equals_uint64 (gst_buffer_get_size (g_ptr_array_index
            (b.buffers, i)), sizes[i]);
    if (sizes[i] > 4)
      fail_unless_equals_int (gst_buffer_memcmp (g_ptr_array_index (b.buffers,
                  i), sizes[i] - 1, "\0", 1), 0);
  }
  udp_end_send (&a, &b.address, 0, 0, 1);
  udp_end_wait (&b, i + 1);
  fail_unless_equals_uint64 (udp_end_get (&b, i)->size, 0);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

static void
check_marks (const gchar * host, const gchar * listen)
{
  static const guint8 marks[] = { 0, 1, 2, 3, 46 << 2, 46 << 2 | 2 };
  UdpEnd a, b;
  guint i;

  udp_end_open (&a, "a", host);
  udp_end_open (&b, "b", listen);
  b.address = udp_address (host, b.address.port);
  for (i = 0; i < G_N_ELEMENTS (marks); i++) {
    GstTfrcUdpRoute route = { .remote = b.address, .tos = marks[i] };

    udp_end_send_many (&a, &route, 4, i, 1);
  }
  udp_end_wait (&b, i);
  while (i-- > 0)
    fail_unless_equals_int (udp_end_get (&b, i)->tos, marks[i]);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_START_TEST (test_dscp_and_ecn_are_sent_and_read)
{
  check_marks ("127.0.0.1", "127.0.0.1");
  check_marks ("127.0.0.1", "");
  check_marks ("::1", "::1");
  check_marks ("::1", "");
}

GST_END_TEST;

/* A dual-stack socket sends marks to an IPv4 host, too. */
GST_START_TEST (test_dual_stack_socket_marks_ipv4)
{
  UdpEnd a, b;
  GstTfrcUdpRoute route = { .tos = 2 };

  udp_end_open (&a, "a", "");
  udp_end_open (&b, "b", "127.0.0.1");
  route.remote = b.address;
  udp_end_send_many (&a, &route, 4, 0, 1);
  udp_end_wait (&b, 1);
  fail_unless_equals_int (udp_end_get (&b, 0)->tos, 2);
  fail_unless (gst_tfrc_udp_address_equal (&udp_end_get (&b, 0)->remote,
          &a.address));
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* 127.0.0.5 was called, so the answer comes from there and not from 127.0.0.1. */
GST_START_TEST (test_answer_leaves_from_the_address_that_was_called)
{
  UdpEnd a, b;
  GstTfrcUdpAddress called;
  GstTfrcUdpRoute route = { 0 };

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "");
  called = udp_address ("127.0.0.5", b.address.port);
  udp_end_send (&a, &called, 4, 0, 1);
  udp_end_wait (&b, 1);
  route.remote = udp_end_get (&b, 0)->remote;
  route.local = udp_end_get (&b, 0)->local;
  fail_unless (gst_tfrc_udp_address_same_host (&route.local, &called));
  udp_end_send_many (&b, &route, 4, 1, 1);
  udp_end_wait (&a, 1);
  fail_unless (gst_tfrc_udp_address_equal (&udp_end_get (&a, 0)->remote,
          &called));
  /* a socket that is bound to one address need not report it */
  fail_if (gst_tfrc_udp_address_is_set (&udp_end_get (&a, 0)->local));
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* Errors. */

static GstTfrcUdpError *
get_error (UdpEnd * end, guint i)
{
  return &g_array_index (end->errors, GstTfrcUdpError, i);
}

GST_START_TEST (test_what_is_too_big_is_reported_and_keeps_nothing_back)
{
  UdpEnd a, b;
  GstTfrcUdpAddress v6 = udp_address ("::1", 9);

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  udp_end_send (&a, &b.address, 160, 0, 3);
  udp_end_send (&a, &b.address, 65508, 3, 1);
  udp_end_send (&a, &v6, 160, 4, 1);
  udp_end_send (&a, &b.address, 160, 5, 3);
  udp_end_wait (&b, 6);
  udp_end_wait_errors (&a, 2);
  fail_unless_equals_int (get_number (&b, 3), 5);
  fail_unless_equals_int (get_error (&a, 0)->code, EMSGSIZE);
  fail_if (get_error (&a, 0)->from_path);
  fail_unless (gst_tfrc_udp_address_equal (&get_error (&a, 0)->remote,
          &b.address));
  fail_unless_equals_int (get_error (&a, 1)->code, EAFNOSUPPORT);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).too_big, 1);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).other_errors, 1);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).sent, 6);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* A peer that is gone makes the system fail the next datagram to whomever. All of those
 * to the peer that is there arrive, and the owner learns which one is gone. */
GST_START_TEST (test_peer_that_is_gone_takes_nothing_from_others)
{
  UdpEnd a, b, gone;
  GstTfrcUdpAddress nobody;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  udp_end_open (&gone, "b", "127.0.0.1");
  nobody = gone.address;
  udp_end_close (&gone);
  for (i = 0; i < 50; i++) {
    udp_end_send (&a, &nobody, 160, i, 1);
    udp_end_send (&a, &b.address, 160, i, 1);
  }
  udp_end_wait (&b, 50);
  udp_end_wait_errors (&a, 1);
  fail_unless_equals_int (get_error (&a, 0)->code, ECONNREFUSED);
  fail_unless (get_error (&a, 0)->from_path);
  fail_unless (gst_tfrc_udp_address_equal (&get_error (&a, 0)->remote,
          &nobody));
  fail_unless (udp_end_get_stats (&a).refused > 0);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* Each has its own way to fail once, for an error that an earlier datagram left behind. */
GST_START_TEST (test_error_of_another_datagram_costs_none)
{
  UdpEnd a, b;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  inject (&b.address, ECONNREFUSED, 2, 1);
  udp_end_send (&a, &b.address, 160, 0, 10);
  udp_end_wait (&b, 10);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).sent, 10);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).refused, 0);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

GST_START_TEST (test_full_socket_drops_the_rest_of_the_bundle)
{
  UdpEnd a, b;
  guint i;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  inject (&b.address, EAGAIN, 3, 1);
  udp_end_send (&a, &b.address, 160, 0, 10);
  udp_end_wait_errors (&a, 7);
  udp_end_send (&a, &b.address, 160, 10, 5);
  udp_end_wait (&b, 8);
  for (i = 0; i < 8; i++)
    fail_unless_equals_int (get_number (&b, i), i < 3 ? i : i + 7);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).full, 7);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).sent, 8);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

GST_START_TEST (test_lack_of_buffers_costs_one_datagram)
{
  UdpEnd a, b;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  inject (&b.address, ENOBUFS, 3, 2);
  udp_end_send (&a, &b.address, 160, 0, 10);
  udp_end_wait (&b, 9);
  udp_end_wait_errors (&a, 1);
  fail_unless_equals_int (get_number (&b, 2), 2);
  fail_unless_equals_int (get_number (&b, 3), 4);
  fail_unless_equals_int (get_error (&a, 0)->code, ENOBUFS);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).no_buffers, 1);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* More errors than are kept for the owner are counted all the same. */
GST_START_TEST (test_errors_are_bounded)
{
  UdpEnd a, b;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  inject (&b.address, EAGAIN, 0, 1);
  udp_end_send (&a, &b.address, 160, 0, 60);
  udp_end_wait_errors (&a, 16);
  udp_end_send (&a, &b.address, 160, 60, 1);
  udp_end_wait (&b, 1);
  fail_unless_equals_int (a.errors->len, 16);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).full, 60);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* A pipe in the place of the socket can be read, and recvmsg() fails each time: the
 * socket is left alone for 100 ms at a time instead of being asked again and again. */
GST_START_TEST (test_socket_that_only_fails_is_left_alone)
{
  const GstTfrcUdpWorkerSocketCallbacks callbacks = { 0 };
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  GSocket *gsocket = udp_bind ("127.0.0.1");
  GstTfrcUdpWorkerSocketStats stats;
  GstTfrcUdpWorkerStats worker_stats;
  GstTfrcUdpWorkerSocket *socket;
  gint pipe_fds[2];

  fail_unless_equals_int (pipe (pipe_fds), 0);
  fail_unless (dup2 (pipe_fds[0], g_socket_get_fd (gsocket)) >= 0);
  fail_unless_equals_int (write (pipe_fds[1], "x", 1), 1);
  socket =
      gst_tfrc_udp_worker_socket_new (worker, gsocket, &callbacks, NULL, NULL);
  do {
    g_usleep (10000);
    gst_tfrc_udp_worker_socket_get_stats (socket, &stats);
    gst_tfrc_udp_worker_get_stats (worker, &worker_stats);
  } while (stats.other_errors < 3);
  /* eight rounds to the first rest, then one for each error and one for each timer */
  fail_unless (worker_stats.rounds < 8 + 4 * stats.other_errors + 4,
      "%" G_GUINT64_FORMAT " rounds", worker_stats.rounds);
  gst_tfrc_udp_worker_socket_close (socket);
  gst_tfrc_udp_worker_leave (worker);
  g_object_unref (gsocket);
  close (pipe_fds[0]);
  close (pipe_fds[1]);
}

GST_END_TEST;

/* Closing. */

typedef struct
{
  GstTfrcUdpWorkerSocket *socket, *other;
  GMutex lock;
  GCond cond;
  guint calls;
} Closing;

static void
close_both (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  Closing *closing = data;

  g_mutex_lock (&closing->lock);
  fail_unless_equals_int (closing->calls, 0);
  closing->calls++;
  gst_tfrc_udp_worker_socket_close (closing->socket);
  gst_tfrc_udp_worker_socket_close (closing->other);
  g_cond_signal (&closing->cond);
  g_mutex_unlock (&closing->lock);
}

typedef struct
{
  GstTfrcUdpWorkerSocketCallbacks callbacks;
  GSocket *first, *second;
  Closing *closing;
} Opening;

/* In the thread, so that one wait finds both ready. */
static void
open_both (GstTfrcUdpWorker * worker, gpointer data)
{
  Opening *opening = data;

  opening->closing->socket =
      gst_tfrc_udp_worker_socket_new (worker, opening->first,
      &opening->callbacks, opening->closing, NULL);
  opening->closing->other =
      gst_tfrc_udp_worker_socket_new (worker, opening->second,
      &opening->callbacks, opening->closing, NULL);
}

/* Both have datagrams when the first of them closes both. */
GST_START_TEST (test_callback_may_close_sockets)
{
  GSocket *first = udp_bind ("127.0.0.1"), *second = udp_bind ("127.0.0.1");
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("b", 1, NULL);
  GSocket *sender = udp_bind ("127.0.0.1");
  Closing closing = { 0 };
  Opening opening = { {close_both, NULL}, first, second, &closing };
  guint i;

  for (i = 0; i < 100; i++) {
    GSocketAddress *one = g_socket_get_local_address (first, NULL);
    GSocketAddress *two = g_socket_get_local_address (second, NULL);

    g_socket_send_to (sender, one, "x", 1, NULL, NULL);
    g_socket_send_to (sender, two, "x", 1, NULL, NULL);
    g_object_unref (one);
    g_object_unref (two);
  }
  gst_tfrc_udp_worker_call (worker, open_both, &opening);
  g_mutex_lock (&closing.lock);
  while (closing.calls == 0)
    g_cond_wait (&closing.cond, &closing.lock);
  g_mutex_unlock (&closing.lock);
  gst_tfrc_udp_worker_leave (worker);
  fail_unless_equals_int (closing.calls, 1);
  fail_unless (g_socket_is_closed (first) && g_socket_is_closed (second));
  g_object_unref (first);
  g_object_unref (second);
  g_object_unref (sender);
}

GST_END_TEST;

static void
send_and_close (GstTfrcUdpWorker * worker, gpointer data)
{
  UdpEnd **ends = data;
  GstTfrcUdpRoute route = { .remote = ends[1]->address };
  guint i;

  for (i = 0; i < 10; i++)
    gst_tfrc_udp_worker_socket_send (ends[0]->socket, (const guint8 *) "last",
        4, &route);
  gst_tfrc_udp_worker_socket_close (ends[0]->socket);
}

/* Such as a BYE: what was submitted before the close leaves. */
GST_START_TEST (test_what_was_submitted_leaves_before_the_close)
{
  UdpEnd a, b, *ends[2] = { &a, &b };
  GSocket *next;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  gst_tfrc_udp_worker_call (a.worker, send_and_close, ends);
  udp_end_wait (&b, 10);
  /* and the port is free at once */
  next = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  {
    GSocketAddress *address = gst_tfrc_udp_address_to_object (&a.address);

    fail_unless (g_socket_bind (next, address, FALSE, NULL));
    g_object_unref (address);
  }
  a.socket = gst_tfrc_udp_worker_socket_new (a.worker, next,
      &(GstTfrcUdpWorkerSocketCallbacks) {NULL, NULL}, NULL, NULL);
  g_object_unref (next);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

/* Workers. What does not wait for the system is in tests/check/udp-workers.c. */

static void
count_destroyed (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

static void
nothing (GstTfrcUdpWorker * worker, gpointer data)
{
}

static void
leave (GstTfrcUdpWorker * worker, gpointer data)
{
  gst_tfrc_udp_worker_leave (worker);
}

GST_START_TEST (test_last_member_may_leave_in_the_thread_itself)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  gint destroyed = 0;

  gst_tfrc_udp_worker_invoke (worker, leave, &destroyed, count_destroyed);
  while (g_atomic_int_get (&destroyed) == 0)
    g_usleep (1000);
  /* the name is free for a new one */
  worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  gst_tfrc_udp_worker_call (worker, nothing, NULL);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

/* Timers. */

typedef struct
{
  GstTfrcUdpTimer timer;
  GArray *log;                  /* of all */
  guint number, again;
  GstClockTime begin;           /* what times are counted from */
} Alarm;

static void
on_alarm (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  Alarm *alarm = data;

  fail_unless (gst_tfrc_udp_worker_is_current (timer->worker));
  g_array_append_val (alarm->log, alarm->number);
  if (alarm->again > 0) {
    alarm->again--;
    gst_tfrc_udp_timer_set (timer, now);
  }
}

static void
set_alarms (GstTfrcUdpWorker * worker, gpointer data)
{
  Alarm *alarms = data;
  GstClockTime begin = alarms[0].begin;
  guint i;

  for (i = 0; i < 8; i++)
    gst_tfrc_udp_timer_set (&alarms[i].timer, begin + 100 - i);
  gst_tfrc_udp_timer_set (&alarms[3].timer, begin + 1000);      /* moved back */
  gst_tfrc_udp_timer_set (&alarms[0].timer, begin + 1); /* moved up */
  gst_tfrc_udp_timer_unset (&alarms[5].timer);
  gst_tfrc_udp_timer_set (&alarms[6].timer, GST_CLOCK_TIME_NONE);
  gst_tfrc_udp_timer_close (&alarms[7].timer);
  gst_tfrc_udp_timer_set (&alarms[7].timer, 1);
}

/* Those of the future in the order of their times, those of the past as they were set. */
GST_START_TEST (test_timers_fire_once_in_their_order)
{
  static const guint expected[][5] = { {0, 4, 2, 1, 3}, {0, 1, 2, 3, 4} };
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  GArray *log = g_array_new (FALSE, FALSE, sizeof (guint));
  Alarm alarms[8];
  guint i;

  for (i = 0; i < 8; i++) {
    alarms[i].log = log;
    alarms[i].number = i;
    alarms[i].again = 0;
    alarms[i].begin =
        __i__ == 0 ? gst_util_get_timestamp () + 100 * GST_MSECOND : 0;
    gst_tfrc_udp_timer_init (&alarms[i].timer, worker, on_alarm, &alarms[i]);
  }
  gst_tfrc_udp_worker_call (worker, set_alarms, alarms);
  if (__i__ == 0)
    g_usleep (200000);
  for (i = 0; i < 8; i++)
    gst_tfrc_udp_worker_call (worker, nothing, NULL);
  gst_tfrc_udp_worker_leave (worker);
  fail_unless_equals_int (log->len, G_N_ELEMENTS (expected[0]));
  for (i = 0; i < log->len; i++)
    fail_unless_equals_int (g_array_index (log, guint, i), expected[__i__][i]);
  g_array_unref (log);
}

GST_END_TEST;

/* A timer that sets itself to the time that it is must not keep sockets waiting. */
GST_START_TEST (test_timer_that_always_fires_starves_nobody)
{
  UdpEnd a, b;
  GArray *log;
  Alarm alarm = { .again = G_MAXUINT };

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_open (&b, "b", "127.0.0.1");
  log = alarm.log = g_array_new (FALSE, FALSE, sizeof (guint));
  gst_tfrc_udp_timer_init (&alarm.timer, b.worker, on_alarm, &alarm);
  gst_tfrc_udp_timer_set (&alarm.timer, 0);
  udp_end_send (&a, &b.address, 160, 0, 100);
  udp_end_wait (&b, 100);
  gst_tfrc_udp_worker_call (b.worker, nothing, NULL);
  gst_tfrc_udp_timer_close (&alarm.timer);
  fail_unless (log->len > 0);
  g_array_unref (log);
  udp_end_close (&a);
  udp_end_close (&b);
}

GST_END_TEST;

static gint blocked, fired;

static void
on_blocking_alarm (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  g_atomic_int_set (&blocked, 1);
  while (g_atomic_int_get (&blocked) == 1)
    g_usleep (100);
  gst_tfrc_udp_timer_set (timer, 0);
  g_atomic_int_inc (&fired);
}

static gpointer
release_later (gpointer data)
{
  g_usleep (20000);
  g_atomic_int_set (&blocked, 2);
  return NULL;
}

/* The function runs, and sets its timer again, while another thread closes it. */
GST_START_TEST (test_timer_does_not_fire_after_its_close)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  GstTfrcUdpTimer timer;
  GThread *thread;

  gst_tfrc_udp_timer_init (&timer, worker, on_blocking_alarm, NULL);
  gst_tfrc_udp_timer_set (&timer, 0);
  while (g_atomic_int_get (&blocked) == 0)
    g_usleep (100);
  thread = g_thread_new ("release", release_later, NULL);
  gst_tfrc_udp_timer_close (&timer);
  fail_unless_equals_int (g_atomic_int_get (&fired), 1);
  memset (&timer, 0xff, sizeof (timer));        /* its owner is gone */
  gst_tfrc_udp_worker_call (worker, nothing, NULL);
  gst_tfrc_udp_worker_call (worker, nothing, NULL);
  fail_unless_equals_int (g_atomic_int_get (&fired), 1);
  g_thread_join (thread);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

static void
on_near_alarm (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  g_atomic_int_inc (&fired);
}

/* A far timer lets the thread sleep; one that is set to now by another thread wakes it. */
GST_START_TEST (test_timer_of_another_thread_wakes_the_worker)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("a", 1, NULL);
  GstTfrcUdpWorkerStats stats;
  GstTfrcUdpTimer far, near;
  guint i;

  gst_tfrc_udp_timer_init (&far, worker, on_near_alarm, NULL);
  gst_tfrc_udp_timer_set (&far, gst_util_get_timestamp () + GST_SECOND * 3600);
  gst_tfrc_udp_timer_init (&near, worker, on_near_alarm, NULL);
  for (i = 1; i <= 20; i++) {
    gst_tfrc_udp_timer_set (&near, 0);
    while (g_atomic_int_get (&fired) < i)
      g_usleep (100);
  }
  gst_tfrc_udp_timer_close (&near);
  gst_tfrc_udp_timer_close (&far);
  gst_tfrc_udp_worker_get_stats (worker, &stats);
  fail_unless_equals_int (fired, 20);
  fail_unless_equals_uint64 (stats.timers, 20);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

GST_START_TEST (test_idle_worker_does_nothing)
{
  UdpEnd a;
  GstTfrcUdpWorkerStats before, after;

  udp_end_open (&a, "a", "127.0.0.1");
  udp_end_send (&a, &a.address, 160, 0, 10);
  udp_end_wait (&a, 10);
  g_usleep (20000);             /* the end of its round */
  gst_tfrc_udp_worker_get_stats (a.worker, &before);
  g_usleep (100000);
  gst_tfrc_udp_worker_get_stats (a.worker, &after);
  fail_unless_equals_uint64 (before.rounds, after.rounds);
  udp_end_close (&a);
}

GST_END_TEST;

static Suite *
udp_suite (void)
{
  Suite *suite = suite_create ("udp");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_datagrams_travel_in_bundles_and_in_order);
  tcase_add_test (tc, test_two_sockets_share_a_round_and_keep_their_order);
  tcase_add_test (tc, test_hundred_sockets_are_all_served);
  tcase_add_test (tc, test_more_than_the_pool_can_be_held);
  tcase_add_test (tc, test_any_size_arrives_whole);
  tcase_add_test (tc, test_dscp_and_ecn_are_sent_and_read);
  tcase_add_test (tc, test_dual_stack_socket_marks_ipv4);
  tcase_add_test (tc, test_answer_leaves_from_the_address_that_was_called);
  tcase_add_test (tc, test_what_is_too_big_is_reported_and_keeps_nothing_back);
  tcase_add_test (tc, test_peer_that_is_gone_takes_nothing_from_others);
  tcase_add_test (tc, test_error_of_another_datagram_costs_none);
  tcase_add_test (tc, test_full_socket_drops_the_rest_of_the_bundle);
  tcase_add_test (tc, test_lack_of_buffers_costs_one_datagram);
  tcase_add_test (tc, test_errors_are_bounded);
  tcase_add_test (tc, test_socket_that_only_fails_is_left_alone);
  tcase_add_test (tc, test_callback_may_close_sockets);
  tcase_add_test (tc, test_what_was_submitted_leaves_before_the_close);
  tcase_add_test (tc, test_last_member_may_leave_in_the_thread_itself);
  tcase_add_loop_test (tc, test_timers_fire_once_in_their_order, 0, 2);
  tcase_add_test (tc, test_timer_that_always_fires_starves_nobody);
  tcase_add_test (tc, test_timer_does_not_fire_after_its_close);
  tcase_add_test (tc, test_timer_of_another_thread_wakes_the_worker);
  tcase_add_test (tc, test_idle_worker_does_nothing);
  return suite;
}

GST_CHECK_MAIN (udp);
