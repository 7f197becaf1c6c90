/* gst-tfrc tests: packets from anybody to tfrcsrc, which goes on
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#include "call.h"

#define IPV4 G_SOCKET_FAMILY_IPV4

#define OPUS_ONLY "caps=application/x-rtp,media=audio,encoding-name=OPUS," \
    "clock-rate=48000,payload=96"

/* Static payload types (RFC 3551) that rtpopusdepay does not take. */
static const guint foreign[] = { 0, 13, 25, 26, 31, 33, 34 };

static GSocket *
open_socket (void)
{
  GSocket *socket = g_socket_new (IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  fail_unless (socket != NULL);
  return socket;
}

/* Three packets of a sender of that SSRC. */
static void
send_rtp (GSocket * socket, Call * call, guint ssrc, guint pt)
{
  GSocketAddress *to;
  guint8 packet[172] = { 0x80, pt };
  guint i, port;

  g_object_get (call->src, "local-port", &port, NULL);
  to = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  for (i = 0; i < 3; i++) {
    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 4, 160 * i);
    fail_unless (g_socket_send_to (socket, to, (gchar *) packet,
            sizeof (packet), NULL, NULL) == sizeof (packet));
  }
  g_object_unref (to);
}

/* Until so many packets were dropped for their payload type; an error ends the wait. */
static void
wait_unknown (Call * call, guint n)
{
  while (call_get_stat (call->src, "packets-unknown-payload") < n) {
    call_check_no_error (call->receiver);
    g_usleep (5 * G_TIME_SPAN_MILLISECOND);
  }
  call_check_no_error (call->receiver);
}

static guint
get_source_changes (Call * call)
{
  return call_get_stat (call->src, "source-changes");
}

static void
check_idle (const gchar * args, guint pt)
{
  Call call = { NULL, };
  GSocket *socket = open_socket ();

  call_start_receiver (&call, args, FALSE, IPV4);
  send_rtp (socket, &call, 0x51515151, pt);
  wait_unknown (&call, 3);
  /* the sender of what cannot be used has not taken anybody's place */
  fail_unless_equals_uint64 (call_get_stat (call.src, "ssrc"), 0);
  call_start_sender (&call, "", NULL);
  call_play (&call, 25);
  fail_unless_equals_int (get_source_changes (&call), 0);
  call_end (&call);
  g_object_unref (socket);
}

GST_START_TEST (what_downstream_does_not_take_stops_no_idle_receiver)
{
  check_idle ("", foreign[__i__]);
  check_idle (OPUS_ONLY, foreign[__i__]);
}

GST_END_TEST;

GST_START_TEST (what_downstream_does_not_take_ends_no_silent_call)
{
  Call call = { NULL, };
  GSocket *socket = open_socket ();
  RelayRules rules = {.block = TRUE };

  call_start_receiver (&call, OPUS_ONLY, TRUE, IPV4);
  call_start_sender (&call, "", NULL);
  call_play (&call, 25);
  relay_set_rules (call.relay, RELAY_FORTH, &rules);
  g_usleep (700 * G_TIME_SPAN_MILLISECOND);
  send_rtp (socket, &call, 0x51515151, foreign[__i__]);
  wait_unknown (&call, 3);
  rules.block = FALSE;
  relay_set_rules (call.relay, RELAY_FORTH, &rules);
  call_play (&call, 25);
  fail_unless_equals_int (get_source_changes (&call), 0);
  call_end (&call);
  g_object_unref (socket);
}

GST_END_TEST;

