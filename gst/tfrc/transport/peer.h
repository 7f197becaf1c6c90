/* gst-tfrc: one remote end of tfrcbin: its RTP session, both directions of data, its state
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A peer puts the parts of a call together: a data flow sender (filter/dataflowsender.h) and an RTP
 * session (rtcp/unicastsession.h) for what is sent, libtfrc's receiver, the same session and a
 * playout buffer for what arrives, and a queue of the pad server for what goes out to pads and
 * to the bus. It knows neither sockets nor a clock: GstTfrcPeerIo sends its datagrams and
 * sets its one timer, which serves all times that the parts ask for.
 *
 * Threads. Datagrams and the timer come in one thread, that of the worker. Packets to be sent
 * and requests come from any thread, and change the state under the peer's lock. A packet that may
 * depart at once leaves in the thread that brings it; all else is left to the timer. Only the queue of the pad server
 * pushes, posts and signals. Times are in ns of the system's monotonic clock, also the timestamps of buffers that
 * are added and served.
 *
 * With keys, what leaves is encrypted, and nothing that arrives has any effect before it was
 * found authentic and fresh (SRTP, transport/srtpsession.h). With DTLS the keys come of a handshake
 * (transport/dtlssession.h); before it is done, nothing but the handshake leaves, and nothing but
 * the handshake has any effect. A peer that is alone and only receives may be called from anywhere,
 * and is where the caller is once the handshake is done. */
#ifndef GST_TFRC_PEER_H
#define GST_TFRC_PEER_H

#include <tfrc/receiver.h>

#include "base/encoderpacketsevent.h"
#include "base/enums.h"
#include "base/rateevent.h"
#include "base/remoteliveness.h"
#include "filter/filtersettings.h"
#include "rtcp/unicastsession.h"
#include "transport/dtlscontext.h"
#include "transport/dtlssettings.h"
#include "transport/padserver.h"
#include "transport/srtpsession.h"
#include "transport/udpreceive.h"
#include "transport/udpsend.h"

G_BEGIN_DECLS

typedef struct _GstTfrcPeer GstTfrcPeer;

/* Name of the structure of the element message about a change of a peer. Changes of a peer's connection are
 * posted as GST_TFRC_CONNECTION_MESSAGE instead. */
#define GST_TFRC_PEER_MESSAGE "application/x-tfrc-peer"

/* The same of the message that tells the BYE of the data sender, where there is one direction. */
#define GST_TFRC_BYE_MESSAGE "application/x-tfrc-bye"

typedef struct _GstTfrcPeerSettings GstTfrcPeerSettings;

/* What a peer is made with, mostly the same for all peers of an element; it does not change while
 * peers have it. */
struct _GstTfrcPeerSettings
{
  GstElement *element;          /* source of the messages; not owned */
  GstTfrcFilterSettings filter;
  TfrcConfig config;            /* that follows from `filter` */
  gboolean chooses_mode;        /* each flow has the mode that suits it, see filter/engineconfig.h */
  guint extension_id;
  guint tos;                    /* of what is sent: DSCP in the upper six bits */
  GstTfrcEcn ecn;               /* of data that are sent and that arrive */
  guint rtcp_port;              /* of the remote; 0: RTCP shares the port of RTP */
  gboolean only_sends, only_receives;   /* there is one direction of data */
  gboolean alone;               /* the element is one end of one call: messages name no peer, the
                                 * peer sends nothing before it has data or knows the remote end,
                                 * says BYE when its stream ends, and keeps the SSRC of the caps
                                 * unless it has keys */
  GstClockTime latency;         /* of the playout buffer, ns */
  gboolean adaptive;            /* its delay follows the path, from `least_delay` (ns) to the latency */
  GstClockTime least_delay;
  gint8 modes[128];             /* by payload type, as of gst_tfrc_caps_get_mode() */
  guint32 clock_rates[128];     /* Hz, by payload type; 0: the type is not known */
  guint64 red_types[2];         /* set of the payload types that are RED (RFC 2198) */
  const gint *refused_types;    /* atomic, by payload type: downstream does not take these packets;
                                 * NULL: it is not asked. Outlives the peer */
  GstCaps *caps;                /* of the payload types, for what is handed out; may be NULL */
  gchar cname[GST_TFRC_CNAME_SIZE];
  GBytes *sdes;                 /* further items of SDES, as of GstTfrcUnicastSessionConfig; NULL: none */
  const GstTfrcSrtpKeys *keys;  /* NULL: not encrypted, or by DTLS */
  GstTfrcDtlsContext *dtls;     /* owned; NULL: no DTLS */
  GstTfrcDtlsSetup dtls_setup;
  GstTfrcSrtpAuth srtp_auth;    /* that DTLS asks for first */
  gchar *fingerprints;          /* that the remote may have, transport/dtlsfingerprint.h */
  /* Called when the peer is gone; NULL: the settings are of several peers, and outlive them. */
  void (*free) (GstTfrcPeerSettings * settings);
};

