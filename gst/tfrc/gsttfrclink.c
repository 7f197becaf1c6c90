/* gst-tfrc: the link to the RTP session, which carries the reports
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsttfrclink.h"

#include <gst/rtp/rtp.h>
#include <string.h>
#include <tfrc/loss-share.h>
#include <tfrc/wire.h>

#include "gsttfrcenums.h"
#include "gsttfrcfind.h"
#include "gsttfrcshortcut.h"

GST_DEBUG_CATEGORY_STATIC (tfrclink_debug);
#define GST_CAT_DEFAULT tfrclink_debug

/* A receiver that is silent for so long may be replaced by another. */
#define REBIND_AFTER (2 * GST_SECOND)

/* Share of the wire rate that reports may take, RTCP and data both counted with
 * the headers below them. The rest up to a tenth is the sender's own RTCP. */
#define REPORT_SHARE 0.085
#define REPORT_INTERVAL_MIN (10 * GST_MSECOND)
#define REPORT_INTERVAL_MAX GST_SECOND

/* T_rr_interval of RFC 4585 3.4: compound packets come about so often, reports in
 * between travel early. RFC 8083 4.1 wants at most 4 s. */
#define REGULAR_INTERVAL (2 * GST_SECOND)
#define DEFAULT_REGULAR_INTERVAL (5 * GST_SECOND)

/* Before the first report TFRC sends one packet a second: a session that holds a
 * source back until its second packet would cost that second, and the first sample
 * of R would be wrong by it. */
#define PROBATION 1
#define DEFAULT_PROBATION 2

/* The session grants an early packet when T_rr, 0.41 to 1.23 times
 * 8 avg_rtcp_size members / bandwidth, has passed since the last. With T_rr well
 * below the interval of the reports, the session is never what delays one, and a
 * loss can be told at once. */
#define RTCP_INTERVAL_SHARE 0.5
#define RTCP_SIZE_GUESS 100.0   /* bytes, of a mix of compound and reduced-size */
#define RTCP_RATE_STEP 1.25     /* smaller changes are not worth a new setting */
#define FIRST_INTERVAL (100 * GST_MSECOND)

/* The session hears of the receiver as often, whatever else it is spared: members time
 * out after five seconds at least, RFC 3550 6.3.5. */
#define SESSION_PERIOD (2 * GST_SECOND)

/* RFC 5506 4.2.1 */
#define UNCONFIRMED_MAX 5
#define REDUCED_RETRY (30 * GST_SECOND)

/* The APP packet by which the ends learn of each other's settings: name,
 * version as subtype, two words: mode, measure and H; flags. */
#define APP_NAME "TFRC"
#define APP_VERSION 0
#define APP_WORDS 2
#define APP_FLAG_RECEIVER (1u << 0)
#define APP_FLAG_REDUCED (1u << 1)
#define APP_TIMES 5             /* beside so many compound packets to each peer */

enum
{
  ON_FEEDBACK, ON_APP, ON_SENDING, ON_ACTIVE, ON_BYE, ON_TIMEOUT, N_SIGNALS
};

struct _GstTfrcLink
{
  GWeakRef owner;
  GstTfrcLinkConfig config;
  GstTfrcLinkHandlers handlers;

  GMutex lock;
  GObject *session;
  GstElement *rtpsession;       /* whose it is, if known */
  GstPad *rtcp_pad;             /* its way out, while reduced-size RTCP is on */
  guint32 own_ssrc;             /* what reduced-size reports are from */
  GstClockTime left;            /* system time of the last report */
  gulong signals[N_SIGNALS];
  guint send_rtcp;              /* signal id */

  guint32 media_ssrc;
  gboolean has_media_ssrc;
  guint32 peer_ssrc;            /* sender: the receiver we listen to */
  gboolean bound, peer_gone;
  GstClockTime heard;           /* system time of its last accepted report */
  GstTfrcShortcut shortcut;     /* for reports, once the session has shown one */
  GstClockTime told;            /* system time of the last that the session saw */
  TfrcLossShare loss;           /* by the peer's receiver reports */
  guint app_left;
  gboolean mismatch;            /* told already */

  gboolean peer_reduced;        /* the far end says that it takes reduced-size RTCP */
  gboolean reduced;             /* we switched it on */
  gboolean sent_compound;       /* with a report in it */
  guint unconfirmed;            /* reduced-size reports since the data showed an effect */
  GstClockTime fallback, retry; /* when reduced-size was given up, and for how long */

