/* gst-tfrc: the allowance of the encoder: computed, sent upstream, and read as properties
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/encoderallowance.h"

#include "base/remoteliveness.h"

#include <math.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcallowance", "TFRC allowance of the encoder");

/* --- the allowance --- */

/* Assumed until packets are measured: frames of 20 ms, and an RTP header with a stamp. */
#define DEFAULT_PACKET_RATE 50.0
#define DEFAULT_OVERHEAD 24
/* The time over which the bytes of data and of repairs are compared, ns. */
#define REPAIR_WINDOW (2 * TFRC_SEC)
/* The encoder has this share of the allowance at least, however much is requested again. */
#define DATA_SHARE_MIN 0.5
/* A suspended flow resumes when the allowance is so many times min-bitrate. */
#define RESUME_FACTOR 1.1

void
gst_tfrc_encoder_allowance_init (GstTfrcEncoderAllowance * encoder)
{
  *encoder = (GstTfrcEncoderAllowance) {
      .overhead = DEFAULT_OVERHEAD};
}

static guint
to_uint (gdouble value)
{
  return value < G_MAXUINT ? (guint) value : G_MAXUINT;
}

/* The pictures that a bit rate is enough for. From 500 kbit/s on as webrtcsink of gst-plugins-rs has it (half the frame
 * rate below 500 kbit/s, 360 lines below 1 Mbit/s, 720 below 2 Mbit/s); below that some 0.1 bits for each pixel. */
static const struct
{
  guint bitrate;                /* the least, bit/s */
  guint height, frame_rate;
} pictures[] = {
  {0, 90, 5},
  {30000, 180, 7},
  {60000, 180, 10},
  {100000, 180, 15},
  {200000, 270, 15},
  {300000, 360, 15},
  {500000, 360, 30},
  {1000000, 720, 30},
  {2000000, 1080, 30}
};

/* A larger picture is advised once the bit rate is so many times what it needs: a picture that changes its size again
 * and again costs a key frame each time. */
#define PICTURE_FACTOR 1.2

static guint
choose_picture (guint last, guint bitrate)
{
  guint i = last;

  while (i > 0 && bitrate < pictures[i].bitrate)
    i--;
  while (i + 1 < G_N_ELEMENTS (pictures)
      && bitrate >= PICTURE_FACTOR * pictures[i + 1].bitrate)
    i++;
  return i;
}

/* A round-trip time that most paths of a call are below, s. */
#define ASSUMED_R 0.5

/* Until R is known one packet a second departs, which is no rate for an encoder. The encoder is to begin with the rate that
 * follows when R is as assumed: W_init / R, RFC 5348 4.2. */
static TfrcAllowance
assume_path (const TfrcAllowance * allowance, const TfrcConfig * config)
{
  TfrcAllowance assumed = *allowance;
  gdouble size = config->mode == TFRC_MODE_TFRC_SP || allowance->s <= 0 ?
      config->mss : allowance->s;

  assumed.X = MIN (4 * size, MAX (2 * size, 4380)) / ASSUMED_R;
  assumed.X_wire = assumed.X * allowance->X_wire / allowance->X;
  return assumed;
}

static gboolean
is_suspended (const GstTfrcEncoderAllowance * encoder, guint min_bitrate,
    guint bitrate)
{
  /* Nothing is known of the path before the first report. */
  if (min_bitrate == 0 || !encoder->reported)
    return FALSE;
  return bitrate < min_bitrate * (encoder->suspended ? RESUME_FACTOR : 1);
}

void
gst_tfrc_encoder_allowance_count (GstTfrcEncoderAllowance * encoder,
    guint size, gboolean is_repair, TfrcTime now)
{
  gdouble kept = encoder->counted == 0 ? 0 :
      exp (-(gdouble) (now - encoder->counted) / REPAIR_WINDOW);

  encoder->counted = now;
  encoder->data = kept * encoder->data + (is_repair ? 0 : size);
  encoder->repairs = kept * encoder->repairs + (is_repair ? size : 0);
}

/* The share of the allowance that the encoder may use. */
static gdouble
get_data_share (const GstTfrcEncoderAllowance * encoder)
{
  gdouble all = encoder->data + encoder->repairs;

  return all > 0 ? MAX (encoder->data / all, DATA_SHARE_MIN) : 1;
}

