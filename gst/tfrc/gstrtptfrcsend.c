/* gst-tfrc: the sending filter
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtptfrcsend
 * @title: rtptfrcsend
 * @short_description: Sends RTP packets at the rate that TFRC allows
 *
 * The data sender of TFRC (RFC 5348) and TFRC-SP (RFC 4828) as a filter for RTP
 * packets. A packet that may leave passes at once; one that may not waits in a
 * bounded queue whose oldest packets are dropped, before they get a sequence
 * number. As it departs, a packet gets its sequence number and the stamp
 * (round-trip time and send time) in the header extension
 * `urn:ietf:params:rtp-hdrext:rtt-sendts`, which is added when the payloader did
 * not reserve it. Reports come in by the RTCP of the session that the element is
 * linked to; nothing must queue packets between it and the socket.
 *
 * What the encoder may use is told upstream by the event
 * `application/x-tfrc-rate` and by the read-only properties with their notify.
 *
 * Input that is not live must be waited for: set #GstRtpTfrcSend:sync.
 *
 * |[
 * gst-launch-1.0 rtpsession name=s audiotestsrc is-live=true ! opusenc ! rtpopuspay ! rtptfrcsend mode=tfrc-sp ! s.send_rtp_sink s.send_rtp_src ! udpsink host=127.0.0.1 port=5004 sync=false async=false s.send_rtcp_src ! udpsink host=127.0.0.1 port=5005 sync=false async=false udpsrc port=5007 ! s.recv_rtcp_sink
 * ]| Sends to the example of rtptfrcreceive and takes its reports.
 *
 * Since: 0.1
 */
#include "gstrtptfrcsend.h"

#include <tfrc/sender.h>
#include <tfrc/wire.h>

#include "gsttfrcclock.h"
#include "gsttfrcenums.h"
#include "gsttfrclink.h"
#include "gsttfrcmeter.h"
#include "gsttfrcpacket.h"
#include "gsttfrcqueue.h"
#include "gsttfrcrate.h"
#include "gsttfrcsched.h"
#include "gsttfrcsettings.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcsend_debug);
#define GST_CAT_DEFAULT rtptfrcsend_debug

#define DEFAULT_MIN_BITRATE 0
#define DEFAULT_MAX_BITRATE 0
#define DEFAULT_MAX_QUEUE_TIME (200 * GST_MSECOND)
#define DEFAULT_MAX_QUEUE_PACKETS 1000
#define DEFAULT_SYNC FALSE
#define DEFAULT_CONTEXT ""
#define DEFAULT_TARGET_BITRATE 0
#define DEFAULT_DSCP -1
#define DEFAULT_PACING TFRC_PACING_RFC

/* Until the flow shows its own: frames of 20 ms, a header with the stamp alone. */
#define DEFAULT_PACKET_RATE 50.0
#define DEFAULT_OVERHEAD 24
/* What a suspended flow must be allowed again, of min-bitrate. */
#define RESUME_FACTOR 1.1
/* Packets that are due at once leave as a list of at most so many. */
#define LIST_MAX 64
/* A session is looked for again after so many packets. */
#define ATTACH_PACKETS 50
/* RFC 4828 1: TFRC-SP is not for packets that are larger. */
#define SP_PACKET_MAX 1500
/* RFC 4828 3: nor for flows with more packets a second; this much over it is
 * no measuring error. */
#define SP_RATE_SLACK 1.1

enum
{
  PROP_MIN_BITRATE = GST_TFRC_N_SETTINGS,
  PROP_MAX_BITRATE,
  PROP_MAX_QUEUE_TIME,
  PROP_MAX_QUEUE_PACKETS,
  PROP_SYNC,
  PROP_CONTEXT,
  PROP_TARGET_BITRATE,
  PROP_DSCP,
  PROP_PACING,
  PROP_ALLOWED_BITRATE,
  PROP_ALLOWED_PACKET_SIZE,
  PROP_MAX_PACKET_RATE,
  PROP_ALLOWED_RATE,
  PROP_LOSS_EVENT_RATE,
  PROP_ROUND_TRIP_TIME,
  PROP_SUSPENDED,
  PROP_STATS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* Told once each. */
enum
{
  WARN_SESSION = 1 << 0,
  WARN_SIZE = 1 << 1,
  WARN_RATE = 1 << 2
};

struct _GstRtpTfrcSend
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  GMutex lock;                  /* for all below */
  GstTfrcSettings settings;
  guint min_bitrate, max_bitrate, target_bitrate;       /* bit/s */
  guint64 max_queue_time;       /* ns, 0: no limit */
  guint max_queue_packets;
  gboolean sync;
  gchar *context;
  gint dscp;
  TfrcPacing pacing;

  gboolean running, flushing, eos;
  GstTfrcTimebase time;
  GstTfrcTimer timer;           /* nofeedback */
  GstTfrcSchedEntry departures;
  gboolean joined;              /* to a scheduler */
  TfrcConfig config;
  TfrcSender *sender;           /* NULL until the first start */
  GstTfrcLink *link;
  guint attach_in;              /* packets */
  gboolean attached;

  GstTfrcQueue queue;
  gboolean departing;           /* a thread takes items from the queue and pushes them */
  GstFlowReturn flow;           /* of the last push */
  guint id;                     /* of the header extension */
  gboolean has_ssrc;
  guint32 ssrc;
  guint16 seq;                  /* of the last packet that departed */
  TfrcTime rate_set;            /* when X last changed */
  gboolean head_waits;          /* the first packet was not allowed when it came */

  GCond sync_cond;              /* playing or flushing changed */
  GstClockID sync_id;
  GstSegment segment;
  gboolean playing;
  GstClockTime latency;

  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean fed;                 /* a report was accepted */
  gboolean suspended;
  GstTfrcRateGate gate;
  GstTfrcRate telling, told;    /* the next to be told, the last whose notify went out */
  gboolean has_telling, tells;  /* there is one; a thread is telling */
  guint warn, warned;

  GstTfrcMeter meter;           /* of what comes in */
  GstTfrcHistogram errors;      /* of departures that had to wait */
  GstTfrcHistogram waits;       /* in the queue */
  TfrcTime last_wait;
  guint64 dropped_late, dropped_full, not_rtp, unstamped, ssrc_changes;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpTfrcSend, gst_rtp_tfrc_send, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (rtptfrcsend_debug, "rtptfrcsend", 0,
        "TFRC sender"));
GST_ELEMENT_REGISTER_DEFINE (rtptfrcsend, "rtptfrcsend", GST_RANK_NONE,
    GST_TYPE_RTP_TFRC_SEND);

static TfrcTime
get_now (GstRtpTfrcSend * self)
{
  return gst_tfrc_timebase_now (&self->time);
}

/* --- telling what the encoder may use --- */

