/* gst-tfrc tests: which feedback a flow listens to, and what it makes of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "filter/engineconfig.h"
#include "filter/flowsendersidereceiver.h"

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define SSRC 0x22222222
#define SIZE 92                 /* bytes of a packet */
#define APART (500 * MS)        /* of report blocks that count each */
#define RECENT 512              /* packets that feedback may be about when it is back */
#define ENTRIES 4096            /* packets that one feedback may be about */

static GstTfrcFlowSenderSideReceiver flow;
static GstTfrcArrivals arrivals;
static TfrcTime now;
static TfrcReport report;       /* the last one made */

static void
set_up (void)
{
  GstTfrcFilterSettings settings;
  TfrcConfig config;

  gst_tfrc_filter_settings_init (&settings, TRUE);
  settings.mode = TFRC_MODE_TFRC_SP;
  fail_unless (gst_tfrc_engine_config_from_settings (&settings,
          &config) == NULL);
  gst_tfrc_filter_settings_clear (&settings);
  now = START;
  memset (&flow, 0, sizeof flow);
  gst_tfrc_flow_sender_side_receiver_start (&flow, &config);
}

static void
tear_down (void)
{
  gst_tfrc_flow_sender_side_receiver_clear (&flow);
  fail_unless (flow.side == NULL);
  gst_tfrc_arrivals_clear (&arrivals);
  fail_unless (arrivals.entries == NULL);
}

static guint64
get_count (const gchar * name)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  guint64 count;

  gst_tfrc_flow_sender_side_receiver_add_stats (&flow, stats);
  fail_unless (gst_structure_get_uint64 (stats, name, &count), "%s", name);
  gst_structure_free (stats);
  return count;
}

static void
expect_nick (const gchar * nick)
{
  GstStructure *stats = gst_structure_new_empty ("stats");

  gst_tfrc_flow_sender_side_receiver_add_stats (&flow, stats);
  fail_unless_equals_string (gst_structure_get_string (stats, "feedback"),
      nick);
  gst_structure_free (stats);
}

/* A block that comes `after` the one before. */
static gboolean
is_missing (GstClockTime after, guint64 reports, guint32 highest)
{
  now += after;
  return gst_tfrc_flow_sender_side_receiver_is_missing (&flow, reports, highest,
      now);
}

static gboolean
take_block (gint lost, guint32 highest)
{
  return gst_tfrc_flow_sender_side_receiver_on_block (&flow, lost, highest,
      100 * MS, &report, now);
}

/* Packets from `seq` on depart, 20 ms apart. */
static void
depart (guint16 seq, guint n)
{
  TfrcStamp stamp = { .rtt_us = 100000 };
  guint i;

  for (i = 0; i < n; i++, now += 20 * MS) {
    stamp.t_i_us = now / 1000;
    gst_tfrc_flow_sender_side_receiver_on_departure (&flow, seq + i, SIZE,
        &stamp, now);
  }
}

/* --- the feedback that is missing --- */

