/* gst-tfrc tests: a network and a time in the process
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "netprivate.h"

#include <gst/check/gstcheck.h>
#include <gst/check/gsttestclock.h>
#include <gst/net/net.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rtcp.h"
#include "settle.h"

#define FIRST_FREE_PORT 40000

typedef struct
{
  NetRules rules;
  NetCounts counts;
  GPtrArray *taken;
  GstBuffer *swapped;           /* waits for the next */
  NetSent last;
  gint bind_error;
} Way;

typedef struct
{
  GstClockTime due;
  guint64 number;               /* of packets that are due at once the older goes first */
  guint port;
  GstBuffer *buffer;            /* NULL: something else waits in the port */
} Flight;

GRecMutex net_lock;
GHashTable *net_ports;
static GstTestClock *clock_;
static GMutex clock_lock;       /* for readers in threads that outlive a test */
static GHashTable *ways;        /* by number */
static GList *flights;          /* by time */
static guint64 sent;

/* --- ways and packets ------------------------------------------------------------ */

static Way *
get_way (guint port)
{
  Way *way = g_hash_table_lookup (ways, GUINT_TO_POINTER (port));

  if (way == NULL) {
    way = g_new0 (Way, 1);
    way->taken =
        g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
    g_hash_table_insert (ways, GUINT_TO_POINTER (port), way);
  }
  return way;
}

static void
way_free (Way * way)
{
  g_ptr_array_unref (way->taken);
  gst_clear_buffer (&way->swapped);
  g_free (way);
}

NetPort *
net_get_port (guint port)
{
  return g_hash_table_lookup (net_ports, GUINT_TO_POINTER (port));
}

static void
error_free (NetPathError * error)
{
  g_object_unref (error->remote);
  g_free (error);
}

static void
port_free (NetPort * port)
{
  g_clear_object (&port->local);
  g_queue_clear_full (&port->errors, (GDestroyNotify) error_free);
  if (port->fd >= 0)
    close (port->fd);
  g_queue_clear_full (&port->inbox, (GDestroyNotify) gst_buffer_unref);
  g_free (port);
}

static gint
compare_flights (gconstpointer a, gconstpointer b)
{
  const Flight *x = a, *y = b;

  if (x->due != y->due)
    return x->due < y->due ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static void
add_flight (guint port, GstBuffer * buffer, GstClockTime due)
{
  Flight *flight = g_new (Flight, 1);

  *flight = (Flight) {due, sent++, port, buffer};
  flights = g_list_insert_sorted (flights, flight, compare_flights);
}

static void
launch (guint port, GstBuffer * buffer, GstClockTime delay)
{
  add_flight (port, buffer, net_get_time () + NET_DELAY + delay);
}

void
net_signal_soon (guint port)
{
  add_flight (port, NULL, net_get_time ());
}

static gboolean
is_lost (const NetRules * rules, guint n, gboolean rtcp)
{
  guint run = MAX (rules->drop_run, 1);

  return rules->block || (rules->block_rtcp && rtcp) || (!rtcp
      && rules->drop_every > 0 && n % rules->drop_every >= rules->drop_every -
      run);
}

/* --- packets ---------------------------------------------------------------------- */

#define DESTINATION g_quark_from_static_string ("net-destination")
#define TOS g_quark_from_static_string ("net-tos")
#define ARRIVAL g_quark_from_static_string ("net-arrival")

GstBuffer *
net_new_packet (gconstpointer data, gsize size, GSocketAddress * from,
    GSocketAddress * to, guint tos)
{
  GstBuffer *packet = size > 0 ? gst_buffer_new_memdup (data, size) :
      gst_buffer_new ();

  gst_buffer_add_net_address_meta (packet, from);
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (packet), DESTINATION,
      g_object_ref (to), g_object_unref);
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (packet), TOS,
      GUINT_TO_POINTER (tos), NULL);
  return packet;
}

GSocketAddress *
net_packet_get_destination (GstBuffer * packet)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (packet), DESTINATION);
}

guint
net_packet_get_tos (GstBuffer * packet)
{
  return GPOINTER_TO_UINT (gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST
          (packet), TOS));
}

GstClockTime
net_packet_get_arrival (GstBuffer * packet)
{
  return *(GstClockTime *) gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST
      (packet), ARRIVAL);
}

static void
note_arrival (GstBuffer * packet)
{
  GstClockTime now = net_get_time ();

  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (packet), ARRIVAL,
      g_memdup2 (&now, sizeof (now)), g_free);
}

