/* gst-tfrc: the state of a peer, as the files of peer.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PEERPRIVATE_H
#define GST_TFRC_PEERPRIVATE_H

#include <tfrc/ecn.h>
#include <tfrcadapt/loss-share.h>

#include "base/messages.h"
#include "filter/dataflowsender.h"
#include "filter/sendwarnings.h"
#include "rtcp/acceptedreceiver.h"
#include "rtcp/reportinterval.h"
#include "transport/peer.h"
#include "transport/playoutbuffer.h"

G_BEGIN_DECLS

/* Counters of packets that were dropped. */
typedef struct
{
  guint64 malformed;            /* neither RTP nor RTCP */
  guint64 probation;            /* RTP of an SSRC that has not yet shown itself */
  guint64 refused;              /* RTP or RTCP that the session refused, and DTLS of no association */
  guint64 unknown_payload;      /* RTP of a payload type without caps */
  guint64 srtp_failures;        /* not authentic, or repeated */
  guint64 not_encrypted;        /* what was to be sent and could not be encrypted, also since DTLS had
                                 * no keys yet */
} GstTfrcPeerCounts;

typedef struct _GstTfrcPeerDtls GstTfrcPeerDtls;

struct _GstTfrcPeer
{
  gint refs;
  guint id;
  gchar *label;
  GstTfrcPeerSettings *settings;
  GstTfrcPeerIo io;
  GstTfrcPeerServeFunc serve;
  gpointer serve_data;
  GstTfrcPadQueue *queue;

  /* under the lock of peerforward.c */
  GPtrArray *targets;           /* GstTfrcPeer that what arrives is forwarded to; NULL: none ever */
  GPtrArray *sources;           /* GstTfrcPeer that are forwarded to this one; not owned */
  gint n_targets, n_sources;    /* how many they are, atomic: read without the lock */

  GMutex lock;                  /* for what follows */
  GstQueueArray *arrived;       /* GstMiniObject to be handed out */
  GstTfrcUdpDatagram *passing;  /* that is to be forwarded from where it was received; NULL: none */
  GstClockTime passing_pts;
  gboolean wants_key_frame;     /* to be asked of the sources */
  GstTfrcUdpRoute route, rtcp_route;    /* that of RTCP is not set where RTP and RTCP share one */
  GstTfrcUnicastSession session;
  TfrcTime now;                 /* the latest time that was seen */
  TfrcTime send_time;           /* when something is to be done for what is sent; NONE: never */
  TfrcTime receive_time;        /* the same for what arrives, RTCP and the connection included */
  TfrcTime timer;               /* what the timer is set to at the latest */
  GstTfrcRemoteLiveness connection;
  gboolean begun;               /* the message of the state "waiting", or of a later one, was posted */
  TfrcTime expected;            /* until when it has to be heard, NONE: at any time */
  gboolean left;                /* BYE was said */

  GstTfrcPeerDtls *dtls;        /* NULL: no DTLS */

  /* SRTP; NULL: without keys */
  GstTfrcSrtpSession *outbound, *inbound;
  gboolean authenticated;       /* an authentic packet came */
  gboolean wrapped;             /* sequence numbers passed 0 since this SSRC was taken */
  GstTfrcWarning key_warning;

  /* what is sent */
  GstTfrcDataFlowSender flow;
  gboolean has_caps;            /* of what is added */
  guint send_id;                /* of the header extension */
  guint32 send_clock_rate;      /* Hz; 0: not known */
  gboolean draining;
  TfrcAdaptLossShare loss;      /* of the data that it receives */
  TfrcEcnPath ecn;              /* whether the data may be ECN-capable */
  gboolean reports_marks;       /* the remote end says that it reports marks */
  gboolean ended;               /* all has departed, and BYE was said */
  GstTfrcRate notified;         /* what gst_tfrc_peer_take_rate_change() returned last */
  GstTfrcSendWarnings send_warnings;
  gboolean has_media_ssrc;
  guint32 media_ssrc;           /* of the packets as they came to be sent */
  guint32 reporter;             /* SSRC of the last TFRC report that the engine took, 0: none */
  GstTfrcLossCrossCheck cross_check;    /* of what the remote end reports */
  guint64 ssrc_changes, reporter_changes, reports_doubted;

