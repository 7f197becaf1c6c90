/* gst-tfrc tests: what is measured of a flow: rates, durations, and the statistics that tell them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "filter/flowmeter.h"
#include "filter/measuredflows.h"
#include "filter/pacingqueue.h"
#include "leaks.h"

#define MS TFRC_MSEC

/* --- rates --- */

/* `n` packets, the first at `from`. Returns the time of the last. */
static TfrcTime
add (GstTfrcMeter * meter, guint n, TfrcTime from, TfrcTime step, guint size)
{
  for (guint i = 0; i < n; i++)
    gst_tfrc_meter_add (meter, size, from + i * step);
  return from + (n - 1) * step;
}

GST_START_TEST (the_packet_rate_is_that_of_the_last_second)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now;

  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 0);
  now = add (&meter, 1, GST_SECOND, 0, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 0);
  now = add (&meter, 1, now + 10 * MS, 0, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 100);
  now = add (&meter, 40, now + 10 * MS, 10 * MS, 100);
  now = add (&meter, 50, now + 20 * MS, 20 * MS, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 50);
  /* 63 intervals are remembered: 40 of 10 ms and 23 of 20 ms */
  add (&meter, 40, now + 10 * MS, 10 * MS, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 63 / 0.86);
}

GST_END_TEST;

/* No codec makes packets of more than 250 ms. */
GST_START_TEST (a_pause_is_no_packet_interval)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now = add (&meter, 3, GST_SECOND, 250 * MS, 100);

  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 4);
  now = add (&meter, 1, now + 251 * MS, 0, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 4);
  add (&meter, 1, now + 125 * MS, 0, 100);
  fail_unless_equals_float (gst_tfrc_meter_get_packet_rate (&meter), 3 / 0.625);
}

GST_END_TEST;

/* All packets that are remembered came since the last time. */
GST_START_TEST (a_meter_is_refilled_every_64_packets)
{
  GstTfrcMeter meter = { {0,}
  };

  for (guint i = 1; i <= 200; i++) {
    gst_tfrc_meter_add (&meter, 100, i * MS);
    fail_unless_equals_int (gst_tfrc_meter_is_refilled (&meter), i % 64 == 0);
  }
}

GST_END_TEST;

/* The bytes of the oldest packet came before the time that is measured. */
GST_START_TEST (the_byte_rate_is_that_of_the_last_two_seconds)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now = add (&meter, 3, 10 * GST_SECOND, 500 * MS, 960);

  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 40, now), 0);
  now = add (&meter, 1, now, 0, 960);   /* the fourth */
  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 40, now),
      3000);
  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 0, now),
      2880);
  now = add (&meter, 10, now + 500 * MS, 500 * MS, 460);
  /* four intervals of half a second, and 500 bytes in each */
  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 40, now),
      1000);
  /* four packets count, however old they are */
  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 40,
          now + 8500 * MS), 150);
}

GST_END_TEST;

GST_START_TEST (a_byte_rate_takes_a_second_to_measure)
{
  GstTfrcMeter meter = { {0,}
  };
  TfrcTime now = add (&meter, 6, GST_SECOND, 199 * MS, 100);

  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 0, now), 0);
  fail_unless_equals_float (gst_tfrc_meter_get_byte_rate (&meter, 0,
          now + 5 * MS), 500);
}

GST_END_TEST;

/* --- durations --- */

/* Of the durations that are shorter than the quantile, the longest there could be. */
GST_START_TEST (a_quantile_is_the_edge_of_a_bucket)
{
  static const guint64 table[][2] = {
    {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {7, 8}, {8, 10}, {9, 10}, {10, 12},
    {15, 16}, {16, 20}, {1000, 1024}, {1023, 1024}, {1024, 1280},
    {1280, 1536}
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    GstTfrcHistogram h = { 0, };

    for (guint k = 0; k < 10; k++)
      gst_tfrc_histogram_add (&h, table[i][0]);
    /* no more than the longest */
    fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 0.5),
        table[i][0]);
    gst_tfrc_histogram_add (&h, 1000000);
    fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 0.5),
        table[i][1]);
    fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 0.9),
        table[i][1]);
    fail_unless_equals_uint64 (gst_tfrc_histogram_get_quantile (&h, 0.95),
        1000000);
    fail_unless_equals_uint64 (gst_tfrc_histogram_get_mean (&h),
        (10 * table[i][0] + 1000000) / 11);
  }
}

