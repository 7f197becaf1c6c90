/* gst-tfrc: the properties of the sending filter alone
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/sendsettings.h"

#include "base/enums.h"

#define DEFAULT_MIN_BITRATE 0
#define DEFAULT_MAX_BITRATE 0
#define DEFAULT_MAX_QUEUE_TIME GST_CLOCK_TIME_NONE

/* Large key frames have to wait. Speech that waits is late, and so is what comes behind
 * it: as many packets leave, fresher, when the oldest are dropped sooner. */
#define QUEUE_TIME (200 * GST_MSECOND)
#define QUEUE_TIME_SP (100 * GST_MSECOND)
#define DEFAULT_MAX_QUEUE_PACKETS 1000
#define DEFAULT_SYNC FALSE
#define DEFAULT_CONTEXT ""
#define DEFAULT_TARGET_BITRATE 0
#define DEFAULT_DSCP -1
#define DEFAULT_PACING TFRC_PACING_RFC

static void
install (GObjectClass * klass, guint id, GParamSpec * pspec)
{
  g_object_class_install_property (klass, id, pspec);
}

static void
install_bounds (GObjectClass * klass)
{
  install (klass, GST_TFRC_PROP_MIN_BITRATE, g_param_spec_uint ("min-bitrate",
          "Min bitrate",
          "Lowest useful bit rate of the payload; with less the flow is told to "
          "suspend (bit/s, 0: none)", 0, G_MAXUINT, DEFAULT_MIN_BITRATE,
          GST_TFRC_SETTING_PLAYING));
  install (klass, GST_TFRC_PROP_MAX_BITRATE, g_param_spec_uint ("max-bitrate",
          "Max bitrate",
          "Highest bit rate of the payload that is told to the encoder "
          "(bit/s, 0: no limit)", 0, G_MAXUINT, DEFAULT_MAX_BITRATE,
          GST_TFRC_SETTING_PLAYING));
  install (klass, GST_TFRC_PROP_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time", "Max queue time",
          "How long a packet may wait for its departure; older "
          "ones are dropped (ns, 0: no limit, none: 100 ms with mode=tfrc-sp, "
          "200 ms with mode=tfrc). After EOS packets are dropped, whatever the "
          "limit, once no report has come for 500 ms or four round-trip times",
          0, G_MAXUINT64, DEFAULT_MAX_QUEUE_TIME, GST_TFRC_SETTING_PLAYING));
  install (klass, GST_TFRC_PROP_MAX_QUEUE_PACKETS,
      g_param_spec_uint ("max-queue-packets", "Max queue packets",
          "How many packets may wait for their departure; "
          "the oldest are dropped (packets)", 1, G_MAXUINT,
          DEFAULT_MAX_QUEUE_PACKETS, GST_TFRC_SETTING_PLAYING));
}

static void
install_policies (GObjectClass * klass)
{
  install (klass, GST_TFRC_PROP_SYNC, g_param_spec_boolean ("sync", "Sync",
          "Wait for the running time of each packet, for input that is not live",
          DEFAULT_SYNC, GST_TFRC_SETTING_READY));
  install (klass, GST_TFRC_PROP_CONTEXT, g_param_spec_string ("context",
          "Context",
          "Elements with the same name share one thread for departures that must "
          "wait (empty: a thread of its own)", DEFAULT_CONTEXT,
          GST_TFRC_SETTING_READY));
  install (klass, GST_TFRC_PROP_TARGET_BITRATE,
      g_param_spec_uint ("target-bitrate", "Target bitrate",
          "Rate of RTP packets that the network guarantees to "
          "this flow (gTFRC), only with dscp (bit/s, 0: none)", 0, G_MAXUINT,
          DEFAULT_TARGET_BITRATE, GST_TFRC_SETTING_READY));
  install (klass, GST_TFRC_PROP_DSCP, g_param_spec_int ("dscp", "DSCP",
          "Code point by which the network knows the guaranteed flow; what sends "
          "the packets must mark them with it (-1: none)", -1, 63, DEFAULT_DSCP,
          GST_TFRC_SETTING_READY));
  install (klass, GST_TFRC_PROP_PACING, g_param_spec_enum ("pacing", "Pacing",
          "How departures are spread within the allowed rate",
          GST_TYPE_TFRC_PACING, DEFAULT_PACING, GST_TFRC_SETTING_READY));
}

