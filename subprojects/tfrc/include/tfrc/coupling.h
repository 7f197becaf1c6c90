/* libtfrc: the flow state exchange, which couples the flows of one path to the rate of one flow (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flows that share a path, such as audio and video of one transport, each measure the losses of that path and
 * each compute the rate of a whole flow. A TfrcCoupling keeps their sum at the rate of one flow, S_CR, and
 * divides S_CR among them by priority. It is the conservative active algorithm of RFC 8699 5.3.2; docs/coupling.md
 * says how it is applied to TFRC.
 *
 * Each report and each expiry of the nofeedback timer changes the state of a flow: the caller reads it by
 * tfrc_sender_get_flow_state() and hands it to tfrc_coupling_update(). When that returns TFRC_COUPLING_RATES, the
 * caller hands each flow its rate by tfrc_sender_set_coupled_rate(). The flows together never get more than the sum of
 * the X of RFC 5348 that they compute by themselves.
 *
 * Rates are in bytes/s of the segments of their flow. Inside they are compared as the rates of flows of nominal
 * segments, in bytes/s of these (TfrcFlowState.scale).
 *
 * The contract of tfrc/tfrc.h holds: the caller owns the memory, `now` is the last argument, and the functions
 * that change the object return bits. */
#ifndef TFRC_COUPLING_H
#define TFRC_COUPLING_H

#include <tfrc/sender.h>

TFRC_BEGIN_DECLS

#define TFRC_COUPLING_FLOWS 64  /* flows of a coupling at most */

/* Priorities of RFC 8699 5.2 for those of WebRTC. Any number above 0 may be used. */
#define TFRC_PRIORITY_VERY_LOW 1.0
#define TFRC_PRIORITY_LOW 2.0
#define TFRC_PRIORITY_MEDIUM 4.0
#define TFRC_PRIORITY_HIGH 8.0

/* What the application wants for a flow. */
typedef struct
{
  double priority;              /* P(f) of RFC 8699, above 0: portion of what the flows compete for */
  double min;                   /* bytes/s that the flow gets before any flow of lower priority gets more than its own
                                 * minimum; 0: none */
  double max;                   /* bytes/s that the application can use at most, DR(f) of RFC 8699; INFINITY: no limit */
} TfrcFlowDemand;

typedef struct
{
  bool used;                    /* there is such a flow */
  TfrcFlowDemand demand;
  TfrcFlowState state;          /* of the last update */
  double estimate;              /* S_CR as the losses of this flow alone give it; 0: it had no loss event yet */
  double first_scale;           /* receive rate of all flows divided by that of this flow, at its first loss event */
  uint64_t first_loss;          /* loss events before that one */
  double rate;                  /* FSE_R(f) of RFC 8699 */
} TfrcCoupledFlow;

typedef struct
{
  TfrcTime now;                 /* latest time seen */
  TfrcCoupledFlow flows[TFRC_COUPLING_FLOWS];
  unsigned n;                   /* flows */
  double S_CR;                  /* rate of the flows together */
  bool estimated;               /* a flow had a loss event: S_CR is the rate of one flow */
  TfrcTime timer;               /* until then S_CR stays as the last reduction left it */
  uint64_t reductions;          /* of S_CR because of a loss event */
} TfrcCoupling;

/* What a call changed. */
typedef enum
{
  TFRC_COUPLING_RATES = 1 << 0  /* the rate of a flow: ask for that of each */
} TfrcCouplingBits;

/* Makes `coupling` one without flows. */
void tfrc_coupling_init (TfrcCoupling * coupling, TfrcTime now);

/* A flow begins that has had its first report; `state` is its state. Returns its number, or -1 when there are
 * TFRC_COUPLING_FLOWS flows already. The rates of all flows change. */
int tfrc_coupling_add (TfrcCoupling * coupling, const TfrcFlowDemand * demand,
    const TfrcFlowState * state, TfrcTime now);

/* The flow has ended. */
unsigned tfrc_coupling_remove (TfrcCoupling * coupling, unsigned flow, TfrcTime now);

/* The application wants something else for the flow. */
unsigned tfrc_coupling_set_demand (TfrcCoupling * coupling, unsigned flow,
    const TfrcFlowDemand * demand, TfrcTime now);

/* The state of the flow has changed. */
unsigned tfrc_coupling_update (TfrcCoupling * coupling, unsigned flow,
    const TfrcFlowState * state, TfrcTime now);

/* FSE_R(f): bytes/s of segments that the flow may send. INFINITY: there is no other flow, and it sends at X. */
double tfrc_coupling_get_rate (const TfrcCoupling * coupling, unsigned flow);

/* The portion of the flow in the rates of all flows, compared as rates of nominal segments: 0 to 1. */
double tfrc_coupling_get_portion (const TfrcCoupling * coupling, unsigned flow);

TFRC_END_DECLS
#endif
