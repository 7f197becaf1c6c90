/* gst-tfrc: the data receiver's RTCP: sends reports to the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/datareceiverrtcp.h"

#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "rtcp/rtcppackets.h"
#include "rtcp/reportschedule.h"
#include "rtcp/attachedsession.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcreceiverrtcp",
    "TFRC reports that the data receiver sends");

/* How long the answer to the RTCP that ends a silence may take. */
#define ANSWER_DELAY (100 * GST_MSECOND)

struct _GstTfrcDataReceiverRtcp
{
  GstTfrcAttachedSession base;
  GstTfrcMakeReportFunc make_report;
  GstTfrcSsrcFunc on_active, on_bye;
  guint fmt;

  /* under the lock of `base` */
  guint32 media_ssrc;
  gboolean has_media_ssrc;
  guint32 own_ssrc;             /* SSRC of reports in reduced-size packets */
  GstTfrcReducedSize reduced;
  gboolean remote_takes_timed;  /* reports with a transit time */
  GstTfrcReportInterval interval;
  guint64 sent, requested, refused;
};

/* --- a report --- */

static void
set_reduced (GstTfrcDataReceiverRtcp * self, GstElement * owner,
    gboolean reduced)
{
  GObject *session = gst_tfrc_attached_session_get (&self->base);

  GST_INFO_OBJECT (owner, "reduced-size RTCP is %s", reduced ? "on" : "off");
  if (session == NULL)
    return;
  gst_tfrc_rtp_session_set_reduced (session, reduced);
  g_object_unref (session);
}

static void
count_report (GstTfrcDataReceiverRtcp * self, GstElement * owner,
    guint64 received, gboolean compound, gsize rtcp_size)
{
  GstClockTime now = gst_util_get_timestamp ();
  gboolean changed, reduced;

  gst_tfrc_attached_session_lock (self);
  self->sent++;
  gst_tfrc_report_interval_add (&self->interval, rtcp_size, compound, now);
  changed = gst_tfrc_reduced_size_choose (&self->reduced, compound,
      received, now);
  reduced = self->reduced.on;
  if (changed)
    gst_tfrc_report_interval_set_reduced (&self->interval, reduced);
  gst_tfrc_attached_session_unlock (self);
  if (changed)
    set_reduced (self, owner, reduced);
}

static guint32
ask_own_ssrc (GstTfrcDataReceiverRtcp * self, GObject * session)
{
  guint32 ssrc = gst_tfrc_rtp_session_get_ssrc (session);

  gst_tfrc_attached_session_lock (self);
  self->own_ssrc = ssrc;
  gst_tfrc_attached_session_unlock (self);
  return ssrc;
}

/* Fills a report of this moment and its header. Returns FALSE when there is nothing to report. */
static gboolean
make_report (GstTfrcDataReceiverRtcp * self, GstElement * owner, guint32 ssrc,
    GstTfrcRtcpReport * header, TfrcReport * report, guint64 * received)
{
  header->fmt = self->fmt;
  header->sender_ssrc = ssrc;
  if (!self->make_report (owner, report, &header->media_ssrc, received))
    return FALSE;
  gst_tfrc_attached_session_lock (self);
  report->timed = self->remote_takes_timed;
  gst_tfrc_attached_session_unlock (self);
  GST_DEBUG_OBJECT (owner, "report to %08x: t_i %u t_delay %u X_recv %u p %u",
      header->media_ssrc, report->t_i_us, report->t_delay_us,
      report->x_recv_Bps, report->p_q32);
  return TRUE;
}

/* The session is about to send an RTCP packet, `early` or not. */
static gboolean
on_sending (GObject * session, GstBuffer * buffer, gboolean early,
    gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstTfrcRtcpContents contents;
  GstTfrcRtcpReport header;
  TfrcReport report;
  guint64 received = 0;
  gboolean compound, added = FALSE, reported = FALSE;

  if (owner == NULL)
    return FALSE;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = gst_tfrc_rtcp_get_contents (&rtcp);
  compound = contents.ssrc != 0;
  /* RFC 3550 6.1: BYE is the last packet */
  if (!contents.bye && make_report (self, owner, compound ? contents.ssrc :
          ask_own_ssrc (self, session), &header, &report, &received))
    reported = gst_tfrc_rtcp_append_report (&rtcp, &header, &report);
  if (!contents.bye && compound)
    added = gst_tfrc_attached_session_append_app (&self->base, &rtcp,
        contents.ssrc);
  gst_rtcp_buffer_unmap (&rtcp);

  if (reported)
    count_report (self, owner, received, compound,
        gst_buffer_get_size (buffer));
  gst_object_unref (owner);
  return reported || added;
}

