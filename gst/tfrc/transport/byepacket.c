/* gst-tfrc: makes and finds RTCP BYE packets
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/byepacket.h"

#include <string.h>

#include <gst/rtp/rtp.h>

/* Bytes: with the headers of IPv6 and UDP, less than the 1280 that every path of IPv6 takes. */
#define MAX_SIZE 1200

static void
add_report (GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstRTCPPacket packet;

  if (gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet))
    gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
}

static void
add_cname (GstRTCPBuffer * rtcp, guint32 ssrc, const gchar * cname)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_SDES, &packet))
    return;
  gst_rtcp_packet_sdes_add_item (&packet, ssrc);
  gst_rtcp_packet_sdes_add_entry (&packet, GST_RTCP_SDES_CNAME,
      MIN (strlen (cname), 255), (const guint8 *) cname);
}

static void
add_bye (GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_BYE, &packet))
    return;
  gst_rtcp_packet_bye_add_ssrc (&packet, ssrc);
  gst_rtcp_packet_bye_set_reason (&packet, "stopped");
}

/* Whether the source is local, has sent packets and has sent no BYE, and its SSRC. */
static gboolean
get_live_ssrc (const GstStructure * source, guint * ssrc)
{
  gboolean internal = FALSE, validated = FALSE, bye = FALSE;

  gst_structure_get (source, "internal", G_TYPE_BOOLEAN, &internal,
      "validated", G_TYPE_BOOLEAN, &validated,
      "received-bye", G_TYPE_BOOLEAN, &bye, "ssrc", G_TYPE_UINT, ssrc, NULL);
  return internal && validated && !bye;
}

static gchar *
get_cname (GstElement * rtpsession)
{
  GstStructure *sdes = NULL;
  gchar *cname;

  g_object_get (rtpsession, "sdes", &sdes, NULL);
  cname = sdes != NULL ? g_strdup (gst_structure_get_string (sdes, "cname")) :
      NULL;
  gst_clear_structure (&sdes);
  return cname != NULL ? cname : g_strdup ("anonymous");
}

static const GstStructure *
get_source (const GValueArray * sources, guint i)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  return g_value_get_boxed (g_value_array_get_nth ((GValueArray *) sources, i));
  G_GNUC_END_IGNORE_DEPRECATIONS;
}

GstBuffer *
gst_tfrc_bye_new (GstElement * rtpsession)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (MAX_SIZE);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstStructure *stats = NULL;
  const GValue *value;
  const GValueArray *sources;
  gchar *cname = get_cname (rtpsession);
  guint i, ssrc;

  g_object_get (rtpsession, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, "source-stats");
  sources = value != NULL ? g_value_get_boxed (value) : NULL;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  for (i = 0; sources != NULL && i < sources->n_values; i++) {
    if (!get_live_ssrc (get_source (sources, i), &ssrc))
      continue;
    add_report (&rtcp, ssrc);
    add_cname (&rtcp, ssrc, cname);
    add_bye (&rtcp, ssrc);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  gst_structure_free (stats);
  g_free (cname);
  if (gst_buffer_get_size (buffer) == 0)
    gst_clear_buffer (&buffer);
  return buffer;
}

gboolean
gst_tfrc_bye_is_in (GstBuffer * buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean found = FALSE, more;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  while (more && !found) {
    found = gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_BYE;
    more = gst_rtcp_packet_move_to_next (&packet);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return found;
}
