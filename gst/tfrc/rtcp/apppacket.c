/* gst-tfrc: the APP packet by which the ends of a flow learn of each other's settings
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/apppacket.h"

#include "base/enums.h"

/* Name, version as subtype, two words: mode, measure and H; flags. */
#define APP_NAME "TFRC"
#define APP_VERSION 0
#define APP_WORDS 2
#define APP_FLAG_RECEIVER (1u << 0)
#define APP_FLAG_REDUCED (1u << 1)

gboolean
gst_tfrc_app_is_ours (const gchar * name, guint subtype)
{
  return g_strcmp0 (name, APP_NAME) == 0 && subtype == APP_VERSION;
}

gboolean
gst_tfrc_app_parse (GstTfrcApp * app, GstBuffer * data)
{
  guint8 words[4 * APP_WORDS];
  guint32 flags;

  if (data == NULL ||
      gst_buffer_extract (data, 0, words, sizeof words) != sizeof words)
    return FALSE;
  flags = GST_READ_UINT32_BE (words + 4);
  app->mode = words[0];
  app->measure = words[1];
  app->H = GST_READ_UINT16_BE (words + 2);
  app->is_receiver = (flags & APP_FLAG_RECEIVER) != 0;
  app->takes_reduced = (flags & APP_FLAG_REDUCED) != 0;
  return TRUE;
}

static guint32
get_flags (const GstTfrcApp * app)
{
  return (app->is_receiver ? APP_FLAG_RECEIVER : 0) |
      (app->takes_reduced ? APP_FLAG_REDUCED : 0);
}

void
gst_tfrc_app_append (const GstTfrcApp * app, GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstRTCPPacket packet;
  guint8 *data;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_APP, &packet))
    return;
  gst_rtcp_packet_app_set_subtype (&packet, APP_VERSION);
  gst_rtcp_packet_app_set_ssrc (&packet, ssrc);
  gst_rtcp_packet_app_set_name (&packet, APP_NAME);
  if (!gst_rtcp_packet_app_set_data_length (&packet, APP_WORDS)) {
    gst_rtcp_packet_remove (&packet);
    return;
  }
  data = gst_rtcp_packet_app_get_data (&packet);
  data[0] = app->mode;
  data[1] = app->measure;
  GST_WRITE_UINT16_BE (data + 2, app->H);
  GST_WRITE_UINT32_BE (data + 4, get_flags (app));
}

gboolean
gst_tfrc_app_differs (const GstTfrcApp * own, const GstTfrcApp * theirs)
{
  return own->mode != theirs->mode || own->measure != theirs->measure;
}

void
gst_tfrc_app_post_mismatch (const GstTfrcApp * own, const GstTfrcApp * theirs,
    GstElement * owner)
{
  const gchar *here = gst_tfrc_mode_get_nick (own->mode);
  const gchar *there = gst_tfrc_mode_get_nick (theirs->mode);

  if (own->mode != theirs->mode)
    GST_ELEMENT_ERROR (owner, CORE, NEGOTIATION,
        ("This end runs in mode %s and the far end in mode %s. "
            "Set mode=%s on both ends.", here, there, here),
        ("losses are measured by the receiver in the sender's mode"));
  else
    GST_ELEMENT_ERROR (owner, CORE, NEGOTIATION,
        ("This end uses loss-measure %s and the far end %s. "
            "Set experimental=\"experimental,loss-measure=%s\" on both ends.",
            gst_tfrc_measure_get_nick (own->measure),
            gst_tfrc_measure_get_nick (theirs->measure),
            gst_tfrc_measure_get_nick (own->measure)), (NULL));
}
