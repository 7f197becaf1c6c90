/* gst-tfrc tests: pipelines with a tfrcbin, and who else speaks to it, over real sockets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef BINEND_H
#define BINEND_H

#include <gio/gio.h>
#include <gst/check/gstcheck.h>

G_BEGIN_DECLS

#define CODEC "application/x-rtp,media=audio,encoding-name=OPUS," \
    "clock-rate=48000,payload=96"
#define SOURCE "audiotestsrc is-live=true samplesperbuffer=960 freq=%u ! " \
    "audio/x-raw,rate=48000,channels=1 ! tfrcencodebin ! "
#define SINK "tfrcdecodebin ! audioconvert ! audio/x-raw,format=S16LE ! " \
    "fakesink name=played signal-handoffs=true sync=true"
/* Nothing takes longer, however busy the machine is. */
#define PATIENCE (20 * GST_SECOND)

typedef struct
{
  GstElement *pipeline, *call;
  gint played;                  /* buffers that are not silent, atomic */
} BinEnd;

/* Starts the launch line, in which a tfrcbin may be named call and a sink, whose sound is counted, played. */
void bin_end_start (BinEnd * end, const gchar * format, ...) G_GNUC_PRINTF (2,
    3);
/* Fails when an error was on the bus. */
void bin_end_stop (BinEnd * end);

/* Waits until `n` more buffers that are not silent have been played; fails after PATIENCE. */
void bin_end_wait_played (BinEnd * end, gint n);

#define ANY_PEER G_MAXUINT

/* Waits for the message that peer `id` is in `state`; fails after PATIENCE. */
void bin_end_wait_state (BinEnd * end, guint id, const gchar * state);

guint bin_end_get_port (BinEnd * end);
/* A counter of the port; fails when there is none of that name. */
guint64 bin_end_get_port_stat (BinEnd * end, const gchar * name);
/* NULL: there is no such peer. */
GstStructure *bin_end_get_peer_stats (BinEnd * end, guint id);

/* Adds a peer at that port of this machine; `options` as gst_structure_from_string() reads them. Returns its number,
 * or 0 when it cannot be added. */
guint bin_end_add_peer_with (BinEnd * end, guint port, const gchar * options);
/* The same with a label alone; fails when it cannot be added. */
guint bin_end_add_peer (BinEnd * end, guint port);

typedef struct
{
  gint asked, refused, linked, buffers, ended, flushed;
  guint port_refused;
} BinServer;

/* Starts a tfrcbin with these properties that counts the callers, and refuses one from `port_refused`; each stream
 * that comes goes into a sink that counts its buffers. */
void bin_server_start (BinEnd * end, BinServer * server, const gchar * args);
/* Counts a buffer of a fakesink. */
void bin_server_on_buffer (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    BinServer * server);

/* Waits until the count is `value`; fails after PATIENCE. */
void wait_count (gint * count, gint value);

/* A plain RTP sender from any port, as a phone behind a NAT is. The second function sends packet number `n`. */
GSocket *phone_open (guint port);
void phone_send (GSocket * phone, guint port, guint n);

G_END_DECLS

#endif