void
gst_tfrc_encoder_allowance_make (const GstTfrcEncoderAllowance * encoder,
    const TfrcAllowance * allowance, const TfrcConfig * config,
    const GstTfrcFilterSettings * settings, gdouble packet_rate,
    GstTfrcRate * rate)
{
  gboolean unknown = allowance->R == 0 && allowance->X > 0;
  TfrcAllowance used = unknown ? assume_path (allowance, config) : *allowance;
  guint bitrate, picture;

  if (packet_rate == 0)
    packet_rate = DEFAULT_PACKET_RATE;
  rate->packet_rate = MIN (packet_rate, allowance->max_packet_rate);
  rate->overhead = encoder->overhead;
  rate->header_size = config->H;
  bitrate = to_uint (get_data_share (encoder) *
      tfrc_allowance_get_bitrate (&used, config->mode, config->H,
          rate->packet_rate, rate->overhead));
  rate->suspend = is_suspended (encoder, settings->min_bitrate, bitrate);
  if (settings->max_bitrate > 0)
    bitrate = MIN (bitrate, settings->max_bitrate);
  rate->bitrate = bitrate;
  picture = choose_picture (encoder->picture, bitrate);
  rate->picture_height = pictures[picture].height;
  rate->frame_rate = pictures[picture].frame_rate;
  rate->payload_size = to_uint (bitrate / (8 * rate->packet_rate));
  rate->allowance = *allowance;
  rate->mode = config->mode;
}

void
gst_tfrc_encoder_allowance_set_reason (GstTfrcEncoderAllowance * encoder,
    GstTfrcRate * rate, GstTfrcRateReason reason)
{
  rate->reason = reason;
  if (rate->suspend != encoder->suspended)
    rate->reason = rate->suspend ? GST_TFRC_RATE_SUSPEND : GST_TFRC_RATE_RESUME;
  encoder->suspended = rate->suspend;
  encoder->picture = choose_picture (encoder->picture, rate->bitrate);
}

/* --- the notifier --- */

/* Relative changes of the rate, of p and of R that are worth an event; an encoder would not follow
 * smaller changes. A change of R shows that a queue fills. */
#define RATE_NOTICE 0.05
#define P_NOTICE 0.2
#define R_NOTICE 0.1

/* An allowance that does not change is sent again after this time, because an encoder that
 * averages over time, or waits for a change to last, needs to know that the allowance lasts. */
#define REPEAT (500 * TFRC_MSEC)

static gboolean
differs (gdouble value, gdouble last, gdouble notice)
{
  return ABS (value - last) > notice * last;
}

/* Whether the event is sent whatever the rate is. */
static gboolean
is_state_change (const GstTfrcRate * rate, const GstTfrcRate * last)
{
  return rate->reason == GST_TFRC_RATE_START ||
      rate->reason == GST_TFRC_RATE_RESTART || rate->suspend != last->suspend
      || rate->coupled != last->coupled;
}

static gboolean
is_change (const GstTfrcRate * rate, const GstTfrcRate * last)
{
  return differs (rate->allowance.X_wire, last->allowance.X_wire, RATE_NOTICE)
      || differs (rate->bitrate, last->bitrate, RATE_NOTICE)
      || differs (rate->allowance.p, last->allowance.p, P_NOTICE)
      || differs (rate->allowance.R_sample, last->allowance.R_sample, R_NOTICE);
}

static gboolean
is_worth_event (const GstTfrcNotifier * notifier, const GstTfrcRate * rate,
    TfrcTime now)
{
  const GstTfrcRate *last = &notifier->next;
  gboolean drop =
      rate->allowance.X_wire < last->allowance.X_wire * (1 - RATE_NOTICE)
      || rate->bitrate < last->bitrate * (1 - RATE_NOTICE);

  if (!notifier->has_next || is_state_change (rate, last) || drop)
    return TRUE;
  return now - notifier->time >= rate->allowance.R * TFRC_SEC
      && (is_change (rate, last) || now - notifier->time >= REPEAT);
}

/* A repeated allowance is no reason to notify properties. */
static void
notify (GstTfrcNotifier * notifier, GstTfrcNotifyFunc func,
    GstElement * element, const GstTfrcRate * rate)
{
  if (func == NULL)
    return;
  if (!is_state_change (rate, &notifier->notified) &&
      !is_change (rate, &notifier->notified))
    return;
  func (element, &notifier->notified, rate);
  notifier->notified = *rate;
}

/* A start, restart, suspension or resumption changes the state of the flow, any other reason the
 * rate alone. */
static void
log_rate (GstElement * element, const GstTfrcRate * rate)
{
  gboolean is_rate = rate->reason == GST_TFRC_RATE_REPORT
      || rate->reason == GST_TFRC_RATE_LOSS
      || rate->reason == GST_TFRC_RATE_NOFEEDBACK;

  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT,
      is_rate ? GST_LEVEL_DEBUG : GST_LEVEL_INFO, element,
      "%s: %u bit/s, %u bytes/packet, X %g p %g",
      gst_tfrc_rate_reason_get_name (rate->reason), rate->bitrate,
      rate->payload_size, rate->allowance.X, rate->allowance.p);
}

