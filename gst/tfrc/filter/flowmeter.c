/* gst-tfrc: packet rate and byte rate of a flow, histograms of durations, and libtfrc's statistics as fields
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowmeter.h"

/* --- rates --- */

/* A packet rate is that of so much active time. */
#define WINDOW TFRC_SEC
/* A byte rate is that of the last RATE_WINDOW. It is known after RATE_TIME and RATE_PACKETS. */
#define RATE_WINDOW (2 * TFRC_SEC)
#define RATE_TIME TFRC_SEC
#define RATE_PACKETS 4
/* A longer gap between packets is a pause: no codec of the table makes longer packets. */
#define PAUSE (250 * TFRC_MSEC)

void
gst_tfrc_meter_add (GstTfrcMeter * meter, guint32 size, TfrcTime now)
{
  meter->at[meter->next] = now;
  meter->size[meter->next] = size;
  meter->next = (meter->next + 1) % GST_TFRC_METER_PACKETS;
  if (meter->n < GST_TFRC_METER_PACKETS)
    meter->n++;
}

/* The index of the packet that was added `back` packets before the newest. */
static guint
get_place (const GstTfrcMeter * meter, guint back)
{
  return (meter->next + 2 * GST_TFRC_METER_PACKETS - 1 - back) %
      GST_TFRC_METER_PACKETS;
}

guint32
gst_tfrc_meter_get_last_size (const GstTfrcMeter * meter)
{
  return meter->size[get_place (meter, 0)];
}

gdouble
gst_tfrc_meter_get_packet_rate (const GstTfrcMeter * meter)
{
  TfrcTime active = 0, later;
  guint i, packets = 0;

  if (meter->n < 2)
    return 0;
  later = meter->at[get_place (meter, 0)];
  for (i = 1; i < meter->n && active < WINDOW; i++) {
    TfrcTime at = meter->at[get_place (meter, i)];

    if (later - at <= PAUSE) {
      active += later - at;
      packets++;
    }
    later = at;
  }
  return active > 0 ? (gdouble) packets *TFRC_SEC / active : 0;
}

guint32
gst_tfrc_meter_get_largest_size (const GstTfrcMeter * meter)
{
  guint32 largest = 0;
  guint i;

  for (i = 0; i < meter->n; i++)
    largest = MAX (largest, meter->size[i]);
  return largest;
}

gboolean
gst_tfrc_meter_is_refilled (const GstTfrcMeter * meter)
{
  return meter->n == GST_TFRC_METER_PACKETS && meter->next == 0;
}

gdouble
gst_tfrc_meter_get_byte_rate (const GstTfrcMeter * meter, guint headers,
    TfrcTime now)
{
  guint64 bytes = 0, oldest = 0;
  TfrcTime first = now;
  guint i;

  for (i = 0; i < meter->n; i++) {
    guint place = get_place (meter, i);

    if (i >= RATE_PACKETS && now - meter->at[place] > RATE_WINDOW)
      break;
    oldest = meter->size[place] + headers;
    bytes += oldest;
    first = meter->at[place];
  }
  if (i < RATE_PACKETS || now - first < RATE_TIME)
    return 0;
  /* the time begins with the arrival of the oldest packet, whose bytes came before */
  return (gdouble) (bytes - oldest) * TFRC_SEC / (now - first);
}

/* --- durations --- */

static guint
get_bucket (guint64 duration)
{
  guint octave;

  if (duration < 4)
    return duration;
  octave = g_bit_storage (duration) - 1;
  return MIN (4 * (octave - 1) + ((duration >> (octave - 2)) & 3),
      GST_TFRC_HISTOGRAM_BUCKETS - 1);
}

/* The least duration of the bucket. */
static guint64
get_edge (guint bucket)
{
  guint octave = bucket / 4 + 1;

  return bucket < 4 ? bucket : (guint64) (4 + bucket % 4) << (octave - 2);
}

void
gst_tfrc_histogram_add (GstTfrcHistogram * histogram, guint64 duration)
{
  histogram->count++;
  histogram->total += duration;
  histogram->max = MAX (histogram->max, duration);
  histogram->buckets[get_bucket (duration)]++;
}

guint64
gst_tfrc_histogram_get_mean (const GstTfrcHistogram * histogram)
{
  return histogram->count > 0 ? histogram->total / histogram->count : 0;
}

guint64
gst_tfrc_histogram_get_quantile (const GstTfrcHistogram * histogram, gdouble q)
{
  guint64 seen = 0, wanted = q * histogram->count;
  guint i;

  for (i = 0; i < GST_TFRC_HISTOGRAM_BUCKETS; i++) {
    seen += histogram->buckets[i];
    if (seen > wanted)
      return MIN (get_edge (i + 1), histogram->max);
  }
  return histogram->max;
}

static void
add_field (GstStructure * stats, const gchar * name, const gchar * suffix,
    guint64 value)
{
  gchar *field = g_strconcat (name, suffix, NULL);

  gst_structure_set (stats, field, G_TYPE_UINT64, value, NULL);
  g_free (field);
}

