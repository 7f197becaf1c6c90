/* gst-tfrc tests: what a call logs, at each level
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "ends.h"

#define SP "mode=tfrc-sp"
#define SECONDS 10

static const gchar *const level_names[GST_LEVEL_COUNT] = {
  [GST_LEVEL_ERROR] = "ERROR",
  [GST_LEVEL_WARNING] = "WARNING",
  [GST_LEVEL_FIXME] = "FIXME",
  [GST_LEVEL_INFO] = "INFO",
  [GST_LEVEL_DEBUG] = "DEBUG",
  [GST_LEVEL_LOG] = "LOG",
};

/* Lines, each as "LEVEL CATEGORY MESSAGE\n"; threads append. */
static GMutex lock;
static GString *lines;
static guint n[GST_LEVEL_COUNT];
static gchar *misplaced;        /* the first line of this plugin whose category is not the plugin's */

static void
add_line (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer unused)
{
  const gchar *name = gst_debug_category_get_name (category);

  g_mutex_lock (&lock);
  if (strstr (name, "tfrc") != NULL) {
    n[level]++;
    g_string_append_printf (lines, "%s %s %s\n", level_names[level], name,
        gst_debug_message_get (message));
  } else if (strstr (file, "gst/tfrc/") != NULL && misplaced == NULL) {
    misplaced = g_strdup_printf ("%s: %s %s", file, name,
        gst_debug_message_get (message));
  }
  g_mutex_unlock (&lock);
}

static void
set_up (void)
{
  net_start ();
  lines = g_string_new (NULL);
  memset (n, 0, sizeof n);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (add_line, NULL, NULL);
  gst_debug_set_active (TRUE);
}

static void
tear_down (void)
{
  gst_debug_set_active (FALSE);
  gst_debug_remove_log_function (add_line);
  g_string_free (lines, TRUE);
  g_clear_pointer (&misplaced, g_free);
  net_stop ();
}

/* Whether the parts follow each other in one line. */
static gboolean
has_line (const gchar * first, const gchar * second)
{
  gchar **all = g_strsplit (lines->str, "\n", -1), **line;
  gboolean found = FALSE;

  for (line = all; *line != NULL && !found; line++) {
    const gchar *at = strstr (*line, first);

    found = at != NULL && strstr (at, second) != NULL;
  }
  g_strfreev (all);
  return found;
}

#define EXPECT(first, second) \
    fail_unless (has_line (first, second), "no line with %s ... %s", first, second)

static guint
get_lines (GstDebugLevel from, GstDebugLevel to)
{
  guint level, sum = 0;

  g_mutex_lock (&lock);
  for (level = from; level <= to; level++)
    sum += n[level];
  g_mutex_unlock (&lock);
  return sum;
}

/* INFO tells of the ports, the mode, the remote, the encoder's choice with its reason and the decoder; DEBUG of each
 * report at both ends and of each change of the rate. No packet has a line of its own. */
GST_START_TEST (a_call_tells_its_story)
{
  Ends ends = { .source = ends_make_sound, .caps = ENDS_SOUND };
  guint info, debug;

  gst_debug_set_threshold_from_string ("*:4,*tfrc*:5", TRUE);
  ends_start_receiver (&ends, "tfrcsrc name=src ! tfrcdecodebin name=out");
  ends_start_sender (&ends, "tfrcencodebin name=encoder ! tfrcsink name=sink");
  ends_play (&ends, SECONDS * GST_SECOND);
  info = get_lines (GST_LEVEL_ERROR, GST_LEVEL_INFO);
  debug = get_lines (GST_LEVEL_DEBUG, GST_LEVEL_DEBUG);
  ends_stop (&ends);

  EXPECT ("INFO tfrcsink sending RTP to 127.0.0.1", "port");
  EXPECT ("INFO tfrcend opened UDP port", "not encrypted");
  EXPECT ("INFO tfrctfrccaps mode auto", "the caps");
  EXPECT ("INFO tfrcpeersrcpad peer 0 is ", "connected");
  EXPECT ("INFO tfrcencodebin OPUS", "the settings are new");
  EXPECT ("INFO tfrcencodebin OPUS", "it is rated better");
  EXPECT ("INFO tfrcdecodebin packets from", "OPUS");
  EXPECT ("DEBUG tfrcpeer peer 0 at 127.0.0.1", "connection connected");
  EXPECT ("DEBUG tfrcpeersend peer 0: report to it: t_i ", "bytes/s, p 0");
  EXPECT ("DEBUG tfrcunicastfeedbackin", "report: t_i ");
  EXPECT ("DEBUG tfrcunicastfeedbackin",
      "the remote data receiver has mode tfrc-sp");
  EXPECT ("DEBUG tfrcpeerrun peer 0: report: ", "bit/s, X ");
  fail_if (has_line ("LOG ", ""));
  fail_unless (misplaced == NULL, "%s", misplaced);
  fail_unless (info > 10 && info < 100, "%u", info);
  fail_unless (debug > 50 && debug < 500 * SECONDS / 2, "%u", debug);
}

