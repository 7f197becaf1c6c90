/* lab: the names of the loss measures, shared by both stages
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_MEASURES_H
#define LAB_MEASURES_H

#include <string.h>
#include <tfrc/tfrc.h>

static inline int
lab_measure_from_name (const char *name)
{
  static const char *const names[] = {
    "rfc", "unbias-packet", "unbias-byte", "virtual-packet", "virtual-byte",
    "sample-packet", "sample-byte", "lip-scale", "gradual"
  };
  for (int i = 0; i <= TFRC_MEASURE_GRADUAL; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return -1;
}

#endif
