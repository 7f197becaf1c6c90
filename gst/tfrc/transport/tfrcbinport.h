/* gst-tfrc: the UDP port of tfrcbin, and which peer each of its datagrams is for
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A port is a socket of a worker (transport/udpworker.h), the table of who may speak
 * (transport/admissiontable.h), and the peers (transport/peer.h) that send by it. A datagram is for the
 * peer at the address that the datagram came from. A datagram from an address without a peer is dropped,
 * taken for one of a peer that has moved to another port of its host, or reported to the owner, as
 * GstTfrcAccept says.
 *
 * RTP, RTCP, DTLS and STUN share the port (RFC 7983). With DTLS, a stranger is reported to the owner once it has
 * sent a ClientHello with a cookie, which shows that it receives what is sent to its address. */
#ifndef GST_TFRC_TFRCBINPORT_H
#define GST_TFRC_TFRCBINPORT_H

#include <gio/gio.h>

#include "transport/peer.h"
#include "transport/admissiontable.h"
#include "transport/udpworkersocket.h"

G_BEGIN_DECLS

/* Who may speak to a port besides peers at their own addresses.
 * @GST_TFRC_ACCEPT_NONE: nobody
 * @GST_TFRC_ACCEPT_KNOWN: a peer from another port of its host, which becomes its address
 * @GST_TFRC_ACCEPT_ANY: whoever calls becomes a peer */
typedef enum
{
  GST_TFRC_ACCEPT_NONE,
  GST_TFRC_ACCEPT_KNOWN,
  GST_TFRC_ACCEPT_ANY
} GstTfrcAccept;

typedef struct _GstTfrcBinPort GstTfrcBinPort;

/* A stranger asks to become a peer. In the worker's thread: it must not block. */
typedef void (*GstTfrcStrangerFunc) (const GstTfrcUdpAddress * address,
    gpointer data);

/* A STUN message has arrived, from anybody. In the worker's thread: it must not block. FALSE: it is dropped. */
typedef gboolean (*GstTfrcStunFunc) (const GstTfrcUdpDatagram * datagram,
    gpointer data);

typedef struct
{
  GSocket *socket;              /* bound */
  const gchar *context;         /* of the workers */
  guint threads;                /* workers that peers are spread over, at least 1 */
  GstTfrcAccept accept;
  guint max_peers;
  GstTfrcDtlsContext *dtls;     /* NULL: without DTLS; not owned, outlives the port */
  GstTfrcStrangerFunc on_stranger;
  gpointer data;
  GstTfrcStunFunc on_stun;
  gpointer stun_data;
} GstTfrcBinPortSettings;

/* From any thread but the worker's, as all that follows. NULL and an error when the process has
 * no descriptors or threads left. */
GstTfrcBinPort *gst_tfrc_bin_port_open (const GstTfrcBinPortSettings *
    settings, GError ** error);

/* All peers were removed. No callback runs any more when this returns. */
void gst_tfrc_bin_port_close (GstTfrcBinPort * port);

guint gst_tfrc_bin_port_get_number (GstTfrcBinPort * port);

/* A new peer, which speaks from now on; the caller's reference. NULL: the address is that of
 * another peer, or there are max_peers. */
GstTfrcPeer *gst_tfrc_bin_port_add (GstTfrcBinPort * port, guint id,
    const gchar * label, const GstTfrcUdpAddress * address,
    GstTfrcPeerSettings * settings, GstTfrcPeerServeFunc serve,
    gpointer data);

/* Says BYE to the peer and does not serve it any more; its queue is still to be stopped. */
void gst_tfrc_bin_port_remove (GstTfrcBinPort * port, GstTfrcPeer * peer);

/* The peer is at `address` from now on: gst_tfrc_peer_move(). FALSE: another peer is there, and nothing has changed. */
gboolean gst_tfrc_bin_port_move (GstTfrcBinPort * port, GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address);

/* Has what `peer` sends forwarded to `target`, or ends that; gst_tfrc_peer_forward() says what
 * that is. FALSE: it is so already. */
gboolean gst_tfrc_bin_port_forward (GstTfrcBinPort * port,
    GstTfrcPeer * peer, GstTfrcPeer * target, gboolean forward);

/* Sends a datagram of the owner's, which is none of a peer. */
void gst_tfrc_bin_port_send (GstTfrcBinPort * port,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size);

/* Adds the socket's and the table's counters to a structure. */
void gst_tfrc_bin_port_add_stats (GstTfrcBinPort * port,
    GstStructure * stats);

G_END_DECLS

#endif
