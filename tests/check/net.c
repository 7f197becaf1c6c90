/* gst-tfrc tests: a network and a time in the process
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "net.h"

#include <gst/base/gstbasesink.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gsttestclock.h>
#include <gst/net/net.h>
#include <string.h>

#include "rtcp.h"
#include "settle.h"

#define FIRST_FREE_PORT 40000
#define NOBODYS_PORT 39999      /* of a udpsink that has no socket */
#define OPTIONS 8

typedef struct
{
  GSocket *socket;              /* NULL: the test's own */
  guint port;
  GSocketAddress *local;
  GstElement *ear;              /* a NetSrc, or NULL */
  GQueue inbox;                 /* GstBuffers that nobody has taken */
  gint options[OPTIONS][3];     /* level, option, value */
  guint n_options;
} Port;

typedef struct
{
  NetRules rules;
  NetCounts counts;
  GPtrArray *taken;
  GstBuffer *swapped;           /* waits for the next */
  gint bind_error;
} Way;

typedef struct
{
  GstClockTime due;
  guint64 number;               /* of packets that are due at once the older goes first */
  guint port;
  GstBuffer *buffer;
} Flight;

static GRecMutex lock;
static GstTestClock *clock_;
static GHashTable *ports, *ways;        /* by number */
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

static Port *
get_port (guint port)
{
  return g_hash_table_lookup (ports, GUINT_TO_POINTER (port));
}

static void
port_free (Port * port)
{
  g_clear_object (&port->local);
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
launch (guint port, GstBuffer * buffer, GstClockTime delay)
{
  Flight *flight = g_new (Flight, 1);

  *flight =
      (Flight) {net_get_time () + NET_DELAY + delay, sent++, port, buffer};
  flights = g_list_insert_sorted (flights, flight, compare_flights);
}

static gboolean
is_lost (const NetRules * rules, guint n, gboolean rtcp)
{
  guint run = MAX (rules->drop_run, 1);

  return rules->block || (rules->block_rtcp && rtcp) || (!rtcp
      && rules->drop_every > 0 && n % rules->drop_every >= rules->drop_every -
      run);
}

/* Takes the buffer, whose source address is on it. FALSE: the system refuses. */
static gboolean
post (guint to, GstBuffer * buffer)
{
  GstMapInfo map;
  Way *way;
  guint n;
  gboolean rtcp, refused;

  g_rec_mutex_lock (&lock);
  way = get_way (to);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  rtcp = rtcp_is (map.data, map.size);
  refused = way->rules.refuse;
  if (!refused)
    g_ptr_array_add (way->taken, g_bytes_new (map.data, map.size));
  gst_buffer_unmap (buffer, &map);
  if (refused) {
    gst_buffer_unref (buffer);
    g_rec_mutex_unlock (&lock);
    return FALSE;
  }
  if (way->rules.edit != NULL) {
    gst_buffer_map (buffer, &map, GST_MAP_READWRITE);
    way->rules.edit (map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
  n = way->counts.packets - way->counts.rtcp;
  way->counts.packets++;
  way->counts.rtcp += rtcp;
  if (is_lost (&way->rules, n, rtcp)) {
    way->counts.dropped++;
    gst_buffer_unref (buffer);
  } else if (way->rules.swap_every > 0 && way->swapped == NULL
      && n % way->rules.swap_every == 0) {
    way->swapped = buffer;
  } else {
    if (way->rules.duplicate_every > 0 && n % way->rules.duplicate_every == 0)
      launch (to, gst_buffer_copy (buffer), way->rules.delay);
    launch (to, buffer, way->rules.delay);
    if (way->swapped != NULL)
      launch (to, g_steal_pointer (&way->swapped), way->rules.delay);
  }
  g_rec_mutex_unlock (&lock);
  return TRUE;
}

static GstBuffer *
new_packet (gconstpointer data, gsize size, guint from, GSocketFamily family)
{
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);
  GInetAddress *loopback = g_inet_address_new_loopback (family);
  GSocketAddress *address = g_inet_socket_address_new (loopback, from);

  gst_buffer_add_net_address_meta (buffer, address);
  g_object_unref (address);
  g_object_unref (loopback);
  return buffer;
}

/* --- sockets ------------------------------------------------------------------------ */

/* Called by the plugin, not by GIO itself. */
GSocket *
g_socket_new (GSocketFamily family, GSocketType type, GSocketProtocol protocol,
    GError ** error)
{
  return g_object_new (G_TYPE_SOCKET, "family", family, "type", type,
      "protocol", protocol, NULL);
}

static void
on_socket_gone (gpointer data, GObject * socket)
{
  g_rec_mutex_lock (&lock);
  if (ports != NULL)
    g_hash_table_remove (ports, data);
  g_rec_mutex_unlock (&lock);
}

static guint
find_free_port (void)
{
  guint port = FIRST_FREE_PORT;

  while (get_port (port) != NULL)
    port++;
  return port;
}

static Port *
port_new (guint number)
{
  Port *port = g_new0 (Port, 1);

  port->port = number != 0 ? number : find_free_port ();
  g_queue_init (&port->inbox);
  g_hash_table_insert (ports, GUINT_TO_POINTER (port->port), port);
  return port;
}

gboolean
g_socket_bind (GSocket * socket, GSocketAddress * address,
    gboolean allow_reuse, GError ** error)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);
  guint number = g_inet_socket_address_get_port (inet);
  Port *port = NULL;
  gint code;

  g_rec_mutex_lock (&lock);
  code = get_way (number)->bind_error;
  if (code == 0 && number != 0 && get_port (number) != NULL)
    code = G_IO_ERROR_ADDRESS_IN_USE;
  if (code == 0) {
    gint *option = g_object_get_data (G_OBJECT (socket), "net-option");

    port = port_new (number);
    port->socket = socket;
    port->local = g_inet_socket_address_new
        (g_inet_socket_address_get_address (inet), port->port);
    if (option != NULL)
      memcpy (port->options[port->n_options++], option, sizeof (gint[3]));
    g_object_weak_ref (G_OBJECT (socket), on_socket_gone,
        GUINT_TO_POINTER (port->port));
  }
  g_rec_mutex_unlock (&lock);
  if (code != 0)
    g_set_error (error, G_IO_ERROR, code, "the network of the test says so");
  return code == 0;
}

