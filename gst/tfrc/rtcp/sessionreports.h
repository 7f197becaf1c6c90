/* gst-tfrc: the link to the RTP session, which carries the reports
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SESSIONREPORTS_H
#define GST_TFRC_SESSIONREPORTS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* All that gst-tfrc knows of RTPSession, the object that rtpsession calls
 * `internal-session`, is here: its signals in gsttfrclink*.c, its properties in
 * rtcp/rtpsessionsettings.c. */
typedef struct _GstTfrcSessionReports GstTfrcSessionReports;

typedef enum
{
  GST_TFRC_SESSION_REPORTS_SENDER,         /* of data: takes reports */
  GST_TFRC_SESSION_REPORTS_RECEIVER        /* of data: makes reports */
} GstTfrcSessionReportsRole;

/* What both ends of a flow must agree on, and how reports are marked. */
typedef struct
{
  GstTfrcSessionReportsRole role;
  TfrcMode mode;
  TfrcMeasure measure;
  guint H;                      /* bytes */
  guint fmt;
} GstTfrcSessionReportsConfig;

/* Called from the session's threads, without a lock of the link's. */
typedef struct
{
  /* A report for our SSRC came from the receiver that the flow is bound to, or,
   * with `new_peer`, from another one after that one fell silent. Returns whether
   * it was accepted. */
  gboolean (*on_report) (GstElement * owner, const TfrcReport * report,
      gboolean new_peer);
  /* The receiver's SR or RR: a round-trip time (0: none yet) and the packets that it
   * counts as lost. */
  void (*on_receiver_report) (GstElement * owner, TfrcTime rtt, gint lost);
  /* An RTCP packet leaves now: fills the report for this moment, or returns
   * FALSE when there is nothing to report. */
  gboolean (*make_report) (GstElement * owner, TfrcReport * report,
      guint32 * media_ssrc);
} GstTfrcSessionReportsHandlers;

GstTfrcSessionReports *gst_tfrc_session_reports_new (GstElement * owner, const GstTfrcSessionReportsConfig * config,
    const GstTfrcSessionReportsHandlers * handlers);
GstTfrcSessionReports *gst_tfrc_session_reports_ref (GstTfrcSessionReports * link);
void gst_tfrc_session_reports_unref (GstTfrcSessionReports * link);

/* Binds to `session` (an RTPSession or an rtpsession element), or to the first
 * one that is found by following `pad`. TRUE when bound, also from before. */
gboolean gst_tfrc_session_reports_attach (GstTfrcSessionReports * link, GObject * session, GstPad * pad);
void gst_tfrc_session_reports_detach (GstTfrcSessionReports * link);

/* The SSRC of the data: the reports must be about it. */
void gst_tfrc_session_reports_set_media_ssrc (GstTfrcSessionReports * link, guint32 ssrc);

/* The share of its packets that are lost, by receiver reports; -1: not known. */
gdouble gst_tfrc_session_reports_get_loss (GstTfrcSessionReports * link);

/* Receiver: a report should leave as soon as the session lets it. With `here` it may
 * leave from within, as a packet of its own: the thread must be one that may block.
 * FALSE: not yet, the last one left but now; ask again. */
gboolean gst_tfrc_session_reports_request_report (GstTfrcSessionReports * link, gboolean here);

/* Receiver: R in ns (0: unknown) and what the data take on the wire in bytes/s
 * (0: unknown). Sets the session's RTCP bandwidth and returns the time that must
 * pass between reports, were R shorter than that. */
TfrcTime gst_tfrc_session_reports_set_path (GstTfrcSessionReports * link, TfrcTime R, gdouble wire_rate);

/* Receiver: the data show that a report came through. */
void gst_tfrc_session_reports_confirm (GstTfrcSessionReports * link);

void gst_tfrc_session_reports_add_stats (GstTfrcSessionReports * link, GstStructure * stats);

G_END_DECLS

#endif
