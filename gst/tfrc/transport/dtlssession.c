/* gst-tfrc: one DTLS handshake and the keys of SRTP that it gives
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlssession.h"

#include <errno.h>
#include <gnutls/dtls.h>
#include <gnutls/gnutls.h>
#include <string.h>

#include "base/debugcategory.h"
#include "transport/dtlscertificate.h"
#include "transport/dtlsflightlimit.h"
#include "transport/dtlsfragmentcheck.h"
#include "transport/dtlsprofile.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcdtlssession", "DTLS handshakes");

/* Bytes of a datagram: more passes every path of IPv6. */
#define MTU 1200

/* A flight is sent again after this time, then after twice as long each time. RFC 6347 4.2.4.1 has 1 s;
 * a call is to begin sooner after a loss, as RFC 9147 5.8.2 lets it. */
#define RTO_FIRST (250 * GST_MSECOND)
#define RTO_MAX (1 * GST_SECOND)
/* A remote that has not answered for a minute is asked as often as the signs of life of RTCP are sent. */
#define PATIENCE (60 * GST_SECOND)
#define RTO_PATIENT (3 * GST_SECOND)

/* From the first datagram of the remote on. */
#define HANDSHAKE_TIME (10 * GST_SECOND)

/* What the remote may have this end do in a handshake: the flights of a handshake are twelve
 * datagrams, or sixty where a certificate is long and each flight is lost three times. */
#define DATAGRAMS 200
#define MESSAGE_MAX (16 * 1024)
#define RECORDS 16

struct _GstTfrcDtlsSession
{
  GstTfrcDtlsContext *context;
  gnutls_session_t session;
  GstTfrcDtlsSendFunc send;
  gpointer user_data;
  gchar *fingerprints;
  gboolean client;
  GstTfrcDtlsState state;
  guint64 handshake;            /* its number, if the remote has begun it; 0: none */
  gchar remote[GST_TFRC_DTLS_FINGERPRINT_SIZE];
  gboolean refused;             /* the certificate is not in the list */
  gchar *error;

  const guint8 *in;             /* the datagram that is being read */
  gsize in_size;                /* 0: there is none */
  guint datagrams;              /* that arrived during the handshake */
  GstTfrcDtlsFlightLimit flight;
  GstTfrcDtlsFragmentCheck fragments;

  GstClockTime begun;
  GstClockTime flight_sent;     /* when the last flight left for the first time; NONE: none did */
  GstClockTime rtt;             /* the least time from a flight to the answer; NONE: there was none */
  GstClockTime retransmission, deadline;        /* NONE: never */
  GstClockTime rto;
};

/* --- datagrams of GnuTLS --- */

static gssize
push (gnutls_transport_ptr_t ptr, const void *data, gsize size)
{
  GstTfrcDtlsSession *self = ptr;

  if (gst_tfrc_dtls_flight_limit_may_leave (&self->flight, data, size))
    self->send (data, size, self->user_data);
  return size;
}

static gssize
pull (gnutls_transport_ptr_t ptr, void *data, gsize size)
{
  GstTfrcDtlsSession *self = ptr;

  if (self->in_size == 0) {
    gnutls_transport_set_errno (self->session, EAGAIN);
    return -1;
  }
  size = MIN (size, self->in_size);
  memcpy (data, self->in, size);
  self->in_size = 0;
  return size;
}

/* GnuTLS asks whether there is a datagram; a flight is sent again when there is none. */
static gint
pull_timeout (gnutls_transport_ptr_t ptr, guint ms)
{
  GstTfrcDtlsSession *self = ptr;

  return self->in_size > 0;
}

/* --- the remote's certificate --- */

/* Whether the certificate may be the remote's. */
static gboolean
check_certificate (GstTfrcDtlsSession * self, const gnutls_datum_t * der)
{
  guint8 hash[GST_TFRC_DTLS_HASH_SIZE];
  gsize size = sizeof hash;

  if (gnutls_fingerprint (GNUTLS_DIG_SHA256, der, hash, &size) < 0)
    return FALSE;
  gst_tfrc_dtls_fingerprint_write (hash, self->remote);
  self->refused = !gst_tfrc_dtls_fingerprints_have (self->fingerprints,
      self->remote);
  return !self->refused;
}

/* A message Certificate has arrived, and GnuTLS has not looked into it: three bytes with the length
 * of all certificates, three with that of the first one, the first one (RFC 5246 7.4.2). */
