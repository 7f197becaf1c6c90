/* libtfrc: TCP-Friendly Rate Control for RTP, sans I/O
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 5348 (TFRC) and RFC 4828 (TFRC-SP, the small-packet variant) as two state
 * machines that know neither sockets nor clocks: a TfrcSender beside whatever
 * sends, a TfrcReceiver beside whatever receives.
 *
 * The contract:
 *  1. One thread at a time per object; there are no locks inside.
 *  2. `now` is the last argument, in nanoseconds of any steady clock, and never
 *     decreases. A decrease is clamped to the latest time seen, and counted.
 *  3. A call that changes an object returns bits that say what to look at again.
 *     Nothing calls you back.
 *  4. tfrc_*_next_* are pure questions about a time; TFRC_TIME_NONE means never.
 *  5. You own the memory: tfrc_*_size() bytes, aligned as malloc() aligns, made
 *     an object by tfrc_*_init(). It is flat: memcpy() is a snapshot. Nothing is
 *     allocated after init and there is nothing to free.
 *  6. Wire input can fail only in tfrc_*_parse(). Values that a peer sent are
 *     checked where they enter and counted when they are refused; no value from
 *     the network reaches an assertion.
 *  7. The same inputs give the same outputs, bit for bit.
 *
 * Units: times in ns (TfrcTime), rates in bytes per second (double), sizes in
 * bytes. A segment's size s counts what RTP hands to UDP: RTP header, header
 * extension and payload. Names are those of RFC 5348 (X, X_recv, R, t_RTO, p, s).
 */
#ifndef TFRC_H
#define TFRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t TfrcTime;      /* ns */

#define TFRC_TIME_NONE UINT64_MAX
#define TFRC_USEC ((TfrcTime) 1000)
#define TFRC_MSEC ((TfrcTime) 1000000)
#define TFRC_SEC ((TfrcTime) 1000000000)

/* Both ends of a flow must run the same mode: losses are measured at the
 * receiver (RFC 5348 5, RFC 4828 3). */
typedef enum
{
  TFRC_MODE_TFRC,               /* RFC 5348: fixed-size segments near the MTU */
  TFRC_MODE_TFRC_SP             /* RFC 4828: small packets, at most one in 10 ms */
} TfrcMode;

/* How a loss interval is measured. Everything but TFRC_MEASURE_RFC is
 * experimental and both ends must agree on it. */
typedef enum
{
  TFRC_MEASURE_RFC,             /* what the mode's RFC says */
  TFRC_MEASURE_UNBIAS_PACKET,   /* WBL04 3.1.1 */
  TFRC_MEASURE_UNBIAS_BYTE,     /* WBL04 3.1.2 */
  TFRC_MEASURE_VIRTUAL_PACKET,  /* WBL04 3.2.1: virtual packets, packet mode */
  TFRC_MEASURE_VIRTUAL_BYTE,    /* WBL04 3.3.1: virtual packets, byte mode */
  TFRC_MEASURE_SAMPLE_PACKET,   /* WBL04 3.2.2: random sampling, packet mode */
  TFRC_MEASURE_SAMPLE_BYTE,     /* WBL04 3.3.2: random sampling, byte mode */
  TFRC_MEASURE_LIP_SCALE,       /* WBL04 3.2.3: scaled loss-insensitive period, packet mode */
  TFRC_MEASURE_GRADUAL          /* RFC 4828 App. C: graded short intervals */
} TfrcMeasure;

/* How departures are spread (RFC 5348 4.6 allows any that keeps the burst bound). */
typedef enum
{
  TFRC_PACING_RFC,              /* RFC 5348 4.6: t_ipi = s / X_inst */
  TFRC_PACING_FLUID             /* draft-hong-ftcp: send dates from Fss / Fca */
} TfrcPacing;

/* The configuration of one flow, the same on both ends. Fill it by
 * tfrc_config_init(), change what you want, and let tfrc_config_check() see it. */
