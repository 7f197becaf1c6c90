/* gst-tfrc: element tfrcencodercontrol, which sets the bit rate of any encoder to what TFRC allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcencodercontrol
 * @title: tfrcencodercontrol
 * @short_description: Sets an encoder's bit rate to what TFRC allows
 *
 * tfrcencodercontrol stands behind an encoder and passes everything through. When the upstream
 * event `application/x-tfrc-rate` passes, the encoder gets the bit rate that the event allows,
 * within min-bitrate and max-bitrate. The element knows the bit rate property of the usual
 * encoders, and its unit. For an encoder that it does not know, it posts a warning, and
 * bitrate-property and bitrate-unit name the property. An encoder that takes another bit rate
 * only when it starts (speexenc, voaacenc, lamemp3enc, avenc_*) is restarted between two buffers,
 * for a change of a fifth or more.
 *
 * Key-frame requests of the receiver pass unchanged. After packets were dropped before they were
 * sent, which no receiver can notice, tfrcencodercontrol asks a video encoder for a key frame.
 *
 * |[
 * gst-launch-1.0 videotestsrc is-live=true ! vp8enc deadline=1 end-usage=cbr ! tfrcencodercontrol ! rtpvp8pay ! tfrcsink host=127.0.0.1 port=5004
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcencodercontrol.h"

#include <string.h>

#include "base/propertyfield.h"
#include "base/propertymutability.h"
#include "base/rateevent.h"
#include "codec/codectable.h"

GST_DEBUG_CATEGORY_STATIC (tfrcencodercontrol_debug);
#define GST_CAT_DEFAULT tfrcencodercontrol_debug

enum
{
  PROP_0,
  PROP_ENCODER,
  PROP_BITRATE_PROPERTY,
  PROP_BITRATE_UNIT,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_CURRENT_BITRATE,
  PROP_SKIP_FRAMES,
  PROP_SKIPPED_FRAMES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* A smaller relative change of the bit rate is not worth the reconfiguration of an encoder, or
 * its restart. */
#define MIN_CHANGE 0.03
#define MIN_CHANGE_RESTART 0.2

/* The shortest time between two restarts that raise the bit rate. */
#define RESTART_PAUSE GST_SECOND

/* The shortest time between two requests for a key frame, which takes many packets itself. */
#define KEY_FRAME_PAUSE (2 * GST_SECOND)

/* The share of the allowance that an encoder of video is set to. Frames differ in size, and what is above the allowance
 * for a while is a queue until there is room again. */
#define VIDEO_SHARE 0.9

/* s, for which what the encoder made may take up the allowance before frames are skipped: less than the 0.2 s that packets
 * may wait in the pacing queue. */
#define BACKLOG_MAX 0.15

/* bit/s. No encoder can do with less than some kbit/s: x264enc then keeps the bit rate that it
 * had. */
#define DEFAULT_MIN_BITRATE 6000

struct _GstTfrcEncoderControl
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;

  /* object lock */
  GstElement *encoder;          /* set by the application, or NULL */
  const gchar *property;        /* interned, or NULL */
  guint unit, min, max;
  guint current;                /* bit/s that the encoder `told` is set to */
  gboolean warned;
  GstClockTime restarted;       /* the last time that an encoder was, or GST_CLOCK_TIME_NONE */
  GstClockTime requested;       /* the last time that a key frame was, or GST_CLOCK_TIME_NONE */
  guint64 dropped, healed;      /* packets, by the last event; those of before the last key frame or request for one */
  gboolean skips;               /* the property skip-frames */
  guint64 skipped;              /* frames */
  gdouble allowed;              /* bit/s, of the last event; 0: none came */
  gdouble backlog;              /* bits that the encoder made and that were not yet allowed, at `drained` */
  GstClockTime drained;
  GstClockTime rtt;             /* R of the last event, ns */
  GstClockTime answered;        /* until then, requests for a key frame were made before the last one arrived */

  /* thread of the events */
  GstPad *feeder;               /* the pad that feeds the encoder of video; NULL: not known yet */
  gulong feeder_probe;

  GWeakRef told;                /* the encoder whose bit rate was set last */

  /* streaming thread of the encoder */
  gboolean skip_headers;        /* a restarted encoder repeats its headers */
};

