/* gst-tfrc: which payload types of a session TFRC controls, and which repair others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PAYLOADROLES_H
#define GST_TFRC_PAYLOADROLES_H

#include <gst/gst.h>

#include "filter/filtersettings.h"

G_BEGIN_DECLS

/* What a payload type is for, as its caps say. The RTP session answers the signal request-pt-map with the caps of a
 * payload type; webrtcbin makes these caps of the media descriptions that both ends agreed on. */
typedef enum
{
  GST_TFRC_PAYLOAD_CONTROLLED,  /* TFRC was agreed on, or nothing is known of the payload type */
  GST_TFRC_PAYLOAD_PASSED,      /* the caps are those of an SDP and negotiate neither TFRC nor feedback that lists
                                 * arrivals */
  GST_TFRC_PAYLOAD_RTX,         /* retransmission, RFC 4588 */
  GST_TFRC_PAYLOAD_FEC          /* forward error correction: RFC 5109, RFC 8627 */
} GstTfrcPayloadKind;

typedef struct
{
  GstTfrcPayloadKind kind;
  guint8 id;                    /* ID of the header extension; 0: the caps have none */
  guint8 transport_id;          /* ID of the one with the transport-wide sequence number; 0: the caps have none */
  GstTfrcFeedback feedback;     /* that the caps negotiate */
  gint8 mode;                   /* as gst_tfrc_caps_get_mode() has it */
  gboolean mode_agreed;
  gint8 repairs;                /* payload type that is repaired; -1: not known */
  guint8 asked;                 /* packets until the caps are asked for again; 0: ask */
  GstTfrcFlowWants wants;
  gboolean known;               /* the caps were there */
} GstTfrcPayloadRole;

/* The roles of all 128 payload types. Plain state, zero to begin with, and guarded by the lock of its owner. */
typedef struct
{
  GstTfrcPayloadRole roles[128];
} GstTfrcPayloadRoles;

/* A packet of the payload type came whose SSRC is not known. Returns TRUE when the owner is to ask for the caps of
 * the payload type: before the first such packet and, while there are no caps, once in 50 packets. */
gboolean gst_tfrc_payload_roles_wants_caps (GstTfrcPayloadRoles * roles, guint pt);

/* The caps of the payload type, or NULL when there are none. */
void gst_tfrc_payload_roles_set_caps (GstTfrcPayloadRoles * roles, guint pt, const GstCaps * caps);

/* The role of the payload type, in which `settings` take precedence over the caps. */
GstTfrcPayloadRole gst_tfrc_payload_roles_get (const GstTfrcPayloadRoles * roles,
    const GstTfrcFilterSettings * settings, guint pt);

/* Whether `settings`, or the caps `pad_caps` of the retransmitter in front of the filter (or NULL), say that `ssrc`
 * repairs another SSRC, which `repaired` is set to. */
gboolean gst_tfrc_repaired_ssrc_find (const GstTfrcFilterSettings * settings,
    const GstCaps * pad_caps, guint32 ssrc, guint32 * repaired);

G_END_DECLS

#endif
