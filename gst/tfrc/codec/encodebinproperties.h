/* gst-tfrc: the writable properties of tfrcencodebin, and the limits of its ladder that follow from them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODEBINPROPERTIES_H
#define GST_TFRC_ENCODEBINPROPERTIES_H

#include <gst/gst.h>
#include <tfrcadapt/operating-point.h>

G_BEGIN_DECLS

/* The settings are the writable properties of tfrcencodebin. This object installs them on the
 * class of the bin, keeps their values, and says what they mean for the ladder of operating
 * points. It has no lock: the bin holds its object lock around the calls. */

/* Property ids. The bin numbers its read-only properties from N_SETTINGS on. */
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
  GST_TFRC_ENCODE_MAX_DELAY,
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
  gchar *ladder;                /* the user's own points, or NULL; owned */
  guint bitrate, min_bitrate, max_bitrate;      /* bit/s */
  guint64 ptime, min_ptime, max_ptime;  /* ns */
  guint max_packet_size;        /* bytes of an RTP packet; 0: no limit */
  gboolean inband_fec, dtx;
  guint redundancy;             /* earlier packets that a packet may repeat */
  guint64 copy_distance;        /* ns */
  guint max_delay;              /* ms; 0: not known */
  gchar *codecs;                /* RTP encoding names, the first is used first; owned */
  gchar *codec;                 /* the only one of the codecs to use, or NULL; owned */
  guint pt, red_pt, extension_id;
} GstTfrcEncodeProperties;

void gst_tfrc_encode_properties_install (GObjectClass * klass);

/* Sets every value to the default of its property, which has to be installed. */
void gst_tfrc_encode_properties_init (GstTfrcEncodeProperties * settings);
void gst_tfrc_encode_properties_clear (GstTfrcEncodeProperties * settings);

/* `id` is one of the ids above. */
void gst_tfrc_encode_properties_set (GstTfrcEncodeProperties * settings,
    guint id, const GValue * value);
void gst_tfrc_encode_properties_get (const GstTfrcEncodeProperties * settings,
    guint id, GValue * value);

/* What the settings allow, with a mask of the codecs that may be used: the limits from which the
 * ladder is filled. */
void gst_tfrc_encode_properties_to_limits (const GstTfrcEncodeProperties * settings,
    guint32 codecs, TfrcAdaptLadderLimits * limits);

G_END_DECLS

#endif
