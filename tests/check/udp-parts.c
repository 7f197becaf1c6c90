/* gst-tfrc tests: addresses, the table of senders, the time of an arrival, control messages
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* syscall */
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <gst/check/gstcheck.h>

#include "transport/admissiontable.h"
#include "transport/datagraminbox.h"
#include "transport/udpreceive.h"
#include "transport/udpsend.h"

#define SECONDS(s) ((GstClockTime) ((s) * GST_SECOND))

GST_DEBUG_CATEGORY (tfrcbin_debug);

/* In the place of the system's own, for the tables: the key is that of the published test
 * vectors of SipHash, so that places in a table are known. */
gint
getentropy (void *bytes, gsize size)
{
  guint i;

  for (i = 0; i < size; i++)
    ((guint8 *) bytes)[i] = i;
  return 0;
}

/* In the place of the system's own: each reading of any clock takes the next entry of `scripted`;
 * NULL: of the system. */
static const GstClockTime *scripted;
static guint n_readings;

gint
clock_gettime (clockid_t id, struct timespec *time)
{
  if (scripted == NULL)
    return syscall (SYS_clock_gettime, id, time);
  GST_TIME_TO_TIMESPEC (scripted[n_readings], *time);
  n_readings++;
  return 0;
}

/* In the place of the system's own: nothing leaves, and what control messages have around their data is looked at. */
static guint n_controls, n_padding, n_dirty;

static void
look_at_padding (const struct cmsghdr *control, gsize size)
{
  const guint8 *bytes = (const guint8 *) control;
  gsize at;

  n_controls++;
  for (at = control->cmsg_len; at < size; at++) {
    n_padding++;
    n_dirty += bytes[at] != 0;
  }
}

static void
look_at_controls (struct msghdr *header)
{
  struct cmsghdr *control;

  for (control = CMSG_FIRSTHDR (header); control != NULL;
      control = CMSG_NXTHDR (header, control))
    look_at_padding (control, CMSG_SPACE (control->cmsg_len - CMSG_LEN (0)));
}

gint
sendmmsg (gint fd, struct mmsghdr *messages, guint n, gint flags)
{
  guint i;

  for (i = 0; i < n; i++)
    look_at_controls (&messages[i].msg_hdr);
  return n;
}

gssize
sendmsg (gint fd, const struct msghdr *message, gint flags)
{
  look_at_controls ((struct msghdr *) message);
  return 0;
}

static GstTfrcUdpAddress
address_of (const gchar * ip, guint port)
{
  GSocketAddress *object = g_inet_socket_address_new_from_string (ip, port);
  GstTfrcUdpAddress address;

  fail_unless (gst_tfrc_udp_address_from_object (&address, object));
  g_object_unref (object);
  return address;
}

/* An address that nobody else has. */
static GstTfrcUdpAddress
numbered_address (guint32 number)
{
  GstTfrcUdpAddress address = { .ip[10] = 0xff, .ip[11] = 0xff, .port = 5004 };
  guint32 ip = g_htonl (number);

  memcpy (address.ip + 12, &ip, 4);
  return address;
}

static void
assert_text (const GstTfrcUdpAddress * address, const gchar * expected)
{
  gchar *text = gst_tfrc_udp_address_to_string (address);

  fail_unless_equals_string (text, expected);
  g_free (text);
}

GST_START_TEST (test_an_inbox_keeps_order_and_counts_what_it_drops)
{
  guint8 bytes[4];
  GstTfrcUdpDatagram datagram = { .data = bytes, .size = 4, .tos = 3 }, *taken;
  GstTfrcDatagramInbox inbox;
  guint i;

  gst_tfrc_datagram_inbox_init (&inbox);
  for (i = 0; i < GST_TFRC_DATAGRAM_INBOX_MAX + 3; i++) {
    GST_WRITE_UINT32_BE (bytes, i);
    fail_unless_equals_int (gst_tfrc_datagram_inbox_add (&inbox, &datagram),
        i < GST_TFRC_DATAGRAM_INBOX_MAX);
  }
  fail_unless_equals_uint64 (gst_tfrc_datagram_inbox_get_dropped (&inbox), 3);
  for (i = 0; i < GST_TFRC_DATAGRAM_INBOX_MAX / 2; i++) {
    taken = gst_tfrc_datagram_inbox_take (&inbox);
    fail_unless_equals_uint64 (taken->size, 4);
    fail_unless_equals_int (taken->tos, 3);
    fail_unless_equals_int (GST_READ_UINT32_BE (taken->data), i);
    g_free (taken);
  }
  /* what is left is freed with the inbox */
  gst_tfrc_datagram_inbox_clear (&inbox);
}

