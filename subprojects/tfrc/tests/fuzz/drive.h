/* libtfrc: random lives of a sender and a receiver, for fuzzers and for the random run
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each function leads one object (or both) through a life that an Input decides,
 * and aborts when a law is broken that holds whatever comes in. */
#ifndef TFRC_DRIVE_H
#define TFRC_DRIVE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tfrc/receiver.h>
#include <tfrc/sender.h>

/* Bytes of a fuzzer, or of a generator without end (data NULL). */
typedef struct
{
  const uint8_t *data;
  size_t size;
  uint64_t state;
} Input;

#define LAW(COND) do {                                                          \
    if (!(COND)) {                                                              \
      fprintf (stderr, "%s:%d: law broken: %s\n", __FILE__, __LINE__, #COND);   \
      abort ();                                                                 \
    }                                                                           \
  } while (0)

static inline bool
input_ended (const Input * input)
{
  return input->data != NULL && input->size == 0;
}

static inline uint32_t
input_below (Input * input, uint32_t n)
{
  uint32_t value = 0;

  if (input->data == NULL) {    /* xorshift64* */
    input->state ^= input->state >> 12;
    input->state ^= input->state << 25;
    input->state ^= input->state >> 27;
    value = (uint32_t) ((input->state * 2685821657736338717u) >> 32);
    return n ? value % n : value;
  }
  for (uint32_t range = n ? n - 1 : UINT32_MAX; range > 0 && input->size > 0; range >>= 8) {
    value = value << 8 | *input->data++;
    input->size--;
  }
  return n ? value % n : value;
}

static inline uint32_t
input_u32 (Input * input)
{
  return input_below (input, 0);
}

/* One time in n. */
static inline bool
input_chance (Input * input, uint32_t n)
{
  return input_below (input, n) == n - 1;
}

