/* libtfrc: tests of the header extension
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "bytes-test.h"
#include "vectors.h"

#include <tfrc/wire.h>

static TfrcStamp stamp;

/* Parses the block written in `hex` from an allocation of its very size, so that
 * a sanitizer sees any read past it. */
static TfrcParse
parse_block (unsigned id, const char *hex)
{
  size_t size;
  uint8_t *block = from_hex (hex, &size);
  TfrcParse result;

  stamp = (TfrcStamp) {77, 88};
  result = tfrc_stamp_parse_block (&stamp, id, block, size);
  free (block);
  return result;
}

static void
check_found (unsigned id, const char *hex, uint32_t rtt_us, uint32_t t_i_us)
{
  NOTE ("id %u in %s", id, hex);
  CHECK_INT (parse_block (id, hex), TFRC_PARSE_OK);
  CHECK_INT (stamp.rtt_us, rtt_us);
  CHECK_INT (stamp.t_i_us, t_i_us);
}

static void
check_error (TfrcParse error, unsigned id, const char *hex)
{
  NOTE ("id %u in %s", id, hex);
  CHECK_INT (parse_block (id, hex), error);
  CHECK (stamp.rtt_us == 77 && stamp.t_i_us == 88);
}

static void
check_vector (double id, double rtt_us, double t_i_us, const char *hex)
{
  uint8_t block[16];
  char text[33];
  size_t size;

  stamp = (TfrcStamp) {(uint32_t) rtt_us, (uint32_t) t_i_us};
  NOTE ("id %g", id);
  memset (block, 0xA5, sizeof block);
  size = tfrc_stamp_write_block (&stamp, (unsigned) id, block, sizeof block);
  CHECK_STR (to_hex (block, size, text), hex);
  check_found ((unsigned) id, hex, (uint32_t) rtt_us, (uint32_t) t_i_us);
}

TEST (the_one_byte_form_has_the_exact_bytes)
{
  for (size_t i = 0; i < v_wire.n_hdrext_one_byte; i++)
    check_vector (v_wire.hdrext_one_byte[i].id,
        v_wire.hdrext_one_byte[i].rtt_us, v_wire.hdrext_one_byte[i].send_ts_us,
        v_wire.hdrext_one_byte[i].hex);
  check_vector (3, 100000, 0x12345678, "bede0002360186a012345678");
}

TEST (the_two_byte_form_has_the_exact_bytes)
{
  for (size_t i = 0; i < v_wire.n_hdrext_two_byte; i++)
    check_vector (v_wire.hdrext_two_byte[i].id,
        v_wire.hdrext_two_byte[i].rtt_us, v_wire.hdrext_two_byte[i].send_ts_us,
        v_wire.hdrext_two_byte[i].hex);
}

TEST (ids_1_to_14_are_written_in_the_one_byte_form)
{
  uint8_t block[16];

  for (unsigned id = 0; id <= 300; id++) {
    size_t want = id == 0 || id > 255 ? 0 : id < 15 ? 12 : 16;

    NOTE ("id %u", id);
    CHECK_INT (tfrc_stamp_write_block (&stamp, id, block, sizeof block), want);
    if (want)
      CHECK_INT (block[0], want == 12 ? 0xBE : 0x10);
  }
}

TEST (a_block_that_does_not_fit_is_not_written)
{
  uint8_t block[16];

  memset (block, 0xA5, sizeof block);
  CHECK_INT (tfrc_stamp_write_block (&stamp, 3, block, 11), 0);
  CHECK_INT (tfrc_stamp_write_block (&stamp, 16, block, 15), 0);
  CHECK_INT (tfrc_stamp_write_block (&stamp, 3, block, 0), 0);
  for (size_t i = 0; i < sizeof block; i++)
    CHECK_INT (block[i], 0xA5);
  CHECK_INT (tfrc_stamp_write_block (&stamp, 3, block, 12), 12);
  CHECK_INT (block[12], 0xA5);
}

