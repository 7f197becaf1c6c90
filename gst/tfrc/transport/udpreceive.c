/* gst-tfrc: reads datagrams with what the system knows of them, many in one call
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* recvmmsg, struct in6_pktinfo */
#endif
#include "transport/udpreceive.h"

#include <errno.h>
#include <gio/gnetworking.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <linux/errqueue.h>
#endif

/* The largest UDP datagram has 65,527 bytes (IPv6 without jumbograms). */
#define LARGEST 65536
/* Time, TOS byte, one local address of each family, drops: 152 bytes on 64-bit Linux. */
#define CONTROL_ROOM 256
/* Two readings of the clocks that differ by less are the same: the wall clock is slewed
 * along with the monotonic one, so only a step can exceed it. */
#define STEP (1 * GST_MSECOND)

typedef struct
{
  guint8 room[GST_TFRC_UDP_ROOM];
  struct iovec parts[2];        /* the room, and what is too large for it */
  struct sockaddr_storage name;
  union
  {
    guint8 bytes[CONTROL_ROOM];
    struct cmsghdr align;
  } control;
} Slot;

#ifdef GST_TFRC_UDP_MMSG
typedef struct mmsghdr Message;
#else
typedef struct
{
  struct msghdr msg_hdr;
  guint msg_len;
} Message;
#endif

struct _GstTfrcUdpReceiver
{
  guint used;                   /* messages that the last call filled in */
  Message messages[GST_TFRC_UDP_BATCH];
  Slot slots[GST_TFRC_UDP_BATCH];
  GstTfrcUdpDatagram datagrams[GST_TFRC_UDP_BATCH];
  /* LARGEST bytes for each slot. The system gives memory to the pages that are written,
   * so this costs nothing where no large datagrams come. */
  guint8 *large;
};

/* The fields that the system writes. */
static void
reset_message (GstTfrcUdpReceiver * receiver, guint i)
{
  struct msghdr *header = &receiver->messages[i].msg_hdr;
  Slot *slot = &receiver->slots[i];

  header->msg_name = &slot->name;
  header->msg_namelen = sizeof (slot->name);
  header->msg_control = &slot->control;
  header->msg_controllen = sizeof (slot->control);
  header->msg_flags = 0;
}

static void
init_slot (GstTfrcUdpReceiver * receiver, guint i)
{
  Slot *slot = &receiver->slots[i];

  slot->parts[0].iov_base = slot->room;
  slot->parts[0].iov_len = GST_TFRC_UDP_ROOM;
  slot->parts[1].iov_base =
      receiver->large + (gsize) i *LARGEST + GST_TFRC_UDP_ROOM;
  slot->parts[1].iov_len = LARGEST - GST_TFRC_UDP_ROOM;
  receiver->messages[i].msg_hdr.msg_iov = slot->parts;
  receiver->messages[i].msg_hdr.msg_iovlen = 2;
  reset_message (receiver, i);
}

GstTfrcUdpReceiver *
gst_tfrc_udp_receiver_new (void)
{
  GstTfrcUdpReceiver *receiver = g_new0 (GstTfrcUdpReceiver, 1);
  guint i;

  receiver->large = g_malloc ((gsize) GST_TFRC_UDP_BATCH * LARGEST);
  for (i = 0; i < GST_TFRC_UDP_BATCH; i++)
    init_slot (receiver, i);
  return receiver;
}

void
gst_tfrc_udp_receiver_free (GstTfrcUdpReceiver * receiver)
{
  g_free (receiver->large);
  g_free (receiver);
}

GstBuffer *
gst_tfrc_udp_datagram_take_buffer (GstTfrcUdpDatagram * datagram)
{
  if (datagram->size == 0)
    return gst_buffer_new ();
  return gst_buffer_new_memdup (datagram->data, datagram->size);
}

void
gst_tfrc_udp_arrival_clock_update (GstTfrcUdpArrivalClock * clock,
    GstClockTime monotonic, GstClockTime realtime)
{
  GstClockTimeDiff step = (GstClockTimeDiff) (realtime - clock->realtime) -
      (GstClockTimeDiff) (monotonic - clock->monotonic);

  if (ABS (step) > STEP)
    clock->trusted_since = realtime;
  clock->monotonic = monotonic;
  clock->realtime = realtime;
}

static GstClockTime
read_clock (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return GST_TIMESPEC_TO_TIME (now);
}

/* Reads again when something came between the readings. */
void
gst_tfrc_udp_arrival_clock_read (GstTfrcUdpArrivalClock * clock)
{
  GstClockTime before, after = read_clock (CLOCK_MONOTONIC), realtime;
  guint attempts = 3;

  do {
    before = after;
    realtime = read_clock (CLOCK_REALTIME);
    after = read_clock (CLOCK_MONOTONIC);
  } while (after - before > STEP / 10 && --attempts > 0);
  gst_tfrc_udp_arrival_clock_update (clock, after, realtime);
}