/* A restart that waits for the encoder's next buffer. */
typedef struct
{
  GstTfrcEncoderControl *self;
  GstElement *encoder;
  GstTfrcEncoderEntry entry;
  guint bitrate;                /* bit/s */
} Restart;

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE_WITH_CODE (GstTfrcEncoderControl, gst_tfrc_encoder_control,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (tfrcencodercontrol_debug,
        "tfrcencodercontrol", 0, "TFRC encoder control"));
GST_ELEMENT_REGISTER_DEFINE (tfrcencodercontrol, "tfrcencodercontrol",
    GST_RANK_NONE, GST_TYPE_TFRC_ENCODER_CONTROL);

/* Time stands still as long as there is no clock. */
static GstClockTime
get_now (GstTfrcEncoderControl * self)
{
  GstClockTime now = gst_element_get_current_clock_time (GST_ELEMENT (self));

  return GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
}

static gboolean
is_encoder (GstElement * element)
{
  const gchar *klass = gst_element_get_metadata (element,
      GST_ELEMENT_METADATA_KLASS);

  return klass != NULL && strstr (klass, "Encoder") != NULL &&
      !GST_IS_BIN (element);
}

/* Returns the nearest encoder upstream that is reached through elements with a pad "sink". */
static GstElement *
find_encoder (GstTfrcEncoderControl * self)
{
  GstPad *pad = gst_object_ref (self->sinkpad);
  GstElement *element = NULL;
  guint steps;

  for (steps = 0; pad != NULL && steps < 32; steps++) {
    GstPad *peer = gst_pad_get_peer (pad);

    gst_object_unref (pad);
    pad = NULL;
    gst_clear_object (&element);
    if (peer == NULL)
      break;
    element = gst_pad_get_parent_element (peer);
    gst_object_unref (peer);
    if (element == NULL || is_encoder (element))
      return element;
    pad = gst_element_get_static_pad (element, "sink");
  }
  gst_clear_object (&pad);
  gst_clear_object (&element);
  return NULL;
}

static void
warn (GstTfrcEncoderControl * self, GstElement * encoder)
{
  gboolean warned;

  GST_OBJECT_LOCK (self);
  warned = self->warned;
  self->warned = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (warned)
    return;
  if (encoder == NULL)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, (NULL),
        ("There is no encoder upstream. Put tfrcencodercontrol behind it, or set "
            "the property \"encoder\""));
  else
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, (NULL),
        ("The bit rate of the encoder %s is not adapted: how to set it is not "
            "known, or it is fixed. Set bitrate-property to the name of its property and "
            "bitrate-unit to its unit in bit/s (1, or 1000 for kbit/s)",
            GST_OBJECT_NAME (encoder)));
}

/* --- restart --- */

/* Some encoders take another bit rate only when they start. The only time at which an encoder
 * that is not ours can be restarted is when the thread that feeds it holds no buffer in it: a
 * probe on the pad that feeds the encoder finds that time (docs/architecture.md). */

static gboolean
send_sticky (GstPad * feeder, GstEvent ** event, gpointer pad)
{
  if (GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_send_event (pad, gst_event_ref (*event));
  return TRUE;
}

/* Runs in the thread that is about to give the encoder a buffer, so that the encoder is idle. */
static GstPadProbeReturn
restart_encoder (GstPad * feeder, GstPadProbeInfo * info, gpointer user_data)
{
  Restart *restart = user_data;
  GstPad *pad = gst_pad_get_peer (feeder);

  if (pad == NULL)
    return GST_PAD_PROBE_REMOVE;
  gst_element_set_state (restart->encoder, GST_STATE_READY);
  gst_tfrc_encoder_entry_set (&restart->entry, restart->encoder,
      restart->bitrate);
  restart->self->skip_headers = TRUE;
  gst_element_sync_state_with_parent (restart->encoder);
  gst_pad_sticky_events_foreach (feeder, send_sticky, pad);
  gst_object_unref (pad);
  return GST_PAD_PROBE_REMOVE;
}

static void
restart_free (gpointer data)
{
  Restart *restart = data;

  gst_object_unref (restart->self);
  gst_object_unref (restart->encoder);
  g_free (restart);
}

static void
schedule_restart (GstTfrcEncoderControl * self, GstElement * encoder,
    const GstTfrcEncoderEntry * entry, guint bitrate)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstPad *feeder = pad ? gst_pad_get_peer (pad) : NULL;
  Restart *restart;

  if (feeder != NULL) {
    restart = g_new (Restart, 1);
    *restart =
        (Restart) {gst_object_ref (self), gst_object_ref (encoder), *entry,
        bitrate};
    gst_pad_add_probe (feeder, GST_PAD_PROBE_TYPE_BUFFER, restart_encoder,
        restart, restart_free);
    gst_object_unref (feeder);
  }
  gst_clear_object (&pad);
}