GST_END_TEST;

GST_START_TEST (test_ipv4_is_one_address_in_both_forms)
{
  GstTfrcUdpAddress v4 = address_of ("192.0.2.1", 5004);
  GstTfrcUdpAddress mapped = address_of ("::ffff:192.0.2.1", 5004);
  struct sockaddr_storage storage;

  fail_unless (gst_tfrc_udp_address_equal (&v4, &mapped));
  fail_unless (gst_tfrc_udp_address_is_ipv4 (&mapped));
  assert_text (&mapped, "192.0.2.1:5004");
  fail_unless_equals_int (gst_tfrc_udp_address_to_sockaddr (&v4, AF_INET,
          &storage), sizeof (struct sockaddr_in));
  fail_unless (gst_tfrc_udp_address_from_sockaddr (&mapped,
          (struct sockaddr *) &storage, sizeof (storage)));
  fail_unless (gst_tfrc_udp_address_equal (&v4, &mapped));
  fail_unless_equals_int (gst_tfrc_udp_address_to_sockaddr (&v4, AF_INET6,
          &storage), sizeof (struct sockaddr_in6));
  fail_unless (gst_tfrc_udp_address_from_sockaddr (&mapped,
          (struct sockaddr *) &storage, sizeof (storage)));
  fail_unless (gst_tfrc_udp_address_equal (&v4, &mapped));
}

GST_END_TEST;

GST_START_TEST (test_ipv6_keeps_the_interface_of_a_link)
{
  struct sockaddr_in6 link = {
    .sin6_family = AF_INET6,
    .sin6_port = g_htons (7),
    .sin6_scope_id = 3
  };
  GstTfrcUdpAddress a, b, global = address_of ("2001:db8::1", 7);
  struct sockaddr_storage storage;

  inet_pton (AF_INET6, "fe80::1", &link.sin6_addr);
  fail_unless (gst_tfrc_udp_address_from_sockaddr (&a,
          (struct sockaddr *) &link, sizeof (link)));
  link.sin6_scope_id = 4;
  fail_unless (gst_tfrc_udp_address_from_sockaddr (&b,
          (struct sockaddr *) &link, sizeof (link)));
  fail_if (gst_tfrc_udp_address_equal (&a, &b));
  fail_if (gst_tfrc_udp_address_same_host (&a, &b));
  fail_unless_equals_int (gst_tfrc_udp_address_to_sockaddr (&a, AF_INET6,
          &storage), sizeof (struct sockaddr_in6));
  fail_unless_equals_int (((struct sockaddr_in6 *) &storage)->sin6_scope_id, 3);
  fail_unless_equals_int (gst_tfrc_udp_address_to_sockaddr (&a, AF_INET,
          &storage), 0);
  assert_text (&global, "[2001:db8::1]:7");
}

GST_END_TEST;

GST_START_TEST (test_what_is_no_internet_address_is_none)
{
  struct sockaddr local = { .sa_family = AF_UNIX };
  GstTfrcUdpAddress address = address_of ("192.0.2.1", 5004);

  fail_unless (gst_tfrc_udp_address_is_set (&address));
  fail_if (gst_tfrc_udp_address_from_sockaddr (&address, &local,
          sizeof (local)));
  fail_if (gst_tfrc_udp_address_is_set (&address));
  fail_unless (gst_tfrc_udp_address_to_object (&address) == NULL);
  assert_text (&address, "none");
}

GST_END_TEST;

/* The table of senders. */

static const GstTfrcAdmissionTableSettings open_to_all = {
  .max_peers = 100,
  .rate = 1000,
  .burst = 1000
};

/* A table without probation that admits `rate` strangers in a second and `burst` at once, and of one network
 * `host_rate` and `host_burst`. `host_rate` 0: networks have no limit. */
