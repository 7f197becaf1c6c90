/* gst-tfrc tests: two RTP sessions joined by a path, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef SESSIONPAIR_H
#define SESSIONPAIR_H

#include "rtcp/unicastsession.h"

#define PAIR_CLOCK_RATE 8000
#define PAIR_PERIOD (20 * TFRC_MSEC)    /* of the media */
#define PAIR_PAYLOAD 160        /* bytes, and RTP timestamp units */

typedef struct _SessionPair SessionPair;

/* What happens to packet `n` of its kind from end `from`: its delay, TFRC_TIME_NONE: lost. */
typedef TfrcTime (*SessionPath) (SessionPair * pair, guint from, gboolean rtcp, guint n);

typedef struct
{
  GstTfrcUnicastSessionConfig config;
  GstTfrcUnicastSession session;
  gboolean present;             /* else nothing is sent or heard */
  TfrcTime offset;              /* this end's clock minus the pair's */

  gboolean talks;
  TfrcTime next_media, latency; /* latency: from capture to departure */
  guint16 seq;
  guint32 rtptime;

  TfrcTime report_interval, next_report;        /* 0: no reports of TFRC */
  gboolean report_waits;
  guint32 report_number;

  guint rtp_left, rtcp_left;    /* packets given to the path */
  guint accepted, refused, on_probation;        /* RTP packets that came */
  guint bits;                   /* all that were ever returned */
  guint events[32];             /* how often, by the number of the bit */
  TfrcTime answered;            /* pair's time of the last GST_TFRC_SESSION_ANSWERED */
  TfrcTime taken;               /* pair's time of the last GST_TFRC_SESSION_NEW_REMOTE */
  GstTfrcSessionInput input;    /* of the last RTCP packet */
  GstTfrcApp settings[2];       /* of the remote end as data sender, as data receiver */
  guint last_report;
  guint32 last_transit;         /* of the last report that came, 0: it named none */
  guint32 last_arrivals;        /* of that report, 0: it listed none */
  guint rtcp_octets;            /* sent, H included */
} SessionEnd;

struct _SessionPair
{
  SessionEnd ends[2];
  SessionPath path;
  TfrcTime now;
  GList *flights;
  gboolean cut;                 /* nothing passes */
};

/* A bit's place in `events`. */
#define EVENTS(end, bit) ((end).events[g_bit_nth_lsf ((bit), -1)])

/* Two ends that talk, with a path of 30 ms and no loss, if `path` is NULL. Change what is to be
 * another in the ends before session_pair_begin(). */
void session_pair_init (SessionPair * pair, SessionPath path);
void session_pair_begin (SessionPair * pair);
void session_pair_begin_end (SessionPair * pair, guint end);
void session_pair_run (SessionPair * pair, TfrcTime duration);
void session_pair_clear (SessionPair * pair);

/* An RTP packet's bytes, 12 + PAIR_PAYLOAD of them. */
GBytes *session_pair_new_rtp (guint32 ssrc, guint16 seq, guint32 rtptime);

#endif