static gdouble
get_packet_rate (GstRtpTfrcSend * self, const TfrcAllowance * allowance)
{
  gdouble rate = gst_tfrc_meter_get_packet_rate (&self->meter);

  if (rate == 0)
    rate = DEFAULT_PACKET_RATE;
  return MIN (rate, allowance->max_packet_rate);
}

static guint
to_uint (gdouble value)
{
  return value < G_MAXUINT ? (guint) value : G_MAXUINT;
}

static TfrcTime
get_queue_delay (GstRtpTfrcSend * self)
{
  const GstTfrcItem *item = gst_tfrc_queue_peek_packet (&self->queue);

  if (item == NULL)
    return 0;
  return MAX (get_now (self) - item->queued, self->last_wait);
}

static gboolean
is_suspended (GstRtpTfrcSend * self, guint bitrate)
{
  /* Nothing is known of the path before the first report. */
  if (self->min_bitrate == 0 || !self->fed)
    return FALSE;
  return bitrate < self->min_bitrate * (self->suspended ? RESUME_FACTOR : 1);
}

/* With the lock, as all up to the next section. */
static void
compute_rate (GstRtpTfrcSend * self, GstTfrcRate * rate)
{
  TfrcAllowance allowance;
  guint bitrate;

  *rate = (GstTfrcRate) {.mode = "" };
  if (self->sender == NULL)
    return;
  tfrc_sender_get_allowance (self->sender, &allowance);
  rate->packet_rate = get_packet_rate (self, &allowance);
  rate->overhead = self->overhead;
  rate->header_size = self->config.H;
  bitrate = to_uint (tfrc_allowance_get_bitrate (&allowance,
          self->config.mode, self->config.H, rate->packet_rate,
          rate->overhead));
  rate->suspend = is_suspended (self, bitrate);
  if (self->max_bitrate > 0)
    bitrate = MIN (bitrate, self->max_bitrate);
  rate->bitrate = bitrate;
  rate->payload_size = to_uint (bitrate / (8 * rate->packet_rate));
  if (allowance.max_packet_rate <= G_MAXUINT)
    rate->max_packet_rate = allowance.max_packet_rate;
  rate->X = allowance.X;
  rate->X_wire = allowance.X_wire;
  rate->p = allowance.p;
  rate->R = allowance.R * GST_SECOND;
  rate->queue_delay = get_queue_delay (self);
  rate->mode = gst_tfrc_mode_get_nick (self->config.mode);
  rate->ssrc = self->ssrc;
}

/* Leaves what has changed for tell(), if it is worth telling. */
static void
note_rate (GstRtpTfrcSend * self, GstTfrcRateReason reason)
{
  GstTfrcRate rate;

  compute_rate (self, &rate);
  rate.reason = reason;
  if (rate.suspend != self->suspended)
    rate.reason = rate.suspend ? GST_TFRC_RATE_SUSPEND : GST_TFRC_RATE_RESUME;
  self->suspended = rate.suspend;
  if (!gst_tfrc_rate_gate_pass (&self->gate, &rate, get_now (self)))
    return;
  self->telling = rate;
  self->has_telling = TRUE;
}

static void
notify_rate (GstRtpTfrcSend * self, const GstTfrcRate * old,
    const GstTfrcRate * new)
{
  GObject *object = G_OBJECT (self);

  if (new->bitrate != old->bitrate)
    g_object_notify_by_pspec (object, props[PROP_ALLOWED_BITRATE]);
  if (new->payload_size != old->payload_size)
    g_object_notify_by_pspec (object, props[PROP_ALLOWED_PACKET_SIZE]);
  if (new->max_packet_rate != old->max_packet_rate)
    g_object_notify_by_pspec (object, props[PROP_MAX_PACKET_RATE]);
  if (new->X != old->X)
    g_object_notify_by_pspec (object, props[PROP_ALLOWED_RATE]);
  if (new->p != old->p)
    g_object_notify_by_pspec (object, props[PROP_LOSS_EVENT_RATE]);
  if (new->R != old->R)
    g_object_notify_by_pspec (object, props[PROP_ROUND_TRIP_TIME]);
  if (new->suspend != old->suspend)
    g_object_notify_by_pspec (object, props[PROP_SUSPENDED]);
}

/* Without the lock, from any thread that may call out: one at a time tells, in
 * order; who comes meanwhile leaves it to that one. */
static void
tell (GstRtpTfrcSend * self)
{
  GstTfrcRate old, new;

  g_mutex_lock (&self->lock);
  if (self->tells) {
    g_mutex_unlock (&self->lock);
    return;
  }
  self->tells = TRUE;
  while (self->has_telling) {
    old = self->told;
    new = self->told = self->telling;
    self->has_telling = FALSE;
    g_mutex_unlock (&self->lock);
    GST_DEBUG_OBJECT (self, "%s: %u bit/s, %u bytes/packet, X %g p %g",
        gst_tfrc_rate_reason_get_name (new.reason), new.bitrate,
        new.payload_size, new.X, new.p);
    notify_rate (self, &old, &new);
    gst_pad_push_event (self->sinkpad, gst_tfrc_rate_new_event (&new));
    g_mutex_lock (&self->lock);
  }
  self->tells = FALSE;
  g_mutex_unlock (&self->lock);
}

static void
tell_async (GstElement * element, gpointer data)
{
  tell (GST_RTP_TFRC_SEND (element));
}

/* With the lock. */
static void
note_warning (GstRtpTfrcSend * self, guint warning)
{
  if (self->warned & warning)
    return;
  self->warn |= warning;
  self->warned |= warning;
}

static void
post_warnings (GstRtpTfrcSend * self, guint warn)
{
  if (warn & WARN_SESSION)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No RTP session that reports come in by. Put rtptfrcsend in front of "
            "rtpsession or set rtp-session."), (NULL));
  if (warn & WARN_SIZE)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("Packets of more than %u bytes in mode tfrc-sp, which is for small "
            "ones. Set mode=tfrc on both ends.", SP_PACKET_MAX), (NULL));
  if (warn & WARN_RATE)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("More than 100 packets/s in mode tfrc-sp, which sends no more. Use "
            "longer frames, or set mode=tfrc on both ends."), (NULL));
}

/* --- the engine, with the lock --- */

static void
arm_timer (GstRtpTfrcSend * self)
{
  gst_tfrc_timer_arm (&self->timer, &self->time,
      tfrc_sender_next_timer (self->sender));
}

static void
arm_departures (GstRtpTfrcSend * self, TfrcTime time)
{
  if (self->joined)
    gst_tfrc_sched_entry_arm (&self->departures,
        gst_tfrc_timebase_to_clock (&self->time, time));
}

