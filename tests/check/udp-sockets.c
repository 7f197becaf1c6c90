/* gst-tfrc tests: sockets that a worker serves, in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <netinet/in.h>

#include "net.h"
#include "settle.h"
#include "udprig.h"

static UdpEnd a, b;

static void
open_both (const gchar * host, const gchar * other)
{
  udp_end_open (&a, "a", host);
  udp_end_open (&b, "b", other);
  if (*other == '\0')
    b.address = udp_address (*host == '\0' ? "127.0.0.1" : host,
        b.address.port);
}

static void
close_both (void)
{
  udp_end_close (&a);
  udp_end_close (&b);
}

static guint32
get_number (UdpEnd * end, guint i)
{
  guint8 bytes[4];

  fail_unless (i < end->buffers->len, "only %u datagrams", end->buffers->len);
  fail_unless_equals_int (gst_buffer_extract (g_ptr_array_index (end->buffers,
              i), 0, bytes, 4), 4);
  return GST_READ_UINT32_BE (bytes);
}

static GstTfrcUdpError *
get_error (UdpEnd * end, guint i)
{
  fail_unless (i < end->errors->len, "only %u errors", end->errors->len);
  return &g_array_index (end->errors, GstTfrcUdpError, i);
}

/* --- datagrams --- */

GST_START_TEST (test_datagrams_travel_in_bundles_and_in_order)
{
  GstTfrcUdpWorkerSocketStats sent, received;
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  udp_end_send (&a, &b.address, 160, 0, 300);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (b.received, 300);
  for (i = 0; i < 300; i++) {
    fail_unless_equals_int (get_number (&b, i), i);
    fail_unless_equals_int (gst_buffer_get_size (g_ptr_array_index (b.buffers,
                i)), 160);
    fail_unless (gst_tfrc_udp_address_equal (&udp_end_get (&b, i)->remote,
            &a.address));
  }
  sent = udp_end_get_stats (&a);
  received = udp_end_get_stats (&b);
  fail_unless_equals_uint64 (sent.sent, 300);
  fail_unless_equals_uint64 (sent.sent_bytes, 300 * 160);
  /* four full bundles and what is left at the end of the round */
  fail_unless_equals_uint64 (sent.send_calls, 5);
  fail_unless_equals_uint64 (sent.received, 0);
  fail_unless_equals_uint64 (received.received, 300);
  fail_unless_equals_uint64 (received.received_bytes, 300 * 160);
  /* the same bundles, four of which are one round's */
  fail_unless_equals_uint64 (received.receive_calls, 5);
  fail_unless_equals_uint64 (received.overflowed, 0);
  close_both ();
}

GST_END_TEST;

/* What is late in being looked at did not arrive late. */
GST_START_TEST (test_arrival_is_when_the_system_got_the_datagram)
{
  GstClockTime begin;
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  /* the first datagram of a process knows no more than when it was read */
  udp_end_send (&a, &b.address, 4, 0, 1);
  net_run (100 * GST_MSECOND);
  begin = net_get_time ();
  for (i = 0; i < 5; i++) {
    udp_end_send (&a, &b.address, 4, i, 1);
    net_run (100 * GST_USECOND);
  }
  net_run (100 * GST_MSECOND);
  fail_unless_equals_int (b.received, 6);
  for (i = 0; i < 5; i++)
    fail_unless_equals_uint64 (udp_end_get (&b, 1 + i)->arrival,
        begin + NET_DELAY + i * 100 * GST_USECOND);
  /* the wall clock is set, and arrivals are what they were */
  net_set_wall (3600 * GST_SECOND);
  begin = net_get_time ();
  udp_end_send (&a, &b.address, 4, i, 1);
  net_run (100 * GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get (&b, 6)->arrival, begin + NET_DELAY);
  close_both ();
}

GST_END_TEST;

