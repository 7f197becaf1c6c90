/* libtfrc: explicit congestion notification (RFC 3168) of a flow of RTP packets: which codepoints a data
 * receiver counts, and whether a data sender may send ECN-capable packets (RFC 6679)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A router may change the codepoint of an ECN-capable packet to CE in place of dropping the packet. The loss
 * history counts such a CE-marked packet as lost (`ce` of TfrcPacket), so that it lowers the rate as a loss does.
 * The two objects here decide whether that can be relied on. "Mark" and "marked" mean CE in all headers; a packet is
 * ECN-capable when its codepoint is ECT(0), ECT(1) or CE.
 *
 * TfrcEcnCounter belongs to the data receiver. It counts the packets of one source by the codepoint with which
 * they arrived (RFC 6679 5.1). The counts go to the data sender in RTCP.
 *
 * TfrcEcnPath belongs to the data sender. A path may clear or change codepoints, or drop ECN-capable packets, and
 * a data receiver may fail to report the codepoints. Therefore one packet in TFRC_ECN_PROBE_INTERVAL is
 * ECT(0) at first (initiation by RTP and RTCP, RFC 6679 7.2.1). When the counts of the data receiver agree
 * with what was sent, every packet is ECT(0), and the counts are compared for as long as the flow lasts
 * (7.4). When they do not agree, no packet is ECN-capable any more, until tfrc_ecn_path_stop() and
 * tfrc_ecn_path_start() are called.
 *
 * Nothing that a data receiver claims makes the flow faster: CE counts can only lower the rate. The
 * contract of tfrc/tfrc.h holds. A caller may read the first group of members of TfrcEcnPath. */
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
  uint32_t ect0, ect1;          /* packets with this codepoint, duplicates included */
  uint16_t ce, not_ect;         /* packets with this codepoint, duplicates included, modulo 2^16 */
  uint16_t lost;                /* packets expected and not arrived, modulo 2^16 */
  uint16_t duplicates;          /* packets that had arrived before, modulo 2^16 */
} TfrcEcnCounts;

/* --- the data receiver --- */

typedef struct
{
  uint64_t packets[TFRC_N_ECN]; /* by their codepoint, duplicates included */
  uint64_t duplicates;
  uint64_t first, highest;      /* extended sequence numbers of the first packet and the highest one */
} TfrcEcnCounter;

/* To be called at first, and when another source sends or the sequence numbers jump to a new start. */
void tfrc_ecn_counter_init (TfrcEcnCounter * counter);

/* A packet arrived (RFC 6679 5.1). `seq`: its RTP sequence number. `duplicate`: it had arrived before, or
 * it comes too late to know. */
void tfrc_ecn_counter_on_packet (TfrcEcnCounter * counter, uint16_t seq, TfrcEcn ecn, bool duplicate);

/* The packets counted so far, by codepoint, as a report of RFC 6679 has them. To be called after the first
 * packet. */
void tfrc_ecn_counter_get (const TfrcEcnCounter * counter, TfrcEcnCounts * counts);

/* --- the data sender --- */

#define TFRC_ECN_PROBE_INTERVAL 8       /* packets */

typedef enum
{
  TFRC_ECN_OFF,                 /* not started: no packet is ECN-capable */
  TFRC_ECN_PROBING,             /* some packets are ECT(0), and the path is not verified yet */
  TFRC_ECN_ON,                  /* every packet is ECT(0) */
  TFRC_ECN_FAILED               /* no packet is ECN-capable: see TfrcEcnFailure */
} TfrcEcnState;

typedef enum
{
  TFRC_ECN_FINE,                /* the state is not TFRC_ECN_FAILED; its name is "none" */
  TFRC_ECN_NOT_REPORTED,        /* the data receiver does not report codepoints */
  TFRC_ECN_BLEACHED,            /* ECT(0) arrives as not-ECT */
  TFRC_ECN_MANGLED,             /* codepoints arrive that were not sent, or all packets as CE */
  TFRC_ECN_DROPPED,             /* packets with ECT(0) do not arrive */
  TFRC_ECN_INCONSISTENT         /* reports in a row whose counts contradict each other or what was sent */
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
  uint64_t sent;                /* packets sent as ECT(0) since tfrc_ecn_path_init() */
  uint64_t ce;                  /* CE-marked packets that the data receiver has reported since then */
  uint64_t inconsistent;        /* reports whose counts contradict each other or what was sent */
  double marked;                /* fraction of packets CE-marked by the last report, 0 to 1 */

  uint64_t highest;             /* extended sequence number of the last departure; 0: none */
  uint64_t probe_from;          /* sequence number with which probing began; 0: at the next departure */
  uint64_t mark_from;           /* sequence number from which all are ECT(0); UINT64_MAX: none */
  TfrcTime waiting_since;       /* when the oldest packet departed that no report covers yet; TFRC_TIME_NONE:
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

/* Nothing is known of the path: the state is TFRC_ECN_OFF. */
void tfrc_ecn_path_init (TfrcEcnPath * path);

/* Begins the initiation if the state is TFRC_ECN_OFF. To be called when the data receiver is known to report
 * codepoints, or when the application wants to try. */
unsigned tfrc_ecn_path_start (TfrcEcnPath * path);

/* To be called when the path or the data receiver is another one, of which nothing is known: the state is
 * TFRC_ECN_OFF. */
unsigned tfrc_ecn_path_stop (TfrcEcnPath * path);

/* A packet departs; returns its codepoint, TFRC_ECN_ECT0 or TFRC_ECN_NOT_ECT. `seq` is one more than that
 * of the packet before. */
TfrcEcn tfrc_ecn_path_on_departure (TfrcEcnPath * path, uint16_t seq, TfrcTime now);

/* Counts of the data receiver came: they are compared with what was sent (RFC 6679 7.2.1, 7.4). */
unsigned tfrc_ecn_path_on_counts (TfrcEcnPath * path, const TfrcEcnCounts * counts, TfrcTime now);

/* A report block came with this extended highest sequence number (RFC 3550 6.4.1). To be called after
 * tfrc_ecn_path_on_counts() when the RTCP packet has counts as well. When blocks come and no counts, the
 * data receiver does not report codepoints (TFRC_ECN_NOT_REPORTED). */
unsigned tfrc_ecn_path_on_block (TfrcEcnPath * path, uint32_t highest);

TFRC_END_DECLS
#endif
