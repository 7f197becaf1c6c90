/* gst-tfrc: base class of tfrcsink and tfrcsrc, the two ends of a call in one direction
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An end is tfrcbin with one peer and one direction: a port (transport/endport.h), its peer
 * (transport/peer.h) and one pad (transport/peerpads.h). The port exists from READY on, the peer
 * from PAUSED on. A subclass finds the addresses, makes its pad, and has the properties of its
 * direction.
 *
 * The object lock guards the properties. The port and the peer are those of the thread that changes
 * the state; other threads get the peer from the pads, and the port's counters under
 * `port_lock`. */
#ifndef GST_TFRC_END_H
#define GST_TFRC_END_H

#include <gst/gst.h>

#include "transport/endport.h"
#include "transport/peeroptions.h"
#include "transport/peerpads.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_END (gst_tfrc_end_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstTfrcEnd, gst_tfrc_end, GST, TFRC_END, GstElement)

/* The first property id that a subclass may use. */
#define GST_TFRC_END_FIRST_PROP 17

struct _GstTfrcEndClass
{
  GstElementClass parent_class;

  gboolean receives;            /* data */
  const gchar *host_name;       /* the property that the host of a URI sets */

  /* From NULL to READY: opens the sockets and fills in the addresses of `settings`; with `apart`,
   * RTCP has a socket and an address of its own. FALSE after an error was posted. */
  gboolean (*open) (GstTfrcEnd * self, gboolean apart,
      GstTfrcEndPortSettings * settings);
  /* The peer was made, and sends nothing yet. May be NULL. */
  void (*start) (GstTfrcEnd * self, const GstTfrcPeerSettings * settings);
  /* The peer is gone. May be NULL. */
  void (*stopped) (GstTfrcEnd * self);
  /* A message of the peer; TRUE: it is not to be posted. */
  gboolean (*on_message) (GstTfrcEnd * self, const gchar * name,
      const GstStructure * structure);
  /* The statistics of the direction; `peer` may be NULL. */
  GstStructure *(*make_stats) (GstTfrcEnd * self, GstTfrcPeer * peer,
      const GstTfrcEndPortStats * port);
};

/* The pads of the peer and what they have in common with others, for the subclass to complete when
 * it is made. */
GstTfrcPeerPads *gst_tfrc_end_get_pads (GstTfrcEnd * self);
GstTfrcPeerPadsOwner *gst_tfrc_end_get_owner (GstTfrcEnd * self);

/* All that the peer has sent has left when this returns. While the peer serves, in its thread. */
void gst_tfrc_end_flush (GstTfrcEnd * self);

/* Data go to `remote` from now on, RTCP to `rtcp_remote` where that is set. In NULL nothing is done. FALSE: the socket
 * is of the other family of addresses. From any thread. */
gboolean gst_tfrc_end_move (GstTfrcEnd * self,
    const GstTfrcUdpAddress * remote, const GstTfrcUdpAddress * rtcp_remote);
/* Whether the sockets are open; RTCP has one of its own without rtcp-mux. */
gboolean gst_tfrc_end_is_open (GstTfrcEnd * self);
gboolean gst_tfrc_end_has_rtcp_socket (GstTfrcEnd * self);

/* A reference, or NULL. From any thread. */
GstTfrcPeer *gst_tfrc_end_get_peer (GstTfrcEnd * self);

/* The options of the peer, under the object lock. */
GstTfrcPeerOptions *gst_tfrc_end_get_options (GstTfrcEnd * self);

/* Payload types whose packets are dropped, atomic; as of GstTfrcPeerSettings. */
gint *gst_tfrc_end_get_refused_types (GstTfrcEnd * self);

/* A property that is an option of the peer, by its name. FALSE: it is none. */
gboolean gst_tfrc_end_set_option (GstTfrcEnd * self, const gchar * name,
    const GValue * value);
gboolean gst_tfrc_end_get_option (GstTfrcEnd * self, const gchar * name,
    GValue * value);

/* Sets the property "uri". A URI that cannot be used is an error when the element opens. */
void gst_tfrc_end_set_uri (GstTfrcEnd * self, const gchar * uri);

G_END_DECLS

#endif
