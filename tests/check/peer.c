/* gst-tfrc tests: calls between two peers of tfrcbin, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "peerpair.h"
#include "settle.h"

/* Packets that may depart leave in the thread that brings them, and the timer stays as it was. */
GST_START_TEST (test_packet_leaves_in_the_thread_that_brings_it)
{
  End *end = &ends[0];
  GstClockTime timer;
  guint sent;

  /* the peer has not yet begun: its timer does that */
  sends_here = TRUE;
  pair_talk (end);
  fail_unless_equals_int (end->sent, 0);
  fail_unless_equals_uint64 (end->timer, 0);
  pair_run_for (5 * GST_SECOND);
  end->talks = FALSE;
  pair_run_for (100 * MS);
  sent = end->sent;
  timer = end->timer;
  fail_unless (timer > now);
  pair_talk (end);
  fail_unless_equals_int (end->sent, sent + 1);
  fail_unless_equals_uint64 (end->timer, timer);
  /* where another thread has to send, the timer tells it */
  sends_here = FALSE;
  pair_talk (end);
  fail_unless_equals_int (end->sent, sent + 1);
  fail_unless_equals_uint64 (end->timer, 0);
  pair_run_for (20 * MS);
  fail_unless_equals_int (end->sent, sent + 2);
  pair_wait_states (end, " waiting connected");
}

GST_END_TEST;

/* What may not depart yet waits for the timer, which is set for it. */
GST_START_TEST (test_packet_that_may_not_depart_waits)
{
  End *end = &ends[0];
  guint sent;

  sends_here = TRUE;
  pair_run_for (5 * GST_SECOND);
  end->talks = FALSE;
  sent = end->sent;
  /* far more than the rate allows at once */
  while (end->sent == sent + end->packets - 251)
    pair_talk (end);
  sent = end->sent;
  fail_unless (end->timer > now && end->timer < now + 500 * MS);
  pair_talk (end);
  fail_unless_equals_int (end->sent, sent);
  /* the timer serves RTCP as well, which may come first */
  while (end->sent == sent) {
    fail_unless (end->timer < now + 500 * MS);
    pair_run_to (end->timer);
  }
  fail_unless_equals_int (end->sent, sent + 1);
}

GST_END_TEST;

/* Peers that have no options of their own share one structure of settings. */
GST_START_TEST (test_each_peer_has_the_queue_time_of_its_encoder)
{
  guint i, n;

  pair_run_for (5 * GST_SECOND);
  gst_tfrc_peer_set_encoder (ends[0].peer, &(GstTfrcEncoderPackets) {
          .queue_time = 5 * GST_SECOND});
  for (i = 0; i < 2; i++) {
    ends[i].talks = FALSE;
    for (n = 0; n < 60; n++)
      pair_talk (&ends[i]);
  }
  pair_run_for (400 * MS);
  fail_unless_equals_int (pair_get_stat (0, "data-sender", "dropped"), 0);
  fail_unless (pair_get_stat (1, "data-sender", "dropped") > 0);
}

GST_END_TEST;

static guint64
get_playout (guint i)
{
  GstTfrcRate rate;

  gst_tfrc_peer_get_rate (ends[i].peer, &rate);
  return rate.playout;
}

/* Whose latency follows the path says none. More than a second is not believed. */
GST_START_TEST (test_a_data_sender_knows_the_playout_of_the_other_end)
{
  fail_unless_equals_uint64 (get_playout (0), 0);
  pair_run_for (GST_SECOND);
  fail_unless_equals_uint64 (get_playout (0), 100 * MS);
  fail_unless_equals_uint64 (get_playout (1), 100 * MS);
  gst_tfrc_peer_set_latency (ends[1].peer, 300 * MS);
  pair_run_for (5 * GST_SECOND);
  fail_unless_equals_uint64 (get_playout (0), 300 * MS);
  fail_unless_equals_uint64 (get_playout (1), 100 * MS);
  gst_tfrc_peer_set_latency (ends[1].peer, 5 * GST_SECOND);
  pair_run_for (5 * GST_SECOND);
  fail_unless_equals_uint64 (get_playout (0), GST_SECOND);
  settings.adaptive = TRUE;
  gst_tfrc_peer_set_latency (ends[1].peer, 300 * MS);
  pair_run_for (5 * GST_SECOND);
  fail_unless_equals_uint64 (get_playout (0), 0);
}

