/* gst-tfrc tests: the allowance of the encoder: what it comes to, when it is told, and to whom
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <string.h>

#include "filter/encoderallowance.h"
#include "leaks.h"

#define MS TFRC_MSEC

/* --- the allowance --- */

static GstTfrcEncoderAllowance encoder;
static GstTfrcFilterSettings settings;
static TfrcConfig config;

static void
begin (TfrcMode mode)
{
  gst_tfrc_encoder_allowance_init (&encoder);
  settings = (GstTfrcFilterSettings) {0};
  tfrc_config_init (&config, mode);
  config.H = 40;
}

static GstTfrcRate
make (gdouble X, gdouble X_wire, gdouble packet_rate)
{
  TfrcAllowance allowance = {
    .X = X,
    .X_wire = X_wire,
    .R = 0.1,
    .p = 0.01,
    .max_packet_rate = config.mode == TFRC_MODE_TFRC_SP ? 100 : INFINITY
  };
  GstTfrcRate rate = { 0 };

  gst_tfrc_encoder_allowance_make (&encoder, &allowance, &config, &settings,
      packet_rate, &rate);
  return rate;
}

/* Down at once, up with some room to spare. */
GST_START_TEST (pictures_are_advised_that_the_bit_rate_is_enough_for)
{
  static const struct
  {
    guint bitrate, height, frame_rate;
  } steps[] = {
    {25000, 90, 5}, {400000, 360, 15}, {550000, 360, 15}, {620000, 360, 30},
    {500000, 360, 30}, {490000, 360, 15}, {3000000, 1080, 30},
    {1999999, 720, 30}, {70000, 180, 10}, {71000, 180, 10}, {59999, 180, 7}
  };

  begin (TFRC_MODE_TFRC);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    /* 24 bytes of header in each of 30 packets/s come off */
    gdouble X = steps[i].bitrate / 8.0 + 30 * 24;
    GstTfrcRate rate = make (X, X, 30);

    fail_unless_equals_int (rate.picture_height, steps[i].height);
    fail_unless_equals_int (rate.frame_rate, steps[i].frame_rate);
    gst_tfrc_encoder_allowance_set_reason (&encoder, &rate,
        GST_TFRC_RATE_REPORT);
  }
}

GST_END_TEST;

/* An encoder that does as it is told is not told to be silent before the first report. */
GST_START_TEST (the_first_bit_rate_is_one_to_begin_with)
{
  TfrcAllowance allowance = {
    .X = 172,
    .X_wire = 212,
    .s = 172,
    .max_packet_rate = 100
  };
  GstTfrcRate rate = { 0 };

  begin (TFRC_MODE_TFRC_SP);
  gst_tfrc_encoder_allowance_make (&encoder, &allowance, &config, &settings,
      50, &rate);
  /* W_init of 4380 bytes in half a second */
  fail_unless_equals_int (rate.bitrate,
      (guint) (8 * (4380 / 0.5 * 212 / 172 - 50 * (40 + 24))));
  fail_unless_equals_float (rate.allowance.X, 172);
  fail_if (rate.suspend);
  settings.max_bitrate = 20000;
  gst_tfrc_encoder_allowance_make (&encoder, &allowance, &config, &settings,
      50, &rate);
  fail_unless_equals_int (rate.bitrate, 20000);
  begin (TFRC_MODE_TFRC);
  allowance.s = allowance.X = 1000;
  gst_tfrc_encoder_allowance_make (&encoder, &allowance, &config, &settings,
      30, &rate);
  /* 4000 bytes in half a second, of which 8 packets have headers */
  fail_unless_equals_int (rate.bitrate, 8 * (8000 - 8 * 24));
}

GST_END_TEST;