GST_START_TEST (test_any_size_arrives_whole)
{
  static const gsize sizes[] = { 4, 2047, 2048, 2049, 9000, 60000, 65507 };
  guint8 *bytes = g_malloc (65507), *came;
  guint i, k;
  gsize size;

  open_both ("127.0.0.1", "127.0.0.1");
  for (i = 0; i < 65507; i++)
    bytes[i] = i * 7 + i / 256;
  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    net_send (9, b.address.port, bytes, sizes[i]);
    net_run (NET_DELAY + GST_MSECOND);
    fail_unless_equals_int (b.received, i + 1);
    fail_unless_equals_uint64 (udp_end_get (&b, i)->size, sizes[i]);
    gst_buffer_extract_dup (g_ptr_array_index (b.buffers, i), 0, -1,
        (gpointer *) & came, &size);
    fail_unless_equals_uint64 (size, sizes[i]);
    for (k = 0; k < size && came[k] == bytes[k]; k++);
    fail_unless_equals_uint64 (k, size);
    g_free (came);
  }
  net_send (9, b.address.port, bytes, 0);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get (&b, i)->size, 0);
  /* the largest leaves as well, and what is larger does not */
  udp_end_send (&a, &b.address, 65507, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get (&b, i + 1)->size, 65507);
  g_free (bytes);
  close_both ();
}

GST_END_TEST;

static void
send_and_look (GstTfrcUdpWorker * worker, gpointer unused)
{
  static const guint8 number[4] = { 0, 0, 0, 0 };
  GstTfrcUdpRoute route = { .remote = b.address };

  fail_unless (gst_tfrc_udp_worker_socket_is_flushed (a.socket));
  gst_tfrc_udp_worker_socket_send (a.socket, number, 4, &route);
  fail_if (gst_tfrc_udp_worker_socket_is_flushed (a.socket));
}

/* Without a wait for the worker's round. */
GST_START_TEST (test_another_thread_sends_at_once)
{
  static const guint8 number[4] = { 0, 0, 0, 1 };
  GstTfrcUdpWorkerSocketStats stats;
  GstTfrcUdpRoute route = { 0 };

  open_both ("127.0.0.1", "127.0.0.1");
  route.remote = b.address;
  gst_tfrc_udp_worker_call (a.worker, send_and_look, NULL);
  settle ();
  fail_unless (gst_tfrc_udp_worker_socket_is_flushed (a.socket));
  gst_tfrc_udp_worker_socket_send (a.socket, number, 4, &route);
  stats = udp_end_get_stats (&a);
  fail_unless_equals_uint64 (stats.sent, 2);
  fail_unless_equals_uint64 (stats.send_calls, 2);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (get_number (&b, 0), 0);
  fail_unless_equals_int (get_number (&b, 1), 1);
  /* errors are counted as those of the worker are */
  route.remote = udp_address ("::1", 1);
  gst_tfrc_udp_worker_socket_send (a.socket, number, 4, &route);
  stats = udp_end_get_stats (&a);
  fail_unless_equals_uint64 (stats.other_errors, 1);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (get_error (&a, 0)->code, EAFNOSUPPORT);
  close_both ();
}

GST_END_TEST;

/* What is too large to wait leaves behind what was submitted before it. */
GST_START_TEST (test_a_large_datagram_overtakes_nobody)
{
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  udp_end_send (&a, &b.address, 160, 0, 3);
  udp_end_send (&a, &b.address, 3000, 3, 1);
  udp_end_send (&a, &b.address, 2048, 4, 1);
  udp_end_send (&a, &b.address, 2049, 5, 1);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  for (i = 0; i < 6; i++)
    fail_unless_equals_int (get_number (&b, i), i);
  close_both ();
}

GST_END_TEST;

/* The pool of a receiver is bounded: what comes while the pipeline holds it all is copied
 * and arrives all the same. */
GST_START_TEST (test_more_than_the_pool_can_be_held)
{
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  for (i = 0; i < 43; i++) {
    udp_end_send (&a, &b.address, 100, 100 * i, 100);
    net_run (5 * GST_MSECOND);
  }
  net_run (NET_DELAY);
  for (i = 0; i < 4300; i++)
    fail_unless_equals_int (get_number (&b, i), i);
  close_both ();
}

GST_END_TEST;

