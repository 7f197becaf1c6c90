/* gst-tfrc tests: RTP from RTCP, friend from stranger, one sender from the next
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/net/net.h>
#include <gst/rtp/rtp.h>

#include "rtcp/acceptedreceiver.h"
#include "transport/gsttfrcrtcpdemux.h"
#include "transport/gsttfrcssrcfilter.h"
#include "leaks.h"

GST_DEBUG_CATEGORY (tfrcbin_debug);

#define REPORT_SIZE 28

/* Receiver report, then TFRC's RTPFB packet; the latter alone is what a
 * reduced-size packet looks like. */
static const guint8 rr[8] = { 0x80, 201, 0, 1, 0x11, 0x11, 0x11, 0x11 };

static const guint8 rtpfb[REPORT_SIZE] = { 0x82, 205, 0, 6,
  0x11, 0x11, 0x11, 0x11, 0x22, 0x22, 0x22, 0x22,
};

typedef struct
{
  GstElement *demux;
  GstHarness *rtp, *rtcp;
} Rig;

static void
set_up (Rig * rig, gboolean encrypted)
{
  rig->demux = gst_tfrc_rtcp_demux_new ("demux", encrypted);
  rig->rtp = gst_harness_new_with_element (rig->demux, "sink", "rtp_src");
  rig->rtcp = gst_harness_new_with_element (rig->demux, NULL, "rtcp_src");
  gst_harness_set_src_caps_str (rig->rtp, "application/x-rtp");
}

static void
tear_down (Rig * rig)
{
  gst_harness_teardown (rig->rtcp);
  gst_harness_teardown (rig->rtp);
  gst_object_unref (rig->demux);
}

static GstBuffer *
from (GstBuffer * buffer, const gchar * host, guint port)
{
  GSocketAddress *address = g_inet_socket_address_new_from_string (host, port);

  gst_buffer_add_net_address_meta (buffer, address);
  g_object_unref (address);
  return buffer;
}

static GstBuffer *
new_buffer (const guint8 * data, gsize size)
{
  return size > 0 ? gst_buffer_new_memdup (data, size) : gst_buffer_new ();
}

static GstBuffer *
new_rtp (guint ssrc, guint seq, guint pt)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (20, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_payload_type (&rtp, pt);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static void
push_bytes (Rig * rig, const guint8 * data, gsize size)
{
  fail_unless_equals_int (gst_harness_push (rig->rtp,
          from (new_buffer (data, size), "192.0.2.1", 5004)), GST_FLOW_OK);
}

static void
check (Rig * rig, guint rtp, guint rtcp, guint malformed, guint foreign)
{
  GstTfrcRtcpDemuxStats stats;

  gst_tfrc_rtcp_demux_get_stats (GST_TFRC_RTCP_DEMUX (rig->demux), &stats);
  fail_unless_equals_int (gst_harness_buffers_received (rig->rtp), rtp);
  fail_unless_equals_int (gst_harness_buffers_received (rig->rtcp), rtcp);
  fail_unless_equals_uint64 (stats.malformed, malformed);
  fail_unless_equals_uint64 (stats.foreign, foreign);
}

GST_START_TEST (every_payload_type_byte_goes_where_rfc_5761_says)
{
  Rig rig;
  guint8 data[REPORT_SIZE] = { 0x80, };
  guint type, rtp = 0, rtcp = 0;

  set_up (&rig, TRUE);
  for (type = 0; type < 256; type++) {
    data[1] = type;
    push_bytes (&rig, data, sizeof (data));
    if (type >= 192 && type <= 223)
      rtcp++;
    else
      rtp++;
    check (&rig, rtp, rtcp, 0, 0);
  }
  fail_unless_equals_int (rtcp, 32);
  tear_down (&rig);
}

GST_END_TEST;

GST_START_TEST (a_reduced_size_report_is_rtcp)
{
  Rig rig;

  set_up (&rig, FALSE);
  push_bytes (&rig, rtpfb, sizeof (rtpfb));
  check (&rig, 0, 1, 0, 0);
  push_bytes (&rig, rr, sizeof (rr));
  check (&rig, 0, 2, 0, 0);
  tear_down (&rig);
}

GST_END_TEST;

/* As udpsrc hands over what is larger than its first memory, and in any other parts. */
GST_START_TEST (a_packet_in_parts_goes_where_the_whole_one_does)
{
  Rig rig;
  guint8 data[600] = { 0x90, 96,[15] = 40 }, liar[600] = { 0x90, 96,[15] = 200
  };
  guint i, cut;

  set_up (&rig, FALSE);
  for (i = 0, cut = 1; cut < sizeof data; i++, cut += 1 + cut / 3) {
    GstBuffer *buffer = new_buffer (data, cut);

    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL,
            sizeof data - cut, NULL));
    gst_buffer_fill (buffer, cut, data + cut, sizeof data - cut);
    fail_unless_equals_int (gst_harness_push (rig.rtp, buffer), GST_FLOW_OK);
    check (&rig, 2 * i + 1, 0, i, 0);
    buffer = gst_harness_pull (rig.rtp);
    fail_unless_equals_int (gst_buffer_memcmp (buffer, 0, data, sizeof data),
        0);
    gst_buffer_unref (buffer);
    buffer = gst_buffer_append (new_buffer (liar, cut), new_buffer (liar + cut,
            sizeof liar - cut));
    gst_harness_push (rig.rtp, buffer);
    push_bytes (&rig, data, sizeof data);
    check (&rig, 2 * i + 2, 0, i + 1, 0);
  }
  fail_unless (i > 10);
  tear_down (&rig);
}

