/* gst-tfrc: the RTP session with one remote end
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RTP and RTCP of RFC 3550, RFC 4585 and RFC 5506 for one unicast peer, as a state machine
 * that knows neither sockets nor clocks:
 *
 *  1. One thread at a time per session; there are no locks inside.
 *  2. `now` is the last argument, in nanoseconds of any steady clock. A time before the latest
 *     one seen is taken as that one, and counted.
 *  3. A call that changes the session returns GstTfrcSessionBits that say what has happened.
 *     Nothing calls back.
 *  4. gst_tfrc_unicast_session_next_rtcp() is a pure question about a time; TFRC_TIME_NONE
 *     means never. It is to be asked anew after each call that changes the session.
 *  5. GstTfrcUnicastSession is a flat block of at most 1 kB that the caller owns; there is
 *     nothing to free. What is allocated is the GstBuffer of an RTCP packet that is to be sent
 *     and, within a call, that of the words of an APP packet with the settings of the remote end.
 *  6. The network may be hostile: what is malformed, or not the remote end's, is counted and
 *     dropped. Work for a packet grows with its size alone.
 *
 * Who may speak to the session is to be decided before it, by address and key. The session
 * itself keeps the SSRC that the remote end sends RTP with, the one that it sends RTCP with
 * where that is another (a receiver that also sends, under a second SSRC), and one candidate.
 * Contributing sources are not looked at.
 */
#ifndef GST_TFRC_UNICASTSESSION_H
#define GST_TFRC_UNICASTSESSION_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

#include "base/followedssrc.h"
#include "rtcp/rtcppackets.h"
#include "rtcp/reportschedule.h"
#include "rtcp/rtcptiming.h"
#include "rtcp/rtpreception.h"
#include "rtcp/senderclock.h"

G_BEGIN_DECLS

#define GST_TFRC_CNAME_SIZE 64  /* bytes with the final 0 */
#define GST_TFRC_REMOTE_CNAME_SIZE 128

/* GstTfrcUnicastSessionConfig:
 * @ssrc: of what this end sends; 0: drawn from @seed
 * @cname: this end's canonical name (RFC 7022), UTF-8
 * @clock_rate: of the RTP timestamps that this end sends, Hz; 0: not known yet
 * @remote_clock_rate: of those that arrive, Hz; 0: not known yet
 * @probation: RTP packets in sequence that make an SSRC valid, 1 to 255 (RFC 3550 A.1: 2). 1 is for
 *   a remote end that is known by other means; a path that reorders each packet knows no sequence
 * @bandwidth: bit/s for the RTCP of both ends, headers below RTCP included, above 0. For a
 *   report each R it is gst_tfrc_report_interval_get_rtcp_rate()
 * @trr_int: ns, RFC 4585 T_rr_interval: compound packets are so far apart on average,
 *   feedback is not held up; 0: off. 1 s
 * @H: bytes below RTCP that each packet costs
 * @fmt: RTPFB FMT of TFRC's reports
 * @settings: mode, measure and H that are announced to the remote end, and whether this end takes
 *   reduced-size RTCP; `is_receiver` is not read
 * @sends, @receives: whether this end sends data under TFRC, receives such data, or both
 * @ntp: the wall clock at the time of init, ns since 1900
 * @seed: of the SSRC and of the intervals; equal seeds give equal ones */
typedef struct
{
  guint32 ssrc;
  gchar cname[GST_TFRC_CNAME_SIZE];
  guint32 clock_rate, remote_clock_rate;
  guint probation;
  gdouble bandwidth;
  TfrcTime trr_int;
  guint H;
  guint fmt;
  GstTfrcApp settings;
  gboolean sends, receives;
  guint64 ntp;
  guint64 seed;
} GstTfrcUnicastSessionConfig;