  GstClockTime interval;        /* between reports, as last told */
  gdouble rtcp_rate;            /* bit/s as last set in the session, 0: not yet */
  gdouble report_size;          /* bytes on the wire, moving average */
  gdouble compound_size;        /* of the last in a compound packet */

  guint64 received, malformed, wrong_media_ssrc, wrong_sender_ssrc, rebinds;
  guint64 sent, requested, refused, fallbacks, apps_malformed;
};

GstTfrcLink *
gst_tfrc_link_ref (GstTfrcLink * link)
{
  return g_atomic_rc_box_acquire (link);
}

static void
link_clear (gpointer data)
{
  GstTfrcLink *link = data;

  g_weak_ref_clear (&link->owner);
  g_mutex_clear (&link->lock);
}

void
gst_tfrc_link_unref (GstTfrcLink * link)
{
  g_atomic_rc_box_release_full (link, link_clear);
}

static void
link_closed (gpointer data, GClosure * closure)
{
  gst_tfrc_link_unref (data);
}

GstTfrcLink *
gst_tfrc_link_new (GstElement * owner, const GstTfrcLinkConfig * config,
    const GstTfrcLinkHandlers * handlers)
{
  static gsize once = 0;
  GstTfrcLink *link = g_atomic_rc_box_new0 (GstTfrcLink);

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (tfrclink_debug, "tfrclink", 0,
        "TFRC link to the RTP session");
    g_once_init_leave (&once, 1);
  }
  g_weak_ref_init (&link->owner, owner);
  g_mutex_init (&link->lock);
  link->config = *config;
  link->handlers = *handlers;
  link->app_left = APP_TIMES;
  link->interval = FIRST_INTERVAL;
  link->retry = REDUCED_RETRY;
  return link;
}

/* --- reports that come in --- */

/* With the lock. Whether a report by `ssrc` may be looked at. */
static gboolean
may_report (GstTfrcLink * link, guint32 ssrc, GstClockTime now)
{
  if (!link->bound || ssrc == link->peer_ssrc)
    return TRUE;
  return link->peer_gone || now - link->heard > REBIND_AFTER;
}

/* With the lock. */
static gboolean
check_ssrcs (GstTfrcLink * link, guint32 sender_ssrc, guint32 media_ssrc)
{
  if (!link->has_media_ssrc || media_ssrc != link->media_ssrc)
    link->wrong_media_ssrc++;
  else if (!may_report (link, sender_ssrc, gst_util_get_timestamp ()))
    link->wrong_sender_ssrc++;
  else
    return TRUE;
  return FALSE;
}

/* With the lock. */
static void
bind_peer (GstTfrcLink * link, guint32 ssrc)
{
  if (!link->bound || ssrc != link->peer_ssrc)
    link->app_left = APP_TIMES;
  if (link->bound && ssrc != link->peer_ssrc)
    link->rebinds++;
  link->bound = TRUE;
  link->peer_gone = FALSE;
  link->peer_ssrc = ssrc;
  link->heard = gst_util_get_timestamp ();
}

static gboolean
parse_fci (GstBuffer * fci, TfrcReport * report)
{
  guint8 data[TFRC_REPORT_FCI_SIZE];

  if (fci == NULL || gst_buffer_get_size (fci) != sizeof data)
    return FALSE;
  gst_buffer_extract (fci, 0, data, sizeof data);
  return tfrc_report_parse_fci (report, data, sizeof data) == TFRC_PARSE_OK;
}

/* Without the lock, which the owner's handler must not be called under. */
static void
hand_over (GstTfrcLink * link, const TfrcReport * report, guint32 ssrc,
    gboolean new_peer)
{
  GstElement *owner = g_weak_ref_get (&link->owner);

  if (owner == NULL)
    return;
  GST_LOG_OBJECT (owner, "report of %08x: t_i %u t_delay %u X_recv %u p %u",
      ssrc, report->t_i_us, report->t_delay_us, report->x_recv_Bps,
      report->p_q32);
  if (link->handlers.on_report (owner, report, new_peer)) {
    g_mutex_lock (&link->lock);
    bind_peer (link, ssrc);
    g_mutex_unlock (&link->lock);
  }
  gst_object_unref (owner);
}

/* With the lock. The session knows the receiver, and heard of it not long ago. */
static gboolean
may_pass_session (GstTfrcLink * link, guint32 sender_ssrc, guint32 media_ssrc)
{
  return link->bound && !link->peer_gone && sender_ssrc == link->peer_ssrc &&
      media_ssrc == link->media_ssrc &&
      gst_util_get_timestamp () - link->told < SESSION_PERIOD;
}

