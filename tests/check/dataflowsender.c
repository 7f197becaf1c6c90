/* gst-tfrc tests: the data sender of one flow, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "dataflow.h"
#include "base/redpacket.h"
#include "filter/engineconfig.h"

#define VIDEO_SSRC 0x22222222
#define RTX_SSRC 0x33333333
#define FEC_SSRC 0x44444444

/* --- departures --- */

/* RFC 5348 4.2: one packet a second before anything is known. */
GST_START_TEST (packets_depart_when_the_rate_allows)
{
  GstTfrcDeparture departure;

  settings.max_queue_time = 0;
  data_flow_start ();
  fail_unless (gst_tfrc_data_flow_sender_is_empty (&flow));
  data_flow_expect_none (START);
  data_flow_add (START);
  data_flow_add (START);
  fail_if (gst_tfrc_data_flow_sender_is_empty (&flow));
  fail_unless (gst_tfrc_data_flow_sender_take (&flow, &departure, START));
  fail_unless_equals_int (departure.seq, FIRST_SEQ);
  fail_unless_equals_int (departure.packet.size, SIZE);
  fail_unless_equals_int (departure.packet.seq, FIRST_SEQ);
  fail_unless (departure.packet.stamp_offset > 0);
  fail_unless_equals_int (gst_buffer_get_size (departure.buffer), SIZE);
  fail_unless_equals_int (departure.stamp.rtt_us, 0);
  gst_buffer_unref (departure.buffer);
  data_flow_expect_none (START);
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow) / MS,
      (START + GST_SECOND) / MS - 1);
  data_flow_expect_none (START + 999 * MS);
  data_flow_take (FIRST_SEQ + 1, START + GST_SECOND);
  fail_unless (gst_tfrc_data_flow_sender_is_empty (&flow));
  /* the numbers go on behind packets that were dropped */
  seq += 5;
  data_flow_add (START + 2 * GST_SECOND);
  data_flow_take (FIRST_SEQ + 2, START + 2 * GST_SECOND);
  fail_unless_equals_float (data_flow_get_stat ("packets",
          START + 2 * GST_SECOND), 3);
}

GST_END_TEST;

/* A wait is measured from the arrival, the departure's error from when the rate allowed it. */
GST_START_TEST (waits_and_late_departures_are_measured)
{
  TfrcTime due;

  settings.max_queue_time = 0;
  data_flow_start ();
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  fail_unless_equals_float (data_flow_get_stat ("waited-packets", START), 0);
  data_flow_add (START + 100 * MS);
  fail_unless_equals_float (data_flow_get_stat ("queue-delay",
          START + 150 * MS), 50 * MS);
  due = gst_tfrc_data_flow_sender_next_time (&flow);
  data_flow_take (seq - 1, due + 7 * MS);
  fail_unless_equals_float (data_flow_get_stat ("waited-packets", due), 1);
  fail_unless_equals_float (data_flow_get_stat ("wait-max", due),
      due + 7 * MS - START - 100 * MS);
  fail_unless_equals_float (data_flow_get_stat ("departure-error-max", due),
      7 * MS);
}

GST_END_TEST;

/* A packet that a report frees was not late before the report came. */
GST_START_TEST (a_rate_that_grows_makes_no_departure_late)
{
  TfrcStamp stamp;

  settings.max_queue_time = 0;
  data_flow_start ();
  data_flow_add (START);
  stamp = data_flow_take (FIRST_SEQ, START);
  data_flow_add (START + 10 * MS);
  data_flow_expect_none (START + 10 * MS);
  fail_unless (data_flow_report (&stamp, 0, 0, START + RTT));
  data_flow_take (seq - 1, START + RTT + 2 * MS);
  fail_unless_equals_float (data_flow_get_stat ("wait-max", START + RTT),
      RTT - 8 * MS);
  fail_unless_equals_float (data_flow_get_stat ("departure-error-max",
          START + RTT), 2 * MS);
}

GST_END_TEST;

/* RFC 5348 8.2.1: the flow is data-limited when it has less to send than it may. */
GST_START_TEST (a_packet_that_waits_shows_that_the_rate_limits_the_flow)
{
  gboolean waits = __i__;
  TfrcStamp stamp;
  guint i;

  settings.max_queue_time = 0;
  data_flow_start ();
  data_flow_open_path (START, RTT);
  for (i = 0; i < (waits ? 6 : 1); i++)
    data_flow_add (START + 200 * MS);
  /* the flow may make up for what it did not send in one round-trip time, and no more */
  fail_unless_equals_int (data_flow_take_all (START + 200 * MS), waits ? 4 : 1);
  if (!waits)
    data_flow_add (START + 230 * MS);
  stamp = data_flow_take (FIRST_SEQ + (waits ? 5 : 2), START + 230 * MS);
  fail_unless (data_flow_report (&stamp, 1000, 0, START + 330 * MS));
  fail_unless_equals_float (data_flow_get_stat ("data-limited",
          START + 330 * MS), !waits);
}

GST_END_TEST;

/* A telephone event departs at once, before packets that wait. They wait longer for it, so that X is kept. A low X holds up
 * even an event. */
