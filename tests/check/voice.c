/* gst-tfrc tests: a voice through tfrcencodebin in a harness, and the listener
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "voice.h"

#include <math.h>

#define PIECE_MS 20

void
voice_start (Voice * v, const gchar * line)
{
  v->h = gst_harness_new_parse (line);
  gst_harness_use_testclock (v->h);
  gst_harness_set_src_caps_str (v->h, VOICE_SOUND);
  gst_harness_play (v->h);
  v->sample = v->before_seek = 0;
  v->tone = FALSE;
  v->rate = (GstTfrcRate) {
      .allowance.max_packet_rate = 100,
      .allowance.X = 1e6,
      .allowance.X_wire = 1e6,
      .loss = -1,
      .allowance.R = 0.1,
      .header_size = 40,
      .overhead = 24,
      .mode = TFRC_MODE_TFRC_SP,
      .reason = GST_TFRC_RATE_REPORT,
      .ssrc = 1
  };
}

void
voice_stop (Voice * v)
{
  gst_harness_teardown (v->h);
  v->h = NULL;
}

static gint16
make_sample (const Voice * v, guint64 i)
{
  gdouble t = (gdouble) i / RAW_RATE, sum = 0;
  guint k;

  if (v->tone)
    return 8000 * sin (2 * G_PI * 400 * t);
  for (k = 1; k < 25; k++)
    sum += sin (2 * G_PI * 120 * k * t + k * k) / (1 + fabs (k - 5.0));
  return 4000 * sum * MAX (0, sin (2 * G_PI * 3 * t));
}

GstBuffer *
voice_make_sound (Voice * v, guint ms)
{
  guint n = RAW_RATE / 1000 * ms, i;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, n * 2, NULL);
  GstMapInfo map;
  gint16 *data;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  data = (gint16 *) map.data;
  for (i = 0; i < n; i++)
    data[i] = make_sample (v, v->sample + i);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) =
      gst_util_uint64_scale (v->sample, GST_SECOND, RAW_RATE);
  GST_BUFFER_DURATION (buffer) = ms * GST_MSECOND;
  v->sample += n;
  return buffer;
}

void
voice_run (Voice * v, gdouble seconds)
{
  guint i, n = (guint) (seconds * 1000 / PIECE_MS + 0.5);

  for (i = 0; i < n; i++) {
    if (i % 5 == 0)
      gst_harness_push_upstream_event (v->h,
          gst_tfrc_rate_event_new (&v->rate));
    fail_unless_equals_int (gst_harness_push (v->h,
            voice_make_sound (v, PIECE_MS)), GST_FLOW_OK);
    gst_harness_set_time (v->h,
        gst_util_uint64_scale (v->before_seek + v->sample, GST_SECOND,
            RAW_RATE));
  }
}

void
voice_seek_to_start (Voice * v)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (v->h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (v->h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (v->h, gst_event_new_segment (&segment)));
  v->before_seek += v->sample;
  v->sample = 0;
}

GstElement *
voice_find (Voice * v, const gchar * factory)
{
  GstIterator *it = gst_bin_iterate_all_by_element_factory_name (GST_BIN
      (v->h->element), factory);
  GValue value = G_VALUE_INIT;
  GstElement *element = NULL;

  if (gst_iterator_next (it, &value) == GST_ITERATOR_OK) {
    element = g_value_dup_object (&value);
    g_value_unset (&value);
  }
  gst_iterator_free (it);
  return element;
}

guint
voice_get_uint (Voice * v, const gchar * property)
{
  guint value;

  gst_harness_get (v->h, "tfrcencodebin", property, &value, NULL);
  return value;
}

static guint sink_rate = RAW_RATE;      /* Hz, of the sound at the listener */

GstHarness *
far_start_at (guint rate)
{
  gchar *caps = g_strdup_printf ("audio/x-raw,format=S16LE,layout=interleaved,"
      "rate=%u,channels=1", rate);
  GstHarness *far = gst_harness_new ("tfrcdecodebin");

  gst_harness_set_src_caps_str (far,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96");
  gst_harness_set_sink_caps_str (far, caps);
  sink_rate = rate;
  g_free (caps);
  return far;
}

GstHarness *
far_start (void)
{
  return far_start_at (RAW_RATE);
}

/* Half as much again as the tone, whose level is 5657: GSM begins with 8000 behind the other codecs. Two sounds at
 * once would be 11300. */
#define LOUDEST 8500

static gdouble
get_level (const gint16 * data, guint n)
{
  gdouble power = 0;
  guint i;

  for (i = 0; i < n; i++)
    power += (gdouble) data[i] * data[i];
  return sqrt (power / n);
}

static gdouble
get_noise (const gint16 * data, guint n)
{
  gdouble s = 0, c = 0, power = 0, tone;
  guint i;

  for (i = 0; i < n; i++) {
    s += data[i] * sin (2 * G_PI * 400 * i / sink_rate);
    c += data[i] * cos (2 * G_PI * 400 * i / sink_rate);
    power += (gdouble) data[i] * data[i];
  }
  tone = 2 * (s * s + c * c) / n;
  return 1 - tone / power;
}

gdouble
far_hear (GstHarness * end, gdouble from, gdouble seconds, gdouble quietest)
{
  GByteArray *sound = g_byte_array_new ();
  GstClockTime next = 0;
  GstBuffer *buffer;
  gdouble worst = 0;
  guint i, n;

  while ((buffer = gst_harness_try_pull (end)) != NULL) {
    gsize at = sound->len, size = gst_buffer_get_size (buffer);

    if (at > sink_rate / 5)
      fail_unless (ABS (GST_CLOCK_DIFF (next, GST_BUFFER_PTS (buffer))) <
          GST_MSECOND, "%" G_GINT64_FORMAT " ns off at %u",
          GST_CLOCK_DIFF (next, GST_BUFFER_PTS (buffer)),
          (guint) at * 500 / sink_rate);
    next = GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer);
    g_byte_array_set_size (sound, at + size);
    gst_buffer_extract (buffer, 0, sound->data + at, size);
    gst_buffer_unref (buffer);
  }
  n = sound->len / 2;
  fail_unless (n > sink_rate * (seconds - 0.3), "%u samples", n);
  fail_unless (n < sink_rate * (seconds + 0.1), "%u samples", n);
  for (i = sink_rate * from; i + sink_rate / 50 <= n; i += sink_rate / 100) {
    gdouble level = get_level ((gint16 *) sound->data + i, sink_rate / 100);

    fail_unless (level > quietest && level < LOUDEST, "level %.0f at %u ms",
        level, i * 1000 / sink_rate);
    worst = MAX (worst, get_noise ((gint16 *) sound->data + i, sink_rate / 50));
  }
  g_byte_array_unref (sound);
  return worst;
}