GST_START_TEST (three_blocks_without_reports_are_enough)
{
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  fail_unless (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  fail_if (is_missing (0, 0, 100));
  fail_if (is_missing (APART, 0, 101));
  fail_unless (is_missing (APART, 0, 102));
}

GST_END_TEST;

/* A report ends the wait, which begins once for each remote. */
GST_START_TEST (the_next_block_is_waited_for_until_a_report_comes)
{
  fail_if (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  fail_if (is_missing (0, 0, 100));
  fail_unless (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_if (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  fail_if (is_missing (APART, 1, 101));
  fail_if (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 1);
  fail_if (is_missing (APART, 1, 102));
  fail_unless (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  fail_unless (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  fail_if (is_missing (APART, 1, 103));
  fail_if (gst_tfrc_flow_sender_side_receiver_waits_for_blocks (&flow));
}

GST_END_TEST;

GST_START_TEST (blocks_that_come_sooner_are_one)
{
  guint i;

  fail_if (is_missing (0, 0, 100));
  fail_if (is_missing (APART - 1, 0, 101));
  fail_if (is_missing (1, 0, 102));
  for (i = 0; i < 10; i++)
    fail_if (is_missing (i, 0, 103 + i));
  fail_unless (is_missing (APART - 45, 0, 120));
}

GST_END_TEST;

GST_START_TEST (a_block_without_new_packets_does_not_count)
{
  fail_if (is_missing (0, 0, 100));
  take_block (0, 100);
  fail_if (is_missing (APART, 0, 100));
  take_block (0, 100);
  fail_if (is_missing (APART, 0, 100));
  fail_if (is_missing (APART, 0, 101));
  take_block (0, 101);
  fail_unless (is_missing (APART, 0, 102));
}

GST_END_TEST;

GST_START_TEST (after_a_tfrc_report_none_is_missing)
{
  guint i;

  fail_if (is_missing (0, 0, 100));
  fail_if (is_missing (APART, 0, 101));
  for (i = 0; i < 10; i++)
    fail_if (is_missing (GST_SECOND, 1, 102 + i));
}

GST_END_TEST;

/* Where arrivals are listed, reports are made of these; each report begins the count anew. */
GST_START_TEST (lists_of_arrivals_may_cease)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  fail_if (is_missing (0, 5, 100));
  fail_if (is_missing (APART, 5, 101));
  fail_if (is_missing (APART, 5, 102));
  fail_if (is_missing (APART, 6, 103));
  fail_if (is_missing (APART, 6, 104));
  fail_if (is_missing (APART, 6, 105));
  fail_unless (is_missing (APART, 6, 106));
}

GST_END_TEST;

/* The first block of a new count counts at once. */
GST_START_TEST (an_answer_begins_the_count_anew)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  fail_if (is_missing (0, 0, 100));
  fail_if (is_missing (1, 1, 101));
  fail_if (is_missing (1, 1, 102));
  fail_if (is_missing (APART, 1, 103));
  fail_unless (is_missing (APART, 1, 104));
}

GST_END_TEST;

GST_START_TEST (nothing_is_missing_where_blocks_are_all)
{
  guint i;

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_RR,
      now);
  for (i = 0; i < 10; i++)
    fail_if (is_missing (GST_SECOND, 0, 100 + i));
}

GST_END_TEST;

/* --- the kind --- */

GST_START_TEST (another_kind_is_listened_to_at_once)
{
  fail_if (gst_tfrc_flow_sender_side_receiver_set_kind (&flow,
          GST_TFRC_FEEDBACK_TFRC, now));
  fail_unless (flow.side == NULL);
  expect_nick ("tfrc");
  fail_unless (gst_tfrc_flow_sender_side_receiver_set_kind (&flow,
          GST_TFRC_FEEDBACK_TWCC, now));
  fail_unless (flow.side != NULL);
  expect_nick ("twcc");
  fail_if (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  fail_if (gst_tfrc_flow_sender_side_receiver_set_kind (&flow,
          GST_TFRC_FEEDBACK_TWCC, now));
  fail_unless (gst_tfrc_flow_sender_side_receiver_set_kind (&flow,
          GST_TFRC_FEEDBACK_TFRC, now));
  fail_unless (flow.side == NULL);
  fail_unless (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
}

GST_END_TEST;

GST_START_TEST (only_feedback_that_was_agreed_on_is_listened_to)
{
  static const GstTfrcFeedback kinds[] = { GST_TFRC_FEEDBACK_TFRC,
    GST_TFRC_FEEDBACK_TWCC, GST_TFRC_FEEDBACK_CCFB, GST_TFRC_FEEDBACK_RR
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gst_tfrc_flow_sender_side_receiver_set_kind (&flow, kinds[i], now);
    fail_unless (gst_tfrc_flow_sender_side_receiver_listens_to (&flow,
            TFRC_TWCC_FMT) == (kinds[i] == GST_TFRC_FEEDBACK_TWCC));
    fail_unless (gst_tfrc_flow_sender_side_receiver_listens_to (&flow,
            TFRC_CCFB_FMT) == (kinds[i] == GST_TFRC_FEEDBACK_CCFB));
    fail_if (gst_tfrc_flow_sender_side_receiver_listens_to (&flow,
            TFRC_REPORT_FMT));
  }
}

GST_END_TEST;

/* --- another remote --- */

GST_START_TEST (a_new_remote_is_asked_for_reports_by_stamps)
{
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 7);
  fail_unless (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
}

GST_END_TEST;

/* The reports in the meantime are made of report blocks, and do not end the search. */
GST_START_TEST (the_search_ends_after_three_blocks)
{
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 7);
  fail_if (is_missing (APART, 8, 100));
  fail_unless (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  fail_if (is_missing (APART - 1, 9, 101));
  fail_if (is_missing (1, 10, 102));
  fail_unless (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  fail_if (is_missing (APART, 11, 103));
  fail_if (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
}

GST_END_TEST;

GST_START_TEST (only_reports_of_tfrc_are_searched_for)
{
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 0);
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 0);
  fail_if (gst_tfrc_flow_sender_side_receiver_wants_stamps (&flow));
  gst_tfrc_flow_sender_side_receiver_on_report (&flow, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
}

GST_END_TEST;

/* The reports of the remote before neither count as answers nor keep the count of blocks. */
static void
expect_new_count (guint64 reports)
{
  fail_if (is_missing (APART, reports, 100));
  fail_if (is_missing (APART, reports, 101));
  fail_unless (is_missing (APART, reports, 102));
}

GST_START_TEST (a_new_remote_is_judged_by_its_own_reports)
{
  fail_if (is_missing (APART, 7, 100));
  take_block (0, 100);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 9);
  expect_new_count (9);
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 9);
  fail_if (is_missing (APART, 9, 200));
  fail_if (is_missing (APART, 9, 201));
  gst_tfrc_flow_sender_side_receiver_on_new_remote (&flow, 9);
  expect_new_count (9);
}

GST_END_TEST;

GST_START_TEST (a_remote_that_is_forgotten_leaves_what_was_agreed_on)
{
  fail_if (is_missing (APART, 7, 100));
  take_block (0, 100);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  gst_tfrc_flow_sender_side_receiver_forget_remote (&flow, 9, now);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  expect_new_count (9);
  gst_tfrc_flow_sender_side_receiver_forget_remote (&flow, 9, now);
  fail_if (is_missing (APART, 10, 100));
  fail_if (is_missing (APART, 10, 101));
  fail_if (is_missing (APART, 10, 102));
}

GST_END_TEST;

/* --- lists of arrivals --- */

/* Of RFC 8888: two packets with these metrics (3.1), 50 ms ago. */
static gboolean
list_metrics (guint16 seq, guint16 one, guint16 other, guint32 ssrc)
{
  guint8 data[16] = { 0 };

  GST_WRITE_UINT32_BE (data, ssrc);
  GST_WRITE_UINT16_BE (data + 4, seq);
  GST_WRITE_UINT16_BE (data + 6, 2);
  GST_WRITE_UINT16_BE (data + 8, one);
  GST_WRITE_UINT16_BE (data + 10, other);
  GST_WRITE_UINT32_BE (data + 12,
      gst_util_uint64_scale (now - 50 * MS, 65536, GST_SECOND));
  gst_tfrc_arrivals_set (&arrivals, TFRC_CCFB_FMT, data, sizeof data);
  return (gst_tfrc_flow_sender_side_receiver_on_arrivals (&flow, &arrivals,
          SSRC, &report, now) & TFRC_SENDER_SIDE_REPORT) != 0;
}

/* Each of the two arrived or did not. */
static gboolean
list_two (guint16 seq, gboolean first_received, gboolean second_received,
    guint32 ssrc)
{
  return list_metrics (seq, first_received ? 0x8000 : 0,
      second_received ? 0x8000 : 0, ssrc);
}

static gboolean
list_one (guint16 seq, gboolean received, guint32 ssrc)
{
  return list_two (seq, received, FALSE, ssrc);
}

/* Of transport-wide congestion control: one packet, which arrived. */
static gboolean
list_number (guint16 number, gsize size)
{
  guint8 data[] = { 0, 0, 0, 0, number >> 8, number, 0, 1, 0, 0, 0, 0,
    0x20, 1, 0, 0
  };

  gst_tfrc_arrivals_set (&arrivals, TFRC_TWCC_FMT, data, size);
  return (gst_tfrc_flow_sender_side_receiver_on_arrivals (&flow, &arrivals,
          SSRC, &report, now) & TFRC_SENDER_SIDE_REPORT) != 0;
}

GST_START_TEST (the_first_arrival_makes_a_report)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  depart (100, 3);
  fail_unless_equals_int (get_count ("feedback-reports"), 0);
  fail_unless (list_one (100, TRUE, SSRC));
  fail_unless_equals_int (get_count ("feedback-reports"), 1);
  fail_if (list_one (100, TRUE, SSRC));
  fail_unless_equals_int (get_count ("feedback-reports"), 1);
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
  fail_unless_equals_int (get_count ("feedback-malformed"), 0);
}

GST_END_TEST;

#define UNTIMED 0x9FFE          /* the packet arrived, and nothing is said of when */

/* The report has a transit time when the last packet of those that arrived has a time of arrival. */
GST_START_TEST (an_arrival_without_its_time_has_no_transit_time)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  depart (100, 12);
  fail_unless (list_metrics (100, 0x8000, UNTIMED, SSRC));
  fail_if (report.timed);
  now += GST_SECOND;
  fail_unless (list_metrics (102, UNTIMED, 0x8000, SSRC));
  fail_unless (report.timed);
  now += GST_SECOND;
  fail_unless (list_metrics (104, UNTIMED, 0, SSRC));
  fail_if (report.timed);
}

GST_END_TEST;

GST_START_TEST (feedback_that_is_not_agreed_on_is_not_read)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  fail_if (list_one (100, TRUE, SSRC));
  fail_unless_equals_int (get_count ("feedback-idle"), 0);
  fail_unless_equals_int (get_count ("feedback-malformed"), 0);
}

GST_END_TEST;

GST_START_TEST (feedback_about_other_flows_is_no_error)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  depart (100, 3);
  fail_if (list_one (100, TRUE, SSRC + 1));
  fail_unless_equals_int (get_count ("feedback-malformed"), 0);
  fail_unless_equals_int (get_count ("feedback-idle"), 0);
}