GST_START_TEST (an_urgent_packet_departs_at_once)
{
  TfrcTime now = START + 200 * MS, before;
  GstBuffer *event;
  guint i;

  settings.max_queue_time = 0;
  data_flow_start ();
  flow.urgent_type = 101;
  data_flow_open_path (START, RTT);
  for (i = 0; i < 6; i++)
    data_flow_add (now);
  fail_unless_equals_int (data_flow_take_all (now), 4);
  before = gst_tfrc_data_flow_sender_next_departure (&flow);
  fail_unless (before > now + 10 * MS);
  event = data_flow_make_packet (PAYLOAD);
  gst_buffer_memset (event, 1, 101, 1);
  fail_unless (gst_tfrc_data_flow_sender_add (&flow, event, STAMP_ID, now));
  fail_unless (gst_tfrc_data_flow_sender_next_departure (&flow) <= now);
  data_flow_take (FIRST_SEQ + 5, now);
  data_flow_expect_none (now);
  fail_unless (gst_tfrc_data_flow_sender_next_departure (&flow) >
      before + 10 * MS);
  /* more of them than X carries in a second */
  for (i = 0; i < 200; i++) {
    event = data_flow_make_packet (PAYLOAD);
    gst_buffer_memset (event, 1, 101, 1);
    gst_tfrc_data_flow_sender_add (&flow, event, STAMP_ID, now);
  }
  i = data_flow_take_all (now);
  fail_unless (i > 10 && i < 100, "%u", i);
}

GST_END_TEST;

/* --- what does not depart --- */

/* Packets of other media are parts of video frames, which wait longer. */
static const GstTfrcFlowWants audio = { .audio = TRUE };

GST_START_TEST (a_packet_that_waited_too_long_is_dropped)
{
  settings.max_queue_time = 150 * MS;
  data_flow_start ();
  gst_tfrc_data_flow_sender_set_wants (&flow, &audio);
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  data_flow_add (START + 10 * MS);
  data_flow_add (START + 20 * MS);
  /* when the first of them has expired */
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + 160 * MS + 1);
  data_flow_expect_none (START + 160 * MS);
  fail_unless_equals_float (data_flow_get_stat ("dropped", START), 0);
  data_flow_expect_none (START + 160 * MS + 1);
  fail_unless_equals_float (data_flow_get_stat ("dropped-late", START), 1);
  fail_unless_equals_float (data_flow_get_stat ("queued-packets", START), 1);
  /* a packet that is added behind an expired one makes it go as well */
  data_flow_add (START + 171 * MS);
  fail_unless_equals_float (data_flow_get_stat ("dropped-late", START), 2);
  fail_unless_equals_float (data_flow_get_stat ("queued-packets", START), 1);
}

GST_END_TEST;

GST_START_TEST (no_more_packets_wait_than_there_is_room_for)
{
  settings.max_queue_time = 0;
  settings.max_queue_packets = 2;
  data_flow_start ();
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  data_flow_add (START);
  data_flow_add (START);
  fail_unless_equals_float (data_flow_get_stat ("dropped-full", START), 0);
  data_flow_add (START);
  fail_unless_equals_float (data_flow_get_stat ("dropped-full", START), 1);
  fail_unless_equals_float (data_flow_get_stat ("dropped", START), 1);
  fail_unless_equals_float (data_flow_get_stat ("queued-packets", START), 2);
}

GST_END_TEST;

/* A packet of the video frame `rtptime`, or with another SSRC or payload type one that comes between such packets. */
static void
add_of_frame (guint32 rtptime, guint32 ssrc, guint8 type, TfrcTime now)
{
  guint8 head[12] = { 0x80, type };
  GstBuffer *packet = data_flow_make_packet (PAYLOAD);

  GST_WRITE_UINT16_BE (head + 2, seq - 1);
  GST_WRITE_UINT32_BE (head + 4, rtptime);
  GST_WRITE_UINT32_BE (head + 8, ssrc);
  gst_buffer_fill (packet, 0, head, sizeof head);
  fail_unless (gst_tfrc_data_flow_sender_add (&flow, packet, STAMP_ID, now));
}

static void
start_video (guint64 queue_time)
{
  settings.max_queue_time = queue_time;
  data_flow_start ();
  flow.urgent_type = 101;
  fail_unless (gst_tfrc_data_flow_sender_add_repair (&flow, RTX_SSRC, TRUE));
  fail_unless (gst_tfrc_data_flow_sender_add_repair (&flow, FEC_SSRC, FALSE));
}

/* One packet a second departs. The frame waits longer than other packets may, and does so behind a retransmission or an
 * urgent packet as well. */
GST_START_TEST (what_comes_between_the_packets_of_a_frame_does_not_break_it)
{
  gboolean urgent = __i__;

  start_video (1100 * MS);
  add_of_frame (7, VIDEO_SSRC, 96, START);
  fail_unless_equals_int (data_flow_take_all (START), 1);
  add_of_frame (5, urgent ? VIDEO_SSRC : RTX_SSRC, urgent ? 101 : 97, START);
  add_of_frame (7, VIDEO_SSRC, 96, START);
  add_of_frame (7, VIDEO_SSRC, 96, START);
  data_flow_take_all (START);
  data_flow_take_all (START + 1 * GST_SECOND);
  fail_unless_equals_float (data_flow_get_stat ("queued-packets", START), 2);
  fail_unless_equals_int (data_flow_take_all (START + 2 * GST_SECOND), 1);
  fail_unless_equals_int (data_flow_take_all (START + 3 * GST_SECOND), 1);
  fail_unless_equals_float (data_flow_get_stat ("dropped", START), 0);
}