static gint
on_certificate (gnutls_session_t session, guint type, guint when,
    guint incoming, const gnutls_datum_t * message)
{
  GstTfrcDtlsSession *self = gnutls_session_get_ptr (session);
  gnutls_datum_t der;

  if (!incoming)
    return 0;
  if (message->size < 6)
    return GNUTLS_E_CERTIFICATE_ERROR;
  der.data = message->data + 6;
  der.size = GST_READ_UINT24_BE (message->data + 3);
  if (der.size > message->size - 6)
    return GNUTLS_E_CERTIFICATE_ERROR;
  return check_certificate (self, &der) &&
      gst_tfrc_dtls_certificate_has_modest_key (&der) ? 0 :
      GNUTLS_E_CERTIFICATE_ERROR;
}

/* Checks the certificate that GnuTLS has read, once the handshake is done. */
static gboolean
check_peer (GstTfrcDtlsSession * self)
{
  guint n = 0;
  const gnutls_datum_t *der = gnutls_certificate_get_peers (self->session, &n);

  return der != NULL && n > 0 && check_certificate (self, der);
}

/* --- begin and end --- */

static gint
set_up_session (GstTfrcDtlsSession * self,
    const GstTfrcDtlsSessionConfig * config)
{
  gint ret = gnutls_init (&self->session, GNUTLS_DATAGRAM | GNUTLS_NONBLOCK |
      GNUTLS_NO_TICKETS | (self->client ? GNUTLS_CLIENT : GNUTLS_SERVER));

  if (ret < 0)
    return ret;
  gnutls_session_set_ptr (self->session, self);
  gnutls_transport_set_ptr (self->session, self);
  gnutls_transport_set_push_function (self->session, push);
  gnutls_transport_set_pull_function (self->session, pull);
  gnutls_transport_set_pull_timeout_function (self->session, pull_timeout);
  gnutls_dtls_set_mtu (self->session, MTU);
  /* The owner's clock is what counts: GnuTLS sends again whenever it is called without a datagram, and
   * never gives up. */
  gnutls_dtls_set_timeouts (self->session, 0, G_MAXINT);
  gnutls_handshake_set_max_packet_length (self->session, MESSAGE_MAX);
  gnutls_handshake_set_hook_function (self->session,
      GNUTLS_HANDSHAKE_CERTIFICATE_PKT, GNUTLS_HOOK_POST, on_certificate);
  if (!self->client)
    gnutls_certificate_server_set_request (self->session, GNUTLS_CERT_REQUIRE);
  ret = gst_tfrc_dtls_profile_offer (self->session, config->auth);
  return ret < 0 ? ret : gnutls_credentials_set (self->session,
      GNUTLS_CRD_CERTIFICATE,
      gst_tfrc_dtls_context_get_credentials (config->context));
}

static void
set_up_hello (GstTfrcDtlsSession * self, const GstTfrcDtlsHello * hello)
{
  gnutls_dtls_prestate_st prestate = { hello->record_seq, hello->read_seq,
    hello->write_seq
  };

  gnutls_dtls_prestate_set (self->session, &prestate);
}

GstTfrcDtlsSession *
gst_tfrc_dtls_session_new (const GstTfrcDtlsSessionConfig * config,
    GstClockTime now)
{
  GstTfrcDtlsSession *self;
  guint64 handshake = 0;

  if (config->hello != NULL) {
    handshake = gst_tfrc_dtls_context_begin_handshake (config->context,
        config->caller, now);
    if (handshake == 0)
      return NULL;
  }
  self = g_new0 (GstTfrcDtlsSession, 1);
  self->context = gst_tfrc_dtls_context_ref (config->context);
  self->client = config->hello == NULL;
  self->handshake = handshake;
  self->send = config->send;
  self->user_data = config->user_data;
  self->fingerprints = g_strdup (config->fingerprints);
  self->begun = now;
  self->flight_sent = self->rtt = GST_CLOCK_TIME_NONE;
  gst_tfrc_dtls_flight_limit_init (&self->flight);
  self->rto = RTO_FIRST;
  self->retransmission = self->client ? now : GST_CLOCK_TIME_NONE;
  self->deadline = self->client ? GST_CLOCK_TIME_NONE : now + HANDSHAKE_TIME;
  if (set_up_session (self, config) < 0) {
    gst_tfrc_dtls_session_free (self);
    return NULL;
  }
  if (config->hello != NULL)
    set_up_hello (self, config->hello);
  return self;
}

