/* libtfrc: the operating points of an adaptive encoder and what each costs
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_OPERATING_POINT_H
#define TFRC_ADAPT_OPERATING_POINT_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum
{
  TFRC_ADAPT_CODEC_OPUS,              /* RFC 7587 */
  TFRC_ADAPT_CODEC_G722,              /* RFC 3551 4.5.2 */
  TFRC_ADAPT_CODEC_PCMU,              /* RFC 3551 4.5.14 */
  TFRC_ADAPT_CODEC_PCMA,
  TFRC_ADAPT_CODEC_GSM,               /* RFC 3551 4.5.8 */
  TFRC_ADAPT_CODEC_AMR_WB,            /* RFC 4867, octet-aligned */
  TFRC_ADAPT_CODEC_SPEEX,             /* RFC 5574, wideband */
  TFRC_ADAPT_N_CODECS
} TfrcAdaptCodec;

const char *tfrc_adapt_codec_get_name (TfrcAdaptCodec codec);      /* RTP encoding name: "OPUS", ... */

#define TFRC_ADAPT_REDUNDANCY_MAX 2
#define TFRC_ADAPT_COPY_DISTANCE 80000        /* us between a packet and its copies: longer than most bursts of loss */
#define TFRC_ADAPT_LADDER_MAX 1024    /* points */

/* One way to send sound. */
typedef struct
{
  TfrcAdaptCodec codec;
  uint32_t bitrate;             /* bit/s of codec frames, redundancy not counted */
  uint32_t frame_us;            /* us of sound in one packet */
  uint8_t channels;
  uint8_t redundancy;           /* how many earlier packets each packet repeats (RFC 2198); 0: none */
  bool fec;                     /* the codec's own forward error correction */
  bool music;                   /* what is sent is judged as music, not as speech */
} TfrcAdaptPoint;

/* Whether its codec has such a point. */
bool tfrc_adapt_point_is_valid (const TfrcAdaptPoint * point);

double tfrc_adapt_point_get_packet_rate (const TfrcAdaptPoint * point);    /* packets/s */

/* How many packets back each of the repeated ones is from the next, for copies that are
 * `distance` us apart; at least 1. */
unsigned tfrc_adapt_point_get_copy_spacing (const TfrcAdaptPoint * point, uint32_t distance);

/* Bytes of RTP payload in a packet: codec frames, payload header, and the
 * redundant copies with their headers (RFC 2198 3). */
uint32_t tfrc_adapt_point_get_payload_size (const TfrcAdaptPoint * point);

/* Bytes/s of RTP packets with `overhead` bytes of RTP header and extensions. */
double tfrc_adapt_point_get_rate (const TfrcAdaptPoint * point, uint32_t overhead);

/* Bytes/s with H more for each packet: what the wire carries (RFC 4828 3). */
double tfrc_adapt_point_get_wire_rate (const TfrcAdaptPoint * point, uint32_t overhead, uint32_t H);

/* Which points a ladder may have. Zero in a maximum means no such limit. */
typedef struct
{
  uint32_t codecs;              /* set of 1 << TfrcAdaptCodec */
  uint32_t min_bitrate, max_bitrate;    /* bit/s of codec frames */
  uint32_t min_frame_us, max_frame_us;
  uint32_t max_payload;         /* bytes of RTP payload in a packet */
  uint8_t channels;             /* 1 or 2 */
  uint8_t max_redundancy;
  bool fec;                     /* points with the codec's own error correction too */
  bool music;                   /* what the points are for */
} TfrcAdaptLadderLimits;

/* Voice: Opus alone, mono, 6 to 64 kbit/s, 20 to 60 ms, redundancy and FEC. */
void tfrc_adapt_ladder_limits_init (TfrcAdaptLadderLimits * limits);

/* Writes the points that `limits` allows, at most `size`, and returns how many. */
unsigned tfrc_adapt_ladder_fill (TfrcAdaptPoint * points, unsigned size, const TfrcAdaptLadderLimits * limits);

#ifdef __cplusplus
}
#endif
#endif
