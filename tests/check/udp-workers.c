/* gst-tfrc tests: the threads of the UDP sockets, their timers and calls, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "net.h"
#include "settle.h"
#include "udprig.h"

#define GAP GST_TFRC_UDP_GAP

static GstTfrcUdpWorker *worker;

static void
set_up (void)
{
  net_start ();
  worker = gst_tfrc_udp_worker_join ("test", 1, NULL);
  settle ();
}

static void
tear_down (void)
{
  if (worker != NULL)
    gst_tfrc_udp_worker_leave (worker);
  net_stop ();
}

static guint64
count_rounds (void)
{
  GstTfrcUdpWorkerStats stats;

  gst_tfrc_udp_worker_get_stats (worker, &stats);
  return stats.rounds;
}

static void
nothing (GstTfrcUdpWorker * of, gpointer data)
{
}

/* --- timers --- */

typedef struct
{
  GstTfrcUdpTimer timer;
  guint fired;
  GstClockTime at, now;         /* when it fired last; what it was told */
  GstClockTime again;           /* it sets itself so long after that; 0: it does not */
} Alarm;

static void
on_alarm (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  Alarm *alarm = data;

  fail_unless (gst_tfrc_udp_worker_is_current (timer->worker));
  alarm->fired++;
  alarm->at = net_get_time ();
  alarm->now = now;
  if (alarm->again != 0)
    gst_tfrc_udp_timer_set (timer, now + alarm->again);
}

static void
init_alarm (Alarm * alarm)
{
  memset (alarm, 0, sizeof (*alarm));
  gst_tfrc_udp_timer_init (&alarm->timer, worker, on_alarm, alarm);
}

GST_START_TEST (test_timers_fire_once_and_in_time)
{
  GstClockTime begin = net_get_time ();
  Alarm alarms[5];
  guint i;

  for (i = 0; i < 5; i++) {
    init_alarm (&alarms[i]);
    gst_tfrc_udp_timer_set (&alarms[i].timer,
        begin + (5 - i) * 10 * GST_MSECOND);
  }
  net_run (10 * GST_MSECOND - 1);
  fail_unless_equals_int (alarms[4].fired, 0);
  net_run (GST_SECOND);
  for (i = 0; i < 5; i++) {
    fail_unless_equals_int (alarms[i].fired, 1);
    fail_unless_equals_uint64 (alarms[i].at, begin +
        (5 - i) * 10 * GST_MSECOND);
    fail_unless_equals_uint64 (alarms[i].now, alarms[i].at);
    gst_tfrc_udp_timer_close (&alarms[i].timer);
  }
}

GST_END_TEST;

GST_START_TEST (test_a_timer_can_be_moved_and_unset)
{
  GstClockTime begin = net_get_time ();
  Alarm back, up, unset, none;

  init_alarm (&back);
  init_alarm (&up);
  init_alarm (&unset);
  init_alarm (&none);
  gst_tfrc_udp_timer_set (&back.timer, begin + 10 * GST_MSECOND);
  gst_tfrc_udp_timer_set (&up.timer, begin + GST_SECOND);
  gst_tfrc_udp_timer_set (&unset.timer, begin + 10 * GST_MSECOND);
  gst_tfrc_udp_timer_set (&none.timer, begin + 10 * GST_MSECOND);
  net_run (5 * GST_MSECOND);
  gst_tfrc_udp_timer_set (&back.timer, begin + 20 * GST_MSECOND);
  gst_tfrc_udp_timer_set (&up.timer, begin + 7 * GST_MSECOND);
  gst_tfrc_udp_timer_unset (&unset.timer);
  gst_tfrc_udp_timer_set (&none.timer, GST_CLOCK_TIME_NONE);
  net_run (2 * GST_SECOND);
  fail_unless_equals_int (back.fired, 1);
  fail_unless_equals_uint64 (back.at, begin + 20 * GST_MSECOND);
  fail_unless_equals_int (up.fired, 1);
  fail_unless_equals_uint64 (up.at, begin + 7 * GST_MSECOND);
  fail_unless_equals_int (unset.fired, 0);
  fail_unless_equals_int (none.fired, 0);
  gst_tfrc_udp_timer_close (&back.timer);
  gst_tfrc_udp_timer_close (&up.timer);
  gst_tfrc_udp_timer_close (&unset.timer);
  gst_tfrc_udp_timer_close (&none.timer);
}

