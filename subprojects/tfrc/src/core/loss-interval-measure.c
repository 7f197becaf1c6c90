/* libtfrc: the loss measures, which are ways to measure the length of a loss interval
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss-interval-measure.h"

/* RFC 4828 3: a loss interval of at most two round-trip times is short. */
#define SHORT_RTTS 2

/* RFC 4828 appendix C: from four round-trip times on, only one loss counts. */
#define GRADUAL_RTTS 4

/* Whether random sampling takes the packet. */
static bool
is_sampled (const TfrcConfig * config, uint64_t seq, uint32_t size)
{
  uint64_t z = config->seed + seq * 0x9E3779B97F4A7C15u;

  /* The finalizer of splitmix64. The draw depends only on the seed and the sequence number, so that it
   * is the same when a history is counted anew. */
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  /* WBL04 3.2.2: a packet is in the sample with the probability s / S. */
  return (z >> 32) * config->S < (uint64_t) size << 32;
}

uint64_t
tfrc_loss_measure_count_received (const TfrcConfig * config, uint64_t seq,
    uint32_t size)
{
  switch (config->measure) {
    case TFRC_MEASURE_VIRTUAL_PACKET:
    case TFRC_MEASURE_VIRTUAL_BYTE:
      return size;
    case TFRC_MEASURE_SAMPLE_PACKET:
    case TFRC_MEASURE_SAMPLE_BYTE:
      return is_sampled (config, seq, size);
    default:
      return 1;
  }
}

uint64_t
tfrc_loss_measure_count_lost (const TfrcConfig * config, uint64_t seq,
    uint32_t size)
{
  /* WBL04 3.3.2: in byte mode every loss is taken into account. */
  if (config->measure == TFRC_MEASURE_SAMPLE_BYTE)
    return 1;
  return tfrc_loss_measure_count_received (config, seq, size);
}

uint64_t
tfrc_loss_measure_count_gap (const TfrcConfig * config,
    const TfrcSequenceGap * gap)
{
  uint64_t units = 0;

  if (!tfrc_loss_measure_samples_losses (config))
    return gap->count * tfrc_loss_measure_count_lost (config, gap->first,
        gap->size);
  for (uint32_t k = 0; k < gap->count; k++)
    units += tfrc_loss_measure_count_lost (config, gap->first + k, gap->size);
  return units;
}

bool
tfrc_loss_measure_samples_losses (const TfrcConfig * config)
{
  return config->measure == TFRC_MEASURE_SAMPLE_PACKET;
}

uint64_t
tfrc_loss_measure_get_threshold (const TfrcConfig * config)
{
  /* WBL04 definition 1 (b); definition 3 has no such condition. */
  return config->measure == TFRC_MEASURE_VIRTUAL_PACKET ? config->S : 1;
}

uint64_t
tfrc_loss_measure_get_unit (const TfrcConfig * config,
    const TfrcContext * context)
{
  return config->measure == TFRC_MEASURE_VIRTUAL_PACKET
      || config->measure ==
      TFRC_MEASURE_VIRTUAL_BYTE ? (uint64_t) context->s : 1;
}

/* eta = S / s of WBL04, at least 1. */
static double
get_eta (const TfrcConfig * config, const TfrcContext * context)
{
  return context->s > 0.0
      && context->s < config->S ? config->S / context->s : 1.0;
}

TfrcTime
tfrc_loss_measure_get_period (const TfrcConfig * config,
    const TfrcContext * context)
{
  /* WBL04 3.2.3 */
  if (config->measure == TFRC_MEASURE_LIP_SCALE)
    return (TfrcTime) ((double) context->R / get_eta (config, context));
  return context->R;
}

/* The length of an interval in which each loss counts if the interval is short: RFC 4828 3 divides it by
 * the number of losses, K. The gradual rule of appendix C divides by K up to one round-trip time, by
 * 2/3 K at two, by 1/3 K at three and by 1 from four on, and interpolates between these. */
