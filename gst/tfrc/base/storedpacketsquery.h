/* gst-tfrc: a query for the packets that a jitter buffer still holds
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* A jitter buffer gives up a lost packet when the time to play that packet has come. A redundant
 * copy of it may be in a later packet, which the jitter buffer has got by then and still keeps. A
 * custom query that goes upstream through the jitter buffer returns such later packets at once.
 *
 * The query has the shape of the query "GstRtpStorage" of GStreamer's rtpstorage: a structure
 * without fields, to which the answer adds one field. It has another name, since "GstRtpStorage" is
 * answered with an object whose type is not public, and is sent by rtpulpfecdec: an answer from
 * here would keep the query of rtpulpfecdec from an rtpstorage further upstream. */
#ifndef GST_TFRC_STOREDPACKETSQUERY_H
#define GST_TFRC_STOREDPACKETSQUERY_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes `srcpad` answer queries for the last 128 packets that it pushed, from any thread.
 * Packets are kept from the first query on. Sets the query function of `srcpad`. */
void gst_tfrc_stored_packets_query_answer (GstPad * srcpad);

/* Sends the query upstream from `sinkpad`. Returns the packets that the nearest pad that answers
 * has kept, in the order of their arrival; NULL: no pad answered. */
GstBufferList *gst_tfrc_stored_packets_query_send (GstPad * sinkpad);

/* For the query function of a source pad that keeps packets itself. The first function returns
 * whether `query` is this query. The second answers it with `list`, of which the query takes a
 * reference of its own. */
gboolean gst_tfrc_stored_packets_query_matches (GstQuery * query);
void gst_tfrc_stored_packets_query_set_answer (GstQuery * query, GstBufferList * list);

G_END_DECLS

#endif
