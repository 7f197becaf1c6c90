/* gst-tfrc tests: packets from anybody to tfrcsrc, which goes on
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "ends.h"

#define DEPAY "tfrcsrc name=src port=0 ! rtpopusdepay name=out"
#define OPUS_ONLY "tfrcsrc name=src port=0 caps=application/x-rtp,media=audio," \
    "encoding-name=OPUS,clock-rate=48000,payload=96 ! rtpopusdepay name=out"
#define DECODE "tfrcsrc name=src port=0 ! tfrcdecodebin name=out"

/* Packets in half a second. */
#define HALF 25

/* Static payload types (RFC 3551) that rtpopusdepay does not take. */
static const guint foreign[] = { 0, 13, 25, 26, 31, 33, 34 };

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static void
tear_down (void)
{
  net_stop ();
}

/* Three packets of a sender of that SSRC. */
static void
send_rtp (guint from, guint ssrc, guint pt)
{
  guint8 packet[172] = { 0x80, pt };
  guint i;

  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  for (i = 0; i < 3; i++) {
    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 4, 160 * i);
    net_send (from, ends.port, packet, sizeof (packet));
  }
}

static void
check_no_error (void)
{
  GstMessage *message = ends_pop (ends.receiver, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message != NULL)
    gst_message_parse_error (message, &error, NULL);
  fail_unless (message == NULL, "%s", error != NULL ? error->message : "");
}

static void
expect_unknown (guint64 n)
{
  check_no_error ();
  fail_unless_equals_uint64 (ends_get_stat (ends.src,
          "packets-unknown-payload"), n);
}

static guint64
get_refused (void)
{
  return ends_get_stat (ends.src, "packets-refused");
}

static void
expect_no_other_source (void)
{
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"), 0);
}

static void
check_idle (const gchar * receiver, guint pt)
{
  set_up ();
  ends_start_receiver (&ends, receiver);
  send_rtp (net_open (0), 0x51515151, pt);
  net_run (100 * GST_MSECOND);
  expect_unknown (3);
  /* the sender of what cannot be used has not taken anybody's place */
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), 0);
  ends_start_sender (&ends, "");
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF);
  expect_no_other_source ();
  ends_stop (&ends);
  tear_down ();
}

GST_START_TEST (what_downstream_does_not_take_stops_no_idle_receiver)
{
  check_idle (DEPAY, foreign[__i__]);
  check_idle (OPUS_ONLY, foreign[__i__]);
}

GST_END_TEST;

/* A call that has found its rate. */
static void
start_call (void)
{
  set_up ();
  ends_start_receiver (&ends, OPUS_ONLY);
  ends_start_sender (&ends, "");
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF);
}

static void
end_call (void)
{
  ends_stop (&ends);
  tear_down ();
}

GST_START_TEST (what_downstream_does_not_take_ends_no_silent_call)
{
  NetRules rules = { .block = TRUE };

  start_call ();
  net_set_rules (ends.port, &rules);
  ends_play (&ends, 700 * GST_MSECOND);
  send_rtp (net_open (0), 0x51515151, foreign[__i__]);
  ends_play (&ends, 100 * GST_MSECOND);
  expect_unknown (3);
  rules.block = FALSE;
  net_set_rules (ends.port, &rules);
  /* what waited in the pacing queue has departed after 4 s at most */
  ends_play (&ends, 5 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF);
  expect_no_other_source ();
  end_call ();
}

GST_END_TEST;

/* What tfrcdecodebin says that it takes: audio, of any kind. */
GST_START_TEST (what_tfrcdecodebin_does_not_take_stops_no_idle_receiver)
{
  guint i;

  set_up ();
  ends_start_receiver (&ends, DECODE);
  for (i = 2; i < G_N_ELEMENTS (foreign); i++) {
    send_rtp (net_open (0), i, foreign[i]);
    net_run (600 * GST_MSECOND);
    expect_unknown (3 * (i - 1));
  }
  end_call ();
}