/* --- frames that are not encoded --- */

/* When an encoder makes more than is allowed, as each does below some bit rate of its own and with each key frame,
 * packets would wait and expire in the pacing queue, and no decoder could use the frames that refer to theirs. A frame
 * that is skipped in front of the encoder costs that frame alone. */

/* With the object lock. What the encoder made drains as fast as is allowed. */
static void
drain_backlog (GstTfrcEncoderControl * self, GstClockTime now)
{
  if (now > self->drained)
    self->backlog -= self->allowed * (now - self->drained) / GST_SECOND;
  self->backlog = MAX (self->backlog, 0);
  self->drained = now;
}

static void
note_encoded (GstTfrcEncoderControl * self, gsize size, gboolean is_key_frame)
{
  GstClockTime now = get_now (self);

  GST_OBJECT_LOCK (self);
  drain_backlog (self, now);
  self->backlog += 8.0 * size;
  if (is_key_frame && self->allowed > 0)
    self->answered = now + self->rtt + (GstClockTime) MIN (self->backlog /
        self->allowed * GST_SECOND, KEY_FRAME_PAUSE);
  /* no decoder needs what was dropped before a key frame */
  if (is_key_frame)
    self->healed = self->dropped;
  GST_OBJECT_UNLOCK (self);
}

/* Whether a decoder that requests a key frame will get one anyway: the one that it cannot have seen when it made the
 * request. Another one would make both late. */
static gboolean
is_answered (GstTfrcEncoderControl * self)
{
  GstClockTime now = get_now (self);
  gboolean answered;

  GST_OBJECT_LOCK (self);
  answered = now < self->answered;
  GST_OBJECT_UNLOCK (self);
  return answered;
}

static GstPadProbeReturn
on_raw_frame (GstPad * feeder, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncoderControl *self = user_data;
  GstClockTime now = get_now (self);
  gboolean skip;

  GST_OBJECT_LOCK (self);
  drain_backlog (self, now);
  skip = self->skips && self->allowed > 0
      && self->backlog > self->allowed * BACKLOG_MAX;
  self->skipped += skip;
  GST_OBJECT_UNLOCK (self);
  if (skip)
    GST_LOG_OBJECT (self, "a frame is not encoded");
  return skip ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void
forget_feeder (GstTfrcEncoderControl * self)
{
  GstPad *feeder;
  gulong probe;

  GST_OBJECT_LOCK (self);
  feeder = g_steal_pointer (&self->feeder);
  probe = self->feeder_probe;
  GST_OBJECT_UNLOCK (self);
  if (feeder == NULL)
    return;
  gst_pad_remove_probe (feeder, probe);
  gst_object_unref (feeder);
}

/* The probe has a reference of the element: it may still run when it has been removed. */
static void
watch_feeder (GstTfrcEncoderControl * self, GstPad * feeder)
{
  gulong probe = gst_pad_add_probe (feeder, GST_PAD_PROBE_TYPE_BUFFER,
      on_raw_frame, gst_object_ref (self), gst_object_unref);

  GST_OBJECT_LOCK (self);
  self->feeder = gst_object_ref (feeder);
  self->feeder_probe = probe;
  GST_OBJECT_UNLOCK (self);
}

static void
follow_feeder (GstTfrcEncoderControl * self, GstElement * encoder)
{
  GstPad *pad = encoder != NULL ?
      gst_element_get_static_pad (encoder, "sink") : NULL;
  GstPad *feeder = pad != NULL ? gst_pad_get_peer (pad) : NULL;

  gst_clear_object (&pad);
  if (feeder != self->feeder) {
    forget_feeder (self);
    if (feeder != NULL)
      watch_feeder (self, feeder);
  }
  gst_clear_object (&feeder);
}

/* --- the event --- */

static gboolean
is_due (GstClockTime last, GstClockTime pause, GstClockTime now)
{
  return !GST_CLOCK_TIME_IS_VALID (last) || now >= last + pause;
}

/* Called with the object lock. Returns the bit/s that the encoder is to be set to, or 0 when it
 * keeps its bit rate. */
static guint
take_bitrate (GstTfrcEncoderControl * self, guint bitrate, gboolean restart,
    GstClockTime now)
{
  gdouble change = restart ? MIN_CHANGE_RESTART : MIN_CHANGE;

  if (self->max > 0)
    bitrate = MIN (bitrate, self->max);
  bitrate = MAX (bitrate, self->min);
  if (ABS ((gdouble) bitrate - self->current) < change * self->current)
    return 0;
  if (restart && bitrate > self->current && self->current > 0
      && !is_due (self->restarted, RESTART_PAUSE, now))
    return 0;
  if (restart)
    self->restarted = now;
  self->current = bitrate;
  return bitrate;
}

static void
set_bitrate (GstTfrcEncoderControl * self, GstElement * encoder,
    const GstTfrcEncoderEntry * entry, guint bitrate)
{
  GST_INFO_OBJECT (self, "%s gets %u bit/s%s",
      encoder != NULL ? GST_ELEMENT_NAME (encoder) : "no encoder", bitrate,
      entry->restart ? ", by a restart" : "");
  if (entry->restart)
    schedule_restart (self, encoder, entry, bitrate);
  else if (encoder == NULL
      || !gst_tfrc_encoder_entry_set (entry, encoder, bitrate))
    warn (self, encoder);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CURRENT_BITRATE]);
}

