/* gst-tfrc tests: calls from tfrcsink to tfrcsrc with DTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "ends.h"
#include "settle.h"

#define PORT 5000               /* of tfrcsrc */
#define SINK_PORT 5002
#define OTHER_PORT 5004         /* of a stranger, or of a sender that was restarted */
#define OTHER "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:" \
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"
#define KEY_30 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

static Ends ends;
static gchar *folder, *sink_pem, *src_pem, *sink_print, *src_print;

/* The fingerprint of a certificate, which is made. It can be read in READY. */
static gchar *
make_certificate (const gchar * factory, const gchar * pem)
{
  GstElement *end = gst_element_factory_make (factory, NULL);
  gchar *fingerprint;

  g_object_set (end, "dtls", TRUE, "certificate", pem, "port", PORT, NULL);
  fail_unless_equals_int (gst_element_set_state (end, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  g_object_get (end, "fingerprint", &fingerprint, NULL);
  fail_unless_equals_int (strlen (fingerprint), 95);
  gst_element_set_state (end, GST_STATE_NULL);
  gst_object_unref (end);
  return fingerprint;
}

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof ends);
  folder = g_dir_make_tmp ("tfrc-XXXXXX", NULL);
  sink_pem = g_build_filename (folder, "sink.pem", NULL);
  src_pem = g_build_filename (folder, "src.pem", NULL);
  sink_print = make_certificate ("tfrcsink", sink_pem);
  src_print = make_certificate ("tfrcsrc", src_pem);
}

static void
tear_down (void)
{
  net_stop ();
  remove (sink_pem);
  remove (src_pem);
  remove (folder);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&sink_pem, g_free);
  g_clear_pointer (&src_pem, g_free);
  g_clear_pointer (&sink_print, g_free);
  g_clear_pointer (&src_print, g_free);
}

static void
start_receiver (const gchar * fingerprint)
{
  gchar *line = g_strdup_printf ("port=%u dtls=true certificate=%s "
      "peer-fingerprint=%s", PORT, src_pem, fingerprint);

  ends_start_receiver (&ends, line);
  g_free (line);
}

static void
start_sender (Ends * end, guint bind_port, const gchar * pem,
    const gchar * fingerprint)
{
  gchar *line = g_strdup_printf ("port=%u bind-port=%u dtls=true %s%s "
      "peer-fingerprint=%s", PORT, bind_port, pem != NULL ? "certificate=" : "",
      pem != NULL ? pem : "", fingerprint);

  ends_start_sender (end, line);
  g_free (line);
}

static void
start_call (void)
{
  start_receiver (sink_print);
  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
}

static gchar *
get_stat_text (GstElement * end, const gchar * name)
{
  GstStructure *stats;
  gchar *text;

  g_object_get (end, "stats", &stats, NULL);
  text = g_strdup (gst_structure_get_string (stats, name));
  gst_structure_free (stats);
  return text;
}

