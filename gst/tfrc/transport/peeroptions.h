/* gst-tfrc: what a peer of tfrcbin may have of its own, and how an application says it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element has the options as properties, which hold for peer 0 and for peers that call. A peer that the
 * application adds by the signal add-peer has the same options, except for the keys and for those that the structure
 * of the signal names. A field of that structure has the name of the property; its value has the type of the property,
 * or is a string as gst-launch-1.0 would take it. */
#ifndef GST_TFRC_PEEROPTIONS_H
#define GST_TFRC_PEEROPTIONS_H

#include "transport/peer.h"

G_BEGIN_DECLS

/* The properties, in the order of their ids from the one on that the element chooses. */
enum
{
  GST_TFRC_PEER_PROP_MODE,
  GST_TFRC_PEER_PROP_MTU,
  GST_TFRC_PEER_PROP_HEADER_SIZE,
  GST_TFRC_PEER_PROP_EXTENSION_ID,
  GST_TFRC_PEER_PROP_FEEDBACK_FMT,
  GST_TFRC_PEER_PROP_EXPERIMENTAL,
  GST_TFRC_PEER_PROP_MIN_BITRATE,
  GST_TFRC_PEER_PROP_MAX_BITRATE,
  GST_TFRC_PEER_PROP_MAX_QUEUE_TIME,
  GST_TFRC_PEER_PROP_MAX_QUEUE_PACKETS,
  GST_TFRC_PEER_PROP_CIRCUIT_BREAKER,
  GST_TFRC_PEER_PROP_MAX_LOSS,
  GST_TFRC_PEER_PROP_INITIAL_RTT,
  GST_TFRC_PEER_PROP_FEEDBACK,
  GST_TFRC_PEER_PROP_SYNC,
  GST_TFRC_PEER_PROP_DSCP,
  GST_TFRC_PEER_PROP_ECN,
  GST_TFRC_PEER_PROP_LATENCY,
  GST_TFRC_PEER_PROP_MIN_LATENCY,
  GST_TFRC_PEER_PROP_MAX_LATENCY,
  GST_TFRC_PEER_PROP_RTCP_PORT,
  GST_TFRC_PEER_PROP_CAPS,
  GST_TFRC_PEER_PROP_SRTP,
  GST_TFRC_PEER_PROP_DTLS = GST_TFRC_PEER_PROP_SRTP + GST_TFRC_N_SRTP_PROPS,
  GST_TFRC_N_PEER_PROPS = GST_TFRC_PEER_PROP_DTLS + GST_TFRC_N_DTLS_PROPS
};

typedef struct
{
  gchar *label;                 /* NULL: none */
  GstTfrcFilterSettings filter; /* without session and context */
  guint latency;                /* of the playout buffer, ms */
  guint min_latency, max_latency;       /* of an adaptive delay, ms; no `max_latency`: 0 */
  GstTfrcEcn ecn;
  guint rtcp_port;              /* of the peer; 0: that of its RTP */
  GstCaps *caps;                /* what arrives */
  GstTfrcSrtpSettings srtp;
  gboolean has_dtls;            /* the element has a certificate; not an option */
  GstTfrcDtlsSettings dtls;
  GstTfrcSrtpEnd end;           /* which end of a call this is, if it can be told */
  gboolean only_sends, only_receives;   /* as in GstTfrcPeerSettings */
  gboolean alone;
  gboolean own;                 /* they may differ from those of the element */
} GstTfrcPeerOptions;

void gst_tfrc_peer_options_install (GObjectClass * klass, guint first_id);

void gst_tfrc_peer_options_init (GstTfrcPeerOptions * options);
/* `to` has no value before. */
void gst_tfrc_peer_options_copy (GstTfrcPeerOptions * to,
    const GstTfrcPeerOptions * from);
void gst_tfrc_peer_options_clear (GstTfrcPeerOptions * options);

/* The property above of that name; GST_TFRC_N_PEER_PROPS: there is none. */
guint gst_tfrc_peer_options_find (const gchar * name);

/* `prop` is one of the properties above. FALSE: it is none, or cannot be read. */
gboolean gst_tfrc_peer_options_set (GstTfrcPeerOptions * options, guint prop,
    const GValue * value);
gboolean gst_tfrc_peer_options_get (const GstTfrcPeerOptions * options,
    guint prop, GValue * value);

/* Takes the fields of a structure, or none of NULL. `klass` has the properties. Returns NULL, or a
 * sentence that names what is wrong. */
gchar *gst_tfrc_peer_options_read (GstTfrcPeerOptions * options,
    GObjectClass * klass, const GstStructure * fields);

/* Fills in what follows from the options, keys and certificate apart. Returns NULL, or a sentence that names what
 * is wrong. */
gchar *gst_tfrc_peer_options_fill (const GstTfrcPeerOptions * options,
    GstTfrcPeerSettings * settings);
void gst_tfrc_peer_settings_clear (GstTfrcPeerSettings * settings);

/* Returns NULL, or a sentence that names what is wrong with the options. */
gchar *gst_tfrc_peer_options_check (const GstTfrcPeerOptions * options);

/* `common`, or new settings for options of the peer's own, which have passed the check. With DTLS a
 * peer that was added, and has not called, always has options of its own. */
GstTfrcPeerSettings *gst_tfrc_peer_options_apply (const GstTfrcPeerOptions *
    options, GstTfrcPeerSettings * common, gboolean called);

G_END_DECLS

#endif
