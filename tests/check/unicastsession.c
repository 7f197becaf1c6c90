/* gst-tfrc tests: two RTP sessions with one remote end each, joined by a path
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "sessionpair.h"

#define MINUTE (60 * TFRC_SEC)

#define fail_unless_between(value, least, most) G_STMT_START { \
  gdouble v_ = (value); \
  if (!(v_ >= (least) && v_ <= (most))) \
    fail ("%s is %g, not within %g and %g", #value, v_, (gdouble) (least), (gdouble) (most)); \
} G_STMT_END

static GstTfrcUnicastSessionStats
get_stats (const SessionEnd * end)
{
  GstTfrcUnicastSessionStats stats;

  gst_tfrc_unicast_session_get_stats (&end->session, &stats);
  return stats;
}

GST_START_TEST (a_configuration_that_cannot_work_is_named)
{
  GstTfrcUnicastSessionConfig config;

  gst_tfrc_unicast_session_config_init (&config);
  config.sends = TRUE;
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "cname"));
  memset (config.cname, 'x', sizeof config.cname);
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "cname"));
  strcpy (config.cname, "\xFF");
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "UTF-8"));
  strcpy (config.cname, "me");
  fail_unless (gst_tfrc_unicast_session_config_check (&config) == NULL);
  config.probation = 0;
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "probation"));
  config.probation = 1;
  config.bandwidth = 0;
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "bandwidth"));
  config.bandwidth = 1;
  config.fmt = 32;
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config), "fmt"));
  config.fmt = 31;
  config.sends = FALSE;
  fail_unless (strstr (gst_tfrc_unicast_session_config_check (&config),
          "sends"));
}

GST_END_TEST;

GST_START_TEST (the_state_is_a_flat_block_of_a_kilobyte)
{
  fail_unless (sizeof (GstTfrcUnicastSession) <= 1024);
}

GST_END_TEST;

static void
check_talking_end (const SessionEnd * end, const SessionEnd * other)
{
  GstTfrcUnicastSessionStats stats = get_stats (end);

  fail_unless_equals_int (stats.ssrc, end->config.ssrc);
  fail_unless_equals_int (stats.remote_ssrc, other->config.ssrc);
  fail_unless_equals_int (stats.reporter_ssrc, 0);
  fail_unless_equals_string (end->session.remote_cname, other->config.cname);
  /* 60 s of a packet each 20 ms; the first arrives on probation, one is under way */
  fail_unless_equals_uint64 (stats.packets_sent, 3000);
  fail_unless_equals_uint64 (stats.octets_sent, 3000 * PAIR_PAYLOAD);
  fail_unless_equals_int (end->on_probation, 1);
  fail_unless_equals_uint64 (stats.packets_received, 2998);
  fail_unless_equals_uint64 (stats.octets_received, 2998 * PAIR_PAYLOAD);
  fail_unless_equals_int (stats.lost, 0);
  fail_unless_equals_uint64 (stats.jitter, 0);
  fail_unless_between (stats.rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
  fail_unless_between (EVENTS (*end, GST_TFRC_SESSION_RTT), 50, 75);
  fail_unless_equals_int (EVENTS (*end, GST_TFRC_SESSION_NEW_REMOTE), 1);
  fail_unless_equals_int (EVENTS (*end, GST_TFRC_SESSION_ANSWERED), 1);
  /* once before the other end was known, five times since */
  fail_unless_equals_int (EVENTS (*end, GST_TFRC_SESSION_SENDER_SETTINGS), 6);
  fail_unless_equals_int (EVENTS (*end, GST_TFRC_SESSION_RECEIVER_SETTINGS), 6);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (end->settings[i].mode, TFRC_MODE_TFRC_SP);
    fail_unless_equals_int (end->settings[i].is_receiver, i);
    fail_unless_equals_int (end->settings[i].H, other->config.settings.H);
    fail_unless (end->settings[i].takes_reduced);
    fail_unless_equals_int (end->settings[i].takes_timed, i == 0);
  }
  fail_unless_equals_uint64 (stats.counts.malformed + stats.counts.ignored +
      stats.counts.strangers + stats.counts.jumps + stats.counts.collisions +
      stats.counts.clock_decreases, 0);
  fail_unless_equals_uint64 (stats.counts.rtcp_sent, end->rtcp_left);
  fail_unless_between (stats.counts.rtcp_received, other->rtcp_left - 1,
      other->rtcp_left);
  fail_unless_equals_uint64 (stats.counts.rtcp_octets_sent,
      end->rtcp_octets - end->config.H * end->rtcp_left);
  fail_unless_between (stats.counts.rtcp_octets_received,
      get_stats (other).counts.rtcp_octets_sent - 208,
      get_stats (other).counts.rtcp_octets_sent);
  fail_unless (gst_tfrc_unicast_session_is_answered (&end->session,
          end->session.now));
}

