/* gst-tfrc: the insides of the link to the RTP session
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_LINK_PRIVATE_H
#define GST_TFRC_LINK_PRIVATE_H

#include <tfrcadapt/loss-share.h>

#include "gsttfrcapp.h"
#include "gsttfrclink.h"
#include "gsttfrcpeer.h"
#include "gsttfrcreduced.h"
#include "gsttfrcshortcut.h"
#include "gsttfrcspacing.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_tfrc_link_debug);
#define GST_CAT_DEFAULT gst_tfrc_link_debug

/* The APP packet goes beside so many compound packets to each peer. */
#define GST_TFRC_LINK_APP_TIMES 5

typedef enum
{
  GST_TFRC_LINK_ON_FEEDBACK,
  GST_TFRC_LINK_ON_APP,
  GST_TFRC_LINK_ON_SENDING,
  GST_TFRC_LINK_ON_ACTIVE,
  GST_TFRC_LINK_ON_BYE,
  GST_TFRC_LINK_ON_TIMEOUT,
  GST_TFRC_LINK_N_SIGNALS
} GstTfrcLinkSignal;

struct _GstTfrcLink
{
  GWeakRef owner;
  GstTfrcLinkConfig config;
  GstTfrcLinkHandlers handlers;
  GstTfrcApp own;               /* what the far end is told */

  GMutex lock;
  GObject *session;
  GstElement *rtpsession;       /* whose it is, if known */
  GstPad *rtcp_pad;             /* its way out, while reduced-size RTCP is on */
  guint32 own_ssrc;             /* what reduced-size reports are from */
  gulong signals[GST_TFRC_LINK_N_SIGNALS];
  guint send_rtcp;              /* signal id */

  GstTfrcPeer peer;
  GstTfrcShortcut shortcut;     /* for reports, once the session has shown one */
  TfrcAdaptLossShare loss;           /* by the peer's receiver reports */
  guint app_left;
  gboolean mismatch;            /* told already */

  GstTfrcReduced reduced;
  GstTfrcSpacing spacing;

  guint64 received, malformed, sent, requested, refused, apps_malformed;
};

/* The session, if there is one; the caller's. */
GObject *gst_tfrc_link_get_session (GstTfrcLink * link);

/* With the lock: `callback` hears a signal of the session, the link its data. */
void gst_tfrc_link_connect (GstTfrcLink * link, GstTfrcLinkSignal signal,
    const gchar * name, GCallback callback);
void gst_tfrc_link_connect_in (GstTfrcLink * link);
void gst_tfrc_link_connect_out (GstTfrcLink * link);

G_END_DECLS

#endif
