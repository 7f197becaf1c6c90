/* gst-tfrc tests: tfrcencodercontrol, event by event, on a clock that the test moves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>

#include "base/rateevent.h"
#include "leaks.h"

#define SOUND "audio/x-raw,format=S16LE,layout=interleaved,rate=16000,channels=1"

static GstHarness *h;
static GstElement *control;
static GstClockTime begin = 100 * GST_SECOND;
static guint notified;          /* times that current-bitrate was */

static void
on_notify (GObject * object, GParamSpec * spec, gpointer user_data)
{
  notified++;
}

/* A launch line with a tfrcencodercontrol, and what comes into it. */
static void
start (const gchar * line, const gchar * caps)
{
  h = gst_harness_new_parse (line);
  gst_harness_use_testclock (h);
  gst_harness_set_time (h, begin);
  if (caps != NULL)
    gst_harness_set_src_caps_str (h, caps);
  gst_harness_play (h);
  control = gst_harness_find_element (h, "tfrcencodercontrol");
  fail_unless (control != NULL);
  notified = 0;
  g_signal_connect (control, "notify::current-bitrate",
      G_CALLBACK (on_notify), NULL);
}

static void
stop (void)
{
  gst_object_unref (control);
  gst_harness_teardown (h);
}

static void
tell_of (GstTfrcRate rate)
{
  rate.mode = TFRC_MODE_TFRC;
  gst_harness_push_upstream_event (h, gst_tfrc_rate_event_new (&rate));
}

static void
tell_queue (guint bitrate, guint64 queue_delay)
{
  tell_of ((GstTfrcRate) {
          .bitrate = bitrate,
          .allowance.R = 0.1,
          .queue_delay = queue_delay});
}

static void
tell_rate (guint bitrate, guint64 dropped, gdouble R)
{
  tell_of ((GstTfrcRate) {
          .bitrate = bitrate,
          .allowance.R = R,
          .dropped = dropped});
}

static void
tell (guint bitrate)
{
  tell_rate (bitrate, 0, 0.1);
}

static guint
get_current (void)
{
  guint bitrate;

  g_object_get (control, "current-bitrate", &bitrate, NULL);
  return bitrate;
}

/* After an allowance of `told`, the encoder has been told `bitrate`, `times` in all. */
static void
check (guint told, guint bitrate, guint times)
{
  tell (told);
  fail_unless_equals_int (get_current (), bitrate);
  fail_unless_equals_int (notified, times);
}

static GstBuffer *
make_sound (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 640, NULL);

  gst_buffer_memset (buffer, 0, 0, 640);
  return buffer;
}

static void
push_sound (guint n)
{
  for (; n > 0; n--)
    fail_unless_equals_int (gst_harness_push (h, make_sound ()), GST_FLOW_OK);
}

/* --- the bit rate --- */

GST_START_TEST (small_changes_are_not_worth_an_encoders_while)
{
  start ("opusenc ! tfrcencodercontrol", SOUND);
  fail_unless_equals_int (get_current (), 0);
  /* nothing is known before the first report */
  tell_rate (50000, 0, 0);
  fail_unless_equals_int (get_current (), 0);
  check (50000, 50000, 1);
  check (51499, 50000, 1);
  check (48501, 50000, 1);
  check (51500, 51500, 2);
  check (49000, 49000, 3);
  /* what is set anew is told anew */
  g_object_set (control, "min-bitrate", 8000, NULL);
  check (49000, 49000, 4);
  stop ();
}

GST_END_TEST;

GST_START_TEST (the_encoder_is_kept_within_the_limits)
{
  gint bitrate;

  start ("opusenc ! tfrcencodercontrol", SOUND);
  check (100, 6000, 1);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 6000);
  g_object_set (control, "min-bitrate", 20000, "max-bitrate", 40000, NULL);
  check (100000, 40000, 2);
  check (10000, 20000, 3);
  /* the least is more important */
  g_object_set (control, "max-bitrate", 10000, NULL);
  check (15000, 20000, 4);
  g_object_set (control, "max-bitrate", 0, NULL);
  check (400000, 400000, 5);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 400000);
  stop ();
}

GST_END_TEST;

/* A restart costs more than the step of another encoder: it is made for a fifth, and raises the
 * bit rate once in a second. */