static gboolean
on_lone_report (gpointer data, guint32 sender_ssrc, guint32 media_ssrc,
    const TfrcReport * report)
{
  GstTfrcLink *link = data;
  gboolean mine;

  g_mutex_lock (&link->lock);
  mine = may_pass_session (link, sender_ssrc, media_ssrc);
  link->received += mine;
  g_mutex_unlock (&link->lock);
  if (mine)
    hand_over (link, report, sender_ssrc, FALSE);
  return mine;
}

/* The session costs a report many times what the engine does. */
static void
open_shortcut (GstTfrcLink * link)
{
  GstElement *rtpsession;
  GstPad *pad = NULL;

  g_mutex_lock (&link->lock);
  rtpsession = link->shortcut.pad == NULL && link->rtpsession != NULL ?
      gst_object_ref (link->rtpsession) : NULL;
  g_mutex_unlock (&link->lock);
  if (rtpsession == NULL)
    return;
  pad = gst_element_get_static_pad (rtpsession, "recv_rtcp_sink");
  g_mutex_lock (&link->lock);
  if (pad != NULL && link->session != NULL && link->shortcut.pad == NULL)
    gst_tfrc_shortcut_open (&link->shortcut, pad, link->config.fmt,
        on_lone_report, gst_tfrc_link_ref (link),
        (GDestroyNotify) gst_tfrc_link_unref);
  g_mutex_unlock (&link->lock);
  gst_clear_object (&pad);
  gst_object_unref (rtpsession);
}

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, gpointer data)
{
  GstTfrcLink *link = data;
  TfrcReport report;
  gboolean pass, new_peer;

  if (type != GST_RTCP_TYPE_RTPFB || fmt != link->config.fmt)
    return;
  g_mutex_lock (&link->lock);
  link->received++;
  pass = check_ssrcs (link, sender_ssrc, media_ssrc);
  if (pass && !parse_fci (fci, &report)) {
    link->malformed++;
    pass = FALSE;
  }
  new_peer = link->bound && sender_ssrc != link->peer_ssrc;
  if (pass)
    link->told = gst_util_get_timestamp ();
  g_mutex_unlock (&link->lock);
  if (!pass)
    return;
  hand_over (link, &report, sender_ssrc, new_peer);
  open_shortcut (link);
}

/* What the peer's report block says of our packets. */
static void
note_losses (GstTfrcLink * link, const GstStructure * stats)
{
  guint highest = 0;
  gint lost = 0;

  if (!gst_structure_get (stats, "rb-exthighestseq", G_TYPE_UINT, &highest,
          "rb-packetslost", G_TYPE_INT, &lost, NULL))
    return;
  g_mutex_lock (&link->lock);
  tfrc_loss_share_update (&link->loss, highest, lost);
  g_mutex_unlock (&link->lock);
}

gdouble
gst_tfrc_link_get_loss (GstTfrcLink * link)
{
  gdouble loss;

  g_mutex_lock (&link->lock);
  loss = tfrc_loss_share_get (&link->loss);
  g_mutex_unlock (&link->lock);
  return loss;
}

/* An SR or RR came. Its source tells all that it knows or nothing, so all that is
 * wanted of it is taken here. */
static void
on_active (GObject * session, GObject * source, gpointer data)
{
  GstTfrcLink *link = data;
  GstElement *owner = g_weak_ref_get (&link->owner);
  GstStructure *stats = NULL;
  gboolean have_rb = FALSE, other;
  guint ssrc = 0, rtt = 0;
  gint lost = 0;

  if (owner == NULL)
    return;
  g_object_get (source, "ssrc", &ssrc, NULL);
  g_mutex_lock (&link->lock);
  other = link->bound && ssrc != link->peer_ssrc;
  g_mutex_unlock (&link->lock);
  if (!other)
    g_object_get (source, "stats", &stats, NULL);
  /* the round-trip time is in 1/65536 s */
  if (stats != NULL &&
      gst_structure_get (stats, "have-rb", G_TYPE_BOOLEAN, &have_rb,
          "rb-round-trip", G_TYPE_UINT, &rtt,
          "rb-packetslost", G_TYPE_INT, &lost, NULL) && have_rb) {
    note_losses (link, stats);
    link->handlers.on_receiver_report (owner, gst_util_uint64_scale (rtt,
            GST_SECOND, 65536), lost);
  }
  gst_clear_structure (&stats);
  gst_object_unref (owner);
}

