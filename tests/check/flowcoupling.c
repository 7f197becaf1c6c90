/* gst-tfrc tests: a flow among those that share the rate of one flow
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The three functions of the engine's sender that a flow of a group calls are of this program, so that a test says in
 * which state a flow is, and sees which rate it gets. */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "filter/flowcoupling.h"
#include "heap.h"

#define START (1000 * GST_SECOND)
#define RATE 100000.0           /* bytes/s of a flow alone, by its losses */
#define OVERHEAD 40             /* bytes of headers of a packet */
#define PACKET_RATE 50          /* that is assumed */
#define BITS 5                  /* any that the sender returns */

typedef struct
{
  GstTfrcFlowCoupling coupling;
  TfrcFlowState state;
  gdouble R_sample;             /* s, of its last report */
  gdouble rate;                 /* that the sender got last */
  guint n_rates;
} Flow;

static Flow flows[TFRC_COUPLING_FLOWS + 1];

static Flow *
get_flow (gconstpointer sender)
{
  return (Flow *) sender;
}

static TfrcSender *
get_sender (Flow * flow)
{
  return (TfrcSender *) flow;
}

void
tfrc_sender_get_flow_state (const TfrcSender * sender, TfrcFlowState * state)
{
  *state = get_flow (sender)->state;
}

unsigned
tfrc_sender_set_coupled_rate (TfrcSender * sender, double rate, TfrcTime now)
{
  fail_unless (now == START);
  get_flow (sender)->rate = rate;
  get_flow (sender)->n_rates++;
  return BITS;
}

void
tfrc_sender_get_allowance (const TfrcSender * sender, TfrcAllowance * allowance)
{
  *allowance = (TfrcAllowance) {
      .s = 1000,
      .X_recv = get_flow (sender)->state.X_recv,
      .R_sample = get_flow (sender)->R_sample
  };
}

/* A group was freed. */
static gconstpointer watched;
static gboolean was_freed;

void
g_free (gpointer mem)
{
  was_freed = was_freed || (mem != NULL && mem == watched);
  free (mem);
}

/* A flow that wants all it can get, and has lost packets. */
static Flow *
begin (guint i, GstTfrcCouplingGroup * group)
{
  flows[i].state = (TfrcFlowState) {
      .X = RATE,
      .X_Bps = RATE,
      .X_recv = RATE,
      .X_used = INFINITY,
      .X_max = INFINITY,
      .scale = 1,
      .R = 100 * GST_MSECOND,
      .reports = 1,
      .losses = 1
  };
  flows[i].R_sample = 0;
  flows[i].coupling.wants.priority = TFRC_PRIORITY_MEDIUM;
  gst_tfrc_flow_coupling_set_group (&flows[i].coupling, group,
      get_sender (&flows[i]), START);
  return &flows[i];
}

static unsigned
update (Flow * flow)
{
  return gst_tfrc_flow_coupling_update (&flow->coupling, get_sender (flow), 0,
      OVERHEAD, START);
}

static unsigned
follow (Flow * flow)
{
  return gst_tfrc_flow_coupling_follow (&flow->coupling, get_sender (flow),
      START);
}

static void
end (Flow * flow)
{
  gst_tfrc_flow_coupling_set_group (&flow->coupling, NULL, NULL, START);
}

static gdouble
get_stat (const Flow * flow, const gchar * name)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  gdouble value = -1;
  guint n;

  gst_tfrc_flow_coupling_add_stats (&flow->coupling, stats);
  if (gst_structure_get_uint (stats, name, &n))
    value = n;
  gst_structure_get_double (stats, name, &value);
  gst_structure_free (stats);
  return value;
}

static void
expect_close (gdouble value, gdouble expected)
{
  fail_unless (ABS (value - expected) < 1e-6 * expected, "%g, expected %g",
      value, expected);
}

/* --- groups --- */

GST_START_TEST (one_name_is_one_group)
{
  GstTfrcCouplingGroup *a = gst_tfrc_coupling_group_get ("a");
  GstTfrcCouplingGroup *b = gst_tfrc_coupling_group_get ("b");
  GstTfrcCouplingGroup *none = gst_tfrc_coupling_group_get (NULL);
  GstTfrcCouplingGroup *empty = gst_tfrc_coupling_group_get ("");
  GstTfrcCouplingGroup *other = gst_tfrc_coupling_group_get ("");

  fail_unless (gst_tfrc_coupling_group_get ("a") == a);
  fail_if (a == b || none == a || empty == none || other == empty);
  watched = a;
  gst_tfrc_coupling_group_unref (a);
  fail_if (was_freed);
  fail_unless (gst_tfrc_coupling_group_get ("a") == a);
  gst_tfrc_coupling_group_unref (a);
  gst_tfrc_coupling_group_unref (a);
  fail_unless (was_freed);
  fail_unless (gst_tfrc_coupling_group_get ("b") == b);
  gst_tfrc_coupling_group_unref (b);
  gst_tfrc_coupling_group_unref (b);
  gst_tfrc_coupling_group_unref (none);
  gst_tfrc_coupling_group_unref (empty);
  was_freed = FALSE;
  watched = other;
  gst_tfrc_coupling_group_unref (other);
  fail_unless (was_freed);
}

