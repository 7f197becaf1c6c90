/* gst-tfrc tests: copies of packets, which restore what was lost
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <string.h>

#include "voice.h"
#include "leaks.h"

static Voice v;
static GstHarness *far;
static guint lost_packets;

/* What a jitter buffer says of a packet that it gave up on. */
static GstEvent *
new_lost_event (GstBuffer * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint seqnum;

  fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
  seqnum = gst_rtp_buffer_get_seq (&rtp);
  gst_rtp_buffer_unmap (&rtp);
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new ("GstRTPPacketLost", "seqnum", G_TYPE_UINT, seqnum,
          "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (packet),
          "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (packet),
          "might-have-been-fec", G_TYPE_BOOLEAN, FALSE, NULL));
}

static GstBuffer *
renumber (GstBuffer * packet, guint less)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  packet = gst_buffer_make_writable (packet);
  gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_seq (&rtp, gst_rtp_buffer_get_seq (&rtp) - less);
  gst_rtp_buffer_unmap (&rtp);
  return packet;
}

/* Hands on what was sent; `pattern`, of characters '.', 'x' (lost) and 'd' (dropped by
 * the sender, before it had a sequence number), repeats. As a jitter buffer has it, the
 * packet after a lost one is marked. */
static void
deliver (const gchar * pattern)
{
  GstBuffer *packet;
  guint i = 0, n = strlen (pattern), dropped = 0;
  gboolean gap = FALSE;

  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    gchar fate = pattern[i++ % n];

    if (fate == 'd') {
      lost_packets++;
      dropped++;
      gst_buffer_unref (packet);
    } else if (fate == 'x') {
      lost_packets++;
      packet = renumber (packet, dropped);
      gst_harness_push_event (far, new_lost_event (packet));
      gst_buffer_unref (packet);
      gap = TRUE;
    } else {
      packet = renumber (packet, dropped);
      if (gap)
        GST_BUFFER_FLAG_SET (packet, GST_BUFFER_FLAG_DISCONT);
      gap = FALSE;
      fail_unless_equals_int (gst_harness_push (far, packet), GST_FLOW_OK);
    }
  }
}

static guint64
get_far_stat (const gchar * name)
{
  GstStructure *stats;
  guint64 value = 0;

  g_object_get (far->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

static void
check_repair (const gchar * line, const gchar * pattern, gboolean repaired)
{
  guint64 recovered, lost;
  gdouble worst;

  voice_start (&v, line);
  far = far_start ();
  lost_packets = 0;
  v.tone = TRUE;
  v.rate.allowance.p = 0.1;
  v.rate.allowance.X_wire = v.rate.allowance.X = 40000;
  voice_run (&v, 10);
  deliver (".");
  voice_run (&v, 6);
  deliver (pattern);
  recovered = get_far_stat ("recovered");
  lost = get_far_stat ("lost");
  worst = far_hear (far, 11, 16, QUIETEST);
  if (repaired) {
    /* after the very last none may have come */
    fail_unless (recovered >= lost_packets - 1 && recovered <= lost_packets);
    fail_unless_equals_uint64 (lost, 0);
    fail_unless (worst < 0.05, "%.3f of the sound is no tone", worst);
  } else {
    fail_unless_equals_uint64 (recovered, 0);
    fail_unless_equals_uint64 (lost, lost_packets);
  }
  fail_unless (lost_packets > 20);
  gst_harness_teardown (far);
  voice_stop (&v);
}

GST_START_TEST (copies_restore_every_single_loss)
{
  check_repair ("tfrcencodebin inband-fec=false copy-distance=0", "...x..x.",
      TRUE);
}

GST_END_TEST;

GST_START_TEST (copies_restore_what_the_sender_dropped)
{
  check_repair ("tfrcencodebin inband-fec=false copy-distance=0",
      "...d..x..d.d.", TRUE);
}

GST_END_TEST;

GST_START_TEST (two_copies_restore_two_losses_in_a_row)
{
  voice_start (&v, "tfrcencodebin inband-fec=false ptime=20000000");
  v.rate.allowance.p = 0.25;
  v.rate.allowance.X_wire = v.rate.allowance.X = 60000;
  voice_run (&v, 10);
  fail_unless_equals_int (voice_get_uint (&v, "current-redundancy"), 2);
  voice_stop (&v);
}

GST_END_TEST;

/* RFC 2198 3: ms from a packet back to the n-th block in it. */
static guint
get_offset (GstBuffer * packet, guint n)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *header;
  guint offset;

  fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
  header = (guint8 *) gst_rtp_buffer_get_payload (&rtp) + 4 * n;
  fail_unless (header[0] & 0x80);
  offset = (header[1] << 8 | header[2]) >> 2;
  gst_rtp_buffer_unmap (&rtp);
  return offset / 48;
}

static void
check_distance (const gchar * line, guint oldest, guint newest)
{
  GstBuffer *packet, *last = NULL;

  voice_start (&v, line);
  v.rate.allowance.p = 0.25;
  v.rate.allowance.X_wire = v.rate.allowance.X = 60000;
  voice_run (&v, 10);
  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    gst_clear_buffer (&last);
    last = packet;
  }
  fail_unless_equals_int (get_offset (last, 0), oldest);
  fail_unless_equals_int (get_offset (last, 1), newest);
  gst_buffer_unref (last);
  voice_stop (&v);
}

