/* gst-tfrc tests: our RTP session with GStreamer's rtpsession at the other end, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>

#include "sessionpair.h"

#define OWN 0x0A0A0A0A
#define PEER 0x0B0B0B0B
#define CAPS "application/x-rtp,media=audio,payload=0,clock-rate=8000,encoding-name=PCMU," \
    "rtcp-fb-nack-pli=(boolean)true,ssrc=(uint)"
#define DELAY 30                /* ms, of RTCP, and of RTP at least */

#define fail_unless_between(value, least, most) G_STMT_START { \
  gdouble v_ = (value); \
  if (!(v_ >= (least) && v_ <= (most))) \
    fail ("%s is %g, not within %g and %g", #value, v_, (gdouble) (least), (gdouble) (most)); \
} G_STMT_END

typedef enum
{
  RTP_TO_US, RTCP_TO_US, RTP_TO_PEER, RTCP_TO_PEER
} Kind;

typedef struct
{
  guint arrival;                /* ms */
  Kind kind;
  GstBuffer *buffer;
} Flight;

typedef struct
{
  GstTestClock *clock;
  GstElement *element;
  GObject *peer;                /* its RTPSession */
  GstHarness *send_rtp, *recv_rtp, *rtcp;
  GstTfrcUnicastSession session;
  GList *flights;
  guint ms;
  guint16 seq, peer_seq;
  guint lose;                   /* one RTP packet in so many, 0: none */
  guint jitter;                 /* ms, of RTP above DELAY */
  GRand *rand;
  guint bits, rtts;
  GstTfrcRtpReception mirror;   /* of what reaches the peer */
  gboolean mirrored;
} Call;

static TfrcTime
get_now (const Call * call)
{
  return call->ms * TFRC_MSEC;
}

static void
begin (Call * call, guint lose, guint jitter)
{
  GstTfrcUnicastSessionConfig config;

  *call = (Call) {
      .ms = 1000,
      .seq = 65000,
      .peer_seq = 65400,
      .lose = lose,
      .jitter = jitter};
  call->rand = g_rand_new_with_seed (7);
  call->clock =
      GST_TEST_CLOCK (gst_test_clock_new_with_start_time (get_now (call)));
  gst_system_clock_set_default (GST_CLOCK (call->clock));
  call->element = gst_element_factory_make ("rtpsession", NULL);
  gst_util_set_object_arg (G_OBJECT (call->element), "rtp-profile", "avpf");
  gst_util_set_object_arg (G_OBJECT (call->element), "ntp-time-source",
      "clock-time");
  /* with more, it counts what it held back as received but not as expected */
  g_object_set (call->element, "rtcp-min-interval", GST_SECOND, "probation", 1,
      "rtcp-sync-send-time", FALSE, NULL);
  call->send_rtp =
      gst_harness_new_with_element (call->element, "send_rtp_sink",
      "send_rtp_src");
  call->recv_rtp =
      gst_harness_new_with_element (call->element, "recv_rtp_sink",
      "recv_rtp_src");
  call->rtcp =
      gst_harness_new_with_element (call->element, "recv_rtcp_sink",
      "send_rtcp_src");
  gst_harness_set_src_caps_str (call->send_rtp, CAPS "185273099");      /* PEER */
  gst_harness_set_src_caps_str (call->recv_rtp, CAPS "168430090");      /* OWN */
  gst_harness_set_src_caps_str (call->rtcp, "application/x-rtcp");
  /* a harness takes the clock away */
  gst_element_set_clock (call->element, GST_CLOCK (call->clock));
  g_object_get (call->element, "internal-session", &call->peer, NULL);

  gst_tfrc_unicast_session_config_init (&config);
  config.ssrc = OWN;
  strcpy (config.cname, "us");
  config.clock_rate = config.remote_clock_rate = PAIR_CLOCK_RATE;
  config.sends = config.receives = TRUE;
  config.ntp = 3976214400 * TFRC_SEC;
  gst_tfrc_unicast_session_init (&call->session, &config, get_now (call));
}