void
gst_tfrc_send_settings_install (GObjectClass * klass)
{
  install_bounds (klass);
  install_policies (klass);
}

void
gst_tfrc_send_settings_init (GstTfrcSendSettings * limits)
{
  *limits = (GstTfrcSendSettings) {
  .min_bitrate = DEFAULT_MIN_BITRATE,.max_bitrate =
        DEFAULT_MAX_BITRATE,.max_queue_time =
        DEFAULT_MAX_QUEUE_TIME,.max_queue_packets =
        DEFAULT_MAX_QUEUE_PACKETS,.sync = DEFAULT_SYNC,.context =
        g_strdup (DEFAULT_CONTEXT),.target_bitrate =
        DEFAULT_TARGET_BITRATE,.dscp = DEFAULT_DSCP,.pacing = DEFAULT_PACING,};
}

guint64
gst_tfrc_send_settings_get_queue_time (const GstTfrcSendSettings * limits,
    TfrcMode mode)
{
  if (limits->max_queue_time != GST_CLOCK_TIME_NONE)
    return limits->max_queue_time;
  return mode == TFRC_MODE_TFRC_SP ? QUEUE_TIME_SP : QUEUE_TIME;
}

void
gst_tfrc_send_settings_clear (GstTfrcSendSettings * limits)
{
  g_clear_pointer (&limits->context, g_free);
}

gboolean
gst_tfrc_send_settings_set (GstTfrcSendSettings * limits, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_MIN_BITRATE:
      limits->min_bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_MAX_BITRATE:
      limits->max_bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_MAX_QUEUE_TIME:
      limits->max_queue_time = g_value_get_uint64 (value);
      break;
    case GST_TFRC_PROP_MAX_QUEUE_PACKETS:
      limits->max_queue_packets = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_SYNC:
      limits->sync = g_value_get_boolean (value);
      break;
    case GST_TFRC_PROP_CONTEXT:
      g_free (limits->context);
      limits->context = g_value_dup_string (value);
      break;
    case GST_TFRC_PROP_TARGET_BITRATE:
      limits->target_bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_PROP_DSCP:
      limits->dscp = g_value_get_int (value);
      break;
    case GST_TFRC_PROP_PACING:
      limits->pacing = g_value_get_enum (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_send_settings_get (const GstTfrcSendSettings * limits, guint id,
    GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_MIN_BITRATE:
      g_value_set_uint (value, limits->min_bitrate);
      break;
    case GST_TFRC_PROP_MAX_BITRATE:
      g_value_set_uint (value, limits->max_bitrate);
      break;
    case GST_TFRC_PROP_MAX_QUEUE_TIME:
      g_value_set_uint64 (value, limits->max_queue_time);
      break;
    case GST_TFRC_PROP_MAX_QUEUE_PACKETS:
      g_value_set_uint (value, limits->max_queue_packets);
      break;
    case GST_TFRC_PROP_SYNC:
      g_value_set_boolean (value, limits->sync);
      break;
    case GST_TFRC_PROP_CONTEXT:
      g_value_set_string (value, limits->context);
      break;
    case GST_TFRC_PROP_TARGET_BITRATE:
      g_value_set_uint (value, limits->target_bitrate);
      break;
    case GST_TFRC_PROP_DSCP:
      g_value_set_int (value, limits->dscp);
      break;
    case GST_TFRC_PROP_PACING:
      g_value_set_enum (value, limits->pacing);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

void
gst_tfrc_send_settings_to_config (const GstTfrcSendSettings * limits,
    TfrcConfig * config)
{
  config->pacing = limits->pacing;
  config->g = limits->target_bitrate / 8.0;
  config->dscp_set = limits->dscp >= 0;
}