GST_END_TEST;

static guint64
get_number (const GstStructure * stats, const gchar * name)
{
  guint64 value;
  guint small;

  if (gst_structure_get_uint (stats, name, &small))
    return small;
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "%s", name);
  return value;
}

GST_START_TEST (a_histogram_is_three_numbers)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  GstTfrcHistogram h = { 0, };

  gst_tfrc_histogram_add_stats (&h, "empty", stats);
  fail_unless_equals_uint64 (get_number (stats, "empty-mean"), 0);
  fail_unless_equals_uint64 (get_number (stats, "empty-p99"), 0);
  for (guint i = 0; i < 99; i++)
    gst_tfrc_histogram_add (&h, 4);
  gst_tfrc_histogram_add (&h, 604);
  gst_tfrc_histogram_add_stats (&h, "h", stats);
  fail_unless_equals_uint64 (get_number (stats, "h-mean"), 10);
  fail_unless_equals_uint64 (get_number (stats, "h-p99"), 604);
  fail_unless_equals_uint64 (get_number (stats, "h-max"), 604);
  gst_structure_free (stats);
}

GST_END_TEST;

/* --- the statistics of the engine --- */

GST_START_TEST (every_count_of_the_sender_is_told)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  TfrcSenderStats s = {
    .X = 1.5,
    .X_inst = 2.5,
    .X_Bps = 3.5,
    .X_recv = 4.5,
    .recv_limit = 5.5,
    .G = 6.5,
    .p = 0.5,
    .R = 0.25,
    .t_RTO = 7.5,
    .R_sqmean = 8.5,
    .s = 9.5,
    .s_max = 10.5,
    .T_report = 11.5,
    .packets = 1,
    .bytes = 2,
    .reports = 3,
    .limited_x_recv = 4,
    .limited_p = 5,
    .limited_t_delay = 6,
    .expiries = 7,
    .loss_reports = 8,
    .data_limited_reports = 9,
    .clock_steps = 10,
    .data_limited = TRUE,
    .slow_start = FALSE
  };
  static const gchar *const rates[] = { "X", "X-inst", "X-Bps", "X-recv",
    "recv-limit", "G", "t-RTO", "R-sqmean", "s", "s-max", "T-report"
  };
  static const gchar *const counts[] = { "packets", "bytes", "reports",
    "limited-x-recv", "limited-p", "limited-t-delay", "nofeedback-expiries",
    "loss-reports", "data-limited-reports", "clock-steps"
  };
  gboolean limited = FALSE, slow = TRUE;
  gdouble rate, receive_rate, p;
  GstStructure *rfc;

  for (guint i = 0; i < TFRC_N_REJECTS; i++)
    s.rejected[i] = 100 + i;
  gst_tfrc_engine_stats_add_sender (stats, &s);
  gst_structure_get (stats, "rfc", GST_TYPE_STRUCTURE, &rfc, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    fail_unless (gst_structure_get_double (rfc, rates[i], &rate));
    fail_unless_equals_float (rate, i + 1.5);
    fail_if (gst_structure_has_field (stats, rates[i]));
  }
  gst_structure_free (rfc);
  /* in bit/s and ns */
  gst_structure_get (stats, "allowed-rate", G_TYPE_DOUBLE, &rate,
      "receive-rate", G_TYPE_DOUBLE, &receive_rate,
      "loss-event-rate", G_TYPE_DOUBLE, &p, NULL);
  fail_unless_equals_float (rate, 8 * s.X);
  fail_unless_equals_float (receive_rate, 8 * s.X_recv);
  fail_unless_equals_float (p, s.p);
  fail_unless_equals_uint64 (get_number (stats, "round-trip-time"),
      s.R * GST_SECOND);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    fail_unless_equals_uint64 (get_number (stats, counts[i]), i + 1);
  fail_unless_equals_uint64 (get_number (stats, "rejected-unknown-t-i"), 100);
  fail_unless_equals_uint64 (get_number (stats, "rejected-flood"), 104);
  gst_structure_get (stats, "data-limited", G_TYPE_BOOLEAN, &limited,
      "slow-start", G_TYPE_BOOLEAN, &slow, NULL);
  fail_unless (limited && !slow);
  gst_structure_free (stats);
}

