/* gst-tfrc: the data sender of one flow without clock, timer, session or socket
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A data flow sender joins the engine's sender, the pacing queue in front of that sender, and the
 * allowance of the encoder. The owner adds packets, takes each packet when it may depart, hands
 * over reports, and sends the encoder the allowances that are worth an event: by the notifier, or by
 * gst_tfrc_data_flow_sender_take_rate().
 * rtptfrcsend runs a data flow sender by filter/flowdriver, tfrcbin by its peers.
 *
 * The owner's lock guards the object: one thread at a time calls, and no function calls back,
 * pushes or waits. `now` is the last argument, in ns of any clock that never decreases. The
 * `next_` functions change nothing; TFRC_TIME_NONE means never. */
#ifndef GST_TFRC_DATAFLOWSENDER_H
#define GST_TFRC_DATAFLOWSENDER_H

#include <tfrcadapt/frame-arrivals.h>

#include "base/encoderpacketsevent.h"
#include "base/rateevent.h"
#include "filter/encoderallowance.h"
#include "filter/filtersettings.h"
#include "filter/flowmeter.h"
#include "filter/flowbreaker.h"
#include "filter/flowcoupling.h"
#include "filter/flowsendersidereceiver.h"
#include "filter/pacingqueue.h"

G_BEGIN_DECLS

/* The sequence numbers of one SSRC. */
typedef struct
{
  guint32 ssrc;
  gboolean is_rtx;              /* the packets are retransmissions, RFC 4588 */
  gboolean begun;               /* a packet has departed */
  guint16 seq;                  /* of the last packet that departed */
} GstTfrcNumbering;

/* SSRCs that repair one flow: retransmissions (RFC 4588) and two of forward error correction. */
#define GST_TFRC_REPAIRS_MAX 3

/* Packets that are added in a while. */
typedef struct
{
  TfrcTime begin;               /* 0: none was added yet */
  guint packets;
  gboolean above;               /* the period before had more than TFRC-SP sends */
  gboolean too_fast;            /* the two periods before had */
} GstTfrcPeriod;

typedef struct
{
  const GstTfrcFilterSettings *settings;        /* the owner's, outlive the flow */
  const gchar *name;            /* of the flow in the log, the owner's; NULL: none */
  TfrcConfig config;            /* its mode is that of the moment */
  gboolean chooses_mode;        /* by caps and packets, since the property "mode" is auto */
  gboolean has_mode;            /* the mode was chosen, by caps or by packets */
  gboolean keeps_mode;          /* whatever the packets are */
  TfrcSender *sender;           /* the engine; NULL until the first start */
  GstTfrcPacingQueue queue;
  GstTfrcMeter meter;           /* of the packets that are added */
  GstTfrcPeriod period;         /* of the packets that are added */
  GstTfrcEncoderAllowance allowance;
  GstTfrcNotifier notifier;
  GstTfrcFlowBreaker breaker;
  GstTfrcFlowSenderSideReceiver feedback;
  GstTfrcFlowCoupling coupling;
  TfrcTime begun, departed;     /* when the first and the last packet departed; 0: none has */
  GQueue messages;              /* GstStructure, of element messages that the owner posts */
  GstTfrcNumbering numbering;   /* of the SSRC of the data; its member `ssrc` is not used */
  GstTfrcNumbering repairs[GST_TFRC_REPAIRS_MAX];       /* SSRCs whose packets share the allowance of the
                                                         * data that they repair */
  guint n_repairs;
  gboolean is_heard;            /* RTCP of the data receiver has arrived */
  gboolean has_t_i;             /* a stamp has departed, with `t_i_us` as its send time */
  guint32 t_i_us;
  TfrcTime rate_set;            /* when X last changed */
  TfrcTime drain_until;         /* when EOS waits for packets no longer; TFRC_TIME_NONE: no EOS
                                 * has arrived */
  gboolean answered;            /* a report was accepted since drain_until was set */
  guint64 not_rtp;              /* buffers that were no RTP packets */
  guint64 unstamped;            /* RTP packets without room for a stamp */

  /* set by the owner, of the packets that it adds next; borrowed, NULL: none */
  GstEvent *caps, *segment;

  GstTfrcEncoderPackets encoder;        /* what the encoder says of its packets */
  TfrcAdaptFrameArrivals *arrivals;     /* of the frames in packets with redundant copies; NULL: packets have none */
  gint urgent_type;             /* RTP payload type of packets that depart at once, set by the owner; -1: none */

  /* set by the owner, for the event */
  guint32 ssrc;                 /* of the data; 0: not known */
  GstClockTime playout;         /* ns for which the data receiver holds a packet before it plays it; 0: not known */
  gdouble loss;                 /* share of the packets that receiver reports count as lost; -1:
                                 * not known */
  guint clock_rate;             /* of the RTP timestamps, Hz; 0: not known */
  TfrcTime jitter;              /* of the arrivals, as receiver reports have it, ns; 0: not known */
} GstTfrcDataFlowSender;

