/* lab: RAP, the Rate Adaptation Protocol that S. Hassan sets beside TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A comparator for the lab, no part of the engine. The sender's half: an AIMD
 * rate 1 / IPG, every packet acknowledged. Sans I/O; times in seconds. */
#ifndef LAB_RAP_H
#define LAB_RAP_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RAP_WINDOW 4096u        /* packets that may be outstanding */

/* What an acknowledgement says: `received` is the newest packet, `missed` the
 * newest one missing below it, `before` the newest one received below that. */
typedef struct
{
  int64_t received, missed, before;
} RapAck;

typedef struct
{
  bool fine;                    /* fine grain: the waits follow the short-term RTT */
  double IPG;                   /* s between packets */
  double SRTT, VAR, timeout;    /* s; SRTT 0: no sample yet */
  double FRTT, XRTT;            /* s: short-term and long-term means of the RTT */
  int64_t next;                 /* sequence number of the next packet */
  int64_t first;                /* oldest packet whose fate is open */
  int64_t inactive;             /* losses below it belong to the last back-off */
  bool decreased;               /* since the last step */
  unsigned sent;                /* packets since the last step */
  double next_step;             /* s */
  double t_sent[RAP_WINDOW];    /* s */
  bool open[RAP_WINDOW];        /* neither acknowledged nor lost */
  uint64_t losses, backoffs;
} Rap;

void rap_init (Rap * rap, bool fine, double IPG, double now);

/* A packet leaves; returns its sequence number. */
int64_t rap_on_sent (Rap * rap, double now);
void rap_on_ack (Rap * rap, const RapAck * ack, double now);

/* s to wait from one packet to the next. */
double rap_get_wait (const Rap * rap);

/* Once a round-trip time: the additive increase, and packets given up by age. */
double rap_next_step (const Rap * rap);
void rap_on_step (Rap * rap, double now);

/* The parts, for their tests. */
double rap_increase (double IPG, double SRTT);
double rap_decrease (double IPG);
void rap_add_sample (Rap * rap, double sample);

/* The receiver's half: what the acknowledgement of `seq` says. */
typedef struct
{
  RapAck ack;
} RapSink;

void rap_sink_init (RapSink * sink);
void rap_sink_on_packet (RapSink * sink, int64_t seq);

#ifdef __cplusplus
}
#endif
#endif
