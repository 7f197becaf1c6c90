/* gst-tfrc: the data sender's RTCP: takes the reports of the remote receiver
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/datasenderrtcp.h"

#include <string.h>
#include <tfrc/wire.h>
#include <tfrcadapt/loss-share.h>

#include "base/debugcategory.h"
#include "rtcp/acceptedreceiver.h"
#include "rtcp/rtcppackets.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsenderrtcp",
    "TFRC reports that the data sender takes");

/* The fields of a report block (RFC 3550 6.4.1), which no later one shares: DLSR differs, except while the
 * data receiver has no SR. Then a block that says the same again is taken for the one before. */
typedef struct
{
  guint highest, fraction, jitter, lsr, dlsr;
  gint lost;
} Block;

struct _GstTfrcDataSenderRtcp
{
  GstTfrcAttachedSession base;
  GstTfrcDataSenderRtcpHandlers handlers;
  guint fmt;

  /* under the lock of `base` */
  GstTfrcAcceptedReceiver receiver;
  TfrcAdaptLossShare loss;      /* by the receiver reports of `receiver` */
  Block block;                  /* the last one that the session has shown */
  guint64 reports, malformed;
};

/* --- reports --- */

static void
listen_to (GstTfrcDataSenderRtcp * self, GstElement * owner, guint32 ssrc)
{
  gboolean changed;

  gst_tfrc_attached_session_lock (self);
  changed = gst_tfrc_accepted_receiver_bind (&self->receiver, ssrc,
      gst_util_get_timestamp ());
  if (changed)
    gst_tfrc_attached_session_repeat_app (&self->base);
  gst_tfrc_attached_session_unlock (self);
  if (changed)
    GST_INFO_OBJECT (owner, "accepts the reports of data receiver %08x", ssrc);
}

/* Calls the handler of the owner with a report. Called without the lock. */
static void
hand_over (GstTfrcDataSenderRtcp * self, const TfrcReport * report,
    guint32 ssrc, gboolean is_new_receiver)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);

  if (owner == NULL)
    return;
  gst_tfrc_attached_session_on_heard (&self->base);
  GST_DEBUG_OBJECT (owner, "report of %08x: t_i %u t_delay %u X_recv %u p %u",
      ssrc, report->t_i_us, report->t_delay_us, report->x_recv_Bps,
      report->p_q32);
  if (self->handlers.on_report (owner, report, is_new_receiver))
    listen_to (self, owner, ssrc);
  gst_object_unref (owner);
}

/* Parses a packet that is one report without padding; returns FALSE for any other packet. */
static gboolean
parse_lone_report (GstBuffer * packet, guint fmt, guint32 * sender_ssrc,
    guint32 * media_ssrc, TfrcReport * report)
{
  guint8 data[TFRC_REPORT_SIZE_MAX];
  gsize size;

  if (gst_buffer_get_size (packet) > sizeof data)
    return FALSE;
  size = gst_buffer_extract (packet, 0, data, sizeof data);
  return tfrc_report_parse (report, fmt, sender_ssrc, media_ssrc, data,
      size) == TFRC_PARSE_OK;
}

gboolean
gst_tfrc_data_sender_rtcp_take (GstTfrcDataSenderRtcp * self,
    GstBuffer * packet)
{
  guint32 sender_ssrc, media_ssrc;
  TfrcReport report;
  gboolean mine;

  if (!parse_lone_report (packet, self->fmt, &sender_ssrc, &media_ssrc,
          &report))
    return FALSE;
  gst_tfrc_attached_session_lock (self);
  mine = gst_tfrc_accepted_receiver_may_pass_session (&self->receiver,
      sender_ssrc, media_ssrc, gst_util_get_timestamp ());
  self->reports += mine;
  gst_tfrc_attached_session_unlock (self);
  if (mine)
    hand_over (self, &report, sender_ssrc, FALSE);
  return mine;
}

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstClockTime now;
  TfrcReport report;
  gboolean pass, is_new_receiver;

  if (type != GST_RTCP_TYPE_RTPFB || fmt != self->fmt)
    return;
  now = gst_util_get_timestamp ();
  gst_tfrc_attached_session_lock (self);
  self->reports++;
  pass = gst_tfrc_accepted_receiver_check (&self->receiver, sender_ssrc,
      media_ssrc, now);
  if (pass && !gst_tfrc_rtcp_parse_fci (fci, &report)) {
    self->malformed++;
    pass = FALSE;
  }
  is_new_receiver =
      gst_tfrc_accepted_receiver_is_other (&self->receiver, sender_ssrc);
  if (pass)
    self->receiver.session_saw = now;
  gst_tfrc_attached_session_unlock (self);
  if (pass)
    hand_over (self, &report, sender_ssrc, is_new_receiver);
}

