/* gst-tfrc: the data sender's RTCP: takes the reports of the remote receiver
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/datasenderrtcpprivate.h"

#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "rtcp/rtcppackets.h"
#include "rtcp/rtpsession.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsenderrtcp",
    "TFRC reports that the data sender takes");

/* An RTCP packet that need not go through the session has at most so many reports. */
#define LONE_REPORTS_MAX GST_TFRC_MEDIA_MAX

GstTfrcSenderMedia *
gst_tfrc_data_sender_rtcp_find_media (GstTfrcDataSenderRtcp * self,
    guint32 ssrc)
{
  guint i;

  for (i = 0; i < self->n_media; i++)
    if (gst_tfrc_accepted_receiver_is_media (&self->media[i].receiver, ssrc))
      return &self->media[i];
  return NULL;
}

/* --- reports --- */

static void
listen_to (GstTfrcDataSenderRtcp * self, GstElement * owner,
    guint32 media_ssrc, guint32 ssrc)
{
  gboolean changed;
  GstTfrcSenderMedia *media;

  gst_tfrc_attached_session_lock (self);
  media = gst_tfrc_data_sender_rtcp_find_media (self, media_ssrc);
  changed = media != NULL && gst_tfrc_accepted_receiver_bind (&media->receiver,
      ssrc, gst_util_get_timestamp ());
  if (changed)
    media->app_left = GST_TFRC_APP_TIMES;
  gst_tfrc_attached_session_unlock (self);
  if (changed)
    GST_INFO_OBJECT (owner, "accepts the reports of data receiver %08x about "
        "%08x", ssrc, media_ssrc);
}

/* Calls the handler of the owner with a report. Called without the lock. */
static void
hand_over (GstTfrcDataSenderRtcp * self, guint32 media_ssrc,
    const TfrcReport * report, guint32 ssrc, gboolean is_new_receiver)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);

  if (owner == NULL)
    return;
  gst_tfrc_attached_session_on_heard (&self->base);
  GST_DEBUG_OBJECT (owner, "report of %08x about %08x: t_i %u us, "
      "t_delay %u us, X_recv %u bytes/s, p %g", ssrc, media_ssrc,
      report->t_i_us, report->t_delay_us, report->x_recv_Bps,
      tfrc_report_decode_p (report->p_q32));
  if (self->handlers.on_report (owner, media_ssrc, report, is_new_receiver))
    listen_to (self, owner, media_ssrc, ssrc);
  gst_object_unref (owner);
}

/* A report in an RTCP packet of its own. */
typedef struct
{
  guint32 sender_ssrc, media_ssrc;
  TfrcReport report;
} LoneReport;

/* The bytes of the RTCP packet at `at`; 0: there is none that is as long as a report. */
static gsize
get_packet_size (GstBuffer * packet, gsize at)
{
  guint8 header[4];
  gsize size;

  if (gst_buffer_extract (packet, at, header, sizeof header) != sizeof header)
    return 0;
  size = 4 * (GST_READ_UINT16_BE (header + 2) + 1);
  return size <= TFRC_REPORT_SIZE_MAX ? size : 0;
}

/* Parses a packet that is reports alone; returns how many, and 0 for any other packet. */
static guint
parse_lone_reports (GstBuffer * packet, guint fmt, LoneReport * reports)
{
  guint8 data[TFRC_REPORT_SIZE_MAX];
  gsize at, size, end = gst_buffer_get_size (packet);
  guint n = 0;

  for (at = 0; at < end; at += size) {
    size = get_packet_size (packet, at);
    if (size == 0 || n == LONE_REPORTS_MAX
        || gst_buffer_extract (packet, at, data, size) != size
        || tfrc_report_parse (&reports[n].report, fmt, &reports[n].sender_ssrc,
            &reports[n].media_ssrc, data, size) != TFRC_PARSE_OK)
      return 0;
    n++;
  }
  return n;
}

