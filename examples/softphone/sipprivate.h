/* gst-tfrc: the state of a line of SIP, as the files of sip.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SIPPRIVATE_H
#define SIPPRIVATE_H

#include "sip.h"

typedef struct _SipLine SipMagic;
#define NUA_MAGIC_T SipMagic
#define NUA_HMAGIC_T SipMagic
#define SU_ROOT_MAGIC_T SipMagic
#include <sofia-sip/nua.h>
#include <sofia-sip/sip_header.h>
#include <sofia-sip/sip_status.h>

G_BEGIN_DECLS

typedef enum
{
  IDLE,
  CALLING,
  INCOMING,
  OFFERED,                      /* the call was accepted with an offer, which the ACK answers */
  TALKING,
  ENDING
} State;

struct _SipLine
{
  SipSettings settings;
  gchar *identity, *password;
  su_root_t *root;
  nua_t *nua;
  nua_handle_t *registration, *handle;  /* handle: of the call */
  State state;
  Call *call;
  SdpSide own, remote;          /* that have been agreed on, or that a call begins with */
  gboolean answered;            /* `own` was an answer */
  SdpSide offer;                /* the last offer of this end */
  gboolean asked;               /* the last INVITE of the remote had no SDP: the 200 has the offer, the ACK the answer */
  guint64 session;              /* number of the SDP session, and how often it changed */
  guint version;
  gboolean gathered, accepts;   /* the addresses of the port are known; the call is accepted when they are */
  gboolean registered, holds, held, closing, shut_down, closed;
  gchar *who, *why;             /* the remote, and why the call ended */
  guint ping, reap, retry;
  guint unanswered;             /* source that ends a call which nobody answers */
  guint retry_s;                /* s, before the last retry of a registration; 0: there was none */
  gint64 refusal_end;           /* us: no line of a refused call before that time */
  guint refusals;               /* that have no line */
};

/* sip.c */
void sip_line_emit (SipLine * sip, SipEvent event, const gchar * text);
/* The address of this machine that `host` is reached from, to be freed; NULL: it is not reached. */
gchar *sip_line_find_local_address (const gchar * host, GError ** error);
/* Answers a challenge, if there is a password. */
void sip_line_authenticate (SipLine * sip, nua_handle_t * handle, const sip_t * message);
gboolean sip_line_is_challenge (int status);

/* sipinvite.c: what comes of an INVITE. */
void sip_line_on_invite (SipLine * sip, nua_handle_t * handle, const sip_t * message);
void sip_line_on_invite_answer (SipLine * sip, int status, const gchar * phrase, const sip_t * message);
void sip_line_on_ack (SipLine * sip, nua_handle_t * handle, const sip_t * message);
/* The addresses of the port are known: the call goes on. */
void sip_line_on_gathered (SipLine * sip);

/* sipcall.c: the pipeline of the call, with its port; nothing is sent yet. `host` is a host on the way to the remote. */
gboolean sip_line_open_media (SipLine * sip, const gchar * host, gboolean dtls, GError ** error);
/* Finds the addresses of the port; sip_line_on_gathered() follows, maybe at once. `controlling` is the end that makes the
 * offer. */
void sip_line_gather (SipLine * sip, gboolean controlling);
/* The text of SDP, to be freed. */
gchar *sip_line_format_side (SipLine * sip, const SdpSide * side);
/* The SDP of a message. FALSE: it has none that can be used. */
gboolean sip_line_take_sdp (SipLine * sip, SdpSide * remote, const sip_t * message, GError ** error);
/* FALSE: sip_line_run_media() would refuse the answer to an offer in a call that runs. Nothing changes. */
gboolean sip_line_can_run_media (SipLine * sip, const SdpSide * own, const SdpSide * remote);
/* Both sides are known: the call begins, or goes on in another way. FALSE: a call that runs has not changed, one that
 * begins cannot be made. */
gboolean sip_line_run_media (SipLine * sip, const SdpSide * own, const SdpSide * remote, gboolean answered,
    GError ** error);
/* No message of SIP has to be sent any more. The last sound leaves, and files get their length. */
void sip_line_end_call (SipLine * sip, const gchar * why);
/* Emits SIP_CLOSED once SIP and the call are over. */
void sip_line_close_if_done (SipLine * sip);
void sip_line_on_pong (SipLine * sip, nua_handle_t * handle, int status);
void sip_line_on_state (SipLine * sip, nua_handle_t * handle, int status, const gchar * phrase, tagi_t tags[]);

G_END_DECLS
#endif
