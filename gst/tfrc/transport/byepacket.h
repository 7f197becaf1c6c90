/* gst-tfrc: the RTCP packet that says goodbye
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_BYEPACKET_H
#define GST_TFRC_BYEPACKET_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* RR, SDES and BYE for the sources of the element `rtpsession` that spoke and
 * did not say BYE yet; NULL when there is none. For a session that is stopped
 * and cannot say it any more. */
GstBuffer *gst_tfrc_bye_new (GstElement * rtpsession);

/* Whether an RTCP buffer holds a BYE. */
gboolean gst_tfrc_bye_is_in (GstBuffer * rtcp);

G_END_DECLS

#endif
