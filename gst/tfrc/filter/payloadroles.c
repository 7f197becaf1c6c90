/* gst-tfrc: which payload types of a session TFRC controls, and which repair others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/payloadroles.h"

#include "base/debugcategory.h"
#include "base/tfrccaps.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpayloadroles", "TFRC per payload type");

/* Caps that are not there are asked for again after so many packets. */
#define ASK_PACKETS 50

gboolean
gst_tfrc_payload_roles_wants_caps (GstTfrcPayloadRoles * roles, guint pt)
{
  GstTfrcPayloadRole *role = &roles->roles[pt];

  if (role->known || role->asked-- > 0)
    return FALSE;
  role->asked = ASK_PACKETS;
  return TRUE;
}

/* `apt` of RFC 4588 8.6, which is a string in caps that come from an SDP. */
static gint
get_apt (const GstStructure * structure)
{
  const gchar *text = gst_structure_get_string (structure, "apt");
  guint64 value;
  gint apt;

  if (gst_structure_get_int (structure, "apt", &apt) && apt >= 0 && apt < 128)
    return apt;
  if (text != NULL && g_ascii_string_to_unsigned (text, 10, 0, 127, &value,
          NULL))
    return value;
  return -1;
}

static gboolean
is_fec (const gchar * encoding)
{
  static const gchar *const names[] = { "ULPFEC", "FLEXFEC-03", "FLEXFEC",
    "PARITYFEC", NULL
  };
  guint i;

  for (i = 0; names[i] != NULL; i++)
    if (encoding != NULL && g_ascii_strcasecmp (encoding, names[i]) == 0)
      return TRUE;
  return FALSE;
}

static GstTfrcPayloadKind
find_kind (const GstStructure * structure, const GstCaps * caps, gint apt)
{
  const gchar *encoding = gst_structure_get_string (structure,
      "encoding-name");

  if (apt >= 0)
    return GST_TFRC_PAYLOAD_RTX;
  if (is_fec (encoding))
    return GST_TFRC_PAYLOAD_FEC;
  return gst_tfrc_feedback_of_caps (caps) == GST_TFRC_FEEDBACK_RR ?
      GST_TFRC_PAYLOAD_PASSED : GST_TFRC_PAYLOAD_CONTROLLED;
}

void
gst_tfrc_payload_roles_set_caps (GstTfrcPayloadRoles * roles, guint pt,
    const GstCaps * caps)
{
  static const gchar *const names[] = { "controlled", "not controlled",
    "retransmission", "forward error correction"
  };
  GstTfrcPayloadRole *role = &roles->roles[pt];
  const GstStructure *structure;
  guint id;

  role->known = caps != NULL && gst_caps_get_size (caps) > 0;
  if (!role->known)
    return;
  structure = gst_caps_get_structure (caps, 0);
  id = gst_tfrc_caps_find_extension_id (caps);
  role->id = id;
  role->transport_id = gst_tfrc_feedback_find_transport_id (caps);
  role->feedback = gst_tfrc_feedback_of_caps (caps);
  role->mode = gst_tfrc_caps_get_mode (caps, &role->mode_agreed);
  role->repairs = get_apt (structure);
  gst_tfrc_flow_wants_read (&role->wants, structure);
  role->kind = find_kind (structure, caps, role->repairs);
  GST_INFO ("payload type %u: %s, header extension %u, by %" GST_PTR_FORMAT,
      pt, names[role->kind], id, caps);
}

/* The payload type whose retransmissions have the type `pt`, as the property payload-type-map says; -1: none. */
static gint
find_mapped (const GstStructure * map, guint pt)
{
  gint i, n = map != NULL ? gst_structure_n_fields (map) : 0;
  guint repair;
  guint64 of;

  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (map, i);

    if (gst_structure_get_uint (map, name, &repair) && repair == pt
        && g_ascii_string_to_unsigned (name, 10, 0, 127, &of, NULL))
      return of;
  }
  return -1;
}

GstTfrcPayloadRole
gst_tfrc_payload_roles_get (const GstTfrcPayloadRoles * roles,
    const GstTfrcFilterSettings * settings, guint pt)
{
  GstTfrcPayloadRole role = roles->roles[pt];
  gint mapped = find_mapped (settings->payload_type_map, pt);

  if (!role.known) {
    role.kind = GST_TFRC_PAYLOAD_CONTROLLED;
    role.feedback = GST_TFRC_FEEDBACK_TFRC;
    role.mode = role.repairs = -1;
  }
  if (mapped >= 0) {
    role.kind = GST_TFRC_PAYLOAD_RTX;
    role.repairs = mapped;
  }
  return role;
}

static gboolean
find_in_map (const GstStructure * map, guint32 ssrc, guint32 * repaired)
{
  gint i, n = map != NULL ? gst_structure_n_fields (map) : 0;
  guint repair;
  guint64 of;

  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (map, i);

    if (gst_structure_get_uint (map, name, &repair) && repair == ssrc
        && g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT32, &of, NULL)) {
      *repaired = of;
      return TRUE;
    }
  }
  return FALSE;
}

gboolean
gst_tfrc_repaired_ssrc_find (const GstTfrcFilterSettings * settings,
    const GstCaps * pad_caps, guint32 ssrc, guint32 * repaired)
{
  const GstStructure *structure;
  guint rtx, of;

  if (find_in_map (settings->ssrc_map, ssrc, repaired))
    return TRUE;
  if (pad_caps == NULL || gst_caps_get_size (pad_caps) == 0)
    return FALSE;
  structure = gst_caps_get_structure (pad_caps, 0);
  if (!gst_structure_get_uint (structure, "rtx-ssrc", &rtx) || rtx != ssrc
      || !gst_structure_get_uint (structure, "ssrc", &of))
    return FALSE;
  *repaired = of;
  return TRUE;
}
