/* gst-tfrc: reports in RTCP packets, their own or the session's
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/reportpacket.h"

#include <tfrc/wire.h>

GstTfrcRtcpContents
gst_tfrc_rtcp_get_contents (GstRTCPBuffer * rtcp)
{
  GstTfrcRtcpContents contents = { 0, FALSE };
  GstRTCPPacket packet;
  gboolean more = gst_rtcp_buffer_get_first_packet (rtcp, &packet);

  for (; more; more = gst_rtcp_packet_move_to_next (&packet)) {
    switch (gst_rtcp_packet_get_type (&packet)) {
      case GST_RTCP_TYPE_SR:
        gst_rtcp_packet_sr_get_sender_info (&packet, &contents.ssrc, NULL,
            NULL, NULL, NULL);
        break;
      case GST_RTCP_TYPE_RR:
        contents.ssrc = gst_rtcp_packet_rr_get_ssrc (&packet);
        break;
      case GST_RTCP_TYPE_BYE:
        contents.bye = TRUE;
        break;
      default:
        break;
    }
  }
  return contents;
}

gboolean
gst_tfrc_rtcp_append_report (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcReport * report)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet))
    return FALSE;
  gst_rtcp_packet_fb_set_type (&packet, header->fmt);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, header->sender_ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, header->media_ssrc);
  if (!gst_rtcp_packet_fb_set_fci_length (&packet, TFRC_REPORT_FCI_SIZE / 4)) {
    gst_rtcp_packet_remove (&packet);
    return FALSE;
  }
  tfrc_report_write_fci (report, gst_rtcp_packet_fb_get_fci (&packet));
  return TRUE;
}

GstBuffer *
gst_tfrc_rtcp_new_report (const GstTfrcRtcpReport * header,
    const TfrcReport * report)
{
  guint8 *data = g_malloc (TFRC_REPORT_SIZE);

  tfrc_report_write (report, header->fmt, header->sender_ssrc,
      header->media_ssrc, data);
  return gst_buffer_new_wrapped (data, TFRC_REPORT_SIZE);
}

gboolean
gst_tfrc_rtcp_parse_fci (GstBuffer * fci, TfrcReport * report)
{
  guint8 data[TFRC_REPORT_FCI_SIZE];

  if (fci == NULL || gst_buffer_get_size (fci) != sizeof data)
    return FALSE;
  gst_buffer_extract (fci, 0, data, sizeof data);
  return tfrc_report_parse_fci (report, data, sizeof data) == TFRC_PARSE_OK;
}
