/* gst-tfrc: the data receiver's RTCP: sends reports to the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/datareceiverrtcp.h"

#include <tfrc/wire.h>

#include "base/debugcategory.h"
#include "rtcp/rtcppackets.h"
#include "rtcp/reportinterval.h"
#include "rtcp/attachedsession.h"
#include "rtcp/rtpsession.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcreceiverrtcp",
    "TFRC reports that the data receiver sends");

/* How long the answer to the RTCP that ends a silence may take. */
#define ANSWER_DELAY (100 * GST_MSECOND)

/* TFRC sends one packet in a second before the first report. A source that the session accepted by its second packet
 * would have its first report a second late, and its first sample of R would be too long by that second. So a source is
 * accepted by its first packet: so many of them at once, and one more after each interval. The others are
 * accepted by their second packet, because a source costs rtpbin two threads, and a stranger one packet. */
#define SOURCES_AT_ONCE 8
#define SOURCE_INTERVAL (10 * GST_SECOND)

struct _GstTfrcDataReceiverRtcp
{
  GstTfrcAttachedSession base;
  GstTfrcMakeReportsFunc make_reports;
  GstTfrcSsrcFunc on_active, on_bye;
  GstTfrcSettingsFunc on_settings;
  guint fmt;

  /* under the lock of `base` */
  guint32 media[GST_TFRC_REPORTED_MAX]; /* SSRCs of the data */
  guint n_media;
  TfrcMode mode;                /* in which losses are measured, of the SSRC that was settled last */
  guint32 own_ssrc;             /* that reports are from; 0: not known yet */
  GstTfrcReducedSize reduced;
  gboolean remote_takes_timed;  /* reports with a transit time */
  gboolean remote_takes_arrivals;       /* reports that list arrivals */
  GstTfrcReportInterval interval;
  guint64 sent, requested, refused;
  guint64 unknown_settings;     /* APP packets that may be forged */
  guint sources_left;           /* that are accepted by their first packet */
  GstClockTime sources_time;    /* when one was added last */
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

/* Fills the reports of this moment. Returns how many there are. */
static guint
make_reports (GstTfrcDataReceiverRtcp * self, GstElement * owner,
    GstTfrcMadeReport * made, guint64 * received)
{
  guint i, n = self->make_reports (owner, made, received);
  gboolean timed, lists_arrivals;
  gdouble p = 0;

  for (i = 0; i < n; i++)
    p = MAX (p, tfrc_report_decode_p (made[i].report.p_q32));
  gst_tfrc_attached_session_lock (self);
  timed = self->remote_takes_timed;
  lists_arrivals = self->remote_takes_arrivals;
  gst_tfrc_report_interval_set_losses (&self->interval, p, lists_arrivals);
  gst_tfrc_attached_session_unlock (self);
  for (i = 0; i < n; i++) {
    made[i].report.timed = timed;
    made[i].report.lists_arrivals = lists_arrivals && made[i].report.p_q32 > 0;
  }
  for (i = 0; i < n; i++)
    GST_DEBUG_OBJECT (owner, "report to %08x: t_i %u us, t_delay %u us, "
        "X_recv %u bytes/s, p %g", made[i].media_ssrc, made[i].report.t_i_us,
        made[i].report.t_delay_us, made[i].report.x_recv_Bps,
        tfrc_report_decode_p (made[i].report.p_q32));
  return n;
}

/* The SSRC that the reports in a compound packet of `compound_ssrc` are from (0: in a reduced-size packet). All
 * reports are from one SSRC, also when the session sends data of several, because the data sender listens to one:
 * that of the first packet. */
static guint32
choose_own_ssrc (GstTfrcDataReceiverRtcp * self, GObject * session,
    guint32 compound_ssrc)
{
  guint32 asked = gst_tfrc_rtp_session_get_ssrc (session), ssrc;

  gst_tfrc_attached_session_lock (self);
  if (self->own_ssrc == 0)
    self->own_ssrc = compound_ssrc != 0 ? compound_ssrc : asked;
  ssrc = self->own_ssrc;
  gst_tfrc_attached_session_unlock (self);
  return ssrc;
}

/* The settings of this end go with the SSRC that the reports are from. Returns whether they were added. */
static gboolean
append_app (GstTfrcDataReceiverRtcp * self, GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstTfrcApp app = self->base.local;
  gboolean wanted;

  gst_tfrc_attached_session_lock (self);
  wanted = self->base.app_left > 0 && (self->own_ssrc == 0
      || self->own_ssrc == ssrc);
  self->base.app_left -= wanted;
  app.mode = self->mode;
  gst_tfrc_attached_session_unlock (self);
  if (wanted)
    gst_tfrc_app_append (&app, rtcp, ssrc);
  return wanted;
}

/* Adds the reports that are due. Returns whether there was one. */
static gboolean
append_reports (GstTfrcDataReceiverRtcp * self, GstElement * owner,
    GObject * session, GstRTCPBuffer * rtcp, guint32 compound_ssrc,
    guint64 * received)
{
  GstTfrcMadeReport made[GST_TFRC_REPORTED_MAX];
  guint i, n = make_reports (self, owner, made, received);
  GstTfrcRtcpReport header = { .fmt = self->fmt };
  gboolean added = FALSE;

  if (n > 0)
    header.sender_ssrc = choose_own_ssrc (self, session, compound_ssrc);
  for (i = 0; i < n; i++) {
    header.media_ssrc = made[i].media_ssrc;
    if (gst_tfrc_rtcp_append_report (rtcp, &header, &made[i].report))
      added = TRUE;
    else
      GST_DEBUG_OBJECT (owner, "no room for the report to %08x",
          header.media_ssrc);
  }
  return added;
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
  guint64 received = 0;
  gboolean compound, added = FALSE, reported = FALSE;

  if (owner == NULL)
    return FALSE;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = gst_tfrc_rtcp_get_contents (&rtcp);
  compound = contents.ssrc != 0;
  /* RFC 3550 6.1: BYE is the last packet */
  if (!contents.bye)
    reported = append_reports (self, owner, session, &rtcp, contents.ssrc,
        &received);
  if (!contents.bye && compound)
    added = append_app (self, &rtcp, contents.ssrc);
  gst_rtcp_buffer_unmap (&rtcp);

  if (reported)
    count_report (self, owner, received, compound,
        gst_buffer_get_size (buffer));
  gst_object_unref (owner);
  return reported || added;
}

/* A packet that is the reports that are due, or NULL when there is nothing to report. */
static GstBuffer *
make_packet (GstTfrcDataReceiverRtcp * self, GObject * session)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  GstTfrcMadeReport made[GST_TFRC_REPORTED_MAX];
  GstTfrcRtcpReport header = { .fmt = self->fmt };
  GstBuffer *packet = NULL, *next;
  guint64 received;
  guint i, n;

