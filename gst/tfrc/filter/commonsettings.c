/* gst-tfrc: the properties that both filters have
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/commonsettings.h"

#include <string.h>
#include <tfrc/wire.h>

#include "base/enums.h"
#include "base/sdpcaps.h"
#include "filter/stampedpacket.h"

#define DEFAULT_MODE TFRC_MODE_TFRC
#define DEFAULT_MTU 1500
#define DEFAULT_HEADER_SIZE 40  /* RFC 4828 3 */
#define DEFAULT_LOSS_MEASURE TFRC_MEASURE_RFC
#define DEFAULT_EXTENSION_ID 0
#define EXTENSION_ID 3          /* when neither property nor caps say */
#define DEFAULT_FEEDBACK_FMT TFRC_REPORT_FMT

/* IP and UDP headers as they count against the path's largest packet: IPv6 with
 * no options less 8, IPv4 with room for some. RFC 4828 3: 1460 of 1500. */
#define MSS_OVERHEAD 40

static void
install_mode (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_TFRC_PROP_MODE,
      g_param_spec_enum ("mode", "Mode",
          "tfrc: RFC 5348; tfrc-sp: RFC 4828, for small packets such as voice "
          "(experimental). Both ends must use the same", GST_TYPE_TFRC_MODE,
          DEFAULT_MODE, GST_TFRC_SETTING_READY));
  g_object_class_install_property (klass, GST_TFRC_PROP_MTU,
      g_param_spec_uint ("mtu", "MTU", "Largest IP packet of the path (bytes)",
          576, 65535, DEFAULT_MTU, GST_TFRC_SETTING_READY));
  g_object_class_install_property (klass, GST_TFRC_PROP_HEADER_SIZE,
      g_param_spec_uint ("header-size", "Header size",
          "Bytes below RTP in each packet: 28 for UDP over IPv4, 48 over IPv6; "
          "RFC 4828 uses 40 (bytes)", 0, 512, DEFAULT_HEADER_SIZE,
          GST_TFRC_SETTING_READY));
  g_object_class_install_property (klass, GST_TFRC_PROP_LOSS_MEASURE,
      g_param_spec_enum ("loss-measure", "Loss measure",
          "How loss intervals are measured; all but rfc are experiments. Both "
          "ends must use the same", GST_TYPE_TFRC_MEASURE,
          DEFAULT_LOSS_MEASURE, GST_TFRC_SETTING_READY));
}

static void
install_wire (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_TFRC_PROP_EXTENSION_ID,
      g_param_spec_uint ("extension-id", "Extension ID",
          "ID of the RTP header extension " TFRC_STAMP_URI
          " (0: from extmap-<id> of the caps, 3 when they have none)", 0, 255,
          DEFAULT_EXTENSION_ID, GST_TFRC_SETTING_READY));
  g_object_class_install_property (klass, GST_TFRC_PROP_FEEDBACK_FMT,
      g_param_spec_uint ("feedback-fmt", "Feedback FMT",
          "FMT of the RTPFB packets that carry TFRC reports", 1, 31,
          DEFAULT_FEEDBACK_FMT, GST_TFRC_SETTING_READY));
  g_object_class_install_property (klass, GST_TFRC_PROP_RTP_SESSION,
      g_param_spec_object ("rtp-session", "RTP session",
          "The rtpsession that carries the flow's RTCP, or its "
          "internal-session (not set: found by following the pads)",
          G_TYPE_OBJECT, GST_TFRC_SETTING_READY));
}

void
gst_tfrc_common_settings_install (GObjectClass * klass)
{
  install_mode (klass);
  install_wire (klass);
}

void
gst_tfrc_common_settings_init (GstTfrcCommonSettings * settings)
{
  *settings = (GstTfrcCommonSettings) {
  .mode = DEFAULT_MODE,.loss_measure = DEFAULT_LOSS_MEASURE,.mtu =
        DEFAULT_MTU,.header_size = DEFAULT_HEADER_SIZE,.extension_id =
        DEFAULT_EXTENSION_ID,.feedback_fmt = DEFAULT_FEEDBACK_FMT,};
}

void
gst_tfrc_common_settings_clear (GstTfrcCommonSettings * settings)
{
  g_clear_object (&settings->rtp_session);
}

gboolean
gst_tfrc_common_settings_set (GstTfrcCommonSettings * settings, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_MODE:
      settings->mode = g_value_get_enum (value);
      break;
    case GST_TFRC_PROP_MTU:
      settings->mtu = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_HEADER_SIZE:
      settings->header_size = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_LOSS_MEASURE:
      settings->loss_measure = g_value_get_enum (value);
      break;
    case GST_TFRC_PROP_EXTENSION_ID:
      settings->extension_id = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_FEEDBACK_FMT:
      settings->feedback_fmt = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_RTP_SESSION:
      g_set_object (&settings->rtp_session, g_value_get_object (value));
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_common_settings_get (const GstTfrcCommonSettings * settings, guint id,
    GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_MODE:
      g_value_set_enum (value, settings->mode);
      break;
    case GST_TFRC_PROP_MTU:
      g_value_set_uint (value, settings->mtu);
      break;
    case GST_TFRC_PROP_HEADER_SIZE:
      g_value_set_uint (value, settings->header_size);
      break;
    case GST_TFRC_PROP_LOSS_MEASURE:
      g_value_set_enum (value, settings->loss_measure);
      break;
    case GST_TFRC_PROP_EXTENSION_ID:
      g_value_set_uint (value, settings->extension_id);
      break;
    case GST_TFRC_PROP_FEEDBACK_FMT:
      g_value_set_uint (value, settings->feedback_fmt);
      break;
    case GST_TFRC_PROP_RTP_SESSION:
      g_value_set_object (value, settings->rtp_session);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

void
gst_tfrc_common_settings_to_config (const GstTfrcCommonSettings * settings,
    TfrcConfig * config)
{
  tfrc_config_init (config, settings->mode);
  config->measure = settings->loss_measure;
  config->mss = settings->mtu - MSS_OVERHEAD;
  config->H = settings->header_size;
  config->S = MIN (config->S, config->mss);
  /* the origin of the send timestamps is no secret to guess (K3-2) */
  config->seed = (guint64) g_random_int () << 32 | g_random_int ();
}

/* The engine names its own fields. */
static const gchar *
get_property_of (const gchar * reason)
{
  static const gchar *names[][2] = {
    {"measure:", "loss-measure"}, {"S:", "loss-measure"}, {"mss:", "mtu"},
    {"H:", "header-size"}, {"g:", "target-bitrate"}, {"mode:", "mode"},
    {"pacing:", "pacing"}, {"mppn:", "pacing"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_has_prefix (reason, names[i][0]))
      return names[i][1];
  }
  return "mode";
}

gboolean
gst_tfrc_config_check (const TfrcConfig * config, GstElement * element)
{
  const char *reason = tfrc_config_check (config), *text;

  if (reason == NULL)
    return TRUE;
  text = strchr (reason, ':');
  GST_ELEMENT_ERROR (element, LIBRARY, SETTINGS,
      ("Property %s%s.", get_property_of (reason),
          text != NULL ? text : reason), (NULL));
  return FALSE;
}

guint
gst_tfrc_common_settings_get_extension_id (const GstTfrcCommonSettings *
    settings, const GstCaps * caps)
{
  guint id = settings->extension_id;

  if (id == 0)
    id = gst_tfrc_sdp_caps_find_extension_id (caps);
  return id != 0 ? id : EXTENSION_ID;
}
