/* tfrcadapt: tests of the E-model, its measured tables, and the ladder of points
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include <tfrcadapt/quality.h>

static double
get_mos (TfrcAdaptPoint point, double loss, double burst, double delay)
{
  TfrcAdaptListening listening = { loss, burst, delay };

  return tfrc_adapt_quality_get_mos (tfrc_adapt_quality_get_rating (&point,
          &listening));
}

static TfrcAdaptPoint
opus (uint32_t bitrate, uint32_t ms, bool fec, uint8_t redundancy)
{
  return (TfrcAdaptPoint) {TFRC_ADAPT_CODEC_OPUS, bitrate, ms * 1000, 1,
      redundancy, fec, false};
}

/* G.107 annex B's curve at well-known ratings of the narrowband scale. */
TEST (the_score_of_a_rating)
{
  static const double known[][2] =
      { {93.2, 4.41}, {90, 4.34}, {80, 4.02}, {70, 3.60}, {60, 3.10}, {50,
      2.58}
  };

  for (unsigned i = 0; i < N_OF (known); i++) {
    NOTE ("R %g", known[i][0]);
    CHECK_NEAR (tfrc_adapt_quality_get_mos (1.29 * known[i][0]), known[i][1],
        0.01);
    CHECK_REL (tfrc_adapt_quality_get_rating_of_mos (tfrc_adapt_quality_get_mos
            (1.29 * known[i][0])), 1.29 * known[i][0], 1e-4);
  }
  CHECK_NEAR (tfrc_adapt_quality_get_mos (0), 1.0, 1e-12);
  CHECK_NEAR (tfrc_adapt_quality_get_mos (200), 4.5, 1e-12);
}

TEST (delay_costs_nothing_up_to_a_tenth_of_a_second)
{
  double last = 0.0;

  CHECK_NEAR (tfrc_adapt_quality_get_delay_impairment (0.1), 0.0, 1e-12);
  CHECK_NEAR (tfrc_adapt_quality_get_delay_impairment (0.2), 25 * (pow (2,
              1.0 / 6)
          - 3 * pow (1 + pow (1.0 / 3, 6), 1.0 / 6) + 2), 1e-9);
  for (double Ta = 0.1; Ta < 2; Ta += 0.01) {
    CHECK (tfrc_adapt_quality_get_delay_impairment (Ta) >= last);
    last = tfrc_adapt_quality_get_delay_impairment (Ta);
  }
  CHECK_BETWEEN (last, 30, 50);
}

TEST (a_copy_is_lost_with_the_chance_that_a_loss_goes_on)
{
  CHECK_NEAR (tfrc_adapt_quality_get_residual_loss (0.1, 1, 0), 0.1, 1e-12);
  CHECK_NEAR (tfrc_adapt_quality_get_residual_loss (0.1, 1, 1), 0.01, 1e-12);
  CHECK_NEAR (tfrc_adapt_quality_get_residual_loss (0.1, 1, 2), 0.001, 1e-12);
  CHECK_NEAR (tfrc_adapt_quality_get_residual_loss (0.1, 2, 1), 0.1 * 0.55,
      1e-12);
}

TEST (the_table_says_what_was_measured)
{
  /* means of the calibration, in scores */
  CHECK_NEAR (get_mos (opus (16000, 60, false, 0), 0, 1, 0), 4.0, 0.15);
  CHECK_NEAR (get_mos (opus (8000, 20, false, 0), 0, 1, 0), 2.6, 0.2);
  CHECK_NEAR (get_mos (opus (32000, 20, false, 0), 0.1, 1, 0), 2.1, 0.25);
  CHECK_NEAR (get_mos (opus (32000, 20, true, 0), 0.1, 1, 0), 3.4, 0.25);
}

TEST (more_loss_never_sounds_better)
{
  for (unsigned ms = 10; ms <= 60; ms += ms < 20 ? 10 : 20) {
    for (uint32_t bitrate = 6000; bitrate <= 128000; bitrate += 1000) {
      double last = 5;

      NOTE ("%u bit/s, %u ms", bitrate, ms);
      for (double loss = 0; loss <= 0.5; loss += 0.01) {
        double mos = get_mos (opus (bitrate, ms, false, 0), loss, 1, 0);

        CHECK_BETWEEN (mos, 1.0, last);
        last = mos;
      }
    }
  }
}

