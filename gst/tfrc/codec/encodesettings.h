/* gst-tfrc: the properties of tfrcencodebin that are set
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODESETTINGS_H
#define GST_TFRC_ENCODESETTINGS_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

/* The first property ids of the bin. */
enum
{
  GST_TFRC_ENCODE_ADAPTIVE = 1,
  GST_TFRC_ENCODE_CONTENT,
  GST_TFRC_ENCODE_LADDER,
  GST_TFRC_ENCODE_BITRATE,
  GST_TFRC_ENCODE_MIN_BITRATE,
  GST_TFRC_ENCODE_MAX_BITRATE,
  GST_TFRC_ENCODE_PTIME,
  GST_TFRC_ENCODE_MIN_PTIME,
  GST_TFRC_ENCODE_MAX_PTIME,
  GST_TFRC_ENCODE_MAX_PACKET_SIZE,
  GST_TFRC_ENCODE_INBAND_FEC,
  GST_TFRC_ENCODE_DTX,
  GST_TFRC_ENCODE_REDUNDANCY,
  GST_TFRC_ENCODE_COPY_DISTANCE,
  GST_TFRC_ENCODE_CODECS,
  GST_TFRC_ENCODE_CODEC,
  GST_TFRC_ENCODE_PT,
  GST_TFRC_ENCODE_RED_PT,
  GST_TFRC_ENCODE_EXTENSION_ID,
  GST_TFRC_ENCODE_N_SETTINGS
};

typedef enum
{
  GST_TFRC_CONTENT_VOICE,
  GST_TFRC_CONTENT_MUSIC
} GstTfrcContent;

typedef struct
{
  gboolean adaptive;
  GstTfrcContent content;
  gchar *ladder;                /* the user's own points, or NULL */
  guint bitrate, min_bitrate, max_bitrate;      /* bit/s */
  GstClockTime ptime, min_ptime, max_ptime;
  guint max_packet_size;        /* bytes of RTP packet */
  gboolean inband_fec, dtx;
  guint redundancy;             /* packets back */
  GstClockTime copy_distance;
  gchar *codecs;                /* encoding names, the first is the first used */
  gchar *codec;                 /* the only one for now, or NULL */
  guint pt, red_pt, extension_id;
} GstTfrcEncodeSettings;

void gst_tfrc_encode_settings_install (GObjectClass * klass);
void gst_tfrc_encode_settings_init (GstTfrcEncodeSettings * settings);
void gst_tfrc_encode_settings_clear (GstTfrcEncodeSettings * settings);

/* FALSE when the id is not one of the above. */
gboolean gst_tfrc_encode_settings_set (GstTfrcEncodeSettings * settings,
    guint id, const GValue * value);
gboolean gst_tfrc_encode_settings_get (const GstTfrcEncodeSettings * settings,
    guint id, GValue * value);

/* The largest payload of a packet, bytes; 0: no limit. */
guint gst_tfrc_encode_settings_get_max_payload (const GstTfrcEncodeSettings *
    settings);

void gst_tfrc_encode_settings_to_limits (const GstTfrcEncodeSettings * settings,
    guint32 codecs, TfrcAdaptLadderLimits * limits);

G_END_DECLS

#endif