GST_START_TEST (two_ends_get_to_know_each_other)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE);
  check_talking_end (&pair.ends[0], &pair.ends[1]);
  check_talking_end (&pair.ends[1], &pair.ends[0]);
  session_pair_clear (&pair);
}

GST_END_TEST;

static TfrcTime
lose_each_tenth (SessionPair * pair, guint from, gboolean rtcp, guint n)
{
  return from == 0 && !rtcp && n % 10 == 5 ? TFRC_TIME_NONE : 30 * TFRC_MSEC;
}

GST_START_TEST (losses_are_reported_to_the_sender)
{
  SessionPair pair;
  GstTfrcUnicastSessionStats stats, remote;

  session_pair_init (&pair, lose_each_tenth);
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE + 10 * TFRC_MSEC);
  stats = get_stats (&pair.ends[0]);
  remote = get_stats (&pair.ends[1]);
  fail_unless_equals_int (remote.lost, 300);
  fail_unless_equals_int (remote.expected, 2998);
  fail_unless_between (stats.remote_lost, 292, 300);
  fail_unless_between (stats.remote_fraction_lost, 0.06, 0.13);
  fail_unless_equals_int (get_stats (&pair.ends[0]).lost, 0);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* Each second packet takes 50 ms longer than the others, and two after it arrive first. */
static TfrcTime
reorder (SessionPair * pair, guint from, gboolean rtcp, guint n)
{
  return (rtcp || n % 2 == 0 ? 30 : 80) * TFRC_MSEC;
}

GST_START_TEST (reordering_is_jitter_and_no_loss)
{
  SessionPair pair;
  GstTfrcUnicastSessionStats stats;

  session_pair_init (&pair, reorder);
  pair.ends[0].config.probation = 1;
  pair.ends[0].seq = 65000;
  pair.ends[1].config.probation = 1;
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE + 10 * TFRC_MSEC);
  stats = get_stats (&pair.ends[1]);
  /* of the last four, two with 80 ms are under way and one has a later one before it */
  fail_unless_between (stats.lost, 1, 2);
  fail_unless_equals_int (pair.ends[1].refused, 0);
  fail_unless_equals_int (stats.expected, 2999);
  /* packets arrive as 0, 2, 4, 1, 6, 3, ...: |D| is 50 ms each time */
  fail_unless_between (stats.jitter, 49 * TFRC_MSEC, 51 * TFRC_MSEC);
  stats = get_stats (&pair.ends[0]);
  fail_unless_between (stats.remote_jitter, 49 * TFRC_MSEC, 51 * TFRC_MSEC);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* The sequence number, the RTP timestamp, and in 2036 the NTP timestamp wrap in this call. */
