/* gst-tfrc tests: properties, URIs and errors of tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/rtp.h>
#include <netinet/in.h>
#include <string.h>

#include "ends.h"
#include "rtcp.h"
#include "settle.h"

#define SP "mode=tfrc-sp"

static Ends ends;

static void
set_up (void)
{
  net_start ();
  memset (&ends, 0, sizeof (ends));
}

static void
start_call (const gchar * receiver, const gchar * sender)
{
  ends_start_receiver (&ends, receiver);
  ends_start_sender (&ends, sender);
  ends_play (&ends, 4 * GST_SECOND);
}

/* --- settings ------------------------------------------------------------------------------------------ */

static void
check_sockets (guint port)
{
  fail_unless_equals_int (net_get_option (port, IPPROTO_IP, IP_TTL), 33);
  fail_unless_equals_int (net_get_option (port, SOL_SOCKET, SO_RCVBUF), 7777);
  fail_unless_equals_int (net_get_option (port, SOL_SOCKET, SO_SNDBUF), 7777);
}

GST_START_TEST (packets_are_marked_and_sockets_have_their_options)
{
  const gchar *args = "dscp=46 ttl=33 buffer-size=7777";

  start_call (args, args);
  check_sockets (ends.port);
  check_sockets (ends_get_port (ends.sink));
  fail_unless_equals_int (net_get_last (ends.port).tos & 0xfc, 46 << 2);
  fail_unless_equals_int (net_get_last (ends_get_port (ends.sink)).tos & 0xfc,
      46 << 2);
  /* one socket of IPv6 that hears IPv4 as well */
  fail_unless_equals_int (net_get_option (ends.port, IPPROTO_IPV6,
          IPV6_V6ONLY), 0);
  fail_unless_equals_int (net_get_option (ends.port, IPPROTO_IPV6,
          IPV6_UNICAST_HOPS), 33);
  ends_stop (&ends);
}

GST_END_TEST;

/* Each property of a bin that can be read and written holds what it is set to. */
static void
check_properties (const gchar * factory, const gchar * const *except)
{
  GstElement *bin = gst_element_factory_make (factory, NULL);
  GParamSpec **specs;
  guint n, i, j, tried = 0;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (bin), &n);
  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT, got = G_VALUE_INIT;
    GParamSpec *spec = specs[i];
    gboolean known = TRUE;

    if (!(spec->flags & G_PARAM_READABLE) || !(spec->flags & G_PARAM_WRITABLE)
        || spec->owner_type == GST_TYPE_OBJECT
        || spec->owner_type == GST_TYPE_BIN)
      continue;
    g_value_init (&value, spec->value_type);
    g_value_init (&got, spec->value_type);
    if (G_IS_PARAM_SPEC_BOOLEAN (spec))
      g_value_set_boolean (&value, !G_PARAM_SPEC_BOOLEAN (spec)->default_value);
    else if (G_IS_PARAM_SPEC_UINT (spec))
      g_value_set_uint (&value, G_PARAM_SPEC_UINT (spec)->default_value ==
          G_PARAM_SPEC_UINT (spec)->maximum ? G_PARAM_SPEC_UINT (spec)->minimum
          : G_PARAM_SPEC_UINT (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_INT (spec))
      g_value_set_int (&value, G_PARAM_SPEC_INT (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_UINT64 (spec))
      g_value_set_uint64 (&value,
          G_PARAM_SPEC_UINT64 (spec)->default_value ==
          G_PARAM_SPEC_UINT64 (spec)->maximum ? 1 :
          G_PARAM_SPEC_UINT64 (spec)->default_value + 1);
    else if (G_IS_PARAM_SPEC_ENUM (spec))
      g_value_set_enum (&value, !G_PARAM_SPEC_ENUM (spec)->default_value);
    else if (G_IS_PARAM_SPEC_STRING (spec) && !g_str_equal (spec->name, "uri"))
      g_value_set_static_string (&value, "some text");
    else if (spec->value_type == GST_TYPE_STRUCTURE)
      gst_value_deserialize (&value, "application/x-rtp-source-sdes, "
          "cname=(string)bob");
    else if (spec->value_type == GST_TYPE_CAPS)
      gst_value_deserialize (&value, "application/x-rtp, payload=(int)5");
    else
      known = FALSE;
    for (j = 0; known && except != NULL && except[j] != NULL; j++)
      known = !g_str_equal (spec->name, except[j]);
    if (known) {
      g_object_set_property (G_OBJECT (bin), spec->name, &value);
      g_object_get_property (G_OBJECT (bin), spec->name, &got);
      fail_unless_equals_int (gst_value_compare (&value, &got),
          GST_VALUE_EQUAL);
      tried++;
    }
    g_value_unset (&value);
    g_value_unset (&got);
  }
  fail_unless (tried >= 2, "%s: %u", factory, tried);
  g_free (specs);
  gst_object_unref (bin);
}

