/* gst-tfrc: reads RTP headers, and counts arrivals, losses and jitter of one SSRC (RFC 3550 A.1, A.3, A.8)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/rtpreception.h"

/* --- the fields of a packet --- */

#define FIXED_SIZE 12           /* bytes, RFC 3550 5.1 */
#define EXTENSION_HEADER_SIZE 4 /* bytes, RFC 3550 5.3.1 */

/* The bytes before the payload; more than `size` when the packet is cut. */
static gsize
get_header_size (const guint8 * data, gsize size)
{
  gsize header = FIXED_SIZE + 4 * (data[0] & 0x0F);

  if ((data[0] & 0x10) == 0)
    return header;
  if (header + EXTENSION_HEADER_SIZE > size)
    return size + 1;
  return header + EXTENSION_HEADER_SIZE + 4 * GST_READ_UINT16_BE (data +
      header + 2);
}

gboolean
gst_tfrc_rtp_fields_parse (GstTfrcRtpFields * fields, const guint8 * data,
    gsize size)
{
  gsize header, padding = 0;

  if (size < FIXED_SIZE || data[0] >> 6 != 2)
    return FALSE;
  header = get_header_size (data, size);
  if (header > size)
    return FALSE;
  if (data[0] & 0x20) {
    padding = data[size - 1];
    if (padding == 0 || padding > size - header)
      return FALSE;
  }
  *fields = (GstTfrcRtpFields) {
      .ssrc = GST_READ_UINT32_BE (data + 8),
      .rtptime = GST_READ_UINT32_BE (data + 4),
      .seq = GST_READ_UINT16_BE (data + 2),
      .payload_type = data[1] & 0x7F,
      .marker = (data[1] & 0x80) != 0,
      .payload_size = size - header - padding
  };
  return TRUE;
}

/* --- the state for one SSRC --- */

/* RFC 3550 A.1 */
#define MAX_DROPOUT 3000
#define MAX_MISORDER 100
#define RTP_SEQ_MOD (1u << 16)

/* What 24 bits hold, RFC 3550 A.3. */
#define LOST_MAX 0x7FFFFF
#define LOST_MIN (-0x800000)

/* init_seq of RFC 3550 A.1 */
static void
init_seq (GstTfrcRtpReception * reception, guint16 seq)
{
  reception->base_seq = reception->max_seq = seq;
  reception->bad_seq = RTP_SEQ_MOD + 1;
  reception->cycles = 0;
  reception->received = reception->received_prior = 0;
  reception->expected_prior = 0;
  reception->octets = 0;
}

void
gst_tfrc_rtp_reception_init (GstTfrcRtpReception * reception, guint32 ssrc,
    guint16 seq, guint32 clock_rate)
{
  *reception = (GstTfrcRtpReception) {
      .ssrc = ssrc,
      .clock_rate = clock_rate};
  init_seq (reception, seq);
}

void
gst_tfrc_rtp_reception_set_clock_rate (GstTfrcRtpReception * reception,
    guint32 clock_rate)
{
  if (clock_rate == reception->clock_rate)
    return;
  reception->clock_rate = clock_rate;
  reception->has_transit = FALSE;
  reception->jitter = 0;
}

/* update_seq of RFC 3550 A.1, behind the probation. */
static GstTfrcRtpVerdict
update_seq (GstTfrcRtpReception * reception, guint16 seq)
{
  guint16 udelta = seq - reception->max_seq;

  if (udelta < MAX_DROPOUT) {
    if (seq < reception->max_seq)
      reception->cycles += RTP_SEQ_MOD;
    reception->max_seq = seq;
  } else if (udelta <= RTP_SEQ_MOD - MAX_MISORDER) {
    if (seq != reception->bad_seq) {
      reception->bad_seq = (seq + 1) & (RTP_SEQ_MOD - 1);
      return GST_TFRC_RTP_REFUSED;
    }
    init_seq (reception, seq);
    return GST_TFRC_RTP_RESTARTED;
  }
  return GST_TFRC_RTP_ACCEPTED;
}

