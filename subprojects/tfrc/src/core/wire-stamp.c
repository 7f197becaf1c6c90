/* libtfrc: writes and parses the stamp in the RTP header extension of data packets (RFC 8285)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/wire.h>

#include <string.h>

#include "big-endian.h"

/* The profiles of the one-byte form and the two-byte form (RFC 8285 4.2, 4.3), and their ids. */
#define ONE_BYTE_FORM 0xBEDEu
#define TWO_BYTE_FORM 0x1000u
#define TWO_BYTE_MASK 0xFFF0u   /* an application may use the low four bits */
#define ID_PADDING 0u
#define ID_STOP 15u             /* one-byte form: the parser has to stop here */
#define BLOCK_HEADER 4u         /* bytes before the first element: profile and length */

void
tfrc_stamp_write (const TfrcStamp * stamp, uint8_t data[TFRC_STAMP_SIZE])
{
  uint32_t rtt = stamp->rtt_us < TFRC_RTT_OVER ? stamp->rtt_us : TFRC_RTT_OVER;

  data[0] = (uint8_t) (rtt >> 16);
  data[1] = (uint8_t) (rtt >> 8);
  data[2] = (uint8_t) rtt;
  put_u32 (data + 3, stamp->t_i_us);
}

TfrcParse
tfrc_stamp_parse (TfrcStamp * stamp, const uint8_t * data, size_t size)
{
  if (size != TFRC_STAMP_SIZE)
    return TFRC_PARSE_SIZE;
  stamp->rtt_us = (uint32_t) data[0] << 16 | (uint32_t) data[1] << 8 | data[2];
  stamp->t_i_us = get_u32 (data + 3);
  return TFRC_PARSE_OK;
}

size_t
tfrc_stamp_write_block (const TfrcStamp * stamp, unsigned id, uint8_t * block,
    size_t size)
{
  /* RFC 8285 4.1.2: the two-byte form is used only when the one-byte form cannot be. */
  bool one_byte = id < ID_STOP;
  size_t words = one_byte ? 2 : 3;

  if (id == ID_PADDING || id > 255 || size < BLOCK_HEADER + 4 * words)
    return 0;
  memset (block, 0, BLOCK_HEADER + 4 * words);
  put_u16 (block, one_byte ? ONE_BYTE_FORM : TWO_BYTE_FORM);
  put_u16 (block + 2, (unsigned) words);
  if (one_byte) {
    block[4] = (uint8_t) (id << 4 | (TFRC_STAMP_SIZE - 1));
    tfrc_stamp_write (stamp, block + 5);
  } else {
    block[4] = (uint8_t) id;
    block[5] = TFRC_STAMP_SIZE;
    tfrc_stamp_write (stamp, block + 6);
  }
  return BLOCK_HEADER + 4 * words;
}

/* RFC 8285 4.2: one byte has the id and the length less one. */
static TfrcParse
find_one_byte (unsigned id, const uint8_t * data, size_t size, size_t * offset,
    size_t * length)
{
  for (size_t i = 0; i < size; i += 1 + *length) {
    unsigned this_id = data[i] >> 4;

    *length = 0;
    if (data[i] == 0)           /* padding */
      continue;
    /* Id 15 ends the block, and so does id 0 with a length. */
    if (this_id == ID_STOP || this_id == ID_PADDING)
      break;
    *length = (data[i] & 15u) + 1u;
    if (*length > size - i - 1)
      return TFRC_PARSE_SIZE;
    if (this_id == id) {
      *offset = i + 1;
      return TFRC_PARSE_OK;
    }
  }
  return TFRC_PARSE_NOT_FOUND;
}

/* RFC 8285 4.3: id and length have a byte each. Every id but 0 is an element. */
static TfrcParse
find_two_byte (unsigned id, const uint8_t * data, size_t size, size_t * offset,
    size_t * length)
{
  for (size_t i = 0; i < size;) {
    if (data[i] == ID_PADDING) {
      i++;
      continue;
    }
    if (size - i < 2)
      return TFRC_PARSE_SIZE;
    *length = data[i + 1];
    if (*length > size - i - 2)
      return TFRC_PARSE_SIZE;
    if (data[i] == id) {
      *offset = i + 2;
      return TFRC_PARSE_OK;
    }
    i += 2 + *length;
  }
  return TFRC_PARSE_NOT_FOUND;
}

TfrcParse
tfrc_stamp_find (unsigned id, const uint8_t * block, size_t size,
    size_t * offset)
{
  const uint8_t *data = block + BLOCK_HEADER;
  TfrcParse parse = TFRC_PARSE_NOT_FOUND;
  size_t length, element = 0;
  unsigned profile;

  if (size < BLOCK_HEADER)
    return TFRC_PARSE_SIZE;
  profile = get_u16 (block);
  length = 4 * (size_t) get_u16 (block + 2);
  if (length > size - BLOCK_HEADER)
    return TFRC_PARSE_SIZE;
  if (id == ID_PADDING)
    return TFRC_PARSE_NOT_FOUND;
  if (profile == ONE_BYTE_FORM)
    parse = find_one_byte (id, data, length, offset, &element);
  else if ((profile & TWO_BYTE_MASK) == TWO_BYTE_FORM)
    parse = find_two_byte (id, data, length, offset, &element);
  if (parse != TFRC_PARSE_OK)
    return parse;
  *offset += BLOCK_HEADER;
  return element == TFRC_STAMP_SIZE ? TFRC_PARSE_OK : TFRC_PARSE_SIZE;
}

TfrcParse
tfrc_stamp_parse_block (TfrcStamp * stamp, unsigned id, const uint8_t * block,
    size_t size)
{
  size_t offset = 0;
  TfrcParse parse = tfrc_stamp_find (id, block, size, &offset);

  if (parse != TFRC_PARSE_OK)
    return parse;
  return tfrc_stamp_parse (stamp, block + offset, TFRC_STAMP_SIZE);
}

uint32_t
tfrc_stamp_encode_rtt (TfrcTime R)
{
  /* RFC 6323 3.2.1: microseconds, rounded up. A known round-trip time is never written as 0; one that is
   * too long is written as all ones. */
  if (R < TFRC_USEC)
    return 1;
  if (R > TFRC_RTT_MAX * TFRC_USEC)
    return TFRC_RTT_OVER;
  return (uint32_t) ((R + TFRC_USEC - 1) / TFRC_USEC);
}