GST_END_TEST;

static const GstFlowReturn failures[] = { GST_FLOW_NOT_NEGOTIATED,
  GST_FLOW_NOT_LINKED
};

typedef struct
{
  GstFlowReturn ret;
  gint left;                    /* packets to refuse, atomic */
} Refusal;

static GstPadProbeReturn
refuse (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Refusal *refusal = data;

  if (g_atomic_int_get (&refusal->left) == 0)
    return GST_PAD_PROBE_OK;
  g_atomic_int_add (&refusal->left, -1);
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = refusal->ret;
  return GST_PAD_PROBE_HANDLED;
}

/* The pad that tfrcsrc is linked to; the caller's. */
static GstPad *
get_next_pad (void)
{
  GstPad *pad = gst_element_get_static_pad (ends.src, "src");
  GstPad *next = gst_pad_get_peer (pad);

  gst_object_unref (pad);
  return next;
}

GST_START_TEST (packets_that_downstream_refuses_are_counted_and_the_next_play)
{
  Refusal refusal = { failures[__i__], 0 };
  GstMessage *message;
  GstPad *next;

  start_call ();
  next = get_next_pad ();
  gst_pad_add_probe (next, GST_PAD_PROBE_TYPE_BUFFER, refuse, &refusal, NULL);
  fail_unless_equals_uint64 (get_refused (), 0);
  g_atomic_int_set (&refusal.left, 5);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF - 5);
  message = ends_pop (ends.receiver, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (ends.src));
  gst_message_unref (message);
  fail_unless_equals_uint64 (get_refused (), 5);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF);
  fail_unless_equals_uint64 (get_refused (), 5);
  gst_object_unref (next);
  end_call ();
}

GST_END_TEST;

/* Another element takes the place of the one that took Opus, and gives it back. */
GST_START_TEST (downstream_that_changes_is_asked_again)
{
  GstElement *other = gst_element_factory_make ("rtpvp8depay", NULL);
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *src, *next, *pad;
  guint64 unknown;

  start_call ();
  g_object_set (sink, "async", FALSE, "sync", FALSE, NULL);
  gst_bin_add_many (GST_BIN (ends.receiver), other, sink, NULL);
  gst_element_link (other, sink);
  gst_element_sync_state_with_parent (sink);
  gst_element_sync_state_with_parent (other);
  src = gst_element_get_static_pad (ends.src, "src");
  next = gst_pad_get_peer (src);
  pad = gst_element_get_static_pad (other, "sink");
  gst_pad_unlink (src, next);
  ends_play (&ends, 200 * GST_MSECOND);
  fail_unless (get_refused () >= 3);
  /* as when the refusal comes from further down */
  fail_unless_equals_int (gst_pad_link_full (src, pad,
          GST_PAD_LINK_CHECK_NOTHING), GST_PAD_LINK_OK);
  unknown = ends_get_stat (ends.src, "packets-unknown-payload");
  ends_play (&ends, 200 * GST_MSECOND);
  fail_unless (ends_get_stat (ends.src, "packets-unknown-payload") >=
      unknown + 3);
  gst_pad_unlink (src, pad);
  fail_unless_equals_int (gst_pad_link (src, next), GST_PAD_LINK_OK);
  /* what was not handed on looks lost to TFRC */
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND / 2), HALF);
  gst_object_unref (pad);
  gst_object_unref (next);
  gst_object_unref (src);
  end_call ();
}

GST_END_TEST;

/* Who fails says so itself; udpsrc must not say it again, which would look like a fault
 * of the network. */