GST_START_TEST (properties_hold_what_they_are_set_to)
{
  /* names of codecs and points that there are not are refused */
  static const gchar *const encodebin[] = { "codec", "codecs", "ladder", NULL };
  static const gchar *const names[][2] = { {"codecs", "PCMU,OPUS"}, {"codec",
      "PCMU"}, {"ladder", "OPUS:24000:20"}
  };
  GstElement *bin = gst_element_factory_make ("tfrcencodebin", NULL);
  gchar *got;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    g_object_set (bin, names[i][0], names[i][1], NULL);
    g_object_get (bin, names[i][0], &got, NULL);
    fail_unless_equals_string (got, names[i][1]);
    g_free (got);
  }
  gst_object_unref (bin);
  check_properties ("tfrcsink", NULL);
  check_properties ("tfrcsrc", NULL);
  check_properties ("rtptfrcsend", NULL);
  check_properties ("rtptfrcreceive", NULL);
  check_properties ("tfrcencodebin", encodebin);
  check_properties ("tfrcdecodebin", NULL);
  check_properties ("tfrcencodercontrol", NULL);
}

GST_END_TEST;

/* A bound that is set in a call holds from then on. */
GST_START_TEST (bounds_may_change_in_a_call)
{
  guint rate;

  start_call (SP, SP);
  g_object_get (ends.sink, "allowed-bitrate", &rate, NULL);
  fail_unless (rate > 30000, "%u", rate);
  g_object_set (ends.sink, "max-bitrate", 20000, NULL);
  g_object_get (ends.sink, "allowed-bitrate", &rate, NULL);
  fail_unless_equals_int (rate, 20000);
  g_object_set (ends.sink, "max-bitrate", 0, NULL);
  g_object_get (ends.sink, "allowed-bitrate", &rate, NULL);
  fail_unless (rate > 30000, "%u", rate);
  ends_stop (&ends);
}

GST_END_TEST;

/* What is measured otherwise at one end only cannot work, and each end says so. */
GST_START_TEST (an_experiment_is_that_of_the_flow)
{
  GError *error = NULL;
  GstMessage *message;

  ends_start_receiver (&ends, SP);
  ends_start_sender (&ends, SP
      " experimental=experimental,loss-measure=virtual-byte,pacing=fluid");
  ends.lenient = TRUE;
  ends_play (&ends, 4 * GST_SECOND);
  message = ends_pop (ends.sender, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "loss-measure virtual-byte") != NULL,
      "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  ends_stop (&ends);
}

GST_END_TEST;

/* As the filter warns of packets that do not suit the mode. */
GST_START_TEST (what_does_not_suit_the_mode_is_warned_of)
{
  GError *error = NULL;
  GstMessage *message;

  ends.caps = "application/x-rtp,media=audio,clock-rate=48000,"
      "encoding-name=OPUS,payload=72";
  ends_start_receiver (&ends, SP);
  ends_start_sender (&ends, SP);
  message = ends_pop (ends.sender, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "96 to 127") != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  ends_stop (&ends);
}

GST_END_TEST;

static void
count_notify (GObject * object, GParamSpec * spec, gint * count)
{
  (*count)++;
}

GST_START_TEST (what_the_encoder_may_use_is_notified)
{
  gint rate = 0, R = 0, connection = 0;

  ends_start_receiver (&ends, SP);
  ends_start_sender (&ends, SP);
  g_signal_connect (ends.sink, "notify::allowed-bitrate",
      G_CALLBACK (count_notify), &rate);
  g_signal_connect (ends.sink, "notify::round-trip-time",
      G_CALLBACK (count_notify), &R);
  g_signal_connect (ends.sink, "notify::connection",
      G_CALLBACK (count_notify), &connection);
  ends_play (&ends, 4 * GST_SECOND);
  fail_unless (rate >= 2, "%d", rate);
  fail_unless (R >= 1, "%d", R);
  fail_unless (connection >= 1, "%d", connection);
  ends_stop (&ends);
}

