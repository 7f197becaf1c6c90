/* gst-tfrc: the properties of DTLS that each peer may have of its own
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlssettings.h"

#include "transport/dtlsfingerprint.h"

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | \
    GST_PARAM_MUTABLE_READY)

GType
gst_tfrc_dtls_setup_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_DTLS_AUTO,
          "Active to peers that are added, passive to those that " "call",
        "auto"},
    {GST_TFRC_DTLS_ACTIVE, "This end begins the handshake", "active"},
    {GST_TFRC_DTLS_PASSIVE, "The peer begins the handshake", "passive"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstTfrcDtlsSetup", values));
  return type;
}

void
gst_tfrc_dtls_settings_install (GObjectClass * klass, guint first_id)
{
  /**
   * GstTfrcBin:dtls-setup:
   *
   * Which end begins the DTLS handshake with a peer: this one (active), the
   * peer (passive), or whoever adds the other (auto). The words are those of
   * SDP (a=setup, RFC 5763). Two ends of gst-tfrc that are added to each other
   * agree; with other software set one end to active and the other to passive.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first_id + GST_TFRC_DTLS_PROP_SETUP,
      g_param_spec_enum ("dtls-setup", "DTLS setup",
          "Which end begins the DTLS handshake with a peer: this one (active), "
          "the peer (passive), or whoever adds the other (auto)",
          GST_TYPE_TFRC_DTLS_SETUP, GST_TFRC_DTLS_AUTO, SETTING));
  /**
   * GstTfrcBin:peer-fingerprint:
   *
   * Fingerprint that the certificate of a peer must have with dtls:
   * the property fingerprint of the other end. Several have commas between
   * them, and "any" lets everybody in. It is that of peer 0 and of peers that
   * call; those that are added have theirs by the option of
   * #GstTfrcBin::add-peer. With "any" the call is encrypted, but nothing tells
   * who the peer is unless the application compares the fingerprint in the
   * message.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass,
      first_id + GST_TFRC_DTLS_PROP_PEER_FINGERPRINT,
      g_param_spec_string ("peer-fingerprint", "Peer fingerprint",
          "Fingerprint that the certificate of a peer must have with dtls: "
          "the property fingerprint of the other end. Several have commas "
          "between them, and \"any\" lets everybody in", NULL, SETTING));
}

void
gst_tfrc_dtls_settings_copy (GstTfrcDtlsSettings * to,
    const GstTfrcDtlsSettings * from)
{
  to->setup = from->setup;
  to->peer_fingerprint = g_strdup (from->peer_fingerprint);
}

void
gst_tfrc_dtls_settings_clear (GstTfrcDtlsSettings * settings)
{
  g_clear_pointer (&settings->peer_fingerprint, g_free);
}

gboolean
gst_tfrc_dtls_settings_set (GstTfrcDtlsSettings * settings, guint prop,
    const GValue * value)
{
  switch (prop) {
    case GST_TFRC_DTLS_PROP_SETUP:
      settings->setup = g_value_get_enum (value);
      break;
    case GST_TFRC_DTLS_PROP_PEER_FINGERPRINT:
      g_free (settings->peer_fingerprint);
      settings->peer_fingerprint = g_value_dup_string (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_tfrc_dtls_settings_get (const GstTfrcDtlsSettings * settings, guint prop,
    GValue * value)
{
  if (prop == GST_TFRC_DTLS_PROP_SETUP)
    g_value_set_enum (value, settings->setup);
  else if (prop == GST_TFRC_DTLS_PROP_PEER_FINGERPRINT)
    g_value_set_string (value, settings->peer_fingerprint);
  else
    return FALSE;
  return TRUE;
}

gchar *
gst_tfrc_dtls_settings_check (const GstTfrcDtlsSettings * settings)
{
  const gchar *list = settings->peer_fingerprint;

  if (list == NULL || *list == '\0')
    return g_strdup ("With \"dtls\" each peer needs \"peer-fingerprint\". Set "
        "it to what the property \"fingerprint\" of the other end says, or to "
        "any.");
  if (!gst_tfrc_dtls_fingerprints_are_valid (list))
    return g_strdup_printf ("\"%s\" cannot be the \"peer-fingerprint\", which "
        "is 32 bytes in hexadecimal digits with colons between them "
        "(SHA-256), several of that with commas between them, or any.", list);
  return NULL;
}
