/* gst-tfrc: the RTCP packets that the plugin reads and writes itself
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTCPPACKETS_H
#define GST_TFRC_RTCPPACKETS_H

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <tfrc/ecn.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* The functions hold no state and may be called from any thread. */

/* --- TFRC reports --- */

/* The parts of a compound packet that decide what may be added to the packet. */
typedef struct
{
  guint32 ssrc;                 /* of the first SR or RR; 0: the packet is reduced-size */
  gboolean bye;                 /* the packet contains a BYE */
} GstTfrcRtcpContents;

/* The header of the RTPFB packet that carries a report, RFC 4585 6.1. */
typedef struct
{
  guint fmt;                    /* feedback message type */
  guint32 sender_ssrc;          /* of the data receiver, which sends the report */
  guint32 media_ssrc;           /* of the data that the report is about */
} GstTfrcRtcpReport;

GstTfrcRtcpContents gst_tfrc_rtcp_get_contents (GstRTCPBuffer * rtcp);

/* Adds a report to a compound packet. Returns FALSE when the packet has no room for it. */
gboolean gst_tfrc_rtcp_append_report (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcReport * report);

/* Returns a packet of its own (reduced-size, RFC 5506) with the report; the caller owns it. */
GstBuffer *gst_tfrc_rtcp_new_report (const GstTfrcRtcpReport * header,
    const TfrcReport * report);

/* Parses `fci`, the feedback control information of an RTPFB packet, or NULL. Returns FALSE
 * when it is no report. */
gboolean gst_tfrc_rtcp_parse_fci (GstBuffer * fci, TfrcReport * report);

/* --- the ECN feedback packet, RFC 6679 5.1 --- */

#define GST_TFRC_ECN_FMT 8      /* feedback message type, RFC 6679 11.6 */
#define GST_TFRC_ECN_FCI_SIZE 20        /* bytes of feedback control information */

/* Adds counts of marks to a compound packet; `header` without its FMT. Returns FALSE when the packet has no
 * room for them. */
gboolean gst_tfrc_rtcp_append_ecn (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcEcnCounts * counts);

/* Parses the feedback control information of an ECN feedback packet. Returns FALSE when the size is
 * wrong. */
gboolean gst_tfrc_rtcp_parse_ecn (const guint8 * fci, gsize size,
    TfrcEcnCounts * counts);

/* --- the APP packet with the settings of an end --- */

/* The settings that one end of a flow announces to the remote, docs/wire-format.md. */
typedef struct
{
  guint mode, measure;          /* TfrcMode and TfrcMeasure, not checked */
  guint H;                      /* bytes below RTP in each packet */
  gboolean is_receiver;         /* the end is the data receiver */
  gboolean takes_reduced;       /* the end accepts reduced-size RTCP, RFC 5506 */
  guint takes_timed:1;          /* the end, a data sender, accepts reports with a transit time */
  guint takes_arrivals:1;       /* the end, a data sender, has a use for reports that list arrivals, too */
  gboolean has_t_i;             /* data sender: `t_i_us` is there */
  guint32 t_i_us;               /* data sender: send time in the last stamp that departed, by which the data
                                 * receiver knows an APP packet that is not forged by somebody off the path */
  gboolean follows;             /* data receiver: it takes the mode of the data sender */
  guint playout_ms;             /* data receiver: ms for which it holds a packet that came by the shortest way before it
                                 * plays the packet; 0: not known. At most 65535 */
  gboolean ecn;                 /* data sender: its packets may be ECN-capable; data receiver: it reads
                                 * marks and reports them (RFC 6679) */
} GstTfrcApp;

/* Whether an APP packet with this name and subtype has the settings of an end. */
gboolean gst_tfrc_app_is_ours (const gchar * name, guint subtype);

/* The last send times of the data that arrived. Somebody who does not see the packets cannot know them. Plain state,
 * zero to begin with, under the lock of its owner. */
#define GST_TFRC_STAMP_MEMORY 64
typedef struct
{
  guint32 t_i_us[GST_TFRC_STAMP_MEMORY];
  guint n;                      /* stamps so far */
} GstTfrcStampMemory;

void gst_tfrc_stamp_memory_add (GstTfrcStampMemory * memory, guint32 t_i_us);

/* Whether the APP packet of a data sender has one of these send times. */
gboolean gst_tfrc_app_is_known (const GstTfrcApp * app, const GstTfrcStampMemory * memory);

/* Parses `data`, the bytes behind the name, or NULL. Returns FALSE when they are too few. */
gboolean gst_tfrc_app_parse (GstTfrcApp * app, GstBuffer * data);

/* Adds the APP packet of `ssrc` to a compound packet, unless the packet has no room. */
void gst_tfrc_app_append (const GstTfrcApp * app, GstRTCPBuffer * rtcp, guint32 ssrc);

/* Whether two ends with these settings cannot work together. The second function returns a new
 * text that says how the user has to set them. */
gboolean gst_tfrc_app_differs (const GstTfrcApp * local, const GstTfrcApp * remote);
gchar *gst_tfrc_app_describe_mismatch (const GstTfrcApp * local, const GstTfrcApp * remote);

/* Posts what gst_tfrc_app_describe_mismatch() says, as an error or a warning (`type`) of `owner`. */
void gst_tfrc_app_post_mismatch (const GstTfrcApp * local, const GstTfrcApp * remote,
    GstElement * owner, GstMessageType type);

G_END_DECLS

#endif
