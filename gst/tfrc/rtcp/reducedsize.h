/* gst-tfrc: whether reports leave as reduced-size RTCP, RFC 5506
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REDUCEDSIZE_H
#define GST_TFRC_REDUCEDSIZE_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean peer_takes;          /* the far end says so */
  gboolean on;                  /* we switched it on */
  gboolean sent_compound;       /* with a report in it */
  guint unconfirmed;            /* reduced-size reports since the data showed an effect */
  GstClockTime fallback, retry; /* when it was given up, and for how long */
  guint64 fallbacks;
} GstTfrcReducedSize;

void gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced);

/* A report has left. TRUE when `on` has changed. */
gboolean gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced, gboolean compound,
    GstClockTime now);

/* The data show that a report came through. */
void gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced);

G_END_DECLS

#endif