GST_END_TEST;

/* The packet of a frame that waits was lost on its way before: without it the frame cannot be decoded. */
GST_START_TEST (a_retransmission_goes_before_frames_that_wait)
{
  start_video (900 * MS);
  add_of_frame (1, VIDEO_SSRC, 96, START);
  fail_unless_equals_int (data_flow_take_all (START), 1);
  add_of_frame (7, VIDEO_SSRC, 96, START);
  add_of_frame (7, FEC_SSRC, 98, START);
  add_of_frame (1, RTX_SSRC, 97, START + 100 * MS);
  fail_unless_equals_int (gst_tfrc_pacing_queue_peek (&flow.queue)->packet.ssrc,
      RTX_SSRC);
  /* it waits for its turn, as all do */
  fail_unless_equals_int (data_flow_take_all (START + 100 * MS), 0);
  fail_unless_equals_int (data_flow_take_all (START + 1000 * MS), 1);
  fail_unless_equals_int (gst_tfrc_pacing_queue_peek (&flow.queue)->packet.ssrc,
      VIDEO_SSRC);
}

GST_END_TEST;

/* A frame of which a packet has expired is of no use, whatever else expires. */
GST_START_TEST (a_repair_that_expires_saves_no_broken_frame)
{
  GstTfrcRate rate;

  start_video (120 * MS);
  add_of_frame (1, VIDEO_SSRC, 96, START);
  fail_unless_equals_int (data_flow_take_all (START), 1);
  add_of_frame (7, VIDEO_SSRC, 96, START + 100 * MS);
  add_of_frame (7, FEC_SSRC, 98, START + 650 * MS);
  add_of_frame (7, VIDEO_SSRC, 96, START + 651 * MS);
  gst_tfrc_data_flow_sender_drop_expired (&flow, START + 701 * MS);
  fail_unless_equals_float (data_flow_get_stat ("dropped-late", START), 1);
  gst_tfrc_data_flow_sender_drop_expired (&flow, START + 771 * MS);
  fail_unless_equals_float (data_flow_get_stat ("dropped-late", START), 3);
  fail_unless_equals_int (data_flow_take_all (START + GST_SECOND), 0);
  /* no encoder has to make anything good for a repair */
  gst_tfrc_data_flow_sender_get_rate (&flow, &rate, START + GST_SECOND);
  fail_unless_equals_uint64 (rate.dropped, 2);
}

GST_END_TEST;

GST_START_TEST (the_queue_time_is_that_of_the_mode)
{
  settings.mode = __i__ == 0 ? TFRC_MODE_TFRC : TFRC_MODE_TFRC_SP;
  data_flow_start ();
  gst_tfrc_data_flow_sender_set_wants (&flow, &audio);
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  data_flow_add (START);
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + (__i__ == 0 ? 200 : 100) * MS + 1);
}

GST_END_TEST;

#define RED_TYPE 121
#define OWN_SIZE 20

/* A packet of the type RED_TYPE with two redundant copies, of 30 bytes each. */
static GstBuffer *
make_redundant (void)
{
  guint32 timestamp = 960 * seq;
  GstBuffer *packet = data_flow_make_packet (OWN_SIZE);
  GstTfrcRedBlock copies[2];
  guint i;

  for (i = 0; i < 2; i++)
    copies[i] = (GstTfrcRedBlock) {96, timestamp - 960 * (2 - i), gst_buffer_new_wrapped (g_malloc0 (30), 30)
    };
  packet = gst_tfrc_red_wrap (packet, RED_TYPE, copies, 2);
  for (i = 0; i < 2; i++)
    gst_tfrc_red_block_clear (&copies[i]);
  return packet;
}

static const GstTfrcItem *
peek_first (void)
{
  return gst_tfrc_pacing_queue_peek (&flow.queue);
}

/* A flow whose first packet has departed, so that the next one waits for a second. */
static void
start_with_a_redundant_packet (const GstTfrcEncoderPackets * packets)
{
  settings.mode = TFRC_MODE_TFRC_SP;
  data_flow_start ();
  gst_tfrc_data_flow_sender_set_encoder (&flow, packets, START);
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  fail_unless (gst_tfrc_data_flow_sender_add (&flow, make_redundant (),
          STAMP_ID, START));
}