static void
flight_free (gpointer data)
{
  gst_buffer_unref (((Flight *) data)->buffer);
  g_free (data);
}

static void
end (Call * call)
{
  g_list_free_full (call->flights, flight_free);
  g_object_unref (call->peer);
  gst_harness_teardown (call->rtcp);
  gst_harness_teardown (call->recv_rtp);
  gst_harness_teardown (call->send_rtp);
  gst_object_unref (call->element);
  gst_system_clock_set_default (NULL);
  gst_object_unref (call->clock);
  g_rand_free (call->rand);
}

static void
launch (Call * call, Kind kind, GstBuffer * buffer)
{
  gboolean rtp = kind == RTP_TO_US || kind == RTP_TO_PEER;
  Flight *flight;
  guint delay = DELAY;

  if (rtp && call->lose > 0
      && g_rand_int_range (call->rand, 0, call->lose) == 0) {
    gst_buffer_unref (buffer);
    return;
  }
  if (rtp && call->jitter > 0)
    delay += g_rand_int_range (call->rand, 0, call->jitter);
  flight = g_new (Flight, 1);
  *flight = (Flight) {call->ms + delay, kind, buffer};
  call->flights = g_list_append (call->flights, flight);
}

static GstBuffer *
new_rtp (guint32 ssrc, guint16 seq, guint32 rtptime, TfrcTime pts)
{
  GBytes *bytes = session_pair_new_rtp (ssrc, seq, rtptime);
  GstBuffer *buffer = gst_buffer_new_wrapped_bytes (bytes);

  g_bytes_unref (bytes);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = pts;
  return buffer;
}

/* The peer's receiver as we would be it. */
static void
mirror (Call * call, GstBuffer * buffer)
{
  GstTfrcRtpFields fields;
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  fail_unless (gst_tfrc_rtp_fields_parse (&fields, map.data, map.size));
  gst_buffer_unmap (buffer, &map);
  if (!call->mirrored)
    gst_tfrc_rtp_reception_init (&call->mirror, fields.ssrc, fields.seq,
        PAIR_CLOCK_RATE);
  call->mirrored = TRUE;
  gst_tfrc_rtp_reception_on_packet (&call->mirror, &fields, get_now (call));
}

static void
arrive_here (Call * call, const Flight * flight)
{
  GstTfrcSessionInput input;
  GstTfrcRtpFields fields;
  GstMapInfo map;
  guint bits;

  gst_buffer_map (flight->buffer, &map, GST_MAP_READ);
  if (flight->kind == RTCP_TO_US) {
    bits =
        gst_tfrc_unicast_session_on_rtcp (&call->session, map.data, map.size,
        &input, get_now (call));
    call->rtts += (bits & GST_TFRC_SESSION_RTT) != 0;
  } else {
    bits =
        gst_tfrc_unicast_session_on_rtp (&call->session, map.data, map.size,
        &fields, get_now (call));
  }
  gst_buffer_unmap (flight->buffer, &map);
  call->bits |= bits;
}

static void
arrive (Call * call, const Flight * flight)
{
  GstBuffer *buffer;

  switch (flight->kind) {
    case RTP_TO_PEER:
      mirror (call, flight->buffer);
      buffer = gst_buffer_copy (flight->buffer);
      GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = get_now (call);
      gst_harness_push (call->recv_rtp, buffer);
      while ((buffer = gst_harness_try_pull (call->recv_rtp)) != NULL)
        gst_buffer_unref (buffer);
      break;
    case RTCP_TO_PEER:
      gst_harness_push (call->rtcp, gst_buffer_ref (flight->buffer));
      break;
    default:
      arrive_here (call, flight);
  }
}

static void
deliver (Call * call)
{
  GList *item = call->flights;

  while (item != NULL) {
    GList *next = item->next;
    Flight *flight = item->data;

    if (flight->arrival <= call->ms) {
      call->flights = g_list_delete_link (call->flights, item);
      arrive (call, flight);
      flight_free (flight);
    }
    item = next;
  }
}

