/* gst-tfrc: ICE for one UDP port, with libnice's STUN library
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An Ice is a full agent (RFC 8445) with one component, one local address and one port, which belongs to somebody else:
 * it has no socket, no clock and no thread. Messages come by ice_receive(), and leave by the callback `send`; times are
 * g_get_monotonic_time(). The agent asks a STUN server for the public address of the port (ice_gather()), checks
 * the candidates of the remote (ice_check()), chooses a pair by regular nomination, and then asks for consent to send
 * each five seconds (RFC 7675). Differs from RFC 8445: there are neither relayed candidates (TURN) nor more than one
 * local address. All functions are for one thread, and no callback may free the agent. */
#ifndef ICE_H
#define ICE_H

#include <glib.h>

G_BEGIN_DECLS

#define ICE_CANDIDATES_MAX 16   /* of one end; more are not looked at */
#define ICE_CREDENTIAL_MAX 256  /* characters, RFC 8839 5.4 */

typedef enum
{
  ICE_HOST,
  ICE_SERVER_REFLEXIVE,         /* as a STUN server sees the port */
  ICE_PEER_REFLEXIVE,           /* as the remote sees it */
  ICE_RELAYED                   /* of the remote alone */
} IceType;

typedef struct
{
  IceType type;
  gchar host[64];               /* a numeric address */
  guint port;
  guint32 priority;
} IceCandidate;

/* What SDP says of one end. */
typedef struct
{
  gchar ufrag[ICE_CREDENTIAL_MAX + 1], pwd[ICE_CREDENTIAL_MAX + 1];     /* "": this end does no ICE */
  gboolean lite;                /* it only answers */
  guint n_candidates;
  IceCandidate candidates[ICE_CANDIDATES_MAX];
} IceSide;

typedef struct _Ice Ice;

typedef struct
{
  void (*send) (const gchar * host, guint port, const guint8 * data, gsize size, gpointer user_data);
  /* The candidates of this end are known; there may be the host alone. */
  void (*gathered) (gpointer user_data);
  /* The two ends agree to send to this address. There may be a better one later. */
  void (*selected) (const gchar * host, guint port, gpointer user_data);
  /* There is no way, or the remote consents no longer. */
  void (*failed) (gpointer user_data);
} IceCallbacks;

/* `host` and `port` are those of the socket. `controlling` is the end that makes the offer. */
Ice *ice_new (const gchar * host, guint port, gboolean controlling, const IceCallbacks * callbacks,
    gpointer user_data);
void ice_free (Ice * ice);

/* Asks a STUN server; NULL: there is none. `gathered` follows, within 3.5 s. */
void ice_gather (Ice * ice, const gchar * server, guint port, gint64 now);

/* What this end says of itself: complete when `gathered` was called. */
const IceSide *ice_get_side (Ice * ice);

/* The remote does no ICE, and no checks are sent. With a host, a message that needs no answer opens the NAT on the way to it, and keeps it open (RFC 8445 11).
 * An end that waits for the first packet of the remote, as DTLS may, sends nothing else. */
void ice_keep_open (Ice * ice, const gchar * host, guint port, gint64 now);
/* The remote is known: the checks begin. */
void ice_check (Ice * ice, const IceSide * remote, gint64 now);
/* A new agreement (RFC 8445 9): other credentials of this end, and no pair. */
void ice_restart (Ice * ice);

/* Nothing is asked, checked or kept open any more; a callback may call this. */
void ice_stop (Ice * ice);

/* A STUN message. FALSE: it is none of this agent's, or is not authentic. */
gboolean ice_receive (Ice * ice, const gchar * host, guint port, const guint8 * data, gsize size, gint64 now);

/* When ice_on_timer() is due; G_MAXINT64: never. */
gint64 ice_get_due (Ice * ice);
void ice_on_timer (Ice * ice, gint64 now);

/* The address that was selected. FALSE: there is none yet. */
gboolean ice_get_selected (Ice * ice, const gchar ** host, guint * port);

G_END_DECLS
#endif
