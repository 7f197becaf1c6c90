/* gst-tfrc: the state of a peer's pads, as the files of peerpads.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PEERPADSPRIVATE_H
#define GST_TFRC_PEERPADSPRIVATE_H

#include "filter/runningtimewait.h"
#include "transport/payloadcaps.h"
#include "transport/peerpads.h"

G_BEGIN_DECLS

#define GST_TFRC_NO_PAYLOAD_TYPE GST_TFRC_N_PAYLOAD_TYPES

struct _GstTfrcPeerPads
{
  gint refs;
  guint id;
  GstTfrcPeerPadsOwner *owner;

  GMutex lock;                  /* for what follows */
  GstTfrcPeer *peer;            /* NULL: at no port */
  GstPad *sinkpad;              /* not owned; NULL: not requested */
  GstPad *srcpad;               /* owned unless keeps_src; NULL: nothing has come */
  gboolean keeps_src;           /* the element made the source pad, which stays */
  gboolean ended;               /* what came to the sink pad, and all of it has departed */
  gboolean had_peer;            /* there was a peer */
  GstCaps *caps;                /* of the payload types, of the latest peer; NULL: there was none */
  GstClockTime latency;         /* of its playout buffer, ns */
  gboolean sync;                /* its packets wait for their running time */
  gboolean begins_anew;         /* the next packet is the first one after a flush that resets the time */
  GstClockTime start;           /* of what comes to the sink pad: the element's running time at its running time 0 */
  GstTfrcRunningTimeWait wait;  /* its segment is that of the sink pad, put off by `start` */

  guint without_peer;           /* packets before there was one; of the sink pad's thread */

  GstSegment segment;           /* of the sink pad's streaming thread */

  /* of the thread that serves */
  guint payload_type;           /* that the source pad's caps are of */
  gboolean streaming;           /* the stream of the source pad has begun */
  gboolean failed;              /* downstream has failed, which is on the bus */
  GstClockTime last_pts;        /* of the last packet, running time */
  GstClockTime base_time;       /* of the element, that `last_pts` is by */
};

G_END_DECLS
#endif
