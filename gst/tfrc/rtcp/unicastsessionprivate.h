/* gst-tfrc: the insides of the RTP session with one remote end
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UNICASTSESSIONPRIVATE_H
#define GST_TFRC_UNICASTSESSIONPRIVATE_H

#include "rtcp/unicastsession.h"

G_BEGIN_DECLS

/* The settings go beside so many compound packets to each remote end. */
#define GST_TFRC_UNICAST_SESSION_APP_TIMES 5

/* `now`, or the latest time seen when that is later. */
TfrcTime gst_tfrc_unicast_session_clamp (GstTfrcUnicastSession * session, TfrcTime now);

/* Whether the remote end sent RTP within two intervals, and whether this end did. */
gboolean gst_tfrc_unicast_session_hears_data (const GstTfrcUnicastSession * session);
gboolean gst_tfrc_unicast_session_sends_data (const GstTfrcUnicastSession * session);

/* A packet came under this end's own SSRC. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_collision (GstTfrcUnicastSession * session);

G_END_DECLS

#endif
