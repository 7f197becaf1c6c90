/* The calls of the bench: what a relay of tfrcbin costs beside moving packets alone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-calls --relay build/examples/relay/tfrc-relay --calls 100
 *
 * Starts the relay and calls it: a call is two callers, each with a port and an element tfrcbin
 * of its own, and 50 packets a second each way, of 160 bytes at the RTP layer, each caller with a
 * phase of its own. The callers share one thread for the network. When all are put through and the
 * rates have settled, for the time of the measurement:
 *
 *   us        CPU of the relay's process for a packet that it received and sent; RTCP and
 *             reports of both paths included
 *   p50, p99  ms from the push into the caller's tfrcbin to the pad of the other one
 *   lost      share of the packets that did not come, in percent
 *   threads, descriptors, kB of resident memory: the relay's
 *
 * tfrc-floor --flows 2N prints the floor for as many flows. */
#include <gst/gst.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL (20 * GST_MSECOND)
#define SIZE 148                /* bytes; the stamp's header extension adds 12 */
#define STEP 160                /* of the RTP timestamp, PCMU */
#define HEADER 12
#define PER_NETWORK 25          /* callers with an address of one /24 */

static gint n_calls = 100, port = 27400;
static gdouble seconds = 5, settle = 8;
static gchar *relay_path;

static GOptionEntry entries[] = {
  {"relay", 0, 0, G_OPTION_ARG_FILENAME, &relay_path, "The relay's program",
      "PATH"},
  {"calls", 0, 0, G_OPTION_ARG_INT, &n_calls, "At once (100)", "N"},
  {"port", 0, 0, G_OPTION_ARG_INT, &port, "Of the relay (27400)", "PORT"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Of the measurement (5)",
      "S"},
  {"settle", 0, 0, G_OPTION_ARG_DOUBLE, &settle, "Before it (8)", "S"},
  {NULL}
};

typedef struct
{
  GstElement *call;
  GstPad *out, *in;
  guint sent;                   /* packets */
} Caller;

static Caller *callers;
static guint n_callers;
static gint measuring, stop;    /* atomic */
static guint64 sent;            /* while measuring; of the talking thread */
static GMutex lock;             /* for what follows */
static GArray *delays;          /* guint64 ns, while measuring */

/* --- callers --- */

static GstFlowReturn
on_packet (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  guint64 time, delay;
  gsize size = gst_buffer_get_size (buffer);

  gst_buffer_extract (buffer, size - sizeof time, &time, sizeof time);
  gst_buffer_unref (buffer);
  delay = gst_util_get_timestamp () - time;
  if (!g_atomic_int_get (&measuring))
    return GST_FLOW_OK;
  g_mutex_lock (&lock);
  g_array_append_val (delays, delay);
  g_mutex_unlock (&lock);
  return GST_FLOW_OK;
}

static void
on_pad_added (GstElement * call, GstPad * pad, Caller * caller)
{
  if (GST_PAD_IS_SRC (pad))
    gst_pad_link (pad, caller->in);
}

