/* gst-tfrc: the SDP of a voice call with TFRC, as offers and answers of SIP carry it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sdp.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define OPUS_TYPE 96            /* the payload types that tfrcbin takes by default */
#define RED_TYPE 97
#define PCMU_TYPE 0
#define DTMF_TYPE 101
#define DTMF_OPUS_TYPE 102
#define PCMU_RATE 8000          /* Hz */
#define OPUS_RATE 48000
#define EXTENSION_ID 3
#define PTIME 20                /* ms, of a phone that does not say */
#define TFRC_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define SUITE "AES_CM_128_HMAC_SHA1_"
#define INLINE "inline:"
#define FINGERPRINT_LENGTH 95   /* 32 bytes with colons between them */
#define SDP_SIZE_MAX 16384      /* bytes */
#define KEY_BYTES (CALL_KEY_LENGTH / 2)

static gboolean
refuse (GError ** error, const gchar * why)
{
  g_set_error_literal (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, why);
  return FALSE;
}

/* --- keys of SDES, RFC 4568 --- */

static gboolean
make_key (SdpSide * own, gint tag, gboolean short_auth)
{
  guint8 bytes[KEY_BYTES];
  guint i;

  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    return FALSE;
  for (i = 0; i < KEY_BYTES; i++)
    g_snprintf (own->key + 2 * i, 3, "%02x", bytes[i]);
  own->crypto_tag = tag;
  own->short_auth = short_auth;
  return TRUE;
}

static gchar *
format_key (const gchar * hex)
{
  guint8 bytes[KEY_BYTES];
  guint i;

  for (i = 0; i < KEY_BYTES; i++)
    bytes[i] = g_ascii_xdigit_value (hex[2 * i]) * 16 +
        g_ascii_xdigit_value (hex[2 * i + 1]);
  return g_base64_encode (bytes, sizeof bytes);
}

/* "inline:KEY[|LIFETIME]". FALSE: it is no such key, or has an MKI ("|VALUE:LENGTH"). */
static gboolean
parse_key (gchar * hex, const gchar * text)
{
  gchar *base64;
  gsize size;
  guchar *bytes;
  guint i;

  if (!g_str_has_prefix (text, INLINE))
    return FALSE;
  text += strlen (INLINE);
  if (strchr (text, ':'))
    return FALSE;
  base64 = g_strndup (text, strcspn (text, "|"));
  bytes = g_base64_decode (base64, &size);
  for (i = 0; size == KEY_BYTES && i < KEY_BYTES; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", bytes[i]);
  g_free (bytes);
  g_free (base64);
  return size == KEY_BYTES;
}

/* "TAG SUITE KEY". The first that this phone can use is taken. */
static void
parse_crypto (SdpSide * side, const gchar * value)
{
  gchar **words = g_strsplit (value, " ", 4);

  if (side->crypto_tag == 0 && g_strv_length (words) >= 3
      && (g_str_equal (words[1], SUITE "80")
          || g_str_equal (words[1], SUITE "32"))
      && parse_key (side->key, words[2])) {
    side->crypto_tag = atoi (words[0]);
    side->short_auth = g_str_has_suffix (words[1], "32");
  }
  g_strfreev (words);
}

/* --- reading --- */

static const gchar *
get_attribute (const GstSDPMessage * message, const GstSDPMedia * media,
    const gchar * name)
{
  const gchar *value = gst_sdp_media_get_attribute_val (media, name);

  return value ? value : gst_sdp_message_get_attribute_val (message, name);
}

/* The payload type that a value "TYPE ..." is about. */
static gint
get_type (const gchar * value)
{
  gchar *end;
  guint64 type = g_ascii_strtoull (value, &end, 10);

  return end != value && *end == ' ' && type < 128 ? (gint) type : SDP_NONE;
}

static void
parse_rtpmap (SdpSide * side, const gchar * value)
{
  gint type = get_type (value);
  const gchar *name = strchr (value, ' ');

  if (type == SDP_NONE)
    return;
  name++;
  if (g_ascii_strncasecmp (name, "opus/48000", 10) == 0
      && side->opus == SDP_NONE)
    side->opus = type;
  else if (g_ascii_strncasecmp (name, "PCMU/8000", 9) == 0)
    side->pcmu = type;
  else if (g_ascii_strncasecmp (name, "red/48000", 9) == 0)
    side->red = type;
  else if (g_ascii_strcasecmp (name, "telephone-event/8000") == 0)
    side->dtmf = type;
  else if (g_ascii_strcasecmp (name, "telephone-event/48000") == 0)
    side->dtmf_opus = type;
}

static void
parse_direction (SdpSide * side, const GstSDPMessage * message,
    const GstSDPMedia * media)
{
  gboolean on_media = gst_sdp_media_get_attribute_val (media, "sendonly")
      || gst_sdp_media_get_attribute_val (media, "recvonly")
      || gst_sdp_media_get_attribute_val (media, "inactive")
      || gst_sdp_media_get_attribute_val (media, "sendrecv");
  const GstSDPMessage *session = on_media ? NULL : message;
#define HAS(name) (gst_sdp_media_get_attribute_val (media, name) || \
    (session && gst_sdp_message_get_attribute_val (session, name)))

  side->sends = !HAS ("recvonly") && !HAS ("inactive");
  side->hears = !HAS ("sendonly") && !HAS ("inactive");
#undef HAS
  /* how RFC 2543 holds a call */
  if (g_str_equal (side->host, "0.0.0.0"))
    side->hears = FALSE;
}

