/* gst-tfrc: an RTP session with one remote end, without sockets and clocks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RTP and RTCP of RFC 3550, RFC 4585 and RFC 5506 between this end and one remote end, as a state
 * machine. The caller moves the packets and passes the time. The contract:
 *
 *  1. One thread at a time per session; there are no locks inside.
 *  2. `now` is the last argument, in nanoseconds of any steady clock. When it is less than in an
 *     earlier call, the latest time seen is used in its place, and the step is counted.
 *  3. A call that changes the session returns GstTfrcSessionBits that say what has happened.
 *     Nothing calls back.
 *  4. gst_tfrc_unicast_session_next_rtcp() changes nothing and answers when RTCP is due;
 *     TFRC_TIME_NONE means never. The caller asks again after each call that changes the session.
 *  5. GstTfrcUnicastSession is a flat block of at most 1 kB that the caller owns; there is
 *     nothing to free. RTCP that is to be sent is written into one GstBuffer of the thread, which is
 *     allocated anew where the caller keeps a packet. For the time of a call the session allocates a
 *     GstBuffer for an APP packet with the settings of the remote end.
 *  6. The network may be hostile: packets that are malformed, or are not from the remote end, are
 *     counted and dropped. The work for a packet grows with its size alone.
 *
 * The caller decides by address and key which packets reach the session. The session keeps three
 * SSRCs of the remote end: that of its RTP, that of its RTCP where that is another (a data receiver
 * may send data under a second SSRC), and one candidate. Contributing sources are not looked at.
 */
#ifndef GST_TFRC_UNICASTSESSION_H
#define GST_TFRC_UNICASTSESSION_H

#include <gst/gst.h>
#include <tfrc/ecn.h>
#include <tfrc/tfrc.h>

#include "base/followedssrc.h"
#include "rtcp/rtcppackets.h"
#include "rtcp/reportinterval.h"
#include "rtcp/rtcptiming.h"
#include "rtcp/rtpreception.h"
#include "rtcp/senderclock.h"

G_BEGIN_DECLS

#define GST_TFRC_CNAME_SIZE 64  /* bytes with the final 0 */
#define GST_TFRC_REMOTE_CNAME_SIZE 128
#define GST_TFRC_UNICAST_SESSION_SDES_MAX 1024  /* bytes of further items */

/* GstTfrcUnicastSessionConfig:
 * @ssrc: of what this end sends; 0: drawn from @seed
 * @cname: this end's canonical name (RFC 7022), UTF-8
 * @clock_rate: of the RTP timestamps that this end sends, Hz; 0: not known yet
 * @remote_clock_rate: of those that arrive, Hz; 0: not known yet
 * @probation: RTP packets in sequence that make an SSRC valid, 1 to 255 (RFC 3550 A.1: 2). 1 is for
 *   a remote end that is known by other means, because a path that reorders every packet has none
 *   in sequence
 * @bandwidth: bit/s for the RTCP of both ends, headers below RTCP included, above 0.
 *   gst_tfrc_report_interval_get_rtcp_rate() computes it for one report in each R
 * @trr_int: ns, T_rr_interval of RFC 4585 3.4: compound packets are so far apart on average, and
 *   feedback does not wait for it; 0: off. 1 s, until gst_tfrc_unicast_session_set_timing()
 * @H: bytes below RTCP in each packet
 * @fmt: FMT of the RTPFB packets that are TFRC reports
 * @settings: what is announced to the remote end: mode (of both directions, until
 *   gst_tfrc_unicast_session_set_modes()), measure, H, whether this end takes reduced-size RTCP, and whether ECN is in
 *   use in both directions, which gst_tfrc_unicast_session_set_ecn() can end for what this end sends; `is_receiver` is
 *   not read
 * @sends, @receives: whether this end sends data under TFRC, and whether it receives such data
 * @waits: whether this end sends RTCP only while it knows the remote end or has sent data; otherwise
 *   RTCP is due at once
 * @sdes: further items of SDES as RFC 3550 6.5 has them (type, length, text), or NULL. They outlive
 *   the session. @sdes_size: bytes, at most GST_TFRC_UNICAST_SESSION_SDES_MAX
 * @ntp: the wall clock at the time of init, ns since 1900
 * @seed: draws the SSRC and the intervals; equal seeds draw equal ones */
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
  gboolean sends, receives, waits;
  const guint8 *sdes;
  guint sdes_size;
  guint64 ntp;
  guint64 seed;
} GstTfrcUnicastSessionConfig;