static GstTfrcAdmissionTable *
new_limited (guint rate, guint burst, guint host_rate, guint host_burst)
{
  GstTfrcAdmissionTableSettings settings = {
    .max_peers = 100,
    .rate = rate,
    .burst = burst,
    .host_rate = host_rate,
    .host_burst = host_burst
  };

  return gst_tfrc_admission_table_new (&settings);
}

/* A table that admits all strangers after so many packets in a row. */
static GstTfrcAdmissionTable *
new_with_probation (guint probation)
{
  GstTfrcAdmissionTableSettings settings = open_to_all;

  settings.probation = probation;
  return gst_tfrc_admission_table_new (&settings);
}

static GstTfrcAdmissionVerdict
look_up (GstTfrcAdmissionTable * table, GstTfrcUdpAddress address, guint32 ssrc,
    GstClockTime now)
{
  gpointer peer;

  return gst_tfrc_admission_table_look_up (table, &address, ssrc, now, &peer);
}

static gpointer
find_peer (GstTfrcAdmissionTable * table, GstTfrcUdpAddress address,
    guint32 ssrc)
{
  gpointer peer;

  gst_tfrc_admission_table_look_up (table, &address, ssrc, SECONDS (1), &peer);
  return peer;
}

GST_START_TEST (test_peer_of_an_address_is_known_by_any_ssrc)
{
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&open_to_all);
  GstTfrcUdpAddress a = address_of ("192.0.2.1", 5004);
  GstTfrcUdpAddress other_port = address_of ("192.0.2.1", 5005);
  gint peer;

  fail_unless (gst_tfrc_admission_table_add (table, &a, &peer));
  fail_if (gst_tfrc_admission_table_add (table, &a, &peer));
  fail_if (gst_tfrc_admission_table_add_ssrc (table, &a, 1, &peer));
  fail_unless_equals_int (gst_tfrc_admission_table_get_size (table), 1);
  fail_unless (find_peer (table, a, 1) == &peer);
  fail_unless (find_peer (table, a, 2) == &peer);
  fail_unless (find_peer (table, other_port, 1) == NULL);
  fail_unless (gst_tfrc_admission_table_remove (table, &a));
  fail_if (gst_tfrc_admission_table_remove (table, &a));
  fail_unless (find_peer (table, a, 1) == NULL);
  fail_unless_equals_int (gst_tfrc_admission_table_get_size (table), 0);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_a_peer_moves_to_a_free_address_alone)
{
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&open_to_all);
  GstTfrcUdpAddress a = address_of ("192.0.2.1", 5004);
  GstTfrcUdpAddress a_rtcp = address_of ("192.0.2.1", 5005);
  GstTfrcUdpAddress b = address_of ("192.0.2.2", 5004);
  GstTfrcUdpAddress unused = address_of ("192.0.2.3", 5004);
  gint peer_a, peer_b;

  fail_unless (gst_tfrc_admission_table_add (table, &a, &peer_a));
  fail_unless (gst_tfrc_admission_table_add_second (table, &a_rtcp, &peer_a));
  fail_unless (gst_tfrc_admission_table_add (table, &b, &peer_b));
  fail_if (gst_tfrc_admission_table_move (table, &a, &b));
  fail_if (gst_tfrc_admission_table_move (table, &b, &a_rtcp));
  fail_if (gst_tfrc_admission_table_move (table, &unused, &unused));
  fail_unless (gst_tfrc_admission_table_move (table, &b, &b));
  fail_unless (find_peer (table, a, 1) == &peer_a);
  fail_unless (find_peer (table, a_rtcp, 1) == &peer_a);
  fail_unless (find_peer (table, b, 1) == &peer_b);
  fail_unless (gst_tfrc_admission_table_move (table, &a_rtcp, &unused));
  fail_unless (find_peer (table, a_rtcp, 1) == NULL);
  fail_unless (find_peer (table, unused, 1) == &peer_a);
  fail_unless (gst_tfrc_admission_table_remove (table, &unused));
  fail_unless_equals_int (gst_tfrc_admission_table_get_size (table), 2);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_peers_behind_one_address_are_known_by_their_ssrc)
{
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&open_to_all);
  GstTfrcUdpAddress a = address_of ("192.0.2.1", 5004);
  gint peers[2];

  fail_unless (gst_tfrc_admission_table_add_ssrc (table, &a, 0, &peers[0]));
  fail_unless (gst_tfrc_admission_table_add_ssrc (table, &a, 7, &peers[1]));
  fail_if (gst_tfrc_admission_table_add_ssrc (table, &a, 7, &peers[0]));
  fail_if (gst_tfrc_admission_table_add (table, &a, &peers[0]));
  fail_unless (find_peer (table, a, 0) == &peers[0]);
  fail_unless (find_peer (table, a, 7) == &peers[1]);
  fail_unless_equals_int (look_up (table, a, 8, SECONDS (1)),
      GST_TFRC_ADMISSION_ADMITTED);
  fail_unless (gst_tfrc_admission_table_remove_ssrc (table, &a, 0));
  fail_if (gst_tfrc_admission_table_remove (table, &a));
  fail_unless (find_peer (table, a, 7) == &peers[1]);
  fail_unless (gst_tfrc_admission_table_remove_ssrc (table, &a, 7));
  fail_unless (gst_tfrc_admission_table_add (table, &a, &peers[0]));
  fail_unless (find_peer (table, a, 7) == &peers[0]);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_full_table_admits_nobody)
{
  GstTfrcAdmissionTableSettings settings = open_to_all;
  GstTfrcAdmissionTable *table;
  GstTfrcUdpAddress a = numbered_address (1), b = numbered_address (2);
  GstTfrcAdmissionTableStats stats;
  gint peer;

  settings.max_peers = 1;
  table = gst_tfrc_admission_table_new (&settings);
  fail_unless (gst_tfrc_admission_table_add (table, &a, &peer));
  fail_if (gst_tfrc_admission_table_add (table, &b, &peer));
  fail_if (gst_tfrc_admission_table_add_ssrc (table, &b, 1, &peer));
  /* it may be a peer that has moved, which needs no place */
  fail_unless_equals_int (look_up (table, b, 1, SECONDS (1)),
      GST_TFRC_ADMISSION_ADMITTED);
  fail_unless (gst_tfrc_admission_table_refuse_if_full (table));
  gst_tfrc_admission_table_get_stats (table, &stats);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_ADMITTED], 0);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_REFUSED], 1);
  fail_unless (gst_tfrc_admission_table_move (table, &a, &b));
  fail_unless (gst_tfrc_admission_table_remove (table, &b));
  fail_unless_equals_int (look_up (table, b, 1, SECONDS (1)),
      GST_TFRC_ADMISSION_ADMITTED);
  fail_if (gst_tfrc_admission_table_refuse_if_full (table));
  gst_tfrc_admission_table_get_stats (table, &stats);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_ADMITTED], 1);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* 60 addresses with up to 4 SSRCs in a table of 100 places: what a plain array knows of
 * them, the table must know after each of 200,000 changes. */
