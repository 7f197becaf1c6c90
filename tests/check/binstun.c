/* gst-tfrc tests: STUN messages by the port of tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "callend.h"
#include "settle.h"

#define PORT 6000
#define STUN_SIZE 28

static CallEnd end;
static GMutex lock;
static GCond go_cond;
static GPtrArray *arrived;      /* GBytes; with the lock */
static gchar *last_address;     /* with the lock */
static gboolean held;           /* the handler waits; with the lock */

static void
set_up (void)
{
  net_start ();
  arrived = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  held = FALSE;
}

static void
tear_down (void)
{
  g_clear_pointer (&arrived, g_ptr_array_unref);
  g_clear_pointer (&last_address, g_free);
  net_stop ();
}

/* A binding request with one attribute of four bytes, which has the number. */
static void
make_stun (guint8 * data, guint number)
{
  memset (data, 0, STUN_SIZE);
  data[1] = 1;
  data[3] = STUN_SIZE - 20;
  GST_WRITE_UINT32_BE (data + 4, 0x2112A442);
  GST_WRITE_UINT32_BE (data + 20, 0x80220004);
  GST_WRITE_UINT32_BE (data + 24, number);
}

static void
on_stun (GstElement * bin, GSocketAddress * address, GBytes * message,
    gpointer user_data)
{
  g_mutex_lock (&lock);
  while (held)
    g_cond_wait (&go_cond, &lock);
  g_free (last_address);
  last_address = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE
      (address));
  g_ptr_array_add (arrived, g_bytes_ref (message));
  g_mutex_unlock (&lock);
}

static void
hold (gboolean hold)
{
  g_mutex_lock (&lock);
  held = hold;
  g_cond_broadcast (&go_cond);
  g_mutex_unlock (&lock);
}

static void
begin (const gchar * properties, gboolean handler)
{
  gchar *line = g_strdup_printf ("port=6000 %s", properties);

  call_end_init (&end, line);
  if (handler)
    g_signal_connect (end.call, "stun", G_CALLBACK (on_stun), NULL);
  call_end_play (&end);
  g_free (line);
}

static void
receive (guint from, guint number)
{
  guint8 data[STUN_SIZE];

  make_stun (data, number);
  net_send_from ("198.51.100.7", from, "", PORT, 0, data, sizeof data);
}

static gboolean
send_stun (const gchar * host, guint port, gconstpointer data, gsize size)
{
  GSocketAddress *address = g_inet_socket_address_new_from_string (host, port);
  GBytes *message = g_bytes_new (data, size);
  gboolean sent;

  g_signal_emit_by_name (end.call, "send-stun", address, message, &sent);
  g_bytes_unref (message);
  g_object_unref (address);
  return sent;
}

static guint
get_number (guint i)
{
  return GST_READ_UINT32_BE ((const guint8 *) g_bytes_get_data
      (g_ptr_array_index (arrived, i), NULL) + 24);
}