/* The text of the first warning; NULL: there is none. */
static gchar *
take_warning (GstElement * pipeline)
{
  GstMessage *message = ends_pop (pipeline, GST_MESSAGE_WARNING);
  GError *error = NULL;
  gchar *text;

  if (message == NULL)
    return NULL;
  gst_message_parse_warning (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return text;
}

static gboolean
is_dtls (GBytes * datagram)
{
  const guint8 *data = g_bytes_get_data (datagram, NULL);

  return data[0] >= 20 && data[0] <= 63;
}

/* How many of what was sent to a port are not of DTLS. */
static guint
count_media (guint port)
{
  GPtrArray *sent = net_take (port);
  guint i, media = 0;

  for (i = 0; i < sent->len; i++)
    media += !is_dtls (sent->pdata[i]);
  g_ptr_array_unref (sent);
  return media;
}

static void
expect_remote (const gchar * expected)
{
  gchar *remote;

  g_object_get (ends.src, "remote-address", &remote, NULL);
  fail_unless_equals_string (remote, expected);
  g_free (remote);
}

static void
send_all (GPtrArray * recorded, guint from, guint to)
{
  guint i;

  for (i = 0; i < recorded->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (recorded->pdata[i], &size);

    net_send (from, to, data, size);
    net_run (GST_MSECOND);
  }
  net_run (2 * NET_DELAY);
}

/* --- calls --- */

static void
check_end (GstElement * pipeline, GstElement * end, const gchar * other)
{
  GstMessage *message;
  const GstStructure *s;
  gchar *told = get_stat_text (end, "fingerprint");

  fail_unless_equals_string (told, other);
  g_free (told);
  fail_unless_equals_uint64 (ends_get_stat (end, "handshakes"), 1);
  fail_unless_equals_uint64 (ends_get_stat (end, "handshakes-failed"), 0);
  fail_unless_equals_uint64 (ends_get_stat (end, "srtp-failures"), 0);
  fail_unless (take_warning (pipeline) == NULL);
  do {
    message = ends_pop (pipeline, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL);
    s = gst_message_get_structure (message);
    if (gst_structure_has_name (s, "application/x-tfrc-peer"))
      break;
    gst_message_unref (message);
  } while (TRUE);
  fail_unless_equals_string (gst_structure_get_string (s, "state"),
      "encrypted");
  fail_unless_equals_string (gst_structure_get_string (s, "fingerprint"),
      other);
  gst_message_unref (message);
}

static gchar *
get_fingerprint (GstElement * end)
{
  gchar *fingerprint;

  g_object_get (end, "fingerprint", &fingerprint, NULL);
  return fingerprint;
}

/* In READY the certificate may still be replaced, and its fingerprint is told at once. */
GST_START_TEST (another_certificate_in_ready_has_another_fingerprint)
{
  static const gchar *const factories[] = { "tfrcsink", "tfrcsrc", "tfrcbin" };
  GstElement *end = gst_element_factory_make (factories[__i__], NULL);
  gchar *fingerprint;

  g_object_set (end, "dtls", TRUE, "certificate", sink_pem, NULL);
  fail_unless_equals_int (gst_element_set_state (end, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fingerprint = get_fingerprint (end);
  fail_unless_equals_string (fingerprint, sink_print);
  g_free (fingerprint);
  g_object_set (end, "certificate", src_pem, NULL);
  fingerprint = get_fingerprint (end);
  fail_unless_equals_string (fingerprint, src_print);
  g_free (fingerprint);
  gst_element_set_state (end, GST_STATE_NULL);
  gst_object_unref (end);
}

GST_END_TEST;

GST_START_TEST (a_call_of_ends_with_dtls_plays)
{
  start_call ();
  check_end (ends.sender, ends.sink, src_print);
  check_end (ends.receiver, ends.src, sink_print);
  fail_unless (ends_get_stat (ends.sink, "reports") > 10);
  fail_unless (ends_get_double (ends.sink, "loss-event-rate") == 0);
  expect_remote ("127.0.0.1:5002");
  ends_stop (&ends);
}

GST_END_TEST;

static gboolean
is_plain (GBytes * datagram)
{
  gsize size, i, run = 0;
  const guint8 *data = g_bytes_get_data (datagram, &size);

  for (i = 1; i < size && run < 16; i++)
    run = data[i] == data[i - 1] ? run + 1 : 0;
  return run >= 16;
}

/* The payload of the test's packets is all of one byte, which encryption hides. */
GST_START_TEST (nothing_but_the_handshake_leaves_an_end_in_plain_text)
{
  GPtrArray *sent;
  guint i, media = 0;

  start_call ();
  sent = net_take (PORT);
  for (i = 0; i < sent->len; i++) {
    fail_if (is_plain (sent->pdata[i]));
    media += !is_dtls (sent->pdata[i]);
    fail_unless (media == 0 || i >= 3);
  }
  fail_unless (media > 100);
  g_ptr_array_unref (sent);
  ends_stop (&ends);
}

GST_END_TEST;

/* No packet of RTP comes, and the data sender leaves: that, too, comes from where it called. */
GST_START_TEST (a_receiver_knows_its_caller_before_media_come)
{
  gchar *told;

  start_receiver (sink_print);
  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  net_run (GST_SECOND);
  fail_unless_equals_int (count_media (PORT), 0);
  expect_remote ("127.0.0.1:5002");
  told = get_stat_text (ends.src, "fingerprint");
  fail_unless_equals_string (told, sink_print);
  g_free (told);
  ends_stop_sender (&ends);
  net_run (2 * NET_DELAY);
  fail_unless (get_stat_text (ends.src, "fingerprint") == NULL);
  ends_stop (&ends);
}

GST_END_TEST;

/* --- fingerprints --- */

/* Either end refuses the other, and the warning has the fingerprint that is wrong and the one that was asked
 * for. */
GST_START_TEST (no_media_pass_between_ends_with_another_fingerprint)
{
  gboolean sink_refuses = __i__ == 0;
  const gchar *wrong = sink_refuses ? src_print : sink_print;
  gchar *text, *remote;

  start_receiver (sink_refuses ? sink_print : OTHER);
  start_sender (&ends, SINK_PORT, sink_pem, sink_refuses ? OTHER : src_print);
  fail_unless_equals_int (ends_play (&ends, 8 * GST_SECOND), 0);
  fail_unless_equals_int (count_media (PORT), 0);
  fail_unless_equals_int (count_media (SINK_PORT), 0);
  text = take_warning (sink_refuses ? ends.sender : ends.receiver);
  fail_unless (text != NULL && strstr (text, wrong) != NULL, "%s", text);
  fail_unless (strstr (text, OTHER) != NULL, "%s", text);
  g_free (text);
  /* the other end is told, too, and each once in ten seconds */
  text = take_warning (sink_refuses ? ends.receiver : ends.sender);
  fail_unless (text != NULL && strstr (text, wrong) != NULL, "%s", text);
  g_free (text);
  fail_unless (take_warning (ends.sender) == NULL);
  fail_unless (take_warning (ends.receiver) == NULL);
  fail_unless (ends_get_stat (ends.sink, "handshakes-failed") >= 2);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 0);
  fail_unless (ends_get_stat (ends.sink, "send-errors") > 300);
  g_object_get (ends.src, "remote-address", &remote, NULL);
  fail_unless (remote == NULL, "%s", remote);
  ends_stop (&ends);
}

GST_END_TEST;

GST_START_TEST (a_certificate_that_is_not_kept_is_another_one_each_time)
{
  gchar *one = make_certificate ("tfrcsrc", NULL);
  gchar *other = make_certificate ("tfrcsrc", NULL);
  gchar *kept = make_certificate ("tfrcsrc", src_pem);

  fail_if (g_str_equal (one, other));
  fail_unless_equals_string (kept, src_print);
  g_free (one);
  g_free (other);
  g_free (kept);
}

GST_END_TEST;

/* --- settings --- */

static void
expect_error (const gchar * line, const gchar * text)
{
  GError *error = ends_expect_error (line);

  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_SETTINGS));
  fail_unless (strstr (error->message, text) != NULL, "%s: %s", line,
      error->message);
  g_error_free (error);
}

