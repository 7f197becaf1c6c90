/* tfrcadapt: what an operating point costs, and the ladder of operating points
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/operating-point.h>

#include "codec-table.h"

/* RFC 2198 3: bytes of header of each redundant block, and of the last, primary one. */
#define RED_BLOCK_HEADER 4
#define RED_LAST_HEADER 1

/* RFC 2198 3: the block length has ten bits, the timestamp offset fourteen. */
#define RED_BLOCK_MAX 1023
#define RED_OFFSET_MAX 16383

double
tfrc_adapt_point_get_packet_rate (const TfrcAdaptPoint * point)
{
  return 1e6 / point->frame_us;
}

unsigned
tfrc_adapt_point_get_copy_spacing (const TfrcAdaptPoint * point,
    uint32_t distance)
{
  return distance > point->frame_us ? distance / point->frame_us : 1;
}

/* Bytes of payload without redundant copies. */
static uint32_t
get_block (const TfrcAdaptPoint * point)
{
  const TfrcAdaptCodecInfo *codec = tfrc_adapt_codec_get_info (point->codec);
  uint64_t bits = (uint64_t) point->bitrate * point->frame_us / 1000000;
  uint32_t frames = point->frame_us / codec->frame_us;

  return (uint32_t) ((bits + 7) / 8) + codec->header +
      frames * codec->frame_header;
}

uint32_t
tfrc_adapt_point_get_payload_size (const TfrcAdaptPoint * point)
{
  uint32_t block = get_block (point);

  if (point->redundancy == 0)
    return block;
  return block * (1u + point->redundancy) +
      point->redundancy * RED_BLOCK_HEADER + RED_LAST_HEADER;
}

double
tfrc_adapt_point_get_rate (const TfrcAdaptPoint * point, uint32_t overhead)
{
  return (tfrc_adapt_point_get_payload_size (point) +
      overhead) * tfrc_adapt_point_get_packet_rate (point);
}

double
tfrc_adapt_point_get_wire_rate (const TfrcAdaptPoint * point, uint32_t overhead,
    uint32_t H)
{
  return tfrc_adapt_point_get_rate (point, overhead + H);
}

void
tfrc_adapt_ladder_limits_init (TfrcAdaptLadderLimits * limits)
{
  *limits = (TfrcAdaptLadderLimits) {
      .codecs = 1u << TFRC_ADAPT_CODEC_OPUS,
      .min_bitrate = 6000,
      .max_bitrate = 64000,
      .min_frame_us = 20000,
      .max_frame_us = 60000,
      .channels = 1,
      .max_redundancy = TFRC_ADAPT_REDUNDANCY_MAX,
      .fec = true,
  };
}

/* Whether the header of a redundant block can hold the size and the age of the copies. */
static bool
can_repeat (const TfrcAdaptPoint * point)
{
  const TfrcAdaptCodecInfo *codec = tfrc_adapt_codec_get_info (point->codec);
  uint64_t offset =
      (uint64_t) point->redundancy * point->frame_us * codec->clock_rate /
      1000000;

  return get_block (point) <= RED_BLOCK_MAX && offset <= RED_OFFSET_MAX;
}

static bool
is_allowed (const TfrcAdaptPoint * point, const TfrcAdaptLadderLimits * limits)
{
  if (point->bitrate < limits->min_bitrate
      || point->frame_us < limits->min_frame_us)
    return false;
  if (limits->max_bitrate != 0 && point->bitrate > limits->max_bitrate)
    return false;
  if (limits->max_frame_us != 0 && point->frame_us > limits->max_frame_us)
    return false;
  if (limits->max_payload != 0
      && tfrc_adapt_point_get_payload_size (point) > limits->max_payload)
    return false;
  return point->redundancy == 0 || can_repeat (point);
}

static bool
is_listed (const TfrcAdaptCodecInfo * codec, uint32_t bitrate)
{
  unsigned b;

  for (b = 0; b < TFRC_ADAPT_CODEC_BITRATES; b++) {
    if (codec->bitrates[b] == bitrate)
      return true;
  }
  return false;
}

/* Whether the codec's own forward error correction works at this point. */
static bool
can_protect (const TfrcAdaptCodecInfo * codec, const TfrcAdaptPoint * point)
{
  return codec->has_fec && point->bitrate <= codec->fec_max_bitrate
      && point->frame_us >= codec->fec_min_frame_us;
}

