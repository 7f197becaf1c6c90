/* libtfrc: what the ladder knows of each codec (private)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_CODEC_TABLE_H
#define TFRC_ADAPT_CODEC_TABLE_H

#include <tfrcadapt/operating-point.h>

#define TFRC_ADAPT_CODEC_BITRATES 23
#define TFRC_ADAPT_CODEC_FRAMES 5

typedef struct
{
  const char *name;             /* RTP encoding name */
  uint32_t clock_rate;          /* Hz of the RTP timestamp */
  uint32_t frame_us;            /* one codec frame */
  uint8_t header, frame_header; /* bytes of payload header, and for each codec frame */
  uint8_t max_channels;
  uint32_t any_max_bitrate;     /* takes any bitrate up to this; 0: the listed ones only */
  bool has_fec;
  uint32_t fec_max_bitrate, fec_min_frame_us;   /* where its error correction does anything */
  uint32_t bitrates[TFRC_ADAPT_CODEC_BITRATES];       /* bit/s, ascending; 0 ends the list */
  uint32_t frames_us[TFRC_ADAPT_CODEC_FRAMES];        /* us of sound in a packet, ascending */
} TfrcAdaptCodecInfo;

const TfrcAdaptCodecInfo *tfrc_adapt_codec_get_info (TfrcAdaptCodec codec);

#endif