  if (owner == NULL)
    return NULL;
  gst_tfrc_attached_session_lock (self);
  header.sender_ssrc = self->own_ssrc;
  gst_tfrc_attached_session_unlock (self);
  if (header.sender_ssrc == 0)
    header.sender_ssrc = choose_own_ssrc (self, session, 0);
  n = make_reports (self, owner, made, &received);
  for (i = 0; i < n; i++) {
    header.media_ssrc = made[i].media_ssrc;
    next = gst_tfrc_rtcp_new_report (&header, &made[i].report);
    packet = packet != NULL ? gst_buffer_append (packet, next) : next;
  }
  if (packet != NULL)
    count_report (self, owner, received, FALSE, gst_buffer_get_size (packet));
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

/* The index of `ssrc` among the SSRCs of the data, or n_media. Called with the lock. */
static guint
find_media (const GstTfrcDataReceiverRtcp * self, guint32 ssrc)
{
  guint i = 0;

  while (i < self->n_media && self->media[i] != ssrc)
    i++;
  return i;
}

/* Whether the owner takes the packet for one of the data sender. */
static gboolean
is_true (GstTfrcDataReceiverRtcp * self, guint32 ssrc, const GstTfrcApp * app)
{
  GstElement *owner = g_weak_ref_get (&self->base.owner);
  gboolean is_secure, known;

  if (owner == NULL)
    return FALSE;
  gst_tfrc_attached_session_lock (self);
  is_secure = self->base.is_secure;
  gst_tfrc_attached_session_unlock (self);
  known = self->on_settings (owner, ssrc, app, is_secure);
  gst_object_unref (owner);
  return known;
}

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;
  gboolean is_remote, known;
  GstTfrcApp app;