GST_START_TEST (arrivals_have_the_senders_time_over_all_wraps)
{
  SessionPair pair;
  SessionEnd *sender = &pair.ends[0];
  guint64 ntp =
      G_GUINT64_CONSTANT (4294967296) * TFRC_SEC - 10 * TFRC_SEC, time;

  session_pair_init (&pair, NULL);
  sender->config.ntp = ntp;
  sender->seq = 65000;
  sender->rtptime = G_MAXUINT32 - 15 * PAIR_CLOCK_RATE;
  sender->latency = 120 * TFRC_MSEC;
  session_pair_begin (&pair);
  session_pair_run (&pair, 5 * TFRC_SEC);
  for (guint i = 5; i < 40; i++) {
    fail_unless (gst_tfrc_unicast_session_get_sender_time (&pair.ends
            [1].session, sender->rtptime, &time));
    /* the next packet was captured 120 ms before now; 1/8000 s is the timestamp's unit */
    fail_unless_between ((gdouble) ((gint64) (time - ntp - i * TFRC_SEC)),
        -120 * (gdouble) TFRC_MSEC - 125000,
        -120 * (gdouble) TFRC_MSEC + 125000);
    session_pair_run (&pair, TFRC_SEC);
  }
  fail_unless_between (get_stats (sender).rtt, 59.9 * TFRC_MSEC,
      60.1 * TFRC_MSEC);
  fail_unless_equals_int (get_stats (&pair.ends[1]).lost, 0);
  fail_unless_equals_int (get_stats (&pair.ends[1]).expected, 1999 - 1);
  fail_unless_equals_int (pair.ends[1].refused, 0);
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (another_ssrc_takes_over_after_half_a_second)
{
  SessionPair pair;
  TfrcTime changed;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  /* end 0 begins anew, without a BYE */
  pair.ends[0].config.ssrc = 0xB0000001;
  strcpy (pair.ends[0].config.cname, "another");
  pair.ends[0].seq = 40000;
  changed = pair.now;
  session_pair_begin_end (&pair, 0);
  session_pair_run (&pair, 10 * TFRC_SEC);
  fail_unless_equals_int (get_stats (&pair.ends[1]).remote_ssrc, 0xB0000001);
  fail_unless_equals_int (get_stats (&pair.ends[1]).reporter_ssrc, 0);
  fail_unless_equals_string (pair.ends[1].session.remote_cname, "another");
  fail_unless_equals_int (EVENTS (pair.ends[1], GST_TFRC_SESSION_NEW_REMOTE),
      2);
  /* 0.5 s since the last packet of before, which left 20 ms before the change, and the path */
  fail_unless_between ((gdouble) (pair.ends[1].taken - changed),
      480 * TFRC_MSEC, 520 * TFRC_MSEC);
  fail_unless_equals_uint64 (get_stats (&pair.ends[1]).counts.strangers, 24);
  /* it gets the settings again: five times each */
  fail_unless_between (EVENTS (pair.ends[0], GST_TFRC_SESSION_SENDER_SETTINGS),
      10, 15);
  fail_unless_between (get_stats (&pair.ends[0]).rtt, 59.9 * TFRC_MSEC,
      60.1 * TFRC_MSEC);
  session_pair_clear (&pair);
}

GST_END_TEST;

static guint
arrive_from (SessionPair * pair, guint32 ssrc, guint16 seq)
{
  GBytes *data = session_pair_new_rtp (ssrc, seq, 0);
  GstTfrcRtpFields fields;
  guint bits = gst_tfrc_unicast_session_on_rtp (&pair->ends[1].session,
      g_bytes_get_data (data, NULL), g_bytes_get_size (data), &fields,
      pair->now + pair->ends[1].offset);

  g_bytes_unref (data);
  return bits;
}

GST_START_TEST (strangers_beside_the_remote_end_are_refused)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, TFRC_SEC);
  for (guint i = 0; i < 10000; i++) {
    session_pair_run (&pair, TFRC_MSEC);
    /* one in sequence, and any number of others */
    fail_unless_equals_int (arrive_from (&pair, 0xC0000001, i),
        GST_TFRC_SESSION_REFUSED);
    fail_unless_equals_int (arrive_from (&pair, 0xD0000000 + i, i),
        GST_TFRC_SESSION_REFUSED);
  }
  fail_unless_equals_uint64 (get_stats (&pair.ends[1]).counts.strangers, 20000);
  fail_unless_equals_int (get_stats (&pair.ends[1]).remote_ssrc,
      pair.ends[0].config.ssrc);
  fail_unless_equals_int (get_stats (&pair.ends[1]).lost, 0);
  fail_unless_between (get_stats (&pair.ends[1]).packets_received, 547, 549);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* RFC 3550 8.2: both notice at the same time, and both change. */
GST_START_TEST (ends_with_one_ssrc_take_others)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  pair.ends[0].config.ssrc = pair.ends[1].config.ssrc = 0xAAAAAAAA;
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  for (guint i = 0; i < 2; i++) {
    GstTfrcUnicastSessionStats stats = get_stats (&pair.ends[i]);

    fail_unless (stats.ssrc != 0xAAAAAAAA && stats.ssrc != 0);
    fail_unless_equals_int (stats.remote_ssrc,
        get_stats (&pair.ends[1 - i]).ssrc);
    fail_unless_equals_int (EVENTS (pair.ends[i], GST_TFRC_SESSION_NEW_SSRC),
        1);
    fail_unless_between (stats.rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
    fail_unless_between (stats.counts.collisions, 1, 1);
  }
  session_pair_clear (&pair);
}

GST_END_TEST;