GST_END_TEST;

/* Set by another thread while the worker sleeps for longer, and while it sleeps for ever. */
GST_START_TEST (test_timer_of_another_thread_wakes_the_worker)
{
  Alarm far, near;
  guint i;

  init_alarm (&far);
  init_alarm (&near);
  for (i = 1; i <= 5; i++) {
    gst_tfrc_udp_timer_set (&near.timer, 0);
    net_run (10 * GST_MSECOND);
    fail_unless_equals_int (near.fired, i);
  }
  gst_tfrc_udp_timer_set (&far.timer, net_get_time () + 3600 * GST_SECOND);
  for (i = 6; i <= 10; i++) {
    gst_tfrc_udp_timer_set (&near.timer, net_get_time () + GST_MSECOND);
    net_run (10 * GST_MSECOND);
    fail_unless_equals_int (near.fired, i);
  }
  fail_unless_equals_int (far.fired, 0);
  gst_tfrc_udp_timer_close (&far.timer);
  gst_tfrc_udp_timer_close (&near.timer);
}

GST_END_TEST;

static void
set_to_one_second (GstTfrcUdpWorker * of, gpointer data)
{
  Alarm *alarm = data;

  gst_tfrc_udp_timer_set (&alarm->timer, net_get_time () + GST_SECOND);
}

GST_START_TEST (test_the_worker_overrules_what_others_wanted)
{
  Alarm alarm;

  init_alarm (&alarm);
  gst_tfrc_udp_timer_set (&alarm.timer, net_get_time () + 2 * GST_SECOND);
  gst_tfrc_udp_worker_call (worker, set_to_one_second, &alarm);
  net_run (1500 * GST_MSECOND);
  fail_unless_equals_int (alarm.fired, 1);
  net_run (2 * GST_SECOND);
  fail_unless_equals_int (alarm.fired, 1);
  gst_tfrc_udp_timer_close (&alarm.timer);
}

GST_END_TEST;

GST_START_TEST (test_a_timer_does_not_fire_after_its_close)
{
  Alarm alarm;

  init_alarm (&alarm);
  gst_tfrc_udp_timer_set (&alarm.timer, net_get_time () + GST_MSECOND);
  gst_tfrc_udp_timer_close (&alarm.timer);
  gst_tfrc_udp_timer_set (&alarm.timer, net_get_time () + GST_MSECOND);
  net_run (GST_SECOND);
  fail_unless_equals_int (alarm.fired, 0);
  /* it can begin anew */
  init_alarm (&alarm);
  gst_tfrc_udp_timer_set (&alarm.timer, net_get_time () + GST_MSECOND);
  net_run (GST_SECOND);
  fail_unless_equals_int (alarm.fired, 1);
  gst_tfrc_udp_timer_close (&alarm.timer);
}

GST_END_TEST;

static void
close_itself (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  gst_tfrc_udp_timer_close (timer);
  gst_tfrc_udp_timer_set (timer, now);
  ((Alarm *) data)->fired++;
}

GST_START_TEST (test_a_timer_may_close_itself)
{
  Alarm alarm = { 0 };

  gst_tfrc_udp_timer_init (&alarm.timer, worker, close_itself, &alarm);
  gst_tfrc_udp_timer_set (&alarm.timer, 0);
  net_run (GST_SECOND);
  fail_unless_equals_int (alarm.fired, 1);
}

GST_END_TEST;

