/* libtfrc: explicit congestion notification (RFC 3168) of a flow of RTP packets: what a data receiver counts
 * of the marks, and whether a data sender may mark its packets as ECN-capable (RFC 6679)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A router may mark an ECN-capable packet with CE in place of dropping it. The loss history counts such a
 * packet as lost (`ce` of TfrcPacket), so that a mark lowers the rate as a loss does. The two objects here
 * decide whether that can be relied on.
 *
 * TfrcEcnCounter belongs to the data receiver. It counts the packets of one source by the mark with which
 * they arrived (RFC 6679 5.1). The counts go to the data sender in RTCP.
 *
 * TfrcEcnPath belongs to the data sender. A path may clear the marks, change them, or drop packets that
 * have them, and a data receiver may not report them. Therefore one packet in TFRC_ECN_PROBE_INTERVAL is
 * ECT(0) at first (initiation by RTP and RTCP, RFC 6679 7.2.1). When the counts of the data receiver agree
 * with what was sent, every packet is ECT(0), and the counts are compared for as long as the flow lasts
 * (7.4). When they do not agree, no packet is ECN-capable any more until the path is another one.
 *
 * Nothing that a data receiver claims makes the flow faster: marks only ever add to the losses. The
 * contract of tfrc/tfrc.h holds. */
#ifndef TFRC_ECN_H
#define TFRC_ECN_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

/* The codepoints, RFC 3168 5: the lower two bits of the TOS byte or of the traffic class. */
typedef enum
{
  TFRC_ECN_NOT_ECT = 0,
  TFRC_ECN_ECT1 = 1,
  TFRC_ECN_ECT0 = 2,
  TFRC_ECN_CE = 3,
  TFRC_N_ECN
} TfrcEcn;

/* The counts that a data receiver reports, all since the first packet of the source (RFC 6679 5.1). */
typedef struct
{
  uint32_t highest;             /* extended highest sequence number that arrived */
  uint32_t ect0, ect1;          /* packets with this mark, duplicates included */
  uint16_t ce, not_ect;         /* the same, modulo 2^16 */
  uint16_t lost;                /* packets expected and not arrived, modulo 2^16 */
  uint16_t duplicates;          /* packets that had arrived before, modulo 2^16 */
} TfrcEcnCounts;

/* --- the data receiver --- */

typedef struct
{
  uint64_t packets[TFRC_N_ECN]; /* by their mark, duplicates included */
  uint64_t duplicates;
  uint64_t first, highest;      /* extended sequence numbers of the first packet and the highest one */
} TfrcEcnCounter;

/* Begins to count, because another source sends or its sequence numbers began anew. */
void tfrc_ecn_counter_init (TfrcEcnCounter * counter);

/* A packet arrived. `duplicate`: it had arrived before, or it is too late to know. */
void tfrc_ecn_counter_on_packet (TfrcEcnCounter * counter, uint16_t seq, TfrcEcn ecn, bool duplicate);

/* The packets counted so far, by mark, as a report of RFC 6679 has them. */
void tfrc_ecn_counter_get (const TfrcEcnCounter * counter, TfrcEcnCounts * counts);

/* --- the data sender --- */

#define TFRC_ECN_PROBE_INTERVAL 8       /* packets */

typedef enum
{
  TFRC_ECN_OFF,                 /* no packet is ECN-capable, as nobody asked for it */
  TFRC_ECN_PROBING,             /* some packets are ECT(0), and the path is not verified yet */
  TFRC_ECN_ON,                  /* every packet is ECT(0) */
  TFRC_ECN_FAILED               /* no packet is ECN-capable: see TfrcEcnFailure */
} TfrcEcnState;

typedef enum
{
  TFRC_ECN_FINE,
  TFRC_ECN_NOT_REPORTED,        /* the data receiver does not report marks */
  TFRC_ECN_BLEACHED,            /* ECT(0) arrives as not-ECT */
  TFRC_ECN_MANGLED,             /* marks arrive that nobody can have sent, or all packets as CE */
  TFRC_ECN_DROPPED,             /* packets with ECT(0) do not arrive */
  TFRC_ECN_INCONSISTENT         /* the counts contradict each other or what was sent */
} TfrcEcnFailure;

/* "off", "probing", "on" or "failed". */
const char *tfrc_ecn_state_get_name (TfrcEcnState state);

/* "none", "not-reported", "bleached", "mangled", "dropped" or "inconsistent". */
const char *tfrc_ecn_failure_get_name (TfrcEcnFailure failure);

/* What a call changed. */
typedef enum
{
  TFRC_ECN_CHANGED = 1 << 0     /* the state */
} TfrcEcnBits;

typedef struct
{
  TfrcEcnState state;
  TfrcEcnFailure failure;       /* why the state is TFRC_ECN_FAILED */
  uint64_t sent;                /* packets sent with ECT(0), in all */
  uint64_t ce;                  /* marks CE that the data receiver reported in all */
  uint64_t inconsistent;        /* reports whose counts cannot be */
  double marked;                /* share of packets with CE by the last report, 0 to 1 */

  uint64_t highest;             /* extended sequence number of the last departure; 0: none */
  uint64_t probe_from;          /* sequence number with which probing began; 0: at the next departure */
  uint64_t mark_from;           /* sequence number from which all are marked; UINT64_MAX: none */
  TfrcTime waiting_since;       /* when the first packet departed that no report covers yet; TFRC_TIME_NONE:
                                 * there is none */
  bool has_base;
  uint64_t base_highest;        /* the counts up to here were judged */
  TfrcEcnCounts base;
  uint64_t last_highest;        /* of the last report, and its counts of CE and ECT(0) */
  uint16_t last_ce;
  uint32_t last_ect0;
  unsigned strikes;             /* inconsistent reports in a row */
  uint64_t all_ce;              /* packets in a row that all arrived as CE, */
  TfrcTime all_ce_since;        /* and the report before the first of them */
} TfrcEcnPath;

/* Nothing is known of the path, and no packet is marked yet: the state is TFRC_ECN_OFF. */
void tfrc_ecn_path_init (TfrcEcnPath * path);

/* Begins the initiation if the state is TFRC_ECN_OFF: the data receiver is known to report marks, or the
 * application wants it to be tried. */
unsigned tfrc_ecn_path_start (TfrcEcnPath * path);

/* The path or the data receiver is another one, of which nothing is known: the state is TFRC_ECN_OFF. */
unsigned tfrc_ecn_path_stop (TfrcEcnPath * path);

/* A packet departs; returns its mark. Sequence numbers are without gaps. */
TfrcEcn tfrc_ecn_path_on_departure (TfrcEcnPath * path, uint16_t seq, TfrcTime now);

/* Counts of the data receiver came. */
unsigned tfrc_ecn_path_on_counts (TfrcEcnPath * path, const TfrcEcnCounts * counts, TfrcTime now);

/* A report block came that has this extended highest sequence number (RFC 3550 6.4.1), and counts before it
 * or none: a data receiver that reports blocks and no counts does not report marks. */
unsigned tfrc_ecn_path_on_block (TfrcEcnPath * path, uint32_t highest);

TFRC_END_DECLS
#endif
