/* tfrcadapt: operating points, each of which is a setting of an encoder of sound; the rate that a point
 * has on the network; and the ladder, the list of the points that a call may use
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_OPERATING_POINT_H
#define TFRC_ADAPT_OPERATING_POINT_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef enum
{
  TFRC_ADAPT_CODEC_OPUS,        /* RFC 7587 */
  TFRC_ADAPT_CODEC_G722,        /* RFC 3551 4.5.2 */
  TFRC_ADAPT_CODEC_PCMU,        /* RFC 3551 4.5.14 */
  TFRC_ADAPT_CODEC_PCMA,        /* RFC 3551 4.5.14 */
  TFRC_ADAPT_CODEC_GSM,         /* RFC 3551 4.5.8 */
  TFRC_ADAPT_CODEC_AMR_WB,      /* RFC 4867, octet-aligned */
  TFRC_ADAPT_CODEC_SPEEX,       /* RFC 5574, wideband */
  TFRC_ADAPT_N_CODECS
} TfrcAdaptCodec;

/* The RTP encoding name of a codec, in capitals: "OPUS", "AMR-WB". */
const char *tfrc_adapt_codec_get_name (TfrcAdaptCodec codec);

#define TFRC_ADAPT_REDUNDANCY_MAX 2     /* redundant copies in a packet (RFC 2198) */
#define TFRC_ADAPT_COPY_DISTANCE 80000  /* us: default distance of a packet and its redundant copy,
                                         * longer than most bursts of loss */
#define TFRC_ADAPT_LADDER_MAX 1024      /* points: no ladder has more */

/* An operating point. */
typedef struct
{
  TfrcAdaptCodec codec;
  uint32_t bitrate;             /* bit/s of codec frames, without redundant copies */
  uint32_t frame_us;            /* us of sound in one packet, the ptime of SDP and of the elements: all
                                 * codec frames of the packet together */
  uint8_t channels;
  uint8_t redundancy;           /* redundant copies in each packet (RFC 2198): the earlier packets that it
                                 * repeats; 0: none */
  bool fec;                     /* the codec's own forward error correction is on */
  bool music;                   /* the quality is predicted for music and not for speech; the encoder
                                 * is the caller's to set */
} TfrcAdaptPoint;

/* Whether the codec of the point supports its bit rate, ptime, channels, error correction and redundancy. */
bool tfrc_adapt_point_is_valid (const TfrcAdaptPoint * point);

/* The packets per second of the point. */
double tfrc_adapt_point_get_packet_rate (const TfrcAdaptPoint * point);

/* How many packets lie from a packet to its first redundant copy, and from each copy to the next,
 * when these are to be `distance` us apart: distance / frame_us, rounded down, at least 1. */
unsigned tfrc_adapt_point_get_copy_spacing (const TfrcAdaptPoint * point, uint32_t distance);

/* Bytes of RTP payload in a packet: codec frames, payload header, and the redundant copies with
 * their headers (RFC 2198 3). */
uint32_t tfrc_adapt_point_get_payload_size (const TfrcAdaptPoint * point);

/* Bytes/s of segments, when each has `overhead` bytes of RTP header and header extension. */
double tfrc_adapt_point_get_rate (const TfrcAdaptPoint * point, uint32_t overhead);

/* Bytes/s on the wire: the same with `H` bytes more for each packet (RFC 4828 3). */
double tfrc_adapt_point_get_wire_rate (const TfrcAdaptPoint * point, uint32_t overhead, uint32_t H);

/* Which operating points a ladder may have. 0 means no limit in max_bitrate, max_frame_us and max_payload. */
typedef struct
{
  uint32_t codecs;              /* bit set: 1 << TfrcAdaptCodec */
  uint32_t min_bitrate, max_bitrate;    /* bit/s of codec frames */
  uint32_t min_frame_us, max_frame_us;  /* us of sound in one packet */
  uint32_t max_payload;         /* bytes of RTP payload in a packet */
  uint8_t channels;             /* 1 or 2; codecs that are mono always get 1 */
  uint8_t max_redundancy;       /* at most TFRC_ADAPT_REDUNDANCY_MAX */
  bool fec;                     /* also points with the codec's own forward error correction */
  bool music;                   /* `music` of each point */
} TfrcAdaptLadderLimits;

/* The limits of a voice call: Opus alone, mono, 6 to 64 kbit/s, 20 to 60 ms, with redundant copies
 * and forward error correction. */
void tfrc_adapt_ladder_limits_init (TfrcAdaptLadderLimits * limits);

/* Writes the operating points that `limits` permit, at most `size` of them, and returns how many
 * were written. */
unsigned tfrc_adapt_ladder_fill (TfrcAdaptPoint * points, unsigned size, const TfrcAdaptLadderLimits * limits);

TFRC_END_DECLS
#endif