/* The BYE of the old SSRC is a compound packet of its own, and the next is not far behind. */
GST_START_TEST (the_ssrc_that_is_given_up_says_bye)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[1];
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstTfrcRtpFields sent = { 0 };
  GstRTCPPacket packet;
  GstBuffer *buffer;
  TfrcTime now;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, 3 * TFRC_SEC);
  now = pair.now + end->offset;
  fail_unless (get_stats (end).packets_sent > 0
      && end->session.block.extended_max > 0);
  fail_unless (end->session.app_left < 5);
  fail_unless_equals_int (arrive_from (&pair, end->config.ssrc, 1),
      GST_TFRC_SESSION_REFUSED | GST_TFRC_SESSION_NEW_SSRC |
      GST_TFRC_SESSION_TIMER);
  fail_unless (gst_tfrc_unicast_session_next_rtcp (&end->session,
          FALSE) <= now);
  /* the new SSRC has sent nothing, nobody has reported about it, and the settings are announced
   * again */
  fail_unless_equals_uint64 (get_stats (end).packets_sent +
      get_stats (end).octets_sent, 0);
  fail_unless_equals_int (end->session.block.extended_max, 0);
  fail_unless_equals_int (end->session.app_left, 5);
  /* what is sent under the new one is not the old one's */
  gst_tfrc_unicast_session_on_sent (&end->session, &sent, now, now);
  buffer = gst_tfrc_unicast_session_make_rtcp (&end->session, NULL, now);
  gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  fail_unless_equals_int (gst_rtcp_buffer_get_packet_count (&rtcp), 3);
  gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  fail_unless_equals_int (gst_rtcp_packet_get_type (&packet), GST_RTCP_TYPE_RR);
  fail_unless_equals_int (gst_rtcp_packet_rr_get_ssrc (&packet),
      end->config.ssrc);
  gst_rtcp_packet_move_to_next (&packet);
  gst_rtcp_packet_move_to_next (&packet);
  fail_unless_equals_int (gst_rtcp_packet_get_type (&packet),
      GST_RTCP_TYPE_BYE);
  fail_unless_equals_int (gst_rtcp_packet_bye_get_nth_ssrc (&packet, 0),
      end->config.ssrc);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
  fail_unless (gst_tfrc_unicast_session_next_rtcp (&end->session,
          FALSE) <= now + 100 * TFRC_MSEC);
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (own_packets_that_come_back_change_the_ssrc_once)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[1];
  guint changes = 0;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  for (guint i = 0; i < 49; i++) {
    session_pair_run (&pair, TFRC_SEC);
    changes +=
        (arrive_from (&pair, end->session.ssrc,
            i) & GST_TFRC_SESSION_NEW_SSRC) != 0;
  }
  fail_unless_equals_int (changes, 1);
  fail_unless_equals_uint64 (get_stats (end).counts.collisions, 49);
  /* ten intervals of 5 s later it would be a collision again */
  session_pair_run (&pair, 2 * TFRC_SEC);
  fail_unless (arrive_from (&pair, end->session.ssrc,
          0) & GST_TFRC_SESSION_NEW_SSRC);
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (bye_is_said_and_heard)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[0], *other = &pair.ends[1];
  GstTfrcSessionInput input;
  GstBuffer *buffer;
  GstMapInfo map;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  /* RFC 3550 6.3.7: none without anything sent */
  fail_unless (gst_tfrc_unicast_session_make_bye (&end->session,
          pair.now) == NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  buffer = gst_tfrc_unicast_session_make_bye (&end->session, pair.now);
  fail_unless (gst_rtcp_buffer_validate (buffer));
  fail_unless_equals_uint64 (gst_tfrc_unicast_session_next_rtcp (&end->session,
          TRUE), TFRC_TIME_NONE);
  fail_unless (gst_tfrc_unicast_session_make_bye (&end->session,
          pair.now) == NULL);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  fail_unless_equals_int (gst_tfrc_unicast_session_on_rtcp (&end->session,
          map.data, map.size, &input, pair.now), GST_TFRC_SESSION_REFUSED);
  fail_unless (gst_tfrc_unicast_session_on_rtcp (&other->session, map.data,
          map.size, &input, pair.now + other->offset) & GST_TFRC_SESSION_BYE);
  gst_buffer_unmap (buffer, &map);
  fail_unless_equals_int (get_stats (other).remote_ssrc, 0);
  /* and the same end may come again */
  fail_unless_equals_int (arrive_from (&pair, end->config.ssrc, 7),
      GST_TFRC_SESSION_PROBATION);
  other->session.app_left = 0;
  other->session.fir_seq = 7;
  fail_unless (arrive_from (&pair, end->config.ssrc,
          8) & GST_TFRC_SESSION_NEW_REMOTE);
  fail_unless_equals_int (other->session.app_left, 5);
  fail_unless_equals_int (other->session.fir_seq, -1);
  fail_if (other->session.probation.active);
  gst_buffer_unref (buffer);
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (one_way_is_enough)
{
  SessionPair pair;
  GstTfrcUnicastSessionStats stats;

  session_pair_init (&pair, lose_each_tenth);
  pair.ends[1].talks = FALSE;
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE);
  /* the sender knows its receiver by RTCP alone */
  stats = get_stats (&pair.ends[0]);
  fail_unless_equals_int (stats.remote_ssrc, 0);
  fail_unless_equals_int (stats.reporter_ssrc, pair.ends[1].config.ssrc);
  fail_unless_equals_string (pair.ends[0].session.remote_cname,
      pair.ends[1].config.cname);
  fail_unless_between (stats.remote_fraction_lost, 0.06, 0.13);
  fail_unless_between (stats.rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
  stats = get_stats (&pair.ends[1]);
  fail_unless_equals_int (stats.remote_ssrc, pair.ends[0].config.ssrc);
  /* by its reference time */
  fail_unless_between (stats.rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
  fail_unless_equals_uint64 (stats.packets_sent, 0);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* Reports each 100 ms, with the bandwidth that lets one leave so often: 8 x 100 bytes x 2 /
 * (0.5 x 0.1 s). */
static void
report_each_100_ms (SessionPair * pair)
{
  for (guint i = 0; i < 2; i++) {
    pair->ends[i].config.bandwidth = 32000;
    pair->ends[i].report_interval = 100 * TFRC_MSEC;
  }
}

GST_START_TEST (reports_leave_reduced_size_once_the_remote_end_takes_them)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  session_pair_begin (&pair);
  for (guint i = 0; i < 600; i++) {
    session_pair_run (&pair, 100 * TFRC_MSEC);
    gst_tfrc_unicast_session_confirm_report (&pair.ends[0].session, 1000 + i);
    gst_tfrc_unicast_session_confirm_report (&pair.ends[1].session, 1000 + i);
  }
  for (guint i = 0; i < 2; i++) {
    GstTfrcUnicastSessionStats stats = get_stats (&pair.ends[i]);
    guint compound = stats.counts.rtcp_sent - stats.counts.reduced_sent;

    fail_unless (stats.reduced);
    fail_unless_between (stats.counts.reports_sent, 595, 600);
    fail_unless_between (compound, 54, 72);     /* one in T_rr_interval of 1 s */
    fail_unless_between (stats.counts.reduced_sent, 500, 600);
    fail_unless_between (get_stats (&pair.ends[1 - i]).counts.reports_received,
        stats.counts.reports_sent - 1, stats.counts.reports_sent);
    fail_unless_between (pair.ends[1 - i].last_report,
        pair.ends[i].report_number - 2, pair.ends[i].report_number - 1);
    /* this end's half of 32 kbit/s is not all used */
    fail_unless_between (pair.ends[i].rtcp_octets * 8 / 60.0, 6000, 16000);
  }
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (a_remote_end_that_does_not_take_reduced_size_gets_compound)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  pair.ends[1].config.settings.takes_reduced = FALSE;
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE);
  fail_unless_equals_uint64 (get_stats (&pair.ends[0]).counts.reduced_sent, 0);
  fail_unless_between (get_stats (&pair.ends[0]).counts.reports_sent, 595, 600);
  fail_unless (get_stats (&pair.ends[1]).counts.reduced_sent > 0);
  /* ten a second of SR with a block 52, SDES 24, report 32 and H 40 bytes; the settings 5 times */
  fail_unless_between (pair.ends[0].rtcp_octets * 8 / 60.0, 11720, 11920);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* An end that does not know the fifth word of a report would refuse the whole report. */
GST_START_TEST (only_an_end_that_takes_transit_times_gets_them)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  pair.ends[1].config.settings.takes_timed = FALSE;
  session_pair_begin (&pair);
  session_pair_run (&pair, 20 * TFRC_SEC);
  fail_unless (pair.ends[1].last_report > 150);
  fail_unless_equals_int (pair.ends[1].last_transit, 0);
  fail_unless (pair.ends[0].last_report > 150);
  fail_unless_equals_int (pair.ends[0].last_transit, 4711);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* The list costs four bytes in each report. */
GST_START_TEST (only_an_end_that_sends_copies_gets_lists_of_arrivals)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  session_pair_begin (&pair);
  gst_tfrc_unicast_session_set_redundant (&pair.ends[0].session, TRUE);
  session_pair_run (&pair, 20 * TFRC_SEC);
  fail_unless (pair.ends[0].last_report > 150);
  fail_unless_equals_int (pair.ends[0].last_transit, 4711);
  fail_unless_equals_int (pair.ends[0].last_arrivals, 4712);
  fail_unless (pair.ends[1].last_report > 150);
  fail_unless_equals_int (pair.ends[1].last_arrivals, 0);
  fail_unless (pair.ends[1].settings[0].takes_arrivals);
  fail_if (pair.ends[1].settings[1].takes_arrivals);
  /* what is said later counts, too */
  gst_tfrc_unicast_session_set_redundant (&pair.ends[0].session, FALSE);
  session_pair_run (&pair, 20 * TFRC_SEC);
  fail_unless_equals_int (pair.ends[0].last_arrivals, 0);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* The larger a report the fewer: what the two take together is what they may take. */
GST_START_TEST (reports_that_want_more_than_the_bandwidth_get_the_bandwidth)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  for (guint i = 0; i < 2; i++) {
    pair.ends[i].report_interval = 10 * TFRC_MSEC;
    pair.ends[i].config.settings.takes_reduced = FALSE;
  }
  session_pair_begin (&pair);
  session_pair_run (&pair, MINUTE);
  fail_unless_between ((pair.ends[0].rtcp_octets +
          pair.ends[1].rtcp_octets) * 8 / 60.0, 0.95 * 32000, 1.05 * 32000);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* RFC 5506 4.2.1: while data come, a rate that holds shows that reports come through. */
GST_START_TEST (reduced_size_that_nothing_confirms_is_given_up)
{
  SessionPair pair;

  session_pair_init (&pair, NULL);
  report_each_100_ms (&pair);
  session_pair_begin (&pair);
  session_pair_run (&pair, 20 * TFRC_SEC);
  fail_unless (get_stats (&pair.ends[0]).reduced);
  pair.ends[1].talks = FALSE;
  session_pair_run (&pair, 2 * TFRC_SEC);
  fail_if (get_stats (&pair.ends[0]).reduced);
  pair.ends[1].talks = TRUE;
  /* it was given up in these 2 s, and is tried again 30 s after that */
  for (guint i = 220; i < 600; i++) {
    session_pair_run (&pair, 100 * TFRC_MSEC);
    gst_tfrc_unicast_session_confirm_report (&pair.ends[0].session, 1000 + i);
    if (i < 499)
      fail_if (get_stats (&pair.ends[0]).reduced);
    else if (i > 525)
      fail_unless (get_stats (&pair.ends[0]).reduced);
  }
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (a_key_frame_is_asked_for_and_heard_once)
{
  SessionPair pair;
  TfrcTime now;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  now = pair.now;
  /* of nobody there is none to ask for */
  fail_unless_equals_int (gst_tfrc_unicast_session_request_key_frame (&pair.ends
          [0].session, now), 0);
  session_pair_run (&pair, 10 * TFRC_SEC);
  now = pair.now;
  fail_unless_equals_int (gst_tfrc_unicast_session_request_key_frame (&pair.ends
          [0].session, now), GST_TFRC_SESSION_TIMER);
  fail_unless_equals_int (gst_tfrc_unicast_session_request_key_frame (&pair.ends
          [0].session, now), 0);
  /* T_d is 8 x 2 x some 150 bytes / 3200 bit/s = 0.75 s, and at most 1.5 times that is waited */
  session_pair_run (&pair, 1200 * TFRC_MSEC);
  fail_unless_equals_int (EVENTS (pair.ends[1], GST_TFRC_SESSION_KEY_FRAME), 1);
  fail_unless_equals_uint64 (get_stats (&pair.ends
          [0]).counts.key_frames_requested, 1);
  fail_unless_equals_uint64 (get_stats (&pair.ends[1]).counts.key_frames_asked,
      1);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* Bars: 1.5 s in the first minute, 3.5 s after it, for an end that appears late. */
GST_START_TEST (an_end_that_appears_late_is_heard_soon)
{
  static const guint late[] = { 1, 10, 30, 59, 61, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (late); i++) {
    SessionPair pair;
    TfrcTime appeared, bar =
        (late[i] < 60 ? 1 : 3) * TFRC_SEC + 200 * TFRC_MSEC;

    session_pair_init (&pair, NULL);
    pair.ends[0].talks = FALSE; /* it backed off */
    pair.ends[1].talks = FALSE;
    pair.ends[1].present = FALSE;
    session_pair_begin (&pair);
    session_pair_run (&pair, late[i] * TFRC_SEC);
    fail_if (gst_tfrc_unicast_session_is_answered (&pair.ends[0].session,
            pair.now));
    fail_unless_between (pair.ends[0].rtcp_left, MIN (late[i],
            60) / 1.0 + (late[i] - MIN (late[i], 60)) / 3.0, 2 + MIN (late[i],
            60) / 0.8 + (late[i] - MIN (late[i], 60)) / 2.4);
    appeared = pair.now;
    /* it hears the other end's next sign of life and answers; a phone that waits for a call is
     * silent until then, so its own first packet is not counted on */
    session_pair_begin_end (&pair, 1);
    gst_buffer_unref (gst_tfrc_unicast_session_make_rtcp (&pair.ends[1].session,
            NULL, pair.now + pair.ends[1].offset));
    session_pair_run (&pair, 4 * TFRC_SEC);
    fail_unless (pair.ends[0].bits & GST_TFRC_SESSION_ANSWERED);
    fail_unless_between ((gdouble) (pair.ends[0].answered - appeared), 0, bar);
    fail_unless (gst_tfrc_unicast_session_is_answered (&pair.ends[0].session,
            pair.now));
    session_pair_clear (&pair);
  }
}

GST_END_TEST;

GST_START_TEST (after_an_outage_both_are_heard_soon)
{
  static const guint outages[] = { 2, 5, 20, 60, 120 };

  for (guint i = 0; i < G_N_ELEMENTS (outages); i++) {
    SessionPair pair;
    TfrcTime passed, bar =
        (outages[i] <= 60 ? 1 : 3) * TFRC_SEC + 200 * TFRC_MSEC;

    session_pair_init (&pair, NULL);
    session_pair_begin (&pair);
    session_pair_run (&pair, 20 * TFRC_SEC);
    pair.ends[0].talks = pair.ends[1].talks = FALSE;    /* they backed off */
    pair.cut = TRUE;
    session_pair_run (&pair, outages[i] * TFRC_SEC);
    pair.cut = FALSE;
    passed = pair.now;
    session_pair_run (&pair, bar);
    for (guint e = 0; e < 2; e++) {
      const SessionEnd *end = &pair.ends[e];

      fail_unless (get_stats (end).heard >= passed + end->offset);
      /* 2 s are a silence when an interval of up to 1.5 s was lost with them */
      fail_unless_between (EVENTS (*end, GST_TFRC_SESSION_ANSWERED),
          outages[i] > 3 ? 2 : 1, 2);
    }
    session_pair_clear (&pair);
  }
}

GST_END_TEST;

GST_START_TEST (time_that_goes_back_is_counted)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[0];

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  gst_tfrc_unicast_session_request_key_frame (&end->session,
      pair.now - 5 * TFRC_SEC);
  fail_unless_equals_uint64 (get_stats (end).counts.clock_decreases, 1);
  gst_tfrc_unicast_session_set_ntp (&end->session,
      end->config.ntp + 10 * TFRC_SEC, pair.now - TFRC_SEC);
  fail_unless_equals_uint64 (get_stats (end).counts.clock_decreases, 2);
  session_pair_run (&pair, 10 * TFRC_SEC);
  fail_unless_between (get_stats (end).rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* Sender reports of before the wall clock was set give no round-trip time. */
GST_START_TEST (setting_the_wall_clock_spoils_no_round_trip_time)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[0];
  GstTfrcUnicastSessionStats stats;
  guint64 time, before;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&pair.ends[1].session,
          0, &before));
  /* 50 ms, which would be within what a path may take */
  gst_tfrc_unicast_session_set_ntp (&end->session,
      end->config.ntp + 10 * TFRC_SEC + 50 * TFRC_MSEC, pair.now);
  for (guint i = 0; i < 100; i++) {
    session_pair_run (&pair, 100 * TFRC_MSEC);
    fail_unless_between (get_stats (end).rtt, 59.9 * TFRC_MSEC,
        60.1 * TFRC_MSEC);
  }
  stats = get_stats (end);
  fail_unless_between (stats.counts.malformed, 1, 3);
  fail_unless_between (EVENTS (*end, GST_TFRC_SESSION_RTT), 15, 24);
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&pair.ends[1].session,
          0, &time));
  fail_unless_between (time - before, 49.8 * TFRC_MSEC, 50.2 * TFRC_MSEC);
  session_pair_clear (&pair);
}

