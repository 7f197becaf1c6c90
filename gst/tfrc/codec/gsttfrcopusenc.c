/* gst-tfrc: element tfrcopusenc, which encodes Opus as the network allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcopusenc
 * @title: tfrcopusenc
 * @short_description: Encodes Opus as the network allows
 *
 * Mono or stereo audio becomes Opus packets of one frame each. All properties may be set from any
 * thread while audio flows, and apply to the audio that arrives from then on. Packets are the same,
 * byte for byte, as those of opusenc with bandwidth=auto.
 *
 * Where libopus has it, #GstTfrcOpusEnc:dred-duration adds deep redundancy (DRED), from which
 * #tfrcopusdec restores up to a second of lost sound. opusenc cannot do so, since it uses the encoder of
 * several streams, which has no such setting.
 *
 * |[
 * gst-launch-1.0 audiotestsrc ! tfrcopusenc bitrate=24000 frame-size=60 ! rtpopuspay ! udpsink port=5004
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcopusenc.h"
#include "base/propertymutability.h"

#include <gst/pbutils/pbutils.h>
#include <opus.h>

GST_DEBUG_CATEGORY_STATIC (tfrcopusenc_debug);
#define GST_CAT_DEFAULT tfrcopusenc_debug

enum
{
  PROP_0,
  PROP_BITRATE,
  PROP_FRAME_SIZE,
  PROP_INBAND_FEC,
  PROP_PACKET_LOSS_PERCENTAGE,
  PROP_DTX,
  PROP_MUSIC,
  PROP_COMPLEXITY,
  PROP_DRED_DURATION,
  N_PROPS
};

/* More than libopus makes of a frame of 60 ms. */
#define LARGEST_PACKET 4000

/* Hz, the unit of the times of Opus */
#define OPUS_RATE 48000

/* DRED goes back this far (ms). */
#define LONGEST_DRED 1000

struct _GstTfrcOpusEnc
{
  GstAudioEncoder parent;
  GstPadChainFunction chain;    /* of the base class */

  /* object lock */
  gint settings[N_PROPS];       /* by property */
  gboolean changed;             /* since they were applied */

  /* stream lock */
  OpusEncoder *encoder;         /* NULL until the format is known */
  GstAudioInfo info;            /* of the input */
  gint frame;                   /* samples of the input in a packet */
  gint lookahead;               /* samples of the input that the next packet still lacks */
  guint64 consumed, encoded;    /* samples of the input since the segment began */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-raw, format=(string){ " GST_AUDIO_NE (F32) ", "
        GST_AUDIO_NE (S16) " }, layout=(string)interleaved, "
        "rate=(int){ 48000, 24000, 16000, 12000, 8000 }, channels=(int)1; "
        "audio/x-raw, format=(string){ " GST_AUDIO_NE (F32) ", "
        GST_AUDIO_NE (S16) " }, layout=(string)interleaved, "
        "rate=(int){ 48000, 24000, 16000, 12000, 8000 }, channels=(int)2, "
        "channel-mask=(bitmask)3"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-opus, channel-mapping-family=(int)0, "
        "channels=(int)[1, 2]"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcOpusEnc, gst_tfrc_opus_enc,
    GST_TYPE_AUDIO_ENCODER, GST_DEBUG_CATEGORY_INIT (tfrcopusenc_debug,
        "tfrcopusenc", 0, "TFRC Opus encoder"));
GST_ELEMENT_REGISTER_DEFINE (tfrcopusenc, "tfrcopusenc", GST_RANK_NONE,
    GST_TYPE_TFRC_OPUS_ENC);

/* --- settings --------------------------------------------------------------------- */

/* Takes a frame length in ms. */
static void
set_frame (GstTfrcOpusEnc * self, gint ms)
{
  GstAudioEncoder *enc = GST_AUDIO_ENCODER (self);

  self->frame = ms * GST_AUDIO_INFO_RATE (&self->info) / 1000;
  gst_audio_encoder_set_frame_samples_min (enc, self->frame);
  gst_audio_encoder_set_frame_samples_max (enc, self->frame);
  gst_audio_encoder_set_frame_max (enc, 1);
  gst_audio_encoder_set_latency (enc, ms * GST_MSECOND, ms * GST_MSECOND);
}

static void
set_dred (GstTfrcOpusEnc * self, gint ms)
{
  gint ret = OPUS_UNIMPLEMENTED;

#ifdef OPUS_SET_DRED_DURATION
  /* in 10 ms */
  ret = opus_encoder_ctl (self->encoder, OPUS_SET_DRED_DURATION (ms / 10));
#endif
  if (ret != OPUS_OK && ms > 0)
    GST_INFO_OBJECT (self, "%s: no deep redundancy (%s)",
        opus_get_version_string (), opus_strerror (ret));
}

static void
apply (GstTfrcOpusEnc * self, const gint * settings)
{
  OpusEncoder *encoder = self->encoder;

  opus_encoder_ctl (encoder, OPUS_SET_BITRATE (settings[PROP_BITRATE]));
  opus_encoder_ctl (encoder, OPUS_SET_COMPLEXITY (settings[PROP_COMPLEXITY]));
  opus_encoder_ctl (encoder, OPUS_SET_INBAND_FEC (settings[PROP_INBAND_FEC]));
  opus_encoder_ctl (encoder, OPUS_SET_PACKET_LOSS_PERC
      (settings[PROP_PACKET_LOSS_PERCENTAGE]));
  opus_encoder_ctl (encoder, OPUS_SET_DTX (settings[PROP_DTX]));
  set_dred (self, settings[PROP_DRED_DURATION]);
  set_frame (self, settings[PROP_FRAME_SIZE]);
  GST_DEBUG_OBJECT (self, "%d bit/s, %d ms, FEC %d, loss %d %%, DTX %d, DRED "
      "%d ms", settings[PROP_BITRATE], settings[PROP_FRAME_SIZE],
      settings[PROP_INBAND_FEC], settings[PROP_PACKET_LOSS_PERCENTAGE],
      settings[PROP_DTX], settings[PROP_DRED_DURATION]);
}

static void
apply_changes (GstTfrcOpusEnc * self)
{
  gint settings[N_PROPS];
  gboolean changed;

  GST_OBJECT_LOCK (self);
  memcpy (settings, self->settings, sizeof settings);
  changed = self->changed && self->encoder != NULL;
  if (changed)
    self->changed = FALSE;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    apply (self, settings);
}

/* The base class collects audio to the length of a frame, so that another length can be set only
 * before the audio is collected. */
static GstFlowReturn
gst_tfrc_opus_enc_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (parent);