GST_START_TEST (settings_of_ends_that_cannot_be_are_errors)
{
  static const gchar *const wrong[][2] = {
    {"", "needs \"peer-fingerprint\""},
    /* which is how somebody learns what to tell the other */
    {"", "The fingerprint of this end is "},
    {"peer-fingerprint=12:34", "hexadecimal digits"},
    {"peer-fingerprint=any rtcp-mux=false", "Set \"rtcp-mux\" to true"},
    {"peer-fingerprint=any srtp-key=" KEY_30,
        "Either \"dtls\" or \"srtp-key\""},
    {"peer-fingerprint=any srtp-cipher=aes-256-gcm",
        "\"srtp-cipher\" must be aes-128-icm"},
    {"peer-fingerprint=any certificate=/nonexistent/a.pem",
        "cannot be written"},
  };
  static const gchar *const factories[] = { "tfrcsink", "tfrcsrc" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    gchar *line = g_strdup_printf ("%s port=%u dtls=true %s",
        factories[__i__], PORT, wrong[i][0]);

    expect_error (line, wrong[i][1]);
    g_free (line);
  }
  fail_unless_equals_int (net_count_sockets (), 0);
}

GST_END_TEST;

/* A URI comes from elsewhere, and a certificate is a file of the user. */
GST_START_TEST (a_uri_has_no_certificate)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (src),
      "certificate");
  GError *error = NULL;

  fail_if (spec->flags & G_PARAM_READABLE);
  fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src),
          "tfrc://127.0.0.1:5000?certificate=a.pem", &error));
  g_clear_error (&error);
  fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (src),
          "tfrc://127.0.0.1:5000?dtls=true&peer-fingerprint=any", &error));
  gst_object_unref (src);
}

GST_END_TEST;

/* --- ends that come and go --- */

