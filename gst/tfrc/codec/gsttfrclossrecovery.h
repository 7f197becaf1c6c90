/* gst-tfrc: RTP packets out of RED, what was lost restored, each to its decoder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_LOSSRECOVERY_H
#define GST_TFRC_LOSSRECOVERY_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_LOSS_RECOVERY (gst_tfrc_loss_recovery_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcLossRecovery, gst_tfrc_loss_recovery, GST, TFRC_LOSS_RECOVERY, GstElement)

/* The source pad for packets of these caps, on the streaming thread; NULL: they
 * cannot be decoded, and the application was told. */
typedef GstPad *(*GstTfrcLossRecoveryFunc) (GstCaps * caps, gpointer user_data);

/* No more packets come to this pad for now; another takes over at time `pts`. */
typedef void (*GstTfrcLossRecoveryStopped) (GstPad * pad, GstClockTime pts,
    gpointer user_data);

typedef struct
{
  guint64 packets, recovered, lost, malformed, unknown;
} GstTfrcLossRecoveryStats;

GstElement *gst_tfrc_loss_recovery_new (GstTfrcLossRecoveryFunc func,
    GstTfrcLossRecoveryStopped stopped, gpointer user_data);

/* One structure for each payload type that may come; takes the caps. */
void gst_tfrc_loss_recovery_set_map (GstTfrcLossRecovery * unpack, GstCaps * map);

/* Remove it by gst_element_remove_pad(). */
GstPad *gst_tfrc_loss_recovery_add_pad (GstTfrcLossRecovery * unpack);

void gst_tfrc_loss_recovery_get_stats (GstTfrcLossRecovery * unpack,
    GstTfrcLossRecoveryStats * stats);

G_END_DECLS

#endif