  if (!gst_tfrc_attached_session_parse_app (&self->base, name, subtype,
          buffer, &app))
    return;
  gst_tfrc_attached_session_lock (self);
  is_remote = !app.is_receiver && find_media (self, ssrc) < self->n_media;
  gst_tfrc_attached_session_unlock (self);
  if (!is_remote)
    return;
  gst_tfrc_attached_session_compare_app (&self->base, self->base.local.mode,
      &app);
  known = is_true (self, ssrc, &app);
  gst_tfrc_attached_session_lock (self);
  self->unknown_settings += !known;
  if (known) {
    self->reduced.remote_takes = app.takes_reduced;
    self->remote_takes_timed = app.takes_timed && self->fmt != GST_TFRC_ECN_FMT;
    self->remote_takes_arrivals = app.takes_arrivals
        && self->fmt != GST_TFRC_ECN_FMT;
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_receiver_rtcp_set_mode (GstTfrcDataReceiverRtcp * self,
    TfrcMode mode)
{
  gst_tfrc_attached_session_lock (self);
  if (mode != self->mode) {
    self->mode = mode;
    gst_tfrc_attached_session_repeat_app (&self->base);
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_receiver_rtcp_add_media (GstTfrcDataReceiverRtcp * self,
    guint32 ssrc)
{
  gst_tfrc_attached_session_lock (self);
  if (find_media (self, ssrc) == self->n_media
      && self->n_media < GST_TFRC_REPORTED_MAX) {
    self->media[self->n_media++] = ssrc;
    gst_tfrc_attached_session_repeat_app (&self->base);
  }
  gst_tfrc_attached_session_unlock (self);
}

void
gst_tfrc_data_receiver_rtcp_remove_media (GstTfrcDataReceiverRtcp * self,
    guint32 ssrc)
{
  guint at;

  gst_tfrc_attached_session_lock (self);
  at = find_media (self, ssrc);
  if (at < self->n_media)
    self->media[at] = self->media[--self->n_media];
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

/* Whether one more source may be accepted by its first packet. Called with the lock. */
static gboolean
may_end_probation (GstTfrcDataReceiverRtcp * self, GstClockTime now)
{
  guint64 more = (now - self->sources_time) / SOURCE_INTERVAL;
  gboolean may;

  self->sources_left = MIN (self->sources_left + more, SOURCES_AT_ONCE);
  self->sources_time += more * SOURCE_INTERVAL;
  may = self->sources_left > 0;
  self->sources_left -= may;
  return may;
}

static void
on_new_ssrc (GObject * session, GObject * source, gpointer data)
{
  GstTfrcDataReceiverRtcp *self = data;
  gboolean ends;

  if (!gst_tfrc_rtp_source_is_on_probation (source))
    return;
  gst_tfrc_attached_session_lock (self);
  ends = may_end_probation (self, gst_util_get_timestamp ());
  gst_tfrc_attached_session_unlock (self);
  if (ends)
    gst_tfrc_rtp_source_end_probation (source);
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
    const GstTfrcRtcpConfig * config, GstTfrcMakeReportsFunc make_reports,
    GstTfrcSsrcFunc on_active, GstTfrcSsrcFunc on_bye,
    GstTfrcSettingsFunc on_settings)
{
  GstTfrcDataReceiverRtcp *self =
      g_atomic_rc_box_new0 (GstTfrcDataReceiverRtcp);

  gst_tfrc_attached_session_init (&self->base, owner, config, TRUE);
  self->make_reports = make_reports;
  self->on_active = on_active;
  self->on_bye = on_bye;
  self->on_settings = on_settings;
  self->mode = config->mode;
  self->fmt = config->fmt;
  self->sources_left = SOURCES_AT_ONCE;
  gst_tfrc_reduced_size_init (&self->reduced);
  gst_tfrc_report_interval_init (&self->interval, config->H);
  return self;
}

/* What was learned by a session that the filter was linked to before holds no more. */
static void
forget_session (GstTfrcDataReceiverRtcp * self)
{
  gst_tfrc_attached_session_lock (self);
  self->own_ssrc = 0;
  self->remote_takes_timed = self->remote_takes_arrivals = FALSE;
  gst_tfrc_reduced_size_init (&self->reduced);
  gst_tfrc_report_interval_init (&self->interval, self->base.local.H);
  gst_tfrc_attached_session_unlock (self);
}

gboolean
gst_tfrc_data_receiver_rtcp_attach (GstTfrcDataReceiverRtcp * self,
    GObject * session, GstPad * pad)
{
  static const GstTfrcSessionSignal signals[] = {
    {"on-app-rtcp", G_CALLBACK (on_app)},
    {"on-sending-rtcp", G_CALLBACK (on_sending)},
    {"on-new-ssrc", G_CALLBACK (on_new_ssrc)},
    {"on-bye-ssrc", G_CALLBACK (on_bye_ssrc)},
    {"on-ssrc-active", G_CALLBACK (on_active)},
  };
  gboolean attached;

  if (!gst_tfrc_attached_session_attach (&self->base, session, pad, signals,
          G_N_ELEMENTS (signals), &attached))
    return FALSE;
  if (attached) {
    forget_session (self);
    gst_tfrc_data_receiver_rtcp_set_path (self, 0, 0);
  }
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
      "rtcp-app-unknown", G_TYPE_UINT64, self->unknown_settings,
      "rtcp-reduced-size", G_TYPE_BOOLEAN, self->reduced.on,
      "rtcp-reduced-size-fallbacks", G_TYPE_UINT64, self->reduced.fallbacks,
      "report-interval", G_TYPE_UINT64, self->interval.interval, NULL);
  gst_tfrc_attached_session_unlock (self);
}