GST_END_TEST;

GST_START_TEST (settings_may_change_in_a_call)
{
  SessionPair pair;
  SessionEnd *end = &pair.ends[0];
  GstTfrcUnicastSessionStats stats;
  guint64 time, later;
  guint sent;

  session_pair_init (&pair, reorder);
  end->config.remote_clock_rate = 0;
  end->config.probation = 1;    /* no two packets arrive in sequence */
  session_pair_begin (&pair);
  session_pair_run (&pair, 10 * TFRC_SEC);
  fail_unless_equals_uint64 (get_stats (end).jitter, 0);
  fail_if (gst_tfrc_unicast_session_get_sender_time (&end->session, 0, &time));
  gst_tfrc_unicast_session_set_clock_rates (&end->session, 8000, 8000);
  /* T_rr_interval is 1 s; 2240 bit/s for two make it some 1 s, 112 bit/s 20 s, and a silence 5 s */
  fail_unless_equals_int (gst_tfrc_unicast_session_set_timing (&end->session,
          112, TFRC_SEC, pair.now + end->offset), GST_TFRC_SESSION_TIMER);
  sent = get_stats (end).counts.rtcp_sent;
  session_pair_run (&pair, 10 * TFRC_SEC);
  stats = get_stats (end);
  fail_unless_between (stats.jitter, 40 * TFRC_MSEC, 51 * TFRC_MSEC);
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&end->session, 0,
          &time));
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&end->session, 8000,
          &later));
  fail_unless_equals_uint64 (later - time, TFRC_SEC);
  fail_unless (stats.rtcp_bandwidth == 112);
  fail_unless_between (stats.rtcp_interval, 15 * TFRC_SEC, 25 * TFRC_SEC);
  fail_unless_between (stats.counts.rtcp_sent - sent, 0, 2);
  session_pair_clear (&pair);
}