static GstTfrcRateReason
get_reason (unsigned bits)
{
  if (bits & TFRC_SENDER_LOSS)
    return GST_TFRC_RATE_LOSS;
  if (bits & TFRC_SENDER_EXPIRED)
    return GST_TFRC_RATE_NOFEEDBACK;
  return GST_TFRC_RATE_REPORT;
}

static void
on_bits (GstRtpTfrcSend * self, unsigned bits, GstTfrcRateReason reason,
    TfrcTime now)
{
  if (bits & TFRC_SENDER_TIMER)
    arm_timer (self);
  if (bits & TFRC_SENDER_RATE) {
    self->rate_set = now;
    /* the scheduler's thread asks anew when the first packet may leave */
    if (self->queue.packets > 0 && !self->departing)
      arm_departures (self, now);
  }
  if (bits & (TFRC_SENDER_RATE | TFRC_SENDER_LOSS | TFRC_SENDER_EXPIRED))
    note_rate (self, reason);
}

static void
change_ssrc (GstRtpTfrcSend * self, const GstTfrcPacket * packet, TfrcTime now)
{
  gboolean restart = self->has_ssrc;

  self->has_ssrc = TRUE;
  self->ssrc = packet->ssrc;
  self->seq = packet->seq - 1;
  gst_tfrc_link_set_media_ssrc (self->link, packet->ssrc);
  if (!restart)
    return;
  GST_INFO_OBJECT (self, "SSRC is now %08x, slow start anew", packet->ssrc);
  self->ssrc_changes++;
  on_bits (self, tfrc_sender_restart (self->sender, now),
      GST_TFRC_RATE_RESTART, now);
}

/* --- departures, with the lock --- */

static gboolean
is_late (GstRtpTfrcSend * self, const GstTfrcItem * item, TfrcTime now)
{
  return self->max_queue_time > 0 && now > item->queued &&
      now - item->queued > self->max_queue_time;
}

/* The oldest packets go, before they have a sequence number. */
static void
drop_packets (GstRtpTfrcSend * self, TfrcTime now)
{
  const GstTfrcItem *item;

  while ((item = gst_tfrc_queue_peek_packet (&self->queue)) != NULL) {
    if (is_late (self, item, now))
      self->dropped_late++;
    else if (self->queue.packets > self->max_queue_packets)
      self->dropped_full++;
    else
      break;
    GST_LOG_OBJECT (self, "dropping #%u, %" GST_TIME_FORMAT " old",
        item->packet.seq, GST_TIME_ARGS (now - item->queued));
    gst_tfrc_queue_drop_packet (&self->queue);
    self->head_waits = FALSE;
  }
}

static void
wait_for_departure (GstRtpTfrcSend * self, const GstTfrcItem * item,
    TfrcTime time, TfrcTime now)
{
  tfrc_sender_on_limited (self->sender, now);
  if (self->config.pacing == TFRC_PACING_FLUID)
    tfrc_sender_set_waiting (self->sender, self->queue.packets);
  self->head_waits = TRUE;
  /* it may be too late for it by then */
  if (self->max_queue_time > 0)
    time = MIN (time, item->queued + self->max_queue_time + 1);
  arm_departures (self, time);
}

static void
measure_departure (GstRtpTfrcSend * self, const GstTfrcItem * item,
    TfrcTime allowed, TfrcTime now)
{
  self->last_wait = now - MIN (item->queued, now);
  if (self->head_waits) {
    gst_tfrc_histogram_add (&self->errors,
        now - MIN (now, MAX (allowed, self->rate_set)));
    gst_tfrc_histogram_add (&self->waits, self->last_wait);
  }
  self->head_waits = FALSE;
  self->overhead = item->packet.header_size;
}

/* The packet leaves now. Takes the item's buffer. */
static GstBuffer *
depart_packet (GstRtpTfrcSend * self, const GstTfrcItem * item,
    TfrcTime allowed, TfrcTime now)
{
  TfrcStamp stamp;
  unsigned bits;

  measure_departure (self, item, allowed, now);
  bits = tfrc_sender_on_departure (self->sender, item->packet.size,
      self->queue.packets > 0, &stamp, now);
  on_bits (self, bits, GST_TFRC_RATE_REPORT, now);
  return gst_tfrc_packet_depart (&item->packet,
      GST_BUFFER_CAST (item->object), ++self->seq, &stamp);
}

/* The next packet, if it may leave now; else its time is waited for. */
static GstBuffer *
take_packet (GstRtpTfrcSend * self, TfrcTime now)
{
  const GstTfrcItem *head;
  GstTfrcItem item;
  TfrcTime allowed;

  drop_packets (self, now);
  head = gst_tfrc_queue_peek (&self->queue);
  if (head == NULL || !GST_IS_BUFFER (head->object))
    return NULL;
  if (!self->has_ssrc || head->packet.ssrc != self->ssrc)
    change_ssrc (self, &head->packet, now);
  allowed = tfrc_sender_next_departure (self->sender, head->packet.size);
  if (allowed > now) {
    wait_for_departure (self, head, allowed, now);
    return NULL;
  }
  item = gst_tfrc_queue_pop (&self->queue);
  return depart_packet (self, &item, allowed, now);
}

/* What may leave now: an event, a buffer, or a list of buffers. */
static GstMiniObject *
take_object (GstRtpTfrcSend * self)
{
  const GstTfrcItem *head = gst_tfrc_queue_peek (&self->queue);
  GstBuffer *buffer, *next;
  GstBufferList *list;
  TfrcTime now;

  if (head != NULL && !GST_IS_BUFFER (head->object))
    return gst_tfrc_queue_pop (&self->queue).object;
  now = get_now (self);
  buffer = take_packet (self, now);
  if (buffer == NULL) {
    /* what was dropped may have uncovered an event */
    head = gst_tfrc_queue_peek (&self->queue);
    return head != NULL && !GST_IS_BUFFER (head->object) ?
        gst_tfrc_queue_pop (&self->queue).object : NULL;
  }
  if (self->queue.packets == 0 || (next = take_packet (self, now)) == NULL)
    return GST_MINI_OBJECT_CAST (buffer);

  list = gst_buffer_list_new ();
  gst_buffer_list_add (list, buffer);
  do {
    gst_buffer_list_add (list, next);
  } while (gst_buffer_list_length (list) < LIST_MAX &&
      (next = take_packet (self, now)) != NULL);
  return GST_MINI_OBJECT_CAST (list);
}

static GstFlowReturn
push_object (GstRtpTfrcSend * self, GstMiniObject * object)
{
  if (GST_IS_BUFFER (object))
    return gst_pad_push (self->srcpad, GST_BUFFER_CAST (object));
  if (GST_IS_BUFFER_LIST (object))
    return gst_pad_push_list (self->srcpad, GST_BUFFER_LIST_CAST (object));
  gst_pad_push_event (self->srcpad, GST_EVENT_CAST (object));
  return GST_FLOW_OK;
}

