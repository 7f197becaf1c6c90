/* gst-tfrc: the keys of SRTP, one for each direction, and the properties that set them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/srtpkeys.h"

#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <string.h>

#include "base/secret.h"

#define DEFAULT_CIPHER GST_TFRC_SRTP_AES_128_ICM
#define DEFAULT_AUTH GST_TFRC_SRTP_HMAC_SHA1_80

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)
#define SECRET (G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

/* The inputs of HKDF besides the key: they bind what is derived to its use. */
#define HKDF_SALT "gst-tfrc SRTP"
#define FROM_DATA_SENDER "data sender to data receiver"
#define FROM_DATA_RECEIVER "data receiver to data sender"

static const struct
{
  const gchar *name;
  guint key_size;
  gboolean authenticates;
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

const gchar *
gst_tfrc_srtp_cipher_get_name (GstTfrcSrtpCipher cipher)
{
  return ciphers[cipher].name;
}

gboolean
gst_tfrc_srtp_cipher_authenticates (GstTfrcSrtpCipher cipher)
{
  return ciphers[cipher].authenticates;
}

/* --- properties --- */

static void
install_keys (GObjectClass * klass, guint first_id)
{
  /**
   * GstTfrcEnd:srtp-key:
   *
   * Master key and salt of what is sent, in hexadecimal digits; 60 digits for
   * aes-128-icm (not set: no encryption). Cannot be read. `openssl rand -hex
   * 30` makes a key for aes-128-icm. The key cannot be read and cannot be part
   * of a URI, so that no log and no list of processes shows it. tfrcsink and
   * tfrcsrc may have this key alone, the same at both ends: the keys of the two
   * directions are derived from it then (HKDF, RFC 5869).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_SRTP_PROP_KEY,
      g_param_spec_string ("srtp-key", "SRTP key",
          "Master key and salt of what is sent, in hexadecimal digits; 60 "
          "digits for aes-128-icm (not set: no encryption). Cannot be read",
          NULL, SECRET));
  /**
   * GstTfrcEnd:srtp-remote-key:
   *
   * Master key and salt of what arrives: the srtp-key of the other end. Cannot
   * be read. It must not be the same as #GstTfrcEnd:srtp-key, because two ends
   * that draw one SSRC would use one key stream twice (RFC 3711 9.1).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_SRTP_PROP_REMOTE_KEY,
      g_param_spec_string ("srtp-remote-key", "SRTP remote key",
          "Master key and salt of what arrives: the srtp-key of the other end. "
          "Cannot be read", NULL, SECRET));
}

void
gst_tfrc_srtp_settings_install (GObjectClass * klass, guint first_id)
{
  install_keys (klass, first_id);
  /**
   * GstTfrcEnd:srtp-cipher:
   *
   * Encryption of RTP and RTCP when there is a key. The default, AES-128 in
   * counter mode, is what every implementation of SRTP has (RFC 3711 5.1).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_SRTP_PROP_CIPHER,
      g_param_spec_enum ("srtp-cipher", "SRTP cipher",
          "Encryption of RTP and RTCP when there is a key",
          GST_TYPE_TFRC_SRTP_CIPHER, DEFAULT_CIPHER, SETTING));
  /**
   * GstTfrcEnd:srtp-auth:
   *
   * Authentication of RTP when there is a key; RTCP always has the 10-byte
   * tag. Of no effect with the GCM ciphers. The default is the tag of 80 bits
   * that RFC 3711 5.2 has as its default.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_SRTP_PROP_AUTH,
      g_param_spec_enum ("srtp-auth", "SRTP authentication",
          "Authentication of RTP when there is a key; RTCP always has the "
          "10-byte tag. Of no effect with the GCM ciphers",
          GST_TYPE_TFRC_SRTP_AUTH, DEFAULT_AUTH, SETTING));
}

void
gst_tfrc_srtp_settings_init (GstTfrcSrtpSettings * settings)
{
  *settings = (GstTfrcSrtpSettings) {
      .cipher = DEFAULT_CIPHER,
      .auth = DEFAULT_AUTH
  };
}

void
gst_tfrc_srtp_settings_copy (GstTfrcSrtpSettings * to,
    const GstTfrcSrtpSettings * from)
{
  *to = *from;
  to->key = g_strdup (from->key);
  to->remote_key = g_strdup (from->remote_key);
}

static void
set_key (gchar ** key, const GValue * value)
{
  gst_tfrc_secret_free (*key);
  *key = g_value_dup_string (value);
}

void
gst_tfrc_srtp_settings_clear (GstTfrcSrtpSettings * settings)
{
  g_clear_pointer (&settings->key, gst_tfrc_secret_free);
  g_clear_pointer (&settings->remote_key, gst_tfrc_secret_free);
}

gboolean
gst_tfrc_srtp_settings_set (GstTfrcSrtpSettings * settings, guint prop,
    const GValue * value)
{
  switch (prop) {
    case GST_TFRC_SRTP_PROP_KEY:
      set_key (&settings->key, value);
      break;
    case GST_TFRC_SRTP_PROP_REMOTE_KEY:
      set_key (&settings->remote_key, value);
      break;
    case GST_TFRC_SRTP_PROP_CIPHER:
      settings->cipher = g_value_get_enum (value);
      break;
    case GST_TFRC_SRTP_PROP_AUTH:
      settings->auth = g_value_get_enum (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_srtp_settings_get (const GstTfrcSrtpSettings * settings, guint prop,
    GValue * value)
{
  if (prop == GST_TFRC_SRTP_PROP_CIPHER)
    g_value_set_enum (value, settings->cipher);
  else if (prop == GST_TFRC_SRTP_PROP_AUTH)
    g_value_set_enum (value, settings->auth);
  else
    return FALSE;
  return TRUE;
}

static gboolean
is_set (const gchar * key)
{
  return key != NULL && *key != '\0';
}

gboolean
gst_tfrc_srtp_settings_encrypt (const GstTfrcSrtpSettings * settings)
{
  return is_set (settings->key) || is_set (settings->remote_key);
}

/* --- keys --- */

/* Reads exactly `size` bytes of hexadecimal digits. */
static gboolean
parse_key (guint8 * key, const gchar * hex, guint size)
{
  guint i;

  if (strlen (hex) != 2 * size ||
      strspn (hex, "0123456789abcdefABCDEF") != 2 * size)
    return FALSE;
  for (i = 0; i < size; i++)
    key[i] = g_ascii_xdigit_value (hex[2 * i]) << 4 |
        g_ascii_xdigit_value (hex[2 * i + 1]);
  return TRUE;
}

static gchar *
read_key (guint8 * key, const gchar * hex, GstTfrcSrtpCipher cipher,
    const gchar * name)
{
  guint size = ciphers[cipher].key_size;

  if (is_set (hex) && parse_key (key, hex, size))
    return NULL;
  return g_strdup_printf
      ("The property \"%s\" must be master key and salt, %u bytes in %u "
      "hexadecimal digits for %s; \"openssl rand -hex %u\" makes one.", name,
      size, 2 * size, ciphers[cipher].name, size);
}

/* HKDF of RFC 5869 with SHA-256: what `info` names, of the same size as the key. */
static void
derive (guint8 * derived, const guint8 * key, guint size, const gchar * info)
{
  struct hmac_sha256_ctx hmac;
  guint8 secret[SHA256_DIGEST_SIZE];

  hmac_sha256_set_key (&hmac, strlen (HKDF_SALT), (const guint8 *) HKDF_SALT);
  hkdf_extract (&hmac, (nettle_hash_update_func *) hmac_sha256_update,
      (nettle_hash_digest_func *) hmac_sha256_digest, sizeof secret, size, key,
      secret);
  hmac_sha256_set_key (&hmac, sizeof secret, secret);
  hkdf_expand (&hmac, (nettle_hash_update_func *) hmac_sha256_update,
      (nettle_hash_digest_func *) hmac_sha256_digest, sizeof secret,
      strlen (info), (const guint8 *) info, size, derived);
  gst_tfrc_secret_wipe (secret, sizeof secret);
  gst_tfrc_secret_wipe (&hmac, sizeof hmac);
}

/* The one key stands in `local`. */
static void
split (GstTfrcSrtpKeys * keys, GstTfrcSrtpEnd end)
{
  guint8 key[GST_TFRC_SRTP_KEY_SIZE_MAX];
  gboolean sends = end == GST_TFRC_SRTP_DATA_SENDER;

  memcpy (key, keys->local, keys->size);
  derive (sends ? keys->local : keys->remote, key, keys->size,
      FROM_DATA_SENDER);
  derive (sends ? keys->remote : keys->local, key, keys->size,
      FROM_DATA_RECEIVER);
  gst_tfrc_secret_wipe (key, sizeof key);
}

static gchar *
read_remote_key (GstTfrcSrtpKeys * keys, const GstTfrcSrtpSettings * settings)
{
  gchar *error = read_key (keys->remote, settings->remote_key, settings->cipher,
      "srtp-remote-key");

  if (error == NULL && memcmp (keys->local, keys->remote, keys->size) == 0)
    return g_strdup ("The properties \"srtp-key\" and \"srtp-remote-key\" are "
        "one key, so that both directions could use one key stream. Set each "
        "to a key of its own.");
  return error;
}

gchar *
gst_tfrc_srtp_keys_read (GstTfrcSrtpKeys * keys,
    const GstTfrcSrtpSettings * settings, GstTfrcSrtpEnd end)
{
  gchar *error;

  *keys = (GstTfrcSrtpKeys) {
      .cipher = settings->cipher,
      .auth = settings->auth,
      .size = ciphers[settings->cipher].key_size
  };
  error = read_key (keys->local, settings->key, settings->cipher, "srtp-key");
  if (error != NULL)
    return error;
  if (end == GST_TFRC_SRTP_EITHER_END || is_set (settings->remote_key))
    return read_remote_key (keys, settings);
  split (keys, end);
  return NULL;
}

void
gst_tfrc_srtp_keys_wipe (GstTfrcSrtpKeys * keys)
{
  gst_tfrc_secret_wipe (keys, sizeof *keys);
}
