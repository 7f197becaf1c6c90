/* gst-tfrc: what the files of the unicast RTP session share
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_UNICASTSESSIONPRIVATE_H
#define GST_TFRC_UNICASTSESSIONPRIVATE_H

#include "rtcp/unicastsession.h"

G_BEGIN_DECLS

/* Types of the blocks of extended reports, RFC 3611, and words behind the header of a block or, with DLRR, in each
 * sub-block. */
#define GST_TFRC_XR_REFERENCE_TIME 4    /* Receiver Reference Time, 4.4 */
#define GST_TFRC_XR_REFERENCE_TIME_WORDS 2
#define GST_TFRC_XR_DELAYS 5    /* DLRR, 4.5 */
#define GST_TFRC_XR_DELAY_WORDS 3

/* How many compound packets to each remote end carry the APP packet with the settings. */
#define GST_TFRC_UNICAST_SESSION_APP_TIMES 5

/* How many reference times of a remote end are answered at once. An end that names one all the time, as other software
 * does, gets further answers with regular packets. */
#define GST_TFRC_UNICAST_SESSION_ANSWERS 5

/* Whether `ssrc` is an SSRC of the remote end. */
gboolean gst_tfrc_unicast_session_is_remote (const GstTfrcUnicastSession * session, guint32 ssrc);

/* Whether a TFRC report of the remote end was accepted not long ago. */
gboolean gst_tfrc_unicast_session_is_proven (const GstTfrcUnicastSession * session);

/* The SR, the RR or the TFRC report of `ssrc` is of the remote end, and so is what has this SSRC from now on. */
GstTfrcSessionBits gst_tfrc_unicast_session_adopt_reporter (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* `now`, or the latest time seen when that is later. */
TfrcTime gst_tfrc_unicast_session_clamp (GstTfrcUnicastSession * session, TfrcTime now);

/* The NTP timestamp of this moment. */
guint64 gst_tfrc_unicast_session_get_ntp (const GstTfrcUnicastSession * session);

/* Whether the remote end sent RTP within two intervals, and whether this end did. */
gboolean gst_tfrc_unicast_session_hears_data (const GstTfrcUnicastSession * session);
gboolean gst_tfrc_unicast_session_sends_data (const GstTfrcUnicastSession * session);

/* A packet came under this end's own SSRC. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_collision (GstTfrcUnicastSession * session);

/* An RTCP packet that is being parsed, one of those in a compound packet. */
typedef struct
{
  GstTfrcUnicastSession *session;
  GstTfrcSessionInput *input;
  guint type;                   /* GstRTCPType, the packet type */
  guint count;                  /* the five bits of the common header: RC, SC, FMT or subtype */
  const guint8 *data;           /* behind the common header */
  guint words;                  /* of `data`, padding left out */
  GstTfrcSessionBits bits;
} GstTfrcRtcpParse;

/* Count the packet as malformed, or as one that is not for this session. */
void gst_tfrc_rtcp_parse_count_malformed (GstTfrcRtcpParse * parse);
void gst_tfrc_rtcp_parse_count_ignored (GstTfrcRtcpParse * parse);

/* A word behind the common header; `index` is below `words`. */
guint32 gst_tfrc_rtcp_parse_get_word (const GstTfrcRtcpParse * parse, guint index);

/* Whether `ssrc`, which sent the packet, is an SSRC of the remote end. Sets ACCEPTED in `bits`, or
 * counts the packet. `may_be_new`: the packet is an SR or RR, which may introduce a new SSRC. */
gboolean gst_tfrc_rtcp_parse_check_sender (GstTfrcRtcpParse * parse, guint32 ssrc,
    gboolean may_be_new);

/* Parse an APP, an RTPFB and a PSFB packet (unicastfeedbackin.c). */
void gst_tfrc_rtcp_parse_app (GstTfrcRtcpParse * parse);
void gst_tfrc_rtcp_parse_transport_feedback (GstTfrcRtcpParse * parse);
void gst_tfrc_rtcp_parse_payload_feedback (GstTfrcRtcpParse * parse);

G_END_DECLS

#endif