/* GstTfrcSessionBits:
 * @GST_TFRC_SESSION_ACCEPTED: an RTP packet is the remote end's and in order to be used; an
 *   RTCP packet was the remote end's
 * @GST_TFRC_SESSION_PROBATION: an RTP packet of an SSRC that has not yet shown itself; it may
 *   be kept until that SSRC is accepted, or dropped
 * @GST_TFRC_SESSION_REFUSED: the packet is to be dropped
 * @GST_TFRC_SESSION_NEW_REMOTE: RTP comes with another SSRC than before, or the first
 * @GST_TFRC_SESSION_RESTARTED: the sequence of RTP packets began anew under the same SSRC
 * @GST_TFRC_SESSION_NEW_SSRC: this end's SSRC was in use by the remote end as well and is
 *   another one from now on (RFC 3550 8.2)
 * @GST_TFRC_SESSION_ANSWERED: RTCP came, for the first time or after a silence
 * @GST_TFRC_SESSION_BYE: the remote end has left with all of its SSRCs
 * @GST_TFRC_SESSION_REPORT: a report of TFRC came
 * @GST_TFRC_SESSION_BLOCK: a report block about what this end sends came
 * @GST_TFRC_SESSION_RTT: a round-trip time was measured
 * @GST_TFRC_SESSION_CLOCK: a sender report came
 * @GST_TFRC_SESSION_KEY_FRAME: the remote end asks for a key frame, by PLI or FIR
 * @GST_TFRC_SESSION_SENDER_SETTINGS: the remote end's settings as a data sender came
 * @GST_TFRC_SESSION_RECEIVER_SETTINGS: those as a data receiver
 * @GST_TFRC_SESSION_TIMER: gst_tfrc_unicast_session_next_rtcp() has changed */
typedef enum
{
  GST_TFRC_SESSION_ACCEPTED = 1 << 0,
  GST_TFRC_SESSION_PROBATION = 1 << 1,
  GST_TFRC_SESSION_REFUSED = 1 << 2,
  GST_TFRC_SESSION_NEW_REMOTE = 1 << 3,
  GST_TFRC_SESSION_RESTARTED = 1 << 4,
  GST_TFRC_SESSION_NEW_SSRC = 1 << 5,
  GST_TFRC_SESSION_ANSWERED = 1 << 6,
  GST_TFRC_SESSION_BYE = 1 << 7,
  GST_TFRC_SESSION_REPORT = 1 << 8,
  GST_TFRC_SESSION_BLOCK = 1 << 9,
  GST_TFRC_SESSION_RTT = 1 << 10,
  GST_TFRC_SESSION_CLOCK = 1 << 11,
  GST_TFRC_SESSION_KEY_FRAME = 1 << 12,
  GST_TFRC_SESSION_SENDER_SETTINGS = 1 << 13,
  GST_TFRC_SESSION_RECEIVER_SETTINGS = 1 << 14,
  GST_TFRC_SESSION_TIMER = 1 << 15
} GstTfrcSessionBits;

/* GstTfrcReportBlock: what the remote end says of this end's stream, RFC 3550 6.4.1.
 * @fraction: lost since its block before, 1/256
 * @lost: cumulative
 * @extended_max: highest sequence number that arrived, with its wraps above it
 * @jitter: RTP timestamp units
 * @arrival: of the block, ns */
typedef struct
{
  guint8 fraction;
  gint32 lost;
  guint32 extended_max, jitter;
  TfrcTime arrival;
} GstTfrcReportBlock;

/* GstTfrcSessionInput: what an RTCP packet contained. The bits that the same call returns say which
 * members are set.
 * @report: with GST_TFRC_SESSION_REPORT
 * @block: with GST_TFRC_SESSION_BLOCK
 * @rtt: ns, with GST_TFRC_SESSION_RTT; RTT without the remote end's delay
 * @sender_settings: with GST_TFRC_SESSION_SENDER_SETTINGS
 * @receiver_settings: with GST_TFRC_SESSION_RECEIVER_SETTINGS */
typedef struct
{
  TfrcReport report;
  GstTfrcReportBlock block;
  TfrcTime rtt;
  GstTfrcApp sender_settings, receiver_settings;
} GstTfrcSessionInput;

/* GstTfrcSessionCounts: what has happened since init.
 * @rtcp_sent, @rtcp_octets_sent: RTCP packets, and their bytes without what is below
 * @reduced_sent: the reduced-size ones among them
 * @reports_sent, @reports_received: reports of TFRC
 * @rtcp_received, @rtcp_octets_received: RTCP packets of the remote end
 * @malformed: RTP or RTCP packets with a form that is wrong, or values that cannot be
 * @ignored: well-formed RTCP packets of a kind or about a stream that is none of ours
 * @strangers: packets of SSRCs that are not the remote end's
 * @jumps: RTP packets refused because their sequence number jumped
 * @collisions: packets under this end's own SSRC
 * @key_frames_requested, @key_frames_asked: by this end, and of this end
 * @clock_decreases: times before the latest one seen */
typedef struct
{
  guint64 rtcp_sent, rtcp_octets_sent, reduced_sent, reports_sent;
  guint64 rtcp_received, rtcp_octets_received, reports_received;
  guint64 malformed, ignored, strangers, jumps, collisions;
  guint64 key_frames_requested, key_frames_asked;
  guint64 clock_decreases;
} GstTfrcSessionCounts;