/* Twenty timers of a millisecond each: the worker wakes up for each and for nothing else. */
GST_START_TEST (test_periodic_timers_keep_their_period)
{
  GstClockTime begin = net_get_time ();
  GstTfrcUdpWorkerStats stats;
  Alarm alarm;
  guint64 rounds;

  init_alarm (&alarm);
  alarm.again = GST_MSECOND;
  gst_tfrc_udp_timer_set (&alarm.timer, begin + GST_MSECOND);
  settle ();
  rounds = count_rounds ();
  net_run (20 * GST_MSECOND);
  fail_unless_equals_int (alarm.fired, 20);
  fail_unless_equals_uint64 (alarm.at, begin + 20 * GST_MSECOND);
  gst_tfrc_udp_worker_get_stats (worker, &stats);
  fail_unless_equals_uint64 (stats.timers, 20);
  fail_unless_equals_uint64 (stats.rounds - rounds, 20);
  alarm.again = 0;
  gst_tfrc_udp_timer_close (&alarm.timer);
}

GST_END_TEST;

/* More timers than fire in one round are due at once. */
GST_START_TEST (test_many_timers_fire_together)
{
  Alarm *alarms = g_new (Alarm, 3000);
  GstClockTime at = net_get_time () + GST_MSECOND;
  guint i;

  for (i = 0; i < 3000; i++) {
    init_alarm (&alarms[i]);
    gst_tfrc_udp_timer_set (&alarms[i].timer, at);
  }
  net_run (GST_MSECOND + 3 * GAP);
  for (i = 0; i < 3000; i++) {
    fail_unless (alarms[i].fired == 1, "timer %u fired %u times", i,
        alarms[i].fired);
    gst_tfrc_udp_timer_close (&alarms[i].timer);
  }
  g_free (alarms);
}

GST_END_TEST;

static guint fired, fired_before_call;

static void
note_fired (GstTfrcUdpWorker * of, gpointer data)
{
  fired_before_call = fired;
}

static void
on_one_of_many (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  if (fired++ == 0)
    gst_tfrc_udp_worker_invoke (worker, note_fired, NULL, NULL);
}

/* A call that is made meanwhile waits for 1,024 of them. */
GST_START_TEST (test_many_timers_let_others_have_their_turn)
{
  GstTfrcUdpTimer *timers = g_new0 (GstTfrcUdpTimer, 3000);
  GstClockTime at = net_get_time () + GST_MSECOND;
  guint i;

  for (i = 0; i < 3000; i++) {
    gst_tfrc_udp_timer_init (&timers[i], worker, on_one_of_many, NULL);
    gst_tfrc_udp_timer_set (&timers[i], at);
  }
  net_run (10 * GST_MSECOND);
  fail_unless_equals_int (fired, 3000);
  fail_unless_equals_int (fired_before_call, 1024);
  for (i = 0; i < 3000; i++)
    gst_tfrc_udp_timer_close (&timers[i]);
  g_free (timers);
}

GST_END_TEST;

static guint received, received_before_call;

static void
note_received (GstTfrcUdpWorker * of, gpointer data)
{
  received_before_call = received;
}

static void
count_received (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  if (received == 0)
    gst_tfrc_udp_worker_invoke (worker, note_received, NULL, NULL);
  received += n;
}

/* A call that is made meanwhile waits for four bundles of a socket that has more. */
GST_START_TEST (test_a_full_socket_lets_others_have_their_turn)
{
  static const GstTfrcUdpWorkerSocketCallbacks callbacks =
      { count_received, NULL };
  GSocket *gsocket = udp_bind ("127.0.0.1");
  GstTfrcUdpWorkerSocket *socket =
      gst_tfrc_udp_worker_socket_new (worker, gsocket,
      &callbacks, NULL, NULL);
  guint i;

  for (i = 0; i < 1000; i++)
    net_send (9, gst_tfrc_udp_worker_socket_get_port (socket), "abcd", 4);
  net_run (NET_DELAY + 10 * GST_MSECOND);
  fail_unless_equals_int (received, 1000);
  fail_unless_equals_int (received_before_call, 256);
  gst_tfrc_udp_worker_socket_close (socket);
  g_object_unref (gsocket);
}

GST_END_TEST;

/* --- the gap --- */

static void
set_alarm_in (Alarm * alarm, GstClockTime delay)
{
  gst_tfrc_udp_timer_set (&alarm->timer, net_get_time () + delay);
}