/* A packet that is one report, or NULL when there is nothing to report. */
static GstBuffer *
make_packet (GstTfrcDataReceiverRtcp * self, GObject * session)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstBuffer *packet = NULL;
  GstTfrcRtcpReport header;
  TfrcReport report;
  guint64 received;
  guint32 own_ssrc;

  if (owner == NULL)
    return NULL;
  gst_tfrc_attached_session_lock (self);
  own_ssrc = self->own_ssrc;
  gst_tfrc_attached_session_unlock (self);
  if (own_ssrc == 0)
    own_ssrc = ask_own_ssrc (self, session);
  if (make_report (self, owner, own_ssrc, &header, &report, &received)) {
    packet = gst_tfrc_rtcp_new_report (&header, &report);
    count_report (self, owner, received, FALSE, gst_buffer_get_size (packet));
  }
  gst_object_unref (owner);
  return packet;
}

static void
ask_session (GstTfrcDataReceiverRtcp * self, GObject * session,
    GstClockTime interval)
{
  gboolean granted = FALSE;

  g_signal_emit_by_name (session, "send-rtcp-full", (guint64) interval,
      &granted);
  gst_tfrc_attached_session_lock (self);
  self->refused += !granted;
  gst_tfrc_attached_session_unlock (self);
}

gboolean
gst_tfrc_data_receiver_rtcp_request (GstTfrcDataReceiverRtcp * self,
    GstBuffer ** packet)
{
  GObject *session = gst_tfrc_attached_session_get (&self->base);
  gboolean alone, wait;
  GstClockTime interval;

  if (session == NULL)
    return TRUE;
  gst_tfrc_attached_session_lock (self);
  alone = packet != NULL && self->reduced.on;
  wait = alone && gst_tfrc_report_interval_has_just_left (&self->interval,
      gst_util_get_timestamp ());
  interval = self->interval.interval;
  self->requested += !wait;
  gst_tfrc_attached_session_unlock (self);

  if (!alone)
    ask_session (self, session, interval);
  else if (!wait)
    *packet = make_packet (self, session);
  g_object_unref (session);
  return !wait;
}

/* --- report interval --- */

TfrcTime
gst_tfrc_data_receiver_rtcp_set_path (GstTfrcDataReceiverRtcp * self,
    TfrcTime R, gdouble wire_rate)
{
  GObject *session = gst_tfrc_attached_session_get (&self->base);
  GstTfrcReportIntervalChange change;
  GstClockTime interval, share;
  gdouble rate, fixed;

  if (session == NULL)
    return 0;
  gst_tfrc_attached_session_lock (self);
  share = gst_tfrc_report_interval_get_share (&self->interval, R, wire_rate);
  gst_tfrc_attached_session_unlock (self);
  interval = MAX (share, R);

  rate = gst_tfrc_report_interval_get_rtcp_rate (interval,
      gst_tfrc_rtp_session_get_members (session));
  fixed = gst_tfrc_rtp_session_get_fixed_rate (session);
  if (fixed > 0 && fixed < rate)
    share = interval = gst_tfrc_report_interval_stretch (interval, rate, fixed);

  gst_tfrc_attached_session_lock (self);
  change = gst_tfrc_report_interval_set (&self->interval, interval, rate);
  gst_tfrc_attached_session_unlock (self);
  if (change != GST_TFRC_REPORT_INTERVAL_SAME) {
    GST_DEBUG ("reports every %" GST_TIME_FORMAT ", RTCP bandwidth %g bit/s",
        GST_TIME_ARGS (interval), rate);
    gst_tfrc_rtp_session_set_rate (session, rate,
        change == GST_TFRC_REPORT_INTERVAL_FASTER);
  }
  g_object_unref (session);
  return share;
}

void
gst_tfrc_data_receiver_rtcp_confirm (GstTfrcDataReceiverRtcp * self, guint32 R)
{
  gst_tfrc_attached_session_lock (self);
  gst_tfrc_reduced_size_confirm (&self->reduced, R);
  gst_tfrc_attached_session_unlock (self);
}