GST_START_TEST (restarts_are_few)
{
  start ("speexenc ! tfrcencodercontrol", SOUND);
  check (10000, 10000, 1);
  check (11999, 10000, 1);
  check (12000, 10000, 1);      /* within a second of the first */
  gst_harness_set_time (h, begin + GST_SECOND - 1);
  check (20000, 10000, 1);
  check (8001, 10000, 1);
  check (8000, 8000, 2);        /* less is told at once */
  gst_harness_set_time (h, begin + 2 * GST_SECOND - 2);
  check (20000, 8000, 2);
  gst_harness_set_time (h, begin + 2 * GST_SECOND - 1);
  check (20000, 20000, 3);
  stop ();
}

GST_END_TEST;

/* An encoder begins with its headers again, which those behind it have had. */
GST_START_TEST (a_restarted_encoder_has_the_new_rate_and_no_headers)
{
  guint before, headers = 0;
  GstBuffer *buffer;
  gint bitrate;

  start ("speexenc ! tfrcencodercontrol", SOUND);
  tell (10000);
  push_sound (10);
  gst_harness_get (h, "speexenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 10000);
  tell (6000);
  before = gst_harness_buffers_received (h);
  push_sound (20);
  gst_harness_get (h, "speexenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 6000);
  fail_unless (gst_harness_buffers_received (h) > before + 15);
  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    headers += GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_HEADER);
    gst_buffer_unref (buffer);
  }
  /* the first restart was before the first buffer */
  fail_unless_equals_int (headers, 0);
  stop ();
}

GST_END_TEST;

/* --- which encoder --- */

static gchar *
get_warning (GstBus * bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  gchar *debug = NULL;

  if (message == NULL)
    return NULL;
  gst_message_parse_warning (message, NULL, &debug);
  gst_message_unref (message);
  return debug;
}

/* The encoder is `n` elements upstream. */
static gboolean
is_found (guint n)
{
  GString *line = g_string_new ("opusenc ! ");
  GstBus *bus = gst_bus_new ();
  gchar *warning;
  gint bitrate;

  for (; n > 1; n--)
    g_string_append (line, "identity ! ");
  g_string_append (line, "tfrcencodercontrol");
  start (line->str, SOUND);
  gst_element_set_bus (h->element, bus);
  tell (24000);
  tell (12000);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, NULL);
  warning = get_warning (bus);
  fail_unless_equals_int (warning == NULL, bitrate == 12000);
  /* one warning is enough */
  fail_unless (get_warning (bus) == NULL);
  g_free (warning);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  g_string_free (line, TRUE);
  stop ();
  return bitrate == 12000;
}

GST_START_TEST (the_nearest_encoder_upstream_is_found)
{
  fail_unless (is_found (1));
  fail_unless (is_found (2));
  fail_unless (is_found (32));
  fail_if (is_found (33));
}

GST_END_TEST;

/* An application says what it knows of its own encoder, and is believed. */
GST_START_TEST (a_property_that_is_named_goes_before_what_is_known)
{
  GstElement *encoder;
  gint bitrate, complexity;

  start ("opusenc bitrate=64000 ! tfrcencodercontrol "
      "bitrate-property=complexity bitrate-unit=10000", SOUND);
  tell (70000);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, "complexity", &complexity,
      NULL);
  fail_unless_equals_int (complexity, 7);
  fail_unless_equals_int (bitrate, 64000);
  g_object_set (control, "bitrate-property", NULL, NULL);
  tell (32000);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 32000);
  /* another encoder than the nearest */
  encoder = gst_object_ref_sink (gst_element_factory_make ("opusenc", NULL));
  g_object_set (control, "encoder", encoder, NULL);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  tell (20000);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  g_object_get (encoder, "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 20000);
  gst_harness_get (h, "opusenc", "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 32000);
  stop ();
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 1);
  gst_object_unref (encoder);
}

GST_END_TEST;

/* --- key frames --- */

static guint
count_requests (void)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    gboolean all = FALSE;

    if (gst_event_has_name (event, "GstForceKeyUnit")) {
      gst_structure_get_boolean (gst_event_get_structure (event),
          "all-headers", &all);
      fail_unless (all);
      n++;
    }
    gst_event_unref (event);
  }
  return n;
}

static void
check_requests (guint64 dropped, GstClockTime time, guint requests)
{
  gst_harness_set_time (h, begin + time);
  tell_rate (100000, dropped, 0.1);
  fail_unless_equals_int (count_requests (), requests);
}

