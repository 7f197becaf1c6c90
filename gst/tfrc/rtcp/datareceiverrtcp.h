/* gst-tfrc: the data receiver's RTCP: sends reports to the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_DATARECEIVERRTCP_H
#define GST_TFRC_DATARECEIVERRTCP_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "rtcp/attachedsession.h"

G_BEGIN_DECLS

/* Puts TFRC reports (RFC 5348 3.2.2 in RTPFB packets, docs/wire-format.md) into the RTCP
 * packets of the RTP session that it is attached to, or makes packets that are one report
 * and nothing else, once the data sender has said that it takes reduced-size RTCP
 * (RFC 5506). Sets the RTCP bandwidth of the session so that reports can be sent as often
 * as the flow needs them. The functions may be called from any thread.
 *
 * gst_tfrc_attached_session_ref(), _unref() and _detach() take this object, too. */
typedef struct _GstTfrcDataReceiverRtcp GstTfrcDataReceiverRtcp;

/* The data have at most so many SSRCs. */
#define GST_TFRC_REPORTED_MAX 32

/* A report and the SSRC of the data that it is about. */
typedef struct
{
  guint32 media_ssrc;
  TfrcReport report;
} GstTfrcMadeReport;

/* An RTCP packet is about to be sent. Fills `reports` as of this moment and `received`, how many
 * bytes of data have arrived so far. Returns the number of reports, 0 when there is
 * nothing to report. Called without the lock of this object, in a thread of the session or in the
 * thread that requested the report. */
typedef guint (*GstTfrcMakeReportsFunc) (GstElement * owner,
    GstTfrcMadeReport reports[GST_TFRC_REPORTED_MAX], guint64 * received);

/* `ssrc` has sent RTCP, or a BYE. Called in the thread that brought the RTCP, without the lock of
 * this object. */
typedef void (*GstTfrcSsrcFunc) (GstElement * owner, guint32 ssrc);

/* An APP packet of the data sender of `ssrc` came; `is_secure`: nobody else can have sent it. Returns whether the owner
 * takes it for true; what the data sender accepts is then what the packet says. Called as GstTfrcSsrcFunc is. */
typedef gboolean (*GstTfrcSettingsFunc) (GstElement * owner, guint32 ssrc, const GstTfrcApp * app,
    gboolean is_secure);

GstTfrcDataReceiverRtcp *gst_tfrc_data_receiver_rtcp_new (GstElement * owner,
    const GstTfrcRtcpConfig * config, GstTfrcMakeReportsFunc make_reports,
    GstTfrcSsrcFunc on_active, GstTfrcSsrcFunc on_bye,
    GstTfrcSettingsFunc on_settings);

/* Attaches as gst_tfrc_attached_session_attach() does. Returns whether the object is attached. */
gboolean gst_tfrc_data_receiver_rtcp_attach (GstTfrcDataReceiverRtcp * self,
    GObject * session, GstPad * pad);

/* The losses of some SSRC are measured in this mode, which the data sender is told. */
void gst_tfrc_data_receiver_rtcp_set_mode (GstTfrcDataReceiverRtcp * self, TfrcMode mode);

/* The data have this SSRC, too, or have it no longer. */
void gst_tfrc_data_receiver_rtcp_add_media (GstTfrcDataReceiverRtcp * self, guint32 ssrc);
void gst_tfrc_data_receiver_rtcp_remove_media (GstTfrcDataReceiverRtcp * self, guint32 ssrc);

/* Requests the reports that are due. When `packet` is not NULL and reduced-size RTCP is on, sets `packet` to an
 * RTCP packet that the caller sends at once, or to NULL when there is nothing to report; otherwise
 * asks the session for an RTCP packet. Returns FALSE when the last report was sent too short a time
 * ago, so that the caller has to request the report again. */
gboolean gst_tfrc_data_receiver_rtcp_request (GstTfrcDataReceiverRtcp * self,
    GstBuffer ** packet);

/* Sets the RTCP bandwidth of the session for the round-trip time `R` in ns (0: unknown) and the
 * rate of the data on the wire in bytes/s (0: unknown). Returns the shortest time between reports
 * in ns for which RTCP keeps its share of the bandwidth. */
TfrcTime gst_tfrc_data_receiver_rtcp_set_path (GstTfrcDataReceiverRtcp * self,
    TfrcTime R, gdouble wire_rate);

/* R in the stamps of the data, in us, has changed, so that a report has reached the data sender. */
void gst_tfrc_data_receiver_rtcp_confirm (GstTfrcDataReceiverRtcp * self,
    guint32 R);

void gst_tfrc_data_receiver_rtcp_add_stats (GstTfrcDataReceiverRtcp * self,
    GstStructure * stats);

G_END_DECLS

#endif
