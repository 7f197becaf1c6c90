/* gst-tfrc: the engine's statistics as fields of a structure
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENGINESTATS_H
#define GST_TFRC_ENGINESTATS_H

#include <gst/gst.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

G_BEGIN_DECLS

/* A field for each member, named like it with hyphens: rates in bytes/s, R and T
 * in s. */
void gst_tfrc_engine_stats_add_sender (GstStructure * stats, const TfrcSenderStats * s);
void gst_tfrc_engine_stats_add_receiver (GstStructure * stats, const TfrcReceiverStats * s);

G_END_DECLS

#endif