static Port *
find_port (GSocket * socket)
{
  GHashTableIter it;
  gpointer value;

  g_hash_table_iter_init (&it, ports);
  while (g_hash_table_iter_next (&it, NULL, &value))
    if (((Port *) value)->socket == socket)
      return value;
  return NULL;
}

GSocketAddress *
g_socket_get_local_address (GSocket * socket, GError ** error)
{
  Port *port;
  GSocketAddress *address = NULL;

  g_rec_mutex_lock (&lock);
  port = find_port (socket);
  if (port != NULL)
    address = g_object_ref (port->local);
  g_rec_mutex_unlock (&lock);
  return address;
}

gboolean
g_socket_set_option (GSocket * socket, gint level, gint option, gint value,
    GError ** error)
{
  gint entry[3] = { level, option, value };
  Port *port;

  g_rec_mutex_lock (&lock);
  port = find_port (socket);
  if (port == NULL)
    g_object_set_data_full (G_OBJECT (socket), "net-option",
        g_memdup2 (entry, sizeof (entry)), g_free);
  else if (port->n_options < OPTIONS)
    memcpy (port->options[port->n_options++], entry, sizeof (entry));
  g_rec_mutex_unlock (&lock);
  return TRUE;
}

gssize
g_socket_send_to (GSocket * socket, GSocketAddress * address,
    const gchar * data, gsize size, GCancellable * cancellable, GError ** error)
{
  GSocketFamily family = g_socket_address_get_family (address);
  Port *port;
  guint from;

  g_rec_mutex_lock (&lock);
  port = find_port (socket);
  g_assert (port != NULL);
  from = port->port;
  g_rec_mutex_unlock (&lock);
  post (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)),
      new_packet (data, size, from, family));
  return size;
}