GST_END_TEST;

GST_START_TEST (what_is_neither_is_counted_and_dropped)
{
  Rig rig;
  guint8 stun[20] = { 0, 1, }, version1[20] = { 0x40, 96, };
  guint8 extension[16] = { 0x90, 96,[14] = 0xff,[15] = 0xff };
  guint8 sources[20] = { 0x8f, 96, }, liar[REPORT_SIZE];
  guint n = 0;

  set_up (&rig, FALSE);
  push_bytes (&rig, stun, sizeof (stun));
  check (&rig, 0, 0, ++n, 0);
  push_bytes (&rig, version1, sizeof (version1));
  check (&rig, 0, 0, ++n, 0);
  /* An extension of 65535 words, fifteen contributing sources: beyond the end. */
  push_bytes (&rig, extension, sizeof (extension));
  check (&rig, 0, 0, ++n, 0);
  push_bytes (&rig, sources, sizeof (sources));
  check (&rig, 0, 0, ++n, 0);
  push_bytes (&rig, rtpfb, 7);
  check (&rig, 0, 0, ++n, 0);
  push_bytes (&rig, stun, 0);
  check (&rig, 0, 0, ++n, 0);
  /* RTCP whose length goes beyond the end, or ends too early. */
  memcpy (liar, rtpfb, sizeof (liar));
  liar[3] = 7;
  push_bytes (&rig, liar, sizeof (liar));
  check (&rig, 0, 0, ++n, 0);
  liar[3] = 5;
  push_bytes (&rig, liar, sizeof (liar));
  check (&rig, 0, 0, ++n, 0);
  tear_down (&rig);
}

GST_END_TEST;

GST_START_TEST (random_bytes_do_no_harm)
{
  Rig rig;
  GRand *random = g_rand_new_with_seed (5348);
  guint8 data[64];
  guint i, j, received;
  GstTfrcRtcpDemuxStats stats;

  set_up (&rig, FALSE);
  for (i = 0; i < 20000; i++) {
    guint size = g_rand_int_range (random, 0, sizeof (data));

    for (j = 0; j < size; j++)
      data[j] = g_rand_int (random);
    if (i % 2 == 0)
      data[0] = 0x80 | (data[0] & 0x3f);
    push_bytes (&rig, data, size);
  }
  gst_tfrc_rtcp_demux_get_stats (GST_TFRC_RTCP_DEMUX (rig.demux), &stats);
  received = gst_harness_buffers_received (rig.rtp) +
      gst_harness_buffers_received (rig.rtcp);
  fail_unless_equals_uint64 (received + stats.malformed, 20000);
  fail_unless (received > 1000 && stats.malformed > 1000);
  g_rand_free (random);
  tear_down (&rig);
}