TEST (an_rtt_too_large_for_its_field_is_written_as_all_ones)
{
  uint8_t data[TFRC_STAMP_SIZE];

  stamp = (TfrcStamp) {0x01000000u, 1};
  tfrc_stamp_write (&stamp, data);
  CHECK (data[0] == 0xFF && data[1] == 0xFF && data[2] == 0xFF);
  stamp.rtt_us = TFRC_RTT_MAX;
  tfrc_stamp_write (&stamp, data);
  CHECK (data[0] == 0xFF && data[1] == 0xFF && data[2] == 0xFE);
}

TEST (an_element_of_any_other_length_is_no_stamp)
{
  check_error (TFRC_PARSE_SIZE, 3, "bede0002350186a012345600"); /* 6 bytes */
  check_error (TFRC_PARSE_SIZE, 3, "bede0003370186a01234567800000000"); /* 8 */
  check_error (TFRC_PARSE_SIZE, 16, "1000000310060186a012345678000000");
  check_error (TFRC_PARSE_SIZE, 16, "1000000310080186a012345678000000");
  check_error (TFRC_PARSE_SIZE, 16, "1000000110000000");
}

TEST (elements_before_and_after_are_stepped_over)
{
  /* id 1 of 1 byte, id 2 of 3 bytes, ours, id 4 of 1 byte */
  check_found (3, "bede000510aa22bbccdd360186a0123456784011000000000000",
      100000, 0x12345678);
  /* the two-byte form with an empty element, and one that is as long as can be */
  check_found (3, "10000003010003070186a01234567800", 100000, 0x12345678);
  check_error (TFRC_PARSE_SIZE, 3, "10000003010f03070186a01234567800");
}

TEST (padding_is_skipped_before_between_and_after)
{
  check_found (3, "bede000300000000360186a012345678", 100000, 0x12345678);
  check_found (3, "bede00040010aa00360186a01234567800000000", 100000,
      0x12345678);
  check_found (16, "1000000400000101ff0010070186a01234567800", 100000,
      0x12345678);
}

TEST (a_padding_byte_in_the_two_byte_form_has_no_length)
{
  /* read as an element, 00 07 would swallow the stamp */
  check_found (7, "10000003000007070186a01234567800", 100000, 0x12345678);
}

TEST (id_15_stops_the_one_byte_form)
{
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bede0003f0000000360186a012345678");
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bede0003ff000000360186a012345678");
  check_found (3, "bede0003360186a012345678f0000000", 100000, 0x12345678);
  check_error (TFRC_PARSE_NOT_FOUND, 15, "bede0002f60186a012345678");
}

TEST (id_15_is_an_element_of_the_two_byte_form)
{
  check_found (15, "100000030f070186a012345678000000", 100000, 0x12345678);
  check_found (3, "100000040f0155000003070186a0123456780000", 100000,
      0x12345678);
}

TEST (id_0_with_a_length_stops_the_one_byte_form)
{
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bede000301000000360186a012345678");
  check_error (TFRC_PARSE_NOT_FOUND, 0, "bede0002060186a012345678");
}

TEST (the_low_bits_of_the_two_byte_profile_are_the_applications)
{
  check_found (16, "100f000310070186a012345678000000", 100000, 0x12345678);
  check_error (TFRC_PARSE_NOT_FOUND, 16, "1010000310070186a012345678000000");
  check_error (TFRC_PARSE_NOT_FOUND, 16, "2000000310070186a012345678000000");
}

TEST (an_absent_stamp_is_not_found)
{
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bede0000");
  check_error (TFRC_PARSE_NOT_FOUND, 4, "bede0002360186a012345678");
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bedf0002360186a012345678");
}

