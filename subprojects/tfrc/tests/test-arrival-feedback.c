/* libtfrc: tests of the feedback that lists arrivals
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "bytes-test.h"

#include <tfrc/arrival-feedback.h>

#define ROOM 20000
#define TICK 250000             /* ns of a receive delta */

static TfrcArrivalEntry entries[ROOM];
static TfrcArrivalFeedback feedback;

static TfrcParse
parse_twcc (const char *hex)
{
  size_t size;
  uint8_t *fci = from_hex (hex, &size);
  TfrcParse result;

  NOTE ("%s", hex);
  memset (entries, 0xA5, sizeof entries);
  feedback = (TfrcArrivalFeedback) {.entries = entries, .room = ROOM};
  result = tfrc_arrival_feedback_parse_twcc (&feedback, fci, size);
  free (fci);
  return result;
}

static TfrcParse
parse_ccfb (uint32_t ssrc, const char *hex)
{
  size_t size;
  uint8_t *data = from_hex (hex, &size);
  TfrcParse result;

  NOTE ("%s", hex);
  memset (entries, 0xA5, sizeof entries);
  feedback = (TfrcArrivalFeedback) {.entries = entries, .room = ROOM};
  result = tfrc_arrival_feedback_parse_ccfb (&feedback, ssrc, data, size);
  free (data);
  return result;
}

static void
check_received (unsigned i, int64_t arrival, TfrcEcn ecn)
{
  CHECK (entries[i].received && entries[i].timed);
  CHECK_INT (entries[i].arrival, arrival);
  CHECK_INT (entries[i].ecn, ecn);
}

static void
check_not_received (unsigned i, unsigned end)
{
  for (; i < end; i++)
    CHECK (!entries[i].received && !entries[i].timed);
}

/* --- transport-wide congestion control --- */

TEST (a_run_of_small_deltas_counts_from_the_reference_time)
{
  CHECK_INT (parse_twcc ("00050003" "00000207" "2003" "0408ff" "000000"),
      TFRC_PARSE_OK);
  CHECK_INT (feedback.begin_seq, 5);
  CHECK_INT (feedback.n, 3);
  CHECK_INT (feedback.T_base, 2 * 64 * TFRC_MSEC);
  CHECK (!feedback.T_base_is_report);
  check_received (0, 4 * TICK, TFRC_ECN_NOT_ECT);
  check_received (1, 12 * TICK, TFRC_ECN_NOT_ECT);
  check_received (2, (12 + 255) * TICK, TFRC_ECN_NOT_ECT);
}

TEST (a_run_of_packets_that_were_not_received_has_no_deltas)
{
  CHECK_INT (parse_twcc ("fffe1fff" "00000000" "1fff"), TFRC_PARSE_OK);
  CHECK_INT (feedback.begin_seq, 0xFFFE);
  CHECK_INT (feedback.n, 0x1FFF);
  check_not_received (0, 0x1FFF);
}

TEST (large_deltas_have_a_sign)
{
  CHECK_INT (parse_twcc ("00000003" "00000000" "4003" "7fff" "8000" "ffff"),
      TFRC_PARSE_OK);
  check_received (0, 32767 * (int64_t) TICK, TFRC_ECN_NOT_ECT);
  check_received (1, -TICK, TFRC_ECN_NOT_ECT);
  check_received (2, -2 * TICK, TFRC_ECN_NOT_ECT);
}

/* 10 1 0011 0000 0001: of 14 packets the third, fourth and last. */
TEST (a_vector_of_one_bit_symbols_has_fourteen_packets)
{
  CHECK_INT (parse_twcc ("0000000e" "00000000" "8c01" "010203" "000000"),
      TFRC_PARSE_OK);
  check_not_received (0, 2);
  check_received (2, 1 * TICK, TFRC_ECN_NOT_ECT);
  check_received (3, 3 * TICK, TFRC_ECN_NOT_ECT);
  check_not_received (4, 13);
  check_received (13, 6 * TICK, TFRC_ECN_NOT_ECT);
}