/* Pushes what may leave. The lock is released meanwhile, `departing` keeps the
 * order: another thread that comes here leaves its packets to this one. */
static void
depart (GstRtpTfrcSend * self)
{
  GstMiniObject *object;
  GstFlowReturn flow;

  if (self->departing)
    return;
  self->departing = TRUE;
  while (self->running && !self->flushing && self->flow == GST_FLOW_OK &&
      (object = take_object (self)) != NULL) {
    g_mutex_unlock (&self->lock);
    flow = push_object (self, object);
    g_mutex_lock (&self->lock);
    if (self->flow == GST_FLOW_OK)
      self->flow = flow;
  }
  self->departing = FALSE;
  if (self->flow != GST_FLOW_OK)
    gst_tfrc_queue_flush (&self->queue);
}

static void
unlock_and_tell (GstRtpTfrcSend * self)
{
  gboolean telling = self->has_telling;
  guint warn = self->warn;

  self->warn = 0;
  g_mutex_unlock (&self->lock);
  if (warn != 0)
    post_warnings (self, warn);
  if (telling)
    tell (self);
}

static void
on_departure_time (gpointer data)
{
  GstRtpTfrcSend *self = data;
  GstFlowReturn flow;
  gboolean eos;

  g_mutex_lock (&self->lock);
  depart (self);
  flow = self->flow;
  eos = self->eos && !self->flushing;
  unlock_and_tell (self);
  /* with EOS in, no chain call is left that could return the error upstream */
  if (eos && (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)) {
    GST_ELEMENT_FLOW_ERROR (self, flow);
    gst_pad_push_event (self->srcpad, gst_event_new_eos ());
  }
}

/* --- the session --- */

static gboolean
on_report (GstElement * element, const TfrcReport * report, gboolean new_peer)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  unsigned bits = TFRC_SENDER_REJECTED;
  gboolean restarted = FALSE;

  g_mutex_lock (&self->lock);
  if (self->running) {
    TfrcTime now = get_now (self);

    bits = tfrc_sender_on_report (self->sender, report, now);
    if (new_peer && !(bits & TFRC_SENDER_REJECTED)) {
      /* another receiver's report, and a true one: what was known of the old
       * one's path is void */
      bits = tfrc_sender_restart (self->sender, now);
      bits |= tfrc_sender_on_report (self->sender, report, now);
      restarted = TRUE;
    }
    self->fed |= !(bits & TFRC_SENDER_REJECTED);
    on_bits (self, bits, restarted ? GST_TFRC_RATE_RESTART : get_reason (bits),
        now);
  }
  unlock_and_tell (self);
  return !(bits & TFRC_SENDER_REJECTED);
}

static void
on_rtt (GstElement * element, TfrcTime rtt)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);

  g_mutex_lock (&self->lock);
  if (self->running) {
    TfrcTime now = get_now (self);

    on_bits (self, tfrc_sender_on_rtt (self->sender, rtt, now),
        GST_TFRC_RATE_REPORT, now);
  }
  unlock_and_tell (self);
}

static void
on_timer (GstElement * element)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean telling = FALSE;

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->timer);
  if (self->running) {
    TfrcTime now = get_now (self);

    if (now >= tfrc_sender_next_timer (self->sender)) {
      unsigned bits = tfrc_sender_on_timer (self->sender, now);

      on_bits (self, bits, get_reason (bits), now);
    }
    arm_timer (self);
    telling = self->has_telling;
  }
  g_mutex_unlock (&self->lock);
  /* this is a thread of the clock's, which others wait for */
  if (telling)
    gst_element_call_async (element, tell_async, NULL, NULL);
}

static void
attach (GstRtpTfrcSend * self)
{
  GObject *session = NULL;
  GstTfrcLink *link;
  gboolean attached;

  g_mutex_lock (&self->lock);
  if (self->settings.rtp_session != NULL)
    session = g_object_ref (self->settings.rtp_session);
  link = gst_tfrc_link_ref (self->link);
  g_mutex_unlock (&self->lock);

  attached = gst_tfrc_link_attach (link, session, self->srcpad);
  g_clear_object (&session);
  gst_tfrc_link_unref (link);

  g_mutex_lock (&self->lock);
  self->attached = attached;
  if (!attached && self->has_ssrc)
    note_warning (self, WARN_SESSION);
  g_mutex_unlock (&self->lock);
}

/* --- data that come in --- */

/* With the lock. Returns when the time of `buffer` has come, or not any more. */
static GstFlowReturn
wait_for_running_time (GstRtpTfrcSend * self, GstBuffer * buffer)
{
  GstClockTime time = GST_BUFFER_DTS_OR_PTS (buffer), running_time;
  GstClockReturn ret = GST_CLOCK_UNSCHEDULED;
  GstClock *clock;

  if (self->segment.format != GST_FORMAT_TIME)
    return GST_FLOW_OK;
  running_time = gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME,
      time);
  while (running_time != GST_CLOCK_TIME_NONE && ret == GST_CLOCK_UNSCHEDULED) {
    while (!self->playing && !self->flushing)
      g_cond_wait (&self->sync_cond, &self->lock);
    clock = gst_element_get_clock (GST_ELEMENT (self));
    if (self->flushing || clock == NULL) {
      gst_clear_object (&clock);
      break;
    }
    self->sync_id = gst_clock_new_single_shot_id (clock,
        gst_element_get_base_time (GST_ELEMENT (self)) + running_time +
        self->latency);
    gst_object_unref (clock);
    g_mutex_unlock (&self->lock);
    ret = gst_clock_id_wait (self->sync_id, NULL);
    g_mutex_lock (&self->lock);
    gst_clock_id_unref (self->sync_id);
    self->sync_id = NULL;
  }
  return self->flushing ? GST_FLOW_FLUSHING : GST_FLOW_OK;
}

/* With the lock. */
static void
wake_sync (GstRtpTfrcSend * self)
{
  if (self->sync_id != NULL)
    gst_clock_id_unschedule (self->sync_id);
  g_cond_broadcast (&self->sync_cond);
}

/* With the lock. */
static void
check_small_packets (GstRtpTfrcSend * self, const GstTfrcPacket * packet)
{
  if (self->config.mode != TFRC_MODE_TFRC_SP)
    return;
  if (packet->size + self->config.H > SP_PACKET_MAX)
    note_warning (self, WARN_SIZE);
  if (self->meter.n == GST_TFRC_METER_PACKETS &&
      gst_tfrc_meter_get_packet_rate (&self->meter) > 100 * SP_RATE_SLACK)
    note_warning (self, WARN_RATE);
}

