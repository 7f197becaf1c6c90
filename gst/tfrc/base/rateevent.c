/* gst-tfrc: the upstream event that tells an encoder what it may use
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/rateevent.h"

static const gchar *reason_names[] = {
  "start", "report", "loss", "nofeedback", "restart", "suspend", "resume"
};

const gchar *
gst_tfrc_rate_reason_get_name (GstTfrcRateReason reason)
{
  g_return_val_if_fail (reason < G_N_ELEMENTS (reason_names), "report");
  return reason_names[reason];
}

static GstTfrcRateReason
reason_from_name (const gchar * name)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (reason_names); i++) {
    if (g_strcmp0 (name, reason_names[i]) == 0)
      return (GstTfrcRateReason) i;
  }
  return GST_TFRC_RATE_REPORT;
}

void
gst_tfrc_rate_set_allowance (GstTfrcRate * rate,
    const TfrcAllowance * allowance)
{
  if (allowance->max_packet_rate <= G_MAXUINT)
    rate->max_packet_rate = allowance->max_packet_rate;
  rate->X = allowance->X;
  rate->X_wire = allowance->X_wire;
  rate->X_Bps = allowance->X_Bps;
  rate->X_recv = allowance->X_recv;
  rate->p = allowance->p;
  rate->R = allowance->R * GST_SECOND;
  rate->R_sample = allowance->R_sample * GST_SECOND;
  rate->segment_size = allowance->s;
}

GstEvent *
gst_tfrc_rate_event_new (const GstTfrcRate * rate)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new (GST_TFRC_RATE_NAME,
          "bitrate", G_TYPE_UINT, rate->bitrate,
          "payload-size", G_TYPE_UINT, rate->payload_size,
          "packet-rate", G_TYPE_DOUBLE, rate->packet_rate,
          "max-packet-rate", G_TYPE_DOUBLE, rate->max_packet_rate,
          "X", G_TYPE_DOUBLE, rate->X,
          "X-wire", G_TYPE_DOUBLE, rate->X_wire,
          "X-Bps", G_TYPE_DOUBLE, rate->X_Bps,
          "X-recv", G_TYPE_DOUBLE, rate->X_recv,
          "p", G_TYPE_DOUBLE, rate->p,
          "loss", G_TYPE_DOUBLE, rate->loss,
          "R", G_TYPE_UINT64, rate->R,
          "R-sample", G_TYPE_UINT64, rate->R_sample,
          "segment-size", G_TYPE_DOUBLE, rate->segment_size,
          "header-size", G_TYPE_UINT, rate->header_size,
          "overhead", G_TYPE_UINT, rate->overhead,
          "queue-delay", G_TYPE_UINT64, rate->queue_delay,
          "dropped", G_TYPE_UINT64, rate->dropped,
          "mode", G_TYPE_STRING, rate->mode,
          "reason", G_TYPE_STRING,
          gst_tfrc_rate_reason_get_name (rate->reason),
          "suspend", G_TYPE_BOOLEAN, rate->suspend,
          "ssrc", G_TYPE_UINT, rate->ssrc, NULL));
}

/* 0 when the sender of the event has no such figure. */
static gdouble
get_double (const GstStructure * s, const gchar * name)
{
  gdouble value = 0.0;

  gst_structure_get_double (s, name, &value);
  return value;
}

gboolean
gst_tfrc_rate_event_parse (GstEvent * event, GstTfrcRate * rate)
{
  const GstStructure *s = gst_event_get_structure (event);
  const gchar *mode;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM || s == NULL ||
      !gst_structure_has_name (s, GST_TFRC_RATE_NAME))
    return FALSE;
  mode = gst_structure_get_string (s, "mode");
  rate->mode = g_intern_string (mode != NULL ? mode : "tfrc");
  rate->reason = reason_from_name (gst_structure_get_string (s, "reason"));
  rate->R_sample = rate->dropped = 0;
  gst_structure_get_uint64 (s, "R-sample", &rate->R_sample);
  gst_structure_get_uint64 (s, "dropped", &rate->dropped);
  rate->segment_size = get_double (s, "segment-size");
  rate->X_Bps = get_double (s, "X-Bps");
  rate->X_recv = get_double (s, "X-recv");
  rate->loss = -1.0;
  gst_structure_get_double (s, "loss", &rate->loss);
  return gst_structure_get (s,
      "bitrate", G_TYPE_UINT, &rate->bitrate,
      "payload-size", G_TYPE_UINT, &rate->payload_size,
      "packet-rate", G_TYPE_DOUBLE, &rate->packet_rate,
      "max-packet-rate", G_TYPE_DOUBLE, &rate->max_packet_rate,
      "X", G_TYPE_DOUBLE, &rate->X,
      "X-wire", G_TYPE_DOUBLE, &rate->X_wire,
      "p", G_TYPE_DOUBLE, &rate->p,
      "R", G_TYPE_UINT64, &rate->R,
      "header-size", G_TYPE_UINT, &rate->header_size,
      "overhead", G_TYPE_UINT, &rate->overhead,
      "queue-delay", G_TYPE_UINT64, &rate->queue_delay,
      "suspend", G_TYPE_BOOLEAN, &rate->suspend,
      "ssrc", G_TYPE_UINT, &rate->ssrc, NULL);
}
