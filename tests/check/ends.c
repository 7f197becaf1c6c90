/* gst-tfrc tests: a sender and a receiver in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ends.h"
#include "settle.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#define RTP_CAPS "application/x-rtp,media=audio,clock-rate=48000," \
    "encoding-name=OPUS,payload=96"

static GstStaticPadTemplate any_src = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate any_sink = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Ends *ends = gst_pad_get_element_private (pad);
  GstClockTime pts = GST_BUFFER_PTS (buffer);

  g_mutex_lock (&ends->lock);
  if (GST_CLOCK_TIME_IS_VALID (ends->last_pts) && pts < ends->last_pts)
    ends->earlier++;
  ends->last_pts = pts;
  g_atomic_int_inc (&ends->played);
  g_queue_push_tail (&ends->heard, buffer);
  g_mutex_unlock (&ends->lock);
  return GST_FLOW_OK;
}

/* A pipeline of its own for an element that is alone. */
static GstElement *
launch (const gchar * line)
{
  GError *error = NULL;
  GstElement *element = gst_parse_launch (line, &error), *pipeline;

  if (error != NULL)
    g_error ("%s: %s", line, error->message);
  if (GST_IS_PIPELINE (element))
    return element;
  pipeline = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (pipeline), element);
  return pipeline;
}

/* The line, with `factory` in front when it is of properties alone, on the network's
 * clock. */
static GstElement *
make (const gchar * factory, const gchar * name, const gchar * line,
    GstElement ** named)
{
  gchar *text = strstr (line, factory) != NULL ? g_strdup (line) :
      g_strdup_printf ("%s name=%s %s", factory, name, line);
  GstElement *pipeline = launch (text);
  GstClock *clock = gst_system_clock_obtain ();

  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_object_unref (clock);
  *named = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_assert (*named != NULL);
  g_free (text);
  return pipeline;
}

/* The pad of the element of that name when there is one, else that of the end itself. */
static GstPad *
get_pad (GstElement * pipeline, const gchar * outermost, GstElement * end,
    const gchar * name)
{
  GstElement *bin = gst_bin_get_by_name (GST_BIN (pipeline), outermost);
  GstPad *pad = gst_element_get_static_pad (bin != NULL ? bin : end, name);

  gst_clear_object (&bin);
  return pad;
}

static void
play (GstElement * pipeline)
{
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE);
  settle ();
}

