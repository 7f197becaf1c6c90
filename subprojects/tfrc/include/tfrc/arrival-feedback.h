/* libtfrc: parses RTCP feedback that lists which packets arrived, and when: transport-wide congestion
 * control and RFC 8888
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Receivers that know nothing of TFRC, such as browsers with WebRTC, may send such feedback. It has what the
 * sender needs to compute the loss event rate itself (RFC 5348 7). Both formats are parsed into the
 * same list, TfrcArrivalFeedback: one entry for each sequence number from begin_seq on.
 *
 * The caller owns the memory of the list. A parser writes at most `room` entries, and refuses feedback
 * about more packets. */
#ifndef TFRC_ARRIVAL_FEEDBACK_H
#define TFRC_ARRIVAL_FEEDBACK_H

#include <tfrc/ecn.h>
#include <tfrc/tfrc.h>
#include <tfrc/wire.h>

TFRC_BEGIN_DECLS

/* FMT of the RTPFB packet (RFC 4585 6.1) */
#define TFRC_TWCC_FMT 15        /* of transport-wide congestion control */
#define TFRC_CCFB_FMT 11        /* of RFC 8888 */

/* What feedback says about one sequence number. */
typedef struct
{
  int64_t arrival;              /* arrival time less T_base of the feedback, ns, may be negative; 0 unless `timed` */
  bool received;                /* the packet arrived; the other fields have no meaning if it did not */
  bool timed;                   /* `arrival` is known; false for the arrival time offsets 0x1FFE and 0x1FFF of
                                 * RFC 8888 3.1 */
  TfrcEcn ecn;                  /* the ECN field with which the packet arrived; TFRC_ECN_NOT_ECT in
                                 * transport-wide feedback, which does not have the field */
} TfrcArrivalEntry;

/* What one feedback packet says. The caller sets `entries` and `room`, and a parser fills in the rest. */
typedef struct
{
  TfrcTime T_base;              /* ns of the receiver's clock, modulo `period` */
  TfrcTime period;              /* ns after which timestamps of the format wrap */
  bool T_base_is_report;        /* RFC 8888: T_base is when the feedback was made, and no arrival is later */
  bool counted;                 /* the receiver numbers its feedback, and `count` is the number, modulo 256 */
  uint8_t count;
  uint16_t begin_seq;           /* sequence number of entries[0]; entries[i] has begin_seq + i, modulo 2^16 */
  size_t n;                     /* number of entries */
  TfrcArrivalEntry *entries;    /* memory of the caller, for `room` entries */
  size_t room;
} TfrcArrivalFeedback;

/* Transport-wide congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01 3.1). `fci` is what
 * follows the two SSRCs of the RTCP packet, without its padding. Errors: TFRC_PARSE_SIZE, TFRC_PARSE_VALUE,
 * TFRC_PARSE_ROOM. */
TfrcParse tfrc_arrival_feedback_parse_twcc (TfrcArrivalFeedback * feedback, const uint8_t * fci, size_t size);

/* RFC 8888 3.1, congestion control feedback. `data` is what follows the SSRC of the RTCP packet's sender,
 * without padding: the report blocks and the report timestamp. The list is that of the first block about
 * `media_ssrc`. Errors: TFRC_PARSE_NOT_FOUND if there is none, TFRC_PARSE_SIZE, TFRC_PARSE_VALUE,
 * TFRC_PARSE_ROOM. */
TfrcParse tfrc_arrival_feedback_parse_ccfb (TfrcArrivalFeedback * feedback, uint32_t media_ssrc,
    const uint8_t * data, size_t size);

TFRC_END_DECLS
#endif