/* Two copies are a waste while a packet would expire with them. */
GST_START_TEST (a_packet_that_waits_sheds_its_copies_before_it_expires)
{
  const GstTfrcEncoderPackets packets = {
    .queue_time = 200 * MS,
    .redundant = TRUE,
    .redundant_type = RED_TYPE
  };
  GstTfrcDeparture departure;
  guint size;

  start_with_a_redundant_packet (&packets);
  size = peek_first ()->packet.size;
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + 100 * MS);
  data_flow_expect_none (START + 100 * MS - 1);
  fail_unless_equals_int (peek_first ()->packet.size, size);
  data_flow_expect_none (START + 100 * MS);
  fail_unless_equals_int (peek_first ()->packet.size, size - 34);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 1);

  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + 170 * MS);
  data_flow_expect_none (START + 170 * MS);
  fail_unless_equals_int (peek_first ()->packet.size, size - 2 * 34);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 2);
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + 200 * MS + 1);

  gst_tfrc_data_flow_sender_on_rtt (&flow, 10 * MS, START + 200 * MS);
  fail_unless (gst_tfrc_data_flow_sender_take (&flow, &departure,
          START + 200 * MS));
  fail_unless_equals_int (gst_buffer_get_size (departure.buffer),
      departure.packet.size);
  fail_unless_equals_int (departure.packet.size, size - 2 * 34);
  fail_unless_equals_float (data_flow_get_stat ("dropped", START), 0);
  gst_buffer_unref (departure.buffer);
}

GST_END_TEST;

/* A packet that has waited for long loses both at once; one that may depart keeps them. */
GST_START_TEST (copies_are_shed_only_where_they_keep_a_packet_waiting)
{
  const GstTfrcEncoderPackets packets = {
    .queue_time = 200 * MS,
    .redundant = TRUE,
    .redundant_type = RED_TYPE
  };

  start_with_a_redundant_packet (&packets);
  data_flow_expect_none (START + 180 * MS);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 2);
  fail_unless (gst_tfrc_data_flow_sender_add (&flow, make_redundant (),
          STAMP_ID, START + 180 * MS));
  gst_tfrc_data_flow_sender_on_rtt (&flow, 10 * MS, START + 190 * MS);
  fail_unless_equals_int (data_flow_take_all (START + 200 * MS), 1);
  fail_unless_equals_int (data_flow_take_all (START + 210 * MS), 1);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 2);
}

GST_END_TEST;

/* Bytes that are no copies may look like them. */
GST_START_TEST (packets_of_another_type_shed_nothing)
{
  const GstTfrcEncoderPackets packets[] = {
    {.queue_time = 200 * MS},
    {.queue_time = 200 * MS, .redundant = TRUE, .redundant_type = RED_TYPE - 1},
  };

  start_with_a_redundant_packet (&packets[__i__]);
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      START + 200 * MS + 1);
  data_flow_expect_none (START + 199 * MS);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 0);
}

GST_END_TEST;

static void
report_arrivals (const TfrcStamp * named, guint32 arrivals, TfrcTime now)
{
  TfrcReport report = {
    .t_i_us = named->t_i_us,
    .timed = TRUE,
    .lists_arrivals = TRUE,
    .arrivals = arrivals
  };

  fail_unless (gst_tfrc_data_flow_sender_on_report (&flow, &report, now));
}

static void
take_redundant (guint copies, TfrcTime now)
{
  guint64 frames[GST_TFRC_RED_BLOCKS];
  GstTfrcDeparture departure;

  fail_unless (gst_tfrc_data_flow_sender_add (&flow, make_redundant (),
          STAMP_ID, now));
  fail_unless (gst_tfrc_data_flow_sender_take (&flow, &departure, now));
  fail_unless_equals_int (gst_tfrc_red_get_frames (departure.buffer, TRUE,
          frames), 1 + copies);
  fail_unless_equals_int (gst_buffer_get_size (departure.buffer),
      departure.packet.size);
  gst_buffer_unref (departure.buffer);
}

static const GstTfrcEncoderPackets redundant_packets = {
  .queue_time = 400 * MS,
  .redundant = TRUE,
  .redundant_type = RED_TYPE
};

/* A flow whose path is open, with two packets of which a report says that `arrivals` of them have arrived: bit 0 is the
 * first one, and the second one is the packet that the report names. */
static void
start_with_arrivals (guint32 arrivals)
{
  TfrcStamp stamp;

  settings.mode = TFRC_MODE_TFRC_SP;
  seq = 100;
  data_flow_start ();
  gst_tfrc_data_flow_sender_set_encoder (&flow, &redundant_packets, START);
  data_flow_open_path (START, RTT);
  data_flow_add (START + RTT);
  data_flow_take (seq - 1, START + RTT);
  data_flow_add (START + 2 * RTT);
  stamp = data_flow_take (seq - 1, START + 2 * RTT);
  report_arrivals (&stamp, arrivals, START + 3 * RTT);
}

GST_START_TEST (copies_of_what_has_arrived_are_left_out)
{
  start_with_arrivals (__i__);
  take_redundant (1 - __i__, START + 4 * RTT);
  fail_unless_equals_float (data_flow_get_stat ("left-out-copies", START),
      1 + __i__);
  fail_unless_equals_float (data_flow_get_stat ("shed-copies", START), 0);
}

GST_END_TEST;

/* Another receiver has not got what the one before has. */
GST_START_TEST (another_data_receiver_gets_all_copies)
{
  start_with_arrivals (1);
  gst_tfrc_data_flow_sender_on_new_remote (&flow);
  take_redundant (2, START + 4 * RTT);
  fail_unless_equals_float (data_flow_get_stat ("left-out-copies", START), 0);
}