void
ends_start_receiver (Ends * ends, const gchar * line)
{
  GstPad *pad;

  if (g_atomic_int_get (&ends->played) == 0) {
    g_mutex_init (&ends->lock);
    g_queue_init (&ends->heard);
  }
  ends->last_pts = GST_CLOCK_TIME_NONE;
  ends->receiver = make ("tfrcsrc", "src", line, &ends->src);
  if (strstr (line, "port=") == NULL)
    g_object_set (ends->src, "port", ends->port, NULL);
  pad = get_pad (ends->receiver, "out", ends->src, "src");
  ends->out = gst_pad_new_from_static_template (&any_sink, "sink");
  gst_pad_set_element_private (ends->out, ends);
  gst_pad_set_chain_function (ends->out, chain);
  gst_pad_set_active (ends->out, TRUE);
  fail_unless_equals_int (gst_pad_link (pad, ends->out), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  play (ends->receiver);
  g_object_get (ends->src, "local-port", &ends->port, NULL);
  fail_if (ends->port == 0);
}

void
ends_start_sender (Ends * ends, const gchar * line)
{
  GstSegment segment;
  GstCaps *caps = gst_caps_from_string (ends->caps != NULL ? ends->caps :
      RTP_CAPS);
  GstPad *pad;

  ends->sender = make ("tfrcsink", "sink", line, &ends->sink);
  /* packets come from outside of the pipeline, once it plays */
  g_object_set (ends->sink, "async", FALSE, NULL);
  if (strstr (line, "port=") == NULL)
    g_object_set (ends->sink, "port", ends->port, NULL);
  pad = get_pad (ends->sender, "encoder", ends->sink, "sink");
  ends->in = gst_pad_new_from_static_template (&any_src, "src");
  fail_unless_equals_int (gst_pad_link (ends->in, pad), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  gst_pad_set_active (ends->in, TRUE);
  ends->ssrc += 0x01010101;
  ends->begin = net_get_time ();
  ends->pushed = 0;
  play (ends->sender);
  gst_pad_push_event (ends->in, gst_event_new_stream_start ("ends"));
  if (ends->source == NULL)
    gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, ends->ssrc, NULL);
  fail_unless (gst_pad_push_event (ends->in, gst_event_new_caps (caps)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (ends->in, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

static void
check_no_error (Ends * ends, GstElement * pipeline)
{
  GstMessage *message = ends->lenient ? NULL : ends_pop (pipeline,
      GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *debug = NULL;

  if (message == NULL)
    return;
  gst_message_parse_error (message, &error, &debug);
  g_error ("%s (%s)", error->message, debug);
}

static void
stop (Ends * ends, GstElement ** pipeline, GstElement ** element, GstPad ** pad)
{
  if (*pipeline == NULL)
    return;
  check_no_error (ends, *pipeline);
  gst_element_set_state (*pipeline, GST_STATE_NULL);
  g_object_set_data (G_OBJECT (*pipeline), "messages", NULL);
  gst_pad_set_active (*pad, FALSE);
  gst_clear_object (pad);
  gst_clear_object (element);
  gst_clear_object (pipeline);
}

void
ends_stop_sender (Ends * ends)
{
  stop (ends, &ends->sender, &ends->sink, &ends->in);
}

void
ends_stop_receiver (Ends * ends)
{
  stop (ends, &ends->receiver, &ends->src, &ends->out);
}

void
ends_stop (Ends * ends)
{
  ends_stop_sender (ends);
  ends_stop_receiver (ends);
  fail_unless_equals_int (net_count_sockets (), 0);
  g_queue_clear_full (&ends->heard, (GDestroyNotify) gst_buffer_unref);
}

GstBuffer *
ends_make_sound (gpointer unused, GstClockTime at)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 960 * 2, NULL);

  gst_buffer_memset (buffer, 0, 1, 960 * 2);
  GST_BUFFER_PTS (buffer) = at;
  GST_BUFFER_DURATION (buffer) = ENDS_FRAME;
  return buffer;
}

static GstBuffer *
make_packet (Ends * ends)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (ENDS_SIZE, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, ends->seq++);
  gst_rtp_buffer_set_timestamp (&rtp, ends->pushed * 960u);
  gst_rtp_buffer_set_ssrc (&rtp, ends->ssrc);
  memset (gst_rtp_buffer_get_payload (&rtp), (guint8) ends->pushed, ENDS_SIZE);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (buffer) = ends->pushed * ENDS_FRAME;
  return buffer;
}

static void
push (Ends * ends)
{
  GstBuffer *buffer = ends->source != NULL ?
      ends->source (ends->user_data, ends->pushed * ENDS_FRAME) :
      make_packet (ends);
  GstFlowReturn ret = gst_pad_push (ends->in, buffer);

  ends->pushed++;
  fail_unless (ret == GST_FLOW_OK || ends->lenient, "%s",
      gst_flow_get_name (ret));
}

guint
ends_play (Ends * ends, GstClockTime duration)
{
  GstClockTime end = net_get_time () + duration;
  guint before = g_atomic_int_get (&ends->played);

  while (net_get_time () < end) {
    if (ends->sender != NULL && GST_STATE (ends->sender) == GST_STATE_PLAYING) {
      check_no_error (ends, ends->sender);
      push (ends);
    }
    net_run (MIN (ENDS_FRAME, end - net_get_time ()));
  }
  return g_atomic_int_get (&ends->played) - before;
}

void
ends_start_call (Ends * ends, const gchar * receiver, const gchar * sender)
{
  ends_start_receiver (ends, receiver);
  ends_start_sender (ends, sender);
  ends_play (ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (ends, GST_SECOND), ENDS_FULL);
  fail_unless_equals_int (ends->earlier, 0);
}

guint
ends_get_port (GstElement * end)
{
  guint port;

  g_object_get (end, "local-port", &port, NULL);
  return port;
}

guint64
ends_get_stat (GstElement * element, const gchar * name)
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
ends_expect_none (GstElement * element, const gchar * name)
{
  guint64 count = ends_get_stat (element, name);

  fail_unless (count == 0, "%s: %" G_GUINT64_FORMAT, name, count);
}

void
ends_expect_remote (Ends * ends, const gchar * format)
{
  gchar *remote, *text = g_strdup_printf (format, ends_get_port (ends->sink));

  g_object_get (ends->src, "remote-address", &remote, NULL);
  fail_unless_equals_string (remote, text);
  g_free (remote);
  g_free (text);
}

gdouble
ends_get_double (GstElement * element, const gchar * property)
{
  gdouble value;

  g_object_get (element, property, &value, NULL);
  return value;
}

/* What tests ask for; others would keep the pipeline alive. */
#define KEPT (GST_MESSAGE_ERROR | GST_MESSAGE_WARNING | GST_MESSAGE_EOS | \
    GST_MESSAGE_ELEMENT)

static void
free_messages (gpointer messages)
{
  g_queue_free_full (messages, (GDestroyNotify) gst_message_unref);
}

GstMessage *
ends_pop (GstElement * pipeline, GstMessageType types)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GQueue *messages = g_object_get_data (G_OBJECT (pipeline), "messages");
  GstMessage *message;
  GList *l;

  if (messages == NULL) {
    messages = g_queue_new ();
    g_object_set_data_full (G_OBJECT (pipeline), "messages", messages,
        free_messages);
  }
  while ((message = gst_bus_pop (bus)) != NULL)
    if (GST_MESSAGE_TYPE (message) & KEPT)
      g_queue_push_tail (messages, message);
    else
      gst_message_unref (message);
  gst_object_unref (bus);
  for (l = messages->head; l != NULL && message == NULL; l = l->next)
    if (GST_MESSAGE_TYPE (l->data) & types)
      message = l->data;
  if (message != NULL)
    g_queue_remove (messages, message);
  return message;
}

GError *
ends_expect_error (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = launch (line);
  GstMessage *message;

  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED) ==
      GST_STATE_CHANGE_FAILURE, "%s", line);
  message = ends_pop (pipeline, GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "%s: no error", line);
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_set_data (G_OBJECT (pipeline), "messages", NULL);
  gst_object_unref (pipeline);
  return error;
}
