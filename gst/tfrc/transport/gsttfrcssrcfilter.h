/* gst-tfrc: follows one sender, and the next when that one has gone
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SSRCFILTER_H
#define GST_TFRC_SSRCFILTER_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_SSRC_FILTER (gst_tfrc_ssrc_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcSsrcFilter, gst_tfrc_ssrc_filter, GST, TFRC_SSRC_FILTER, GstElement)

typedef struct
{
  guint ssrc;                   /* of the sender that is followed */
  guint64 changes;              /* of the sender */
  guint64 others;               /* packets of senders that are not followed */
  guint64 unknown_payload;      /* packets of a payload type that the caps lack, or
                                   that downstream does not take */
} GstTfrcSsrcFilterStats;

/* An element for the inside of a bin, behind an RTP session: lets the packets of
 * one SSRC pass. Another SSRC takes its place once it has said BYE or has been
 * silent for half a second. Packets of payload types that have no caps, or that
 * downstream does not take, are counted and dropped, and make nobody a sender to
 * follow.
 *
 * Signal "source" (guint ssrc, GSocketAddress *from, gboolean changed): the
 * packet about to pass comes from another SSRC (`changed`, unless it is the very
 * first) or from another address than the one before. Emitted in the streaming
 * thread, without a lock. */
GstElement *gst_tfrc_ssrc_filter_new (const gchar * name);

/* One structure for each payload type that may come; the one without a payload
 * type is for all others. Static payload types of RFC 3551 need none. */
void gst_tfrc_ssrc_filter_set_caps (GstTfrcSsrcFilter * self, GstCaps * caps);

/* Downstream is what is linked to `pad`, which is not owned, and not what is linked to the
 * element's own pad: elements in between may not know what those behind them take. */
void gst_tfrc_ssrc_filter_set_exit (GstTfrcSsrcFilter * self, GstPad * pad);

/* The caps of a payload type, or NULL. */
GstCaps *gst_tfrc_ssrc_filter_get_caps (GstTfrcSsrcFilter * self, guint payload_type);

/* The source said BYE. FALSE when it is not the one that is followed. */
gboolean gst_tfrc_ssrc_filter_bye (GstTfrcSsrcFilter * self, guint ssrc);

void gst_tfrc_ssrc_filter_get_stats (GstTfrcSsrcFilter * self,
    GstTfrcSsrcFilterStats * stats);

G_END_DECLS

#endif
