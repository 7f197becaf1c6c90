/* gst-tfrc: rates of a flow as it is, and how late its packets depart
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowmeter.h"

#define WINDOW TFRC_SEC
/* A byte rate takes this long to show, and needs so many packets. */
#define RATE_WINDOW (2 * TFRC_SEC)
#define RATE_TIME TFRC_SEC
#define RATE_PACKETS 4
/* A longer gap is a pause: no codec makes packets more seldom than that. */
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

/* The place of the packet that came `back` packets before the newest. */
static guint
get_place (const GstTfrcMeter * meter, guint back)
{
  return (meter->next + 2 * GST_TFRC_METER_PACKETS - 1 - back) %
      GST_TFRC_METER_PACKETS;
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

gboolean
gst_tfrc_meter_is_at_turn (const GstTfrcMeter * meter)
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
  /* the oldest packet opens the time, what it carries came before */
  return (gdouble) (bytes - oldest) * TFRC_SEC / (now - first);
}

static guint
get_bucket (guint64 duration)
{
  guint octave;

  if (duration < 4)
    return duration;
  octave = g_bit_nth_msf (duration, -1);
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
