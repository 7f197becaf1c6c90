/* libtfrc: fuzzer, whatever may stand where the wire formats are expected
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "drive.h"

#include <tfrc/wire.h>

int LLVMFuzzerTestOneInput (const uint8_t * data, size_t size);

/* What was parsed is written and parsed again to the same. */
static void
check_stamp (const TfrcStamp * stamp, unsigned id)
{
  uint8_t block[16];
  size_t size = tfrc_stamp_write_block (stamp, id, block, sizeof block);
  TfrcStamp again = { 1, 1 };

  LAW (size == (id < 15 ? 12 : 16));
  LAW (tfrc_stamp_parse_block (&again, id, block, size) == TFRC_PARSE_OK);
  LAW (again.rtt_us == stamp->rtt_us && again.t_i_us == stamp->t_i_us);
}

static void
check_report (const TfrcReport * report, unsigned fmt, const uint8_t * data)
{
  uint8_t packet[TFRC_REPORT_SIZE_MAX];
  size_t size = tfrc_report_write (report, fmt, 0, 0, packet);

  LAW (memcmp (packet + 12, data + 12, size - 12) == 0);
}

/* What is found is what is parsed, and lies within the block. */
static void
check_find (unsigned id, const uint8_t * data, size_t size)
{
  size_t offset = SIZE_MAX;
  TfrcStamp stamp;
  TfrcParse found = tfrc_stamp_find (id, data, size, &offset);

  LAW (found == tfrc_stamp_parse_block (&stamp, id, data, size));
  if (found == TFRC_PARSE_OK)
    LAW (offset <= size && size - offset >= 7);
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  static const unsigned ids[] = { 1, 3, 14, 15, 16, 255 };
  TfrcReport report;
  TfrcStamp stamp;
  uint32_t sender_ssrc, media_ssrc;

  for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
    check_find (ids[i], data, size);
  for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
    if (tfrc_stamp_parse_block (&stamp, ids[i], data, size) == TFRC_PARSE_OK)
      check_stamp (&stamp, ids[i]);
  for (unsigned fmt = 0; fmt < 32; fmt++)
    if (tfrc_report_parse (&report, fmt, &sender_ssrc, &media_ssrc, data,
            size) == TFRC_PARSE_OK)
      check_report (&report, fmt, data);
  return 0;
}