/* 11 00 01 10 00 00 00 01: small, large and small deltas among seven packets. */
TEST (a_vector_of_two_bit_symbols_has_seven_packets)
{
  CHECK_INT (parse_twcc ("00000007" "00000000" "c601" "0a" "ff00" "01" "0000"),
      TFRC_PARSE_OK);
  check_not_received (0, 1);
  check_received (1, 10 * TICK, TFRC_ECN_NOT_ECT);
  check_received (2, (10 - 256) * TICK, TFRC_ECN_NOT_ECT);
  check_not_received (3, 6);
  check_received (6, (11 - 256) * TICK, TFRC_ECN_NOT_ECT);
}

TEST (chunks_of_all_kinds_follow_each_other)
{
  /* two small, seven of two bits with the first large, three missing, fourteen of one bit of which the
   * report is about two */
  CHECK_INT (parse_twcc ("0000000e" "00000000" "2002" "e000" "0003" "a000"
          "0101" "0100" "01" "000000"), TFRC_PARSE_OK);
  check_received (1, 2 * TICK, TFRC_ECN_NOT_ECT);
  check_received (2, 258 * TICK, TFRC_ECN_NOT_ECT);
  check_not_received (3, 12);
  check_received (12, 259 * TICK, TFRC_ECN_NOT_ECT);
  check_not_received (13, 14);
}

TEST (what_the_last_chunk_has_beyond_the_count_has_no_meaning)
{
  CHECK_INT (parse_twcc ("00000002" "00000000" "bfff" "0101"), TFRC_PARSE_OK);
  CHECK_INT (feedback.n, 2);
  check_received (1, 2 * TICK, TFRC_ECN_NOT_ECT);
  CHECK_INT (parse_twcc ("00000001" "00000000" "d555" "02" "00"),
      TFRC_PARSE_OK);
  check_received (0, 2 * TICK, TFRC_ECN_NOT_ECT);
  CHECK_INT (parse_twcc ("00000001" "00000000" "2fff" "01" "00"),
      TFRC_PARSE_OK);
  CHECK_INT (feedback.n, 1);
}

TEST (the_reference_time_has_24_bits)
{
  CHECK_INT (parse_twcc ("00000001" "ffffff00" "2001" "00" "00"),
      TFRC_PARSE_OK);
  CHECK (feedback.T_base == 0xFFFFFF * 64 * TFRC_MSEC);
  CHECK (feedback.period == 0x1000000 * 64 * TFRC_MSEC);
}

TEST (transport_wide_feedback_that_lies_about_its_length_is_refused)
{
  CHECK_INT (parse_twcc (""), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000001000000"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("0000000100000000"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("000000010000000020"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000001000000002001"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000001000000004001" "01"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000002000000002002" "01"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000001000000002000"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_twcc ("00000001000000002001" "01" "00000000"),
      TFRC_PARSE_SIZE);
}

TEST (the_reserved_symbol_is_refused)
{
  CHECK_INT (parse_twcc ("0000000100000000" "6001" "0000"), TFRC_PARSE_VALUE);
  CHECK_INT (parse_twcc ("0000000700000000" "c003" "0000"), TFRC_PARSE_VALUE);
}

TEST (feedback_about_more_packets_than_there_is_room_for_is_refused)
{
  CHECK_INT (parse_twcc ("00004e20" "00000000" "1fff" "1fff" "1fff"),
      TFRC_PARSE_OK);
  CHECK_INT (feedback.n, ROOM);
  CHECK_INT (parse_twcc ("00004e21" "00000000" "1fff" "1fff" "1fff"),
      TFRC_PARSE_ROOM);
}

/* --- RFC 8888 --- */

#define RTS "00018000"          /* 1.5 s */

/* R and ECN of each kind; offsets of 0, 1/1024 s, 1 s and 8189/1024 s. */
TEST (a_report_block_has_a_metric_for_each_packet)
{
  CHECK_INT (parse_ccfb (0x11111111,
          "11111111" "fffe0005" "8000" "a001" "0000" "c400" "fffd" "0000" RTS),
      TFRC_PARSE_OK);
  CHECK_INT (feedback.begin_seq, 0xFFFE);
  CHECK_INT (feedback.n, 5);
  CHECK (feedback.T_base_is_report);
  CHECK (feedback.T_base == 1500 * TFRC_MSEC);
  CHECK (feedback.period == 65536 * TFRC_SEC);
  check_received (0, 0, TFRC_ECN_NOT_ECT);
  check_received (1, -976562, TFRC_ECN_ECT1);
  check_not_received (2, 3);
  check_received (3, -(int64_t) TFRC_SEC, TFRC_ECN_ECT0);
  check_received (4, -7997070312, TFRC_ECN_CE);
}