/* What is due within the gap after a round waits for its end, together. */
GST_START_TEST (test_what_is_due_within_the_gap_shares_a_round)
{
  GstClockTime begin = net_get_time ();
  guint64 rounds;
  Alarm alarms[4];
  guint i;

  for (i = 0; i < 4; i++) {
    init_alarm (&alarms[i]);
    set_alarm_in (&alarms[i], GST_SECOND + i * 100 * GST_USECOND);
  }
  net_run (GST_SECOND - 1);
  rounds = count_rounds ();
  net_run (10 * GST_MSECOND);
  fail_unless_equals_uint64 (alarms[0].at, begin + GST_SECOND);
  for (i = 1; i < 4; i++)
    fail_unless_equals_uint64 (alarms[i].at, begin + GST_SECOND + GAP);
  fail_unless_equals_uint64 (count_rounds () - rounds, 2);
  /* what comes more rarely is served at once */
  begin = net_get_time ();
  set_alarm_in (&alarms[0], GST_MSECOND);
  net_run (10 * GST_MSECOND);
  fail_unless_equals_uint64 (alarms[0].at, begin + GST_MSECOND);
  /* and without a gap all is */
  gst_tfrc_udp_worker_set_gap (worker, 0);
  begin = net_get_time ();
  for (i = 0; i < 4; i++)
    set_alarm_in (&alarms[i], GST_MSECOND + i * 100 * GST_USECOND);
  net_run (10 * GST_MSECOND);
  for (i = 0; i < 4; i++)
    fail_unless_equals_uint64 (alarms[i].at,
        begin + GST_MSECOND + i * 100 * GST_USECOND);
  for (i = 0; i < 4; i++)
    gst_tfrc_udp_timer_close (&alarms[i].timer);
}

GST_END_TEST;

static void
note_time (GstTfrcUdpWorker * of, gpointer data)
{
  *(GstClockTime *) data = net_get_time ();
}

/* Calls end the gap. */
GST_START_TEST (test_calls_do_not_wait_for_the_gap)
{
  GstClockTime begin, called = 0;
  Alarm alarm;

  gst_tfrc_udp_worker_set_gap (worker, GST_SECOND);
  net_run (2 * GST_SECOND);
  init_alarm (&alarm);
  begin = net_get_time ();
  set_alarm_in (&alarm, 0);
  net_run (GST_MSECOND);
  fail_unless_equals_int (alarm.fired, 1);
  set_alarm_in (&alarm, GST_MSECOND);
  net_run (10 * GST_MSECOND);
  fail_unless_equals_int (alarm.fired, 1);
  gst_tfrc_udp_worker_invoke (worker, note_time, &called, NULL);
  net_run (GST_MSECOND);
  fail_unless (called != 0 && called <= begin + 12 * GST_MSECOND);
  gst_tfrc_udp_worker_call (worker, nothing, NULL);
  gst_tfrc_udp_timer_close (&alarm.timer);
}

GST_END_TEST;

GST_START_TEST (test_idle_worker_does_nothing)
{
  guint64 rounds;
  UdpEnd a;

  udp_end_open (&a, "test", "127.0.0.1");
  udp_end_send (&a, &a.address, 160, 0, 10);
  net_run (GST_SECOND);
  fail_unless_equals_int (a.received, 10);
  rounds = count_rounds ();
  net_run (3600 * GST_SECOND);
  fail_unless_equals_uint64 (count_rounds (), rounds);
  udp_end_close (&a);
}

GST_END_TEST;

/* A busy worker: a datagram each 50 us is served with the others of its gap. */
GST_START_TEST (test_a_busy_worker_wakes_up_once_a_gap)
{
  guint64 rounds, expected = 17 * GST_MSECOND / GAP;
  UdpEnd a;
  guint i;

  udp_end_open (&a, "test", "127.0.0.1");
  net_run (GST_SECOND);
  fail_if (gst_tfrc_udp_worker_is_pausing (a.worker));
  for (i = 0; i < 400; i++) {
    net_send (9, a.address.port, "abcd", 4);
    net_run (50 * GST_USECOND);
  }
  settle ();
  fail_unless (gst_tfrc_udp_worker_is_pausing (a.worker));
  rounds = count_rounds ();
  net_run (NET_DELAY + GST_MSECOND);
  fail_if (gst_tfrc_udp_worker_is_pausing (a.worker));
  fail_unless_equals_int (a.received, 400);
  fail_unless (count_rounds () - rounds <= expected + 2,
      "%" G_GUINT64_FORMAT " rounds", count_rounds () - rounds);
  fail_unless (count_rounds () - rounds >= expected - 2,
      "%" G_GUINT64_FORMAT " rounds", count_rounds () - rounds);
  udp_end_close (&a);
}

