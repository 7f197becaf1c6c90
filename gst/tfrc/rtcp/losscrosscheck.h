/* gst-tfrc: whether a receiver that reports no loss can be believed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_LOSSCROSSCHECK_H
#define GST_TFRC_LOSSCROSSCHECK_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* RFC 5348 10 warns of receivers that hide losses to get more. They report twice
 * here: TFRC's loss event rate, and the packets lost of RTCP's receiver reports.
 * A receiver that goes on counting losses in the one and has never seen any in
 * the other is not telling the truth with at least one of them. */
typedef struct
{
  gboolean running, suspicious;
  GstClockTime next;            /* when to look again */
  gint lost;                    /* packets lost as last told, RFC 3550 6.4.1 */
} GstTfrcLossCrossCheck;

/* A receiver report tells of `lost` packets in all, TFRC of loss event rate `p`
 * and round-trip time `R` (ns). TRUE when this is the report that gives the
 * receiver away. */
gboolean gst_tfrc_loss_cross_check_check (GstTfrcLossCrossCheck * audit, gint lost, gdouble p,
    GstClockTime R, GstClockTime now);

G_END_DECLS

#endif