GST_END_TEST;

GST_START_TEST (malformed_feedback_is_counted)
{
  gsize size;

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  for (size = 0; size < 16; size++)
    fail_if (list_number (7, size), "%" G_GSIZE_FORMAT, size);
  /* to the next flow, too */
  fail_if (list_number (7, 3));
  fail_unless_equals_int (gst_tfrc_arrivals_parse (&arrivals, SSRC + 1),
      TFRC_PARSE_SIZE);
  fail_unless_equals_int (get_count ("feedback-malformed"), 16 - 1 + 1);
}

GST_END_TEST;

/* So many packets, and no more. */
GST_START_TEST (feedback_may_be_about_4096_packets)
{
  guint8 data[8 + 2 * ENTRIES + 4 + 4] = { 0 };

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  GST_WRITE_UINT32_BE (data, SSRC);
  GST_WRITE_UINT16_BE (data + 6, ENTRIES);
  gst_tfrc_arrivals_set (&arrivals, TFRC_CCFB_FMT, data, 8 + 2 * ENTRIES + 4);
  fail_unless_equals_int (gst_tfrc_arrivals_parse (&arrivals, SSRC),
      TFRC_PARSE_OK);
  fail_unless_equals_int (arrivals.feedback.n, ENTRIES);
  GST_WRITE_UINT16_BE (data + 6, ENTRIES + 1);
  gst_tfrc_arrivals_set (&arrivals, TFRC_CCFB_FMT, data, sizeof data);
  fail_if (gst_tfrc_arrivals_parse (&arrivals, SSRC) == TFRC_PARSE_OK);
}

