/* gst-tfrc: makes and finds RTCP BYE packets
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A BYE tells the remote that a source leaves the session (RFC 3550 6.6). The functions hold no
 * state. */
#ifndef GST_TFRC_BYEPACKET_H
#define GST_TFRC_BYEPACKET_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns a compound packet with RR, SDES and BYE for each local source of the element
 * `rtpsession` that has sent packets and no BYE yet, or NULL when there is none. It is for a
 * session that no longer runs and cannot send its BYE itself. */
GstBuffer *gst_tfrc_bye_new (GstElement * rtpsession);

/* Whether an RTCP packet contains a BYE. */
gboolean gst_tfrc_bye_is_in (GstBuffer * rtcp);

G_END_DECLS

#endif