static void
on_gone (GObject * session, GObject * source, gpointer data)
{
  GstTfrcLink *link = data;
  guint ssrc = 0;

  g_object_get (source, "ssrc", &ssrc, NULL);
  g_mutex_lock (&link->lock);
  if (link->bound && ssrc == link->peer_ssrc)
    link->peer_gone = TRUE;
  g_mutex_unlock (&link->lock);
}

/* --- the settings of the far end --- */

static void
post_mismatch (GstElement * owner, const GstTfrcLinkConfig * own, guint mode,
    guint measure)
{
  const gchar *here = gst_tfrc_mode_get_nick (own->mode);
  const gchar *there = gst_tfrc_mode_get_nick (mode);

  if (own->mode != mode)
    GST_ELEMENT_ERROR (owner, CORE, NEGOTIATION,
        ("This end runs in mode %s and the far end in mode %s. "
            "Set mode=%s on both ends.", here, there, here),
        ("losses are measured by the receiver in the sender's mode"));
  else
    GST_ELEMENT_ERROR (owner, CORE, NEGOTIATION,
        ("This end uses loss-measure %s and the far end %s. "
            "Set loss-measure=%s on both ends.",
            gst_tfrc_measure_get_nick (own->measure),
            gst_tfrc_measure_get_nick (measure),
            gst_tfrc_measure_get_nick (own->measure)), (NULL));
}

/* With the lock. Whether the APP packet of `ssrc` speaks for this flow's far end. */
static gboolean
is_far_end (GstTfrcLink * link, guint32 ssrc, guint32 flags)
{
  gboolean is_receiver = (flags & APP_FLAG_RECEIVER) != 0;

  if (is_receiver == (link->config.role == GST_TFRC_LINK_RECEIVER))
    return FALSE;
  if (is_receiver)
    return link->bound && ssrc == link->peer_ssrc;
  return link->has_media_ssrc && ssrc == link->media_ssrc;
}

static void
on_app (GObject * session, guint subtype, guint ssrc, const gchar * name,
    GstBuffer * buffer, gpointer data)
{
  GstTfrcLink *link = data;
  GstElement *owner;
  guint8 words[4 * APP_WORDS];
  guint32 flags;
  gboolean differs = FALSE;

  if (g_strcmp0 (name, APP_NAME) != 0 || subtype != APP_VERSION)
    return;
  g_mutex_lock (&link->lock);
  if (buffer == NULL ||
      gst_buffer_extract (buffer, 0, words, sizeof words) != sizeof words) {
    link->apps_malformed++;
    g_mutex_unlock (&link->lock);
    return;
  }
  flags = GST_READ_UINT32_BE (words + 4);
  if (is_far_end (link, ssrc, flags)) {
    link->peer_reduced = (flags & APP_FLAG_REDUCED) != 0;
    differs = !link->mismatch && (words[0] != link->config.mode ||
        words[1] != link->config.measure);
    link->mismatch |= differs;
  }
  g_mutex_unlock (&link->lock);

  if (differs && (owner = g_weak_ref_get (&link->owner)) != NULL) {
    post_mismatch (owner, &link->config, words[0], words[1]);
    gst_object_unref (owner);
  }
}

/* --- RTCP packets that go out --- */

typedef struct
{
  guint32 ssrc;                 /* of the SR or RR in front; 0: reduced-size */
  gboolean bye;
} RtcpContents;

static RtcpContents
get_contents (GstRTCPBuffer * rtcp)
{
  RtcpContents contents = { 0, FALSE };
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

static gboolean
append_report (GstTfrcLink * link, GstRTCPBuffer * rtcp, guint32 ssrc,
    const TfrcReport * report, guint32 media_ssrc)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet))
    return FALSE;
  gst_rtcp_packet_fb_set_type (&packet, link->config.fmt);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, media_ssrc);
  if (!gst_rtcp_packet_fb_set_fci_length (&packet, TFRC_REPORT_FCI_SIZE / 4)) {
    gst_rtcp_packet_remove (&packet);
    return FALSE;
  }
  tfrc_report_write_fci (report, gst_rtcp_packet_fb_get_fci (&packet));
  return TRUE;
}