GST_END_TEST;

/* RFC 3550 6.4.1: every other packet takes 4 ms longer, which the sixteenth parts approach. */
GST_START_TEST (the_jitter_is_that_of_the_transit)
{
  GstTfrcMeasuredFlow flow = { .receiver = NULL };
  guint32 t_i_us = G_MAXUINT32 - 500000;        /* the send time wraps */

  for (guint i = 0; i < 200; i++) {
    TfrcStamp stamp = { .t_i_us = t_i_us + i * 20000 };
    TfrcTime transit = (i % 2 ? 14 : 10) * TFRC_MSEC;

    gst_tfrc_measured_flow_note_stamp (&flow, &stamp,
        i * 20 * TFRC_MSEC + transit);
  }
  fail_unless (flow.jitter.J > 3999 && flow.jitter.J < 4001, "%g us",
      flow.jitter.J);
}

GST_END_TEST;

/* --- the flows of a data receiver --- */

#define S TFRC_SEC

static void
start_flows (GstTfrcMeasuredFlows * table)
{
  TfrcConfig config;

  tfrc_config_init (&config, TFRC_MODE_TFRC);
  *table = (GstTfrcMeasuredFlows) { {
      0}
  };
  gst_tfrc_measured_flows_start (table, &config, 100 * S);
}

static guint64
get_duration (const GstTfrcMeasuredFlows * table)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  guint64 duration;

  gst_tfrc_measured_flows_add_stats (table, stats);
  duration = get_number (stats, "duration");
  gst_structure_free (stats);
  return duration;
}

/* Packets that repair it are none of its own. */
GST_START_TEST (a_flow_lasts_from_its_first_packet_to_its_last)
{
  GstTfrcMeasuredFlows table;
  GstTfrcMeasuredFlow *flow;
  guint32 replaced;

  start_flows (&table);
  fail_unless_equals_uint64 (get_duration (&table), 0);
  flow = gst_tfrc_measured_flows_add (&table, 7, &replaced, 101 * S);
  fail_unless_equals_uint64 (get_duration (&table), 0);
  gst_tfrc_measured_flows_note (&table, flow, 100, 96, FALSE, 102 * S);
  fail_unless_equals_uint64 (get_duration (&table), 0);
  gst_tfrc_measured_flows_note (&table, flow, 100, 96, FALSE, 105 * S);
  fail_unless_equals_uint64 (get_duration (&table), 3 * S);
  gst_tfrc_measured_flows_note (&table, flow, 100, 96, TRUE, 106 * S);
  fail_unless_equals_uint64 (get_duration (&table), 3 * S);
  gst_tfrc_measured_flows_note (&table, flow, 100, 96, FALSE, 109 * S);
  fail_unless_equals_uint64 (get_duration (&table), 7 * S);
  fail_unless_equals_uint64 (table.received, 400);
  gst_tfrc_measured_flows_clear (&table);
}

GST_END_TEST;

