/* gst-tfrc: the insides of the link to the RTP session
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SESSIONREPORTSPRIVATE_H
#define GST_TFRC_SESSIONREPORTSPRIVATE_H

#include <tfrcadapt/loss-share.h>

#include "rtcp/apppacket.h"
#include "rtcp/sessionreports.h"
#include "rtcp/remotereceiver.h"
#include "rtcp/reducedsize.h"
#include "rtcp/reportshortcut.h"
#include "rtcp/reportinterval.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_tfrc_session_reports_debug);
#define GST_CAT_DEFAULT gst_tfrc_session_reports_debug

/* The APP packet goes beside so many compound packets to each peer. */
#define GST_TFRC_SESSION_REPORTS_APP_TIMES 5

typedef enum
{
  GST_TFRC_SESSION_REPORTS_ON_FEEDBACK,
  GST_TFRC_SESSION_REPORTS_ON_APP,
  GST_TFRC_SESSION_REPORTS_ON_SENDING,
  GST_TFRC_SESSION_REPORTS_ON_ACTIVE,
  GST_TFRC_SESSION_REPORTS_ON_BYE,
  GST_TFRC_SESSION_REPORTS_ON_TIMEOUT,
  GST_TFRC_SESSION_REPORTS_N_SIGNALS
} GstTfrcSessionReportsSignal;

struct _GstTfrcSessionReports
{
  GWeakRef owner;
  GstTfrcSessionReportsConfig config;
  GstTfrcSessionReportsHandlers handlers;
  GstTfrcApp own;               /* what the far end is told */

  GMutex lock;
  GObject *session;
  GstElement *rtpsession;       /* whose it is, if known */
  GstPad *rtcp_pad;             /* its way out, while reduced-size RTCP is on */
  guint32 own_ssrc;             /* what reduced-size reports are from */
  gulong signals[GST_TFRC_SESSION_REPORTS_N_SIGNALS];
  guint send_rtcp;              /* signal id */

  GstTfrcRemoteReceiver peer;
  GstTfrcReportShortcut shortcut;     /* for reports, once the session has shown one */
  TfrcAdaptLossShare loss;           /* by the peer's receiver reports */
  guint app_left;
  gboolean mismatch;            /* told already */

  GstTfrcReducedSize reduced;
  GstTfrcReportInterval spacing;

  guint64 received, malformed, sent, requested, refused, apps_malformed;
};

/* The session, if there is one; the caller's. */
GObject *gst_tfrc_session_reports_get_session (GstTfrcSessionReports * link);

/* With the lock: `callback` hears a signal of the session, the link its data. */
void gst_tfrc_session_reports_connect (GstTfrcSessionReports * link, GstTfrcSessionReportsSignal signal,
    const gchar * name, GCallback callback);
void gst_tfrc_session_reports_connect_in (GstTfrcSessionReports * link);
void gst_tfrc_session_reports_connect_out (GstTfrcSessionReports * link);

G_END_DECLS

#endif
