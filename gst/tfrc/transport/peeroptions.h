/* gst-tfrc: what one peer of tfrcbin has of its own, and how an application says it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Peer 0 has its options by properties of the element, other peers by the structure that is given
 * to the signal add-peer. A field of that structure is called as the property is, and has its
 * type or is a string as gst-launch-1.0 would take it. */
#ifndef GST_TFRC_PEEROPTIONS_H
#define GST_TFRC_PEEROPTIONS_H

#include "transport/peer.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *label;                 /* NULL: none */
  GstTfrcSrtpSettings srtp;
} GstTfrcPeerOptions;

void gst_tfrc_peer_options_init (GstTfrcPeerOptions * options);
void gst_tfrc_peer_options_copy (GstTfrcPeerOptions * to,
    const GstTfrcPeerOptions * from);
void gst_tfrc_peer_options_clear (GstTfrcPeerOptions * options);

/* Takes the fields of a structure, or none of NULL. `klass` has the properties. Returns NULL, or a
 * sentence that names what is wrong. */
gchar *gst_tfrc_peer_options_read (GstTfrcPeerOptions * options,
    GObjectClass * klass, const GstStructure * fields);

/* Returns NULL, or a sentence that names what is wrong with the options. */
gchar *gst_tfrc_peer_options_check (const GstTfrcPeerOptions * options);

/* `common`, or settings of the peer's own that its options change. The options have passed the
 * check, and may be NULL. */
GstTfrcPeerSettings *gst_tfrc_peer_options_apply (const GstTfrcPeerOptions *
    options, GstTfrcPeerSettings * common);

G_END_DECLS

#endif
