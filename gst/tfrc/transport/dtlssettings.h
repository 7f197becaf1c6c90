/* gst-tfrc: the properties of DTLS that each peer may have of its own
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The owner reads and writes the values under a lock of its own. */
#ifndef GST_TFRC_DTLSSETTINGS_H
#define GST_TFRC_DTLSSETTINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Which end sends the ClientHello. The words are those of SDP (RFC 4145 4, RFC 5763 5).
 * @GST_TFRC_DTLS_AUTO: this end to a peer that was added, the remote when it has called. Two ends
 * that were added to each other agree on one of them
 * @GST_TFRC_DTLS_ACTIVE: this end
 * @GST_TFRC_DTLS_PASSIVE: the remote */
typedef enum
{
  GST_TFRC_DTLS_AUTO,
  GST_TFRC_DTLS_ACTIVE,
  GST_TFRC_DTLS_PASSIVE
} GstTfrcDtlsSetup;

#define GST_TYPE_TFRC_DTLS_SETUP (gst_tfrc_dtls_setup_get_type ())
GType gst_tfrc_dtls_setup_get_type (void);

/* The properties, in the order of their ids from the one on that an element chooses. */
enum
{
  GST_TFRC_DTLS_PROP_SETUP,
  GST_TFRC_DTLS_PROP_PEER_FINGERPRINT,
  GST_TFRC_N_DTLS_PROPS
};

typedef struct
{
  GstTfrcDtlsSetup setup;
  gchar *peer_fingerprint;      /* a list, transport/dtlsfingerprint.h; NULL: none */
} GstTfrcDtlsSettings;

void gst_tfrc_dtls_settings_install (GObjectClass * klass, guint first_id);
void gst_tfrc_dtls_settings_copy (GstTfrcDtlsSettings * to,
    const GstTfrcDtlsSettings * from);
void gst_tfrc_dtls_settings_clear (GstTfrcDtlsSettings * settings);

/* `prop` is one of the properties above. FALSE: it is none. */
gboolean gst_tfrc_dtls_settings_set (GstTfrcDtlsSettings * settings, guint prop,
    const GValue * value);
gboolean gst_tfrc_dtls_settings_get (const GstTfrcDtlsSettings * settings,
    guint prop, GValue * value);

/* Returns NULL, or a sentence for the user that names what is wrong. */
gchar *gst_tfrc_dtls_settings_check (const GstTfrcDtlsSettings * settings);

G_END_DECLS

#endif