/* How a peer reaches its surroundings. */
typedef struct
{
  /* TRUE: send() may be called in this thread, and what it sends leaves after all that was sent
   * before. With the peer's lock. */
  gboolean (*may_send) (GstTfrcPeer * peer, gpointer data_of_io);
  /* Sends a datagram; in the worker's thread, or where may_send() has said so. */
  void (*send) (GstTfrcPeer * peer, const guint8 * data, gsize size,
      const GstTfrcUdpRoute * route, gpointer data_of_io);
  /* gst_tfrc_peer_on_timer() is to be called at `time`, which replaces the time before. With
   * the peer's lock, from any thread. */
  void (*set_timer) (GstTfrcPeer * peer, GstClockTime time,
      gpointer data_of_io);
  /* The time, as of gst_util_get_timestamp(); from any thread. */
  GstClockTime (*get_time) (void);
  /* As gst_tfrc_udp_datagram_take_buffer(). */
  GstBuffer *(*take_buffer) (GstTfrcUdpDatagram * datagram);
  gpointer data;
} GstTfrcPeerIo;

/* Serves what goes out of the peer; see GstTfrcServeFunc. Buffers and events downstream are
 * what arrived, events upstream are for the encoder, messages for the bus. Times of buffers
 * and of events GstRTPPacketLost are still of the monotonic clock. */
typedef void (*GstTfrcPeerServeFunc) (GstTfrcPeer * peer,
    GstMiniObject * object, gpointer data);

/* `label` may be NULL. `address` may be not set: the peer is nowhere until it gets one. The peer
 * begins to speak when its timer is set for the first time. */
GstTfrcPeer *gst_tfrc_peer_new (guint id, const gchar * label,
    const GstTfrcUdpAddress * address, GstTfrcPeerSettings * settings,
    const GstTfrcPeerIo * io, GstTfrcPeerServeFunc serve, gpointer data);

GstTfrcPeer *gst_tfrc_peer_ref (GstTfrcPeer * peer);
void gst_tfrc_peer_unref (GstTfrcPeer * peer);

/* All that has arrived is served, and EOS after it, as by gst_tfrc_pad_queue_end(), gst_tfrc_pad_queue_wait() and
 * gst_tfrc_pad_queue_finish(). */
void gst_tfrc_peer_end (GstTfrcPeer * peer);
gboolean gst_tfrc_peer_wait (GstTfrcPeer * peer, gint64 until);
gboolean gst_tfrc_peer_finish (GstTfrcPeer * peer, GstClockTime patience);

/* Nothing is served any more when this returns, as of gst_tfrc_pad_queue_stop(). */
void gst_tfrc_peer_stop (GstTfrcPeer * peer);

/* --- from any thread --- */

guint gst_tfrc_peer_get_id (const GstTfrcPeer * peer);
const GstTfrcPeerSettings *gst_tfrc_peer_get_settings (const GstTfrcPeer *
    peer);
gpointer gst_tfrc_peer_get_io_data (const GstTfrcPeer * peer);

/* An RTP packet is to be sent, which the peer takes. Its PTS is when it was captured, or NONE. */
GstFlowReturn gst_tfrc_peer_enqueue (GstTfrcPeer * peer, GstBuffer * buffer);

