/* gst-tfrc tests: the filters' pads for RTCP, by which reports pass the RTP session
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#define R_US 100000

/* --- rtptfrcreceive: rtcp_src --- */

/* The data sender says that it takes reduced-size RTCP, and has had a compound report. */
static void
begin_reduced_size (Filter * f)
{
  static const guint8 words[12] = { TFRC_MODE_TFRC, 0, 0, 40, 0, 0, 0, 2 };
  GstBuffer *app = gst_buffer_new_memdup (words, sizeof words);

  filter_push_stamped (f, R_US, 0);
  g_signal_emit_by_name (f->session, "on-app-rtcp", 0, OWN_SSRC, "TFRC", app);
  gst_buffer_unref (app);
  filter_advance (f, FRAME);
  g_bytes_unref (filter_send_rtcp (f, TRUE, FALSE));
}

/* So many packets, after a pause in which the session's minimum time
 * between two RTCP packets is over. */
static void
receive_packets (Filter * f, guint packets)
{
  guint i;

  filter_advance (f, 150 * GST_MSECOND);
  for (i = 1; i <= packets; i++) {
    filter_push_stamped (f, R_US, i * 20000);
    filter_advance (f, FRAME);
  }
}

GST_START_TEST (a_reduced_size_report_leaves_by_the_pad)
{
  guint8 data[TFRC_REPORT_SIZE];
  guint32 sender, media;
  GstHarness *rtcp;
  GstBuffer *buffer;
  TfrcReport report;
  GstCaps *caps;
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  rtcp = gst_harness_new_with_element (f.element, NULL, "rtcp_src");
  begin_reduced_size (&f);
  fail_unless_equals_int (gst_harness_buffers_received (rtcp), 0);
  receive_packets (&f, 4);
  buffer = gst_harness_try_pull (rtcp);
  fail_unless (buffer != NULL);
  fail_unless_equals_int (gst_buffer_get_size (buffer), TFRC_REPORT_SIZE);
  gst_buffer_extract (buffer, 0, data, sizeof data);
  fail_unless_equals_int (tfrc_report_parse (&report, TFRC_REPORT_FMT, &sender,
          &media, data, sizeof data), TFRC_PARSE_OK);
  /* all reports are from the SSRC of the first compound packet */
  fail_unless_equals_int (sender, PEER_SSRC);
  fail_unless_equals_int (media, OWN_SSRC);
  caps = gst_pad_get_current_caps (rtcp->sinkpad);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "application/x-rtcp"));
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-reports-sent"), 2);
  gst_caps_unref (caps);
  gst_buffer_unref (buffer);
  gst_harness_teardown (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_session_is_asked_when_the_pad_leads_nowhere)
{
  GstPad *pad;
  Filter f;

  filter_start (&f, "rtptfrcreceive");
  pad = gst_element_request_pad_simple (f.element, "rtcp_src");
  fail_unless (pad != NULL);
  fail_unless (gst_element_request_pad (f.element,
          gst_element_get_pad_template (f.element, "rtcp_src"), NULL,
          NULL) == NULL);
  begin_reduced_size (&f);
  receive_packets (&f, 4);
  fail_unless (filter_get_stat (&f, "rtcp-reports-asked") >= 1);
  /* the session of this test sends nothing by itself */
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-reports-sent"), 1);
  gst_element_release_request_pad (f.element, pad);
  gst_object_unref (pad);
  pad = gst_element_request_pad_simple (f.element, "rtcp_src");
  fail_unless (pad != NULL);
  gst_element_release_request_pad (f.element, pad);
  gst_object_unref (pad);
  filter_stop (&f);
}

GST_END_TEST;

/* --- rtptfrcsend: rtcp_sink and rtcp_src --- */

static GstBuffer *
new_report (const TfrcReport * report, guint32 sender)
{
  guint8 data[TFRC_REPORT_SIZE_MAX];
  gsize size =
      tfrc_report_write (report, TFRC_REPORT_FMT, sender, OWN_SSRC, data);

  return gst_buffer_new_memdup (data, size);
}

/* What comes out for a packet, and how many reports the filter took meanwhile. */
static void
check_packet (Filter * f, GstHarness * rtcp, GstBuffer * packet,
    guint passed, guint taken)
{
  guint64 reports = filter_get_stat (f, "reports");
  guint received = gst_harness_buffers_received (rtcp);

  fail_unless_equals_int (gst_harness_push (rtcp, packet), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (rtcp) - received,
      passed);
  fail_unless_equals_uint64 (filter_get_stat (f, "reports") - reports, taken);
}

GST_START_TEST (a_lone_report_of_the_known_receiver_is_taken)
{
  TfrcReport report = { .x_recv_Bps = 8600 };
  GstHarness *rtcp;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  rtcp = gst_harness_new_with_element (f.element, "rtcp_sink", "rtcp_src");
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  filter_push (&f, 1100);
  report.t_i_us = filter_take_stamp (&f).t_i_us;
  filter_advance (&f, 100 * GST_MSECOND);
  /* nothing is known of the receiver: the session has to see it */
  check_packet (&f, rtcp, new_report (&report, PEER_SSRC), 1, 0);
  filter_report (&f, report.t_i_us, 0, 8600, 0);
  filter_push (&f, 1100);
  report.t_i_us = filter_take_stamp (&f).t_i_us;
  filter_advance (&f, 100 * GST_MSECOND);
  check_packet (&f, rtcp, new_report (&report, PEER_SSRC), 0, 1);
  /* another receiver, and all that is more or less than one report */
  check_packet (&f, rtcp, new_report (&report, OTHER_SSRC), 1, 0);
  check_packet (&f, rtcp, gst_buffer_append (new_report (&report, PEER_SSRC),
          new_report (&report, PEER_SSRC)), 1, 0);
  check_packet (&f, rtcp, gst_buffer_new_memdup ("\x80\xc9\0\1\1\1\1\1", 8), 1,
      0);
  check_packet (&f, rtcp, gst_buffer_new (), 1, 0);
  /* RTP is none of this */
  filter_push (&f, 100);
  gst_buffer_unref (filter_take (&f));
  gst_harness_teardown (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (events_stay_on_their_side)
{
  GstHarness *rtcp;
  Filter f;

  filter_start (&f, "rtptfrcsend");
  rtcp = gst_harness_new_with_element (f.element, "rtcp_sink", "rtcp_src");
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  gst_harness_push_event (rtcp, gst_event_new_eos ());
  fail_unless (GST_PAD_IS_EOS (rtcp->sinkpad));
  fail_if (GST_PAD_IS_EOS (f.h->sinkpad));
  filter_push (&f, 100);
  gst_buffer_unref (filter_take (&f));
  gst_harness_teardown (rtcp);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
rtcppads_suite (void)
{
  Suite *s = suite_create ("rtcppads");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, a_reduced_size_report_leaves_by_the_pad);
  tcase_add_test (tc, the_session_is_asked_when_the_pad_leads_nowhere);
  tcase_add_test (tc, a_lone_report_of_the_known_receiver_is_taken);
  tcase_add_test (tc, events_stay_on_their_side);
  return s;
}

GST_CHECK_MAIN (rtcppads);