/* GstTfrcUnicastSession: the session's state. Its fields are to be read by
 * gst_tfrc_unicast_session_get_stats() and the getters. */
typedef struct
{
  guint32 ssrc;
  gchar cname[GST_TFRC_CNAME_SIZE], remote_cname[GST_TFRC_REMOTE_CNAME_SIZE];
  guint32 clock_rate, remote_clock_rate;
  guint probation_length, fmt;
  GstTfrcApp settings;
  gboolean sends, receives;
  TfrcTime now;                 /* the latest seen */
  guint64 ntp_offset;           /* NTP time in ns minus `now`, modulo 2^64 */
  TfrcTime ntp_since;           /* since when the wall clock has had this offset */

  /* what this end sends */
  guint64 octets_sent, packets_sent;    /* under this SSRC */
  guint32 sent_rtptime;
  TfrcTime sent_time, sent_at;  /* media time and departure of the last packet */
  guint32 former_ssrc;          /* given up, its BYE is due */
  gboolean bye_due, left;
  TfrcTime collided;            /* when the SSRC was changed last, or TFRC_TIME_NONE */
  guint app_left;               /* compound packets that still carry the settings */
  gboolean key_frame_due;

  /* the remote end */
  gboolean has_data, has_reporter;
  GstTfrcRtpReception data;     /* what it sends */
  guint32 reporter;             /* SSRC of its RTCP, where that is another */
  TfrcTime reporter_heard;
  GstTfrcRtpProbation probation;
  GstTfrcSenderClock clock;
  GstTfrcReportBlock block;
  TfrcTime rtt;                 /* ns, the last one measured, or TFRC_TIME_NONE */
  gint fir_seq;                 /* of the last FIR, -1: none */

  GstTfrcRtcpTiming timing;
  GstTfrcReducedSize reduced;
  GstTfrcSessionCounts counts;
} GstTfrcUnicastSession;

/* GstTfrcUnicastSessionStats:
 * @ssrc, @remote_ssrc, @reporter_ssrc: this end's, the remote end's of RTP and of RTCP; 0: none
 * @packets_sent, @octets_sent: under @ssrc, payload bytes
 * @packets_received, @octets_received, @expected, @lost: of @remote_ssrc, as RFC 3550 A.3
 * @jitter: of what arrives, ns
 * @remote_fraction_lost: of what this end sends, 0 to 1, by the last report block
 * @remote_lost: cumulative, by the same
 * @remote_jitter: ns, by the same; 0 without a clock rate
 * @rtt: the last measured, ns; TFRC_TIME_NONE: none
 * @heard: when RTCP of the remote end came last, ns; TFRC_TIME_NONE: never
 * @rtcp_bandwidth: bit/s, as configured
 * @rtcp_interval: mean interval between this end's compound packets while it is answered, ns
 * @feedback_interval: mean interval between feedback packets at most, ns
 * @reduced: whether reports leave as reduced-size RTCP
 * @counts: see there */
typedef struct
{
  guint32 ssrc, remote_ssrc, reporter_ssrc;
  guint64 packets_sent, octets_sent;
  guint64 packets_received, octets_received;
  guint32 expected;
  gint32 lost;
  TfrcTime jitter;
  gdouble remote_fraction_lost;
  gint32 remote_lost;
  TfrcTime remote_jitter, rtt, heard;
  gdouble rtcp_bandwidth;
  TfrcTime rtcp_interval, feedback_interval;
  gboolean reduced;
  GstTfrcSessionCounts counts;
} GstTfrcUnicastSessionStats;

/* Defaults for what need not be known: probation 2, T_rr_interval 1 s, H 40
 * bytes, RFC 5506 taken, 5 % of 64 kbit/s for RTCP. */
void gst_tfrc_unicast_session_config_init (GstTfrcUnicastSessionConfig * config);

/* NULL when the configuration can be used, else a sentence that names the setting. */
const gchar *gst_tfrc_unicast_session_config_check (const GstTfrcUnicastSessionConfig * config);

/* @config has passed the check. A compound packet is due at once. */
void gst_tfrc_unicast_session_init (GstTfrcUnicastSession * session,
    const GstTfrcUnicastSessionConfig * config, TfrcTime now);

/* The wall clock is @ntp ns since 1900. A call is needed only when the wall clock was set; sender
 * reports of before give no round-trip time any more. */
void gst_tfrc_unicast_session_set_ntp (GstTfrcUnicastSession * session, guint64 ntp, TfrcTime now);

/* The clock rates of the RTP timestamps that this end sends and that arrive, Hz. */
void gst_tfrc_unicast_session_set_clock_rates (GstTfrcUnicastSession * session, guint32 own,
    guint32 remote);

