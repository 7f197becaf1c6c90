/* gst-tfrc tests: RTP packets with redundant audio data (RFC 2198)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "base/redpacket.h"
#include "leaks.h"

#define TIMESTAMP 0x100u        /* of the packet: copies of before are from before the wrap */
#define RED_PT 121

static GstBuffer *
make_packet (guint8 pt, guint32 timestamp, const void *payload, guint size)
{
  GstBuffer *packet = gst_rtp_buffer_new_allocate (size, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, pt);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  if (size > 0)
    memcpy (gst_rtp_buffer_get_payload (&rtp), payload, size);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (packet) = 7 * GST_SECOND;
  return packet;
}

static void
check_block (const GstTfrcRedBlock * block, guint8 pt, guint32 timestamp,
    const gchar * payload)
{
  fail_unless_equals_int (block->pt, pt);
  fail_unless_equals_uint64 (block->timestamp, timestamp);
  fail_unless_equals_int (gst_buffer_get_size (block->payload),
      strlen (payload));
  fail_unless (gst_buffer_memcmp (block->payload, 0, payload,
          strlen (payload)) == 0);
}

static void
clear_blocks (GstTfrcRedBlock * blocks, guint n)
{
  for (guint i = 0; i < n; i++) {
    gst_tfrc_red_block_clear (&blocks[i]);
    fail_unless (blocks[i].payload == NULL);
  }
}

/* A copy of `size` bytes that is `age` timestamp units older than the packet. */
static GstTfrcRedBlock
make_copy (guint8 pt, guint32 age, guint size)
{
  GstTfrcRedBlock copy =
      { pt, TIMESTAMP - age, gst_buffer_new_allocate (NULL, size, NULL) };

  gst_buffer_memset (copy.payload, 0, 'c', size);
  return copy;
}

GST_START_TEST (blocks_come_out_as_they_went_in)
{
  GstTfrcRedBlock copies[2] =
      { make_copy (96, 16383, 1), make_copy (97, 1, 2) };
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  GstBuffer *plain, *red;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  red =
      gst_tfrc_red_wrap (make_packet (98, TIMESTAMP, "own", 3), RED_PT, copies,
      2);
  gst_rtp_buffer_map (red, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_type (&rtp), RED_PT);
  fail_unless (gst_rtp_buffer_get_marker (&rtp));
  /* two headers of 4 bytes, one of 1, and the blocks */
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 9 + 1 + 2 + 3);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (red), 7 * GST_SECOND);

  fail_unless_equals_int (gst_tfrc_red_parse (red, blocks), 3);
  check_block (&blocks[0], 96, TIMESTAMP - 16383, "c");
  check_block (&blocks[1], 97, TIMESTAMP - 1, "cc");
  check_block (&blocks[2], 98, TIMESTAMP, "own");
  plain = gst_tfrc_red_unwrap (red, &blocks[2]);
  gst_rtp_buffer_map (plain, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_type (&rtp), 98);
  fail_unless_equals_uint64 (gst_rtp_buffer_get_timestamp (&rtp), TIMESTAMP);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 3);
  fail_unless (memcmp (gst_rtp_buffer_get_payload (&rtp), "own", 3) == 0);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (plain), 7 * GST_SECOND);
  gst_buffer_unref (plain);
  clear_blocks (blocks, 3);
  clear_blocks (copies, 2);
  gst_buffer_unref (red);
}

GST_END_TEST;

/* The marker and the flag DISCONT are of the packet itself: a talkspurt does not begin again with a copy. */
GST_START_TEST (a_copy_begins_no_talkspurt)
{
  GstTfrcRedBlock copy = make_copy (96, 960, 5);
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  GstBuffer *red = gst_tfrc_red_wrap (make_packet (98, TIMESTAMP, "own", 3),
      RED_PT, &copy, 1);
  guint i;

  GST_BUFFER_FLAG_SET (red, GST_BUFFER_FLAG_DISCONT);
  fail_unless_equals_int (gst_tfrc_red_parse (red, blocks), 2);
  for (i = 0; i < 2; i++) {
    GstBuffer *plain = gst_tfrc_red_unwrap (red, &blocks[i]);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (plain, GST_MAP_READ, &rtp);
    fail_unless (gst_rtp_buffer_get_marker (&rtp) == (i == 1));
    fail_unless_equals_uint64 (gst_rtp_buffer_get_timestamp (&rtp),
        i == 1 ? TIMESTAMP : TIMESTAMP - 960);
    gst_rtp_buffer_unmap (&rtp);
    fail_unless (GST_BUFFER_IS_DISCONT (plain) == (i == 1));
    gst_buffer_unref (plain);
  }
  clear_blocks (blocks, 2);
  clear_blocks (&copy, 1);
  gst_buffer_unref (red);
}

