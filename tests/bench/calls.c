/* gst-tfrc: the calls of the bench: what a relay of tfrcbin costs beside moving packets alone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-calls --relay build/examples/relay/tfrc-relay --calls 100
 *   tfrc-calls --calls 100
 *   tfrc-calls --keys --calls 100
 *
 * Starts the relay, or without --relay the floor (floorrelay.h), or with --keys a relay to which all calls are encrypted by SRTP
 * (keyedrelay.h), and calls it: a call is two callers
 * (callers.h). When all are put through and the rates have settled, for the time of the
 * measurement:
 *
 *   us        CPU of the relay's process for a media packet that it received and sent; the RTCP of
 *             both paths is included
 *   user, kernel  thousands of instructions of the same, counted after the time was measured
 *   p50, p99  ms from the caller's sending to the arrival at the other one
 *   lost      packets that did not come
 *   worst     share of the packets that the caller with the most losses misses, in percent
 *   slowest   mean delay of the packets of the caller that has the longest
 *   threads, descriptors, kB of memory for a call: the relay's
 *
 * tests/bench/bench.py looks with it for the most calls that are carried. */
#include <gst/gst.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "callers.h"
#include "floorrelay.h"
#include "keyedrelay.h"
#include "process.h"

#define GAP_US 750              /* of the floor between two rounds, as of a worker of tfrcbin */
#define COUNTED (2 * GST_SECOND)        /* for which instructions are counted */
#define JOIN_INTERVAL (8 * GST_MSECOND) /* the relay looks at 200 strangers a second */

static gint n_calls = 100, port = 27400, flood;
static gdouble seconds = 5, settle = 5;
static gchar *relay_path;
static gboolean be_floor, be_keyed, keys;

static GOptionEntry entries[] = {
  {"relay", 0, 0, G_OPTION_ARG_FILENAME, &relay_path,
      "The relay's program (the floor)", "PATH"},
  {"calls", 0, 0, G_OPTION_ARG_INT, &n_calls,
      "At once (100)", "N"},
  {"port", 0, 0, G_OPTION_ARG_INT, &port,
      "Of the relay; the callers have the next one (27400)", "PORT"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Of the measurement (5)",
      "S"},
  {"settle", 0, 0, G_OPTION_ARG_DOUBLE, &settle, "Before it (5)", "S"},
  {"flood", 0, 0, G_OPTION_ARG_INT, &flood,
      "Packets of strangers beside the calls, per second (0)", "N"},
  {"keys", 0, 0, G_OPTION_ARG_NONE, &keys, "Encrypt the calls", NULL},
  {"be-keyed", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &be_keyed, "", NULL},
  {"be-floor", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &be_floor, "", NULL},
  {NULL}
};

/* What a measurement prints. */
typedef struct
{
  gdouble us, user, kernel, p50, p99, lost, worst, slowest, memory;
  guint threads, descriptors;
} Figures;

static gint
compare (gconstpointer a, gconstpointer b)
{
  const guint64 *one = a, *other = b;

  return (*one > *other) - (*one < *other);
}

static gdouble
get_quantile (const GArray * delays, gdouble q)
{
  if (delays->len == 0)
    return INFINITY;
  return g_array_index (delays, guint64, (guint) (q * (delays->len - 1))) / 1e6;
}

/* --- the relay's process --- */

static GPid
start_relay (void)
{
  gchar *port_text = g_strdup_printf ("%d", port);
  gchar *peers_text = g_strdup_printf ("%d", 2 * n_calls);
  gchar *calls_text = g_strdup_printf ("%d", n_calls);
  gchar *own[] = { "/proc/self/exe", keys ? "--be-keyed" : "--be-floor",
    "--port", port_text, "--calls", calls_text, NULL
  };
  gchar *argv[] = { relay_path, "--address", "127.0.0.1", "--port", port_text,
    "--quiet", "--max-peers", peers_text, NULL
  };
  GError *error = NULL;
  GPid pid;

  if (!g_spawn_async (NULL, relay_path != NULL ? argv : own, NULL,
          G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error)) {
    fprintf (stderr, "%s\n", error->message);
    exit (1);
  }
  g_free (port_text);
  g_free (peers_text);
  g_free (calls_text);
  g_usleep (G_USEC_PER_SEC);
  return pid;
}

