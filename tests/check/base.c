/* gst-tfrc tests: the room base: packet store, rate event, RTP header, SDP in caps, enumerations,
 * missing elements, pads inside bins, the followed SSRC, property fields
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <string.h>

#include "base/pads.h"
#include "base/enums.h"
#include "base/followedssrc.h"
#include "base/messages.h"
#include "base/packetstore.h"
#include "base/propertyfield.h"
#include "base/rateevent.h"
#include "base/rtpheader.h"
#include "base/sdpcaps.h"

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define KEPT 128                /* packets that a store holds */

/* --- packet store --- */

static GstStaticPadTemplate any_src =
GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate any_sink =
GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
drop (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

typedef struct
{
  GstPad *src, *sink;
} Pads;

static Pads
make_pads (void)
{
  Pads pads = { gst_pad_new_from_static_template (&any_src, "src"),
    gst_pad_new_from_static_template (&any_sink, "sink")
  };
  GstSegment segment;

  gst_pad_set_chain_function (pads.sink, drop);
  gst_pad_set_active (pads.src, TRUE);
  gst_pad_set_active (pads.sink, TRUE);
  fail_unless_equals_int (gst_pad_link (pads.src, pads.sink), GST_PAD_LINK_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pads.src, gst_event_new_stream_start ("base"));
  gst_pad_push_event (pads.src, gst_event_new_segment (&segment));
  return pads;
}

static void
free_pads (Pads * pads)
{
  gst_pad_set_active (pads->src, FALSE);
  gst_pad_set_active (pads->sink, FALSE);
  gst_object_unref (pads->src);
  gst_object_unref (pads->sink);
}

static GstBuffer *
make_numbered (guint64 number)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 4, NULL);

  GST_BUFFER_OFFSET (buffer) = number;
  return buffer;
}

/* Packets of these numbers, one by one or in lists of two. */
static void
push_numbers (Pads * pads, guint from, guint to, gboolean lists)
{
  for (guint i = from; i < to; i += lists ? 2 : 1) {
    GstBufferList *list = gst_buffer_list_new ();

    gst_buffer_list_add (list, make_numbered (i));
    gst_buffer_list_add (list, make_numbered (i + 1));
    if (lists) {
      fail_unless_equals_int (gst_pad_push_list (pads->src, list), GST_FLOW_OK);
    } else {
      gst_buffer_list_unref (list);
      fail_unless_equals_int (gst_pad_push (pads->src, make_numbered (i)),
          GST_FLOW_OK);
    }
  }
}

static void
expect_numbers (Pads * pads, guint from, guint to)
{
  GstBufferList *list = gst_tfrc_packet_store_query (pads->sink);

  fail_unless (list != NULL);
  fail_unless_equals_int (gst_buffer_list_length (list), to - from);
  for (guint i = from; i < to; i++)
    fail_unless_equals_uint64 (GST_BUFFER_OFFSET (gst_buffer_list_get (list,
                i - from)), i);
  gst_buffer_list_unref (list);
}

GST_START_TEST (packets_are_kept_from_the_first_question_on)
{
  gboolean lists = __i__;
  Pads pads = make_pads ();

  gst_tfrc_packet_store_answer (pads.src);
  push_numbers (&pads, 0, 4, lists);
  expect_numbers (&pads, 0, 0);
  push_numbers (&pads, 4, 10, lists);
  expect_numbers (&pads, 4, 10);
  push_numbers (&pads, 10, KEPT + 4, lists);
  expect_numbers (&pads, 4, KEPT + 4);
  push_numbers (&pads, KEPT + 4, KEPT + 6, lists);
  expect_numbers (&pads, 6, KEPT + 6);
  free_pads (&pads);
}

GST_END_TEST;

