/* gst-tfrc: the request pads for RTCP that the filters have
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/rtcppads.h"

GstPad *
gst_tfrc_rtcp_pad_request (GstElement * element, GstPad ** slot,
    GstPadTemplate * templ, GstPadChainFunction chain,
    GstPadIterIntLinkFunction links)
{
  GstPad *pad = gst_pad_new_from_template (templ,
      GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
  gboolean is_first;

  if (chain != NULL)
    gst_pad_set_chain_function (pad, chain);
  gst_pad_set_iterate_internal_links_function (pad, links);
  GST_OBJECT_LOCK (element);
  is_first = *slot == NULL;
  if (is_first)
    *slot = pad;
  GST_OBJECT_UNLOCK (element);
  if (!is_first) {
    gst_object_unref (gst_object_ref_sink (pad));
    return NULL;
  }
  gst_element_add_pad (element, pad);
  return pad;
}

void
gst_tfrc_rtcp_pad_release (GstElement * element, GstPad ** slot)
{
  GstPad *pad;

  GST_OBJECT_LOCK (element);
  pad = g_steal_pointer (slot);
  GST_OBJECT_UNLOCK (element);
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

GstPad *
gst_tfrc_rtcp_pad_get (GstElement * element, GstPad * const *slot)
{
  GstPad *pad;

  GST_OBJECT_LOCK (element);
  pad = *slot != NULL ? gst_object_ref (*slot) : NULL;
  GST_OBJECT_UNLOCK (element);
  return pad;
}

GstIterator *
gst_tfrc_rtcp_pad_links_to (GstPad * other)
{
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  if (other == NULL)
    return NULL;
  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, other);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}
