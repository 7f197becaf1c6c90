/* gst-tfrc tests: the parts of the filters: scheduler, engine time, timers, meter, histogram
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gsttestclock.h>

#include "time/enginetime.h"
#include "filter/flowmeter.h"
#include "time/departurescheduler.h"
#include "net.h"
#include "settle.h"

#define ENTRIES 100

typedef struct
{
  GstTfrcSchedulerEntry entry;
  GMutex *lock;
  GArray *called;               /* times, in the order of the calls */
  GstClock *clock;
  gint calls, cancelled;        /* atomic */
  GMutex *gate;                 /* a call waits for it, or NULL */
} Flow;

static void
on_time (gpointer data)
{
  Flow *flow = data;

  g_mutex_lock (flow->lock);
  fail_unless (gst_clock_get_time (flow->clock) >= flow->entry.node.time);
  g_array_append_val (flow->called, flow->entry.node.time);
  g_mutex_unlock (flow->lock);
  g_atomic_int_inc (&flow->calls);
  if (flow->gate != NULL) {
    g_mutex_lock (flow->gate);
    g_mutex_unlock (flow->gate);
  }
}

static void
flow_init (Flow * flow, GstClock * clock, GMutex * lock, GArray * called)
{
  *flow = (Flow) {
      .lock = lock,
      .called = called,
      .clock = clock};
  gst_tfrc_scheduler_entry_join (&flow->entry, "parts", clock, on_time, flow);
}

GST_START_TEST (entries_are_called_in_the_order_of_their_times)
{
  static Flow flows[ENTRIES];
  GMutex lock;
  GArray *called = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  GstClock *clock;
  GstClockTime now;
  guint i, moved = 0;

  net_start ();
  clock = gst_system_clock_obtain ();
  now = net_get_time () + GST_SECOND;
  g_mutex_init (&lock);
  for (i = 0; i < ENTRIES; i++) {
    flow_init (&flows[i], clock, &lock, called);
    gst_tfrc_scheduler_entry_arm (&flows[i].entry,
        now + (i * 37 % ENTRIES) * GST_MSECOND);
  }
  /* some are put off, some are brought forward, some are taken back */
  for (i = 0; i < ENTRIES; i += 3) {
    if (i % 2 == 0)
      gst_tfrc_scheduler_entry_arm (&flows[i].entry,
          now + (i * 53 % ENTRIES) * GST_MSECOND + GST_USECOND);
    else if (++moved)
      gst_tfrc_scheduler_entry_disarm (&flows[i].entry);
  }
  net_run (GST_SECOND - 1);
  fail_unless_equals_int (called->len, 0);
  net_run (GST_SECOND);
  fail_unless_equals_int (called->len, ENTRIES - moved);
  for (i = 1; i < called->len; i++)
    fail_unless (g_array_index (called, GstClockTime, i) >=
        g_array_index (called, GstClockTime, i - 1));
  for (i = 0; i < ENTRIES; i++)
    gst_tfrc_scheduler_entry_leave (&flows[i].entry);
  g_array_unref (called);
  g_mutex_clear (&lock);
  gst_object_unref (clock);
  net_stop ();
}

GST_END_TEST;

static gpointer
cancel (gpointer data)
{
  Flow *flow = data;

  gst_tfrc_scheduler_entry_cancel (&flow->entry);
  g_atomic_int_inc (&flow->cancelled);
  return NULL;
}

