/* gst-tfrc: times of packets, or of sound, that go on where those given jump
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PLAYOUTTIMELINE_H
#define GST_TFRC_PLAYOUTTIMELINE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Zero to begin with. */
typedef struct
{
  gboolean started;
  guint32 timestamp;            /* RTP, of the last packet */
  gint clock_rate;              /* Hz, of the last packet */
  GstClockTime pts;             /* that the last packet was given */
  GstClockTimeDiff shift;       /* to the one that it came with */
} GstTfrcPlayoutTimeline;

/* When a packet plays that came with `pts`. */
GstClockTime gst_tfrc_playout_timeline_place (GstTfrcPlayoutTimeline * timeline,
    guint32 timestamp, gint clock_rate, GstClockTime pts);

/* The same for something that lies between two packets. */
GstClockTime gst_tfrc_playout_timeline_shift (const GstTfrcPlayoutTimeline * timeline,
    GstClockTime pts);

G_END_DECLS

#endif