void
gst_tfrc_notifier_init (GstTfrcNotifier * notifier, GstTfrcNotifyFunc notify)
{
  /* a thread that runs the notifier goes on to do so */
  gboolean busy = notifier->busy;

  *notifier = (GstTfrcNotifier) {
      .notify = notify,
      .busy = busy};
}

void
gst_tfrc_notifier_note (GstTfrcNotifier * notifier, const GstTfrcRate * rate,
    TfrcTime now)
{
  GstTfrcRateReason reason = rate->reason;

  if (!is_worth_event (notifier, rate, now))
    return;
  /* a report does not overwrite a reason that was not sent yet */
  if (notifier->pending && reason == GST_TFRC_RATE_REPORT)
    reason = notifier->next.reason;
  notifier->has_next = notifier->pending = TRUE;
  notifier->next = *rate;
  notifier->next.reason = reason;
  notifier->time = now;
}

void
gst_tfrc_notifier_run (GstTfrcNotifier * notifier, GstElement * element,
    GstPad * pad, GMutex * lock)
{
  GstTfrcNotifyFunc func;
  GstTfrcRate rate;

  g_mutex_lock (lock);
  if (notifier->busy) {
    g_mutex_unlock (lock);
    return;
  }
  notifier->busy = TRUE;
  while (notifier->pending) {
    rate = notifier->next;
    func = notifier->notify;
    notifier->pending = FALSE;
    g_mutex_unlock (lock);
    log_rate (element, &rate);
    notify (notifier, func, element, &rate);
    gst_pad_push_event (pad, gst_tfrc_rate_event_new (&rate));
    g_mutex_lock (lock);
  }
  notifier->busy = FALSE;
  g_mutex_unlock (lock);
}

/* --- properties --- */

static GParamSpec *readings[GST_TFRC_N_READINGS - GST_TFRC_N_SETTINGS];

#define READING(name) readings[GST_TFRC_PROP_##name - GST_TFRC_N_SETTINGS]