GST_END_TEST;

static void
push_report (Rig * rig, const gchar * host, guint port)
{
  gst_harness_push (rig->rtp, from (gst_buffer_new_memdup (rtpfb,
              sizeof (rtpfb)), host, port));
}

static void
count_signal (GstTfrcRtcpDemux * demux, guint * count)
{
  (*count)++;
}

GST_START_TEST (rtcp_of_a_stranger_is_counted_and_dropped)
{
  Rig rig;
  guint moves = 0;
  GstTfrcRtcpDemux *demux;
  GSocketAddress *peer = g_inet_socket_address_new_from_string ("192.0.2.1",
      5004);
  GSocketAddress *last;

  set_up (&rig, FALSE);
  demux = GST_TFRC_RTCP_DEMUX (rig.demux);
  push_report (&rig, "198.51.100.1", 9);
  check (&rig, 0, 1, 0, 0);
  gst_tfrc_rtcp_demux_set_remote (demux, peer, TRUE);
  push_report (&rig, "192.0.2.1", 5004);
  check (&rig, 0, 2, 0, 0);
  push_report (&rig, "192.0.2.1", 5005);
  check (&rig, 0, 2, 0, 1);
  push_report (&rig, "192.0.2.2", 5004);
  check (&rig, 0, 2, 0, 2);
  push_report (&rig, "2001:db8::1", 5004);
  check (&rig, 0, 2, 0, 3);
  /* Without an address there is no knowing. */
  gst_harness_push (rig.rtp, gst_buffer_new_memdup (rtpfb, sizeof (rtpfb)));
  check (&rig, 0, 2, 0, 4);
  gst_tfrc_rtcp_demux_set_remote (demux, peer, FALSE);
  g_signal_connect (demux, "rtcp-address", G_CALLBACK (count_signal), &moves);
  push_report (&rig, "192.0.2.1", 5005);
  check (&rig, 0, 3, 0, 4);
  fail_unless_equals_int (moves, 1);
  last = gst_tfrc_rtcp_demux_get_rtcp_address (demux);
  fail_unless_equals_int (g_inet_socket_address_get_port
      (G_INET_SOCKET_ADDRESS (last)), 5005);
  /* RTP is for the session to judge. */
  gst_harness_push (rig.rtp, from (new_rtp (1, 1, 96), "192.0.2.2", 9));
  check (&rig, 1, 3, 0, 4);
  g_object_unref (last);
  g_object_unref (peer);
  tear_down (&rig);
}

GST_END_TEST;

static GstPadProbeReturn
fail_with (GstPad * pad, GstPadProbeInfo * info, gpointer ret)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GPOINTER_TO_INT (ret);
  return GST_PAD_PROBE_HANDLED;
}

static void
check_failure (GstFlowReturn ret, GstFlowReturn heard)
{
  Rig rig;
  GstTfrcRtcpDemuxStats stats;
  gulong probes[2];

  set_up (&rig, FALSE);
  probes[0] = gst_pad_add_probe (rig.rtp->sinkpad, GST_PAD_PROBE_TYPE_BUFFER,
      fail_with, GINT_TO_POINTER (ret), NULL);
  probes[1] = gst_pad_add_probe (rig.rtcp->sinkpad, GST_PAD_PROBE_TYPE_BUFFER,
      fail_with, GINT_TO_POINTER (ret), NULL);
  fail_unless_equals_int (gst_harness_push (rig.rtp, new_rtp (1, 1, 96)),
      heard);
  fail_unless_equals_int (gst_harness_push (rig.rtp, gst_buffer_new_memdup
          (rtpfb, sizeof (rtpfb))), heard);
  gst_tfrc_rtcp_demux_get_stats (GST_TFRC_RTCP_DEMUX (rig.demux), &stats);
  fail_unless_equals_uint64 (stats.refused, heard == GST_FLOW_OK ? 2 : 0);
  gst_pad_remove_probe (rig.rtp->sinkpad, probes[0]);
  gst_pad_remove_probe (rig.rtcp->sinkpad, probes[1]);
  push_bytes (&rig, rtpfb, sizeof (rtpfb));
  check (&rig, 0, 1, 0, 0);
  tear_down (&rig);
}

