/* libtfrc: fuzzer, a closed loop over a path that the input decides
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loop.h"

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  Input input = { data, size, 0 };

  drive_loop (&input, UINT64_MAX);
  return 0;
}