TEST (a_length_that_lies_is_refused)
{
  check_error (TFRC_PARSE_SIZE, 3, "");
  check_error (TFRC_PARSE_SIZE, 3, "bede00");
  check_error (TFRC_PARSE_SIZE, 3, "bede0003360186a012345678"); /* more words than bytes */
  check_error (TFRC_PARSE_SIZE, 3, "bedeffff360186a012345678");
  check_error (TFRC_PARSE_SIZE, 3, "bede0001360186a0"); /* an element past its block */
  check_error (TFRC_PARSE_SIZE, 3, "bede0001" "1faabbcc" "360186a012345678");
  check_error (TFRC_PARSE_SIZE, 3, "bede0001" "23aabbcc" "360186a012345678");
  check_error (TFRC_PARSE_SIZE, 3, "bede000200360186a0123456" "78000000");
  check_error (TFRC_PARSE_SIZE, 16, "1000000210070186a0123456");
  check_error (TFRC_PARSE_SIZE, 16, "10000001aabbcc10");
  check_error (TFRC_PARSE_SIZE, 16, "1000000101010110");
}

TEST (what_follows_the_block_is_not_read_as_part_of_it)
{
  check_error (TFRC_PARSE_NOT_FOUND, 3, "bede000100000000360186a012345678");
  check_found (3, "bede0002360186a012345678ffff", 100000, 0x12345678);
}

TEST (the_place_of_the_stamp_can_be_written_in_place)
{
  static const char *blocks[] = {
    "bede000510aa22bbccdd360186a0123456784011000000000000",
    "100000040f0155000003070186a0123456780000",
  };

  for (size_t i = 0; i < 2; i++) {
    size_t size, offset = 0;
    uint8_t *block = from_hex (blocks[i], &size);

    NOTE ("%s", blocks[i]);
    CHECK_INT (tfrc_stamp_find (3, block, size, &offset), TFRC_PARSE_OK);
    tfrc_stamp_write (&(TfrcStamp) {5, 6}, block + offset);
    CHECK_INT (tfrc_stamp_parse_block (&stamp, 3, block, size), TFRC_PARSE_OK);
    CHECK (stamp.rtt_us == 5 && stamp.t_i_us == 6);
    CHECK_INT (tfrc_stamp_find (9, block, size, &offset), TFRC_PARSE_NOT_FOUND);
    free (block);
  }
}

TEST (every_cut_of_a_block_is_refused)
{
  static const char *const blocks[] = {
    "bede0002360186a012345678", "1000000303070186a012345678000000"
  };

  for (size_t b = 0; b < N_OF (blocks); b++) {
    for (size_t length = 0; length < strlen (blocks[b]); length += 2) {
      char cut[64] = "";

      memcpy (cut, blocks[b], length);
      check_error (TFRC_PARSE_SIZE, 3, cut);
    }
  }
}

TEST (the_rtt_is_rounded_up_and_a_known_one_is_never_zero)
{
  CHECK_INT (tfrc_stamp_encode_rtt (400), 1);
  CHECK_INT (tfrc_stamp_encode_rtt (0), 1);
  CHECK_INT (tfrc_stamp_encode_rtt (1000), 1);
  CHECK_INT (tfrc_stamp_encode_rtt (1001), 2);
  CHECK_INT (tfrc_stamp_encode_rtt (100 * TFRC_MSEC), 100000);
  CHECK_INT (tfrc_stamp_encode_rtt (100 * TFRC_MSEC + 1), 100001);
  CHECK_INT (tfrc_stamp_encode_rtt (16777214 * TFRC_USEC), TFRC_RTT_MAX);
  CHECK_INT (tfrc_stamp_encode_rtt (16777214 * TFRC_USEC + 1), TFRC_RTT_OVER);
  CHECK_INT (tfrc_stamp_encode_rtt (20 * TFRC_SEC), TFRC_RTT_OVER);
  CHECK_INT (tfrc_stamp_encode_rtt (TFRC_TIME_NONE), TFRC_RTT_OVER);
}
