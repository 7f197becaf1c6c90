/* gst-tfrc: the SSRC that is followed among all that arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/followedssrc.h"

gboolean
gst_tfrc_followed_ssrc_is (const GstTfrcFollowedSsrc * self, guint32 ssrc)
{
  return self->following && self->ssrc == ssrc;
}

static gboolean
is_silent (const GstTfrcFollowedSsrc * self, GstClockTime now)
{
  return GST_CLOCK_TIME_IS_VALID (now)
      && GST_CLOCK_TIME_IS_VALID (self->last_arrival)
      && gst_tfrc_ssrc_is_silent (self->last_arrival, now);
}

GstTfrcSsrcVerdict
gst_tfrc_followed_ssrc_check (GstTfrcFollowedSsrc * self, guint32 ssrc,
    GstClockTime now)
{
  GstTfrcSsrcVerdict verdict = GST_TFRC_SSRC_SAME;

  if (!self->following) {
    verdict = GST_TFRC_SSRC_FIRST;
  } else if (self->ssrc != ssrc) {
    if (!self->left && !is_silent (self, now)) {
      self->others++;
      return GST_TFRC_SSRC_OTHER;
    }
    self->changes++;
    verdict = GST_TFRC_SSRC_CHANGED;
  }
  self->following = TRUE;
  self->left = FALSE;
  self->ssrc = ssrc;
  self->last_arrival = now;
  return verdict;
}

void
gst_tfrc_followed_ssrc_hear (GstTfrcFollowedSsrc * self, guint32 ssrc,
    GstClockTime now)
{
  if (gst_tfrc_followed_ssrc_is (self, ssrc))
    self->last_arrival = now;
}

gboolean
gst_tfrc_followed_ssrc_bye (GstTfrcFollowedSsrc * self, guint32 ssrc)
{
  gboolean followed = gst_tfrc_followed_ssrc_is (self, ssrc);

  self->left |= followed;
  return followed;
}
