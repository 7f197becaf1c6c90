/* The path emulator: a UDP relay with a bottleneck, delay, losses and outages
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   tfrc-path --capacity 0:200,20:48,40:200 --queue 300ms 5004 127.0.0.1:6004
 *
 * Whatever comes to port 5004 goes on to 127.0.0.1:6004 through the forward link, and
 * what is sent back returns through the other link, as through a NAT: each client gets a
 * socket of its own towards the target. Time 0 of all schedules is the first datagram.
 *
 *   tfrc-path --tun --capacity 0:300 --queue 300ms caller callee
 *
 * With --tun the path joins two network namespaces by a device `path` in each, and
 * whatever the kernel routes there goes through it: TCP, too. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pathlink.h"
#include "pathtun.h"

#define MAX_CLIENTS 256
#define MAX_PORTS 256
#define MAX_DATAGRAM 65535
#define MAX_WAITING 65536

typedef struct
{
  struct sockaddr_storage address;
  socklen_t size;
} Address;

typedef struct
{
  Address address;              /* where the client sends from */
  unsigned port;                /* the listening socket that it came to */
  int fd;                       /* connected to the target */
} Client;

/* A datagram on its way. */
typedef struct
{
  uint64_t due, order;
  unsigned client;
  bool back;
  size_t size;
  unsigned char data[];
} Datagram;

typedef struct
{
  bool tun;                     /* listen[0] and client[0].fd are TUN devices */
  bool one_target;              /* all ports are relayed to one */
  unsigned n_ports, n_clients;
  int listen[MAX_PORTS];
  Address target[MAX_PORTS];
  Client client[MAX_CLIENTS];
  Link forward, back;
  Datagram *heap[MAX_WAITING];  /* the earliest due is first */
  unsigned n_waiting;
  uint64_t order;
  uint64_t start;               /* ns, monotonic; 0: nothing has come yet */
  uint64_t interval, next_line; /* ns; of the CSV lines */
  FILE *csv;
} Path;

static volatile sig_atomic_t stopped;

static void
on_signal (int number)
{
  (void) number;
  stopped = 1;
}

static void
fail (const char *what, const char *why)
{
  fprintf (stderr, "tfrc-path: %s: %s\n", what, why);
  exit (1);
}

static uint64_t
clock_now (void)
{
  struct timespec ts;
  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec *1000000000u + (uint64_t) ts.tv_nsec;
}