/* tfrcsink forgets the events when it goes to READY. */
static void
push_events_again (void)
{
  static const GstEventType types[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
    GST_EVENT_SEGMENT
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    fail_unless (gst_pad_push_event (ends.in,
            gst_pad_get_sticky_event (ends.in, types[i], 0)));
  ends.pushed = 0;
}

/* An end goes to READY and comes back. A recording of the time before is not authentic with the keys of
 * the time after. */
GST_START_TEST (an_end_that_was_in_ready_has_fresh_keys)
{
  GPtrArray *recorded;
  guint64 failures;
  guint played;

  start_call ();
  recorded = net_take (PORT);
  gst_element_set_state (__i__ == 0 ? ends.sender : ends.receiver,
      GST_STATE_READY);
  net_run (GST_SECOND);
  gst_element_set_state (__i__ == 0 ? ends.sender : ends.receiver,
      GST_STATE_PLAYING);
  settle ();
  if (__i__ == 0)
    push_events_again ();
  ends_play (&ends, 5 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless (ends_get_stat (ends.sink, "handshakes") +
      ends_get_stat (ends.src, "handshakes") >= 3);
  net_run (GST_SECOND / 2);
  failures = ends_get_stat (ends.src, "srtp-failures");
  played = ends.played;
  send_all (recorded, SINK_PORT, PORT);
  net_run (GST_SECOND / 2);
  fail_unless_equals_int (ends.played, played);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") >= failures + 190);
  g_ptr_array_unref (recorded);
  ends_stop (&ends);
}

GST_END_TEST;

/* It ended without a word, and calls from another port. */
GST_START_TEST (a_sender_that_was_killed_and_begins_anew_is_heard_soon)
{
  start_call ();
  net_set_rules (PORT, &(NetRules) {.block = TRUE});
  ends_stop_sender (&ends);
  ends_play (&ends, GST_SECOND);
  net_set_rules (PORT, &(NetRules) {.block = FALSE});
  start_sender (&ends, OTHER_PORT, sink_pem, src_print);
  fail_unless (ends_play (&ends, 2 * GST_SECOND) > 20);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 2);
  expect_remote ("127.0.0.1:5004");
  ends_stop (&ends);
}

GST_END_TEST;

/* --- strangers --- */

/* The same certificates, and somebody who has recorded all that was sent in the call before. */
GST_START_TEST (a_recorded_call_of_ends_cannot_be_played_into_the_next_one)
{
  GPtrArray *recorded, *answers;
  guint64 ssrc;
  guint played;

  start_call ();
  recorded = net_take (PORT);
  answers = net_take (SINK_PORT);
  fail_unless (recorded->len > 150);
  ends_stop (&ends);
  start_call ();
  net_run (GST_SECOND);
  played = ends.played;
  ssrc = ends_get_stat (ends.src, "ssrc");
  send_all (recorded, SINK_PORT, PORT);
  send_all (recorded, OTHER_PORT, PORT);
  net_run (GST_SECOND / 2);
  fail_unless_equals_int (ends.played, played);
  fail_unless (ends_get_stat (ends.src, "srtp-failures") > 300);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 1);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), ssrc);
  expect_remote ("127.0.0.1:5002");
  send_all (answers, OTHER_PORT, SINK_PORT);
  fail_unless (ends_get_stat (ends.sink, "packets-unexpected") >= 3);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "packets-unexpected") +
      ends_get_stat (ends.sink, "rtcp-foreign"), answers->len);
  send_all (answers, PORT, SINK_PORT);
  fail_unless (ends_get_stat (ends.sink, "srtp-failures") >= 10);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "handshakes"), 1);
  /* the call goes on */
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  g_ptr_array_unref (recorded);
  g_ptr_array_unref (answers);
  ends_stop (&ends);
}

GST_END_TEST;

/* A stranger calls while the data sender is heard, and while it is silent. */
GST_START_TEST (a_stranger_who_calls_a_receiver_does_not_disturb_a_call)
{
  Ends stranger = { NULL };
  guint64 changes;

  start_call ();
  changes = ends_get_stat (ends.src, "source-changes");
  start_sender (&stranger, OTHER_PORT, NULL, "any");
  fail_unless_equals_int (ends_play (&ends, 5 * GST_SECOND), 250);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes-failed"), 0);
  gst_element_set_state (ends.sender, GST_STATE_PAUSED);
  net_run (20 * GST_SECOND);
  gst_element_set_state (ends.sender, GST_STATE_PLAYING);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless (ends_get_stat (ends.src, "handshakes-failed") > 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "source-changes"),
      changes);
  expect_remote ("127.0.0.1:5002");
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 1);
  fail_unless (ends_get_stat (ends.sink, "reports") > 20);
  fail_unless_equals_uint64 (ends_get_stat (stranger.sink, "handshakes"), 0);
  fail_unless_equals_int (count_media (OTHER_PORT), 0);
  ends_stop_sender (&stranger);
  ends_stop (&ends);
}

