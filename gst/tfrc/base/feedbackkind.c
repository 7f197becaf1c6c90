/* gst-tfrc: which RTCP feedback tells the data sender what arrived, and how caps negotiate it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/feedbackkind.h"

#include "base/enums.h"
#include "base/tfrccaps.h"

#define FEEDBACK "rtcp-fb-"

GType
gst_tfrc_feedback_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_FEEDBACK_AUTO, "What the caps negotiate", "auto"},
    {GST_TFRC_FEEDBACK_TFRC, "TFRC reports", "tfrc"},
    {GST_TFRC_FEEDBACK_TWCC, "Transport-wide congestion control feedback",
        "twcc"},
    {GST_TFRC_FEEDBACK_CCFB, "RTP congestion control feedback, RFC 8888",
        "ccfb"},
    {GST_TFRC_FEEDBACK_RR, "RTCP receiver reports alone", "rr"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcFeedback",
            values));
  return type;
}

const gchar *
gst_tfrc_feedback_get_nick (GstTfrcFeedback feedback)
{
  return gst_tfrc_enum_get_nick (GST_TYPE_TFRC_FEEDBACK, feedback);
}

guint
gst_tfrc_feedback_find_transport_id (const GstCaps * caps)
{
  return gst_tfrc_caps_find_id_of (caps, GST_TFRC_TRANSPORT_URI);
}

/* For gst_structure_foreach(), which ends at FALSE: the field is not one that only an SDP has. Payloaders of video
 * write a-framerate and a-framesize, for the SDP that is to be. */
static gboolean
is_not_of_sdp (GQuark field, const GValue * value, gpointer data)
{
  const gchar *name = g_quark_to_string (field);

  return !g_str_has_prefix (name, FEEDBACK)
      && !g_str_has_prefix (name, GST_TFRC_CAPS_EXTMAP)
      && (!g_str_has_prefix (name, "a-") || g_str_has_prefix (name, "a-frame"));
}

/* For gst_structure_foreach(), which ends at FALSE. */
static gboolean
is_no_feedback (GQuark field, const GValue * value, gpointer data)
{
  return !g_str_has_prefix (g_quark_to_string (field), FEEDBACK);
}

static gboolean
has_feedback (const GstStructure * structure, const gchar * field)
{
  gboolean has = FALSE;

  return gst_structure_get_boolean (structure, field, &has) && has;
}

GstTfrcFeedback
gst_tfrc_feedback_of_caps (const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  if (gst_tfrc_caps_find_extension_id (caps) != 0
      || has_feedback (structure, "rtcp-fb-tfrc")
      || gst_structure_has_field (structure, "tfrc-mode"))
    return GST_TFRC_FEEDBACK_TFRC;
  if (gst_tfrc_feedback_find_transport_id (caps) != 0
      && (has_feedback (structure, "rtcp-fb-transport-cc")
          || gst_structure_foreach (structure, is_no_feedback, NULL)))
    return GST_TFRC_FEEDBACK_TWCC;
  if (has_feedback (structure, "rtcp-fb-ack-ccfb"))
    return GST_TFRC_FEEDBACK_CCFB;
  return gst_structure_foreach (structure, is_not_of_sdp, NULL) ?
      GST_TFRC_FEEDBACK_TFRC : GST_TFRC_FEEDBACK_RR;
}