/* GstTfrcSessionBits:
 * @GST_TFRC_SESSION_ACCEPTED: the packet is from the remote end, and may be used
 * @GST_TFRC_SESSION_PROBATION: the RTP packet has an SSRC that is not valid yet. The caller may
 *   keep the packet until that SSRC is accepted, or drop it
 * @GST_TFRC_SESSION_REFUSED: the packet is to be dropped
 * @GST_TFRC_SESSION_NEW_REMOTE: the RTP packet is the first, or the first with another SSRC
 * @GST_TFRC_SESSION_RESTARTED: the sequence of RTP packets began again under the same SSRC
 * @GST_TFRC_SESSION_NEW_SSRC: the remote end uses the SSRC of this end, which therefore has another
 *   SSRC from now on (RFC 3550 8.2)
 * @GST_TFRC_SESSION_ANSWERED: RTCP arrived, for the first time or after a silence
 * @GST_TFRC_SESSION_BYE: the remote end has left with all of its SSRCs
 * @GST_TFRC_SESSION_REPORT: a TFRC report arrived; with REFUSED, of an SSRC that is not one of the remote end, which
 *   gst_tfrc_unicast_session_on_proven() makes one of them when the report is accepted
 * @GST_TFRC_SESSION_BLOCK: a report block about the data of this end arrived
 * @GST_TFRC_SESSION_RTT: a round-trip time was measured
 * @GST_TFRC_SESSION_CLOCK: a sender report arrived
 * @GST_TFRC_SESSION_KEY_FRAME: the remote end requests a key frame, by PLI or FIR
 * @GST_TFRC_SESSION_SENDER_SETTINGS: the settings of the remote end as a data sender arrived
 * @GST_TFRC_SESSION_RECEIVER_SETTINGS: the settings of the remote end as a data receiver arrived
 * @GST_TFRC_SESSION_ECN: counts of ECN marks about the data of this end arrived
 * @GST_TFRC_SESSION_NEW_END: RTP or RTCP comes with an SSRC that neither came with before
 * @GST_TFRC_SESSION_TIMER: gst_tfrc_unicast_session_next_rtcp() may have another answer now */
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
  GST_TFRC_SESSION_TIMER = 1 << 15,
  GST_TFRC_SESSION_NEW_END = 1 << 16,
  GST_TFRC_SESSION_ECN = 1 << 17
} GstTfrcSessionBits;

/* GstTfrcReportBlock: a report block of the remote end about the data of this end, RFC 3550 6.4.1.
 * @fraction: share of packets lost since the last block, in units of 1/256
 * @lost: packets lost in all
 * @extended_max: highest sequence number that arrived there, with the wraps in the upper 16 bits
 * @jitter: interarrival jitter, RTP timestamp units
 * @arrival: when the block arrived here, ns */
typedef struct
{
  guint8 fraction;
  gint32 lost;
  guint32 extended_max, jitter;
  TfrcTime arrival;
} GstTfrcReportBlock;

/* GstTfrcSessionInput: what an RTCP packet contained. The bits that the same call returns say which
 * members are set.
 * @report, @report_ssrc: with GST_TFRC_SESSION_REPORT; the SSRC of who sent the report
 * @block: with GST_TFRC_SESSION_BLOCK
 * @ecn: with GST_TFRC_SESSION_ECN
 * @rtt: ns, with GST_TFRC_SESSION_RTT; the delay in the remote end is not part of it
 * @sender_settings: with GST_TFRC_SESSION_SENDER_SETTINGS
 * @sender_is_known: with GST_TFRC_SESSION_SENDER_SETTINGS; the data sender has proven that it sent @sender_settings
 * @receiver_settings: with GST_TFRC_SESSION_RECEIVER_SETTINGS */