gssize
g_socket_receive_with_blocking (GSocket * socket, gchar * data, gsize size,
    gboolean blocking, GCancellable * cancellable, GError ** error)
{
  GstBuffer *buffer;
  gssize got = -1;

  g_assert (!blocking);
  g_rec_mutex_lock (&lock);
  buffer = g_queue_pop_head (&find_port (socket)->inbox);
  g_rec_mutex_unlock (&lock);
  if (buffer != NULL)
    got = gst_buffer_extract (buffer, 0, data, size);
  gst_clear_buffer (&buffer);
  return got;
}

gint
net_get_option (guint number, gint level, gint option)
{
  Port *port;
  gint value = -1;
  guint i;

  g_rec_mutex_lock (&lock);
  port = get_port (number);
  for (i = 0; port != NULL && i < port->n_options; i++)
    if (port->options[i][0] == level && port->options[i][1] == option)
      value = port->options[i][2];
  g_rec_mutex_unlock (&lock);
  return value;
}

/* --- udpsrc ------------------------------------------------------------------------- */

typedef struct
{
  GstElement parent;
  GstPad *srcpad;
  GSocket *socket;
  guint own_port;               /* without a socket: opened by itself; 0: none */
  GstCaps *caps;                /* of what comes, or NULL */
  gboolean started;             /* the first events have gone out */
  gint buffer_size;
} NetSrc;

typedef GstElementClass NetSrcClass;

enum
{
  PROP_0,
  PROP_SOCKET,
  PROP_CLOSE_SOCKET,
  PROP_AUTO_MULTICAST,
  PROP_BUFFER_SIZE,
  PROP_QOS_DSCP,
  PROP_TTL,
  PROP_HOST,
  PROP_PORT,
  PROP_CAPS
};

static GstStaticPadTemplate any_src = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate any_sink = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (NetSrc, net_src, GST_TYPE_ELEMENT);

static gboolean
net_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

static void
net_src_start (NetSrc * self)
{
  GstSegment segment;

  self->started = TRUE;
  gst_pad_push_event (self->srcpad, gst_event_new_stream_start ("net"));
  if (self->caps != NULL)
    gst_pad_push_event (self->srcpad, gst_event_new_caps (self->caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->srcpad, gst_event_new_segment (&segment));
}

static void
net_src_push (NetSrc * self, GstBuffer * buffer)
{
  if (!self->started)
    net_src_start (self);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) =
      net_get_time () - gst_element_get_base_time (GST_ELEMENT (self));
  gst_pad_push (self->srcpad, buffer);
}

static void
net_src_set_ear (NetSrc * self, gboolean on)
{
  Port *port;

  g_rec_mutex_lock (&lock);
  port = ports == NULL ? NULL : self->socket != NULL ?
      find_port (self->socket) : get_port (self->own_port);
  if (port != NULL)
    port->ear = on ? GST_ELEMENT (self) : NULL;
  g_rec_mutex_unlock (&lock);
}

static GstStateChangeReturn
net_src_change_state (GstElement * element, GstStateChange transition)
{
  NetSrc *self = (NetSrc *) element;
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && self->socket == NULL)
    net_open (self->own_port);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    net_src_set_ear (self, FALSE);
  ret = GST_ELEMENT_CLASS (net_src_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    net_src_set_ear (self, TRUE);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    self->started = FALSE;
  return transition == GST_STATE_CHANGE_READY_TO_PAUSED
      || transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED ?
      GST_STATE_CHANGE_NO_PREROLL : ret;
}

static void
net_src_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  NetSrc *self = (NetSrc *) object;

  if (id == PROP_SOCKET)
    g_set_object (&self->socket, g_value_get_object (value));
  else if (id == PROP_BUFFER_SIZE)
    self->buffer_size = g_value_get_int (value);
  else if (id == PROP_PORT)
    self->own_port = g_value_get_int (value);
  else if (id == PROP_CAPS)
    gst_caps_replace (&self->caps, (GstCaps *) gst_value_get_caps (value));
}