GST_START_TEST (test_table_is_right_after_any_changes)
{
  enum
  { ADDRESSES = 60, SSRCS = 4 };
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&open_to_all);
  gpointer own[ADDRESSES] = { NULL }, shared[ADDRESSES][SSRCS] = { {NULL} };
  GRand *rand = g_rand_new_with_seed (1);
  guint size = 0, wrong = 0, i;
  gint peers[16];

  for (i = 0; i < 200000; i++) {
    guint a = g_rand_int_range (rand, 0, ADDRESSES);
    guint s = g_rand_int_range (rand, 0, SSRCS), k, sharing = 0;
    gpointer peer = &peers[g_rand_int_range (rand, 0, 16)];
    GstTfrcUdpAddress address = numbered_address (a);
    gboolean expected;

    for (k = 0; k < SSRCS; k++)
      sharing += shared[a][k] != NULL;
    switch (g_rand_int_range (rand, 0, 4)) {
      case 0:
        expected = size < 100 && own[a] == NULL && sharing == 0;
        wrong +=
            gst_tfrc_admission_table_add (table, &address, peer) != expected;
        if (expected)
          own[a] = peer;
        size += expected;
        break;
      case 1:
        expected = size < 100 && own[a] == NULL && shared[a][s] == NULL;
        wrong += gst_tfrc_admission_table_add_ssrc (table, &address, s, peer) !=
            expected;
        if (expected)
          shared[a][s] = peer;
        size += expected;
        break;
      case 2:
        wrong += gst_tfrc_admission_table_remove (table, &address) !=
            (own[a] != NULL);
        size -= own[a] != NULL;
        own[a] = NULL;
        break;
      default:
        wrong += gst_tfrc_admission_table_remove_ssrc (table, &address, s) !=
            (shared[a][s] != NULL);
        size -= shared[a][s] != NULL;
        shared[a][s] = NULL;
    }
    a = g_rand_int_range (rand, 0, ADDRESSES);
    wrong += find_peer (table, numbered_address (a), s) !=
        (own[a] != NULL ? own[a] : shared[a][s]);
    wrong += gst_tfrc_admission_table_get_size (table) != size;
  }
  fail_unless_equals_int (wrong, 0);
  g_rand_free (rand);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_stranger_counts_from_its_second_datagram)
{
  GstTfrcAdmissionTable *table = new_with_probation (2);
  GstTfrcUdpAddress a = numbered_address (1);

  fail_unless_equals_int (look_up (table, a, 1, SECONDS (10)),
      GST_TFRC_ADMISSION_ON_PROBATION);
  /* another SSRC of the same host is another sender */
  fail_unless_equals_int (look_up (table, a, 2, SECONDS (10)),
      GST_TFRC_ADMISSION_ON_PROBATION);
  fail_unless_equals_int (look_up (table, a, 1, SECONDS (12)),
      GST_TFRC_ADMISSION_ADMITTED);
  /* silence of more than two seconds */
  fail_unless_equals_int (look_up (table, a, 1, SECONDS (14.1)),
      GST_TFRC_ADMISSION_ON_PROBATION);
  fail_unless_equals_int (look_up (table, a, 1, SECONDS (14.2)),
      GST_TFRC_ADMISSION_ADMITTED);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* Strangers from as many networks, one each ms; returns how many were admitted. */
static guint
admit_for_one_second (GstTfrcAdmissionTable * table, GstClockTime from)
{
  guint i, admitted = 0;

  for (i = 0; i < 1000; i++)
    admitted += look_up (table, numbered_address (i << 8), i,
        from + i * GST_MSECOND) == GST_TFRC_ADMISSION_ADMITTED;
  return admitted;
}

GST_START_TEST (test_admissions_have_a_rate_and_a_burst)
{
  GstTfrcAdmissionTable *table = new_limited (10, 5, 0, 0);
  GstTfrcAdmissionTableStats stats;

  /* the burst, and what 999 ms bring */
  fail_unless_equals_int (admit_for_one_second (table, SECONDS (1)), 5 + 9);
  fail_unless_equals_int (admit_for_one_second (table, SECONDS (2)), 10);
  fail_unless_equals_int (admit_for_one_second (table, SECONDS (1000)), 5 + 9);
  gst_tfrc_admission_table_get_stats (table, &stats);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_ADMITTED], 38);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_LIMITED], 2962);
  gst_tfrc_admission_table_free (table);

  table = new_limited (0, 5, 0, 0);
  fail_unless_equals_int (admit_for_one_second (table, SECONDS (1)), 0);
  gst_tfrc_admission_table_get_stats (table, &stats);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_REFUSED], 1000);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_one_network_does_not_take_the_admissions_of_others)
{
  GstTfrcAdmissionTable *table = new_limited (10, 10, 1, 3);
  GstTfrcUdpAddress other = address_of ("198.51.100.1", 5004);
  guint i, admitted = 0;

  /* all hosts of 192.0.2.0/24 */
  for (i = 0; i < 10000; i++)
    admitted += look_up (table, numbered_address (0xc0000200 + i % 256), i,
        SECONDS (1)) == GST_TFRC_ADMISSION_ADMITTED;
  fail_unless_equals_int (admitted, 3);
  fail_unless_equals_int (look_up (table, numbered_address (0xc0000200), 0,
          SECONDS (1)), GST_TFRC_ADMISSION_HOST_LIMITED);
  fail_unless_equals_int (look_up (table, other, 1, SECONDS (1)),
      GST_TFRC_ADMISSION_ADMITTED);
  fail_unless_equals_int (look_up (table, numbered_address (0xc0000200), 0,
          SECONDS (2)), GST_TFRC_ADMISSION_ADMITTED);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* The networks 10.0.14.0/24 and 10.0.26.0/24 have one bucket by SipHash-1-3 with the key of
 * getentropy() above, which a reference implementation says; other networks have others. */
GST_START_TEST (test_networks_are_told_apart_by_siphash)
{
  GstTfrcAdmissionTable *table = new_limited (100, 100, 1, 1);

  fail_unless_equals_int (look_up (table, address_of ("10.0.14.1", 1), 1,
          SECONDS (1)), GST_TFRC_ADMISSION_ADMITTED);
  fail_unless_equals_int (look_up (table, address_of ("10.0.26.1", 1), 1,
          SECONDS (1)), GST_TFRC_ADMISSION_HOST_LIMITED);
  fail_unless_equals_int (look_up (table, address_of ("10.0.27.1", 1), 1,
          SECONDS (1)), GST_TFRC_ADMISSION_ADMITTED);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* Of IPv6 a network is the first 64 bits. */
GST_START_TEST (test_hosts_of_one_ipv6_network_share_its_admissions)
{
  GstTfrcAdmissionTable *table = new_limited (100, 100, 1, 1);

  fail_unless_equals_int (look_up (table, address_of ("2001:db8::1", 1), 1,
          SECONDS (1)), GST_TFRC_ADMISSION_ADMITTED);
  fail_unless_equals_int (look_up (table, address_of
          ("2001:db8::ff00:0:0:1", 1), 1, SECONDS (1)),
      GST_TFRC_ADMISSION_HOST_LIMITED);
  fail_unless_equals_int (look_up (table, address_of ("2001:db8:0:1::1", 1),
          1, SECONDS (1)), GST_TFRC_ADMISSION_ADMITTED);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* Strangers of the SSRCs 28 and 51 have one place on probation by SipHash-1-3, as the networks
 * above: each takes it from the other. */
GST_START_TEST (test_strangers_have_their_places_by_siphash)
{
  GstTfrcUdpAddress a = address_of ("192.0.2.1", 5004);
  GstTfrcAdmissionTable *table = new_with_probation (2);
  guint i;

  for (i = 0; i < 5; i++) {
    fail_unless_equals_int (look_up (table, a, 28, SECONDS (1)),
        GST_TFRC_ADMISSION_ON_PROBATION);
    fail_unless_equals_int (look_up (table, a, 51, SECONDS (1)),
        GST_TFRC_ADMISSION_ON_PROBATION);
  }
  fail_unless_equals_int (look_up (table, a, 51, SECONDS (1)),
      GST_TFRC_ADMISSION_ADMITTED);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

/* 10,000 datagrams a second with random addresses and SSRCs, for 100 s: nobody of them
 * comes in, the known peer is known all the time, a new caller of 50 packets a second
 * comes in within a second, and the memory is what it was. */
GST_START_TEST (test_flood_of_strangers_changes_nothing)
{
  GstTfrcAdmissionTableSettings settings = {
    .max_peers = 1000,
    .probation = 2,
    .rate = 20,
    .burst = 20,
    .host_rate = 2,
    .host_burst = 4
  };
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&settings);
  GstTfrcUdpAddress known = address_of ("2001:db8::1", 5004);
  GstTfrcUdpAddress caller = address_of ("2001:db8:1::1", 5004);
  GRand *rand = g_rand_new_with_seed (2);
  GstTfrcAdmissionTableStats stats;
  gsize memory = gst_tfrc_admission_table_get_memory (table);
  guint i, waited = 0, longest = 0, calls = 0, let_in = 0, unknown = 0;
  gint peer;

  fail_unless (memory < 512 * 1024);
  fail_unless (gst_tfrc_admission_table_add (table, &known, &peer));
  for (i = 0; i < 1000000; i++) {
    GstClockTime now = SECONDS (1) + i * 100 * GST_USECOND;
    GstTfrcUdpAddress stranger = numbered_address (g_rand_int (rand));

    /* each assertion is a system call, so they are made after the loop */
    let_in += look_up (table, stranger, g_rand_int (rand), now) ==
        GST_TFRC_ADMISSION_ADMITTED;
    if (i % 200 != 0)
      continue;
    unknown += find_peer (table, known, i) != &peer;
    waited++;
    /* one caller after another, each of 50 packets a second */
    if (look_up (table, caller, calls, now) == GST_TFRC_ADMISSION_ADMITTED) {
      longest = MAX (longest, waited);
      waited = 0;
      calls++;
      caller.ip[5] = calls;
      caller.ip[6] = calls >> 8;
    }
  }
  fail_unless_equals_int (let_in, 0);
  fail_unless_equals_int (unknown, 0);
  fail_unless (calls > 1000, "%u calls", calls);
  fail_unless (longest <= 50, "a caller waited %u packets", longest);
  fail_unless_equals_uint64 (gst_tfrc_admission_table_get_memory (table),
      memory);
  gst_tfrc_admission_table_get_stats (table, &stats);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_KNOWN], 5000);
  fail_unless_equals_uint64 (stats.verdicts[GST_TFRC_ADMISSION_ADMITTED],
      calls);
  g_rand_free (rand);
  gst_tfrc_admission_table_free (table);
}

GST_END_TEST;

GST_START_TEST (test_each_verdict_has_a_name)
{
  guint i, k;

  for (i = 0; i < GST_TFRC_ADMISSION_VERDICTS; i++)
    for (k = 0; k < i; k++)
      fail_if (g_str_equal (gst_tfrc_admission_verdict_get_name (i),
              gst_tfrc_admission_verdict_get_name (k)));
}

GST_END_TEST;

/* The time of an arrival. */

#define WALL SECONDS (1700000000)

GST_START_TEST (test_arrival_is_a_time_of_the_monotonic_clock)
{
  GstTfrcUdpArrivalClock clock = { 0 };

  /* before the first reading nothing can be trusted */
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (100), WALL);
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL - SECONDS (0.5)), SECONDS (100));
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (110),
      WALL + SECONDS (10));
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (9)), SECONDS (109));
  /* a process that was stopped for 8 s still knows when its packets arrived */
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (2)), SECONDS (102));
}

