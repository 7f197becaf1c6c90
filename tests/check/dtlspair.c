/* gst-tfrc tests: two ends of a DTLS association in memory and in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dtlspair.h"

#include <string.h>

DtlsPair pair;

static const GstTfrcUdpAddress client_address = { .port = 5000 };

static gint
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  GstClockTime x = ((const DtlsDatagram *) a)->arrival;
  GstClockTime y = ((const DtlsDatagram *) b)->arrival;

  return x <= y ? -1 : 1;       /* behind those of the same time */
}

#define HEADERS (13 + 12)
#define CUT 100                 /* bytes of the message in the first fragment */

/* Sends a ClientHello in two records. */
static void
send_fragments (const guint8 * data, gsize size, gpointer user_data)
{
  guint8 *first = g_memdup2 (data, HEADERS + CUT);
  guint8 *rest = g_malloc (size - CUT);
  gsize left = size - HEADERS - CUT;

  memcpy (rest, data, HEADERS);
  memcpy (rest + HEADERS, data + HEADERS + CUT, left);
  first[12] = 12 + CUT;
  GST_WRITE_UINT24_BE (first + 22, CUT);
  rest[10] += 0x20;             /* the number of the record */
  rest[12] = 12 + left;
  GST_WRITE_UINT24_BE (rest + 19, CUT);
  GST_WRITE_UINT24_BE (rest + 22, left);
  pair.fragments = FALSE;
  dtls_pair_send (first, HEADERS + CUT, user_data);
  dtls_pair_send (rest, HEADERS + left, user_data);
  pair.fragments = TRUE;
  g_free (first);
  g_free (rest);
}

void
dtls_pair_send (const guint8 * data, gsize size, gpointer user_data)
{
  guint from = GPOINTER_TO_UINT (user_data), copies;
  DtlsEnd *end = &pair.ends[from];

  if (pair.fragments && gst_tfrc_dtls_find_hello (data, size) != NULL) {
    send_fragments (data, size, user_data);
    return;
  }
  if (end->sent == 0 || pair.now > end->last_sent)
    end->flights++;
  end->last_sent = pair.now;
  end->sent++;
  end->bytes += size;
  copies = pair.judge != NULL ? pair.judge (from) : 1;
  for (; copies > 0; copies--) {
    DtlsDatagram *datagram = g_new (DtlsDatagram, 1);
    guint8 *copy = g_memdup2 (data, size);

    if (pair.mangle != NULL)
      pair.mangle (copy, size);
    datagram->to = !from;
    datagram->arrival = pair.now + DELAY +
        (pair.jitter > 0 ? g_rand_int_range (pair.rng, 0,
            pair.jitter / MS) * MS : 0);
    datagram->bytes = g_bytes_new_take (copy, size);
    g_queue_insert_sorted (&pair.path, datagram, compare, NULL);
  }
}

static void
datagram_free (DtlsDatagram * datagram)
{
  g_bytes_unref (datagram->bytes);
  g_free (datagram);
}

static void
begin_end (guint which)
{
  gchar *error = NULL;

  pair.ends[which].context = gst_tfrc_dtls_context_new (NULL, &error);
  fail_unless (error == NULL, "%s", error);
}

void
dtls_pair_set_up (void)
{
  pair = (DtlsPair) {.now = START};
  g_queue_init (&pair.path);
  pair.rng = g_rand_new_with_seed (1);
  begin_end (CLIENT);
  begin_end (SERVER);
  pair.ends[CLIENT].fingerprints =
      gst_tfrc_dtls_context_get_fingerprint (pair.ends[SERVER].context);
  pair.ends[SERVER].fingerprints =
      gst_tfrc_dtls_context_get_fingerprint (pair.ends[CLIENT].context);
}

void
dtls_pair_end_sessions (void)
{
  g_queue_clear_full (&pair.path, (GDestroyNotify) datagram_free);
  g_clear_pointer (&pair.ends[CLIENT].session, gst_tfrc_dtls_session_free);
  g_clear_pointer (&pair.ends[SERVER].session, gst_tfrc_dtls_session_free);
  pair.ends[CLIENT].sent = pair.ends[CLIENT].flights = 0;
  pair.ends[SERVER].sent = pair.ends[SERVER].flights = 0;
}

void
dtls_pair_tear_down (void)
{
  dtls_pair_end_sessions ();
  gst_tfrc_dtls_context_unref (pair.ends[CLIENT].context);
  gst_tfrc_dtls_context_unref (pair.ends[SERVER].context);
  g_rand_free (pair.rng);
}

GstTfrcDtlsSession *
dtls_pair_new_session (guint which, const GstTfrcDtlsHello * hello)
{
  DtlsEnd *end = &pair.ends[which];

  return gst_tfrc_dtls_session_new (&(GstTfrcDtlsSessionConfig)
      {end->context, end->fingerprints, end->auth, hello,
          hello != NULL ? &client_address : NULL, dtls_pair_send,
          GUINT_TO_POINTER (which)}
      , pair.now);
}

