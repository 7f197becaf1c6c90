/* gst-tfrc: the flows that rtptfrcreceive measures, one for each SSRC of the data
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/measuredflows.h"

#include "base/debugcategory.h"
#include "base/enums.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcmeasuredflows", "TFRC flows of a data receiver");

/* A flow that has been silent for so long gives its place to the next SSRC although the table has room. */
#define FORGET_AFTER (60 * TFRC_SEC)

static void
begin (GstTfrcMeasuredFlows * table, GstTfrcMeasuredFlow * flow, TfrcTime now)
{
  TfrcReceiver *receiver = flow->receiver;

  if (receiver == NULL)
    receiver = g_malloc0 (tfrc_receiver_size (&table->config));
  *flow = (GstTfrcMeasuredFlow) {
      .mode = table->config.mode,
      .rtt_us = TFRC_RTT_UNKNOWN,
      .arrived = now};
  flow->receiver = tfrc_receiver_init (receiver, &table->config, now);
}

void
gst_tfrc_measured_flows_clear (GstTfrcMeasuredFlows * table)
{
  guint i;

  for (i = 0; i < GST_TFRC_MEASURED_MAX && table->flows[i] != NULL; i++) {
    g_free (table->flows[i]->receiver);
    g_free (table->flows[i]);
  }
  *table = (GstTfrcMeasuredFlows) { {
      0}
  };
}

void
gst_tfrc_measured_flows_start (GstTfrcMeasuredFlows * table,
    const TfrcConfig * config, TfrcTime now)
{
  gst_tfrc_measured_flows_clear (table);
  table->config = *config;
  table->flows[0] = g_new0 (GstTfrcMeasuredFlow, 1);
  begin (table, table->flows[0], now);
}

GstTfrcMeasuredFlow *
gst_tfrc_measured_flows_find (GstTfrcMeasuredFlows * table, guint32 ssrc)
{
  guint i, at;

  for (i = 0; i < table->n; i++) {
    at = (table->found + i) % table->n;
    if (table->flows[at]->ssrc == ssrc) {
      table->found = at;
      return table->flows[at];
    }
  }
  return NULL;
}

/* The flow that has been silent longest, for `silence` ns at least or since its BYE; -1: there is none. */
static gint
find_idle (const GstTfrcMeasuredFlows * table, TfrcTime silence, TfrcTime now)
{
  gint at = -1;
  guint i;

  for (i = 0; i < table->n; i++)
    if ((table->flows[i]->left || now >= table->flows[i]->arrived + silence)
        && (at < 0 || table->flows[i]->arrived < table->flows[at]->arrived))
      at = i;
  return at;
}

static gint
find_place (GstTfrcMeasuredFlows * table, TfrcTime now)
{
  gint at = find_idle (table, FORGET_AFTER, now);

  if (at >= 0)
    return at;
  if (table->n < GST_TFRC_MEASURED_MAX)
    return table->n++;
  return find_idle (table, GST_TFRC_SSRC_SILENCE, now);
}

static void
forget_repairs (GstTfrcMeasuredFlows * table, guint32 repaired)
{
  guint i = 0;

  while (i < table->n_repairs)
    if (table->repairs[i].repaired == repaired)
      table->repairs[i] = table->repairs[--table->n_repairs];
    else
      i++;
}

GstTfrcMeasuredFlow *
gst_tfrc_measured_flows_add (GstTfrcMeasuredFlows * table, guint32 ssrc,
    guint32 * replaced, TfrcTime now)
{
  gint at = find_place (table, now);
  GstTfrcMeasuredFlow *flow;

  *replaced = 0;
  if (at < 0)
    return NULL;
  flow = table->flows[at];
  if (flow == NULL)
    flow = table->flows[at] = g_new0 (GstTfrcMeasuredFlow, 1);
  if (flow->in_use) {
    *replaced = flow->ssrc;
    forget_repairs (table, flow->ssrc);
  }
  begin (table, flow, now);
  flow->in_use = TRUE;
  flow->ssrc = ssrc;
  return flow;
}