/* Headers come off: those below RTP under TFRC-SP, and the RTP header always. */
GST_START_TEST (headers_are_taken_off_the_allowance)
{
  GstTfrcRate rate;

  begin (TFRC_MODE_TFRC_SP);
  rate = make (5000, 8200, 50);
  fail_unless_equals_int (rate.bitrate, 8 * (8200 - 50 * (40 + 24)));
  fail_unless_equals_int (rate.payload_size, 100);
  fail_unless_equals_float (rate.packet_rate, 50);
  fail_unless_equals_int (rate.overhead, 24);
  fail_unless_equals_int (rate.header_size, 40);
  fail_unless_equals_int (rate.mode, TFRC_MODE_TFRC_SP);
  fail_unless_equals_float (rate.allowance.X, 5000);
  encoder.overhead = 12;
  rate = make (5000, 8200, 50);
  fail_unless_equals_int (rate.bitrate, 8 * (8200 - 50 * (40 + 12)));
  /* 50 packets/s are assumed, 100 are the most */
  encoder.overhead = 24;
  rate = make (5000, 8200, 0);
  fail_unless_equals_float (rate.packet_rate, 50);
  rate = make (5000, 8200, 200);
  fail_unless_equals_float (rate.packet_rate, 100);
  fail_unless_equals_int (rate.bitrate, 8 * (8200 - 100 * 64));
  /* headers alone use it up */
  rate = make (1000, 2000, 50);
  fail_unless_equals_int (rate.bitrate, 0);
  fail_unless_equals_int (rate.payload_size, 0);
  begin (TFRC_MODE_TFRC);
  rate = make (6200, 99999, 50);
  fail_unless_equals_int (rate.bitrate, 8 * (6200 - 50 * 24));
  fail_unless_equals_int (rate.payload_size, 100);
  rate = make (6200, 99999, 200);
  fail_unless_equals_float (rate.packet_rate, 200);
}

GST_END_TEST;

GST_START_TEST (an_allowance_without_end_is_the_largest_number)
{
  GstTfrcRate rate;

  begin (TFRC_MODE_TFRC);
  rate = make (1e12, 1e12, 50);
  fail_unless_equals_uint64 (rate.bitrate, G_MAXUINT);
  settings.max_bitrate = 64000;
  rate = make (1e12, 1e12, 50);
  fail_unless_equals_int (rate.bitrate, 64000);
  fail_unless_equals_int (rate.payload_size, 160);
}

GST_END_TEST;

static GstTfrcRateReason
suspend (gdouble bitrate, gboolean suspended)
{
  GstTfrcRate rate = make (bitrate / 8 + 1200, 0, 50);

  fail_unless (rate.suspend == suspended, "%g bit/s", bitrate);
  gst_tfrc_encoder_allowance_set_reason (&encoder, &rate, GST_TFRC_RATE_REPORT);
  return rate.reason;
}

/* A tenth above the least the flow resumes, so that it does not come and go. */
GST_START_TEST (the_flow_is_suspended_below_the_least)
{
  begin (TFRC_MODE_TFRC);
  settings.min_bitrate = 20000;
  fail_unless_equals_int (suspend (8000, FALSE), GST_TFRC_RATE_REPORT);
  encoder.reported = TRUE;
  fail_unless_equals_int (suspend (20000, FALSE), GST_TFRC_RATE_REPORT);
  fail_unless_equals_int (suspend (19992, TRUE), GST_TFRC_RATE_SUSPEND);
  fail_unless_equals_int (suspend (19992, TRUE), GST_TFRC_RATE_REPORT);
  fail_unless_equals_int (suspend (21992, TRUE), GST_TFRC_RATE_REPORT);
  fail_unless_equals_int (suspend (22008, FALSE), GST_TFRC_RATE_RESUME);
  fail_unless_equals_int (suspend (20000, FALSE), GST_TFRC_RATE_REPORT);
  /* what the encoder is not told does not count */
  settings.max_bitrate = 1000;
  fail_unless_equals_int (suspend (50000, FALSE), GST_TFRC_RATE_REPORT);
  settings.min_bitrate = 0;
  fail_unless_equals_int (suspend (8, FALSE), GST_TFRC_RATE_REPORT);
}

GST_END_TEST;

/* --- when it is told --- */

static GstTfrcNotifier notifier;
static guint notified;

static void
on_notify (GstElement * element, const GstTfrcRate * old,
    const GstTfrcRate * now)
{
  notified++;
}

static GstTfrcRate
make_rate (void)
{
  return (GstTfrcRate) {
      .bitrate = 10000,
      .allowance = { .X_wire = 1000, .p = 0.1, .R = 0.2, .R_sample = 0.1 },
      .reason = GST_TFRC_RATE_REPORT
  };
}

/* Whether `rate` is worth an event, `after` the last one. */
static gboolean
is_told (GstTfrcRate rate, TfrcTime after)
{
  GstTfrcRate first = make_rate ();

  gst_tfrc_notifier_init (&notifier, on_notify);
  gst_tfrc_notifier_note (&notifier, &first, GST_SECOND);
  fail_unless (notifier.pending);
  notifier.pending = FALSE;
  gst_tfrc_notifier_note (&notifier, &rate, GST_SECOND + after);
  return notifier.pending;
}

