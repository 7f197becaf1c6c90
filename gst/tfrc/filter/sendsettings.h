/* gst-tfrc: the properties of the sending filter alone
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDSETTINGS_H
#define GST_TFRC_SENDSETTINGS_H

#include <gst/gst.h>

#include "filter/commonsettings.h"

G_BEGIN_DECLS

enum
{
  GST_TFRC_PROP_MIN_BITRATE = GST_TFRC_N_SETTINGS,
  GST_TFRC_PROP_MAX_BITRATE,
  GST_TFRC_PROP_MAX_QUEUE_TIME,
  GST_TFRC_PROP_MAX_QUEUE_PACKETS,
  GST_TFRC_PROP_SYNC,
  GST_TFRC_PROP_CONTEXT,
  GST_TFRC_PROP_TARGET_BITRATE,
  GST_TFRC_PROP_DSCP,
  GST_TFRC_PROP_PACING,
  GST_TFRC_N_LIMITS
};

typedef struct
{
  guint min_bitrate, max_bitrate;       /* bit/s of payload, 0: none */
  guint64 max_queue_time;       /* ns, 0: no limit, GST_CLOCK_TIME_NONE: by the mode */
  guint max_queue_packets;
  gboolean sync;
  gchar *context;
  guint target_bitrate;         /* bit/s, gTFRC's g; 0: none */
  gint dscp;                    /* -1: none */
  TfrcPacing pacing;
} GstTfrcSendSettings;

void gst_tfrc_send_settings_install (GObjectClass * klass);
void gst_tfrc_send_settings_init (GstTfrcSendSettings * limits);
void gst_tfrc_send_settings_clear (GstTfrcSendSettings * limits);

/* FALSE when the id is not one of the above. */
gboolean gst_tfrc_send_settings_set (GstTfrcSendSettings * limits, guint id, const GValue * value);
gboolean gst_tfrc_send_settings_get (const GstTfrcSendSettings * limits, guint id, GValue * value);

/* ns, 0: no limit. */
guint64 gst_tfrc_send_settings_get_queue_time (const GstTfrcSendSettings * limits, TfrcMode mode);

void gst_tfrc_send_settings_to_config (const GstTfrcSendSettings * limits, TfrcConfig * config);

G_END_DECLS

#endif
