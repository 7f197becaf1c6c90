/* gst-tfrc: the APP packet by which the ends of a flow learn of each other's settings
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_APPPACKET_H
#define GST_TFRC_APPPACKET_H

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

typedef struct
{
  guint mode, measure;          /* TfrcMode and TfrcMeasure, not checked */
  guint H;                      /* bytes */
  gboolean is_receiver;         /* of the data */
  gboolean takes_reduced;       /* reduced-size RTCP, RFC 5506 */
} GstTfrcApp;

/* Whether an APP packet with this name and subtype is one of ours. */
gboolean gst_tfrc_app_is_ours (const gchar * name, guint subtype);

/* `data` is what follows the name, or NULL. FALSE: malformed. */
gboolean gst_tfrc_app_parse (GstTfrcApp * app, GstBuffer * data);
void gst_tfrc_app_append (const GstTfrcApp * app, GstRTCPBuffer * rtcp, guint32 ssrc);

/* Whether the two ends cannot work together, and the error that says so. */
gboolean gst_tfrc_app_differs (const GstTfrcApp * own, const GstTfrcApp * theirs);
void gst_tfrc_app_post_mismatch (const GstTfrcApp * own, const GstTfrcApp * theirs,
    GstElement * owner);

G_END_DECLS

#endif
