/* gst-tfrc tests: what report blocks say of the data, as the owner of the data is told
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The RTCP packet and the statistics of its source come as from an RTP session. The time is a variable of the test: a
 * definition of gst_util_get_timestamp() in a program goes before the one of GStreamer. */
#include <gst/check/gstcheck.h>
#include <gst/rtp/gstrtcpbuffer.h>

#include "leaks.h"
#include "rtcp/datasenderrtcpprivate.h"

#define OWN_SSRC 0x22222222u
#define OTHER_SSRC 0x33333333u
#define PEER_SSRC 0x11111111u
#define STRANGER_SSRC 0x55555555u
#define RTT (100 * GST_MSECOND)
#define RTT_UNITS (65536 / 10)  /* of the statistics */
#define SILENCE (10 * GST_SECOND)       /* after which the blocks of another SSRC count */

static GstClockTime now;

GstClockTime
gst_util_get_timestamp (void)
{
  return now;
}

/* --- the source of the session --- */

typedef struct
{
  GObject parent;
  guint ssrc;
  GstStructure *stats;
} Source;

typedef GObjectClass SourceClass;

static GType source_get_type (void);

G_DEFINE_TYPE (Source, source, G_TYPE_OBJECT);

enum
{
  PROP_0,
  PROP_SSRC,
  PROP_STATS
};

static void
source_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * spec)
{
  if (id == PROP_SSRC)
    g_value_set_uint (value, ((Source *) object)->ssrc);
  else
    g_value_set_boxed (value, ((Source *) object)->stats);
}

static void
source_finalize (GObject * object)
{
  gst_structure_free (((Source *) object)->stats);
  G_OBJECT_CLASS (source_parent_class)->finalize (object);
}

static void
source_class_init (SourceClass * klass)
{
  klass->get_property = source_get_property;
  klass->finalize = source_finalize;
  g_object_class_install_property (klass, PROP_SSRC,
      g_param_spec_uint ("ssrc", "ssrc", "ssrc", 0, G_MAXUINT, 0,
          G_PARAM_READABLE));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "stats", "stats", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE));
}

static void
source_init (Source * self)
{
  self->stats = gst_structure_new_empty ("application/x-rtp-source-stats");
}

/* --- the owner --- */

static GstElement *owner;
static GstTfrcDataSenderRtcp *rtcp;
static GstTfrcReceiverReport told[4];
static guint n_told;

static gboolean
on_report (GstElement * element, guint32 media_ssrc, const TfrcReport * report,
    gboolean is_new_receiver)
{
  fail ("there is no report");
  return FALSE;
}

static void
on_receiver_report (GstElement * element, const GstTfrcReceiverReport * report)
{
  fail_unless (element == owner);
  fail_unless (n_told < G_N_ELEMENTS (told));
  told[n_told++] = *report;
}

static void
set_up (void)
{
  static const GstTfrcDataSenderRtcpHandlers handlers =
      { on_report, on_receiver_report, NULL };
  GstTfrcRtcpConfig config = { .H = 40, .fmt = 2 };

  leaks_begin ();
  now = 1000 * GST_SECOND;
  n_told = 0;
  owner = gst_object_ref_sink (gst_bin_new ("owner"));
  rtcp = gst_tfrc_data_sender_rtcp_new (owner, &config, &handlers);
  gst_tfrc_data_sender_rtcp_add_media (rtcp, OWN_SSRC);
}

static void
tear_down (void)
{
  gst_tfrc_attached_session_unref (rtcp);
  gst_object_unref (owner);
  leaks_end ();
}

/* An RR, or with `sends` an SR, of `from`, with a block about each of the SSRCs. */
static void
receive_blocks (guint32 from, gboolean sends, const guint32 * ssrcs, guint n,
    gint lost)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer map = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint i;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &map);
  gst_rtcp_buffer_add_packet (&map, sends ? GST_RTCP_TYPE_SR : GST_RTCP_TYPE_RR,
      &packet);
  if (sends)
    gst_rtcp_packet_sr_set_sender_info (&packet, from, 0, 0, 0, 0);
  else
    gst_rtcp_packet_rr_set_ssrc (&packet, from);
  for (i = 0; i < n; i++)
    gst_rtcp_packet_add_rb (&packet, ssrcs[i], 25, lost, 70000 + i, 480, 0, 0);
  gst_rtcp_buffer_add_packet (&map, GST_RTCP_TYPE_SDES, &packet);
  gst_rtcp_buffer_unmap (&map);
  gst_tfrc_data_sender_rtcp_on_receiving (NULL, buffer, rtcp);
  gst_buffer_unref (buffer);
}

/* The session has read a packet of `ssrc`, whose last block was about `about` (0: there was none). Returns how many
 * reports the owner has got. */
static guint
read_source (guint32 ssrc, guint32 about)
{
  Source *source = g_object_new (source_get_type (), NULL);

  source->ssrc = ssrc;
  if (about != 0)
    gst_structure_set (source->stats, "rb-ssrc", G_TYPE_UINT, about,
        "rb-round-trip", G_TYPE_UINT, RTT_UNITS, NULL);
  n_told = 0;
  gst_tfrc_data_sender_rtcp_on_active (NULL, G_OBJECT (source), rtcp);
  g_object_unref (source);
  return n_told;
}