static void
check_marks (const gchar * host, const gchar * listen)
{
  static const guint8 marks[] = { 0, 1, 2, 3, 46 << 2, 46 << 2 | 2 };
  guint i;

  open_both (host, listen);
  for (i = 0; i < G_N_ELEMENTS (marks); i++) {
    GstTfrcUdpRoute route = { .remote = b.address, .tos = marks[i] };

    udp_end_send_many (&a, &route, 4, i, 1);
    net_run (NET_DELAY + GST_MSECOND);
    fail_unless_equals_int (udp_end_get (&b, i)->tos, marks[i]);
  }
  close_both ();
}

GST_START_TEST (test_dscp_and_ecn_are_sent_and_read)
{
  check_marks ("127.0.0.1", "127.0.0.1");
  check_marks ("127.0.0.1", "");
  check_marks ("::1", "::1");
  check_marks ("::1", "");
  check_marks ("", "");
}

GST_END_TEST;

static void
check_answer (const gchar * host, const gchar * called, const gchar * caller)
{
  GstTfrcUdpRoute route = { 0 };
  GstTfrcUdpAddress address;

  open_both (host, "");
  net_send_from (caller, 9000, called, b.address.port, 0, "abcd", 4);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 1);
  address = udp_address (caller, 9000);
  fail_unless (gst_tfrc_udp_address_equal (&udp_end_get (&b, 0)->remote,
          &address));
  route.remote = udp_end_get (&b, 0)->remote;
  route.local = udp_end_get (&b, 0)->local;
  address = udp_address (called, 0);
  fail_unless (gst_tfrc_udp_address_same_host (&route.local, &address));
  udp_end_send_many (&b, &route, 4, 1, 1);
  net_run (GST_MSECOND);
  address = udp_address (called, b.address.port);
  {
    gchar *expected = gst_tfrc_udp_address_to_string (&address);
    NetSent sent = net_get_last (9000);

    fail_unless_equals_string (sent.from, expected);
    g_free (expected);
  }
  close_both ();
}

GST_START_TEST (test_answers_leave_from_the_address_that_was_called)
{
  check_answer ("127.0.0.1", "127.0.0.5", "192.0.2.1");
  check_answer ("127.0.0.1", "2001:db8::5", "2001:db8::1");
}

GST_END_TEST;

/* The machine has got another address meanwhile, and the one that was called is no more. */
GST_START_TEST (test_an_address_that_is_gone_is_sent_from_no_more)
{
  static const gchar *const gone[] = { "127.0.0.5", "2001:db8::5" };
  GstTfrcUdpRoute routes[2];
  NetSent sent;
  guint i;

  for (i = 0; i < 2; i++) {
    open_both ("", "");
    routes[0] = routes[1] = (GstTfrcUdpRoute) {
        .remote = udp_address (i == 0 ? "127.0.0.1" : "::1", b.address.port)};
    routes[0].local = udp_address (gone[i], 0);
    routes[0].tos = 0xB8;
    net_remove_address (gone[i]);
    udp_end_send_many (&a, &routes[0], 4, 0, 3);
    udp_end_send_many (&a, &routes[1], 4, 3, 1);
    net_run (NET_DELAY + GST_MSECOND);
    fail_unless_equals_int (b.received, 4);
    fail_unless_equals_int (udp_end_get (&b, 2)->tos, 0xB8);
    sent = net_get_last (b.address.port);
    fail_unless (strstr (sent.from, gone[i]) == NULL, "%s", sent.from);
    net_remove_address (NULL);
    close_both ();
  }
}

GST_END_TEST;