GST_START_TEST (dropped_packets_ask_for_a_key_frame_now_and_then)
{
  start ("tfrcencodercontrol", "video/x-vp8");
  check_requests (0, 0, 0);
  check_requests (5, 0, 1);
  check_requests (5, 10 * GST_SECOND, 0);
  check_requests (6, 10 * GST_SECOND, 1);
  check_requests (7, 12 * GST_SECOND - 1, 0);
  check_requests (7, 12 * GST_SECOND, 1);       /* that one still counts */
  check_requests (7, 20 * GST_SECOND, 0);
  /* the sender was started anew and counts from zero */
  check_requests (2, 30 * GST_SECOND, 0);
  check_requests (3, 40 * GST_SECOND, 1);
  stop ();
}

GST_END_TEST;

/* Also those that were dropped while the encoder was asked for it. */
GST_START_TEST (what_was_dropped_before_a_key_frame_asks_for_no_other)
{
  start ("tfrcencodercontrol", "video/x-vp8");
  check_requests (5, 0, 1);
  check_requests (6, GST_SECOND, 0);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 100, NULL));
  check_requests (6, 12 * GST_SECOND, 0);
  check_requests (7, 12 * GST_SECOND, 1);
  stop ();
}

GST_END_TEST;

/* The receiver's request for a key frame; whether it reaches the encoder. */
static gboolean
request_reaches_encoder (GstClockTime time)
{
  gst_harness_set_time (h, begin + time);
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit", "all-headers", G_TYPE_BOOLEAN,
              TRUE, NULL)));
  return count_requests () > 0;
}

/* A key frame of an outage, which would take a minute at what was allowed then, has expired long before. */
GST_START_TEST (a_key_frame_is_not_under_way_for_long)
{
  start ("tfrcencodercontrol", "video/x-vp8");
  check_requests (0, 0, 0);
  tell_rate (200, 0, 0.1);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 1500, NULL));
  fail_if (request_reaches_encoder (GST_SECOND));
  tell_rate (100000, 0, 0.1);
  fail_unless (request_reaches_encoder (2200 * GST_MSECOND));
  stop ();
}

GST_END_TEST;

/* A request that was made before the key frame can have arrived is answered by that: 10 ms of the allowance, and the
 * round-trip time. */
GST_START_TEST (a_key_frame_answers_requests_for_a_round_trip_time)
{
  start ("tfrcencodercontrol", "video/x-vp8");
  check_requests (0, 0, 0);
  tell_rate (1000000, 0, 0.3);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 1250, NULL));
  fail_if (request_reaches_encoder (305 * GST_MSECOND));
  fail_unless (request_reaches_encoder (315 * GST_MSECOND));
  stop ();
}

GST_END_TEST;

/* The pauses count from what was done, and not from the zero of the clock. */
GST_START_TEST (the_first_request_and_restart_do_not_wait)
{
  begin = 100 * GST_MSECOND;
  start ("tfrcencodercontrol", "video/x-vp8");
  check_requests (5, 0, 1);
  stop ();
  start ("speexenc ! tfrcencodercontrol", SOUND);
  check (10000, 10000, 1);
  stop ();
}

GST_END_TEST;

GST_START_TEST (sound_has_no_key_frames)
{
  start ("tfrcencodercontrol", "audio/x-opus");
  check_requests (5, 0, 0);
  stop ();
  start ("tfrcencodercontrol", NULL);
  check_requests (5, 0, 0);
  stop ();
}

GST_END_TEST;

/* --- all else passes --- */

GST_START_TEST (what_is_no_rate_passes_both_ways)
{
  GstBufferList *list = gst_buffer_list_new ();
  GstQuery *query;
  GstCaps *caps, *got;
  GstEvent *event;
  GstBuffer *header = gst_buffer_new ();

  start ("tfrcencodercontrol", "video/x-vp8");
  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL)
    gst_event_unref (event);
  tell (1000);
  event = gst_harness_try_pull_upstream_event (h);
  fail_unless (gst_event_has_name (event, GST_TFRC_RATE_NAME));
  gst_event_unref (event);
  gst_buffer_list_add (list, gst_buffer_new ());
  gst_buffer_list_add (list, gst_buffer_new ());
  fail_unless_equals_int (gst_pad_push_list (h->srcpad, list), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (h), 2);
  GST_BUFFER_FLAG_SET (header, GST_BUFFER_FLAG_HEADER);
  gst_harness_push (h, header);
  fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  /* caps are those of the other side */
  caps = gst_pad_peer_query_caps (h->sinkpad, NULL);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "video/x-vp8"));
  gst_caps_unref (caps);
  gst_harness_set_sink_caps_str (h, "video/x-h264");
  caps = gst_pad_peer_query_caps (h->srcpad, NULL);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "video/x-h264"));
  gst_caps_unref (caps);
  /* so is the memory that buffers are to have */
  gst_harness_add_propose_allocation_meta (h, GST_PROTECTION_META_API_TYPE,
      NULL);
  got = gst_caps_new_empty_simple ("video/x-h264");
  query = gst_query_new_allocation (got, FALSE);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless_equals_int (gst_query_get_n_allocation_metas (query), 1);
  gst_query_unref (query);
  gst_caps_unref (got);
  stop ();
}