GST_START_TEST (a_store_lets_its_packets_go_with_its_pad)
{
  Pads pads = make_pads ();
  GstBuffer *buffer = make_numbered (7);

  gst_tfrc_packet_store_answer (pads.src);
  expect_numbers (&pads, 0, 0);
  gst_pad_push (pads.src, gst_buffer_ref (buffer));
  expect_numbers (&pads, 7, 8);
  ASSERT_MINI_OBJECT_REFCOUNT (buffer, "kept packet", 2);
  free_pads (&pads);
  ASSERT_MINI_OBJECT_REFCOUNT (buffer, "packet", 1);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (a_pad_without_a_store_does_not_answer)
{
  Pads pads = make_pads ();
  GstQuery *query = gst_query_new_position (GST_FORMAT_TIME);
  GstQuery *custom = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty ("other"));

  fail_unless (gst_tfrc_packet_store_query (pads.sink) == NULL);
  gst_tfrc_packet_store_answer (pads.src);
  fail_if (gst_pad_peer_query (pads.sink, query));
  fail_if (gst_pad_peer_query (pads.sink, custom));
  fail_if (gst_structure_has_field (gst_query_get_structure (custom),
          "packets"));
  gst_query_unref (query);
  gst_query_unref (custom);
  free_pads (&pads);
}

GST_END_TEST;

/* --- rate event --- */

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
        .s = 80.25
      },
      .loss = 0.025,
      .header_size = 28,
      .overhead = 24,
      .queue_delay = 3 * GST_MSECOND,
      .dropped = 17,
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
  GstTfrcRate sent = make_rate (__i__), got;
  GstEvent *event = gst_tfrc_rate_event_new (&sent);

  memset (&got, 0xff, sizeof got);
  fail_unless_equals_int (GST_EVENT_TYPE (event), GST_EVENT_CUSTOM_UPSTREAM);
  fail_unless_equals_string (gst_structure_get_string (gst_event_get_structure
          (event), "reason"), reasons[__i__]);
  fail_unless (gst_tfrc_rate_event_parse (event, &got));
  fail_unless_equals_int (got.bitrate, sent.bitrate);
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
  fail_unless_equals_float (got.allowance.R, sent.allowance.R);
  fail_unless_equals_float (got.allowance.R_sample, sent.allowance.R_sample);
  fail_unless_equals_float (got.allowance.s, sent.allowance.s);
  fail_unless_equals_int (got.header_size, sent.header_size);
  fail_unless_equals_int (got.overhead, sent.overhead);
  fail_unless_equals_uint64 (got.queue_delay, sent.queue_delay);
  fail_unless_equals_uint64 (got.dropped, sent.dropped);
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
    "reason"
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
  fail_unless_equals_float (rate.loss, -1.0);
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

/* --- RTP header --- */

#define PACKET 400

/* A packet in memories of these sizes, up to a 0, and the rest. */
static GstBuffer *
make_packet (const gsize sizes[3])
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize at = 0;

  for (guint i = 0; at < PACKET; i++) {
    gsize size = i < 3 && sizes[i] > 0 ? sizes[i] : PACKET - at;
    guint8 *data = g_malloc (size);

    for (gsize k = 0; k < size; k++)
      data[k] = (at + k) & 0xff;
    gst_buffer_append (buffer, gst_buffer_new_wrapped (data, size));
    at += size;
  }
  return buffer;
}

GST_START_TEST (the_head_of_a_packet_is_read_where_it_lies)
{
  static const struct
  {
    gsize sizes[3];
    gboolean copied;
    gsize size;
  } packets[] = {
    {{0}, FALSE, PACKET},
    {{GST_TFRC_RTP_HEADER_SIZE}, FALSE, GST_TFRC_RTP_HEADER_SIZE},
    {{GST_TFRC_RTP_HEADER_SIZE - 1}, TRUE, GST_TFRC_RTP_HEADER_SIZE},
    {{12, 8, 4}, TRUE, GST_TFRC_RTP_HEADER_SIZE},
  };
  GstBuffer *buffer = make_packet (packets[__i__].sizes);
  GstTfrcRtpHeader head;
  GstMapInfo map;

  gst_tfrc_rtp_header_map (&head, buffer);
  fail_unless_equals_int (head.data == head.copy, packets[__i__].copied);
  fail_unless_equals_int (head.size, packets[__i__].size);
  for (gsize i = 0; i < head.size; i++)
    fail_unless_equals_int (head.data[i], i & 0xff);
  gst_tfrc_rtp_header_unmap (&head);
  /* Only a memory that nobody reads can be written to. */
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map,
          GST_MAP_WRITE));
  gst_memory_unmap (gst_buffer_peek_memory (buffer, 0), &map);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (an_empty_packet_has_no_head)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstTfrcRtpHeader head;

  gst_tfrc_rtp_header_map (&head, buffer);
  fail_unless_equals_int (head.size, 0);
  gst_tfrc_rtp_header_unmap (&head);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* --- SDP in caps --- */