static void
parse_tfrc (SdpSide * side, const GstSDPMedia * media)
{
  const gchar *value;
  guint i;

  for (i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "extmap",
              i)) != NULL; i++) {
    const gchar *uri = strchr (value, ' ');

    if (uri && g_str_equal (uri + 1, TFRC_URI))
      side->extension_id = CLAMP (atoi (value), 0, 255);
  }
  for (i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "rtcp-fb",
              i)) != NULL; i++)
    side->tfrc_feedback |= g_str_has_suffix (value, " tfrc");
  for (i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "fmtp",
              i)) != NULL; i++)
    side->tfrc_mode |= strstr (value, "tfrc-mode=tfrc-sp") != NULL;
}

static void
parse_keys (SdpSide * side, const GstSDPMessage * message,
    const GstSDPMedia * media)
{
  const gchar *value;
  guint i;

  for (i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "crypto",
              i)) != NULL; i++)
    parse_crypto (side, value);
  value = get_attribute (message, media, "fingerprint");
  if (value && g_ascii_strncasecmp (value, "sha-256 ", 8) == 0
      && strlen (value + 8) == FINGERPRINT_LENGTH
      && strspn (value + 8, "0123456789abcdefABCDEF:") == FINGERPRINT_LENGTH)
    g_strlcpy (side->fingerprint, value + 8, sizeof side->fingerprint);
  value = get_attribute (message, media, "setup");
  g_strlcpy (side->setup, value ? value : "", sizeof side->setup);
}

static void
parse_types (SdpSide * side, const GstSDPMedia * media)
{
  gint opus_at = G_MAXINT, pcmu_at = G_MAXINT;
  const gchar *value;
  guint i;

  side->opus = side->red = side->pcmu = SDP_NONE;
  side->dtmf = side->dtmf_opus = SDP_NONE;
  for (i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "rtpmap",
              i)) != NULL; i++)
    parse_rtpmap (side, value);
  for (i = 0; i < gst_sdp_media_formats_len (media); i++) {
    gint type = atoi (gst_sdp_media_get_format (media, i));

    if (type == PCMU_TYPE)
      side->pcmu = PCMU_TYPE;   /* it needs no rtpmap, RFC 3551 6 */
    if (type == side->opus)
      opus_at = i;
    if (type == side->pcmu)
      pcmu_at = i;
  }
  if (opus_at == G_MAXINT)
    side->opus = SDP_NONE;
  if (pcmu_at == G_MAXINT || side->pcmu != PCMU_TYPE)
    side->pcmu = SDP_NONE;
  side->pcmu_first = side->pcmu != SDP_NONE && pcmu_at < opus_at;
}