GstTfrcMeasuredFlow *
gst_tfrc_measured_flows_find_repaired (GstTfrcMeasuredFlows * table,
    guint32 ssrc, TfrcTime now)
{
  guint i;

  for (i = 0; i < table->n_repairs; i++) {
    if (table->repairs[i].ssrc != ssrc)
      continue;
    table->repairs[i].arrived = now;
    return gst_tfrc_measured_flows_find (table, table->repairs[i].repaired);
  }
  return NULL;
}

/* A place for another repairing SSRC: that of a silent one when the table is full; NULL: there is none. */
static GstTfrcMeasuredRepair *
find_repair_place (GstTfrcMeasuredFlows * table, TfrcTime now)
{
  guint i;

  if (table->n_repairs < GST_TFRC_MEASURED_MAX)
    return &table->repairs[table->n_repairs++];
  for (i = 0; i < table->n_repairs; i++)
    if (gst_tfrc_ssrc_is_silent (table->repairs[i].arrived, now))
      return &table->repairs[i];
  return NULL;
}

/* The flow with the payload type whose last packet arrived last; NULL: there is none, or the payload type is -1. */
static GstTfrcMeasuredFlow *
find_by_payload_type (const GstTfrcMeasuredFlows * table, gint payload_type)
{
  GstTfrcMeasuredFlow *best = NULL;
  guint i;

  for (i = 0; i < table->n && payload_type >= 0; i++) {
    GstTfrcMeasuredFlow *flow = table->flows[i];

    if ((flow->payload_types[payload_type / 64] >> payload_type % 64 & 1) != 0
        && (best == NULL || flow->arrived > best->arrived))
      best = flow;
  }
  return best;
}

GstTfrcMeasuredFlow *
gst_tfrc_measured_flows_learn_repaired (GstTfrcMeasuredFlows * table,
    guint32 ssrc, const GstTfrcPayloadRole * role,
    const GstTfrcFilterSettings * settings, TfrcTime now)
{
  GstTfrcMeasuredFlow *flow = NULL;
  GstTfrcMeasuredRepair *repair;
  guint32 repaired;

  if (gst_tfrc_repaired_ssrc_find (settings, NULL, ssrc, &repaired))
    flow = gst_tfrc_measured_flows_find (table, repaired);
  else if (role->kind == GST_TFRC_PAYLOAD_RTX)
    flow = find_by_payload_type (table, role->repairs);
  repair = flow != NULL ? find_repair_place (table, now) : NULL;
  if (repair == NULL)
    return NULL;
  GST_INFO ("SSRC %08x repairs %08x", ssrc, flow->ssrc);
  *repair = (GstTfrcMeasuredRepair) {ssrc, flow->ssrc, now};
  return flow;
}

gboolean
gst_tfrc_measured_flows_note (GstTfrcMeasuredFlows * table,
    GstTfrcMeasuredFlow * flow, guint size, guint payload_type,
    gboolean is_repair, TfrcTime now)
{
  table->received += size;
  gst_tfrc_meter_add (&flow->meter, size, now);
  if (is_repair)
    return FALSE;
  flow->left = FALSE;
  flow->arrived = now;
  if (flow->begun == 0)
    flow->begun = now;
  flow->payload_types[payload_type / 64] |= G_GUINT64_CONSTANT (1)
      << payload_type % 64;
  return gst_tfrc_followed_ssrc_check (&table->main, flow->ssrc, now) ==
      GST_TFRC_SSRC_CHANGED;
}

gboolean
gst_tfrc_measured_flows_bye (GstTfrcMeasuredFlows * table, guint32 ssrc)
{
  GstTfrcMeasuredFlow *flow = gst_tfrc_measured_flows_find (table, ssrc);

  if (flow == NULL)
    return FALSE;
  flow->left = TRUE;
  gst_tfrc_followed_ssrc_bye (&table->main, ssrc);
  return TRUE;
}