static void
send_media (Call * call)
{
  GstTfrcRtpFields fields = {
    .ssrc = OWN,
    .seq = call->seq,
    .rtptime = call->ms * 8,
    .payload_size = PAIR_PAYLOAD
  };
  GstBuffer *buffer;

  launch (call, RTP_TO_PEER, new_rtp (OWN, call->seq++, call->ms * 8,
          get_now (call)));
  gst_tfrc_unicast_session_on_sent (&call->session, &fields, get_now (call),
      get_now (call));
  gst_harness_push (call->send_rtp, new_rtp (PEER, call->peer_seq++,
          5000 + call->ms * 8, get_now (call)));
  while ((buffer = gst_harness_try_pull (call->send_rtp)) != NULL)
    launch (call, RTP_TO_US, buffer);
}

/* The peer's RTCP thread waits on the clock; what it makes is taken once it waits again. */
static void
run_peer (Call * call)
{
  GstClockID id, done;
  GstBuffer *buffer;

  for (;;) {
    gst_test_clock_wait_for_next_pending_id (call->clock, &id);
    if (gst_clock_id_get_time (id) > get_now (call))
      break;
    done = gst_test_clock_process_next_clock_id (call->clock);
    gst_clock_id_unref (done);
    gst_clock_id_unref (id);
  }
  gst_clock_id_unref (id);
  while ((buffer = gst_harness_try_pull (call->rtcp)) != NULL)
    launch (call, RTCP_TO_US, buffer);
}

static void
run_us (Call * call)
{
  if (gst_tfrc_unicast_session_next_rtcp (&call->session,
          FALSE) <= get_now (call))
    launch (call, RTCP_TO_PEER,
        gst_tfrc_unicast_session_make_rtcp (&call->session, NULL,
            get_now (call)));
}

static void
run (Call * call, guint seconds)
{
  for (guint until = call->ms + 1000 * seconds; call->ms < until; call->ms++) {
    gst_test_clock_set_time (call->clock, get_now (call));
    deliver (call);
    if (call->ms % 20 == 0)
      send_media (call);
    run_us (call);
    run_peer (call);
  }
}

/* The peer's RTCP packets that are on their way arrive. The time at which it sends the next one is
 * random, so that in one call of thirty a report is on its way when the call ends. */
static void
finish_rtcp_to_us (Call * call)
{
  for (GList * item = call->flights; item != NULL; item = item->next) {
    Flight *flight = item->data;

    if (flight->kind == RTCP_TO_US) {
      call->ms = flight->arrival;
      arrive (call, flight);
    }
  }
}

/* What the peer knows of us. */
static GstStructure *
get_peer_stats (Call * call, guint32 ssrc)
{
  GObject *source;
  GstStructure *stats;

  g_signal_emit_by_name (call->peer, "get-source-by-ssrc", ssrc, &source);
  fail_unless (source != NULL);
  g_object_get (source, "stats", &stats, NULL);
  g_object_unref (source);
  return stats;
}

static guint
get_uint (const GstStructure * stats, const gchar * name)
{
  guint value;

  if (!gst_structure_get_uint (stats, name, &value))
    fail ("no %s", name);
  return value;
}

static gint
get_int (const GstStructure * stats, const gchar * name)
{
  gint value;

  if (!gst_structure_get_int (stats, name, &value))
    fail ("no %s", name);
  return value;
}

static guint64
get_uint64 (const GstStructure * stats, const gchar * name)
{
  guint64 value;

  if (!gst_structure_get_uint64 (stats, name, &value))
    fail ("no %s", name);
  return value;
}

/* One call each: nothing lost, losses, losses with reordering. */
static const struct
{
  guint lose, jitter;
} calls[] = {
  {0, 0}, {8, 0}, {12, 55}
};