GST_END_TEST;

GST_START_TEST (a_group_that_has_gone_begins_anew)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get ("a");
  Flow *one = begin (0, group), *other;

  gst_tfrc_coupling_group_unref (group);
  update (one);
  watched = group;
  end (one);
  fail_unless (was_freed);
  watched = NULL;
  group = gst_tfrc_coupling_group_get ("a");
  other = begin (1, group);
  gst_tfrc_coupling_group_unref (group);
  update (other);
  fail_unless (get_stat (other, "coupled-flows") < 0);
  end (other);
}

GST_END_TEST;

GST_START_TEST (groups_leave_no_memory_behind)
{
  gsize before = 0;
  guint i;

  for (i = 0; i < 20000; i++) {
    gchar *name = g_strdup_printf ("a long name of a group, number %u", i);

    if (i == 1000)
      before = heap_get_used ();
    gst_tfrc_coupling_group_unref (gst_tfrc_coupling_group_get (name));
    g_free (name);
  }
  fail_unless (heap_get_used () < before + 10000);
}

GST_END_TEST;

/* --- flows --- */

GST_START_TEST (a_flow_joins_with_its_first_report)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *other = begin (1, group);

  one->state.reports = 0;
  fail_unless_equals_int (update (one), 0);
  fail_unless_equals_int (follow (one), 0);
  fail_unless_equals_int (update (other), BITS);
  fail_unless (isinf (other->rate));
  fail_unless (get_stat (other, "coupled-flows") < 0);
  fail_unless_equals_int (one->n_rates, 0);
  one->state.reports = 1;
  fail_unless_equals_int (update (one), BITS);
  fail_unless_equals_int (one->n_rates, 1);
  fail_unless (get_stat (one, "coupled-flows") == 2);
  end (one);
  end (other);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

/* Two flows of one kind have half of the rate each; what has not changed is not set again. */
GST_START_TEST (each_flow_gets_its_rate_once)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *other = begin (1, group);

  update (one);
  update (other);
  fail_unless_equals_int (other->n_rates, 1);
  fail_unless_equals_int (one->n_rates, 1);
  fail_unless_equals_int (follow (one), BITS);
  fail_unless_equals_int (one->n_rates, 2);
  fail_unless_equals_int (follow (one), 0);
  fail_unless_equals_int (follow (other), 0);
  fail_unless_equals_int (update (one), 0);
  fail_unless_equals_int (one->n_rates, 2);
  fail_unless_equals_int (other->n_rates, 1);
  expect_close (one->rate, get_stat (one, "coupled-rate") / 16);
  expect_close (one->rate, other->rate);
  expect_close (get_stat (one, "coupled-portion"), 0.5);
  /* a change of one is a change of both */
  one->state.X_max = RATE / 10;
  fail_unless_equals_int (update (one), BITS);
  fail_unless_equals_int (follow (other), BITS);
  expect_close (one->rate, RATE / 10);
  expect_close (other->rate, get_stat (one, "coupled-rate") / 8 - RATE / 10);
  fail_unless_equals_int (follow (one), 0);
  end (one);
  end (other);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

/* What one flow takes another one has given up: that the rates are others is not lost. */
GST_START_TEST (each_of_two_changes_counts)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *two = begin (1, group);
  Flow *three = begin (2, group);

  update (one);
  update (two);
  update (three);
  follow (one);
  gst_tfrc_flow_coupling_leave (&two->coupling, get_sender (two), START);
  three->state.X_max = RATE / 10;
  fail_unless_equals_int (update (three), BITS);
  fail_unless_equals_int (follow (one), BITS);
  expect_close (one->rate, get_stat (one, "coupled-rate") / 8 - RATE / 10);
  end (one);
  end (two);
  end (three);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

GST_START_TEST (an_idle_flow_leaves_its_rate_to_the_others)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *other = begin (1, group);

  update (one);
  update (other);
  one->state.idle = TRUE;
  fail_unless_equals_int (update (one), BITS);
  fail_unless (isinf (one->rate));
  fail_if (one->coupling.joined);
  fail_unless_equals_int (follow (other), BITS);
  fail_unless (isinf (other->rate));
  fail_unless (get_stat (other, "coupled-flows") < 0);
  /* once */
  one->n_rates = 0;
  fail_unless_equals_int (update (one), 0);
  fail_unless_equals_int (one->n_rates, 0);
  end (one);
  end (other);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

