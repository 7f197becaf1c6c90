/* gst-tfrc: the data receiver whose reports a data sender accepts, and whether these reports hide losses
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/acceptedreceiver.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcacceptedreceiver",
    "TFRC data receiver whose reports are accepted");

/* A receiver that is silent for so long may be replaced by another. */
#define REBIND_AFTER (2 * GST_SECOND)

/* The session sees one report of the receiver in this time at least, so that the receiver does
 * not time out there, which takes five seconds or more (RFC 3550 6.3.5). */
#define SESSION_PERIOD (2 * GST_SECOND)

/* Fewer lost packets than this may still be on their way: a late packet counts as lost until
 * it arrives. */
#define MIN_LOST 3

/* How long a loss may take to show in p: by RFC 5348 6.2 a report of a new loss event leaves
 * at once. */
#define MIN_PERIOD GST_SECOND
#define PERIOD_R 4

gboolean
gst_tfrc_accepted_receiver_is (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc)
{
  return self->bound && ssrc == self->ssrc;
}

gboolean
gst_tfrc_accepted_receiver_is_other (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc)
{
  return self->bound && ssrc != self->ssrc;
}

gboolean
gst_tfrc_accepted_receiver_is_media (const GstTfrcAcceptedReceiver * self,
    guint32 ssrc)
{
  return self->has_media_ssrc && ssrc == self->media_ssrc;
}

gboolean
gst_tfrc_accepted_receiver_set_media_ssrc (GstTfrcAcceptedReceiver * self,
    guint32 ssrc)
{
  gboolean changed = !gst_tfrc_accepted_receiver_is_media (self, ssrc);

  self->media_ssrc = ssrc;
  self->has_media_ssrc = TRUE;
  return changed;
}

static gboolean
may_report (const GstTfrcAcceptedReceiver * self, guint32 ssrc,
    GstClockTime now)
{
  return !gst_tfrc_accepted_receiver_is_other (self, ssrc) || self->gone ||
      now - self->heard > REBIND_AFTER;
}

gboolean
gst_tfrc_accepted_receiver_check (GstTfrcAcceptedReceiver * self,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now)
{
  if (!gst_tfrc_accepted_receiver_is_media (self, media_ssrc))
    self->wrong_media_ssrc++;
  else if (!may_report (self, sender_ssrc, now))
    self->wrong_sender_ssrc++;
  else
    return TRUE;
  GST_LOG ("report of %08x about %08x refused: the data has SSRC %08x, the "
      "data receiver %08x", sender_ssrc, media_ssrc, self->media_ssrc,
      self->ssrc);
  return FALSE;
}

gboolean
gst_tfrc_accepted_receiver_bind (GstTfrcAcceptedReceiver * self, guint32 ssrc,
    GstClockTime now)
{
  gboolean changed = !gst_tfrc_accepted_receiver_is (self, ssrc);

  if (changed && self->bound)
    GST_DEBUG ("data receiver %08x takes the place of %08x, which %s", ssrc,
        self->ssrc, self->gone ? "has left" : "is silent");
  self->rebinds += gst_tfrc_accepted_receiver_is_other (self, ssrc);
  self->bound = TRUE;
  self->gone = FALSE;
  self->ssrc = ssrc;
  self->heard = now;
  return changed;
}

gboolean
gst_tfrc_accepted_receiver_may_pass_session (const
    GstTfrcAcceptedReceiver * self, guint32 sender_ssrc, guint32 media_ssrc,
    GstClockTime now)
{
  return gst_tfrc_accepted_receiver_is (self, sender_ssrc) && !self->gone &&
      media_ssrc == self->media_ssrc
      && now - self->session_saw < SESSION_PERIOD;
}

void
gst_tfrc_accepted_receiver_leave (GstTfrcAcceptedReceiver * self, guint32 ssrc)
{
  if (!gst_tfrc_accepted_receiver_is (self, ssrc))
    return;
  GST_DEBUG ("data receiver %08x has left", ssrc);
  self->gone = TRUE;
}

gboolean
gst_tfrc_loss_cross_check_check (GstTfrcLossCrossCheck * check, gint lost,
    gdouble p, GstClockTime R, GstClockTime now)
{
  gboolean contradicts, grown;

  if (check->running && now < check->next)
    return FALSE;
  /* p shows nothing of losses that were counted a whole period ago */
  contradicts = check->suspicious && p == 0;
  grown = check->running && lost - check->lost >= MIN_LOST;
  check->suspicious = grown && p == 0;
  check->running = TRUE;
  check->lost = lost;
  check->next = now + MAX (MIN_PERIOD, PERIOD_R * R);
  return contradicts;
}
