/* gst-tfrc: finds the RTP session that a filter is linked to
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/findrtpsession.h"

/* Elements between a filter and its session. */
#define DEPTH 16

gboolean
gst_tfrc_is_rtpsession (gpointer object)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (object),
      "internal-session") != NULL;
}

/* The pad of an element that `pad` leads to, through the walls of bins. */
static GstPad *
get_far_pad (GstPad * pad)
{
  GstPad *peer = gst_pad_get_peer (pad), *next;

  while (peer != NULL) {
    if (GST_IS_GHOST_PAD (peer)) {      /* into a bin */
      next = gst_ghost_pad_get_target (GST_GHOST_PAD (peer));
    } else if (GST_IS_PROXY_PAD (peer)) {       /* out of one */
      GstProxyPad *ghost = gst_proxy_pad_get_internal (GST_PROXY_PAD (peer));

      next = ghost != NULL ? gst_pad_get_peer (GST_PAD (ghost)) : NULL;
      gst_clear_object (&ghost);
    } else {
      return peer;
    }
    gst_object_unref (peer);
    peer = next;
  }
  return NULL;
}

static GstElement *find_session (GstPad * pad, guint depth);

static GstElement *
find_session_beyond (GstPad * pad, guint depth)
{
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue item = G_VALUE_INIT;
  GstElement *session = NULL;

  while (it != NULL && session == NULL &&
      gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    session = find_session (g_value_get_object (&item), depth);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  if (it != NULL)
    gst_iterator_free (it);
  return session;
}

static GstElement *
find_session (GstPad * pad, guint depth)
{
  GstPad *far = depth > 0 ? get_far_pad (pad) : NULL;
  GstElement *element = far != NULL ? gst_pad_get_parent_element (far) : NULL;

  if (element != NULL && !gst_tfrc_is_rtpsession (element)) {
    gst_object_unref (element);
    element = find_session_beyond (far, depth - 1);
  }
  gst_clear_object (&far);
  return element;
}

GstElement *
gst_tfrc_find_rtpsession (GstPad * pad)
{
  return find_session (pad, DEPTH);
}
