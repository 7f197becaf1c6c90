/* gst-tfrc: the certificate of this end of DTLS, made anew or of a PEM file
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlscertificate.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/secret.h"

#define COMMON_NAME "gst-tfrc"
#define SERIAL_SIZE 8
#define X509_VERSION 3
/* Seconds. A remote checks the fingerprint and need not check the validity (RFC 8122 5). The validity begins a day
 * ago, for a remote that checks it by a clock that is behind. */
#define DAY (24 * 60 * 60)
#define VALIDITY (20 * 365 * DAY)

/* A PEM file has one certificate and one key. */
#define PEM_MAX (64 * 1024)
#define PEM_BEGIN "-----BEGIN"

/* A signature by a longer RSA key, or one with a long exponent, takes too long to verify. */
#define RSA_BITS_MAX 4096
/* A signature takes 1.4 ms with RSA of 2048 bits and 7 ms with 4096 bits, for which all peers of a port
 * wait; with ECDSA P-256 0.1 ms (tests/bench/dtls.c, AMD EPYC). */
#define OWN_RSA_BITS_MAX 2048
#define RSA_EXPONENT_MAX 8      /* bytes */

/* --- made anew --- */

static gint
make_key (gnutls_x509_privkey_t * key)
{
  gint ret = gnutls_x509_privkey_init (key);

  return ret < 0 ? ret : gnutls_x509_privkey_generate (*key, GNUTLS_PK_ECDSA,
      GNUTLS_CURVE_TO_BITS (GNUTLS_ECC_CURVE_SECP256R1), 0);
}

static gint
make_certificate (gnutls_x509_crt_t * crt, gnutls_x509_privkey_t key)
{
  guint8 serial[SERIAL_SIZE];
  time_t now = time (NULL);
  gint ret = gnutls_x509_crt_init (crt);

  if (ret >= 0)
    ret = gnutls_rnd (GNUTLS_RND_NONCE, serial, sizeof serial);
  serial[0] &= 0x7f;            /* it is a positive number */
  if (ret >= 0)
    ret = gnutls_x509_crt_set_serial (*crt, serial, sizeof serial);
  if (ret >= 0)
    ret = gnutls_x509_crt_set_version (*crt, X509_VERSION);
  if (ret >= 0)
    ret = gnutls_x509_crt_set_dn_by_oid (*crt, GNUTLS_OID_X520_COMMON_NAME, 0,
        COMMON_NAME, strlen (COMMON_NAME));
  if (ret >= 0)
    ret = gnutls_x509_crt_set_activation_time (*crt, now - DAY);
  if (ret >= 0)
    ret = gnutls_x509_crt_set_expiration_time (*crt, now + VALIDITY);
  if (ret >= 0)
    ret = gnutls_x509_crt_set_key (*crt, key);
  return ret < 0 ? ret : gnutls_x509_crt_sign2 (*crt, *crt, key,
      GNUTLS_DIG_SHA256, 0);
}

static gchar *
write_pem (gnutls_x509_crt_t crt, gnutls_x509_privkey_t key)
{
  gnutls_datum_t texts[2] = { {NULL, 0}, };
  gchar *pem = NULL;

  if (gnutls_x509_crt_export2 (crt, GNUTLS_X509_FMT_PEM, &texts[0]) >= 0 &&
      gnutls_x509_privkey_export2_pkcs8 (key, GNUTLS_X509_FMT_PEM, NULL,
          GNUTLS_PKCS_PLAIN, &texts[1]) >= 0)
    pem = g_strdup_printf ("%.*s%.*s", (gint) texts[0].size, texts[0].data,
        (gint) texts[1].size, texts[1].data);
  gnutls_free (texts[0].data);
  if (texts[1].data != NULL)
    gst_tfrc_secret_wipe (texts[1].data, texts[1].size);
  gnutls_free (texts[1].data);
  return pem;
}

static gchar *
make_pem (gchar ** error)
{
  gnutls_x509_privkey_t key = NULL;
  gnutls_x509_crt_t crt = NULL;
  gchar *pem = NULL;
  gint ret = make_key (&key);

  if (ret >= 0)
    ret = make_certificate (&crt, key);
  if (ret >= 0)
    pem = write_pem (crt, key);
  if (pem == NULL)
    *error = g_strdup_printf ("GnuTLS cannot make a certificate: %s",
        gnutls_strerror (ret));
  if (crt != NULL)
    gnutls_x509_crt_deinit (crt);
  if (key != NULL)
    gnutls_x509_privkey_deinit (key);
  return pem;
}

/* --- files --- */

/* A new file, which its owner alone may read. It has its name when all of it is written: a process that is killed
 * meanwhile leaves none that is half a certificate. Somebody else's file is never written to. */
static gchar *
make_file (const gchar * name, gchar ** error)
{
  gchar *pem = make_pem (error);
  GError *reason = NULL;

  if (pem == NULL || g_file_set_contents_full (name, pem, -1,
          G_FILE_SET_CONTENTS_CONSISTENT, S_IRUSR | S_IWUSR, &reason))
    return pem;
  *error = g_strdup_printf ("The certificate file \"%s\" cannot be written: "
      "%s.", name, reason->message);
  g_error_free (reason);
  gst_tfrc_secret_free (pem);
  return NULL;
}

