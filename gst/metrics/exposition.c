/* gst-tfrc: the text of a scrape
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/exposition.h"

#include <math.h>
#include <string.h>

#define LABEL_MAX 256           /* characters */

typedef struct
{
  const GstTfrcMetric *metric;
  GString *samples;             /* what follows the name of each sample, line by line */
} Family;

struct _GstTfrcExposition
{
  GPtrArray *families;          /* in the order in which they came */
  GHashTable *by_name;
};

static void
family_free (gpointer data)
{
  Family *family = data;

  g_string_free (family->samples, TRUE);
  g_free (family);
}

GstTfrcExposition *
gst_tfrc_exposition_new (void)
{
  GstTfrcExposition *self = g_new (GstTfrcExposition, 1);

  self->families = g_ptr_array_new_with_free_func (family_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
gst_tfrc_exposition_free (GstTfrcExposition * self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->families);
  g_free (self);
}

static Family *
get_family (GstTfrcExposition * self, const GstTfrcMetric * metric)
{
  Family *family = g_hash_table_lookup (self->by_name, metric->name);

  if (family == NULL) {
    family = g_new (Family, 1);
    family->metric = metric;
    family->samples = g_string_new (NULL);
    g_ptr_array_add (self->families, family);
    g_hash_table_insert (self->by_name, (gpointer) metric->name, family);
  }
  return family;
}

static void
append_value (GString * text, gdouble value)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    g_string_append (text, "NaN");
  else if (isinf (value))
    g_string_append (text, value > 0 ? "+Inf" : "-Inf");
  else
    g_string_append (text,
        g_ascii_formatd (digits, sizeof digits, "%.15g", value));
}

void
gst_tfrc_exposition_add (GstTfrcExposition * self, const GstTfrcMetric * metric,
    const gchar * labels, gdouble value)
{
  GString *samples = get_family (self, metric)->samples;

  g_string_append_printf (samples, "{%s} ", labels);
  append_value (samples, value);
  g_string_append_c (samples, '\n');
}

void
gst_tfrc_exposition_append_label (GString * labels, const gchar * name,
    const gchar * value)
{
  gchar *valid = g_utf8_make_valid (value, -1), *at;

  if (g_utf8_strlen (valid, -1) > LABEL_MAX)
    *g_utf8_offset_to_pointer (valid, LABEL_MAX) = '\0';
  g_string_append_printf (labels, "%s%s=\"", labels->len > 0 ? "," : "", name);
  for (at = valid; *at != '\0'; at++) {
    if (*at == '\n')
      g_string_append (labels, "\\n");
    else if (*at == '"' || *at == '\\')
      g_string_append_printf (labels, "\\%c", *at);
    else
      g_string_append_c (labels, *at);
  }
  g_string_append_c (labels, '"');
  g_free (valid);
}

/* The end of a name that says its unit, or NULL. */
static const gchar *
get_unit (const gchar * name)
{
  static const gchar *const units[] = { "bytes_per_second", "seconds", "bytes",
    "ratio"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_suffix (name, units[i]))
      return units[i];
  return NULL;
}

static void
append_samples (GString * text, const Family * family, const gchar * suffix)
{
  const gchar *line = family->samples->str;

  while (*line != '\0') {
    const gchar *end = strchr (line, '\n') + 1;

    g_string_append (text, family->metric->name);
    g_string_append (text, suffix);
    g_string_append_len (text, line, end - line);
    line = end;
  }
}

/* The format of Prometheus gives a family the name of its samples, and knows no type "info". */
static void
append_family (GString * text, const Family * family, gboolean openmetrics)
{
  static const gchar *const types[] = { "gauge", "counter", "info" };
  static const gchar *const suffixes[] = { "", "_total", "_info" };
  const GstTfrcMetric *metric = family->metric;
  const gchar *suffix = suffixes[metric->type], *unit = get_unit (metric->name);
  const gchar *of_family = openmetrics ? "" : suffix;
  const gchar *type = types[metric->type];

  if (!openmetrics && metric->type == GST_TFRC_METRIC_INFO)
    type = "gauge";
  g_string_append_printf (text, "# HELP %s%s %s\n# TYPE %s%s %s\n",
      metric->name, of_family, metric->help, metric->name, of_family, type);
  if (openmetrics && unit != NULL)
    g_string_append_printf (text, "# UNIT %s %s\n", metric->name, unit);
  append_samples (text, family, suffix);
}

gchar *
gst_tfrc_exposition_to_text (const GstTfrcExposition * self,
    gboolean openmetrics)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < self->families->len; i++)
    append_family (text, self->families->pdata[i], openmetrics);
  if (openmetrics)
    g_string_append (text, "# EOF\n");
  return g_string_free (text, FALSE);
}
