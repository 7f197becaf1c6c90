/* gst-tfrc: warnings of rtptfrcsend about packets and pipelines that do not suit it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A warning is noted where its reason is seen, under the element's lock, and posted after the lock is
 * released. Each one is posted once after a start. */
#ifndef GST_TFRC_SENDWARNINGS_H
#define GST_TFRC_SENDWARNINGS_H

#include <gst/gst.h>

#include "filter/dataflowsender.h"

G_BEGIN_DECLS

/* A set of warnings is a guint. */
enum
{
  GST_TFRC_WARN_SESSION = 1 << 0,       /* there is no RTP session */
  GST_TFRC_WARN_SIZE = 1 << 1,          /* packets are too large for tfrc-sp */
  GST_TFRC_WARN_RATE = 1 << 2,          /* packets are too many for tfrc-sp */
  GST_TFRC_WARN_PAYLOAD = 1 << 3,       /* the payload type cannot be distinguished from RTCP */
  GST_TFRC_WARN_FLOWS = 1 << 4          /* packets have too many SSRCs */
};

/* Plain state, guarded by the element's lock; all 0 at a start. */
typedef struct
{
  guint to_post;                /* warnings that wait to be posted */
  guint noted;                  /* warnings that were noted since the start */
} GstTfrcSendWarnings;

void gst_tfrc_send_warnings_note (GstTfrcSendWarnings * warnings, guint warning);

/* Notes a warning when the last packet that `flow` has taken is too large for TFRC-SP, or when the packets are too
 * many. */
void gst_tfrc_send_warnings_check_size (GstTfrcSendWarnings * warnings,
    const GstTfrcDataFlowSender * flow);

/* Returns the warnings that wait to be posted, which then wait no longer. */
guint gst_tfrc_send_warnings_take (GstTfrcSendWarnings * warnings);

/* Posts a set of warnings. Called without the element's lock. */
void gst_tfrc_send_warnings_post (guint warnings, GstElement * element);

G_END_DECLS

#endif
