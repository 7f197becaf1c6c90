/* gst-tfrc: what an encoder may use, as the engine's allowance and the limits leave it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_OFFER_H
#define GST_TFRC_OFFER_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "gsttfrclimits.h"
#include "gsttfrcrate.h"

G_BEGIN_DECLS

/* What it hangs on besides. */
typedef struct
{
  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean fed, suspended;      /* a report was accepted; upstream was told to be silent */
} GstTfrcOffer;

void gst_tfrc_offer_init (GstTfrcOffer * offer);

/* Adds to `rate` all that follows from the allowance. `packet_rate` is what was
 * measured, 0: nothing yet. */
void gst_tfrc_offer_make (const GstTfrcOffer * offer, const TfrcAllowance * allowance,
    const TfrcConfig * config, const GstTfrcLimits * limits, gdouble packet_rate,
    GstTfrcRate * rate);

/* `rate` is told for `reason`, or for a suspension that begins or ends with it. */
void gst_tfrc_offer_turn (GstTfrcOffer * offer, GstTfrcRate * rate,
    GstTfrcRateReason reason);

G_END_DECLS

#endif