static GstBuffer *
copy_packet (GstBuffer * packet, guint tos)
{
  GstMapInfo map;
  GstBuffer *copy;

  gst_buffer_map (packet, &map, GST_MAP_READ);
  copy = net_new_packet (map.data, map.size,
      gst_buffer_get_net_address_meta (packet)->addr,
      net_packet_get_destination (packet), tos);
  gst_buffer_unmap (packet, &map);
  return copy;
}

static void
note_address (gchar text[80], GSocketAddress * address)
{
  gchar *string = g_socket_connectable_to_string
      (G_SOCKET_CONNECTABLE (address));

  g_strlcpy (text, string, 80);
  g_free (string);
}

static gboolean
is_capable (GstBuffer * packet)
{
  return (net_packet_get_tos (packet) & 3) != 0;
}

/* With the lock. What the test wants to know of a packet that left. */
static void
note_sent (Way * way, GstBuffer * packet)
{
  gboolean capable = is_capable (packet), rtcp;
  GstMapInfo map;

  gst_buffer_map (packet, &map, GST_MAP_READ);
  g_ptr_array_add (way->taken, g_bytes_new (map.data, map.size));
  rtcp = rtcp_is (map.data, map.size);
  way->counts.packets++;
  way->counts.rtcp += rtcp;
  way->counts.capable += capable;
  way->counts.capable_rtcp += capable && rtcp;
  gst_buffer_unmap (packet, &map);
  note_address (way->last.from, gst_buffer_get_net_address_meta (packet)->addr);
  note_address (way->last.to, net_packet_get_destination (packet));
  way->last.tos = net_packet_get_tos (packet);
}

/* With the lock. The path takes the packet, which is the n-th one. */
static void
pass (Way * way, guint to, GstBuffer * packet, guint n, gboolean rtcp)
{
  if (is_lost (&way->rules, n, rtcp) || (way->rules.drop_capable
          && is_capable (packet))) {
    way->counts.dropped++;
    gst_buffer_unref (packet);
  } else if (way->rules.swap_every > 0 && way->swapped == NULL
      && n % way->rules.swap_every == 0) {
    way->swapped = packet;
  } else {
    if (way->rules.duplicate_every > 0 && n % way->rules.duplicate_every == 0)
      launch (to, copy_packet (packet, net_packet_get_tos (packet)),
          way->rules.delay);
    launch (to, packet, way->rules.delay);
    if (way->swapped != NULL)
      launch (to, g_steal_pointer (&way->swapped), way->rules.delay);
  }
}

/* The TOS byte with which packet `n` arrives. */
static guint8
mark_packet (const NetRules * rules, GstBuffer * packet, guint n)
{
  guint8 tos = net_packet_get_tos (packet);

  if (is_capable (packet) && rules->mark_every > 0
      && n % rules->mark_every == 0)
    tos |= 3;
  return (tos | rules->mark) & ~rules->clear;
}

static GstBuffer *
edit_packet (Way * way, GstBuffer * packet, guint n)
{
  GstBuffer *edited =
      copy_packet (packet, mark_packet (&way->rules, packet, n));
  GstMapInfo map;

  gst_buffer_unref (packet);
  if (way->rules.edit != NULL) {
    gst_buffer_map (edited, &map, GST_MAP_READWRITE);
    way->rules.edit (map.data, map.size);
    gst_buffer_unmap (edited, &map);
  }
  return edited;
}

gboolean
net_post (guint to, GstBuffer * packet)
{
  gboolean refused;
  guint n, rtcp;
  Way *way;

  g_rec_mutex_lock (&net_lock);
  way = get_way (to);
  refused = way->rules.refuse;
  if (refused) {
    gst_buffer_unref (packet);
  } else {
    n = way->counts.packets - way->counts.rtcp;
    rtcp = way->counts.rtcp;
    note_sent (way, packet);
    pass (way, to, edit_packet (way, packet, n), n, way->counts.rtcp > rtcp);
  }
  g_rec_mutex_unlock (&net_lock);
  return !refused;
}

/* --- sockets ------------------------------------------------------------------------ */

/* Called by the plugin, not by GIO itself. */
GSocket *
g_socket_new (GSocketFamily family, GSocketType type, GSocketProtocol protocol,
    GError ** error)
{
  GSocket *socket = g_initable_new (G_TYPE_SOCKET, NULL, NULL, "family",
      family, "type", type, "protocol", protocol, NULL);

  /* a machine without IPv6 has one that is never opened */
  return socket != NULL ? socket : g_object_new (G_TYPE_SOCKET, "family",
      family, "type", type, "protocol", protocol, NULL);
}

