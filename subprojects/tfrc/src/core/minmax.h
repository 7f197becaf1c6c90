/* libtfrc: the larger and the smaller of two numbers. These are inline, while fmax() and fmin() are
 * calls into the C library.
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_MINMAX_H
#define TFRC_MINMAX_H

#include <stdint.h>

static inline double
tfrc_max (double a, double b)
{
  return a > b ? a : b;
}

static inline double
tfrc_min (double a, double b)
{
  return a < b ? a : b;
}

static inline int64_t
tfrc_max_i64 (int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static inline int64_t
tfrc_min_i64 (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

#endif