static void
parse_media (SdpSide * side, const GstSDPMessage * message,
    const GstSDPMedia * media)
{
  const GstSDPConnection *connection = gst_sdp_media_connections_len (media) ?
      gst_sdp_media_get_connection (media, 0) :
      gst_sdp_message_get_connection (message);
  const gchar *value = gst_sdp_media_get_attribute_val (media, "rtcp");

  side->port = gst_sdp_media_get_port (media);
  g_strlcpy (side->host, connection && connection->address ?
      connection->address : "", sizeof side->host);
  g_strlcpy (side->proto, gst_sdp_media_get_proto (media), sizeof side->proto);
  side->mux = gst_sdp_media_get_attribute_val (media, "rtcp-mux") != NULL;
  side->rtcp_port = value ? CLAMP (atoi (value), 0, 65535) : 0;
  if (side->rtcp_port == 0)
    side->rtcp_port = side->port + 1;
  value = gst_sdp_media_get_attribute_val (media, "ptime");
  side->ptime = value ? CLAMP (atoi (value), 0, 120) : 0;
  parse_types (side, media);
  parse_direction (side, message, media);
  parse_tfrc (side, media);
  parse_keys (side, message, media);
  sdp_read_unicast (side->host, sizeof side->host, side->host);
  sdp_parse_ice (side, message, media);
}

/* Of voice, RFC 3551, 3711, 4585, 5124 and 5764. */
static gboolean
is_known_profile (const gchar * proto)
{
  static const gchar *const known[] = { "RTP/AVP", "RTP/AVPF", "RTP/SAVP",
    "RTP/SAVPF", "UDP/TLS/RTP/SAVP", "UDP/TLS/RTP/SAVPF", NULL
  };

  return g_strv_contains (known, proto);
}

/* The first voice that is not refused. FALSE: there is none. */
static gboolean
find_audio (SdpSide * side, const GstSDPMessage * message)
{
  guint i, n = gst_sdp_message_medias_len (message);
  gboolean found = FALSE;

  side->n_media = n;
  if (n > SDP_MEDIA_MAX)
    return FALSE;
  for (i = 0; i < n; i++) {
    const GstSDPMedia *media = gst_sdp_message_get_media (message, i);
    const gchar *kind = gst_sdp_media_get_media (media);
    const gchar *proto = gst_sdp_media_get_proto (media);

    if (!kind || !proto || gst_sdp_media_formats_len (media) == 0)
      return FALSE;
    g_snprintf (side->others[i], sizeof side->others[i], "m=%.12s 0 %.30s %.8s",
        kind, proto, gst_sdp_media_get_format (media, 0));
    if (found || !g_str_equal (kind, "audio")
        || gst_sdp_media_get_port (media) == 0 || !is_known_profile (proto))
      continue;
    found = TRUE;
    side->audio = i;
  }
  return found;
}

gboolean
sdp_read_unicast (gchar * host, gsize size, const gchar * text)
{
  GInetAddress *address = g_inet_address_new_from_string (text);
  gboolean unicast = address && !g_inet_address_get_is_multicast (address)
      && !g_str_equal (text, "255.255.255.255");
  gchar *usual = unicast ? g_inet_address_to_string (address) : NULL;

  if (unicast)
    g_strlcpy (host, usual, size);
  g_free (usual);
  g_clear_object (&address);
  return unicast;
}

gboolean
sdp_parse (SdpSide * side, const gchar * text, gsize size, GError ** error)
{
  GstSDPMessage *message;
  gboolean good;

  *side = (SdpSide) { {
      0}};
  if (size > SDP_SIZE_MAX)
    return refuse (error, "The SDP of the other phone is too long.");
  gst_sdp_message_new (&message);
  good = size > 0 && gst_sdp_message_parse_buffer ((const guint8 *) text, size,
      message) == GST_SDP_OK && find_audio (side, message);
  if (good)
    parse_media (side, message, gst_sdp_message_get_media (message,
            side->audio));
  gst_sdp_message_free (message);
  if (!good || side->port > 65535 || *side->host == 0)
    return refuse (error, "The SDP of the other phone has no voice.");
  if (!sdp_read_unicast (side->host, sizeof side->host, side->host))
    return refuse (error,
        "The SDP of the other phone has no numeric address of one host.");
  if (side->opus == SDP_NONE && side->pcmu == SDP_NONE)
    return refuse (error, "The other phone has neither Opus nor PCMU.");
  return TRUE;
}

/* --- this end's side --- */

static gboolean
has_codec (const SdpSettings * settings, const gchar * name)
{
  return strstr (settings->codecs, name) != NULL;
}