/* RFC 3550 A.8 */
static void
update_jitter (GstTfrcRtpReception * reception, guint32 rtptime, TfrcTime now)
{
  guint32 arrival =
      gst_util_uint64_scale (now, reception->clock_rate, GST_SECOND);
  guint32 transit = arrival - rtptime;
  guint32 d = transit - reception->transit;

  if (d > G_MAXINT32)
    d = -d;
  if (reception->has_transit)
    reception->jitter += d - ((reception->jitter + 8) >> 4);
  reception->transit = transit;
  reception->has_transit = TRUE;
}

GstTfrcRtpVerdict
gst_tfrc_rtp_reception_on_packet (GstTfrcRtpReception * reception,
    const GstTfrcRtpFields * packet, TfrcTime now)
{
  GstTfrcRtpVerdict verdict = update_seq (reception, packet->seq);

  if (verdict == GST_TFRC_RTP_REFUSED)
    return verdict;
  if (verdict == GST_TFRC_RTP_RESTARTED)
    reception->has_transit = FALSE;
  reception->received++;
  reception->octets += packet->payload_size;
  reception->heard = now;
  if (reception->clock_rate > 0)
    update_jitter (reception, packet->rtptime, now);
  return verdict;
}

guint32
gst_tfrc_rtp_reception_get_extended_max (const GstTfrcRtpReception * reception)
{
  return reception->cycles + reception->max_seq;
}

guint32
gst_tfrc_rtp_reception_get_expected (const GstTfrcRtpReception * reception)
{
  return gst_tfrc_rtp_reception_get_extended_max (reception) -
      reception->base_seq + 1;
}

gint32
gst_tfrc_rtp_reception_get_lost (const GstTfrcRtpReception * reception)
{
  gint32 lost =
      gst_tfrc_rtp_reception_get_expected (reception) - reception->received;

  return CLAMP (lost, LOST_MIN, LOST_MAX);
}

GstTfrcRtpLosses
gst_tfrc_rtp_reception_take_losses (GstTfrcRtpReception * reception)
{
  GstTfrcRtpLosses losses = { 0, gst_tfrc_rtp_reception_get_lost (reception) };
  guint32 expected = gst_tfrc_rtp_reception_get_expected (reception);
  guint32 expected_interval = expected - reception->expected_prior;
  gint64 lost_interval = (gint64) expected_interval -
      (guint32) (reception->received - reception->received_prior);

  reception->expected_prior = expected;
  reception->received_prior = reception->received;
  /* 256/256 does not fit; all lost is 255, as in other implementations */
  if (expected_interval > 0 && lost_interval > 0)
    losses.fraction = MIN ((lost_interval << 8) / expected_interval, 255);
  return losses;
}

guint32
gst_tfrc_rtp_reception_get_jitter (const GstTfrcRtpReception * reception)
{
  return reception->jitter >> 4;
}

TfrcTime
gst_tfrc_rtp_reception_get_jitter_time (const GstTfrcRtpReception * reception)
{
  if (reception->clock_rate == 0)
    return 0;
  return gst_util_uint64_scale (reception->jitter, GST_SECOND,
      16 * (guint64) reception->clock_rate);
}

gboolean
gst_tfrc_rtp_probation_on_packet (GstTfrcRtpProbation * probation,
    const GstTfrcRtpFields * packet, guint needed)
{
  gboolean in_sequence = probation->active && probation->ssrc == packet->ssrc &&
      probation->next_seq == packet->seq;

  if (!in_sequence)
    probation->in_sequence = 0;
  probation->active = TRUE;
  probation->ssrc = packet->ssrc;
  probation->next_seq = packet->seq + 1;
  probation->in_sequence = MIN (probation->in_sequence + 1, 255);
  return probation->in_sequence >= needed;
}
