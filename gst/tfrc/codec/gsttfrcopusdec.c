/* gst-tfrc: element tfrcopusdec, which decodes Opus, from a later packet where one was lost
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcopusdec
 * @title: tfrcopusdec
 * @short_description: Decodes Opus, from a later packet where one was lost
 *
 * Every packet is decoded as soon as it arrives. A gap waits for the packet behind it: the sound of the
 * gap is taken from that packet's own forward error correction (LBRR) if it has any, else from its
 * deep redundancy (DRED) where libopus has that, and is concealed otherwise.
 *
 * From version 1.5 on, libopus conceals and decodes with neural networks at a
 * #GstTfrcOpusDec:complexity of 5 and more, when it was built with them. With earlier versions the
 * samples are those of opusdec with plc and use-inband-fec, except that sound beyond full scale is
 * clipped softly and that a gap of more than 120 ms is filled to its end.
 *
 * |[
 * gst-launch-1.0 audiotestsrc ! opusenc ! tfrcopusdec ! autoaudiosink
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcopusdec.h"

#include <opus.h>

#include "base/json.h"
#include "base/messages.h"
#include "base/propertymutability.h"
#include "codec/dreddecoder.h"

GST_DEBUG_CATEGORY_STATIC (tfrcopusdec_debug);
#define GST_CAT_DEFAULT tfrcopusdec_debug

enum
{
  PROP_0,
  PROP_COMPLEXITY,
  PROP_STATS,
  PROP_STATS_JSON
};

/* NoLACE, the best that libopus has. */
#define DEFAULT_COMPLEXITY 7

#define RATE 48000
#define MS(ms) ((ms) * RATE / 1000)

/* The longest packet, RFC 6716 3.2.5, and the longest piece that libopus is asked for at once. */
#define LONGEST_PACKET MS (120)

/* What libopus conceals is a multiple of 2.5 ms. */
#define CONCEALMENT_STEP ((GstClockTimeDiff) (2500 * GST_USECOND))

/* A gap of unknown duration before the first packet. */
#define DEFAULT_GAP (20 * GST_MSECOND)

/* No more sound is made for one gap: of concealed sound nothing is heard after some 100 ms. */
#define LONGEST_GAP (10 * GST_SECOND)

/* Gaps that wait at most for a packet. */
#define GAPS_MAX 50

/* The packet behind a gap; all zero when there is none. */
typedef struct
{
  const guint8 *data;
  gsize size;
  gint lbrr;                    /* samples before the packet that its LBRR has */
  gint redundancy;              /* samples before the packet that its DRED describes */
} Packet;

typedef struct
{
  guint64 lbrr, dred, concealed;        /* samples */
  guint64 malformed;            /* packets */
} Counts;

struct _GstTfrcOpusDec
{
  GstAudioDecoder parent;

  /* object lock */
  gint complexity;
  Counts counts;
  GstTfrcWarning not_opus;      /* packets that libopus cannot decode */

  /* stream lock */
  OpusDecoder *decoder;         /* NULL until the format is known */
  GstTfrcDredDecoder *redundancy;       /* NULL: libopus has no DRED */
  gint channels;
  gint applied_complexity;
  gint gaps[GAPS_MAX];          /* samples; the frames of the base class that wait */
  guint n_gaps;
  GstClockTimeDiff leftover;    /* ns by which the gaps were longer than their samples */
  gint last_samples;            /* of the last packet; 0: there was none */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-opus, channel-mapping-family=(int)0"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("audio/x-raw, format=(string)" GST_AUDIO_NE (S16)
        ", layout=(string)interleaved, rate=(int)" G_STRINGIFY (RATE)
        ", channels=(int)[1, 2]"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcOpusDec, gst_tfrc_opus_dec,
    GST_TYPE_AUDIO_DECODER, GST_DEBUG_CATEGORY_INIT (tfrcopusdec_debug,
        "tfrcopusdec", 0, "TFRC Opus decoder"));
GST_ELEMENT_REGISTER_DEFINE (tfrcopusdec, "tfrcopusdec", GST_RANK_NONE,
    GST_TYPE_TFRC_OPUS_DEC);

#define ADD(self, field, n) G_STMT_START { \
  GST_OBJECT_LOCK (self); \
  (self)->counts.field += (n); \
  GST_OBJECT_UNLOCK (self); \
} G_STMT_END

/* --- gaps ----------------------------------------------------------------------- */

/* Returns the samples of a gap, rounded to what libopus can conceal. The rest is added to the
 * next gap. */