/* Any configuration that passes the check. */
static inline TfrcConfig
drive_config (Input * input)
{
  TfrcConfig config;

  do {
    tfrc_config_init (&config, input_chance (input, 2) ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    if (input_chance (input, 2))
      config.measure = (TfrcMeasure) input_below (input, TFRC_MEASURE_GRADUAL + 1);
    if (input_chance (input, 4))
      config.pacing = TFRC_PACING_FLUID;
    config.feedbacks_per_rtt = 1 + input_below (input, 4);
    config.history_discounting = !input_chance (input, 4);
    config.oscillation_reduction = !input_chance (input, 4);
    config.history_packets = input_chance (input, 2) ? 0 : 64u << input_below (input, 8);
    config.initial_rtt = input_chance (input, 4) ? input_below (input, 17) * TFRC_SEC : 0;
    if (input_chance (input, 4)) {
      config.mss = 28 + input_below (input, 9000);
      config.H = input_below (input, 100);
      config.t_gran = input_below (input, 20) * TFRC_MSEC;
    }
    if (input_chance (input, 8)) {
      config.dscp_set = true;
      config.g = input_below (input, 1000000);
    }
    config.S = config.mss < 1460 ? config.mss : 1460;
    config.seed = input_u32 (input);
  } while (tfrc_config_check (&config) != NULL && !input_ended (input));
  if (tfrc_config_check (&config) != NULL)
    tfrc_config_init (&config, TFRC_MODE_TFRC);
  return config;
}

/* From nothing to minutes, and now and then back. */
static inline TfrcTime
drive_clock (Input * input, TfrcTime now)
{
  switch (input_below (input, 64)) {
    case 0:
      return now + input_below (input, 100000) * TFRC_MSEC;
    case 1:
      return now - (now > TFRC_SEC ? input_below (input, 1000) * TFRC_MSEC : 0);
    case 2:
    case 3:
      return now;
    default:
      return now + input_below (input, 20000) * TFRC_USEC;
  }
}

static inline void
drive_check_receiver (const TfrcReceiver * receiver)
{
  TfrcReceiverStats stats;

  tfrc_receiver_get_stats (receiver, &stats);
  LAW (stats.p >= 0.0 && stats.p <= 1.0);
  LAW (stats.X_recv >= 0.0 && isfinite (stats.X_recv));
  LAW (stats.R >= 0.0 && stats.R < 64.1);
  LAW (stats.I_mean >= 0.0 && isfinite (stats.I_mean));
  LAW ((stats.p > 0.0) == (stats.I_mean > 0.0));
  LAW (stats.lost >= stats.loss_events || stats.marked > 0 || stats.healed > 0);
}

static inline TfrcPacket
drive_packet (Input * input, uint16_t seq, TfrcTime now)
{
  TfrcPacket packet = { seq, 20 + input_below (input, 1440), true, input_chance (input, 50), {0, 0} };

  packet.stamp.rtt_us = 1000 * (1 + input_below (input, 300));
  packet.stamp.t_i_us = (uint32_t) (now / TFRC_USEC);
  if (input_chance (input, 16)) {
    packet.stamped = !input_chance (input, 2);
    packet.stamp.rtt_us = input_u32 (input) & 0xFFFFFFu;
    packet.stamp.t_i_us = input_u32 (input);
  }
  if (input_chance (input, 64)) {
    packet.size = input_u32 (input);
    packet.stamp.rtt_us = input_chance (input, 2) ? TFRC_RTT_UNKNOWN : TFRC_RTT_OVER;
  }
  return packet;
}

static inline uint16_t
drive_seq (Input * input, uint16_t seq)
{
  switch (input_below (input, 32)) {
    case 0:
      return (uint16_t) input_u32 (input);
    case 1:
      return (uint16_t) (seq - input_below (input, 20));
    case 2:
      return (uint16_t) (seq + 1 + input_below (input, 500));
    case 3:
    case 4:
      return (uint16_t) (seq + 2);
    default:
      return (uint16_t) (seq + 1);
  }
}

static inline void
drive_receiver_once (Input * input, TfrcReceiver * receiver, TfrcTime now)
{
  TfrcReport report;

  switch (input_below (input, 16)) {
    case 0:
      tfrc_receiver_set_report_interval (receiver, input_below (input, 2000) * TFRC_MSEC, now);
      break;
    case 1:
      if (input_chance (input, 200))
        tfrc_receiver_restart (receiver, now);
      break;
    default:
      if (tfrc_receiver_next_timer (receiver) <= now)
        tfrc_receiver_on_timer (receiver, now);
      if (tfrc_receiver_wants_report (receiver) || input_chance (input, 8))
        tfrc_receiver_make_report (receiver, &report, now);
  }
}

/* A receiver fed by `packets` random packets, or by what the input has. */
static inline void
drive_receiver (Input * input, uint64_t packets)
{
  TfrcConfig config = drive_config (input);
  void *block = malloc (tfrc_receiver_size (&config));
  TfrcTime now = TFRC_SEC;
  TfrcReceiver *receiver = tfrc_receiver_init (block, &config, now);
  uint16_t seq = (uint16_t) input_u32 (input);

  for (uint64_t i = 0; i < packets && !input_ended (input); i++) {
    uint16_t this_seq = drive_seq (input, seq);
    TfrcPacket packet;

    now = drive_clock (input, now);
    packet = drive_packet (input, this_seq, now);
    tfrc_receiver_on_packet (receiver, &packet, now);
    if ((int16_t) (this_seq - seq) > 0 || input_chance (input, 4))
      seq = this_seq;
    drive_receiver_once (input, receiver, now);
    drive_check_receiver (receiver);
  }
  free (block);
}

static inline double
drive_check_sender (const TfrcSender * sender)
{
  TfrcSenderStats stats;
  TfrcAllowance allowance;

  tfrc_sender_get_stats (sender, &stats);
  tfrc_sender_get_allowance (sender, &allowance);
  LAW (stats.X > 0.0 && isfinite (stats.X));
  LAW (stats.X_inst > 0.0 && isfinite (stats.X_inst));
  LAW (stats.recv_limit >= 0.0);
  LAW (stats.p >= 0.0 && stats.p <= 1.0);
  LAW (stats.R >= 0.0 && stats.R < 17.0);
  LAW (stats.slow_start == (stats.p <= 0.0));
  LAW (allowance.X > 0.0 && isfinite (allowance.X) && allowance.X_wire >= allowance.X * (1.0 - 1e-12));
  LAW (tfrc_sender_next_timer (sender) != TFRC_TIME_NONE);
  return stats.X;
}

#define DRIVE_REMEMBERED 64

/* A report that may be honest, a little off, or noise. */
static inline TfrcReport
drive_report (Input * input, const uint32_t * t_i, TfrcTime now)
{
  TfrcReport report = { t_i[input_below (input, DRIVE_REMEMBERED)], input_below (input, 50000),
    input_below (input, 200000), input_chance (input, 3) ? 0 : input_u32 (input), input_chance (input, 2), input_u32 (input),
    false, input_u32 (input)
  };

  (void) now;
  switch (input_below (input, 16)) {
    case 0:
      report.t_i_us = input_u32 (input);
      break;
    case 1:
      report.t_delay_us = input_u32 (input);
      break;
    case 2:
      report.x_recv_Bps = input_u32 (input);
      break;
    default:
      break;
  }
  return report;
}

static inline void
drive_report_in (Input * input, TfrcSender * sender, const uint32_t * t_i, TfrcTime now)
{
  TfrcReport report = drive_report (input, t_i, now);
  double X = drive_check_sender (sender);
  unsigned bits = tfrc_sender_on_report (sender, &report, now);

  if (bits & TFRC_SENDER_REJECTED)      /* a refused report raises nothing */
    LAW (drive_check_sender (sender) <= X);
}

static inline void
drive_sender_once (Input * input, TfrcSender * sender, const uint32_t * t_i, TfrcTime now)
{
  switch (input_below (input, 32)) {
    case 0:
      tfrc_sender_on_rtt (sender, input_below (input, 20000) * TFRC_MSEC, now);
      break;
    case 1:
      tfrc_sender_on_limited (sender, now);
      break;
    case 2:
      if (input_chance (input, 200))
        tfrc_sender_restart (sender, now);
      break;
    case 3:
      tfrc_sender_set_initial_rtt (sender, input_below (input, 20000) * TFRC_MSEC, now);
      break;
    case 4:
      tfrc_sender_set_max_packet_size (sender, input_below (input, 3000), now);
      break;
    default:
      if (input_chance (input, 4))
        drive_report_in (input, sender, t_i, now);
  }
  if (tfrc_sender_next_timer (sender) <= now)
    tfrc_sender_on_timer (sender, now);
}

/* A sender of `packets` packets that hears random reports. */
static inline void
drive_sender (Input * input, uint64_t packets)
{
  TfrcConfig config = drive_config (input);
  void *block = malloc (tfrc_sender_size (&config));
  TfrcTime now = TFRC_SEC;
  TfrcSender *sender = tfrc_sender_init (block, &config, now);
  uint32_t t_i[DRIVE_REMEMBERED] = { 0 };

  for (uint64_t i = 0; i < packets && !input_ended (input); i++) {
    uint32_t size = 20 + input_below (input, 1440);
    TfrcTime departure = tfrc_sender_next_departure (sender, size);
    TfrcStamp stamp;

    now = drive_clock (input, now);
    LAW (departure != TFRC_TIME_NONE);
    if (departure <= now || input_chance (input, 16)) { /* a caller who does not wait, too */
      tfrc_sender_on_departure (sender, size, input_chance (input, 2), &stamp, now);
      LAW (stamp.rtt_us <= TFRC_RTT_OVER);
      t_i[i % DRIVE_REMEMBERED] = stamp.t_i_us;
    }
    drive_sender_once (input, sender, t_i, now);
    drive_check_sender (sender);
  }
  free (block);
}

#endif
