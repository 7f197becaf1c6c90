/* gst-tfrc: what a DTLS handshake may agree on, and the keys of SRTP that come of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsprofile.h"

#include <string.h>

#include "base/debugcategory.h"
#include "base/secret.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdtlsprofile", "what DTLS handshakes agree on");

/* DTLS 1.2 alone (RFC 8827 6.5), with an exchange of keys for each handshake and AEAD ciphers. */
#define PRIORITY "NONE:+VERS-DTLS1.2:+ECDHE-ECDSA:+ECDHE-RSA:+AES-128-GCM:" \
    "+CHACHA20-POLY1305:+AES-256-GCM:+AEAD:+GROUP-SECP256R1:+GROUP-X25519:" \
    "+GROUP-SECP384R1:+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SHA384:+SIGN-RSA-SHA256:" \
    "+SIGN-RSA-SHA384:+SIGN-RSA-PSS-RSAE-SHA256:+COMP-NULL:+CTYPE-X509"

/* Bytes of AES-128 in counter mode (RFC 5764 4.1.2). */
#define SRTP_KEY 16
#define SRTP_SALT 14

static gnutls_priority_t
get_priority (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    gnutls_priority_t priority = NULL;
    gint ret = gnutls_priority_init (&priority, PRIORITY, NULL);

    if (ret < 0)
      GST_ERROR ("the priorities: %s", gnutls_strerror (ret));
    g_once_init_leave (&once, (gsize) priority);
  }
  return (gnutls_priority_t) once;
}

gint
gst_tfrc_dtls_profile_offer (gnutls_session_t session, GstTfrcSrtpAuth auth)
{
  gint ret = gnutls_priority_set (session, get_priority ());

  if (ret >= 0 && auth == GST_TFRC_SRTP_HMAC_SHA1_32)
    ret = gnutls_srtp_set_profile (session, GNUTLS_SRTP_AES128_CM_HMAC_SHA1_32);
  return ret < 0 ? ret : gnutls_srtp_set_profile (session,
      GNUTLS_SRTP_AES128_CM_HMAC_SHA1_80);
}

gboolean
gst_tfrc_dtls_profile_is_agreed (gnutls_session_t session)
{
  gnutls_srtp_profile_t profile;

  return gnutls_srtp_get_selected_profile (session, &profile) >= 0 &&
      (profile == GNUTLS_SRTP_AES128_CM_HMAC_SHA1_80 ||
      profile == GNUTLS_SRTP_AES128_CM_HMAC_SHA1_32);
}

/* RFC 5764 4.2: each direction has the key and the salt of the end that sends. */
void
gst_tfrc_dtls_profile_get_keys (gnutls_session_t session, gboolean client,
    GstTfrcSrtpKeys * keys)
{
  guint8 material[2 * (SRTP_KEY + SRTP_SALT)];
  gnutls_datum_t parts[4];      /* client key, client salt, server key, server salt */
  gnutls_srtp_profile_t profile;
  guint own = client ? 0 : 2;

  *keys = (GstTfrcSrtpKeys) {
      .cipher = GST_TFRC_SRTP_AES_128_ICM,
      .size = SRTP_KEY + SRTP_SALT
  };
  g_return_if_fail (gnutls_srtp_get_selected_profile (session, &profile) >= 0);
  keys->auth = profile == GNUTLS_SRTP_AES128_CM_HMAC_SHA1_32 ?
      GST_TFRC_SRTP_HMAC_SHA1_32 : GST_TFRC_SRTP_HMAC_SHA1_80;
  g_return_if_fail (gnutls_srtp_get_keys (session, material,
          sizeof material, &parts[0], &parts[1], &parts[2], &parts[3]) >= 0);
  memcpy (keys->local, parts[own].data, SRTP_KEY);
  memcpy (keys->local + SRTP_KEY, parts[own + 1].data, SRTP_SALT);
  memcpy (keys->remote, parts[2 - own].data, SRTP_KEY);
  memcpy (keys->remote + SRTP_KEY, parts[3 - own].data, SRTP_SALT);
  gst_tfrc_secret_wipe (material, sizeof material);
}