TEST (a_metric_without_the_bit_R_has_no_other_meaning)
{
  CHECK_INT (parse_ccfb (1, "00000001" "00000002" "7fff" "6001" RTS),
      TFRC_PARSE_OK);
  check_not_received (0, 2);
}

TEST (arrivals_that_are_too_long_ago_or_unknown_have_no_time)
{
  CHECK_INT (parse_ccfb (1, "00000001" "00000002" "9ffe" "ffff" RTS),
      TFRC_PARSE_OK);
  for (unsigned i = 0; i < 2; i++)
    CHECK (entries[i].received && !entries[i].timed && entries[i].arrival == 0);
  CHECK_INT (entries[1].ecn, TFRC_ECN_CE);
}

TEST (the_block_of_the_ssrc_asked_for_is_found)
{
  static const char hex[] =
      "00000001" "00010001" "8001" "0000" "00000002" "00020002" "8002" "8003"
      "00000003" "00030000" "00000002" "00090001" "8001" "0000" RTS;

  CHECK_INT (parse_ccfb (2, hex), TFRC_PARSE_OK);
  CHECK_INT (feedback.begin_seq, 2);
  CHECK_INT (feedback.n, 2);
  check_received (1, -2929687, TFRC_ECN_NOT_ECT);
  CHECK_INT (parse_ccfb (3, hex), TFRC_PARSE_OK);
  CHECK_INT (feedback.n, 0);
  CHECK_INT (parse_ccfb (4, hex), TFRC_PARSE_NOT_FOUND);
  CHECK_INT (parse_ccfb (4, RTS), TFRC_PARSE_NOT_FOUND);
}

TEST (rfc_8888_feedback_that_lies_about_its_length_is_refused)
{
  CHECK_INT (parse_ccfb (1, ""), TFRC_PARSE_SIZE);
  CHECK_INT (parse_ccfb (1, "000180"), TFRC_PARSE_SIZE);
  CHECK_INT (parse_ccfb (1, "00000001" RTS), TFRC_PARSE_SIZE);
  CHECK_INT (parse_ccfb (1, "00000001" "00000001" RTS), TFRC_PARSE_SIZE);
  CHECK_INT (parse_ccfb (1, "00000001" "00000001" "8000" RTS), TFRC_PARSE_SIZE);
  CHECK_INT (parse_ccfb (1, "00000001" "00000003" "8000" "8000" RTS),
      TFRC_PARSE_SIZE);
  /* the block asked for is whole, and one behind it is not */
  CHECK_INT (parse_ccfb (1,
          "00000001" "00000001" "8000" "0000" "00000002" "00000003" "0000"
          "0000" RTS), TFRC_PARSE_SIZE);
}

TEST (a_report_block_is_about_16384_packets_at_most)
{
  const size_t size = 8 + 2 * 16386 + 4;
  uint8_t *data = calloc (1, size);

  CHECK (data != NULL);
  data[3] = 1;
  data[6] = 0x40;
  feedback = (TfrcArrivalFeedback) {.entries = entries, .room = ROOM};
  CHECK_INT (tfrc_arrival_feedback_parse_ccfb (&feedback, 1, data, size - 4),
      TFRC_PARSE_OK);
  feedback.room = 16383;
  CHECK_INT (tfrc_arrival_feedback_parse_ccfb (&feedback, 1, data, size - 4),
      TFRC_PARSE_ROOM);
  feedback.room = ROOM;
  data[7] = 1;
  CHECK_INT (tfrc_arrival_feedback_parse_ccfb (&feedback, 1, data, size),
      TFRC_PARSE_VALUE);
  free (data);
}
