/* libtfrc: fuzzer, a closed loop over a path that the input decides, and its laws
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "laws.h"

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  Input input = { data, size, 0 };

  switch (input_below (&input, 8)) {
    case 0:
      drive_late (&input, 1);
      break;
    case 1:
      drive_silence (&input, 1);
      break;
    default:
      drive_loop (&input, UINT64_MAX);
  }
  return 0;
}