  apply_changes (self);
  return self->chain (pad, parent, buffer);
}

/* --- packets ---------------------------------------------------------------------- */

/* `pcm` is a whole frame. Returns the packet, or NULL after an error was posted. */
static GstBuffer *
encode (GstTfrcOpusEnc * self, gconstpointer pcm)
{
  GstAudioEncoder *enc = GST_AUDIO_ENCODER (self);
  gboolean is_float =
      GST_AUDIO_INFO_FORMAT (&self->info) == GST_AUDIO_FORMAT_F32;
  guint8 data[LARGEST_PACKET];
  gint size = is_float ?
      opus_encode_float (self->encoder, pcm, self->frame, data, sizeof data) :
      opus_encode (self->encoder, pcm, self->frame, data, sizeof data);
  GstBuffer *packet;

  if (size < 0) {
    GST_ELEMENT_ERROR (self, STREAM, ENCODE, (NULL),
        ("libopus: %s", opus_strerror (size)));
    return NULL;
  }
  packet = gst_audio_encoder_allocate_output_buffer (enc, size);
  gst_buffer_fill (packet, 0, data, size);
  return packet;
}

/* Encodes `pcm`, of which the packet shows `shown` samples from `start` on. */
static GstFlowReturn
push (GstTfrcOpusEnc * self, gconstpointer pcm, gint start, gint shown)
{
  GstAudioEncoder *enc = GST_AUDIO_ENCODER (self);
  gint rate = GST_AUDIO_INFO_RATE (&self->info);
  gint end = self->frame - start - shown;
  GstBuffer *packet = encode (self, pcm);

  if (packet == NULL)
    return GST_FLOW_ERROR;
  if (start > 0 || end > 0)
    gst_buffer_add_audio_clipping_meta (packet, GST_FORMAT_DEFAULT,
        (guint64) start * OPUS_RATE / rate, (guint64) end * OPUS_RATE / rate);
  self->encoded += shown;
  return gst_audio_encoder_finish_frame (enc, packet, shown);
}

/* Encodes the sound that the look-ahead of the encoder still holds, followed by silence; also the last
 * piece of a stream, `size` bytes that are less than a frame. */
static GstFlowReturn
push_last (GstTfrcOpusEnc * self, gconstpointer data, gsize size)
{
  gint bpf = GST_AUDIO_INFO_BPF (&self->info);
  guint8 *pcm = g_malloc0 (self->frame * bpf);
  GstFlowReturn ret;

  if (size > 0)
    memcpy (pcm, data, size);
  self->consumed += size / bpf;
  ret = push (self, pcm, 0, CLAMP ((gint64) (self->consumed - self->encoded), 0,
          self->frame));
  g_free (pcm);
  return ret;
}

static GstFlowReturn
push_frame (GstTfrcOpusEnc * self, gconstpointer pcm)
{
  gint start = MIN (self->lookahead, self->frame);

  self->lookahead -= start;
  self->consumed += self->frame;
  return push (self, pcm, start, self->frame - start);
}

