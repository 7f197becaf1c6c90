/* libtfrc: fuzzer, a closed loop over a path that the input decides, and its laws
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* What takes longer to recover is left to the random run (test-random.c). */
#define GRANTED_MAX 400
#include "laws.h"

/* A law that plays a whole call costs as much as a hundred inputs without one. */
#define LAWS 64

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

/* A number below LAWS that each mutation changes: a part of the input would be kept by what the
 * fuzzer makes of an input that reached much. */
static unsigned
choose_law (const uint8_t * data, size_t size)
{
  uint32_t hash = 2166136261u;  /* FNV-1a */

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ data[i]) * 16777619u;
  return (hash >> 16) % LAWS;
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  Input input = { data, size, 0 };

  switch (choose_law (data, size)) {
    case 0:
      drive_late (&input, 1);
      break;
    case 1:
      drive_silence (&input, 1);
      break;
    default:
      drive_loop (&input, UINT64_MAX, choose_law (data, size) == 2);
  }
  return 0;
}
