/* libtfrc: the flow state exchange, which keeps the sum of the flows on one path at the rate of
 * one flow (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flows that share a path, such as audio and video of one transport, each measure the losses of that path
 * and each compute the rate of a flow that is alone on it. A TfrcCoupling, the flow state exchange (FSE) of
 * RFC 8699, keeps their sum at the rate of one flow, S_CR, and divides S_CR among them by priority. It is
 * the conservative active algorithm of RFC 8699 5.3.2; docs/coupling.md says how it is applied to TFRC.
 *
 * Each report and each expiry of the nofeedback timer changes the state of a flow: the caller reads the
 * state by tfrc_sender_get_flow_state() and hands the state to tfrc_coupling_update(). When that returns
 * TFRC_COUPLING_RATES, the caller hands each flow its rate by tfrc_sender_set_coupled_rate(). The sum of
 * the coupled rates never exceeds the sum of the X that the flows compute alone.
 *
 * Rates are in bytes/s of the segments of their flow. Inside, they are converted to the rates of flows with
 * nominal segments (TfrcFlowState.scale).
 *
 * The contract of tfrc/tfrc.h holds. All members of TfrcCoupling are private but `S_CR`, `n`, `reductions`. */
#ifndef TFRC_COUPLING_H
#define TFRC_COUPLING_H

#include <tfrc/sender.h>

TFRC_BEGIN_DECLS

#define TFRC_COUPLING_FLOWS 64  /* flows of a coupling at most */

/* P(f) of RFC 8699 5.2 for the four priorities of WebRTC (RFC 8835 4). Any number above 0 may be used. */
#define TFRC_PRIORITY_VERY_LOW 1.0
#define TFRC_PRIORITY_LOW 2.0
#define TFRC_PRIORITY_MEDIUM 4.0
#define TFRC_PRIORITY_HIGH 8.0

/* What the application wants for a flow. */
typedef struct
{
  double priority;              /* P(f) of RFC 8699, above 0: the weight by which the flow shares what the minimums leave */
  double min;                   /* bytes/s that the flow gets before a flow of lower priority gets more than the minimum
                                 * of that flow; 0: none */
  double max;                   /* bytes/s that the application can use at most, DR(f) of RFC 8699; INFINITY: no limit */
} TfrcFlowDemand;

typedef struct
{
  bool used;                    /* there is such a flow */
  TfrcFlowDemand demand;
  TfrcFlowState state;          /* of the last update */
  double estimate;              /* S_CR computed from the losses of this flow alone; 0: it had no loss event yet */
  double first_scale;           /* at the first loss event of this flow: receive rate of all flows / that of this flow */
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
  TfrcTime timer;               /* no change of S_CR before, since the last reduction */
  uint64_t reductions;          /* of S_CR because of a loss event */
} TfrcCoupling;

/* What a call changed. */
typedef enum
{
  TFRC_COUPLING_RATES = 1 << 0  /* the rate of a flow: ask for that of each */
} TfrcCouplingBits;

/* Makes `coupling` one without flows. */
void tfrc_coupling_init (TfrcCoupling * coupling, TfrcTime now);

/* Adds a flow, whose sender has accepted its first report; `state` is its state. Returns its number, or -1
 * when there are TFRC_COUPLING_FLOWS flows already. The rates of all flows change, as after
 * TFRC_COUPLING_RATES. In the functions below, `flow` is the number of a flow that was added and not
 * removed. */
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

/* FSE_R(f): bytes/s of segments that the flow may send. INFINITY: there is no other flow, and it may send at X. */
double tfrc_coupling_get_rate (const TfrcCoupling * coupling, unsigned flow);

/* The portion of the flow in the sum of the rates of all flows, as rates of flows with nominal segments: 0 to 1. */
double tfrc_coupling_get_portion (const TfrcCoupling * coupling, unsigned flow);

TFRC_END_DECLS
#endif