void
sdp_make_offer (SdpSide * own, const SdpSettings * settings)
{
  gboolean opus = has_codec (settings, "OPUS");

  g_strlcpy (own->proto, "RTP/AVP", sizeof own->proto);
  own->n_media = 1;
  own->opus = opus ? OPUS_TYPE : SDP_NONE;
  own->red = opus ? RED_TYPE : SDP_NONE;
  own->pcmu = has_codec (settings, "PCMU") ? PCMU_TYPE : SDP_NONE;
  own->pcmu_first = g_str_has_prefix (settings->codecs, "PCMU");
  own->dtmf = DTMF_TYPE;
  own->dtmf_opus = opus ? DTMF_OPUS_TYPE : SDP_NONE;
  own->ptime = PTIME;
  own->extension_id = EXTENSION_ID;
  own->tfrc_feedback = own->tfrc_mode = own->mux = TRUE;
  own->rtcp_port = own->port;
  if (!settings->keys) {
    *own->fingerprint = 0;
    return;
  }
  make_key (own, 1, FALSE);
  if (*own->fingerprint)
    g_strlcpy (own->setup, "actpass", sizeof own->setup);
}

/* The better of the keys that are offered; those of a call that is changed stay. A profile of SAVP without one that this phone can use is refused. */
static gboolean
answer_keys (SdpSide * own, const SdpSide * offer,
    const SdpSettings * settings, GError ** error)
{
  if (settings->keys && *offer->fingerprint && *own->fingerprint) {
    if (!g_str_equal (own->setup, "passive"))
      g_strlcpy (own->setup, g_str_equal (offer->setup, "active") ? "passive" :
          "active", sizeof own->setup);
    own->crypto_tag = 0;
    return TRUE;
  }
  *own->fingerprint = 0;
  if (settings->keys && offer->crypto_tag != 0) {
    own->crypto_tag = offer->crypto_tag;
    own->short_auth = offer->short_auth;
    return *own->key || make_key (own, offer->crypto_tag, offer->short_auth);
  }
  own->crypto_tag = 0;
  if (strstr (offer->proto, "SAVP"))
    return refuse (error,
        "The other phone wants encryption of a kind that this one lacks.");
  return TRUE;
}

gboolean
sdp_make_answer (SdpSide * own, const SdpSide * offer,
    const SdpSettings * settings, GError ** error)
{
  gboolean opus = has_codec (settings, "OPUS");

  memcpy (own->others, offer->others, sizeof own->others);
  own->n_media = offer->n_media;
  own->audio = offer->audio;
  g_strlcpy (own->proto, offer->proto, sizeof own->proto);
  own->opus = opus ? offer->opus : SDP_NONE;
  own->pcmu = has_codec (settings, "PCMU") ? offer->pcmu : SDP_NONE;
  own->pcmu_first = offer->pcmu_first;
  own->dtmf = offer->dtmf;
  own->dtmf_opus = own->opus != SDP_NONE ? offer->dtmf_opus : SDP_NONE;
  own->ptime = PTIME;
  if (offer->extension_id && offer->tfrc_feedback && offer->tfrc_mode) {
    own->extension_id = offer->extension_id;
    own->tfrc_feedback = own->tfrc_mode = TRUE;
    own->red = own->opus != SDP_NONE ? offer->red : SDP_NONE;
  } else {
    own->extension_id = 0;
    own->tfrc_feedback = own->tfrc_mode = FALSE;
    own->red = SDP_NONE;
  }
  own->mux = offer->mux;
  if (*offer->ice.ufrag == 0)
    *own->ice.ufrag = 0;
  own->rtcp_port = own->port;
  own->sends &= offer->hears;
  own->hears &= offer->sends;
  if (own->opus == SDP_NONE && own->pcmu == SDP_NONE)
    return refuse (error, "The two phones have no codec in common.");
  return answer_keys (own, offer, settings, error);
}

/* --- writing --- */

static void
add_type (GString * types, gint type)
{
  if (type != SDP_NONE)
    g_string_append_printf (types, " %d", type);
}

static void
format_events (GString * text, gint type, guint rate)
{
  if (type != SDP_NONE)
    g_string_append_printf (text, "a=rtpmap:%d telephone-event/%u\r\n"
        "a=fmtp:%d 0-15\r\n", type, rate, type);
}

