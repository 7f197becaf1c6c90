/* gst-tfrc tests: an RTP session with one remote end, whose packets are written word by word
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef UNICASTBYTES_H
#define UNICASTBYTES_H

#include <gst/check/gstcheck.h>

#include "rtcp/unicastsession.h"

G_BEGIN_DECLS

#define OWN 0x0A0A0A0A
#define REMOTE 0x0B0B0B0B
#define START (100 * TFRC_SEC)

#define APP_NAME 0x54465243     /* "TFRC" */

/* The session that is tested, and what it made of the last packet. */
extern GstTfrcUnicastSession session;
extern GstTfrcSessionInput input;

/* Begins the session anew, at START. */
void unicast_begin (void);

/* RTCP arrives. Returns what the session returned. */
guint unicast_read (const guint8 * data, gsize size, TfrcTime now);

/* An RTP packet of the remote end arrives. */
guint unicast_arrive (guint16 seq, TfrcTime now);

#define UNICAST_WORDS 16

/* The session makes the compound packet that is due at `now`. Fills in the words of the last packet of that type in it,
 * and returns how many they are; 0: there is none. */
guint unicast_take_packet (guint type, guint32 words[UNICAST_WORDS], TfrcTime now);

/* A packet of RTCP that is being written. */
typedef struct
{
  guint8 data[512];
  gsize size;
} Bytes;

void bytes_put (Bytes * bytes, guint32 word);
/* A compound packet of the remote end: an SR with a block about this end, whose LSR and DLSR are given, and an SDES. */
Bytes bytes_make_remote (guint32 lsr, guint32 dlsr);

/* Words behind an RR of the remote end arrive at START. */
guint unicast_read_behind_rr (const guint32 * words, guint n);

#define READ(...) unicast_read_behind_rr ((const guint32[]) { __VA_ARGS__ }, \
    G_N_ELEMENTS (((const guint32[]) { __VA_ARGS__ })))

G_END_DECLS

#endif
