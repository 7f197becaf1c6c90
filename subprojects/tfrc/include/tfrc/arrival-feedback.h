/* libtfrc: parses RTCP feedback that lists which packets arrived, and when: transport-wide congestion
 * control and RFC 8888
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Data receivers that know nothing of TFRC may send such feedback, WebRTC browsers among them. It has what
 * a data sender needs to compute the loss event rate itself (RFC 5348 7). Both formats are parsed into the
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

#define TFRC_TWCC_FMT 15        /* FMT of the RTPFB packet (RFC 4585 6.1) of each format */
#define TFRC_CCFB_FMT 11

/* What feedback says about one sequence number. */
typedef struct
{
  int64_t arrival;              /* ns after T_base, negative if before it; 0 unless `timed` */
  bool received;                /* the packet arrived; the other fields have no meaning if it did not */
  bool timed;                   /* `arrival` is known. RFC 8888 has codes for arrivals that are too long ago,
                                 * and for those that are not known */
  TfrcEcn ecn;                  /* the ECN field with which the packet arrived; TFRC_ECN_NOT_ECT in
                                 * transport-wide feedback, which does not have the field */
} TfrcArrivalEntry;

typedef struct
{
  TfrcTime T_base;              /* ns of the clock of the data receiver, modulo `period` */
  TfrcTime period;              /* ns after which that clock, as the format has it, begins anew */
  bool T_base_is_report;        /* T_base is when the feedback was made, and no arrival is later */
  bool counted;                 /* the remote numbers its feedback, and `count` is the number, modulo 256 */
  uint8_t count;
  uint16_t begin_seq;           /* sequence number of entries[0]; entries[i] has begin_seq + i, modulo 2^16 */
  size_t n;                     /* number of entries */
  TfrcArrivalEntry *entries;    /* memory of the caller, for `room` entries */
  size_t room;
} TfrcArrivalFeedback;

/* Transport-wide congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01 3.1). `fci` is what
 * follows the two SSRCs of the RTCP packet, without its padding. The caller has set `entries` and `room`
 * of `feedback`; the rest is filled in. */
TfrcParse tfrc_arrival_feedback_parse_twcc (TfrcArrivalFeedback * feedback, const uint8_t * fci, size_t size);

/* RFC 8888 3.1, congestion control feedback. `data` is what follows the SSRC of the RTCP packet's sender,
 * without padding: the report blocks and the report timestamp. The list becomes that of the first block
 * about `media_ssrc`; TFRC_PARSE_NOT_FOUND if there is none. */
TfrcParse tfrc_arrival_feedback_parse_ccfb (TfrcArrivalFeedback * feedback, uint32_t media_ssrc,
    const uint8_t * data, size_t size);

TFRC_END_DECLS
#endif
