/* gst-tfrc: the fields of caps that negotiate TFRC, and the lines of SDP that they stand for
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/tfrccaps.h"

#include <string.h>
#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "base/enums.h"

GST_TFRC_DEFINE_CATEGORY ("tfrctfrccaps", "TFRC in caps and SDP");

#define FEEDBACK_PREFIX "rtcp-fb-"
#define FEEDBACK "rtcp-fb-tfrc"
#define MODE "tfrc-mode"

/* What find_id() looks for, and what it finds. */
typedef struct
{
  const gchar *uri;
  guint id;
} Extension;

static gboolean
has_uri (const GValue * value, const gchar * uri)
{
  /* The field extmap-<id> is the URI, or an array of direction, URI and attributes. */
  if (GST_VALUE_HOLDS_ARRAY (value) && gst_value_array_get_size (value) >= 2)
    value = gst_value_array_get_value (value, 1);
  return G_VALUE_HOLDS_STRING (value) &&
      g_strcmp0 (g_value_get_string (value), uri) == 0;
}

/* For gst_structure_foreach(), which ends at FALSE. */
static gboolean
find_id (GQuark field, const GValue * value, gpointer data)
{
  const gchar *name = g_quark_to_string (field);
  Extension *extension = data;
  guint64 id;

  if (!g_str_has_prefix (name, GST_TFRC_CAPS_EXTMAP)
      || !has_uri (value, extension->uri)
      || !g_ascii_string_to_unsigned (name + strlen (GST_TFRC_CAPS_EXTMAP), 10,
          1, 255, &id, NULL))
    return TRUE;
  extension->id = id;
  return FALSE;
}

guint
gst_tfrc_caps_find_id_of (const GstCaps * caps, const gchar * uri)
{
  Extension extension = { uri, 0 };

  if (caps != NULL && gst_caps_get_size (caps) > 0)
    gst_structure_foreach (gst_caps_get_structure (caps, 0), find_id,
        &extension);
  return extension.id;
}

guint
gst_tfrc_caps_find_extension_id (const GstCaps * caps)
{
  return gst_tfrc_caps_find_id_of (caps, TFRC_STAMP_URI);
}

/* For gst_structure_foreach(), which ends at FALSE: the field negotiates no feedback. */
static gboolean
is_no_feedback (GQuark field, const GValue * value, gpointer user_data)
{
  return !g_str_has_prefix (g_quark_to_string (field), FEEDBACK_PREFIX);
}

/* GStreamer 1.22 makes rtcp-fb-tfrc of the SDP line a=rtcp-fb:<pt> tfrc, but does not make the
 * line of the field. It makes the line of tfrc-mode, so the mode alone is taken for both. */
static gboolean
has_tfrc (const GstStructure * structure)
{
  gboolean tfrc = FALSE;

  return (gst_structure_get_boolean (structure, FEEDBACK, &tfrc) && tfrc) ||
      gst_structure_has_field (structure, MODE);
}

/* The mode with this name; -1: there is none. */
static gint
parse_mode (const gchar * name)
{
  if (g_str_equal (name, gst_tfrc_mode_get_nick (TFRC_MODE_TFRC)))
    return TFRC_MODE_TFRC;
  return g_str_equal (name, gst_tfrc_mode_get_nick (TFRC_MODE_TFRC_SP)) ?
      TFRC_MODE_TFRC_SP : -1;
}

/* Whether an element whose property "mode" is `mode` can run in the mode `there`. */
static gboolean
fits (gint mode, const gchar * there)
{
  gint parsed = parse_mode (there);

  return parsed >= 0 && (mode == GST_TFRC_MODE_AUTO || mode == parsed);
}

/* Caps without any rtcp-fb-... field do not come from an SDP, and are good. */
GstTfrcCapsVerdict
gst_tfrc_caps_check (const GstCaps * caps, gint mode)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *there = gst_structure_get_string (structure, MODE);
  gboolean extension = gst_tfrc_caps_find_extension_id (caps) != 0;

  if (there != NULL && !fits (mode, there))
    return GST_TFRC_CAPS_OTHER_MODE;
  if (has_tfrc (structure))
    return extension ? GST_TFRC_CAPS_GOOD : GST_TFRC_CAPS_NO_EXTENSION;
  return extension && !gst_structure_foreach (structure, is_no_feedback, NULL) ?
      GST_TFRC_CAPS_NO_FEEDBACK : GST_TFRC_CAPS_GOOD;
}

gint
gst_tfrc_caps_get_mode (const GstCaps * caps, gboolean * agreed)
{
  const GstStructure *structure;
  const gchar *mode, *media;

  *agreed = FALSE;
  if (caps == NULL || gst_caps_get_size (caps) == 0)
    return -1;
  structure = gst_caps_get_structure (caps, 0);
  mode = gst_structure_get_string (structure, MODE);
  *agreed = mode != NULL;
  if (mode != NULL)
    return parse_mode (mode);
  media = gst_structure_get_string (structure, "media");
  if (media == NULL)
    return -1;
  return g_str_equal (media, "audio") || g_str_equal (media, "text") ?
      TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC;
}

