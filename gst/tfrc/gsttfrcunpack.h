/* gst-tfrc: RTP packets out of RED, what was lost restored, each to its decoder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UNPACK_H
#define GST_TFRC_UNPACK_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_UNPACK (gst_tfrc_unpack_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcUnpack, gst_tfrc_unpack, GST, TFRC_UNPACK, GstElement)

/* The source pad for packets of these caps, on the streaming thread; NULL: they
 * cannot be decoded, and the application was told. */
typedef GstPad *(*GstTfrcUnpackFunc) (GstCaps * caps, gpointer user_data);

/* No more packets come to this pad for now; another takes over at time `pts`. */
typedef void (*GstTfrcUnpackStopped) (GstPad * pad, GstClockTime pts,
    gpointer user_data);

typedef struct
{
  guint64 packets, recovered, lost, malformed, unknown;
} GstTfrcUnpackStats;

GstElement *gst_tfrc_unpack_new (GstTfrcUnpackFunc func,
    GstTfrcUnpackStopped stopped, gpointer user_data);

/* One structure for each payload type that may come; takes the caps. */
void gst_tfrc_unpack_set_map (GstTfrcUnpack * unpack, GstCaps * map);

/* Remove it by gst_element_remove_pad(). */
GstPad *gst_tfrc_unpack_add_pad (GstTfrcUnpack * unpack);

void gst_tfrc_unpack_get_stats (GstTfrcUnpack * unpack,
    GstTfrcUnpackStats * stats);

G_END_DECLS

#endif