GST_START_TEST (the_socket_hears_of_the_end_and_of_no_failure)
{
  check_failure (GST_FLOW_NOT_LINKED, GST_FLOW_OK);
  check_failure (GST_FLOW_NOT_NEGOTIATED, GST_FLOW_OK);
  check_failure (GST_FLOW_ERROR, GST_FLOW_OK);
  check_failure (GST_FLOW_NOT_SUPPORTED, GST_FLOW_OK);
  check_failure (GST_FLOW_EOS, GST_FLOW_EOS);
  check_failure (GST_FLOW_FLUSHING, GST_FLOW_FLUSHING);
}

GST_END_TEST;

/* One sender after the other. */

typedef struct
{
  GstHarness *harness;
  GstTfrcSsrcFilter *follow;
  guint sources, changes, last_port;
} Chase;

static void
on_source (GstTfrcSsrcFilter * follow, guint ssrc, GSocketAddress * address,
    gboolean changed, Chase * chase)
{
  chase->sources++;
  chase->changes += changed;
  chase->last_port = g_inet_socket_address_get_port
      (G_INET_SOCKET_ADDRESS (address));
}

static void
start_chase (Chase * chase, const gchar * caps_string)
{
  GstElement *element = gst_tfrc_ssrc_filter_new ("ssrc-filter");
  GstCaps *caps = gst_caps_from_string (caps_string);

  memset (chase, 0, sizeof (*chase));
  chase->follow = GST_TFRC_SSRC_FILTER (element);
  gst_tfrc_ssrc_filter_set_caps (chase->follow, caps);
  gst_caps_unref (caps);
  chase->harness = gst_harness_new_with_element (element, "sink", "src");
  g_signal_connect (element, "source", G_CALLBACK (on_source), chase);
  gst_harness_set_src_caps_str (chase->harness, "application/x-rtp");
}

static void
end_chase (Chase * chase)
{
  gst_harness_teardown (chase->harness);
  gst_object_unref (chase->follow);
}

/* TRUE when the packet passed. */
static gboolean
chase_packet (Chase * chase, guint ssrc, guint port, guint pt, guint ms)
{
  guint before = gst_harness_buffers_received (chase->harness);
  GstBuffer *buffer = from (new_rtp (ssrc, ms, pt), "192.0.2.1", port);

  GST_BUFFER_PTS (buffer) = ms * GST_MSECOND;
  fail_unless_equals_int (gst_harness_push (chase->harness, buffer),
      GST_FLOW_OK);
  return gst_harness_buffers_received (chase->harness) > before;
}

#define OPUS "application/x-rtp,media=audio,encoding-name=OPUS," \
    "clock-rate=48000,payload=96"

GST_START_TEST (one_sender_is_followed_until_it_is_silent)
{
  Chase chase;
  guint ms;

  start_chase (&chase, OPUS);
  for (ms = 0; ms <= 1000; ms += 20) {
    fail_unless (chase_packet (&chase, 1, 5004, 96, ms));
    fail_if (chase_packet (&chase, 2, 6004, 96, ms));
  }
  fail_unless_equals_int (chase.sources, 1);
  fail_unless_equals_int (chase.changes, 0);
  fail_if (chase_packet (&chase, 2, 6004, 96, 1499));
  fail_unless (chase_packet (&chase, 2, 6004, 96, 1500));
  fail_unless_equals_int (chase.changes, 1);
  fail_unless_equals_int (chase.last_port, 6004);
  /* The one that was left has no claim any more. */
  fail_if (chase_packet (&chase, 1, 5004, 96, 1502));
  end_chase (&chase);
}