GST_END_TEST;

GST_START_TEST (test_setting_the_wall_clock_moves_no_arrival)
{
  GstTfrcUdpArrivalClock clock = { 0 };

  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (100), WALL);
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (101), WALL + SECONDS (1));
  /* it is put forward by an hour; the packet was stamped before */
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (102),
      WALL + SECONDS (3602));
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (1.5)), SECONDS (102));
  /* and after */
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (103),
      WALL + SECONDS (3603));
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (3602.5)), SECONDS (102.5));
  /* it is put back by an hour; a stamp of before lies in the future */
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (104), WALL + SECONDS (4));
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (3603)), SECONDS (104));
  /* slewing by 500 ppm is no step */
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (105),
      WALL + SECONDS (5) + 500 * GST_USECOND);
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (4.5) + 500 * GST_USECOND), SECONDS (104.5));
}

GST_END_TEST;

#define MICROSECONDS(n) ((n) * GST_USECOND)

/* Readings of the clocks: monotonic, then wall and monotonic in turns. When more than 100 us
 * pass between two of the monotonic clock they are made again, three times at most. */
GST_START_TEST (test_clocks_are_read_at_one_instant)
{
  static const GstClockTime quick[] = {
    SECONDS (100), WALL, SECONDS (100) + MICROSECONDS (100)
  };
  static const GstClockTime held_once[] = {
    SECONDS (100), WALL + SECONDS (1), SECONDS (101),
    WALL + SECONDS (2), SECONDS (101) + MICROSECONDS (50)
  };
  static const GstClockTime held_always[] = {
    SECONDS (100), WALL + SECONDS (1), SECONDS (101),
    WALL + SECONDS (2), SECONDS (102), WALL + SECONDS (3), SECONDS (103)
  };
  GstTfrcUdpArrivalClock clock = { 0 };

  scripted = quick;
  gst_tfrc_udp_arrival_clock_read (&clock);
  fail_unless_equals_int (n_readings, 3);
  fail_unless_equals_uint64 (clock.monotonic, quick[2]);
  fail_unless_equals_uint64 (clock.realtime, WALL);
  n_readings = 0;
  scripted = held_once;
  gst_tfrc_udp_arrival_clock_read (&clock);
  fail_unless_equals_int (n_readings, 5);
  fail_unless_equals_uint64 (clock.monotonic, held_once[4]);
  fail_unless_equals_uint64 (clock.realtime, held_once[3]);
  n_readings = 0;
  scripted = held_always;
  gst_tfrc_udp_arrival_clock_read (&clock);
  fail_unless_equals_int (n_readings, 7);
  fail_unless_equals_uint64 (clock.monotonic, SECONDS (103));
  scripted = NULL;
}

