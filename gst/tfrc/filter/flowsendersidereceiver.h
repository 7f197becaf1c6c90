/* gst-tfrc: makes TFRC reports of the feedback of a remote that knows nothing of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWSENDERSIDERECEIVER_H
#define GST_TFRC_FLOWSENDERSIDERECEIVER_H

#include <gst/gst.h>
#include <tfrc/arrival-feedback.h>
#include <tfrc/sender-side-receiver.h>

#include "base/feedbackkind.h"

G_BEGIN_DECLS

/* Departures whose transport-wide sequence number may still have to be told. All packets that a filter pushes at
 * once are among them. */
#define GST_TFRC_UNNUMBERED_MAX 128

/* A packet that departed. */
typedef struct
{
  gboolean waits;               /* for its transport-wide sequence number */
  guint32 repair;               /* its SSRC, where that is one which repairs the data; 0: it is of the data */
  guint16 seq;
  guint32 size;                 /* bytes */
  TfrcStamp stamp;
} GstTfrcUnnumbered;

/* An RTPFB packet that lists arrivals, which is handed to all flows of a transport. Feedback about a whole transport is
 * parsed once, for the first flow that listens to it. Plain state; zero but for the first three fields as the packet
 * comes, with the `entries` of the packet before. */
typedef struct
{
  guint fmt;
  const guint8 *data;           /* what follows the SSRC of the packet's sender, without padding */
  gsize size;
  TfrcArrivalEntry *entries;    /* room for what is parsed; NULL: none yet */
  gboolean is_parsed;           /* `feedback` and `result` hold for all flows */
  TfrcArrivalFeedback feedback;
  TfrcParse result;
} GstTfrcArrivals;

/* Another packet came. */
void gst_tfrc_arrivals_set (GstTfrcArrivals * arrivals, guint fmt, const guint8 * data, gsize size);
void gst_tfrc_arrivals_clear (GstTfrcArrivals * arrivals);

/* Parses what the packet says of the flow whose packets have the SSRC `media_ssrc`. */
TfrcParse gst_tfrc_arrivals_parse (GstTfrcArrivals * arrivals, guint32 media_ssrc);

/* The TFRC receiver of libtfrc that runs at the data sender (RFC 5348 7), for one flow. With feedback of TFRC the
 * object does nothing. The object is part of a data flow sender, whose owner guards it. Times are in ns of the
 * engine's time.
 *
 * The numbers of transport-wide feedback are not those of RTP: the RTP session gives them to the packets of all its
 * SSRCs, after they have departed. So the owner tells the number of each packet as the packet leaves the session. */
typedef struct
{
  GstTfrcFeedback agreed;       /* what was negotiated; never GST_TFRC_FEEDBACK_AUTO */
  GstTfrcFeedback kind;         /* what is listened to: `agreed`, or report blocks while nothing else comes */
  TfrcConfig config;
  TfrcSenderSideReceiver *side; /* NULL with feedback of TFRC */
  GstTfrcUnnumbered *unnumbered;        /* the last GST_TFRC_UNNUMBERED_MAX in a ring, as they departed; NULL but
                                         * for transport-wide feedback */
  guint next, expected;         /* in the ring: where the next packet that departs goes, and the one behind the last
                                 * whose number was told */
  gboolean has_last;            /* `last` is known */
  guint16 last;                 /* number of the last packet, as the feedback that was negotiated has it */
  gboolean timed;               /* the last packet that arrived has a time of arrival */
  gboolean has_block;           /* a report block has come */
  gint lost;                    /* packets, by the last report block */
  guint32 highest;              /* extended highest sequence number, by the last report block */
  guint64 answered;             /* reports that had been accepted by the last report block */
  guint64 before;               /* reports that had been accepted when the present remote came */
  gboolean seeks;               /* stamps are sent though report blocks are listened to: the present remote may be able
                                 * to send TFRC reports */
  guint unanswered;             /* report blocks since other feedback was of use */
  TfrcTime counted;             /* when the last of these came */
  guint64 malformed;            /* feedback that cannot be parsed */
  guint64 reports;              /* reports made */
} GstTfrcFlowSenderSideReceiver;

/* `self` is zero before its first start. The feedback is of TFRC. */
void gst_tfrc_flow_sender_side_receiver_start (GstTfrcFlowSenderSideReceiver * self,
    const TfrcConfig * config);
void gst_tfrc_flow_sender_side_receiver_clear (GstTfrcFlowSenderSideReceiver * self);

/* `kind` was negotiated. Returns TRUE when another kind was negotiated before. */
gboolean gst_tfrc_flow_sender_side_receiver_set_kind (GstTfrcFlowSenderSideReceiver * self,
    GstTfrcFeedback kind, TfrcTime now);