GST_END_TEST;

/* The first packet of the flow was reported 100 ms behind its departure, without a list, the others 200 and 100 ms. */
GST_START_TEST (the_encoder_hears_when_arrivals_are_known)
{
  GstTfrcRate rate;

  start_with_arrivals (1);
  gst_tfrc_data_flow_sender_get_rate (&flow, &rate, START + 3 * RTT);
  fail_unless (rate.known_after > 200 * MS && rate.known_after < 400 * MS);
  gst_tfrc_data_flow_sender_forget_remote (&flow, START + 3 * RTT);
  gst_tfrc_data_flow_sender_get_rate (&flow, &rate, START + 3 * RTT);
  fail_unless_equals_uint64 (rate.known_after, 0);
}

GST_END_TEST;

GST_START_TEST (a_flow_without_copies_keeps_no_arrivals)
{
  data_flow_start ();
  gst_tfrc_data_flow_sender_set_encoder (&flow, &(GstTfrcEncoderPackets) {
          .queue_time = MS}, START);
  fail_unless (flow.arrivals == NULL);
  gst_tfrc_data_flow_sender_set_encoder (&flow, &redundant_packets, START);
  fail_if (flow.arrivals == NULL);
}

GST_END_TEST;

static gdouble
get_X (void)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (flow.sender, &stats);
  return stats.X;
}

/* RFC 5348 4.2: W_init is for the largest packet, which the encoder says, also when the flow begins anew. */
GST_START_TEST (the_largest_packet_of_the_encoder_bounds_the_initial_window)
{
  const GstTfrcEncoderPackets packets = { .largest = 400 };
  TfrcConfig config;

  settings.mode = TFRC_MODE_TFRC_SP;
  data_flow_start ();
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  gst_tfrc_data_flow_sender_on_rtt (&flow, 100 * MS, START + 100 * MS);
  fail_unless (get_X () < 8000, "%f", get_X ());
  gst_tfrc_data_flow_sender_set_encoder (&flow, &packets, START + 100 * MS);
  fail_unless_equals_float (get_X (), 16000);
  fail_unless (gst_tfrc_engine_config_from_settings (&settings,
          &config) == NULL);
  gst_tfrc_data_flow_sender_start (&flow, &config, START);
  gst_tfrc_data_flow_sender_on_rtt (&flow, 100 * MS, START);
  fail_unless_equals_float (get_X (), 16000);
  /* one that no path carries says no more than the largest that a path may carry */
  gst_tfrc_data_flow_sender_set_encoder (&flow, &(GstTfrcEncoderPackets) {
          .largest = 100000}, START);
  fail_unless_equals_float (get_X (), 43800);
}

GST_END_TEST;

/* What one data receiver has said does not hold for the next one, which may say nothing. */
GST_START_TEST (the_playout_of_a_data_receiver_is_forgotten_with_it)
{
  GstTfrcRate rate;

  data_flow_start ();
  for (guint i = 0; i < 2; i++) {
    gst_tfrc_data_flow_sender_set_playout (&flow, 400 * GST_MSECOND);
    gst_tfrc_data_flow_sender_get_rate (&flow, &rate, START);
    fail_unless_equals_uint64 (rate.playout, 400 * GST_MSECOND);
    if (i == 0)
      gst_tfrc_data_flow_sender_on_new_remote (&flow);
    else
      gst_tfrc_data_flow_sender_forget_remote (&flow, START);
    gst_tfrc_data_flow_sender_get_rate (&flow, &rate, START);
    fail_unless_equals_uint64 (rate.playout, 0);
  }
}

GST_END_TEST;

GST_START_TEST (what_is_no_rtp_is_counted_and_let_go)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 11, NULL);

  gst_buffer_memset (buffer, 0, 0x80, 11);
  data_flow_start ();
  fail_if (gst_tfrc_data_flow_sender_add (&flow, gst_buffer_ref (buffer),
          STAMP_ID, START));
  ASSERT_MINI_OBJECT_REFCOUNT (buffer, "buffer", 1);
  gst_buffer_unref (buffer);
  fail_unless_equals_float (data_flow_get_stat ("not-rtp", START), 1);
  fail_unless_equals_float (data_flow_get_stat ("unstamped", START), 0);
  fail_unless (gst_tfrc_data_flow_sender_is_empty (&flow));
}

GST_END_TEST;

/* RFC 3550 5.3.1: an extension that is none of RFC 8285 has no room for others. */
GST_START_TEST (a_packet_without_room_for_a_stamp_departs_and_is_counted)
{
  GstBuffer *packet = data_flow_make_packet (40);
  static const guint8 first = 0x90, extension[] = { 0x12, 0x34, 0, 1 };

  gst_buffer_fill (packet, 0, &first, 1);
  gst_buffer_fill (packet, 12, extension, sizeof extension);
  data_flow_start ();
  fail_unless (gst_tfrc_data_flow_sender_add (&flow, packet, STAMP_ID, START));
  fail_unless_equals_float (data_flow_get_stat ("unstamped", START), 1);
  data_flow_take (FIRST_SEQ, START);
  data_flow_add (START);
  fail_unless_equals_float (data_flow_get_stat ("unstamped", START), 1);
}