static bool
datagram_before (const Datagram * a, const Datagram * b)
{
  return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void
path_push (Path * path, Datagram * datagram)
{
  unsigned i = path->n_waiting++;
  datagram->order = path->order++;
  for (; i > 0 && datagram_before (datagram, path->heap[(i - 1) / 2]);
      i = (i - 1) / 2)
    path->heap[i] = path->heap[(i - 1) / 2];
  path->heap[i] = datagram;
}

static Datagram *
path_pop (Path * path)
{
  Datagram *top = path->heap[0], *last = path->heap[--path->n_waiting];
  unsigned i = 0;
  for (;;) {
    unsigned child = 2 * i + 1;
    if (child + 1 < path->n_waiting
        && datagram_before (path->heap[child + 1], path->heap[child]))
      child++;
    if (child >= path->n_waiting || !datagram_before (path->heap[child], last))
      break;
    path->heap[i] = path->heap[child];
    i = child;
  }
  path->heap[i] = last;
  return top;
}

/* A datagram has come from a client, or for it. */
static void
path_offer (Path * path, unsigned client, bool back, const void *data,
    size_t size)
{
  uint64_t now = clock_now (), due[2];
  if (path->start == 0) {
    path->start = now;
    path->next_line = now + path->interval;
  }
  unsigned copies =
      link_offer (back ? &path->back : &path->forward, size, now - path->start,
      due);
  for (unsigned i = 0; i < copies && path->n_waiting < MAX_WAITING; i++) {
    Datagram *datagram = malloc (sizeof *datagram + size);
    if (!datagram)
      fail ("datagram", "out of memory");
    *datagram = (Datagram) {
        .due = path->start + due[i],
        .client = client,
        .back = back,
        .size = size};
    memcpy (datagram->data, data, size);
    path_push (path, datagram);
  }
}

static void
path_deliver (Path * path, uint64_t now)
{
  while (path->n_waiting > 0 && path->heap[0]->due <= now) {
    Datagram *datagram = path_pop (path);
    Client *client = &path->client[datagram->client];
    /* Nobody listening is a loss like any other. */
    if (path->tun)
      (void) !write (datagram->back ? path->listen[0] : client->fd,
          datagram->data, datagram->size);
    else if (datagram->back)
      (void) !sendto (path->listen[client->port], datagram->data,
          datagram->size, 0, (struct sockaddr *) &client->address.address,
          client->address.size);
    else
      (void) !send (client->fd, datagram->data, datagram->size, 0);
    free (datagram);
  }
}

static bool
address_equal (const Address * a, const Address * b)
{
  return a->size == b->size && memcmp (&a->address, &b->address, a->size) == 0;
}

static int
path_find_client (Path * path, unsigned port, const Address * address)
{
  for (unsigned i = 0; i < path->n_clients; i++)
    if (path->client[i].port == port
        && address_equal (&path->client[i].address, address))
      return (int) i;
  if (path->n_clients == MAX_CLIENTS)
    return -1;
  const Address *target = &path->target[port];
  int fd = socket (target->address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (fd < 0
      || connect (fd, (const struct sockaddr *) &target->address,
          target->size) < 0)
    fail ("target", strerror (errno));
  path->client[path->n_clients] = (Client) {
      .address = *address,
      .port = port,
      .fd = fd};
  return (int) path->n_clients++;
}

/* All that waits at one end of a path between namespaces. */
static void
path_read_tun (Path * path, bool back)
{
  static unsigned char data[MAX_DATAGRAM];
  ssize_t size;
  while ((size =
          read (back ? path->client[0].fd : path->listen[0], data,
              sizeof data)) > 0)
    path_offer (path, 0, back, data, (size_t) size);
}

static void
path_read_clients (Path * path, unsigned port)
{
  static unsigned char data[MAX_DATAGRAM];
  for (;;) {
    Address from = { .size = sizeof from.address };
    ssize_t size =
        recvfrom (path->listen[port], data, sizeof data, MSG_DONTWAIT,
        (struct sockaddr *) &from.address, &from.size);
    if (size < 0)
      return;
    int client = path_find_client (path, port, &from);
    if (client >= 0)
      path_offer (path, (unsigned) client, false, data, (size_t) size);
  }
}

static void
path_read_target (Path * path, unsigned client)
{
  static unsigned char data[MAX_DATAGRAM];
  for (;;) {
    ssize_t size =
        recv (path->client[client].fd, data, sizeof data, MSG_DONTWAIT);
    if (size < 0)
      return;
    path_offer (path, client, true, data, (size_t) size);
  }
}

static void
path_write_line (Path * path, uint64_t now)
{
  LinkCounts f, b;
  uint64_t t = path->next_line - path->start;
  link_take_counts (&path->forward, path->interval, now - path->start, &f);
  link_take_counts (&path->back, path->interval, now - path->start, &b);
  path->next_line += path->interval;
  if (!path->csv)
    return;
  fprintf (path->csv,
      "%.3f,%.6f,%.1f,%.1f,%.1f,%.1f,%.1f,%llu,%llu,%llu,%.1f,%.1f,%llu\n",
      (double) t / 1e9, (double) now / 1e9,
      isinf (f.capacity) ? 0 : f.capacity / 1e3, f.offered / 1e3,
      f.carried / 1e3, f.queue_mean, f.queue_max,
      (unsigned long long) f.tail_drops, (unsigned long long) f.random_drops,
      (unsigned long long) f.outage_drops, b.carried / 1e3, b.queue_mean,
      (unsigned long long) (b.tail_drops + b.random_drops + b.outage_drops));
  fflush (path->csv);
}

/* Until the next datagram is due or the next line of the CSV. */
static struct timespec *
path_timeout (const Path * path, struct timespec *timeout)
{
  uint64_t next = path->start ? path->next_line : UINT64_MAX, now =
      clock_now ();
  if (path->n_waiting > 0 && path->heap[0]->due < next)
    next = path->heap[0]->due;
  if (next == UINT64_MAX)
    return NULL;
  uint64_t wait = next > now ? next - now : 0;
  *timeout = (struct timespec) {(time_t) (wait / 1000000000u), (long) (wait % 1000000000u)
  };
  return timeout;
}

static void
path_turn (Path * path, const sigset_t * mask)
{
  struct pollfd fds[MAX_PORTS + MAX_CLIENTS];
  struct timespec timeout;
  unsigned n = 0, clients = path->n_clients;
  for (unsigned i = 0; i < path->n_ports; i++)
    fds[n++] = (struct pollfd) {.fd = path->listen[i], .events = POLLIN};
  for (unsigned i = 0; i < clients; i++)
    fds[n++] = (struct pollfd) {.fd = path->client[i].fd, .events = POLLIN};
  if (ppoll (fds, n, path_timeout (path, &timeout), mask) > 0) {
    for (unsigned i = 0; i < path->n_ports; i++)
      if (fds[i].revents && path->tun)
        path_read_tun (path, false);
      else if (fds[i].revents)
        path_read_clients (path, i);
    for (unsigned i = 0; i < clients; i++)
      if (fds[path->n_ports + i].revents && path->tun)
        path_read_tun (path, true);
      else if (fds[path->n_ports + i].revents)
        path_read_target (path, i);
  }
  uint64_t now = clock_now ();
  path_deliver (path, now);
  while (path->start && now >= path->next_line)
    path_write_line (path, now);
}

static Address
resolve (const char *host, unsigned port, bool passive)
{
  struct addrinfo hints = {
    .ai_socktype = SOCK_DGRAM,
    .ai_flags = passive ? AI_PASSIVE : 0
  }, *found;
  char service[8];
  snprintf (service, sizeof service, "%u", port);
  int error = getaddrinfo (host, service, &hints, &found);
  if (error)
    fail (host, gai_strerror (error));
  Address address = { .size = found->ai_addrlen };
  memcpy (&address.address, found->ai_addr, found->ai_addrlen);
  freeaddrinfo (found);
  return address;
}

static int
open_listener (const char *host, unsigned port)
{
  Address address = resolve (host, port, true);
  int fd = socket (address.address.ss_family, SOCK_DGRAM, 0);
  char name[64];
  snprintf (name, sizeof name, "%s port %u", host, port);
  if (fd < 0
      || bind (fd, (struct sockaddr *) &address.address, address.size) < 0)
    fail (name, strerror (errno));
  return fd;
}

static const char usage[] =
    "usage: tfrc-path [OPTION...] PORT HOST:PORT\n"
    "       tfrc-path [OPTION...] --tun NETNS NETNS\n"
    "Options for the forward link; with -back added to the name, for the other one.\n"
    "  --capacity S:KBIT,...   kbit/s from each time on, headers counted; unlimited\n"
    "  --delay MS              (50)\n"
    "  --queue LIMIT           300ms or 6000B, then the newest is dropped; no limit\n"
    "  --loss PERCENT          lost at random   --loss-run N  in runs of N on average\n"
    "  --outage S:S,...        start:duration, everything is lost\n"
    "  --reorder PERCENT       held back by --reorder-by MS (20)\n"
    "  --duplicate PERCENT     arrive twice\n"
    "  --header BYTES          what IP and UDP add to each datagram (28)\n"
    "For both:\n"
    "  --bind HOST             (127.0.0.1)\n"
    "  --ports N               relay N ports from PORT on, each to the port as far after HOST:PORT (1)\n"
    "  --one-target            relay all of them to HOST:PORT\n"
    "  --tun                   join two network namespaces (ip netns) by a device `path` in each\n"
    "  --csv FILE              a line each --interval S (1)\n"
    "  --seed N                of the random losses (1)\n";

enum
{ CAPACITY, DELAY, QUEUE, LOSS, LOSS_RUN, OUTAGE, REORDER, REORDER_BY,
  DUPLICATE, HEADER,
  N_LINK_OPTIONS, BIND =
      2 * N_LINK_OPTIONS, PORTS, ONE_TARGET, TUN, CSV, INTERVAL, SEED, HELP
};

static const struct option options[] = {
  {"capacity", 1, 0, CAPACITY}, {"capacity-back", 1, 0,
      CAPACITY + N_LINK_OPTIONS},
  {"delay", 1, 0, DELAY}, {"delay-back", 1, 0, DELAY + N_LINK_OPTIONS},
  {"queue", 1, 0, QUEUE}, {"queue-back", 1, 0, QUEUE + N_LINK_OPTIONS},
  {"loss", 1, 0, LOSS}, {"loss-back", 1, 0, LOSS + N_LINK_OPTIONS},
  {"loss-run", 1, 0, LOSS_RUN}, {"loss-run-back", 1, 0,
      LOSS_RUN + N_LINK_OPTIONS},
  {"outage", 1, 0, OUTAGE}, {"outage-back", 1, 0, OUTAGE + N_LINK_OPTIONS},
  {"reorder", 1, 0, REORDER}, {"reorder-back", 1, 0, REORDER + N_LINK_OPTIONS},
  {"reorder-by", 1, 0, REORDER_BY}, {"reorder-by-back", 1, 0,
      REORDER_BY + N_LINK_OPTIONS},
  {"duplicate", 1, 0, DUPLICATE}, {"duplicate-back", 1, 0,
      DUPLICATE + N_LINK_OPTIONS},
  {"header", 1, 0, HEADER}, {"header-back", 1, 0, HEADER + N_LINK_OPTIONS},
  {"bind", 1, 0, BIND}, {"ports", 1, 0, PORTS}, {"one-target", 0, 0,
      ONE_TARGET}, {"tun", 0, 0, TUN}, {"csv", 1, 0, CSV},
  {"interval", 1, 0, INTERVAL}, {"seed", 1, 0, SEED}, {"help", 0, 0, HELP}, {0,
      0, 0, 0}
};

static double
parse_number (const char *name, const char *text, double max)
{
  char *end;
  double value = strtod (text, &end);
  if (end == text || *end || !(value >= 0 && value <= max))
    fail (name, "not a number in its range");
  return value;
}

static void
set_link_option (LinkConfig * config, int option, const char *name,
    const char *text)
{
  bool parsed = true;
  switch (option) {
    case CAPACITY:
      parsed = link_config_parse_capacity (config, text);
      break;
    case OUTAGE:
      parsed = link_config_parse_outages (config, text);
      break;
    case QUEUE:
      parsed = link_config_parse_queue (config, text);
      break;
    case DELAY:
      config->delay = (uint64_t) (parse_number (name, text, 1e6) * 1e6);
      break;
    case LOSS:
      config->loss = parse_number (name, text, 100) / 100;
      break;
    case LOSS_RUN:
      config->loss_run = parse_number (name, text, 1e6);
      break;
    case REORDER:
      config->reorder = parse_number (name, text, 100) / 100;
      break;
    case REORDER_BY:
      config->reorder_ns = (uint64_t) (parse_number (name, text, 1e6) * 1e6);
      break;
    case DUPLICATE:
      config->duplicate = parse_number (name, text, 100) / 100;
      break;
    case HEADER:
      config->header = (unsigned) parse_number (name, text, 1000);
      break;
  }
  if (!parsed)
    fail (name, "cannot be read; see --help");
}

static void
open_csv (Path * path, const char *name)
{
  path->csv = fopen (name, "w");
  if (!path->csv)
    fail (name, strerror (errno));
  fputs
      ("time_s,monotonic_s,capacity_kbps,offered_kbps,carried_kbps,queue_ms,queue_max_ms,"
      "tail_drops,random_drops,outage_drops,back_kbps,back_queue_ms,back_drops\n",
      path->csv);
  fflush (path->csv);
}

static void
open_ports (Path * path, char **arguments, const char *bind_host)
{
  char *colon = strrchr (arguments[1], ':');
  if (!colon)
    fail (arguments[1], "not HOST:PORT");
  *colon = 0;
  unsigned from = (unsigned) parse_number ("port", arguments[0], 65535);
  unsigned to = (unsigned) parse_number ("port", colon + 1, 65535);
  for (unsigned i = 0; i < path->n_ports; i++) {
    path->listen[i] = open_listener (bind_host, from + i);
    path->target[i] =
        resolve (arguments[1], path->one_target ? to : to + i, false);
  }
}

static void
open_tuns (Path * path, char **netns)
{
  path->listen[0] = tun_open (netns[0], "path");
  if (path->listen[0] < 0)
    fail (netns[0], strerror (errno));
  path->client[0].fd = tun_open (netns[1], "path");
  if (path->client[0].fd < 0)
    fail (netns[1], strerror (errno));
  path->n_ports = path->n_clients = 1;
}

static void
parse_arguments (Path * path, int argc, char **argv)
{
  LinkConfig config[2];
  const char *bind_host = "127.0.0.1";
  uint64_t seed = 1;
  int option, index = 0;
  for (int i = 0; i < 2; i++) {
    link_config_init (&config[i]);
    config[i].delay = 50000000;
  }
  while ((option = getopt_long (argc, argv, "", options, &index)) != -1) {
    if (option == '?' || option == HELP) {
      fputs (usage, option == HELP ? stdout : stderr);
      exit (option == HELP ? 0 : 1);
    }
    if (option < BIND)
      set_link_option (&config[option / N_LINK_OPTIONS],
          option % N_LINK_OPTIONS, options[index].name, optarg);
    else if (option == BIND)
      bind_host = optarg;
    else if (option == PORTS)
      path->n_ports = (unsigned) parse_number ("ports", optarg, MAX_PORTS);
    else if (option == ONE_TARGET)
      path->one_target = true;
    else if (option == TUN)
      path->tun = true;
    else if (option == CSV)
      open_csv (path, optarg);
    else if (option == INTERVAL)
      path->interval =
          (uint64_t) (parse_number ("interval", optarg, 1e6) * 1e9);
    else
      seed = (uint64_t) parse_number ("seed", optarg, 1e15);
  }
  if (argc - optind != 2 || path->n_ports == 0 || path->interval == 0) {
    fputs (usage, stderr);
    exit (1);
  }
  /* What comes from a device has its headers with it. */
  for (int i = 0; i < 2 && path->tun; i++)
    config[i].header = 0;
  link_init (&path->forward, &config[0], seed);
  link_init (&path->back, &config[1], seed + 1);
  if (path->tun)
    open_tuns (path, argv + optind);
  else
    open_ports (path, argv + optind, bind_host);
}

int
main (int argc, char **argv)
{
  static Path path = { .n_ports = 1, .interval = 1000000000 };
  struct sigaction action = { .sa_handler = on_signal };
  sigset_t blocked, mask;
  parse_arguments (&path, argc, argv);
  /* The signals are let in while waiting only: none is missed between the test of
   * `stopped` and the wait. */
  sigemptyset (&blocked);
  sigaddset (&blocked, SIGINT);
  sigaddset (&blocked, SIGTERM);
  sigprocmask (SIG_BLOCK, &blocked, &mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  /* The default slack of 50 us would be jitter. */
  prctl (PR_SET_TIMERSLACK, 1);
  while (!stopped)
    path_turn (&path, &mask);
  if (path.csv)
    fclose (path.csv);
  return 0;
}
