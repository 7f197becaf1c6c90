/* gst-tfrc: by which flow the packets of an encoder depart
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/encoderroute.h"

#define MAX_ELEMENTS 32

static GstPad *
get_first_src (GstElement * element)
{
  GstPad *pad = NULL;

  GST_OBJECT_LOCK (element);
  if (element->srcpads != NULL)
    pad = gst_object_ref (element->srcpads->data);
  GST_OBJECT_UNLOCK (element);
  return pad;
}

/* The sink pad that a source pad leads to. The inner pad of a ghost pad leads out of the bin. */
static GstPad *
get_next_sink (GstPad * src)
{
  GstPad *peer = gst_pad_get_peer (src);

  while (peer != NULL && GST_IS_PROXY_PAD (peer) && !GST_IS_GHOST_PAD (peer)) {
    GstPad *outer = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (peer)));

    gst_object_unref (peer);
    peer = outer != NULL ? gst_pad_get_peer (outer) : NULL;
    gst_clear_object (&outer);
  }
  return peer;
}

static gboolean
is_end_pad (GstPad * sink, gboolean (*is_end) (GstElement * element))
{
  GstElement *element = gst_pad_get_parent_element (sink);
  gboolean is = element != NULL && is_end (element);

  gst_clear_object (&element);
  return is;
}

/* The pad inside of the bins whose ghost pad `sink` is; takes the reference. */
static GstPad *
enter_bins (GstPad * sink, gboolean (*is_end) (GstElement * element))
{
  while (sink != NULL && GST_IS_GHOST_PAD (sink)
      && !is_end_pad (sink, is_end)) {
    GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (sink));

    gst_object_unref (sink);
    sink = target;
  }
  return sink;
}

GstPad *
gst_tfrc_encoder_route_find_end (GstElement * element,
    gboolean (*is_end) (GstElement * element))
{
  GstPad *sink = NULL;
  GstElement *next = gst_object_ref (element);
  gboolean found = FALSE;
  guint i;

  for (i = 0; i < MAX_ELEMENTS && next != NULL && !found; i++) {
    GstPad *src = get_first_src (next);

    gst_clear_object (&sink);
    if (src != NULL)
      sink = enter_bins (get_next_sink (src), is_end);
    gst_clear_object (&src);
    gst_clear_object (&next);
    if (sink != NULL)
      next = gst_pad_get_parent_element (sink);
    found = sink != NULL && is_end_pad (sink, is_end);
  }
  gst_clear_object (&next);
  if (!found)
    gst_clear_object (&sink);
  return sink;
}