/* The SSRC that says BYE gives its place to another, unless it speaks again. */
GST_START_TEST (who_speaks_after_a_bye_has_not_left)
{
  GstTfrcMeasuredFlows table;
  guint32 replaced, ssrc;

  start_flows (&table);
  for (ssrc = 1; ssrc <= 2; ssrc++)
    gst_tfrc_measured_flows_note (&table, gst_tfrc_measured_flows_add (&table,
            ssrc, &replaced, 101 * S), 100, 96, FALSE, 101 * S);
  fail_if (gst_tfrc_measured_flows_bye (&table, 3));
  fail_unless (gst_tfrc_measured_flows_bye (&table, 1));
  gst_tfrc_measured_flows_note (&table, gst_tfrc_measured_flows_find (&table,
          1), 100, 96, FALSE, 102 * S);
  fail_unless (gst_tfrc_measured_flows_add (&table, 3, &replaced,
          102 * S) != NULL);
  fail_unless_equals_int (replaced, 0);
  /* a repair is not the word of the SSRC */
  fail_unless (gst_tfrc_measured_flows_bye (&table, 2));
  gst_tfrc_measured_flows_note (&table, gst_tfrc_measured_flows_find (&table,
          2), 100, 97, TRUE, 102 * S);
  fail_unless (gst_tfrc_measured_flows_add (&table, 4, &replaced,
          102 * S) != NULL);
  fail_unless_equals_int (replaced, 2);
  fail_unless (gst_tfrc_measured_flows_find (&table, 1) != NULL);
  fail_unless (gst_tfrc_measured_flows_find (&table, 2) == NULL);
  fail_unless_equals_int (table.n, 3);
  gst_tfrc_measured_flows_clear (&table);
}

GST_END_TEST;

/* --- the pacing queue --- */

static GstTfrcItem
make_item (gboolean is_packet, TfrcTime queued)
{
  return (GstTfrcItem) {
      .object = is_packet ? GST_MINI_OBJECT_CAST (gst_buffer_new ()) : GST_MINI_OBJECT_CAST (gst_event_new_eos ()),
      .queued = queued
  };
}

static void
push (GstTfrcPacingQueue * queue, gboolean is_packet, TfrcTime queued)
{
  GstTfrcItem item = make_item (is_packet, queued);

  gst_tfrc_pacing_queue_push (queue, &item);
}

/* Events keep their place and are never dropped. */
GST_START_TEST (packets_expire_and_events_do_not)
{
  GstTfrcPacingQueue queue;
  const GstTfrcItem *item;

  gst_tfrc_pacing_queue_init (&queue);
  fail_unless (gst_tfrc_pacing_queue_peek (&queue) == NULL);
  fail_unless (gst_tfrc_pacing_queue_peek_expired (&queue, 1, 0, 99) == NULL);
  push (&queue, FALSE, 0);
  push (&queue, FALSE, 0);
  push (&queue, TRUE, 100);
  push (&queue, FALSE, 0);
  push (&queue, TRUE, 200);
  fail_unless_equals_int (queue.packets, 2);
  fail_unless (gst_tfrc_pacing_queue_peek_expired (&queue, 50, 2, 150) == NULL);
  fail_unless (gst_tfrc_pacing_queue_peek_expired (&queue, 0, 2, 999) == NULL);
  /* a clock that was set back makes nothing late */
  fail_unless (gst_tfrc_pacing_queue_peek_expired (&queue, 50, 2, 90) == NULL);
  item = gst_tfrc_pacing_queue_peek_expired (&queue, 50, 2, 151);
  fail_unless (item != NULL);
  fail_unless_equals_uint64 (item->queued, 100);
  gst_tfrc_pacing_queue_drop_packet (&queue);
  fail_unless_equals_uint64 (queue.dropped_late, 1);
  fail_unless_equals_uint64 (queue.dropped_full, 0);
  item = gst_tfrc_pacing_queue_peek_expired (&queue, 0, 0, 151);
  fail_unless_equals_uint64 (item->queued, 200);
  fail_unless_equals_uint64 (queue.dropped_full, 1);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_dropped (&queue), 2);
  gst_tfrc_pacing_queue_drop_all (&queue);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_dropped (&queue), 3);
  fail_unless_equals_int (queue.packets, 0);
  for (guint i = 0; i < 3; i++) {
    GstTfrcItem event = gst_tfrc_pacing_queue_pop (&queue);

    fail_unless (GST_IS_EVENT (event.object));
    gst_mini_object_unref (event.object);
  }
  fail_unless (gst_tfrc_pacing_queue_peek (&queue) == NULL);
  push (&queue, TRUE, 300);
  gst_tfrc_pacing_queue_reset (&queue);
  fail_unless (gst_tfrc_pacing_queue_peek (&queue) == NULL);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_dropped (&queue), 0);
  push (&queue, TRUE, 300);
  push (&queue, FALSE, 300);
  gst_tfrc_pacing_queue_free (&queue);
}

