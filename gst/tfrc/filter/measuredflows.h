/* gst-tfrc: the flows that rtptfrcreceive measures, one for each SSRC of the data
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_MEASUREDFLOWS_H
#define GST_TFRC_MEASUREDFLOWS_H

#include <gst/gst.h>
#include <tfrc/receiver.h>

#include "base/followedssrc.h"
#include "filter/flowmeter.h"
#include "filter/payloadroles.h"
#include "filter/stampedpacket.h"
#include "rtcp/rtcppackets.h"

G_BEGIN_DECLS

#define GST_TFRC_MEASURED_MAX 32

/* The interarrival jitter of RFC 3550 6.4.1, with the send time of the stamp where the RFC has the RTP timestamp. */
typedef struct
{
  gboolean has_transit;
  guint32 transit;              /* us from the send time to the arrival, with an arbitrary origin */
  gdouble J;                    /* us */
} GstTfrcTransitJitter;

/* What is measured of one SSRC. The lock of the filter guards it. Times are in ns of the engine's time. */
typedef struct
{
  TfrcReceiver *receiver;       /* the engine; NULL until the first start */
  TfrcMode mode;
  guint32 ssrc;
  gboolean in_use;              /* a packet with a stamp has arrived */
  gboolean left;                /* the SSRC has sent a BYE */
  TfrcTime begun, arrived;      /* when the first and the last packet arrived; begun is 0: none has */
  GstTfrcTransitJitter jitter;
  guint64 payload_types[2];     /* a bit for each payload type that has arrived */
  guint32 rtt_us;               /* of the last stamp, us */
  GstTfrcStampMemory stamps;
  TfrcTime asked;               /* when a report was last requested */
  TfrcTime reported;            /* when a report was last made */
  GstTfrcMeter meter;
} GstTfrcMeasuredFlow;

/* An SSRC whose packets repair those of another. */
typedef struct
{
  guint32 ssrc, repaired;
  TfrcTime arrived;             /* when its last packet arrived */
} GstTfrcMeasuredRepair;

/* A bounded table, guarded by the lock of the filter. An SSRC that has sent a BYE or is silent may give its place to
 * another one; an SSRC that is heard keeps its place, whatever else arrives. */
typedef struct
{
  TfrcConfig config;
  GstTfrcMeasuredFlow *flows[GST_TFRC_MEASURED_MAX];
  guint n;                      /* flows in use; flows[0] is there from the first start on */
  guint found;                  /* index of the flow that was found last */
  GstTfrcMeasuredRepair repairs[GST_TFRC_MEASURED_MAX];
  guint n_repairs;
  GstTfrcFollowedSsrc main;     /* the SSRC that the properties of the filter are about */
  guint64 received;             /* bytes that were measured, of all flows */
  guint64 others;               /* packets that were not measured */
} GstTfrcMeasuredFlows;

/* `table` is zero before gst_tfrc_measured_flows_start(), which may be called again. */
void gst_tfrc_measured_flows_start (GstTfrcMeasuredFlows * table,
    const TfrcConfig * config, TfrcTime now);
void gst_tfrc_measured_flows_clear (GstTfrcMeasuredFlows * table);

/* The flow of the data with this SSRC; NULL: there is none. */
GstTfrcMeasuredFlow *gst_tfrc_measured_flows_find (GstTfrcMeasuredFlows * table, guint32 ssrc);

/* Begins to measure `ssrc`. `replaced` is set to the SSRC that gives its place, or 0. Returns NULL when the
 * table is full of SSRCs that are heard. */
GstTfrcMeasuredFlow *gst_tfrc_measured_flows_add (GstTfrcMeasuredFlows * table, guint32 ssrc,
    guint32 * replaced, TfrcTime now);

/* A packet of `ssrc` arrived. Returns the flow whose data it repairs; NULL: it is known to repair none. */
GstTfrcMeasuredFlow *gst_tfrc_measured_flows_find_repaired (GstTfrcMeasuredFlows * table,
    guint32 ssrc, TfrcTime now);
/* A packet of `ssrc` arrived, of which it is not known yet whether it repairs a flow: finds that out by the role of its
 * payload type and the settings. Returns the flow that `ssrc` repairs from now on; NULL: `ssrc` repairs none, or the
 * table is full of repairing SSRCs that are heard. */
GstTfrcMeasuredFlow *gst_tfrc_measured_flows_learn_repaired (GstTfrcMeasuredFlows * table,
    guint32 ssrc, const GstTfrcPayloadRole * role, const GstTfrcFilterSettings * settings,
    TfrcTime now);

/* A packet of `size` bytes and the payload type arrived for the flow, of its own SSRC unless `is_repair`. Returns
 * TRUE when the flow becomes the main one in the place of another. */
gboolean gst_tfrc_measured_flows_note (GstTfrcMeasuredFlows * table, GstTfrcMeasuredFlow * flow,
    guint size, guint payload_type, gboolean is_repair, TfrcTime now);

/* `ssrc` has sent a BYE. Returns FALSE when it is not measured. */
gboolean gst_tfrc_measured_flows_bye (GstTfrcMeasuredFlows * table, guint32 ssrc);

/* The flow that the properties of the filter are about. */
GstTfrcMeasuredFlow *gst_tfrc_measured_flows_get_main (const GstTfrcMeasuredFlows * table);

/* The mode of that flow. */
TfrcMode gst_tfrc_measured_flows_get_mode (const GstTfrcMeasuredFlows * table);

/* The shortest R of all flows, s (0: unknown), and the rate of all flows with `headers` bytes more for each packet,
 * bytes/s. */
gdouble gst_tfrc_measured_flows_get_R (const GstTfrcMeasuredFlows * table);
gdouble gst_tfrc_measured_flows_get_byte_rate (const GstTfrcMeasuredFlows * table,
    guint headers, TfrcTime now);

/* A packet of the flow with this stamp arrived. */
void gst_tfrc_measured_flow_note_stamp (GstTfrcMeasuredFlow * flow,
    const TfrcStamp * stamp, TfrcTime now);

/* Adds the statistics of the main flow, and the field "flows", an array with a structure for each flow. */
void gst_tfrc_measured_flows_add_stats (const GstTfrcMeasuredFlows * table,
    GstStructure * stats);

G_END_DECLS

#endif
