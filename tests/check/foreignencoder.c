/* gst-tfrc tests: an encoder as somebody else would write it, from the installed header alone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "foreignencoder.h"

#include <gst/audio/audio.h>
#include <gst/tfrc/rate-event.h>

typedef struct
{
  GstAudioEncoder parent;
  guint bitrate;                /* bit/s */
  gboolean suspended;
} ForeignEncoder;

typedef GstAudioEncoderClass ForeignEncoderClass;

G_DEFINE_TYPE (ForeignEncoder, foreign_encoder, GST_TYPE_AUDIO_ENCODER);

static gboolean
set_format (GstAudioEncoder * encoder, GstAudioInfo * info)
{
  GstCaps *caps = gst_caps_new_empty_simple ("audio/x-foreign");
  gboolean ret;

  gst_audio_encoder_set_frame_samples_min (encoder, info->rate / 50);
  gst_audio_encoder_set_frame_samples_max (encoder, info->rate / 50);
  gst_audio_encoder_set_frame_max (encoder, 1);
  ret = gst_audio_encoder_set_output_format (encoder, caps);
  gst_caps_unref (caps);
  return ret;
}

static GstFlowReturn
handle_frame (GstAudioEncoder * encoder, GstBuffer * samples)
{
  ForeignEncoder *self = (ForeignEncoder *) encoder;

  if (samples == NULL)
    return GST_FLOW_OK;
  return gst_audio_encoder_finish_frame (encoder,
      self->suspended ? NULL : gst_buffer_new_allocate (NULL,
          self->bitrate / 8 / 50, NULL), gst_buffer_get_size (samples) / 2);
}

static gboolean
src_event (GstAudioEncoder * encoder, GstEvent * event)
{
  ForeignEncoder *self = (ForeignEncoder *) encoder;
  const GstStructure *fields = gst_tfrc_rate_event_get_fields (event);

  if (fields == NULL)
    return GST_AUDIO_ENCODER_CLASS (foreign_encoder_parent_class)->src_event
        (encoder, event);
  gst_structure_get_uint (fields, GST_TFRC_RATE_FIELD_BITRATE, &self->bitrate);
  gst_structure_get_boolean (fields, GST_TFRC_RATE_FIELD_SUSPEND,
      &self->suspended);
  gst_event_unref (event);
  return TRUE;
}

static void
foreign_encoder_class_init (ForeignEncoderClass * class)
{
  GstElementClass *element_class = (GstElementClass *) class;

  gst_element_class_set_static_metadata (element_class, "Foreign encoder",
      "Codec/Encoder/Audio", "Obeys the rate event", "The gst-tfrc developers");
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
          gst_caps_new_simple ("audio/x-raw", "format", G_TYPE_STRING,
              GST_AUDIO_NE (S16), "rate", G_TYPE_INT, 8000, "channels",
              G_TYPE_INT, 1, NULL)));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
          gst_caps_new_empty_simple ("audio/x-foreign")));
  class->set_format = set_format;
  class->handle_frame = handle_frame;
  class->src_event = src_event;
}

static void
foreign_encoder_init (ForeignEncoder * self)
{
  self->bitrate = 64000;
}
