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
 * What the encoder may use is told upstream by `application/x-tfrc-rate` events and
 * by read-only properties with notify. Input that is not live needs `sync`.
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

#include "gsttfrccaps.h"
#include "gsttfrcaudit.h"
#include "gsttfrcclock.h"
#include "gsttfrcenums.h"
#include "gsttfrclimits.h"
#include "gsttfrclink.h"
#include "gsttfrcmeter.h"
#include "gsttfrcpacket.h"
#include "gsttfrcqueue.h"
#include "gsttfrcrate.h"
#include "gsttfrcreadings.h"
#include "gsttfrcsched.h"
#include "gsttfrcsettings.h"
#include "gsttfrcstats.h"
#include "gsttfrcsync.h"
#include "gsttfrcteller.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcsend_debug);
#define GST_CAT_DEFAULT rtptfrcsend_debug

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

/* Told once each; in the order of post_warnings(). */
enum
{
  WARN_SESSION = 1 << 0,
  WARN_SIZE = 1 << 1,
  WARN_RATE = 1 << 2,
  WARN_PAYLOAD = 1 << 3
};

struct _GstRtpTfrcSend
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  GMutex lock;                  /* for all below */
  GstTfrcSettings settings;
  GstTfrcLimits limits;

  gboolean running, flushing, eos;
  GstTfrcSync sync;
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

  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean fed, suspended;      /* a report was accepted; upstream was told to be silent */
  GstTfrcTeller teller;
  guint warn, warned;

  GstTfrcMeter meter;           /* of what comes in */
  GstTfrcHistogram errors;      /* of departures that had to wait */
  GstTfrcHistogram waits;       /* in the queue */
  TfrcTime last_wait;
  GstTfrcAudit audit;           /* of the receiver */
  guint64 dropped_late, dropped_full, not_rtp, unstamped, ssrc_changes;
  guint64 doubted;              /* receiver reports that contradict the flow's */
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
  if (self->limits.min_bitrate == 0 || !self->fed)
    return FALSE;
  return bitrate < self->limits.min_bitrate * (self->suspended ? RESUME_FACTOR : 1);
}

/* With the lock, as all up to the next section. */
static void
compute_rate (GstRtpTfrcSend * self, GstTfrcRate * rate)
{
  TfrcAllowance allowance;
  guint bitrate;

  *rate = (GstTfrcRate) {.mode = "",.loss = -1.0 };
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
  if (self->limits.max_bitrate > 0)
    bitrate = MIN (bitrate, self->limits.max_bitrate);
  rate->bitrate = bitrate;
  rate->payload_size = to_uint (bitrate / (8 * rate->packet_rate));
  gst_tfrc_rate_set_allowance (rate, &allowance);
  rate->dropped = self->dropped_late + self->dropped_full;
  rate->loss = gst_tfrc_link_get_loss (self->link);
  rate->queue_delay = get_queue_delay (self);
  rate->mode = gst_tfrc_mode_get_nick (self->config.mode);
  rate->ssrc = self->ssrc;
}

/* Leaves what has changed for tell(), if it is worth telling. */
static void
note_rate (GstRtpTfrcSend * self, GstTfrcRateReason reason, TfrcTime now)
{
  GstTfrcRate rate;

  compute_rate (self, &rate);
  if (rate.R == 0 && reason == GST_TFRC_RATE_REPORT)
    return;                     /* nothing is known but that the flow begins */
  rate.reason = reason;
  if (rate.suspend != self->suspended)
    rate.reason = rate.suspend ? GST_TFRC_RATE_SUSPEND : GST_TFRC_RATE_RESUME;
  self->suspended = rate.suspend;
  gst_tfrc_teller_note (&self->teller, &rate, now);
}

