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
 * bitrate-unit. Key-frame requests pass as they are.
 *
 * |[
 * gst-launch-1.0 videotestsrc is-live=true ! vp8enc deadline=1 ! tfrcencodercontrol ! rtpvp8pay ! tfrcsink host=127.0.0.1 port=5004
 * ]|
 *
 * Since: 0.1
 */
#include "gsttfrcencodercontrol.h"

#include <string.h>

#include "gsttfrcrate.h"

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

/* A change of less is not worth an encoder's reconfiguration. */
#define NOTICE 0.03

typedef struct
{
  const gchar *factory;         /* or the beginning of it, with a '*' */
  const gchar *property;
  guint unit;                   /* bit/s */
} Binding;

static const Binding bindings[] = {
  {"x264enc", "bitrate", 1000}, {"x265enc", "bitrate", 1000},
  {"openh264enc", "bitrate", 1}, {"vp8enc", "target-bitrate", 1},
  {"vp9enc", "target-bitrate", 1}, {"av1enc", "target-bitrate", 1000},
  {"svtav1enc", "target-bitrate", 1000}, {"rav1enc", "bitrate", 1},
  {"opusenc", "bitrate", 1}, {"speexenc", "bitrate", 1},
  {"voaacenc", "bitrate", 1}, {"fdkaacenc", "bitrate", 1},
  {"lamemp3enc", "bitrate", 1000}, {"theoraenc", "bitrate", 1000},
  {"avenc_*", "bitrate", 1}, {"va*enc", "bitrate", 1000},
  {"vaapi*", "bitrate", 1000}, {"nvh26*", "bitrate", 1000},
};

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
};

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

static const Binding *
find_binding (GstElement * encoder)
{
  GstElementFactory *factory = gst_element_get_factory (encoder);
  const gchar *name = factory ? GST_OBJECT_NAME (factory) : "";
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bindings); i++) {
    if (g_pattern_match_simple (bindings[i].factory, name))
      return &bindings[i];
  }
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
            "known. Set bitrate-property to the name of its property and "
            "bitrate-unit to its unit in bit/s (1, or 1000 for kbit/s)",
            GST_OBJECT_NAME (encoder)));
}

/* In the property's own type and unit, rounded down. */
static void
set_bitrate (GstElement * encoder, const gchar * name, guint unit,
    guint bitrate)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), name);
  GValue plain = G_VALUE_INIT, value = G_VALUE_INIT;

  g_value_init (&plain, G_TYPE_UINT);
  g_value_set_uint (&plain, MAX (1, bitrate / unit));
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  if (g_value_transform (&plain, &value)) {
    g_param_value_validate (pspec, &value);
    g_object_set_property (G_OBJECT (encoder), name, &value);
  }
  g_value_unset (&value);
  g_value_unset (&plain);
}

static void
apply (GstTfrcEncoderControl * self, GstElement * encoder, guint bitrate)
{
  const Binding *binding = encoder ? find_binding (encoder) : NULL;
  gchar *name;
  guint unit;

  GST_OBJECT_LOCK (self);
  name = g_strdup (self->property ? self->property :
      binding ? binding->property : NULL);
  unit = self->property ? self->unit : binding ? binding->unit : 1;
  GST_OBJECT_UNLOCK (self);
  if (encoder == NULL || name == NULL ||
      !g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), name))
    warn (self, encoder);
  else
    set_bitrate (encoder, name, unit, bitrate);
  g_free (name);
}

static void
on_rate (GstTfrcEncoderControl * self, const GstTfrcRate * rate)
{
  GstElement *encoder;
  guint bitrate = rate->bitrate;
  gboolean same;

  /* before the first report it is one packet a second */
  if (rate->R == 0)
    return;
  GST_OBJECT_LOCK (self);
  if (self->max > 0)
    bitrate = MIN (bitrate, self->max);
  bitrate = MAX (bitrate, self->min);
  same = ABS ((gdouble) bitrate - self->current) < NOTICE * self->current;
  if (!same)
    self->current = bitrate;
  encoder = self->encoder ? gst_object_ref (self->encoder) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (!same) {
    if (encoder == NULL)
      encoder = find_encoder (self);
    apply (self, encoder, bitrate);
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CURRENT_BITRATE]);
  }
  gst_clear_object (&encoder);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstTfrcRate rate;

  if (gst_tfrc_rate_parse_event (event, &rate))
    on_rate (GST_TFRC_ENCODER_CONTROL (parent), &rate);
  return gst_pad_event_default (pad, parent, event);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return gst_pad_push (GST_TFRC_ENCODER_CONTROL (parent)->srcpad, buffer);
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
      "Lowest bit rate to ask the encoder for (bit/s)", 0, G_MAXUINT, 0, LIVE);
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
