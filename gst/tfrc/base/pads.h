/* gst-tfrc: the pads of bins and the request pads of filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PADS_H
#define GST_TFRC_PADS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* --- links inside a bin ---
 *
 * A bin calls these functions for elements that it owns, in the thread that links them. Each of the
 * next three links two pads inside `bin`. When the link fails, the function posts an error that
 * names both pads on the bus of `bin`, and returns FALSE. */

/* Links the pads "src" and "sink" of two elements. A link that is there already is a
 * success. */
gboolean gst_tfrc_bin_pads_link_elements (GstElement * bin, GstElement * from,
    GstElement * to);

/* Links two pads by name, request pads too, without comparing their caps. */
gboolean gst_tfrc_bin_pads_link_named (GstElement * bin, GstElement * from,
    const gchar * src, GstElement * to, const gchar * sink);

/* Makes `target`, a pad of an element, the target of a ghost pad of `bin`. */
gboolean gst_tfrc_bin_pads_set_target (GstElement * bin, GstPad * ghost,
    GstPad * target);

/* Stops `n` elements and removes them from `bin`, which may be changing its state in another
 * thread. */
void gst_tfrc_bin_pads_remove_elements (GstBin * bin,
    GstElement * const *elements, guint n);

/* --- plugs ---
 *
 * Applications and GStreamer look for unlinked pads in a bin and in the elements inside, and link
 * what they find. A plug is a pad without an element, which is linked to a pad inside a bin so that
 * the latter is not unlinked. The plug drops the buffers and events that it gets. */

/* Plugs every unlinked pad of the elements in `bin`. `plugs`, from
 * gst_tfrc_bin_pads_new_plugs(), owns the plugs: a plug is unlinked when it is removed from
 * there. */
void gst_tfrc_bin_pads_plug (GstBin * bin, GPtrArray * plugs);
GPtrArray *gst_tfrc_bin_pads_new_plugs (void);

/* --- request pads for RTCP --- */

/* A filter has each of its RTCP pads once or not at all. `slot` is the field of the filter for the
 * pad, guarded by the object lock of the filter; NULL: the pad is not requested. */

/* Makes the pad of `templ`, stores it in `slot` and adds it to `element`. Returns NULL when the
 * filter has the pad already. `chain` is NULL for a source pad. */
GstPad *gst_tfrc_rtcp_pad_request (GstElement * element, GstPad ** slot,
    GstPadTemplate * templ, GstPadChainFunction chain,
    GstPadIterIntLinkFunction links);
void gst_tfrc_rtcp_pad_release (GstElement * element, GstPad ** slot);

/* Returns a reference on the pad in `slot`, or NULL. */
GstPad *gst_tfrc_rtcp_pad_get (GstElement * element, GstPad * const *slot);

/* The internal links of a pad that leads to `other` alone, or to none when that is NULL. */
GstIterator *gst_tfrc_rtcp_pad_links_to (GstPad * other);

G_END_DECLS

#endif
