/* gst-tfrc: the properties of tfrcencodebin that are set
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encodesettings.h"

#define DEFAULT_MIN_PTIME (20 * GST_MSECOND)
#define DEFAULT_MAX_PTIME (60 * GST_MSECOND)
#define DEFAULT_PT 96
#define DEFAULT_RED_PT 97

/* RFC 2198 3: two of them are within 341 ms of Opus' clock. */
#define MAX_COPY_DISTANCE (160 * GST_MSECOND)
#define DEFAULT_CODECS "OPUS"
#define DEFAULT_EXTENSION_ID 3

/* RTP header, and the header extension with TFRC's stamp alone in it. */
#define RTP_OVERHEAD (12 + 12)

/* What the bit rates are until they are set, bit/s. */
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

static void
install (GObjectClass * klass, guint id, GParamSpec * pspec)
{
  g_object_class_install_property (klass, id, pspec);
}

static void
install_rates (GObjectClass * klass)
{
  install (klass, GST_TFRC_ENCODE_ADAPTIVE, g_param_spec_boolean ("adaptive",
          "Adaptive",
          "Follow what the network allows; off: encode at bitrate and ptime "
          "whatever happens", TRUE, LIVE));
  install (klass, GST_TFRC_ENCODE_CONTENT, g_param_spec_enum ("content",
          "Content",
          "What is encoded. It decides how Opus is tuned and judged, mono or "
          "stereo, and the values of bitrate, min-bitrate and max-bitrate that "
          "were not set: 16000, 6000 and 64000 for voice, 64000, 32000 and "
          "160000 for music", content_get_type (), GST_TFRC_CONTENT_VOICE,
          IN_READY));
  install (klass, GST_TFRC_ENCODE_LADDER, g_param_spec_string ("ladder",
          "Ladder",
          "The operating points to choose from, separated by commas, "
          "each \"CODEC RATE/PTIME [fec] [red1|red2] [stereo]\" with the rate "
          "in bit/s or as 24k, the packet time in ms, in-band FEC, and earlier "
          "packets repeated: \"OPUS 16k/60 fec, OPUS 32k/20 red1, "
          "PCMU 64k/20\". It takes the place of codecs, content's channels and "
          "the limits of bit rate, packet time, FEC and redundancy (none: made "
          "from those)", NULL, IN_READY));
  install (klass, GST_TFRC_ENCODE_BITRATE, g_param_spec_uint ("bitrate",
          "Bitrate",
          "Bit rate of the codec before anything is known of the network, and "
          "the only one when not adaptive (bit/s)", 6000, 510000,
          bitrates[0].start, LIVE));
  install (klass, GST_TFRC_ENCODE_MIN_BITRATE, g_param_spec_uint ("min-bitrate",
          "Min bitrate",
          "Lowest bit rate of the codec; when less is allowed for long, nothing is "
          "sent (bit/s)", 6000, 510000, bitrates[0].min, LIVE));
  install (klass, GST_TFRC_ENCODE_MAX_BITRATE, g_param_spec_uint ("max-bitrate",
          "Max bitrate",
          "Highest bit rate of the codec, headers not counted (bit/s)", 6000,
          510000, bitrates[0].max, LIVE));
  install (klass, GST_TFRC_ENCODE_PTIME, g_param_spec_uint64 ("ptime",
          "Packet time",
          "The only length of sound in a packet, for far ends that cannot follow "
          "changes (ns, 0: choose within min-ptime and max-ptime)", 0,
          60 * GST_MSECOND, 0, LIVE));
  install (klass, GST_TFRC_ENCODE_MIN_PTIME, g_param_spec_uint64 ("min-ptime",
          "Min packet time", "Shortest length of sound in a packet (ns)", 0,
          60 * GST_MSECOND, DEFAULT_MIN_PTIME, LIVE));
  install (klass, GST_TFRC_ENCODE_MAX_PTIME, g_param_spec_uint64 ("max-ptime",
          "Max packet time", "Longest length of sound in a packet (ns)", 0,
          60 * GST_MSECOND, DEFAULT_MAX_PTIME, LIVE));
}

