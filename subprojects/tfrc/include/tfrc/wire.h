/* libtfrc: writes and parses what goes over the network, the stamp in the RTP header extension
 * of a data packet and the report in an RTCP feedback packet (docs/wire-format.md)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_WIRE_H
#define TFRC_WIRE_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

#define TFRC_STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define TFRC_STAMP_SIZE 7       /* bytes of data in the header extension element */
#define TFRC_REPORT_FCI_SIZE 16 /* bytes of feedback control information (FCI), without a transit time */
#define TFRC_REPORT_SIZE 28     /* bytes of a whole feedback packet: header, two SSRCs, this FCI */
#define TFRC_REPORT_FCI_SIZE_TIMED 20   /* bytes of the FCI of a report with a transit time */
#define TFRC_REPORT_FCI_SIZE_MAX 24     /* bytes of the FCI of a report with a transit time and the last arrivals */
#define TFRC_REPORT_SIZE_MAX 36 /* bytes of a whole feedback packet with this FCI */
#define TFRC_REPORT_FMT 2       /* FMT of the feedback packet unless another one, 1 to 31, was negotiated */

/* The result of a parse: TFRC_PARSE_OK, or a negative reason. When a parse fails, what it would
 * have filled in has no meaning. */
typedef enum
{
  TFRC_PARSE_OK = 0,
  TFRC_PARSE_SIZE = -1,         /* the size is wrong, or a length field contradicts it */
  TFRC_PARSE_VERSION = -2,      /* the RTCP version is not 2, or the padding is not valid */
  TFRC_PARSE_TYPE = -3,         /* not an RTPFB packet with the FMT asked for */
  TFRC_PARSE_NOT_FOUND = -4,    /* the header extension element, or the report block, is not there */
  TFRC_PARSE_VALUE = -5,        /* a field has a value that its format forbids */
  TFRC_PARSE_ROOM = -6          /* the feedback is about more packets than the caller has room for */
} TfrcParse;

/* The seven bytes of data of the element, without its id and length. An rtt_us of more than 24
 * bits is written as TFRC_RTT_OVER. */
void tfrc_stamp_write (const TfrcStamp * stamp, uint8_t data[TFRC_STAMP_SIZE]);

/* Parses these bytes. TFRC_PARSE_SIZE: `size` is not TFRC_STAMP_SIZE. */
TfrcParse tfrc_stamp_parse (TfrcStamp * stamp, const uint8_t * data, size_t size);

/* Writes a whole RTP header extension, the block, that has the stamp as its only element (RFC 8285): in the
 * one-byte form, 12 bytes, for an `id` from 1 to 14; in the two-byte form, 16 bytes, for one from
 * 15 to 255. Returns the number of bytes written; 0 when `size` is too small or the id is not
 * valid. */
size_t tfrc_stamp_write_block (const TfrcStamp * stamp, unsigned id,
    uint8_t * block, size_t size);

/* Finds the element `id` in a block of either form (RFC 8285 4.2, 4.3). `offset` becomes the distance in bytes
 * from the start of the block to the element's seven bytes of data, where a sender can write them.
 * TFRC_PARSE_NOT_FOUND: there is no such element; TFRC_PARSE_SIZE: a length is wrong, or the element
 * has another one than seven bytes. */
TfrcParse tfrc_stamp_find (unsigned id, const uint8_t * block, size_t size, size_t * offset);

/* Finds the element in the same way and parses it. */
TfrcParse tfrc_stamp_parse_block (TfrcStamp * stamp, unsigned id,
    const uint8_t * block, size_t size);

/* The rtt_us of a stamp for the round-trip time `R` in ns: rounded up, at least 1, and
 * TFRC_RTT_OVER for more than 16.777 s (RFC 6323 3.2.1). */
uint32_t tfrc_stamp_encode_rtt (TfrcTime R);

/* Writes the feedback control information of a report (RFC 5348 3.2.2): 16 bytes, four more for the transit time when
 * `timed` or `lists_arrivals` is true, and another four for the arrivals in the second case. Returns the number of bytes
 * written. */
size_t tfrc_report_write_fci (const TfrcReport * report, uint8_t fci[TFRC_REPORT_FCI_SIZE_MAX]);

/* Parses it. TFRC_PARSE_SIZE: `size` is none of 16, 20 and 24. */
TfrcParse tfrc_report_parse_fci (TfrcReport * report, const uint8_t * fci, size_t size);

/* Writes the whole transport-layer feedback packet, RTPFB (RFC 4585 6.1). `fmt` is 1 to 31, of which five bits are
 * written. `sender_ssrc` is who sends the report, `media_ssrc` the source that it is about. Returns the number of
 * bytes written. */
size_t tfrc_report_write (const TfrcReport * report, unsigned fmt,
    uint32_t sender_ssrc, uint32_t media_ssrc, uint8_t packet[TFRC_REPORT_SIZE_MAX]);

/* Parses it. Errors: TFRC_PARSE_SIZE, TFRC_PARSE_VERSION, and TFRC_PARSE_TYPE, also for another FMT than `fmt`. */
TfrcParse tfrc_report_parse (TfrcReport * report, unsigned fmt,
    uint32_t * sender_ssrc, uint32_t * media_ssrc, const uint8_t * packet, size_t size);

/* The loss event rate p in units of 2^-32, as a report carries it: 0 only for a p of 0 or NaN, else from
 * 1 to 2^32 - 1, which stands for 1 and more. */
uint32_t tfrc_report_encode_p (double p);

/* The p, 0 to 1, that a report carries as `p_q32`. */
double tfrc_report_decode_p (uint32_t p_q32);

TFRC_END_DECLS
#endif