GST_START_TEST (a_failure_downstream_is_no_error_of_the_socket)
{
  Refusal refusal = { GST_FLOW_ERROR, 0 };
  GstPad *next;

  start_call ();
  next = get_next_pad ();
  gst_pad_add_probe (next, GST_PAD_PROBE_TYPE_BUFFER, refuse, &refusal, NULL);
  g_atomic_int_set (&refusal.left, 1);
  ends_play (&ends, GST_SECOND / 2);
  fail_unless (get_refused () >= HALF - 2, "%" G_GUINT64_FORMAT,
      get_refused ());
  check_no_error ();
  gst_object_unref (next);
  end_call ();
}

GST_END_TEST;

/* --- the playout buffer --- */

/* The last RTP packet that went to the receiver, with another sequence number and timestamp, is
 * sent again by the sender. */
static void
send_again (GPtrArray * packets, guint seq_offset, guint rtptime_offset)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (packets->pdata[packets->len - 1],
      &size);
  guint8 *copy = g_memdup2 (data, size);

  GST_WRITE_UINT16_BE (copy + 2, GST_READ_UINT16_BE (copy + 2) + seq_offset);
  GST_WRITE_UINT32_BE (copy + 4,
      GST_READ_UINT32_BE (copy + 4) + rtptime_offset);
  net_send (ends_get_port (ends.sink), ends.port, copy, size);
  net_run (2 * NET_DELAY);
  g_free (copy);
}

static void
expect_playout (guint64 late, guint64 dropped)
{
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "playout-late"), late);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "playout-dropped"),
      dropped);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "playout-blocked"), 0);
}

GST_START_TEST (what_comes_late_or_jumps_is_in_the_statistics)
{
  GPtrArray *packets;

  start_call ();
  net_run (GST_SECOND / 5);
  expect_playout (0, 0);
  packets = net_take (ends.port);
  send_again (packets, 0, 0);
  expect_playout (1, 0);
  send_again (packets, 1, 100 * 48000);
  expect_playout (1, 1);
  g_ptr_array_unref (packets);
  end_call ();
}

GST_END_TEST;

static GstPadProbeReturn
keep_blocked (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_OK;
}

/* The last packet is held up, 200 wait behind it, and the others are dropped. */
GST_START_TEST (what_downstream_holds_up_is_in_the_statistics)
{
  gulong probe;
  guint64 blocked;
  guint played;

  start_call ();
  probe = gst_pad_add_probe (ends.out,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, keep_blocked, NULL,
      NULL);
  fail_unless_equals_int (ends_play (&ends, 6 * GST_SECOND), 0);
  blocked = ends_get_stat (ends.src, "playout-blocked");
  fail_unless (blocked >= 300 - 201 - 10 && blocked <= 300 - 201,
      "%" G_GUINT64_FORMAT, blocked);
  played = ends.played;
  gst_pad_remove_probe (ends.out, probe);
  ends_play (&ends, GST_SECOND / 2);
  fail_unless (ends.played >= played + 200 + HALF, "%u packets",
      ends.played - played);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "playout-blocked"),
      blocked);
  end_call ();
}

GST_END_TEST;

static Suite *
strangers_suite (void)
{
  Suite *s = suite_create ("strangers");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, what_downstream_does_not_take_stops_no_idle_receiver,
      0, G_N_ELEMENTS (foreign));
  tcase_add_loop_test (tc, what_downstream_does_not_take_ends_no_silent_call,
      0, G_N_ELEMENTS (foreign));
  tcase_add_test (tc, what_tfrcdecodebin_does_not_take_stops_no_idle_receiver);
  tcase_add_loop_test (tc,
      packets_that_downstream_refuses_are_counted_and_the_next_play, 0,
      G_N_ELEMENTS (failures));
  tcase_add_test (tc, downstream_that_changes_is_asked_again);
  tcase_add_test (tc, a_failure_downstream_is_no_error_of_the_socket);
  tcase_add_test (tc, what_comes_late_or_jumps_is_in_the_statistics);
  tcase_add_test (tc, what_downstream_holds_up_is_in_the_statistics);
  return s;
}

GST_CHECK_MAIN (strangers);
