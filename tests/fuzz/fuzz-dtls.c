/* gst-tfrc: fuzzer, DTLS handshakes over a path that does whatever the input says
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two sessions exchange datagrams. The input decides what becomes of each: it arrives, is lost, comes twice,
 * comes later, or has bytes changed; and datagrams of the input come in between. Laws that hold
 * whatever comes in abort the program. */
#include <string.h>

#include <sanitizer/lsan_interface.h>

#include "transport/dtlssession.h"

#include "fuzz.h"

#define CLIENT 0
#define SERVER 1
#define DATAGRAM_MAX 1500
/* Datagrams that one datagram or one moment may cause: two flights of a certificate of 1 kB. */
#define ANSWERS_MAX 16

static GstTfrcDtlsContext *contexts[2];
static GstTfrcDtlsSession *sessions[2];
static GQueue path[2];          /* GBytes on their way to each */
static GstClockTime now;
static guint answers;
static const GstTfrcUdpAddress address = { .port = 5000 };

static void
send_datagram (const guint8 * data, gsize size, gpointer user_data)
{
  LAW (size > 0 && size <= DATAGRAM_MAX);
  LAW (++answers <= ANSWERS_MAX);
  g_queue_push_tail (&path[!GPOINTER_TO_UINT (user_data)], g_bytes_new (data,
          size));
}

static GstTfrcDtlsSession *
new_session (guint which, const GstTfrcDtlsHello * hello)
{
  static const GstTfrcUdpAddress caller = { .port = 5000 };
  GstTfrcDtlsSessionConfig config = { contexts[which],
    gst_tfrc_dtls_context_get_fingerprint (contexts[!which]),
    GST_TFRC_SRTP_HMAC_SHA1_80, hello, &caller, send_datagram,
    GUINT_TO_POINTER (which)
  };

  return gst_tfrc_dtls_session_new (&config, now);
}

static void
give (guint to, const guint8 * bytes, gsize size)
{
  /* of its own, so that the sanitizer sees the end */
  guint8 *data = g_memdup2 (bytes, MAX (size, 1));
  GstTfrcDtlsHello hello;

  answers = 0;
  if (sessions[to] == NULL && gst_tfrc_dtls_find_hello (data, size) != NULL &&
      gst_tfrc_dtls_context_check_hello (contexts[to], &address, data, size,
          &hello, send_datagram, GUINT_TO_POINTER (to), now))
    sessions[to] = new_session (to, &hello);
  if (sessions[to] != NULL)
    gst_tfrc_dtls_session_on_datagram (sessions[to], data, size, now);
  g_free (data);
}

static void
change (Input * input, guint8 * data, gsize size)
{
  guint n = 1 + take (input) % 4;

  for (; n > 0; n--) {
    guint offset = take (input) | (take (input) % 4) << 8;

    data[offset % size] = take (input);
  }
}

static void
arrive (Input * input, guint to)
{
  GBytes *bytes = g_queue_pop_head (&path[to]);
  guint8 data[DATAGRAM_MAX];
  gsize size;

  if (bytes == NULL)
    return;
  memcpy (data, g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  switch (take (input) % 16) {
    case 0:
      break;
    case 1:
      give (to, data, size);
      give (to, data, size);
      break;
    case 2:
      g_queue_push_tail (&path[to], g_bytes_ref (bytes));
      break;
    case 3:
      change (input, data, size);
      give (to, data, size);
      break;
    case 4:
      give (to, data, take (input) % size);
      break;
    default:
      give (to, data, size);
      break;
  }
  g_bytes_unref (bytes);
}

static void
insert (Input * input, guint to)
{
  guint8 data[256] = { 20 + take (input) % 6, 0xfe, 0xfd };
  gsize wish = take (input), most = MIN (wish, 250);
  gsize used = MIN (most, input->size);

  memcpy (data + 3, input->data, used);
  input->data += used;
  input->size -= used;
  give (to, data, used + 3);
}

static void
pass (GstClockTime duration)
{
  guint i;

  now += duration;
  for (i = 0; i < 2; i++) {
    answers = 0;
    if (sessions[i] != NULL)
      gst_tfrc_dtls_session_on_time (sessions[i], now);
    LAW (sessions[i] == NULL ||
        gst_tfrc_dtls_session_next_time (sessions[i]) > now);
  }
}

static gboolean
is_open (guint which)
{
  return sessions[which] != NULL &&
      gst_tfrc_dtls_session_get_state (sessions[which]) == GST_TFRC_DTLS_OPEN;
}

/* Whoever is open has the right remote; two ends that are open have the keys of each other. */
static void
check (void)
{
  GstTfrcSrtpKeys keys[2];
  guint i;

  for (i = 0; i < 2; i++)
    LAW (!is_open (i) || g_str_equal
        (gst_tfrc_dtls_session_get_remote_fingerprint (sessions[i]),
            gst_tfrc_dtls_context_get_fingerprint (contexts[!i])));
  if (!is_open (CLIENT) || !is_open (SERVER))
    return;
  gst_tfrc_dtls_session_get_keys (sessions[CLIENT], &keys[CLIENT]);
  gst_tfrc_dtls_session_get_keys (sessions[SERVER], &keys[SERVER]);
  LAW (memcmp (keys[CLIENT].local, keys[SERVER].remote, keys[0].size) == 0);
  LAW (memcmp (keys[CLIENT].remote, keys[SERVER].local, keys[0].size) == 0);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  gchar *error = NULL;
  guint i;

  __lsan_disable ();            /* what GLib keeps for the life of the process */
  gst_init (argc, argv);
  for (i = 0; i < 2; i++)
    contexts[i] = gst_tfrc_dtls_context_new (NULL, &error);
  now = 1000 * GST_SECOND;
  __lsan_enable ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  Input input = { data, size };
  guint i;

  sessions[CLIENT] = new_session (CLIENT, NULL);
  pass (0);
  while (input.size > 0) {
    guint act = take (&input);

    if (act < 230)
      arrive (&input, act % 2);
    else if (act < 243)
      insert (&input, act % 2);
    else
      pass (take (&input) * 20 * GST_MSECOND);
    check ();
  }
  for (i = 0; i < 2; i++) {
    g_clear_pointer (&sessions[i], gst_tfrc_dtls_session_free);
    g_queue_clear_full (&path[i], (GDestroyNotify) g_bytes_unref);
  }
  now += GST_SECOND;            /* the limits of the context are for another second */
  return 0;
}