static void
release_handshake (GstTfrcDtlsSession * self)
{
  if (self->handshake != 0)
    gst_tfrc_dtls_context_end_handshake (self->context, self->handshake);
  self->handshake = 0;
}

static gboolean
has_lost_turn (const GstTfrcDtlsSession * self)
{
  return self->handshake != 0
      && !gst_tfrc_dtls_context_has_handshake (self->context, self->handshake);
}

void
gst_tfrc_dtls_session_free (GstTfrcDtlsSession * self)
{
  release_handshake (self);
  if (self->session != NULL)
    gnutls_deinit (self->session);
  gst_tfrc_dtls_context_unref (self->context);
  g_free (self->fingerprints);
  g_free (self->error);
  g_free (self);
}

/* --- the handshake --- */

static void
end_handshake (GstTfrcDtlsSession * self, GstTfrcDtlsState state)
{
  release_handshake (self);
  self->state = state;
  self->retransmission = self->deadline = GST_CLOCK_TIME_NONE;
  GST_DEBUG ("%p: %s, state %d, remote %s: %s", self,
      self->client ? "client" : "server", state, self->remote,
      self->error != NULL ? self->error : "no error");
}

static void
fail (GstTfrcDtlsSession * self, gint ret)
{
  gboolean alert = ret == GNUTLS_E_FATAL_ALERT_RECEIVED;

  self->error = g_strdup (alert ?
      gnutls_alert_get_name (gnutls_alert_get (self->session)) :
      gnutls_strerror (ret));
  if (!alert)
    gnutls_alert_send (self->session, GNUTLS_AL_FATAL,
        self->remote[0] != '\0' && ret == GNUTLS_E_CERTIFICATE_ERROR ?
        GNUTLS_A_BAD_CERTIFICATE : GNUTLS_A_HANDSHAKE_FAILURE);
  end_handshake (self, self->refused ? GST_TFRC_DTLS_REFUSED :
      GST_TFRC_DTLS_FAILED);
}

static void
finish (GstTfrcDtlsSession * self)
{
  if (!check_peer (self))
    fail (self, GNUTLS_E_CERTIFICATE_ERROR);
  else if (!gst_tfrc_dtls_profile_is_agreed (self->session))
    fail (self, GNUTLS_E_MISSING_EXTENSION);
  else
    end_handshake (self, GST_TFRC_DTLS_OPEN);
}

/* What has arrived completes an answer if it made this end send its next flight, or ended the handshake. Which
 * transmission of a flight the answer is to cannot be told: the time from the first one on is never too short. */
static void
measure_rtt (GstTfrcDtlsSession * self, GstClockTime now)
{
  if (!self->flight.advanced && self->state != GST_TFRC_DTLS_OPEN)
    return;
  if (GST_CLOCK_TIME_IS_VALID (self->flight_sent))
    self->rtt = MIN (self->rtt, now - self->flight_sent);
  self->flight_sent = now;
}

/* Runs the handshake until GnuTLS waits for a datagram. */
static void
run_handshake (GstTfrcDtlsSession * self, GstClockTime now)
{
  guint records = 0;
  gint ret;

  gst_tfrc_dtls_flight_limit_call (&self->flight, now);
  do
    ret = gnutls_handshake (self->session);
  while (ret < 0 && ret != GNUTLS_E_AGAIN && !gnutls_error_is_fatal (ret) &&
      ++records < RECORDS);
  if (ret == GNUTLS_E_SUCCESS)
    finish (self);
  else if (gnutls_error_is_fatal (ret))
    fail (self, ret);
  measure_rtt (self, now);
}

static void
set_retransmission (GstTfrcDtlsSession * self, GstClockTime now)
{
  GstClockTime max = self->deadline == GST_CLOCK_TIME_NONE &&
      now > self->begun + PATIENCE ? RTO_PATIENT : RTO_MAX;

  self->rto = MIN (self->rto, max);
  self->retransmission = now + self->rto;
  self->rto *= 2;
}

/* FALSE: the remote has sent more than a handshake takes. */
static gboolean
take_handshake (GstTfrcDtlsSession * self, GstClockTime now)
{
  if (self->deadline == GST_CLOCK_TIME_NONE)
    self->deadline = now + HANDSHAKE_TIME;
  if (++self->datagrams > DATAGRAMS)
    return FALSE;
  if (has_lost_turn (self)) {
    fail (self, GNUTLS_E_TIMEDOUT);
    return TRUE;
  }
  run_handshake (self, now);
  if (self->state == GST_TFRC_DTLS_HANDSHAKE && self->flight.advanced) {
    self->rto = RTO_FIRST;
    set_retransmission (self, now);
  }
  return TRUE;
}

