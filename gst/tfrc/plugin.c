/* gst-tfrc: the plugin
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

static gboolean
plugin_init (GstPlugin * plugin)
{
  return TRUE;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, tfrc,
    "TCP-friendly rate control for RTP (RFC 5348) and its small-packet variant (RFC 4828)",
    plugin_init, VERSION, "LGPL", PACKAGE, "gst-tfrc")