GST_END_TEST;

/* What has departed before goes before what has not: a decoder needs it first. */
GST_START_TEST (urgent_packets_and_retransmissions_go_first)
{
  static const struct
  {
    gboolean urgent, retransmission;
  } items[] = { {0, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 0}, {1, 0} };
  static const guint order[] = { 2, 5, 1, 3, 0, 4 };
  GstTfrcPacingQueue queue;

  gst_tfrc_pacing_queue_init (&queue);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++) {
    GstTfrcItem item = make_item (TRUE, i);

    item.urgent = items[i].urgent;
    item.repair = item.retransmission = items[i].retransmission;
    gst_tfrc_pacing_queue_push (&queue, &item);
  }
  for (guint i = 0; i < G_N_ELEMENTS (items); i++) {
    GstTfrcItem item = gst_tfrc_pacing_queue_pop (&queue);

    fail_unless_equals_uint64 (item.queued, order[i]);
    gst_tfrc_item_clear (&item);
  }
  /* none goes before an event */
  push (&queue, FALSE, 7);
  for (guint i = 8; i < 10; i++) {
    GstTfrcItem item = make_item (TRUE, i);

    item.retransmission = i == 9;
    gst_tfrc_pacing_queue_push (&queue, &item);
  }
  for (guint i = 7; i < 10; i++) {
    GstTfrcItem item = gst_tfrc_pacing_queue_pop (&queue);

    fail_unless_equals_uint64 (item.queued, i);
    gst_tfrc_item_clear (&item);
  }
  gst_tfrc_pacing_queue_free (&queue);
}

GST_END_TEST;

static void
push_frame (GstTfrcPacingQueue * queue, guint32 rtptime, TfrcTime queued)
{
  for (guint i = 0; i < 3; i++) {
    GstTfrcItem item = make_item (TRUE, queued);

    item.packet.rtptime = rtptime;
    gst_tfrc_pacing_queue_push (queue, &item);
  }
}

static guint
drop_expired (GstTfrcPacingQueue * queue, TfrcTime now)
{
  guint n = 0;

  for (; gst_tfrc_pacing_queue_peek_expired (queue, 100, 99, now) != NULL; n++)
    gst_tfrc_pacing_queue_drop_packet (queue);
  return n;
}

/* A frame of video without one of its packets is of no use. */
GST_START_TEST (a_frame_expires_as_one)
{
  GstTfrcPacingQueue queue;
  GstTfrcItem item;
  /* a frame waits longer than other packets */
  TfrcTime more = __i__ ? 400 : 0;

  gst_tfrc_pacing_queue_init (&queue);
  queue.whole_frames = __i__;
  push_frame (&queue, 1, 1000);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_expiry (&queue, 100),
      1100 + more);
  item = gst_tfrc_pacing_queue_pop (&queue);
  gst_tfrc_item_clear (&item);
  fail_unless_equals_int (drop_expired (&queue, 1100 + more), 0);
  fail_unless_equals_int (drop_expired (&queue, 1101 + more), 2);
  /* a frame goes with its first packet, and so does what comes of it later */
  push_frame (&queue, 2, 1600);
  push_frame (&queue, 3, 1650);
  fail_unless_equals_int (drop_expired (&queue, 1701 + more), 3);
  fail_unless_equals_int (drop_expired (&queue, 1751 + more), 3);
  push_frame (&queue, 3, 1750 + more);
  fail_unless_equals_int (drop_expired (&queue, 1752 + more), __i__ ? 3 : 0);
  /* timestamps that stand still */
  push_frame (&queue, 3, 1762 + more);
  fail_unless_equals_int (drop_expired (&queue, 1763 + more), 0);
  fail_unless_equals_int (drop_expired (&queue, 1863 + 2 * more),
      __i__ ? 3 : 6);
  push_frame (&queue, 4, 3000);
  fail_unless_equals_int (drop_expired (&queue, 3001), 0);
  gst_tfrc_pacing_queue_free (&queue);
}