GST_END_TEST;

/* --- frames that are not encoded --- */

#define PICTURE "video/x-raw,format=I420,width=64,height=64,framerate=25/1"
#define PICTURE_SIZE (64 * 64 * 3 / 2)

static GstBuffer *
make_picture (guint frame)
{
  GstBuffer *picture = gst_buffer_new_allocate (NULL, PICTURE_SIZE, NULL);
  guint8 noise[PICTURE_SIZE];

  for (guint i = 0; i < PICTURE_SIZE; i++)
    noise[i] = g_random_int ();
  gst_buffer_fill (picture, 0, noise, PICTURE_SIZE);
  GST_BUFFER_PTS (picture) = frame * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (picture) = 40 * GST_MSECOND;
  return picture;
}

/* Four seconds of noise, of which no encoder makes so little; the bytes that came out. */
static gsize
encode (guint * frames)
{
  gsize size = 0;

  *frames = 0;
  for (guint i = 0; i < 100; i++) {
    GstBuffer *encoded;

    gst_harness_set_time (h, begin + i * 40 * GST_MSECOND);
    fail_unless_equals_int (gst_harness_push (h, make_picture (i)),
        GST_FLOW_OK);
    while ((encoded = gst_harness_try_pull (h)) != NULL) {
      size += gst_buffer_get_size (encoded);
      ++*frames;
      gst_buffer_unref (encoded);
    }
  }
  return size;
}

GST_START_TEST (frames_above_the_allowance_are_skipped)
{
  guint64 skipped;
  guint frames;
  gsize size;

  start ("vp8enc deadline=1 end-usage=cbr ! tfrcencodercontrol", PICTURE);
  g_object_set (control, "skip-frames", __i__ == 1, NULL);
  gst_harness_push (h, make_picture (0));
  tell (50000);
  size = encode (&frames);
  g_object_get (control, "skipped-frames", &skipped, NULL);
  fail_unless_equals_int (frames + skipped, 101);
  if (__i__ == 1) {
    /* 50 kbit/s for four seconds, and the frame that is above by itself */
    fail_unless (size > 20000 && size < 25000 + 3 * PICTURE_SIZE, "%"
        G_GSIZE_FORMAT, size);
    fail_unless (frames > 3 && frames < 80, "%u", frames);
  } else {
    fail_unless_equals_int (skipped, 0);
    fail_unless (size > 50000, "%" G_GSIZE_FORMAT, size);
  }
  stop ();
}

GST_END_TEST;

/* What an encoder did not make in a pause is no credit: 1500 bytes are 150 ms of the allowance. */
GST_START_TEST (a_pause_of_the_encoder_is_no_credit)
{
  GstElement *encoder;
  guint i;

  start ("identity name=encoder ! tfrcencodercontrol", PICTURE);
  encoder = gst_bin_get_by_name (GST_BIN (h->element), "encoder");
  g_object_set (control, "encoder", encoder, NULL);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 1000, NULL));
  tell (80000);
  gst_harness_set_time (h, begin + 10 * GST_SECOND);
  for (i = 0; i < 10; i++)
    gst_harness_push (h, gst_buffer_new_allocate (NULL, 1000, NULL));
  fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  gst_object_unref (encoder);
  stop ();
}

GST_END_TEST;