static void
receive_block (guint32 from, gint lost)
{
  static const guint32 ssrc = OWN_SSRC;

  receive_blocks (from, FALSE, &ssrc, 1, lost);
}

/* --- tests --- */

GST_START_TEST (a_block_is_handed_on_once)
{
  static const guint32 ssrc = OWN_SSRC;
  gboolean sends = __i__;

  receive_blocks (PEER_SSRC, sends, &ssrc, 1, 7);
  fail_unless_equals_int (read_source (PEER_SSRC, OWN_SSRC), 1);
  fail_unless (told[0].has_block);
  fail_unless_equals_int (told[0].media_ssrc, OWN_SSRC);
  fail_unless_equals_int (told[0].lost, 7);
  fail_unless_equals_int (told[0].fraction, 25);
  fail_unless_equals_int (told[0].highest, 70000);
  fail_unless_equals_int (told[0].jitter, 480);
  fail_unless (told[0].rtt > RTT - GST_MSECOND / 10 && told[0].rtt <= RTT);
  fail_unless (gst_tfrc_data_sender_rtcp_get_loss (rtcp, OTHER_SSRC) == -1);
  /* it was a sign of life, and has no block any more */
  fail_unless_equals_int (read_source (PEER_SSRC, OWN_SSRC), 1);
  fail_if (told[0].has_block);
  fail_unless_equals_uint64 (told[0].rtt, 0);
}

GST_END_TEST;

/* The session has the round-trip time of the last block alone. */
GST_START_TEST (each_block_has_the_round_trip_time_of_its_own)
{
  static const guint32 ssrcs[] = { OWN_SSRC, OTHER_SSRC, STRANGER_SSRC };

  gst_tfrc_data_sender_rtcp_add_media (rtcp, OTHER_SSRC);
  receive_blocks (PEER_SSRC, FALSE, ssrcs, 3, 0);
  fail_unless_equals_int (read_source (PEER_SSRC, OTHER_SSRC), 2);
  fail_unless_equals_int (told[0].media_ssrc, OWN_SSRC);
  fail_unless_equals_int (told[0].highest, 70000);
  fail_unless_equals_uint64 (told[0].rtt, 0);
  fail_unless_equals_int (told[1].media_ssrc, OTHER_SSRC);
  fail_unless_equals_int (told[1].highest, 70001);
  fail_unless (told[1].rtt > 0);
  receive_blocks (PEER_SSRC, FALSE, ssrcs, 3, 0);
  read_source (PEER_SSRC, 0);
  fail_unless_equals_uint64 (told[0].rtt, 0);
  fail_unless_equals_uint64 (told[1].rtt, 0);
}

GST_END_TEST;

GST_START_TEST (a_block_is_told_with_the_packet_of_its_sender)
{
  receive_block (PEER_SSRC, 0);
  fail_unless_equals_int (read_source (STRANGER_SSRC, 0), 1);
  fail_if (told[0].has_block);
  fail_unless_equals_int (read_source (PEER_SSRC, OWN_SSRC), 1);
  fail_unless (told[0].has_block);
}

GST_END_TEST;

GST_START_TEST (one_ssrc_counts_until_it_is_silent)
{
  receive_block (PEER_SSRC, 1);
  read_source (PEER_SSRC, OWN_SSRC);
  now += SILENCE;
  receive_block (STRANGER_SSRC, 1000);
  fail_unless_equals_int (read_source (STRANGER_SSRC, OWN_SSRC), 1);
  fail_if (told[0].has_block);
  now += 1;
  receive_block (STRANGER_SSRC, 1000);
  fail_unless_equals_int (read_source (STRANGER_SSRC, OWN_SSRC), 1);
  fail_unless (told[0].has_block);
  fail_unless_equals_int (told[0].lost, 1000);
}

GST_END_TEST;

GST_START_TEST (each_block_is_a_sign_of_life)
{
  receive_block (PEER_SSRC, 1);
  now += SILENCE;
  receive_block (PEER_SSRC, 1);
  now += SILENCE;
  receive_block (STRANGER_SSRC, 1000);
  read_source (STRANGER_SSRC, OWN_SSRC);
  fail_if (told[0].has_block);
}

GST_END_TEST;

GST_START_TEST (nothing_is_told_of_an_owner_that_has_gone)
{
  receive_block (PEER_SSRC, 0);
  gst_object_unref (owner);
  fail_unless_equals_int (read_source (PEER_SSRC, OWN_SSRC), 0);
  owner = gst_object_ref_sink (gst_bin_new ("next"));
}

GST_END_TEST;

static Suite *
datasenderreportblocks_suite (void)
{
  Suite *s = suite_create ("datasenderreportblocks");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_loop_test (tc, a_block_is_handed_on_once, 0, 2);
  tcase_add_test (tc, each_block_has_the_round_trip_time_of_its_own);
  tcase_add_test (tc, a_block_is_told_with_the_packet_of_its_sender);
  tcase_add_test (tc, one_ssrc_counts_until_it_is_silent);
  tcase_add_test (tc, each_block_is_a_sign_of_life);
  tcase_add_test (tc, nothing_is_told_of_an_owner_that_has_gone);
  return s;
}

GST_CHECK_MAIN (datasenderreportblocks);
