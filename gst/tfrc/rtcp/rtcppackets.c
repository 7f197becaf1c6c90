/* gst-tfrc: the RTCP packets that the plugin reads and writes itself
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtcppackets.h"

#include <tfrc/wire.h>
#include <string.h>

#include "base/enums.h"

/* --- TFRC reports --- */

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

/* Adds an RTPFB packet, and returns where its FCI of `size` bytes is to be written; NULL: there is no room. */
static guint8 *
append_feedback (GstRTCPBuffer * rtcp, const GstTfrcRtcpReport * header,
    guint fmt, gsize size)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet))
    return NULL;
  gst_rtcp_packet_fb_set_type (&packet, fmt);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, header->sender_ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, header->media_ssrc);
  if (gst_rtcp_packet_fb_set_fci_length (&packet, size / 4))
    return gst_rtcp_packet_fb_get_fci (&packet);
  gst_rtcp_packet_remove (&packet);
  return NULL;
}

gboolean
gst_tfrc_rtcp_append_report (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcReport * report)
{
  guint8 words[TFRC_REPORT_FCI_SIZE_MAX], *fci;
  gsize size = tfrc_report_write_fci (report, words);

  fci = append_feedback (rtcp, header, header->fmt, size);
  if (fci != NULL)
    memcpy (fci, words, size);
  return fci != NULL;
}

GstBuffer *
gst_tfrc_rtcp_new_report (const GstTfrcRtcpReport * header,
    const TfrcReport * report)
{
  guint8 *data = g_malloc (TFRC_REPORT_SIZE_MAX);
  gsize size = tfrc_report_write (report, header->fmt, header->sender_ssrc,
      header->media_ssrc, data);

  return gst_buffer_new_wrapped (data, size);
}

gboolean
gst_tfrc_rtcp_parse_fci (GstBuffer * fci, TfrcReport * report)
{
  guint8 data[TFRC_REPORT_FCI_SIZE_MAX];
  gsize size;

  if (fci == NULL || gst_buffer_get_size (fci) > sizeof data)
    return FALSE;
  size = gst_buffer_extract (fci, 0, data, sizeof data);
  return tfrc_report_parse_fci (report, data, size) == TFRC_PARSE_OK;
}

/* --- the ECN feedback packet, RFC 6679 5.1 --- */

gboolean
gst_tfrc_rtcp_append_ecn (GstRTCPBuffer * rtcp,
    const GstTfrcRtcpReport * header, const TfrcEcnCounts * counts)
{
  guint8 *fci = append_feedback (rtcp, header, GST_TFRC_ECN_FMT,
      GST_TFRC_ECN_FCI_SIZE);

  if (fci == NULL)
    return FALSE;
  GST_WRITE_UINT32_BE (fci, counts->highest);
  GST_WRITE_UINT32_BE (fci + 4, counts->ect0);
  GST_WRITE_UINT32_BE (fci + 8, counts->ect1);
  GST_WRITE_UINT16_BE (fci + 12, counts->ce);
  GST_WRITE_UINT16_BE (fci + 14, counts->not_ect);
  GST_WRITE_UINT16_BE (fci + 16, counts->lost);
  GST_WRITE_UINT16_BE (fci + 18, counts->duplicates);
  return TRUE;
}

gboolean
gst_tfrc_rtcp_parse_ecn (const guint8 * fci, gsize size, TfrcEcnCounts * counts)
{
  if (size != GST_TFRC_ECN_FCI_SIZE)
    return FALSE;
  *counts = (TfrcEcnCounts) {
      .highest = GST_READ_UINT32_BE (fci),
      .ect0 = GST_READ_UINT32_BE (fci + 4),
      .ect1 = GST_READ_UINT32_BE (fci + 8),
      .ce = GST_READ_UINT16_BE (fci + 12),
      .not_ect = GST_READ_UINT16_BE (fci + 14),
      .lost = GST_READ_UINT16_BE (fci + 16),
      .duplicates = GST_READ_UINT16_BE (fci + 18)
  };
  return TRUE;
}

/* --- the APP packet with the settings of an end --- */

/* The APP packet has a name, the version as its subtype, and two words: mode, measure and H;
 * flags. A third one, the last send time, is there when a stamp has departed. */