GST_START_TEST (test_stun_of_anybody_reaches_the_handler_in_order)
{
  guint i;

  begin ("peer=127.0.0.1:7000 accept=any", TRUE);
  for (i = 0; i < 10; i++)
    receive (9000 + i, i);
  net_run (GST_SECOND);
  settle ();
  fail_unless_equals_int (arrived->len, 10);
  for (i = 0; i < 10; i++)
    fail_unless_equals_int (get_number (i), i);
  fail_unless_equals_string (last_address, "198.51.100.7:9009");
  fail_unless_equals_int (call_end_get_stat (&end, "stun"), 10);
  fail_unless_equals_int (call_end_get_stat (&end, "stun-dropped"), 0);
  /* nobody of these calls */
  fail_unless_equals_int (call_end_count_peers (&end), 1);
  fail_unless_equals_int (call_end_get_stat (&end, "strangers-admitted"), 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* A datagram of a peer's address that is STUN says nothing of the peer. */
GST_START_TEST (test_stun_of_a_peer_is_not_its_voice)
{
  guint8 data[STUN_SIZE];

  begin ("peer=127.0.0.1:7000", TRUE);
  make_stun (data, 5);
  net_open (7000);
  net_send (7000, PORT, data, sizeof data);
  net_run (GST_SECOND);
  settle ();
  fail_unless_equals_int (arrived->len, 1);
  call_end_expect_states (&end, "0:waiting");
  net_close (7000);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_stun_without_a_handler_is_dropped_and_counted)
{
  begin ("accept=any", FALSE);
  receive (9000, 1);
  receive (9000, 2);
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_get_stat (&end, "stun"), 2);
  fail_unless_equals_int (call_end_get_stat (&end, "stun-dropped"), 2);
  fail_unless_equals_int (call_end_count_peers (&end), 0);
  call_end_stop (&end);
}

GST_END_TEST;

/* Whoever floods the port with STUN takes no more memory than 256 messages, and no more than one thread. */
GST_START_TEST (test_a_flood_of_stun_is_bounded)
{
  guint i;

  begin ("", TRUE);
  hold (TRUE);
  receive (9000, 0);
  net_run (GST_SECOND);         /* the handler has the first one */
  for (i = 1; i <= 400; i++)
    receive (9000, i);
  net_run (GST_SECOND);
  fail_unless_equals_int (call_end_get_stat (&end, "stun"), 401);
  fail_unless_equals_int (call_end_get_stat (&end, "stun-dropped"), 144);
  hold (FALSE);
  settle ();
  fail_unless_equals_int (arrived->len, 257);
  fail_unless_equals_int (get_number (256), 256);
  /* there is room again */
  receive (9000, 500);
  net_run (GST_SECOND);
  settle ();
  fail_unless_equals_int (get_number (257), 500);
  call_end_stop (&end);
}

GST_END_TEST;

GST_START_TEST (test_a_message_of_the_application_leaves_by_the_port)
{
  GPtrArray *packets;
  guint8 data[STUN_SIZE];
  gchar *from;

  begin ("", TRUE);
  make_stun (data, 7);
  fail_unless (send_stun ("127.0.0.1", 8000, data, sizeof data));
  packets = net_take (8000);
  fail_unless_equals_int (packets->len, 1);
  fail_unless_equals_int (g_bytes_get_size (packets->pdata[0]), STUN_SIZE);
  fail_unless (memcmp (g_bytes_get_data (packets->pdata[0], NULL), data,
          STUN_SIZE) == 0);
  g_ptr_array_unref (packets);
  from = g_strdup (strrchr (net_get_last (8000).from, ':'));
  fail_unless_equals_string (from, ":6000");
  g_free (from);
  call_end_stop (&end);
}

GST_END_TEST;

/* The signal is no way to send anything else to anybody. */
GST_START_TEST (test_what_cannot_be_sent_is_refused)
{
  GPtrArray *packets;
  guint8 data[STUN_SIZE];
  gboolean sent = TRUE;

  begin ("", TRUE);
  make_stun (data, 7);
  fail_if (send_stun ("224.0.0.1", 8000, data, sizeof data));
  fail_if (send_stun ("127.0.0.1", 0, data, sizeof data));
  fail_if (send_stun ("127.0.0.1", 8000, data, sizeof data - 4));
  data[4] ^= 1;
  fail_if (send_stun ("127.0.0.1", 8000, data, sizeof data));
  data[4] ^= 1;
  data[0] = 0x80;
  fail_if (send_stun ("127.0.0.1", 8000, data, sizeof data));
  g_signal_emit_by_name (end.call, "send-stun", NULL, NULL, &sent);
  fail_if (sent);
  data[0] = 0;
  fail_unless (send_stun ("127.0.0.1", 8000, data, sizeof data));
  packets = net_take (8000);
  fail_unless_equals_int (packets->len, 1);
  g_ptr_array_unref (packets);
  gst_element_set_state (end.pipeline, GST_STATE_READY);
  fail_if (send_stun ("127.0.0.1", 8000, data, sizeof data));
  call_end_stop (&end);
}

GST_END_TEST;

static Suite *
binstun_suite (void)
{
  Suite *s = suite_create ("binstun");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_stun_of_anybody_reaches_the_handler_in_order);
  tcase_add_test (tc, test_stun_of_a_peer_is_not_its_voice);
  tcase_add_test (tc, test_stun_without_a_handler_is_dropped_and_counted);
  tcase_add_test (tc, test_a_flood_of_stun_is_bounded);
  tcase_add_test (tc, test_a_message_of_the_application_leaves_by_the_port);
  tcase_add_test (tc, test_what_cannot_be_sent_is_refused);
  return s;
}

GST_CHECK_MAIN (binstun);