static GstFlowReturn
gst_tfrc_opus_enc_handle_frame (GstAudioEncoder * enc, GstBuffer * buffer)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (enc);
  gint bpf = GST_AUDIO_INFO_BPF (&self->info);
  GstFlowReturn ret;
  GstMapInfo map;

  if (self->encoder == NULL)
    return buffer != NULL ? GST_FLOW_NOT_NEGOTIATED : GST_FLOW_OK;
  if (buffer == NULL)
    return self->consumed > self->encoded ? push_last (self, NULL, 0) :
        GST_FLOW_OK;
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return GST_FLOW_ERROR;
  ret = map.size < (gsize) (self->frame * bpf) ?
      push_last (self, map.data, map.size) : push_frame (self, map.data);
  gst_buffer_unmap (buffer, &map);
  return ret;
}

/* --- element ---------------------------------------------------------------------- */

static void
close_encoder (GstTfrcOpusEnc * self)
{
  g_clear_pointer (&self->encoder, opus_encoder_destroy);
}

/* The look-ahead depends on rate and application alone. */
static gboolean
open_encoder (GstTfrcOpusEnc * self, const GstAudioInfo * info)
{
  gboolean music;
  gint error;

  GST_OBJECT_LOCK (self);
  music = self->settings[PROP_MUSIC];
  self->changed = TRUE;
  GST_OBJECT_UNLOCK (self);
  close_encoder (self);
  self->info = *info;
  self->encoder = opus_encoder_create (GST_AUDIO_INFO_RATE (info),
      GST_AUDIO_INFO_CHANNELS (info),
      music ? OPUS_APPLICATION_AUDIO : OPUS_APPLICATION_VOIP, &error);
  if (self->encoder == NULL) {
    GST_ELEMENT_ERROR (self, LIBRARY, INIT, (NULL),
        ("libopus makes no encoder: %s", opus_strerror (error)));
    return FALSE;
  }
  opus_encoder_ctl (self->encoder, OPUS_GET_LOOKAHEAD (&self->lookahead));
  return TRUE;
}

static gboolean
gst_tfrc_opus_enc_set_format (GstAudioEncoder * enc, GstAudioInfo * info)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (enc);
  gint channels = GST_AUDIO_INFO_CHANNELS (info);
  GstCaps *caps;
  gboolean ok;

  if (!open_encoder (self, info))
    return FALSE;
  apply_changes (self);
  caps = gst_codec_utils_opus_create_caps (GST_AUDIO_INFO_RATE (info), channels,
      0, 1, channels - 1, NULL);
  ok = gst_audio_encoder_set_output_format (enc, caps);
  gst_caps_unref (caps);
  return ok;
}

static gboolean
gst_tfrc_opus_enc_start (GstAudioEncoder * enc)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (enc);

  self->consumed = self->encoded = 0;
  return TRUE;
}

static gboolean
gst_tfrc_opus_enc_stop (GstAudioEncoder * enc)
{
  close_encoder (GST_TFRC_OPUS_ENC (enc));
  return TRUE;
}

/* The encoder is as a new one, with the same settings. */
static void
reset_encoder (GstTfrcOpusEnc * self)
{
  self->consumed = self->encoded = 0;
  if (self->encoder == NULL)
    return;
  opus_encoder_ctl (self->encoder, OPUS_RESET_STATE);
  opus_encoder_ctl (self->encoder, OPUS_GET_LOOKAHEAD (&self->lookahead));
}

/* The base class drains the encoder at a segment, before the new one begins. It calls the function `flush` only
 * when sound was encoded since it was drained, and the encoder remembers drained sound as well. */
static gboolean
gst_tfrc_opus_enc_sink_event (GstAudioEncoder * enc, GstEvent * event)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (enc);
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean ok =
      GST_AUDIO_ENCODER_CLASS (gst_tfrc_opus_enc_parent_class)->sink_event (enc,
      event);

  if (type == GST_EVENT_SEGMENT)
    self->consumed = self->encoded = 0;
  else if (type == GST_EVENT_FLUSH_STOP)
    reset_encoder (self);
  return ok;
}

static void
gst_tfrc_opus_enc_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcOpusEnc *self = GST_TFRC_OPUS_ENC (object);
  gint setting = G_VALUE_HOLDS_BOOLEAN (value) ?
      g_value_get_boolean (value) : g_value_get_int (value);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  /* Opus has no other frames in this range: RFC 6716 2.1.4. */
  if (id == PROP_FRAME_SIZE)
    setting = setting < 20 ? 10 : setting / 20 * 20;
  GST_OBJECT_LOCK (self);
  self->settings[id] = setting;
  self->changed = TRUE;
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_opus_enc_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  gint setting;

  GST_OBJECT_LOCK (object);
  setting = GST_TFRC_OPUS_ENC (object)->settings[id];
  GST_OBJECT_UNLOCK (object);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, setting);
  else
    g_value_set_int (value, setting);
}