GST_END_TEST;

GST_START_TEST (bye_makes_way_at_once)
{
  Chase chase;
  GstTfrcSsrcFilterStats stats;

  start_chase (&chase, OPUS);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 0));
  fail_if (gst_tfrc_ssrc_filter_bye (chase.follow, 7));
  fail_if (chase_packet (&chase, 2, 5004, 96, 10));
  fail_unless (gst_tfrc_ssrc_filter_bye (chase.follow, 1));
  fail_unless (chase_packet (&chase, 2, 5004, 96, 20));
  gst_tfrc_ssrc_filter_get_stats (chase.follow, &stats);
  fail_unless_equals_int (stats.ssrc, 2);
  fail_unless_equals_uint64 (stats.changes, 1);
  fail_unless_equals_uint64 (stats.others, 1);
  end_chase (&chase);
}

GST_END_TEST;

GST_START_TEST (a_bye_that_is_not_true_changes_nothing)
{
  Chase chase;

  start_chase (&chase, OPUS);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 0));
  gst_tfrc_ssrc_filter_bye (chase.follow, 1);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 20));
  fail_if (chase_packet (&chase, 2, 5004, 96, 30));
  end_chase (&chase);
}

GST_END_TEST;

GST_START_TEST (a_sender_that_moves_is_announced_and_kept)
{
  Chase chase;

  start_chase (&chase, OPUS);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 0));
  fail_unless (chase_packet (&chase, 1, 5004, 96, 20));
  fail_unless_equals_int (chase.sources, 1);
  fail_unless (chase_packet (&chase, 1, 5040, 96, 40));
  fail_unless_equals_int (chase.sources, 2);
  fail_unless_equals_int (chase.changes, 0);
  fail_unless_equals_int (chase.last_port, 5040);
  end_chase (&chase);
}

GST_END_TEST;

static void
check_encoding (Chase * chase, const gchar * encoding, gint rate)
{
  GstCaps *caps = gst_pad_get_current_caps (chase->harness->sinkpad);
  GstStructure *s = gst_caps_get_structure (caps, 0);
  gint clock_rate;

  fail_unless_equals_string (gst_structure_get_string (s, "encoding-name"),
      encoding);
  fail_unless (gst_structure_get_int (s, "clock-rate", &clock_rate));
  fail_unless_equals_int (clock_rate, rate);
  gst_caps_unref (caps);
}

GST_START_TEST (each_payload_type_has_its_caps)
{
  Chase chase;
  GstTfrcSsrcFilterStats stats;

  start_chase (&chase, OPUS "; application/x-rtp,media=audio,"
      "encoding-name=SPEEX,clock-rate=16000,payload=97");
  fail_unless (chase_packet (&chase, 1, 5004, 97, 0));
  check_encoding (&chase, "SPEEX", 16000);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 20));
  check_encoding (&chase, "OPUS", 48000);
  /* RFC 3551: static payload types need no word. */
  fail_unless (chase_packet (&chase, 1, 5004, 9, 40));
  check_encoding (&chase, "G722", 8000);

  fail_if (chase_packet (&chase, 1, 5004, 98, 60));
  gst_tfrc_ssrc_filter_get_stats (chase.follow, &stats);
  fail_unless_equals_uint64 (stats.unknown_payload, 1);
  end_chase (&chase);
}

GST_END_TEST;

GST_START_TEST (caps_without_a_payload_type_are_for_all_others)
{
  Chase chase;

  start_chase (&chase, OPUS "; application/x-rtp,media=audio,"
      "encoding-name=L16,clock-rate=44100");
  fail_unless (chase_packet (&chase, 1, 5004, 120, 0));
  check_encoding (&chase, "L16", 44100);
  fail_unless (chase_packet (&chase, 1, 5004, 96, 0));
  check_encoding (&chase, "OPUS", 48000);
  end_chase (&chase);
}

GST_END_TEST;

