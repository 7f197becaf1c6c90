/* gst-tfrc: what arrives of one RTP stream: header fields, sequence numbers, losses, jitter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_RTPRECEPTION_H
#define GST_TFRC_RTPRECEPTION_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* GstTfrcRtpFields:
 * @ssrc: the synchronization source; contributing sources are not read
 * @rtptime: the RTP timestamp
 * @seq: the sequence number
 * @payload_type: 0 to 127
 * @marker: the marker bit
 * @payload_size: bytes behind header, CSRCs and header extension, padding left out
 *
 * What an RTP session reads of an RTP packet, RFC 3550 5.1. */
typedef struct
{
  guint32 ssrc, rtptime;
  guint16 seq;
  guint8 payload_type;
  gboolean marker;
  guint32 payload_size;
} GstTfrcRtpFields;

/* gst_tfrc_rtp_fields_parse:
 * @fields: (out): the fields; untouched when the packet is malformed
 * @data: the whole packet, @size bytes
 *
 * Returns: FALSE when the packet is malformed: another version than 2, or CSRCs, header
 * extension or padding that do not fit into the packet (RFC 3550 A.1). */
gboolean gst_tfrc_rtp_fields_parse (GstTfrcRtpFields * fields, const guint8 * data, gsize size);

/* GstTfrcRtpReception:
 * @ssrc: whose packets these are
 * @clock_rate: of the RTP timestamps, Hz; 0: unknown, no jitter is measured
 * @octets: payload bytes of the accepted packets
 * @heard: arrival of the last accepted packet, ns
 *
 * The receiver's state for one SSRC by RFC 3550 A.1, A.3 and A.8. It is flat and owns
 * nothing; the names of the other fields are those of the RFC. */
typedef struct
{
  guint32 ssrc, clock_rate;
  guint64 octets;
  TfrcTime heard;

  guint16 base_seq, max_seq;
  guint32 cycles;               /* 65536 for each wrap of the sequence number */
  guint32 bad_seq;              /* the number that would show a restart */
  guint32 received, received_prior, expected_prior;

  gboolean has_transit;
  guint32 transit;              /* of the last packet, RTP timestamp units */
  guint32 jitter;               /* 1/16 RTP timestamp units */
} GstTfrcRtpReception;

/* What has become of a packet. */
typedef enum
{
  GST_TFRC_RTP_ACCEPTED,
  GST_TFRC_RTP_RESTARTED,       /* accepted; the sender began a new sequence */
  GST_TFRC_RTP_REFUSED          /* a jump that nothing confirms yet */
} GstTfrcRtpVerdict;

/* GstTfrcRtpLosses: the part of a report block that A.3 computes.
 * @fraction: lost since the block before, 1/256
 * @lost: cumulative, within the 24 bits of the block; negative with duplicates */
typedef struct
{
  guint8 fraction;
  gint32 lost;
} GstTfrcRtpLosses;

/* Begins with the packet that has sequence number @seq, which is then to be given to
 * gst_tfrc_rtp_reception_on_packet(). */
void gst_tfrc_rtp_reception_init (GstTfrcRtpReception * reception, guint32 ssrc, guint16 seq,
    guint32 clock_rate);

/* The jitter begins anew when the rate changes. */
void gst_tfrc_rtp_reception_set_clock_rate (GstTfrcRtpReception * reception, guint32 clock_rate);

/* A packet of this SSRC has arrived. Jumps of up to 3000 packets forward are loss, of up to
 * 100 backward reordering; after a larger one the next packet in sequence shows that the
 * sender restarted (RFC 3550 A.1). */
GstTfrcRtpVerdict gst_tfrc_rtp_reception_on_packet (GstTfrcRtpReception * reception,
    const GstTfrcRtpFields * packet, TfrcTime now);

/* The highest sequence number with the number of its wraps above it. */
guint32 gst_tfrc_rtp_reception_get_extended_max (const GstTfrcRtpReception * reception);

/* Packets that the sender has sent, by their sequence numbers. */
guint32 gst_tfrc_rtp_reception_get_expected (const GstTfrcRtpReception * reception);

/* Cumulative losses as a report block has them, RFC 3550 A.3. */
gint32 gst_tfrc_rtp_reception_get_lost (const GstTfrcRtpReception * reception);

/* The losses for a report block that is sent now; the next fraction counts from here. */
GstTfrcRtpLosses gst_tfrc_rtp_reception_take_losses (GstTfrcRtpReception * reception);

/* Interarrival jitter in RTP timestamp units, as a report block has it. */
guint32 gst_tfrc_rtp_reception_get_jitter (const GstTfrcRtpReception * reception);

/* The same in ns; 0 without a clock rate. */
TfrcTime gst_tfrc_rtp_reception_get_jitter_time (const GstTfrcRtpReception * reception);

/* GstTfrcRtpProbation: a source that has not yet shown that it is one.
 * @ssrc: the candidate; the only one
 * @next_seq: the number of the packet that would be in sequence
 * @in_sequence: packets that arrived in sequence, up to 255
 * @active: whether there is a candidate */
typedef struct
{
  guint32 ssrc;
  guint16 next_seq;
  guint8 in_sequence;
  gboolean active;
} GstTfrcRtpProbation;

/* A packet of a source that is not (yet) valid. Another SSRC takes the place of the
 * candidate, so that any number of them costs nothing.
 *
 * Returns: TRUE once the candidate has sent @needed packets in sequence, this one included
 * (MIN_SEQUENTIAL of RFC 3550 A.1, where it is 2). */
gboolean gst_tfrc_rtp_probation_on_packet (GstTfrcRtpProbation * probation,
    const GstTfrcRtpFields * packet, guint needed);

G_END_DECLS

#endif