#define TOLD(field, value, after) ({ \
    GstTfrcRate told_rate = make_rate (); \
    told_rate.field = value; \
    is_told (told_rate, after); })

/* A drop is told at once, another change once in a round-trip time. */
GST_START_TEST (changes_that_an_encoder_would_follow_are_told)
{
  fail_if (TOLD (allowance.X_wire, 950, 0));
  fail_unless (TOLD (allowance.X_wire, 949, 0));
  fail_if (TOLD (bitrate, 9500, 0));
  fail_unless (TOLD (bitrate, 9499, 0));
  fail_if (TOLD (allowance.X_wire, 2000, 200 * MS - 1));
  fail_unless (TOLD (allowance.X_wire, 1051, 200 * MS));
  fail_if (TOLD (allowance.X_wire, 1050, 200 * MS));
  fail_unless (TOLD (bitrate, 10501, 200 * MS));
  fail_if (TOLD (bitrate, 10500, 200 * MS));
  fail_unless (TOLD (allowance.p, 0.121, 200 * MS));
  fail_unless (TOLD (allowance.p, 0.079, 200 * MS));
  fail_if (TOLD (allowance.p, 0.119, 200 * MS));
  fail_if (TOLD (allowance.p, 0.081, 200 * MS));
  fail_unless (TOLD (allowance.R_sample, 0.111, 200 * MS));
  fail_if (TOLD (allowance.R_sample, 0.109, 200 * MS));
  fail_if (TOLD (allowance.R_sample, 0.2, 200 * MS - 1));
}

GST_END_TEST;

GST_START_TEST (what_lasts_is_told_again)
{
  fail_if (is_told (make_rate (), 500 * MS - 1));
  fail_unless (is_told (make_rate (), 500 * MS));
  /* not more than once in a round-trip time */
  fail_if (TOLD (allowance.R, 0.6, 599 * MS));
  fail_unless (TOLD (allowance.R, 0.6, 601 * MS));
}

GST_END_TEST;

GST_START_TEST (a_change_of_state_is_told_at_once)
{
  fail_unless (TOLD (reason, GST_TFRC_RATE_START, 0));
  fail_unless (TOLD (reason, GST_TFRC_RATE_RESTART, 0));
  fail_unless (TOLD (suspend, TRUE, 0));
  fail_if (TOLD (reason, GST_TFRC_RATE_LOSS, 0));
  fail_if (TOLD (reason, GST_TFRC_RATE_NOFEEDBACK, 0));
}

GST_END_TEST;

/* A report that comes before an event was sent does not hide why. */
GST_START_TEST (the_reason_of_an_event_that_waits_is_kept)
{
  GstTfrcRate rate = make_rate ();

  gst_tfrc_notifier_init (&notifier, on_notify);
  rate.reason = GST_TFRC_RATE_LOSS;
  gst_tfrc_notifier_note (&notifier, &rate, 0);
  rate.reason = GST_TFRC_RATE_REPORT;
  rate.bitrate = 5000;
  gst_tfrc_notifier_note (&notifier, &rate, 1);
  fail_unless_equals_int (notifier.next.reason, GST_TFRC_RATE_LOSS);
  fail_unless_equals_int (notifier.next.bitrate, 5000);
  rate.reason = GST_TFRC_RATE_NOFEEDBACK;
  rate.bitrate = 2000;
  gst_tfrc_notifier_note (&notifier, &rate, 2);
  fail_unless_equals_int (notifier.next.reason, GST_TFRC_RATE_NOFEEDBACK);
  notifier.pending = FALSE;
  rate.reason = GST_TFRC_RATE_REPORT;
  rate.bitrate = 1000;
  gst_tfrc_notifier_note (&notifier, &rate, 3);
  fail_unless_equals_int (notifier.next.reason, GST_TFRC_RATE_REPORT);
}

GST_END_TEST;

/* --- to whom --- */

static GMutex lock;
static guint nested;

