/* gst-tfrc: SRTP with one pre-shared key for both directions
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/srtpkeys.h"

#include <string.h>

#include "base/messages.h"

static GstDebugCategory *
get_debug_category (void)
{
  static GstDebugCategory *category = NULL;

  if (g_once_init_enter (&category))
    g_once_init_leave (&category, _gst_debug_category_new ("tfrcsrtpkeys", 0,
            "SRTP of tfrcsink and tfrcsrc"));
  return category;
}

#define GST_CAT_DEFAULT get_debug_category ()

/* The warning is posted when this many packets arrived and none was authentic. A few may be
 * packets of an earlier call. */
#define WARNING_PACKETS 5

/* srtpdec keeps state for each SSRC that it ever saw. Beyond this number of SSRCs that never
 * sent an authentic packet, the state of the oldest is removed. */
#define MAX_PENDING 32

struct _GstTfrcSrtp
{
  GstElement *owner;            /* not owned */
  GstBuffer *key;
  GstTfrcSrtpCipher cipher;
  GstTfrcSrtpAuth auth;

  GstTfrcWarning warning;       /* under the owner's object lock */

  GMutex lock;                  /* protects what follows; nothing is called under it */
  guint64 arrived, authentic;
  GHashTable *trusted;          /* SSRCs that sent an authentic packet */
  guint pending[MAX_PENDING];   /* ring of the other SSRCs */
  guint n_pending, next_pending;
};

static const struct
{
  const gchar *nick;            /* name in srtpenc and srtpdec */
  guint key_size;               /* master key and salt, bytes */
  gboolean authenticates;       /* the cipher is AEAD and has a tag of its own */
} ciphers[] = {
  {"aes-128-icm", 16 + 14, FALSE},
  {"aes-256-icm", 32 + 14, FALSE},
  {"aes-128-gcm", 16 + 12, TRUE},
  {"aes-256-gcm", 32 + 12, TRUE},
};

GType
gst_tfrc_srtp_cipher_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_SRTP_AES_128_ICM, "AES-128 counter mode, key of 60 hex digits",
        "aes-128-icm"},
    {GST_TFRC_SRTP_AES_256_ICM, "AES-256 counter mode, key of 92 hex digits",
        "aes-256-icm"},
    {GST_TFRC_SRTP_AES_128_GCM, "AES-128 GCM, key of 56 hex digits",
        "aes-128-gcm"},
    {GST_TFRC_SRTP_AES_256_GCM, "AES-256 GCM, key of 88 hex digits",
        "aes-256-gcm"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstTfrcSrtpCipher", values));
  return type;
}

GType
gst_tfrc_srtp_auth_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_SRTP_HMAC_SHA1_80, "HMAC-SHA1, tag of 10 bytes", "hmac-sha1-80"},
    {GST_TFRC_SRTP_HMAC_SHA1_32, "HMAC-SHA1, tag of 4 bytes on RTP, 10 on RTCP",
        "hmac-sha1-32"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstTfrcSrtpAuth", values));
  return type;
}

static void
wipe (gpointer user_data)
{
  GByteArray *key = user_data;

  memset (key->data, 0, key->len);
  g_byte_array_unref (key);
}

/* Returns NULL when `hex` is not exactly `size` bytes in hexadecimal digits. */
static GstBuffer *
parse_key (const gchar * hex, guint size)
{
  GByteArray *key;
  guint i;

  if (strlen (hex) != 2 * size ||
      strspn (hex, "0123456789abcdefABCDEF") != 2 * size)
    return NULL;
  key = g_byte_array_sized_new (size);
  g_byte_array_set_size (key, size);
  for (i = 0; i < size; i++)
    key->data[i] = g_ascii_xdigit_value (hex[2 * i]) << 4 |
        g_ascii_xdigit_value (hex[2 * i + 1]);
  return gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, key->data,
      size, 0, size, key, wipe);
}

GstTfrcSrtp *
gst_tfrc_srtp_new (GstElement * owner, const gchar * hex,
    GstTfrcSrtpCipher cipher, GstTfrcSrtpAuth auth)
{
  guint size = ciphers[cipher].key_size;
  GstBuffer *key = parse_key (hex, size);
  GstTfrcSrtp *self;

  if (key == NULL) {
    GST_ELEMENT_ERROR (owner, RESOURCE, SETTINGS,
        ("The property \"srtp-key\" must be master key and salt, %u bytes in %u "
            "hexadecimal digits for %s; \"openssl rand -hex %u\" makes one.",
            size, 2 * size, ciphers[cipher].nick, size), (NULL));
    return NULL;
  }
  self = g_new0 (GstTfrcSrtp, 1);
  self->owner = owner;
  self->key = key;
  self->cipher = cipher;
  self->auth = auth;
  self->trusted = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->lock);
  GST_INFO_OBJECT (owner, "SRTP with %s", ciphers[cipher].nick);
  return self;
}

