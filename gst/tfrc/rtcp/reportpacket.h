/* gst-tfrc: reports in RTCP packets, their own or the session's
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REPORTPACKET_H
#define GST_TFRC_REPORTPACKET_H

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* What a packet has in it that matters to reports. */
typedef struct
{
  guint32 ssrc;                 /* of the SR or RR in front; 0: reduced-size */
  gboolean bye;
} GstTfrcRtcpContents;

/* From whom a report is and about what. */
typedef struct
{
  guint fmt;
  guint32 sender_ssrc, media_ssrc;
} GstTfrcRtcpReport;

GstTfrcRtcpContents gst_tfrc_rtcp_get_contents (GstRTCPBuffer * rtcp);

/* FALSE: the packet has no room for it. */
gboolean gst_tfrc_rtcp_append_report (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcReport * report);

/* A packet that is the report alone. */
GstBuffer *gst_tfrc_rtcp_new_report (const GstTfrcRtcpReport * header,
    const TfrcReport * report);

/* `fci` is what the session found behind the SSRCs, or NULL. FALSE: malformed. */
gboolean gst_tfrc_rtcp_parse_fci (GstBuffer * fci, TfrcReport * report);

G_END_DECLS

#endif
