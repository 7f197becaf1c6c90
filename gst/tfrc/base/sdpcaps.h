/* gst-tfrc: what caps, and SDP through them, say of TFRC
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   extmap-<id>   a=extmap:<id> urn:ietf:params:rtp-hdrext:rtt-sendts
 *   rtcp-fb-tfrc  a=rtcp-fb:<pt> tfrc
 *   tfrc-mode     a=fmtp:<pt> tfrc-mode=tfrc-sp */
#ifndef GST_TFRC_SDPCAPS_H
#define GST_TFRC_SDPCAPS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "base/warnings.h"

G_BEGIN_DECLS

typedef enum
{
  GST_TFRC_SDP_CAPS_GOOD,           /* also when they say nothing */
  GST_TFRC_SDP_CAPS_OTHER_MODE,
  GST_TFRC_SDP_CAPS_NO_FEEDBACK,    /* other feedback was agreed on, but not that of TFRC */
  GST_TFRC_SDP_CAPS_NO_EXTENSION
} GstTfrcSdpCapsVerdict;

GstTfrcSdpCapsVerdict gst_tfrc_sdp_caps_check (const GstCaps * caps, TfrcMode mode);

/* The same, and an error or a warning on the element's bus that names the remedy.
 * FALSE: not to be run with these caps. */
gboolean gst_tfrc_sdp_caps_judge (const GstCaps * caps, TfrcMode mode,
    GstElement * sender);
gboolean gst_tfrc_sdp_caps_judge_received (const GstCaps * caps, TfrcMode mode,
    GstElement * receiver, GstTfrcWarning * warning);

/* The ID, 1 to 255, that the field extmap-<id> of `caps` gives to the header extension
 * urn:ietf:params:rtp-hdrext:rtt-sendts; 0: `caps` have none, or are NULL. */
guint gst_tfrc_sdp_caps_find_extension_id (const GstCaps * caps);

/* Takes a caps event and returns one whose caps say all three. */
GstEvent *gst_tfrc_sdp_caps_complete (GstEvent * event, guint id, TfrcMode mode);

G_END_DECLS

#endif
