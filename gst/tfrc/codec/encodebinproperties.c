/* gst-tfrc: the writable properties of tfrcencodebin, and the limits of its ladder that follow from them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encodebinproperties.h"

#include <string.h>

#include "base/propertyfield.h"

#define DEFAULT_MIN_PTIME (20 * GST_MSECOND)
#define MAX_PTIME (60 * GST_MSECOND)
#define DEFAULT_PT 96
#define DEFAULT_RED_PT 97

/* RFC 2198 3: the timestamps of two redundant copies are within the 341 ms that a block has room
 * for with the clock of Opus. */
#define MAX_COPY_DISTANCE (160 * GST_MSECOND)

#define MAX_DELAY 10000         /* ms */
#define DEFAULT_CODECS "OPUS"
#define DEFAULT_EXTENSION_ID 3

/* Bytes of the RTP header, and of the header extension with nothing but TFRC's stamp in it. */
#define RTP_OVERHEAD (12 + 12)

/* The bit rates until they are set, bit/s. */
typedef struct
{
  guint start, min, max;
} Bitrates;

static const Bitrates bitrates[] = {
  [GST_TFRC_CONTENT_VOICE] = {16000, 6000, 64000},
  [GST_TFRC_CONTENT_MUSIC] = {64000, 32000, 160000},
};

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define LIVE (SETTING | GST_PARAM_MUTABLE_PLAYING)
#define IN_READY (SETTING | GST_PARAM_MUTABLE_READY)

static GType
content_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_CONTENT_VOICE, "Speech, mono", "voice"},
    {GST_TFRC_CONTENT_MUSIC, "Music, stereo", "music"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcContent",
            values));
  return type;
}

static GParamSpec *props[GST_TFRC_ENCODE_N_SETTINGS];