static void
append_app (GstTfrcLink * link, GstRTCPBuffer * rtcp, guint32 ssrc)
{
  GstRTCPPacket packet;
  guint32 flags = APP_FLAG_REDUCED;
  guint8 *data;

  if (link->config.role == GST_TFRC_LINK_RECEIVER)
    flags |= APP_FLAG_RECEIVER;
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
  data[0] = link->config.mode;
  data[1] = link->config.measure;
  GST_WRITE_UINT16_BE (data + 2, link->config.H);
  GST_WRITE_UINT32_BE (data + 4, flags);
}

/* With the lock. A report has left: reduced-size RTCP may begin, or must end. */
static gboolean
choose_reduced (GstTfrcLink * link, gboolean compound)
{
  GstClockTime now = gst_util_get_timestamp ();

  if (compound) {
    link->sent_compound = TRUE;
  } else if (++link->unconfirmed > UNCONFIRMED_MAX && link->reduced) {
    /* RFC 5506 4.2.1: they do not get through */
    link->reduced = FALSE;
    link->report_size = link->compound_size;
    link->fallback = now;
    link->fallbacks++;
    return TRUE;
  }
  /* RFC 5506 4.1, 4.2: the far end takes them, a compound packet went first */
  if (link->reduced || !link->peer_reduced || !link->sent_compound ||
      link->unconfirmed > 0)
    return FALSE;
  if (link->fallbacks > 0) {
    if (now - link->fallback < link->retry)
      return FALSE;
    link->retry *= 2;
  }
  link->reduced = TRUE;
  link->report_size = TFRC_REPORT_SIZE + link->config.H;
  return TRUE;
}

/* Reduced-size reports may leave as packets of their own from now on, or not. */
static void
set_reduced (GstTfrcLink * link, GObject * session, gboolean reduced)
{
  GstElement *rtpsession;
  GstPad *pad = NULL, *old;

  GST_DEBUG ("reduced-size RTCP %s", reduced ? "on" : "off");
  g_object_set (session, "rtcp-reduced-size", reduced, NULL);
  g_mutex_lock (&link->lock);
  rtpsession = link->rtpsession != NULL ? gst_object_ref (link->rtpsession) :
      NULL;
  g_mutex_unlock (&link->lock);
  if (rtpsession != NULL && reduced)
    pad = gst_element_get_static_pad (rtpsession, "send_rtcp_src");
  g_mutex_lock (&link->lock);
  old = link->rtcp_pad;
  link->rtcp_pad = link->session != NULL ? g_steal_pointer (&pad) : NULL;
  g_mutex_unlock (&link->lock);
  gst_clear_object (&old);
  gst_clear_object (&pad);
  gst_clear_object (&rtpsession);
}

static void
count_report (GstTfrcLink * link, GObject * session, gboolean compound,
    gsize rtcp_size)
{
  gdouble size = rtcp_size + link->config.H;
  gboolean changed, reduced;

  g_mutex_lock (&link->lock);
  link->sent++;
  link->left = gst_util_get_timestamp ();
  if (link->report_size == 0)
    link->report_size = size;
  link->report_size += (size - link->report_size) / 16;
  if (compound)
    link->compound_size = size;
  changed = choose_reduced (link, compound);
  reduced = link->reduced;
  g_mutex_unlock (&link->lock);
  if (changed)
    set_reduced (link, session, reduced);
}

/* With the lock. */
static gboolean
takes_app (GstTfrcLink * link, const RtcpContents * contents)
{
  if (contents->ssrc == 0 || link->app_left == 0)
    return FALSE;
  if (link->config.role == GST_TFRC_LINK_SENDER &&
      (!link->has_media_ssrc || contents->ssrc != link->media_ssrc))
    return FALSE;
  link->app_left--;
  return TRUE;
}

static guint32
get_own_ssrc (GstTfrcLink * link, GObject * session)
{
  guint ssrc = 0;

  g_object_get (session, "internal-ssrc", &ssrc, NULL);
  g_mutex_lock (&link->lock);
  link->own_ssrc = ssrc;
  g_mutex_unlock (&link->lock);
  return ssrc;
}