GST_END_TEST;

/* --- the end --- */

/* EOS waits for four round-trip times, for half a second at least and for 4 s at most. */
GST_START_TEST (packets_behind_eos_do_not_wait_for_ever)
{
  static const struct
  {
    TfrcTime rtt, patience;
  } paths[] = {
    {0, 500 * MS}, {100 * MS, 500 * MS}, {200 * MS, 800 * MS},
    {1500 * MS, 4 * GST_SECOND},
  };
  TfrcTime now = START + paths[__i__].rtt, end;
  guint i;

  settings.max_queue_time = 0;
  data_flow_start ();
  if (paths[__i__].rtt > 0)
    data_flow_open_path (START, paths[__i__].rtt);
  for (i = 0; i < 900; i++)
    data_flow_add (now);
  data_flow_take (__i__ == 0 ? FIRST_SEQ : FIRST_SEQ + 1, now);
  gst_tfrc_data_flow_sender_drain (&flow, now);
  gst_tfrc_data_flow_sender_drain (&flow, now + 100 * MS);      /* changes nothing */
  end = now + paths[__i__].patience;
  while (gst_tfrc_data_flow_sender_next_time (&flow) <= end) {
    now = MAX (gst_tfrc_data_flow_sender_next_time (&flow), now);
    gst_tfrc_data_flow_sender_on_timer (&flow, now);
    data_flow_take_all (now);
  }
  fail_if (gst_tfrc_data_flow_sender_is_empty (&flow));
  fail_unless_equals_float (data_flow_get_stat ("dropped", end), 0);
  fail_unless_equals_uint64 (gst_tfrc_data_flow_sender_next_time (&flow),
      end + 1);
  data_flow_expect_none (end + 1);
  fail_unless (gst_tfrc_data_flow_sender_is_empty (&flow));
  fail_unless (data_flow_get_stat ("dropped-late", end) > 1);
}

GST_END_TEST;

/* A report lengthens the time after EOS once a packet departs behind it. */
GST_START_TEST (reports_let_packets_behind_eos_depart)
{
  TfrcTime now = START + 300 * MS;
  TfrcStamp stamp;
  guint i;

  settings.max_queue_time = 0;
  data_flow_start ();
  data_flow_open_path (START, RTT);
  data_flow_add (now);
  stamp = data_flow_take (seq - 1, now);
  for (i = 0; i < 30; i++)
    data_flow_add (now);
  gst_tfrc_data_flow_sender_drain (&flow, now);
  fail_unless_equals_int (data_flow_take_all (now), 3);
  fail_unless (data_flow_report (&stamp, 3440, 0, now + RTT));
  /* the packets would have expired after half a second, and need more than that */
  fail_unless (data_flow_take_all (now + 400 * MS) > 0);
  fail_if (gst_tfrc_data_flow_sender_is_empty (&flow));
  data_flow_take_all (now + 900 * MS);
  fail_unless_equals_float (data_flow_get_stat ("dropped", now), 0);
  fail_if (gst_tfrc_data_flow_sender_is_empty (&flow));
  /* no other report came in half a second since */
  data_flow_take_all (now + 901 * MS);
  fail_unless (data_flow_get_stat ("dropped-late", now) > 10);
}

GST_END_TEST;

/* --- the encoder --- */

GST_START_TEST (the_encoder_is_told_what_changes)
{
  GstTfrcRate rate;
  TfrcStamp stamp;

  data_flow_start ();
  data_flow_expect_no_rate ();
  gst_tfrc_data_flow_sender_note_rate (&flow, GST_TFRC_RATE_REPORT, START);
  data_flow_expect_no_rate ();  /* nothing is known but that the flow begins */
  gst_tfrc_data_flow_sender_note_rate (&flow, GST_TFRC_RATE_START, START);
  rate = data_flow_expect_rate (GST_TFRC_RATE_START);
  fail_unless_equals_float (rate.allowance.R, 0);
  /* until packets are measured: frames of 20 ms, an RTP header with a stamp */
  fail_unless_equals_float (rate.packet_rate, 50);
  fail_unless_equals_int (rate.overhead, 24);
  fail_unless_equals_float (rate.loss, -1);
  data_flow_add (START);
  stamp = data_flow_take (FIRST_SEQ, START);
  fail_unless (data_flow_report (&stamp, 0, 0, START + RTT));
  rate = data_flow_expect_rate (GST_TFRC_RATE_REPORT);
  fail_unless (ABS (rate.allowance.R - 0.1) < 0.001);
  fail_unless_equals_int (rate.overhead, 24);
  fail_unless_equals_uint64 (rate.queue_delay, 0);
  fail_unless_equals_uint64 (rate.dropped, 0);
  /* a report that was refused tells nothing */
  fail_if (data_flow_report (&stamp, 0, 0, START + 2 * RTT));
  data_flow_expect_no_rate ();
}

GST_END_TEST;

