/* tfrcadapt: the bit rates, frame lengths and headers of each codec (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_CODEC_TABLE_H
#define TFRC_ADAPT_CODEC_TABLE_H

#include <tfrcadapt/operating-point.h>

#define TFRC_ADAPT_CODEC_BITRATES 23    /* longest list of bit rates, with its end */
#define TFRC_ADAPT_CODEC_FRAMES 5       /* longest list of packet times, with its end */

typedef struct
{
  const char *name;             /* RTP encoding name */
  uint32_t clock_rate;          /* Hz of the RTP timestamp */
  uint32_t frame_us;            /* us of sound in one codec frame */
  uint8_t header, frame_header; /* bytes of payload header in a packet, and for each codec frame */
  uint8_t max_channels;
  uint32_t any_max_bitrate;     /* bit/s: the codec takes any bit rate up to this; 0: only the listed ones */
  bool has_fec;                 /* the codec has a forward error correction of its own, */
  uint32_t fec_max_bitrate, fec_min_frame_us;   /* which works up to this bit rate and from this packet on */
  uint32_t bitrates[TFRC_ADAPT_CODEC_BITRATES];       /* bit/s, ascending; 0 ends the list */
  uint32_t frames_us[TFRC_ADAPT_CODEC_FRAMES];        /* us of sound in a packet, ascending; 0 ends the list */
} TfrcAdaptCodecInfo;

const TfrcAdaptCodecInfo *tfrc_adapt_codec_get_info (TfrcAdaptCodec codec);

#endif
