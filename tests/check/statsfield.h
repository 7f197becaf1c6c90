/* gst-tfrc tests: a field of statistics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef STATS_FIELD_H
#define STATS_FIELD_H

#include <gst/gst.h>

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

G_END_DECLS

#endif