static gchar *
read_file (const gchar * name, gchar ** error)
{
  gchar text[PEM_MAX + 1];
  gint fd = open (name, O_RDONLY | O_CLOEXEC);
  gssize size = fd >= 0 ? read (fd, text, sizeof text) : -1;
  gchar *pem = NULL;

  if (size < 0)
    *error = g_strdup_printf ("The certificate file \"%s\" cannot be read: %s.",
        name, g_strerror (errno));
  else if (size > PEM_MAX)
    *error = g_strdup_printf ("The certificate file \"%s\" is longer than %u "
        "bytes.", name, PEM_MAX);
  else
    pem = g_strndup (text, size);
  if (fd >= 0)
    close (fd);
  gst_tfrc_secret_wipe (text, sizeof text);
  return pem;
}

gchar *
gst_tfrc_dtls_certificate_get_pem (const gchar * certificate, gchar ** error)
{
  *error = NULL;
  if (certificate == NULL || *certificate == '\0')
    return make_pem (error);
  if (strstr (certificate, PEM_BEGIN) != NULL)
    return g_strdup (certificate);
  if (g_file_test (certificate, G_FILE_TEST_EXISTS))
    return read_file (certificate, error);
  return make_file (certificate, error);
}

/* --- in use --- */

static gint
read_fingerprint (const gnutls_datum_t * pem,
    gchar fingerprint[GST_TFRC_DTLS_FINGERPRINT_SIZE])
{
  guint8 hash[GST_TFRC_DTLS_HASH_SIZE];
  gsize size = sizeof hash;
  gnutls_x509_crt_t crt;
  guint bits = 0;
  gint ret = gnutls_x509_crt_init (&crt);

  if (ret < 0)
    return ret;
  ret = gnutls_x509_crt_import (crt, pem, GNUTLS_X509_FMT_PEM);
  if (ret >= 0)
    ret = gnutls_x509_crt_get_fingerprint (crt, GNUTLS_DIG_SHA256, hash, &size);
  if (ret >= 0)
    gst_tfrc_dtls_fingerprint_write (hash, fingerprint);
  if (ret >= 0 && gnutls_x509_crt_get_pk_algorithm (crt, &bits) ==
      GNUTLS_PK_RSA && bits > OWN_RSA_BITS_MAX)
    ret = GNUTLS_E_CONSTRAINT_ERROR;
  gnutls_x509_crt_deinit (crt);
  return ret;
}

gnutls_certificate_credentials_t
gst_tfrc_dtls_certificate_load (const gchar * pem,
    gchar fingerprint[GST_TFRC_DTLS_FINGERPRINT_SIZE], gchar ** error)
{
  gnutls_datum_t text = { (guchar *) pem, strlen (pem) };
  gnutls_certificate_credentials_t credentials = NULL;
  gint ret = gnutls_certificate_allocate_credentials (&credentials);

  if (ret >= 0)
    ret = gnutls_certificate_set_x509_key_mem (credentials, &text, &text,
        GNUTLS_X509_FMT_PEM);
  if (ret >= 0)
    ret = read_fingerprint (&text, fingerprint);
  if (ret >= 0)
    return credentials;
  if (ret == GNUTLS_E_CONSTRAINT_ERROR)
    *error = g_strdup_printf ("The RSA key in \"certificate\" has more than %u "
        "bits, and each handshake would hold up all other peers for "
        "milliseconds. Use an ECDSA key on the curve P-256; the name of a file "
        "that does not exist makes one.", OWN_RSA_BITS_MAX);
  else
    *error = g_strdup_printf ("The property \"certificate\" has no certificate "
        "with its private key in PEM: %s The name of a file that does not exist "
        "makes one.", gnutls_strerror (ret));
  if (credentials != NULL)
    gnutls_certificate_free_credentials (credentials);
  return NULL;
}

/* --- of the remote --- */

static gboolean
has_modest_key (gnutls_x509_crt_t crt)
{
  gnutls_datum_t modulus = { NULL, 0 }, exponent = { NULL, 0 };
  guint bits = 0;
  gint algorithm = gnutls_x509_crt_get_pk_algorithm (crt, &bits);
  gboolean modest = algorithm == GNUTLS_PK_ECDSA;

  if (algorithm == GNUTLS_PK_RSA && bits <= RSA_BITS_MAX &&
      gnutls_x509_crt_get_pk_rsa_raw (crt, &modulus, &exponent) >= 0)
    modest = exponent.size <= RSA_EXPONENT_MAX;
  gnutls_free (modulus.data);
  gnutls_free (exponent.data);
  return modest;
}

gboolean
gst_tfrc_dtls_certificate_has_modest_key (const gnutls_datum_t * der)
{
  gnutls_x509_crt_t crt;
  gboolean modest;

  if (gnutls_x509_crt_init (&crt) < 0)
    return FALSE;
  modest = gnutls_x509_crt_import (crt, der, GNUTLS_X509_FMT_DER) >= 0 &&
      has_modest_key (crt);
  gnutls_x509_crt_deinit (crt);
  return modest;
}