static void
net_src_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  if (id == PROP_BUFFER_SIZE)
    g_value_set_int (value, ((NetSrc *) object)->buffer_size);
}

static void
net_src_finalize (GObject * object)
{
  g_clear_object (&((NetSrc *) object)->socket);
  gst_clear_caps (&((NetSrc *) object)->caps);
  G_OBJECT_CLASS (net_src_parent_class)->finalize (object);
}

static void
install (GObjectClass * klass, guint id, GParamSpec * spec)
{
  g_object_class_install_property (klass, id, spec);
}

static void
install_socket (GObjectClass * klass)
{
  install (klass, PROP_SOCKET, g_param_spec_object ("socket", "", "",
          G_TYPE_SOCKET, G_PARAM_WRITABLE));
  install (klass, PROP_CLOSE_SOCKET, g_param_spec_boolean ("close-socket", "",
          "", TRUE, G_PARAM_WRITABLE));
  install (klass, PROP_AUTO_MULTICAST, g_param_spec_boolean ("auto-multicast",
          "", "", TRUE, G_PARAM_WRITABLE));
  install (klass, PROP_BUFFER_SIZE, g_param_spec_int ("buffer-size", "", "", 0,
          G_MAXINT, 0, G_PARAM_READWRITE));
}

static void
net_src_class_init (NetSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = net_src_set_property;
  object_class->get_property = net_src_get_property;
  object_class->finalize = net_src_finalize;
  install_socket (object_class);
  install (object_class, PROP_PORT, g_param_spec_int ("port", "", "", 0, 65535,
          0, G_PARAM_WRITABLE));
  install (object_class, PROP_CAPS, g_param_spec_boxed ("caps", "", "",
          GST_TYPE_CAPS, G_PARAM_WRITABLE));
  klass->change_state = net_src_change_state;
  gst_element_class_add_static_pad_template (klass, &any_src);
  gst_element_class_set_static_metadata (klass, "udpsrc", "Source",
      "Packets of the network in the process", "The gst-tfrc developers");
}

static void
net_src_init (NetSrc * self)
{
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
  self->srcpad = gst_pad_new_from_static_template (&any_src, "src");
  gst_pad_set_query_function (self->srcpad, net_src_query);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

/* --- udpsink and multiudpsink ---------------------------------------------------------- */

typedef struct
{
  GstBaseSink parent;
  GSocket *socket;
  gint dscp, ttl, buffer_size;
  gchar *host;
  guint port;                   /* 0: none */
} NetSink;

typedef GstBaseSinkClass NetSinkClass;

G_DEFINE_TYPE (NetSink, net_sink, GST_TYPE_BASE_SINK);

static GstFlowReturn
net_sink_render (GstBaseSink * sink, GstBuffer * buffer)
{
  NetSink *self = (NetSink *) sink;
  GstMapInfo map;
  Port *port;
  GSocketFamily family;
  guint from, to;
  gboolean posted;

  GST_OBJECT_LOCK (self);
  to = self->port;
  family = self->host != NULL && strchr (self->host, ':') != NULL ?
      G_SOCKET_FAMILY_IPV6 : G_SOCKET_FAMILY_IPV4;
  GST_OBJECT_UNLOCK (self);
  g_rec_mutex_lock (&lock);
  port = self->socket != NULL ? find_port (self->socket) : NULL;
  from = port != NULL ? port->port : NOBODYS_PORT;
  g_rec_mutex_unlock (&lock);
  if (to == 0)
    return GST_FLOW_OK;
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  posted = post (to, new_packet (map.data, map.size, from, family));
  gst_buffer_unmap (buffer, &map);
  if (!posted)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, (NULL), ("refused"));
  return GST_FLOW_OK;
}