bool
tfrc_adapt_point_is_valid (const TfrcAdaptPoint * point)
{
  const TfrcAdaptCodecInfo *codec;
  unsigned f = 0;

  if (point->codec >= TFRC_ADAPT_N_CODECS || point->bitrate == 0)
    return false;
  codec = tfrc_adapt_codec_get_info (point->codec);
  while (f < TFRC_ADAPT_CODEC_FRAMES && codec->frames_us[f] != point->frame_us)
    f++;
  if (point->frame_us == 0 || f == TFRC_ADAPT_CODEC_FRAMES)
    return false;
  if (!is_listed (codec, point->bitrate)
      && (point->bitrate < codec->bitrates[0]
          || point->bitrate > codec->any_max_bitrate))
    return false;
  if (point->channels < 1 || point->channels > codec->max_channels)
    return false;
  if (point->fec && !can_protect (codec, point))
    return false;
  return point->redundancy <= TFRC_ADAPT_REDUNDANCY_MAX
      && (point->redundancy == 0 || can_repeat (point));
}

typedef struct
{
  TfrcAdaptPoint *points;
  unsigned size, n;
  const TfrcAdaptLadderLimits *limits;
} Ladder;

/* Adds the point with each protection that the limits permit. */
static void
add_protections (Ladder * ladder, TfrcAdaptPoint point)
{
  const TfrcAdaptCodecInfo *codec = tfrc_adapt_codec_get_info (point.codec);
  unsigned fec, redundancy;
  unsigned last_fec = ladder->limits->fec && can_protect (codec, &point);

  for (fec = 0; fec <= last_fec; fec++) {
    for (redundancy = 0; redundancy <= ladder->limits->max_redundancy;
        redundancy++) {
      point.fec = fec != 0;
      point.redundancy = (uint8_t) redundancy;
      if (redundancy <= TFRC_ADAPT_REDUNDANCY_MAX && ladder->n < ladder->size
          && is_allowed (&point, ladder->limits))
        ladder->points[ladder->n++] = point;
    }
  }
}

static void
add_bitrate (Ladder * ladder, TfrcAdaptCodec id, uint32_t bitrate)
{
  const TfrcAdaptCodecInfo *codec = tfrc_adapt_codec_get_info (id);
  unsigned f;

  for (f = 0; f < TFRC_ADAPT_CODEC_FRAMES && codec->frames_us[f] != 0; f++) {
    TfrcAdaptPoint point = { id, bitrate, codec->frames_us[f],
      codec->max_channels < ladder->limits->channels ? codec->max_channels
          : ladder->limits->channels, 0, false, ladder->limits->music
    };

    add_protections (ladder, point);
  }
}

/* Adds the points of a codec. For one that takes any bit rate, the least and the highest that the
 * limits permit are points too. */
static void
add_codec (Ladder * ladder, TfrcAdaptCodec id)
{
  const TfrcAdaptCodecInfo *codec = tfrc_adapt_codec_get_info (id);
  uint32_t min = ladder->limits->min_bitrate, max = ladder->limits->max_bitrate;
  unsigned b;

  for (b = 0; b < TFRC_ADAPT_CODEC_BITRATES && codec->bitrates[b] != 0; b++)
    add_bitrate (ladder, id, codec->bitrates[b]);
  if (codec->any_max_bitrate == 0)
    return;
  if (min >= codec->bitrates[0] && min <= codec->any_max_bitrate
      && !is_listed (codec, min))
    add_bitrate (ladder, id, min);
  if (max != min && max >= codec->bitrates[0] && max <= codec->any_max_bitrate
      && !is_listed (codec, max))
    add_bitrate (ladder, id, max);
}

unsigned
tfrc_adapt_ladder_fill (TfrcAdaptPoint * points, unsigned size,
    const TfrcAdaptLadderLimits * limits)
{
  Ladder ladder = { points, size, 0, limits };
  unsigned codec;

  for (codec = 0; codec < TFRC_ADAPT_N_CODECS; codec++) {
    if (limits->codecs & (1u << codec))
      add_codec (&ladder, (TfrcAdaptCodec) codec);
  }
  return ladder.n;
}
