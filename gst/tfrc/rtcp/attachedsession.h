/* gst-tfrc: a filter's hold on an RTP session, and the APP packet that both sides exchange
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ATTACHEDSESSION_H
#define GST_TFRC_ATTACHEDSESSION_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "rtcp/rtcppackets.h"

G_BEGIN_DECLS

/* What the data sender and the data receiver have in common in their dealings with
 * GStreamer's RTPSession, the object that the element rtpsession calls `internal-session`:
 * the session itself, the handlers of its signals, and the APP packet that tells the remote
 * the settings of this end. GstTfrcDataSenderRtcp and GstTfrcDataReceiverRtcp each have this
 * as their first member.
 *
 * The whole object is counted by references: each handler of a signal holds one, since the
 * session may emit a signal in another thread while the filter detaches. The session calls
 * the handlers in its own threads and without `lock`. */
typedef struct
{
  GWeakRef owner;               /* the filter, a GstElement */
  GstTfrcApp own;               /* the settings of this end; never changes */

  GMutex lock;                  /* guards what follows, and the object around this one */
  GObject *session;             /* the RTPSession, or NULL */
  GArray *handlers;             /* gulong: the signal handlers at `session` */
  guint app_left;               /* compound packets that the APP packet still goes beside */
  gboolean mismatch_posted;
  guint64 apps_malformed;
} GstTfrcAttachedSession;

/* A signal of the session and what handles it, with the object as its data. */
typedef struct
{
  const gchar *name;
  GCallback handler;
} GstTfrcSessionSignal;

/* What both ends of a flow must agree on, and how reports are marked. */
typedef struct
{
  TfrcMode mode;
  TfrcMeasure measure;
  guint H;                      /* bytes below RTP in each packet */
  guint fmt;                    /* FMT of the RTPFB packets that are reports */
} GstTfrcRtcpConfig;

/* The object around this one is a zeroed g_atomic_rc_box that owns nothing else. */
void gst_tfrc_attached_session_init (GstTfrcAttachedSession * self,
    GstElement * owner, const GstTfrcRtcpConfig * config, gboolean is_receiver);
gpointer gst_tfrc_attached_session_ref (gpointer self);
void gst_tfrc_attached_session_unref (gpointer self);

/* Attaches to `session` (an RTPSession or an element rtpsession) or, when that is NULL, to
 * the first rtpsession that is found by following `pad`; connects the `n` signals. Returns
 * FALSE when there is no session. `attached` tells whether this call attached it, which a
 * second call does not. */
gboolean gst_tfrc_attached_session_attach (GstTfrcAttachedSession * self,
    GObject * session, GstPad * pad, const GstTfrcSessionSignal * signals,
    guint n, gboolean * attached);

/* The handlers are not called any more, but for calls that have begun. */
void gst_tfrc_attached_session_detach (GstTfrcAttachedSession * self);

/* A reference on the RTPSession; NULL when there is none. */
GObject *gst_tfrc_attached_session_get (GstTfrcAttachedSession * self);

/* The APP packet with this name, subtype and data; FALSE when it is another one or is
 * malformed, which is counted. */
gboolean gst_tfrc_attached_session_parse_app (GstTfrcAttachedSession * self,
    const gchar * name, guint subtype, GstBuffer * data, GstTfrcApp * app);

/* The remote's settings are `app`: a difference that the two ends cannot work with is
 * posted as an error, once. */
void gst_tfrc_attached_session_compare_app (GstTfrcAttachedSession * self,
    const GstTfrcApp * app);

/* Adds the APP packet of this end, as from `ssrc`, to a compound packet that is about to
 * leave, until it went beside a few of them. TRUE when it was added. */
gboolean gst_tfrc_attached_session_append_app (GstTfrcAttachedSession * self,
    GstRTCPBuffer * rtcp, guint32 ssrc);

/* With the lock: the remote is new, and is to have the APP packet. */
void gst_tfrc_attached_session_repeat_app (GstTfrcAttachedSession * self);

/* Adds the fields that both sides have; with the lock. */
void gst_tfrc_attached_session_add_stats (const GstTfrcAttachedSession * self,
    GstStructure * stats);

G_END_DECLS

#endif
