/* gst-tfrc: whether reports leave as reduced-size RTCP, RFC 5506
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reducedsize.h"

/* RFC 5506 4.2.1 */
#define UNCONFIRMED_MAX 5
#define RETRY_AFTER (30 * GST_SECOND)

void
gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced)
{
  *reduced = (GstTfrcReducedSize) {
  .retry = RETRY_AFTER};
}

static gboolean
may_begin (GstTfrcReducedSize * reduced, GstClockTime now)
{
  /* RFC 5506 4.1, 4.2: the far end takes them, a compound packet went first */
  if (reduced->on || !reduced->peer_takes || !reduced->sent_compound ||
      reduced->unconfirmed > 0)
    return FALSE;
  if (reduced->fallbacks > 0) {
    if (now - reduced->fallback < reduced->retry)
      return FALSE;
    reduced->retry *= 2;
  }
  return TRUE;
}

gboolean
gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced, gboolean compound,
    GstClockTime now)
{
  if (compound) {
    reduced->sent_compound = TRUE;
  } else if (++reduced->unconfirmed > UNCONFIRMED_MAX && reduced->on) {
    /* RFC 5506 4.2.1: they do not get through */
    reduced->on = FALSE;
    reduced->fallback = now;
    reduced->fallbacks++;
    return TRUE;
  }
  if (!may_begin (reduced, now))
    return FALSE;
  reduced->on = TRUE;
  return TRUE;
}

void
gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced)
{
  reduced->unconfirmed = 0;
}