/* The peer's receiver and ours agree about the same packets to the last unit. */
GST_START_TEST (receivers_agree_about_the_same_packets)
{
  Call call;
  GstStructure *stats;

  begin (&call, calls[__i__].lose, calls[__i__].jitter);
  run (&call, 60);
  stats = get_peer_stats (&call, OWN);
  fail_unless_equals_uint64 (get_uint64 (stats, "packets-received"),
      call.mirror.received);
  fail_unless_equals_uint64 (get_uint64 (stats, "octets-received"),
      call.mirror.octets);
  fail_unless_equals_int (get_int (stats, "packets-lost"),
      gst_tfrc_rtp_reception_get_lost (&call.mirror));
  fail_unless_equals_int (get_uint (stats, "jitter"),
      gst_tfrc_rtp_reception_get_jitter (&call.mirror));
  if (calls[__i__].lose > 0)
    fail_unless_between (call.mirror.received,
        3000 - 1.3 * 3000 / calls[__i__].lose,
        3000 - 0.7 * 3000 / calls[__i__].lose);
  if (calls[__i__].jitter > 0)
    fail_unless_between (gst_tfrc_rtp_reception_get_jitter (&call.mirror),
        8 * 12, 8 * 30);
  gst_structure_free (stats);
  end (&call);
}

GST_END_TEST;

/* Its report block says of our packets what its receiver knows. */
GST_START_TEST (its_report_blocks_are_understood)
{
  Call call;
  GstTfrcUnicastSessionStats ours;
  GstStructure *stats;

  begin (&call, calls[__i__].lose, calls[__i__].jitter);
  run (&call, 60);
  finish_rtcp_to_us (&call);
  stats = get_peer_stats (&call, OWN);
  gst_tfrc_unicast_session_get_stats (&call.session, &ours);
  fail_unless_equals_int (ours.remote_ssrc, PEER);
  /* what it sent last */
  fail_unless_equals_int (call.session.block.fraction, get_uint (stats,
          "sent-rb-fractionlost"));
  fail_unless_equals_int (call.session.block.lost, get_int (stats,
          "sent-rb-packetslost"));
  fail_unless_equals_int (call.session.block.extended_max, get_uint (stats,
          "sent-rb-exthighestseq"));
  fail_unless_equals_int (call.session.block.jitter, get_uint (stats,
          "sent-rb-jitter"));
  fail_unless_between (call.rtts, 30, 90);
  fail_unless_between (ours.rtt, 59.9 * TFRC_MSEC, 60.1 * TFRC_MSEC);
  fail_unless_equals_uint64 (ours.counts.malformed, 0);
  fail_unless_equals_uint64 (ours.counts.strangers, 0);
  fail_unless (strchr (call.session.remote_cname, '@') != NULL);
  gst_structure_free (stats);
  end (&call);
}

GST_END_TEST;