static gint
get_gap_samples (GstTfrcOpusDec * self, GstBuffer * gap)
{
  GstClockTime duration = GST_BUFFER_DURATION (gap);
  GstClockTimeDiff wanted;
  gint steps;

  if (!GST_CLOCK_TIME_IS_VALID (duration) || duration == 0)
    duration = self->last_samples > 0 ?
        gst_util_uint64_scale_int (self->last_samples, GST_SECOND, RATE) :
        DEFAULT_GAP;
  wanted = (GstClockTimeDiff) MIN (duration, LONGEST_GAP) + self->leftover;
  steps = (MAX (wanted, 0) + CONCEALMENT_STEP / 2) / CONCEALMENT_STEP;
  self->leftover = wanted - steps * CONCEALMENT_STEP;
  return steps * MS (5) / 2;
}

static gint
conceal (GstTfrcOpusDec * self, gint16 * pcm, gint samples)
{
  ADD (self, concealed, samples);
  if (opus_decode (self->decoder, NULL, 0, pcm, samples, 0) != samples)
    memset (pcm, 0, samples * self->channels * sizeof *pcm);
  return samples;
}

/* Fills at most `samples` samples, the first of which is `offset` samples before `packet`. Returns
 * how many were filled, or an error code of libopus. */
static gint
fill_piece (GstTfrcOpusDec * self, const Packet * packet, gint16 * pcm,
    gint samples, gint offset)
{
  samples = MIN (samples, LONGEST_PACKET);
  if (offset <= packet->redundancy && offset > packet->lbrr) {
    samples = MIN (samples, offset - packet->lbrr);
    ADD (self, dred, samples);
    return gst_tfrc_dred_decoder_decode (self->redundancy, self->decoder,
        offset, pcm, samples);
  }
  if (packet->data == NULL || offset > samples)
    return conceal (self, pcm, samples);
  ADD (self, lbrr, MIN (samples, packet->lbrr));
  ADD (self, concealed, samples - MIN (samples, packet->lbrr));
  return opus_decode (self->decoder, packet->data, packet->size, pcm, samples,
      1);
}

/* Pushes the sound of a gap that ends `behind` samples before `packet`. */
static GstFlowReturn
fill_gap (GstTfrcOpusDec * self, const Packet * packet, gint samples,
    gint behind)
{
  GstAudioDecoder *dec = GST_AUDIO_DECODER (self);
  gint bpf = self->channels * sizeof (gint16), left, filled;
  GstBuffer *sound = samples == 0 ? NULL :
      gst_audio_decoder_allocate_output_buffer (dec, samples * bpf);
  GstMapInfo map;

  if (sound == NULL)
    return gst_audio_decoder_finish_frame (dec, NULL, 1);
  gst_buffer_map (sound, &map, GST_MAP_WRITE);
  for (left = samples; left > 0; left -= filled) {
    gint16 *pcm = (gint16 *) map.data + (samples - left) * self->channels;

    filled = fill_piece (self, packet, pcm, left, left + behind);
    if (filled <= 0)
      filled = conceal (self, pcm, MIN (left, LONGEST_PACKET));
  }
  gst_buffer_unmap (sound, &map);
  return gst_audio_decoder_finish_frame (dec, sound, 1);
}

/* Pushes the sound of all gaps that wait. */
static GstFlowReturn
fill_gaps (GstTfrcOpusDec * self, const Packet * packet)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gint behind = 0;
  guint i;

  for (i = 0; i < self->n_gaps; i++)
    behind += self->gaps[i];
  for (i = 0; i < self->n_gaps && ret == GST_FLOW_OK; i++) {
    behind -= self->gaps[i];
    ret = fill_gap (self, packet, self->gaps[i], behind);
  }
  self->n_gaps = 0;
  return ret;
}

static GstFlowReturn
add_gap (GstTfrcOpusDec * self, GstBuffer * gap)
{
  static const Packet none = { NULL };
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->n_gaps == GAPS_MAX)
    ret = fill_gaps (self, &none);
  self->gaps[self->n_gaps++] = get_gap_samples (self, gap);
  return ret;
}

/* --- packets ---------------------------------------------------------------------- */

/* Returns how many samples before `packet` its low bit-rate redundancy has: those of one frame. The flags
 * are in front of the first SILK frame, after the flags of voice activity (RFC 6716 4.2.3). */
static gint
get_lbrr_samples (const Packet * packet)
{
  const guint8 *frames[48];
  opus_int16 sizes[48];
  gint samples =
      opus_packet_get_samples_per_frame (packet->data, RATE), n, bits;
  gint is_celt = packet->data[0] & 0x80;

  if (is_celt || opus_packet_parse (packet->data, packet->size, NULL, frames,
          sizes, NULL) <= 0 || sizes[0] == 0)
    return 0;
  n = MAX (1, samples / MS (20));
  bits = 1 << (7 - n);
  if (opus_packet_get_nb_channels (packet->data) == 2)
    bits |= 1 << (6 - 2 * n);
  return frames[0][0] & bits ? samples : 0;
}