#define CAPS "application/x-rtp,payload=96"
#define EXTENSION ",extmap-3=" STAMP_URI

GST_START_TEST (the_id_of_the_extension_is_found)
{
  static const struct
  {
    const gchar *caps;
    guint id;
  } table[] = {
    {CAPS ",extmap-1=" STAMP_URI, 1},
    {CAPS ",extmap-255=" STAMP_URI, 255},
    {CAPS ",extmap-256=" STAMP_URI, 0},
    {CAPS ",extmap-0=" STAMP_URI, 0},
    {CAPS ",extmap-x=" STAMP_URI, 0},
    {CAPS ",othermap-4=" STAMP_URI, 0},
    {CAPS ",extmap-4=urn:other,extmap-5=" STAMP_URI, 5},
    {CAPS ",extmap-6=<sendonly," STAMP_URI ",fast>", 6},
    {CAPS ",extmap-7=<recvonly," STAMP_URI ">", 7},
    {CAPS ",extmap-8=<" STAMP_URI ">", 0},
    {CAPS ",extmap-9=(int)9", 0},
    {CAPS, 0},
    {"EMPTY", 0},
  };

  fail_unless_equals_int (gst_tfrc_sdp_caps_find_extension_id (NULL), 0);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    GstCaps *caps = gst_caps_from_string (table[i].caps);

    fail_unless (caps != NULL, "%s", table[i].caps);
    fail_unless (gst_tfrc_sdp_caps_find_extension_id (caps) == table[i].id,
        "%s", table[i].caps);
    gst_caps_unref (caps);
  }
}

GST_END_TEST;

static const struct
{
  const gchar *caps;
  GstTfrcSdpCapsVerdict verdict;        /* of an end in the mode tfrc-sp */
  const gchar *error, *warning; /* at a receiver: words of it, or NULL */
} verdicts[] = {
  {CAPS, GST_TFRC_SDP_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION, GST_TFRC_SDP_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-tfrc=true", GST_TFRC_SDP_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-nack=true,tfrc-mode=tfrc-sp",
      GST_TFRC_SDP_CAPS_GOOD, NULL, NULL},
  {CAPS ",rtcp-fb-nack=true", GST_TFRC_SDP_CAPS_GOOD, NULL, NULL},
  {CAPS EXTENSION ",rtcp-fb-nack=true", GST_TFRC_SDP_CAPS_NO_FEEDBACK, NULL,
      "half of TFRC"},
  {CAPS EXTENSION ",rtcp-fb-tfrc=false", GST_TFRC_SDP_CAPS_NO_FEEDBACK, NULL,
      "half of TFRC"},
  {CAPS ",rtcp-fb-tfrc=true", GST_TFRC_SDP_CAPS_NO_EXTENSION, NULL,
      "half of TFRC"},
  {CAPS ",tfrc-mode=tfrc-sp", GST_TFRC_SDP_CAPS_NO_EXTENSION, NULL,
      "half of TFRC"},
  {CAPS EXTENSION ",tfrc-mode=tfrc", GST_TFRC_SDP_CAPS_OTHER_MODE,
      "Set mode=tfrc here", NULL},
};

static void
expect_message (GstBus * bus, GstMessageType type, const gchar * words)
{
  GstMessage *message = gst_bus_pop (bus);
  GError *error = NULL;

  if (words == NULL) {
    fail_unless (message == NULL);
    return;
  }
  fail_unless (message != NULL, "no message with: %s", words);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), type);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
}