static gboolean
on_sending (GObject * session, GstBuffer * buffer, gboolean early,
    gpointer data)
{
  GstTfrcLink *link = data;
  GstElement *owner = g_weak_ref_get (&link->owner);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  RtcpContents contents;
  TfrcReport report;
  guint32 ssrc, media_ssrc;
  gboolean app, reported = FALSE;

  if (owner == NULL)
    return FALSE;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  contents = get_contents (&rtcp);
  ssrc = contents.ssrc;
  if (ssrc == 0)
    ssrc = get_own_ssrc (link, session);

  /* RFC 3550 6.1: BYE is the last packet */
  if (!contents.bye && link->handlers.make_report != NULL &&
      link->handlers.make_report (owner, &report, &media_ssrc))
    reported = append_report (link, &rtcp, ssrc, &report, media_ssrc);
  g_mutex_lock (&link->lock);
  app = !contents.bye && takes_app (link, &contents);
  g_mutex_unlock (&link->lock);
  if (app)
    append_app (link, &rtcp, ssrc);
  gst_rtcp_buffer_unmap (&rtcp);

  if (reported)
    count_report (link, session, contents.ssrc != 0,
        gst_buffer_get_size (buffer));
  gst_object_unref (owner);
  return reported || app;
}

/* --- binding to a session --- */

/* A session that nobody configured gets the profile for feedback, compound packets
 * more often than every five seconds, and takes a source by its first packet. */
static void
configure_session (GObject * session)
{
  guint64 min_interval;
  guint probation;
  gint profile;

  g_object_get (session, "rtp-profile", &profile, "rtcp-min-interval",
      &min_interval, "probation", &probation, NULL);
  if (profile == GST_RTP_PROFILE_AVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_AVPF, NULL);
  else if (profile == GST_RTP_PROFILE_SAVP)
    g_object_set (session, "rtp-profile", GST_RTP_PROFILE_SAVPF, NULL);
  if (min_interval == DEFAULT_REGULAR_INTERVAL)
    g_object_set (session, "rtcp-min-interval", REGULAR_INTERVAL, NULL);
  if (probation == DEFAULT_PROBATION)
    g_object_set (session, "probation", PROBATION, NULL);
}

static gulong
connect_signal (GstTfrcLink * link, const gchar * name, GCallback callback)
{
  return g_signal_connect_data (link->session, name, callback,
      gst_tfrc_link_ref (link), link_closed, 0);
}

/* With the lock. */
static void
connect_signals (GstTfrcLink * link)
{
  gulong *s = link->signals;

  s[ON_APP] = connect_signal (link, "on-app-rtcp", G_CALLBACK (on_app));
  s[ON_SENDING] = connect_signal (link, "on-sending-rtcp",
      G_CALLBACK (on_sending));
  if (link->config.role == GST_TFRC_LINK_RECEIVER)
    return;
  s[ON_FEEDBACK] = connect_signal (link, "on-feedback-rtcp",
      G_CALLBACK (on_feedback));
  s[ON_ACTIVE] = connect_signal (link, "on-ssrc-active",
      G_CALLBACK (on_active));
  s[ON_BYE] = connect_signal (link, "on-bye-ssrc", G_CALLBACK (on_gone));
  s[ON_TIMEOUT] = connect_signal (link, "on-timeout", G_CALLBACK (on_gone));
}

gboolean
gst_tfrc_link_attach (GstTfrcLink * link, GObject * session, GstPad * pad)
{
  GstElement *rtpsession = NULL;
  GObject *found;

  g_mutex_lock (&link->lock);
  found = link->session;
  g_mutex_unlock (&link->lock);
  if (found != NULL)
    return TRUE;

  if (session == NULL)
    rtpsession = gst_tfrc_find_rtpsession (pad);
  else if (GST_IS_ELEMENT (session) && gst_tfrc_is_rtpsession (session))
    rtpsession = GST_ELEMENT (g_object_ref (session));
  else
    found = g_object_ref (session);
  if (rtpsession != NULL)
    g_object_get (rtpsession, "internal-session", &found, NULL);
  if (found == NULL || g_signal_lookup ("send-rtcp-full",
          G_OBJECT_TYPE (found)) == 0) {
    g_clear_object (&found);
    gst_clear_object (&rtpsession);
    return FALSE;
  }

  g_mutex_lock (&link->lock);
  link->session = g_object_ref (found);
  link->rtpsession = rtpsession;
  link->send_rtcp = g_signal_lookup ("send-rtcp-full", G_OBJECT_TYPE (found));
  connect_signals (link);
  g_mutex_unlock (&link->lock);
  configure_session (found);
  if (link->config.role == GST_TFRC_LINK_RECEIVER)
    gst_tfrc_link_set_path (link, 0, 0);
  g_object_unref (found);
  return TRUE;
}