static GstFlowReturn
net_sink_render_list (GstBaseSink * sink, GstBufferList * list)
{
  guint i;

  for (i = 0; i < gst_buffer_list_length (list); i++)
    net_sink_render (sink, gst_buffer_list_get (list, i));
  return GST_FLOW_OK;
}

static void
net_sink_add (NetSink * self, const gchar * host, gint port, gpointer unused)
{
  GST_OBJECT_LOCK (self);
  g_free (self->host);
  self->host = g_strdup (host);
  self->port = port;
  GST_OBJECT_UNLOCK (self);
}

static void
net_sink_clear (NetSink * self, gpointer unused)
{
  net_sink_add (self, NULL, 0, NULL);
}

static void
net_sink_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  NetSink *self = (NetSink *) object;

  if (id == PROP_SOCKET)
    g_set_object (&self->socket, g_value_get_object (value));
  else if (id == PROP_QOS_DSCP)
    self->dscp = g_value_get_int (value);
  else if (id == PROP_TTL)
    self->ttl = g_value_get_int (value);
  else if (id == PROP_BUFFER_SIZE)
    self->buffer_size = g_value_get_int (value);
  else if (id == PROP_HOST)
    net_sink_add (self, g_value_get_string (value), self->port, NULL);
  else if (id == PROP_PORT)
    self->port = g_value_get_int (value);
}

static void
net_sink_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  NetSink *self = (NetSink *) object;

  if (id == PROP_QOS_DSCP)
    g_value_set_int (value, self->dscp);
  else if (id == PROP_TTL)
    g_value_set_int (value, self->ttl);
  else if (id == PROP_BUFFER_SIZE)
    g_value_set_int (value, self->buffer_size);
  else if (id == PROP_HOST)
    g_value_set_string (value, self->host);
  else if (id == PROP_PORT)
    g_value_set_int (value, self->port);
}

static void
net_sink_finalize (GObject * object)
{
  NetSink *self = (NetSink *) object;

  g_clear_object (&self->socket);
  g_free (self->host);
  G_OBJECT_CLASS (net_sink_parent_class)->finalize (object);
}

static void
net_sink_class_init (NetSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = net_sink_set_property;
  object_class->get_property = net_sink_get_property;
  object_class->finalize = net_sink_finalize;
  install_socket (object_class);
  install (object_class, PROP_QOS_DSCP, g_param_spec_int ("qos-dscp", "", "",
          -1, 63, -1, G_PARAM_READWRITE));
  install (object_class, PROP_TTL, g_param_spec_int ("ttl", "", "", 0, 255, 64,
          G_PARAM_READWRITE));
  install (object_class, PROP_HOST, g_param_spec_string ("host", "", "", NULL,
          G_PARAM_READWRITE));
  install (object_class, PROP_PORT, g_param_spec_int ("port", "", "", 0, 65535,
          0, G_PARAM_READWRITE));
  g_signal_new_class_handler ("add", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (net_sink_add), NULL,
      NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
  g_signal_new_class_handler ("clear", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (net_sink_clear), NULL,
      NULL, NULL, G_TYPE_NONE, 0);
  klass->render = net_sink_render;
  klass->render_list = net_sink_render_list;
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass),
      &any_sink);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "udpsink",
      "Sink", "Packets of the network in the process",
      "The gst-tfrc developers");
}

static void
net_sink_init (NetSink * self)
{
  self->dscp = -1;
  self->ttl = 64;
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
  return clock_ != NULL ? net_get_time () :
      g_get_monotonic_time () * GST_USECOND;
}

/* The packets that are due. Their sockets hand them on. */
static void
deliver (void)
{
  Flight *flight;

  g_rec_mutex_lock (&lock);
  while (flights != NULL && (flight = flights->data)->due <= net_get_time ()) {
    Port *port = get_port (flight->port);
    NetSrc *ear = port != NULL && port->ear != NULL ?
        (NetSrc *) gst_object_ref (port->ear) : NULL;

    flights = g_list_delete_link (flights, flights);
    if (port != NULL && ear == NULL)
      g_queue_push_tail (&port->inbox, flight->buffer);
    else if (port == NULL)
      gst_buffer_unref (flight->buffer);
    if (ear != NULL) {
      g_rec_mutex_unlock (&lock);
      net_src_push (ear, flight->buffer);
      settle ();
      gst_object_unref (ear);
      g_rec_mutex_lock (&lock);
    }
    g_free (flight);
  }
  g_rec_mutex_unlock (&lock);
}