/* Reads what the packet has of the gaps before it. */
static void
read_redundancy (GstTfrcOpusDec * self, Packet * packet)
{
  gint samples = 0;
  guint i;

  for (i = 0; i < self->n_gaps; i++)
    samples += self->gaps[i];
  if (samples == 0)
    return;
  packet->lbrr = get_lbrr_samples (packet);
  if (self->redundancy != NULL)
    packet->redundancy = gst_tfrc_dred_decoder_parse (self->redundancy,
        packet->data, packet->size, samples);
  GST_DEBUG_OBJECT (self, "gap of %d samples, LBRR of %d, DRED of %d", samples,
      packet->lbrr, packet->redundancy);
}

/* Pushes the sound of the packet; concealed sound of the length of the last packet when libopus cannot
 * decode the packet. */
static GstFlowReturn
decode (GstTfrcOpusDec * self, const Packet * packet)
{
  GstAudioDecoder *dec = GST_AUDIO_DECODER (self);
  gint samples = opus_packet_get_nb_samples (packet->data, packet->size, RATE);
  gint length = samples > 0 && samples <= LONGEST_PACKET ? samples :
      self->last_samples > 0 ? self->last_samples : MS (20);
  GstBuffer *sound = gst_audio_decoder_allocate_output_buffer (dec,
      length * self->channels * sizeof (gint16));
  GstMapInfo map;

  gst_buffer_map (sound, &map, GST_MAP_WRITE);
  if (samples != length || opus_decode (self->decoder, packet->data,
          packet->size, (gint16 *) map.data, length, 0) != length) {
    samples = 0;
    conceal (self, (gint16 *) map.data, length);
  }
  gst_buffer_unmap (sound, &map);
  if (samples > 0) {
    self->last_samples = length;
  } else {
    ADD (self, malformed, 1);
    gst_tfrc_warning_post (&self->not_opus, GST_ELEMENT (self),
        GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
        "A packet of %" G_GSIZE_FORMAT " bytes is not Opus.", packet->size);
  }
  return gst_audio_decoder_finish_frame (dec, sound, 1);
}

static void
apply_complexity (GstTfrcOpusDec * self)
{
  gint complexity, ret;

  GST_OBJECT_LOCK (self);
  complexity = self->complexity;
  GST_OBJECT_UNLOCK (self);
  if (complexity == self->applied_complexity)
    return;
  self->applied_complexity = complexity;
  ret = opus_decoder_ctl (self->decoder, OPUS_SET_COMPLEXITY (complexity));
  GST_INFO_OBJECT (self, "%s, complexity %d: %s", opus_get_version_string (),
      complexity, ret == OPUS_OK ? "set" : opus_strerror (ret));
}

static GstFlowReturn
gst_tfrc_opus_dec_handle_frame (GstAudioDecoder * dec, GstBuffer * buffer)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (dec);
  Packet packet = { NULL };
  GstFlowReturn ret;
  GstMapInfo map;

  if (self->decoder == NULL)
    return buffer != NULL ? GST_FLOW_NOT_NEGOTIATED : GST_FLOW_OK;
  apply_complexity (self);
  if (buffer == NULL)
    return fill_gaps (self, &packet);
  if (gst_buffer_get_size (buffer) == 0)
    return add_gap (self, buffer);
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return GST_FLOW_ERROR;
  /* The base class drops its reference when the frame is finished. */
  gst_buffer_ref (buffer);
  packet.data = map.data;
  packet.size = map.size;
  read_redundancy (self, &packet);
  ret = fill_gaps (self, &packet);
  if (ret == GST_FLOW_OK)
    ret = decode (self, &packet);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return ret;
}

/* --- element ---------------------------------------------------------------------- */

static void
close_decoder (GstTfrcOpusDec * self)
{
  g_clear_pointer (&self->decoder, opus_decoder_destroy);
  self->applied_complexity = 0;
  self->n_gaps = 0;
  self->leftover = 0;
  self->last_samples = 0;
}

static gboolean
gst_tfrc_opus_dec_set_format (GstAudioDecoder * dec, GstCaps * caps)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (dec);
  GstAudioInfo info;
  gint channels, error;

  if (!gst_structure_get_int (gst_caps_get_structure (caps, 0), "channels",
          &channels))
    channels = 2;
  if (channels < 1 || channels > 2)
    return FALSE;
  if (self->decoder != NULL && channels == self->channels)
    return TRUE;
  close_decoder (self);
  self->channels = channels;
  self->decoder = opus_decoder_create (RATE, channels, &error);
  if (self->decoder == NULL) {
    GST_ELEMENT_ERROR (self, LIBRARY, INIT, (NULL),
        ("libopus makes no decoder: %s", opus_strerror (error)));
    return FALSE;
  }
  /* Sound whose channels are in opposite phase is lost when a listener mixes them. */
  opus_decoder_ctl (self->decoder, OPUS_SET_PHASE_INVERSION_DISABLED (1));
  gst_audio_info_set_format (&info, GST_AUDIO_FORMAT_S16, RATE, channels, NULL);
  return gst_audio_decoder_set_output_format (dec, &info);
}