void
gst_tfrc_link_detach (GstTfrcLink * link)
{
  GstElement *rtpsession;
  GObject *session;
  GstPad *pad;
  GstTfrcShortcut shortcut;
  gulong signals[N_SIGNALS];
  guint i;

  g_mutex_lock (&link->lock);
  session = g_steal_pointer (&link->session);
  rtpsession = g_steal_pointer (&link->rtpsession);
  pad = g_steal_pointer (&link->rtcp_pad);
  shortcut = link->shortcut;
  link->shortcut = (GstTfrcShortcut) { NULL, 0 };
  memcpy (signals, link->signals, sizeof signals);
  memset (link->signals, 0, sizeof link->signals);
  g_mutex_unlock (&link->lock);
  if (session == NULL)
    return;
  for (i = 0; i < N_SIGNALS; i++) {
    if (signals[i] != 0)
      g_signal_handler_disconnect (session, signals[i]);
  }
  gst_tfrc_shortcut_close (&shortcut);
  gst_clear_object (&pad);
  gst_clear_object (&rtpsession);
  g_object_unref (session);
}

static GObject *
get_session (GstTfrcLink * link)
{
  GObject *session;

  g_mutex_lock (&link->lock);
  session = link->session != NULL ? g_object_ref (link->session) : NULL;
  g_mutex_unlock (&link->lock);
  return session;
}

void
gst_tfrc_link_set_media_ssrc (GstTfrcLink * link, guint32 ssrc)
{
  g_mutex_lock (&link->lock);
  if (!link->has_media_ssrc || ssrc != link->media_ssrc) {
    link->app_left = APP_TIMES;
    tfrc_loss_share_init (&link->loss);
  }
  link->media_ssrc = ssrc;
  link->has_media_ssrc = TRUE;
  g_mutex_unlock (&link->lock);
}

/* --- how often reports leave --- */

/* A report of its own, past the session's thread, which would take longer over it
 * than all else that is done for a report. The session made the first, compound one
 * and goes on to make those; its pad is the flow's way out. */
static void
send_report (GstTfrcLink * link, GObject * session, GstPad * pad,
    GstElement * owner)
{
  guint8 *data;
  TfrcReport report;
  guint32 media_ssrc, own_ssrc;

  if (!link->handlers.make_report (owner, &report, &media_ssrc))
    return;
  g_mutex_lock (&link->lock);
  own_ssrc = link->own_ssrc;
  g_mutex_unlock (&link->lock);
  if (own_ssrc == 0)
    own_ssrc = get_own_ssrc (link, session);
  data = g_malloc (TFRC_REPORT_SIZE);
  tfrc_report_write (&report, link->config.fmt, own_ssrc, media_ssrc, data);
  gst_pad_push (pad, gst_buffer_new_wrapped (data, TFRC_REPORT_SIZE));
  count_report (link, session, FALSE, TFRC_REPORT_SIZE);
}

/* With the lock. The session keeps its reports as far apart, RFC 4585 3.5.3. */
static gboolean
has_just_left (GstTfrcLink * link)
{
  return gst_util_get_timestamp () - link->left <
      RTCP_INTERVAL_SHARE * link->interval;
}

gboolean
gst_tfrc_link_request_report (GstTfrcLink * link, gboolean here)
{
  GObject *session = get_session (link);
  GstElement *owner = NULL;
  GstPad *pad = NULL;
  GstClockTime interval;
  gboolean granted = FALSE, wait;

  if (session == NULL)
    return TRUE;
  g_mutex_lock (&link->lock);
  if (here && link->rtcp_pad != NULL)
    pad = gst_object_ref (link->rtcp_pad);
  wait = pad != NULL && has_just_left (link);
  interval = link->interval;
  link->requested += !wait;
  g_mutex_unlock (&link->lock);

  if (pad == NULL)
    g_signal_emit (session, link->send_rtcp, 0, (guint64) interval, &granted);
  else if (!wait && (owner = g_weak_ref_get (&link->owner)) != NULL)
    send_report (link, session, pad, owner);
  g_mutex_lock (&link->lock);
  link->refused += pad == NULL && !granted;
  g_mutex_unlock (&link->lock);
  g_clear_object (&owner);
  gst_clear_object (&pad);
  g_object_unref (session);
  return !wait;
}

/* With the lock. */
static GstClockTime
get_share_interval (GstTfrcLink * link, gdouble wire_rate)
{
  gdouble size = link->report_size;

  if (wire_rate <= 0)
    return 0;
  if (size == 0)
    size = TFRC_REPORT_SIZE + link->config.H;
  return size / (REPORT_SHARE * wire_rate) * GST_SECOND;
}

