/* libtfrc: configuration, units and data types that the sender and the receiver share
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libtfrc is TCP-Friendly Rate Control for RTP: RFC 5348 (TFRC) and RFC 4828 (TFRC-SP, the
 * variant for small packets). It is two state machines: a TfrcSender runs where packets are
 * sent and says how fast they may be sent, a TfrcReceiver runs where they arrive and says
 * what to report back. Neither knows of sockets or clocks: the caller moves the packets and
 * passes the time.
 *
 * The contract of every object:
 *  1. One thread at a time may use an object. There are no locks inside.
 *  2. `now` is the last argument of a call: nanoseconds of any steady clock. When it is less
 *     than in an earlier call, the latest time seen is used in its place, and the step is
 *     counted in the statistics (clock_steps).
 *  3. Calls that return unsigned return bits, which say what the caller has to ask for again. There
 *     are no callbacks.
 *  4. tfrc_*_next_* only answer when something is due. TFRC_TIME_NONE means never.
 *  5. The caller owns the memory. tfrc_*_size() returns how many bytes an object takes, and
 *     tfrc_*_init() makes a block of that size an object. The block must be aligned as malloc()
 *     aligns. The object has no pointers in it, so that memcpy() takes a snapshot. Nothing is allocated
 *     later, and nothing has to be freed but the block.
 *  6. Bytes from the network can be malformed only in functions that return TfrcParse, which says
 *     so. Values that a remote end sent are checked where they enter an object, and counted when they
 *     are refused. No value from the network reaches an assertion.
 *  7. The same calls with the same arguments give the same results, bit for bit.
 *  8. Recovery: whatever happened before, after 10 / p* packets without loss X is at least half of a
 *     fresh flow's rate; p* is the loss event rate at which the throughput equation gives the rate
 *     of a fresh flow.
 *
 * Units: times are in nanoseconds (TfrcTime), rates in bytes per second (double), sizes in
 * bytes, unless a comment says otherwise. The size of a segment, s, is what RTP hands to UDP:
 * RTP header, header extension and payload. Quantities have the names that RFC 5348 gives
 * them: X (allowed rate), X_recv (receive rate), R (round-trip time), t_RTO (TCP's
 * retransmission timeout), p (loss event rate), s (segment size).
 */
#ifndef TFRC_H
#define TFRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands between TFRC_BEGIN_DECLS and TFRC_END_DECLS has C linkage in C++ too, and is what the
 * shared library exports. */
#ifdef __cplusplus
#define TFRC_BEGIN_C extern "C" {
#define TFRC_END_C }
#else
#define TFRC_BEGIN_C
#define TFRC_END_C
#endif
#ifdef __GNUC__
#define TFRC_BEGIN_DECLS _Pragma ("GCC visibility push(default)") TFRC_BEGIN_C
#define TFRC_END_DECLS TFRC_END_C _Pragma ("GCC visibility pop")
#else
#define TFRC_BEGIN_DECLS TFRC_BEGIN_C
#define TFRC_END_DECLS TFRC_END_C
#endif

TFRC_BEGIN_DECLS

typedef uint64_t TfrcTime;      /* nanoseconds */

#define TFRC_TIME_NONE UINT64_MAX
#define TFRC_USEC ((TfrcTime) 1000)
#define TFRC_MSEC ((TfrcTime) 1000000)
#define TFRC_SEC ((TfrcTime) 1000000000)

/* The variant of TFRC. Sender and receiver of a flow must use the same one, because the
 * receiver measures the losses (RFC 5348 5, RFC 4828 3). */
typedef enum
{
  TFRC_MODE_TFRC,               /* RFC 5348: segments of a fixed size near the MTU */
  TFRC_MODE_TFRC_SP             /* RFC 4828: small packets, at least 10 ms apart */
} TfrcMode;

/* How the length of a loss interval is measured. TFRC_MEASURE_RFC is what the RFCs say; all
 * others are experimental, and sender and receiver of a flow must use the same one. WBL04 is
 * Widmer, Boutremans, Le Boudec: "End-to-end congestion control for TCP-friendly flows with
 * variable packet size" (2004). */
typedef enum
{
  TFRC_MEASURE_RFC,             /* RFC 5348 5.3, or RFC 4828 3 in TFRC-SP */
  TFRC_MEASURE_UNBIAS_PACKET,   /* WBL04 3.1.1: unbiased interval, packet mode */
  TFRC_MEASURE_UNBIAS_BYTE,     /* WBL04 3.1.2: unbiased interval, byte mode */
  TFRC_MEASURE_VIRTUAL_PACKET,  /* WBL04 3.2.1: virtual packets, packet mode */
  TFRC_MEASURE_VIRTUAL_BYTE,    /* WBL04 3.3.1: virtual packets, byte mode */
  TFRC_MEASURE_SAMPLE_PACKET,   /* WBL04 3.2.2: random sampling, packet mode */
  TFRC_MEASURE_SAMPLE_BYTE,     /* WBL04 3.3.2: random sampling, byte mode */
  TFRC_MEASURE_LIP_SCALE,       /* WBL04 3.2.3: scaled loss-insensitive period, packet mode */
  TFRC_MEASURE_GRADUAL          /* RFC 4828 appendix C: graded short intervals */
} TfrcMeasure;

/* How departures are spread in time. RFC 5348 4.6 permits any way that keeps its limit on
 * bursts. */