static void
make_choice (void)
{
  /**
   * GstTfrcEncodeBin:adaptive:
   *
   * Follow what the network allows; when unset, encode at bitrate and ptime whatever happens.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_ADAPTIVE] = g_param_spec_boolean ("adaptive",
      "Adaptive",
      "Follow what the network allows; when unset, encode at bitrate "
      "and ptime whatever happens", TRUE, LIVE);

  /**
   * GstTfrcEncodeBin:content:
   *
   * What is encoded: speech, mono, or music, stereo. It decides how Opus is tuned and rated, and
   * the values of bitrate, min-bitrate and max-bitrate that were not set: 16000, 6000 and 64000
   * for voice, 64000, 32000 and 160000 for music (bit/s).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_CONTENT] = g_param_spec_enum ("content",
      "Content",
      "What is encoded: speech, mono, or music, stereo. It decides how"
      " Opus is tuned and rated, and the values of bitrate, "
      "min-bitrate and max-bitrate that were not set: 16000, 6000 and "
      "64000 for voice, 64000, 32000 and 160000 for music (bit/s)",
      content_get_type (), GST_TFRC_CONTENT_VOICE, IN_READY);

  /**
   * GstTfrcEncodeBin:ladder:
   *
   * The operating points to choose from, separated by commas, each "CODEC RATE/PTIME [fec]
   * [red1|red2] [stereo]" with the rate in bit/s or as 24k, the packet time in ms, in-band FEC,
   * and how many earlier packets are repeated: "OPUS 16k/60 fec, OPUS 32k/20 red1, PCMU 64k/20".
   * When set, codecs, the channels of content, and the limits of bit rate, packet time, FEC and
   * redundancy are not used. By default the ladder is made from those properties.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_LADDER] = g_param_spec_string ("ladder",
      "Ladder",
      "The operating points to choose from, separated by commas, each "
      "\"CODEC RATE/PTIME [fec] [red1|red2] [stereo]\" with the rate "
      "in bit/s or as 24k, the packet time in ms, in-band FEC, and how"
      " many earlier packets are repeated: \"OPUS 16k/60 fec, OPUS "
      "32k/20 red1, PCMU 64k/20\". When set, codecs, the channels of "
      "content, and the limits of bit rate, packet time, FEC and "
      "redundancy are not used", NULL, IN_READY);
}

static void
make_limits (void)
{
  /**
   * GstTfrcEncodeBin:bitrate:
   *
   * Bit rate of the codec before anything is known of the network, and the only bit rate when
   * not adaptive (bit/s). The range is that of Opus (RFC 6716).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_BITRATE] = g_param_spec_uint ("bitrate",
      "Bitrate",
      "Bit rate of the codec before anything is known of the network, "
      "and the only bit rate when not adaptive (bit/s)",
      6000, 510000, bitrates[0].start, LIVE);

  /**
   * GstTfrcEncodeBin:min-bitrate:
   *
   * Lowest bit rate of the codec; when less is allowed for long, nothing is sent (bit/s). RFC
   * 3714 section 5 asks for the suspension.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MIN_BITRATE] = g_param_spec_uint ("min-bitrate",
      "Min bitrate",
      "Lowest bit rate of the codec; when less is allowed for long, "
      "nothing is sent (bit/s)", 6000, 510000, bitrates[0].min, LIVE);

  /**
   * GstTfrcEncodeBin:max-bitrate:
   *
   * Highest bit rate of the codec, headers not counted (bit/s).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MAX_BITRATE] = g_param_spec_uint ("max-bitrate",
      "Max bitrate",
      "Highest bit rate of the codec, headers not counted (bit/s)",
      6000, 510000, bitrates[0].max, LIVE);

  /**
   * GstTfrcEncodeBin:ptime:
   *
   * The only length of the audio in a packet, for remotes that cannot follow changes (ns, 0:
   * choose within min-ptime and max-ptime).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_PTIME] = g_param_spec_uint64 ("ptime",
      "Packet time",
      "The only length of the audio in a packet, for remotes that "
      "cannot follow changes (ns, 0: choose within min-ptime and "
      "max-ptime)", 0, MAX_PTIME, 0, LIVE);

  /**
   * GstTfrcEncodeBin:min-ptime:
   *
   * Shortest length of the audio in a packet (ns). The default leaves out packets of 10 ms, half
   * of which are headers at most bit rates.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MIN_PTIME] = g_param_spec_uint64 ("min-ptime",
      "Min packet time",
      "Shortest length of the audio in a packet (ns)",
      0, MAX_PTIME, DEFAULT_MIN_PTIME, LIVE);

  /**
   * GstTfrcEncodeBin:max-ptime:
   *
   * Longest length of the audio in a packet (ns). The default is the longest frame of Opus (RFC
   * 6716).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MAX_PTIME] = g_param_spec_uint64 ("max-ptime",
      "Max packet time",
      "Longest length of the audio in a packet (ns)",
      0, MAX_PTIME, MAX_PTIME, LIVE);

  /**
   * GstTfrcEncodeBin:max-packet-size:
   *
   * Largest RTP packet, its header included (bytes, 0: no limit).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MAX_PACKET_SIZE] =
      g_param_spec_uint ("max-packet-size", "Max packet size",
      "Largest RTP packet, its header included (bytes, 0: no limit)", 0, 65507,
      0, LIVE);
}

static void
make_protection (void)
{
  /**
   * GstTfrcEncodeBin:inband-fec:
   *
   * Allow the codec's own forward error correction, which is used when the measured loss makes
   * it worth its bit rate.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_INBAND_FEC] =
      g_param_spec_boolean ("inband-fec", "In-band FEC",
      "Allow the codec's own forward error correction, which is used "
      "when the measured loss makes it worth its bit rate", TRUE, LIVE);

  /**
   * GstTfrcEncodeBin:dtx:
   *
   * Send next to nothing while nobody speaks: Opus some two packets a second.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_DTX] = g_param_spec_boolean ("dtx",
      "DTX",
      "Send next to nothing while nobody speaks: Opus some two packets"
      " a second", FALSE, LIVE);

  /**
   * GstTfrcEncodeBin:redundancy:
   *
   * How many earlier packets a packet may repeat when the measured loss makes it worth its bit
   * rate (RFC 2198), and one more where reports make most copies needless; 0 for remotes without RED. The one more is a
   * third, where two may be repeated and the reports of the data receiver say which packets have arrived.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_REDUNDANCY] = g_param_spec_uint ("redundancy",
      "Redundancy",
      "How many earlier packets a packet may repeat when the measured "
      "loss makes it worth its bit rate (RFC 2198), and one more where "
      "reports make most copies needless; 0 for remotes without RED",
      0, TFRC_ADAPT_REDUNDANCY_MAX, TFRC_ADAPT_REDUNDANCY_MAX, LIVE);

  /**
   * GstTfrcEncodeBin:copy-distance:
   *
   * How long after a packet its redundant copy is sent at most, so that a burst of losses does
   * not take both (ns). 0: in the next packets, for remotes without rtptfrcreceive in front of
   * their jitter buffer. The default is longer than most bursts of loss. The largest value keeps
   * two copies within the 341 ms that a block of RFC 2198 section 3 has room for with the clock of
   * Opus.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_COPY_DISTANCE] =
      g_param_spec_uint64 ("copy-distance", "Copy distance",
      "How long after a packet its redundant copy is sent at most, so "
      "that a burst of losses does not take both (ns). 0: in the next "
      "packets, for remotes without rtptfrcreceive in front of their "
      "jitter buffer", 0, MAX_COPY_DISTANCE,
      TFRC_ADAPT_COPY_DISTANCE * GST_USECOND, LIVE);

  /**
   * GstTfrcEncodeBin:max-delay:
   *
   * The delay from capture to playout that the data receiver is known to have (ms). 0: not known, or said by the data
   * receiver, as #GstTfrcSrc and #GstTfrcBin do. What packets, path and copies leave of it, packets may wait in the pacing
   * queue of #GstRtpTfrcSend, #GstTfrcSink or #GstTfrcBin in TFRC-SP, unless max-queue-time is set there; 100 ms at
   * least. Where many packets are lost the allowed rate varies, and packets that wait are dropped more seldom. Those that
   * come later than the data receiver plays them are lost, so that a delay that it does not have costs more than it
   * brings.
   *
   * The time travels in the field `queue-time` (guint64, ns) of the sticky downstream event `application/x-tfrc-packets`, whose
   * field `redundant-type` (guint) is the RTP payload type of packets with redundant copies: those that wait shed the copies
   * before they are dropped.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_MAX_DELAY] = g_param_spec_uint ("max-delay",
      "Max delay",
      "The delay from capture to playout that the data receiver is known to "
      "have (ms). 0: not known, or said by the data receiver", 0, MAX_DELAY, 0,
      LIVE);
}

static void
make_codecs (void)
{
  /**
   * GstTfrcEncodeBin:codecs:
   *
   * Codecs that may be used, RTP encoding names separated by commas: OPUS, G722, PCMU, PCMA,
   * GSM, AMR-WB, SPEEX. The first is used first.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_CODECS] = g_param_spec_string ("codecs",
      "Codecs",
      "Codecs that may be used, RTP encoding names separated by "
      "commas: OPUS, G722, PCMU, PCMA, GSM, AMR-WB, SPEEX. The first "
      "is used first", DEFAULT_CODECS, IN_READY);

  /**
   * GstTfrcEncodeBin:codec:
   *
   * The only one of the codecs to use from now on (none: choose among all).
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_CODEC] = g_param_spec_string ("codec",
      "Codec",
      "The only one of the codecs to use from now on (none: choose "
      "among all)", NULL, LIVE);

  /**
   * GstTfrcEncodeBin:pt:
   *
   * RTP payload type of Opus. Other codecs have the payload type of RFC 3551, or one of 98 to
   * 102.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_PT] = g_param_spec_uint ("pt",
      "Payload type", "RTP payload type of Opus", 0, 127, DEFAULT_PT, IN_READY);

  /**
   * GstTfrcEncodeBin:red-pt:
   *
   * RTP payload type of packets that repeat earlier Opus packets.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_RED_PT] = g_param_spec_uint ("red-pt",
      "RED payload type",
      "RTP payload type of packets that repeat earlier Opus packets",
      0, 127, DEFAULT_RED_PT, IN_READY);

  /**
   * GstTfrcEncodeBin:extension-id:
   *
   * Id of the RTP header extension that carries TFRC's stamp (0: none, for a
   * receiver that knows nothing of TFRC). Each packet is shorter without a stamp, by
   * 8 or 12 bytes.
   *
   * Since: 0.1
   */
  props[GST_TFRC_ENCODE_EXTENSION_ID] =
      g_param_spec_uint ("extension-id", "Extension id",
      "Id of the RTP header extension that carries TFRC's stamp (0: none, for a "
      "receiver that knows nothing of TFRC)", 0, 255,
      DEFAULT_EXTENSION_ID, IN_READY);
}