/* The bandwidth in bit/s that lets a report leave every `interval`, for all
 * members of the session. */
static gdouble
get_rtcp_rate (GObject * session, GstClockTime interval)
{
  guint members = 0;

  g_object_get (session, "num-active-sources", &members, NULL);
  return 8 * RTCP_SIZE_GUESS * MAX (members, 2) * GST_SECOND /
      (RTCP_INTERVAL_SHARE * interval);
}

/* Bandwidth that the application set for RTCP, bit/s; 0: none. */
static gdouble
get_fixed_rate (GObject * session)
{
  gint rr = -1, rs = -1;

  g_object_get (session, "rtcp-rr-bandwidth", &rr, "rtcp-rs-bandwidth", &rs,
      NULL);
  return rr >= 0 && rs >= 0 ? (gdouble) rr + rs : 0;
}

TfrcTime
gst_tfrc_link_set_path (GstTfrcLink * link, TfrcTime R, gdouble wire_rate)
{
  GObject *session = get_session (link);
  GstClockTime interval, share;
  gdouble rate, fixed;
  gboolean faster = FALSE, slower;

  if (session == NULL)
    return 0;
  g_mutex_lock (&link->lock);
  interval = get_share_interval (link, wire_rate);
  g_mutex_unlock (&link->lock);
  interval = CLAMP (interval, REPORT_INTERVAL_MIN, REPORT_INTERVAL_MAX);
  /* the share is not known yet, nor how large reports are */
  if (R == 0 || wire_rate <= 0)
    interval = MAX (interval, FIRST_INTERVAL);
  share = interval;
  interval = MAX (interval, R);

  rate = get_rtcp_rate (session, interval);
  fixed = get_fixed_rate (session);
  if (fixed > 0 && fixed < rate)
    share = interval =
        MAX (interval, interval * rate * RTCP_INTERVAL_SHARE / fixed);

  g_mutex_lock (&link->lock);
  link->interval = interval;
  faster = rate > link->rtcp_rate * RTCP_RATE_STEP;
  slower = rate * RTCP_RATE_STEP < link->rtcp_rate;
  if (faster || slower)
    link->rtcp_rate = rate;
  g_mutex_unlock (&link->lock);

  if (faster || slower)
    g_object_set (session, "rtcp-fraction", rate, NULL);
  /* the session goes by its old interval until the next regular packet, unless
   * it is made to think anew */
  if (faster) {
    guint64 min_interval;

    g_object_get (session, "rtcp-min-interval", &min_interval, NULL);
    g_object_set (session, "rtcp-min-interval", min_interval, NULL);
  }
  g_object_unref (session);
  return share;
}

void
gst_tfrc_link_confirm (GstTfrcLink * link)
{
  g_mutex_lock (&link->lock);
  link->unconfirmed = 0;
  g_mutex_unlock (&link->lock);
}

void
gst_tfrc_link_add_stats (GstTfrcLink * link, GstStructure * stats)
{
  g_mutex_lock (&link->lock);
  gst_structure_set (stats, "rtcp-session", G_TYPE_BOOLEAN,
      link->session != NULL, "rtcp-app-malformed", G_TYPE_UINT64,
      link->apps_malformed, NULL);
  if (link->config.role == GST_TFRC_LINK_SENDER)
    gst_structure_set (stats,
        "rtcp-reports", G_TYPE_UINT64, link->received,
        "rtcp-malformed", G_TYPE_UINT64, link->malformed,
        "rtcp-wrong-media-ssrc", G_TYPE_UINT64, link->wrong_media_ssrc,
        "rtcp-wrong-sender-ssrc", G_TYPE_UINT64, link->wrong_sender_ssrc,
        "peer-changes", G_TYPE_UINT64, link->rebinds, NULL);
  else
    gst_structure_set (stats,
        "rtcp-reports-sent", G_TYPE_UINT64, link->sent,
        "rtcp-reports-asked", G_TYPE_UINT64, link->requested,
        "rtcp-reports-refused", G_TYPE_UINT64, link->refused,
        "rtcp-reduced-size", G_TYPE_BOOLEAN, link->reduced,
        "rtcp-reduced-size-fallbacks", G_TYPE_UINT64, link->fallbacks,
        "report-interval", G_TYPE_UINT64, link->interval, NULL);
  g_mutex_unlock (&link->lock);
}