GstTfrcMeasuredFlow *
gst_tfrc_measured_flows_get_main (const GstTfrcMeasuredFlows * table)
{
  guint i;

  for (i = 0; i < table->n; i++)
    if (gst_tfrc_followed_ssrc_is (&table->main, table->flows[i]->ssrc))
      return table->flows[i];
  return table->flows[0];
}

TfrcMode
gst_tfrc_measured_flows_get_mode (const GstTfrcMeasuredFlows * table)
{
  GstTfrcMeasuredFlow *flow = gst_tfrc_measured_flows_get_main (table);

  return flow != NULL ? flow->mode : table->config.mode;
}

gdouble
gst_tfrc_measured_flows_get_R (const GstTfrcMeasuredFlows * table)
{
  gdouble R = 0.0;
  guint i;

  for (i = 0; i < table->n; i++) {
    TfrcReceiverStats stats;

    tfrc_receiver_get_stats (table->flows[i]->receiver, &stats);
    if (stats.R > 0.0 && (R == 0.0 || stats.R < R))
      R = stats.R;
  }
  return R;
}

gdouble
gst_tfrc_measured_flows_get_byte_rate (const GstTfrcMeasuredFlows * table,
    guint headers, TfrcTime now)
{
  gdouble rate = 0.0;
  guint i;

  for (i = 0; i < table->n; i++)
    rate += gst_tfrc_meter_get_byte_rate (&table->flows[i]->meter, headers,
        now);
  return rate;
}

/* RFC 3550 6.4.1 */
void
gst_tfrc_measured_flow_note_stamp (GstTfrcMeasuredFlow * flow,
    const TfrcStamp * stamp, TfrcTime now)
{
  GstTfrcTransitJitter *jitter = &flow->jitter;
  guint32 transit = (guint32) (now / GST_USECOND) - stamp->t_i_us;
  gint32 D = (gint32) (transit - jitter->transit);

  if (jitter->has_transit)
    jitter->J += (ABS ((gdouble) D) - jitter->J) / 16;
  jitter->has_transit = TRUE;
  jitter->transit = transit;
}

static void
add_flow_stats (const GstTfrcMeasuredFlow * flow, GstStructure * stats)
{
  TfrcReceiverStats s = { 0 };

  if (flow->receiver != NULL)
    tfrc_receiver_get_stats (flow->receiver, &s);
  gst_tfrc_engine_stats_add_receiver (stats, &s);
  gst_structure_set (stats,
      "duration", G_TYPE_UINT64,
      flow->begun == 0 ? 0 : flow->arrived - flow->begun, "jitter",
      G_TYPE_UINT64, (guint64) (flow->jitter.J * GST_USECOND), NULL);
}

void
gst_tfrc_measured_flows_add_stats (const GstTfrcMeasuredFlows * table,
    GstStructure * stats)
{
  static const GstTfrcMeasuredFlow none = { .receiver = NULL };
  const GstTfrcMeasuredFlow *main = gst_tfrc_measured_flows_get_main (table);
  GValue flows = G_VALUE_INIT;
  guint i;

  add_flow_stats (main != NULL ? main : &none, stats);
  gst_value_array_init (&flows, table->n);
  for (i = 0; i < table->n; i++) {
    GstStructure *flow = gst_structure_new ("application/x-tfrc-flow",
        "ssrc", G_TYPE_UINT, table->flows[i]->ssrc,
        "mode", G_TYPE_STRING,
        gst_tfrc_mode_get_nick (table->flows[i]->mode), NULL);
    GValue value = G_VALUE_INIT;

    add_flow_stats (table->flows[i], flow);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, flow);
    gst_value_array_append_and_take_value (&flows, &value);
  }
  gst_structure_take_value (stats, "flows", &flows);
}
