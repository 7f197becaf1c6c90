/* gst-tfrc: whether a property may be changed in the state of its element
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/propertymutability.h"

/* The highest state in which the property may be changed. */
static GstState
get_last_state (const GParamSpec * spec)
{
  if (spec->flags & GST_PARAM_MUTABLE_PLAYING)
    return GST_STATE_PLAYING;
  if (spec->flags & GST_PARAM_MUTABLE_PAUSED)
    return GST_STATE_PAUSED;
  return spec->flags & GST_PARAM_MUTABLE_READY ? GST_STATE_READY :
      GST_STATE_NULL;
}

/* The state of the element, or the state that it is going to if that is higher. */
static GstState
get_state (GstElement * element)
{
  GstState state;

  GST_OBJECT_LOCK (element);
  state = MAX (GST_STATE (element), GST_STATE_NEXT (element));
  GST_OBJECT_UNLOCK (element);
  return state;
}

static gboolean
is_same (GObject * object, GParamSpec * spec, const GValue * value)
{
  GValue now = G_VALUE_INIT;
  gboolean same;

  if (!(spec->flags & G_PARAM_READABLE))
    return FALSE;
  g_object_get_property (object, spec->name, &now);
  same = g_param_values_cmp (spec, value, &now) == 0 ||
      gst_value_compare (value, &now) == GST_VALUE_EQUAL;
  g_value_unset (&now);
  return same;
}

gboolean
gst_tfrc_property_may_change (GObject * object, GParamSpec * spec,
    const GValue * value)
{
  GstState last = get_last_state (spec);
  GstState state = get_state (GST_ELEMENT (object));

  if (state <= last || is_same (object, spec, value))
    return TRUE;
  GST_ELEMENT_WARNING (object, RESOURCE, SETTINGS,
      ("The property \"%s\" cannot be changed in the state %s and keeps its "
          "value. Set it in the state NULL%s.", spec->name,
          gst_element_state_get_name (state),
          last == GST_STATE_NULL ? "" : " or READY"), (NULL));
  return FALSE;
}
