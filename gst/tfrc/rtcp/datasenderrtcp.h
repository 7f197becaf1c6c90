/* gst-tfrc: the data sender's RTCP: takes the reports of the remote receiver
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DATASENDERRTCP_H
#define GST_TFRC_DATASENDERRTCP_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "rtcp/attachedsession.h"

G_BEGIN_DECLS

/* Takes TFRC reports (RFC 5348 3.2.2 in RTPFB packets, docs/wire-format.md) and RTCP
 * receiver reports (RFC 3550 6.4) from the RTP session that it is attached to, and RTCP
 * packets that are nothing but reports from the caller of gst_tfrc_data_sender_rtcp_take(). The data may have
 * several SSRCs, each with reports of its own. About each SSRC the reports of one data receiver at a time are
 * accepted. The functions may be called from any thread.
 *
 * gst_tfrc_attached_session_ref(), _unref() and _detach() take this object, too. */
typedef struct _GstTfrcDataSenderRtcp GstTfrcDataSenderRtcp;

/* What an SR or RR of the data receiver says of the data (RFC 3550 6.4.1). */
typedef struct
{
  guint32 media_ssrc;           /* of the data that the block is about, if there is one */
  gboolean has_block;           /* it has a report block about the data; what follows is of it */
  gboolean is_new_receiver;     /* the block before was of another data receiver, which has left or is silent */
  TfrcTime rtt;                 /* round-trip time, ns; 0: not known yet */
  gint lost;                    /* packets, cumulative */
  guint fraction;               /* lost since the block before, 1/256 */
  guint highest;                /* extended highest sequence number */
  guint32 jitter;               /* interarrival jitter, RTP timestamp units */
} GstTfrcReceiverReport;

/* Called in the thread that brought the RTCP packet, without the lock of this object. */
typedef struct
{
  /* A TFRC report about `media_ssrc`, an SSRC of the data, arrived, from the data receiver whose reports are
   * accepted or, with `is_new_receiver`, from another data receiver after the former has left or
   * was silent. Returns whether the owner accepts the report. */
  gboolean (*on_report) (GstElement * owner, guint32 media_ssrc,
      const TfrcReport * report, gboolean is_new_receiver);
  /* An SR or RR of the data receiver arrived. */
  void (*on_receiver_report) (GstElement * owner,
      const GstTfrcReceiverReport * report);
  /* The data receiver of `media_ssrc` says its playout, ns (GstTfrcApp::playout_ms). */
  void (*on_playout) (GstElement * owner, guint32 media_ssrc,
      GstClockTime playout);
  /* Fills in the send time of the last stamp of `media_ssrc` that departed (GstTfrcApp::t_i_us), if there is one. */
  void (*fill_stamp) (GstElement * owner, guint32 media_ssrc,
      GstTfrcApp * app);
} GstTfrcDataSenderRtcpHandlers;

GstTfrcDataSenderRtcp *gst_tfrc_data_sender_rtcp_new (GstElement * owner,
    const GstTfrcRtcpConfig * config,
    const GstTfrcDataSenderRtcpHandlers * handlers);

/* Attaches as gst_tfrc_attached_session_attach() does. Returns whether the object is attached. */
gboolean gst_tfrc_data_sender_rtcp_attach (GstTfrcDataSenderRtcp * self,
    GObject * session, GstPad * pad);

/* The data has this SSRC, too, so that reports may be about it. At most GST_TFRC_MEDIA_MAX SSRCs. */
#define GST_TFRC_MEDIA_MAX 32
void gst_tfrc_data_sender_rtcp_add_media (GstTfrcDataSenderRtcp * self, guint32 ssrc);
void gst_tfrc_data_sender_rtcp_remove_media (GstTfrcDataSenderRtcp * self, guint32 ssrc);

/* The data of `ssrc` are sent in this mode, which the data receiver is told. */
void gst_tfrc_data_sender_rtcp_set_mode (GstTfrcDataSenderRtcp * self, guint32 ssrc, TfrcMode mode);

/* The share of the data packets of `ssrc` that are lost, by receiver reports; -1: not known. */
gdouble gst_tfrc_data_sender_rtcp_get_loss (GstTfrcDataSenderRtcp * self, guint32 ssrc);

/* Looks at an RTCP packet on its way to the session. Returns TRUE when the packet is one report of
 * the data receiver for each of one or several SSRCs, and nothing else: the reports were handed to the owner, and
 * the session need not see the packet. Returns FALSE when the packet has to go to the session; one such report in two
 * seconds has to, too. The caller keeps its reference on `packet`. */
gboolean gst_tfrc_data_sender_rtcp_take (GstTfrcDataSenderRtcp * self,
    GstBuffer * packet);

void gst_tfrc_data_sender_rtcp_add_stats (GstTfrcDataSenderRtcp * self,
    GstStructure * stats);

G_END_DECLS

#endif
