/* gst-tfrc: finds the RTP session of GStreamer, and reads and sets its properties
 * Copyright (C) 2026 The gst-tfrc developers
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

/* The pad where the packets of the element rtpsession leave, which is found in the same way; NULL: there is none, or
 * `object` is an RTPSession and `pad` leads to no rtpsession. The caller owns it. */
GstPad *gst_tfrc_rtp_session_find_output (GObject * object, GstPad * pad);

/* The caps that the element rtpsession, found in the same way, gives by its signal request-pt-map to the payload type
 * `pt`; NULL: it has none, or `object` is an RTPSession. The caller owns the caps. */
GstCaps *gst_tfrc_rtp_session_request_caps (GObject * object, GstPad * pad, guint pt);

/* Where the application left the defaults, the session gets the RTP profile with feedback
 * (RFC 4585) and an interval between compound packets of 2 s. */
void gst_tfrc_rtp_session_configure (GObject * session);

/* Whether a new source of a session, which on-new-ssrc has, is accepted by its second packet, since the application
 * left the default. A source of RTCP is accepted at once. */
gboolean gst_tfrc_rtp_source_is_on_probation (GObject * source);

/* The source is accepted by its first packet. */
void gst_tfrc_rtp_source_end_probation (GObject * source);

/* Whether the profile of the session is a secure one (RFC 3711, RFC 5124), as it is in webrtcbin, so
 * that RTCP was authenticated before the session got it. */
gboolean gst_tfrc_rtp_session_is_secure (GObject * session);

/* The SSRC that the RTCP packets of the session itself are from. */
guint32 gst_tfrc_rtp_session_get_ssrc (GObject * session);
guint gst_tfrc_rtp_session_get_members (GObject * session);

/* The bandwidth that the application set for RTCP, bit/s; 0: none. */
gdouble gst_tfrc_rtp_session_get_fixed_rate (GObject * session);

/* Sets T_rr_interval of RFC 4585 3.4 to `interval` ns, unless the application has set it. */
void gst_tfrc_rtp_session_set_interval (GObject * session,
    GstClockTime interval);

/* Sets the bandwidth for RTCP to a rate at which a sign of life can leave each second, unless a bandwidth
 * was set before. */
void gst_tfrc_rtp_session_ensure_rate (GObject * session);

/* Sets the bandwidth for RTCP in bit/s. The session keeps its present interval until its
 * next regular packet, unless `now` makes it compute the interval at once. */
void gst_tfrc_rtp_session_set_rate (GObject * session, gdouble rate,
    gboolean now);

/* Whether the session may send reduced-size RTCP, RFC 5506. */
void gst_tfrc_rtp_session_set_reduced (GObject * session, gboolean reduced);

G_END_DECLS

#endif
