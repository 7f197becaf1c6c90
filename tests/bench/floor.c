/* The floor of the bench: what moving packets costs when nothing else is done
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-floor                         floor and worker beside each other, at 100, 500 and
 *                                      2,000 flows, and the most flows of each
 *   tfrc-floor --flows 500 --gap 0     only these, without a gap between rounds
 *   tfrc-floor --senders               ns for a look into the table of senders
 *
 * A flow is 50 packets a second of 160 bytes from one socket to another on loopback, each
 * flow with a phase of its own. The floor is a thread that waits (ppoll) for the next
 * departure or arrival, reads with recvmmsg and sends with sendmmsg what is due. The worker
 * does the same with a timer for each flow, and with what a call needs of each packet: time
 * of arrival, ECN and the address of the sender. It looks at the bytes where they are, as a
 * relay does; with `buffers` each packet becomes a GstBuffer of its own, as for a pipeline.
 * All leave the same gap between rounds.
 *
 * CPU is user and system time of the process for a packet that is sent and received. A
 * departure's lateness is from its time to the system call (floor), or to the arrival that
 * the system stamped, which on loopback is within the call (worker). `most` is the number
 * of flows at which no packet is lost and the lateness at p99 is under 20 ms, found by
 * doubling and halving to within 5 %.
 *
 * The sweep that set GST_TFRC_UDP_GAP: `chrt --rr 5 tfrc-floor --flows 500 --gap US --repeat 1`, twice,
 * on two cores of a virtual machine at a load of 30. Microseconds of CPU for a packet of the worker with
 * buffers, the same of the floor, and ms of the worker's lateness at p99:
 *
 *   gap of 0 us     6.5 us   5.5 us   0.02 ms
 *   250             2.7      2.3      0.26
 *   500             2.3      1.7      0.51
 *   750             2.0      1.5      0.76
 *   1000            1.9      1.4      1.00
 *
 * At p99 a departure may be one millisecond late. A gap of 750 us leaves a quarter of that, and the next
 * step would save a twentieth of the CPU. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* recvmmsg, sendmmsg */
#endif
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "transport/admissiontable.h"
#include "transport/udpworkersocket.h"

#define SIZE 160                /* bytes of a packet */
#define INTERVAL (20 * GST_MSECOND)
#define BATCH GST_TFRC_UDP_BATCH
#define LATE (20 * GST_MSECOND) /* too late at p99 */
#define RECEIVE_BUFFER (4 << 20)

static gint n_flows, gap_us = 750, repeat = 3;
static gdouble seconds = 3;
static gboolean only_senders, no_search, take_buffers;

static GOptionEntry entries[] = {
  {"flows", 0, 0, G_OPTION_ARG_INT, &n_flows,
      "Flows at once, and no search for the most", "N"},
  {"gap", 0, 0, G_OPTION_ARG_INT, &gap_us,
      "Between two rounds of a busy thread (750)", "US"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Of each measurement (3)",
      "S"},
  {"repeat", 0, 0, G_OPTION_ARG_INT, &repeat,
      "Of which the median is taken (3)", "N"},
  {"no-search", 0, 0, G_OPTION_ARG_NONE, &no_search,
      "Do not look for the most flows", NULL},
  {"senders", 0, 0, G_OPTION_ARG_NONE, &only_senders,
      "Measure the table of senders", NULL},
  {NULL}
};

/* What one measurement found. */
typedef struct
{
  gdouble us;                   /* of CPU for a packet; of a ratio: worker to floor */
  gdouble p50, p99;             /* ms of lateness */
  guint64 lost;
} Result;

/* One run. The thread that moves packets owns all but what is atomic. */
typedef struct
{
  guint n;
  GSocket *from, *to;
  GstTfrcUdpAddress target;
  GstClockTime start;
  GstClockTime *phases;         /* of the flows, sorted */
  gint stop, measuring;         /* atomic */
  guint64 sent, received;
  GArray *lateness;             /* gint64 ns */

  GstTfrcUdpWorker *worker;
  GstTfrcUdpWorkerSocket *out, *in;
  GstTfrcUdpTimer *timers;
  GstClockTime *next;
} Run;

static void
note_lateness (Run * run, gint64 late)
{
  if (g_atomic_int_get (&run->measuring))
    g_array_append_val (run->lateness, late);
}

/* The floor. */

typedef struct
{
  struct mmsghdr messages[BATCH];
  struct iovec parts[BATCH];
  struct sockaddr_storage name;
  guint8 bytes[BATCH][2048];
} Bundle;

