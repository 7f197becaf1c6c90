/* gst-tfrc: the circuit breaker (RFC 8083) of a data flow
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWBREAKER_H
#define GST_TFRC_FLOWBREAKER_H

#include <gst/gst.h>
#include <tfrc/circuit-breaker.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* Name of the structure of the element message that reports a change. */
#define GST_TFRC_BREAKER_MESSAGE "application/x-tfrc-circuit-breaker"

/* The breaker of libtfrc, which can be off. The object is part of a data flow sender, whose owner guards it.
 * Times are in ns of the engine's time. The functions that return a structure return NULL when the state has
 * not changed. The owner posts the structure as an element message; its fields are `state` and `reason`
 * (strings) and `max-bitrate` (guint64, bit/s of RTP packets with their headers; G_MAXUINT64: no limit). */
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

/* Sets `resumed` to whether the flow may send again after a pause. */
GstStructure *gst_tfrc_flow_breaker_on_rtcp (GstTfrcFlowBreaker * self,
    gboolean * resumed, TfrcTime now);
GstStructure *gst_tfrc_flow_breaker_on_block (GstTfrcFlowBreaker * self,
    guint8 fraction, gdouble marked, guint32 highest, TfrcTime now);
GstStructure *gst_tfrc_flow_breaker_on_timer (GstTfrcFlowBreaker * self,
    TfrcTime now);

TfrcTime gst_tfrc_flow_breaker_next_timer (const GstTfrcFlowBreaker * self);
TfrcTime gst_tfrc_flow_breaker_next_departure (const GstTfrcFlowBreaker *
    self, guint size);

/* Lowers the rates of `allowance` to the limit of the breaker. */
void gst_tfrc_flow_breaker_limit (const GstTfrcFlowBreaker * self,
    TfrcAllowance * allowance);

void gst_tfrc_flow_breaker_add_stats (const GstTfrcFlowBreaker * self,
    GstStructure * stats);

/* The flow runs in this mode from now on. */
void gst_tfrc_flow_breaker_set_mode (GstTfrcFlowBreaker * self, TfrcMode mode);

G_END_DECLS

#endif
