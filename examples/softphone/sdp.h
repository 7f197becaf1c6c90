/* gst-tfrc: the SDP of a voice call with TFRC, as offers and answers of SIP carry it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An SdpSide is what one end says of itself: where it receives, with which payload types, and what it
 * can do. This end makes its side by sdp_make_offer() or sdp_make_answer() and the text of it by
 * sdp_format(); sdp_parse() reads the side of the other end. sdp_negotiate() puts two sides together.
 * The exchange is that of RFC 3264.
 *
 * TFRC is agreed on by three lines (docs/wire-format.md): extmap, rtcp-fb and fmtp with tfrc-mode. A phone
 * that does not know them ignores them, and so the profile that is offered is RTP/AVP, which
 * every phone has. Keys are offered beside it as RFC 8643 has it (opportunistic SRTP). */
#ifndef SOFTPHONE_SDP_H
#define SOFTPHONE_SDP_H

#include <gst/sdp/gstsdpmessage.h>

#include "call.h"

G_BEGIN_DECLS

#define SDP_NONE -1             /* a payload type that there is not */

#define SDP_MEDIA_MAX 8         /* of one SDP; more are refused */

typedef struct
{
  gchar host[256];              /* a numeric address */
  guint port;
  guint n_media, audio;         /* how many m= lines there are, and which of them is this one */
  gchar others[SDP_MEDIA_MAX][64];      /* the other m= lines as an answer refuses them, by number */
  gchar proto[32];              /* "RTP/AVP", "RTP/SAVPF", ... */
  gint opus, pcmu, red;         /* payload types */
  gint dtmf, dtmf_opus;         /* of telephone events with the clock of PCMU, and with that of Opus */
  gboolean pcmu_first;          /* PCMU is preferred to Opus */
  guint ptime;                  /* ms, that the end wants; 0: it does not say */
  guint extension_id;           /* of the header extension of TFRC; 0: none */
  gboolean tfrc_feedback, tfrc_mode;    /* the other two lines */
  gboolean mux;                 /* RTP and RTCP on one port, RFC 5761 */
  guint rtcp_port;              /* without mux */
  gint crypto_tag;              /* of SDES, RFC 4568; 0: no key */
  gchar key[CALL_KEY_LENGTH + 1];       /* hexadecimal: what the end encrypts with */
  gboolean short_auth;          /* with AES_CM_128_HMAC_SHA1_32 */
  gchar fingerprint[128];       /* of DTLS, RFC 8122; "": none */
  gchar setup[16];              /* "actpass", "active", "passive" or "" */
  gboolean sends, hears;        /* direction, RFC 3264 5.1 */
  IceSide ice;                  /* with `mux` */
} SdpSide;

/* What this end can do and wants. */
typedef struct
{
  const gchar *codecs;          /* "OPUS,PCMU", "PCMU", ...: what is offered, the best first */
  gboolean keys;                /* SDES and DTLS are offered, and taken */
} SdpSettings;

/* Reads the text. FALSE: there is nothing in it that this phone can do, and `error` says why. A name in place of a
 * numeric address is refused: anybody can send an SDP, and looking up a name may take seconds. So is an address of a
 * group, which would be sent the call, and a text above 16 kB. */
gboolean sdp_parse (SdpSide * side, const gchar * text, gsize size, GError ** error);

/* `own` has host, port, fingerprint, candidates of ICE and directions already. */
void sdp_make_offer (SdpSide * own, const SdpSettings * settings);

/* The same as the answer to an offer. FALSE: nothing can be agreed on. */
gboolean sdp_make_answer (SdpSide * own, const SdpSide * offer, const SdpSettings * settings, GError ** error);

/* The text, to be freed. `version` is higher each time that the side has changed. */
gchar *sdp_format (const SdpSide * own, guint64 session, guint version);

/* What the two sides have agreed on. `answered` says that this end made the answer. */
gboolean sdp_negotiate (CallMedia * media, const SdpSide * own, const SdpSide * remote, gboolean answered,
    GError ** error);

/* Writes the address as GLib does, so that two of them can be compared. FALSE: the text, which may be `host` itself, is no
 * numeric address of one host, and nothing is written. */
gboolean sdp_read_unicast (gchar * host, gsize size, const gchar * text);

/* sdpice.c: the lines of ICE. A side whose lines cannot be used has no ufrag. */
void sdp_parse_ice (SdpSide * side, const GstSDPMessage * message, const GstSDPMedia * media);
void sdp_format_ice (GString * text, const IceSide * ice);

G_END_DECLS
#endif