/* A packet that departs. */
typedef struct
{
  GstBuffer *buffer;            /* the caller's; NULL: of gst_tfrc_data_flow_sender_pass() */
  GstTfrcStampedPacket packet;
  TfrcTime queued;              /* when the packet came into the queue */
  guint16 seq;                  /* to be written into the packet, as is `stamp` */
  TfrcStamp stamp;
  const GstTfrcNumbering *repair;       /* of the SSRC, when it is one that repairs the flow; NULL: it is not */
} GstTfrcDeparture;

/* `flow` is zero before. `settings` and `config` have been checked. `config` may be NULL: the flow
 * then has no engine before gst_tfrc_data_flow_sender_start(). */
void gst_tfrc_data_flow_sender_init (GstTfrcDataFlowSender * flow,
    const GstTfrcFilterSettings * settings, const TfrcConfig * config,
    TfrcTime now);
void gst_tfrc_data_flow_sender_clear (GstTfrcDataFlowSender * flow);

/* Drops all packets and counters, and starts an engine with `config`. */
void gst_tfrc_data_flow_sender_start (GstTfrcDataFlowSender * flow,
    const TfrcConfig * config, TfrcTime now);

/* --- packets --- */

/* Adds an RTP packet and drops expired ones. Takes `buffer`; `id` is the ID of the header
 * extension. Returns FALSE when `buffer` is no RTP packet. */
gboolean gst_tfrc_data_flow_sender_add (GstTfrcDataFlowSender * flow, GstBuffer * buffer,
    guint id, TfrcTime now);

/* Packets of `ssrc` repair the data of the flow: they use up its allowance and have sequence numbers of their
 * own. Returns FALSE when the flow has GST_TFRC_REPAIRS_MAX such SSRCs already. */
gboolean gst_tfrc_data_flow_sender_add_repair (GstTfrcDataFlowSender * flow, guint32 ssrc,
    gboolean is_rtx);
gboolean gst_tfrc_data_flow_sender_is_repair (const GstTfrcDataFlowSender * flow, guint32 ssrc);

/* EOS arrived behind the packets that wait. When no report is accepted within a few round-trip
 * times, all packets in the queue are dropped, so that EOS cannot wait for ever. */
void gst_tfrc_data_flow_sender_drain (GstTfrcDataFlowSender * flow, TfrcTime now);

/* Empties the queue. Packets may be added again, also after EOS. */
void gst_tfrc_data_flow_sender_flush (GstTfrcDataFlowSender * flow);

gboolean gst_tfrc_data_flow_sender_is_empty (const GstTfrcDataFlowSender * flow);

/* How long a packet may wait in the queue, ns; 0: there is no limit. */
guint64 gst_tfrc_data_flow_sender_get_queue_time (const GstTfrcDataFlowSender * flow);

/* Drops expired packets, the oldest first. */
void gst_tfrc_data_flow_sender_drop_expired (GstTfrcDataFlowSender * flow, TfrcTime now);

/* Whether the first packet may depart now; FALSE too when there is none, or when an event is in front of it. */
gboolean gst_tfrc_data_flow_sender_may_depart (GstTfrcDataFlowSender * flow, TfrcTime now);

/* Takes the next packet that may depart now. Returns FALSE when no packet may depart now, or when an
 * event is in front of the packets. */
