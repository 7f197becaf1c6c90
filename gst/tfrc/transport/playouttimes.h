/* gst-tfrc: the times at which the packets of one RTP stream are played
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The playout buffer (playoutbuffer.h, which says how times are made) has this object for its stream. It
 * turns RTP timestamps into send times, which are times of the local clock without any transit time, and
 * keeps the transit time that is added to them for playing: the offset. All times are in ns of the clock
 * of the arrivals. Plain state; one thread at a time uses it. */
#ifndef GST_TFRC_PLAYOUTTIMES_H
#define GST_TFRC_PLAYOUTTIMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* What is known of a packet that arrived. */
typedef struct
{
  guint16 seq;                  /* RTP sequence number */
  guint32 rtptime;              /* RTP timestamp */
  guint32 clock_rate;           /* of the RTP timestamp, Hz; above 0 */
  GstClockTime arrival;         /* ns */
  const guint32 *copies;        /* RTP timestamps of the redundant copies in the packet */
  guint n_copies;
} GstTfrcPlayoutPacket;

/* Whether the offset has jumped because the transit time of all packets changed for good. */
typedef enum
{
  GST_TFRC_PLAYOUT_STEADY,
  GST_TFRC_PLAYOUT_LATER,       /* packets take longer, by more than the latency */
  GST_TFRC_PLAYOUT_EARLIER      /* packets take that much less time: times go back */
} GstTfrcPlayoutShift;

/* Packets in a row that all came later, or all came earlier, than what is played. */
typedef struct
{
  GstClockTime since;           /* arrival of the first; NONE: the last packet was none */
  gint64 least;                 /* ns: their least transit time */
} GstTfrcPlayoutOutliers;

typedef struct
{
  gint64 rtptime;               /* extended RTP timestamp of the packet that came last */
  guint32 clock_rate;           /* Hz */
  gint64 origin_rtptime;        /* an extended RTP timestamp */
  GstClockTime origin;          /* its send time */
  gint64 offset;                /* the transit time that times are made with */
  gint64 least[2];              /* least transit time of the window before and of the present one */
  GstClockTime window_start, moved;
  gdouble late_share;           /* of the last packets, those that were later than the latency allows */
  gboolean first_window;
  GstTfrcPlayoutOutliers late, early;   /* by more than the latency */
  gint64 last_transit;
  gdouble jitter;               /* RFC 3550 A.8, ns */
} GstTfrcPlayoutTimes;

/* A stream begins with a packet: its arrival is its time. The jitter is kept. */
void gst_tfrc_playout_times_start (GstTfrcPlayoutTimes * times, guint32 rtptime,
    guint32 clock_rate, GstClockTime arrival);

/* RTP timestamps have this clock rate from the packet on that arrived now. Timestamps of another rate than
 * before go on from the time that those before have come to. */
void gst_tfrc_playout_times_set_clock_rate (GstTfrcPlayoutTimes * times, guint32 rtptime,
    guint32 clock_rate, GstClockTime arrival);

/* The send time of an RTP timestamp, which may lie before the beginning of the stream. */
gint64 gst_tfrc_playout_times_get_sent (const GstTfrcPlayoutTimes * times, guint32 rtptime);

/* The time at which a packet with this send time is played, without the latency. */
GstClockTime gst_tfrc_playout_times_get_pts (const GstTfrcPlayoutTimes * times, gint64 sent);

/* A packet arrived: follows its transit time. `latency`: how late it may be. */
GstTfrcPlayoutShift gst_tfrc_playout_times_on_packet (GstTfrcPlayoutTimes * times,
    guint32 rtptime, GstClockTime arrival, GstClockTime latency);

G_END_DECLS

#endif