/* Who is told while another thread tells leaves the event to that thread. */
static void
on_notify_again (GstElement * element, const GstTfrcRate * old,
    const GstTfrcRate * now)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstTfrcRate rate = *now;

  notified++;
  rate.bitrate /= 2;
  g_mutex_lock (&lock);
  if (nested-- > 0)
    gst_tfrc_notifier_note (&notifier, &rate, 5);
  g_mutex_unlock (&lock);
  gst_tfrc_notifier_run (&notifier, element, pad, &lock);
  gst_object_unref (pad);
}

static guint
count_events (GstHarness * h)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    n += gst_event_has_name (event, GST_TFRC_RATE_NAME);
    gst_event_unref (event);
  }
  return n;
}

GST_START_TEST (events_go_upstream_and_changes_to_the_properties)
{
  GstHarness *h = gst_harness_new ("identity");
  GstPad *pad = gst_element_get_static_pad (h->element, "sink");
  GstTfrcRate rate = make_rate ();

  notified = 0;
  gst_tfrc_notifier_init (&notifier, on_notify);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  fail_unless_equals_int (count_events (h), 0);
  gst_tfrc_notifier_note (&notifier, &rate, 0);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  fail_unless_equals_int (count_events (h), 1);
  fail_unless_equals_int (notified, 1);
  /* the same again is an event, and no notification */
  gst_tfrc_notifier_note (&notifier, &rate, 500 * MS);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  fail_unless_equals_int (count_events (h), 1);
  fail_unless_equals_int (notified, 1);
  rate.suspend = TRUE;
  gst_tfrc_notifier_note (&notifier, &rate, 500 * MS);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  fail_unless_equals_int (notified, 2);
  fail_unless_equals_int (count_events (h), 1);

  notified = 0;
  nested = 3;
  gst_tfrc_notifier_init (&notifier, on_notify_again);
  gst_tfrc_notifier_note (&notifier, &rate, 0);
  gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
  fail_unless_equals_int (notified, 4);
  fail_unless_equals_int (count_events (h), 4);
  fail_if (notifier.busy);
  /* a thread that is at it goes on after a restart of the element */
  notifier.busy = TRUE;
  gst_tfrc_notifier_init (&notifier, on_notify);
  fail_unless (notifier.busy && !notifier.pending && !notifier.has_next);
  gst_object_unref (pad);
  gst_harness_teardown (h);
}

GST_END_TEST;

static GString *log_text;

static void
on_log (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer user_data)
{
  if (strcmp (gst_debug_category_get_name (category), "tfrcallowance") == 0)
    g_string_append_printf (log_text, "%d %s;", level,
        gst_debug_message_get (message));
}

/* GST_DEBUG=*tfrc*:4 tells changes of state, *tfrc*:5 each change of the rate. */
GST_START_TEST (the_log_tells_what_is_told)
{
  static const struct
  {
    GstTfrcRateReason reason;
    const gchar *text;
  } table[] = {
    {GST_TFRC_RATE_START, "4 start: 10000 bit/s"},
    {GST_TFRC_RATE_RESTART, "4 restart: "},
    {GST_TFRC_RATE_SUSPEND, "4 suspend: "},
    {GST_TFRC_RATE_RESUME, "4 resume: "},
    {GST_TFRC_RATE_REPORT, "5 report: "},
    {GST_TFRC_RATE_LOSS, "5 loss: "},
    {GST_TFRC_RATE_NOFEEDBACK, "5 nofeedback: "},
  };
  GstHarness *h = gst_harness_new ("identity");
  GstPad *pad = gst_element_get_static_pad (h->element, "sink");
  GstTfrcRate rate = make_rate ();

  begin (TFRC_MODE_TFRC);
  gst_debug_set_active (TRUE);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (on_log, NULL, NULL);
  gst_debug_set_threshold_for_name ("tfrcallowance", GST_LEVEL_LOG);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    log_text = g_string_new (NULL);
    rate.reason = table[i].reason;
    gst_tfrc_notifier_init (&notifier, on_notify);
    gst_tfrc_notifier_note (&notifier, &rate, 0);
    gst_tfrc_notifier_run (&notifier, h->element, pad, &lock);
    fail_unless (g_str_has_prefix (log_text->str, table[i].text), "%s",
        log_text->str);
    g_string_free (log_text, TRUE);
  }
  gst_debug_remove_log_function (on_log);
  gst_object_unref (pad);
  gst_harness_teardown (h);
}

GST_END_TEST;

static void
on_property (GObject * object, GParamSpec * spec, GString * names)
{
  g_string_append_printf (names, "%s ", spec->name);
}