static void
on_socket_gone (gpointer data, GObject * socket)
{
  g_rec_mutex_lock (&net_lock);
  if (net_ports != NULL)
    g_hash_table_remove (net_ports, data);
  g_rec_mutex_unlock (&net_lock);
}

static guint
find_free_port (void)
{
  guint port = FIRST_FREE_PORT;

  while (net_get_port (port) != NULL)
    port++;
  return port;
}

static NetPort *
port_new (guint number)
{
  NetPort *port = g_new0 (NetPort, 1);

  port->port = number != 0 ? number : find_free_port ();
  port->fd = -1;
  g_queue_init (&port->inbox);
  g_queue_init (&port->errors);
  g_hash_table_insert (net_ports, GUINT_TO_POINTER (port->port), port);
  return port;
}

gboolean
g_socket_bind (GSocket * socket, GSocketAddress * address,
    gboolean allow_reuse, GError ** error)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);
  guint number = g_inet_socket_address_get_port (inet);
  NetPort *port = NULL;
  gint code;

  g_rec_mutex_lock (&net_lock);
  code = get_way (number)->bind_error;
  if (code == 0 && number != 0 && net_get_port (number) != NULL)
    code = G_IO_ERROR_ADDRESS_IN_USE;
  if (code == 0) {
    gint *option = g_object_get_data (G_OBJECT (socket), "net-option");

    port = port_new (number);
    port->socket = socket;
    port->local = g_inet_socket_address_new
        (g_inet_socket_address_get_address (inet), port->port);
    if (option != NULL)
      net_note_option (port, option[0], option[1], option[2]);
    net_system_attach (port);
    g_object_weak_ref (G_OBJECT (socket), on_socket_gone,
        GUINT_TO_POINTER (port->port));
  }
  g_rec_mutex_unlock (&net_lock);
  if (code != 0)
    g_set_error (error, G_IO_ERROR, code, "the network of the test says so");
  return code == 0;
}

NetPort *
net_find_port (GSocket * socket)
{
  GHashTableIter it;
  gpointer value;

  g_hash_table_iter_init (&it, net_ports);
  while (g_hash_table_iter_next (&it, NULL, &value))
    if (((NetPort *) value)->socket == socket)
      return value;
  return NULL;
}

GSocketAddress *
g_socket_get_local_address (GSocket * socket, GError ** error)
{
  NetPort *port;
  GSocketAddress *address = NULL;

  g_rec_mutex_lock (&net_lock);
  port = net_find_port (socket);
  if (port != NULL)
    address = g_object_ref (port->local);
  g_rec_mutex_unlock (&net_lock);
  return address;
}

NetPort *
net_find_fd (gint fd)
{
  GHashTableIter it;
  gpointer value;

  if (net_ports == NULL || fd < 0)
    return NULL;
  g_hash_table_iter_init (&it, net_ports);
  while (g_hash_table_iter_next (&it, NULL, &value))
    if (((NetPort *) value)->fd == fd)
      return value;
  return NULL;
}

void
net_note_option (NetPort * port, gint level, gint option, gint value)
{
  gint entry[3] = { level, option, value };

  g_assert (port->n_options < NET_OPTIONS);
  memcpy (port->options[port->n_options++], entry, sizeof (entry));
}

gboolean
g_socket_set_option (GSocket * socket, gint level, gint option, gint value,
    GError ** error)
{
  gint entry[3] = { level, option, value };
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_port (socket);
  if (port == NULL)
    g_object_set_data_full (G_OBJECT (socket), "net-option",
        g_memdup2 (entry, sizeof (entry)), g_free);
  else
    net_note_option (port, level, option, value);
  g_rec_mutex_unlock (&net_lock);
  return TRUE;
}

static GSocketAddress *
new_loopback (GSocketFamily family, guint port)
{
  GInetAddress *loopback = g_inet_address_new_loopback (family);
  GSocketAddress *address = g_inet_socket_address_new (loopback, port);

  g_object_unref (loopback);
  return address;
}

gssize
g_socket_send_to (GSocket * socket, GSocketAddress * address,
    const gchar * data, gsize size, GCancellable * cancellable, GError ** error)
{
  guint to = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  GSocketAddress *from;
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_find_port (socket);
  g_assert (port != NULL);
  from = new_loopback (g_socket_address_get_family (address), port->port);
  g_rec_mutex_unlock (&net_lock);
  net_post (to, net_new_packet (data, size, from, address, 0));
  g_object_unref (from);
  return size;
}