static void
bundle_init (Bundle * bundle, gsize size)
{
  for (guint i = 0; i < BATCH; i++) {
    bundle->parts[i] = (struct iovec) {bundle->bytes[i], size};
    bundle->messages[i].msg_hdr.msg_iov = &bundle->parts[i];
    bundle->messages[i].msg_hdr.msg_iovlen = 1;
  }
}

static GstClockTime
departure (const Run * run, guint64 k)
{
  return run->start + k / run->n * INTERVAL + run->phases[k % run->n];
}

/* Sends what is due, in bundles. */
static guint64
floor_send (Run * run, Bundle * bundle, guint64 next)
{
  GstClockTime now = gst_util_get_timestamp ();
  while (departure (run, next) <= now) {
    guint n = 0;
    while (n < BATCH && departure (run, next) <= now) {
      note_lateness (run, now - departure (run, next++));
      n++;
    }
    for (guint left = 0; left < n;) {
      gint taken =
          sendmmsg (g_socket_get_fd (run->from), bundle->messages + left,
          n - left, 0);
      if (taken < 0) {
        perror ("sendmmsg");
        exit (1);
      }
      left += taken;
    }
    run->sent += n;
    now = gst_util_get_timestamp ();
  }
  return next;
}

static void
floor_receive (Run * run, Bundle * bundle)
{
  gint n;
  do {
    n = recvmmsg (g_socket_get_fd (run->to), bundle->messages, BATCH,
        MSG_DONTWAIT, NULL);
    run->received += MAX (n, 0);
  } while (n == BATCH);
}

static void
wait_until (Run * run, GstClockTime time, gboolean readable)
{
  struct pollfd descriptor = {
    .fd = g_socket_get_fd (run->to),
    .events = POLLIN
  };
  GstClockTime now = gst_util_get_timestamp ();
  struct timespec timeout;
  if (time <= now)
    return;
  GST_TIME_TO_TIMESPEC (time - now, timeout);
  ppoll (&descriptor, readable ? 1 : 0, &timeout, NULL);
}

static gpointer
floor_run (gpointer data)
{
  Run *run = data;
  Bundle *out = g_new0 (Bundle, 1), *in = g_new0 (Bundle, 1);
  GstClockTime round = 0;
  gsize size =
      gst_tfrc_udp_address_to_sockaddr (&run->target, AF_INET, &out->name);
  guint64 next = 0;
  bundle_init (out, SIZE);
  bundle_init (in, sizeof (in->bytes[0]));
  for (guint i = 0; i < BATCH; i++) {
    out->messages[i].msg_hdr.msg_name = &out->name;
    out->messages[i].msg_hdr.msg_namelen = size;
  }
  while (!g_atomic_int_get (&run->stop)) {
    GstClockTime earliest = round + gap_us * GST_USECOND;
    wait_until (run, MAX (departure (run, next), earliest), TRUE);
    wait_until (run, earliest, FALSE);
    round = gst_util_get_timestamp ();
    floor_receive (run, in);
    next = floor_send (run, out, next);
  }
  g_usleep (50000);
  floor_receive (run, in);
  g_free (out);
  g_free (in);
  return NULL;
}

/* The worker. */

static void
on_departure (GstTfrcUdpTimer * timer, GstClockTime now, gpointer data)
{
  Run *run = data;
  guint i = timer - run->timers;
  GstTfrcUdpRoute route = { .remote = run->target };
  guint8 *bytes = gst_tfrc_udp_worker_socket_prepare (run->out);
  memset (bytes, 0, SIZE);
  memcpy (bytes, &run->next[i], sizeof (run->next[i]));
  gst_tfrc_udp_worker_socket_submit (run->out, SIZE, &route);
  run->sent++;
  run->next[i] += INTERVAL;
  gst_tfrc_udp_timer_set (timer, run->next[i]);
}

static void
on_datagrams (GstTfrcUdpWorkerSocket * socket, GstTfrcUdpDatagram * datagrams,
    guint n, gpointer data)
{
  Run *run = data;
  for (guint i = 0; i < n; i++) {
    GstClockTime due;
    memcpy (&due, datagrams[i].data, sizeof (due));
    note_lateness (run, (gint64) (datagrams[i].arrival - due));
    if (take_buffers)
      gst_buffer_unref (gst_tfrc_udp_datagram_take_buffer (&datagrams[i]));
  }
  run->received += n;
}