/* --- values --- */

/* A bit rate that was not set becomes that of the new content. */
static void
set_content (GstTfrcEncodeProperties * settings, GstTfrcContent content)
{
  const Bitrates *old = &bitrates[settings->content];
  const Bitrates *new = &bitrates[content];

  if (settings->bitrate == old->start)
    settings->bitrate = new->start;
  if (settings->min_bitrate == old->min)
    settings->min_bitrate = new->min;
  if (settings->max_bitrate == old->max)
    settings->max_bitrate = new->max;
  settings->content = content;
}

/* The field of each setting, which has the type of the property. */
#define FIELD(name) G_STRUCT_OFFSET (GstTfrcEncodeProperties, name)

static const gsize fields[GST_TFRC_ENCODE_N_SETTINGS] = {
  [GST_TFRC_ENCODE_ADAPTIVE] = FIELD (adaptive),
  [GST_TFRC_ENCODE_CONTENT] = FIELD (content),
  [GST_TFRC_ENCODE_LADDER] = FIELD (ladder),
  [GST_TFRC_ENCODE_BITRATE] = FIELD (bitrate),
  [GST_TFRC_ENCODE_MIN_BITRATE] = FIELD (min_bitrate),
  [GST_TFRC_ENCODE_MAX_BITRATE] = FIELD (max_bitrate),
  [GST_TFRC_ENCODE_PTIME] = FIELD (ptime),
  [GST_TFRC_ENCODE_MIN_PTIME] = FIELD (min_ptime),
  [GST_TFRC_ENCODE_MAX_PTIME] = FIELD (max_ptime),
  [GST_TFRC_ENCODE_MAX_PACKET_SIZE] = FIELD (max_packet_size),
  [GST_TFRC_ENCODE_INBAND_FEC] = FIELD (inband_fec),
  [GST_TFRC_ENCODE_DTX] = FIELD (dtx),
  [GST_TFRC_ENCODE_REDUNDANCY] = FIELD (redundancy),
  [GST_TFRC_ENCODE_COPY_DISTANCE] = FIELD (copy_distance),
  [GST_TFRC_ENCODE_MAX_DELAY] = FIELD (max_delay),
  [GST_TFRC_ENCODE_CODECS] = FIELD (codecs),
  [GST_TFRC_ENCODE_CODEC] = FIELD (codec),
  [GST_TFRC_ENCODE_PT] = FIELD (pt),
  [GST_TFRC_ENCODE_RED_PT] = FIELD (red_pt),
  [GST_TFRC_ENCODE_EXTENSION_ID] = FIELD (extension_id),
};