GST_END_TEST;

/* RFC 2198 3: 14 bits of timestamp offset, 10 of length. */
GST_START_TEST (copies_that_a_header_cannot_describe_are_left_out)
{
  static const struct
  {
    guint32 age;
    guint size, blocks;
  } copies[] = {
    {16383, 1023, 2}, {16384, 1, 1}, {1, 1024, 1}, {0, 1, 1}, {(guint32) - 1, 1,
        1}, {1, 0, 2}
  };

  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    GstTfrcRedBlock copy = make_copy (96, copies[i].age, copies[i].size);
    GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
    GstBuffer *red =
        gst_tfrc_red_wrap (make_packet (98, TIMESTAMP, "own", 3), RED_PT, &copy,
        1);
    guint n = gst_tfrc_red_parse (red, blocks);

    fail_unless_equals_int (n, copies[i].blocks);
    check_block (&blocks[n - 1], 98, TIMESTAMP, "own");
    if (n == 2)
      fail_unless_equals_int (gst_buffer_get_size (blocks[0].payload),
          copies[i].size);
    clear_blocks (blocks, n);
    clear_blocks (&copy, 1);
    gst_buffer_unref (red);
  }
}

GST_END_TEST;

#define COPY_OF(size) "\xe0\x00\x04" size       /* payload type 96, one timestamp unit old */
#define SEVEN COPY_OF ("\x00") COPY_OF ("\x00") COPY_OF ("\x00") COPY_OF ("\x00") \
    COPY_OF ("\x00") COPY_OF ("\x00") COPY_OF ("\x00")

GST_START_TEST (a_packet_that_contradicts_itself_has_no_blocks)
{
  static const struct
  {
    const gchar *payload;
    guint size, blocks;
  } packets[] = {
    {"", 0, 0},
    {"\x62", 1, 1},             /* a block of its own with nothing in it */
    {COPY_OF ("\x00"), 1, 0},   /* within the header of a copy */
    {COPY_OF ("\x00"), 3, 0},
    {COPY_OF ("\x00"), 4, 0},   /* without a block of its own */
    {COPY_OF ("\x00") "\x62", 5, 2},
    {COPY_OF ("\x02") "\x62" "c", 6, 0},        /* a copy of two bytes, and one is there */
    {COPY_OF ("\x02") "\x62" "cc", 7, 2},
    {SEVEN "\x62", 29, 8},
    {SEVEN COPY_OF ("\x00") "\x62", 33, 0},     /* more than GST_TFRC_RED_BLOCKS */
  };
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];

  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    GstBuffer *red =
        make_packet (RED_PT, TIMESTAMP, packets[i].payload, packets[i].size);
    guint n = gst_tfrc_red_parse (red, blocks);

    fail_unless (n == packets[i].blocks, "packet %u: %u blocks", i, n);
    clear_blocks (blocks, n);
    gst_buffer_unref (red);
  }
}

GST_END_TEST;

/* A packet with two copies, of three bytes and of two, and a header extension. */
static GstBuffer *
make_red (void)
{
  GstTfrcRedBlock copies[2] =
      { make_copy (96, 1920, 3), make_copy (97, 960, 2) };
  GstBuffer *red = gst_tfrc_red_wrap (make_packet (98, TIMESTAMP, "own", 3),
      RED_PT, copies, 2);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (red, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_add_extension_onebyte_header (&rtp, 5, "stamp", 5);
  gst_rtp_buffer_unmap (&rtp);
  clear_blocks (copies, 2);
  return red;
}

GST_START_TEST (the_oldest_copies_are_shed)
{
  static const guint sizes[] = { 1 + 3, 4 + 1 + 2 + 3, 2 * 4 + 1 + 3 + 2 + 3 };
  guint left = __i__;
  GstBuffer *less = gst_tfrc_red_shed (make_red (), left);
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer stamp;
  guint size;

  gst_rtp_buffer_map (less, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_type (&rtp), RED_PT);
  fail_unless (gst_rtp_buffer_get_marker (&rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), sizes[left]);
  fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, 5, 0, &stamp,
          &size));
  fail_unless (size == 5 && memcmp (stamp, "stamp", 5) == 0);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (less), 7 * GST_SECOND);
  fail_unless_equals_int (gst_tfrc_red_parse (less, blocks), left + 1);
  check_block (&blocks[left], 98, TIMESTAMP, "own");
  if (left > 0)
    check_block (&blocks[left - 1], 97, TIMESTAMP - 960, "cc");
  clear_blocks (blocks, left + 1);
  gst_buffer_unref (less);
}

GST_END_TEST;

