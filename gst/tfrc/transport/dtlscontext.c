/* gst-tfrc: what all DTLS handshakes of an element share: certificate, cookies, limits
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlscontext.h"

#include <gnutls/dtls.h>
#include <gnutls/gnutls.h>
#include <string.h>

#include "base/debugcategory.h"
#include "base/secret.h"
#include "transport/dtlscertificate.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdtlscontext",
    "certificates and cookies of DTLS");

/* A cookie is good in the minute in which it was made and in the next one. */
#define COOKIE_TIME (60 * GST_SECOND)

/* HelloVerifyRequests in a second. A call needs one; a flood of ClientHellos gets so many answers of
 * 60 bytes. */
#define HELLOS 1000
/* Handshakes in a second that ClientHellos with a cookie begin. One costs about half a millisecond of CPU
 * time and 12 kB (tests/bench/dtls.c). */
#define HANDSHAKES_PER_SECOND 100

/* The header of a record, that of a handshake message, and the version in a ClientHello: RFC 6347
 * 4.1, 4.2.2. */
#define RECORD_HEADER 13
#define EPOCH_OFFSET 3
#define MESSAGE_HEADER 12
#define FRAGMENT_OFFSET 6
#define VERSION_SIZE 2
#define HANDSHAKE_RECORD 22
#define CLIENT_HELLO 1

/* A token bucket: at most `rate` things in a second, and as many in one instant. */
typedef struct
{
  gdouble tokens;
  GstClockTime time;            /* of the last update */
} Bucket;

struct _GstTfrcDtlsContext
{
  gint refs;
  gnutls_certificate_credentials_t credentials;
  gchar fingerprint[GST_TFRC_DTLS_FINGERPRINT_SIZE];
  gnutls_datum_t secret;        /* of the cookies */
  Bucket hello_bucket, handshake_bucket;
  GstTfrcDtlsHandshakeLimit limit;
  GstTfrcDtlsContextStats stats;
};

GstTfrcDtlsContext *
gst_tfrc_dtls_context_new (const gchar * certificate, gchar ** error)
{
  GstTfrcDtlsContext *self = g_new0 (GstTfrcDtlsContext, 1);
  gchar *pem = gst_tfrc_dtls_certificate_get_pem (certificate, error);

  self->refs = 1;
  if (pem != NULL)
    self->credentials = gst_tfrc_dtls_certificate_load (pem, self->fingerprint,
        error);
  gst_tfrc_secret_free (pem);
  if (self->credentials != NULL &&
      gnutls_key_generate (&self->secret, GNUTLS_COOKIE_KEY_SIZE) < 0)
    *error = g_strdup ("GnuTLS has no random numbers.");
  if (*error != NULL) {
    gst_tfrc_dtls_context_unref (self);
    return NULL;
  }
  GST_INFO ("certificate %s, GnuTLS %s", self->fingerprint,
      gnutls_check_version (NULL));
  return self;
}