static void
format_types (GString * text, const SdpSide * own)
{
  g_string_append_printf (text, "m=audio %u %s", own->port, own->proto);
  if (own->pcmu_first)
    add_type (text, own->pcmu);
  add_type (text, own->opus);
  add_type (text, own->red);
  if (!own->pcmu_first)
    add_type (text, own->pcmu);
  add_type (text, own->dtmf);
  add_type (text, own->dtmf_opus);
  g_string_append (text, "\r\n");
  if (own->opus != SDP_NONE)
    g_string_append_printf (text, "a=rtpmap:%d opus/48000/2\r\n"
        "a=fmtp:%d useinbandfec=1;sprop-stereo=0%s\r\n", own->opus, own->opus,
        own->tfrc_mode ? ";tfrc-mode=tfrc-sp" : "");
  if (own->red != SDP_NONE)
    g_string_append_printf (text, "a=rtpmap:%d red/48000/2\r\n"
        "a=fmtp:%d %d/%d\r\n", own->red, own->red, own->opus, own->opus);
  if (own->pcmu != SDP_NONE)
    g_string_append_printf (text, "a=rtpmap:%d PCMU/8000\r\n", own->pcmu);
  if (own->pcmu != SDP_NONE && own->opus == SDP_NONE && own->tfrc_mode)
    g_string_append_printf (text, "a=fmtp:%d tfrc-mode=tfrc-sp\r\n", own->pcmu);
  format_events (text, own->dtmf, PCMU_RATE);
  format_events (text, own->dtmf_opus, OPUS_RATE);
}

static void
format_keys (GString * text, const SdpSide * own)
{
  gchar *key;

  if (*own->fingerprint)
    g_string_append_printf (text, "a=fingerprint:sha-256 %s\r\na=setup:%s\r\n",
        own->fingerprint, own->setup);
  if (own->crypto_tag == 0)
    return;
  key = format_key (own->key);
  g_string_append_printf (text, "a=crypto:%d " SUITE "%s " INLINE "%s\r\n",
      own->crypto_tag, own->short_auth ? "32" : "80", key);
  g_free (key);
}

static const gchar *
get_direction (const SdpSide * own)
{
  if (own->sends)
    return own->hears ? "sendrecv" : "sendonly";
  return own->hears ? "recvonly" : "inactive";
}

static void
format_audio (GString * text, const SdpSide * own)
{
  format_types (text, own);
  g_string_append_printf (text, "a=ptime:%u\r\na=rtcp:%u\r\n", own->ptime,
      own->rtcp_port);
  if (own->mux)
    g_string_append (text, "a=rtcp-mux\r\n");
  if (own->extension_id)
    g_string_append_printf (text, "a=extmap:%u " TFRC_URI "\r\n",
        own->extension_id);
  if (own->tfrc_feedback)
    g_string_append (text, "a=rtcp-fb:* tfrc\r\n");
  sdp_format_ice (text, &own->ice);
  format_keys (text, own);
  g_string_append_printf (text, "a=%s\r\n", get_direction (own));
}

gchar *
sdp_format (const SdpSide * own, guint64 session, guint version)
{
  const gchar *family = strchr (own->host, ':') ? "IP6" : "IP4";
  GString *text = g_string_new (NULL);
  guint i;

  g_string_append_printf (text,
      "v=0\r\no=- %" G_GUINT64_FORMAT " %u IN %s %s\r\n"
      "s=-\r\nc=IN %s %s\r\nt=0 0\r\n", session, version, family, own->host,
      family, own->host);
  for (i = 0; i < own->n_media; i++)
    if (i == own->audio)
      format_audio (text, own);
    else
      g_string_append_printf (text, "%s\r\n", own->others[i]);
  return g_string_free (text, FALSE);
}

/* --- what was agreed on --- */

static void
add_caps (GString * caps, gint type, const gchar * name, guint rate)
{
  if (type != SDP_NONE)
    g_string_append_printf (caps, "%sapplication/x-rtp,media=audio,"
        "encoding-name=%s,clock-rate=%u,payload=%d", caps->len ? ";" : "", name,
        rate, type);
}

static gint
get_common_type (gint own, gint remote)
{
  return remote != SDP_NONE ? own : SDP_NONE;
}

/* What arrives has the payload types of this end's side. Those that the remote has not are left out, so that the caps
 * stay when a later offer of the remote has the common types alone. */
static void
set_caps (CallMedia * media, const SdpSide * own, const SdpSide * remote)
{
  GString *caps = g_string_new (NULL);

  add_caps (caps, get_common_type (own->opus, remote->opus), "OPUS", OPUS_RATE);
  add_caps (caps, get_common_type (own->red, remote->red), "RED", OPUS_RATE);
  add_caps (caps, get_common_type (own->pcmu, remote->pcmu), "PCMU", PCMU_RATE);
  add_caps (caps, media->dtmf_type_in, "TELEPHONE-EVENT", media->dtmf_rate);
  g_strlcpy (media->caps, caps->str, sizeof media->caps);
  g_string_free (caps, TRUE);
}

