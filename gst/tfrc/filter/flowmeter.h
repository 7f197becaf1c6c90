/* gst-tfrc: packet rate and byte rate of a flow, histograms of durations, and libtfrc's statistics as fields
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWMETER_H
#define GST_TFRC_FLOWMETER_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

G_BEGIN_DECLS

#define GST_TFRC_METER_PACKETS 64

/* All objects here are plain state under the owner's lock, zero to begin with. Times are in ns
 * of the engine's time. */

/* --- rates --- */

/* The times and sizes of the last packets of a flow. */
typedef struct
{
  TfrcTime at[GST_TFRC_METER_PACKETS];
  guint32 size[GST_TFRC_METER_PACKETS]; /* bytes */
  guint n;                      /* packets that are remembered */
  guint next;                   /* index of the next packet */
} GstTfrcMeter;

void gst_tfrc_meter_add (GstTfrcMeter * meter, guint32 size, TfrcTime now);

/* The size of the newest packet, bytes; 0: there was none. */
guint32 gst_tfrc_meter_get_last_size (const GstTfrcMeter * meter);

/* Packets per second while the flow is active; pauses of discontinuous transmission are left out.
 * 0: not known yet. */
gdouble gst_tfrc_meter_get_packet_rate (const GstTfrcMeter * meter);

/* The size of the largest packet that is remembered, bytes. */
guint32 gst_tfrc_meter_get_largest_size (const GstTfrcMeter * meter);

/* TRUE once in GST_TFRC_METER_PACKETS packets: all packets that are remembered were added since the
 * last time that this was TRUE. */
gboolean gst_tfrc_meter_is_refilled (const GstTfrcMeter * meter);

/* Bytes per second in the time before `now`, with `headers` bytes more for each packet.
 * 0: not known yet. */
gdouble gst_tfrc_meter_get_byte_rate (const GstTfrcMeter * meter, guint headers,
    TfrcTime now);

/* --- durations --- */

#define GST_TFRC_HISTOGRAM_BUCKETS 160

/* A histogram of durations. A bucket is a quarter of an octave wide. */
typedef struct
{
  guint64 count, total, max;    /* ns */
  guint32 buckets[GST_TFRC_HISTOGRAM_BUCKETS];
} GstTfrcHistogram;

void gst_tfrc_histogram_add (GstTfrcHistogram * histogram, guint64 duration);
guint64 gst_tfrc_histogram_get_mean (const GstTfrcHistogram * histogram);

/* The duration that a share `q` of all durations does not exceed, in ns; the result is at most a
 * quarter too long. */
guint64 gst_tfrc_histogram_get_quantile (const GstTfrcHistogram * histogram, gdouble q);

/* Adds the fields `name`-mean, `name`-p99 and `name`-max, in ns. */
void gst_tfrc_histogram_add_stats (const GstTfrcHistogram * histogram, const gchar * name,
    GstStructure * stats);

/* --- statistics of the engines --- */

/* Adds a field for each member of `s`, with the name of the member in hyphens: what the RFCs call by a symbol in the
 * structure `rfc`, rates in bytes/s and times in s, and counters outside of it; besides, with the names and units of
 * the properties (bit/s, ns), `allowed-rate` of a sender, `receive-rate`, `loss-event-rate` and `round-trip-time`. */
void gst_tfrc_engine_stats_add_sender (GstStructure * stats, const TfrcSenderStats * s);
void gst_tfrc_engine_stats_add_receiver (GstStructure * stats, const TfrcReceiverStats * s);

G_END_DECLS

#endif
