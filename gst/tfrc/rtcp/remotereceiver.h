/* gst-tfrc: whose reports a flow takes
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REMOTERECEIVER_H
#define GST_TFRC_REMOTERECEIVER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Of a sender: the receiver that it listens to, one at a time. Zero to begin with. */
typedef struct
{
  guint32 media_ssrc;           /* of the data: what reports must be about */
  gboolean has_media_ssrc;
  guint32 ssrc;
  gboolean bound, gone;
  GstClockTime heard;           /* system time of its last accepted report */
  GstClockTime told;            /* system time of the last that the session saw */
  guint64 wrong_media_ssrc, wrong_sender_ssrc, rebinds;
} GstTfrcRemoteReceiver;

/* TRUE when the data were another's before. */
gboolean gst_tfrc_remote_receiver_set_media_ssrc (GstTfrcRemoteReceiver * peer, guint32 ssrc);

/* Whether a report by one about the other may be looked at; counts those that may not. */
gboolean gst_tfrc_remote_receiver_check (GstTfrcRemoteReceiver * peer, guint32 sender_ssrc,
    guint32 media_ssrc, GstClockTime now);

/* Its report was accepted. TRUE when the peer was another before. */
gboolean gst_tfrc_remote_receiver_bind (GstTfrcRemoteReceiver * peer, guint32 ssrc, GstClockTime now);

/* There is a peer, and it is another. */
gboolean gst_tfrc_remote_receiver_is_other (const GstTfrcRemoteReceiver * peer, guint32 ssrc);
gboolean gst_tfrc_remote_receiver_is (const GstTfrcRemoteReceiver * peer, guint32 ssrc);
gboolean gst_tfrc_remote_receiver_is_media (const GstTfrcRemoteReceiver * peer, guint32 ssrc);

/* The session need not see a report: it knows the receiver, and heard of it not long
 * ago. */
gboolean gst_tfrc_remote_receiver_may_pass_session (const GstTfrcRemoteReceiver * peer,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now);

/* The session says that this one is gone. */
void gst_tfrc_remote_receiver_leave (GstTfrcRemoteReceiver * peer, guint32 ssrc);

G_END_DECLS

#endif