void
gst_tfrc_histogram_add_stats (const GstTfrcHistogram * histogram,
    const gchar * name, GstStructure * stats)
{
  add_field (stats, name, "-mean", gst_tfrc_histogram_get_mean (histogram));
  add_field (stats, name, "-p99",
      gst_tfrc_histogram_get_quantile (histogram, 0.99));
  add_field (stats, name, "-max", histogram->max);
}

/* --- statistics of the engines --- */

/* Takes `rfc`, what the RFCs call by a symbol, in their units. */
static void
take_rfc (GstStructure * stats, GstStructure * rfc)
{
  gst_structure_set (stats, "rfc", GST_TYPE_STRUCTURE, rfc, NULL);
  gst_structure_free (rfc);
}

/* Adds what both ends have: R and the rates in the units of the properties. */
static void
add_readings (GstStructure * stats, gdouble X_recv, gdouble p, gdouble R)
{
  gst_structure_set (stats,
      "receive-rate", G_TYPE_DOUBLE, 8 * X_recv,
      "loss-event-rate", G_TYPE_DOUBLE, p,
      "round-trip-time", G_TYPE_UINT64, (guint64) (R * GST_SECOND), NULL);
}

void
gst_tfrc_engine_stats_add_sender (GstStructure * stats,
    const TfrcSenderStats * s)
{
  guint i;

  take_rfc (stats, gst_structure_new ("rfc",
          "X", G_TYPE_DOUBLE, s->X, "X-inst", G_TYPE_DOUBLE, s->X_inst,
          "X-Bps", G_TYPE_DOUBLE, s->X_Bps, "X-recv", G_TYPE_DOUBLE, s->X_recv,
          "recv-limit", G_TYPE_DOUBLE, s->recv_limit, "G", G_TYPE_DOUBLE, s->G,
          "p", G_TYPE_DOUBLE, s->p, "R", G_TYPE_DOUBLE, s->R,
          "t-RTO", G_TYPE_DOUBLE, s->t_RTO,
          "R-sqmean", G_TYPE_DOUBLE, s->R_sqmean,
          "s", G_TYPE_DOUBLE, s->s, "s-max", G_TYPE_DOUBLE, s->s_max,
          "T-report", G_TYPE_DOUBLE, s->T_report, NULL));
  add_readings (stats, s->X_recv, s->p, s->R);
  gst_structure_set (stats, "allowed-rate", G_TYPE_DOUBLE, 8 * s->X,
      "packets", G_TYPE_UINT64, s->packets, "bytes", G_TYPE_UINT64, s->bytes,
      "reports", G_TYPE_UINT64, s->reports,
      "limited-x-recv", G_TYPE_UINT64, s->limited_x_recv,
      "limited-p", G_TYPE_UINT64, s->limited_p,
      "limited-t-delay", G_TYPE_UINT64, s->limited_t_delay,
      "nofeedback-expiries", G_TYPE_UINT64, s->expiries,
      "loss-reports", G_TYPE_UINT64, s->loss_reports,
      "data-limited-reports", G_TYPE_UINT64, s->data_limited_reports,
      "clock-steps", G_TYPE_UINT64, s->clock_steps,
      "data-limited", G_TYPE_BOOLEAN, s->data_limited,
      "slow-start", G_TYPE_BOOLEAN, s->slow_start, NULL);
  for (i = 0; i < TFRC_N_REJECTS; i++) {
    gchar *name = g_strconcat ("rejected-", tfrc_reject_get_name (i), NULL);

    gst_structure_set (stats, name, G_TYPE_UINT64, s->rejected[i], NULL);
    g_free (name);
  }
}

void
gst_tfrc_engine_stats_add_receiver (GstStructure * stats,
    const TfrcReceiverStats * s)
{
  take_rfc (stats, gst_structure_new ("rfc",
          "p", G_TYPE_DOUBLE, s->p, "X-recv", G_TYPE_DOUBLE, s->X_recv,
          "R", G_TYPE_DOUBLE, s->R, "I-mean", G_TYPE_DOUBLE, s->I_mean,
          "I-0", G_TYPE_DOUBLE, s->I_0, "I-1", G_TYPE_DOUBLE, s->I_1, NULL));
  add_readings (stats, s->X_recv, s->p, s->R);
  gst_structure_set (stats, "intervals", G_TYPE_UINT, s->intervals,
      "packets", G_TYPE_UINT64, s->packets, "bytes", G_TYPE_UINT64, s->bytes,
      "lost", G_TYPE_UINT64, s->lost, "healed", G_TYPE_UINT64, s->healed,
      "loss-events", G_TYPE_UINT64, s->loss_events,
      "duplicates", G_TYPE_UINT64, s->duplicates,
      "reordered", G_TYPE_UINT64, s->reordered,
      "marked", G_TYPE_UINT64, s->marked,
      "too-late", G_TYPE_UINT64, s->too_late,
      "unstamped", G_TYPE_UINT64, s->unstamped,
      "bad-stamps", G_TYPE_UINT64, s->bad_stamps,
      "jumps", G_TYPE_UINT64, s->jumps,
      "restarts", G_TYPE_UINT64, s->restarts,
      "reports", G_TYPE_UINT64, s->reports,
      "empty-expiries", G_TYPE_UINT64, s->empty_expiries,
      "clock-steps", G_TYPE_UINT64, s->clock_steps, NULL);
}