typedef struct
{
  TfrcReport report;
  guint32 report_ssrc;
  GstTfrcReportBlock block;
  TfrcEcnCounts ecn;
  TfrcTime rtt;
  GstTfrcApp sender_settings, receiver_settings;
  gboolean sender_is_known;
} GstTfrcSessionInput;

/* GstTfrcSessionCounts: counters since init.
 * @rtcp_sent, @rtcp_octets_sent: RTCP packets sent, and their bytes without H
 * @reduced_sent: reduced-size RTCP packets sent
 * @reports_sent, @reports_received: TFRC reports; those of the remote end alone
 * @rtcp_received, @rtcp_octets_received: RTCP packets of the remote end, and their bytes without H
 * @malformed: RTP or RTCP packets with a wrong form, or with values that cannot be
 * @ignored: well-formed RTCP packets of an unknown kind, or about another stream
 * @strangers: packets with an SSRC that is not one of the remote end
 * @wrong_sender_reports: TFRC reports among @strangers
 * @wrong_media_reports: TFRC reports of the remote end about other data than those of this end
 * @malformed_reports, @malformed_settings: TFRC reports and APP packets with settings among
 *   @malformed
 * @unknown_settings: APP packets of a data sender that did not prove who had sent them
 * @jumps: RTP packets refused because their sequence number jumped
 * @collisions: packets that arrived with the SSRC of this end
 * @key_frames_requested: key frames that this end requested
 * @key_frames_asked: key frames that the remote end requested of this end
 * @clock_decreases: times that `now` was less than before */
typedef struct
{
  guint64 rtcp_sent, rtcp_octets_sent, reduced_sent, reports_sent;
  guint64 rtcp_received, rtcp_octets_received, reports_received;
  guint64 malformed, ignored, strangers, jumps, collisions;
  guint64 wrong_sender_reports, wrong_media_reports;
  guint64 malformed_reports, malformed_settings, unknown_settings;
  guint64 key_frames_requested, key_frames_asked;
  guint64 clock_decreases;
} GstTfrcSessionCounts;

/* Whether the data of the remote end are ECN-capable, by its APP packet. */
typedef enum
{
  GST_TFRC_REMOTE_ECN_UNKNOWN,
  GST_TFRC_REMOTE_ECN_NEVER,
  GST_TFRC_REMOTE_ECN_MAYBE
} GstTfrcRemoteEcn;

/* GstTfrcUnicastSession: the state of the session. Callers read it by
 * gst_tfrc_unicast_session_get_stats() and the other getters. */