GST_END_TEST;

/* GStreamer's parser of URIs crashes at such a query. */
GST_START_TEST (a_percent_sign_in_a_query_begins_two_digits)
{
  static const gchar *const uris[] = { "tfrc://?%a", "tfrc://192.0.2.7?%",
    "tfrc://192.0.2.7?mode=%zz", "tfrc://192.0.2.7?mode%00=tfrc"
  };
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++) {
    GError *error = NULL;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src), uris[i], &error));
    fail_unless (g_error_matches (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI));
    g_clear_error (&error);
  }
  fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (src),
          "tfrc://192.0.2.7?mode=%74frc", NULL));
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (a_uri_makes_either_end)
{
  GstElement *sink = gst_element_make_from_uri (GST_URI_SINK,
      "tfrc://192.0.2.7:6000?mode=tfrc-sp&rtcp-mux=false&mtu=1280", NULL, NULL);
  GstElement *src = gst_element_make_from_uri (GST_URI_SRC,
      "tfrc://[::1]:6002?mode=tfrc-sp&latency=40", NULL, NULL);
  gchar *host, *uri;
  guint port, mtu, latency;
  gint mode;
  gboolean mux;

  g_object_get (sink, "host", &host, "port", &port, "mode", &mode, "rtcp-mux",
      &mux, "mtu", &mtu, "uri", &uri, NULL);
  fail_unless_equals_string (host, "192.0.2.7");
  fail_unless_equals_int (port, 6000);
  fail_unless_equals_int (mode, 1);
  fail_unless_equals_int (mtu, 1280);
  fail_if (mux);
  fail_unless_equals_string (uri, "tfrc://192.0.2.7:6000?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  g_object_get (src, "address", &host, "port", &port, "latency", &latency,
      "uri", &uri, NULL);
  fail_unless_equals_string (host, "::1");
  fail_unless_equals_int (port, 6002);
  fail_unless_equals_int (latency, 40);
  fail_unless_equals_string (uri, "tfrc://[::1]:6002?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (sink));
  fail_unless_equals_string (uri, "tfrc://192.0.2.7:6000?mode=tfrc-sp");
  g_free (uri);
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (src));
  fail_unless_equals_string (uri, "tfrc://[::1]:6002?mode=tfrc-sp");
  g_free (uri);
  /* RFC 6874 */
  g_object_set (src, "uri", "tfrc://[fe80::1%25eth0]:6004", NULL);
  g_object_get (src, "address", &host, "uri", &uri, NULL);
  fail_unless_equals_string (host, "fe80::1%eth0");
  fail_unless_equals_string (uri, "tfrc://[fe80::1%25eth0]:6004?mode=tfrc-sp");
  g_free (host);
  g_free (uri);
  gst_object_unref (sink);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (a_uri_that_is_wrong_sets_nothing)
{
  static const gchar *const wrong[] = {
    "tfrc://192.0.2.7:6000?mode=nonsense", "tfrc://192.0.2.7:6000?mtu=12",
    "tfrc://192.0.2.7:6000?no-such=1", "tfrc://192.0.2.7:6000?stats=1",
    "tfrc://192.0.2.7:6000/path", "udp://192.0.2.7:6000",
    "tfrc://192.0.2.7:6000?srtp-key=00",
    "tfrc://192.0.2.7:6000?srtp-remote-key=00", "tfrc://192.0.2.7:6000?mtu",
    "tfrc://192.0.2.7:70000", "tfrc://[fe80::1%eth0]:6000"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++) {
    GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
    GError *error = NULL;
    gchar *host;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (sink), wrong[i],
            &error), "%s", wrong[i]);
    fail_unless (error != NULL);
    g_object_get (sink, "host", &host, NULL);
    fail_unless_equals_string (host, "127.0.0.1");
    g_free (host);
    g_clear_error (&error);
    gst_object_unref (sink);
  }
}

GST_END_TEST;

