/* gst-tfrc: drives any stock encoder by what TFRC allows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcencodercontrol
 * @title: tfrcencodercontrol
 * @short_description: Sets an encoder's bit rate to what TFRC allows
 *
 * Passes everything through. When the upstream event `application/x-tfrc-rate`
 * comes by, the encoder upstream gets the allowed bit rate, within min-bitrate and
 * max-bitrate. It knows how the usual encoders call that property and in which
 * unit; an encoder that it does not know is bound by bitrate-property and
 * bitrate-unit, and a warning says so. An encoder that takes another bit rate only
 * when it starts (speexenc, voaacenc, lamemp3enc, avenc_*) is restarted between
 * two buffers, for a change of a fifth and more.
 *
 * Key-frame requests pass as they are. When packets had to be dropped before they
 * left, which no receiver can notice, the encoder is asked for a key frame.
 *
 * |[
 * gst-launch-1.0 videotestsrc is-live=true ! vp8enc deadline=1 end-usage=cbr ! tfrcencodercontrol ! rtpvp8pay ! tfrcsink host=127.0.0.1 port=5004
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcencodercontrol.h"

#include <string.h>

#include "codec/encodertable.h"
#include "base/rateevent.h"

enum
{
  PROP_0,
  PROP_ENCODER,
  PROP_BITRATE_PROPERTY,
  PROP_BITRATE_UNIT,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_CURRENT_BITRATE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* A change of less is not worth an encoder's reconfiguration, or its restart. */
#define NOTICE 0.03
#define RESTART_NOTICE 0.2

/* Between two restarts that raise the bit rate. */
#define RESTART_PAUSE GST_SECOND

/* Between two requests for a key frame, which costs many packets itself. */
#define KEY_PAUSE (2 * GST_SECOND)

/* No encoder can do with less than some kbit/s: x264enc keeps the bit rate that it
 * had. */
#define DEFAULT_MIN_BITRATE 6000

struct _GstTfrcEncoderControl
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;

  /* object lock */
  GstElement *encoder;          /* set by the application, or NULL */
  gchar *property;
  guint unit, min, max;
  guint current;                /* bit/s that the encoder was told */
  gboolean warned;
  GstClockTime restarted, asked;        /* the last time; GST_CLOCK_TIME_NONE */
  guint64 dropped;              /* packets, before the last request */

  /* The encoder's thread. */
  gboolean skip_headers;        /* a restarted encoder's, which came before */
};

/* A restart that waits for the encoder's next buffer. */
typedef struct
{
  GstTfrcEncoderControl *self;
  GstElement *encoder;
  GstTfrcEncoderEntry binding;
  gchar *property;
  guint bitrate;
} Restart;

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstTfrcEncoderControl, gst_tfrc_encoder_control,
    GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (tfrcencodercontrol, "tfrcencodercontrol",
    GST_RANK_NONE, GST_TYPE_TFRC_ENCODER_CONTROL);

static gboolean
is_encoder (GstElement * element)
{
  const gchar *klass = gst_element_get_metadata (element,
      GST_ELEMENT_METADATA_KLASS);

  return klass != NULL && strstr (klass, "Encoder") != NULL &&
      !GST_IS_BIN (element);
}

/* The nearest encoder upstream, through elements of one sink pad. */
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

/* --- encoders that take a bit rate only when they start ------------------------ */

static gboolean
send_sticky (GstPad * feeder, GstEvent ** event, gpointer pad)
{
  if (GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_send_event (pad, gst_event_ref (*event));
  return TRUE;
}

/* In the thread that is about to hand the encoder a buffer: it is idle. */
static GstPadProbeReturn
restart_encoder (GstPad * feeder, GstPadProbeInfo * info, gpointer user_data)
{
  Restart *restart = user_data;
  GstPad *pad = gst_pad_get_peer (feeder);

  if (pad == NULL)
    return GST_PAD_PROBE_REMOVE;
  gst_element_set_state (restart->encoder, GST_STATE_READY);
  gst_tfrc_encoder_entry_set (&restart->binding, restart->encoder,
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
  g_free (restart->property);
  g_free (restart);
}

static void
schedule_restart (GstTfrcEncoderControl * self, GstElement * encoder,
    const GstTfrcEncoderEntry * binding, guint bitrate)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstPad *feeder = pad ? gst_pad_get_peer (pad) : NULL;
  Restart *restart;

  if (feeder != NULL) {
    restart = g_new (Restart, 1);
    *restart = (Restart) {
    gst_object_ref (self), gst_object_ref (encoder), *binding,
          g_strdup (binding->property), bitrate};
    restart->binding.property = restart->property;
    gst_pad_add_probe (feeder, GST_PAD_PROBE_TYPE_BUFFER, restart_encoder,
        restart, restart_free);
    gst_object_unref (feeder);
  }
  gst_clear_object (&pad);
}

/* --- the event ------------------------------------------------------------------ */

/* Without a clock time stands still. */
static GstClockTime
get_now (GstTfrcEncoderControl * self)
{
  GstClockTime now = gst_element_get_current_clock_time (GST_ELEMENT (self));

  return GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
}

static gboolean
is_due (GstClockTime last, GstClockTime pause, GstClockTime now)
{
  return !GST_CLOCK_TIME_IS_VALID (last) || now >= last + pause;
}

/* With the object lock: what `encoder` is to be told, 0 for nothing new. */
static guint
take_bitrate (GstTfrcEncoderControl * self, guint bitrate, gboolean restart,
    GstClockTime now)
{
  gdouble notice = restart ? RESTART_NOTICE : NOTICE;

  if (self->max > 0)
    bitrate = MIN (bitrate, self->max);
  bitrate = MAX (bitrate, self->min);
  if (ABS ((gdouble) bitrate - self->current) < notice * self->current)
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
tell_encoder (GstTfrcEncoderControl * self, GstElement * encoder, guint allowed)
{
  const GstTfrcEncoderEntry *known =
      encoder ? gst_tfrc_encoder_entry_find (encoder) : NULL;
  GstTfrcEncoderEntry binding =
      known != NULL ? *known : (GstTfrcEncoderEntry) { NULL };
  GstClockTime now = get_now (self);
  gchar *property;
  guint bitrate;

  GST_OBJECT_LOCK (self);
  property = g_strdup (self->property);
  if (property != NULL) {
    binding.property = property;
    binding.unit = self->unit;
    binding.setup = NULL;
  }
  bitrate = take_bitrate (self, allowed, binding.restart, now);
  GST_OBJECT_UNLOCK (self);

  if (bitrate > 0 && binding.restart)
    schedule_restart (self, encoder, &binding, bitrate);
  else if (bitrate > 0 && (encoder == NULL
          || !gst_tfrc_encoder_entry_set (&binding, encoder, bitrate)))
    warn (self, encoder);
  if (bitrate > 0)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CURRENT_BITRATE]);
  g_free (property);
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

/* Packets that were dropped before they had a sequence number are missing to the
 * far end's decoder without its notice. */
static void
mend (GstTfrcEncoderControl * self, guint64 dropped)
{
  GstClockTime now = get_now (self);
  gboolean ask;

  GST_OBJECT_LOCK (self);
  ask = dropped > self->dropped && is_due (self->asked, KEY_PAUSE, now);
  if (ask)
    self->asked = now;
  if (ask || dropped < self->dropped)
    self->dropped = dropped;
  GST_OBJECT_UNLOCK (self);
  if (ask && is_video (self))
    gst_pad_push_event (self->sinkpad,
        gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new ("GstForceKeyUnit",
                "all-headers", G_TYPE_BOOLEAN, TRUE, NULL)));
}

