/* gst-tfrc: the flows of rtptfrcsend, one for each SSRC of its data
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowtable.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowtable", "TFRC flows of a data sender");

/* A flow that has been silent for so long gives its place to the next SSRC although the table has room. A muted
 * stream that speaks again later begins in slow start, as it has to after such a pause in any case. */
#define FORGET_AFTER (60 * TFRC_SEC)

void
gst_tfrc_flow_table_init (GstTfrcFlowTable * table,
    const GstTfrcFilterSettings * settings)
{
  table->settings = settings;
  table->flows[0] = g_new0 (GstTfrcSsrcFlow, 1);
  gst_tfrc_data_flow_sender_init (&table->flows[0]->sender, settings, NULL, 0);
}

void
gst_tfrc_flow_table_clear (GstTfrcFlowTable * table)
{
  guint i;

  for (i = 0; i < GST_TFRC_FLOWS_MAX && table->flows[i] != NULL; i++) {
    gst_tfrc_data_flow_sender_clear (&table->flows[i]->sender);
    g_clear_pointer (&table->flows[i], g_free);
  }
  table->n = 0;
}

void
gst_tfrc_flow_table_reset (GstTfrcFlowTable * table, const gchar * name)
{
  guint i;

  for (i = 0; i < table->n; i++) {
    gst_tfrc_data_flow_sender_flush (&table->flows[i]->sender);
    table->flows[i]->has_ssrc = FALSE;
  }
  table->n = table->found = 0;
  table->main = (GstTfrcFollowedSsrc) {FALSE};
  table->name = name;
}

static gboolean
is_of (const GstTfrcSsrcFlow * flow, guint32 ssrc)
{
  return (flow->has_ssrc && flow->sender.ssrc == ssrc)
      || gst_tfrc_data_flow_sender_is_repair (&flow->sender, ssrc);
}

GstTfrcSsrcFlow *
gst_tfrc_flow_table_find (GstTfrcFlowTable * table, guint32 ssrc)
{
  guint i, at;

  for (i = 0; i < table->n; i++) {
    at = (table->found + i) % table->n;
    if (is_of (table->flows[at], ssrc)) {
      table->found = at;
      return table->flows[at];
    }
  }
  return NULL;
}

/* Whether another SSRC may take the place of the flow. A thread that runs the notifier of the flow still reads it. */
static gboolean
is_idle (const GstTfrcSsrcFlow * flow, TfrcTime silence, TfrcTime now)
{
  return now >= flow->arrived + silence && !flow->sender.notifier.busy
      && gst_tfrc_data_flow_sender_is_empty (&flow->sender);
}

/* The flow that has been silent longest, and for `silence` ns at least; -1: there is none. */
static gint
find_idle (const GstTfrcFlowTable * table, TfrcTime silence, TfrcTime now)
{
  gint at = -1;
  guint i;

  for (i = 0; i < table->n; i++)
    if (is_idle (table->flows[i], silence, now)
        && (at < 0 || table->flows[i]->arrived < table->flows[at]->arrived))
      at = i;
  return at;
}

/* The place of a new flow; -1: there is none. */
static gint
find_place (GstTfrcFlowTable * table, TfrcTime now)
{
  gint at = find_idle (table, FORGET_AFTER, now);

  if (at >= 0)
    return at;
  if (table->n < GST_TFRC_FLOWS_MAX)
    return table->n++;
  return find_idle (table, GST_TFRC_SSRC_SILENCE, now);
}

static void
start (GstTfrcFlowTable * table, GstTfrcSsrcFlow * flow,
    const TfrcConfig * config, TfrcTime now)
{
  flow->has_ssrc = flow->has_role = FALSE;
  flow->arrived = now;
  flow->payload_types[0] = flow->payload_types[1] = 0;
  flow->map.n = 0;
  flow->cross_check = (GstTfrcLossCrossCheck) {FALSE};
  flow->doubted = 0;
  flow->sender.ssrc = 0;
  g_strlcpy (flow->name, table->name, sizeof flow->name);
  flow->sender.name = flow->name;
  flow->sender.caps = flow->sender.segment = NULL;
  gst_tfrc_data_flow_sender_start (&flow->sender, config, now);
}

GstTfrcSsrcFlow *
gst_tfrc_flow_table_add (GstTfrcFlowTable * table, const TfrcConfig * config,
    guint32 * replaced, TfrcTime now)
{
  gint at = find_place (table, now);
  GstTfrcSsrcFlow *flow;

  *replaced = 0;
  if (at < 0)
    return NULL;
  flow = table->flows[at];
  if (flow == NULL) {
    flow = table->flows[at] = g_new0 (GstTfrcSsrcFlow, 1);
    gst_tfrc_data_flow_sender_init (&flow->sender, table->settings, NULL, now);
  } else if (flow->has_ssrc) {
    *replaced = flow->sender.ssrc;
  }
  start (table, flow, config, now);
  return flow;
}

void
gst_tfrc_ssrc_flow_set_ssrc (GstTfrcSsrcFlow * flow, const gchar * owner,
    guint32 ssrc)
{
  flow->has_ssrc = TRUE;
  flow->sender.ssrc = ssrc;
  g_snprintf (flow->name, sizeof flow->name, "%s/%08x", owner, ssrc);
  GST_INFO_ID (flow->name, "the data has SSRC %08x", ssrc);
}

gboolean
gst_tfrc_ssrc_flow_has_payload_type (const GstTfrcSsrcFlow * flow,
    guint payload_type)
{
  return (flow->payload_types[payload_type / 64] >> payload_type % 64) & 1;
}

static gboolean
has_sent (const GstTfrcSsrcFlow * flow, gint osn)
{
  guint16 departed;

  return osn >= 0
      && gst_tfrc_seqnum_translation_get_departed (&flow->map, osn, &departed);
}

GstTfrcSsrcFlow *
gst_tfrc_flow_table_find_repaired (const GstTfrcFlowTable * table,
    gint payload_type, gint osn)
{
  GstTfrcSsrcFlow *best = NULL;
  gboolean best_sent = FALSE;
  guint i;

  for (i = 0; i < table->n && payload_type >= 0; i++) {
    GstTfrcSsrcFlow *flow = table->flows[i];
    gboolean sent = has_sent (flow, osn);

    if (!gst_tfrc_ssrc_flow_has_payload_type (flow, payload_type))
      continue;
    if (best == NULL || sent > best_sent || (sent == best_sent
            && flow->arrived > best->arrived)) {
      best = flow;
      best_sent = sent;
    }
  }
  return best;
}

gboolean
gst_tfrc_flow_table_note (GstTfrcFlowTable * table, GstTfrcSsrcFlow * flow,
    guint payload_type, TfrcTime now)
{
  GstTfrcSsrcVerdict verdict;

  flow->arrived = now;
  flow->payload_types[payload_type / 64] |= G_GUINT64_CONSTANT (1)
      << payload_type % 64;
  verdict = gst_tfrc_followed_ssrc_check (&table->main, flow->sender.ssrc, now);
  return verdict == GST_TFRC_SSRC_FIRST || verdict == GST_TFRC_SSRC_CHANGED;
}

GstTfrcSsrcFlow *
gst_tfrc_flow_table_get_main (const GstTfrcFlowTable * table)
{
  guint i;

  for (i = 0; i < table->n; i++)
    if (table->flows[i]->has_ssrc
        && gst_tfrc_followed_ssrc_is (&table->main,
            table->flows[i]->sender.ssrc))
      return table->flows[i];
  return table->flows[0];
}