/* Whether `encoder` has taken the place of the one that was told. */
static gboolean
is_another_encoder (GstTfrcEncoderControl * self, GstElement * encoder)
{
  GstElement *told = g_weak_ref_get (&self->told);
  gboolean another = encoder != NULL && encoder != told;

  if (another)
    g_weak_ref_set (&self->told, encoder);
  gst_clear_object (&told);
  return another;
}

/* `encoder` may be NULL. */
static void
apply_allowance (GstTfrcEncoderControl * self, GstElement * encoder,
    guint allowed)
{
  const GstTfrcEncoderEntry *known =
      encoder != NULL ? gst_tfrc_encoder_entry_find (encoder) : NULL;
  GstTfrcEncoderEntry entry =
      known != NULL ? *known : (GstTfrcEncoderEntry) {NULL};
  GstClockTime now = get_now (self);
  gboolean another = is_another_encoder (self, encoder);
  guint bitrate;

  GST_OBJECT_LOCK (self);
  if (another)
    self->current = 0;
  if (self->property != NULL) {
    entry.property = self->property;
    entry.unit = self->unit;
    entry.setup = NULL;
  }
  bitrate = take_bitrate (self, allowed, entry.restart, now);
  GST_OBJECT_UNLOCK (self);
  if (bitrate > 0)
    set_bitrate (self, encoder, &entry, bitrate);
}

static gboolean
is_video (GstTfrcEncoderControl * self)
{
  GstCaps *caps = gst_pad_get_current_caps (self->sinkpad);
  gboolean video = caps != NULL && g_str_has_prefix (gst_structure_get_name
      (gst_caps_get_structure (caps, 0)), "video/");

  gst_clear_caps (&caps);
  return video;
}

/* A packet that was dropped before it had a sequence number is missing at the remote decoder, and
 * the data receiver does not notice. */
static void
request_key_frame (GstTfrcEncoderControl * self, guint64 dropped)
{
  GstClockTime now = get_now (self);
  gboolean due;

  GST_OBJECT_LOCK (self);
  self->dropped = dropped;
  self->healed = MIN (self->healed, dropped);
  due = dropped > self->healed && now >= self->answered
      && is_due (self->requested, KEY_FRAME_PAUSE, now);
  if (due) {
    self->requested = now;
    self->healed = dropped;
  }
  GST_OBJECT_UNLOCK (self);
  if (!due || !is_video (self))
    return;
  GST_INFO_OBJECT (self, "%" G_GUINT64_FORMAT " packets were dropped before "
      "they were sent: a key frame is requested", dropped);
  gst_pad_push_event (self->sinkpad,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit",
              "all-headers", G_TYPE_BOOLEAN, TRUE, NULL)));
}

/* Retransmissions, of which the encoder knows nothing, and a rate that falls make what it made wait longer than it would.
 * What was dropped waits no longer. */