GST_END_TEST;

GST_START_TEST (the_delay_of_the_queue_does_not_forget_the_last_wait)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  GstTfrcPacingQueue queue;
  GstTfrcItem item;

  gst_tfrc_pacing_queue_init (&queue);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 5), 0);
  push (&queue, TRUE, 100);
  push (&queue, TRUE, 180);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 90), 0);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 170), 70);
  item = gst_tfrc_pacing_queue_pop (&queue);
  /* it was allowed to depart at 190 */
  gst_tfrc_pacing_queue_measure (&queue, &item, 190, 200);
  gst_mini_object_unref (item.object);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 200),
      100);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 300),
      120);
  item = gst_tfrc_pacing_queue_pop (&queue);
  /* it was allowed to before it came, so that it did not have to wait */
  gst_tfrc_pacing_queue_measure (&queue, &item, 180, 181);
  gst_mini_object_unref (item.object);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 400), 0);
  gst_tfrc_pacing_queue_add_stats (&queue, 400, stats);
  fail_unless_equals_uint64 (get_number (stats, "waited-packets"), 1);
  fail_unless_equals_uint64 (get_number (stats, "wait-max"), 100);
  fail_unless_equals_uint64 (get_number (stats, "departure-error-max"), 10);
  fail_unless_equals_uint64 (get_number (stats, "queued-packets"), 0);
  fail_unless_equals_uint64 (get_number (stats, "queue-delay"), 0);
  gst_structure_free (stats);
  gst_tfrc_pacing_queue_free (&queue);
}

GST_END_TEST;

/* A retransmission goes before what has waited for longer. */
GST_START_TEST (the_delay_of_the_queue_is_that_of_its_oldest_packet)
{
  GstTfrcPacingQueue queue;
  GstTfrcItem item = make_item (TRUE, 160);

  gst_tfrc_pacing_queue_init (&queue);
  push (&queue, TRUE, 100);
  item.retransmission = TRUE;
  gst_tfrc_pacing_queue_push (&queue, &item);
  push (&queue, TRUE, 120);
  fail_unless (gst_tfrc_pacing_queue_peek (&queue)->retransmission);
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 170), 70);
  for (guint i = 0; i < 2; i++) {
    item = gst_tfrc_pacing_queue_pop (&queue);
    gst_tfrc_item_clear (&item);
  }
  fail_unless_equals_uint64 (gst_tfrc_pacing_queue_get_delay (&queue, 170), 50);
  gst_tfrc_pacing_queue_free (&queue);
}

GST_END_TEST;

static Suite *
flowmeter_suite (void)
{
  Suite *suite = suite_create ("flow statistics");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, the_packet_rate_is_that_of_the_last_second);
  tcase_add_test (tcase, a_pause_is_no_packet_interval);
  tcase_add_test (tcase, a_meter_is_refilled_every_64_packets);
  tcase_add_test (tcase, the_byte_rate_is_that_of_the_last_two_seconds);
  tcase_add_test (tcase, a_byte_rate_takes_a_second_to_measure);
  tcase_add_test (tcase, a_quantile_is_the_edge_of_a_bucket);
  tcase_add_test (tcase, a_histogram_is_three_numbers);
  tcase_add_test (tcase, every_count_of_the_sender_is_told);
  tcase_add_test (tcase, the_jitter_is_that_of_the_transit);
  tcase_add_test (tcase, a_flow_lasts_from_its_first_packet_to_its_last);
  tcase_add_test (tcase, who_speaks_after_a_bye_has_not_left);
  tcase_add_test (tcase, packets_expire_and_events_do_not);
  tcase_add_test (tcase, urgent_packets_and_retransmissions_go_first);
  tcase_add_loop_test (tcase, a_frame_expires_as_one, 0, 2);
  tcase_add_test (tcase, the_delay_of_the_queue_does_not_forget_the_last_wait);
  tcase_add_test (tcase, the_delay_of_the_queue_is_that_of_its_oldest_packet);
  return suite;
}

GST_CHECK_MAIN (flowmeter);
