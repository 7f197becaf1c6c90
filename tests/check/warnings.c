/* gst-tfrc tests: warnings that whoever sends packets can cause are few, and say how many
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/messages.h"
#include "leaks.h"

#define SECOND(n) ((n) * GST_SECOND)

typedef struct
{
  guint posted;
  guint64 count;                /* the sum of their counts */
} Warnings;

/* Its count, which is in its details, and in its text too when it is more than one; 0:
 * there is none. */
static guint64
get_count (GstMessage * message)
{
  const GstStructure *details = NULL;
  GError *error = NULL;
  guint64 count = 0;
  gchar *number;

  gst_message_parse_warning (message, &error, NULL);
  gst_message_parse_warning_details (message, &details);
  if (details != NULL)
    fail_unless (gst_structure_get_uint64 (details, "count", &count));
  number = g_strdup_printf ("%" G_GUINT64_FORMAT " times", count);
  fail_unless ((strstr (error->message, number) != NULL) == (count > 1),
      "%s", error->message);
  g_free (number);
  g_error_free (error);
  return count;
}

static Warnings
take_warnings (GstBus * bus)
{
  Warnings warnings = { 0, };
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    warnings.posted++;
    warnings.count += get_count (message);
    gst_message_unref (message);
  }
  return warnings;
}

static void
check_warnings (GstBus * bus, guint posted, guint64 count)
{
  Warnings warnings = take_warnings (bus);

  fail_unless_equals_int (warnings.posted, posted);
  fail_unless_equals_uint64 (warnings.count, count);
}

/* The count by itself. */

GST_START_TEST (one_in_ten_seconds_counts_all_before)
{
  GstTfrcWarning warning = { FALSE };
  guint64 counted = 0;
  guint ms, posted = 0;

  for (ms = 0; ms <= 60000; ms += 100) {
    guint64 count = gst_tfrc_warning_count (&warning, ms * GST_MSECOND);

    fail_unless_equals_uint64 (count, ms == 0 ? 1 : ms % 10000 == 0 ? 100 : 0);
    posted += count > 0;
    counted += count;
  }
  fail_unless_equals_int (posted, 7);
  fail_unless_equals_uint64 (counted, 601);
}

GST_END_TEST;

GST_START_TEST (a_clock_that_is_put_back_silences_nothing)
{
  GstTfrcWarning warning = { FALSE };

  fail_unless_equals_uint64 (gst_tfrc_warning_count (&warning, SECOND (1000)),
      1);
  fail_unless_equals_uint64 (gst_tfrc_warning_count (&warning, SECOND (1001)),
      0);
  fail_unless_equals_uint64 (gst_tfrc_warning_count (&warning, SECOND (1)), 2);
  fail_unless_equals_uint64 (gst_tfrc_warning_count (&warning, SECOND (10)), 0);
  fail_unless_equals_uint64 (gst_tfrc_warning_count (&warning, SECOND (11)), 2);
}

GST_END_TEST;

/* In a bin, whose children may be anybody's. */

typedef struct
{
  GstBin *bin;
  GstElement *a, *b;
  GstTestClock *clock;
  GstBus *bus;
  GstTfrcChildWarnings warnings;
} Family;

static void
start_family (Family * f)
{
  memset (f, 0, sizeof (*f));
  f->bin = GST_BIN (gst_object_ref_sink (gst_bin_new (NULL)));
  f->a = gst_element_factory_make ("fakesrc", NULL);
  f->b = gst_element_factory_make ("fakesink", NULL);
  gst_bin_add_many (f->bin, f->a, f->b, NULL);
  f->clock = GST_TEST_CLOCK (gst_test_clock_new ());
  gst_element_set_clock (GST_ELEMENT (f->bin), GST_CLOCK (f->clock));
  f->bus = gst_bus_new ();
}