GST_START_TEST (the_encoder_is_told_of_losses_and_of_the_queue)
{
  GstTfrcRate rate;
  TfrcStamp stamp;

  settings.max_queue_packets = 3;
  settings.max_queue_time = 0;
  data_flow_start ();
  data_flow_open_path (START, RTT);
  data_flow_expect_rate (GST_TFRC_RATE_REPORT);
  data_flow_add (START + 200 * MS);
  stamp = data_flow_take (seq - 1, START + 200 * MS);
  for (guint i = 0; i < 5; i++)
    data_flow_add (START + 220 * MS);
  fail_unless (data_flow_report (&stamp, 20000, 0.1, START + 300 * MS));
  rate = data_flow_expect_rate (GST_TFRC_RATE_LOSS);
  fail_unless_equals_uint64 (rate.dropped, 2);
  fail_unless_equals_uint64 (rate.queue_delay, 80 * MS);
  fail_unless (ABS (rate.allowance.p - 0.1) < 0.001);
}

GST_END_TEST;

/* RFC 5348 4.4 */
GST_START_TEST (the_encoder_is_told_that_reports_have_ceased)
{
  TfrcTime due;
  guint i;

  data_flow_start ();
  data_flow_open_path (START, RTT);
  data_flow_expect_rate (GST_TFRC_RATE_REPORT);
  for (i = 0; i < 10; i++) {
    data_flow_add (START + 200 * MS + i * 30 * MS);
    data_flow_take (seq - 1, START + 200 * MS + i * 30 * MS);
  }
  due = gst_tfrc_data_flow_sender_next_time (&flow);
  fail_unless (due > START + RTT && due < START + 20 * GST_SECOND);
  gst_tfrc_data_flow_sender_on_timer (&flow, due - 1);
  fail_unless_equals_float (data_flow_get_stat ("nofeedback-expiries", due), 0);
  data_flow_expect_no_rate ();
  gst_tfrc_data_flow_sender_on_timer (&flow, due);
  fail_unless_equals_float (data_flow_get_stat ("nofeedback-expiries", due), 1);
  data_flow_expect_rate (GST_TFRC_RATE_NOFEEDBACK);
  fail_unless (gst_tfrc_data_flow_sender_next_time (&flow) > due);
}

GST_END_TEST;

GST_START_TEST (another_remote_is_a_slow_start)
{
  GstTfrcRate rate;

  data_flow_start ();
  data_flow_open_path (START, RTT);
  rate = data_flow_expect_rate (GST_TFRC_RATE_REPORT);
  fail_unless (ABS (rate.allowance.X - 4 * SIZE / 0.1) < 1);
  gst_tfrc_data_flow_sender_restart (&flow, START + 2 * RTT);
  rate = data_flow_expect_rate (GST_TFRC_RATE_RESTART);
  fail_unless (ABS (rate.allowance.X - SIZE) < 1);
  fail_unless_equals_float (rate.allowance.R, 0);
  fail_unless_equals_float (data_flow_get_stat ("R", START), 0);
}

GST_END_TEST;

/* RFC 5348 4.2: the initial rate follows from a round-trip time that is known otherwise. */
GST_START_TEST (a_measured_round_trip_time_opens_the_path)
{
  GstTfrcRate rate;

  data_flow_start ();
  data_flow_add (START);
  data_flow_take (FIRST_SEQ, START);
  gst_tfrc_data_flow_sender_on_rtt (&flow, RTT, START + RTT);
  fail_unless (ABS (data_flow_get_stat ("R", START + RTT) - 0.1) < 0.001);
  rate = data_flow_expect_rate (GST_TFRC_RATE_REPORT);
  fail_unless (ABS (rate.allowance.X - 4 * SIZE / 0.1) < 1);
}

GST_END_TEST;

/* The suspension is known from the first report on. */
GST_START_TEST (too_little_suspends_the_flow)
{
  GstTfrcRate rate;

  settings.min_bitrate = 10000000;
  data_flow_start ();
  gst_tfrc_data_flow_sender_note_rate (&flow, GST_TFRC_RATE_START, START);
  rate = data_flow_expect_rate (GST_TFRC_RATE_START);
  fail_if (rate.suspend);
  data_flow_open_path (START, RTT);
  rate = data_flow_expect_rate (GST_TFRC_RATE_SUSPEND);
  fail_unless (rate.suspend);
}

GST_END_TEST;

/* After a silence X says nothing of the path: a suspended flow would send nothing that could be reported. */
GST_START_TEST (a_flow_that_begins_anew_is_not_suspended)
{
  TfrcTime now = START + RTT;
  GstTfrcDeparture departure;
  GstTfrcRate rate;

  settings.min_bitrate = 10000000;
  data_flow_start ();
  data_flow_open_path (START, RTT);
  rate = data_flow_expect_rate (GST_TFRC_RATE_SUSPEND);
  fail_unless (rate.suspend);
  for (; now < START + 10 * GST_SECOND; now += 20 * MS) {
    data_flow_add (now);
    gst_tfrc_data_flow_sender_on_timer (&flow, now);
    data_flow_take_all (now);
  }
  gst_tfrc_data_flow_sender_take_rate (&flow, &rate);
  fail_unless (rate.suspend);
  gst_tfrc_data_flow_sender_on_rtcp (&flow, now);
  rate = data_flow_expect_rate (GST_TFRC_RATE_RESUME);
  fail_if (rate.suspend);
  now += GST_SECOND;
  data_flow_add (now);
  fail_unless (gst_tfrc_data_flow_sender_take (&flow, &departure, now));
  gst_buffer_unref (departure.buffer);
  fail_unless (data_flow_report (&departure.stamp, 0, 0, now + RTT));
  rate = data_flow_expect_rate (GST_TFRC_RATE_SUSPEND);
  fail_unless (rate.suspend);
}

