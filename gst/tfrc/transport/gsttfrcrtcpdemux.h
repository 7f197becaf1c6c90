/* gst-tfrc: tells RTP from RTCP on one socket, and friend from stranger
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTCPDEMUX_H
#define GST_TFRC_RTCPDEMUX_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_RTCP_DEMUX (gst_tfrc_rtcp_demux_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcRtcpDemux, gst_tfrc_rtcp_demux, GST, TFRC_RTCP_DEMUX, GstElement)

typedef struct
{
  guint64 malformed;            /* neither RTP nor RTCP, or with lengths that lie */
  guint64 foreign;              /* RTCP that did not come from the far end */
  guint64 unexpected;           /* of a kind that this socket is not for */
  guint64 refused;              /* by the elements that follow */
} GstTfrcRtcpDemuxStats;

/* An element for the inside of a bin: pads "sink", "rtp_src" and "rtcp_src". A
 * src pad that is not linked is a kind of packet that is not expected.
 * `encrypted`: the payload of RTCP cannot be looked at yet. */
GstElement *gst_tfrc_rtcp_demux_new (const gchar * name, gboolean encrypted);

/* Removes each src pad that is not linked. To be called before the first packet. */
void gst_tfrc_rtcp_demux_remove_unlinked (GstTfrcRtcpDemux * self);

/* What the caps of the RTP pad are. */
void gst_tfrc_rtcp_demux_set_caps (GstTfrcRtcpDemux * self, GstCaps * caps);

/* From now on only RTCP of this host (and port) passes; NULL: any. */
void gst_tfrc_rtcp_demux_set_peer (GstTfrcRtcpDemux * self, GSocketAddress * peer,
    gboolean with_port);

/* Where the last RTCP that passed came from, or NULL. The signal "rtcp-address"
 * tells of a change. */
GSocketAddress *gst_tfrc_rtcp_demux_get_rtcp_address (GstTfrcRtcpDemux * self);

void gst_tfrc_rtcp_demux_get_stats (GstTfrcRtcpDemux * self, GstTfrcRtcpDemuxStats * stats);

G_END_DECLS

#endif