/* With the lock. Takes the buffer. */
static void
enqueue_packet (GstRtpTfrcSend * self, GstBuffer * buffer)
{
  GstTfrcItem item;

  if (!gst_tfrc_packet_parse (&item.packet, buffer, self->id)) {
    GST_DEBUG_OBJECT (self, "dropping what is no RTP packet");
    self->not_rtp++;
    gst_buffer_unref (buffer);
    return;
  }
  if (item.packet.stamp_offset == 0)
    buffer = gst_tfrc_packet_reserve (&item.packet, buffer, self->id);
  if (item.packet.stamp_offset == 0)
    self->unstamped++;
  item.object = GST_MINI_OBJECT_CAST (buffer);
  item.queued = get_now (self);
  gst_tfrc_meter_add (&self->meter, item.packet.size, item.queued);
  check_small_packets (self, &item.packet);
  gst_tfrc_queue_push (&self->queue, &item);
  drop_packets (self, item.queued);
}

/* With the lock. Takes the buffer. */
static GstFlowReturn
take_in (GstRtpTfrcSend * self, GstBuffer * buffer)
{
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->sync)
    ret = wait_for_running_time (self, buffer);
  if (ret == GST_FLOW_OK && (self->flushing || !self->running))
    ret = GST_FLOW_FLUSHING;
  if (ret == GST_FLOW_OK)
    ret = self->eos ? GST_FLOW_EOS : self->flow;
  if (ret == GST_FLOW_OK)
    enqueue_packet (self, buffer);
  else
    gst_buffer_unref (buffer);
  return ret;
}

/* With the lock. Whether it is time to look for a session. */
static gboolean
wants_attach (GstRtpTfrcSend * self)
{
  if (self->attached || self->attach_in-- > 0)
    return FALSE;
  self->attach_in = ATTACH_PACKETS;
  return TRUE;
}

static GstFlowReturn
gst_rtp_tfrc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstFlowReturn ret;
  gboolean wants;

  g_mutex_lock (&self->lock);
  ret = take_in (self, buffer);
  if (ret == GST_FLOW_OK) {
    depart (self);
    ret = self->flow;
  }
  wants = wants_attach (self);
  unlock_and_tell (self);
  if (wants)
    attach (self);
  return ret;
}

static GstFlowReturn
gst_rtp_tfrc_send_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstFlowReturn ret = GST_FLOW_OK;
  guint i, n = gst_buffer_list_length (list);
  gboolean wants;

  g_mutex_lock (&self->lock);
  for (i = 0; i < n && ret == GST_FLOW_OK; i++)
    ret = take_in (self, gst_buffer_ref (gst_buffer_list_get (list, i)));
  gst_buffer_list_unref (list);
  if (ret == GST_FLOW_OK) {
    depart (self);
    ret = self->flow;
  }
  wants = wants_attach (self);
  unlock_and_tell (self);
  if (wants)
    attach (self);
  return ret;
}

/* --- events and queries --- */

static void
set_flushing (GstRtpTfrcSend * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  wake_sync (self);
  if (!flushing) {
    gst_tfrc_queue_flush (&self->queue);
    self->flow = GST_FLOW_OK;
    self->eos = self->head_waits = FALSE;
  }
  g_mutex_unlock (&self->lock);
}

/* The caps of what leaves say where the stamp is, also when it is added here. */
static GstEvent *
take_caps (GstRtpTfrcSend * self, GstEvent * event)
{
  GstCaps *caps;
  gchar *field;
  guint id, ssrc;

  gst_event_parse_caps (event, &caps);
  g_mutex_lock (&self->lock);
  id = self->id = gst_tfrc_settings_get_extension_id (&self->settings, caps);
  if (!self->has_ssrc &&
      gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc))
    self->ssrc = ssrc;
  note_rate (self, GST_TFRC_RATE_START);
  g_mutex_unlock (&self->lock);
  if (gst_tfrc_packet_find_id (caps) == id)
    return event;

  caps = gst_caps_copy (caps);
  field = g_strdup_printf ("extmap-%u", id);
  gst_caps_set_simple (caps, field, G_TYPE_STRING, TFRC_STAMP_URI, NULL);
  g_free (field);
  gst_event_unref (event);
  event = gst_event_new_caps (caps);
  gst_caps_unref (caps);
  return event;
}

/* Events keep their place among the packets. */
static gboolean
send_event (GstRtpTfrcSend * self, GstEvent * event)
{
  GstTfrcItem item = {.object = GST_MINI_OBJECT_CAST (event) };
  gboolean ret = TRUE;

  g_mutex_lock (&self->lock);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    self->eos = TRUE;
  if (self->flushing) {
    gst_event_unref (event);
    ret = FALSE;
  } else if (self->departing || gst_tfrc_queue_peek (&self->queue) != NULL) {
    gst_tfrc_queue_push (&self->queue, &item);
    depart (self);
  } else {
    self->departing = TRUE;
    g_mutex_unlock (&self->lock);
    ret = gst_pad_push_event (self->srcpad, event);
    g_mutex_lock (&self->lock);
    self->departing = FALSE;
    depart (self);
  }
  unlock_and_tell (self);
  return ret;
}

static gboolean
gst_rtp_tfrc_send_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  gboolean ret;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      set_flushing (self, TRUE);
      ret = gst_pad_push_event (self->srcpad, event);
      gst_tfrc_sched_entry_cancel (&self->departures);
      return ret;
    case GST_EVENT_FLUSH_STOP:
      set_flushing (self, FALSE);
      g_mutex_lock (&self->lock);
      gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
      g_mutex_unlock (&self->lock);
      return gst_pad_push_event (self->srcpad, event);
    case GST_EVENT_CAPS:
      event = take_caps (self, event);
      break;
    case GST_EVENT_SEGMENT:
      g_mutex_lock (&self->lock);
      gst_event_copy_segment (event, &self->segment);
      g_mutex_unlock (&self->lock);
      break;
    default:
      break;
  }
  if (GST_EVENT_IS_SERIALIZED (event))
    return send_event (self, event);
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_rtp_tfrc_send_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY) {
    g_mutex_lock (&self->lock);
    gst_event_parse_latency (event, &self->latency);
    g_mutex_unlock (&self->lock);
  }
  return gst_pad_event_default (pad, parent, event);
}

/* A query that is serialized would have to wait for the queue; there is nothing
 * that anyone asks which is worth that. */
