/* gst-tfrc tests: the pads of bins
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element.h"

#include "base/pads.h"
#include "leaks.h"

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

  in.bin = element_new (&in.bus);
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
  element_free (in->bin, in->bus);
}

GST_START_TEST (a_link_that_fails_names_both_pads)
{
  Inside in = make_inside ();

  fail_unless (gst_tfrc_bin_pads_link_elements (in.bin, in.a, in.b));
  fail_unless (gst_pad_is_linked (in.a_src));
  fail_unless (gst_tfrc_bin_pads_link_elements (in.bin, in.a, in.b));
  element_expect_message (in.bus, 0, NULL);
  fail_if (gst_tfrc_bin_pads_link_named (in.bin, in.a, "src", in.b, "sink_0"));
  element_expect_message (in.bus, GST_MESSAGE_ERROR,
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
  /* the bin, which may be starting its elements meanwhile, does not start this one again */
  fail_unless (gst_element_is_locked_state (in.a));
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
  element_expect_message (in.bus, GST_MESSAGE_ERROR,
      "\"src\" of a cannot be linked to the pad \"sink\" of c.");
  /* an element without a source pad */
  fail_if (gst_tfrc_bin_pads_link_elements (in.bin, sink, in.b));
  element_expect_message (in.bus, GST_MESSAGE_ERROR, "\"src\" of c cannot");
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
  element_expect_message (in.bus, GST_MESSAGE_ERROR,
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
  /* events end in the plugs, in both directions */
  fail_unless (gst_pad_push_event (in.b_sink, gst_event_new_reconfigure ()));
  fail_unless (gst_pad_send_event (plug, gst_event_new_reconfigure ()));
  fail_unless (gst_pad_push_event (plug, gst_event_new_eos ()));
  gst_element_set_state (in.bin, GST_STATE_NULL);

  gst_object_unref (plug);
  g_ptr_array_unref (plugs);
  fail_if (gst_pad_is_linked (a_sink));
  gst_query_unref (query);
  gst_object_unref (a_sink);
  free_inside (&in);
}

GST_END_TEST;

static Suite *
bin_pads_suite (void)
{
  Suite *suite = suite_create ("base-pads");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, a_link_that_fails_names_both_pads);
  tcase_add_test (tcase, elements_that_are_removed_are_stopped);
  tcase_add_test (tcase, elements_that_are_linked_otherwise_cannot_be_linked);
  tcase_add_test (tcase, a_target_that_is_taken_is_an_error);
  tcase_add_test (tcase, plugs_take_what_comes_and_go_without_a_trace);
  return suite;
}

GST_CHECK_MAIN (bin_pads);