gssize
g_socket_receive_with_blocking (GSocket * socket, gchar * data, gsize size,
    gboolean blocking, GCancellable * cancellable, GError ** error)
{
  GstBuffer *buffer;
  gssize got = -1;

  g_assert (!blocking);
  g_rec_mutex_lock (&net_lock);
  buffer = g_queue_pop_head (&net_find_port (socket)->inbox);
  g_rec_mutex_unlock (&net_lock);
  if (buffer != NULL)
    got = gst_buffer_extract (buffer, 0, data, size);
  gst_clear_buffer (&buffer);
  return got;
}

gint
net_get_option (guint number, gint level, gint option)
{
  NetPort *port;
  gint value = -1;
  guint i;

  g_rec_mutex_lock (&net_lock);
  port = net_get_port (number);
  for (i = 0; port != NULL && i < port->n_options; i++)
    if (port->options[i][0] == level && port->options[i][1] == option)
      value = port->options[i][2];
  g_rec_mutex_unlock (&net_lock);
  return value;
}

/* --- time -------------------------------------------------------------------------------- */

GstClockTime
net_get_time (void)
{
  return gst_clock_get_time (GST_CLOCK (clock_));
}

/* The plugin's other way to ask for the time. */
GstClockTime
gst_util_get_timestamp (void)
{
  GstClockTime time;

  g_mutex_lock (&clock_lock);
  time = clock_ != NULL ? net_get_time () :
      g_get_monotonic_time () * GST_USECOND;
  g_mutex_unlock (&clock_lock);
  return time;
}

/* The time of the wall. rtpsession writes it into sender reports and measures the round-trip time
 * of the session with it. */
gint64
g_get_real_time (void)
{
  return net_get_time () / GST_USECOND;
}

/* With the lock. Takes the first packet that is due to a port, or NULL. */
static Flight *
take_due (void)
{
  Flight *flight = flights != NULL ? flights->data : NULL;

  if (flight == NULL || flight->due > net_get_time ())
    return NULL;
  flights = g_list_delete_link (flights, flights);
  return flight;
}

/* With the lock, which is released meanwhile: the element `ear` pushes the packet. */
static void
hand_to_element (GstElement * ear, GstBuffer * packet)
{
  gst_object_ref (ear);
  g_rec_mutex_unlock (&net_lock);
  net_src_push (ear, packet);
  settle ();
  gst_object_unref (ear);
  g_rec_mutex_lock (&net_lock);
}

/* With the lock, as the next. A port that something came to is signalled when all has come. */
static void
signal_ports (GSList * signalled)
{
  for (; signalled != NULL; signalled = g_slist_delete_link (signalled,
          signalled)) {
    NetPort *port = net_get_port (GPOINTER_TO_UINT (signalled->data));

    if (port == NULL)
      continue;
    net_system_signal (port);
    g_rec_mutex_unlock (&net_lock);
    settle ();
    g_rec_mutex_lock (&net_lock);
  }
}

/* The packets that are due. Their sockets hand them on. */
static void
deliver (void)
{
  GSList *signalled = NULL;
  Flight *flight;

  g_rec_mutex_lock (&net_lock);
  while ((flight = take_due ()) != NULL) {
    NetPort *port = net_get_port (flight->port);
    gpointer number = GUINT_TO_POINTER (flight->port);

    if (flight->buffer != NULL)
      note_arrival (flight->buffer);
    if (port == NULL) {
      gst_clear_buffer (&flight->buffer);
    } else if (port->ear != NULL) {
      hand_to_element (port->ear, flight->buffer);
    } else {
      if (flight->buffer != NULL)
        g_queue_push_tail (&port->inbox, flight->buffer);
      if (g_slist_find (signalled, number) == NULL)
        signalled = g_slist_append (signalled, number);
    }
    g_free (flight);
  }
  signal_ports (signalled);
  g_rec_mutex_unlock (&net_lock);
}

/* Ends the waits that are due. */
static void
wake (void)
{
  settle ();
  while (net_system_wake (net_get_time ()))
    settle ();
  while (gst_test_clock_peek_id_count (clock_) > 0
      && gst_test_clock_get_next_entry_time (clock_) <= net_get_time ()) {
    GstClockID id = gst_test_clock_process_next_clock_id (clock_);

    gst_clock_id_unref (id);
    settle ();
  }
}

/* When something happens next, at `end` at the latest. */
static GstClockTime
get_next (GstClockTime end)
{
  GstClockTime next = MIN (end, net_system_get_next ());

  if (gst_test_clock_peek_id_count (clock_) > 0)
    next = MIN (next, gst_test_clock_get_next_entry_time (clock_));
  g_rec_mutex_lock (&net_lock);
  if (flights != NULL)
    next = MIN (next, ((Flight *) flights->data)->due);
  g_rec_mutex_unlock (&net_lock);
  return next;
}

