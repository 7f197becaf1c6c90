/* libtfrc: configuration, units and data types that the sender and the receiver share
 *
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libtfrc is TCP-Friendly Rate Control for RTP: RFC 5348 (TFRC) and RFC 4828 (TFRC-SP, the
 * variant for small packets). It is two state machines: a TfrcSender runs where packets are
 * sent and says how fast they may be sent, a TfrcReceiver runs where they arrive and says
 * what to report back. Neither knows of sockets or clocks: the caller moves the packets and
 * passes the time. "Sender" and "receiver" are the data sender and the data receiver everywhere;
 * the long words stand where senders and receivers of RTCP are near.
 *
 * The contract of every object, those of tfrcadapt included:
 *  1. One thread at a time may use an object. There are no locks inside.
 *  2. A call that needs the time has `now` as its last argument: nanoseconds of any steady clock.
 *     When it is less than in an earlier call, the object uses the latest time that it has seen.
 *     Statistics that have clock_steps count such steps. Two objects do not check: `now` of a
 *     TfrcEcnPath and of a TfrcAdaptPlayoutDelay must not decrease.
 *  3. A function that changes an object and returns unsigned returns bits of the enumeration
 *     ...Bits in the object's header. Each bit names something that changed, and that the caller
 *     has to ask the object for again. There are no callbacks.
 *  4. A function tfrc_*_next_*() says at which time something is due, and changes nothing.
 *     TFRC_TIME_NONE means never, as things stand.
 *  5. The caller owns the memory. tfrc_*_size() returns how many bytes an object takes, and
 *     tfrc_*_init() makes a block of that size an object and returns it. The block must be aligned
 *     as malloc() aligns. An object without such a function is a struct of which the header has
 *     all members; those whose comment does not say that a caller may read them are private. The
 *     object has no pointers in it, so that a copy of its bytes by memcpy() is a working copy of the
 *     object. Nothing is allocated later, and nothing has to be freed but the block.
 *  6. Only functions that return TfrcParse take bytes from the network; the result says whether
 *     the bytes are well formed. Values that a remote end sent are checked where they enter an
 *     object; those that are refused are counted, and so are those that are limited. No value from
 *     the network reaches an assertion.
 *  7. The same calls with the same arguments give the same results, bit for bit.
 *  8. Recovery of the sender: let p* be the loss event rate at which the throughput equation gives
 *     the rate of a flow that has just started. After 10 / p* packets without loss, X is at least
 *     half of that rate, whatever happened before.
 *
 * Units: times are in nanoseconds (TfrcTime), rates in bytes per second (double), sizes in
 * bytes, unless a comment says otherwise. A segment is what RTP hands to UDP: RTP header, header
 * extension and payload. The size of a packet is that of its segment, s, unless headers below RTP
 * are named as well. Quantities have the names that RFC 5348 gives
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
 * length of a loss interval depends on it (RFC 5348 5, RFC 4828 3). */
typedef enum
{
  TFRC_MODE_TFRC,               /* RFC 5348: for segments of a fixed size near the MTU */
  TFRC_MODE_TFRC_SP             /* RFC 4828: small packets, at least 10 ms apart */
} TfrcMode;

/* How the length of a loss interval is measured. TFRC_MEASURE_RFC is what the RFCs say; all
 * others are experimental, and sender and receiver of a flow must use the same one. WBL04 is
 * Widmer, Boutremans, Le Boudec: "End-to-end congestion control for TCP-friendly flows with
 * variable packet size" (2004). In its packet mode the bottleneck drops packets whatever their size, in its
 * byte mode in proportion to their size. */
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

/* The pacing: how departures are spread in time. RFC 5348 4.6 permits any pacing that keeps its
 * limit on bursts. */
typedef enum
{
  TFRC_PACING_RFC,              /* RFC 5348 4.6: packets are t_ipi = s / X_inst apart */
  TFRC_PACING_FLUID             /* draft-hong-ftcp-00: the packets of a burst are paced over the round-trip time */
} TfrcPacing;

/* The configuration of one flow. tfrc_config_init() fills in the defaults, which the comments name;
 * tfrc_config_check() says whether a configuration can be used. */