GST_END_TEST;

/* An arrival of before the system was started is at its start. */
GST_START_TEST (test_no_arrival_is_before_the_start_of_the_clock)
{
  GstTfrcUdpArrivalClock clock = { 0 };

  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (1), WALL);
  gst_tfrc_udp_arrival_clock_update (&clock, SECONDS (10), WALL + SECONDS (9));
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL), SECONDS (1));
  clock.trusted_since = 0;
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL - SECONDS (5)), 0);
  fail_unless_equals_uint64 (gst_tfrc_udp_arrival_clock_convert (&clock,
          WALL + SECONDS (9)), SECONDS (10));
}

GST_END_TEST;

/* Control messages. */

/* Leaves a pattern where the next function has its variables. */
static void __attribute__((noinline))
    fill_stack (void)
{
  volatile guint8 room[8192];
  guint i;

  for (i = 0; i < sizeof (room); i++)
    room[i] = 0xA5;
}

/* TOS bytes and local addresses have padding behind them. It shows nothing of messages that were sent before, and
 * nothing that was never set. */
GST_START_TEST (test_the_system_gets_nothing_but_what_is_sent)
{
  GstTfrcUdpRoute routes[] = {
    {.local = address_of ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 5004)},
    {.tos = 0xB8, .local = address_of ("2001:db8::1", 5004)},
    {.tos = 0xB8, .local = address_of ("192.0.2.1", 5004)}
  };
  GstTfrcUdpSender *sender = gst_tfrc_udp_sender_new ();
  guint i;

  routes[0].remote = routes[1].remote = address_of ("2001:db8::2", 5006);
  routes[2].remote = address_of ("192.0.2.2", 5006);
  for (i = 0; i < G_N_ELEMENTS (routes); i++) {
    GstTfrcUdpMessage message = { (const guint8 *) "voice", 5, &routes[i], 0 };

    gst_tfrc_udp_sender_send (sender, -1, AF_INET6, &message, 1);
    fail_unless_equals_int (message.error, 0);
    fill_stack ();
    gst_tfrc_udp_send_one (-1, AF_INET6, &message);
    fail_unless_equals_int (message.error, 0);
  }
  fail_unless_equals_int (n_controls, 2 * 5);
  fail_unless (n_padding > 0);
  fail_unless_equals_int (n_dirty, 0);
  gst_tfrc_udp_sender_free (sender);
}