/* --- receiver reports, BYE --- */

gdouble
gst_tfrc_data_sender_rtcp_get_loss (GstTfrcDataSenderRtcp * self)
{
  gdouble loss;

  gst_tfrc_attached_session_lock (self);
  loss = tfrc_adapt_loss_share_get (&self->loss);
  gst_tfrc_attached_session_unlock (self);
  return loss;
}

/* Returns the statistics of `source`, or NULL when another data receiver is listened to. The
 * session makes the whole structure at each call, so that the caller asks once. */
static GstStructure *
get_source_stats (GstTfrcDataSenderRtcp * self, GObject * source)
{
  GstStructure *stats = NULL;
  gboolean other;
  guint ssrc = 0;

  g_object_get (source, "ssrc", &ssrc, NULL);
  gst_tfrc_attached_session_lock (self);
  other = gst_tfrc_accepted_receiver_is_other (&self->receiver, ssrc);
  gst_tfrc_attached_session_unlock (self);
  if (!other)
    g_object_get (source, "stats", &stats, NULL);
  return stats;
}

/* Fills in the report block that the session shows. Returns whether there is one. */
static gboolean
get_block (const GstStructure * stats, Block * block)
{
  gboolean has_block = FALSE;

  return gst_structure_get (stats, "have-rb", G_TYPE_BOOLEAN, &has_block,
      "rb-exthighestseq", G_TYPE_UINT, &block->highest,
      "rb-fractionlost", G_TYPE_UINT, &block->fraction,
      "rb-packetslost", G_TYPE_INT, &block->lost,
      "rb-jitter", G_TYPE_UINT, &block->jitter,
      "rb-lsr", G_TYPE_UINT, &block->lsr,
      "rb-dlsr", G_TYPE_UINT, &block->dlsr, NULL) && has_block;
}

/* Whether `block` came with the SR or RR that arrived last. The session goes on to show the last block
 * after an SR or RR without one, as sessions of GStreamer send in early RTCP. Updates the share of lost
 * packets. */
static gboolean
is_new_block (GstTfrcDataSenderRtcp * self, const Block * block)
{
  gboolean is_new;

  gst_tfrc_attached_session_lock (self);
  is_new = memcmp (&self->block, block, sizeof *block) != 0;
  self->block = *block;
  if (is_new)
    tfrc_adapt_loss_share_update (&self->loss, block->highest, block->lost);
  gst_tfrc_attached_session_unlock (self);
  return is_new;
}

static GstTfrcReceiverReport
make_report (GstTfrcDataSenderRtcp * self, const GstStructure * stats)
{
  GstTfrcReceiverReport report = { FALSE };
  guint rtt = 0;
  Block block;

  if (!get_block (stats, &block) || !is_new_block (self, &block))
    return report;
  /* in 1/65536 s */
  gst_structure_get_uint (stats, "rb-round-trip", &rtt);
  return (GstTfrcReceiverReport) {
      .has_block = TRUE,
      .rtt = gst_util_uint64_scale (rtt, GST_SECOND, 65536),
      .lost = block.lost,
      .fraction = block.fraction,
      .highest = block.highest,
  };
}