static void
log_verdict (GstElement * element, const GstCaps * caps, gint mode,
    GstTfrcCapsVerdict verdict)
{
  static const gchar *const names[] = {
    [GST_TFRC_CAPS_GOOD] = "fit",
    [GST_TFRC_CAPS_OTHER_MODE] = "have another mode",
    [GST_TFRC_CAPS_NO_FEEDBACK] = "have RTCP feedback without tfrc",
    [GST_TFRC_CAPS_NO_EXTENSION] = "lack the header extension"
  };
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *there = gst_structure_get_string (structure, MODE);

  GST_INFO_OBJECT (element, "mode %s, and the caps %s (tfrc-mode %s, "
      "%s, header extension %u)", gst_tfrc_mode_get_nick (mode),
      names[verdict], there != NULL ? there : "unset",
      has_tfrc (structure) ? "feedback tfrc" : "no feedback tfrc",
      gst_tfrc_caps_find_extension_id (caps));
}

static void
post_other_mode (GstElement * element, const GstCaps * caps, gint mode)
{
  const gchar *there = gst_structure_get_string (gst_caps_get_structure (caps,
          0), MODE);

  GST_ELEMENT_ERROR (element, CORE, NEGOTIATION,
      ("This element runs in mode %s, but the caps negotiate tfrc-mode=%s. "
          "Set mode=%s here, or negotiate the mode of this element.",
          gst_tfrc_mode_get_nick (mode), there, there), (NULL));
}

/* Caps without the header extension are good here, because the data sender adds the extension
 * itself. Without reports it would send one packet in a second and then less, so that missing
 * feedback is an error. */
gboolean
gst_tfrc_caps_judge (const GstCaps * caps, gint mode, GstElement * sender)
{
  GstTfrcCapsVerdict verdict = gst_tfrc_caps_check (caps, mode);

  log_verdict (sender, caps, mode, verdict);
  switch (verdict) {
    case GST_TFRC_CAPS_OTHER_MODE:
      post_other_mode (sender, caps, mode);
      return FALSE;
    case GST_TFRC_CAPS_NO_FEEDBACK:
      GST_ELEMENT_ERROR (sender, CORE, NEGOTIATION,
          ("The caps negotiate RTCP feedback, but not \"tfrc\": the data "
              "receiver will not report. Negotiate a=rtcp-fb:<pt> tfrc "
              "(rtcp-fb-tfrc=true or tfrc-mode in the caps), or send without "
              "rtptfrcsend."), (NULL));
      return FALSE;
    default:
      return TRUE;
  }
}

gboolean
gst_tfrc_caps_judge_received (const GstCaps * caps, gint mode,
    GstElement * receiver, GstTfrcWarning * warning)
{
  GstTfrcCapsVerdict verdict = gst_tfrc_caps_check (caps, mode);

  log_verdict (receiver, caps, mode, verdict);
  if (verdict == GST_TFRC_CAPS_OTHER_MODE)
    post_other_mode (receiver, caps, mode);
  else if (verdict != GST_TFRC_CAPS_GOOD)
    gst_tfrc_warning_post (warning, receiver, GST_CORE_ERROR,
        GST_CORE_ERROR_NEGOTIATION,
        "The caps negotiate only half of TFRC: no reports are sent. Negotiate "
        "both a=rtcp-fb:<pt> tfrc (rtcp-fb-tfrc=true or tfrc-mode in the caps) "
        "and a=extmap:<id> %s (extmap-<id>).", TFRC_STAMP_URI);
  return verdict == GST_TFRC_CAPS_GOOD;
}

GstEvent *
gst_tfrc_caps_complete (GstEvent * event, guint id, gint mode)
{
  gboolean agreed;
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  caps = gst_caps_copy (caps);
  if (gst_tfrc_caps_find_extension_id (caps) != id) {
    gchar *field = g_strdup_printf ("extmap-%u", id);

    gst_caps_set_simple (caps, field, G_TYPE_STRING, TFRC_STAMP_URI, NULL);
    g_free (field);
  }
  if (mode == GST_TFRC_MODE_AUTO)
    mode = gst_tfrc_caps_get_mode (caps, &agreed);
  gst_caps_set_simple (caps, FEEDBACK, G_TYPE_BOOLEAN, TRUE, NULL);
  if (mode >= 0)
    gst_caps_set_simple (caps, MODE, G_TYPE_STRING,
        gst_tfrc_mode_get_nick (mode), NULL);
  gst_event_unref (event);
  event = gst_event_new_caps (caps);
  gst_caps_unref (caps);
  return event;
}