/* Whether the session need not see report `i`, which is the first one about its SSRC. Called with the lock. */
static gboolean
may_pass_session (GstTfrcDataSenderRtcp * self, const LoneReport * reports,
    guint i, GstClockTime now)
{
  const LoneReport *report = &reports[i];
  GstTfrcSenderMedia *media =
      gst_tfrc_data_sender_rtcp_find_media (self, report->media_ssrc);

  while (i-- > 0)
    if (reports[i].media_ssrc == report->media_ssrc)
      return FALSE;
  return media != NULL
      && gst_tfrc_accepted_receiver_may_pass_session (&media->receiver,
      report->sender_ssrc, report->media_ssrc, now);
}

gboolean
gst_tfrc_data_sender_rtcp_take (GstTfrcDataSenderRtcp * self,
    GstBuffer * packet)
{
  LoneReport reports[LONE_REPORTS_MAX];
  guint i, n = parse_lone_reports (packet, self->fmt, reports);
  GstClockTime now = gst_util_get_timestamp ();
  gboolean mine = n > 0;

  gst_tfrc_attached_session_lock (self);
  for (i = 0; i < n; i++)
    mine &= may_pass_session (self, reports, i, now);
  self->reports += mine ? n : 0;
  gst_tfrc_attached_session_unlock (self);
  for (i = 0; i < n && mine; i++)
    hand_over (self, reports[i].media_ssrc, &reports[i].report,
        reports[i].sender_ssrc, FALSE);
  return mine;
}

/* Whether a report of `sender_ssrc` about `media` may be handed over. Called with the lock. */
static gboolean
check_report (GstTfrcDataSenderRtcp * self, GstTfrcSenderMedia * media,
    guint32 sender_ssrc, guint32 media_ssrc, GstClockTime now)
{
  if (media == NULL) {
    self->wrong_media_ssrc++;
    return FALSE;
  }
  return gst_tfrc_accepted_receiver_check (&media->receiver, sender_ssrc,
      media_ssrc, now);
}

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstClockTime now;
  TfrcReport report;
  gboolean pass, is_new_receiver = FALSE;
  GstTfrcSenderMedia *media;

  if (type != GST_RTCP_TYPE_RTPFB || fmt != self->fmt)
    return;
  now = gst_util_get_timestamp ();
  gst_tfrc_attached_session_lock (self);
  self->reports++;
  media = gst_tfrc_data_sender_rtcp_find_media (self, media_ssrc);
  pass = check_report (self, media, sender_ssrc, media_ssrc, now);
  if (pass && !gst_tfrc_rtcp_parse_fci (fci, &report)) {
    self->malformed++;
    pass = FALSE;
  }
  if (pass) {
    is_new_receiver =
        gst_tfrc_accepted_receiver_is_other (&media->receiver, sender_ssrc);
    media->receiver.session_saw = now;
  }
  gst_tfrc_attached_session_unlock (self);
  if (pass)
    hand_over (self, media_ssrc, &report, sender_ssrc, is_new_receiver);
}

/* --- BYE --- */

static void
on_gone (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  guint i, ssrc = 0;

  g_object_get (source, "ssrc", &ssrc, NULL);
  gst_tfrc_attached_session_lock (self);
  for (i = 0; i < self->n_media; i++) {
    gst_tfrc_accepted_receiver_leave (&self->media[i].receiver, ssrc);
    if (self->media[i].block_from == ssrc)
      self->media[i].block_heard = 0;
  }
  gst_tfrc_attached_session_unlock (self);
}

/* --- the settings of both ends --- */

/* The SSRC of the data whose data receiver is `ssrc`, of several one whose mode is not `mode`; NULL: there is none.
 * Called with the lock. */
static GstTfrcSenderMedia *
find_received (GstTfrcDataSenderRtcp * self, guint32 ssrc, guint mode)
{
  GstTfrcSenderMedia *found = NULL;
  guint i;

  for (i = 0; i < self->n_media; i++)
    if (gst_tfrc_accepted_receiver_is (&self->media[i].receiver, ssrc)
        && (found == NULL || self->media[i].mode != mode))
      found = &self->media[i];
  return found;
}

