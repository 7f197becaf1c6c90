/* gst-tfrc: calls by SIP, with the media of call.c
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A SipLine is the user agent of one line (RFC 3261, by sofia-sip), which has at most one call. It makes the offers and
 * answers (sdp.h), and runs the call that they agree on. All happens in the main loop. */
#ifndef SOFTPHONE_SIP_H
#define SOFTPHONE_SIP_H

#include "call.h"
#include "sdp.h"

G_BEGIN_DECLS

typedef struct _SipLine SipLine;

typedef enum
{
  SIP_REGISTERED,               /* at the registrar, for the first time */
  SIP_REFUSED,                  /* by the registrar; `text` says why */
  SIP_UNREGISTERED,             /* the registrar is asked again later; `text` says why */
  SIP_INCOMING,                 /* `text` calls: sip_line_accept() or sip_line_hang_up() */
  SIP_RINGING,                  /* the remote phone rings */
  SIP_TALKING,                  /* with `text` */
  SIP_HOLDS,                    /* this end holds the call, and the remote knows it */
  SIP_UNHELD,                   /* it does so no longer */
  SIP_HOLD_REFUSED,             /* the remote refuses either; `text` says why */
  SIP_HELD,                     /* the remote holds the call */
  SIP_RESUMED,                  /* it does so no longer */
  SIP_ENDED,                    /* `text` says why; there may be another call now */
  SIP_CLOSED                    /* after sip_line_close(): sip_line_free() may be called */
} SipEvent;

typedef struct
{
  const gchar *identity;        /* sip:NAME@HOST, of this phone */
  guint port;                   /* of SIP, UDP and TCP */
  gboolean registers;           /* at HOST */
  const gchar *password;        /* or NULL */
  guint ring;                   /* seconds in which a call has to be answered, whoever calls */
  SdpSettings sdp;
  CallSettings call;            /* of each call; `signalled`, `dtls`, the callbacks and `user_data` are set here */
  /* `text` may be NULL */
  void (*changed) (SipLine * sip, SipEvent event, const gchar * text, gpointer user_data);
  void (*digit) (SipLine * sip, gchar digit, gpointer user_data);
  gpointer user_data;
} SipSettings;

/* Once in each process that the library of SIP is part of, with or without a line. */
void sip_init (void);
/* NULL and an error when the port of SIP cannot be had. */
SipLine *sip_line_new (const SipSettings * settings, GError ** error);
/* Ends the call and the registration; SIP_CLOSED follows within seconds. */
void sip_line_close (SipLine * sip);
void sip_line_free (SipLine * sip);

/* Calls sip:NAME@HOST[:PORT]. FALSE: there is a call, or the media cannot be had. */
gboolean sip_line_call (SipLine * sip, const gchar * uri, GError ** error);
/* Accepts an incoming call. */
gboolean sip_line_accept (SipLine * sip, GError ** error);
/* Hangs up, gives up calling, or declines an incoming call. */
void sip_line_hang_up (SipLine * sip);
/* Asks to hold the call, or to resume it. FALSE: there is no call that could be. */
gboolean sip_line_hold (SipLine * sip, gboolean hold);

/* What the two phones have agreed on, in words, to be freed; NULL: there is no call that runs. */
gchar *sip_line_describe_media (SipLine * sip);

/* The call of this moment, or NULL. */
Call *sip_line_get_call (SipLine * sip);

G_END_DECLS
#endif