static gboolean
gst_rtp_tfrc_send_sink_query (GstPad * pad, GstObject * parent,
    GstQuery * query)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  gboolean busy;

  if (GST_QUERY_IS_SERIALIZED (query)) {
    g_mutex_lock (&self->lock);
    busy = self->departing || gst_tfrc_queue_peek (&self->queue) != NULL;
    g_mutex_unlock (&self->lock);
    if (busy)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

/* A packet that need not wait passes at once, so the least latency is that of
 * upstream; one that waits is dropped after max-queue-time. */
static gboolean
query_latency (GstRtpTfrcSend * self, GstQuery * query)
{
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_peer_query (self->sinkpad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  if (self->max_queue_time == 0)
    max = GST_CLOCK_TIME_NONE;
  else if (max != GST_CLOCK_TIME_NONE)
    max += self->max_queue_time;
  live |= self->sync;
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

static gboolean
gst_rtp_tfrc_send_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return query_latency (GST_RTP_TFRC_SEND (parent), query);
  return gst_pad_query_default (pad, parent, query);
}

/* --- start and stop --- */

static void
reset (GstRtpTfrcSend * self)
{
  gst_tfrc_queue_flush (&self->queue);
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  self->flushing = self->eos = self->playing = FALSE;
  self->attached = self->has_ssrc = self->head_waits = FALSE;
  self->fed = self->suspended = self->has_telling = FALSE;
  self->flow = GST_FLOW_OK;
  self->attach_in = 0;
  self->latency = 0;
  self->warn = self->warned = 0;
  self->overhead = DEFAULT_OVERHEAD;
  self->gate.open = FALSE;
  self->told = (GstTfrcRate) { 0 };
  self->meter = (GstTfrcMeter) { {0,} };
  self->errors = self->waits = (GstTfrcHistogram) { 0 };
  self->last_wait = self->rate_set = 0;
  self->dropped_late = self->dropped_full = self->not_rtp = 0;
  self->unstamped = self->ssrc_changes = 0;
}

/* With the lock. */
static void
make_config (GstRtpTfrcSend * self, TfrcConfig * config)
{
  gst_tfrc_settings_to_config (&self->settings, config);
  config->pacing = self->pacing;
  config->g = self->target_bitrate / 8.0;
  config->dscp_set = self->dscp >= 0;
}

static void
join_scheduler (GstRtpTfrcSend * self)
{
  gst_tfrc_sched_entry_join (&self->departures, self->context,
      self->time.clock, on_departure_time, self);
  g_mutex_lock (&self->lock);
  self->joined = TRUE;
  g_mutex_unlock (&self->lock);
}

static gboolean
leave_scheduler (GstRtpTfrcSend * self)
{
  gboolean joined;

  g_mutex_lock (&self->lock);
  joined = self->joined;
  self->joined = FALSE;
  g_mutex_unlock (&self->lock);
  gst_tfrc_sched_entry_leave (&self->departures);
  return joined;
}

static gboolean
start (GstRtpTfrcSend * self)
{
  static const GstTfrcLinkHandlers handlers = {
    .on_report = on_report,
    .on_rtt = on_rtt,
  };
  GstTfrcLinkConfig link = {.role = GST_TFRC_LINK_SENDER };
  TfrcConfig config;

  g_mutex_lock (&self->lock);
  make_config (self, &config);
  g_mutex_unlock (&self->lock);
  if (!gst_tfrc_config_check (&config, GST_ELEMENT (self)))
    return FALSE;
  link.mode = config.mode;
  link.measure = config.measure;
  link.H = config.H;

  g_mutex_lock (&self->lock);
  reset (self);
  link.fmt = self->settings.feedback_fmt;
  self->id = gst_tfrc_settings_get_extension_id (&self->settings, NULL);
  self->config = config;
  g_clear_pointer (&self->link, gst_tfrc_link_unref);
  self->link = gst_tfrc_link_new (GST_ELEMENT (self), &link, &handlers);
  g_free (self->sender);
  self->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (&config)),
      &config, get_now (self));
  self->running = TRUE;
  g_mutex_unlock (&self->lock);
  join_scheduler (self);
  attach (self);
  return TRUE;
}

/* Threads that wait in here return. */
static void
unblock (GstRtpTfrcSend * self)
{
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  self->flushing = TRUE;
  gst_tfrc_timer_disarm (&self->timer);
  wake_sync (self);
  g_mutex_unlock (&self->lock);
}

static void
stop (GstRtpTfrcSend * self)
{
  leave_scheduler (self);
  gst_tfrc_link_detach (self->link);
  g_mutex_lock (&self->lock);
  gst_tfrc_queue_flush (&self->queue);
  g_mutex_unlock (&self->lock);
}

static void
set_playing (GstRtpTfrcSend * self, gboolean playing)
{
  g_mutex_lock (&self->lock);
  self->playing = playing;
  wake_sync (self);
  g_mutex_unlock (&self->lock);
}

static GstStateChangeReturn
gst_rtp_tfrc_send_change_state (GstElement * element,
    GstStateChange transition)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      if (!start (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
      set_playing (self, TRUE);
      break;
    case GST_STATE_CHANGE_PLAYING_TO_PAUSED:
      set_playing (self, FALSE);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      unblock (self);
      break;
    default:
      break;
  }
  ret = GST_ELEMENT_CLASS (gst_rtp_tfrc_send_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  /* With sync nothing comes out while paused, as from a live source. */
  if (ret == GST_STATE_CHANGE_SUCCESS && self->sync &&
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED ||
          transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED))
    return GST_STATE_CHANGE_NO_PREROLL;
  return ret;
}

static gboolean
gst_rtp_tfrc_send_set_clock (GstElement * element, GstClock * clock)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);
  gboolean changed, joined = FALSE;

  g_mutex_lock (&self->lock);
  gst_tfrc_timer_disarm (&self->timer);
  changed = gst_tfrc_timebase_set_clock (&self->time, clock);
  g_mutex_unlock (&self->lock);
  if (changed)
    joined = leave_scheduler (self);
  if (joined)
    join_scheduler (self);

  g_mutex_lock (&self->lock);
  if (self->running) {
    arm_timer (self);
    if (self->queue.packets > 0)
      arm_departures (self, get_now (self));
  }
  g_mutex_unlock (&self->lock);
  return GST_ELEMENT_CLASS (gst_rtp_tfrc_send_parent_class)->set_clock
      (element, clock);
}

/* --- properties --- */