/* What waits behind retransmissions waits for longer than the encoder's own bytes need. */
GST_START_TEST (frames_wait_for_the_pacing_queue_to_drain)
{
  static const struct
  {
    guint ms, received;
  } pushes[] = { {100, 1}, {340, 1}, {360, 2}, {370, 3}, {380, 3} };
  GstElement *encoder;

  start ("identity name=encoder ! tfrcencodercontrol", PICTURE);
  encoder = gst_bin_get_by_name (GST_BIN (h->element), "encoder");
  g_object_set (control, "encoder", encoder, NULL);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 1, NULL));
  tell (80000);
  tell_queue (80000, 500 * GST_MSECOND);
  for (guint i = 0; i < G_N_ELEMENTS (pushes); i++) {
    gst_harness_set_time (h, begin + pushes[i].ms * GST_MSECOND);
    gst_harness_push (h, gst_buffer_new_allocate (NULL, i == 3 ? 5000 : 1,
            NULL));
    fail_unless_equals_int (gst_harness_buffers_received (h),
        pushes[i].received);
  }
  /* what waited was dropped */
  tell_queue (80000, 0);
  gst_harness_push (h, gst_buffer_new_allocate (NULL, 1, NULL));
  fail_unless_equals_int (gst_harness_buffers_received (h), 4);
  gst_object_unref (encoder);
  stop ();
}

GST_END_TEST;

/* Frames of different sizes fit into the allowance in the mean. */
GST_START_TEST (an_encoder_of_video_gets_nine_tenths)
{
  gint bitrate;

  start ("vp8enc deadline=1 end-usage=cbr ! tfrcencodercontrol", PICTURE);
  gst_harness_push (h, make_picture (0));
  tell (500000);
  gst_harness_get (h, "vp8enc", "target-bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 450000);
  stop ();
}

GST_END_TEST;

/* An application exchanges the encoder, and what is allowed stays: the new one has to be told as well. */
GST_START_TEST (an_encoder_that_takes_the_place_of_another_is_told)
{
  GstElement *source, *before, *encoder;
  gint bitrate;

  start ("identity name=source ! opusenc name=before ! tfrcencodercontrol",
      SOUND);
  check (24000, 24000, 1);
  source = gst_bin_get_by_name (GST_BIN (h->element), "source");
  before = gst_bin_get_by_name (GST_BIN (h->element), "before");
  encoder = gst_element_factory_make ("opusenc", NULL);
  gst_element_set_state (before, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (h->element), before);
  gst_bin_add (GST_BIN (h->element), encoder);
  fail_unless (gst_element_link_many (source, encoder, control, NULL));
  gst_element_sync_state_with_parent (encoder);
  check (24000, 24000, 2);
  g_object_get (encoder, "bitrate", &bitrate, NULL);
  fail_unless_equals_int (bitrate, 24000);
  check (24000, 24000, 2);
  gst_object_unref (before);
  gst_object_unref (source);
  stop ();
}

GST_END_TEST;

static Suite *
control_events_suite (void)
{
  Suite *suite = suite_create ("control, events");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, small_changes_are_not_worth_an_encoders_while);
  tcase_add_test (tcase, the_encoder_is_kept_within_the_limits);
  tcase_add_test (tcase, restarts_are_few);
  tcase_add_test (tcase, a_restarted_encoder_has_the_new_rate_and_no_headers);
  tcase_add_test (tcase, an_encoder_that_takes_the_place_of_another_is_told);
  tcase_add_test (tcase, the_nearest_encoder_upstream_is_found);
  tcase_add_test (tcase, a_property_that_is_named_goes_before_what_is_known);
  tcase_add_test (tcase, dropped_packets_ask_for_a_key_frame_now_and_then);
  tcase_add_test (tcase, what_was_dropped_before_a_key_frame_asks_for_no_other);
  tcase_add_test (tcase, the_first_request_and_restart_do_not_wait);
  tcase_add_test (tcase, a_key_frame_is_not_under_way_for_long);
  tcase_add_test (tcase, a_key_frame_answers_requests_for_a_round_trip_time);
  tcase_add_test (tcase, a_pause_of_the_encoder_is_no_credit);
  tcase_add_test (tcase, frames_wait_for_the_pacing_queue_to_drain);
  tcase_add_test (tcase, sound_has_no_key_frames);
  tcase_add_test (tcase, what_is_no_rate_passes_both_ways);
  tcase_add_loop_test (tcase, frames_above_the_allowance_are_skipped, 0, 2);
  tcase_add_test (tcase, an_encoder_of_video_gets_nine_tenths);
  return suite;
}

GST_CHECK_MAIN (control_events);