GST_START_TEST (a_cancelled_entry_does_not_run_any_more)
{
  Flow flow, other;
  GMutex lock, gate;
  GArray *called = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  GstClock *clock;
  GThread *thread;

  net_start ();
  clock = gst_system_clock_obtain ();
  g_mutex_init (&lock);
  g_mutex_init (&gate);
  flow_init (&flow, clock, &lock, called);
  flow_init (&other, clock, &lock, called);
  flow.gate = &gate;
  g_mutex_lock (&gate);
  gst_tfrc_scheduler_entry_arm (&flow.entry, 0);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&flow.calls), 1);
  /* it runs now, and cancel waits for its end */
  thread = g_thread_new ("cancel", cancel, &flow);
  settle ();
  fail_unless_equals_int (g_atomic_int_get (&flow.cancelled), 0);
  g_mutex_unlock (&gate);
  g_thread_join (thread);
  fail_unless_equals_int (g_atomic_int_get (&flow.cancelled), 1);
  gst_tfrc_scheduler_entry_arm (&flow.entry, net_get_time () + GST_SECOND);
  gst_tfrc_scheduler_entry_arm (&other.entry, net_get_time () + 2 * GST_SECOND);
  gst_tfrc_scheduler_entry_cancel (&flow.entry);
  net_run (3 * GST_SECOND);
  fail_unless_equals_int (g_atomic_int_get (&other.calls), 1);
  fail_unless_equals_int (g_atomic_int_get (&flow.calls), 1);
  gst_tfrc_scheduler_entry_leave (&flow.entry);
  gst_tfrc_scheduler_entry_leave (&other.entry);
  g_array_unref (called);
  g_mutex_clear (&lock);
  g_mutex_clear (&gate);
  gst_object_unref (clock);
  net_stop ();
}

GST_END_TEST;

static GstTfrcSharedTimerEntry alarms[ENTRIES];
static GstElement *owners[ENTRIES];
static GstTestClock *alarm_clock;
static guint alarm_calls[ENTRIES];

static void
on_alarm (GstElement * owner)
{
  GstClockTime now = gst_clock_get_time (GST_CLOCK (alarm_clock));
  guint i = 0;

  while (owners[i] != owner)
    i++;
  fail_unless (now <= alarms[i].node.time);
  fail_unless (now + 20 * GST_MSECOND >= alarms[i].node.time);
  alarm_calls[i]++;
}

static void
set_alarm (guint i, GstClockTime time)
{
  gst_tfrc_shared_timer_set (&alarms[i], GST_CLOCK (alarm_clock), time,
      owners[i], on_alarm);
}

static void
alarms_init (guint n)
{
  guint i;

  alarm_clock = GST_TEST_CLOCK (gst_test_clock_new_with_start_time
      (GST_SECOND));
  for (i = 0; i < n; i++) {
    alarms[i] = (GstTfrcSharedTimerEntry) {0};
    alarm_calls[i] = 0;
    owners[i] = gst_object_ref_sink (gst_bin_new (NULL));
  }
}

static void
alarms_clear (guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    ASSERT_OBJECT_REFCOUNT (owners[i], "owner", 1);
    gst_object_unref (owners[i]);
  }
  gst_object_unref (alarm_clock);
}

GST_START_TEST (alarms_ring_once_and_together_and_never_late)
{
  guint i, waits;

  alarms_init (ENTRIES);
  for (i = 0; i < ENTRIES; i++)
    set_alarm (i, GST_SECOND + (i * 37 % ENTRIES) * GST_MSECOND);
  for (i = 0; i < ENTRIES; i += 10)
    gst_tfrc_shared_timer_unset (&alarms[i]);
  for (waits = 0; gst_test_clock_peek_id_count (alarm_clock) > 0; waits++) {
    fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 1);
    fail_unless (gst_test_clock_crank (alarm_clock));
  }
  /* those of 21 ms in one */
  fail_unless_equals_int (waits, 5);
  for (i = 0; i < ENTRIES; i++)
    fail_unless_equals_int (alarm_calls[i], i % 10 != 0);
  alarms_clear (ENTRIES);
}

GST_END_TEST;