gboolean gst_tfrc_data_flow_sender_take (GstTfrcDataFlowSender * flow,
    GstTfrcDeparture * departure, TfrcTime now);

/* The RTP packet of `size` bytes at `data` departs at once, without having been added. FALSE, and nothing has changed:
 * it cannot, because it or others have to wait, or because it has no room for a stamp. */
gboolean gst_tfrc_data_flow_sender_pass (GstTfrcDataFlowSender * flow, const guint8 * data,
    gsize size, guint id, GstTfrcDeparture * departure, TfrcTime now);

/* When the first packet may depart, or expires; never while an event is in front of it. */
TfrcTime gst_tfrc_data_flow_sender_next_departure (const GstTfrcDataFlowSender * flow);

/* What the caps of the flow want for it (flowcoupling.h). Packets of a video frame wait and expire together. */
void gst_tfrc_data_flow_sender_set_wants (GstTfrcDataFlowSender * flow, const GstTfrcFlowWants * wants);

/* --- the mode --- */

/* The caps of the packets that are added next say that the flow runs in `mode` (-1: they do not say that), and whether both
 * ends have agreed on it. See gst_tfrc_caps_get_mode(). Does nothing when the application has set the mode. */
void gst_tfrc_data_flow_sender_set_mode (GstTfrcDataFlowSender * flow, gint mode,
    gboolean agreed, TfrcTime now);

/* A packet of the data was added. Packets that are too large or too many for TFRC-SP (RFC 4828 1, 3) change the mode to
 * TFRC for good. Where the caps have not named a mode, small and rare packets change it to TFRC-SP. Returns whether the
 * mode has changed. */
gboolean gst_tfrc_data_flow_sender_check_mode (GstTfrcDataFlowSender * flow, TfrcTime now);

/* Whether the last packet is too large for TFRC-SP (RFC 4828 1), and whether the packets are too many for it (RFC 4828 3).
 * The latter is decided each 2 s. */
gboolean gst_tfrc_data_flow_sender_is_too_large (const GstTfrcDataFlowSender * flow);
gboolean gst_tfrc_data_flow_sender_is_too_fast (const GstTfrcDataFlowSender * flow);

/* --- the engine --- */

/* gst_tfrc_data_flow_sender_next_timer(): when gst_tfrc_data_flow_sender_on_timer() is due.
 * gst_tfrc_data_flow_sender_next_time(): when that function or gst_tfrc_data_flow_sender_take() is due,
 * whichever is earlier. */
TfrcTime gst_tfrc_data_flow_sender_next_timer (const GstTfrcDataFlowSender * flow);
TfrcTime gst_tfrc_data_flow_sender_next_time (const GstTfrcDataFlowSender * flow);

/* Serves the nofeedback timer (RFC 5348 4.4) and the timer of the circuit breaker, if they are due. */
void gst_tfrc_data_flow_sender_on_timer (GstTfrcDataFlowSender * flow, TfrcTime now);

/* RTCP of the remote end came. Called before the reports in that RTCP are handed over. Returns whether that
 * RTCP ends a silence, after which the path counts as a new one. */
gboolean gst_tfrc_data_flow_sender_on_rtcp (GstTfrcDataFlowSender * flow, TfrcTime now);

/* A report arrived. gst_tfrc_data_flow_sender_on_first_report() is for the first report of another data
 * receiver than before: slow start begins again, because the path to that receiver is unknown. Both
 * return TRUE when the engine accepted the report. */
gboolean gst_tfrc_data_flow_sender_on_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now);
gboolean gst_tfrc_data_flow_sender_on_first_report (GstTfrcDataFlowSender * flow,
    const TfrcReport * report, TfrcTime now);

/* Sets the kind of feedback that was negotiated, which after each start is GST_TFRC_FEEDBACK_TFRC. Nothing changes while
 * `kind` is the kind that was set before: a flow whose data receiver turned out to send report blocks alone goes on with
 * report blocks. */
void gst_tfrc_data_flow_sender_set_feedback (GstTfrcDataFlowSender * flow, GstTfrcFeedback kind,
    TfrcTime now);