/* The system is not asked for what is known. */
GST_START_TEST (test_a_socket_of_one_address_tells_no_local_one)
{
  open_both ("127.0.0.1", "127.0.0.1");
  udp_end_send (&a, &b.address, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_if (gst_tfrc_udp_address_is_set (&udp_end_get (&b, 0)->local));
  close_both ();
  open_both ("::1", "::1");
  udp_end_send (&a, &b.address, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_if (gst_tfrc_udp_address_is_set (&udp_end_get (&b, 0)->local));
  close_both ();
}

GST_END_TEST;

/* A local address of the other family is none to send from. */
GST_START_TEST (test_a_local_address_of_another_family_is_not_used)
{
  GstTfrcUdpRoute route = { .local = udp_address ("2001:db8::5", 0) };

  open_both ("", "");
  route.remote = b.address;
  udp_end_send_many (&a, &route, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 1);
  fail_unless (gst_tfrc_udp_address_is_ipv4 (&udp_end_get (&b, 0)->remote));
  close_both ();
}

GST_END_TEST;

/* --- buffers of the system --- */

GST_START_TEST (test_the_system_is_asked_for_large_buffers)
{
  GstTfrcUdpWorkerSocketStats stats;

  open_both ("127.0.0.1", "127.0.0.1");
  stats = udp_end_get_stats (&a);
  fail_unless_equals_int (stats.receive_buffer, 2 * 212992);
  fail_unless_equals_int (stats.send_buffer, 2 * 212992);
  close_both ();
  net_set_privileged (TRUE);
  open_both ("127.0.0.1", "127.0.0.1");
  stats = udp_end_get_stats (&a);
  fail_unless_equals_int (stats.receive_buffer, 8 << 20);
  fail_unless_equals_int (stats.send_buffer, 2 << 20);
  close_both ();
}

GST_END_TEST;

GST_START_TEST (test_what_the_system_drops_is_counted)
{
  open_both ("127.0.0.1", "127.0.0.1");
  udp_end_send (&a, &b.address, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get_stats (&b).overflowed, 0);
  net_overflow (b.address.port, 7);
  udp_end_send (&a, &b.address, 4, 1, 2);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get_stats (&b).overflowed, 7);
  net_overflow (b.address.port, 1);
  udp_end_send (&a, &b.address, 4, 3, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_uint64 (udp_end_get_stats (&b).overflowed, 8);
  close_both ();
}

GST_END_TEST;

/* --- errors --- */

GST_START_TEST (test_what_is_too_big_is_told_and_keeps_nothing_back)
{
  GstTfrcUdpAddress v6 = udp_address ("::1", 9);
  GstTfrcUdpWorkerSocketStats stats;

  open_both ("127.0.0.1", "127.0.0.1");
  udp_end_send (&a, &b.address, 160, 0, 3);
  udp_end_send (&a, &b.address, 65508, 3, 1);
  udp_end_send (&a, &v6, 160, 4, 1);
  udp_end_send (&a, &b.address, 160, 5, 3);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (b.received, 6);
  fail_unless_equals_int (get_number (&b, 3), 5);
  fail_unless_equals_int (a.errors->len, 2);
  fail_unless_equals_int (get_error (&a, 0)->code, EMSGSIZE);
  fail_if (get_error (&a, 0)->from_path);
  fail_unless (gst_tfrc_udp_address_equal (&get_error (&a, 0)->remote,
          &b.address));
  fail_unless_equals_int (get_error (&a, 1)->code, EAFNOSUPPORT);
  stats = udp_end_get_stats (&a);
  fail_unless_equals_uint64 (stats.too_big, 1);
  fail_unless_equals_uint64 (stats.other_errors, 1);
  fail_unless_equals_uint64 (stats.sent, 6);
  close_both ();
}

GST_END_TEST;

/* An error that an earlier datagram left behind fails the next one, which is sent again. */
GST_START_TEST (test_error_of_another_datagram_costs_none)
{
  open_both ("127.0.0.1", "127.0.0.1");
  net_fail_send (b.address.port, ECONNREFUSED, 2, 1);
  udp_end_send (&a, &b.address, 160, 0, 10);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 10);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).sent, 10);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).refused, 0);
  fail_unless_equals_int (a.errors->len, 0);
  close_both ();
}

GST_END_TEST;