GST_START_TEST (an_alarm_is_waited_for_from_when_it_is_the_first)
{
  alarms_init (2);
  set_alarm (0, 3 * GST_SECOND);
  set_alarm (1, 2 * GST_SECOND);
  fail_unless_equals_uint64 (gst_test_clock_get_next_entry_time (alarm_clock),
      2 * GST_SECOND);
  gst_tfrc_shared_timer_unset (&alarms[1]);
  /* the wait for what was taken back ends, and calls nobody */
  fail_unless (gst_test_clock_crank (alarm_clock));
  fail_unless_equals_int (alarm_calls[0] + alarm_calls[1], 0);
  fail_unless_equals_uint64 (gst_test_clock_get_next_entry_time (alarm_clock),
      3 * GST_SECOND);
  gst_tfrc_shared_timer_unset (&alarms[0]);
  fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 0);
  alarms_clear (2);
}

GST_END_TEST;

GST_START_TEST (flows_of_one_context_and_clock_share_a_scheduler)
{
  static const gchar *const contexts[] =
      { "one", "one", "two", "", "", NULL, NULL };
  GstTfrcSchedulerEntry entries[G_N_ELEMENTS (contexts)] = { 0 }, other = { 0 };
  GstClock *clock = gst_test_clock_new (), *another = gst_test_clock_new ();
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (contexts); i++)
    gst_tfrc_scheduler_entry_join (&entries[i], contexts[i], clock, on_time,
        NULL);
  gst_tfrc_scheduler_entry_join (&other, "one", another, on_time, NULL);
  for (i = 0; i < G_N_ELEMENTS (contexts); i++) {
    fail_unless (entries[i].sched != NULL && entries[i].sched != other.sched);
    for (j = 0; j < i; j++)
      fail_unless_equals_int (entries[i].sched == entries[j].sched, i == 1);
  }
  for (i = 0; i < G_N_ELEMENTS (contexts); i++) {
    gst_tfrc_scheduler_entry_leave (&entries[i]);
    gst_tfrc_scheduler_entry_leave (&entries[i]);
    fail_unless (entries[i].sched == NULL);
  }
  ASSERT_OBJECT_REFCOUNT (clock, "clock that no scheduler has", 1);
  gst_tfrc_scheduler_entry_leave (&other);
  ASSERT_OBJECT_REFCOUNT (another, "clock that no scheduler has", 1);
  gst_object_unref (clock);
  gst_object_unref (another);
}

GST_END_TEST;

static void
leave (gpointer data)
{
  Flow *flow = data;

  gst_tfrc_scheduler_entry_leave (&flow->entry);
  g_atomic_int_inc (&flow->calls);
}

/* An element that is shut down from within its own push leaves in the scheduler's thread. */
GST_START_TEST (an_entry_may_leave_when_it_is_called)
{
  Flow flow = { 0 };
  GstClock *clock;

  net_start ();
  clock = gst_system_clock_obtain ();
  gst_tfrc_scheduler_entry_join (&flow.entry, "parts", clock, leave, &flow);
  gst_tfrc_scheduler_entry_arm (&flow.entry, net_get_time () + GST_SECOND);
  gst_tfrc_scheduler_entry_arm (&flow.entry, net_get_time () + GST_SECOND);
  net_run (GST_SECOND - 1);
  fail_unless_equals_int (g_atomic_int_get (&flow.calls), 0);
  net_run (GST_SECOND);
  fail_unless_equals_int (g_atomic_int_get (&flow.calls), 1);
  fail_unless (flow.entry.sched == NULL);
  gst_object_unref (clock);
  net_stop ();
}

GST_END_TEST;