typedef struct
{
  TfrcMode mode;                /* sender and receiver; must agree. An argument of tfrc_config_init() */
  TfrcMeasure measure;          /* sender and receiver; must agree. Default: TFRC_MEASURE_RFC */
  TfrcPacing pacing;            /* sender. Default: TFRC_PACING_RFC */

  uint32_t mss;                 /* bytes: the largest segment that the path carries, 28 to 65527. The
                                 * nominal s of TFRC-SP is min (1460, mss) (RFC 4828 3). Default: 1460 */
  uint32_t max_packet_size;     /* bytes: the largest segment that the application will send, for
                                 * W_init (RFC 5348 4.2); at most mss, and 1460 in TFRC-SP. One that was sent
                                 * counts as well. Default: 0, not known */
  uint32_t H;                   /* bytes of headers below RTP in each packet (RFC 4828 3), at most 1500.
                                 * Default: 40 */

  double t_RTO_R;               /* t_RTO as a multiple of R (RFC 5348 3.1), at most 64. Default: 4 */
  TfrcTime t_RTO_min;           /* ns: least t_RTO, at most 64 s. RFC 5348 3.1 permits 0 and 1 s. Default: 0 */
  TfrcTime t_gran;              /* ns: granularity of the timer by which the caller sends packets, at most
                                 * 1 s. A packet may depart min (t_ipi, t_gran, R) / 2 before its time
                                 * (RFC 5348 8.3). Default: 0.5 ms */
  TfrcTime initial_rtt;         /* ns: R as known before the first report (RFC 5348 4.2), at most 16.777 s.
                                 * Default: 0, unknown */
  double q;                     /* q of RFC 5348 4.3 step 2, R = q R + (1 - q) R_sample: at least 0, below 1.
                                 * Default: 0.9 */
  bool oscillation_reduction;   /* sender: X_inst of RFC 5348 4.5 instead of X. Default: true */
  bool history_discounting;     /* receiver: RFC 5348 5.5. Default: true */
  unsigned feedbacks_per_rtt;   /* reports in a round-trip time (RFC 5348 6), 1 to 4. Default: 1 */
  bool report_with_packet;      /* receiver: the report is due with the last packet that is expected before
                                 * the feedback timer expires, or with the first one after that. The
                                 * timer is for the time in which no packet arrives, so that the
                                 * caller may serve it late. Default: false */

  double g;                     /* bytes/s that the network guarantees to the flow (gTFRC,
                                 * draft-lochin-ietf-tsvwg-gtfrc-00), at most 1e12. Without dscp_set
                                 * tfrc_config_check() refuses it. Default: 0, none */
  bool dscp_set;                /* the caller sets a DSCP on the packets of the flow. Default: false */
  double byte_mode_factor;      /* 2 behind a drop-tail queue that is limited in bytes, else 1
                                 * (WBL04 4.2.2). Default: 1 */
  uint32_t S;                   /* bytes: the reference packet of the WBL04 measures, 28 to mss. Default: 1460 */
  unsigned mppn;                /* fluid pacing (draft-hong-ftcp-00): when this many packets wait, the
                                 * oldest departs at once. Default: 0, never */

  uint32_t history_packets;     /* packets in the send history, a power of two from 64 to 1048576. A report
                                 * about an older packet is refused. Default: 0, which is 256 in
                                 * TFRC-SP and 8192 in TFRC */
  uint64_t seed;                /* draws the origin of the send times, and the sampled packets of a
                                 * sampling measure. Default: 0 */
} TfrcConfig;

/* Sets `mode`, and all other members to their defaults. */
void tfrc_config_init (TfrcConfig * config, TfrcMode mode);

/* Returns NULL when the configuration can be used; else a static sentence that names the
 * setting and what to do about it. */
const char *tfrc_config_check (const TfrcConfig * config);

/* The nominal segment size of TFRC-SP in bytes: min (1460, mss) (RFC 4828 3). */
uint32_t tfrc_config_get_nominal_size (const TfrcConfig * config);

/* The s of RFC 5348 3.1 for this flow, bytes: the nominal size in TFRC-SP, the reference packet S
 * with a WBL04 measure, else `s`, the mean segment size of the flow. Sender and receiver use the
 * same. */
double tfrc_config_get_equation_size (const TfrcConfig * config, double s);

/* The stamp: what the sender writes into every data packet (RFC 5348 3.2.1), carried by the RTP
 * header extension urn:ietf:params:rtp-hdrext:rtt-sendts. */
typedef struct
{
  uint32_t rtt_us;              /* R in microseconds, 1 to TFRC_RTT_MAX; or TFRC_RTT_UNKNOWN, TFRC_RTT_OVER */
  uint32_t t_i_us;              /* t_i, the send time: microseconds of an arbitrary origin, modulo 2^32 */
} TfrcStamp;

#define TFRC_RTT_UNKNOWN 0u     /* the sender has no R yet */
#define TFRC_RTT_MAX 0xFFFFFEu  /* the longest R that the field can say, 16.777 s */
#define TFRC_RTT_OVER 0xFFFFFFu /* R is longer than that */

/* The report: what the receiver sends back (RFC 5348 3.2.2). */
typedef struct
{
  uint32_t t_i_us;              /* t_i_us of the last data packet that arrived */
  uint32_t t_delay_us;          /* microseconds from the arrival of that packet to this report */
  uint32_t x_recv_Bps;          /* X_recv, bytes/s; 2^32 - 1 stands for all that is more */
  uint32_t p_q32;               /* p in units of 2^-32; 0: there was no loss event yet */
  bool timed;                   /* the report carries transit_us. tfrc_receiver_make_report() sets it to
                                 * false. The caller sets it to true when the data sender has announced
                                 * that it takes such reports */
  uint32_t transit_us;          /* arrival of that packet by the receiver's clock less t_i_us, modulo 2^32.
                                 * The difference between two reports is that of the one-way delay, and
                                 * of the drift of the two clocks */
  bool lists_arrivals;          /* the report carries `arrivals`, and transit_us as well. As `timed` it is for the caller
                                 * to set */
  uint32_t arrivals;            /* bit i: the packet has arrived whose sequence number is 1 + i less than that of the
                                 * packet that t_i_us names */
} TfrcReport;

TFRC_END_DECLS
#endif
