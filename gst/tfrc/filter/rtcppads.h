/* gst-tfrc: the request pads for RTCP that the filters have
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTCPPADS_H
#define GST_TFRC_RTCPPADS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* A filter has each of its RTCP pads once or not at all. `slot` is the filter's field for
 * the pad, NULL while it is not requested, under the object lock of the filter. */

/* Makes the pad of `templ`, stores it in `slot` and adds it to `element`. NULL: the filter has
 * it already. `chain` is NULL for a source pad. */
GstPad *gst_tfrc_rtcp_pad_request (GstElement * element, GstPad ** slot,
    GstPadTemplate * templ, GstPadChainFunction chain,
    GstPadIterIntLinkFunction links);
void gst_tfrc_rtcp_pad_release (GstElement * element, GstPad ** slot);

/* A reference on the pad in `slot`, or NULL. */
GstPad *gst_tfrc_rtcp_pad_get (GstElement * element, GstPad * const *slot);

/* The internal links of a pad that leads to `other` alone, or to none when that is NULL. */
GstIterator *gst_tfrc_rtcp_pad_links_to (GstPad * other);

G_END_DECLS

#endif