GST_START_TEST (what_downstream_does_not_take_is_dropped_and_nobody_followed)
{
  Chase chase;
  GstTfrcSsrcFilterStats stats;

  start_chase (&chase, OPUS);
  gst_harness_set_sink_caps_str (chase.harness, OPUS);
  /* JPEG, RFC 3551 */
  fail_if (chase_packet (&chase, 1, 5004, 26, 0));
  fail_unless_equals_int (chase.sources, 0);
  fail_unless (chase_packet (&chase, 2, 5006, 96, 1));
  /* nor does it end a sender's silence of half a second for another's sake */
  fail_if (chase_packet (&chase, 1, 5004, 26, 600));
  fail_unless (chase_packet (&chase, 2, 5006, 96, 601));
  /* but the sender's own does */
  fail_if (chase_packet (&chase, 2, 5006, 26, 1000));
  fail_if (chase_packet (&chase, 3, 5008, 96, 1400));
  gst_tfrc_ssrc_filter_get_stats (chase.follow, &stats);
  fail_unless_equals_uint64 (stats.unknown_payload, 3);
  fail_unless_equals_uint64 (stats.others, 1);
  fail_unless_equals_uint64 (stats.changes, 0);
  end_chase (&chase);
}

GST_END_TEST;

/* How many times the next warning says that it has happened; 0: there is none. */
static guint64
pop_warning (GstBus * bus, gint code)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  const GstStructure *details = NULL;
  GError *error = NULL;
  guint64 count;

  if (message == NULL)
    return 0;
  gst_message_parse_warning (message, &error, NULL);
  gst_message_parse_warning_details (message, &details);
  fail_unless (g_error_matches (error, GST_STREAM_ERROR, code));
  fail_unless (gst_structure_get_uint64 (details, "count", &count));
  g_error_free (error);
  gst_message_unref (message);
  return count;
}

/* Each kind once in ten seconds, with its count. */
static void
check_unknown (Chase * chase, GstBus * bus, guint pt, gint code)
{
  guint i;

  for (i = 0; i < 100; i++)
    fail_if (chase_packet (chase, 1, 5004, pt, i));
  fail_unless_equals_uint64 (pop_warning (bus, code), 1);
  fail_unless_equals_uint64 (pop_warning (bus, code), 0);
}

GST_START_TEST (unknown_payload_types_are_few_warnings_with_a_count)
{
  Chase chase;
  GstBus *bus = gst_bus_new ();

  start_chase (&chase, OPUS);
  gst_harness_use_testclock (chase.harness);
  gst_element_set_bus (chase.harness->element, bus);
  gst_harness_set_sink_caps_str (chase.harness, OPUS);
  check_unknown (&chase, bus, 26, GST_STREAM_ERROR_WRONG_TYPE);
  check_unknown (&chase, bus, 98, GST_STREAM_ERROR_FORMAT);
  gst_harness_set_time (chase.harness, 10 * GST_SECOND);
  fail_if (chase_packet (&chase, 1, 5004, 98, 0));
  fail_unless_equals_uint64 (pop_warning (bus, GST_STREAM_ERROR_FORMAT), 100);
  gst_element_set_bus (chase.harness->element, NULL);
  gst_object_unref (bus);
  end_chase (&chase);
}

GST_END_TEST;

static GstPadProbeReturn
count_questions (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (info)) ==
      GST_QUERY_ACCEPT_CAPS && info->type & GST_PAD_PROBE_TYPE_PUSH)
    (*(guint *) count)++;
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (downstream_is_asked_once_and_again_when_it_changes)
{
  Chase chase;
  guint i, questions = 0;

  start_chase (&chase, OPUS);
  gst_harness_set_sink_caps_str (chase.harness, OPUS);
  gst_pad_add_probe (chase.harness->sinkpad,
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, count_questions, &questions, NULL);
  for (i = 0; i < 1000; i++)
    fail_if (chase_packet (&chase, 1, 5004, 26, i));
  fail_unless_equals_int (questions, 1);
  gst_harness_set_sink_caps_str (chase.harness,
      "application/x-rtp,encoding-name=JPEG");
  fail_unless (chase_packet (&chase, 1, 5004, 26, 1000));
  fail_if (chase_packet (&chase, 1, 5004, 96, 1001));
  end_chase (&chase);
}

