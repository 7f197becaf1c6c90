/* gst-tfrc: what the sending filter warns of, once each
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SENDWARNINGS_H
#define GST_TFRC_SENDWARNINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

enum
{
  GST_TFRC_WARN_SESSION = 1 << 0,
  GST_TFRC_WARN_SIZE = 1 << 1,
  GST_TFRC_WARN_RATE = 1 << 2,
  GST_TFRC_WARN_PAYLOAD = 1 << 3
};

/* Zero to begin with; under the owner's lock. */
typedef struct
{
  guint pending, noted;
} GstTfrcSendWarnings;

void gst_tfrc_send_warnings_note (GstTfrcSendWarnings * warnings, guint warning);

/* Those that wait to be posted, which the caller does without a lock. */
guint gst_tfrc_send_warnings_take (GstTfrcSendWarnings * warnings);
void gst_tfrc_send_warnings_post (guint warnings, GstElement * element);

G_END_DECLS

#endif
