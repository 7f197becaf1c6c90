/* tfrcadapt: the bit rates, frame lengths and headers of each codec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec-table.h"

/* The forward error correction of Opus (LBRR) exists where its SILK layer is used: up to about
 * 40 kbit/s for mono speech, in packets of 20 ms and more. */
static const TfrcAdaptCodecInfo infos[TFRC_ADAPT_N_CODECS] = {
  [TFRC_ADAPT_CODEC_OPUS] =
      {"OPUS", 48000, 10000, 0, 0, 2, 510000, true, 40000, 20000,
        {6000, 7000, 8000, 9000, 10000, 12000, 14000, 16000, 18000, 20000,
              22000, 24000, 28000,
            32000, 36000, 40000, 48000, 56000, 64000, 80000, 96000, 128000},
      {10000, 20000, 40000, 60000}},
  [TFRC_ADAPT_CODEC_G722] = {"G722", 8000, 10000, 0, 0, 1, 0, false, 0, 0,
      {64000}, {10000, 20000, 40000, 60000}},
  [TFRC_ADAPT_CODEC_PCMU] = {"PCMU", 8000, 10000, 0, 0, 1, 0, false, 0, 0,
      {64000}, {10000, 20000, 40000, 60000}},
  [TFRC_ADAPT_CODEC_PCMA] = {"PCMA", 8000, 10000, 0, 0, 1, 0, false, 0, 0,
      {64000}, {10000, 20000, 40000, 60000}},
  [TFRC_ADAPT_CODEC_GSM] = {"GSM", 8000, 20000, 0, 0, 1, 0, false, 0, 0,
      {13200}, {20000}},
  [TFRC_ADAPT_CODEC_AMR_WB] = {"AMR-WB", 16000, 20000, 1, 1, 1, 0, false, 0, 0,
      {6600, 8850, 12650, 14250, 15850, 18250, 19850, 23050, 23850}, {20000}},
  [TFRC_ADAPT_CODEC_SPEEX] = {"SPEEX", 16000, 20000, 0, 0, 1, 0, false, 0, 0,
      {7750, 9800, 12800, 16800, 20600, 27800}, {20000}},
};

const TfrcAdaptCodecInfo *
tfrc_adapt_codec_get_info (TfrcAdaptCodec codec)
{
  return &infos[codec < TFRC_ADAPT_N_CODECS ? codec : TFRC_ADAPT_CODEC_OPUS];
}

const char *
tfrc_adapt_codec_get_name (TfrcAdaptCodec codec)
{
  return tfrc_adapt_codec_get_info (codec)->name;
}