  /* what arrives */
  TfrcReceiver *receiver;       /* NULL until a packet with a stamp came */
  TfrcTime data_begun, data_arrived;    /* when the first and the last packet of the data came; 0: none did */
  GstTfrcMeter meter;           /* of what arrives */
  GstTfrcReportInterval interval;
  TfrcTime interval_set;        /* when the report interval was last computed */
  guint32 rtt_us;               /* of the last stamp */
  GstTfrcStampMemory stamps;
  gboolean knows_settings;      /* the data sender has said, and proven, what its settings are */
  TfrcMode receive_mode;        /* of what arrives */
  gboolean follows_mode;        /* the remote has said what that is */
  guint32 receive_clock_rate;   /* Hz; 0: not known */
  GstTfrcPlayoutBuffer *playout;
  gboolean playing, discont;
  GstBuffer **recent;           /* the last GST_TFRC_PEER_RECENT packets, a ring; NULL: nobody asked for them yet */
  guint next_recent;            /* where the next one goes */
  GstTfrcPeerCounts counts;
  GstTfrcWarning payload_warning, refused_warning, mode_warning, stream_warning;
};

/* As many packets as rtptfrcreceive keeps. */
#define GST_TFRC_PEER_RECENT 128

/* RFC 5761 4: where RTP and RTCP share a port, these second bytes are RTCP. */
static inline gboolean
gst_tfrc_peer_is_rtcp (const guint8 * data)
{
  return data[1] >= 192 && data[1] <= 223;
}

/* All with the lock, in the worker's thread. */

/* peerrun.c. The peer's `now`, which never decreases. */
TfrcTime gst_tfrc_peer_advance (GstTfrcPeer * peer, TfrcTime now);

/* Does all that is due by `send_time` and `receive_time`, and sets both and the timer to what is due
 * next. Whatever changes the peer sets one or both to 0 before. */
void gst_tfrc_peer_run (GstTfrcPeer * peer, TfrcTime now);

/* Runs what is due of the outward direction in the calling thread, which may be any. FALSE: that thread may not
 * send. */
gboolean gst_tfrc_peer_run_send_here (GstTfrcPeer * peer, TfrcTime now);

/* The outward direction has changed: makes the worker run what is due of it. From any thread. */
void gst_tfrc_peer_wake_send (GstTfrcPeer * peer);

/* The same for the inward direction and RTCP. */
void gst_tfrc_peer_wake_receive (GstTfrcPeer * peer);

/* peer.c. Posts an element message with the structure and the number of the peer; takes `s`. */
void gst_tfrc_peer_post (GstTfrcPeer * peer, GstStructure * s);

/* Posts a message of the element; takes `message`. */
void gst_tfrc_peer_post_message (GstTfrcPeer * peer, GstMessage * message);

/* This end sends data with another SSRC from now on; the session knows it. */
void gst_tfrc_peer_count_ssrc_change (GstTfrcPeer * peer);

/* A message application/x-tfrc-peer has the state. */
void gst_tfrc_peer_post_state (GstTfrcPeer * peer, const gchar * state);

/* Nothing of the peer came yet. */
static inline gboolean
gst_tfrc_peer_is_new (const GstTfrcPeer * peer)
{
  return peer->connection.state == GST_TFRC_REMOTE_LIVENESS_WAITING;
}

/* Posts a GST_TFRC_CONNECTION_MESSAGE with `state`, which a function of base/remoteliveness.h returned; NULL:
 * nothing has changed. */
void gst_tfrc_peer_post_connection (GstTfrcPeer * peer, const gchar * state);