static unsigned
report (Flow * flow, gdouble X_recv, gdouble R_sample)
{
  flow->state.X_recv = X_recv;
  flow->R_sample = R_sample;
  return update (flow);
}

/* The path comes down to a fifth of its rate. What the video sends meanwhile would wait in a full queue, and the voice
 * with it. */
GST_START_TEST (video_that_pauses_leaves_the_queue_to_voice_afterwards)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *voice = begin (0, group), *video = begin (1, group);
  guint i;

  voice->coupling.wants.min_bitrate = 32000;
  update (voice);
  for (i = 0; i < 3; i++)
    report (video, 100000, 0.05);
  fail_unless (isfinite (video->rate) && video->rate > 20000, "%g",
      video->rate);
  for (i = 0; i < 2; i++)
    report (video, 20000, 0.2);
  fail_unless (video->rate < 10000, "%g", video->rate);
  video->state.idle = TRUE;
  fail_unless_equals_int (update (video), BITS);
  fail_unless (video->rate < 10000, "%g", video->rate);
  fail_if (video->coupling.joined);
  video->state.idle = FALSE;
  fail_unless_equals_int (report (video, 8000, 0.05), BITS);
  fail_unless (video->rate > 10000 && video->rate < 15000, "%g", video->rate);
  /* there is nobody to leave it to */
  end (voice);
  update (video);
  fail_unless (isinf (video->rate));
  end (video);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

GST_START_TEST (a_flow_that_leaves_has_its_own_rate)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *other = begin (1, group);

  fail_unless_equals_int (gst_tfrc_flow_coupling_leave (&one->coupling,
          get_sender (one), START), 0);
  update (one);
  update (other);
  fail_unless_equals_int (gst_tfrc_flow_coupling_leave (&one->coupling,
          get_sender (one), START), BITS);
  fail_unless (isinf (one->rate));
  fail_unless_equals_int (follow (one), 0);
  fail_unless_equals_int (follow (other), BITS);
  fail_unless_equals_int (gst_tfrc_flow_coupling_leave (&other->coupling, NULL,
          START), 0);
  fail_if (other->coupling.joined);
  /* another group, and none */
  update (one);
  gst_tfrc_coupling_group_unref (group);
  group = gst_tfrc_coupling_group_get (NULL);
  one->rate = 0;
  gst_tfrc_flow_coupling_set_group (&one->coupling, group, get_sender (one),
      START);
  fail_unless (isinf (one->rate));
  fail_if (one->coupling.joined);
  fail_unless (one->coupling.group == group);
  end (one);
  fail_unless (one->coupling.group == NULL);
  fail_unless_equals_int (update (one), 0);
  end (other);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

/* Both groups have changed their rates as often. */
GST_START_TEST (a_flow_gets_its_rate_in_another_group)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  GstTfrcCouplingGroup *next = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *two = begin (1, group), *three;

  update (one);
  update (two);
  three = begin (2, next);
  update (three);
  gst_tfrc_flow_coupling_set_group (&two->coupling, next, get_sender (two),
      START);
  fail_unless_equals_int (update (two), BITS);
  follow (three);
  expect_close (two->rate, three->rate);
  end (one);
  end (two);
  end (three);
  gst_tfrc_coupling_group_unref (group);
  gst_tfrc_coupling_group_unref (next);
}

GST_END_TEST;

GST_START_TEST (one_flow_too_many_goes_alone)
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *last = &flows[TFRC_COUPLING_FLOWS];
  guint i;

  for (i = 0; i < TFRC_COUPLING_FLOWS; i++)
    fail_unless_equals_int (update (begin (i, group)), BITS);
  fail_unless_equals_int (update (begin (i, group)), 0);
  fail_unless_equals_int (last->n_rates, 0);
  fail_unless (get_stat (last, "coupled-flows") < 0);
  fail_unless (get_stat (flows, "coupled-flows") == TFRC_COUPLING_FLOWS);
  for (i = 0; i <= TFRC_COUPLING_FLOWS; i++)
    end (&flows[i]);
  gst_tfrc_coupling_group_unref (group);
}

GST_END_TEST;

/* --- wants --- */

/* The rates of two flows, the first of which has these wants; what they have together. */
static gdouble
share (GstTfrcFlowWants wants, gdouble packet_rate, gdouble X_used,
    gdouble rates[2])
{
  GstTfrcCouplingGroup *group = gst_tfrc_coupling_group_get (NULL);
  Flow *one = begin (0, group), *other = begin (1, group);
  gdouble S_CR;

  one->coupling.wants = wants;
  one->state.X_used = X_used;
  update (other);
  gst_tfrc_flow_coupling_update (&one->coupling, get_sender (one), packet_rate,
      OVERHEAD, START);
  follow (other);
  rates[0] = one->rate;
  rates[1] = other->rate;
  S_CR = get_stat (one, "coupled-rate") / 8;
  expect_close (rates[0] + rates[1], S_CR);
  end (one);
  end (other);
  gst_tfrc_coupling_group_unref (group);
  return S_CR;
}