GST_START_TEST (test_full_socket_drops_the_rest_of_the_bundle)
{
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  net_fail_send (b.address.port, EAGAIN, 3, 1);
  udp_end_send (&a, &b.address, 160, 0, 10);
  net_run (GST_MSECOND);
  udp_end_send (&a, &b.address, 160, 10, 5);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 8);
  for (i = 0; i < 8; i++)
    fail_unless_equals_int (get_number (&b, i), i < 3 ? i : i + 7);
  fail_unless_equals_int (a.errors->len, 7);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).full, 7);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).sent, 8);
  close_both ();
}

GST_END_TEST;

/* Each error has its counter; each costs one datagram, which failed twice. */
GST_START_TEST (test_each_error_is_counted_where_it_belongs)
{
  static const struct
  {
    gint code;
    gsize counter;
  } errors[] = {
    {ENOBUFS, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, no_buffers)},
    {ENOMEM, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, no_buffers)},
    {EMSGSIZE, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, too_big)},
    {ECONNREFUSED, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, refused)},
    {EHOSTUNREACH, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, unreachable)},
    {ENETUNREACH, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, unreachable)},
    {EHOSTDOWN, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, unreachable)},
    {ENETDOWN, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, unreachable)},
    {EPERM, G_STRUCT_OFFSET (GstTfrcUdpWorkerSocketStats, other_errors)}
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (errors); i++) {
    GstTfrcUdpWorkerSocketStats stats;

    open_both ("127.0.0.1", "127.0.0.1");
    net_fail_send (b.address.port, errors[i].code, 3, 2);
    udp_end_send (&a, &b.address, 160, 0, 10);
    net_run (NET_DELAY + GST_MSECOND);
    fail_unless_equals_int (b.received, 9);
    fail_unless_equals_int (get_number (&b, 2), 2);
    fail_unless_equals_int (get_number (&b, 3), 4);
    fail_unless_equals_int (a.errors->len, 1);
    fail_unless_equals_int (get_error (&a, 0)->code, errors[i].code);
    fail_if (get_error (&a, 0)->from_path);
    stats = udp_end_get_stats (&a);
    fail_unless_equals_uint64 (G_STRUCT_MEMBER (guint64, &stats,
            errors[i].counter), 1);
    fail_unless_equals_uint64 (stats.full + stats.no_buffers + stats.too_big +
        stats.refused + stats.unreachable + stats.other_errors, 1);
    close_both ();
  }
}

GST_END_TEST;

/* More errors than are kept for the owner are counted all the same. */
GST_START_TEST (test_errors_are_bounded)
{
  open_both ("127.0.0.1", "127.0.0.1");
  net_fail_send (b.address.port, EAGAIN, 0, 1);
  udp_end_send (&a, &b.address, 160, 0, 60);
  udp_end_send (&a, &b.address, 160, 60, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 1);
  fail_unless_equals_int (a.errors->len, 16);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).full, 60);
  /* those of the next round are told again */
  net_fail_send (b.address.port, EAGAIN, 0, 1);
  udp_end_send (&a, &b.address, 160, 0, 1);
  net_run (GST_MSECOND);
  fail_unless_equals_int (a.errors->len, 17);
  close_both ();
}

GST_END_TEST;

static void
check_path_error (const gchar * host, const gchar * remote)
{
  GstTfrcUdpAddress address = udp_address (remote, 5004);
  GstTfrcUdpError *error;
  guint port;

  open_both (host, host);
  port = a.address.port;
  net_report_error (port, EMSGSIZE, 1280, TRUE, remote, 5004);
  net_report_error (port, EHOSTUNREACH, 1280, TRUE, remote, 5006);
  /* one of this machine was counted when the datagram did not leave */
  net_report_error (port, EMSGSIZE, 1500, FALSE, remote, 5004);
  net_run (GST_MSECOND);
  fail_unless_equals_int (a.errors->len, 2);
  error = get_error (&a, 0);
  fail_unless_equals_int (error->code, EMSGSIZE);
  fail_unless (error->from_path);
  fail_unless_equals_int (error->mtu, 1280);
  fail_unless (gst_tfrc_udp_address_equal (&error->remote, &address));
  error = get_error (&a, 1);
  fail_unless_equals_int (error->code, EHOSTUNREACH);
  fail_unless_equals_int (error->mtu, 0);
  fail_unless_equals_int (error->remote.port, 5006);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).too_big, 1);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).unreachable, 1);
  /* datagrams come as before */
  udp_end_send (&b, &a.address, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (a.received, 1);
  fail_unless_equals_int (a.errors->len, 2);
  close_both ();
}