static void
add_engine_stats (GstStructure * stats, const TfrcSenderStats * s)
{
  guint i;

  gst_structure_set (stats,
      "X", G_TYPE_DOUBLE, s->X, "X-inst", G_TYPE_DOUBLE, s->X_inst,
      "X-Bps", G_TYPE_DOUBLE, s->X_Bps, "X-recv", G_TYPE_DOUBLE, s->X_recv,
      "recv-limit", G_TYPE_DOUBLE, s->recv_limit, "G", G_TYPE_DOUBLE, s->G,
      "p", G_TYPE_DOUBLE, s->p, "R", G_TYPE_DOUBLE, s->R,
      "t-RTO", G_TYPE_DOUBLE, s->t_RTO,
      "R-sqmean", G_TYPE_DOUBLE, s->R_sqmean,
      "s", G_TYPE_DOUBLE, s->s, "s-max", G_TYPE_DOUBLE, s->s_max,
      "T-report", G_TYPE_DOUBLE, s->T_report,
      "packets", G_TYPE_UINT64, s->packets, "bytes", G_TYPE_UINT64, s->bytes,
      "reports", G_TYPE_UINT64, s->reports,
      "limited-x-recv", G_TYPE_UINT64, s->limited_x_recv,
      "limited-p", G_TYPE_UINT64, s->limited_p,
      "limited-t-delay", G_TYPE_UINT64, s->limited_t_delay,
      "nofeedback-expiries", G_TYPE_UINT64, s->expiries,
      "loss-reports", G_TYPE_UINT64, s->loss_reports,
      "data-limited-reports", G_TYPE_UINT64, s->data_limited_reports,
      "clock-steps", G_TYPE_UINT64, s->clock_steps,
      "data-limited", G_TYPE_BOOLEAN, s->data_limited,
      "slow-start", G_TYPE_BOOLEAN, s->slow_start, NULL);
  for (i = 0; i < TFRC_N_REJECTS; i++) {
    gchar *name = g_strconcat ("rejected-", tfrc_reject_get_name (i), NULL);

    gst_structure_set (stats, name, G_TYPE_UINT64, s->rejected[i], NULL);
    g_free (name);
  }
}

/* With the lock. */
static void
add_queue_stats (GstRtpTfrcSend * self, GstStructure * stats)
{
  gst_structure_set (stats,
      "ssrc", G_TYPE_UINT, self->ssrc,
      "ssrc-changes", G_TYPE_UINT64, self->ssrc_changes,
      "queued-packets", G_TYPE_UINT, self->queue.packets,
      "queue-delay", G_TYPE_UINT64, get_queue_delay (self),
      "dropped", G_TYPE_UINT64, self->dropped_late + self->dropped_full,
      "dropped-late", G_TYPE_UINT64, self->dropped_late,
      "dropped-full", G_TYPE_UINT64, self->dropped_full,
      "not-rtp", G_TYPE_UINT64, self->not_rtp,
      "unstamped", G_TYPE_UINT64, self->unstamped,
      "waited-packets", G_TYPE_UINT64, self->waits.count,
      "wait-mean", G_TYPE_UINT64, gst_tfrc_histogram_get_mean (&self->waits),
      "wait-max", G_TYPE_UINT64, self->waits.max,
      "departure-error-mean", G_TYPE_UINT64,
      gst_tfrc_histogram_get_mean (&self->errors),
      "departure-error-p99", G_TYPE_UINT64,
      gst_tfrc_histogram_get_quantile (&self->errors, 0.99),
      "departure-error-max", G_TYPE_UINT64, self->errors.max, NULL);
}

static GstStructure *
create_stats (GstRtpTfrcSend * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-tfrc-sender-stats");
  TfrcSenderStats s = { 0 };

  g_mutex_lock (&self->lock);
  if (self->sender != NULL)
    tfrc_sender_get_stats (self->sender, &s);
  add_engine_stats (stats, &s);
  add_queue_stats (self, stats);
  if (self->link != NULL)
    gst_tfrc_link_add_stats (self->link, stats);
  g_mutex_unlock (&self->lock);
  return stats;
}

/* With the lock. */
static gboolean
set_setting (GstRtpTfrcSend * self, guint id, const GValue * value)
{
  switch (id) {
    case PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_QUEUE_TIME:
      self->max_queue_time = g_value_get_uint64 (value);
      break;
    case PROP_MAX_QUEUE_PACKETS:
      self->max_queue_packets = g_value_get_uint (value);
      break;
    case PROP_SYNC:
      self->sync = g_value_get_boolean (value);
      break;
    case PROP_CONTEXT:
      g_free (self->context);
      self->context = g_value_dup_string (value);
      break;
    case PROP_TARGET_BITRATE:
      self->target_bitrate = g_value_get_uint (value);
      break;
    case PROP_DSCP:
      self->dscp = g_value_get_int (value);
      break;
    case PROP_PACING:
      self->pacing = g_value_get_enum (value);
      break;
    default:
      return gst_tfrc_settings_set (&self->settings, id, value);
  }
  return TRUE;
}

/* With the lock. */
static gboolean
get_setting (GstRtpTfrcSend * self, guint id, GValue * value)
{
  switch (id) {
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case PROP_MAX_QUEUE_TIME:
      g_value_set_uint64 (value, self->max_queue_time);
      break;
    case PROP_MAX_QUEUE_PACKETS:
      g_value_set_uint (value, self->max_queue_packets);
      break;
    case PROP_SYNC:
      g_value_set_boolean (value, self->sync);
      break;
    case PROP_CONTEXT:
      g_value_set_string (value, self->context);
      break;
    case PROP_TARGET_BITRATE:
      g_value_set_uint (value, self->target_bitrate);
      break;
    case PROP_DSCP:
      g_value_set_int (value, self->dscp);
      break;
    case PROP_PACING:
      g_value_set_enum (value, self->pacing);
      break;
    default:
      return gst_tfrc_settings_get (&self->settings, id, value);
  }
  return TRUE;
}

static void
gst_rtp_tfrc_send_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  g_mutex_lock (&self->lock);
  known = set_setting (self, id, value);
  if (known && self->running)
    note_rate (self, GST_TFRC_RATE_REPORT);
  unlock_and_tell (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_reading (GstRtpTfrcSend * self, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcRate rate;

  g_mutex_lock (&self->lock);
  compute_rate (self, &rate);
  g_mutex_unlock (&self->lock);
  switch (id) {
    case PROP_ALLOWED_BITRATE:
      g_value_set_uint (value, rate.bitrate);
      break;
    case PROP_ALLOWED_PACKET_SIZE:
      g_value_set_uint (value, rate.payload_size);
      break;
    case PROP_MAX_PACKET_RATE:
      g_value_set_double (value, rate.max_packet_rate);
      break;
    case PROP_ALLOWED_RATE:
      g_value_set_double (value, rate.X);
      break;
    case PROP_LOSS_EVENT_RATE:
      g_value_set_double (value, rate.p);
      break;
    case PROP_ROUND_TRIP_TIME:
      g_value_set_uint64 (value, rate.R);
      break;
    case PROP_SUSPENDED:
      g_value_set_boolean (value, rate.suspend);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, create_stats (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
      break;
  }
}

static void
gst_rtp_tfrc_send_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  g_mutex_lock (&self->lock);
  known = get_setting (self, id, value);
  g_mutex_unlock (&self->lock);
  if (!known)
    get_reading (self, id, value, pspec);
}

static void
gst_rtp_tfrc_send_finalize (GObject * object)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);

  gst_tfrc_settings_clear (&self->settings);
  g_free (self->context);
  g_clear_pointer (&self->link, gst_tfrc_link_unref);
  gst_tfrc_queue_free (&self->queue);
  g_free (self->sender);
  gst_tfrc_timebase_clear (&self->time);
  g_cond_clear (&self->sync_cond);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_rtp_tfrc_send_parent_class)->finalize (object);
}