static void
install_codecs (GObjectClass * klass)
{
  install (klass, GST_TFRC_ENCODE_MAX_PACKET_SIZE,
      g_param_spec_uint ("max-packet-size", "Max packet size",
          "Largest RTP packet, its header included (bytes, 0: " "no limit)", 0,
          65507, 0, LIVE));
  install (klass, GST_TFRC_ENCODE_INBAND_FEC,
      g_param_spec_boolean ("inband-fec", "In-band FEC",
          "Let the codec's own forward error correction be used when the measured "
          "loss makes it worth its rate", TRUE, LIVE));
  install (klass, GST_TFRC_ENCODE_DTX, g_param_spec_boolean ("dtx", "DTX",
          "Send next to nothing while nobody speaks: Opus some two packets a second",
          FALSE, LIVE));
  install (klass, GST_TFRC_ENCODE_REDUNDANCY, g_param_spec_uint ("redundancy",
          "Redundancy",
          "How many earlier packets a packet may repeat when the measured loss "
          "makes it worth its rate (RFC 2198). 0 for far ends without RED", 0,
          TFRC_ADAPT_REDUNDANCY_MAX, TFRC_ADAPT_REDUNDANCY_MAX, LIVE));
  install (klass, GST_TFRC_ENCODE_COPY_DISTANCE,
      g_param_spec_uint64 ("copy-distance", "Copy distance",
          "How far apart a packet and its copies travel at most, so that a "
          "burst of losses does not take them all (ns). 0: in the packets right behind it, for "
          "far ends without rtptfrcreceive in front of their jitter buffer", 0,
          MAX_COPY_DISTANCE, TFRC_ADAPT_COPY_DISTANCE * GST_USECOND, LIVE));
  install (klass, GST_TFRC_ENCODE_CODECS, g_param_spec_string ("codecs",
          "Codecs",
          "Codecs that may be used, RTP encoding names separated by commas: OPUS, "
          "G722, PCMU, PCMA, GSM, AMR-WB, SPEEX. The first is the first used",
          DEFAULT_CODECS, IN_READY));
  install (klass, GST_TFRC_ENCODE_CODEC, g_param_spec_string ("codec", "Codec",
          "The only one of the codecs to use from now on (none: choose among all)",
          NULL, LIVE));
  install (klass, GST_TFRC_ENCODE_PT, g_param_spec_uint ("pt", "Payload type",
          "RTP payload type of Opus", 0, 127, DEFAULT_PT, IN_READY));
  install (klass, GST_TFRC_ENCODE_RED_PT, g_param_spec_uint ("red-pt",
          "RED payload type",
          "RTP payload type of packets that repeat earlier Opus packets", 0,
          127, DEFAULT_RED_PT, IN_READY));
  install (klass, GST_TFRC_ENCODE_EXTENSION_ID,
      g_param_spec_uint ("extension-id", "Extension id",
          "Id of the RTP header extension that carries TFRC's " "stamp", 1, 255,
          DEFAULT_EXTENSION_ID, IN_READY));
}

void
gst_tfrc_encode_settings_install (GObjectClass * klass)
{
  install_rates (klass);
  install_codecs (klass);
}

void
gst_tfrc_encode_settings_init (GstTfrcEncodeSettings * settings)
{
  *settings = (GstTfrcEncodeSettings) {
  .adaptive = TRUE,.bitrate =
        bitrates[GST_TFRC_CONTENT_VOICE].start,.min_bitrate =
        bitrates[GST_TFRC_CONTENT_VOICE].min,.max_bitrate =
        bitrates[GST_TFRC_CONTENT_VOICE].max,.min_ptime =
        DEFAULT_MIN_PTIME,.max_ptime = DEFAULT_MAX_PTIME,.inband_fec =
        TRUE,.redundancy = TFRC_ADAPT_REDUNDANCY_MAX,.copy_distance =
        TFRC_ADAPT_COPY_DISTANCE * GST_USECOND,.codecs =
        g_strdup (DEFAULT_CODECS),.pt = DEFAULT_PT,.red_pt =
        DEFAULT_RED_PT,.extension_id = DEFAULT_EXTENSION_ID,};
}

void
gst_tfrc_encode_settings_clear (GstTfrcEncodeSettings * settings)
{
  g_free (settings->ladder);
  g_free (settings->codecs);
  g_free (settings->codec);
}

