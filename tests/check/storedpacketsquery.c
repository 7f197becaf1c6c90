/* gst-tfrc tests: the packets that a store keeps behind the jitter buffer's query
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "base/storedpacketsquery.h"
#include "leaks.h"

#define KEPT 128                /* packets that a store holds */

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
  GstBufferList *list = gst_tfrc_stored_packets_query_send (pads->sink);

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

  gst_tfrc_stored_packets_query_answer (pads.src);
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

  gst_tfrc_stored_packets_query_answer (pads.src);
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

  fail_unless (gst_tfrc_stored_packets_query_send (pads.sink) == NULL);
  gst_tfrc_stored_packets_query_answer (pads.src);
  fail_if (gst_pad_peer_query (pads.sink, query));
  fail_if (gst_pad_peer_query (pads.sink, custom));
  fail_if (gst_structure_has_field (gst_query_get_structure (custom),
          "packets"));
  gst_query_unref (query);
  gst_query_unref (custom);
  free_pads (&pads);
}

GST_END_TEST;

static Suite *
storedpacketsquery_suite (void)
{
  Suite *suite = suite_create ("storedpacketsquery");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, packets_are_kept_from_the_first_question_on, 0,
      2);
  tcase_add_test (tcase, a_store_lets_its_packets_go_with_its_pad);
  tcase_add_test (tcase, a_pad_without_a_store_does_not_answer);
  return suite;
}

GST_CHECK_MAIN (storedpacketsquery);