#define CHANGED(field, value, expected) G_STMT_START { \
  GstTfrcRate old = make_rate (), now = make_rate (); \
  now.field = value; \
  g_string_truncate (names, 0); \
  gst_tfrc_allowance_properties_notify (element, &old, &now); \
  fail_unless_equals_string (names->str, expected); \
} G_STMT_END

GST_START_TEST (each_property_is_notified_when_it_changes)
{
  GstElement *element = gst_element_factory_make ("rtptfrcsend", NULL);
  GString *names = g_string_new (NULL);

  g_signal_connect (element, "notify", G_CALLBACK (on_property), names);
  CHANGED (bitrate, 10000, "");
  CHANGED (bitrate, 10001, "allowed-bitrate ");
  CHANGED (payload_size, 1, "allowed-packet-size ");
  CHANGED (allowance.max_packet_rate, 100, "max-packet-rate ");
  CHANGED (allowance.X, 1, "allowed-rate ");
  CHANGED (allowance.p, 0.2, "loss-event-rate ");
  CHANGED (allowance.R, 0.3, "round-trip-time ");
  CHANGED (suspend, TRUE, "suspended ");
  g_string_free (names, TRUE);
  gst_object_unref (element);
}

GST_END_TEST;

static gdouble
get_property (const GstTfrcRate * rate, guint id, GType type)
{
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;

  g_value_init (&value, type);
  g_value_init (&number, G_TYPE_DOUBLE);
  fail_unless (gst_tfrc_allowance_properties_get (rate, id, &value));
  if (type == G_TYPE_BOOLEAN)
    return g_value_get_boolean (&value);
  fail_unless (g_value_transform (&value, &number));
  return g_value_get_double (&number);
}

GST_START_TEST (properties_say_what_the_allowance_is)
{
  GstTfrcRate rate = {
    .bitrate = 1,
    .payload_size = 2,
    .allowance = {.max_packet_rate = 100, .X = 3, .p = 0.25, .R = 0.5},
    .suspend = TRUE
  };
  GValue value = G_VALUE_INIT;

  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_ALLOWED_BITRATE, G_TYPE_UINT), 1);
  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_ALLOWED_PACKET_SIZE, G_TYPE_UINT), 2);
  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_MAX_PACKET_RATE, G_TYPE_DOUBLE), 100);
  fail_unless_equals_float (get_property (&rate, GST_TFRC_PROP_ALLOWED_RATE,
          G_TYPE_DOUBLE), 8 * 3);
  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_LOSS_EVENT_RATE, G_TYPE_DOUBLE), 0.25);
  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_ROUND_TRIP_TIME, G_TYPE_UINT64), 500 * MS);
  fail_unless_equals_float (get_property (&rate, GST_TFRC_PROP_SUSPENDED,
          G_TYPE_BOOLEAN), 1);
  rate.allowance.max_packet_rate = INFINITY;
  fail_unless_equals_float (get_property (&rate,
          GST_TFRC_PROP_MAX_PACKET_RATE, G_TYPE_DOUBLE), 0);
  fail_if (gst_tfrc_allowance_properties_get (&rate, GST_TFRC_PROP_MODE,
          &value));
}

GST_END_TEST;

static Suite *
encoderallowance_suite (void)
{
  Suite *suite = suite_create ("allowance of the encoder");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, pictures_are_advised_that_the_bit_rate_is_enough_for);
  tcase_add_test (tcase, the_first_bit_rate_is_one_to_begin_with);
  tcase_add_test (tcase, headers_are_taken_off_the_allowance);
  tcase_add_test (tcase, an_allowance_without_end_is_the_largest_number);
  tcase_add_test (tcase, the_flow_is_suspended_below_the_least);
  tcase_add_test (tcase, changes_that_an_encoder_would_follow_are_told);
  tcase_add_test (tcase, what_lasts_is_told_again);
  tcase_add_test (tcase, a_change_of_state_is_told_at_once);
  tcase_add_test (tcase, the_reason_of_an_event_that_waits_is_kept);
  tcase_add_test (tcase, events_go_upstream_and_changes_to_the_properties);
  tcase_add_test (tcase, the_log_tells_what_is_told);
  tcase_add_test (tcase, each_property_is_notified_when_it_changes);
  tcase_add_test (tcase, properties_say_what_the_allowance_is);
  return suite;
}

GST_CHECK_MAIN (encoderallowance);