/* At 16 kbit/s with error correction the curve has the same value at 20 and 30 % of loss. */
TEST (nothing_is_heard_where_everything_is_lost)
{
  for (uint32_t bitrate = 6000; bitrate <= 64000; bitrate += 1000) {
    NOTE ("%u bit/s", bitrate);
    CHECK_BETWEEN (get_mos (opus (bitrate, 20, true, 0), 1, 1, 0), 1.0, 1.01);
    CHECK_BETWEEN (get_mos (opus (bitrate, 60, false, 0), 1, 1, 0), 1.0, 1.01);
    CHECK (get_mos (opus (bitrate, 20, true, 0), 0.5, 1,
            0) < get_mos (opus (bitrate, 20, true, 0), 0.3, 1, 0));
  }
}

TEST (no_rating_is_below_zero)
{
  TfrcAdaptListening listening = { .loss = 0.5, .burst = 1, .delay = 2 };
  TfrcAdaptPoint point = opus (6000, 60, false, 0);

  CHECK_NEAR (tfrc_adapt_quality_get_rating (&point, &listening), 0, 0);
}

TEST (copies_win_back_what_random_loss_takes)
{
  CHECK (get_mos (opus (24000, 20, false, 1), 0.1, 1, 0) > get_mos (opus (24000,
              20, false, 0), 0.1, 1, 0) + 1);
  CHECK (get_mos (opus (24000, 20, false, 2), 0.25, 1,
          0) > get_mos (opus (24000, 20, false, 1), 0.25, 1, 0));
}

TEST (copies_are_as_many_packets_apart_as_the_distance_has)
{
  TfrcAdaptPoint point = opus (16000, 20, false, 1);

  CHECK_INT (tfrc_adapt_point_get_copy_spacing (&point, 80000), 4);
  CHECK_INT (tfrc_adapt_point_get_copy_spacing (&point, 0), 1);
  CHECK_INT (tfrc_adapt_point_get_copy_spacing (&point, 59999), 2);
  point.frame_us = 60000;
  CHECK_INT (tfrc_adapt_point_get_copy_spacing (&point, 80000), 1);
  point.frame_us = 10000;
  CHECK_INT (tfrc_adapt_point_get_copy_spacing (&point, 80000), 8);
}

TEST (the_cost_of_a_point_with_all_headers)
{
  TfrcAdaptPoint point = opus (16000, 20, false, 0);

  CHECK_INT (tfrc_adapt_point_get_payload_size (&point), 40);
  CHECK_NEAR (tfrc_adapt_point_get_wire_rate (&point, 24, 40), 104 * 50, 1e-9);
  point.redundancy = 2;
  CHECK_INT (tfrc_adapt_point_get_payload_size (&point), 3 * 40 + 2 * 4 + 1);
  point =
      (TfrcAdaptPoint) {TFRC_ADAPT_CODEC_AMR_WB, 6600, 20000, 1, 0, false,
      false};
  CHECK_INT (tfrc_adapt_point_get_payload_size (&point), 17 + 2);
}