static void
gst_tfrc_opus_enc_init (GstTfrcOpusEnc * self)
{
  GstPad *pad = GST_AUDIO_ENCODER_SINK_PAD (self);

  self->chain = GST_PAD_CHAINFUNC (pad);
  gst_pad_set_chain_function (pad, gst_tfrc_opus_enc_chain);
  GST_PAD_SET_ACCEPT_TEMPLATE (pad);
}

#define LIVE (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | \
    GST_PARAM_MUTABLE_PLAYING | G_PARAM_STATIC_STRINGS)
#define IN_READY (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | \
    GST_PARAM_MUTABLE_READY | G_PARAM_STATIC_STRINGS)

static void
install_rate_properties (GObjectClass * klass)
{
  /**
   * GstTfrcOpusEnc:bitrate:
   *
   * Bit rate (bit/s). The range is that of Opus (RFC 6716).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_BITRATE,
      g_param_spec_int ("bitrate", "Bitrate", "Bit rate (bit/s)", 6000, 510000,
          64000, LIVE));
  /**
   * GstTfrcOpusEnc:frame-size:
   *
   * Length of the audio in a packet (ms): 10, 20, 40 or 60; others are rounded down.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_FRAME_SIZE,
      g_param_spec_int ("frame-size", "Frame size",
          "Length of the audio in a packet (ms): 10, 20, 40 or 60; others are "
          "rounded down", 10, 60, 20, LIVE));
  /**
   * GstTfrcOpusEnc:dtx:
   *
   * Discontinuous transmission: while nobody speaks, packets have one or two bytes.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_DTX,
      g_param_spec_boolean ("dtx", "DTX",
          "Discontinuous transmission: while nobody speaks, packets have one or "
          "two bytes", FALSE, LIVE));
  /**
   * GstTfrcOpusEnc:music:
   *
   * Whether to encode for likeness to the input, as music needs, instead of for intelligibility, as
   * speech needs.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MUSIC,
      g_param_spec_boolean ("music", "Music",
          "Whether to encode for likeness to the input, as music needs, instead "
          "of for intelligibility, as speech needs", FALSE, IN_READY));
  /**
   * GstTfrcOpusEnc:complexity:
   *
   * How much computation a better sound is worth (0 to 10).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_COMPLEXITY,
      g_param_spec_int ("complexity", "Complexity",
          "How much computation a better sound is worth (0 to 10)", 0, 10, 10,
          LIVE));
}

static void
install_redundancy_properties (GObjectClass * klass)
{
  /**
   * GstTfrcOpusEnc:inband-fec:
   *
   * Whether packets repeat the frame before at a low bit rate (LBRR), once packet-loss-percentage makes
   * it worth while.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_INBAND_FEC,
      g_param_spec_boolean ("inband-fec", "In-band FEC",
          "Whether packets repeat the frame before at a low bit rate (LBRR), "
          "once packet-loss-percentage makes it worth while", FALSE, LIVE));
  /**
   * GstTfrcOpusEnc:packet-loss-percentage:
   *
   * Loss that the packets are to withstand (percent).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_PACKET_LOSS_PERCENTAGE,
      g_param_spec_int ("packet-loss-percentage", "Packet loss percentage",
          "Loss that the packets are to withstand (percent)", 0, 100, 0, LIVE));
  /**
   * GstTfrcOpusEnc:dred-duration:
   *
   * How much of the sound before it a packet describes as deep redundancy (ms, 0: none).
   *
   * The description is a part of the bit rate. libopus adds as much of it as
   * packet-loss-percentage makes worth while, and none when it was built without DRED.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_DRED_DURATION,
      g_param_spec_int ("dred-duration", "DRED duration",
          "How much of the sound before it a packet describes as deep redundancy "
          "(ms, 0: none)", 0, LONGEST_DRED, 0, LIVE));
}

static void
gst_tfrc_opus_enc_class_init (GstTfrcOpusEncClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstAudioEncoderClass *encoder_class = GST_AUDIO_ENCODER_CLASS (klass);

  object_class->set_property = gst_tfrc_opus_enc_set_property;
  object_class->get_property = gst_tfrc_opus_enc_get_property;
  encoder_class->start = gst_tfrc_opus_enc_start;
  encoder_class->stop = gst_tfrc_opus_enc_stop;
  encoder_class->set_format = gst_tfrc_opus_enc_set_format;
  encoder_class->handle_frame = gst_tfrc_opus_enc_handle_frame;
  encoder_class->sink_event = gst_tfrc_opus_enc_sink_event;

  install_rate_properties (object_class);
  install_redundancy_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC Opus encoder",
      "Codec/Encoder/Audio",
      "Encodes Opus at a bit rate, frame length and redundancy that may change",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}
