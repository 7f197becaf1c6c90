/* gst-tfrc tests: a data flow and a data receiver that sends nothing but receiver reports
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A voice of 50 packets a second, in virtual time. A report block comes each second unless a test has it otherwise. */
#include <gst/check/gstcheck.h>
#include <tfrc/arrival-feedback.h>

#include "filter/dataflowsender.h"
#include "filter/engineconfig.h"
#include "leaks.h"

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define STAMP_ID 3
#define PAYLOAD 80
#define RTT (100 * MS)
#define SSRC 0x22222222

static GstTfrcFilterSettings settings;
static GstTfrcDataFlowSender flow;
static TfrcTime now;
static guint16 seq, highest;    /* of the next packet that is added, and of the last that departed */
static guint departed, stamped;
static guint block_s;           /* from one block to the next, s */
static guint spoken;            /* packets */
static gint lost;               /* in all */
static GstTfrcArrivals arrivals;        /* the last feedback of RFC 8888 */
static gboolean lists;          /* feedback of RFC 8888 comes besides */
static guint marked;            /* one packet in so many has the mark CE in that feedback; 0: none */
static guint16 listed;          /* the first packet that the next one is about */

static void
set_up (void)
{
  TfrcConfig config;

  leaks_begin ();
  gst_tfrc_filter_settings_init (&settings, TRUE);
  settings.mode = TFRC_MODE_TFRC_SP;
  fail_unless (gst_tfrc_engine_config_from_settings (&settings,
          &config) == NULL);
  now = START;
  seq = 65000;
  departed = stamped = 0;
  block_s = 1;
  spoken = 0;
  lost = 0;
  lists = FALSE;
  marked = 0;
  listed = seq;
  gst_tfrc_data_flow_sender_init (&flow, &settings, &config, now);
  flow.ssrc = SSRC;
}

static void
tear_down (void)
{
  gst_tfrc_data_flow_sender_clear (&flow);
  gst_tfrc_arrivals_clear (&arrivals);
  gst_tfrc_filter_settings_clear (&settings);
  leaks_end ();
}

static void
add (void)
{
  guint8 *data = g_malloc0 (12 + PAYLOAD);

  data[0] = 0x80;
  data[1] = 96;
  GST_WRITE_UINT16_BE (data + 2, seq++);
  GST_WRITE_UINT32_BE (data + 8, SSRC);
  fail_unless (gst_tfrc_data_flow_sender_add (&flow,
          gst_buffer_new_wrapped (data, 12 + PAYLOAD), STAMP_ID, now));
}

static void
take_all (void)
{
  GstTfrcDeparture departure;

  while (gst_tfrc_data_flow_sender_take (&flow, &departure, now)) {
    departed++;
    stamped += departure.packet.stamp_offset != 0;
    highest = departure.seq;
    gst_buffer_unref (departure.buffer);
  }
}

/* Feedback of RFC 8888 says that `n` packets from `begin` on have arrived, the last one half a round-trip time ago:
 * what follows the SSRC of the packet's sender. */
static void
list_arrivals (guint16 begin, guint16 n)
{
  guint8 data[256] = { 0 };
  gsize size = 8 + 2 * (n + n % 2) + 4;
  guint i;

  fail_unless (size <= sizeof data);
  GST_WRITE_UINT32_BE (data, SSRC);
  GST_WRITE_UINT16_BE (data + 4, begin);
  GST_WRITE_UINT16_BE (data + 6, n);
  for (i = 0; i < n; i++)
    GST_WRITE_UINT16_BE (data + 8 + 2 * i, 0x8000 |
        (marked > 0 && (begin + i) % marked == 0 ? 0x6000 : 0) |
        gst_util_uint64_scale ((n - 1 - i) * 20 * MS, 1024, GST_SECOND));
  GST_WRITE_UINT32_BE (data + size - 4,
      gst_util_uint64_scale (now - RTT / 2, 65536, GST_SECOND));
  gst_tfrc_arrivals_set (&arrivals, TFRC_CCFB_FMT, data, size);
  gst_tfrc_data_flow_sender_on_arrivals (&flow, &arrivals, now);
}

/* Feedback about all packets that the last one was not about. */
static void
list_news (void)
{
  guint16 end = highest + 1;

  if (end == listed)
    return;
  list_arrivals (listed, end - listed);
  listed = end;
}

/* A voice for `seconds`, and a report block each block_s seconds, with `more` losses. */
static void
speak (guint seconds, guint more)
{
  guint i;

  for (i = 0; i < 50 * seconds; i++) {
    add ();
    take_all ();
    now += 20 * MS;
    if (gst_tfrc_data_flow_sender_next_timer (&flow) <= now)
      gst_tfrc_data_flow_sender_on_timer (&flow, now);
    if (lists && i % 5 == 4)
      list_news ();
    if (++spoken % (50 * block_s) != 0)
      continue;
    gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
    lost += more;
    gst_tfrc_data_flow_sender_on_losses (&flow, lost,
        (guint16) (highest - RTT / (20 * MS)), RTT, now);
  }
}