#define APP_NAME "TFRC"
#define APP_VERSION 0
#define APP_WORDS 2
#define APP_WORDS_MAX 3
#define APP_FLAG_RECEIVER (1u << 0)
#define APP_FLAG_REDUCED (1u << 1)
#define APP_FLAG_ECN (1u << 2)
#define APP_FLAG_TIMED (1u << 3)
#define APP_FLAG_FOLLOWS (1u << 4)
#define APP_FLAG_ARRIVALS (1u << 5)
#define APP_PLAYOUT_SHIFT 16    /* the upper half of the flags is the playout of a data receiver in ms */

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
  app->ecn = (flags & APP_FLAG_ECN) != 0;
  app->takes_timed = (flags & APP_FLAG_TIMED) != 0;
  app->takes_arrivals = (flags & APP_FLAG_ARRIVALS) != 0;
  app->follows = (flags & APP_FLAG_FOLLOWS) != 0;
  app->playout_ms = app->is_receiver ? flags >> APP_PLAYOUT_SHIFT : 0;
  app->has_t_i = gst_buffer_extract (data, sizeof words, words, 4) == 4;
  app->t_i_us = app->has_t_i ? GST_READ_UINT32_BE (words) : 0;
  return TRUE;
}

static guint32
get_flags (const GstTfrcApp * app)
{
  return (app->is_receiver ? APP_FLAG_RECEIVER : 0) |
      (app->takes_reduced ? APP_FLAG_REDUCED : 0) |
      (app->ecn ? APP_FLAG_ECN : 0) |
      (app->takes_timed ? APP_FLAG_TIMED : 0) |
      (app->takes_arrivals ? APP_FLAG_ARRIVALS : 0) |
      (app->is_receiver && app->follows ? APP_FLAG_FOLLOWS : 0) |
      (app->is_receiver ? app->playout_ms << APP_PLAYOUT_SHIFT : 0);
}

void
gst_tfrc_app_append (const GstTfrcApp * app, GstRTCPBuffer * rtcp, guint32 ssrc)
{
  gboolean has_t_i = app->has_t_i && !app->is_receiver;
  GstRTCPPacket packet;
  guint8 *data;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_APP, &packet))
    return;
  gst_rtcp_packet_app_set_subtype (&packet, APP_VERSION);
  gst_rtcp_packet_app_set_ssrc (&packet, ssrc);
  gst_rtcp_packet_app_set_name (&packet, APP_NAME);
  if (!gst_rtcp_packet_app_set_data_length (&packet,
          has_t_i ? APP_WORDS_MAX : APP_WORDS)) {
    gst_rtcp_packet_remove (&packet);
    return;
  }
  data = gst_rtcp_packet_app_get_data (&packet);
  data[0] = app->mode;
  data[1] = app->measure;
  GST_WRITE_UINT16_BE (data + 2, app->H);
  GST_WRITE_UINT32_BE (data + 4, get_flags (app));
  if (has_t_i)
    GST_WRITE_UINT32_BE (data + 8, app->t_i_us);
}

void
gst_tfrc_stamp_memory_add (GstTfrcStampMemory * memory, guint32 t_i_us)
{
  memory->t_i_us[memory->n++ % GST_TFRC_STAMP_MEMORY] = t_i_us;
}

gboolean
gst_tfrc_app_is_known (const GstTfrcApp * app,
    const GstTfrcStampMemory * memory)
{
  guint i;

  for (i = 0; i < MIN (memory->n, GST_TFRC_STAMP_MEMORY) && app->has_t_i; i++)
    if (memory->t_i_us[i] == app->t_i_us)
      return TRUE;
  return FALSE;
}

gboolean
gst_tfrc_app_differs (const GstTfrcApp * local, const GstTfrcApp * remote)
{
  const GstTfrcApp *receiver = remote->is_receiver ? remote : local;
  gboolean is_mode = remote->mode <= TFRC_MODE_TFRC_SP;

  return local->measure != remote->measure || (local->mode != remote->mode
      && !(receiver->follows && is_mode));
}

gchar *
gst_tfrc_app_describe_mismatch (const GstTfrcApp * local,
    const GstTfrcApp * remote)
{
  const gchar *here = gst_tfrc_mode_get_nick (local->mode);

  if (local->mode != remote->mode)
    return g_strdup_printf ("This end runs in mode %s and the remote end in "
        "mode %s. Set mode=%s on both ends.", here,
        gst_tfrc_mode_get_nick (remote->mode), here);
  here = gst_tfrc_measure_get_nick (local->measure);
  return g_strdup_printf ("This end uses loss-measure %s and the remote end "
      "%s. Set experimental=\"experimental,loss-measure=%s\" on both ends.",
      here, gst_tfrc_measure_get_nick (remote->measure), here);
}

void
gst_tfrc_app_post_mismatch (const GstTfrcApp * local, const GstTfrcApp * remote,
    GstElement * owner, GstMessageType type)
{
  gst_element_message_full (owner, type, GST_CORE_ERROR,
      GST_CORE_ERROR_NEGOTIATION,
      gst_tfrc_app_describe_mismatch (local, remote),
      g_strdup ("losses are measured by the receiver in the sender's mode"),
      __FILE__, GST_FUNCTION, __LINE__);
}