/* Ends the waits that are due. */
static void
wake (void)
{
  settle ();
  while (gst_test_clock_peek_id_count (clock_) > 0
      && gst_test_clock_get_next_entry_time (clock_) <= net_get_time ()) {
    GstClockID id = gst_test_clock_process_next_clock_id (clock_);

    gst_clock_id_unref (id);
    settle ();
  }
}

void
net_run (GstClockTime duration)
{
  GstClockTime end = net_get_time () + duration;

  for (;;) {
    GstClockTime next = end;

    wake ();
    deliver ();
    wake ();
    if (gst_test_clock_peek_id_count (clock_) > 0)
      next = MIN (next, gst_test_clock_get_next_entry_time (clock_));
    g_rec_mutex_lock (&lock);
    if (flights != NULL)
      next = MIN (next, ((Flight *) flights->data)->due);
    g_rec_mutex_unlock (&lock);
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
  g_random_set_seed (1);
  clock_ = GST_TEST_CLOCK (gst_test_clock_new_with_start_time (100 *
          GST_SECOND));
  gst_system_clock_set_default (GST_CLOCK (clock_));
  ports = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) port_free);
  ways = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) way_free);
  replace ("udpsrc", net_src_get_type ());
  replace ("udpsink", net_sink_get_type ());
  replace ("multiudpsink", net_sink_get_type ());
}

static void
flight_free (Flight * flight)
{
  gst_buffer_unref (flight->buffer);
  g_free (flight);
}

void
net_stop (void)
{
  g_list_free_full (g_steal_pointer (&flights), (GDestroyNotify) flight_free);
  g_clear_pointer (&ports, g_hash_table_unref);
  g_clear_pointer (&ways, g_hash_table_unref);
  gst_system_clock_set_default (NULL);
  gst_clear_object (&clock_);
}

void
net_set_rules (guint port, const NetRules * rules)
{
  g_rec_mutex_lock (&lock);
  get_way (port)->rules = *rules;
  g_rec_mutex_unlock (&lock);
}

NetCounts
net_get_counts (guint port)
{
  NetCounts counts;

  g_rec_mutex_lock (&lock);
  counts = get_way (port)->counts;
  g_rec_mutex_unlock (&lock);
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

  g_rec_mutex_lock (&lock);
  port = port_new (number)->port;
  g_rec_mutex_unlock (&lock);
  return port;
}

void
net_close (guint port)
{
  g_rec_mutex_lock (&lock);
  g_hash_table_remove (ports, GUINT_TO_POINTER (port));
  g_rec_mutex_unlock (&lock);
}

GPtrArray *
net_take (guint port)
{
  GPtrArray *taken;
  Way *way;

  g_rec_mutex_lock (&lock);
  way = get_way (port);
  taken = way->taken;
  way->taken = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_rec_mutex_unlock (&lock);
  return taken;
}

void
net_send (guint from, guint to, gconstpointer data, gsize size)
{
  g_rec_mutex_lock (&lock);
  launch (to, new_packet (data, size, from, G_SOCKET_FAMILY_IPV4), 0);
  g_rec_mutex_unlock (&lock);
}

guint
net_count_sockets (void)
{
  GHashTableIter it;
  gpointer value;
  guint n = 0;

  g_rec_mutex_lock (&lock);
  g_hash_table_iter_init (&it, ports);
  while (g_hash_table_iter_next (&it, NULL, &value))
    n += ((Port *) value)->socket != NULL;
  g_rec_mutex_unlock (&lock);
  return n;
}