GST_END_TEST;

GST_START_TEST (test_data_go_both_ways_and_are_reported)
{
  guint i;

  pair_run_for (5 * GST_SECOND);
  for (i = 0; i < 2; i++)
    ends[i].talks = FALSE;
  pair_run_for (100 * MS);
  for (i = 0; i < 2; i++) {
    fail_unless_equals_int (ends[i].packets, 251);
    fail_unless_equals_int (pair_get_stat (i, "data-sender", "dropped") +
        ends[i].sent, 251);
    /* one packet a second until the first report, which takes 50 ms */
    fail_unless (ends[i].sent >= 245);
    fail_unless_equals_int (ends[i].ssrcs, 1);
    fail_unless (ends[i].ssrc != 0xABCDEF00);
    fail_unless_equals_int (pair_get_stat (1 - i, "data-receiver", "packets"),
        ends[i].sent);
    fail_unless_equals_int (pair_get_stat (1 - i, "data-receiver", "unstamped"),
        0);
    fail_unless_equals_int (pair_get_stat (1 - i, "data-receiver", "lost"), 0);
    fail_unless (ABS (pair_get_stat (i, "data-sender", "R") - 0.05) < 0.002);
    fail_unless (ABS (pair_get_stat (1 - i, "data-receiver",
                "R") - 0.05) < 0.002);
    /* a report in a round-trip time, or as 5 % of the bandwidth allows */
    fail_unless (pair_get_stat (i, "data-sender", "reports") > 20);
    fail_unless (pair_get_stat (i, "data-sender", "reports") < 101);
    pair_wait_count (&ends[1 - i], &ends[1 - i].served, ends[i].sent);
    pair_wait_states (&ends[i], " waiting connected");
    fail_unless (ends[i].rates > 0);
    fail_unless_equals_int (ends[i].losses, 0);
  }
}

GST_END_TEST;

/* A worker is awake when a packet arrives, and is seldom woken up for a report alone. */
GST_START_TEST (test_reports_leave_with_packets)
{
  guint with_packet = 0, alone = 0, i;
  GstClockTime arrival = START + 10 * GST_SECOND + 5 * MS;

  ends[1].talks = FALSE;
  pair_run_for (10 * GST_SECOND);
  for (i = 0; i < 1500; i++, arrival += 20 * MS) {
    gdouble before = pair_get_stat (1, "session", "reports-sent"), between;

    pair_run_to (arrival - 1);
    between = pair_get_stat (1, "session", "reports-sent");
    pair_run_to (arrival);
    alone += between - before;
    with_packet += pair_get_stat (1, "session", "reports-sent") - between;
  }
  GST_INFO ("%u reports with a packet, %u alone", with_packet, alone);
  fail_unless (with_packet >= 120);
  fail_unless (alone <= with_packet / 4);
}

GST_END_TEST;

/* Sender reports relate RTP timestamps to the sender's clock. */
GST_START_TEST (test_packets_have_their_time_of_capture)
{
  guint64 begin = WALL * GST_USECOND + G_GUINT64_CONSTANT (2208988800) *
      GST_SECOND;

  pair_run_for (6 * GST_SECOND);
  ends[0].talks = FALSE;
  pair_run_for (100 * MS);
  pair_wait_count (&ends[1], &ends[1].served, ends[0].sent);
  fail_unless (ends[1].timed > 200);
  fail_unless (ends[1].even);
  /* the last packet was captured 6 s after the peers began, less its way and the frame */
  fail_unless (ABS (GST_CLOCK_DIFF (begin + 6 * GST_SECOND,
              ends[1].captured)) < (gint64) (50 * MS), "%" G_GINT64_FORMAT,
      GST_CLOCK_DIFF (begin + 6 * GST_SECOND, ends[1].captured));
}