/* --- the settings of both ends --- */

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;
  gboolean is_remote;
  GstTfrcApp app;

  if (!gst_tfrc_attached_session_parse_app (&self->base, name, subtype,
          buffer, &app))
    return;
  gst_tfrc_attached_session_lock (self);
  is_remote = !app.is_receiver && self->has_media_ssrc &&
      ssrc == self->media_ssrc;
  if (is_remote) {
    self->reduced.remote_takes = app.takes_reduced;
    self->remote_takes_timed = app.takes_timed && self->fmt != GST_TFRC_ECN_FMT;
  }
  gst_tfrc_attached_session_unlock (self);
  if (is_remote)
    gst_tfrc_attached_session_compare_app (&self->base, &app);
}

void
gst_tfrc_data_receiver_rtcp_set_media_ssrc (GstTfrcDataReceiverRtcp * self,
    guint32 ssrc)
{
  gst_tfrc_attached_session_lock (self);
  if (!self->has_media_ssrc || ssrc != self->media_ssrc)
    gst_tfrc_attached_session_repeat_app (&self->base);
  self->media_ssrc = ssrc;
  self->has_media_ssrc = TRUE;
  gst_tfrc_attached_session_unlock (self);
}

/* Tells the owner, unless that is gone, which SSRC the RTCP of `source` has. */
static void
call_owner (GstTfrcDataReceiverRtcp * self, GObject * source,
    GstTfrcSsrcFunc func)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  guint ssrc = 0;

  if (owner == NULL)
    return;
  g_object_get (source, "ssrc", &ssrc, NULL);
  func (owner, ssrc);
  gst_object_unref (owner);
}

static void
on_bye_ssrc (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;

  call_owner (self, source, self->on_bye);
}

/* RTCP of a remote end came. What ends a silence is answered at once. */
static void
on_active (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;

  if (gst_tfrc_attached_session_on_heard (&self->base))
    ask_session (self, session, ANSWER_DELAY);
  call_owner (self, source, self->on_active);
}

/* --- the object --- */

GstTfrcDataReceiverRtcp *
gst_tfrc_data_receiver_rtcp_new (GstElement * owner,
    const GstTfrcRtcpConfig * config, GstTfrcMakeReportFunc make_report,
    GstTfrcSsrcFunc on_active, GstTfrcSsrcFunc on_bye)
{
  GstTfrcDataReceiverRtcp *self =
      g_atomic_rc_box_new0 (GstTfrcDataReceiverRtcp);

  gst_tfrc_attached_session_init (&self->base, owner, config, TRUE);
  self->make_report = make_report;
  self->on_active = on_active;
  self->on_bye = on_bye;
  self->fmt = config->fmt;
  gst_tfrc_reduced_size_init (&self->reduced);
  gst_tfrc_report_interval_init (&self->interval, config->H);
  return self;
}

gboolean
gst_tfrc_data_receiver_rtcp_attach (GstTfrcDataReceiverRtcp * self,
    GObject * session, GstPad * pad)
{
  static const GstTfrcSessionSignal signals[] = {
    {"on-app-rtcp", G_CALLBACK (on_app)},
    {"on-sending-rtcp", G_CALLBACK (on_sending)},
    {"on-bye-ssrc", G_CALLBACK (on_bye_ssrc)},
    {"on-ssrc-active", G_CALLBACK (on_active)},
  };
  gboolean attached;

  if (!gst_tfrc_attached_session_attach (&self->base, session, pad, signals,
          G_N_ELEMENTS (signals), &attached))
    return FALSE;
  if (attached)
    gst_tfrc_data_receiver_rtcp_set_path (self, 0, 0);
  return TRUE;
}

void
gst_tfrc_data_receiver_rtcp_add_stats (GstTfrcDataReceiverRtcp * self,
    GstStructure * stats)
{
  gst_tfrc_attached_session_lock (self);
  gst_tfrc_attached_session_add_stats (&self->base, stats);
  gst_structure_set (stats,
      "rtcp-reports-sent", G_TYPE_UINT64, self->sent,
      "rtcp-reports-asked", G_TYPE_UINT64, self->requested,
      "rtcp-reports-refused", G_TYPE_UINT64, self->refused,
      "rtcp-reduced-size", G_TYPE_BOOLEAN, self->reduced.on,
      "rtcp-reduced-size-fallbacks", G_TYPE_UINT64, self->reduced.fallbacks,
      "report-interval", G_TYPE_UINT64, self->interval.interval, NULL);
  gst_tfrc_attached_session_unlock (self);
}