/* Feedback came from a data receiver that may know nothing of TFRC: an RTPFB packet that lists arrivals, as in
 * gst_tfrc_flow_sender_side_receiver_on_arrivals(); or a report block with packets lost in all, extended highest sequence
 * number, and round-trip time (0: not known). The first function returns whether the engine accepted a report that was
 * made of the feedback. */
gboolean gst_tfrc_data_flow_sender_on_arrivals (GstTfrcDataFlowSender * flow,
    GstTfrcArrivals * arrivals, TfrcTime now);
void gst_tfrc_data_flow_sender_on_losses (GstTfrcDataFlowSender * flow, gint lost,
    guint32 highest, TfrcTime rtt, TfrcTime now);

/* A report block about the flow came in a sender or receiver report: fraction lost in 1/256, share of packets
 * with the ECN mark CE (0: none, or ECN is not in use), and extended highest sequence number (RFC 3550
 * 6.4.1). */
void gst_tfrc_data_flow_sender_on_block (GstTfrcDataFlowSender * flow, guint8 fraction,
    gdouble marked, guint32 highest, TfrcTime now);

/* A round-trip time was measured by sender and receiver reports. */
void gst_tfrc_data_flow_sender_on_rtt (GstTfrcDataFlowSender * flow, TfrcTime rtt,
    TfrcTime now);

/* A handshake with the remote took `rtt` or less from question to answer, so that the first packets need not wait
 * for a report. GST_CLOCK_TIME_NONE: there was none. */
void gst_tfrc_data_flow_sender_set_initial_rtt (GstTfrcDataFlowSender * flow,
    TfrcTime rtt, TfrcTime now);

/* The encoder says what its packets are like, before the first of them or later. The queue time is for TFRC-SP. */
void gst_tfrc_data_flow_sender_set_encoder (GstTfrcDataFlowSender * flow,
    const GstTfrcEncoderPackets * packets, TfrcTime now);

/* The data receiver holds a packet that came by the shortest way for `playout` ns before it plays the packet; 0: it does not
 * say. Somebody else may have said it in its name, so that more than a second is taken for a second. */
void gst_tfrc_data_flow_sender_set_playout (GstTfrcDataFlowSender * flow,
    GstClockTime playout);

/* The remote or the path to it has changed: slow start begins again. */
void gst_tfrc_data_flow_sender_restart (GstTfrcDataFlowSender * flow, TfrcTime now);

/* The owner has chosen another remote, to be followed by gst_tfrc_data_flow_sender_restart(): the feedback is what was
 * negotiated, as at the start of the flow. */
void gst_tfrc_data_flow_sender_forget_remote (GstTfrcDataFlowSender * flow, TfrcTime now);

/* Another remote has come by itself, or the same one with another SSRC: whether it sends TFRC reports is found out anew. */
void gst_tfrc_data_flow_sender_on_new_remote (GstTfrcDataFlowSender * flow);

/* The flow is coupled with those of `group` (NULL: with none) from its next report on. It is coupled with none after each
 * start. */
void gst_tfrc_data_flow_sender_set_group (GstTfrcDataFlowSender * flow,
    GstTfrcCouplingGroup * group, TfrcTime now);

/* Takes the rate that the reports of other flows of the group have given to the flow. */
void gst_tfrc_data_flow_sender_follow_group (GstTfrcDataFlowSender * flow, TfrcTime now);

/* --- the allowance of the encoder --- */

void gst_tfrc_data_flow_sender_get_rate (const GstTfrcDataFlowSender * flow,
    GstTfrcRate * rate, TfrcTime now);

/* Gives the allowance to the notifier, which keeps it when it is worth an event. */
void gst_tfrc_data_flow_sender_note_rate (GstTfrcDataFlowSender * flow,
    GstTfrcRateReason reason, TfrcTime now);

/* Takes the pending allowance of the notifier, for an owner that does not run the notifier. Returns
 * TRUE once for each allowance that is worth an event. */
gboolean gst_tfrc_data_flow_sender_take_rate (GstTfrcDataFlowSender * flow,
    GstTfrcRate * rate);

/* Adds the counters and the state of engine and queue. */
void gst_tfrc_data_flow_sender_add_stats (const GstTfrcDataFlowSender * flow,
    GstStructure * stats, TfrcTime now);

G_END_DECLS

#endif
