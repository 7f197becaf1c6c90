/* gst-tfrc: the values of the writable properties of the filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/filterdefaults.h"

#include "base/enums.h"
#include "base/propertyfield.h"
#include "base/tfrccaps.h"

/* The ID of the header extension when neither property nor caps have one. */
#define EXTENSION_ID 3

/* How long a packet may wait by default. The packets of a large key frame have to wait for each
 * other. Packets of speech may wait for half as long: the same number is sent when the oldest
 * expire sooner, and the packets that are sent arrive earlier. */
#define QUEUE_TIME (200 * GST_MSECOND)
#define QUEUE_TIME_SP (100 * GST_MSECOND)

/* --- values --- */

void
gst_tfrc_filter_settings_init (GstTfrcFilterSettings * settings, gboolean sends)
{
  *settings = (GstTfrcFilterSettings) {
      .sends = sends,
      .mode = DEFAULT_MODE,
      .mtu = DEFAULT_MTU,
      .header_size = DEFAULT_HEADER_SIZE,
      .extension_id = DEFAULT_EXTENSION_ID,
      .feedback_fmt = DEFAULT_FEEDBACK_FMT,
      .min_bitrate = DEFAULT_MIN_BITRATE,
      .max_bitrate = DEFAULT_MAX_BITRATE,
      .max_queue_time = DEFAULT_MAX_QUEUE_TIME,
      .max_queue_packets = DEFAULT_MAX_QUEUE_PACKETS,
      .sync = DEFAULT_SYNC,
      .context = g_strdup (DEFAULT_CONTEXT),
      .dscp = DEFAULT_DSCP,
      .initial_rtt = DEFAULT_INITIAL_RTT,
      .circuit_breaker = DEFAULT_CIRCUIT_BREAKER,
      .max_loss = DEFAULT_MAX_LOSS,
      .feedback = DEFAULT_FEEDBACK,
      .coupling = DEFAULT_COUPLING,
      .coupling_group = g_strdup (DEFAULT_COUPLING_GROUP)};
}

void
gst_tfrc_filter_settings_clear (GstTfrcFilterSettings * settings)
{
  g_clear_object (&settings->rtp_session);
  gst_clear_structure (&settings->experimental);
  gst_clear_structure (&settings->payload_type_map);
  gst_clear_structure (&settings->ssrc_map);
  g_clear_pointer (&settings->context, g_free);
  g_clear_pointer (&settings->coupling_group, g_free);
}

void
gst_tfrc_filter_settings_copy (GstTfrcFilterSettings * to,
    const GstTfrcFilterSettings * from)
{
  *to = *from;
  if (from->rtp_session != NULL)
    g_object_ref (to->rtp_session);
  if (from->experimental != NULL)
    to->experimental = gst_structure_copy (from->experimental);
  if (from->payload_type_map != NULL)
    to->payload_type_map = gst_structure_copy (from->payload_type_map);
  if (from->ssrc_map != NULL)
    to->ssrc_map = gst_structure_copy (from->ssrc_map);
  to->context = g_strdup (from->context);
  to->coupling_group = g_strdup (from->coupling_group);
}

/* The field of each property, which has the type of the property. */
#define FIELD(name) G_STRUCT_OFFSET (GstTfrcFilterSettings, name)

static const gsize fields[GST_TFRC_N_SETTINGS] = {
  [GST_TFRC_PROP_MODE] = FIELD (mode),
  [GST_TFRC_PROP_MTU] = FIELD (mtu),
  [GST_TFRC_PROP_HEADER_SIZE] = FIELD (header_size),
  [GST_TFRC_PROP_EXTENSION_ID] = FIELD (extension_id),
  [GST_TFRC_PROP_FEEDBACK_FMT] = FIELD (feedback_fmt),
  [GST_TFRC_PROP_RTP_SESSION] = FIELD (rtp_session),
  [GST_TFRC_PROP_EXPERIMENTAL] = FIELD (experimental),
  [GST_TFRC_PROP_PAYLOAD_TYPE_MAP] = FIELD (payload_type_map),
  [GST_TFRC_PROP_SSRC_MAP] = FIELD (ssrc_map),
  [GST_TFRC_PROP_MIN_BITRATE] = FIELD (min_bitrate),
  [GST_TFRC_PROP_MAX_BITRATE] = FIELD (max_bitrate),
  [GST_TFRC_PROP_MAX_QUEUE_TIME] = FIELD (max_queue_time),
  [GST_TFRC_PROP_MAX_QUEUE_PACKETS] = FIELD (max_queue_packets),
  [GST_TFRC_PROP_SYNC] = FIELD (sync),
  [GST_TFRC_PROP_CONTEXT] = FIELD (context),
  [GST_TFRC_PROP_DSCP] = FIELD (dscp),
  [GST_TFRC_PROP_INITIAL_RTT] = FIELD (initial_rtt),
  [GST_TFRC_PROP_CIRCUIT_BREAKER] = FIELD (circuit_breaker),
  [GST_TFRC_PROP_MAX_LOSS] = FIELD (max_loss),
  [GST_TFRC_PROP_FEEDBACK] = FIELD (feedback),
  [GST_TFRC_PROP_COUPLING] = FIELD (coupling),
  [GST_TFRC_PROP_COUPLING_GROUP] = FIELD (coupling_group),
};

static gboolean
is_setting (guint id)
{
  return id > 0 && id < GST_TFRC_N_SETTINGS;
}

gboolean
gst_tfrc_filter_settings_set (GstTfrcFilterSettings * settings, guint id,
    const GValue * value)
{
  if (is_setting (id))
    gst_tfrc_property_field_set (settings, fields[id], value);
  return is_setting (id);
}

gboolean
gst_tfrc_filter_settings_get (const GstTfrcFilterSettings * settings, guint id,
    GValue * value)
{
  if (is_setting (id))
    gst_tfrc_property_field_get (settings, fields[id], value);
  return is_setting (id);
}

/* --- what the settings come to --- */

guint64
gst_tfrc_filter_settings_get_queue_time (const GstTfrcFilterSettings * settings,
    TfrcMode mode, guint64 wanted)
{
  if (settings->max_queue_time != GST_CLOCK_TIME_NONE)
    return settings->max_queue_time;
  if (mode != TFRC_MODE_TFRC_SP)
    return QUEUE_TIME;
  return wanted > 0 ? wanted : QUEUE_TIME_SP;
}

GstTfrcFeedback
gst_tfrc_filter_settings_get_feedback (const GstTfrcFilterSettings * settings,
    const GstCaps * caps)
{
  if (settings->feedback != GST_TFRC_FEEDBACK_AUTO)
    return settings->feedback;
  return caps != NULL ? gst_tfrc_feedback_of_caps (caps) :
      GST_TFRC_FEEDBACK_TFRC;
}

guint
gst_tfrc_filter_settings_get_extension_id (const
    GstTfrcFilterSettings * settings, const GstCaps * caps)
{
  guint id = settings->extension_id;

  if (id == 0)
    id = gst_tfrc_caps_find_extension_id (caps);
  return id != 0 ? id : EXTENSION_ID;
}
