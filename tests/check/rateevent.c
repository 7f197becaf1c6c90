/* gst-tfrc tests: the rate event
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <string.h>

#include "base/rateevent.h"
#include "leaks.h"

static GstTfrcRate
make_rate (GstTfrcRateReason reason)
{
  return (GstTfrcRate) {
      .bitrate = 24000,
      .payload_size = 60,
      .packet_rate = 50.5,
      .allowance = {
        .max_packet_rate = 100.0,
        .X = 4001.5,
        .X_wire = 6001.5,
        .X_Bps = 5001.5,
        .X_recv = 4501.5,
        .p = 0.015,
        .R = 0.08,
        .R_sample = 0.081,
        .capacity = 30001.5,
        .s = 80.25
      },
      .loss = 0.025,
      .playout = 400 * GST_MSECOND,
      .header_size = 28,
      .overhead = 24,
      .queue_delay = 3 * GST_MSECOND,
      .dropped = 17,
      .picture_height = 360,
      .frame_rate = 15,
      .coupled = reason % (GST_TFRC_COUPLED_REST + 1),
      .mode = TFRC_MODE_TFRC_SP,
      .reason = reason,
      .suspend = TRUE,
      .ssrc = 0xcafebabe
  };
}

GST_START_TEST (a_rate_event_carries_every_field)
{
  static const gchar *const reasons[] = {
    "start", "report", "loss", "nofeedback", "restart", "suspend", "resume"
  };
  static const gchar *const coupled[] = { "no", "first", "rest" };
  GstTfrcRate sent = make_rate (__i__), got;
  GstEvent *event = gst_tfrc_rate_event_new (&sent);

  memset (&got, 0xff, sizeof got);
  fail_unless_equals_int (GST_EVENT_TYPE (event), GST_EVENT_CUSTOM_UPSTREAM);
  fail_unless_equals_string (gst_structure_get_string (gst_event_get_structure
          (event), "reason"), reasons[__i__]);
  fail_unless (gst_tfrc_rate_event_parse (event, &got));
  fail_unless_equals_int (got.bitrate, sent.bitrate);
  fail_unless_equals_int (got.picture_height, sent.picture_height);
  fail_unless_equals_int (got.frame_rate, sent.frame_rate);
  fail_unless_equals_int (got.payload_size, sent.payload_size);
  fail_unless_equals_float (got.packet_rate, sent.packet_rate);
  fail_unless_equals_float (got.allowance.max_packet_rate,
      sent.allowance.max_packet_rate);
  fail_unless_equals_float (got.allowance.X, sent.allowance.X);
  fail_unless_equals_float (got.allowance.X_wire, sent.allowance.X_wire);
  fail_unless_equals_float (got.allowance.X_Bps, sent.allowance.X_Bps);
  fail_unless_equals_float (got.allowance.X_recv, sent.allowance.X_recv);
  fail_unless_equals_float (got.allowance.p, sent.allowance.p);
  fail_unless_equals_float (got.loss, sent.loss);
  fail_unless_equals_uint64 (got.playout, sent.playout);
  fail_unless_equals_float (got.allowance.R, sent.allowance.R);
  fail_unless_equals_float (got.allowance.R_sample, sent.allowance.R_sample);
  fail_unless_equals_float (got.allowance.capacity, sent.allowance.capacity);
  fail_unless_equals_float (got.allowance.s, sent.allowance.s);
  fail_unless_equals_int (got.header_size, sent.header_size);
  fail_unless_equals_int (got.overhead, sent.overhead);
  fail_unless_equals_uint64 (got.queue_delay, sent.queue_delay);
  fail_unless_equals_uint64 (got.dropped, sent.dropped);
  fail_unless_equals_int (got.coupled, __i__ % (GST_TFRC_COUPLED_REST + 1));
  fail_unless_equals_string (gst_structure_get_string (gst_event_get_structure
          (event), "coupled"), coupled[got.coupled]);
  fail_unless_equals_int (got.mode, TFRC_MODE_TFRC_SP);
  fail_unless_equals_int (got.reason, __i__);
  fail_unless_equals_int (got.suspend, TRUE);
  fail_unless_equals_uint64 (got.ssrc, sent.ssrc);
  gst_event_unref (event);
}

GST_END_TEST;

/* The event without one of its fields. */
static GstEvent *
make_event_without (const gchar * field)
{
  GstTfrcRate rate = make_rate (GST_TFRC_RATE_LOSS);
  GstEvent *event = gst_tfrc_rate_event_new (&rate);

  gst_structure_remove_field (gst_event_writable_structure (event), field);
  return event;
}

