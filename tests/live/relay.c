/* gst-tfrc tests: a UDP relay that a test commands
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "relay.h"

#include <string.h>

#define MAX_PACKETS 20000       /* that are kept for relay_take_packets */

/* A packet on its way. */
typedef struct
{
  gint64 due;                   /* us, monotonic */
  guint order;
  RelayWay way;
  GBytes *data;
} Flight;

typedef struct
{
  RelayRules rules;
  RelayCounts counts;
  GPtrArray *packets;
  GBytes *held;                 /* to be overtaken by the next */
} Way;

struct _Relay
{
  GSocket *sockets[RELAY_N_WAYS];       /* what comes in to go FORTH, and BACK */
  GThread *thread;
  GMutex lock;
  gboolean stop;
  GSocketAddress *receiver, *sender;    /* the sender: whoever spoke last */
  Way ways[RELAY_N_WAYS];
  GSequence *flights;
  guint next_order;
};

static void
free_flight (gpointer data)
{
  Flight *flight = data;

  g_bytes_unref (flight->data);
  g_free (flight);
}

static gint
compare_flights (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Flight *x = a, *y = b;

  if (x->due != y->due)
    return x->due < y->due ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

gboolean
relay_is_rtcp (gconstpointer data, gsize size)
{
  const guint8 *bytes = data;

  return size >= 2 && bytes[1] >= 192 && bytes[1] <= 223;
}

gboolean
relay_has_rtcp (gconstpointer data, gsize size, guint type)
{
  const guint8 *bytes = data;

  while (size >= 4) {
    gsize length = 4 * ((bytes[2] << 8 | bytes[3]) + 1);

    if (bytes[1] == type)
      return TRUE;
    if (length > size)
      return FALSE;
    bytes += length;
    size -= length;
  }
  return FALSE;
}

static void
launch (Relay * relay, RelayWay way, GBytes * data)
{
  Flight *flight = g_new0 (Flight, 1);

  flight->due = g_get_monotonic_time () + 1000 *
      (gint64) relay->ways[way].rules.delay;
  flight->order = relay->next_order++;
  flight->way = way;
  flight->data = g_bytes_ref (data);
  g_sequence_insert_sorted (relay->flights, flight, compare_flights, NULL);
}

static gboolean
is_nth (guint count, guint every)
{
  return every != 0 && count % every == 0;
}

static gboolean
is_lost (Way * way, GBytes * data)
{
  gsize size;
  gconstpointer bytes = g_bytes_get_data (data, &size);

  return way->rules.block || (way->rules.block_rtcp &&
      relay_is_rtcp (bytes, size)) || (way->rules.drop_every != 0
      && way->counts.packets % way->rules.drop_every <
      MAX (way->rules.drop_run, 1));
}

/* p of each TFRC report in a compound becomes 0. */
static GBytes *
hide_loss (GBytes * data)
{
  gsize size, offset = 0;
  guint8 *copy = g_bytes_unref_to_data (g_bytes_ref (data), &size);

  while (offset + 4 <= size) {
    guint8 *packet = copy + offset;
    gsize length = 4 * ((packet[2] << 8 | packet[3]) + 1);

    if (packet[1] == 205 && length == 28 && offset + length <= size)
      memset (packet + 24, 0, 4);
    offset += length;
  }
  return g_bytes_new_take (copy, size);
}

static void
handle (Relay * relay, RelayWay direction, GBytes * data)
{
  Way *way = &relay->ways[direction];
  gsize size;
  gconstpointer bytes = g_bytes_get_data (data, &size);

  way->counts.packets++;
  way->counts.rtcp += relay_is_rtcp (bytes, size);
  if (way->packets->len < MAX_PACKETS)
    g_ptr_array_add (way->packets, g_bytes_ref (data));
  if (is_lost (way, data)) {
    way->counts.dropped++;
    return;
  }
  if (is_nth (way->counts.packets, way->rules.swap_every) &&
      way->held == NULL) {
    way->held = g_bytes_ref (data);
    return;
  }
  if (way->rules.hide_loss && relay_is_rtcp (bytes, size)) {
    GBytes *changed = hide_loss (data);

    launch (relay, direction, changed);
    g_bytes_unref (changed);
    return;
  }
  launch (relay, direction, data);
  if (is_nth (way->counts.packets, way->rules.duplicate_every))
    launch (relay, direction, data);
  if (way->held != NULL)
    launch (relay, direction, way->held);
  g_clear_pointer (&way->held, g_bytes_unref);
}

static void
receive (Relay * relay, RelayWay way)
{
  GSocketAddress *from = NULL;
  gchar data[65536];
  gssize size = g_socket_receive_from (relay->sockets[way], &from, data,
      sizeof (data), NULL, NULL);
  GBytes *bytes;

  if (size >= 0) {
    bytes = g_bytes_new (data, size);
    g_mutex_lock (&relay->lock);
    if (way == RELAY_FORTH)
      g_set_object (&relay->sender, from);
    handle (relay, way, bytes);
    g_mutex_unlock (&relay->lock);
    g_bytes_unref (bytes);
  }
  g_clear_object (&from);
}

/* Sends what is due; the time in us until the next, at most 2 ms. */
static gint64
send_due (Relay * relay)
{
  gint64 now = g_get_monotonic_time (), wait = 2000;

  g_mutex_lock (&relay->lock);
  while (g_sequence_get_length (relay->flights) > 0) {
    GSequenceIter *first = g_sequence_get_begin_iter (relay->flights);
    Flight *flight = g_sequence_get (first);
    gsize size;
    gconstpointer data = g_bytes_get_data (flight->data, &size);
    /* What goes forth leaves by the socket that hears what comes back. */
    GSocketAddress *to = flight->way == RELAY_FORTH ? relay->receiver :
        relay->sender;

    if (flight->due > now) {
      wait = MIN (wait, flight->due - now);
      break;
    }
    if (to != NULL)
      g_socket_send_to (relay->sockets[flight->way == RELAY_FORTH ?
              RELAY_BACK : RELAY_FORTH], to, data, size, NULL, NULL);
    g_sequence_remove (first);
  }
  g_mutex_unlock (&relay->lock);
  return wait;
}

static gpointer
run (gpointer user_data)
{
  Relay *relay = user_data;
  GPollFD fds[RELAY_N_WAYS];
  guint i;

  for (i = 0; i < RELAY_N_WAYS; i++)
    fds[i] = (GPollFD) { g_socket_get_fd (relay->sockets[i]), G_IO_IN, 0 };
  while (!g_atomic_int_get (&relay->stop)) {
    gint64 wait = send_due (relay);

    if (g_poll (fds, RELAY_N_WAYS, MAX (1, wait / 1000)) <= 0)
      continue;
    for (i = 0; i < RELAY_N_WAYS; i++)
      if ((fds[i].revents & G_IO_IN) != 0)
        receive (relay, i);
  }
  return NULL;
}

static GSocket *
open_socket (GSocketFamily family)
{
  GSocket *socket = g_socket_new (family, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GInetAddress *loopback = g_inet_address_new_loopback (family);
  GSocketAddress *address = g_inet_socket_address_new (loopback, 0);

  g_assert (g_socket_bind (socket, address, FALSE, NULL));
  g_object_unref (address);
  g_object_unref (loopback);
  return socket;
}

static guint
get_port (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  guint port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));

  g_object_unref (address);
  return port;
}