/* peerreceive.c: a packet of RTP, decrypted. */
void gst_tfrc_peer_on_rtp (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    TfrcTime now);
/* Follows what the session has found in a packet: another SSRC of this end, or another remote end. `bits` are
 * what the session returned. */
void gst_tfrc_peer_follow_session (GstTfrcPeer * peer, guint bits, TfrcTime now);

/* peerrtcpin.c: a packet of RTCP, decrypted. */
void gst_tfrc_peer_on_rtcp (GstTfrcPeer * peer, GstTfrcUdpDatagram * datagram,
    TfrcTime now);

/* peerplayout.c: hands out the packets and losses whose time has come. */
void gst_tfrc_peer_play (GstTfrcPeer * peer, TfrcTime now);

/* Called with the lock, which it releases. As gst_tfrc_peer_hand_out(). */
void gst_tfrc_peer_unlock_and_hand_out (GstTfrcPeer * peer);
/* Notes in the buffer when the remote end captured what is in it, where RTCP has told. */
void gst_tfrc_peer_add_sender_time (GstTfrcPeer * peer, GstBuffer * buffer,
    guint32 rtptime);
/* Adds a packet to the ring of the last ones, if there is one, and frees the ring. */
void gst_tfrc_peer_keep_recent (GstTfrcPeer * peer, GstBuffer * buffer);
void gst_tfrc_peer_clear_recent (GstTfrcPeer * peer);

/* peerforward.c, for packets that are forwarded from where they were received, without a buffer. Whether that is possible
 * at present: nothing else waits, and nobody wants to look at the packets. */
gboolean gst_tfrc_peer_may_pass_on (GstTfrcPeer * peer);
/* Forwards a packet when the peer next hands out, until when the datagram has to stay. */
void gst_tfrc_peer_pass_on (GstTfrcPeer * peer, const GstTfrcRtpFields * fields,
    guint32 clock_rate, GstTfrcUdpDatagram * datagram);
/* The datagram of the last function does not stay: makes a buffer of it. */
void gst_tfrc_peer_keep_passing (GstTfrcPeer * peer);

static inline gboolean
gst_tfrc_peer_is_forwarded (const GstTfrcPeer * peer)
{
  return g_atomic_int_get (&peer->n_targets) > 0;
}

/* peerenqueue.c. The feedback that `caps` of what is sent negotiate (NULL: not known yet), or that the settings have. */
void gst_tfrc_peer_set_feedback (GstTfrcPeer * peer, const GstCaps * caps);

/* From any thread, without the lock: as gst_tfrc_peer_enqueue() of a packet whose timestamps are of
 * `clock_rate`, Hz. */
void gst_tfrc_peer_enqueue_forwarded (GstTfrcPeer * peer, GstBuffer * buffer,
    guint32 clock_rate);
/* The same of a datagram with the time at which it would be played, which gets no buffer if it departs at once. */
void gst_tfrc_peer_pass_forwarded (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram, GstClockTime captured, guint32 clock_rate);

/* peerstats.c: the statistics of one direction. */
void gst_tfrc_peer_add_data_sender_stats (const GstTfrcPeer * peer,
    GstStructure * stats);
void gst_tfrc_peer_add_data_receiver_stats (const GstTfrcPeer * peer,
    GstStructure * stats);

/* peersend.c: packets that may depart; RTCP that is due, and when the next is. */
void gst_tfrc_peer_send_data (GstTfrcPeer * peer, TfrcTime now);
/* Sends a packet that was never added; FALSE: as gst_tfrc_data_flow_sender_pass(). */
gboolean gst_tfrc_peer_pass_data (GstTfrcPeer * peer,
    const GstTfrcUdpDatagram * datagram, GstClockTime captured, TfrcTime now);
TfrcTime gst_tfrc_peer_send_rtcp (GstTfrcPeer * peer, TfrcTime now);
void gst_tfrc_peer_send_bye (GstTfrcPeer * peer, TfrcTime now);

/* The report interval follows R and the rate of the data. */
void gst_tfrc_peer_update_interval (GstTfrcPeer * peer, TfrcTime now);

