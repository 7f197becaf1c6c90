/* gst-tfrc: what the sending filter lets read: its allowance as properties
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ALLOWANCEPROPERTIES_H
#define GST_TFRC_ALLOWANCEPROPERTIES_H

#include <gst/gst.h>

#include "filter/sendsettings.h"
#include "base/rateevent.h"

G_BEGIN_DECLS

enum
{
  GST_TFRC_PROP_ALLOWED_BITRATE = GST_TFRC_N_LIMITS,
  GST_TFRC_PROP_ALLOWED_PACKET_SIZE,
  GST_TFRC_PROP_MAX_PACKET_RATE,
  GST_TFRC_PROP_ALLOWED_RATE,
  GST_TFRC_PROP_LOSS_EVENT_RATE,
  GST_TFRC_PROP_ROUND_TRIP_TIME,
  GST_TFRC_PROP_SUSPENDED,
  GST_TFRC_PROP_STATS,
  GST_TFRC_N_READINGS
};

void gst_tfrc_allowance_properties_install (GObjectClass * klass);

/* FALSE when the id is not one of the above, or the statistics. */
gboolean gst_tfrc_allowance_properties_get (const GstTfrcRate * rate, guint id, GValue * value);

/* Notifies the properties in which `new` differs from `old`. */
void gst_tfrc_allowance_properties_notify (GstElement * element, const GstTfrcRate * old,
    const GstTfrcRate * new);

G_END_DECLS

#endif
