/* gst-tfrc: the flows of rtptfrcsend, one for each SSRC of its data
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWTABLE_H
#define GST_TFRC_FLOWTABLE_H

#include <gst/gst.h>

#include "base/followedssrc.h"
#include "filter/dataflowsender.h"
#include "filter/payloadroles.h"
#include "filter/seqnumtranslation.h"
#include "rtcp/acceptedreceiver.h"

G_BEGIN_DECLS

#define GST_TFRC_FLOWS_MAX 32

/* The flow of one SSRC in rtptfrcsend: a data flow sender, and what the filter keeps of the SSRC besides. The lock of
 * the filter guards it. */
typedef struct
{
  GstTfrcDataFlowSender sender; /* its member `ssrc` is that of the data */
  gboolean has_ssrc;            /* FALSE: the first packet of an unknown SSRC gives the flow its SSRC */
  TfrcTime arrived;             /* when the last packet arrived at the filter */
  guint id;                     /* ID of the header extension */
  gboolean has_role;            /* the session knows the caps of its payload type */
  guint64 payload_types[2];     /* a bit for each payload type that has arrived, without repairs */
  GstTfrcSeqnumTranslation map;
  GstTfrcLossCrossCheck cross_check;    /* of the data receiver's reports */
  guint64 doubted;              /* receiver reports that contradict the TFRC reports */
  gchar name[64];               /* of the filter and the SSRC, for the log */
} GstTfrcSsrcFlow;

/* A bounded table. Its flows live until the table is cleared; the flow of an SSRC that has fallen silent may become
 * that of another SSRC. Times are in ns of the engine's time. The lock of the filter guards the table. */
typedef struct
{
  const GstTfrcFilterSettings *settings;
  const gchar *name;            /* of the filter, for the log */
  GstTfrcSsrcFlow *flows[GST_TFRC_FLOWS_MAX];
  guint n;                      /* flows in use */
  guint found;                  /* index of the flow that was found last */
  GstTfrcFollowedSsrc main;     /* the SSRC whose flow the properties of the filter are about */
} GstTfrcFlowTable;

/* `table` is zero before; `settings` outlive it. */
void gst_tfrc_flow_table_init (GstTfrcFlowTable * table,
    const GstTfrcFilterSettings * settings);
void gst_tfrc_flow_table_clear (GstTfrcFlowTable * table);

/* No flow is in use any more. */
void gst_tfrc_flow_table_reset (GstTfrcFlowTable * table, const gchar * name);

/* The flow of the data with this SSRC, or of the data that it repairs; NULL: there is none. */
GstTfrcSsrcFlow *gst_tfrc_flow_table_find (GstTfrcFlowTable * table, guint32 ssrc);

/* Starts a flow with `config`, which has no SSRC yet. When the table is full, this is the flow that has been silent
 * longest, and `replaced` is set to its SSRC. Returns NULL when no flow of the full table is silent. */
GstTfrcSsrcFlow *gst_tfrc_flow_table_add (GstTfrcFlowTable * table,
    const TfrcConfig * config, guint32 * replaced, TfrcTime now);

void gst_tfrc_ssrc_flow_set_ssrc (GstTfrcSsrcFlow * flow, const gchar * owner,
    guint32 ssrc);

/* Whether a packet of this payload type, 0 to 127, has arrived. */
gboolean gst_tfrc_ssrc_flow_has_payload_type (const GstTfrcSsrcFlow * flow, guint payload_type);

/* The flow with `payload_type`, whose packets others repair; NULL: there is no such flow, or `payload_type` is -1. `osn`
 * is the original sequence number of a retransmission (RFC 4588 4), or -1. Of several flows with the payload type, those
 * that have sent the packet `osn` go first, and among equals the flow whose last packet arrived last. */
GstTfrcSsrcFlow *gst_tfrc_flow_table_find_repaired (const GstTfrcFlowTable * table,
    gint payload_type, gint osn);

/* A packet of the flow arrived. Returns TRUE when the flow becomes the main one. */
gboolean gst_tfrc_flow_table_note (GstTfrcFlowTable * table, GstTfrcSsrcFlow * flow,
    guint payload_type, TfrcTime now);

/* The flow that the properties of the filter are about. Before the first start it has no engine. */
GstTfrcSsrcFlow *gst_tfrc_flow_table_get_main (const GstTfrcFlowTable * table);

G_END_DECLS

#endif
