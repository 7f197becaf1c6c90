/* gst-tfrc: the wall clock of a data sender, from its RTCP sender reports
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDERCLOCK_H
#define GST_TFRC_SENDERCLOCK_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* GstTfrcSenderClock:
 * @ssrc: the SSRC that sent the last sender report
 * @known: whether a sender report has arrived
 * @ntp: NTP timestamp of that report, 1/2^32 s since 1900
 * @era: wraps of the NTP timestamp since the first report (the next is in 2036)
 * @rtptime: RTP timestamp of that report, which is the moment @ntp
 * @arrival: when that report arrived, ns
 *
 * The last sender report of one SSRC (RFC 3550 6.4.1). It relates RTP timestamps to the wall clock
 * of the data sender, and LSR and DLSR of report blocks are made of it. The object is plain state
 * without a lock. */
typedef struct
{
  guint32 ssrc;
  gboolean known;
  guint64 ntp;
  guint32 era;
  guint32 rtptime;
  TfrcTime arrival;
} GstTfrcSenderClock;

/* Converts ns since 1900 to an NTP timestamp (32.32 fixed point, s since 1900), and an NTP
 * timestamp to ns since 1900; both round down. An NTP timestamp wraps to 0 in 2036. */
guint64 gst_tfrc_ntp_from_time (guint64 time);
guint64 gst_tfrc_ntp_to_time (guint64 ntp);

/* Converts a duration in ns to the 1/65536 s of LSR and DLSR, at most what 32 bits have room for,
 * and such units to ns. */
guint32 gst_tfrc_ntp_short_from_duration (TfrcTime duration);
TfrcTime gst_tfrc_ntp_short_to_duration (guint32 units);

/* A sender report of @ssrc has arrived. Reports may overtake each other: each of them gives the
 * same relation between the two clocks. */
void gst_tfrc_sender_clock_on_report (GstTfrcSenderClock * clock, guint32 ssrc, guint64 ntp,
    guint32 rtptime, TfrcTime now);

/* gst_tfrc_sender_clock_get_time:
 * @ssrc, @rtptime: SSRC and RTP timestamp of a packet
 * @clock_rate: of RTP timestamps, Hz
 * @time: (out): when the packet was sampled by the wall clock of the data sender, ns since 1900 as
 *   in GstReferenceTimestampMeta "timestamp/x-ntp"; does not wrap with the NTP timestamp
 *
 * @rtptime may be up to 2^31 before or after the RTP timestamp of the last report.
 *
 * Returns: FALSE while no report of @ssrc, or no clock rate, is known. */
gboolean gst_tfrc_sender_clock_get_time (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 rtptime, guint32 clock_rate, guint64 * time);

/* LSR and DLSR of a report block about @ssrc; both are 0 without a sender report. */
void gst_tfrc_sender_clock_get_lsr (const GstTfrcSenderClock * clock, guint32 ssrc,
    guint32 * lsr, guint32 * dlsr, TfrcTime now);

G_END_DECLS

#endif
