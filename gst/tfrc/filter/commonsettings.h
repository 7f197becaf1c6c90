/* gst-tfrc: the properties that both filters have
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_COMMONSETTINGS_H
#define GST_TFRC_COMMONSETTINGS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

#define GST_TFRC_SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define GST_TFRC_SETTING_READY (GST_TFRC_SETTING | GST_PARAM_MUTABLE_READY)
#define GST_TFRC_SETTING_PLAYING (GST_TFRC_SETTING | GST_PARAM_MUTABLE_PLAYING)
#define GST_TFRC_READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

/* The first property ids of either filter. */
enum
{
  GST_TFRC_PROP_MODE = 1,
  GST_TFRC_PROP_MTU,
  GST_TFRC_PROP_HEADER_SIZE,
  GST_TFRC_PROP_LOSS_MEASURE,
  GST_TFRC_PROP_EXTENSION_ID,
  GST_TFRC_PROP_FEEDBACK_FMT,
  GST_TFRC_PROP_RTP_SESSION,
  GST_TFRC_N_SETTINGS
};

typedef struct
{
  TfrcMode mode;
  TfrcMeasure loss_measure;
  guint mtu, header_size;       /* bytes */
  guint extension_id;           /* 0: the caps' */
  guint feedback_fmt;
  GObject *rtp_session;
} GstTfrcCommonSettings;

void gst_tfrc_common_settings_install (GObjectClass * klass);
void gst_tfrc_common_settings_init (GstTfrcCommonSettings * settings);
void gst_tfrc_common_settings_clear (GstTfrcCommonSettings * settings);

/* FALSE when the id is not one of the above. */
gboolean gst_tfrc_common_settings_set (GstTfrcCommonSettings * settings, guint id, const GValue * value);
gboolean gst_tfrc_common_settings_get (const GstTfrcCommonSettings * settings, guint id, GValue * value);

void gst_tfrc_common_settings_to_config (const GstTfrcCommonSettings * settings, TfrcConfig * config);

/* Posts an error that names the remedy and returns FALSE when the engine cannot
 * work with `config`. */
gboolean gst_tfrc_config_check (const TfrcConfig * config, GstElement * element);

/* The ID of the stamp: the setting, else that of `caps`, else the default. */
guint gst_tfrc_common_settings_get_extension_id (const GstTfrcCommonSettings * settings,
    const GstCaps * caps);

G_END_DECLS

#endif
