/* gst-tfrc: one RTP stream of what several payloaders make in turn
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PAYLOADERJOIN_H
#define GST_TFRC_PAYLOADERJOIN_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_PAYLOADER_JOIN (gst_tfrc_payloader_join_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcPayloaderJoin, gst_tfrc_payloader_join, GST, TFRC_PAYLOADER_JOIN, GstElement)

/* An encoder made a frame of `size` bytes. Streaming thread. */
typedef void (*GstTfrcPayloaderJoinFunc) (gsize size, gpointer user_data);

GstElement *gst_tfrc_payloader_join_new (GstTfrcPayloaderJoinFunc func, gpointer user_data);

/* Before data flows. Pads are numbered from 0, the first is active. Packets with
 * copies get the payload type `red_pt`. */
GstPad *gst_tfrc_payloader_join_add_pad (GstTfrcPayloaderJoin * join, gint clock_rate, guint red_pt);
void gst_tfrc_payloader_join_remove_pads (GstTfrcPayloaderJoin * join);

/* The rest from the streaming thread alone. */

/* Where the sound in what was sent ends; GST_CLOCK_TIME_NONE: nothing was. */
GstClockTime gst_tfrc_payloader_join_get_end (GstTfrcPayloaderJoin * join);

/* As `late`: the first packet begins at `from`, whatever its time says. */
#define GST_TFRC_PAYLOADER_JOIN_ALIGN G_MAXINT64

/* Packets come from pad `active` from now on, `late` later by their time than by
 * their sound; what lies before `from` was sent. With `warm` the first packet has
 * copies of those before it, for the new decoder to begin with. */
void gst_tfrc_payloader_join_switch (GstTfrcPayloaderJoin * join, guint active, GstClockTime from,
    GstClockTimeDiff late, gboolean warm);

/* How many earlier packets each packet repeats (RFC 2198), each `spacing` packets before
 * the next. */
void gst_tfrc_payloader_join_set_redundancy (GstTfrcPayloaderJoin * join, guint redundancy,
    guint spacing);

/* Packets with a payload of so many bytes or less say that nobody speaks: they stay
 * here. 0: none. */
void gst_tfrc_payloader_join_set_idle_size (GstTfrcPayloaderJoin * join, guint size);

/* Nothing leaves while silent; the first packet after has the marker. */
void gst_tfrc_payloader_join_set_silent (GstTfrcPayloaderJoin * join, gboolean silent);

G_END_DECLS

#endif
