/* gst-tfrc tests: one filter in a harness, on a clock that the test moves, bound to
 * a real RTP session whose signals the test sets off
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FILTER_H
#define FILTER_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/rtp/rtp.h>
#include <tfrc/wire.h>

G_BEGIN_DECLS

#define OWN_SSRC 0x22222222u
#define PEER_SSRC 0x11111111u
#define OTHER_SSRC 0x33333333u
#define FRAME (20 * GST_MSECOND)
#define STAMP_ID 3

typedef struct
{
  GstHarness *h;
  GstElement *element;          /* the filter */
  GstElement *rtpsession;
  GObject *session;             /* its internal-session */
  GstTestClock *clock;
  GstBus *bus;
  guint16 seq;                  /* of the next packet to go in */
  guint32 ssrc;
} Filter;

/* As in a launch line; more elements may follow the filter. */
void filter_start (Filter * f, const gchar * line);
void filter_stop (Filter * f);

void filter_set_time (Filter * f, GstClockTime time);
void filter_advance (Filter * f, GstClockTime duration);

/* When the first of two waits on the clock ends; both must come about: the timer of
 * the protocol is always one of them. */
GstClockTime filter_next_wait (Filter * f);
/* Moves the clock there and ends that wait. */
GstClockTime filter_crank (Filter * f);
/* The same when there is one wait alone. */
GstClockTime filter_crank_alone (Filter * f);
/* Lets the element's threads run, and ends the waits that are due. For loops. */
void filter_settle (Filter * f);

/* A packet with `payload` bytes and the RTP timestamp seq * 960. */
GstBuffer *filter_new_packet (Filter * f, guint payload);
/* One that has the stamp in it. */
GstBuffer *filter_new_stamped (Filter * f, guint payload, guint32 rtt_us,
    guint32 t_i_us);
void filter_push (Filter * f, guint payload);
void filter_push_stamped (Filter * f, guint32 rtt_us, guint32 t_i_us);

/* What a packet says; fails when it is none, or has no stamp. */
guint16 packet_get_seq (GstBuffer * buffer);
guint32 packet_get_timestamp (GstBuffer * buffer);
TfrcStamp packet_get_stamp (GstBuffer * buffer, guint id);

/* Pulls the next packet, which must be there at once. */
GstBuffer *filter_take (Filter * f);
void filter_expect_nothing (Filter * f);
/* Takes one and returns its stamp. */
TfrcStamp filter_take_stamp (Filter * f);
/* Waits for one that the element's thread pushes. */
TfrcStamp filter_pull_stamp (Filter * f);

/* A report comes in by the session. */
void filter_report (Filter * f, guint32 t_i_us, guint32 t_delay_us,
    guint32 x_recv_Bps, gdouble p);
void filter_feedback (Filter * f, guint fmt, guint32 sender, guint32 media,
    const guint8 * fci, gsize size);
/* An RTCP packet goes out: with an RR in front when `compound`. The whole packet
 * as it leaves, to be freed. */
GBytes *filter_send_rtcp (Filter * f, gboolean compound, gboolean bye);
/* The TFRC report in such a packet; FALSE when there is none. */
gboolean rtcp_find_report (GBytes * rtcp, TfrcReport * report, guint32 * sender,
    guint32 * media);

/* So many packets, one each 20 ms, stamped with the round-trip time FILTER_R_US and with send
 * times from `t_i_us` on. Returns the send time of the last. */
#define FILTER_R_US 100000u
#define FILTER_FRAME_US 20000u
guint32 filter_receive_voice (Filter * f, guint n, guint32 t_i_us);
/* The report in the next RTCP packet, which rtptfrcreceive makes; FALSE when there is none. */
gboolean filter_take_report (Filter * f, TfrcReport * report);

guint64 filter_get_stat (Filter * f, const gchar * name);
gdouble filter_get_rate (Filter * f, const gchar * name);
/* The text of the first error on the bus; fails when there is none. */
gchar *filter_get_error (Filter * f, GstMessageType type);

/* The next application/x-tfrc-rate that went upstream, or NULL. */
GstStructure *filter_take_rate (Filter * f);
guint rate_get_uint (const GstStructure * s, const gchar * field);
gdouble rate_get_double (const GstStructure * s, const gchar * field);

G_END_DECLS

#endif
