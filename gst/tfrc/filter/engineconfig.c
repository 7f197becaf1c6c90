/* gst-tfrc: the engine's configuration, from the settings of a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/engineconfig.h"

#include <string.h>

#include "base/enums.h"

/* IP and UDP headers within the largest packet; RFC 4828 3: 1460 of 1500 bytes. */
#define MSS_OVERHEAD 40

/* --- the property "experimental" --- */

typedef struct
{
  gboolean sends;
  TfrcConfig *config;
  gchar *error;                 /* NULL: none yet */
} Experiments;

/* The value of the enumeration `type` whose nick `value` holds; -1: there is none. */
static gint
get_enum (const GValue * value, GType type)
{
  GEnumClass *klass = g_type_class_ref (type);
  const GEnumValue *found = G_VALUE_HOLDS_STRING (value) ?
      g_enum_get_value_by_nick (klass, g_value_get_string (value)) : NULL;
  gint number = found != NULL ? found->value : -1;

  g_type_class_unref (klass);
  return number;
}

/* The bit rate that `value` holds; -1: it is none. */
static gint64
get_bitrate (const GValue * value)
{
  if (G_VALUE_HOLDS_UINT (value))
    return g_value_get_uint (value);
  return G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : -1;
}

/* Puts a field into the configuration; -1: there is no such field, or its value is wrong. */
static gint64
set_field (Experiments * e, const gchar * name, const GValue * value)
{
  gint64 number = -1;

  if (g_str_equal (name, "loss-measure")) {
    number = get_enum (value, GST_TYPE_TFRC_MEASURE);
    e->config->measure = MAX (number, 0);
  } else if (e->sends && g_str_equal (name, "pacing")) {
    number = get_enum (value, GST_TYPE_TFRC_PACING);
    e->config->pacing = MAX (number, 0);
  } else if (e->sends && g_str_equal (name, "target-bitrate")) {
    number = get_bitrate (value);
    e->config->g = number / 8.0;
  }
  return number;
}

static gboolean
take_field (GQuark field, const GValue * value, gpointer data)
{
  Experiments *e = data;
  const gchar *name = g_quark_to_string (field);
  gchar *text;

  if (set_field (e, name, value) >= 0)
    return TRUE;
  text = gst_value_serialize (value);
  e->error = g_strdup_printf ("Property experimental has the field %s=%s. "
      "The fields are loss-measure, a name of docs/loss-measures.md%s.", name,
      text, e->sends ?
      ", pacing, rfc or fluid, and target-bitrate, in bit/s" : "");
  g_free (text);
  return FALSE;
}

/* Puts the fields of `experiments` (NULL: none) into the configuration; `sends` those of
 * rtptfrcsend, too. Returns NULL, or the text of an error that names a wrong field and those that
 * there are. */
static gchar *
apply_experiments (const GstStructure * experiments,
    gboolean sends, TfrcConfig * config)
{
  Experiments e = { sends, config, NULL };

  if (experiments != NULL)
    gst_structure_foreach (experiments, take_field, &e);
  return e.error;
}

/* --- the configuration --- */

gboolean
gst_tfrc_engine_config_chooses_mode (const GstTfrcFilterSettings * settings,
    const TfrcConfig * config)
{
  return settings->mode == GST_TFRC_MODE_AUTO
      && config->measure == TFRC_MEASURE_RFC;
}

/* The name of the property that a reason of tfrc_config_check() is about. */
static const gchar *
get_property_of (const gchar * reason)
{
  static const gchar *names[][2] = {
    {"measure:", "experimental (loss-measure)"},
    {"S:", "experimental (loss-measure)"}, {"mss:", "mtu"},
    {"H:", "header-size"}, {"g:", "experimental (target-bitrate)"},
    {"mode:", "mode"}, {"pacing:", "experimental (pacing)"},
    {"mppn:", "experimental (pacing)"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_has_prefix (reason, names[i][0]))
      return names[i][1];
  }
  return "mode";
}

gchar *
gst_tfrc_engine_config_from_settings (const GstTfrcFilterSettings * settings,
    TfrcConfig * config)
{
  const char *reason, *text;
  gchar *error;

  tfrc_config_init (config, settings->mode == GST_TFRC_MODE_AUTO ?
      TFRC_MODE_TFRC_SP : settings->mode);
  config->mss = settings->mtu - MSS_OVERHEAD;
  config->H = settings->header_size;
  config->S = MIN (config->S, config->mss);
  config->initial_rtt = settings->initial_rtt;
  config->dscp_set = settings->dscp >= 0;
  /* a remote cannot guess the origin of the send times (K3-2 of docs/rfc-map.md) */
  config->seed = (guint64) g_random_int () << 32 | g_random_int ();
  error = apply_experiments (settings->experimental, settings->sends, config);
  if (error != NULL)
    return error;
  if (settings->mode == GST_TFRC_MODE_AUTO
      && config->measure != TFRC_MEASURE_RFC
      && config->measure != TFRC_MEASURE_GRADUAL)
    config->mode = TFRC_MODE_TFRC;
  reason = tfrc_config_check (config);
  if (reason == NULL)
    return NULL;
  text = strchr (reason, ':');
  return g_strdup_printf ("Property %s%s.", get_property_of (reason),
      text != NULL ? text : reason);
}
