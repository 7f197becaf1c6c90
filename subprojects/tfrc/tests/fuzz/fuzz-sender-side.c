/* libtfrc: fuzzer, a sender with a TFRC receiver at its side, which hears random feedback
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "side.h"

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  Input input = { data, size, 0 };

  drive_sender_side (&input, UINT64_MAX);
  return 0;
}
