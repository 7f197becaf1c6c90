/* tfrcadapt: chooses the operating point of an encoder that follows the allowed rate of TFRC, as
 * RFC 4828 6 asks of an adaptive application
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The application makes a ladder of operating points (tfrcadapt/operating-point.h) and calls
 * tfrc_adapt_on_conditions() with the allowance of the sender and the measured loss and queue, for
 * example at each report. The choice is the point of the best predicted quality among those whose rate
 * on the wire is within what is allowed. Hold times for rises and reductions keep the choice from flapping. A
 * flow for which even the cheapest point is too much is suspended (RFC 3714). The contract at the top
 * of tfrc/tfrc.h holds here too. */
#ifndef TFRC_ADAPT_H
#define TFRC_ADAPT_H

#include <tfrc/sender.h>
#include <tfrcadapt/operating-point.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcAdapt TfrcAdapt;

/* What a call changed in the choice. */
typedef enum
{
  TFRC_ADAPT_POINT = 1 << 0,    /* another operating point: set up the encoder for it */
  TFRC_ADAPT_SUSPENDED = 1 << 1,        /* stop sending (RFC 3714) */
  TFRC_ADAPT_RESUMED = 1 << 2,  /* send again, at the operating point of the choice */
  TFRC_ADAPT_LOSS = 1 << 3,     /* loss_percent changed: set the encoder to it */
  TFRC_ADAPT_COPIES = 1 << 4    /* `copies` changed: use them for the redundant copies */
} TfrcAdaptBits;

/* The settings. tfrc_adapt_config_init() fills in the defaults, which the comments name. The "need" of a
 * point is its rate on the wire in bytes/s, "allowed" is the rate that may be spent there. */
typedef struct
{
  TfrcTime hold_down_min;       /* ns: allowed must be below `down` x need for this long or for 4 R,
                                 * whichever is longer, before the rate is reduced. Default: 200 ms */
  TfrcTime hold_up;             /* ns: a better point must fit for this long before it is taken. Default: 5 s */
  TfrcTime hold_up_next;        /* ns: the same for a rise that soon follows another one. Default: 1 s */
  double down;                  /* ratio of allowed to need below which the rate is reduced, after the
                                 * hold time. Default: 0.95 */
  double at_once;               /* ratio of allowed to need below which it is reduced without a hold
                                 * time. Default: 0.5 */
  double up;                    /* a better point fits when allowed is at least `up` times its need.
                                 * Default: 1.10 */
  double margin;                /* units of the rating by which a better point has to be better. Default: 2 */
  TfrcTime persist;             /* ns: the flow is suspended when the cheapest point has not fitted for
                                 * persist to 1.5 persist, drawn at random (RFC 3714 5.3). Default: 5 s */
  TfrcTime max_off;             /* ns: a suspension ends after this at the latest. Default: 30 s */
  double buffer_delay;          /* s of delay that the jitter buffer at the remote end adds. Default: 0.2 */
  double max_delay;             /* s from the capture of the first sample of a packet to its playout, after which it
                                 * is lost; 0: not known. Default: 0 */
  uint32_t copy_distance;       /* us: the longest distance of a packet and its redundant copy. Default:
                                 * TFRC_ADAPT_COPY_DISTANCE, with which or more copies may wait longer, until it is
                                 * known whether they are needed */
  uint32_t start_bitrate;       /* bit/s of codec frames: before the first report, a point is taken that
                                 * needs no more than Opus of this bit rate in the longest packets of the
                                 * ladder. Default: 16000 */
  uint64_t seed;                /* draws the times of suspension, so that flows that share a
                                 * bottleneck do not stop and start together. Default: 0 */
} TfrcAdaptConfig;

/* Sets all members to their defaults. */
void tfrc_adapt_config_init (TfrcAdaptConfig * config);

/* What the sender allows and what the path shows. */
typedef struct
{
  TfrcMode mode;                /* of the flow */
  uint32_t H, overhead;         /* bytes in each packet: H of headers below RTP, overhead of RTP header and
                                 * header extensions */
  TfrcAllowance allowance;      /* of the sender. R of 0: no report came yet, and the rates are ignored. A
                                 * max_packet_rate, s, R_sample or X_recv of 0 is not known */
  bool expired;                 /* the nofeedback timer reduced X, and no report has come since */
  double loss;                  /* fraction of packets lost, 0 to 1; negative: unknown, p is used instead */
  double queue;                 /* s that a packet waits in the pacing queue */
  bool suspend;                 /* nothing may be sent at all, whatever X says */
  bool yielded;                 /* the queue of the path belongs to flows that share the rate with this one, and these
                                 * keep it short: to send less would not make it shorter */
  double playout;               /* s for which the data receiver holds a packet that came by the shortest way, before it
                                 * plays the packet; 0: not known */
  double known_after;           /* s from a departure within which most packets that arrive are known to have arrived
                                 * (frame-arrivals.h); 0: that is not known of any */
} TfrcAdaptConditions;

