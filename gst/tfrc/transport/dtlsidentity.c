/* gst-tfrc: the certificate of an element, by the properties certificate and fingerprint
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsidentity.h"

#include "base/secret.h"

void
gst_tfrc_dtls_identity_install (GObjectClass * klass, guint certificate_id,
    guint fingerprint_id)
{
  /**
   * GstTfrcBin:certificate:
   *
   * Name of the PEM file with certificate and private key of this end, which
   * is made if it does not exist, or the text of such a file (not set: a new
   * certificate each time). Cannot be read. A file keeps the fingerprint the
   * same from one call to the next.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, certificate_id,
      g_param_spec_string ("certificate", "Certificate",
          "Name of the PEM file with certificate and private key of this end, "
          "which is made if it does not exist, or the text of such a file "
          "(not set: a new certificate each time). Cannot be read", NULL,
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  /**
   * GstTfrcBin:fingerprint:
   *
   * SHA-256 fingerprint of the certificate of this end: the peer-fingerprint
   * that the other end sets (not set: no dtls, or before READY). It is to reach
   * the other person on a way that nobody can change unnoticed.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, fingerprint_id,
      g_param_spec_string ("fingerprint", "Fingerprint",
          "SHA-256 fingerprint of the certificate of this end: the "
          "peer-fingerprint that the other end sets (not set: no dtls, or "
          "before READY)", NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_tfrc_dtls_identity_set (GstTfrcDtlsIdentity * identity,
    const gchar * certificate)
{
  gst_tfrc_secret_free (identity->certificate);
  identity->certificate = g_strdup (certificate);
}

const gchar *
gst_tfrc_dtls_identity_get_fingerprint (const GstTfrcDtlsIdentity * identity)
{
  return identity->context != NULL ?
      gst_tfrc_dtls_context_get_fingerprint (identity->context) : NULL;
}

gchar *
gst_tfrc_dtls_identity_open (GstTfrcDtlsIdentity * identity,
    GstElement * element)
{
  GstTfrcDtlsContext *context;
  gchar *certificate, *error = NULL;

  if (identity->context != NULL)
    return NULL;
  GST_OBJECT_LOCK (element);
  certificate = g_strdup (identity->certificate);
  GST_OBJECT_UNLOCK (element);
  context = gst_tfrc_dtls_context_new (certificate, &error);
  gst_tfrc_secret_free (certificate);
  if (context == NULL)
    return error;
  GST_OBJECT_LOCK (element);
  identity->context = context;
  GST_OBJECT_UNLOCK (element);
  g_object_notify (G_OBJECT (element), "fingerprint");
  return NULL;
}

void
gst_tfrc_dtls_identity_close (GstTfrcDtlsIdentity * identity,
    GstElement * element)
{
  GstTfrcDtlsContext *context;

  GST_OBJECT_LOCK (element);
  context = g_steal_pointer (&identity->context);
  GST_OBJECT_UNLOCK (element);
  if (context == NULL)
    return;
  gst_tfrc_dtls_context_unref (context);
  g_object_notify (G_OBJECT (element), "fingerprint");
}

gchar *
gst_tfrc_dtls_identity_add_to (const GstTfrcDtlsIdentity * identity,
    gchar * error)
{
  gchar *text;

  if (error == NULL || identity->context == NULL)
    return error;
  text = g_strdup_printf ("%s The fingerprint of this end is %s.", error,
      gst_tfrc_dtls_identity_get_fingerprint (identity));
  g_free (error);
  return text;
}