/* --- an open association --- */

/* The remote may end the association, and may send its last flight again when ours was lost. Application
 * data have no use here. */
static void
take_records (GstTfrcDtlsSession * self, GstClockTime now)
{
  guint8 data[MTU];
  guint records = 0;
  gssize ret;

  gst_tfrc_dtls_flight_limit_call (&self->flight, now);
  do
    ret = gnutls_record_recv (self->session, data, sizeof data);
  while (ret != 0 && ret != GNUTLS_E_AGAIN && !gnutls_error_is_fatal (ret) &&
      ++records < RECORDS);
  if (ret == 0 || gnutls_error_is_fatal (ret))
    end_handshake (self, GST_TFRC_DTLS_CLOSED);
}

gboolean
gst_tfrc_dtls_session_on_datagram (GstTfrcDtlsSession * self,
    const guint8 * data, gsize size, GstClockTime now)
{
  gboolean taken = TRUE;

  if (!gst_tfrc_dtls_fragment_check_may_pass (&self->fragments, data, size,
          MESSAGE_MAX)) {
    GST_LOG ("%p: %" G_GSIZE_FORMAT " bytes are no records, or fragments that "
        "do not fit each other", self, size);
    return FALSE;
  }
  self->in = data;
  self->in_size = size;
  if (self->state == GST_TFRC_DTLS_HANDSHAKE)
    taken = take_handshake (self, now);
  else if (self->state == GST_TFRC_DTLS_OPEN)
    take_records (self, now);
  self->in = NULL;
  self->in_size = 0;
  return taken;
}

void
gst_tfrc_dtls_session_on_time (GstTfrcDtlsSession * self, GstClockTime now)
{
  if (self->state != GST_TFRC_DTLS_HANDSHAKE)
    return;
  if (now >= self->deadline || has_lost_turn (self)) {
    fail (self, GNUTLS_E_TIMEDOUT);
  } else if (now >= self->retransmission) {
    gst_tfrc_dtls_flight_limit_allow (&self->flight);
    run_handshake (self, now);
    if (self->state == GST_TFRC_DTLS_HANDSHAKE)
      set_retransmission (self, now);
  }
}

GstClockTime
gst_tfrc_dtls_session_next_time (const GstTfrcDtlsSession * self)
{
  return MIN (self->retransmission, self->deadline);
}

void
gst_tfrc_dtls_session_close (GstTfrcDtlsSession * self)
{
  if (self->state == GST_TFRC_DTLS_OPEN)
    gnutls_bye (self->session, GNUTLS_SHUT_WR);
}

/* --- results --- */

GstTfrcDtlsState
gst_tfrc_dtls_session_get_state (const GstTfrcDtlsSession * self)
{
  return self->state;
}

gboolean
gst_tfrc_dtls_session_is_client (const GstTfrcDtlsSession * self)
{
  return self->client;
}

gboolean
gst_tfrc_dtls_session_is_answered (const GstTfrcDtlsSession * self)
{
  return !self->client || self->datagrams > 0;
}

void
gst_tfrc_dtls_session_get_random (const GstTfrcDtlsSession * self,
    guint8 random[GST_TFRC_DTLS_RANDOM_SIZE])
{
  gnutls_datum_t client = { NULL, 0 }, server = { NULL, 0 };

  memset (random, 0, GST_TFRC_DTLS_RANDOM_SIZE);
  gnutls_session_get_random (self->session, &client, &server);
  if (client.data != NULL && client.size == GST_TFRC_DTLS_RANDOM_SIZE)
    memcpy (random, client.data, client.size);
}

void
gst_tfrc_dtls_session_get_keys (const GstTfrcDtlsSession * self,
    GstTfrcSrtpKeys * keys)
{
  *keys = (GstTfrcSrtpKeys) {
      .size = 0};
  g_return_if_fail (self->state == GST_TFRC_DTLS_OPEN);
  gst_tfrc_dtls_profile_get_keys (self->session, self->client, keys);
}

const gchar *
gst_tfrc_dtls_session_get_remote_fingerprint (const GstTfrcDtlsSession * self)
{
  return self->remote;
}

GstClockTime
gst_tfrc_dtls_session_get_rtt (const GstTfrcDtlsSession * self)
{
  return self->rtt;
}

const gchar *
gst_tfrc_dtls_session_get_error (const GstTfrcDtlsSession * self)
{
  return self->error;
}
