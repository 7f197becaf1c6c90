/* gst-tfrc: what has arrived and a jitter buffer still holds
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PACKETSTORE_H
#define GST_TFRC_PACKETSTORE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The last packets that left by this source pad, whose query function this takes, can be
 * asked for from now on. They are kept from the first question on. */
void gst_tfrc_packet_store_answer (GstPad * srcpad);

/* The packets that have come lately to the nearest pad upstream that answers, in the order
 * of their arrival; NULL: none did. */
GstBufferList *gst_tfrc_packet_store_ask (GstPad * sinkpad);

G_END_DECLS

#endif
