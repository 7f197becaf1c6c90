/* libtfrc: the adaptive application of RFC 4828 6: which operating point, and when
 *
 * The choice is the point with the best predicted quality among those whose cost
 * on the wire fits the allowance; the time behaviour keeps it from flapping.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_ADAPT_H
#define TFRC_ADAPT_H

#include <tfrcadapt/operating-point.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _TfrcAdapt TfrcAdapt;

/* What a call changed. */
typedef enum
{
  TFRC_ADAPT_POINT = 1 << 0,    /* another point: tell the encoder */
  TFRC_ADAPT_SUSPENDED = 1 << 1,        /* stop sending: RFC 3714 */
  TFRC_ADAPT_RESUMED = 1 << 2,  /* send again, at the point of the choice */
  TFRC_ADAPT_LOSS = 1 << 3,     /* loss_percent changed: tell the encoder */
  TFRC_ADAPT_COPIES = 1 << 4    /* copy_spacing changed: tell who makes the copies */
} TfrcAdaptBits;

/* Fill by tfrc_adapt_config_init(). */
typedef struct
{
  TfrcTime hold_down_min;       /* a dip shorter than max (4 R, this) reduces nothing; 200 ms */
  TfrcTime hold_up;             /* room must last this long before it is used; 5 s */
  TfrcTime hold_up_next;        /* the same for a rise that follows a rise; 1 s */
  double down;                  /* allowed < down x need: reduce after the hold; 0.95 */
  double at_once;               /* allowed < at_once x need: reduce at once; 0.5 */
  double up;                    /* allowed >= up x need of the better point: rise; 1.10 */
  double margin;                /* rating points a better point must be worth; 2 */
  TfrcTime persist;             /* too little for the cheapest point for this long, and up to half
                                 * as long again: suspend (RFC 3714 5.3); 5 s */
  TfrcTime max_off;             /* a suspension ends after this to look whether the path is better; 30 s */
  double buffer_delay;          /* s the far end's jitter buffer adds; 0.2 */
  uint32_t copy_distance;       /* us from a packet to its copy at most; TFRC_ADAPT_COPY_DISTANCE */
  uint32_t start_bitrate;       /* bit/s of payload before anything is known, in the longest frames; 16000 */
  uint32_t mss;                 /* bytes: for the initial rate at which sending resumes; 1460 */
  uint64_t seed;                /* spreads the suspensions of flows that share a bottleneck */
} TfrcAdaptConfig;

void tfrc_adapt_config_init (TfrcAdaptConfig * config);

/* What the sender allows and the path shows. */
typedef struct
{
  TfrcMode mode;
  uint32_t H, overhead;         /* bytes per packet below RTP; RTP header and extensions */
  double X;                     /* bytes/s of segments at size s */
  double X_wire;                /* bytes/s with H per packet */
  double X_Bps;                 /* bytes/s of segments by the equation; 0: no loss yet */
  double X_recv;                /* bytes/s of segments that arrive; 0: unknown */
  bool expired;                 /* the nofeedback timer cut X and no report came since */
  double s;                     /* bytes, mean segment; 0: unknown */
  double max_packet_rate;       /* packets/s; 0: no limit */
  double p;                     /* loss event rate */
  double loss;                  /* share of packets lost; < 0: not measured, p stands in */
  double R;                     /* s; 0: no report yet, X says nothing */
  double R_sample;              /* s, the latest sample; 0: as R */
  double queue;                 /* s that a packet waits for its departure */
  bool suspend;                 /* the sender itself forbids sending */
} TfrcAdaptConditions;

typedef struct
{
  TfrcAdaptPoint point;
  unsigned index;               /* of the point in the ladder */
  bool suspended;
  unsigned copy_spacing;        /* packets from the packet to its copy, and from that to the next */
  uint32_t loss_percent;        /* for an encoder that protects against an expected loss */
  double rating;                /* predicted, 0 to 129 */
  double mos;                   /* predicted, 1 to 4.5 */
  double need;                  /* bytes/s on the wire */
  double allowed;               /* bytes/s on the wire after the queue's share; INFINITY at the start */
} TfrcAdaptChoice;

size_t tfrc_adapt_size (unsigned n_points);

/* Copies the ladder; at least one point. */
TfrcAdapt *tfrc_adapt_init (void *block, const TfrcAdaptConfig * config,
    const TfrcAdaptPoint * ladder, unsigned n_points, TfrcTime now);

unsigned tfrc_adapt_on_conditions (TfrcAdapt * adapt, const TfrcAdaptConditions * conditions, TfrcTime now);

/* The encoder made a packet of `payload` bytes, not counting redundancy. One that
 * makes more than it was told has dearer points than the ladder says. */
void tfrc_adapt_on_encoded (TfrcAdapt * adapt, uint32_t payload, TfrcTime now);

/* Time passed: at next_timer, or as often as it suits. */
TfrcTime tfrc_adapt_next_timer (const TfrcAdapt * adapt);
unsigned tfrc_adapt_on_timer (TfrcAdapt * adapt, TfrcTime now);

void tfrc_adapt_get_choice (const TfrcAdapt * adapt, TfrcAdaptChoice * choice);

/* RFC 3714 5: the loss rate at which a TCP connection with 1500-byte packets
 * gets no more than B bytes/s of wire; above it a flow that cannot go below B
 * should not send. */
double tfrc_adapt_suspend_get_loss_rate (double B, double R);

/* RFC 4828 6: the largest payload at a fixed packet rate, X_wire / N - H; not below 0. */
double tfrc_adapt_get_packet_size (double X_wire, double packet_rate, double H);

#ifdef __cplusplus
}
#endif
#endif
