/* libtfrc: reads and writes numbers of 16 and 32 bits in network byte order
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_BIG_ENDIAN_H
#define TFRC_BIG_ENDIAN_H

#include <stdint.h>

static inline void
put_u16 (uint8_t * data, unsigned value)
{
  data[0] = (uint8_t) (value >> 8);
  data[1] = (uint8_t) value;
}

static inline void
put_u32 (uint8_t * data, uint32_t value)
{
  put_u16 (data, value >> 16);
  put_u16 (data + 2, value & 0xFFFFu);
}

static inline unsigned
get_u16 (const uint8_t * data)
{
  return (unsigned) data[0] << 8 | data[1];
}

static inline uint32_t
get_u32 (const uint8_t * data)
{
  return (uint32_t) get_u16 (data) << 16 | get_u16 (data + 2);
}

#endif
