/* gst-tfrc: properties of tfrcsink and tfrcsrc for UDP, RTCP and SRTP
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstTfrcTransportSettings holds the values that both bins have in common. The bin owns the
 * structure and reads and writes it under its object lock, or while it is in state NULL. */
#ifndef GST_TFRC_TRANSPORTSETTINGS_H
#define GST_TFRC_TRANSPORTSETTINGS_H

#include <gst/gst.h>

#include "transport/srtpkeys.h"

G_BEGIN_DECLS

enum
{
  GST_TFRC_TRANSPORT_PROP_RTCP_MUX = 1,
  GST_TFRC_TRANSPORT_PROP_DSCP,
  GST_TFRC_TRANSPORT_PROP_TTL,
  GST_TFRC_TRANSPORT_PROP_BUFFER_SIZE,
  GST_TFRC_TRANSPORT_PROP_SDES,
  GST_TFRC_TRANSPORT_PROP_SRTP_KEY,
  GST_TFRC_TRANSPORT_PROP_SRTP_CIPHER,
  GST_TFRC_TRANSPORT_PROP_SRTP_AUTH,
  GST_TFRC_N_TRANSPORT_SETTINGS
};

typedef struct
{
  gboolean rtcp_mux;
  gint dscp;                    /* -1: the packets are not marked */
  gint ttl;                     /* hops */
  gint buffer_size;             /* bytes; 0: as the system has it */
  GstStructure *sdes;           /* NULL: a random cname */
  gchar *srtp_key;              /* hexadecimal digits; NULL or empty: no SRTP */
  GstTfrcSrtpCipher srtp_cipher;
  GstTfrcSrtpAuth srtp_auth;
} GstTfrcTransportSettings;

void gst_tfrc_transport_settings_install (GObjectClass * klass);
void gst_tfrc_transport_settings_init (GstTfrcTransportSettings * settings);
void gst_tfrc_transport_settings_clear (GstTfrcTransportSettings * settings);

/* Return FALSE when the id is not one of the above, or when the property cannot be read. */
gboolean gst_tfrc_transport_settings_set (GstTfrcTransportSettings * settings, guint id,
    const GValue * value);
gboolean gst_tfrc_transport_settings_get (const GstTfrcTransportSettings * settings, guint id,
    GValue * value);

G_END_DECLS

#endif
