/* gst-tfrc: warnings of rtptfrcsend about packets and pipelines that do not suit it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/sendwarnings.h"

void
gst_tfrc_send_warnings_note (GstTfrcSendWarnings * warnings, guint warning)
{
  warnings->to_post |= warning & ~warnings->noted;
  warnings->noted |= warning;
}

void
gst_tfrc_send_warnings_check_size (GstTfrcSendWarnings * warnings,
    const GstTfrcDataFlowSender * flow)
{
  if (flow->config.mode != TFRC_MODE_TFRC_SP)
    return;
  if (gst_tfrc_data_flow_sender_is_too_large (flow))
    gst_tfrc_send_warnings_note (warnings, GST_TFRC_WARN_SIZE);
  if (gst_tfrc_data_flow_sender_is_too_fast (flow))
    gst_tfrc_send_warnings_note (warnings, GST_TFRC_WARN_RATE);
}

guint
gst_tfrc_send_warnings_take (GstTfrcSendWarnings * warnings)
{
  guint to_post = warnings->to_post;

  warnings->to_post = 0;
  return to_post;
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
    "Payload types 64 to 95 cannot be distinguished from RTCP on the same port. Set the "
        "payloader's pt to one of 96 to 127.",
    "Packets of more than 32 SSRCs at a time. Those of further SSRCs are dropped: put streams "
        "into several RTP sessions.",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    if (warnings & 1 << i)
      GST_ELEMENT_WARNING (element, STREAM, FORMAT, ("%s", texts[i]), (NULL));
  }
}
