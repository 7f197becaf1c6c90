/* gst-tfrc: the fields of caps that negotiate TFRC, and the lines of SDP that they stand for
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   extmap-<id>   a=extmap:<id> urn:ietf:params:rtp-hdrext:rtt-sendts
 *   rtcp-fb-tfrc  a=rtcp-fb:<pt> tfrc
 *   tfrc-mode     a=fmtp:<pt> tfrc-mode=tfrc-sp
 *
 * The left column has the fields of caps, the right column the lines of SDP that GStreamer makes
 * of them. The functions have no state; any thread may call them. */
#ifndef GST_TFRC_TFRCCAPS_H
#define GST_TFRC_TFRCCAPS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "base/messages.h"

G_BEGIN_DECLS

/* What the caps negotiate. */
typedef enum
{
  GST_TFRC_CAPS_GOOD,           /* all of TFRC, or no RTCP feedback at all */
  GST_TFRC_CAPS_OTHER_MODE,     /* tfrc-mode is another than the mode of the element */
  GST_TFRC_CAPS_NO_FEEDBACK,    /* the caps negotiate RTCP feedback, but not "tfrc" */
  GST_TFRC_CAPS_NO_EXTENSION    /* feedback without the header extension */
} GstTfrcCapsVerdict;

/* `mode` here and below is a value of the property "mode", GST_TFRC_MODE_AUTO included. */
GstTfrcCapsVerdict gst_tfrc_caps_check (const GstCaps * caps, gint mode);

/* The TfrcMode of packets with these caps: the one that tfrc-mode names, else TFRC-SP where the media are audio or
 * text, and TFRC where they are something else; -1: the caps do not say what the media are, or are NULL.
 * `agreed` is set to whether tfrc-mode names it, so that both ends have agreed on it. */
gint gst_tfrc_caps_get_mode (const GstCaps * caps, gboolean * agreed);

/* Both functions check `caps` and, where these do not fit, post an error or a warning that names the
 * remedy. gst_tfrc_caps_judge() returns FALSE when the data sender `sender` must refuse `caps`,
 * gst_tfrc_caps_judge_received() when the data receiver `receiver` must not send reports. */
gboolean gst_tfrc_caps_judge (const GstCaps * caps, gint mode,
    GstElement * sender);
gboolean gst_tfrc_caps_judge_received (const GstCaps * caps, gint mode,
    GstElement * receiver, GstTfrcWarning * warning);

#define GST_TFRC_CAPS_EXTMAP "extmap-"

/* The ID, 1 to 255, that the field extmap-<id> of `caps` gives to the header extension of this URI; 0: `caps` have
 * none, or are NULL. */
guint gst_tfrc_caps_find_id_of (const GstCaps * caps, const gchar * uri);

/* The same for TFRC's stamp, urn:ietf:params:rtp-hdrext:rtt-sendts. */
guint gst_tfrc_caps_find_extension_id (const GstCaps * caps);

/* Takes a caps event. Returns a caps event whose caps have all three fields, but without the mode where it is
 * GST_TFRC_MODE_AUTO and the caps do not say which one that is. */
GstEvent *gst_tfrc_caps_complete (GstEvent * event, guint id, gint mode);

G_END_DECLS

#endif
