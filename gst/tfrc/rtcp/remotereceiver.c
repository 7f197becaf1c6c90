/* gst-tfrc: whose reports a flow takes
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/remotereceiver.h"

/* A receiver that is silent for so long may be replaced by another. */
#define REBIND_AFTER (2 * GST_SECOND)

/* The session hears of the receiver as often, whatever else it is spared: members time
 * out after five seconds at least, RFC 3550 6.3.5. */
#define SESSION_PERIOD (2 * GST_SECOND)

gboolean
gst_tfrc_remote_receiver_is (const GstTfrcRemoteReceiver * peer, guint32 ssrc)
{
  return peer->bound && ssrc == peer->ssrc;
}

gboolean
gst_tfrc_remote_receiver_is_other (const GstTfrcRemoteReceiver * peer,
    guint32 ssrc)
{
  return peer->bound && ssrc != peer->ssrc;
}

gboolean
gst_tfrc_remote_receiver_is_media (const GstTfrcRemoteReceiver * peer,
    guint32 ssrc)
{
  return peer->has_media_ssrc && ssrc == peer->media_ssrc;
}

gboolean
gst_tfrc_remote_receiver_set_media_ssrc (GstTfrcRemoteReceiver * peer,
    guint32 ssrc)
{
  gboolean changed = !gst_tfrc_remote_receiver_is_media (peer, ssrc);

  peer->media_ssrc = ssrc;
  peer->has_media_ssrc = TRUE;
  return changed;
}

static gboolean
may_report (const GstTfrcRemoteReceiver * peer, guint32 ssrc, GstClockTime now)
{
  return !gst_tfrc_remote_receiver_is_other (peer, ssrc) || peer->gone ||
      now - peer->heard > REBIND_AFTER;
}

gboolean
gst_tfrc_remote_receiver_check (GstTfrcRemoteReceiver * peer,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now)
{
  if (!gst_tfrc_remote_receiver_is_media (peer, media_ssrc))
    peer->wrong_media_ssrc++;
  else if (!may_report (peer, sender_ssrc, now))
    peer->wrong_sender_ssrc++;
  else
    return TRUE;
  return FALSE;
}

gboolean
gst_tfrc_remote_receiver_bind (GstTfrcRemoteReceiver * peer, guint32 ssrc,
    GstClockTime now)
{
  gboolean changed = !gst_tfrc_remote_receiver_is (peer, ssrc);

  peer->rebinds += gst_tfrc_remote_receiver_is_other (peer, ssrc);
  peer->bound = TRUE;
  peer->gone = FALSE;
  peer->ssrc = ssrc;
  peer->heard = now;
  return changed;
}

gboolean
gst_tfrc_remote_receiver_may_pass_session (const GstTfrcRemoteReceiver * peer,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now)
{
  return gst_tfrc_remote_receiver_is (peer, sender_ssrc) && !peer->gone &&
      media_ssrc == peer->media_ssrc && now - peer->told < SESSION_PERIOD;
}

void
gst_tfrc_remote_receiver_leave (GstTfrcRemoteReceiver * peer, guint32 ssrc)
{
  peer->gone |= gst_tfrc_remote_receiver_is (peer, ssrc);
}
