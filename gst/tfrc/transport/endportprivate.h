/* gst-tfrc: the state of a port of tfrcsink or tfrcsrc, as the files of endport.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENDPORTPRIVATE_H
#define GST_TFRC_ENDPORTPRIVATE_H

#include "transport/endport.h"
#include "transport/senderchoice.h"
#include "transport/udpworkerprivate.h"

G_BEGIN_DECLS

struct _GstTfrcEndPort
{
  GstTfrcEndPortSettings settings;      /* without sockets and context */
  gboolean receives;            /* data */
  GstTfrcUdpWorker *worker;
  GstTfrcUdpWorkerSocket *sockets[2]; /* the second is NULL when RTP and RTCP share one */
  GstTfrcPeer *peer;
  GstTfrcUdpTimer timer;

  /* of the worker's thread */
  gboolean begun;
  GstTfrcSenderChoice choice;
  GstTfrcUdpAddress rtcp_from;  /* where RTCP of the remote end came from; not set: nowhere yet */
  guint64 malformed, unexpected, foreign;
};

/* endportreceive.c: gives the peer the datagrams that are for it, and counts the others. `data` is the port. In
 * the worker's thread. */
void gst_tfrc_end_port_on_datagrams (GstTfrcUdpWorkerSocket * socket,
    GstTfrcUdpDatagram * datagrams, guint n_datagrams, gpointer data);

G_END_DECLS

#endif