static void
worker_start (Run * run)
{
  const GstTfrcUdpWorkerSocketCallbacks callbacks = { on_datagrams, NULL };
  run->worker = gst_tfrc_udp_worker_join ("floor", 1, NULL);
  gst_tfrc_udp_worker_set_gap (run->worker, gap_us * GST_USECOND);
  run->out =
      gst_tfrc_udp_worker_socket_new (run->worker, run->from, &callbacks, run,
      NULL);
  run->in =
      gst_tfrc_udp_worker_socket_new (run->worker, run->to, &callbacks, run,
      NULL);
  run->timers = g_new0 (GstTfrcUdpTimer, run->n);
  run->next = g_new0 (GstClockTime, run->n);
  for (guint i = 0; i < run->n; i++) {
    run->next[i] = run->start + run->phases[i];
    gst_tfrc_udp_timer_init (&run->timers[i], run->worker, on_departure, run);
    gst_tfrc_udp_timer_set (&run->timers[i], run->next[i]);
  }
}

static void
worker_stop (Run * run)
{
  for (guint i = 0; i < run->n; i++)
    gst_tfrc_udp_timer_close (&run->timers[i]);
  g_usleep (50000);
  gst_tfrc_udp_worker_socket_close (run->out);
  gst_tfrc_udp_worker_socket_close (run->in);
  gst_tfrc_udp_worker_leave (run->worker);
  g_free (run->timers);
  g_free (run->next);
}

/* Both. */

static GSocket *
new_socket (void)
{
  GSocketAddress *address =
      g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  gint bytes = RECEIVE_BUFFER;
  g_socket_bind (socket, address, FALSE, NULL);
  if (setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_RCVBUFFORCE, &bytes,
          sizeof (bytes)))
    g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUF, bytes, NULL);
  g_object_unref (address);
  return socket;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

