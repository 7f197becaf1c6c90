/* gst-tfrc: reads RTP headers, and counts arrivals, losses and jitter of one SSRC (RFC 3550 A.1, A.3, A.8)
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
 * @ssrc: SSRC of the packets
 * @clock_rate: of the RTP timestamps, Hz; 0: unknown, so that no jitter is measured
 * @octets: payload bytes of the accepted packets
 * @heard: when the last accepted packet arrived, ns
 *
 * What RFC 3550 A.1, A.3 and A.8 keep of the packets of one SSRC; the other fields have the names
 * of the RFC. The object is plain state that owns nothing and has no lock. */
typedef struct
{
  guint32 ssrc, clock_rate;
  guint64 octets;
  TfrcTime heard;

  guint16 base_seq, max_seq;
  guint32 cycles;               /* 65536 for each wrap of the sequence number */
  guint32 bad_seq;              /* sequence number that would confirm a jump as a restart */
  guint32 received, received_prior, expected_prior;

  gboolean has_transit;
  guint32 transit;              /* of the last packet, RTP timestamp units */
  guint32 jitter;               /* 1/16 RTP timestamp units */
} GstTfrcRtpReception;

/* What a packet is taken for. */
typedef enum
{
  GST_TFRC_RTP_ACCEPTED,
  GST_TFRC_RTP_RESTARTED,       /* accepted; the sender began a new sequence */
  GST_TFRC_RTP_REFUSED          /* the sequence number jumped, which no packet confirms yet */
} GstTfrcRtpVerdict;

/* GstTfrcRtpLosses: the losses in a report block, RFC 3550 A.3.
 * @fraction: share of packets lost since the last report block, in units of 1/256
 * @lost: packets lost in all, as far as the 24 bits of the block have room for; duplicates make it
 *   negative */
typedef struct
{
  guint8 fraction;
  gint32 lost;
} GstTfrcRtpLosses;

/* @seq is the sequence number of the first packet, which the caller then hands to
 * gst_tfrc_rtp_reception_on_packet(). */
void gst_tfrc_rtp_reception_init (GstTfrcRtpReception * reception, guint32 ssrc, guint16 seq,
    guint32 clock_rate);

/* The measurement of the jitter begins again when the clock rate changes. */
void gst_tfrc_rtp_reception_set_clock_rate (GstTfrcRtpReception * reception, guint32 clock_rate);

/* A packet of this SSRC has arrived. A jump of the sequence number by up to 3000 forward is taken
 * for loss, by up to 100 backward for reordering. After a larger jump, the next packet in sequence
 * shows that the sender has restarted (RFC 3550 A.1). */
GstTfrcRtpVerdict gst_tfrc_rtp_reception_on_packet (GstTfrcRtpReception * reception,
    const GstTfrcRtpFields * packet, TfrcTime now);

/* The highest sequence number, with the number of wraps in the upper 16 bits. */
guint32 gst_tfrc_rtp_reception_get_extended_max (const GstTfrcRtpReception * reception);

/* Packets that the sender has sent, by their sequence numbers. */
guint32 gst_tfrc_rtp_reception_get_expected (const GstTfrcRtpReception * reception);

/* Cumulative losses as a report block has them, RFC 3550 A.3. */
gint32 gst_tfrc_rtp_reception_get_lost (const GstTfrcRtpReception * reception);

/* The losses for a report block that is sent now. The fraction of the next block counts from
 * now. */
GstTfrcRtpLosses gst_tfrc_rtp_reception_take_losses (GstTfrcRtpReception * reception);

/* Interarrival jitter in RTP timestamp units, as a report block has it. */
guint32 gst_tfrc_rtp_reception_get_jitter (const GstTfrcRtpReception * reception);

/* Interarrival jitter in ns; 0 without a clock rate. */
TfrcTime gst_tfrc_rtp_reception_get_jitter_time (const GstTfrcRtpReception * reception);

/* GstTfrcRtpProbation: an SSRC that has not yet sent enough packets in sequence to be valid.
 * @ssrc: the candidate
 * @next_seq: sequence number of the packet that would be the next in sequence
 * @in_sequence: packets that have arrived in sequence, up to 255
 * @active: whether there is a candidate */
typedef struct
{
  guint32 ssrc;
  guint16 next_seq;
  guint8 in_sequence;
  gboolean active;
} GstTfrcRtpProbation;

/* A packet of an SSRC that is not valid yet has arrived. A packet of another SSRC makes that SSRC
 * the candidate, so that there is never more than one.
 *
 * Returns: TRUE when the candidate has sent @needed packets in sequence, this packet included
 * (MIN_SEQUENTIAL, which is 2 in RFC 3550 A.1). */
gboolean gst_tfrc_rtp_probation_on_packet (GstTfrcRtpProbation * probation,
    const GstTfrcRtpFields * packet, guint needed);

G_END_DECLS

#endif
