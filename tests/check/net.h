/* gst-tfrc tests: a network and a time in the process
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * In place of the system's sockets: the plugin's calls of g_socket_...() and the system calls of
 * the threads "tfrc-udp" come here, as the symbols of a program go before those of libraries, and
 * elements of netelements.c stand in for udpsrc, udpsink and multiudpsink. All hosts are one; a
 * packet goes to the socket that is bound to its port, when its time has come.
 *
 * In place of the system's clock: a GstTestClock, which rtpsession, rtpjitterbuffer and
 * the plugin wait on, and which g_get_real_time() reads. It moves in net_run() alone, from
 * one wait or packet to the next, and only when every other thread of the process sleeps.
 * So what happens does not depend on how fast the machine is. */
#ifndef NET_H
#define NET_H

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* What every packet takes; no multiple of it is one of a packet time, as on no real path. */
#define NET_DELAY (17 * GST_MSECOND)

/* What happens to packets on their way to a port. */
typedef struct
{
  gboolean block;               /* all are lost */
  gboolean block_rtcp;          /* RTCP is lost */
  gboolean refuse;              /* the sender's system refuses to send */
  guint drop_every;             /* every n-th packet of RTP is lost; 0: none */
  guint drop_run;               /* and as many with it in a row; 0: it alone */
  guint duplicate_every;        /* every n-th comes twice */
  guint swap_every;             /* every n-th is overtaken by the next */
  void (*edit) (guint8 * data, gsize size);     /* changes each on the way */
  GstClockTime delay;           /* more than NET_DELAY */
  guint8 mark;                  /* bits that the path sets in the TOS byte, */
  guint8 clear;                 /* and bits that it clears */
  guint mark_every;             /* every n-th gets the mark CE if it is ECN-capable; 0: none */
  gboolean drop_capable;        /* all that are ECN-capable are lost */
} NetRules;

typedef struct
{
  guint packets, rtcp, dropped; /* that were sent; RTCP among them; lost on the way */
  guint capable, capable_rtcp;  /* that were sent ECN-capable; RTCP among them */
} NetCounts;

/* A network without sockets, and the time 100 s. GLib's random numbers have the seed 1, or the
 * one that the environment variable NET_SEED has. */
void net_start (void);
void net_stop (void);

GstClockTime net_get_time (void);
/* Lets that much time pass. */
void net_run (GstClockTime duration);

void net_set_rules (guint port, const NetRules * rules);
NetCounts net_get_counts (guint port);
/* Binding to the port fails with this error of GIO; 0: it does not. */
void net_fail_bind (guint port, gint code);

/* A port that the test has itself; 0: any. */
guint net_open (guint port);
void net_close (guint port);
/* The packets that were sent to a port since the last call, lost or not, GBytes; free
 * with g_ptr_array_unref. */
GPtrArray *net_take (guint port);
/* A packet from one port to another, which the rules of the latter do not meet. */
void net_send (guint from, guint to, gconstpointer data, gsize size);
/* The same from another host, to this or another address of this one ("" is 127.0.0.1), with a
 * TOS byte. */
void net_send_from (const gchar * host, guint from, const gchar * local,
    guint to, guint8 tos, gconstpointer data, gsize size);

/* How the last packet to a port left: addresses as "HOST:PORT", and the TOS byte. */
typedef struct
{
  gchar from[80], to[80];
  guint tos;
} NetSent;

NetSent net_get_last (guint port);

/* The options that the plugin set on the socket of a port; -1: not set. */
gint net_get_option (guint port, gint level, gint option);
/* How many sockets there are. */
guint net_count_sockets (void);

/* --- what goes wrong in the system, for sockets that a worker serves --- */

/* The system call that sends to the port fails with `code` (errno), `times` times after `after`
 * datagrams that it sends. Meanwhile it sends one datagram at a time, as a busy system may. */
void net_fail_send (guint port, gint code, guint after, guint times);
/* The system has no longer this address: what is sent from it fails. NULL: it has all. */
void net_remove_address (const gchar * host);
/* Receiving at the port fails with `code`; 0: not any more. */
void net_fail_receive (guint port, gint code);
/* The path, or else the sender's own system, reports at `port` that a datagram to host:to met the
 * error `code` (errno). */
void net_report_error (guint port, gint code, guint mtu, gboolean from_path,
    const gchar * host, guint to);
/* The receive buffer of the port was full when so many datagrams came; the next one tells. */
void net_overflow (guint port, guint datagrams);
/* The process gets no more descriptors, or no more threads. */
void net_fail_descriptors (gboolean fail);
void net_fail_threads (gboolean fail);
/* The process gets no more timers with descriptors. */
void net_fail_timers (gboolean fail);
/* The wall clock is put forward. */
void net_set_wall (GstClockTime forward);
/* The system enlarges buffers as much as it is asked to, or at most to what it permits. */
void net_set_privileged (gboolean privileged);

G_END_DECLS

#endif
