/* gst-tfrc: registers the elements of the plugin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

#include "filter/gstrtphdrexttfrc.h"
#include "filter/gstrtptfrcreceive.h"
#include "filter/gstrtptfrcsend.h"
#include "codec/gsttfrcdecodebin.h"
#include "codec/gsttfrcencodebin.h"
#include "codec/gsttfrcencodercontrol.h"
#include "codec/gsttfrcopusdec.h"
#include "codec/gsttfrcopusenc.h"
#include "transport/gsttfrcbin.h"
#include "transport/gsttfrcsink.h"
#include "transport/gsttfrcsrc.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ret = TRUE;

  ret &= GST_ELEMENT_REGISTER (rtphdrexttfrc, plugin);
  ret &= GST_ELEMENT_REGISTER (rtptfrcreceive, plugin);
  ret &= GST_ELEMENT_REGISTER (rtptfrcsend, plugin);
  /* After the filters: the bins copy properties of theirs. */
  ret &= GST_ELEMENT_REGISTER (tfrcdecodebin, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcencodebin, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcencodercontrol, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcopusdec, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcopusenc, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcbin, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcsink, plugin);
  ret &= GST_ELEMENT_REGISTER (tfrcsrc, plugin);
  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, tfrc,
    "TCP-friendly rate control for RTP (RFC 5348) and its small-packet variant (RFC 4828)",
    plugin_init, VERSION, "LGPL", PACKAGE, TFRC_ORIGIN)
