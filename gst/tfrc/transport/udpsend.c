/* gst-tfrc: sends datagrams, many in one call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* sendmmsg, struct in6_pktinfo */
#endif
#include "transport/udpsend.h"

#include <errno.h>
#include <gio/gnetworking.h>
#include <string.h>

#include "transport/udpreceive.h"

/* TOS byte and local address: 64 bytes on 64-bit Linux. */
#define CONTROL_ROOM 128

typedef struct
{
  struct sockaddr_storage name;
  struct iovec part;
  union
  {
    guint8 bytes[CONTROL_ROOM];
    struct cmsghdr align;
  } control;
} Slot;

#ifdef GST_TFRC_UDP_MMSG
typedef struct mmsghdr Header;
#else
typedef struct
{
  struct msghdr msg_hdr;
} Header;
#endif

struct _GstTfrcUdpSender
{
  Header headers[GST_TFRC_UDP_BATCH];
  Slot slots[GST_TFRC_UDP_BATCH];
  GstTfrcUdpMessage *sent[GST_TFRC_UDP_BATCH];  /* whose header it is */
};

GstTfrcUdpSender *
gst_tfrc_udp_sender_new (void)
{
  return g_new0 (GstTfrcUdpSender, 1);
}

void
gst_tfrc_udp_sender_free (GstTfrcUdpSender * sender)
{
  g_free (sender);
}

/* The system reads the padding around the data, too, and it may be of a message that was sent before. */
static void
add_control (struct msghdr *header, gint level, gint type, const void *data,
    gsize size)
{
  struct cmsghdr *control =
      (struct cmsghdr *) ((guint8 *) header->msg_control +
      header->msg_controllen);

  memset (control, 0, CMSG_SPACE (size));
  control->cmsg_level = level;
  control->cmsg_type = type;
  control->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (control), data, size);
  header->msg_controllen += CMSG_SPACE (size);
}

/* Datagrams to an IPv4-mapped address are IPv4 on a socket of IPv6, too. */
static void
add_tos (struct msghdr *header, gboolean ipv4, gint tos)
{
#ifdef IPV6_TCLASS
  if (!ipv4)
    add_control (header, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof (tos));
#endif
#ifdef IP_TOS
  if (ipv4)
    add_control (header, IPPROTO_IP, IP_TOS, &tos, sizeof (tos));
#endif
}

static void
add_local (struct msghdr *header, gboolean ipv4,
    const GstTfrcUdpAddress * local)
{
#ifdef IPV6_RECVPKTINFO
  if (!ipv4) {
    struct in6_pktinfo info = { .ipi6_ifindex = local->scope };

    memcpy (&info.ipi6_addr, local->ip, 16);
    add_control (header, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof (info));
  }
#endif
#ifdef IP_PKTINFO
  if (ipv4) {
    struct in_pktinfo info = { 0 };

    memcpy (&info.ipi_spec_dst, local->ip + 12, 4);
    add_control (header, IPPROTO_IP, IP_PKTINFO, &info, sizeof (info));
  }
#endif
}

/* FALSE: a socket of `family` cannot send it. `with_local`: it leaves from the local address of the
 * route. */
static gboolean
fill_header (Slot * slot, struct msghdr *header, gint family,
    const GstTfrcUdpMessage * message, gboolean with_local)
{
  const GstTfrcUdpRoute *route = message->route;
  gboolean ipv4 = gst_tfrc_udp_address_is_ipv4 (&route->remote);

  header->msg_namelen = gst_tfrc_udp_address_to_sockaddr (&route->remote,
      family, &slot->name);
  if (header->msg_namelen == 0)
    return FALSE;
  header->msg_name = &slot->name;
  slot->part.iov_base = (gpointer) message->data;
  slot->part.iov_len = message->size;
  header->msg_iov = &slot->part;
  header->msg_iovlen = 1;
  header->msg_control = &slot->control;
  header->msg_controllen = 0;
  if (route->tos != 0)
    add_tos (header, ipv4, route->tos);
  if (with_local && gst_tfrc_udp_address_is_set (&route->local) &&
      gst_tfrc_udp_address_is_ipv4 (&route->local) == ipv4)
    add_local (header, ipv4, &route->local);
  if (header->msg_controllen == 0)
    header->msg_control = NULL;
  return TRUE;
}

/* How many of the first ones the system took, or -1. */
static gint
send_headers (gint fd, Header * headers, guint n)
{
#ifdef GST_TFRC_UDP_MMSG
  return sendmmsg (fd, headers, n, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
  return sendmsg (fd, &headers[0].msg_hdr, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ?
      -1 : 1;
#endif
}

static guint
fill_headers (GstTfrcUdpSender * sender, gint family,
    GstTfrcUdpMessage * messages, guint n_messages)
{
  guint i, n = 0;

  for (i = 0; i < n_messages; i++) {
    messages[i].error = 0;
    if (fill_header (&sender->slots[n], &sender->headers[n].msg_hdr, family,
            &messages[i], TRUE))
      sender->sent[n++] = &messages[i];
    else
      messages[i].error = EAFNOSUPPORT;
  }
  return n;
}

/* Returns TRUE when the datagram is to be sent again, from whatever address the system chooses: the
 * machine may no longer have the address that the remote end has called. Linux says ENETUNREACH then
 * for IPv4 and EINVAL for IPv6. */
static gboolean
forget_local (Slot * slot, struct msghdr *header, gint family,
    const GstTfrcUdpMessage * message, gint error)
{
  gsize size = header->msg_controllen;

  if (error != EINVAL && error != ENETUNREACH && error != EADDRNOTAVAIL)
    return FALSE;
  fill_header (slot, header, family, message, FALSE);
  return header->msg_controllen < size;
}

/* The system fails a datagram for an error of an earlier one, so that each has two attempts. */
void
gst_tfrc_udp_send_one (gint fd, gint family, GstTfrcUdpMessage * message)
{
  Header header = { 0 };
  guint attempts = 2;
  Slot slot;

  message->error = EAFNOSUPPORT;
  if (!fill_header (&slot, &header.msg_hdr, family, message, TRUE))
    return;
  do {
    message->error = send_headers (fd, &header, 1) < 0 ? errno : 0;
  } while (message->error != 0 && (forget_local (&slot, &header.msg_hdr,
              family, message, message->error) || --attempts > 0));
  if (message->error == EWOULDBLOCK)
    message->error = EAGAIN;
}

void
gst_tfrc_udp_sender_send (GstTfrcUdpSender * sender, gint fd, gint family,
    GstTfrcUdpMessage * messages, guint n_messages)
{
  guint n = fill_headers (sender, family, messages, n_messages);
  guint next = 0;
  gboolean second_attempt = FALSE, full = FALSE;

  while (next < n) {
    gint taken =
        full ? -1 : send_headers (fd, &sender->headers[next], n - next);

    if (taken > 0) {
      next += taken;
      second_attempt = FALSE;
      continue;
    }
    full = full || errno == EAGAIN || errno == EWOULDBLOCK;
    if (!full && forget_local (&sender->slots[next],
            &sender->headers[next].msg_hdr, family, sender->sent[next], errno))
      continue;
    if (!full && !second_attempt) {
      second_attempt = TRUE;
      continue;
    }
    sender->sent[next++]->error = full ? EAGAIN : errno;
    second_attempt = FALSE;
  }
}