GST_START_TEST (the_engines_time_goes_on_when_the_clock_changes)
{
  GstTfrcTimebase tb;
  GstClock *clock_at_5, *clock_at_500;

  net_start ();
  gst_tfrc_timebase_init (&tb);
  clock_at_5 = gst_test_clock_new_with_start_time (5 * GST_SECOND);
  clock_at_500 = gst_test_clock_new_with_start_time (500 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_timebase_now (&tb), 100 * GST_SECOND);
  fail_if (gst_tfrc_timebase_set_clock (&tb, NULL));
  fail_unless_equals_uint64 (gst_tfrc_timebase_to_clock (&tb, 7), 7);

  /* a clock that is 95 s behind */
  fail_unless (gst_tfrc_timebase_set_clock (&tb, clock_at_5));
  fail_if (gst_tfrc_timebase_set_clock (&tb, clock_at_5));
  ASSERT_OBJECT_REFCOUNT (clock_at_5, "clock in use", 2);
  fail_unless_equals_uint64 (gst_tfrc_timebase_now (&tb), 100 * GST_SECOND);
  gst_test_clock_advance_time (GST_TEST_CLOCK (clock_at_5), GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_timebase_now (&tb), 101 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_timebase_to_clock (&tb, 101 * GST_SECOND),
      6 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_timebase_to_clock (&tb,
          95 * GST_SECOND + 1), 1);
  fail_unless_equals_uint64 (gst_tfrc_timebase_to_clock (&tb,
          95 * GST_SECOND - 1), 0);

  /* one that is 399 s ahead */
  fail_unless (gst_tfrc_timebase_set_clock (&tb, clock_at_500));
  ASSERT_OBJECT_REFCOUNT (clock_at_5, "clock out of use", 1);
  fail_unless_equals_uint64 (gst_tfrc_timebase_now (&tb), 101 * GST_SECOND);
  fail_unless_equals_uint64 (gst_tfrc_timebase_to_clock (&tb, 1),
      399 * GST_SECOND + 1);
  gst_tfrc_timebase_clear (&tb);
  ASSERT_OBJECT_REFCOUNT (clock_at_500, "clock out of use", 1);
  gst_object_unref (clock_at_5);
  gst_object_unref (clock_at_500);
  net_stop ();
}

GST_END_TEST;

static GstTfrcTimer timer;
static guint timer_calls;

static void
on_timer (GstElement * owner)
{
  fail_unless (owner == owners[0]);
  gst_tfrc_timer_disarm (&timer);
  timer_calls++;
}

/* What the timer waits for, in the engine's time, which is 500 ms ahead. */
static GstClockTime
get_wait (void)
{
  return gst_test_clock_get_next_entry_time (alarm_clock) + 500 * GST_MSECOND;
}

GST_START_TEST (a_timer_waits_for_the_earliest_time_that_was_armed)
{
  GstTfrcTimebase tb;

  alarms_init (1);
  tb = (GstTfrcTimebase) {GST_CLOCK (alarm_clock), 500 * GST_MSECOND};
  timer_calls = 0;
  gst_tfrc_timer_init (&timer, owners[0], on_timer);
  gst_tfrc_timer_disarm (&timer);
  gst_tfrc_timer_arm (&timer, &tb, TFRC_TIME_NONE);
  fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 0);
  gst_tfrc_timer_arm (&timer, &tb, 3 * GST_SECOND);
  fail_unless_equals_uint64 (get_wait (), 3 * GST_SECOND);
  gst_tfrc_timer_arm (&timer, &tb, 4 * GST_SECOND);
  fail_unless_equals_uint64 (get_wait (), 3 * GST_SECOND);
  gst_tfrc_timer_arm (&timer, &tb, 2 * GST_SECOND);
  fail_unless_equals_uint64 (get_wait (), 2 * GST_SECOND);
  fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 1);
  fail_unless (gst_test_clock_crank (alarm_clock));
  fail_unless_equals_int (timer_calls, 1);
  fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 0);
  /* the time before is forgotten, and a later one is good again */
  gst_tfrc_timer_arm (&timer, &tb, 5 * GST_SECOND);
  fail_unless_equals_uint64 (get_wait (), 5 * GST_SECOND);
  ASSERT_OBJECT_REFCOUNT (owners[0], "owner of a timer that waits", 2);
  gst_tfrc_timer_arm (&timer, &tb, TFRC_TIME_NONE);
  fail_unless_equals_int (gst_test_clock_peek_id_count (alarm_clock), 0);
  fail_unless_equals_int (timer_calls, 1);
  alarms_clear (1);
}