void
gst_tfrc_srtp_free (GstTfrcSrtp * self)
{
  gst_buffer_unref (self->key);
  g_hash_table_unref (self->trusted);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static const gchar *
rtp_auth (GstTfrcSrtp * self)
{
  if (ciphers[self->cipher].authenticates)
    return "null";
  return self->auth == GST_TFRC_SRTP_HMAC_SHA1_32 ? "hmac-sha1-32" :
      "hmac-sha1-80";
}

static const gchar *
rtcp_auth (GstTfrcSrtp * self)
{
  return ciphers[self->cipher].authenticates ? "null" : "hmac-sha1-80";
}

void
gst_tfrc_srtp_set_up_encoder (GstTfrcSrtp * self, GstElement * srtpenc)
{
  const gchar *cipher = ciphers[self->cipher].nick;

  g_object_set (srtpenc, "key", self->key, NULL);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtcp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtp-auth", rtp_auth (self));
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtcp-auth", rtcp_auth (self));
}

static GstCaps *
on_request_key (GstElement * srtpdec, guint ssrc, GstTfrcSrtp * self)
{
  const gchar *cipher = ciphers[self->cipher].nick;

  return gst_caps_new_simple ("application/x-srtp",
      "srtp-key", GST_TYPE_BUFFER, self->key,
      "srtp-cipher", G_TYPE_STRING, cipher,
      "srtcp-cipher", G_TYPE_STRING, cipher,
      "srtp-auth", G_TYPE_STRING, rtp_auth (self),
      "srtcp-auth", G_TYPE_STRING, rtcp_auth (self), NULL);
}

/* Returns the SSRC of the sender of an RTP or RTCP packet. */
static guint
get_ssrc (GstBuffer * buffer, gboolean rtcp)
{
  guint8 data[4] = { 0, };

  gst_buffer_extract (buffer, rtcp ? 4 : 8, data, sizeof (data));
  return GST_READ_UINT32_BE (data);
}

/* Called under the lock. Returns TRUE, and in `forget` the oldest SSRC, when there are too
 * many. */
static gboolean
add_pending (GstTfrcSrtp * self, guint ssrc, guint * forget)
{
  gboolean full = self->n_pending == MAX_PENDING;
  guint i;

  for (i = 0; i < self->n_pending; i++)
    if (self->pending[i] == ssrc)
      return FALSE;
  *forget = self->pending[self->next_pending];
  self->pending[self->next_pending] = ssrc;
  self->next_pending = (self->next_pending + 1) % MAX_PENDING;
  if (!full)
    self->n_pending++;
  return full && !g_hash_table_contains (self->trusted,
      GUINT_TO_POINTER (*forget));
}

static void
note_arrival (GstTfrcSrtp * self, GstElement * srtpdec, guint ssrc)
{
  gboolean evict;
  guint64 unauthentic = 0;
  guint forget = 0;

  g_mutex_lock (&self->lock);
  self->arrived++;
  evict = !g_hash_table_contains (self->trusted, GUINT_TO_POINTER (ssrc)) &&
      add_pending (self, ssrc, &forget);
  if (self->authentic == 0 && self->arrived >= WARNING_PACKETS)
    unauthentic = self->arrived;
  g_mutex_unlock (&self->lock);

  GST_LOG_OBJECT (self->owner, "SRTP packet of SSRC %08x", ssrc);
  if (evict)
    g_signal_emit_by_name (srtpdec, "remove-key", forget);
  if (unauthentic > 0)
    gst_tfrc_warning_post (&self->warning, self->owner, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_AUTHORIZED,
        "%" G_GUINT64_FORMAT " packets arrived and none is authentic with this "
        "key. Set \"srtp-key\", \"srtp-cipher\" and \"srtp-auth\" to the same "
        "values at both ends.", unauthentic);
}

static GstPadProbeReturn
on_rtp_arrival (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_arrival (user_data, GST_ELEMENT (GST_PAD_PARENT (pad)),
      get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), FALSE));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtcp_arrival (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_arrival (user_data, GST_ELEMENT (GST_PAD_PARENT (pad)),
      get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), TRUE));
  return GST_PAD_PROBE_OK;
}

static void
note_authentic (GstTfrcSrtp * self, guint ssrc)
{
  g_mutex_lock (&self->lock);
  self->authentic++;
  g_hash_table_add (self->trusted, GUINT_TO_POINTER (ssrc));
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_rtp_authentic (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_authentic (user_data, get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info),
          FALSE));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtcp_authentic (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_authentic (user_data, get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), TRUE));
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement * element, const gchar * name,
    GstPadProbeCallback callback, GstTfrcSrtp * self)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, self, NULL);
  gst_object_unref (pad);
}

void
gst_tfrc_srtp_set_up_decoder (GstTfrcSrtp * self, GstElement * srtpdec)
{
  g_signal_connect (srtpdec, "request-key", G_CALLBACK (on_request_key), self);
  add_probe (srtpdec, "rtp_sink", on_rtp_arrival, self);
  add_probe (srtpdec, "rtcp_sink", on_rtcp_arrival, self);
  add_probe (srtpdec, "rtp_src", on_rtp_authentic, self);
  add_probe (srtpdec, "rtcp_src", on_rtcp_authentic, self);
}

guint64
gst_tfrc_srtp_get_failures (GstTfrcSrtp * self)
{
  guint64 failures;

  g_mutex_lock (&self->lock);
  failures = self->arrived - self->authentic;
  g_mutex_unlock (&self->lock);
  return failures;
}
