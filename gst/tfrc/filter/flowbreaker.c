/* gst-tfrc: the circuit breaker (RFC 8083) of a data flow
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowbreaker.h"

#include <math.h>

/* Compound packets, which have the report blocks, leave about each 2 s in the session of GStreamer, and each
 * second in our own. A longer interval than the true one only makes the breaker count more of them. */
#define T_DR (2 * TFRC_SEC)

void
gst_tfrc_flow_breaker_init (GstTfrcFlowBreaker * self, gboolean on,
    gdouble loss_max, const TfrcConfig * config, TfrcTime now)
{
  self->on = on;
  tfrc_breaker_init (&self->breaker, config, T_DR, loss_max, now);
}

static GstStructure *
make_structure (const GstTfrcFlowBreaker * self, unsigned bits)
{
  gdouble limit = tfrc_breaker_get_limit (&self->breaker);

  if (!(bits & TFRC_BREAKER_CHANGED))
    return NULL;
  return gst_structure_new (GST_TFRC_BREAKER_MESSAGE,
      "state", G_TYPE_STRING,
      tfrc_breaker_state_get_name (self->breaker.state),
      "reason", G_TYPE_STRING, tfrc_trip_get_name (self->breaker.trip),
      "max-bitrate", G_TYPE_UINT64,
      isinf (limit) ? G_MAXUINT64 : (guint64) (8 * limit), NULL);
}

void
gst_tfrc_flow_breaker_on_departure (GstTfrcFlowBreaker * self, guint size,
    TfrcTime now)
{
  if (self->on)
    tfrc_breaker_on_departure (&self->breaker, size, now);
}

void
gst_tfrc_flow_breaker_on_rtt (GstTfrcFlowBreaker * self, TfrcTime rtt)
{
  if (self->on)
    tfrc_breaker_on_rtt (&self->breaker, rtt);
}

GstStructure *
gst_tfrc_flow_breaker_on_rtcp (GstTfrcFlowBreaker * self, gboolean * resumed,
    TfrcTime now)
{
  unsigned bits = self->on ? tfrc_breaker_on_rtcp (&self->breaker, now) : 0;

  *resumed = (bits & TFRC_BREAKER_CHANGED) != 0;
  return make_structure (self, bits);
}

GstStructure *
gst_tfrc_flow_breaker_on_block (GstTfrcFlowBreaker * self, guint8 fraction,
    gdouble marked, guint32 highest, TfrcTime now)
{
  if (!self->on)
    return NULL;
  return make_structure (self, tfrc_breaker_on_block (&self->breaker,
          fraction / 256.0, marked, highest, now));
}

GstStructure *
gst_tfrc_flow_breaker_on_timer (GstTfrcFlowBreaker * self, TfrcTime now)
{
  if (!self->on)
    return NULL;
  return make_structure (self, tfrc_breaker_on_timer (&self->breaker, now));
}

TfrcTime
gst_tfrc_flow_breaker_next_timer (const GstTfrcFlowBreaker * self)
{
  return self->on ? tfrc_breaker_next_timer (&self->breaker) : TFRC_TIME_NONE;
}

TfrcTime
gst_tfrc_flow_breaker_next_departure (const GstTfrcFlowBreaker * self,
    guint size)
{
  return self->on ? tfrc_breaker_next_departure (&self->breaker, size) : 0;
}

void
gst_tfrc_flow_breaker_limit (const GstTfrcFlowBreaker * self,
    TfrcAllowance * allowance)
{
  gdouble limit = tfrc_breaker_get_limit (&self->breaker);

  if (!self->on || allowance->X <= limit)
    return;
  allowance->X_wire *= limit / allowance->X;
  allowance->X_Bps = MIN (allowance->X_Bps, limit);
  allowance->X = limit;
}

void
gst_tfrc_flow_breaker_add_stats (const GstTfrcFlowBreaker * self,
    GstStructure * stats)
{
  const TfrcBreaker *breaker = &self->breaker;
  guint64 trips = 0;

  for (guint i = 0; i < TFRC_N_TRIPS; i++)
    trips += breaker->trips[i];
  gst_structure_set (stats,
      "breaker", G_TYPE_STRING,
      self->on ? tfrc_breaker_state_get_name (breaker->state) : "off",
      "breaker-reason", G_TYPE_STRING, tfrc_trip_get_name (breaker->trip),
      "breaker-trips", G_TYPE_UINT64, trips, NULL);
}

void
gst_tfrc_flow_breaker_set_mode (GstTfrcFlowBreaker * self, TfrcMode mode)
{
  tfrc_breaker_set_mode (&self->breaker, mode);
}