GST_END_TEST;

/* 100 packets, one in 20 ms; each `every`-th repairs the others (0: none). Returns the encoder's bit rate. */
static guint
send_with_repairs (guint every, TfrcTime now)
{
  GstTfrcRate rate;
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < 100; i++, now += 20 * MS) {
    buffer = data_flow_make_packet (PAYLOAD);
    if (every > 0 && i % every == 0)
      gst_buffer_fill (buffer, 8, "\x33\x33\x33\x33", 4);
    fail_unless (gst_tfrc_data_flow_sender_add (&flow, buffer, STAMP_ID, now));
    data_flow_take_all (now);
  }
  gst_tfrc_data_flow_sender_get_rate (&flow, &rate, now);
  return rate.bitrate;
}

/* What retransmissions take of the allowance, the encoder cannot have; but half is left to it. */
GST_START_TEST (repairs_are_taken_out_of_the_bit_rate_of_the_encoder)
{
  guint alone;

  data_flow_start ();
  fail_unless (gst_tfrc_data_flow_sender_add_repair (&flow, RTX_SSRC, TRUE));
  data_flow_open_path (START, RTT);
  alone = send_with_repairs (0, START + GST_SECOND);
  fail_unless (ABS (send_with_repairs (5, START + 5 * GST_SECOND) -
          0.8 * alone) < 0.03 * alone);
  fail_unless (ABS (send_with_repairs (1, START + 10 * GST_SECOND) -
          0.5 * alone) < 0.03 * alone);
  fail_unless (ABS ((gdouble) send_with_repairs (0, START + 30 * GST_SECOND) -
          alone) < 0.03 * alone);
}

GST_END_TEST;

static Suite *
dataflowsender_suite (void)
{
  Suite *suite = suite_create ("data flow sender");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, data_flow_set_up, data_flow_tear_down);
  tcase_add_test (tcase, packets_depart_when_the_rate_allows);
  tcase_add_test (tcase, waits_and_late_departures_are_measured);
  tcase_add_test (tcase, a_rate_that_grows_makes_no_departure_late);
  tcase_add_loop_test (tcase,
      a_packet_that_waits_shows_that_the_rate_limits_the_flow, 0, 2);
  tcase_add_test (tcase, an_urgent_packet_departs_at_once);
  tcase_add_test (tcase, a_packet_that_waited_too_long_is_dropped);
  tcase_add_test (tcase, no_more_packets_wait_than_there_is_room_for);
  tcase_add_test (tcase, repairs_are_taken_out_of_the_bit_rate_of_the_encoder);
  tcase_add_loop_test (tcase,
      what_comes_between_the_packets_of_a_frame_does_not_break_it, 0, 2);
  tcase_add_test (tcase, a_retransmission_goes_before_frames_that_wait);
  tcase_add_test (tcase, a_repair_that_expires_saves_no_broken_frame);
  tcase_add_loop_test (tcase, the_queue_time_is_that_of_the_mode, 0, 2);
  tcase_add_test (tcase,
      the_largest_packet_of_the_encoder_bounds_the_initial_window);
  tcase_add_test (tcase, the_playout_of_a_data_receiver_is_forgotten_with_it);
  tcase_add_test (tcase, what_is_no_rtp_is_counted_and_let_go);
  tcase_add_test (tcase,
      a_packet_without_room_for_a_stamp_departs_and_is_counted);
  tcase_add_loop_test (tcase, packets_behind_eos_do_not_wait_for_ever, 0, 4);
  tcase_add_test (tcase, reports_let_packets_behind_eos_depart);
  tcase_add_test (tcase, the_encoder_is_told_what_changes);
  tcase_add_test (tcase, the_encoder_is_told_of_losses_and_of_the_queue);
  tcase_add_test (tcase,
      a_packet_that_waits_sheds_its_copies_before_it_expires);
  tcase_add_test (tcase, copies_are_shed_only_where_they_keep_a_packet_waiting);
  tcase_add_loop_test (tcase, packets_of_another_type_shed_nothing, 0, 2);
  tcase_add_loop_test (tcase, copies_of_what_has_arrived_are_left_out, 0, 2);
  tcase_add_test (tcase, another_data_receiver_gets_all_copies);
  tcase_add_test (tcase, the_encoder_hears_when_arrivals_are_known);
  tcase_add_test (tcase, a_flow_without_copies_keeps_no_arrivals);
  tcase_add_test (tcase, the_encoder_is_told_that_reports_have_ceased);
  tcase_add_test (tcase, another_remote_is_a_slow_start);
  tcase_add_test (tcase, a_measured_round_trip_time_opens_the_path);
  tcase_add_test (tcase, too_little_suspends_the_flow);
  tcase_add_test (tcase, a_flow_that_begins_anew_is_not_suspended);
  return suite;
}

GST_CHECK_MAIN (dataflowsender);