/* Clock rate (Hz) and stamp of what will be added, from its caps. */
void gst_tfrc_peer_set_send_caps (GstTfrcPeer * peer, const GstCaps * caps);

/* The encoder says what its packets are like. */
void gst_tfrc_peer_set_encoder (GstTfrcPeer * peer, const GstTfrcEncoderPackets * packets);

/* No packets are added any more. When all have departed, an element message
 * GST_TFRC_PEER_MESSAGE with the state "drained" is served. */
void gst_tfrc_peer_drain (GstTfrcPeer * peer);

/* Whatever waits for its departure is dropped, and packets may be added again. */
void gst_tfrc_peer_flush (GstTfrcPeer * peer);

/* The bounds of the allowance and of the pacing queue change: min_bitrate, max_bitrate,
 * max_queue_time and max_queue_packets. */
void gst_tfrc_peer_set_bounds (GstTfrcPeer * peer,
    const GstTfrcFilterSettings * bounds);

/* Whether the delay of the playout buffer follows the path. */
gboolean gst_tfrc_peer_is_adaptive (GstTfrcPeer * peer);

/* How long the playout buffer waits for packets, ns; not with an adaptive delay. */
void gst_tfrc_peer_set_latency (GstTfrcPeer * peer, GstClockTime latency);

/* The allowance of the encoder, and the one that the last call of gst_tfrc_peer_take_rate_change()
 * returned. */
void gst_tfrc_peer_get_rate (GstTfrcPeer * peer, GstTfrcRate * rate);
void gst_tfrc_peer_take_rate_change (GstTfrcPeer * peer, GstTfrcRate * before,
    GstTfrcRate * rate);

/* What the receiver of the engine has measured; zeros when nothing had a stamp yet. */
void gst_tfrc_peer_get_receiver_stats (GstTfrcPeer * peer,
    TfrcReceiverStats * stats);
GstTfrcRemoteLivenessState gst_tfrc_peer_get_connection (GstTfrcPeer *
    peer);

/* Serves `object` behind all that waits; the peer takes it. */
void gst_tfrc_peer_serve (GstTfrcPeer * peer, GstMiniObject * object);

/* A key frame is needed: a PLI leaves. */
void gst_tfrc_peer_request_key_frame (GstTfrcPeer * peer);

/* The peer has called. It is gone unless more is heard of it within ten seconds: its address may
 * have been forged. */
void gst_tfrc_peer_expect (GstTfrcPeer * peer);

/* Whether what arrives is handed out or dropped; FALSE at first. */
void gst_tfrc_peer_set_playing (GstTfrcPeer * peer, gboolean playing);

/* Adds the last packets that arrived, which may have redundant copies of lost ones, to `list`. Packets are kept
 * from the first call on; that call adds the packets that wait in the playout buffer. */
void gst_tfrc_peer_get_recent (GstTfrcPeer * peer, GstBufferList * list);

/* A new structure application/x-tfrc-peer-stats. */
GstStructure *gst_tfrc_peer_get_stats (GstTfrcPeer * peer);

/* Add the fields that the statistics of tfrcsink, and those of tfrcsrc, have of their peer. `peer` may be NULL:
 * everything is zero. */
void gst_tfrc_peer_add_sender_stats (GstTfrcPeer * peer, GstStructure * stats);
void gst_tfrc_peer_add_receiver_stats (GstTfrcPeer * peer,
    GstStructure * stats);

/* What was dropped as it arrived. */
typedef struct
{
  guint64 malformed;            /* RTCP or RTP with a wrong form */
  guint64 refused;              /* RTP or RTCP that the session refused, and DTLS of no association */
  guint64 unknown_payload;      /* RTP of a payload type that cannot be used */
  guint64 srtp_failures;        /* not authentic, or repeated */
  guint64 not_encrypted;        /* what was to be sent and could not be encrypted */
  GstClockTime playout_delay;   /* `delay` of GstTfrcPlayoutStats */
  guint64 playout_late, playout_dropped;        /* `late` and `dropped` of GstTfrcPlayoutStats */
  guint64 playout_blocked;      /* what was to be served while the queue of the pad server was full */
} GstTfrcPeerDrops;

