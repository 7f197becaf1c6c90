/* gst-tfrc: the fields of the property "experimental" of the filters
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/experiments.h"

#include "base/enums.h"

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

gchar *
gst_tfrc_experiments_to_config (const GstStructure * experiments,
    gboolean sends, TfrcConfig * config)
{
  Experiments e = { sends, config, NULL };

  if (experiments != NULL)
    gst_structure_foreach (experiments, take_field, &e);
  return e.error;
}
