/* gst-tfrc: the writable properties of the filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FILTERSETTINGS_H
#define GST_TFRC_FILTERSETTINGS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "base/feedbackkind.h"
#include "filter/flowcoupling.h"

G_BEGIN_DECLS

#define GST_TFRC_SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define GST_TFRC_SETTING_READY (GST_TFRC_SETTING | GST_PARAM_MUTABLE_READY)
#define GST_TFRC_SETTING_PLAYING (GST_TFRC_SETTING | GST_PARAM_MUTABLE_PLAYING)
#define GST_TFRC_READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

/* The property ids of the filters. */
enum
{
  /* of both filters */
  GST_TFRC_PROP_MODE = 1,
  GST_TFRC_PROP_MTU,
  GST_TFRC_PROP_HEADER_SIZE,
  GST_TFRC_PROP_EXTENSION_ID,
  GST_TFRC_PROP_FEEDBACK_FMT,
  GST_TFRC_PROP_RTP_SESSION,
  GST_TFRC_PROP_EXPERIMENTAL,
  GST_TFRC_PROP_PAYLOAD_TYPE_MAP,
  GST_TFRC_PROP_SSRC_MAP,
  /* of rtptfrcsend */
  GST_TFRC_PROP_MIN_BITRATE,
  GST_TFRC_PROP_MAX_BITRATE,
  GST_TFRC_PROP_MAX_QUEUE_TIME,
  GST_TFRC_PROP_MAX_QUEUE_PACKETS,
  GST_TFRC_PROP_SYNC,
  GST_TFRC_PROP_CONTEXT,
  GST_TFRC_PROP_DSCP,
  GST_TFRC_PROP_INITIAL_RTT,
  GST_TFRC_PROP_CIRCUIT_BREAKER,
  GST_TFRC_PROP_MAX_LOSS,
  GST_TFRC_PROP_FEEDBACK,
  GST_TFRC_PROP_COUPLING,
  GST_TFRC_PROP_COUPLING_GROUP,
  GST_TFRC_N_SETTINGS           /* the first id of the read-only properties */
};

/* The values of the properties. The filter guards them by a lock of its own. */
typedef struct
{
  gboolean sends;               /* the filter is rtptfrcsend; never changes */
  gint mode;                    /* TfrcMode, or GST_TFRC_MODE_AUTO */
  guint mtu, header_size;       /* bytes */
  guint extension_id;           /* 0: from the caps */
  guint feedback_fmt;
  GObject *rtp_session;         /* NULL: the filter follows its links */
  GstStructure *experimental;   /* NULL: nothing experimental */
  GstStructure *payload_type_map;       /* NULL: none */
  GstStructure *ssrc_map;       /* NULL: none */

  /* of rtptfrcsend */
  guint min_bitrate, max_bitrate;       /* bit/s of payload, 0: none */
  guint64 max_queue_time;       /* ns, 0: no limit, GST_CLOCK_TIME_NONE: by the mode and the encoder */
  guint max_queue_packets;
  gboolean sync;                /* wait for the running time of each packet */
  gchar *context;
  gint dscp;                    /* -1: none */
  guint64 initial_rtt;          /* ns, 0: not known */
  gboolean circuit_breaker;
  gdouble max_loss;             /* share of packets at which the media are of no use; 0: none */
  GstTfrcFeedback feedback;
  GstTfrcCouplingKind coupling;
  gchar *coupling_group;        /* empty: the flows of the element alone */
} GstTfrcFilterSettings;

/* Installs the properties of a filter; with `sends`, those of rtptfrcsend too. */
void gst_tfrc_filter_settings_install (GObjectClass * klass, gboolean sends);

void gst_tfrc_filter_settings_init (GstTfrcFilterSettings * settings,
    gboolean sends);
void gst_tfrc_filter_settings_clear (GstTfrcFilterSettings * settings);
/* `to` has no value before. */
void gst_tfrc_filter_settings_copy (GstTfrcFilterSettings * to,
    const GstTfrcFilterSettings * from);

/* Sets or gets a property. Returns FALSE when the id is not one of those above. */
gboolean gst_tfrc_filter_settings_set (GstTfrcFilterSettings * settings,
    guint id, const GValue * value);
gboolean gst_tfrc_filter_settings_get (const GstTfrcFilterSettings * settings,
    guint id, GValue * value);

/* How long a packet may wait for its departure in the given mode, ns; 0: no limit. `wanted` is what the encoder says; 0: it
 * does not. */
guint64 gst_tfrc_filter_settings_get_queue_time (const GstTfrcFilterSettings *
    settings, TfrcMode mode, guint64 wanted);

/* The feedback that the data sender listens to: the setting, else that of `caps` (NULL: not known yet). */
GstTfrcFeedback gst_tfrc_filter_settings_get_feedback (const
    GstTfrcFilterSettings * settings, const GstCaps * caps);

/* The ID of the RTP header extension: the setting, else that of `caps`, else the default. */
guint gst_tfrc_filter_settings_get_extension_id (const GstTfrcFilterSettings *
    settings, const GstCaps * caps);

G_END_DECLS

#endif
