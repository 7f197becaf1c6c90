/* gst-tfrc: the certificate of an element, by the properties certificate and fingerprint
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An element has one certificate for all of its peers. It is opened on the way to READY, so that an
 * application can tell the other end the fingerprint before it knows the other end's fingerprint, and closed on the
 * way to NULL. The object lock of the element guards the fields. */
#ifndef GST_TFRC_DTLSIDENTITY_H
#define GST_TFRC_DTLSIDENTITY_H

#include "transport/dtlscontext.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *certificate;           /* the property: a file's name or PEM; NULL: made anew each time */
  GstTfrcDtlsContext *context;  /* NULL: not open */
} GstTfrcDtlsIdentity;

/* Installs certificate, which can only be set, and fingerprint, which can only be read. */
void gst_tfrc_dtls_identity_install (GObjectClass * klass,
    guint certificate_id, guint fingerprint_id);

/* With the object lock. NULL sets nothing. The old text, which may have a private key, is wiped. */
void gst_tfrc_dtls_identity_set (GstTfrcDtlsIdentity * identity,
    const gchar * certificate);
/* With the object lock. NULL: it is not open. */
const gchar *gst_tfrc_dtls_identity_get_fingerprint (const GstTfrcDtlsIdentity *
    identity);

/* Without the object lock. Notifies the property fingerprint when it changes. An identity that is open
 * stays as it is. Returns NULL, or a sentence for the user that names what is wrong. */
gchar *gst_tfrc_dtls_identity_open (GstTfrcDtlsIdentity * identity,
    GstElement * element);
void gst_tfrc_dtls_identity_close (GstTfrcDtlsIdentity * identity,
    GstElement * element);

/* Adds the fingerprint of an open identity to a sentence for the user, which may be NULL and is taken. */
gchar *gst_tfrc_dtls_identity_add_to (const GstTfrcDtlsIdentity * identity,
    gchar * error);

G_END_DECLS

#endif