/* An element of any kind, on a bus of its own. */
static GstElement *
make_element (GstBus ** bus)
{
  GstElement *element = gst_bin_new ("element");

  *bus = gst_bus_new ();
  gst_element_set_bus (element, *bus);
  return element;
}

static void
free_element (GstElement * element, GstBus * bus)
{
  gst_bus_set_flushing (bus, TRUE);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}

GST_START_TEST (caps_are_judged_by_what_they_say_of_tfrc)
{
  GstCaps *caps = gst_caps_from_string (verdicts[__i__].caps);
  GstTfrcSdpCapsVerdict verdict = verdicts[__i__].verdict;
  gboolean sends = verdict == GST_TFRC_SDP_CAPS_GOOD
      || verdict == GST_TFRC_SDP_CAPS_NO_EXTENSION;
  GstTfrcWarning warning = { 0 };
  GstBus *bus;
  GstElement *element = make_element (&bus);

  fail_unless_equals_int (gst_tfrc_sdp_caps_check (caps, TFRC_MODE_TFRC_SP),
      verdict);
  fail_unless_equals_int (gst_tfrc_sdp_caps_judge (caps, TFRC_MODE_TFRC_SP,
          element), sends);
  expect_message (bus, GST_MESSAGE_ERROR,
      sends ? NULL : verdict ==
      GST_TFRC_SDP_CAPS_OTHER_MODE ? verdicts[__i__].error : "will not report");
  fail_unless_equals_int (gst_tfrc_sdp_caps_judge_received (caps,
          TFRC_MODE_TFRC_SP, element, &warning),
      verdict == GST_TFRC_SDP_CAPS_GOOD);
  if (verdicts[__i__].error != NULL)
    expect_message (bus, GST_MESSAGE_ERROR, verdicts[__i__].error);
  else
    expect_message (bus, GST_MESSAGE_WARNING, verdicts[__i__].warning);
  expect_message (bus, 0, NULL);
  free_element (element, bus);
  gst_caps_unref (caps);
}

GST_END_TEST;

static void
expect_completed (const gchar * before, guint id, const gchar * after)
{
  GstCaps *caps = gst_caps_from_string (before), *expected =
      gst_caps_from_string (after), *got;
  GstEvent *event = gst_tfrc_sdp_caps_complete (gst_event_new_caps (caps), id,
      TFRC_MODE_TFRC_SP);

  gst_event_parse_caps (event, &got);
  fail_unless (gst_caps_is_equal (got, expected), "%" GST_PTR_FORMAT, got);
  gst_event_unref (event);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 1);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
}

GST_START_TEST (caps_are_completed)
{
#define ADDED ",rtcp-fb-tfrc=true,tfrc-mode=tfrc-sp"
  expect_completed (CAPS, 3, CAPS EXTENSION ADDED);
  expect_completed (CAPS EXTENSION, 3, CAPS EXTENSION ADDED);
  /* what was agreed on stays as it is, attributes included */
  expect_completed (CAPS ",extmap-3=<sendonly," STAMP_URI ",fast>", 3,
      CAPS ",extmap-3=<sendonly," STAMP_URI ",fast>" ADDED);
}

GST_END_TEST;

/* --- enumerations --- */

GST_START_TEST (values_have_nicks)
{
  static const gchar *const measures[] = {
    "rfc", "unbias-packet", "unbias-byte", "virtual-packet", "virtual-byte",
    "sample-packet",
    "sample-byte", "lip-scale", "gradual"
  };

  fail_unless_equals_string (gst_tfrc_mode_get_nick (TFRC_MODE_TFRC), "tfrc");
  fail_unless_equals_string (gst_tfrc_mode_get_nick (TFRC_MODE_TFRC_SP),
      "tfrc-sp");
  fail_unless_equals_string (gst_tfrc_mode_get_nick ((TfrcMode) 77), "unknown");
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    fail_unless_equals_string (gst_tfrc_measure_get_nick ((TfrcMeasure) i),
        measures[i]);
}

GST_END_TEST;

