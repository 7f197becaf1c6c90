/* libtfrc: the bytes on the wire (docs/wire-format.md of the project)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_WIRE_H
#define TFRC_WIRE_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TFRC_STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define TFRC_STAMP_SIZE 7       /* data bytes of the header extension element */
#define TFRC_REPORT_FCI_SIZE 16 /* bytes of feedback control information */
#define TFRC_REPORT_SIZE 28     /* the whole RTPFB packet */
#define TFRC_REPORT_FMT 2       /* default RTPFB FMT */

/* Why a parse failed; always negative. */
typedef enum
{
  TFRC_PARSE_OK = 0,
  TFRC_PARSE_SIZE = -1,         /* too short, too long, or a length field that lies */
  TFRC_PARSE_VERSION = -2,      /* not version 2, or padding that is not valid */
  TFRC_PARSE_TYPE = -3,         /* not RTPFB with the FMT asked for */
  TFRC_PARSE_NOT_FOUND = -4     /* the header extension is not there */
} TfrcParse;

/* The element's seven data bytes alone. */
void tfrc_stamp_write (const TfrcStamp * stamp, uint8_t data[TFRC_STAMP_SIZE]);
TfrcParse tfrc_stamp_parse (TfrcStamp * stamp, const uint8_t * data, size_t size);

/* A whole RTP header extension block with this one element, RFC 8285: the
 * one-byte form (12 bytes) for id 1 to 14, else the two-byte form (16 bytes).
 * Returns the bytes written, 0 if `size` or the id does not do. */
size_t tfrc_stamp_write_block (const TfrcStamp * stamp, unsigned id,
    uint8_t * block, size_t size);
/* Where the element's seven data bytes begin in a block of either form, so that a
 * sender can write them in place. */
TfrcParse tfrc_stamp_find (unsigned id, const uint8_t * block, size_t size, size_t * offset);
/* Finds the element in a block of either form, as a receiver must (RFC 8285 4). */
TfrcParse tfrc_stamp_parse_block (TfrcStamp * stamp, unsigned id,
    const uint8_t * block, size_t size);

/* R in ns as the 24-bit field: rounded up, never 0 (RFC 6323 3.2.1). */
uint32_t tfrc_stamp_encode_rtt (TfrcTime R);

/* The four words of feedback control information. */
void tfrc_report_write_fci (const TfrcReport * report, uint8_t fci[TFRC_REPORT_FCI_SIZE]);
TfrcParse tfrc_report_parse_fci (TfrcReport * report, const uint8_t * fci, size_t size);

/* The whole RTPFB packet, 28 bytes. */
void tfrc_report_write (const TfrcReport * report, unsigned fmt,
    uint32_t sender_ssrc, uint32_t media_ssrc, uint8_t packet[TFRC_REPORT_SIZE]);
TfrcParse tfrc_report_parse (TfrcReport * report, unsigned fmt,
    uint32_t * sender_ssrc, uint32_t * media_ssrc, const uint8_t * packet, size_t size);

/* p as 2^-32 units: 0 only for p == 0, else at least 1 and at most 2^32 - 1. */
uint32_t tfrc_report_encode_p (double p);
double tfrc_report_decode_p (uint32_t p_q32);

#ifdef __cplusplus
}
#endif
#endif