GST_START_TEST (an_error_names_what_of_a_uri_is_wrong)
{
  static const gchar *const wrong[][2] = {
    {"tfrc://192.0.2.7?mode=nonsense",
        "\"nonsense\" cannot be a value of the property \"mode\""},
    {"tfrc://192.0.2.7?mtu", "\"\" cannot be a value of the property \"mtu\""},
    {"tfrc://192.0.2.7?no-such=1", "no property \"no-such\""},
    {"tfrc://192.0.2.7?mtu=1", "cannot be a value of the property \"mtu\""},
    {"tfrc://192.0.2.7?local-port=1", "no property \"local-port\""},
    {"tfrc://192.0.2.7?uri=x", "no property \"uri\""},
    {"tfrc://192.0.2.7?name=x", "no property \"name\""},
    {"tfrc://192.0.2.7?parent=x", "no property \"parent\""},
    {"tfrc://192.0.2.7?srtp-key=x", "no property \"srtp-key\""},
    {"tfrc://192.0.2.7:70000", "value of the property \"port\""},
    {"tfrc://192.0.2.7/path", "has no path"},
    {"tfrc://[fe80::1%eth0]:6000",
        "the host of \"tfrc://[fe80::1%eth0]:6000\" cannot be read"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    GstElement *sink = gst_element_factory_make ("tfrcsink", NULL);
    GError *error = NULL;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (sink), wrong[i][0],
            &error));
    fail_unless (strstr (error->message, wrong[i][1]) != NULL, "%s",
        error->message);
    g_clear_error (&error);
    gst_object_unref (sink);
  }
}

GST_END_TEST;

GST_START_TEST (settings_of_the_sockets_are_apart)
{
  static const gchar *const factories[] = { "tfrcsink", "tfrcsrc" };
  static const gchar *const names[] =
      { "buffer-size", "ttl", "dscp", "ttl", "buffer-size", "dscp" };
  GstElement *end = gst_element_factory_make (factories[__i__], NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gint before[3], after[3];

    g_object_get (end, "dscp", &before[0], "ttl", &before[1], "buffer-size",
        &before[2], NULL);
    g_object_set (end, names[i], 11 + (gint) i, NULL);
    g_object_get (end, "dscp", &after[0], "ttl", &after[1], "buffer-size",
        &after[2], NULL);
    fail_unless_equals_int (after[0], g_str_equal (names[i],
            "dscp") ? 11 + i : before[0]);
    fail_unless_equals_int (after[1], g_str_equal (names[i],
            "ttl") ? 11 + i : before[1]);
    fail_unless_equals_int (after[2], g_str_equal (names[i],
            "buffer-size") ? 11 + i : before[2]);
  }
  gst_object_unref (end);
}

GST_END_TEST;

GST_START_TEST (the_name_in_sdes_is_what_was_set)
{
  GPtrArray *packets;
  guint i, seen = 0;

  start_call (SP, SP
      " sdes=\"application/x-rtp-source-sdes,cname=\\\"alice\\\"\"");
  ends_play (&ends, 10 * GST_SECOND);
  packets = net_take (ends.port);
  for (i = 0; i < packets->len; i++) {
    gsize size, at;
    const guint8 *data = g_bytes_get_data (packets->pdata[i], &size);

    for (at = 0; rtcp_is (data, size) && at + 7 <= size; at++)
      seen += memcmp (data + at, "\1\5alice", 7) == 0;
  }
  fail_unless (seen > 0);
  g_ptr_array_unref (packets);
  ends_stop (&ends);
}

GST_END_TEST;

/* RFC 3551 9: 5004 is the port of RTP that is not negotiated. */
GST_START_TEST (the_port_is_that_of_rtp)
{
  static const gchar *const factories[] = { "tfrcbin", "tfrcsink", "tfrcsrc" };
  GstElement *element = gst_element_factory_make (factories[__i__], NULL);
  guint port;

  g_object_get (element, "port", &port, NULL);
  fail_unless_equals_int (port, 5004);
  gst_object_unref (element);
}

GST_END_TEST;

/* --- errors ---------------------------------------------------------------------------------------------- */

static void
expect (const gchar * line, GQuark domain, gint code, const gchar * remedy)
{
  GError *error = ends_expect_error (line);

  fail_unless (error->domain == domain && error->code == code, "%s: %s", line,
      error->message);
  fail_unless (strstr (error->message, remedy) != NULL,
      "\"%s\" is not in \"%s\"", remedy, error->message);
  g_error_free (error);
  fail_unless_equals_int (net_count_sockets (), 0);
}

#define RESOURCE(code) GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_##code

