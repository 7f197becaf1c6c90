/* gst-tfrc: the state of an ICE agent, as the files of ice.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ICEPRIVATE_H
#define ICEPRIVATE_H

#include <stun/stunagent.h>

#include "ice.h"

G_BEGIN_DECLS

#define ICE_MS G_TIME_SPAN_MILLISECOND
#define ICE_S G_TIME_SPAN_SECOND
#define ICE_RC 7                /* times that a request is sent at most, RFC 8489 6.2.1 */
#define ICE_NOMINATION (400 * ICE_MS)   /* that better pairs have after the first one that works */
#define ICE_CONSENT (5 * ICE_S) /* RFC 7675 5.1: between two requests, 0.8 to 1.2 times that */
#define ICE_CONSENT_EXPIRY (30 * ICE_S)
#define ICE_MESSAGE_MAX 700     /* bytes */
#define ICE_PAIRS_MAX (2 * ICE_CANDIDATES_MAX)

typedef struct
{
  gboolean running;
  guint8 message[ICE_MESSAGE_MAX];
  gsize size;
  StunTransactionId id;
  guint sent, max;              /* times */
  gint64 due;                   /* of the next time, or of the end */
  gboolean controlling;         /* the role that a check says */
} IceTransaction;

typedef enum
{
  ICE_WAITING,
  ICE_IN_PROGRESS,
  ICE_SUCCEEDED,
  ICE_FAILED
} IcePairState;

/* All pairs have the one local candidate. */
typedef struct
{
  IceCandidate remote;
  guint64 priority;             /* RFC 8445 6.1.2.3 */
  IcePairState state;
  gboolean triggered;           /* checked before others */
  gboolean nominates;           /* the check says USE-CANDIDATE */
  gboolean nominated;           /* the remote, or this end, has chosen the pair */
  IceTransaction check;
} IcePair;

struct _Ice
{
  IceCallbacks callbacks;
  gpointer user_data;
  IceSide own, remote;
  StunAgent agent, server_agent;
  guint64 tie;
  bool controlling;
  gchar server[64];
  guint server_port;
  IceTransaction query;            /* to the server */
  gboolean checking;
  guint n_pairs;
  IcePair pairs[ICE_PAIRS_MAX], *selected;
  gint64 next_check;
  gint64 begun, first_success;  /* 0: not yet */
  gint64 next_consent, consent_end;
  gchar open_host[64];          /* of ice_keep_open(); "": none */
  guint open_port, opened;      /* how often */
  gint64 next_open;
};

/* icepairs.c: the pairs, and which of them is next. The priority is that of RFC 8445 5.1.2.1. */
guint32 ice_get_type_priority (IceType type);
/* An end that does not control nominates no pair. */
void ice_set_controlling (Ice * ice, bool controlling);
/* The pair with this remote, which is new or not; NULL: there are too many. */
IcePair *ice_add_pair (Ice * ice, const IceCandidate * remote);
gboolean ice_pair_is_better (const IcePair * a, const IcePair * b);
/* The pair to be checked next, or NULL; once a pair is selected, only one that the remote checks. */
IcePair *ice_find_next (Ice * ice);
/* A pair that is not checked yet may be better. */
gboolean ice_may_be_better (Ice * ice, const IcePair * than);
/* The best pair that works and may be nominated, or NULL. */
IcePair *ice_find_nominee (Ice * ice);

/* icecheck.c: a request, which is sent again until it is answered. FALSE: it could not be made. */
gboolean ice_transaction_start (IceTransaction * of, StunMessage * message, gsize size, guint max, gint64 now);
void ice_transaction_stop (IceTransaction * of, StunAgent * agent);
gboolean ice_transaction_is_answer (const IceTransaction * of, const StunMessage * message);
/* Sends the request when it is due. FALSE: nobody has answered it. */
gboolean ice_transaction_go_on (Ice * ice, IceTransaction * of, const gchar * host, guint port, gint64 now);
/* Checks the pair, with `max` requests at most. */
void ice_check_pair (Ice * ice, IcePair * pair, guint max, gint64 now);
/* The controlling end chooses a pair, if it is time. */
void ice_nominate (Ice * ice, gint64 now);
/* Authentic messages of the remote. */
gboolean ice_take_request (Ice * ice, const gchar * host, guint port, StunMessage * request, gint64 now);
gboolean ice_take_answer (Ice * ice, const gchar * host, guint port, StunMessage * message, gint64 now);
/* For stun_agent_validate(), with an Ice: the password of a user. Requests are for this end: OWN:REMOTE, RFC 8445 7.2.2. */
bool ice_find_password (StunAgent * agent, StunMessage * message, uint8_t * username, uint16_t size,
    uint8_t ** password, size_t *password_size, void *ice);

G_END_DECLS
#endif
