/* libtfrc: the operating points of an adaptive encoder and what each costs
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_POINT_H
#define TFRC_POINT_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum
{
  TFRC_CODEC_OPUS,              /* RFC 7587 */
  TFRC_CODEC_G722,              /* RFC 3551 4.5.2 */
  TFRC_CODEC_PCMU,              /* RFC 3551 4.5.14 */
  TFRC_CODEC_PCMA,
  TFRC_CODEC_GSM,               /* RFC 3551 4.5.8 */
  TFRC_CODEC_AMR_WB,            /* RFC 4867, octet-aligned */
  TFRC_CODEC_SPEEX,             /* RFC 5574, wideband */
  TFRC_N_CODECS
} TfrcCodec;

const char *tfrc_codec_get_name (TfrcCodec codec);      /* RTP encoding name: "OPUS", ... */

#define TFRC_REDUNDANCY_MAX 2
#define TFRC_COPY_DISTANCE 80000        /* us between a packet and its copies: longer than most bursts of loss */
#define TFRC_LADDER_MAX 1024    /* points */

/* One way to send sound. */
typedef struct
{
  TfrcCodec codec;
  uint32_t bitrate;             /* bit/s of codec frames, redundancy not counted */
  uint32_t frame_us;            /* us of sound in one packet */
  uint8_t channels;
  uint8_t redundancy;           /* how many earlier packets each packet repeats (RFC 2198); 0: none */
  bool fec;                     /* the codec's own forward error correction */
  bool music;                   /* what is sent is judged as music, not as speech */
} TfrcPoint;

/* Whether its codec has such a point. */
bool tfrc_point_is_valid (const TfrcPoint * point);

double tfrc_point_get_packet_rate (const TfrcPoint * point);    /* packets/s */

/* How many packets back each of the repeated ones is from the next, for copies that are
 * `distance` us apart; at least 1. */
unsigned tfrc_point_get_spacing (const TfrcPoint * point, uint32_t distance);

/* Bytes of RTP payload in a packet: codec frames, payload header, and the
 * redundant copies with their headers (RFC 2198 3). */
uint32_t tfrc_point_get_payload (const TfrcPoint * point);

/* Bytes/s of RTP packets with `overhead` bytes of RTP header and extensions. */
double tfrc_point_get_rate (const TfrcPoint * point, uint32_t overhead);

/* Bytes/s with H more for each packet: what the wire carries (RFC 4828 3). */
double tfrc_point_get_wire (const TfrcPoint * point, uint32_t overhead, uint32_t H);

/* Which points a ladder may have. Zero in a maximum means no such limit. */
typedef struct
{
  uint32_t codecs;              /* set of 1 << TfrcCodec */
  uint32_t min_bitrate, max_bitrate;    /* bit/s of codec frames */
  uint32_t min_frame_us, max_frame_us;
  uint32_t max_payload;         /* bytes of RTP payload in a packet */
  uint8_t channels;             /* 1 or 2 */
  uint8_t max_redundancy;
  bool fec;                     /* points with the codec's own error correction too */
  bool music;                   /* what the points are for */
} TfrcLimits;

/* Voice: Opus alone, mono, 6 to 64 kbit/s, 20 to 60 ms, redundancy and FEC. */
void tfrc_limits_init (TfrcLimits * limits);

/* Writes the points that `limits` allows, at most `size`, and returns how many. */
unsigned tfrc_ladder_fill (TfrcPoint * points, unsigned size, const TfrcLimits * limits);

#ifdef __cplusplus
}
#endif
#endif
