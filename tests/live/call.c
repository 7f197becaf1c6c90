/* gst-tfrc tests: a sender and a receiver in one process, over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <gst/check/gstcheck.h>

/* Counted in sleeps, so that a machine that stalls does not use it up. */
#define SLEEP (5 * G_TIME_SPAN_MILLISECOND)
#define PATIENCE (20 * G_USEC_PER_SEC / SLEEP)

static GstElement *
launch (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (error != NULL)
    g_error ("%s: %s", line, error->message);
  return pipeline;
}

static void
play (GstElement * pipeline)
{
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE);
}

static void
on_handoff (GstElement * out, GstBuffer * buffer, GstPad * pad, Call * call)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer);

  g_mutex_lock (&call->lock);
  if (GST_CLOCK_TIME_IS_VALID (call->last_pts) && pts <= call->last_pts)
    call->backwards++;
  if (GST_CLOCK_TIME_IS_VALID (call->last_pts) && pts < call->last_pts)
    call->earlier++;
  call->last_pts = pts;
  g_mutex_unlock (&call->lock);
  g_atomic_int_inc (&call->played);
}

void
call_start_receiver (Call * call, const gchar * args)
{
  gchar *line = g_strdup_printf ("tfrcsrc name=src port=0 %s ! rtpopusdepay ! "
      "opusdec ! fakesink name=out sync=false signal-handoffs=true", args);
  GstElement *out;
  guint port;

  g_mutex_init (&call->lock);
  call->last_pts = GST_CLOCK_TIME_NONE;
  call->receiver = launch (line);
  call->src = gst_bin_get_by_name (GST_BIN (call->receiver), "src");
  out = gst_bin_get_by_name (GST_BIN (call->receiver), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (on_handoff), call);
  gst_object_unref (out);
  play (call->receiver);
  g_object_get (call->src, "local-port", &port, NULL);
  fail_if (port == 0);
  g_free (line);
}

void
call_start_sender (Call * call, const gchar * args, const gchar * source)
{
  guint port;
  gchar *line;

  g_object_get (call->src, "local-port", &port, NULL);
  line = g_strdup_printf ("%s ! tfrcsink name=sink port=%u %s",
      source != NULL ? source : CALL_LIVE_SOURCE, port, args);
  call->sender = launch (line);
  call->sink = gst_bin_get_by_name (GST_BIN (call->sender), "sink");
  play (call->sender);
  g_free (line);
}

static void
stop (GstElement ** pipeline, GstElement ** bin)
{
  if (*pipeline == NULL)
    return;
  call_check_no_error (*pipeline);
  gst_element_set_state (*pipeline, GST_STATE_NULL);
  gst_clear_object (bin);
  gst_clear_object (pipeline);
}

void
call_stop_sender (Call * call)
{
  stop (&call->sender, &call->sink);
}

void
call_stop_receiver (Call * call)
{
  stop (&call->receiver, &call->src);
  g_mutex_clear (&call->lock);
}

void
call_end (Call * call)
{
  call_stop_sender (call);
  call_stop_receiver (call);
}

void
call_play (Call * call, guint n)
{
  guint target = g_atomic_int_get (&call->played) + n;
  guint sleeps = 0;

  while ((guint) g_atomic_int_get (&call->played) < target) {
    call_check_no_error (call->receiver);
    if (call->sender != NULL)
      call_check_no_error (call->sender);
    if (sleeps++ >= PATIENCE)
      g_error ("%u of %u buffers were not played",
          target - g_atomic_int_get (&call->played), n);
    g_usleep (SLEEP);
  }
}

guint
call_count (Call * call, guint ms)
{
  guint before = g_atomic_int_get (&call->played);

  g_usleep (1000 * (gulong) ms);
  return g_atomic_int_get (&call->played) - before;
}

guint64
call_get_stat (GstElement * element, const gchar * name)
{
  GstStructure *stats;
  guint64 value;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, name, &value)) {
    if (!gst_structure_get_uint (stats, name, &small))
      g_error ("no statistic \"%s\"", name);
    value = small;
  }
  gst_structure_free (stats);
  return value;
}

void
call_wait_stat (GstElement * element, const gchar * name, guint64 value)
{
  guint sleeps = 0;

  while (call_get_stat (element, name) < value) {
    if (sleeps++ >= PATIENCE)
      g_error ("%s is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, name,
          call_get_stat (element, name), value);
    g_usleep (SLEEP);
  }
}

GstMessage *
call_wait_message (GstElement * pipeline, GstMessageType types)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
      types);

  gst_object_unref (bus);
  if (message == NULL)
    g_error ("no message came");
  return message;
}

void
call_check_no_error (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *debug = NULL;

  gst_object_unref (bus);
  if (message == NULL)
    return;
  gst_message_parse_error (message, &error, &debug);
  g_error ("%s (%s)", error->message, debug);
}

GError *
call_expect_error (const gchar * line)
{
  GstElement *pipeline = launch (line);
  GstMessage *message;
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = call_wait_message (pipeline, GST_MESSAGE_ERROR);
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return error;
}
