/* gst-tfrc: the caps of RTP payload types, from the property "caps" of a receiving element
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/payloadcaps.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define DEFAULT_EXTMAP "extmap-3"

/* For gst_structure_foreach(), which ends at FALSE: whether the field does not map the header
 * extension of the stamp. */
static gboolean
is_not_stamp (GQuark field, const GValue * value, gpointer user_data)
{
  return !g_str_has_prefix (g_quark_to_string (field), "extmap-") ||
      !G_VALUE_HOLDS_STRING (value) ||
      g_strcmp0 (g_value_get_string (value), STAMP_URI) != 0;
}

/* For gst_structure_foreach(), which ends at FALSE: whether the field does not announce RTCP
 * feedback. */
static gboolean
is_no_feedback (GQuark field, const GValue * value, gpointer user_data)
{
  return !g_str_has_prefix (g_quark_to_string (field), "rtcp-fb-");
}

/* Adds to the caps what every tfrcsink does: it stamps packets, takes TFRC reports, and makes
 * key frames on request. Caps that have these fields already stay as they are. */
static void
complete_structure (GstStructure * s)
{
  gboolean no_feedback = gst_structure_foreach (s, is_no_feedback, NULL);

  if (gst_structure_foreach (s, is_not_stamp, NULL) &&
      !gst_structure_has_field (s, DEFAULT_EXTMAP)) {
    gst_structure_set (s, DEFAULT_EXTMAP, G_TYPE_STRING, STAMP_URI, NULL);
    no_feedback = TRUE;
  }
  if (no_feedback)
    gst_structure_set (s, "rtcp-fb-tfrc", G_TYPE_BOOLEAN, TRUE, NULL);
  if (g_strcmp0 (gst_structure_get_string (s, "media"), "video") == 0)
    gst_structure_set (s, "rtcp-fb-nack-pli", G_TYPE_BOOLEAN, TRUE, NULL);
}

GstCaps *
gst_tfrc_payload_caps_complete (const GstCaps * caps)
{
  GstCaps *complete = gst_caps_copy (caps);
  guint i;

  for (i = 0; i < gst_caps_get_size (complete); i++)
    complete_structure (gst_caps_get_structure (complete, i));
  return complete;
}

const gchar *
gst_tfrc_payload_caps_check (const GstCaps * caps)
{
  guint i;

  if (caps == NULL || gst_caps_is_any (caps) || gst_caps_is_empty (caps))
    return "they are empty";
  for (i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_caps_get_structure (caps, i);
    gint rate;

    if (!gst_structure_has_name (s, "application/x-rtp"))
      return "a structure is not application/x-rtp";
    if (!gst_structure_get_int (s, "clock-rate", &rate) || rate <= 0)
      return "a structure has no clock-rate";
  }
  return NULL;
}

/* Returns the structure that has this payload type, else the first that has none. */
static const GstStructure *
find_structure (const GstCaps * caps, guint payload_type)
{
  const GstStructure *any = NULL;
  guint i;

  for (i = 0; caps != NULL && i < gst_caps_get_size (caps); i++) {
    const GstStructure *s = gst_caps_get_structure (caps, i);
    gint payload;

    if (!gst_structure_get_int (s, "payload", &payload))
      any = any != NULL ? any : s;
    else if ((guint) payload == payload_type)
      return s;
  }
  return any;
}

/* Returns the caps of a static payload type of RFC 3551, or NULL. */
static GstCaps *
get_static_caps (guint payload_type)
{
  const GstRTPPayloadInfo *info = gst_rtp_payload_info_for_pt (payload_type);

  if (info == NULL || info->clock_rate == 0)
    return NULL;
  return gst_caps_new_simple ("application/x-rtp",
      "media", G_TYPE_STRING, info->media,
      "encoding-name", G_TYPE_STRING, info->encoding_name,
      "clock-rate", G_TYPE_INT, (gint) info->clock_rate, NULL);
}

GstCaps *
gst_tfrc_payload_caps_get (const GstCaps * caps, guint payload_type)
{
  const GstStructure *found = find_structure (caps, payload_type);
  GstCaps *result;

  if (found != NULL) {
    result = gst_caps_new_empty ();
    gst_caps_append_structure (result, gst_structure_copy (found));
  } else {
    result = get_static_caps (payload_type);
  }
  if (result != NULL)
    gst_caps_set_simple (result, "payload", G_TYPE_INT, (gint) payload_type,
        NULL);
  return result;
}