static void
on_rate (GstTfrcEncoderControl * self, const GstTfrcRate * rate)
{
  GstElement *encoder;

  /* before the first report it is one packet a second */
  if (rate->R == 0)
    return;
  GST_OBJECT_LOCK (self);
  encoder = self->encoder ? gst_object_ref (self->encoder) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (encoder == NULL)
    encoder = find_encoder (self);
  tell_encoder (self, encoder, rate->bitrate);
  gst_clear_object (&encoder);
  mend (self, rate->dropped);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcRate rate;

  if (gst_tfrc_rate_event_parse (event, &rate))
    on_rate (GST_TFRC_ENCODER_CONTROL (parent), &rate);
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
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  return gst_pad_push_list (GST_TFRC_ENCODER_CONTROL (parent)->srcpad, list);
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (object);

  GST_OBJECT_LOCK (self);
  self->current = 0;
  switch (id) {
    case PROP_ENCODER:
      gst_object_replace ((GstObject **) & self->encoder,
          g_value_get_object (value));
      break;
    case PROP_BITRATE_PROPERTY:
      g_free (self->property);
      self->property = g_value_dup_string (value);
      break;
    case PROP_BITRATE_UNIT:
      self->unit = g_value_get_uint (value);
      break;
    case PROP_MIN_BITRATE:
      self->min = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_ENCODER:
      g_value_set_object (value, self->encoder);
      break;
    case PROP_BITRATE_PROPERTY:
      g_value_set_string (value, self->property);
      break;
    case PROP_BITRATE_UNIT:
      g_value_set_uint (value, self->unit);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max);
      break;
    case PROP_CURRENT_BITRATE:
      g_value_set_uint (value, self->current);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
finalize (GObject * object)
{
  GstTfrcEncoderControl *self = GST_TFRC_ENCODER_CONTROL (object);

  gst_clear_object (&self->encoder);
  g_free (self->property);
  G_OBJECT_CLASS (gst_tfrc_encoder_control_parent_class)->finalize (object);
}

#define LIVE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_PLAYING)

static void
gst_tfrc_encoder_control_class_init (GstTfrcEncoderControlClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  props[PROP_ENCODER] = g_param_spec_object ("encoder", "Encoder",
      "The encoder to drive (none: the nearest upstream)", GST_TYPE_ELEMENT,
      LIVE);
  props[PROP_BITRATE_PROPERTY] = g_param_spec_string ("bitrate-property",
      "Bitrate property", "Name of the encoder's bit rate property (none: "
      "known for the usual encoders)", NULL, LIVE);
  props[PROP_BITRATE_UNIT] = g_param_spec_uint ("bitrate-unit",
      "Bitrate unit", "Unit of bitrate-property (bit/s: 1, or 1000 for kbit/s)",
      1, 1000000, 1, LIVE);
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate", "Min bitrate",
      "Lowest bit rate to ask the encoder for (bit/s)", 0, G_MAXUINT,
      DEFAULT_MIN_BITRATE, LIVE);
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate", "Max bitrate",
      "Highest bit rate to ask the encoder for (bit/s, 0: no limit)", 0,
      G_MAXUINT, 0, LIVE);
  props[PROP_CURRENT_BITRATE] = g_param_spec_uint ("current-bitrate",
      "Current bitrate", "Bit rate that the encoder was told (bit/s)", 0,
      G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "TFRC encoder control", "Filter/Network",
      "Sets a stock encoder's bit rate to what TFRC allows",
      "The gst-tfrc developers");
}

static void
gst_tfrc_encoder_control_init (GstTfrcEncoderControl * self)
{
  self->unit = 1;
  self->min = DEFAULT_MIN_BITRATE;
  self->restarted = self->asked = GST_CLOCK_TIME_NONE;
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