GST_END_TEST;

/* A stranger begins a handshake and does not go on: its turn ends. */
GST_START_TEST (a_handshake_that_stalls_leaves_the_next_caller_its_turn)
{
  Ends stranger = { NULL };

  start_receiver (sink_print);
  start_sender (&stranger, OTHER_PORT, NULL, "any");
  net_run (2 * NET_DELAY + GST_MSECOND);
  fail_unless_equals_int (net_get_counts (OTHER_PORT).packets, 1);
  net_set_rules (OTHER_PORT, &(NetRules) {.block = TRUE});
  net_run (2 * NET_DELAY);
  fail_unless (net_get_counts (OTHER_PORT).packets > 1);
  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  ends_play (&ends, 3 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 1);
  ends_stop_sender (&stranger);
  ends_stop (&ends);
}

GST_END_TEST;

/* RFC 6347: where a ClientHello has what the next function changes. */
#define RECORD_LENGTH 11
#define MESSAGE_LENGTH 14
#define MESSAGE_SEQ 17
#define FRAGMENT_LENGTH 22
#define RANDOM 27
#define SESSION_ID 59

/* In the byte order of the network, at any address. */
static void
write_16 (guint8 * data, guint value)
{
  data[0] = value >> 8;
  data[1] = value;
}

/* The ClientHello with the cookie of a HelloVerifyRequest. */
static GByteArray *
add_cookie (GBytes * hello, GBytes * request)
{
  const guint8 *cookie = (guint8 *) g_bytes_get_data (request, NULL) + 27;
  gsize size;
  const guint8 *data = g_bytes_get_data (hello, &size);
  gsize end = SESSION_ID + 1 + data[SESSION_ID];        /* of what is in front of the cookie */
  GByteArray *with = g_byte_array_new ();

  fail_unless_equals_int (data[end], 0);
  g_byte_array_append (with, data, end);
  g_byte_array_append (with, cookie, 1 + cookie[0]);
  g_byte_array_append (with, data + end + 1, size - end - 1);
  write_16 (with->data + RECORD_LENGTH, with->len - 13);
  GST_WRITE_UINT24_BE (with->data + MESSAGE_LENGTH, with->len - 25);
  GST_WRITE_UINT24_BE (with->data + FRAGMENT_LENGTH, with->len - 25);
  write_16 (with->data + MESSAGE_SEQ, 1);
  return with;
}

/* The first datagram of all that were sent to a port. */
static GBytes *
take_first (guint port)
{
  GPtrArray *sent = net_take (port);
  GBytes *first;

  fail_unless (sent->len > 0);
  first = g_bytes_ref (sent->pdata[0]);
  g_ptr_array_unref (sent);
  return first;
}

/* A stranger on another host calls again and again, from now on. Each ClientHello is of another handshake. */
static void
call_from_elsewhere (GByteArray * hello, guint calls)
{
  while (calls-- > 0) {
    GST_WRITE_UINT24_BE (hello->data + RANDOM, calls + 1);
    net_send_from ("10.0.0.9", OTHER_PORT, "", PORT, 0, hello->data,
        hello->len);
    ends_play (&ends, ENDS_FRAME);
  }
}

GST_START_TEST (who_calls_again_and_again_keeps_no_caller_out)
{
  Ends stranger = { NULL };
  GBytes *hello, *request;
  GByteArray *with_cookie;

  start_receiver (sink_print);
  start_sender (&stranger, OTHER_PORT, NULL, "any");
  net_run (NET_DELAY);
  hello = take_first (PORT);
  ends_stop_sender (&stranger);
  net_run (GST_SECOND);
  g_ptr_array_unref (net_take (OTHER_PORT));
  net_send_from ("10.0.0.9", OTHER_PORT, "", PORT, 0, g_bytes_get_data (hello,
          NULL), g_bytes_get_size (hello));
  net_run (2 * NET_DELAY);
  request = take_first (OTHER_PORT);
  with_cookie = add_cookie (hello, request);

  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  call_from_elsewhere (with_cookie, 200);
  fail_unless (net_get_counts (OTHER_PORT).packets > 10);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes"), 1);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  g_byte_array_unref (with_cookie);
  g_bytes_unref (request);
  g_bytes_unref (hello);
  ends_stop (&ends);
}