/* --- missing elements --- */

GST_START_TEST (a_missing_element_is_named_with_its_package)
{
  static const gchar *const packages[][2] = {
    {"srtpenc", "gstreamer1.0-plugins-bad"}, {"spanplc",
        "gstreamer1.0-plugins-bad"},
    {"voamrwbenc", "gstreamer1.0-plugins-bad"}, {"gsmenc",
        "gstreamer1.0-plugins-bad"},
    {"amrwbdec", "gstreamer1.0-plugins-ugly"}, {"avenc_g722",
        "gstreamer1.0-libav"},
    {"opusenc", "gstreamer1.0-plugins-base"}, {"audioconvert",
        "gstreamer1.0-plugins-base"},
    {"speexenc", "gstreamer1.0-plugins-good"},
  };
  const gchar *factory = packages[__i__][0], *package = packages[__i__][1];
  GstBus *bus;
  GstElement *element = make_element (&bus);
  GstMessage *message;

  gst_tfrc_missing_error (element, factory, " Or do without.");
  message = gst_bus_pop (bus);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_ELEMENT);
  fail_unless (gst_message_has_name (message, "missing-plugin"));
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure
          (message), "detail"), factory);
  gst_message_unref (message);
  expect_message (bus, GST_MESSAGE_ERROR, package);
  gst_tfrc_missing_warning (element, factory, " Or do without.");
  gst_message_unref (gst_bus_pop (bus));
  expect_message (bus, GST_MESSAGE_WARNING, "has it. Or do without.");
  expect_message (bus, 0, NULL);
  free_element (element, bus);
}

GST_END_TEST;

GST_START_TEST (the_first_that_is_missing_is_found)
{
  const gchar *const all[] = { "fakesrc", "fakesink", NULL };
  const gchar *const some[] =
      { "fakesrc", "no-such-element", "nor-such", NULL };

  fail_unless (gst_tfrc_missing_find (all) == NULL);
  fail_unless_equals_string (gst_tfrc_missing_find (some), "no-such-element");
}

GST_END_TEST;

/* --- pads inside bins --- */

typedef struct
{
  GstBus *bus;
  GstElement *bin, *a, *b;      /* two elements with a pad each way in it */
  GstPad *a_src, *b_sink;
} Inside;

static Inside
make_inside (void)
{
  Inside in;

  in.bin = make_element (&in.bus);
  in.a = gst_element_factory_make ("identity", "a");
  in.b = gst_element_factory_make ("identity", "b");
  gst_bin_add_many (GST_BIN (in.bin), in.a, in.b, NULL);
  in.a_src = gst_element_get_static_pad (in.a, "src");
  in.b_sink = gst_element_get_static_pad (in.b, "sink");
  return in;
}

static void
free_inside (Inside * in)
{
  gst_object_unref (in->a_src);
  gst_object_unref (in->b_sink);
  free_element (in->bin, in->bus);
}

GST_START_TEST (a_link_that_fails_names_both_pads)
{
  Inside in = make_inside ();

  fail_unless (gst_tfrc_bin_pads_link_elements (in.bin, in.a, in.b));
  fail_unless (gst_pad_is_linked (in.a_src));
  fail_unless (gst_tfrc_bin_pads_link_elements (in.bin, in.a, in.b));
  expect_message (in.bus, 0, NULL);
  fail_if (gst_tfrc_bin_pads_link_named (in.bin, in.a, "src", in.b, "sink_0"));
  expect_message (in.bus, GST_MESSAGE_ERROR,
      "Inside element, the pad \"src\" of a cannot be linked to the pad \"sink_0\" of b.");
  gst_pad_unlink (in.a_src, in.b_sink);
  fail_unless (gst_tfrc_bin_pads_link_named (in.bin, in.a, "src", in.b,
          "sink"));
  fail_unless (gst_pad_is_linked (in.a_src));
  free_inside (&in);
}

GST_END_TEST;

