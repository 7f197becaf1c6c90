/* gst-tfrc: a query for the quality that an encoder expects of its choice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/expectedqualityquery.h"

#define QUERY_NAME "GstTfrcExpectedQuality"
#define SSRC "ssrc"
#define QUALITY "quality"

/* The property of the encoder, and the field of the statistics. */
#define EXPECTED_QUALITY "expected-quality"

void
gst_tfrc_expected_quality_query_add_stats (GstPad * sinkpad, const guint * ssrc,
    GstStructure * stats)
{
  GstStructure *question = gst_structure_new_empty (QUERY_NAME);
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM, question);
  gdouble quality;

  if (ssrc != NULL)
    gst_structure_set (gst_query_writable_structure (query), SSRC, G_TYPE_UINT,
        *ssrc, NULL);
  if (gst_pad_peer_query (sinkpad, query)
      && gst_structure_get_double (gst_query_get_structure (query), QUALITY,
          &quality))
    gst_structure_set (stats, EXPECTED_QUALITY, G_TYPE_DOUBLE, quality, NULL);
  gst_query_unref (query);
}

static guint
get_ssrc (GstPad * srcpad)
{
  GstCaps *caps = gst_pad_get_current_caps (srcpad);
  guint ssrc = 0;

  if (caps != NULL)
    gst_structure_get_uint (gst_caps_get_structure (caps, 0), SSRC, &ssrc);
  gst_clear_caps (&caps);
  return ssrc;
}

static gboolean
is_meant_for (GstQuery * query, GstPad * srcpad)
{
  const GstStructure *question = gst_query_get_structure (query);
  guint asked;

  return GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM && question != NULL
      && gst_structure_has_name (question, QUERY_NAME)
      && (!gst_structure_get_uint (question, SSRC, &asked)
      || asked == get_ssrc (srcpad));
}

static GstPadProbeReturn
on_query (GstPad * srcpad, GstPadProbeInfo * info, gpointer encoder)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  gdouble quality;

  if (!is_meant_for (query, srcpad))
    return GST_PAD_PROBE_OK;
  g_object_get (encoder, EXPECTED_QUALITY, &quality, NULL);
  gst_structure_set (gst_query_writable_structure (query), QUALITY,
      G_TYPE_DOUBLE, quality, NULL);
  return GST_PAD_PROBE_HANDLED;
}

void
gst_tfrc_expected_quality_query_answer (GstPad * srcpad)
{
  gst_pad_add_probe (srcpad,
      GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PUSH, on_query,
      GST_PAD_PARENT (srcpad), NULL);
}
