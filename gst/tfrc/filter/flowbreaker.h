/* gst-tfrc: the circuit breaker (RFC 8083) of a data flow
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWBREAKER_H
#define GST_TFRC_FLOWBREAKER_H

#include <gst/gst.h>
#include <tfrc/circuit-breaker.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* Name of the structure of the element message that tells a change. */
#define GST_TFRC_BREAKER_MESSAGE "application/x-tfrc-circuit-breaker"

/* The engine's breaker, or none. Part of a data flow, whose owner guards it. Times are in ns of the
 * engine's time. The functions that give a structure return NULL when nothing has changed; the owner
 * posts the structure as an element message: `state`, `reason` (strings), `max-bitrate` (guint64, bit/s of
 * segments). */
typedef struct
{
  gboolean on;
  TfrcBreaker breaker;
} GstTfrcFlowBreaker;

/* `loss_max`: the highest share of packets lost at which the media are of use, 0 to 1; 0: no limit. */
void gst_tfrc_flow_breaker_init (GstTfrcFlowBreaker * self, gboolean on,
    gdouble loss_max, const TfrcConfig * config, TfrcTime now);

void gst_tfrc_flow_breaker_on_departure (GstTfrcFlowBreaker * self, guint size,
    TfrcTime now);
void gst_tfrc_flow_breaker_on_rtt (GstTfrcFlowBreaker * self, TfrcTime rtt);

/* `resumed` tells that the flow may send again after a pause. */
GstStructure *gst_tfrc_flow_breaker_on_rtcp (GstTfrcFlowBreaker * self,
    gboolean * resumed, TfrcTime now);
GstStructure *gst_tfrc_flow_breaker_on_block (GstTfrcFlowBreaker * self,
    guint8 fraction, gdouble marked, guint32 highest, TfrcTime now);
GstStructure *gst_tfrc_flow_breaker_on_timer (GstTfrcFlowBreaker * self,
    TfrcTime now);

TfrcTime gst_tfrc_flow_breaker_next_timer (const GstTfrcFlowBreaker * self);
TfrcTime gst_tfrc_flow_breaker_next_departure (const GstTfrcFlowBreaker *
    self, guint size);

/* Takes from the allowance what the breaker does not let pass. */
void gst_tfrc_flow_breaker_limit (const GstTfrcFlowBreaker * self,
    TfrcAllowance * allowance);

void gst_tfrc_flow_breaker_add_stats (const GstTfrcFlowBreaker * self,
    GstStructure * stats);

G_END_DECLS

#endif
