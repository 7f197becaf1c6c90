/* gst-tfrc: makes one RTP stream of the packets of one payloader of tfrcencodebin after another
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPSTREAM_H
#define GST_TFRC_RTPSTREAM_H

#include <gst/gst.h>
#include <tfrcadapt/adapt.h>

G_BEGIN_DECLS

/* Every packet of tfrcencodebin passes through its encoded stream, which gives the packet the
 * next sequence number and an RTP timestamp that goes on across a change of codec and of clock
 * rate (RFC 7160 4.2), adds redundant copies of earlier packets (RFC 2198), and withholds what
 * is not to be sent.
 *
 * All functions are for the streaming thread. Buffer times are in ns. */
typedef struct _GstTfrcRtpStream GstTfrcRtpStream;

GstTfrcRtpStream *gst_tfrc_rtp_stream_new (void);
void gst_tfrc_rtp_stream_free (GstTfrcRtpStream * stream);

/* A new stream starts, whose packets come from a payloader of `clock_rate` Hz. Packets with
 * redundant copies get the payload type `red_pt`. */
void gst_tfrc_rtp_stream_start (GstTfrcRtpStream * stream, gint clock_rate, guint red_pt);

/* Packets come from another payloader from now on. A packet is withheld when its audio begins
 * before the end of the audio that was sent. With `warm_up`, the first packet that is sent carries
 * redundant copies of the withheld packets, so that the remote decoder can warm up with them. */
void gst_tfrc_rtp_stream_switch (GstTfrcRtpStream * stream, gint clock_rate, guint red_pt,
    gboolean warm_up);

/* The source was flushed: its times may begin again, and earlier packets are of no use as
 * copies. */
void gst_tfrc_rtp_stream_flush (GstTfrcRtpStream * stream);

/* Where the audio of the last packet ends; GST_CLOCK_TIME_NONE before the first. */
GstClockTime gst_tfrc_rtp_stream_get_end (const GstTfrcRtpStream * stream);

typedef struct
{
  TfrcAdaptCopies copies;       /* redundant copies in each packet */
  guint silence_size;           /* bytes: a payload that is not larger says that nobody speaks, and is
                                 * not sent; 0: all are sent */
  gboolean suspended;           /* nothing is sent */
} GstTfrcRtpStreamSettings;

void gst_tfrc_rtp_stream_set (GstTfrcRtpStream * stream,
    const GstTfrcRtpStreamSettings * settings);

/* Makes `packet` the next packet of the stream, or returns FALSE when it is to be dropped.
 * `encoded` is set to the bytes that the encoder made, or 0 for a packet that does not count. */
gboolean gst_tfrc_rtp_stream_take (GstTfrcRtpStream * stream, GstBuffer ** packet,
    gsize * encoded);

G_END_DECLS

#endif
