/* gst-tfrc: whether the remote end is heard, as elements report it to the application
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtptfrcsend hears RTCP of its data receiver. rtptfrcreceive hears packets and RTCP of its data sender.
 * tfrcbin, tfrcsink and tfrcsrc hear RTP and RTCP of each peer. All of them post a message at each change.
 * The filters never say that a remote end is gone, since a BYE of their session may be forged. */
#ifndef GST_TFRC_REMOTELIVENESS_H
#define GST_TFRC_REMOTELIVENESS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Name of the structure of the element message that reports a change. */
#define GST_TFRC_CONNECTION_MESSAGE "application/x-tfrc-connection"

/* GstTfrcRemoteLivenessState: the connection with a remote end, as messages, statistics and the property
 * `connection` of rtptfrcsend, rtptfrcreceive and tfrcsink name it.
 * @GST_TFRC_REMOTE_LIVENESS_WAITING: nothing was heard of the remote end yet
 * @GST_TFRC_REMOTE_LIVENESS_CONNECTED: the remote end is heard
 * @GST_TFRC_REMOTE_LIVENESS_LOST: nothing was heard of the remote end for five seconds
 * @GST_TFRC_REMOTE_LIVENESS_GONE: the remote end said BYE, or the owner of this object gave it up
 *   after a long silence */
typedef enum
{
  GST_TFRC_REMOTE_LIVENESS_WAITING,
  GST_TFRC_REMOTE_LIVENESS_CONNECTED,
  GST_TFRC_REMOTE_LIVENESS_LOST,
  GST_TFRC_REMOTE_LIVENESS_GONE
} GstTfrcRemoteLivenessState;

/* Plain state, which its owner guards by a lock. Times are ns of any steady clock. The functions on_heard,
 * on_gone and on_time return the name of the change that the owner has to report, or NULL: "connected" (also
 * after "gone"), "lost", "regained" (after "lost"), "gone". The owner itself reports "waiting" when it
 * begins. */
typedef struct
{
  GstTfrcRemoteLivenessState state;
  guint64 heard;                /* when the remote end was heard last; at first, when waiting began */
  guint64 silence;              /* ns, the silence before the last change */
} GstTfrcRemoteLiveness;

#define GST_TYPE_TFRC_REMOTE_CONNECTION (gst_tfrc_remote_liveness_get_type ())
GType gst_tfrc_remote_liveness_get_type (void);

/* "waiting", "connected", "lost", "gone". */
const gchar *gst_tfrc_remote_liveness_state_get_nick (GstTfrcRemoteLivenessState state);

void gst_tfrc_remote_liveness_init (GstTfrcRemoteLiveness * connection, guint64 now);

/* RTP or RTCP of the remote end arrived. */
const gchar *gst_tfrc_remote_liveness_on_heard (GstTfrcRemoteLiveness * connection,
    guint64 now);

/* The remote end said BYE, or the owner gives it up. */
const gchar *gst_tfrc_remote_liveness_on_gone (GstTfrcRemoteLiveness * connection,
    guint64 now);

/* Time has come to `now`: the remote end may be lost. */
const gchar *gst_tfrc_remote_liveness_on_time (GstTfrcRemoteLiveness * connection,
    guint64 now);

/* When gst_tfrc_remote_liveness_on_time() has to be called if nothing is heard until then;
 * GST_CLOCK_TIME_NONE: never. */
guint64 gst_tfrc_remote_liveness_next_time (const GstTfrcRemoteLiveness * connection);

/* The structure of the message that reports the change `name`: `state` (string), which is `name`, and
 * `silence` (guint64, ns). */
GstStructure *gst_tfrc_remote_liveness_make_structure (const GstTfrcRemoteLiveness *
    connection, const gchar * name);

/* Adds that structure to `messages`, which the owner posts once its lock is released. `name` is what a
 * function above returned. Returns FALSE when `name` is NULL, and there is nothing to report. */
gboolean gst_tfrc_remote_liveness_queue_change (const GstTfrcRemoteLiveness * connection,
    const gchar * name, GQueue * messages);

G_END_DECLS

#endif
