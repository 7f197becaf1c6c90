/* gst-tfrc tests: an element on a bus of its own, and what it posts
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "element.h"

#include <string.h>

GstElement *
element_new (GstBus ** bus)
{
  GstElement *element = gst_bin_new ("element");

  *bus = gst_bus_new ();
  gst_element_set_bus (element, *bus);
  return element;
}

void
element_free (GstElement * element, GstBus * bus)
{
  gst_bus_set_flushing (bus, TRUE);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}

void
element_expect_message (GstBus * bus, GstMessageType type, const gchar * words)
{
  GstMessage *message = gst_bus_pop (bus);
  GError *error = NULL;

  if (words == NULL) {
    fail_unless (message == NULL);
    return;
  }
  fail_unless (message != NULL, "no message with: %s", words);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), type);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
}