GST_START_TEST (elements_that_are_removed_are_stopped)
{
  Inside in = make_inside ();
  GstElement *const elements[] = { in.a, in.b };

  gst_object_ref (in.a);
  gst_element_set_state (in.bin, GST_STATE_PAUSED);
  gst_tfrc_bin_pads_remove_elements (GST_BIN (in.bin), elements, 1);
  fail_unless (GST_OBJECT_PARENT (in.a) == NULL);
  fail_unless_equals_int (GST_STATE (in.a), GST_STATE_NULL);
  fail_unless (GST_OBJECT_PARENT (in.b) == GST_OBJECT (in.bin));
  fail_unless_equals_int (GST_STATE (in.b), GST_STATE_PAUSED);
  gst_object_unref (in.a);
  gst_element_set_state (in.bin, GST_STATE_NULL);
  free_inside (&in);
}

GST_END_TEST;

GST_START_TEST (elements_that_are_linked_otherwise_cannot_be_linked)
{
  Inside in = make_inside ();
  GstElement *sink = gst_element_factory_make ("fakesink", "c");

  gst_bin_add (GST_BIN (in.bin), sink);
  fail_unless (gst_tfrc_bin_pads_link_elements (in.bin, in.a, in.b));
  fail_unless (gst_pad_is_linked (in.a_src));
  fail_if (gst_tfrc_bin_pads_link_elements (in.bin, in.a, sink));
  expect_message (in.bus, GST_MESSAGE_ERROR,
      "\"src\" of a cannot be linked to the pad \"sink\" of c.");
  /* an element without a source pad */
  fail_if (gst_tfrc_bin_pads_link_elements (in.bin, sink, in.b));
  expect_message (in.bus, GST_MESSAGE_ERROR, "\"src\" of c cannot");
  free_inside (&in);
}

GST_END_TEST;

GST_START_TEST (a_target_that_is_taken_is_an_error)
{
  Inside in = make_inside ();
  GstPad *ghost = gst_ghost_pad_new_no_target ("ghost", GST_PAD_SRC), *target;

  gst_element_add_pad (in.bin, ghost);
  fail_unless (gst_tfrc_bin_pads_set_target (in.bin, ghost, in.a_src));
  target = gst_ghost_pad_get_target (GST_GHOST_PAD (ghost));
  fail_unless (target == in.a_src);
  gst_object_unref (target);
  gst_ghost_pad_set_target (GST_GHOST_PAD (ghost), NULL);
  gst_pad_link (in.a_src, in.b_sink);
  fail_if (gst_tfrc_bin_pads_set_target (in.bin, ghost, in.a_src));
  expect_message (in.bus, GST_MESSAGE_ERROR,
      "\"src\" of a cannot be linked to the pad \"ghost\" of element.");
  free_inside (&in);
}

GST_END_TEST;

GST_START_TEST (plugs_take_what_comes_and_go_without_a_trace)
{
  Inside in = make_inside ();
  GPtrArray *plugs = gst_tfrc_bin_pads_new_plugs ();
  GstPad *a_sink = gst_element_get_static_pad (in.a, "sink"), *plug;
  GstQuery *query = gst_query_new_latency ();
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_link (in.a_src, in.b_sink);
  gst_tfrc_bin_pads_plug (GST_BIN (in.bin), plugs);
  fail_unless_equals_int (plugs->len, 2);
  gst_tfrc_bin_pads_plug (GST_BIN (in.bin), plugs);
  fail_unless_equals_int (plugs->len, 2);
  plug = gst_pad_get_peer (a_sink);
  fail_unless (plug != NULL && GST_OBJECT_PARENT (plug) == NULL);

  /* what passes both elements ends in the plug behind them */
  gst_element_set_state (in.bin, GST_STATE_PLAYING);
  fail_unless (gst_pad_push_event (plug, gst_event_new_stream_start ("plug")));
  fail_unless (gst_pad_push_event (plug, gst_event_new_segment (&segment)));
  fail_unless_equals_int (gst_pad_push (plug, gst_buffer_new ()), GST_FLOW_OK);
  fail_if (gst_pad_query (plug, query));
  gst_element_set_state (in.bin, GST_STATE_NULL);

  gst_object_unref (plug);
  g_ptr_array_unref (plugs);
  fail_if (gst_pad_is_linked (a_sink));
  gst_query_unref (query);
  gst_object_unref (a_sink);
  free_inside (&in);
}

