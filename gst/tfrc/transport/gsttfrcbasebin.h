/* gst-tfrc: what tfrcsink and tfrcsrc have in common
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_BASEBIN_H
#define GST_TFRC_BASEBIN_H

#include <gio/gio.h>
#include <gst/gst.h>

#include "transport/gsttfrcrtcpdemux.h"
#include "transport/srtpkeys.h"

G_BEGIN_DECLS

#define GST_TYPE_TFRC_BASE_BIN (gst_tfrc_base_bin_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstTfrcBaseBin, gst_tfrc_base_bin, GST, TFRC_BASE_BIN, GstBin)

/* The property ids of a subclass begin here. */
#define GST_TFRC_BASE_BIN_FIRST_PROP 16

struct _GstTfrcBaseBinClass
{
  GstBinClass parent_class;

  const gchar *filter;          /* factory of the TFRC filter */
  gboolean receives;            /* RTP comes in */
  const gchar *host_name;       /* the property that the host of a URI sets */

  /* NULL to READY. Opens self->sockets and may look at the settings; FALSE after
   * an error on the bus. */
  gboolean (*open) (GstTfrcBaseBin * self);
  /* The RTP side, once the session and all of RTCP are there. */
  gboolean (*build) (GstTfrcBaseBin * self);
  /* What build made is about to go, or never came to be whole. */
  void (*closed) (GstTfrcBaseBin * self);
  /* A BYE of ours has left. May be NULL. */
  void (*said_bye) (GstTfrcBaseBin * self);
  /* Adds the subclass's counters. May be NULL. */
  void (*add_stats) (GstTfrcBaseBin * self, GstStructure * stats);
};

/* The inside as the subclasses see it; all but the filter exist from READY on
 * only. */
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

/* Makes the element and adds it; else an error that names the package. */
GstElement *gst_tfrc_base_bin_add (GstTfrcBaseBin * self, const gchar * factory,
    const gchar * name);

/* A udpsink or multiudpsink on `socket` that keeps nothing waiting. */
GstElement *gst_tfrc_base_bin_add_udpsink (GstTfrcBaseBin * self,
    const gchar * factory, const gchar * name, GSocket * socket);

/* Plugs the pads inside that are not linked: base/binpads.h. A subclass calls it at the
 * end of its construction, when it has its ghost pad. */
void gst_tfrc_base_bin_plug (GstTfrcBaseBin * self);

/* For the property "uri": what is wrong with it is an error once the bin opens. */
void gst_tfrc_base_bin_set_uri (GstTfrcBaseBin * self, const gchar * uri);

/* Sends RTCP to `address` from now on, and takes it from there alone. NULL: to
 * nobody, from anyone. */
void gst_tfrc_base_bin_set_peer (GstTfrcBaseBin * self, GSocketAddress * address);

G_END_DECLS

#endif
