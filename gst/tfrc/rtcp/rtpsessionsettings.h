/* gst-tfrc: the properties of an RTP session that reports hang on
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPSESSIONSETTINGS_H
#define GST_TFRC_RTPSESSIONSETTINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The RTPSession of `object`, which is one or an rtpsession element, or, where `object`
 * is NULL, of the first such element that is found by following `pad`. Leaves in
 * `rtpsession` the element, if known. NULL: there is none that sends RTCP when asked. */
GObject *gst_tfrc_rtp_session_find (GObject * object, GstPad * pad,
    GstElement ** rtpsession);

/* A session that nobody configured gets the profile for feedback, compound packets
 * more often than every five seconds, and takes a source by its first packet. */
void gst_tfrc_rtp_session_configure (GObject * session);

guint32 gst_tfrc_rtp_session_get_ssrc (GObject * session);
guint gst_tfrc_rtp_session_get_members (GObject * session);

/* Bandwidth that the application set for RTCP, bit/s; 0: none. */
gdouble gst_tfrc_rtp_session_get_fixed_rate (GObject * session);

/* The bandwidth for RTCP, bit/s; the session goes by its old interval until the next
 * regular packet, unless it is made to think anew. */
void gst_tfrc_rtp_session_set_rate (GObject * session, gdouble rate, gboolean anew);

void gst_tfrc_rtp_session_set_reduced (GObject * session, gboolean reduced);

G_END_DECLS

#endif