static void
tell (GstRtpTfrcSend * self)
{
  gst_tfrc_teller_tell (&self->teller, GST_ELEMENT (self), self->sinkpad,
      &self->lock);
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
  static const gchar *texts[] = {
    "No RTP session that reports come in by. Put rtptfrcsend in front of "
        "rtpsession or set rtp-session.",
    "Packets of more than 1500 bytes in mode tfrc-sp, which is for small ones. "
        "Set mode=tfrc on both ends.",
    "More than 100 packets/s in mode tfrc-sp, which sends no more. Use longer "
        "frames, or set mode=tfrc on both ends.",
    "Payload types 64 to 95 cannot be told from RTCP on the same port. Set the "
        "payloader's pt to one of 96 to 127.",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    if (warn & 1 << i)
      GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s", texts[i]), (NULL));
  }
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
arm_for_bits (GstRtpTfrcSend * self, unsigned bits, TfrcTime now)
{
  if (bits & TFRC_SENDER_TIMER)
    arm_timer (self);
  if (bits & TFRC_SENDER_RATE) {
    self->rate_set = now;
    /* the scheduler's thread asks anew when the first packet may leave */
    if (self->queue.packets > 0 && !self->departing)
      arm_departures (self, now);
  }
}

static void
on_bits (GstRtpTfrcSend * self, unsigned bits, GstTfrcRateReason reason,
    TfrcTime now)
{
  arm_for_bits (self, bits, now);
  if (bits & (TFRC_SENDER_RATE | TFRC_SENDER_LOSS | TFRC_SENDER_EXPIRED))
    note_rate (self, reason, now);
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

static guint64
get_queue_time (GstRtpTfrcSend * self)
{
  return gst_tfrc_limits_get_queue_time (&self->limits, self->config.mode);
}

static gboolean
is_late (GstRtpTfrcSend * self, const GstTfrcItem * item, TfrcTime now)
{
  guint64 most = get_queue_time (self);

  return most > 0 && now > item->queued && now - item->queued > most;
}

/* The oldest packets go, before they have a sequence number. */
static void
drop_packets (GstRtpTfrcSend * self, TfrcTime now)
{
  const GstTfrcItem *item;

  while ((item = gst_tfrc_queue_peek_packet (&self->queue)) != NULL) {
    if (is_late (self, item, now))
      self->dropped_late++;
    else if (self->queue.packets > self->limits.max_queue_packets)
      self->dropped_full++;
    else
      break;
    GST_LOG_OBJECT (self, "dropping #%u, %" GST_TIME_FORMAT " old",
        item->packet.seq, GST_TIME_ARGS (now - item->queued));
    gst_tfrc_queue_drop_packet (&self->queue);
  }
}

static void
wait_for_departure (GstRtpTfrcSend * self, const GstTfrcItem * item,
    TfrcTime time, TfrcTime now)
{
  tfrc_sender_on_limited (self->sender, now);
  if (self->config.pacing == TFRC_PACING_FLUID)
    tfrc_sender_set_waiting (self->sender, self->queue.packets);
  /* it may be too late for it by then */
  if (get_queue_time (self) > 0)
    time = MIN (time, item->queued + get_queue_time (self) + 1);
  arm_departures (self, time);
}

static void
measure_departure (GstRtpTfrcSend * self, const GstTfrcItem * item,
    TfrcTime allowed, TfrcTime now)
{
  TfrcTime due = MAX (allowed, self->rate_set);

  self->last_wait = now - MIN (item->queued, now);
  if (due > item->queued) {
    gst_tfrc_histogram_add (&self->errors, now - MIN (due, now));
    gst_tfrc_histogram_add (&self->waits, self->last_wait);
  }
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
take_object (GstRtpTfrcSend * self, TfrcTime now)
{
  const GstTfrcItem *head = gst_tfrc_queue_peek (&self->queue);
  GstBuffer *buffer, *next;
  GstBufferList *list;

  if (head == NULL)
    return NULL;
  if (!GST_IS_BUFFER (head->object))
    return gst_tfrc_queue_pop (&self->queue).object;
  if (now == TFRC_TIME_NONE)
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
 * order: another thread that comes here leaves its packets to this one. `now` is
 * TFRC_TIME_NONE when the clock is still to be looked at. */
static void
depart (GstRtpTfrcSend * self, TfrcTime now)
{
  GstMiniObject *object;
  GstFlowReturn flow;

  if (self->departing)
    return;
  self->departing = TRUE;
  while (self->running && !self->flushing && self->flow == GST_FLOW_OK &&
      (object = take_object (self, now)) != NULL) {
    g_mutex_unlock (&self->lock);
    flow = push_object (self, object);
    now = TFRC_TIME_NONE;
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
  gboolean telling = self->teller.pending;
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
  depart (self, TFRC_TIME_NONE);
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
    arm_for_bits (self, bits, now);
    /* the flow's packet rate may have changed, if not X */
    if (!(bits & TFRC_SENDER_REJECTED))
      note_rate (self, restarted ? GST_TFRC_RATE_RESTART : get_reason (bits),
          now);
  }
  unlock_and_tell (self);
  return !(bits & TFRC_SENDER_REJECTED);
}

/* With the lock. A receiver that reports no loss is held against its own receiver
 * reports. */
static void
audit (GstRtpTfrcSend * self, gint lost, TfrcTime now)
{
  TfrcAllowance allowance;

  tfrc_sender_get_allowance (self->sender, &allowance);
  if (!gst_tfrc_audit_check (&self->audit, lost, allowance.p,
          allowance.R * GST_SECOND, now))
    return;
  self->doubted++;
  GST_WARNING_OBJECT (self, "the receiver tells TFRC of no loss and RTCP of %d",
      lost);
}

static void
on_receiver_report (GstElement * element, TfrcTime rtt, gint lost)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (element);

  g_mutex_lock (&self->lock);
  if (self->running) {
    TfrcTime now = get_now (self);

    if (rtt != 0)
      on_bits (self, tfrc_sender_on_rtt (self->sender, rtt, now),
          GST_TFRC_RATE_REPORT, now);
    audit (self, lost, now);
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
    telling = self->teller.pending;
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

/* With the lock. */
static void
check_small_packets (GstRtpTfrcSend * self, const GstTfrcPacket * packet)
{
  if (self->config.mode != TFRC_MODE_TFRC_SP)
    return;
  if (packet->size + self->config.H > SP_PACKET_MAX)
    note_warning (self, WARN_SIZE);
  if (gst_tfrc_meter_is_at_turn (&self->meter) &&
      gst_tfrc_meter_get_packet_rate (&self->meter) > 100 * SP_RATE_SLACK)
    note_warning (self, WARN_RATE);
}

/* With the lock. Takes the buffer. Leaves in `now` when that was. */
static void
enqueue_packet (GstRtpTfrcSend * self, GstBuffer * buffer, TfrcTime * now)
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
  item.queued = *now = get_now (self);
  gst_tfrc_meter_add (&self->meter, item.packet.size, item.queued);
  check_small_packets (self, &item.packet);
  gst_tfrc_queue_push (&self->queue, &item);
  drop_packets (self, item.queued);
}

/* With the lock. Takes the buffer. */
static GstFlowReturn
take_in (GstRtpTfrcSend * self, GstBuffer * buffer, TfrcTime * now)
{
  GstFlowReturn ret = GST_FLOW_FLUSHING;

  if (self->limits.sync)
    gst_tfrc_sync_wait (&self->sync, buffer, GST_ELEMENT (self), &self->lock);
  if (self->running && !self->flushing)
    ret = self->eos ? GST_FLOW_EOS : self->flow;
  if (ret == GST_FLOW_OK)
    enqueue_packet (self, buffer, now);
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

/* With the lock, which is released. `ret` is what taking data in returned, `now` when
 * the last came in. */
static GstFlowReturn
finish_chain (GstRtpTfrcSend * self, GstFlowReturn ret, TfrcTime now)
{
  gboolean wants;

  if (ret == GST_FLOW_OK) {
    depart (self, now);
    ret = self->flow;
  }
  wants = wants_attach (self);
  unlock_and_tell (self);
  if (wants)
    attach (self);
  return ret;
}

static GstFlowReturn
gst_rtp_tfrc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  TfrcTime now = TFRC_TIME_NONE;
  GstFlowReturn ret;

  g_mutex_lock (&self->lock);
  ret = take_in (self, buffer, &now);
  return finish_chain (self, ret, now);
}

static GstFlowReturn
gst_rtp_tfrc_send_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (parent);
  GstFlowReturn ret = GST_FLOW_OK;
  guint i, n = gst_buffer_list_length (list);
  TfrcTime now = TFRC_TIME_NONE;

  g_mutex_lock (&self->lock);
  for (i = 0; i < n && ret == GST_FLOW_OK; i++)
    ret = take_in (self, gst_buffer_ref (gst_buffer_list_get (list, i)), &now);
  gst_buffer_list_unref (list);
  return finish_chain (self, ret, now);
}

/* --- events and queries --- */

static void
set_flushing (GstRtpTfrcSend * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  gst_tfrc_sync_set_flushing (&self->sync, flushing);
  if (!flushing) {
    gst_tfrc_queue_flush (&self->queue);
    gst_segment_init (&self->sync.segment, GST_FORMAT_UNDEFINED);
    self->flow = GST_FLOW_OK;
    self->eos = FALSE;
  }
  g_mutex_unlock (&self->lock);
}

/* The caps of what leaves say where the stamp is, also when it is added here. */
static GstEvent *
take_caps (GstRtpTfrcSend * self, GstEvent * event)
{
  GstStructure *structure;
  GstCaps *caps;
  TfrcMode mode;
  guint id, ssrc;
  gint payload;

  gst_event_parse_caps (event, &caps);
  structure = gst_caps_get_structure (caps, 0);
  g_mutex_lock (&self->lock);
  /* RFC 5761 4 */
  if (gst_structure_get_int (structure, "payload", &payload) &&
      payload >= 64 && payload <= 95)
    note_warning (self, WARN_PAYLOAD);
  id = self->id = gst_tfrc_settings_get_extension_id (&self->settings, caps);
  mode = self->settings.mode;
  if (!self->has_ssrc && gst_structure_get_uint (structure, "ssrc", &ssrc))
    self->ssrc = ssrc;
  note_rate (self, GST_TFRC_RATE_START, get_now (self));
  g_mutex_unlock (&self->lock);
  if (gst_tfrc_caps_judge (caps, mode, GST_ELEMENT (self)))
    return gst_tfrc_caps_complete (event, id, mode);
  gst_event_unref (event);
  return NULL;
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
    depart (self, TFRC_TIME_NONE);
  } else {
    self->departing = TRUE;
    g_mutex_unlock (&self->lock);
    ret = gst_pad_push_event (self->srcpad, event);
    g_mutex_lock (&self->lock);
    self->departing = FALSE;
    depart (self, TFRC_TIME_NONE);
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
      return gst_pad_push_event (self->srcpad, event);
    case GST_EVENT_CAPS:
      event = take_caps (self, event);
      if (event == NULL)
        return FALSE;
      break;
    case GST_EVENT_SEGMENT:
      g_mutex_lock (&self->lock);
      gst_event_copy_segment (event, &self->sync.segment);
      g_mutex_unlock (&self->lock);
      break;
    default:
      break;
  }
  if (GST_EVENT_IS_SERIALIZED (event))
    return send_event (self, event);
  return gst_pad_event_default (pad, parent, event);
}

/* A serialized query would have to wait for the queue, and none is worth that. */
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

/* At least nothing, since packets pass at once if they may; at most what waits. */
static gboolean
query_latency (GstRtpTfrcSend * self, GstQuery * query)
{
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_peer_query (self->sinkpad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  if (get_queue_time (self) == 0)
    max = GST_CLOCK_TIME_NONE;
  else if (max != GST_CLOCK_TIME_NONE)
    max += get_queue_time (self);
  live |= self->limits.sync;
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

static gboolean
gst_rtp_tfrc_send_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_LATENCY ?
      query_latency (GST_RTP_TFRC_SEND (parent), query) :
      gst_pad_query_default (pad, parent, query);
}

/* --- start and stop --- */

static void
reset (GstRtpTfrcSend * self)
{
  gst_tfrc_queue_flush (&self->queue);
  gst_tfrc_sync_reset (&self->sync);
  self->flushing = self->eos = FALSE;
  self->attached = self->has_ssrc = FALSE;
  self->fed = self->suspended = FALSE;
  self->flow = GST_FLOW_OK;
  self->attach_in = 0;
  self->warn = self->warned = 0;
  self->overhead = DEFAULT_OVERHEAD;
  gst_tfrc_teller_init (&self->teller, gst_tfrc_readings_notify);
  self->meter = (GstTfrcMeter) { {0,} };
  self->errors = self->waits = (GstTfrcHistogram) { 0 };
  self->last_wait = self->rate_set = 0;
  self->dropped_late = self->dropped_full = self->not_rtp = 0;
  self->unstamped = self->ssrc_changes = self->doubted = 0;
  self->audit = (GstTfrcAudit) { 0 };
}

static void
join_scheduler (GstRtpTfrcSend * self)
{
  gst_tfrc_sched_entry_join (&self->departures, self->limits.context,
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
    .on_receiver_report = on_receiver_report,
  };
  GstTfrcLinkConfig link = {.role = GST_TFRC_LINK_SENDER };
  TfrcConfig config;

  g_mutex_lock (&self->lock);
  gst_tfrc_settings_to_config (&self->settings, &config);
  gst_tfrc_limits_to_config (&self->limits, &config);
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
  gst_tfrc_sync_set_flushing (&self->sync, TRUE);
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
    case GST_STATE_CHANGE_PLAYING_TO_PAUSED:
      g_mutex_lock (&self->lock);
      gst_tfrc_sync_set_playing (&self->sync,
          transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING);
      g_mutex_unlock (&self->lock);
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
  if (ret == GST_STATE_CHANGE_SUCCESS && self->limits.sync &&
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
      "reports-doubted", G_TYPE_UINT64, self->doubted,
      "waited-packets", G_TYPE_UINT64, self->waits.count, NULL);
  gst_tfrc_histogram_add_stats (&self->waits, "wait", stats);
  gst_tfrc_histogram_add_stats (&self->errors, "departure-error", stats);
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
  gst_tfrc_stats_add_sender (stats, &s);
  add_queue_stats (self, stats);
  if (self->link != NULL)
    gst_tfrc_link_add_stats (self->link, stats);
  g_mutex_unlock (&self->lock);
  return stats;
}

static void
gst_rtp_tfrc_send_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  g_mutex_lock (&self->lock);
  known = gst_tfrc_settings_set (&self->settings, id, value) ||
      gst_tfrc_limits_set (&self->limits, id, value);
  if (known && self->running)
    note_rate (self, GST_TFRC_RATE_REPORT, get_now (self));
  unlock_and_tell (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static gboolean
get_reading (GstRtpTfrcSend * self, guint id, GValue * value)
{
  GstTfrcRate rate;

  if (id == GST_TFRC_PROP_STATS) {
    g_value_take_boxed (value, create_stats (self));
    return TRUE;
  }
  g_mutex_lock (&self->lock);
  compute_rate (self, &rate);
  g_mutex_unlock (&self->lock);
  return gst_tfrc_readings_get (&rate, id, value);
}

static void
gst_rtp_tfrc_send_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);
  gboolean known;

  g_mutex_lock (&self->lock);
  known = gst_tfrc_settings_get (&self->settings, id, value) ||
      gst_tfrc_limits_get (&self->limits, id, value);
  g_mutex_unlock (&self->lock);
  if (!known && !get_reading (self, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_rtp_tfrc_send_finalize (GObject * object)
{
  GstRtpTfrcSend *self = GST_RTP_TFRC_SEND (object);

  gst_tfrc_settings_clear (&self->settings);
  gst_tfrc_limits_clear (&self->limits);
  g_clear_pointer (&self->link, gst_tfrc_link_unref);
  gst_tfrc_queue_free (&self->queue);
  g_free (self->sender);
  gst_tfrc_timebase_clear (&self->time);
  gst_tfrc_sync_clear (&self->sync);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_rtp_tfrc_send_parent_class)->finalize (object);
}

static void
gst_rtp_tfrc_send_class_init (GstRtpTfrcSendClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rtp_tfrc_send_set_property;
  object_class->get_property = gst_rtp_tfrc_send_get_property;
  object_class->finalize = gst_rtp_tfrc_send_finalize;
  element_class->change_state = gst_rtp_tfrc_send_change_state;
  element_class->set_clock = gst_rtp_tfrc_send_set_clock;

  gst_tfrc_settings_install (object_class);
  gst_tfrc_limits_install (object_class);
  gst_tfrc_readings_install (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "TFRC sender", "Filter/Network/RTP",
      "Sends RTP packets at the rate that TCP-friendly rate control (RFC 5348, "
      "RFC 4828) allows and tells the encoder what it may use",
      "The gst-tfrc developers");
}

static void
gst_rtp_tfrc_send_init (GstRtpTfrcSend * self)
{
  g_mutex_init (&self->lock);
  gst_tfrc_settings_init (&self->settings);
  gst_tfrc_limits_init (&self->limits);
  gst_tfrc_sync_init (&self->sync);
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
  gst_pad_set_query_function (self->srcpad, gst_rtp_tfrc_send_src_query);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