GST_END_TEST;

/* --- feedback that is back --- */

/* The last packet is 999. */
static void
fall_back_from_ccfb (void)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  depart (0, 1000);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
}

GST_START_TEST (feedback_about_a_late_packet_is_not_back)
{
  fall_back_from_ccfb ();
  fail_if (list_one (999 - RECENT, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (list_one (1000, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (list_one (999, FALSE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (list_one (999 - RECENT + 1, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_CCFB);
}

GST_END_TEST;

GST_START_TEST (one_packet_of_the_last_is_enough)
{
  fall_back_from_ccfb ();
  fail_if (list_two (999, FALSE, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (list_two (999 - RECENT, FALSE, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_CCFB);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  fail_if (list_two (998, FALSE, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_CCFB);
}

GST_END_TEST;

GST_START_TEST (feedback_about_the_last_packet_is_back)
{
  fall_back_from_ccfb ();
  fail_if (list_one (999, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_CCFB);
  fail_unless_equals_int (get_count ("feedback-reports"), 0);
  depart (1000, 1);
  fail_unless (list_one (1000, TRUE, SSRC));
}

GST_END_TEST;

GST_START_TEST (feedback_before_any_packet_is_not_back)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  fail_if (list_one (0, TRUE, SSRC));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
}

GST_END_TEST;

/* The last number is what transport-wide feedback is compared with. */
GST_START_TEST (numbers_say_whether_transport_wide_feedback_is_back)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  depart (100, 1);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  depart (101, 1);
  fail_if (list_number (101, 16));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
  fail_if (list_number (5000, 16));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TWCC);
}

GST_END_TEST;

/* --- transport-wide numbers --- */

GST_START_TEST (a_packet_departs_with_its_number)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  depart (100, 1);
  fail_if (list_number (100, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  /* once */
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5001, now);
  fail_if (list_number (5001, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 2);
  fail_unless (list_number (5000, 16));
  fail_unless_equals_int (get_count ("feedback-unknown"), 0);
}

GST_END_TEST;

GST_START_TEST (so_many_packets_wait_for_their_numbers)
{
  guint i;

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  depart (65500, GST_TFRC_UNNUMBERED_MAX + 1);
  /* the first one has gone */
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 65500, 1, now);
  fail_if (list_number (1, 16));
  for (i = 1; i <= GST_TFRC_UNNUMBERED_MAX; i++)
    gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 65500 + i, 1 + i,
        now);
  fail_unless (list_number (1 + GST_TFRC_UNNUMBERED_MAX, 16));
  fail_unless_equals_int (get_count ("feedback-unknown"),
      GST_TFRC_UNNUMBERED_MAX - 1);
}

GST_END_TEST;

GST_START_TEST (numbers_are_nothing_to_other_feedback)
{
  depart (100, 1);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  /* it departed before there was feedback of this kind */
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  fail_if (list_number (5000, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
}

GST_END_TEST;

GST_START_TEST (a_packet_that_did_not_depart_has_no_number)
{
  guint i;

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  for (i = 0; i < 65536; i++)
    gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, i, i, now);
  fail_if (list_number (257, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
}

GST_END_TEST;

/* Retransmissions count for the rate that the flow is allowed, and so for the rate that arrives. */
GST_START_TEST (a_retransmission_has_a_number_of_its_own)
{
  TfrcStamp stamp = { .t_i_us = 1, .rtt_us = 100000 };

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  depart (100, 1);
  gst_tfrc_flow_sender_side_receiver_on_repair (&flow, 9, 100, SIZE, &stamp);
  depart (101, 1);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 8, 100, 5001, now);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 101, 5002, now);
  fail_if (list_number (5001, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
  /* it is told late */
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 9, 100, 5003, now);
  fail_unless (list_number (5003, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
  /* no feedback was about the two packets of data */
  fail_unless_equals_int (get_count ("feedback-unknown"), 2);
}

GST_END_TEST;

/* Report blocks are about the data alone. */
GST_START_TEST (other_feedback_is_not_about_retransmissions)
{
  TfrcStamp stamp = { .t_i_us = 1, .rtt_us = 100000 };

  gst_tfrc_flow_sender_side_receiver_on_repair (&flow, 9, 100, SIZE, &stamp);
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  gst_tfrc_flow_sender_side_receiver_on_repair (&flow, 9, 100, SIZE, &stamp);
  fail_if (list_one (100, TRUE, SSRC));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
}

GST_END_TEST;

/* Packets that waited for their numbers when report blocks took over are not departures of the feedback that is back. */
GST_START_TEST (another_kind_forgets_the_packets_without_numbers)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  depart (100, 1);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  fail_if (list_number (5000, 16));
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TWCC);
  fail_if (list_number (5000, 16));
  fail_unless_equals_int (get_count ("feedback-idle"), 1);
}

GST_END_TEST;

/* --- the mode --- */

#define KEPT_SP 256             /* departures of TFRC-SP that feedback may be about */

static void
expect_unknown (guint n)
{
  guint64 before = get_count ("feedback-unknown");

  depart (0, KEPT_SP + 10);
  fail_unless_equals_int (get_count ("feedback-unknown") - before, n);
}

GST_START_TEST (the_mode_says_how_many_departures_are_kept)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  expect_unknown (10);
  gst_tfrc_flow_sender_side_receiver_set_mode (&flow, TFRC_MODE_TFRC);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  expect_unknown (0);
  gst_tfrc_flow_sender_side_receiver_restart (&flow, now);
  fail_unless_equals_int (get_count ("feedback-unknown"), KEPT_SP + 10);
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TFRC,
      now);
  gst_tfrc_flow_sender_side_receiver_set_mode (&flow, TFRC_MODE_TFRC_SP);
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_RR,
      now);
  expect_unknown (10);
}

GST_END_TEST;

/* --- report blocks --- */

GST_START_TEST (blocks_make_reports_of_their_losses)
{
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_RR,
      now);
  depart (0, 50);
  now += 100 * MS;
  fail_unless (take_block (0, 49));
  fail_unless (report.p_q32 == 0);
  depart (50, 50);
  now += 100 * MS;
  fail_unless (take_block (5, 99));
  fail_unless (report.p_q32 > 0);
  /* 50 packets in a second, but for those lost */
  fail_unless (report.x_recv_Bps > 40 * SIZE && report.x_recv_Bps < 50 * SIZE,
      "%u", report.x_recv_Bps);
  fail_unless_equals_int (get_count ("feedback-reports"), 2);
}

GST_END_TEST;

/* p after blocks that count these losses in all, in a flow that is in this mode. */
static guint32
get_p_in_mode (gint first, gint second, gboolean restarts, TfrcMode mode)
{
  tear_down ();
  set_up ();
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_RR,
      now);
  gst_tfrc_flow_sender_side_receiver_set_mode (&flow, mode);
  depart (0, 50);
  now += 100 * MS;
  take_block (first, 49);
  if (restarts)
    gst_tfrc_flow_sender_side_receiver_restart (&flow, now);
  depart (50, 50);
  now += 100 * MS;
  fail_unless (take_block (second, 99));
  return report.p_q32;
}

GST_START_TEST (each_block_is_compared_with_the_one_before)
{
  guint32 p = get_p_in_mode (0, 5, FALSE, TFRC_MODE_TFRC_SP);
  guint i;

  for (i = 2; i < 12; i++) {
    depart (50 * i, 50);
    now += 100 * MS;
    fail_unless (take_block (5, 50 * i + 49));
  }
  fail_unless (report.p_q32 > 0 && report.p_q32 < 0.5 * p, "%u after %u",
      report.p_q32, p);
}

GST_END_TEST;

static guint32
get_p (gint first, gint second, gboolean restarts)
{
  return get_p_in_mode (first, second, restarts, TFRC_MODE_TFRC_SP);
}

GST_START_TEST (losses_count_as_the_mode_has_them)
{
  fail_unless (get_p_in_mode (0, 20, FALSE,
          TFRC_MODE_TFRC_SP) != get_p_in_mode (0, 20, FALSE, TFRC_MODE_TFRC));
}

GST_END_TEST;

GST_START_TEST (losses_are_those_since_the_block_before)
{
  guint32 p = get_p (0, 5, FALSE);

  fail_unless (p > 0);
  fail_unless_equals_int (get_p (-3, 2, FALSE), p);
  fail_unless (get_p (5, 5, FALSE) > 0);
  fail_unless (get_p (5, 5, FALSE) != get_p (5, 10, FALSE));
  fail_unless_equals_int (get_p (0, 0, FALSE), 0);
  fail_unless_equals_int (get_p (0, -5, FALSE), 0);
  fail_unless_equals_int (get_p (-5, -5, FALSE), 0);
  /* a restart begins the count anew: the losses until then may be of another remote */
  fail_unless_equals_int (get_p (5, 0, TRUE), 0);
  fail_unless (get_p (5, 5, TRUE) > 0);
}

GST_END_TEST;

GST_START_TEST (blocks_beside_other_feedback_make_no_reports)
{
  depart (0, 50);
  fail_if (take_block (0, 49));
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_CCFB,
      now);
  depart (50, 50);
  fail_if (take_block (0, 99));
  fail_unless_equals_int (get_count ("feedback-reports"), 0);
  /* Of packets that no feedback mentioned, blocks tell that they were lost. */
  fail_unless (list_one (99, TRUE, SSRC));
  fail_unless_equals_int (get_count ("feedback-unknown"), 49);
  fail_if (take_block (3, 99));
  fail_unless_equals_int (get_count ("feedback-unknown-lost"), 3);
}

GST_END_TEST;

GST_START_TEST (a_start_counts_from_zero)
{
  TfrcConfig config = flow.config;

  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  list_number (1, 3);
  depart (100, 1);
  gst_tfrc_flow_sender_side_receiver_on_number (&flow, 0, 100, 5000, now);
  fail_unless (list_number (5000, 16));
  fail_if (is_missing (APART, 1, 100));
  take_block (0, 100);
  fail_if (is_missing (APART, 1, 101));
  gst_tfrc_flow_sender_side_receiver_start (&flow, &config);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_TFRC);
  fail_unless_equals_int (get_count ("feedback-malformed"), 0);
  fail_unless_equals_int (get_count ("feedback-reports"), 0);
  fail_if (gst_tfrc_flow_sender_side_receiver_listens_to (&flow,
          TFRC_TWCC_FMT));
  fail_if (is_missing (APART, 0, 100));
  fail_if (is_missing (APART, 0, 101));
  fail_unless (is_missing (APART, 0, 102));
  /* no packet has departed */
  gst_tfrc_flow_sender_side_receiver_set_kind (&flow, GST_TFRC_FEEDBACK_TWCC,
      now);
  gst_tfrc_flow_sender_side_receiver_fall_back (&flow, now);
  list_number (5000, 16);
  fail_unless_equals_int (flow.kind, GST_TFRC_FEEDBACK_RR);
}

GST_END_TEST;

static Suite *
flowsendersidereceiver_suite (void)
{
  Suite *s = suite_create ("flowsendersidereceiver");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, three_blocks_without_reports_are_enough);
  tcase_add_test (tc, the_next_block_is_waited_for_until_a_report_comes);
  tcase_add_test (tc, blocks_that_come_sooner_are_one);
  tcase_add_test (tc, a_block_without_new_packets_does_not_count);
  tcase_add_test (tc, after_a_tfrc_report_none_is_missing);
  tcase_add_test (tc, lists_of_arrivals_may_cease);
  tcase_add_test (tc, an_answer_begins_the_count_anew);
  tcase_add_test (tc, nothing_is_missing_where_blocks_are_all);
  tcase_add_test (tc, another_kind_is_listened_to_at_once);
  tcase_add_test (tc, only_feedback_that_was_agreed_on_is_listened_to);
  tcase_add_test (tc, a_new_remote_is_asked_for_reports_by_stamps);
  tcase_add_test (tc, the_search_ends_after_three_blocks);
  tcase_add_test (tc, only_reports_of_tfrc_are_searched_for);
  tcase_add_test (tc, a_new_remote_is_judged_by_its_own_reports);
  tcase_add_test (tc, a_remote_that_is_forgotten_leaves_what_was_agreed_on);
  tcase_add_test (tc, the_first_arrival_makes_a_report);
  tcase_add_test (tc, an_arrival_without_its_time_has_no_transit_time);
  tcase_add_test (tc, feedback_that_is_not_agreed_on_is_not_read);
  tcase_add_test (tc, feedback_about_other_flows_is_no_error);
  tcase_add_test (tc, malformed_feedback_is_counted);
  tcase_add_test (tc, feedback_may_be_about_4096_packets);
  tcase_add_test (tc, feedback_about_a_late_packet_is_not_back);
  tcase_add_test (tc, one_packet_of_the_last_is_enough);
  tcase_add_test (tc, feedback_about_the_last_packet_is_back);
  tcase_add_test (tc, feedback_before_any_packet_is_not_back);
  tcase_add_test (tc, numbers_say_whether_transport_wide_feedback_is_back);
  tcase_add_test (tc, a_packet_departs_with_its_number);
  tcase_add_test (tc, so_many_packets_wait_for_their_numbers);
  tcase_add_test (tc, numbers_are_nothing_to_other_feedback);
  tcase_add_test (tc, another_kind_forgets_the_packets_without_numbers);
  tcase_add_test (tc, a_packet_that_did_not_depart_has_no_number);
  tcase_add_test (tc, a_retransmission_has_a_number_of_its_own);
  tcase_add_test (tc, other_feedback_is_not_about_retransmissions);
  tcase_add_test (tc, the_mode_says_how_many_departures_are_kept);
  tcase_add_test (tc, blocks_make_reports_of_their_losses);
  tcase_add_test (tc, losses_count_as_the_mode_has_them);
  tcase_add_test (tc, each_block_is_compared_with_the_one_before);
  tcase_add_test (tc, losses_are_those_since_the_block_before);
  tcase_add_test (tc, blocks_beside_other_feedback_make_no_reports);
  tcase_add_test (tc, a_start_counts_from_zero);
  return s;
}

GST_CHECK_MAIN (flowsendersidereceiver);
