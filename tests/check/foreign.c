/* gst-tfrc tests: the rate event, as an encoder sees it that knows the installed header alone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "foreignencoder.h"
#include "send.h"

#define CAPS "audio/x-raw, format=S16LE, rate=8000, " \
    "channels=1, layout=interleaved"

static GstHarness *
start_encoder (void)
{
  GstElement *encoder = g_object_new (foreign_encoder_get_type (), NULL);
  GstHarness *h;

  gst_object_ref_sink (encoder);
  h = gst_harness_new_with_element (encoder, "sink", "src");
  gst_object_unref (encoder);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

/* Bytes of the frame that 20 ms of sound give; 0 when there is none. */
static gsize
encode (GstHarness * h, guint frame)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 320, NULL);
  gsize size;

  GST_BUFFER_PTS (buffer) = frame * FRAME;
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  buffer = gst_harness_try_pull (h);
  if (buffer == NULL)
    return 0;
  size = gst_buffer_get_size (buffer);
  gst_buffer_unref (buffer);
  return size;
}

/* Every event that rtptfrcsend sent upstream; returns the last bit rate. */
static guint
hand_on (Filter * f, GstHarness * h)
{
  GstStructure *rate;
  guint bitrate = 0;

  while ((rate = filter_take_rate (f)) != NULL) {
    bitrate = rate_get_uint (rate, "bitrate");
    gst_harness_push_upstream_event (h,
        gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, rate));
  }
  return bitrate;
}

/* A packet of `payload` bytes departs and arrives, and a report on it comes after R. */
static void
send_and_report (Filter * f, guint payload, guint32 x_recv_Bps, gdouble p)
{
  TfrcStamp stamp;

  filter_push (f, payload);
  stamp = filter_take_stamp (f);
  filter_advance (f, R);
  filter_report (f, stamp.t_i_us, 0, x_recv_Bps, p);
}

GST_START_TEST (foreign_encoder_obeys_the_event)
{
  Filter f;
  GstHarness *h;
  guint high, low;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  h = start_encoder ();
  fail_unless_equals_uint64 (encode (h, 0), 160);
  send_and_report (&f, 1100, 0, 0);
  high = hand_on (&f, h);
  fail_unless_equals_uint64 (encode (h, 1), high / 400);
  send_and_report (&f, 148, 8600, 0.05);
  low = hand_on (&f, h);
  fail_unless (low > 0 && low < high / 2, "%u bit/s, then %u", high, low);
  fail_unless_equals_uint64 (encode (h, 2), low / 400);
  gst_harness_teardown (h);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (foreign_encoder_is_silent_while_it_is_suspended)
{
  Filter f;
  GstHarness *h;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp min-bitrate=16000");
  h = start_encoder ();
  send_and_report (&f, 1100, 0, 0);
  hand_on (&f, h);
  fail_unless (encode (h, 0) > 0);
  send_and_report (&f, 148, 8600, 0.5);
  hand_on (&f, h);
  fail_unless_equals_uint64 (encode (h, 1), 0);
  gst_harness_teardown (h);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
foreign_suite (void)
{
  Suite *s = suite_create ("foreign");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, foreign_encoder_obeys_the_event);
  tcase_add_test (tc, foreign_encoder_is_silent_while_it_is_suspended);
  return s;
}

GST_CHECK_MAIN (foreign);
