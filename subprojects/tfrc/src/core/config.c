/* libtfrc: the defaults of the configuration of a flow, and the check of its settings
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/tfrc.h>

#include <math.h>

/* RFC 4828 3: bytes of the nominal segment of TFRC-SP, 1500 less 40 of headers. Larger segments cannot
 * be sent with TFRC-SP (RFC 4828 1). */
#define NOMINAL_SIZE 1460u

#define MSS_MIN 28u             /* the least MTU of IPv4, 68 bytes (RFC 791), less 40 of headers */
#define MSS_MAX 65527u          /* the most bytes that a UDP datagram holds */
#define RTT_MAX ((TfrcTime) TFRC_RTT_MAX * TFRC_USEC)   /* the longest round-trip time of a stamp */
#define HISTORY_MIN 64u
#define HISTORY_MAX (1u << 20)

void
tfrc_config_init (TfrcConfig * config, TfrcMode mode)
{
  *config = (TfrcConfig) {
      .mode = mode,
      .mss = NOMINAL_SIZE,
      .H = 40,
      .t_RTO_R = 4.0,
      .t_gran = TFRC_MSEC / 2,
      .q = 0.9,
      .oscillation_reduction = true,
      .history_discounting = true,
      .feedbacks_per_rtt = 1,
      .byte_mode_factor = 1.0,
      .S = NOMINAL_SIZE,
  };
}

static bool
measure_is_wbl04 (TfrcMeasure measure)
{
  return measure >= TFRC_MEASURE_UNBIAS_PACKET
      && measure <= TFRC_MEASURE_LIP_SCALE;
}

static const char *
check_choices (const TfrcConfig * config)
{
  if ((unsigned) config->mode > TFRC_MODE_TFRC_SP)
    return "mode: not a mode; use TFRC_MODE_TFRC or TFRC_MODE_TFRC_SP";
  if ((unsigned) config->measure > TFRC_MEASURE_GRADUAL)
    return "measure: not a loss measure; use TFRC_MEASURE_RFC";
  if ((unsigned) config->pacing > TFRC_PACING_FLUID)
    return "pacing: not a pacing policy; use TFRC_PACING_RFC";
  if (config->mppn > 0 && config->pacing != TFRC_PACING_FLUID)
    return "mppn: the limit of waiting packets belongs to fluid pacing; "
        "set pacing to TFRC_PACING_FLUID or mppn to 0";
  return NULL;
}

static const char *
check_sizes (const TfrcConfig * config)
{
  /* RFC 4828 4.5.3: TFRC-SP must not be used when nothing is known of the path's MTU, so there is no value
   * for "unknown". */
  if (config->mss < MSS_MIN || config->mss > MSS_MAX)
    return
        "mss: must be from 28 to 65527 bytes; set it to the path's MTU minus 40";
  if (config->max_packet_size > config->mss)
    return "max_packet_size: larger than mss, the path's largest segment; "
        "send smaller packets or set mss to what the path carries";
  /* RFC 4828 1 */
  if (config->mode == TFRC_MODE_TFRC_SP
      && config->max_packet_size > NOMINAL_SIZE)
    return
        "max_packet_size: TFRC-SP is for packets of at most 1500 bytes, a segment of 1460; "
        "send smaller packets or use mode tfrc";
  if (config->H > 1500)
    return "H: more than 1500 bytes of headers under each segment; "
        "set it to what UDP, IP and below add (28 for IPv4, 48 for IPv6; RFC 4828 uses 40)";
  if (config->history_packets != 0 && (config->history_packets < HISTORY_MIN
          || config->history_packets > HISTORY_MAX
          || (config->history_packets & (config->history_packets - 1)) != 0))
    return
        "history_packets: must be a power of two from 64 to 1048576, or 0 for the default";
  return NULL;
}

