/* gst-tfrc: the packets that a jitter buffer still holds
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A jitter buffer gives a packet up when its time has come. A redundant copy that arrives
 * some packets later is in the jitter buffer by then, and would come out too late. A custom
 * query that goes upstream through the jitter buffer gets the packets before their turn.
 *
 * The query has the shape of the one that GStreamer's rtpstorage answers, a structure
 * without fields that is answered in one field, and a name of its own. The query
 * "GstRtpStorage" is answered with an object whose type is not public; rtpulpfecdec sends
 * the query, and an answer without that object would keep it from an rtpstorage further
 * upstream. */
#ifndef GST_TFRC_PACKETSTORE_H
#define GST_TFRC_PACKETSTORE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes `srcpad` answer queries for the last 128 packets that it pushed, from any thread.
 * Packets are kept from the first query on. Sets the query function of `srcpad`. */
void gst_tfrc_packet_store_answer (GstPad * srcpad);

/* The packets that the nearest pad upstream of `sinkpad` that answers has kept, in the order
 * of their arrival; NULL: no pad answered. */
GstBufferList *gst_tfrc_packet_store_query (GstPad * sinkpad);

/* For a source pad that keeps packets of its own: whether `query` is this query, and the
 * answer to it, of which the query takes a reference. */
gboolean gst_tfrc_packet_store_is_query (GstQuery * query);
void gst_tfrc_packet_store_set_answer (GstQuery * query, GstBufferList * list);

G_END_DECLS

#endif
