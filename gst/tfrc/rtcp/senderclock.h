/* gst-tfrc: the sender's clock, as its sender reports tell it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDERCLOCK_H
#define GST_TFRC_SENDERCLOCK_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* GstTfrcSenderClock:
 * @ssrc: whose sender report this is
 * @known: whether there was one at all
 * @ntp: its NTP timestamp, 1/2^32 s since 1900
 * @era: wraps of the NTP timestamp since the first report (the next is in 2036)
 * @rtptime: the RTP timestamp of the same moment
 * @arrival: of the report, ns
 *
 * The last sender report of one SSRC: one point of the line on which RTP timestamps and the
 * sender's wall clock lie, and what LSR and DLSR of our report blocks are made of. */
typedef struct
{
  guint32 ssrc;
  gboolean known;
  guint64 ntp;
  guint32 era;
  guint32 rtptime;
  TfrcTime arrival;
} GstTfrcSenderClock;

/* 32.32 fixed point since 1900 from ns since 1900, and back; both round down. Nanoseconds
 * past the NTP timestamp's end in 2036 wrap to 0. */
guint64 gst_tfrc_ntp_from_time (guint64 time);
guint64 gst_tfrc_ntp_to_time (guint64 ntp);

/* A duration in ns in the 1/65536 s of LSR and DLSR, limited to what 32 bits hold; and back. */
guint32 gst_tfrc_ntp_short_from_duration (TfrcTime duration);
TfrcTime gst_tfrc_ntp_short_to_duration (guint32 units);

/* A sender report of @ssrc has arrived. Reports that overtook each other do no harm: either
 * is a point of the same line. */
void gst_tfrc_sender_clock_on_report (GstTfrcSenderClock * clock, guint32 ssrc, guint64 ntp,
    guint32 rtptime, TfrcTime now);

/* gst_tfrc_sender_clock_get_time:
 * @ssrc, @rtptime: an RTP packet's
 * @clock_rate: of its timestamps, Hz
 * @time: (out): the packet's moment by the sender's clock, ns since 1900 as
 *   GstReferenceTimestampMeta "timestamp/x-ntp" has it; it goes on when the NTP timestamp
 *   wraps
 *
 * Timestamps up to 2^31 before and after the last report's are understood.
 *
 * Returns: FALSE while no report of @ssrc, or no clock rate, is known. */
gboolean gst_tfrc_sender_clock_get_time (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 rtptime, guint32 clock_rate, guint64 * time);

/* LSR and DLSR of a report block about @ssrc; both are 0 without a sender report. */
void gst_tfrc_sender_clock_get_lsr (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 * lsr, guint32 * dlsr, TfrcTime now);

G_END_DECLS

#endif
