/* gst-tfrc: the warnings of rtptfrcsend, each posted once
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDWARNINGS_H
#define GST_TFRC_SENDWARNINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

enum
{
  GST_TFRC_WARN_SESSION = 1 << 0,       /* there is no RTP session */
  GST_TFRC_WARN_SIZE = 1 << 1,  /* packets are too large for tfrc-sp */
  GST_TFRC_WARN_RATE = 1 << 2,  /* packets are too many for tfrc-sp */
  GST_TFRC_WARN_PAYLOAD = 1 << 3        /* the payload type could be RTCP's */
};

/* Each warning is posted once after a start. The lock of the filter guards the object, which is zero
 * to begin with. */
typedef struct
{
  guint pending;                /* set of the warnings that wait to be posted */
  guint noted;                  /* set of the warnings that were noted since the start */
} GstTfrcSendWarnings;

void gst_tfrc_send_warnings_note (GstTfrcSendWarnings * warnings,
    guint warning);

/* Takes the set of the warnings that wait. The caller posts them without its lock. */
guint gst_tfrc_send_warnings_take (GstTfrcSendWarnings * warnings);
void gst_tfrc_send_warnings_post (guint warnings, GstElement * element);

G_END_DECLS

#endif