GST_END_TEST;

/* A timer that is always due must not keep sockets waiting, nor sockets a timer. */
GST_START_TEST (test_timers_and_sockets_starve_nobody)
{
  UdpEnd a;
  Alarm alarm;
  guint i;

  udp_end_open (&a, "test", "127.0.0.1");
  init_alarm (&alarm);
  alarm.again = 1;
  set_alarm_in (&alarm, 0);
  for (i = 0; i < 1000; i++)
    net_send (9, a.address.port, "abcd", 4);
  net_run (NET_DELAY + 5 * GST_MSECOND);
  fail_unless_equals_int (a.received, 1000);
  fail_unless (alarm.fired > 10);
  gst_tfrc_udp_timer_close (&alarm.timer);
  udp_end_close (&a);
}

GST_END_TEST;

/* Two hundred sockets are ready at once, more than a wait tells of. */
GST_START_TEST (test_many_sockets_are_all_served)
{
  UdpEnd *ends = g_new (UdpEnd, 200);
  guint i, k;

  for (i = 0; i < 200; i++)
    udp_end_open (&ends[i], "test", "127.0.0.1");
  for (k = 0; k < 3; k++) {
    for (i = 0; i < 200; i++)
      net_send (9, ends[i].address.port, "abcd", 4);
    net_run (NET_DELAY + 20 * GST_MSECOND);
    for (i = 0; i < 200; i++)
      fail_unless_equals_int (ends[i].received, k + 1);
  }
  for (i = 0; i < 200; i++)
    udp_end_close (&ends[i]);
  g_free (ends);
}

GST_END_TEST;

/* --- calls --- */

static void
append (GstTfrcUdpWorker * of, gpointer data)
{
  static guint next;

  fail_unless (gst_tfrc_udp_worker_is_current (of));
  fail_unless_equals_int (GPOINTER_TO_UINT (data), next);
  next = (next + 1) % 100;
}

static void
count_destroyed (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

GST_START_TEST (test_calls_come_in_order_and_before_the_end)
{
  gint destroyed = 0;
  guint i;

  fail_if (gst_tfrc_udp_worker_is_current (worker));
  for (i = 0; i < 100; i++)
    if (i % 3 == 0)
      gst_tfrc_udp_worker_call (worker, append, GUINT_TO_POINTER (i));
    else
      gst_tfrc_udp_worker_invoke (worker, append, GUINT_TO_POINTER (i), NULL);
  for (i = 0; i < 100; i++)
    gst_tfrc_udp_worker_invoke (worker, nothing, &destroyed, count_destroyed);
  gst_tfrc_udp_worker_leave (g_steal_pointer (&worker));
  fail_unless_equals_int (destroyed, 100);
}

GST_END_TEST;

static void
call_within (GstTfrcUdpWorker * of, gpointer data)
{
  gst_tfrc_udp_worker_call (of, note_time, data);
}

GST_START_TEST (test_a_call_in_the_thread_itself_is_made_at_once)
{
  GstClockTime called = 0;

  gst_tfrc_udp_worker_call (worker, call_within, &called);
  fail_unless_equals_uint64 (called, net_get_time ());
}

GST_END_TEST;

static void
leave (GstTfrcUdpWorker * of, gpointer data)
{
  gst_tfrc_udp_worker_leave (of);
}

GST_START_TEST (test_last_member_may_leave_in_the_thread_itself)
{
  gint destroyed = 0;

  gst_tfrc_udp_worker_invoke (worker, leave, &destroyed, count_destroyed);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&destroyed), 1);
  /* the name is free for a new one */
  worker = gst_tfrc_udp_worker_join ("test", 1, NULL);
  gst_tfrc_udp_worker_call (worker, nothing, NULL);
}

GST_END_TEST;