static GstTfrcRate
get_rate (void)
{
  GstTfrcRate rate;

  gst_tfrc_data_flow_sender_get_rate (&flow, &rate, now);
  return rate;
}

/* A voice gets through, but for some of its first second, in which no block has come; packets have no stamp. */
GST_START_TEST (a_voice_gets_through_by_receiver_reports_alone)
{
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_RR, now);
  speak (10, 0);
  fail_unless (departed >= 460, "%u", departed);
  fail_unless_equals_int (stamped, 0);
  fail_unless (get_rate ().allowance.R > 0.05
      && get_rate ().allowance.R < 0.2, "%g", get_rate ().allowance.R);
}

GST_END_TEST;

/* RFC 3550 6.2 has report blocks five seconds apart, and up to half as much again: a voice does not wait for them. */
GST_START_TEST (a_voice_gets_through_by_blocks_that_come_seldom)
{
  guint second;

  block_s = 7;
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_RR, now);
  for (second = 0; second < 42; second++) {
    departed = 0;
    speak (1, 0);
    fail_unless (departed >= 48, "%u in second %u", departed, second);
  }
}

GST_END_TEST;

/* A path on which no RTCP comes any more is the circuit breaker's (RFC 8083 4.1), before the nofeedback timer expires. */
GST_START_TEST (blocks_that_cease_pause_the_flow)
{
  gdouble before;

  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_RR, now);
  speak (10, 0);
  before = get_rate ().allowance.X;
  block_s = 1000;
  speak (13, 0);
  fail_unless (get_rate ().allowance.X >= before, "%g, before %g",
      get_rate ().allowance.X, before);
  speak (5, 0);
  fail_unless (get_rate ().allowance.X == 0, "%g", get_rate ().allowance.X);
}

GST_END_TEST;

/* One packet in five is lost: p comes near that, and X is what the equation has for it. */
GST_START_TEST (losses_in_receiver_reports_hold_the_rate_down)
{
  gdouble before;

  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_RR, now);
  speak (10, 0);
  before = get_rate ().allowance.X;
  speak (30, 10);
  fail_unless (get_rate ().allowance.p > 0.12
      && get_rate ().allowance.p < 0.25, "%g", get_rate ().allowance.p);
  fail_unless (get_rate ().allowance.X < before, "%g, before %g",
      get_rate ().allowance.X, before);
}

GST_END_TEST;

/* Nothing was negotiated, and the remote is not one of TFRC: the packets lose their stamps, and a voice gets through. */
GST_START_TEST (a_receiver_that_sends_no_other_feedback_is_found_out)
{
  speak (10, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
  fail_unless (stamped > 0);
  departed = stamped = 0;
  speak (20, 0);
  fail_unless_equals_int (stamped, 0);
  fail_unless (departed >= 950, "%u", departed);
}

GST_END_TEST;

/* The caps are there again, as an encoder that changes its codec sends them. They negotiate what they did, which the remote
 * does not do. */
GST_START_TEST (what_was_found_out_outlives_new_caps)
{
  speak (10, 0);
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_TFRC, now);
  departed = 0;
  speak (20, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
  fail_unless (departed >= 950, "%u", departed);
}

GST_END_TEST;

/* Blocks that come at once tell no more than one of them. */
GST_START_TEST (report_blocks_at_once_are_no_proof)
{
  guint i;

  add ();
  take_all ();
  now += RTT;
  for (i = 0; i < 100; i++)
    gst_tfrc_data_flow_sender_on_losses (&flow, 0, highest, RTT, now + i * MS);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_TFRC);
}

GST_END_TEST;

/* The feedback that was negotiated comes for five seconds and then no more, while report blocks go on: the voice gets
 * through. The feedback counts again once it is back. */
GST_START_TEST (feedback_that_ceases_gives_way_to_report_blocks)
{
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_CCFB, now);
  lists = TRUE;
  speak (5, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_CCFB);
  fail_unless (flow.feedback.reports > 10);
  lists = FALSE;
  speak (10, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
  departed = 0;
  speak (20, 0);
  fail_unless (departed >= 950, "%u", departed);
  lists = TRUE;
  listed = highest - 20;
  speak (2, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_CCFB);
  departed = 0;
  speak (10, 0);
  fail_unless (departed >= 475, "%u", departed);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_CCFB);
}

GST_END_TEST;