static void
open_pads (Caller * caller)
{
  GstPad *sink = gst_element_request_pad_simple (caller->call, "send_sink_0");
  GstCaps *caps = gst_caps_from_string ("application/x-rtp,media=audio,"
      "encoding-name=PCMU,clock-rate=8000,payload=0");
  GstSegment segment;

  caller->in = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SINK));
  gst_pad_set_chain_function (caller->in, on_packet);
  gst_pad_set_active (caller->in, TRUE);
  caller->out = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SRC));
  gst_pad_link (caller->out, sink);
  gst_pad_set_active (caller->out, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (caller->out, gst_event_new_stream_start ("caller"));
  gst_pad_push_event (caller->out, gst_event_new_caps (caps));
  gst_pad_push_event (caller->out, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (sink);
}

static void
start_caller (Caller * caller, guint i, GstClock * clock)
{
  gchar *address = g_strdup_printf ("127.0.%u.1", 1 + i / PER_NETWORK);
  gchar *peer = g_strdup_printf ("127.0.0.1:%d", port);

  caller->call = gst_object_ref_sink (gst_element_factory_make ("tfrcbin",
          NULL));
  g_object_set (caller->call, "port", 0, "address", address, "peer", peer,
      "context", "callers", "max-peers", 1, "latency", 0, NULL);
  gst_util_set_object_arg (G_OBJECT (caller->call), "mode", "tfrc-sp");
  gst_element_set_clock (caller->call, clock);
  g_signal_connect (caller->call, "pad-added", G_CALLBACK (on_pad_added),
      caller);
  open_pads (caller);
  if (gst_element_set_state (caller->call, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE) {
    fprintf (stderr, "caller %u does not start\n", i);
    exit (1);
  }
  g_free (address);
  g_free (peer);
}

static void
talk (Caller * caller)
{
  guint8 *packet = g_malloc0 (SIZE);
  guint64 now = gst_util_get_timestamp ();

  packet[0] = 0x80;
  GST_WRITE_UINT16_BE (packet + 2, caller->sent);
  GST_WRITE_UINT32_BE (packet + 4, caller->sent * STEP);
  memcpy (packet + SIZE - sizeof now, &now, sizeof now);
  caller->sent++;
  sent += g_atomic_int_get (&measuring);
  gst_pad_push (caller->out, gst_buffer_new_wrapped (packet, SIZE));
}

/* All callers talk in this thread, each at its phase of 20 ms. */
static gpointer
talk_all (gpointer data)
{
  GstClockTime start = gst_util_get_timestamp ();
  guint64 k;

  for (k = 0; !g_atomic_int_get (&stop); k++) {
    GstClockTime time = start + k * INTERVAL / n_callers;
    GstClockTime now = gst_util_get_timestamp ();

    if (time > now + GST_MSECOND)
      g_usleep ((time - now) / 1000);
    talk (&callers[k % n_callers]);
  }
  return NULL;
}

/* --- the relay's process --- */

static guint
count_entries (GPid pid, const gchar * name)
{
  gchar *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  g_clear_pointer (&dir, g_dir_close);
  g_free (path);
  return n;
}

/* The numbers behind the name in /proc/PID/stat: 11 and 12 are CPU in ticks, 21 is memory in
 * pages. */
static void
read_process (GPid pid, gdouble * cpu, guint64 * pages)
{
  gchar *path = g_strdup_printf ("/proc/%d/stat", pid), *text = NULL;
  gchar **fields;

  if (!g_file_get_contents (path, &text, NULL, NULL)) {
    fprintf (stderr, "the relay has ended\n");
    exit (1);
  }
  fields = g_strsplit (strrchr (text, ')') + 2, " ", 0);
  *cpu = (atof (fields[11]) + atof (fields[12])) / sysconf (_SC_CLK_TCK);
  *pages = g_ascii_strtoull (fields[21], NULL, 10);
  g_strfreev (fields);
  g_free (text);
  g_free (path);
}

static GPid
start_relay (void)
{
  gchar *port_text = g_strdup_printf ("%d", port);
  gchar *argv[] = { relay_path, "--port", port_text, "--quiet", "--max-peers",
    "100000", NULL
  };
  GError *error = NULL;
  GPid pid;

  if (!g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
          &pid, &error)) {
    fprintf (stderr, "%s\n", error->message);
    exit (1);
  }
  g_free (port_text);
  g_usleep (G_USEC_PER_SEC);
  return pid;
}

/* --- the measurement --- */

static gint
compare (gconstpointer a, gconstpointer b)
{
  const guint64 *one = a, *other = b;

  return (*one > *other) - (*one < *other);
}

static gdouble
get_quantile (gdouble q)
{
  if (delays->len == 0)
    return 0;
  return g_array_index (delays, guint64, (guint) (q * (delays->len - 1))) / 1e6;
}

static void
measure (GPid pid)
{
  gdouble before, after;
  guint64 pages;

  g_usleep (settle * G_USEC_PER_SEC);
  read_process (pid, &before, &pages);
  g_atomic_int_set (&measuring, TRUE);
  g_usleep (seconds * G_USEC_PER_SEC);
  g_atomic_int_set (&measuring, FALSE);
  read_process (pid, &after, &pages);
  g_mutex_lock (&lock);
  g_array_sort (delays, compare);
  printf ("%5d calls  %6.2f us  p50 %6.2f ms  p99 %6.2f ms  lost %5.2f %%  "
      "%u threads  %u descriptors  %" G_GUINT64_FORMAT " kB\n", n_calls,
      (after - before) * 1e6 / MAX (delays->len, 1), get_quantile (0.5),
      get_quantile (0.99), sent == 0 ? 100.0 :
      100.0 * (1 - (gdouble) delays->len / sent), count_entries (pid, "task"),
      count_entries (pid, "fd"), pages * sysconf (_SC_PAGESIZE) / 1024);
  g_mutex_unlock (&lock);
}

static void
run (void)
{
  GstClock *clock = gst_system_clock_obtain ();
  GPid pid = start_relay ();
  GThread *thread;
  guint i;

  for (i = 0; i < n_callers; i++) {
    start_caller (&callers[i], i, clock);
    g_usleep (2000);
  }
  thread = g_thread_new ("talk", talk_all, NULL);
  measure (pid);
  g_atomic_int_set (&stop, TRUE);
  g_thread_join (thread);
  for (i = 0; i < n_callers; i++) {
    gst_element_set_state (callers[i].call, GST_STATE_NULL);
    gst_object_unref (callers[i].call);
    gst_object_unref (callers[i].in);
    gst_object_unref (callers[i].out);
  }
  kill (pid, SIGTERM);
  g_spawn_close_pid (pid);
  gst_object_unref (clock);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) ||
      relay_path == NULL || n_calls <= 0) {
    fprintf (stderr, "%s\n", error != NULL ? error->message :
        "which relay? give --relay, and --calls above 0");
    return 2;
  }
  g_option_context_free (context);
  n_callers = 2 * n_calls;
  callers = g_new0 (Caller, n_callers);
  delays = g_array_new (FALSE, FALSE, sizeof (guint64));
  run ();
  g_array_unref (delays);
  g_free (callers);
  return 0;
}