/* Properties with a description whose items have texts of these lengths. */
static gchar *
make_sdes (guint name, guint email, guint phone)
{
  gchar *texts[3] = { g_strnfill (name, 'n'), g_strnfill (email, 'e'),
    g_strnfill (phone, 'p')
  };
  gchar *line = g_strdup_printf ("sdes=\"application/x-rtp-source-sdes,"
      "name=(string)%s,email=(string)%s,phone=(string)%s\"", texts[0],
      texts[1], texts[2]);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  return line;
}

/* RFC 3550 6.5: a text has 255 bytes at most. All items go into each compound packet. */
GST_START_TEST (the_items_of_sdes_have_a_size)
{
  static const guint lengths[][3] = { {256, 1, 1}, {255, 246, 94} };
  gchar *line = make_sdes (255, 246, 93);
  guint i;

  ends_start_receiver (&ends, line);
  ends_stop (&ends);
  g_free (line);
  for (i = 0; i < G_N_ELEMENTS (lengths); i++) {
    gchar *launch;

    line = make_sdes (lengths[i][0], lengths[i][1], lengths[i][2]);
    launch = g_strconcat ("tfrcsink ", line, NULL);
    expect (launch, RESOURCE (SETTINGS), "all others together 600");
    g_free (launch);
    g_free (line);
  }
}

GST_END_TEST;

GST_START_TEST (errors_name_the_remedy)
{
  expect ("tfrcsink host=fe80::1", RESOURCE (SETTINGS), "\"host\" to fe80::1%");
  expect ("tfrcsink host=\"\"", RESOURCE (NOT_FOUND), "property \"host\"");
  expect ("tfrcsink host=224.1.1.1", RESOURCE (SETTINGS), "unicast");
  expect ("tfrcsink bind-address=::1", RESOURCE (SETTINGS), "\"bind-address\"");
  expect ("tfrcsink port=65535 rtcp-mux=false", RESOURCE (SETTINGS),
      "\"rtcp-mux\"");
  expect ("tfrcsink experimental=experimental,pacing=fast",
      RESOURCE (SETTINGS), "rfc or fluid");
  expect ("tfrcsink sdes=application/x-rtp-source-sdes,cname="
      "x123456789012345678901234567890123456789012345678901234567890123",
      RESOURCE (SETTINGS), "at most 63 bytes");
  expect ("tfrcsink uri=tfrc://127.0.0.1:5004?mode=fast", RESOURCE (SETTINGS),
      "\"mode\"");
  expect ("tfrcsink uri=http://127.0.0.1:5004", RESOURCE (SETTINGS),
      "is not of the form tfrc://host:port");
  expect ("tfrcsrc port=0 caps=application/x-rtp", RESOURCE (SETTINGS),
      "clock-rate");
  expect ("tfrcsrc port=0 caps=audio/x-raw,clock-rate=8000",
      RESOURCE (SETTINGS), "not application/x-rtp");
  expect ("tfrcsrc port=0 caps=EMPTY", RESOURCE (SETTINGS), "they are empty");
  expect ("tfrcsrc address=224.1.1.1", RESOURCE (SETTINGS), "\"address\"");
  expect ("tfrcsrc address=fe80::1", RESOURCE (SETTINGS), "\"address\"");
}

GST_END_TEST;

GST_START_TEST (a_port_that_cannot_be_had_is_named)
{
  net_open (27000);
  net_open (27003);
  expect ("tfrcsrc port=27000", RESOURCE (BUSY), "UDP port 27000 is in use");
  expect ("tfrcsrc port=27000 address=127.0.0.1", RESOURCE (BUSY),
      "property \"port\"");
  expect ("tfrcsrc port=27000 rtcp-mux=false", RESOURCE (BUSY),
      "UDP port 27000 is in use");
  expect ("tfrcsrc port=27002 rtcp-mux=false", RESOURCE (BUSY),
      "UDP port 27003 is in use");
  expect ("tfrcsrc port=65535 rtcp-mux=false", RESOURCE (BUSY), "65536");
  expect ("tfrcsink bind-port=27000", RESOURCE (BUSY), "\"bind-port\"");
  net_fail_bind (99, G_IO_ERROR_PERMISSION_DENIED);
  expect ("tfrcsrc port=99", RESOURCE (NOT_AUTHORIZED), "above 1023");
  net_fail_bind (5000, G_IO_ERROR_INVALID_ARGUMENT);
  expect ("tfrcsrc port=5000 address=192.0.2.1", RESOURCE (OPEN_READ_WRITE),
      "\"address\"");
}