/* --- contexts --- */

GST_START_TEST (test_members_spread_over_the_threads_of_a_context)
{
  GstTfrcUdpWorker *a[6];
  guint i;

  a[0] = gst_tfrc_udp_worker_join ("a", 1, NULL);
  a[1] = gst_tfrc_udp_worker_join ("a", 1, NULL);
  fail_unless (a[0] == a[1] && a[0] != worker);
  for (i = 2; i < 6; i++)
    a[i] = gst_tfrc_udp_worker_join ("a", 3, NULL);
  /* two on each */
  fail_unless (a[2] != a[0] && a[3] != a[0] && a[3] != a[2]);
  fail_unless (a[4] != a[0] && a[5] != a[0] && a[5] != a[4]);
  gst_tfrc_udp_worker_leave (a[2]);
  a[2] = gst_tfrc_udp_worker_join ("a", 1, NULL);
  fail_unless (a[2] != a[0] && a[2] != a[3]);
  for (i = 0; i < 6; i++)
    gst_tfrc_udp_worker_leave (a[i]);
}

GST_END_TEST;

GST_START_TEST (test_a_process_without_descriptors_starts_no_worker)
{
  GstTfrcUdpWorker *other;
  GError *error = NULL;

  net_fail_descriptors (TRUE);
  fail_unless (gst_tfrc_udp_worker_join ("b", 2, &error) == NULL);
  fail_unless (g_error_matches (error, G_IO_ERROR,
          G_IO_ERROR_TOO_MANY_OPEN_FILES), "%s", error->message);
  g_clear_error (&error);
  /* a worker that runs can be joined */
  other = gst_tfrc_udp_worker_join ("test", 1, &error);
  fail_unless (other == worker && error == NULL);
  gst_tfrc_udp_worker_leave (other);
  net_fail_descriptors (FALSE);
  net_fail_threads (TRUE);
  fail_unless (gst_tfrc_udp_worker_join ("b", 2, &error) == NULL);
  fail_unless (error != NULL);
  g_clear_error (&error);
  net_fail_threads (FALSE);
  other = gst_tfrc_udp_worker_join ("b", 2, NULL);
  fail_unless (other != NULL);
  gst_tfrc_udp_worker_call (other, nothing, NULL);
  gst_tfrc_udp_worker_leave (other);
}

GST_END_TEST;

static Suite *
udp_workers_suite (void)
{
  Suite *suite = suite_create ("udp-workers");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_timers_fire_once_and_in_time);
  tcase_add_test (tc, test_a_timer_can_be_moved_and_unset);
  tcase_add_test (tc, test_timer_of_another_thread_wakes_the_worker);
  tcase_add_test (tc, test_the_worker_overrules_what_others_wanted);
  tcase_add_test (tc, test_a_timer_does_not_fire_after_its_close);
  tcase_add_test (tc, test_a_timer_may_close_itself);
  tcase_add_test (tc, test_periodic_timers_keep_their_period);
  tcase_add_test (tc, test_many_timers_fire_together);
  tcase_add_test (tc, test_many_timers_let_others_have_their_turn);
  tcase_add_test (tc, test_a_full_socket_lets_others_have_their_turn);
  tcase_add_test (tc, test_what_is_due_within_the_gap_shares_a_round);
  tcase_add_test (tc, test_calls_do_not_wait_for_the_gap);
  tcase_add_test (tc, test_idle_worker_does_nothing);
  tcase_add_test (tc, test_a_busy_worker_wakes_up_once_a_gap);
  tcase_add_test (tc, test_timers_and_sockets_starve_nobody);
  tcase_add_test (tc, test_many_sockets_are_all_served);
  tcase_add_test (tc, test_calls_come_in_order_and_before_the_end);
  tcase_add_test (tc, test_a_call_in_the_thread_itself_is_made_at_once);
  tcase_add_test (tc, test_last_member_may_leave_in_the_thread_itself);
  tcase_add_test (tc, test_members_spread_over_the_threads_of_a_context);
  tcase_add_test (tc, test_a_process_without_descriptors_starts_no_worker);
  return suite;
}

GST_CHECK_MAIN (udp_workers);
