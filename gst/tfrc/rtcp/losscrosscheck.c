/* gst-tfrc: whether a receiver that reports no loss can be believed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/losscrosscheck.h"

/* Fewer may still be on their way: packets that are late count as lost for a
 * while. */
#define MIN_LOST 3

/* TFRC tells a loss within a round-trip time of seeing it; this is ample. */
#define MIN_PERIOD GST_SECOND
#define PERIOD_R 4

gboolean
gst_tfrc_loss_cross_check_check (GstTfrcLossCrossCheck * audit, gint lost,
    gdouble p, GstClockTime R, GstClockTime now)
{
  gboolean told, grown;

  if (audit->running && now < audit->next)
    return FALSE;
  /* Losses of the period before last that p still knows nothing of. */
  told = audit->suspicious && p == 0;
  grown = audit->running && lost - audit->lost >= MIN_LOST;
  audit->suspicious = grown && p == 0;
  audit->running = TRUE;
  audit->lost = lost;
  audit->next = now + MAX (MIN_PERIOD, PERIOD_R * R);
  return told;
}
