/* gst-tfrc: what the sending filter lets read: its allowance as properties
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/allowanceproperties.h"

static GParamSpec *readings[GST_TFRC_N_READINGS - GST_TFRC_N_LIMITS];

#define READING(name) readings[GST_TFRC_PROP_##name - GST_TFRC_N_LIMITS]

static void
create_readings (void)
{
  READING (ALLOWED_BITRATE) = g_param_spec_uint ("allowed-bitrate",
      "Allowed bitrate", "What an encoder may use: the payload's bit rate at "
      "the present packet rate, headers taken off (bit/s)", 0, G_MAXUINT, 0,
      GST_TFRC_READING);
  READING (ALLOWED_PACKET_SIZE) = g_param_spec_uint ("allowed-packet-size",
      "Allowed packet size", "What the payload of a packet may be at the "
      "present packet rate (bytes)", 0, G_MAXUINT, 0, GST_TFRC_READING);
  READING (MAX_PACKET_RATE) = g_param_spec_double ("max-packet-rate",
      "Max packet rate", "Highest packet rate of the mode (packets/s, 0: no "
      "limit)", 0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  READING (ALLOWED_RATE) = g_param_spec_double ("allowed-rate",
      "Allowed rate", "X of RFC 5348: allowed rate of RTP packets (bytes/s)",
      0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  READING (LOSS_EVENT_RATE) = g_param_spec_double ("loss-event-rate",
      "Loss event rate", "p of RFC 5348: loss events per packet, as the "
      "receiver reports it (ratio)", 0, 1, 0, GST_TFRC_READING);
  READING (ROUND_TRIP_TIME) = g_param_spec_uint64 ("round-trip-time",
      "Round-trip time", "R of RFC 5348 (ns, 0: unknown)", 0, G_MAXUINT64, 0,
      GST_TFRC_READING);
  READING (SUSPENDED) = g_param_spec_boolean ("suspended", "Suspended",
      "The allowance is below min-bitrate", FALSE, GST_TFRC_READING);
  READING (STATS) = g_param_spec_boxed ("stats", "Statistics",
      "Counters and state: structure application/x-tfrc-sender-stats, rates "
      "in bytes/s, R and T in s, other times in ns", GST_TYPE_STRUCTURE,
      GST_TFRC_READING);
}

void
gst_tfrc_allowance_properties_install (GObjectClass * klass)
{
  guint i;

  create_readings ();
  for (i = 0; i < G_N_ELEMENTS (readings); i++)
    g_object_class_install_property (klass, GST_TFRC_N_LIMITS + i, readings[i]);
}

gboolean
gst_tfrc_allowance_properties_get (const GstTfrcRate * rate, guint id,
    GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_ALLOWED_BITRATE:
      g_value_set_uint (value, rate->bitrate);
      break;
    case GST_TFRC_PROP_ALLOWED_PACKET_SIZE:
      g_value_set_uint (value, rate->payload_size);
      break;
    case GST_TFRC_PROP_MAX_PACKET_RATE:
      g_value_set_double (value, rate->max_packet_rate);
      break;
    case GST_TFRC_PROP_ALLOWED_RATE:
      g_value_set_double (value, rate->X);
      break;
    case GST_TFRC_PROP_LOSS_EVENT_RATE:
      g_value_set_double (value, rate->p);
      break;
    case GST_TFRC_PROP_ROUND_TRIP_TIME:
      g_value_set_uint64 (value, rate->R);
      break;
    case GST_TFRC_PROP_SUSPENDED:
      g_value_set_boolean (value, rate->suspend);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

void
gst_tfrc_allowance_properties_notify (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * new)
{
  GObject *object = G_OBJECT (element);

  if (new->bitrate != old->bitrate)
    g_object_notify_by_pspec (object, READING (ALLOWED_BITRATE));
  if (new->payload_size != old->payload_size)
    g_object_notify_by_pspec (object, READING (ALLOWED_PACKET_SIZE));
  if (new->max_packet_rate != old->max_packet_rate)
    g_object_notify_by_pspec (object, READING (MAX_PACKET_RATE));
  if (new->X != old->X)
    g_object_notify_by_pspec (object, READING (ALLOWED_RATE));
  if (new->p != old->p)
    g_object_notify_by_pspec (object, READING (LOSS_EVENT_RATE));
  if (new->R != old->R)
    g_object_notify_by_pspec (object, READING (ROUND_TRIP_TIME));
  if (new->suspend != old->suspend)
    g_object_notify_by_pspec (object, READING (SUSPENDED));
}