/* Bit 0 is the older copy. */
GST_START_TEST (needless_copies_are_left_out)
{
  static const guint sizes[] = { 2 * 4 + 1 + 3 + 2 + 3, 4 + 1 + 2 + 3,
    4 + 1 + 3 + 3, 1 + 3
  };
  GstBuffer *less = gst_tfrc_red_leave_out (make_red (), __i__);
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint n = 0;

  gst_rtp_buffer_map (less, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), sizes[__i__]);
  gst_rtp_buffer_unmap (&rtp);
  gst_tfrc_red_parse (less, blocks);
  if (!(__i__ & 1))
    check_block (&blocks[n++], 96, TIMESTAMP - 1920, "ccc");
  if (!(__i__ & 2))
    check_block (&blocks[n++], 97, TIMESTAMP - 960, "cc");
  check_block (&blocks[n], 98, TIMESTAMP, "own");
  clear_blocks (blocks, n + 1);
  gst_buffer_unref (less);
}

GST_END_TEST;

GST_START_TEST (a_frame_is_numbered_by_its_codec_and_time)
{
  GstBuffer *red = make_red (), *plain = make_packet (98, TIMESTAMP, "own", 3),
      *rubbish = gst_buffer_new_memdup ("rubbish", 7),
      *malformed = make_packet (RED_PT, TIMESTAMP, "\xe2", 1);
  guint64 frames[GST_TFRC_RED_BLOCKS];

  fail_unless_equals_int (gst_tfrc_red_get_frames (red, TRUE, frames), 3);
  fail_unless_equals_uint64 (frames[0],
      G_GUINT64_CONSTANT (96) << 32 | (TIMESTAMP - 1920));
  fail_unless_equals_uint64 (frames[1],
      G_GUINT64_CONSTANT (97) << 32 | (TIMESTAMP - 960));
  fail_unless_equals_uint64 (frames[2],
      G_GUINT64_CONSTANT (98) << 32 | TIMESTAMP);
  fail_unless_equals_int (gst_tfrc_red_get_frames (plain, FALSE, frames), 1);
  fail_unless_equals_uint64 (frames[0],
      G_GUINT64_CONSTANT (98) << 32 | TIMESTAMP);
  fail_unless_equals_int (gst_tfrc_red_get_frames (rubbish, TRUE, frames), 0);
  fail_unless_equals_int (gst_tfrc_red_get_frames (malformed, TRUE, frames), 0);
  gst_buffer_unref (red);
  gst_buffer_unref (plain);
  gst_buffer_unref (rubbish);
  gst_buffer_unref (malformed);
}

GST_END_TEST;

GST_START_TEST (nothing_is_shed_of_a_packet_without_copies)
{
  GstBuffer *packets[] = { make_packet (RED_PT, TIMESTAMP, "\x62", 1),
    make_packet (RED_PT, TIMESTAMP, COPY_OF ("\x02") "\x62" "c", 6),
    gst_buffer_new_memdup ("rubbish", 7), make_red ()
  };

  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    fail_unless (gst_tfrc_red_shed (packets[i], i == 3 ? 2 : 0) == packets[i]);
    gst_buffer_unref (packets[i]);
  }
}

GST_END_TEST;

GST_START_TEST (what_is_no_rtp_has_no_blocks)
{
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS], block =
      make_copy (96, 1, 1), none;
  GstBuffer *rubbish = gst_buffer_new_memdup ("rubbish", 7);

  fail_unless_equals_int (gst_tfrc_red_parse (rubbish, blocks), 0);
  fail_unless (gst_tfrc_red_unwrap (rubbish, &block) == NULL);
  fail_if (gst_tfrc_red_block_from_packet (&none, rubbish));
  fail_unless (gst_tfrc_red_wrap (rubbish, RED_PT, &block, 1) == rubbish);
  clear_blocks (&block, 1);
  gst_buffer_unref (rubbish);
}

GST_END_TEST;

static Suite *
red_suite (void)
{
  Suite *suite = suite_create ("red");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_test (tcase, blocks_come_out_as_they_went_in);
  tcase_add_test (tcase, a_copy_begins_no_talkspurt);
  tcase_add_test (tcase, copies_that_a_header_cannot_describe_are_left_out);
  tcase_add_test (tcase, a_packet_that_contradicts_itself_has_no_blocks);
  tcase_add_loop_test (tcase, the_oldest_copies_are_shed, 0, 3);
  tcase_add_test (tcase, nothing_is_shed_of_a_packet_without_copies);
  tcase_add_loop_test (tcase, needless_copies_are_left_out, 0, 4);
  tcase_add_test (tcase, a_frame_is_numbered_by_its_codec_and_time);
  tcase_add_test (tcase, what_is_no_rtp_has_no_blocks);
  return suite;
}

GST_CHECK_MAIN (red);