GST_END_TEST;

/* RFC 3550 6.3.7: either RTP or RTCP makes a BYE due. */
GST_START_TEST (whoever_has_sent_anything_says_bye)
{
  GstTfrcRtpFields sent = { 0 };
  SessionPair pair;
  GstBuffer *buffer;

  session_pair_init (&pair, NULL);
  session_pair_begin (&pair);
  gst_tfrc_unicast_session_on_sent (&pair.ends[0].session, &sent, pair.now,
      pair.now);
  buffer = gst_tfrc_unicast_session_make_bye (&pair.ends[0].session, pair.now);
  fail_unless (buffer != NULL);
  gst_buffer_unref (buffer);
  gst_buffer_unref (gst_tfrc_unicast_session_make_rtcp (&pair.ends[1].session,
          NULL, pair.now + pair.ends[1].offset));
  buffer = gst_tfrc_unicast_session_make_bye (&pair.ends[1].session, pair.now);
  fail_unless (buffer != NULL);
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (get_stats (&pair.ends[1]).counts.rtcp_sent, 2);
  fail_unless_equals_uint64 (get_stats (&pair.ends[1]).counts.reduced_sent, 0);
  session_pair_clear (&pair);
}

GST_END_TEST;

static Suite *
unicastsession_suite (void)
{
  Suite *suite = suite_create ("unicastsession");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_configuration_that_cannot_work_is_named);
  tcase_add_test (tcase, the_state_is_a_flat_block_of_a_kilobyte);
  tcase_add_test (tcase, two_ends_get_to_know_each_other);
  tcase_add_test (tcase, losses_are_reported_to_the_sender);
  tcase_add_test (tcase, reordering_is_jitter_and_no_loss);
  tcase_add_test (tcase, arrivals_have_the_senders_time_over_all_wraps);
  tcase_add_test (tcase, another_ssrc_takes_over_after_half_a_second);
  tcase_add_test (tcase, strangers_beside_the_remote_end_are_refused);
  tcase_add_test (tcase, ends_with_one_ssrc_take_others);
  tcase_add_test (tcase, the_ssrc_that_is_given_up_says_bye);
  tcase_add_test (tcase, own_packets_that_come_back_change_the_ssrc_once);
  tcase_add_test (tcase, bye_is_said_and_heard);
  tcase_add_test (tcase, one_way_is_enough);
  tcase_add_test (tcase,
      reports_leave_reduced_size_once_the_remote_end_takes_them);
  tcase_add_test (tcase,
      a_remote_end_that_does_not_take_reduced_size_gets_compound);
  tcase_add_test (tcase,
      reports_that_want_more_than_the_bandwidth_get_the_bandwidth);
  tcase_add_test (tcase, reduced_size_that_nothing_confirms_is_given_up);
  tcase_add_test (tcase, a_key_frame_is_asked_for_and_heard_once);
  tcase_add_test (tcase, an_end_that_appears_late_is_heard_soon);
  tcase_add_test (tcase, only_an_end_that_takes_transit_times_gets_them);
  tcase_add_test (tcase, only_an_end_that_sends_copies_gets_lists_of_arrivals);
  tcase_add_test (tcase, after_an_outage_both_are_heard_soon);
  tcase_add_test (tcase, time_that_goes_back_is_counted);
  tcase_add_test (tcase, setting_the_wall_clock_spoils_no_round_trip_time);
  tcase_add_test (tcase, settings_may_change_in_a_call);
  tcase_add_test (tcase, whoever_has_sent_anything_says_bye);
  return suite;
}

GST_CHECK_MAIN (unicastsession);