TEST (a_ladder_keeps_its_limits)
{
  static TfrcAdaptPoint points[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptLadderLimits limits;
  unsigned n, top = 0;

  tfrc_adapt_ladder_limits_init (&limits);
  limits.min_bitrate = 13000;
  limits.max_bitrate = 25000;
  limits.max_frame_us = 40000;
  limits.max_payload = 100;
  n = tfrc_adapt_ladder_fill (points, TFRC_ADAPT_LADDER_MAX, &limits);
  CHECK (n > 10);
  for (unsigned i = 0; i < n; i++) {
    CHECK_BETWEEN (points[i].bitrate, 13000, 25000);
    CHECK_BETWEEN (points[i].frame_us, 20000, 40000);
    CHECK (tfrc_adapt_point_get_payload_size (&points[i]) <= 100);
    top += points[i].bitrate == 25000;
  }
  CHECK (top > 0);
  CHECK_INT (tfrc_adapt_ladder_fill (points, 3, &limits), 3);
  limits.min_frame_us = 30000;
  limits.max_frame_us = 35000;
  CHECK_INT (tfrc_adapt_ladder_fill (points, TFRC_ADAPT_LADDER_MAX, &limits),
      0);
}

TEST (a_point_is_valid_when_its_codec_has_it)
{
  TfrcAdaptPoint good[] = {
    opus (6000, 60, true, 2), opus (510000, 10, false, 0), opus (23456, 20,
        true, 0),
    {TFRC_ADAPT_CODEC_OPUS, 96000, 20000, 2, 0, false, false},
    {TFRC_ADAPT_CODEC_G722, 64000, 40000, 1, 0, false, false},
    {TFRC_ADAPT_CODEC_AMR_WB, 12650, 20000, 1, 2, false, false},
    {TFRC_ADAPT_CODEC_SPEEX, 12800, 20000, 1, 1, false, false}
  };
  TfrcAdaptPoint bad[] = {
    opus (5999, 20, false, 0), opus (510001, 20, false, 0), opus (16000, 30,
        false, 0),
    opus (16000, 0, false, 0), opus (40001, 20, true, 0), opus (16000, 10, true,
        0),
    opus (16000, 20, false, 3), opus (0, 20, false, 0), opus (510000, 20, false,
        1),
    {TFRC_ADAPT_CODEC_OPUS, 16000, 20000, 0, 0, false, false},
    {TFRC_ADAPT_CODEC_OPUS, 16000, 20000, 3, 0, false, false},
    {TFRC_ADAPT_CODEC_G722, 48000, 20000, 1, 0, false, false},
    {TFRC_ADAPT_CODEC_G722, 64000, 20000, 2, 0, false, false},
    {TFRC_ADAPT_CODEC_PCMU, 64000, 20000, 1, 0, true, false},
    {TFRC_ADAPT_CODEC_GSM, 13200, 40000, 1, 0, false, false},
    {TFRC_ADAPT_N_CODECS, 64000, 20000, 1, 0, false, false}
  };

  for (unsigned i = 0; i < N_OF (good); i++) {
    NOTE ("good %u", i);
    CHECK (tfrc_adapt_point_is_valid (&good[i]));
  }
  for (unsigned i = 0; i < N_OF (bad); i++) {
    NOTE ("bad %u", i);
    CHECK (!tfrc_adapt_point_is_valid (&bad[i]));
  }
}

/* Each point that a ladder is filled with is one. */
TEST (a_ladder_has_valid_points_only)
{
  static TfrcAdaptPoint points[TFRC_ADAPT_LADDER_MAX];
  TfrcAdaptLadderLimits limits;
  unsigned n;

  tfrc_adapt_ladder_limits_init (&limits);
  limits.codecs = (1u << TFRC_ADAPT_N_CODECS) - 1;
  limits.max_bitrate = 0;
  limits.min_frame_us = 0;
  limits.channels = 2;
  limits.music = true;
  n = tfrc_adapt_ladder_fill (points, TFRC_ADAPT_LADDER_MAX, &limits);
  CHECK (n > 100 && n < TFRC_ADAPT_LADDER_MAX);
  for (unsigned i = 0; i < n; i++) {
    NOTE ("%u bit/s", points[i].bitrate);
    CHECK (tfrc_adapt_point_is_valid (&points[i]));
    CHECK_INT (points[i].channels,
        points[i].codec == TFRC_ADAPT_CODEC_OPUS ? 2 : 1);
    CHECK (points[i].music);
  }
}

/* The scores of the blind tests, drawn from 1..5 onto 1..4.5. */
TEST (music_is_judged_as_listeners_did)
{
  TfrcAdaptPoint point =
      { TFRC_ADAPT_CODEC_OPUS, 64000, 20000, 2, 0, false, true };

  CHECK_NEAR (get_mos (point, 0, 1, 0), 1 + (3.999 - 1) * 3.5 / 4, 0.03);
  point.bitrate = 96000;
  CHECK_NEAR (get_mos (point, 0, 1, 0), 1 + (4.65 - 1) * 3.5 / 4, 0.03);
  point.bitrate = 160000;
  CHECK_NEAR (get_mos (point, 0, 1, 0), 4.5, 0.01);
  CHECK (get_mos (point, 0.05, 1, 0) < get_mos (point, 0.01, 1, 0));
}