#define TFRC_ADAPT_COPIES_MAX 3         /* redundant copies in a packet (RFC 2198) */

/* Which earlier packets a packet repeats: the one `first` packets before it, and others that are each `spacing` packets before
 * the last. A packet has `n` such copies, which are those of its operating point, and one more where reports make most of them
 * needless (frame-arrivals.h). */
typedef struct
{
  unsigned n;                   /* at most TFRC_ADAPT_COPIES_MAX */
  unsigned first, spacing;      /* packets, at least 1 */
} TfrcAdaptCopies;

/* The choice. */
typedef struct
{
  TfrcAdaptPoint point;
  unsigned index;               /* of the point in the ladder */
  bool suspended;               /* nothing should be sent */
  TfrcAdaptCopies copies;
  TfrcTime queue_time;          /* ns that a packet may wait in the pacing queue: 100 ms, or more where max_delay or
                                 * the playout of the data receiver leaves more */
  uint32_t largest_packet;      /* bytes of RTP: the largest packet that may be chosen before a rise above the bit rate of
                                 * the start, for W_init (RFC 5348 4.2) */
  uint32_t loss_percent;        /* percent, 0 to 100: packet loss that remains after recovery by redundant
                                 * copies, for the codec's error correction to expect */
  double rating;                /* predicted rating, 0 to 129 */
  double mos;                   /* predicted mean opinion score, 1 to 4.5 */
  double need;                  /* bytes/s that the point takes on the wire */
  double allowed;               /* bytes/s that may be spent on the wire, with regard to queues in the
                                 * path; INFINITY before the first report */
} TfrcAdaptChoice;

/* Packets from a packet to its redundant copy number `copy`, 1 being the first; 0 for 0, the packet itself. */
unsigned tfrc_adapt_copies_get_age (const TfrcAdaptCopies * copies, unsigned copy);

/* How many bytes an object takes whose ladder has `n_points`. */
size_t tfrc_adapt_size (unsigned n_points);

/* Makes `block` an object and returns it. The configuration and the ladder are copied. The ladder has at least one
 * point, and every point is valid (tfrc_adapt_point_is_valid()). */
TfrcAdapt *tfrc_adapt_init (void *block, const TfrcAdaptConfig * config,
    const TfrcAdaptPoint * ladder, unsigned n_points, TfrcTime now);

/* To be called when the conditions change, such as at each report. */
unsigned tfrc_adapt_on_conditions (TfrcAdapt * adapt, const TfrcAdaptConditions * conditions, TfrcTime now);

/* The encoder made a packet with `payload` bytes, without redundant copies. When packets
 * are larger than the bit rate implies, the need of all points is raised. */
void tfrc_adapt_on_encoded (TfrcAdapt * adapt, uint32_t payload, TfrcTime now);

/* When a hold time or the next step of a suspension ends; TFRC_TIME_NONE: never. */
TfrcTime tfrc_adapt_next_timer (const TfrcAdapt * adapt);

/* The time that tfrc_adapt_next_timer() gave has come. An earlier call is harmless. */
unsigned tfrc_adapt_on_timer (TfrcAdapt * adapt, TfrcTime now);

/* Fills in `choice`, as it is after the last call. */
void tfrc_adapt_get_choice (const TfrcAdapt * adapt, TfrcAdaptChoice * choice);

/* The loss event rate at which a TCP connection with packets of 1500 bytes gets no more than `B`
 * bytes/s, above 0, on a path with the round-trip time `R` in seconds. A flow that cannot send less than B
 * should not send while the loss event rate is higher (RFC 3714 5). */
double tfrc_adapt_suspend_get_loss_rate (double B, double R);

/* The largest payload in bytes at a fixed packet rate: X_wire / packet_rate - H, at least 0
 * (RFC 4828 6). */
double tfrc_adapt_get_packet_size (double X_wire, double packet_rate, double H);

TFRC_END_DECLS
#endif