GST_END_TEST;

/* Packets behind a gap can be asked for their redundant copies, also when the loss is announced and
 * none waits any more. They are kept from the first question on. */
GST_START_TEST (test_packets_behind_a_loss_can_be_asked_for)
{
  GstBufferList *list = gst_buffer_list_new ();

  lose_every = 100;
  while (ends[0].dropped == 0)
    pair_run_to (now + 10 * MS);
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless_equals_int (gst_buffer_list_length (list), 0);
  pair_run_to (now + 65 * MS);
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless (gst_buffer_list_length (list) >= 1);
  fail_unless (gst_buffer_list_length (list) <= 4);
  gst_buffer_list_unref (list);
  pair_run_to (now + 60 * MS);
  list = gst_buffer_list_new ();
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless (gst_buffer_list_length (list) >= 5);
  fail_unless (gst_buffer_list_length (list) <= 7);
  gst_buffer_list_unref (list);
}

GST_END_TEST;

GST_START_TEST (test_losses_are_measured_and_announced)
{
  lose_every = 20;
  pair_run_for (10 * GST_SECOND);
  ends[0].talks = ends[1].talks = FALSE;
  pair_run_for (300 * MS);
  fail_unless (ends[0].dropped >= 20);
  fail_unless (pair_get_stat (0, "data-sender", "p") > 0.02);
  fail_unless (pair_get_stat (0, "data-sender", "p") < 0.2);
  fail_unless_equals_float (pair_get_stat (1, "data-sender", "p"), 0);
  /* behind the last one nothing came, if it was the last */
  fail_unless (pair_get_stat (1, "playout", "lost") + 1 >= ends[0].dropped);
  fail_unless (pair_get_stat (1, "playout", "lost") <= ends[0].dropped);
  pair_wait_count (&ends[1], &ends[1].losses, pair_get_stat (1, "playout",
          "lost"));
}

GST_END_TEST;

/* A report block covers some seconds: the share of packets lost in it says little of the path. */
GST_START_TEST (test_the_share_of_packets_lost_is_a_mean)
{
  gdouble loss = 0;
  guint tries = 0;

  lose_every = 5;
  pair_run_for (6 * GST_SECOND);
  lose_every = 0;
  /* a fifth of 300 packets, and none of the next 25 to 250: report blocks are at most 4.5 s apart */
  pair_run_for (5 * GST_SECOND);
  while (loss < 0.03 || loss > 0.19) {
    g_mutex_lock (&ends[0].lock);
    loss = ends[0].loss;
    g_mutex_unlock (&ends[0].lock);
    fail_unless (tries++ < 5000, "%g", loss);
    g_usleep (1000);
  }
}

GST_END_TEST;

/* 50 packets of 112 bytes a second each way, of which compound RTCP takes 1 % */
GST_START_TEST (test_compound_rtcp_is_rare_at_a_low_rate)
{
  guint sent;

  pair_run_for (10 * GST_SECOND);
  sent = ends[0].compound;
  pair_run_for (120 * GST_SECOND);
  sent = ends[0].compound - sent;
  fail_unless (sent >= 35 && sent <= 55, "%u", sent);
}

GST_END_TEST;

GST_START_TEST (test_ecn_marks_are_losses)
{
  marks = TRUE;
  pair_run_for (20 * GST_SECOND);
  fail_unless (pair_get_stat (1, "data-receiver", "marked") > 100);
  fail_unless (pair_get_stat (0, "data-sender", "p") > 0.1);
  fail_unless_equals_int (pair_get_stat (1, "data-receiver", "lost"), 0);
  /* but for what has arrived since the last compound packet: at most 10 marks/s for 4.5 s */
  fail_unless (pair_get_stat (0, "ecn", "remote-ce") >
      pair_get_stat (1, "data-receiver", "marked") - 50);
  fail_unless (pair_get_stat (0, "ecn", "remote-ce") <=
      pair_get_stat (1, "data-receiver", "marked"));
  fail_unless (pair_get_stat (1, "ecn", "ce") == pair_get_stat (1,
          "data-receiver", "marked"));
}