GST_END_TEST;

/* Each packet has a line with its sequence number at LOG, at either end. */
GST_START_TEST (each_packet_is_in_the_log_once)
{
  Ends ends = { NULL };
  guint before, packets;

  ends_start_call (&ends, SP, SP);
  gst_debug_set_threshold_from_string ("tfrcpeersend:6", TRUE);
  before = get_lines (GST_LEVEL_LOG, GST_LEVEL_LOG);
  ends_play (&ends, GST_SECOND);
  packets = get_lines (GST_LEVEL_LOG, GST_LEVEL_LOG) - before;
  EXPECT ("LOG tfrcpeersend peer 0: sending #", "bytes");
  EXPECT ("LOG tfrcpeersend peer 0: sending RTCP", "bytes");
  fail_unless (packets >= ENDS_FULL && packets < 2 * ENDS_FULL, "%u", packets);
  gst_debug_set_threshold_from_string ("tfrcpeerreceive:6", TRUE);
  before = get_lines (GST_LEVEL_LOG, GST_LEVEL_LOG);
  ends_play (&ends, GST_SECOND);
  packets = get_lines (GST_LEVEL_LOG, GST_LEVEL_LOG) - before;
  EXPECT ("LOG tfrcpeerreceive peer 0: #", "arrived");
  fail_unless_equals_int (packets, ENDS_FULL);
  ends_stop (&ends);
}

GST_END_TEST;

/* An RTP packet from the address of the sender. */
static void
send_forged (Ends * ends, guint32 ssrc, guint16 seq, guint32 rtptime)
{
  guint8 packet[32] = { 0x80, 96, };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, rtptime);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  net_send (ends_get_port (ends->sink), ends->port, packet, sizeof packet);
}

/* Ten thousand packets that jump, belong to others or are no packets add less than ten lines at INFO and above. */
GST_START_TEST (what_others_send_does_not_fill_the_log)
{
  Ends ends = { NULL };
  guint other = net_open (0), before, after, i;
  guint32 ssrc;

  ends_start_call (&ends, SP, SP);
  ssrc = ends_get_stat (ends.src, "ssrc");
  gst_debug_set_threshold_from_string ("*tfrc*:4", TRUE);
  before = get_lines (GST_LEVEL_ERROR, GST_LEVEL_INFO);
  for (i = 0; i < 2500; i++) {
    send_forged (&ends, ssrc, 30000 + i, i / 4 * 100000000);
    send_forged (&ends, i + 1, i, i);
    net_send (other, ends.port, "\x80\xc8\x00", 3);
    net_send (other, ends.port, "\x80\x60\x00\x01\x00\x00\x00\x00what", 12);
    if (i % 25 == 0)
      ends_play (&ends, ENDS_FRAME);
  }
  after = get_lines (GST_LEVEL_ERROR, GST_LEVEL_INFO);
  fail_unless (after - before < 10, "%u lines", after - before);
  ends_stop (&ends);
}

GST_END_TEST;

static Suite *
logs_suite (void)
{
  Suite *s = suite_create ("logs");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, a_call_tells_its_story);
  tcase_add_test (tc, each_packet_is_in_the_log_once);
  tcase_add_test (tc, what_others_send_does_not_fill_the_log);
  return s;
}

GST_CHECK_MAIN (logs);
