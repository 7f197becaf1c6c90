/* gst-tfrc tests: a field of statistics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef STATS_FIELD_H
#define STATS_FIELD_H

#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

/* The field of `stats`, or of the structure `rfc` in it; NULL: there is none. */
static inline const GValue *
stats_field (const GstStructure * stats, const gchar * name)
{
  const GValue *field = gst_structure_get_value (stats, name);
  const GValue *rfc = gst_structure_get_value (stats, "rfc");

  if (field == NULL && rfc != NULL)
    field = gst_structure_get_value (gst_value_get_structure (rfc), name);
  return field;
}

/* A number of `stats`, or of a part of it; part NULL: none. */
static inline gdouble
stats_get_number (const GstStructure * stats, const gchar * part,
    const gchar * name)
{
  GstStructure *of = NULL;
  GValue value = G_VALUE_INIT;
  const GValue *field;
  gdouble result;

  fail_unless (part == NULL
      || gst_structure_get (stats, part, GST_TYPE_STRUCTURE, &of, NULL));
  field = stats_field (part != NULL ? of : stats, name);
  fail_unless (field != NULL, "no field %s", name);
  g_value_init (&value, G_TYPE_DOUBLE);
  fail_unless (g_value_transform (field, &value));
  result = g_value_get_double (&value);
  if (of != NULL)
    gst_structure_free (of);
  return result;
}

G_END_DECLS

#endif