static const char *
check_times (const TfrcConfig * config)
{
  /* Each comparison is written in such a way that a NaN fails it. */
  if (!(config->t_RTO_R > 0.0 && config->t_RTO_R <= 64.0))
    return
        "t_RTO_R: must be over 0 and at most 64 round-trip times; RFC 5348 3.1 uses 4";
  if (config->t_RTO_min > 64 * TFRC_SEC)
    return
        "t_RTO_min: over 64 s, the longest back-off of RFC 5348; set it to 0 or 1 s";
  if (config->t_gran > TFRC_SEC)
    return
        "t_gran: over 1 s; set it to the granularity of the scheduler's timer";
  if (config->initial_rtt > RTT_MAX)
    return
        "initial_rtt: over 16.777 s, more than a packet can carry; set it to 0 if unknown";
  if (!(config->q >= 0.0 && config->q < 1.0))
    return
        "q: the weight of the old round-trip time must be at least 0 and below 1; "
        "RFC 5348 4.3 uses 0.9";
  if (config->feedbacks_per_rtt < 1 || config->feedbacks_per_rtt > 4)
    return "feedbacks_per_rtt: must be from 1 to 4; RFC 5348 6 asks for 1";
  return NULL;
}

static const char *
check_guarantee (const TfrcConfig * config)
{
  if (!(config->g >= 0.0 && config->g <= 1e12))
    return "g: must be from 0 to 1e12 bytes/s; 0 asks for no guaranteed rate";
  if (config->g > 0.0 && !config->dscp_set)
    return
        "g: a guaranteed rate holds only where the network gives it to a marked flow; "
        "mark the packets with an explicit DSCP and set dscp_set, or set g to 0";
  return NULL;
}

static const char *
check_byte_mode (const TfrcConfig * config)
{
  if (!(config->byte_mode_factor >= 1.0 && config->byte_mode_factor <= 2.0))
    return
        "byte_mode_factor: must be from 1 to 2; 2 behind a drop-tail queue in bytes, else 1";
  if (config->byte_mode_factor == 1.0)
    return NULL;
  /* WBL04 3.3.3: in byte mode, smaller packets have no more losses within the loss-insensitive period, so
   * that a shorter period cannot make up for the longer intervals. */
  if (config->measure == TFRC_MEASURE_LIP_SCALE)
    return
        "byte_mode_factor: scaling the loss-insensitive period has no byte mode; "
        "use TFRC_MEASURE_VIRTUAL_BYTE behind a queue in bytes, or set the factor to 1";
  /* WBL04 4.2.2: virtual packets are the only measure that works behind such a queue. */
  if (config->measure != TFRC_MEASURE_VIRTUAL_BYTE)
    return
        "byte_mode_factor: only virtual packets in byte mode are right behind a drop-tail "
        "queue in bytes; set measure to TFRC_MEASURE_VIRTUAL_BYTE or the factor to 1";
  return NULL;
}

static const char *
check_measure (const TfrcConfig * config)
{
  if (config->measure == TFRC_MEASURE_GRADUAL
      && config->mode != TFRC_MODE_TFRC_SP)
    return
        "measure: the gradual rule grades the short loss intervals of TFRC-SP; "
        "use mode tfrc-sp or TFRC_MEASURE_RFC";
  if (measure_is_wbl04 (config->measure)) {
    if (config->S < MSS_MIN || config->S > config->mss)
      return
          "S: the reference packet of the WBL04 measures must be from 28 bytes to mss, "
          "a packet that TCP could send on this path; lower S or raise mss";
    /* WBL04 3: S / s >= 1. */
    if (config->max_packet_size > config->S)
      return
          "max_packet_size: larger than S, the reference packet of the WBL04 measures; "
          "send smaller packets or use TFRC_MEASURE_RFC";
  }
  return check_byte_mode (config);
}

const char *
tfrc_config_check (const TfrcConfig * config)
{
  const char *reason;

  if ((reason = check_choices (config)) != NULL
      || (reason = check_sizes (config)) != NULL
      || (reason = check_times (config)) != NULL
      || (reason = check_guarantee (config)) != NULL)
    return reason;
  return check_measure (config);
}

uint32_t
tfrc_config_get_nominal_size (const TfrcConfig * config)
{
  /* RFC 4828 3: 1460 bytes, or the largest segment of the path if that is smaller, which is a MUST below
   * 536 bytes. */
  return config->mss < NOMINAL_SIZE ? config->mss : NOMINAL_SIZE;
}

double
tfrc_config_get_equation_size (const TfrcConfig * config, double s)
{
  if (measure_is_wbl04 (config->measure))
    return config->S;           /* WBL04 3 */
  if (config->mode == TFRC_MODE_TFRC_SP)
    return tfrc_config_get_nominal_size (config);
  return s;
}
