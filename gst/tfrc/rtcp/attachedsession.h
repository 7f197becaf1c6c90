/* gst-tfrc: the RTP session that a filter is attached to
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ATTACHEDSESSION_H
#define GST_TFRC_ATTACHEDSESSION_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "rtcp/rtcppackets.h"
#include "rtcp/compoundinterval.h"

G_BEGIN_DECLS

/* What the RTCP of a data sender and that of a data receiver have in common: the RTPSession,
 * the handlers of its signals, and the APP packet that announces the settings of this end to
 * the remote. GstTfrcDataSenderRtcp and GstTfrcDataReceiverRtcp each have this
 * as their first member.
 *
 * The whole object is counted by references: each handler of a signal holds one, since the
 * session may emit a signal in another thread while the filter detaches. The session calls
 * the handlers in its own threads and without `lock`. */
typedef struct
{
  GWeakRef owner;               /* the filter, a GstElement */
  GstTfrcApp local;             /* the settings of this end, with the mode of a flow of which nothing is known yet; never changes */

  GMutex lock;                  /* guards what follows, and the object around this one */
  GObject *session;             /* the RTPSession, or NULL */
  gboolean is_secure;           /* RTCP of `session` is authenticated: its profile was set to SAVP or SAVPF */
  GArray *handlers;             /* gulong: the signal handlers at `session` */
  guint app_left;               /* compound packets that the APP packet of a data receiver is still added to */
  gboolean mismatch_posted;     /* the message about the settings of the remote was posted */
  guint64 apps_malformed;
  GstTfrcCompoundInterval compound_interval;
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
  TfrcMode mode;                /* of a flow of which nothing is known yet */
  gboolean chooses_mode;        /* the data sender has a mode for each flow, the data receiver follows it */
  TfrcMeasure measure;
  guint H;                      /* bytes below RTP in each packet */
  guint fmt;                    /* FMT of the RTPFB packets that are reports */
} GstTfrcRtcpConfig;

/* Initializes the first member of an object that g_atomic_rc_box_new0() has made, and whose
 * other members own nothing. */
void gst_tfrc_attached_session_init (GstTfrcAttachedSession * self,
    GstElement * owner, const GstTfrcRtcpConfig * config, gboolean is_receiver);

/* `self` in these six functions is the object, or the object around it. */
gpointer gst_tfrc_attached_session_ref (gpointer self);
void gst_tfrc_attached_session_unref (gpointer self);
void gst_tfrc_attached_session_lock (gpointer self);
void gst_tfrc_attached_session_unlock (gpointer self);

/* Disconnects the handlers. A handler that the session has begun to call in another thread still
 * runs to its end. */
void gst_tfrc_attached_session_detach (gpointer self);

gboolean gst_tfrc_attached_session_is_attached (gpointer self);

/* Attaches to `session` (an RTPSession or an element rtpsession) or, when that is NULL, to
 * the first rtpsession that is found by following `pad`; connects the `n` signals. An object that is attached to
 * another session leaves that one, since the filter was linked anew. Returns
 * FALSE when there is no session; the object stays as it is then. `attached` is set to whether this call attached
 * the object. */
gboolean gst_tfrc_attached_session_attach (GstTfrcAttachedSession * self,
    GObject * session, GstPad * pad, const GstTfrcSessionSignal * signals,
    guint n, gboolean * attached);

/* RTCP of the remote end came. Returns TRUE when that RTCP ends a silence, and therefore is answered at
 * once. */
gboolean gst_tfrc_attached_session_on_heard (GstTfrcAttachedSession * self);

/* Sets how often the session sends compound packets, unless the application has set it. Called without the
 * lock. */
void gst_tfrc_attached_session_update_interval (GstTfrcAttachedSession * self);

/* Returns a reference on the RTPSession, or NULL when there is none. */
GObject *gst_tfrc_attached_session_get (GstTfrcAttachedSession * self);

/* Parses an APP packet with this name, subtype and data. Returns FALSE when the packet has
 * another name, or is malformed, which is counted. */
gboolean gst_tfrc_attached_session_parse_app (GstTfrcAttachedSession * self,
    const gchar * name, guint subtype, GstBuffer * data, GstTfrcApp * app);

/* Compares the settings `app` of the remote with those of this end, which runs in `mode`. Posts one message when the two
 * ends cannot work together: an error when the session's RTCP is authenticated, otherwise a warning,
 * because anybody can forge one packet. */
void gst_tfrc_attached_session_compare_app (GstTfrcAttachedSession * self,
    TfrcMode mode, const GstTfrcApp * app);

/* This many compound packets carry the APP packet, since some of them may be lost. */
#define GST_TFRC_APP_TIMES 5

/* A new remote needs the APP packet: the next compound packets carry it. Called with the
 * lock. */
void gst_tfrc_attached_session_repeat_app (GstTfrcAttachedSession * self);

/* Adds the fields that data sender and data receiver have in common. Called with the lock. */
void gst_tfrc_attached_session_add_stats (const GstTfrcAttachedSession * self,
    GstStructure * stats);

G_END_DECLS

#endif