/* An SR or RR of `source` arrived. */
static void
on_active (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstTfrcReceiverReport report;
  GstStructure *stats;

  if (owner == NULL)
    return;
  stats = get_source_stats (self, source);
  if (stats != NULL) {
    gst_tfrc_attached_session_on_heard (&self->base);
    report = make_report (self, stats);
    self->handlers.on_receiver_report (owner, &report);
  }
  gst_clear_structure (&stats);
  gst_object_unref (owner);
}

static void
on_gone (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  guint ssrc = 0;

  g_object_get (source, "ssrc", &ssrc, NULL);
  gst_tfrc_attached_session_lock (self);
  gst_tfrc_accepted_receiver_leave (&self->receiver, ssrc);
  gst_tfrc_attached_session_unlock (self);
}

/* --- the settings of both ends --- */

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  gboolean is_remote;
  GstTfrcApp app;

  if (!gst_tfrc_attached_session_parse_app (&self->base, name, subtype,
          buffer, &app))
    return;
  gst_tfrc_attached_session_lock (self);
  is_remote = app.is_receiver &&
      gst_tfrc_accepted_receiver_is (&self->receiver, ssrc);
  gst_tfrc_attached_session_unlock (self);
  if (is_remote)
    gst_tfrc_attached_session_compare_app (&self->base, &app);
}

/* Adds the settings of this end to compound packets of the source of the data. */
static gboolean
on_sending (GObject * session, GstBuffer * buffer, gboolean early,
    gpointer data)
{
  GstTfrcDataSenderRtcp *self = data;
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstTfrcRtcpContents contents;
  gboolean added = FALSE;

  gst_tfrc_attached_session_update_interval (&self->base);
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = gst_tfrc_rtcp_get_contents (&rtcp);
  gst_tfrc_attached_session_lock (self);
  added = contents.ssrc != 0 && !contents.bye &&
      gst_tfrc_accepted_receiver_is_media (&self->receiver, contents.ssrc);
  gst_tfrc_attached_session_unlock (self);
  if (added)
    added = gst_tfrc_attached_session_append_app (&self->base, &rtcp,
        contents.ssrc);
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

gboolean
gst_tfrc_data_sender_rtcp_attach (GstTfrcDataSenderRtcp * self,
    GObject * session, GstPad * pad)
{
  static const GstTfrcSessionSignal signals[] = {
    {"on-app-rtcp", G_CALLBACK (on_app)},
    {"on-sending-rtcp", G_CALLBACK (on_sending)},
    {"on-feedback-rtcp", G_CALLBACK (on_feedback)},
    {"on-ssrc-active", G_CALLBACK (on_active)},
    {"on-bye-ssrc", G_CALLBACK (on_gone)},
    {"on-timeout", G_CALLBACK (on_gone)},
  };
  gboolean attached;

  if (!gst_tfrc_attached_session_attach (&self->base, session, pad, signals,
          G_N_ELEMENTS (signals), &attached))
    return FALSE;
  if (attached)
    ensure_rate (self);
  return TRUE;
}

void
gst_tfrc_data_sender_rtcp_set_media_ssrc (GstTfrcDataSenderRtcp * self,
    guint32 ssrc)
{
  gst_tfrc_attached_session_lock (self);
  if (gst_tfrc_accepted_receiver_set_media_ssrc (&self->receiver, ssrc)) {
    gst_tfrc_attached_session_repeat_app (&self->base);
    tfrc_adapt_loss_share_init (&self->loss);
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_sender_rtcp_add_stats (GstTfrcDataSenderRtcp * self,
    GstStructure * stats)
{
  gst_tfrc_attached_session_lock (self);
  gst_tfrc_attached_session_add_stats (&self->base, stats);
  gst_structure_set (stats,
      "rtcp-reports", G_TYPE_UINT64, self->reports,
      "rtcp-malformed", G_TYPE_UINT64, self->malformed,
      "rtcp-wrong-media-ssrc", G_TYPE_UINT64, self->receiver.wrong_media_ssrc,
      "rtcp-wrong-sender-ssrc", G_TYPE_UINT64,
      self->receiver.wrong_sender_ssrc,
      "peer-changes", G_TYPE_UINT64, self->receiver.rebinds, NULL);
  gst_tfrc_attached_session_unlock (self);
}