static void
create_readings (void)
{
  /**
   * GstRtpTfrcSend:allowed-bitrate:
   *
   * Allowance of the encoder: the bit rate of the payload at the present
   * packet rate, without headers (bit/s).
   *
   * Since: 0.1
   */
  READING (ALLOWED_BITRATE) = g_param_spec_uint ("allowed-bitrate",
      "Allowed bitrate",
      "Allowance of the encoder: the bit rate of the payload "
      "at the present packet rate, without headers (bit/s)", 0, G_MAXUINT, 0,
      GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:allowed-packet-size:
   *
   * Allowance of the encoder: the payload of each packet at the present
   * packet rate (bytes).
   *
   * Since: 0.1
   */
  READING (ALLOWED_PACKET_SIZE) = g_param_spec_uint ("allowed-packet-size",
      "Allowed packet size", "Allowance of the encoder: the payload of each "
      "packet at the present packet rate (bytes)", 0, G_MAXUINT, 0,
      GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:max-packet-rate:
   *
   * Highest packet rate of the mode (packets/s, 0: no limit).
   *
   * Since: 0.1
   */
  READING (MAX_PACKET_RATE) = g_param_spec_double ("max-packet-rate",
      "Max packet rate", "Highest packet rate of the mode (packets/s, 0: no "
      "limit)", 0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:allowed-rate:
   *
   * X of RFC 5348: allowed rate of RTP packets (bit/s).
   *
   * Since: 0.1
   */
  READING (ALLOWED_RATE) = g_param_spec_double ("allowed-rate",
      "Allowed rate", "X of RFC 5348: allowed rate of RTP packets (bit/s)",
      0, G_MAXDOUBLE, 0, GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:loss-event-rate:
   *
   * p of RFC 5348: loss events per packet, as the receiver reports it
   * (ratio).
   *
   * Since: 0.1
   */
  READING (LOSS_EVENT_RATE) = g_param_spec_double ("loss-event-rate",
      "Loss event rate", "p of RFC 5348: loss events per packet, as the "
      "receiver reports it (ratio)", 0, 1, 0, GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:round-trip-time:
   *
   * R of RFC 5348 (ns, 0: unknown).
   *
   * Since: 0.1
   */
  READING (ROUND_TRIP_TIME) = g_param_spec_uint64 ("round-trip-time",
      "Round-trip time", "R of RFC 5348 (ns, 0: unknown)", 0, G_MAXUINT64, 0,
      GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:suspended:
   *
   * The allowance is below min-bitrate.
   *
   * Since: 0.1
   */
  READING (SUSPENDED) = g_param_spec_boolean ("suspended", "Suspended",
      "The allowance is below min-bitrate", FALSE, GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:stats:
   *
   * Counters and state: structure application/x-tfrc-sender-stats, rates in
   * bit/s, times in ns; in `rfc` those of the RFC in bytes/s and s. The field `flows` is an array
   * of application/x-tfrc-flow, one for each SSRC, with the fields of a flow:
   * `ssrc`, `repair-ssrcs` (SSRCs that repair its data), `reports-doubted`
   * and those of engine and pacing queue, and `expected-quality` (gdouble, a
   * mean opinion score) if tfrcencodebin is upstream. Outside of it these fields are those
   * of the SSRC that the properties are about. A flow that shares its rate with
   * others (RFC 8699) has `coupled-flows` (how many they are), `coupled-rate`
   * (S_CR: the rate of all of them, as flows of nominal segments) and
   * `coupled-portion` (the portion of this one, 0 to 1). `passed` counts packets without
   * TFRC, `refused` packets dropped because of too many SSRCs.
   *
   * Since: 0.1
   */
  READING (STATS) = g_param_spec_boxed ("stats", "Statistics",
      "Counters and state: structure application/x-tfrc-sender-stats, rates in "
      "bit/s, times in ns; in `rfc` those of the RFC in bytes/s and s",
      GST_TYPE_STRUCTURE, GST_TFRC_READING);
  /**
   * GstRtpTfrcSend:connection:
   *
   * Whether RTCP of the data receiver comes. Each change is an element
   * message application/x-tfrc-connection as well.
   *
   * Since: 0.1
   */
  READING (CONNECTION) = g_param_spec_enum ("connection", "Connection",
      "Whether RTCP of the data receiver comes",
      GST_TYPE_TFRC_REMOTE_CONNECTION, GST_TFRC_REMOTE_LIVENESS_WAITING,
      GST_TFRC_READING);
}

void
gst_tfrc_allowance_properties_install (GObjectClass * klass)
{
  guint i;

  create_readings ();
  for (i = 0; i < G_N_ELEMENTS (readings); i++)
    g_object_class_install_property (klass, GST_TFRC_N_SETTINGS + i,
        readings[i]);
}

/* The highest packet rate; 0: no limit. */
static gdouble
get_limit (const GstTfrcRate * rate)
{
  return isinf (rate->allowance.max_packet_rate) ? 0 :
      rate->allowance.max_packet_rate;
}

guint
gst_tfrc_allowance_properties_find (const gchar * name)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (readings); i++)
    if (g_str_equal (readings[i]->name, name))
      break;
  return GST_TFRC_N_SETTINGS + i;
}

gboolean
gst_tfrc_allowance_properties_get (const GstTfrcRate * rate, guint id,
    GValue * value)
{
  switch (id) {
    case GST_TFRC_PROP_ALLOWED_BITRATE:
      g_value_set_uint (value, rate->bitrate);
      break;
    case GST_TFRC_PROP_ALLOWED_PACKET_SIZE:
      g_value_set_uint (value, rate->payload_size);
      break;
    case GST_TFRC_PROP_MAX_PACKET_RATE:
      g_value_set_double (value, get_limit (rate));
      break;
    case GST_TFRC_PROP_ALLOWED_RATE:
      g_value_set_double (value, 8 * rate->allowance.X);
      break;
    case GST_TFRC_PROP_LOSS_EVENT_RATE:
      g_value_set_double (value, rate->allowance.p);
      break;
    case GST_TFRC_PROP_ROUND_TRIP_TIME:
      g_value_set_uint64 (value, rate->allowance.R * GST_SECOND);
      break;
    case GST_TFRC_PROP_SUSPENDED:
      g_value_set_boolean (value, rate->suspend);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

/* The element may be one that has copies of these properties. */
static void
notify_reading (GObject * object, GParamSpec * reading)
{
  g_object_notify (object, reading->name);
}

void
gst_tfrc_allowance_properties_notify (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * now)
{
  GObject *object = G_OBJECT (element);

  if (now->bitrate != old->bitrate)
    notify_reading (object, READING (ALLOWED_BITRATE));
  if (now->payload_size != old->payload_size)
    notify_reading (object, READING (ALLOWED_PACKET_SIZE));
  if (now->allowance.max_packet_rate != old->allowance.max_packet_rate)
    notify_reading (object, READING (MAX_PACKET_RATE));
  if (now->allowance.X != old->allowance.X)
    notify_reading (object, READING (ALLOWED_RATE));
  if (now->allowance.p != old->allowance.p)
    notify_reading (object, READING (LOSS_EVENT_RATE));
  if (now->allowance.R != old->allowance.R)
    notify_reading (object, READING (ROUND_TRIP_TIME));
  if (now->suspend != old->suspend)
    notify_reading (object, READING (SUSPENDED));
}