void
net_run (GstClockTime duration)
{
  GstClockTime end = net_get_time () + duration, next;

  for (;;) {
    wake ();
    deliver ();
    wake ();
    next = get_next (end);
    if (next > net_get_time ())
      gst_test_clock_set_time (clock_, next);
    else if (next >= end)
      return;
  }
}

/* --- the test's own --------------------------------------------------------------------------- */

static void
replace (const gchar * name, GType type)
{
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *feature = gst_registry_lookup_feature (registry, name);

  if (feature != NULL) {
    gst_registry_remove_feature (registry, feature);
    gst_object_unref (feature);
  }
  gst_element_register (NULL, name, GST_RANK_NONE, type);
}

void
net_start (void)
{
  const gchar *seed = g_getenv ("NET_SEED");

  g_random_set_seed (seed != NULL ? atoi (seed) : 1);
  g_mutex_lock (&clock_lock);
  clock_ = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (100 *
          GST_SECOND));
  g_mutex_unlock (&clock_lock);
  gst_system_clock_set_default (GST_CLOCK (clock_));
  net_ports =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) port_free);
  ways = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) way_free);
  replace ("udpsrc", net_src_get_type ());
  replace ("udpsink", net_sink_get_type ());
  replace ("multiudpsink", net_sink_get_type ());
}

static void
flight_free (Flight * flight)
{
  gst_clear_buffer (&flight->buffer);
  g_free (flight);
}

void
net_stop (void)
{
  net_system_reset ();
  g_list_free_full (g_steal_pointer (&flights), (GDestroyNotify) flight_free);
  g_clear_pointer (&net_ports, g_hash_table_unref);
  g_clear_pointer (&ways, g_hash_table_unref);
  gst_system_clock_set_default (NULL);
  g_mutex_lock (&clock_lock);
  gst_clear_object (&clock_);
  g_mutex_unlock (&clock_lock);
}

void
net_set_rules (guint port, const NetRules * rules)
{
  g_rec_mutex_lock (&net_lock);
  get_way (port)->rules = *rules;
  g_rec_mutex_unlock (&net_lock);
}

NetCounts
net_get_counts (guint port)
{
  NetCounts counts;

  g_rec_mutex_lock (&net_lock);
  counts = get_way (port)->counts;
  g_rec_mutex_unlock (&net_lock);
  return counts;
}

void
net_fail_bind (guint port, gint code)
{
  get_way (port)->bind_error = code;
}

guint
net_open (guint number)
{
  guint port;

  g_rec_mutex_lock (&net_lock);
  port = port_new (number)->port;
  g_rec_mutex_unlock (&net_lock);
  return port;
}

void
net_close (guint port)
{
  g_rec_mutex_lock (&net_lock);
  g_hash_table_remove (net_ports, GUINT_TO_POINTER (port));
  g_rec_mutex_unlock (&net_lock);
}

GPtrArray *
net_take (guint port)
{
  GPtrArray *taken;
  Way *way;

  g_rec_mutex_lock (&net_lock);
  way = get_way (port);
  taken = way->taken;
  way->taken = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_rec_mutex_unlock (&net_lock);
  return taken;
}

void
net_send_from (const gchar * host, guint from, const gchar * local, guint to,
    guint8 tos, gconstpointer data, gsize size)
{
  GSocketAddress *source = g_inet_socket_address_new_from_string (host, from);
  GSocketAddress *destination = g_inet_socket_address_new_from_string
      (*local != '\0' ? local : "127.0.0.1", to);

  g_rec_mutex_lock (&net_lock);
  launch (to, net_new_packet (data, size, source, destination, tos), 0);
  g_rec_mutex_unlock (&net_lock);
  g_object_unref (source);
  g_object_unref (destination);
}

void
net_send (guint from, guint to, gconstpointer data, gsize size)
{
  net_send_from ("127.0.0.1", from, "", to, 0, data, size);
}

NetSent
net_get_last (guint port)
{
  NetSent last;

  g_rec_mutex_lock (&net_lock);
  last = get_way (port)->last;
  g_rec_mutex_unlock (&net_lock);
  return last;
}

guint
net_count_sockets (void)
{
  GHashTableIter it;
  gpointer value;
  guint n = 0;

  g_rec_mutex_lock (&net_lock);
  g_hash_table_iter_init (&it, net_ports);
  while (g_hash_table_iter_next (&it, NULL, &value))
    n += ((NetPort *) value)->socket != NULL;
  g_rec_mutex_unlock (&net_lock);
  return n;
}