void gst_tfrc_peer_get_drops (GstTfrcPeer * peer, GstTfrcPeerDrops * drops);

/* --- in the worker's thread --- */

/* What `peer` sends goes to `target` from now on, and not to the pad: each packet as it is handed
 * out, under the sequence number, SSRC and rate of the target. A peer may have several targets, and
 * a target several peers. Requests for key frames go the other way. FALSE: it does so already. */
gboolean gst_tfrc_peer_forward (GstTfrcPeer * peer, GstTfrcPeer * target);

/* FALSE: nothing of `peer` went to `target`. */
gboolean gst_tfrc_peer_stop_forwarding (GstTfrcPeer * peer,
    GstTfrcPeer * target);

/* Nothing is forwarded any more from or to `peer`. */
void gst_tfrc_peer_isolate (GstTfrcPeer * peer);

/* A datagram of this peer came. */
void gst_tfrc_peer_on_datagram (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram);

void gst_tfrc_peer_on_timer (GstTfrcPeer * peer, GstClockTime now);

/* The remote end sends with this SSRC, or did so not long ago and has proven itself by a report. */
gboolean gst_tfrc_peer_has_ssrc (GstTfrcPeer * peer, guint32 ssrc);

/* Nothing of the peer was heard for half a second, or ever. */
gboolean gst_tfrc_peer_is_silent (GstTfrcPeer * peer, GstClockTime now);

/* Hands out what has arrived, and forwards requests for key frames. gst_tfrc_peer_on_datagram() and
 * gst_tfrc_peer_on_timer() do so themselves. */
void gst_tfrc_peer_hand_out (GstTfrcPeer * peer);

/* From any thread. A datagram came from another address than the peer's. TRUE: the peer has sent it, and is at that
 * address from now on; gst_tfrc_peer_hand_out() or the timer hands out what has arrived. A peer with keys has sent
 * authentic datagrams alone; without keys, every datagram is taken for one of the peer. */
gboolean gst_tfrc_peer_on_moved (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram);

/* Whether the peer has keys, or will have them by DTLS. */
gboolean gst_tfrc_peer_is_encrypted (GstTfrcPeer * peer);

/* Whether the peer has no connection, and may get one by a ClientHello of the remote. */
gboolean gst_tfrc_peer_awaits_hello (GstTfrcPeer * peer, GstClockTime now);

/* The two steps of gst_tfrc_peer_on_datagram(), for a caller that decides about the datagram in between. The first
 * function returns FALSE when the datagram is not authentic, and counts it; without keys it returns TRUE. It
 * decrypts an authentic datagram, which goes to the second function. */
gboolean gst_tfrc_peer_authenticate (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram);
void gst_tfrc_peer_on_authentic (GstTfrcPeer * peer,
    GstTfrcUdpDatagram * datagram);

/* Whether RTP packets of this type can be used. A packet that cannot is counted and warned of. */
gboolean gst_tfrc_peer_takes_payload (GstTfrcPeer * peer, guint payload_type);

/* Packets go to `address` from now on, and the session takes whoever is heard next for the remote end. */
void gst_tfrc_peer_expect_remote (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address);

/* The peer is at `address` from now on: slow start anew. */
void gst_tfrc_peer_set_address (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address, GstClockTime now);

/* The application has moved the peer to `address`, where it may be another remote: slow start anew, the session takes
 * whoever is heard next for the remote end, and with DTLS a client begins a handshake, whose keys replace those in use.
 * RTCP goes to `rtcp_address`; not set: to where RTP goes. */
void gst_tfrc_peer_move (GstTfrcPeer * peer, const GstTfrcUdpAddress * address,
    const GstTfrcUdpAddress * rtcp_address, GstClockTime now);

/* Where RTCP goes from now on, when that is not where RTP goes. */
void gst_tfrc_peer_set_rtcp_address (GstTfrcPeer * peer,
    const GstTfrcUdpAddress * address);

/* Sends a BYE. Nothing is sent any more after that. */
void gst_tfrc_peer_say_bye (GstTfrcPeer * peer, GstClockTime now);

G_END_DECLS

#endif