/* The codec that the answer prefers comes first. A phone without TFRC may not expect another one behind it. */
static gboolean
set_codecs (CallMedia * media, const SdpSide * own, const SdpSide * remote,
    const SdpSide * answer)
{
  gboolean opus = own->opus != SDP_NONE && remote->opus != SDP_NONE;
  gboolean pcmu = own->pcmu != SDP_NONE && remote->pcmu != SDP_NONE;
  const gchar *first = opus && !(pcmu && answer->pcmu_first) ? "OPUS" : "PCMU";

  g_snprintf (media->codecs, sizeof media->codecs, "%s%s", first,
      !media->tfrc || !opus || !pcmu ? "" :
      g_str_equal (first, "OPUS") ? ",PCMU" : ",OPUS");
  media->opus_type = opus ? remote->opus : OPUS_TYPE;
  media->red_type = remote->red;
  return opus || pcmu;
}

/* RFC 4733 2.1: with the clock of the voice. Events have the clock of the voice also where the remote has the
 * other type alone; keys then last longer than they were pressed. */
static void
set_events (CallMedia * media, const SdpSide * own, const SdpSide * remote)
{
  gboolean opus = g_str_has_prefix (media->codecs, "OPUS")
      && own->dtmf_opus != SDP_NONE && remote->dtmf_opus != SDP_NONE;
  gint in = opus ? own->dtmf_opus : own->dtmf;
  gint out = opus ? remote->dtmf_opus : remote->dtmf;

  media->dtmf_type = in != SDP_NONE ? out : SDP_NONE;
  media->dtmf_type_in = out != SDP_NONE ? in : SDP_NONE;
  media->dtmf_rate = opus ? OPUS_RATE : PCMU_RATE;
}

static gboolean
set_keys (CallMedia * media, const SdpSide * own, const SdpSide * remote,
    GError ** error)
{
  media->dtls = *own->fingerprint && *remote->fingerprint;
  if (media->dtls) {
    g_strlcpy (media->fingerprint, remote->fingerprint,
        sizeof media->fingerprint);
    media->active = g_str_equal (own->setup, "active")
        || g_str_equal (remote->setup, "passive");
  } else if (own->crypto_tag != 0 && remote->crypto_tag != 0) {
    g_strlcpy (media->key, own->key, sizeof media->key);
    g_strlcpy (media->remote_key, remote->key, sizeof media->remote_key);
    media->short_auth = own->short_auth;
  } else if (strstr (own->proto, "SAVP")) {
    return refuse (error, "The other phone offers no keys for encryption.");
  }
  return TRUE;
}

/* The longest packet that tfrcencodebin has for the codecs and that is not longer than the remote asks for. */
static guint
choose_ptime (guint asked)
{
  static const guint lengths[] = { 60, 40, 20, 10 };
  guint i = 0;

  while (i < G_N_ELEMENTS (lengths) - 1 && lengths[i] > asked)
    i++;
  return lengths[i];
}

gboolean
sdp_negotiate (CallMedia * media, const SdpSide * own, const SdpSide * remote,
    gboolean answered, GError ** error)
{
  *media = (CallMedia) { {
      0}};
  g_strlcpy (media->host, remote->host, sizeof media->host);
  media->port = remote->port;
  media->rtcp_port = own->mux && remote->mux ? 0 : remote->rtcp_port;
  if (*own->ice.ufrag)
    media->ice = remote->ice;
  media->tfrc = own->extension_id != 0 && remote->extension_id != 0
      && own->tfrc_feedback && remote->tfrc_feedback && own->tfrc_mode
      && remote->tfrc_mode;
  media->extension_id = media->tfrc ? remote->extension_id : 0;
  media->ptime = media->tfrc ? 0 :
      choose_ptime (remote->ptime ? remote->ptime : PTIME);
  media->sends = own->sends && remote->hears;
  media->hears = own->hears && remote->sends;
  if (!set_codecs (media, own, remote, answered ? own : remote))
    return refuse (error, "The two phones have no codec in common.");
  set_events (media, own, remote);
  set_caps (media, own, remote);
  return set_keys (media, own, remote, error);
}
