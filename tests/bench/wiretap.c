/* gst-tfrc: reads the datagrams of one flow on their way, as the network has them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* SO_RCVBUFFORCE */
#endif
#include "wiretap.h"

#include <poll.h>

#include "floorsocket.h"
#include "transport/udpreceive.h"

static int near, far;           /* sockets: the sender's side and the receiver's */
static GstTfrcUdpAddress sender, receiver;
static GstTfrcUdpReceiver *reader;
static WireTapFunc on_datagram;

/* The sender is where the last datagram came from; answers before the first one go nowhere. */
static void
pass_on (const GstTfrcUdpDatagram * datagram, gboolean back)
{
  struct sockaddr_storage name;
  socklen_t size;

  if (!back)
    sender = datagram->remote;
  size =
      gst_tfrc_udp_address_to_sockaddr (back ? &sender : &receiver, AF_INET,
      &name);
  (void) sendto (back ? near : far, datagram->data, datagram->size, 0,
      (const struct sockaddr *) &name, size);
  on_datagram (datagram->arrival, back, datagram->data, datagram->size);
}

static void
serve (int fd, gboolean back)
{
  static GstTfrcUdpArrivalClock clock;
  GstTfrcUdpDatagram *datagrams;
  GstTfrcUdpError error;
  guint32 overflow;
  gint n;

  /* of an end that has closed its port: poll() returns until it is read */
  while (gst_tfrc_udp_receiver_get_error (fd, &error));
  gst_tfrc_udp_arrival_clock_read (&clock);
  n = gst_tfrc_udp_receiver_receive (reader, fd, &clock, &datagrams, &overflow);
  for (gint i = 0; i < n; i++)
    pass_on (&datagrams[i], back);
}

static gpointer
run (gpointer data)
{
  struct pollfd fds[] = { {near, POLLIN}, {far, POLLIN} };

  while (poll (fds, 2, -1) > 0) {
    if (fds[0].revents)
      serve (near, FALSE);
    if (fds[1].revents)
      serve (far, TRUE);
  }
  return NULL;
}

guint
wire_tap_start (guint to, WireTapFunc func)
{
  struct sockaddr_in name = floor_local_name (to);
  socklen_t size = sizeof name;

  on_datagram = func;
  gst_tfrc_udp_address_from_sockaddr (&receiver, (struct sockaddr *) &name,
      size);
  reader = gst_tfrc_udp_receiver_new ();
  near = floor_open_socket (0);
  far = floor_open_socket (0);
  gst_tfrc_udp_receiver_set_up_socket (near, FALSE);
  gst_tfrc_udp_receiver_set_up_socket (far, FALSE);
  getsockname (near, (struct sockaddr *) &name, &size);
  g_thread_unref (g_thread_new ("tap", run, NULL));
  return ntohs (name.sin_port);
}
