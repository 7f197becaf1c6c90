/* gst-tfrc: base class of the bins tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The base class owns what both bins need: the UDP sockets, the RTP session, RTCP in both
 * directions, SRTP when there is a key, the TFRC filter, and the BYE when the bin stops. A
 * subclass adds the RTP side: the way from its pad to the socket, or back.
 *
 * The filter exists as long as the bin. Everything else is made when the bin goes from NULL
 * to READY and removed when it goes back, so that a bin that failed to open is empty again. */
#ifndef GST_TFRC_BASEBIN_H
#define GST_TFRC_BASEBIN_H

#include <gio/gio.h>
#include <gst/gst.h>

#include "transport/gsttfrcrtcpdemux.h"
#include "transport/srtpelements.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_BASE_BIN (gst_tfrc_base_bin_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstTfrcBaseBin, gst_tfrc_base_bin, GST, TFRC_BASE_BIN, GstBin)

/* The first property id that a subclass may use. */
#define GST_TFRC_BASE_BIN_FIRST_PROP 16

struct _GstTfrcBaseBinClass
{
  GstBinClass parent_class;

  const gchar *filter;          /* factory of the TFRC filter */
  gboolean receives;            /* the bin takes RTP from its socket */
  const gchar *host_name;       /* name of the property that the host of a URI sets */

  /* Called from NULL to READY, first. Opens the sockets of the parts. Returns FALSE after
   * it has posted an error. */
  gboolean (*open) (GstTfrcBaseBin * self);
  /* Called from NULL to READY when the RTP session and the RTCP side are complete. Adds and
   * links the RTP side. Returns FALSE after an error has been posted. */
  gboolean (*build) (GstTfrcBaseBin * self);
  /* Called before the elements are removed, also when `open` or `build` failed. Forgets the
   * elements that `build` has added. */
  void (*closed) (GstTfrcBaseBin * self);
  /* Called when the session's BYE has been sent, in the thread that sent it. May be NULL. */
  void (*bye_sent) (GstTfrcBaseBin * self);
  /* Adds the counters of the subclass to the property "stats". May be NULL. */
  void (*add_stats) (GstTfrcBaseBin * self, GstStructure * stats);
};

/* The elements and sockets inside the bin. The bin owns them. All but the filter are NULL in
 * state NULL. */
typedef struct
{
  GstElement *filter;           /* rtptfrcsend or rtptfrcreceive */
  GstElement *session;          /* rtpsession */
  GstElement *rtcp_sink;        /* multiudpsink */
  GstElement *srtpenc, *srtpdec;        /* NULL without a key */
  GstTfrcRtcpDemux *rtp_demux, *rtcp_demux; /* the same with rtcp-mux */
  GSocket *sockets[2];          /* RTP and, without rtcp-mux, RTCP */
  gboolean rtcp_mux;
} GstTfrcBaseBinParts;

GstTfrcBaseBinParts *gst_tfrc_base_bin_get_parts (GstTfrcBaseBin * self);

/* Makes an element and adds it to the bin. Returns NULL after an error that names the package
 * to install. */
GstElement *gst_tfrc_base_bin_add (GstTfrcBaseBin * self, const gchar * factory,
    const gchar * name);

/* Adds a udpsink or multiudpsink that sends on `socket` at once, without waiting for the
 * clock. */
GstElement *gst_tfrc_base_bin_add_udpsink (GstTfrcBaseBin * self,
    const gchar * factory, const gchar * name, GSocket * socket);

/* Plugs the pads inside the bin that are not linked (base/pads.h). A subclass calls this
 * function at the end of its construction, when it has its ghost pad. */
void gst_tfrc_base_bin_plug (GstTfrcBaseBin * self);

/* Sets the property "uri". A URI that cannot be used is an error on the bus when the bin
 * opens. */
void gst_tfrc_base_bin_set_uri (GstTfrcBaseBin * self, const gchar * uri);

/* From now on the bin sends RTCP to `address` and accepts RTCP from that host alone (with
 * rtcp-mux: from that host and port). NULL: the bin sends RTCP to nobody and accepts it from
 * everybody. */
void gst_tfrc_base_bin_set_rtcp_remote (GstTfrcBaseBin * self, GSocketAddress * address);

G_END_DECLS

#endif
