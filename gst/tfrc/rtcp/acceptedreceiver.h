/* gst-tfrc: the data receiver whose reports a data sender accepts, and whether these reports hide losses
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ACCEPTEDRECEIVER_H
#define GST_TFRC_ACCEPTEDRECEIVER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Both objects here are plain state, zero to begin with, and guarded by a lock of the owner. Times
 * are in ns. */

/* --- whose reports are accepted --- */

/* A data sender accepts the reports of one data receiver at a time. Another data receiver may take
 * the place of the first when that has left or was silent for two seconds. Times are those of the
 * system's monotonic clock. */
typedef struct
{
  guint32 media_ssrc;           /* SSRC of the data, which reports must be about */
  gboolean has_media_ssrc;
  guint32 ssrc;                 /* of the receiver, when `bound` */
  gboolean bound;               /* a report of the receiver was accepted */
  gboolean gone;                /* the receiver has left, by BYE or time-out */
  GstClockTime heard;           /* when the last report of the receiver was accepted */
  GstClockTime session_saw;     /* when the session last saw a report of the receiver */
  guint64 wrong_media_ssrc, wrong_sender_ssrc, rebinds;
} GstTfrcAcceptedReceiver;

/* Sets the SSRC of the data. Returns TRUE when it is another one than before. */
gboolean gst_tfrc_accepted_receiver_set_media_ssrc (GstTfrcAcceptedReceiver * self,
    guint32 ssrc);

/* Whether a report of `sender_ssrc` about `media_ssrc` may be handed to the engine. Counts the
 * reports that may not. */
gboolean gst_tfrc_accepted_receiver_check (GstTfrcAcceptedReceiver * self,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now);

/* A report of `ssrc` was accepted, so that `ssrc` is the data receiver from now on. Returns TRUE
 * when `ssrc` was not the data receiver before. */
gboolean gst_tfrc_accepted_receiver_bind (GstTfrcAcceptedReceiver * self,
    guint32 ssrc, GstClockTime now);

/* Whether there is a data receiver and its SSRC is another than `ssrc`. */
gboolean gst_tfrc_accepted_receiver_is_other (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc);
gboolean gst_tfrc_accepted_receiver_is (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc);
gboolean gst_tfrc_accepted_receiver_is_media (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc);

/* Whether a report of `sender_ssrc` about `media_ssrc` need not go through the RTP session, because
 * the session knows the data receiver and saw a report of it within the last two seconds. */
gboolean gst_tfrc_accepted_receiver_may_pass_session (const GstTfrcAcceptedReceiver
    * self, guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now);

/* The session says that `ssrc` has left. */
void gst_tfrc_accepted_receiver_leave (GstTfrcAcceptedReceiver * self,
    guint32 ssrc);

/* --- whether the reports are true --- */

/* RFC 5348 10 warns of data receivers that hide losses to get a higher rate. A data receiver
 * reports losses twice: as the loss event rate in TFRC reports, and as the number of packets lost
 * in RTCP receiver reports. When that number rises while the loss event rate stays 0, one of the
 * two is false. */
typedef struct
{
  gboolean running;             /* a receiver report was looked at */
  gboolean suspicious;          /* the last receiver report contradicted the loss event rate */
  GstClockTime next;            /* when the next receiver report is looked at */
  gint lost;                    /* packets lost by the last receiver report, RFC 3550 6.4.1 */
} GstTfrcLossCrossCheck;

/* A receiver report counts `lost` packets in all; the loss event rate of TFRC is `p`, the
 * round-trip time `R` ns. TRUE when this is the second contradiction in a row. */
gboolean gst_tfrc_loss_cross_check_check (GstTfrcLossCrossCheck * check,
    gint lost, gdouble p, GstClockTime R, GstClockTime now);

G_END_DECLS

#endif