GST_END_TEST;

/* A receiver that hides losses. */

GST_START_TEST (a_receiver_that_counts_losses_and_reports_none_is_doubted)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = 100 * GST_MSECOND;
  GstClockTime now = GST_SECOND;
  guint i;

  fail_if (gst_tfrc_loss_cross_check_check (&audit, 10, 0, R, now));
  /* Ten more in the next second; a second later p is still 0. */
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R,
          now + 500 * GST_MSECOND));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
          GST_SECOND));
  fail_unless (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
          GST_SECOND));
  /* No new ones: nothing to hold against it. */
  for (i = 0; i < 5; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 20, 0, R, now +=
            GST_SECOND));
}

GST_END_TEST;

GST_START_TEST (a_receiver_that_reports_its_losses_is_believed)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = 100 * GST_MSECOND;
  GstClockTime now = GST_SECOND;
  guint i;

  /* The report of the first loss comes after that of RTCP. */
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 0, 0, R, now));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now +=
          GST_SECOND));
  for (i = 2; i < 20; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 5 * i, 0.05, R,
            now += GST_SECOND));
  /* Two late packets are not lost ones. */
  audit.running = audit.suspicious = FALSE;
  for (i = 0; i < 5; i++)
    fail_if (gst_tfrc_loss_cross_check_check (&audit, 2 * i, 0, R,
            now += GST_SECOND));
}

GST_END_TEST;

GST_START_TEST (a_long_path_has_four_round_trips_to_report)
{
  GstTfrcLossCrossCheck audit = { FALSE, };
  const GstClockTime R = GST_SECOND;
  GstClockTime now = GST_SECOND;

  fail_if (gst_tfrc_loss_cross_check_check (&audit, 0, 0, R, now));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 4 * R));
  fail_if (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 8 * R - 1));
  fail_unless (gst_tfrc_loss_cross_check_check (&audit, 5, 0, R, now + 8 * R));
}

GST_END_TEST;

static Suite *
demux_suite (void)
{
  Suite *suite = suite_create ("demux");
  TCase *tcase = tcase_create ("general");

  GST_DEBUG_CATEGORY_INIT (tfrcbin_debug, "tfrcbin", 0, "tests");
  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, every_payload_type_byte_goes_where_rfc_5761_says);
  tcase_add_test (tcase, a_reduced_size_report_is_rtcp);
  tcase_add_test (tcase, a_packet_in_parts_goes_where_the_whole_one_does);
  tcase_add_test (tcase, what_is_neither_is_counted_and_dropped);
  tcase_add_test (tcase, random_bytes_do_no_harm);
  tcase_add_test (tcase, rtcp_of_a_stranger_is_counted_and_dropped);
  tcase_add_test (tcase, the_socket_hears_of_the_end_and_of_no_failure);
  tcase_add_test (tcase, one_sender_is_followed_until_it_is_silent);
  tcase_add_test (tcase, bye_makes_way_at_once);
  tcase_add_test (tcase, a_bye_that_is_not_true_changes_nothing);
  tcase_add_test (tcase, a_sender_that_moves_is_announced_and_kept);
  tcase_add_test (tcase, each_payload_type_has_its_caps);
  tcase_add_test (tcase, caps_without_a_payload_type_are_for_all_others);
  tcase_add_test (tcase,
      what_downstream_does_not_take_is_dropped_and_nobody_followed);
  tcase_add_test (tcase, unknown_payload_types_are_few_warnings_with_a_count);
  tcase_add_test (tcase, downstream_is_asked_once_and_again_when_it_changes);
  tcase_add_test (tcase,
      a_receiver_that_counts_losses_and_reports_none_is_doubted);
  tcase_add_test (tcase, a_receiver_that_reports_its_losses_is_believed);
  tcase_add_test (tcase, a_long_path_has_four_round_trips_to_report);
  return suite;
}

GST_CHECK_MAIN (demux);