GstTfrcDtlsContext *
gst_tfrc_dtls_context_ref (GstTfrcDtlsContext * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
gst_tfrc_dtls_context_unref (GstTfrcDtlsContext * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  if (self->credentials != NULL)
    gnutls_certificate_free_credentials (self->credentials);
  if (self->secret.data != NULL)
    gst_tfrc_secret_wipe (self->secret.data, self->secret.size);
  gnutls_free (self->secret.data);
  g_free (self);
}

const gchar *
gst_tfrc_dtls_context_get_fingerprint (const GstTfrcDtlsContext * self)
{
  return self->fingerprint;
}

gpointer
gst_tfrc_dtls_context_get_credentials (GstTfrcDtlsContext * self)
{
  return self->credentials;
}

void
gst_tfrc_dtls_context_get_stats (const GstTfrcDtlsContext * self,
    GstTfrcDtlsContextStats * stats)
{
  *stats = self->stats;
  stats->running = gst_tfrc_dtls_handshake_limit_count (&self->limit);
}

/* --- limits --- */

/* Whether there is a token. Each peer has a time of its own, so that `now` may be before the last one. */
static gboolean
bucket_fill (Bucket * bucket, guint rate, GstClockTime now)
{
  gdouble passed;

  if (bucket->time == 0) {
    bucket->tokens = rate;
    bucket->time = now;
  } else if (now > bucket->time) {
    passed = (gdouble) (now - bucket->time) / GST_SECOND;
    bucket->tokens = MIN (bucket->tokens + passed * rate, rate);
    bucket->time = now;
  }
  return bucket->tokens >= 1;
}

guint64
gst_tfrc_dtls_context_begin_handshake (GstTfrcDtlsContext * self,
    const GstTfrcUdpAddress * caller, GstClockTime now)
{
  guint64 handshake = 0;

  if (bucket_fill (&self->handshake_bucket, HANDSHAKES_PER_SECOND, now))
    handshake = gst_tfrc_dtls_handshake_limit_begin (&self->limit, caller);
  self->handshake_bucket.tokens -= handshake != 0;
  self->stats.handshakes += handshake != 0;
  self->stats.handshakes_limited += handshake == 0;
  return handshake;
}

gboolean
gst_tfrc_dtls_context_has_handshake (const GstTfrcDtlsContext * self,
    guint64 handshake)
{
  return gst_tfrc_dtls_handshake_limit_has (&self->limit, handshake);
}

void
gst_tfrc_dtls_context_end_handshake (GstTfrcDtlsContext * self,
    guint64 handshake)
{
  self->stats.handshakes_limited +=
      !gst_tfrc_dtls_context_has_handshake (self, handshake);
  gst_tfrc_dtls_handshake_limit_end (&self->limit, handshake);
}

/* --- cookies --- */

/* A record of epoch 0 whose first message is a ClientHello, or a fragment of one. */
static gboolean
has_hello (const guint8 * data, gsize size)
{
  return size >= RECORD_HEADER + MESSAGE_HEADER && data[0] == HANDSHAKE_RECORD
      && data[EPOCH_OFFSET] == 0 && data[EPOCH_OFFSET + 1] == 0
      && data[RECORD_HEADER] == CLIENT_HELLO;
}

static guint
get_fragment_offset (const guint8 * data)
{
  return GST_READ_UINT24_BE (data + RECORD_HEADER + FRAGMENT_OFFSET);
}

const guint8 *
gst_tfrc_dtls_find_hello (const guint8 * data, gsize size)
{
  gsize offset = RECORD_HEADER + MESSAGE_HEADER + VERSION_SIZE;

  return has_hello (data, size) && get_fragment_offset (data) == 0
      && size >= offset + GST_TFRC_DTLS_RANDOM_SIZE ? data + offset : NULL;
}

gboolean
gst_tfrc_dtls_is_rest_of_hello (const guint8 * data, gsize size)
{
  return has_hello (data, size) && get_fragment_offset (data) > 0;
}

/* What a cookie is made of besides the secret. */
typedef struct
{
  GstTfrcUdpAddress address;
  guint64 period;
} Binding;

typedef struct
{
  GstTfrcDtlsSendFunc send;
  gpointer user_data;
} Sending;

static gssize
push_answer (gnutls_transport_ptr_t ptr, const void *data, gsize size)
{
  Sending *sending = ptr;

  sending->send (data, size, sending->user_data);
  return size;
}

static void
send_cookie (GstTfrcDtlsContext * self, Binding * binding,
    gnutls_dtls_prestate_st * prestate, Sending * sending, GstClockTime now)
{
  if (!bucket_fill (&self->hello_bucket, HELLOS, now)) {
    self->stats.hellos_limited++;
    return;
  }
  self->hello_bucket.tokens--;
  self->stats.hellos++;
  gnutls_dtls_cookie_send (&self->secret, binding, sizeof *binding, prestate,
      sending, push_answer);
}

gboolean
gst_tfrc_dtls_context_check_hello (GstTfrcDtlsContext * self,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size,
    GstTfrcDtlsHello * hello, GstTfrcDtlsSendFunc send, gpointer user_data,
    GstClockTime now)
{
  Binding binding = { *address, now / COOKIE_TIME };
  gnutls_dtls_prestate_st prestate = { 0 };
  Sending sending = { send, user_data };
  guint age;

  for (age = 0; age < 2; age++, binding.period--) {
    if (gnutls_dtls_cookie_verify (&self->secret, &binding, sizeof binding,
            (gpointer) data, size, &prestate) < 0)
      continue;
    *hello =
        (GstTfrcDtlsHello) {prestate.record_seq, prestate.hsk_read_seq,
        prestate.hsk_write_seq};
    return TRUE;
  }
  binding.period = now / COOKIE_TIME;
  prestate = (gnutls_dtls_prestate_st) {0};
  send_cookie (self, &binding, &prestate, &sending, now);
  return FALSE;
}
