/* gst-tfrc: lets the RTP packets of one data sender pass, and of the next when that one left
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An element for the inside of tfrcsrc, behind the RTP session. It follows one SSRC
 * (base/followedssrc.h) and drops the packets of others. Packets of payload types that have no caps, or that
 * downstream does not accept, are counted and dropped; they neither keep nor make a data sender
 * followed.
 *
 * Signal "source" (guint ssrc, GSocketAddress *from, gboolean changed): the packet about to pass
 * comes from another SSRC (then `changed` is TRUE, unless it is the very first) or from another
 * address than the packet before. It is emitted in the streaming thread without a lock. */
#ifndef GST_TFRC_SSRCFILTER_H
#define GST_TFRC_SSRCFILTER_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SSRC_FILTER (gst_tfrc_ssrc_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSsrcFilter, gst_tfrc_ssrc_filter, GST, TFRC_SSRC_FILTER, GstElement)

typedef struct
{
  guint ssrc;                   /* the SSRC that is followed */
  guint64 changes;              /* how often another SSRC took its place */
  guint64 others;               /* packets of SSRCs that are not followed */
  guint64 unknown_payload;      /* packets of payload types without caps, or that
                                   downstream does not accept */
} GstTfrcSsrcFilterStats;

GstElement *gst_tfrc_ssrc_filter_new (const gchar * name);

/* The caps have one structure for each payload type that may arrive. A structure without a
 * payload type is for all others. Static payload types of RFC 3551 need no structure. */
void gst_tfrc_ssrc_filter_set_caps (GstTfrcSsrcFilter * self, GstCaps * caps);

/* Asks what is linked to `pad`, instead of what is linked to the element's own source pad,
 * which caps it accepts: elements in between may not know what those behind them accept. The
 * caller keeps `pad` alive as long as the element. */
void gst_tfrc_ssrc_filter_set_caps_query_pad (GstTfrcSsrcFilter * self, GstPad * pad);

/* Returns the caps of a payload type, or NULL when there are none. */
GstCaps *gst_tfrc_ssrc_filter_get_caps (GstTfrcSsrcFilter * self, guint payload_type);

/* The data sender `ssrc` has sent a BYE. Returns FALSE when it is not the one that is followed. */
gboolean gst_tfrc_ssrc_filter_bye (GstTfrcSsrcFilter * self, guint ssrc);

void gst_tfrc_ssrc_filter_get_stats (GstTfrcSsrcFilter * self,
    GstTfrcSsrcFilterStats * stats);

G_END_DECLS

#endif