static void
end_family (Family * f)
{
  gst_tfrc_child_warnings_clear (&f->warnings);
  gst_object_unref (f->bus);
  gst_object_unref (f->clock);
  gst_object_unref (f->bin);
}

static void
warn (Family * f, GstElement * child, gint code)
{
  GError *error = g_error_new_literal (GST_STREAM_ERROR, code, "Bad");
  GstMessage *message = gst_tfrc_child_warnings_filter (&f->warnings, f->bin,
      NULL, gst_message_new_warning (GST_OBJECT (child), error, "debug"));

  if (message != NULL) {
    fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (child));
    gst_bus_post (f->bus, message);
  }
  g_error_free (error);
}

GST_START_TEST (a_kind_is_an_element_type_and_a_code)
{
  Family f;
  guint i;

  start_family (&f);
  for (i = 0; i < 1000; i++) {
    warn (&f, f.a, GST_STREAM_ERROR_DECODE);
    warn (&f, f.a, GST_STREAM_ERROR_FORMAT);
    warn (&f, f.b, GST_STREAM_ERROR_DECODE);
  }
  check_warnings (f.bus, 3, 3);
  gst_test_clock_set_time (f.clock, SECOND (10) - 1);
  warn (&f, f.a, GST_STREAM_ERROR_DECODE);
  check_warnings (f.bus, 0, 0);
  gst_test_clock_set_time (f.clock, SECOND (10));
  warn (&f, f.a, GST_STREAM_ERROR_DECODE);
  check_warnings (f.bus, 1, 1001);
  end_family (&f);
}

GST_END_TEST;

/* The elements. */

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  guint seq;
} Rig;

static void
start (Rig * rig, const gchar * factory, const gchar * caps)
{
  rig->h = gst_harness_new (factory);
  gst_harness_use_testclock (rig->h);
  rig->bus = gst_bus_new ();
  gst_element_set_bus (rig->h->element, rig->bus);
  rig->seq = 0;
  gst_harness_set_src_caps_str (rig->h, caps);
}

static void
stop (Rig * rig)
{
  gst_element_set_bus (rig->h->element, NULL);
  gst_object_unref (rig->bus);
  gst_harness_teardown (rig->h);
}

static void
push (Rig * rig, guint pt, const guint8 * payload, guint size)
{
  GstBuffer *packet = gst_rtp_buffer_new_allocate (size, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, pt);
  gst_rtp_buffer_set_seq (&rtp, rig->seq);
  gst_rtp_buffer_set_timestamp (&rtp, rig->seq * 160);
  if (size > 0)
    memcpy (gst_rtp_buffer_get_payload (&rtp), payload, size);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (packet) = rig->seq++ * 20 * GST_MSECOND;
  fail_unless_equals_int (gst_harness_push (rig->h, packet), GST_FLOW_OK);
}

/* A thousand such packets in no time, and one ten seconds later: two warnings, that
 * count all. */
static void
check_flood (guint pt, const guint8 * payload, guint size)
{
  Rig rig;
  guint i;

  start (&rig, "tfrcdecodebin", "application/x-rtp,media=audio,"
      "encoding-name=CN,clock-rate=8000,payload=13");
  for (i = 0; i < 1000; i++)
    push (&rig, pt, payload, size);
  check_warnings (rig.bus, 1, 1);
  gst_harness_set_time (rig.h, SECOND (10));
  push (&rig, pt, payload, size);
  check_warnings (rig.bus, 1, 1000);
  stop (&rig);
}

/* CN, which no decoder here is for; G.722 without payload, of which the depayloader
 * warns; AMR-WB with a table of contents that promises more; RED with an empty block of
 * G.722; RED in RED, RFC 2198. */
GST_START_TEST (a_flood_of_what_no_decoder_takes_is_two_warnings)
{
  static const struct
  {
    guint pt, size;
    guint8 payload[8];
  } cases[] = {
    {13, 1, {0}}, {9, 0, {0}}, {99, 3, {0xf0, 0xc4, 0x44}}, {100, 1, {9}},
    {97, 2, {97, 0}}
  };

  check_flood (cases[__i__].pt, cases[__i__].payload, cases[__i__].size);
}