static void
note_allowed (GstTfrcEncoderControl * self, const GstTfrcRate * rate)
{
  GstClockTime now = get_now (self);

  GST_OBJECT_LOCK (self);
  drain_backlog (self, now);
  self->allowed = MAX (rate->suspend ? 0 : rate->bitrate, 1);
  self->backlog = rate->queue_delay == 0 ? 0 :
      MAX (self->backlog, self->allowed * rate->queue_delay / GST_SECOND);
  self->rtt = rate->allowance.R * GST_SECOND;
  GST_OBJECT_UNLOCK (self);
}

static void
on_rate (GstTfrcEncoderControl * self, const GstTfrcRate * rate)
{
  gboolean video = is_video (self);
  GstElement *encoder;

  note_allowed (self, rate);
  GST_OBJECT_LOCK (self);
  encoder = self->encoder ? gst_object_ref (self->encoder) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (encoder == NULL)
    encoder = find_encoder (self);
  if (video)
    follow_feeder (self, encoder);
  /* The encoder keeps its bit rate until the first report. */
  if (rate->allowance.R > 0) {
    apply_allowance (self, encoder,
        video ? VIDEO_SHARE * rate->bitrate : rate->bitrate);
    request_key_frame (self, rate->dropped);
  }
  gst_clear_object (&encoder);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcRate rate;

  if (gst_tfrc_rate_event_parse (event, &rate))
    on_rate (GST_TFRC_ENCODER_CONTROL (parent), &rate);
  if (gst_event_has_name (event, "GstForceKeyUnit")
      && is_answered (GST_TFRC_ENCODER_CONTROL (parent))) {
    GST_DEBUG_OBJECT (parent, "the key frame that is requested is under way");
    gst_event_unref (event);
    return TRUE;
  }
  return gst_pad_event_default (pad, parent, event);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (parent);

  if (self->skip_headers && GST_BUFFER_FLAG_IS_SET (buffer,
          GST_BUFFER_FLAG_HEADER)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  self->skip_headers = FALSE;
  note_encoded (self, gst_buffer_get_size (buffer),
      !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT));
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  note_encoded (GST_TFRC_ENCODER_CONTROL (parent),
      gst_buffer_list_calculate_size (list), FALSE);
  return gst_pad_push_list (GST_TFRC_ENCODER_CONTROL (parent)->srcpad, list);
}

#define FIELD(name) G_STRUCT_OFFSET (GstTfrcEncoderControl, name)

static const gsize fields[N_PROPS] = {
  [PROP_ENCODER] = FIELD (encoder),
  [PROP_BITRATE_PROPERTY] = FIELD (property),
  [PROP_BITRATE_UNIT] = FIELD (unit),
  [PROP_MIN_BITRATE] = FIELD (min),
  [PROP_MAX_BITRATE] = FIELD (max),
  [PROP_CURRENT_BITRATE] = FIELD (current),
  [PROP_SKIP_FRAMES] = FIELD (skips),
  [PROP_SKIPPED_FRAMES] = FIELD (skipped),
};

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (object);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (self);
  self->current = 0;
  if (id == PROP_BITRATE_PROPERTY)
    self->property = g_intern_string (g_value_get_string (value));
  else
    gst_tfrc_property_field_set (self, fields[id], value);
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GST_OBJECT_LOCK (object);
  gst_tfrc_property_field_get (object, fields[id], value);
  GST_OBJECT_UNLOCK (object);
}

static void
finalize (GObject * object)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (object);

  gst_clear_object (&self->encoder);
  g_weak_ref_clear (&self->told);
  G_OBJECT_CLASS (gst_tfrc_encoder_control_parent_class)->finalize (object);
}

/* The times of another clock say nothing. */
static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (element);

  GST_OBJECT_LOCK (self);
  self->drained = self->answered = 0;
  self->requested = self->restarted = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  return GST_ELEMENT_CLASS (gst_tfrc_encoder_control_parent_class)->set_clock
      (element, clock);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (element);
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_encoder_control_parent_class)->change_state
      (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    GST_PAD_STREAM_LOCK (self->sinkpad);
    forget_feeder (self);
    self->allowed = self->backlog = 0;
    self->drained = self->answered = 0;
    GST_PAD_STREAM_UNLOCK (self->sinkpad);
  }
  return ret;
}