GST_START_TEST (copies_travel_80_ms_apart_or_as_the_user_says)
{
  const gchar *line = "tfrcencodebin inband-fec=false ptime=%u000000 "
      "copy-distance=%u000000";
  static const guint cases[][4] = { {20, 80, 160, 80}, {20, 0, 40, 20},
  {40, 80, 160, 80}, {60, 80, 120, 60}, {20, 50, 80, 40}
  };
  guint i;

  check_distance ("tfrcencodebin inband-fec=false ptime=20000000", 160, 80);
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *text = g_strdup_printf (line, cases[i][0], cases[i][1]);

    check_distance (text, cases[i][2], cases[i][3]);
    g_free (text);
  }
}

GST_END_TEST;

GST_START_TEST (without_copies_losses_are_left_to_the_decoder)
{
  check_repair ("tfrcencodebin inband-fec=false redundancy=0", "...x..x.",
      FALSE);
}

GST_END_TEST;

/* Of no codec that anybody knows. */
#define UNKNOWN_PT 127

/* Says so of the packet itself; or, with `own`, of what is in it behind the copies,
 * RFC 2198 3. */
static GstBuffer *
spoil (GstBuffer * packet, gboolean own)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *header;

  packet = gst_buffer_make_writable (packet);
  fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp));
  if (own) {
    header = gst_rtp_buffer_get_payload (&rtp);
    fail_unless (*header & 0x80);
    while (*header & 0x80)
      header += 4;
    *header = UNKNOWN_PT;
  } else {
    gst_rtp_buffer_set_payload_type (&rtp, UNKNOWN_PT);
  }
  gst_rtp_buffer_unmap (&rtp);
  return packet;
}

GST_START_TEST (a_packet_that_no_decoder_takes_is_counted_once)
{
  GstBuffer *packet;
  guint n = 0;

  voice_start (&v, "tfrcencodebin inband-fec=false ptime=20000000");
  far = far_start ();
  v.rate.allowance.p = 0.25;
  v.rate.allowance.X_wire = v.rate.allowance.X = 60000;
  voice_run (&v, 10);
  deliver (".");
  fail_unless_equals_uint64 (get_far_stat ("unknown"), 0);
  voice_run (&v, 1);
  while ((packet = gst_harness_try_pull (v.h)) != NULL) {
    packet = spoil (packet, n++ % 2 == 0);
    fail_unless_equals_int (gst_harness_push (far, packet), GST_FLOW_OK);
    fail_unless_equals_uint64 (get_far_stat ("unknown"), n);
  }
  fail_unless (n >= 45);
  gst_harness_teardown (far);
  voice_stop (&v);
}

GST_END_TEST;

static Suite *
copies_suite (void)
{
  Suite *s = suite_create ("copies");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, leaks_begin, leaks_end);
  tcase_add_test (tc, copies_restore_every_single_loss);
  tcase_add_test (tc, copies_restore_what_the_sender_dropped);
  tcase_add_test (tc, two_copies_restore_two_losses_in_a_row);
  tcase_add_test (tc, copies_travel_80_ms_apart_or_as_the_user_says);
  tcase_add_test (tc, without_copies_losses_are_left_to_the_decoder);
  tcase_add_test (tc, a_packet_that_no_decoder_takes_is_counted_once);
  return s;
}

GST_CHECK_MAIN (copies);