GST_START_TEST (rates_are_divided_by_priority)
{
  gdouble rates[2];

  share ((GstTfrcFlowWants) {
          .priority = TFRC_PRIORITY_HIGH}, 0, INFINITY, rates);
  expect_close (rates[0], 2 * rates[1]);
  share ((GstTfrcFlowWants) {
          .priority = TFRC_PRIORITY_VERY_LOW}, 0, INFINITY, rates);
  expect_close (4 * rates[0], rates[1]);
  /* nothing is known of it */
  share ((GstTfrcFlowWants) {.priority = 0}, 0, INFINITY, rates);
  expect_close (rates[0], rates[1]);
}

GST_END_TEST;

GST_START_TEST (a_minimum_is_of_payload_and_goes_first)
{
  GstTfrcFlowWants wants = {
    .priority = TFRC_PRIORITY_MEDIUM,
    .min_bitrate = 200000
  };
  gdouble rates[2], S_CR, min = 200000 / 8 + PACKET_RATE * OVERHEAD;

  S_CR = share (wants, 0, INFINITY, rates);
  expect_close (rates[0], min + (S_CR - min) / 2);
  min = 200000 / 8 + 30 * OVERHEAD;
  S_CR = share (wants, 30, INFINITY, rates);
  expect_close (rates[0], min + (S_CR - min) / 2);
  min = 200000 / 8 + 0.5 * OVERHEAD;
  S_CR = share (wants, 0.5, INFINITY, rates);
  expect_close (rates[0], min + (S_CR - min) / 2);
}

GST_END_TEST;

GST_START_TEST (a_minimum_of_voice_is_twice_what_it_uses)
{
  GstTfrcFlowWants wants = {
    .priority = TFRC_PRIORITY_MEDIUM,
    .min_bitrate = 200000,
    .min_as_used = TRUE
  };
  gdouble rates[2];

  share (wants, 0, 7000, rates);
  expect_close (rates[0], 2 * 7000);
  share (wants, 0, 20000, rates);
  expect_close (rates[0], 200000 / 8 + PACKET_RATE * OVERHEAD);
  /* as it is: the rest is of the flow that wants more */
  wants.min_as_used = FALSE;
  share (wants, 0, 7000, rates);
  expect_close (rates[0], 200000 / 8 + PACKET_RATE * OVERHEAD);
}

GST_END_TEST;

GST_START_TEST (a_maximum_is_of_payload)
{
  GstTfrcFlowWants wants = {
    .priority = TFRC_PRIORITY_HIGH,
    .max_bitrate = 80000
  };
  gdouble rates[2];

  share (wants, 0, INFINITY, rates);
  expect_close (rates[0], 80000 / 8 + PACKET_RATE * OVERHEAD);
  share (wants, 25, INFINITY, rates);
  expect_close (rates[0], 80000 / 8 + 25 * OVERHEAD);
  wants.max_bitrate = 1;
  share (wants, 0, INFINITY, rates);
  expect_close (rates[0], 1 / 8.0 + PACKET_RATE * OVERHEAD);
}

GST_END_TEST;

static Suite *
flowcoupling_suite (void)
{
  Suite *s = suite_create ("flowcoupling");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, one_name_is_one_group);
  tcase_add_test (tc, a_group_that_has_gone_begins_anew);
  tcase_add_test (tc, groups_leave_no_memory_behind);
  tcase_add_test (tc, a_flow_joins_with_its_first_report);
  tcase_add_test (tc, each_flow_gets_its_rate_once);
  tcase_add_test (tc, each_of_two_changes_counts);
  tcase_add_test (tc, an_idle_flow_leaves_its_rate_to_the_others);
  tcase_add_test (tc, video_that_pauses_leaves_the_queue_to_voice_afterwards);
  tcase_add_test (tc, a_flow_that_leaves_has_its_own_rate);
  tcase_add_test (tc, a_flow_gets_its_rate_in_another_group);
  tcase_add_test (tc, one_flow_too_many_goes_alone);
  tcase_add_test (tc, rates_are_divided_by_priority);
  tcase_add_test (tc, a_minimum_is_of_payload_and_goes_first);
  tcase_add_test (tc, a_minimum_of_voice_is_twice_what_it_uses);
  tcase_add_test (tc, a_maximum_is_of_payload);
  return s;
}

GST_CHECK_MAIN (flowcoupling);