GST_END_TEST;

/* --- the followed SSRC --- */

#define HALF_A_SECOND (500 * GST_MSECOND)

GST_START_TEST (another_ssrc_is_followed_after_half_a_second)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  fail_if (gst_tfrc_followed_ssrc_is (&followed, 0));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 1000),
      GST_TFRC_SSRC_FIRST);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 2000),
      GST_TFRC_SSRC_SAME);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          1999 + HALF_A_SECOND), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2000 + HALF_A_SECOND), GST_TFRC_SSRC_CHANGED);
  fail_unless (gst_tfrc_followed_ssrc_is (&followed, 2));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1,
          2002 + HALF_A_SECOND), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_uint64 (followed.changes, 1);
  fail_unless_equals_uint64 (followed.others, 2);
}

GST_END_TEST;

GST_START_TEST (packets_that_cannot_be_used_are_no_silence)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  gst_tfrc_followed_ssrc_check (&followed, 1, 0);
  gst_tfrc_followed_ssrc_hear (&followed, 1, HALF_A_SECOND);
  gst_tfrc_followed_ssrc_hear (&followed, 2, 2 * HALF_A_SECOND);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2 * HALF_A_SECOND - 1), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2 * HALF_A_SECOND), GST_TFRC_SSRC_CHANGED);
}

GST_END_TEST;

GST_START_TEST (without_times_no_ssrc_is_silent)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  gst_tfrc_followed_ssrc_check (&followed, 1, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          GST_SECOND), GST_TFRC_SSRC_OTHER);
  gst_tfrc_followed_ssrc_check (&followed, 1, GST_SECOND);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          GST_CLOCK_TIME_NONE), GST_TFRC_SSRC_OTHER);
}

GST_END_TEST;

GST_START_TEST (an_ssrc_that_said_bye_gives_way_at_once)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  fail_if (gst_tfrc_followed_ssrc_bye (&followed, 0));
  gst_tfrc_followed_ssrc_check (&followed, 1, 0);
  fail_if (gst_tfrc_followed_ssrc_bye (&followed, 2));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 1),
      GST_TFRC_SSRC_OTHER);
  fail_unless (gst_tfrc_followed_ssrc_bye (&followed, 1));
  /* a BYE that a packet follows was forged, or arrived before the packet */
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 2),
      GST_TFRC_SSRC_SAME);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 3),
      GST_TFRC_SSRC_OTHER);
  fail_unless (gst_tfrc_followed_ssrc_bye (&followed, 1));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 4),
      GST_TFRC_SSRC_CHANGED);
  fail_if (followed.left);
}

GST_END_TEST;

/* --- property fields --- */

typedef struct
{
  gboolean flag;
  gint mode;
  guint number;
  guint64 time;
  gchar *name;
  GstCaps *caps;
  GObject *object;
} Fields;

/* Sets the field at `offset`, and checks that the same value is read from there. */
static void
check_field (Fields * fields, gsize offset, GType type, const GValue * value)
{
  GValue read = G_VALUE_INIT;

  gst_tfrc_property_field_set (fields, offset, value);
  g_value_init (&read, type);
  gst_tfrc_property_field_get (fields, offset, &read);
  fail_unless_equals_int (gst_value_compare (&read, value), GST_VALUE_EQUAL);
  g_value_unset (&read);
}

#define CHECK_FIELD(fields, field, type, set, what) G_STMT_START { \
  GValue value = G_VALUE_INIT; \
  g_value_init (&value, type); \
  set (&value, what); \
  check_field (fields, G_STRUCT_OFFSET (Fields, field), type, &value); \
  g_value_unset (&value); \
} G_STMT_END