/* Called without the lock. */
static void
hand_over_playout (GstTfrcDataSenderRtcp * self, guint32 ssrc,
    const GstTfrcApp * app)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  guint32 received[GST_TFRC_MEDIA_MAX];
  guint i, n = 0;

  if (owner == NULL)
    return;
  gst_tfrc_attached_session_lock (self);
  for (i = 0; i < self->n_media; i++)
    if (gst_tfrc_accepted_receiver_is (&self->media[i].receiver, ssrc))
      received[n++] = self->media[i].receiver.media_ssrc;
  gst_tfrc_attached_session_unlock (self);
  for (i = 0; i < n; i++)
    self->handlers.on_playout (owner, received[i],
        app->playout_ms * GST_MSECOND);
  gst_object_unref (owner);
}

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstTfrcSenderMedia *media = NULL;
  TfrcMode mode = TFRC_MODE_TFRC;
  GstTfrcApp app;

  if (!gst_tfrc_attached_session_parse_app (&self->base, name, subtype,
          buffer, &app))
    return;
  gst_tfrc_attached_session_lock (self);
  if (app.is_receiver)
    media = find_received (self, ssrc, app.mode);
  if (media != NULL)
    mode = media->mode;
  gst_tfrc_attached_session_unlock (self);
  if (media == NULL)
    return;
  gst_tfrc_attached_session_compare_app (&self->base, mode, &app);
  hand_over_playout (self, ssrc, &app);
}

static void
append_app (GstTfrcDataSenderRtcp * self, GstRTCPBuffer * rtcp, guint32 ssrc,
    TfrcMode mode)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstTfrcApp app = self->base.local;

  if (owner == NULL)
    return;
  app.mode = mode;
  self->handlers.fill_stamp (owner, ssrc, &app);
  gst_tfrc_app_append (&app, rtcp, ssrc);
  gst_object_unref (owner);
}

/* Adds the settings of this end to compound packets of the source of the data. */
static gboolean
on_sending (GObject * session, GstBuffer * buffer, gboolean early,
    gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstTfrcRtcpContents contents;
  GstTfrcSenderMedia *media = NULL;
  gboolean added = FALSE;
  TfrcMode mode = TFRC_MODE_TFRC;

  gst_tfrc_attached_session_update_interval (&self->base);
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = gst_tfrc_rtcp_get_contents (&rtcp);
  gst_tfrc_attached_session_lock (self);
  if (contents.ssrc != 0 && !contents.bye)
    media = gst_tfrc_data_sender_rtcp_find_media (self, contents.ssrc);
  if (media != NULL && media->app_left > 0) {
    media->app_left--;
    mode = media->mode;
    added = TRUE;
  }
  gst_tfrc_attached_session_unlock (self);
  if (added)
    append_app (self, &rtcp, contents.ssrc, mode);
  gst_rtcp_buffer_unmap (&rtcp);
  return added;
}

/* --- the object --- */

GstTfrcDataSenderRtcp *
gst_tfrc_data_sender_rtcp_new (GstElement * owner,
    const GstTfrcRtcpConfig * config,
    const GstTfrcDataSenderRtcpHandlers * handlers)
{
  GstTfrcDataSenderRtcp *self = g_atomic_rc_box_new0 (GstTfrcDataSenderRtcp);

  gst_tfrc_attached_session_init (&self->base, owner, config, FALSE);
  self->handlers = *handlers;
  self->fmt = config->fmt;
  return self;
}

static void
ensure_rate (GstTfrcDataSenderRtcp * self)
{
  GObject *session = gst_tfrc_attached_session_get (&self->base);

  if (session == NULL)
    return;
  gst_tfrc_rtp_session_ensure_rate (session);
  g_object_unref (session);
}

/* The data receivers of a session that the filter was linked to before are gone. */
static void
forget_receivers (GstTfrcDataSenderRtcp * self)
{
  guint i;

  gst_tfrc_attached_session_lock (self);
  for (i = 0; i < self->n_media; i++) {
    gst_tfrc_accepted_receiver_leave (&self->media[i].receiver,
        self->media[i].receiver.ssrc);
    self->media[i].block_heard = 0;
    self->media[i].app_left = GST_TFRC_APP_TIMES;
  }
  gst_tfrc_attached_session_unlock (self);
}