/* And ours say of its packets what our receiver knows. */
GST_START_TEST (our_reports_are_understood)
{
  Call call;
  GstTfrcUnicastSessionStats ours;
  GstStructure *stats;
  gboolean have_rb, have_sr;

  begin (&call, calls[__i__].lose, calls[__i__].jitter);
  run (&call, 60);
  /* until a report of this moment has come through */
  launch (&call, RTCP_TO_PEER, gst_tfrc_unicast_session_make_bye (&call.session,
          get_now (&call)));
  gst_tfrc_unicast_session_get_stats (&call.session, &ours);
  call.ms += DELAY;
  gst_test_clock_set_time (call.clock, get_now (&call));
  for (GList * item = call.flights; item != NULL; item = item->next)
    if (((Flight *) item->data)->kind == RTCP_TO_PEER)
      arrive (&call, item->data);
  stats = get_peer_stats (&call, OWN);
  fail_unless (gst_structure_get_boolean (stats, "have-rb", &have_rb)
      && have_rb);
  fail_unless (gst_structure_get_boolean (stats, "have-sr", &have_sr)
      && have_sr);
  fail_unless_equals_int (get_int (stats, "rb-packetslost"), ours.lost);
  fail_unless_equals_int (get_uint (stats, "rb-jitter"),
      ours.jitter * 8 / TFRC_MSEC);
  fail_unless_equals_int (get_uint (stats, "rb-exthighestseq"),
      gst_tfrc_rtp_reception_get_extended_max (&call.session.data));
  if (calls[__i__].lose > 0)
    fail_unless_between (ours.lost, 0.7 * 3000 / calls[__i__].lose,
        1.3 * 3000 / calls[__i__].lose);
  /* 1/65536 s */
  fail_unless_between (get_uint (stats, "rb-round-trip"), 0.060 * 65536 - 3,
      0.060 * 65536 + 3);
  fail_unless_equals_uint64 (get_uint (stats, "sr-packet-count"),
      ours.packets_sent);
  fail_unless_equals_uint64 (get_uint (stats, "sr-octet-count"),
      ours.octets_sent);
  /* the wall clock of 60 s after the beginning, and the timestamp of that moment */
  fail_unless_equals_uint64 (get_uint64 (stats, "sr-ntptime"),
      gst_tfrc_ntp_from_time (3976214400 * TFRC_SEC + 60 * TFRC_SEC));
  fail_unless_equals_int (get_uint (stats, "sr-rtptime"), 61000 * 8);
  gst_structure_free (stats);
  end (&call);
}

GST_END_TEST;

/* With ntp-time-source=clock-time its NTP time is that of the test's clock. */
GST_START_TEST (its_packets_have_the_time_of_its_clock)
{
  Call call;
  guint64 time;

  begin (&call, 0, 0);
  run (&call, 20);
  fail_unless (gst_tfrc_unicast_session_get_sender_time (&call.session,
          5000 + 15000 * 8, &time));
  fail_unless_between (time, 15 * TFRC_SEC - 125 * TFRC_USEC,
      15 * TFRC_SEC + 125 * TFRC_USEC);
  end (&call);
}

GST_END_TEST;

static void
count_key_frame (gint * count)
{
  ++*count;
}

static GstPadProbeReturn
on_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  if (gst_event_has_name (GST_PAD_PROBE_INFO_EVENT (info), "GstForceKeyUnit"))
    count_key_frame (count);
  return GST_PAD_PROBE_OK;
}

/* PLI both ways: by the event that rtpsession makes of ours, and by its own. */
GST_START_TEST (key_frames_are_asked_for_both_ways)
{
  Call call;
  GstPad *pad;
  gint count = 0;

  begin (&call, 0, 0);
  run (&call, 10);
  pad = gst_element_get_static_pad (call.element, "send_rtp_sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_upstream,
      &count, NULL);
  gst_tfrc_unicast_session_request_key_frame (&call.session, get_now (&call));
  run (&call, 5);
  fail_unless_equals_int (count, 1);
  fail_if (call.bits & GST_TFRC_SESSION_KEY_FRAME);
  gst_harness_push_upstream_event (call.recv_rtp,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit", "ssrc", G_TYPE_UINT, OWN,
              "payload", G_TYPE_UINT, 0, NULL)));
  run (&call, 5);
  fail_unless (call.bits & GST_TFRC_SESSION_KEY_FRAME);
  fail_unless_equals_uint64 (call.session.counts.key_frames_asked, 1);
  gst_object_unref (pad);
  end (&call);
}

GST_END_TEST;

static Suite *
sessionpeer_suite (void)
{
  Suite *suite = suite_create ("sessionpeer");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, receivers_agree_about_the_same_packets, 0,
      G_N_ELEMENTS (calls));
  tcase_add_loop_test (tcase, its_report_blocks_are_understood, 0,
      G_N_ELEMENTS (calls));
  tcase_add_loop_test (tcase, our_reports_are_understood, 0,
      G_N_ELEMENTS (calls));
  tcase_add_test (tcase, its_packets_have_the_time_of_its_clock);
  tcase_add_test (tcase, key_frames_are_asked_for_both_ways);
  return suite;
}

GST_CHECK_MAIN (sessionpeer);