/* This end sends with another SSRC, which it has not used before, from now on: after
 * GST_TFRC_SESSION_NEW_SSRC, where the one that was drawn will not do. */
void gst_tfrc_unicast_session_set_ssrc (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* RTCP of both ends may take @bandwidth bit/s from now on. */
GstTfrcSessionBits gst_tfrc_unicast_session_set_bandwidth (GstTfrcUnicastSession * session,
    gdouble bandwidth, TfrcTime now);

/* gst_tfrc_unicast_session_on_sent:
 * @packet: an RTP packet that has just left, under the session's SSRC
 * @time: when the medium at its RTP timestamp was captured, ns of the same clock as @now;
 *   @now where that is not known. Sender reports carry this relation to the remote end. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_sent (GstTfrcUnicastSession * session,
    const GstTfrcRtpFields * packet, TfrcTime time, TfrcTime now);

/* gst_tfrc_unicast_session_on_rtp:
 * @data: an RTP packet of @size bytes that has arrived
 * @packet: (out): its fields, whenever the packet is not malformed
 *
 * Returns: one of ACCEPTED, PROBATION and REFUSED, and what else has happened. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_rtp (GstTfrcUnicastSession * session,
    const guint8 * data, gsize size, GstTfrcRtpFields * packet, TfrcTime now);

/* gst_tfrc_unicast_session_on_rtcp:
 * @buffer: an RTCP packet that has arrived, compound or reduced-size
 * @input: (out): what it brought
 *
 * Returns: ACCEPTED or REFUSED, and what @input has. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_rtcp (GstTfrcUnicastSession * session,
    GstBuffer * buffer, GstTfrcSessionInput * input, TfrcTime now);

/* A key frame of the remote end is needed: a PLI leaves with the next RTCP packet that feedback
 * may leave in. Asked while one is due, it is one. Without a remote stream nothing is done. */
GstTfrcSessionBits gst_tfrc_unicast_session_request_key_frame (GstTfrcUnicastSession * session,
    TfrcTime now);

/* The data show that a report has come through (RFC 5506 4.2.1). */
void gst_tfrc_unicast_session_confirm_report (GstTfrcUnicastSession * session);

/* When gst_tfrc_unicast_session_make_rtcp() is to be called next, where @report_waits says
 * whether the TFRC receiver wants a report to leave. A time that has passed means at once. */
TfrcTime gst_tfrc_unicast_session_next_rtcp (const GstTfrcUnicastSession * session,
    gboolean report_waits);

/* gst_tfrc_unicast_session_make_rtcp:
 * @report: a report of this moment about the remote end's data, or NULL
 *
 * The packet that is due: compound when one is, or when the remote end does not take
 * reduced-size RTCP, else the feedback alone. A report waits only when
 * gst_tfrc_unicast_session_next_rtcp() says so; it is not to be made before.
 *
 * Returns: (transfer full) (nullable): a packet that leaves now; NULL when none is due. */
GstBuffer *gst_tfrc_unicast_session_make_rtcp (GstTfrcUnicastSession * session,
    const TfrcReport * report, TfrcTime now);

/* This end leaves: the last compound packet, with a BYE, at once (RFC 3550 6.3.7). Afterwards
 * nothing is due any more, and what arrives is refused.
 *
 * Returns: (transfer full) (nullable): the packet; NULL when this end never sent anything,
 * for then RFC 3550 6.3.7 forbids it. */
GstBuffer *gst_tfrc_unicast_session_make_bye (GstTfrcUnicastSession * session, TfrcTime now);

/* The moment of an RTP timestamp of the remote end by the remote end's clock, ns since 1900;
 * see gst_tfrc_sender_clock_get_time(). */
gboolean gst_tfrc_unicast_session_get_sender_time (const GstTfrcUnicastSession * session,
    guint32 rtptime, guint64 * time);

/* Whether RTCP of the remote end has been heard of late; FALSE is a silence. */
gboolean gst_tfrc_unicast_session_is_answered (const GstTfrcUnicastSession * session,
    TfrcTime now);

/* T_d of RFC 3550 6.3.1 with T_min of 5 s, ns: what timeouts count by (RFC 3550 6.3.5 and
 * RFC 8083 4.1). */
TfrcTime gst_tfrc_unicast_session_get_T_d (const GstTfrcUnicastSession * session);

void gst_tfrc_unicast_session_get_stats (const GstTfrcUnicastSession * session,
    GstTfrcUnicastSessionStats * stats);

G_END_DECLS

#endif