/* A report block with this extended highest sequence number came, and `reports` reports were accepted so far. Returns
 * TRUE when the data receiver sends nothing but report blocks, whatever was negotiated: several blocks have told of
 * packets that arrived, and no other feedback has. Called before gst_tfrc_flow_sender_side_receiver_on_block(). */
gboolean gst_tfrc_flow_sender_side_receiver_is_missing (GstTfrcFlowSenderSideReceiver * self,
    guint64 reports, guint32 highest, TfrcTime now);

/* The owner has chosen another remote, and `reports` reports were accepted so far: what was agreed on is listened to, as
 * at the start of the flow. */
void gst_tfrc_flow_sender_side_receiver_forget_remote (GstTfrcFlowSenderSideReceiver * self,
    guint64 reports, TfrcTime now);

/* Another remote has come by itself, or the same one with another SSRC. The reports of the remote before do not count for it.
 * Where report blocks have taken the place of TFRC reports, they are still listened to while the packets have stamps
 * again, so that neither a remote with TFRC nor one without it has to wait. */
void gst_tfrc_flow_sender_side_receiver_on_new_remote (GstTfrcFlowSenderSideReceiver * self,
    guint64 reports);

/* Whether report blocks are all that the remote has sent, so that nothing can be expected before the next one: with the
 * feedback rr, and with that of TFRC once a block has counted as unanswered. The first TFRC report ends that. */
gboolean gst_tfrc_flow_sender_side_receiver_waits_for_blocks (const GstTfrcFlowSenderSideReceiver *
    self);

/* A TFRC report of the remote was accepted. It ends the wait for report blocks: TFRC reports are listened to from now
 * on, unless the search for them has ended. */
void gst_tfrc_flow_sender_side_receiver_on_report (GstTfrcFlowSenderSideReceiver * self, TfrcTime now);

/* Whether packets have to carry stamps. */
gboolean gst_tfrc_flow_sender_side_receiver_wants_stamps (const GstTfrcFlowSenderSideReceiver * self);

/* Report blocks are listened to from now on, until feedback that lists arrivals is back. */
void gst_tfrc_flow_sender_side_receiver_fall_back (GstTfrcFlowSenderSideReceiver * self, TfrcTime now);

/* The flow runs in this mode from now on. */
void gst_tfrc_flow_sender_side_receiver_set_mode (GstTfrcFlowSenderSideReceiver * self, TfrcMode mode);

/* The remote or the path to it is another one. */
void gst_tfrc_flow_sender_side_receiver_restart (GstTfrcFlowSenderSideReceiver * self, TfrcTime now);

/* A packet departs, with the RTP sequence number `seq`; `size` and `stamp` are those of
 * tfrc_sender_on_departure(). */
void gst_tfrc_flow_sender_side_receiver_on_departure (GstTfrcFlowSenderSideReceiver * self,
    guint16 seq, guint32 size, const TfrcStamp * stamp, TfrcTime now);

/* A packet of an SSRC that repairs the data departs. Transport-wide feedback alone is about such packets as well. */
void gst_tfrc_flow_sender_side_receiver_on_repair (GstTfrcFlowSenderSideReceiver * self, guint32 ssrc,
    guint16 seq, guint32 size, const TfrcStamp * stamp);

/* The packet with the RTP sequence number `seq` has left the session with a transport-wide sequence number. `repair` is
 * its SSRC where that repairs the data, else 0. */
void gst_tfrc_flow_sender_side_receiver_on_number (GstTfrcFlowSenderSideReceiver * self, guint32 repair,
    guint16 seq, guint16 number, TfrcTime now);

/* Whether the flow listens to RTPFB packets of this FMT. */
gboolean gst_tfrc_flow_sender_side_receiver_listens_to (const GstTfrcFlowSenderSideReceiver * self,
    guint fmt);

/* An RTPFB packet came; the flow's packets have the SSRC `media_ssrc`. Returns TfrcSenderSideBits, which say
 * what of `report` the engine's sender takes. */
unsigned gst_tfrc_flow_sender_side_receiver_on_arrivals (GstTfrcFlowSenderSideReceiver * self,
    GstTfrcArrivals * arrivals, guint32 media_ssrc, TfrcReport * report,
    TfrcTime now);

/* A report block came: packets lost in all, highest sequence number, and round-trip time (0: not known). Returns
 * TRUE when `report` was made. */
gboolean gst_tfrc_flow_sender_side_receiver_on_block (GstTfrcFlowSenderSideReceiver * self, gint lost,
    guint32 highest, TfrcTime rtt, TfrcReport * report, TfrcTime now);

void gst_tfrc_flow_sender_side_receiver_add_stats (const GstTfrcFlowSenderSideReceiver * self,
    GstStructure * stats);

G_END_DECLS

#endif
