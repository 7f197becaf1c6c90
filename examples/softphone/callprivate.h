/* gst-tfrc: the state of a call, as the files of call.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CALLPRIVATE_H
#define CALLPRIVATE_H

#include "call.h"
#include "flow.h"

G_BEGIN_DECLS

#define CALL_NOBODY G_MAXUINT
#define CALL_DIGIT_MESSAGE "digit"      /* the remote has pressed the key in the field "digit" */

typedef struct _CallInbox CallInbox;    /* of callice.c */
typedef struct _CallSignals CallSignals;        /* of callsignals.c */

struct _Call
{
  CallSettings settings;
  gchar *address, *speak, *record, *error;
  gchar *key, *remote_key;      /* of what is said and heard, or NULL */
  GstElement *pipeline, *bin;   /* bin: the tfrcbin */
  GstElement *said, *heard;     /* the halves; said may come later */
  GstElement *mux;              /* rtpdtmfmux at the end of `said`, or NULL */
  guint peer;                   /* the number of the remote, or CALL_NOBODY */
  gboolean accepted;            /* what the remote says may be played */
  CallSignals *signals;         /* from threads of tfrcbin; NULL: there is no tfrcbin */
  gint64 stranger_at;           /* us: when `remote` called last without being a peer; 0: it is one */
  gchar *declined;              /* who was declined */
  gint64 declined_until;        /* us */
  gint64 proof_end;             /* us: until when a caller has to show the key; 0: at any time */
  gchar *remote;                /* where the remote is, or NULL */
  CallMedia media;              /* of a signalled call */
  CallMedia said_media;         /* that `said` was made for */
  CallMedia wanted;             /* what was agreed on last; with ICE, there may be no way to it yet */
  Ice *ice;                     /* NULL: without */
  IceSide checked;              /* the remote that `ice` checks */
  CallInbox *inbox;             /* STUN messages, from a thread of tfrcbin */
  guint ice_timer;
  gboolean has_media;
  gint dtmf_type_in;            /* atomic; -1: none */
  guint32 digit_time;           /* RTP timestamp of the last key; in the thread of the pad */
  gboolean digit_known;
  Flow said_flow, heard_flow;
  guint64 octets_sent;          /* at the last measurement */
  CallState state;
  gint64 measured, heard_at;    /* us */
  guint gone;                   /* source of the timer behind a BYE; 0: none came */
  gboolean hanging_up;
  gboolean muted;
};

static inline GstElement *
call_get_element (GstElement * half, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (half), name);

  if (element)
    gst_object_unref (element); /* the half keeps it */
  return element;
}

/* call.c */
void call_set_state (Call * call, CallState state);
void call_fail (Call * call, const gchar * message);
void call_forget_stranger (Call * call);

/* The media of `wanted`, whose address is that of the remote. */
gboolean call_apply_media (Call * call, GError ** error);

/* callsignals.c: the functions run in the main loop, with the call, when somebody calls and when a peer is heard. */
void call_watch_bin (Call * call, GSourceFunc on_stranger, GSourceFunc on_heard);
/* Who calls; the caller frees it. The next one who does is noted from now on. */
gchar *call_take_stranger (Call * call);
/* No function is called from now on, but for those that wait in the main loop. */
void call_unwatch_bin (Call * call);

/* callice.c, where the phone is built with libnice. */
void call_clear_ice (Call * call);
/* The call hangs up: no way is looked for any more. */
void call_stop_ice (Call * call);
/* FALSE: ICE has not yet found the address of `wanted`; call_apply_media() follows. */
gboolean call_find_way (Call * call);

/* callpeer.c: in the main loop. call_add_peer() takes the options; CALL_NOBODY: there is no such peer. */
guint call_add_peer (Call * call, const gchar * host, guint port, GstStructure * options);
/* Whether the peer can stay when `b` follows `a`. */
gboolean call_is_same_peer (const CallMedia * a, const CallMedia * b);
/* FALSE: the peer of before is still there. */
gboolean call_set_peer (Call * call, const CallMedia * media, GError ** error);

/* callhalves.c: what is said and what is heard. */
gboolean call_add_said (Call * call, GError ** error);
/* FALSE: the remote would not take what is said, which keeps its codecs and payload types. */
gboolean call_can_say (Call * call, const CallMedia * media);
gboolean call_add_heard (Call * call, GError ** error);
/* Links both to the peer, as far as there are pads. */
void call_link (Call * call);
/* What comes from this peer is played no longer. */
void call_unlink_heard (Call * call, guint peer);
/* The direction of a call that is on hold, and the key m. */
void call_update_said (Call * call);

G_END_DECLS
#endif
