/* gst-tfrc: finds the RTP session that a filter is linked to, and sets its properties
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPSESSION_H
#define GST_TFRC_RTPSESSION_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* All functions work on RTPSession, the object that the element rtpsession calls
 * `internal-session`. They may be called from any thread and without a lock, since setting
 * a property of the session takes the session's own lock. */

/* The RTPSession of `object`, which is an RTPSession or an element rtpsession, or, when
 * `object` is NULL, of the first element rtpsession that is found by following the links of
 * `pad`. NULL: there is none that sends RTCP when it is asked to. The caller owns it. */
GObject *gst_tfrc_rtp_session_find (GObject * object, GstPad * pad);

/* Where the application left the defaults, the session gets the RTP profile with feedback
 * (RFC 4585), an interval between compound packets of 2 s, and takes a source by its
 * first packet. */
void gst_tfrc_rtp_session_configure (GObject * session);

/* The SSRC that the session's own RTCP packets are from. */
guint32 gst_tfrc_rtp_session_get_ssrc (GObject * session);
guint gst_tfrc_rtp_session_get_members (GObject * session);

/* The bandwidth that the application set for RTCP, bit/s; 0: none. */
gdouble gst_tfrc_rtp_session_get_fixed_rate (GObject * session);

/* Sets the bandwidth for RTCP in bit/s. The session keeps its present interval until its
 * next regular packet, unless `now` makes it compute the interval at once. */
void gst_tfrc_rtp_session_set_rate (GObject * session, gdouble rate,
    gboolean now);

/* Whether the session may send reduced-size RTCP, RFC 5506. */
void gst_tfrc_rtp_session_set_reduced (GObject * session, gboolean reduced);

G_END_DECLS

#endif