static gdouble
get_cpu (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
      1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static Result
get_result (Run * run, gdouble cpu)
{
  guint n = run->lateness->len;
  Result result = { 0, 0, 0, run->sent - run->received };
  if (n == 0)
    return (Result) {0, 1e9, 1e9, run->sent};
  g_array_sort (run->lateness, compare_times);
  result.us = 1e6 * cpu / n;
  result.p50 = g_array_index (run->lateness, gint64, n / 2) / 1e6;
  result.p99 = g_array_index (run->lateness, gint64, n * 99 / 100) / 1e6;
  return result;
}

static Result
measure (gboolean worker, guint n, gdouble duration)
{
  Run run = { .n = n, .from = new_socket (), .to = new_socket () };
  GSocketAddress *address = g_socket_get_local_address (run.to, NULL);
  GRand *rand = g_rand_new_with_seed (n);
  GThread *thread = NULL;
  gdouble cpu;
  Result result;
  gst_tfrc_udp_address_from_object (&run.target, address);
  run.phases = g_new (GstClockTime, n);
  for (guint i = 0; i < n; i++)
    run.phases[i] = g_rand_double (rand) * INTERVAL;
  qsort (run.phases, n, sizeof (run.phases[0]), compare_times);
  run.lateness =
      g_array_sized_new (FALSE, FALSE, sizeof (gint64), n * 60 * duration);
  run.start = gst_util_get_timestamp () + 50 * GST_MSECOND;
  if (worker)
    worker_start (&run);
  else
    thread = g_thread_new ("floor", floor_run, &run);
  g_usleep (500000);
  g_atomic_int_set (&run.measuring, TRUE);
  cpu = get_cpu ();
  g_usleep (duration * 1e6);
  cpu = get_cpu () - cpu;
  g_atomic_int_set (&run.measuring, FALSE);
  g_atomic_int_set (&run.stop, TRUE);
  if (worker)
    worker_stop (&run);
  else
    g_thread_join (thread);
  result = get_result (&run, cpu);
  g_array_unref (run.lateness);
  g_free (run.phases);
  g_rand_free (rand);
  g_object_unref (address);
  g_object_unref (run.from);
  g_object_unref (run.to);
  return result;
}

static gint
compare_results (gconstpointer a, gconstpointer b)
{
  gdouble x = ((const Result *) a)->us, y = ((const Result *) b)->us;
  return x < y ? -1 : x > y;
}

static void
print (const gchar * name, guint n, const Result * result, gdouble ratio)
{
  printf
      ("%-8s%6u flows%8.2f us/packet%7.2f of the floor%8.2f ms p50%8.2f ms p99%6"
      G_GUINT64_FORMAT " lost\n", name, n, result->us, ratio, result->p50,
      result->p99, result->lost);
}

enum
{ FLOOR, WORKER, BUFFERS, VARIANTS };

static const gchar *const names[VARIANTS] = { "floor", "worker", "buffers" };

/* One after the other, several times; the median by CPU of each and of their ratios. */
static void
compare (guint n)
{
  Result *results[VARIANTS], *ratios[VARIANTS];
  for (guint v = 0; v < VARIANTS; v++) {
    results[v] = g_new (Result, repeat);
    ratios[v] = g_new0 (Result, repeat);
  }
  for (gint i = 0; i < repeat; i++)
    for (guint v = 0; v < VARIANTS; v++) {
      take_buffers = v == BUFFERS;
      results[v][i] = measure (v != FLOOR, n, seconds);
      ratios[v][i].us = results[v][i].us / results[FLOOR][i].us;
    }
  take_buffers = FALSE;
  for (guint v = 0; v < VARIANTS; v++) {
    qsort (ratios[v], repeat, sizeof (Result), compare_results);
    qsort (results[v], repeat, sizeof (Result), compare_results);
    print (names[v], n, &results[v][repeat / 2], ratios[v][repeat / 2].us);
    g_free (results[v]);
    g_free (ratios[v]);
  }
  fflush (stdout);
}

/* A failure is tried once more: the machine may have been held. */
static gboolean
can_carry (gboolean worker, guint n)
{
  for (guint attempt = 0; attempt < 2; attempt++) {
    Result result = measure (worker, n, 2);
    if (result.lost == 0 && result.p99 * GST_MSECOND < LATE)
      return TRUE;
  }
  return FALSE;
}

static guint
find_most (gboolean worker)
{
  guint low = 500, high;
  while (low < 100000 && can_carry (worker, 2 * low))
    low *= 2;
  for (high = 2 * low; high - low > low / 20;) {
    guint middle = (low + high) / 2;
    if (can_carry (worker, middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Looks at datagrams of random strangers, and of 1,000 peers. */
static void
measure_senders (void)
{
  GstTfrcAdmissionTableSettings settings = {
    .max_peers = 1000,
    .probation = 2,
    .rate = 20,
    .burst = 20,
    .host_rate = 2,
    .host_burst = 4
  };
  GstTfrcAdmissionTable *table = gst_tfrc_admission_table_new (&settings);
  GstTfrcUdpAddress *addresses = g_new0 (GstTfrcUdpAddress, 1 << 16);
  const guint n = 4000000;
  guint i;
  gpointer peer;
  GstClockTime begin;
  for (i = 0; i < 1 << 16; i++) {
    guint32 ip = g_random_int ();
    addresses[i].ip[10] = addresses[i].ip[11] = 0xff;
    memcpy (addresses[i].ip + 12, &ip, 4);
    addresses[i].port = g_random_int ();
    if (i < 1000)
      gst_tfrc_admission_table_add (table, &addresses[i], addresses);
  }
  begin = gst_util_get_timestamp ();
  for (i = 0; i < n; i++)
    gst_tfrc_admission_table_look_up (table, &addresses[1000 + i % 64000], i,
        begin + i * 100 * GST_USECOND, &peer);
  printf ("stranger %6.1f ns\n",
      (gdouble) (gst_util_get_timestamp () - begin) / n);
  begin = gst_util_get_timestamp ();
  for (i = 0; i < n; i++)
    gst_tfrc_admission_table_look_up (table, &addresses[i % 1000], i, begin,
        &peer);
  printf ("peer     %6.1f ns\n",
      (gdouble) (gst_util_get_timestamp () - begin) / n);
  printf ("memory   %6" G_GSIZE_FORMAT " kB for 1,000 peers\n",
      gst_tfrc_admission_table_get_memory (table) / 1000);
  g_free (addresses);
  gst_tfrc_admission_table_free (table);
}

int
main (int argc, char **argv)
{
  static const guint counts[] = { 100, 500, 2000 };
  GOptionContext *context = g_option_context_new (NULL);
  guint most[2];
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 1;
  g_option_context_free (context);
  gst_init (NULL, NULL);
  if (only_senders) {
    measure_senders ();
    return 0;
  }
  if (n_flows > 0) {
    compare (n_flows);
    return 0;
  }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    compare (counts[i]);
  measure_senders ();
  if (no_search)
    return 0;
  most[0] = find_most (FALSE);
  most[1] = find_most (TRUE);
  printf ("most    %6u flows on the floor, %u on the worker: %.2f\n", most[0],
      most[1], (gdouble) most[1] / most[0]);
  return 0;
}
