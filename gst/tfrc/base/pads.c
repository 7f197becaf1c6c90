/* gst-tfrc: the pads of bins and the request pads of filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/pads.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpads", "TFRC pads of bins and filters");

/* --- links --- */

static void
post_error (GstElement * bin, const gchar * from, const gchar * src,
    const gchar * to, const gchar * sink)
{
  GST_ELEMENT_ERROR (bin, CORE, PAD,
      ("Inside %s, the pad \"%s\" of %s cannot be linked to the pad \"%s\" of "
          "%s. Check the installation of GStreamer's plugins.",
          GST_ELEMENT_NAME (bin), src, from, sink, to), (NULL));
}

static gboolean
are_linked (GstElement * from, GstElement * to)
{
  GstPad *src = gst_element_get_static_pad (from, "src");
  GstPad *peer = src != NULL ? gst_pad_get_peer (src) : NULL;
  gboolean linked = peer != NULL && GST_PAD_PARENT (peer) == to;

  gst_clear_object (&src);
  gst_clear_object (&peer);
  return linked;
}

gboolean
gst_tfrc_bin_pads_link_elements (GstElement * bin, GstElement * from,
    GstElement * to)
{
  GST_DEBUG_OBJECT (bin, "linking %s to %s", GST_ELEMENT_NAME (from),
      GST_ELEMENT_NAME (to));
  if (are_linked (from, to) || gst_element_link_pads (from, "src", to, "sink"))
    return TRUE;
  post_error (bin, GST_ELEMENT_NAME (from), "src", GST_ELEMENT_NAME (to),
      "sink");
  return FALSE;
}

gboolean
gst_tfrc_bin_pads_link_named (GstElement * bin, GstElement * from,
    const gchar * src, GstElement * to, const gchar * sink)
{
  if (gst_element_link_pads_full (from, src, to, sink,
          GST_PAD_LINK_CHECK_NOTHING))
    return TRUE;
  post_error (bin, GST_ELEMENT_NAME (from), src, GST_ELEMENT_NAME (to), sink);
  return FALSE;
}

gboolean
gst_tfrc_bin_pads_set_target (GstElement * bin, GstPad * ghost, GstPad * target)
{
  if (gst_ghost_pad_set_target (GST_GHOST_PAD (ghost), target))
    return TRUE;
  post_error (bin, GST_OBJECT_NAME (GST_OBJECT_PARENT (target)),
      GST_PAD_NAME (target), GST_ELEMENT_NAME (bin), GST_PAD_NAME (ghost));
  return FALSE;
}

void
gst_tfrc_bin_pads_remove_elements (GstBin * bin, GstElement * const *elements,
    guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    gst_element_set_locked_state (elements[i], TRUE);
    gst_element_set_state (elements[i], GST_STATE_NULL);
    GST_DEBUG_OBJECT (bin, "removing %s", GST_ELEMENT_NAME (elements[i]));
    gst_bin_remove (bin, elements[i]);
  }
}

/* --- plugs --- */

static GstFlowReturn
drop_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
drop_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

static gboolean
answer_nothing (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return FALSE;
}

static void
link_plug (GstPad * pad, GPtrArray * plugs)
{
  gboolean is_src = GST_PAD_IS_SRC (pad);
  GstPad *plug = gst_pad_new ("plug", is_src ? GST_PAD_SINK : GST_PAD_SRC);

  if (is_src)
    gst_pad_set_chain_function (plug, drop_buffer);
  gst_pad_set_event_function (plug, drop_event);
  gst_pad_set_query_function (plug, answer_nothing);
  gst_pad_set_active (plug, TRUE);
  gst_pad_link_full (is_src ? pad : plug, is_src ? plug : pad,
      GST_PAD_LINK_CHECK_NOTHING);
  g_ptr_array_add (plugs, gst_object_ref_sink (plug));
}

static void
free_plug (gpointer data)
{
  GstPad *plug = data, *peer = gst_pad_get_peer (plug);

  if (peer != NULL && GST_PAD_IS_SRC (peer))
    gst_pad_unlink (peer, plug);
  else if (peer != NULL)
    gst_pad_unlink (plug, peer);
  gst_clear_object (&peer);
  gst_pad_set_active (plug, FALSE);
  gst_object_unref (plug);
}

GPtrArray *
gst_tfrc_bin_pads_new_plugs (void)
{
  return g_ptr_array_new_with_free_func (free_plug);
}

static gboolean
plug_if_unlinked (GstElement * element, GstPad * pad, gpointer plugs)
{
  if (!gst_pad_is_linked (pad))
    link_plug (pad, plugs);
  return TRUE;
}

static void
plug_element (const GValue * element, gpointer plugs)
{
  gst_element_foreach_pad (g_value_get_object (element), plug_if_unlinked,
      plugs);
}

void
gst_tfrc_bin_pads_plug (GstBin * bin, GPtrArray * plugs)
{
  GstIterator *elements = gst_bin_iterate_elements (bin);

  while (gst_iterator_foreach (elements, plug_element, plugs) ==
      GST_ITERATOR_RESYNC)
    gst_iterator_resync (elements);
  gst_iterator_free (elements);
}

/* --- request pads for RTCP --- */

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