GST_START_TEST (a_rate_event_without_a_field_that_is_due_is_refused)
{
  static const gchar *const due[] = {
    "bitrate", "payload-size", "packet-rate", "max-packet-rate", "X", "X-wire",
    "p", "R",
    "header-size", "overhead", "queue-delay", "suspend", "ssrc"
  };
  GstTfrcRate rate;

  for (guint i = 0; i < G_N_ELEMENTS (due); i++) {
    GstEvent *event = make_event_without (due[i]);

    fail_if (gst_tfrc_rate_event_parse (event, &rate), "%s", due[i]);
    gst_event_unref (event);
  }
}

GST_END_TEST;

GST_START_TEST (what_a_rate_event_need_not_have_is_unknown)
{
  static const gchar *const fields[] = {
    "R-sample", "dropped", "segment-size", "X-Bps", "X-recv", "loss", "mode",
    "reason", "transit", "capacity", "coupled"
  };
  GstTfrcRate rate = make_rate (GST_TFRC_RATE_LOSS);
  GstEvent *event = gst_tfrc_rate_event_new (&rate);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    gst_structure_remove_field (gst_event_writable_structure (event),
        fields[i]);
  fail_unless (gst_tfrc_rate_event_parse (event, &rate));
  fail_unless_equals_float (rate.allowance.R_sample, 0.0);
  fail_unless_equals_uint64 (rate.dropped, 0);
  fail_unless_equals_float (rate.allowance.s, 0.0);
  fail_unless_equals_float (rate.allowance.X_Bps, 0.0);
  fail_unless_equals_float (rate.allowance.X_recv, 0.0);
  fail_unless_equals_float (rate.allowance.capacity, 0.0);
  fail_unless_equals_float (rate.loss, -1.0);
  fail_unless_equals_int (rate.coupled, GST_TFRC_COUPLED_NO);
  fail_unless_equals_int (rate.mode, TFRC_MODE_TFRC);
  fail_unless_equals_int (rate.reason, GST_TFRC_RATE_REPORT);
  gst_event_unref (event);
}

GST_END_TEST;

GST_START_TEST (other_events_are_no_rate_events)
{
  GstTfrcRate rate = make_rate (GST_TFRC_RATE_START);
  GstEvent *same = gst_tfrc_rate_event_new (&rate);
  GstEvent *others[] = {
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
        gst_structure_copy (gst_event_get_structure (same))),
    gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, NULL),
    gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_copy
        (gst_event_get_structure (same))),
  };

  gst_structure_set_name (gst_event_writable_structure (others[2]),
      "application/x-other");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    fail_if (gst_tfrc_rate_event_parse (others[i], &rate), "%u", i);
    gst_event_unref (others[i]);
  }
  gst_event_unref (same);
}

GST_END_TEST;

GST_START_TEST (no_limit_of_the_packet_rate_is_0_in_the_event)
{
  GstTfrcRate rate = make_rate (GST_TFRC_RATE_START), got;
  GstEvent *event;
  gdouble limit = -1;

  rate.allowance.max_packet_rate = INFINITY;
  event = gst_tfrc_rate_event_new (&rate);
  fail_unless (gst_structure_get_double (gst_event_get_structure (event),
          "max-packet-rate", &limit));
  fail_unless_equals_float (limit, 0.0);
  fail_unless (gst_tfrc_rate_event_parse (event, &got));
  fail_unless (isinf (got.allowance.max_packet_rate));
  gst_event_unref (event);
}

GST_END_TEST;

static Suite *
rateevent_suite (void)
{
  Suite *suite = suite_create ("rateevent");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, a_rate_event_carries_every_field, 0,
      GST_TFRC_RATE_RESUME + 1);
  tcase_add_test (tcase, a_rate_event_without_a_field_that_is_due_is_refused);
  tcase_add_test (tcase, what_a_rate_event_need_not_have_is_unknown);
  tcase_add_test (tcase, other_events_are_no_rate_events);
  tcase_add_test (tcase, no_limit_of_the_packet_rate_is_0_in_the_event);
  return suite;
}

GST_CHECK_MAIN (rateevent);
