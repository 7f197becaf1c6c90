/* gst-tfrc: what caps, and SDP through them, say of TFRC
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   extmap-<id>   a=extmap:<id> urn:ietf:params:rtp-hdrext:rtt-sendts
 *   rtcp-fb-tfrc  a=rtcp-fb:<pt> tfrc
 *   tfrc-mode     a=fmtp:<pt> tfrc-mode=tfrc-sp */
#ifndef GST_TFRC_CAPS_H
#define GST_TFRC_CAPS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

typedef enum
{
  GST_TFRC_CAPS_GOOD,           /* also when they say nothing */
  GST_TFRC_CAPS_OTHER_MODE,
  GST_TFRC_CAPS_NO_FEEDBACK,    /* other feedback was agreed on, but not that of TFRC */
  GST_TFRC_CAPS_NO_EXTENSION
} GstTfrcCapsVerdict;

GstTfrcCapsVerdict gst_tfrc_caps_check (const GstCaps * caps, TfrcMode mode);

/* The same, and an error or a warning on the element's bus that names the remedy.
 * FALSE: not to be run with these caps. */
gboolean gst_tfrc_caps_judge (const GstCaps * caps, TfrcMode mode,
    GstElement * sender);
gboolean gst_tfrc_caps_judge_received (const GstCaps * caps, TfrcMode mode,
    GstElement * receiver);

/* Takes a caps event and returns one whose caps say all three. */
GstEvent *gst_tfrc_caps_complete (GstEvent * event, guint id, TfrcMode mode);

G_END_DECLS

#endif
