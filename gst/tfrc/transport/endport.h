/* gst-tfrc: the UDP port, or the two ports, of tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A port has one peer (transport/peer.h) and one socket of a worker (transport/udpworker.h), or two
 * of them when RTP and RTCP do not share one. It decides whose a datagram is before the peer's RTP
 * session sees it. A data sender hears RTCP of the host that it sends to: of the port, too, when RTP
 * and RTCP share one. A data receiver hears the data sender that transport/senderchoice.h says; with
 * keys, only of datagrams that are authentic.
 *
 * With DTLS, which needs one socket for RTP, RTCP and DTLS (RFC 7983), the data sender is the client
 * of the handshake and the data receiver the server, whom anybody may call. The data receiver goes to where a
 * caller is once its certificate has the fingerprint.
 *
 * What arrives while there is no peer is dropped. Functions are called from any thread but the worker's. */
#ifndef GST_TFRC_ENDPORT_H
#define GST_TFRC_ENDPORT_H

#include <gio/gio.h>

#include "transport/peer.h"
#include "transport/udpworkersocket.h"

G_BEGIN_DECLS

typedef struct _GstTfrcEndPort GstTfrcEndPort;

typedef struct
{
  GSocket *sockets[2];          /* bound: of RTP, and of RTCP or NULL, when they share one */
  const gchar *context;         /* of the worker */
  gint buffer_size;             /* bytes of the sockets' buffers; 0: as large as the system permits */
  GstTfrcUdpAddress remote;     /* where data are sent; not set: this is a data receiver */
  GstTfrcUdpAddress rtcp_remote;        /* the same of RTCP; not set: as `remote` */
  /* A datagram could not be sent. In the worker's thread: it must not block. */
  void (*on_error) (const GstTfrcUdpError * error, gpointer data);
  gpointer data;
} GstTfrcEndPortSettings;

typedef struct
{
  guint64 malformed;            /* neither RTP nor RTCP */
  guint64 unexpected;           /* of a kind that the socket is not for, and DTLS of somebody else */
  guint64 foreign;              /* RTCP of somebody else */
  guint64 send_errors;          /* datagrams that the system did not send */
  guint32 ssrc;                 /* of the followed data sender, 0: none */
  guint64 changes, others;      /* as of GstTfrcSenderChoice */
} GstTfrcEndPortStats;

/* NULL and an error when the process has no descriptors or threads left. */
GstTfrcEndPort *gst_tfrc_end_port_open (const GstTfrcEndPortSettings *
    settings, GError ** error);

/* The peer was removed. */
void gst_tfrc_end_port_close (GstTfrcEndPort * port);

/* Makes the peer of the port, with `settings`. The caller owns the reference. The peer sends and receives nothing before
 * gst_tfrc_end_port_begin(). */
GstTfrcPeer *gst_tfrc_end_port_add_peer (GstTfrcEndPort * port,
    GstTfrcPeerSettings * settings, GstTfrcPeerServeFunc serve, gpointer data);
void gst_tfrc_end_port_begin (GstTfrcEndPort * port);

/* Data go to `remote` from now on, and RTCP to `rtcp_remote`, if it is set: gst_tfrc_peer_move(). FALSE: the socket
 * cannot reach such an address, and nothing has changed. */
gboolean gst_tfrc_end_port_move (GstTfrcEndPort * port,
    const GstTfrcUdpAddress * remote, const GstTfrcUdpAddress * rtcp_remote);

/* All that the peer has sent has left when this returns. */
void gst_tfrc_end_port_flush (GstTfrcEndPort * port);

/* Says BYE and gives the peer up, if there is one. The caller still has to call gst_tfrc_peer_stop(). */
void gst_tfrc_end_port_remove_peer (GstTfrcEndPort * port);

void gst_tfrc_end_port_get_stats (GstTfrcEndPort * port,
    GstTfrcEndPortStats * stats);

G_END_DECLS

#endif