void
gst_tfrc_encode_properties_set (GstTfrcEncodeProperties * settings, guint id,
    const GValue * value)
{
  if (id == GST_TFRC_ENCODE_CONTENT)
    set_content (settings, g_value_get_enum (value));
  else
    gst_tfrc_property_field_set (settings, fields[id], value);
  if (settings->codecs == NULL)
    settings->codecs = g_strdup (DEFAULT_CODECS);
}

void
gst_tfrc_encode_properties_get (const GstTfrcEncodeProperties * settings,
    guint id, GValue * value)
{
  gst_tfrc_property_field_get (settings, fields[id], value);
}

void
gst_tfrc_encode_properties_install (GObjectClass * klass)
{
  make_choice ();
  make_limits ();
  make_protection ();
  make_codecs ();
  g_object_class_install_properties (klass, GST_TFRC_ENCODE_N_SETTINGS, props);
}

void
gst_tfrc_encode_properties_init (GstTfrcEncodeProperties * settings)
{
  guint id;

  memset (settings, 0, sizeof (*settings));
  for (id = 1; id < GST_TFRC_ENCODE_N_SETTINGS; id++)
    gst_tfrc_property_field_set (settings, fields[id],
        g_param_spec_get_default_value (props[id]));
}

void
gst_tfrc_encode_properties_clear (GstTfrcEncodeProperties * settings)
{
  g_free (settings->ladder);
  g_free (settings->codecs);
  g_free (settings->codec);
}

void
gst_tfrc_encode_properties_to_limits (const GstTfrcEncodeProperties * settings,
    guint32 codecs, TfrcAdaptLadderLimits * limits)
{
  GstClockTime min = settings->ptime ? settings->ptime : settings->min_ptime;
  GstClockTime max = settings->ptime ? settings->ptime : settings->max_ptime;

  tfrc_adapt_ladder_limits_init (limits);
  limits->codecs = codecs;
  limits->music = settings->content == GST_TFRC_CONTENT_MUSIC;
  limits->channels = limits->music ? 2 : 1;
  limits->min_bitrate = settings->min_bitrate;
  limits->max_bitrate = settings->max_bitrate;
  limits->min_frame_us = min / GST_USECOND;
  limits->max_frame_us = max / GST_USECOND;
  limits->max_payload = settings->max_packet_size == 0 ? 0 :
      MAX (settings->max_packet_size, RTP_OVERHEAD + 1) - RTP_OVERHEAD;
  limits->fec = settings->inband_fec;
  limits->max_redundancy = settings->redundancy;
  if (!settings->adaptive) {
    limits->min_bitrate = limits->max_bitrate = settings->bitrate;
    limits->max_frame_us = limits->min_frame_us;
    limits->fec = FALSE;
    limits->max_redundancy = 0;
  }
}
