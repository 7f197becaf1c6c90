/* gst-tfrc: separates RTP from RTCP on one socket, and drops RTCP of strangers
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An element for the inside of a bin, behind a udpsrc, with the pads "sink", "rtp_src" and
 * "rtcp_src". It distinguishes RTP from RTCP by the packet type (RFC 5761 4) and checks that the
 * lengths in a packet fit its size. A source pad that is not linked stands for a kind of packet
 * that is not expected on the socket. What it drops it counts. The rtpsession element cannot be
 * given both kinds on one pad: it takes a reduced-size RTPFB packet (type 205) for RTP of
 * payload type 77. */
#ifndef GST_TFRC_RTCPDEMUX_H
#define GST_TFRC_RTCPDEMUX_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_RTCP_DEMUX (gst_tfrc_rtcp_demux_get_type ())
G_DECLARE_FINAL_TYPE (GstTfrcRtcpDemux, gst_tfrc_rtcp_demux, GST, TFRC_RTCP_DEMUX, GstElement)

typedef struct
{
  guint64 malformed;            /* packets that are neither RTP nor RTCP, or whose
                                   lengths do not fit their size */
  guint64 foreign;              /* RTCP packets that did not come from the remote */
  guint64 unexpected;           /* packets for a source pad that is not linked */
  guint64 refused;              /* packets that the next element did not take */
} GstTfrcRtcpDemuxStats;

/* `encrypted`: the packets are SRTP and SRTCP, so that only the headers of RTCP can be checked. */
GstElement *gst_tfrc_rtcp_demux_new (const gchar * name, gboolean encrypted);

/* Removes each source pad that is not linked. To be called before the first packet. */
void gst_tfrc_rtcp_demux_remove_unlinked (GstTfrcRtcpDemux * self);

/* Sets the caps of the pad "rtp_src". */
void gst_tfrc_rtcp_demux_set_caps (GstTfrcRtcpDemux * self, GstCaps * caps);

/* From now on only RTCP from the host `remote` passes, and with `with_port` only from its
 * port. NULL: RTCP from everywhere passes. */
void gst_tfrc_rtcp_demux_set_remote (GstTfrcRtcpDemux * self, GSocketAddress * remote,
    gboolean with_port);

/* Returns the address that the last RTCP packet that passed came from, or NULL. The signal
 * "rtcp-address" is emitted when that address changes. */
GSocketAddress *gst_tfrc_rtcp_demux_get_rtcp_address (GstTfrcRtcpDemux * self);

void gst_tfrc_rtcp_demux_get_stats (GstTfrcRtcpDemux * self, GstTfrcRtcpDemuxStats * stats);

G_END_DECLS

#endif