/* What tfrcdecodebin says that it takes: audio, of any kind. */
GST_START_TEST (what_tfrcdecodebin_does_not_take_stops_no_idle_receiver)
{
  Call call = { NULL, };
  GSocket *socket = open_socket ();
  guint i;

  call.receiver = gst_parse_launch ("tfrcsrc name=src port=0 ! tfrcdecodebin ! "
      "fakesink name=out sync=false async=false", NULL);
  call.src = gst_bin_get_by_name (GST_BIN (call.receiver), "src");
  gst_element_set_state (call.receiver, GST_STATE_PLAYING);
  for (i = 2; i < G_N_ELEMENTS (foreign); i++) {
    send_rtp (socket, &call, i, foreign[i]);
    wait_unknown (&call, 3 * (i - 1));
  }
  gst_element_set_state (call.receiver, GST_STATE_NULL);
  gst_object_unref (call.src);
  gst_object_unref (call.receiver);
  g_object_unref (socket);
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

static GstPad *
get_next_pad (Call * call)
{
  GstPad *pad = gst_element_get_static_pad (call->src, "src");
  GstPad *next = gst_pad_get_peer (pad);

  gst_object_unref (pad);
  return next;
}

GST_START_TEST (packets_that_downstream_refuses_are_counted_and_the_next_play)
{
  Call call = { NULL, };
  Refusal refusal = { failures[__i__], 0 };
  GstMessage *message;
  GstPad *next;

  call_start_receiver (&call, OPUS_ONLY, FALSE, IPV4);
  next = get_next_pad (&call);
  gst_pad_add_probe (next, GST_PAD_PROBE_TYPE_BUFFER, refuse, &refusal, NULL);
  gst_object_unref (next);
  call_start_sender (&call, "", NULL);
  call_play (&call, 10);
  fail_unless_equals_uint64 (call_get_stat (call.src, "packets-refused"), 0);
  g_atomic_int_set (&refusal.left, 5);
  message = call_wait_message (call.receiver, GST_MESSAGE_WARNING);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (call.src));
  gst_message_unref (message);
  call_wait_stat (call.src, "packets-refused", 5);
  call_play (&call, 25);
  fail_unless_equals_uint64 (call_get_stat (call.src, "packets-refused"), 5);
  call_end (&call);
}

GST_END_TEST;

/* Another element takes the place of the one that took Opus, and gives it back. */
GST_START_TEST (downstream_that_changes_is_asked_again)
{
  Call call = { NULL, };
  GstElement *other = gst_element_factory_make ("rtpvp8depay", NULL);
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *src, *next, *pad;

  call_start_receiver (&call, OPUS_ONLY, FALSE, IPV4);
  call_start_sender (&call, "", NULL);
  call_play (&call, 10);
  g_object_set (sink, "async", FALSE, NULL);
  gst_bin_add_many (GST_BIN (call.receiver), other, sink, NULL);
  gst_element_link (other, sink);
  gst_element_sync_state_with_parent (sink);
  gst_element_sync_state_with_parent (other);
  src = gst_element_get_static_pad (call.src, "src");
  next = gst_pad_get_peer (src);
  pad = gst_element_get_static_pad (other, "sink");
  gst_pad_unlink (src, next);
  call_wait_stat (call.src, "packets-refused", 3);
  /* as when the refusal comes from further down */
  fail_unless_equals_int (gst_pad_link_full (src, pad,
          GST_PAD_LINK_CHECK_NOTHING), GST_PAD_LINK_OK);
  wait_unknown (&call, 3);
  gst_pad_unlink (src, pad);
  fail_unless_equals_int (gst_pad_link (src, next), GST_PAD_LINK_OK);
  call_play (&call, 25);
  gst_object_unref (pad);
  gst_object_unref (next);
  gst_object_unref (src);
  call_end (&call);
}

GST_END_TEST;

/* Who fails says so itself; udpsrc must not say it again, which would look like a fault
 * of the network. */
GST_START_TEST (a_failure_downstream_is_no_error_of_the_socket)
{
  Call call = { NULL, };
  Refusal refusal = { GST_FLOW_ERROR, 0 };
  GstPad *next;
  guint64 refused;

  call_start_receiver (&call, OPUS_ONLY, FALSE, IPV4);
  next = get_next_pad (&call);
  gst_pad_add_probe (next, GST_PAD_PROBE_TYPE_BUFFER, refuse, &refusal, NULL);
  call_start_sender (&call, "", NULL);
  call_play (&call, 10);
  g_atomic_int_set (&refusal.left, 1);
  call_wait_stat (call.src, "packets-refused", 3);
  refused = call_get_stat (call.src, "packets-refused");
  call_wait_stat (call.src, "packets-refused", refused + 10);
  gst_object_unref (next);
  call_end (&call);
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
  return s;
}

GST_CHECK_MAIN (strangers);