/* The second flow gets what was parsed for the first one; feedback of RFC 8888 has a part for each flow. */
GST_START_TEST (transport_wide_feedback_is_parsed_once)
{
  guint8 twcc[] = { 0, 0, 0, 0, 0, 7, 0, 1, 0, 0, 0, 0, 0x20, 1, 0, 0 };

  gst_tfrc_arrivals_set (&arrivals, TFRC_TWCC_FMT, twcc, sizeof twcc);
  fail_unless_equals_int (gst_tfrc_arrivals_parse (&arrivals, SSRC),
      TFRC_PARSE_OK);
  fail_unless_equals_int (arrivals.feedback.begin_seq, 7);
  twcc[5] = 8;
  fail_unless_equals_int (gst_tfrc_arrivals_parse (&arrivals, SSRC + 1),
      TFRC_PARSE_OK);
  fail_unless_equals_int (arrivals.feedback.begin_seq, 7);
  gst_tfrc_arrivals_set (&arrivals, TFRC_TWCC_FMT, twcc, sizeof twcc);
  gst_tfrc_arrivals_parse (&arrivals, SSRC);
  fail_unless_equals_int (arrivals.feedback.begin_seq, 8);
}

GST_END_TEST;

/* RFC 8888 3.1 has the ECN bits of each packet: CE counts as a loss does (RFC 5348 5.2, RFC 6679 7.3.3). */
GST_START_TEST (marks_in_rfc_8888_are_losses)
{
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_CCFB, now);
  lists = TRUE;
  speak (10, 0);
  fail_unless (get_rate ().allowance.p == 0, "%g", get_rate ().allowance.p);
  marked = 20;
  speak (20, 0);
  fail_unless (get_rate ().allowance.p > 0.03
      && get_rate ().allowance.p < 0.07, "%g", get_rate ().allowance.p);
}

GST_END_TEST;

/* What was lost before the feedback ceased is not counted again by the first block that is used. */
GST_START_TEST (losses_of_long_ago_are_no_news_to_report_blocks)
{
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_CCFB, now);
  lists = TRUE;
  speak (5, 0);
  lost = 200;
  lists = FALSE;
  speak (15, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
  fail_unless (get_rate ().allowance.p == 0, "%g", get_rate ().allowance.p);
}

GST_END_TEST;

/* A data receiver that gets nothing has nothing to list: blocks that tell of no further packet prove nothing. */
GST_START_TEST (report_blocks_of_a_pause_are_no_proof)
{
  guint i;

  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_CCFB, now);
  lists = TRUE;
  speak (5, 0);
  for (i = 0; i < 20; i++) {
    now += GST_SECOND;
    gst_tfrc_data_flow_sender_on_losses (&flow, 0, highest, RTT, now);
  }
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_CCFB);
}

GST_END_TEST;

/* Feedback about packets that have not departed for long does not bring back what has ceased. */
GST_START_TEST (forged_feedback_takes_no_place_of_report_blocks)
{
  gst_tfrc_data_flow_sender_set_feedback (&flow, GST_TFRC_FEEDBACK_CCFB, now);
  speak (10, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
  list_arrivals (highest - 20000, 20);
  list_arrivals (highest + 20, 20);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_RR);
}

GST_END_TEST;

/* What the application set stays. */
GST_START_TEST (feedback_that_was_set_stays)
{
  settings.feedback = GST_TFRC_FEEDBACK_TFRC;
  speak (10, 0);
  fail_unless_equals_int (flow.feedback.kind, GST_TFRC_FEEDBACK_TFRC);
}

GST_END_TEST;

static Suite *
receiver_reports_suite (void)
{
  Suite *s = suite_create ("receiverreports");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (s, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_test (tcase, a_voice_gets_through_by_receiver_reports_alone);
  tcase_add_test (tcase, a_voice_gets_through_by_blocks_that_come_seldom);
  tcase_add_test (tcase, blocks_that_cease_pause_the_flow);
  tcase_add_test (tcase, losses_in_receiver_reports_hold_the_rate_down);
  tcase_add_test (tcase, a_receiver_that_sends_no_other_feedback_is_found_out);
  tcase_add_test (tcase, what_was_found_out_outlives_new_caps);
  tcase_add_test (tcase, report_blocks_at_once_are_no_proof);
  tcase_add_test (tcase, feedback_that_ceases_gives_way_to_report_blocks);
  tcase_add_test (tcase, transport_wide_feedback_is_parsed_once);
  tcase_add_test (tcase, marks_in_rfc_8888_are_losses);
  tcase_add_test (tcase, losses_of_long_ago_are_no_news_to_report_blocks);
  tcase_add_test (tcase, report_blocks_of_a_pause_are_no_proof);
  tcase_add_test (tcase, forged_feedback_takes_no_place_of_report_blocks);
  tcase_add_test (tcase, feedback_that_was_set_stays);
  return s;
}

GST_CHECK_MAIN (receiver_reports);