GST_END_TEST;

static Suite *
udp_parts_suite (void)
{
  Suite *suite = suite_create ("udp-parts");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_an_inbox_keeps_order_and_counts_what_it_drops);
  tcase_add_test (tc, test_ipv4_is_one_address_in_both_forms);
  tcase_add_test (tc, test_ipv6_keeps_the_interface_of_a_link);
  tcase_add_test (tc, test_what_is_no_internet_address_is_none);
  tcase_add_test (tc, test_peer_of_an_address_is_known_by_any_ssrc);
  tcase_add_test (tc, test_a_peer_moves_to_a_free_address_alone);
  tcase_add_test (tc, test_peers_behind_one_address_are_known_by_their_ssrc);
  tcase_add_test (tc, test_full_table_admits_nobody);
  tcase_add_test (tc, test_table_is_right_after_any_changes);
  tcase_add_test (tc, test_stranger_counts_from_its_second_datagram);
  tcase_add_test (tc, test_admissions_have_a_rate_and_a_burst);
  tcase_add_test (tc, test_one_network_does_not_take_the_admissions_of_others);
  tcase_add_test (tc, test_networks_are_told_apart_by_siphash);
  tcase_add_test (tc, test_hosts_of_one_ipv6_network_share_its_admissions);
  tcase_add_test (tc, test_strangers_have_their_places_by_siphash);
  tcase_add_test (tc, test_clocks_are_read_at_one_instant);
  tcase_add_test (tc, test_no_arrival_is_before_the_start_of_the_clock);
  tcase_add_test (tc, test_the_system_gets_nothing_but_what_is_sent);
  tcase_add_test (tc, test_flood_of_strangers_changes_nothing);
  tcase_add_test (tc, test_each_verdict_has_a_name);
  tcase_add_test (tc, test_arrival_is_a_time_of_the_monotonic_clock);
  tcase_add_test (tc, test_setting_the_wall_clock_moves_no_arrival);
  return suite;
}

GST_CHECK_MAIN (udp_parts);