typedef struct
{
  guint32 ssrc;
  gchar cname[GST_TFRC_CNAME_SIZE], remote_cname[GST_TFRC_REMOTE_CNAME_SIZE];
  guint32 clock_rate, remote_clock_rate;
  guint probation_length, fmt;
  GstTfrcApp settings;
  TfrcMode send_mode, receive_mode;     /* of the data of this end, and of those of the remote end */
  gboolean sends, receives, waits;
  gboolean has_t_i;             /* as in the APP packet */
  guint32 t_i_us;
  gboolean sends_ecn;           /* the data of this end may be ECN-capable */
  const guint8 *sdes;           /* further items, or NULL */
  guint sdes_size;
  TfrcTime now;                 /* the latest seen */
  guint64 ntp_offset;           /* NTP time in ns minus `now`, modulo 2^64 */
  TfrcTime ntp_since;           /* since when the wall clock has had this offset */

  /* what this end sends */
  guint64 octets_sent, packets_sent;    /* under this SSRC */
  guint32 former_ssrc;          /* SSRC that was given up; its BYE is due while bye_due is set */
  guint32 sent_rtptime;
  TfrcTime sent_time, sent_at;  /* media time and departure of the last packet */
  gboolean bye_due, left;
  TfrcTime collided;            /* when the SSRC was changed last, or TFRC_TIME_NONE */
  guint app_left;               /* compound packets that still carry the settings */
  gboolean key_frame_due;

  /* the remote end */
  gboolean has_data, has_reporter;
  GstTfrcRtpReception data;     /* the data that it sends; with has_data */
  TfrcEcnCounter ecn;           /* the marks of these data */
  GstTfrcRemoteEcn remote_ecn;  /* what the remote end says of these data */
  guint remote_takes_timed:1;   /* reports with a transit time */
  guint remote_takes_arrivals:1;        /* reports that list arrivals */
  const GstTfrcStampMemory *stamps;     /* of its data, which prove an APP packet; NULL: none is needed */
  guint32 reporter;             /* SSRC of its RTCP where that is another; with has_reporter */
  guint32 trusted;              /* SSRC of the last TFRC report that was accepted */
  TfrcTime reporter_heard;
  TfrcTime proven_until;        /* a TFRC report of the remote end was accepted not long before */
  TfrcTime trusted_until;       /* one of `trusted` was, and no BYE has come */
  TfrcTime unreported;          /* departure of the first data since that report, or TFRC_TIME_NONE */
  GstTfrcRtpProbation probation;
  guint answers_left;           /* reference times of the remote end that are still answered at once */
  GstTfrcSenderClock clock;
  GstTfrcReportBlock block;
  TfrcTime rtt;                 /* ns, the last one measured, or TFRC_TIME_NONE */
  guint32 reference_ssrc;       /* who has sent a reference time that is not answered yet; 0: nobody */
  guint32 reference;            /* the middle 32 bits of that NTP time */
  guint32 reference_arrival;    /* NTP time of this end, the middle 32 bits */
  gint fir_seq;                 /* of the last FIR, -1: none */

  GstTfrcRtcpTiming timing;
  GstTfrcReducedSize reduced;
  GstTfrcSessionCounts counts;
} GstTfrcUnicastSession;

/* GstTfrcUnicastSessionStats:
 * @ssrc: SSRC of this end
 * @remote_ssrc, @reporter_ssrc: SSRC of the remote end in RTP, and in RTCP where that is another;
 *   0: none
 * @packets_sent, @octets_sent: packets and payload bytes sent with @ssrc
 * @packets_received, @octets_received, @expected, @lost: about the data of @remote_ssrc, as in
 *   RFC 3550 A.3
 * @jitter: interarrival jitter of that data, ns
 * @remote_fraction_lost: share of the packets of this end that were lost, 0 to 1, by the last
 *   report block
 * @remote_lost: packets of this end that were lost in all, by the last report block
 * @remote_jitter: interarrival jitter at the remote end, ns, by the last report block; 0 without a
 *   clock rate
 * @rtt: the last round-trip time measured, ns; TFRC_TIME_NONE: none yet
 * @heard: when the last RTCP of the remote end arrived, ns; TFRC_TIME_NONE: none yet
 * @rtcp_bandwidth: bit/s, as configured
 * @rtcp_interval: mean time between compound packets of this end while the remote end answers, ns
 * @feedback_interval: mean time between feedback packets at most, ns
 * @reduced: whether reports are sent in reduced-size RTCP
 * @counts: counters since init */
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

/* Sets the defaults: probation 2, T_rr_interval 1 s, H 40 bytes, reduced-size RTCP accepted, 5 % of
 * 64 kbit/s for RTCP. */
void gst_tfrc_unicast_session_config_init (GstTfrcUnicastSessionConfig * config);

/* Returns NULL when the configuration can be used; otherwise a sentence that names the setting. */
const gchar *gst_tfrc_unicast_session_config_check (const GstTfrcUnicastSessionConfig * config);

/* @config has passed the check. A compound packet is due at once. */
void gst_tfrc_unicast_session_init (GstTfrcUnicastSession * session,
    const GstTfrcUnicastSessionConfig * config, TfrcTime now);

