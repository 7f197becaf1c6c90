/* gst-tfrc: SRTP of tfrcsink and tfrcsrc by srtpenc and srtpdec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstTfrcSrtp gives the keys of both directions to srtpenc and srtpdec, and watches at srtpdec
 * whether packets are authentic. The bin owns the object and
 * frees it after the two elements are gone. A lock of its own protects the counters. */
#ifndef GST_TFRC_SRTPELEMENTS_H
#define GST_TFRC_SRTPELEMENTS_H

#include "transport/srtpkeys.h"

G_BEGIN_DECLS

typedef struct _GstTfrcSrtp GstTfrcSrtp;

/* `owner` outlives the object. When the keys cannot be used, the function posts an error that
 * names the remedy on it and returns NULL. */
GstTfrcSrtp *gst_tfrc_srtp_new (GstElement * owner,
    const GstTfrcSrtpSettings * settings, GstTfrcSrtpEnd end);
void gst_tfrc_srtp_free (GstTfrcSrtp * self);

void gst_tfrc_srtp_set_up_encoder (GstTfrcSrtp * self, GstElement * srtpenc);
/* From then on the owner posts a warning when packets arrive and none is authentic. */
void gst_tfrc_srtp_set_up_decoder (GstTfrcSrtp * self, GstElement * srtpdec);

/* Returns the number of packets that arrived and were not authentic, or were repeated. */
guint64 gst_tfrc_srtp_get_failures (GstTfrcSrtp * self);

G_END_DECLS

#endif