GST_END_TEST;

/* The first free port that has a free one behind it. */
GST_START_TEST (a_pair_of_ports_is_sought)
{
  GstElement *src = gst_element_factory_make ("tfrcsrc", NULL);

  net_open (40001);
  g_object_set (src, "port", 0, "rtcp-mux", FALSE, NULL);
  /* the port that is free is the same each time, and never good */
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY),
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (src, GST_STATE_NULL);
  net_close (40001);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (ends_get_port (src), 40000);
  fail_unless_equals_int (net_count_sockets (), 2);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

GST_END_TEST;

#define ENCODER "audiotestsrc ! tfrcencodebin codecs=OPUS,G722 ! fakesink"

GST_START_TEST (a_missing_element_is_named_with_its_package)
{
  static const gchar *const missing[][3] = {
    {ENCODER, "audiobuffersplit", "gstreamer1.0-plugins-bad"},
    {ENCODER, "audioconvert", "gstreamer1.0-plugins-base"},
    {ENCODER, "avenc_g722", "gstreamer1.0-libav"},
  };
  GstRegistry *registry = gst_registry_get ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (missing); i++) {
    GstPluginFeature *feature = gst_registry_lookup_feature (registry,
        missing[i][1]);

    /* its plugin, when it is loaded, brings a feature of that name back */
    gst_object_unref (gst_plugin_feature_load (feature));
    gst_registry_remove_feature (registry, feature);
    expect (missing[i][0], GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        missing[i][2]);
    gst_registry_add_feature (registry, feature);
    gst_object_unref (feature);
  }
}

GST_END_TEST;

/* The ends need no element of another plugin. */
GST_START_TEST (the_ends_have_all_that_they_need)
{
  static const gchar *const others[] = { "rtpsession", "udpsrc", "udpsink",
    "multiudpsink", "rtpjitterbuffer", "srtpenc", "srtpdec", "funnel"
  };
  const gchar *line = "srtp-key="
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d";
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *features[G_N_ELEMENTS (others)];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others); i++) {
    features[i] = gst_registry_lookup_feature (registry, others[i]);
    gst_registry_remove_feature (registry, features[i]);
  }
  start_call (line, line);
  fail_unless_equals_int (ends_play (&ends, GST_SECOND), 50);
  ends_stop (&ends);
  for (i = 0; i < G_N_ELEMENTS (others); i++) {
    gst_registry_add_feature (registry, features[i]);
    gst_object_unref (features[i]);
  }
}

GST_END_TEST;

static Suite *
binsettings_suite (void)
{
  Suite *suite = suite_create ("binsettings");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, set_up, net_stop);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, packets_are_marked_and_sockets_have_their_options);
  tcase_add_test (tcase, properties_hold_what_they_are_set_to);
  tcase_add_test (tcase, bounds_may_change_in_a_call);
  tcase_add_test (tcase, an_experiment_is_that_of_the_flow);
  tcase_add_test (tcase, what_does_not_suit_the_mode_is_warned_of);
  tcase_add_test (tcase, what_the_encoder_may_use_is_notified);
  tcase_add_test (tcase, a_percent_sign_in_a_query_begins_two_digits);
  tcase_add_test (tcase, a_uri_makes_either_end);
  tcase_add_test (tcase, a_uri_that_is_wrong_sets_nothing);
  tcase_add_test (tcase, an_error_names_what_of_a_uri_is_wrong);
  tcase_add_loop_test (tcase, settings_of_the_sockets_are_apart, 0, 2);
  tcase_add_test (tcase, the_name_in_sdes_is_what_was_set);
  tcase_add_loop_test (tcase, the_port_is_that_of_rtp, 0, 3);
  tcase_add_test (tcase, the_items_of_sdes_have_a_size);
  tcase_add_test (tcase, errors_name_the_remedy);
  tcase_add_test (tcase, a_port_that_cannot_be_had_is_named);
  tcase_add_test (tcase, a_pair_of_ports_is_sought);
  tcase_add_test (tcase, a_missing_element_is_named_with_its_package);
  tcase_add_test (tcase, the_ends_have_all_that_they_need);
  return suite;
}

GST_CHECK_MAIN (binsettings);
