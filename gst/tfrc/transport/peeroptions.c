/* gst-tfrc: what one peer of tfrcbin has of its own, and how an application says it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peeroptions.h"

void
gst_tfrc_peer_options_init (GstTfrcPeerOptions * options)
{
  *options = (GstTfrcPeerOptions) {0};
  gst_tfrc_srtp_settings_init (&options->srtp);
}

void
gst_tfrc_peer_options_copy (GstTfrcPeerOptions * to,
    const GstTfrcPeerOptions * from)
{
  to->label = g_strdup (from->label);
  gst_tfrc_srtp_settings_copy (&to->srtp, &from->srtp);
}

void
gst_tfrc_peer_options_clear (GstTfrcPeerOptions * options)
{
  g_clear_pointer (&options->label, g_free);
  gst_tfrc_srtp_settings_clear (&options->srtp);
}

/* --- a structure of options --- */

typedef struct
{
  GstTfrcPeerOptions *options;
  GObjectClass *klass;
  gchar *error;
} Reading;

static void
set_label (GstTfrcPeerOptions * options, guint index, const GValue * value)
{
  g_free (options->label);
  options->label = g_value_dup_string (value);
}

static void
set_srtp (GstTfrcPeerOptions * options, guint index, const GValue * value)
{
  gst_tfrc_srtp_settings_set (&options->srtp, index, value);
}

static const struct
{
  const gchar *name;
  gboolean is_property;         /* else it is a string */
  void (*set) (GstTfrcPeerOptions * options, guint index, const GValue * value);
  guint index;
} fields[] = {
  {"label", FALSE, set_label, 0},
  {"srtp-key", TRUE, set_srtp, GST_TFRC_SRTP_PROP_KEY},
  {"srtp-remote-key", TRUE, set_srtp, GST_TFRC_SRTP_PROP_REMOTE_KEY},
  {"srtp-cipher", TRUE, set_srtp, GST_TFRC_SRTP_PROP_CIPHER},
  {"srtp-auth", TRUE, set_srtp, GST_TFRC_SRTP_PROP_AUTH},
};

static gchar *
list_fields (void)
{
  GString *list = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", fields[i].name);
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
read_field (Reading * reading, guint i, const GValue * from)
{
  GParamSpec *spec = fields[i].is_property ?
      g_object_class_find_property (reading->klass, fields[i].name) : NULL;
  GValue value = G_VALUE_INIT;
  gboolean fits;

  g_value_init (&value, spec != NULL ? spec->value_type : G_TYPE_STRING);
  fits = convert (&value, from) &&
      (spec == NULL || !g_param_value_validate (spec, &value));
  if (fits)
    fields[i].set (reading->options, fields[i].index, &value);
  else
    reading->error = g_strdup_printf ("The value of \"%s\" cannot be used.",
        fields[i].name);
  g_value_unset (&value);
  return fits;
}

static gboolean
on_field (GQuark quark, const GValue * value, gpointer user_data)
{
  Reading *reading = user_data;
  const gchar *name = g_quark_to_string (quark);
  gchar *list;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_str_equal (fields[i].name, name))
      return read_field (reading, i, value);
  list = list_fields ();
  reading->error = g_strdup_printf ("A peer has no option \"%s\", but %s.",
      name, list);
  g_free (list);
  return FALSE;
}

gchar *
gst_tfrc_peer_options_read (GstTfrcPeerOptions * options, GObjectClass * klass,
    const GstStructure * structure)
{
  Reading reading = { options, klass, NULL };

  if (structure != NULL)
    gst_structure_foreach (structure, on_field, &reading);
  return reading.error;
}

gchar *
gst_tfrc_peer_options_check (const GstTfrcPeerOptions * options)
{
  GstTfrcSrtpKeys keys;
  gchar *error;

  if (!gst_tfrc_srtp_settings_encrypt (&options->srtp))
    return NULL;
  error = gst_tfrc_srtp_keys_read (&keys, &options->srtp,
      GST_TFRC_SRTP_EITHER_END);
  gst_tfrc_srtp_keys_wipe (&keys);
  return error;
}

/* --- what they come to --- */

typedef struct
{
  GstTfrcPeerSettings settings; /* the first member */
  GstTfrcSrtpKeys keys;
} OwnSettings;

static void
free_own (GstTfrcPeerSettings * settings)
{
  OwnSettings *own = (OwnSettings *) settings;

  gst_tfrc_srtp_keys_wipe (&own->keys);
  g_free (own);
}

GstTfrcPeerSettings *
gst_tfrc_peer_options_apply (const GstTfrcPeerOptions * options,
    GstTfrcPeerSettings * common)
{
  OwnSettings *own;

  if (options == NULL || !gst_tfrc_srtp_settings_encrypt (&options->srtp))
    return common;
  own = g_new0 (OwnSettings, 1);
  own->settings = *common;
  own->settings.free = free_own;
  own->settings.keys = &own->keys;
  g_free (gst_tfrc_srtp_keys_read (&own->keys, &options->srtp,
          GST_TFRC_SRTP_EITHER_END));
  return &own->settings;
}
