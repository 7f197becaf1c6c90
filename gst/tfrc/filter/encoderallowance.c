/* gst-tfrc: what an encoder may use, as the engine's allowance and the limits leave it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/encoderallowance.h"

#include "base/enums.h"

/* Until the flow shows its own: frames of 20 ms, a header with the stamp alone. */
#define DEFAULT_PACKET_RATE 50.0
#define DEFAULT_OVERHEAD 24
/* What a suspended flow must be allowed again, of min-bitrate. */
#define RESUME_FACTOR 1.1

void
gst_tfrc_encoder_allowance_init (GstTfrcEncoderAllowance * offer)
{
  *offer = (GstTfrcEncoderAllowance) {
  .overhead = DEFAULT_OVERHEAD};
}

static guint
to_uint (gdouble value)
{
  return value < G_MAXUINT ? (guint) value : G_MAXUINT;
}

static gboolean
is_suspended (const GstTfrcEncoderAllowance * offer, guint min_bitrate,
    guint bitrate)
{
  /* Nothing is known of the path before the first report. */
  if (min_bitrate == 0 || !offer->fed)
    return FALSE;
  return bitrate < min_bitrate * (offer->suspended ? RESUME_FACTOR : 1);
}

void
gst_tfrc_encoder_allowance_make (const GstTfrcEncoderAllowance * offer,
    const TfrcAllowance * allowance, const TfrcConfig * config,
    const GstTfrcSendSettings * limits, gdouble packet_rate, GstTfrcRate * rate)
{
  guint bitrate;

  if (packet_rate == 0)
    packet_rate = DEFAULT_PACKET_RATE;
  rate->packet_rate = MIN (packet_rate, allowance->max_packet_rate);
  rate->overhead = offer->overhead;
  rate->header_size = config->H;
  bitrate = to_uint (tfrc_allowance_get_bitrate (allowance, config->mode,
          config->H, rate->packet_rate, rate->overhead));
  rate->suspend = is_suspended (offer, limits->min_bitrate, bitrate);
  if (limits->max_bitrate > 0)
    bitrate = MIN (bitrate, limits->max_bitrate);
  rate->bitrate = bitrate;
  rate->payload_size = to_uint (bitrate / (8 * rate->packet_rate));
  gst_tfrc_rate_set_allowance (rate, allowance);
  rate->mode = gst_tfrc_mode_get_nick (config->mode);
}

void
gst_tfrc_encoder_allowance_turn (GstTfrcEncoderAllowance * offer,
    GstTfrcRate * rate, GstTfrcRateReason reason)
{
  rate->reason = reason;
  if (rate->suspend != offer->suspended)
    rate->reason = rate->suspend ? GST_TFRC_RATE_SUSPEND : GST_TFRC_RATE_RESUME;
  offer->suspended = rate->suspend;
}
