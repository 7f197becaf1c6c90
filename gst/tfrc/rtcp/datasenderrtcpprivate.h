/* gst-tfrc: the state of the data sender's RTCP, as its files share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DATASENDERRTCPPRIVATE_H
#define GST_TFRC_DATASENDERRTCPPRIVATE_H

#include <tfrcadapt/loss-share.h>

#include "rtcp/acceptedreceiver.h"
#include "rtcp/datasenderrtcp.h"

G_BEGIN_DECLS

/* Of a report block, RFC 3550 6.4.1. */
typedef struct
{
  guint32 highest;
  guint8 fraction;
  gint lost;
  guint32 jitter;
} GstTfrcReceivedBlock;

/* One SSRC of the data. */
typedef struct
{
  GstTfrcAcceptedReceiver receiver;
  TfrcMode mode;
  guint app_left;               /* compound packets that the APP packet is still added to */
  TfrcAdaptLossShare loss;      /* by the receiver reports of `receiver` */
  GstTfrcReceivedBlock block;   /* the last report block about this SSRC */
  gboolean has_block;           /* that block is for the owner */
  guint32 block_from;           /* SSRC of the data receiver that sent it */
  gboolean is_new_from;         /* the owner has not been told yet that `block_from` is another one than before */
  GstClockTime block_heard;     /* when it came; 0: none did */
} GstTfrcSenderMedia;

struct _GstTfrcDataSenderRtcp
{
  GstTfrcAttachedSession base;
  GstTfrcDataSenderRtcpHandlers handlers;
  guint fmt;

  /* under the lock of `base` */
  GstTfrcSenderMedia media[GST_TFRC_MEDIA_MAX];
  guint n_media;
  guint64 reports, malformed;
  guint64 wrong_media_ssrc;     /* reports about an SSRC that the data do not have */
  guint64 wrong_sender_ssrc, rebinds;   /* of SSRCs that the data no longer have */
};

/* datasenderrtcp.c. The SSRC of the data; NULL: the data do not have it. Called with the lock. */
GstTfrcSenderMedia *gst_tfrc_data_sender_rtcp_find_media (GstTfrcDataSenderRtcp * self, guint32 ssrc);

/* datasenderreportblocks.c. Handlers of signals of the session. */

/* RTCP arrived, which the session has not processed yet. The session shows the last block of each SR or RR alone,
 * and the data may have several SSRCs. */
void gst_tfrc_data_sender_rtcp_on_receiving (GObject * session, GstBuffer * buffer, gpointer data);

/* An SR or RR of `source` arrived. */
void gst_tfrc_data_sender_rtcp_on_active (GObject * session, GObject * source, gpointer data);

G_END_DECLS

#endif