GST_END_TEST;

/* No decoder's complaint ends the stream: the bus has warnings, few, and no error. */
GST_START_TEST (random_payloads_are_few_warnings_and_no_error)
{
  static const guint pts[] = { 0, 3, 8, 9, 96, 97, 98, 99, 100, 101, 102 };
  GRand *random = g_rand_new_with_seed (5348);
  guint i, k, pt = pts[__i__], warnings = 0;
  GstMessage *message;
  Rig rig;

  start (&rig, "tfrcdecodebin", "application/x-rtp,media=audio,"
      "encoding-name=OPUS,clock-rate=48000,payload=96");
  for (i = 0; i < 2000; i++) {
    guint8 payload[64];
    guint size = g_rand_int_range (random, 0, sizeof (payload));

    for (k = 0; k < size; k++)
      payload[k] = g_rand_int (random);
    push (&rig, pt, payload, size);
  }
  while ((message = gst_bus_pop (rig.bus)) != NULL) {
    fail_if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
    warnings += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
    gst_message_unref (message);
  }
  fail_unless (warnings <= 4, "%u warnings", warnings);
  g_rand_free (random);
  stop (&rig);
}

GST_END_TEST;

/* A call that is over after one packet is no failure: opusdec waits for the error correction in the
 * second, and then has decoded nothing. */
GST_START_TEST (a_stream_of_one_packet_ends_without_an_error)
{
  static const guint8 payload[] = { 0x08, 0xff, 0xfe };
  GstMessage *message;
  GstEvent *event;
  gboolean ended = FALSE;
  Rig rig;

  start (&rig, "tfrcdecodebin", "application/x-rtp,media=audio,"
      "encoding-name=OPUS,clock-rate=48000,payload=96");
  push (&rig, 96, payload, sizeof payload);
  gst_harness_push_event (rig.h, gst_event_new_eos ());
  while ((event = gst_harness_try_pull_event (rig.h)) != NULL) {
    ended |= GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  fail_unless (ended);
  message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_ERROR);
  fail_unless (message == NULL);
  stop (&rig);
}

GST_END_TEST;

/* Caps that change with every packet, as they do for who sends payload types in turn. */
GST_START_TEST (half_of_tfrc_in_caps_that_alternate_is_two_warnings)
{
  static const gchar *const caps[] = {
    "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
        "payload=96,rtcp-fb-tfrc=true",
    "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
        "payload=97,rtcp-fb-tfrc=true"
  };
  Rig rig;
  guint i;

  start (&rig, "rtptfrcreceive", caps[0]);
  for (i = 1; i < 100; i++)
    gst_harness_set_src_caps_str (rig.h, caps[i % 2]);
  check_warnings (rig.bus, 1, 1);
  gst_harness_set_time (rig.h, SECOND (10));
  gst_harness_set_src_caps_str (rig.h, caps[0]);
  check_warnings (rig.bus, 1, 100);
  stop (&rig);
}

GST_END_TEST;

static Suite *
warnings_suite (void)
{
  Suite *s = suite_create ("warnings");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, one_in_ten_seconds_counts_all_before);
  tcase_add_test (tc, a_clock_that_is_put_back_silences_nothing);
  tcase_add_test (tc, a_kind_is_an_element_type_and_a_code);
  tcase_add_loop_test (tc, a_flood_of_what_no_decoder_takes_is_two_warnings, 0,
      5);
  tcase_add_test (tc, a_stream_of_one_packet_ends_without_an_error);
  tcase_add_loop_test (tc, random_payloads_are_few_warnings_and_no_error, 0,
      11);
  tcase_add_test (tc, half_of_tfrc_in_caps_that_alternate_is_two_warnings);
  return s;
}

GST_CHECK_MAIN (warnings);
