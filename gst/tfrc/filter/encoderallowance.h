/* gst-tfrc: what an encoder may use, as the engine's allowance and the limits leave it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERALLOWANCE_H
#define GST_TFRC_ENCODERALLOWANCE_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "filter/sendsettings.h"
#include "base/rateevent.h"

G_BEGIN_DECLS

/* What it hangs on besides. */
typedef struct
{
  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean fed, suspended;      /* a report was accepted; upstream was told to be silent */
} GstTfrcEncoderAllowance;

void gst_tfrc_encoder_allowance_init (GstTfrcEncoderAllowance * offer);

/* Adds to `rate` all that follows from the allowance. `packet_rate` is what was
 * measured, 0: nothing yet. */
void gst_tfrc_encoder_allowance_make (const GstTfrcEncoderAllowance * offer, const TfrcAllowance * allowance,
    const TfrcConfig * config, const GstTfrcSendSettings * limits, gdouble packet_rate,
    GstTfrcRate * rate);

/* `rate` is told for `reason`, or for a suspension that begins or ends with it. */
void gst_tfrc_encoder_allowance_turn (GstTfrcEncoderAllowance * offer, GstTfrcRate * rate,
    GstTfrcRateReason reason);

G_END_DECLS

#endif