static void
set_fields (Fields * fields, guint n, const gchar * name, GstCaps * caps,
    GObject * object)
{
  CHECK_FIELD (fields, flag, G_TYPE_BOOLEAN, g_value_set_boolean, n % 2);
  CHECK_FIELD (fields, mode, GST_TYPE_TFRC_MODE, g_value_set_enum, n % 2);
  CHECK_FIELD (fields, number, G_TYPE_UINT, g_value_set_uint, n);
  CHECK_FIELD (fields, time, G_TYPE_UINT64, g_value_set_uint64, n * GST_SECOND);
  CHECK_FIELD (fields, name, G_TYPE_STRING, g_value_set_string, name);
  CHECK_FIELD (fields, caps, GST_TYPE_CAPS, gst_value_set_caps, caps);
  CHECK_FIELD (fields, object, G_TYPE_OBJECT, g_value_set_object, object);
}

GST_START_TEST (a_field_owns_the_last_value_of_its_property)
{
  Fields fields = { FALSE };
  GstCaps *caps = gst_caps_new_any ();
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  set_fields (&fields, 3, "first", caps, object);
  fail_unless (fields.flag && fields.mode == 1 && fields.number == 3);
  fail_unless_equals_uint64 (fields.time, 3 * GST_SECOND);
  fail_unless_equals_string (fields.name, "first");
  fail_unless (fields.caps == caps && fields.object == object);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 2);
  ASSERT_OBJECT_REFCOUNT (object, "object", 2);
  set_fields (&fields, 4, NULL, NULL, NULL);
  fail_unless (!fields.flag && fields.name == NULL && fields.caps == NULL);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 1);
  ASSERT_OBJECT_REFCOUNT (object, "object", 1);
  gst_caps_unref (caps);
  g_object_unref (object);
}

GST_END_TEST;

static Suite *
base_suite (void)
{
  Suite *suite = suite_create ("base");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, packets_are_kept_from_the_first_question_on, 0,
      2);
  tcase_add_test (tcase, a_store_lets_its_packets_go_with_its_pad);
  tcase_add_test (tcase, a_pad_without_a_store_does_not_answer);
  tcase_add_loop_test (tcase, a_rate_event_carries_every_field, 0,
      GST_TFRC_RATE_RESUME + 1);
  tcase_add_test (tcase, a_rate_event_without_a_field_that_is_due_is_refused);
  tcase_add_test (tcase, what_a_rate_event_need_not_have_is_unknown);
  tcase_add_test (tcase, other_events_are_no_rate_events);
  tcase_add_test (tcase, no_limit_of_the_packet_rate_is_0_in_the_event);
  tcase_add_loop_test (tcase, the_head_of_a_packet_is_read_where_it_lies, 0, 4);
  tcase_add_test (tcase, an_empty_packet_has_no_head);
  tcase_add_test (tcase, the_id_of_the_extension_is_found);
  tcase_add_loop_test (tcase, caps_are_judged_by_what_they_say_of_tfrc, 0,
      G_N_ELEMENTS (verdicts));
  tcase_add_test (tcase, caps_are_completed);
  tcase_add_test (tcase, values_have_nicks);
  tcase_add_loop_test (tcase, a_missing_element_is_named_with_its_package, 0,
      9);
  tcase_add_test (tcase, the_first_that_is_missing_is_found);
  tcase_add_test (tcase, a_link_that_fails_names_both_pads);
  tcase_add_test (tcase, elements_that_are_removed_are_stopped);
  tcase_add_test (tcase, elements_that_are_linked_otherwise_cannot_be_linked);
  tcase_add_test (tcase, a_target_that_is_taken_is_an_error);
  tcase_add_test (tcase, a_field_owns_the_last_value_of_its_property);
  tcase_add_test (tcase, plugs_take_what_comes_and_go_without_a_trace);
  tcase_add_test (tcase, another_ssrc_is_followed_after_half_a_second);
  tcase_add_test (tcase, packets_that_cannot_be_used_are_no_silence);
  tcase_add_test (tcase, without_times_no_ssrc_is_silent);
  tcase_add_test (tcase, an_ssrc_that_said_bye_gives_way_at_once);
  return suite;
}

GST_CHECK_MAIN (base);
