/* gst-tfrc tests: an element tfrcbin in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CALLEND_H
#define CALLEND_H

#include <gst/check/gstcheck.h>

#include "net.h"

G_BEGIN_DECLS

#define CALL_FRAME (20 * GST_MSECOND)
#define CALL_PAYLOAD 60         /* bytes */
#define CALL_CAPS "application/x-rtp,media=audio,encoding-name=OPUS," \
    "clock-rate=48000,payload=96"

/* One tfrcbin in a pipeline of its own. Its source pads are linked to pads of the test. */
typedef struct
{
  GstElement *pipeline, *call;
  guint port;                   /* local-port */
  GHashTable *feeders;          /* the test's pads at send_sink_<number>, by number */
  guint16 seq;                  /* of the next packet that is fed */
  guint32 rtptime;
  gboolean link;                /* source pads are linked as they come */

  GMutex lock;                  /* for what follows */
  GString *states;              /* "0:connected 0:gone ", as messages told */
  GHashTable *outputs;          /* CallOutput by number */
  guint eos, warnings;
  guint stream_starts;
  guint stream_group;           /* of the last STREAM_START; 0: it had none */
  guint32 stream_seqnum;
  gchar *warning, *error;       /* the last ones */
  gchar *last_label, *last_address;     /* of the last message about a peer */
} CallEnd;

/* What came out of a pad recv_src_<number>. */
typedef struct
{
  GstPad *pad;                  /* the test's */
  GPtrArray *packets;           /* GstBuffer */
  guint losses;                 /* that were announced */
  guint flushes, eos;           /* events FLUSH_STOP and EOS */
  guint stream_starts, caps_events, segments;
  gboolean removed;             /* the source pad is gone */
  gchar *caps;
  gchar *stream_id;
} CallOutput;

/* A pipeline in PLAYING with a tfrcbin of these properties ("port=0" is the default). */
void call_end_start (CallEnd * end, const gchar * properties);
/* The same in NULL. */
void call_end_init (CallEnd * end, const gchar * properties);
void call_end_play (CallEnd * end);
/* Fails when an error was on the bus. */
void call_end_stop (CallEnd * end);

guint call_end_add_peer (CallEnd * end, const gchar * host, guint port,
    const gchar * label);
gboolean call_end_remove_peer (CallEnd * end, guint id);

/* Two ends of these properties on ports 6000 and 6002 that send to each other. */
void call_start_pair (CallEnd * a, CallEnd * b, const gchar * of_a,
    const gchar * of_b);
/* Stops both as call_end_stop() does. */
void call_stop_pair (CallEnd * a, CallEnd * b);

/* Requests the pad send_sink_<id> and gives it caps and segment. */
void call_end_feed (CallEnd * end, guint id);
GstPad *call_end_get_feeder (CallEnd * end, guint id);
void call_end_release (CallEnd * end, guint id);
/* A packet of voice into that pad. */
GstFlowReturn call_end_push (CallEnd * end, guint id);

/* Lets time pass, with a packet in each CALL_FRAME into all pads of the ends; NULL ends them. */
void call_run (GstClockTime duration, CallEnd * end, ...) G_GNUC_NULL_TERMINATED;

/* Fails unless these states were told, and forgets them. */
#define call_end_expect_states(end, text) G_STMT_START { \
    gchar *told_ = call_end_take_states (end); \
    fail_unless_equals_string (told_, text); \
    g_free (told_); \
  } G_STMT_END
gchar *call_end_take_states (CallEnd * end);

/* NULL: nothing came from this peer. */
CallOutput *call_end_get_output (CallEnd * end, guint id);
guint call_end_count_packets (CallEnd * end, guint id);

/* The statistics of a peer, NULL: there is none. */
GstStructure *call_end_get_peer_stats (CallEnd * end, guint id);
/* A field of them, or with `part` one of that part. */
gdouble call_end_get_peer_stat (CallEnd * end, guint id, const gchar * part,
    const gchar * name);
gchar *call_end_get_peer_text (CallEnd * end, guint id, const gchar * name);
/* A field of the property "stats". */
guint64 call_end_get_stat (CallEnd * end, const gchar * name);
guint call_end_count_peers (CallEnd * end);

/* What a plain phone sends from a port of its own, in packets that the test makes. */
#define PHONE_RTP (12 + CALL_PAYLOAD)
void phone_send (const gchar * host, guint from, guint to, guint32 ssrc,
    guint16 seq);
/* `n` of them, one in each CALL_FRAME. */
void phone_speak (const gchar * host, guint from, guint to, guint32 ssrc,
    guint16 seq, guint n);
/* A compound packet: receiver report and CNAME, and a BYE. */
void phone_send_rtcp (const gchar * host, guint from, guint to, guint32 ssrc,
    gboolean bye);

G_END_DECLS

#endif