void
dtls_pair_begin_client (void)
{
  pair.ends[CLIENT].session = dtls_pair_new_session (CLIENT, NULL);
}

/* A server has no session before a ClientHello with a cookie came. */
void
dtls_pair_take_hello (const guint8 * data, gsize size)
{
  DtlsEnd *end = &pair.ends[SERVER];
  GstTfrcDtlsHello hello;

  if (gst_tfrc_dtls_find_hello (data, size) == NULL ||
      !gst_tfrc_dtls_context_check_hello (end->context, &client_address, data,
          size, &hello, dtls_pair_send, GUINT_TO_POINTER (SERVER), pair.now))
    return;
  end->session = dtls_pair_new_session (SERVER, &hello);
  fail_unless (end->session != NULL);
  gst_tfrc_dtls_session_on_datagram (end->session, data, size, pair.now);
}

static void
arrive (DtlsDatagram * datagram)
{
  GstTfrcDtlsSession *session = pair.ends[datagram->to].session;
  gsize size;
  const guint8 *data = g_bytes_get_data (datagram->bytes, &size);

  if (session != NULL)
    gst_tfrc_dtls_session_on_datagram (session, data, size, pair.now);
  else if (datagram->to == SERVER)
    dtls_pair_take_hello (data, size);
  datagram_free (datagram);
}

GstClockTime
dtls_pair_get_next (void)
{
  DtlsDatagram *first = g_queue_peek_head (&pair.path);
  GstClockTime next = first != NULL ? first->arrival : GST_CLOCK_TIME_NONE;
  guint i;

  for (i = 0; i < 2; i++)
    if (pair.ends[i].session != NULL)
      next = MIN (next, gst_tfrc_dtls_session_next_time (pair.ends[i].session));
  return next;
}

static void
step (void)
{
  DtlsDatagram *first;
  guint i;

  for (i = 0; i < 2; i++)
    if (pair.ends[i].session != NULL &&
        gst_tfrc_dtls_session_next_time (pair.ends[i].session) <= pair.now)
      gst_tfrc_dtls_session_on_time (pair.ends[i].session, pair.now);
  while ((first = g_queue_peek_head (&pair.path)) != NULL
      && first->arrival <= pair.now)
    arrive (g_queue_pop_head (&pair.path));
}

void
dtls_pair_run_for (GstClockTime duration)
{
  GstClockTime end = pair.now + duration, next;
  guint steps = 0;

  while ((next = dtls_pair_get_next ()) <= end) {
    steps = next > pair.now ? 0 : steps + 1;
    fail_unless (steps < 1000, "time stands still");
    pair.now = MAX (pair.now, next);
    step ();
  }
  pair.now = end;
}

GstTfrcDtlsState
dtls_pair_get_state (guint which)
{
  return gst_tfrc_dtls_session_get_state (pair.ends[which].session);
}

gboolean
dtls_pair_is_open (guint which)
{
  return pair.ends[which].session != NULL
      && dtls_pair_get_state (which) == GST_TFRC_DTLS_OPEN;
}

/* Time until both ends are open, or `limit`. */
GstClockTime
dtls_pair_run_until_open (GstClockTime limit)
{
  GstClockTime begun = pair.now;

  while (!(dtls_pair_is_open (CLIENT) && dtls_pair_is_open (SERVER))
      && pair.now < begun + limit)
    dtls_pair_run_for (5 * MS);
  return pair.now - begun;
}

/* Fails unless each end has the keys of the other, and the two directions have keys of their own. */
void
dtls_pair_check_keys (GstTfrcSrtpKeys keys[2])
{
  fail_unless (dtls_pair_is_open (CLIENT));
  fail_unless (dtls_pair_is_open (SERVER));
  gst_tfrc_dtls_session_get_keys (pair.ends[CLIENT].session, &keys[CLIENT]);
  gst_tfrc_dtls_session_get_keys (pair.ends[SERVER].session, &keys[SERVER]);
  fail_unless_equals_int (keys[CLIENT].size, 30);
  fail_unless_equals_int (keys[SERVER].size, 30);
  fail_unless (memcmp (keys[CLIENT].local, keys[SERVER].remote, 30) == 0);
  fail_unless (memcmp (keys[CLIENT].remote, keys[SERVER].local, 30) == 0);
  fail_if (memcmp (keys[CLIENT].local, keys[CLIENT].remote, 30) == 0);
  fail_unless_equals_int (keys[CLIENT].auth, keys[SERVER].auth);
  fail_unless_equals_int (keys[CLIENT].cipher, GST_TFRC_SRTP_AES_128_ICM);
}