/* The wall clock is @ntp ns since 1900. Only needed when somebody has set the wall clock: earlier
 * sender reports of this end then give no round-trip time any more. */
void gst_tfrc_unicast_session_set_ntp (GstTfrcUnicastSession * session, guint64 ntp, TfrcTime now);

/* The clock rates in Hz of the RTP timestamps that this end sends (@own) and that arrive
 * (@remote). */
void gst_tfrc_unicast_session_set_clock_rates (GstTfrcUnicastSession * session, guint32 own,
    guint32 remote);

/* This end sends with another SSRC, which it has not used before, from now on: after
 * GST_TFRC_SESSION_NEW_SSRC, where the one that was drawn will not do. */
void gst_tfrc_unicast_session_set_ssrc (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* This end says BYE with its SSRC, and sends with another one, which it has not used before. */
void gst_tfrc_unicast_session_change_ssrc (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* After gst_tfrc_unicast_session_make_bye(): this end takes part again, with an SSRC that it has not
 * used before. */
void gst_tfrc_unicast_session_rejoin (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* The caller has chosen another remote end: whatever arrives next is of that one. */
void gst_tfrc_unicast_session_forget_remote (GstTfrcUnicastSession * session);

/* RTCP of both ends may take @bandwidth bit/s from now on, and compound packets are @trr_int apart on average. */
GstTfrcSessionBits gst_tfrc_unicast_session_set_timing (GstTfrcUnicastSession * session,
    gdouble bandwidth, TfrcTime trr_int, TfrcTime now);

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
 * @data: an RTCP packet of @size bytes that has arrived, compound or reduced-size
 * @input: (out): what it brought
 *
 * Returns: ACCEPTED or REFUSED, and what @input has. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_rtcp (GstTfrcUnicastSession * session,
    const guint8 * data, gsize size, GstTfrcSessionInput * input, TfrcTime now);

/* Requests a key frame of the remote end, by a PLI in the next RTCP packet that may carry feedback.
 * Requests that are made before that packet is sent count as one. Does nothing while the remote end
 * sends no data. */
GstTfrcSessionBits gst_tfrc_unicast_session_request_key_frame (GstTfrcUnicastSession * session,
    TfrcTime now);

/* A packet has departed whose stamp has this send time. */
void gst_tfrc_unicast_session_on_stamp (GstTfrcUnicastSession * session, guint32 t_i_us);

/* The send times in the stamps of the data that arrived are @stamps, which the caller owns. Settings of the remote data
 * sender that name none of them are dropped once there is one, since anybody can have sent the packet. NULL: the RTCP
 * that arrives is authentic. */
void gst_tfrc_unicast_session_set_stamps (GstTfrcUnicastSession * session,
    const GstTfrcStampMemory * stamps);

/* The data sender has accepted a TFRC report of @ssrc, which shows by its send time that it gets the data. @ssrc is of the
 * remote end from now on, and another SSRC does not become so by an SR or RR for two seconds. For a minute the first
 * packet of data with @ssrc takes the place of any others, which nobody off the path can send. */
GstTfrcSessionBits gst_tfrc_unicast_session_on_proven (GstTfrcUnicastSession * session,
    guint32 ssrc);

/* Whether a report of @ssrc was accepted in the last minute, and no BYE has come since. */
gboolean gst_tfrc_unicast_session_trusts (const GstTfrcUnicastSession * session, guint32 ssrc);

/* Whether TFRC reports of the remote end have ceased: some were accepted, and none for data that departed two seconds ago
 * and before. TRUE comes once for each time that they cease, because a packet that anybody can send has the caller ask. */
gboolean gst_tfrc_unicast_session_misses_reports (GstTfrcUnicastSession * session);

/* The data of this end are sent in @send, and the losses of those of the remote end measured in @receive; the remote end
 * is told when that changes. */
GstTfrcSessionBits gst_tfrc_unicast_session_set_modes (GstTfrcUnicastSession * session,
    TfrcMode send, TfrcMode receive, TfrcTime now);

/* This end, a data receiver, holds a packet that came by the shortest way for so many ms before it plays the packet; 0: it
 * does not say. The remote end is told when that changes. */
void gst_tfrc_unicast_session_set_playout (GstTfrcUnicastSession * session,
    guint playout_ms);

/* Whether the data that this end sends have redundant copies, so that it wants reports that list arrivals. */
void gst_tfrc_unicast_session_set_redundant (GstTfrcUnicastSession * session,
    gboolean redundant);

/* Whether the data of this end may be ECN-capable; the remote end is told when that changes. */
GstTfrcSessionBits gst_tfrc_unicast_session_set_ecn (GstTfrcUnicastSession * session,
    gboolean on, TfrcTime now);

/* An RTP packet of the remote end that was accepted had this mark. @duplicate: the packet had arrived
 * before. */
void gst_tfrc_unicast_session_on_mark (GstTfrcUnicastSession * session, guint16 seq,
    TfrcEcn mark, gboolean duplicate);

/* Whether the mark CE means congestion: the data of the remote end may be ECN-capable, and some have
 * arrived with ECT. A path that sets CE on whatever passes shows no ECT. */
gboolean gst_tfrc_unicast_session_takes_ce (const GstTfrcUnicastSession * session);

/* R in the stamps of the data, in us, has changed: a report has reached the remote end (RFC 5506 4.2.1). */
void gst_tfrc_unicast_session_confirm_report (GstTfrcUnicastSession * session, guint32 R);

/* When gst_tfrc_unicast_session_make_rtcp() has to be called next; a time in the past means at
 * once. @report_waits: whether the engine wants a report to be sent. */
TfrcTime gst_tfrc_unicast_session_next_rtcp (const GstTfrcUnicastSession * session,
    gboolean report_waits);

/* gst_tfrc_unicast_session_make_rtcp:
 * @report: a report of this moment about the data of the remote end, or NULL. With lists_arrivals, it lists arrivals if the remote
 *     end takes that and a packet has been lost
 *
 * Makes the RTCP packet that is due. The packet is compound when a compound packet is due, or when
 * the remote end does not accept reduced-size RTCP; otherwise it is the feedback alone. The caller
 * makes @report only when gst_tfrc_unicast_session_next_rtcp() has come.
 *
 * Returns: (transfer full) (nullable): a packet to send at once; NULL when none is due. */
GstBuffer *gst_tfrc_unicast_session_make_rtcp (GstTfrcUnicastSession * session,
    const TfrcReport * report, TfrcTime now);

/* Leaves the session by a compound packet with a BYE (RFC 3550 6.3.7). Afterwards no RTCP is due,
 * and all packets that arrive are refused.
 *
 * Returns: (transfer full) (nullable): the packet, to send at once; NULL when this end has never
 * sent anything, since RFC 3550 6.3.7 forbids a BYE then. */
GstBuffer *gst_tfrc_unicast_session_make_bye (GstTfrcUnicastSession * session, TfrcTime now);

/* Sets @time to the moment of the RTP timestamp @rtptime by the wall clock of the remote end, ns
 * since 1900, as gst_tfrc_sender_clock_get_time() does. */
gboolean gst_tfrc_unicast_session_get_sender_time (const GstTfrcUnicastSession * session,
    guint32 rtptime, guint64 * time);

/* Returns FALSE when the remote end is silent: see gst_tfrc_rtcp_timing_get_silence(). */
gboolean gst_tfrc_unicast_session_is_answered (const GstTfrcUnicastSession * session,
    TfrcTime now);

/* The deterministic interval T_d of RFC 3550 6.3.1 with T_min = 5 s, in ns: the unit of timeouts
 * (RFC 3550 6.3.5, RFC 8083 4.1). */
TfrcTime gst_tfrc_unicast_session_get_T_d (const GstTfrcUnicastSession * session);

void gst_tfrc_unicast_session_get_stats (const GstTfrcUnicastSession * session,
    GstTfrcUnicastSessionStats * stats);

G_END_DECLS

#endif