GST_END_TEST;

GST_START_TEST (pauses_do_not_lower_the_packet_rate)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now = TFRC_SEC;
  guint i;

  fail_unless (gst_tfrc_meter_get_packet_rate (&meter) == 0);
  for (i = 0; i < 200; i++) {
    gst_tfrc_meter_add (&meter, 100, now);
    now += i % 20 == 19 ? 2 * TFRC_SEC : 20 * TFRC_MSEC;
  }
  fail_unless (ABS (gst_tfrc_meter_get_packet_rate (&meter) - 50) < 1e-6);
  /* longer frames show within a second of them */
  for (i = 0; i < 18; i++, now += 60 * TFRC_MSEC)
    gst_tfrc_meter_add (&meter, 100, now);
  fail_unless (ABS (gst_tfrc_meter_get_packet_rate (&meter) - 1000. / 60) < 1);
}

GST_END_TEST;

GST_START_TEST (the_byte_rate_counts_headers_and_pauses)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now = TFRC_SEC;
  guint i;

  for (i = 0; i < 50; i++, now += 20 * TFRC_MSEC) {
    fail_unless (gst_tfrc_meter_get_byte_rate (&meter, 40, now) == 0);
    gst_tfrc_meter_add (&meter, 160, now);
  }
  /* 49 packets of 200 bytes in one second, then as many in two */
  fail_unless (ABS (gst_tfrc_meter_get_byte_rate (&meter, 40, now) - 9800) < 1);
  fail_unless (ABS (gst_tfrc_meter_get_byte_rate (&meter, 40,
              now + TFRC_SEC) - 4900) < 1);
}

GST_END_TEST;

GST_START_TEST (a_quantile_is_at_most_a_quarter_too_large)
{
  GstTfrcHistogram h = { 0, };
  guint64 q;
  guint i;

  fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 0.99), 0);
  for (i = 1; i <= 1000; i++)
    gst_tfrc_histogram_add (&h, i * 1000);
  fail_unless_equals_uint64 (gst_tfrc_histogram_get_mean (&h), 500500);
  fail_unless_equals_uint64 (h.max, 1000000);
  q = gst_tfrc_histogram_get_quantile (&h, 0.5);
  fail_unless (q >= 500000 && q <= 625000, "%u", (guint) q);
  q = gst_tfrc_histogram_get_quantile (&h, 0.99);
  fail_unless (q >= 990000 && q <= 1000000, "%u", (guint) q);
  gst_tfrc_histogram_add (&h, G_MAXUINT64 / 2);
  fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 1),
      G_MAXUINT64 / 2);
}

GST_END_TEST;

static Suite *
parts_suite (void)
{
  Suite *s = suite_create ("parts");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, entries_are_called_in_the_order_of_their_times);
  tcase_add_test (tc, a_cancelled_entry_does_not_run_any_more);
  tcase_add_test (tc, alarms_ring_once_and_together_and_never_late);
  tcase_add_test (tc, an_alarm_is_waited_for_from_when_it_is_the_first);
  tcase_add_test (tc, flows_of_one_context_and_clock_share_a_scheduler);
  tcase_add_test (tc, an_entry_may_leave_when_it_is_called);
  tcase_add_test (tc, the_engines_time_goes_on_when_the_clock_changes);
  tcase_add_test (tc, a_timer_waits_for_the_earliest_time_that_was_armed);
  tcase_add_test (tc, pauses_do_not_lower_the_packet_rate);
  tcase_add_test (tc, the_byte_rate_counts_headers_and_pauses);
  tcase_add_test (tc, a_quantile_is_at_most_a_quarter_too_large);
  return s;
}

GST_CHECK_MAIN (parts);