GST_END_TEST;

/* While a handshake is going on, whoever is elsewhere cannot end it by an alert. */
GST_START_TEST (an_alert_from_elsewhere_ends_no_handshake)
{
  static const guint8 alert[] = { 21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2,
    2, 40
  };

  start_receiver (sink_print);
  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  /* the second ClientHello has come, and the answer is on its way */
  net_run (3 * NET_DELAY + GST_MSECOND);
  net_send (OTHER_PORT, PORT, alert, sizeof alert);
  net_send (OTHER_PORT, SINK_PORT, alert, sizeof alert);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "handshakes-failed"), 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "packets-refused"), 1);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "handshakes-failed"), 0);
  ends_stop (&ends);
}

GST_END_TEST;

/* A Certificate that is longer than any, and half a record, by somebody who can send from the caller's address. */
GST_START_TEST (datagrams_of_dtls_that_cannot_be_are_counted)
{
  static const guint8 certificate[26] = { 22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0,
    2, 0, 13, 11, 0xff, 0xff, 0xff, 0, 2, 0, 0, 0, 0, 0, 1
  };
  guint i;

  start_receiver (sink_print);
  start_sender (&ends, SINK_PORT, sink_pem, src_print);
  net_run (3 * NET_DELAY + GST_MSECOND);
  for (i = 0; i < 2; i++)
    net_send (SINK_PORT, PORT, certificate, sizeof certificate - i);
  ends_play (&ends, 2 * GST_SECOND);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "dtls-malformed"), 2);
  fail_unless_equals_uint64 (ends_get_stat (ends.sink, "dtls-malformed"), 0);
  ends_stop (&ends);
}

GST_END_TEST;

/* Before and after the handshake nothing else has an effect, from wherever it comes. */
GST_START_TEST (plain_rtp_does_not_get_past_dtls)
{
  guint8 packet[172] = { 0x80, 96 };
  guint i;

  start_receiver (sink_print);
  for (i = 0; i < 50; i++) {
    GST_WRITE_UINT16_BE (packet + 2, i);
    net_send (SINK_PORT, PORT, packet, sizeof packet);
    net_run (ENDS_FRAME);
  }
  fail_unless_equals_int (ends.played, 0);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "srtp-failures"), 50);
  fail_unless_equals_uint64 (ends_get_stat (ends.src, "ssrc"), 0);
  fail_unless_equals_int (net_get_counts (SINK_PORT).packets, 0);
  ends_stop (&ends);
}

GST_END_TEST;

static Suite *
enddtls_suite (void)
{
  Suite *suite = suite_create ("enddtls");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_add_loop_test (tcase,
      another_certificate_in_ready_has_another_fingerprint, 0, 3);
  tcase_add_test (tcase, a_call_of_ends_with_dtls_plays);
  tcase_add_test (tcase, nothing_but_the_handshake_leaves_an_end_in_plain_text);
  tcase_add_test (tcase, a_receiver_knows_its_caller_before_media_come);
  tcase_add_loop_test (tcase,
      no_media_pass_between_ends_with_another_fingerprint, 0, 2);
  tcase_add_test (tcase,
      a_certificate_that_is_not_kept_is_another_one_each_time);
  tcase_add_loop_test (tcase, settings_of_ends_that_cannot_be_are_errors, 0, 2);
  tcase_add_test (tcase, a_uri_has_no_certificate);
  tcase_add_loop_test (tcase, an_end_that_was_in_ready_has_fresh_keys, 0, 2);
  tcase_add_test (tcase,
      a_sender_that_was_killed_and_begins_anew_is_heard_soon);
  tcase_add_test (tcase,
      a_recorded_call_of_ends_cannot_be_played_into_the_next_one);
  tcase_add_test (tcase,
      a_stranger_who_calls_a_receiver_does_not_disturb_a_call);
  tcase_add_test (tcase,
      a_handshake_that_stalls_leaves_the_next_caller_its_turn);
  tcase_add_test (tcase, who_calls_again_and_again_keeps_no_caller_out);
  tcase_add_test (tcase, an_alert_from_elsewhere_ends_no_handshake);
  tcase_add_test (tcase, datagrams_of_dtls_that_cannot_be_are_counted);
  tcase_add_test (tcase, plain_rtp_does_not_get_past_dtls);
  return suite;
}

GST_CHECK_MAIN (enddtls);