GST_END_TEST;

GST_START_TEST (test_silence_and_return_are_posted)
{
  pair_run_for (2 * GST_SECOND);
  cut = TRUE;
  pair_run_for (20 * GST_SECOND);
  pair_wait_states (&ends[0], " waiting connected lost paused");
  cut = FALSE;
  pair_run_for (5 * GST_SECOND);
  pair_wait_states (&ends[0], " waiting connected lost paused regained closed");
  cut = TRUE;
  pair_run_for (70 * GST_SECOND);
  pair_wait_states (&ends[0],
      " waiting connected lost paused regained closed lost paused gone");
}

GST_END_TEST;

static const guint outages[] = { 2, 5, 20, 60, 90 };

/* Voice arrives at end 1 within the time that is granted after an outage of `seconds`, and then at
 * its full rate. */
static void
check_return (guint seconds)
{
  guint heard = pair_get_stat (1, "data-receiver", "packets");
  GstClockTime end = now;

  cut = FALSE;
  while (pair_get_stat (1, "data-receiver", "packets") == heard)
    pair_run_to (now + 10 * MS);
  fail_unless (now - end <= (seconds > 60 ? 3500 : 1500) * MS,
      "after %u s: %" GST_TIME_FORMAT, seconds, GST_TIME_ARGS (now - end));
  pair_run_for (3 * GST_SECOND);        /* in which the rate rises */
  heard = pair_get_stat (1, "data-receiver", "packets");
  pair_run_for (1 * GST_SECOND);
  fail_unless (pair_get_stat (1, "data-receiver", "packets") - heard >= 48);
}

GST_START_TEST (test_voice_is_back_soon_after_an_outage)
{
  pair_run_for (5 * GST_SECOND);
  cut = TRUE;
  pair_run_for (outages[__i__] * GST_SECOND);
  check_return (outages[__i__]);
}

GST_END_TEST;

/* Until when there is sound; the threads of the pads write it. */
static GstClockTime
get_latest (End * end)
{
  GstClockTime latest;

  g_mutex_lock (&end->lock);
  latest = end->latest;
  g_mutex_unlock (&end->lock);
  return latest;
}