#define LIVE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_PLAYING)

static void
install_properties (GObjectClass * object_class)
{
  /**
   * GstTfrcEncoderControl:encoder:
   *
   * The encoder to set the bit rate of (none: the nearest upstream).
   *
   * Since: 0.1
   */
  props[PROP_ENCODER] = g_param_spec_object ("encoder",
      "Encoder",
      "The encoder to set the bit rate of (none: the nearest upstream)",
      GST_TYPE_ELEMENT, LIVE);

  /**
   * GstTfrcEncoderControl:bitrate-property:
   *
   * Name of the encoder's bit rate property (none: that of the usual encoders is known).
   *
   * Since: 0.1
   */
  props[PROP_BITRATE_PROPERTY] = g_param_spec_string ("bitrate-property",
      "Bitrate property",
      "Name of the encoder's bit rate property (none: that of the usual "
      "encoders is known)", NULL, LIVE);

  /**
   * GstTfrcEncoderControl:bitrate-unit:
   *
   * Unit of bitrate-property (bit/s: 1, or 1000 for kbit/s).
   *
   * Since: 0.1
   */
  props[PROP_BITRATE_UNIT] = g_param_spec_uint ("bitrate-unit",
      "Bitrate unit",
      "Unit of bitrate-property (bit/s: 1, or 1000 for kbit/s)",
      1, 1000000, 1, LIVE);

  /**
   * GstTfrcEncoderControl:min-bitrate:
   *
   * Lowest bit rate to ask the encoder for (bit/s). With less than the default, x264enc keeps
   * the bit rate that it had.
   *
   * Since: 0.1
   */
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate",
      "Min bitrate",
      "Lowest bit rate to ask the encoder for (bit/s)",
      0, G_MAXUINT, DEFAULT_MIN_BITRATE, LIVE);

  /**
   * GstTfrcEncoderControl:max-bitrate:
   *
   * Highest bit rate to ask the encoder for (bit/s, 0: no limit).
   *
   * Since: 0.1
   */
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate",
      "Max bitrate",
      "Highest bit rate to ask the encoder for (bit/s, 0: no limit)",
      0, G_MAXUINT, 0, LIVE);

  /**
   * GstTfrcEncoderControl:current-bitrate:
   *
   * Bit rate that the encoder is set to (bit/s).
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_BITRATE] = g_param_spec_uint ("current-bitrate",
      "Current bitrate",
      "Bit rate that the encoder is set to (bit/s)",
      0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * GstTfrcEncoderControl:skip-frames:
   *
   * Whether frames of video are skipped in front of the encoder while what it made
   * before takes more than 150 ms of the allowance.
   *
   * That happens after key frames, and all the time below the bit rate that the encoder needs at least for
   * the pictures. A frame that is skipped costs that frame alone, one that expires in the pacing queue all frames
   * until the next key frame. The upstream event advises a smaller picture and a lower frame rate.
   *
   * Since: 0.1
   */
  props[PROP_SKIP_FRAMES] = g_param_spec_boolean ("skip-frames",
      "Skip frames",
      "Whether frames of video are skipped in front of the encoder while what "
      "it made before takes more than 150 ms of the allowance", TRUE, LIVE);

  /**
   * GstTfrcEncoderControl:skipped-frames:
   *
   * How many frames were skipped (frames).
   *
   * Since: 0.1
   */
  props[PROP_SKIPPED_FRAMES] = g_param_spec_uint64 ("skipped-frames",
      "Skipped frames", "How many frames were skipped (frames)",
      0, G_MAXUINT64, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
gst_tfrc_encoder_control_class_init (GstTfrcEncoderControlClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = change_state;
  element_class->set_clock = set_clock;
  install_properties (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "TFRC encoder control", "Filter/Network",
      "Sets a stock encoder's bit rate to what TFRC allows",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_tfrc_encoder_control_init (GstTfrcEncoderControl * self)
{
  g_weak_ref_init (&self->told, NULL);
  self->unit = 1;
  self->skips = TRUE;
  self->min = DEFAULT_MIN_BITRATE;
  self->restarted = self->requested = GST_CLOCK_TIME_NONE;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, chain);
  gst_pad_set_chain_list_function (self->sinkpad, chain_list);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sinkpad);
  GST_PAD_SET_PROXY_SCHEDULING (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, src_event);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
