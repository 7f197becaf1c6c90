/* gst-tfrc: properties that tfrcsink and tfrcsrc have in common
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENDPROPERTIES_H
#define GST_TFRC_ENDPROPERTIES_H

#include <gst/gst.h>

#include "transport/srtpkeys.h"

G_BEGIN_DECLS

/* --- UDP, RTCP and SRTP --- */

enum
{
  GST_TFRC_TRANSPORT_PROP_RTCP_MUX = 1,
  GST_TFRC_TRANSPORT_PROP_DSCP,
  GST_TFRC_TRANSPORT_PROP_TTL,
  GST_TFRC_TRANSPORT_PROP_BUFFER_SIZE,
  GST_TFRC_TRANSPORT_PROP_SDES,
  GST_TFRC_TRANSPORT_PROP_SRTP,
  GST_TFRC_N_TRANSPORT_SETTINGS = GST_TFRC_TRANSPORT_PROP_SRTP +
      GST_TFRC_N_SRTP_PROPS
};

/* The values of the properties above. The bin owns the structure and reads and writes it under
 * its object lock, or while the bin is in state NULL. */
typedef struct
{
  gboolean rtcp_mux;            /* RTP and RTCP share one port */
  gint dscp;                    /* -1: the packets are not marked */
  gint ttl;                     /* hops */
  gint buffer_size;             /* bytes; 0: as the system has it */
  GstStructure *sdes;           /* NULL: a random cname */
  GstTfrcSrtpSettings srtp;
} GstTfrcTransportSettings;

void gst_tfrc_transport_settings_install (GObjectClass * klass);
void gst_tfrc_transport_settings_init (GstTfrcTransportSettings * settings);
void gst_tfrc_transport_settings_clear (GstTfrcTransportSettings * settings);

/* Return FALSE when the id is not one of the above, or when the property cannot be read. */
gboolean gst_tfrc_transport_settings_set (GstTfrcTransportSettings * settings, guint id,
    const GValue * value);
gboolean gst_tfrc_transport_settings_get (const GstTfrcTransportSettings * settings, guint id,
    GValue * value);

/* --- properties of a child ---
 *
 * A bin installs properties with the names, texts and ranges of those of an element inside it.
 * The bin itself gets and sets them on that element. */

/* Installs on `klass` a copy of each property of the element `factory` that `names`
 * (NULL-terminated) lists, with the ids from `first_id` on, and with `flags` or, when that is 0,
 * the flags that they have there. Returns the next free id. */
guint gst_tfrc_child_properties_install (GObjectClass * klass, guint first_id,
    const gchar * factory, const gchar * const *names, GParamFlags flags);

G_END_DECLS

#endif