GST_START_TEST (test_errors_of_the_path_are_told)
{
  check_path_error ("127.0.0.1", "192.0.2.1");
  check_path_error ("::1", "2001:db8::1");
}

GST_END_TEST;

/* A flood of forged errors takes a bounded share of a round. */
GST_START_TEST (test_errors_of_the_path_are_bounded)
{
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  for (i = 0; i < 20; i++)
    net_report_error (a.address.port, ECONNREFUSED, 0, TRUE, "192.0.2.1",
        5000 + i);
  udp_end_send (&b, &a.address, 4, 0, 1);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (a.received, 1);
  fail_unless (a.errors->len >= 16);
  fail_unless_equals_uint64 (udp_end_get_stats (&a).refused, 20);
  close_both ();
}

GST_END_TEST;

/* A socket that can be read, and is not, is left alone for 100 ms at a time instead of
 * being asked again and again. */
GST_START_TEST (test_socket_that_only_fails_is_left_alone)
{
  GstTfrcUdpWorkerStats before, after;

  open_both ("127.0.0.1", "127.0.0.1");
  gst_tfrc_udp_worker_get_stats (b.worker, &before);
  net_fail_receive (b.address.port, EBADMSG);
  /* eight rounds, one in each gap */
  net_run (7 * GST_TFRC_UDP_GAP - 1);
  fail_unless_equals_int (b.errors->len, 0);
  net_run (90 * GST_MSECOND);
  gst_tfrc_udp_worker_get_stats (b.worker, &after);
  fail_unless_equals_int (b.errors->len, 1);
  fail_unless_equals_int (get_error (&b, 0)->code, EBADMSG);
  fail_unless (after.rounds - before.rounds <= 12, "%" G_GUINT64_FORMAT
      " rounds", after.rounds - before.rounds);
  net_run (400 * GST_MSECOND);
  fail_unless_equals_int (b.errors->len, 5);
  gst_tfrc_udp_worker_get_stats (b.worker, &after);
  fail_unless (after.rounds - before.rounds <= 30, "%" G_GUINT64_FORMAT
      " rounds", after.rounds - before.rounds);
  /* and it is served again once it can be read */
  net_fail_receive (b.address.port, 0);
  net_run (200 * GST_MSECOND);
  udp_end_send (&a, &b.address, 4, 0, 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 1);
  fail_unless_equals_int (b.errors->len, 5);
  close_both ();
}

GST_END_TEST;

/* Seven failures in a row are none. */
GST_START_TEST (test_socket_that_fails_now_and_then_is_asked_again)
{
  guint i;

  open_both ("127.0.0.1", "127.0.0.1");
  for (i = 0; i < 20; i++) {
    net_fail_receive (b.address.port, EBADMSG);
    /* a round that is not busy, or one in each gap */
    net_run (GST_MSECOND);
    net_fail_receive (b.address.port, 0);
    udp_end_send (&a, &b.address, 4, i, 1);
    net_run (NET_DELAY + GST_MSECOND);
    fail_unless_equals_int (b.received, i + 1);
  }
  fail_unless_equals_int (b.errors->len, 0);
  close_both ();
}

GST_END_TEST;

/* --- closing --- */

static void
send_and_close (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcUdpRoute route = { .remote = b.address };
  guint i;

  for (i = 0; i < 10; i++)
    gst_tfrc_udp_worker_socket_send (a.socket, (const guint8 *) "last", 4,
        &route);
  gst_tfrc_udp_worker_socket_close (a.socket);
}

