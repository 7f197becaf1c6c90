/* gst-tfrc: rates of a flow as it is, and how late its packets depart
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWMETER_H
#define GST_TFRC_FLOWMETER_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

#define GST_TFRC_METER_PACKETS 64

/* The last packets of a flow. Zero to begin with. */
typedef struct
{
  TfrcTime at[GST_TFRC_METER_PACKETS];
  guint32 size[GST_TFRC_METER_PACKETS];
  guint n, next;
} GstTfrcMeter;

void gst_tfrc_meter_add (GstTfrcMeter * meter, guint32 size, TfrcTime now);

/* Packets per second while the flow is active: the pauses of discontinuous
 * transmission do not count. 0: not known yet. */
gdouble gst_tfrc_meter_get_packet_rate (const GstTfrcMeter * meter);

/* All that is remembered is new since this was last true. */
gboolean gst_tfrc_meter_is_at_turn (const GstTfrcMeter * meter);

/* Bytes per second up to now, with `headers` more for each packet. 0: not known. */
gdouble gst_tfrc_meter_get_byte_rate (const GstTfrcMeter * meter, guint headers,
    TfrcTime now);

#define GST_TFRC_HISTOGRAM_BUCKETS 160

/* Durations, in buckets that are a quarter of an octave wide. Zero to begin with. */
typedef struct
{
  guint64 count, total, max;    /* ns */
  guint32 buckets[GST_TFRC_HISTOGRAM_BUCKETS];
} GstTfrcHistogram;

void gst_tfrc_histogram_add (GstTfrcHistogram * histogram, guint64 duration);
guint64 gst_tfrc_histogram_get_mean (const GstTfrcHistogram * histogram);

/* What a share `q` of the durations does not exceed, at most a quarter too much. */
guint64 gst_tfrc_histogram_get_quantile (const GstTfrcHistogram * histogram, gdouble q);

/* Fields `name`-mean, `name`-p99 and `name`-max in ns. */
void gst_tfrc_histogram_add_stats (const GstTfrcHistogram * histogram, const gchar * name,
    GstStructure * stats);

G_END_DECLS

#endif