static void
set_string (gchar ** string, const GValue * value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

/* Bit rates that nobody set are those of the content. */
static void
set_content (GstTfrcEncodeSettings * settings, GstTfrcContent content)
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

gboolean
gst_tfrc_encode_settings_set (GstTfrcEncodeSettings * settings, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_TFRC_ENCODE_ADAPTIVE:
      settings->adaptive = g_value_get_boolean (value);
      break;
    case GST_TFRC_ENCODE_CONTENT:
      set_content (settings, g_value_get_enum (value));
      break;
    case GST_TFRC_ENCODE_LADDER:
      set_string (&settings->ladder, value);
      break;
    case GST_TFRC_ENCODE_BITRATE:
      settings->bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_MIN_BITRATE:
      settings->min_bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_MAX_BITRATE:
      settings->max_bitrate = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_PTIME:
      settings->ptime = g_value_get_uint64 (value);
      break;
    case GST_TFRC_ENCODE_MIN_PTIME:
      settings->min_ptime = g_value_get_uint64 (value);
      break;
    case GST_TFRC_ENCODE_MAX_PTIME:
      settings->max_ptime = g_value_get_uint64 (value);
      break;
    case GST_TFRC_ENCODE_MAX_PACKET_SIZE:
      settings->max_packet_size = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_INBAND_FEC:
      settings->inband_fec = g_value_get_boolean (value);
      break;
    case GST_TFRC_ENCODE_DTX:
      settings->dtx = g_value_get_boolean (value);
      break;
    case GST_TFRC_ENCODE_REDUNDANCY:
      settings->redundancy = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_COPY_DISTANCE:
      settings->copy_distance = g_value_get_uint64 (value);
      break;
    case GST_TFRC_ENCODE_CODECS:
      set_string (&settings->codecs, value);
      if (settings->codecs == NULL)
        settings->codecs = g_strdup (DEFAULT_CODECS);
      break;
    case GST_TFRC_ENCODE_CODEC:
      set_string (&settings->codec, value);
      break;
    case GST_TFRC_ENCODE_PT:
      settings->pt = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_RED_PT:
      settings->red_pt = g_value_get_uint (value);
      break;
    case GST_TFRC_ENCODE_EXTENSION_ID:
      settings->extension_id = g_value_get_uint (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_encode_settings_get (const GstTfrcEncodeSettings * settings, guint id,
    GValue * value)
{
  switch (id) {
    case GST_TFRC_ENCODE_ADAPTIVE:
      g_value_set_boolean (value, settings->adaptive);
      break;
    case GST_TFRC_ENCODE_CONTENT:
      g_value_set_enum (value, settings->content);
      break;
    case GST_TFRC_ENCODE_LADDER:
      g_value_set_string (value, settings->ladder);
      break;
    case GST_TFRC_ENCODE_BITRATE:
      g_value_set_uint (value, settings->bitrate);
      break;
    case GST_TFRC_ENCODE_MIN_BITRATE:
      g_value_set_uint (value, settings->min_bitrate);
      break;
    case GST_TFRC_ENCODE_MAX_BITRATE:
      g_value_set_uint (value, settings->max_bitrate);
      break;
    case GST_TFRC_ENCODE_PTIME:
      g_value_set_uint64 (value, settings->ptime);
      break;
    case GST_TFRC_ENCODE_MIN_PTIME:
      g_value_set_uint64 (value, settings->min_ptime);
      break;
    case GST_TFRC_ENCODE_MAX_PTIME:
      g_value_set_uint64 (value, settings->max_ptime);
      break;
    case GST_TFRC_ENCODE_MAX_PACKET_SIZE:
      g_value_set_uint (value, settings->max_packet_size);
      break;
    case GST_TFRC_ENCODE_INBAND_FEC:
      g_value_set_boolean (value, settings->inband_fec);
      break;
    case GST_TFRC_ENCODE_DTX:
      g_value_set_boolean (value, settings->dtx);
      break;
    case GST_TFRC_ENCODE_REDUNDANCY:
      g_value_set_uint (value, settings->redundancy);
      break;
    case GST_TFRC_ENCODE_COPY_DISTANCE:
      g_value_set_uint64 (value, settings->copy_distance);
      break;
    case GST_TFRC_ENCODE_CODECS:
      g_value_set_string (value, settings->codecs);
      break;
    case GST_TFRC_ENCODE_CODEC:
      g_value_set_string (value, settings->codec);
      break;
    case GST_TFRC_ENCODE_PT:
      g_value_set_uint (value, settings->pt);
      break;
    case GST_TFRC_ENCODE_RED_PT:
      g_value_set_uint (value, settings->red_pt);
      break;
    case GST_TFRC_ENCODE_EXTENSION_ID:
      g_value_set_uint (value, settings->extension_id);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

guint
gst_tfrc_encode_settings_get_max_payload (const GstTfrcEncodeSettings *
    settings)
{
  return settings->max_packet_size > 0 ?
      MAX (settings->max_packet_size, RTP_OVERHEAD + 1) - RTP_OVERHEAD : 0;
}

void
gst_tfrc_encode_settings_to_limits (const GstTfrcEncodeSettings * settings,
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
  limits->max_payload = gst_tfrc_encode_settings_get_max_payload (settings);
  limits->fec = settings->inband_fec;
  limits->max_redundancy = settings->redundancy;
  if (!settings->adaptive) {
    limits->min_bitrate = limits->max_bitrate = settings->bitrate;
    limits->max_frame_us = limits->min_frame_us;
    limits->fec = FALSE;
    limits->max_redundancy = 0;
  }
}
