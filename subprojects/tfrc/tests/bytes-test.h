/* libtfrc: bytes as hexadecimal text, for tests
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_BYTES_TEST_H
#define TFRC_BYTES_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Free the result. An allocation of the exact size, one byte for none. */
static inline uint8_t *
from_hex (const char *hex, size_t * size)
{
  uint8_t *bytes;

  *size = strlen (hex) / 2;
  bytes = malloc (*size ? *size : 1);
  for (size_t i = 0; i < *size; i++) {
    unsigned byte = 0;

    sscanf (hex + 2 * i, "%2x", &byte);
    bytes[i] = (uint8_t) byte;
  }
  return bytes;
}

/* `text` has room for two characters a byte and the final zero. */
static inline const char *
to_hex (const uint8_t * bytes, size_t size, char *text)
{
  text[0] = '\0';
  for (size_t i = 0; i < size; i++)
    sprintf (text + 2 * i, "%02x", bytes[i]);
  return text;
}

#endif
