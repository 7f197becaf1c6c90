/* gst-tfrc: what a peer of tfrcbin may have of its own, and how an application says it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peeroptions.h"

#include "codec/codectable.h"
#include "transport/endproperties.h"

#define DEFAULT_LATENCY 100     /* ms; as that of tfrcsrc */
#define DEFAULT_MIN_LATENCY 10  /* ms */
#define DEFAULT_DSCP -1
#define DEFAULT_SYNC TRUE
#define DEFAULT_ECN GST_TFRC_ECN_AUTO

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

/* What has the value of an option. */
typedef enum
{
  IN_FILTER, IN_SRTP, IN_DTLS, IN_LATENCY, IN_MIN_LATENCY,
  IN_MAX_LATENCY, IN_ECN, IN_RTCP_PORT, IN_CAPS
} Place;

/* The options that are properties, in the order of their ids. */
static const struct
{
  const gchar *name;
  Place place;
  guint id;                     /* there */
} options_table[GST_TFRC_N_PEER_PROPS] = {
  {"mode", IN_FILTER, GST_TFRC_PROP_MODE},
  {"mtu", IN_FILTER, GST_TFRC_PROP_MTU},
  {"header-size", IN_FILTER, GST_TFRC_PROP_HEADER_SIZE},
  {"extension-id", IN_FILTER, GST_TFRC_PROP_EXTENSION_ID},
  {"feedback-fmt", IN_FILTER, GST_TFRC_PROP_FEEDBACK_FMT},
  {"experimental", IN_FILTER, GST_TFRC_PROP_EXPERIMENTAL},
  {"min-bitrate", IN_FILTER, GST_TFRC_PROP_MIN_BITRATE},
  {"max-bitrate", IN_FILTER, GST_TFRC_PROP_MAX_BITRATE},
  {"max-queue-time", IN_FILTER, GST_TFRC_PROP_MAX_QUEUE_TIME},
  {"max-queue-packets", IN_FILTER, GST_TFRC_PROP_MAX_QUEUE_PACKETS},
  {"circuit-breaker", IN_FILTER, GST_TFRC_PROP_CIRCUIT_BREAKER},
  {"max-loss", IN_FILTER, GST_TFRC_PROP_MAX_LOSS},
  {"initial-rtt", IN_FILTER, GST_TFRC_PROP_INITIAL_RTT},
  {"feedback", IN_FILTER, GST_TFRC_PROP_FEEDBACK},
  {"sync", IN_FILTER, GST_TFRC_PROP_SYNC},
  {"dscp", IN_FILTER, GST_TFRC_PROP_DSCP},
  {"ecn", IN_ECN, 0},
  {"latency", IN_LATENCY, 0},
  {"min-latency", IN_MIN_LATENCY, 0},
  {"max-latency", IN_MAX_LATENCY, 0},
  {"rtcp-port", IN_RTCP_PORT, 0},
  {"caps", IN_CAPS, 0},
  {"srtp-key", IN_SRTP, GST_TFRC_SRTP_PROP_KEY},
  {"srtp-remote-key", IN_SRTP, GST_TFRC_SRTP_PROP_REMOTE_KEY},
  {"srtp-cipher", IN_SRTP, GST_TFRC_SRTP_PROP_CIPHER},
  {"srtp-auth", IN_SRTP, GST_TFRC_SRTP_PROP_AUTH},
  {"dtls-setup", IN_DTLS, GST_TFRC_DTLS_PROP_SETUP},
  {"peer-fingerprint", IN_DTLS, GST_TFRC_DTLS_PROP_PEER_FINGERPRINT},
};

/* --- properties --- */