Relay *
relay_new (GSocketFamily family, guint target_port)
{
  Relay *relay = g_new0 (Relay, 1);
  guint i;

  g_mutex_init (&relay->lock);
  relay->flights = g_sequence_new (free_flight);
  for (i = 0; i < RELAY_N_WAYS; i++) {
    relay->sockets[i] = open_socket (family);
    relay->ways[i].packets =
        g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  }
  relay_set_target (relay, target_port);
  relay->thread = g_thread_new ("relay", run, relay);
  return relay;
}

void
relay_free (Relay * relay)
{
  guint i;

  g_atomic_int_set (&relay->stop, TRUE);
  g_thread_join (relay->thread);
  g_sequence_free (relay->flights);
  for (i = 0; i < RELAY_N_WAYS; i++) {
    g_object_unref (relay->sockets[i]);
    g_ptr_array_unref (relay->ways[i].packets);
    g_clear_pointer (&relay->ways[i].held, g_bytes_unref);
  }
  g_clear_object (&relay->receiver);
  g_clear_object (&relay->sender);
  g_mutex_clear (&relay->lock);
  g_free (relay);
}

guint
relay_get_port (Relay * relay)
{
  return get_port (relay->sockets[RELAY_FORTH]);
}

guint
relay_get_back_port (Relay * relay)
{
  return get_port (relay->sockets[RELAY_BACK]);
}

void
relay_set_target (Relay * relay, guint target_port)
{
  GInetAddress *loopback = g_inet_address_new_loopback
      (g_socket_get_family (relay->sockets[RELAY_BACK]));

  g_mutex_lock (&relay->lock);
  g_clear_object (&relay->receiver);
  relay->receiver = g_inet_socket_address_new (loopback, target_port);
  g_mutex_unlock (&relay->lock);
  g_object_unref (loopback);
}

void
relay_set_rules (Relay * relay, RelayWay way, const RelayRules * rules)
{
  g_mutex_lock (&relay->lock);
  relay->ways[way].rules = *rules;
  g_mutex_unlock (&relay->lock);
}

void
relay_get_counts (Relay * relay, RelayWay way, RelayCounts * counts)
{
  g_mutex_lock (&relay->lock);
  *counts = relay->ways[way].counts;
  g_mutex_unlock (&relay->lock);
}

GPtrArray *
relay_take_packets (Relay * relay, RelayWay way)
{
  GPtrArray *packets;

  g_mutex_lock (&relay->lock);
  packets = relay->ways[way].packets;
  relay->ways[way].packets =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_mutex_unlock (&relay->lock);
  return packets;
}

void
relay_inject (Relay * relay, RelayWay way, gconstpointer data, gsize size)
{
  GBytes *bytes = g_bytes_new (data, size);

  g_mutex_lock (&relay->lock);
  launch (relay, way, bytes);
  g_mutex_unlock (&relay->lock);
  g_bytes_unref (bytes);
}
