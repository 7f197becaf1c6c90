/* gst-tfrc: what a DTLS handshake costs the thread that serves a port
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-bench-dtls [HANDSHAKES]
 *
 * Two sessions in memory. Printed is the CPU time of each end per handshake, and the longest time that
 * one call took, with which all other peers of the thread wait: the median and the largest of all
 * handshakes. A certificate in PEM as the second argument is that of the client, for one with RSA. */
#include <malloc.h>
#include <stdlib.h>
#include <time.h>

#include "transport/dtlssession.h"

#define DEFAULT_HANDSHAKES 500

typedef struct
{
  GstTfrcDtlsContext *context;
  GstTfrcDtlsSession *session;
  GQueue *to;                   /* GBytes that the end has sent */
  gdouble spent, longest;       /* us in this handshake */
} End;

static End ends[2];             /* client, server */
static const GstTfrcUdpAddress address = { .port = 5000 };

static void
send_datagram (const guint8 * data, gsize size, gpointer user_data)
{
  g_queue_push_tail (((End *) user_data)->to, g_bytes_new (data, size));
}

static gdouble
get_cpu_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static GstTfrcDtlsSession *
new_session (End * end, const GstTfrcDtlsHello * hello, GstClockTime now)
{
  static const GstTfrcUdpAddress caller = { .port = 5000 };
  GstTfrcDtlsSessionConfig config = { end->context, "any",
    GST_TFRC_SRTP_HMAC_SHA1_80, hello, &caller, send_datagram, end
  };

  return gst_tfrc_dtls_session_new (&config, now);
}

static void
take (End * end, const guint8 * data, gsize size, GstClockTime now)
{
  GstTfrcDtlsHello hello;

  if (end->session == NULL &&
      gst_tfrc_dtls_context_check_hello (end->context, &address, data, size,
          &hello, send_datagram, end, now))
    end->session = new_session (end, &hello, now);
  if (end->session != NULL)
    gst_tfrc_dtls_session_on_datagram (end->session, data, size, now);
}

static void
measure (End * end, GBytes * bytes, GstClockTime now)
{
  gdouble begun = get_cpu_us (), spent;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  take (end, data, size, now);
  spent = get_cpu_us () - begun;
  end->spent += spent;
  end->longest = MAX (end->longest, spent);
}

static void
forget (void)
{
  guint i;

  for (i = 0; i < 2; i++) {
    g_clear_pointer (&ends[i].session, gst_tfrc_dtls_session_free);
    ends[i].spent = ends[i].longest = 0;
  }
}

static void
run_handshake (GstClockTime now)
{
  GBytes *bytes;
  guint i;

  ends[0].session = new_session (&ends[0], NULL, now);
  gst_tfrc_dtls_session_on_time (ends[0].session, now);
  do
    for (i = 0; i < 2; i++)
      while ((bytes = g_queue_pop_head (ends[!i].to)) != NULL) {
        measure (&ends[i], bytes, now);
        g_bytes_unref (bytes);
      }
  while (!g_queue_is_empty (ends[0].to) || !g_queue_is_empty (ends[1].to));
  for (i = 0; i < 2; i++)
    if (gst_tfrc_dtls_session_get_state (ends[i].session) != GST_TFRC_DTLS_OPEN) {
      g_printerr ("no handshake: %s\n",
          gst_tfrc_dtls_session_get_error (ends[i].session));
      exit (1);
    }
}

/* What the two sessions of a handshake take when it is done, with the pool of libraries filled before. */
static void
print_memory (void)
{
  gsize before = mallinfo2 ().uordblks;

  run_handshake (50 * GST_SECOND);
  g_print ("%-24s %6.1f kB\n", "an open session",
      (mallinfo2 ().uordblks - before) / 2e3);
  forget ();
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

static void
print (const gchar * name, GArray * values)
{
  g_array_sort (values, compare);
  g_print ("%-24s median %6.0f us, largest %6.0f us\n", name,
      g_array_index (values, gdouble, values->len / 2),
      g_array_index (values, gdouble, values->len - 1));
}

static void
note (GArray * spent[2], GArray * longest[2])
{
  guint i;

  for (i = 0; i < 2; i++) {
    g_array_append_val (spent[i], ends[i].spent);
    g_array_append_val (longest[i], ends[i].longest);
  }
  forget ();
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? atoi (argv[1]) : DEFAULT_HANDSHAKES, i;
  GArray *spent[2], *longest[2];
  gchar *error = NULL;

  gst_init (NULL, NULL);
  for (i = 0; i < 2; i++) {
    ends[i].context = gst_tfrc_dtls_context_new (i == 0 && argc > 2 ? argv[2] :
        NULL, &error);
    if (ends[i].context == NULL) {
      g_printerr ("%s\n", error);
      return 1;
    }
    ends[i].to = g_queue_new ();
    spent[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
    longest[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  }
  run_handshake (10 * GST_SECOND);
  forget ();
  print_memory ();
  for (i = 0; i < n; i++) {
    /* no more than the limits let through */
    run_handshake ((100 + i) * GST_SECOND);
    note (spent, longest);
  }
  print ("client, whole handshake", spent[0]);
  print ("client, longest call", longest[0]);
  print ("server, whole handshake", spent[1]);
  print ("server, longest call", longest[1]);
  return 0;
}
