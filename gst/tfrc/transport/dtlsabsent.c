/* gst-tfrc: DTLS of a build without GnuTLS, which says that there is none
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gst_tfrc_dtls_context_new() fails and says why. Where there is no context, no other function is
 * called. */
#include "transport/dtlssession.h"

GstTfrcDtlsContext *
gst_tfrc_dtls_context_new (const gchar * certificate, gchar ** error)
{
  *error = g_strdup ("gst-tfrc was built without DTLS. Build it with GnuTLS "
      "(Debian: libgnutls28-dev) and -Ddtls=enabled, or use \"srtp-key\".");
  return NULL;
}

GstTfrcDtlsContext *
gst_tfrc_dtls_context_ref (GstTfrcDtlsContext * context)
{
  return context;
}

void
gst_tfrc_dtls_context_unref (GstTfrcDtlsContext * context)
{
}

const gchar *
gst_tfrc_dtls_context_get_fingerprint (const GstTfrcDtlsContext * context)
{
  return NULL;
}

const guint8 *
gst_tfrc_dtls_find_hello (const guint8 * data, gsize size)
{
  return NULL;
}

gboolean
gst_tfrc_dtls_is_rest_of_hello (const guint8 * data, gsize size)
{
  return FALSE;
}

gboolean
gst_tfrc_dtls_context_check_hello (GstTfrcDtlsContext * context,
    const GstTfrcUdpAddress * address, const guint8 * data, gsize size,
    GstTfrcDtlsHello * hello, GstTfrcDtlsSendFunc send, gpointer user_data,
    GstClockTime now)
{
  return FALSE;
}

void
gst_tfrc_dtls_context_get_stats (const GstTfrcDtlsContext * context,
    GstTfrcDtlsContextStats * stats)
{
  *stats = (GstTfrcDtlsContextStats) {0};
}

GstTfrcDtlsSession *
gst_tfrc_dtls_session_new (const GstTfrcDtlsSessionConfig * config,
    GstClockTime now)
{
  return NULL;
}

void
gst_tfrc_dtls_session_free (GstTfrcDtlsSession * session)
{
}

GstTfrcDtlsState
gst_tfrc_dtls_session_get_state (const GstTfrcDtlsSession * session)
{
  return GST_TFRC_DTLS_FAILED;
}

gboolean
gst_tfrc_dtls_session_is_client (const GstTfrcDtlsSession * session)
{
  return FALSE;
}

gboolean
gst_tfrc_dtls_session_is_answered (const GstTfrcDtlsSession * session)
{
  return FALSE;
}

void
gst_tfrc_dtls_session_get_random (const GstTfrcDtlsSession * session,
    guint8 random[GST_TFRC_DTLS_RANDOM_SIZE])
{
}

gboolean
gst_tfrc_dtls_session_on_datagram (GstTfrcDtlsSession * session,
    const guint8 * data, gsize size, GstClockTime now)
{
  return FALSE;
}

void
gst_tfrc_dtls_session_on_time (GstTfrcDtlsSession * session, GstClockTime now)
{
}

GstClockTime
gst_tfrc_dtls_session_next_time (const GstTfrcDtlsSession * session)
{
  return GST_CLOCK_TIME_NONE;
}

void
gst_tfrc_dtls_session_close (GstTfrcDtlsSession * session)
{
}

void
gst_tfrc_dtls_session_get_keys (const GstTfrcDtlsSession * session,
    GstTfrcSrtpKeys * keys)
{
}

const gchar *
gst_tfrc_dtls_session_get_remote_fingerprint (const
    GstTfrcDtlsSession * session)
{
  return "";
}

GstClockTime
gst_tfrc_dtls_session_get_rtt (const GstTfrcDtlsSession * session)
{
  return GST_CLOCK_TIME_NONE;
}

const gchar *
gst_tfrc_dtls_session_get_error (const GstTfrcDtlsSession * session)
{
  return NULL;
}
