/* gst-tfrc: the far end of tfrcencodebin
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcdecodebin
 * @title: tfrcdecodebin
 * @short_description: Decodes what tfrcencodebin sends
 *
 * RTP in, raw audio out. It follows changes of the frame length and bit rate in
 * mid-stream. Packets that the jitter buffer gave up on are restored from the
 * codec's forward error correction when the next packet has it, else concealed.
 *
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 mode=tfrc-sp ! tfrcdecodebin ! autoaudiosink
 * ]|
 *
 * Since: 0.1
 */
#include "gsttfrcdecodebin.h"

#include "gsttfrccodec.h"

GST_DEBUG_CATEGORY_STATIC (tfrcdecodebin_debug);
#define GST_CAT_DEFAULT tfrcdecodebin_debug

struct _GstTfrcDecodeBin
{
  GstBin parent;
  GstElement *depayloader, *decoder, *convert, *resample;
  const gchar *missing;         /* factory */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media=(string)audio, "
        "clock-rate=(int)48000, encoding-name=(string)OPUS"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-raw"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcDecodeBin, gst_tfrc_decode_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (tfrcdecodebin_debug, "tfrcdecodebin", 0,
        "TFRC decode bin"));
GST_ELEMENT_REGISTER_DEFINE (tfrcdecodebin, "tfrcdecodebin", GST_RANK_NONE,
    GST_TYPE_TFRC_DECODE_BIN);

static GstElement *
add_element (GstTfrcDecodeBin * self, const gchar * factory,
    const gchar * setup)
{
  GstElement *element = gst_tfrc_codec_make (factory, setup);

  if (element == NULL) {
    if (self->missing == NULL)
      self->missing = factory;
    return NULL;
  }
  gst_bin_add (GST_BIN (self), element);
  return element;
}

static void
add_ghost_pad (GstTfrcDecodeBin * self, GstStaticPadTemplate * template,
    GstElement * element)
{
  GstPadTemplate *t = gst_static_pad_template_get (template);
  GstPad *target = gst_element_get_static_pad (element, t->name_template);

  gst_element_add_pad (GST_ELEMENT (self),
      gst_ghost_pad_new_from_template (t->name_template, target, t));
  gst_object_unref (target);
  gst_object_unref (t);
}

/*
 *   sink                                                            src
 *    |    depayloader -> decoder -> audioconvert -> audioresample    |
 *    +-------^                                             '---------+
 */
static void
gst_tfrc_decode_bin_init (GstTfrcDecodeBin * self)
{
  const GstTfrcCodec *codec = gst_tfrc_codec_get (TFRC_CODEC_OPUS);

  self->depayloader = add_element (self, codec->depayloader, NULL);
  self->decoder = add_element (self, codec->decoder, codec->decoder_setup);
  self->convert = add_element (self, "audioconvert", NULL);
  self->resample = add_element (self, "audioresample", NULL);
  if (self->missing != NULL)
    return;

  gst_element_link_many (self->depayloader, self->decoder, self->convert,
      self->resample, NULL);
  add_ghost_pad (self, &sink_template, self->depayloader);
  add_ghost_pad (self, &src_template, self->resample);
}

static GstStateChangeReturn
gst_tfrc_decode_bin_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (element);

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && self->missing != NULL) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, (NULL),
        ("The element \"%s\" is not installed; it is in GStreamer's base or "
            "good plugins", self->missing));
    return GST_STATE_CHANGE_FAILURE;
  }
  return GST_ELEMENT_CLASS (gst_tfrc_decode_bin_parent_class)->change_state
      (element, transition);
}

static void
gst_tfrc_decode_bin_class_init (GstTfrcDecodeBinClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class->change_state = gst_tfrc_decode_bin_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC decode bin",
      "Codec/Depayloader/Decoder/Audio/RTP",
      "Decodes what tfrcencodebin sends, and conceals what was lost",
      "The gst-tfrc developers");
}
