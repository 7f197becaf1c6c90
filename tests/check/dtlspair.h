/* gst-tfrc tests: two ends of a DTLS association in memory and in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The ends are a client and a server, with a certificate each. Datagrams take DELAY from one to the other, and a
 * test may lose, repeat, delay and change them. */
#ifndef DTLSPAIR_H
#define DTLSPAIR_H

#include <gst/check/gstcheck.h>

#include "transport/dtlssession.h"

G_BEGIN_DECLS

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)        /* when each test begins */
#define DELAY (25 * MS)         /* of the path, one way */
#define CLIENT 0
#define SERVER 1

typedef struct
{
  GstTfrcDtlsContext *context;
  GstTfrcDtlsSession *session;  /* NULL: a server that waits for a ClientHello */
  const gchar *fingerprints;
  GstTfrcSrtpAuth auth;
  guint flights;                /* that it has sent */
  GstClockTime last_sent;
  guint sent;                   /* datagrams */
  gsize bytes;
} DtlsEnd;

typedef struct
{
  guint to;
  GstClockTime arrival;
  GBytes *bytes;
} DtlsDatagram;

/* Two ends, and the path between them. */
typedef struct
{
  DtlsEnd ends[2];
  GQueue path;                  /* DtlsDatagram, by arrival */
  GstClockTime now;
  GRand *rng;

  /* How often a datagram of `from` arrives; NULL: once. */
  guint (*judge) (guint from);
  /* Changes the bytes of a datagram; NULL: nothing does. */
  void (*mangle) (guint8 * data, gsize size);
  GstClockTime jitter;          /* the most that is added to DELAY */
  gboolean fragments;           /* the client's ClientHello comes in two of them */
} DtlsPair;

/* One pair for each program. */
extern DtlsPair pair;

/* The fixture of each test: two certificates, each with the fingerprint of the other, and no session. */
void dtls_pair_set_up (void);
void dtls_pair_tear_down (void);

/* Ends both sessions and drops what is on the path. */
void dtls_pair_end_sessions (void);

/* A session of that end; without `hello` a client's. NULL as gst_tfrc_dtls_session_new() has it. */
GstTfrcDtlsSession *dtls_pair_new_session (guint which,
    const GstTfrcDtlsHello * hello);
void dtls_pair_begin_client (void);

/* Sends a datagram over the path; `user_data` is the end that sends, as GUINT_TO_POINTER() makes it. */
void dtls_pair_send (const guint8 * data, gsize size, gpointer user_data);

/* A datagram for a server that has no session: a ClientHello with a cookie begins one. */
void dtls_pair_take_hello (const guint8 * data, gsize size);

/* When something is to happen next; GST_CLOCK_TIME_NONE: never. */
GstClockTime dtls_pair_get_next (void);
/* Lets time pass. */
void dtls_pair_run_for (GstClockTime duration);
/* Lets time pass until both ends are open, or for `limit`. Returns how long it took. */
GstClockTime dtls_pair_run_until_open (GstClockTime limit);

GstTfrcDtlsState dtls_pair_get_state (guint which);
gboolean dtls_pair_is_open (guint which);

/* Reads the keys of both ends. Fails unless each end has the keys of the other, and each direction has its own. */
void dtls_pair_check_keys (GstTfrcSrtpKeys keys[2]);

G_END_DECLS

#endif