static void
create_limits (void)
{
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate", "Min bitrate",
      "Lowest useful bit rate of the payload; with less the flow is told to "
      "suspend (bit/s, 0: none)", 0, G_MAXUINT, DEFAULT_MIN_BITRATE,
      GST_TFRC_SETTING_PLAYING);
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate", "Max bitrate",
      "Highest bit rate of the payload that is told to the encoder "
      "(bit/s, 0: no limit)", 0, G_MAXUINT, DEFAULT_MAX_BITRATE,
      GST_TFRC_SETTING_PLAYING);
  props[PROP_MAX_QUEUE_TIME] = g_param_spec_uint64 ("max-queue-time",
      "Max queue time", "How long a packet may wait for its departure; older "
      "ones are dropped (ns, 0: no limit)", 0, G_MAXUINT64,
      DEFAULT_MAX_QUEUE_TIME, GST_TFRC_SETTING_PLAYING);
  props[PROP_MAX_QUEUE_PACKETS] = g_param_spec_uint ("max-queue-packets",
      "Max queue packets", "How many packets may wait for their departure; "
      "the oldest are dropped (packets)", 1, G_MAXUINT,
      DEFAULT_MAX_QUEUE_PACKETS, GST_TFRC_SETTING_PLAYING);
  props[PROP_SYNC] = g_param_spec_boolean ("sync", "Sync",
      "Wait for the running time of each packet, for input that is not live",
      DEFAULT_SYNC, GST_TFRC_SETTING_READY);
  props[PROP_CONTEXT] = g_param_spec_string ("context", "Context",
      "Elements with the same name share one thread for departures that must "
      "wait (empty: a thread of its own)", DEFAULT_CONTEXT,
      GST_TFRC_SETTING_READY);
  props[PROP_TARGET_BITRATE] = g_param_spec_uint ("target-bitrate",
      "Target bitrate", "Rate of RTP packets that the network guarantees to "
      "this flow (gTFRC), only with dscp (bit/s, 0: none)", 0, G_MAXUINT,
      DEFAULT_TARGET_BITRATE, GST_TFRC_SETTING_READY);
  props[PROP_DSCP] = g_param_spec_int ("dscp", "DSCP",
      "Code point by which the network knows the guaranteed flow; what sends "
      "the packets must mark them with it (-1: none)", -1, 63, DEFAULT_DSCP,
      GST_TFRC_SETTING_READY);
  props[PROP_PACING] = g_param_spec_enum ("pacing", "Pacing",
      "How departures are spread within the allowed rate",
      GST_TYPE_TFRC_PACING, DEFAULT_PACING, GST_TFRC_SETTING_READY);
}

static void
create_readings (void)
{
  props[PROP_ALLOWED_BITRATE] = g_param_spec_uint ("allowed-bitrate",
      "Allowed bitrate", "What an encoder may use: the payload's bit rate at "
      "the present packet rate, headers taken off (bit/s)", 0, G_MAXUINT, 0,
      GST_TFRC_READING);
  props[PROP_ALLOWED_PACKET_SIZE] = g_param_spec_uint ("allowed-packet-size",
      "Allowed packet size", "What the payload of a packet may be at the "
      "present packet rate (bytes)", 0, G_MAXUINT, 0, GST_TFRC_READING);
  props[PROP_MAX_PACKET_RATE] = g_param_spec_double ("max-packet-rate",
      "Max packet rate", "Highest packet rate of the mode (packets/s, 0: no "
      "limit)", 0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  props[PROP_ALLOWED_RATE] = g_param_spec_double ("allowed-rate",
      "Allowed rate", "X of RFC 5348: allowed rate of RTP packets (bytes/s)",
      0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  props[PROP_LOSS_EVENT_RATE] = g_param_spec_double ("loss-event-rate",
      "Loss event rate", "p of RFC 5348: loss events per packet, as the "
      "receiver reports it (ratio)", 0, 1, 0, GST_TFRC_READING);
  props[PROP_ROUND_TRIP_TIME] = g_param_spec_uint64 ("round-trip-time",
      "Round-trip time", "R of RFC 5348 (ns, 0: unknown)", 0, G_MAXUINT64, 0,
      GST_TFRC_READING);
  props[PROP_SUSPENDED] = g_param_spec_boolean ("suspended", "Suspended",
      "The allowance is below min-bitrate", FALSE, GST_TFRC_READING);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "Counters and state: structure application/x-tfrc-sender-stats, rates "
      "in bytes/s, R and T in s, other times in ns", GST_TYPE_STRUCTURE,
      GST_TFRC_READING);
}

static void
gst_rtp_tfrc_send_class_init (GstRtpTfrcSendClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  guint id;

  object_class->set_property = gst_rtp_tfrc_send_set_property;
  object_class->get_property = gst_rtp_tfrc_send_get_property;
  object_class->finalize = gst_rtp_tfrc_send_finalize;
  element_class->change_state = gst_rtp_tfrc_send_change_state;
  element_class->set_clock = gst_rtp_tfrc_send_set_clock;

  gst_tfrc_settings_install (object_class);
  create_limits ();
  create_readings ();
  for (id = GST_TFRC_N_SETTINGS; id < N_PROPS; id++)
    g_object_class_install_property (object_class, id, props[id]);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC sender",
      "Filter/Network/RTP",
      "Sends RTP packets at the rate that TCP-friendly rate control (RFC 5348, "
      "RFC 4828) allows and tells the encoder what it may use",
      "The gst-tfrc developers");
}

static void
gst_rtp_tfrc_send_init (GstRtpTfrcSend * self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->sync_cond);
  gst_tfrc_settings_init (&self->settings);
  self->max_queue_time = DEFAULT_MAX_QUEUE_TIME;
  self->max_queue_packets = DEFAULT_MAX_QUEUE_PACKETS;
  self->context = g_strdup (DEFAULT_CONTEXT);
  self->dscp = DEFAULT_DSCP;
  self->pacing = DEFAULT_PACING;
  gst_tfrc_timebase_init (&self->time);
  gst_tfrc_timer_init (&self->timer, GST_ELEMENT (self), on_timer);
  gst_tfrc_queue_init (&self->queue);
  reset (self);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_tfrc_send_chain);
  gst_pad_set_chain_list_function (self->sinkpad,
      gst_rtp_tfrc_send_chain_list);
  gst_pad_set_event_function (self->sinkpad, gst_rtp_tfrc_send_sink_event);
  gst_pad_set_query_function (self->sinkpad, gst_rtp_tfrc_send_sink_query);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, gst_rtp_tfrc_send_src_event);
  gst_pad_set_query_function (self->srcpad, gst_rtp_tfrc_send_src_query);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