/* peertfrcmode.c, with the lock. Nothing changes where the application has set the mode. */

/* Tells the remote the modes of both directions. */
void gst_tfrc_peer_announce_modes (GstTfrcPeer * peer, TfrcTime now);

/* The mode of what is sent, by its caps, or without caps by the payload type of a packet that is forwarded. */
void gst_tfrc_peer_choose_mode (GstTfrcPeer * peer, const GstCaps * caps, TfrcTime now);
void gst_tfrc_peer_choose_mode_of_type (GstTfrcPeer * peer, guint payload_type, TfrcTime now);

/* The mode of what arrives: by the payload type until the remote says it, and as the remote says. */
void gst_tfrc_peer_guess_mode (GstTfrcPeer * peer, guint payload_type, TfrcTime now);
void gst_tfrc_peer_follow_mode (GstTfrcPeer * peer, guint mode, TfrcTime now);

/* peerecn.c: ECN of the data that are sent. Tests the path anew, because the path or the remote end is another
 * one. */
void gst_tfrc_peer_restart_ecn (GstTfrcPeer * peer, TfrcTime now);
/* The remote end says, as a data receiver, whether it reports marks. */
void gst_tfrc_peer_on_ecn_settings (GstTfrcPeer * peer, gboolean reports,
    TfrcTime now);
/* RTCP came that has a report block or counts of marks. Returns the share of marked packets. */
gdouble gst_tfrc_peer_on_ecn_report (GstTfrcPeer * peer, guint bits,
    const GstTfrcSessionInput * input, TfrcTime now);

/* peersrtp.c. Makes what the keys of the settings need, and frees it. */
void gst_tfrc_peer_init_srtp (GstTfrcPeer * peer);
void gst_tfrc_peer_clear_srtp (GstTfrcPeer * peer);
/* Replaces the keys. */
void gst_tfrc_peer_set_keys (GstTfrcPeer * peer, const GstTfrcSrtpKeys * keys);

/* Decrypts in place; FALSE: it is to be dropped. */
gboolean gst_tfrc_peer_decrypt (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram);
/* Sends RTP or RTCP with this ECN mark, encrypted where the peer has keys. */
void gst_tfrc_peer_send_datagram (GstTfrcPeer * peer, const guint8 * data,
    gsize size, TfrcEcn mark);
/* What the remote end is told of a playout with this latency, ms; 0 where the latency follows the path. */
guint gst_tfrc_peer_get_playout_ms (const GstTfrcPeer * peer, GstClockTime latency);
/* An SSRC that was not in use with the keys; 0: any will do. */
guint32 gst_tfrc_peer_draw_ssrc (const GstTfrcPeer * peer);

/* Whether data may leave: they are not encrypted, or there are keys. */
static inline gboolean
gst_tfrc_peer_is_ready (const GstTfrcPeer * peer)
{
  return peer->dtls == NULL || peer->outbound != NULL;
}

/* peerdtls.c. Makes what DTLS needs, ends the association, and frees all. */
void gst_tfrc_peer_init_dtls (GstTfrcPeer * peer);
void gst_tfrc_peer_close_dtls (GstTfrcPeer * peer);
void gst_tfrc_peer_clear_dtls (GstTfrcPeer * peer);
/* A datagram of DTLS came. */
void gst_tfrc_peer_on_dtls (GstTfrcPeer * peer,
    const GstTfrcUdpDatagram * datagram, TfrcTime now);
/* Does what is due, and says when more is. */
TfrcTime gst_tfrc_peer_run_dtls (GstTfrcPeer * peer, TfrcTime now);
/* The peer is at another address: the end that begins handshakes begins one now. */
void gst_tfrc_peer_redial_dtls (GstTfrcPeer * peer, TfrcTime now);
void gst_tfrc_peer_add_dtls_stats (const GstTfrcPeer * peer, GstStructure * stats);

G_END_DECLS

#endif