typedef enum
{
  TFRC_PACING_RFC,              /* RFC 5348 4.6: packets are t_ipi = s / X_inst apart */
  TFRC_PACING_FLUID             /* draft-hong-ftcp-00: bursts are spread over the round-trip time */
} TfrcPacing;

/* The configuration of one flow. tfrc_config_init() fills in the defaults, which the comments
 * name after a semicolon; tfrc_config_check() says whether a configuration can be used. */
typedef struct
{
  TfrcMode mode;                /* sender and receiver; must agree */
  TfrcMeasure measure;          /* sender and receiver; must agree; TFRC_MEASURE_RFC */
  TfrcPacing pacing;            /* sender; TFRC_PACING_RFC */

  uint32_t mss;                 /* bytes: the largest segment that the path carries. The nominal
                                 * s of TFRC-SP is min (1460, mss) (RFC 4828 3); 1460 */
  uint32_t max_packet_size;     /* bytes: the largest segment that the application will send, for
                                 * W_init (RFC 5348 4.2); 0: the largest one sent so far */
  uint32_t H;                   /* bytes of headers below RTP in each packet (RFC 4828 3); 40 */

  double t_RTO_R;               /* t_RTO as a multiple of R (RFC 5348 3.1); 4 */
  TfrcTime t_RTO_min;           /* least t_RTO, ns; 0. RFC 5348 3.1 also permits 1 s */
  TfrcTime t_gran;              /* ns: granularity of the timer that lets packets go; 0.5 ms. A
                                 * packet may depart min (t_ipi, t_gran, R) / 2 before its time
                                 * (RFC 5348 8.3) */
  TfrcTime initial_rtt;         /* ns: R as known before the first report (RFC 5348 4.2); 0: unknown */
  double q;                     /* weight of the old R in its mean (RFC 5348 4.3 step 2); 0.9 */
  bool oscillation_reduction;   /* sender: X_inst of RFC 5348 4.5 instead of X; true */
  bool history_discounting;     /* receiver: RFC 5348 5.5; true */
  unsigned feedbacks_per_rtt;   /* reports in a round-trip time (RFC 5348 6), 1 to 4; 1 */
  bool report_with_packet;      /* receiver: a packet that arrives after the feedback timer is due, or
                                 * shortly before, triggers the report. The timer serves when no
                                 * packet arrives, and so may be late; false */

  double g;                     /* bytes/s that the network guarantees to the flow (gTFRC); 0: none.
                                 * It needs dscp_set */
  bool dscp_set;                /* the caller marks the packets with a DSCP of their own; false */
  double byte_mode_factor;      /* 2 behind a drop-tail queue that is limited in bytes, else 1
                                 * (WBL04 4.2.2); 1 */
  uint32_t S;                   /* bytes: the reference packet of the WBL04 measures; 1460 */
  unsigned mppn;                /* fluid pacing: when this many packets wait, the oldest departs at
                                 * once; 0: never */

  uint32_t history_packets;     /* packets that the sender remembers, a power of two; 0: 256 in
                                 * TFRC-SP, 8192 in TFRC. A report about an older packet is refused */
  uint64_t seed;                /* draws the origin of the send timestamps, and the sampled packets
                                 * of a sampling measure; 0 */
} TfrcConfig;

/* Sets all members to their defaults, with which the comment of each ends. */
void tfrc_config_init (TfrcConfig * config, TfrcMode mode);

/* Returns NULL when the configuration can be used; else a static sentence that names the
 * setting and what to do about it. */
const char *tfrc_config_check (const TfrcConfig * config);

/* The nominal segment size of TFRC-SP in bytes: min (1460, mss) (RFC 4828 3). */
uint32_t tfrc_config_get_nominal_size (const TfrcConfig * config);

/* The segment size in bytes that the throughput equation of this flow takes: the nominal size
 * in TFRC-SP, the reference packet S with a WBL04 measure, else the mean segment size `s` of the
 * flow. Sender and receiver use the same. */
double tfrc_config_get_equation_size (const TfrcConfig * config, double s);

/* The stamp: what the sender writes into every data packet (RFC 5348 3.2.1), carried by the RTP
 * header extension urn:ietf:params:rtp-hdrext:rtt-sendts. */
typedef struct
{
  uint32_t rtt_us;              /* R in microseconds, 24 bits; or TFRC_RTT_UNKNOWN, TFRC_RTT_OVER */
  uint32_t t_i_us;              /* send time in microseconds, of an arbitrary origin, modulo 2^32 */
} TfrcStamp;

#define TFRC_RTT_UNKNOWN 0u     /* the sender has no R yet */
#define TFRC_RTT_MAX 0xFFFFFEu  /* the longest R that the field can say, 16.777 s */
#define TFRC_RTT_OVER 0xFFFFFFu /* R is longer than that */

/* The report: what the receiver sends back (RFC 5348 3.2.2). */
typedef struct
{
  uint32_t t_i_us;              /* t_i_us of the last data packet that arrived */
  uint32_t t_delay_us;          /* microseconds from the arrival of that packet to this report */
  uint32_t x_recv_Bps;          /* X_recv, bytes/s */
  uint32_t p_q32;               /* p in units of 2^-32; 0: there was no loss event yet */
  bool timed;                   /* the report carries transit_us. tfrc_receiver_make_report() leaves it
                                 * false: who sends the report sets it when the data sender has said
                                 * that it takes such reports */
  uint32_t transit_us;          /* arrival of that packet by the receiver's clock less t_i_us, modulo 2^32.
                                 * Its changes are those of the one-way delay */
} TfrcReport;

TFRC_END_DECLS
#endif
