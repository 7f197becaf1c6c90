/* gst-tfrc tests: the pads of the bins, as applications and GStreamer find them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "call.h"

#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

/* --- unlinked pads --- */

/* What is found in `bin` must be `expected`, the name of a pad of `owner`; NULL:
 * nothing may be found. */
static void
check_unlinked (GstElement * bin, GstPadDirection direction,
    GstElement * owner, const gchar * expected)
{
  GstPad *pad = gst_bin_find_unlinked_pad (GST_BIN (bin), direction);
  gchar *path = pad != NULL ? gst_object_get_path_string (GST_OBJECT (pad)) :
      NULL;

  if (expected == NULL) {
    fail_unless (pad == NULL, "%s is not linked", path);
    return;
  }
  fail_unless (pad != NULL, "the pad %s is not found", expected);
  fail_unless (GST_PAD_PARENT (pad) == owner, "%s is not linked", path);
  fail_unless_equals_string (GST_PAD_NAME (pad), expected);
  g_free (path);
  gst_object_unref (pad);
}

static void
check_state (GstElement * parent, GstElement * bin, const gchar * sink,
    const gchar * src)
{
  gchar *dot = gst_debug_bin_to_dot_data (GST_BIN (bin),
      GST_DEBUG_GRAPH_SHOW_ALL);

  fail_unless (strstr (dot, "digraph") != NULL);
  g_free (dot);
  check_unlinked (bin, GST_PAD_SINK, NULL, NULL);
  check_unlinked (bin, GST_PAD_SRC, NULL, NULL);
  check_unlinked (parent, GST_PAD_SINK, bin, sink);
  check_unlinked (parent, GST_PAD_SRC, bin, src);
}

static void
check_bin (const gchar * line, const gchar * sink, const gchar * src)
{
  static const GstState states[] = { GST_STATE_READY, GST_STATE_PAUSED,
    GST_STATE_READY, GST_STATE_NULL, GST_STATE_READY, GST_STATE_NULL
  };
  GstElement *parent = gst_bin_new (NULL);
  GstElement *bin = gst_parse_bin_from_description (line, TRUE, NULL);
  guint i;

  gst_bin_add (GST_BIN (parent), bin);
  check_state (parent, bin, sink, src);
  for (i = 0; i < G_N_ELEMENTS (states); i++) {
    fail_if (gst_element_set_state (bin, states[i]) ==
        GST_STATE_CHANGE_FAILURE);
    check_state (parent, bin, sink, src);
  }
  gst_object_unref (parent);
}

GST_START_TEST (in_every_state_only_the_pads_of_the_bin_itself_are_unlinked)
{
  check_bin ("queue ! tfrcsink", "sink", NULL);
  check_bin ("tfrcsrc port=0 ! queue", NULL, "src");
  check_bin ("tfrcencodebin", "sink", "src");
  check_bin ("tfrcencodebin codecs=OPUS,PCMU,G722", "sink", "src");
  check_bin ("tfrcencodebin content=music", "sink", "src");
  check_bin ("tfrcdecodebin", "sink", "src");
}

GST_END_TEST;

static GstElement *
launch (const gchar * format, guint number)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  gchar *line = g_strdup_printf (format, number);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  G_GNUC_END_IGNORE_DEPRECATIONS;

  fail_unless (pipeline != NULL, "%s", line);
  g_free (line);
  return pipeline;
}

