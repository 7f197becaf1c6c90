/* gst-tfrc: waits until a socket can be read, a time has come or somebody wakes it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * epoll where there is one, so that the cost of a wait does not grow with the number of
 * sockets; a GstPoll anywhere else. */
#ifndef GST_TFRC_UDPPOLL_H
#define GST_TFRC_UDPPOLL_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstTfrcUdpPoll GstTfrcUdpPoll;

typedef struct
{
  gpointer data;                /* of the descriptor */
  gboolean error;               /* an error of it waits to be read */
} GstTfrcUdpReady;

/* NULL and an error when the process has no descriptors left. */
GstTfrcUdpPoll *gst_tfrc_udp_poll_new (GError ** error);
void gst_tfrc_udp_poll_free (GstTfrcUdpPoll * poll);

/* All from any thread. After _remove() a wait that was under way may still return it. */
gboolean gst_tfrc_udp_poll_add (GstTfrcUdpPoll * poll, gint fd, gpointer data,
    GError ** error);
void gst_tfrc_udp_poll_remove (GstTfrcUdpPoll * poll, gint fd);
/* FALSE: `fd` is passed over until it is TRUE again. */
void gst_tfrc_udp_poll_set_active (GstTfrcUdpPoll * poll, gint fd,
    gpointer data, gboolean active);

/* Ends the wait or the pause that is under way, or else the next one. From any thread. */
void gst_tfrc_udp_poll_wake (GstTfrcUdpPoll * poll);

/* Waits up to `timeout` (GST_CLOCK_TIME_NONE: for ever; 0: not at all) and returns how
 * many of `ready` are filled in. One thread only, as for the next. */
guint gst_tfrc_udp_poll_wait (GstTfrcUdpPoll * poll, GstClockTime timeout,
    GstTfrcUdpReady * ready, guint max_ready);

/* Waits for `duration` or until it is woken up, whatever comes in meanwhile. */
void gst_tfrc_udp_poll_pause (GstTfrcUdpPoll * poll, GstClockTime duration);

G_END_DECLS

#endif