typedef struct
{
  TfrcMode mode;
  TfrcMeasure measure;
  TfrcPacing pacing;

  uint32_t mss;                 /* bytes: the path's largest segment, the nominal s of TFRC-SP
                                 * is min (1460, mss) (RFC 4828 3); 1460 */
  uint32_t max_packet_size;     /* bytes: the largest segment really sent, for W_init;
                                 * 0: learnt from what departs (RFC 5348 4.2) */
  uint32_t H;                   /* bytes per packet below RTP, RFC 4828 3; 40 */

  double t_RTO_R;               /* t_RTO as a multiple of R; 4 (RFC 5348 3.1) */
  TfrcTime t_RTO_min;           /* floor of t_RTO; 0. RFC 5348 3.1 allows 1 s */
  TfrcTime t_gran;              /* timer granularity of the caller's scheduler; 0.5 ms.
                                 * A packet may leave min (t_ipi, t_gran, R) / 2 early (RFC 5348 8.3) */
  TfrcTime initial_rtt;         /* R known from elsewhere, 0: none (RFC 5348 4.2) */
  double q;                     /* RTT filter constant; 0.9 (RFC 5348 4.3 step 2) */
  bool oscillation_reduction;   /* RFC 5348 4.5; true */
  bool history_discounting;     /* RFC 5348 5.5; true */
  unsigned feedbacks_per_rtt;   /* k of RFC 5348 6; 1, at most 4 */
  bool report_with_packet;      /* receiver: packets ask for the reports that the timer is set for,
                                 * if need be a little early; a caller may then be late with the
                                 * timer, which is for what no packet follows; false */

  double g;                     /* bytes/s guaranteed to the flow by the network (gTFRC), 0: none.
                                 * Only with an explicit DSCP */
  bool dscp_set;                /* the caller marks its packets with an explicit DSCP */
  double byte_mode_factor;      /* WBL04 4.2.2: 2 behind a drop-tail queue in bytes, else 1 */
  uint32_t S;                   /* bytes: reference packet of the WBL04 measures; 1460 */
  unsigned mppn;                /* fluid pacing: packets that wait before the oldest leaves at once,
                                 * 0: no limit */

  uint32_t history_packets;     /* send history of the sender, a power of two; 0: 1024 in TFRC-SP,
                                 * 8192 in TFRC. It must span the time in which a report may arrive */
  uint64_t seed;                /* origin of the send timestamps and of random sampling */
} TfrcConfig;

void tfrc_config_init (TfrcConfig * config, TfrcMode mode);

/* NULL when the configuration can be used, else a sentence that names the
 * setting and the remedy. The sentence is static. */
const char *tfrc_config_check (const TfrcConfig * config);

/* s of the throughput equation under TFRC-SP: min (1460, mss), RFC 4828 3. */
uint32_t tfrc_config_get_nominal_size (const TfrcConfig * config);

/* The s that this flow's throughput equation takes, bytes, at both ends: the
 * nominal size under TFRC-SP, the reference packet S under a WBL04 measure, else
 * the flow's own segment size `s`. */
double tfrc_config_get_equation_size (const TfrcConfig * config, double s);

/* What every data packet carries: header extension
 * urn:ietf:params:rtp-hdrext:rtt-sendts. */
typedef struct
{
  uint32_t rtt_us;              /* R in us, 24 bits; 0: none yet; 0xFFFFFF: more than can be written */
  uint32_t t_i_us;              /* send time in us, arbitrary origin, modulo 2^32 */
} TfrcStamp;

#define TFRC_RTT_UNKNOWN 0u
#define TFRC_RTT_MAX 0xFFFFFEu
#define TFRC_RTT_OVER 0xFFFFFFu

/* What a feedback packet carries (RFC 5348 3.2.2). */
typedef struct
{
  uint32_t t_i_us;              /* t_i of the last data packet received */
  uint32_t t_delay_us;          /* from its arrival to this report */
  uint32_t x_recv_Bps;          /* X_recv, bytes/s */
  uint32_t p_q32;               /* p 2^32; 0: no loss event yet */
} TfrcReport;

#ifdef __cplusplus
}
#endif
#endif