gboolean
gst_tfrc_data_sender_rtcp_attach (GstTfrcDataSenderRtcp * self,
    GObject * session, GstPad * pad)
{
  static const GstTfrcSessionSignal signals[] = {
    {"on-app-rtcp", G_CALLBACK (on_app)},
    {"on-sending-rtcp", G_CALLBACK (on_sending)},
    {"on-feedback-rtcp", G_CALLBACK (on_feedback)},
    {"on-receiving-rtcp", G_CALLBACK (gst_tfrc_data_sender_rtcp_on_receiving)},
    {"on-ssrc-active", G_CALLBACK (gst_tfrc_data_sender_rtcp_on_active)},
    {"on-bye-ssrc", G_CALLBACK (on_gone)},
    {"on-timeout", G_CALLBACK (on_gone)},
  };
  gboolean attached;

  if (!gst_tfrc_attached_session_attach (&self->base, session, pad, signals,
          G_N_ELEMENTS (signals), &attached))
    return FALSE;
  if (attached) {
    forget_receivers (self);
    ensure_rate (self);
  }
  return TRUE;
}

void
gst_tfrc_data_sender_rtcp_add_media (GstTfrcDataSenderRtcp * self, guint32 ssrc)
{
  gst_tfrc_attached_session_lock (self);
  if (gst_tfrc_data_sender_rtcp_find_media (self, ssrc) == NULL
      && self->n_media < GST_TFRC_MEDIA_MAX) {
    GstTfrcSenderMedia *media = &self->media[self->n_media++];

    *media = (GstTfrcSenderMedia) { {
        0,}
    };
    gst_tfrc_accepted_receiver_set_media_ssrc (&media->receiver, ssrc);
    tfrc_adapt_loss_share_init (&media->loss);
    media->mode = self->base.local.mode;
    media->app_left = GST_TFRC_APP_TIMES;
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_sender_rtcp_remove_media (GstTfrcDataSenderRtcp * self,
    guint32 ssrc)
{
  GstTfrcSenderMedia *media;

  gst_tfrc_attached_session_lock (self);
  media = gst_tfrc_data_sender_rtcp_find_media (self, ssrc);
  if (media != NULL) {
    self->wrong_sender_ssrc += media->receiver.wrong_sender_ssrc;
    self->rebinds += media->receiver.rebinds;
    *media = self->media[--self->n_media];
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_sender_rtcp_set_mode (GstTfrcDataSenderRtcp * self,
    guint32 ssrc, TfrcMode mode)
{
  GstTfrcSenderMedia *media;

  gst_tfrc_attached_session_lock (self);
  media = gst_tfrc_data_sender_rtcp_find_media (self, ssrc);
  if (media != NULL && media->mode != mode) {
    media->mode = mode;
    media->app_left = GST_TFRC_APP_TIMES;
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_sender_rtcp_add_stats (GstTfrcDataSenderRtcp * self,
    GstStructure * stats)
{
  guint64 wrong_sender_ssrc, rebinds;
  guint i;

  gst_tfrc_attached_session_lock (self);
  gst_tfrc_attached_session_add_stats (&self->base, stats);
  wrong_sender_ssrc = self->wrong_sender_ssrc;
  rebinds = self->rebinds;
  for (i = 0; i < self->n_media; i++) {
    wrong_sender_ssrc += self->media[i].receiver.wrong_sender_ssrc;
    rebinds += self->media[i].receiver.rebinds;
  }
  gst_structure_set (stats,
      "rtcp-reports", G_TYPE_UINT64, self->reports,
      "rtcp-malformed", G_TYPE_UINT64, self->malformed,
      "rtcp-wrong-media-ssrc", G_TYPE_UINT64, self->wrong_media_ssrc,
      "rtcp-wrong-sender-ssrc", G_TYPE_UINT64, wrong_sender_ssrc,
      "peer-changes", G_TYPE_UINT64, rebinds, NULL);
  gst_tfrc_attached_session_unlock (self);
}
