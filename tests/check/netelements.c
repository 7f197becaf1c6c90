/* gst-tfrc tests: the elements of GStreamer that send and receive by the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/base/gstbasesink.h>
#include <string.h>

#include "netprivate.h"

#define NOBODYS_PORT 39999      /* of a udpsink that has no socket */

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

void
net_src_push (GstElement * ear, GstBuffer * buffer)
{
  NetSrc *self = (NetSrc *) ear;

  if (!self->started)
    net_src_start (self);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) =
      net_get_time () - gst_element_get_base_time (GST_ELEMENT (self));
  gst_pad_push (self->srcpad, buffer);
}

static void
net_src_set_ear (NetSrc * self, gboolean on)
{
  NetPort *port;

  g_rec_mutex_lock (&net_lock);
  port = net_ports == NULL ? NULL : self->socket != NULL ?
      net_find_port (self->socket) : net_get_port (self->own_port);
  if (port != NULL)
    port->ear = on ? GST_ELEMENT (self) : NULL;
  g_rec_mutex_unlock (&net_lock);
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

/* The loopback address of the family that the sink sends to. */
static GSocketAddress *
new_loopback (NetSink * self, guint port)
{
  gboolean ipv6;
  GInetAddress *loopback;
  GSocketAddress *address;

  GST_OBJECT_LOCK (self);
  ipv6 = self->host != NULL && strchr (self->host, ':') != NULL;
  GST_OBJECT_UNLOCK (self);
  loopback = g_inet_address_new_loopback (ipv6 ? G_SOCKET_FAMILY_IPV6 :
      G_SOCKET_FAMILY_IPV4);
  address = g_inet_socket_address_new (loopback, port);
  g_object_unref (loopback);
  return address;
}

static guint
get_own_port (NetSink * self)
{
  NetPort *port;
  guint number = NOBODYS_PORT;

  g_rec_mutex_lock (&net_lock);
  port = self->socket != NULL ? net_find_port (self->socket) : NULL;
  if (port != NULL)
    number = port->port;
  g_rec_mutex_unlock (&net_lock);
  return number;
}

static GstFlowReturn
net_sink_render (GstBaseSink * sink, GstBuffer * buffer)
{
  NetSink *self = (NetSink *) sink;
  GSocketAddress *from, *to;
  GstMapInfo map;
  guint port;

  GST_OBJECT_LOCK (self);
  port = self->port;
  GST_OBJECT_UNLOCK (self);
  if (port == 0)
    return GST_FLOW_OK;
  from = new_loopback (self, get_own_port (self));
  to = new_loopback (self, port);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  if (!net_post (port, net_new_packet (map.data, map.size, from, to, 0)))
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, (NULL), ("refused"));
  gst_buffer_unmap (buffer, &map);
  g_object_unref (from);
  g_object_unref (to);
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
