/* libtfrc: tests of the feedback packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "bytes-test.h"
#include "vectors.h"

#include <tfrc/wire.h>

#define GOOD "82cd0006" "11111111" "22222222" "ffffff00" "000000fa" "000280a0" "028f5c28"

static TfrcReport report;
static uint32_t sender_ssrc, media_ssrc;

static TfrcParse
parse (unsigned fmt, const char *hex)
{
  size_t size;
  uint8_t *packet = from_hex (hex, &size);
  TfrcParse result;

  report = (TfrcReport) {71, 72, 73, 74, true, 75, true, 76};
  sender_ssrc = 75;
  media_ssrc = 76;
  result =
      tfrc_report_parse (&report, fmt, &sender_ssrc, &media_ssrc, packet, size);
  free (packet);
  return result;
}

/* `hex` is refused with `error`, and nothing is touched. */
static void
check_error (TfrcParse error, const char *hex)
{
  NOTE ("%s", hex);
  CHECK_INT (parse (2, hex), error);
  CHECK (report.t_i_us == 71 && report.t_delay_us == 72
      && report.x_recv_Bps == 73 && report.p_q32 == 74 && sender_ssrc == 75
      && media_ssrc == 76);
}

static void
check_good (unsigned fmt, const char *hex)
{
  NOTE ("%s", hex);
  CHECK_INT (parse (fmt, hex), TFRC_PARSE_OK);
  CHECK_INT (sender_ssrc, 0x11111111);
  CHECK_INT (media_ssrc, 0x22222222);
  CHECK_INT (report.t_i_us, 0xFFFFFF00u);
  CHECK_INT (report.t_delay_us, 250);
  CHECK_INT (report.x_recv_Bps, 164000);
  CHECK_INT (report.p_q32, 42949672);
}

TEST (the_packet_has_the_exact_bytes)
{
  for (size_t i = 0; i < v_wire.n_feedback; i++) {
    const struct v_wire_feedback *v = &v_wire.feedback[i];
    TfrcReport want = { (uint32_t) v->t_i_us, (uint32_t) v->t_delay_us,
      (uint32_t) v->x_recv_Bps, tfrc_report_encode_p (v->p), false, 0, false, 0
    };
    uint8_t packet[TFRC_REPORT_SIZE_MAX];
    char text[2 * TFRC_REPORT_SIZE_MAX + 1];
    size_t size;

    NOTE ("vector %zu", i);
    CHECK_INT (want.p_q32, v->p_q32);
    size = tfrc_report_write (&want, TFRC_REPORT_FMT,
        (uint32_t) v->sender_ssrc, (uint32_t) v->media_ssrc, packet);
    CHECK_INT (size, TFRC_REPORT_SIZE);
    CHECK_STR (to_hex (packet, size, text), v->hex);
    CHECK_INT (parse (TFRC_REPORT_FMT, v->hex), TFRC_PARSE_OK);
    CHECK_INT (sender_ssrc, v->sender_ssrc);
    CHECK_INT (media_ssrc, v->media_ssrc);
    CHECK_INT (report.t_i_us, want.t_i_us);
    CHECK_INT (report.t_delay_us, want.t_delay_us);
    CHECK_INT (report.x_recv_Bps, want.x_recv_Bps);
    CHECK_INT (report.p_q32, want.p_q32);
    CHECK (!report.timed);
  }
}

TEST (the_format_asked_for_is_written_and_parsed)
{
  uint8_t packet[TFRC_REPORT_SIZE_MAX];
  char text[2 * TFRC_REPORT_SIZE_MAX + 1];
  size_t size;
  TfrcReport good;

  check_good (2, GOOD);
  good = report;
  for (unsigned fmt = 0; fmt < 32; fmt++) {
    size = tfrc_report_write (&good, fmt, 0x11111111, 0x22222222, packet);
    CHECK_INT (packet[0], 0x80 + fmt);
    check_good (fmt, to_hex (packet, size, text));
    CHECK_INT (parse ((fmt + 1) % 32, text), TFRC_PARSE_TYPE);
  }
}

/* The report takes `size` bytes, which are `hex`, and is read as it was written. */
static void
check_written (const TfrcReport * written, size_t size, const char *hex)
{
  uint8_t packet[TFRC_REPORT_SIZE_MAX];
  char text[2 * TFRC_REPORT_SIZE_MAX + 1];

  CHECK_INT (tfrc_report_write (written, 2, 0x11111111, 0x22222222, packet),
      size);
  CHECK_STR (to_hex (packet, size, text), hex);
  check_good (2, text);
}