/* Such as a BYE: what was submitted before the close leaves, and the port is free at once. */
GST_START_TEST (test_what_was_submitted_leaves_before_the_close)
{
  GstTfrcUdpWorker *worker;
  guint sockets;

  open_both ("127.0.0.1", "127.0.0.1");
  sockets = net_count_sockets ();
  worker = a.worker;
  gst_tfrc_udp_worker_call (worker, send_and_close, NULL);
  fail_unless_equals_int (net_count_sockets (), sockets - 1);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 10);
  gst_tfrc_udp_worker_leave (worker);
  udp_end_close (&b);
}

GST_END_TEST;

static GMutex gate;
static gint closed;

static void
send_and_hold (GstTfrcUdpWorker * worker, gpointer data)
{
  GstTfrcUdpRoute route = { .remote = b.address };

  gst_tfrc_udp_worker_socket_send (a.socket, (const guint8 *) "one", 3, &route);
  gst_tfrc_udp_worker_socket_send (a.socket, (const guint8 *) "two", 3, &route);
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
}

static gpointer
close_in_a_thread (gpointer data)
{
  gst_tfrc_udp_worker_socket_close (a.socket);
  g_atomic_int_set (&closed, TRUE);
  return NULL;
}

/* Peers of one port may live on several workers. */
GST_START_TEST (test_a_close_waits_for_what_other_workers_submitted)
{
  GThread *thread;

  open_both ("127.0.0.1", "127.0.0.1");
  g_mutex_lock (&gate);
  gst_tfrc_udp_worker_invoke (b.worker, send_and_hold, NULL, NULL);
  settle ();
  thread = g_thread_new ("close", close_in_a_thread, NULL);
  settle ();
  fail_if (g_atomic_int_get (&closed));
  g_mutex_unlock (&gate);
  g_thread_join (thread);
  net_run (NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (b.received, 2);
  gst_tfrc_udp_worker_leave (a.worker);
  udp_end_close (&b);
}

GST_END_TEST;

static gboolean has_closed;

static void
close_when_told (GstTfrcUdpWorkerSocket * socket, const GstTfrcUdpError * error,
    gpointer data)
{
  fail_if (has_closed);
  has_closed = TRUE;
  gst_tfrc_udp_worker_socket_close (socket);
}

static void
ignore (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
}

static void
hold (GstTfrcUdpWorker * worker, gpointer data)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
}

/* Two errors wait for the worker, and the owner closes the socket at the first. */
GST_START_TEST (test_an_error_may_close_the_socket)
{
  static const GstTfrcUdpWorkerSocketCallbacks callbacks =
      { ignore, close_when_told };
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("c", 1, NULL);
  GSocket *gsocket = udp_bind ("127.0.0.1");
  GstTfrcUdpWorkerSocket *socket =
      gst_tfrc_udp_worker_socket_new (worker, gsocket,
      &callbacks, NULL, NULL);
  guint port = gst_tfrc_udp_worker_socket_get_port (socket);

  g_mutex_lock (&gate);
  gst_tfrc_udp_worker_invoke (worker, hold, NULL, NULL);
  settle ();
  net_report_error (port, ECONNREFUSED, 0, TRUE, "192.0.2.1", 9);
  net_report_error (port, ECONNREFUSED, 0, TRUE, "192.0.2.1", 9);
  g_mutex_unlock (&gate);
  net_run (10 * GST_MSECOND);
  fail_unless (has_closed);
  fail_unless_equals_int (net_count_sockets (), 0);
  g_object_unref (gsocket);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

/* A socket that cannot be watched is none. */
GST_START_TEST (test_a_socket_that_cannot_be_watched_is_refused)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("c", 1, NULL);
  GSocket *gsocket = udp_bind ("127.0.0.1");
  GError *error = NULL;

  g_socket_close (gsocket, NULL);
  fail_unless (gst_tfrc_udp_worker_socket_new (worker, gsocket,
          &udp_end_callbacks, NULL, &error) == NULL);
  fail_unless (error != NULL && error->domain == G_IO_ERROR);
  g_error_free (error);
  g_object_unref (gsocket);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

typedef struct
{
  GstTfrcUdpWorkerSocketCallbacks callbacks;
  GSocket *gsockets[2];
  GstTfrcUdpWorkerSocket *sockets[2];
  guint calls;
} Closing;

static void
close_the_two (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  Closing *closing = data;

  closing->calls++;
  gst_tfrc_udp_worker_socket_close (closing->sockets[0]);
  gst_tfrc_udp_worker_socket_close (closing->sockets[1]);
}

static void
open_the_two (GstTfrcUdpWorker * worker, gpointer data)
{
  Closing *closing = data;
  guint i;

  for (i = 0; i < 2; i++)
    closing->sockets[i] = gst_tfrc_udp_worker_socket_new (worker,
        closing->gsockets[i], &closing->callbacks, closing, NULL);
}

/* Both have more datagrams than one bundle when the first of them closes both. */
GST_START_TEST (test_callback_may_close_sockets)
{
  GstTfrcUdpWorker *worker = gst_tfrc_udp_worker_join ("c", 1, NULL);
  Closing closing = { {close_the_two, NULL},
  {udp_bind ("127.0.0.1"), udp_bind ("127.0.0.1")}
  };
  guint i, k;

  for (k = 0; k < 2; k++) {
    GSocketAddress *address = g_socket_get_local_address (closing.gsockets[k],
        NULL);

    for (i = 0; i < 100; i++)
      net_send (9, g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS
              (address)), "x", 1);
    g_object_unref (address);
  }
  net_run (NET_DELAY);
  gst_tfrc_udp_worker_call (worker, open_the_two, &closing);
  net_run (10 * GST_MSECOND);
  fail_unless_equals_int (closing.calls, 1);
  fail_unless_equals_int (net_count_sockets (), 0);
  for (k = 0; k < 2; k++)
    g_object_unref (closing.gsockets[k]);
  gst_tfrc_udp_worker_leave (worker);
}

