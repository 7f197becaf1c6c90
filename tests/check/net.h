/* gst-tfrc tests: a network and a time in the process
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * In place of the system's sockets: the plugin's calls of g_socket_...() come here, as
 * the symbols of a program go before those of libraries, and elements of this file stand
 * in for udpsrc, udpsink and multiudpsink. All hosts are one; a packet goes to the socket
 * that is bound to its port, when its time has come.
 *
 * In place of the system's clock: a GstTestClock, which rtpsession, rtpjitterbuffer and
 * the plugin wait on. It moves in net_run() alone, from one wait or packet to the next,
 * and only when every other thread of the process sleeps. So what happens does not depend
 * on how fast the machine is. */
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
} NetRules;

typedef struct
{
  guint packets, rtcp, dropped; /* that were sent; RTCP among them; lost on the way */
} NetCounts;

/* A network without sockets, and the time 100 s. */
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

/* The options that the plugin set on the socket of a port; -1: not set. */
gint net_get_option (guint port, gint level, gint option);
/* How many sockets there are. */
guint net_count_sockets (void);

G_END_DECLS

#endif