static void
install_feedback (GObjectClass * klass, guint first_id)
{
  /**
   * GstTfrcBin:feedback:
   *
   * What the remote end tells of the packets that are sent to it: tfrc, or rr
   * for a phone that knows nothing of TFRC and sends RTCP receiver reports
   * alone. auto takes what the caps negotiate, and goes on with rr when
   * three receiver reports have come, each half a second or more after
   * the one before, and no TFRC report.
   *
   * With rr, packets have no stamp, and the rate begins without waiting for the
   * first report: set it for a peer whose SDP has none of TFRC. Other values of
   * #GstRtpTfrcSend:feedback are refused.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_PEER_PROP_FEEDBACK, g_param_spec_enum ("feedback",
          "Feedback",
          "What the remote end tells of the packets that are sent to it: tfrc, "
          "or rr for a phone that knows nothing of TFRC and sends RTCP "
          "receiver reports alone. auto takes what the caps negotiate, and "
          "goes on with rr when three receiver reports have come, each half a "
          "second or more after the one before, and no TFRC report",
          GST_TYPE_TFRC_FEEDBACK, GST_TFRC_FEEDBACK_AUTO, SETTING));
}

static void
install_media (GObjectClass * klass, guint first_id)
{
  /**
   * GstTfrcBin:sync:
   *
   * Wait for the running time of each packet, so that files go out at their
   * own pace; input that is live is not delayed by it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_PEER_PROP_SYNC,
      g_param_spec_boolean ("sync", "Sync",
          "Wait for the running time of each packet, so that files go out at "
          "their own pace; input that is live is not delayed by it",
          DEFAULT_SYNC, SETTING));
  /**
   * GstTfrcBin:dscp:
   *
   * Code point that packets are marked with (-1: unmarked).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_PEER_PROP_DSCP,
      g_param_spec_int ("dscp", "DSCP",
          "Code point that packets are marked with (-1: unmarked)", -1, 63,
          DEFAULT_DSCP, SETTING));
  /**
   * GstTfrcBin:ecn:
   *
   * Explicit congestion notification (RFC 6679): whether routers may mark the
   * packets that are sent instead of dropping them, and whether marks on
   * packets that arrive are read. Marks lower the rate as losses do.
   *
   * With `auto`, one packet in eight is ECN-capable at first when the remote end
   * has announced that it reports marks, and every packet when its reports show
   * that the path leaves the marks as they are. The default is safe with every
   * remote end: towards one that announces nothing, no packet is ECN-capable.
   * With `ect0` nothing has to be announced; it is for remote ends that send
   * the ECN feedback of RFC 6679 5.1 with each receiver report. No packet is
   * ECN-capable any more when the reports fail to come or show that the path
   * spoils the marks.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_PEER_PROP_ECN,
      g_param_spec_enum ("ecn", "ECN",
          "Explicit congestion notification (RFC 6679): whether routers may "
          "mark the packets that are sent instead of dropping them, and "
          "whether marks on packets that arrive are read",
          GST_TYPE_TFRC_ECN, DEFAULT_ECN, SETTING));
  /**
   * GstTfrcBin:latency:
   *
   * How long packets that are late are waited for (ms). The default is enough
   * for the first redundant copy of a packet that tfrcencodebin sends. The remote
   * end is told, and lets packets wait for their departure where they still come
   * in time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_PEER_PROP_LATENCY,
      g_param_spec_uint ("latency", "Latency",
          "How long packets that are late are waited for (ms)", 0, 10000,
          DEFAULT_LATENCY, SETTING));
  /**
   * GstTfrcBin:min-latency:
   *
   * The least delay after which packets are played when max-latency is set (ms).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_PEER_PROP_MIN_LATENCY,
      g_param_spec_uint ("min-latency", "Min latency",
          "The least delay after which packets are played when max-latency is "
          "set (ms)", 0, 10000, DEFAULT_MIN_LATENCY, SETTING));
  /**
   * GstTfrcBin:max-latency:
   *
   * Play packets after a delay that follows jitter and redundant copies, and is
   * at most this long (ms, 0: always after latency). The pipeline has this latency, and the
   * delay is made shorter by the times of the packets. It changes by at most 3 % of
   * the time, and tfrcdecodebin stretches or squeezes the sound by as much. The delay
   * is the one that costs a listener least by the E-model (ITU-T G.107.1).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_PEER_PROP_MAX_LATENCY,
      g_param_spec_uint ("max-latency", "Max latency",
          "Play packets after a delay that follows jitter and redundant copies, "
          "and is at most this long (ms, 0: always after latency)", 0, 10000, 0,
          SETTING));
  /**
   * GstTfrcBin:rtcp-port:
   *
   * The port of the peer that RTCP goes to and comes from (0: that of RTP, RFC
   * 5761). It is for phones without a=rtcp-mux in their SDP, which send RTCP to
   * the port that a=rtcp (RFC 3605) in the SDP of this end names.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_PEER_PROP_RTCP_PORT,
      g_param_spec_uint ("rtcp-port", "RTCP port",
          "The port of the peer that RTCP goes to and comes from (0: that of "
          "RTP, RFC 5761)", 0, 65535, 0, SETTING));
  /**
   * GstTfrcBin:caps:
   *
   * What arrives: one structure for each RTP payload type, each with its
   * clock-rate. Static payload types of RFC 3551 need none. The default is what
   * tfrcencodebin sends.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_PEER_PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps",
          "What arrives: one structure for each RTP payload type, each with "
          "its clock-rate. Static payload types of RFC 3551 need none",
          GST_TYPE_CAPS, SETTING));
}

void
gst_tfrc_peer_options_install (GObjectClass * klass, guint first_id)
{
  static const gchar *const of_filter[] = { "mode", "mtu", "header-size",
    "extension-id", "feedback-fmt", "experimental", "min-bitrate",
    "max-bitrate", "max-queue-time", "max-queue-packets", "circuit-breaker",
    "max-loss", "initial-rtt", NULL
  };

  gst_tfrc_child_properties_install (klass, first_id, "rtptfrcsend", of_filter,
      SETTING);
  install_feedback (klass, first_id);
  install_media (klass, first_id);
  gst_tfrc_srtp_settings_install (klass, first_id + GST_TFRC_PEER_PROP_SRTP);
  gst_tfrc_dtls_settings_install (klass, first_id + GST_TFRC_PEER_PROP_DTLS);
}

void
gst_tfrc_peer_options_init (GstTfrcPeerOptions * options)
{
  *options = (GstTfrcPeerOptions) {
      .latency = DEFAULT_LATENCY,
      .min_latency = DEFAULT_MIN_LATENCY,
      .ecn = DEFAULT_ECN,
      .end = GST_TFRC_SRTP_EITHER_END,
      .caps = gst_tfrc_codec_get_default_caps ()
  };
  gst_tfrc_filter_settings_init (&options->filter, TRUE);
  options->filter.sync = DEFAULT_SYNC;
  gst_tfrc_srtp_settings_init (&options->srtp);
}

void
gst_tfrc_peer_options_copy (GstTfrcPeerOptions * to,
    const GstTfrcPeerOptions * from)
{
  *to = *from;
  to->label = g_strdup (from->label);
  to->caps = from->caps != NULL ? gst_caps_ref (from->caps) : NULL;
  gst_tfrc_filter_settings_copy (&to->filter, &from->filter);
  gst_tfrc_srtp_settings_copy (&to->srtp, &from->srtp);
  gst_tfrc_dtls_settings_copy (&to->dtls, &from->dtls);
}

void
gst_tfrc_peer_options_clear (GstTfrcPeerOptions * options)
{
  g_clear_pointer (&options->label, g_free);
  gst_clear_caps (&options->caps);
  gst_tfrc_filter_settings_clear (&options->filter);
  gst_tfrc_srtp_settings_clear (&options->srtp);
  gst_tfrc_dtls_settings_clear (&options->dtls);
}

guint
gst_tfrc_peer_options_find (const gchar * name)
{
  guint prop;

  for (prop = 0; prop < GST_TFRC_N_PEER_PROPS; prop++)
    if (g_str_equal (options_table[prop].name, name))
      break;
  return prop;
}

gboolean
gst_tfrc_peer_options_set (GstTfrcPeerOptions * options, guint prop,
    const GValue * value)
{
  if (prop >= GST_TFRC_N_PEER_PROPS)
    return FALSE;
  switch (options_table[prop].place) {
    case IN_FILTER:
      return gst_tfrc_filter_settings_set (&options->filter,
          options_table[prop].id, value);
    case IN_SRTP:
      return gst_tfrc_srtp_settings_set (&options->srtp,
          options_table[prop].id, value);
    case IN_DTLS:
      return gst_tfrc_dtls_settings_set (&options->dtls,
          options_table[prop].id, value);
    case IN_LATENCY:
      options->latency = g_value_get_uint (value);
      break;
    case IN_MIN_LATENCY:
      options->min_latency = g_value_get_uint (value);
      break;
    case IN_MAX_LATENCY:
      options->max_latency = g_value_get_uint (value);
      break;
    case IN_RTCP_PORT:
      options->rtcp_port = g_value_get_uint (value);
      break;
    case IN_ECN:
      options->ecn = g_value_get_enum (value);
      break;
    case IN_CAPS:
      gst_caps_replace (&options->caps, (GstCaps *) gst_value_get_caps (value));
      break;
  }
  return TRUE;
}

gboolean
gst_tfrc_peer_options_get (const GstTfrcPeerOptions * options, guint prop,
    GValue * value)
{
  if (prop >= GST_TFRC_N_PEER_PROPS)
    return FALSE;
  switch (options_table[prop].place) {
    case IN_FILTER:
      return gst_tfrc_filter_settings_get (&options->filter,
          options_table[prop].id, value);
    case IN_SRTP:
      return gst_tfrc_srtp_settings_get (&options->srtp,
          options_table[prop].id, value);
    case IN_DTLS:
      return gst_tfrc_dtls_settings_get (&options->dtls,
          options_table[prop].id, value);
    case IN_LATENCY:
      g_value_set_uint (value, options->latency);
      break;
    case IN_MIN_LATENCY:
      g_value_set_uint (value, options->min_latency);
      break;
    case IN_MAX_LATENCY:
      g_value_set_uint (value, options->max_latency);
      break;
    case IN_RTCP_PORT:
      g_value_set_uint (value, options->rtcp_port);
      break;
    case IN_ECN:
      g_value_set_enum (value, options->ecn);
      break;
    case IN_CAPS:
      gst_value_set_caps (value, options->caps);
      break;
  }
  return TRUE;
}

/* --- a structure of options --- */

typedef struct
{
  GstTfrcPeerOptions *options;
  GObjectClass *klass;
  gchar *error;
} Reading;

static gchar *
list_options (void)
{
  GString *list = g_string_new ("label");
  guint i;

  for (i = 0; i < GST_TFRC_N_PEER_PROPS; i++)
    g_string_append_printf (list, ", %s", options_table[i].name);
  return g_string_free (list, FALSE);
}

/* Makes `to`, which is initialized, of a value of its type or of a string. */
static gboolean
convert (GValue * to, const GValue * from)
{
  if (G_VALUE_HOLDS_STRING (from) && !G_VALUE_HOLDS_STRING (to))
    return g_value_get_string (from) != NULL &&
        gst_value_deserialize (to, g_value_get_string (from));
  return g_value_transform (from, to);
}

/* A key is not put into the text. */
static gboolean
read_property (Reading * reading, guint prop, const GValue * from)
{
  const gchar *name = options_table[prop].name;
  GParamSpec *spec = g_object_class_find_property (reading->klass, name);
  GValue value = G_VALUE_INIT;
  gboolean fits;

  g_value_init (&value, spec->value_type);
  fits = convert (&value, from) && !g_param_value_validate (spec, &value);
  if (fits)
    gst_tfrc_peer_options_set (reading->options, prop, &value);
  else
    reading->error = g_strdup_printf ("The value of \"%s\" cannot be used.",
        name);
  reading->options->own = TRUE;
  g_value_unset (&value);
  return fits;
}

static gboolean
read_label (Reading * reading, const GValue * value)
{
  if (!G_VALUE_HOLDS_STRING (value)) {
    reading->error = g_strdup ("The value of \"label\" is no string.");
    return FALSE;
  }
  g_free (reading->options->label);
  reading->options->label = g_value_dup_string (value);
  return TRUE;
}

static gboolean
read_field (GQuark quark, const GValue * value, gpointer user_data)
{
  Reading *reading = user_data;
  const gchar *name = g_quark_to_string (quark);
  gchar *list;
  guint prop;

  if (g_str_equal (name, "label"))
    return read_label (reading, value);
  prop = gst_tfrc_peer_options_find (name);
  if (prop < GST_TFRC_N_PEER_PROPS)
    return read_property (reading, prop, value);
  list = list_options ();
  reading->error = g_strdup_printf ("A peer has no option \"%s\", but %s.",
      name, list);
  g_free (list);
  return FALSE;
}

gchar *
gst_tfrc_peer_options_read (GstTfrcPeerOptions * options, GObjectClass * klass,
    const GstStructure * fields)
{
  Reading reading = { options, klass, NULL };

  if (fields != NULL)
    gst_structure_foreach (fields, read_field, &reading);
  return reading.error;
}