GST_END_TEST;

static Suite *
udp_sockets_suite (void)
{
  Suite *suite = suite_create ("udp-sockets");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, net_start, net_stop);
  tcase_add_test (tc, test_another_thread_sends_at_once);
  tcase_add_test (tc, test_datagrams_travel_in_bundles_and_in_order);
  tcase_add_test (tc, test_arrival_is_when_the_system_got_the_datagram);
  tcase_add_test (tc, test_any_size_arrives_whole);
  tcase_add_test (tc, test_a_large_datagram_overtakes_nobody);
  tcase_add_test (tc, test_more_than_the_pool_can_be_held);
  tcase_add_test (tc, test_dscp_and_ecn_are_sent_and_read);
  tcase_add_test (tc, test_answers_leave_from_the_address_that_was_called);
  tcase_add_test (tc, test_an_address_that_is_gone_is_sent_from_no_more);
  tcase_add_test (tc, test_a_socket_of_one_address_tells_no_local_one);
  tcase_add_test (tc, test_a_local_address_of_another_family_is_not_used);
  tcase_add_test (tc, test_the_system_is_asked_for_large_buffers);
  tcase_add_test (tc, test_what_the_system_drops_is_counted);
  tcase_add_test (tc, test_what_is_too_big_is_told_and_keeps_nothing_back);
  tcase_add_test (tc, test_error_of_another_datagram_costs_none);
  tcase_add_test (tc, test_full_socket_drops_the_rest_of_the_bundle);
  tcase_add_test (tc, test_each_error_is_counted_where_it_belongs);
  tcase_add_test (tc, test_errors_are_bounded);
  tcase_add_test (tc, test_errors_of_the_path_are_told);
  tcase_add_test (tc, test_errors_of_the_path_are_bounded);
  tcase_add_test (tc, test_socket_that_only_fails_is_left_alone);
  tcase_add_test (tc, test_socket_that_fails_now_and_then_is_asked_again);
  tcase_add_test (tc, test_what_was_submitted_leaves_before_the_close);
  tcase_add_test (tc, test_a_close_waits_for_what_other_workers_submitted);
  tcase_add_test (tc, test_an_error_may_close_the_socket);
  tcase_add_test (tc, test_a_socket_that_cannot_be_watched_is_refused);
  tcase_add_test (tc, test_callback_may_close_sockets);
  return suite;
}

GST_CHECK_MAIN (udp_sockets);