GstClockTime
gst_tfrc_udp_arrival_clock_convert (const GstTfrcUdpArrivalClock * clock,
    GstClockTime stamp)
{
  GstClockTime age;

  if (stamp < clock->trusted_since || stamp > clock->realtime)
    return clock->monotonic;
  age = clock->realtime - stamp;
  return age < clock->monotonic ? clock->monotonic - age : 0;
}

static void
set_option (gint fd, gint level, gint option, gint value)
{
  /* Where the system lacks an option, the fields of a datagram say that the value is not known. */
  (void) setsockopt (fd, level, option, &value, sizeof (value));
}

static void
ask_for_ipv4 (gint fd, gboolean local)
{
#ifdef IP_RECVTOS
  set_option (fd, IPPROTO_IP, IP_RECVTOS, 1);
#endif
#ifdef IP_PKTINFO
  set_option (fd, IPPROTO_IP, IP_PKTINFO, local);
#endif
#ifdef IP_RECVERR
  set_option (fd, IPPROTO_IP, IP_RECVERR, 1);
#endif
}

static void
ask_for_ipv6 (gint fd, gboolean local)
{
#ifdef IPV6_RECVTCLASS
  set_option (fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
#endif
#ifdef IPV6_RECVPKTINFO
  set_option (fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, local);
#endif
#ifdef IPV6_RECVERR
  set_option (fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
#endif
}

void
gst_tfrc_udp_receiver_set_up_socket (gint fd, gboolean local)
{
  struct sockaddr_storage name;
  socklen_t size = sizeof (name);

  if (getsockname (fd, (struct sockaddr *) &name, &size) != 0)
    return;
  /* A dual-stack socket takes the options of both. */
  if (name.ss_family == AF_INET6)
    ask_for_ipv6 (fd, local);
  if (name.ss_family == AF_INET6 || name.ss_family == AF_INET)
    ask_for_ipv4 (fd, local);
#ifdef SO_TIMESTAMPNS
  set_option (fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
#endif
#ifdef SO_RXQ_OVFL
  set_option (fd, SOL_SOCKET, SO_RXQ_OVFL, 1);
#endif
}

static gint
receive_messages (gint fd, Message * messages)
{
#ifdef GST_TFRC_UDP_MMSG
  return recvmmsg (fd, messages, GST_TFRC_UDP_BATCH, MSG_DONTWAIT, NULL);
#else
  gint n;

  for (n = 0; n < GST_TFRC_UDP_BATCH; n++) {
    gssize size = recvmsg (fd, &messages[n].msg_hdr, MSG_DONTWAIT);

    if (size < 0)
      break;
    messages[n].msg_len = size;
  }
  return n > 0 ? n : -1;
#endif
}

static void
set_local (GstTfrcUdpAddress * local, gint family, const void *ip,
    guint interface)
{
  struct sockaddr_in v4 = { .sin_family = AF_INET };
  struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

  if (family == AF_INET) {
    memcpy (&v4.sin_addr, ip, sizeof (v4.sin_addr));
    gst_tfrc_udp_address_from_sockaddr (local, (struct sockaddr *) &v4,
        sizeof (v4));
    return;
  }
  memcpy (&v6.sin6_addr, ip, sizeof (v6.sin6_addr));
  v6.sin6_scope_id = interface;
  gst_tfrc_udp_address_from_sockaddr (local, (struct sockaddr *) &v6,
      sizeof (v6));
}

static void
read_ip_control (struct cmsghdr *control, GstTfrcUdpDatagram * datagram)
{
  const void *data = CMSG_DATA (control);

#ifdef IP_RECVTOS
  /* Linux sends type IP_TOS, BSD type IP_RECVTOS; both send one byte. */
  if (control->cmsg_type == IP_TOS || control->cmsg_type == IP_RECVTOS)
    datagram->tos = *(const guint8 *) data;
#endif
#ifdef IP_PKTINFO
  if (control->cmsg_type == IP_PKTINFO) {
    struct in_pktinfo info;

    memcpy (&info, data, sizeof (info));
    set_local (&datagram->local, AF_INET, &info.ipi_addr, 0);
  }
#endif
}

static void
read_ipv6_control (struct cmsghdr *control, GstTfrcUdpDatagram * datagram)
{
  const void *data = CMSG_DATA (control);

#ifdef IPV6_RECVTCLASS
  if (control->cmsg_type == IPV6_TCLASS) {
    gint value;

    memcpy (&value, data, sizeof (value));
    datagram->tos = value;
  }
#endif
#ifdef IPV6_RECVPKTINFO
  if (control->cmsg_type == IPV6_PKTINFO) {
    struct in6_pktinfo info;

    memcpy (&info, data, sizeof (info));
    set_local (&datagram->local, AF_INET6, &info.ipi6_addr, info.ipi6_ifindex);
  }
#endif
}

static void
read_socket_control (struct cmsghdr *control, GstTfrcUdpDatagram * datagram,
    const GstTfrcUdpArrivalClock * clock, guint32 * overflow)
{
#ifdef SO_TIMESTAMPNS
  if (control->cmsg_type == SCM_TIMESTAMPNS) {
    struct timespec stamp;

    memcpy (&stamp, CMSG_DATA (control), sizeof (stamp));
    datagram->arrival = gst_tfrc_udp_arrival_clock_convert (clock,
        GST_TIMESPEC_TO_TIME (stamp));
  }
#endif
#ifdef SO_RXQ_OVFL
  if (control->cmsg_type == SO_RXQ_OVFL)
    memcpy (overflow, CMSG_DATA (control), sizeof (*overflow));
#endif
}

static void
read_control (struct msghdr *header, GstTfrcUdpDatagram * datagram,
    const GstTfrcUdpArrivalClock * clock, guint32 * overflow)
{
  struct cmsghdr *control;

  datagram->arrival = clock->monotonic;
  datagram->tos = 0;
  memset (&datagram->local, 0, sizeof (datagram->local));
  for (control = CMSG_FIRSTHDR (header); control != NULL;
      control = CMSG_NXTHDR (header, control)) {
    if (control->cmsg_level == SOL_SOCKET)
      read_socket_control (control, datagram, clock, overflow);
    else if (control->cmsg_level == IPPROTO_IP)
      read_ip_control (control, datagram);
    else if (control->cmsg_level == IPPROTO_IPV6)
      read_ipv6_control (control, datagram);
  }
}

static void
read_message (GstTfrcUdpReceiver * receiver, guint i,
    const GstTfrcUdpArrivalClock * clock, guint32 * overflow)
{
  Message *message = &receiver->messages[i];
  GstTfrcUdpDatagram *datagram = &receiver->datagrams[i];

  datagram->data = receiver->slots[i].room;
  datagram->size = message->msg_len;
  if (datagram->size > GST_TFRC_UDP_ROOM) {
    guint8 *large = receiver->large + (gsize) i * LARGEST;

    memcpy (large, datagram->data, GST_TFRC_UDP_ROOM);
    datagram->data = large;
  }
  gst_tfrc_udp_address_from_sockaddr (&datagram->remote,
      (struct sockaddr *) &receiver->slots[i].name,
      message->msg_hdr.msg_namelen);
  read_control (&message->msg_hdr, datagram, clock, overflow);
}

gint
gst_tfrc_udp_receiver_receive (GstTfrcUdpReceiver * receiver, gint fd,
    const GstTfrcUdpArrivalClock * clock, GstTfrcUdpDatagram ** datagrams,
    guint32 * overflow)
{
  gint n, i;

  for (; receiver->used > 0; receiver->used--)
    reset_message (receiver, receiver->used - 1);
  n = receive_messages (fd, receiver->messages);
  if (n < 0)
    return n;
  receiver->used = n;
  for (i = 0; i < n; i++)
    read_message (receiver, i, clock, overflow);
  *datagrams = receiver->datagrams;
  return n;
}

#ifdef IP_RECVERR
static gboolean
read_error (struct cmsghdr *control, GstTfrcUdpError * error)
{
  struct sock_extended_err reported;

  if (!(control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_RECVERR)
      && !(control->cmsg_level == IPPROTO_IPV6 &&
          control->cmsg_type == IPV6_RECVERR))
    return FALSE;
  memcpy (&reported, CMSG_DATA (control), sizeof (reported));
  error->code = reported.ee_errno;
  error->from_path = reported.ee_origin == SO_EE_ORIGIN_ICMP ||
      reported.ee_origin == SO_EE_ORIGIN_ICMP6;
  error->mtu = reported.ee_errno == EMSGSIZE ? reported.ee_info : 0;
  return TRUE;
}
#endif

gboolean
gst_tfrc_udp_receiver_get_error (gint fd, GstTfrcUdpError * error)
{
#ifdef IP_RECVERR
  struct sockaddr_storage name;
  union
  {
    guint8 bytes[512];
    struct cmsghdr align;
  } room;
  struct msghdr header = {
    .msg_name = &name,
    .msg_namelen = sizeof (name),
    .msg_control = &room,
    .msg_controllen = sizeof (room)
  };
  struct cmsghdr *control;

  memset (error, 0, sizeof (*error));
  if (recvmsg (fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
    return FALSE;
  gst_tfrc_udp_address_from_sockaddr (&error->remote,
      (struct sockaddr *) &name, header.msg_namelen);
  for (control = CMSG_FIRSTHDR (&header); control != NULL;
      control = CMSG_NXTHDR (&header, control))
    if (read_error (control, error))
      break;
  return TRUE;
#else
  return FALSE;
#endif
}
