/* gst-tfrc: the warnings of rtptfrcsend, each posted once
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/sendwarnings.h"

void
gst_tfrc_send_warnings_note (GstTfrcSendWarnings * warnings, guint warning)
{
  if (warnings->noted & warning)
    return;
  warnings->pending |= warning;
  warnings->noted |= warning;
}

guint
gst_tfrc_send_warnings_take (GstTfrcSendWarnings * warnings)
{
  guint pending = warnings->pending;

  warnings->pending = 0;
  return pending;
}

void
gst_tfrc_send_warnings_post (guint warnings, GstElement * element)
{
  /* in the order of their bits */
  static const gchar *texts[] = {
    "No RTP session that reports come in by. Put rtptfrcsend in front of "
        "rtpsession or set rtp-session.",
    "Packets of more than 1500 bytes in mode tfrc-sp, which is for small ones. "
        "Set mode=tfrc on both ends.",
    "More than 100 packets/s in mode tfrc-sp, which sends no more. Use longer "
        "frames, or set mode=tfrc on both ends.",
    "Payload types 64 to 95 cannot be told from RTCP on the same port. Set the "
        "payloader's pt to one of 96 to 127.",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    if (warnings & 1 << i)
      GST_ELEMENT_WARNING (element, STREAM, FORMAT, ("%s", texts[i]), (NULL));
  }
}