/* The socket keeps what arrives while the machine is held. A timer may fire before the peer gets it. */
GST_START_TEST (test_sound_is_in_time_after_the_machine_was_held)
{
  GstClockTime latest;

  ends[1].talks = FALSE;
  pair_run_for (3 * GST_SECOND);
  held = TRUE;
  pair_run_to (START + 13 * GST_SECOND);
  held = FALSE;
  fail_unless (g_queue_get_length (&flights) > 20);
  gst_tfrc_peer_on_timer (ends[1].peer, now);
  pair_step ();
  settle ();
  latest = get_latest (&ends[1]);
  fail_unless (latest > START + 10 * GST_SECOND);
  fail_unless (latest < now + 100 * MS, "%g s ahead",
      (gdouble) (gint64) (latest - now) / GST_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_voice_begins_soon_after_the_remote_end_appears)
{
  cut = TRUE;
  pair_run_for (outages[__i__] * GST_SECOND);
  check_return (outages[__i__]);
}

GST_END_TEST;

GST_START_TEST (test_a_caller_that_is_not_heard_is_gone)
{
  gst_tfrc_peer_expect (ends[0].peer);
  cut = TRUE;
  pair_run_for (9 * GST_SECOND);
  pair_wait_states (&ends[0], " waiting");
  pair_run_for (2 * GST_SECOND);
  pair_wait_states (&ends[0], " waiting gone");
  /* whom the application has added may answer at any time */
  pair_run_for (100 * GST_SECOND);
  pair_wait_states (&ends[1], " waiting paused");
}

GST_END_TEST;

GST_START_TEST (test_bye_is_sent_and_understood)
{
  guint sent;

  pair_run_for (2 * GST_SECOND);
  ends[0].talks = FALSE;
  gst_tfrc_peer_say_bye (ends[0].peer, now);
  sent = g_queue_get_length (&flights);
  fail_unless (sent > 0);
  ends[1].talks = FALSE;
  pair_run_for (1 * GST_SECOND);
  pair_wait_states (&ends[1], " waiting connected gone");
  /* nothing is sent after it, and nothing is taken */
  fail_unless_equals_uint64 (ends[0].timer, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (gst_tfrc_peer_enqueue (ends[0].peer,
          gst_buffer_new ()), GST_FLOW_EOS);
}

GST_END_TEST;

GST_START_TEST (test_key_frames_are_asked_for)
{
  pair_run_for (1 * GST_SECOND);
  gst_tfrc_peer_request_key_frame (ends[1].peer);
  pair_run_for (1 * GST_SECOND);
  pair_wait_count (&ends[0], &ends[0].key_frames, 1);
  fail_unless_equals_int (ends[1].key_frames, 0);
}

GST_END_TEST;

/* What end 0 says goes back to it, as it would to another peer, and not to the pad. */
/* A packet that can be forwarded at once gets no buffer. */
GST_START_TEST (test_forwarded_packets_go_to_the_target_alone)
{
  guint served, received;

  sends_here = __i__ == 1;
  ends[1].talks = FALSE;
  pair_run_for (2 * GST_SECOND);
  fail_unless (gst_tfrc_peer_forward (ends[1].peer, ends[1].peer));
  fail_if (gst_tfrc_peer_forward (ends[1].peer, ends[1].peer));
  served = pair_get_count (&ends[1], &ends[1].served);
  fail_unless (served > 90);
  /* the next sender report is up to 4.5 s away */
  pair_run_for (5 * GST_SECOND);
  fail_unless_equals_int (pair_get_count (&ends[1], &ends[1].served), served);
  fail_unless (pair_get_count (&ends[0], &ends[0].served) > 240);
  fail_unless_equals_int (pair_get_count (&ends[0], &ends[0].losses), 0);
  fail_unless_equals_int (ends[1].ssrcs, 1);
  fail_unless_equals_int (pair_get_stat (0, "data-receiver", "unstamped"), 0);
  /* the sender reports of end 1 are of the clock rate of what it forwards */
  fail_unless (pair_get_count (&ends[0], &ends[0].timed) > 0 && ends[0].even);
  /* once the rate of the second path lets all packets depart */
  received = pair_get_count (&ends[0], &ends[0].served);
  buffers_made = 0;
  pair_run_for (2 * GST_SECOND);
  received = pair_get_count (&ends[0], &ends[0].served) - received;
  fail_unless (sends_here ? buffers_made < received + 50 :
      buffers_made > received + 90, "%u buffers, %u received", buffers_made,
      received);
  fail_unless (gst_tfrc_peer_stop_forwarding (ends[1].peer, ends[1].peer));
  fail_if (gst_tfrc_peer_stop_forwarding (ends[1].peer, ends[1].peer));
  pair_run_for (GST_SECOND);
  fail_unless (pair_get_count (&ends[1], &ends[1].served) > served + 45);
}

GST_END_TEST;

/* Losses of one path are not those of the other one. */
GST_START_TEST (test_losses_are_not_forwarded)
{
  ends[1].talks = FALSE;
  lose_every = 10;
  sends_here = __i__ == 1;
  gst_tfrc_peer_forward (ends[1].peer, ends[1].peer);
  pair_run_for (5 * GST_SECOND);
  fail_unless (ends[0].dropped > 10);
  fail_unless (pair_get_count (&ends[0], &ends[0].served) > 100);
  fail_unless_equals_int (pair_get_count (&ends[1], &ends[1].losses), 0);
  fail_unless_equals_int (pair_get_count (&ends[0], &ends[0].losses), 0);
  fail_unless_equals_int (pair_get_stat (0, "data-receiver", "lost"), 0);
}

GST_END_TEST;

/* Redundant copies are for the ends behind a relay, too, where other packets are lost. */
GST_START_TEST (test_arrivals_at_a_relay_are_not_listed)
{
  gst_tfrc_peer_set_encoder (ends[0].peer, &(GstTfrcEncoderPackets) {
          .redundant = TRUE,
          .redundant_type = 121
  });
  ends[1].talks = FALSE;
  lose_every = 10;
  pair_run_for (8 * GST_SECOND);
  g_mutex_lock (&ends[0].lock);
  fail_unless (ends[0].known_after >= 50 * MS
      && ends[0].known_after < 500 * MS);
  g_mutex_unlock (&ends[0].lock);
  gst_tfrc_peer_forward (ends[1].peer, ends[1].peer);
  pair_run_for (2 * GST_SECOND);
  g_mutex_lock (&ends[0].lock);
  fail_unless_equals_uint64 (ends[0].known_after, 0);
  g_mutex_unlock (&ends[0].lock);
}

GST_END_TEST;

/* End 0 asks end 1, which asks whoever it forwards from: end 0. */
GST_START_TEST (test_key_frames_are_asked_of_the_source)
{
  pair_run_for (GST_SECOND);
  gst_tfrc_peer_forward (ends[1].peer, ends[1].peer);
  gst_tfrc_peer_request_key_frame (ends[0].peer);
  pair_run_for (GST_SECOND);
  pair_wait_count (&ends[0], &ends[0].key_frames, 1);
  fail_unless_equals_int (ends[1].key_frames, 0);
  gst_tfrc_peer_isolate (ends[1].peer);
  gst_tfrc_peer_request_key_frame (ends[0].peer);
  pair_run_for (GST_SECOND);
  pair_wait_count (&ends[1], &ends[1].key_frames, 1);
  fail_unless_equals_int (ends[0].key_frames, 1);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_that_ends_is_drained)
{
  pair_run_for (1 * GST_SECOND);
  ends[0].talks = FALSE;
  gst_tfrc_peer_drain (ends[0].peer);
  pair_run_for (1 * GST_SECOND);
  pair_wait_states (&ends[0], " waiting connected drained");
  fail_unless_equals_int (gst_tfrc_peer_enqueue (ends[0].peer,
          gst_buffer_new ()), GST_FLOW_EOS);
  gst_tfrc_peer_flush (ends[0].peer);
  pair_talk (&ends[0]);
}

GST_END_TEST;

GST_START_TEST (test_what_is_no_packet_is_counted)
{
  guint8 garbage[40];
  guint i;

  pair_run_for (1 * GST_SECOND);
  for (i = 0; i < 1000; i++) {
    GstTfrcUdpDatagram datagram = {
      .data = garbage,
      .size = g_random_int_range (8, sizeof garbage),
      .arrival = now
    };
    guint j;

    for (j = 0; j < sizeof garbage; j++)
      garbage[j] = g_random_int ();
    gst_tfrc_peer_on_datagram (ends[1].peer, &datagram);
  }
  i = pair_get_stat (1, "data-receiver", "packets");
  pair_run_for (1 * GST_SECOND);
  fail_unless (pair_get_stat (1, "data-receiver", "packets") >= i + 48);
}

GST_END_TEST;

GST_START_TEST (test_packets_of_no_known_type_are_dropped_with_a_warning)
{
  GstStructure *stats;
  guint64 unknown = 0;

  settings.clock_rates[PAYLOAD_TYPE] = 0;
  pair_run_for (2 * GST_SECOND);
  stats = gst_tfrc_peer_get_stats (ends[1].peer);
  gst_structure_get_uint64 (stats, "unknown-payload", &unknown);
  gst_structure_free (stats);
  fail_unless (unknown > 90);
  fail_unless_equals_int (pair_get_stat (1, "playout", "packets"), 0);
  fail_unless (pair_get_stat (1, "data-receiver", "packets") > 90);
}

GST_END_TEST;

/* Audio and video from one port. */
GST_START_TEST (test_a_second_stream_is_dropped_with_a_warning)
{
  guint8 packet[12 + PAYLOAD] = { 0x80, PAYLOAD_TYPE };
  GstTfrcUdpDatagram datagram = { .data = packet, .size = sizeof packet };
  guint served;

  pair_run_for (2 * GST_SECOND);
  served = pair_get_count (&ends[1], &ends[1].served);
  for (guint i = 0; i < 200; i++) {
    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 8, 0x01020304);
    datagram.arrival = now;
    datagram.size = sizeof packet;
    gst_tfrc_peer_on_datagram (ends[1].peer, &datagram);
    if (i == 40) {
      settle ();
      fail_unless_equals_int (pair_get_count (&ends[1], &ends[1].warnings), 0);
    }
    pair_run_to (now + 10 * MS);
  }
  settle ();
  fail_unless_equals_int (pair_get_count (&ends[1], &ends[1].warnings), 1);
  fail_unless (pair_get_count (&ends[1], &ends[1].served) > served + 80);
  fail_unless_equals_int (pair_get_stat (1, "session", "strangers"), 200);
}

GST_END_TEST;

static Suite *
peer_suite (void)
{
  Suite *s = suite_create ("peer");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, pair_set_up, pair_tear_down);
  tcase_add_test (tc, test_packet_leaves_in_the_thread_that_brings_it);
  tcase_add_test (tc, test_packet_that_may_not_depart_waits);
  tcase_add_test (tc, test_each_peer_has_the_queue_time_of_its_encoder);
  tcase_add_test (tc, test_a_data_sender_knows_the_playout_of_the_other_end);
  tcase_add_test (tc, test_data_go_both_ways_and_are_reported);
  tcase_add_test (tc, test_reports_leave_with_packets);
  tcase_add_test (tc, test_packets_have_their_time_of_capture);
  tcase_add_test (tc, test_packets_behind_a_loss_can_be_asked_for);
  tcase_add_test (tc, test_losses_are_measured_and_announced);
  tcase_add_test (tc, test_the_share_of_packets_lost_is_a_mean);
  tcase_add_test (tc, test_compound_rtcp_is_rare_at_a_low_rate);
  tcase_add_test (tc, test_ecn_marks_are_losses);
  tcase_add_test (tc, test_silence_and_return_are_posted);
  tcase_add_test (tc, test_a_caller_that_is_not_heard_is_gone);
  tcase_add_loop_test (tc, test_voice_is_back_soon_after_an_outage, 0,
      G_N_ELEMENTS (outages));
  tcase_add_test (tc, test_sound_is_in_time_after_the_machine_was_held);
  tcase_add_loop_test (tc, test_voice_begins_soon_after_the_remote_end_appears,
      0, G_N_ELEMENTS (outages));
  tcase_add_test (tc, test_bye_is_sent_and_understood);
  tcase_add_test (tc, test_key_frames_are_asked_for);
  tcase_add_loop_test (tc, test_forwarded_packets_go_to_the_target_alone, 0, 2);
  tcase_add_loop_test (tc, test_losses_are_not_forwarded, 0, 2);
  tcase_add_test (tc, test_arrivals_at_a_relay_are_not_listed);
  tcase_add_test (tc, test_key_frames_are_asked_of_the_source);
  tcase_add_test (tc, test_a_stream_that_ends_is_drained);
  tcase_add_test (tc, test_what_is_no_packet_is_counted);
  tcase_add_test (tc, test_packets_of_no_known_type_are_dropped_with_a_warning);
  tcase_add_test (tc, test_a_second_stream_is_dropped_with_a_warning);
  return s;
}

GST_CHECK_MAIN (peer);