static gboolean
gst_tfrc_opus_dec_start (GstAudioDecoder * dec)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (dec);

  gst_audio_decoder_set_plc_aware (dec, TRUE);
  self->redundancy = gst_tfrc_dred_decoder_new ();
  GST_OBJECT_LOCK (self);
  self->counts = (Counts) {0};
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gboolean
gst_tfrc_opus_dec_stop (GstAudioDecoder * dec)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (dec);

  close_decoder (self);
  g_clear_pointer (&self->redundancy, gst_tfrc_dred_decoder_free);
  return TRUE;
}

static void
gst_tfrc_opus_dec_flush (GstAudioDecoder * dec, gboolean hard)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (dec);

  self->n_gaps = 0;
  self->leftover = 0;
  if (!hard || self->decoder == NULL)
    return;
  opus_decoder_ctl (self->decoder, OPUS_RESET_STATE);
  self->last_samples = 0;
}

static GstStructure *
get_stats (GstTfrcOpusDec * self)
{
  Counts counts;

  GST_OBJECT_LOCK (self);
  counts = self->counts;
  GST_OBJECT_UNLOCK (self);
  return gst_structure_new ("application/x-tfrc-opus-stats",
      "lbrr", G_TYPE_UINT64, counts.lbrr,
      "dred", G_TYPE_UINT64, counts.dred,
      "concealed", G_TYPE_UINT64, counts.concealed,
      "malformed", G_TYPE_UINT64, counts.malformed, NULL);
}

static void
gst_tfrc_opus_dec_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (object);
  GST_TFRC_OPUS_DEC (object)->complexity = g_value_get_int (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_tfrc_opus_dec_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcOpusDec *self = GST_TFRC_OPUS_DEC (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, get_stats (self));
    return;
  }
  if (id == PROP_STATS_JSON) {
    gst_tfrc_json_get_stats (object, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_int (value, self->complexity);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_opus_dec_init (GstTfrcOpusDec * self)
{
  GstAudioDecoder *dec = GST_AUDIO_DECODER (self);

  self->complexity = DEFAULT_COMPLEXITY;
  gst_audio_decoder_set_plc (dec, TRUE);
  gst_audio_decoder_set_needs_format (dec, TRUE);
  gst_audio_decoder_set_use_default_pad_acceptcaps (dec, TRUE);
  GST_PAD_SET_ACCEPT_TEMPLATE (GST_AUDIO_DECODER_SINK_PAD (dec));
}

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstTfrcOpusDec:complexity:
   *
   * How much computation a better sound is worth (0 to 10): 5 conceals losses by a neural network, 6
   * and 7 improve speech at low bit rates as well (LACE, NoLACE).
   *
   * libopus has the networks from version 1.5 on, unless it was built without them. Where it has none,
   * the number changes nothing.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_COMPLEXITY,
      g_param_spec_int ("complexity", "Complexity",
          "How much computation a better sound is worth (0 to 10): 5 conceals "
          "losses by a neural network, 6 and 7 improve speech at low bit rates "
          "as well (LACE, NoLACE)", 0, 10, DEFAULT_COMPLEXITY,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcOpusDec:stats:
   *
   * Structure application/x-tfrc-opus-stats: where the sound of gaps came from.
   *
   * The fields are #guint64: `lbrr`, `dred` and `concealed` are samples of 48 kHz that came from the
   * forward error correction of the next packet, from its deep redundancy, and from concealment;
   * `malformed` counts packets that libopus could not decode, whose sound was concealed.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Structure application/x-tfrc-opus-stats: where the sound of gaps came "
          "from", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_tfrc_json_install (klass, PROP_STATS_JSON);
}

static void
gst_tfrc_opus_dec_class_init (GstTfrcOpusDecClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstAudioDecoderClass *decoder_class = GST_AUDIO_DECODER_CLASS (klass);

  object_class->set_property = gst_tfrc_opus_dec_set_property;
  object_class->get_property = gst_tfrc_opus_dec_get_property;
  decoder_class->start = gst_tfrc_opus_dec_start;
  decoder_class->stop = gst_tfrc_opus_dec_stop;
  decoder_class->flush = gst_tfrc_opus_dec_flush;
  decoder_class->set_format = gst_tfrc_opus_dec_set_format;
  decoder_class->handle_frame = gst_tfrc_opus_dec_handle_frame;

  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC Opus decoder",
      "Codec/Decoder/Audio",
      "Decodes Opus, and lost packets from the packets behind them",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}
