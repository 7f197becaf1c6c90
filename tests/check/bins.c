/* gst-tfrc tests: calls from tfrcsink to tfrcsrc in the network and the time of net.h
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <string.h>

#include "ends.h"

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static void
tear_down (void)
{
  net_stop ();
}

/* Within the test: its threads are to have ended with it. */
static void
stop (void)
{
  ends_stop (&ends);
  fail_unless_equals_int (net_count_sockets (), 0);
}

GST_START_TEST (a_call_plays_in_either_mode)
{
  static const gchar *const modes[] = { "mode=tfrc", "mode=tfrc-sp" };

  ends_start_receiver (&ends, modes[__i__]);
  ends_start_sender (&ends, modes[__i__]);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, 2 * GST_SECOND), 100);
  fail_unless_equals_int (ends.earlier, 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-of-others"), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "send-errors"), 0);
  fail_unless (ends_get_stat (ends.sink, "reports") > 20);
  stop ();
}

GST_END_TEST;

static Suite *
bins_suite (void)
{
  Suite *suite = suite_create ("bins");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, tear_down);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, a_call_plays_in_either_mode, 0, 2);
  return suite;
}

GST_CHECK_MAIN (bins);