/* A pipeline that receives a call and decodes it; returns the UDP port. */
static guint
start_receiver (GstElement ** receiver)
{
  GstElement *src;
  guint port;

  *receiver = launch ("tfrcsrc name=src port=%u ! tfrcdecodebin name=decode ! "
      "fakesink sync=false", 0);
  fail_if (gst_element_set_state (*receiver, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE);
  src = gst_bin_get_by_name (GST_BIN (*receiver), "src");
  g_object_get (src, "local-port", &port, NULL);
  gst_object_unref (src);
  return port;
}

/* Waits until `n` packets have come to the decoder. */
static void
wait_for_packets (GstElement * receiver, guint n)
{
  GstElement *decode = gst_bin_get_by_name (GST_BIN (receiver), "decode");

  call_wait_stat (decode, "packets", n);
  gst_object_unref (decode);
}

static void
stop (GstElement * pipeline)
{
  call_check_no_error (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (a_call_has_no_unlinked_pad)
{
  GstElement *receiver, *sender;

  sender = launch ("audiotestsrc is-live=true ! tfrcencodebin ! "
      "tfrcsink port=%u", start_receiver (&receiver));
  gst_element_set_state (sender, GST_STATE_PLAYING);
  wait_for_packets (receiver, 20);
  check_unlinked (sender, GST_PAD_SINK, NULL, NULL);
  check_unlinked (sender, GST_PAD_SRC, NULL, NULL);
  check_unlinked (receiver, GST_PAD_SINK, NULL, NULL);
  check_unlinked (receiver, GST_PAD_SRC, NULL, NULL);
  stop (sender);
  stop (receiver);
}

GST_END_TEST;

/* A demuxer has pads for the packets that it is there for. What comes beside is counted,
 * and neither pad nor plug is pushed to. */
static void
check_unexpected (const gchar * line, guint port_offset)
{
  static const guint8 rtp[172] = { 0x80, 0 };
  GstElement *pipeline = launch (line, 0);
  GstElement *end = gst_bin_get_by_name (GST_BIN (pipeline), "end");
  GInetAddress *loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4,
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *to;
  guint port;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_object_get (end, "local-port", &port, NULL);
  to = g_inet_socket_address_new (loopback, port + port_offset);
  fail_unless_equals_int (g_socket_send_to (socket, to, (const gchar *) rtp,
          sizeof (rtp), NULL, NULL), sizeof (rtp));
  call_wait_stat (end, "packets-unexpected", 1);
  fail_unless_equals_uint64 (call_get_stat (end, "packets-unexpected"), 1);
  g_object_unref (to);
  g_object_unref (socket);
  g_object_unref (loopback);
  gst_object_unref (end);
  stop (pipeline);
}

GST_START_TEST (rtp_where_none_is_expected_is_counted)
{
  check_unexpected (CALL_LIVE_SOURCE " ! tfrcsink name=end port=9", 0);
  check_unexpected (CALL_LIVE_SOURCE " ! tfrcsink name=end port=9 srtp-key="
      KEY, 0);
  check_unexpected ("tfrcsrc name=end port=0 rtcp-mux=false ! fakesink", 1);
}

GST_END_TEST;

/* --- bins from descriptions --- */

static GstElement *
make_bin (const gchar * format, guint port)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  gchar *line = g_strdup_printf (format, port);
  G_GNUC_END_IGNORE_DEPRECATIONS;
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description (line, TRUE, &error);

  fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
  g_free (line);
  return bin;
}

GST_START_TEST (a_described_bin_has_the_pads_of_its_ends_alone)
{
  GstElement *sink = make_bin ("queue ! tfrcsink port=%u", 5004);
  GstElement *src = make_bin ("tfrcsrc port=%u ! queue", 0);

  fail_unless_equals_int (sink->numsinkpads, 1);
  fail_unless_equals_int (sink->numsrcpads, 0);
  fail_unless_equals_int (src->numsinkpads, 0);
  fail_unless_equals_int (src->numsrcpads, 1);
  gst_object_unref (sink);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (a_described_bin_sends)
{
  GstElement *receiver;
  GstElement *bin = make_bin ("tfrcencodebin ! queue ! tfrcsink port=%u",
      start_receiver (&receiver));
  GstElement *sender = gst_pipeline_new (NULL);
  GstElement *source = gst_element_factory_make ("audiotestsrc", NULL);

  g_object_set (source, "is-live", TRUE, NULL);
  gst_bin_add_many (GST_BIN (sender), source, bin, NULL);
  fail_unless (gst_element_link (source, bin));
  gst_element_set_state (sender, GST_STATE_PLAYING);
  wait_for_packets (receiver, 20);
  stop (sender);
  stop (receiver);
}

GST_END_TEST;

#define WAV_RATE 8000
#define WAV_SAMPLES (2 * WAV_RATE)

/* Two seconds of a square wave, 8 kHz, mono, 16 bits. */
static gchar *
write_wav (void)
{
  static const guint8 format[] = { 'R', 'I', 'F', 'F', 0, 0, 0, 0,
    'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0, 0, 1, 0, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 16, 0, 'd', 'a', 't', 'a', 0, 0, 0, 0
  };
  gsize size = sizeof (format) + 2 * WAV_SAMPLES;
  guint8 *data = g_malloc0 (size);
  gchar *path = NULL;
  gint fd = g_file_open_tmp ("gst-tfrc-XXXXXX.wav", &path, NULL);
  guint i;

  memcpy (data, format, sizeof (format));
  GST_WRITE_UINT32_LE (data + 4, size - 8);
  GST_WRITE_UINT32_LE (data + 24, WAV_RATE);
  GST_WRITE_UINT32_LE (data + 28, 2 * WAV_RATE);
  GST_WRITE_UINT32_LE (data + 40, 2 * WAV_SAMPLES);
  for (i = 0; i < WAV_SAMPLES; i++)
    GST_WRITE_UINT16_LE (data + sizeof (format) + 2 * i,
        i / 10 % 2 ? 4000 : -4000);
  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (path, (gchar *) data, size, NULL));
  g_free (data);
  return path;
}

static void
play_file (const gchar * audio_sink)
{
  gchar *path = write_wav (), *uri = g_filename_to_uri (path, NULL, NULL);
  GstElement *receiver, *playbin = gst_element_factory_make ("playbin", NULL);
  GstElement *sink = make_bin (audio_sink, start_receiver (&receiver));
  GstMessage *message;

  g_object_set (playbin, "uri", uri, "audio-sink", sink, NULL);
  gst_element_set_state (playbin, GST_STATE_PLAYING);
  message = call_wait_message (playbin, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error;

    gst_message_parse_error (message, &error, NULL);
    ck_abort_msg ("%s", error->message);
  }
  gst_message_unref (message);
  /* of 2 s in packets of at most 60 ms, at least half have arrived */
  wait_for_packets (receiver, 17);
  stop (playbin);
  stop (receiver);
  g_remove (path);
  g_free (path);
  g_free (uri);
}

GST_START_TEST (playbin_plays_to_the_network)
{
  play_file ("audioconvert ! audioresample ! tfrcencodebin ! "
      "tfrcsink port=%u");
  play_file ("audioconvert ! audioresample ! opusenc ! rtpopuspay ! queue ! "
      "tfrcsink port=%u");
}

GST_END_TEST;

/* --- links that fail --- */

static GType refusing_type;     /* the impostors that refuse links now */
static const gchar *refusing;   /* the name of their pad that does */

static GstPadLinkReturn
refuse (GstPad * pad, GstObject * parent, GstPad * peer)
{
  return GST_PAD_LINK_REFUSED;
}

/* An impostor is an element of GStreamer one of whose pads refuses to be linked. */
static void
impostor_init (GstElement * element, gpointer klass)
{
  GstPad *pad;

  if (G_TYPE_FROM_CLASS (klass) != refusing_type)
    return;
  pad = gst_element_get_static_pad (element, refusing);
  gst_pad_set_link_function (pad, refuse);
  gst_object_unref (pad);
}

/* From now on the factory makes impostors. Those that it made before do not refuse any
 * more. */
static void
replace_factory (const gchar * name, const gchar * pad)
{
  GstRegistry *registry = gst_registry_get ();
  GstElement *element = gst_element_factory_make (name, NULL);
  static guint n_types;
  gchar *type_name = g_strdup_printf ("Impostor-%s-%u", name, n_types++);
  GstPluginFeature *feature = gst_registry_lookup_feature (registry, name);
  GTypeQuery query;
  GTypeInfo info = { 0, };
  GType type;

  fail_unless (element != NULL, "%s", name);
  g_type_query (G_OBJECT_TYPE (element), &query);
  info.class_size = query.class_size;
  info.instance_size = query.instance_size;
  info.instance_init = (GInstanceInitFunc) impostor_init;
  type = g_type_register_static (query.type, type_name, &info, 0);
  gst_registry_remove_feature (registry, feature);
  fail_unless (gst_element_register (NULL, name, GST_RANK_NONE, type));
  refusing_type = type;
  refusing = pad;
  gst_object_unref (feature);
  gst_object_unref (element);
  g_free (type_name);
}

/* The error names the bin, both elements and their pads. */
static void
expect_link_error (const gchar * line, const gchar * bin, const gchar * from,
    const gchar * to)
{
  GError *error = call_expect_error (line);

  fail_unless (g_error_matches (error, GST_CORE_ERROR, GST_CORE_ERROR_PAD),
      "%s", error->message);
  fail_unless (strstr (error->message, bin) != NULL
      && strstr (error->message, from) != NULL
      && strstr (error->message, to) != NULL, "%s", error->message);
  g_error_free (error);
}

static const struct
{
  const gchar *factory, *pad, *line, *from, *to;
} failures[] = {
  {"audioconvert", "sink", "audiotestsrc ! tfrcencodebin name=call ! fakesink",
      "\"sink\" of impostor-audioconvert", "\"sink\""},
  {"audioresample", "sink",
        "audiotestsrc ! tfrcencodebin name=call ! fakesink", "audioconvert",
      "audioresample"},
  {"tfrcopusenc", "src", "audiotestsrc ! tfrcencodebin name=call ! fakesink",
      "tfrcopusenc", "rtpopuspay"},
  {"rtpopuspay", "src", "audiotestsrc ! tfrcencodebin name=call ! fakesink",
      "rtpopuspay", "\"src\" of call"},
  {"audioresample", "sink", "audiotestsrc ! opusenc ! rtpopuspay ! "
        "tfrcdecodebin name=call ! fakesink", "audioconvert", "audioresample"},
  {"tfrcopusdec", "sink", "audiotestsrc ! opusenc ! rtpopuspay ! "
        "tfrcdecodebin name=call ! fakesink", "rtpopusdepay", "tfrcopusdec"},
  {"rtpopusdepay", "sink", "audiotestsrc ! opusenc ! rtpopuspay ! "
        "tfrcdecodebin name=call ! fakesink", "\"src\" of tfrclossrecovery",
      "rtpopusdepay"},
};

GST_START_TEST (a_link_that_fails_is_an_error_that_names_both_ends)
{
  replace_factory (failures[__i__].factory, failures[__i__].pad);
  expect_link_error (failures[__i__].line, "call", failures[__i__].from,
      failures[__i__].to);
}

GST_END_TEST;

static Suite *
pads_suite (void)
{
  Suite *suite = suite_create ("pads");
  TCase *tcase = tcase_create ("general");

  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase,
      in_every_state_only_the_pads_of_the_bin_itself_are_unlinked);
  tcase_add_test (tcase, a_call_has_no_unlinked_pad);
  tcase_add_test (tcase, rtp_where_none_is_expected_is_counted);
  tcase_add_test (tcase, a_described_bin_has_the_pads_of_its_ends_alone);
  tcase_add_test (tcase, a_described_bin_sends);
  tcase_add_test (tcase, playbin_plays_to_the_network);
  tcase_add_loop_test (tcase,
      a_link_that_fails_is_an_error_that_names_both_ends, 0,
      G_N_ELEMENTS (failures));
  return suite;
}

GST_CHECK_MAIN (pads);