/* The fifth word is arrival by the receiver's clock less t_i. */
TEST (a_report_with_a_transit_time_has_a_word_more)
{
  TfrcReport timed;

  check_good (2, GOOD);
  CHECK (!report.timed);
  timed = report;
  timed.timed = true;
  timed.transit_us = 0xFEDCBA98;
  check_written (&timed, 32,
      "82cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "fedcba98");
  CHECK (report.timed);
  CHECK_INT (report.transit_us, 0xFEDCBA98);
  check_good (2,
      "a2cd0008" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "fedcba98" "00000004");
  CHECK (report.timed);
}

/* The sixth word has a bit for each of the 32 packets before the one that t_i names. The transit time is there, too. */
TEST (a_report_that_lists_arrivals_has_two_words_more)
{
  TfrcReport listing;

  check_good (2, GOOD);
  CHECK (!report.lists_arrivals);
  listing = report;
  listing.lists_arrivals = true;
  listing.transit_us = 0xFEDCBA98;
  listing.arrivals = 0x80000005;
  check_written (&listing, 36,
      "82cd0008" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "fedcba98" "80000005");
  CHECK (report.timed && report.lists_arrivals);
  CHECK_INT (report.transit_us, 0xFEDCBA98);
  CHECK_INT (report.arrivals, 0x80000005);
  check_good (2,
      "82cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "fedcba98");
  CHECK (report.timed && !report.lists_arrivals);
  CHECK_INT (report.arrivals, 0);
}

TEST (another_version_type_or_format_is_refused)
{
  check_error (TFRC_PARSE_VERSION,
      "42cd0006111111112222222200000000000000000000000000000000");
  check_error (TFRC_PARSE_VERSION,
      "c2cd0006111111112222222200000000000000000000000000000000");
  check_error (TFRC_PARSE_TYPE,
      "82ce0006111111112222222200000000000000000000000000000000");
  check_error (TFRC_PARSE_TYPE,
      "82c90006111111112222222200000000000000000000000000000000");
  check_error (TFRC_PARSE_TYPE,
      "81cd0006111111112222222200000000000000000000000000000000");
}

TEST (a_length_other_than_six_to_eight_words_is_refused)
{
  /* five and nine words, truly so, and a lie */
  check_error (TFRC_PARSE_SIZE,
      "82cd00051111111122222222ffffff00000000fa000280a0");
  check_error (TFRC_PARSE_SIZE, GOOD "00000000");
  check_error (TFRC_PARSE_SIZE,
      "82cd0009" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000000" "00000000" "00000000");
  check_error (TFRC_PARSE_SIZE,
      "82cd00051111111122222222ffffff00000000fa000280a0028f5c28");
  check_error (TFRC_PARSE_SIZE,
      "82cd00071111111122222222ffffff00000000fa000280a0028f5c28");
  check_error (TFRC_PARSE_SIZE,
      "82cdffff1111111122222222ffffff00000000fa000280a0028f5c28");
  check_error (TFRC_PARSE_SIZE, "82cd00021111111122222222");
}

TEST (every_cut_of_a_packet_is_refused)
{
  for (size_t length = 0; length < strlen (GOOD); length += 2) {
    char cut[64] = "";

    memcpy (cut, GOOD, length);
    check_error (TFRC_PARSE_SIZE, cut);
  }
}

TEST (valid_padding_is_taken_off)
{
  check_good (2,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000004");
  check_good (2,
      "a2cd0008" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "aabbccdd" "00000008");
}

TEST (padding_that_lies_is_refused)
{
  /* zero, no multiple of four, longer than the packet, eating the fields */
  check_error (TFRC_PARSE_VERSION,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000000");
  check_error (TFRC_PARSE_VERSION,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000005");
  check_error (TFRC_PARSE_VERSION,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "000000fc");
  check_error (TFRC_PARSE_VERSION,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000018");
  check_error (TFRC_PARSE_SIZE,
      "a2cd0007" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "028f5c28" "00000014");
  check_error (TFRC_PARSE_SIZE,
      "a2cd0006" "11111111" "22222222" "ffffff00" "000000fa" "000280a0"
      "00000004");
}

TEST (control_information_is_four_to_six_words)
{
  uint8_t fci[TFRC_REPORT_FCI_SIZE_MAX + 4] = { 0 };

  check_good (2, GOOD);
  CHECK_INT (tfrc_report_write_fci (&report, fci), TFRC_REPORT_FCI_SIZE);
  for (size_t size = 0; size <= sizeof fci; size++)
    CHECK_INT (tfrc_report_parse_fci (&report, fci, size),
        size == 16 || size == 20
        || size == 24 ? TFRC_PARSE_OK : TFRC_PARSE_SIZE);
  CHECK_INT (report.p_q32, 42949672);
}

TEST (p_is_coded_in_units_of_two_to_the_minus_32)
{
  for (size_t i = 0; i < v_wire.n_p_q32; i++) {
    NOTE ("p %g", v_wire.p_q32[i].p);
    CHECK_INT (tfrc_report_encode_p (v_wire.p_q32[i].p), v_wire.p_q32[i].q32);
    CHECK (tfrc_report_decode_p ((uint32_t) v_wire.p_q32[i].q32) ==
        v_wire.p_q32[i].decoded);
  }
}

TEST (p_is_zero_on_the_wire_only_without_a_loss_event)
{
  CHECK_INT (tfrc_report_encode_p (1e-15), 1);
  CHECK_INT (tfrc_report_encode_p (0x1p-32), 1);
  CHECK_INT (tfrc_report_encode_p (0x1.8p-32), 1);
  CHECK_INT (tfrc_report_encode_p (0x1p-31), 2);
  CHECK_INT (tfrc_report_encode_p (0.0), 0);
  CHECK_INT (tfrc_report_encode_p (-0.5), 0);
  CHECK_INT (tfrc_report_encode_p ((double) NAN), 0);
  CHECK_INT (tfrc_report_encode_p (1.5), UINT32_MAX);
  CHECK_INT (tfrc_report_encode_p (INFINITY), UINT32_MAX);
  CHECK_INT (tfrc_report_encode_p (1.0 - 0x1p-40), UINT32_MAX);
}
