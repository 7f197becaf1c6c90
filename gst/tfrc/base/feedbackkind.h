/* gst-tfrc: which RTCP feedback tells the data sender what arrived, and how caps negotiate it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FEEDBACKKIND_H
#define GST_TFRC_FEEDBACKKIND_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The header extension that carries the transport-wide sequence number. */
#define GST_TFRC_TRANSPORT_URI \
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

/* The values of the property "feedback". */
typedef enum
{
  GST_TFRC_FEEDBACK_AUTO,       /* by the caps */
  GST_TFRC_FEEDBACK_TFRC,       /* TFRC reports, RFC 5348 3.2.2 */
  GST_TFRC_FEEDBACK_TWCC,       /* draft-holmer-rmcat-transport-wide-cc-extensions-01 */
  GST_TFRC_FEEDBACK_CCFB,       /* RFC 8888 */
  GST_TFRC_FEEDBACK_RR          /* report blocks, RFC 3550 6.4.1 */
} GstTfrcFeedback;

#define GST_TYPE_TFRC_FEEDBACK (gst_tfrc_feedback_get_type ())
GType gst_tfrc_feedback_get_type (void);

const gchar *gst_tfrc_feedback_get_nick (GstTfrcFeedback feedback);

/* The feedback that `caps` negotiate, never GST_TFRC_FEEDBACK_AUTO: the first of these that fits.
 *
 * - TFRC reports, where the caps have a field of TFRC (base/tfrccaps.h).
 * - Transport-wide feedback, where the caps have the header extension of the transport-wide sequence number, and the
 *   field of that feedback or no field of RTCP feedback at all: rtpfunnel, and with it a bundle of webrtcbin, leaves
 *   these fields out.
 * - Feedback of RFC 8888, where the caps have its field.
 * - TFRC reports, where the caps are not from an SDP.
 * - Report blocks. */
GstTfrcFeedback gst_tfrc_feedback_of_caps (const GstCaps * caps);

/* The ID of the header extension with the transport-wide sequence number; 0: `caps` have none. */
guint gst_tfrc_feedback_find_transport_id (const GstCaps * caps);

G_END_DECLS

#endif