/* --- one measurement --- */

/* Waits until the callers hear each other. */
static gboolean
wait_for_calls (guint n_callers, GstClockTime join_interval)
{
  gint64 until = g_get_monotonic_time () + 10 * G_USEC_PER_SEC +
      GST_TIME_AS_USECONDS (n_callers * join_interval);

  while (callers_count_connected () < n_callers) {
    if (g_get_monotonic_time () > until) {
      fprintf (stderr, "%u of %u callers hear nobody\n",
          n_callers - callers_count_connected (), n_callers);
      return FALSE;
    }
    g_usleep (100000);
  }
  g_usleep (settle * G_USEC_PER_SEC);
  return TRUE;
}

/* The packets of the time for which the process was measured. It is longer than `duration` by the time for
 * which the last packets were waited for. */
static gdouble
get_packets (const CallersResult * found, GstClockTime duration)
{
  return MAX (found->received, 1) * (gdouble) (duration + CALLERS_FLIGHT) /
      duration;
}

static gboolean
measure (GPid pid, Figures * figures)
{
  GstClockTime join_interval = relay_path != NULL ? JOIN_INTERVAL : GST_MSECOND;
  ProcessCost alone, before, after;
  CallersResult result, counted;
  gdouble packets, counted_packets;
  guint64 user, kernel;

  process_read (pid, &alone);
  if (keys) {
    kill (pid, SIGUSR1);
    callers_encrypt (KEYED_RELAY_REMOTE_KEY, KEYED_RELAY_KEY);
  }
  callers_start (2 * n_calls, port, port + 1, join_interval);
  if (!wait_for_calls (2 * n_calls, join_interval))
    return FALSE;
  if (flood > 0)
    callers_flood (flood);
  process_read (pid, &before);
  callers_measure (seconds * GST_SECOND, &result);
  process_read (pid, &after);
  g_array_sort (result.delays, compare);
  process_count_instructions (pid);
  callers_measure (COUNTED, &counted);
  process_read_instructions (&user, &kernel);
  packets = get_packets (&result, seconds * GST_SECOND);
  counted_packets = get_packets (&counted, COUNTED);
  *figures = (Figures) {
      .us = (after.cpu - before.cpu) * 1e6 / packets,
      .user = user / counted_packets / 1000,
      .kernel = kernel / counted_packets / 1000,
      .p50 = get_quantile (result.delays, 0.5),
      .p99 = get_quantile (result.delays, 0.99),
      .lost = (gdouble) result.sent - result.received,
      .worst = 100 * result.worst,
      .slowest = result.slowest,
      .memory = ((gdouble) after.memory - alone.memory) / n_calls / 1000,
      .threads = after.threads,
      .descriptors = after.descriptors};
  g_array_unref (result.delays);
  g_array_unref (counted.delays);
  return TRUE;
}

static void
print (const Figures * f)
{
  printf ("%5d calls  %6.2f us  user %6.2f  kernel %6.2f  p50 %6.2f ms  "
      "p99 %6.2f ms  lost %.0f  worst %.2f %%  slowest %.2f ms  %u threads  %u descriptors  "
      "%.1f kB\n", n_calls, f->us, f->user, f->kernel, f->p50, f->p99, f->lost,
      f->worst, f->slowest, f->threads, f->descriptors, f->memory);
  fflush (stdout);
}

static gboolean
run (void)
{
  GPid pid = start_relay ();
  Figures figures;
  gboolean measured = measure (pid, &figures);

  if (measured)
    print (&figures);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  return measured;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_calls <= 0) {
    fprintf (stderr, "%s\n", error != NULL ? error->message :
        "--calls must be above 0");
    return 2;
  }
  g_option_context_free (context);
  if (be_floor)
    floor_relay_run (port, GAP_US);
  gst_init (NULL, NULL);
  if (be_keyed)
    keyed_relay_run (2 * n_calls, port, port + 1);
  return run ()? 0 : 3;
}