static double
get_short_length (const TfrcConfig * config, const TfrcContext * context,
    const TfrcSpan * span)
{
  double N = (double) span->units, K = (double) span->K, rtts;

  if (config->measure != TFRC_MEASURE_GRADUAL)
    return span->duration <= SHORT_RTTS * context->R ? N / K : N;

  rtts = (double) span->duration / (double) context->R;
  if (rtts >= GRADUAL_RTTS)
    return N;
  K *= rtts > 1.0 ? (GRADUAL_RTTS - rtts) / (GRADUAL_RTTS - 1) : 1.0;
  return K > 1.0 ? N / K : N;
}

/* The share of an interval that is within its loss-insensitive period. */
static double
get_share_within (const TfrcContext * context, const TfrcSpan * span)
{
  return span->duration >
      context->R ? (double) context->R / (double) span->duration : 1.0;
}

/* WBL04 3.1.1: the length is reduced by (eta - 1) N, where N eta packets arrive in a round-trip time. N
 * is computed from the mean rate of the interval, because the paper finds the present rate too
 * noisy. */
static double
get_unbiased_length (const TfrcContext * context, const TfrcSpan * span,
    double eta)
{
  double theta = (double) span->units;

  return theta - (eta - 1.0) * theta * get_share_within (context, span) / eta;
}

/* The length in packets of S bytes. Behind a drop-tail queue that is limited in bytes, small packets are
 * lost more seldom: what arrived after the loss-insensitive period is divided by byte_mode_factor
 * (WBL04 4.2.2). */
static double
get_virtual_length (const TfrcConfig * config, const TfrcContext * context,
    const TfrcSpan * span)
{
  double theta = (double) span->units / config->S, within =
      get_share_within (context, span);

  return theta * (within + (1.0 - within) / config->byte_mode_factor);
}

static double
at_least_one (double theta)
{
  return theta > 1.0 ? theta : 1.0;
}

double
tfrc_loss_measure_get_length (const TfrcConfig * config,
    const TfrcContext * context, const TfrcSpan * span)
{
  double theta = (double) span->units, eta = get_eta (config, context);

  switch (config->measure) {
    case TFRC_MEASURE_UNBIAS_PACKET:
      return at_least_one (get_unbiased_length (context, span, eta));
    case TFRC_MEASURE_UNBIAS_BYTE:
      /* WBL04 3.1.2: the length is reduced by (eta - 1) (theta + 1) / eta. */
      return at_least_one ((theta + 1.0) / eta - 1.0);
    case TFRC_MEASURE_VIRTUAL_PACKET:
    case TFRC_MEASURE_VIRTUAL_BYTE:
      return get_virtual_length (config, context, span);
    case TFRC_MEASURE_SAMPLE_PACKET:
    case TFRC_MEASURE_SAMPLE_BYTE:
    case TFRC_MEASURE_LIP_SCALE:
      return theta;
    default:
      return config->mode == TFRC_MODE_TFRC_SP
          ? get_short_length (config, context, span) : theta;
  }
}

bool
tfrc_loss_measure_leaves_out (const TfrcConfig * config,
    const TfrcContext * context, TfrcTime age)
{
  if (config->mode != TFRC_MODE_TFRC_SP)
    return false;
  /* RFC 4828 3: while the open interval is short, its length may still fall. */
  if (config->measure == TFRC_MEASURE_RFC)
    return age <= SHORT_RTTS * context->R;
  return config->measure == TFRC_MEASURE_GRADUAL
      && age < GRADUAL_RTTS * context->R;
}

unsigned
tfrc_loss_measure_get_most (const TfrcConfig * config)
{
  return config->measure == TFRC_MEASURE_LIP_SCALE ? TFRC_INTERVALS_MAX :
      TFRC_INTERVALS_N;
}

unsigned
tfrc_loss_measure_get_n (const TfrcConfig * config, const TfrcContext * context)
{
  double n;

  if (config->measure != TFRC_MEASURE_LIP_SCALE)
    return TFRC_INTERVALS_N;
  /* WBL04 3.2.3: the history covers the same time as that of a flow with large packets. */
  n = TFRC_INTERVALS_N * get_eta (config, context) + 0.5;
  return n < TFRC_INTERVALS_MAX ? (unsigned) n : TFRC_INTERVALS_MAX;
}
